// SPDX-License-Identifier: GPL-2.0-only
/*
 * Address spaces and objects: the test walks the page tables in VRAM itself, as the hub
 * would, and looks whether what was mapped stands there and nothing else.  The VRAM
 * manager over drm_buddy at and beyond its end, counts that return to where they were,
 * objects that outlive their device.  Proves S0.32 for memory.
 */
#include <linux/dma-buf.h>
#include <linux/dma-resv.h>
#include <linux/file.h>
#include <linux/sizes.h>

#include "../../hw/hw_pte_v9.h"
#include "../../vm/vm_bo.h"
#include "../../vm/vm_device.h"
#include "../../vm/vm_space.h"
#include "kunit_gpu.h"

#define VA	0x123456000000ULL	/* 2 MiB aligned */

static struct vm_device *device(struct kunit *test)
{
	return &kunit_gpu(test, KUNIT_GPU)->dev->vm;
}

static struct vm_bo *object(struct kunit *test, struct vm_device *vmd, enum vm_bo_kind kind,
			    u64 size)
{
	struct vm_bo *bo = vm_bo_create(vmd, kind, size, 0);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, bo);
	return bo;
}

static struct vm_space *space(struct kunit *test, struct vm_device *vmd)
{
	struct vm_space *vm = vm_space_create(vmd);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, vm);
	return vm;
}

static u64 entry_at(struct kunit *test, struct hw_device *hw, u64 directory, u64 va, int shift)
{
	u64 at = (directory & HW_PTE_ADDR_MASK) - hw->vram_pa + ((va >> shift) & 511) * 8;
	__le64 entry = 0;

	KUNIT_EXPECT_EQ(test, hw_vram_read(hw, at, &entry, sizeof(entry)), 0);
	return le64_to_cpu(entry);
}

/* What the hub finds for an address: an entry that maps, or 0. */
static u64 walk(struct kunit *test, struct vm_space *vm, u64 va)
{
	static const int shifts[] = { 39, 30, 21, 12 };
	u64 entry = vm_space_root(vm);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(shifts); i++) {
		entry = entry_at(test, vm->vmd->hw, entry, va, shifts[i]);
		if (!(entry & HW_PTE_VALID))
			return 0;
		if (entry & HW_PDE_PTE)
			break;
	}
	return entry;
}

static bool same_stats(struct vm_device *vmd, const struct vm_stats *before)
{
	struct vm_stats now;

	vm_device_stats(vmd, &now);
	return !memcmp(&now, before, sizeof(now));
}

static void map_and_unmap(struct kunit *test)
{
	struct vm_device *vmd = device(test);
	struct vm_stats before;
	struct vm_space *vm;
	struct vm_bo *bo;
	u64 pte;

	vm_device_stats(vmd, &before);
	vm = space(test, vmd);
	bo = object(test, vmd, VM_BO_VRAM, 2 * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, walk(test, vm, VA), 0);
	KUNIT_EXPECT_EQ(test, vm_space_map(vm, bo, VA, VM_MAP_READ | VM_MAP_WRITE), 0);
	pte = walk(test, vm, VA);
	KUNIT_EXPECT_EQ(test, pte & HW_PTE_ADDR_MASK,
			vmd->hw->vram_pa + vm_bo_vram(bo)->extents[0].offset);
	KUNIT_EXPECT_TRUE(test, pte & HW_PTE_READABLE);
	KUNIT_EXPECT_TRUE(test, pte & HW_PTE_WRITEABLE);
	KUNIT_EXPECT_FALSE(test, pte & HW_PTE_SYSTEM);
	KUNIT_EXPECT_NE(test, walk(test, vm, VA + PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, walk(test, vm, VA + 2 * PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, walk(test, vm, VA - PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, vm_space_unmap(vm, VA), 0);
	KUNIT_EXPECT_EQ(test, walk(test, vm, VA), 0);
	KUNIT_EXPECT_EQ(test, vm_space_unmap(vm, VA), -ENOENT);
	vm_space_put(vm);
	vm_bo_put(bo);
	KUNIT_EXPECT_TRUE(test, same_stats(vmd, &before));
}

static void map_refusals(struct kunit *test)
{
	struct vm_device *vmd = device(test);
	struct vm_space *vm = space(test, vmd);
	struct vm_bo *a = object(test, vmd, VM_BO_VRAM, SZ_64K);
	struct vm_bo *b = object(test, vmd, VM_BO_GTT, SZ_64K);

	KUNIT_EXPECT_EQ(test, vm_space_map(vm, a, 0, VM_MAP_READ), -EINVAL);
	KUNIT_EXPECT_EQ(test, vm_space_map(vm, a, VA + 1, VM_MAP_READ), -EINVAL);
	KUNIT_EXPECT_EQ(test, vm_space_map(vm, a, VM_VA_END, VM_MAP_READ), -EINVAL);
	KUNIT_EXPECT_EQ(test, vm_space_map(vm, a, VM_VA_END - PAGE_SIZE, VM_MAP_READ), -EINVAL);
	KUNIT_EXPECT_EQ(test, vm_space_map(vm, a, U64_MAX & PAGE_MASK, VM_MAP_READ), -EINVAL);
	KUNIT_EXPECT_EQ(test, vm_space_map(vm, a, VA, VM_MAP_FLAGS + 1), -EINVAL);

	KUNIT_EXPECT_EQ(test, vm_space_map(vm, a, VA, VM_MAP_READ), 0);
	KUNIT_EXPECT_EQ(test, vm_space_map(vm, a, VA, VM_MAP_READ), 0);
	KUNIT_EXPECT_EQ(test, vm_space_map(vm, b, VA, VM_MAP_READ), -EEXIST);
	KUNIT_EXPECT_EQ(test, vm_space_map(vm, b, VA + SZ_32K, VM_MAP_READ), -EEXIST);
	KUNIT_EXPECT_EQ(test, vm_space_map(vm, b, VA - PAGE_SIZE, VM_MAP_READ), -EEXIST);
	/* The first mapping is as it was. */
	KUNIT_EXPECT_EQ(test, walk(test, vm, VA) & HW_PTE_ADDR_MASK,
			vmd->hw->vram_pa + vm_bo_vram(a)->extents[0].offset);
	KUNIT_EXPECT_EQ(test, walk(test, vm, VA - PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, vm_space_unmap(vm, VA + PAGE_SIZE), -ENOENT);
	KUNIT_EXPECT_EQ(test, vm_space_map(vm, b, VA + SZ_64K, VM_MAP_READ), 0);
	vm_space_put(vm);
	vm_bo_put(a);
	vm_bo_put(b);
}

/* One entry for 2 MiB, and 4 KiB entries where the address does not fit. */
static void big_pages(struct kunit *test)
{
	struct vm_device *vmd = device(test);
	struct vm_space *vm = space(test, vmd);
	struct vm_bo *bo = object(test, vmd, VM_BO_VRAM, SZ_2M);
	u64 at = vmd->hw->vram_pa + vm_bo_vram(bo)->extents[0].offset;

	KUNIT_EXPECT_EQ(test, vm_space_map(vm, bo, VA, VM_MAP_READ), 0);
	KUNIT_EXPECT_TRUE(test, walk(test, vm, VA + SZ_1M) & HW_PDE_PTE);
	KUNIT_EXPECT_EQ(test, walk(test, vm, VA + SZ_1M) & HW_PTE_ADDR_MASK, at);
	KUNIT_EXPECT_EQ(test, walk(test, vm, VA + SZ_2M), 0);
	KUNIT_EXPECT_EQ(test, vm_space_map(vm, bo, VA + SZ_4M + SZ_4K, VM_MAP_READ), 0);
	KUNIT_EXPECT_FALSE(test, walk(test, vm, VA + SZ_4M + SZ_4K) & HW_PDE_PTE);
	KUNIT_EXPECT_EQ(test, walk(test, vm, VA + SZ_4M + SZ_2M) & HW_PTE_ADDR_MASK,
			at + SZ_2M - SZ_4K);
	KUNIT_EXPECT_EQ(test, vm_space_unmap(vm, VA), 0);
	KUNIT_EXPECT_EQ(test, walk(test, vm, VA + SZ_1M), 0);
	vm_space_put(vm);
	vm_bo_put(bo);
}

static void system_memory(struct kunit *test)
{
	struct vm_device *vmd = device(test);
	struct vm_space *vm = space(test, vmd);
	struct vm_bo *bo = object(test, vmd, VM_BO_GTT, 3 * PAGE_SIZE);
	u64 pte;
	void *cpu;

	KUNIT_EXPECT_EQ(test, vm_space_map(vm, bo, VA, VM_MAP_READ), 0);
	pte = walk(test, vm, VA + 2 * PAGE_SIZE);
	KUNIT_EXPECT_TRUE(test, pte & HW_PTE_SYSTEM);
	KUNIT_EXPECT_FALSE(test, pte & HW_PTE_WRITEABLE);
	KUNIT_EXPECT_EQ(test, pte & HW_PTE_ADDR_MASK, vm_bo_gtt(bo)->dma[2]);
	KUNIT_EXPECT_EQ(test, vm_bo_vmap(bo, &cpu), 0);
	KUNIT_EXPECT_NULL(test, memchr_inv(cpu, 0, 3 * PAGE_SIZE));
	vm_bo_vunmap(bo);
	vm_space_put(vm);
	vm_bo_put(bo);
}

static void object_refusals(struct kunit *test)
{
	struct vm_device *vmd = device(test);
	struct vm_bo *bo = object(test, vmd, VM_BO_VRAM, PAGE_SIZE);

	KUNIT_EXPECT_EQ(test, PTR_ERR(vm_bo_create(vmd, VM_BO_VRAM, 0, 0)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(vm_bo_create(vmd, VM_BO_VRAM, 100, 0)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(vm_bo_create(vmd, VM_BO_GTT, U64_MAX & PAGE_MASK, 0)),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(vm_bo_create(vmd, VM_BO_GTT, PAGE_SIZE, ~0u)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(vm_bo_create(vmd, VM_BO_USER, PAGE_SIZE, 0)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(vm_bo_create_peer(vmd, bo)), -EINVAL);
	vm_bo_put(bo);
	vm_bo_put(NULL);
	vm_space_put(NULL);
}

/* All that is promised can be had, one page more cannot, and all of it comes back. */
static void vram_to_the_end(struct kunit *test)
{
	struct vm_device *vmd = device(test);
	u64 avail = vmd->vram.mm.avail, size = vm_vram_size(vmd);
	struct vm_vram_alloc all;

	KUNIT_EXPECT_EQ(test, vm_vram_alloc(vmd, size + PAGE_SIZE, &all), -ENOMEM);
	KUNIT_EXPECT_EQ(test, vm_vram_alloc(vmd, 0, &all), -EINVAL);
	KUNIT_EXPECT_EQ(test, vmd->vram.mm.avail, avail);
	KUNIT_ASSERT_EQ(test, vm_vram_alloc(vmd, size, &all), 0);
	KUNIT_EXPECT_EQ(test, PTR_ERR(vm_bo_create(vmd, VM_BO_VRAM, PAGE_SIZE, 0)), -ENOMEM);
	KUNIT_EXPECT_NOT_NULL(test, vm_vram_find(&all, 0));
	KUNIT_EXPECT_NOT_NULL(test, vm_vram_find(&all, size - 1));
	KUNIT_EXPECT_NULL(test, vm_vram_find(&all, size));
	vm_vram_free(vmd, &all);
	KUNIT_EXPECT_EQ(test, vmd->vram.mm.avail, avail);
}

/* Nobody sees what somebody else left in VRAM. */
static void vram_is_zeroed(struct kunit *test)
{
	struct vm_device *vmd = device(test);
	struct vm_vram_alloc alloc;
	u64 secret = 0x5ec7e7, word = 1, offset;

	KUNIT_ASSERT_EQ(test, vm_vram_alloc(vmd, PAGE_SIZE, &alloc), 0);
	offset = alloc.extents[0].offset;
	KUNIT_EXPECT_EQ(test, hw_vram_write(vmd->hw, offset, &secret, 8), 0);
	vm_vram_free(vmd, &alloc);
	KUNIT_EXPECT_EQ(test, hw_vram_read(vmd->hw, offset, &word, 8), 0);
	KUNIT_EXPECT_EQ(test, word, 0);
	/* Also what was left behind its back. */
	KUNIT_EXPECT_EQ(test, hw_vram_write(vmd->hw, offset, &secret, 8), 0);
	KUNIT_ASSERT_EQ(test, vm_vram_alloc(vmd, PAGE_SIZE, &alloc), 0);
	KUNIT_EXPECT_EQ(test, hw_vram_read(vmd->hw, alloc.extents[0].offset, &word, 8), 0);
	KUNIT_EXPECT_EQ(test, word, 0);
	vm_vram_free(vmd, &alloc);
}

/* Tables go when nothing needs them; the last reference removes what is mapped. */
static void tables_come_back(struct kunit *test)
{
	struct vm_device *vmd = device(test);
	struct vm_space *vm = space(test, vmd);
	struct vm_bo *bo = object(test, vmd, VM_BO_VRAM, PAGE_SIZE);
	struct vm_stats empty, now;
	unsigned int i;

	vm_device_stats(vmd, &empty);
	/* Each in a directory of its own. */
	for (i = 1; i < 9; i++)
		KUNIT_EXPECT_EQ(test, vm_space_map(vm, bo, (u64)i << 39, VM_MAP_READ), 0);
	vm_device_stats(vmd, &now);
	KUNIT_EXPECT_EQ(test, now.mappings, empty.mappings + 8);
	KUNIT_EXPECT_EQ(test, now.table_pages, empty.table_pages + 8 * 3);
	for (i = 1; i < 9; i++)
		KUNIT_EXPECT_EQ(test, vm_space_unmap(vm, (u64)i << 39), 0);
	KUNIT_EXPECT_TRUE(test, same_stats(vmd, &empty));
	KUNIT_EXPECT_EQ(test, vm_space_map(vm, bo, VA, VM_MAP_READ), 0);
	vm_space_put(vm);
	vm_device_stats(vmd, &now);
	KUNIT_EXPECT_EQ(test, now.mappings, empty.mappings);
	KUNIT_EXPECT_EQ(test, now.spaces, empty.spaces - 1);
	vm_bo_put(bo);
}

/* With a VMID every change is flushed, in the hub and without an error. */
static void loaded_space(struct kunit *test)
{
	struct vm_device *vmd = device(test);
	struct vm_space *vm = space(test, vmd);
	struct vm_bo *bo = object(test, vmd, VM_BO_VRAM, PAGE_SIZE);

	KUNIT_EXPECT_EQ(test, hw_hub_set_context(vmd->hw, 8, vm_space_root(vm)), 0);
	vm_space_set_vmid(vm, 8);
	KUNIT_EXPECT_EQ(test, vm_space_map(vm, bo, VA, VM_MAP_READ), 0);
	KUNIT_EXPECT_EQ(test, vm_space_unmap(vm, VA), 0);
	KUNIT_EXPECT_EQ(test, vm_device_flush(vmd, 8), 0);
	KUNIT_EXPECT_EQ(test, vm_device_flush(vmd, 0), 0);
	KUNIT_EXPECT_FALSE(test, vm->stuck);
	vm_space_set_vmid(vm, 0);
	hw_hub_clear_context(vmd->hw, 8);
	vm_space_put(vm);
	vm_bo_put(bo);
}

static void objects_outlive_the_device(struct kunit *test)
{
	struct kunit_gpu *gpu = kunit_gpu(test, KUNIT_GPU);
	struct vm_device *vmd = &gpu->dev->vm;
	struct vm_space *vm = space(test, vmd);
	struct vm_bo *vram = object(test, vmd, VM_BO_VRAM, SZ_64K);
	struct vm_bo *gtt = object(test, vmd, VM_BO_GTT, SZ_64K);

	KUNIT_EXPECT_EQ(test, vm_space_map(vm, vram, VA, VM_MAP_READ), 0);
	KUNIT_EXPECT_EQ(test, vm_space_map(vm, gtt, VA + SZ_2M, VM_MAP_READ), 0);
	kunit_gpu_remove(test, gpu);
	KUNIT_EXPECT_FALSE(test, vm_bo_gtt(gtt)->mapped);
	KUNIT_EXPECT_EQ(test, PTR_ERR(vm_bo_create(vmd, VM_BO_VRAM, PAGE_SIZE, 0)), -ENODEV);
	KUNIT_EXPECT_EQ(test, PTR_ERR(vm_bo_create_peer(vmd, gtt)), -ENODEV);
	KUNIT_EXPECT_EQ(test, vm_device_flush(vmd, 8), -ENODEV);
	KUNIT_EXPECT_EQ(test, vm_space_unmap(vm, VA), 0);
	vm_space_put(vm);
	vm_bo_put(gtt);
	vm_bo_put(vram);
}

static struct dma_buf *export(struct kunit *test, struct vm_bo *bo)
{
	struct dma_buf *dmabuf = vm_bo_export(bo, true);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, dmabuf);
	KUNIT_EXPECT_PTR_EQ(test, vm_bo_of_dma_buf(dmabuf), bo);
	KUNIT_EXPECT_EQ(test, dmabuf->size, bo->base.size);
	return dmabuf;
}

/* A kernel thread's last reference to a file is dropped later. */
static void release(struct dma_buf *dmabuf)
{
	dma_buf_put(dmabuf);
	flush_delayed_fput();
}

/* A dma-buf alone keeps its object, and no longer than that. */
static void dma_buf_keeps_object(struct kunit *test)
{
	struct vm_device *vmd = device(test);
	struct dma_buf *first, *second;
	struct vm_stats before;
	struct vm_bo *bo;
	u64 room;

	vm_device_stats(vmd, &before);
	room = vm_vram_available(vmd);
	bo = object(test, vmd, VM_BO_VRAM, SZ_1M);
	first = export(test, bo);
	second = export(test, bo);
	vm_bo_put(bo);
	release(first);
	KUNIT_EXPECT_PTR_EQ(test, vm_bo_of_dma_buf(second), bo);
	KUNIT_EXPECT_EQ(test, vm_vram_available(vmd), room - SZ_1M);
	release(second);
	KUNIT_EXPECT_EQ(test, vm_vram_available(vmd), room);
	KUNIT_EXPECT_TRUE(test, same_stats(vmd, &before));
}

/* Another driver's device gets the pages of GTT, as its own addresses, and no VRAM. */
static void dma_buf_for_other_devices(struct kunit *test)
{
	struct kunit_gpu *gpu = kunit_gpu(test, KUNIT_GPU);
	struct vm_device *vmd = &gpu->dev->vm;
	struct vm_bo *gtt = object(test, vmd, VM_BO_GTT, SZ_64K);
	struct vm_bo *vram = object(test, vmd, VM_BO_VRAM, SZ_64K);
	struct dma_buf *of_gtt = export(test, gtt), *of_vram = export(test, vram);
	struct dma_buf_attachment *attach;
	struct sg_table *sgt;

	KUNIT_EXPECT_EQ(test, PTR_ERR(dma_buf_attach(of_vram, &gpu->pdev->dev)), -EOPNOTSUPP);
	attach = dma_buf_attach(of_gtt, &gpu->pdev->dev);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, attach);
	dma_resv_lock(gtt->base.resv, NULL);
	sgt = dma_buf_map_attachment(attach, DMA_BIDIRECTIONAL);
	dma_resv_unlock(gtt->base.resv);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, sgt);
	KUNIT_EXPECT_PTR_EQ(test, sg_page(sgt->sgl), vm_bo_gtt(gtt)->pages[0]);
	dma_resv_lock(gtt->base.resv, NULL);
	dma_buf_unmap_attachment(attach, sgt, DMA_BIDIRECTIONAL);
	dma_resv_unlock(gtt->base.resv);
	dma_buf_detach(of_gtt, attach);
	vm_bo_put(gtt);
	vm_bo_put(vram);
	release(of_gtt);
	release(of_vram);
}

static void dma_buf_outlives_the_device(struct kunit *test)
{
	struct kunit_gpu *gpu = kunit_gpu(test, KUNIT_GPU);
	struct vm_bo *bo = object(test, &gpu->dev->vm, VM_BO_GTT, SZ_64K);
	struct dma_buf *dmabuf = export(test, bo);

	kunit_gpu_remove(test, gpu);
	KUNIT_EXPECT_EQ(test, PTR_ERR(vm_bo_export(bo, true)), -ENODEV);
	vm_bo_put(bo);
	release(dmabuf);
}

/*
 * After a flush that timed out an engine may still write to a page that was mapped: it is
 * nobody else's before the device has gone.
 */
static void stuck_space_keeps_memory(struct kunit *test)
{
	struct kunit_gpu *gpu = kunit_gpu(test, KUNIT_GPU);
	struct vm_device *vmd = &gpu->dev->vm;
	struct vm_space *vm = space(test, vmd);
	struct page *page = alloc_page(GFP_KERNEL);
	dma_addr_t at;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, page);
	at = page_to_phys(page);
	KUNIT_EXPECT_EQ(test, vm_space_map_io(vm, VA, &at, 1, page, VM_MAP_WRITE), 0);
	KUNIT_EXPECT_EQ(test, vm_space_unmap(vm, VA), 0);
	KUNIT_EXPECT_EQ(test, page_count(page), 1);
	KUNIT_EXPECT_EQ(test, vm_space_map_io(vm, VA, &at, 1, page, VM_MAP_WRITE), 0);
	vm_space_set_stuck(vm, "test", -ETIMEDOUT);
	KUNIT_EXPECT_TRUE(test, vm_space_is_stuck(vm));
	KUNIT_EXPECT_EQ(test, vm_space_unmap(vm, VA), -EIO);
	vm_space_put(vm);
	KUNIT_EXPECT_EQ(test, page_count(page), 2);
	kunit_gpu_remove(test, gpu);
	KUNIT_EXPECT_EQ(test, page_count(page), 1);
	put_page(page);
}

static struct kunit_case vm_cases[] = {
	KUNIT_CASE(map_and_unmap),
	KUNIT_CASE(map_refusals),
	KUNIT_CASE(big_pages),
	KUNIT_CASE(system_memory),
	KUNIT_CASE(object_refusals),
	KUNIT_CASE(vram_to_the_end),
	KUNIT_CASE(vram_is_zeroed),
	KUNIT_CASE(tables_come_back),
	KUNIT_CASE(loaded_space),
	KUNIT_CASE(objects_outlive_the_device),
	KUNIT_CASE(dma_buf_keeps_object),
	KUNIT_CASE(dma_buf_for_other_devices),
	KUNIT_CASE(dma_buf_outlives_the_device),
	KUNIT_CASE(stuck_space_keeps_memory),
	{ }
};

struct kunit_suite vm_suite = {
	.name = "vm",
	.test_cases = vm_cases,
};
