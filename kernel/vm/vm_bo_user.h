/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: buffer objects over user pages, inside of vm
 */
#ifndef CARILLON_VM_BO_USER_H
#define CARILLON_VM_BO_USER_H

#include <linux/mmu_notifier.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "vm.h"

struct vm_mapping;

/**
 * struct vm_bo_user - pages of a process
 * @bo: the object
 * @notifier: watches the range; holds the mm_struct (not its memory)
 * @ops: the owner's queues
 * @data: for @ops
 * @writable: pages are faulted in for writing
 * @count: pages
 * @addrs: guarded by @lock while @valid: bus addresses.  Else guarded by
 *	@fault_lock: page frames that were collected and may be stale
 * @scratch: room for the entries of one table; guarded by @lock
 * @fault_lock: one collection at a time; allocation under it
 * @lock: taken by the MMU notifier; no allocation under it
 * @valid: @addrs are mapped for DMA and the notifier answers for them
 * @quiesced: ops->quiesce() was called, ops->resume() was not yet
 * @detached: the device is gone
 * @maps: mappings in address spaces; entries of each are there while @valid
 * @restoring: @restore is queued or runs, and holds the object and the module
 * @again: @restore was asked for while it ran.
 *	@valid, @quiesced, @detached, @maps, @restoring, @again are guarded by @lock
 * @restore: brings the pages back after an invalidation
 * @attempts: of @restore since the last success; used by @restore alone
 */
struct vm_bo_user {
	struct vm_bo *bo;
	struct mmu_interval_notifier notifier;
	const struct vm_user_ops *ops;
	void *data;
	bool writable;
	unsigned long count;
	u64 *addrs;
	u64 *scratch;
	struct mutex fault_lock;
	struct mutex lock;
	bool valid;
	bool quiesced;
	bool detached;
	struct list_head maps;
	bool restoring;
	bool again;
	struct delayed_work restore;
	unsigned int attempts;
};

static inline struct vm_bo_user *vm_bo_user(struct vm_bo *bo)
{
	return bo->kind == VM_BO_USER ? bo->backing : NULL;
}

static inline bool vm_bo_user_writable(struct vm_bo *bo)
{
	return vm_bo_user(bo)->writable;
}

/* vm_map.c: @m has tables; make its entries follow the pages from now on. */
int vm_bo_user_map(struct vm_bo_user *user, struct vm_mapping *m);
/* vm_map.c: they no longer do; between the two, the notifier waits. */
void vm_bo_user_unmap_begin(struct vm_bo_user *user, struct vm_mapping *m);
void vm_bo_user_unmap_end(struct vm_bo_user *user);

/* vm_bo.c: the device is gone / the object is. */
void vm_bo_user_detach(struct vm_bo *bo);
void vm_bo_user_fini(struct vm_bo *bo);

void vm_bo_user_prime_lockdep(void);
int vm_bo_user_init_work(void);
void vm_bo_user_fini_work(void);

#endif /* CARILLON_VM_BO_USER_H */
