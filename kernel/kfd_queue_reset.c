// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: user queues and the reset of their instance
 *
 * While an instance is reset its queues are unloaded, whatever stops them or not.  One that
 * does not leave its slot then is the one that hangs: the reset frees the slot, and the
 * queue stays stopped as after a fault.
 */
#include <linux/bitops.h>
#include <linux/lockdep.h>

#include "kfd_device.h"
#include "kfd_process.h"
#include "kfd_queue.h"
#include "kfd_queue_hw.h"
#include "vm/vm.h"

/**
 * kfd_queue_reset_begin - no queue gets to an instance, and those that can leave it
 * @node: node
 * @instance: SDMA instance
 *
 * Context: Process context. Takes node->lock.
 * Return: true if a queue did not leave; it keeps its slot until kfd_queue_reset_end().
 */
bool kfd_queue_reset_begin(struct kfd_node *node, unsigned int instance)
{
	struct kfd_engine *engine = &node->engine[instance];
	unsigned int slot;
	bool hung;

	mutex_lock(&node->lock);
	engine->resetting = true;
	hung = engine->lost;
	for (slot = 0; slot < node->rlc_slots; slot++) {
		if (!engine->slot[slot])
			continue;
		kfd_queue_leave_slot_locked(engine->slot[slot], true);
		hung |= !!engine->slot[slot];
	}
	mutex_unlock(&node->lock);
	return hung;
}

/* What it says to the process comes later, without the lock. */
static void queue_end_locked(struct kfd_queue *q, const char *what)
{
	struct kfd_queue_fault fault = { .what = what };
	struct kfd_process *p = q->pn->process;

	kfd_queue_fault_locked(q, &fault);
	q->untold = false;
	dev_warn(&q->pn->node->dev->hw.pdev->dev, "%s[%d] queue %u: %s\n", p->comm,
		 pid_nr(p->tgid), q->id, what);
	q->pn->reset_untold = true;
}

/* A queue of the instance after its reset: those that can be go on. */
static void queue_restore_locked(struct kfd_queue *q, bool ok)
{
	if (q->untold)
		queue_end_locked(q, "fault-hang");
	else if (!ok && !q->fault)
		queue_end_locked(q, "fault-reset");
	else if (!q->parked)
		kfd_queue_go_locked(q);
}

/* VMIDs that only lost slots of this instance have kept. */
static unsigned long vmids_free_locked(const struct kfd_node *node, unsigned int instance)
{
	unsigned long vmids = node->engine[instance].lost_vmids;
	unsigned int i;

	lockdep_assert_held(&node->lock);
	for (i = 0; i < HW_MAX_SDMA_INSTANCES; i++)
		if (i != instance)
			vmids &= ~node->engine[i].lost_vmids;
	return vmids;
}

/* Its other queues find their pages again. */
static void vmid_restore_locked(struct kfd_process_node *pn)
{
	if (!hw_hub_set_context(&pn->node->dev->hw, pn->vmid, vm_space_root(pn->vm)))
		pn->vmid_lost = false;
}

/* Returns a bit each VMID that the process has. */
static unsigned long process_restore(struct kfd_process *p, struct kfd_node *node,
				     unsigned int instance, bool ok)
{
	struct kfd_process_node *pn;
	unsigned long vmids = 0;
	struct kfd_queue *q;

	for (pn = p->node; pn < p->node + p->num_nodes; pn++) {
		if (pn->node != node)
			continue;
		mutex_lock(&node->lock);
		if (ok && pn->vmid && (vmids_free_locked(node, instance) & BIT(pn->vmid)))
			vmid_restore_locked(pn);
		list_for_each_entry(q, &pn->queues, link)
			if (q->instance == instance)
				queue_restore_locked(q, ok);
		kfd_queue_kick_locked(node);
		if (pn->vmid)
			vmids |= BIT(pn->vmid);
		mutex_unlock(&node->lock);
	}
	return vmids;
}

/* No slot keeps them any more, and nobody has them. */
static void vmids_restore(struct kfd_node *node, unsigned int instance, unsigned long taken)
{
	unsigned long found;

	mutex_lock(&node->lock);
	found = vmids_free_locked(node, instance) & ~taken;
	node->vmid_used &= ~found;
	node->vmid_lost &= ~found;
	node->engine[instance].lost_vmids = 0;
	kfd_queue_kick_locked(node);
	mutex_unlock(&node->lock);
}

/**
 * kfd_queue_reset_end - an instance was reset, or is given up
 * @node: node
 * @instance: SDMA instance
 * @ok: it was reset; its queues go on where they were
 *
 * Who is to be told of it kfd_queue_reset_untold() says.
 *
 * Context: Process context. Takes node->lock.
 */
void kfd_queue_reset_end(struct kfd_node *node, unsigned int instance, bool ok)
{
	struct kfd_engine *engine = &node->engine[instance];
	unsigned long vmids = 0;
	struct kfd_process *p;
	unsigned int slot;
	u32 pasid = 0;

	mutex_lock(&node->lock);
	engine->resetting = false;
	if (ok)
		engine->lost = 0;
	else
		node->sdma_mask &= ~BIT(instance);
	for (slot = 0; slot < node->rlc_slots; slot++)
		if (engine->slot[slot])
			queue_end_locked(engine->slot[slot], "fault-hang");
	mutex_unlock(&node->lock);
	while ((p = kfd_process_get_next(&pasid))) {
		vmids |= process_restore(p, node, instance, ok);
		kfd_process_put(p);
	}
	if (ok)
		vmids_restore(node, instance, vmids);
}

/**
 * kfd_queue_reset_untold - is a process to be told of a reset?
 * @pn: process and node
 *
 * Context: Process context. Takes node->lock.
 * Return: true if a reset has ended queues of it since the last call.
 */
bool kfd_queue_reset_untold(struct kfd_process_node *pn)
{
	bool untold;

	mutex_lock(&pn->node->lock);
	untold = pn->reset_untold;
	pn->reset_untold = false;
	mutex_unlock(&pn->node->lock);
	return untold;
}
