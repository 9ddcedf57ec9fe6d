// SPDX-License-Identifier: GPL-2.0-only
/* pure: kernel/vgpu/vgpu_mmu.c kernel/vgpu/vgpu_tlb.c kernel/vgpu/vgpu_gmc.c */
/* pure: kernel/vgpu/vgpu_sdma.c kernel/vgpu/vgpu_sdma_regs.c kernel/vgpu/vgpu_sdma_queue.c */
/* pure: kernel/vgpu/vgpu_failure.c */
/* pure: kernel/vgpu/vgpu_sdma_exec.c kernel/vgpu/vgpu_sdma_packet.c kernel/vgpu/vgpu_sdma_copy.c */
/* pure: kernel/vgpu/vgpu_profile.c */
/* pure: kernel/vgpu/vgpu_sdma_broadcast.c kernel/vgpu/vgpu_sdma_condition.c */
/* pure: kernel/vgpu/vgpu_sdma_semaphore.c kernel/vgpu/vgpu_sdma_time.c */
/**
 * DOC: golden register sequences, the model's side
 *
 * The same lists that the driver's test compares with (sdma_golden.h) bring the
 * model's rings up, stop them, load and unload a user queue; a packet in each ring
 * tells whether it runs.  The driver takes no part.  Proves S0.98 and S0.107
 * (registers, model side).
 */
#include "sdma_golden.h"
#include "vgpu_ring.h"

#define FEED(f, list)	feed(f, list, ARRAY_SIZE(list))

static void feed(struct fake *f, const struct golden_write *list, unsigned int count)
{
	while (count--) {
		fake_reg_write(f, list->reg, list->value);
		list++;
	}
}

/* A ring as the lists describe it; nothing is written to registers. */
static struct ring golden_ring(struct fake *f, unsigned int queue)
{
	const bool user = queue == VGPU_SDMA_RLC1, page = queue == VGPU_SDMA_PAGE;
	struct ring r = { .f = f, .queue = queue, .size = GOLDEN_RING_DWORDS * 4 };

	r.instance = user;
	r.vmid = user ? GOLDEN_RLC_VMID : 0;
	r.view = user ? USER : FAKE_GART;
	r.base = user ? GOLDEN_RLC_BASE : page ? GOLDEN_PAGE_BASE : GOLDEN_GFX_BASE;
	r.doorbell = user ? GOLDEN_RLC_DOORBELL :
		     page ? GOLDEN_PAGE_DOORBELL : GOLDEN_GFX_DOORBELL;
	r.cpu = (u32 *)(f->sys + (r.base - r.view));
	r.regs = user ? SDMA1(0x1a0) : page ? SDMA0(0xe0) : SDMA0(0x80);
	return r;
}

/* After reset, with the memory that the lists name. */
static struct fake *reset(void)
{
	struct fake *f = fake_create();

	fake_enable_gart(f);
	fake_enable_vmid(f, GOLDEN_RLC_VMID);
	fake_map_sys(f, GOLDEN_RLC_VMID, USER, 0, FAKE_SYS);
	return f;
}

static void start_rings(struct fake *f, bool doorbells)
{
	struct golden_write gfx[GOLDEN_RING_WRITES], page[GOLDEN_RING_WRITES];

	memcpy(gfx, golden_gfx, sizeof(gfx));
	memcpy(page, golden_page, sizeof(page));
	if (!doorbells) {
		gfx[GOLDEN_RING_BELL].value = 0;
		page[GOLDEN_RING_BELL].value = 0;
	}
	FEED(f, golden_halt);
	FEED(f, gfx);
	FEED(f, page);
	FEED(f, golden_unhalt);
}

static u64 cell(struct fake *f, u64 mc)
{
	return *(u64 *)(f->sys + (mc - FAKE_GART));
}

static void test_doorbell_form(void)
{
	struct fake *f = reset();
	struct ring gfx = golden_ring(f, VGPU_SDMA_GFX), page = golden_ring(f, VGPU_SDMA_PAGE);

	FEED(f, golden_halt);
	FEED(f, golden_gfx);
	PUT(&gfx, FENCE(gfx.view + DATA, 1), TRAP(0x10));
	kick(&gfx);
	ok(!word(f, DATA), "nothing runs while the engine is halted");
	FEED(f, golden_page);
	FEED(f, golden_unhalt);
	kick(&gfx);
	ok(word(f, DATA) == 1 && last_iv(f, 8, 224, 0, 0, 0x10),
	   "GFX ring up, doorbell form: fence and trap of ring 0");
	PUT(&page, FENCE(page.view + DATA + 8, 2), TRAP(0x20));
	kick(&page);
	ok(word(f, DATA + 8) == 2 && last_iv(f, 8, 224, 3, 0, 0x20),
	   "page ring up, doorbell form: fence and trap of ring 3");
	ok(cell(f, GOLDEN_GFX_RPTR) == 24 && cell(f, GOLDEN_PAGE_RPTR) == 24,
	   "RPTR goes where the sequence said");
	ok(!info(&gfx).ignored && !info(&page).ignored, "no pointer was refused");
	fake_destroy(f);
}

static void test_mmio_form(void)
{
	struct fake *f = reset();
	struct ring gfx = golden_ring(f, VGPU_SDMA_GFX);

	start_rings(f, false);
	PUT(&gfx, FENCE(gfx.view + DATA, 1), FENCE(gfx.view + DATA, 2), FENCE(gfx.view + DATA, 3),
	    FENCE(gfx.view + DATA, 4));
	kick(&gfx);
	ok(!word(f, DATA), "MMIO form: a doorbell is not heard");
	FEED(f, golden_gfx_wptr);
	run(f, 0);
	ok(word(f, DATA) == 4 && cell(f, GOLDEN_GFX_RPTR) == 64 && !info(&gfx).ignored,
	   "MMIO form: WPTR in the registers runs the GFX ring (S0.98)");
	fake_destroy(f);
}

/* The page ring a few dwords before its pointers pass 4 GiB. */
static void test_mmio_carry(void)
{
	static const struct golden_write near[] = {
		{ SDMA0(0xe0), 0x00041014 },
		{ SDMA0(0xe3), 0xfffffff0 }, { SDMA0(0xe4), 0 },
		{ SDMA0(0xe5), 0xfffffff0 }, { SDMA0(0xe6), 0 },
		{ SDMA0(0xe0), 0x00041015 },
	};
	struct fake *f = reset();
	struct ring page = golden_ring(f, VGPU_SDMA_PAGE);

	start_rings(f, false);
	FEED(f, near);
	page.wptr = 0xfffffff0;
	PUT(&page, FENCE(page.view + DATA, 1), FENCE(page.view + DATA, 2),
	    FENCE(page.view + DATA, 3));
	FEED(f, golden_page_wptr_carry);
	run(f, 0);
	ok(word(f, DATA) == 3 && info(&page).rptr == 0x100000020ULL && !info(&page).ignored,
	   "WPTR past a carry is taken whole (S0.98)");
	fake_destroy(f);
}

static void test_stop(void)
{
	struct fake *f = reset();
	struct ring gfx = golden_ring(f, VGPU_SDMA_GFX), page = golden_ring(f, VGPU_SDMA_PAGE);

	start_rings(f, true);
	FEED(f, golden_gfx_stop);
	PUT(&gfx, FENCE(gfx.view + DATA, 1));
	PUT(&page, FENCE(page.view + DATA + 8, 2));
	ring_bell(&page);
	kick(&gfx);
	ok(!word(f, DATA) && idle(&gfx) && word(f, DATA + 8) == 2,
	   "a stopped GFX ring is idle, the page ring goes on");
	FEED(f, golden_page_stop);
	PUT(&page, FENCE(page.view + DATA + 8, 3));
	kick(&page);
	ok(word(f, DATA + 8) == 2 && idle(&page), "a stopped page ring is idle");
	/* What the slots still hold is not what the rings start from. */
	f->doorbell[gfx.doorbell / 8] = 0;
	f->doorbell[page.doorbell / 8] = 0;
	start_rings(f, true);
	ok(!run(f, 0) && !info(&gfx).rptr && !info(&gfx).wptr,
	   "started again: both pointers at 0, nothing runs");
	gfx.wptr = 0;
	PUT(&gfx, FENCE(gfx.view + DATA, 4));
	kick(&gfx);
	ok(word(f, DATA) == 4, "and the next packet does");
	fake_destroy(f);
}

static void test_rlc(void)
{
	struct fake *f = reset();
	struct ring r = golden_ring(f, VGPU_SDMA_RLC1);
	const struct golden_write back[] = {
		{ SDMA1(0x1a3), GOLDEN_RLC_WPTR & 0xffffffff },
		{ SDMA1(0x1a5), GOLDEN_RLC_WPTR & 0xffffffff },
	};
	struct golden_write load[ARRAY_SIZE(golden_rlc_load)];
	unsigned int i, replaced = 0;

	fake_reg_write(f, SDMA1(0x1c), 0x00040003);
	fake_reg_write(f, SDMA1(0x2a), 0);
	r.wptr = GOLDEN_RLC_RPTR;
	PUT(&r, FENCE(USER + DATA, 1), FENCE(USER + DATA, 2));
	FEED(f, golden_rlc_load);
	run(f, 1);
	ok(word(f, DATA) == 1 && info(&r).rptr == GOLDEN_RLC_WPTR,
	   "user queue loaded: runs from RPTR to WPTR, no further");
	ok(*(u64 *)(f->sys + (GOLDEN_RLC_RPTR_ADDR - USER)) == GOLDEN_RLC_WPTR,
	   "its RPTR goes to its own memory");
	FEED(f, golden_rlc_unload);
	ok(idle(&r) && fake_reg_read(f, SDMA1(0x1a3)) == 0x1010 &&
	   fake_reg_read(f, SDMA1(0x1a4)) == 1 && fake_reg_read(f, SDMA1(0x1a5)) == 0x1010 &&
	   fake_reg_read(f, SDMA1(0x1a6)) == 1, "unloaded: RPTR and WPTR are there to be saved");
	ring_bell(&r);
	ok(!run(f, 1) && word(f, DATA) == 1, "what is rung meanwhile waits");
	memcpy(load, golden_rlc_load, sizeof(load));
	for (i = 0; i < ARRAY_SIZE(load); i++)
		if (load[i].reg == back[0].reg || load[i].reg == back[1].reg) {
			load[i].value = back[0].value;
			replaced++;
		}
	FEED(f, load);
	run(f, 1);
	ok(replaced == 2 && word(f, DATA) == 2 && info(&r).rptr == GOLDEN_RLC_WPTR + 16,
	   "loaded again with what was saved: the rest runs once");
	fake_destroy(f);
}

/* One page of USER lies elsewhere in the tables that the frame brings. */
static void second_tables(struct fake *f)
{
	memset(f->vram + (GOLDEN_FRAME_ROOT & ~1ULL), 0, 4096);
	f->root[2] = GOLDEN_FRAME_ROOT;
	fake_map_sys(f, 2, USER, 0, FAKE_SYS);
	fake_map_sys(f, 2, USER + DATA, DATA + 0x1000, 4096);
}

static void test_vm_frame(void)
{
	static const u32 ib[8] = { 0x00000002, ADDR(USER + DATA), 0, 0x600d };
	struct fake *f = reset();
	struct ring gfx = golden_ring(f, VGPU_SDMA_GFX);
	u32 *fence = (u32 *)(f->sys + (GOLDEN_FRAME_FENCE - FAKE_GART));

	start_rings(f, true);
	second_tables(f);
	memcpy(f->sys + (GOLDEN_FRAME_IB - USER), ib, sizeof(ib));
	PUT(&gfx, 0, 0, INDIRECT(GOLDEN_RLC_VMID, GOLDEN_FRAME_IB, 8));
	kick(&gfx);
	ok(word(f, DATA) == 0x600d && !word(f, DATA + 0x1000),
	   "a job of a VMID runs in that VMID's tables");
	*(u32 *)(f->sys + DATA) = 0;
	put(&gfx, golden_vm_frame, ARRAY_SIZE(golden_vm_frame));
	*fence = GOLDEN_FRAME_SEQ - 2;
	f->hdp_done_after = 1;
	kick(&gfx);
	ok(!word(f, DATA) && !word(f, DATA + 0x1000) && *fence == GOLDEN_FRAME_SEQ - 2,
	   "the frame waits for the job before it");
	*fence = GOLDEN_FRAME_SEQ - 1;
	run(f, 0);
	ok(!word(f, DATA) && word(f, DATA + 0x1000) == 0x600d,
	   "its job runs in the tables that the frame brought (S0.107)");
	ok(*fence == GOLDEN_FRAME_SEQ && f->hdp_req == 4 && last_iv(f, 8, 224, 0, 0, 0),
	   "then HDP, fence and trap are done");
	ok(fake_reg_read(f, 0x69b54) == 1, "and the semaphore is free");
	fake_destroy(f);
}

/* TRAP_ENABLE alone decides whether a trap interrupts. */
static void test_interrupt_enable(void)
{
	struct fake *f = reset();
	struct ring gfx = golden_ring(f, VGPU_SDMA_GFX);

	start_rings(f, true);
	fake_reg_write(f, SDMA0(0x1c), 0x00040002);
	PUT(&gfx, TRAP(1));
	kick(&gfx);
	ok(!f->irqs && info(&gfx).rptr == 8, "a trap with TRAP_ENABLE off interrupts nobody");
	FEED(f, golden_unhalt);
	PUT(&gfx, TRAP(2));
	kick(&gfx);
	ok(f->irqs == 1 && last_iv(f, 8, 224, 0, 0, 2), "the golden value turns it on");
	fake_destroy(f);
}

int main(void)
{
	test_doorbell_form();
	test_mmio_form();
	test_mmio_carry();
	test_stop();
	test_rlc();
	test_vm_frame();
	test_interrupt_enable();
	return pure_done();
}
