// SPDX-License-Identifier: MIT
/* DOC: names in sysfs and members of structs; see node_props.h. */
#include "node_props.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sysfs_reader.h"
#include "thunk_log.h"

/**
 * struct prop_field - one name
 * @name: as sysfs prints it
 * @offset: of the member
 * @width: of the member in bytes: 1, 2, 4 or 8
 * @mask: bits that are kept, 0: all
 */
struct prop_field {
	const char *name;
	uint16_t offset;
	uint16_t width;
	uint32_t mask;
};

#define FIELD_MASK(type, key, member, bits) \
	{ key, offsetof(type, member), sizeof(((type *)0)->member), bits }
#define FIELD(type, key, member)	FIELD_MASK(type, key, member, 0)

#define NODE(key, member)		FIELD(HsaNodeProperties, key, member)
#define NODE_MASK(key, member, bits)	FIELD_MASK(HsaNodeProperties, key, member, bits)

/* Microcode versions keep the ten bits that their members have. */
#define UCODE_BITS	0x3ff

static const struct prop_field node_fields[] = {
	NODE("cpu_cores_count", NumCPUCores),
	NODE("simd_count", NumFComputeCores),
	NODE("mem_banks_count", NumMemoryBanks),
	NODE("caches_count", NumCaches),
	NODE("cpu_core_id_base", CComputeIdLo),
	NODE("simd_id_base", FComputeIdLo),
	NODE("capability", Capability),
	NODE("debug_prop", DebugProperties),
	NODE("max_waves_per_simd", MaxWavesPerSIMD),
	NODE("lds_size_in_kb", LDSSizeInKB),
	NODE("gds_size_in_kb", GDSSizeInKB),
	NODE("wave_front_size", WaveFrontSize),
	NODE("array_count", NumShaderBanks),
	NODE("simd_arrays_per_engine", NumArrays),
	NODE("cu_per_simd_array", NumCUPerArray),
	NODE("simd_per_cu", NumSIMDPerCU),
	NODE("max_slots_scratch_cu", MaxSlotsScratchCU),
	NODE_MASK("fw_version", EngineId, UCODE_BITS),
	NODE_MASK("sdma_fw_version", uCodeEngineVersions, UCODE_BITS),
	NODE("vendor_id", VendorId),
	NODE("device_id", DeviceId),
	NODE("location_id", LocationId),
	NODE("domain", Domain),
	NODE("max_engine_clk_fcompute", MaxEngineClockMhzFCompute),
	NODE("max_engine_clk_ccompute", MaxEngineClockMhzCCompute),
	NODE("local_mem_size", LocalMemSize),
	NODE("drm_render_minor", DrmRenderMinor),
	NODE("hive_id", HiveID),
	NODE("unique_id", UniqueID),
	NODE("num_sdma_engines", NumSdmaEngines),
	NODE("num_sdma_xgmi_engines", NumSdmaXgmiEngines),
	NODE("num_sdma_queues_per_engine", NumSdmaQueuesPerEngine),
	NODE("num_gws", NumGws),
	NODE("num_cp_queues", NumCpQueues),
	{ NULL, 0, 0, 0 }
};

static const struct prop_field link_count_fields[] = {
	FIELD(struct node_links, "io_links_count", io),
	FIELD(struct node_links, "p2p_links_count", p2p),
	{ NULL, 0, 0, 0 }
};

static const struct prop_field bank_fields[] = {
	FIELD(HsaMemoryProperties, "heap_type", HeapType),
	FIELD(HsaMemoryProperties, "size_in_bytes", SizeInBytes),
	FIELD(HsaMemoryProperties, "flags", Flags),
	FIELD(HsaMemoryProperties, "width", Width),
	FIELD(HsaMemoryProperties, "mem_clk_max", MemoryClockMax),
	{ NULL, 0, 0, 0 }
};

static const struct prop_field cache_fields[] = {
	FIELD(HsaCacheProperties, "processor_id_low", ProcessorIdLow),
	FIELD(HsaCacheProperties, "level", CacheLevel),
	FIELD(HsaCacheProperties, "size", CacheSize),
	FIELD(HsaCacheProperties, "cache_line_size", CacheLineSize),
	FIELD(HsaCacheProperties, "cache_lines_per_tag", CacheLinesPerTag),
	FIELD(HsaCacheProperties, "association", CacheAssociativity),
	FIELD(HsaCacheProperties, "latency", CacheLatency),
	FIELD(HsaCacheProperties, "type", CacheType),
	{ NULL, 0, 0, 0 }
};

static const struct prop_field link_fields[] = {
	FIELD(HsaIoLinkProperties, "type", IoLinkType),
	FIELD(HsaIoLinkProperties, "version_major", VersionMajor),
	FIELD(HsaIoLinkProperties, "version_minor", VersionMinor),
	FIELD(HsaIoLinkProperties, "node_from", NodeFrom),
	FIELD(HsaIoLinkProperties, "node_to", NodeTo),
	FIELD(HsaIoLinkProperties, "weight", Weight),
	FIELD(HsaIoLinkProperties, "min_latency", MinimumLatency),
	FIELD(HsaIoLinkProperties, "max_latency", MaximumLatency),
	FIELD(HsaIoLinkProperties, "min_bandwidth", MinimumBandwidth),
	FIELD(HsaIoLinkProperties, "max_bandwidth", MaximumBandwidth),
	FIELD(HsaIoLinkProperties, "recommended_transfer_size", RecTransferSize),
	FIELD(HsaIoLinkProperties, "flags", Flags),
	{ NULL, 0, 0, 0 }
};

static const struct prop_field system_fields[] = {
	FIELD(HsaSystemProperties, "platform_oem", PlatformOem),
	FIELD(HsaSystemProperties, "platform_id", PlatformId),
	FIELD(HsaSystemProperties, "platform_rev", PlatformRev),
	{ NULL, 0, 0, 0 }
};

static void store(char *base, const struct prop_field *field, uint64_t value)
{
	char *member = base + field->offset;
	uint32_t u32;
	uint16_t u16;

	if (field->mask)
		value &= field->mask;
	u32 = (uint32_t)value;
	u16 = (uint16_t)value;
	switch (field->width) {
	case 1:
		*(uint8_t *)member = (uint8_t)value;
		break;
	case 2:
		memcpy(member, &u16, sizeof(u16));
		break;
	case 4:
		memcpy(member, &u32, sizeof(u32));
		break;
	case 8:
		memcpy(member, &value, sizeof(value));
		break;
	}
}

static void parse_fields(const char *text, const struct prop_field *fields, void *base)
{
	struct sysfs_pair pair;
	const struct prop_field *field;

	while (sysfs_next_pair(&text, &pair))
		for (field = fields; field->name; field++)
			if (sysfs_pair_is(&pair, field->name))
				store(base, field, pair.value);
}

void node_props_parse(const char *text, HsaNodeProperties *props, struct node_links *links)
{
	parse_fields(text, node_fields, props);
	parse_fields(text, link_count_fields, links);
	props->NumIOLinks = links->io + links->p2p;
}

void bank_props_parse(const char *text, HsaMemoryProperties *props)
{
	parse_fields(text, bank_fields, props);
}

void link_props_parse(const char *text, HsaIoLinkProperties *props)
{
	parse_fields(text, link_fields, props);
}

void system_props_parse(const char *text, HsaSystemProperties *props)
{
	parse_fields(text, system_fields, props);
}

/* "1,0,1,...": one number per possible sharer. */
static void parse_sibling_map(const struct sysfs_pair *pair, HsaCacheProperties *props)
{
	const char *text = pair->text;
	const char *end = text + pair->text_len;
	unsigned int i;

	for (i = 0; i < HSA_CPU_SIBLINGS && text < end; i++) {
		char *next;

		props->SiblingMap[i] = (HSAuint32)strtoul(text, &next, 10);
		if (next == text || next >= end || *next != ',')
			return;
		text = next + 1;
	}
}

void cache_props_parse(const char *text, HsaCacheProperties *props)
{
	struct sysfs_pair pair;

	parse_fields(text, cache_fields, props);
	while (sysfs_next_pair(&text, &pair))
		if (sysfs_pair_is(&pair, "sibling_map"))
			parse_sibling_map(&pair, props);
}

uint32_t node_props_gfx_version(const char *text)
{
	struct sysfs_pair pair;

	while (sysfs_next_pair(&text, &pair))
		if (sysfs_pair_is(&pair, "gfx_target_version"))
			return (uint32_t)pair.value;
	return 0;
}

static int override_gfx(uint32_t *version)
{
	const char *text = getenv("HSA_OVERRIDE_GFX_VERSION");
	unsigned int major, minor, stepping;
	char rest;

	if (!text)
		return 0;
	if (sscanf(text, "%u.%u.%u%c", &major, &minor, &stepping, &rest) != 3 ||
	    major > 63 || minor > 99 || stepping > 99) {
		thunk_err("HSA_OVERRIDE_GFX_VERSION is '%s', not major.minor.stepping", text);
		return -EINVAL;
	}
	*version = major * 10000 + minor * 100 + stepping;
	return 0;
}

/* Bytes of vector registers in a CU: parts with a unified file have twice as many. */
static uint32_t vgpr_size(uint32_t version)
{
	return version == 90008 || version == 90010 || version / 100 == 904 ? 0x80000 : 0x40000;
}

int node_props_apply_gfx(HsaNodeProperties *props, uint32_t gfx_version)
{
	int err = override_gfx(&gfx_version);

	if (err)
		return err;
	props->EngineId.ui32.Major = gfx_version / 10000 & 0x3f;
	props->EngineId.ui32.Minor = gfx_version / 100 % 100;
	props->EngineId.ui32.Stepping = gfx_version % 100;
	props->VGPRSizePerCU = vgpr_size(gfx_version);
	props->SGPRSizePerCU = 0x4000;
	return 0;
}
