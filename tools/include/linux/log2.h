/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* User-space stand-in: powers of two. */
#ifndef CARILLON_SHIM_LOG2_H
#define CARILLON_SHIM_LOG2_H

#define ilog2(n)		(63 - __builtin_clzll(n))
#define is_power_of_2(n)	((n) && !((n) & ((n) - 1)))

#endif /* CARILLON_SHIM_LOG2_H */
