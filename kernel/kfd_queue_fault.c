// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: faults of user queues
 *
 * An interrupt tells of a fault, and of the queue not always enough: which one is stopped,
 * and for good.  All under node->lock.
 */
#include <linux/lockdep.h>

#include "kfd_device.h"
#include "kfd_process.h"
#include "kfd_queue.h"
#include "kfd_queue_hw.h"

/* Where the RPTR of an unloaded or loaded queue is in its ring. */
static u64 queue_packet_va_locked(const struct kfd_queue *q)
{
	return q->hw.rb_base + (q->hw.rptr & (q->hw.rb_size - 1));
}

void kfd_queue_fault_locked(struct kfd_queue *q, struct kfd_queue_fault *fault)
{
	q->fault = fault->what;
	q->fault_va = fault->va;
	kfd_queue_stop_locked(q, KFD_STOP_RESET);
	if (!fault->stopped++) {
		fault->id = q->id;
		fault->packet_va = queue_packet_va_locked(q);
	}
}

static bool queue_busy_locked(const struct kfd_queue *q)
{
	u64 rptr, wptr;

	sdma_rlc_peek(&q->pn->node->dev->sdma, q->instance, q->slot, &rptr, &wptr);
	return rptr != wptr;
}

/* The engine gave it up, now or before it was unloaded for another reason. */
static bool queue_halted_locked(const struct kfd_queue *q)
{
	if (q->slot == KFD_NO_SLOT)
		return q->hw.halted;
	return sdma_rlc_halted(&q->pn->node->dev->sdma, q->instance, q->slot);
}

static bool queue_on_instance(const struct kfd_queue *q, const struct kfd_queue_fault *fault)
{
	return fault->instance < 0 || q->instance == fault->instance;
}

/* An entry is about one queue; if there are more such queues their entries follow. */
static void fault_halted_locked(struct kfd_process_node *pn, struct kfd_queue_fault *fault)
{
	struct kfd_queue *q;

	list_for_each_entry(q, &pn->queues, link) {
		if (q->fault || !queue_on_instance(q, fault) || !queue_halted_locked(q))
			continue;
		kfd_queue_fault_locked(q, fault);
		return;
	}
}

static bool fault_told_locked(const struct kfd_process_node *pn,
			      const struct kfd_queue_fault *fault)
{
	const struct kfd_queue *q;

	list_for_each_entry(q, &pn->queues, link)
		if (q->fault && queue_on_instance(q, fault))
			return true;
	return false;
}

static void fault_loaded_locked(struct kfd_process_node *pn, struct kfd_queue_fault *fault,
				bool busy)
{
	struct kfd_queue *q;

	list_for_each_entry(q, &pn->queues, link)
		if (q->slot != KFD_NO_SLOT && queue_on_instance(q, fault) &&
		    (!busy || queue_busy_locked(q)))
			kfd_queue_fault_locked(q, fault);
}

static struct kfd_queue *queue_in_slot_locked(struct kfd_process_node *pn,
					      const struct kfd_queue_fault *fault)
{
	struct kfd_queue *q;

	list_for_each_entry(q, &pn->queues, link)
		if (q->instance == fault->instance && q->slot == fault->slot)
			return q;
	return NULL;
}

/* Who is in the slot now need not be who was when the entry was written. */
static void fault_slot_locked(struct kfd_process_node *pn, struct kfd_queue_fault *fault)
{
	struct kfd_queue *q = queue_in_slot_locked(pn, fault);

	if (!q || q->fault || !queue_halted_locked(q)) {
		fault_halted_locked(pn, fault);
		if (fault->stopped || fault_told_locked(pn, fault))
			return;
	}
	if (q)
		kfd_queue_fault_locked(q, fault);
}

/**
 * kfd_queue_fault - stop what faulted
 * @pn: process and node
 * @fault: what is known; the result goes there as well
 *
 * The queue is stopped whose context shows an exception, loaded or not: queues change their
 * slots. If none does, one that was stopped for a fault before has been told of this one;
 * else the queue in the slot that the entry names is stopped; where it names none the
 * queues with work left are, or all of them if none has any.
 *
 * Context: Process context. Takes node->lock.
 */
void kfd_queue_fault(struct kfd_process_node *pn, struct kfd_queue_fault *fault)
{
	fault->stopped = 0;
	mutex_lock(&pn->node->lock);
	if (fault->slot >= 0)
		fault_slot_locked(pn, fault);
	else
		fault_halted_locked(pn, fault);
	if (!fault->stopped && fault->slot < 0 && !fault_told_locked(pn, fault)) {
		fault_loaded_locked(pn, fault, true);
		if (!fault->stopped)
			fault_loaded_locked(pn, fault, false);
	}
	mutex_unlock(&pn->node->lock);
}
