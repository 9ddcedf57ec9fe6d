/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: user queues
 *
 * kfd_queue.c: what the ioctls do, checks and numbers.  kfd_queue_hw.c: getting a
 * queue into and out of the hardware.  kfd_queue_sched.c: who is in it when not all have
 * room.
 *
 * A queue is *stopped* as long as any reason counts; the first stop unloads it and
 * the last one that ends loads it again, or has it *wait* for its turn.  Loading takes a
 * VMID (shared by the process's queues on the node) and a hardware slot, unloading gives
 * both back and keeps RPTR and WPTR.  A queue without work that made room for another
 * is *parked*: it wants neither until its doorbell is rung.
 */
#ifndef CARILLON_KFD_QUEUE_H
#define CARILLON_KFD_QUEUE_H

#include <linux/list.h>
#include <linux/types.h>

#include "hw/hw_backend.h"
#include "kfd_sched.h"
#include "sdma/sdma.h"

struct kfd_node;
struct kfd_process;
struct kfd_process_node;

/* Why a queue does not run. */
enum kfd_stop_reason {
	KFD_STOP_USERPTR,	/* user pages of the process are being replaced */
	KFD_STOP_EVICTION,	/* memory of the process is somewhere else */
	KFD_STOP_SUSPENDED,	/* its owner asked: percentage 0, or no ring */
	KFD_STOP_CHECKPOINT,	/* a checkpoint of the process is taken */
	KFD_STOP_RESTORE,	/* the process is being made from a checkpoint */
	KFD_STOP_DEBUG,		/* a debugger, or a test through debugfs */
	KFD_STOP_RESET,		/* it faulted or hung, and waits to be destroyed */
	KFD_STOP_REASONS,
};

#define KFD_NO_SLOT	(-1)
/* Queues that can be loaded on an instance. */

/**
 * struct kfd_queue - a user SDMA queue
 * @pn: process and node
 * @id: number within the process
 * @instance: SDMA instance, for life
 * @number: number among the process's queues there; decides the doorbell
 * @xgmi: on an instance that is listed as an XGMI engine, and on no other
 * @priority: as asked for
 * @percent: as asked for
 * @link: in pn->queues; under node->lock like everything below
 * @stopped: how often each reason holds
 * @stops: their sum
 * @slot: hardware slot while loaded, else KFD_NO_SLOT
 * @hw: ring, pointers and doorbell, as the hardware gets them
 * @fault: text of the fault that stopped it, NULL if none did
 * @fault_va: where that was
 * @untold: it hung, and its process is to be told after the reset
 * @loads: times it was loaded
 * @wait: in the engine's list while it wants a slot or a VMID, else empty
 * @parked: not loaded, without work, and its doorbell page is not mapped
 * @closing: its doorbell page is being withdrawn so that it can be parked
 * @passed_over: there was no VMID for it in this round
 * @sched: its account
 * @served: what its engine did for it up to the last look; 0 where nobody counts
 * @served_slot: the slot's counters then
 * @sysfs: its folder in proc/, NULL if it has none; under process->lock
 */
struct kfd_queue {
	struct kfd_process_node *pn;
	u32 id;
	unsigned int instance;
	unsigned int number;
	bool xgmi;
	u32 priority;
	u32 percent;
	struct list_head link;
	unsigned int stopped[KFD_STOP_REASONS];
	unsigned int stops;
	int slot;
	struct sdma_rlc_state hw;
	const char *fault;
	u64 fault_va;
	bool untold;
	u64 loads;
	struct list_head wait;
	bool parked;
	bool closing;
	bool passed_over;
	struct kfd_sched_queue sched;
	struct hw_served served;
	struct hw_served served_slot;
	struct kfd_sysfs_queue *sysfs;
};

/**
 * struct kfd_queue_fault - what is known about a fault, and what was done
 * @instance: SDMA instance, or less than 0
 * @slot: slot of it, or less than 0
 * @what: text for debugfs; constant
 * @va: address that faulted, or 0
 * @stopped: queues that were stopped
 * @id: the first of them
 * @packet_va: where its RPTR was
 */
struct kfd_queue_fault {
	int instance;
	int slot;
	const char *what;
	u64 va;
	unsigned int stopped;
	u32 id;
	u64 packet_va;
};

/**
 * struct kfd_queue_image - what a checkpoint keeps of a queue
 * @id: number within the process
 * @gpu_id: where
 * @instance: SDMA instance
 * @number: number among the process's queues there
 * @xgmi: 1 if it was made as an XGMI queue
 * @priority: as asked for
 * @percent: as asked for
 * @faulted: 1 if it is stopped for good
 * @rb_size: bytes of the ring
 * @halted: 1 if the engine had given it up
 * @rb_base: ring
 * @rptr_addr: cell of RPTR
 * @wptr_addr: cell of WPTR
 * @rptr: bytes
 * @wptr: bytes
 */
struct kfd_queue_image {
	u32 id;
	u32 gpu_id;
	u32 instance;
	u32 number;
	u32 xgmi;
	u32 priority;
	u32 percent;
	u32 faulted;
	u32 rb_size;
	u32 halted;
	u64 rb_base;
	u64 rptr_addr;
	u64 wptr_addr;
	u64 rptr;
	u64 wptr;
};

/* kfd_queue.c: ioctls, under nothing */
int kfd_queue_create(struct kfd_process *p, void *args);
int kfd_queue_destroy(struct kfd_process *p, void *args);
int kfd_queue_update(struct kfd_process *p, void *args);
/* Of a queue that is not in the hardware. p->lock. */
void kfd_queue_save(struct kfd_queue *q, struct kfd_queue_image *image);
/* Make it again, with its number, engine and doorbell. Under nothing. */
int kfd_queue_restore(struct kfd_process *p, const struct kfd_queue_image *image);
/* All queues of a process on a node go. p->lock. */
void kfd_queue_destroy_all(struct kfd_process_node *pn);

/* kfd_queue_hw.c: each takes node->lock; may sleep; usable in MMU notifiers */
void kfd_queue_stop(struct kfd_queue *q, enum kfd_stop_reason why);
void kfd_queue_start(struct kfd_queue *q, enum kfd_stop_reason why);
void kfd_queue_stop_all(struct kfd_process_node *pn, enum kfd_stop_reason why);
void kfd_queue_start_all(struct kfd_process_node *pn, enum kfd_stop_reason why);
/* Enter a new queue, load it or have it wait unless stopped: 0, -ENOMEM (no engine, doorbells). */
int kfd_queue_admit(struct kfd_queue *q);
/* Likewise where it says itself: 0, -EINVAL (no such place), -EBUSY (is taken). */
int kfd_queue_admit_there(struct kfd_queue *q);
/* Unload a queue and forget it. The engine does not touch its memory afterwards. */
void kfd_queue_expel(struct kfd_queue *q);
/* Change ring and stops of a queue at one stroke. */
int kfd_queue_reshape(struct kfd_queue *q, u64 base, u64 size, bool run);
void kfd_queue_fault(struct kfd_process_node *pn, struct kfd_queue_fault *fault);
const char *kfd_queue_state(const struct kfd_queue *q);
/* Around a sleep of the machine: all queues of a node leave the hardware, and come back. */
void kfd_queue_sleep(struct kfd_node *node);
void kfd_queue_wake(struct kfd_node *node);
/* Around a reset of an instance, likewise; a queue that did not leave is guilty. */
bool kfd_queue_reset_begin(struct kfd_node *node, unsigned int instance);
void kfd_queue_reset_end(struct kfd_node *node, unsigned int instance, bool ok);
bool kfd_queue_reset_untold(struct kfd_process_node *pn);

/* kfd_queue_sched.c */
void kfd_queue_sched_init(struct kfd_node *node);
/* No queue is left and no doorbell can be rung any more. */
void kfd_queue_sched_fini(struct kfd_node *node);
/* Bring the account of a loaded queue up to now. node->lock. */
void kfd_queue_charge_locked(struct kfd_queue *q);
/* A page of a process's doorbells is about to be mapped. Takes node->lock. */
void kfd_queue_doorbells_open(struct kfd_process_node *pn, unsigned int page);

#endif /* CARILLON_KFD_QUEUE_H */
