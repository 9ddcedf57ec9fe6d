/* SPDX-License-Identifier: MIT */
#ifndef QUEUE_H
#define QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "mem_object.h"

/**
 * struct thunk_queue - one slot of the process's queues
 * @used: there is a queue
 * @uses: queues that the slot has held
 * @kfd_id: the KFD's number
 * @pointers: page with read and write pointer, NULL: the program's
 * @eop: end-of-pipe buffer or NULL
 * @save_area: context save area or NULL
 * @control_stack_size: bytes of it before the waves' state
 * @cu_mask: CUs that it may use, NULL: all
 * @cu_mask_bits: CUs that @cu_mask tells of
 */
struct thunk_queue {
	bool used;
	uint32_t uses;
	uint32_t kfd_id;
	struct mem_object *pointers;
	struct mem_object *eop;
	struct mem_object *save_area;
	uint32_t control_stack_size;
	uint32_t *cu_mask;
	uint32_t cu_mask_bits;
};

/* The queue of an id, under the lock; NULL for ids of destroyed queues too. */
struct thunk_queue *thunk_queue_by_id(HSA_QUEUEID id);

/* Forget all queues without a word to the KFD: in a child process. */
void thunk_queues_forget(void);

#endif
