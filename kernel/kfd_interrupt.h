/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: from the interrupt to a process
 *
 * The hard interrupt handler only notes what came: a trap as (pasid, event id), a
 * fault as its IH entry.  A work item finds the process and tells it.  A trap is
 * never lost: when the queue is full the work item looks at the event pages of all
 * processes instead.  Faults beyond the queue's room are counted and dropped; the
 * queue that raises them stops at its first one.
 */
#ifndef CARILLON_KFD_INTERRUPT_H
#define CARILLON_KFD_INTERRUPT_H

#include <linux/kfifo.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "irq/irq.h"

#define KFD_TRAP_FIFO	1024
#define KFD_FAULT_FIFO	64

struct seq_file;

/**
 * struct kfd_trap - an event that a queue raised
 * @pasid: whose
 * @event: id in the low 28 bits of context 0
 */
struct kfd_trap {
	u16 pasid;
	u32 event;
};

enum kfd_fault_kind {
	KFD_FAULT_PAGE,		/* the hub found no translation or no right */
	KFD_FAULT_ILLEGAL,	/* the engine did not accept a packet */
	KFD_FAULT_SRBM,		/* a packet wrote a register */
	KFD_FAULT_ENGINE,	/* anything else that halts a queue, such as a poll without end */
};

/**
 * struct kfd_fault - a fault of a user queue
 * @kind: what happened
 * @instance: SDMA instance; unknown for KFD_FAULT_PAGE
 * @entry: as it came
 */
struct kfd_fault {
	enum kfd_fault_kind kind;
	unsigned int instance;
	struct irq_entry entry;
};

/**
 * struct kfd_interrupts - part of a device
 * @lock: both queues; hard interrupt context
 * @traps: what came, in order
 * @faults: likewise
 * @scan: a trap found no room: look at all event pages
 * @work: the consumer
 * @tell: tells processes of resets
 * @count_traps: traps of user queues
 * @count_scans: times the event pages were searched for want of room
 * @count_faults: faults of user queues
 * @count_dropped: faults that found no room
 * @count_orphans: entries whose process was gone
 */
struct kfd_interrupts {
	raw_spinlock_t lock;
	DECLARE_KFIFO(traps, struct kfd_trap, KFD_TRAP_FIFO);
	DECLARE_KFIFO(faults, struct kfd_fault, KFD_FAULT_FIFO);
	bool scan;
	struct work_struct work;
	struct work_struct tell;
	u64 count_traps;
	u64 count_scans;
	u64 count_faults;
	u64 count_dropped;
	u64 count_orphans;
};

struct kfd_device;

int kfd_interrupts_init(struct kfd_device *dev);
void kfd_interrupts_fini(struct kfd_device *dev);
/* Everything that the IH ring holds now has been delivered when this returns. */
void kfd_interrupts_flush(struct kfd_device *dev);
void kfd_interrupts_show(struct kfd_device *dev, struct seq_file *m);

#endif /* CARILLON_KFD_INTERRUPT_H */
