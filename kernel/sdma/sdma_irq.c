// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: interrupts of the SDMA instances
 *
 * Each instance is one IH client with several sources.  An entry whose VMID is a
 * user VMID (8 to 15) belongs to an RLC queue and goes to the layer that owns
 * those; any other belongs to a kernel ring, which the entry's ring id names.
 *
 * Handlers run in hard interrupt context and touch nothing but the timeline's
 * lock.
 */
#include <linux/bits.h>

#include "sdma_device.h"
#include "sdma_fence.h"
#include "sdma_trace.h"

#include "../irq/irq.h"

#define SDMA_FIRST_USER_VMID	8

/* IH sources beside those in irq.h (irqsrcs_sdma0_4_0.h of Linux 6.1). */
#define SDMA_IH_SRAM_ECC		228
#define SDMA_IH_VM_HOLE			242
#define SDMA_IH_DOORBELL_INVALID	244
#define SDMA_IH_POLL_TIMEOUT		246

/**
 * struct sdma_source_info - one IH source
 * @id: source id
 * @halts: the queue has stopped because of it
 * @name: for the log
 */
struct sdma_source_info {
	u8 id;
	bool halts;
	const char *name;
};

static const struct sdma_source_info sdma_sources[SDMA_SOURCES] = {
	[SDMA_SOURCE_TRAP]		= { IRQ_SDMA_TRAP, false, "trap" },
	[SDMA_SOURCE_ILLEGAL]		= { IRQ_SDMA_ILLEGAL_INST, true, "illegal instruction" },
	[SDMA_SOURCE_SRBM_WRITE]	= { IRQ_SDMA_SRBM_WRITE, true, "SRBM write protection" },
	[SDMA_SOURCE_VM_HOLE]		= { SDMA_IH_VM_HOLE, true, "address in the VM hole" },
	[SDMA_SOURCE_DOORBELL_INVALID]	= { SDMA_IH_DOORBELL_INVALID, false, "invalid doorbell" },
	[SDMA_SOURCE_POLL_TIMEOUT]	= { SDMA_IH_POLL_TIMEOUT, true, "poll time-out" },
	[SDMA_SOURCE_ECC]		= { SDMA_IH_SRAM_ECC, false, "SRAM ECC error" },
};

static bool sdma_entry_is_user(const struct irq_entry *e)
{
	return e->vmid >= SDMA_FIRST_USER_VMID;
}

/* Kernel ring that an entry names, or NULL. */
static struct sdma_ring *sdma_entry_ring(const struct sdma_irq_binding *b,
					 const struct irq_entry *e)
{
	struct sdma_device *sdma = b->sdma;

	if (e->ring == 0)
		return sdma_ring_of(sdma, b->instance, SDMA_RING_GFX);
	if (e->ring == sdma->hw->chip->sdma->ih_ring_page && sdma->has_page_queue)
		return sdma_ring_of(sdma, b->instance, SDMA_RING_PAGE);
	return NULL;
}

static void sdma_irq_user(const struct sdma_irq_binding *b, const struct irq_entry *e)
{
	const struct sdma_user_binding *user;

	rcu_read_lock();
	user = rcu_dereference(b->sdma->user);
	if (b->kind == SDMA_SOURCE_TRAP)
		trace_sdma_user_trap(b->sdma, b->instance, e);
	if (user && b->kind == SDMA_SOURCE_TRAP)
		user->ops->trap(user->data, b->instance, e);
	else if (user && sdma_sources[b->kind].halts)
		user->ops->fault(user->data, b->instance, e);
	rcu_read_unlock();
}

static void sdma_irq_trap(const struct sdma_irq_binding *b, const struct irq_entry *e)
{
	struct sdma_ring *ring = sdma_entry_ring(b, e);

	if (!ring)
		return;
	atomic64_inc(&ring->count_traps);
	trace_sdma_trap(ring);
	sdma_timeline_process(ring->timeline);
}

static void sdma_irq_error(const struct sdma_irq_binding *b, const struct irq_entry *e)
{
	const struct sdma_source_info *source = &sdma_sources[b->kind];
	struct sdma_ring *ring = sdma_entry_ring(b, e);

	dev_err_ratelimited(sdma_dev(b->sdma), "SDMA instance %u, ring id %u: %s\n",
			    b->instance, e->ring, source->name);
	if (!ring)
		return;
	atomic64_inc(&ring->count_faults);
	if (source->halts)
		sdma_ring_die(ring, -EIO);
}

static void sdma_irq_entry(void *data, const struct irq_entry *e)
{
	struct sdma_irq_binding *b = data;

	atomic64_inc(&b->count);
	if (sdma_entry_is_user(e))
		sdma_irq_user(b, e);
	else if (b->kind == SDMA_SOURCE_TRAP)
		sdma_irq_trap(b, e);
	else
		sdma_irq_error(b, e);
}

/**
 * sdma_irq_bind - take the IH sources of an instance
 * @sdma: device
 * @instance: an instance whose rings exist
 *
 * Context: process.
 * Return: 0, or -EBUSY or -ENOMEM from the interrupt layer; nothing is bound then.
 */
int sdma_irq_bind(struct sdma_device *sdma, unsigned int instance)
{
	struct sdma_instance *inst = sdma->instance[instance];
	u8 client = sdma->hw->chip->sdma_ih_client[instance];
	unsigned int i;
	int ret;

	for (i = 0; i < SDMA_SOURCES; i++) {
		inst->irqs[i].sdma = sdma;
		inst->irqs[i].instance = instance;
		inst->irqs[i].kind = i;
		ret = irq_source_register(sdma->irq, client, sdma_sources[i].id, sdma_irq_entry,
					  &inst->irqs[i]);
		if (ret) {
			sdma_irq_unbind(sdma, instance);
			return ret;
		}
		inst->irqs_bound = i + 1;
	}
	return 0;
}

/**
 * sdma_irq_unbind - undo sdma_irq_bind()
 * @sdma: device
 * @instance: instance
 *
 * Context: process; when it returns no handler runs.
 */
void sdma_irq_unbind(struct sdma_device *sdma, unsigned int instance)
{
	struct sdma_instance *inst = sdma->instance[instance];
	u8 client = sdma->hw->chip->sdma_ih_client[instance];

	while (inst->irqs_bound)
		irq_source_unregister(sdma->irq, client, sdma_sources[--inst->irqs_bound].id);
}

/**
 * sdma_irq_count - entries seen of one source
 * @sdma: device
 * @instance: an instance that exists
 * @kind: source
 *
 * Context: any.
 * Return: entries since bring-up, of kernel rings and user queues.
 */
u64 sdma_irq_count(const struct sdma_device *sdma, unsigned int instance, enum sdma_source kind)
{
	return atomic64_read(&sdma->instance[instance]->irqs[kind].count);
}

/**
 * sdma_set_user_ops - who gets the interrupts of user queues
 * @sdma: device
 * @ops: callbacks, or NULL
 * @data: their argument
 *
 * Context: process; sleeps until no call of the old callbacks runs.
 */
void sdma_set_user_ops(struct sdma_device *sdma, const struct sdma_user_ops *ops, void *data)
{
	mutex_lock(&sdma->user_lock);
	RCU_INIT_POINTER(sdma->user, NULL);
	synchronize_rcu();
	sdma->user_slot.ops = ops;
	sdma->user_slot.data = data;
	if (ops)
		rcu_assign_pointer(sdma->user, &sdma->user_slot);
	mutex_unlock(&sdma->user_lock);
}
