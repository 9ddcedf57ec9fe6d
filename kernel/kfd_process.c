// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: processes: open, look up, tear down
 *
 * A process is made by the first open of its mm and lives as long as that mm, whatever
 * becomes of its descriptors: clients close /dev/kfd and open it again, and go on with
 * buffers and the event page of before.  What ends its hold on the GPUs:
 *
 * - the mm goes (exit, kill -9, exec): the MMU notifier's release callback;
 * - a device goes: only what the process has there.
 *
 * The struct outlives this until nobody refers to it: the notifier, descriptors (in other
 * processes too), doorbell mappings, the interrupt work item.  A process pins the module,
 * because it may have no descriptor that does.
 *
 * PASIDs are handed out cyclically, so that one comes back only after 65,535 others;
 * and what the IH ring holds is delivered before one is given back.  So no interrupt
 * of an old process reaches a new one.
 *
 * Not done: secondary contexts.
 */
#include <drm/drm_device.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <linux/compat.h>
#include <linux/device_cgroup.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hashtable.h>
#include <linux/mm.h>
#include <linux/mmu_notifier.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "kfd_buffer.h"
#include "kfd_debugfs.h"
#include "kfd_device.h"
#include "kfd_doorbell.h"
#include "kfd_drm.h"
#include "kfd_process.h"
#include "kfd_sysfs_process.h"
#include "vm/vm.h"

/* Processes by mm, for mmap(), which may not take the registry's lock. */
static DEFINE_HASHTABLE(kfd_table, 6);
static DEFINE_SPINLOCK(kfd_table_lock);

static DEFINE_XARRAY_ALLOC1(kfd_pasids);
static u32 kfd_next_pasid;
static struct workqueue_struct *kfd_process_wq;

/* ---- look-ups ---- */

static struct kfd_process *table_find_locked(const struct mm_struct *mm)
{
	struct kfd_process *p;

	lockdep_assert_held(&kfd_table_lock);

	hash_for_each_possible(kfd_table, p, table, (unsigned long)mm)
		if (p->mm == mm)
			return p;
	return NULL;
}

/**
 * kfd_process_get_current - the process of the caller's mm
 *
 * Context: Any that has an mm; does not sleep.
 * Return: the process with a reference, or NULL.
 */
struct kfd_process *kfd_process_get_current(void)
{
	struct kfd_process *p;

	spin_lock(&kfd_table_lock);
	p = table_find_locked(current->mm);
	if (p)
		kfd_process_get(p);
	spin_unlock(&kfd_table_lock);
	return p;
}

/**
 * kfd_process_get_by_pasid - the process that hardware knows by this number
 * @pasid: number
 *
 * Context: Process context.
 * Return: the process with a reference, or NULL.
 */
struct kfd_process *kfd_process_get_by_pasid(u32 pasid)
{
	struct kfd_process *p;

	xa_lock(&kfd_pasids);
	p = xa_load(&kfd_pasids, pasid);
	if (p && !kref_get_unless_zero(&p->kref))
		p = NULL;
	xa_unlock(&kfd_pasids);
	return p;
}

/**
 * kfd_process_get_next - walk all processes by PASID
 * @pasid: where to go on after; becomes the PASID found
 *
 * Context: Process context.
 * Return: the process with a reference, or NULL at the end.
 */
struct kfd_process *kfd_process_get_next(u32 *pasid)
{
	unsigned long id = *pasid;
	struct kfd_process *p;

	xa_lock(&kfd_pasids);
	do
		p = xa_find_after(&kfd_pasids, &id, KFD_MAX_PASID, XA_PRESENT);
	while (p && !kref_get_unless_zero(&p->kref));
	xa_unlock(&kfd_pasids);
	*pasid = id;
	return p;
}

/**
 * kfd_process_for_each - call a function for every process
 * @fn: function
 * @data: its second argument
 *
 * Context: Process context; takes the registry's lock, which @fn runs under.
 */
void kfd_process_for_each(void (*fn)(struct kfd_process *p, void *data), void *data)
{
	struct kfd_process *p;

	mutex_lock(&kfd_registry.lock);
	list_for_each_entry(p, &kfd_registry.processes, link)
		fn(p, data);
	mutex_unlock(&kfd_registry.lock);
}

/**
 * kfd_process_is_owner - may the caller use this process's descriptor?
 * @p: process
 *
 * A child has another thread group, a program started by exec another mm, whoever got
 * the descriptor through a socket has both.
 *
 * Return: true if it may.
 */
bool kfd_process_is_owner(const struct kfd_process *p)
{
	return p->tgid == task_tgid(current) && p->mm == current->mm;
}

/**
 * kfd_process_find_node - the process's view of a GPU
 * @p: process
 * @gpu_id: GPU
 *
 * Context: Any; no lock needed.
 * Return: the process node or NULL.
 */
struct kfd_process_node *kfd_process_find_node(struct kfd_process *p, u32 gpu_id)
{
	unsigned int i;

	for (i = 0; i < p->num_nodes; i++)
		if (p->node[i].node->gpu_id == gpu_id)
			return &p->node[i];
	return NULL;
}

/**
 * kfd_process_bound_node - the process's view of a GPU that it may use
 * @p: process
 * @gpu_id: GPU
 *
 * Context: p->lock held.
 * Return: the process node; ERR_PTR(-EINVAL) if there is no such GPU;
 * ERR_PTR(-ENODEV) if it has gone or ACQUIRE_VM is missing.
 */
struct kfd_process_node *kfd_process_bound_node(struct kfd_process *p, u32 gpu_id)
{
	struct kfd_process_node *pn = kfd_process_find_node(p, gpu_id);

	lockdep_assert_held(&p->lock);

	if (!pn)
		return ERR_PTR(-EINVAL);
	return pn->attached && pn->vm ? pn : ERR_PTR(-ENODEV);
}

/**
 * kfd_process_is_tracer - may the caller take a checkpoint with this process's descriptor?
 * @p: process
 *
 * Return: true if the calling thread traces the leader of the thread group.
 */
bool kfd_process_is_tracer(const struct kfd_process *p)
{
	struct task_struct *leader;
	bool is;

	rcu_read_lock();
	leader = pid_task(p->tgid, PIDTYPE_TGID);
	is = leader && ptrace_parent(leader) == current;
	rcu_read_unlock();
	return is;
}

/**
 * kfd_process_get_by_pid - the process of a thread group
 * @tgid: its number
 *
 * Context: Process context.
 * Return: the process with a reference, or NULL.
 */
struct kfd_process *kfd_process_get_by_pid(const struct pid *tgid)
{
	struct kfd_process *p;
	u32 pasid = 0;

	while ((p = kfd_process_get_next(&pasid))) {
		if (p->tgid == tgid)
			return p;
		kfd_process_put(p);
	}
	return NULL;
}

/* ---- user pages that come later ---- */

/**
 * struct kfd_later - user pages that were mapped before they were there
 * @link: in p->later
 * @bo: their object, referenced
 */
struct kfd_later {
	struct list_head link;
	struct vm_bo *bo;
};

static void later_free(struct kfd_later *later)
{
	vm_bo_put(later->bo);
	kfree(later);
}

static void later_drop_all_locked(struct kfd_process *p)
{
	struct kfd_later *later, *next;

	list_for_each_entry_safe(later, next, &p->later, link) {
		list_del(&later->link);
		later_free(later);
	}
}

/**
 * kfd_process_populate_later - note user pages for kfd_process_populate()
 * @p: process
 * @bo: their object
 *
 * Context: Process context, no lock held.
 * Return: 0, -ENOMEM; -ENODEV (the process has ended).
 */
int kfd_process_populate_later(struct kfd_process *p, struct vm_bo *bo)
{
	struct kfd_later *later = kzalloc(sizeof(*later), HW_GFP_USER);
	bool dead;

	if (!later)
		return -ENOMEM;
	vm_bo_get(bo);
	later->bo = bo;
	mutex_lock(&p->lock);
	dead = p->dead;
	if (!dead)
		list_add_tail(&later->link, &p->later);
	mutex_unlock(&p->lock);
	if (!dead)
		return 0;
	later_free(later);
	return -ENODEV;
}

static struct kfd_later *later_take(struct kfd_process *p)
{
	struct kfd_later *later;

	mutex_lock(&p->lock);
	later = list_first_entry_or_null(&p->later, struct kfd_later, link);
	if (later)
		list_del(&later->link);
	mutex_unlock(&p->lock);
	return later;
}

static void later_give_back(struct kfd_process *p, struct kfd_later *later)
{
	bool dead;

	mutex_lock(&p->lock);
	dead = p->dead;
	if (!dead)
		list_add(&later->link, &p->later);
	mutex_unlock(&p->lock);
	if (dead)
		later_free(later);
}

/**
 * kfd_process_populate - fault user pages in that were mapped before they were there
 * @p: process, whose memory decides how long it takes
 *
 * Context: Process context, no lock held.
 * Return: 0, or what vm_bo_populate() said of the first that are not there.
 */
int kfd_process_populate(struct kfd_process *p)
{
	struct kfd_later *later;
	int ret;

	while ((later = later_take(p))) {
		ret = vm_bo_populate(later->bo);
		/* Where the device has gone nobody waits for them. */
		if (ret && ret != -ENODEV) {
			later_give_back(p, later);
			return ret;
		}
		later_free(later);
	}
	return 0;
}

/* ---- tear down ---- */

static void node_detach_locked(struct kfd_process_node *pn)
{
	struct kfd_device *dev = pn->node->dev;

	lockdep_assert_held(&pn->process->lock);

	if (!pn->attached)
		return;
	kfd_queue_destroy_all(pn);
	kfd_buffer_free_all(pn);
	kfd_doorbell_release(pn);
	if (pn->vm) {
		kfd_drm_file_unbind(pn->drm_file);
		vm_space_put(pn->vm);
		fput(pn->drm_file);
		WRITE_ONCE(pn->vm, NULL);
		pn->drm_file = NULL;
	}
	pn->attached = false;
	if (atomic_dec_and_test(&dev->attached))
		wake_up(&dev->detached);
}

/* Queues of all nodes first: they may use each other's memory. */
static void process_shutdown(struct kfd_process *p)
{
	unsigned int i;

	mutex_lock(&p->lock);
	if (p->dead)
		goto unlock;
	p->dead = true;
	later_drop_all_locked(p);
	for (i = 0; i < p->num_nodes; i++)
		kfd_queue_destroy_all(&p->node[i]);
	kfd_events_fini(&p->events);
	for (i = 0; i < p->num_nodes; i++)
		node_detach_locked(&p->node[i]);
unlock:
	mutex_unlock(&p->lock);
}

/**
 * kfd_process_detach_device - no process uses a device any more when this returns
 * @dev: device that is no longer in the registry's list
 *
 * Every process that has the device has its PASID until it has let go of it.
 *
 * Context: Process context, no lock held.  Nothing that it waits for waits for a client.
 */
void kfd_process_detach_device(struct kfd_device *dev)
{
	struct kfd_process *p;
	unsigned int i;
	u32 pasid = 0;

	/* By PASID, and so without the registry's lock: nobody else waits for us meanwhile. */
	while ((p = kfd_process_get_next(&pasid))) {
		mutex_lock(&p->lock);
		for (i = 0; i < p->num_nodes; i++)
			if (p->node[i].node->dev == dev)
				node_detach_locked(&p->node[i]);
		mutex_unlock(&p->lock);
		kfd_process_put(p);
	}
	/* One that another thread was tearing down at that moment. */
	wait_event(dev->detached, !atomic_read(&dev->attached));
}

static void process_free(struct kref *kref)
{
	struct kfd_process *p = container_of(kref, struct kfd_process, kref);
	unsigned int i;

	for (i = 0; i < p->num_nodes; i++) {
		xa_destroy(&p->node[i].buffers);
		if (p->node[i].mmio_page)
			__free_page(p->node[i].mmio_page);
		drm_dev_put(&p->node[i].node->dev->drm);
	}
	xa_destroy(&p->queues);
	put_pid(p->tgid);
	kfree(p->node);
	kfree(p);
	kfd_count_add(KFD_COUNT_PROCESSES, -1);
}

/**
 * kfd_process_get - one more reference to the struct
 * @p: process
 */
void kfd_process_get(struct kfd_process *p)
{
	kref_get(&p->kref);
}

/**
 * kfd_process_put - drop one
 * @p: process
 *
 * Context: Process context.
 */
void kfd_process_put(struct kfd_process *p)
{
	kref_put(&p->kref, process_free);
}

static void process_drop_pasid(struct kfd_process *p)
{
	unsigned int i;

	for (i = 0; i < p->num_nodes; i++)
		kfd_interrupts_flush(p->node[i].node->dev);
	xa_erase(&kfd_pasids, p->pasid);
	kfd_count_add(KFD_COUNT_PASIDS, -1);
}

static void process_mm_release(struct mmu_notifier *mn, struct mm_struct *mm)
{
	struct kfd_process *p = container_of(mn, struct kfd_process, mn);

	mutex_lock(&kfd_registry.lock);
	list_del(&p->link);
	spin_lock(&kfd_table_lock);
	hash_del(&p->table);
	spin_unlock(&kfd_table_lock);
	mutex_unlock(&kfd_registry.lock);
	process_shutdown(p);
	kfd_sysfs_remove_process(p);
	process_drop_pasid(p);
	/* process_mn_free() follows once nobody walks the notifiers any more. */
	mmu_notifier_put(mn);
}

static void process_gone(struct work_struct *work)
{
	kfd_process_put(container_of(work, struct kfd_process, gone));
	/* kfd_process_table_fini() waits for this function's end. */
	module_put(THIS_MODULE);
}

/* Called with soft interrupts off; the last reference to a device may sleep. */
static void process_mn_free(struct mmu_notifier *mn)
{
	queue_work(kfd_process_wq, &container_of(mn, struct kfd_process, mn)->gone);
}

static const struct mmu_notifier_ops process_mn_ops = {
	.release = process_mm_release,
	.free_notifier = process_mn_free,
};

/* ---- make ---- */

/* The device cgroup decides which GPUs a process sees: those whose render node it may open. */
static bool node_visible(const struct kfd_node *node)
{
	dev_t render = node->dev->drm.render->kdev->devt;

	return !devcgroup_check_permission(DEVCG_DEV_CHAR, MAJOR(render), MINOR(render),
					   DEVCG_ACC_READ | DEVCG_ACC_WRITE);
}

static void node_init(struct kfd_process_node *pn, struct kfd_process *p, struct kfd_node *node)
{
	pn->process = p;
	pn->node = node;
	pn->attached = true;
	INIT_LIST_HEAD(&pn->queues);
	xa_init_flags(&pn->buffers, XA_FLAGS_ALLOC | XA_FLAGS_ACCOUNT);
	drm_dev_get(&node->dev->drm);
	atomic_inc(&node->dev->attached);
}

static void process_add_nodes_locked(struct kfd_process *p)
{
	struct kfd_device *dev;
	unsigned int i;

	lockdep_assert_held(&kfd_registry.lock);

	list_for_each_entry(dev, &kfd_registry.devices, link)
		for (i = 0; i < dev->num_nodes && p->num_nodes < KFD_MAX_NODES; i++)
			if (node_visible(&dev->node[i]))
				node_init(&p->node[p->num_nodes++], p, &dev->node[i]);
}

static struct kfd_process *process_alloc(struct mm_struct *mm)
{
	struct kfd_process *p = kzalloc(sizeof(*p), HW_GFP_USER);

	if (!p)
		return NULL;
	p->node = kcalloc(KFD_MAX_NODES, sizeof(*p->node), HW_GFP_USER);
	if (!p->node) {
		kfree(p);
		return NULL;
	}
	kref_init(&p->kref);
	INIT_LIST_HEAD(&p->link);
	INIT_LIST_HEAD(&p->later);
	INIT_HLIST_NODE(&p->table);
	p->mm = mm;
	p->tgid = get_pid(task_tgid(current));
	get_task_comm(p->comm, current->group_leader);
	mutex_init(&p->lock);
	xa_init_flags(&p->queues, XA_FLAGS_ALLOC | XA_FLAGS_ACCOUNT);
	kfd_events_init(&p->events);
	p->mn.ops = &process_mn_ops;
	INIT_WORK(&p->gone, process_gone);
	kfd_count_add(KFD_COUNT_PROCESSES, 1);
	return p;
}

static int process_take_pasid(struct kfd_process *p)
{
	int ret = xa_alloc_cyclic(&kfd_pasids, &p->pasid, p, XA_LIMIT(1, KFD_MAX_PASID),
				  &kfd_next_pasid, GFP_KERNEL);

	if (ret < 0)
		return ret == -EBUSY ? -ENOSPC : ret;
	kfd_count_add(KFD_COUNT_PASIDS, 1);
	return 0;
}

/* A process that nobody finds yet.  Takes mmap_lock, for as long as the client likes. */
static struct kfd_process *process_make(struct mm_struct *mm)
{
	struct kfd_process *p = process_alloc(mm);
	int ret;

	if (!p)
		return ERR_PTR(-ENOMEM);
	ret = process_take_pasid(p);
	if (ret)
		goto put_process;
	ret = mmu_notifier_register(&p->mn, mm);
	if (ret)
		goto drop_pasid;
	__module_get(THIS_MODULE);
	return p;

drop_pasid:
	process_drop_pasid(p);
put_process:
	kfd_process_put(p);
	return ERR_PTR(ret);
}

/* Another thread was faster.  The notifier's reference goes when nobody walks the notifiers. */
static void process_unmake(struct kfd_process *p)
{
	process_drop_pasid(p);
	mmu_notifier_put(&p->mn);
}

static void process_publish_locked(struct kfd_process *p)
{
	process_add_nodes_locked(p);
	kfd_sysfs_add_process(p);
	list_add_tail(&p->link, &kfd_registry.processes);
	spin_lock(&kfd_table_lock);
	hash_add(kfd_table, &p->table, (unsigned long)p->mm);
	spin_unlock(&kfd_table_lock);
}

/* The process of this mm, else @made, published; with one more file.  NULL: there is none. */
static struct kfd_process *process_enter(struct mm_struct *mm, struct kfd_process *made)
{
	struct kfd_process *p;

	mutex_lock(&kfd_registry.lock);
	spin_lock(&kfd_table_lock);
	p = table_find_locked(mm);
	spin_unlock(&kfd_table_lock);
	if (!p && made) {
		process_publish_locked(made);
		p = made;
	}
	/* Somebody else's thread group in the same mm (vfork): it would never own it. */
	if (p && p->tgid != task_tgid(current))
		p = ERR_PTR(-EINVAL);
	if (!IS_ERR_OR_NULL(p)) {
		kfd_process_get(p);
		p->files++;
	}
	mutex_unlock(&kfd_registry.lock);
	return p;
}

static struct kfd_process *process_find_or_make(struct mm_struct *mm)
{
	struct kfd_process *made, *p = process_enter(mm, NULL);

	if (p)
		return p;
	made = process_make(mm);
	if (IS_ERR(made))
		return made;
	p = process_enter(mm, made);
	if (p != made)
		process_unmake(made);
	return p;
}

/* ---- /dev/kfd ---- */

/**
 * kfd_process_open - open /dev/kfd
 * @file: new descriptor
 *
 * Context: Process context.
 * Return: 0; -EINVAL (no address space of its own), -EPERM (32-bit caller), -ENOSPC
 * (no PASID), -ENOMEM.
 */
int kfd_process_open(struct file *file)
{
	struct kfd_process *p;

	if (in_compat_syscall())
		return -EPERM;
	if (!current->mm || current->group_leader->mm != current->mm)
		return -EINVAL;
	p = process_find_or_make(current->mm);
	if (IS_ERR(p))
		return PTR_ERR(p);
	file->private_data = p;
	file->f_mapping = kfd_mapping();
	return 0;
}

/**
 * kfd_process_close - the last reference to a descriptor has gone
 * @file: descriptor
 *
 * Context: Process context.
 */
void kfd_process_close(struct file *file)
{
	struct kfd_process *p = file->private_data;

	mutex_lock(&kfd_registry.lock);
	p->files--;
	mutex_unlock(&kfd_registry.lock);
	kfd_process_put(p);
}

/**
 * kfd_process_table_init - before the first open
 *
 * Context: Process context.
 * Return: 0 or -ENOMEM.
 */
int kfd_process_table_init(void)
{
	kfd_process_wq = alloc_workqueue("kfd_process", WQ_FREEZABLE, 0);
	return kfd_process_wq ? 0 : -ENOMEM;
}

/**
 * kfd_process_table_fini - complain about what is left at module unload
 *
 * Context: Process context.
 */
void kfd_process_table_fini(void)
{
	/* Callbacks that queue work, then the work. */
	mmu_notifier_synchronize();
	destroy_workqueue(kfd_process_wq);
	WARN_ON(!xa_empty(&kfd_pasids));
	xa_destroy(&kfd_pasids);
}
