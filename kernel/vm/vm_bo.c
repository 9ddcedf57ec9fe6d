// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: buffer objects: VRAM and GTT
 *
 * A &struct vm_bo is a drm_gem_object.  Its dma_resv guards where its bytes are:
 * whoever looks at the extents of a VRAM object or the bus addresses of a GTT
 * object holds it, so that a later eviction can move the object after
 * drm_vma_node_unmap().
 *
 * CPU mappings go through the render node at a fake offset and only for the open
 * file that was allowed to (vm_bo_allow()).  They fault page by page into a
 * VM_PFNMAP area: no reference to a page is ever handed out, and withdrawing the
 * mappings is enough to take the pages away.  A VRAM object without VM_BO_PUBLIC
 * can only be mapped as a hole: user space reserves its addresses with PROT_NONE,
 * even MAP_PRIVATE, and nothing can ever fault there.
 *
 * An object belongs to one device, because its bus addresses do.  For another device
 * to use the pages of a GTT object, a peer object of that device borrows them: it
 * keeps their owner and has a DMA mapping of its own.
 *
 * User-page objects are in vm_bo_user.c; objects as dma-bufs in vm_bo_share.c.
 *
 * Not done: eviction, huge CPU mappings (6.1 never asks for them on VM_PFNMAP).
 */
#include <drm/drm_file.h>
#include <drm/drm_vma_manager.h>
#include <linux/dma-mapping.h>
#include <linux/dma-resv.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "../hw/hw_device.h"
#include "../kfd_compat.h"
#include "vm_bo.h"
#include "vm_bo_user.h"
#include "vm_device.h"

#define VM_GTT_GFP	(HW_GFP_USER | __GFP_ZERO)
/* CPU and engines, maybe of two devices, use the pages at once: nothing to sync at. */
#define VM_GTT_DMA_ATTRS	DMA_ATTR_SKIP_CPU_SYNC

static const struct drm_gem_object_funcs vm_bo_gem_funcs;

/* ---- system memory of GTT objects ---- */

static void vm_gtt_unmap_dma(struct vm_bo *bo, unsigned long count)
{
	struct vm_bo_gtt *gtt = bo->backing;
	unsigned long i;

	for (i = 0; i < count; i++)
		dma_unmap_page_attrs(bo->base.dev->dev, gtt->dma[i], PAGE_SIZE,
				     DMA_BIDIRECTIONAL, VM_GTT_DMA_ATTRS);
	gtt->mapped = false;
}

static int vm_gtt_map_dma(struct vm_bo *bo)
{
	struct vm_bo_gtt *gtt = bo->backing;
	struct device *dev = bo->base.dev->dev;
	unsigned long i;

	for (i = 0; i < gtt->count; i++) {
		gtt->dma[i] = dma_map_page_attrs(dev, gtt->pages[i], 0, PAGE_SIZE,
						 DMA_BIDIRECTIONAL, VM_GTT_DMA_ATTRS);
		if (dma_mapping_error(dev, gtt->dma[i])) {
			vm_gtt_unmap_dma(bo, i);
			return -ENOMEM;
		}
	}
	gtt->mapped = true;
	return 0;
}

static void vm_gtt_free_pages(struct vm_bo_gtt *gtt, unsigned long count)
{
	while (count)
		__free_page(gtt->pages[--count]);
}

static int vm_gtt_alloc_pages(struct vm_bo_gtt *gtt)
{
	unsigned long i;

	for (i = 0; i < gtt->count; i++) {
		gtt->pages[i] = alloc_page(VM_GTT_GFP);
		if (!gtt->pages[i] || fatal_signal_pending(current)) {
			vm_gtt_free_pages(gtt, gtt->pages[i] ? i + 1 : i);
			return -ENOMEM;
		}
		cond_resched();
	}
	return 0;
}

static int vm_gtt_charge(struct vm_device *vmd, u64 size)
{
	if (atomic64_add_return(size, &vmd->count.gtt_bytes) <= vmd->gtt_limit)
		return 0;
	atomic64_sub(size, &vmd->count.gtt_bytes);
	return -ENOMEM;
}

static int vm_bo_init_gtt(struct vm_bo *bo)
{
	struct vm_device *vmd = bo->vmd;
	struct vm_bo_gtt *gtt;
	int ret;

	ret = vm_gtt_charge(vmd, bo->base.size);
	if (ret)
		return ret;
	ret = -ENOMEM;
	gtt = kzalloc(sizeof(*gtt), HW_GFP_USER);
	if (!gtt)
		goto err_uncharge;
	bo->backing = gtt;
	gtt->count = bo->base.size >> PAGE_SHIFT;
	gtt->pages = kvcalloc(gtt->count, sizeof(*gtt->pages), HW_GFP_USER);
	gtt->dma = kvcalloc(gtt->count, sizeof(*gtt->dma), HW_GFP_USER);
	if (!gtt->pages || !gtt->dma)
		goto err_free_arrays;
	ret = vm_gtt_alloc_pages(gtt);
	if (ret)
		goto err_free_arrays;
	ret = vm_gtt_map_dma(bo);
	if (ret)
		goto err_free_pages;
	atomic64_inc(&vmd->count.bos_gtt);
	return 0;

err_free_pages:
	vm_gtt_free_pages(gtt, gtt->count);
err_free_arrays:
	kvfree(gtt->dma);
	kvfree(gtt->pages);
	kfree(gtt);
	bo->backing = NULL;
err_uncharge:
	atomic64_sub(bo->base.size, &vmd->count.gtt_bytes);
	return ret;
}

/* The pages of @origin, which is alive; nothing is charged, they count with it. */
static int vm_bo_init_peer(struct vm_bo *bo, struct vm_bo *origin)
{
	const struct vm_bo_gtt *from = origin->backing;
	struct vm_bo_gtt *gtt;
	int ret = -ENOMEM;

	gtt = kzalloc(sizeof(*gtt), HW_GFP_USER);
	if (!gtt)
		return -ENOMEM;
	gtt->dma = kvcalloc(from->count, sizeof(*gtt->dma), HW_GFP_USER);
	if (!gtt->dma)
		goto err_free;
	gtt->count = from->count;
	gtt->pages = from->pages;
	bo->backing = gtt;
	ret = vm_gtt_map_dma(bo);
	if (ret)
		goto err_free_dma;
	vm_bo_get(origin);
	gtt->origin = origin;
	atomic64_inc(&bo->vmd->count.bos_gtt);
	return 0;

err_free_dma:
	bo->backing = NULL;
	kvfree(gtt->dma);
err_free:
	kfree(gtt);
	return ret;
}

static void vm_gtt_release_pages(struct vm_bo *bo)
{
	struct vm_bo_gtt *gtt = bo->backing;

	if (gtt->origin) {
		vm_bo_put(gtt->origin);
		return;
	}
	vm_gtt_free_pages(gtt, gtt->count);
	kvfree(gtt->pages);
	atomic64_sub(bo->base.size, &bo->vmd->count.gtt_bytes);
}

static void vm_bo_fini_gtt(struct vm_bo *bo)
{
	struct vm_bo_gtt *gtt = bo->backing;

	WARN_ON(gtt->cpu_users);
	if (gtt->mapped)
		vm_gtt_unmap_dma(bo, gtt->count);
	vm_gtt_release_pages(bo);
	kvfree(gtt->dma);
	kfree(gtt);
	atomic64_dec(&bo->vmd->count.bos_gtt);
}

/* ---- VRAM objects ---- */

static int vm_bo_init_vram(struct vm_bo *bo)
{
	struct vm_vram_alloc *alloc;
	int ret;

	alloc = kzalloc(sizeof(*alloc), HW_GFP_USER);
	if (!alloc)
		return -ENOMEM;
	ret = vm_vram_alloc(bo->vmd, bo->base.size, alloc);
	if (ret) {
		kfree(alloc);
		return ret;
	}
	bo->backing = alloc;
	atomic64_inc(&bo->vmd->count.bos_vram);
	atomic64_add(bo->base.size, &bo->vmd->count.vram_bytes);
	return 0;
}

static void vm_bo_fini_vram(struct vm_bo *bo)
{
	vm_vram_free(bo->vmd, bo->backing);
	kfree(bo->backing);
	atomic64_sub(bo->base.size, &bo->vmd->count.vram_bytes);
	atomic64_dec(&bo->vmd->count.bos_vram);
}

/* ---- life ---- */

/**
 * vm_bo_new - an object without backing store
 * @vmd: device
 * @kind: kind
 * @size: bytes, page multiple
 * @flags: VM_BO_*
 *
 * Context: process context.
 * Return: object for vm_bo_publish() or vm_bo_drop(), or ERR_PTR(-EINVAL, -ENOMEM).
 */
struct vm_bo *vm_bo_new(struct vm_device *vmd, enum vm_bo_kind kind, u64 size, u32 flags)
{
	struct vm_bo *bo;

	if (!size || !PAGE_ALIGNED(size) || size > VM_VA_END || (flags & ~VM_BO_FLAGS))
		return ERR_PTR(-EINVAL);
	bo = kzalloc(sizeof(*bo), HW_GFP_USER);
	if (!bo)
		return ERR_PTR(-ENOMEM);
	bo->vmd = vmd;
	bo->kind = kind;
	bo->flags = flags;
	INIT_LIST_HEAD(&bo->link);
	bo->base.funcs = &vm_bo_gem_funcs;
	drm_gem_private_object_init(vmd->drm, &bo->base, size);
	drm_dev_get(vmd->drm);
	return bo;
}

/**
 * vm_bo_drop - free an object that has no backing store (any more)
 * @bo: object, nobody else knows it
 *
 * Context: process context.
 */
void vm_bo_drop(struct vm_bo *bo)
{
	struct drm_device *drm = bo->base.dev;

	vm_bo_disallow(bo);
	drm_gem_object_release(&bo->base);
	kfree(bo);
	/* Maybe the last: the vm_device may be gone after this. */
	drm_dev_put(drm);
}

/**
 * vm_bo_publish - put a finished object on the device's list
 * @bo: object
 *
 * Context: process context.
 */
void vm_bo_publish(struct vm_bo *bo)
{
	mutex_lock(&bo->vmd->bos_lock);
	list_add_tail(&bo->link, &bo->vmd->bos);
	mutex_unlock(&bo->vmd->bos_lock);
}

/**
 * vm_bo_create - create a VRAM or GTT object
 * @vmd: device
 * @kind: VM_BO_VRAM or VM_BO_GTT
 * @size: bytes, page multiple
 * @flags: VM_BO_*
 *
 * Context: process context, allocates.
 * Return: zeroed object with one reference, or ERR_PTR(-EINVAL, -ENOMEM, -ENODEV).
 */
struct vm_bo *vm_bo_create(struct vm_device *vmd, enum vm_bo_kind kind, u64 size, u32 flags)
{
	struct vm_bo *bo;
	int ret;

	if (kind != VM_BO_VRAM && kind != VM_BO_GTT)
		return ERR_PTR(-EINVAL);
	if (drm_dev_is_unplugged(vmd->drm))
		return ERR_PTR(-ENODEV);
	bo = vm_bo_new(vmd, kind, size, flags);
	if (IS_ERR(bo))
		return bo;
	ret = kind == VM_BO_VRAM ? vm_bo_init_vram(bo) : vm_bo_init_gtt(bo);
	if (ret) {
		vm_bo_drop(bo);
		return ERR_PTR(ret);
	}
	vm_bo_publish(bo);
	return bo;
}

/**
 * vm_bo_create_peer - let another device use the pages of a GTT object
 * @vmd: the other device
 * @bo: GTT object
 *
 * The new object keeps @bo.  Either device may go first: each object holds its own
 * drm_device and loses its own DMA mapping with it.
 *
 * Context: process context, allocates.
 * Return: object of @vmd with one reference, or ERR_PTR(-EINVAL, -ENOMEM, -ENODEV).
 */
struct vm_bo *vm_bo_create_peer(struct vm_device *vmd, struct vm_bo *bo)
{
	struct vm_bo *peer;
	int ret;

	if (bo->kind != VM_BO_GTT)
		return ERR_PTR(-EINVAL);
	if (drm_dev_is_unplugged(vmd->drm))
		return ERR_PTR(-ENODEV);
	peer = vm_bo_new(vmd, VM_BO_GTT, bo->base.size, bo->flags & ~VM_BO_PUBLIC);
	if (IS_ERR(peer))
		return peer;
	ret = vm_bo_init_peer(peer, bo);
	if (ret) {
		vm_bo_drop(peer);
		return ERR_PTR(ret);
	}
	vm_bo_publish(peer);
	return peer;
}

static void vm_bo_gem_free(struct drm_gem_object *obj)
{
	struct vm_bo *bo = to_vm_bo(obj);

	mutex_lock(&bo->vmd->bos_lock);
	list_del(&bo->link);
	mutex_unlock(&bo->vmd->bos_lock);
	switch (bo->kind) {
	case VM_BO_VRAM:
		vm_bo_fini_vram(bo);
		break;
	case VM_BO_GTT:
		vm_bo_fini_gtt(bo);
		break;
	case VM_BO_USER:
		vm_bo_user_fini(bo);
		break;
	}
	vm_bo_drop(bo);
}

/**
 * vm_bo_put - drop a reference
 * @bo: object or NULL
 *
 * Context: process context; not under a lock that the MMU notifier takes, nor from
 * the callbacks of &struct vm_user_ops.
 */
void vm_bo_put(struct vm_bo *bo)
{
	if (bo)
		drm_gem_object_put(&bo->base);
}

static void vm_bo_detach_gtt(struct vm_bo *bo)
{
	struct vm_bo_gtt *gtt = bo->backing;

	dma_resv_lock(bo->base.resv, NULL);
	if (gtt->mapped)
		vm_gtt_unmap_dma(bo, gtt->count);
	dma_resv_unlock(bo->base.resv);
}

/**
 * vm_bo_detach_all - end all DMA mappings
 * @vmd: device; unplugged, so that no new mapping is made
 *
 * Context: process context.
 */
void vm_bo_detach_all(struct vm_device *vmd)
{
	struct vm_bo *bo;

	mutex_lock(&vmd->bos_lock);
	list_for_each_entry(bo, &vmd->bos, link) {
		if (bo->kind == VM_BO_GTT)
			vm_bo_detach_gtt(bo);
		else if (bo->kind == VM_BO_USER)
			vm_bo_user_detach(bo);
	}
	mutex_unlock(&vmd->bos_lock);
}

/* ---- CPU mappings ---- */

static int vm_bo_pfn_locked(struct vm_bo *bo, u64 pos, unsigned long *pfn)
{
	const struct vm_vram_extent *e;
	struct vm_bo_gtt *gtt;

	dma_resv_assert_held(bo->base.resv);
	if (pos >= bo->base.size)
		return -EINVAL;
	gtt = vm_bo_gtt(bo);
	if (gtt) {
		*pfn = page_to_pfn(gtt->pages[pos >> PAGE_SHIFT]);
		return 0;
	}
	e = vm_vram_find(bo->backing, pos);
	if (!e)
		return -EINVAL;
	return hw_vram_pfn(bo->vmd->hw, e->offset + (pos - e->start), pfn);
}

/*
 * Caching follows from the page frame: x86 looks up the memory type of RAM and of
 * BAR0 by itself, so vm_page_prot stays as it is.
 */
static vm_fault_t vm_bo_insert_page(struct vm_bo *bo, struct vm_fault *vmf)
{
	u64 page = vmf->pgoff - drm_vma_node_start(&bo->base.vma_node);
	unsigned long pfn;

	/* Not VM_FAULT_OOM: the fault would be tried again for ever. */
	if (vm_bo_pfn_locked(bo, page << PAGE_SHIFT, &pfn))
		return VM_FAULT_SIGBUS;
	return vmf_insert_pfn(vmf->vma, vmf->address, pfn);
}

static vm_fault_t vm_bo_fault(struct vm_fault *vmf)
{
	struct vm_bo *bo = to_vm_bo(vmf->vma->vm_private_data);
	vm_fault_t ret;
	int idx;

	if (!vm_device_enter(bo->vmd, &idx))
		return VM_FAULT_SIGBUS;
	if (dma_resv_lock_interruptible(bo->base.resv, NULL)) {
		ret = VM_FAULT_NOPAGE;
	} else {
		ret = vm_bo_insert_page(bo, vmf);
		dma_resv_unlock(bo->base.resv);
	}
	vm_device_exit(idx);
	return ret;
}

static const struct vm_operations_struct vm_bo_vm_ops = {
	.open = drm_gem_vm_open,
	.close = drm_gem_vm_close,
	.fault = vm_bo_fault,
};

/*
 * vmf_insert_pfn() must never see a private mapping that may become writable.  The
 * thunk reserves the addresses of VRAM that it cannot map with PROT_NONE and
 * MAP_PRIVATE: accept that, but as a hole for ever.
 */
static int vm_bo_gem_mmap(struct drm_gem_object *obj, struct vm_area_struct *vma)
{
	struct vm_bo *bo = to_vm_bo(obj);
	bool hole = !(vma->vm_flags & (VM_READ | VM_WRITE | VM_EXEC));
	/* Of a descriptor that cannot write, the core takes VM_SHARED away. */
	bool shared = vma->vm_flags & VM_MAYSHARE;
	vm_flags_t clear = 0;

	if (bo->kind == VM_BO_USER)
		return -EPERM;
	if (!shared && !hole)
		return -EINVAL;
	if (!(bo->flags & VM_BO_PUBLIC) && !hole)
		return -EPERM;
	if (!shared || !(bo->flags & VM_BO_PUBLIC))
		clear = VM_MAYREAD | VM_MAYWRITE | VM_MAYEXEC;
	kfd_vma_flags_mod(vma, VM_PFNMAP | VM_IO | VM_DONTEXPAND | VM_DONTDUMP, clear);
	vma->vm_ops = &vm_bo_vm_ops;
	return 0;
}

static const struct drm_gem_object_funcs vm_bo_gem_funcs = {
	.free = vm_bo_gem_free,
	.get_sg_table = vm_bo_sg_table,
	.mmap = vm_bo_gem_mmap,
	.vm_ops = &vm_bo_vm_ops,
};

/**
 * vm_bo_allow - let an open file of the render node map the object
 * @bo: VRAM or GTT object that no file was allowed to map yet
 * @file: the file; the caller keeps it open until vm_bo_disallow(), or as long as the
 *	object
 *
 * Context: process context.
 * Return: 0, -EBUSY if a file has it, or -ENOMEM.
 */
int vm_bo_allow(struct vm_bo *bo, struct drm_file *file)
{
	int ret;

	if (bo->owner)
		return -EBUSY;
	ret = drm_vma_node_allow(&bo->base.vma_node, file);
	if (!ret)
		bo->owner = file;
	return ret;
}

/**
 * vm_bo_disallow - undo vm_bo_allow(), if it was called
 * @bo: object; it may live longer than the file, through a dma-buf
 *
 * Context: process context; one caller at a time.
 */
void vm_bo_disallow(struct vm_bo *bo)
{
	if (bo->owner)
		drm_vma_node_revoke(&bo->base.vma_node, bo->owner);
	WRITE_ONCE(bo->owner, NULL);
}

/**
 * vm_bo_mmap_offset - offset on the render node at which the object can be mapped
 * @bo: VRAM or GTT object
 * @offset: filled, bytes
 *
 * Context: process context.
 * Return: 0, -EINVAL (user pages), -ENOSPC or -ENOMEM.
 */
int vm_bo_mmap_offset(struct vm_bo *bo, u64 *offset)
{
	int ret;

	if (bo->kind == VM_BO_USER)
		return -EINVAL;
	ret = drm_gem_create_mmap_offset(&bo->base);
	if (ret)
		return ret;
	*offset = drm_vma_node_offset_addr(&bo->base.vma_node);
	return 0;
}

/**
 * vm_bo_vmap - map a GTT object into the kernel
 * @bo: GTT object
 * @cpu: filled
 *
 * Context: process context.
 * Return: 0, -EINVAL (not GTT) or -ENOMEM.
 */
int vm_bo_vmap(struct vm_bo *bo, void **cpu)
{
	struct vm_bo_gtt *gtt = vm_bo_gtt(bo);
	int ret = 0;

	if (!gtt)
		return -EINVAL;
	dma_resv_lock(bo->base.resv, NULL);
	if (!gtt->cpu)
		gtt->cpu = vmap(gtt->pages, gtt->count, VM_MAP, PAGE_KERNEL);
	if (gtt->cpu) {
		gtt->cpu_users++;
		*cpu = gtt->cpu;
	} else {
		ret = -ENOMEM;
	}
	dma_resv_unlock(bo->base.resv);
	return ret;
}

/**
 * vm_bo_vunmap - undo vm_bo_vmap()
 * @bo: GTT object
 *
 * Context: process context.
 */
void vm_bo_vunmap(struct vm_bo *bo)
{
	struct vm_bo_gtt *gtt = vm_bo_gtt(bo);
	void *gone = NULL;

	if (WARN_ON(!gtt))
		return;
	dma_resv_lock(bo->base.resv, NULL);
	if (!WARN_ON(!gtt->cpu_users) && !--gtt->cpu_users) {
		gone = gtt->cpu;
		gtt->cpu = NULL;
	}
	dma_resv_unlock(bo->base.resv);
	vunmap(gone);
}
