// SPDX-License-Identifier: MIT
/* DOC: address ranges in order; range_tree.h says what and why. */
#include "range_tree.h"

static uint64_t range_last(const struct range_node *node)
{
	return node->start + node->size - 1;
}

/* Order by start, then size, then place, so that equal ranges stay apart. */
static bool range_before(const struct range_node *a, const struct range_node *b)
{
	if (a->start != b->start)
		return a->start < b->start;
	if (a->size != b->size)
		return a->size < b->size;
	return (uintptr_t)a < (uintptr_t)b;
}

static void range_update(struct range_node *node)
{
	node->last = range_last(node);
	if (node->left && node->left->last > node->last)
		node->last = node->left->last;
	if (node->right && node->right->last > node->last)
		node->last = node->right->last;
}

static uint32_t next_priority(struct range_tree *tree)
{
	uint32_t x = tree->seed ? tree->seed : 0x9e3779b9;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	tree->seed = x;
	return x;
}

/* Cut @root into the ranges before @key and the others. */
static void range_split(struct range_node *root, const struct range_node *key,
			struct range_node **before, struct range_node **others)
{
	if (!root) {
		*before = NULL;
		*others = NULL;
	} else if (range_before(root, key)) {
		range_split(root->right, key, &root->right, others);
		range_update(root);
		*before = root;
	} else {
		range_split(root->left, key, before, &root->left);
		range_update(root);
		*others = root;
	}
}

/* All of @a sorts before all of @b. */
static struct range_node *range_merge(struct range_node *a, struct range_node *b)
{
	if (!a)
		return b;
	if (!b)
		return a;
	if (a->priority > b->priority) {
		a->right = range_merge(a->right, b);
		range_update(a);
		return a;
	}
	b->left = range_merge(a, b->left);
	range_update(b);
	return b;
}

static struct range_node *insert_at(struct range_node *root, struct range_node *node)
{
	if (!root || node->priority > root->priority) {
		range_split(root, node, &node->left, &node->right);
		range_update(node);
		return node;
	}
	if (range_before(node, root))
		root->left = insert_at(root->left, node);
	else
		root->right = insert_at(root->right, node);
	range_update(root);
	return root;
}

void range_tree_insert(struct range_tree *tree, struct range_node *node)
{
	node->left = NULL;
	node->right = NULL;
	node->priority = next_priority(tree);
	tree->root = insert_at(tree->root, node);
	tree->count++;
}

static struct range_node *remove_at(struct range_node *root, struct range_node *node)
{
	if (root == node)
		return range_merge(node->left, node->right);
	if (range_before(node, root))
		root->left = remove_at(root->left, node);
	else
		root->right = remove_at(root->right, node);
	range_update(root);
	return root;
}

void range_tree_remove(struct range_tree *tree, struct range_node *node)
{
	tree->root = remove_at(tree->root, node);
	tree->count--;
	node->left = NULL;
	node->right = NULL;
}

struct range_node *range_tree_find(const struct range_tree *tree, uint64_t start, uint64_t size)
{
	struct range_node *node = tree->root;
	struct range_node *found = NULL;

	while (node) {
		if (node->start == start && (!size || node->size == size))
			found = node;
		if (node->start < start || (node->start == start && node->size < size))
			node = node->right;
		else
			node = node->left;
	}
	return found;
}

struct range_node *range_tree_overlap(const struct range_tree *tree, uint64_t start,
				      uint64_t last)
{
	struct range_node *node = tree->root;

	/*
	 * Where some range on the left ends at or after start, the answer is there or
	 * nowhere: that range begins at or before everything further right.
	 */
	while (node) {
		if (node->left && node->left->last >= start) {
			node = node->left;
			continue;
		}
		if (node->start > last)
			return NULL;
		if (range_last(node) >= start)
			return node;
		node = node->right;
	}
	return NULL;
}

struct range_node *range_tree_holder(const struct range_tree *tree, uint64_t address)
{
	return range_tree_overlap(tree, address, address);
}

struct range_node *range_tree_first(const struct range_tree *tree)
{
	struct range_node *node = tree->root;

	while (node && node->left)
		node = node->left;
	return node;
}
