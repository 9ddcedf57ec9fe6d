/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: OSSSYS 4.0 (interrupt handler) registers
 *
 * The interrupt ring (IH) of Vega10 and the tables that give each VMID its PASID
 * in an interrupt entry.  Byte offsets in BAR5.  Source: osssys_4_0_offset.h,
 * osssys_4_0_sh_mask.h, vega20_ih.c, vega10_ip_offset.h of Linux 6.1.
 */
#ifndef CARILLON_OSSSYS_4_0_REGS_H
#define CARILLON_OSSSYS_4_0_REGS_H

#include "../hw_reg.h"

#define OSSSYS4_BASE                                    0x10a0
#define OSSSYS4_SIZE                                    HW_DW(0x01c0)

/* stride 1 dword, 16 entries */
#define OSSSYS4_IH_VMID_0_LUT                           HW_REG(OSSSYS4_BASE, 0x0000)
#define   OSSSYS4_IH_VMID_0_LUT__PASID                  GENMASK(15, 0)
/* the same for MMHUB clients */
#define OSSSYS4_IH_VMID_0_LUT_MM                        HW_REG(OSSSYS4_BASE, 0x0010)
#define   OSSSYS4_IH_VMID_0_LUT_MM__PASID               GENMASK(15, 0)
#define OSSSYS4_IH_RB_CNTL                              HW_REG(OSSSYS4_BASE, 0x0080)
#define   OSSSYS4_IH_RB_CNTL__RB_ENABLE                 BIT(0)
#define   OSSSYS4_IH_RB_CNTL__RB_SIZE                   GENMASK(5, 1)
#define   OSSSYS4_IH_RB_CNTL__RB_GPU_TS_ENABLE          BIT(7)
#define   OSSSYS4_IH_RB_CNTL__RPTR_REARM                BIT(21)
#define   OSSSYS4_IH_RB_CNTL__ENABLE_INTR               BIT(17)
#define   OSSSYS4_IH_RB_CNTL__MC_SPACE                  GENMASK(30, 28)
#define   OSSSYS4_IH_RB_CNTL__MC_VMID                   GENMASK(27, 24)
#define   OSSSYS4_IH_RB_CNTL__WPTR_WRITEBACK_ENABLE     BIT(8)
#define   OSSSYS4_IH_RB_CNTL__WPTR_OVERFLOW_ENABLE      BIT(16)
#define   OSSSYS4_IH_RB_CNTL__WPTR_OVERFLOW_CLEAR       BIT(31)
#define   OSSSYS4_IH_RB_CNTL__MC_SNOOP                  BIT(20)
#define   OSSSYS4_IH_RB_CNTL__MC_RO                     BIT(22)
/* address bits 39:8 */
#define OSSSYS4_IH_RB_BASE                              HW_REG(OSSSYS4_BASE, 0x0081)
/* address bits 47:40 */
#define OSSSYS4_IH_RB_BASE_HI                           HW_REG(OSSSYS4_BASE, 0x0082)
#define OSSSYS4_IH_RB_RPTR                              HW_REG(OSSSYS4_BASE, 0x0083) /* bytes */
#define OSSSYS4_IH_RB_WPTR                              HW_REG(OSSSYS4_BASE, 0x0084) /* bytes */
#define   OSSSYS4_IH_RB_WPTR__RB_OVERFLOW               BIT(0)
#define   OSSSYS4_IH_RB_WPTR__OFFSET                    GENMASK(17, 2)
#define OSSSYS4_IH_RB_WPTR_ADDR_HI                      HW_REG(OSSSYS4_BASE, 0x0085)
#define OSSSYS4_IH_RB_WPTR_ADDR_LO                      HW_REG(OSSSYS4_BASE, 0x0086)
#define OSSSYS4_IH_DOORBELL_RPTR                        HW_REG(OSSSYS4_BASE, 0x0087)
#define   OSSSYS4_IH_DOORBELL_RPTR__OFFSET              GENMASK(25, 0)
#define   OSSSYS4_IH_DOORBELL_RPTR__ENABLE              BIT(28)
#define OSSSYS4_IH_CNTL                                 HW_REG(OSSSYS4_BASE, 0x00c0)
#define OSSSYS4_IH_STATUS                               HW_REG(OSSSYS4_BASE, 0x00c2) /* RO */
/* where 4.4.0 has it */
#define OSSSYS4_IH_CHICKEN_ALDEBARAN                    HW_REG(OSSSYS4_BASE, 0x018d)
#define   OSSSYS4_IH_CHICKEN__MC_SPACE_GPA_ENABLE       BIT(4)

#endif /* CARILLON_OSSSYS_4_0_REGS_H */
