/* SPDX-License-Identifier: MIT */
#ifndef DEVICE_PAGE_H
#define DEVICE_PAGE_H

#include <stdint.h>

#include "mem_object.h"
#include "thunk_gpu.h"

/**
 * DOC: device pages
 *
 * Pieces of a GPU's register space that the library maps for itself: the slice of
 * doorbells (MEM_DOORBELL) and the HDP flush page (MEM_MMIO). They are objects like
 * memory, mapped for the CPU and on their own GPU only, and a program cannot free
 * them.
 */

/* The KFD says itself where the page is mapped from. */
#define DEVICE_PAGE_ANY		UINT64_MAX

/**
 * device_page_map() - map one for CPU and GPU
 * @gpu: whose
 * @kind: MEM_DOORBELL or MEM_MMIO
 * @size: bytes
 * @offset: where to map it from, or DEVICE_PAGE_ANY
 * @address: out: the CPU's and the GPU's address
 *
 * Return: 0 or a negative errno; nothing is left behind then.
 */
int device_page_map(const struct thunk_gpu *gpu, enum mem_kind kind, uint64_t size,
		    uint64_t offset, void **address);

/* Undo it. NULL is fine. Return: 0 or a negative errno. */
int device_page_unmap(void *address);

#endif
