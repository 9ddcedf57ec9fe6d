// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: buffers of a process
 *
 * A buffer is allocated on one node, has one GPU address for life, and may be mapped
 * by several nodes of the process.  Allocating maps nothing: the GPU sees it after
 * MAP_MEMORY_TO_GPU, the CPU after mmap() of the render node (VRAM, GTT) or of
 * /dev/kfd (doorbells, registers).
 *
 * Mapping is kfd_buffer_map.c's, dma-bufs are kfd_buffer_share.c's.  User pages are
 * faulted in before a buffer of them is entered, under no lock.
 *
 * With AQL_QUEUE_MEM half of what is asked for is allocated, and GPUs see it twice, back to
 * back: what is written past the end of a ring is at its beginning.
 *
 * Not done: peer VRAM.
 */
#include <linux/sizes.h>
#include <linux/slab.h>

#include "hw/hw_device.h"
#include "kfd_buffer.h"
#include "kfd_debugfs.h"
#include "kfd_device.h"
#include "kfd_doorbell.h"
#include "kfd_drm.h"
#include "kfd_event.h"
#include "kfd_mmap.h"
#include "kfd_mmio.h"
#include "kfd_process.h"
#include "vm/vm.h"
#include "../uapi/linux/kfd_ioctl.h"

#define KFD_HANDLE_INDEX	GENMASK_ULL(31, 0)
#define KFD_BUFFER_MAX_INDEX	0x7fffffff

#define KFD_FLAGS_KIND	(KFD_IOC_ALLOC_MEM_FLAGS_VRAM | KFD_IOC_ALLOC_MEM_FLAGS_GTT |		\
			 KFD_IOC_ALLOC_MEM_FLAGS_USERPTR | KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL |	\
			 KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP)
#define KFD_FLAGS_KNOWN	(KFD_FLAGS_KIND | (u32)KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE |		\
			 KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE | KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC |	\
			 KFD_IOC_ALLOC_MEM_FLAGS_NO_SUBSTITUTE |				\
			 KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM |				\
			 KFD_IOC_ALLOC_MEM_FLAGS_COHERENT | KFD_IOC_ALLOC_MEM_FLAGS_UNCACHED)

/* ---- allocate ---- */

static int flags_kind(u32 flags, enum kfd_buffer_kind *kind)
{
	switch (flags & KFD_FLAGS_KIND) {
	case KFD_IOC_ALLOC_MEM_FLAGS_VRAM:
		*kind = KFD_BUFFER_VRAM;
		return 0;
	case KFD_IOC_ALLOC_MEM_FLAGS_GTT:
		*kind = KFD_BUFFER_GTT;
		return 0;
	case KFD_IOC_ALLOC_MEM_FLAGS_USERPTR:
		*kind = KFD_BUFFER_USER;
		return 0;
	case KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL:
		*kind = KFD_BUFFER_DOORBELL;
		return 0;
	case KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP:
		*kind = KFD_BUFFER_MMIO;
		return 0;
	default:
		return -EINVAL;
	}
}

static u32 flags_map(u32 flags, enum kfd_buffer_kind kind)
{
	u32 map = VM_MAP_READ;

	if (flags & KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE)
		map |= VM_MAP_WRITE;
	if (flags & KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE)
		map |= VM_MAP_EXEC;
	if (flags & KFD_IOC_ALLOC_MEM_FLAGS_COHERENT)
		map |= VM_MAP_COHERENT;
	if (flags & KFD_IOC_ALLOC_MEM_FLAGS_UNCACHED)
		map |= VM_MAP_UNCACHED;
	if (kind == KFD_BUFFER_DOORBELL || kind == KFD_BUFFER_MMIO)
		map |= VM_MAP_WRITE | VM_MAP_UNCACHED;
	return map;
}

static unsigned int flags_views(u32 flags)
{
	return flags & KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM ? 2 : 1;
}

/* @size: of what is allocated, which all views show. */
static int check_kind(const struct kfd_ioctl_alloc_memory_of_gpu_args *args,
		      enum kfd_buffer_kind kind, u64 size)
{
	unsigned int views = flags_views(args->flags);

	switch (kind) {
	case KFD_BUFFER_USER:
		return !args->mmap_offset || size * views != args->size ||
		       !PAGE_ALIGNED(args->mmap_offset) ? -EINVAL : 0;
	case KFD_BUFFER_DOORBELL:
		return views > 1 || size != KFD_DOORBELL_SLICE ? -EINVAL : 0;
	case KFD_BUFFER_MMIO:
		return views > 1 || size != KFD_MMIO_BYTES ? -EINVAL : 0;
	default:
		return 0;
	}
}

/* VRAM may be taken without an address, and can then be mapped by no GPU. */
static int check_range(const struct kfd_ioctl_alloc_memory_of_gpu_args *args,
		       enum kfd_buffer_kind kind, u64 size)
{
	unsigned int views = flags_views(args->flags);

	if (!size)
		return -EINVAL;
	if (!args->va_addr && kind == KFD_BUFFER_VRAM)
		return 0;
	if (!PAGE_ALIGNED(args->va_addr) || args->va_addr < VM_VA_START ||
	    args->va_addr >= VM_VA_END || size > (VM_VA_END - args->va_addr) / views)
		return -EINVAL;
	return check_kind(args, kind, size);
}

static u32 flags_bo(u32 flags, enum kfd_buffer_kind kind)
{
	u32 bo = 0;

	if (kind == KFD_BUFFER_GTT || (flags & KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC))
		bo |= VM_BO_PUBLIC;
	if (flags & KFD_IOC_ALLOC_MEM_FLAGS_COHERENT)
		bo |= VM_BO_COHERENT;
	if (flags & KFD_IOC_ALLOC_MEM_FLAGS_UNCACHED)
		bo |= VM_BO_UNCACHED;
	return bo;
}

/* The memory object of a buffer; NULL for kinds that have none or have it already. */
static struct vm_bo *buffer_make_bo(const struct kfd_buffer *buf, u32 flags)
{
	struct vm_device *vmd = &buf->pn->node->dev->vm;

	switch (buf->kind) {
	case KFD_BUFFER_VRAM:
		return vm_bo_create(vmd, VM_BO_VRAM, buf->size, flags_bo(flags, buf->kind));
	case KFD_BUFFER_GTT:
		return vm_bo_create(vmd, VM_BO_GTT, buf->size, flags_bo(flags, buf->kind));
	default:
		return buf->bo;
	}
}

static int buffer_mmap_offset(const struct kfd_buffer *buf, u64 *offset)
{
	u32 gpu_id = buf->pn->node->gpu_id;
	int ret;

	switch (buf->kind) {
	case KFD_BUFFER_USER:
		return 0;	/* stays what the client gave */
	case KFD_BUFFER_DOORBELL:
		*offset = kfd_mmap_offset(KFD_MMAP_DOORBELL, gpu_id);
		return 0;
	case KFD_BUFFER_MMIO:
		*offset = kfd_mmap_offset(KFD_MMAP_MMIO, gpu_id);
		return 0;
	default:
		ret = kfd_drm_file_allow(buf->pn->drm_file, buf->bo);
		return ret ? ret : vm_bo_mmap_offset(buf->bo, offset);
	}
}

static int buffer_prepare(struct kfd_process_node *pn, enum kfd_buffer_kind kind)
{
	if (kind == KFD_BUFFER_DOORBELL)
		return kfd_doorbell_take(pn);
	return kind == KFD_BUFFER_MMIO ? kfd_mmio_take(pn) : 0;
}

/* VRAM counts once, with the process that allocated it. */
static u64 buffer_vram(const struct kfd_buffer *buf)
{
	return buf->kind == KFD_BUFFER_VRAM && !buf->imported ? buf->size : 0;
}

static void buffer_entered(struct kfd_buffer *buf, u64 *handle)
{
	buf->pn->vram_bytes += buffer_vram(buf);
	kfd_count_add(KFD_COUNT_BUFFERS, 1);
	*handle = (u64)buf->pn->node->gpu_id << 32 | buf->index;
}

/**
 * kfd_buffer_enter - give a buffer that is all there its handle
 * @buf: buffer, nobody else knows it
 * @handle: filled
 *
 * Context: p->lock held.
 * Return: 0; -EBUSY (no number left) or -ENOMEM.
 */
int kfd_buffer_enter(struct kfd_buffer *buf, u64 *handle)
{
	int ret;

	lockdep_assert_held(&buf->pn->process->lock);

	ret = xa_alloc(&buf->pn->buffers, &buf->index, buf, XA_LIMIT(0, KFD_BUFFER_MAX_INDEX),
		       HW_GFP_USER);
	if (ret)
		return ret;
	buffer_entered(buf, handle);
	return 0;
}

/* Under the number that it had before. */
static int buffer_enter_at(struct kfd_buffer *buf, u32 index, u64 *handle)
{
	int ret = xa_insert(&buf->pn->buffers, index, buf, HW_GFP_USER);

	if (ret)
		return -ENOMEM;
	buf->index = index;
	buffer_entered(buf, handle);
	return 0;
}

/* After an error what was made so far is in @buf. */
static int buffer_alloc_locked(struct kfd_buffer *buf,
			       struct kfd_ioctl_alloc_memory_of_gpu_args *args, const u32 *index)
{
	struct kfd_process_node *pn = kfd_process_bound_node(buf->pn->process, args->gpu_id);
	u64 offset = args->mmap_offset;
	struct vm_bo *bo;
	int ret;

	if (IS_ERR(pn))
		return PTR_ERR(pn);
	ret = buffer_prepare(pn, buf->kind);
	if (ret)
		return ret;
	bo = buffer_make_bo(buf, args->flags);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	buf->bo = bo;
	ret = buffer_mmap_offset(buf, &offset);
	if (ret)
		return ret;
	ret = index ? buffer_enter_at(buf, *index, &args->handle) :
		      kfd_buffer_enter(buf, &args->handle);
	if (ret)
		return ret;
	args->mmap_offset = offset;
	return 0;
}

static int check_bound(struct kfd_process *p, u32 gpu_id)
{
	struct kfd_process_node *pn;

	mutex_lock(&p->lock);
	pn = kfd_process_bound_node(p, gpu_id);
	mutex_unlock(&p->lock);
	return PTR_ERR_OR_ZERO(pn);
}

/* User pages are faulted in here, under no lock, unless they are to come later. */
static int buffer_take_user(struct kfd_buffer *buf, u64 addr, bool populate)
{
	struct vm_bo *bo = kfd_buffer_user_bo(&buf->pn->node->dev->vm, addr, buf->size,
					buf->map_flags & VM_MAP_WRITE, buf, populate);

	if (IS_ERR(bo))
		return PTR_ERR(bo);
	buf->bo = bo;
	return 0;
}

static struct kfd_buffer *buffer_new(struct kfd_process *p, enum kfd_buffer_kind kind, u64 size,
				     const struct kfd_ioctl_alloc_memory_of_gpu_args *args)
{
	struct kfd_buffer *buf = kzalloc(sizeof(*buf), HW_GFP_USER);

	if (!buf)
		return NULL;
	buf->pn = kfd_process_find_node(p, args->gpu_id);
	buf->kind = kind;
	buf->va = args->va_addr;
	buf->size = size;
	buf->views = flags_views(args->flags);
	buf->flags = args->flags;
	buf->map_flags = flags_map(args->flags, kind);
	return buf;
}

/* @index: what it had in a checkpoint; NULL for a new one. */
static int buffer_alloc(struct kfd_process *p, struct kfd_ioctl_alloc_memory_of_gpu_args *args,
			const u32 *index)
{
	u64 size = PAGE_ALIGN(args->size / flags_views(args->flags));
	enum kfd_buffer_kind kind;
	struct kfd_buffer *buf;
	int ret;

	if (args->flags & ~KFD_FLAGS_KNOWN)
		return -EINVAL;
	ret = flags_kind(args->flags, &kind);
	if (!ret)
		ret = check_range(args, kind, size);
	if (!ret)
		ret = check_bound(p, args->gpu_id);
	if (ret)
		return ret;
	buf = buffer_new(p, kind, size, args);
	if (!buf)
		return -ENOMEM;
	if (kind == KFD_BUFFER_USER)
		ret = buffer_take_user(buf, args->mmap_offset, !index);
	if (!ret) {
		mutex_lock(&p->lock);
		ret = buffer_alloc_locked(buf, args, index);
		mutex_unlock(&p->lock);
	}
	if (ret) {
		vm_bo_put(buf->bo);
		kfree(buf);
	}
	return ret;
}

/**
 * kfd_buffer_alloc - ALLOC_MEMORY_OF_GPU
 * @p: caller
 * @data: struct kfd_ioctl_alloc_memory_of_gpu_args
 *
 * Context: Process context, no lock held.
 * Return: 0 or the errno that Documentation/uapi.rst lists.
 */
int kfd_buffer_alloc(struct kfd_process *p, void *data)
{
	return buffer_alloc(p, data, NULL);
}

/**
 * kfd_buffer_restore - the same for a buffer of a checkpoint
 * @p: caller
 * @args: as for ALLOC_MEMORY_OF_GPU
 * @index: low half of its handle
 *
 * Context: Process context, no lock held.
 * Return: as kfd_buffer_alloc(); -EINVAL (no such index), -ENOMEM (taken).
 */
int kfd_buffer_restore(struct kfd_process *p, struct kfd_ioctl_alloc_memory_of_gpu_args *args,
		       u32 index)
{
	return index > KFD_BUFFER_MAX_INDEX ? -EINVAL : buffer_alloc(p, args, &index);
}

/* ---- free ---- */

/**
 * kfd_buffer_find - the buffer of a handle
 * @p: process
 * @handle: gpu_id << 32 | index
 *
 * Context: p->lock held.
 * Return: the buffer or NULL.
 */
struct kfd_buffer *kfd_buffer_find(struct kfd_process *p, u64 handle)
{
	struct kfd_process_node *pn = kfd_process_find_node(p, handle >> 32);

	lockdep_assert_held(&p->lock);

	return pn && pn->attached ? xa_load(&pn->buffers, handle & KFD_HANDLE_INDEX) : NULL;
}

static void buffer_destroy_locked(struct kfd_buffer *buf)
{
	struct kfd_process_node *pn = buf->pn;

	xa_erase(&pn->buffers, buf->index);
	pn->vram_bytes -= buffer_vram(buf);
	/* A dma-buf may keep the object longer than the render descriptor lives. */
	if (buf->bo && !buf->imported)
		vm_bo_disallow(buf->bo);
	vm_bo_put(buf->bo);
	kfree(buf);
	kfd_count_add(KFD_COUNT_BUFFERS, -1);
}

static int buffer_free_locked(struct kfd_process *p, u64 handle)
{
	struct kfd_buffer *buf;

	if (kfd_event_page_is(p, handle))
		return -EPERM;
	buf = kfd_buffer_find(p, handle);
	if (!buf)
		return -EINVAL;
	if (!bitmap_empty(buf->mapped, KFD_MAX_NODES))
		return -EBUSY;
	buffer_destroy_locked(buf);
	return 0;
}

/**
 * kfd_buffer_free - FREE_MEMORY_OF_GPU
 * @p: caller
 * @data: struct kfd_ioctl_free_memory_of_gpu_args
 *
 * Return: 0; -EPERM (the event page), -EINVAL (no such buffer), -EBUSY (a GPU maps it).
 */
int kfd_buffer_free(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_free_memory_of_gpu_args *args = data;
	int ret;

	mutex_lock(&p->lock);
	ret = buffer_free_locked(p, args->handle);
	mutex_unlock(&p->lock);
	return ret;
}

/* ---- how much there is ---- */

/* Available VRAM is told in pieces of what a big entry maps, as amdkfd tells it. */
#define KFD_AVAILABLE_UNIT	SZ_2M

/**
 * kfd_buffer_available - AVAILABLE_MEMORY
 * @p: caller
 * @data: struct kfd_ioctl_get_available_memory_args
 *
 * What is told can be allocated, by this process or any, at once or piece by piece.
 *
 * Return: 0; -EINVAL (no such GPU); -ENODEV (it has gone).
 */
int kfd_buffer_available(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_get_available_memory_args *args = data;
	struct kfd_process_node *pn = kfd_process_find_node(p, args->gpu_id);
	int ret = -ENODEV;

	if (!pn)
		return -EINVAL;
	mutex_lock(&p->lock);
	if (pn->attached) {
		args->available = round_down(vm_vram_available(&pn->node->dev->vm),
					     KFD_AVAILABLE_UNIT);
		ret = 0;
	}
	mutex_unlock(&p->lock);
	return ret;
}

/* ---- the end of a node ---- */

static void unmap_from(struct kfd_process_node *owner, struct kfd_process_node *pn)
{
	struct kfd_buffer *buf;
	unsigned long index;

	xa_for_each(&owner->buffers, index, buf)
		kfd_buffer_unmap_node(buf, pn);
}

static void unmap_everywhere(struct kfd_buffer *buf)
{
	struct kfd_process *p = buf->pn->process;
	unsigned int i;

	for_each_set_bit(i, buf->mapped, KFD_MAX_NODES)
		kfd_buffer_unmap_node(buf, &p->node[i]);
}

/**
 * kfd_buffer_free_all - what a process has on one node goes
 * @pn: process and node, without queues
 *
 * Context: p->lock held.
 */
void kfd_buffer_free_all(struct kfd_process_node *pn)
{
	struct kfd_process *p = pn->process;
	struct kfd_buffer *buf;
	unsigned long index;
	unsigned int i;

	lockdep_assert_held(&p->lock);

	for (i = 0; i < p->num_nodes; i++)
		unmap_from(&p->node[i], pn);
	xa_for_each(&pn->buffers, index, buf) {
		unmap_everywhere(buf);
		kfd_event_detach(p, buf->bo);
		buffer_destroy_locked(buf);
	}
}
