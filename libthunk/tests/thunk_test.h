/* SPDX-License-Identifier: MIT */
#ifndef THUNK_TEST_H
#define THUNK_TEST_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/**
 * DOC: tests of the library
 *
 * TEST(name, "what, and which rows it proves") defines a test. Each runs in a
 * process of its own with a time limit, so that the library's one context is
 * fresh, a crash is one failure and the leak checker looks after every test.
 */

struct thunk_test {
	const char *name;
	const char *what;
	void (*run)(void);
	struct thunk_test *next;
};

void thunk_test_add(struct thunk_test *test);

/* Leave the test as failed or, for want of something, as skipped. */
_Noreturn void test_fail(const char *file, int line, const char *what);
_Noreturn void test_skip(const char *why);

/* End a child that a test has forked; lines that it ran are counted. */
_Noreturn void test_child_exit(int status);

#define TEST(id, text)							\
	static void run_##id(void);					\
	static struct thunk_test test_##id = {				\
		.name = #id, .what = text, .run = run_##id,		\
	};								\
	static void __attribute__((constructor)) add_##id(void)		\
	{								\
		thunk_test_add(&test_##id);				\
	}								\
	static void run_##id(void)

#define CHECK(condition)						\
	do {								\
		if (!(condition))					\
			test_fail(__FILE__, __LINE__, #condition);	\
	} while (0)

#define CHECK_EQ(want, got)						\
	do {								\
		unsigned long long want_ = (unsigned long long)(want);	\
		unsigned long long got_ = (unsigned long long)(got);	\
		char text_[256];					\
									\
		if (want_ != got_) {					\
			snprintf(text_, sizeof(text_),			\
				 "%s is %llu (%#llx), not %llu (%#llx)",	\
				 #got, got_, got_, want_, want_);	\
			test_fail(__FILE__, __LINE__, text_);		\
		}							\
	} while (0)

#endif
