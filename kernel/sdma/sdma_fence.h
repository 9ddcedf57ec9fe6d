/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: fence timelines
 *
 * One *timeline* a ring: a fence context, a counter that each armed fence takes
 * one step of, and the fences that wait for the engine to store their number into
 * the *fence memory*.  The trap interrupt makes sdma_timeline_process() look at
 * that memory and signal all that have passed.
 *
 * A fence is allocated before anything is put into the ring and armed afterwards,
 * so that nothing can fail once a packet is there.  A timer looks whether a number
 * is in memory but its fence is not signalled: after two looks the interrupt
 * counts as lost.  The same timer tells the ring when nothing has moved for too
 * long.
 *
 * Fences hold the timeline, never the other way round, so a fence may outlive the
 * device; it is signalled by then.
 */
#ifndef CARILLON_SDMA_FENCE_H
#define CARILLON_SDMA_FENCE_H

#include <linux/dma-fence.h>
#include <linux/kref.h>
#include <linux/mempool.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

struct sdma_timeline;

/**
 * struct sdma_timeline_ops - upcalls to the ring that owns a timeline
 * @drain: an interrupt seems lost: drain the interrupt ring
 * @stuck: no fence has signalled for the time-out although some are pending
 *
 * Timer (softirq) context, no lock held.
 */
struct sdma_timeline_ops {
	void (*drain)(void *owner);
	void (*stuck)(void *owner);
};

/**
 * struct sdma_timeline - the fences of one ring in order
 * @ref: one of the ring, one of each fence
 * @lock: protects all below but @name and @pool; taken in hard interrupt context;
 *	also the lock of every fence here
 * @name: "sdma0", "page0"
 * @gpu: PCI name of the GPU, for traces; it, @instance and @kind are set before the first
 *	fence, or stay as they are
 * @instance: of the ring, for traces
 * @kind: likewise
 * @context: fence context
 * @ops: upcalls; NULL after sdma_timeline_fini()
 * @owner: their argument
 * @memory: fence memory; NULL after sdma_timeline_fini()
 * @emitted: number of the fence armed last
 * @signalled: number of the fence signalled last
 * @pending: armed fences, oldest first
 * @error: set once the ring is dead: fences armed later signal with it at once
 * @timer: fallback; runs only while something is pending
 * @suspect: number in memory that no interrupt had told about at the last look
 * @suspected: is @suspect valid?
 * @progress: jiffies when the oldest pending fence became the oldest
 * @lost: interrupts that counted as lost
 * @pool: fences, with a reserve so that allocation need not enter reclaim
 */
struct sdma_timeline {
	struct kref ref;
	spinlock_t lock;		/* all below but name and pool */
	char name[16];
	char gpu[16];
	u32 instance, kind;
	u64 context;
	const struct sdma_timeline_ops *ops;
	void *owner;
	const u32 *memory;
	u32 emitted;
	u32 signalled;
	struct list_head pending;
	int error;
	struct timer_list timer;
	u32 suspect;
	bool suspected;
	unsigned long progress;
	u64 lost;
	mempool_t *pool;
};

struct sdma_timeline *sdma_timeline_create(const char *name, unsigned int reserve,
					   const u32 *memory,
					   const struct sdma_timeline_ops *ops, void *owner);
void sdma_timeline_shutdown(struct sdma_timeline *tl, int error);
void sdma_timeline_fini(struct sdma_timeline *tl);

struct dma_fence *sdma_fence_alloc(struct sdma_timeline *tl);
void sdma_fence_discard(struct dma_fence *fence);
u32 sdma_fence_arm(struct dma_fence *fence);
struct sdma_timeline *sdma_fence_timeline(struct dma_fence *fence);

unsigned int sdma_timeline_process(struct sdma_timeline *tl);
void sdma_timeline_kill(struct sdma_timeline *tl, int error);
bool sdma_timeline_cancel(struct sdma_timeline *tl, int error, u32 *seq);
bool sdma_timeline_spoil(struct sdma_timeline *tl, u32 seq, int error);
void sdma_timeline_restart(struct sdma_timeline *tl);

#endif /* CARILLON_SDMA_FENCE_H */
