// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: where the rings stand
 *
 * The report on a time-out, the bounded wait that asks for it, and the table in
 * debugfs.
 */
#include <linux/seq_file.h>

#include "sdma_decode.h"
#include "sdma_device.h"
#include "sdma_fence.h"

/**
 * sdma_report_ring - log where a ring stands
 * @ring: ring
 * @why: what happened, as a clause after the ring's name
 *
 * Context: any.
 */
void sdma_report_ring(struct sdma_ring *ring, const char *why)
{
	const struct sdma_device *sdma = ring->sdma;
	const struct sdma_timeline *tl = ring->timeline;
	u64 rptr = sdma_ring_rptr(ring);
	char packet[SDMA_DECODE_TEXT] = "none, ring empty";

	if (rptr != ring->committed)
		sdma_dump_packet(ring, rptr, packet, sizeof(packet));
	dev_err_ratelimited(sdma_dev(sdma),
			    "SDMA instance %u %s ring (%s) %s: RPTR 0x%llx (register 0x%llx) WPTR 0x%llx (register 0x%llx) bytes, context status 0x%x, fence %u of %u, packet at RPTR: %s\n",
			    ring->instance, ring->kind == SDMA_RING_PAGE ? "page" : "GFX",
			    ring->name, why, sdma_dwords_to_bytes(rptr),
			    sdma->funcs->get_rptr(sdma->hw, ring->instance, ring->kind),
			    sdma_dwords_to_bytes(ring->committed),
			    sdma->funcs->get_wptr(sdma->hw, ring->instance, ring->kind),
			    sdma->funcs->context_status(sdma->hw, ring->instance, ring->kind),
			    READ_ONCE(tl->signalled), READ_ONCE(tl->emitted), packet);
}

/* True if it signalled; while the ring gets on with what is before it, time does not run out. */
static bool sdma_fence_wait_turn(struct dma_fence *fence, const struct sdma_timeline *tl,
				 unsigned long limit)
{
	u32 seen;

	do {
		seen = READ_ONCE(tl->signalled);
		if (dma_fence_wait_timeout(fence, false, limit))
			return true;
	} while (READ_ONCE(tl->signalled) != seen);
	return false;
}

/* A fence of ours, no limit of the caller: it is signalled afterwards, one way or the other. */
static void sdma_fence_wait_ring(struct dma_fence *fence, struct sdma_timeline *tl)
{
	const unsigned long limit = msecs_to_jiffies(sdma_fence_timeout_ms());
	struct sdma_ring *ring = READ_ONCE(tl->owner);

	/* Each time around a job has failed, so that this one comes to its turn in the end. */
	while (!sdma_fence_wait_turn(fence, tl, limit) && ring) {
		if (sdma_ring_ring_again(ring))
			continue;
		/* The fallback timer finds the same; this is for a system too busy to run it. */
		sdma_ring_die(ring, -ETIMEDOUT);
		flush_work(&ring->death);
	}
}

static void sdma_report_fence(const struct sdma_timeline *tl)
{
	struct sdma_ring *ring = tl ? READ_ONCE(tl->owner) : NULL;

	if (ring)
		sdma_report_ring(ring, "did not signal in time");
}

/**
 * sdma_fence_wait - wait for a fence, bounded
 * @fence: fence of a job, or any other
 * @timeout_ms: longest wait; 0: until the fence signals or its ring has not moved
 *	for the time in the module parameter
 *
 * On time-out the ring is reported.  With @timeout_ms 0 it is also recovered, and the fence
 * has signalled when this returns, whatever it returns; with another value the engine may
 * still be using memory after -ETIMEDOUT.  The caller keeps the device alive.
 *
 * Context: process; sleeps, not interruptible.
 * Return: 0, the fence's error, or -ETIMEDOUT.
 */
int sdma_fence_wait(struct dma_fence *fence, unsigned int timeout_ms)
{
	struct sdma_timeline *tl = sdma_fence_timeline(fence);
	unsigned int ms = timeout_ms ? timeout_ms : sdma_fence_timeout_ms();

	if (tl && !timeout_ms)
		sdma_fence_wait_ring(fence, tl);
	else
		dma_fence_wait_timeout(fence, false, msecs_to_jiffies(ms));
	if (dma_fence_is_signaled(fence))
		return min(dma_fence_get_status(fence), 0);
	sdma_report_fence(tl);
	return -ETIMEDOUT;
}

static const char *sdma_ring_state(const struct sdma_ring *ring)
{
	if (READ_ONCE(ring->error))
		return "dead";
	if (READ_ONCE(ring->cause))
		return "dying";
	return READ_ONCE(ring->live) ? "live" : "off";
}

static void sdma_show_ring(struct sdma_ring *ring, struct seq_file *m)
{
	const struct sdma_timeline *tl = ring->timeline;

	seq_printf(m, "%u %s %llu %llu %u %u %lld %lld %lld %llu %lld %lld %lld %lld %s\n",
		   ring->instance, ring->kind == SDMA_RING_PAGE ? "page" : "gfx",
		   sdma_dwords_to_bytes(sdma_ring_rptr(ring)),
		   sdma_dwords_to_bytes(READ_ONCE(ring->committed)),
		   READ_ONCE(tl->emitted), READ_ONCE(tl->signalled),
		   atomic64_read(&ring->count_jobs), atomic64_read(&ring->count_bytes),
		   atomic64_read(&ring->count_traps), READ_ONCE(tl->lost),
		   atomic64_read(&ring->count_stale), atomic64_read(&ring->count_unrung),
		   atomic64_read(&ring->count_resets), atomic64_read(&ring->count_canceled),
		   sdma_ring_state(ring));
}

/**
 * sdma_show_rings - table of the kernel rings
 * @sdma: device
 * @m: where to
 *
 * RPTR and WPTR in bytes since the ring was started.
 *
 * Context: process.
 */
void sdma_show_rings(struct sdma_device *sdma, struct seq_file *m)
{
	unsigned int i, kind;

	seq_puts(m, "instance kind rptr wptr emitted signalled jobs bytes traps lost_irqs stale_rptrs lost_doorbells resets canceled state\n");
	for (i = 0; i < HW_MAX_SDMA_INSTANCES; i++) {
		if (!sdma->instance[i])
			continue;
		for (kind = 0; kind < sdma_ring_kinds(sdma); kind++)
			sdma_show_ring(&sdma->instance[i]->rings[kind], m);
	}
}
