// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: recovery of an instance
 *
 * A ring that hangs or faults takes its instance through a reset: its user queues leave
 * the hardware, both rings are disabled, the processor is halted, rings start anew at
 * RPTR 0 and pass the ring test.  The *guilty* job fails with -ECANCELED; jobs behind
 * it, and those of the other ring, are *innocent* and run again from their beginning
 * under the numbers that they have.  Then user queues come back.
 *
 * Guilty is the oldest job of a ring that the engine does not let go of, or that
 * reported a bad packet; if no ring and no user queue is such, that of the ring that
 * stood still.  So each recovery ends one job or one user queue, and a ring that hangs
 * again and again runs out of jobs in the end.
 *
 * If the queue does not leave a halted engine, or the rings fail their test, the
 * instance is given up: it stays halted and its jobs end with an error.
 *
 * The registers that SDMA 4 has for it are F32_CNTL and RB_CNTL: GRBM_SOFT_RESET knows no
 * SDMA on GFX9, and the public sdma_v4_0.c of Linux 6.1 leaves soft reset to be done.
 *
 * Not done: reset of the whole device.
 */
#include <linux/bitops.h>

#include "sdma_device.h"
#include "sdma_fence.h"

static struct sdma_ring *instance_ring(struct sdma_device *sdma, unsigned int instance,
				       unsigned int kind)
{
	return &sdma->instance[instance]->rings[kind];
}

/* From here on jobs only take numbers; nothing is placed on the rings. */
static void recover_hold(struct sdma_device *sdma, unsigned int instance)
{
	unsigned int kind;

	for (kind = 0; kind < sdma_ring_kinds(sdma); kind++) {
		struct sdma_ring *ring = instance_ring(sdma, instance, kind);

		/* The other ring has done nothing, and shall not die of standing still now. */
		cmpxchg(&ring->cause, 0, -ECANCELED);
		WRITE_ONCE(ring->live, false);
		mutex_lock(&ring->lock);
		ring->recovering = true;
		mutex_unlock(&ring->lock);
	}
}

/* Bit mask of rings that the engine does not let go of. */
static unsigned int recover_disable(struct sdma_device *sdma, unsigned int instance)
{
	unsigned int kind, hung = 0;

	for (kind = 0; kind < sdma_ring_kinds(sdma); kind++)
		if (sdma->funcs->ring_stop(sdma->hw, instance, kind))
			hung |= BIT(kind);
	return hung;
}

static bool recover_begin_users(struct sdma_device *sdma, unsigned int instance)
{
	const struct sdma_user_ops *ops;
	bool hung = false;

	mutex_lock(&sdma->user_lock);
	ops = rcu_access_pointer(sdma->user) ? sdma->user_slot.ops : NULL;
	if (ops)
		hung = ops->reset_begin(sdma->user_slot.data, instance);
	mutex_unlock(&sdma->user_lock);
	return hung;
}

static void recover_end_users(struct sdma_device *sdma, unsigned int instance, bool ok)
{
	const struct sdma_user_ops *ops;

	if (ok)
		sdma_rlc_restored(sdma, instance);
	mutex_lock(&sdma->user_lock);
	ops = rcu_access_pointer(sdma->user) ? sdma->user_slot.ops : NULL;
	if (ops)
		ops->reset_end(sdma->user_slot.data, instance, ok);
	mutex_unlock(&sdma->user_lock);
}

static void recover_cancel(struct sdma_ring *ring, bool dump)
{
	u32 seq;

	if (!sdma_timeline_cancel(ring->timeline, -ECANCELED, &seq))
		return;
	atomic64_inc(&ring->count_canceled);
	dev_err(sdma_dev(ring->sdma), "%s: job with fence %u is guilty and canceled\n",
		ring->name, seq);
	if (dump)
		sdma_coredump_guilty(ring->sdma, ring->name, seq);
}

/* @hung: rings that did not leave; @user: a user queue did not. */
static void recover_cancel_guilty(struct sdma_device *sdma, unsigned int instance,
				  unsigned int hung, bool user, bool dump)
{
	unsigned int kind;

	for (kind = 0; kind < sdma_ring_kinds(sdma); kind++) {
		struct sdma_ring *ring = instance_ring(sdma, instance, kind);
		bool still = ring->cause == -ETIMEDOUT && !hung && !user;

		sdma_timeline_process(ring->timeline);
		if ((hung & BIT(kind)) || ring->cause == -EIO || still)
			recover_cancel(ring, dump);
	}
}

/* The engine, halted, has let go of everything; rings from the beginning. */
static int recover_restart(struct sdma_device *sdma, unsigned int instance)
{
	unsigned int kind;
	int ret = 0;

	for (kind = 0; kind < sdma_ring_kinds(sdma); kind++) {
		struct sdma_ring *ring = instance_ring(sdma, instance, kind);

		sdma_job_drop_semaphore(ring);
		sdma_timeline_restart(ring->timeline);
		WRITE_ONCE(ring->cause, 0);
		sdma_ring_start(ring);
	}
	sdma->funcs->unhalt(sdma->hw, instance);
	for (kind = 0; kind < sdma_ring_kinds(sdma) && !ret; kind++)
		ret = sdma_ring_test(instance_ring(sdma, instance, kind));
	return ret;
}

static void recover_resume(struct sdma_device *sdma, unsigned int instance)
{
	unsigned int kind;

	for (kind = 0; kind < sdma_ring_kinds(sdma); kind++) {
		struct sdma_ring *ring = instance_ring(sdma, instance, kind);

		mutex_lock(&ring->lock);
		sdma_jobs_run_again(ring);
		ring->recovering = false;
		atomic64_inc(&ring->count_resets);
		/* Unless one of them has killed it again. */
		if (!READ_ONCE(ring->cause))
			WRITE_ONCE(ring->live, true);
		mutex_unlock(&ring->lock);
	}
}

static void recover_give_up(struct sdma_device *sdma, unsigned int instance)
{
	unsigned int kind;

	/* Nothing less keeps the engine from the memory that the fences guard. */
	sdma->funcs->halt(sdma->hw, instance);
	clear_bit(instance, &sdma->mask);
	dev_err(sdma_dev(sdma), "SDMA instance %u halted for good\n", instance);
	for (kind = 0; kind < sdma_ring_kinds(sdma); kind++) {
		struct sdma_ring *ring = instance_ring(sdma, instance, kind);
		int error = READ_ONCE(sdma->hw->lost) ? -ENODEV : -EIO;

		WRITE_ONCE(ring->live, false);
		cmpxchg(&ring->cause, 0, error);
		WRITE_ONCE(ring->error, error);
		sdma_timeline_kill(ring->timeline, error);
	}
}

static void recover_instance_locked(struct sdma_ring *ring)
{
	struct sdma_device *sdma = ring->sdma;
	unsigned int instance = ring->instance, hung;
	bool user, ok, dump;

	lockdep_assert_held(&sdma->recover_lock);

	recover_hold(sdma, instance);
	dump = sdma_coredump_begin(ring);
	hung = recover_disable(sdma, instance);
	user = recover_begin_users(sdma, instance);
	sdma->funcs->halt(sdma->hw, instance);
	recover_cancel_guilty(sdma, instance, hung, user, dump);
	/* Those that did not leave have to have left now. */
	ok = !READ_ONCE(sdma->hw->lost) && (!hung || !recover_disable(sdma, instance)) &&
	     !recover_restart(sdma, instance);
	if (ok)
		recover_resume(sdma, instance);
	else
		recover_give_up(sdma, instance);
	if (dump)
		sdma_coredump_end(sdma, ok ? "reset" : "given up");
	recover_end_users(sdma, instance, ok);
	if (ok)
		dev_info(sdma_dev(sdma), "SDMA instance %u was reset and goes on\n", instance);
}

/* A ring of an instance that is not, or no longer, in use. */
static void recover_bury(struct sdma_ring *ring)
{
	struct sdma_device *sdma = ring->sdma;

	if (sdma->funcs->ring_stop(sdma->hw, ring->instance, ring->kind))
		sdma->funcs->halt(sdma->hw, ring->instance);
	WRITE_ONCE(ring->error, ring->cause);
	sdma_timeline_kill(ring->timeline, ring->cause);
}

/**
 * sdma_reset_instance - a user queue does not leave its slot
 * @sdma: device
 * @instance: instance
 *
 * Context: any.
 */
void sdma_reset_instance(struct sdma_device *sdma, unsigned int instance)
{
	if (sdma->instance[instance])
		sdma_ring_die(instance_ring(sdma, instance, SDMA_RING_GFX), -ECANCELED);
}

/**
 * sdma_recover_work - a ring hangs or has faulted
 * @work: &sdma_ring.death
 *
 * Context: process; sleeps, bounded.  Takes &sdma_device.recover_lock and, in it, the
 * locks of rings, of RLC slots and of the layer that owns user queues.
 */
void sdma_recover_work(struct work_struct *work)
{
	struct sdma_ring *ring = container_of(work, struct sdma_ring, death);
	struct sdma_device *sdma = ring->sdma;

	mutex_lock(&sdma->recover_lock);
	/* Recovered along with the other ring meanwhile, or given up. */
	if (READ_ONCE(ring->cause) && !READ_ONCE(ring->error)) {
		sdma_report_ring(ring, ring->cause == -ETIMEDOUT ? "hangs" :
				 "is taken off the engine");
		if (test_bit(ring->instance, &sdma->mask))
			recover_instance_locked(ring);
		else
			recover_bury(ring);
	}
	mutex_unlock(&sdma->recover_lock);
	wake_up_all(&sdma->slot_wait);
}

/**
 * sdma_recover_flush - wait for recoveries of an instance that are under way
 * @sdma: device
 * @instance: an instance that is no longer in the mask
 *
 * Context: process; sleeps.
 */
void sdma_recover_flush(struct sdma_device *sdma, unsigned int instance)
{
	unsigned int kind;

	for (kind = 0; kind < sdma_ring_kinds(sdma); kind++)
		flush_work(&instance_ring(sdma, instance, kind)->death);
}
