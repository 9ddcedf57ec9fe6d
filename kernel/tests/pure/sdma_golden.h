/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: golden register sequences of SDMA 4.0
 *
 * Written down by hand: the addresses are dword offsets copied from
 * sdma0_4_0_offset.h and sdma1_4_0_offset.h of Linux 6.1 (mmSDMA0_GFX_RB_CNTL and so
 * on) plus the block's place in vega10_ip_offset.h, never names of this tree; order
 * and values were worked out from sdma_v4_0.c (kernel rings),
 * amdgpu_amdkfd_gfx_v9.c and kfd_mqd_manager_v9.c (user queues).
 *
 * The driver's test compares with them what the driver writes; the model's test
 * feeds them to the model and sees the rings run.  Neither test has the other side
 * linked in.
 */
#ifndef CARILLON_TESTS_SDMA_GOLDEN_H
#define CARILLON_TESTS_SDMA_GOLDEN_H

#include <linux/types.h>

#define SDMA0(dw)	((0x1260 + (dw)) * 4)
#define SDMA1(dw)	((0x1460 + (dw)) * 4)

struct golden_write {
	u32 reg;
	u32 value;
};

/* What the lists below describe. */
#define GOLDEN_RING_DWORDS	1024
#define GOLDEN_GFX_BASE		0x10000010000ULL	/* MC addresses */
#define GOLDEN_GFX_RPTR		0x10000001040ULL
#define GOLDEN_GFX_WPTR		0x10000001048ULL
#define GOLDEN_GFX_DOORBELL	0x780			/* bytes in BAR2 */
#define GOLDEN_PAGE_BASE	0x10000020000ULL
#define GOLDEN_PAGE_RPTR	0x10000001080ULL
#define GOLDEN_PAGE_WPTR	0x10000001088ULL
#define GOLDEN_PAGE_DOORBELL	0x1780
#define GOLDEN_RLC_BASE		0x7000000a0000ULL	/* virtual addresses of VMID 9 */
#define GOLDEN_RLC_BYTES	4096
#define GOLDEN_RLC_RPTR_ADDR	0x700000001200ULL
#define GOLDEN_RLC_DOORBELL	0x790
#define GOLDEN_RLC_VMID		9
#define GOLDEN_RLC_RPTR		0x100001000ULL
#define GOLDEN_RLC_WPTR		0x100001010ULL

/* Instance 0, from its reset values: engine off, then (below) on with traps. */
static const struct golden_write golden_halt[] = {
	{ SDMA0(0x1c), 0x00000002 },	/* CNTL: no context switches, no traps */
	{ SDMA0(0x2a), 0x00000001 },	/* F32_CNTL: HALT */
};

static const struct golden_write golden_unhalt[] = {
	{ SDMA0(0x1c), 0x00040003 },	/* CNTL: context switches, traps, L1 cache */
	{ SDMA0(0x47), 0x00800080 },	/* UTCL1_TIMEOUT */
	{ SDMA0(0x2a), 0x00000000 },
};

/* GFX ring of instance 0: 1024 dwords, doorbell form. */
static const struct golden_write golden_gfx[] = {
	{ SDMA0(0x80), 0x00040014 },	/* RB_CNTL: size, timer as after reset */
	{ SDMA0(0x83), 0 },		/* RB_RPTR */
	{ SDMA0(0x84), 0 },
	{ SDMA0(0x85), 0 },		/* RB_WPTR */
	{ SDMA0(0x86), 0 },
	{ SDMA0(0x88), 0x00000100 },	/* RB_RPTR_ADDR, high half first */
	{ SDMA0(0x89), 0x00001040 },
	{ SDMA0(0x81), 0x00000100 },	/* RB_BASE */
	{ SDMA0(0x82), 0x00000001 },
	{ SDMA0(0xb5), 1 },		/* MINOR_PTR_UPDATE */
	{ SDMA0(0x92), 0x10000000 },	/* DOORBELL: ENABLE */
	{ SDMA0(0xab), 0x00000780 },	/* DOORBELL_OFFSET */
	{ SDMA0(0x85), 0 },
	{ SDMA0(0x86), 0 },
	{ SDMA0(0xb5), 0 },
	{ SDMA0(0xb3), 0x00001048 },	/* RB_WPTR_POLL_ADDR */
	{ SDMA0(0xb2), 0x00000100 },
	{ SDMA0(0x87), 0x00401000 },	/* RB_WPTR_POLL_CNTL: no polling */
	{ SDMA0(0x80), 0x00041015 },	/* RB_CNTL: write-back, on */
	{ SDMA0(0x8a), 0x00000101 },	/* IB_CNTL: on */
};

/* Page ring of instance 0, likewise. */
static const struct golden_write golden_page[] = {
	{ SDMA0(0xe0), 0x00040014 },
	{ SDMA0(0xe3), 0 },
	{ SDMA0(0xe4), 0 },
	{ SDMA0(0xe5), 0 },
	{ SDMA0(0xe6), 0 },
	{ SDMA0(0xe8), 0x00000100 },
	{ SDMA0(0xe9), 0x00001080 },
	{ SDMA0(0xe1), 0x00000200 },
	{ SDMA0(0xe2), 0x00000001 },
	{ SDMA0(0x115), 1 },
	{ SDMA0(0xf2), 0x10000000 },
	{ SDMA0(0x10b), 0x00001780 },
	{ SDMA0(0xe5), 0 },
	{ SDMA0(0xe6), 0 },
	{ SDMA0(0x115), 0 },
	{ SDMA0(0x113), 0x00001088 },
	{ SDMA0(0x112), 0x00000100 },
	{ SDMA0(0xe7), 0x00401000 },
	{ SDMA0(0xe0), 0x00041015 },
	{ SDMA0(0xea), 0x00000101 },
};

#define GOLDEN_RING_WRITES	20
/* The one that the MMIO form has different: DOORBELL is 0. */
#define GOLDEN_RING_BELL	10

/* Publishing 64 bytes through the registers; then past a carry of the low half. */
static const struct golden_write golden_gfx_wptr[] = {
	{ SDMA0(0x85), 0x00000040 },
	{ SDMA0(0x86), 0 },
};

static const struct golden_write golden_page_wptr_carry[] = {
	{ SDMA0(0x115), 1 },
	{ SDMA0(0xe5), 0x00000020 },
	{ SDMA0(0xe6), 0x00000001 },
	{ SDMA0(0x115), 0 },
};

/* Taking the rings off the engine. */
static const struct golden_write golden_gfx_stop[] = {
	{ SDMA0(0x80), 0x00041014 },
	{ SDMA0(0x8a), 0x00000100 },
	{ SDMA0(0x92), 0 },
};

static const struct golden_write golden_page_stop[] = {
	{ SDMA0(0xe0), 0x00041014 },
	{ SDMA0(0xea), 0x00000100 },
	{ SDMA0(0xf2), 0 },
};

/* A user queue of VMID 9 into RLC1 of instance 1, at RPTR and WPTR beyond 4 GiB. */
static const struct golden_write golden_rlc_load[] = {
	{ SDMA1(0x1a0), 0x09061014 },	/* RB_CNTL: VMID, write-back with timer 6, size */
	{ SDMA1(0x1cb), 0x00000790 },	/* DOORBELL_OFFSET */
	{ SDMA1(0x1b2), 0x10000000 },	/* DOORBELL */
	{ SDMA1(0x1a3), 0x00001000 },	/* RB_RPTR */
	{ SDMA1(0x1a4), 0x00000001 },
	{ SDMA1(0x1d5), 1 },		/* MINOR_PTR_UPDATE */
	{ SDMA1(0x1a5), 0x00001010 },	/* RB_WPTR */
	{ SDMA1(0x1a6), 0x00000001 },
	{ SDMA1(0x1d5), 0 },
	{ SDMA1(0x1a1), 0x00000a00 },	/* RB_BASE */
	{ SDMA1(0x1a2), 0x00000070 },
	{ SDMA1(0x1a9), 0x00001200 },	/* RB_RPTR_ADDR */
	{ SDMA1(0x1a8), 0x00007000 },
	{ SDMA1(0x1a0), 0x09061015 },
};

/* And out of it; RPTR and WPTR are read after that. */
static const struct golden_write golden_rlc_unload[] = {
	{ SDMA1(0x1a0), 0x09061014 },
	{ SDMA1(0x1b2), 0 },
};

/*
 * The frame of a job of VMID 9 that brings a page directory, on the ring that has
 * invalidate engine 4: wait for fence 17, flush, HDP flush, indirect buffer, fence 18,
 * trap.  What is in brackets is where the packets come from in amdgpu.
 */
#define GOLDEN_FRAME_ROOT	0x1000001ULL
#define GOLDEN_FRAME_IB		0x7000000b0000ULL
#define GOLDEN_FRAME_FENCE	0x10000001100ULL
#define GOLDEN_FRAME_SEQ	18
#define GOLDEN_FRAME_HDP_REQ	0x3818
#define GOLDEN_FRAME_HDP_DONE	0x381c

static const u32 golden_vm_frame[] = {
	/* [pipeline_sync] */
	0xb0000008, 0x00001100, 0x00000100, 0x00000011, 0xffffffff, 0x0fff0004,
	/* [gmc_v9_0_emit_flush_gpu_tlb]: semaphore, base, request, acknowledge, semaphore */
	0x30000008, 0x00069b54, 0x00000000, 0x00000001, 0x00000001, 0x0fff000a,
	0xf000000e, 0x0001a73d, 0x01000001,
	0xf000000e, 0x0001a73e, 0x00000000,
	0xf000000e, 0x0001a6e7, 0x007c0200,
	0x30000008, 0x00069be4, 0x00000000, 0x00000200, 0x00000200, 0x0fff000a,
	0xf000000e, 0x0001a6d5, 0x00000000,
	/* [emit_hdp_flush] */
	0x34000008, 0x0000381c, 0x00003818, 0x00000004, 0x00000004, 0x0fff000a,
	/* [emit_ib] */
	0, 0, 0, 0, 0, 0,
	0x00090004, 0x000b0000, 0x00007000, 0x00000008, 0, 0,
	/* [emit_fence] */
	0x00000005, 0x00001100, 0x00000100, 0x00000012,
	0x00000006, 0x00000000,
};

#endif /* CARILLON_TESTS_SDMA_GOLDEN_H */
