// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: SDMA 4.0 and 4.2 registers, the names
 *
 * For debugfs and reports.  Only registers whose reading has no effect; the microcode's
 * data port counts up.  Pure: compiles in user space.
 */
#include <linux/kernel.h>

#include "sdma_hw.h"

#include "../hw/hw_ip_table.h"
#include "../hw/regs/sdma0_4_0_regs.h"

#define INSTANCE_REG(n)	{ #n, SDMA4_##n }
#define QUEUE_REG(n)	{ #n, SDMA4_Q_##n }

static const struct sdma_reg_name instance_regs[] = {
	INSTANCE_REG(POWER_CNTL), INSTANCE_REG(CLK_CTRL), INSTANCE_REG(CNTL),
	INSTANCE_REG(CHICKEN_BITS), INSTANCE_REG(GB_ADDR_CONFIG), INSTANCE_REG(STATUS_REG),
	INSTANCE_REG(F32_CNTL), INSTANCE_REG(FREEZE), INSTANCE_REG(PHASE0_QUANTUM),
	INSTANCE_REG(PHASE1_QUANTUM), INSTANCE_REG(PHASE2_QUANTUM), INSTANCE_REG(ID),
	INSTANCE_REG(VERSION), INSTANCE_REG(ATOMIC_CNTL), INSTANCE_REG(UTCL1_CNTL),
	INSTANCE_REG(UTCL1_TIMEOUT), INSTANCE_REG(UTCL1_PAGE),
};

static const struct sdma_reg_name queue_regs[] = {
	QUEUE_REG(RB_CNTL), QUEUE_REG(RB_BASE), QUEUE_REG(RB_BASE_HI), QUEUE_REG(RB_RPTR),
	QUEUE_REG(RB_RPTR_HI), QUEUE_REG(RB_WPTR), QUEUE_REG(RB_WPTR_HI),
	QUEUE_REG(RB_WPTR_POLL_CNTL), QUEUE_REG(RB_RPTR_ADDR_HI), QUEUE_REG(RB_RPTR_ADDR_LO),
	QUEUE_REG(IB_CNTL), QUEUE_REG(IB_RPTR), QUEUE_REG(IB_OFFSET), QUEUE_REG(IB_BASE_LO),
	QUEUE_REG(IB_BASE_HI), QUEUE_REG(IB_SIZE), QUEUE_REG(CONTEXT_STATUS), QUEUE_REG(DOORBELL),
	QUEUE_REG(STATUS), QUEUE_REG(DOORBELL_LOG), QUEUE_REG(DOORBELL_OFFSET),
	QUEUE_REG(RB_WPTR_POLL_ADDR_HI), QUEUE_REG(RB_WPTR_POLL_ADDR_LO),
	QUEUE_REG(MINOR_PTR_UPDATE),
};

/* Register sets of queues in their order. */
static const char * const queue_names[2 + SDMA4_MAX_RLC] = {
	"gfx", "page", "rlc0", "rlc1", "rlc2", "rlc3", "rlc4", "rlc5", "rlc6", "rlc7",
};

/**
 * sdma_v4_0_reg_set - registers to show of an instance, set by set
 * @sdma: version of SDMA
 * @index: number of the set, from 0 on
 * @set: filled
 *
 * Context: any.
 * Return: false if there are no more sets.
 */
bool sdma_v4_0_reg_set(const struct hw_sdma *sdma, unsigned int index, struct sdma_reg_set *set)
{
	if (!index) {
		*set = (struct sdma_reg_set){
			"engine", 0, instance_regs, ARRAY_SIZE(instance_regs)
		};
		return true;
	}
	index--;
	if (index >= min_t(unsigned int, 2 + sdma->user_queues, ARRAY_SIZE(queue_names)))
		return false;
	set->name = queue_names[index];
	set->base = SDMA4_QUEUE_GFX + index * sdma->queue_stride;
	set->regs = queue_regs;
	set->count = ARRAY_SIZE(queue_regs);
	return true;
}
