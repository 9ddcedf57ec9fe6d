/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: GC 9.0 registers
 *
 * The few graphics-core registers that a driver of SDMA and memory needs: shader
 * array configuration, address configuration, the GPU clock.  Byte offsets in
 * BAR5.  Source: gc_9_0_offset.h, gc_9_0_sh_mask.h, vega10_ip_offset.h of Linux
 * 6.1.
 */
#ifndef CARILLON_GC_9_0_REGS_H
#define CARILLON_GC_9_0_REGS_H

#include "../hw_reg.h"

#define GC9_BASE0                                       0x2000
#define GC9_BASE1                                       0xa000

#define GC9_GRBM_STATUS                                 HW_REG(GC9_BASE0, 0x0004) /* RO */
#define GC9_GRBM_GFX_CNTL                               HW_REG(GC9_BASE0, 0x0022)
/* RO, of the array selected by GRBM_GFX_INDEX */
#define GC9_CC_GC_SHADER_ARRAY_CONFIG                   HW_REG(GC9_BASE0, 0x026f)
#define   GC9_CC_GC_SHADER_ARRAY_CONFIG__INACTIVE_CUS   GENMASK(31, 16)
#define GC9_GC_USER_SHADER_ARRAY_CONFIG                 HW_REG(GC9_BASE0, 0x0270)
#define   GC9_GC_USER_SHADER_ARRAY_CONFIG__INACTIVE_CUS GENMASK(31, 16)
#define GC9_SH_MEM_BASES                                HW_REG(GC9_BASE0, 0x030a)
#define   GC9_SH_MEM_BASES__PRIVATE_BASE                GENMASK(15, 0)
#define   GC9_SH_MEM_BASES__SHARED_BASE                 GENMASK(31, 16)
#define GC9_SH_MEM_CONFIG                               HW_REG(GC9_BASE0, 0x030d)
#define GC9_GB_ADDR_CONFIG                              HW_REG(GC9_BASE0, 0x063e)
#define GC9_GRBM_GFX_INDEX                              HW_REG(GC9_BASE1, 0x2200)
#define   GC9_GRBM_GFX_INDEX__INSTANCE_INDEX            GENMASK(7, 0)
#define   GC9_GRBM_GFX_INDEX__SH_INDEX                  GENMASK(15, 8)
#define   GC9_GRBM_GFX_INDEX__SE_INDEX                  GENMASK(23, 16)
#define   GC9_GRBM_GFX_INDEX__SH_BROADCAST_WRITES       BIT(29)
#define   GC9_GRBM_GFX_INDEX__INSTANCE_BROADCAST_WRITES BIT(30)
#define   GC9_GRBM_GFX_INDEX__SE_BROADCAST_WRITES       BIT(31)
#define GC9_RLC_GPU_CLOCK_COUNT_LSB                     HW_REG(GC9_BASE1, 0x4c24) /* RO */
#define GC9_RLC_GPU_CLOCK_COUNT_MSB                     HW_REG(GC9_BASE1, 0x4c25) /* RO */
/* write 1 latches the counter */
#define GC9_RLC_CAPTURE_GPU_CLOCK_COUNT                 HW_REG(GC9_BASE1, 0x4c26)

#endif /* CARILLON_GC_9_0_REGS_H */
