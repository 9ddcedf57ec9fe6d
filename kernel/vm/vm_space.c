// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: address spaces
 *
 * A &struct vm_space is the tree of tables, the mappings in it, and the VMID it is
 * loaded in.  Mapping and unmapping are in vm_map.c.
 *
 * Locks, outer to inner: &vm_space.lock, then the dma_resv of an object or
 * &vm_bo_user.fault_lock, mmap_lock, &vm_bo_user.lock, &vm_space.pt_lock, the
 * hub's lock.  The MMU notifier enters at &vm_bo_user.lock: from there on nothing
 * allocates.  &vm_space.lock is never taken by it; the tables that it writes are
 * kept by the mapping that it writes them for.
 *
 * A space in which something timed out is stuck.  An engine may still read a table
 * or write a page of it, so that its tables and objects outlive the last
 * reference, on a list of the device, until the device is gone.
 */
#include <linux/lockdep.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "../hw/hw_device.h"
#include "vm_bo.h"
#include "vm_device.h"
#include "vm_space.h"
#include "vm_update.h"

/* ---- tables ---- */

static int vm_table_clear(struct vm_device *vmd, struct vm_table *table)
{
	u64 empty = table->level == VM_PTB ? VM_PTE_EMPTY : VM_PDE_EMPTY;
	struct vm_update upd;
	int end, ret;

	/* By the CPU, so that the notifier's stores find the page populated. */
	vm_update_begin(&upd, vmd, false);
	ret = vm_update_fill(&upd, table->offset, 0, empty, VM_TABLE_ENTRIES, 0);
	end = vm_update_end(&upd);
	return ret ? ret : end;
}

/**
 * vm_table_create - a table that maps nothing
 * @vmd: device
 * @level: level
 *
 * Context: process context, allocates.
 * Return: table, or ERR_PTR(-ENOMEM, -ENODEV).
 */
struct vm_table *vm_table_create(struct vm_device *vmd, enum vm_level level)
{
	struct vm_table *table;
	int ret = -ENOMEM;

	table = kzalloc(sizeof(*table), HW_GFP_USER);
	if (!table)
		return ERR_PTR(-ENOMEM);
	table->level = level;
	INIT_LIST_HEAD(&table->dead);
	if (level != VM_PTB) {
		table->child = kcalloc(VM_TABLE_ENTRIES, sizeof(*table->child),
				       HW_GFP_USER);
		if (!table->child)
			goto err_free_table;
	}
	ret = vm_vram_alloc_table(vmd, &table->block);
	if (ret)
		goto err_free_child;
	table->offset = drm_buddy_block_offset(table->block);
	ret = vm_table_clear(vmd, table);
	if (ret)
		goto err_free_block;
	return table;

err_free_block:
	vm_vram_free_table(vmd, table->block);
err_free_child:
	kfree(table->child);
err_free_table:
	kfree(table);
	return ERR_PTR(ret);
}

/**
 * vm_table_free - free a table and those below
 * @vmd: device
 * @table: table that no engine can reach
 *
 * Context: process context.
 */
void vm_table_free(struct vm_device *vmd, struct vm_table *table)
{
	unsigned int i;

	if (table->child) {
		for (i = 0; i < VM_TABLE_ENTRIES; i++)
			if (table->child[i])
				vm_table_free(vmd, table->child[i]);
	}
	vm_vram_free_table(vmd, table->block);
	kfree(table->child);
	kfree(table);
}

/**
 * vm_table_bury - free the tables that were unlinked, after the flush
 * @vm: space, locked
 *
 * Context: process context.
 */
void vm_table_bury(struct vm_space *vm)
{
	struct vm_table *table, *next;

	lockdep_assert_held(&vm->lock);
	list_for_each_entry_safe(table, next, &vm->dead, dead) {
		list_del(&table->dead);
		vm_table_free(vm->vmd, table);
	}
}

/* ---- life ---- */

/* One place, so that each lock has one lockdep class, the primed one. */
static void vm_space_init_locks(struct vm_space *vm)
{
	mutex_init(&vm->lock);
	mutex_init(&vm->pt_lock);
}

/**
 * vm_space_create - an empty address space
 * @vmd: device
 *
 * Context: process context, allocates.
 * Return: space with one reference, or ERR_PTR(-ENOMEM, -ENODEV).
 */
struct vm_space *vm_space_create(struct vm_device *vmd)
{
	struct vm_space *vm;
	int ret = -ENOMEM;

	vm = kzalloc(sizeof(*vm), HW_GFP_USER);
	if (!vm)
		return ERR_PTR(-ENOMEM);
	vm->scratch = kcalloc(VM_TABLE_ENTRIES, sizeof(*vm->scratch), HW_GFP_USER);
	if (!vm->scratch)
		goto err_free;
	vm->root = vm_table_create(vmd, VM_PDB2);
	if (IS_ERR(vm->root)) {
		ret = PTR_ERR(vm->root);
		goto err_free_scratch;
	}
	vm->vmd = vmd;
	kref_init(&vm->ref);
	vm_space_init_locks(vm);
	vm->maps = RB_ROOT_CACHED;
	INIT_LIST_HEAD(&vm->dead);
	INIT_LIST_HEAD(&vm->kept);
	INIT_LIST_HEAD(&vm->stuck_link);
	drm_dev_get(vmd->drm);
	atomic64_inc(&vmd->count.spaces);
	return vm;

err_free_scratch:
	kfree(vm->scratch);
err_free:
	kfree(vm);
	return ERR_PTR(ret);
}

/**
 * vm_space_get - take a reference
 * @vm: space
 *
 * Context: any.
 */
void vm_space_get(struct vm_space *vm)
{
	kref_get(&vm->ref);
}

static void vm_space_free_kept(struct vm_space *vm)
{
	struct vm_mapping *m, *next;

	list_for_each_entry_safe(m, next, &vm->kept, kept) {
		list_del(&m->kept);
		vm_mapping_free(m);
	}
}

static void vm_space_free(struct vm_space *vm)
{
	struct drm_device *drm = vm->vmd->drm;

	mutex_lock(&vm->lock);
	vm_space_free_kept(vm);
	vm_table_bury(vm);
	vm_table_free(vm->vmd, vm->root);
	mutex_unlock(&vm->lock);
	atomic64_dec(&vm->vmd->count.spaces);
	mutex_destroy(&vm->pt_lock);
	mutex_destroy(&vm->lock);
	kfree(vm->scratch);
	kfree(vm);
	/* Maybe the last: the vm_device may be gone after this. */
	drm_dev_put(drm);
}

/* Keep a stuck space for later, unless the device is gone already. */
static bool vm_space_keep(struct vm_space *vm)
{
	struct vm_device *vmd = vm->vmd;
	int idx;

	if (!READ_ONCE(vm->stuck) || !vm_device_enter(vmd, &idx))
		return false;
	mutex_lock(&vmd->bos_lock);
	list_add_tail(&vm->stuck_link, &vmd->stuck);
	mutex_unlock(&vmd->bos_lock);
	vm_device_exit(idx);
	return true;
}

static void vm_space_release(struct kref *ref)
{
	struct vm_space *vm = container_of(ref, struct vm_space, ref);
	struct vm_mapping *m;

	/* Queues end before the space: nobody may load it any more. */
	WARN_ON(vm->vmid);
	for (;;) {
		m = vm_mapping_at(&vm->maps, 0, ULONG_MAX);
		if (!m)
			break;
		vm_space_unmap(vm, vm_mapping_start(m));
	}
	if (!vm_space_keep(vm))
		vm_space_free(vm);
}

/**
 * vm_space_put - drop a reference; the last removes all mappings
 * @vm: space or NULL
 *
 * Context: process context; not from the MMU notifier nor from the callbacks of
 * &struct vm_user_ops.
 */
void vm_space_put(struct vm_space *vm)
{
	if (vm)
		kref_put(&vm->ref, vm_space_release);
}

/**
 * vm_space_free_stuck - free the spaces that were kept because of a time-out
 * @vmd: device; unplugged
 *
 * Context: process context.
 */
void vm_space_free_stuck(struct vm_device *vmd)
{
	struct vm_space *vm, *next;
	LIST_HEAD(list);

	mutex_lock(&vmd->bos_lock);
	list_splice_init(&vmd->stuck, &list);
	mutex_unlock(&vmd->bos_lock);
	list_for_each_entry_safe(vm, next, &list, stuck_link) {
		list_del(&vm->stuck_link);
		vm_space_free(vm);
	}
}

/**
 * vm_space_set_stuck - an update or a flush did not end in time
 * @vm: space
 * @what: for the log
 * @error: for the log
 *
 * Context: any.
 */
void vm_space_set_stuck(struct vm_space *vm, const char *what, int error)
{
	if (!xchg(&vm->stuck, true))
		dev_err(vm->vmd->drm->dev,
			"%s of an address space failed (%d): its memory is kept\n", what, error);
}

/**
 * vm_space_is_stuck - may an engine still use what was mapped, until the device goes?
 * @vm: space
 *
 * Context: any.
 * Return: whether an update or a flush timed out.
 */
bool vm_space_is_stuck(const struct vm_space *vm)
{
	return READ_ONCE(vm->stuck);
}

/* ---- VMID ---- */

/**
 * vm_space_root - what hw_hub_set_context() wants
 * @vm: space
 *
 * Context: any.
 * Return: PDE of the root.
 */
u64 vm_space_root(struct vm_space *vm)
{
	return vm_pde(vm->vmd->vram.pa + vm->root->offset);
}

/**
 * vm_space_set_vmid - the space is loaded in a VMID, or no longer
 * @vm: space
 * @vmid: VMID or 0
 *
 * Context: process context, quiesce and resume too; allocates nothing.
 */
void vm_space_set_vmid(struct vm_space *vm, unsigned int vmid)
{
	mutex_lock(&vm->pt_lock);
	vm->vmid = vmid;
	mutex_unlock(&vm->pt_lock);
}

/**
 * vm_space_flush - make the engines forget what they know of the space
 * @vm: space
 *
 * The lock keeps the VMID for the duration: a space that is not loaded has nothing
 * to forget, and one that is being loaded is not used before the VMID is set.
 *
 * Context: process context and the MMU notifier; bounded, allocates nothing.
 * Return: 0, or -ETIMEDOUT; the space is stuck then.
 */
int vm_space_flush(struct vm_space *vm)
{
	int ret;

	mutex_lock(&vm->pt_lock);
	ret = vm_device_flush(vm->vmd, vm->vmid);
	mutex_unlock(&vm->pt_lock);
	if (!ret || ret == -ENODEV)
		return 0;
	vm_space_set_stuck(vm, "flush", ret);
	return ret;
}

/**
 * vm_space_prime_lockdep - tell lockdep the rule before a test can break it
 *
 * Context: process context.
 *
 * &vm_space.pt_lock is taken in reclaim, so nothing may be allocated under it.
 * &vm_bo_user.lock has the same rule and primes itself in vm_bo_user.c.
 */
void vm_space_prime_lockdep(void)
{
#ifdef CONFIG_LOCKDEP
	static struct vm_space prime;

	vm_space_init_locks(&prime);
	fs_reclaim_acquire(GFP_KERNEL);
	mutex_lock(&prime.pt_lock);
	mutex_unlock(&prime.pt_lock);
	fs_reclaim_release(GFP_KERNEL);
	mutex_destroy(&prime.pt_lock);
	mutex_destroy(&prime.lock);
#endif
}
