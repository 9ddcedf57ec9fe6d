// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: CPU nodes
 *
 * One node for each NUMA node that has CPUs, numbered by position, with the bank
 * of its memory, the caches of its CPUs and links to the other CPU nodes.
 *
 * The kernel's description of caches hangs off each CPU's device: a child named
 * "cache" whose children carry &struct cacheinfo.  A cache that several CPUs share
 * is listed once, for the first of them.  Sibling maps count APIC ids from that of
 * the first sharer, as the processor id does.
 *
 * Not followed: CPUs and memory that come or go after the module was loaded.
 * Memory of NUMA nodes without CPUs is not shown, as in upstream.
 */
#include <linux/acpi.h>
#include <linux/cacheinfo.h>
#include <linux/cpu.h>
#include <linux/dmi.h>
#include <linux/nodemask.h>
#include <linux/topology.h>

#include "../kfd_compat.h"
#include "topology_list.h"

/* SMBIOS memory device: offsets after the header, and the length that covers them. */
#define TOPOLOGY_DMI_WIDTH	0x6
#define TOPOLOGY_DMI_SPEED	0x11
#define TOPOLOGY_DMI_LENGTH	(sizeof(struct dmi_header) + 0x13)
#define TOPOLOGY_DMI_UNKNOWN	0xffff

static u32 topology_cache_type(enum cache_type type)
{
	switch (type) {
	case CACHE_TYPE_DATA:
		return TOPOLOGY_CACHE_CPU | TOPOLOGY_CACHE_DATA;
	case CACHE_TYPE_INST:
		return TOPOLOGY_CACHE_CPU | TOPOLOGY_CACHE_INST;
	case CACHE_TYPE_UNIFIED:
		return TOPOLOGY_CACHE_CPU | TOPOLOGY_CACHE_INST | TOPOLOGY_CACHE_DATA;
	default:
		return 0;
	}
}

static void topology_cpu_siblings(struct topology_cache_props *cache, const struct cpumask *sharers)
{
	unsigned int bits = 8 * cache->sibling_bytes;
	unsigned int cpu, at;

	for_each_cpu(cpu, sharers) {
		at = kfd_cpu_apicid(cpu) - cache->processor_id_low;
		if (at < bits)
			cache->sibling[at / 8] |= 1 << (at % 8);
	}
}

/**
 * struct topology_cpu_walk - where a walk over the caches of one CPU stands
 * @node: gets the records
 * @cpu: whose caches
 */
struct topology_cpu_walk {
	struct topology_node *node;
	unsigned int cpu;
};

/* One index directory of a CPU's cache device. */
static int topology_cpu_leaf(struct device *dev, void *data)
{
	const struct topology_cpu_walk *walk = data;
	const struct cacheinfo *leaf = dev_get_drvdata(dev);
	struct topology_record *rec;

	if (!leaf || !topology_cache_type(leaf->type) ||
	    cpumask_first(&leaf->shared_cpu_map) != walk->cpu)
		return 0;
	rec = topology_record_add(walk->node, TOPOLOGY_DIR_CACHE, TOPOLOGY_KIND_CACHE);
	if (!rec)
		return -ENOMEM;
	rec->cache.processor_id_low = kfd_cpu_apicid(walk->cpu);
	rec->cache.level = leaf->level;
	rec->cache.size = leaf->size / 1024;
	rec->cache.line_size = leaf->coherency_line_size;
	rec->cache.lines_per_tag = leaf->physical_line_partition;
	rec->cache.association = leaf->ways_of_associativity;
	rec->cache.type = topology_cache_type(leaf->type);
	/* What a CRAT of the firmware has room for. */
	rec->cache.sibling_bytes = 32;
	topology_cpu_siblings(&rec->cache, &leaf->shared_cpu_map);
	return 0;
}

/* The caller holds the CPU hotplug lock: a CPU that goes takes its cache devices with it. */
static int topology_cpu_caches(struct topology_node *node, unsigned int cpu)
{
	struct topology_cpu_walk walk = { .node = node, .cpu = cpu };
	struct device *dev = get_cpu_device(cpu);
	struct device *caches;
	int ret;

	caches = dev ? device_find_child_by_name(dev, "cache") : NULL;
	if (!caches)
		return 0;
	ret = device_for_each_child(caches, &walk, topology_cpu_leaf);
	put_device(caches);
	return ret;
}

/* Pages the kernel manages on a NUMA node; si_meminfo_node() is not exported. */
static u64 topology_cpu_memory(int numa)
{
	pg_data_t *pgdat = NODE_DATA(numa);
	u64 pages = 0;
	int zone;

	for (zone = 0; zone < MAX_NR_ZONES; zone++)
		pages += zone_managed_pages(&pgdat->node_zones[zone]);
	return pages << PAGE_SHIFT;
}

/* Width and clock of the last memory device that names them, as upstream shows. */
static void topology_cpu_dmi(const struct dmi_header *dm, void *data)
{
	const u8 *fields = (const u8 *)(dm + 1);
	struct topology_mem_props *mem = data;
	u16 width, speed;

	if (dm->type != DMI_ENTRY_MEM_DEVICE || dm->length < TOPOLOGY_DMI_LENGTH)
		return;
	width = get_unaligned_le16(fields + TOPOLOGY_DMI_WIDTH);
	speed = get_unaligned_le16(fields + TOPOLOGY_DMI_SPEED);
	if (width && width != TOPOLOGY_DMI_UNKNOWN)
		mem->width = width;
	if (speed)
		mem->mem_clk_max = speed;
}

static int topology_cpu_bank(struct topology_node *node)
{
	struct topology_record *rec;

	rec = topology_record_add(node, TOPOLOGY_DIR_MEM, TOPOLOGY_KIND_MEM);
	if (!rec)
		return -ENOMEM;
	rec->mem.heap_type = TOPOLOGY_HEAP_SYSTEM;
	rec->mem.size_in_bytes = topology_cpu_memory(node->numa);
	/* SMBIOS does not tell whose memory it describes; the first node gets it. */
	if (list_empty(&topology_nodes))
		dmi_walk(topology_cpu_dmi, &rec->mem);
	return 0;
}

static int topology_cpu_fill(struct topology_node *node, const struct cpumask *cpus)
{
	unsigned int cpu;
	int ret;

	node->props.cpu_cores_count = cpumask_weight(cpus);
	node->props.cpu_core_id_base = kfd_cpu_apicid(cpumask_first(cpus));
	ret = topology_cpu_bank(node);
	if (ret)
		return ret;
	for_each_cpu_and(cpu, cpus, cpu_online_mask) {
		ret = topology_cpu_caches(node, cpu);
		if (ret)
			return ret;
	}
	return 0;
}

static int topology_cpu_add_node_locked(int numa)
{
	struct topology_node *node;
	int ret;

	node = topology_node_alloc();
	if (!node)
		return -ENOMEM;
	node->numa = numa;
	ret = topology_cpu_fill(node, cpumask_of_node(numa));
	if (!ret)
		ret = topology_publish_locked(node);
	if (ret)
		topology_node_free(node);
	return ret;
}

static int topology_cpu_link_locked(struct topology_node *from, struct topology_node *to)
{
	struct topology_link_props link = {
		.type = kfd_cpu_is_amd() ? TOPOLOGY_LINK_HT : TOPOLOGY_LINK_QPI,
		.node_from = from->index,
		.node_to = to->index,
		.weight = node_distance(from->numa, to->numa),
	};

	return topology_link_add_locked(from, TOPOLOGY_DIR_LINK, &link);
}

/* Every CPU node links to every other. */
static int topology_cpu_links_locked(void)
{
	struct topology_node *from, *to;
	int ret;

	list_for_each_entry(from, &topology_nodes, list) {
		list_for_each_entry(to, &topology_nodes, list) {
			if (from == to)
				continue;
			ret = topology_cpu_link_locked(from, to);
			if (ret)
				return ret;
		}
	}
	return 0;
}

/**
 * topology_cpu_add - append the CPU nodes to the empty tree
 *
 * Context: process.
 * Return: 0, -ENODEV (no NUMA node has CPUs), -ENOMEM, or what sysfs says.
 */
int topology_cpu_add(void)
{
	int numa, ret = 0;

	cpus_read_lock();
	mutex_lock(&topology_lock);
	for_each_online_node(numa) {
		if (cpumask_empty(cpumask_of_node(numa)))
			continue;
		ret = topology_cpu_add_node_locked(numa);
		if (ret)
			break;
	}
	if (!ret && list_empty(&topology_nodes))
		ret = -ENODEV;
	if (!ret)
		ret = topology_cpu_links_locked();
	topology_changed_locked();
	mutex_unlock(&topology_lock);
	cpus_read_unlock();
	return ret;
}

#ifdef CONFIG_ACPI
static void system_from_acpi(struct topology_system_props *props)
{
	struct acpi_table_header *dsdt;

	if (acpi_disabled || ACPI_FAILURE(acpi_get_table(ACPI_SIG_DSDT, 0, &dsdt)))
		return;
	props->platform_oem = get_unaligned((u64 *)dsdt->oem_table_id);
	memcpy(&props->platform_id, dsdt->oem_id, ACPI_OEM_ID_SIZE);
	props->platform_rev = dsdt->revision;
	acpi_put_table(dsdt);
}
#else
static void system_from_acpi(struct topology_system_props *props)
{
}
#endif

/**
 * topology_cpu_system - what the firmware says of its maker
 * @props: result; zeros where there is no ACPI
 *
 * Context: process.
 */
void topology_cpu_system(struct topology_system_props *props)
{
	memset(props, 0, sizeof(*props));
	system_from_acpi(props);
}
