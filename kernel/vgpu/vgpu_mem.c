// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: memory behind the model's VRAM
 *
 * See vgpu_mem.h.  Publishing is a compare-and-exchange from what was in the slot, so
 * two first touches of one page need no lock: the loser gives its page back.  A slot
 * that names an owner holds a reference to it; whoever takes the owner out of the slot
 * drops that.
 *
 * Discard is in two parts, because an engine in the middle of a step may still use
 * the page: unlink, let every engine pass a step (vgpu_device.c), release.
 *
 * Not done: large pages (a chunk for one touched page costs small VMs too much),
 * giving back chunk tables before the device goes (16 MiB for 8 GiB at most).
 */
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "vgpu_compat.h"
#include "vgpu_mem.h"
#include "vgpu_owner.h"

#define NOWAIT_GFP	(GFP_NOWAIT | __GFP_NOWARN | __GFP_ZERO)
#define CALLER_GFP	(GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN | __GFP_RETRY_MAYFAIL)
#define TABLE_GFP	(GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN | __GFP_RETRY_MAYFAIL)
#define REFILL_GFP	TABLE_GFP

/* Pages between two looks at how much memory the machine has left. */
#define SPARE_INTERVAL	64
#define SPARE_SHIFT	4

/* Reserve */

static struct page *reserve_take(struct vgpu_mem *mem)
{
	struct page *page = NULL;
	unsigned long flags;

	spin_lock_irqsave(&mem->lock, flags);
	if (mem->reserved) {
		page = list_first_entry(&mem->reserve, struct page, lru);
		list_del(&page->lru);
		mem->reserved--;
	}
	spin_unlock_irqrestore(&mem->lock, flags);
	schedule_work(&mem->refill);
	return page;
}

static bool reserve_put(struct vgpu_mem *mem, struct page *page)
{
	unsigned long flags;
	bool room;

	spin_lock_irqsave(&mem->lock, flags);
	room = mem->reserved < VGPU_RESERVE_PAGES;
	if (room) {
		list_add(&page->lru, &mem->reserve);
		mem->reserved++;
	}
	spin_unlock_irqrestore(&mem->lock, flags);
	return room;
}

/* Process context, may sleep. */
static void reserve_fill(struct vgpu_mem *mem)
{
	struct page *page;

	while (READ_ONCE(mem->reserved) < VGPU_RESERVE_PAGES) {
		page = alloc_page(REFILL_GFP);
		if (!page)
			return;
		if (!reserve_put(mem, page)) {
			__free_page(page);
			return;
		}
		cond_resched();
	}
}

static void reserve_refill_work(struct work_struct *work)
{
	reserve_fill(container_of(work, struct vgpu_mem, refill));
}

static void reserve_drain(struct vgpu_mem *mem)
{
	struct page *page, *next;

	list_for_each_entry_safe(page, next, &mem->reserve, lru)
		__free_page(page);
	INIT_LIST_HEAD(&mem->reserve);
	mem->reserved = 0;
}

/* Slots: 0, an owner with bit 0 set, or a pointer */

#define SLOT_CLAIMED	1UL

static bool slot_is_claimed(unsigned long slot)
{
	return slot & SLOT_CLAIMED;
}

static bool slot_is_pointer(unsigned long slot)
{
	return slot && !slot_is_claimed(slot);
}

static unsigned long slot_of_owner(struct mem_cgroup *owner)
{
	return owner ? (unsigned long)owner | SLOT_CLAIMED : 0;
}

static struct mem_cgroup *slot_owner(unsigned long slot)
{
	return slot_is_claimed(slot) ? (struct mem_cgroup *)(slot & ~SLOT_CLAIMED) : NULL;
}

/*
 * What is in a slot, and a reference to the owner that it names.  An owner that the
 * slot has just let go of may be missed: then the slot has changed as well.
 */
static unsigned long slot_get(unsigned long *at, struct mem_cgroup **owner)
{
	unsigned long slot;

	rcu_read_lock();
	/* Pairs with cmpxchg() in chunk_get() and page_populate(): contents before pointer. */
	slot = smp_load_acquire(at);
	*owner = slot_owner(slot);
	if (!vgpu_owner_tryget(*owner))
		*owner = NULL;
	rcu_read_unlock();
	return slot;
}

/* Empty a slot; what was in it, with its reference to an owner dropped. */
static unsigned long slot_clear(unsigned long *at)
{
	unsigned long slot = xchg(at, 0);

	vgpu_owner_put(slot_owner(slot), 1);
	return slot;
}

/* Pages */

static struct page *mem_alloc(struct vgpu_mem *mem, struct mem_cgroup *owner, bool may_sleep)
{
	struct page *page;

	if (owner)
		return vgpu_owner_alloc_page(owner, may_sleep ? CALLER_GFP : NOWAIT_GFP);
	if (may_sleep)
		return alloc_page(CALLER_GFP);
	page = alloc_page(NOWAIT_GFP);
	return page ? page : reserve_take(mem);
}

static bool machine_has_spare(const struct vgpu_mem *mem, long populated)
{
	return populated % SPARE_INTERVAL || si_mem_available() >= mem->spare;
}

static bool cap_get(struct vgpu_mem *mem)
{
	long populated = atomic_long_inc_return(&mem->populated);

	/* One that is refused gives its number back: the next one is looked at again. */
	if (populated <= mem->cap && machine_has_spare(mem, populated))
		return true;
	atomic_long_dec(&mem->populated);
	return false;
}

static struct page *table_alloc(struct vgpu_mem *mem, bool may_sleep)
{
	return may_sleep ? alloc_page(TABLE_GFP) : mem_alloc(mem, NULL, false);
}

static void table_fill(struct vgpu_mem_chunk *chunk, struct mem_cgroup *owner)
{
	unsigned int i;

	vgpu_owner_get(owner, VGPU_CHUNK_PAGES);
	for (i = 0; owner && i < VGPU_CHUNK_PAGES; i++)
		chunk->slot[i] = slot_of_owner(owner);
}

/* Publish a table where @was was; the one that is there now, or NULL. */
static struct vgpu_mem_chunk *table_publish(struct vgpu_mem *mem, unsigned long *at,
					    unsigned long was, struct mem_cgroup *owner,
					    struct vgpu_mem_chunk *chunk)
{
	unsigned long now = cmpxchg(at, was, (unsigned long)chunk);

	if (now == was) {
		vgpu_owner_put(owner, 1);
		atomic_long_inc(&mem->tables);
		return chunk;
	}
	vgpu_owner_put(owner, VGPU_CHUNK_PAGES);
	free_page((unsigned long)chunk);
	return slot_is_pointer(now) ? (struct vgpu_mem_chunk *)now : NULL;
}

static struct vgpu_mem_chunk *chunk_get(struct vgpu_mem *mem, unsigned long index, bool may_sleep)
{
	unsigned long *at = &mem->chunk[index], slot;
	struct vgpu_mem_chunk *chunk = NULL;
	struct mem_cgroup *owner;
	struct page *page;

	BUILD_BUG_ON(sizeof(*chunk) != PAGE_SIZE);
	slot = slot_get(at, &owner);
	if (slot_is_pointer(slot))
		return (struct vgpu_mem_chunk *)slot;
	page = table_alloc(mem, may_sleep);
	if (page) {
		table_fill(page_address(page), owner);
		chunk = table_publish(mem, at, slot, owner, page_address(page));
	}
	vgpu_owner_put(owner, 1);
	return chunk;
}

static struct page *page_populate(struct vgpu_mem *mem, unsigned long *at, bool may_sleep)
{
	struct mem_cgroup *owner;
	unsigned long slot, now;
	struct page *page;

	if (!cap_get(mem))
		return NULL;
	slot = slot_get(at, &owner);
	now = slot;
	page = slot_is_pointer(slot) ? NULL : mem_alloc(mem, owner, may_sleep);
	if (page) {
		/* Publishes the zeroed page; pairs with smp_load_acquire() in slot_get(). */
		now = cmpxchg(at, slot, (unsigned long)page);
		if (now == slot) {
			vgpu_owner_put(owner, 2);	/* the slot's and ours */
			return page;
		}
		__free_page(page);
	}
	vgpu_owner_put(owner, 1);
	atomic_long_dec(&mem->populated);
	return slot_is_pointer(now) ? (struct page *)now : NULL;
}

static struct page *mem_lookup(struct vgpu_mem *mem, u64 offset, bool may_sleep)
{
	struct vgpu_mem_chunk *chunk = chunk_get(mem, offset >> VGPU_CHUNK_SHIFT, may_sleep);
	unsigned long *at, slot;

	if (!chunk)
		return NULL;
	at = &chunk->slot[(offset >> PAGE_SHIFT) % VGPU_CHUNK_PAGES];
	/* Pairs with cmpxchg() in page_populate(): contents before pointer. */
	slot = smp_load_acquire(at);
	return slot_is_pointer(slot) ? (struct page *)slot : page_populate(mem, at, may_sleep);
}

/**
 * vgpu_mem_page - page behind an offset, for the driver
 * @mem: VRAM
 * @offset: page aligned
 *
 * Context: process context, sleeps.
 * Return: the page, or ERR_PTR() with -EINVAL (no such offset) or -ENOMEM.
 */
struct page *vgpu_mem_page(struct vgpu_mem *mem, u64 offset)
{
	struct page *page;

	might_sleep();
	if (offset >= mem->size || !PAGE_ALIGNED(offset))
		return ERR_PTR(-EINVAL);
	page = mem_lookup(mem, offset, true);
	if (!page) {
		atomic_long_inc(&mem->refused);
		return ERR_PTR(-ENOMEM);
	}
	if (READ_ONCE(mem->reserved) < VGPU_RESERVE_PAGES / 2)
		reserve_fill(mem);
	return page;
}

/* Table of a chunk, if it has one; that stays. */
static struct vgpu_mem_chunk *chunk_peek(struct vgpu_mem *mem, unsigned long index)
{
	/* Pairs with cmpxchg() in table_publish(): the table is filled before it is seen. */
	unsigned long slot = smp_load_acquire(&mem->chunk[index]);

	return slot_is_pointer(slot) ? (struct vgpu_mem_chunk *)slot : NULL;
}

/* Memory behind an offset, if it has some; @chunk is NULL or the table for it. */
static void *page_peek(struct vgpu_mem_chunk *chunk, u64 offset)
{
	unsigned long slot;

	if (!chunk)
		return NULL;
	/* Pairs with cmpxchg() in page_populate(): contents before pointer. */
	slot = smp_load_acquire(&chunk->slot[(offset >> PAGE_SHIFT) % VGPU_CHUNK_PAGES]);
	return slot_is_pointer(slot) ? page_address((struct page *)slot) : NULL;
}

/**
 * vgpu_mem_page_nowait - memory behind an offset, for engines
 * @mem: VRAM
 * @offset: page aligned
 *
 * Context: any; never enters reclaim.
 * Return: kernel address, or NULL if there is no such page or no memory.
 */
void *vgpu_mem_page_nowait(struct vgpu_mem *mem, u64 offset)
{
	struct page *page;
	void *memory;

	if (offset >= mem->size || !PAGE_ALIGNED(offset))
		return NULL;
	memory = page_peek(chunk_peek(mem, offset >> VGPU_CHUNK_SHIFT), offset);
	if (memory)
		return memory;
	page = mem_lookup(mem, offset, false);
	if (!page) {
		atomic_long_inc(&mem->refused);
		return NULL;
	}
	return page_address(page);
}

/**
 * vgpu_mem_pages_nowait - memory behind many offsets, for engines
 * @mem: VRAM
 * @offset: offsets; bits below a page do not count
 * @count: how many
 * @pages: for each what vgpu_mem_page_nowait() would say
 *
 * Context: any; never enters reclaim.
 */
void vgpu_mem_pages_nowait(struct vgpu_mem *mem, const u64 *offset, unsigned int count,
			   void **pages)
{
	struct vgpu_mem_chunk *chunk = NULL;
	unsigned long known = ~0UL;
	unsigned int i;

	for (i = 0; i < count; i++) {
		unsigned long index = offset[i] >> VGPU_CHUNK_SHIFT;

		if (index != known && index < mem->chunks) {
			chunk = chunk_peek(mem, index);
			known = index;
		}
		pages[i] = index == known ? page_peek(chunk, offset[i]) : NULL;
		if (unlikely(!pages[i])) {
			pages[i] = vgpu_mem_page_nowait(mem, offset[i] & PAGE_MASK);
			known = ~0UL;
		}
	}
}

/* Claims */

static void claim_slots(struct vgpu_mem_chunk *chunk, unsigned int first, unsigned int count,
			struct mem_cgroup *owner)
{
	unsigned int i;

	vgpu_owner_get(owner, count);
	for (i = first; i < first + count; i++)
		if (cmpxchg(&chunk->slot[i], 0, slot_of_owner(owner)))
			vgpu_owner_put(owner, 1);
}

static int claim_piece(struct vgpu_mem *mem, unsigned long index, unsigned int first,
		       unsigned int count, struct mem_cgroup *owner)
{
	struct vgpu_mem_chunk *chunk;

	if (count == VGPU_CHUNK_PAGES) {
		vgpu_owner_get(owner, 1);
		if (!cmpxchg(&mem->chunk[index], 0, slot_of_owner(owner)))
			return 0;
		vgpu_owner_put(owner, 1);
	}
	chunk = chunk_get(mem, index, true);
	if (!chunk)
		return -ENOMEM;
	claim_slots(chunk, first, count, owner);
	return 0;
}

static bool range_valid(const struct vgpu_mem *mem, u64 offset, u64 size)
{
	return PAGE_ALIGNED(offset) && PAGE_ALIGNED(size) && offset <= mem->size &&
	       size <= mem->size - offset;
}

/* Pages of the range in the chunk that @offset is in, and the first of them. */
static unsigned int piece(u64 offset, u64 end, unsigned int *first)
{
	*first = (offset >> PAGE_SHIFT) % VGPU_CHUNK_PAGES;
	return min_t(u64, VGPU_CHUNK_PAGES - *first, (end - offset) >> PAGE_SHIFT);
}

/**
 * vgpu_mem_claim - the caller pays for the pages of a range from now on
 * @mem: VRAM
 * @offset: page aligned
 * @size: page aligned
 *
 * Holds for pages that have no memory yet, and until they are discarded.
 *
 * Context: process context, sleeps.
 * Return: 0, -EINVAL (no such range) or -ENOMEM (a part may be claimed).
 */
int vgpu_mem_claim(struct vgpu_mem *mem, u64 offset, u64 size)
{
	struct mem_cgroup *owner;
	u64 end = offset + size;
	unsigned int n, first;
	int ret = 0;

	if (!range_valid(mem, offset, size))
		return -EINVAL;
	owner = vgpu_owner_get_current();
	for (; owner && offset < end && !ret; offset += (u64)n << PAGE_SHIFT) {
		n = piece(offset, end, &first);
		ret = claim_piece(mem, offset >> VGPU_CHUNK_SHIFT, first, n, owner);
		cond_resched();
	}
	vgpu_owner_put(owner, 1);
	return ret;
}

/* Discard */

static void unlink_slots(struct vgpu_mem *mem, struct vgpu_mem_chunk *chunk, unsigned int first,
			 unsigned int count, struct list_head *freed)
{
	unsigned long slot;
	unsigned int i;

	for (i = first; i < first + count; i++) {
		slot = slot_clear(&chunk->slot[i]);
		if (!slot_is_pointer(slot))
			continue;
		list_add(&((struct page *)slot)->lru, freed);
		atomic_long_dec(&mem->populated);
		atomic_long_inc(&mem->discarded);
	}
}

static void unlink_piece(struct vgpu_mem *mem, unsigned long index, unsigned int first,
			 unsigned int count, struct list_head *freed)
{
	unsigned long *at = &mem->chunk[index], slot;
	struct vgpu_mem_chunk *chunk;

	/* Pairs with cmpxchg() in table_publish(): the table is filled before it is seen. */
	slot = smp_load_acquire(at);
	if (slot_is_claimed(slot) && count == VGPU_CHUNK_PAGES && cmpxchg(at, slot, 0) == slot) {
		vgpu_owner_put(slot_owner(slot), 1);
		return;
	}
	/* Of a chunk that is claimed as a whole, without a page, a part may go. */
	chunk = slot ? chunk_get(mem, index, true) : NULL;
	if (chunk)
		unlink_slots(mem, chunk, first, count, freed);
}

/**
 * vgpu_mem_unlink - first half of discard: the range has no pages and no owner any more
 * @mem: VRAM
 * @offset: page aligned
 * @size: page aligned
 * @freed: the pages are added here
 *
 * Context: process context, sleeps.
 * Return: false if the range is not one of VRAM; nothing is done then.
 */
bool vgpu_mem_unlink(struct vgpu_mem *mem, u64 offset, u64 size, struct list_head *freed)
{
	u64 end = offset + size;
	unsigned int n, first;

	if (!range_valid(mem, offset, size))
		return false;
	vgpu_mem_wait_forget(mem, offset, size);
	for (; offset < end; offset += (u64)n << PAGE_SHIFT) {
		n = piece(offset, end, &first);
		unlink_piece(mem, offset >> VGPU_CHUNK_SHIFT, first, n, freed);
		cond_resched();
	}
	return true;
}

/**
 * vgpu_mem_release - second half of discard: nobody uses the pages any more
 * @freed: from vgpu_mem_unlink()
 *
 * Context: process context, sleeps.
 */
void vgpu_mem_release(struct list_head *freed)
{
	struct page *page;

	while ((page = list_first_entry_or_null(freed, struct page, lru))) {
		list_del(&page->lru);
		__free_page(page);
		cond_resched();
	}
}

/* Is it RAM of programs or drivers?  Its &struct page exists. */
static bool is_plain_ram(unsigned long pfn)
{
	struct page *page = pfn_to_page(pfn);

	return !is_zone_device_page(page) && (!PageReserved(page) || is_zero_pfn(pfn));
}

/* Can the kernel load from there?  Page faults are disabled. */
static bool is_mapped(const void *addr)
{
	u8 probe;

	__get_kernel_nofault(&probe, addr, u8, fault);
	return true;
fault:
	return false;
}

/**
 * vgpu_mem_system_pages - memory behind bus addresses
 * @dma: addresses; bits below a page do not count
 * @count: how many
 * @pages: their kernel addresses, or NULL
 *
 * The function sits in no IOMMU group, so its bus addresses are physical ones.
 * Only RAM counts; reserved pages (firmware, kernel text) do not, except for the
 * zero page, which read-only mappings of untouched memory show.  Nor do pages that
 * were taken out of the kernel's direct map (secret memory).
 *
 * Context: any.
 */
void vgpu_mem_system_pages(const u64 *dma, unsigned int count, void **pages)
{
	unsigned long known = ~0UL;
	unsigned int i;

	pagefault_disable();
	for (i = 0; i < count; i++) {
		unsigned long pfn = PHYS_PFN(dma[i]);

		pages[i] = NULL;
		/* There is a &struct page for every page of a block or for none. */
		if (pfn / pageblock_nr_pages != known) {
			if (dma[i] >> MAX_PHYSMEM_BITS || !pfn_valid(pfn))
				continue;
			known = pfn / pageblock_nr_pages;
		}
		if (is_plain_ram(pfn) && is_mapped(__va(PFN_PHYS(pfn))))
			pages[i] = __va(PFN_PHYS(pfn));
	}
	pagefault_enable();
}

/**
 * vgpu_mem_system - memory behind a bus address
 * @dma: page aligned
 *
 * See vgpu_mem_system_pages().
 *
 * Context: any.
 * Return: kernel address or NULL.
 */
void *vgpu_mem_system(u64 dma)
{
	void *page;

	if (!PAGE_ALIGNED(dma))
		return NULL;
	vgpu_mem_system_pages(&dma, 1, &page);
	return page;
}

/**
 * vgpu_mem_init - VRAM without any memory yet
 * @mem: zeroed
 * @size: bytes of VRAM, multiple of 2 MiB
 * @cap: most bytes that may be populated
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM.
 */
int vgpu_mem_init(struct vgpu_mem *mem, u64 size, u64 cap)
{
	mem->size = size;
	mem->cap = min(size, cap) >> PAGE_SHIFT;
	mem->spare = totalram_pages() >> SPARE_SHIFT;
	mem->chunks = size >> VGPU_CHUNK_SHIFT;
	spin_lock_init(&mem->lock);
	INIT_LIST_HEAD(&mem->reserve);
	INIT_WORK(&mem->refill, reserve_refill_work);
	vgpu_mem_wait_init(mem);
	mem->chunk = kvcalloc(mem->chunks, sizeof(*mem->chunk), GFP_KERNEL);
	if (!mem->chunk)
		return -ENOMEM;
	reserve_fill(mem);
	return 0;
}

/**
 * vgpu_mem_fini - give everything back
 * @mem: VRAM; no engine and no driver uses it
 *
 * Context: process context, sleeps.
 */
void vgpu_mem_fini(struct vgpu_mem *mem)
{
	LIST_HEAD(freed);
	unsigned long i;

	if (!mem->chunk)
		return;
	vgpu_mem_wait_fini(mem);
	cancel_work_sync(&mem->refill);
	vgpu_mem_unlink(mem, 0, mem->size, &freed);
	vgpu_mem_release(&freed);
	for (i = 0; i < mem->chunks; i++)
		free_page(mem->chunk[i]);
	kvfree(mem->chunk);
	mem->chunk = NULL;
	reserve_drain(mem);
}
