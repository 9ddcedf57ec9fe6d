/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: thread of an engine
 *
 * Steps the engine while it has work, looks at it from time to time while a poll
 * blocks it or user doorbells may ring, and sleeps otherwise without using any CPU.
 */
#ifndef CARILLON_VGPU_WORKER_H
#define CARILLON_VGPU_WORKER_H

#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "vgpu_block.h"
#include "vgpu_doorbell.h"

struct task_struct;
struct work_struct;

/**
 * enum vgpu_listens - doorbell slots that an engine looks at while doorbells are hot
 * @VGPU_LISTENS_NOT: none
 * @VGPU_LISTENS_DRIVER: of the driver's own queues, who kicks as well when it rings
 * @VGPU_LISTENS_USER: of a user queue, whose doorbell nobody tells of
 */
enum vgpu_listens {
	VGPU_LISTENS_NOT,
	VGPU_LISTENS_DRIVER,
	VGPU_LISTENS_USER,
};

/**
 * struct vgpu_worker - thread and what it works on
 * @engine: stepped by the thread
 * @db: hot flag
 * @listens: which doorbell slots does the engine look at?  Asked after each kick
 * @ctx: argument of @listens
 * @close: have the doorbell window closed (vgpu_doorbell.h), on another thread
 * @step_lock: held over each step; taking it means that no step is under way
 * @wait: the thread sleeps here
 * @kicked: look at the engine again
 * @listening: what @listens said last; written by the thread
 * @thread: NULL before start and after stop
 * @blocked_since: when the engine became blocked, ns; 0 if it is not; thread only
 * @idle_since: when it last began to find nothing, ns; 0 if it was not seen yet; thread only
 * @steps: calls of step that found work
 * @sleeps: times that the thread went to sleep for good
 */
struct vgpu_worker {
	struct vgpu_engine *engine;
	struct vgpu_doorbell *db;
	enum vgpu_listens (*listens)(void *ctx);
	void *ctx;
	struct work_struct *close;
	struct mutex step_lock;	/* held over each step */
	wait_queue_head_t wait;
	bool kicked;
	enum vgpu_listens listening;
	struct task_struct *thread;
	u64 blocked_since, idle_since;
	u64 steps, sleeps;
};

void vgpu_worker_init(struct vgpu_worker *worker, struct vgpu_engine *engine,
		      struct vgpu_doorbell *db, struct work_struct *close,
		      enum vgpu_listens (*listens)(void *ctx), void *ctx);
int vgpu_worker_start(struct vgpu_worker *worker, const char *name);
void vgpu_worker_stop(struct vgpu_worker *worker);
void vgpu_worker_kick(struct vgpu_worker *worker);
void vgpu_worker_nudge(struct vgpu_worker *worker);
void vgpu_worker_barrier(struct vgpu_worker *worker);

#endif /* CARILLON_VGPU_WORKER_H */
