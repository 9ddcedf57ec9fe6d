/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* User-space stand-in: one thread, no locks; whether one is held is known. */
#ifndef CARILLON_SHIM_MUTEX_H
#define CARILLON_SHIM_MUTEX_H

#include <linux/spinlock.h>
#include <linux/types.h>

struct mutex {
	bool taken;
};

static inline void mutex_init(struct mutex *m)
{
	m->taken = false;
}

static inline void mutex_lock(struct mutex *m)
{
	if (m->taken)
		abort();
	m->taken = true;
}

static inline void mutex_unlock(struct mutex *m)
{
	m->taken = false;
}

#endif /* CARILLON_SHIM_MUTEX_H */
