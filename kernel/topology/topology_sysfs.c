// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: directories and files of the topology
 *
 * topology/{generation_id,system_properties} and
 * topology/nodes/N/{gpu_id,name,properties} with the subdirectories mem_banks,
 * caches, io_links, p2p_links and perf.  nodes/ holds nothing but nodes: user
 * space counts its entries.
 *
 * Files of a GPU read as EPERM for a process whose device cgroup does not let it
 * use that GPU's render node.
 *
 * Nodes and records are kobjects that free themselves with the last reference, so
 * a file that somebody holds open outlives the GPU without harm.  A read of it
 * then fails with ENODEV.
 */
#include <linux/cpufreq.h>
#include <linux/device_cgroup.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <drm/drm_file.h>

#include "topology_list.h"

/* Character device major of DRM; its header is not for modules outside of it. */
#define TOPOLOGY_DRM_MAJOR	226

static const char * const topology_dir_names[TOPOLOGY_DIRS] = {
	[TOPOLOGY_DIR_MEM] = "mem_banks",
	[TOPOLOGY_DIR_CACHE] = "caches",
	[TOPOLOGY_DIR_LINK] = "io_links",
	[TOPOLOGY_DIR_P2P] = "p2p_links",
	[TOPOLOGY_DIR_PERF] = "perf",
};

/**
 * struct topology_system - topology/ and nodes/
 * @kobj: topology/; frees the struct
 * @nodes: nodes/
 * @props: what system_properties shows; const
 */
struct topology_system {
	struct kobject kobj;
	struct kobject *nodes;
	struct topology_system_props props;
};

/* Set by topology_sysfs_init() before any node exists, cleared after the last has gone. */
static struct topology_system *topology_system;

static int topology_may_read(u32 render_minor)
{
	if (!render_minor)
		return 0;
	return devcgroup_check_permission(DEVCG_DEV_CHAR, TOPOLOGY_DRM_MAJOR, render_minor,
					  DEVCG_ACC_READ | DEVCG_ACC_WRITE) ? -EPERM : 0;
}

/* Records */

static ssize_t topology_record_show(struct kobject *kobj, struct attribute *attr, char *buf)
{
	struct topology_record *rec = container_of(kobj, struct topology_record, kobj);
	struct topology_cache_props copy;	/* the largest of the union */
	int ret;

	BUILD_BUG_ON(sizeof(copy) < sizeof(rec->mem) || sizeof(copy) < sizeof(rec->link));
	ret = topology_may_read(rec->render_minor);
	if (ret)
		return ret;
	spin_lock(&topology_text_lock);
	memcpy(&copy, &rec->cache, sizeof(copy));
	spin_unlock(&topology_text_lock);
	return topology_props_format(rec->kind, &copy, buf, PAGE_SIZE);
}

static void topology_record_release(struct kobject *kobj)
{
	kfree(container_of(kobj, struct topology_record, kobj));
}

static struct attribute topology_attr_properties = { .name = "properties", .mode = 0444 };

static struct attribute *topology_record_attrs[] = { &topology_attr_properties, NULL };
ATTRIBUTE_GROUPS(topology_record);

static const struct sysfs_ops topology_record_ops = { .show = topology_record_show };

static struct kobj_type topology_record_type = {
	.release = topology_record_release,
	.sysfs_ops = &topology_record_ops,
	.default_groups = topology_record_groups,
};

/* Nodes */

static struct attribute topology_attr_gpu_id = { .name = "gpu_id", .mode = 0444 };
static struct attribute topology_attr_name = { .name = "name", .mode = 0444 };

static ssize_t topology_node_properties(struct topology_node *node, char *buf)
{
	enum topology_kind kind = node->gpu_id ? TOPOLOGY_KIND_GPU_NODE : TOPOLOGY_KIND_CPU_NODE;
	struct topology_node_props copy;

	spin_lock(&topology_text_lock);
	copy = node->props;
	spin_unlock(&topology_text_lock);
	copy.max_engine_clk_ccompute = cpufreq_quick_get_max(0) / 1000;
	return topology_props_format(kind, &copy, buf, PAGE_SIZE);
}

static ssize_t topology_node_show(struct kobject *kobj, struct attribute *attr, char *buf)
{
	struct topology_node *node = container_of(kobj, struct topology_node, kobj);
	int ret;

	ret = topology_may_read(node->render_minor);
	if (ret)
		return ret;
	if (attr == &topology_attr_gpu_id)
		return sysfs_emit(buf, "%u\n", node->gpu_id);
	if (attr == &topology_attr_name)
		return sysfs_emit(buf, "%s\n", node->name);
	return topology_node_properties(node, buf);
}

static void topology_node_release(struct kobject *kobj)
{
	kfree(container_of(kobj, struct topology_node, kobj));
}

static struct attribute *topology_node_attrs[] = {
	&topology_attr_gpu_id,
	&topology_attr_name,
	&topology_attr_properties,
	NULL
};
ATTRIBUTE_GROUPS(topology_node);

static const struct sysfs_ops topology_node_ops = { .show = topology_node_show };

static struct kobj_type topology_node_type = {
	.release = topology_node_release,
	.sysfs_ops = &topology_node_ops,
	.default_groups = topology_node_groups,
};

/* topology/ */

static struct attribute topology_attr_generation = { .name = "generation_id", .mode = 0444 };
static struct attribute topology_attr_system = { .name = "system_properties", .mode = 0444 };

static ssize_t topology_system_show(struct kobject *kobj, struct attribute *attr, char *buf)
{
	struct topology_system *sys = container_of(kobj, struct topology_system, kobj);

	if (attr == &topology_attr_generation)
		return sysfs_emit(buf, "%u\n", topology_generation());
	return topology_props_format(TOPOLOGY_KIND_SYSTEM, &sys->props, buf, PAGE_SIZE);
}

static void topology_system_release(struct kobject *kobj)
{
	kfree(container_of(kobj, struct topology_system, kobj));
}

static struct attribute *topology_system_attrs[] = {
	&topology_attr_generation,
	&topology_attr_system,
	NULL
};
ATTRIBUTE_GROUPS(topology_system);

static const struct sysfs_ops topology_system_ops = { .show = topology_system_show };

static struct kobj_type topology_system_type = {
	.release = topology_system_release,
	.sysfs_ops = &topology_system_ops,
	.default_groups = topology_system_groups,
};

/**
 * topology_sysfs_init - make topology/ and nodes/
 * @parent: directory of the "kfd" device
 * @props: what system_properties shows
 *
 * Context: process.
 * Return: 0, -ENOMEM, or what sysfs says.
 */
int topology_sysfs_init(struct kobject *parent, const struct topology_system_props *props)
{
	struct topology_system *sys;
	int ret;

	sys = kzalloc(sizeof(*sys), GFP_KERNEL);
	if (!sys)
		return -ENOMEM;
	sys->props = *props;
	ret = kobject_init_and_add(&sys->kobj, &topology_system_type, parent, "topology");
	if (ret)
		goto err_put;
	sys->nodes = kobject_create_and_add("nodes", &sys->kobj);
	if (!sys->nodes) {
		ret = -ENOMEM;
		goto err_del;
	}
	topology_system = sys;
	return 0;

err_del:
	kobject_del(&sys->kobj);
err_put:
	kobject_put(&sys->kobj);
	return ret;
}

/**
 * topology_sysfs_fini - undo topology_sysfs_init(); all nodes have gone
 *
 * Context: process; topology_lock is not held, because a reader of generation_id
 * may wait for it.
 */
void topology_sysfs_fini(void)
{
	struct topology_system *sys = topology_system;

	topology_system = NULL;
	kobject_del(sys->nodes);
	kobject_put(sys->nodes);
	kobject_del(&sys->kobj);
	kobject_put(&sys->kobj);
}

/**
 * topology_sysfs_node_init - give a zeroed node its kobject
 * @node: from now on freed by kobject_put()
 */
void topology_sysfs_node_init(struct topology_node *node)
{
	kobject_init(&node->kobj, &topology_node_type);
}

/**
 * topology_sysfs_record_init - give a zeroed record its kobject
 * @rec: from now on freed by kobject_put()
 */
void topology_sysfs_record_init(struct topology_record *rec)
{
	kobject_init(&rec->kobj, &topology_record_type);
}

/**
 * topology_sysfs_add_record - make the directory of a record
 * @node: owner, its directories exist
 * @dir: which of them
 * @rec: record
 * @index: number of the directory
 *
 * Context: process, topology_lock held.
 * Return: 0 or what sysfs says.
 */
int topology_sysfs_add_record(struct topology_node *node, enum topology_dir dir,
			      struct topology_record *rec, unsigned int index)
{
	return kobject_add(&rec->kobj, node->dirs[dir], "%u", index);
}

/**
 * topology_sysfs_del_record - remove the directory of a record, if it has one
 * @rec: record
 *
 * Waits for readers of its file.
 *
 * Context: process, topology_lock held.
 */
void topology_sysfs_del_record(struct topology_record *rec)
{
	if (rec->kobj.state_in_sysfs)
		kobject_del(&rec->kobj);
}

static int topology_sysfs_add_dir(struct topology_node *node, enum topology_dir dir)
{
	struct topology_record *rec;
	unsigned int index = 0;
	int ret;

	node->dirs[dir] = kobject_create_and_add(topology_dir_names[dir], &node->kobj);
	if (!node->dirs[dir])
		return -ENOMEM;
	list_for_each_entry(rec, &node->records[dir], list) {
		ret = topology_sysfs_add_record(node, dir, rec, index++);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * topology_sysfs_add_node - make the directories of a node and of its records
 * @node: node with its number
 *
 * Context: process, topology_lock held.
 * Return: 0, -ENOMEM, or what sysfs says; nothing is left on error.
 */
int topology_sysfs_add_node(struct topology_node *node)
{
	enum topology_dir dir;
	int ret;

	lockdep_assert_held(&topology_lock);
	ret = kobject_add(&node->kobj, topology_system->nodes, "%u", node->index);
	if (ret)
		return ret;
	for (dir = 0; dir < TOPOLOGY_DIRS && !ret; dir++)
		ret = topology_sysfs_add_dir(node, dir);
	if (ret)
		topology_sysfs_del_node(node);
	return ret;
}

/**
 * topology_sysfs_del_node - remove the directories of a node
 * @node: node
 *
 * Waits for readers of its files.
 *
 * Context: process, topology_lock held.
 */
void topology_sysfs_del_node(struct topology_node *node)
{
	struct topology_record *rec;
	enum topology_dir dir;

	lockdep_assert_held(&topology_lock);
	for (dir = 0; dir < TOPOLOGY_DIRS; dir++) {
		list_for_each_entry(rec, &node->records[dir], list)
			topology_sysfs_del_record(rec);
		if (!node->dirs[dir])
			continue;
		kobject_del(node->dirs[dir]);
		kobject_put(node->dirs[dir]);
		node->dirs[dir] = NULL;
	}
	kobject_del(&node->kobj);
}

/**
 * topology_sysfs_rename - give a directory another number
 * @kobj: of a node or a record
 * @index: new number, free
 *
 * Context: process, topology_lock held.
 */
void topology_sysfs_rename(struct kobject *kobj, unsigned int index)
{
	char name[12];
	int ret;

	snprintf(name, sizeof(name), "%u", index);
	ret = kobject_rename(kobj, name);
	if (ret)
		pr_err("carillon: topology directory %s keeps its number: %d\n",
		       kobject_name(kobj), ret);
}
