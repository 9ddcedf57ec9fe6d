// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: bring-up of the SDMA engines
 *
 * For each instance that the chip can have: does it answer? → memory of its rings
 * → interrupts → halt, program the rings, let it run → ring test → IB test (a job
 * with a fence, so the interrupt is tested as well) → jobs may come.  Every wait is
 * bounded.  An instance that does not answer or fails a test is left out; bring-up
 * fails only if none is left.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>

#include "sdma_device.h"
#include "sdma_emit.h"
#include "sdma_fence.h"

#include "../hw/regs/nbio_7_4_regs.h"

#define SDMA_IB_TEST_BEFORE	0xcafedead
#define SDMA_IB_TEST_AFTER	0x600dd00d

static bool sdma_page_queue = true;
module_param_named(sdma_page_queue, sdma_page_queue, bool, 0444);
MODULE_PARM_DESC(sdma_page_queue,
		 "Use page rings for page-table updates where the chip has them (default); without them updates go through GFX rings");

static const struct {
	u32 version;
	const struct sdma_hw_funcs *funcs;
} sdma_hw_table[] = {
	{ HW_IP_VERSION(4, 0, 0), &sdma_v4_0_funcs },
	{ HW_IP_VERSION(4, 2, 0), &sdma_v4_0_funcs },
	{ HW_IP_VERSION(4, 2, 2), &sdma_v4_0_funcs },
	{ HW_IP_VERSION(4, 4, 0), &sdma_v4_0_funcs },
};

static const struct sdma_bus_regs sdma_bus_table[] = {
	{
		.ip = HW_IP_VERSION(6, 1, 0),
		.hdp_req = NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_REQ,
		.hdp_done = NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_DONE,
		.hdp_bit = NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_REQ__SDMA0,
		.doorbell_range = {
			NBIO6_BIF_SDMA0_DOORBELL_RANGE,
			NBIO6_BIF_SDMA1_DOORBELL_RANGE,
		},
	},
	{
		.ip = HW_IP_VERSION(7, 4, 0),
		.hdp_req = NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_REQ,
		.hdp_done = NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_DONE,
		.hdp_bit = NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_REQ__SDMA0,
		.doorbell_range = {
			NBIO6_BIF_SDMA0_DOORBELL_RANGE,
			NBIO6_BIF_SDMA1_DOORBELL_RANGE,
		},
	},
	{
		.ip = HW_IP_VERSION(7, 4, 1),
		.hdp_req = NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_REQ,
		.hdp_done = NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_DONE,
		.hdp_bit = NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_REQ__SDMA0,
		.doorbell_range = {
			NBIO6_BIF_SDMA0_DOORBELL_RANGE,
			NBIO6_BIF_SDMA1_DOORBELL_RANGE,
			NBIO7_BIF_SDMA_DOORBELL_RANGE(2),
			NBIO7_BIF_SDMA_DOORBELL_RANGE(3),
			NBIO7_BIF_SDMA_DOORBELL_RANGE(4),
			NBIO7_BIF_SDMA_DOORBELL_RANGE(5),
			NBIO7_BIF_SDMA_DOORBELL_RANGE(6),
			NBIO7_BIF_SDMA_DOORBELL_RANGE(7),
		},
	},
	{
		.ip = HW_IP_VERSION(7, 4, 4),
		.hdp_req = NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_REQ,
		.hdp_done = NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_DONE,
		.hdp_bit = NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_REQ__SDMA0,
		.doorbell_range = {
			NBIO6_BIF_SDMA0_DOORBELL_RANGE,
			NBIO6_BIF_SDMA1_DOORBELL_RANGE,
			NBIO7_BIF_SDMA_DOORBELL_RANGE(2),
			NBIO7_BIF_SDMA_DOORBELL_RANGE(3),
			NBIO7_BIF_SDMA4_DOORBELL_RANGE_ALDE,
		},
	},
};

static const struct sdma_hw_funcs *sdma_hw_find(u32 version)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sdma_hw_table); i++)
		if (sdma_hw_table[i].version == version)
			return sdma_hw_table[i].funcs;
	return NULL;
}

static const struct sdma_bus_regs *sdma_bus_find(u32 ip)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sdma_bus_table); i++)
		if (sdma_bus_table[i].ip == ip)
			return &sdma_bus_table[i];
	return NULL;
}

/* Tell the bus interface which doorbells belong to the instance; none if @on is false. */
static void sdma_route_doorbells(struct sdma_device *sdma, unsigned int instance, bool on)
{
	const struct hw_chip *chip = sdma->hw->chip;
	u32 dword = chip->sdma_doorbell[instance] << 1;
	u32 size = on ? chip->sdma->doorbell_range : 0;
	u32 range = FIELD_PREP(NBIO6_BIF_SDMA0_DOORBELL_RANGE__OFFSET, dword) |
		    FIELD_PREP(NBIO6_BIF_SDMA0_DOORBELL_RANGE__SIZE, size);

	hw_write(sdma->hw, sdma->bus->doorbell_range[instance], range);
}

static int sdma_instance_init_rings(struct sdma_device *sdma, unsigned int instance)
{
	struct sdma_instance *inst = sdma->instance[instance];
	unsigned int kind;
	int ret;

	for (kind = 0; kind < sdma_ring_kinds(sdma); kind++) {
		ret = sdma_ring_init(&inst->rings[kind], sdma, instance, kind);
		if (ret)
			goto err_rings;
	}
	return 0;

err_rings:
	while (kind--)
		sdma_ring_fini(&inst->rings[kind]);
	return ret;
}

static void sdma_instance_fini_rings(struct sdma_device *sdma, unsigned int instance)
{
	unsigned int kind = sdma_ring_kinds(sdma);

	while (kind--)
		sdma_ring_fini(&sdma->instance[instance]->rings[kind]);
}

static int sdma_instance_create(struct sdma_device *sdma, unsigned int instance)
{
	struct sdma_instance *inst = kvzalloc(sizeof(*inst), GFP_KERNEL);
	int ret;

	if (!inst)
		return -ENOMEM;
	mutex_init(&inst->rlc_lock);
	sdma->instance[instance] = inst;
	ret = sdma_instance_init_rings(sdma, instance);
	if (ret)
		goto err_inst;
	ret = sdma_irq_bind(sdma, instance);
	if (!ret)
		return 0;
	sdma_instance_fini_rings(sdma, instance);
err_inst:
	sdma->instance[instance] = NULL;
	kvfree(inst);
	return ret;
}

static void sdma_instance_destroy(struct sdma_device *sdma, unsigned int instance)
{
	struct sdma_instance *inst = sdma->instance[instance];

	sdma_irq_unbind(sdma, instance);
	sdma_instance_fini_rings(sdma, instance);
	sdma->instance[instance] = NULL;
	kvfree(inst);
}

/* A job of one WRITE, and the fence that its trap signals. */
static int sdma_ib_test(struct sdma_ring *ring)
{
	struct sdma_device *sdma = ring->sdma;
	const u32 value = SDMA_IB_TEST_AFTER;
	struct dma_fence *fence;
	struct sdma_job *job;
	int ret;

	WRITE_ONCE(ring->cells->test, SDMA_IB_TEST_BEFORE);
	job = sdma_job_alloc(sdma, ring->kind, BIT(ring->instance),
			     SDMA_DWORDS(sdma_pkt_write) + 1);
	if (IS_ERR(job))
		return PTR_ERR(job);
	job->len = sdma_emit_write_linear(job->ib, 0,
					  ring->cells_mc + offsetof(struct sdma_ring_cells, test),
					  &value, 1);
	job->bytes = sizeof(value);
	fence = sdma_job_submit(job);
	ret = sdma_fence_wait(fence, 0);
	dma_fence_put(fence);
	if (ret)
		return ret;
	return READ_ONCE(ring->cells->test) == SDMA_IB_TEST_AFTER ? 0 : -EIO;
}

static int sdma_instance_test_rings(struct sdma_device *sdma, unsigned int instance)
{
	struct sdma_ring *ring;
	unsigned int kind;
	int ret;

	for (kind = 0; kind < sdma_ring_kinds(sdma); kind++) {
		ring = &sdma->instance[instance]->rings[kind];
		if (READ_ONCE(ring->cause))
			continue;
		ret = sdma_ring_test(ring);
		if (!ret) {
			WRITE_ONCE(ring->live, true);
			ret = sdma_ib_test(ring);
		}
		if (ret) {
			sdma_report_ring(ring, "fails its test");
			return ret;
		}
	}
	return 0;
}

static void sdma_instance_stop(struct sdma_device *sdma, unsigned int instance)
{
	unsigned int kind = sdma_ring_kinds(sdma);

	clear_bit(instance, &sdma->mask);
	sdma_recover_flush(sdma, instance);
	while (kind--)
		sdma_ring_stop(&sdma->instance[instance]->rings[kind]);
	sdma->funcs->halt(sdma->hw, instance);
	sdma_route_doorbells(sdma, instance, false);
}

/* At bring-up and after a sleep; a ring that died stays dead. */
static int sdma_instance_start(struct sdma_device *sdma, unsigned int instance)
{
	struct sdma_ring *rings = sdma->instance[instance]->rings;
	unsigned int kind;
	int ret;

	sdma->funcs->halt(sdma->hw, instance);
	sdma_route_doorbells(sdma, instance, true);
	for (kind = 0; kind < sdma_ring_kinds(sdma); kind++)
		if (!READ_ONCE(rings[kind].cause))
			sdma_ring_start(&rings[kind]);
	sdma->funcs->unhalt(sdma->hw, instance);
	set_bit(instance, &sdma->mask);
	ret = sdma_instance_test_rings(sdma, instance);
	if (ret)
		sdma_instance_stop(sdma, instance);
	return ret;
}

/* 0 also if the instance is not there or fails its tests; errors are those of the driver itself. */
static int sdma_instance_bring_up(struct sdma_device *sdma, unsigned int instance)
{
	int ret;

	if (!sdma->funcs->present(sdma->hw, instance)) {
		dev_info(sdma_dev(sdma), "SDMA instance %u does not answer, left out\n", instance);
		return 0;
	}
	ret = sdma_instance_create(sdma, instance);
	if (ret)
		return ret;
	ret = sdma_instance_start(sdma, instance);
	if (!ret) {
		dev_info(sdma_dev(sdma), "SDMA instance %u: %s passed ring and IB test\n",
			 instance, sdma->has_page_queue ? "GFX and page ring" : "GFX ring");
		return 0;
	}
	dev_err(sdma_dev(sdma), "SDMA instance %u left out: %d\n", instance, ret);
	sdma_instance_destroy(sdma, instance);
	return 0;
}

static void sdma_take_down(struct sdma_device *sdma)
{
	unsigned int i = HW_MAX_SDMA_INSTANCES;

	while (i--) {
		if (!sdma->instance[i])
			continue;
		sdma_instance_stop(sdma, i);
		sdma_instance_destroy(sdma, i);
	}
}

static int sdma_bring_up(struct sdma_device *sdma)
{
	unsigned int i;
	int ret;

	for (i = 0; i < sdma->hw->chip->sdma_instances; i++) {
		ret = sdma_instance_bring_up(sdma, i);
		if (ret)
			goto err_instances;
	}
	if (sdma->mask)
		return 0;
	dev_err(sdma_dev(sdma), "no SDMA instance works\n");
	ret = -ENODEV;
err_instances:
	sdma_take_down(sdma);
	return ret;
}

/**
 * sdma_init - bring the engines of a device up
 * @sdma: zeroed memory of the caller
 * @hw: device whose GART works
 * @irq: its interrupts, which are on
 *
 * Context: process; sleeps.
 * Return: 0; -ENODEV (an SDMA or bus version that nobody knows, or no instance
 * works), -ENOMEM and other errors of the layers below.
 */
int sdma_init(struct sdma_device *sdma, struct hw_device *hw, struct irq_device *irq)
{
	int ret;

	sdma->hw = hw;
	sdma->irq = irq;
	sdma->funcs = sdma_hw_find(hw->chip->sdma->version);
	sdma->bus = sdma_bus_find(hw->chip->ip_nbio);
	if (!sdma->funcs || !sdma->bus ||
	    !sdma->bus->doorbell_range[hw->chip->sdma_instances - 1])
		return -ENODEV;
	sdma->has_page_queue = sdma_page_queue && sdma->funcs->has_page_queue(hw);
	init_waitqueue_head(&sdma->slot_wait);
	mutex_init(&sdma->user_lock);
	mutex_init(&sdma->test_lock);
	mutex_init(&sdma->recover_lock);
	ret = hw_mem_alloc(hw, HW_MAX_SDMA_INSTANCES * SDMA_RING_KINDS *
			   sizeof(struct sdma_ring_cells), &sdma->cells);
	if (ret)
		return ret;
	ret = sdma_coredump_init(sdma);
	if (ret)
		goto err_cells;
	ret = sdma_bring_up(sdma);
	if (!ret)
		return 0;
	sdma_coredump_fini(sdma);
err_cells:
	hw_mem_free(hw, &sdma->cells);
	return ret;
}

/**
 * sdma_fini - undo sdma_init()
 * @sdma: device; nobody allocates, submits or waits any more, no user queue is
 *	loaded
 *
 * Fences that are still pending end with -ENODEV.
 *
 * Context: process; sleeps.
 */
void sdma_fini(struct sdma_device *sdma)
{
	sdma_set_user_ops(sdma, NULL, NULL);
	sdma_take_down(sdma);
	sdma_coredump_fini(sdma);
	hw_mem_free(sdma->hw, &sdma->cells);
	/* Fences that were put are freed by RCU callbacks of this module. */
	rcu_barrier();
}

static void sdma_instance_sleep(struct sdma_device *sdma, unsigned int instance)
{
	unsigned int kind = sdma_ring_kinds(sdma);

	sdma_recover_flush(sdma, instance);
	while (kind--)
		sdma_ring_pause(&sdma->instance[instance]->rings[kind]);
	sdma->funcs->halt(sdma->hw, instance);
	sdma_route_doorbells(sdma, instance, false);
}

/**
 * sdma_suspend - stop the engines before the machine sleeps
 * @sdma: device; no user queue is loaded
 *
 * Jobs under way are waited for, bounded by the fence time-out; a ring that does not
 * finish them dies of it.
 *
 * Context: process; sleeps.
 */
void sdma_suspend(struct sdma_device *sdma)
{
	unsigned int i;

	sdma->asleep = xchg(&sdma->mask, 0);
	for_each_set_bit(i, &sdma->asleep, HW_MAX_SDMA_INSTANCES)
		sdma_instance_sleep(sdma, i);
}

/**
 * sdma_resume - start the engines again
 * @sdma: device; its interrupts are on
 *
 * An instance that fails its tests now is left out from now on.
 *
 * Context: process; sleeps.
 * Return: 0, or -ENODEV if none works.
 */
int sdma_resume(struct sdma_device *sdma)
{
	unsigned int i;
	int ret;

	for_each_set_bit(i, &sdma->asleep, HW_MAX_SDMA_INSTANCES) {
		ret = sdma_instance_start(sdma, i);
		if (ret)
			dev_err(sdma_dev(sdma), "SDMA instance %u does not wake up: %d\n", i, ret);
	}
	sdma->asleep = 0;
	return READ_ONCE(sdma->mask) ? 0 : -ENODEV;
}

/**
 * sdma_instance_mask - instances that work
 * @sdma: device
 *
 * Context: any.
 * Return: one bit an instance.
 */
u16 sdma_instance_mask(struct sdma_device *sdma)
{
	return READ_ONCE(sdma->mask);
}

/**
 * sdma_is_busy - does any engine have work at this moment?
 * @sdma: device
 *
 * Kernel rings and user queues alike, as the status registers tell.
 *
 * Context: any; the function answers.
 * Return: true if one has.
 */
bool sdma_is_busy(struct sdma_device *sdma)
{
	unsigned long mask = READ_ONCE(sdma->mask);
	unsigned int i;

	for_each_set_bit(i, &mask, HW_MAX_SDMA_INSTANCES)
		if (!sdma->funcs->idle(sdma->hw, i))
			return true;
	return false;
}
