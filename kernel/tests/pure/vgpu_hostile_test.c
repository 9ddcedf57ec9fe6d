// SPDX-License-Identifier: GPL-2.0-only
/* pure: kernel/vgpu/vgpu_mmu.c kernel/vgpu/vgpu_tlb.c kernel/vgpu/vgpu_gmc.c */
/* pure: kernel/vgpu/vgpu_sdma.c kernel/vgpu/vgpu_sdma_regs.c kernel/vgpu/vgpu_sdma_queue.c */
/* pure: kernel/vgpu/vgpu_failure.c */
/* pure: kernel/vgpu/vgpu_sdma_exec.c kernel/vgpu/vgpu_sdma_packet.c kernel/vgpu/vgpu_sdma_copy.c */
/* pure: kernel/vgpu/vgpu_profile.c */
/* pure: kernel/vgpu/vgpu_sdma_broadcast.c kernel/vgpu/vgpu_sdma_condition.c */
/* pure: kernel/vgpu/vgpu_sdma_semaphore.c kernel/vgpu/vgpu_sdma_time.c */
/**
 * DOC: rings full of noise, beside a neighbour that must not notice
 *
 * Half of the dwords are shaped a little, so that packets are met that go on for a
 * while: B010, B067.
 */
#include "vgpu_ring.h"

/* Noise seldom makes a condition that is legal, and so what one guards. */
static void put_guard(struct ring *bad, u64 at, u64 random)
{
	const u32 words[] = { 9, LO(USER + DATA) | (random & 0xffc), HI(USER), 1,
			      random >> 20 & 0x3fff & (random >> 40) };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		bad->cpu[(at / 4 + i) % (bad->size / 4)] = words[i];
}

static void hostile_round(struct ring *bad, u64 *seed, unsigned int *halts, unsigned int *beyond)
{
	static const u16 ops[] = { 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0x107, 0x10d };
	unsigned int i;
	u64 r;

	for (i = 0; i < bad->size / 4; i++) {
		r = fake_random(seed);
		bad->cpu[i] = r;
		if (r & (1ULL << 40))
			bad->cpu[i] = (u32)r & 0xfffff3ff & ~0xfcu;
		if (r & (1ULL << 41))
			bad->cpu[i] = ((u32)r & 0x7fff0000) | ops[(r >> 32) % ARRAY_SIZE(ops)];
		if (!(r >> 42 & 7))
			bad->cpu[i] = 0x7000;	/* high half of good addresses */
	}
	unload(bad);
	bad->f->doorbell[bad->doorbell / 8] = 0;
	/* Begin anywhere, so that what stands behind a bad packet is tried as well. */
	r = fake_random(seed) % bad->size & ~3ULL;
	if (*seed & 1)
		put_guard(bad, r, *seed);
	load(bad, r, r + bad->size);
	for (i = 0; i < 400; i++)
		if (step(bad->f, 0) != VGPU_STEP_BUSY)
			break;
	*halts += state_is(bad, "halted");
	*beyond += info(bad).rptr > r + bad->size;
}

static void test_hostile(void)
{
	struct fake *f = start();
	struct ring bad = user_ring(f), good = ring_at(f, 0, VGPU_SDMA_RLC1, 9, 4096);
	unsigned int round, i, wrong = 0, halts = 0, beyond = 0;
	u64 seed = 0xfeedface, offset, canary;

	/* The neighbour's memory is not in VMID 8. */
	for (offset = 0; offset < FAKE_SYS; offset += 4096) {
		bool own_ring = offset >= RING && offset < RING + 0x30000;

		if (!own_ring && (offset < DATA || offset >= DATA + MIB))
			fake_map(f, 8, USER + offset, 0, 0);
	}
	fake_map(f, 8, USER + RPTR, FAKE_SYS_BASE + RPTR, PTE_RW | PTE_SYSTEM);
	for (offset = 8 * MIB; offset < 16 * MIB; offset += 4096)
		fake_map(f, 8, VRAM_VA + offset, 0, 0);
	fake_flush(f, 0xffff);
	scribble(f->sys + 4 * MIB, MIB, 9);
	canary = 0;
	for (i = 0; i < MIB / 8; i++)
		canary ^= ((u64 *)(f->sys + 4 * MIB))[i];
	for (round = 0; round < 1100; round++) {
		PUT(&good, COPY(good.view + 4 * MIB, VRAM_VA + 8 * MIB, 70001),
		    FENCE(good.view + 6 * MIB, round + 1));
		ring_bell(&good);
		hostile_round(&bad, &seed, &halts, &beyond);
		for (i = 0; i < 20; i++)
			step(f, 0);
		wrong += memcmp(f->sys + 4 * MIB, f->vram + 8 * MIB, 70001) ||
			 word(f, 6 * MIB) != round + 1 || !state_is(&good, "idle");
	}
	for (i = 0; i < MIB / 8; i++)
		canary ^= ((u64 *)(f->sys + 4 * MIB))[i];
	ok(!wrong && !canary && halts > 500,
	   "B067: 1.1e6 random dwords as rings: the neighbour's copies stay right (%u halts)",
	   halts);
	ok(!beyond, "and its RPTR never passes what was rung (B010)");
	fake_destroy(f);
}

/* The same on a kernel ring, where registers and all of VRAM are within reach. */
static void test_hostile_kernel(void)
{
	struct fake *f = start();
	struct ring r = gfx_ring(f);
	unsigned int i, halts = 0, beyond = 0;
	u64 seed = 77;

	for (i = 0; i < 300; i++)
		hostile_round(&r, &seed, &halts, &beyond);
	ok(halts && !beyond,
	   "3e5 random dwords on the GFX ring do no harm to the model (%u halts)", halts);
	fake_destroy(f);
}

int main(void)
{
	test_hostile();
	test_hostile_kernel();
	return pure_done();
}
