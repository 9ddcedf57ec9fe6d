/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: ring arithmetic
 *
 * A ring is @size dwords, a power of two.  WPTR and RPTR count dwords since the
 * ring was started and never wrap back (64 bits); only an access to the ring is
 * masked.  A *frame* is what one submission puts into the ring in one piece.
 *
 * The writer always leaves one fetch group free, so that "full" and "empty" look
 * different even to an engine that reports RPTR modulo the ring.  A frame never
 * straddles the end of the ring: the rest of the ring is filled with NOPs, which
 * are handed to the engine as a frame of their own, and the frame starts at dword
 * 0.  Every frame is padded with NOPs to a whole fetch group.
 *
 * Pure: compiles in user space.
 */
#ifndef CARILLON_SDMA_RING_MATH_H
#define CARILLON_SDMA_RING_MATH_H

#include <linux/errno.h>
#include <linux/types.h>

#include "sdma_packet.h"

/* Byte pointers of the hardware and dword counters of the driver. */
#define SDMA_DWORD_SHIFT	2

static inline u64 sdma_dwords_to_bytes(u64 dwords)
{
	return dwords << SDMA_DWORD_SHIFT;
}

static inline u64 sdma_bytes_to_dwords(u64 bytes)
{
	return bytes >> SDMA_DWORD_SHIFT;
}

/* Dwords that the engine has not consumed. @rptr may be monotonic or modulo the ring. */
static inline u32 sdma_ring_used(u32 size, u64 wptr, u64 rptr)
{
	return (u32)(wptr - rptr) & (size - 1);
}

/* Dwords that a frame may take when the ring is empty. */
static inline u32 sdma_ring_capacity(u32 size)
{
	return size - SDMA_FETCH_DWORDS;
}

/* Dwords that may be written now. */
static inline u32 sdma_ring_space(u32 size, u64 wptr, u64 rptr)
{
	u32 used = sdma_ring_used(size, wptr, rptr);
	u32 capacity = sdma_ring_capacity(size);

	return used < capacity ? capacity - used : 0;
}

/* Dwords from @wptr to the end of the ring: 1 to @size. */
static inline u32 sdma_ring_to_end(u32 size, u64 wptr)
{
	return size - ((u32)wptr & (size - 1));
}

/**
 * struct sdma_ring_plan - where one frame goes
 * @lead: NOPs that fill the ring up to its end, before the frame; a frame of
 *	their own, to be committed first
 * @start: counter value at the first dword of the frame
 * @pad: NOPs after the frame
 * @end: counter value to commit
 */
struct sdma_ring_plan {
	u32 lead;
	u64 start;
	u32 pad;
	u64 end;
};

/**
 * sdma_ring_plan_frame - place a frame of @dwords at @wptr
 * @size: dwords in the ring, a power of two
 * @wptr: where the writer stands
 * @dwords: length without padding
 * @plan: filled in
 *
 * Looks at the ring's geometry only; whether there is room now is told by
 * sdma_ring_space().
 *
 * Context: any.
 * Return: 0, or -EINVAL if the frame is empty or can never fit.
 */
static inline int sdma_ring_plan_frame(u32 size, u64 wptr, u32 dwords, struct sdma_ring_plan *plan)
{
	u32 padded = (dwords + SDMA_FETCH_DWORDS - 1) & ~(u32)(SDMA_FETCH_DWORDS - 1);
	u32 to_end = sdma_ring_to_end(size, wptr);

	/* The second test is for lengths that wrapped when rounded up. */
	if (!dwords || padded < dwords || padded > sdma_ring_capacity(size))
		return -EINVAL;
	plan->lead = dwords > to_end ? to_end : 0;
	plan->start = wptr + plan->lead;
	plan->pad = -(u32)(plan->start + dwords) % SDMA_FETCH_DWORDS;
	plan->end = plan->start + dwords + plan->pad;
	return plan->end - plan->start > sdma_ring_capacity(size) ? -EINVAL : 0;
}

/* Has the counter @done reached @seq?  Safe over the wrap of 32 bits. */
static inline bool sdma_seq_passed(u32 done, u32 seq)
{
	return (s32)(done - seq) >= 0;
}

#endif /* CARILLON_SDMA_RING_MATH_H */
