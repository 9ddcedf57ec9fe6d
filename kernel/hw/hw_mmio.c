// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: access to the BARs
 *
 * The one place that knows whether a BAR is decoded by a chip or served by the
 * ops of a &struct hw_backend.  Registers live in BAR5, doorbells in BAR2, VRAM
 * in BAR0.  Everybody else names registers, doorbells and VRAM by offset.
 *
 * A function that went away reads as all ones.  hw_read() checks such a value
 * against a register that can never hold it and sets &hw_device.lost; from then
 * on nothing is read, written or waited for.
 *
 * Not done: VRAM beyond BAR0 through the index/data register pair; bring-up
 * refuses a real function whose BAR0 is smaller than its VRAM.
 */
#include <linux/delay.h>
#include <linux/highmem.h>
#include <linux/io.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/sizes.h>

#include "hw_device.h"
#include "regs/hdp_4_0_regs.h"
#include "regs/nbio_6_1_regs.h"

#define HW_BAR_VRAM		0
#define HW_BAR_DOORBELL		2
#define HW_BAR_REGS		5
#define HW_ALL_ONES		0xffffffffu
/* Last page of the register hole of SOC15 chips (soc15.c of Linux 6.1): no register lies there. */
#define HW_REMAP_OFFSET		0x7f000
#define HW_REMAP_BYTES		4096
/* Longest wait that is spent spinning. */
#define HW_POLL_SPIN_US		100
#define HW_POLL_SLEEP_MAX_US	1000

static u32 hw_raw_read(struct hw_device *hw, u32 reg)
{
	if (hw->backend)
		return hw->backend->ops->reg_read(hw->backend->model, reg);
	return readl(hw->bar5 + reg);
}

/* A value of all ones is plausible for some registers, never for the size of VRAM. */
static void hw_check_lost(struct hw_device *hw, u32 reg)
{
	if (hw_raw_read(hw, NBIO6_RCC_PF_0_0_RCC_CONFIG_MEMSIZE) != HW_ALL_ONES)
		return;
	if (!xchg(&hw->lost, true))
		dev_err(&hw->pdev->dev, "function does not answer (register 0x%x)\n", reg);
}

/**
 * hw_read - read a register
 * @hw: device
 * @reg: byte offset in BAR5
 *
 * Context: any.
 * Return: the value; all ones once the function is lost.
 */
u32 hw_read(struct hw_device *hw, u32 reg)
{
	u32 value;

	if (READ_ONCE(hw->lost))
		return HW_ALL_ONES;
	value = hw_raw_read(hw, reg);
	if (unlikely(value == HW_ALL_ONES))
		hw_check_lost(hw, reg);
	return value;
}

/**
 * hw_write - write a register
 * @hw: device
 * @reg: byte offset in BAR5
 * @value: what to write
 *
 * Context: any.
 */
void hw_write(struct hw_device *hw, u32 reg, u32 value)
{
	if (READ_ONCE(hw->lost))
		return;
	if (hw->backend)
		hw->backend->ops->reg_write(hw->backend->model, reg, value);
	else
		writel(value, hw->bar5 + reg);
}

/**
 * hw_poll - wait until a register shows a value
 * @hw: device
 * @reg: byte offset in BAR5
 * @mask: bits that matter
 * @want: their awaited value
 * @timeout_us: longest wait; above 100 the caller must be able to sleep
 *
 * The register is read once more after the time is over, so that a caller which
 * did not run for a while does not report a time-out that did not happen.
 *
 * Context: any if @timeout_us <= 100, else process context.
 * Return: 0, -ETIMEDOUT, or -ENODEV if the function is lost.
 */
int hw_poll(struct hw_device *hw, u32 reg, u32 mask, u32 want, unsigned int timeout_us)
{
	ktime_t deadline = ktime_add_us(ktime_get(), timeout_us);
	unsigned int pause = 1;
	bool last;

	might_sleep_if(timeout_us > HW_POLL_SPIN_US);
	for (;;) {
		last = ktime_compare(ktime_get(), deadline) >= 0;
		if ((hw_read(hw, reg) & mask) == want && !READ_ONCE(hw->lost))
			return 0;
		if (READ_ONCE(hw->lost))
			return -ENODEV;
		if (last)
			return -ETIMEDOUT;
		if (timeout_us <= HW_POLL_SPIN_US || pause < 16)
			udelay(1);
		else
			usleep_range(pause, 2 * pause);
		pause = min(2 * pause, (unsigned int)HW_POLL_SLEEP_MAX_US);
	}
}

static bool hw_doorbell_valid(struct hw_device *hw, u32 offset)
{
	return !WARN_ON_ONCE(!IS_ALIGNED(offset, 8) || offset + 8ULL > hw->doorbell_size);
}

/**
 * hw_doorbell_write - ring a doorbell
 * @hw: device
 * @offset: byte offset of the 64-bit slot in BAR2
 * @value: WPTR
 *
 * The caller has ordered its stores to the ring before this one.
 *
 * Context: any.
 */
void hw_doorbell_write(struct hw_device *hw, u32 offset, u64 value)
{
	if (READ_ONCE(hw->lost) || !hw_doorbell_valid(hw, offset))
		return;
	if (hw->backend)
		hw->backend->ops->doorbell_write(hw->backend->model, offset, value);
	else
		writeq(value, hw->bar2 + offset);
}

/**
 * hw_doorbell_reset - forget the value of a slot before a new queue gets it
 * @hw: device
 * @offset: byte offset of the 64-bit slot in BAR2
 *
 * A chip compares a doorbell with the queue's own registers and keeps no value
 * between queues, so there is nothing to do for a real function.
 *
 * Context: any.
 */
void hw_doorbell_reset(struct hw_device *hw, u32 offset)
{
	if (READ_ONCE(hw->lost) || !hw_doorbell_valid(hw, offset))
		return;
	if (hw->backend)
		hw->backend->ops->doorbell_reset(hw->backend->model, offset);
}

/**
 * hw_sdma_served - what an engine has done for whoever was in a user-queue slot
 * @hw: device
 * @instance: SDMA instance
 * @slot: slot of it
 * @served: result
 *
 * Context: any.
 * Return: false if nobody counts that: on a chip, or where there is no such slot.
 */
bool hw_sdma_served(struct hw_device *hw, u32 instance, u32 slot, struct hw_served *served)
{
	return hw->backend &&
	       hw->backend->ops->sdma_served(hw->backend->model, instance, slot, served);
}

/**
 * hw_doorbell_pfn - page frame of a doorbell page for a user mapping
 * @hw: device
 * @index: page of BAR2
 * @pfn: result
 *
 * Context: process, sleeps.
 * Return: 0, -EINVAL (no such page), -ENOMEM or -ENODEV.
 */
int hw_doorbell_pfn(struct hw_device *hw, u32 index, unsigned long *pfn)
{
	struct page *page;

	if (READ_ONCE(hw->lost))
		return -ENODEV;
	if (index >= hw->doorbell_size >> PAGE_SHIFT)
		return -EINVAL;
	if (!hw->backend) {
		*pfn = (pci_resource_start(hw->pdev, HW_BAR_DOORBELL) >> PAGE_SHIFT) + index;
		return 0;
	}
	page = hw->backend->ops->doorbell_page(hw->backend->model, index);
	if (IS_ERR(page))
		return PTR_ERR(page);
	*pfn = page_to_pfn(page);
	return 0;
}

/**
 * hw_remap_pfn - page of registers that user space may map to flush the HDP
 * @hw: device
 * @pfn: result
 *
 * A second copy of two flush registers, alone in a page where no other register lies.
 * User mappings of a virtual function are the backing pages themselves, so there
 * is nothing to flush and no such page.
 *
 * Context: process.
 * Return: 0, -ENXIO (no such page) or -ENODEV.
 */
int hw_remap_pfn(struct hw_device *hw, unsigned long *pfn)
{
	if (READ_ONCE(hw->lost))
		return -ENODEV;
	if (hw->backend || PAGE_SIZE > HW_REMAP_BYTES)
		return -ENXIO;
	hw_write(hw, NBIO6_REMAP_HDP_MEM_FLUSH_CNTL, HW_REMAP_OFFSET);
	hw_write(hw, NBIO6_REMAP_HDP_REG_FLUSH_CNTL, HW_REMAP_OFFSET + sizeof(u32));
	*pfn = (pci_resource_start(hw->pdev, HW_BAR_REGS) + HW_REMAP_OFFSET) >> PAGE_SHIFT;
	return 0;
}

static int hw_vram_check(struct hw_device *hw, u64 offset, u64 size)
{
	u64 limit = hw->backend ? hw->vram_size : hw->vram_visible;

	if (READ_ONCE(hw->lost))
		return -ENODEV;
	return size > limit || offset > limit - size ? -EINVAL : 0;
}

/**
 * hw_vram_pfn - page frame of a page of VRAM for a user mapping
 * @hw: device
 * @offset: byte offset, page aligned
 * @pfn: result
 *
 * Context: process, sleeps.
 * Return: 0, -EINVAL, -ENOMEM or -ENODEV.
 */
int hw_vram_pfn(struct hw_device *hw, u64 offset, unsigned long *pfn)
{
	struct page *page;
	int ret;

	ret = hw_vram_check(hw, offset, PAGE_SIZE);
	if (ret)
		return ret;
	if (!IS_ALIGNED(offset, PAGE_SIZE))
		return -EINVAL;
	if (!hw->backend) {
		*pfn = (pci_resource_start(hw->pdev, HW_BAR_VRAM) + offset) >> PAGE_SHIFT;
		return 0;
	}
	page = hw->backend->ops->vram_page(hw->backend->model, offset);
	if (IS_ERR(page))
		return PTR_ERR(page);
	*pfn = page_to_pfn(page);
	return 0;
}

/*
 * Under binary translation memcpy()'s string instruction runs at a fraction of
 * the speed of plain 64-bit moves, so whole aligned words are moved by a loop.
 */
static void hw_copy(void *dst, const void *src, size_t size)
{
	u64 *d = dst;
	const u64 *s = src;
	size_t i, words = size / 8;

	if (!IS_ALIGNED((unsigned long)dst | (unsigned long)src | size, 8)) {
		memcpy(dst, src, size);
		return;
	}
	for (i = 0; i < words; i++)
		WRITE_ONCE(d[i], s[i]);
}

/* One piece inside one page of a served BAR0. */
static int hw_vram_piece(struct hw_device *hw, u64 offset, void *buf, size_t size, bool write)
{
	struct page *page;
	void *cpu;

	page = hw->backend->ops->vram_page(hw->backend->model, offset & PAGE_MASK);
	if (IS_ERR(page))
		return PTR_ERR(page);
	cpu = kmap_local_page(page) + offset_in_page(offset);
	if (write)
		hw_copy(cpu, buf, size);
	else
		hw_copy(buf, cpu, size);
	kunmap_local(cpu);
	return 0;
}

static int hw_vram_access(struct hw_device *hw, u64 offset, void *buf, size_t size, bool write)
{
	size_t piece;
	int ret;

	ret = hw_vram_check(hw, offset, size);
	if (ret)
		return ret;
	if (!hw->backend) {
		if (write)
			memcpy_toio(hw->bar0 + offset, buf, size);
		else
			memcpy_fromio(buf, hw->bar0 + offset, size);
		return 0;
	}
	for (; size; size -= piece, offset += piece, buf += piece) {
		piece = min_t(size_t, size, PAGE_SIZE - offset_in_page(offset));
		ret = hw_vram_piece(hw, offset, buf, piece, write);
		if (ret)
			return ret;
		cond_resched();
	}
	return 0;
}

/**
 * hw_vram_read - copy from VRAM
 * @hw: device
 * @offset: byte offset in VRAM
 * @dst: kernel buffer
 * @size: bytes
 *
 * Context: process, sleeps.
 * Return: 0, -EINVAL (range), -ENOMEM or -ENODEV.
 */
int hw_vram_read(struct hw_device *hw, u64 offset, void *dst, size_t size)
{
	return hw_vram_access(hw, offset, dst, size, false);
}

/**
 * hw_vram_write - copy to VRAM
 * @hw: device
 * @offset: byte offset in VRAM
 * @src: kernel buffer
 * @size: bytes
 *
 * Engines see the data after the next hw_hdp_flush().
 *
 * Context: process, sleeps.
 * Return: 0, -EINVAL (range), -ENOMEM (a part may have been written) or -ENODEV.
 */
int hw_vram_write(struct hw_device *hw, u64 offset, const void *src, size_t size)
{
	return hw_vram_access(hw, offset, (void *)src, size, true);
}

/**
 * hw_vram_claim - the caller's memory cgroup pays for what stands behind a range of VRAM
 * @hw: device
 * @offset: byte offset, page aligned
 * @size: bytes, page multiple
 *
 * Until hw_vram_clear(); after that one, or pages that have memory are left out.  A real
 * function has its own memory.
 *
 * Context: process, sleeps.
 * Return: 0, -EINVAL (range), -ENOMEM or -ENODEV.
 */
int hw_vram_claim(struct hw_device *hw, u64 offset, u64 size)
{
	int ret = hw_vram_check(hw, offset, size);

	if (ret || !hw->backend)
		return ret;
	return hw->backend->ops->vram_claim(hw->backend->model, offset, size);
}

/**
 * hw_vram_forget - nobody needs what is in a range of VRAM any more
 * @hw: device
 * @offset: byte offset, page aligned
 * @size: bytes, page multiple
 *
 * Gives memory behind a virtual function back.  Whoever uses the range next clears it.
 *
 * Context: process, sleeps.
 */
void hw_vram_forget(struct hw_device *hw, u64 offset, u64 size)
{
	if (hw->backend && !hw_vram_check(hw, offset, size))
		hw->backend->ops->vram_discard(hw->backend->model, offset, size);
}

/**
 * hw_vram_clear - make a range of VRAM read as zero
 * @hw: device
 * @offset: byte offset, page aligned
 * @size: bytes, page multiple
 *
 * The caller has withdrawn all user mappings of the range.
 *
 * Context: process, sleeps.
 * Return: 0, -EINVAL (range, alignment) or -ENODEV.
 */
int hw_vram_clear(struct hw_device *hw, u64 offset, u64 size)
{
	u64 done, piece;
	int ret;

	ret = hw_vram_check(hw, offset, size);
	if (ret)
		return ret;
	if (!IS_ALIGNED(offset | size, PAGE_SIZE))
		return -EINVAL;
	if (hw->backend) {
		hw->backend->ops->vram_discard(hw->backend->model, offset, size);
		return 0;
	}
	for (done = 0; done < size; done += piece) {
		piece = min_t(u64, size - done, SZ_1M);
		memset_io(hw->bar0 + offset + done, 0, piece);
		cond_resched();
	}
	return 0;
}

/**
 * hw_hdp_flush - order CPU and engine accesses to VRAM
 * @hw: device
 *
 * Earlier CPU stores to VRAM become visible to the engines, and later CPU loads
 * see what engines wrote.
 *
 * Context: any.
 */
void hw_hdp_flush(struct hw_device *hw)
{
	/* CPU stores to VRAM (write-combined) before the flush request. */
	wmb();
	hw_write(hw, NBIO6_BIF_BX_PF0_HDP_MEM_COHERENCY_FLUSH_CNTL, 0);
	if (hw->chip->hdp->read_cache)
		hw_write(hw, HDP4_HDP_READ_CACHE_INVALIDATE, 1);
	/* A read of the function pushes the posted writes out. */
	hw_read(hw, NBIO6_RCC_PF_0_0_RCC_CONFIG_MEMSIZE);
}

/**
 * hw_keeps_vram - does VRAM keep its contents while the machine sleeps?
 * @hw: device
 *
 * That of a virtual function is host memory.  That of a card needs its power.
 *
 * Context: any.
 * Return: true if it does in every sleep state.
 */
bool hw_keeps_vram(const struct hw_device *hw)
{
	return hw->backend;
}

static void hw_model_withdraw(void *driver)
{
	struct hw_device *hw = driver;

	if (hw->client && hw->client->withdraw_doorbells)
		hw->client->withdraw_doorbells(hw);
}

static const struct hw_backend_client hw_backend_calls = {
	.withdraw_doorbells = hw_model_withdraw,
};

/* What platform_data points at, if it is a backend that we understand. */
static const struct hw_backend *hw_backend_find(struct pci_dev *pdev)
{
	const struct hw_backend *backend = dev_get_platdata(&pdev->dev);

	if (!backend || backend->magic != HW_BACKEND_MAGIC)
		return NULL;
	if (backend->version != HW_BACKEND_VERSION || backend->size < sizeof(*backend)) {
		dev_err(&pdev->dev, "backend version %u size %u, driver wants version %u size %zu\n",
			backend->version, backend->size, HW_BACKEND_VERSION, sizeof(*backend));
		return ERR_PTR(-EPROTO);
	}
	return backend;
}

static void hw_unmap_real(struct hw_device *hw)
{
	if (hw->bar0)
		iounmap(hw->bar0);
	if (hw->bar2)
		iounmap(hw->bar2);
	if (hw->bar5)
		iounmap(hw->bar5);
	hw->bar0 = NULL;
	hw->bar2 = NULL;
	hw->bar5 = NULL;
}

static int hw_map_real(struct hw_device *hw)
{
	struct pci_dev *pdev = hw->pdev;

	hw->bar5 = ioremap(pci_resource_start(pdev, HW_BAR_REGS),
			   pci_resource_len(pdev, HW_BAR_REGS));
	hw->bar2 = ioremap(pci_resource_start(pdev, HW_BAR_DOORBELL), hw->doorbell_size);
	hw->bar0 = ioremap_wc(pci_resource_start(pdev, HW_BAR_VRAM), hw->vram_visible);
	if (hw->bar5 && hw->bar2 && hw->bar0)
		return 0;
	hw_unmap_real(hw);
	return -ENOMEM;
}

/**
 * hw_mmio_init - make the BARs of a function reachable
 * @hw: device; @hw->pdev and @hw->client are set, the function is enabled and its
 *	regions are claimed
 *
 * Binding a function without a backend is refused unless the user asked for it.
 *
 * Context: process.
 * Return: 0; -ENODEV (a real function that may not be bound, or BARs missing),
 * -EPROTO (unknown backend), -EBUSY (another driver is attached), -ENOMEM.
 */
int hw_mmio_init(struct hw_device *hw)
{
	const struct hw_backend *backend = hw_backend_find(hw->pdev);

	if (IS_ERR(backend))
		return PTR_ERR(backend);
	hw->vram_visible = pci_resource_len(hw->pdev, HW_BAR_VRAM);
	hw->doorbell_size = pci_resource_len(hw->pdev, HW_BAR_DOORBELL);
	if (!hw->vram_visible || !hw->doorbell_size ||
	    !pci_resource_len(hw->pdev, HW_BAR_REGS)) {
		dev_err(&hw->pdev->dev, "a BAR is missing\n");
		return -ENODEV;
	}
	if (!backend) {
		if (!hw_real_allowed) {
			dev_info(&hw->pdev->dev, "real function left alone (see parameter real_hw)\n");
			return -ENODEV;
		}
		return hw_map_real(hw);
	}
	hw->backend = backend;
	return backend->ops->attach(backend->model, &hw_backend_calls, hw);
}

/**
 * hw_mmio_fini - undo hw_mmio_init()
 * @hw: device; all user mappings are withdrawn
 *
 * Context: process, sleeps until no call from a backend runs.
 */
void hw_mmio_fini(struct hw_device *hw)
{
	if (hw->backend)
		hw->backend->ops->detach(hw->backend->model);
	else
		hw_unmap_real(hw);
	hw->backend = NULL;
}
