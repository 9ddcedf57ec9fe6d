// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: golden register sequences of the SDMA driver
 *
 * sdma_v4_0.c on a fake function that holds registers and records writes; the model
 * takes no part.  What is expected stands in sdma_golden.h.  Proves S0.98, S0.99 and
 * S0.107 (registers, driver side).
 */
/* pure: kernel/sdma/sdma_v4_0.c kernel/sdma/sdma_v4_0_names.c */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/hw/hw_device.h"
#include "kernel/sdma/sdma_hw.h"
#include "pure_test.h"
#include "sdma_golden.h"

#define BAR5_SIZE	0x80000
#define MAX_LOG		64
#define IDLE		0x4	/* CONTEXT_STATUS */

static struct hw_device hw;
static struct hw_chip chip;
static struct hw_sdma version;
static u32 regs[BAR5_SIZE / 4];
static struct golden_write writes[MAX_LOG];
static unsigned int num_writes, polls;
static unsigned int fence_ms = 10000, polled_us;
static u32 carry_reg;	/* each read of it is one more than the last */

u32 hw_read(struct hw_device *dev, u32 reg)
{
	return reg == carry_reg ? regs[reg / 4]++ : regs[reg / 4];
}

void hw_write(struct hw_device *dev, u32 reg, u32 value)
{
	regs[reg / 4] = value;
	if (num_writes < MAX_LOG)
		writes[num_writes] = (struct golden_write){ reg, value };
	num_writes++;
}

int hw_poll(struct hw_device *dev, u32 reg, u32 mask, u32 want, unsigned int timeout_us)
{
	polls++;
	polled_us = timeout_us;
	if (dev->lost)
		return -ENODEV;
	return (regs[reg / 4] & mask) == want ? 0 : -ETIMEDOUT;
}

unsigned int sdma_fence_timeout_ms(void)
{
	return fence_ms;
}

/* Reset values of sdma0_4_0_default.h; all contexts idle. */
static void setup(void)
{
	static const u32 sets[] = { 0x80, 0xe0, 0x140, 0x1a0 };
	unsigned int i, inst;

	memset(regs, 0, sizeof(regs));
	memset(&hw, 0, sizeof(hw));
	num_writes = 0;
	polls = 0;
	carry_reg = ~0u;
	hw.chip = &chip;
	version = (struct hw_sdma){
		.user_queues = 2, .queue_stride = 0x60 * 4, .page_queue_fw = 430,
	};
	chip.sdma = &version;
	chip.sdma_base[0] = SDMA0(0);
	chip.sdma_base[1] = SDMA1(0);
	chip.fw_sdma = 430;
	for (inst = 0; inst < 2; inst++) {
		u32 *base = &regs[(inst ? SDMA1(0) : SDMA0(0)) / 4];

		base[0x1c] = 2;
		base[0x2a] = 1;
		for (i = 0; i < ARRAY_SIZE(sets); i++) {
			base[sets[i]] = 0x00040000;
			base[sets[i] + 0x07] = 0x00401000;
			base[sets[i] + 0x0a] = 0x00000100;
			base[sets[i] + 0x11] = IDLE;
		}
	}
}

/* The writes since the last call are exactly these. */
static bool wrote(const struct golden_write *want, unsigned int count)
{
	bool same = PURE_EQ(num_writes, count);
	unsigned int i;

	for (i = 0; i < count && i < num_writes; i++) {
		same &= PURE_EQ(writes[i].reg, want[i].reg);
		same &= PURE_EQ(writes[i].value, want[i].value);
	}
	num_writes = 0;
	return same;
}

#define WROTE(list)	wrote(list, ARRAY_SIZE(list))

static struct sdma_ring_setup ring_setup(enum sdma_ring_kind kind, bool use_doorbell)
{
	const bool page = kind == SDMA_RING_PAGE;

	return (struct sdma_ring_setup){
		.base = page ? GOLDEN_PAGE_BASE : GOLDEN_GFX_BASE,
		.dwords = GOLDEN_RING_DWORDS,
		.rptr_mc = page ? GOLDEN_PAGE_RPTR : GOLDEN_GFX_RPTR,
		.wptr_mc = page ? GOLDEN_PAGE_WPTR : GOLDEN_GFX_WPTR,
		.doorbell = page ? GOLDEN_PAGE_DOORBELL : GOLDEN_GFX_DOORBELL,
		.use_doorbell = use_doorbell,
	};
}

static void resume(enum sdma_ring_kind kind, bool use_doorbell)
{
	const struct sdma_ring_setup s = ring_setup(kind, use_doorbell);

	sdma_v4_0_funcs.ring_resume(&hw, 0, kind, &s);
}

/* The list of a ring with its doorbell off. */
static bool wrote_without_bell(const struct golden_write *list)
{
	struct golden_write want[GOLDEN_RING_WRITES];

	memcpy(want, list, sizeof(want));
	want[GOLDEN_RING_BELL].value = 0;
	return wrote(want, GOLDEN_RING_WRITES);
}

static void test_engine(void)
{
	setup();
	sdma_v4_0_funcs.halt(&hw, 0);
	pure_ok(WROTE(golden_halt), "engine halted, traps and context switches off");
	sdma_v4_0_funcs.unhalt(&hw, 0);
	pure_ok(WROTE(golden_unhalt), "engine on: context switches, trap interrupt, L1 cache");
	/* What else stands in the registers stays. */
	regs[SDMA0(0x1c) / 4] = 0xffffffff;
	regs[SDMA0(0x2a) / 4] = 0x00000002;
	sdma_v4_0_funcs.halt(&hw, 0);
	pure_ok(PURE_EQ(regs[SDMA0(0x1c) / 4], 0xfffbfffe) && PURE_EQ(regs[SDMA0(0x2a) / 4], 3),
		"other bits of CNTL and F32_CNTL stay");
}

static void test_ring_start(void)
{
	setup();
	resume(SDMA_RING_GFX, true);
	pure_ok(WROTE(golden_gfx), "GFX ring, doorbell form");
	resume(SDMA_RING_PAGE, true);
	pure_ok(WROTE(golden_page), "page ring, doorbell form");
	setup();
	resume(SDMA_RING_GFX, false);
	pure_ok(wrote_without_bell(golden_gfx), "GFX ring, MMIO form (S0.98)");
	resume(SDMA_RING_PAGE, false);
	pure_ok(wrote_without_bell(golden_page), "page ring, MMIO form (S0.98)");
}

/* Left by whoever drove the card before: another size, VMID 15, enabled, polling. */
static void test_ring_left_over(void)
{
	setup();
	regs[SDMA0(0x80) / 4] = 0x0f04107f;
	regs[SDMA0(0x87) / 4] = 0x00401004;
	regs[SDMA0(0x92) / 4] = 0x50000000;
	regs[SDMA0(0x8a) / 4] = 0x00000101;
	resume(SDMA_RING_GFX, true);
	pure_ok(WROTE(golden_gfx), "a ring that was left on is programmed alike");
}

static void test_ring_stop(void)
{
	setup();
	resume(SDMA_RING_GFX, true);
	resume(SDMA_RING_PAGE, true);
	num_writes = 0;
	pure_ok(PURE_EQ(sdma_v4_0_funcs.ring_stop(&hw, 0, SDMA_RING_GFX), 0) &&
		WROTE(golden_gfx_stop) && PURE_EQ(polls, 1), "GFX ring stopped and waited for");
	pure_ok(PURE_EQ(sdma_v4_0_funcs.ring_stop(&hw, 0, SDMA_RING_PAGE), 0) &&
		WROTE(golden_page_stop) && PURE_EQ(polls, 2), "page ring stopped and waited for");
	resume(SDMA_RING_GFX, true);
	num_writes = 0;
	regs[SDMA0(0x91) / 4] = 0;
	pure_ok(PURE_EQ(sdma_v4_0_funcs.ring_stop(&hw, 0, SDMA_RING_GFX), -ETIMEDOUT) &&
		WROTE(golden_gfx_stop), "a busy ring: -ETIMEDOUT, doorbell off all the same");
	pure_ok(PURE_EQ(polled_us, 5000000), "it has five seconds");
	fence_ms = 800;
	pure_ok(PURE_EQ(sdma_v4_0_funcs.ring_stop(&hw, 0, SDMA_RING_GFX), -ETIMEDOUT) &&
		PURE_EQ(polled_us, 800000), "or what a job has, if that is less");
	fence_ms = 10000;
	hw.lost = true;
	pure_ok(PURE_EQ(sdma_v4_0_funcs.ring_stop(&hw, 0, SDMA_RING_PAGE), -ENODEV),
		"a function that is gone: -ENODEV");
}

static void test_pointers(void)
{
	static const struct golden_write off[] = { { SDMA0(0xf2), 0 } };
	static const struct golden_write on[] = { { SDMA0(0xf2), 0x10000000 } };

	setup();
	sdma_v4_0_funcs.set_wptr(&hw, 0, SDMA_RING_GFX, 0x40);
	pure_ok(WROTE(golden_gfx_wptr), "WPTR by registers (S0.98)");
	sdma_v4_0_funcs.set_wptr(&hw, 0, SDMA_RING_PAGE, 0x100000020ULL);
	pure_ok(WROTE(golden_page_wptr_carry), "WPTR past a carry inside MINOR_PTR_UPDATE (S0.98)");
	pure_ok(PURE_EQ(sdma_v4_0_funcs.get_wptr(&hw, 0, SDMA_RING_PAGE), 0x100000020ULL) &&
		PURE_EQ(sdma_v4_0_funcs.get_wptr(&hw, 0, SDMA_RING_GFX), 0x40), "WPTR read back");
	sdma_v4_0_funcs.ring_use_doorbell(&hw, 0, SDMA_RING_PAGE, false);
	pure_ok(WROTE(off), "doorbell of a running ring off (S0.99)");
	sdma_v4_0_funcs.ring_use_doorbell(&hw, 0, SDMA_RING_PAGE, true);
	pure_ok(WROTE(on), "and on again (S0.99)");
	regs[SDMA0(0x83) / 4] = 0xfffffff8;
	regs[SDMA0(0x84) / 4] = 7;
	pure_ok(PURE_EQ(sdma_v4_0_funcs.get_rptr(&hw, 0, SDMA_RING_GFX), 0x7fffffff8ULL),
		"RPTR in two halves");
	/* Had the low half been kept it would be that of the lap before. */
	carry_reg = SDMA0(0x84);
	pure_ok(PURE_EQ(sdma_v4_0_funcs.get_rptr(&hw, 0, SDMA_RING_GFX), 0x8fffffff8ULL),
		"RPTR that carries between two reads is read anew");
	regs[SDMA0(0x91) / 4] = 0x14;
	pure_ok(PURE_EQ(sdma_v4_0_funcs.context_status(&hw, 0, SDMA_RING_GFX), 0x14) &&
		PURE_EQ(num_writes, 0), "context status; reading writes nothing");
}

static struct sdma_rlc_state rlc_state(void)
{
	return (struct sdma_rlc_state){
		.rb_base = GOLDEN_RLC_BASE, .rb_size = GOLDEN_RLC_BYTES,
		.rptr_addr = GOLDEN_RLC_RPTR_ADDR, .wptr_addr = GOLDEN_RLC_RPTR_ADDR + 8,
		.doorbell = GOLDEN_RLC_DOORBELL, .vmid = GOLDEN_RLC_VMID,
		.rptr = GOLDEN_RLC_RPTR, .wptr = GOLDEN_RLC_WPTR,
	};
}

static void test_rlc(void)
{
	struct sdma_rlc_state s = rlc_state();
	u64 rptr, wptr;

	setup();
	pure_ok(PURE_EQ(sdma_v4_0_funcs.rlc_load(&hw, 1, 1, &s), 0) && WROTE(golden_rlc_load) &&
		PURE_EQ(polls, 1), "user queue loaded: RPTR and WPTR restored");
	/* The engine went on for 16 bytes, the client for 32. */
	regs[SDMA1(0x1a3) / 4] += 16;
	regs[SDMA1(0x1a5) / 4] += 32;
	sdma_v4_0_funcs.rlc_peek(&hw, 1, 1, &rptr, &wptr);
	pure_ok(PURE_EQ(rptr, GOLDEN_RLC_RPTR + 16) && PURE_EQ(wptr, GOLDEN_RLC_WPTR + 32) &&
		PURE_EQ(num_writes, 0), "a loaded queue's pointers seen without a write");
	pure_ok(PURE_EQ(sdma_v4_0_funcs.rlc_unload(&hw, 1, 1, &s), 0) &&
		WROTE(golden_rlc_unload) && PURE_EQ(polls, 2) &&
		PURE_EQ(s.rptr, GOLDEN_RLC_RPTR + 16) && PURE_EQ(s.wptr, GOLDEN_RLC_WPTR + 32),
		"user queue unloaded: RPTR and WPTR saved, not enabled again");
	pure_ok(!s.halted && !sdma_v4_0_funcs.rlc_halted(&hw, 1, 1),
		"its context shows no exception");
	regs[SDMA1(0x1b1) / 4] = IDLE | 1 << 4;
	pure_ok(sdma_v4_0_funcs.rlc_halted(&hw, 1, 1) && !sdma_v4_0_funcs.rlc_halted(&hw, 1, 0) &&
		PURE_EQ(sdma_v4_0_funcs.rlc_unload(&hw, 1, 1, &s), 0) && s.halted,
		"one that does is told, and saved by the unload");
}

static void test_rlc_errors(void)
{
	static const struct golden_write only[] = { { SDMA1(0x1a0), 0x09061014 } };
	struct sdma_rlc_state s = rlc_state();

	setup();
	regs[SDMA1(0x1b1) / 4] = 0;
	pure_ok(PURE_EQ(sdma_v4_0_funcs.rlc_load(&hw, 1, 1, &s), -ETIMEDOUT) && WROTE(only),
		"a slot that stays busy is not programmed");
	regs[SDMA1(0x1a0) / 4] = 0x09061015;
	pure_ok(PURE_EQ(sdma_v4_0_funcs.rlc_unload(&hw, 1, 1, &s), -ETIMEDOUT) &&
		WROTE(golden_rlc_unload) && PURE_EQ(s.rptr, GOLDEN_RLC_RPTR) &&
		PURE_EQ(s.wptr, GOLDEN_RLC_WPTR), "nor are pointers taken from one");
	setup();
	hw.lost = true;
	pure_ok(PURE_EQ(sdma_v4_0_funcs.rlc_load(&hw, 1, 1, &s), -ENODEV) &&
		PURE_EQ(sdma_v4_0_funcs.rlc_unload(&hw, 1, 1, &s), -ENODEV) &&
		PURE_EQ(s.rptr, GOLDEN_RLC_RPTR), "a function that is gone: -ENODEV");
}

/* The engine, GFX, page and each RLC ring, 0x60 dwords apart. */
static void test_reg_sets(void)
{
	struct sdma_reg_set set;
	unsigned int n, rlc;
	char name[8];
	bool ok;

	for (rlc = 2, ok = true; rlc <= 8; rlc += 6) {
		version.user_queues = rlc;
		for (n = 0; sdma_v4_0_funcs.reg_set(&version, n, &set); n++) {
			ok &= PURE_EQ(set.base, n ? (0x80 + (n - 1) * 0x60) * 4 : 0);
			snprintf(name, sizeof(name), "rlc%u", (n - 3) & 7);
			ok &= n < 3 || !strcmp(set.name, name);
		}
		ok &= PURE_EQ(n, 3 + rlc);
	}
	pure_ok(ok, "registers of the engine and of as many rings as the version has");
}

static void test_facts(void)
{
	bool ok;

	setup();
	ok = sdma_v4_0_funcs.has_page_queue(&hw);
	chip.fw_sdma = 429;
	ok &= !sdma_v4_0_funcs.has_page_queue(&hw);
	chip.fw_sdma = 430;
	version.page_queue_fw = 0;
	ok &= !sdma_v4_0_funcs.has_page_queue(&hw);
	pure_ok(ok, "page ring from firmware 430 on, where the chip has one");
	ok = sdma_v4_0_funcs.present(&hw, 1);
	regs[SDMA1(0x25) / 4] = 0xffffffff;
	ok &= sdma_v4_0_funcs.present(&hw, 1);
	regs[SDMA1(0x2a) / 4] = 0xffffffff;
	ok &= !sdma_v4_0_funcs.present(&hw, 1) && sdma_v4_0_funcs.present(&hw, 0);
	pure_ok(ok, "an instance whose registers are all ones is not there");
	test_reg_sets();
}

int main(void)
{
	test_engine();
	test_ring_start();
	test_ring_left_over();
	test_ring_stop();
	test_pointers();
	test_rlc();
	test_rlc_errors();
	test_facts();
	return pure_done();
}
