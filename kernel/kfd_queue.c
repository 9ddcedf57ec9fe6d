// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: user queues, the ioctls
 *
 * Checks in the order of Linux 6.1, so that a call with several faults gets the same
 * errno.  What 6.1 lets pass and the hardware cannot do is refused here as well:
 * a ring that is not aligned to 256 bytes, pointers that are not aligned to 8.
 *
 * As in 6.1, the memory of a queue is not looked at: a queue whose ring is not mapped
 * faults when it runs.
 *
 * Not done: compute queues.
 */
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "kfd_debugfs.h"
#include "kfd_device.h"
#include "kfd_doorbell.h"
#include "kfd_mmap.h"
#include "kfd_process.h"
#include "kfd_queue.h"
#include "kfd_sysfs_process.h"
#include "../uapi/linux/kfd_ioctl.h"

#define KFD_QUEUES_PER_PROCESS	127
#define KFD_RING_ALIGN		256	/* RB_BASE holds address bits 47:8 */
#define KFD_POINTER_ALIGN	8

/* What CREATE_QUEUE and UPDATE_QUEUE check alike; raises a small size to the minimum. */
static int queue_check_ring(u64 base, u32 *size, u32 percent, u32 priority)
{
	if (percent > KFD_MAX_QUEUE_PERCENTAGE || priority > KFD_MAX_QUEUE_PRIORITY)
		return -EINVAL;
	if (base && !access_ok(u64_to_user_ptr(base), sizeof(u64)))
		return -EFAULT;
	if (*size && !is_power_of_2(*size))
		return -EINVAL;
	*size = max_t(u32, *size, KFD_MIN_QUEUE_RING_SIZE);
	return IS_ALIGNED(base, KFD_RING_ALIGN) ? 0 : -EINVAL;
}

static int queue_check_pointer(u64 addr)
{
	if (!access_ok(u64_to_user_ptr(addr), sizeof(u64)))
		return -EFAULT;
	return IS_ALIGNED(addr, KFD_POINTER_ALIGN) ? 0 : -EINVAL;
}

static int queue_check_type(u32 type)
{
	switch (type) {
	case KFD_IOC_QUEUE_TYPE_SDMA:
	case KFD_IOC_QUEUE_TYPE_SDMA_XGMI:
		return 0;
	default:
		return -ENOTSUPP;
	}
}

static int queue_check(struct kfd_ioctl_create_queue_args *args)
{
	int ret;

	ret = queue_check_ring(args->ring_base_address, &args->ring_size,
			       args->queue_percentage, args->queue_priority);
	if (!ret)
		ret = queue_check_pointer(args->read_pointer_address);
	if (!ret)
		ret = queue_check_pointer(args->write_pointer_address);
	if (!ret)
		ret = queue_check_type(args->queue_type);
	return ret;
}

static struct kfd_queue *queue_alloc(struct kfd_process_node *pn,
				     const struct kfd_ioctl_create_queue_args *args)
{
	struct kfd_queue *q = kzalloc(sizeof(*q), HW_GFP_USER);

	if (!q)
		return NULL;
	q->pn = pn;
	q->slot = KFD_NO_SLOT;
	INIT_LIST_HEAD(&q->wait);
	q->xgmi = args->queue_type == KFD_IOC_QUEUE_TYPE_SDMA_XGMI;
	q->priority = args->queue_priority;
	q->sched.weight = kfd_sched_weight(q->priority);
	q->percent = args->queue_percentage;
	q->hw.rb_base = args->ring_base_address;
	q->hw.rb_size = args->ring_size;
	q->hw.rptr_addr = args->read_pointer_address;
	q->hw.wptr_addr = args->write_pointer_address;
	if (!q->percent || !q->hw.rb_base) {
		q->stopped[KFD_STOP_SUSPENDED] = 1;
		q->stops = 1;
	}
	return q;
}

/* An id that is free, or the one that it had. */
static int queue_name_locked(struct kfd_process *p, struct kfd_queue *q, bool restored)
{
	int ret;

	if (restored)
		ret = xa_insert(&p->queues, q->id, q, HW_GFP_USER);
	else
		ret = xa_alloc(&p->queues, &q->id, q, XA_LIMIT(0, KFD_QUEUES_PER_PROCESS - 1),
			       HW_GFP_USER);
	return ret == -EBUSY ? -ENOSPC : ret;
}

/* Takes @q, which is freed after an error. */
static int queue_enter_locked(struct kfd_process *p, struct kfd_queue *q, bool restored)
{
	/* The id first: after the queue is in the hardware nothing may fail. */
	int ret = queue_name_locked(p, q, restored);

	if (ret)
		goto free_queue;
	ret = restored ? kfd_queue_admit_there(q) : kfd_queue_admit(q);
	if (ret)
		goto erase_id;
	kfd_sysfs_add_queue(q);
	return 0;

erase_id:
	xa_erase(&p->queues, q->id);
free_queue:
	kfree(q);
	return ret;
}

static int queue_create_locked(struct kfd_process *p, struct kfd_ioctl_create_queue_args *args)
{
	struct kfd_process_node *pn = kfd_process_bound_node(p, args->gpu_id);
	struct kfd_queue *q;
	int ret;

	if (IS_ERR(pn))
		return PTR_ERR(pn) == -ENODEV ? -ESRCH : PTR_ERR(pn);
	ret = kfd_doorbell_take(pn);
	if (ret)
		return ret;
	q = queue_alloc(pn, args);
	if (!q)
		return -ENOMEM;
	ret = queue_enter_locked(p, q, false);
	if (ret)
		return ret;
	args->queue_id = q->id;
	args->doorbell_offset = kfd_mmap_offset(KFD_MMAP_DOORBELL, args->gpu_id) |
				(q->hw.doorbell - kfd_doorbell_base(pn));
	return 0;
}

/**
 * kfd_queue_create - CREATE_QUEUE
 * @p: caller
 * @data: struct kfd_ioctl_create_queue_args
 *
 * Context: Process context, no lock held.
 * Return: 0 or the errno that Documentation/uapi.rst lists.
 */
int kfd_queue_create(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_create_queue_args *args = data;
	int ret = queue_check(args);

	if (ret)
		return ret;
	mutex_lock(&p->lock);
	ret = queue_create_locked(p, args);
	mutex_unlock(&p->lock);
	return ret;
}

/**
 * kfd_queue_save - what a checkpoint keeps of a queue
 * @q: queue
 * @image: filled
 *
 * Context: Process context, p->lock held. Takes node->lock.
 */
void kfd_queue_save(struct kfd_queue *q, struct kfd_queue_image *image)
{
	struct kfd_node *node = q->pn->node;

	lockdep_assert_held(&q->pn->process->lock);

	mutex_lock(&node->lock);
	*image = (struct kfd_queue_image) {
		.id = q->id,
		.gpu_id = node->gpu_id,
		.instance = q->instance,
		.number = q->number,
		.xgmi = q->xgmi,
		.priority = q->priority,
		.percent = q->percent,
		.faulted = q->stopped[KFD_STOP_RESET] != 0,
		.rb_size = q->hw.rb_size,
		.halted = q->hw.halted,
		.rb_base = q->hw.rb_base,
		.rptr_addr = q->hw.rptr_addr,
		.wptr_addr = q->hw.wptr_addr,
		.rptr = q->hw.rptr,
		.wptr = q->hw.wptr,
	};
	mutex_unlock(&node->lock);
}

static struct kfd_queue *queue_of_image(struct kfd_process_node *pn,
					const struct kfd_ioctl_create_queue_args *args,
					const struct kfd_queue_image *image)
{
	struct kfd_queue *q = queue_alloc(pn, args);

	if (!q)
		return NULL;
	q->id = image->id;
	q->instance = image->instance;
	q->number = image->number;
	q->hw.rptr = image->rptr;
	q->hw.wptr = image->wptr;
	q->hw.halted = image->halted;
	if (image->faulted) {
		q->fault = "fault-restored";
		q->stopped[KFD_STOP_RESET] = 1;
		q->stops++;
	}
	return q;
}

static int queue_restore_locked(struct kfd_process *p,
				const struct kfd_ioctl_create_queue_args *args,
				const struct kfd_queue_image *image)
{
	struct kfd_process_node *pn = kfd_process_bound_node(p, args->gpu_id);
	struct kfd_queue *q;
	int ret;

	if (IS_ERR(pn))
		return PTR_ERR(pn);
	ret = kfd_doorbell_take(pn);
	if (ret)
		return ret;
	q = queue_of_image(pn, args, image);
	return q ? queue_enter_locked(p, q, true) : -ENOMEM;
}

/**
 * kfd_queue_restore - make a queue as it was when it was saved
 * @p: caller
 * @image: what was saved; from user space
 *
 * Context: Process context, no lock held.
 * Return: 0; -EINVAL, -EFAULT, -ENODEV, -ENOMEM; -ENOSPC (its number is taken), -EBUSY (its
 * doorbell is).
 */
int kfd_queue_restore(struct kfd_process *p, const struct kfd_queue_image *image)
{
	struct kfd_ioctl_create_queue_args args = {
		.ring_base_address = image->rb_base,
		.ring_size = image->rb_size,
		.read_pointer_address = image->rptr_addr,
		.write_pointer_address = image->wptr_addr,
		.gpu_id = image->gpu_id,
		.queue_type = image->xgmi ? KFD_IOC_QUEUE_TYPE_SDMA_XGMI :
					    KFD_IOC_QUEUE_TYPE_SDMA,
		.queue_percentage = image->percent,
		.queue_priority = image->priority,
	};
	int ret;

	if (image->id >= KFD_QUEUES_PER_PROCESS || !IS_ALIGNED(image->rptr, sizeof(u32)))
		return -EINVAL;
	ret = queue_check(&args);
	if (ret)
		return ret;
	mutex_lock(&p->lock);
	ret = queue_restore_locked(p, &args, image);
	mutex_unlock(&p->lock);
	return ret;
}

static void queue_destroy_locked(struct kfd_process *p, struct kfd_queue *q)
{
	kfd_sysfs_remove_queue(q);
	kfd_queue_expel(q);
	xa_erase(&p->queues, q->id);
	kfree(q);
}

/**
 * kfd_queue_destroy - DESTROY_QUEUE
 * @p: caller
 * @data: struct kfd_ioctl_destroy_queue_args
 *
 * Context: Process context, no lock held. When it returns the engine does not touch
 * the queue's memory any more.
 * Return: 0 or -EINVAL.
 */
int kfd_queue_destroy(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_destroy_queue_args *args = data;
	struct kfd_queue *q;

	mutex_lock(&p->lock);
	q = xa_load(&p->queues, args->queue_id);
	if (q)
		queue_destroy_locked(p, q);
	mutex_unlock(&p->lock);
	return q ? 0 : -EINVAL;
}

/**
 * kfd_queue_update - UPDATE_QUEUE
 * @p: caller
 * @data: struct kfd_ioctl_update_queue_args
 *
 * Context: Process context, no lock held.
 * Return: 0, -EINVAL, -EFAULT, or what loading the queue said.
 */
int kfd_queue_update(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_update_queue_args *args = data;
	struct kfd_queue *q;
	int ret;

	ret = queue_check_ring(args->ring_base_address, &args->ring_size,
			       args->queue_percentage, args->queue_priority);
	if (ret)
		return ret;
	mutex_lock(&p->lock);
	q = xa_load(&p->queues, args->queue_id);
	if (!q) {
		ret = -EINVAL;
		goto unlock;
	}
	q->priority = args->queue_priority;
	q->percent = args->queue_percentage;
	ret = kfd_queue_reshape(q, args->ring_base_address, args->ring_size,
				q->percent && args->ring_base_address);
unlock:
	mutex_unlock(&p->lock);
	return ret;
}

/**
 * kfd_queue_destroy_all - destroy all queues of a process on one node
 * @pn: process and node
 *
 * Context: Process context, p->lock held.
 */
void kfd_queue_destroy_all(struct kfd_process_node *pn)
{
	struct kfd_process *p = pn->process;
	struct kfd_queue *q;
	unsigned long id;

	lockdep_assert_held(&p->lock);

	xa_for_each(&p->queues, id, q)
		if (q->pn == pn)
			queue_destroy_locked(p, q);
}
