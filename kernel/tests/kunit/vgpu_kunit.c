// SPDX-License-Identifier: GPL-2.0-only
/*
 * The model as a PCI function and as the ops that it gives a driver: configuration space,
 * registers that are off or nobody's, VRAM under a limit and given back, the doorbell
 * window (S0.97).
 */
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/sizes.h>

#include "../../hw/regs/nbio_6_1_regs.h"
#include "kunit_gpu.h"

static const struct hw_backend_ops *ops_of(struct kunit_gpu *gpu)
{
	return gpu->model->backend.ops;
}

static u32 config(struct kunit_gpu *gpu, int where)
{
	u32 value = 0;

	pci_read_config_dword(gpu->pdev, where, &value);
	return value;
}

static void config_space(struct kunit *test)
{
	struct kunit_gpu *gpu = kunit_gpu_bare(test, KUNIT_GPU);
	u32 bar = config(gpu, PCI_BASE_ADDRESS_5);

	KUNIT_EXPECT_EQ(test, config(gpu, PCI_VENDOR_ID), 0x68601002);
	KUNIT_EXPECT_EQ(test, config(gpu, PCI_CLASS_REVISION) >> 8, 0x038000);
	KUNIT_EXPECT_EQ(test, pci_resource_len(gpu->pdev, 0), SZ_256M);
	KUNIT_EXPECT_EQ(test, pci_resource_len(gpu->pdev, 2), SZ_2M);
	KUNIT_EXPECT_EQ(test, pci_resource_len(gpu->pdev, 5), SZ_512K);
	/* Read-only, and the size of a BAR. */
	pci_write_config_dword(gpu->pdev, PCI_VENDOR_ID, 0);
	KUNIT_EXPECT_EQ(test, config(gpu, PCI_VENDOR_ID), 0x68601002);
	pci_write_config_dword(gpu->pdev, PCI_BASE_ADDRESS_5, ~0u);
	KUNIT_EXPECT_EQ(test, config(gpu, PCI_BASE_ADDRESS_5) & ~0xfu, ~(SZ_512K - 1u));
	pci_write_config_dword(gpu->pdev, PCI_BASE_ADDRESS_5, bar);
	KUNIT_EXPECT_EQ(test, config(gpu, PCI_BASE_ADDRESS_5), bar);
}

static void registers_of_a_function_that_is_off(struct kunit *test)
{
	struct kunit_gpu *gpu = kunit_gpu_bare(test, KUNIT_GPU);
	const struct hw_backend_ops *ops = ops_of(gpu);
	u32 reg = NBIO6_RCC_PF_0_0_RCC_CONFIG_MEMSIZE;

	KUNIT_ASSERT_EQ(test, pci_enable_device(gpu->pdev), 0);
	KUNIT_EXPECT_EQ(test, ops->reg_read(gpu->model, reg), 256);
	KUNIT_EXPECT_EQ(test, ops->reg_read(gpu->model, SZ_512K - 4), ~0u);
	KUNIT_EXPECT_EQ(test, ops->reg_read(gpu->model, 0xfffffffc), ~0u);
	ops->reg_write(gpu->model, 0xfffffffc, 1);
	pci_write_config_word(gpu->pdev, PCI_COMMAND, 0);
	KUNIT_EXPECT_EQ(test, ops->reg_read(gpu->model, reg), ~0u);
	pci_disable_device(gpu->pdev);
}

static void one_driver_at_a_time(struct kunit *test)
{
	struct kunit_gpu *gpu = kunit_gpu_bare(test, KUNIT_GPU);
	const struct hw_backend_ops *ops = ops_of(gpu);

	KUNIT_EXPECT_EQ(test, ops->attach(gpu->model, NULL, NULL), 0);
	KUNIT_EXPECT_EQ(test, ops->attach(gpu->model, NULL, NULL), -EBUSY);
	ops->detach(gpu->model);
	KUNIT_EXPECT_EQ(test, ops->attach(gpu->model, NULL, NULL), 0);
	ops->detach(gpu->model);
}

/* VRAM has memory behind it from the first touch until it is given back. */
static void vram_comes_and_goes(struct kunit *test)
{
	struct kunit_gpu *gpu = kunit_gpu_bare(test, KUNIT_GPU);
	const struct hw_backend_ops *ops = ops_of(gpu);
	struct vgpu_mem *mem = &gpu->model->mem;
	long before = atomic_long_read(&mem->populated);
	struct page *a, *again;

	KUNIT_EXPECT_EQ(test, PTR_ERR(ops->vram_page(gpu->model, SZ_256M)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(ops->vram_page(gpu->model, 8)), -EINVAL);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&mem->populated), before);
	a = ops->vram_page(gpu->model, SZ_64M);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, a);
	again = ops->vram_page(gpu->model, SZ_64M);
	KUNIT_EXPECT_PTR_EQ(test, a, again);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&mem->populated), before + 1);
	memset(page_address(a), 0xff, PAGE_SIZE);
	ops->vram_discard(gpu->model, SZ_64M, PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&mem->populated), before);
	a = ops->vram_page(gpu->model, SZ_64M);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, a);
	KUNIT_EXPECT_NULL(test, memchr_inv(page_address(a), 0, PAGE_SIZE));
	ops->vram_discard(gpu->model, 0, SZ_256M);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&mem->populated), 0);
}

static void vram_has_a_cap(struct kunit *test)
{
	struct vgpu_mem *mem = kunit_kzalloc(test, sizeof(*mem), GFP_KERNEL);
	LIST_HEAD(freed);
	u64 i;

	KUNIT_ASSERT_NOT_NULL(test, mem);
	KUNIT_ASSERT_EQ(test, vgpu_mem_init(mem, SZ_64M, 4 * PAGE_SIZE), 0);
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_NOT_ERR_OR_NULL(test, vgpu_mem_page(mem, i * SZ_4M));
	KUNIT_EXPECT_EQ(test, PTR_ERR(vgpu_mem_page(mem, SZ_32M)), -ENOMEM);
	KUNIT_EXPECT_NULL(test, vgpu_mem_page_nowait(mem, SZ_32M));
	KUNIT_EXPECT_GE(test, atomic_long_read(&mem->refused), 1);
	/* What is there stays there; what goes makes room. */
	KUNIT_EXPECT_NOT_ERR_OR_NULL(test, vgpu_mem_page(mem, 0));
	KUNIT_EXPECT_TRUE(test, vgpu_mem_unlink(mem, 0, PAGE_SIZE, &freed));
	vgpu_mem_release(&freed);
	KUNIT_EXPECT_NOT_ERR_OR_NULL(test, vgpu_mem_page(mem, SZ_32M));
	vgpu_mem_fini(mem);
}

/* Many pages at once are the same as one by one, also where a chunk is new or there is none. */
static void vram_pages_at_once(struct kunit *test)
{
	struct vgpu_mem *mem = kunit_kzalloc(test, sizeof(*mem), GFP_KERNEL);
	u64 at[] = { SZ_4M, SZ_4M + PAGE_SIZE, 0, SZ_64M, SZ_4M, SZ_32M };
	void *pages[ARRAY_SIZE(at)];
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, mem);
	KUNIT_ASSERT_EQ(test, vgpu_mem_init(mem, SZ_64M, 3 * PAGE_SIZE), 0);
	KUNIT_EXPECT_NOT_ERR_OR_NULL(test, vgpu_mem_page(mem, SZ_4M));
	/* Bits below a page do not count. */
	at[1] |= 0x61;
	vgpu_mem_pages_nowait(mem, at, ARRAY_SIZE(at), pages);
	at[1] &= PAGE_MASK;
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_PTR_EQ(test, pages[i], page_address(vgpu_mem_page(mem, at[i])));
	KUNIT_EXPECT_NULL(test, pages[3]);
	KUNIT_EXPECT_PTR_EQ(test, pages[4], pages[0]);
	/* The cap. */
	KUNIT_EXPECT_NULL(test, pages[5]);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&mem->populated), 3);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&mem->refused), 1);
	vgpu_mem_fini(mem);
}

static void doorbell_slots(struct kunit *test)
{
	struct vgpu_doorbell *db = kunit_kzalloc(test, sizeof(*db), GFP_KERNEL);
	u32 last = VGPU_DOORBELL_BYTES - 8;

	KUNIT_ASSERT_NOT_NULL(test, db);
	KUNIT_ASSERT_EQ(test, vgpu_doorbell_init(db), 0);
	KUNIT_EXPECT_EQ(test, vgpu_doorbell_get(db, 16), 0);
	KUNIT_EXPECT_TRUE(test, vgpu_doorbell_set(db, 16, 0x123456789abcdef0));
	KUNIT_EXPECT_TRUE(test, vgpu_doorbell_set(db, last, 7));
	KUNIT_EXPECT_EQ(test, vgpu_doorbell_get(db, 16), 0x123456789abcdef0);
	KUNIT_EXPECT_EQ(test, vgpu_doorbell_get(db, 24), 0);
	KUNIT_EXPECT_EQ(test, vgpu_doorbell_get(db, last), 7);
	KUNIT_EXPECT_FALSE(test, vgpu_doorbell_set(db, 20, 1));
	KUNIT_EXPECT_FALSE(test, vgpu_doorbell_set(db, VGPU_DOORBELL_BYTES, 1));
	KUNIT_EXPECT_FALSE(test, vgpu_doorbell_set(db, 0xfffffff8, 1));
	KUNIT_EXPECT_EQ(test, vgpu_doorbell_get(db, VGPU_DOORBELL_BYTES), 0);
	vgpu_doorbell_clear(db, 16);
	KUNIT_EXPECT_EQ(test, vgpu_doorbell_get(db, 16), 0);
	vgpu_doorbell_reset(db);
	KUNIT_EXPECT_EQ(test, vgpu_doorbell_get(db, last), 0);
	vgpu_doorbell_fini(db);
}

static void doorbell_window(struct kunit *test)
{
	struct vgpu_doorbell *db = kunit_kzalloc(test, sizeof(*db), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, db);
	KUNIT_ASSERT_EQ(test, vgpu_doorbell_init(db), 0);
	KUNIT_EXPECT_FALSE(test, vgpu_doorbell_hot(db));
	KUNIT_EXPECT_FALSE(test, vgpu_doorbell_close(db, true));
	KUNIT_EXPECT_EQ(test, PTR_ERR(vgpu_doorbell_open(db, VGPU_DOORBELL_PAGES)), -EINVAL);
	KUNIT_EXPECT_FALSE(test, vgpu_doorbell_hot(db));
	KUNIT_EXPECT_NOT_ERR_OR_NULL(test, vgpu_doorbell_open(db, 3));
	KUNIT_EXPECT_TRUE(test, vgpu_doorbell_hot(db));
	/* Idle for longer than the window stays open, as far as it can tell. */
	db->active_ns -= 2 * VGPU_DOORBELL_IDLE_NS;
	KUNIT_EXPECT_TRUE(test, vgpu_doorbell_stale(db));
	KUNIT_EXPECT_TRUE(test, vgpu_doorbell_close(db, false));
	KUNIT_EXPECT_FALSE(test, vgpu_doorbell_hot(db));
	KUNIT_EXPECT_EQ(test, atomic_long_read(&db->withdrawals), 1);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&db->faults), 1);
	vgpu_doorbell_fini(db);
}

/* A doorbell that belongs to no engine is counted and harms nobody. */
static void doorbell_of_nobody(struct kunit *test)
{
	struct kunit_gpu *gpu = kunit_gpu(test, KUNIT_GPU);
	const struct hw_backend_ops *ops = ops_of(gpu);
	long lost;

	kunit_gpu_hold(gpu);
	lost = atomic_long_read(&gpu->model->doorbell.lost);
	ops->doorbell_write(gpu->model, VGPU_DOORBELL_BYTES, 1);
	ops->doorbell_write(gpu->model, 0xfffffff8, 1);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&gpu->model->doorbell.lost), lost + 2);
	KUNIT_EXPECT_EQ(test, kunit_gpu_run(gpu), 0);
}

static struct kunit_case vgpu_cases[] = {
	KUNIT_CASE(config_space),
	KUNIT_CASE(registers_of_a_function_that_is_off),
	KUNIT_CASE(one_driver_at_a_time),
	KUNIT_CASE(vram_comes_and_goes),
	KUNIT_CASE(vram_has_a_cap),
	KUNIT_CASE(vram_pages_at_once),
	KUNIT_CASE(doorbell_slots),
	KUNIT_CASE(doorbell_window),
	KUNIT_CASE(doorbell_of_nobody),
	{ }
};

struct kunit_suite vgpu_suite = {
	.name = "vgpu",
	.test_cases = vgpu_cases,
};
