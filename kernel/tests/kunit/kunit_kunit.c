// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fixtures themselves: a GPU of the model is bound by the driver's probe, can be
 * held and stepped, goes without a trace, and comes again.
 */
#include "../../sdma/sdma.h"
#include "kunit_gpu.h"

static void planted_failure(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, kunit_planted);
}

static void driver_binds(struct kunit *test)
{
	struct kunit_gpu *gpu = kunit_gpu(test, KUNIT_GPU);

	KUNIT_ASSERT_NOT_NULL(test, gpu->dev);
	KUNIT_EXPECT_PTR_EQ(test, gpu->dev->hw.pdev, gpu->pdev);
	KUNIT_EXPECT_TRUE(test, gpu->model->attached);
	KUNIT_EXPECT_EQ(test, gpu->dev->hw.cu_count, 4);
	KUNIT_EXPECT_EQ(test, gpu->dev->hw.vram_size, 256ULL << 20);
	KUNIT_EXPECT_FALSE(test, list_empty(&kfd_registry.devices));
}

static void removal_leaves_nothing(struct kunit *test)
{
	struct kunit_gpu *gpu = kunit_gpu(test, KUNIT_GPU);

	kunit_gpu_remove(test, gpu);
	KUNIT_EXPECT_TRUE(test, list_empty(&kfd_registry.devices));
	gpu = kunit_gpu(test, KUNIT_GPU);
	KUNIT_EXPECT_FALSE(test, list_empty(&kfd_registry.devices));
}

static void bare_is_unbound(struct kunit *test)
{
	struct kunit_gpu *gpu = kunit_gpu_bare(test, KUNIT_GPU);

	KUNIT_EXPECT_NULL(test, gpu->pdev->driver);
	KUNIT_EXPECT_FALSE(test, gpu->model->attached);
	KUNIT_EXPECT_TRUE(test, list_empty(&kfd_registry.devices));
}

/* A held engine does nothing by itself, and everything when it is stepped. */
static void held_engine_waits(struct kunit *test)
{
	struct kunit_gpu *gpu = kunit_gpu(test, KUNIT_GPU);
	struct dma_fence *fence;

	kunit_gpu_hold(gpu);
	KUNIT_EXPECT_EQ(test, kunit_gpu_run(gpu), 0);
	fence = sdma_fill(&gpu->dev->sdma, gpu->dev->hw.vram_base, 0x5a5a5a5a, 4096);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, fence);
	KUNIT_EXPECT_FALSE(test, dma_fence_is_signaled(fence));
	KUNIT_EXPECT_GT(test, kunit_gpu_run(gpu), 0);
	KUNIT_EXPECT_TRUE(test, dma_fence_is_signaled(fence));
	dma_fence_put(fence);
}

static struct kunit_case kunit_cases[] = {
	KUNIT_CASE(planted_failure),
	KUNIT_CASE(driver_binds),
	KUNIT_CASE(removal_leaves_nothing),
	KUNIT_CASE(bare_is_unbound),
	KUNIT_CASE(held_engine_waits),
	{ }
};

struct kunit_suite kunit_suite = {
	.name = "kunit",
	.test_cases = kunit_cases,
};
