// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: jobs
 *
 * Life of a job: a free *slot* of the least loaded ring and a fence are taken →
 * the caller fills the indirect buffer → submission reserves room in the ring,
 * arms the fence and commits one frame (VM flush where the job brings a page
 * directory, HDP flush, INDIRECT, FENCE, TRAP) → the trap interrupt signals the
 * fence → its callback gives the slot back.
 *
 * Everything that can fail happens before the caller holds the job.  Should the
 * ring die in between, the fence ends with an error.
 */
#include <linux/err.h>
#include <linux/jiffies.h>

#include "sdma_device.h"
#include "sdma_emit.h"
#include "sdma_fence.h"
#include "sdma_trace.h"

/* Invalidate engines of the hub that rings use: from 4 on, as amdgpu; the CPU has 17. */
#define SDMA_JOB_FIRST_ENGINE	4
#define SDMA_JOB_MAX_FRAME	(SDMA_JOB_FLUSH_DWORDS + SDMA_JOB_FRAME_DWORDS)

static_assert(SDMA_JOB_MAX_FRAME <= SDMA_FRAME_MAX_DWORDS);
static_assert(SDMA_JOB_MAX_DWORDS % SDMA_FETCH_DWORDS == 0);

static void sdma_slot_give_back(struct sdma_job *job)
{
	struct sdma_ring *ring = job->ring;

	dma_fence_put(job->prev);
	job->prev = NULL;
	clear_bit_unlock(job->slot, ring->slots);
	wake_up(&ring->sdma->slot_wait);
}

static struct sdma_job *sdma_slot_take(struct sdma_ring *ring)
{
	unsigned int slot;

	for (;;) {
		slot = find_first_zero_bit(ring->slots, SDMA_RING_SLOTS);
		if (slot >= SDMA_RING_SLOTS)
			return NULL;
		if (!test_and_set_bit_lock(slot, ring->slots))
			return &ring->jobs[slot];
	}
}

/*
 * The live ring of @kind with the fewest jobs; NULL if there is none.  User queues
 * are not weighed: how busy they are is not known here.
 */
static struct sdma_ring *sdma_ring_pick(struct sdma_device *sdma, enum sdma_ring_kind kind,
					unsigned long mask)
{
	unsigned int instance, load, least = UINT_MAX;
	struct sdma_ring *ring, *best = NULL;

	for_each_set_bit(instance, &mask, HW_MAX_SDMA_INSTANCES) {
		ring = sdma_ring_of(sdma, instance, kind);
		if (!READ_ONCE(ring->live))
			continue;
		load = bitmap_weight(ring->slots, SDMA_RING_SLOTS);
		if (load < least) {
			least = load;
			best = ring;
		}
	}
	return best;
}

/* Is one of them being recovered? */
static bool sdma_ring_to_come(struct sdma_device *sdma, enum sdma_ring_kind kind,
			      unsigned long mask)
{
	struct sdma_ring *ring;
	unsigned int instance;

	for_each_set_bit(instance, &mask, HW_MAX_SDMA_INSTANCES) {
		ring = sdma_ring_of(sdma, instance, kind);
		if (READ_ONCE(ring->cause) && !READ_ONCE(ring->error))
			return true;
	}
	return false;
}

/*
 * False: all slots are taken or rings are being recovered, wait; @job stays as it is.
 * True: @job, or ERR_PTR() if waiting is of no use.
 */
static bool sdma_job_try(struct sdma_device *sdma, enum sdma_ring_kind kind, u16 mask,
			 struct sdma_job **job)
{
	unsigned long live = READ_ONCE(sdma->mask);
	struct sdma_job *taken;
	struct sdma_ring *ring;

	live = mask ? live & mask : live;
	ring = sdma_ring_pick(sdma, kind, live);
	if (!ring && sdma_ring_to_come(sdma, kind, live) && !READ_ONCE(sdma->hw->lost))
		return false;
	if (!ring || READ_ONCE(sdma->hw->lost)) {
		*job = ERR_PTR(-ENODEV);
		return true;
	}
	taken = sdma_slot_take(ring);
	if (!taken)
		return false;
	/* sdma_ring_pause() takes the ring away first and looks for jobs afterwards. */
	smp_mb__after_atomic();
	if (!READ_ONCE(ring->live)) {
		sdma_slot_give_back(taken);
		return false;
	}
	*job = taken;
	return true;
}

static void sdma_job_reset(struct sdma_job *job, unsigned int dwords)
{
	job->len = 0;
	job->max = dwords;
	job->vmid = 0;
	job->ib_va = 0;
	job->root = 0;
	job->bytes = 0;
	job->submitted = false;
}

/**
 * sdma_job_alloc - take a slot and a fence
 * @sdma: device
 * @kind: which kind of ring
 * @mask: instances to choose from; 0: any
 * @dwords: how many dwords the caller will fill at most
 *
 * Context: process; sleeps, bounded by the fence time-out, until a slot is free.
 * Enters no reclaim.
 * Return: the job; ERR_PTR() with -EINVAL (size), -ENODEV (no such ring or device
 * lost), -ETIMEDOUT (no slot), -ENOMEM (no fence).
 */
struct sdma_job *sdma_job_alloc(struct sdma_device *sdma, enum sdma_ring_kind kind, u16 mask,
				unsigned int dwords)
{
	long limit = msecs_to_jiffies(sdma_fence_timeout_ms());
	struct sdma_job *job = ERR_PTR(-ETIMEDOUT);

	if (!dwords || dwords > SDMA_JOB_MAX_DWORDS)
		return ERR_PTR(-EINVAL);
	wait_event_timeout(sdma->slot_wait, sdma_job_try(sdma, kind, mask, &job), limit);
	if (IS_ERR(job))
		return job;
	sdma_job_reset(job, dwords);
	job->fence = sdma_fence_alloc(job->ring->timeline);
	if (job->fence)
		return job;
	sdma_slot_give_back(job);
	return ERR_PTR(-ENOMEM);
}

/**
 * sdma_job_cancel - give a job back that was not submitted
 * @job: from sdma_job_alloc()
 *
 * Context: any.
 */
void sdma_job_cancel(struct sdma_job *job)
{
	sdma_fence_discard(job->fence);
	job->fence = NULL;
	sdma_slot_give_back(job);
}

static void sdma_job_done(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	sdma_slot_give_back(container_of(cb, struct sdma_job, done_cb));
}

/* Whole fetch groups, at least one. */
static unsigned int sdma_job_pad(struct sdma_job *job)
{
	unsigned int len = min_t(unsigned int, job->len, SDMA_JOB_MAX_DWORDS);

	WARN_ON_ONCE(job->len > job->max);
	if (!len)
		len = sdma_emit_nop(job->ib, 0, 1);
	return sdma_emit_pad(job->ib, len);
}

static unsigned int sdma_job_frame_dwords(const struct sdma_job *job)
{
	return SDMA_JOB_FRAME_DWORDS + (job->root ? SDMA_JOB_FLUSH_DWORDS : 0);
}

/* Each hub has engines of its own. */
static unsigned int sdma_job_engine(const struct sdma_ring *ring)
{
	const u8 *hub = ring->sdma->hw->chip->sdma_hub;
	unsigned int i, before = 0;

	for (i = 0; i < ring->instance; i++)
		before += hub[i] == hub[ring->instance];
	return SDMA_JOB_FIRST_ENGINE + before * SDMA_RING_KINDS + ring->kind;
}

static void sdma_job_frame(const struct sdma_job *job, u32 *words)
{
	struct sdma_ring *ring = job->ring;
	const struct sdma_bus_regs *bus = ring->sdma->bus;
	struct hw_device *hw = ring->sdma->hw;
	const struct sdma_job_frame frame = {
		.hdp_req = bus->hdp_req,
		.hdp_done = bus->hdp_done,
		.hdp_bits = bus->hdp_bit << ring->instance,
		.vmid = job->vmid,
		.root = job->root,
		.hub = hw_hub_reg(hw, hw->chip->sdma_hub[ring->instance], 0),
		.no_semaphore = hw->chip->mmhub->no_semaphore,
		.engine = sdma_job_engine(ring),
		.ib = job->vmid ? job->ib_va : job->ib_mc,
		.ib_dwords = job->ib_dwords,
		.fence = sdma_ring_fence_mc(ring),
		.seq = job->seq,
	};

	sdma_emit_job_frame(words, &frame);
}

static void sdma_job_commit(struct sdma_job *job, const struct sdma_ring_plan *plan)
{
	u32 words[SDMA_JOB_MAX_FRAME];

	sdma_job_frame(job, words);
	sdma_ring_commit(job->ring, plan, words, sdma_job_frame_dwords(job));
}

/* What a batch has left undone is not to look done. */
static void sdma_job_follow(struct sdma_job *job)
{
	/* One that was spoiled itself has its error before it signals. */
	if (!job->prev || !READ_ONCE(job->prev->error))
		return;
	if (sdma_timeline_spoil(job->ring->timeline, job->seq, -ECANCELED))
		job->ib_dwords = sdma_emit_pad(job->ib, sdma_emit_nop(job->ib, 0, 1));
}

static struct sdma_job *sdma_job_of(struct sdma_ring *ring, u32 seq)
{
	unsigned int slot;

	for_each_set_bit(slot, ring->slots, SDMA_RING_SLOTS)
		if (ring->jobs[slot].submitted && ring->jobs[slot].seq == seq)
			return &ring->jobs[slot];
	return NULL;
}

/**
 * sdma_jobs_run_again - put the jobs that are not done into a restarted ring
 * @ring: ring
 *
 * In the order of their numbers, which they keep.  If one cannot be placed, the ring dies
 * again.
 *
 * Context: process, holding the ring's lock.
 */
void sdma_jobs_run_again(struct sdma_ring *ring)
{
	const struct sdma_timeline *tl = ring->timeline;
	struct sdma_ring_plan plan;
	struct sdma_job *job;
	u32 seq;
	int ret;

	lockdep_assert_held(&ring->lock);
	for (seq = READ_ONCE(tl->signalled) + 1; sdma_seq_passed(READ_ONCE(tl->emitted), seq);
	     seq++) {
		job = sdma_job_of(ring, seq);
		if (!job)
			continue;
		ret = sdma_ring_reserve(ring, sdma_job_frame_dwords(job), &plan);
		if (ret) {
			sdma_ring_die(ring, ret);
			return;
		}
		sdma_job_follow(job);
		sdma_job_commit(job, &plan);
	}
}

/**
 * sdma_job_drop_semaphore - a ring was stopped, perhaps in the middle of a VM flush
 * @ring: ring that the engine does not run
 *
 * Context: any.
 */
void sdma_job_drop_semaphore(struct sdma_ring *ring)
{
	struct hw_device *hw = ring->sdma->hw;
	struct sdma_vm_flush flush;

	if (hw->chip->mmhub->no_semaphore)
		return;
	sdma_vm_flush_mmhub_1_0(&flush, hw_hub_reg(hw, hw->chip->sdma_hub[ring->instance], 0), 0,
				sdma_job_engine(ring));
	hw_write(hw, flush.sem, 0);
}

/* Room in the ring; none is needed while it recovers. */
static int sdma_job_reserve(struct sdma_job *job, struct sdma_ring_plan *plan)
{
	struct sdma_ring *ring = job->ring;
	int ret;

	if (ring->recovering)
		return -EAGAIN;
	ret = sdma_ring_reserve(ring, sdma_job_frame_dwords(job), plan);
	if (ret)
		sdma_ring_die(ring, ret);
	return ret;
}

/**
 * sdma_job_submit - hand a job to the engine
 * @job: from sdma_job_alloc(), with @ib and @len filled; gone afterwards
 *
 * Context: process; may sleep, bounded by the fence time-out, until the ring has
 * room.  Allocates nothing.
 * Return: the fence, with one reference of the caller.
 */
struct dma_fence *sdma_job_submit(struct sdma_job *job)
{
	struct sdma_ring *ring = job->ring;
	struct dma_fence *fence = job->fence;
	struct sdma_ring_plan plan;
	bool cookie;
	int ret;

	job->fence = NULL;
	job->ib_dwords = sdma_job_pad(job);
	atomic64_inc(&ring->count_jobs);
	atomic64_add(job->bytes, &ring->count_bytes);

	mutex_lock(&ring->lock);
	cookie = dma_fence_begin_signalling();
	ret = sdma_job_reserve(job, &plan);
	/* Armed even so: recovery runs it, or ends it, in its turn. */
	job->seq = sdma_fence_arm(fence);
	job->submitted = true;
	trace_sdma_submit(ring, job, job->seq, job->ib_dwords);
	if (!ret) {
		sdma_job_follow(job);
		sdma_job_commit(job, &plan);
	}
	dma_fence_end_signalling(cookie);
	mutex_unlock(&ring->lock);

	if (dma_fence_add_callback(fence, &job->done_cb, sdma_job_done))
		sdma_slot_give_back(job);
	return fence;
}
