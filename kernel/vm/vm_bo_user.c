// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: buffer objects over user pages
 *
 * The pages of a user object are not pinned.  hmm_range_fault() says where they
 * are at an instant, and an mmu_interval_notifier says when that ends:
 *
 *   invalid --fault--> collected --(no invalidation meanwhile)--> in use
 *   in use --MMU notifier--> invalid, a work item faults again
 *
 * On an invalidation, in this order and before the notifier returns: the owner's
 * queues stop (quiesce), the entries are emptied and flushed, the DMA mappings end.
 * After that no engine touches the pages.  The work item brings the pages back,
 * writes the entries and lets the queues go on (resume).
 *
 * When the pages are gone for good (munmap, mprotect) the owner is told (lost), the
 * entries stay empty and the queues go on: an access is a fault of that access, as
 * on hardware.  When the process ends, they stay stopped until the owner ends them.
 *
 * How long it takes to fault pages in is the client's affair (its memory may be a file
 * whose server does not answer).  So nobody waits for that but the client's own call,
 * vm_bo_populate(), and the work item, which holds the object and the module while it
 * is queued or runs: an object that is let go meanwhile ends with the work item.
 *
 * The notifier may run in reclaim.  Whatever it does, quiesce included, allocates
 * nothing and takes no lock under which anybody allocates.  Hence &vm_bo_user.lock
 * and the CPU back end of vm_update.c.
 *
 * Not done: restoring a part of the range; the whole object goes and comes back.
 */
#include <linux/dma-mapping.h>
#include <linux/hmm.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "../hw/hw_device.h"
#include "vm_bo.h"
#include "vm_bo_user.h"
#include "vm_device.h"
#include "vm_space.h"

/* Pages that one call of hmm_range_fault() is asked for. */
#define VM_USER_CHUNK		512
/* How long one collection starts anew because of invalidations. */
#define VM_USER_COLLECT_MS	1000
/* Pause before the first attempt of the work item, and the longest. */
#define VM_USER_DELAY_MIN_MS	1
#define VM_USER_DELAY_MAX_MS	128
/* Attempts that may fail for want of memory before the pages count as lost. */
#define VM_USER_NOMEM_MAX	50
/* CPU and GPU use the pages at the same time: there is no hand-over to sync at. */
#define VM_USER_DMA_ATTRS	DMA_ATTR_SKIP_CPU_SYNC

/* Stands still while the machine sleeps. */
static struct workqueue_struct *vm_bo_user_wq;

static struct device *vm_bo_user_dev(struct vm_bo_user *user)
{
	return user->bo->base.dev->dev;
}

static void vm_bo_user_unmap_dma(struct vm_bo_user *user, unsigned long count)
{
	unsigned long i;

	for (i = 0; i < count; i++)
		dma_unmap_page_attrs(vm_bo_user_dev(user), user->addrs[i], PAGE_SIZE,
				     DMA_BIDIRECTIONAL, VM_USER_DMA_ATTRS);
}

/* ---- quiesce and resume ---- */

static void vm_bo_user_quiesce_locked(struct vm_bo_user *user)
{
	lockdep_assert_held(&user->lock);
	if (user->quiesced)
		return;
	user->quiesced = true;
	user->ops->quiesce(user->data);
}

static void vm_bo_user_resume_locked(struct vm_bo_user *user)
{
	lockdep_assert_held(&user->lock);
	if (!user->quiesced)
		return;
	user->quiesced = false;
	user->ops->resume(user->data);
}

/* ---- valid to invalid ---- */

static void vm_bo_user_clear_maps_locked(struct vm_bo_user *user)
{
	struct vm_mapping *m;
	int ret;

	lockdep_assert_held(&user->lock);
	list_for_each_entry(m, &user->maps, bo_link) {
		ret = vm_mapping_clear_user(m);
		if (ret)
			vm_space_set_stuck(m->vm, "invalidation", ret);
	}
}

static void vm_bo_user_end_dma_locked(struct vm_bo_user *user)
{
	lockdep_assert_held(&user->lock);
	vm_bo_user_unmap_dma(user, user->count);
	user->valid = false;
	atomic64_sub(user->count, &user->bo->vmd->count.user_pages);
}

/* An object whose last reference has gone is beyond restoring. */
static void vm_bo_user_queue_restore_locked(struct vm_bo_user *user)
{
	lockdep_assert_held(&user->lock);
	if (user->restoring) {
		user->again = true;
		return;
	}
	if (!kref_get_unless_zero(&user->bo->base.refcount))
		return;
	/* Who invalidates is in the client's mm, and that holds the module. */
	__module_get(THIS_MODULE);
	user->restoring = true;
	queue_delayed_work(vm_bo_user_wq, &user->restore,
			   msecs_to_jiffies(VM_USER_DELAY_MIN_MS));
}

/* The pages may go as soon as this returns; they do for good where the mm @ends. */
static void vm_bo_user_withdraw_locked(struct vm_bo_user *user, bool ends)
{
	bool mapped = !list_empty(&user->maps);

	if (mapped)
		vm_bo_user_quiesce_locked(user);
	vm_bo_user_clear_maps_locked(user);
	vm_bo_user_end_dma_locked(user);
	if (mapped && !ends)
		vm_bo_user_queue_restore_locked(user);
}

static bool vm_bo_user_invalidate(struct mmu_interval_notifier *notifier,
				  const struct mmu_notifier_range *range, unsigned long seq)
{
	struct vm_bo_user *user = container_of(notifier, struct vm_bo_user, notifier);

	if (!mmu_notifier_range_blockable(range))
		return false;
	mutex_lock(&user->lock);
	mmu_interval_set_seq(notifier, seq);
	if (user->valid)
		vm_bo_user_withdraw_locked(user, range->event == MMU_NOTIFY_RELEASE);
	mutex_unlock(&user->lock);
	return true;
}

static const struct mmu_interval_notifier_ops vm_bo_user_notifier_ops = {
	.invalidate = vm_bo_user_invalidate,
};

/* ---- invalid to valid ---- */

/* Page frames of @count pages from page @first on. -EBUSY: an invalidation came between. */
static int vm_bo_user_collect_chunk(struct vm_bo_user *user, unsigned long seq,
				    unsigned long *pfns, unsigned long first, unsigned long count)
{
	struct mm_struct *mm = user->notifier.mm;
	struct hmm_range range = {
		.notifier = &user->notifier,
		.notifier_seq = seq,
		.start = user->bo->user_addr + (first << PAGE_SHIFT),
		.end = user->bo->user_addr + ((first + count) << PAGE_SHIFT),
		.hmm_pfns = pfns,
		.default_flags = HMM_PFN_REQ_FAULT | (user->writable ? HMM_PFN_REQ_WRITE : 0),
	};
	unsigned long i;
	int ret;

	mmap_read_lock(mm);
	ret = hmm_range_fault(&range);
	mmap_read_unlock(mm);
	if (ret)
		return ret;
	for (i = 0; i < count; i++)
		user->addrs[first + i] = pfns[i] & ~HMM_PFN_FLAGS;
	return 0;
}

static int vm_bo_user_collect(struct vm_bo_user *user, unsigned long seq)
{
	unsigned long *pfns, first = 0;
	int ret = 0;

	pfns = kmalloc_array(VM_USER_CHUNK, sizeof(*pfns), HW_GFP_USER);
	if (!pfns)
		return -ENOMEM;
	while (first < user->count && !ret) {
		unsigned long n = min_t(unsigned long, VM_USER_CHUNK, user->count - first);

		if (fatal_signal_pending(current))
			ret = -EINTR;
		else
			ret = vm_bo_user_collect_chunk(user, seq, pfns, first, n);
		first += n;
		cond_resched();
	}
	kfree(pfns);
	return ret;
}

/* Page frames to bus addresses; the notifier waits, so the pages are there. */
static int vm_bo_user_map_dma_locked(struct vm_bo_user *user)
{
	struct device *dev = vm_bo_user_dev(user);
	unsigned long i;

	lockdep_assert_held(&user->lock);
	for (i = 0; i < user->count; i++) {
		dma_addr_t dma = dma_map_page_attrs(dev, pfn_to_page(user->addrs[i]), 0,
						    PAGE_SIZE, DMA_BIDIRECTIONAL,
						    VM_USER_DMA_ATTRS);

		if (dma_mapping_error(dev, dma)) {
			vm_bo_user_unmap_dma(user, i);
			return -ENOMEM;
		}
		user->addrs[i] = dma;
	}
	user->valid = true;
	atomic64_add(user->count, &user->bo->vmd->count.user_pages);
	return 0;
}

static int vm_bo_user_write_maps_locked(struct vm_bo_user *user)
{
	struct vm_mapping *m;
	int ret;

	lockdep_assert_held(&user->lock);
	list_for_each_entry(m, &user->maps, bo_link) {
		ret = vm_mapping_write_user(m, user->addrs, user->scratch);
		if (ret)
			return ret;
	}
	return 0;
}

static int vm_bo_user_enable_there_locked(struct vm_bo_user *user)
{
	int ret;

	lockdep_assert_held(&user->lock);
	if (user->detached)
		return -ENODEV;
	ret = vm_bo_user_map_dma_locked(user);
	if (ret)
		return ret;
	ret = vm_bo_user_write_maps_locked(user);
	if (ret) {
		vm_bo_user_clear_maps_locked(user);
		vm_bo_user_end_dma_locked(user);
		return ret;
	}
	vm_bo_user_resume_locked(user);
	return 0;
}

/* An object may be younger than the end of its device: vm_bo_detach_all() has not seen it. */
static int vm_bo_user_enable_locked(struct vm_bo_user *user)
{
	int idx, ret;

	if (!vm_device_enter(user->bo->vmd, &idx))
		return -ENODEV;
	ret = vm_bo_user_enable_there_locked(user);
	vm_device_exit(idx);
	return ret;
}

/* -EBUSY: invalidated before it became valid; try again. */
static int vm_bo_user_try(struct vm_bo_user *user)
{
	unsigned long seq = mmu_interval_read_begin(&user->notifier);
	int ret;

	ret = vm_bo_user_collect(user, seq);
	if (ret)
		return ret;
	mutex_lock(&user->lock);
	if (mmu_interval_read_retry(&user->notifier, seq))
		ret = -EBUSY;
	else
		ret = vm_bo_user_enable_locked(user);
	mutex_unlock(&user->lock);
	return ret;
}

static bool vm_bo_user_is_valid(struct vm_bo_user *user)
{
	bool valid;

	mutex_lock(&user->lock);
	valid = user->valid;
	mutex_unlock(&user->lock);
	return valid;
}

/*
 * Fault the pages in unless they are.  Bounded: -EBUSY after too many
 * invalidations.  Needs the memory of the mm alive.
 */
static int vm_bo_user_fault(struct vm_bo_user *user)
{
	unsigned long end = jiffies + msecs_to_jiffies(VM_USER_COLLECT_MS);
	int ret = 0;

	if (mutex_lock_killable(&user->fault_lock))
		return -EINTR;
	while (!vm_bo_user_is_valid(user)) {
		ret = vm_bo_user_try(user);
		if (ret != -EBUSY || time_after(jiffies, end))
			break;
	}
	mutex_unlock(&user->fault_lock);
	return ret;
}

static int vm_bo_user_fault_mm(struct vm_bo_user *user)
{
	struct mm_struct *mm = user->notifier.mm;
	int ret;

	if (!mmget_not_zero(mm))
		return -ESRCH;
	ret = vm_bo_user_fault(user);
	/* Not here: the last reference ends the process's memory, and us with it. */
	mmput_async(mm);
	return ret;
}

/* ---- the work item ---- */

static void vm_bo_user_lose(struct vm_bo_user *user)
{
	struct vm_mapping *m;

	mutex_lock(&user->lock);
	if (!user->valid && !user->detached) {
		list_for_each_entry(m, &user->maps, bo_link)
			user->ops->lost(user->data, vm_mapping_start(m));
		vm_bo_user_resume_locked(user);
	}
	mutex_unlock(&user->lock);
}

static unsigned long vm_bo_user_delay(unsigned int attempts)
{
	unsigned int ms = VM_USER_DELAY_MIN_MS << min(attempts, 16u);

	return msecs_to_jiffies(min_t(unsigned int, ms, VM_USER_DELAY_MAX_MS));
}

/* One attempt; true: another has to follow. */
static bool vm_bo_user_attempt(struct vm_bo_user *user)
{
	int ret = vm_bo_user_fault_mm(user);

	/* A process that ends takes its queues with it: they need not go on. */
	if (!ret || ret == -ENODEV || ret == -ESRCH) {
		user->attempts = 0;
		return false;
	}
	user->attempts++;
	if (ret == -EBUSY || (ret == -ENOMEM && user->attempts < VM_USER_NOMEM_MAX))
		return true;
	user->attempts = 0;
	vm_bo_user_lose(user);
	return false;
}

/* Nobody waits for the pages any more once no space maps them. */
static bool vm_bo_user_go_on(struct vm_bo_user *user, bool more)
{
	bool go_on;

	mutex_lock(&user->lock);
	go_on = (more || user->again) && !list_empty(&user->maps);
	user->again = false;
	user->restoring = go_on;
	mutex_unlock(&user->lock);
	return go_on;
}

static void vm_bo_user_restore(struct work_struct *work)
{
	struct vm_bo_user *user = container_of(to_delayed_work(work), struct vm_bo_user, restore);
	bool more = vm_bo_user_attempt(user);

	if (vm_bo_user_go_on(user, more)) {
		queue_delayed_work(vm_bo_user_wq, &user->restore,
				   vm_bo_user_delay(user->attempts));
		return;
	}
	vm_bo_put(user->bo);
	/* vm_bo_user_fini_work() waits for this function's end. */
	module_put(THIS_MODULE);
}

/**
 * vm_bo_populate - wait until the pages of an object are there
 * @bo: object; kinds other than VM_BO_USER need nothing
 *
 * For a mapping of user pages that is to be usable when the call returns.
 *
 * Context: process context, no lock held that anybody but the caller's own process
 * waits for: how long it takes is up to that process's memory.
 * Return: 0, -EFAULT, -EPERM, -EBUSY, -EINTR, -ENOMEM, -ENODEV, -ESRCH (the process
 * ends) or -ETIMEDOUT.
 */
int vm_bo_populate(struct vm_bo *bo)
{
	struct vm_bo_user *user = vm_bo_user(bo);

	return user ? vm_bo_user_fault_mm(user) : 0;
}

/* ---- mappings ---- */

/**
 * vm_bo_user_map - let the entries of a mapping follow the pages
 * @user: user pages
 * @m: mapping, locked by its space; its tables exist
 *
 * Pages that are not there are not waited for: the owner's queues stop until
 * vm_bo_populate() brings them, or the mapping goes.
 *
 * Context: process context.
 * Return: 0, -ENODEV or -ETIMEDOUT.  After an error the caller unmaps.
 */
int vm_bo_user_map(struct vm_bo_user *user, struct vm_mapping *m)
{
	int ret = 0;

	mutex_lock(&user->lock);
	if (user->detached)
		ret = -ENODEV;
	else
		list_add_tail(&m->bo_link, &user->maps);
	if (!ret && user->valid)
		ret = vm_mapping_write_user(m, user->addrs, user->scratch);
	else if (!ret)
		vm_bo_user_quiesce_locked(user);
	mutex_unlock(&user->lock);
	return ret;
}

/**
 * vm_bo_user_unmap_begin - the entries of a mapping are about to go
 * @user: user pages; the notifier waits until vm_bo_user_unmap_end()
 * @m: mapping
 *
 * Context: process context; nothing may be allocated until the end.
 */
void vm_bo_user_unmap_begin(struct vm_bo_user *user, struct vm_mapping *m)
{
	mutex_lock(&user->lock);
	list_del_init(&m->bo_link);
}

/**
 * vm_bo_user_unmap_end - the entries are gone
 * @user: user pages
 *
 * Queues that waited for these pages alone go on.
 *
 * Context: as vm_bo_user_unmap_begin().
 */
void vm_bo_user_unmap_end(struct vm_bo_user *user)
{
	if (list_empty(&user->maps))
		vm_bo_user_resume_locked(user);
	mutex_unlock(&user->lock);
}

/* ---- life ---- */

/* One place, so that each lock has one lockdep class, the primed one. */
static void vm_bo_user_init_locks(struct vm_bo_user *user)
{
	mutex_init(&user->fault_lock);
	mutex_init(&user->lock);
}

static int vm_bo_user_init(struct vm_bo *bo, bool writable, const struct vm_user_ops *ops,
			   void *data)
{
	struct vm_bo_user *user;
	int ret = -ENOMEM;

	user = kzalloc(sizeof(*user), HW_GFP_USER);
	if (!user)
		return -ENOMEM;
	user->bo = bo;
	user->ops = ops;
	user->data = data;
	user->writable = writable;
	user->count = bo->base.size >> PAGE_SHIFT;
	user->scratch = kcalloc(VM_TABLE_ENTRIES, sizeof(*user->scratch), HW_GFP_USER);
	user->addrs = kvcalloc(user->count, sizeof(*user->addrs), HW_GFP_USER);
	if (!user->scratch || !user->addrs)
		goto err_free;
	vm_bo_user_init_locks(user);
	INIT_LIST_HEAD(&user->maps);
	INIT_DELAYED_WORK(&user->restore, vm_bo_user_restore);
	ret = mmu_interval_notifier_insert(&user->notifier, current->mm, bo->user_addr,
					   bo->base.size, &vm_bo_user_notifier_ops);
	if (ret)
		goto err_free;
	bo->backing = user;
	atomic64_inc(&bo->vmd->count.bos_user);
	return 0;

err_free:
	kvfree(user->addrs);
	kfree(user->scratch);
	kfree(user);
	return ret;
}

static int vm_bo_user_check(u64 addr, u64 size)
{
	if (!addr || !size || !PAGE_ALIGNED(addr) || !PAGE_ALIGNED(size))
		return -EINVAL;
	if (!access_ok((void __user *)(uintptr_t)addr, size))
		return -EFAULT;
	/* All pages are there at once; no list is made for what cannot be. */
	return size >> PAGE_SHIFT > totalram_pages() ? -ENOMEM : 0;
}

/**
 * vm_bo_create_user - an object over pages of the calling process
 * @vmd: device
 * @addr: CPU address, page aligned
 * @size: bytes, page multiple
 * @writable: the GPU may write; pages that the process may not write are refused
 * @ops: calls to the owner
 * @data: for @ops; valid until all mappings are gone
 *
 * No page is looked at: see vm_bo_populate().
 *
 * Context: process context with an mm, mmap_lock not held; allocates.
 * Return: object with one reference, or ERR_PTR(-EINVAL, -EFAULT (not a user address),
 * -ENOMEM, -ENODEV).
 */
struct vm_bo *vm_bo_create_user(struct vm_device *vmd, u64 addr, u64 size, bool writable,
				const struct vm_user_ops *ops, void *data)
{
	struct vm_bo *bo;
	int ret;

	ret = vm_bo_user_check(addr, size);
	if (ret)
		return ERR_PTR(ret);
	if (drm_dev_is_unplugged(vmd->drm))
		return ERR_PTR(-ENODEV);
	bo = vm_bo_new(vmd, VM_BO_USER, size, 0);
	if (IS_ERR(bo))
		return bo;
	bo->user_addr = addr;
	ret = vm_bo_user_init(bo, writable, ops, data);
	if (ret) {
		vm_bo_drop(bo);
		return ERR_PTR(ret);
	}
	vm_bo_publish(bo);
	return bo;
}

/**
 * vm_bo_user_detach - the device is gone
 * @bo: object
 *
 * Context: process context.
 */
void vm_bo_user_detach(struct vm_bo *bo)
{
	struct vm_bo_user *user = bo->backing;

	mutex_lock(&user->lock);
	user->detached = true;
	if (user->valid)
		vm_bo_user_end_dma_locked(user);
	mutex_unlock(&user->lock);
}

/**
 * vm_bo_user_fini - free the backing store of an object; no mapping is left
 * @bo: object
 *
 * Context: process context, the end of the work item included; not from the notifier.
 */
void vm_bo_user_fini(struct vm_bo *bo)
{
	struct vm_bo_user *user = bo->backing;

	/* Waits for a call in progress.  The work item holds the object, so there is none. */
	mmu_interval_notifier_remove(&user->notifier);
	WARN_ON(!list_empty(&user->maps));
	mutex_lock(&user->lock);
	if (user->valid)
		vm_bo_user_end_dma_locked(user);
	mutex_unlock(&user->lock);
	mutex_destroy(&user->lock);
	mutex_destroy(&user->fault_lock);
	kvfree(user->addrs);
	kfree(user->scratch);
	kfree(user);
	atomic64_dec(&bo->vmd->count.bos_user);
}

/**
 * vm_bo_user_init_work - before the first device
 *
 * Context: process context.
 * Return: 0 or -ENOMEM.
 */
int vm_bo_user_init_work(void)
{
	vm_bo_user_wq = alloc_workqueue("carillon_user", WQ_UNBOUND | WQ_FREEZABLE, 0);
	return vm_bo_user_wq ? 0 : -ENOMEM;
}

/**
 * vm_bo_user_fini_work - at module unload
 *
 * Context: process context.
 */
void vm_bo_user_fini_work(void)
{
	destroy_workqueue(vm_bo_user_wq);
}

/**
 * vm_bo_user_prime_lockdep - nothing may be allocated under &vm_bo_user.lock
 *
 * Context: process context.
 */
void vm_bo_user_prime_lockdep(void)
{
#ifdef CONFIG_LOCKDEP
	static struct vm_bo_user prime;

	vm_bo_user_init_locks(&prime);
	fs_reclaim_acquire(GFP_KERNEL);
	mutex_lock(&prime.lock);
	mutex_unlock(&prime.lock);
	fs_reclaim_release(GFP_KERNEL);
	mutex_destroy(&prime.lock);
	mutex_destroy(&prime.fault_lock);
#endif
}
