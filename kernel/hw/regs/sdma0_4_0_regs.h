/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: SDMA 4 registers
 *
 * Registers of one SDMA instance.  Instance registers are byte offsets from the
 * instance's base, which differs from chip to chip; the registers of one ring are
 * byte offsets from the ring's own base inside the instance, because the register
 * sets of all rings are alike.  These numbers are the same in SDMA 4.0, 4.2, 4.2.2
 * and 4.4.0.  How far the sets are apart and how many RLC rings there are differs.
 * Source of the numbers:
 * sdma0_4_0_offset.h, sdma0_4_0_sh_mask.h, their namesakes of 4.2, 4.2.2 and 4.4.0, and
 * vega10_ip_offset.h, vega20_ip_offset.h, arct_ip_offset.h and aldebaran_ip_offset.h of
 * Linux 6.1.
 */
#ifndef CARILLON_SDMA0_4_0_REGS_H
#define CARILLON_SDMA0_4_0_REGS_H

#include "../hw_reg.h"

/* Byte offset in BAR5 of an instance's first register: Vega10, Vega20, Arcturus, Aldebaran. */
#define SDMA4_VEGA10_SDMA0                              HW_DW(0x1260)
#define SDMA4_VEGA10_SDMA1                              HW_DW(0x1460)
#define SDMA4_VEGA20_SDMA0                              HW_DW(0x1260)
#define SDMA4_VEGA20_SDMA1                              HW_DW(0x1860)
#define SDMA4_ARCT_SDMA0                                HW_DW(0x1260)
#define SDMA4_ARCT_SDMA1                                HW_DW(0x1860)
#define SDMA4_ARCT_SDMA2                                HW_DW(0x1e000)
#define SDMA4_ARCT_SDMA3                                HW_DW(0x1e400)
#define SDMA4_ARCT_SDMA4                                HW_DW(0x1e800)
#define SDMA4_ARCT_SDMA5                                HW_DW(0x1ec00)
#define SDMA4_ARCT_SDMA6                                HW_DW(0x1f000)
#define SDMA4_ARCT_SDMA7                                HW_DW(0x1f400)
#define SDMA4_ALDE_SDMA0                                HW_DW(0x1260)
#define SDMA4_ALDE_SDMA1                                HW_DW(0x1860)
#define SDMA4_ALDE_SDMA2                                HW_DW(0x1e000)
#define SDMA4_ALDE_SDMA3                                HW_DW(0x1e400)
#define SDMA4_ALDE_SDMA4                                HW_DW(0x1e800)

/* First register of the GFX ring, from the instance's base. */
#define SDMA4_QUEUE_GFX                                 HW_DW(0x080)
/* From a ring's first register to that of the next: 4.0 and 4.2; 4.2.2 and 4.4.0. */
#define SDMA4_QUEUE_STRIDE                              HW_DW(0x060)
#define SDMA422_QUEUE_STRIDE                            HW_DW(0x058)
/* First register of the page ring, and of RLC ring @n. */
#define SDMA4_QUEUE_PAGE(stride)                        (SDMA4_QUEUE_GFX + (stride))
#define SDMA4_QUEUE_RLC(n, stride)                      (SDMA4_QUEUE_GFX + ((n) + 2) * (stride))
/* Most RLC rings of any version. */
#define SDMA4_MAX_RLC                                   8

/* Whole instance */
#define SDMA4_UCODE_ADDR                                HW_DW(0x00)
#define SDMA4_UCODE_DATA                                HW_DW(0x01)
#define SDMA4_POWER_CNTL                                HW_DW(0x1a)
#define SDMA4_CLK_CTRL                                  HW_DW(0x1b)
#define SDMA4_CNTL                                      HW_DW(0x1c)
#define   SDMA4_CNTL__TRAP_ENABLE                       BIT(0)
#define   SDMA4_CNTL__UTC_L1_ENABLE                     BIT(1)
#define   SDMA4_CNTL__AUTO_CTXSW_ENABLE                 BIT(18)
#define   SDMA4_CNTL__CTXEMPTY_INT_ENABLE               BIT(28)
#define SDMA4_CHICKEN_BITS                              HW_DW(0x1d)
#define SDMA4_GB_ADDR_CONFIG                            HW_DW(0x1e)
#define SDMA4_STATUS_REG                                HW_DW(0x25) /* RO */
#define   SDMA4_STATUS_REG__IDLE                        BIT(0)
#define   SDMA4_STATUS_REG__RB_EMPTY                    BIT(2)
#define   SDMA4_STATUS_REG__EX_IDLE                     BIT(10)
#define SDMA4_F32_CNTL                                  HW_DW(0x2a)
#define   SDMA4_F32_CNTL__HALT                          BIT(0)
#define   SDMA4_F32_CNTL__STEP                          BIT(1)
#define SDMA4_FREEZE                                    HW_DW(0x2b)
#define   SDMA4_FREEZE__FREEZE                          BIT(4)
#define   SDMA4_FREEZE__FROZEN                          BIT(5)
#define SDMA4_PHASE0_QUANTUM                            HW_DW(0x2c)
#define SDMA4_PHASE1_QUANTUM                            HW_DW(0x2d)
#define SDMA4_PHASE2_QUANTUM                            HW_DW(0x4f)
#define SDMA4_ID                                        HW_DW(0x34) /* RO */
#define   SDMA4_ID__DEVICE_ID                           GENMASK(7, 0)
#define SDMA4_VERSION                                   HW_DW(0x35) /* RO */
#define   SDMA4_VERSION__MINVER                         GENMASK(6, 0)
#define   SDMA4_VERSION__MAJVER                         GENMASK(14, 8)
#define   SDMA4_VERSION__REV                            GENMASK(21, 16)
#define SDMA4_ATOMIC_CNTL                               HW_DW(0x39)
#define SDMA4_UTCL1_CNTL                                HW_DW(0x3c)
#define SDMA4_UTCL1_TIMEOUT                             HW_DW(0x47)
#define SDMA4_UTCL1_PAGE                                HW_DW(0x48)
#define   SDMA4_UTCL1_PAGE__VM_HOLE                     BIT(0)

/* One ring */
#define SDMA4_Q_RB_CNTL                                 HW_DW(0x00)
#define   SDMA4_Q_RB_CNTL__RB_ENABLE                    BIT(0)
#define   SDMA4_Q_RB_CNTL__RB_SIZE                      GENMASK(6, 1)
#define   SDMA4_Q_RB_CNTL__RB_SWAP_ENABLE               BIT(9)
#define   SDMA4_Q_RB_CNTL__RPTR_WRITEBACK_ENABLE        BIT(12)
#define   SDMA4_Q_RB_CNTL__RPTR_WRITEBACK_TIMER         GENMASK(20, 16)
#define   SDMA4_Q_RB_CNTL__RB_PRIV                      BIT(23)
#define   SDMA4_Q_RB_CNTL__RB_VMID                      GENMASK(27, 24)
#define SDMA4_Q_RB_BASE                                 HW_DW(0x01) /* bits 39:8 of the address */
#define SDMA4_Q_RB_BASE_HI                              HW_DW(0x02) /* bits 63:40 */
#define SDMA4_Q_RB_RPTR                                 HW_DW(0x03) /* bytes */
#define SDMA4_Q_RB_RPTR_HI                              HW_DW(0x04)
#define SDMA4_Q_RB_WPTR                                 HW_DW(0x05) /* bytes */
#define SDMA4_Q_RB_WPTR_HI                              HW_DW(0x06)
#define SDMA4_Q_RB_WPTR_POLL_CNTL                       HW_DW(0x07)
#define   SDMA4_Q_RB_WPTR_POLL_CNTL__ENABLE             BIT(0)
#define   SDMA4_Q_RB_WPTR_POLL_CNTL__F32_POLL_ENABLE    BIT(2)
#define SDMA4_Q_RB_RPTR_ADDR_HI                         HW_DW(0x08)
#define SDMA4_Q_RB_RPTR_ADDR_LO                         HW_DW(0x09)
#define SDMA4_Q_IB_CNTL                                 HW_DW(0x0a)
#define   SDMA4_Q_IB_CNTL__IB_ENABLE                    BIT(0)
#define   SDMA4_Q_IB_CNTL__CMD_VMID                     GENMASK(19, 16)
#define SDMA4_Q_IB_RPTR                                 HW_DW(0x0b)
#define SDMA4_Q_IB_OFFSET                               HW_DW(0x0c)
#define SDMA4_Q_IB_BASE_LO                              HW_DW(0x0d)
#define SDMA4_Q_IB_BASE_HI                              HW_DW(0x0e)
#define SDMA4_Q_IB_SIZE                                 HW_DW(0x0f)
#define SDMA4_Q_CONTEXT_STATUS                          HW_DW(0x11) /* RO */
#define   SDMA4_Q_CONTEXT_STATUS__SELECTED              BIT(0)
#define   SDMA4_Q_CONTEXT_STATUS__IDLE                  BIT(2)
#define   SDMA4_Q_CONTEXT_STATUS__EXPIRED               BIT(3)
#define   SDMA4_Q_CONTEXT_STATUS__EXCEPTION             GENMASK(6, 4)
#define   SDMA4_Q_CONTEXT_STATUS__CTXSW_ABLE            BIT(7)
#define   SDMA4_Q_CONTEXT_STATUS__CTXSW_READY           BIT(8)
#define SDMA4_Q_DOORBELL                                HW_DW(0x12)
#define   SDMA4_Q_DOORBELL__ENABLE                      BIT(28)
#define   SDMA4_Q_DOORBELL__CAPTURED                    BIT(30)
#define SDMA4_Q_STATUS                                  HW_DW(0x28)
#define SDMA4_Q_DOORBELL_LOG                            HW_DW(0x29)
#define SDMA4_Q_DOORBELL_OFFSET                         HW_DW(0x2b)
#define   SDMA4_Q_DOORBELL_OFFSET__OFFSET               GENMASK(27, 2)
#define SDMA4_Q_DUMMY_REG                               HW_DW(0x31)
#define SDMA4_Q_RB_WPTR_POLL_ADDR_HI                    HW_DW(0x32)
#define SDMA4_Q_RB_WPTR_POLL_ADDR_LO                    HW_DW(0x33)
#define SDMA4_Q_MINOR_PTR_UPDATE                        HW_DW(0x35)
#define   SDMA4_Q_MINOR_PTR_UPDATE__ENABLE              BIT(0)

#endif /* CARILLON_SDMA0_4_0_REGS_H */
