/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: GPU virtual memory and buffer objects, what the KFD layer uses
 *
 * A &struct vm_space is one four-level page table.  Mapping is all or nothing:
 * everything is allocated before the first entry is written, and a failed update
 * undoes its own part.  A &struct vm_bo is a drm_gem_object with its dma_resv;
 * CPU mappings fault page by page.
 *
 * Lifetime: objects and spaces hold the drm_device.  vm_device_fini() may come
 * before the last of them goes; from then on they hold no DMA mapping and touch no
 * register, and dropping them works as before.
 */
#ifndef CARILLON_VM_H
#define CARILLON_VM_H

#include <drm/drm_gem.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include "vm_pte.h"	/* VM_MAP_* */

struct page;

struct dma_buf;
struct drm_file;
struct hw_device;
struct sdma_device;
struct vm_device;	/* vm_device.h; embedded by the owner of the drm_device */
struct vm_space;

/* Of the whole module. */
int vm_init(void);
void vm_exit(void);

int vm_device_init(struct vm_device *vmd, struct hw_device *hw, struct sdma_device *sdma,
		   struct drm_device *drm);
/* After drm_dev_unplug() and with all queues stopped, before the hw layer goes. */
void vm_device_fini(struct vm_device *vmd);

/**
 * struct vm_stats - counters that must return to where they were
 * @spaces: address spaces
 * @table_pages: pages of page tables, roots included
 * @bos_vram: VRAM objects
 * @bos_gtt: GTT objects
 * @bos_user: user-page objects
 * @vram_bytes: bytes of VRAM objects, without tables
 * @gtt_bytes: bytes of GTT objects; pages of a peer object count with their owner
 * @user_pages: user pages that are mapped for DMA at this moment
 * @mappings: mappings in all spaces
 */
struct vm_stats {
	u64 spaces;
	u64 table_pages;
	u64 bos_vram;
	u64 bos_gtt;
	u64 bos_user;
	u64 vram_bytes;
	u64 gtt_bytes;
	u64 user_pages;
	u64 mappings;
};

void vm_device_stats(struct vm_device *vmd, struct vm_stats *out);

/* What objects can have together on an empty device. */
u64 vm_vram_size(struct vm_device *vmd);
/* What they can still have, in one piece or many. */
u64 vm_vram_available(struct vm_device *vmd);

/**
 * struct vm_memory - memory of a device, in bytes
 * @vram_total: VRAM
 * @vram_used: objects, page tables, and what the hw layer keeps
 * @visible_total: the part of VRAM that a CPU reaches
 * @visible_used: what is used of that
 * @gtt_total: most that GTT objects may hold
 * @gtt_used: what they hold
 */
struct vm_memory {
	u64 vram_total;
	u64 vram_used;
	u64 visible_total;
	u64 visible_used;
	u64 gtt_total;
	u64 gtt_used;
};

/* vm_usage.c */
void vm_device_memory(struct vm_device *vmd, struct vm_memory *out);
/* Of the objects that @file, and no other, may map.  Process context. */
void vm_file_memory(struct vm_device *vmd, const struct drm_file *file, u64 *vram, u64 *gtt);

enum vm_bo_kind { VM_BO_VRAM, VM_BO_GTT, VM_BO_USER };

#define VM_BO_PUBLIC	1	/* a CPU may map it */
/* What its allocator wants of mappings; who imports it maps it the same. */
#define VM_BO_COHERENT	2
#define VM_BO_UNCACHED	4
#define VM_BO_FLAGS	7

/**
 * struct vm_bo - buffer object
 * @base: GEM object; its resv guards the backing store
 * @vmd: device, of which it holds the drm_device
 * @kind: where the bytes are
 * @flags: VM_BO_*
 * @user_addr: VM_BO_USER: CPU address in the owner's mm
 * @backing: &struct vm_vram_alloc, &struct vm_bo_gtt or &struct vm_bo_user,
 *	private to vm_bo_*.c
 * @link: in &vm_device.bos, guarded by &vm_device.bos_lock
 * @owner: the open file that may map it, or NULL; see vm_bo_allow()
 */
struct vm_bo {
	struct drm_gem_object base;
	struct vm_device *vmd;
	enum vm_bo_kind kind;
	u32 flags;
	u64 user_addr;
	void *backing;
	struct list_head link;
	struct drm_file *owner;
};

/* VRAM or GTT, zeroed.  ERR_PTR(-EINVAL, -ENOMEM (VRAM full too), -ENODEV). */
struct vm_bo *vm_bo_create(struct vm_device *vmd, enum vm_bo_kind kind, u64 size, u32 flags);
/*
 * The pages of @bo (GTT, maybe of another device) for mappings in spaces of @vmd.  Keeps
 * @bo.  No CPU maps it.  ERR_PTR(-EINVAL (not GTT), -ENOMEM, -ENODEV).
 */
struct vm_bo *vm_bo_create_peer(struct vm_device *vmd, struct vm_bo *bo);

/**
 * struct vm_user_ops - what happens to user pages
 * @quiesce: the pages may go: stop every queue that can reach them.  Counted: one
 *	resume() follows each.
 * @resume: their entries are back, or there is nothing to wait for any more
 * @lost: the pages are gone for good (munmap, mprotect); the mapping at @gpu_va
 *	stays empty, resume() follows.  Once for each failed attempt to get them back.
 *
 * None of the three may allocate, touch user memory, take a lock under which
 * somebody does, or drop an object or a space: they run in the MMU notifier or
 * under a lock that it takes.  All may sleep.
 */
struct vm_user_ops {
	void (*quiesce)(void *data);
	void (*resume)(void *data);
	void (*lost)(void *data, u64 gpu_va);
};

/*
 * Pages of current->mm at @addr (page aligned).  None is faulted in yet.  Revalidation
 * runs on a work item of the object with the mm held.  @ops may be called as long as a
 * space maps the object.
 */
struct vm_bo *vm_bo_create_user(struct vm_device *vmd, u64 addr, u64 size, bool writable,
				const struct vm_user_ops *ops, void *data);
/*
 * Fault user pages in, or wait until they are; nothing to do for other kinds.  Under no lock:
 * the client's memory decides how long it takes.  -EFAULT: they are gone; -EPERM; -EINTR.
 */
int vm_bo_populate(struct vm_bo *bo);
static inline void vm_bo_get(struct vm_bo *bo)
{
	drm_gem_object_get(&bo->base);
}

/* NULL is fine.  Not from struct vm_user_ops, not under a lock that these take. */
void vm_bo_put(struct vm_bo *bo);

/*
 * Let @file (render node) mmap the object; once, before its offset is handed out.
 * The caller keeps the file open as long as it keeps the object.
 */
int vm_bo_allow(struct vm_bo *bo, struct drm_file *file);
/* Take that back, before the file goes; what is mapped stays. */
void vm_bo_disallow(struct vm_bo *bo);
/* Fake mmap offset on the render node (bytes), allocated on first use. */
int vm_bo_mmap_offset(struct vm_bo *bo, u64 *offset);
/* Kernel mapping of a GTT object (event page). */
int vm_bo_vmap(struct vm_bo *bo, void **cpu);
void vm_bo_vunmap(struct vm_bo *bo);

/*
 * A dma-buf that holds @bo (VRAM or GTT).  ERR_PTR(-EPERM (user pages), -ENODEV, or what
 * dma_buf_export() says).
 */
struct dma_buf *vm_bo_export(struct vm_bo *bo, bool writable);
/* The object behind a dma-buf, without a reference; NULL: somebody else's dma-buf. */
struct vm_bo *vm_bo_of_dma_buf(struct dma_buf *dmabuf);

/* Address spaces.  One reference from create. */
struct vm_space *vm_space_create(struct vm_device *vmd);
void vm_space_get(struct vm_space *vm);
/* The last reference removes all mappings.  NULL is fine. */
void vm_space_put(struct vm_space *vm);
/* Root PDE for hw_hub_set_context(). */
u64 vm_space_root(struct vm_space *vm);
/*
 * While a VMID is set, map, unmap and revalidation flush it.  0: none.  Set it
 * before a queue runs with it, clear it after the last was unloaded, flush it
 * before another space gets it.  Allocates nothing: may be called from quiesce()
 * and resume().
 */
void vm_space_set_vmid(struct vm_space *vm, unsigned int vmid);

/*
 * Map all of @bo at @va.  -EEXIST: overlaps another mapping.  Same object at same
 * address again: 0.  Returns after the entries are in memory and flushed; those of user
 * pages that are not there follow with vm_bo_populate(), and until then the owner's
 * queues are stopped.  -EPERM: VM_MAP_WRITE of an object that is not writable.
 * -EIO: an earlier update or flush of this space timed out.
 */
int vm_space_map(struct vm_space *vm, struct vm_bo *bo, u64 va, u32 flags);
/*
 * Register or doorbell pages at bus addresses: uncached, system aperture.  Of a page that is
 * memory, @memory, the mapping holds a reference while an engine may use it.
 */
int vm_space_map_io(struct vm_space *vm, u64 va, const dma_addr_t *pages, unsigned int count,
		    struct page *memory, u32 flags);
/* An engine may still use what was mapped in @vm, until the device goes. */
bool vm_space_is_stuck(const struct vm_space *vm);
/*
 * Remove the mapping that starts at @va, flush, wait for the flush.  -ENOENT.
 * After 0 no engine uses the pages.  -ETIMEDOUT, -EIO: an engine might; the mapping
 * is gone for the caller, its memory is kept until the device goes.
 */
int vm_space_unmap(struct vm_space *vm, u64 va);

#endif /* CARILLON_VM_H */
