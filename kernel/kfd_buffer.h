/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: buffers of a process
 *
 * What ALLOC_MEMORY_OF_GPU and IMPORT_DMABUF make.  A handle is gpu_id << 32 | index.
 */
#ifndef CARILLON_KFD_BUFFER_H
#define CARILLON_KFD_BUFFER_H

#include <linux/types.h>

#include "kfd_device.h"

struct dma_buf;
struct kfd_ioctl_alloc_memory_of_gpu_args;
struct kfd_process;
struct kfd_process_node;
struct vm_bo;
struct vm_device;

enum kfd_buffer_kind {
	KFD_BUFFER_VRAM,
	KFD_BUFFER_GTT,
	KFD_BUFFER_USER,
	KFD_BUFFER_DOORBELL,
	KFD_BUFFER_MMIO,
	KFD_BUFFER_KINDS,
};

/**
 * struct kfd_buffer - memory that a process named
 * @pn: process and node it was allocated on
 * @kind: what it is
 * @index: low half of the handle
 * @va: where GPUs see it
 * @size: bytes, whole pages
 * @views: how often they see it there, one behind the other; more than once only with @bo
 * @flags: KFD_IOC_ALLOC_MEM_FLAGS_* that it was allocated with; 0 if @imported
 * @map_flags: VM_MAP_*
 * @bo: memory object; NULL for doorbells and registers
 * @imported: @bo is, or borrows the pages of, one that was allocated as another buffer
 * @lost: the client unmapped the user pages while a GPU had them mapped
 * @mapped: a bit a process node that maps it; under process->lock
 */
struct kfd_buffer {
	struct kfd_process_node *pn;
	enum kfd_buffer_kind kind;
	u32 index;
	u64 va;
	u64 size;
	unsigned int views;
	u32 flags;
	u32 map_flags;
	struct vm_bo *bo;
	bool imported;
	bool lost;
	DECLARE_BITMAP(mapped, KFD_MAX_NODES);
};

/* ioctls, under nothing */
int kfd_buffer_alloc(struct kfd_process *p, void *args);
int kfd_buffer_free(struct kfd_process *p, void *args);
int kfd_buffer_available(struct kfd_process *p, void *args);
/* of kfd_buffer_map.c */
int kfd_buffer_map(struct kfd_process *p, void *args);
int kfd_buffer_unmap(struct kfd_process *p, void *args);
/* of kfd_buffer_share.c */
int kfd_buffer_export(struct kfd_process *p, void *args);
int kfd_buffer_import(struct kfd_process *p, void *args);
int kfd_buffer_get_info(struct kfd_process *p, void *args);

/* Give a buffer that is all there its handle: 0, -EBUSY (none left) or -ENOMEM. p->lock. */
int kfd_buffer_enter(struct kfd_buffer *buf, u64 *handle);
/* The buffer with this handle, or NULL. p->lock. */
struct kfd_buffer *kfd_buffer_find(struct kfd_process *p, u64 handle);
/* From a checkpoint: user pages need not be there before kfd_process_populate(). Under nothing. */
int kfd_buffer_restore(struct kfd_process *p, struct kfd_ioctl_alloc_memory_of_gpu_args *args,
		       u32 index);
int kfd_buffer_map_restored(struct kfd_process *p, u64 handle, const u32 *ids, u32 count);
/* A dma-buf of a buffer that has an object. Under nothing. */
struct dma_buf *kfd_buffer_dma_buf(struct kfd_process *p, u64 handle, bool writable);
/* Everything that was allocated on or mapped into @pn goes. p->lock. */
void kfd_buffer_free_all(struct kfd_process_node *pn);

struct vm_bo *kfd_buffer_user_bo(struct vm_device *vmd, u64 addr, u64 size, bool writable,
				 struct kfd_buffer *buf, bool populate);
int kfd_buffer_unmap_node(struct kfd_buffer *buf, struct kfd_process_node *pn);

#endif /* CARILLON_KFD_BUFFER_H */
