/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: NBIO 7.4 registers
 *
 * The bus interface of Vega20, Arcturus and Aldebaran.  It is NBIO 6.1's (nbio_6_1_regs.h)
 * but for the registers here.  Byte offsets in BAR5.  Source: nbio_7_4_offset.h,
 * nbio_7_4_sh_mask.h, nbio_v7_4.c, vega20_ip_offset.h and aldebaran_ip_offset.h of
 * Linux 6.1.
 */
#ifndef CARILLON_NBIO_7_4_REGS_H
#define CARILLON_NBIO_7_4_REGS_H

#include "nbio_6_1_regs.h"

/* RO, fields as in NBIO 6.1 */
#define NBIO7_RCC_DEV0_EPF0_STRAP0                      HW_REG(NBIO6_BASE2, 0x0011)
#define NBIO7_RCC_DEV0_EPF0_STRAP0_ALDE                 HW_REG(NBIO6_BASE2, 0x0015)
/*
 * Instance 2 to 7 of Arcturus, 2 and 3 of Aldebaran; 0 and 1 are where NBIO 6.1 has them
 * (nbio_v7_4.c).
 */
#define NBIO7_BIF_SDMA_DOORBELL_RANGE(n) \
	(NBIO6_BIF_SDMA0_DOORBELL_RANGE + HW_DW(4 + (n)))
/* Instance 4 of Aldebaran does not follow the one before. */
#define NBIO7_BIF_SDMA4_DOORBELL_RANGE_ALDE \
	(NBIO6_BIF_SDMA0_DOORBELL_RANGE + HW_DW(9))

#endif /* CARILLON_NBIO_7_4_REGS_H */
