/* SPDX-License-Identifier: MIT */
#ifndef RANGE_TREE_H
#define RANGE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * DOC: address ranges in order
 *
 * A search tree (treap) of ranges that are members of the caller's objects. Each
 * node knows the highest address below it, so that "which range holds this
 * address" takes logarithmic time although ranges may overlap: two buffers that
 * a program registered may. Pure: no lock, no allocation, no system call; the
 * caller serialises.
 */

/**
 * struct range_node - one range
 * @start: first address
 * @size: bytes, not 0; @start + @size - 1 does not wrap
 * @last: last address of any range in this sub-tree
 * @left: ranges that sort before, by (start, size)
 * @right: ranges that sort after
 * @priority: random; a parent's is not less than its children's
 */
struct range_node {
	uint64_t start;
	uint64_t size;
	uint64_t last;
	struct range_node *left;
	struct range_node *right;
	uint32_t priority;
};

/**
 * struct range_tree - the tree
 * @root: NULL when empty
 * @seed: state of the priorities' generator
 * @count: ranges inside
 */
struct range_tree {
	struct range_node *root;
	uint32_t seed;
	size_t count;
};

/* Put in; @node's start and size are set by the caller. */
void range_tree_insert(struct range_tree *tree, struct range_node *node);
/* Take out; @node must be inside. */
void range_tree_remove(struct range_tree *tree, struct range_node *node);

/* A range that starts at @start and is @size long; @size 0 takes any size. */
struct range_node *range_tree_find(const struct range_tree *tree, uint64_t start, uint64_t size);
/* The range with the lowest start among those that hold @address. */
struct range_node *range_tree_holder(const struct range_tree *tree, uint64_t address);
/* The range with the lowest start that shares a byte with start .. last. */
struct range_node *range_tree_overlap(const struct range_tree *tree, uint64_t start,
				      uint64_t last);
/* The range with the lowest start. */
struct range_node *range_tree_first(const struct range_tree *tree);

#endif
