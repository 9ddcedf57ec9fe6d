/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: buffer objects, inside of vm
 */
#ifndef CARILLON_VM_BO_H
#define CARILLON_VM_BO_H

#include <drm/drm_gem.h>
#include <linux/container_of.h>

#include "vm.h"

struct page;
struct sg_table;
struct vm_device;
struct vm_vram_alloc;

/**
 * struct vm_bo_gtt - system memory of a GTT object
 * @pages: page array, fixed for the object's life; that of @origin if there is one
 * @dma: bus address of each page, valid while @mapped; guarded by the dma_resv
 * @count: pages
 * @mapped: @dma is valid; cleared when the device goes; guarded by the dma_resv
 * @cpu: kernel mapping, or NULL; guarded by the dma_resv
 * @cpu_users: users of @cpu; guarded by the dma_resv
 * @origin: object of another device whose pages these are, referenced; NULL: our own
 */
struct vm_bo_gtt {
	struct page **pages;
	dma_addr_t *dma;
	unsigned long count;
	bool mapped;
	void *cpu;
	unsigned int cpu_users;
	struct vm_bo *origin;
};

static inline struct vm_bo *to_vm_bo(struct drm_gem_object *obj)
{
	return container_of(obj, struct vm_bo, base);
}

static inline struct vm_vram_alloc *vm_bo_vram(struct vm_bo *bo)
{
	return bo->kind == VM_BO_VRAM ? bo->backing : NULL;
}

static inline struct vm_bo_gtt *vm_bo_gtt(struct vm_bo *bo)
{
	return bo->kind == VM_BO_GTT ? bo->backing : NULL;
}

/* Shared by the kinds: an object without backing store, and the reverse. */
struct vm_bo *vm_bo_new(struct vm_device *vmd, enum vm_bo_kind kind, u64 size, u32 flags);
void vm_bo_drop(struct vm_bo *bo);
/* Make a finished object visible to vm_bo_detach_all(). */
void vm_bo_publish(struct vm_bo *bo);

/* vm_bo_share.c: the pages of a GTT object, for a device of another driver. */
struct sg_table *vm_bo_sg_table(struct drm_gem_object *obj);

/* End all DMA mappings of all objects; the device is unplugged. */
void vm_bo_detach_all(struct vm_device *vmd);

#endif /* CARILLON_VM_BO_H */
