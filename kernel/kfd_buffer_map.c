// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: buffers in the page tables of GPUs
 *
 * A memory object belongs to one device.  Where another device maps a GTT or USERPTR
 * buffer, it gets a peer object of its own over the same pages; the mapping alone holds
 * it, so that it goes with the unmap there.  What lies behind a BAR (VRAM, doorbells,
 * registers) is mapped by its own device only.
 *
 * User pages are not pinned.  When they move, all queues of the process stop until the
 * GPUs' page tables are right again (vm_bo_user.c).  Under the process's lock nobody
 * waits for them: they are faulted in before a mapping is entered.
 *
 * Mapping and unmapping go through the caller's list of GPUs in order and count the
 * entries done, so that a call that failed in the middle can be repeated as it stands.
 * A GPU that maps the buffer already counts as done.
 */
#include <linux/uaccess.h>

#include "hw/hw_device.h"
#include "kfd_buffer.h"
#include "kfd_debugfs.h"
#include "kfd_device.h"
#include "kfd_doorbell.h"
#include "kfd_process.h"
#include "kfd_queue.h"
#include "vm/vm.h"
#include "../uapi/linux/kfd_ioctl.h"

/* ---- user pages ---- */

static void user_quiesce(void *data)
{
	struct kfd_process *p = ((struct kfd_buffer *)data)->pn->process;
	unsigned int i;

	for (i = 0; i < p->num_nodes; i++)
		kfd_queue_stop_all(&p->node[i], KFD_STOP_USERPTR);
}

static void user_resume(void *data)
{
	struct kfd_process *p = ((struct kfd_buffer *)data)->pn->process;
	unsigned int i;

	for (i = 0; i < p->num_nodes; i++)
		kfd_queue_start_all(&p->node[i], KFD_STOP_USERPTR);
}

/*
 * The client unmapped memory that a GPU still has.  An access will fault; this only counts,
 * a buffer once, however many GPUs map it.
 */
static void user_lost(void *data, u64 gpu_va)
{
	struct kfd_buffer *buf = data;

	if (!xchg(&buf->lost, true))
		atomic_inc(&buf->pn->process->lost_ranges);
}

static const struct vm_user_ops user_ops = {
	.quiesce = user_quiesce,
	.resume = user_resume,
	.lost = user_lost,
};

/**
 * kfd_buffer_user_bo - an object over user pages
 * @vmd: for which device
 * @addr: of current->mm, page aligned
 * @size: bytes, whole pages
 * @writable: the GPU may write
 * @buf: the buffer whose pages they are
 * @populate: they are there when it returns
 *
 * Context: process context, no lock held: the client's memory decides how long it takes.
 * Return: the object, or ERR_PTR() of vm_bo_create_user() or vm_bo_populate().
 */
struct vm_bo *kfd_buffer_user_bo(struct vm_device *vmd, u64 addr, u64 size, bool writable,
				 struct kfd_buffer *buf, bool populate)
{
	struct vm_bo *bo;
	int ret;

	bo = vm_bo_create_user(vmd, addr, size, writable, &user_ops, buf);
	if (IS_ERR(bo) || !populate)
		return bo;
	ret = vm_bo_populate(bo);
	if (!ret)
		return bo;
	vm_bo_put(bo);
	return ERR_PTR(ret);
}

/* ---- one node ---- */

static unsigned int node_index(const struct kfd_process_node *pn)
{
	return pn - pn->process->node;
}

/* The first @count views; returns the first error, and none is mapped any more whatever it says. */
static int unmap_views(const struct kfd_buffer *buf, struct kfd_process_node *pn,
		       unsigned int count)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < count; i++) {
		int err = vm_space_unmap(pn->vm, buf->va + i * buf->size);

		ret = ret ? ret : err;
	}
	return ret;
}

/* All of them or none. */
static int map_views(const struct kfd_buffer *buf, struct kfd_process_node *pn, struct vm_bo *bo)
{
	unsigned int i;
	int ret;

	for (i = 0; i < buf->views; i++) {
		ret = vm_space_map(pn->vm, bo, buf->va + i * buf->size, buf->map_flags);
		if (ret) {
			unmap_views(buf, pn, i);
			return ret;
		}
	}
	return 0;
}

static int map_doorbells(const struct kfd_buffer *buf, struct kfd_process_node *pn)
{
	dma_addr_t pages[KFD_DOORBELL_SLICE / PAGE_SIZE];
	u32 first = kfd_doorbell_base(buf->pn) / PAGE_SIZE;
	unsigned long pfn;
	unsigned int i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(pages); i++) {
		ret = hw_doorbell_pfn(&buf->pn->node->dev->hw, first + i, &pfn);
		if (ret)
			return ret;
		pages[i] = PFN_PHYS(pfn);
	}
	return vm_space_map_io(pn->vm, buf->va, pages, ARRAY_SIZE(pages), NULL, buf->map_flags);
}

static int map_mmio(const struct kfd_buffer *buf, struct kfd_process_node *pn)
{
	dma_addr_t page = PFN_PHYS(buf->pn->mmio_pfn);

	return vm_space_map_io(pn->vm, buf->va, &page, 1, buf->pn->mmio_page, buf->map_flags);
}

static int map_peer(const struct kfd_buffer *buf, struct kfd_process_node *pn)
{
	struct vm_bo *peer;
	int ret;

	if (buf->kind != KFD_BUFFER_GTT)
		return -EINVAL;
	peer = vm_bo_create_peer(&pn->node->dev->vm, buf->bo);
	if (IS_ERR(peer))
		return PTR_ERR(peer);
	ret = map_views(buf, pn, peer);
	/* From here on it is the mappings'. */
	vm_bo_put(peer);
	return ret;
}

/* @user: the object of user pages; NULL for other kinds. */
static int map_kind(const struct kfd_buffer *buf, struct kfd_process_node *pn, struct vm_bo *user)
{
	if (user)
		return map_views(buf, pn, user);
	if (pn->node->dev != buf->pn->node->dev)
		return map_peer(buf, pn);
	switch (buf->kind) {
	case KFD_BUFFER_DOORBELL:
		return map_doorbells(buf, pn);
	case KFD_BUFFER_MMIO:
		return map_mmio(buf, pn);
	default:
		return map_views(buf, pn, buf->bo);
	}
}

static int buffer_map_node(struct kfd_buffer *buf, struct kfd_process_node *pn,
			   struct vm_bo *user)
{
	int ret;

	if (test_bit(node_index(pn), buf->mapped))
		return 0;
	if (!buf->va)
		return -EINVAL;
	ret = map_kind(buf, pn, user);
	if (ret)
		return ret == -EEXIST ? -EINVAL : ret;
	__set_bit(node_index(pn), buf->mapped);
	WRITE_ONCE(buf->lost, false);
	kfd_count_add(KFD_COUNT_BUFFER_MAPPINGS, 1);
	return 0;
}

/**
 * kfd_buffer_unmap_node - take a buffer from one GPU
 * @buf: buffer, mapped there or not
 * @pn: where
 *
 * A flush that timed out leaves the memory in use until the device goes, and the
 * mapping gone for the client: so whatever it says, the buffer is not mapped any more.
 *
 * Context: p->lock held.
 * Return: 0, or what the flush said.
 */
int kfd_buffer_unmap_node(struct kfd_buffer *buf, struct kfd_process_node *pn)
{
	if (!test_bit(node_index(pn), buf->mapped))
		return 0;
	__clear_bit(node_index(pn), buf->mapped);
	kfd_count_add(KFD_COUNT_BUFFER_MAPPINGS, -1);
	return unmap_views(buf, pn, buf->views);
}

/* ---- the ioctls ---- */

/**
 * struct kfd_map_request - what the two commands have in common
 * @handle: buffer
 * @ids: user array of gpu_ids
 * @count: its length
 * @done: entries done, in and out
 * @unmap: which of the two
 * @later: user pages come with kfd_process_populate()
 */
struct kfd_map_request {
	u64 handle;
	u64 ids;
	u32 count;
	u32 done;
	bool unmap;
	bool later;
};

/**
 * struct kfd_user_map - a mapping of user pages that is being made
 * @bo: the buffer's object, referenced; tells whether the buffer is still the same
 * @user: what is mapped, referenced: @bo, or a peer of it
 * @buf: the buffer; looked into only under process->lock, and while its object is @bo
 * @pn: where
 * @writable: the GPU may write
 * @later: the pages are not waited for
 */
struct kfd_user_map {
	struct vm_bo *bo;
	struct vm_bo *user;
	struct kfd_buffer *buf;
	struct kfd_process_node *pn;
	bool writable;
	bool later;
};

static struct kfd_buffer *map_find_locked(struct kfd_process *p, u64 handle)
{
	struct kfd_process_node *pn = kfd_process_bound_node(p, handle >> 32);
	struct kfd_buffer *buf;

	if (IS_ERR(pn))
		return ERR_CAST(pn);
	buf = kfd_buffer_find(p, handle);
	return buf ? buf : ERR_PTR(-EINVAL);
}

/* Until the end of the list, or an error, or user pages that are to be faulted in first. */
static int map_nodes_locked(struct kfd_process *p, struct kfd_map_request *req, const u32 *ids,
			    struct kfd_user_map *map)
{
	struct kfd_buffer *buf = map_find_locked(p, req->handle);
	struct kfd_process_node *pn;
	int ret;

	if (IS_ERR(buf))
		return PTR_ERR(buf);
	for (; req->done < req->count; req->done++) {
		pn = kfd_process_bound_node(p, ids[req->done]);
		if (IS_ERR(pn))
			return PTR_ERR(pn);
		if (!req->unmap && buf->kind == KFD_BUFFER_USER &&
		    !test_bit(node_index(pn), buf->mapped)) {
			vm_bo_get(buf->bo);
			*map = (struct kfd_user_map) {
				.bo = buf->bo, .buf = buf, .pn = pn,
				.writable = buf->map_flags & VM_MAP_WRITE,
				.later = req->later,
			};
			return 0;
		}
		ret = req->unmap ? kfd_buffer_unmap_node(buf, pn) : buffer_map_node(buf, pn, NULL);
		if (ret)
			return ret;
	}
	return 0;
}

/* The buffer as it was when map_nodes_locked() saw it, if it still is. */
static struct kfd_buffer *user_map_find_locked(struct kfd_process *p, u64 handle,
					       const struct kfd_user_map *map)
{
	struct kfd_buffer *buf = map_find_locked(p, handle);

	if (IS_ERR(buf))
		return buf;
	if (buf->bo != map->bo)
		return ERR_PTR(-EINVAL);
	return map->pn->attached && map->pn->vm ? buf : ERR_PTR(-ENODEV);
}

static int user_map_enter(struct kfd_process *p, u64 handle, const struct kfd_user_map *map)
{
	struct kfd_buffer *buf;
	int ret;

	mutex_lock(&p->lock);
	buf = user_map_find_locked(p, handle, map);
	ret = IS_ERR(buf) ? PTR_ERR(buf) : buffer_map_node(buf, map->pn, map->user);
	mutex_unlock(&p->lock);
	return ret;
}

static void user_map_undo(struct kfd_process *p, u64 handle, const struct kfd_user_map *map)
{
	struct kfd_buffer *buf;

	mutex_lock(&p->lock);
	buf = user_map_find_locked(p, handle, map);
	if (!IS_ERR(buf))
		kfd_buffer_unmap_node(buf, map->pn);
	mutex_unlock(&p->lock);
}

static int user_map_take(struct kfd_user_map *map)
{
	struct vm_device *vmd = &map->pn->node->dev->vm;

	if (map->bo->vmd == vmd) {
		vm_bo_get(map->bo);
		map->user = map->bo;
		return map->later ? 0 : vm_bo_populate(map->user);
	}
	map->user = kfd_buffer_user_bo(vmd, map->bo->user_addr, map->bo->base.size, map->writable,
				       map->buf, !map->later);
	return PTR_ERR_OR_ZERO(map->user);
}

/* Under no lock.  Pages that go between the two steps are waited for by the second. */
static int user_map(struct kfd_process *p, u64 handle, struct kfd_user_map *map)
{
	int ret = user_map_take(map);

	if (!ret)
		ret = user_map_enter(p, handle, map);
	if (!ret) {
		ret = map->later ? kfd_process_populate_later(p, map->user) :
				   vm_bo_populate(map->user);
		if (ret)
			user_map_undo(p, handle, map);
	}
	if (!IS_ERR(map->user))
		vm_bo_put(map->user);
	vm_bo_put(map->bo);
	return ret;
}

static int map_nodes(struct kfd_process *p, struct kfd_map_request *req, const u32 *ids)
{
	struct kfd_user_map map;
	int ret;

	do {
		map.bo = NULL;
		mutex_lock(&p->lock);
		ret = map_nodes_locked(p, req, ids, &map);
		mutex_unlock(&p->lock);
		if (!ret && map.bo) {
			ret = user_map(p, req->handle, &map);
			req->done += !ret;
		}
	} while (!ret && req->done < req->count);
	return ret;
}

static int map_request(struct kfd_process *p, struct kfd_map_request *req)
{
	u32 ids[KFD_MAX_NODES];

	if (!req->count || req->count > KFD_MAX_NODES || req->done > req->count)
		return -EINVAL;
	if (copy_from_user(ids, u64_to_user_ptr(req->ids), req->count * sizeof(*ids)))
		return -EFAULT;
	return map_nodes(p, req, ids);
}

/**
 * kfd_buffer_map - MAP_MEMORY_TO_GPU
 * @p: caller
 * @data: struct kfd_ioctl_map_memory_to_gpu_args
 *
 * Return: 0 or the errno that Documentation/uapi.rst lists.
 */
int kfd_buffer_map(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_map_memory_to_gpu_args *args = data;
	struct kfd_map_request req = {
		.handle = args->handle,
		.ids = args->device_ids_array_ptr,
		.count = args->n_devices,
		.done = args->n_success,
	};
	int ret = map_request(p, &req);

	args->n_success = req.done;
	return ret;
}

/**
 * kfd_buffer_map_restored - map a buffer of a checkpoint
 * @p: caller
 * @handle: buffer
 * @ids: gpu_ids
 * @count: how many
 *
 * Context: Process context, no lock held.
 * Return: as kfd_buffer_map().
 */
int kfd_buffer_map_restored(struct kfd_process *p, u64 handle, const u32 *ids, u32 count)
{
	struct kfd_map_request req = { .handle = handle, .count = count, .later = true };

	return map_nodes(p, &req, ids);
}

/**
 * kfd_buffer_unmap - UNMAP_MEMORY_FROM_GPU
 * @p: caller
 * @data: struct kfd_ioctl_unmap_memory_from_gpu_args
 *
 * When it returns no engine uses the memory through this process's mappings.
 *
 * Return: 0 or the errno that Documentation/uapi.rst lists.
 */
int kfd_buffer_unmap(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_unmap_memory_from_gpu_args *args = data;
	struct kfd_map_request req = {
		.handle = args->handle,
		.ids = args->device_ids_array_ptr,
		.count = args->n_devices,
		.done = args->n_success,
		.unmap = true,
	};
	int ret = map_request(p, &req);

	args->n_success = req.done;
	return ret;
}
