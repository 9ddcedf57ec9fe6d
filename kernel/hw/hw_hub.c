// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: the memory hubs
 *
 * A chip has one or two, for different engines; all are set up alike and flushed
 * together.
 *
 * The hub translates the addresses of the engines.  Addresses inside the system
 * aperture (VRAM) pass; other addresses of VMID 0 go through the flat table of
 * the GART; VMIDs 1 to 15 walk four-level tables (depth 3, blocks of 512).
 *
 * A translation is forgotten by a request to one of eighteen invalidate engines.
 * The CPU uses the last one, under &hw_device.tlb_lock; lower ones belong to the
 * rings, which flush by packet.
 *
 * A context without a table has a root entry of 0: everything in it faults.
 * Faults raise an interrupt and are sent to a page of zeros, so that an engine
 * never waits for ever.
 */
#include <linux/bitfield.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "hw_device.h"
#include "hw_pte_v9.h"
#include "regs/athub_1_0_regs.h"
#include "regs/mmhub_1_0_regs.h"
#include "regs/osssys_4_0_regs.h"

#define HW_HUB_CPU_ENGINE	(MMHUB1_INVALIDATE_ENGINES - 1)
/* An engine of a virtual function is a thread that others may keep off the CPU for seconds. */
#define HW_HUB_TIMEOUT_US	5000000
#define HW_HUB_SEM_TIMEOUT_US	100000
#define HW_HUB_ATHUB_REST_US	20
/* Address range of an invalidation: every page number of 37 bits. */
#define HW_HUB_RANGE_LO		0xffffffff
#define HW_HUB_RANGE_HI		0x1f

#define HW_CTX(field)		MMHUB1_VM_CONTEXT0_CNTL__##field

#define HW_HUB_FAULT_IRQS	(HW_CTX(RANGE_PROTECTION_FAULT_ENABLE_INTERRUPT) | \
				 HW_CTX(DUMMY_PAGE_PROTECTION_FAULT_ENABLE_INTERRUPT) | \
				 HW_CTX(PDE0_PROTECTION_FAULT_ENABLE_INTERRUPT) | \
				 HW_CTX(VALID_PROTECTION_FAULT_ENABLE_INTERRUPT) | \
				 HW_CTX(READ_PROTECTION_FAULT_ENABLE_INTERRUPT) | \
				 HW_CTX(WRITE_PROTECTION_FAULT_ENABLE_INTERRUPT) | \
				 HW_CTX(EXECUTE_PROTECTION_FAULT_ENABLE_INTERRUPT))
#define HW_HUB_FAULT_DEFAULTS	(HW_CTX(RANGE_PROTECTION_FAULT_ENABLE_DEFAULT) | \
				 HW_CTX(DUMMY_PAGE_PROTECTION_FAULT_ENABLE_DEFAULT) | \
				 HW_CTX(PDE0_PROTECTION_FAULT_ENABLE_DEFAULT) | \
				 HW_CTX(VALID_PROTECTION_FAULT_ENABLE_DEFAULT) | \
				 HW_CTX(READ_PROTECTION_FAULT_ENABLE_DEFAULT) | \
				 HW_CTX(WRITE_PROTECTION_FAULT_ENABLE_DEFAULT) | \
				 HW_CTX(EXECUTE_PROTECTION_FAULT_ENABLE_DEFAULT))

#define HW_HUB_REQ_ALL		(MMHUB1_VM_INVALIDATE_ENG0_REQ__INVALIDATE_L2_PTES | \
				 MMHUB1_VM_INVALIDATE_ENG0_REQ__INVALIDATE_L2_PDE0 | \
				 MMHUB1_VM_INVALIDATE_ENG0_REQ__INVALIDATE_L2_PDE1 | \
				 MMHUB1_VM_INVALIDATE_ENG0_REQ__INVALIDATE_L2_PDE2 | \
				 MMHUB1_VM_INVALIDATE_ENG0_REQ__INVALIDATE_L1_PTES)

/**
 * hw_hub_reg - where a register of the hub is on this chip
 * @hw: device
 * @hub: number of the hub
 * @reg: its name in MMHUB 1.0
 *
 * Context: any.
 * Return: byte offset in BAR5.
 */
u32 hw_hub_reg(const struct hw_device *hw, unsigned int hub, u32 reg)
{
	const struct hw_mmhub *m = hw->chip->mmhub;

	return reg + (reg < MMHUB1_SHARED ? m->vm_shift : m->shared_shift) + hub * m->stride;
}

static u32 hub_read(struct hw_device *hw, unsigned int hub, u32 reg)
{
	return hw_read(hw, hw_hub_reg(hw, hub, reg));
}

static void hub_write(struct hw_device *hw, unsigned int hub, u32 reg, u32 value)
{
	hw_write(hw, hw_hub_reg(hw, hub, reg), value);
}

/* Registers of one context that take an address in two halves. */
static void hw_hub_ctx_pair(struct hw_device *hw, unsigned int hub, u32 lo, u32 hi,
			    unsigned int vmid, u64 value)
{
	hub_write(hw, hub, lo + vmid * MMHUB1_CONTEXT_ADDR_STRIDE, lower_32_bits(value));
	hub_write(hw, hub, hi + vmid * MMHUB1_CONTEXT_ADDR_STRIDE, upper_32_bits(value));
}

static void hw_hub_set_root(struct hw_device *hw, unsigned int hub, unsigned int vmid, u64 pde)
{
	hw_hub_ctx_pair(hw, hub, MMHUB1_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32,
			MMHUB1_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32, vmid, pde);
}

static void hw_hub_set_range(struct hw_device *hw, unsigned int hub, unsigned int vmid, u64 first,
			     u64 last)
{
	hw_hub_ctx_pair(hw, hub, MMHUB1_VM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32,
			MMHUB1_VM_CONTEXT0_PAGE_TABLE_START_ADDR_HI32, vmid, first);
	hw_hub_ctx_pair(hw, hub, MMHUB1_VM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32,
			MMHUB1_VM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32, vmid, last);
}

/* VRAM passes untranslated; there is no AGP aperture. */
static void hw_hub_init_aperture(struct hw_device *hw, unsigned int hub)
{
	u64 fault_page = hw->vram_pa + hw->fault_page;
	u64 last = hw->vram_base + hw->vram_size - 1;

	hub_write(hw, hub, MMHUB1_MC_VM_AGP_BASE, 0);
	hub_write(hw, hub, MMHUB1_MC_VM_AGP_BOT, 0xffffff);
	hub_write(hw, hub, MMHUB1_MC_VM_AGP_TOP, 0);
	hub_write(hw, hub, MMHUB1_MC_VM_SYSTEM_APERTURE_LOW_ADDR, hw->vram_base >> 18);
	hub_write(hw, hub, MMHUB1_MC_VM_SYSTEM_APERTURE_HIGH_ADDR, last >> 18);
	hub_write(hw, hub, MMHUB1_MC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_LSB, fault_page >> 12);
	hub_write(hw, hub, MMHUB1_MC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_MSB, fault_page >> 44);
	hub_write(hw, hub, MMHUB1_VM_L2_PROTECTION_FAULT_DEFAULT_ADDR_LO32, hw->dummy.dma >> 12);
	hub_write(hw, hub, MMHUB1_VM_L2_PROTECTION_FAULT_DEFAULT_ADDR_HI32,
		  (u64)hw->dummy.dma >> 44);
}

static void hw_hub_init_tlb(struct hw_device *hw, unsigned int hub)
{
	u32 v = hub_read(hw, hub, MMHUB1_MC_VM_MX_L1_TLB_CNTL);

	v &= ~(MMHUB1_MC_VM_MX_L1_TLB_CNTL__SYSTEM_ACCESS_MODE |
	       MMHUB1_MC_VM_MX_L1_TLB_CNTL__SYSTEM_APERTURE_UNMAPPED_ACCESS |
	       MMHUB1_MC_VM_MX_L1_TLB_CNTL__MTYPE);
	v |= MMHUB1_MC_VM_MX_L1_TLB_CNTL__ENABLE_L1_TLB |
	     MMHUB1_MC_VM_MX_L1_TLB_CNTL__ENABLE_ADVANCED_DRIVER_MODEL |
	     MMHUB1_MC_VM_MX_L1_TLB_CNTL__ATC_EN |
	     FIELD_PREP(MMHUB1_MC_VM_MX_L1_TLB_CNTL__SYSTEM_ACCESS_MODE, 3) |
	     FIELD_PREP(MMHUB1_MC_VM_MX_L1_TLB_CNTL__MTYPE, HW_MTYPE_UC);
	hub_write(hw, hub, MMHUB1_MC_VM_MX_L1_TLB_CNTL, v);
}

static void hw_hub_init_l2(struct hw_device *hw, unsigned int hub)
{
	u32 v = hub_read(hw, hub, MMHUB1_VM_L2_CNTL);

	v &= ~(MMHUB1_VM_L2_CNTL__L2_PDE0_CACHE_TAG_GENERATION_MODE |
	       MMHUB1_VM_L2_CNTL__PDE_FAULT_CLASSIFICATION |
	       MMHUB1_VM_L2_CNTL__CONTEXT1_IDENTITY_ACCESS_MODE |
	       MMHUB1_VM_L2_CNTL__IDENTITY_MODE_FRAGMENT_SIZE);
	v |= MMHUB1_VM_L2_CNTL__ENABLE_L2_CACHE | MMHUB1_VM_L2_CNTL__ENABLE_L2_FRAGMENT_PROCESSING |
	     FIELD_PREP(MMHUB1_VM_L2_CNTL__CONTEXT1_IDENTITY_ACCESS_MODE, 1);
	hub_write(hw, hub, MMHUB1_VM_L2_CNTL, v);

	v = hub_read(hw, hub, MMHUB1_VM_L2_CNTL2);
	hub_write(hw, hub, MMHUB1_VM_L2_CNTL2, v | MMHUB1_VM_L2_CNTL2__INVALIDATE_ALL_L1_TLBS |
		 MMHUB1_VM_L2_CNTL2__INVALIDATE_L2_CACHE);

	v = MMHUB1_VM_L2_CNTL3__DEFAULT & ~(MMHUB1_VM_L2_CNTL3__BANK_SELECT |
					    MMHUB1_VM_L2_CNTL3__L2_CACHE_BIGK_FRAGMENT_SIZE);
	hub_write(hw, hub, MMHUB1_VM_L2_CNTL3, v |
		 FIELD_PREP(MMHUB1_VM_L2_CNTL3__BANK_SELECT, 9) |
		 FIELD_PREP(MMHUB1_VM_L2_CNTL3__L2_CACHE_BIGK_FRAGMENT_SIZE, 6));

	v = MMHUB1_VM_L2_CNTL4__DEFAULT & ~(MMHUB1_VM_L2_CNTL4__VMC_TAP_PDE_REQUEST_PHYSICAL |
					    MMHUB1_VM_L2_CNTL4__VMC_TAP_PTE_REQUEST_PHYSICAL);
	hub_write(hw, hub, MMHUB1_VM_L2_CNTL4, v);
}

/* An identity aperture whose end lies before its start maps nothing. */
static void hw_hub_init_identity(struct hw_device *hw, unsigned int hub)
{
	hub_write(hw, hub, MMHUB1_VM_L2_CONTEXT1_IDENTITY_APERTURE_LOW_ADDR_LO32, 0xffffffff);
	hub_write(hw, hub, MMHUB1_VM_L2_CONTEXT1_IDENTITY_APERTURE_LOW_ADDR_HI32, 0xf);
	hub_write(hw, hub, MMHUB1_VM_L2_CONTEXT1_IDENTITY_APERTURE_HIGH_ADDR_LO32, 0);
	hub_write(hw, hub, MMHUB1_VM_L2_CONTEXT1_IDENTITY_APERTURE_HIGH_ADDR_HI32, 0);
	hub_write(hw, hub, MMHUB1_VM_L2_CONTEXT_IDENTITY_PHYSICAL_OFFSET_LO32, 0);
	hub_write(hw, hub, MMHUB1_VM_L2_CONTEXT_IDENTITY_PHYSICAL_OFFSET_HI32, 0);
}

static void hw_hub_init_faults(struct hw_device *hw, unsigned int hub)
{
	u32 v = hub_read(hw, hub, MMHUB1_VM_L2_PROTECTION_FAULT_CNTL2);

	hub_write(hw, hub, MMHUB1_VM_L2_PROTECTION_FAULT_CNTL2,
		  v | MMHUB1_VM_L2_PROTECTION_FAULT_CNTL2__ACTIVE_PAGE_MIGRATION_PTE_READ_RETRY);
	v = hub_read(hw, hub, MMHUB1_VM_L2_PROTECTION_FAULT_CNTL);
	hub_write(hw, hub, MMHUB1_VM_L2_PROTECTION_FAULT_CNTL,
		  v | MMHUB1_VM_L2_PROTECTION_FAULT_CNTL__ENABLE_DEFAULT);
}

/* Context 0: the GART, one flat table in VRAM. */
static void hw_hub_init_system(struct hw_device *hw, unsigned int hub)
{
	u64 first = hw->gart.base >> 12;
	u32 v = hub_read(hw, hub, MMHUB1_VM_CONTEXT0_CNTL);

	hw_hub_set_root(hw, hub, 0,
			((hw->vram_pa + hw->gart.table) & HW_PTE_ADDR_MASK) | HW_PTE_VALID);
	hw_hub_set_range(hw, hub, 0, first, first + hw->gart.pages - 1);
	v &= ~(HW_CTX(PAGE_TABLE_DEPTH) | HW_CTX(RETRY_PERMISSION_OR_INVALID_PAGE_FAULT));
	hub_write(hw, hub, MMHUB1_VM_CONTEXT0_CNTL,
		  v | HW_CTX(ENABLE_CONTEXT) | HW_HUB_FAULT_IRQS);
}

static void hw_hub_init_context(struct hw_device *hw, unsigned int hub, unsigned int vmid)
{
	u32 reg = MMHUB1_VM_CONTEXT0_CNTL + vmid * MMHUB1_CONTEXT_STRIDE;
	u32 v = hub_read(hw, hub, reg);

	hw_hub_set_root(hw, hub, vmid, 0);
	hw_hub_set_range(hw, hub, vmid, 0, (1ULL << (hw->chip->va_bits - 12)) - 1);
	v &= ~(HW_CTX(PAGE_TABLE_DEPTH) | HW_CTX(PAGE_TABLE_BLOCK_SIZE) |
	       HW_CTX(RETRY_PERMISSION_OR_INVALID_PAGE_FAULT));
	v |= HW_CTX(ENABLE_CONTEXT) | FIELD_PREP(HW_CTX(PAGE_TABLE_DEPTH), 3) |
	     HW_HUB_FAULT_IRQS | HW_HUB_FAULT_DEFAULTS;
	hub_write(hw, hub, reg, v);
}

static void hw_hub_init_engines(struct hw_device *hw, unsigned int hub)
{
	unsigned int i;
	u32 at;

	for (i = 0; i < MMHUB1_INVALIDATE_ENGINES; i++) {
		at = i * MMHUB1_ENG_RANGE_STRIDE;
		hub_write(hw, hub, MMHUB1_VM_INVALIDATE_ENG0_ADDR_RANGE_LO32 + at, HW_HUB_RANGE_LO);
		hub_write(hw, hub, MMHUB1_VM_INVALIDATE_ENG0_ADDR_RANGE_HI32 + at, HW_HUB_RANGE_HI);
	}
}

static void hw_hub_init_one(struct hw_device *hw, unsigned int hub)
{
	unsigned int vmid;

	hw_hub_init_aperture(hw, hub);
	hw_hub_init_tlb(hw, hub);
	hw_hub_init_l2(hw, hub);
	hw_hub_init_identity(hw, hub);
	hw_hub_init_faults(hw, hub);
	hw_hub_init_system(hw, hub);
	for (vmid = 1; vmid < MMHUB1_VM_CONTEXTS; vmid++)
		hw_hub_init_context(hw, hub, vmid);
	hw_hub_init_engines(hw, hub);
}

/**
 * hw_hub_init - set up translation
 * @hw: device; the GART is laid out
 *
 * Context: process.
 * Return: 0, -ETIMEDOUT, -ENODEV.
 */
int hw_hub_init(struct hw_device *hw)
{
	unsigned int hub;

	for (hub = 0; hub < hw->chip->mmhub->hubs; hub++)
		hw_hub_init_one(hw, hub);
	return hw_hub_flush(hw, 0xffff);
}

/* No context translates any more. */
static void hw_hub_close(struct hw_device *hw, unsigned int hub)
{
	unsigned int vmid;

	for (vmid = 0; vmid < MMHUB1_VM_CONTEXTS; vmid++) {
		hub_write(hw, hub, MMHUB1_VM_CONTEXT0_CNTL + vmid * MMHUB1_CONTEXT_STRIDE, 0);
		hw_hub_set_root(hw, hub, vmid, 0);
	}
}

static void hw_hub_off(struct hw_device *hw, unsigned int hub)
{
	u32 v = hub_read(hw, hub, MMHUB1_MC_VM_MX_L1_TLB_CNTL);

	hub_write(hw, hub, MMHUB1_MC_VM_MX_L1_TLB_CNTL,
		  v & ~(MMHUB1_MC_VM_MX_L1_TLB_CNTL__ENABLE_L1_TLB |
			MMHUB1_MC_VM_MX_L1_TLB_CNTL__ENABLE_ADVANCED_DRIVER_MODEL));
	v = hub_read(hw, hub, MMHUB1_VM_L2_CNTL);
	hub_write(hw, hub, MMHUB1_VM_L2_CNTL, v & ~MMHUB1_VM_L2_CNTL__ENABLE_L2_CACHE);
	hub_write(hw, hub, MMHUB1_VM_L2_CNTL3, 0);
}

/**
 * hw_hub_fini - stop translation
 * @hw: device; no engine runs
 *
 * Context: process.
 */
void hw_hub_fini(struct hw_device *hw)
{
	unsigned int hub;

	for (hub = 0; hub < hw->chip->mmhub->hubs; hub++)
		hw_hub_close(hw, hub);
	hw_hub_flush(hw, 0xffff);
	for (hub = 0; hub < hw->chip->mmhub->hubs; hub++)
		hw_hub_off(hw, hub);
}

/**
 * hw_hub_set_context - give a VMID its page table
 * @hw: device
 * @vmid: 1 to 15
 * @root_pde: entry of the root directory, with its valid bit
 *
 * Translations of the VMID's former owner are forgotten.
 *
 * Context: process.
 * Return: 0, -EINVAL, -ETIMEDOUT, -ENODEV.
 */
int hw_hub_set_context(struct hw_device *hw, unsigned int vmid, u64 root_pde)
{
	unsigned int hub;

	if (!vmid || vmid >= MMHUB1_VM_CONTEXTS)
		return -EINVAL;
	for (hub = 0; hub < hw->chip->mmhub->hubs; hub++)
		hw_hub_set_root(hw, hub, vmid, root_pde);
	return hw_hub_flush(hw, BIT(vmid));
}

/**
 * hw_hub_clear_context - take a VMID's page table away
 * @hw: device
 * @vmid: 1 to 15; no engine uses it any more
 *
 * Context: process.
 */
void hw_hub_clear_context(struct hw_device *hw, unsigned int vmid)
{
	hw_hub_set_context(hw, vmid, 0);
}

/*
 * The hub may lose an answer when it powers down; holding the engine's
 * semaphore keeps it awake.  A read of 1 takes it, a write of 0 gives it back.
 */
static bool hw_hub_take_sem(struct hw_device *hw, u32 sem)
{
	int ret = hw_poll(hw, sem, 1, 1, HW_HUB_SEM_TIMEOUT_US);

	if (ret == -ETIMEDOUT)
		dev_err_ratelimited(&hw->pdev->dev, "no semaphore for a TLB flush\n");
	return !ret;
}

static int hw_hub_flush_locked(struct hw_device *hw, unsigned int hub, u16 mask)
{
	u32 at = HW_HUB_CPU_ENGINE * MMHUB1_ENG_STRIDE;
	u32 sem = hw_hub_reg(hw, hub, MMHUB1_VM_INVALIDATE_ENG0_SEM + at);
	u32 ack = hw_hub_reg(hw, hub, MMHUB1_VM_INVALIDATE_ENG0_ACK + at);
	bool held;
	int ret;

	lockdep_assert_held(&hw->tlb_lock);
	held = !hw->chip->mmhub->no_semaphore && hw_hub_take_sem(hw, sem);
	hub_write(hw, hub, MMHUB1_VM_INVALIDATE_ENG0_REQ + at,
		  FIELD_PREP(MMHUB1_VM_INVALIDATE_ENG0_REQ__PER_VMID_INVALIDATE_REQ, mask) |
		  HW_HUB_REQ_ALL);
	ret = hw_poll(hw, ack, mask, mask, HW_HUB_TIMEOUT_US);
	if (held)
		hw_write(hw, sem, 0);
	return ret;
}

/**
 * hw_hub_flush - forget all translations of some VMIDs
 * @hw: device
 * @mask: one bit a VMID
 *
 * When it returns 0 no engine uses a translation that was cached before the
 * call.  Entries in VRAM that the CPU wrote need hw_hdp_flush() first.
 *
 * Context: process.
 * Return: 0, -ETIMEDOUT (the hub did not acknowledge), -ENODEV.
 */
int hw_hub_flush(struct hw_device *hw, u16 mask)
{
	unsigned int hub;
	int ret = 0, one;

	if (!mask)
		return 0;
	mutex_lock(&hw->tlb_lock);
	/* Page-table entries in system memory before the request. */
	wmb();
	for (hub = 0; hub < hw->chip->mmhub->hubs; hub++) {
		one = hw_hub_flush_locked(hw, hub, mask);
		ret = ret ? ret : one;
	}
	mutex_unlock(&hw->tlb_lock);
	if (ret == -ETIMEDOUT)
		dev_err_ratelimited(&hw->pdev->dev, "TLB flush of VMIDs 0x%04x timed out\n", mask);
	return ret;
}

/*
 * ATHUB has a table for GFX clients and one for those of the memory hub, and a
 * status bit for each entry that changed.  The two updates take the same time, so
 * the first is waited for with patience and the second only for what may be left.
 */
static void hw_hub_set_athub(struct hw_device *hw, unsigned int vmid, u32 entry)
{
	u32 status = ATHUB1_ATC_VMID_PASID_MAPPING_UPDATE_STATUS;
	u32 first = BIT(vmid), second = BIT(vmid + 16);

	hw_write(hw, ATHUB1_ATC_VMID16_PASID_MAPPING + vmid * HW_DW(1), entry);
	hw_write(hw, ATHUB1_ATC_VMID0_PASID_MAPPING + vmid * HW_DW(1), entry);
	if (hw_poll(hw, status, first, first, HW_HUB_TIMEOUT_US) == -ETIMEDOUT)
		dev_err_ratelimited(&hw->pdev->dev, "PASID update of VMID %u timed out\n", vmid);
	hw_poll(hw, status, second, second, HW_HUB_ATHUB_REST_US);
	hw_write(hw, status, first | second);
}

/**
 * hw_hub_set_pasid - bind a VMID to a PASID
 * @hw: device
 * @vmid: 1 to 15
 * @pasid: identity of the process; 0 clears
 *
 * Interrupt entries of the VMID carry the PASID from now on.
 *
 * Context: process.
 */
void hw_hub_set_pasid(struct hw_device *hw, unsigned int vmid, u16 pasid)
{
	u32 entry = pasid ? pasid | ATHUB1_ATC_VMID0_PASID_MAPPING__VALID : 0;

	if (!vmid || vmid >= MMHUB1_VM_CONTEXTS)
		return;
	mutex_lock(&hw->pasid_lock);
	hw_hub_set_athub(hw, vmid, entry);
	hw_write(hw, OSSSYS4_IH_VMID_0_LUT + vmid * HW_DW(1), pasid);
	hw_write(hw, OSSSYS4_IH_VMID_0_LUT_MM + vmid * HW_DW(1), pasid);
	mutex_unlock(&hw->pasid_lock);
}

/**
 * hw_hub_fault_take - read and clear the latch of the first fault
 * @hw: device
 * @hub: number of the hub
 * @fault: result
 *
 * Context: any.
 * Return: true if a fault was latched.
 */
bool hw_hub_fault_take(struct hw_device *hw, unsigned int hub, struct hw_hub_fault *fault)
{
	u32 status = hub_read(hw, hub, MMHUB1_VM_L2_PROTECTION_FAULT_STATUS);
	u64 page;
	u32 v;

	if (!status || hw->lost)
		return false;
	page = hub_read(hw, hub, MMHUB1_VM_L2_PROTECTION_FAULT_ADDR_LO32);
	page |= (u64)(hub_read(hw, hub, MMHUB1_VM_L2_PROTECTION_FAULT_ADDR_HI32) & 0xf) << 32;
	fault->addr = page << 12;
	fault->vmid = FIELD_GET(MMHUB1_VM_L2_PROTECTION_FAULT_STATUS__VMID, status);
	fault->client = FIELD_GET(MMHUB1_VM_L2_PROTECTION_FAULT_STATUS__CID, status);
	fault->write = status & MMHUB1_VM_L2_PROTECTION_FAULT_STATUS__RW;
	fault->permission = FIELD_GET(MMHUB1_VM_L2_PROTECTION_FAULT_STATUS__PERMISSION_FAULTS,
				      status);
	fault->walker_error = FIELD_GET(MMHUB1_VM_L2_PROTECTION_FAULT_STATUS__WALKER_ERROR, status);
	fault->mapping_error = status & MMHUB1_VM_L2_PROTECTION_FAULT_STATUS__MAPPING_ERROR;
	fault->more = status & MMHUB1_VM_L2_PROTECTION_FAULT_STATUS__MORE_FAULTS;

	v = hub_read(hw, hub, MMHUB1_VM_L2_PROTECTION_FAULT_CNTL);
	hub_write(hw, hub, MMHUB1_VM_L2_PROTECTION_FAULT_CNTL,
		  v | MMHUB1_VM_L2_PROTECTION_FAULT_CNTL__CLEAR_PROTECTION_FAULT_STATUS_ADDR);
	hub_write(hw, hub, MMHUB1_VM_L2_PROTECTION_FAULT_CNTL,
		  v & ~MMHUB1_VM_L2_PROTECTION_FAULT_CNTL__CLEAR_PROTECTION_FAULT_STATUS_ADDR);
	return true;
}
