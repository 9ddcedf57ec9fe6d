/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: NBIO 7.4 registers
 *
 * The bus interface of Vega20 and Arcturus.  It is NBIO 6.1's (nbio_6_1_regs.h) but for the
 * registers here.  Byte offsets in BAR5.  Source: nbio_7_4_offset.h,
 * nbio_7_4_sh_mask.h and vega20_ip_offset.h of Linux 6.1.
 */
#ifndef CARILLON_NBIO_7_4_REGS_H
#define CARILLON_NBIO_7_4_REGS_H

#include "nbio_6_1_regs.h"

/* RO, fields as in NBIO 6.1 */
#define NBIO7_RCC_DEV0_EPF0_STRAP0                      HW_REG(NBIO6_BASE2, 0x0011)
/* Instance 2 to 7 of Arcturus; 0 and 1 are where NBIO 6.1 has them (nbio_v7_4.c). */
#define NBIO7_BIF_SDMA_DOORBELL_RANGE(n) \
	(NBIO6_BIF_SDMA0_DOORBELL_RANGE + HW_DW(4 + (n)))

#endif /* CARILLON_NBIO_7_4_REGS_H */
