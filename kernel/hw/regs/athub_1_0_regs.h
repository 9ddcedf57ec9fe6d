/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: ATHUB 1.0 registers
 *
 * The table that gives each VMID its PASID for address translation.  Byte
 * offsets in BAR5.  Source: athub_1_0_offset.h, athub_1_0_sh_mask.h,
 * vega10_ip_offset.h of Linux 6.1.
 */
#ifndef CARILLON_ATHUB_1_0_REGS_H
#define CARILLON_ATHUB_1_0_REGS_H

#include "../hw_reg.h"

#define ATHUB1_BASE                                     0x0c20
#define ATHUB1_SIZE                                     HW_DW(0x0080)

/* bits 15:0 for the first table, 31:16 for the second; write 1 to clear */
#define ATHUB1_ATC_VMID_PASID_MAPPING_UPDATE_STATUS     HW_REG(ATHUB1_BASE, 0x000b)
/* stride 1 dword, 16 entries */
#define ATHUB1_ATC_VMID0_PASID_MAPPING                  HW_REG(ATHUB1_BASE, 0x000c)
#define   ATHUB1_ATC_VMID0_PASID_MAPPING__PASID         GENMASK(15, 0)
#define   ATHUB1_ATC_VMID0_PASID_MAPPING__VALID         BIT(31)
/* second table, for MMHUB clients: stride 1 dword, 16 entries */
#define ATHUB1_ATC_VMID16_PASID_MAPPING                 HW_REG(ATHUB1_BASE, 0x003d)

#endif /* CARILLON_ATHUB_1_0_REGS_H */
