/* SPDX-License-Identifier: MIT */
#ifndef FAULT_INJECT_H
#define FAULT_INJECT_H

/**
 * DOC: calls of libc that fail
 *
 * The test program's malloc(), calloc(), realloc() and open() are wrapped at link
 * time. The n-th allocation from now fails once, whoever makes it; libc's own are
 * not counted. Opens of a path fail until they are let alone again.
 */

/* Let the @nth allocation from now fail; 0: none. */
void fail_alloc(unsigned int nth);

/* Whether the one that was asked for has failed. */
int fail_alloc_done(void);

/* Let opens of paths that end with @end fail with @err; NULL: none. */
void fail_open(const char *end, int err);

/* Have @call run before each open of a path that ends with @end; NULL: none. */
void before_open(const char *end, void (*call)(const char *path));

#endif
