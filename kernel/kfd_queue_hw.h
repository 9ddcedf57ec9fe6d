/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: user queues and the hardware, what the kfd_queue_*.c files share
 *
 * All of it under node->lock.
 */
#ifndef CARILLON_KFD_QUEUE_HW_H
#define CARILLON_KFD_QUEUE_HW_H

#include "kfd_device.h"
#include "kfd_process.h"
#include "kfd_queue.h"

/* kfd_queue_hw.c */
/* A slot that nobody has; less than 0. */
int kfd_queue_slot_find_locked(const struct kfd_node *node, const struct kfd_engine *engine);
/* Slots of an instance that are not lost. */
unsigned int kfd_queue_usable_slots(const struct kfd_node *node, unsigned int instance);
/* 0, also if it is stopped or loaded; -ENOSPC: no slot or no VMID just now; else an errno. */
int kfd_queue_load_locked(struct kfd_queue *q);
/* 0; -ETIMEDOUT: slot and VMID are lost, and where the queue stood is not known; -ENODEV. */
int kfd_queue_unload_locked(struct kfd_queue *q);
/* Likewise; @keep: one that does not leave during a reset stays where it is. */
int kfd_queue_leave_slot_locked(struct kfd_queue *q, bool keep);
/* Count one reason for it not to run. */
void kfd_queue_stop_locked(struct kfd_queue *q, enum kfd_stop_reason why);
/* Load it, or have it wait, if nothing stops it; what cannot be loaded is given up. */
void kfd_queue_go_locked(struct kfd_queue *q);
/* It can run no more; says so. */
void kfd_queue_give_up_locked(struct kfd_queue *q, int err);

/* kfd_queue_fault.c */
/* Stop it for good; @fault: why, and what is known of it goes there. */
void kfd_queue_fault_locked(struct kfd_queue *q, struct kfd_queue_fault *fault);

/* kfd_queue_sched.c */
/* Load a queue that nothing stops, or have it wait: 0, or what loading said. */
int kfd_queue_run_locked(struct kfd_queue *q);
/* It wants nothing any more: it is loaded, stopped or destroyed. */
void kfd_queue_forget_locked(struct kfd_queue *q);
/* A slot or a VMID may have become free. */
void kfd_queue_kick_locked(struct kfd_node *node);
/* Charge a loaded queue. */
void kfd_queue_look_locked(struct kfd_queue *q, u64 now);
/* It was loaded just now. */
void kfd_queue_loaded_locked(struct kfd_queue *q);

#endif /* CARILLON_KFD_QUEUE_HW_H */
