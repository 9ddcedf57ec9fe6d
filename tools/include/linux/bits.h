/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* User-space stand-in: bit masks. */
#ifndef CARILLON_SHIM_BITS_H
#define CARILLON_SHIM_BITS_H

#define BITS_PER_LONG		64
#define BITS_PER_LONG_LONG	64
#define BIT(n)			(1UL << (n))
#define BIT_ULL(n)		(1ULL << (n))
#define GENMASK(h, l)		((~0UL << (l)) & (~0UL >> (BITS_PER_LONG - 1 - (h))))
#define GENMASK_ULL(h, l)	((~0ULL << (l)) & (~0ULL >> (BITS_PER_LONG_LONG - 1 - (h))))

#endif /* CARILLON_SHIM_BITS_H */
