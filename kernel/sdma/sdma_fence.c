// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: fence timelines
 *
 * See sdma_fence.h for the words.  Signalling needs nothing but the timeline's
 * spinlock, which is never held while anything is allocated or waited for.
 */
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>

#include "sdma_fence.h"
#include "sdma_hw.h"
#include "sdma_trace.h"
#include "sdma_ring_math.h"

/* How often the fallback looks. */
#define SDMA_LOOK_PERIOD	max(HZ / 10, 1)

static unsigned int sdma_fence_timeout = 10000;
module_param_named(fence_timeout, sdma_fence_timeout, uint, 0644);
MODULE_PARM_DESC(fence_timeout,
		 "Milliseconds without progress after which a kernel SDMA ring counts as hung (100-3600000, default 10000)");

/**
 * struct sdma_fence - one step of a timeline
 * @base: not a dma_fence before sdma_fence_arm()
 * @tl: holds a reference
 * @link: in &sdma_timeline.pending
 */
struct sdma_fence {
	struct dma_fence base;
	struct sdma_timeline *tl;
	struct list_head link;
};

static const struct dma_fence_ops sdma_fence_ops;

static struct sdma_fence *to_sdma_fence(struct dma_fence *fence)
{
	return container_of(fence, struct sdma_fence, base);
}

/**
 * sdma_fence_timeout_ms - the module parameter, kept in bounds
 *
 * Context: any.
 * Return: milliseconds.
 */
unsigned int sdma_fence_timeout_ms(void)
{
	return clamp(READ_ONCE(sdma_fence_timeout), 100U, 3600000U);
}

static void sdma_timeline_release(struct kref *ref)
{
	struct sdma_timeline *tl = container_of(ref, struct sdma_timeline, ref);

	mempool_destroy(tl->pool);
	kfree(tl);
}

static void sdma_timeline_put(struct sdma_timeline *tl)
{
	kref_put(&tl->ref, sdma_timeline_release);
}

/*
 * Signal what has passed; newly signalled fences.  Callers have marked the section
 * with dma_fence_begin_signalling().
 */
static unsigned int sdma_timeline_signal_locked(struct sdma_timeline *tl)
{
	struct sdma_fence *f, *next;
	unsigned int n = 0;
	u32 done;

	lockdep_assert_held(&tl->lock);
	if (!tl->memory)
		return 0;
	done = READ_ONCE(*tl->memory);
	/* Fence number before the data that the engine stored ahead of it. */
	dma_rmb();
	list_for_each_entry_safe(f, next, &tl->pending, link) {
		if (!sdma_seq_passed(done, f->base.seqno))
			break;
		list_del(&f->link);
		tl->signalled = f->base.seqno;
		trace_sdma_fence(tl, f->base.seqno, 0);
		dma_fence_signal_locked(&f->base);
		dma_fence_put(&f->base);
		n++;
	}
	if (n) {
		tl->suspected = false;
		tl->progress = jiffies;
	}
	return n;
}

/**
 * sdma_timeline_process - signal every fence whose number is in memory
 * @tl: timeline
 *
 * Context: any; called from the trap interrupt.
 * Return: fences signalled.
 */
unsigned int sdma_timeline_process(struct sdma_timeline *tl)
{
	bool cookie = dma_fence_begin_signalling();
	unsigned long flags;
	unsigned int n;

	spin_lock_irqsave(&tl->lock, flags);
	n = sdma_timeline_signal_locked(tl);
	spin_unlock_irqrestore(&tl->lock, flags);
	dma_fence_end_signalling(cookie);
	return n;
}

/* Two looks in a row at a number in memory whose fence nobody signalled. */
static bool sdma_timeline_lost_locked(struct sdma_timeline *tl, u32 oldest)
{
	lockdep_assert_held(&tl->lock);
	if (!sdma_seq_passed(READ_ONCE(*tl->memory), oldest)) {
		tl->suspected = false;
		return false;
	}
	if (tl->suspected && tl->suspect == oldest) {
		tl->lost++;
		tl->suspected = false;
		return true;
	}
	tl->suspect = oldest;
	tl->suspected = true;
	return false;
}

static void sdma_timeline_look(struct timer_list *t)
{
	struct sdma_timeline *tl = from_timer(tl, t, timer);
	unsigned long limit = msecs_to_jiffies(sdma_fence_timeout_ms());
	bool lost = false, stuck = false;
	struct sdma_fence *oldest;
	unsigned long flags;

	spin_lock_irqsave(&tl->lock, flags);
	oldest = list_first_entry_or_null(&tl->pending, struct sdma_fence, link);
	if (oldest && tl->memory) {
		lost = sdma_timeline_lost_locked(tl, oldest->base.seqno);
		stuck = !tl->suspected && !lost && time_after(jiffies, tl->progress + limit);
		/* Told once; again only after another time-out. */
		if (stuck)
			tl->progress = jiffies;
		mod_timer(&tl->timer, jiffies + SDMA_LOOK_PERIOD);
	}
	spin_unlock_irqrestore(&tl->lock, flags);

	if (lost) {
		tl->ops->drain(tl->owner);
		sdma_timeline_process(tl);
	}
	if (stuck)
		tl->ops->stuck(tl->owner);
}

/**
 * sdma_timeline_create - a timeline without fences
 * @name: shown as the fences' timeline name
 * @reserve: fences that can always be had without entering reclaim
 * @memory: fence memory; zeroed by the caller
 * @ops: upcalls
 * @owner: their argument
 *
 * Context: process.
 * Return: the timeline, or ERR_PTR(-ENOMEM).
 */
struct sdma_timeline *sdma_timeline_create(const char *name, unsigned int reserve,
					   const u32 *memory,
					   const struct sdma_timeline_ops *ops, void *owner)
{
	struct sdma_timeline *tl = kzalloc(sizeof(*tl), GFP_KERNEL);

	if (!tl)
		return ERR_PTR(-ENOMEM);
	tl->pool = mempool_create_kmalloc_pool(reserve, sizeof(struct sdma_fence));
	if (!tl->pool) {
		kfree(tl);
		return ERR_PTR(-ENOMEM);
	}
	kref_init(&tl->ref);
	spin_lock_init(&tl->lock);
	strscpy(tl->name, name, sizeof(tl->name));
	tl->context = dma_fence_context_alloc(1);
	tl->ops = ops;
	tl->owner = owner;
	tl->memory = memory;
	INIT_LIST_HEAD(&tl->pending);
	timer_setup(&tl->timer, sdma_timeline_look, 0);
	return tl;
}

/* The oldest pending one ends, whatever the engine has done. */
static void sdma_fence_fail_locked(struct sdma_timeline *tl, struct sdma_fence *f, int error)
{
	lockdep_assert_held(&tl->lock);
	list_del(&f->link);
	tl->signalled = f->base.seqno;
	dma_fence_set_error(&f->base, error);
	trace_sdma_fence(tl, f->base.seqno, error);
	dma_fence_signal_locked(&f->base);
	dma_fence_put(&f->base);
}

/**
 * sdma_timeline_kill - the ring will never signal again
 * @tl: timeline
 * @error: negative errno that the fences end with
 *
 * Signals what is pending, and from now on whatever is armed.  The engine must no
 * longer touch what the fences guard.
 *
 * Context: any.
 */
void sdma_timeline_kill(struct sdma_timeline *tl, int error)
{
	bool cookie = dma_fence_begin_signalling();
	struct sdma_fence *f, *next;
	unsigned long flags;

	spin_lock_irqsave(&tl->lock, flags);
	sdma_timeline_signal_locked(tl);
	tl->error = error;
	list_for_each_entry_safe(f, next, &tl->pending, link)
		sdma_fence_fail_locked(tl, f, error);
	spin_unlock_irqrestore(&tl->lock, flags);
	dma_fence_end_signalling(cookie);
}

/**
 * sdma_timeline_cancel - the oldest pending fence fails, the others stay
 * @tl: timeline of a ring that the engine does not run
 * @error: negative errno that it ends with
 * @seq: gets its number
 *
 * Context: any.
 * Return: false if nothing is pending.
 */
bool sdma_timeline_cancel(struct sdma_timeline *tl, int error, u32 *seq)
{
	bool cookie = dma_fence_begin_signalling();
	struct sdma_fence *f;
	unsigned long flags;

	spin_lock_irqsave(&tl->lock, flags);
	sdma_timeline_signal_locked(tl);
	f = list_first_entry_or_null(&tl->pending, struct sdma_fence, link);
	if (f) {
		*seq = f->base.seqno;
		sdma_fence_fail_locked(tl, f, error);
	}
	spin_unlock_irqrestore(&tl->lock, flags);
	dma_fence_end_signalling(cookie);
	return f;
}

/**
 * sdma_timeline_spoil - a pending fence will signal in its turn, but with an error
 * @tl: timeline
 * @seq: its number
 * @error: negative errno
 *
 * Context: any.
 * Return: false if it is not pending.
 */
bool sdma_timeline_spoil(struct sdma_timeline *tl, u32 seq, int error)
{
	struct sdma_fence *f;
	bool found = false;
	unsigned long flags;

	spin_lock_irqsave(&tl->lock, flags);
	list_for_each_entry(f, &tl->pending, link) {
		if (f->base.seqno != seq)
			continue;
		dma_fence_set_error(&f->base, error);
		found = true;
	}
	spin_unlock_irqrestore(&tl->lock, flags);
	return found;
}

/**
 * sdma_timeline_restart - pending fences get all of the time-out once more
 * @tl: timeline of a ring that is about to be started again
 *
 * Context: any.
 */
void sdma_timeline_restart(struct sdma_timeline *tl)
{
	unsigned long flags;

	spin_lock_irqsave(&tl->lock, flags);
	tl->progress = jiffies;
	tl->suspected = false;
	spin_unlock_irqrestore(&tl->lock, flags);
}

/**
 * sdma_timeline_shutdown - the ring goes away
 * @tl: timeline
 * @error: for fences that are still pending, which are complained about
 *
 * Context: process; sleeps until no upcall runs.
 */
void sdma_timeline_shutdown(struct sdma_timeline *tl, int error)
{
	if (!list_empty_careful(&tl->pending))
		pr_warn("carillon: %s: fences %u to %u left at teardown\n", tl->name,
			tl->signalled + 1, tl->emitted);
	sdma_timeline_kill(tl, error);
	/* The timer arms itself only while something is pending, and nothing is. */
	del_timer_sync(&tl->timer);
}

/**
 * sdma_timeline_fini - give the ring's reference back
 * @tl: timeline, shut down
 *
 * Context: process.
 */
void sdma_timeline_fini(struct sdma_timeline *tl)
{
	spin_lock_irq(&tl->lock);
	tl->memory = NULL;
	tl->ops = NULL;
	tl->owner = NULL;
	spin_unlock_irq(&tl->lock);
	sdma_timeline_put(tl);
}

/**
 * sdma_fence_alloc - memory for a fence
 * @tl: timeline that it will belong to
 *
 * The result is no dma_fence yet: it is handed to sdma_fence_arm() or to
 * sdma_fence_discard().
 *
 * Context: any.
 * Return: the fence, or NULL if memory and reserve are exhausted.
 */
struct dma_fence *sdma_fence_alloc(struct sdma_timeline *tl)
{
	struct sdma_fence *f = mempool_alloc(tl->pool, GFP_NOWAIT | __GFP_NOWARN);

	if (!f)
		return NULL;
	memset(f, 0, sizeof(*f));
	INIT_LIST_HEAD(&f->link);
	f->tl = tl;
	kref_get(&tl->ref);
	return &f->base;
}

static void sdma_fence_free(struct sdma_fence *f)
{
	struct sdma_timeline *tl = f->tl;

	mempool_free(f, tl->pool);
	sdma_timeline_put(tl);
}

/**
 * sdma_fence_discard - undo sdma_fence_alloc()
 * @fence: a fence that was not armed
 *
 * Context: any.
 */
void sdma_fence_discard(struct dma_fence *fence)
{
	sdma_fence_free(to_sdma_fence(fence));
}

/**
 * sdma_fence_arm - give a fence the next number of its timeline
 * @fence: from sdma_fence_alloc(); afterwards a dma_fence with one reference of the
 *	caller
 *
 * Calls for one timeline come in the order in which the packets go into the ring.
 * On a dead timeline the fence is signalled at once.
 *
 * Context: any.
 * Return: the number that the engine shall store.
 */
u32 sdma_fence_arm(struct dma_fence *fence)
{
	struct sdma_fence *f = to_sdma_fence(fence);
	struct sdma_timeline *tl = f->tl;
	unsigned long flags;

	spin_lock_irqsave(&tl->lock, flags);
	dma_fence_init(fence, &sdma_fence_ops, &tl->lock, tl->context, ++tl->emitted);
	if (tl->error) {
		tl->signalled = tl->emitted;
		dma_fence_set_error(fence, tl->error);
		trace_sdma_fence(tl, fence->seqno, tl->error);
		dma_fence_signal_locked(fence);
	} else {
		if (list_empty(&tl->pending)) {
			tl->progress = jiffies;
			mod_timer(&tl->timer, jiffies + SDMA_LOOK_PERIOD);
		}
		dma_fence_get(fence);
		list_add_tail(&f->link, &tl->pending);
	}
	spin_unlock_irqrestore(&tl->lock, flags);
	return fence->seqno;
}

/**
 * sdma_fence_timeline - whose fence is it?
 * @fence: any fence
 *
 * Context: any.
 * Return: the timeline, valid as long as @fence is; NULL for a foreign fence.
 */
struct sdma_timeline *sdma_fence_timeline(struct dma_fence *fence)
{
	return fence->ops == &sdma_fence_ops ? to_sdma_fence(fence)->tl : NULL;
}

static const char *sdma_fence_driver_name(struct dma_fence *fence)
{
	return "carillon";
}

static const char *sdma_fence_timeline_name(struct dma_fence *fence)
{
	return to_sdma_fence(fence)->tl->name;
}

static void sdma_fence_free_rcu(struct rcu_head *rcu)
{
	sdma_fence_free(to_sdma_fence(container_of(rcu, struct dma_fence, rcu)));
}

static void sdma_fence_release(struct dma_fence *fence)
{
	call_rcu(&fence->rcu, sdma_fence_free_rcu);
}

static const struct dma_fence_ops sdma_fence_ops = {
	.get_driver_name = sdma_fence_driver_name,
	.get_timeline_name = sdma_fence_timeline_name,
	.release = sdma_fence_release,
};
