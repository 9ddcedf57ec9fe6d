// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: buffers as dma-bufs
 *
 * A VRAM or GTT buffer becomes a descriptor (EXPORT_DMABUF), which may be passed to
 * another process; there, or in the same one, it becomes a buffer again with a handle and
 * an address of its own (IMPORT_DMABUF).  Both are the same memory object: it stays until
 * every buffer, mapping and descriptor of it has gone, and counts with who allocated it.
 *
 * The descriptor is the right to use the memory, on a GPU that the process may use by
 * itself: its own render node, bound.  GTT memory can be imported for any GPU; VRAM for
 * the one that has it.  What the allocator asked of its mappings (coherent, uncached)
 * holds for importers; they may write unless the exporter could not.
 *
 * Nothing is kept beside an object, so its metadata has 0 bytes.
 */
#include <linux/dma-buf.h>
#include <linux/err.h>
#include <linux/fcntl.h>
#include <linux/slab.h>

#include "hw/hw_device.h"
#include "kfd_buffer.h"
#include "kfd_device.h"
#include "kfd_process.h"
#include "vm/vm.h"
#include "../uapi/linux/kfd_ioctl.h"

/* ---- export ---- */

static struct vm_bo *export_find(struct kfd_process *p, u64 handle, bool *writable)
{
	struct vm_bo *bo = ERR_PTR(-EINVAL);
	struct kfd_buffer *buf;

	mutex_lock(&p->lock);
	buf = kfd_buffer_find(p, handle);
	if (buf) {
		bo = buf->bo ? buf->bo : ERR_PTR(-EPERM);
		*writable = buf->map_flags & VM_MAP_WRITE;
	}
	if (!IS_ERR(bo))
		vm_bo_get(bo);
	mutex_unlock(&p->lock);
	return bo;
}

/**
 * kfd_buffer_dma_buf - a dma-buf of a buffer
 * @p: process
 * @handle: buffer
 * @writable: who gets the descriptor may write, even if GPUs may not
 *
 * Context: Process context, no lock held.
 * Return: it, referenced; ERR_PTR() as of EXPORT_DMABUF.
 */
struct dma_buf *kfd_buffer_dma_buf(struct kfd_process *p, u64 handle, bool writable)
{
	struct dma_buf *dmabuf;
	struct vm_bo *bo;
	bool gpu_writes;

	bo = export_find(p, handle, &gpu_writes);
	if (IS_ERR(bo))
		return ERR_CAST(bo);
	dmabuf = vm_bo_export(bo, writable || gpu_writes);
	vm_bo_put(bo);
	return dmabuf;
}

/**
 * kfd_buffer_export - EXPORT_DMABUF
 * @p: caller
 * @data: struct kfd_ioctl_export_dmabuf_args
 *
 * Return: 0 or the errno that Documentation/uapi.rst lists.
 */
int kfd_buffer_export(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_export_dmabuf_args *args = data;
	struct dma_buf *dmabuf = kfd_buffer_dma_buf(p, args->handle, false);
	int fd;

	if (IS_ERR(dmabuf))
		return PTR_ERR(dmabuf);
	fd = dma_buf_fd(dmabuf, args->flags & O_CLOEXEC);
	if (fd < 0) {
		dma_buf_put(dmabuf);
		return fd;
	}
	/* It is the descriptor's now. */
	args->dmabuf_fd = fd;
	return 0;
}

/* ---- what is it? ---- */

/* The caller's view of the GPU that has an object, or NULL. p->lock. */
static struct kfd_process_node *node_of_bo(struct kfd_process *p, const struct vm_bo *bo)
{
	unsigned int i;

	for (i = 0; i < p->num_nodes; i++) {
		if (p->node[i].attached && &p->node[i].node->dev->vm == bo->vmd)
			return &p->node[i];
	}
	return NULL;
}

static u32 bo_flags(const struct vm_bo *bo)
{
	if (bo->kind == VM_BO_GTT)
		return KFD_IOC_ALLOC_MEM_FLAGS_GTT;
	return KFD_IOC_ALLOC_MEM_FLAGS_VRAM |
	       (bo->flags & VM_BO_PUBLIC ? KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC : 0);
}

static int fill_info(struct kfd_process *p, const struct vm_bo *bo,
		     struct kfd_ioctl_get_dmabuf_info_args *args)
{
	struct kfd_process_node *pn;

	if (!bo)
		return -EINVAL;
	mutex_lock(&p->lock);
	pn = node_of_bo(p, bo);
	if (pn)
		args->gpu_id = pn->node->gpu_id;
	mutex_unlock(&p->lock);
	if (!pn)
		return -EINVAL;
	args->size = bo->base.size;
	args->metadata_size = 0;
	args->flags = bo_flags(bo);
	return 0;
}

/**
 * kfd_buffer_get_info - GET_DMABUF_INFO
 * @p: caller
 * @data: struct kfd_ioctl_get_dmabuf_info_args
 *
 * Return: 0 or the errno that Documentation/uapi.rst lists.
 */
int kfd_buffer_get_info(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_get_dmabuf_info_args *args = data;
	struct dma_buf *dmabuf = dma_buf_get(args->dmabuf_fd);
	int ret;

	if (IS_ERR(dmabuf))
		return PTR_ERR(dmabuf);
	ret = fill_info(p, vm_bo_of_dma_buf(dmabuf), args);
	dma_buf_put(dmabuf);
	return ret;
}

/* ---- import ---- */

static u32 import_map_flags(const struct vm_bo *bo, bool writable)
{
	u32 map = VM_MAP_READ | VM_MAP_EXEC;

	if (writable)
		map |= VM_MAP_WRITE;
	if (bo->flags & VM_BO_COHERENT)
		map |= VM_MAP_COHERENT;
	if (bo->flags & VM_BO_UNCACHED)
		map |= VM_MAP_UNCACHED;
	return map;
}

/* Address 0: a handle that no GPU can map, as for VRAM without one. */
static bool import_va_ok(u64 va, u64 size)
{
	return !va || (PAGE_ALIGNED(va) && va >= VM_VA_START && va < VM_VA_END &&
		       size <= VM_VA_END - va);
}

/* The object as @vmd's GPU can use it, referenced. */
static struct vm_bo *import_bo(struct vm_device *vmd, struct vm_bo *bo)
{
	if (bo->vmd != vmd)
		return vm_bo_create_peer(vmd, bo);
	vm_bo_get(bo);
	return bo;
}

static int import_enter(struct kfd_buffer *buf, struct vm_bo *from, u64 *handle)
{
	struct vm_bo *bo = import_bo(&buf->pn->node->dev->vm, from);
	int ret;

	if (IS_ERR(bo))
		return PTR_ERR(bo);
	buf->bo = bo;
	ret = kfd_buffer_enter(buf, handle);
	if (ret)
		vm_bo_put(bo);
	return ret;
}

static int import_locked(struct kfd_process *p, struct kfd_ioctl_import_dmabuf_args *args,
			 struct vm_bo *from, bool writable)
{
	struct kfd_process_node *pn = kfd_process_bound_node(p, args->gpu_id);
	struct kfd_buffer *buf;
	int ret;

	if (IS_ERR(pn))
		return PTR_ERR(pn);
	if (!from || !import_va_ok(args->va_addr, from->base.size))
		return -EINVAL;
	buf = kzalloc(sizeof(*buf), HW_GFP_USER);
	if (!buf)
		return -ENOMEM;
	buf->pn = pn;
	buf->kind = from->kind == VM_BO_VRAM ? KFD_BUFFER_VRAM : KFD_BUFFER_GTT;
	buf->va = args->va_addr;
	buf->size = from->base.size;
	buf->views = 1;
	buf->map_flags = import_map_flags(from, writable);
	buf->imported = true;
	ret = import_enter(buf, from, &args->handle);
	if (ret)
		kfree(buf);
	return ret;
}

/**
 * kfd_buffer_import - IMPORT_DMABUF
 * @p: caller
 * @data: struct kfd_ioctl_import_dmabuf_args
 *
 * Return: 0 or the errno that Documentation/uapi.rst lists.
 */
int kfd_buffer_import(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_import_dmabuf_args *args = data;
	struct dma_buf *dmabuf = dma_buf_get(args->dmabuf_fd);
	int ret;

	if (IS_ERR(dmabuf))
		return PTR_ERR(dmabuf);
	mutex_lock(&p->lock);
	ret = import_locked(p, args, vm_bo_of_dma_buf(dmabuf),
			    dmabuf->file->f_mode & FMODE_WRITE);
	mutex_unlock(&p->lock);
	dma_buf_put(dmabuf);
	return ret;
}
