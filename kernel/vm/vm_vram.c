// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: VRAM manager
 *
 * Own manager on drm_buddy, not TTM.  What decided it:
 *
 * - Half of the objects are user pages behind an MMU notifier, which TTM does not
 *   manage; the other half needs of TTM only the range manager, and that is
 *   drm_buddy.
 * - What must be evicted here is a process, not a buffer: all its queues stop,
 *   its buffers may move, all come back.  The order is chosen by process, and the
 *   bookkeeping for it is a list of processes, not TTM's list of resources.
 * - The pages of VRAM come one by one from a backend that populates them on first
 *   touch; there is no aperture that ttm_resource could describe, and a range
 *   that is given back must be told to the backend.
 * - TTM's interface changes with every kernel; drm_buddy, dma_resv and
 *   drm_gem_lru hardly do, and loading us pulls in drm_buddy.ko alone.
 *
 * What eviction will need is there: each object has a dma_resv, CPU mappings fault
 * page by page and can be withdrawn, the extents of an object are read under its
 * dma_resv only.
 *
 * drm_buddy loses its free list when the small allocation behind a split fails (6.1,
 * 6.12).  Such an allocation fails in a task that the OOM killer chose, and under
 * fault injection, but not in a worker, which waits for memory.  So a worker calls
 * the allocator.
 *
 * Contents: VRAM is cleared before an object or a table gets it, whatever state
 * it was left in, and cleared again when it comes back, so that a backend can
 * release the memory behind it.  In between the memory cgroup of the process that
 * allocated the object pays for that memory; for tables, whoever maps.
 */
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "../hw/hw_device.h"
#include "../kfd_compat.h"
#include "vm_device.h"
#include "vm_vram.h"

/* Share of VRAM for page tables: twice what mapping all of it page by page takes. */
#define VM_TABLE_SHARE_SHIFT	8
#define VM_TABLE_SHARE_MIN	SZ_1M

/**
 * vm_vram_init - start managing VRAM below the part that the hw layer keeps
 * @vram: manager
 * @hw: initialised device
 *
 * Context: process context.
 * Return: 0, -ENODEV if there is no VRAM to speak of, or -ENOMEM.
 */
int vm_vram_init(struct vm_vram *vram, struct hw_device *hw)
{
	u64 size;
	int ret;

	if (hw->vram_size <= hw->vram_reserved)
		return -ENODEV;
	size = round_down(hw->vram_size - hw->vram_reserved, PAGE_SIZE);
	if (size < 4 * VM_TABLE_SHARE_MIN)
		return -ENODEV;
	ret = drm_buddy_init(&vram->mm, size, PAGE_SIZE);
	if (ret)
		return ret;
	mutex_init(&vram->lock);
	vram->pa = hw->vram_pa;
	vram->total = hw->vram_size;
	vram->visible_total = min(hw->vram_size, hw->vram_visible);
	vram->visible = min(size, round_down(hw->vram_visible, PAGE_SIZE));
	vram->visible_free = vram->visible;
	vram->for_tables = max_t(u64, VM_TABLE_SHARE_MIN,
				 round_up(size >> VM_TABLE_SHARE_SHIFT, PAGE_SIZE));
	vram->tables = 0;
	return 0;
}

/**
 * vm_vram_fini - stop; everything has been given back
 * @vram: manager
 *
 * Context: process context.
 */
void vm_vram_fini(struct vm_vram *vram)
{
	WARN_ON(vram->tables);
	drm_buddy_fini(&vram->mm);
	mutex_destroy(&vram->lock);
}

/* Bytes that objects may still take. */
static u64 vm_vram_room_locked(struct vm_vram *vram)
{
	u64 keep;

	lockdep_assert_held(&vram->lock);
	keep = vram->for_tables > vram->tables ? vram->for_tables - vram->tables : 0;
	return vram->mm.avail > keep ? vram->mm.avail - keep : 0;
}

/**
 * vm_vram_available - VRAM that objects can still have
 * @vmd: device
 *
 * An object of that size can be had as well as many of a page that make it up: pieces
 * need not be neighbours.
 *
 * Context: process context.
 * Return: bytes.
 */
u64 vm_vram_available(struct vm_device *vmd)
{
	u64 room;

	mutex_lock(&vmd->vram.lock);
	room = vm_vram_room_locked(&vmd->vram);
	mutex_unlock(&vmd->vram.lock);
	return room;
}

/**
 * struct vm_vram_request - one call of the allocator, made by a worker
 * @work: on the stack of who waits
 * @mm: allocator; its lock is held by who waits
 * @end: look below this offset
 * @size: bytes
 * @align: size and alignment of the smallest block
 * @flags: for drm_buddy_alloc_blocks()
 * @blocks: filled
 * @ret: result
 */
struct vm_vram_request {
	struct work_struct work;
	struct drm_buddy *mm;
	u64 end;
	u64 size;
	u64 align;
	unsigned long flags;
	struct list_head *blocks;
	int ret;
};

static void vm_vram_serve(struct work_struct *work)
{
	struct vm_vram_request *req = container_of(work, struct vm_vram_request, work);

	req->ret = drm_buddy_alloc_blocks(req->mm, 0, req->end, req->size, req->align,
					  req->blocks, req->flags);
}

static int vm_vram_ask_locked(struct vm_vram *vram, u64 end, u64 size, u64 align,
			      struct list_head *blocks)
{
	struct vm_vram_request req = {
		.mm = &vram->mm,
		.end = end,
		.size = size,
		.align = align,
		.flags = end < vram->mm.size ? DRM_BUDDY_RANGE_ALLOCATION : 0,
		.blocks = blocks,
	};

	lockdep_assert_held(&vram->lock);
	INIT_WORK_ONSTACK(&req.work, vm_vram_serve);
	queue_work(system_unbound_wq, &req.work);
	flush_work(&req.work);
	destroy_work_on_stack(&req.work);
	return req.ret;
}

/* How much of a block a CPU can reach. */
static u64 vm_vram_block_visible(struct vm_vram *vram, struct drm_buddy_block *block)
{
	u64 offset = drm_buddy_block_offset(block);

	if (offset >= vram->visible)
		return 0;
	return min(drm_buddy_block_size(&vram->mm, block), vram->visible - offset);
}

static u64 vm_vram_visible(struct vm_vram *vram, struct list_head *blocks)
{
	struct drm_buddy_block *block;
	u64 sum = 0;

	list_for_each_entry(block, blocks, link)
		sum += vm_vram_block_visible(vram, block);
	return sum;
}

static int vm_vram_take_locked(struct vm_vram *vram, u64 size, struct list_head *blocks)
{
	int ret = -ENOSPC;

	lockdep_assert_held(&vram->lock);
	if (size > vm_vram_room_locked(vram))
		return -ENOMEM;
	/* Whole 2 MiB pages first: one PDB0 entry maps each. */
	if (IS_ALIGNED(size, SZ_2M))
		ret = vm_vram_ask_locked(vram, vram->mm.size, size, SZ_2M, blocks);
	if (ret)
		ret = vm_vram_ask_locked(vram, vram->mm.size, size, PAGE_SIZE, blocks);
	if (ret)
		return -ENOMEM;
	WRITE_ONCE(vram->visible_free, vram->visible_free - vm_vram_visible(vram, blocks));
	return 0;
}

static void vm_vram_give_locked(struct vm_vram *vram, struct list_head *blocks)
{
	lockdep_assert_held(&vram->lock);
	WRITE_ONCE(vram->visible_free, vram->visible_free + vm_vram_visible(vram, blocks));
	kfd_buddy_free_list(&vram->mm, blocks);
}

static int vm_vram_index(struct vm_vram *vram, struct vm_vram_alloc *alloc)
{
	struct drm_buddy_block *block;
	struct vm_vram_extent *e = NULL;
	unsigned int blocks = 0;
	u64 start = 0;

	list_for_each_entry(block, &alloc->blocks, link)
		blocks++;
	alloc->extents = kvcalloc(blocks, sizeof(*alloc->extents), HW_GFP_USER);
	if (!alloc->extents)
		return -ENOMEM;
	alloc->count = 0;
	list_for_each_entry(block, &alloc->blocks, link) {
		u64 offset = drm_buddy_block_offset(block);
		u64 size = drm_buddy_block_size(&vram->mm, block);

		if (e && e->offset + e->size == offset) {
			e->size += size;
		} else {
			e = &alloc->extents[alloc->count++];
			*e = (struct vm_vram_extent){ start, offset, size };
		}
		start += size;
	}
	return 0;
}

/* -ENODEV: gone, the contents no longer matter. */
static int vm_vram_each(struct vm_device *vmd, const struct vm_vram_alloc *alloc,
			int (*fn)(struct hw_device *hw, u64 offset, u64 size))
{
	unsigned int i;
	int idx, ret = 0;

	if (!vm_device_enter(vmd, &idx))
		return -ENODEV;
	for (i = 0; i < alloc->count && !ret; i++) {
		ret = fn(vmd->hw, alloc->extents[i].offset, alloc->extents[i].size);
		cond_resched();
	}
	vm_device_exit(idx);
	return ret;
}

static int vm_vram_clear(struct vm_device *vmd, const struct vm_vram_alloc *alloc)
{
	return vm_vram_each(vmd, alloc, hw_vram_clear);
}

/* From here on the caller pays for memory that a virtual function has to find. */
static int vm_vram_claim(struct vm_device *vmd, const struct vm_vram_alloc *alloc)
{
	int ret = vm_vram_each(vmd, alloc, hw_vram_claim);

	if (ret)
		vm_vram_clear(vmd, alloc);
	return ret;
}

/**
 * vm_vram_alloc - take VRAM for an object, cleared
 * @vmd: device
 * @size: bytes, page multiple
 * @alloc: filled
 *
 * Context: process context, allocates.
 * Return: 0, -EINVAL, -ENOMEM or -ENODEV.
 */
int vm_vram_alloc(struct vm_device *vmd, u64 size, struct vm_vram_alloc *alloc)
{
	struct vm_vram *vram = &vmd->vram;
	int ret;

	if (!size || !PAGE_ALIGNED(size))
		return -EINVAL;
	INIT_LIST_HEAD(&alloc->blocks);
	alloc->size = size;
	mutex_lock(&vram->lock);
	ret = vm_vram_take_locked(vram, size, &alloc->blocks);
	mutex_unlock(&vram->lock);
	if (ret)
		return ret;
	ret = vm_vram_index(vram, alloc);
	if (ret)
		goto err_give;
	ret = vm_vram_clear(vmd, alloc);
	if (!ret)
		ret = vm_vram_claim(vmd, alloc);
	if (ret)
		goto err_free_index;
	return 0;

err_free_index:
	kvfree(alloc->extents);
err_give:
	mutex_lock(&vram->lock);
	vm_vram_give_locked(vram, &alloc->blocks);
	mutex_unlock(&vram->lock);
	return ret;
}

/**
 * vm_vram_free - give VRAM of an object back
 * @vmd: device
 * @alloc: filled by vm_vram_alloc(); no CPU or GPU mapping of it is left
 *
 * Context: process context.
 */
void vm_vram_free(struct vm_device *vmd, struct vm_vram_alloc *alloc)
{
	/* What could not be cleared now is cleared before somebody gets it. */
	vm_vram_clear(vmd, alloc);
	mutex_lock(&vmd->vram.lock);
	vm_vram_give_locked(&vmd->vram, &alloc->blocks);
	mutex_unlock(&vmd->vram.lock);
	kvfree(alloc->extents);
	alloc->extents = NULL;
}

/**
 * vm_vram_find - the extent that holds a byte of an allocation
 * @alloc: allocation
 * @pos: byte in it
 *
 * Context: any; the allocation does not change meanwhile (dma_resv of its object).
 * Return: the extent; NULL beyond the end.
 */
const struct vm_vram_extent *vm_vram_find(const struct vm_vram_alloc *alloc, u64 pos)
{
	unsigned int low = 0, high = alloc->count;

	while (low < high) {
		unsigned int mid = low + (high - low) / 2;
		const struct vm_vram_extent *e = &alloc->extents[mid];

		if (pos < e->start)
			high = mid;
		else if (pos - e->start >= e->size)
			low = mid + 1;
		else
			return e;
	}
	return NULL;
}

/**
 * vm_vram_alloc_table - take a page for a page table
 * @vmd: device
 * @block: filled; its contents are whatever was there
 *
 * Context: process context, allocates.
 * Return: 0 or -ENOMEM.
 */
int vm_vram_alloc_table(struct vm_device *vmd, struct drm_buddy_block **block)
{
	struct vm_vram *vram = &vmd->vram;
	LIST_HEAD(blocks);
	int ret;

	mutex_lock(&vram->lock);
	ret = vm_vram_ask_locked(vram, vram->visible, PAGE_SIZE, PAGE_SIZE, &blocks);
	if (!ret) {
		vram->tables += PAGE_SIZE;
		WRITE_ONCE(vram->visible_free, vram->visible_free - PAGE_SIZE);
	}
	mutex_unlock(&vram->lock);
	if (ret)
		return -ENOMEM;
	*block = list_first_entry(&blocks, struct drm_buddy_block, link);
	INIT_LIST_HEAD(&(*block)->link);
	atomic64_inc(&vmd->count.table_pages);
	return 0;
}

/**
 * vm_vram_free_table - give a page of a page table back
 * @vmd: device
 * @block: from vm_vram_alloc_table(); no walk can reach it any more
 *
 * Context: process context.
 */
void vm_vram_free_table(struct vm_device *vmd, struct drm_buddy_block *block)
{
	struct vm_vram *vram = &vmd->vram;
	int idx;

	if (vm_device_enter(vmd, &idx)) {
		hw_vram_clear(vmd->hw, drm_buddy_block_offset(block), PAGE_SIZE);
		vm_device_exit(idx);
	}
	mutex_lock(&vram->lock);
	vram->tables -= PAGE_SIZE;
	WRITE_ONCE(vram->visible_free, vram->visible_free + PAGE_SIZE);
	drm_buddy_free_block(&vram->mm, block);
	mutex_unlock(&vram->lock);
	atomic64_dec(&vmd->count.table_pages);
}
