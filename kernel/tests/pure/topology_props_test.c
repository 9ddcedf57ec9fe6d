// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: test of the property formatter
 *
 * Text of each record kind as kfd_topology.c of Linux 6.1 prints it: S0.81, S0.82,
 * S0.86, S0.90, B071, B077.
 */
/* pure: kernel/topology/topology_props.c */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/topology/topology_props.h"
#include "pure_test.h"

#define PAGE	4096

static char buf[PAGE];

static bool text_is(enum topology_kind kind, const void *record, const char *want)
{
	int n = topology_props_format(kind, record, buf, sizeof(buf));

	if (n != (int)strlen(want) || strcmp(buf, want)) {
		printf("# %d bytes:\n# %s", n, buf);
		return false;
	}
	return true;
}

static void test_system(void)
{
	const struct topology_system_props p = { 1, 0x434f42ULL, ~0ULL };

	pure_ok(text_is(TOPOLOGY_KIND_SYSTEM, &p,
			"platform_oem 1\nplatform_id 4411202\n"
			"platform_rev 18446744073709551615\n"), "system_properties");
}

static void test_mem(void)
{
	const struct topology_mem_props p = { 1, 17163091968ULL, 0, 2048, 945 };

	pure_ok(text_is(TOPOLOGY_KIND_MEM, &p,
			"heap_type 1\nsize_in_bytes 17163091968\nflags 0\nwidth 2048\n"
			"mem_clk_max 945\n"), "memory bank");
}

static void test_link(void)
{
	const struct topology_link_props p = {
		2, 0, 0, 1, 0, 20, 0, 0, 312, 10000, 0, 13,
	};

	pure_ok(text_is(TOPOLOGY_KIND_LINK, &p,
			"type 2\nversion_major 0\nversion_minor 0\nnode_from 1\nnode_to 0\n"
			"weight 20\nmin_latency 0\nmax_latency 0\nmin_bandwidth 312\n"
			"max_bandwidth 10000\nrecommended_transfer_size 0\nflags 13\n"), "link");
}

static void test_cache(void)
{
	struct topology_cache_props p = {
		.processor_id_low = 0x80001000, .level = 1, .size = 16, .type = 9,
		.sibling_bytes = 4, .sibling = { 0x05, 0, 0, 0x80 },
	};

	pure_ok(text_is(TOPOLOGY_KIND_CACHE, &p,
			"processor_id_low 2147487744\nlevel 1\nsize 16\ncache_line_size 0\n"
			"cache_lines_per_tag 0\nassociation 0\nlatency 0\ntype 9\n"
			"sibling_map 1,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
			"0,0,0,0,0,0,0,1\n"), "S0.86 S0.90 cache");
	p.sibling_bytes = 0;
	pure_ok(topology_props_format(TOPOLOGY_KIND_CACHE, &p, buf, PAGE) == -EINVAL,
		"a cache without a sibling map");
	p.sibling_bytes = TOPOLOGY_SIBLING_BYTES;
	memset(p.sibling, 0xff, sizeof(p.sibling));
	pure_ok(topology_props_format(TOPOLOGY_KIND_CACHE, &p, buf, PAGE) > 1024,
		"the longest sibling map fits a page");
	p.sibling_bytes = TOPOLOGY_SIBLING_BYTES + 1;
	pure_ok(topology_props_format(TOPOLOGY_KIND_CACHE, &p, buf, PAGE) == -EINVAL,
		"a sibling map that is too long");
}

static const char * const node_lines[] = {
	"cpu_cores_count", "simd_count", "mem_banks_count", "caches_count", "io_links_count",
	"p2p_links_count", "cpu_core_id_base", "simd_id_base", "max_waves_per_simd",
	"lds_size_in_kb", "gds_size_in_kb", "num_gws", "wave_front_size", "array_count",
	"simd_arrays_per_engine", "cu_per_simd_array", "simd_per_cu", "max_slots_scratch_cu",
	"gfx_target_version", "vendor_id", "device_id", "location_id", "domain",
	"drm_render_minor", "hive_id", "num_sdma_engines", "num_sdma_xgmi_engines",
	"num_sdma_queues_per_engine", "num_cp_queues", "max_engine_clk_fcompute",
	"local_mem_size", "fw_version", "capability", "sdma_fw_version", "unique_id",
	"max_engine_clk_ccompute",
};

/* First and last of the lines that only GPUs have. */
#define GPU_FIRST	29
#define GPU_LAST	34

/* Every 32-bit word of the record is 7, so that a wrong offset or width shows. */
static void test_node(bool gpu)
{
	struct topology_node_props p;
	unsigned int words = sizeof(p) / 4, i;
	char want[PAGE];
	u32 raw[sizeof(p) / 4];
	size_t at = 0;
	bool wide;

	for (i = 0; i < words; i++)
		raw[i] = 7;
	memcpy(&p, raw, sizeof(p));
	for (i = 0; i < ARRAY_SIZE(node_lines); i++) {
		if (!gpu && i >= GPU_FIRST && i <= GPU_LAST)
			continue;
		wide = !strcmp(node_lines[i], "hive_id") || !strcmp(node_lines[i], "unique_id") ||
		       !strcmp(node_lines[i], "local_mem_size");
		at += snprintf(want + at, sizeof(want) - at, "%s %llu\n", node_lines[i],
			       wide ? 0x700000007ULL : 7ULL);
	}
	pure_ok(text_is(gpu ? TOPOLOGY_KIND_GPU_NODE : TOPOLOGY_KIND_CPU_NODE, &p, want),
		gpu ? "lines of a GPU node" : "lines of a CPU node");
}

static void test_offsets(void)
{
	struct topology_node_props p;
	bool ok;

	memset(&p, 0, sizeof(p));
	p.simd_count = 256;
	p.gfx_target_version = 90000;
	p.capability = 0x2280;
	p.max_engine_clk_ccompute = 1234;
	topology_props_format(TOPOLOGY_KIND_GPU_NODE, &p, buf, PAGE);
	ok = strstr(buf, "\nsimd_count 256\n") && strstr(buf, "\ngfx_target_version 90000\n") &&
	     strstr(buf, "\ncapability 8832\n") &&
	     strstr(buf, "\nmax_engine_clk_ccompute 1234\n");
	pure_ok(ok, "names and values belong together");
}

/* Every size from 0 up: never past the end, an error until it fits. */
static void test_bounds(void)
{
	struct topology_cache_props p = { .sibling_bytes = 16 };
	int full = topology_props_format(TOPOLOGY_KIND_CACHE, &p, buf, PAGE), n;
	bool ok = full > 0;
	char small[1024];
	int size;

	for (size = 0; size <= full + 1; size++) {
		memset(small, 0x55, sizeof(small));
		n = topology_props_format(TOPOLOGY_KIND_CACHE, &p, small, size);
		ok &= n == (size > full ? full : -ENOSPC);
		ok &= small[size] == 0x55;
	}
	pure_ok(ok, "a buffer of every size up to the text's");
	pure_ok(topology_props_format(17, &p, buf, PAGE) == -EINVAL, "an unknown kind");
}

int main(void)
{
	test_system();
	test_mem();
	test_link();
	test_cache();
	test_node(true);
	test_node(false);
	test_offsets();
	test_bounds();
	return pure_done();
}
