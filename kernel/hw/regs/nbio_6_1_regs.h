/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: NBIO 6.1 registers
 *
 * The bus interface of Vega10: size of VRAM, doorbell aperture and ranges, HDP
 * flush requests.  Byte offsets in BAR5.  Source: nbio_6_1_offset.h,
 * nbio_6_1_sh_mask.h, vega10_ip_offset.h of Linux 6.1.
 */
#ifndef CARILLON_NBIO_6_1_REGS_H
#define CARILLON_NBIO_6_1_REGS_H

#include "../hw_reg.h"

/* Dword addresses of the segments. */
#define NBIO6_BASE0                                     0x0000
#define NBIO6_BASE1                                     0x0014
#define NBIO6_BASE2                                     0x0d20
#define NBIO6_SEG2_SIZE                                 HW_DW(0x0200)

#define NBIO6_RCC_DEV0_EPF0_STRAP0                      HW_REG(NBIO6_BASE2, 0x000f) /* RO */
#define   NBIO6_RCC_DEV0_EPF0_STRAP0__STRAP_ATI_REV_ID_DEV0_F0 GENMASK(27, 24)
#define NBIO6_RCC_PF_0_0_RCC_DOORBELL_APER_EN           HW_REG(NBIO6_BASE2, 0x00c0)
#define   NBIO6_RCC_PF_0_0_RCC_DOORBELL_APER_EN__BIF_DOORBELL_APER_EN BIT(0)
/* RO, MiB of VRAM */
#define NBIO6_RCC_PF_0_0_RCC_CONFIG_MEMSIZE             HW_REG(NBIO6_BASE2, 0x00c3)
#define NBIO6_INTERRUPT_CNTL                            HW_REG(NBIO6_BASE2, 0x00f1)
#define   NBIO6_INTERRUPT_CNTL__IH_DUMMY_RD_OVERRIDE    BIT(0)
#define   NBIO6_INTERRUPT_CNTL__IH_REQ_NONSNOOP_EN      BIT(3)
#define NBIO6_INTERRUPT_CNTL2                           HW_REG(NBIO6_BASE2, 0x00f2)
#define NBIO6_BIF_FB_EN                                 HW_REG(NBIO6_BASE2, 0x00ff)
#define   NBIO6_BIF_FB_EN__FB_READ_EN                   BIT(0)
#define   NBIO6_BIF_FB_EN__FB_WRITE_EN                  BIT(1)
#define NBIO6_BIF_BX_PF0_HDP_REG_COHERENCY_FLUSH_CNTL   HW_REG(NBIO6_BASE2, 0x00f6) /* WO */
#define NBIO6_BIF_BX_PF0_HDP_MEM_COHERENCY_FLUSH_CNTL   HW_REG(NBIO6_BASE2, 0x00f7) /* WO */
#define NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_REQ              HW_REG(NBIO6_BASE2, 0x0106)
#define   NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_REQ__SDMA0     BIT(10)
#define   NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_REQ__SDMA1     BIT(11)
#define NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_DONE             HW_REG(NBIO6_BASE2, 0x0107) /* RO */
#define   NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_DONE__SDMA0    BIT(10)
#define   NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_DONE__SDMA1    BIT(11)
/* byte offset in BAR5 where a second copy appears */
#define NBIO6_REMAP_HDP_MEM_FLUSH_CNTL                  HW_REG(NBIO6_BASE2, 0x012d)
#define NBIO6_REMAP_HDP_REG_FLUSH_CNTL                  HW_REG(NBIO6_BASE2, 0x012e)
/* dword slots inside each 4 KiB page of BAR2 */
#define NBIO6_BIF_SDMA0_DOORBELL_RANGE                  HW_REG(NBIO6_BASE2, 0x01d0)
#define   NBIO6_BIF_SDMA0_DOORBELL_RANGE__OFFSET        GENMASK(11, 2)
#define   NBIO6_BIF_SDMA0_DOORBELL_RANGE__SIZE          GENMASK(20, 16)
#define NBIO6_BIF_SDMA1_DOORBELL_RANGE                  HW_REG(NBIO6_BASE2, 0x01d1)
#define   NBIO6_BIF_SDMA1_DOORBELL_RANGE__OFFSET        GENMASK(11, 2)
#define   NBIO6_BIF_SDMA1_DOORBELL_RANGE__SIZE          GENMASK(20, 16)
#define NBIO6_BIF_IH_DOORBELL_RANGE                     HW_REG(NBIO6_BASE2, 0x01d2)
#define   NBIO6_BIF_IH_DOORBELL_RANGE__OFFSET           GENMASK(11, 2)
#define   NBIO6_BIF_IH_DOORBELL_RANGE__SIZE             GENMASK(20, 16)

#endif /* CARILLON_NBIO_6_1_REGS_H */
