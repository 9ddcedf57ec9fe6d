// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jobs and services of the kernel rings on a held engine: nothing happens before the
 * test steps.  What the ring refuses, slots, results in VRAM, an interrupt that is lost
 * on purpose, a packet that fails its job and no other (B067).  Proves S0.104 and
 * the kernel rings under S0.100 and S0.105.
 */
#include <linux/delay.h>
#include <linux/sizes.h>

#include "../../sdma/sdma_device.h"
#include "../../sdma/sdma_emit.h"
#include "../../sdma/sdma_fence.h"
#include "kunit_gpu.h"

#define PLACE	SZ_16M	/* in VRAM, far from what the driver uses at its ends */

static struct kunit_gpu *held(struct kunit *test)
{
	struct kunit_gpu *gpu = kunit_gpu(test, KUNIT_GPU);

	kunit_gpu_hold(gpu);
	return gpu;
}

static u64 mc(struct kunit_gpu *gpu, u64 offset)
{
	return gpu->dev->hw.vram_base + PLACE + offset;
}

static void vram_write(struct kunit *test, struct kunit_gpu *gpu, u64 at, const void *p, size_t n)
{
	KUNIT_ASSERT_EQ(test, hw_vram_write(&gpu->dev->hw, PLACE + at, p, n), 0);
}

static void vram_read(struct kunit *test, struct kunit_gpu *gpu, u64 at, void *p, size_t n)
{
	KUNIT_ASSERT_EQ(test, hw_vram_read(&gpu->dev->hw, PLACE + at, p, n), 0);
}

static struct sdma_ring *ring_of(struct kunit_gpu *gpu, unsigned int instance)
{
	return sdma_ring_of(&gpu->dev->sdma, instance, SDMA_RING_GFX);
}

static unsigned int slots_used(struct kunit_gpu *gpu, unsigned int instance)
{
	return bitmap_weight(ring_of(gpu, instance)->slots, SDMA_RING_SLOTS);
}

/* Run the engines, expect the fence to be done, drop it. */
static void finish(struct kunit *test, struct kunit_gpu *gpu, struct dma_fence *fence)
{
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, fence);
	kunit_gpu_run(gpu);
	KUNIT_EXPECT_EQ(test, dma_fence_get_status(fence), 1);
	KUNIT_EXPECT_EQ(test, sdma_fence_wait(fence, 1), 0);
	dma_fence_put(fence);
}

static void refusals(struct kunit *test)
{
	struct sdma_device *sdma = &held(test)->dev->sdma;

	KUNIT_EXPECT_EQ(test, PTR_ERR(sdma_job_alloc(sdma, SDMA_RING_GFX, 0, 0)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(sdma_job_alloc(sdma, SDMA_RING_GFX, 0,
						     SDMA_JOB_MAX_DWORDS + 1)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(sdma_job_alloc(sdma, SDMA_RING_GFX, BIT(5), 1)), -ENODEV);
	KUNIT_EXPECT_EQ(test, PTR_ERR(sdma_copy(sdma, 0, 0, 0)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(sdma_copy(sdma, U64_MAX, 0, 2)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(sdma_copy(sdma, 0, U64_MAX - 3, 8)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(sdma_fill(sdma, 2, 0, 8)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(sdma_fill(sdma, 0, 0, 6)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(sdma_fill(sdma, 0, 0, 0)), -EINVAL);
	KUNIT_EXPECT_EQ(test, sdma->instance[0]->rings[SDMA_RING_GFX].committed % 4, 0);
}

static void slots_come_back(struct kunit *test)
{
	struct kunit_gpu *gpu = held(test);
	struct sdma_job *job[SDMA_RING_SLOTS];
	unsigned int i;

	for (i = 0; i < SDMA_RING_SLOTS; i++) {
		job[i] = sdma_job_alloc(&gpu->dev->sdma, SDMA_RING_GFX, BIT(0), 8);
		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, job[i]);
	}
	KUNIT_EXPECT_EQ(test, slots_used(gpu, 0), SDMA_RING_SLOTS);
	KUNIT_EXPECT_EQ(test, slots_used(gpu, 1), 0);
	for (i = 0; i < SDMA_RING_SLOTS; i++)
		sdma_job_cancel(job[i]);
	KUNIT_EXPECT_EQ(test, slots_used(gpu, 0), 0);
}

/* Jobs go where fewest are. */
static void least_loaded_ring(struct kunit *test)
{
	struct kunit_gpu *gpu = held(test);
	struct sdma_job *a, *b;

	a = sdma_job_alloc(&gpu->dev->sdma, SDMA_RING_GFX, 0, 8);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, a);
	b = sdma_job_alloc(&gpu->dev->sdma, SDMA_RING_GFX, 0, 8);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, b);
	KUNIT_EXPECT_NE(test, a->ring->instance, b->ring->instance);
	sdma_job_cancel(b);
	sdma_job_cancel(a);
}

static void copy_and_fill(struct kunit *test)
{
	struct kunit_gpu *gpu = held(test);
	struct sdma_device *sdma = &gpu->dev->sdma;
	u8 *out = kunit_kzalloc(test, 8192, GFP_KERNEL);
	u8 *in = kunit_kzalloc(test, 8192, GFP_KERNEL);
	unsigned int i;
	u32 word;

	KUNIT_ASSERT_NOT_NULL(test, out);
	KUNIT_ASSERT_NOT_NULL(test, in);
	for (i = 0; i < 8192; i++)
		out[i] = i * 7 + (i >> 8);
	vram_write(test, gpu, 0, out, 8192);
	/* Odd places, odd length. */
	finish(test, gpu, sdma_copy(sdma, mc(gpu, SZ_1M + 3), mc(gpu, 1), 8001));
	vram_read(test, gpu, SZ_1M, in, 8192);
	KUNIT_EXPECT_EQ(test, memcmp(in + 3, out + 1, 8001), 0);
	KUNIT_EXPECT_EQ(test, in[2], 0);
	KUNIT_EXPECT_EQ(test, in[3 + 8001], 0);

	finish(test, gpu, sdma_fill(sdma, mc(gpu, 4), 0x11223344, 8));
	vram_read(test, gpu, 0, in, 16);
	memcpy(&word, in + 8, 4);
	KUNIT_EXPECT_EQ(test, word, 0x11223344);
	KUNIT_EXPECT_EQ(test, in[3], out[3]);
	KUNIT_EXPECT_EQ(test, in[12], out[12]);
	KUNIT_EXPECT_EQ(test, slots_used(gpu, 0) + slots_used(gpu, 1), 0);
}

static void entries(struct kunit *test)
{
	struct kunit_gpu *gpu = held(test);
	struct sdma_device *sdma = &gpu->dev->sdma;
	u64 list[3] = { 1, 0x8000000000000071, 3 }, got[4] = { };

	finish(test, gpu, sdma_write_entries(sdma, mc(gpu, 0), list, 3));
	vram_read(test, gpu, 0, got, sizeof(got));
	KUNIT_EXPECT_EQ(test, memcmp(got, list, sizeof(list)), 0);
	KUNIT_EXPECT_EQ(test, got[3], 0);
	finish(test, gpu, sdma_generate_entries(sdma, mc(gpu, 0), 0x12340000, 0x73, 3, 0x1000));
	vram_read(test, gpu, 0, got, sizeof(got));
	KUNIT_EXPECT_EQ(test, got[0], 0x12340073);
	KUNIT_EXPECT_EQ(test, got[2], 0x12342073);
	KUNIT_EXPECT_EQ(test, got[3], 0);
}

/* The ring is in order: a later fence is not done before an earlier one. */
static void order_in_a_ring(struct kunit *test)
{
	struct kunit_gpu *gpu = held(test);
	struct dma_fence *fence[4];
	struct sdma_job *job;
	unsigned int i, done = 0;

	for (i = 0; i < 4; i++) {
		job = sdma_job_alloc(&gpu->dev->sdma, SDMA_RING_GFX, BIT(0), 8);
		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, job);
		job->len = sdma_emit_nop(job->ib, 0, 1);
		fence[i] = sdma_job_submit(job);
	}
	while (kunit_gpu_step(gpu, 0) == VGPU_STEP_BUSY) {
		kunit_irq_drain(&gpu->dev->irq);
		for (i = 0; i < 4; i++)
			KUNIT_EXPECT_TRUE(test, !i || !dma_fence_is_signaled(fence[i]) ||
					  dma_fence_is_signaled(fence[i - 1]));
		done++;
	}
	KUNIT_EXPECT_GE(test, done, 4);
	for (i = 0; i < 4; i++)
		finish(test, gpu, fence[i]);
}

static void lost_interrupt(struct kunit *test)
{
	struct kunit_gpu *gpu = held(test);
	struct sdma_timeline *tl = ring_of(gpu, 0)->timeline;
	struct dma_fence *fence;
	struct sdma_job *job;
	unsigned int look, where;

	KUNIT_ASSERT_EQ(test, 0, vgpu_failures_set(&gpu->model->failures, "irq_drop:source=224",
						   &where));
	job = sdma_job_alloc(&gpu->dev->sdma, SDMA_RING_GFX, BIT(0), 8);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, job);
	fence = sdma_job_submit(job);
	kunit_gpu_run(gpu);
	KUNIT_EXPECT_EQ(test, *tl->memory, fence->seqno);
	/* The timer may have looked before; two looks are enough in any case. */
	local_bh_disable();
	for (look = 0; look < 2; look++)
		tl->timer.function(&tl->timer);
	local_bh_enable();
	KUNIT_EXPECT_EQ(test, dma_fence_get_status(fence), 1);
	KUNIT_EXPECT_EQ(test, tl->lost, 1);
	dma_fence_put(fence);
}

/* Recovery waits for the engine, which only steps here. */
static void recover(struct kunit *test, struct kunit_gpu *gpu)
{
	struct sdma_ring *ring = ring_of(gpu, 0);
	unsigned int looks;

	for (looks = 0; looks < 100000 && (READ_ONCE(ring->cause) || work_busy(&ring->death));
	     looks++) {
		kunit_gpu_run(gpu);
		usleep_range(50, 100);
	}
	KUNIT_ASSERT_EQ(test, READ_ONCE(ring->cause), 0);
}

/* A bad packet fails its own job; the one behind it runs after the reset. */
static void bad_packet_fails_one_job(struct kunit *test)
{
	struct kunit_gpu *gpu = held(test);
	struct sdma_device *sdma = &gpu->dev->sdma;
	struct dma_fence *bad, *behind;
	struct sdma_job *job;

	job = sdma_job_alloc(sdma, SDMA_RING_GFX, BIT(0), 8);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, job);
	job->ib[0] = 0xff;
	job->len = 1;
	bad = sdma_job_submit(job);
	job = sdma_job_alloc(sdma, SDMA_RING_GFX, BIT(0), 8);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, job);
	behind = sdma_job_submit(job);
	kunit_gpu_run(gpu);
	recover(test, gpu);
	KUNIT_EXPECT_EQ(test, dma_fence_get_status(bad), -ECANCELED);
	KUNIT_EXPECT_EQ(test, sdma_fence_wait(bad, 1), -ECANCELED);
	finish(test, gpu, behind);
	KUNIT_EXPECT_EQ(test, slots_used(gpu, 0), 0);
	KUNIT_EXPECT_EQ(test, atomic64_read(&ring_of(gpu, 0)->count_resets), 1);
	finish(test, gpu, sdma_fill(sdma, mc(gpu, 0), 1, 4096));
	dma_fence_put(bad);
}

static void user_slots_refuse(struct kunit *test)
{
	struct sdma_device *sdma = &held(test)->dev->sdma;
	struct sdma_rlc_state good = {
		.rb_base = 0x100000, .rb_size = SZ_64K, .rptr_addr = 0x200000,
		.wptr_addr = 0x200008, .doorbell = 0x2000, .vmid = 8,
	}, s;

	KUNIT_EXPECT_EQ(test, sdma_rlc_load(sdma, 7, 0, &good), -ENODEV);
	KUNIT_EXPECT_EQ(test, sdma_rlc_load(sdma, 0, 17, &good), -ENODEV);
	s = good;
	s.rb_base += 4;
	KUNIT_EXPECT_EQ(test, sdma_rlc_load(sdma, 0, 0, &s), -EINVAL);
	s = good;
	s.rb_size = SZ_64K + 4096;
	KUNIT_EXPECT_EQ(test, sdma_rlc_load(sdma, 0, 0, &s), -EINVAL);
	s = good;
	s.vmid = 0;
	KUNIT_EXPECT_EQ(test, sdma_rlc_load(sdma, 0, 0, &s), -EINVAL);
	KUNIT_EXPECT_EQ(test, sdma_rlc_load(sdma, 0, 0, &good), 0);
	KUNIT_EXPECT_FALSE(test, sdma_rlc_halted(sdma, 0, 0));
	KUNIT_EXPECT_EQ(test, sdma_rlc_unload(sdma, 0, 0, &s), 0);
	KUNIT_EXPECT_EQ(test, s.rptr, 0);
}

static struct kunit_case sdma_cases[] = {
	KUNIT_CASE(refusals),
	KUNIT_CASE(slots_come_back),
	KUNIT_CASE(least_loaded_ring),
	KUNIT_CASE(copy_and_fill),
	KUNIT_CASE(entries),
	KUNIT_CASE(order_in_a_ring),
	KUNIT_CASE(lost_interrupt),
	KUNIT_CASE(bad_packet_fails_one_job),
	KUNIT_CASE(user_slots_refuse),
	{ }
};

struct kunit_suite sdma_suite = {
	.name = "sdma",
	.test_cases = sdma_cases,
};
