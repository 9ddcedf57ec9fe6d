// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: GC 9.0 registers
 *
 * Banked registers: the shader-array registers belong to the array that
 * GRBM_GFX_INDEX selects (a read with a broadcast index answers for array 0, a
 * write reaches all), the SH_MEM registers to the VMID that GRBM_GFX_CNTL selects.
 *
 * Not modelled: shader engines as workers.  GRBM_STATUS always reads idle.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "../hw/regs/gc_9_0_regs.h"
#include "vgpu_gc.h"

/* Dwords that each segment decodes; the register headers name only what is used. */
#define GC_SEG0_SIZE		HW_DW(0x1000)
#define GC_SEG1_SIZE		HW_DW(0x5000)

/* GRBM_GFX_CNTL: VMID selected. */
#define GFX_CNTL_VMID		GENMASK(7, 4)
#define GFX_CNTL_MASK		GENMASK(10, 0)

#define BROADCAST_ALL		(GC9_GRBM_GFX_INDEX__SE_BROADCAST_WRITES | \
				 GC9_GRBM_GFX_INDEX__SH_BROADCAST_WRITES | \
				 GC9_GRBM_GFX_INDEX__INSTANCE_BROADCAST_WRITES)
#define GFX_INDEX_MASK		(BROADCAST_ALL | GC9_GRBM_GFX_INDEX__SE_INDEX | \
				 GC9_GRBM_GFX_INDEX__SH_INDEX | GC9_GRBM_GFX_INDEX__INSTANCE_INDEX)

static unsigned int selected_vmid(const struct vgpu_gc *gc)
{
	return FIELD_GET(GFX_CNTL_VMID, gc->gfx_cntl);
}

/* Shader engine that a read answers for, or -1 if the index names no array. */
static int selected_se(const struct vgpu_gc *gc)
{
	u32 index = gc->gfx_index;
	unsigned int se = FIELD_GET(GC9_GRBM_GFX_INDEX__SE_INDEX, index);
	unsigned int sh = FIELD_GET(GC9_GRBM_GFX_INDEX__SH_INDEX, index);

	if (index & GC9_GRBM_GFX_INDEX__SE_BROADCAST_WRITES)
		se = 0;
	if (index & GC9_GRBM_GFX_INDEX__SH_BROADCAST_WRITES)
		sh = 0;
	if (sh || se >= gc->config->profile->shader_engines)
		return -1;
	return se;
}

static u32 shader_array_config(const struct vgpu_gc *gc)
{
	int se = selected_se(gc);
	u32 active = se < 0 ? 0 : vgpu_config_cu_mask(gc->config, se);

	return FIELD_PREP(GC9_CC_GC_SHADER_ARRAY_CONFIG__INACTIVE_CUS, ~active & 0xffff);
}

static void write_user_cus(struct vgpu_gc *gc, u32 value)
{
	int se = selected_se(gc);
	unsigned int i;

	value &= GC9_GC_USER_SHADER_ARRAY_CONFIG__INACTIVE_CUS;
	if (gc->gfx_index & GC9_GRBM_GFX_INDEX__SE_BROADCAST_WRITES) {
		for (i = 0; i < VGPU_MAX_SE; i++)
			gc->user_cus[i] = value;
	} else if (se >= 0) {
		gc->user_cus[se] = value;
	}
}

static void seg0_reset(struct vgpu_block *block)
{
	struct vgpu_gc *gc = container_of(block, struct vgpu_gc, seg0);

	gc->gfx_cntl = 0;
	gc->gb_addr_config = gc->config->profile->gb_addr_config;
	memset(gc->user_cus, 0, sizeof(gc->user_cus));
	memset(gc->sh_mem_config, 0, sizeof(gc->sh_mem_config));
	memset(gc->sh_mem_bases, 0, sizeof(gc->sh_mem_bases));
}

static u32 seg0_read(struct vgpu_block *block, u32 offset)
{
	struct vgpu_gc *gc = container_of(block, struct vgpu_gc, seg0);
	int se = selected_se(gc);

	switch (block->base + offset) {
	case GC9_GRBM_STATUS:
		return 0;
	case GC9_GRBM_GFX_CNTL:
		return gc->gfx_cntl;
	case GC9_CC_GC_SHADER_ARRAY_CONFIG:
		return shader_array_config(gc);
	case GC9_GC_USER_SHADER_ARRAY_CONFIG:
		return se < 0 ? 0 : gc->user_cus[se];
	case GC9_SH_MEM_BASES:
		return gc->sh_mem_bases[selected_vmid(gc)];
	case GC9_SH_MEM_CONFIG:
		return gc->sh_mem_config[selected_vmid(gc)];
	case GC9_GB_ADDR_CONFIG:
		return gc->gb_addr_config;
	}
	block->unknown++;
	return ~0u;
}

static void seg0_write(struct vgpu_block *block, u32 offset, u32 value)
{
	struct vgpu_gc *gc = container_of(block, struct vgpu_gc, seg0);

	switch (block->base + offset) {
	case GC9_GRBM_STATUS:
	case GC9_CC_GC_SHADER_ARRAY_CONFIG:
		break;
	case GC9_GRBM_GFX_CNTL:
		gc->gfx_cntl = value & GFX_CNTL_MASK;
		break;
	case GC9_GC_USER_SHADER_ARRAY_CONFIG:
		write_user_cus(gc, value);
		break;
	case GC9_SH_MEM_BASES:
		gc->sh_mem_bases[selected_vmid(gc)] = value;
		break;
	case GC9_SH_MEM_CONFIG:
		gc->sh_mem_config[selected_vmid(gc)] = value;
		break;
	case GC9_GB_ADDR_CONFIG:
		gc->gb_addr_config = value;
		break;
	default:
		block->unknown++;
	}
}

static const struct vgpu_block_ops seg0_ops = {
	.reset = seg0_reset,
	.read = seg0_read,
	.write = seg0_write,
};

static void seg1_reset(struct vgpu_block *block)
{
	struct vgpu_gc *gc = container_of(block, struct vgpu_gc, seg1);

	gc->gfx_index = BROADCAST_ALL;
	gc->clock = 0;
}

static u32 seg1_read(struct vgpu_block *block, u32 offset)
{
	struct vgpu_gc *gc = container_of(block, struct vgpu_gc, seg1);

	switch (block->base + offset) {
	case GC9_GRBM_GFX_INDEX:
		return gc->gfx_index;
	case GC9_RLC_GPU_CLOCK_COUNT_LSB:
		return lower_32_bits(gc->clock);
	case GC9_RLC_GPU_CLOCK_COUNT_MSB:
		return upper_32_bits(gc->clock);
	case GC9_RLC_CAPTURE_GPU_CLOCK_COUNT:
		return 0;
	}
	block->unknown++;
	return ~0u;
}

static void seg1_write(struct vgpu_block *block, u32 offset, u32 value)
{
	struct vgpu_gc *gc = container_of(block, struct vgpu_gc, seg1);

	switch (block->base + offset) {
	case GC9_GRBM_GFX_INDEX:
		gc->gfx_index = value & GFX_INDEX_MASK;
		break;
	case GC9_RLC_CAPTURE_GPU_CLOCK_COUNT:
		if (value & 1)
			gc->clock = gc->bus->clock(gc->bus->ctx);
		break;
	case GC9_RLC_GPU_CLOCK_COUNT_LSB:
	case GC9_RLC_GPU_CLOCK_COUNT_MSB:
		break;
	default:
		block->unknown++;
	}
}

static const struct vgpu_block_ops seg1_ops = {
	.reset = seg1_reset,
	.read = seg1_read,
	.write = seg1_write,
};

/**
 * vgpu_gc_init - set up the blocks; the caller resets them
 * @gc: zeroed
 * @config: outlives @gc
 * @bus: likewise
 */
void vgpu_gc_init(struct vgpu_gc *gc, const struct vgpu_config *config, const struct vgpu_bus *bus)
{
	gc->config = config;
	gc->bus = bus;
	gc->seg0 = (struct vgpu_block){
		.name = "gc0", .base = HW_DW(GC9_BASE0), .size = GC_SEG0_SIZE, .ops = &seg0_ops,
	};
	gc->seg1 = (struct vgpu_block){
		.name = "gc1", .base = HW_DW(GC9_BASE1), .size = GC_SEG1_SIZE, .ops = &seg1_ops,
	};
}
