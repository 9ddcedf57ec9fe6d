/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* User-space stand-in: small helpers of linux/kernel.h and friends. */
#ifndef CARILLON_SHIM_KERNEL_H
#define CARILLON_SHIM_KERNEL_H

#include <linux/build_bug.h>
#include <linux/types.h>
#include <stdio.h>

#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define min(a, b)		({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); \
				   a_ < b_ ? a_ : b_; })
#define max(a, b)		({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); \
				   a_ > b_ ? a_ : b_; })
#define min_t(t, a, b)		min((t)(a), (t)(b))
#define max_t(t, a, b)		max((t)(a), (t)(b))
#define lower_32_bits(n)	((u32)((n) & 0xffffffff))
#define upper_32_bits(n)	((u32)(((u64)(n)) >> 32))
#define ALIGN(x, a)		(((x) + ((__typeof__(x))(a) - 1)) & ~((__typeof__(x))(a) - 1))
#define ALIGN_DOWN(x, a)	((x) & ~((__typeof__(x))(a) - 1))
#define IS_ALIGNED(x, a)	(((x) & ((__typeof__(x))(a) - 1)) == 0)
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))

#endif /* CARILLON_SHIM_KERNEL_H */
