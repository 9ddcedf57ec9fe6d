// SPDX-License-Identifier: MIT
/* DOC: the tree of ranges against a slow list. */
#include "range_tree.h"

#include <string.h>

#include "thunk_test.h"

#define MANY	100000

static uint32_t random_next(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

static const struct range_node *slow_holder(const struct range_node *nodes, const bool *in,
					    int count, uint64_t address)
{
	const struct range_node *best = NULL;
	int i;

	for (i = 0; i < count; i++)
		if (in[i] && address >= nodes[i].start &&
		    address - nodes[i].start < nodes[i].size &&
		    (!best || nodes[i].start < best->start))
			best = &nodes[i];
	return best;
}

TEST(range_tree_against_list, "B089: holder and overlap agree with a list, ranges overlap")
{
	static struct range_node nodes[200];
	bool in[200] = { false };
	struct range_tree tree = { 0 };
	uint32_t seed = 7;
	int round;

	for (round = 0; round < 20000; round++) {
		int i = (int)(random_next(&seed) % 200);
		uint64_t address = random_next(&seed) % 1100;
		const struct range_node *want, *got;

		if (in[i]) {
			range_tree_remove(&tree, &nodes[i]);
		} else {
			nodes[i].start = random_next(&seed) % 1000;
			nodes[i].size = 1 + random_next(&seed) % 60;
			range_tree_insert(&tree, &nodes[i]);
		}
		in[i] = !in[i];
		want = slow_holder(nodes, in, 200, address);
		got = range_tree_holder(&tree, address);
		CHECK(!want == !got);
		CHECK(!want || want->start == got->start);
	}
}

TEST(range_tree_edges, "B089: first and last byte, one past, between neighbours, any size")
{
	struct range_node a = { .start = 0x1000, .size = 0x1000 };
	struct range_node b = { .start = 0x3000, .size = 0x1000 };
	struct range_node top = { .start = UINT64_MAX - 15, .size = 16 };
	struct range_tree tree = { 0 };

	CHECK(!range_tree_first(&tree) && !range_tree_holder(&tree, 0));
	range_tree_insert(&tree, &b);
	range_tree_insert(&tree, &a);
	range_tree_insert(&tree, &top);
	CHECK(range_tree_first(&tree) == &a);
	CHECK(range_tree_holder(&tree, 0x1000) == &a);
	CHECK(range_tree_holder(&tree, 0x1fff) == &a);
	CHECK(!range_tree_holder(&tree, 0x2000));
	CHECK(!range_tree_holder(&tree, 0x2fff));
	CHECK(range_tree_holder(&tree, 0x3000) == &b);
	CHECK(range_tree_holder(&tree, UINT64_MAX) == &top);
	CHECK(range_tree_overlap(&tree, 0x1fff, 0x3000) == &a);
	CHECK(range_tree_overlap(&tree, 0x2000, 0x3000) == &b);
	CHECK(range_tree_find(&tree, 0x1000, 0) == &a);
	CHECK(!range_tree_find(&tree, 0x1000, 0x800));
	CHECK_EQ(3, tree.count);
}

TEST(range_tree_many, "B089: 100000 ranges, each found by each of its bytes' ends")
{
	struct range_node *nodes = calloc(MANY, sizeof(*nodes));
	struct range_tree tree = { 0 };
	int i;

	CHECK(nodes);
	for (i = 0; i < MANY; i++) {
		nodes[i].start = 0x10000 + (uint64_t)i * 0x2000;
		nodes[i].size = 0x1000;
		range_tree_insert(&tree, &nodes[i]);
	}
	for (i = 0; i < MANY; i++) {
		CHECK(range_tree_holder(&tree, nodes[i].start) == &nodes[i]);
		CHECK(range_tree_holder(&tree, nodes[i].start + 0xfff) == &nodes[i]);
		CHECK(!range_tree_holder(&tree, nodes[i].start + 0x1000));
	}
	for (i = 0; i < MANY; i++)
		range_tree_remove(&tree, &nodes[i]);
	CHECK(!tree.root && !tree.count);
	free(nodes);
}
