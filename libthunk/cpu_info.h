/* SPDX-License-Identifier: MIT */
#ifndef CPU_INFO_H
#define CPU_INFO_H

#include <stdint.h>

#include "hsakmt/hsakmttypes.h"

/**
 * DOC: what the KFD does not say about CPUs
 *
 * A CPU node's model name comes from /proc/cpuinfo, and where the KFD lists no
 * caches for it they come from the CPUs' own sysfs folders. A cache that several
 * CPUs share is listed once, by its first sharer, with all sharers in the map;
 * ids are APIC ids, as in the node's CComputeIdLo. Sizes are KiB, as in KFD's own
 * files. Data that is missing makes an entry or the list empty, never an error.
 */

/**
 * struct cpu_entry - one processor of /proc/cpuinfo
 * @processor: its number
 * @apicid: its APIC id; the number where none is given
 * @model: model name, cut to what a node's name holds
 */
struct cpu_entry {
	uint32_t processor;
	uint32_t apicid;
	char model[HSA_PUBLIC_NAME_SIZE];
};

/**
 * struct cpu_table - all of /proc/cpuinfo, by processor number
 * @entries: the processors
 * @count: how many
 */
struct cpu_table {
	struct cpu_entry *entries;
	uint32_t count;
};

/* Take the text of /proc/cpuinfo apart. Return: 0 or a negative errno. */
int cpu_table_parse(struct cpu_table *table, const char *text);
/* Parse @path. Return: 0 or a negative errno; an unreadable file is an empty table. */
int cpu_table_read(struct cpu_table *table, const char *path);
void cpu_table_free(struct cpu_table *table);

const struct cpu_entry *cpu_table_by_processor(const struct cpu_table *table, uint32_t processor);
const struct cpu_entry *cpu_table_by_apicid(const struct cpu_table *table, uint32_t apicid);

/**
 * cpu_caches_read() - caches of the CPUs of one NUMA node
 * @root: prefix of /sys
 * @node: NUMA node; without NUMA folders node 0 is all CPUs
 * @cpus: the processors
 * @caches: out: the list, to be freed by the caller; NULL when empty
 *
 * Return: how many, or -ENOMEM.
 */
int cpu_caches_read(const char *root, uint32_t node, const struct cpu_table *cpus,
		    HsaCacheProperties **caches);

#endif
