/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* User-space stand-in: one thread. */
#ifndef CARILLON_SHIM_ATOMIC_H
#define CARILLON_SHIM_ATOMIC_H

#include <linux/types.h>

typedef struct {
	s64 counter;
} atomic64_t;

#endif /* CARILLON_SHIM_ATOMIC_H */
