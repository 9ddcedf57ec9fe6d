/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: GC 9.0 of the model
 *
 * The part of the graphics core that a driver of SDMA and memory meets: which
 * compute units exist, the address configuration, the GPU clock, the apertures of
 * each VMID.  Pure: compiles in user space.
 */
#ifndef CARILLON_VGPU_GC_H
#define CARILLON_VGPU_GC_H

#include <linux/types.h>

#include "vgpu_block.h"
#include "vgpu_bus.h"
#include "vgpu_config.h"

#define VGPU_GC_VMIDS	16

/**
 * struct vgpu_gc - registers of the graphics core
 * @config: which compute units exist
 * @bus: for the clock
 * @seg0: first register segment
 * @seg1: second register segment
 * @gfx_index: GRBM_GFX_INDEX, selects a shader array
 * @gfx_cntl: GRBM_GFX_CNTL, selects a VMID for the SH_MEM registers
 * @gb_addr_config: GB_ADDR_CONFIG
 * @user_cus: GC_USER_SHADER_ARRAY_CONFIG of each shader engine
 * @sh_mem_config: SH_MEM_CONFIG of each VMID
 * @sh_mem_bases: SH_MEM_BASES of each VMID
 * @clock: counter latched by RLC_CAPTURE_GPU_CLOCK_COUNT
 *
 * All under the register lock.
 */
struct vgpu_gc {
	const struct vgpu_config *config;
	const struct vgpu_bus *bus;
	struct vgpu_block seg0, seg1;
	u32 gfx_index, gfx_cntl, gb_addr_config;
	u32 user_cus[VGPU_MAX_SE];
	u32 sh_mem_config[VGPU_GC_VMIDS], sh_mem_bases[VGPU_GC_VMIDS];
	u64 clock;
};

void vgpu_gc_init(struct vgpu_gc *gc, const struct vgpu_config *config, const struct vgpu_bus *bus);

#endif /* CARILLON_VGPU_GC_H */
