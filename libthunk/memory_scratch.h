/* SPDX-License-Identifier: MIT */
#ifndef MEMORY_SCRATCH_H
#define MEMORY_SCRATCH_H

#include "memory_alloc.h"
#include "thunk_gpu.h"

/**
 * DOC: scratch
 *
 * A scratch pool is address space only, one for each GPU; its start is told to
 * the KFD. Mapping a part of it allocates VRAM there, unmapping the part gives
 * the VRAM back and keeps the addresses, freeing the pool's address gives back
 * everything. The CPU never reads scratch: its mapping is a placeholder.
 */

/* Set a pool aside. Return: 0, -EBUSY when the GPU has one, or a negative errno. */
int scratch_reserve(const struct memory_wish *wish, void **address);
/* Back a part with VRAM, mapped on the pool's GPU. */
int scratch_map(struct thunk_gpu *gpu, void *address, uint64_t size);
/* Take a part's VRAM away; a part without is fine. */
int scratch_unmap(void *address);
/* Give the pool back. */
int scratch_release(struct thunk_gpu *gpu);

#endif
