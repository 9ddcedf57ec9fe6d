// SPDX-License-Identifier: MIT
/* DOC: what the KFD does not say about CPUs; see cpu_info.h. */
#include "cpu_info.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sysfs_reader.h"
#include "thunk_log.h"

/* Caches of one CPU, entries of one node: more is a broken tree. */
#define INDEX_LIMIT	64
#define CACHE_LIMIT	65536

/* Processors, and bytes that describe them: four times what Linux can have. */
#define CPU_LIMIT	32768
#define CPUINFO_LIMIT	(64 << 20)

/* ---- /proc/cpuinfo ---------------------------------------------------- */

static struct cpu_entry *cpu_table_add(struct cpu_table *table, uint32_t processor)
{
	struct cpu_entry *entry;
	uint32_t room = table->count ? 2 * table->count : 1;

	/* Room doubles at each power of two. */
	if (!(table->count & (table->count - 1))) {
		entry = realloc(table->entries, sizeof(*entry) * room);
		if (!entry)
			return NULL;
		table->entries = entry;
	}
	entry = &table->entries[table->count++];
	memset(entry, 0, sizeof(*entry));
	entry->processor = processor;
	entry->apicid = processor;
	return entry;
}

/* The value of a line "key<blanks>: value", or NULL when it has another key. */
static const char *line_value(const char *line, const char *key)
{
	size_t len = strlen(key);
	const char *text = line + len;

	if (strncmp(line, key, len))
		return NULL;
	text += strspn(text, " \t");
	if (*text != ':')
		return NULL;
	text++;
	return text + strspn(text, " ");
}

static int cpu_table_line(struct cpu_table *table, const char *line)
{
	struct cpu_entry *last = table->count ? &table->entries[table->count - 1] : NULL;
	const char *value = line_value(line, "processor");

	if (value) {
		if (table->count == CPU_LIMIT)
			return -EFBIG;
		return cpu_table_add(table, (uint32_t)strtoul(value, NULL, 10)) ? 0 : -ENOMEM;
	}
	if (!last)
		return 0;
	value = line_value(line, "apicid");
	if (value)
		last->apicid = (uint32_t)strtoul(value, NULL, 10);
	value = line_value(line, "model name");
	if (value)
		snprintf(last->model, sizeof(last->model), "%.*s", (int)strcspn(value, "\n"),
			 value);
	return 0;
}

static int compare_processors(const void *a, const void *b)
{
	const struct cpu_entry *x = a;
	const struct cpu_entry *y = b;

	return x->processor < y->processor ? -1 : x->processor > y->processor;
}

int cpu_table_parse(struct cpu_table *table, const char *text)
{
	int err = 0;

	memset(table, 0, sizeof(*table));
	while (!err && *text) {
		err = cpu_table_line(table, text);
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	if (err)
		cpu_table_free(table);
	else if (table->count)
		qsort(table->entries, table->count, sizeof(*table->entries), compare_processors);
	return err;
}

int cpu_table_read(struct cpu_table *table, const char *path)
{
	char *text;
	int err = sysfs_read_whole(path, CPUINFO_LIMIT, &text);

	memset(table, 0, sizeof(*table));
	if (err == -ENOMEM)
		return err;
	if (err) {
		thunk_warn("%s cannot be read: CPUs have no names: %s", path, strerror(-err));
		return 0;
	}
	err = cpu_table_parse(table, text);
	free(text);
	return err;
}

void cpu_table_free(struct cpu_table *table)
{
	free(table->entries);
	memset(table, 0, sizeof(*table));
}

const struct cpu_entry *cpu_table_by_processor(const struct cpu_table *table, uint32_t processor)
{
	const struct cpu_entry key = { .processor = processor };

	if (!table->count)
		return NULL;
	return bsearch(&key, table->entries, table->count, sizeof(key), compare_processors);
}

const struct cpu_entry *cpu_table_by_apicid(const struct cpu_table *table, uint32_t apicid)
{
	uint32_t i;

	for (i = 0; i < table->count; i++)
		if (table->entries[i].apicid == apicid)
			return &table->entries[i];
	return NULL;
}

/* ---- cache folders ---------------------------------------------------- */

/**
 * struct cache_list - caches found so far
 * @caches: the array
 * @count: used
 * @room: allocated
 */
struct cache_list {
	HsaCacheProperties *caches;
	uint32_t count;
	uint32_t room;
};

static uint32_t apicid_of(const struct cpu_table *cpus, uint32_t processor)
{
	const struct cpu_entry *cpu = cpu_table_by_processor(cpus, processor);

	return cpu ? cpu->apicid : processor;
}

static void mark_sharers(HsaCacheProperties *cache, const struct cpu_table *cpus,
			 unsigned long from, unsigned long to)
{
	for (; from <= to; from++) {
		uint32_t apicid = apicid_of(cpus, (uint32_t)from);

		if (apicid < HSA_CPU_SIBLINGS)
			cache->SiblingMap[apicid] = 1;
	}
}

/*
 * Take a list such as "0-3,8" over. Only its first member does: all others list
 * the same cache again. Return: whether @cpu is the first.
 */
static bool read_sharers(const char *text, uint32_t cpu, const struct cpu_table *cpus,
			 HsaCacheProperties *cache)
{
	unsigned long room = CPU_LIMIT;

	if (!isdigit((unsigned char)*text) || strtoul(text, NULL, 10) != cpu)
		return false;
	while (isdigit((unsigned char)*text)) {
		char *end;
		unsigned long from = strtoul(text, &end, 10);
		unsigned long to = from;

		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		if (to < from || to - from >= room)
			return false;
		room -= to - from + 1;
		mark_sharers(cache, cpus, from, to);
		text = *end == ',' ? end + 1 : end;
	}
	return true;
}

static uint32_t read_attr(const char *dir, const char *name)
{
	char path[SYSFS_PATH_SIZE];
	uint64_t value = 0;

	if (!sysfs_path(path, "%s/%s", dir, name))
		sysfs_read_u64(path, &value);
	return (uint32_t)value;
}

static HSAuint32 read_type(const char *dir)
{
	HsaCacheType type = { .Value = 0 };
	char path[SYSFS_PATH_SIZE];
	char word[32];

	if (sysfs_path(path, "%s/type", dir) || sysfs_read_word(path, word, sizeof(word)))
		return 0;
	type.ui32.Data = !strcmp(word, "Data") || !strcmp(word, "Unified");
	type.ui32.Instruction = !strcmp(word, "Instruction") || !strcmp(word, "Unified");
	type.ui32.CPU = 1;
	return type.Value;
}

/* Fill one cache. Return: whether @cpu lists it: it is complete and first there. */
static bool read_cache(const char *dir, uint32_t cpu, const struct cpu_table *cpus,
		       HsaCacheProperties *cache)
{
	char path[SYSFS_PATH_SIZE];
	char sharers[4096];

	memset(cache, 0, sizeof(*cache));
	if (sysfs_path(path, "%s/shared_cpu_list", dir) ||
	    sysfs_read_word(path, sharers, sizeof(sharers)))
		return false;
	if (!read_sharers(sharers, cpu, cpus, cache))
		return false;
	if (sysfs_path(path, "%s/size", dir) || sysfs_read_size_kib(path, &cache->CacheSize))
		return false;
	cache->ProcessorIdLow = apicid_of(cpus, cpu);
	cache->CacheLevel = read_attr(dir, "level");
	cache->CacheType.Value = read_type(dir);
	cache->CacheLineSize = read_attr(dir, "coherency_line_size");
	cache->CacheAssociativity = read_attr(dir, "ways_of_associativity");
	cache->CacheLinesPerTag = read_attr(dir, "physical_line_partition");
	/* level 0 makes runtimes index out of their tables */
	return cache->CacheLevel && cache->CacheType.Value;
}

static HsaCacheProperties *next_slot(struct cache_list *list)
{
	HsaCacheProperties *grown;
	uint32_t room = list->room ? 2 * list->room : 16;

	if (list->count < list->room)
		return &list->caches[list->count];
	if (room > CACHE_LIMIT)
		return NULL;
	grown = realloc(list->caches, sizeof(*grown) * room);
	if (!grown)
		return NULL;
	list->caches = grown;
	list->room = room;
	return &grown[list->count];
}

static int read_cpu(const char *cpus_dir, uint32_t cpu, const struct cpu_table *cpus,
		    struct cache_list *list)
{
	char dir[SYSFS_PATH_SIZE];
	uint32_t *ids = NULL;
	int err = 0;
	int count;
	int i;

	if (sysfs_path(dir, "%s/cpu%u/cache", cpus_dir, cpu))
		return 0;
	count = sysfs_list(dir, "index", &ids);
	if (count == -ENOMEM)
		return count;
	for (i = 0; i < count && i < INDEX_LIMIT; i++) {
		HsaCacheProperties *cache = next_slot(list);

		if (!cache) {
			err = -ENOMEM;
			break;
		}
		if (!sysfs_path(dir, "%s/cpu%u/cache/index%u", cpus_dir, cpu, ids[i]) &&
		    read_cache(dir, cpu, cpus, cache))
			list->count++;
	}
	free(ids);
	return err;
}

/* The node's CPUs; without a node folder, node 0 has them all. */
static int list_cpus(const char *root, uint32_t node, char *dir, uint32_t **ids)
{
	int count;

	if (sysfs_path(dir, "%s/sys/devices/system/node/node%u", root, node))
		return 0;
	count = sysfs_list(dir, "cpu", ids);
	if (count > 0 || count == -ENOMEM || node)
		return count;
	free(*ids);
	*ids = NULL;
	if (sysfs_path(dir, "%s/sys/devices/system/cpu", root))
		return 0;
	return sysfs_list(dir, "cpu", ids);
}

int cpu_caches_read(const char *root, uint32_t node, const struct cpu_table *cpus,
		    HsaCacheProperties **caches)
{
	struct cache_list list = { 0 };
	char dir[SYSFS_PATH_SIZE];
	uint32_t *ids = NULL;
	int count = list_cpus(root, node, dir, &ids);
	int err = count == -ENOMEM ? count : 0;
	int i;

	for (i = 0; i < count && !err; i++)
		err = read_cpu(dir, ids[i], cpus, &list);
	free(ids);
	if (err) {
		free(list.caches);
		return err;
	}
	if (!list.count) {
		free(list.caches);
		list.caches = NULL;
	}
	*caches = list.caches;
	return (int)list.count;
}
