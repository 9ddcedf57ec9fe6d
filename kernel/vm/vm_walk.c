// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: walk over a four-level page table
 *
 * Recursion is bounded: one call a level.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/types.h>

#include "vm_walk.h"

struct vm_walk {
	const struct vm_walk_ops *ops;
	void *priv;
};

/* First address that the entry of @va does not cover. */
static u64 vm_walk_entry_end(enum vm_level level, u64 va)
{
	u64 span = 1ULL << vm_level_shift(level);

	return (va & ~(span - 1)) + span;
}

static bool vm_walk_is_big(const struct vm_walk *w, void *table, u64 va, u64 end)
{
	if (!w->ops->big || (va & (VM_BIG_SIZE - 1)) || end - va < VM_BIG_SIZE)
		return false;
	return w->ops->big(w->priv, table, vm_level_index(VM_PDB0, va), va);
}

/* Number of entries of this PDB0 from @va on that are big. */
static unsigned int vm_walk_count_big(const struct vm_walk *w, void *table, u64 va, u64 end)
{
	unsigned int n = 0;

	while (va < end && vm_walk_is_big(w, table, va, end)) {
		va += VM_BIG_SIZE;
		n++;
	}
	return n;
}

static int vm_walk_table(const struct vm_walk *w, void *table, enum vm_level level, u64 va,
			 u64 end);

static int vm_walk_below(const struct vm_walk *w, void *table, enum vm_level level, u64 va,
			 u64 end)
{
	unsigned int index = vm_level_index(level, va);
	void *child = NULL;
	int ret;

	ret = w->ops->child(w->priv, table, level, index, va, &child);
	if (ret || !child)
		return ret;
	ret = vm_walk_table(w, child, level + 1, va, end);
	if (ret || !w->ops->leave)
		return ret;
	return w->ops->leave(w->priv, table, level, index, child);
}

/* @va to @end - 1 lies in the part that this table covers. */
static int vm_walk_table(const struct vm_walk *w, void *table, enum vm_level level, u64 va,
			 u64 end)
{
	int ret = 0;

	if (level == VM_PTB)
		return w->ops->run(w->priv, table, level, vm_level_index(level, va),
				   (end - va) >> VM_PAGE_SHIFT, va);
	while (va < end && !ret) {
		unsigned int index = vm_level_index(level, va), big = 0;
		u64 next = min(end, vm_walk_entry_end(level, va));

		if (level == VM_PDB0)
			big = vm_walk_count_big(w, table, va, end);
		if (big) {
			next = va + big * VM_BIG_SIZE;
			ret = w->ops->run(w->priv, table, level, index, big, va);
		} else {
			ret = vm_walk_below(w, table, level, va, next);
		}
		va = next;
	}
	return ret;
}

/**
 * vm_walk - visit all tables and entries that a range needs, in address order
 * @ops: callbacks
 * @priv: their first argument
 * @root: the PDB2
 * @va: first address, page aligned
 * @size: bytes, page multiple, not 0
 *
 * Context: that of the callbacks.
 * Return: 0; -EINVAL for a range that is not page aligned, empty or beyond 48 bits;
 * or what a callback returned.
 */
int vm_walk(const struct vm_walk_ops *ops, void *priv, void *root, u64 va, u64 size)
{
	const struct vm_walk w = { ops, priv };

	if (!size || ((va | size) & (VM_PAGE_SIZE - 1)))
		return -EINVAL;
	if (va >= VM_WALK_END || size > VM_WALK_END - va)
		return -EINVAL;
	return vm_walk_table(&w, root, VM_PDB2, va, va + size);
}
