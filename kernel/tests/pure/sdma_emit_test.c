// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* pure: kernel/sdma/sdma_emit.c */
/**
 * DOC: golden words of the SDMA packets
 *
 * The words were written down by hand from the field descriptions in
 * vega10_sdma_pkt_open.h of Linux 6.1.  Proves S0.105 and S0.107 (driver side).
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/sdma/sdma_emit.h"
#include "pure_test.h"
#include "sdma_golden.h"

#define CANARY		0xa5a5a5a5
#define MAX_WORDS	64

#define DST		0x0000123456789abcULL
#define SRC		0x0000fedc87654320ULL

/* Words that an encoder left behind, starting at dword 1 of a canary-filled buffer. */
struct words {
	u32 ib[MAX_WORDS];
	unsigned int end;
};

static void begin(struct words *w)
{
	memset(w->ib, 0xa5, sizeof(w->ib));
	w->end = 0;
}

static bool expect(const struct words *w, unsigned int start, const u32 *want, unsigned int count,
		   const char *name)
{
	bool same = w->end == start + count && w->ib[w->end] == CANARY &&
		    !memcmp(w->ib + start, want, count * sizeof(u32));
	unsigned int i;

	pure_okf(same && (!start || w->ib[start - 1] == CANARY), "%s (S0.105)", name);
	for (i = 0; !same && i < count; i++)
		printf("# dword %u: 0x%08x, expected 0x%08x\n", i, w->ib[start + i], want[i]);
	return same;
}

#define EXPECT(w, start, name, ...) do { \
	static const u32 want_[] = { __VA_ARGS__ }; \
	expect(w, start, want_, ARRAY_SIZE(want_), name); \
} while (0)

static void test_copy_and_fill(void)
{
	struct words w;

	begin(&w);
	w.end = sdma_emit_copy_linear(w.ib, 1, DST, SRC, 1);
	EXPECT(&w, 1, "COPY of 1 byte", 0x00000001, 0x00000000, 0x00000000,
	       0x87654320, 0x0000fedc, 0x56789abc, 0x00001234);
	begin(&w);
	w.end = sdma_emit_copy_linear(w.ib, 1, DST, SRC, 0x400000);
	EXPECT(&w, 1, "COPY of 4 MiB", 0x00000001, 0x003fffff, 0x00000000,
	       0x87654320, 0x0000fedc, 0x56789abc, 0x00001234);
	begin(&w);
	w.end = sdma_emit_fill(w.ib, 1, DST, 0xdeadbeef, 0x400000);
	EXPECT(&w, 1, "CONST_FILL of 4 MiB in dwords", 0x8000000b, 0x56789abc, 0x00001234,
	       0xdeadbeef, 0x003fffff);
	begin(&w);
	w.end = sdma_emit_fill(w.ib, 1, DST, 0, 4);
	EXPECT(&w, 1, "CONST_FILL of one dword", 0x8000000b, 0x56789abc, 0x00001234,
	       0x00000000, 0x00000003);
}

static void test_write(void)
{
	static const u32 data[] = { 0xdeadbeef, 0x01020304, 0x0badf00d };
	static const u64 entries[] = { 0x0123456789abcdefULL, 0x8000000000000071ULL };
	struct words w;

	begin(&w);
	w.end = sdma_emit_write_linear(w.ib, 1, DST, data, 3);
	EXPECT(&w, 1, "WRITE of three dwords", 0x00000002, 0x56789abc, 0x00001234, 0x00000002,
	       0xdeadbeef, 0x01020304, 0x0badf00d);
	begin(&w);
	w.end = sdma_emit_write_entries(w.ib, 1, DST & ~7ULL, entries, 2);
	EXPECT(&w, 1, "WRITE of two entries", 0x00000002, 0x56789ab8, 0x00001234, 0x00000003,
	       0x89abcdef, 0x01234567, 0x00000071, 0x80000000);
}

static void test_ptepde(void)
{
	struct words w;

	begin(&w);
	w.end = sdma_emit_ptepde_generate(w.ib, 1, DST & ~7ULL, 0x0400000000000073ULL,
					  0x0000000345678000ULL, 0x1000, 512);
	EXPECT(&w, 1, "PTEPDE of 512 entries", 0x0000000c, 0x56789ab8, 0x00001234,
	       0x00000073, 0x04000000, 0x45678000, 0x00000003, 0x00001000, 0x00000000, 0x000001ff);
	begin(&w);
	w.end = sdma_emit_ptepde_generate(w.ib, 1, 0, 0, 0, 0, 0x80000);
	EXPECT(&w, 1, "PTEPDE of the most entries", 0x0000000c, 0, 0, 0, 0, 0, 0, 0, 0, 0x0007ffff);
}

static void test_fence_and_trap(void)
{
	struct words w;

	begin(&w);
	w.end = sdma_emit_fence(w.ib, 1, DST, 0xfedcba98);
	EXPECT(&w, 1, "FENCE", 0x00000005, 0x56789abc, 0x00001234, 0xfedcba98);
	begin(&w);
	w.end = sdma_emit_trap(w.ib, 1, 0x0fffffff);
	EXPECT(&w, 1, "TRAP with the largest context", 0x00000006, 0x0fffffff);
	begin(&w);
	w.end = sdma_emit_trap(w.ib, 1, 0xf0000001);
	EXPECT(&w, 1, "TRAP keeps 28 bits of the context", 0x00000006, 0x00000001);
}

static void test_indirect(void)
{
	unsigned int start, nops;
	struct words w;
	bool good = true;

	begin(&w);
	w.end = sdma_emit_indirect(w.ib, 2, 9, 0x0000123456789ac0ULL, 0xfffff);
	EXPECT(&w, 2, "INDIRECT at its phase", 0x00090004, 0x56789ac0, 0x00001234, 0x000fffff,
	       0x00000000, 0x00000000);
	begin(&w);
	w.end = sdma_emit_indirect(w.ib, 6, 0, 0x20, 8);
	EXPECT(&w, 6, "INDIRECT behind four NOPs", 0, 0, 0, 0, 0x00000004, 0x00000020, 0, 8, 0, 0);
	for (start = 0; start < 24; start++) {
		begin(&w);
		w.end = sdma_emit_indirect(w.ib, start, 0, 0x40, 16);
		nops = w.end - 6 - start;
		good &= w.end % 8 == 0 && nops < 8 && w.ib[w.end - 6] == 4;
	}
	pure_ok(good, "INDIRECT ends with a fetch group from every start");
}

static void test_polls(void)
{
	struct words w;

	begin(&w);
	w.end = sdma_emit_poll_mem(w.ib, 1, DST, 0x55, 0xff, 4);
	EXPECT(&w, 1, "POLL_REGMEM of memory", 0xb0000008, 0x56789abc, 0x00001234, 0x00000055,
	       0x000000ff, 0x0fff0004);
	begin(&w);
	w.end = sdma_emit_poll_reg(w.ib, 1, 0x6a3d4, 0x100, 0x100, 10);
	EXPECT(&w, 1, "POLL_REGMEM of a register", 0x30000008, 0x0006a3d4, 0x00000000, 0x00000100,
	       0x00000100, 0x0fff000a);
	begin(&w);
	w.end = sdma_emit_hdp_flush(w.ib, 1, 0x3898, 0x389c, 0x400);
	EXPECT(&w, 1, "POLL_REGMEM as HDP flush", 0x34000008, 0x0000389c, 0x00003898, 0x00000400,
	       0x00000400, 0x0fff000a);
}

static void test_registers_and_atomics(void)
{
	struct words w;

	begin(&w);
	w.end = sdma_emit_srbm_write(w.ib, 1, 0x69b8c, 0x007c0100);
	EXPECT(&w, 1, "SRBM_WRITE takes the dword address", 0xf000000e, 0x0001a6e3, 0x007c0100);
	begin(&w);
	w.end = sdma_emit_atomic_add64(w.ib, 1, DST & ~7ULL, ~0ULL);
	EXPECT(&w, 1, "ATOMIC add of -1", 0x5e00000a, 0x56789ab8, 0x00001234, 0xffffffff,
	       0xffffffff, 0, 0, 0);
	begin(&w);
	w.end = sdma_emit_timestamp(w.ib, 1, DST & ~7ULL);
	EXPECT(&w, 1, "TIMESTAMP global", 0x0000020d, 0x56789ab8, 0x00001234);
}

static void test_nops(void)
{
	unsigned int start;
	struct words w;
	bool good = true;

	begin(&w);
	w.end = sdma_emit_nop(w.ib, 1, 3);
	EXPECT(&w, 1, "three NOPs", 0, 0, 0);
	begin(&w);
	w.end = sdma_emit_nop(w.ib, 1, 0);
	pure_ok(w.end == 1 && w.ib[1] == CANARY, "no NOP");
	for (start = 0; start < 24; start++) {
		begin(&w);
		w.end = sdma_emit_pad(w.ib, start);
		good &= w.end % 8 == 0 && w.end - start < 8 && w.ib[w.end] == CANARY;
	}
	pure_ok(good, "padding ends with a fetch group from every start (B058)");
}

static void test_vm_flush(void)
{
	struct sdma_vm_flush f;
	struct words w;

	sdma_vm_flush_mmhub_1_0(&f, 0, 9, 4);
	begin(&w);
	w.end = sdma_emit_vm_flush(w.ib, 1, &f, 9, 0x00000003fe000001ULL);
	pure_ok(w.end - 1 == SDMA_VM_FLUSH_DWORDS, "VM flush has the length it says");
	/* Semaphore, base of VMID 9, request, acknowledge, semaphore given back. */
	EXPECT(&w, 1, "VM flush of VMID 9 through engine 4",
	       0x30000008, 0x00069b54, 0x00000000, 0x00000001, 0x00000001, 0x0fff000a,
	       0xf000000e, 0x0001a73d, 0xfe000001,
	       0xf000000e, 0x0001a73e, 0x00000003,
	       0xf000000e, 0x0001a6e7, 0x007c0200,
	       0x30000008, 0x00069be4, 0x00000000, 0x00000200, 0x00000200, 0x0fff000a,
	       0xf000000e, 0x0001a6d5, 0x00000000);
	/* The second hub of MMHUB 9.4.1: 0x3340 dwords on. */
	sdma_vm_flush_mmhub_1_0(&f, 0x3340 * 4, 9, 4);
	begin(&w);
	w.end = sdma_emit_vm_flush(w.ib, 1, &f, 9, 0x00000003fe000001ULL);
	EXPECT(&w, 1, "VM flush of VMID 9 through engine 4 of another hub",
	       0x30000008, 0x00076854, 0x00000000, 0x00000001, 0x00000001, 0x0fff000a,
	       0xf000000e, 0x0001da7d, 0xfe000001,
	       0xf000000e, 0x0001da7e, 0x00000003,
	       0xf000000e, 0x0001da27, 0x007c0200,
	       0x30000008, 0x000768e4, 0x00000000, 0x00000200, 0x00000200, 0x0fff000a,
	       0xf000000e, 0x0001da15, 0x00000000);
}

static void test_job_frame(void)
{
	static const struct sdma_job_frame f = {
		.hdp_req = 0x3898, .hdp_done = 0x389c, .hdp_bits = 0x800,
		.vmid = 0, .ib = 0x00007ffff0014000ULL, .ib_dwords = 24,
		.fence = 0x00007ffff0001050ULL, .seq = 17,
	};
	struct words w;

	begin(&w);
	w.end = sdma_emit_job_frame(w.ib, &f);
	pure_ok(w.end == SDMA_JOB_FRAME_DWORDS, "a job's frame has the length it says");
	EXPECT(&w, 0, "a job's frame: HDP flush, INDIRECT, FENCE, TRAP (S0.106)",
	       0x34000008, 0x0000389c, 0x00003898, 0x00000800, 0x00000800, 0x0fff000a,
	       0, 0, 0, 0,
	       0x00000004, 0xf0014000, 0x00007fff, 0x00000018, 0, 0,
	       0x00000005, 0xf0001050, 0x00007fff, 0x00000011,
	       0x00000006, 0x00000000);
}

static void test_vm_frame(void)
{
	static const struct sdma_job_frame f = {
		.hdp_req = GOLDEN_FRAME_HDP_REQ, .hdp_done = GOLDEN_FRAME_HDP_DONE, .hdp_bits = 4,
		.vmid = GOLDEN_RLC_VMID, .root = GOLDEN_FRAME_ROOT, .engine = 4,
		.ib = GOLDEN_FRAME_IB, .ib_dwords = 8,
		.fence = GOLDEN_FRAME_FENCE, .seq = GOLDEN_FRAME_SEQ,
	};
	struct words w;

	begin(&w);
	w.end = sdma_emit_job_frame(w.ib, &f);
	pure_ok(w.end == SDMA_JOB_FLUSH_DWORDS + SDMA_JOB_FRAME_DWORDS,
		"a frame with a VM flush has the length it says");
	expect(&w, 0, golden_vm_frame, ARRAY_SIZE(golden_vm_frame),
	       "a frame with a VM flush, the last fence first (S0.107)");
}

/* A hub whose semaphores nobody takes: as long, with NOPs behind the flush. */
static void test_frame_without_semaphore(void)
{
	static const struct sdma_job_frame f = {
		.hdp_req = 0x3898, .hdp_done = 0x389c, .hdp_bits = 0x400,
		.vmid = 9, .root = 0x3fe000001ULL, .hub = 0x500 * 4, .no_semaphore = true,
		.engine = 4, .ib = 0x700000b0000ULL, .ib_dwords = 8,
		.fence = 0x7ffff0001050ULL, .seq = 17,
	};
	struct words w;

	begin(&w);
	w.end = sdma_emit_job_frame(w.ib, &f);
	pure_ok(w.end == SDMA_JOB_FLUSH_DWORDS + SDMA_JOB_FRAME_DWORDS,
		"without the semaphore a frame has the same length");
	EXPECT(&w, 0, "a frame with a VM flush through MMHUB 1.7",
	       0xb0000008, 0xf0001050, 0x00007fff, 0x00000010, 0xffffffff, 0x0fff0004,
	       0xf000000e, 0x0001ac3d, 0xfe000001,
	       0xf000000e, 0x0001ac3e, 0x00000003,
	       0xf000000e, 0x0001abe7, 0x007c0200,
	       0x30000008, 0x0006afe4, 0x00000000, 0x00000200, 0x00000200, 0x0fff000a,
	       0, 0, 0, 0, 0, 0, 0, 0, 0,
	       0x34000008, 0x0000389c, 0x00003898, 0x00000400, 0x00000400, 0x0fff000a,
	       0, 0, 0, 0, 0, 0,
	       0x00090004, 0x000b0000, 0x00000700, 0x00000008, 0, 0,
	       0x00000005, 0xf0001050, 0x00007fff, 0x00000011,
	       0x00000006, 0x00000000);
}

int main(void)
{
	test_copy_and_fill();
	test_write();
	test_ptepde();
	test_fence_and_trap();
	test_indirect();
	test_polls();
	test_registers_and_atomics();
	test_nops();
	test_vm_flush();
	test_job_frame();
	test_vm_frame();
	test_frame_without_semaphore();
	return pure_done();
}
