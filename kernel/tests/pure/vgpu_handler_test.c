// SPDX-License-Identifier: GPL-2.0-only
/* pure: kernel/vgpu/vgpu_profile.c */
/* pure: kernel/vgpu/vgpu_mmu.c kernel/vgpu/vgpu_tlb.c kernel/vgpu/vgpu_gmc.c */
/* pure: kernel/vgpu/vgpu_sdma.c kernel/vgpu/vgpu_sdma_regs.c kernel/vgpu/vgpu_sdma_queue.c */
/* pure: kernel/vgpu/vgpu_failure.c */
/* pure: kernel/vgpu/vgpu_sdma_exec.c kernel/vgpu/vgpu_sdma_packet.c kernel/vgpu/vgpu_sdma_copy.c */
/* pure: kernel/vgpu/vgpu_sdma_broadcast.c kernel/vgpu/vgpu_sdma_condition.c */
/* pure: kernel/vgpu/vgpu_sdma_semaphore.c kernel/vgpu/vgpu_sdma_time.c */
/**
 * DOC: what the rarer packets do
 *
 * Broadcast copies, semaphores, conditional execution and the instance's own time: what
 * they store, that they take bounded steps, wait and go on, and what they refuse.  Proves
 * S0.105, B010 and B067.
 */
#include "vgpu_ring.h"

#define BROADCAST(src, a, b, n)	0x08000001, (n) - 1, 0, ADDR(src), ADDR(a), ADDR(b)
#define SEM_WAIT(a)		0x00000007, ADDR(a)
#define SEM_SIGNAL(a)		0x40000007, ADDR(a)
#define SEM_ONE(a)		0x60000007, ADDR(a)
#define MEM_INCR(a)		0x00000107, ADDR(a)
#define COND(a, n)		0x00000009, ADDR(a), 1, (n)
#define TIME_SET(v)		0x0000000d, ADDR(v)
#define TIME_LOCAL(a)		0x0000010d, ADDR(a)
#define TIME_GLOBAL(a)		0x0000020d, ADDR(a)

static u64 *cell(struct fake *f, u64 offset)
{
	return (u64 *)(f->sys + DATA + offset);
}

static bool broadcast_case(struct ring *r, u64 src, u64 a, u64 b, u32 n)
{
	struct fake *f = r->f;
	u8 *s = f->sys + DATA + src, *d1 = f->vram + a, *d2 = f->sys + DATA + b;

	memset(d1 - 16, 0x5a, n + 32);
	memset(d2 - 16, 0x5a, n + 32);
	PUT(r, BROADCAST(r->view + DATA + src, VRAM_VA + a, r->view + DATA + b, n));
	kick(r);
	return !memcmp(s, d1, n) && !memcmp(s, d2, n) && d1[-1] == 0x5a && d1[n] == 0x5a &&
	       d2[-1] == 0x5a && d2[n] == 0x5a && state_is(r, "idle");
}

static void test_broadcast(void)
{
	static const u32 sizes[] = { 1, 3, 4, 4095, 4097, 65535, 65536, 65537, 200001 };
	struct fake *f = start();
	struct ring r = user_ring(f);
	unsigned int i, bad = 0;

	scribble(f->sys + DATA, MIB, 1);
	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		bad += !broadcast_case(&r, 5 * i, MIB + 3 * i, 2 * MIB + 4090 + i, sizes[i]);
	ok(!bad, "broadcast copies of 1 byte to 200,001, of any alignment");
	PUT(&r, BROADCAST(r.view + DATA, VRAM_VA + MIB, VRAM_VA + 2 * MIB, MIB));
	ok(kick(&r) == 16, "1 MiB takes 16 steps: both copies together are a chunk each");
	PUT(&r, BROADCAST(r.view + DATA, VRAM_VA, 0x5000, 8192));
	*(u64 *)f->vram = 0;
	kick(&r);
	ok(state_is(&r, "halted: VM fault") && *(u64 *)f->vram == *cell(f, 0),
	   "a destination that is not mapped is a fault, after the first was written");
	fake_destroy(f);
}

static void test_semaphore(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f), s = ring_at(f, 0, VGPU_SDMA_RLC1, 9, 4096);
	u64 sem = r.view + DATA;

	*cell(f, 0) = 0xffffffff;
	PUT(&r, SEM_SIGNAL(sem), SEM_WAIT(sem), SEM_WAIT(sem), FENCE(sem + 64, 1));
	kick(&r);
	ok(*cell(f, 0) == 0xfffffffe && word(f, DATA + 64) == 1, "SEM counts in 64 bits");
	*cell(f, 0) = 0;
	PUT(&r, SEM_WAIT(sem), FENCE(sem + 64, 2));
	kick(&r);
	ok(!*cell(f, 0) && word(f, DATA + 64) == 1 && state_is(&r, "blocked"),
	   "a wait for nothing blocks its queue");
	PUT(&s, COPY(s.view + DATA + 128, VRAM_VA, 64), SEM_SIGNAL(sem));
	kick(&s);
	run(f, 0);
	ok(!*cell(f, 0) && word(f, DATA + 64) == 2 && state_is(&r, "idle") && state_is(&s, "idle"),
	   "and not its neighbour, whose signal lets it go on");
	*cell(f, 0) = 77;
	PUT(&r, SEM_ONE(sem));
	kick(&r);
	ok(*cell(f, 0) == 1, "a signal that stores 1");
	*cell(f, 0) = ~0ULL;
	PUT(&r, MEM_INCR(sem), MEM_INCR(sem));
	kick(&r);
	ok(*cell(f, 0) == 1 && info(&r).atomics == 7, "MEM_INCR wraps at 64 bits");
	*cell(f, 0) = 0;
	PUT(&r, SEM_WAIT(sem));
	kick(&r);
	unload(&r);
	ok(idle(&r), "a queue that waits for ever can be unloaded");
	PUT(&s, SEM_SIGNAL(0x5000));
	kick(&s);
	ok(state_is(&s, "halted: VM fault"), "a semaphore that is not mapped is a fault");
	fake_destroy(f);
}

/* Guards of no dword, of whole packets, of the middle of one, and across the ring's end. */
static void test_condition(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);
	u64 cond = r.view + DATA, out = r.view + DATA + 64;
	unsigned int i, bad = 0;

	for (i = 0; i < 300; i++) {
		*(u32 *)cell(f, 0) = i % 3 ? 1u << i % 32 : 0;
		PUT(&r, COND(cond, 4), FENCE(out, i), COND(cond, 0), FENCE(out + 4, i));
		kick(&r);
		bad += word(f, DATA + 64) != i - (i % 3 ? 0 : 1) && i;
		bad += word(f, DATA + 68) != i || !state_is(&r, "idle");
	}
	ok(!bad && r.wptr > 2 * r.size, "COND_EXE: 0 passes over, anything else does not");
	*(u32 *)cell(f, 0) = 0;
	PUT(&r, COND(cond, 3), 0xffffffff, 0xffffffff, 0xffffffff, FENCE(out, 1000));
	kick(&r);
	ok(word(f, DATA + 64) == 1000, "what is passed over is not looked at");
	PUT(&r, COND(cond, 4), 5);
	kick(&r);
	ok(info(&r).rptr == r.wptr - 24, "the guarded dwords must have been rung");
	PUT(&r, ADDR(out), 1001, FENCE(out + 4, 1001));
	kick(&r);
	ok(word(f, DATA + 64) == 1000 && word(f, DATA + 68) == 1001 && info(&r).rptr == r.wptr,
	   "and then it goes on");
	PUT(&r, COND(0x5000, 1), 0);
	kick(&r);
	ok(state_is(&r, "halted: VM fault"), "a condition that is not mapped is a fault");
	fake_destroy(f);
}

static void test_condition_bounds(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);
	const u32 good[] = { COND(USER + DATA, 5), FENCE(USER + DATA + 64, 1), 0 };
	const u32 bad[] = { COND(USER + DATA, 6), FENCE(USER + DATA + 64, 1), 0 };

	memcpy(f->sys + DATA + 0x100, good, sizeof(good));
	memcpy(f->sys + DATA + 0x200, bad, sizeof(bad));
	PUT(&r, 0, 0, INDIRECT(8, USER + DATA + 0x100, ARRAY_SIZE(good)));
	kick(&r);
	ok(!word(f, DATA + 64) && info(&r).rptr == r.wptr && state_is(&r, "idle"),
	   "a guard up to the end of an indirect buffer");
	PUT(&r, 0, 0, INDIRECT(8, USER + DATA + 0x200, ARRAY_SIZE(bad)));
	kick(&r);
	ok(state_is(&r, "halted: packet beyond the end of its buffer") && f->iv[0].source == 241,
	   "and beyond it, which is refused (B010)");
	unload(&r);
	load(&r, 0, 0);
	r.wptr = 0;
	PUT(&r, COND(USER + DATA, 1020));
	kick(&r);
	ok(state_is(&r, "halted: packet longer than the ring"),
	   "or more than the ring holds (B010)");
	fake_destroy(f);
}

static void test_time(void)
{
	struct fake *f = start();
	struct ring k = gfx_ring(f), r = user_ring(f);
	struct ring other = ring_at(f, 1, VGPU_SDMA_GFX, 0, 4096);
	u64 set = 0x123456789abcdef1ULL;

	f->clock = 1000;
	PUT(&k, TIME_LOCAL(k.view + DATA), TIME_SET(set));
	kick(&k);
	f->clock = 1005;
	PUT(&r, TIME_LOCAL(r.view + DATA + 8), TIME_GLOBAL(r.view + DATA + 16));
	kick(&r);
	PUT(&other, TIME_LOCAL(other.view + DATA + 24));
	kick(&other);
	ok(*cell(f, 0) == 1000 && *cell(f, 8) == set + 5 && *cell(f, 16) == 1005,
	   "a time that is set counts on from there; the global one is left alone");
	ok(*cell(f, 24) == 1005, "each instance has its own");
	PUT(&r, TIME_SET(0));
	kick(&r);
	ok(state_is(&r, "halted: time set without privilege") && last_iv(f, 8, 241, 1, 8, 13),
	   "a user queue may not set it: all queues of the instance see it");
	PUT(&k, TIME_LOCAL(k.view + DATA));
	kick(&k);
	ok(*cell(f, 0) == set + 5, "nor did it");
	fake_destroy(f);
}

/* What the model knows and does not run halts a queue as any bad packet does. */
static void test_refused(void)
{
	static const u32 headers[] = { 0x101, 0x301, 0x501, 0x601, 0x701, 0x801, 0x102, 0x108,
				       0x208, 0x308, 0x10b, 0x10c, 0x20c, 0x30c, 0x0f, 0x10 };
	struct fake *f = start();
	unsigned int i, q, right = 0;

	for (q = 0; q < 2; q++)
		for (i = 0; i < ARRAY_SIZE(headers); i++) {
			struct ring r = q ? gfx_ring(f) : user_ring(f);

			f->doorbell[r.doorbell / 8] = 0;
			PUT(&r, headers[i]);
			kick(&r);
			right += state_is(&r, "halted: ") && !info(&r).rptr &&
				 last_iv(f, 8, 241, !q, q ? 0 : 8, headers[i]);
			unload(&r);
		}
	ok(right == 2 * i, "%u packets that the model does not run: illegal instruction", i);
	fake_destroy(f);
}

int main(void)
{
	test_broadcast();
	test_semaphore();
	test_condition();
	test_condition_bounds();
	test_time();
	test_refused();
	return pure_done();
}
