// SPDX-License-Identifier: MIT
/* DOC: pictures of fixture trees, whole ones and damaged ones. */
#include "topology.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cpu_info.h"
#include "fake_kfd.h"
#include "fault_inject.h"
#include "fixture.h"
#include "hsakmt/hsakmt.h"
#include "node_props.h"
#include "sysfs_reader.h"
#include "thunk_test.h"
#include "thunk_util.h"

static const char *start(const char *name, uint32_t gpus)
{
	const char *root = fixture_load(name);

	fake_kfd_install(root, gpus);
	return root;
}

static struct topology *take(const char *root)
{
	struct topology *topo = NULL;

	CHECK_EQ(0, topology_take(root, &topo));
	return topo;
}

TEST(node_properties, "each name of the node's file reaches its member")
{
	struct topology *topo = take(start("vega10", 1));
	const HsaNodeProperties *gpu = &topo->nodes[1].props;

	CHECK_EQ(2, topo->system.NumNodes);
	CHECK_EQ(4, topo->system.PlatformOem);
	CHECK_EQ(5, topo->system.PlatformId);
	CHECK_EQ(6, topo->system.PlatformRev);
	CHECK_EQ(0, topo->nodes[0].gpu_id);
	CHECK_EQ(FAKE_GPU_0, topo->nodes[1].gpu_id);
	CHECK_EQ(256, gpu->NumFComputeCores);
	CHECK_EQ(4, gpu->NumSIMDPerCU);
	CHECK_EQ(4, gpu->NumShaderBanks);
	CHECK_EQ(0x1002, gpu->VendorId);
	CHECK_EQ(0x6860, gpu->DeviceId);
	CHECK_EQ(128, gpu->DrmRenderMinor);
	CHECK_EQ(9, gpu->EngineId.ui32.Major);
	CHECK_EQ(0, gpu->EngineId.ui32.Minor);
	CHECK_EQ(2481 & 0x3ff, gpu->EngineId.ui32.uCode);
	CHECK_EQ(2478 & 0x3ff, gpu->uCodeEngineVersions.Value);
	CHECK_EQ(2, gpu->Capability.ui32.DoorbellType);
	CHECK_EQ(2, gpu->NumSdmaQueuesPerEngine);
	CHECK_EQ(0x1234567890abcdefULL, gpu->UniqueID);
	CHECK_EQ(0x40000, gpu->VGPRSizePerCU);
	CHECK(!strcmp((const char *)gpu->AMDName, "Vega10"));
	topology_free(topo);
}

TEST(cpu_name, "the model name of the node's first CPU, in both members")
{
	struct topology *topo = take(start("vega10", 1));
	const HsaNodeProperties *cpu = &topo->nodes[0].props;

	CHECK(!strcmp((const char *)cpu->AMDName, "AMD EPYC 7B13"));
	CHECK_EQ('A', cpu->MarketingName[0]);
	CHECK_EQ('3', cpu->MarketingName[12]);
	CHECK_EQ(0, cpu->MarketingName[13]);
	topology_free(topo);
}

TEST(gpu_caches, "S0.86: caches of the GPU node with type and sibling map")
{
	struct topology *topo = take(start("vega10", 1));
	const HsaCacheProperties *caches = topo->nodes[1].caches;

	CHECK_EQ(3, topo->nodes[1].props.NumCaches);
	CHECK_EQ(9, caches[0].CacheType.Value);
	CHECK_EQ(0x80001000, caches[0].ProcessorIdLow);
	CHECK_EQ(16, caches[0].CacheSize);
	CHECK_EQ(10, caches[1].CacheType.Value);
	CHECK_EQ(1, caches[1].SiblingMap[2]);
	CHECK_EQ(0, caches[1].SiblingMap[3]);
	CHECK_EQ(4096, caches[2].CacheSize);
	CHECK_EQ(1, caches[2].SiblingMap[63]);
	CHECK_EQ(0, caches[2].SiblingMap[64]);
	topology_free(topo);
}

TEST(cpu_caches_of_sysfs, "S0.83 S0.84 S0.92 B074: from the CPUs' folders, shared ones once, KiB")
{
	struct topology *topo = take(start("vega10", 1));
	const HsaCacheProperties *caches = topo->nodes[0].caches;

	/* two cores with three caches each, one L3 */
	CHECK_EQ(7, topo->nodes[0].props.NumCaches);
	CHECK_EQ(16, caches[0].ProcessorIdLow);
	CHECK_EQ(1, caches[0].CacheLevel);
	CHECK_EQ(32, caches[0].CacheSize);
	CHECK_EQ(64, caches[0].CacheLineSize);
	CHECK_EQ(8, caches[0].CacheAssociativity);
	CHECK_EQ(1, caches[0].CacheLinesPerTag);
	CHECK_EQ(5, caches[0].CacheType.Value);
	CHECK_EQ(6, caches[1].CacheType.Value);
	CHECK_EQ(7, caches[2].CacheType.Value);
	CHECK_EQ(1, caches[0].SiblingMap[17]);
	CHECK_EQ(0, caches[0].SiblingMap[18]);
	CHECK_EQ(8192, caches[3].CacheSize);
	CHECK_EQ(1, caches[3].SiblingMap[19]);
	CHECK_EQ(18, caches[4].ProcessorIdLow);
	topology_free(topo);
}

TEST(cpu_caches_of_kfd, "S0.91: what the KFD lists wins when it is whole, sysfs otherwise")
{
	const char *root = start("vega10", 1);
	struct topology *topo;

	fixture_write(NODE "/0/properties",
		      "cpu_cores_count 4\nmem_banks_count 1\ncaches_count 1\n"
		      "io_links_count 1\ncpu_core_id_base 16\n");
	fixture_write(NODE "/0/caches/0/properties",
		      "processor_id_low 16\nlevel 3\nsize 4096\ncache_line_size 64\n"
		      "type 7\nsibling_map 1,1\n");
	topo = take(root);
	CHECK_EQ(1, topo->nodes[0].props.NumCaches);
	CHECK_EQ(4096, topo->nodes[0].caches[0].CacheSize);
	topology_free(topo);

	fixture_remove(NODE "/0/caches/0");
	topo = take(root);
	CHECK_EQ(7, topo->nodes[0].props.NumCaches);
	topology_free(topo);
}

static void write_cpu(unsigned int cpu, const char *shared)
{
	static const char dir[] = "sys/devices/system/node/node0";
	char path[256];

	snprintf(path, sizeof(path), "%s/cpu%u/cache/index0/level", dir, cpu);
	fixture_write(path, "2\n");
	snprintf(path, sizeof(path), "%s/cpu%u/cache/index0/type", dir, cpu);
	fixture_write(path, "Unified\n");
	snprintf(path, sizeof(path), "%s/cpu%u/cache/index0/size", dir, cpu);
	fixture_write(path, "1M\n");
	snprintf(path, sizeof(path), "%s/cpu%u/cache/index0/shared_cpu_list", dir, cpu);
	fixture_write(path, shared);
}

TEST(cpu_caches_1_2_64, "S0.92: 1, 2 and 64 CPUs, lists with ranges and gaps")
{
	const char *root = start("vega10", 1);
	struct cpu_table cpus = { 0 };
	HsaCacheProperties *caches;
	unsigned int i;

	fixture_remove("sys/devices/system/node/node0");
	write_cpu(0, "0\n");
	CHECK_EQ(1, cpu_caches_read(root, 0, &cpus, &caches));
	free(caches);
	write_cpu(0, "0-1\n");
	write_cpu(1, "0-1\n");
	CHECK_EQ(1, cpu_caches_read(root, 0, &cpus, &caches));
	CHECK_EQ(1024, caches[0].CacheSize);
	CHECK_EQ(1, caches[0].SiblingMap[1]);
	free(caches);
	for (i = 0; i < 64; i++)
		write_cpu(i, i & 1 ? "1,3,5-63\n" : "0,2,4,6-62\n");
	CHECK_EQ(2, cpu_caches_read(root, 0, &cpus, &caches));
	CHECK_EQ(1, caches[1].ProcessorIdLow);
	CHECK_EQ(0, caches[1].SiblingMap[4]);
	CHECK_EQ(1, caches[1].SiblingMap[63]);
	free(caches);
}

TEST(cpu_caches_missing, "B070 B071: no folder, no NUMA, no size, no node: an empty list, no error")
{
	const char *root = start("vega10", 1);
	struct topology *topo;

	fixture_remove("sys/devices/system/node/node0/cpu0/cache/index0/size");
	fixture_remove("sys/devices/system/node/node0/cpu2/cache");
	topo = take(root);
	CHECK_EQ(3, topo->nodes[0].props.NumCaches);
	topology_free(topo);

	fixture_remove("sys/devices/system/node");
	topo = take(root);
	CHECK_EQ(0, topo->nodes[0].props.NumCaches);
	CHECK(!topo->nodes[0].caches);
	topology_free(topo);

	fixture_write("sys/devices/system/cpu/cpu0/cache/index0/size", "32K\n");
	fixture_write("sys/devices/system/cpu/cpu0/cache/index0/level", "1\n");
	fixture_write("sys/devices/system/cpu/cpu0/cache/index0/type", "Data\n");
	fixture_write("sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list", "0\n");
	topo = take(root);
	CHECK_EQ(1, topo->nodes[0].props.NumCaches);
	topology_free(topo);

	fixture_remove("proc/cpuinfo");
	topo = take(root);
	CHECK_EQ(0, topo->nodes[0].props.AMDName[0]);
	topology_free(topo);
}

TEST(links, "links both ways; node_to is the user's number")
{
	struct topology *topo = take(start("two_gpus", 2));
	uint32_t cpu;

	CHECK_EQ(3, topo->system.NumNodes);
	CHECK_EQ(2, topo->nodes[0].props.NumIOLinks);
	CHECK_EQ(1, topo->nodes[2].props.NumIOLinks);
	CHECK_EQ(2, topo->nodes[0].links[1].NodeTo);
	CHECK_EQ(20, topo->nodes[0].links[1].Weight);
	CHECK_EQ(HSA_IOLINKTYPE_PCIEXPRESS, topo->nodes[2].links[0].IoLinkType);
	CHECK(topology_cpu_near(topo, 2, &cpu) && cpu == 0);
	CHECK(!topology_cpu_near(topo, 7, &cpu));
	topology_free(topo);
}

TEST(hidden_node, "B076: without its render node a GPU and the links to it are left out")
{
	const char *root = start("two_gpus", 2);
	struct topology *topo;

	fixture_remove("dev/dri/renderD128");
	topo = take(root);
	CHECK_EQ(2, topo->system.NumNodes);
	CHECK_EQ(3, topo->sysfs_nodes);
	CHECK_EQ(FAKE_GPU_1, topo->nodes[1].gpu_id);
	CHECK_EQ(1, topo->nodes[0].props.NumIOLinks);
	CHECK_EQ(1, topo->nodes[0].links[0].NodeTo);
	topology_free(topo);
}

TEST(stray_entry, "a file among the nodes is passed over")
{
	const char *root = start("vega10", 1);
	struct topology *topo;

	fixture_write(NODE "/power", "x\n");
	topo = take(root);
	CHECK_EQ(2, topo->system.NumNodes);
	topology_free(topo);
}

TEST(broken_trees, "missing files, a foreign node_from and wild counts are errors, nothing leaks")
{
	static const struct {
		const char *path;
		const char *text;
	} rows[] = {
		{ TOPO "/generation_id", NULL },
		{ TOPO "/generation_id", "many\n" },
		{ TOPO "/system_properties", NULL },
		{ NODE "/1/gpu_id", NULL },
		{ NODE "/1/gpu_id", "x\n" },
		{ NODE "/1/properties", NULL },
		{ NODE "/1/properties", "" },
		{ NODE "/1/properties", "mem_banks_count 4294967295\ndrm_render_minor 128\n" },
		{ NODE "/1/properties", "io_links_count 4294967295\ndrm_render_minor 128\n" },
		{ NODE "/1/properties", "drm_render_minor 300\n" },
		{ NODE "/1/mem_banks/0/properties", NULL },
		{ NODE "/1/caches/2/properties", NULL },
		{ NODE "/1/io_links/0/properties", NULL },
		{ NODE "/1/io_links/0/properties", "node_from 0\nnode_to 0\n" },
		{ NODE "/1/io_links/0/properties", "type 2\n" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *root = start("vega10", 1);
		struct topology *topo = NULL;

		if (rows[i].text)
			fixture_write(rows[i].path, rows[i].text);
		else
			fixture_remove(rows[i].path);
		if (!topology_take(root, &topo)) {
			printf("# row %u was taken\n", i);
			CHECK(false);
		}
		fixture_remove("");
	}
}

TEST(names_in_any_order, "unknown names, rubbish lines and a missing newline do no harm")
{
	HsaMemoryProperties bank = { 0 };

	bank_props_parse("new_thing 7\n\n\tx\nflags\nsize_in_bytes 12345678901 tail\nwidth x\n"
			 "heap_type 1", &bank);
	CHECK_EQ(1, bank.HeapType);
	CHECK_EQ(12345678901ULL, bank.SizeInBytes);
	CHECK_EQ(0, bank.Width);
}

TEST(sibling_map_bounds, "a map of more entries than the array has is cut")
{
	HsaCacheProperties cache = { 0 };
	char text[4096] = "level 1\nsibling_map ";
	int i;

	for (i = 0; i < 1000; i++)
		strcat(text, "1,");
	cache_props_parse(text, &cache);
	CHECK_EQ(1, cache.SiblingMap[HSA_CPU_SIBLINGS - 1]);
	memset(&cache, 0, sizeof(cache));
	cache_props_parse("sibling_map 1,0,x", &cache);
	CHECK_EQ(1, cache.SiblingMap[0]);
	CHECK_EQ(0, cache.SiblingMap[2]);
}

TEST(gfx_override, "HSA_OVERRIDE_GFX_VERSION wins; a bad one is refused")
{
	HsaNodeProperties props = { 0 };

	setenv("HSA_OVERRIDE_GFX_VERSION", "9.0.10", 1);
	CHECK_EQ(0, node_props_apply_gfx(&props, 90000));
	CHECK_EQ(10, props.EngineId.ui32.Stepping);
	CHECK_EQ(0x80000, props.VGPRSizePerCU);
	setenv("HSA_OVERRIDE_GFX_VERSION", "9.0", 1);
	CHECK_EQ(-EINVAL, node_props_apply_gfx(&props, 90000));
	setenv("HSA_OVERRIDE_GFX_VERSION", "9.0.0x", 1);
	CHECK_EQ(-EINVAL, node_props_apply_gfx(&props, 90000));
}

TEST(file_limits, "a file longer than the buffer is an error, not a cut value")
{
	const char *root = start("vega10", 1);
	char path[512];
	char text[8];
	uint32_t kib = 1;
	uint64_t value = 1;

	fixture_write("x", "12345678");
	snprintf(path, sizeof(path), "%s/x", root);
	CHECK_EQ(-EFBIG, sysfs_read_text(path, text, sizeof(text)));
	fixture_write("x", "99999999999999999999999\n");
	CHECK_EQ(-ERANGE, sysfs_read_u64(path, &value));
	CHECK_EQ(1, value);
	fixture_write("x", "48K\n");
	CHECK_EQ(0, sysfs_read_size_kib(path, &kib));
	CHECK_EQ(48, kib);
	fixture_write("x", "4194304G\n");
	CHECK_EQ(-ERANGE, sysfs_read_size_kib(path, &kib));
	fixture_write("x", "K\n");
	CHECK_EQ(-EINVAL, sysfs_read_size_kib(path, &kib));
}

static void check_extra_banks(void)
{
	HsaNodeProperties props;
	HsaMemoryProperties banks[8];

	CHECK_EQ(0, hsaKmtGetNodeProperties(1, &props));
	CHECK_EQ(5, props.NumMemoryBanks);
	CHECK_EQ(0, hsaKmtGetNodeMemoryProperties(1, 8, banks));
	CHECK_EQ(HSA_HEAPTYPE_FRAME_BUFFER_PUBLIC, banks[0].HeapType);
	CHECK_EQ(16ULL << 30, banks[0].SizeInBytes);
	CHECK_EQ(HSA_HEAPTYPE_GPU_LDS, banks[1].HeapType);
	CHECK_EQ(65536, banks[1].SizeInBytes);
	CHECK_EQ(1ULL << 48, banks[1].VirtualBaseAddress);
	CHECK_EQ(HSA_HEAPTYPE_GPU_SCRATCH, banks[2].HeapType);
	CHECK_EQ(4ULL << 30, banks[2].SizeInBytes);
	CHECK_EQ(HSA_HEAPTYPE_DEVICE_SVM, banks[3].HeapType);
	CHECK_EQ(0x200000, banks[3].VirtualBaseAddress);
	CHECK_EQ(HSA_HEAPTYPE_MMIO_REMAP, banks[4].HeapType);
	CHECK_EQ(0x1000, banks[4].SizeInBytes);
	CHECK_EQ(0, banks[5].SizeInBytes);
	CHECK_EQ(0, hsaKmtGetNodeMemoryProperties(1, 2, banks));
}

TEST(queries, "the calls: banks of the process behind those of sysfs, counts, bad arguments")
{
	HsaSystemProperties system;
	HsaNodeProperties props;
	HsaCacheProperties caches[8];
	HsaIoLinkProperties link;

	start("vega10", 1);
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(HSAKMT_STATUS_INVALID_NODE_UNIT, hsaKmtGetNodeProperties(0, &props));
	CHECK_EQ(0, hsaKmtAcquireSystemProperties(&system));
	CHECK_EQ(2, system.NumNodes);
	check_extra_banks();
	CHECK_EQ(0, hsaKmtGetNodeProperties(0, &props));
	CHECK_EQ(1, props.NumMemoryBanks);
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtGetNodeProperties(2, &props));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtGetNodeProperties(0, NULL));
	CHECK_EQ(0, hsaKmtGetNodeCacheProperties(0, 0, 7, caches));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtGetNodeCacheProperties(0, 0, 8, caches));
	CHECK_EQ(0, hsaKmtGetNodeIoLinkProperties(1, 1, &link));
	CHECK_EQ(1, link.NodeFrom);
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtGetNodeIoLinkProperties(1, 2, &link));
	CHECK_EQ(0, hsaKmtReleaseSystemProperties());
	CHECK_EQ(HSAKMT_STATUS_INVALID_NODE_UNIT, hsaKmtGetNodeProperties(1, &props));
	CHECK_EQ(0, hsaKmtCloseKFD());
	CHECK_EQ(0, fake.bos);
}

static unsigned int acquire(void)
{
	HsaSystemProperties system;

	CHECK_EQ(0, hsaKmtAcquireSystemProperties(&system));
	return system.NumNodes;
}

TEST(same_generation, "S0.86: the picture is kept while the generation stays, no longer")
{
	HsaNodeProperties props;

	start("two_gpus", 2);
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(3, acquire());
	/* a change without a new number is not looked for ... */
	fixture_write(NODE "/1/properties", "simd_count 8\nsimd_per_cu 4\ndrm_render_minor 128\n");
	CHECK_EQ(3, acquire());
	CHECK_EQ(0, hsaKmtGetNodeProperties(1, &props));
	CHECK_EQ(256, props.NumFComputeCores);
	/* ... one with a new number is */
	fixture_write(TOPO "/generation_id", "3\n");
	CHECK_EQ(3, acquire());
	CHECK_EQ(0, hsaKmtGetNodeProperties(1, &props));
	CHECK_EQ(8, props.NumFComputeCores);
	/* after a release the next picture is a new one */
	CHECK_EQ(0, hsaKmtReleaseSystemProperties());
	fixture_write(NODE "/1/properties", "simd_count 16\nsimd_per_cu 4\ndrm_render_minor 128\n");
	CHECK_EQ(3, acquire());
	CHECK_EQ(0, hsaKmtGetNodeProperties(1, &props));
	CHECK_EQ(16, props.NumFComputeCores);
	/* a generation that cannot be read is an error, the last picture stays */
	fixture_remove(TOPO "/generation_id");
	CHECK_EQ(HSAKMT_STATUS_ERROR, hsaKmtAcquireSystemProperties(&(HsaSystemProperties){ 0 }));
	CHECK_EQ(0, hsaKmtGetNodeProperties(1, &props));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

static void move_generation(const char *path)
{
	static unsigned int number = 100;
	char text[16];

	(void)path;
	snprintf(text, sizeof(text), "%u\n", number++);
	fixture_write(TOPO "/generation_id", text);
}

TEST(restless_topology, "a generation that moves at each look: given up after some tries")
{
	const char *root = start("vega10", 1);
	struct topology *topo = NULL;

	before_open("generation_id", move_generation);
	CHECK_EQ(-EBUSY, topology_take(root, &topo));
	CHECK(!topo);
	before_open(NULL, NULL);
	topology_free(take(root));
}

static void move_twice(const char *path)
{
	static int left = 3;

	if (left && left--)
		move_generation(path);
}

TEST(moved_generation, "a generation that moves while the picture is taken: taken again, whole")
{
	const char *root = start("vega10", 1);
	struct topology *topo;

	/* before the first look, in the first picture, in the second one */
	before_open("generation_id", move_twice);
	topo = take(root);
	CHECK_EQ(102, topo->generation);
	CHECK_EQ(2, topo->system.NumNodes);
	topology_free(topo);
}

#define PATHS	512

static char *opened[PATHS];
static unsigned int opened_count;

static void note_path(const char *path)
{
	CHECK(opened_count < PATHS);
	opened[opened_count++] = strdup(path);
}

TEST(each_file_once, "a picture opens no file twice, but the generation's number")
{
	const char *root = start("two_gpus", 2);
	unsigned int generations = 0;
	struct topology *topo;
	unsigned int i, j;

	before_open("", note_path);
	topo = take(root);
	before_open(NULL, NULL);
	topology_free(topo);
	for (i = 0; i < opened_count; i++) {
		if (strstr(opened[i], "generation_id")) {
			generations++;
			continue;
		}
		for (j = 0; j < i; j++)
			if (!strcmp(opened[i], opened[j]))
				printf("# twice: %s\n", opened[i]);
		for (j = 0; j < i; j++)
			CHECK(strcmp(opened[i], opened[j]));
	}
	CHECK_EQ(2, generations);
	CHECK(opened_count > 30);
	for (i = 0; i < opened_count; i++)
		free(opened[i]);
}

TEST(gpu_goes, "a GPU that is gone from a new picture: its node number is not valid any more")
{
	HsaSystemProperties system;
	HsaMemFlags vram = { .ui32 = { .NonPaged = 1 } };
	void *p;

	start("two_gpus", 2);
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(0, hsaKmtAcquireSystemProperties(&system));
	CHECK_EQ(0, hsaKmtAllocMemory(2, 4096, vram, &p));
	CHECK_EQ(0, hsaKmtMapMemoryToGPU(p, 4096, NULL));
	fixture_remove(NODE "/2");
	fixture_remove(NODE "/0/io_links/1");
	fixture_write(NODE "/0/properties",
		      "cpu_cores_count 4\nmem_banks_count 1\nio_links_count 1\n");
	fixture_write(TOPO "/generation_id", "3\n");
	CHECK_EQ(0, hsaKmtAcquireSystemProperties(&system));
	CHECK_EQ(2, system.NumNodes);
	CHECK_EQ(HSAKMT_STATUS_INVALID_NODE_UNIT, hsaKmtAllocMemory(2, 4096, vram, &p));
	CHECK_EQ(0, hsaKmtFreeMemory(p, 4096));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(forbidden_files, "B076: EPERM on a node's files hides it, on a link's the link")
{
	const char *root = start("two_gpus", 2);
	struct topology *topo;

	fail_open("nodes/1/gpu_id", EPERM);
	topo = take(root);
	CHECK_EQ(2, topo->system.NumNodes);
	CHECK_EQ(FAKE_GPU_1, topo->nodes[1].gpu_id);
	CHECK_EQ(1, topo->nodes[0].props.NumIOLinks);
	topology_free(topo);
	fail_open("nodes/2/properties", EPERM);
	topo = take(root);
	CHECK_EQ(2, topo->system.NumNodes);
	CHECK_EQ(FAKE_GPU_0, topo->nodes[1].gpu_id);
	topology_free(topo);
	fail_open("nodes/0/io_links/1/properties", EPERM);
	topo = take(root);
	CHECK_EQ(3, topo->system.NumNodes);
	CHECK_EQ(1, topo->nodes[0].props.NumIOLinks);
	topology_free(topo);
	fail_open("nodes/1/gpu_id", EACCES);
	CHECK_EQ(-EACCES, topology_take(root, &topo));
	fail_open("nodes/1/mem_banks/0/properties", EPERM);
	CHECK_EQ(-EPERM, topology_take(root, &topo));
	fail_open("proc/cpuinfo", EACCES);
	topo = take(root);
	CHECK_EQ(0, topo->nodes[0].props.AMDName[0]);
	topology_free(topo);
	fail_open(NULL, 0);
}

TEST(odd_links, "B076: links to nowhere, nodes without a name, folders in place of files")
{
	const char *root = start("two_gpus", 2);
	struct topology *topo;
	char path[512];

	/* a link to a node that is not there is left out */
	fixture_write(NODE "/0/io_links/1/properties", "type 2\nnode_from 0\nnode_to 77\n");
	topo = take(root);
	CHECK_EQ(1, topo->nodes[0].props.NumIOLinks);
	topology_free(topo);
	/* no name file: the name is made of the graphics version */
	fixture_remove(NODE "/1/name");
	topo = take(root);
	CHECK(!strcmp((const char *)topo->nodes[1].props.AMDName, "GFX090000"));
	topology_free(topo);
	/* a folder in place of a file reads as an error */
	fixture_remove(NODE "/0/io_links/1/properties");
	snprintf(path, sizeof(path), "%s/" NODE "/0/io_links/1/properties", root);
	CHECK(!mkdir(path, 0755));
	CHECK(topology_take(root, &topo));
}

TEST(cpuinfo_parse, "processors in any order, without APIC ids or names; colons; many")
{
	struct cpu_table table;
	char *text = malloc(200 * 64);
	size_t at = 0;
	int i;

	CHECK_EQ(0, cpu_table_parse(&table,
				    "junk\nmodel name\t: nobody's\nprocessor\t: 9\napicid : 18\n"
				    "model name\t: A: B\n\nprocessor: 2\napicidx: 5\n"));
	CHECK_EQ(2, table.count);
	CHECK_EQ(2, table.entries[0].processor);
	CHECK_EQ(2, table.entries[0].apicid);
	CHECK(!strcmp(table.entries[1].model, "A: B"));
	CHECK_EQ(18, cpu_table_by_processor(&table, 9)->apicid);
	CHECK(!cpu_table_by_processor(&table, 3));
	CHECK(cpu_table_by_apicid(&table, 18));
	CHECK(!cpu_table_by_apicid(&table, 19));
	cpu_table_free(&table);
	CHECK(!cpu_table_by_processor(&table, 2));
	for (i = 199; i >= 0; i--)
		at += (size_t)sprintf(text + at, "processor : %d\napicid : %d\n", i, 2 * i);
	CHECK_EQ(0, cpu_table_parse(&table, text));
	for (i = 0; i < 200; i++)
		CHECK_EQ(2 * i, cpu_table_by_processor(&table, (uint32_t)i)->apicid);
	cpu_table_free(&table);
	free(text);
}

TEST(cpuinfo_limits, "more processors or bytes than any machine has are not taken in")
{
	const char *root = start("vega10", 1);
	struct cpu_table table;
	char path[512];
	char *text;
	size_t at = 0;
	int i;

	text = malloc(32770 * 24);
	CHECK(text);
	for (i = 0; i < 32769; i++)
		at += (size_t)sprintf(text + at, "processor : %d\n", i);
	CHECK_EQ(-EFBIG, cpu_table_parse(&table, text));
	CHECK_EQ(0, table.count);
	fixture_write("x", text);
	snprintf(path, sizeof(path), "%s/x", root);
	free(text);
	CHECK_EQ(-EFBIG, sysfs_read_whole(path, 0x10000, &text));
	CHECK_EQ(0, sysfs_read_whole(path, 64 << 20, &text));
	CHECK_EQ(at, strlen(text));
	free(text);
	CHECK_EQ(-EISDIR, sysfs_read_whole(root, 64 << 20, &text));
	snprintf(path, sizeof(path), "%s/none", root);
	CHECK_EQ(-ENOENT, sysfs_read_whole(path, 64 << 20, &text));
}

TEST(cpu_lists, "shared_cpu_list that is broken, wild or not sorted: the entry is left out")
{
	static const struct {
		const char *list;
		int count;
	} rows[] = {
		{ "0\n", 1 }, { "0-3\n", 1 }, { "0,7\n", 1 }, { "1,0\n", 0 }, { "x\n", 0 },
		{ "\n", 0 }, { "0-99999999\n", 0 }, { "0,5-2\n", 0 }, { "0,\n", 1 },
		{ "0-32767,0-32767\n", 0 },
	};
	const char *root = start("vega10", 1);
	struct cpu_table cpus = { 0 };
	HsaCacheProperties *caches;
	unsigned int i;

	fixture_remove("sys/devices/system/node/node0");
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		write_cpu(0, rows[i].list);
		CHECK_EQ(rows[i].count, cpu_caches_read(root, 0, &cpus, &caches));
		free(caches);
	}
	/* no level, no type, level 0 */
	write_cpu(0, "0\n");
	fixture_write("sys/devices/system/node/node0/cpu0/cache/index0/level", "0\n");
	CHECK_EQ(0, cpu_caches_read(root, 0, &cpus, &caches));
	fixture_remove("sys/devices/system/node/node0/cpu0/cache/index0/type");
	CHECK_EQ(0, cpu_caches_read(root, 0, &cpus, &caches));
}

TEST(size_units, "sizes in K, M, G and bytes")
{
	static const struct {
		const char *text;
		uint32_t kib;
	} rows[] = {
		{ "48K", 48 }, { "1M", 1024 }, { "2G\n", 2 << 20 }, { "4096", 4 }, { "1", 0 },
	};
	const char *root = start("vega10", 1);
	char path[512];
	unsigned int i;
	uint32_t kib;

	snprintf(path, sizeof(path), "%s/x", root);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		fixture_write("x", rows[i].text);
		CHECK_EQ(0, sysfs_read_size_kib(path, &kib));
		CHECK_EQ(rows[i].kib, kib);
	}
}

TEST(folder_lists, "numbers of a folder's entries: sorted, strangers passed over, bounded names")
{
	const char *root = start("vega10", 1);
	char path[512], longer[SYSFS_PATH_SIZE];
	uint32_t *ids;

	fixture_write("d/x10/f", "");
	fixture_write("d/x9/f", "");
	fixture_write("d/x/f", "");
	fixture_write("d/x9y/f", "");
	fixture_write("d/y3/f", "");
	fixture_write("d/x4294967296/f", "");
	fixture_write("d/x99999999999999999999/f", "");
	snprintf(path, sizeof(path), "%s/d", root);
	CHECK_EQ(2, sysfs_list(path, "x", &ids));
	CHECK(ids[0] == 9 && ids[1] == 10);
	free(ids);
	snprintf(path, sizeof(path), "%s/none", root);
	CHECK_EQ(-ENOENT, sysfs_list(path, "x", &ids));
	memset(path, 'a', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	CHECK_EQ(-ENAMETOOLONG, sysfs_path(longer, "%s/b", path));
}
