// SPDX-License-Identifier: MIT
/* DOC: a picture of the topology; topology.h has the words. */
#include "topology.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_info.h"
#include "marketing_name.h"
#include "node_props.h"
#include "sysfs_reader.h"
#include "thunk_gpu.h"
#include "thunk_log.h"

#define TOPOLOGY_DIR	"sys/devices/virtual/kfd/kfd/topology"

/* A topology that changes at each of so many looks is not worth a further one. */
#define TAKE_RETRIES	16

/* More records of a kind in one node are a broken tree. */
#define RECORD_LIMIT	65536

/* A link up to this weight has no node between its ends. */
#define DIRECT_WEIGHT	20

/**
 * struct reader - what reading one picture needs
 * @root: prefix of /sys and /proc
 * @text: buffer of SYSFS_TEXT_SIZE for the file at hand
 * @cpus: /proc/cpuinfo, empty where only nodes are listed
 */
struct reader {
	const char *root;
	char *text;
	struct cpu_table cpus;
};

static int reader_init(struct reader *reader, const char *root)
{
	reader->root = root;
	reader->text = malloc(SYSFS_TEXT_SIZE);
	return reader->text ? 0 : -ENOMEM;
}

static int reader_take_cpus(struct reader *reader)
{
	char path[SYSFS_PATH_SIZE];
	int err = sysfs_path(path, "%s/proc/cpuinfo", reader->root);

	return err ? err : cpu_table_read(&reader->cpus, path);
}

static void reader_fini(struct reader *reader)
{
	cpu_table_free(&reader->cpus);
	free(reader->text);
}

void topology_free(struct topology *topo)
{
	uint32_t i;

	if (!topo)
		return;
	for (i = 0; topo->nodes && i < topo->system.NumNodes; i++) {
		free(topo->nodes[i].banks);
		free(topo->nodes[i].caches);
		free(topo->nodes[i].links);
	}
	free(topo->nodes);
	free(topo);
}

/* ---- nodes ------------------------------------------------------------ */

static int read_node_file(struct reader *reader, uint32_t sysfs_id, const char *name)
{
	char path[SYSFS_PATH_SIZE];
	int err = sysfs_path(path, "%s/" TOPOLOGY_DIR "/nodes/%u/%s", reader->root, sysfs_id, name);
	int len;

	if (err)
		return err;
	len = sysfs_read_text(path, reader->text, SYSFS_TEXT_SIZE);
	if (len < 0)
		return len;
	return len ? 0 : -ENODATA;
}

static int read_record(struct reader *reader, uint32_t sysfs_id, const char *kind, uint32_t index)
{
	char name[64];

	snprintf(name, sizeof(name), "%s/%u/properties", kind, index);
	return read_node_file(reader, sysfs_id, name);
}

static int read_gpu_id(struct reader *reader, struct topo_node *node)
{
	int err = read_node_file(reader, node->sysfs_id, "gpu_id");

	if (err)
		return err;
	if (!isdigit((unsigned char)reader->text[0]))
		return -EINVAL;
	node->gpu_id = (uint32_t)strtoul(reader->text, NULL, 10);
	return 0;
}

static int read_node_props(struct reader *reader, struct topo_node *node)
{
	struct node_links links = { 0 };
	int err = read_node_file(reader, node->sysfs_id, "properties");

	if (err)
		return err;
	node_props_parse(reader->text, &node->props, &links);
	node->link_counts.io = links.io;
	node->link_counts.p2p = links.p2p;
	if (!node->props.NumFComputeCores)
		return 0;
	return node_props_apply_gfx(&node->props, node_props_gfx_version(reader->text));
}

/* Return: 0, 1 for a node that this process may not use, or a negative errno. */
static int read_node(struct reader *reader, struct topo_node *node)
{
	int err = read_gpu_id(reader, node);
	int fd;

	if (!err)
		err = read_node_props(reader, node);
	if (err == -EPERM) {
		thunk_warn("topology node %u: a GPU that the device cgroup hides",
			   node->sysfs_id);
		return 1;
	}
	if (err || !node->gpu_id)
		return err;
	fd = thunk_render_open(node->props.DrmRenderMinor);
	if (fd >= 0)
		return 0;
	if (fd != -EPERM && fd != -ENOENT)
		return fd;
	thunk_warn("topology node %u: GPU %#x is left out without its render node",
		   node->sysfs_id, node->gpu_id);
	return 1;
}

static int read_nodes(struct reader *reader, struct topology *topo, const uint32_t *ids)
{
	uint32_t i;

	topo->nodes = calloc(topo->sysfs_nodes ? topo->sysfs_nodes : 1, sizeof(*topo->nodes));
	if (!topo->nodes)
		return -ENOMEM;
	for (i = 0; i < topo->sysfs_nodes; i++) {
		struct topo_node *node = &topo->nodes[topo->system.NumNodes];
		int ret;

		memset(node, 0, sizeof(*node));
		node->sysfs_id = ids[i];
		ret = read_node(reader, node);
		if (ret < 0)
			return ret;
		if (!ret)
			topo->system.NumNodes++;
	}
	return 0;
}

static int read_system(struct reader *reader, struct topology *topo)
{
	char path[SYSFS_PATH_SIZE];
	uint32_t *ids = NULL;
	int err = sysfs_path(path, "%s/" TOPOLOGY_DIR "/system_properties", reader->root);
	int count;

	if (err)
		return err;
	count = sysfs_read_text(path, reader->text, SYSFS_TEXT_SIZE);
	if (count < 0)
		return count;
	system_props_parse(reader->text, &topo->system);
	err = sysfs_path(path, "%s/" TOPOLOGY_DIR "/nodes", reader->root);
	if (err)
		return err;
	count = sysfs_list(path, "", &ids);
	if (count < 0)
		return count;
	topo->sysfs_nodes = (uint32_t)count;
	err = read_nodes(reader, topo, ids);
	free(ids);
	return err;
}

/* ---- names ------------------------------------------------------------ */

static void set_marketing_name(HsaNodeProperties *props, const char *name)
{
	unsigned int i;

	for (i = 0; name[i] && i < HSA_PUBLIC_NAME_SIZE - 1; i++)
		props->MarketingName[i] = (unsigned char)name[i];
	props->MarketingName[i] = 0;
}

static void name_cpu_node(struct reader *reader, struct topo_node *node)
{
	const struct cpu_entry *cpu = cpu_table_by_apicid(&reader->cpus, node->props.CComputeIdLo);

	if (!cpu)
		return;
	if (!node->props.DeviceId)
		snprintf((char *)node->props.AMDName, sizeof(node->props.AMDName), "%s",
			 cpu->model);
	set_marketing_name(&node->props, cpu->model);
}

/* The driver writes the chip's name in small letters; runtimes show it. */
static void name_gpu_node(struct reader *reader, struct topo_node *node)
{
	char *name = reader->text;
	HSA_ENGINE_ID id = node->props.EngineId;
	char market[HSA_PUBLIC_NAME_SIZE];

	if (read_node_file(reader, node->sysfs_id, "name")) {
		snprintf(name, SYSFS_TEXT_SIZE, "GFX%02x%02x%02x", id.ui32.Major, id.ui32.Minor,
			 id.ui32.Stepping);
	} else {
		name[strcspn(name, "\n")] = '\0';
		name[0] = (char)toupper((unsigned char)name[0]);
	}
	snprintf((char *)node->props.AMDName, sizeof(node->props.AMDName), "%.63s", name);
	if (node->props.NumCPUCores)
		return;
	marketing_name(thunk_render_open(node->props.DrmRenderMinor), market, sizeof(market));
	set_marketing_name(&node->props, market);
}

/* ---- banks, caches, links --------------------------------------------- */

static int alloc_records(void **records, uint32_t count, size_t size)
{
	if (!count)
		return 0;
	if (count > RECORD_LIMIT)
		return -EFBIG;
	*records = calloc(count, size);
	return *records ? 0 : -ENOMEM;
}

static int read_banks(struct reader *reader, struct topo_node *node)
{
	uint32_t count = node->props.NumMemoryBanks;
	uint32_t i;
	int err = alloc_records((void **)&node->banks, count, sizeof(*node->banks));

	for (i = 0; !err && i < count; i++) {
		err = read_record(reader, node->sysfs_id, "mem_banks", i);
		if (!err)
			bank_props_parse(reader->text, &node->banks[i]);
	}
	return err;
}

static int read_kfd_caches(struct reader *reader, struct topo_node *node)
{
	uint32_t count = node->props.NumCaches;
	uint32_t i;
	int err = alloc_records((void **)&node->caches, count, sizeof(*node->caches));

	for (i = 0; !err && i < count; i++) {
		err = read_record(reader, node->sysfs_id, "caches", i);
		if (!err)
			cache_props_parse(reader->text, &node->caches[i]);
	}
	return err;
}

/* What the KFD lists is used when it is whole; a CPU node can fall back on sysfs. */
static int read_caches(struct reader *reader, struct topo_node *node)
{
	int err = read_kfd_caches(reader, node);
	int count;

	if (node->gpu_id || err == -ENOMEM || (!err && node->props.NumCaches))
		return err;
	free(node->caches);
	node->caches = NULL;
	node->props.NumCaches = 0;
	count = cpu_caches_read(reader->root, node->sysfs_id, &reader->cpus, &node->caches);
	if (count < 0)
		return count;
	node->props.NumCaches = (HSAuint32)count;
	return 0;
}

static bool user_node(const struct topology *topo, uint32_t sysfs_id, uint32_t *node)
{
	uint32_t i;

	for (i = 0; i < topo->system.NumNodes; i++)
		if (topo->nodes[i].sysfs_id == sysfs_id) {
			*node = i;
			return true;
		}
	return false;
}

/* Return: 0, 1 for a link to a hidden node, or a negative errno. */
static int read_link(struct reader *reader, const struct topology *topo, uint32_t from,
		     const char *kind, uint32_t index, HsaIoLinkProperties *link)
{
	const struct topo_node *node = &topo->nodes[from];
	int err = read_record(reader, node->sysfs_id, kind, index);

	if (err == -EPERM)
		return 1;
	if (err)
		return err;
	memset(link, 0, sizeof(*link));
	link->NodeFrom = INVALID_NODEID;
	link_props_parse(reader->text, link);
	if (link->NodeFrom != node->sysfs_id)
		return -ENXIO;
	link->NodeFrom = from;
	return user_node(topo, link->NodeTo, &link->NodeTo) ? 0 : 1;
}

static int read_link_kind(struct reader *reader, const struct topology *topo, uint32_t from,
			  const char *kind, uint32_t announced)
{
	struct topo_node *node = &topo->nodes[from];
	uint32_t i;

	for (i = 0; i < announced; i++) {
		HsaIoLinkProperties *link = &node->links[node->props.NumIOLinks];
		int ret = read_link(reader, topo, from, kind, i, link);

		if (ret < 0)
			return ret;
		if (!ret)
			node->props.NumIOLinks++;
	}
	return 0;
}

static int read_links(struct reader *reader, const struct topology *topo, uint32_t from)
{
	struct topo_node *node = &topo->nodes[from];
	uint32_t io = node->link_counts.io;
	uint32_t p2p = node->link_counts.p2p;
	int err;

	node->props.NumIOLinks = 0;
	if (io > RECORD_LIMIT || p2p > RECORD_LIMIT)
		return -EFBIG;
	err = alloc_records((void **)&node->links, io + p2p, sizeof(*node->links));
	if (!err)
		err = read_link_kind(reader, topo, from, "io_links", io);
	if (!err)
		err = read_link_kind(reader, topo, from, "p2p_links", p2p);
	return err;
}

static int read_details(struct reader *reader, struct topology *topo)
{
	uint32_t i;
	int err = reader_take_cpus(reader);

	if (err)
		return err;
	for (i = 0; i < topo->system.NumNodes; i++) {
		struct topo_node *node = &topo->nodes[i];

		if (node->gpu_id)
			name_gpu_node(reader, node);
		else
			name_cpu_node(reader, node);
		err = read_banks(reader, node);
		if (!err)
			err = read_caches(reader, node);
		if (!err)
			err = read_links(reader, topo, i);
		if (err) {
			thunk_err("topology node %u cannot be read: errno %d", node->sysfs_id,
				  -err);
			return err;
		}
	}
	return 0;
}

/* ---- pictures --------------------------------------------------------- */

static int read_picture(const char *root, bool details, struct topology **out)
{
	struct topology *topo = calloc(1, sizeof(*topo));
	struct reader reader = { 0 };
	int err;

	if (!topo)
		return -ENOMEM;
	err = reader_init(&reader, root);
	if (err)
		goto err_free_topology;
	err = read_system(&reader, topo);
	if (!err && details)
		err = read_details(&reader, topo);
	reader_fini(&reader);
	if (err)
		goto err_free_topology;
	*out = topo;
	return 0;

err_free_topology:
	topology_free(topo);
	return err;
}

int topology_list(const char *root, struct topology **out)
{
	return read_picture(root, false, out);
}

int topology_generation(const char *root, uint64_t *generation)
{
	char path[SYSFS_PATH_SIZE];
	int err = sysfs_path(path, "%s/" TOPOLOGY_DIR "/generation_id", root);

	return err ? err : sysfs_read_u64(path, generation);
}

int topology_take(const char *root, struct topology **out)
{
	uint64_t before, after;
	int try;

	for (try = 0; try < TAKE_RETRIES; try++) {
		struct topology *topo = NULL;
		int err = topology_generation(root, &before);
		int ret;

		if (err)
			return err;
		ret = read_picture(root, true, &topo);
		err = topology_generation(root, &after);
		/* A failure counts only when nothing moved below the reader. */
		if (!err && before == after) {
			if (!ret)
				topo->generation = after;
			*out = topo;
			return ret;
		}
		topology_free(topo);
		if (err)
			return err;
	}
	return -EBUSY;
}

bool topology_node_of_gpu(const struct topology *topo, uint32_t gpu_id, uint32_t *node)
{
	uint32_t i;

	for (i = 0; topo && i < topo->system.NumNodes; i++)
		if (topo->nodes[i].gpu_id == gpu_id) {
			*node = i;
			return true;
		}
	return false;
}

static bool has_memory(const struct topo_node *node)
{
	uint32_t i;

	for (i = 0; i < node->props.NumMemoryBanks; i++)
		if (node->banks && node->banks[i].SizeInBytes)
			return true;
	return false;
}

bool topology_cpu_near(const struct topology *topo, uint32_t gpu_node, uint32_t *cpu_node)
{
	const struct topo_node *gpu;
	uint32_t i;

	if (gpu_node >= topo->system.NumNodes)
		return false;
	gpu = &topo->nodes[gpu_node];
	for (i = 0; gpu->links && i < gpu->props.NumIOLinks; i++) {
		const HsaIoLinkProperties *link = &gpu->links[i];

		if (link->IoLinkType == HSA_IOLINKTYPE_PCIEXPRESS &&
		    link->Weight <= DIRECT_WEIGHT && !topo->nodes[link->NodeTo].gpu_id &&
		    has_memory(&topo->nodes[link->NodeTo])) {
			*cpu_node = link->NodeTo;
			return true;
		}
	}
	return false;
}
