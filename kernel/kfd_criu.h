/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: checkpoints
 *
 * CRIU_OP: kfd_criu.c says what the steps are, kfd_criu_save.c takes a checkpoint and
 * kfd_criu_restore.c makes a process from one.
 */
#ifndef CARILLON_KFD_CRIU_H
#define CARILLON_KFD_CRIU_H

#include <linux/types.h>

#include "kfd_event.h"
#include "kfd_queue.h"

struct kfd_process;

/* Changes with every change of a structure below; the image is only for drivers that know it. */
#define KFD_CRIU_VERSION	0x43520001

/*
 * Private data: one process, the devices, the buffers, each in the order of its buckets;
 * then objects of either type, which each begin with their type.
 */

/**
 * struct kfd_criu_process - of the process as a whole
 * @version: KFD_CRIU_VERSION
 * @event_slots: of the event page; 0: there is none
 * @event_page: handle of its buffer, or 0
 * @runtime: bit 0: enabled, bit 1: with trap-temporary registers
 * @pad: 0
 * @r_debug: of the runtime
 */
struct kfd_criu_process {
	u32 version;
	u32 event_slots;
	u64 event_page;
	u32 runtime;
	u32 pad;
	u64 r_debug;
};

#define KFD_CRIU_RUNTIME_ENABLED	1
#define KFD_CRIU_RUNTIME_TTMP		2

/**
 * struct kfd_criu_device - what the process stored on a GPU
 * @policy_set: 1 after SET_MEMORY_POLICY
 * @default_policy: of it
 * @alternate_policy: of it
 * @mmio: 1 if the register page may be mapped
 * @policy_base: of SET_MEMORY_POLICY
 * @policy_size: of it
 * @scratch_va: of SET_SCRATCH_BACKING_VA
 * @trap_tba: of SET_TRAP_HANDLER
 * @trap_tma: of it
 */
struct kfd_criu_device {
	u32 policy_set;
	u32 default_policy;
	u32 alternate_policy;
	u32 mmio;
	u64 policy_base;
	u64 policy_size;
	u64 scratch_va;
	u64 trap_tba;
	u64 trap_tma;
};

/**
 * struct kfd_criu_bo - of a buffer, beside its bucket
 * @user_addr: CPU address of user pages, or 0
 * @mapped: a bit a device that maps it, in the order of the buckets
 * @index: low half of its handle
 * @pad: 0
 */
struct kfd_criu_bo {
	u64 user_addr;
	u64 mapped;
	u32 index;
	u32 pad;
};

enum kfd_criu_object_type {
	KFD_CRIU_QUEUE,
	KFD_CRIU_EVENT,
};

/**
 * struct kfd_criu_queue - an object of type KFD_CRIU_QUEUE
 * @type: that
 * @pad: 0
 * @queue: what is kept of it
 */
struct kfd_criu_queue {
	u32 type;
	u32 pad;
	struct kfd_queue_image queue;
};

/**
 * struct kfd_criu_event - an object of type KFD_CRIU_EVENT
 * @type: that
 * @pad: 0
 * @event: what is kept of it
 */
struct kfd_criu_event {
	u32 type;
	u32 pad;
	struct kfd_event_image event;
};

/**
 * struct kfd_criu_counts - how much there is to keep
 * @devices: GPUs
 * @bos: buffers
 * @queues: queues
 * @events: events
 */
struct kfd_criu_counts {
	u32 devices;
	u32 bos;
	u32 queues;
	u32 events;
};

/* ioctl, under nothing */
int kfd_criu_op(struct kfd_process *p, void *args);

/* p->lock: 0, -ENODEV (no GPU), -EOPNOTSUPP (a buffer is another's). */
int kfd_criu_count_locked(struct kfd_process *p, struct kfd_criu_counts *counts);
u64 kfd_criu_bytes(const struct kfd_criu_counts *counts);
/* Bits of @mapped are by place among the attached nodes; less than 0: it is not. */
int kfd_criu_place(const struct kfd_process *p, unsigned int node);

/* kfd_criu_save.c */
int kfd_criu_checkpoint(struct kfd_process *p, struct kfd_ioctl_criu_args *args);
/* kfd_criu_restore.c */
int kfd_criu_restore(struct kfd_process *p, struct kfd_ioctl_criu_args *args);

#endif /* CARILLON_KFD_CRIU_H */
