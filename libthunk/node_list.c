// SPDX-License-Identifier: MIT
/* DOC: a caller's array of nodes, checked and translated once, under the lock. */
#include "node_list.h"

#include <errno.h>
#include <stdlib.h>

#include "thunk_context.h"

int node_list_init(struct node_list *list, const uint32_t *nodes, uint64_t count)
{
	uint64_t i;
	int err = 0;

	if (!nodes || !count || count > UINT16_MAX)
		return -EINVAL;
	list->gpu_ids = malloc(count * sizeof(*list->gpu_ids));
	if (!list->gpu_ids)
		return -ENOMEM;
	for (i = 0; !err && i < count; i++)
		err = thunk_node_gpu_id(nodes[i], &list->gpu_ids[i]);
	if (err)
		free(list->gpu_ids);
	list->count = (uint32_t)count;
	return err;
}

void node_list_fini(struct node_list *list)
{
	free(list->gpu_ids);
}

bool node_list_has(const struct node_list *list, uint32_t gpu_id)
{
	uint32_t i;

	for (i = 0; i < list->count; i++)
		if (list->gpu_ids[i] == gpu_id)
			return true;
	return false;
}
