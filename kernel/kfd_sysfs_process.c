// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: proc/ of the "kfd" device
 *
 * An *entry* is what a process has there.  It lives from before the process is published
 * until its queues have gone; its files take no lock and look only at what does not change
 * or is one word.  A folder is removed, which waits for readers, before what they look at.
 *
 * A number names one entry.  An address space can outlive the program that it was of (exec,
 * while somebody else still looks at it), and the number may then come back with a new one:
 * the older entry loses its folder.
 *
 * Locks: registry or process -> kfd_sysfs_lock -> those of sysfs.
 *
 * Not done: stats_GPUID and counters_GPUID: evictions and occupied CUs are not counted, page
 * migration does not exist.
 */
#include <linux/kobject.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/pid.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "kfd_device.h"
#include "kfd_process.h"
#include "kfd_queue.h"
#include "kfd_sysfs_process.h"

#define KFD_FILE_NAME	24

/* Types of queues as Linux prints them. */
#define KFD_SYSFS_QUEUE_SDMA		1
#define KFD_SYSFS_QUEUE_SDMA_XGMI	4

/**
 * struct kfd_sysfs_gpu - files about one GPU
 * @pn: process and node
 * @vram: vram_GPUID: bytes of VRAM that the process has allocated
 * @sdma: sdma_GPUID: time that the SDMA engines worked for it
 * @vram_name: its name
 * @sdma_name: its name
 */
struct kfd_sysfs_gpu {
	const struct kfd_process_node *pn;
	struct attribute vram;
	struct attribute sdma;
	char vram_name[KFD_FILE_NAME];
	char sdma_name[KFD_FILE_NAME];
};

/**
 * struct kfd_sysfs_process - an entry
 * @kobj: its folder, frees the struct
 * @queues: folder of the queues
 * @link: in kfd_sysfs_entries; kfd_sysfs_lock
 * @queue_list: &kfd_sysfs_queue.link; kfd_sysfs_lock
 * @process: whose it is
 * @pid: name of the folder
 * @gpu: one a node of the process
 */
struct kfd_sysfs_process {
	struct kobject kobj;
	struct kobject *queues;
	struct list_head link;
	struct list_head queue_list;
	const struct kfd_process *process;
	pid_t pid;
	struct kfd_sysfs_gpu gpu[];
};

/**
 * struct kfd_sysfs_queue - folder of a queue
 * @kobj: the folder, frees the struct
 * @link: in &kfd_sysfs_process.queue_list
 * @queue: the queue
 */
struct kfd_sysfs_queue {
	struct kobject kobj;
	struct list_head link;
	const struct kfd_queue *queue;
};

static DEFINE_MUTEX(kfd_sysfs_lock);
static LIST_HEAD(kfd_sysfs_entries);
static struct kobject *kfd_sysfs_proc;

/* ---- files ---- */

static struct attribute attr_pasid = { .name = "pasid", .mode = 0444 };

static ssize_t process_show(struct kobject *kobj, struct attribute *attr, char *buf)
{
	struct kfd_sysfs_process *entry = container_of(kobj, struct kfd_sysfs_process, kobj);
	const struct kfd_process *p = entry->process;
	unsigned int i;

	for (i = 0; i < p->num_nodes; i++)
		if (attr == &entry->gpu[i].vram)
			return sysfs_emit(buf, "%llu\n", READ_ONCE(entry->gpu[i].pn->vram_bytes));
	if (attr == &attr_pasid)
		return sysfs_emit(buf, "%u\n", p->pasid);
	/* sdma_GPUID: firmware counts that in real engines; where there is none nobody does. */
	return sysfs_emit(buf, "0\n");
}

static void process_release(struct kobject *kobj)
{
	kfree(container_of(kobj, struct kfd_sysfs_process, kobj));
}

static const struct sysfs_ops process_ops = { .show = process_show };

static struct kobj_type process_type = {
	.release = process_release,
	.sysfs_ops = &process_ops,
};

static struct attribute attr_gpuid = { .name = "gpuid", .mode = 0444 };
static struct attribute attr_size = { .name = "size", .mode = 0444 };
static struct attribute attr_type = { .name = "type", .mode = 0444 };

/* Without a newline, as Linux 6.1 has them. */
static ssize_t queue_show(struct kobject *kobj, struct attribute *attr, char *buf)
{
	const struct kfd_queue *q = container_of(kobj, struct kfd_sysfs_queue, kobj)->queue;

	if (attr == &attr_gpuid)
		return scnprintf(buf, PAGE_SIZE, "%u", q->pn->node->gpu_id);
	if (attr == &attr_size)
		return scnprintf(buf, PAGE_SIZE, "%llu", READ_ONCE(q->hw.rb_size));
	return scnprintf(buf, PAGE_SIZE, "%d",
			 q->xgmi ? KFD_SYSFS_QUEUE_SDMA_XGMI : KFD_SYSFS_QUEUE_SDMA);
}

static void queue_release(struct kobject *kobj)
{
	kfree(container_of(kobj, struct kfd_sysfs_queue, kobj));
}

static struct attribute *queue_attrs[] = { &attr_gpuid, &attr_size, &attr_type, NULL };
ATTRIBUTE_GROUPS(queue);

static const struct sysfs_ops queue_ops = { .show = queue_show };

static struct kobj_type queue_type = {
	.release = queue_release,
	.sysfs_ops = &queue_ops,
	.default_groups = queue_groups,
};

/* ---- processes ---- */

static void gpu_init(struct kfd_sysfs_gpu *gpu, const struct kfd_process_node *pn)
{
	u32 gpu_id = pn->node->gpu_id;

	gpu->pn = pn;
	snprintf(gpu->vram_name, sizeof(gpu->vram_name), "vram_%u", gpu_id);
	snprintf(gpu->sdma_name, sizeof(gpu->sdma_name), "sdma_%u", gpu_id);
	gpu->vram = (struct attribute){ .name = gpu->vram_name, .mode = 0444 };
	gpu->sdma = (struct attribute){ .name = gpu->sdma_name, .mode = 0444 };
	sysfs_attr_init(&gpu->vram);
	sysfs_attr_init(&gpu->sdma);
}

static int entry_fill(struct kfd_sysfs_process *entry)
{
	unsigned int i;
	int ret;

	entry->queues = kobject_create_and_add("queues", &entry->kobj);
	ret = entry->queues ? sysfs_create_file(&entry->kobj, &attr_pasid) : -ENOMEM;
	for (i = 0; i < entry->process->num_nodes && !ret; i++) {
		gpu_init(&entry->gpu[i], &entry->process->node[i]);
		ret = sysfs_create_file(&entry->kobj, &entry->gpu[i].vram);
		if (!ret)
			ret = sysfs_create_file(&entry->kobj, &entry->gpu[i].sdma);
	}
	return ret;
}

/* Folders of queues may stand below it: they go first. */
static void entry_hide_locked(struct kfd_sysfs_process *entry)
{
	struct kfd_sysfs_queue *sq;

	lockdep_assert_held(&kfd_sysfs_lock);

	list_for_each_entry(sq, &entry->queue_list, link)
		kobject_del(&sq->kobj);
	if (entry->queues) {
		kobject_del(entry->queues);
		kobject_put(entry->queues);
		entry->queues = NULL;
	}
	kobject_del(&entry->kobj);
	list_del_init(&entry->link);
}

static void entry_hide_namesake_locked(pid_t pid)
{
	struct kfd_sysfs_process *entry;

	lockdep_assert_held(&kfd_sysfs_lock);

	list_for_each_entry(entry, &kfd_sysfs_entries, link) {
		if (entry->pid == pid) {
			entry_hide_locked(entry);
			return;
		}
	}
}

static int entry_show_locked(struct kfd_sysfs_process *entry)
{
	int ret;

	lockdep_assert_held(&kfd_sysfs_lock);

	entry_hide_namesake_locked(entry->pid);
	ret = kobject_add(&entry->kobj, kfd_sysfs_proc, "%d", entry->pid);
	if (ret)
		return ret;
	list_add_tail(&entry->link, &kfd_sysfs_entries);
	ret = entry_fill(entry);
	if (ret)
		entry_hide_locked(entry);
	return ret;
}

/**
 * kfd_sysfs_add_process - make the folder of a process
 * @p: process with its nodes; nobody finds it yet
 *
 * Context: Process context, kfd_registry.lock held.
 */
void kfd_sysfs_add_process(struct kfd_process *p)
{
	struct kfd_sysfs_process *entry;
	int ret;

	entry = kzalloc(struct_size(entry, gpu, p->num_nodes), HW_GFP_USER);
	if (!entry)
		return;
	kobject_init(&entry->kobj, &process_type);
	INIT_LIST_HEAD(&entry->link);
	INIT_LIST_HEAD(&entry->queue_list);
	entry->process = p;
	entry->pid = pid_nr(p->tgid);
	mutex_lock(&kfd_sysfs_lock);
	ret = entry_show_locked(entry);
	mutex_unlock(&kfd_sysfs_lock);
	if (ret)
		kobject_put(&entry->kobj);
	else
		p->sysfs = entry;
}

/**
 * kfd_sysfs_remove_process - remove the folder of a process, if it has one
 * @p: process without queues
 *
 * Context: Process context, no lock held.
 */
void kfd_sysfs_remove_process(struct kfd_process *p)
{
	struct kfd_sysfs_process *entry = p->sysfs;

	if (!entry)
		return;
	mutex_lock(&kfd_sysfs_lock);
	if (entry->queues)
		entry_hide_locked(entry);
	mutex_unlock(&kfd_sysfs_lock);
	p->sysfs = NULL;
	kobject_put(&entry->kobj);
}

/* ---- queues ---- */

static int queue_show_locked(struct kfd_sysfs_process *entry, struct kfd_sysfs_queue *sq)
{
	int ret;

	lockdep_assert_held(&kfd_sysfs_lock);

	/* The process has lost its folder. */
	if (!entry->queues)
		return -ENOENT;
	ret = kobject_add(&sq->kobj, entry->queues, "%u", sq->queue->id);
	if (!ret)
		list_add_tail(&sq->link, &entry->queue_list);
	return ret;
}

/**
 * kfd_sysfs_add_queue - make the folder of a queue
 * @q: queue with its id
 *
 * Context: Process context, p->lock held.
 */
void kfd_sysfs_add_queue(struct kfd_queue *q)
{
	struct kfd_process *p = q->pn->process;
	struct kfd_sysfs_queue *sq;
	int ret;

	lockdep_assert_held(&p->lock);

	if (!p->sysfs)
		return;
	sq = kzalloc(sizeof(*sq), HW_GFP_USER);
	if (!sq)
		return;
	kobject_init(&sq->kobj, &queue_type);
	sq->queue = q;
	mutex_lock(&kfd_sysfs_lock);
	ret = queue_show_locked(p->sysfs, sq);
	mutex_unlock(&kfd_sysfs_lock);
	if (ret)
		kobject_put(&sq->kobj);
	else
		q->sysfs = sq;
}

/**
 * kfd_sysfs_remove_queue - remove the folder of a queue, if it has one
 * @q: queue
 *
 * Context: Process context, p->lock held.
 */
void kfd_sysfs_remove_queue(struct kfd_queue *q)
{
	struct kfd_sysfs_queue *sq = q->sysfs;

	lockdep_assert_held(&q->pn->process->lock);

	if (!sq)
		return;
	mutex_lock(&kfd_sysfs_lock);
	list_del(&sq->link);
	if (sq->kobj.state_in_sysfs)
		kobject_del(&sq->kobj);
	mutex_unlock(&kfd_sysfs_lock);
	q->sysfs = NULL;
	kobject_put(&sq->kobj);
}

/* ---- proc/ ---- */

/**
 * kfd_sysfs_process_init - make proc/
 * @parent: directory of the "kfd" device
 *
 * Context: Process context.
 * Return: 0 or -ENOMEM.
 */
int kfd_sysfs_process_init(struct kobject *parent)
{
	kfd_sysfs_proc = kobject_create_and_add("proc", parent);
	return kfd_sysfs_proc ? 0 : -ENOMEM;
}

/**
 * kfd_sysfs_process_fini - remove it; no process is left
 *
 * Context: Process context.
 */
void kfd_sysfs_process_fini(void)
{
	kobject_del(kfd_sysfs_proc);
	kobject_put(kfd_sysfs_proc);
	kfd_sysfs_proc = NULL;
}
