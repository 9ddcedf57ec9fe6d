/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: HDP 4.0 registers
 *
 * The host data path: the cache between BAR0 and VRAM.  Byte offsets in BAR5.
 * Source: hdp_4_0_offset.h, hdp_4_0_sh_mask.h, vega10_ip_offset.h of Linux 6.1.
 */
#ifndef CARILLON_HDP_4_0_REGS_H
#define CARILLON_HDP_4_0_REGS_H

#include "../hw_reg.h"

#define HDP4_BASE                                       0x0f20
#define HDP4_SIZE                                       HW_DW(0x0180)

/* bits 39:8 of an address */
#define HDP4_HDP_NONSURFACE_BASE                        HW_REG(HDP4_BASE, 0x0040)
#define HDP4_HDP_NONSURFACE_BASE_HI                     HW_REG(HDP4_BASE, 0x0042)
#define HDP4_HDP_HOST_PATH_CNTL                         HW_REG(HDP4_BASE, 0x00cc)
#define HDP4_HDP_READ_CACHE_INVALIDATE                  HW_REG(HDP4_BASE, 0x00d1) /* WO */
#define HDP4_HDP_MISC_CNTL                              HW_REG(HDP4_BASE, 0x00d3)
#define   HDP4_HDP_MISC_CNTL__FLUSH_INVALIDATE_CACHE    BIT(0)
#define   HDP4_HDP_MISC_CNTL__READ_BUFFER_WATERMARK     GENMASK(15, 14)

#endif /* CARILLON_HDP_4_0_REGS_H */
