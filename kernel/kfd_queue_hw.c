// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: user queues and the hardware
 *
 * Loading a queue takes a VMID for its process (if no other queue of it is loaded),
 * points the hub's context at the process's page table, and programs a free slot of
 * the queue's SDMA instance.  Unloading does the reverse and keeps RPTR and WPTR.
 *
 * All of it happens under node->lock, which MMU notifiers take: nothing here
 * allocates memory or touches user pages.
 *
 * A slot that does not stop is *lost*: it keeps its VMID, whose context is cleared so
 * that the engine finds no page any more.  The instance is reset then; both are of use
 * again afterwards, and never if the reset fails.
 */
#include <linux/bitops.h>
#include <linux/ktime.h>
#include <linux/lockdep.h>

#include "kfd_debugfs.h"
#include "kfd_device.h"
#include "kfd_doorbell.h"
#include "kfd_process.h"
#include "kfd_queue.h"
#include "kfd_queue_hw.h"
#include "kfd_smi.h"
#include "vm/vm.h"

static struct device *node_dev(const struct kfd_node *node)
{
	return &node->dev->hw.pdev->dev;
}

/* ---- VMID: shared by the loaded queues of a process ---- */

/* Those that no reset to come gives back. */
static unsigned long vmids_lost_locked(const struct kfd_node *node)
{
	unsigned long lost = node->vmid_lost;
	unsigned int i;

	for (i = 0; i < HW_MAX_SDMA_INSTANCES; i++)
		if (node->sdma_mask & BIT(i))
			lost &= ~node->engine[i].lost_vmids;
	return lost;
}

static int vmid_get_locked(struct kfd_process_node *pn)
{
	struct kfd_node *node = pn->node;
	struct hw_device *hw = &node->dev->hw;
	unsigned long free = node->vmid_mask & ~node->vmid_used;
	int ret;

	lockdep_assert_held(&node->lock);

	if (pn->vmid)
		return 0;
	if (!free)
		return node->vmid_mask & ~vmids_lost_locked(node) ? -ENOSPC : -EIO;
	pn->vmid = __ffs(free);
	pn->vmid_since = ktime_get_ns();
	hw_hub_set_pasid(hw, pn->vmid, pn->process->pasid);
	/* From here on changes of the page table flush this VMID. */
	vm_space_set_vmid(pn->vm, pn->vmid);
	ret = hw_hub_set_context(hw, pn->vmid, vm_space_root(pn->vm));
	if (ret) {
		vm_space_set_vmid(pn->vm, 0);
		hw_hub_set_pasid(hw, pn->vmid, 0);
		pn->vmid = 0;
		return ret;
	}
	__set_bit(pn->vmid, &node->vmid_used);
	kfd_count_add(KFD_COUNT_VMIDS, 1);
	return 0;
}

/* The last loaded queue has gone. */
static void vmid_put_locked(struct kfd_process_node *pn)
{
	struct kfd_node *node = pn->node;
	struct hw_device *hw = &node->dev->hw;
	int ret;

	lockdep_assert_held(&node->lock);

	ret = hw_hub_set_context(hw, pn->vmid, 0);
	vm_space_set_vmid(pn->vm, 0);
	hw_hub_set_pasid(hw, pn->vmid, 0);
	if (pn->vmid_lost || (ret && ret != -ENODEV)) {
		dev_err(node_dev(node), "VMID %u is not used again\n", pn->vmid);
		__set_bit(pn->vmid, &node->vmid_lost);
	} else {
		__clear_bit(pn->vmid, &node->vmid_used);
	}
	kfd_count_add(KFD_COUNT_VMIDS, -1);
	pn->vmid = 0;
	pn->vmid_lost = false;
}

/* ---- slot ---- */

unsigned int kfd_queue_usable_slots(const struct kfd_node *node, unsigned int instance)
{
	return node->rlc_slots - hweight_long(node->engine[instance].lost);
}

int kfd_queue_slot_find_locked(const struct kfd_node *node, const struct kfd_engine *engine)
{
	unsigned int i;

	for (i = 0; i < node->rlc_slots; i++)
		if (!engine->slot[i] && !test_bit(i, &engine->lost))
			return i;
	return -ENOSPC;
}

/* Its lost slots are of use again after it, or the instance is given up. */
static bool engine_reset_follows(const struct kfd_node *node, unsigned int instance)
{
	return node->engine[instance].lost_vmids && (node->sdma_mask & BIT(instance));
}

int kfd_queue_load_locked(struct kfd_queue *q)
{
	struct kfd_process_node *pn = q->pn;
	struct kfd_node *node = pn->node;
	struct kfd_engine *engine = &node->engine[q->instance];
	int slot, ret;

	lockdep_assert_held(&node->lock);

	if (q->slot != KFD_NO_SLOT || q->stops || node->asleep || engine->resetting)
		return 0;
	if (!kfd_queue_usable_slots(node, q->instance))
		return engine_reset_follows(node, q->instance) ? -ENOSPC : -EIO;
	slot = kfd_queue_slot_find_locked(node, engine);
	if (slot < 0)
		return slot;
	ret = vmid_get_locked(pn);
	if (ret)
		return ret;
	q->hw.vmid = pn->vmid;
	ret = sdma_rlc_load(&node->dev->sdma, q->instance, slot, &q->hw);
	if (ret) {
		if (ret == -ETIMEDOUT || ret == -EIO)
			__set_bit(slot, &engine->lost);
		if (!pn->loaded)
			vmid_put_locked(pn);
		return ret;
	}
	q->slot = slot;
	q->hw.halted = false;
	q->loads++;
	engine->slot[slot] = q;
	pn->loaded++;
	kfd_count_add(KFD_COUNT_SLOTS, 1);
	kfd_queue_loaded_locked(q);
	return 0;
}

/* The engine may go on with the queue: take its pages away at once. */
static void slot_lose_locked(struct kfd_queue *q, int err)
{
	struct kfd_process_node *pn = q->pn;
	struct kfd_node *node = pn->node;
	struct kfd_engine *engine = &node->engine[q->instance];

	dev_err(node_dev(node), "SDMA%u slot %d does not stop (%d), process %d queue %u\n",
		q->instance, q->slot, err, pid_nr(pn->process->tgid), q->id);
	__set_bit(q->slot, &engine->lost);
	__set_bit(pn->vmid, &engine->lost_vmids);
	pn->vmid_lost = true;
	hw_hub_clear_context(&node->dev->hw, pn->vmid);
	hw_hub_flush(&node->dev->hw, BIT(pn->vmid));
	if (!q->fault)
		q->fault = "fault-hang";
	q->untold = true;
	sdma_reset_instance(&node->dev->sdma, q->instance);
}

int kfd_queue_leave_slot_locked(struct kfd_queue *q, bool keep)
{
	struct kfd_process_node *pn = q->pn;
	struct kfd_node *node = pn->node;
	struct kfd_engine *engine = &node->engine[q->instance];
	int ret;

	lockdep_assert_held(&node->lock);

	if (q->slot == KFD_NO_SLOT)
		return 0;
	ret = sdma_rlc_unload(&node->dev->sdma, q->instance, q->slot, &q->hw);
	/* It is let go of by a reset, and has its memory until then. */
	if (ret == -ETIMEDOUT && engine->resetting && keep)
		return ret;
	if (ret && ret != -ENODEV)
		slot_lose_locked(q, ret);
	kfd_queue_look_locked(q, ktime_get_ns());
	engine->slot[q->slot] = NULL;
	q->slot = KFD_NO_SLOT;
	kfd_count_add(KFD_COUNT_SLOTS, -1);
	if (!--pn->loaded)
		vmid_put_locked(pn);
	return ret;
}

int kfd_queue_unload_locked(struct kfd_queue *q)
{
	return kfd_queue_leave_slot_locked(q, false);
}

/* ---- stops ---- */

/* Out of the hardware, and out of the wait for it. */
static void queue_leave_hw_locked(struct kfd_queue *q)
{
	kfd_queue_unload_locked(q);
	kfd_queue_forget_locked(q);
	kfd_queue_kick_locked(q->pn->node);
}

void kfd_queue_stop_locked(struct kfd_queue *q, enum kfd_stop_reason why)
{
	q->stopped[why]++;
	if (!q->stops++)
		queue_leave_hw_locked(q);
}

/* Instead of leaving it idle without a word. */
void kfd_queue_give_up_locked(struct kfd_queue *q, int err)
{
	q->fault = "not loaded";
	q->stopped[KFD_STOP_RESET]++;
	q->stops++;
	kfd_queue_forget_locked(q);
	dev_err_ratelimited(node_dev(q->pn->node), "process %d queue %u cannot be loaded: %d\n",
			    pid_nr(q->pn->process->tgid), q->id, err);
}

/* Nothing stops it any more, as far as the caller knows. */
void kfd_queue_go_locked(struct kfd_queue *q)
{
	int ret = kfd_queue_run_locked(q);

	if (ret && ret != -ENODEV)
		kfd_queue_give_up_locked(q, ret);
}

static void queue_start_locked(struct kfd_queue *q, enum kfd_stop_reason why)
{
	if (WARN_ON_ONCE(!q->stopped[why]))
		return;
	q->stopped[why]--;
	if (!--q->stops)
		kfd_queue_go_locked(q);
}

/**
 * kfd_queue_stop - count one reason for a queue not to run
 * @q: queue
 * @why: reason
 *
 * Context: Process context, MMU notifiers included. Takes node->lock.
 */
void kfd_queue_stop(struct kfd_queue *q, enum kfd_stop_reason why)
{
	struct kfd_node *node = q->pn->node;

	mutex_lock(&node->lock);
	kfd_queue_stop_locked(q, why);
	mutex_unlock(&node->lock);
}

/**
 * kfd_queue_start - take back one kfd_queue_stop()
 * @q: queue
 * @why: the same reason
 *
 * Context: Process context. Takes node->lock.
 */
void kfd_queue_start(struct kfd_queue *q, enum kfd_stop_reason why)
{
	struct kfd_node *node = q->pn->node;

	mutex_lock(&node->lock);
	queue_start_locked(q, why);
	mutex_unlock(&node->lock);
}

/**
 * kfd_queue_stop_all - stop all queues of a process on a node, later ones too
 * @pn: process and node
 * @why: reason
 *
 * Context: Process context, MMU notifiers included. Takes node->lock.
 */
void kfd_queue_stop_all(struct kfd_process_node *pn, enum kfd_stop_reason why)
{
	struct kfd_queue *q;

	mutex_lock(&pn->node->lock);
	if (!pn->stopped[why]++)
		kfd_smi_stopped(pn, why);
	list_for_each_entry(q, &pn->queues, link)
		kfd_queue_stop_locked(q, why);
	mutex_unlock(&pn->node->lock);
}

/**
 * kfd_queue_start_all - take back one kfd_queue_stop_all()
 * @pn: process and node
 * @why: the same reason
 *
 * Context: Process context. Takes node->lock.
 */
void kfd_queue_start_all(struct kfd_process_node *pn, enum kfd_stop_reason why)
{
	struct kfd_queue *q;

	mutex_lock(&pn->node->lock);
	if (!WARN_ON_ONCE(!pn->stopped[why])) {
		if (!--pn->stopped[why])
			kfd_smi_started(pn, why);
		list_for_each_entry(q, &pn->queues, link)
			queue_start_locked(q, why);
	}
	mutex_unlock(&pn->node->lock);
}

/* ---- sleep of the machine ---- */

/**
 * kfd_queue_sleep - no queue of a node is in the hardware when this returns, or gets there
 * @node: node
 *
 * RPTR and WPTR are kept as with any unloading.
 *
 * Context: Process context. Takes node->lock.
 */
void kfd_queue_sleep(struct kfd_node *node)
{
	unsigned int i, slot;

	mutex_lock(&node->lock);
	node->asleep = true;
	for (i = 0; i < HW_MAX_SDMA_INSTANCES; i++)
		for (slot = 0; slot < node->rlc_slots; slot++)
			if (node->engine[i].slot[slot])
				kfd_queue_unload_locked(node->engine[i].slot[slot]);
	mutex_unlock(&node->lock);
}

static void process_wake(struct kfd_process *p, struct kfd_node *node)
{
	struct kfd_process_node *pn;
	struct kfd_queue *q;

	for (pn = p->node; pn < p->node + p->num_nodes; pn++) {
		if (pn->node != node)
			continue;
		mutex_lock(&node->lock);
		list_for_each_entry(q, &pn->queues, link)
			if (!q->parked)
				kfd_queue_go_locked(q);
		kfd_queue_kick_locked(node);
		mutex_unlock(&node->lock);
	}
}

/**
 * kfd_queue_wake - undo kfd_queue_sleep()
 * @node: node
 *
 * Context: Process context. Takes node->lock.
 */
void kfd_queue_wake(struct kfd_node *node)
{
	struct kfd_process *p;
	u32 pasid = 0;

	mutex_lock(&node->lock);
	node->asleep = false;
	mutex_unlock(&node->lock);
	while ((p = kfd_process_get_next(&pasid))) {
		process_wake(p, node);
		kfd_process_put(p);
	}
}

/* ---- life ---- */

/* Stops of the process hold for a new queue as well. */
static void queue_inherit_locked(struct kfd_queue *q)
{
	unsigned int why;

	for (why = 0; why < KFD_STOP_REASONS; why++) {
		q->stopped[why] += q->pn->stopped[why];
		q->stops += q->pn->stopped[why];
	}
}

/* The topology tells clients of the two kinds apart. */
static bool instance_is_xgmi(const struct kfd_node *node, unsigned int instance)
{
	return instance >= node->dev->hw.chip->sdma->xgmi_from;
}

/*
 * Of the instances of the queue's kind that have a slot at all, the one with the fewest queues
 * where the process has a doorbell left, and a number there.
 */
static int queue_place_locked(struct kfd_queue *q, unsigned int numbers)
{
	struct kfd_process_node *pn = q->pn;
	struct kfd_node *node = pn->node;
	unsigned int i, best = HW_MAX_SDMA_INSTANCES;

	for (i = 0; i < HW_MAX_SDMA_INSTANCES; i++) {
		const struct kfd_engine *engine = &node->engine[i];

		if (!(node->sdma_mask & BIT(i)) || instance_is_xgmi(node, i) != q->xgmi ||
		    !kfd_queue_usable_slots(node, i) ||
		    find_first_zero_bit(&pn->rlc_used[i], numbers) >= numbers)
			continue;
		if (best == HW_MAX_SDMA_INSTANCES || engine->queues < node->engine[best].queues)
			best = i;
	}
	if (best == HW_MAX_SDMA_INSTANCES)
		return -ENOMEM;
	q->instance = best;
	q->number = find_first_zero_bit(&pn->rlc_used[best], numbers);
	return 0;
}

/* The place that a queue had before. */
static int queue_claim_place_locked(const struct kfd_queue *q, unsigned int numbers)
{
	const struct kfd_node *node = q->pn->node;

	if (q->instance >= HW_MAX_SDMA_INSTANCES || !(node->sdma_mask & BIT(q->instance)) ||
	    instance_is_xgmi(node, q->instance) != q->xgmi || q->number >= numbers)
		return -EINVAL;
	return test_bit(q->number, &q->pn->rlc_used[q->instance]) ? -EBUSY : 0;
}

static void queue_enter_locked(struct kfd_queue *q)
{
	struct kfd_process_node *pn = q->pn;

	pn->num_queues++;
	pn->node->engine[q->instance].queues++;
	__set_bit(q->number, &pn->rlc_used[q->instance]);
	list_add_tail(&q->link, &pn->queues);
	kfd_count_add(KFD_COUNT_QUEUES, 1);
}

static void queue_leave_locked(struct kfd_queue *q)
{
	struct kfd_process_node *pn = q->pn;

	list_del(&q->link);
	__clear_bit(q->number, &pn->rlc_used[q->instance]);
	pn->node->engine[q->instance].queues--;
	pn->num_queues--;
	kfd_count_add(KFD_COUNT_QUEUES, -1);
}

/* It has its place. */
static int queue_admit_locked(struct kfd_queue *q)
{
	struct kfd_process_node *pn = q->pn;
	struct kfd_node *node = pn->node;
	int ret;

	q->hw.doorbell = kfd_doorbell_base(pn) +
			 kfd_doorbell_offset(node, q->instance, q->number);
	/* A slot keeps the value that its last queue rang. */
	hw_doorbell_reset(&node->dev->hw, q->hw.doorbell);
	queue_inherit_locked(q);
	queue_enter_locked(q);
	ret = kfd_queue_run_locked(q);
	if (ret)
		queue_leave_locked(q);
	return ret;
}

/**
 * kfd_queue_admit - place a new queue, and let it run if nothing stops it
 * @q: queue with its ring and pointers; the doorbell is set here
 *
 * Where it has no slot or VMID now it waits for its turn.
 *
 * Context: Process context, p->lock held, the process has a doorbell slice.
 * Return: 0; -ENOMEM (no such engine, or the process has no doorbell left there), or what the
 * hardware said.
 */
int kfd_queue_admit(struct kfd_queue *q)
{
	struct kfd_node *node = q->pn->node;
	int ret;

	lockdep_assert_held(&q->pn->process->lock);

	mutex_lock(&node->lock);
	ret = queue_place_locked(q, kfd_doorbell_numbers(node));
	if (!ret)
		ret = queue_admit_locked(q);
	mutex_unlock(&node->lock);
	return ret;
}

/**
 * kfd_queue_admit_there - the same for a queue whose instance and number are known
 * @q: queue
 *
 * Context: Process context, p->lock held, the process has a doorbell slice.
 * Return: 0; -EINVAL (there is no such place for it), -EBUSY (another queue has it), or what
 * the hardware said.
 */
int kfd_queue_admit_there(struct kfd_queue *q)
{
	struct kfd_node *node = q->pn->node;
	int ret;

	lockdep_assert_held(&q->pn->process->lock);

	mutex_lock(&node->lock);
	ret = queue_claim_place_locked(q, kfd_doorbell_numbers(node));
	if (!ret)
		ret = queue_admit_locked(q);
	mutex_unlock(&node->lock);
	return ret;
}

/**
 * kfd_queue_expel - unload a queue and forget it
 * @q: queue
 *
 * Context: Process context, p->lock held.
 */
void kfd_queue_expel(struct kfd_queue *q)
{
	struct kfd_node *node = q->pn->node;

	lockdep_assert_held(&q->pn->process->lock);

	mutex_lock(&node->lock);
	queue_leave_hw_locked(q);
	queue_leave_locked(q);
	mutex_unlock(&node->lock);
}

/**
 * kfd_queue_reshape - change a queue's ring, and whether its owner lets it run
 * @q: queue
 * @base: new ring
 * @size: bytes
 * @run: the owner wants it to run
 *
 * Its priority holds from here on as well.
 *
 * Context: Process context, p->lock held.
 * Return: 0, or what loading said.
 */
int kfd_queue_reshape(struct kfd_queue *q, u64 base, u64 size, bool run)
{
	struct kfd_node *node = q->pn->node;
	int ret;

	lockdep_assert_held(&q->pn->process->lock);

	mutex_lock(&node->lock);
	if (base != q->hw.rb_base || size != q->hw.rb_size || !run)
		queue_leave_hw_locked(q);
	q->sched.weight = kfd_sched_weight(q->priority);
	q->hw.rb_base = base;
	q->hw.rb_size = size;
	q->stops -= q->stopped[KFD_STOP_SUSPENDED];
	q->stopped[KFD_STOP_SUSPENDED] = !run;
	q->stops += !run;
	ret = kfd_queue_run_locked(q);
	mutex_unlock(&node->lock);
	return ret;
}

/**
 * kfd_queue_state - one word for debugfs
 * @q: queue
 *
 * Context: node->lock held.
 * Return: a constant string.
 */
const char *kfd_queue_state(const struct kfd_queue *q)
{
	static const char *const stopped[KFD_STOP_REASONS] = {
		[KFD_STOP_USERPTR] = "stopped-userptr",
		[KFD_STOP_EVICTION] = "stopped-eviction",
		[KFD_STOP_SUSPENDED] = "stopped-suspended",
		[KFD_STOP_CHECKPOINT] = "stopped-checkpoint",
		[KFD_STOP_RESTORE] = "stopped-restore",
		[KFD_STOP_DEBUG] = "stopped-debug",
		[KFD_STOP_RESET] = "stopped-reset",
	};
	unsigned int why;

	if (q->fault)
		return q->fault;
	for (why = 0; why < KFD_STOP_REASONS; why++)
		if (q->stopped[why])
			return stopped[why];
	if (q->slot != KFD_NO_SLOT)
		return "loaded";
	if (q->parked)
		return "parked";
	return list_empty(&q->wait) ? "unloaded" : "waiting";
}
