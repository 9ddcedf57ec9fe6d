/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: byte movers of the copy engine
 *
 * Plain loops of 64-bit loads and stores.  memcpy() is "rep movs" in the kernel, which
 * crawls where the CPU itself is emulated (QEMU's TCG), and that is where this
 * model mostly runs; on a real CPU these loops are about as fast.  Memory may
 * be mapped by programs that write it at the same time: what they see of a range in
 * flight is theirs to sort out, but each aligned 64-bit word inside a range is stored
 * once and whole when destination and length allow it.
 */
#ifndef CARILLON_VGPU_SDMA_COPY_H
#define CARILLON_VGPU_SDMA_COPY_H

#include <linux/types.h>

void vgpu_copy(void *dst, const void *src, size_t bytes);
void vgpu_fill(void *dst, u32 pattern, size_t bytes);

#endif /* CARILLON_VGPU_SDMA_COPY_H */
