/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* User-space stand-in: bits of one long word. */
#ifndef CARILLON_SHIM_BITMAP_H
#define CARILLON_SHIM_BITMAP_H

#include <linux/bits.h>
#include <linux/types.h>

#define DECLARE_BITMAP(name, n)	unsigned long name[((n) + BITS_PER_LONG - 1) / BITS_PER_LONG]

static inline bool test_bit(unsigned int n, const unsigned long *word)
{
	return *word >> n & 1;
}

static inline void __set_bit(unsigned int n, unsigned long *word)
{
	*word |= BIT(n);
}

#endif /* CARILLON_SHIM_BITMAP_H */
