// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: user (RLC) queues in their hardware slots
 *
 * Checks what the generation's verbs take for granted and keeps one register
 * sequence at a time on an instance.  Which queue sits in which slot is the
 * caller's business; here only slots that the engine never let go of are
 * remembered: they are not loaded again.
 */
#include <linux/align.h>
#include <linux/bits.h>
#include <linux/log2.h>

#include "sdma_device.h"

#define SDMA_RLC_BASE_ALIGN	256
#define SDMA_RLC_MIN_BYTES	1024
#define SDMA_RLC_MAX_BYTES	BIT_ULL(32)
#define SDMA_FIRST_USER_VMID	8
#define SDMA_LAST_USER_VMID	15

static struct sdma_instance *sdma_rlc_instance(struct sdma_device *sdma, unsigned int instance,
					       unsigned int slot)
{
	if (instance >= HW_MAX_SDMA_INSTANCES || slot >= sdma->hw->chip->sdma->user_queues)
		return NULL;
	return sdma->instance[instance];
}

static bool sdma_rlc_state_bad(const struct sdma_rlc_state *s)
{
	return !IS_ALIGNED(s->rb_base, SDMA_RLC_BASE_ALIGN) ||
	       !is_power_of_2(s->rb_size) || s->rb_size < SDMA_RLC_MIN_BYTES ||
	       s->rb_size > SDMA_RLC_MAX_BYTES ||
	       !IS_ALIGNED(s->rptr_addr, sizeof(u64)) || !IS_ALIGNED(s->doorbell, sizeof(u64)) ||
	       s->vmid < SDMA_FIRST_USER_VMID || s->vmid > SDMA_LAST_USER_VMID;
}

/**
 * sdma_rlc_load - put a user queue into a slot and let it run
 * @sdma: device
 * @instance: instance
 * @slot: slot, 0 up to the chip's user queues
 * @s: the queue
 *
 * Context: process; sleeps.
 * Return: 0, -EINVAL, -EIO (the slot was lost), -ETIMEDOUT (it is lost now),
 * -ENODEV (no such instance, or the function is gone).
 */
int sdma_rlc_load(struct sdma_device *sdma, unsigned int instance, unsigned int slot,
		  const struct sdma_rlc_state *s)
{
	struct sdma_instance *inst = sdma_rlc_instance(sdma, instance, slot);
	int ret;

	if (!inst || !test_bit(instance, &sdma->mask))
		return -ENODEV;
	if (sdma_rlc_state_bad(s))
		return -EINVAL;
	mutex_lock(&inst->rlc_lock);
	if (test_bit(slot, &inst->rlc_lost)) {
		ret = -EIO;
	} else {
		ret = sdma->funcs->rlc_load(sdma->hw, instance, slot, s);
		if (ret == -ETIMEDOUT)
			__set_bit(slot, &inst->rlc_lost);
	}
	mutex_unlock(&inst->rlc_lock);
	return ret;
}

/**
 * sdma_rlc_unload - take a user queue out of its slot
 * @sdma: device
 * @instance: instance
 * @slot: slot
 * @s: @rptr, @wptr and @halted are saved here on success
 *
 * When it returns 0 the engine no longer touches the queue or its memory.
 *
 * Context: process; sleeps.
 * Return: 0, -ETIMEDOUT (the slot is lost), -ENODEV.
 */
int sdma_rlc_unload(struct sdma_device *sdma, unsigned int instance, unsigned int slot,
		    struct sdma_rlc_state *s)
{
	struct sdma_instance *inst = sdma_rlc_instance(sdma, instance, slot);
	int ret;

	if (!inst)
		return -ENODEV;
	mutex_lock(&inst->rlc_lock);
	ret = sdma->funcs->rlc_unload(sdma->hw, instance, slot, s);
	if (ret == -ETIMEDOUT)
		__set_bit(slot, &inst->rlc_lost);
	mutex_unlock(&inst->rlc_lock);
	if (ret == -ETIMEDOUT)
		dev_err(sdma_dev(sdma), "SDMA instance %u: RLC queue %u does not leave its slot\n",
			instance, slot);
	return ret;
}

/**
 * sdma_rlc_restored - an instance has been reset
 * @sdma: device
 * @instance: an instance that exists
 *
 * Context: process.
 */
void sdma_rlc_restored(struct sdma_device *sdma, unsigned int instance)
{
	struct sdma_instance *inst = sdma->instance[instance];

	mutex_lock(&inst->rlc_lock);
	inst->rlc_lost = 0;
	mutex_unlock(&inst->rlc_lock);
}

/**
 * sdma_rlc_peek - where a loaded queue stands
 * @sdma: device
 * @instance: instance
 * @slot: slot
 * @rptr: bytes; 0 where there is no such slot
 * @wptr: bytes
 *
 * Context: any.
 */
void sdma_rlc_peek(struct sdma_device *sdma, unsigned int instance, unsigned int slot,
		   u64 *rptr, u64 *wptr)
{
	*rptr = 0;
	*wptr = 0;
	if (sdma_rlc_instance(sdma, instance, slot))
		sdma->funcs->rlc_peek(sdma->hw, instance, slot, rptr, wptr);
}

/**
 * sdma_rlc_halted - did the engine give a queue up?
 * @sdma: device
 * @instance: instance
 * @slot: slot
 *
 * Context: any.
 * Return: true if its context shows an exception; false where there is no such slot.
 */
bool sdma_rlc_halted(struct sdma_device *sdma, unsigned int instance, unsigned int slot)
{
	return sdma_rlc_instance(sdma, instance, slot) &&
	       sdma->funcs->rlc_halted(sdma->hw, instance, slot);
}
