// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: kernel rings
 *
 * See sdma_ring.h for the words and sdma_ring_math.h for the arithmetic.  The
 * engine's RPTR is read from write-back memory; WPTR goes out through the doorbell or
 * the WPTR register, whichever the module parameter says now.
 *
 * Neither is taken on trust where nothing moves.  Who waits long for room compares RPTR
 * in memory with the register, and takes the register's if a write-back was lost.  A
 * ring whose fences do not signal compares WPTR in the register with what was rung, and
 * rings once more if a doorbell was lost, before it counts as hung.
 */
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sizes.h>

#include "sdma_device.h"
#include "sdma_emit.h"
#include "sdma_fence.h"
#include "sdma_trace.h"

#include "../hw/hw_reg.h"
#include "../irq/irq.h"

/* What the ring test stores. */
#define SDMA_TEST_BEFORE	0xcafedead
#define SDMA_TEST_AFTER		0xdeadbeef
/* A ring's doorbell: 64-bit slots; that of the page ring is on the next page. */
#define SDMA_DOORBELL_BYTES	sizeof(u64)
#define SDMA_DOORBELL_PAGE	HW_DW(0x400)
/* After so long without room for a frame, registers are looked at. */
#define SDMA_ROOM_DOUBT_MS	100

static bool sdma_use_doorbell = true;
module_param_named(use_doorbell, sdma_use_doorbell, bool, 0644);
MODULE_PARM_DESC(use_doorbell,
		 "Publish WPTR of kernel SDMA rings through doorbells (default) or through registers; may change any time");

static unsigned int sdma_ring_size = SZ_16K;
module_param_named(sdma_ring_size, sdma_ring_size, uint, 0444);
MODULE_PARM_DESC(sdma_ring_size,
		 "Bytes of each kernel SDMA ring, a power of two from 4096 to 1048576 (default 16384)");

static u32 sdma_ring_size_dwords(void)
{
	u32 bytes = clamp_t(u32, sdma_ring_size, SDMA_RING_MIN_BYTES, SDMA_RING_MAX_BYTES);

	return sdma_bytes_to_dwords(roundup_pow_of_two(bytes));
}

/**
 * sdma_ring_rptr - how far the engine has come
 * @ring: ring
 *
 * Context: any.
 * Return: dwords, from write-back memory, or from the register where memory was found
 * to be behind it.
 */
u64 sdma_ring_rptr(const struct sdma_ring *ring)
{
	return max(sdma_bytes_to_dwords(READ_ONCE(ring->cells->rptr)),
		   READ_ONCE(ring->rptr_seen));
}

/* Has a write-back been lost?  Then the register says how far the engine is. */
static void sdma_ring_doubt_rptr(struct sdma_ring *ring)
{
	const struct sdma_device *sdma = ring->sdma;
	u64 rptr = sdma_bytes_to_dwords(sdma->funcs->get_rptr(sdma->hw, ring->instance,
							      ring->kind));

	lockdep_assert_held(&ring->lock);
	/* All ones, if the function is gone, are more than was ever committed. */
	if (rptr <= sdma_ring_rptr(ring) || rptr > ring->committed)
		return;
	WRITE_ONCE(ring->rptr_seen, rptr);
	atomic64_inc(&ring->count_stale);
	dev_warn_ratelimited(sdma_dev(sdma), "%s: RPTR in memory is stale, the engine is at 0x%llx\n",
			     ring->name, sdma_dwords_to_bytes(rptr));
}

/* Listen to the doorbell or to the register, whatever the user wants now. */
static bool sdma_ring_select(struct sdma_ring *ring)
{
	const struct sdma_device *sdma = ring->sdma;
	bool doorbell = READ_ONCE(sdma_use_doorbell);

	lockdep_assert_held(&ring->lock);
	if (doorbell == ring->doorbell_on)
		return doorbell;
	/* A slot may show an old value the moment the engine listens again: renew it first. */
	if (doorbell)
		hw_doorbell_write(sdma->hw, ring->doorbell,
				  sdma_dwords_to_bytes(ring->committed));
	sdma->funcs->ring_use_doorbell(sdma->hw, ring->instance, ring->kind, doorbell);
	ring->doorbell_on = doorbell;
	return doorbell;
}

/* Tell the engine about everything up to @end. */
static void sdma_ring_publish(struct sdma_ring *ring, u64 end)
{
	const struct sdma_device *sdma = ring->sdma;
	u64 bytes = sdma_dwords_to_bytes(end);
	bool doorbell = sdma_ring_select(ring);

	/* Packets in the ring before the WPTR that covers them. */
	wmb();
	WRITE_ONCE(ring->cells->wptr, bytes);
	ring->committed = end;
	trace_sdma_commit(ring, end);
	trace_sdma_doorbell(ring, end, doorbell);
	if (!doorbell) {
		sdma->funcs->set_wptr(sdma->hw, ring->instance, ring->kind, bytes);
		return;
	}
	/* WPTR in memory before the doorbell that makes the engine look. */
	wmb();
	hw_doorbell_write(sdma->hw, ring->doorbell, bytes);
}

static bool sdma_ring_gone(const struct sdma_ring *ring)
{
	return READ_ONCE(ring->cause) || READ_ONCE(ring->sdma->hw->lost);
}

/* The engine's WPTR is not the one that was rung. */
static bool sdma_ring_unrung(const struct sdma_ring *ring)
{
	const struct sdma_device *sdma = ring->sdma;

	return sdma->funcs->get_wptr(sdma->hw, ring->instance, ring->kind) !=
	       sdma_dwords_to_bytes(READ_ONCE(ring->committed));
}

static void sdma_ring_ring_again_locked(struct sdma_ring *ring)
{
	const struct sdma_device *sdma = ring->sdma;
	u64 bytes = sdma_dwords_to_bytes(ring->committed);

	lockdep_assert_held(&ring->lock);
	if (READ_ONCE(ring->cause) || ring->rung_again == ring->committed ||
	    !sdma_ring_unrung(ring))
		return;
	ring->rung_again = ring->committed;
	ring->rung_jiffies = jiffies;
	atomic64_inc(&ring->count_unrung);
	dev_warn_ratelimited(sdma_dev(sdma), "%s: doorbell lost, WPTR 0x%llx rung once more\n",
			     ring->name, bytes);
	if (ring->doorbell_on)
		hw_doorbell_write(sdma->hw, ring->doorbell, bytes);
	else
		sdma->funcs->set_wptr(sdma->hw, ring->instance, ring->kind, bytes);
}

/**
 * sdma_ring_ring_again - a ring does not move: has its doorbell been lost?
 * @ring: ring
 *
 * A WPTR is rung once more at most once.
 *
 * Context: process; takes the ring's lock.
 * Return: true if it was rung again so lately that more time is to be given.
 */
bool sdma_ring_ring_again(struct sdma_ring *ring)
{
	unsigned long limit = msecs_to_jiffies(sdma_fence_timeout_ms());
	bool again;

	mutex_lock(&ring->lock);
	sdma_ring_ring_again_locked(ring);
	again = ring->rung_again && ring->rung_again == ring->committed &&
		time_before(jiffies, ring->rung_jiffies + limit);
	mutex_unlock(&ring->lock);
	return again;
}

static void sdma_ring_again(struct work_struct *work)
{
	sdma_ring_ring_again(container_of(work, struct sdma_ring, again));
}

/* Bounded wait until the engine has consumed enough. */
static int sdma_ring_wait_room(struct sdma_ring *ring, u32 dwords)
{
	ktime_t deadline = ktime_add_ms(ktime_get(), sdma_fence_timeout_ms());
	ktime_t doubt = ktime_add_ms(ktime_get(), SDMA_ROOM_DOUBT_MS);
	bool last = false;

	while (sdma_ring_space(ring->dwords, ring->committed, sdma_ring_rptr(ring)) < dwords) {
		if (sdma_ring_gone(ring))
			return -ENODEV;
		/* One more look after the time is over. */
		if (last)
			return -ETIMEDOUT;
		last = ktime_after(ktime_get(), deadline);
		if (last || ktime_after(ktime_get(), doubt)) {
			sdma_ring_doubt_rptr(ring);
			sdma_ring_ring_again_locked(ring);
			doubt = ktime_add_ms(ktime_get(), SDMA_ROOM_DOUBT_MS);
		}
		usleep_range(20, 200);
	}
	/*
	 * The stores into the room that RPTR told about depend on this branch; the
	 * engine's reads of it came before it wrote RPTR.
	 */
	return sdma_ring_gone(ring) ? -ENODEV : 0;
}

static u32 *sdma_ring_at(const struct sdma_ring *ring, u64 counter)
{
	return (u32 *)ring->mem.cpu + ((u32)counter & (ring->dwords - 1));
}

/**
 * sdma_ring_reserve - make room for one frame
 * @ring: ring
 * @dwords: length of the frame
 * @plan: where it goes, for sdma_ring_commit()
 *
 * Waits, bounded, until the engine's RPTR leaves enough room.  NOPs that fill the
 * ring up to its end are published here.  After success nothing can fail.
 *
 * Context: process, holding the ring's lock.
 * Return: 0, -EINVAL (the frame can never fit), -ETIMEDOUT or -ENODEV.
 */
int sdma_ring_reserve(struct sdma_ring *ring, u32 dwords, struct sdma_ring_plan *plan)
{
	int ret;

	lockdep_assert_held(&ring->lock);
	ret = sdma_ring_plan_frame(ring->dwords, ring->committed, dwords, plan);
	if (ret)
		return ret;
	if (plan->lead) {
		ret = sdma_ring_wait_room(ring, plan->lead);
		if (ret)
			return ret;
		sdma_emit_nop(sdma_ring_at(ring, ring->committed), 0, plan->lead);
		trace_sdma_write(ring, plan->start);
		sdma_ring_publish(ring, plan->start);
	}
	ret = sdma_ring_wait_room(ring, plan->end - plan->start);
	if (!ret)
		ring->reserved = plan->end;
	return ret;
}

/**
 * sdma_ring_commit - copy a frame into its place and publish it
 * @ring: ring
 * @plan: from sdma_ring_reserve()
 * @frame: the frame
 * @dwords: its length as reserved
 *
 * Context: process, holding the ring's lock since sdma_ring_reserve().
 */
void sdma_ring_commit(struct sdma_ring *ring, const struct sdma_ring_plan *plan,
		      const u32 *frame, u32 dwords)
{
	u32 *at = sdma_ring_at(ring, plan->start);

	lockdep_assert_held(&ring->lock);
	WARN_ON_ONCE(plan->start + dwords + plan->pad != ring->reserved);
	memcpy(at, frame, sdma_dwords_to_bytes(dwords));
	sdma_emit_nop(at, dwords, plan->pad);
	trace_sdma_write(ring, plan->end);
	sdma_ring_publish(ring, plan->end);
}

static int sdma_ring_test_write(struct sdma_ring *ring)
{
	const u32 value = SDMA_TEST_AFTER;
	u32 frame[SDMA_FETCH_DWORDS];
	struct sdma_ring_plan plan;
	unsigned int len;
	int ret;

	len = sdma_emit_write_linear(frame, 0,
				     ring->cells_mc + offsetof(struct sdma_ring_cells, test),
				     &value, 1);
	mutex_lock(&ring->lock);
	ret = sdma_ring_reserve(ring, len, &plan);
	if (!ret)
		sdma_ring_commit(ring, &plan, frame, len);
	mutex_unlock(&ring->lock);
	return ret;
}

/**
 * sdma_ring_test - does the engine run what is in this ring?
 * @ring: a ring that was started; no job uses it yet
 *
 * Has the engine store one dword into write-back memory and waits for it.
 *
 * Context: process.
 * Return: 0, -ETIMEDOUT or -ENODEV.
 */
int sdma_ring_test(struct sdma_ring *ring)
{
	ktime_t deadline = ktime_add_ms(ktime_get(), sdma_fence_timeout_ms());
	bool last = false;
	int ret;

	WRITE_ONCE(ring->cells->test, SDMA_TEST_BEFORE);
	ret = sdma_ring_test_write(ring);
	if (ret)
		return ret;
	while (READ_ONCE(ring->cells->test) != SDMA_TEST_AFTER) {
		if (sdma_ring_gone(ring))
			return -ENODEV;
		if (last)
			return -ETIMEDOUT;
		last = ktime_after(ktime_get(), deadline);
		usleep_range(20, 200);
	}
	return 0;
}

/**
 * sdma_ring_die - a ring hangs or has faulted
 * @ring: ring
 * @cause: -ETIMEDOUT (hangs), -EIO (bad packet) or what else is wrong
 *
 * No job is placed on it from now on; a work item resets its instance, fails the job
 * that is to blame and has the others run again.  Until then another call has no effect.
 *
 * Context: any.
 */
void sdma_ring_die(struct sdma_ring *ring, int cause)
{
	if (cmpxchg(&ring->cause, 0, cause))
		return;
	WRITE_ONCE(ring->live, false);
	queue_work(system_unbound_wq, &ring->death);
}

static void sdma_ring_drain_irqs(void *owner)
{
	struct sdma_ring *ring = owner;

	dev_warn_ratelimited(sdma_dev(ring->sdma), "%s: interrupt lost, polling\n", ring->name);
	irq_poll(ring->sdma->irq);
}

static void sdma_ring_stuck(void *owner)
{
	struct sdma_ring *ring = owner;

	/* A second time-out finds it rung again already. */
	if (sdma_ring_unrung(ring) && READ_ONCE(ring->rung_again) != READ_ONCE(ring->committed))
		queue_work(system_unbound_wq, &ring->again);
	else
		sdma_ring_die(ring, -ETIMEDOUT);
}

static const struct sdma_timeline_ops sdma_ring_timeline_ops = {
	.drain = sdma_ring_drain_irqs,
	.stuck = sdma_ring_stuck,
};

static u32 sdma_ring_doorbell(const struct sdma_ring *ring)
{
	const struct hw_chip *chip = ring->sdma->hw->chip;
	u32 offset = chip->sdma_doorbell[ring->instance] * SDMA_DOORBELL_BYTES;

	return ring->kind == SDMA_RING_PAGE ? offset + SDMA_DOORBELL_PAGE : offset;
}

static void sdma_ring_place_cells(struct sdma_ring *ring)
{
	size_t offset = (ring->instance * SDMA_RING_KINDS + ring->kind) *
			sizeof(struct sdma_ring_cells);

	ring->cells = ring->sdma->cells.cpu + offset;
	ring->cells_mc = ring->sdma->cells.mc + offset;
}

/* What of a job never changes. */
static void sdma_ring_place_jobs(struct sdma_ring *ring)
{
	const size_t bytes = SDMA_JOB_MAX_DWORDS * sizeof(u32);
	unsigned int slot;

	for (slot = 0; slot < SDMA_RING_SLOTS; slot++) {
		ring->jobs[slot].ring = ring;
		ring->jobs[slot].slot = slot;
		ring->jobs[slot].ib = ring->ibs.cpu + slot * bytes;
		ring->jobs[slot].ib_mc = ring->ibs.mc + slot * bytes;
		ring->jobs[slot].ib_dma = ring->ibs.dma + slot * bytes;
	}
}

/* Whose fences they are, for traces. */
static void sdma_ring_sign_timeline(struct sdma_ring *ring)
{
	struct sdma_timeline *tl = ring->timeline;

	strscpy(tl->gpu, pci_name(ring->sdma->hw->pdev), sizeof(tl->gpu));
	tl->instance = ring->instance;
	tl->kind = ring->kind;
}

/**
 * sdma_ring_init - memory of a ring
 * @ring: zeroed memory of the caller
 * @sdma: device; its write-back memory exists
 * @instance: instance
 * @kind: GFX or page
 *
 * Context: process.
 * Return: 0, or a negative errno of the allocations.
 */
int sdma_ring_init(struct sdma_ring *ring, struct sdma_device *sdma, unsigned int instance,
		   enum sdma_ring_kind kind)
{
	int ret;

	ring->sdma = sdma;
	ring->instance = instance;
	ring->kind = kind;
	ring->dwords = sdma_ring_size_dwords();
	snprintf(ring->name, sizeof(ring->name), "%s%u",
		 kind == SDMA_RING_PAGE ? "page" : "sdma", instance);
	mutex_init(&ring->lock);
	INIT_WORK(&ring->death, sdma_recover_work);
	INIT_WORK(&ring->again, sdma_ring_again);
	ring->doorbell = sdma_ring_doorbell(ring);
	sdma_ring_place_cells(ring);

	ret = hw_mem_alloc(sdma->hw, sdma_dwords_to_bytes(ring->dwords), &ring->mem);
	if (ret)
		return ret;
	ret = hw_mem_alloc(sdma->hw, SDMA_RING_SLOTS * SDMA_JOB_MAX_DWORDS * sizeof(u32),
			   &ring->ibs);
	if (ret)
		goto err_ring;
	sdma_ring_place_jobs(ring);
	ring->timeline = sdma_timeline_create(ring->name, 4 * SDMA_RING_SLOTS, &ring->cells->fence,
					      &sdma_ring_timeline_ops, ring);
	if (!IS_ERR(ring->timeline)) {
		sdma_ring_sign_timeline(ring);
		return 0;
	}
	ret = PTR_ERR(ring->timeline);
	hw_mem_free(sdma->hw, &ring->ibs);
err_ring:
	hw_mem_free(sdma->hw, &ring->mem);
	return ret;
}

/**
 * sdma_ring_fini - undo sdma_ring_init()
 * @ring: a ring that the engine no longer runs; its interrupts are unbound
 *
 * Context: process.
 */
void sdma_ring_fini(struct sdma_ring *ring)
{
	struct hw_device *hw = ring->sdma->hw;

	sdma_timeline_shutdown(ring->timeline, -ENODEV);
	/* Timer and interrupts, which could have queued it, are gone. */
	cancel_work_sync(&ring->death);
	cancel_work_sync(&ring->again);
	sdma_timeline_fini(ring->timeline);
	hw_mem_free(hw, &ring->ibs);
	hw_mem_free(hw, &ring->mem);
}

/**
 * sdma_ring_start - hand a ring to the engine
 * @ring: ring without jobs
 *
 * Context: process.
 */
void sdma_ring_start(struct sdma_ring *ring)
{
	const struct sdma_device *sdma = ring->sdma;
	struct sdma_ring_setup setup = {
		.base = ring->mem.mc,
		.dwords = ring->dwords,
		.rptr_mc = ring->cells_mc + offsetof(struct sdma_ring_cells, rptr),
		.wptr_mc = ring->cells_mc + offsetof(struct sdma_ring_cells, wptr),
		.doorbell = ring->doorbell,
		.use_doorbell = READ_ONCE(sdma_use_doorbell),
	};

	mutex_lock(&ring->lock);
	ring->reserved = 0;
	ring->committed = 0;
	ring->rptr_seen = 0;
	ring->rung_again = 0;
	ring->doorbell_on = setup.use_doorbell;
	ring->cells->rptr = 0;
	ring->cells->wptr = 0;
	ring->cells->test = 0;
	/* Numbers go on where they were; what is pending has not passed. */
	WRITE_ONCE(ring->cells->fence, READ_ONCE(ring->timeline->signalled));
	hw_doorbell_reset(sdma->hw, ring->doorbell);
	sdma->funcs->ring_resume(sdma->hw, ring->instance, ring->kind, &setup);
	mutex_unlock(&ring->lock);
}

/**
 * sdma_ring_stop - take a ring off the engine
 * @ring: ring; nobody submits any more
 *
 * An engine that does not let go of the ring is halted.
 *
 * Context: process.
 */
void sdma_ring_stop(struct sdma_ring *ring)
{
	const struct sdma_device *sdma = ring->sdma;

	WRITE_ONCE(ring->live, false);
	/* Make any later death a no-op, then wait for one that runs. */
	cmpxchg(&ring->cause, 0, -ENODEV);
	flush_work(&ring->death);
	if (sdma->funcs->ring_stop(sdma->hw, ring->instance, ring->kind) == -ETIMEDOUT) {
		sdma_report_ring(ring, "does not stop");
		sdma->funcs->halt(sdma->hw, ring->instance);
	}
}

static bool sdma_ring_no_jobs(struct sdma_ring *ring)
{
	return bitmap_empty(ring->slots, SDMA_RING_SLOTS);
}

/**
 * sdma_ring_pause - take a ring off the engine for a while
 * @ring: ring; no new job is placed on it
 *
 * Its jobs are finished first.  If they are not within the fence time-out, or the
 * engine does not let go of the ring, the ring dies.
 *
 * Context: process; sleeps.
 */
void sdma_ring_pause(struct sdma_ring *ring)
{
	const long limit = msecs_to_jiffies(sdma_fence_timeout_ms());
	struct sdma_device *sdma = ring->sdma;

	WRITE_ONCE(ring->live, false);
	if (!wait_event_timeout(sdma->slot_wait, sdma_ring_no_jobs(ring), limit))
		sdma_ring_die(ring, -ETIMEDOUT);
	else if (!READ_ONCE(ring->cause) &&
		 sdma->funcs->ring_stop(sdma->hw, ring->instance, ring->kind) == -ETIMEDOUT)
		sdma_ring_die(ring, -ETIMEDOUT);
	flush_work(&ring->death);
}
