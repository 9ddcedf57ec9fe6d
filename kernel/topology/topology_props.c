// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: tables of the property records and their formatter
 *
 * See topology_props.h.  A node of CPUs shows the fields of a GPU node except
 * those that only a GPU has.  A cache adds its sibling map, a line of ones and
 * zeros.  Pure: compiles in user space.
 */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "topology_props.h"

#define TOPOLOGY_GPU_ONLY	1

/**
 * struct topology_prop - one line of a file
 * @name: what is printed
 * @offset: of the field in its record
 * @width: of the field, bytes
 * @when: 0, or TOPOLOGY_GPU_ONLY
 */
struct topology_prop {
	const char *name;
	u16 offset;
	u8 width;
	u8 when;
};

/**
 * struct topology_table - the lines of a record kind
 * @props: lines in order
 * @count: of them
 * @gpu: those for GPUs are shown
 */
struct topology_table {
	const struct topology_prop *props;
	unsigned int count;
	bool gpu;
};

#define PROP_WHEN(type, prop_name, field, condition)				\
	{									\
		.name = (prop_name),						\
		.offset = offsetof(struct type, field),				\
		.width = sizeof(((struct type *)0)->field),			\
		.when = (condition),						\
	}
#define PROP(type, name, field)	PROP_WHEN(type, name, field, 0)

#define SYSTEM(name)	PROP(topology_system_props, #name, name)
#define NODE(name)	PROP(topology_node_props, #name, name)
#define NODE_GPU(name)	PROP_WHEN(topology_node_props, #name, name, TOPOLOGY_GPU_ONLY)
#define MEM(name)	PROP(topology_mem_props, #name, name)
#define CACHE(name, field)	PROP(topology_cache_props, name, field)
#define LINK(name, field)	PROP(topology_link_props, name, field)

static const struct topology_prop topology_system_table[] = {
	SYSTEM(platform_oem),
	SYSTEM(platform_id),
	SYSTEM(platform_rev),
};

static const struct topology_prop topology_node_table[] = {
	NODE(cpu_cores_count),
	NODE(simd_count),
	NODE(mem_banks_count),
	NODE(caches_count),
	NODE(io_links_count),
	NODE(p2p_links_count),
	NODE(cpu_core_id_base),
	NODE(simd_id_base),
	NODE(max_waves_per_simd),
	NODE(lds_size_in_kb),
	NODE(gds_size_in_kb),
	NODE(num_gws),
	NODE(wave_front_size),
	NODE(array_count),
	NODE(simd_arrays_per_engine),
	NODE(cu_per_simd_array),
	NODE(simd_per_cu),
	NODE(max_slots_scratch_cu),
	NODE(gfx_target_version),
	NODE(vendor_id),
	NODE(device_id),
	NODE(location_id),
	NODE(domain),
	NODE(drm_render_minor),
	NODE(hive_id),
	NODE(num_sdma_engines),
	NODE(num_sdma_xgmi_engines),
	NODE(num_sdma_queues_per_engine),
	NODE(num_cp_queues),
	NODE_GPU(max_engine_clk_fcompute),
	NODE_GPU(local_mem_size),
	NODE_GPU(fw_version),
	NODE_GPU(capability),
	NODE_GPU(sdma_fw_version),
	NODE_GPU(unique_id),
	NODE(max_engine_clk_ccompute),
};

static const struct topology_prop topology_mem_table[] = {
	MEM(heap_type),
	MEM(size_in_bytes),
	MEM(flags),
	MEM(width),
	MEM(mem_clk_max),
};

static const struct topology_prop topology_cache_table[] = {
	CACHE("processor_id_low", processor_id_low),
	CACHE("level", level),
	CACHE("size", size),
	CACHE("cache_line_size", line_size),
	CACHE("cache_lines_per_tag", lines_per_tag),
	CACHE("association", association),
	CACHE("latency", latency),
	CACHE("type", type),
};

static const struct topology_prop topology_link_table[] = {
	LINK("type", type),
	LINK("version_major", version_major),
	LINK("version_minor", version_minor),
	LINK("node_from", node_from),
	LINK("node_to", node_to),
	LINK("weight", weight),
	LINK("min_latency", min_latency),
	LINK("max_latency", max_latency),
	LINK("min_bandwidth", min_bandwidth),
	LINK("max_bandwidth", max_bandwidth),
	LINK("recommended_transfer_size", rec_transfer_size),
	LINK("flags", flags),
};

#define TABLE(table, is_gpu)	{ .props = (table), .count = ARRAY_SIZE(table), .gpu = (is_gpu) }

static const struct topology_table topology_tables[] = {
	[TOPOLOGY_KIND_SYSTEM] = TABLE(topology_system_table, false),
	[TOPOLOGY_KIND_CPU_NODE] = TABLE(topology_node_table, false),
	[TOPOLOGY_KIND_GPU_NODE] = TABLE(topology_node_table, true),
	[TOPOLOGY_KIND_MEM] = TABLE(topology_mem_table, false),
	[TOPOLOGY_KIND_CACHE] = TABLE(topology_cache_table, false),
	[TOPOLOGY_KIND_LINK] = TABLE(topology_link_table, false),
};

static u64 topology_prop_value(const struct topology_prop *prop, const void *record)
{
	const void *field = (const u8 *)record + prop->offset;

	if (prop->width == sizeof(u64))
		return *(const u64 *)field;
	return *(const u32 *)field;
}

/* One digit and one comma a sharer; the last comma becomes the end of the line. */
static int topology_sibling_format(const struct topology_cache_props *cache, char *buf, size_t size)
{
	static const char label[] = "sibling_map ";
	unsigned int bits = cache->sibling_bytes * 8;
	unsigned int i;
	size_t at;

	if (!bits || cache->sibling_bytes > TOPOLOGY_SIBLING_BYTES)
		return -EINVAL;
	if (size < sizeof(label) + 2 * bits)
		return -ENOSPC;
	at = snprintf(buf, size, "%s", label);
	for (i = 0; i < bits; i++) {
		buf[at++] = '0' + (cache->sibling[i / 8] >> (i % 8) & 1);
		buf[at++] = ',';
	}
	buf[at - 1] = '\n';
	buf[at] = '\0';
	return at;
}

/**
 * topology_props_format - text of a record
 * @kind: what @record is
 * @record: the struct of that kind
 * @buf: where the text goes, with a terminating zero
 * @size: room in @buf
 *
 * Context: any.
 * Return: length without the zero; -ENOSPC if it does not fit, -EINVAL for a kind
 * or a sibling map that does not exist.
 */
int topology_props_format(enum topology_kind kind, const void *record, char *buf, size_t size)
{
	const struct topology_table *table;
	const struct topology_prop *prop;
	size_t at = 0;
	int n;

	if ((unsigned int)kind >= ARRAY_SIZE(topology_tables))
		return -EINVAL;
	table = &topology_tables[kind];
	for (prop = table->props; prop < table->props + table->count; prop++) {
		if (prop->when == TOPOLOGY_GPU_ONLY && !table->gpu)
			continue;
		n = snprintf(buf + at, size - at, "%s %llu\n", prop->name,
			     (unsigned long long)topology_prop_value(prop, record));
		if (n < 0 || (size_t)n >= size - at)
			return -ENOSPC;
		at += n;
	}
	if (kind != TOPOLOGY_KIND_CACHE)
		return at;
	n = topology_sibling_format(record, buf + at, size - at);
	return n < 0 ? n : (int)at + n;
}
