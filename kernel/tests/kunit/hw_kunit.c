// SPDX-License-Identifier: GPL-2.0-only
/*
 * The bottom layer on a function that no driver has bound: bring-up and each way in which
 * it is refused, access to registers, VRAM and doorbells at and beyond their ends, the
 * GART, and a function that stops answering.  What was taken is given back (S0.32).
 */
#include <linux/sizes.h>

#include "../../hw/regs/nbio_6_1_regs.h"
#include "kunit_gpu.h"

static const struct hw_client_ops no_client;

/* A bare GPU and zeroed memory for its hw_device. */
static struct hw_device *bare(struct kunit *test, struct kunit_gpu **gpu)
{
	struct hw_device *hw = kunit_kzalloc(test, sizeof(*hw), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, hw);
	*gpu = kunit_gpu_bare(test, KUNIT_GPU);
	return hw;
}

static struct hw_device *brought_up(struct kunit *test, struct kunit_gpu **gpu)
{
	struct hw_device *hw = bare(test, gpu);

	KUNIT_ASSERT_EQ(test, hw_device_init(hw, (*gpu)->pdev, &no_client), 0);
	return hw;
}

static void up_and_down(struct kunit *test)
{
	struct kunit_gpu *gpu;
	struct hw_device *hw = brought_up(test, &gpu);

	KUNIT_EXPECT_TRUE(test, gpu->model->attached);
	KUNIT_EXPECT_EQ(test, hw->chip->device_id, 0x6860);
	KUNIT_EXPECT_EQ(test, hw->cu_count, 4);
	KUNIT_EXPECT_EQ(test, hw->vram_size, 256ULL << 20);
	KUNIT_EXPECT_GT(test, hw->vram_reserved, 0);
	KUNIT_EXPECT_LT(test, hw->vram_reserved, hw->vram_size);
	KUNIT_EXPECT_EQ(test, hw->doorbell_size, SZ_2M);
	hw_device_fini(hw);
	KUNIT_EXPECT_FALSE(test, gpu->model->attached);
	/* And again, from the registers that were left. */
	memset(hw, 0, sizeof(*hw));
	KUNIT_ASSERT_EQ(test, hw_device_init(hw, gpu->pdev, &no_client), 0);
	hw_device_fini(hw);
}

static void refused(struct kunit *test, struct hw_device *hw, struct kunit_gpu *gpu, int error)
{
	memset(hw, 0, sizeof(*hw));
	KUNIT_EXPECT_EQ(test, hw_device_init(hw, gpu->pdev, &no_client), error);
	KUNIT_EXPECT_FALSE(test, pci_is_enabled(gpu->pdev));
}

static void refuses_other_functions(struct kunit *test)
{
	struct kunit_gpu *gpu;
	struct hw_device *hw = bare(test, &gpu);
	struct hw_backend *backend = &gpu->model->backend;
	unsigned short id = gpu->pdev->device;

	gpu->pdev->device = 0x7300;
	refused(test, hw, gpu, -ENODEV);
	gpu->pdev->device = id;

	backend->version = HW_BACKEND_VERSION + 1;
	refused(test, hw, gpu, -EPROTO);
	backend->version = HW_BACKEND_VERSION;

	backend->size = sizeof(*backend) - 1;
	refused(test, hw, gpu, -EPROTO);
	backend->size = sizeof(*backend);

	/* Without a backend it counts as a chip, which nobody allowed. */
	backend->magic = 0;
	refused(test, hw, gpu, -ENODEV);
	backend->magic = HW_BACKEND_MAGIC;
	KUNIT_EXPECT_FALSE(test, gpu->model->attached);
}

static void refuses_a_second_driver(struct kunit *test)
{
	struct kunit_gpu *gpu;
	struct hw_device *hw = bare(test, &gpu);
	const struct hw_backend_ops *ops = gpu->model->backend.ops;

	KUNIT_ASSERT_EQ(test, ops->attach(gpu->model, NULL, NULL), 0);
	refused(test, hw, gpu, -EBUSY);
	ops->detach(gpu->model);
	memset(hw, 0, sizeof(*hw));
	KUNIT_ASSERT_EQ(test, hw_device_init(hw, gpu->pdev, &no_client), 0);
	hw_device_fini(hw);
}

static void poll_has_an_end(struct kunit *test)
{
	struct kunit_gpu *gpu;
	struct hw_device *hw = brought_up(test, &gpu);
	u32 reg = NBIO6_RCC_PF_0_0_RCC_CONFIG_MEMSIZE;

	KUNIT_EXPECT_EQ(test, hw_read(hw, reg), 256);
	KUNIT_EXPECT_EQ(test, hw_poll(hw, reg, ~0u, 256, 0), 0);
	KUNIT_EXPECT_EQ(test, hw_poll(hw, reg, ~0u, 255, 50), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, hw_poll(hw, reg, ~0u, 255, 2000), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, hw_poll(hw, reg, 0x100, 0x100, 50), 0);
	hw_device_fini(hw);
}

static void vram_has_an_end(struct kunit *test)
{
	struct kunit_gpu *gpu;
	struct hw_device *hw = brought_up(test, &gpu);
	u64 end = hw->vram_size;
	u8 out[64], in[64];
	unsigned long pfn;

	memset(out, 0xa5, sizeof(out));
	/* Across two pages, then at an odd place. */
	KUNIT_EXPECT_EQ(test, hw_vram_write(hw, SZ_2M - 32, out, sizeof(out)), 0);
	KUNIT_EXPECT_EQ(test, hw_vram_read(hw, SZ_2M - 32, in, sizeof(in)), 0);
	KUNIT_EXPECT_EQ(test, memcmp(in, out, sizeof(in)), 0);
	KUNIT_EXPECT_EQ(test, hw_vram_write(hw, SZ_4M + 1, out, 3), 0);
	KUNIT_EXPECT_EQ(test, hw_vram_read(hw, SZ_4M, in, 8), 0);
	KUNIT_EXPECT_EQ(test, in[0], 0);
	KUNIT_EXPECT_EQ(test, in[1], 0xa5);
	KUNIT_EXPECT_EQ(test, in[3], 0xa5);
	KUNIT_EXPECT_EQ(test, in[4], 0);

	KUNIT_EXPECT_EQ(test, hw_vram_read(hw, end - 64, in, 64), 0);
	KUNIT_EXPECT_EQ(test, hw_vram_read(hw, end - 63, in, 64), -EINVAL);
	KUNIT_EXPECT_EQ(test, hw_vram_read(hw, end, in, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, hw_vram_write(hw, U64_MAX - 8, out, 64), -EINVAL);

	KUNIT_EXPECT_EQ(test, hw_vram_pfn(hw, end - PAGE_SIZE, &pfn), 0);
	KUNIT_EXPECT_EQ(test, hw_vram_pfn(hw, end, &pfn), -EINVAL);
	KUNIT_EXPECT_EQ(test, hw_vram_pfn(hw, 1, &pfn), -EINVAL);

	KUNIT_EXPECT_EQ(test, hw_vram_clear(hw, SZ_2M - PAGE_SIZE, 2 * PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, hw_vram_read(hw, SZ_2M - 32, in, sizeof(in)), 0);
	KUNIT_EXPECT_NULL(test, memchr_inv(in, 0, sizeof(in)));
	hw_device_fini(hw);
}

static void doorbells_have_an_end(struct kunit *test)
{
	struct kunit_gpu *gpu;
	struct hw_device *hw = brought_up(test, &gpu);
	unsigned long first, last;

	KUNIT_EXPECT_EQ(test, hw_doorbell_pfn(hw, 0, &first), 0);
	KUNIT_EXPECT_EQ(test, hw_doorbell_pfn(hw, SZ_2M / PAGE_SIZE - 1, &last), 0);
	KUNIT_EXPECT_NE(test, first, last);
	KUNIT_EXPECT_EQ(test, hw_doorbell_pfn(hw, SZ_2M / PAGE_SIZE, &last), -EINVAL);
	KUNIT_EXPECT_EQ(test, hw_doorbell_pfn(hw, ~0u, &last), -EINVAL);
	/* What stands in for a chip has no page of registers to map. */
	KUNIT_EXPECT_EQ(test, hw_remap_pfn(hw, &first), -ENXIO);
	hw_device_fini(hw);
}

static unsigned int gart_used(struct hw_device *hw)
{
	return bitmap_weight(hw->gart.used, hw->gart.pages);
}

static void gart_is_given_back(struct kunit *test)
{
	struct kunit_gpu *gpu;
	struct hw_device *hw = brought_up(test, &gpu);
	unsigned int before = gart_used(hw);
	struct hw_mem a, b;
	u64 mc;

	KUNIT_EXPECT_EQ(test, hw_mem_alloc(hw, 0, &a), -EINVAL);
	KUNIT_EXPECT_EQ(test, hw_mem_alloc(hw, SZ_1G, &a), -EINVAL);
	KUNIT_EXPECT_NULL(test, a.cpu);
	hw_mem_free(hw, &a);

	KUNIT_ASSERT_EQ(test, hw_mem_alloc(hw, 1, &a), 0);
	KUNIT_ASSERT_EQ(test, hw_mem_alloc(hw, PAGE_SIZE + 1, &b), 0);
	KUNIT_EXPECT_EQ(test, a.size, PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, b.size, 2 * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, gart_used(hw), before + 3);
	KUNIT_EXPECT_GE(test, a.mc, hw->gart.base + PAGE_SIZE);
	KUNIT_EXPECT_TRUE(test, a.mc + a.size <= b.mc || b.mc + b.size <= a.mc);
	KUNIT_EXPECT_NULL(test, memchr_inv(b.cpu, 0, b.size));
	hw_mem_free(hw, &a);
	KUNIT_EXPECT_NULL(test, a.cpu);
	hw_mem_free(hw, &b);
	KUNIT_EXPECT_EQ(test, gart_used(hw), before);

	KUNIT_EXPECT_EQ(test, hw_gart_map(hw, &hw->dummy.dma, 0, &mc), -EINVAL);
	KUNIT_EXPECT_EQ(test, hw_gart_map(hw, &hw->dummy.dma, hw->gart.pages, &mc), -ENOSPC);
	KUNIT_ASSERT_EQ(test, hw_gart_map(hw, &hw->dummy.dma, 1, &mc), 0);
	hw_gart_unmap(hw, mc, 1);
	KUNIT_EXPECT_EQ(test, gart_used(hw), before);
	hw_device_fini(hw);
}

static void hub_answers(struct kunit *test)
{
	struct kunit_gpu *gpu;
	struct hw_device *hw = brought_up(test, &gpu);
	struct hw_hub_fault fault;
	u64 clock = hw_gpu_clock(hw);

	KUNIT_EXPECT_EQ(test, hw_hub_flush(hw, 0xffff), 0);
	KUNIT_EXPECT_FALSE(test, hw_hub_fault_take(hw, 0, &fault));
	KUNIT_EXPECT_EQ(test, hw_hub_set_context(hw, 8, 0), 0);
	hw_hub_clear_context(hw, 8);
	KUNIT_EXPECT_GE(test, hw_gpu_clock(hw), clock);
	hw_device_fini(hw);
}

/* Everything ends at once, and nothing is touched any more. */
static void lost_function(struct kunit *test)
{
	struct kunit_gpu *gpu;
	struct hw_device *hw = brought_up(test, &gpu);
	u32 reg = NBIO6_RCC_PF_0_0_RCC_CONFIG_MEMSIZE;
	unsigned long pfn;
	struct hw_mem mem;
	u16 command;
	u64 word;

	pci_read_config_word(gpu->pdev, PCI_COMMAND, &command);
	pci_write_config_word(gpu->pdev, PCI_COMMAND, command & ~PCI_COMMAND_MEMORY);
	KUNIT_EXPECT_FALSE(test, hw->lost);
	KUNIT_EXPECT_EQ(test, hw_read(hw, reg), ~0u);
	KUNIT_EXPECT_TRUE(test, hw->lost);
	/* It stays lost, whatever the function does later. */
	pci_write_config_word(gpu->pdev, PCI_COMMAND, command);
	KUNIT_EXPECT_EQ(test, hw_read(hw, reg), ~0u);
	KUNIT_EXPECT_EQ(test, hw_poll(hw, reg, ~0u, 256, 1000000), -ENODEV);
	KUNIT_EXPECT_EQ(test, hw_vram_read(hw, 0, &word, 8), -ENODEV);
	KUNIT_EXPECT_EQ(test, hw_vram_pfn(hw, 0, &pfn), -ENODEV);
	KUNIT_EXPECT_EQ(test, hw_doorbell_pfn(hw, 0, &pfn), -ENODEV);
	KUNIT_EXPECT_EQ(test, hw_remap_pfn(hw, &pfn), -ENODEV);
	KUNIT_EXPECT_EQ(test, hw_hub_flush(hw, 1), -ENODEV);
	KUNIT_EXPECT_EQ(test, hw_mem_alloc(hw, PAGE_SIZE, &mem), -ENODEV);
	KUNIT_EXPECT_EQ(test, gart_used(hw), 1);
	hw_device_fini(hw);
	KUNIT_EXPECT_FALSE(test, gpu->model->attached);
}

static struct kunit_case hw_cases[] = {
	KUNIT_CASE(up_and_down),
	KUNIT_CASE(refuses_other_functions),
	KUNIT_CASE(refuses_a_second_driver),
	KUNIT_CASE(poll_has_an_end),
	KUNIT_CASE(vram_has_an_end),
	KUNIT_CASE(doorbells_have_an_end),
	KUNIT_CASE(gart_is_given_back),
	KUNIT_CASE(hub_answers),
	KUNIT_CASE(lost_function),
	{ }
};

struct kunit_suite hw_suite = {
	.name = "hw",
	.test_cases = hw_cases,
};
