/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: kernel rings
 *
 * A &struct sdma_ring is one GFX or page ring: its memory, its counters, its fence
 * timeline and its job slots.  Writing goes *reserve* (place and room, may wait,
 * may fail) → build the frame aside → *commit* (copy it into the ring once, publish
 * WPTR; cannot fail).  Only sdma_job.c and the ring test do that.
 *
 * A ring that hangs or faults *dies*, and its instance with it, to be reset
 * (sdma_recover.c).  If that fails its fences end with an error and no job is placed on
 * it any more.
 */
#ifndef CARILLON_SDMA_RING_H
#define CARILLON_SDMA_RING_H

#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/mutex.h>
#include <linux/sizes.h>
#include <linux/workqueue.h>

#include "sdma.h"
#include "sdma_ring_math.h"

#include "../hw/hw_device.h"

struct sdma_device;
struct sdma_timeline;

/* Jobs that a ring holds at once. */
#define SDMA_RING_SLOTS		16
/* Dwords of the largest frame. */
#define SDMA_FRAME_MAX_DWORDS	56
#define SDMA_RING_MIN_BYTES	SZ_4K
#define SDMA_RING_MAX_BYTES	SZ_1M

/* All jobs fit at once, each behind a lead of NOPs: a submission never waits on a healthy ring. */
static_assert(SDMA_RING_MIN_BYTES / 4 - SDMA_FETCH_DWORDS >=
	      SDMA_RING_SLOTS * SDMA_FRAME_MAX_DWORDS + SDMA_FRAME_MAX_DWORDS);

/**
 * struct sdma_ring_cells - write-back memory of one ring
 * @rptr: bytes, written by the engine
 * @wptr: bytes, written by the driver
 * @fence: fence memory, written by the engine
 * @test: target of the ring test
 * @unused: fills a cache line, so that no two rings share one
 */
struct sdma_ring_cells {
	u64 rptr;
	u64 wptr;
	u32 fence;
	u32 test;
	u64 unused[5];
};

static_assert(sizeof(struct sdma_ring_cells) == 64);

/**
 * struct sdma_ring - one kernel ring
 * @sdma: device
 * @instance: index of the instance
 * @kind: GFX or page
 * @name: "sdma0", "page0"
 * @lock: one writer at a time; protects @reserved, @committed, @doorbell_on,
 *	@rptr_seen, @rung_again, @rung_jiffies
 * @mem: the ring
 * @dwords: its size
 * @reserved: dwords handed to the writer since the start
 * @committed: dwords published to the engine since the start
 * @cells: write-back memory
 * @cells_mc: its MC address
 * @rptr_seen: RPTR by register, dwords, where memory was found to be behind it
 * @doorbell: byte offset in BAR2
 * @doorbell_on: the engine listens to the doorbell
 * @rung_again: @committed when its doorbell was found lost and rung again
 * @rung_jiffies: when that was
 * @live: jobs may be placed here
 * @error: why the ring was given up, or 0; written once by @death
 * @timeline: its fences
 * @death: recovers a hung or faulted ring
 * @again: rings once more
 * @cause: negative errno for @death, set before the work is queued; 0 again after it
 * @recovering: jobs take numbers but no place; under @lock
 * @ibs: indirect buffers of all slots
 * @slots: one bit a job in use
 * @jobs: the slots
 * @count_jobs: jobs submitted
 * @count_bytes: bytes that they moved
 * @count_traps: trap interrupts
 * @count_faults: error interrupts
 * @count_stale: times that RPTR in memory was behind the engine's
 * @count_unrung: doorbells that were lost
 * @count_resets: recoveries
 * @count_canceled: jobs that failed in them
 */
struct sdma_ring {
	struct sdma_device *sdma;
	unsigned int instance;
	enum sdma_ring_kind kind;
	char name[16];
	struct mutex lock;		/* writing: reserved to rung_jiffies */
	struct hw_mem mem;
	u32 dwords;
	u64 reserved;
	u64 committed;
	struct sdma_ring_cells *cells;
	u64 cells_mc;
	u64 rptr_seen;
	u32 doorbell;
	bool doorbell_on;
	u64 rung_again;
	unsigned long rung_jiffies;
	bool live;
	int error;
	struct sdma_timeline *timeline;
	struct work_struct death;
	struct work_struct again;
	int cause;
	bool recovering;
	struct hw_mem ibs;
	DECLARE_BITMAP(slots, SDMA_RING_SLOTS);
	struct sdma_job jobs[SDMA_RING_SLOTS];
	atomic64_t count_jobs;
	atomic64_t count_bytes;
	atomic64_t count_traps;
	atomic64_t count_faults;
	atomic64_t count_stale;
	atomic64_t count_unrung;
	atomic64_t count_resets;
	atomic64_t count_canceled;
};

int sdma_ring_init(struct sdma_ring *ring, struct sdma_device *sdma, unsigned int instance,
		   enum sdma_ring_kind kind);
void sdma_ring_fini(struct sdma_ring *ring);
void sdma_ring_start(struct sdma_ring *ring);
void sdma_ring_stop(struct sdma_ring *ring);
void sdma_ring_pause(struct sdma_ring *ring);
void sdma_ring_die(struct sdma_ring *ring, int cause);
bool sdma_ring_ring_again(struct sdma_ring *ring);

int sdma_ring_reserve(struct sdma_ring *ring, u32 dwords, struct sdma_ring_plan *plan);
void sdma_ring_commit(struct sdma_ring *ring, const struct sdma_ring_plan *plan,
		      const u32 *frame, u32 dwords);

u64 sdma_ring_rptr(const struct sdma_ring *ring);
int sdma_ring_test(struct sdma_ring *ring);

static inline u64 sdma_ring_fence_mc(const struct sdma_ring *ring)
{
	return ring->cells_mc + offsetof(struct sdma_ring_cells, fence);
}

#endif /* CARILLON_SDMA_RING_H */
