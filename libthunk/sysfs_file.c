// SPDX-License-Identifier: MIT
/* DOC: the files and folders themselves; sysfs_reader.h has the rules. */
#include "sysfs_reader.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More entries than this in one directory are a broken tree. */
#define LIST_LIMIT	65536

/* A file of many records starts with so much room. */
#define WHOLE_FIRST	(64 * 1024)

static ssize_t read_once(int fd, char *buf, size_t size)
{
	ssize_t len;

	do
		len = read(fd, buf, size);
	while (len < 0 && errno == EINTR);
	return len < 0 ? -errno : len;
}

/* sysfs hands an attribute out in one read. */
int sysfs_read_text(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len;

	if (fd < 0)
		return -errno;
	len = read_once(fd, buf, size);
	close(fd);
	if (len == (ssize_t)size)
		return -EFBIG;
	if (len >= 0)
		buf[len] = '\0';
	return (int)len;
}

/* Read up to the end, which only an empty read shows. Return: length. */
static ssize_t read_rest(int fd, char **text, size_t limit)
{
	size_t room = WHOLE_FIRST;
	size_t used = 0;
	ssize_t len;

	do {
		char *grown = realloc(*text, room);

		if (!grown)
			return -ENOMEM;
		*text = grown;
		len = read_once(fd, grown + used, room - used);
		if (len > 0)
			used += (size_t)len;
		if (used == room)
			room *= 2;
	} while (len > 0 && used <= limit);
	if (len > 0)
		return -EFBIG;
	return len < 0 ? len : (ssize_t)used;
}

int sysfs_read_whole(const char *path, size_t limit, char **text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *read = NULL;
	ssize_t len;

	if (fd < 0)
		return -errno;
	len = read_rest(fd, &read, limit);
	close(fd);
	if (len < 0) {
		free(read);
		return (int)len;
	}
	/* there is room: a full buffer was grown */
	read[len] = '\0';
	*text = read;
	return 0;
}

static int compare_u32(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a;
	uint32_t y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Whether @name is @prefix and a number. */
static bool entry_number(const char *name, const char *prefix, uint32_t *id)
{
	size_t skip = strlen(prefix);
	unsigned long number;
	char *end;

	if (strncmp(name, prefix, skip) || !isdigit((unsigned char)name[skip]))
		return false;
	errno = 0;
	number = strtoul(name + skip, &end, 10);
	if (errno || *end || number > UINT32_MAX)
		return false;
	*id = (uint32_t)number;
	return true;
}

static int append_id(uint32_t **ids, int count, uint32_t id)
{
	uint32_t *grown;

	/* Room doubles at each power of two. */
	if (!(count & (count - 1))) {
		grown = realloc(*ids, sizeof(**ids) * (count ? 2 * (size_t)count : 1));
		if (!grown)
			return -ENOMEM;
		*ids = grown;
	}
	(*ids)[count] = id;
	return 0;
}

static int collect(DIR *dir, const char *prefix, uint32_t **ids)
{
	const struct dirent *entry;
	int count = 0;
	uint32_t id;
	int err;

	for (;;) {
		errno = 0;
		entry = readdir(dir);
		if (!entry)
			return errno ? -errno : count;
		if (!entry_number(entry->d_name, prefix, &id))
			continue;
		if (count == LIST_LIMIT)
			return -EFBIG;
		err = append_id(ids, count, id);
		if (err)
			return err;
		count++;
	}
}

int sysfs_list(const char *dir, const char *prefix, uint32_t **ids)
{
	uint32_t *found = NULL;
	DIR *handle = opendir(dir);
	int count;

	if (!handle)
		return -errno;
	count = collect(handle, prefix, &found);
	closedir(handle);
	if (count < 0) {
		free(found);
		return count;
	}
	if (found)
		qsort(found, (size_t)count, sizeof(*found), compare_u32);
	*ids = found;
	return count;
}
