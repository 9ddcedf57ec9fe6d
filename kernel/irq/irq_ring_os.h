/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: what irq_ring.c needs of its surroundings
 *
 * Barriers and single accesses, once for the kernel and once for user space.
 */
#ifndef CARILLON_IRQ_RING_OS_H
#define CARILLON_IRQ_RING_OS_H

#ifdef __KERNEL__

#include <asm/barrier.h>
#include <asm/byteorder.h>
#include <linux/compiler.h>

#else /* user space, little endian */

#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v)	__atomic_store_n(&(x), v, __ATOMIC_RELAXED)
/* What they order is said where they are used. */
#define dma_rmb()		__atomic_thread_fence(__ATOMIC_ACQUIRE) /* definition */
#define dma_wmb()		__atomic_thread_fence(__ATOMIC_RELEASE) /* definition */
#define le32_to_cpu(x)		(x)
#define cpu_to_le32(x)		(x)

#endif /* __KERNEL__ */

#endif /* CARILLON_IRQ_RING_OS_H */
