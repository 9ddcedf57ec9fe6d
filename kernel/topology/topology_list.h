/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: nodes of the topology
 *
 * Words: a *node* is a directory nodes/N; a *record* is a directory below it with
 * one file "properties" (a memory bank, a cache, a link).
 *
 * Locks.  topology_lock (a mutex) covers the shape: the list of nodes, their
 * numbers, their lists of records, the generation number.  topology_text_lock (a
 * spinlock) covers what the files show.  Readers of files take only the second,
 * except those of generation_id: they wait until a change is over, so a reader
 * that sees the same number before and after has seen one consistent tree.
 * Directories are removed with topology_lock held, which waits for their
 * readers; that is why those must not take it.
 */
#ifndef CARILLON_TOPOLOGY_LIST_H
#define CARILLON_TOPOLOGY_LIST_H

#include <linux/kobject.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

#include "topology.h"
#include "topology_props.h"

#define TOPOLOGY_NAME_SIZE	32

/* Subdirectories of a node. */
enum topology_dir {
	TOPOLOGY_DIR_MEM,
	TOPOLOGY_DIR_CACHE,
	TOPOLOGY_DIR_LINK,
	TOPOLOGY_DIR_P2P,
	TOPOLOGY_DIR_PERF,	/* always empty: performance counters of an IOMMU */
	TOPOLOGY_DIRS,
};

/**
 * struct topology_record - a directory with one file "properties"
 * @list: in &topology_node.records; topology_lock
 * @kobj: its directory; frees the record
 * @render_minor: of the GPU whose owners may read it, 0 for everybody
 * @kind: which member of the union
 * @mem: a memory bank
 * @cache: a cache
 * @link: a link
 *
 * The union is under topology_text_lock once the directory exists.
 */
struct topology_record {
	struct list_head list;
	struct kobject kobj;
	u32 render_minor;
	enum topology_kind kind;
	union {
		struct topology_mem_props mem;
		struct topology_cache_props cache;
		struct topology_link_props link;
	};
};

/**
 * struct topology_node - a directory nodes/N
 * @list: in topology_nodes; topology_lock
 * @kobj: its directory; frees the node
 * @dirs: subdirectories
 * @records: a list a subdirectory; topology_lock
 * @index: N; topology_lock
 * @numa: NUMA node of a CPU node, or nearest one of a GPU; const
 * @gpu_id: 0 for CPUs; const
 * @render_minor: 0 for CPUs; const
 * @name: lower-case name of the chip, empty for CPUs; const
 * @props: topology_text_lock
 */
struct topology_node {
	struct list_head list;
	struct kobject kobj;
	struct kobject *dirs[TOPOLOGY_DIRS];
	struct list_head records[TOPOLOGY_DIRS];
	u32 index;
	int numa;
	u32 gpu_id;
	u32 render_minor;
	char name[TOPOLOGY_NAME_SIZE];
	struct topology_node_props props;
};

extern struct mutex topology_lock;
extern spinlock_t topology_text_lock;
extern struct list_head topology_nodes;

/* topology_list.c */
u32 topology_generation(void);
void topology_changed_locked(void);
u32 topology_count_locked(void);
struct topology_node *topology_node_alloc(void);
void topology_node_free(struct topology_node *node);
struct topology_record *topology_record_add(struct topology_node *node, enum topology_dir dir,
					    enum topology_kind kind);
int topology_publish_locked(struct topology_node *node);
void topology_withdraw_locked(struct topology_node *node);
int topology_link_add_locked(struct topology_node *node, enum topology_dir dir,
			     const struct topology_link_props *link);
struct topology_node *topology_node_at_locked(u32 index);

/* topology_cpu.c: append the CPU nodes. */
int topology_cpu_add(void);
void topology_cpu_system(struct topology_system_props *props);

/* topology_sysfs.c */
int topology_sysfs_init(struct kobject *parent, const struct topology_system_props *props);
void topology_sysfs_fini(void);
void topology_sysfs_node_init(struct topology_node *node);
void topology_sysfs_record_init(struct topology_record *rec);
int topology_sysfs_add_node(struct topology_node *node);
void topology_sysfs_del_node(struct topology_node *node);
int topology_sysfs_add_record(struct topology_node *node, enum topology_dir dir,
			      struct topology_record *rec, unsigned int index);
void topology_sysfs_del_record(struct topology_record *rec);
void topology_sysfs_rename(struct kobject *kobj, unsigned int index);

#endif /* CARILLON_TOPOLOGY_LIST_H */
