// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: system management events
 *
 * SMI_EVENTS gives a client a descriptor for one GPU.  A 64-bit mask written to it says
 * which kinds of event it wants; each event is one line of text in its FIFO: the number
 * of the kind in hexadecimal, a blank, and what belongs to it.  A line goes in as a whole
 * or, where there is no room, not at all.  Reading never waits; poll() does.
 *
 * A client sees what happens to its own process, which is the context (the address
 * space) that asked for the descriptor, whoever holds that now.  Those who had
 * CAP_SYS_ADMIN when they asked see other processes too, if their mask says so.
 *
 * Told are page faults of queues, and stops of all queues of a process: while user pages
 * are replaced, while its memory is elsewhere, while the machine sleeps.  Resets of an SDMA
 * instance belong to no process and are told to all.  Not told, because nothing here does
 * it: throttling, migration, page faults that are resolved, ranges of shared virtual memory
 * that leave a page table.
 */
#include <drm/drm_drv.h>
#include <linux/anon_inodes.h>
#include <linux/capability.h>
#include <linux/ctype.h>
#include <linux/fs.h>
#include <linux/kfifo.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

#include "hw/hw_device.h"
#include "kfd_debugfs.h"
#include "kfd_device.h"
#include "kfd_process.h"
#include "kfd_smi.h"
#include "../uapi/linux/kfd_ioctl.h"

#define SMI_NAME	"kfd_smi_ev"	/* upstream's; shown in /proc/PID/fd */
#define SMI_FIFO_BYTES	1024

/**
 * struct kfd_smi_client - a descriptor
 * @link: in node->smi.clients
 * @node: what it watches; part of a device that @process holds
 * @process: whose events it sees; referenced
 * @privileged: may see those of others
 * @mask: a bit a kind; written and read without a lock
 * @wait: who polls
 * @read_lock: one reader at a time; user memory is written under it
 * @lock: @fifo
 * @fifo: lines
 */
struct kfd_smi_client {
	struct list_head link;
	struct kfd_node *node;
	struct kfd_process *process;
	bool privileged;
	u64 mask;
	wait_queue_head_t wait;
	struct mutex read_lock;
	spinlock_t lock;
	DECLARE_KFIFO(fifo, char, SMI_FIFO_BYTES);
};

static bool smi_unplugged(const struct kfd_smi_client *client)
{
	return drm_dev_is_unplugged(&client->node->dev->drm);
}

/* ---- the descriptor ---- */

static __poll_t smi_poll(struct file *file, struct poll_table_struct *table)
{
	struct kfd_smi_client *client = file->private_data;
	__poll_t events = 0;

	poll_wait(file, &client->wait, table);
	if (smi_unplugged(client))
		events |= EPOLLHUP;
	spin_lock(&client->lock);
	if (!kfifo_is_empty(&client->fifo))
		events |= EPOLLIN | EPOLLRDNORM;
	spin_unlock(&client->lock);
	return events;
}

static unsigned int smi_peek(struct kfd_smi_client *client, char *piece, size_t size)
{
	unsigned int n;

	spin_lock(&client->lock);
	n = kfifo_out_peek(&client->fifo, piece, size);
	spin_unlock(&client->lock);
	return n;
}

/* The reader has these bytes: no other takes any between the peek and this. */
static void smi_consume(struct kfd_smi_client *client, char *piece, unsigned int n)
{
	unsigned int gone;

	spin_lock(&client->lock);
	gone = kfifo_out(&client->fifo, piece, n);
	spin_unlock(&client->lock);
	WARN_ON_ONCE(gone != n);
}

/* Bytes read, or -EFAULT before the first; what could not be stored stays for the next read. */
static ssize_t smi_read_locked(struct kfd_smi_client *client, char __user *buf, size_t size)
{
	char piece[KFD_SMI_EVENT_MSG_SIZE];
	size_t done = 0;

	while (done < size) {
		unsigned int n = smi_peek(client, piece, min(size - done, sizeof(piece)));

		if (!n)
			break;
		if (copy_to_user(buf + done, piece, n))
			return done ? done : -EFAULT;
		smi_consume(client, piece, n);
		done += n;
	}
	return done;
}

static ssize_t smi_read(struct file *file, char __user *buf, size_t size, loff_t *pos)
{
	struct kfd_smi_client *client = file->private_data;
	ssize_t ret;

	if (mutex_lock_interruptible(&client->read_lock))
		return -ERESTARTSYS;
	ret = smi_read_locked(client, buf, min_t(size_t, size, SMI_FIFO_BYTES));
	mutex_unlock(&client->read_lock);
	if (ret)
		return ret;
	return smi_unplugged(client) ? -ENODEV : -EAGAIN;
}

static ssize_t smi_write(struct file *file, const char __user *buf, size_t size, loff_t *pos)
{
	struct kfd_smi_client *client = file->private_data;
	u64 mask;

	if (size < sizeof(mask) || copy_from_user(&mask, buf, sizeof(mask)))
		return -EFAULT;
	WRITE_ONCE(client->mask, mask);
	return sizeof(mask);
}

static void smi_client_free(struct kfd_smi_client *client)
{
	struct kfd_smi *smi = &client->node->smi;

	mutex_lock(&smi->lock);
	list_del(&client->link);
	mutex_unlock(&smi->lock);
	/* The node may go with it. */
	kfd_process_put(client->process);
	kfree(client);
	kfd_count_add(KFD_COUNT_SMI_CLIENTS, -1);
}

static int smi_release(struct inode *inode, struct file *file)
{
	smi_client_free(file->private_data);
	return 0;
}

static const struct file_operations smi_fops = {
	.owner = THIS_MODULE,
	.poll = smi_poll,
	.read = smi_read,
	.write = smi_write,
	.release = smi_release,
};

static struct kfd_smi_client *smi_client_make(struct kfd_process_node *pn)
{
	struct kfd_smi_client *client = kzalloc(sizeof(*client), HW_GFP_USER);
	struct kfd_smi *smi = &pn->node->smi;

	if (!client)
		return NULL;
	kfd_process_get(pn->process);
	client->process = pn->process;
	client->node = pn->node;
	client->privileged = capable(CAP_SYS_ADMIN);
	init_waitqueue_head(&client->wait);
	mutex_init(&client->read_lock);
	spin_lock_init(&client->lock);
	INIT_KFIFO(client->fifo);
	kfd_count_add(KFD_COUNT_SMI_CLIENTS, 1);
	mutex_lock(&smi->lock);
	list_add_tail(&client->link, &smi->clients);
	mutex_unlock(&smi->lock);
	return client;
}

static bool smi_attached(struct kfd_process_node *pn)
{
	bool attached;

	mutex_lock(&pn->process->lock);
	attached = pn->attached;
	mutex_unlock(&pn->process->lock);
	return attached;
}

/**
 * kfd_smi_open - SMI_EVENTS
 * @p: caller
 * @data: struct kfd_ioctl_smi_events_args
 *
 * Context: Process context, no lock held.
 * Return: 0; -EINVAL (no such GPU), -ENODEV (gone), -EMFILE, -ENFILE, -ENOMEM.
 */
int kfd_smi_open(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_smi_events_args *args = data;
	struct kfd_process_node *pn = kfd_process_find_node(p, args->gpuid);
	struct kfd_smi_client *client;
	int fd;

	if (!pn)
		return -EINVAL;
	if (!smi_attached(pn))
		return -ENODEV;
	client = smi_client_make(pn);
	if (!client)
		return -ENOMEM;
	/* Inherited through exec, as upstream's. */
	fd = anon_inode_getfd(SMI_NAME, &smi_fops, client, O_RDWR);
	if (fd < 0) {
		smi_client_free(client);
		return fd;
	}
	/* It is the descriptor's now. */
	args->anon_fd = fd;
	return 0;
}

/* ---- events ---- */

static u64 smi_bit(enum kfd_smi_event event)
{
	return KFD_SMI_EVENT_MASK_FROM_INDEX(event);
}

/* @p: whom it concerns; NULL: everybody. */
static bool smi_wanted(const struct kfd_smi_client *client, const struct kfd_process *p,
		       enum kfd_smi_event event)
{
	u64 mask = READ_ONCE(client->mask);

	if (p && client->process != p &&
	    !(client->privileged && (mask & smi_bit(KFD_SMI_EVENT_ALL_PROCESS))))
		return false;
	return mask & smi_bit(event);
}

static void smi_put(struct kfd_smi_client *client, const char *line, unsigned int len)
{
	bool room;

	spin_lock(&client->lock);
	room = kfifo_avail(&client->fifo) >= len;
	if (room)
		kfifo_in(&client->fifo, line, len);
	spin_unlock(&client->lock);
	if (room)
		wake_up_interruptible(&client->wait);
}

/*
 * @p: whom it concerns; NULL: everybody.  @format: what follows the number of the event, with
 * the end of the line.
 */
static __printf(4, 5) void smi_tell(struct kfd_node *node, const struct kfd_process *p,
				    enum kfd_smi_event event, const char *format, ...)
{
	struct kfd_smi *smi = &node->smi;
	char line[KFD_SMI_EVENT_MSG_SIZE];
	struct kfd_smi_client *client;
	va_list args;
	int len;

	if (list_empty(&smi->clients))
		return;
	len = scnprintf(line, sizeof(line), "%x ", event);
	va_start(args, format);
	len += vscnprintf(line + len, sizeof(line) - len, format, args);
	va_end(args);
	mutex_lock(&smi->lock);
	list_for_each_entry(client, &smi->clients, link)
		if (smi_wanted(client, p, event))
			smi_put(client, line, len);
	mutex_unlock(&smi->lock);
}

/* A process chooses its name: it must not end a line and begin another's. */
static void smi_name(const struct kfd_process *p, char name[TASK_COMM_LEN])
{
	strscpy(name, p->comm, TASK_COMM_LEN);
	for (; *name; name++)
		if (iscntrl(*name))
			*name = '?';
}

/**
 * kfd_smi_page_fault - a queue of a process used a bad address
 * @pn: process and node
 *
 * Context: Process context.
 */
void kfd_smi_page_fault(struct kfd_process_node *pn)
{
	char name[TASK_COMM_LEN];

	smi_name(pn->process, name);
	smi_tell(pn->node, pn->process, KFD_SMI_EVENT_VMFAULT, "%x:%s\n",
		 pid_nr(pn->process->tgid), name);
}

static void smi_evicted(struct kfd_process_node *pn, enum KFD_QUEUE_EVICTION_TRIGGERS why)
{
	smi_tell(pn->node, pn->process, KFD_SMI_EVENT_QUEUE_EVICTION, "%lld -%d %x %d\n",
		 ktime_get_boottime_ns(), pid_nr(pn->process->tgid), pn->node->gpu_id, why);
}

static void smi_restored(struct kfd_process_node *pn)
{
	smi_tell(pn->node, pn->process, KFD_SMI_EVENT_QUEUE_RESTORE, "%lld -%d %x 0\n",
		 ktime_get_boottime_ns(), pid_nr(pn->process->tgid), pn->node->gpu_id);
}

/* What a stop is called; less than 0: one that its owner wishes, which is not told. */
static int smi_trigger(enum kfd_stop_reason why)
{
	switch (why) {
	case KFD_STOP_USERPTR:
		return KFD_QUEUE_EVICTION_TRIGGER_USERPTR;
	case KFD_STOP_EVICTION:
		return KFD_QUEUE_EVICTION_TRIGGER_TTM;
	case KFD_STOP_CHECKPOINT:
		return KFD_QUEUE_EVICTION_CRIU_CHECKPOINT;
	case KFD_STOP_RESTORE:
		return KFD_QUEUE_EVICTION_CRIU_RESTORE;
	default:
		return -ENOENT;
	}
}

/**
 * kfd_smi_stopped - the queues of a process stop for a reason that did not hold before
 * @pn: process and node
 * @why: reason
 *
 * Context: Process context, MMU notifiers included; node->lock held.
 */
void kfd_smi_stopped(struct kfd_process_node *pn, enum kfd_stop_reason why)
{
	lockdep_assert_held(&pn->node->lock);

	if (smi_trigger(why) >= 0)
		smi_evicted(pn, smi_trigger(why));
}

/**
 * kfd_smi_started - that reason holds no more
 * @pn: process and node
 * @why: reason
 *
 * Context: Process context; node->lock held.
 */
void kfd_smi_started(struct kfd_process_node *pn, enum kfd_stop_reason why)
{
	lockdep_assert_held(&pn->node->lock);

	if (smi_trigger(why) >= 0)
		smi_restored(pn);
}

static void smi_tell_processes(struct kfd_node *node, bool sleep)
{
	struct kfd_process_node *pn;
	struct kfd_process *p;
	u32 pasid = 0;

	while ((p = kfd_process_get_next(&pasid))) {
		for (pn = p->node; pn < p->node + p->num_nodes; pn++) {
			if (pn->node != node)
				continue;
			if (sleep)
				smi_evicted(pn, KFD_QUEUE_EVICTION_TRIGGER_SUSPEND);
			else
				smi_restored(pn);
		}
		kfd_process_put(p);
	}
}

/**
 * kfd_smi_sleep - the machine goes to sleep: queues of all processes leave the hardware
 * @node: node
 *
 * Context: Process context, user space is frozen.
 */
void kfd_smi_sleep(struct kfd_node *node)
{
	smi_tell_processes(node, true);
}

/**
 * kfd_smi_wake - they come back
 * @node: node
 *
 * Context: Process context.
 */
void kfd_smi_wake(struct kfd_node *node)
{
	smi_tell_processes(node, false);
}

/* Nobody's, so told to all.  A reset that has ended has no cause; the blank stays, as upstream. */
static void smi_reset(struct kfd_node *node, enum kfd_smi_event event, const char *cause)
{
	smi_tell(node, NULL, event, "%x %s\n", node->smi.resets, cause);
}

/**
 * kfd_smi_reset_begin - an SDMA instance is about to be reset
 * @node: node that uses it
 * @instance: which; the name of its ring is told as the cause
 *
 * Context: Process context; one reset of a device at a time.
 */
void kfd_smi_reset_begin(struct kfd_node *node, unsigned int instance)
{
	char cause[16];

	snprintf(cause, sizeof(cause), "sdma%u", instance);
	node->smi.resets++;
	smi_reset(node, KFD_SMI_EVENT_GPU_PRE_RESET, cause);
}

/**
 * kfd_smi_reset_end - it was reset and goes on
 * @node: node that uses it
 *
 * Where the instance is given up instead, nothing is told.
 *
 * Context: Process context; the reset that began last.
 */
void kfd_smi_reset_end(struct kfd_node *node)
{
	smi_reset(node, KFD_SMI_EVENT_GPU_POST_RESET, "");
}

/* ---- life ---- */

/**
 * kfd_smi_init - nobody watches yet
 * @smi: part of a node
 */
void kfd_smi_init(struct kfd_smi *smi)
{
	mutex_init(&smi->lock);
	INIT_LIST_HEAD(&smi->clients);
}

/**
 * kfd_smi_gone - wake those who wait for an event of a device that was unplugged
 * @node: node of it
 *
 * Context: Process context, after drm_dev_unplug().
 */
void kfd_smi_gone(struct kfd_node *node)
{
	struct kfd_smi_client *client;

	mutex_lock(&node->smi.lock);
	list_for_each_entry(client, &node->smi.clients, link)
		wake_up_interruptible(&client->wait);
	mutex_unlock(&node->smi.lock);
}
