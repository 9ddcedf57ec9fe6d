/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: doorbells of the model
 *
 * BAR2 is memory: 512 pages, each allocated when somebody first needs it.  A slot
 * (8 bytes) keeps the last value stored.  Kernel code rings through an op, which
 * wakes the engines at once.  User space stores straight into the page; while such a
 * mapping may exist the window is hot, and engines with a queue that listens to a
 * doorbell look at their slots from time to time (vgpu_worker.h).
 *
 * When all engines have been idle for a while, a work item closes the window.  The
 * order makes it lossless:
 *
 *	1. clear hot: engines that find nothing go to sleep
 *	2. have the driver withdraw all user mappings
 *	3. wake every engine to look at its slots once more
 *
 * A store before 2 is seen in 3.  A store after 2 faults; the driver's handler asks
 * for the page, which sets hot and wakes the engines, before it maps the page again.
 * The driver holds a lock over those two steps that its withdrawal takes and drops
 * before it zaps (hw_backend.h), so that no mapping appears with hot clear.
 */
#ifndef CARILLON_VGPU_DOORBELL_H
#define CARILLON_VGPU_DOORBELL_H

#include <linux/atomic.h>
#include <linux/mm_types.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#define VGPU_DOORBELL_BYTES	(2u << 20)
#define VGPU_DOORBELL_PAGES	(VGPU_DOORBELL_BYTES >> PAGE_SHIFT)
/*
 * Idle time before the window is closed: a program that works on what it got and then
 * rings again should not pay for a fault each time.
 */
#define VGPU_DOORBELL_IDLE_NS	20000000

/**
 * struct vgpu_doorbell - BAR2
 * @page: NULL until needed; stays until the device goes
 * @pages: how many there are
 * @lost: stores that were dropped: aperture closed, no engine there, no memory
 * @rung: stores through the op
 * @faults: pages handed out for user mappings
 * @withdrawals: windows closed
 * @lock: protects @hot and @active_ns
 * @hot: user mappings may exist
 * @active_ns: when an engine last found work, or the window was opened
 */
struct vgpu_doorbell {
	struct page *page[VGPU_DOORBELL_PAGES];
	atomic_long_t pages, lost, rung, faults, withdrawals;
	spinlock_t lock;	/* for hot, active_ns */
	bool hot;
	u64 active_ns;
};

int vgpu_doorbell_init(struct vgpu_doorbell *db);
void vgpu_doorbell_fini(struct vgpu_doorbell *db);
u64 vgpu_doorbell_get(struct vgpu_doorbell *db, u32 offset);
bool vgpu_doorbell_set(struct vgpu_doorbell *db, u32 offset, u64 value);
void vgpu_doorbell_clear(struct vgpu_doorbell *db, u32 offset);
void vgpu_doorbell_reset(struct vgpu_doorbell *db);
struct page *vgpu_doorbell_open(struct vgpu_doorbell *db, u32 index);
void vgpu_doorbell_active(struct vgpu_doorbell *db);
bool vgpu_doorbell_hot(struct vgpu_doorbell *db);
bool vgpu_doorbell_stale(struct vgpu_doorbell *db);
bool vgpu_doorbell_close(struct vgpu_doorbell *db, bool now);

#endif /* CARILLON_VGPU_DOORBELL_H */
