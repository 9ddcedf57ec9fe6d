// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: registers of an SDMA instance
 *
 * Rules that a driver can rely on:
 *
 * - RB_BASE, RB_SIZE, RB_VMID take effect when RB_ENABLE goes from 0 to 1; RPTR can be
 *   written while the queue is disabled.
 * - A register write pointer takes effect with the write of its high half.  While the
 *   queue is enabled it must lie between RPTR and RPTR + ring size and be a multiple of
 *   4; it may go back only while MINOR_PTR_UPDATE is set.  Else it is refused, and STATUS
 *   counts that (WPTR_UPDATE_FAIL_COUNT).
 * - After RB_ENABLE was cleared, CONTEXT_STATUS.IDLE says when the engine is off the
 *   queue.  On a user queue it finishes the packet that it is in, so that a queue that
 *   gets many short turns goes on and does nothing twice.  It does not wait for a
 *   packet that waits (a poll, memory that is not there yet), and gives up one that takes
 *   more than DRAIN_STEPS steps; on other queues it finishes the chunk that it is in.
 *   RPTR then stands at a packet that is wholly undone or that starts again when the
 *   queue is loaded.  An indirect buffer counts as its packet in the ring.
 * - What was stored into the doorbell before RB_ENABLE was cleared is in WPTR after it.
 * - CONTEXT_STATUS.EXCEPTION names a halted queue from before its interrupt is raised
 *   until the queue is enabled again.
 * - An RLC queue runs only with DOORBELL.ENABLE set: amdkfd sets RB_ENABLE again after
 *   it has unloaded a queue and cleared DOORBELL, and must not start it by that.
 * - After reset F32_CNTL.HALT is set.
 * - An instance that hangs (failure switch) shows the queue in question as not idle and
 *   runs nothing until F32_CNTL.HALT is written; a queue that is still enabled goes on
 *   where its RPTR stands.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/kernel.h>

#include "vgpu_failure.h"
#include "vgpu_sdma_state.h"
#include "vgpu_trace.h"

/* Values after reset, and while idle (sdma0_4_0_default.h of Linux 6.1). */
#define STATUS_REG_IDLE		0x46dee557
#define STATUS_REG_BITS		(SDMA4_STATUS_REG__IDLE | SDMA4_STATUS_REG__RB_EMPTY | \
				 SDMA4_STATUS_REG__EX_IDLE)
/* log2 of a ring's dwords: 256 bytes to 4 GiB. */
#define MIN_RB_SIZE		6
#define MAX_RB_SIZE		30
#define RB_BASE_HI_BITS		GENMASK(23, 0)
#define WPTR_FAIL_COUNT		GENMASK(7, 0)
/* Four times what the longest linear copy takes. */
#define DRAIN_STEPS		128

struct reset_value {
	u32 offset, value;
};

static const struct reset_value instance_defaults[] = {
	{ SDMA4_POWER_CNTL, 0x0003c000 },
	{ SDMA4_CLK_CTRL, 0xff000100 },
	{ SDMA4_CNTL, SDMA4_CNTL__UTC_L1_ENABLE },
	{ SDMA4_CHICKEN_BITS, 0x00831f07 },
	{ SDMA4_GB_ADDR_CONFIG, 0x00100012 },
	{ SDMA4_F32_CNTL, SDMA4_F32_CNTL__HALT },
	{ SDMA4_PHASE0_QUANTUM, 0x00010002 },
	{ SDMA4_PHASE1_QUANTUM, 0x00010002 },
	{ SDMA4_PHASE2_QUANTUM, 0x00010002 },
	{ SDMA4_ID, 1 },
	{ SDMA4_ATOMIC_CNTL, 0x00000200 },
	{ SDMA4_UTCL1_CNTL, 0xd0003019 },
	{ SDMA4_UTCL1_TIMEOUT, 0x00010001 },
	{ SDMA4_UTCL1_PAGE, 0x000003e0 },
};

static const struct reset_value queue_defaults[] = {
	{ SDMA4_Q_RB_CNTL, 0x00040000 },
	{ SDMA4_Q_RB_WPTR_POLL_CNTL, 0x00401000 },
	{ SDMA4_Q_IB_CNTL, 0x00000100 },
	{ SDMA4_Q_DUMMY_REG, 0x0000000f },
};

static void reset_queue_locked(struct vgpu_sdma *sdma, struct vgpu_sdma_queue *q)
{
	unsigned int i;

	vgpu_assert_locked(&sdma->lock);
	for (i = 0; i < VGPU_SDMA_QUEUE_REGS; i++)
		q->regs[i] = 0;
	for (i = 0; i < ARRAY_SIZE(queue_defaults); i++)
		*vgpu_sdma_qreg(q, queue_defaults[i].offset) = queue_defaults[i].value;
	q->enabled = false;
	q->blocked = false;
	q->drain = 0;
	q->epoch++;
	q->rptr = 0;
	q->wptr = 0;
	q->why = NULL;
}

/* Registers to their values after power-on; what control set stays. */
void vgpu_sdma_reset_locked(struct vgpu_sdma *sdma)
{
	unsigned int i;

	vgpu_assert_locked(&sdma->lock);
	for (i = 0; i < VGPU_SDMA_INST_REGS; i++)
		sdma->regs[i] = 0;
	for (i = 0; i < ARRAY_SIZE(instance_defaults); i++)
		*vgpu_sdma_reg(sdma, instance_defaults[i].offset) = instance_defaults[i].value;
	*vgpu_sdma_reg(sdma, SDMA4_VERSION) = sdma->profile->sdma_version;
	for (i = 0; i < sdma->queues; i++)
		reset_queue_locked(sdma, &sdma->queue[i]);
	if (sdma->hung)
		sdma->active = VGPU_SDMA_NONE;
	sdma->hung = false;
	sdma->local_time = 0;
}

/* The queue would run if it had work. */
bool vgpu_sdma_queue_runs_locked(struct vgpu_sdma *sdma, unsigned int queue)
{
	struct vgpu_sdma_queue *q = &sdma->queue[queue];

	vgpu_assert_locked(&sdma->lock);
	if (!q->enabled || q->held || q->why)
		return false;
	return !vgpu_sdma_is_user(queue) ||
	       (*vgpu_sdma_qreg(q, SDMA4_Q_DOORBELL) & SDMA4_Q_DOORBELL__ENABLE);
}

/* The instance as a whole may do a step. */
bool vgpu_sdma_may_step_locked(struct vgpu_sdma *sdma)
{
	vgpu_assert_locked(&sdma->lock);
	return !(*vgpu_sdma_reg(sdma, SDMA4_F32_CNTL) & SDMA4_F32_CNTL__HALT) &&
	       !(*vgpu_sdma_reg(sdma, SDMA4_FREEZE) & SDMA4_FREEZE__FREEZE) && !sdma->hung &&
	       (!sdma->step_mode || sdma->steps);
}

/* Any context, the instance's lock not held. */
void vgpu_sdma_kick(struct vgpu_sdma *sdma)
{
	if (sdma->engine.kick)
		sdma->engine.kick(sdma->engine.kick_ctx);
}

static bool queue_busy_locked(struct vgpu_sdma *sdma, unsigned int queue)
{
	const struct vgpu_sdma_queue *q = &sdma->queue[queue];

	return sdma->active == (int)queue || (q->drain && vgpu_sdma_may_step_locked(sdma)) ||
	       (vgpu_sdma_queue_runs_locked(sdma, queue) && q->rptr != q->wptr);
}

/* Enabling and disabling */

static void activate_locked(struct vgpu_sdma *sdma, struct vgpu_sdma_queue *q)
{
	u32 cntl = *vgpu_sdma_qreg(q, SDMA4_Q_RB_CNTL);
	u32 size = FIELD_GET(SDMA4_Q_RB_CNTL__RB_SIZE, cntl);
	u32 hi = *vgpu_sdma_qreg(q, SDMA4_Q_RB_BASE_HI) & RB_BASE_HI_BITS;
	u64 base = (*vgpu_sdma_qreg(q, SDMA4_Q_RB_BASE) | (u64)hi << 32) << 8;
	u32 doorbell = *vgpu_sdma_qreg(q, SDMA4_Q_DOORBELL_OFFSET) &
		       SDMA4_Q_DOORBELL_OFFSET__OFFSET;

	vgpu_assert_locked(&sdma->lock);
	if (base != q->base || doorbell != q->doorbell) {
		q->counts = (struct vgpu_exec_counts){};
		q->ignored = 0;
	}
	q->enabled = true;
	q->drain = 0;
	q->epoch++;
	q->base = base;
	q->doorbell = doorbell;
	q->doorbell_fresh = true;
	q->vmid = FIELD_GET(SDMA4_Q_RB_CNTL__RB_VMID, cntl);
	q->why = NULL;
	q->why_arg = 0;
	if (size < MIN_RB_SIZE || size > MAX_RB_SIZE) {
		q->size = 0;
		q->why = "bad ring size";
		return;
	}
	q->size = 4ULL << size;
	if (((q->rptr | q->wptr) & 3) || q->wptr - q->rptr > q->size)
		q->why = "write pointer outside of the ring";
}

/* Whether there is a packet in hand only the thread knows; it is about to look. */
static void begin_drain_locked(struct vgpu_sdma *sdma, unsigned int queue)
{
	struct vgpu_sdma_queue *q = &sdma->queue[queue];

	vgpu_assert_locked(&sdma->lock);
	if (vgpu_sdma_is_user(queue) && vgpu_sdma_queue_runs_locked(sdma, queue) && !q->blocked &&
	    q->rptr != q->wptr && !sdma->step_mode)
		q->drain = DRAIN_STEPS;
}

static void write_rb_cntl_locked(struct vgpu_sdma *sdma, unsigned int queue, u32 value)
{
	struct vgpu_sdma_queue *q = &sdma->queue[queue];
	bool enable = value & SDMA4_Q_RB_CNTL__RB_ENABLE;

	vgpu_assert_locked(&sdma->lock);
	*vgpu_sdma_qreg(q, SDMA4_Q_RB_CNTL) = value;
	if (enable && !q->enabled) {
		activate_locked(sdma, q);
	} else if (!enable) {
		begin_drain_locked(sdma, queue);
		q->enabled = false;
		q->blocked = false;
	}
}

static void write_wptr_locked(struct vgpu_sdma *sdma, struct vgpu_sdma_queue *q, u32 hi)
{
	u64 value = *vgpu_sdma_qreg(q, SDMA4_Q_RB_WPTR) | (u64)hi << 32;
	bool minor = *vgpu_sdma_qreg(q, SDMA4_Q_MINOR_PTR_UPDATE) &
		     SDMA4_Q_MINOR_PTR_UPDATE__ENABLE;

	vgpu_assert_locked(&sdma->lock);
	if (q->enabled && ((value & 3) || value - q->rptr > q->size ||
			   (value < q->wptr && !minor))) {
		q->ignored++;
		return;
	}
	q->wptr = value;
	if (q->enabled)
		trace_vgpu_wptr(sdma, q, false);
}

static void set_half(u64 *whole, bool high, u32 value)
{
	if (high)
		*whole = lower_32_bits(*whole) | (u64)value << 32;
	else
		*whole = (*whole & ~0xffffffffULL) | value;
}

static void write_queue_locked(struct vgpu_sdma *sdma, unsigned int queue, u32 offset, u32 value)
{
	struct vgpu_sdma_queue *q = &sdma->queue[queue];

	vgpu_assert_locked(&sdma->lock);
	switch (offset) {
	case SDMA4_Q_RB_CNTL:
		write_rb_cntl_locked(sdma, queue, value);
		break;
	case SDMA4_Q_RB_RPTR:
	case SDMA4_Q_RB_RPTR_HI:
		if (!q->enabled)
			set_half(&q->rptr, offset == SDMA4_Q_RB_RPTR_HI, value);
		break;
	case SDMA4_Q_RB_WPTR_HI:
		write_wptr_locked(sdma, q, value);
		break;
	case SDMA4_Q_CONTEXT_STATUS:
	case SDMA4_Q_STATUS:
		break;
	default:
		*vgpu_sdma_qreg(q, offset) = value;
	}
}

static u32 context_status_locked(struct vgpu_sdma *sdma, unsigned int queue)
{
	u32 status = 0;

	vgpu_assert_locked(&sdma->lock);
	if (queue_busy_locked(sdma, queue))
		status |= SDMA4_Q_CONTEXT_STATUS__SELECTED;
	else
		status |= SDMA4_Q_CONTEXT_STATUS__IDLE;
	if (sdma->queue[queue].why)
		status |= FIELD_PREP(SDMA4_Q_CONTEXT_STATUS__EXCEPTION, 1);
	return status;
}

static u32 read_queue_locked(struct vgpu_sdma *sdma, unsigned int queue, u32 offset)
{
	struct vgpu_sdma_queue *q = &sdma->queue[queue];

	vgpu_assert_locked(&sdma->lock);
	switch (offset) {
	case SDMA4_Q_RB_RPTR:
		return lower_32_bits(q->rptr);
	case SDMA4_Q_RB_RPTR_HI:
		return upper_32_bits(q->rptr);
	case SDMA4_Q_RB_WPTR:
		return lower_32_bits(q->wptr);
	case SDMA4_Q_RB_WPTR_HI:
		return upper_32_bits(q->wptr);
	case SDMA4_Q_CONTEXT_STATUS:
		return context_status_locked(sdma, queue);
	case SDMA4_Q_STATUS:
		return min_t(u64, q->ignored, FIELD_MAX(WPTR_FAIL_COUNT));
	default:
		return *vgpu_sdma_qreg(q, offset);
	}
}

/* Whole instance */

static u32 status_locked(struct vgpu_sdma *sdma)
{
	unsigned int i;

	vgpu_assert_locked(&sdma->lock);
	for (i = 0; i < sdma->queues; i++)
		if (queue_busy_locked(sdma, i))
			return STATUS_REG_IDLE & ~STATUS_REG_BITS;
	return STATUS_REG_IDLE;
}

static u32 read_instance_locked(struct vgpu_sdma *sdma, u32 offset)
{
	u32 value = *vgpu_sdma_reg(sdma, offset);

	vgpu_assert_locked(&sdma->lock);
	switch (offset) {
	case SDMA4_STATUS_REG:
		return status_locked(sdma);
	case SDMA4_FREEZE:
		value &= ~SDMA4_FREEZE__FROZEN;
		if ((value & SDMA4_FREEZE__FREEZE) && sdma->active == VGPU_SDMA_NONE)
			value |= SDMA4_FREEZE__FROZEN;
		return value;
	default:
		return value;
	}
}

/* A processor that is halted is at no packet any more; that of a queue begins anew. */
static void unhang_locked(struct vgpu_sdma *sdma)
{
	unsigned int i;

	vgpu_assert_locked(&sdma->lock);
	for (i = 0; i < sdma->queues; i++)
		sdma->queue[i].drain = 0;
	if (!sdma->hung || vgpu_fails(sdma->bus.failures, VGPU_FAIL_RESET, sdma->instance,
				      VGPU_FAILURE_ANY, VGPU_FAILURE_ANY, NULL))
		return;
	sdma->hung = false;
	sdma->active = VGPU_SDMA_NONE;
}

static void write_instance_locked(struct vgpu_sdma *sdma, u32 offset, u32 value)
{
	vgpu_assert_locked(&sdma->lock);
	switch (offset) {
	case SDMA4_STATUS_REG:
	case SDMA4_ID:
	case SDMA4_VERSION:
		break;
	case SDMA4_F32_CNTL:
		*vgpu_sdma_reg(sdma, offset) = value;
		if (value & SDMA4_F32_CNTL__HALT)
			unhang_locked(sdma);
		break;
	case SDMA4_UCODE_DATA:
		/* Nothing runs that microcode; the address moves on as a loader expects. */
		*vgpu_sdma_reg(sdma, SDMA4_UCODE_ADDR) += 1;
		break;
	default:
		*vgpu_sdma_reg(sdma, offset) = value;
	}
}

/* A doorbell moves WPTR when it is rung; here that is when somebody looks, at the latest now. */
static void look_before_disable(struct vgpu_sdma *sdma, u32 offset, u32 value)
{
	u32 stride = sdma->profile->queue_stride;

	if (offset >= SDMA4_QUEUE_GFX && (offset - SDMA4_QUEUE_GFX) % stride == SDMA4_Q_RB_CNTL &&
	    !(value & SDMA4_Q_RB_CNTL__RB_ENABLE))
		vgpu_sdma_look(sdma, (offset - SDMA4_QUEUE_GFX) / stride);
}

static u32 sdma_read(struct vgpu_block *block, u32 offset)
{
	struct vgpu_sdma *sdma = container_of(block, struct vgpu_sdma, engine.block);
	u32 stride = sdma->profile->queue_stride;
	unsigned long flags;
	u32 value;

	if (offset >= block->size)
		return ~0u;
	offset &= ~3u;
	vgpu_lock(&sdma->lock, flags);
	if (offset < SDMA4_QUEUE_GFX)
		value = read_instance_locked(sdma, offset);
	else
		value = read_queue_locked(sdma, (offset - SDMA4_QUEUE_GFX) / stride,
					  (offset - SDMA4_QUEUE_GFX) % stride);
	vgpu_unlock(&sdma->lock, flags);
	return value;
}

static void sdma_write(struct vgpu_block *block, u32 offset, u32 value)
{
	struct vgpu_sdma *sdma = container_of(block, struct vgpu_sdma, engine.block);
	u32 stride = sdma->profile->queue_stride;
	unsigned long flags;

	if (offset >= block->size)
		return;
	offset &= ~3u;
	look_before_disable(sdma, offset, value);
	vgpu_lock(&sdma->lock, flags);
	if (offset < SDMA4_QUEUE_GFX)
		write_instance_locked(sdma, offset, value);
	else
		write_queue_locked(sdma, (offset - SDMA4_QUEUE_GFX) / stride,
				   (offset - SDMA4_QUEUE_GFX) % stride, value);
	vgpu_unlock(&sdma->lock, flags);
	vgpu_sdma_kick(sdma);
}

static void sdma_reset(struct vgpu_block *block)
{
	struct vgpu_sdma *sdma = container_of(block, struct vgpu_sdma, engine.block);
	unsigned long flags;

	vgpu_lock(&sdma->lock, flags);
	vgpu_sdma_reset_locked(sdma);
	vgpu_unlock(&sdma->lock, flags);
}

const struct vgpu_block_ops vgpu_sdma_block_ops = {
	.reset = sdma_reset,
	.read = sdma_read,
	.write = sdma_write,
};
