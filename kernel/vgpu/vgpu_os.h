/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: what the model's pure files need of their surroundings
 *
 * Locks, memory, barriers and atomics on shared memory, once for the kernel and
 * once for user space, where the same files are tested.  Nothing else of either
 * world is used by the engines.
 */
#ifndef CARILLON_VGPU_OS_H
#define CARILLON_VGPU_OS_H

#include <linux/types.h>

#ifdef __KERNEL__

#include <asm/barrier.h>
#include <linux/atomic.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#define vgpu_lock_t			spinlock_t
#define vgpu_lock_init(l)		spin_lock_init(l)
#define vgpu_lock(l, flags)		spin_lock_irqsave(l, flags)
#define vgpu_unlock(l, flags)		spin_unlock_irqrestore(l, flags)
#define vgpu_assert_locked(l)		lockdep_assert_held(l)

static inline void *vgpu_zalloc(size_t size)
{
	return kvzalloc(size, GFP_KERNEL);
}

static inline void vgpu_free(void *p)
{
	kvfree(p);
}

#define vgpu_cmpxchg32(p, old, new)	cmpxchg(p, old, new)
#define vgpu_cmpxchg64(p, old, new)	cmpxchg64(p, old, new)

#else /* user space */

#include <stdlib.h>

struct vgpu_user_lock {
	char taken;
};

#define vgpu_lock_t			struct vgpu_user_lock
#define vgpu_lock_init(l)		__atomic_clear(&(l)->taken, __ATOMIC_RELEASE)
#define vgpu_lock(l, flags) do {					\
	(flags) = 0;							\
	while (__atomic_test_and_set(&(l)->taken, __ATOMIC_ACQUIRE))	\
		;							\
} while (0)
#define vgpu_unlock(l, flags) do {					\
	(void)(flags);							\
	__atomic_clear(&(l)->taken, __ATOMIC_RELEASE);			\
} while (0)
#define vgpu_assert_locked(l) do {					\
	if (!__atomic_load_n(&(l)->taken, __ATOMIC_RELAXED))		\
		abort();						\
} while (0)

static inline void *vgpu_zalloc(size_t size)
{
	return calloc(1, size);
}

static inline void vgpu_free(void *p)
{
	free(p);
}

#define READ_ONCE(x)			__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v)		__atomic_store_n(&(x), v, __ATOMIC_RELAXED)
/* What they order is said where they are used. */
#define smp_load_acquire(p)		__atomic_load_n(p, __ATOMIC_ACQUIRE) /* definition */
#define smp_store_release(p, v)		__atomic_store_n(p, v, __ATOMIC_RELEASE) /* definition */
#define smp_mb()			__atomic_thread_fence(__ATOMIC_SEQ_CST) /* definition */
#define smp_wmb()			__atomic_thread_fence(__ATOMIC_RELEASE) /* definition */

/* Returns what was there, like the kernel's. */
static inline u32 vgpu_cmpxchg32(u32 *p, u32 old, u32 new)
{
	__atomic_compare_exchange_n(p, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	return old;
}

static inline u64 vgpu_cmpxchg64(u64 *p, u64 old, u64 new)
{
	__atomic_compare_exchange_n(p, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	return old;
}

#endif /* __KERNEL__ */

#endif /* CARILLON_VGPU_OS_H */
