/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* User-space stand-in: the heap; a test that wants it empty says so. */
#ifndef CARILLON_SHIM_SLAB_H
#define CARILLON_SHIM_SLAB_H

#include <linux/types.h>
#include <stdlib.h>

#define GFP_KERNEL	0

/* Defined by the test. */
extern bool shim_no_memory;

static inline void *kcalloc(size_t n, size_t size, int flags)
{
	(void)flags;
	return shim_no_memory ? NULL : calloc(n, size);
}

static inline void kfree(void *p)
{
	free(p);
}

#endif /* CARILLON_SHIM_SLAB_H */
