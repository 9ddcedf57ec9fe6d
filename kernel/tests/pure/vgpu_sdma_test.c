// SPDX-License-Identifier: GPL-2.0-only
/* pure: kernel/vgpu/vgpu_mmu.c kernel/vgpu/vgpu_tlb.c kernel/vgpu/vgpu_gmc.c */
/* pure: kernel/vgpu/vgpu_sdma.c kernel/vgpu/vgpu_sdma_regs.c kernel/vgpu/vgpu_sdma_queue.c */
/* pure: kernel/vgpu/vgpu_failure.c */
/* pure: kernel/vgpu/vgpu_sdma_exec.c kernel/vgpu/vgpu_sdma_packet.c kernel/vgpu/vgpu_sdma_copy.c */
/* pure: kernel/vgpu/vgpu_profile.c */
/* pure: kernel/vgpu/vgpu_sdma_broadcast.c kernel/vgpu/vgpu_sdma_condition.c */
/* pure: kernel/vgpu/vgpu_sdma_semaphore.c kernel/vgpu/vgpu_sdma_time.c */
/**
 * DOC: SDMA instances as a driver sees them
 *
 * Registers, pointers, doorbells, privilege, faults, arbitration: S0.94, S0.95, S0.97,
 * S0.103, S0.108; B050, B061, B067.  Queues that leave and come back: vgpu_reload_test.c.
 */
#include "vgpu_ring.h"

/* Registers and pointers */

static void test_reset(void)
{
	struct fake *f = fake_create();

	ok(fake_reg_read(f, 0x4980 + SDMA4_F32_CNTL) == 1 &&
	   fake_reg_read(f, 0x5180 + SDMA4_STATUS_REG) == 0x46dee557 &&
	   fake_reg_read(f, 0x4980 + SDMA4_VERSION) == 0x400,
	   "registers after reset: halted, idle, version 4.0");
	ok(fake_reg_read(f, 0x4980 + 0x200 + SDMA4_Q_CONTEXT_STATUS) == 4 &&
	   fake_reg_read(f, 0x4980 + 0x200 + SDMA4_Q_RB_CNTL) == 0x40000,
	   "and those of a queue: off and idle");
	fake_destroy(f);
}

static void test_fence_trap(void)
{
	struct fake *f = start();
	struct ring r = gfx_ring(f);

	PUT(&r, FENCE(r.view + DATA, 0x600d), TRAP(0x123));
	ok(step(f, 0) == VGPU_STEP_IDLE && !word(f, DATA), "nothing runs before the doorbell");
	ok(kick(&r) == 2 && word(f, DATA) == 0x600d, "FENCE in one step, TRAP in another");
	ok(last_iv(f, 8, 224, 0, 0, 0x123), "TRAP raises client 8, source 224, ring 0");
	ok(rptr_cell(&r) == 24 && fake_reg_read(f, qreg(&r, SDMA4_Q_RB_RPTR)) == 24 &&
	   fake_reg_read(f, qreg(&r, SDMA4_Q_RB_WPTR)) == 24, "RPTR in memory and register");
	fake_reg_write(f, 0x4980 + SDMA4_CNTL, SDMA4_CNTL__UTC_L1_ENABLE);
	PUT(&r, TRAP(1));
	kick(&r);
	ok(f->irqs == 1 && info(&r).traps == 2, "no interrupt with TRAP_ENABLE off");
	fake_destroy(f);
}

static void test_trap_rings(void)
{
	static const struct { unsigned int queue, vmid; u8 ring; } rows[] = {
		{ VGPU_SDMA_GFX, 0, 0 }, { VGPU_SDMA_RLC0, 8, 1 },
		{ VGPU_SDMA_RLC1, 9, 2 }, { VGPU_SDMA_PAGE, 0, 3 },
	};
	struct fake *f = start();
	unsigned int i, good = 0;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct ring r = ring_at(f, 1, rows[i].queue, rows[i].vmid, 4096);

		PUT(&r, TRAP(i));
		kick(&r);
		good += last_iv(f, 9, 224, rows[i].ring, rows[i].vmid, i);
	}
	ok(good == 4, "traps of instance 1 name client 9, ring and VMID of each queue");
	fake_destroy(f);
}

static void test_rptr(void)
{
	struct fake *f = start();
	struct ring r = gfx_ring(f);
	u32 cntl;

	fake_reg_write(f, qreg(&r, SDMA4_Q_RB_RPTR), 64);
	ok(info(&r).rptr == 0, "RPTR cannot be written while the queue is enabled");
	unload(&r);
	cntl = fake_reg_read(f, qreg(&r, SDMA4_Q_RB_CNTL));
	fake_reg_write(f, qreg(&r, SDMA4_Q_RB_CNTL), (cntl & ~(1u << 12)) | 1);
	PUT(&r, FENCE(r.view + DATA, 1));
	kick(&r);
	ok(word(f, DATA) == 1 && !rptr_cell(&r) && info(&r).rptr == 16,
	   "nor is it written back where that is off");
	fake_destroy(f);
}

static void test_mmio_wptr(void)
{
	struct fake *f = start();
	struct ring r = gfx_ring(f);

	fake_reg_write(f, qreg(&r, SDMA4_Q_DOORBELL), 0);
	PUT(&r, FENCE(r.view + DATA, 1), FENCE(r.view + DATA, 2));
	ring_bell(&r);
	run(f, 0);
	ok(!word(f, DATA), "a doorbell that is off is not looked at");
	fake_reg_write(f, qreg(&r, SDMA4_Q_RB_WPTR), 16);
	run(f, 0);
	ok(!word(f, DATA), "the low half of WPTR alone does nothing");
	fake_reg_write(f, qreg(&r, SDMA4_Q_RB_WPTR_HI), 0);
	run(f, 0);
	ok(word(f, DATA) == 1, "both halves run one packet");
	fake_reg_write(f, qreg(&r, SDMA4_Q_RB_WPTR), 34);
	fake_reg_write(f, qreg(&r, SDMA4_Q_RB_WPTR_HI), 0);
	fake_reg_write(f, qreg(&r, SDMA4_Q_RB_WPTR), 16 + 4096 + 4);
	fake_reg_write(f, qreg(&r, SDMA4_Q_RB_WPTR_HI), 0);
	run(f, 0);
	ok(word(f, DATA) == 1 && info(&r).ignored == 2 &&
	   fake_reg_read(f, qreg(&r, SDMA4_Q_STATUS)) == 2,
	   "off a dword or beyond the ring: refused");
	fake_destroy(f);
}

static void test_doorbells(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);
	u64 *bell = &f->doorbell[r.doorbell / 8];

	PUT(&r, FENCE(r.view + DATA, 1), FENCE(r.view + DATA, 2), FENCE(r.view + DATA, 3));
	*bell = 32;
	run(f, 0);
	ok(word(f, DATA) == 2, "B061: execution stops at the value rung, whatever the ring holds");
	*bell = 16;
	run(f, 0);
	*bell = 32 + 4096 + 4;
	run(f, 0);
	*bell = 34;
	run(f, 0);
	ok(word(f, DATA) == 2 && info(&r).ignored == 3 && info(&r).wptr == 32,
	   "B061: older, too far and unaligned values are ignored and counted");
	*bell = 48;
	run(f, 0);
	ok(word(f, DATA) == 3, "and the next good one is served");
	unload(&r);
	PUT(&r, FENCE(r.view + DATA, 4));
	ring_bell(&r);
	run(f, 0);
	ok(word(f, DATA) == 3 && idle(&r), "an unloaded queue does not run");
	load(&r, 48, 48);
	run(f, 0);
	ok(word(f, DATA) == 4, "B061: a ring while unloaded is served after the load");
	fake_destroy(f);
}

/* Values between RPTR and the last one rung, while the queue stands. */
static void test_older_values(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);

	vgpu_sdma_control(f->sdma[0], r.queue, VGPU_SDMA_HALT, 0);
	f->doorbell[r.doorbell / 8] = 64;
	run(f, 0);
	f->doorbell[r.doorbell / 8] = 32;
	run(f, 0);
	ok(info(&r).wptr == 64 && info(&r).ignored == 1,
	   "B061: an older doorbell that is still ahead of RPTR");
	fake_reg_write(f, qreg(&r, SDMA4_Q_RB_WPTR), 48);
	fake_reg_write(f, qreg(&r, SDMA4_Q_RB_WPTR_HI), 0);
	ok(info(&r).wptr == 64 && info(&r).ignored == 2, "an older register value likewise");
	fake_reg_write(f, qreg(&r, SDMA4_Q_MINOR_PTR_UPDATE), 1);
	fake_reg_write(f, qreg(&r, SDMA4_Q_RB_WPTR), 48);
	fake_reg_write(f, qreg(&r, SDMA4_Q_RB_WPTR_HI), 0);
	ok(info(&r).wptr == 48 && info(&r).ignored == 2, "but for MINOR_PTR_UPDATE");
	fake_destroy(f);
}

/* amdkfd sets RB_ENABLE again after an unload; the queue must stay off then. */
static void test_unload_sequence(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);
	u32 cntl;

	PUT(&r, FENCE(r.view + DATA, 1));
	ring_bell(&r);
	unload(&r);
	fake_reg_write(f, qreg(&r, SDMA4_Q_DOORBELL), 0);
	cntl = fake_reg_read(f, qreg(&r, SDMA4_Q_RB_CNTL));
	fake_reg_write(f, qreg(&r, SDMA4_Q_RB_WPTR), 16);
	fake_reg_write(f, qreg(&r, SDMA4_Q_RB_WPTR_HI), 0);
	fake_reg_write(f, qreg(&r, SDMA4_Q_RB_CNTL), cntl | 1);
	run(f, 0);
	ok(!word(f, DATA) && idle(&r),
	   "RB_ENABLE without DOORBELL.ENABLE does not start an RLC queue");
	fake_destroy(f);
}

static void test_half_packet(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);
	u64 *bell = &f->doorbell[r.doorbell / 8];
	unsigned int i, early = 0;

	PUT(&r, 0x00000002, LO(r.view + DATA), HI(r.view + DATA), 2, 11, 22, 33);
	for (i = 4; i < 28; i += 4) {
		*bell = i;
		early += run(f, 0);
	}
	ok(!early && !word(f, DATA) && !info(&r).rptr, "B061: half a packet is not executed");
	*bell = 28;
	run(f, 0);
	ok(word(f, DATA) == 11 && word(f, DATA + 8) == 33 && info(&r).rptr == 28,
	   "when the rest is rung it runs");
	fake_destroy(f);
}

/* What was not rung yet may be anything, and must not be judged. */
static void test_half_garbage(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);

	r.cpu[0] = 0x00000001;
	r.cpu[2] = 0xffffffff;
	f->doorbell[r.doorbell / 8] = 4;
	ok(run(f, 0) == 0 && state_is(&r, "running") && !info(&r).rptr,
	   "garbage behind the part that is rung does not count");
	PUT(&r, COPY(r.view + DATA, VRAM_VA, 4));
	kick(&r);
	ok(state_is(&r, "idle") && info(&r).copied == 4,
	   "the packet as it is when it is whole does");
	fake_destroy(f);
}

static void test_wrap(void)
{
	struct fake *f = start();
	struct ring r = ring_at(f, 0, VGPU_SDMA_RLC0, 8, 256);
	u64 base = 0xffffffffULL * 256 + 240;
	unsigned int i, bad = 0;

	/* Counters of more than 32 bits, positions that end everywhere before the wrap. */
	unload(&r);
	r.wptr = base;
	f->doorbell[r.doorbell / 8] = base;
	load(&r, base, base);
	for (i = 1; i < 2000; i++) {
		PUT(&r, FENCE(r.view + DATA, i));
		PUT(&r, 0x00000002, LO(r.view + DATA + 64), HI(r.view + DATA + 64), i % 9);
		PUT(&r, i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7, i + 8);
		r.wptr -= (8 - i % 9) * 4;
		kick(&r);
		bad += word(f, DATA) != i || word(f, DATA + 64 + i % 9 * 4) != i + i % 9 ||
		       rptr_cell(&r) != r.wptr;
	}
	ok(!bad && r.wptr > 0x10000000000ULL,
	   "2000 packets over the wrap of 256 bytes, counters beyond 40 bits");
	fake_destroy(f);
}

static void test_full(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);
	unsigned int i;

	for (i = 0; i < 256; i++)
		PUT(&r, FENCE(r.view + DATA, i + 1));
	ok(kick(&r) == 256 && word(f, DATA) == 256 && rptr_cell(&r) == 4096,
	   "B050: a ring filled to the last dword");
	PUT(&r, 0x00000002, LO(r.view + DATA), HI(r.view + DATA), 2000);
	kick(&r);
	ok(state_is(&r, "halted: packet longer than the ring"), "a packet that no ring could hold");
	fake_destroy(f);
}

static void test_bad_pointers(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);

	unload(&r);
	load(&r, 0, 8192);
	ok(state_is(&r, "halted: write pointer") && step(f, 0) == VGPU_STEP_IDLE,
	   "WPTR outside of the ring");
	unload(&r);
	r.size = 128;
	load(&r, 0, 0);
	ok(state_is(&r, "halted: bad ring size") && step(f, 0) == VGPU_STEP_IDLE,
	   "a ring of 128 bytes");
	unload(&r);
	r.size = 4096;
	load(&r, 0, 0);
	ok(state_is(&r, "idle"), "a good load after those");
	fake_destroy(f);
}

/* Privilege */

struct privilege_row {
	const char *name;
	u32 words[8];
	unsigned int n;
	u8 source;
};

static void test_privilege(void)
{
	static const struct privilege_row rows[] = {
		{ "SRBM_WRITE", { WREG(0x1000, 1) }, 3, 247 },
		{ "register poll", { 0x30000008, 0x1000, 0, 0, 0, 0x0fff0004 }, 6, 241 },
		{ "HDP poll", { 0x34000008, 0x1000, 0x1004, 0, 0, 0x0fff0004 }, 6, 241 },
		{ "nearly an HDP flush", { 8, 0, 0x80000000, 0, 0, 4 }, 6, 241 },
		{ "INDIRECT of VMID 0", { 0, 0, INDIRECT(0, USER, 8) }, 8, 241 },
		{ "INDIRECT of another process", { 0, 0, INDIRECT(9, USER, 8) }, 8, 241 },
		{ "physical copy", { 0x00000801, 0, 0, 0, 0, 0, 0 }, 7, 241 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct fake *f = start();
		struct ring bad = user_ring(f);
		struct ring good = ring_at(f, 0, VGPU_SDMA_RLC1, 9, 4096);
		u32 header;

		put(&bad, rows[i].words, rows[i].n);
		header = rows[i].words[rows[i].n == 8 ? 2 : 0];
		PUT(&good, FENCE(good.view + DATA, 1));
		ring_bell(&good);
		kick(&bad);
		ok(state_is(&bad, "halted") && last_iv(f, 8, rows[i].source, 1, 8, header) &&
		   f->irqs == 1 && word(f, DATA) == 1,
		   "user queue: %s halts it with source %u, not its neighbour", rows[i].name,
		   rows[i].source);
		fake_destroy(f);
	}
}

static void test_hdp_flush(void)
{
	struct fake *f = start();
	struct ring user = user_ring(f), gfx = gfx_ring(f);

	PUT(&user, FLUSH_HDP, FENCE(user.view + DATA, 1));
	PUT(&gfx, FLUSH_HDP, FENCE(gfx.view + DATA + 4, 1));
	ring_bell(&gfx);
	ok(kick(&user) == 4 && f->hdp_flushes == 2 && word(f, DATA) == 1 && word(f, DATA + 4) == 1,
	   "the HDP flush words complete at once on any queue");
	fake_destroy(f);
}

static void test_ib_off(void)
{
	struct fake *f = start();
	struct ring r = gfx_ring(f);

	fake_reg_write(f, qreg(&r, SDMA4_Q_IB_CNTL), 0x100);
	PUT(&r, 0, 0, INDIRECT(8, USER, 8));
	kick(&r);
	ok(state_is(&r, "halted: indirect buffers are off"),
	   "IB_CNTL gates indirect buffers of kernel rings");
	fake_destroy(f);
}

/* Faults */

static void test_fault(void)
{
	struct fake *f = start();
	struct ring bad = user_ring(f), good = ring_at(f, 0, VGPU_SDMA_RLC1, 9, 4096);

	PUT(&bad, FENCE(bad.view + DATA, 1), COPY(bad.view + DATA, 0x500000000123ULL, 100));
	PUT(&good, COPY(good.view + DATA, VRAM_VA, MIB), FENCE(good.view + DATA + 4, 1));
	ring_bell(&good);
	kick(&bad);
	ok(state_is(&bad, "halted: VM fault (0x500000000123)") && info(&bad).rptr == 16,
	   "a copy to nowhere halts its queue at the packet");
	ok(f->irqs == 1 && f->iv[0].client == 0x12 && f->iv[0].vmid == 8 && f->iv[0].ring == 0x28 &&
	   f->iv[0].ctx[0] == 0x00000000 && f->iv[0].ctx[1] == 0x25, "with the hub's interrupt");
	ok(fake_reg_read(f, MMHUB1_VM_L2_PROTECTION_FAULT_STATUS) == 0x00841e58,
	   "and its latch: SDMA0 write, VMID 8, no entry in PDB2");
	ok(word(f, DATA + 4) == 1, "the neighbour's copy goes on");
	ok(fake_reg_read(f, qreg(&bad, SDMA4_Q_CONTEXT_STATUS)) == 0x14,
	   "a halted queue is idle, with an exception");
	fake_destroy(f);
}

static u32 status_at_irq[2];

static void note_status(struct fake *f)
{
	u32 base = f->sdma_base[0] + SDMA4_Q_CONTEXT_STATUS;

	status_at_irq[0] = fake_reg_read(f, base + SDMA4_QUEUE_RLC(0, SDMA4_QUEUE_STRIDE));
	status_at_irq[1] = fake_reg_read(f, base + SDMA4_QUEUE_RLC(1, SDMA4_QUEUE_STRIDE));
}

/* Who is told of a halted queue by interrupt can tell which one it is, and that it is loaded. */
static void test_exception_before_interrupt(void)
{
	struct fake *f = start();
	struct ring bad = user_ring(f), good = ring_at(f, 0, VGPU_SDMA_RLC1, 8, 4096);

	f->irq_hook = note_status;
	PUT(&good, COPY(good.view + DATA, VRAM_VA, MIB), FENCE(good.view + DATA + 4, 1));
	ring_bell(&good);
	PUT(&bad, COPY(bad.view + DATA, 0x500000000123ULL, 100));
	kick(&bad);
	ok(f->irqs == 1 && status_at_irq[0] == 0x11 && status_at_irq[1] == 0x1,
	   "at a fault's interrupt: exception, not idle yet; none for the busy neighbour");
	f->irqs = 0;
	status_at_irq[0] = 0;
	bad = user_ring(f);
	PUT(&bad, 0xff);
	kick(&bad);
	ok(f->irqs == 1 && f->iv[0].source == 241 && status_at_irq[0] == 0x11,
	   "the same at an illegal packet's");
	fake_destroy(f);
}

static void test_ring_fault(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);

	PUT(&r, 0, 0, 0);
	fake_map(f, 8, r.base, 0, 0);
	kick(&r);
	ok(state_is(&r, "halted: VM fault") && f->irqs == 1 && f->iv[0].client == 0x12,
	   "a ring that cannot be read");
	fake_map(f, 8, r.base, FAKE_SYS_BASE + RING + VGPU_SDMA_RLC0 * 0x10000,
		 PTE_RW | PTE_SYSTEM);
	fake_map(f, 8, r.view + RPTR, 0, 0);
	fake_flush(f, 0xffff);
	unload(&r);
	load(&r, 0, 12);
	run(f, 0);
	ok(state_is(&r, "halted: VM fault") && info(&r).rptr == 4,
	   "an RPTR cell that cannot be written");
	fake_destroy(f);
}

static void test_no_memory(void)
{
	struct fake *f = start();
	struct ring r = gfx_ring(f);

	/* Only the destination is VRAM; the GART's entries are cached by the first packet. */
	PUT(&r, FENCE(r.view + DATA, 1), FILL(VRAM_MC, 0, 16));
	f->doorbell[r.doorbell / 8] = 16;
	run(f, 0);
	f->no_memory = true;
	kick(&r);
	ok(state_is(&r, "halted: VM fault") && f->irqs == 1 && word(f, DATA) == 1,
	   "no memory behind VRAM: the queue reports it, nothing else happens");
	fake_destroy(f);
}

/* Memory that comes later: a user queue waits where it is and others go on. */
static void test_memory_later(void)
{
	struct fake *f = start();
	struct ring user = user_ring(f), gfx = gfx_ring(f);

	/* The tables are in VRAM, too: their entries are cached by the first packets. */
	PUT(&user, FILL(VRAM_VA, 0, 16), FENCE(user.view + DATA, 0));
	kick(&user);
	PUT(&gfx, FENCE(gfx.view + DATA + 4, 0));
	kick(&gfx);
	f->no_memory = true;
	f->memory_comes = true;
	PUT(&user, FILL(VRAM_VA, 0x11223344, 64), FENCE(user.view + DATA, 7));
	kick(&user);
	ok(state_is(&user, "blocked") && f->waits && !f->irqs && !word(f, DATA),
	   "no memory yet: the queue is blocked, and no fault");
	PUT(&gfx, FENCE(gfx.view + DATA + 4, 1));
	kick(&gfx);
	ok(word(f, DATA + 4) == 1, "another queue runs meanwhile");
	f->no_memory = false;
	run(f, 0);
	ok(state_is(&user, "idle") && word(f, DATA) == 7 && f->irqs == 0,
	   "with memory it goes on, and each packet has run once");
	f->no_memory = true;
	f->memory_comes = false;
	PUT(&user, FILL(VRAM_VA, 0, 64));
	kick(&user);
	ok(state_is(&user, "halted: VM fault") && f->irqs == 1,
	   "where none will come it faults");
	fake_destroy(f);
}

/* The driver's own queues never wait for memory, which may wait for them. */
static void test_kernel_queue_does_not_wait(void)
{
	struct fake *f = start();
	struct ring r = gfx_ring(f);

	f->no_memory = true;
	f->memory_comes = true;
	PUT(&r, FILL(VRAM_MC, 0, 16));
	kick(&r);
	ok(state_is(&r, "halted: VM fault") && !f->waits, "a queue of VMID 0 does not wait");
	fake_destroy(f);
}

/* Arbitration */

/* S0.108: under bulk copies an update waits for one chunk of another queue at most. */
static void test_page_first(void)
{
	struct fake *f = start();
	struct ring gfx = gfx_ring(f), page = ring_at(f, 0, VGPU_SDMA_PAGE, 0, 4096);
	struct ring user = user_ring(f);
	const unsigned int chunks = 4 * MIB / VGPU_SDMA_CHUNK;
	unsigned int worst = 0, i, waited;

	vgpu_sdma_control(f->sdma[0], 0, VGPU_SDMA_MODE_STEP, 0);
	PUT(&gfx, COPY(gfx.view + DATA, VRAM_MC, 4 * MIB));
	PUT(&user, COPY(user.view + DATA, VRAM_VA + 8 * MIB, 4 * MIB));
	ring_bell(&gfx);
	ring_bell(&user);
	ok(run(f, 0) == 0, "step mode: nothing runs that was not granted");
	for (i = 1; i <= chunks * 3 / 4; i++) {
		vgpu_sdma_control(f->sdma[0], 0, VGPU_SDMA_STEP, 1);
		run(f, 0);
		PUT(&page, FENCE(page.view + DATA, i));
		ring_bell(&page);
		for (waited = 0; word(f, DATA) != i && waited < 10; waited++) {
			vgpu_sdma_control(f->sdma[0], 0, VGPU_SDMA_STEP, 1);
			run(f, 0);
		}
		worst = max(worst, waited);
	}
	ok(worst == 1 && info(&gfx).rptr == 0,
	   "S0.108: the page queue's turn comes next, in the middle of a 4 MiB copy");
	vgpu_sdma_control(f->sdma[0], 0, VGPU_SDMA_STEP, chunks / 4 - 1);
	ok(run(f, 0) == chunks / 4 - 1 && info(&user).rptr == 0 && state_is(&gfx, "running"),
	   "GFX goes before RLC queues");
	vgpu_sdma_control(f->sdma[0], 0, VGPU_SDMA_MODE_RUN, 0);
	run(f, 0);
	ok(info(&gfx).copied == 4 * MIB && info(&user).copied == 4 * MIB, "all is done in the end");
	fake_destroy(f);
}

static void test_rlc_turns(void)
{
	struct fake *f = start();
	struct ring a = user_ring(f), b = ring_at(f, 0, VGPU_SDMA_RLC1, 9, 4096);
	int ahead = 0, worst = 0;
	unsigned int i;

	for (i = 0; i < 100; i++) {
		PUT(&a, FENCE(a.view + DATA, i));
		PUT(&b, FENCE(b.view + DATA, i));
	}
	ring_bell(&a);
	ring_bell(&b);
	for (i = 0; i < 200; i++) {
		step(f, 0);
		ahead = (int)info(&a).packets - (int)info(&b).packets;
		worst = max(worst, ahead < 0 ? -ahead : ahead);
	}
	ok(worst == 1 && ahead == 0, "the RLC queues take turns");
	fake_destroy(f);
}

static void test_poll_yields(void)
{
	struct fake *f = start();
	struct ring page = ring_at(f, 0, VGPU_SDMA_PAGE, 0, 4096), gfx = gfx_ring(f);
	struct ring user = user_ring(f);

	PUT(&page, POLL(page.view + DATA, 1), FENCE(page.view + DATA + 4, 1));
	PUT(&gfx, POLL(gfx.view + DATA, 1));
	ring_bell(&page);
	ring_bell(&gfx);
	ok(step(f, 0) == VGPU_STEP_BLOCKED, "queues that all wait");
	PUT(&user, FENCE(user.view + DATA + 8, 1), FENCE(user.view + DATA, 1));
	kick(&user);
	ok(word(f, DATA + 8) == 1 && word(f, DATA + 4) == 1 && state_is(&gfx, "idle"),
	   "a poll that waits yields the engine, here to the queue that ends the wait");
	fake_destroy(f);
}

/* Control */

static void test_hold(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);

	vgpu_sdma_control(f->sdma[0], r.queue, VGPU_SDMA_HALT, 0);
	PUT(&r, FENCE(r.view + DATA, 1));
	ok(kick(&r) == 0 && state_is(&r, "held") && info(&r).wptr == 16,
	   "a held queue takes doorbells and runs nothing");
	unload(&r);
	load(&r, 0, 0);
	run(f, 0);
	ok(!word(f, DATA) && state_is(&r, "held"), "over a reload as well");
	vgpu_sdma_control(f->sdma[0], r.queue, VGPU_SDMA_RESUME, 0);
	run(f, 0);
	ok(word(f, DATA) == 1, "resumed");
	ok(vgpu_sdma_control(f->sdma[0], 4, VGPU_SDMA_HALT, 0) == -EINVAL &&
	   vgpu_sdma_control(f->sdma[0], 0, 77, 0) == -EINVAL, "no such queue, no such command");
	fake_destroy(f);
}

static void test_halt_freeze(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);

	PUT(&r, FENCE(r.view + DATA, 1));
	fake_reg_write(f, 0x4980 + SDMA4_F32_CNTL, 1);
	kick(&r);
	ok(!word(f, DATA), "F32_CNTL.HALT stops the instance");
	fake_reg_write(f, 0x4980 + SDMA4_F32_CNTL, 0);
	fake_reg_write(f, 0x4980 + SDMA4_FREEZE, SDMA4_FREEZE__FREEZE);
	run(f, 0);
	ok(!word(f, DATA) && (fake_reg_read(f, 0x4980 + SDMA4_FREEZE) & SDMA4_FREEZE__FROZEN),
	   "so does FREEZE");
	fake_reg_write(f, 0x4980 + SDMA4_FREEZE, 0);
	run(f, 0);
	ok(word(f, DATA) == 1, "and lets go");
	fake_destroy(f);
}

/* B061 across a 32-bit boundary, without the wrap test's ring size. */
static void test_boundary(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);

	unload(&r);
	r.wptr = 0xfffffff8;
	load(&r, r.wptr, r.wptr);
	PUT(&r, FENCE(r.view + DATA, 1), FENCE(r.view + DATA, 2));
	f->doorbell[r.doorbell / 8] = 0x00000018;
	run(f, 0);
	ok(!word(f, DATA) && info(&r).wptr == 0xfffffff8,
	   "the low half of a value that crosses 32 bits is old");
	kick(&r);
	ok(word(f, DATA) == 2 && rptr_cell(&r) == 0x100000018ULL,
	   "B061: the whole value is served");
	fake_destroy(f);
}

/* Vega20: SDMA 4.2 with eight RLC queues, the second instance elsewhere. */

static void test_4_2_rings(void)
{
	static const struct { unsigned int queue, vmid; u8 ring; } rows[] = {
		{ VGPU_SDMA_GFX, 0, 0 }, { VGPU_SDMA_PAGE, 0, 1 }, { VGPU_SDMA_RLC0, 8, 2 },
		{ VGPU_SDMA_RLC2, 9, 4 }, { VGPU_SDMA_RLC7, 9, 9 },
	};
	struct fake *f = start_chip("vega20");
	unsigned int i, good = 0;

	ok(fake_reg_read(f, 0x4980 + SDMA4_VERSION) == 0x402 &&
	   fake_reg_read(f, 0x6180 + SDMA4_VERSION) == 0x402,
	   "4.2: where its second instance lies");
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct ring r = ring_at(f, 1, rows[i].queue, rows[i].vmid, 4096);

		PUT(&r, TRAP(i));
		kick(&r);
		good += last_iv(f, 9, 224, rows[i].ring, rows[i].vmid, i);
	}
	ok(good == ARRAY_SIZE(rows), "4.2: traps name client 9, ring and VMID of each queue");
	fake_destroy(f);
}

static void test_4_2_fault(void)
{
	struct fake *f = start_chip("vega20");
	struct ring bad = ring_at(f, 0, VGPU_SDMA_RLC7, 8, 4096);

	PUT(&bad, COPY(bad.view + DATA, 0x500000000123ULL, 100));
	kick(&bad);
	ok(fake_reg_read(f, MMHUB1_VM_L2_PROTECTION_FAULT_STATUS) == 0x00841e58,
	   "4.2: hub client 15 stores for SDMA0");
	fake_reg_write(f, MMHUB1_VM_L2_PROTECTION_FAULT_CNTL, 1);
	bad = ring_at(f, 0, VGPU_SDMA_RLC6, 8, 4096);
	PUT(&bad, COPY(0x500000000123ULL, bad.view + DATA, 100));
	kick(&bad);
	ok(FIELD_GET(MMHUB1_VM_L2_PROTECTION_FAULT_STATUS__CID,
		     fake_reg_read(f, MMHUB1_VM_L2_PROTECTION_FAULT_STATUS)) == 15,
	   "4.2: and loads");
	fake_destroy(f);
}

/* All eight have the same share, whoever began. */
static void test_4_2_turns(void)
{
	struct fake *f = start_chip("vega20");
	struct ring r[8];
	u64 least, most;
	bool fair = true;
	unsigned int i, n;

	for (n = 0; n < 8; n++) {
		r[n] = ring_at(f, 0, VGPU_SDMA_RLC0 + n, 8, 4096);
		for (i = 0; i < 50; i++)
			PUT(&r[n], FENCE(r[n].view + DATA, i));
		ring_bell(&r[n]);
	}
	for (i = 0; i < 400; i++) {
		step(f, 0);
		least = ~0ULL;
		most = 0;
		for (n = 0; n < 8; n++) {
			least = min(least, info(&r[n]).packets);
			most = max(most, info(&r[n]).packets);
		}
		fair &= most - least <= 1;
	}
	ok(fair && least == 50, "4.2: eight RLC queues take turns");
	fake_destroy(f);
}

static void test_queue_numbers(void)
{
	struct vgpu_sdma_queue_info q;
	struct fake *f = start();
	struct fake *g = start_chip("vega20");

	ok(vgpu_sdma_queue_info(f->sdma[0], VGPU_SDMA_RLC2, &q) == -EINVAL &&
	   vgpu_sdma_control(f->sdma[0], VGPU_SDMA_RLC2, VGPU_SDMA_HALT, 0) == -EINVAL &&
	   fake_reg_read(f, 0x5180 + 0x800) == ~0u, "4.0 has no third RLC queue");
	ok(!vgpu_sdma_queue_info(g->sdma[0], VGPU_SDMA_RLC7, &q) && !strcmp(q.name, "rlc7") &&
	   vgpu_sdma_queue_info(g->sdma[0], VGPU_SDMA_RLC7 + 1, &q) == -EINVAL &&
	   fake_reg_read(g, 0x4980 + 0x1100) == ~0u, "4.2 has eight, no more");
	fake_destroy(f);
	fake_destroy(g);
}

int main(void)
{
	test_reset();
	test_fence_trap();
	test_trap_rings();
	test_rptr();
	test_mmio_wptr();
	test_doorbells();
	test_older_values();
	test_unload_sequence();
	test_half_packet();
	test_half_garbage();
	test_wrap();
	test_full();
	test_bad_pointers();
	test_privilege();
	test_hdp_flush();
	test_ib_off();
	test_fault();
	test_exception_before_interrupt();
	test_ring_fault();
	test_no_memory();
	test_memory_later();
	test_kernel_queue_does_not_wait();
	test_page_first();
	test_rlc_turns();
	test_poll_yields();
	test_hold();
	test_halt_freeze();
	test_boundary();
	test_4_2_rings();
	test_4_2_fault();
	test_4_2_turns();
	test_queue_numbers();
	return pure_done();
}
