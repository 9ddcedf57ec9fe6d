/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: who runs next, the decisions
 *
 * Pure: no lock, no hardware, no clock of its own; kfd_queue_sched.c brings all of that.
 *
 * A queue in a slot is charged for the *work* that its engine did for it, divided by the
 * queue's weight; the sum is its *share*.  Of those that wait the one with the smallest
 * share is next, and it takes the slot of the one with the largest that has had its slice.
 * So after any number of turns two queues that always have work differ by about one turn,
 * however long turns were: time does not enter, because an engine that is a thread of a
 * busy machine does much in one slice and nothing in another.
 *
 * A turn does not end before the engine has done something for the queue, unless it takes
 * very long, or a queue that the engine is slow to begin with would have turn after turn
 * and get nothing.  One that has a slot and does nothing with it (half a packet is rung)
 * is charged an eighth of what the engine does in that time, so that it goes on to give way.
 */
#ifndef CARILLON_KFD_SCHED_H
#define CARILLON_KFD_SCHED_H

#include <linux/types.h>

/* After this time in a slot a queue may lose it to one that is behind. */
#define KFD_SCHED_SLICE_NS	8000000ULL
/* A queue for which nothing was done keeps its slot for so long. */
#define KFD_SCHED_PATIENCE_NS	(4 * KFD_SCHED_SLICE_NS)
/* A queue that was just loaded may have work that the engine has not seen yet. */
#define KFD_SCHED_SETTLE_NS	1000000ULL

/**
 * struct kfd_sched_clock - what an engine's queues have in common
 * @share: of the last queue that was chosen; never goes back
 * @total: work done for all of them
 * @typical: work that a queue with work has had done for it in a slice, averaged
 */
struct kfd_sched_clock {
	u64 share;
	u64 total;
	u64 typical;
};

/**
 * struct kfd_sched_queue - a queue's account
 * @share: work charged, divided by @weight
 * @weight: 1 to 16
 * @since: time when it was loaded, ns
 * @looked: time of the last charge, ns
 * @work: its slot's count then
 * @total: its engine's count then
 * @worked: something was done for it since it was loaded
 * @idle: it had no work then
 */
struct kfd_sched_queue {
	u64 share;
	u32 weight;
	u64 since;
	u64 looked;
	u64 work;
	u64 total;
	bool worked;
	bool idle;
};

u32 kfd_sched_weight(u32 priority);
void kfd_sched_clock_init(struct kfd_sched_clock *clock);
void kfd_sched_join(const struct kfd_sched_clock *clock, struct kfd_sched_queue *q);
void kfd_sched_load(struct kfd_sched_clock *clock, struct kfd_sched_queue *q, u64 now, u64 work);
void kfd_sched_look(struct kfd_sched_clock *clock, struct kfd_sched_queue *q, u64 now, u64 work,
		    bool idle);
bool kfd_sched_before(const struct kfd_sched_queue *a, const struct kfd_sched_queue *b);
bool kfd_sched_gives_way(const struct kfd_sched_queue *loaded,
			 const struct kfd_sched_queue *waiting, u64 now);
int kfd_sched_victim(const struct kfd_sched_queue *const slot[], unsigned int slots,
		     const struct kfd_sched_queue *waiting, u64 now);

#endif /* CARILLON_KFD_SCHED_H */
