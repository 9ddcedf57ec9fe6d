// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: taking a checkpoint
 *
 * What is kept is collected under the process's lock into memory of ours, with a reference
 * to the object of each buffer.  Then, under no lock, dma-bufs are made of these and all of
 * it is written to the caller; descriptors are installed last, when nothing can fail.
 *
 * A queue's WPTR is what its client last told.  A doorbell that was rung while the queue was
 * out of the hardware is told nowhere but in the client's WPTR cell, which it writes first:
 * so that cell counts if it is ahead, by no more than the ring holds.
 */
#include <linux/dma-buf.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "hw/hw_device.h"
#include "kfd_buffer.h"
#include "kfd_criu.h"
#include "kfd_device.h"
#include "kfd_mmap.h"
#include "kfd_process.h"
#include "vm/vm.h"
#include "../uapi/linux/kfd_ioctl.h"

/**
 * struct criu_dma_buf - the contents of a buffer, on the way to the caller
 * @bo: its object, referenced; NULL: it has none to be read
 * @dmabuf: of it, referenced, from when it was made until @fd has it
 * @fd: reserved; less than 0: none
 * @writable: GPUs may write
 */
struct criu_dma_buf {
	struct vm_bo *bo;
	struct dma_buf *dmabuf;
	int fd;
	bool writable;
};

/**
 * struct criu_save - a checkpoint that is being taken
 * @counts: what there is
 * @devices: as the caller gets them
 * @buckets: as the caller gets them
 * @contents: of each buffer
 * @process: private data
 * @device: private data
 * @bo: private data
 * @queue: private data
 * @event: private data
 */
struct criu_save {
	struct kfd_criu_counts counts;
	struct kfd_criu_device_bucket *devices;
	struct kfd_criu_bo_bucket *buckets;
	struct criu_dma_buf *contents;
	struct kfd_criu_process process;
	struct kfd_criu_device *device;
	struct kfd_criu_bo *bo;
	struct kfd_criu_queue *queue;
	struct kfd_criu_event *event;
};

static void *save_array(u32 count, size_t size)
{
	/* Not 0 bytes, which are no memory. */
	return kvcalloc(max(count, 1u), size, HW_GFP_USER);
}

static int save_alloc(struct criu_save *s)
{
	const struct kfd_criu_counts *n = &s->counts;

	s->devices = save_array(n->devices, sizeof(*s->devices));
	s->device = save_array(n->devices, sizeof(*s->device));
	s->buckets = save_array(n->bos, sizeof(*s->buckets));
	s->contents = save_array(n->bos, sizeof(*s->contents));
	s->bo = save_array(n->bos, sizeof(*s->bo));
	s->queue = save_array(n->queues, sizeof(*s->queue));
	s->event = save_array(n->events, sizeof(*s->event));
	return s->devices && s->device && s->buckets && s->contents && s->bo && s->queue &&
	       s->event ? 0 : -ENOMEM;
}

static void contents_drop(struct criu_dma_buf *c)
{
	if (c->dmabuf) {
		if (c->fd >= 0)
			put_unused_fd(c->fd);
		dma_buf_put(c->dmabuf);
	}
	vm_bo_put(c->bo);
}

static void save_free(struct criu_save *s)
{
	u32 i;

	for (i = 0; s->contents && i < s->counts.bos; i++)
		contents_drop(&s->contents[i]);
	kvfree(s->devices);
	kvfree(s->device);
	kvfree(s->buckets);
	kvfree(s->contents);
	kvfree(s->bo);
	kvfree(s->queue);
	kvfree(s->event);
}

/* ---- collect, under the lock ---- */

static void save_process_locked(struct kfd_process *p, struct kfd_criu_process *out)
{
	out->version = KFD_CRIU_VERSION;
	kfd_event_page_save(p, &out->event_page, &out->event_slots);
	if (p->runtime.enabled)
		out->runtime = KFD_CRIU_RUNTIME_ENABLED |
			       (p->runtime.ttmp ? KFD_CRIU_RUNTIME_TTMP : 0);
	out->r_debug = p->runtime.r_debug;
}

static void save_device_locked(const struct kfd_process_node *pn, struct kfd_criu_device *out,
			       struct kfd_criu_device_bucket *bucket)
{
	bucket->user_gpu_id = pn->node->gpu_id;
	bucket->actual_gpu_id = pn->node->gpu_id;
	out->policy_set = pn->policy.set;
	out->default_policy = pn->policy.default_policy;
	out->alternate_policy = pn->policy.alternate_policy;
	out->policy_base = pn->policy.base;
	out->policy_size = pn->policy.size;
	out->mmio = pn->mmio_pfn != 0;
	out->scratch_va = pn->scratch_va;
	out->trap_tba = pn->trap_tba;
	out->trap_tma = pn->trap_tma;
}

static u64 save_mapped_locked(struct kfd_process *p, const struct kfd_buffer *buf)
{
	u64 mapped = 0;
	unsigned int i;

	BUILD_BUG_ON(KFD_MAX_NODES > 64);
	for_each_set_bit(i, buf->mapped, KFD_MAX_NODES) {
		int place = kfd_criu_place(p, i);

		if (place >= 0)
			mapped |= BIT_ULL(place);
	}
	return mapped;
}

static int save_offset(const struct kfd_buffer *buf, u64 *offset)
{
	u32 gpu_id = buf->pn->node->gpu_id;

	switch (buf->kind) {
	case KFD_BUFFER_DOORBELL:
		*offset = kfd_mmap_offset(KFD_MMAP_DOORBELL, gpu_id);
		return 0;
	case KFD_BUFFER_MMIO:
		*offset = kfd_mmap_offset(KFD_MMAP_MMIO, gpu_id);
		return 0;
	case KFD_BUFFER_USER:
		*offset = 0;
		return 0;
	default:
		return vm_bo_mmap_offset(buf->bo, offset);
	}
}

static int save_buffer_locked(struct kfd_process *p, const struct kfd_buffer *buf,
			      struct criu_save *s, u32 at)
{
	struct kfd_criu_bo_bucket *bucket = &s->buckets[at];
	struct criu_dma_buf *contents = &s->contents[at];

	contents->fd = -1;
	bucket->addr = buf->va;
	bucket->size = buf->size;
	bucket->gpu_id = buf->pn->node->gpu_id;
	bucket->alloc_flags = buf->flags;
	bucket->dmabuf_fd = KFD_INVALID_FD;
	s->bo[at].index = buf->index;
	s->bo[at].mapped = save_mapped_locked(p, buf);
	if (buf->kind == KFD_BUFFER_USER)
		s->bo[at].user_addr = buf->bo->user_addr;
	if (buf->kind == KFD_BUFFER_VRAM || buf->kind == KFD_BUFFER_GTT) {
		vm_bo_get(buf->bo);
		contents->bo = buf->bo;
		contents->writable = buf->map_flags & VM_MAP_WRITE;
	}
	return save_offset(buf, &bucket->offset);
}

static int save_node_locked(struct kfd_process *p, struct kfd_process_node *pn,
			    struct criu_save *s, u32 *bos)
{
	struct kfd_buffer *buf;
	unsigned long index;
	int ret;

	xa_for_each(&pn->buffers, index, buf) {
		ret = save_buffer_locked(p, buf, s, (*bos)++);
		if (ret)
			return ret;
	}
	return 0;
}

static int save_nodes_locked(struct kfd_process *p, struct criu_save *s)
{
	u32 devices = 0, bos = 0;
	unsigned int i;
	int ret;

	for (i = 0; i < p->num_nodes; i++) {
		struct kfd_process_node *pn = &p->node[i];

		if (!pn->attached)
			continue;
		save_device_locked(pn, &s->device[devices], &s->devices[devices]);
		devices++;
		ret = save_node_locked(p, pn, s, &bos);
		if (ret)
			return ret;
	}
	return 0;
}

static void save_queues_locked(struct kfd_process *p, struct criu_save *s)
{
	struct kfd_queue *q;
	unsigned long id;
	u32 n = 0;

	xa_for_each(&p->queues, id, q) {
		s->queue[n].type = KFD_CRIU_QUEUE;
		kfd_queue_save(q, &s->queue[n].queue);
		n++;
	}
}

static int save_events(struct kfd_process *p, struct criu_save *s)
{
	struct kfd_event_image *images;
	u32 i;
	int ret;

	images = save_array(s->counts.events, sizeof(*images));
	if (!images)
		return -ENOMEM;
	ret = kfd_event_save_all(p, images, s->counts.events);
	for (i = 0; !ret && i < s->counts.events; i++) {
		s->event[i].type = KFD_CRIU_EVENT;
		s->event[i].event = images[i];
	}
	kvfree(images);
	return ret;
}

static int save_check_locked(struct kfd_process *p, const struct kfd_ioctl_criu_args *args,
			     struct kfd_criu_counts *counts)
{
	int ret = kfd_criu_count_locked(p, counts);

	if (ret)
		return ret;
	if (!p->paused || counts->devices != args->num_devices || counts->bos != args->num_bos ||
	    counts->queues + counts->events != args->num_objects ||
	    kfd_criu_bytes(counts) != args->priv_data_size)
		return -EINVAL;
	return 0;
}

static int save_collect_locked(struct kfd_process *p, const struct kfd_ioctl_criu_args *args,
			       struct criu_save *s)
{
	int ret = save_check_locked(p, args, &s->counts);

	if (!ret)
		ret = save_alloc(s);
	if (!ret)
		ret = save_nodes_locked(p, s);
	if (ret)
		return ret;
	save_process_locked(p, &s->process);
	save_queues_locked(p, s);
	return save_events(p, s);
}

/* ---- what only the client's memory tells ---- */

static void save_wptr(struct task_struct *task, struct kfd_queue_image *q)
{
	u64 cell;

	if (access_process_vm(task, q->wptr_addr, &cell, sizeof(cell), 0) != sizeof(cell))
		return;
	if (cell > q->wptr && cell - q->rptr <= q->rb_size && IS_ALIGNED(cell, sizeof(u32)))
		q->wptr = cell;
}

static void save_wptrs(struct kfd_process *p, struct criu_save *s)
{
	struct task_struct *task = get_pid_task(p->tgid, PIDTYPE_TGID);
	u32 i;

	if (!task)
		return;
	for (i = 0; i < s->counts.queues; i++)
		save_wptr(task, &s->queue[i].queue);
	put_task_struct(task);
}

/* ---- contents ---- */

static int contents_open(struct criu_dma_buf *c, u32 *fd)
{
	if (!c->bo)
		return 0;
	c->dmabuf = vm_bo_export(c->bo, c->writable);
	if (IS_ERR(c->dmabuf)) {
		int ret = PTR_ERR(c->dmabuf);

		c->dmabuf = NULL;
		return ret;
	}
	c->fd = get_unused_fd_flags(0);
	*fd = c->fd;
	return min(c->fd, 0);
}

static int contents_open_all(struct criu_save *s)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < s->counts.bos && !ret; i++)
		ret = contents_open(&s->contents[i], &s->buckets[i].dmabuf_fd);
	return ret;
}

/* They are the caller's now. */
static void contents_install_all(struct criu_save *s)
{
	u32 i;

	for (i = 0; i < s->counts.bos; i++) {
		struct criu_dma_buf *c = &s->contents[i];

		if (!c->dmabuf)
			continue;
		fd_install(c->fd, c->dmabuf->file);
		c->dmabuf = NULL;
	}
}

/* ---- to the caller ---- */

static bool save_put(u64 *at, const void *from, u64 bytes)
{
	if (copy_to_user(u64_to_user_ptr(*at), from, bytes))
		return false;
	*at += bytes;
	return true;
}

static int save_write(const struct criu_save *s, const struct kfd_ioctl_criu_args *args)
{
	u64 devices = args->devices, bos = args->bos, priv = args->priv_data;
	const struct kfd_criu_counts *n = &s->counts;

	if (!save_put(&devices, s->devices, (u64)n->devices * sizeof(*s->devices)) ||
	    !save_put(&bos, s->buckets, (u64)n->bos * sizeof(*s->buckets)) ||
	    !save_put(&priv, &s->process, sizeof(s->process)) ||
	    !save_put(&priv, s->device, (u64)n->devices * sizeof(*s->device)) ||
	    !save_put(&priv, s->bo, (u64)n->bos * sizeof(*s->bo)) ||
	    !save_put(&priv, s->queue, (u64)n->queues * sizeof(*s->queue)) ||
	    !save_put(&priv, s->event, (u64)n->events * sizeof(*s->event)))
		return -EFAULT;
	return 0;
}

static int save_all(struct kfd_process *p, const struct kfd_ioctl_criu_args *args,
		    struct criu_save *s)
{
	int ret;

	mutex_lock(&p->lock);
	ret = save_collect_locked(p, args, s);
	mutex_unlock(&p->lock);
	if (ret)
		return ret;
	save_wptrs(p, s);
	ret = contents_open_all(s);
	if (!ret)
		ret = save_write(s, args);
	if (!ret)
		contents_install_all(s);
	return ret;
}

/**
 * kfd_criu_checkpoint - CHECKPOINT of CRIU_OP
 * @p: process whose queues PROCESS_INFO has stopped
 * @args: arrays of the caller, of exactly the sizes that PROCESS_INFO told
 *
 * Context: Process context, no lock held.
 * Return: 0; -EINVAL, -EFAULT, -ENODEV, -ENOMEM, -EMFILE, -EOPNOTSUPP.
 */
int kfd_criu_checkpoint(struct kfd_process *p, struct kfd_ioctl_criu_args *args)
{
	struct criu_save s = { };
	int ret;

	if (!args->devices || !args->bos || !args->priv_data)
		return -EINVAL;
	ret = save_all(p, args, &s);
	save_free(&s);
	return ret;
}
