/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* User-space stand-in: field access by mask. */
#ifndef CARILLON_SHIM_BITFIELD_H
#define CARILLON_SHIM_BITFIELD_H

#include <linux/bits.h>

#define FIELD_SHIFT_OF(mask)	(__builtin_ffsll(mask) - 1)
#define FIELD_PREP(mask, val)	(((__typeof__(mask))(val) << FIELD_SHIFT_OF(mask)) & (mask))
#define FIELD_GET(mask, reg)	((__typeof__(mask))(((reg) & (mask)) >> FIELD_SHIFT_OF(mask)))
#define FIELD_FIT(mask, val)	(!((((__typeof__(mask))(val)) << FIELD_SHIFT_OF(mask)) & ~(mask)))
#define FIELD_MAX(mask)		((__typeof__(mask))((mask) >> FIELD_SHIFT_OF(mask)))

#endif /* CARILLON_SHIM_BITFIELD_H */
