// SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note OR MIT
/*
 * ABI test: uapi/ against the public header of the kernel's source.  Proves the
 * header's part of S0.40.  Runs on the host, needs no driver, prints TAP.
 *
 * Three objects, see abi_facts.c: abi_facts with our headers, abi_facts with the
 * kernel's, and this one, which sees neither.  Without the second the test skips.
 * ABI_KERNEL_TEXT is the path of the kernel's kfd_ioctl.h (and ABI_KERNEL_SYSFS_TEXT
 * that of its kfd_sysfs.h): they are also read as text, so that a name which the
 * list lacks is found.
 *
 * Rule: same names, numbers, offsets, member sizes and constants; a structure may
 * be larger than the kernel's, and so may the size encoded in a command, the minor
 * version and the end of the commands.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi_facts.h"

#ifndef ABI_KERNEL_TEXT
#define ABI_KERNEL_TEXT ""
#endif
#ifndef ABI_KERNEL_SYSFS_TEXT
#define ABI_KERNEL_SYSFS_TEXT ""
#endif

/* Bits of an ioctl number that hold the size of its argument. */
#define CMD_SIZE_MASK	0x3fff0000ULL

static unsigned int tests, failures;

static void report(bool ok, const char *name)
{
	tests++;
	failures += !ok;
	printf("%sok %u - %s\n", ok ? "" : "not ", tests, name);
}

static bool has_prefix(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

static const struct abi_fact *find(const struct abi_facts *facts, const char *name)
{
	unsigned int i;

	for (i = 0; i < facts->count; i++)
		if (!strcmp(facts->fact[i].name, name))
			return &facts->fact[i];
	return NULL;
}

static bool same_command(unsigned long long ours, unsigned long long theirs)
{
	return (ours & ~CMD_SIZE_MASK) == (theirs & ~CMD_SIZE_MASK) &&
	       (ours & CMD_SIZE_MASK) >= (theirs & CMD_SIZE_MASK);
}

static bool agrees(const struct abi_fact *ours, const struct abi_fact *theirs)
{
	if (ours->kind == ABI_STRUCT)
		return ours->value >= theirs->value;
	if (ours->kind == ABI_CONST && has_prefix(ours->name, "AMDKFD_IOC_"))
		return same_command(ours->value, theirs->value);
	if (!strcmp(ours->name, "KFD_IOCTL_MINOR_VERSION") ||
	    !strcmp(ours->name, "AMDKFD_COMMAND_END"))
		return ours->value >= theirs->value;
	return ours->value == theirs->value && ours->size == theirs->size;
}

/* One TAP line a kind; what differs is named in comments. */
static void test_kind(enum abi_kind kind, const char *what)
{
	const struct abi_facts *ours = &abi_facts_ours;
	unsigned int i, bad = 0, seen = 0;
	char line[80];

	for (i = 0; i < ours->count; i++) {
		const struct abi_fact *mine = &ours->fact[i], *theirs;

		if (mine->kind != kind)
			continue;
		seen++;
		theirs = find(&abi_facts_kernel, mine->name);
		if (theirs && agrees(mine, theirs))
			continue;
		bad++;
		printf("# %s: ours %#llx (%llu), kernel's %#llx (%llu)\n", mine->name, mine->value,
		       mine->size, theirs ? theirs->value : 0, theirs ? theirs->size : 0);
	}
	snprintf(line, sizeof(line), "%u %s agree (S0.40)", seen, what);
	report(!bad && seen, line);
}

/* The whole file without comments, or NULL. */
static char *read_text(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text, *in, *out;
	size_t len;

	if (!f)
		return NULL;
	text = calloc(1, 1 << 20);
	len = text ? fread(text, 1, (1 << 20) - 1, f) : 0;
	fclose(f);
	if (!len) {
		free(text);
		return NULL;
	}
	for (in = out = text; *in;) {
		char *end = has_prefix(in, "/*") ? strstr(in + 2, "*/") : NULL;

		if (end)
			in = end + 2;
		else
			*out++ = *in++;
	}
	*out = '\0';
	return text;
}

static size_t word_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

static bool known(const char *word, size_t len)
{
	char name[128];

	if (len >= sizeof(name))
		return false;
	memcpy(name, word, len);
	name[len] = '\0';
	return find(&abi_facts_ours, name);
}

/* Words that a header of this family defines and nobody else does. */
static bool is_abi_name(const char *w)
{
	static const char *const prefixes[] = {
		"KFD_", "AMDKFD_", "HSA_", "MAX_ALLOWED_", "NUM_OF_SUPPORTED", "kfd_",
	};
	unsigned int i;

	for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (has_prefix(w, prefixes[i]))
			return true;
	return false;
}

static bool preceded_by(const char *text, const char *word, const char *what)
{
	size_t len = strlen(what);

	while (word > text && isspace((unsigned char)word[-1]))
		word--;
	return (size_t)(word - text) >= len && !strncmp(word - len, what, len);
}

/* Tags of enums, include guards, and kfd_ words that name no structure (members). */
static bool is_exempt(const char *text, const char *word, size_t len)
{
	static const char guard[] = "_INCLUDED";

	if (preceded_by(text, word, "enum"))
		return true;
	if (len > sizeof(guard) && has_prefix(word + len - sizeof(guard) + 1, guard))
		return true;
	return has_prefix(word, "kfd_") && !preceded_by(text, word, "struct");
}

/* Names in the text that the list lacks. */
static unsigned int count_unknown(const char *text)
{
	unsigned int unknown = 0;
	const char *p = text;

	while (*p) {
		size_t len = word_length(p);

		if (!len) {
			p++;
			continue;
		}
		if (is_abi_name(p) && !known(p, len) && !is_exempt(text, p, len)) {
			printf("# not in abi_names.h: %.*s\n", (int)len, p);
			unknown++;
		}
		p += len;
	}
	return unknown;
}

static void test_complete(const char *path)
{
	char *text = read_text(path);
	char line[512];

	if (!text) {
		tests++;
		printf("ok %u - every name is compared # SKIP no text at '%s'\n", tests, path);
		return;
	}
	snprintf(line, sizeof(line), "every name is compared: %s", strrchr(path, '/') + 1);
	report(!count_unknown(text), line);
	free(text);
}

int main(void)
{
	printf("TAP version 13\n");
	if (!&abi_facts_kernel) {
		printf("1..0 # SKIP built without the kernel's kfd_ioctl.h\n");
		return 0;
	}
	test_kind(ABI_STRUCT, "structures (size not smaller)");
	test_kind(ABI_MEMBER, "member offsets and sizes");
	test_kind(ABI_CONST, "constants and command numbers");
	test_kind(ABI_MACRO, "macros");
	test_complete(ABI_KERNEL_TEXT);
	test_complete(ABI_KERNEL_SYSFS_TEXT);
	printf("1..%u\n", tests);
	return failures ? 1 : 0;
}
