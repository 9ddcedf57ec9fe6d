// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: the list of nodes
 *
 * CPU nodes come first and stay; GPU nodes follow in the order they were added.
 * Numbers have no gaps: when a GPU goes, later ones move up, and links that name
 * them follow.  See topology_list.h for the locks.
 */
#include <linux/slab.h>

#include "topology_list.h"

/* Shape of the tree. */
DEFINE_MUTEX(topology_lock);
/* What its files show. */
DEFINE_SPINLOCK(topology_text_lock);
LIST_HEAD(topology_nodes);

/* Bumped once a change is complete; topology_lock. */
static u32 topology_generation_id;

/**
 * topology_generation - number of the present tree
 *
 * Context: process, sleeps until a change that is under way is complete.
 * Return: the number.
 */
u32 topology_generation(void)
{
	u32 generation;

	mutex_lock(&topology_lock);
	generation = topology_generation_id;
	mutex_unlock(&topology_lock);
	return generation;
}

/**
 * topology_changed_locked - a change is complete
 *
 * Context: topology_lock held since before the change began.
 */
void topology_changed_locked(void)
{
	lockdep_assert_held(&topology_lock);
	topology_generation_id++;
}

/**
 * topology_node_alloc - an empty node outside of the tree
 *
 * Context: process.
 * Return: node, or NULL.
 */
struct topology_node *topology_node_alloc(void)
{
	struct topology_node *node = kzalloc(sizeof(*node), GFP_KERNEL);
	enum topology_dir dir;

	if (!node)
		return NULL;
	topology_sysfs_node_init(node);
	for (dir = 0; dir < TOPOLOGY_DIRS; dir++)
		INIT_LIST_HEAD(&node->records[dir]);
	return node;
}

/**
 * topology_node_free - drop a node that is not, or no longer, in the tree
 * @node: node; open files may keep its memory for a while
 *
 * Context: process.
 */
void topology_node_free(struct topology_node *node)
{
	struct topology_record *rec, *next;
	enum topology_dir dir;

	for (dir = 0; dir < TOPOLOGY_DIRS; dir++) {
		list_for_each_entry_safe(rec, next, &node->records[dir], list) {
			list_del(&rec->list);
			kobject_put(&rec->kobj);
		}
	}
	kobject_put(&node->kobj);
}

static u32 *topology_count_of(struct topology_node *node, enum topology_dir dir)
{
	switch (dir) {
	case TOPOLOGY_DIR_MEM:
		return &node->props.mem_banks_count;
	case TOPOLOGY_DIR_CACHE:
		return &node->props.caches_count;
	case TOPOLOGY_DIR_LINK:
		return &node->props.io_links_count;
	case TOPOLOGY_DIR_P2P:
		return &node->props.p2p_links_count;
	default:
		return NULL;
	}
}

static void topology_count(struct topology_node *node, enum topology_dir dir, int by)
{
	u32 *count = topology_count_of(node, dir);

	if (!count)
		return;
	spin_lock(&topology_text_lock);
	*count += by;
	spin_unlock(&topology_text_lock);
}

/**
 * topology_record_add - append an empty record to a node
 * @node: node outside of the tree, or under topology_lock
 * @dir: where
 * @kind: what it holds
 *
 * Context: process.
 * Return: record, which the caller fills, or NULL.
 */
struct topology_record *topology_record_add(struct topology_node *node, enum topology_dir dir,
					    enum topology_kind kind)
{
	struct topology_record *rec = kzalloc(sizeof(*rec), GFP_KERNEL);

	if (!rec)
		return NULL;
	topology_sysfs_record_init(rec);
	rec->kind = kind;
	rec->render_minor = node->render_minor;
	list_add_tail(&rec->list, &node->records[dir]);
	topology_count(node, dir, 1);
	return rec;
}

static void topology_record_drop_locked(struct topology_node *node, enum topology_dir dir,
					struct topology_record *rec)
{
	lockdep_assert_held(&topology_lock);
	topology_sysfs_del_record(rec);
	list_del(&rec->list);
	topology_count(node, dir, -1);
	kobject_put(&rec->kobj);
}

/**
 * topology_link_add_locked - append a link to a node of the tree
 * @node: node
 * @dir: io_links or p2p_links
 * @link: what it shows
 *
 * Context: process, topology_lock held.
 * Return: 0, -ENOMEM, or what sysfs says.
 */
int topology_link_add_locked(struct topology_node *node, enum topology_dir dir,
			     const struct topology_link_props *link)
{
	struct topology_record *rec;
	int ret;

	lockdep_assert_held(&topology_lock);
	rec = topology_record_add(node, dir, TOPOLOGY_KIND_LINK);
	if (!rec)
		return -ENOMEM;
	rec->link = *link;
	ret = topology_sysfs_add_record(node, dir, rec, *topology_count_of(node, dir) - 1);
	if (ret)
		topology_record_drop_locked(node, dir, rec);
	return ret;
}

/**
 * topology_node_at_locked - node by number
 * @index: number
 *
 * Context: topology_lock held.
 * Return: node, or NULL.
 */
struct topology_node *topology_node_at_locked(u32 index)
{
	struct topology_node *node;

	lockdep_assert_held(&topology_lock);
	list_for_each_entry(node, &topology_nodes, list)
		if (node->index == index)
			return node;
	return NULL;
}

/**
 * topology_count_locked - number of nodes
 *
 * Context: topology_lock held.
 * Return: that number, which is also the index of the next node.
 */
u32 topology_count_locked(void)
{
	struct topology_node *node;
	u32 count = 0;

	lockdep_assert_held(&topology_lock);
	list_for_each_entry(node, &topology_nodes, list)
		count++;
	return count;
}

/**
 * topology_publish_locked - put a node at the end of the tree
 * @node: complete but for its number, which its links already name: it is the
 *	number of nodes so far
 *
 * Context: process, topology_lock held.
 * Return: 0 or an error of sysfs; then the node is outside of the tree.
 */
int topology_publish_locked(struct topology_node *node)
{
	int ret;

	node->index = topology_count_locked();
	ret = topology_sysfs_add_node(node);
	if (ret)
		return ret;
	list_add_tail(&node->list, &topology_nodes);
	return 0;
}

/* Drop links that lead to @gone, number the rest anew. */
static void topology_links_forget_locked(struct topology_node *node, enum topology_dir dir,
					 u32 gone)
{
	struct topology_record *rec, *next;
	unsigned int index = 0;

	list_for_each_entry_safe(rec, next, &node->records[dir], list) {
		if (rec->link.node_to == gone) {
			topology_record_drop_locked(node, dir, rec);
			continue;
		}
		spin_lock(&topology_text_lock);
		if (rec->link.node_to > gone)
			rec->link.node_to--;
		if (rec->link.node_from > gone)
			rec->link.node_from--;
		spin_unlock(&topology_text_lock);
		topology_sysfs_rename(&rec->kobj, index++);
	}
}

/**
 * topology_withdraw_locked - take a node out of the tree
 * @node: node; the caller frees it
 *
 * Waits for readers of its files.
 *
 * Context: process, topology_lock held.
 */
void topology_withdraw_locked(struct topology_node *node)
{
	u32 gone = node->index;
	struct topology_node *other;

	topology_sysfs_del_node(node);
	list_del(&node->list);
	list_for_each_entry(other, &topology_nodes, list) {
		topology_links_forget_locked(other, TOPOLOGY_DIR_LINK, gone);
		topology_links_forget_locked(other, TOPOLOGY_DIR_P2P, gone);
		if (other->index < gone)
			continue;
		other->index--;
		topology_sysfs_rename(&other->kobj, other->index);
	}
}

/**
 * topology_num_nodes - how many nodes there are
 *
 * Context: process.
 * Return: their number.
 */
unsigned int topology_num_nodes(void)
{
	unsigned int count;

	mutex_lock(&topology_lock);
	count = topology_count_locked();
	mutex_unlock(&topology_lock);
	return count;
}

static void topology_free_all(void)
{
	struct topology_node *node, *prev;

	mutex_lock(&topology_lock);
	list_for_each_entry_safe_reverse(node, prev, &topology_nodes, list) {
		topology_withdraw_locked(node);
		topology_node_free(node);
	}
	topology_changed_locked();
	mutex_unlock(&topology_lock);
}

/**
 * topology_init - make the tree and its CPU nodes
 * @parent: kobject of the "kfd" device
 *
 * Context: process.
 * Return: 0, -ENOMEM, -ENODEV (no CPU node), or what sysfs says.
 */
int topology_init(struct kobject *parent)
{
	struct topology_system_props system;
	int ret;

	topology_cpu_system(&system);
	ret = topology_sysfs_init(parent, &system);
	if (ret)
		return ret;
	ret = topology_cpu_add();
	if (!ret)
		return 0;
	topology_free_all();
	topology_sysfs_fini();
	return ret;
}

/**
 * topology_fini - remove the tree; all GPUs have been removed
 *
 * Context: process.
 */
void topology_fini(void)
{
	topology_free_all();
	topology_sysfs_fini();
}
