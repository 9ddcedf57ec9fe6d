/* SPDX-License-Identifier: MIT */
#ifndef VA_SPACE_H
#define VA_SPACE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * DOC: addresses that CPU and GPU share
 *
 * A buffer has one address for both. It is found by asking the kernel for a piece
 * of address space with no access, so that nothing else can be put there; the
 * buffer's own mapping then replaces it in place. Big buffers start at a power of
 * two up to 2 MiB (HSA_MAX_VA_ALIGN pages as an order), which lets the GPU use
 * large fragments.
 *
 * Deliberately not done: a managed range for GPUs that see less than the CPU's
 * 47 bits. Opening such a GPU is refused.
 */

/* Alignment of scratch pools. */
#define VA_SCRATCH_ALIGN	0x10000

uint64_t va_page_round(uint64_t size);

/**
 * va_reserve() - set address space aside
 * @fixed: wanted address, 0: anywhere
 * @size: bytes, a multiple of the page size
 * @align: at least so, a power of two; 0: by size
 * @address: out: where
 *
 * Return: 0, -ENOMEM, -EEXIST when @fixed is taken, -ERANGE when a GPU cannot
 * reach it.
 */
int va_reserve(uint64_t fixed, uint64_t size, uint64_t align, uint64_t *address);

/* Give it back, with whatever is mapped there. */
void va_release(uint64_t address, uint64_t size);

/* Keep it out of child processes. */
void va_dont_fork(uint64_t address, uint64_t size);

/* Drop what is mapped there and keep the addresses. Return: 0 or -ENOMEM. */
int va_blank(uint64_t address, uint64_t size);

#endif
