// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: system memory for VMID 0
 *
 * The GART is an aperture of MC addresses whose flat page table lies at the top
 * of VRAM, followed by the page that faulting accesses are sent to.  Kernel
 * rings, indirect buffers and fences live in it (hw_mem_alloc()); buffer objects
 * pass through it while a kernel ring moves them (hw_gart_map()).
 *
 * The first GART page is never handed out, so an MC address of 0 always faults.
 *
 * A page is given back only after the hub forgot its translation: unmapping
 * writes invalid entries, flushes VMID 0, then clears the bits of the bitmap.
 */
#include <linux/bitmap.h>
#include <linux/dma-mapping.h>
#include <linux/slab.h>
#include <linux/sizes.h>

#include "hw_device.h"
#include "hw_pte_v9.h"

#define HW_GART_SIZE		SZ_256M
#define HW_GART_PAGES		(HW_GART_SIZE >> 12)
#define HW_GART_TABLE_SIZE	(HW_GART_PAGES * sizeof(u64))
#define HW_MC_LIMIT		0x800000000000ULL /* first address of the hole in the middle */
/* Entries that one piece of an update carries on the stack. */
#define HW_GART_CHUNK		32

#define HW_GART_PTE_FLAGS	(HW_PTE_VALID | HW_PTE_SYSTEM | HW_PTE_SNOOPED | \
				 HW_PTE_EXECUTABLE | HW_PTE_READABLE | \
				 HW_PTE_WRITEABLE | HW_PTE_MTYPE(HW_MTYPE_UC))

/* Below VRAM if there is room, else at the end of the lower half of the address space. */
static u64 hw_gart_place(struct hw_device *hw)
{
	u64 above = ALIGN(hw->vram_base + hw->vram_size, SZ_4G);

	if (hw->vram_base >= HW_GART_SIZE && hw->vram_base < HW_MC_LIMIT - above)
		return 0;
	return ALIGN_DOWN(HW_MC_LIMIT - HW_GART_SIZE, SZ_4G);
}

/**
 * hw_gart_init - lay out the GART and empty its table
 * @hw: device; VRAM is known
 *
 * Context: process.
 * Return: 0, -ENOMEM, -EINVAL (VRAM too small), -ENODEV.
 */
int hw_gart_init(struct hw_device *hw)
{
	struct hw_gart *gart = &hw->gart;
	int ret;

	hw->vram_reserved = HW_GART_TABLE_SIZE + PAGE_SIZE;
	if (hw->vram_size < 2 * hw->vram_reserved)
		return -EINVAL;
	gart->base = hw_gart_place(hw);
	gart->pages = HW_GART_PAGES;
	gart->table = hw->vram_size - hw->vram_reserved;
	hw->fault_page = gart->table + HW_GART_TABLE_SIZE;
	mutex_init(&gart->lock);
	gart->used = bitmap_zalloc(gart->pages, GFP_KERNEL);
	if (!gart->used)
		return -ENOMEM;
	__set_bit(0, gart->used);
	ret = hw_vram_clear(hw, gart->table, hw->vram_reserved);
	if (ret)
		goto err_used;
	hw->dummy.size = PAGE_SIZE;
	hw->dummy.cpu = dma_alloc_coherent(&hw->pdev->dev, PAGE_SIZE, &hw->dummy.dma, GFP_KERNEL);
	if (hw->dummy.cpu)
		return 0;
	ret = -ENOMEM;
err_used:
	bitmap_free(gart->used);
	gart->used = NULL;
	return ret;
}

/**
 * hw_gart_fini - undo hw_gart_init()
 * @hw: device; the hub no longer uses the table
 *
 * Context: process.
 */
void hw_gart_fini(struct hw_device *hw)
{
	struct hw_gart *gart = &hw->gart;
	unsigned int left = bitmap_weight(gart->used, gart->pages) - 1;

	if (left)
		dev_warn(&hw->pdev->dev, "%u GART pages were never freed\n", left);
	dma_free_coherent(&hw->pdev->dev, PAGE_SIZE, hw->dummy.cpu, hw->dummy.dma);
	bitmap_free(gart->used);
	gart->used = NULL;
}

/* Pages of the GART have 4 KiB whatever the CPU's page size is; they are equal on x86. */
static int hw_gart_reserve(struct hw_gart *gart, unsigned int count, unsigned int *first)
{
	unsigned long at;

	mutex_lock(&gart->lock);
	at = bitmap_find_next_zero_area(gart->used, gart->pages, 0, count, 0);
	if (at < gart->pages)
		bitmap_set(gart->used, at, count);
	mutex_unlock(&gart->lock);
	if (at >= gart->pages)
		return -ENOSPC;
	*first = at;
	return 0;
}

static void hw_gart_release(struct hw_gart *gart, unsigned int first, unsigned int count)
{
	mutex_lock(&gart->lock);
	bitmap_clear(gart->used, first, count);
	mutex_unlock(&gart->lock);
}

/* Where the entry of page @index comes from: a list, a run that starts at *@pages, or nothing. */
enum hw_gart_source { HW_GART_LIST, HW_GART_RUN, HW_GART_NONE };

static u64 hw_gart_entry(enum hw_gart_source source, const dma_addr_t *pages, unsigned int index)
{
	switch (source) {
	case HW_GART_LIST:
		return (pages[index] & HW_PTE_ADDR_MASK) | HW_GART_PTE_FLAGS;
	case HW_GART_RUN:
		return ((*pages + ((u64)index << 12)) & HW_PTE_ADDR_MASK) | HW_GART_PTE_FLAGS;
	case HW_GART_NONE:
		break;
	}
	return 0;
}

/* Write entries, then make the hub forget what it knew of them. */
static int hw_gart_update(struct hw_device *hw, unsigned int first, unsigned int count,
			  enum hw_gart_source source, const dma_addr_t *pages)
{
	__le64 entry[HW_GART_CHUNK];
	unsigned int done, i, n;
	int ret;

	for (done = 0; done < count; done += n) {
		n = min_t(unsigned int, count - done, HW_GART_CHUNK);
		for (i = 0; i < n; i++)
			entry[i] = cpu_to_le64(hw_gart_entry(source, pages, done + i));
		ret = hw_vram_write(hw, hw->gart.table + (first + done) * sizeof(u64), entry,
				    n * sizeof(u64));
		if (ret)
			return ret;
	}
	hw_hdp_flush(hw);
	return hw_hub_flush(hw, BIT(0));
}

static int hw_gart_insert(struct hw_device *hw, const dma_addr_t *pages, unsigned int count,
			  enum hw_gart_source source, unsigned int *first)
{
	int ret;

	if (!count)
		return -EINVAL;
	ret = hw_gart_reserve(&hw->gart, count, first);
	if (ret)
		return ret;
	ret = hw_gart_update(hw, *first, count, source, pages);
	if (ret) {
		hw_gart_update(hw, *first, count, HW_GART_NONE, NULL);
		hw_gart_release(&hw->gart, *first, count);
	}
	return ret;
}

static void hw_gart_remove(struct hw_device *hw, unsigned int first, unsigned int count)
{
	int ret;

	ret = hw_gart_update(hw, first, count, HW_GART_NONE, NULL);
	if (ret && ret != -ENODEV)
		dev_err_ratelimited(&hw->pdev->dev, "unmapping of %u GART pages: %d\n", count, ret);
	hw_gart_release(&hw->gart, first, count);
}

/**
 * hw_gart_map - make system pages visible to VMID 0
 * @hw: device
 * @pages: bus addresses, page aligned
 * @count: how many
 * @mc: MC address of the first; the rest follow
 *
 * Context: process.
 * Return: 0, -EINVAL, -ENOSPC (GART full), -ENOMEM, -ETIMEDOUT, -ENODEV.
 */
int hw_gart_map(struct hw_device *hw, const dma_addr_t *pages, unsigned int count, u64 *mc)
{
	unsigned int first;
	int ret;

	ret = hw_gart_insert(hw, pages, count, HW_GART_LIST, &first);
	if (!ret)
		*mc = hw->gart.base + ((u64)first << 12);
	return ret;
}

/**
 * hw_gart_unmap - undo hw_gart_map()
 * @hw: device
 * @mc: what hw_gart_map() returned
 * @count: as given there
 *
 * When it returns no engine reaches the pages through @mc.
 *
 * Context: process.
 */
void hw_gart_unmap(struct hw_device *hw, u64 mc, unsigned int count)
{
	hw_gart_remove(hw, (mc - hw->gart.base) >> 12, count);
}

/**
 * hw_mem_alloc - memory that CPU and VMID 0 share
 * @hw: device
 * @size: bytes; rounded up to pages
 * @mem: result, zeroed memory, coherent
 *
 * Context: process.
 * Return: 0, -EINVAL, -ENOSPC, -ENOMEM, -ETIMEDOUT, -ENODEV; @mem is empty on error.
 */
int hw_mem_alloc(struct hw_device *hw, size_t size, struct hw_mem *mem)
{
	int ret;

	memset(mem, 0, sizeof(*mem));
	if (!size || size > HW_GART_SIZE)
		return -EINVAL;
	mem->size = PAGE_ALIGN(size);
	mem->cpu = dma_alloc_coherent(&hw->pdev->dev, mem->size, &mem->dma, GFP_KERNEL);
	if (!mem->cpu)
		return -ENOMEM;
	ret = hw_gart_insert(hw, &mem->dma, mem->size >> 12, HW_GART_RUN, &mem->gart_page);
	if (ret) {
		dma_free_coherent(&hw->pdev->dev, mem->size, mem->cpu, mem->dma);
		memset(mem, 0, sizeof(*mem));
		return ret;
	}
	mem->mc = hw->gart.base + ((u64)mem->gart_page << 12);
	return 0;
}

/**
 * hw_mem_free - give memory of hw_mem_alloc() back
 * @hw: device
 * @mem: memory; an empty one is fine
 *
 * Context: process.
 */
void hw_mem_free(struct hw_device *hw, struct hw_mem *mem)
{
	if (!mem->cpu)
		return;
	hw_gart_remove(hw, mem->gart_page, mem->size >> 12);
	dma_free_coherent(&hw->pdev->dev, mem->size, mem->cpu, mem->dma);
	memset(mem, 0, sizeof(*mem));
}
