// SPDX-License-Identifier: MIT
/* DOC: calls of libc that fail; fault_inject.h has the words. */
#include "fault_inject.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static atomic_uint left;
static const char *open_end;
static int open_errno;
static const char *watched_end;
static void (*watcher)(const char *path);

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
int __real_open(const char *path, int flags, ...);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
int __wrap_open(const char *path, int flags, ...);

void fail_alloc(unsigned int nth)
{
	atomic_store(&left, nth);
}

int fail_alloc_done(void)
{
	return !atomic_load(&left);
}

static int must_fail(void)
{
	unsigned int now = atomic_load(&left);

	while (now && !atomic_compare_exchange_weak(&left, &now, now - 1))
		;
	if (now != 1)
		return 0;
	errno = ENOMEM;
	return 1;
}

void *__wrap_malloc(size_t size)
{
	return must_fail() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return must_fail() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return must_fail() ? NULL : __real_realloc(old, size);
}

void fail_open(const char *end, int err)
{
	open_end = end;
	open_errno = err;
}

void before_open(const char *end, void (*call)(const char *path))
{
	watched_end = end;
	watcher = call;
}

static int ends_with(const char *path, const char *end)
{
	size_t skip = strlen(path) - strlen(end);

	return strlen(path) >= strlen(end) && !strcmp(path + skip, end);
}

int __wrap_open(const char *path, int flags, ...)
{
	mode_t mode;
	va_list args;

	if (open_end && ends_with(path, open_end)) {
		errno = open_errno;
		return -1;
	}
	if (watched_end && ends_with(path, watched_end))
		watcher(path);
	va_start(args, flags);
	mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
	va_end(args);
	return __real_open(path, flags, mode);
}
