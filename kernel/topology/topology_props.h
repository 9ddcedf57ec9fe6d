/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: property records of the KFD topology
 *
 * Each file named "properties" under the topology shows one record, a line
 * "name value" a field, in an order that user space has relied on for years.  A
 * record kind is a struct and a const table {name, offset, width, when shown}; one
 * formatter serves all.  Names, order and number format are those of
 * kfd_topology.c of Linux 6.1.  Pure: compiles in user space.
 */
#ifndef CARILLON_TOPOLOGY_PROPS_H
#define CARILLON_TOPOLOGY_PROPS_H

#include <linux/types.h>

/* Bytes of the longest sibling map: 16 shader arrays of 32 bits. */
#define TOPOLOGY_SIBLING_BYTES	64

/* Cache types (HSA_CACHE_TYPE of the thunk) */
#define TOPOLOGY_CACHE_DATA	1
#define TOPOLOGY_CACHE_INST	2
#define TOPOLOGY_CACHE_CPU	4
#define TOPOLOGY_CACHE_GPU	8

/* Heap types of a memory bank */
#define TOPOLOGY_HEAP_SYSTEM	0
#define TOPOLOGY_HEAP_PUBLIC	1

/* Link types and flags (crat.h) */
#define TOPOLOGY_LINK_HT		1
#define TOPOLOGY_LINK_PCIE		2
#define TOPOLOGY_LINK_QPI		5
#define TOPOLOGY_LINK_ENABLED		1
#define TOPOLOGY_LINK_NON_COHERENT	2
#define TOPOLOGY_LINK_NO_ATOMICS	(4 | 8)
#define TOPOLOGY_WEIGHT_PCIE		20

/* system_properties: from the header of ACPI's DSDT, as upstream does */
struct topology_system_props {
	u64 platform_oem, platform_id, platform_rev;
};

/* nodes/N/properties, in the order shown; members are named as the lines are */
struct topology_node_props {
	u32 cpu_cores_count;
	u32 simd_count;
	u32 mem_banks_count;
	u32 caches_count;
	u32 io_links_count;
	u32 p2p_links_count;
	u32 cpu_core_id_base;
	u32 simd_id_base;
	u32 max_waves_per_simd;
	u32 lds_size_in_kb;
	u32 gds_size_in_kb;
	u32 num_gws;
	u32 wave_front_size;
	u32 array_count;
	u32 simd_arrays_per_engine;
	u32 cu_per_simd_array;
	u32 simd_per_cu;
	u32 max_slots_scratch_cu;
	u32 gfx_target_version;
	u32 vendor_id;
	u32 device_id;
	u32 location_id;
	u32 domain;
	u32 drm_render_minor;
	u64 hive_id;
	u32 num_sdma_engines;
	u32 num_sdma_xgmi_engines;
	u32 num_sdma_queues_per_engine;
	u32 num_cp_queues;
	u32 max_engine_clk_fcompute;
	u64 local_mem_size;
	u32 fw_version;
	u32 capability;
	u32 sdma_fw_version;
	u64 unique_id;
	u32 max_engine_clk_ccompute;
};

/* mem_banks/N/properties; width in bits, clock in MHz */
struct topology_mem_props {
	u32 heap_type;
	u64 size_in_bytes;
	u32 flags;
	u32 width;
	u32 mem_clk_max;
};

/**
 * struct topology_cache_props - a cache
 * @processor_id_low: first sharer: SIMD id of a CU, or APIC id
 * @level: 1 is nearest
 * @size: KiB
 * @line_size: bytes
 * @lines_per_tag: lines
 * @association: ways
 * @latency: never known, 0
 * @type: TOPOLOGY_CACHE bits
 * @sibling_bytes: how much of @sibling is shown
 * @sibling: bit n of byte m: sharer number 8 * m + n, counted from @processor_id_low
 */
struct topology_cache_props {
	u32 processor_id_low;
	u32 level;
	u32 size;
	u32 line_size;
	u32 lines_per_tag;
	u32 association;
	u32 latency;
	u32 type;
	u32 sibling_bytes;
	u8 sibling[TOPOLOGY_SIBLING_BYTES];
};

/* io_links/N/properties: one direction of a link; bandwidth in MB/s */
struct topology_link_props {
	u32 type;
	u32 version_major;
	u32 version_minor;
	u32 node_from;
	u32 node_to;
	u32 weight;
	u32 min_latency;
	u32 max_latency;
	u32 min_bandwidth;
	u32 max_bandwidth;
	u32 rec_transfer_size;
	u32 flags;
};

enum topology_kind {
	TOPOLOGY_KIND_SYSTEM,
	TOPOLOGY_KIND_CPU_NODE,
	TOPOLOGY_KIND_GPU_NODE,
	TOPOLOGY_KIND_MEM,
	TOPOLOGY_KIND_CACHE,
	TOPOLOGY_KIND_LINK,
};

int topology_props_format(enum topology_kind kind, const void *record, char *buf, size_t size);

#endif /* CARILLON_TOPOLOGY_PROPS_H */
