// SPDX-License-Identifier: GPL-2.0-only
/* pure: kernel/vgpu/vgpu_mmu.c kernel/vgpu/vgpu_tlb.c kernel/vgpu/vgpu_gmc.c */
/* pure: kernel/vgpu/vgpu_sdma.c kernel/vgpu/vgpu_sdma_regs.c kernel/vgpu/vgpu_sdma_queue.c */
/* pure: kernel/vgpu/vgpu_failure.c */
/* pure: kernel/vgpu/vgpu_sdma_exec.c kernel/vgpu/vgpu_sdma_packet.c kernel/vgpu/vgpu_sdma_copy.c */
/* pure: kernel/vgpu/vgpu_profile.c */
/* pure: kernel/vgpu/vgpu_sdma_broadcast.c kernel/vgpu/vgpu_sdma_condition.c */
/* pure: kernel/vgpu/vgpu_sdma_semaphore.c kernel/vgpu/vgpu_sdma_time.c */
/**
 * DOC: queues that leave the engine and come back
 *
 * In the middle of what they do: nothing is lost, nothing is done twice, nothing of one
 * queue is taken for another's (S0.94, S0.97; B028).
 */
#include "vgpu_ring.h"

/* Unload in the middle */

static void test_reload_in_copy(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);
	u64 *signal = (u64 *)(f->sys + DATA - 64);
	u64 mail = r.view + DATA - 32;
	unsigned int i;
	u64 rptr, wptr;

	scribble(f->sys + DATA, 2 * MIB, 3);
	*signal = 1;
	PUT(&r, FLUSH_HDP, COPY(r.view + DATA, VRAM_VA + 1, 2 * MIB - 1));
	PUT(&r, 0x5e00000a, LO(r.view + DATA - 64), HI(r.view), ~0u, ~0u, 0, 0, 0);
	PUT(&r, FENCE(mail, 5), TRAP(5));
	ring_bell(&r);
	for (i = 0; i < 12; i++) {
		step(f, 0);
		step(f, 0);
		step(f, 0);
		/* A queue that is held finishes nothing. */
		vgpu_sdma_control(f->sdma[0], r.queue, VGPU_SDMA_HALT, 0);
		unload(&r);
		step(f, 0);
		ok(idle(&r) || i > 8, "round %u: off the queue after its chunk", i);
		rptr = info(&r).rptr;
		wptr = info(&r).wptr;
		/* Stopped at first, then left to finish. */
		load(&r, rptr, wptr);
		vgpu_sdma_control(f->sdma[0], r.queue, VGPU_SDMA_RESUME, 0);
		if (i == 8)
			run(f, 0);
	}
	ok(!memcmp(f->sys + DATA, f->vram + 1, 2 * MIB - 1),
	   "reloaded in mid copy nine times: the copy is whole");
	ok(*signal == 0 && f->irqs == 1 && info(&r).atomics == 1 && info(&r).traps == 1,
	   "signal decremented once, one trap");
	ok(info(&r).copied == 2 * MIB - 1, "bytes of a copy that was begun again count once");
	fake_destroy(f);
}

/* Time slices: a queue that is disabled in mid packet ends that, and begins no other. */
static void test_drain(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);
	u64 done;

	scribble(f->sys + DATA, MIB, 9);
	PUT(&r, COPY(r.view + DATA, VRAM_VA, MIB));
	done = r.wptr;
	PUT(&r, FENCE(r.view + DATA - 32, 1));
	ring_bell(&r);
	step(f, 0);
	step(f, 0);
	unload(&r);
	ok(!idle(&r) && info(&r).rptr == 0, "not off the queue in the middle of a copy");
	run(f, 0);
	ok(idle(&r) && info(&r).rptr == done && !word(f, DATA - 32) &&
	   !memcmp(f->sys + DATA, f->vram, MIB) && rptr_cell(&r) == done,
	   "off it after the copy, before the fence");
	load(&r, info(&r).rptr, info(&r).wptr);
	run(f, 0);
	ok(word(f, DATA - 32) == 1 && info(&r).rptr == r.wptr && info(&r).copied == MIB,
	   "loaded again it goes on with the fence");
	PUT(&r, FENCE(r.view + DATA - 32, 2));
	ring_bell(&r);
	unload(&r);
	run(f, 0);
	ok(idle(&r) && word(f, DATA - 32) == 1 && info(&r).wptr == r.wptr,
	   "with no packet in hand it begins none; WPTR has what was rung before");
	fake_destroy(f);
}

/* An atomic and a copy in an indirect buffer: a slice that ends in the copy repeats neither. */
static void test_drain_indirect(void)
{
	const u32 ib[] = {
		0x5e00000a, ADDR(USER + DATA - 64), ~0u, ~0u, 0, 0, 0,
		COPY(USER + DATA, VRAM_VA, MIB), 0,
	};
	struct fake *f = start();
	struct ring r = user_ring(f);
	u64 *count = (u64 *)(f->sys + DATA - 64);

	*count = 10;
	memcpy(f->sys + DATA - 256, ib, sizeof(ib));
	PUT(&r, 0, 0, INDIRECT(8, r.view + DATA - 256, ARRAY_SIZE(ib)));
	ring_bell(&r);
	while (step(f, 0) == VGPU_STEP_BUSY && *count == 10)
		;
	step(f, 0);
	unload(&r);
	ok(!idle(&r), "not off the queue in the middle of an indirect buffer");
	run(f, 0);
	load(&r, info(&r).rptr, info(&r).wptr);
	run(f, 0);
	ok(*count == 9 && idle(&r) && info(&r).rptr == r.wptr && info(&r).copied == MIB,
	   "its atomic was done once");
	fake_destroy(f);
}

/* What waits is not waited for, and what takes too long is not either. */
static void test_drain_bounds(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);
	unsigned int i;

	PUT(&r, POLL(r.view + DATA, 1));
	ring_bell(&r);
	step(f, 0);
	unload(&r);
	step(f, 0);
	ok(idle(&r) && info(&r).rptr == 0, "a poll that does not hold ends the wait at once");
	*(u32 *)(f->sys + DATA) = 1;
	load(&r, 0, r.wptr);
	run(f, 0);
	ok(info(&r).rptr == r.wptr, "and passes when it is loaded again");
	for (i = 0; i < 150; i++)
		memcpy(f->sys + DATA - 8192 + i * 16,
		       (u32[]){ FENCE(r.view + DATA - 32, i + 1) }, 16);
	while (r.wptr % 32 != 8)
		PUT(&r, 0);
	PUT(&r, INDIRECT(8, r.view + DATA - 8192, 150 * 4));
	ring_bell(&r);
	while (word(f, DATA - 32) < 2)
		step(f, 0);
	unload(&r);
	for (i = 0; i < 140 && !idle(&r); i++)
		step(f, 0);
	ok(idle(&r) && i > 100 && info(&r).rptr == r.wptr - 24 && word(f, DATA - 32) < 150,
	   "a buffer of very many packets is given up, and starts again");
	fake_destroy(f);
}

/* Another queue's packet at the place where one was left in the middle. */
static void test_progress_dropped(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);

	scribble(f->sys + DATA, MIB, 8);
	PUT(&r, COPY(r.view + DATA, VRAM_VA, MIB));
	ring_bell(&r);
	step(f, 0);
	step(f, 0);
	unload(&r);
	r.wptr = 0;
	PUT(&r, COPY(r.view + DATA, VRAM_VA + 2 * MIB, MIB));
	load(&r, 0, 0);
	run(f, 0);
	ok(!memcmp(f->sys + DATA, f->vram + 2 * MIB, MIB) && info(&r).copied == MIB,
	   "a load forgets how far another packet had come");
	fake_destroy(f);
}

static struct ring *hooked;
static bool idle_inside;

static void reload_hooked(struct fake *f)
{
	unload(hooked);
	idle_inside = idle(hooked);
	load(hooked, 64, 64);
}

/* The engine comes back to a queue that was set up anew under it. */
static void test_late_return(void)
{
	struct fake *f = start();
	struct ring r = gfx_ring(f);

	hooked = &r;
	f->hook = reload_hooked;
	PUT(&r, 0x04000008, FAKE_HDP_DONE, FAKE_HDP_REQ, 4, 4, 0x0fff000a);
	f->doorbell[r.doorbell / 8] = 24;
	step(f, 0);
	ok(!idle_inside && idle(&r), "a queue is not idle while the engine is on it");
	ok(info(&r).rptr == 64 && info(&r).packets == 0,
	   "what a step brings back too late is dropped");
	fake_destroy(f);
}

static void test_reload_between(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);
	u64 *cell = (u64 *)(f->sys + DATA);
	unsigned int i, traps;
	u64 rptr, wptr;

	for (i = 0; i < 50; i++)
		PUT(&r, 0x5e00000a, LO(r.view + DATA), HI(r.view), 1, 0, 0, 0, 0, TRAP(i));
	ring_bell(&r);
	for (i = 0; i < 200; i++) {
		step(f, 0);
		unload(&r);
		rptr = info(&r).rptr;
		wptr = info(&r).wptr;
		load(&r, rptr, wptr);
	}
	traps = f->irqs;
	ok(*cell == 50 && traps == 50 && info(&r).packets == 100,
	   "unloaded after every step: atomics and traps happen once each");
	fake_destroy(f);
}

static void test_activation_counters(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);

	PUT(&r, FENCE(r.view + DATA, 1));
	kick(&r);
	unload(&r);
	load(&r, 16, 16);
	ok(info(&r).fences == 1, "counters go on over a plain reload");
	unload(&r);
	r.doorbell += 64;
	load(&r, 0, 0);
	ok(info(&r).fences == 0 && info(&r).packets == 0, "and restart with another doorbell");
	PUT(&r, FENCE(r.view + DATA, 1));
	unload(&r);
	r.base += 4096;
	load(&r, 0, 0);
	ok(info(&r).fences == 0 && !info(&r).ignored, "or another ring");
	fake_destroy(f);
}

/* B028: the driver resets a slot before it is used again. */
static void test_slot_reuse(void)
{
	struct fake *f = start();
	struct ring r = user_ring(f);
	unsigned int i, bad = 0;

	for (i = 1; i <= 1000; i++) {
		PUT(&r, FENCE(r.view + DATA, i));
		kick(&r);
		bad += word(f, DATA) != i || info(&r).rptr != 16;
		unload(&r);
		f->doorbell[r.doorbell / 8] = 0;
		r.wptr = 0;
		load(&r, 0, 0);
	}
	ok(!bad, "B028: 1,000 queues in one slot, the first job of each runs once");
	fake_destroy(f);
}

int main(void)
{
	test_reload_in_copy();
	test_drain();
	test_drain_indirect();
	test_drain_bounds();
	test_progress_dropped();
	test_late_return();
	test_reload_between();
	test_activation_counters();
	test_slot_reuse();
	return pure_done();
}
