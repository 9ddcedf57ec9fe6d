/* SPDX-License-Identifier: MIT */
#ifndef MEMORY_ALLOC_H
#define MEMORY_ALLOC_H

#include <stdint.h>

#include "hsakmt/hsakmttypes.h"
#include "mem_object.h"

/**
 * struct memory_wish - an allocation
 * @node: where
 * @size: bytes, a multiple of the page size
 * @fixed: wanted address, 0: anywhere
 * @flags: how
 */
struct memory_wish {
	uint32_t node;
	uint64_t size;
	uint64_t fixed;
	HsaMemFlags flags;
};

/* Allocate under the lock. Return: 0 or a negative errno. */
int memory_alloc(const struct memory_wish *wish, struct mem_object **object);

#endif
