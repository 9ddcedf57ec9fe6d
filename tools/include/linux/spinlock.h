/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* User-space stand-in: one thread, no locks; whether one is held is known. */
#ifndef CARILLON_SHIM_SPINLOCK_H
#define CARILLON_SHIM_SPINLOCK_H

#include <linux/types.h>
#include <stdlib.h>

typedef struct {
	bool taken;
} raw_spinlock_t;

#define lockdep_assert_held(l) do {	\
	if (!(l)->taken)		\
		abort();		\
} while (0)

static inline void raw_spin_lock_irq(raw_spinlock_t *l)
{
	if (l->taken)
		abort();
	l->taken = true;
}

static inline void raw_spin_unlock_irq(raw_spinlock_t *l)
{
	lockdep_assert_held(l);
	l->taken = false;
}

#endif /* CARILLON_SHIM_SPINLOCK_H */
