// SPDX-License-Identifier: MIT
/* DOC: what small text files say; sysfs_reader.h has the rules. */
#include "sysfs_reader.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sysfs_path(char *path, const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(path, SYSFS_PATH_SIZE, fmt, args);
	va_end(args);
	return len < 0 || len >= SYSFS_PATH_SIZE ? -ENAMETOOLONG : 0;
}

int sysfs_read_u64(const char *path, uint64_t *value)
{
	char text[64];
	char *end;
	int len = sysfs_read_text(path, text, sizeof(text));
	uint64_t number;

	if (len < 0)
		return len;
	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno)
		return -errno;
	*value = number;
	return 0;
}

int sysfs_read_word(const char *path, char *buf, size_t size)
{
	int len = sysfs_read_text(path, buf, size);

	if (len < 0)
		return len;
	buf[strcspn(buf, " \t\n")] = '\0';
	return 0;
}

int sysfs_read_size_kib(const char *path, uint32_t *kib)
{
	char text[64];
	char *end;
	int len = sysfs_read_text(path, text, sizeof(text));
	uint64_t number;

	if (len < 0)
		return len;
	number = strtoull(text, &end, 10);
	if (end == text || number > UINT32_MAX)
		return -EINVAL;
	if (*end == 'M')
		number <<= 10;
	else if (*end == 'G')
		number <<= 20;
	else if (*end != 'K')
		number >>= 10;
	if (number > UINT32_MAX)
		return -ERANGE;
	*kib = (uint32_t)number;
	return 0;
}

/* Take the line at *cursor apart. Return: whether it was a pair. */
static bool parse_pair(const char *line, size_t len, struct sysfs_pair *pair)
{
	const char *space = memchr(line, ' ', len);
	char *end;

	if (!space || space == line)
		return false;
	pair->name = line;
	pair->name_len = (size_t)(space - line);
	pair->text = space + 1;
	pair->text_len = len - pair->name_len - 1;
	if (!pair->text_len || !isdigit((unsigned char)*pair->text))
		return false;
	pair->value = strtoull(pair->text, &end, 10);
	return true;
}

bool sysfs_next_pair(const char **cursor, struct sysfs_pair *pair)
{
	while (**cursor) {
		const char *line = *cursor;
		size_t len = strcspn(line, "\n");

		*cursor = line + len + (line[len] == '\n');
		if (parse_pair(line, len, pair))
			return true;
	}
	return false;
}

bool sysfs_pair_is(const struct sysfs_pair *pair, const char *name)
{
	return strlen(name) == pair->name_len && !memcmp(name, pair->name, pair->name_len);
}
