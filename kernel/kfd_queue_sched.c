// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: more queues than slots, more processes than VMIDs
 *
 * A queue that wants a slot or a VMID and gets none waits in its engine's list.  As long as
 * any does, a work item looks every few milliseconds at the loaded ones, charges them
 * for what their engine did, and gives the slots to whom kfd_sched.c says.  While
 * none waits it is not queued: where there is room for all, nothing is ever looked at.
 *
 * A queue without work keeps its slot as long as nobody wants it.  Then it is *parked*,
 * and its doorbell page withdrawn, because nothing else would tell of a store:
 * the engine watches only the doorbells of loaded queues, and what a client writes into
 * memory the driver would have to ask for again and again.  The next store faults; the
 * handler has the parked queues of that page wait and maps the page again.  Queues that
 * share the page and were not rung get a turn, show that they have no work, and are
 * parked again.  In this order nothing is lost:
 *
 *	1. mark the page as not mapped, under node->lock
 *	2. withdraw the mapping, under no lock
 *	3. under node->lock: if the page is still marked, unload the queue.  What was stored
 *	   before 2 is in its WPTR now.  If that is RPTR it is parked, else it waits.
 *
 * A store after 2 faults, and the handler clears the mark before it maps the page: before
 * 3 the queue is not parked then, after 3 the handler finds it parked.
 *
 * VMIDs go with slots: a process whose last loaded queue leaves gives its VMID back.
 * Where all are taken and a queue waits whose process has none, the process that has had
 * one for the longest time gives way with all its queues, after two slices or once they
 * have no work.
 */
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/workqueue.h>

#include "kfd_doorbell.h"
#include "kfd_queue_hw.h"

/* Between two looks while a queue waits. */
#define SCHED_PERIOD_MS		4
/*
 * After this time a process may lose its VMID.  Not once each of its queues has had its slice:
 * while they take turns among themselves that may never be so for all at a time.
 */
#define SCHED_PROCESS_NS	(2 * KFD_SCHED_SLICE_NS)
#define SCHED_MAX_SLOTS		(HW_MAX_SDMA_INSTANCES * KFD_MAX_RLC)

static struct kfd_engine *engine_of(const struct kfd_queue *q)
{
	return &q->pn->node->engine[q->instance];
}

static unsigned int doorbell_page(const struct kfd_queue *q)
{
	return (q->hw.doorbell - kfd_doorbell_base(q->pn)) >> PAGE_SHIFT;
}

static bool page_closed(const struct kfd_queue *q)
{
	return !(q->pn->doorbells_open & BIT(doorbell_page(q)));
}

static bool vmid_free(const struct kfd_node *node)
{
	return node->vmid_mask & ~node->vmid_used;
}

/* ---- accounts ---- */

/* Engine's count of its work in a slot; where nobody counts, microseconds. */
static u64 slot_work(struct kfd_queue *q, u64 now, struct hw_served *served)
{
	struct hw_device *hw = &q->pn->node->dev->hw;

	if (hw_sdma_served(hw, q->instance, q->slot, served))
		return served->turns;
	*served = q->served_slot;
	return now / NSEC_PER_USEC;
}

static bool queue_has_work_locked(const struct kfd_queue *q)
{
	u64 rptr, wptr;

	sdma_rlc_peek(&q->pn->node->dev->sdma, q->instance, q->slot, &rptr, &wptr);
	return rptr != wptr;
}

void kfd_queue_loaded_locked(struct kfd_queue *q)
{
	u64 now = ktime_get_ns();

	q->closing = false;
	kfd_queue_forget_locked(q);
	kfd_sched_load(&engine_of(q)->clock, &q->sched, now,
		       slot_work(q, now, &q->served_slot));
}

void kfd_queue_look_locked(struct kfd_queue *q, u64 now)
{
	struct hw_served served;
	u64 work = slot_work(q, now, &served);

	kfd_sched_look(&engine_of(q)->clock, &q->sched, now, work, !queue_has_work_locked(q));
	q->served.turns += served.turns - q->served_slot.turns;
	q->served.bytes += served.bytes - q->served_slot.bytes;
	q->served_slot = served;
}

/**
 * kfd_queue_charge_locked - bring the account of a loaded queue up to now
 * @q: queue
 *
 * Context: node->lock held.
 */
void kfd_queue_charge_locked(struct kfd_queue *q)
{
	kfd_queue_look_locked(q, ktime_get_ns());
}

/* ---- waiting ---- */

void kfd_queue_kick_locked(struct kfd_node *node)
{
	lockdep_assert_held(&node->lock);
	if (node->waiting && !node->asleep)
		mod_delayed_work(system_highpri_wq, &node->sched, 0);
}

void kfd_queue_forget_locked(struct kfd_queue *q)
{
	q->parked = false;
	if (list_empty(&q->wait))
		return;
	list_del_init(&q->wait);
	q->pn->node->waiting--;
}

static void queue_wait_locked(struct kfd_queue *q)
{
	q->parked = false;
	if (!list_empty(&q->wait))
		return;
	kfd_sched_join(&engine_of(q)->clock, &q->sched);
	list_add_tail(&q->wait, &engine_of(q)->waiting);
	q->pn->node->waiting++;
}

int kfd_queue_run_locked(struct kfd_queue *q)
{
	int ret = kfd_queue_load_locked(q);

	if (ret != -ENOSPC)
		return ret;
	queue_wait_locked(q);
	kfd_queue_kick_locked(q->pn->node);
	return 0;
}

/**
 * kfd_queue_doorbells_open - a page of a process's doorbells is about to be mapped
 * @pn: process and node
 * @page: page of its slice
 *
 * Context: Page fault, node->doorbell_lock held. Takes node->lock.
 */
void kfd_queue_doorbells_open(struct kfd_process_node *pn, unsigned int page)
{
	struct kfd_node *node = pn->node;
	struct kfd_queue *q;

	mutex_lock(&node->lock);
	pn->doorbells_open |= BIT(page);
	list_for_each_entry(q, &pn->queues, link)
		if (q->parked && doorbell_page(q) == page)
			queue_wait_locked(q);
	kfd_queue_kick_locked(node);
	mutex_unlock(&node->lock);
}

/* ---- one round ---- */

static void look_at_all_locked(struct kfd_node *node, u64 now)
{
	unsigned int i, slot;

	for (i = 0; i < HW_MAX_SDMA_INSTANCES; i++)
		for (slot = 0; slot < node->rlc_slots; slot++)
			if (node->engine[i].slot[slot])
				kfd_queue_look_locked(node->engine[i].slot[slot], now);
}

/* Are slots of this engine, or the VMIDs that its queues have, wanted by others? */
static bool engine_wanted_locked(struct kfd_node *node, struct kfd_engine *engine)
{
	return !vmid_free(node) ||
	       (!list_empty(&engine->waiting) && kfd_queue_slot_find_locked(node, engine) < 0);
}

static unsigned int close_idle_locked(struct kfd_node *node, struct kfd_engine *engine,
				      u16 *pages, unsigned int n)
{
	struct kfd_queue *q;
	unsigned int slot;

	for (slot = 0; slot < node->rlc_slots; slot++) {
		q = engine->slot[slot];
		if (!q)
			continue;
		q->closing = q->sched.idle;
		if (!q->closing || page_closed(q))
			continue;
		q->pn->doorbells_open &= ~BIT(doorbell_page(q));
		pages[n++] = q->hw.doorbell >> PAGE_SHIFT;
	}
	return n;
}

/* Step 1 above, for queues whose place somebody may want. */
static unsigned int close_all_idle_locked(struct kfd_node *node, u16 pages[SCHED_MAX_SLOTS])
{
	unsigned int i, n = 0;

	for (i = 0; i < HW_MAX_SDMA_INSTANCES; i++)
		if (engine_wanted_locked(node, &node->engine[i]))
			n = close_idle_locked(node, &node->engine[i], pages, n);
	return n;
}

/* May it leave its slot in this round?  One without work only if its page was withdrawn. */
static bool may_leave_locked(const struct kfd_queue *q)
{
	if (engine_of(q)->resetting)
		return false;
	return !q->sched.idle || (q->closing && page_closed(q));
}

/* Step 3 above. */
static void queue_yield_locked(struct kfd_queue *q)
{
	bool closed = q->closing && page_closed(q);

	kfd_queue_unload_locked(q);
	q->closing = false;
	if (q->untold || q->hw.halted)
		return; /* that it hangs, or what it did wrong, is being told */
	if (closed && q->hw.rptr == q->hw.wptr)
		q->parked = true;
	else
		queue_wait_locked(q);
}

static struct kfd_queue *next_waiting_locked(struct kfd_engine *engine)
{
	struct kfd_queue *q, *best = NULL;

	list_for_each_entry(q, &engine->waiting, wait)
		if (!q->passed_over && (!best || kfd_sched_before(&q->sched, &best->sched)))
			best = q;
	return best;
}

static struct kfd_queue *victim_locked(struct kfd_node *node, struct kfd_engine *engine,
				       const struct kfd_queue *w, u64 now)
{
	const struct kfd_sched_queue *slot[KFD_MAX_RLC] = { };
	unsigned int i;
	int victim;

	for (i = 0; i < node->rlc_slots; i++)
		if (engine->slot[i] && may_leave_locked(engine->slot[i]))
			slot[i] = &engine->slot[i]->sched;
	victim = kfd_sched_victim(slot, node->rlc_slots, &w->sched, now);
	return victim < 0 ? NULL : engine->slot[victim];
}

static bool vmid_for_locked(const struct kfd_queue *w, const struct kfd_queue *victim)
{
	return w->pn->vmid || vmid_free(w->pn->node) ||
	       (victim && victim->pn->loaded == 1 && !victim->pn->vmid_lost);
}

/* Returns false if the engine is to be left alone for this round. */
static bool queue_enter_hw_locked(struct kfd_queue *w)
{
	int ret = kfd_queue_load_locked(w);

	if (ret == -ENODEV)
		return false;
	if (ret && ret != -ENOSPC && !kfd_queue_usable_slots(w->pn->node, w->instance))
		kfd_queue_give_up_locked(w, ret);
	else if (ret)
		w->passed_over = true;
	return true;
}

/* One more of those who wait; false if no other can be served now. */
static bool engine_serve_locked(struct kfd_node *node, struct kfd_engine *engine, u64 now)
{
	struct kfd_queue *w = next_waiting_locked(engine), *victim = NULL;

	if (!w || engine->resetting)
		return false;
	if (kfd_queue_slot_find_locked(node, engine) < 0) {
		victim = victim_locked(node, engine, w, now);
		if (!victim)
			return false;
	}
	if (!vmid_for_locked(w, victim)) {
		w->passed_over = true;
		return true;
	}
	if (victim)
		queue_yield_locked(victim);
	return queue_enter_hw_locked(w);
}

static void engines_serve_locked(struct kfd_node *node, u64 now)
{
	struct kfd_engine *engine;
	struct kfd_queue *q;

	for (engine = node->engine; engine < node->engine + HW_MAX_SDMA_INSTANCES; engine++) {
		list_for_each_entry(q, &engine->waiting, wait)
			q->passed_over = false;
		while (engine_serve_locked(node, engine, now))
			;
	}
}

/* ---- VMIDs ---- */

/* Of those who were passed over for want of a VMID, the one that is furthest behind. */
static struct kfd_queue *vmid_wanted_locked(struct kfd_node *node)
{
	struct kfd_queue *q, *best = NULL;
	u64 lag = 0, one;
	unsigned int i;

	for (i = 0; i < HW_MAX_SDMA_INSTANCES; i++) {
		list_for_each_entry(q, &node->engine[i].waiting, wait) {
			if (!q->passed_over || q->pn->vmid)
				continue;
			/* Engines have shares of their own; how far behind they are compares. */
			one = node->engine[i].clock.share - q->sched.share;
			if (best && (s64)(lag - one) >= 0)
				continue;
			best = q;
			lag = one;
		}
	}
	return best;
}

/* Could all loaded queues of @pn make room for @w, and would that give it a slot? */
static bool process_gives_way_locked(struct kfd_process_node *pn, struct kfd_queue *w, u64 now)
{
	bool slot = kfd_queue_slot_find_locked(pn->node, engine_of(w)) >= 0;
	const struct kfd_queue *q;

	list_for_each_entry(q, &pn->queues, link) {
		if (q->slot == KFD_NO_SLOT)
			continue;
		if (!may_leave_locked(q) ||
		    (!q->sched.idle && now - pn->vmid_since < SCHED_PROCESS_NS))
			return false;
		if (q->instance != w->instance)
			continue;
		if (!q->sched.idle && !kfd_sched_before(&w->sched, &q->sched))
			return false;
		slot = true;
	}
	return slot;
}

static struct kfd_process_node *vmid_victim_locked(struct kfd_queue *w, u64 now)
{
	struct kfd_node *node = w->pn->node;
	struct kfd_process_node *pn, *best = NULL;
	unsigned int i, slot;

	for (i = 0; i < HW_MAX_SDMA_INSTANCES; i++) {
		for (slot = 0; slot < node->rlc_slots; slot++) {
			if (!node->engine[i].slot[slot])
				continue;
			pn = node->engine[i].slot[slot]->pn;
			if ((!best || pn->vmid_since < best->vmid_since) &&
			    process_gives_way_locked(pn, w, now))
				best = pn;
		}
	}
	return best;
}

static void process_yield_locked(struct kfd_process_node *pn)
{
	struct kfd_queue *q;

	list_for_each_entry(q, &pn->queues, link)
		if (q->slot != KFD_NO_SLOT)
			queue_yield_locked(q);
}

/* One process a round loses its VMID at most. */
static void vmid_serve_locked(struct kfd_node *node, u64 now)
{
	struct kfd_process_node *pn;
	struct kfd_queue *w;

	if (vmid_free(node))
		return;
	w = vmid_wanted_locked(node);
	pn = w ? vmid_victim_locked(w, now) : NULL;
	if (!pn)
		return;
	process_yield_locked(pn);
	queue_enter_hw_locked(w);
}

/* ---- the work item ---- */

static void sched_prepare(struct kfd_node *node)
{
	u16 pages[SCHED_MAX_SLOTS];
	unsigned int i, n = 0;

	mutex_lock(&node->lock);
	node->sched_rounds++;
	if (node->waiting && !node->asleep) {
		look_at_all_locked(node, ktime_get_ns());
		n = close_all_idle_locked(node, pages);
	}
	mutex_unlock(&node->lock);
	for (i = 0; i < n; i++)
		kfd_doorbell_close(node, pages[i]);
}

static void sched_serve(struct kfd_node *node)
{
	u64 now = ktime_get_ns();

	mutex_lock(&node->lock);
	if (!node->asleep && !READ_ONCE(node->dev->hw.lost)) {
		engines_serve_locked(node, now);
		vmid_serve_locked(node, now);
		if (node->waiting)
			queue_delayed_work(system_highpri_wq, &node->sched,
					   msecs_to_jiffies(SCHED_PERIOD_MS));
	}
	mutex_unlock(&node->lock);
}

static void sched_work(struct work_struct *work)
{
	struct kfd_node *node = container_of(work, struct kfd_node, sched.work);

	sched_prepare(node);
	sched_serve(node);
}

/**
 * kfd_queue_sched_init - a node without queues
 * @node: node; node->lock exists
 */
void kfd_queue_sched_init(struct kfd_node *node)
{
	unsigned int i;

	INIT_DELAYED_WORK(&node->sched, sched_work);
	for (i = 0; i < HW_MAX_SDMA_INSTANCES; i++) {
		INIT_LIST_HEAD(&node->engine[i].waiting);
		kfd_sched_clock_init(&node->engine[i].clock);
	}
}

/**
 * kfd_queue_sched_fini - the work item does not run any more when this returns
 * @node: node; no queue is left, and no page fault finds the device
 *
 * Context: Process context, no lock held.
 */
void kfd_queue_sched_fini(struct kfd_node *node)
{
	cancel_delayed_work_sync(&node->sched);
}
