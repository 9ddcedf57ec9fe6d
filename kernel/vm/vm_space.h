/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: address spaces, inside of vm
 *
 * A &struct vm_table is one page of the tree: its place in VRAM and, for a
 * directory, the tables below.  It stays as long as a mapping needs one of its
 * entries.
 */
#ifndef CARILLON_VM_SPACE_H
#define CARILLON_VM_SPACE_H

#include <linux/interval_tree.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>

#include "vm.h"
#include "vm_walk.h"

struct drm_buddy_block;
struct vm_bo_user;

/**
 * struct vm_table - one page of a page table
 * @level: which
 * @linked: the entry of the directory above points here
 * @used: entries that mappings or tables below need; @linked, @used and @child are
 *	guarded by &vm_space.lock.  The notifier reads @child on the way to
 *	entries of its own mapping, where it does not change.
 * @offset: byte in VRAM
 * @block: allocation of it
 * @dead: on &vm_space.dead once nothing needs it
 * @child: tables below; NULL for a PTB
 */
struct vm_table {
	enum vm_level level;
	bool linked;
	unsigned int used;
	u64 offset;
	struct drm_buddy_block *block;
	struct list_head dead;
	struct vm_table **child;
};

/**
 * struct vm_mapping - a range of a space that maps something
 * @it: first and last address; guarded by &vm_space.lock
 * @vm: the space
 * @bo: object, referenced; NULL for registers and doorbells
 * @page: without an object: memory that it maps, referenced; or NULL
 * @bo_link: user pages: in &vm_bo_user.maps, guarded by &vm_bo_user.lock
 * @flags: flags of its entries
 * @kept: on &vm_space.kept, when it could not be removed safely
 */
struct vm_mapping {
	struct interval_tree_node it;
	struct vm_space *vm;
	struct vm_bo *bo;
	struct page *page;
	struct list_head bo_link;
	u64 flags;
	struct list_head kept;
};

/**
 * struct vm_space - one address space
 * @vmd: device, of which it holds the drm_device
 * @ref: references
 * @lock: map and unmap; allocation under it
 * @maps: all mappings, by address; guarded by @lock
 * @root: the PDB2
 * @dead: tables that wait for the flush; guarded by @lock
 * @kept: mappings whose removal timed out; guarded by @lock
 * @scratch: room for the entries of one table; guarded by @lock
 * @pt_lock: flushes and @vmid; taken by the MMU notifier, no allocation under it
 * @vmid: VMID that the space is loaded in, or 0; guarded by @pt_lock
 * @stuck: an update or a flush timed out: nothing of it is freed before the device
 *	goes, and nothing more is mapped.  Only ever set.
 * @stuck_link: in &vm_device.stuck
 */
struct vm_space {
	struct vm_device *vmd;
	struct kref ref;
	struct mutex lock;
	struct rb_root_cached maps;
	struct vm_table *root;
	struct list_head dead;
	struct list_head kept;
	u64 *scratch;
	struct mutex pt_lock;
	unsigned int vmid;
	bool stuck;
	struct list_head stuck_link;
};

static inline u64 vm_mapping_start(const struct vm_mapping *m)
{
	return m->it.start;
}

static inline u64 vm_mapping_size(const struct vm_mapping *m)
{
	return (u64)m->it.last - m->it.start + 1;
}

static inline struct vm_mapping *vm_mapping_at(struct rb_root_cached *maps, u64 start, u64 last)
{
	struct interval_tree_node *it = interval_tree_iter_first(maps, start, last);

	return it ? container_of(it, struct vm_mapping, it) : NULL;
}

/* vm_space.c */
void vm_space_prime_lockdep(void);
void vm_space_free_stuck(struct vm_device *vmd);
void vm_space_set_stuck(struct vm_space *vm, const char *what, int error);
int vm_space_flush(struct vm_space *vm);
struct vm_table *vm_table_create(struct vm_device *vmd, enum vm_level level);
void vm_table_free(struct vm_device *vmd, struct vm_table *table);
void vm_table_bury(struct vm_space *vm);

/* vm_map.c */
void vm_mapping_free(struct vm_mapping *m);
/* User pages, under &vm_bo_user.lock, from the notifier too. */
int vm_mapping_write_user(struct vm_mapping *m, const u64 *addrs, u64 *scratch);
int vm_mapping_clear_user(struct vm_mapping *m);

#endif /* CARILLON_VM_SPACE_H */
