/* SPDX-License-Identifier: MIT */
#ifndef DOORBELL_H
#define DOORBELL_H

#include <stdint.h>

#include "thunk_gpu.h"

/**
 * DOC: doorbells
 *
 * A process has one slice of doorbells on each GPU: 1024 of them, 8 bytes each
 * since gfx9. What queue creation returns is the place of one doorbell in the
 * address space of /dev/kfd: the slice's offset and, in its low bits, the byte in
 * the slice. The slice is mapped with the first queue and stays until the close.
 */

/**
 * doorbell_map() - address of a queue's doorbell
 * @gpu: the queue's GPU
 * @offset: doorbell_offset as queue creation returned it
 * @address: out: where the program stores its write pointer
 *
 * Return: 0 or a negative errno.
 */
int doorbell_map(struct thunk_gpu *gpu, uint64_t offset, uint64_t *address);

#endif
