// SPDX-License-Identifier: MIT
/**
 * DOC: libFuzzer target: the thunk's picture of the topology
 *
 * The input is a whole tree of files in the form of the fixtures of libthunk/tests: a
 * line "=== path" starts a file. The library reads it through its own code down to
 * the two calls that touch files, which are answered from the input here. A picture
 * that is taken must be whole: counts have their arrays, links lead to nodes, every
 * string ends.
 */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "marketing_name.h"
#include "sysfs_reader.h"
#include "thunk_gpu.h"
#include "topology.h"

#define MARK		"=== "
#define MARK_LEN	4
#define LIST_ROOM	256

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input, ended by a zero byte. */
static const char *tree;

/* Step to the next file. Return: false at the end. */
static bool next_file(const char **cursor, const char **path, size_t *path_len, const char **text,
		      size_t *len)
{
	const char *line = *cursor;
	const char *end;

	if (strncmp(line, MARK, MARK_LEN))
		return false;
	*path = line + MARK_LEN;
	*path_len = strcspn(*path, "\n");
	*text = *path + *path_len + ((*path)[*path_len] == '\n');
	/* The file ends where a line starts with the mark. */
	end = *text;
	while (*end && strncmp(end, MARK, MARK_LEN)) {
		end += strcspn(end, "\n");
		end += *end == '\n';
	}
	*len = (size_t)(end - *text);
	*cursor = end;
	return true;
}

static bool find(const char *wanted, const char **text, size_t *len)
{
	const char *cursor = tree;
	const char *path;
	size_t path_len;

	/* the root is "" and paths start with a slash */
	while (next_file(&cursor, &path, &path_len, text, len))
		if (strlen(wanted + 1) == path_len && !memcmp(wanted + 1, path, path_len))
			return true;
	return false;
}

int sysfs_read_text(const char *path, char *buf, size_t size)
{
	const char *text;
	size_t len;

	assert(strlen(path) < SYSFS_PATH_SIZE);
	if (!find(path, &text, &len))
		return -ENOENT;
	if (len >= size)
		return -EFBIG;
	memcpy(buf, text, len);
	buf[len] = '\0';
	return (int)len;
}

int sysfs_read_whole(const char *path, size_t limit, char **whole)
{
	const char *text;
	size_t len;

	if (!find(path, &text, &len) || len > limit)
		return -ENOENT;
	*whole = malloc(len + 1);
	memcpy(*whole, text, len);
	(*whole)[len] = '\0';
	return 0;
}

/* The number of an entry of @dir, if the path leads there. */
static bool entry_of(const char *dir, const char *prefix, const char *path, size_t path_len,
		     uint32_t *id)
{
	size_t skip = strlen(dir + 1);
	char name[16] = "";
	size_t i;

	if (path_len <= skip + 1 || memcmp(path, dir + 1, skip) || path[skip] != '/')
		return false;
	path += skip + 1;
	path_len -= skip + 1;
	for (i = 0; i < path_len && i < sizeof(name) - 1 && path[i] != '/'; i++)
		name[i] = path[i];
	if (strncmp(name, prefix, strlen(prefix)) || !isdigit((unsigned char)name[strlen(prefix)]))
		return false;
	*id = (uint32_t)strtoul(name + strlen(prefix), NULL, 10);
	return true;
}

int sysfs_list(const char *dir, const char *prefix, uint32_t **ids)
{
	uint32_t *list = calloc(LIST_ROOM, sizeof(*list));
	const char *cursor = tree;
	const char *path, *text;
	size_t path_len, len;
	int count = 0;
	uint32_t id;

	while (count < LIST_ROOM && next_file(&cursor, &path, &path_len, &text, &len))
		if (entry_of(dir, prefix, path, path_len, &id) &&
		    (!count || list[count - 1] != id))
			list[count++] = id;
	if (!count) {
		free(list);
		return -ENOENT;
	}
	*ids = list;
	return count;
}

int thunk_render_open(int minor)
{
	return minor & 1 ? -ENOENT : minor;
}

void marketing_name(int render_fd, char *name, size_t size)
{
	(void)render_fd;
	memset(name, 'm', size);
	name[size - 1] = '\0';
}

static uint64_t read_node(const struct topology *topo, const struct topo_node *node)
{
	const HsaNodeProperties *props = &node->props;
	uint64_t sum = 0;
	uint32_t i;

	assert(memchr(props->AMDName, 0, sizeof(props->AMDName)));
	for (i = 0; i < HSA_PUBLIC_NAME_SIZE && props->MarketingName[i]; i++)
		;
	assert(i < HSA_PUBLIC_NAME_SIZE);
	for (i = 0; i < props->NumMemoryBanks; i++)
		sum += node->banks[i].SizeInBytes;
	for (i = 0; i < props->NumCaches; i++)
		sum += node->caches[i].CacheSize + node->caches[i].SiblingMap[255];
	for (i = 0; i < props->NumIOLinks; i++) {
		assert(&topo->nodes[node->links[i].NodeFrom] == node);
		assert(node->links[i].NodeTo < topo->system.NumNodes);
	}
	return sum;
}

static void read_picture(const struct topology *topo)
{
	uint64_t sum = 0;
	uint32_t i, cpu;

	assert(topo->system.NumNodes <= topo->sysfs_nodes);
	for (i = 0; i < topo->system.NumNodes; i++) {
		sum += read_node(topo, &topo->nodes[i]);
		if (topology_cpu_near(topo, i, &cpu))
			assert(cpu < topo->system.NumNodes && !topo->nodes[cpu].gpu_id);
	}
	/* Keeps the reads. */
	__asm__ volatile("" : : "r"(sum));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct topology *topo = NULL;
	char *copy = malloc(size + 1);

	memcpy(copy, data, size);
	copy[size] = '\0';
	tree = copy;
	if (!topology_take("", &topo))
		read_picture(topo);
	else
		assert(!topo);
	topology_free(topo);
	free(copy);
	return 0;
}
