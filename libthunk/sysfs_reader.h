/* SPDX-License-Identifier: MIT */
#ifndef SYSFS_READER_H
#define SYSFS_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "thunk_util.h"

/**
 * DOC: small text files
 *
 * Bounded reads of sysfs and procfs files: one number, one word, or lines of
 * "name value". A file longer than the buffer is an error, never a cut value.
 * All return a negative errno on failure and touch their output only on success.
 */

/* Room for any sysfs attribute (a page, of 64 KiB at most) and its terminator. */
#define SYSFS_TEXT_SIZE		(64 * 1024 + 1)
#define SYSFS_PATH_SIZE		512

/**
 * struct sysfs_pair - a line of "name value"
 * @name: start of the name, not terminated
 * @name_len: its length
 * @text: what follows the name, up to the end of the line, not terminated
 * @text_len: its length
 * @value: the number at the start of @text
 */
struct sysfs_pair {
	const char *name;
	size_t name_len;
	const char *text;
	size_t text_len;
	uint64_t value;
};

/* Read all of @path, which has one record, into @buf and terminate it. Return: length. */
int sysfs_read_text(const char *path, char *buf, size_t size);
/* Read all of @path, at most @limit bytes; @text is the caller's to free. Return: 0. */
int sysfs_read_whole(const char *path, size_t limit, char **text);
/* A file that starts with a decimal number. */
int sysfs_read_u64(const char *path, uint64_t *value);
/* A file that holds one word. */
int sysfs_read_word(const char *path, char *buf, size_t size);
/* "32K", "8192K", "1M": the size in KiB; a bare number counts bytes. */
int sysfs_read_size_kib(const char *path, uint32_t *kib);

/* Step to the next line that has a name and a number. */
bool sysfs_next_pair(const char **cursor, struct sysfs_pair *pair);
bool sysfs_pair_is(const struct sysfs_pair *pair, const char *name);

/**
 * sysfs_list() - numbers of a directory's entries
 * @dir: the directory
 * @prefix: what stands before the number ("cpu", "index", "")
 * @ids: out: the numbers in ascending order, to be freed by the caller
 *
 * Entries that are not @prefix and a number are passed over.
 *
 * Return: how many, or a negative errno.
 */
int sysfs_list(const char *dir, const char *prefix, uint32_t **ids);

/* snprintf() for paths. Return: 0 or -ENAMETOOLONG. */
int __printf(2, 3) sysfs_path(char *path, const char *fmt, ...);

#endif
