/* SPDX-License-Identifier: MIT */
#ifndef QUEUE_SAVE_AREA_H
#define QUEUE_SAVE_AREA_H

#include <stdbool.h>
#include <stdint.h>

#include "hsakmt/hsakmttypes.h"
#include "mem_object.h"
#include "memory_alloc.h"
#include "thunk_gpu.h"

/**
 * DOC: memory that queues bring along
 *
 * The context save area takes the waves of a compute queue that is switched out:
 * a control stack with a few bytes a wave, then registers, LDS and state of each
 * CU, then room for a debugger. Its size follows from the node's properties.
 */

/**
 * struct save_area_layout - sizes in bytes
 * @control_stack_size: head and control stack, whole pages
 * @save_size: that and the CUs' state: what the KFD is told
 * @debug_size: the debugger's part
 */
struct save_area_layout {
	uint32_t control_stack_size;
	uint32_t save_size;
	uint32_t debug_size;
};

/* Pure. Return: false for a chip that does not save waves. */
bool save_area_plan(const HsaNodeProperties *props, uint64_t page_size,
		    struct save_area_layout *layout);

/* Allocate it, mapped on @gpu, its head filled. */
int save_area_alloc(const struct thunk_gpu *gpu, const struct save_area_layout *layout,
		    const HsaEvent *event, volatile HSAint64 *error_reason,
		    struct mem_object **object);

/* Allocate and map on @gpu only. Return: 0 or a negative errno. */
int queue_memory_alloc(const struct thunk_gpu *gpu, const struct memory_wish *wish,
		       struct mem_object **object);
/* The same, on the CPU node next to @gpu. */
int queue_host_alloc(const struct thunk_gpu *gpu, struct memory_wish *wish,
		     struct mem_object **object);

#endif
