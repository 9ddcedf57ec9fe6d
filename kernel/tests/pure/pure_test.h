/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: TAP for tests of pure files
 *
 * pure_ok() counts and prints one test; PURE_EQ() compares inside of one and says
 * what differed; pure_done() prints the plan and gives the exit status.
 */
#ifndef CARILLON_PURE_TEST_H
#define CARILLON_PURE_TEST_H

#ifdef __KERNEL__

#include <linux/printk.h>

/* The same file in the kernel, as a case of the KUnit suite "pure"; only failures show. */
#define PURE_SHOWS(ok)	(!(ok))
#define printf(...)	pr_info(__VA_ARGS__)
int main(void);

#else

#include <stdbool.h>
#include <stdio.h>

#define PURE_SHOWS(ok)	true

#endif

static unsigned int pure_count, pure_failed;

static inline bool pure_eq(const char *file, int line, const char *what, unsigned long long have,
			   unsigned long long want)
{
	if (have == want)
		return true;
	printf("# %s:%d: %s is 0x%llx, not 0x%llx\n", file, line, what, have, want);
	return false;
}

/* True if equal. */
#define PURE_EQ(have, want) \
	pure_eq(__FILE__, __LINE__, #have, (unsigned long long)(have), (unsigned long long)(want))

static inline void pure_ok(bool ok, const char *name)
{
	pure_count++;
	pure_failed += !ok;
	if (PURE_SHOWS(ok))
		printf("%sok %u - %s\n", ok ? "" : "not ", pure_count, name);
}

/* Likewise; the name is formatted. */
#define pure_okf(ok, ...) do { \
	char name_[160]; \
	snprintf(name_, sizeof(name_), __VA_ARGS__); \
	pure_ok(ok, name_); \
} while (0)

static inline int pure_done(void)
{
	printf("1..%u\n", pure_count);
	return pure_failed != 0;
}

#endif /* CARILLON_PURE_TEST_H */
