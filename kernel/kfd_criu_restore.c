// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: making a process from a checkpoint
 *
 * Each thing is made as its own command makes it, with the same checks: what comes from a
 * checkpoint is as hostile as any argument.  One thing is read at a time, so nothing is
 * allocated by sizes that the caller names.
 *
 * A call that fails leaves what it has made so far; queues stay stopped.
 */
#include <linux/dma-buf.h>
#include <linux/err.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "hw/hw_device.h"
#include "kfd_buffer.h"
#include "kfd_criu.h"
#include "kfd_device.h"
#include "kfd_doorbell.h"
#include "kfd_mmio.h"
#include "kfd_process.h"
#include "kfd_process_ioctl.h"
#include "../uapi/linux/kfd_ioctl.h"

/**
 * struct criu_fd - a dma-buf on the way to the caller
 * @link: in criu_restore.fds
 * @dmabuf: it, referenced
 * @fd: reserved for it
 */
struct criu_fd {
	struct list_head link;
	struct dma_buf *dmabuf;
	int fd;
};

/**
 * struct criu_restore - a process that is being made
 * @p: it, the caller
 * @at: next private data to be read
 * @left: bytes of it
 * @process: what was kept of the whole
 * @gpu_ids: the devices in the order of their buckets
 * @num_devices: how many
 * @fds: &struct criu_fd.link
 */
struct criu_restore {
	struct kfd_process *p;
	u64 at;
	u64 left;
	struct kfd_criu_process process;
	u32 gpu_ids[KFD_MAX_NODES];
	u32 num_devices;
	struct list_head fds;
};

static int restore_read(struct criu_restore *r, void *to, u64 bytes)
{
	if (bytes > r->left)
		return -EINVAL;
	if (copy_from_user(to, u64_to_user_ptr(r->at), bytes))
		return -EFAULT;
	r->at += bytes;
	r->left -= bytes;
	return 0;
}

/* ---- devices ---- */

static void restore_stored_locked(struct kfd_process_node *pn, const struct kfd_criu_device *d)
{
	pn->policy.set = d->policy_set;
	pn->policy.default_policy = d->default_policy;
	pn->policy.alternate_policy = d->alternate_policy;
	pn->policy.base = d->policy_base;
	pn->policy.size = d->policy_size;
	pn->scratch_va = d->scratch_va;
	pn->trap_tba = d->trap_tba;
	pn->trap_tma = d->trap_tma;
}

static int restore_device_locked(struct kfd_process *p, u32 gpu_id,
				 const struct kfd_criu_device *d)
{
	struct kfd_process_node *pn = kfd_process_bound_node(p, gpu_id);
	int ret;

	if (IS_ERR(pn))
		return PTR_ERR(pn);
	ret = kfd_doorbell_take(pn);
	if (!ret && d->mmio)
		ret = kfd_mmio_take(pn);
	if (!ret)
		restore_stored_locked(pn, d);
	return ret;
}

static bool is_bound(struct kfd_process *p, struct kfd_process_node *pn)
{
	bool bound;

	mutex_lock(&p->lock);
	bound = pn->drm_file;
	mutex_unlock(&p->lock);
	return bound;
}

static int restore_bind(struct kfd_process *p, const struct kfd_criu_device_bucket *bucket)
{
	struct kfd_ioctl_acquire_vm_args args = {
		.drm_fd = bucket->drm_fd,
		.gpu_id = bucket->actual_gpu_id,
	};
	struct kfd_process_node *pn = kfd_process_find_node(p, bucket->actual_gpu_id);

	/* Handles and addresses of mappings have the number in them. */
	if (!pn || bucket->user_gpu_id != bucket->actual_gpu_id || is_bound(p, pn))
		return -EINVAL;
	return kfd_process_acquire_vm(p, &args);
}

static int restore_device(struct criu_restore *r, u64 bucket_at)
{
	struct kfd_criu_device_bucket bucket;
	struct kfd_criu_device d;
	int ret;

	if (copy_from_user(&bucket, u64_to_user_ptr(bucket_at), sizeof(bucket)))
		return -EFAULT;
	ret = restore_read(r, &d, sizeof(d));
	if (!ret)
		ret = restore_bind(r->p, &bucket);
	if (ret)
		return ret;
	mutex_lock(&r->p->lock);
	ret = restore_device_locked(r->p, bucket.actual_gpu_id, &d);
	mutex_unlock(&r->p->lock);
	r->gpu_ids[r->num_devices++] = bucket.actual_gpu_id;
	return ret;
}

static unsigned int attached_nodes(struct kfd_process *p)
{
	unsigned int i, n = 0;

	mutex_lock(&p->lock);
	for (i = 0; i < p->num_nodes; i++)
		n += p->node[i].attached;
	mutex_unlock(&p->lock);
	return n;
}

static int restore_devices(struct criu_restore *r, const struct kfd_ioctl_criu_args *args)
{
	int ret = 0;
	u32 i;

	if (args->num_devices != attached_nodes(r->p))
		return -EINVAL;
	for (i = 0; i < args->num_devices && !ret; i++)
		ret = restore_device(r, args->devices +
				     i * sizeof(struct kfd_criu_device_bucket));
	return ret;
}

/* ---- buffers ---- */

static int restore_map(struct criu_restore *r, u64 handle, u64 mapped)
{
	u32 ids[KFD_MAX_NODES];
	u32 i, n = 0;

	for (i = 0; i < r->num_devices; i++)
		if (mapped & BIT_ULL(i))
			ids[n++] = r->gpu_ids[i];
	if (n != hweight64(mapped))
		return -EINVAL;
	return n ? kfd_buffer_map_restored(r->p, handle, ids, n) : 0;
}

static int restore_contents(struct criu_restore *r, u64 handle, u32 *fd)
{
	struct criu_fd *f = kzalloc(sizeof(*f), HW_GFP_USER);
	int ret;

	if (!f)
		return -ENOMEM;
	f->dmabuf = kfd_buffer_dma_buf(r->p, handle, true);
	if (IS_ERR(f->dmabuf)) {
		ret = PTR_ERR(f->dmabuf);
		goto free_fd;
	}
	f->fd = get_unused_fd_flags(0);
	if (f->fd < 0) {
		ret = f->fd;
		goto put_dmabuf;
	}
	*fd = f->fd;
	list_add_tail(&f->link, &r->fds);
	return 0;

put_dmabuf:
	dma_buf_put(f->dmabuf);
free_fd:
	kfree(f);
	return ret;
}

static int restore_make(struct criu_restore *r, struct kfd_criu_bo_bucket *bucket,
			const struct kfd_criu_bo *bo, u64 *handle)
{
	bool twice = bucket->alloc_flags & KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM;
	struct kfd_ioctl_alloc_memory_of_gpu_args args = {
		.va_addr = bucket->addr,
		.size = bucket->size << twice,
		.mmap_offset = bo->user_addr,
		.gpu_id = bucket->gpu_id,
		.flags = bucket->alloc_flags,
	};
	int ret;

	/* The shift must not lose bits, and sizes are as they came out. */
	if (!PAGE_ALIGNED(bucket->size) || args.size >> twice != bucket->size)
		return -EINVAL;
	ret = kfd_buffer_restore(r->p, &args, bo->index);
	bucket->restored_offset = bo->user_addr ? 0 : args.mmap_offset;
	*handle = args.handle;
	return ret;
}

static int restore_buffer(struct criu_restore *r, u64 bucket_at)
{
	const u32 kinds = KFD_IOC_ALLOC_MEM_FLAGS_VRAM | KFD_IOC_ALLOC_MEM_FLAGS_GTT;
	struct kfd_criu_bo_bucket bucket;
	struct kfd_criu_bo bo;
	u64 handle;
	int ret;

	if (copy_from_user(&bucket, u64_to_user_ptr(bucket_at), sizeof(bucket)))
		return -EFAULT;
	ret = restore_read(r, &bo, sizeof(bo));
	if (ret)
		return ret;
	if (!kfd_process_find_node(r->p, bucket.gpu_id))
		return -ENODEV;
	ret = restore_make(r, &bucket, &bo, &handle);
	if (!ret)
		ret = restore_map(r, handle, bo.mapped);
	if (ret)
		return ret;
	bucket.dmabuf_fd = KFD_INVALID_FD;
	if (bucket.alloc_flags & kinds)
		ret = restore_contents(r, handle, &bucket.dmabuf_fd);
	if (!ret && copy_to_user(u64_to_user_ptr(bucket_at), &bucket, sizeof(bucket)))
		ret = -EFAULT;
	return ret;
}

static int restore_buffers(struct criu_restore *r, const struct kfd_ioctl_criu_args *args)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < args->num_bos && !ret; i++)
		ret = restore_buffer(r, args->bos + i * sizeof(struct kfd_criu_bo_bucket));
	return ret;
}

/* ---- queues, events and the rest ---- */

static int restore_queue(struct criu_restore *r)
{
	struct kfd_criu_queue q;
	int ret = restore_read(r, &q, sizeof(q));

	return ret ? ret : kfd_queue_restore(r->p, &q.queue);
}

static int restore_event(struct criu_restore *r)
{
	struct kfd_criu_event e;
	int ret = restore_read(r, &e, sizeof(e));

	return ret ? ret : kfd_event_restore(r->p, &e.event);
}

static int restore_object(struct criu_restore *r)
{
	u32 type;

	if (r->left < sizeof(type))
		return -EINVAL;
	if (get_user(type, (u32 __user *)u64_to_user_ptr(r->at)))
		return -EFAULT;
	switch (type) {
	case KFD_CRIU_QUEUE:
		return restore_queue(r);
	case KFD_CRIU_EVENT:
		return restore_event(r);
	default:
		return -EINVAL;
	}
}

static int restore_objects(struct criu_restore *r, u32 count)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < count && !ret; i++)
		ret = restore_object(r);
	return ret;
}

static int restore_begin(struct criu_restore *r)
{
	int ret = restore_read(r, &r->process, sizeof(r->process));

	if (ret)
		return ret;
	return r->process.version == KFD_CRIU_VERSION ? 0 : -EINVAL;
}

/* The event page is one of the buffers. */
static int restore_process(struct criu_restore *r)
{
	const struct kfd_criu_process *kept = &r->process;
	struct kfd_process *p = r->p;

	mutex_lock(&p->lock);
	p->runtime.enabled = kept->runtime & KFD_CRIU_RUNTIME_ENABLED;
	p->runtime.ttmp = kept->runtime & KFD_CRIU_RUNTIME_TTMP;
	p->runtime.r_debug = kept->r_debug;
	mutex_unlock(&p->lock);
	return kfd_event_page_restore(p, kept->event_page, kept->event_slots);
}

static int restore_all(struct criu_restore *r, const struct kfd_ioctl_criu_args *args)
{
	int ret = restore_begin(r);

	if (!ret)
		ret = restore_devices(r, args);
	if (!ret)
		ret = restore_buffers(r, args);
	if (!ret)
		ret = restore_process(r);
	if (!ret)
		ret = restore_objects(r, args->num_objects);
	return !ret && r->left ? -EINVAL : ret;
}

/* To the caller, or back. */
static void restore_fds_end(struct criu_restore *r, bool ok)
{
	struct criu_fd *f, *next;

	list_for_each_entry_safe(f, next, &r->fds, link) {
		if (ok) {
			fd_install(f->fd, f->dmabuf->file);
		} else {
			put_unused_fd(f->fd);
			dma_buf_put(f->dmabuf);
		}
		kfree(f);
	}
}

/**
 * kfd_criu_restore - RESTORE of CRIU_OP
 * @p: caller, whose queues are stopped
 * @args: what CHECKPOINT wrote, with a render node for each device
 *
 * Context: Process context, no lock held.
 * Return: 0 or the errno that Documentation/uapi.rst lists.
 */
int kfd_criu_restore(struct kfd_process *p, struct kfd_ioctl_criu_args *args)
{
	struct criu_restore *r = kzalloc(sizeof(*r), HW_GFP_USER);
	int ret;

	if (!r)
		return -ENOMEM;
	r->p = p;
	r->at = args->priv_data;
	r->left = args->priv_data_size;
	INIT_LIST_HEAD(&r->fds);
	ret = restore_all(r, args);
	restore_fds_end(r, !ret);
	kfree(r);
	return ret;
}
