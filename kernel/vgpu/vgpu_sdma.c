// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: an SDMA instance: life, arbitration, control
 *
 * A step offers the turn to the page queue, then to GFX, then to the RLC queues,
 * beginning with the one after that which had the last turn, and ends with the first that
 * worked.  So whatever a queue does, the page queue waits for one chunk at most.  A
 * queue that waits on a poll looks once each step and leaves the turn to the next.
 */
#include <linux/bitfield.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "vgpu_sdma_state.h"

const char * const vgpu_sdma_queue_names[VGPU_SDMA_QUEUES] = {
	[VGPU_SDMA_GFX] = "gfx",
	[VGPU_SDMA_PAGE] = "page",
	[VGPU_SDMA_RLC0] = "rlc0",
	[VGPU_SDMA_RLC1] = "rlc1",
	[VGPU_SDMA_RLC2] = "rlc2",
	[VGPU_SDMA_RLC3] = "rlc3",
	[VGPU_SDMA_RLC4] = "rlc4",
	[VGPU_SDMA_RLC5] = "rlc5",
	[VGPU_SDMA_RLC6] = "rlc6",
	[VGPU_SDMA_RLC7] = "rlc7",
};

static const char * const instance_names[VGPU_MAX_SDMA] = {
	"sdma0", "sdma1", "sdma2", "sdma3", "sdma4", "sdma5", "sdma6", "sdma7",
};

static void turn_order(const struct vgpu_sdma *sdma, u8 order[VGPU_SDMA_QUEUES])
{
	unsigned int rlc = sdma->profile->rlc_queues, i;

	order[0] = VGPU_SDMA_PAGE;
	order[1] = VGPU_SDMA_GFX;
	for (i = 0; i < rlc; i++)
		order[2 + i] = VGPU_SDMA_RLC0 + (sdma->next_rlc + i) % rlc;
}

static enum vgpu_step sdma_step(struct vgpu_engine *engine)
{
	struct vgpu_sdma *sdma = container_of(engine, struct vgpu_sdma, engine);
	enum vgpu_step step = VGPU_STEP_IDLE;
	u8 order[VGPU_SDMA_QUEUES];
	unsigned int place;

	if (!vgpu_sdma_scan_doorbells(sdma))
		return VGPU_STEP_IDLE;
	turn_order(sdma, order);
	for (place = 0; place < sdma->queues; place++) {
		enum vgpu_sdma_turn turn = vgpu_sdma_run_next(sdma, order, &place);

		if (turn == VGPU_SDMA_TURN_BLOCKED)
			step = VGPU_STEP_BLOCKED;
		if (turn != VGPU_SDMA_TURN_WORKED)
			continue;
		if (vgpu_sdma_is_user(order[place]))
			sdma->next_rlc = (order[place] - VGPU_SDMA_RLC0 + 1) %
					 sdma->profile->rlc_queues;
		return VGPU_STEP_BUSY;
	}
	return step;
}

/**
 * vgpu_sdma_control() - hold queues, step the instance
 * @sdma: instance
 * @queue: which, for the commands about one
 * @cmd: what
 * @arg: depends on @cmd
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int vgpu_sdma_control(struct vgpu_sdma *sdma, unsigned int queue, enum vgpu_sdma_control cmd,
		      u32 arg)
{
	struct vgpu_sdma_queue *q;
	unsigned long flags;
	int ret = 0;

	if (queue >= sdma->queues)
		return -EINVAL;
	q = &sdma->queue[queue];
	vgpu_lock(&sdma->lock, flags);
	switch (cmd) {
	case VGPU_SDMA_HALT:
		q->held = true;
		break;
	case VGPU_SDMA_RESUME:
		q->held = false;
		break;
	case VGPU_SDMA_MODE_RUN:
		sdma->step_mode = false;
		sdma->steps = 0;
		break;
	case VGPU_SDMA_MODE_STEP:
		sdma->step_mode = true;
		break;
	case VGPU_SDMA_STEP:
		sdma->steps += min_t(u32, arg, ~sdma->steps);
		break;
	default:
		ret = -EINVAL;
	}
	vgpu_unlock(&sdma->lock, flags);
	if (!ret)
		vgpu_sdma_kick(sdma);
	return ret;
}

static void format_state_locked(struct vgpu_sdma *sdma, unsigned int queue, char *buf, size_t size)
{
	const struct vgpu_sdma_queue *q = &sdma->queue[queue];
	const char *state;

	vgpu_assert_locked(&sdma->lock);
	if (q->why) {
		snprintf(buf, size, "halted: %s (0x%llx)", q->why, (unsigned long long)q->why_arg);
		return;
	}
	if (sdma->active == (int)queue)
		state = sdma->hung ? "hung" : "running";
	else if (!q->enabled)
		state = "disabled";
	else if (q->held)
		state = "held";
	else if (q->blocked)
		state = "blocked";
	else
		state = q->rptr == q->wptr ? "idle" : "running";
	snprintf(buf, size, "%s", state);
}

/**
 * vgpu_sdma_queue_info() - describe a queue
 * @sdma: instance
 * @queue: which
 * @info: result
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int vgpu_sdma_queue_info(struct vgpu_sdma *sdma, unsigned int queue,
			 struct vgpu_sdma_queue_info *info)
{
	struct vgpu_sdma_queue *q;
	unsigned long flags;

	if (queue >= sdma->queues)
		return -EINVAL;
	q = &sdma->queue[queue];
	vgpu_lock(&sdma->lock, flags);
	info->name = vgpu_sdma_queue_names[queue];
	info->enabled = q->enabled;
	info->held = q->held;
	info->doorbell_enabled = *vgpu_sdma_qreg(q, SDMA4_Q_DOORBELL) & SDMA4_Q_DOORBELL__ENABLE;
	info->vmid = q->vmid;
	info->doorbell = *vgpu_sdma_qreg(q, SDMA4_Q_DOORBELL_OFFSET) &
			 SDMA4_Q_DOORBELL_OFFSET__OFFSET;
	info->base = q->base;
	info->size = q->size;
	info->rptr = q->rptr;
	info->wptr = q->wptr;
	info->packets = q->counts.packets;
	info->copied = q->counts.copied;
	info->filled = q->counts.filled;
	info->written = q->counts.written;
	info->fences = q->counts.fences;
	info->traps = q->counts.traps;
	info->atomics = q->counts.atomics;
	info->ignored = q->ignored;
	format_state_locked(sdma, queue, info->state, sizeof(info->state));
	vgpu_unlock(&sdma->lock, flags);
	return 0;
}

/**
 * vgpu_sdma_served() - work done for whoever was in an RLC slot
 * @sdma: instance
 * @slot: number of the slot
 * @turns: turns of the engine since power-on, looks at a poll among them
 * @bytes: bytes copied, filled and written
 *
 * Context: any.
 * Return: false if there is no such slot.
 */
bool vgpu_sdma_served(struct vgpu_sdma *sdma, unsigned int slot, u64 *turns, u64 *bytes)
{
	unsigned long flags;

	if (slot >= sdma->profile->rlc_queues)
		return false;
	vgpu_lock(&sdma->lock, flags);
	*turns = sdma->queue[VGPU_SDMA_RLC0 + slot].turns;
	*bytes = sdma->queue[VGPU_SDMA_RLC0 + slot].bytes;
	vgpu_unlock(&sdma->lock, flags);
	return true;
}

/**
 * vgpu_sdma_create() - make an instance with its registers as after power-on
 * @bus: platform; copied
 * @gmc: hub; outlives the instance
 * @profile: chip
 * @instance: number of the instance
 *
 * Context: process context.
 * Return: the instance, or NULL without memory or for a bad @instance.
 */
struct vgpu_sdma *vgpu_sdma_create(const struct vgpu_bus *bus, struct vgpu_gmc *gmc,
				   const struct vgpu_profile *profile, unsigned int instance)
{
	struct vgpu_sdma *sdma;
	unsigned long flags;

	if (instance >= profile->sdma_count)
		return NULL;
	sdma = vgpu_zalloc(sizeof(*sdma));
	if (!sdma)
		return NULL;
	sdma->bus = *bus;
	sdma->gmc = gmc;
	sdma->profile = profile;
	sdma->spec = &profile->sdma[instance];
	sdma->instance = instance;
	sdma->queues = VGPU_SDMA_RLC0 + profile->rlc_queues;
	sdma->active = VGPU_SDMA_NONE;
	sdma->engine.block.name = instance_names[instance];
	sdma->engine.block.base = sdma->spec->base;
	sdma->engine.block.size = SDMA4_QUEUE_RLC(profile->rlc_queues, profile->queue_stride);
	sdma->engine.block.ops = &vgpu_sdma_block_ops;
	sdma->engine.step = sdma_step;
	vgpu_lock_init(&sdma->lock);
	vgpu_tlb_init(&sdma->tlb);
	if (vgpu_gmc_add_tlb(gmc, &sdma->tlb)) {
		vgpu_free(sdma);
		return NULL;
	}
	vgpu_lock(&sdma->lock, flags);
	vgpu_sdma_reset_locked(sdma);
	vgpu_unlock(&sdma->lock, flags);
	return sdma;
}

/**
 * vgpu_sdma_destroy() - free an instance whose thread has ended
 * @sdma: instance or NULL
 */
void vgpu_sdma_destroy(struct vgpu_sdma *sdma)
{
	if (!sdma)
		return;
	vgpu_gmc_remove_tlb(sdma->gmc, &sdma->tlb);
	vgpu_free(sdma);
}

/**
 * vgpu_sdma_engine() - what the device steps
 * @sdma: instance
 *
 * Return: engine, part of the instance.
 */
struct vgpu_engine *vgpu_sdma_engine(struct vgpu_sdma *sdma)
{
	return &sdma->engine;
}
