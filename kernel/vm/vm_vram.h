/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: who owns which part of VRAM
 *
 * A drm_buddy over VRAM below the part that the hw layer keeps.  Buffer objects
 * take a list of blocks; page tables take single pages out of the part that a CPU
 * can reach.  A share of VRAM is kept for page tables, so that what was allocated
 * can also be mapped.
 */
#ifndef CARILLON_VM_VRAM_H
#define CARILLON_VM_VRAM_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include "../kfd_compat.h"

struct hw_device;
struct vm_device;

/**
 * struct vm_vram - VRAM manager of a device
 * @mm: the buddy allocator; guarded by @lock
 * @lock: innermost lock but for allocation under it; never taken by the MMU notifier
 * @pa: address of VRAM offset 0 in page-table entries
 * @total: bytes of VRAM, with what the hw layer keeps
 * @visible_total: bytes of it that a CPU can reach
 * @visible: bytes of @mm that a CPU can reach; page tables lie below
 * @visible_free: those of them that nobody has; guarded by @lock
 * @for_tables: bytes that objects leave free for page tables
 * @tables: bytes that page tables hold; guarded by @lock
 */
struct vm_vram {
	struct drm_buddy mm;
	struct mutex lock;
	u64 pa;
	u64 total;
	u64 visible_total;
	u64 visible;
	u64 visible_free;
	u64 for_tables;
	u64 tables;
};

/**
 * struct vm_vram_extent - contiguous part of an allocation
 * @start: byte in the allocation
 * @offset: byte in VRAM, page multiple
 * @size: bytes
 */
struct vm_vram_extent {
	u64 start;
	u64 offset;
	u64 size;
};

/**
 * struct vm_vram_alloc - VRAM of one object
 * @blocks: what the buddy allocator gave
 * @extents: the same in order, neighbours joined, for look-ups
 * @count: entries of @extents
 * @size: bytes
 */
struct vm_vram_alloc {
	struct list_head blocks;
	struct vm_vram_extent *extents;
	unsigned int count;
	u64 size;
};

int vm_vram_init(struct vm_vram *vram, struct hw_device *hw);
void vm_vram_fini(struct vm_vram *vram);

int vm_vram_alloc(struct vm_device *vmd, u64 size, struct vm_vram_alloc *alloc);
void vm_vram_free(struct vm_device *vmd, struct vm_vram_alloc *alloc);
const struct vm_vram_extent *vm_vram_find(const struct vm_vram_alloc *alloc, u64 pos);

int vm_vram_alloc_table(struct vm_device *vmd, struct drm_buddy_block **block);
void vm_vram_free_table(struct vm_device *vmd, struct drm_buddy_block *block);

#endif /* CARILLON_VM_VRAM_H */
