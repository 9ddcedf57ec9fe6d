/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: register addresses
 *
 * A register is named by its byte offset in BAR5, a plain u32 constant, so that
 * the driver's accessors and the model's decoders (which switch on it) share one
 * form.  Fields are masks for FIELD_PREP() and FIELD_GET(), named
 * REGISTER__FIELD.  Headers under regs/ hold only registers that somebody uses.
 */
#ifndef CARILLON_HW_REG_H
#define CARILLON_HW_REG_H

#include <linux/bits.h>
#include <linux/bitfield.h>
#include <linux/types.h>

/** HW_DW - byte offset of a register given by its dword offset */
#define HW_DW(dw)		((dw) * 4)
/** HW_REG - byte offset in BAR5 of a register of the block at dword @base */
#define HW_REG(base, dw)	(((base) + (dw)) * 4)

#endif /* CARILLON_HW_REG_H */
