// SPDX-License-Identifier: MIT
/**
 * DOC: libFuzzer target: the thunk's readers of sysfs
 *
 * The text goes to every parser of properties, and through a file to the readers of
 * numbers, words and sizes.
 */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "node_props.h"
#include "sysfs_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void parse(const char *text, size_t len)
{
	HsaMemoryProperties bank = { 0 };
	HsaIoLinkProperties link = { 0 };
	HsaSystemProperties system = { 0 };
	HsaCacheProperties cache = { 0 };
	HsaNodeProperties node = { 0 };
	struct node_links links = { 0 };
	const char *cursor = text;
	struct sysfs_pair pair;

	while (sysfs_next_pair(&cursor, &pair)) {
		assert(pair.name >= text && pair.text + pair.text_len <= text + len);
		assert(cursor <= text + len);
	}
	node_props_parse(text, &node, &links);
	node_props_apply_gfx(&node, node_props_gfx_version(text));
	bank_props_parse(text, &bank);
	cache_props_parse(text, &cache);
	link_props_parse(text, &link);
	system_props_parse(text, &system);
}

/* Each reader on the whole file; what it returns fits what it was given. */
static void read_file(const char *path)
{
	char word[32], text[256], *whole = NULL;
	uint64_t number = 0x5a;
	uint32_t kib = 0x5a;
	int len;

	memset(word, 'w', sizeof(word));
	if (!sysfs_read_word(path, word, sizeof(word)))
		assert(strnlen(word, sizeof(word)) < sizeof(word));
	if (sysfs_read_u64(path, &number))
		assert(number == 0x5a);
	if (sysfs_read_size_kib(path, &kib))
		assert(kib == 0x5a);
	len = sysfs_read_text(path, text, sizeof(text));
	assert(len < (int)sizeof(text) && (len < 0 || !text[len]));
	if (!sysfs_read_whole(path, 2048, &whole))
		assert(whole && strlen(whole) <= 2048);
	free(whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char path[64];
	static int fd = -1;
	char *text;

	if (fd < 0) {
		fd = memfd_create("sysfs", 0);
		assert(fd >= 0);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	/* A property file is text: what is behind a zero byte is not seen. */
	text = malloc(size + 1);
	memcpy(text, data, size);
	text[size] = 0;
	parse(text, strlen(text));
	free(text);
	if (!ftruncate(fd, 0) && pwrite(fd, data, size, 0) == (ssize_t)size)
		read_file(path);
	return 0;
}
