// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: who runs next, the arithmetic
 *
 * See kfd_sched.h.  Shares are compared by their difference, so they may wrap.
 */
#include <linux/kernel.h>

#include "kfd_sched.h"

/* Work of weight 1 counts this much, so that a division by the weight loses nothing. */
#define SCHED_SCALE		720720ULL	/* what 1 to 16 divide */
/* Before anything was measured. */
#define SCHED_TYPICAL		64
/* For a slot that is held for nothing: one in so many of what the engine does meanwhile, */
#define SCHED_IDLE_PART		8
/* or of what it usually does in that time, since it may do nothing because of that. */
#define SCHED_STILL_PART	16
/* Weight of the latest value in the average. */
#define SCHED_AVERAGE		8
/* More cannot be the work of one slice; it keeps the arithmetic in 64 bits. */
#define SCHED_MAX_WORK		1000000ULL
#define SCHED_MAX_SLICES	1000

/**
 * kfd_sched_weight - part of the engine that a priority stands for
 * @priority: 0 to 15, as in CREATE_QUEUE; the thunk's "normal" is 7
 *
 * Return: 1 to 16.
 */
u32 kfd_sched_weight(u32 priority)
{
	return min_t(u32, priority, 15) + 1;
}

/* An engine that nobody has used. */
void kfd_sched_clock_init(struct kfd_sched_clock *clock)
{
	clock->share = 0;
	clock->total = 0;
	clock->typical = SCHED_TYPICAL;
}

/**
 * kfd_sched_join - a queue begins to wait
 * @clock: of its engine
 * @q: its account
 *
 * What it did not use while it had nothing to do is not saved up.
 */
void kfd_sched_join(const struct kfd_sched_clock *clock, struct kfd_sched_queue *q)
{
	if ((s64)(q->share - clock->share) < 0)
		q->share = clock->share;
}

/**
 * kfd_sched_load - a queue gets a slot
 * @clock: of its engine
 * @q: its account
 * @now: time, ns
 * @work: count of the work done in that slot
 */
void kfd_sched_load(struct kfd_sched_clock *clock, struct kfd_sched_queue *q, u64 now, u64 work)
{
	kfd_sched_join(clock, q);
	clock->share = q->share;
	q->since = now;
	q->looked = now;
	q->work = work;
	q->total = clock->total;
	q->worked = false;
	q->idle = false;
}

/* What a slot is worth in which little was done. */
static u64 sched_least(const struct kfd_sched_clock *clock, const struct kfd_sched_queue *q, u64 ns)
{
	u64 still = clock->typical * ns / (SCHED_STILL_PART * KFD_SCHED_SLICE_NS);

	return max_t(u64, (clock->total - q->total) / SCHED_IDLE_PART, still);
}

/* Short times are no measure: one turn of the engine in one microsecond is not the usual. */
static void sched_measure(struct kfd_sched_clock *clock, u64 done, u64 ns)
{
	u64 rate = min_t(u64, done * KFD_SCHED_SLICE_NS / ns, SCHED_MAX_WORK);

	if (done && ns >= KFD_SCHED_SLICE_NS / 4)
		clock->typical = (clock->typical * (SCHED_AVERAGE - 1) + rate) / SCHED_AVERAGE;
}

/**
 * kfd_sched_look - charge a queue for what was done since the last look
 * @clock: of its engine
 * @q: its account; it has a slot
 * @now: time, ns
 * @work: count of the work done in that slot
 * @idle: it has nothing to do
 */
void kfd_sched_look(struct kfd_sched_clock *clock, struct kfd_sched_queue *q, u64 now, u64 work,
		    bool idle)
{
	u64 ns = min_t(u64, max_t(u64, now - q->looked, 1), SCHED_MAX_SLICES * KFD_SCHED_SLICE_NS);
	u64 done = min_t(u64, work - q->work, SCHED_MAX_WORK);
	u64 least;

	clock->total += done;
	least = idle ? 0 : sched_least(clock, q, ns);
	if (!idle)
		sched_measure(clock, done, ns);
	q->share += max_t(u64, done, least) * SCHED_SCALE / q->weight;
	q->looked = now;
	q->work = work;
	q->total = clock->total;
	q->worked |= done;
	q->idle = idle && now - q->since >= KFD_SCHED_SETTLE_NS;
}

/* Is @a to run before @b? */
bool kfd_sched_before(const struct kfd_sched_queue *a, const struct kfd_sched_queue *b)
{
	return (s64)(a->share - b->share) < 0;
}

/**
 * kfd_sched_gives_way - may a queue lose its slot to another?
 * @loaded: it has one
 * @waiting: it wants one
 * @now: time, ns
 *
 * Return: true if it has nothing to do, or has had its slice and is ahead.
 */
bool kfd_sched_gives_way(const struct kfd_sched_queue *loaded,
			 const struct kfd_sched_queue *waiting, u64 now)
{
	u64 turn = loaded->worked ? KFD_SCHED_SLICE_NS : KFD_SCHED_PATIENCE_NS;

	return loaded->idle ||
	       (now - loaded->since >= turn && kfd_sched_before(waiting, loaded));
}

static bool better_victim(const struct kfd_sched_queue *a, const struct kfd_sched_queue *b)
{
	if (a->idle != b->idle)
		return a->idle;
	return a->idle ? a->since < b->since : kfd_sched_before(b, a);
}

/**
 * kfd_sched_victim - who gives its slot up
 * @slot: accounts of the queues in the slots; NULL for one that nobody may have
 * @slots: their number
 * @waiting: who wants one
 * @now: time, ns
 *
 * Return: a slot: of the queue without work that was loaded first, else of the one that is
 * furthest ahead of @waiting and has had its slice; less than 0 if there is none.
 */
int kfd_sched_victim(const struct kfd_sched_queue *const slot[], unsigned int slots,
		     const struct kfd_sched_queue *waiting, u64 now)
{
	unsigned int i;
	int best = -1;

	for (i = 0; i < slots; i++) {
		if (!slot[i] || !kfd_sched_gives_way(slot[i], waiting, now))
			continue;
		if (best < 0 || better_victim(slot[i], slot[best]))
			best = i;
	}
	return best;
}
