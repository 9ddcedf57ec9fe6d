// SPDX-License-Identifier: GPL-2.0-only
/* pure: kernel/vgpu/vgpu_mmu.c kernel/vgpu/vgpu_tlb.c kernel/vgpu/vgpu_gmc.c */
/* pure: kernel/vgpu/vgpu_sdma.c kernel/vgpu/vgpu_sdma_regs.c kernel/vgpu/vgpu_sdma_queue.c */
/* pure: kernel/vgpu/vgpu_failure.c */
/* pure: kernel/vgpu/vgpu_sdma_exec.c kernel/vgpu/vgpu_sdma_packet.c kernel/vgpu/vgpu_sdma_copy.c */
/* pure: kernel/vgpu/vgpu_profile.c */
/* pure: kernel/vgpu/vgpu_sdma_broadcast.c kernel/vgpu/vgpu_sdma_condition.c */
/* pure: kernel/vgpu/vgpu_sdma_semaphore.c kernel/vgpu/vgpu_sdma_time.c */
/**
 * DOC: what each packet does to memory, registers and interrupts
 */
#include "vgpu_ring.h"

static bool copy_case(struct ring *r, u64 src, u64 dst, u32 n)
{
	struct fake *f = r->f;
	u8 *s = f->sys + DATA + src, *d = f->vram + dst;

	memset(d - 64, 0x5a, n + 128);
	PUT(r, COPY(r->view + DATA + src, VRAM_VA + dst, n));
	kick(r);
	return !memcmp(s, d, n) && d[-1] == 0x5a && d[n] == 0x5a && state_is(r, "idle");
}

static void test_copy(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);
	unsigned int s, d, bad = 0;
	static const u32 sizes[] = { 1, 2, 3, 4, 7, 8, 63, 64, 4095, 4096, 4097, 65535, 65536,
				     65537, 1000003, 4 * MIB };

	scribble(f->sys + DATA, 6 * MIB, 1);
	for (s = 0; s < ARRAY_SIZE(sizes); s++)
		bad += !copy_case(&r, 0, MIB, sizes[s]) + !copy_case(&r, 4095, MIB + 1, sizes[s]);
	for (s = 0; s < 8; s++)
		for (d = 0; d < 8; d++)
			bad += !copy_case(&r, 4090 + s, MIB + 8185 + d, 9000);
	ok(!bad, "linear copies of 1 byte to 4 MiB, all alignments, across pages");
	fake_destroy(f);
}

/* Neighbours in the address space that are none in memory. */
static void scatter(struct fake *f)
{
	static const u64 page[] = { 0x9000, 0x3000, 0x7000, 0x5000 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(page); i++) {
		fake_map(f, 8, 0x1000000 + i * 4096, page[i], PTE_RW);
		fake_map(f, 8, 0x2000000 + i * 4096, FAKE_SYS_BASE + DATA + page[i],
			 PTE_RW | PTE_SYSTEM);
	}
	scribble(f->sys + DATA, 0x10000, 4);
}

static u8 *scattered(struct fake *f, u64 va)
{
	static const u64 page[] = { 0x9000, 0x3000, 0x7000, 0x5000 };
	u8 *memory = va < 0x2000000 ? f->vram : f->sys + DATA;

	return memory + page[va >> 12 & 3] + (va & 4095);
}

static bool same_scattered(struct fake *f, u64 dst, u64 src, unsigned int n)
{
	unsigned int i, bad = 0;

	for (i = 0; i < n; i++)
		bad += *scattered(f, dst + i) != *scattered(f, src + i);
	return !bad && !*scattered(f, dst - 1) && !*scattered(f, dst + n);
}

static void test_scattered(void)
{
	static const u32 rect[] = { 0x00000401, 0x2000e00, 0, 0, 3599 << 13, 0, 0x1000404, 0, 0,
				    3599 << 13, 0, 2 << 16 | 3599, 0 };
	struct fake *f = start();
	struct ring r = user_ring(f);
	unsigned int i, bad = 0;

	scatter(f);
	PUT(&r, COPY(0x2000e01, 0x1000123, 10000));
	kick(&r);
	ok(same_scattered(f, 0x1000123, 0x2000e01, 10000),
	   "a copy over pages that are scattered in memory");
	memset(f->vram, 0, 0x10000);
	put(&r, rect, ARRAY_SIZE(rect));
	kick(&r);
	ok(same_scattered(f, 0x1000404, 0x2000e00, 10800), "a rectangle copy over such pages");
	memset(f->vram, 0, 0x10000);
	PUT(&r, 0x0000000b, 0x1000ffd, 0, 0x04030201, 8999);
	kick(&r);
	for (i = 0; i < 9000; i++)
		bad += *scattered(f, 0x1000ffd + i) != i % 4 + 1;
	ok(!bad && !*scattered(f, 0x1000ffc), "a fill over such pages");
	memset(f->vram, 0, 0x10000);
	PUT(&r, 0x0000000c, 0x1000ff8, 0, 1, 0, 0x1000, 0, 0x1000, 0, 999);
	kick(&r);
	for (i = 0; i < 1000; i++)
		bad += *(u64 *)scattered(f, 0x1000ff8 + i * 8) != (i + 1) * 0x1000 + 1;
	ok(!bad, "page-table entries over such pages");
	fake_destroy(f);
}

/* A ring and payload of two pages that are not neighbours, in an indirect buffer too. */
static void test_scattered_ring(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);
	u32 i, bad = 0;

	scatter(f);
	unload(&r);
	r.base = 0x2001000;
	r.size = 8192;
	load(&r, 0, 0);
	for (i = 0; i < 2048; i++)
		*(u32 *)scattered(f, 0x2001000 + i * 4) = 0;
	for (i = 0; i < 4; i++)
		*(u32 *)scattered(f, 0x2001ff8 + i * 4) = ((u32[]){ 2, 0x1000ffc, 0, 9 })[i];
	for (i = 0; i < 10; i++)
		*(u32 *)scattered(f, 0x2002008 + i * 4) = i + 100;
	r.wptr = 0x1030;
	kick(&r);
	for (i = 0; i < 10; i++)
		bad += *(u32 *)scattered(f, 0x1000ffc + i * 4) != i + 100;
	ok(!bad && state_is(&r, "idle"), "a packet that crosses pages of a scattered ring");
	fake_destroy(f);
}

static void test_copy_steps(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);

	PUT(&r, COPY(r.view + DATA, VRAM_VA, MIB));
	ok(kick(&r) == MIB / VGPU_SDMA_CHUNK && info(&r).copied == MIB && info(&r).packets == 1,
	   "a copy of 1 MiB takes 8 steps of one chunk");
	fake_destroy(f);
}

static void rect_row(u8 *dst, const u8 *src, unsigned int y, unsigned int z, unsigned int shift)
{
	dst += ((z + 7) * 6000 + (y + 6) * 110 + 5) << shift;
	src += ((z + 4) * 5000 + (y + 3) * 100 + 2) << shift;
	memcpy(dst, src, 16 << shift);
}

/* Compares all of the destination's surroundings. */
static void test_rect(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);
	u8 *want = malloc(2 * MIB);
	unsigned int shift, y, z, bad = 0;

	for (shift = 0; shift <= 4; shift++) {
		scribble(f->sys + DATA, 2 * MIB, shift + 1);
		memset(f->vram, 0, 2 * MIB);
		memset(want, 0, 2 * MIB);
		for (z = 0; z < 3; z++)
			for (y = 0; y < 20; y++)
				rect_row(want + 0x100, f->sys + DATA + 0x40, y, z, shift);
		PUT(&r, 0x00000401 | shift << 29, LO(r.view + DATA + 0x40), HI(r.view + DATA),
		    3 << 16 | 2, 99 << 13 | 4, 4999, LO(VRAM_VA + 0x100), HI(VRAM_VA),
		    6 << 16 | 5, 109 << 13 | 7, 5999, 19 << 16 | 15, 2);
		kick(&r);
		bad += !!memcmp(want, f->vram, 2 * MIB);
	}
	ok(!bad && info(&r).copied == 3 * 20 * 16 * 31,
	   "rectangle copies of 1- to 16-byte elements");
	free(want);
	fake_destroy(f);
}

/* Small rows: many pieces a chunk, still bounded. */
static void test_rect_steps(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);
	unsigned int steps;

	PUT(&r, 0x00000401, LO(r.view + DATA), HI(r.view + DATA), 0, 99 << 13, 0,
	    LO(VRAM_VA), HI(VRAM_VA), 0, 99 << 13, 0, 9999 << 16, 0);
	steps = kick(&r);
	ok(steps == 40 && info(&r).copied == 10000, "10,000 rows of one byte take 40 steps");
	fake_destroy(f);
}

static void test_write(void)
{
	struct fake *f = start();
	struct ring r = gfx_ring(f);
	unsigned int i, bad = 0;

	PUT(&r, 0x00000002, LO(VRAM_MC + 0x2ff8), HI(VRAM_MC), 511);
	for (i = 0; i < 512; i++)
		PUT(&r, i * 3);
	kick(&r);
	for (i = 0; i < 512; i++)
		bad += ((u32 *)(f->vram + 0x2ff8))[i] != i * 3;
	ok(!bad && info(&r).written == 2048, "WRITE of 512 dwords across a page, MC address");
	fake_destroy(f);
}

static void test_fill(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);
	unsigned int i, bad = 0;
	u8 *d = f->vram + 4093;

	PUT(&r, 0x8000000b, LO(VRAM_VA + 8), HI(VRAM_VA), 0xabcdabcd, 0x3c);
	kick(&r);
	for (i = 0; i < 16; i++)
		bad += ((u32 *)(f->vram + 8))[i] != 0xabcdabcd;
	ok(!bad && !((u32 *)(f->vram + 8))[16] && info(&r).filled == 64,
	   "CONST_FILL as ROCr writes it");
	PUT(&r, 0x0000000b, LO(VRAM_VA + 4093), HI(VRAM_VA), 0x44332211, 199998);
	kick(&r);
	for (i = 0; i < 199999; i++)
		bad += d[i] != (u8)(0x44332211 >> (i % 4 * 8));
	ok(!bad && !d[-1] && !d[199999],
	   "CONST_FILL of 199,999 bytes from an odd address, pattern in phase");
	fake_destroy(f);
}

static void test_ptepde(void)
{
	struct fake *f = start();
	struct ring r = ring_at(f, 0, VGPU_SDMA_PAGE, 0, 4096);
	unsigned int i, bad = 0;
	u64 *pte = (u64 *)(f->vram + 0x5ff0);

	PUT(&r, 0x0000000c, LO(VRAM_MC + 0x5ff0), HI(VRAM_MC), 0x73, 0x06000000, 0xfffff000, 0x12,
	    0x1000, 0, 9999);
	i = kick(&r);
	ok(i == 2, "PTEPDE generate of 10,000 entries takes two steps");
	for (i = 0; i < 10000; i++)
		bad += pte[i] != (0x06000012fffff073ULL + i * 0x1000ULL);
	ok(!bad && !pte[10000] && info(&r).written == 80000, "entries rise over 32 bits");
	fake_destroy(f);
}

static void test_timestamp(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);

	f->clock = 0x123456789abcdef0ULL;
	PUT(&r, 0x0000020d, LO(r.view + DATA), HI(r.view + DATA));
	kick(&r);
	ok(*(u64 *)(f->sys + DATA) == 0x123456789abcdef0ULL, "TIMESTAMP global");
	fake_destroy(f);
}

static u64 atomic(struct ring *r, u32 op, u64 old, u64 src, u64 cmp)
{
	u64 *cell = (u64 *)(r->f->sys + DATA + 8);

	*cell = old;
	PUT(r, 0x0000000a | op << 25, LO(r->view + DATA + 8), HI(r->view + DATA), LO(src), HI(src),
	    LO(cmp), HI(cmp), 0);
	kick(r);
	return *cell;
}

static void test_atomic(void)
{
	static const struct { u32 op; u64 old, src, cmp, want; } rows[] = {
		{ 0x2f, 5, ~0ULL, 0, 4 }, { 0x2f, 0, ~0ULL, 0, ~0ULL },
		{ 0x6f, 1, 2, 0, 3 }, { 0x0f, 0xaaaaaaaaffffffffULL, 1, 0, 0xaaaaaaaa00000000ULL },
		{ 0x27, 1, 9, 0, 9 }, { 0x28, 7, 9, 7, 9 }, { 0x28, 7, 9, 8, 7 },
		{ 0x08, 0xbbbbbbbb00000007ULL, 9, 7, 0xbbbbbbbb00000009ULL },
		{ 0x30, 5, 7, 0, -2ULL }, { 0x31, -1ULL, 3, 0, -1ULL }, { 0x32, -1ULL, 3, 0, 3 },
		{ 0x33, -1ULL, 3, 0, 3 }, { 0x34, -1ULL, 3, 0, -1ULL },
		{ 0x11, 0xffffffff, 3, 0, 0xffffffff }, { 0x12, 0xffffffff, 3, 0, 3 },
		{ 0x35, 12, 10, 0, 8 }, { 0x36, 12, 10, 0, 14 }, { 0x37, 12, 10, 0, 6 },
		{ 0x38, 4, 5, 0, 5 }, { 0x38, 5, 5, 0, 0 }, { 0x39, 0, 5, 0, 5 }, { 0x39, 4, 5, 0,
		   3 },
	};
	struct fake *f = start();
	struct ring r = user_ring(f);
	unsigned int i, good = 0;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		good += atomic(&r, rows[i].op, rows[i].old, rows[i].src,
		   rows[i].cmp) == rows[i].want;
	ok(good == i && info(&r).atomics == i, "%u atomics of 32 and 64 bits, by number", i);
	atomic(&r, 0x21, 0, 0, 0);
	ok(state_is(&r, "halted: unknown atomic"), "a floating-point one is refused");
	fake_destroy(f);
}

static void test_atomic_loop(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);
	u64 *cell = (u64 *)(f->sys + DATA);

	*cell = 1;
	PUT(&r, 0x5001000a, LO(r.view + DATA), HI(r.view + DATA), 7, 0, 5, 0, 0);
	kick(&r);
	ok(*cell == 1 && state_is(&r, "blocked"), "a compare-and-swap loop waits for its value");
	*cell = 5;
	run(f, 0);
	ok(*cell == 7 && state_is(&r, "idle"), "and swaps when it comes");
	fake_destroy(f);
}

static void test_poll(void)
{
	static const struct { u32 func, value, ref; bool holds; } rows[] = {
		{ 0, 1, 2, true }, { 1, 1, 2, true }, { 1, 2, 2, false }, { 2, 2, 2, true },
		{ 2, 3, 2, false }, { 3, 2, 2, true }, { 3, 3, 2, false }, { 4, 3, 2, true },
		{ 4, 2, 2, false }, { 5, 2, 2, true }, { 5, 1, 2, false }, { 6, 3, 2, true },
		{ 6, 2, 2, false },
	};
	struct fake *f = start();
	struct ring r = user_ring(f);
	unsigned int i, good = 0;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		*(u32 *)(f->sys + DATA) = 0xab000000 | rows[i].value;
		PUT(&r, 0x80000008 | rows[i].func << 28, LO(r.view + DATA), HI(r.view + DATA),
		    rows[i].ref, 0x00ffffff, 0x0fff0004);
		kick(&r);
		good += state_is(&r, rows[i].holds ? "idle" : "blocked");
		*(u32 *)(f->sys + DATA) = 2 + (rows[i].func == 6) - (rows[i].func == 1) +
					  (rows[i].func == 4);
		run(f, 0);
		good += state_is(&r, "idle");
	}
	ok(good == 2 * i, "memory polls with all functions, masked, blocked and let go");
	fake_destroy(f);
}

static void test_poll_retry(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);
	unsigned int looks = 0;

	f->clock_step = 4;
	PUT(&r, 0xb0000008, LO(r.view + DATA), HI(r.view + DATA), 1, ~0u, 10 << 16 | 8);
	ring_bell(&r);
	while (step(f, 0) == VGPU_STEP_BLOCKED && looks < 1000)
		looks++;
	ok(state_is(&r, "halted: poll timed out") && looks == 20 &&
	   last_iv(f, 8, 246, 1, 8, 0xb0000008),
	   "a poll with 10 retries ends after 11 intervals with source 246 (%u looks)", looks);
	fake_destroy(f);
}

static void test_poll_forever(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);
	unsigned int i, blocked = 0;

	f->clock_step = 1000000;
	PUT(&r, POLL(r.view + DATA, 1), FENCE(r.view + DATA + 8, 1));
	ring_bell(&r);
	for (i = 0; i < 100000; i++)
		blocked += step(f, 0) == VGPU_STEP_BLOCKED;
	*(u32 *)(f->sys + DATA) = 1;
	run(f, 0);
	ok(blocked == 100000 && word(f, DATA + 8) == 1, "a poll without bound waits for ever");
	fake_destroy(f);
}

static void test_registers(void)
{
	struct fake *f = start();
	struct ring r = gfx_ring(f);
	const u32 reg = MMHUB1_VM_L2_PROTECTION_FAULT_DEFAULT_ADDR_LO32;

	PUT(&r, WREG(reg, 0x11223344), 0x5000000e, reg / 4, 0xaabbccdd);
	kick(&r);
	ok(fake_reg_read(f, reg) == 0x11bb33dd, "SRBM_WRITE, whole and by bytes");
	/* Request and acknowledge of a flush, as a driver emits it. */
	PUT(&r, WREG(MMHUB1_VM_INVALIDATE_ENG0_REQ + 4 * 4, 0x007c0100),
	    0x30000008, MMHUB1_VM_INVALIDATE_ENG0_ACK + 4 * 4, 0, 0x100, 0x100, 0x0fff000a,
	    FENCE(r.view + DATA, 1));
	kick(&r);
	ok(word(f, DATA) == 1, "a TLB flush from the ring, its ACK polled there");
	f->hdp_done_after = 3;
	PUT(&r, 0x34000008, FAKE_HDP_DONE, FAKE_HDP_REQ, 4, 4, 0x0fff000a, FENCE(r.view + DATA, 2));
	kick(&r);
	ok(f->hdp_req == 4 && word(f, DATA) == 1, "POLL_REGMEM with HDP writes the request");
	run(f, 0);
	run(f, 0);
	ok(word(f, DATA) == 2 && f->hdp_requests == 1, "once, and waits for it to be done");
	fake_destroy(f);
}

static void test_indirect(void)
{
	struct fake *f = start();
	struct ring r = gfx_ring(f);
	const u32 ib[] = { FENCE(USER + DATA, 1), COPY(USER + DATA, VRAM_VA, 4), TRAP(7) };

	memcpy(f->sys + DATA + 0x100, ib, sizeof(ib));
	PUT(&r, 0, 0, INDIRECT(8, USER + DATA + 0x100, ARRAY_SIZE(ib)));
	PUT(&r, FENCE(r.view + DATA + 8, 2));
	ok(kick(&r) == 7 && word(f, DATA) == 1 && *(u32 *)f->vram == 1 && word(f, DATA + 8) == 2,
	   "an indirect buffer runs in its VMID, then the ring goes on");
	ok(f->irqs == 1 && f->iv[0].vmid == 8 && info(&r).packets == 7, "with a trap of that VMID");
	PUT(&r, 0, 0, 0, 0, 0, 0, INDIRECT(8, USER + DATA + 0x100, 0));
	kick(&r);
	ok(state_is(&r, "idle"), "an empty indirect buffer");
	PUT(&r, INDIRECT(8, USER + DATA + 0x100, 8));
	kick(&r);
	ok(state_is(&r, "halted: indirect packet not at the end of 8 dwords"),
	   "not at the end of 8 dwords");
	fake_destroy(f);
}

/* The last store of a buffer and the RPTR that follows, at one address of two VMIDs. */
static void test_indirect_vmid(void)
{
	struct fake *f = start();
	struct ring r = gfx_ring(f);
	const u32 ib[] = { FENCE(FAKE_GART + RPTR + 0x800, 7) };

	fake_map(f, 8, FAKE_GART + RPTR, 0x5000, PTE_RW);
	memcpy(f->sys + DATA + 0x100, ib, sizeof(ib));
	PUT(&r, 0, 0, INDIRECT(8, USER + DATA + 0x100, ARRAY_SIZE(ib)));
	kick(&r);
	ok(*(u32 *)(f->vram + 0x5800) == 7 && rptr_cell(&r) == 32 && !*(u64 *)(f->vram + 0x5000),
	   "each is stored in its own address space");
	fake_destroy(f);
}

/* Buffers that end inside of a packet, nest, or reach for registers. */
static void test_bad_indirect(void)
{
	static const struct { u32 words[6]; const char *why; u8 source; } rows[] = {
		{ { FENCE(USER + DATA, 1), 5, 0 }, "packet beyond the end of its buffer", 241 },
		{ { INDIRECT(8, USER + DATA, 8) }, "indirect buffer inside of another", 241 },
		{ { 0, 0, 0, WREG(0x100, 0) }, "register write without privilege", 247 },
		{ { 0x30000008, 0x100, 0, 0, 0, 0 }, "register poll without privilege", 241 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct fake *f = start();
		struct ring r = gfx_ring(f);
		char state[64];

		memcpy(f->sys + DATA + 0x100, rows[i].words, 24);
		PUT(&r, 0, 0, INDIRECT(8, USER + DATA + 0x100, 6));
		kick(&r);
		snprintf(state, sizeof(state), "halted: %s", rows[i].why);
		ok(state_is(&r, state) && f->iv[0].source == rows[i].source && info(&r).rptr == 8,
		   "in an indirect buffer of a user VMID: %s", rows[i].why);
		fake_destroy(f);
	}
}

int main(void)
{
	test_copy();
	test_scattered();
	test_scattered_ring();
	test_copy_steps();
	test_rect();
	test_rect_steps();
	test_write();
	test_fill();
	test_ptepde();
	test_timestamp();
	test_atomic();
	test_atomic_loop();
	test_poll();
	test_poll_retry();
	test_poll_forever();
	test_registers();
	test_indirect();
	test_indirect_vmid();
	test_bad_indirect();
	return pure_done();
}
