// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: mapping and unmapping
 *
 * Mapping: allocate the mapping and every table that is missing, count the
 * entries that it will hold, write the entries, flush.  What can fail for want of
 * memory has happened before the first entry is written.  A later failure is
 * undone by the walk that also unmaps.
 *
 * Unmapping: write empty entries, unlink the tables that nothing needs any more,
 * flush, then free tables and drop the object.  Nothing is freed before the flush
 * is acknowledged.
 *
 * VRAM that is contiguous and aligned is mapped by PDB0 entries of 2 MiB.  Whether
 * an entry of PDB0 is such an entry follows from the tree: there is no table
 * below it.  User pages are always mapped page by page, because their layout
 * changes when no table can be made.
 */
#include <linux/dma-resv.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "../hw/hw_device.h"
#include "vm_bo.h"
#include "vm_bo_user.h"
#include "vm_device.h"
#include "vm_space.h"
#include "vm_update.h"

#define VM_ENTRY_SIZE	sizeof(u64)

/**
 * struct vm_op - one walk
 * @vm: space
 * @m: mapping
 * @upd: batch to write to
 * @vram: extents of a VRAM object, or NULL
 * @addrs: address of each page otherwise; NULL writes no PTB entry
 * @scratch: room for the entries of one table
 */
struct vm_op {
	struct vm_space *vm;
	struct vm_mapping *m;
	struct vm_update upd;
	const struct vm_vram_alloc *vram;
	const u64 *addrs;
	u64 *scratch;
};

static u64 vm_op_pos(const struct vm_op *op, u64 va)
{
	return va - vm_mapping_start(op->m);
}

/* Where byte @pos of the object is, as an entry says it. */
static u64 vm_op_addr(const struct vm_op *op, const struct vm_vram_extent *e, u64 pos)
{
	return op->vm->vmd->vram.pa + e->offset + (pos - e->start);
}

static u64 vm_entry_pos(const struct vm_table *table, unsigned int index)
{
	return table->offset + index * VM_ENTRY_SIZE;
}

static int vm_op_walk(struct vm_op *op, const struct vm_walk_ops *ops)
{
	return vm_walk(ops, op, op->vm->root, vm_mapping_start(op->m), vm_mapping_size(op->m));
}

/* ---- prepare: make the tables ---- */

static bool vm_prepare_big(void *priv, void *table, unsigned int index, u64 va)
{
	const struct vm_table *pdb0 = table;
	const struct vm_vram_extent *e;
	struct vm_op *op = priv;
	u64 pos;

	if (!op->vram || pdb0->child[index])
		return false;
	pos = vm_op_pos(op, va);
	e = vm_vram_find(op->vram, pos);
	if (!e)
		return false;
	return IS_ALIGNED(vm_op_addr(op, e, pos), VM_BIG_SIZE) &&
	       e->start + e->size - pos >= VM_BIG_SIZE;
}

static int vm_prepare_child(void *priv, void *table, enum vm_level level, unsigned int index,
			    u64 va, void **child)
{
	struct vm_table *dir = table, *made;
	struct vm_op *op = priv;

	if (!dir->child[index]) {
		made = vm_table_create(op->vm->vmd, level + 1);
		if (IS_ERR(made))
			return PTR_ERR(made);
		dir->child[index] = made;
		dir->used++;
	}
	*child = dir->child[index];
	return 0;
}

static int vm_prepare_run(void *priv, void *table, enum vm_level level, unsigned int first,
			  unsigned int count, u64 va)
{
	return 0;
}

static const struct vm_walk_ops vm_prepare_ops = {
	.big = vm_prepare_big,
	.child = vm_prepare_child,
	.run = vm_prepare_run,
};

/* ---- later walks: the tree says what is big ---- */

static bool vm_tree_big(void *priv, void *table, unsigned int index, u64 va)
{
	const struct vm_table *pdb0 = table;

	return !pdb0->child[index];
}

static int vm_tree_child(void *priv, void *table, enum vm_level level, unsigned int index,
			 u64 va, void **child)
{
	struct vm_table *dir = table;

	*child = dir->child[index];
	return 0;
}

static int vm_hold_run(void *priv, void *table, enum vm_level level, unsigned int first,
		       unsigned int count, u64 va)
{
	struct vm_table *t = table;

	t->used += count;
	return 0;
}

static const struct vm_walk_ops vm_hold_ops = {
	.big = vm_tree_big,
	.child = vm_tree_child,
	.run = vm_hold_run,
};

/* ---- unlink tables that nothing needs ---- */

static int vm_prune_leave(void *priv, void *table, enum vm_level level, unsigned int index,
			  void *child)
{
	struct vm_table *dir = table, *below = child;
	struct vm_op *op = priv;

	if (below->used)
		return 0;
	dir->child[index] = NULL;
	dir->used--;
	list_add_tail(&below->dead, &op->vm->dead);
	if (!below->linked)
		return 0;
	below->linked = false;
	return vm_update_fill(&op->upd, vm_entry_pos(dir, index), 0, VM_PDE_EMPTY, 1, 0);
}

/* After a failed prepare no entry was written and none is held. */
static const struct vm_walk_ops vm_unprepare_ops = {
	.big = vm_tree_big,
	.child = vm_tree_child,
	.run = vm_prepare_run,
	.leave = vm_prune_leave,
};

static int vm_clear_run(void *priv, void *table, enum vm_level level, unsigned int first,
			unsigned int count, u64 va)
{
	u64 empty = level == VM_PTB ? VM_PTE_EMPTY : VM_PDE_EMPTY;
	struct vm_table *t = table;
	struct vm_op *op = priv;

	t->used -= count;
	return vm_update_fill(&op->upd, vm_entry_pos(t, first), 0, empty, count, 0);
}

static const struct vm_walk_ops vm_clear_ops = {
	.big = vm_tree_big,
	.child = vm_tree_child,
	.run = vm_clear_run,
	.leave = vm_prune_leave,
};

/* ---- write ---- */

/* Tables that are new get their entry above; the walk goes on below. */
static int vm_write_child(void *priv, void *table, enum vm_level level, unsigned int index,
			  u64 va, void **child)
{
	struct vm_table *dir = table;
	struct vm_table *below = dir->child[index];
	struct vm_op *op = priv;

	*child = below;
	if (below->linked)
		return 0;
	below->linked = true;
	return vm_update_fill(&op->upd, vm_entry_pos(dir, index), 0,
			      vm_pde(op->vm->vmd->vram.pa + below->offset), 1, 0);
}

static int vm_write_big(struct vm_op *op, struct vm_table *pdb0, unsigned int index,
			unsigned int count, u64 pos)
{
	u64 flags = vm_pte_big_flags(op->m->flags);
	int ret = 0;

	while (count && !ret) {
		const struct vm_vram_extent *e = vm_vram_find(op->vram, pos);
		u64 left = e->start + e->size - pos;
		unsigned int n = min_t(u64, count, left >> VM_BIG_SHIFT);

		ret = vm_update_fill(&op->upd, vm_entry_pos(pdb0, index),
				     vm_op_addr(op, e, pos), flags, n, VM_BIG_SIZE);
		index += n;
		count -= n;
		pos += n * VM_BIG_SIZE;
	}
	return ret;
}

/* @count pages from @addr on, contiguous, in pieces that have the same fragment. */
static int vm_write_extent(struct vm_op *op, struct vm_table *ptb, unsigned int index,
			   unsigned int count, u64 va, u64 addr)
{
	int ret = 0;

	while (count && !ret) {
		unsigned int frag, n = vm_pte_frag_run(va, addr, count, &frag);

		ret = vm_update_fill(&op->upd, vm_entry_pos(ptb, index), addr,
				     vm_pte(0, op->m->flags, frag), n, VM_PAGE_SIZE);
		index += n;
		count -= n;
		va += n * VM_PAGE_SIZE;
		addr += n * VM_PAGE_SIZE;
	}
	return ret;
}

static int vm_write_vram(struct vm_op *op, struct vm_table *ptb, unsigned int index,
			 unsigned int count, u64 va)
{
	int ret = 0;

	while (count && !ret) {
		u64 pos = vm_op_pos(op, va);
		const struct vm_vram_extent *e = vm_vram_find(op->vram, pos);
		u64 left = e->start + e->size - pos;
		unsigned int n = min_t(u64, count, left >> VM_PAGE_SHIFT);

		ret = vm_write_extent(op, ptb, index, n, va, vm_op_addr(op, e, pos));
		index += n;
		count -= n;
		va += n * VM_PAGE_SIZE;
	}
	return ret;
}

static int vm_write_run(void *priv, void *table, enum vm_level level, unsigned int first,
			unsigned int count, u64 va)
{
	struct vm_table *t = table;
	struct vm_op *op = priv;
	const u64 *addrs;

	if (level == VM_PDB0)
		return vm_write_big(op, t, first, count, vm_op_pos(op, va));
	if (op->vram)
		return vm_write_vram(op, t, first, count, va);
	if (!op->addrs)
		return 0;
	addrs = op->addrs + (vm_op_pos(op, va) >> VM_PAGE_SHIFT);
	vm_pte_encode(op->scratch, addrs, count, va, op->m->flags);
	return vm_update_write(&op->upd, vm_entry_pos(t, first), op->scratch, count);
}

static const struct vm_walk_ops vm_write_ops = {
	.big = vm_tree_big,
	.child = vm_write_child,
	.run = vm_write_run,
};

/* ---- user pages: entries alone, tables stay ---- */

static int vm_empty_run(void *priv, void *table, enum vm_level level, unsigned int first,
			unsigned int count, u64 va)
{
	struct vm_op *op = priv;

	return vm_update_fill(&op->upd, vm_entry_pos(table, first), 0, VM_PTE_EMPTY, count, 0);
}

/* No big entries: nothing here asks the tree whether a table is missing. */
static const struct vm_walk_ops vm_user_write_ops = {
	.child = vm_tree_child,
	.run = vm_write_run,
};

static const struct vm_walk_ops vm_user_empty_ops = {
	.child = vm_tree_child,
	.run = vm_empty_run,
};

static int vm_op_run_user(struct vm_op *op, const struct vm_walk_ops *ops)
{
	int end, ret;

	vm_update_begin(&op->upd, op->vm->vmd, false);
	ret = vm_op_walk(op, ops);
	end = vm_update_end(&op->upd);
	if (!ret)
		ret = end;
	if (!ret)
		ret = vm_space_flush(op->vm);
	return ret;
}

/**
 * vm_mapping_write_user - write the entries of user pages
 * @m: mapping whose tables exist
 * @addrs: address of each page
 * @scratch: room for the entries of one table
 *
 * Context: &vm_bo_user.lock held; allocates nothing.
 * Return: 0, -ENODEV, -ETIMEDOUT or an error of the CPU back end.
 */
int vm_mapping_write_user(struct vm_mapping *m, const u64 *addrs, u64 *scratch)
{
	struct vm_op op = { .vm = m->vm, .m = m, .addrs = addrs, .scratch = scratch };

	return vm_op_run_user(&op, &vm_user_write_ops);
}

/**
 * vm_mapping_clear_user - empty the entries of user pages and flush
 * @m: mapping whose tables exist
 *
 * Context: &vm_bo_user.lock held, MMU notifier; bounded, allocates nothing.
 * Return: 0 when no engine uses the pages any more; -ETIMEDOUT or an error of the
 * CPU back end when one might.
 */
int vm_mapping_clear_user(struct vm_mapping *m)
{
	struct vm_op op = { .vm = m->vm, .m = m };
	int ret = vm_op_run_user(&op, &vm_user_empty_ops);

	return ret == -ENODEV ? 0 : ret;
}

/* ---- unmap ---- */

/*
 * Empty the entries of @m, unlink tables, flush.  Then, or because the device is
 * gone, no engine reaches the object or the tables: 0.
 */
static int vm_mapping_clear(struct vm_space *vm, struct vm_mapping *m)
{
	struct vm_op op = { .vm = vm, .m = m };
	bool user = m->bo && m->bo->kind == VM_BO_USER;
	int end, ret, flush;

	lockdep_assert_held(&vm->lock);
	vm_update_begin(&op.upd, vm->vmd, !user);
	ret = vm_op_walk(&op, &vm_clear_ops);
	end = vm_update_end(&op.upd);
	if (!ret)
		ret = end;
	flush = vm_space_flush(vm);
	if (ret == -ENODEV)
		ret = 0;
	if (ret)
		vm_space_set_stuck(vm, "update", ret);
	return ret ? ret : flush;
}

/* The last steps of unmapping and of a failed map: @m is off the tree of mappings. */
static int vm_mapping_drop(struct vm_space *vm, struct vm_mapping *m, int error)
{
	lockdep_assert_held(&vm->lock);
	if (error || READ_ONCE(vm->stuck)) {
		list_add_tail(&m->kept, &vm->kept);
		return error ? error : -EIO;
	}
	vm_table_bury(vm);
	return 0;
}

/*
 * A walk that fails half way leaves counts of tables behind that are too high: such
 * a space is stuck, its tables go with it.
 */
static int vm_mapping_withdraw(struct vm_space *vm, struct vm_mapping *m)
{
	struct vm_bo_user *user = m->bo ? vm_bo_user(m->bo) : NULL;
	int ret;

	if (user)
		vm_bo_user_unmap_begin(user, m);
	ret = vm_mapping_clear(vm, m);
	if (user)
		vm_bo_user_unmap_end(user);
	return vm_mapping_drop(vm, m, ret);
}

/**
 * vm_mapping_free - let go of what a mapping holds
 * @m: mapping that no engine uses any more, on no list
 *
 * Context: process context.
 */
void vm_mapping_free(struct vm_mapping *m)
{
	atomic64_dec(&m->vm->vmd->count.mappings);
	vm_bo_put(m->bo);
	if (m->page)
		put_page(m->page);
	kfree(m);
}

/**
 * vm_space_unmap - remove a mapping
 * @vm: space
 * @va: where it starts
 *
 * Context: process context.
 * Return: 0: no engine uses the pages any more.  -ENOENT: no mapping starts there.
 * -ETIMEDOUT, -EIO: the mapping is gone, but an engine may still use the pages;
 * the object is kept until the device goes.
 */
int vm_space_unmap(struct vm_space *vm, u64 va)
{
	struct vm_mapping *m;
	int ret;

	mutex_lock(&vm->lock);
	m = vm_mapping_at(&vm->maps, va, va);
	if (!m || vm_mapping_start(m) != va) {
		mutex_unlock(&vm->lock);
		return -ENOENT;
	}
	interval_tree_remove(&m->it, &vm->maps);
	ret = vm_mapping_withdraw(vm, m);
	mutex_unlock(&vm->lock);
	if (!ret)
		vm_mapping_free(m);
	return ret;
}

/* ---- map ---- */

static struct vm_mapping *vm_mapping_new(struct vm_space *vm, struct vm_bo *bo, u64 va, u64 size)
{
	struct vm_mapping *m = kzalloc(sizeof(*m), HW_GFP_USER);

	if (!m)
		return ERR_PTR(-ENOMEM);
	m->it.start = va;
	m->it.last = va + size - 1;
	m->vm = vm;
	m->bo = bo;
	if (bo)
		vm_bo_get(bo);
	INIT_LIST_HEAD(&m->bo_link);
	INIT_LIST_HEAD(&m->kept);
	atomic64_inc(&vm->vmd->count.mappings);
	return m;
}

static int vm_op_prepare(struct vm_op *op)
{
	int ret = vm_op_walk(op, &vm_prepare_ops);

	/* Holding cannot fail: it visits tables that exist. */
	if (!ret)
		return vm_op_walk(op, &vm_hold_ops);
	vm_update_begin(&op->upd, op->vm->vmd, false);
	vm_op_walk(op, &vm_unprepare_ops);
	vm_update_end(&op->upd);
	/* Nothing pointed to these tables: no flush. */
	vm_table_bury(op->vm);
	return ret;
}

static int vm_op_write(struct vm_op *op, bool may_alloc)
{
	int end, ret;

	vm_update_begin(&op->upd, op->vm->vmd, may_alloc);
	ret = vm_op_walk(op, &vm_write_ops);
	end = vm_update_end(&op->upd);
	if (!ret)
		ret = end;
	/* Engines may remember that there was nothing. */
	return ret ? ret : vm_space_flush(op->vm);
}

/*
 * Make @op->m valid.  After an error nothing of it is left, or it is kept with the
 * space (@kept set).
 */
static int vm_op_map(struct vm_op *op, bool *kept)
{
	struct vm_bo_user *user = op->m->bo ? vm_bo_user(op->m->bo) : NULL;
	int ret;

	lockdep_assert_held(&op->vm->lock);
	*kept = false;
	ret = vm_op_prepare(op);
	if (ret)
		return ret;
	ret = vm_op_write(op, !user);
	if (ret == -ETIMEDOUT)
		vm_space_set_stuck(op->vm, "update", ret);
	if (!ret && user)
		ret = vm_bo_user_map(user, op->m);
	if (!ret) {
		interval_tree_insert(&op->m->it, &op->vm->maps);
		return 0;
	}
	*kept = vm_mapping_withdraw(op->vm, op->m) != 0;
	return ret;
}

/* 0: go on.  1: is mapped there already.  Else an error. */
static int vm_space_check(struct vm_space *vm, struct vm_bo *bo, u64 va, u64 size)
{
	struct vm_mapping *m;

	lockdep_assert_held(&vm->lock);
	if (READ_ONCE(vm->stuck))
		return -EIO;
	m = vm_mapping_at(&vm->maps, va, va + size - 1);
	if (!m)
		return 0;
	return bo && m->bo == bo && vm_mapping_start(m) == va ? 1 : -EEXIST;
}

static int vm_check_range(u64 va, u64 size, u32 flags)
{
	if (!size || !PAGE_ALIGNED(va) || !PAGE_ALIGNED(size) || (flags & ~VM_MAP_FLAGS))
		return -EINVAL;
	if (va < VM_VA_START || va >= VM_VA_END || size > VM_VA_END - va)
		return -EINVAL;
	return 0;
}

/* Takes @op->m over. */
static int vm_space_map_op(struct vm_space *vm, struct vm_op *op)
{
	struct vm_mapping *m = op->m;
	bool kept = false;
	int ret;

	ret = vm_space_check(vm, m->bo, vm_mapping_start(m), vm_mapping_size(m));
	if (!ret) {
		ret = vm_op_map(op, &kept);
		if (!ret)
			return 0;
	}
	if (!kept)
		vm_mapping_free(m);
	return min(ret, 0);
}

static int vm_space_map_backed(struct vm_space *vm, struct vm_op *op, struct vm_bo *bo)
{
	struct vm_bo_gtt *gtt = vm_bo_gtt(bo);
	int ret;

	dma_resv_lock(bo->base.resv, NULL);
	op->vram = vm_bo_vram(bo);
	if (gtt && !gtt->mapped) {
		vm_mapping_free(op->m);
		ret = -ENODEV;
	} else {
		op->addrs = gtt ? gtt->dma : NULL;
		ret = vm_space_map_op(vm, op);
	}
	dma_resv_unlock(bo->base.resv);
	return ret;
}

/**
 * vm_space_map - map an object
 * @vm: space
 * @bo: object of the same device
 * @va: first address, page aligned
 * @flags: VM_MAP_*
 *
 * Context: process context, allocates; no lock that quiesce or resume take.
 * Return: 0, also if it is mapped there already; -EEXIST: something else is there;
 * -EINVAL; -ENOMEM; -EPERM: user pages are not writable; -ENODEV; -EIO, -ETIMEDOUT:
 * the space is stuck.
 */
int vm_space_map(struct vm_space *vm, struct vm_bo *bo, u64 va, u32 flags)
{
	struct vm_op op = { .vm = vm, .scratch = vm->scratch };
	int ret;

	/* An address in an entry is a u64. */
	BUILD_BUG_ON(sizeof(dma_addr_t) != sizeof(u64));
	ret = vm_check_range(va, bo->base.size, flags);
	if (ret)
		return ret;
	if (bo->vmd != vm->vmd)
		return -EINVAL;
	if (bo->kind == VM_BO_USER && (flags & VM_MAP_WRITE) && !vm_bo_user_writable(bo))
		return -EPERM;
	op.m = vm_mapping_new(vm, bo, va, bo->base.size);
	if (IS_ERR(op.m))
		return PTR_ERR(op.m);
	op.m->flags = vm_pte_flags(bo->kind != VM_BO_VRAM, flags);
	mutex_lock(&vm->lock);
	if (bo->kind == VM_BO_USER)
		ret = vm_space_map_op(vm, &op);
	else
		ret = vm_space_map_backed(vm, &op, bo);
	mutex_unlock(&vm->lock);
	return ret;
}

/**
 * vm_space_map_io - map registers or doorbells
 * @vm: space
 * @va: first address, page aligned
 * @pages: bus address of each page
 * @count: pages
 * @memory: what is there, if it is memory: kept while an engine may use it; else NULL
 * @flags: VM_MAP_*; uncached in any case
 *
 * Context: process context, allocates.
 * Return: as vm_space_map(); -EEXIST also if the same is mapped there.
 */
int vm_space_map_io(struct vm_space *vm, u64 va, const dma_addr_t *pages, unsigned int count,
		    struct page *memory, u32 flags)
{
	struct vm_op op = { .vm = vm, .scratch = vm->scratch, .addrs = pages };
	int ret;

	ret = vm_check_range(va, (u64)count << PAGE_SHIFT, flags);
	if (ret)
		return ret;
	op.m = vm_mapping_new(vm, NULL, va, (u64)count << PAGE_SHIFT);
	if (IS_ERR(op.m))
		return PTR_ERR(op.m);
	op.m->flags = vm_pte_flags(true, flags | VM_MAP_UNCACHED);
	op.m->page = memory;
	if (memory)
		get_page(memory);
	mutex_lock(&vm->lock);
	ret = vm_space_map_op(vm, &op);
	mutex_unlock(&vm->lock);
	return ret;
}
