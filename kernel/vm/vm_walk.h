/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: walk over a four-level page table
 *
 * The walker knows levels and indices; what a table is and what happens at an
 * entry is the callbacks' business.  The same walk creates tables, writes entries
 * and clears them.  Pure: compiles in user space.
 */
#ifndef CARILLON_VM_WALK_H
#define CARILLON_VM_WALK_H

#include <linux/types.h>

#include "vm_pte.h"

enum vm_level { VM_PDB2, VM_PDB1, VM_PDB0, VM_PTB };

#define VM_TABLE_ENTRIES	512
#define VM_WALK_END		BIT_ULL(48)

/* Bytes that one entry covers, as a shift: 39, 30, 21, 12. */
static inline unsigned int vm_level_shift(enum vm_level level)
{
	return VM_PAGE_SHIFT + 9 * (VM_PTB - level);
}

static inline unsigned int vm_level_index(enum vm_level level, u64 va)
{
	return (va >> vm_level_shift(level)) & (VM_TABLE_ENTRIES - 1);
}

/**
 * struct vm_walk_ops - what to do on the way
 * @big: may the 2 MiB at @va, which the range covers in full, be entry @index of
 *	this PDB0?  Optional; without it nothing is big.
 * @child: the table below entry @index, which holds part of the range.  Sets
 *	*@child, or NULL to skip what is below.
 * @run: entries @first to @first + @count - 1 of this table map the range from
 *	@va on.  Of a PTB, or of a PDB0 where big() said yes.
 * @leave: the part of the range below @child is done.  Optional.
 *
 * A callback that returns anything but 0 ends the walk with that value.
 */
struct vm_walk_ops {
	bool (*big)(void *priv, void *table, unsigned int index, u64 va);
	int (*child)(void *priv, void *table, enum vm_level level, unsigned int index, u64 va,
		     void **child);
	int (*run)(void *priv, void *table, enum vm_level level, unsigned int first,
		   unsigned int count, u64 va);
	int (*leave)(void *priv, void *table, enum vm_level level, unsigned int index,
		     void *child);
};

int vm_walk(const struct vm_walk_ops *ops, void *priv, void *root, u64 va, u64 size);

#endif /* CARILLON_VM_WALK_H */
