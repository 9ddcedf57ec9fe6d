// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: checkpoints
 *
 * Somebody who traces a process, and has its descriptor, takes a checkpoint of it:
 *
 * - PROCESS_INFO stops its queues and says how much there is;
 * - CHECKPOINT writes it out, with a dma-buf of each VRAM and GTT buffer, from which the
 *   contents are read;
 * - UNPAUSE lets the queues run again.
 *
 * A process that has just opened /dev/kfd, and nothing else, becomes that process:
 *
 * - RESTORE, its own call, makes everything under the old names.  Its queues are stopped,
 *   its user pages need not be there.  Contents come through dma-bufs;
 * - RESUME, anybody's, faults the user pages in and lets the queues run.
 *
 * A queue that is stopped is out of the hardware, and what it raised is delivered before
 * PROCESS_INFO returns, so that what is kept is one state.
 *
 * Not done: buffers that were imported (PROCESS_INFO refuses), and restoring on a GPU of
 * another number.
 */
#include <linux/err.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/sched/task.h>

#include "kfd_buffer.h"
#include "kfd_criu.h"
#include "kfd_device.h"
#include "kfd_process.h"
#include "../uapi/linux/kfd_ioctl.h"

static void stop_all(struct kfd_process *p, enum kfd_stop_reason why)
{
	unsigned int i;

	for (i = 0; i < p->num_nodes; i++)
		kfd_queue_stop_all(&p->node[i], why);
}

static void start_all(struct kfd_process *p, enum kfd_stop_reason why)
{
	unsigned int i;

	for (i = 0; i < p->num_nodes; i++)
		kfd_queue_start_all(&p->node[i], why);
}

/* ---- how much there is ---- */

static int count_buffers_locked(struct kfd_process_node *pn, u32 *count)
{
	struct kfd_buffer *buf;
	unsigned long index;

	xa_for_each(&pn->buffers, index, buf) {
		if (buf->imported)
			return -EOPNOTSUPP;
		(*count)++;
	}
	return 0;
}

/**
 * kfd_criu_count_locked - how much of a process a checkpoint keeps
 * @p: process
 * @counts: filled
 *
 * Context: p->lock held.
 * Return: 0; -ENODEV (it has no GPU), -EOPNOTSUPP (a buffer is another process's, too).
 */
int kfd_criu_count_locked(struct kfd_process *p, struct kfd_criu_counts *counts)
{
	struct kfd_queue *q;
	unsigned long id;
	unsigned int i;
	int ret;

	lockdep_assert_held(&p->lock);

	memset(counts, 0, sizeof(*counts));
	for (i = 0; i < p->num_nodes; i++) {
		if (!p->node[i].attached)
			continue;
		counts->devices++;
		ret = count_buffers_locked(&p->node[i], &counts->bos);
		if (ret)
			return ret;
	}
	xa_for_each(&p->queues, id, q)
		counts->queues++;
	counts->events = kfd_event_count(p);
	return counts->devices ? 0 : -ENODEV;
}

/**
 * kfd_criu_bytes - bytes of private data
 * @counts: how much there is
 *
 * Return: the number.
 */
u64 kfd_criu_bytes(const struct kfd_criu_counts *counts)
{
	return sizeof(struct kfd_criu_process) +
	       (u64)counts->devices * sizeof(struct kfd_criu_device) +
	       (u64)counts->bos * sizeof(struct kfd_criu_bo) +
	       (u64)counts->queues * sizeof(struct kfd_criu_queue) +
	       (u64)counts->events * sizeof(struct kfd_criu_event);
}

/**
 * kfd_criu_place - where a node stands among the devices of a checkpoint
 * @p: process
 * @node: index of it
 *
 * Context: p->lock held.
 * Return: its place; -ENODEV if it has gone.
 */
int kfd_criu_place(const struct kfd_process *p, unsigned int node)
{
	unsigned int i;
	int place = 0;

	lockdep_assert_held(&p->lock);

	if (!p->node[node].attached)
		return -ENODEV;
	for (i = 0; i < node; i++)
		place += p->node[i].attached;
	return place;
}

/* ---- the steps ---- */

/* As the process knows itself. */
static u32 own_pid(const struct kfd_process *p)
{
	struct task_struct *task = get_pid_task(p->tgid, PIDTYPE_TGID);
	u32 pid;

	if (!task)
		return 0;
	pid = task_tgid_nr_ns(task, task_active_pid_ns(task));
	put_task_struct(task);
	return pid;
}

static void unpause_locked(struct kfd_process *p)
{
	p->paused = false;
	start_all(p, KFD_STOP_CHECKPOINT);
}

static int info_locked(struct kfd_process *p, struct kfd_criu_counts *counts)
{
	unsigned int i;
	int ret;

	if (p->dead || !p->num_nodes)
		return -ENODEV;
	if (!p->paused) {
		p->paused = true;
		stop_all(p, KFD_STOP_CHECKPOINT);
	}
	for (i = 0; i < p->num_nodes; i++)
		if (p->node[i].attached)
			kfd_interrupts_flush(p->node[i].node->dev);
	ret = kfd_criu_count_locked(p, counts);
	if (ret)
		unpause_locked(p);
	return ret;
}

static int criu_process_info(struct kfd_process *p, struct kfd_ioctl_criu_args *args)
{
	struct kfd_criu_counts counts;
	int ret;

	mutex_lock(&p->lock);
	ret = info_locked(p, &counts);
	mutex_unlock(&p->lock);
	if (ret)
		return ret;
	args->pid = own_pid(p);
	args->num_devices = counts.devices;
	args->num_bos = counts.bos;
	args->num_objects = counts.queues + counts.events;
	args->priv_data_size = kfd_criu_bytes(&counts);
	return 0;
}

static int criu_unpause(struct kfd_process *p)
{
	int ret = -EINVAL;

	mutex_lock(&p->lock);
	if (p->paused) {
		unpause_locked(p);
		ret = 0;
	}
	mutex_unlock(&p->lock);
	return ret;
}

static int criu_restore(struct kfd_process *p, struct kfd_ioctl_criu_args *args)
{
	/* What it makes is of the caller's memory. */
	if (!kfd_process_is_owner(p))
		return -EBADF;
	if ((args->num_bos && !args->bos) || !args->devices || !args->priv_data ||
	    !args->priv_data_size || !args->num_devices)
		return -EINVAL;
	mutex_lock(&p->lock);
	if (!p->restoring) {
		p->restoring = true;
		stop_all(p, KFD_STOP_RESTORE);
	}
	mutex_unlock(&p->lock);
	return kfd_criu_restore(p, args);
}

static int resume(struct kfd_process *p)
{
	bool restoring;
	int ret;

	mutex_lock(&p->lock);
	restoring = p->restoring;
	mutex_unlock(&p->lock);
	if (!restoring)
		return -EINVAL;
	ret = kfd_process_populate(p);
	if (ret)
		return ret;
	mutex_lock(&p->lock);
	if (p->restoring) {
		p->restoring = false;
		start_all(p, KFD_STOP_RESTORE);
	}
	mutex_unlock(&p->lock);
	return 0;
}

static int criu_resume(struct kfd_ioctl_criu_args *args)
{
	struct pid *pid = find_get_pid(args->pid);
	struct kfd_process *target;
	int ret;

	if (!pid)
		return -ESRCH;
	target = kfd_process_get_by_pid(pid);
	put_pid(pid);
	if (!target)
		return -ESRCH;
	ret = resume(target);
	kfd_process_put(target);
	return ret;
}

/**
 * kfd_criu_op - CRIU_OP
 * @p: the process whose descriptor is used; not always the caller's
 * @data: struct kfd_ioctl_criu_args
 *
 * Context: Process context, no lock held.
 * Return: 0 or the errno that Documentation/uapi.rst lists.
 */
int kfd_criu_op(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_criu_args *args = data;

	switch (args->op) {
	case KFD_CRIU_OP_PROCESS_INFO:
		return criu_process_info(p, args);
	case KFD_CRIU_OP_CHECKPOINT:
		return kfd_criu_checkpoint(p, args);
	case KFD_CRIU_OP_UNPAUSE:
		return criu_unpause(p);
	case KFD_CRIU_OP_RESTORE:
		return criu_restore(p, args);
	case KFD_CRIU_OP_RESUME:
		return criu_resume(args);
	default:
		return -EINVAL;
	}
}
