// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: doorbell pages and the hot flag
 *
 * See vgpu_doorbell.h for the protocol.  The first two pages hold the kernel's own
 * doorbells and are there from the start, so that ringing them cannot fail; any
 * other page that the op is the first to touch is allocated without waiting.
 */
#include <linux/ktime.h>
#include <linux/mm.h>

#include "vgpu_doorbell.h"

/* One process slice of 8 KiB: the kernel's. */
#define KERNEL_PAGES	2

static struct page *page_get(struct vgpu_doorbell *db, u32 index, gfp_t gfp)
{
	/* Pairs with cmpxchg() below: the page is zeroed before it is seen. */
	struct page *page = smp_load_acquire(&db->page[index]), *won;

	if (page)
		return page;
	page = alloc_page(gfp | __GFP_ZERO | __GFP_NOWARN);
	if (!page)
		return NULL;
	won = cmpxchg(&db->page[index], NULL, page);
	if (won) {
		__free_page(page);
		return won;
	}
	atomic_long_inc(&db->pages);
	return page;
}

static u64 *slot_of(struct page *page, u32 offset)
{
	return page_address(page) + offset_in_page(offset);
}

static bool slot_valid(u32 offset)
{
	return offset < VGPU_DOORBELL_BYTES && IS_ALIGNED(offset, sizeof(u64));
}

/**
 * vgpu_doorbell_init - BAR2 with the kernel's pages
 * @db: zeroed
 *
 * Return: 0 or -ENOMEM; call vgpu_doorbell_fini() either way.
 */
int vgpu_doorbell_init(struct vgpu_doorbell *db)
{
	u32 i;

	spin_lock_init(&db->lock);
	for (i = 0; i < KERNEL_PAGES; i++)
		if (!page_get(db, i, GFP_KERNEL))
			return -ENOMEM;
	return 0;
}

/* Give the pages back; no mapping exists. */
void vgpu_doorbell_fini(struct vgpu_doorbell *db)
{
	u32 i;

	for (i = 0; i < VGPU_DOORBELL_PAGES; i++)
		if (db->page[i])
			__free_page(db->page[i]);
}

/**
 * vgpu_doorbell_get - last value of a slot
 * @db: BAR2
 * @offset: byte offset
 *
 * Context: any.
 * Return: 0 where nothing was ever stored or there is no slot.
 */
u64 vgpu_doorbell_get(struct vgpu_doorbell *db, u32 offset)
{
	struct page *page;

	if (!slot_valid(offset))
		return 0;
	/* Pairs with cmpxchg() in page_get(). */
	page = smp_load_acquire(&db->page[offset >> PAGE_SHIFT]);
	if (!page)
		return 0;
	/*
	 * Acquire pairs with the barrier that the ringer puts between its packets and
	 * write pointer on one side and this slot on the other.
	 */
	return smp_load_acquire(slot_of(page, offset));
}

/**
 * vgpu_doorbell_set - store a value
 * @db: BAR2
 * @offset: byte offset
 * @value: the value
 *
 * Context: any.
 * Return: false if the store was lost.
 */
bool vgpu_doorbell_set(struct vgpu_doorbell *db, u32 offset, u64 value)
{
	struct page *page;

	if (!slot_valid(offset))
		return false;
	page = page_get(db, offset >> PAGE_SHIFT, GFP_NOWAIT);
	if (!page)
		return false;
	atomic_long_inc(&db->rung);
	/* What the ringer wrote before is visible to whoever sees the slot. */
	smp_store_release(slot_of(page, offset), value);
	return true;
}

/* Set a slot to 0; any context. */
void vgpu_doorbell_clear(struct vgpu_doorbell *db, u32 offset)
{
	struct page *page;

	if (!slot_valid(offset))
		return;
	/* Pairs with cmpxchg() in page_get(). */
	page = smp_load_acquire(&db->page[offset >> PAGE_SHIFT]);
	if (page)
		WRITE_ONCE(*slot_of(page, offset), 0);
}

/* All slots to 0, window closed; no mapping exists. */
void vgpu_doorbell_reset(struct vgpu_doorbell *db)
{
	u32 i;

	vgpu_doorbell_close(db, true);
	for (i = 0; i < VGPU_DOORBELL_PAGES; i++)
		if (db->page[i])
			clear_page(page_address(db->page[i]));
}

/**
 * vgpu_doorbell_open - page for a user mapping that is about to exist
 * @db: BAR2
 * @index: page of BAR2
 *
 * Context: process context, sleeps.  The caller wakes the engines afterwards.
 * Return: the page, or ERR_PTR() with -EINVAL or -ENOMEM.
 */
struct page *vgpu_doorbell_open(struct vgpu_doorbell *db, u32 index)
{
	struct page *page;
	unsigned long flags;

	if (index >= VGPU_DOORBELL_PAGES)
		return ERR_PTR(-EINVAL);
	page = page_get(db, index, GFP_KERNEL_ACCOUNT);
	if (!page)
		return ERR_PTR(-ENOMEM);
	atomic_long_inc(&db->faults);
	spin_lock_irqsave(&db->lock, flags);
	db->hot = true;
	db->active_ns = ktime_get_ns();
	spin_unlock_irqrestore(&db->lock, flags);
	return page;
}

/* An engine found work; any context. */
void vgpu_doorbell_active(struct vgpu_doorbell *db)
{
	unsigned long flags;

	spin_lock_irqsave(&db->lock, flags);
	db->active_ns = ktime_get_ns();
	spin_unlock_irqrestore(&db->lock, flags);
}

/* May user mappings exist? */
bool vgpu_doorbell_hot(struct vgpu_doorbell *db)
{
	return READ_ONCE(db->hot);
}

static bool stale_locked(struct vgpu_doorbell *db)
{
	lockdep_assert_held(&db->lock);
	return db->hot && ktime_get_ns() - db->active_ns > VGPU_DOORBELL_IDLE_NS;
}

/* Is it time to close the window? Any context. */
bool vgpu_doorbell_stale(struct vgpu_doorbell *db)
{
	unsigned long flags;
	bool stale;

	spin_lock_irqsave(&db->lock, flags);
	stale = stale_locked(db);
	spin_unlock_irqrestore(&db->lock, flags);
	return stale;
}

/**
 * vgpu_doorbell_close - step 1 of the protocol, if it is time
 * @db: BAR2
 * @now: do not wait until the engines have been idle long enough
 *
 * Context: any.
 * Return: true if the caller is the one to go on with step 2.
 */
bool vgpu_doorbell_close(struct vgpu_doorbell *db, bool now)
{
	unsigned long flags;
	bool mine;

	spin_lock_irqsave(&db->lock, flags);
	mine = now ? db->hot : stale_locked(db);
	if (mine)
		db->hot = false;
	spin_unlock_irqrestore(&db->lock, flags);
	if (mine)
		atomic_long_inc(&db->withdrawals);
	return mine;
}
