/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: SDMA packet encoders
 *
 * Each encoder takes the buffer, the index of the next free dword and the fields
 * of one packet, stores its words and returns the next free index.  Nothing is
 * checked here: callers split work to the limits in sdma_packet.h and size their
 * buffers by its structs.  Pure: compiles in user space.
 */
#ifndef CARILLON_SDMA_EMIT_H
#define CARILLON_SDMA_EMIT_H

#include <linux/types.h>

#include "sdma_packet.h"

/* @count one-dword NOPs. */
unsigned int sdma_emit_nop(u32 *ib, unsigned int i, unsigned int count);
/* NOPs until the index is a multiple of the fetch group. */
unsigned int sdma_emit_pad(u32 *ib, unsigned int i);
/* 1 <= @bytes <= SDMA_COPY_MAX_BYTES */
unsigned int sdma_emit_copy_linear(u32 *ib, unsigned int i, u64 dst, u64 src, u32 bytes);
/* @dst and @bytes are multiples of 4; 4 <= @bytes <= SDMA_COPY_MAX_BYTES */
unsigned int sdma_emit_fill(u32 *ib, unsigned int i, u64 dst, u32 pattern, u32 bytes);
/* 1 <= @dwords <= SDMA_WRITE_MAX_DWORDS; @dst is a multiple of 4 */
unsigned int sdma_emit_write_linear(u32 *ib, unsigned int i, u64 dst, const u32 *data, u32 dwords);
/* Like write_linear of 8-byte values. */
unsigned int sdma_emit_write_entries(u32 *ib, unsigned int i, u64 dst, const u64 *entries,
				     u32 count);
/* Entry n becomes (@value + n * @step) | @flags; 1 <= @count <= SDMA_PTEPDE_MAX_ENTRIES */
unsigned int sdma_emit_ptepde_generate(u32 *ib, unsigned int i, u64 dst, u64 flags, u64 value,
				       u32 step, u32 count);
unsigned int sdma_emit_fence(u32 *ib, unsigned int i, u64 addr, u32 value);
unsigned int sdma_emit_trap(u32 *ib, unsigned int i, u32 context);
/*
 * @i is the position in the ring modulo the fetch group: NOPs come first until the
 * packet ends with the group.  @base is a multiple of 32.
 */
unsigned int sdma_emit_indirect(u32 *ib, unsigned int i, unsigned int vmid, u64 base, u32 dwords);
/* Wait until (*addr & mask) == value; @interval in engine clocks. */
unsigned int sdma_emit_poll_mem(u32 *ib, unsigned int i, u64 addr, u32 value, u32 mask,
				u16 interval);
/* Likewise for the register at byte offset @reg of BAR5. */
unsigned int sdma_emit_poll_reg(u32 *ib, unsigned int i, u32 reg, u32 value, u32 mask,
				u16 interval);
/* Set bits @bits in the register @req and wait until the register @done shows them. */
unsigned int sdma_emit_hdp_flush(u32 *ib, unsigned int i, u32 req, u32 done, u32 bits);
unsigned int sdma_emit_srbm_write(u32 *ib, unsigned int i, u32 reg, u32 value);
/* 64-bit add without a return value; @addr is a multiple of 8 */
unsigned int sdma_emit_atomic_add64(u32 *ib, unsigned int i, u64 addr, u64 value);
/* @addr is a multiple of 8 */
unsigned int sdma_emit_timestamp(u32 *ib, unsigned int i, u64 addr);

/**
 * struct sdma_vm_flush - registers of one hub for one flush, byte offsets in BAR5
 * @base_lo: page-table base of the VMID, low dword
 * @base_hi: page-table base, high dword
 * @sem: semaphore of the invalidate engine; 0: the hub has none
 * @req: request register
 * @ack: acknowledge register
 * @req_bits: what to flush, with the VMID's bit set
 */
struct sdma_vm_flush {
	u32 base_lo, base_hi;
	u32 sem, req, ack;
	u32 req_bits;
};

/*
 * The registers for @vmid through invalidate engine @engine, of a hub whose registers lie
 * @hub bytes from those of MMHUB 1.0.
 */
void sdma_vm_flush_mmhub_1_0(struct sdma_vm_flush *f, u32 hub, unsigned int vmid,
			     unsigned int engine);
/* Point @vmid at @root and drop its old translations. */
unsigned int sdma_emit_vm_flush(u32 *ib, unsigned int i, const struct sdma_vm_flush *f,
				unsigned int vmid, u64 root);

#define SDMA_VM_FLUSH_DWORDS	(4 * SDMA_DWORDS(sdma_pkt_srbm) + 2 * SDMA_DWORDS(sdma_pkt_poll))

/**
 * struct sdma_job_frame - what one job puts into a ring
 * @hdp_req: HDP flush request register, byte offset in BAR5
 * @hdp_done: HDP flush done register
 * @hdp_bits: bits of this instance in both
 * @vmid: address space of the indirect buffer and of the addresses in it
 * @root: page directory that @vmid gets first; 0: it keeps the one it has
 * @hub: place of the ring's hub, for that, see sdma_vm_flush_mmhub_1_0()
 * @no_semaphore: the hub's invalidate engines have none
 * @engine: invalidate engine of the ring, likewise
 * @ib: address of the indirect buffer
 * @ib_dwords: its length, a multiple of the fetch group
 * @fence: MC address of the fence memory
 * @seq: number to store there
 */
struct sdma_job_frame {
	u32 hdp_req, hdp_done, hdp_bits;
	unsigned int vmid;
	u64 root;
	u32 hub;
	bool no_semaphore;
	unsigned int engine;
	u64 ib;
	u32 ib_dwords;
	u64 fence;
	u32 seq;
};

/*
 * HDP flush, INDIRECT, FENCE, TRAP, for a place in the ring that begins a fetch
 * group; SDMA_JOB_FRAME_DWORDS dwords.  With a root SDMA_JOB_FLUSH_DWORDS more: first
 * a wait for what the ring did before, and the VM flush.
 */
unsigned int sdma_emit_job_frame(u32 *ib, const struct sdma_job_frame *f);

/* The HDP flush and what pads it up to the INDIRECT take one and a quarter groups. */
#define SDMA_JOB_FRAME_DWORDS	(2 * SDMA_FETCH_DWORDS + SDMA_DWORDS(sdma_pkt_fence) + \
				 SDMA_DWORDS(sdma_pkt_trap))
/* Whole groups, padding in front of the INDIRECT being part of it. */
#define SDMA_JOB_FLUSH_DWORDS	(4 * SDMA_FETCH_DWORDS)

static_assert(SDMA_DWORDS(sdma_pkt_poll) + SDMA_VM_FLUSH_DWORDS <= SDMA_JOB_FLUSH_DWORDS);

#endif /* CARILLON_SDMA_EMIT_H */
