/* SPDX-License-Identifier: MIT */
#ifndef NODE_LIST_H
#define NODE_LIST_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct node_list - a caller's array of nodes as GPU ids
 * @gpu_ids: one for each node
 * @count: how many
 */
struct node_list {
	uint32_t *gpu_ids;
	uint32_t count;
};

/* Translate. Return: 0, -EINVAL for an empty array, -ENODEV for a bad node, -ENOMEM. */
int node_list_init(struct node_list *list, const uint32_t *nodes, uint64_t count);
void node_list_fini(struct node_list *list);
bool node_list_has(const struct node_list *list, uint32_t gpu_id);

#endif
