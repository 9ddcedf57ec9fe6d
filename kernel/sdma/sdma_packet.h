/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: SDMA 4.0 packets, words and fields
 *
 * One struct for each packet that the driver emits, one member for each dword in
 * the order of the stream.  The first dword of all is the header: operation in
 * bits 7:0, sub-operation in bits 15:8, flags above.  Counts are one less than
 * what they count.  Addresses are 64 bits in two dwords, low first.
 *
 * Only what the driver emits is here; the model has a decoder of its own and
 * never includes this file.  Pure: compiles in user space.  Source of the
 * numbers: vega10_sdma_pkt_open.h of Linux 6.1.
 */
#ifndef CARILLON_SDMA_PACKET_H
#define CARILLON_SDMA_PACKET_H

#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/types.h>

enum sdma_op {
	SDMA_OP_NOP		= 0,
	SDMA_OP_COPY		= 1,
	SDMA_OP_WRITE		= 2,
	SDMA_OP_INDIRECT	= 4,
	SDMA_OP_FENCE		= 5,
	SDMA_OP_TRAP		= 6,
	SDMA_OP_POLL_REGMEM	= 8,
	SDMA_OP_ATOMIC		= 10,
	SDMA_OP_CONST_FILL	= 11,
	SDMA_OP_PTEPDE		= 12,
	SDMA_OP_TIMESTAMP	= 13,
	SDMA_OP_SRBM_WRITE	= 14,
};

enum sdma_subop {
	SDMA_SUBOP_COPY_LINEAR		= 0,
	SDMA_SUBOP_WRITE_LINEAR		= 0,
	SDMA_SUBOP_PTEPDE_GENERATE	= 0,
	SDMA_SUBOP_TIMESTAMP_GLOBAL	= 2,
};

#define SDMA_HEADER__OP			GENMASK(7, 0)
#define SDMA_HEADER__SUB_OP		GENMASK(15, 8)

/* The engine fetches the ring in groups of this many dwords. */
#define SDMA_FETCH_DWORDS		8
/* An INDIRECT packet starts here inside a group, so that it ends with the group. */
#define SDMA_INDIRECT_PHASE		2
/* Bytes that one COPY or CONST_FILL moves at most. */
#define SDMA_COPY_MAX_BYTES		BIT(22)
/* Entries that one PTEPDE writes at most. */
#define SDMA_PTEPDE_MAX_ENTRIES		BIT(19)
/* Dwords of data that one WRITE carries at most. */
#define SDMA_WRITE_MAX_DWORDS		BIT(20)

/* Copy bytes between two linear areas */
struct sdma_pkt_copy {
	u32 header;
	u32 count;
	u32 swap;
	u32 src_lo, src_hi;
	u32 dst_lo, dst_hi;
};

#define SDMA_COPY_COUNT__BYTES		GENMASK(21, 0)

/* Store one dword over and over */
struct sdma_pkt_fill {
	u32 header;
	u32 dst_lo, dst_hi;
	u32 data;
	u32 count;
};

#define SDMA_FILL_HEADER__SIZE		GENMASK(31, 30)
#define   SDMA_FILL_SIZE_DWORD		2
#define SDMA_FILL_COUNT__BYTES		GENMASK(21, 0)

/* Head of a WRITE; the data follows */
struct sdma_pkt_write {
	u32 header;
	u32 dst_lo, dst_hi;
	u32 count;
};

#define SDMA_WRITE_COUNT__DWORDS	GENMASK(19, 0)

/* Generate 8-byte entries: (value + n * step) | flags */
struct sdma_pkt_ptepde {
	u32 header;
	u32 dst_lo, dst_hi;
	u32 flags_lo, flags_hi;
	u32 value_lo, value_hi;
	u32 step_lo, step_hi;
	u32 count;
};

#define SDMA_PTEPDE_COUNT__ENTRIES	GENMASK(18, 0)

/* Store one dword once all before it is done */
struct sdma_pkt_fence {
	u32 header;
	u32 addr_lo, addr_hi;
	u32 data;
};

/* Raise the trap interrupt */
struct sdma_pkt_trap {
	u32 header;
	u32 context;
};

#define SDMA_TRAP__CONTEXT		GENMASK(27, 0)

/* Run an indirect buffer */
struct sdma_pkt_indirect {
	u32 header;
	u32 base_lo, base_hi;
	u32 size;
	u32 csa_lo, csa_hi;
};

#define SDMA_INDIRECT_HEADER__VMID	GENMASK(19, 16)
#define SDMA_INDIRECT_BASE__ALIGN	32
#define SDMA_INDIRECT_SIZE__DWORDS	GENMASK(19, 0)

/*
 * Wait until a register or a dword of memory matches.
 *
 * Register and HDP polls hold byte offsets in BAR5 in the two address words; an
 * HDP poll has the "done" register first and the "request" register second.
 */
struct sdma_pkt_poll {
	u32 header;
	u32 addr_lo, addr_hi;
	u32 value;
	u32 mask;
	u32 timing;
};

#define SDMA_POLL_HEADER__HDP_FLUSH	BIT(26)
#define SDMA_POLL_HEADER__FUNC		GENMASK(30, 28)
#define   SDMA_POLL_FUNC_EQUAL		3
#define SDMA_POLL_HEADER__MEM		BIT(31)
#define SDMA_POLL_TIMING__INTERVAL	GENMASK(15, 0)
#define SDMA_POLL_TIMING__RETRIES	GENMASK(27, 16)
#define   SDMA_POLL_RETRIES_FOREVER	0xfff

/* Write a register */
struct sdma_pkt_srbm {
	u32 header;
	u32 addr;
	u32 data;
};

#define SDMA_SRBM_HEADER__BYTE_ENABLE	GENMASK(31, 28)
#define SDMA_SRBM_ADDR__DWORD		GENMASK(17, 0)

/* One atomic operation on memory */
struct sdma_pkt_atomic {
	u32 header;
	u32 addr_lo, addr_hi;
	u32 data_lo, data_hi;
	u32 compare_lo, compare_hi;
	u32 loop_interval;
};

#define SDMA_ATOMIC_HEADER__OP		GENMASK(31, 25)
#define   SDMA_ATOMIC_ADD_64		47

/* Store the 64-bit GPU clock counter */
struct sdma_pkt_timestamp {
	u32 header;
	u32 addr_lo, addr_hi;
};

#define SDMA_DWORDS(pkt)	(sizeof(struct pkt) / sizeof(u32))

static_assert(SDMA_DWORDS(sdma_pkt_copy) == 7);
static_assert(SDMA_DWORDS(sdma_pkt_fill) == 5);
static_assert(SDMA_DWORDS(sdma_pkt_write) == 4);
static_assert(SDMA_DWORDS(sdma_pkt_ptepde) == 10);
static_assert(SDMA_DWORDS(sdma_pkt_fence) == 4);
static_assert(SDMA_DWORDS(sdma_pkt_trap) == 2);
static_assert(SDMA_DWORDS(sdma_pkt_indirect) == 6);
static_assert(SDMA_DWORDS(sdma_pkt_poll) == 6);
static_assert(SDMA_DWORDS(sdma_pkt_srbm) == 3);
static_assert(SDMA_DWORDS(sdma_pkt_atomic) == 8);
static_assert(SDMA_DWORDS(sdma_pkt_timestamp) == 3);
static_assert(SDMA_INDIRECT_PHASE + SDMA_DWORDS(sdma_pkt_indirect) == SDMA_FETCH_DWORDS);

#endif /* CARILLON_SDMA_PACKET_H */
