// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The page-table walker against a reference that looks at every page by itself:
 * ranges that begin and end at, before and behind the border of an entry of each
 * level, every size around each level's span, with and without 2 MiB entries, and
 * random ones.  Proves the walk under S0.105 (PTEPDE).
 */
/* pure: kernel/vm/vm_walk.c */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>

#include "kernel/tests/pure/pure_test.h"
#include "kernel/vm/vm_walk.h"

#define KIB		1024ULL
#define MIB		(1024 * KIB)
#define GIB		(1024 * MIB)
#define MAX_LEAVES	(1u << 19)
/* Longest range that the reference walks page by page. */
#define MAX_SIZE	(GIB + 8 * MIB)
/* In the kernel the same walks are watched, access by access, so there are fewer. */
#ifdef __KERNEL__
#define MAX_SMALL	(8 * MIB)
#define MAX_RANDOM	(4 * MIB)
#define RANDOM_RANGES	300
#else
#define MAX_SMALL	MAX_SIZE
#define MAX_RANDOM	(16 * MIB)
#define RANDOM_RANGES	3000
#endif

/* What one entry of the walk did. */
struct leaf {
	u64 va;
	u8 level;
	u16 index;
};

/* A table is its level and the address of its first byte; equal tables are the same. */
struct table {
	enum vm_level level;
	u64 base;
};

enum big_rule { BIG_NEVER, BIG_ALWAYS, BIG_ODD, BIG_RULES };

struct record {
	enum big_rule rule;
	struct leaf *leaves;
	unsigned int count;
	struct table stack[4];
	unsigned int depth;
	unsigned int children;
	unsigned int leaves_called;
	unsigned int calls;
	unsigned int fail_at;
	bool wrong;
};

static struct leaf got[MAX_LEAVES], want[MAX_LEAVES];

static u64 span(enum vm_level level)
{
	static const u64 spans[] = { 512 * GIB, GIB, 2 * MIB, 4 * KIB };

	return spans[level];
}

static bool rule_says(enum big_rule rule, u64 va)
{
	switch (rule) {
	case BIG_ALWAYS:
		return true;
	case BIG_ODD:
		return va / (2 * MIB) % 2;
	default:
		return false;
	}
}

/* Counts the callback; true if it is the one that is to fail. */
static bool fails(struct record *r)
{
	if (r->fail_at && r->calls >= r->fail_at)
		r->wrong = true;	/* called again after an error */
	return ++r->calls == r->fail_at;
}

static struct table *top(struct record *r)
{
	return &r->stack[r->depth];
}

static bool rec_big(void *priv, void *table, unsigned int index, u64 va)
{
	struct record *r = priv;

	if (table != top(r) || top(r)->level != VM_PDB0 || index != va / span(VM_PDB0) % 512 ||
	    va % span(VM_PDB0))
		r->wrong = true;
	return rule_says(r->rule, va);
}

static int rec_child(void *priv, void *table, enum vm_level level, unsigned int index, u64 va,
		     void **child)
{
	struct record *r = priv;

	if (fails(r))
		return -EIO;
	if (table != top(r) || level != top(r)->level || level >= VM_PTB ||
	    index != va / span(level) % 512 || va - top(r)->base >= 512 * span(level))
		r->wrong = true;
	r->depth++;
	*top(r) = (struct table){ level + 1, va / span(level) * span(level) };
	*child = top(r);
	r->children++;
	return 0;
}

static int rec_run(void *priv, void *table, enum vm_level level, unsigned int first,
		   unsigned int count, u64 va)
{
	struct record *r = priv;
	unsigned int i;

	if (fails(r))
		return -EIO;
	if (table != top(r) || level != top(r)->level || !count || first + count > 512)
		r->wrong = true;
	for (i = 0; i < count && r->count < MAX_LEAVES; i++)
		r->leaves[r->count++] = (struct leaf){ va + i * span(level), level, first + i };
	return 0;
}

static int rec_leave(void *priv, void *table, enum vm_level level, unsigned int index, void *child)
{
	struct record *r = priv;

	if (fails(r))
		return -EIO;
	if (child != top(r) || !r->depth || top(r)->level != level + 1 ||
	    index != top(r)->base / span(level) % 512)
		r->wrong = true;
	r->depth--;
	if (table != top(r))
		r->wrong = true;
	r->leaves_called++;
	return 0;
}

static const struct vm_walk_ops rec_ops = {
	.big = rec_big,
	.child = rec_child,
	.run = rec_run,
	.leave = rec_leave,
};

static int walk(struct record *r, enum big_rule rule, u64 va, u64 size, unsigned int fail_at)
{
	memset(r, 0, sizeof(*r));
	r->rule = rule;
	r->leaves = got;
	r->fail_at = fail_at;
	return vm_walk(&rec_ops, r, &r->stack[0], va, size);
}

/* One page after the other; a 2 MiB entry where it fits and the rule allows it. */
static unsigned int reference(enum big_rule rule, u64 va, u64 size)
{
	u64 end = va + size;
	unsigned int n = 0;

	while (va != end) {
		bool big = !(va % (2 * MIB)) && end - va >= 2 * MIB && rule_says(rule, va);
		enum vm_level level = big ? VM_PDB0 : VM_PTB;

		want[n++] = (struct leaf){ va, level, va / span(level) % 512 };
		va += span(level);
	}
	return n;
}

static bool same(unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (got[i].va != want[i].va || got[i].level != want[i].level ||
		    got[i].index != want[i].index)
			return false;
	return true;
}

/* MAX_SMALL is the longest range of small pages. */
static bool check(enum big_rule rule, u64 va, u64 size)
{
	struct record r;
	unsigned int n;

	if (rule != BIG_ALWAYS && size > MAX_SMALL)
		return true;
	if (walk(&r, rule, va, size, 0) || r.wrong || r.depth || r.children != r.leaves_called)
		return false;
	n = reference(rule, va, size);
	if (r.count == n && same(n))
		return true;
	printf("# rule %d va %llx size %llx\n", rule, (unsigned long long)va,
	       (unsigned long long)size);
	return false;
}

/* Starts around a border of each level. */
static bool check_level(enum vm_level level)
{
	static const u64 sizes[] = {
		4 * KIB, 8 * KIB, 2 * MIB - 4 * KIB, 2 * MIB, 2 * MIB + 4 * KIB, 4 * MIB,
		6 * MIB + 8 * KIB, GIB - 4 * KIB, GIB, GIB + 2 * MIB + 4 * KIB,
	};
	static const s64 steps[] = {
		0, 4 * KIB, -4 * (s64)KIB, 2 * MIB, -2 * (s64)MIB, -2 * (s64)MIB - 4096,
	};
	unsigned int i, k, rule;
	bool ok = true;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		for (k = 0; k < ARRAY_SIZE(steps); k++)
			for (rule = 0; rule < BIG_RULES; rule++)
				ok &= check(rule, 3 * span(level) + 4 * MIB * (level == VM_PTB) +
					    steps[k], sizes[i]);
	return ok;
}

static bool check_ends(void)
{
	u64 end = 1ULL << 48;
	bool ok = true;
	unsigned int rule;

	for (rule = 0; rule < BIG_RULES; rule++) {
		ok &= check(rule, 0, 4 * KIB);
		ok &= check(rule, 0, GIB + 4 * KIB);
		ok &= check(rule, end - 4 * KIB, 4 * KIB);
		ok &= check(rule, end - GIB - 2 * MIB, GIB + 2 * MIB);
		ok &= check(rule, (1ULL << 47) - 4 * MIB, 8 * MIB);
	}
	return ok;
}

static u64 random64(void)
{
	static u64 state = 88172645463325252ULL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static bool check_random(void)
{
	unsigned int i;
	bool ok = true;

	for (i = 0; i < RANDOM_RANGES && ok; i++) {
		u64 size = (random64() % MAX_RANDOM) / 4096 * 4096 + 4096;
		u64 va = random64() % ((1ULL << 48) - size) / 4096 * 4096;

		if (i % 4 == 0)
			va = va / (2 * MIB) * (2 * MIB);
		ok = check(random64() % BIG_RULES, va, size);
	}
	return ok;
}

/* An error of any callback ends the walk at once and is what the walk returns. */
static bool check_errors(void)
{
	u64 va = GIB - 4 * MIB - 4 * KIB, size = 8 * MIB + 8 * KIB;
	unsigned int n, calls;
	struct record r;

	if (walk(&r, BIG_ODD, va, size, 0))
		return false;
	calls = r.calls;
	for (n = 1; n <= calls; n++)
		if (walk(&r, BIG_ODD, va, size, n) != -EIO || r.wrong || r.calls != n)
			return false;
	return calls > 10;
}

static int skip_child(void *priv, void *table, enum vm_level level, unsigned int index, u64 va,
		      void **child)
{
	struct record *r = priv;

	if (level == VM_PDB0)
		return 0;
	return rec_child(r, table, level, index, va, child);
}

/* Without a table below an entry, the walk goes on behind it. */
static bool check_skip(void)
{
	static const struct vm_walk_ops ops = {
		.big = rec_big, .child = skip_child, .run = rec_run, .leave = rec_leave,
	};
	struct record r = { .rule = BIG_ODD, .leaves = got };

	if (vm_walk(&ops, &r, &r.stack[0], 4 * KIB, 16 * MIB))
		return false;
	/* 2 to 4, 6 to 8, 10 to 12 and 14 to 16 MiB are odd. */
	return !r.wrong && r.count == 4 && got[0].va == 2 * MIB && got[3].va == 14 * MIB;
}

static bool check_arguments(void)
{
	static const u64 bad[][2] = {
		{ 0, 0 }, { 1, 4096 }, { 0, 1 }, { 4096, 4095 }, { 1ULL << 48, 4096 },
		{ 0, (1ULL << 48) + 4096 }, { (1ULL << 48) - 4096, 8192 },
		{ ~0ULL - 4095, 4096 }, { 4096, ~0ULL - 4095 },
	};
	struct record r;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		if (walk(&r, BIG_NEVER, bad[i][0], bad[i][1], 0) != -EINVAL || r.calls)
			return false;
	return true;
}

int main(void)
{
	pure_ok(check_level(VM_PDB2), "walk around PDB2 entries");
	pure_ok(check_level(VM_PDB1), "walk around PDB1 entries");
	pure_ok(check_level(VM_PDB0), "walk around PDB0 entries");
	pure_ok(check_level(VM_PTB), "walk around PTB entries");
	pure_ok(check_ends(), "walk at both ends of 48 bits");
	pure_ok(check_random(), "random ranges");
	pure_ok(check_errors(), "an error ends the walk");
	pure_ok(check_skip(), "missing tables are skipped");
	pure_ok(check_arguments(), "bad ranges are refused");
	return pure_done();
}
