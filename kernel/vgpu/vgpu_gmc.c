// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: registers of the memory hub
 *
 * All registers of the block are kept in one array; a few have effects.  Reads of
 * a semaphore take it, requests of the eighteen invalidate engines reach every TLB,
 * two bits clear the fault latch.  Registers that the model has no use for read as
 * they were written.  A request is acknowledged in ACK once each engine that was
 * inside a chunk has left it (vgpu_tlb.h); nothing runs in the background for that,
 * the read of ACK looks.  The address range of a request is ignored: all of the
 * VMID goes.  Retry faults are not modelled.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "../hw/regs/mmhub_1_0_regs.h"
#include "vgpu_gmc.h"
#include "vgpu_mmu.h"
#include "vgpu_os.h"
#include "vgpu_profile.h"
#include "vgpu_tlb.h"

#define BASE			HW_DW(MMHUB1_BASE)
#define SHARED			(MMHUB1_SHARED - BASE)
#define REGS			(MMHUB1_SIZE / sizeof(u32))
#define CONTEXTS		MMHUB1_VM_CONTEXTS
#define ENGINES			MMHUB1_INVALIDATE_ENGINES
#define ALL_VMIDS		GENMASK(15, 0)

/* Bits of VM_L2_PROTECTION_FAULT_CNTL that the register header has no user for. */
#define FAULT_CNTL_CLEAR	BIT(0)
#define FAULT_CNTL_SUBSEQUENT	BIT(1)

/* FLUSH bits that a request needs before the model's TLBs drop anything. */
#define REQ_LEAVES	(MMHUB1_VM_INVALIDATE_ENG0_REQ__INVALIDATE_L1_PTES | \
			 MMHUB1_VM_INVALIDATE_ENG0_REQ__INVALIDATE_L2_PTES)

/* PERMISSION_FAULTS */
#define PERM_VALID		BIT(0)
#define PERM_READ		BIT(1)
#define PERM_WRITE		BIT(2)

/* Ring byte of a fault's interrupt entry, as amdkfd reads it. */
#define IV_RING_VALID		BIT(3)
#define IV_RING_READ		BIT(4)
#define IV_RING_WRITE		BIT(5)
/* Second context word: page number 35:32, and whether it was a store. */
#define IV_CTX1_PAGE_HI		GENMASK(3, 0)
#define IV_CTX1_WRITE		BIT(5)

/* What a fault was about; also says which of a context's bits enables its interrupt. */
enum fault_kind {
	FAULT_RANGE,
	FAULT_PDE,
	FAULT_PTE,
	FAULT_MEMORY,
	FAULT_PERMISSION,
};

/**
 * struct inval_engine - requests under way on one invalidate engine
 * @pending: VMIDs whose ACK is still to come
 * @wait: for each TLB, 0 or the chunk that must be over first
 */
struct inval_engine {
	u16 pending;
	unsigned long wait[VGPU_GMC_MAX_TLBS];
};

/**
 * struct vgpu_gmc - memory hub
 * @block: register range
 * @spec: where its registers lie
 * @client: its number as a client of the interrupt handler
 * @bus: platform
 * @lock: guards all below
 * @regs: registers as last written
 * @engine: invalidate engines
 * @tlb: caches of the engines
 */
struct vgpu_gmc {
	struct vgpu_block block;
	const struct vgpu_hub_spec *spec;
	u8 client;
	struct vgpu_bus bus;
	vgpu_lock_t lock;
	u32 regs[REGS];
	struct inval_engine engine[ENGINES];
	struct vgpu_tlb *tlb[VGPU_GMC_MAX_TLBS];
};

static u32 *reg(struct vgpu_gmc *gmc, u32 address)
{
	return &gmc->regs[(address - BASE) / sizeof(u32)];
}

static u64 reg_pair(struct vgpu_gmc *gmc, u32 lo)
{
	return *reg(gmc, lo) | (u64)*reg(gmc, lo + sizeof(u32)) << 32;
}

/* Index of @offset (from the block's base) in @count registers from @first on, or -1. */
static int bank_index(u32 offset, u32 first, unsigned int count)
{
	u32 start = first - BASE;

	if (offset < start || offset >= start + HW_DW(count))
		return -1;
	return (offset - start) / sizeof(u32);
}

/* Flushing */

static void flush_tlbs_locked(struct vgpu_gmc *gmc, u16 vmids, unsigned long *wait)
{
	unsigned int i;

	vgpu_assert_locked(&gmc->lock);
	for (i = 0; i < VGPU_GMC_MAX_TLBS; i++) {
		unsigned long seq = gmc->tlb[i] ? vgpu_tlb_flush(gmc->tlb[i], vmids) : 0;

		/* An older wait is over when the newer one is: chunks follow each other. */
		if (seq && wait)
			wait[i] = seq;
	}
}

static bool engine_done_locked(struct vgpu_gmc *gmc, struct inval_engine *engine)
{
	unsigned int i;

	vgpu_assert_locked(&gmc->lock);
	for (i = 0; i < VGPU_GMC_MAX_TLBS; i++) {
		if (!engine->wait[i])
			continue;
		if (gmc->tlb[i] && !vgpu_tlb_passed(gmc->tlb[i], engine->wait[i]))
			return false;
		engine->wait[i] = 0;
	}
	return true;
}

static void clear_fault_locked(struct vgpu_gmc *gmc)
{
	vgpu_assert_locked(&gmc->lock);
	*reg(gmc, MMHUB1_VM_L2_PROTECTION_FAULT_STATUS) = 0;
	*reg(gmc, MMHUB1_VM_L2_PROTECTION_FAULT_ADDR_LO32) = 0;
	*reg(gmc, MMHUB1_VM_L2_PROTECTION_FAULT_ADDR_HI32) = 0;
}

static void invalidate_locked(struct vgpu_gmc *gmc, unsigned int index, u32 req)
{
	u16 vmids = FIELD_GET(MMHUB1_VM_INVALIDATE_ENG0_REQ__PER_VMID_INVALIDATE_REQ, req);
	struct inval_engine *engine = &gmc->engine[index];
	u32 *ack = reg(gmc, MMHUB1_VM_INVALIDATE_ENG0_ACK + index * MMHUB1_ENG_STRIDE);

	vgpu_assert_locked(&gmc->lock);
	*ack &= ~(u32)vmids;
	engine->pending |= vmids;
	if ((req & REQ_LEAVES) == REQ_LEAVES)
		flush_tlbs_locked(gmc, vmids, engine->wait);
	if (req & MMHUB1_VM_INVALIDATE_ENG0_REQ__CLEAR_PROTECTION_FAULT_STATUS_ADDR)
		clear_fault_locked(gmc);
}

static u32 read_ack_locked(struct vgpu_gmc *gmc, unsigned int index)
{
	struct inval_engine *engine = &gmc->engine[index];
	u32 *ack = reg(gmc, MMHUB1_VM_INVALIDATE_ENG0_ACK + index * MMHUB1_ENG_STRIDE);

	vgpu_assert_locked(&gmc->lock);
	if (engine->pending && engine_done_locked(gmc, engine)) {
		*ack |= engine->pending;
		engine->pending = 0;
	}
	return *ack;
}

/* Registers */

/* Reading a free semaphore takes it and says so; writing 0 gives it back. */
static u32 read_sem_locked(struct vgpu_gmc *gmc, u32 offset)
{
	u32 *taken = &gmc->regs[offset / sizeof(u32)];

	vgpu_assert_locked(&gmc->lock);
	if (*taken || gmc->spec->no_semaphore)
		return 0;
	*taken = 1;
	return 1;
}

/* Offset in MMHUB 1.0 of the register at @offset; false if there is none. */
static bool find_reg(const struct vgpu_gmc *gmc, u32 *offset)
{
	const struct vgpu_hub_spec *spec = gmc->spec;

	if (*offset >= SHARED + spec->shared_shift) {
		*offset -= spec->shared_shift;
		return *offset < MMHUB1_SIZE;
	}
	if (*offset < spec->vm_shift)
		return false;
	*offset -= spec->vm_shift;
	return *offset < SHARED;
}

static u32 gmc_read(struct vgpu_block *block, u32 offset)
{
	struct vgpu_gmc *gmc = container_of(block, struct vgpu_gmc, block);
	unsigned long flags;
	u32 value;
	int i;

	if (!find_reg(gmc, &offset))
		return ~0u;
	vgpu_lock(&gmc->lock, flags);
	i = bank_index(offset, MMHUB1_VM_INVALIDATE_ENG0_ACK, ENGINES);
	if (i >= 0)
		value = read_ack_locked(gmc, i);
	else if (bank_index(offset, MMHUB1_VM_INVALIDATE_ENG0_SEM, ENGINES) >= 0)
		value = read_sem_locked(gmc, offset);
	else
		value = gmc->regs[offset / sizeof(u32)];
	vgpu_unlock(&gmc->lock, flags);
	return value;
}

static void write_l2_cntl2_locked(struct vgpu_gmc *gmc, u32 value)
{
	const u32 now = MMHUB1_VM_L2_CNTL2__INVALIDATE_ALL_L1_TLBS |
			MMHUB1_VM_L2_CNTL2__INVALIDATE_L2_CACHE;

	vgpu_assert_locked(&gmc->lock);
	if (value & now)
		flush_tlbs_locked(gmc, ALL_VMIDS, NULL);
	*reg(gmc, MMHUB1_VM_L2_CNTL2) = value & ~now;
}

static bool write_single_locked(struct vgpu_gmc *gmc, u32 address, u32 value)
{
	vgpu_assert_locked(&gmc->lock);
	switch (address) {
	case MMHUB1_VM_L2_PROTECTION_FAULT_STATUS:
	case MMHUB1_VM_L2_PROTECTION_FAULT_ADDR_LO32:
	case MMHUB1_VM_L2_PROTECTION_FAULT_ADDR_HI32:
		return true;
	case MMHUB1_VM_L2_PROTECTION_FAULT_CNTL:
		if (value & FAULT_CNTL_CLEAR)
			clear_fault_locked(gmc);
		*reg(gmc, address) = value & ~FAULT_CNTL_CLEAR;
		return true;
	case MMHUB1_VM_L2_CNTL2:
		write_l2_cntl2_locked(gmc, value);
		return true;
	default:
		return false;
	}
}

static void gmc_write(struct vgpu_block *block, u32 offset, u32 value)
{
	struct vgpu_gmc *gmc = container_of(block, struct vgpu_gmc, block);
	unsigned long flags;
	int i;

	if (!find_reg(gmc, &offset))
		return;
	vgpu_lock(&gmc->lock, flags);
	if (bank_index(offset, MMHUB1_VM_INVALIDATE_ENG0_ACK, ENGINES) >= 0 ||
	    write_single_locked(gmc, BASE + (offset & ~3u), value))
		goto unlock;
	gmc->regs[offset / sizeof(u32)] = value;
	i = bank_index(offset, MMHUB1_VM_INVALIDATE_ENG0_REQ, ENGINES);
	if (i >= 0)
		invalidate_locked(gmc, i, value);
	if (bank_index(offset, MMHUB1_VM_INVALIDATE_ENG0_SEM, ENGINES) >= 0)
		gmc->regs[offset / sizeof(u32)] = 0;
unlock:
	vgpu_unlock(&gmc->lock, flags);
}

static void gmc_reset(struct vgpu_block *block)
{
	struct vgpu_gmc *gmc = container_of(block, struct vgpu_gmc, block);
	u64 top = VGPU_FB_BASE + gmc->bus.vram_size - 1;
	unsigned long flags;
	unsigned int i;

	vgpu_lock(&gmc->lock, flags);
	for (i = 0; i < REGS; i++)
		gmc->regs[i] = 0;
	for (i = 0; i < ENGINES; i++)
		gmc->engine[i] = (struct inval_engine){};
	*reg(gmc, MMHUB1_MC_VM_FB_LOCATION_BASE) = VGPU_FB_BASE >> 24;
	*reg(gmc, MMHUB1_MC_VM_FB_LOCATION_TOP) = top >> 24;
	flush_tlbs_locked(gmc, ALL_VMIDS, NULL);
	vgpu_unlock(&gmc->lock, flags);
}

static const struct vgpu_block_ops gmc_ops = {
	.reset = gmc_reset,
	.read = gmc_read,
	.write = gmc_write,
};

/* Faults */

static u32 interrupt_bit(enum fault_kind kind, bool write)
{
	switch (kind) {
	case FAULT_RANGE:
		return MMHUB1_VM_CONTEXT0_CNTL__RANGE_PROTECTION_FAULT_ENABLE_INTERRUPT;
	case FAULT_PERMISSION:
		return write ? MMHUB1_VM_CONTEXT0_CNTL__WRITE_PROTECTION_FAULT_ENABLE_INTERRUPT :
			       MMHUB1_VM_CONTEXT0_CNTL__READ_PROTECTION_FAULT_ENABLE_INTERRUPT;
	default:
		return MMHUB1_VM_CONTEXT0_CNTL__VALID_PROTECTION_FAULT_ENABLE_INTERRUPT;
	}
}

static u32 fault_status(enum fault_kind kind, unsigned int level,
			const struct vgpu_access *access)
{
	u32 perm = access->write ? PERM_WRITE : PERM_READ;
	u32 walker = 0;

	if (kind == FAULT_RANGE)
		walker = 1;
	else if (kind == FAULT_PDE)
		walker = 1 + level;	/* PDB0 is 2 */
	if (kind != FAULT_PERMISSION)
		perm |= PERM_VALID;
	return FIELD_PREP(MMHUB1_VM_L2_PROTECTION_FAULT_STATUS__WALKER_ERROR, walker) |
	       FIELD_PREP(MMHUB1_VM_L2_PROTECTION_FAULT_STATUS__PERMISSION_FAULTS, perm) |
	       FIELD_PREP(MMHUB1_VM_L2_PROTECTION_FAULT_STATUS__MAPPING_ERROR,
			  kind == FAULT_MEMORY) |
	       FIELD_PREP(MMHUB1_VM_L2_PROTECTION_FAULT_STATUS__CID,
			  access->write ? access->cid_write : access->cid_read) |
	       FIELD_PREP(MMHUB1_VM_L2_PROTECTION_FAULT_STATUS__RW, access->write) |
	       FIELD_PREP(MMHUB1_VM_L2_PROTECTION_FAULT_STATUS__VMID, access->vmid);
}

/* The first fault stays until it is cleared, unless the driver asked for the last. */
static void latch_locked(struct vgpu_gmc *gmc, u32 status, u64 page)
{
	u32 *latch = reg(gmc, MMHUB1_VM_L2_PROTECTION_FAULT_STATUS);
	bool later = *reg(gmc, MMHUB1_VM_L2_PROTECTION_FAULT_CNTL) & FAULT_CNTL_SUBSEQUENT;

	vgpu_assert_locked(&gmc->lock);
	if (*latch)
		status |= MMHUB1_VM_L2_PROTECTION_FAULT_STATUS__MORE_FAULTS;
	if (*latch && !later) {
		*latch |= MMHUB1_VM_L2_PROTECTION_FAULT_STATUS__MORE_FAULTS;
		return;
	}
	*latch = status;
	*reg(gmc, MMHUB1_VM_L2_PROTECTION_FAULT_ADDR_LO32) = lower_32_bits(page);
	*reg(gmc, MMHUB1_VM_L2_PROTECTION_FAULT_ADDR_HI32) = upper_32_bits(page) & IV_CTX1_PAGE_HI;
}

static void report_fault(struct vgpu_gmc *gmc, const struct vgpu_access *access, u64 va,
			 enum fault_kind kind, unsigned int level)
{
	u32 cntl = MMHUB1_VM_CONTEXT0_CNTL + access->vmid * MMHUB1_CONTEXT_STRIDE;
	u64 page = va >> VGPU_PAGE_SHIFT;
	struct vgpu_iv iv = {
		.client = gmc->client,
		.source = VGPU_SOURCE_VM_FAULT,
		.ring = (access->write ? IV_RING_WRITE : IV_RING_READ) |
			(kind != FAULT_PERMISSION ? IV_RING_VALID : 0),
		.vmid = access->vmid,
		.ctx[0] = lower_32_bits(page),
		.ctx[1] = (upper_32_bits(page) & IV_CTX1_PAGE_HI) |
			  (access->write ? IV_CTX1_WRITE : 0),
	};
	unsigned long flags;
	bool interrupt;

	vgpu_lock(&gmc->lock, flags);
	latch_locked(gmc, fault_status(kind, level, access), page);
	interrupt = *reg(gmc, cntl) & interrupt_bit(kind, access->write);
	vgpu_unlock(&gmc->lock, flags);
	if (!interrupt)
		return;
	if (access->fault)
		*access->fault = iv;
	else
		gmc->bus.irq(gmc->bus.ctx, &iv);
}

/* Translation */

static void load_context_locked(struct vgpu_gmc *gmc, unsigned int vmid,
				struct vgpu_mmu_context *ctx)
{
	u32 pair = vmid * MMHUB1_CONTEXT_ADDR_STRIDE;
	u32 cntl = *reg(gmc, MMHUB1_VM_CONTEXT0_CNTL + vmid * MMHUB1_CONTEXT_STRIDE);

	vgpu_assert_locked(&gmc->lock);
	ctx->enabled = cntl & MMHUB1_VM_CONTEXT0_CNTL__ENABLE_CONTEXT;
	ctx->depth = FIELD_GET(MMHUB1_VM_CONTEXT0_CNTL__PAGE_TABLE_DEPTH, cntl);
	ctx->block = FIELD_GET(MMHUB1_VM_CONTEXT0_CNTL__PAGE_TABLE_BLOCK_SIZE, cntl);
	ctx->root = reg_pair(gmc, MMHUB1_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32 + pair);
	ctx->first = reg_pair(gmc, MMHUB1_VM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32 + pair);
	ctx->last = reg_pair(gmc, MMHUB1_VM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32 + pair);
	ctx->fb_offset = (u64)*reg(gmc, MMHUB1_MC_VM_FB_OFFSET) << 24;
}

/* VMID 0 sees VRAM at its MC address without a table. */
static bool in_frame_buffer_locked(struct vgpu_gmc *gmc, u64 va, u64 *offset)
{
	u64 base = (u64)(*reg(gmc, MMHUB1_MC_VM_FB_LOCATION_BASE) &
			 MMHUB1_MC_VM_FB_LOCATION_BASE__FB_BASE) << 24;
	u64 end = ((u64)(*reg(gmc, MMHUB1_MC_VM_FB_LOCATION_TOP) &
			 MMHUB1_MC_VM_FB_LOCATION_TOP__FB_TOP) + 1) << 24;

	vgpu_assert_locked(&gmc->lock);
	*offset = va - base;
	return va >= base && va < end;
}

/* All of a group lies in the frame buffer if a part does: its bounds are multiples of 16 MiB. */
static void direct_group(u64 page, u64 offset, u64 line[VGPU_MMU_LINE])
{
	u64 first = offset - ((page % VGPU_MMU_LINE) << VGPU_PAGE_SHIFT);
	unsigned int i;

	for (i = 0; i < VGPU_MMU_LINE; i++)
		line[i] = (first + ((u64)i << VGPU_PAGE_SHIFT)) | VGPU_XLATE_VALID |
			  VGPU_XLATE_READ | VGPU_XLATE_WRITE;
}

/* Group of @page by a table of PTEs that is still known; NULL if that does not lead to it. */
static const u64 *from_table(struct vgpu_gmc *gmc, struct vgpu_tlb *tlb,
			     const struct vgpu_access *access, unsigned long gen, u64 page)
{
	const struct vgpu_tlb_table *t = vgpu_tlb_table(tlb, page, access->write);
	struct vgpu_mapping map;

	if (t->gen != gen || t->vmid != access->vmid ||
	    !vgpu_mmu_beside(&t->ctx, &t->map, t->page, page, &map))
		return NULL;
	vgpu_mmu_line(&gmc->bus, &t->ctx, page, &map, tlb->line);
	if (!tlb->line[page % VGPU_MMU_LINE])
		return NULL;
	return vgpu_tlb_insert(tlb, access->vmid, gen, page, tlb->line);
}

/* Group of @page by a walk from the root. */
static enum vgpu_mmu_status from_root(struct vgpu_gmc *gmc, struct vgpu_tlb *tlb,
				      const struct vgpu_access *access, unsigned long gen,
				      u64 page, const u64 **group, u8 *level)
{
	struct vgpu_tlb_table *t = vgpu_tlb_table(tlb, page, access->write);
	enum vgpu_mmu_status status;
	unsigned long flags;

	vgpu_lock(&gmc->lock, flags);
	load_context_locked(gmc, access->vmid, &t->ctx);
	vgpu_unlock(&gmc->lock, flags);
	t->gen = 0;
	status = vgpu_mmu_walk(&gmc->bus, &t->ctx, page, &t->map);
	*level = t->map.level;
	if (status != VGPU_MMU_OK)
		return status;
	t->vmid = access->vmid;
	t->page = page;
	t->gen = gen;
	vgpu_mmu_line(&gmc->bus, &t->ctx, page, &t->map, tlb->line);
	*group = vgpu_tlb_insert(tlb, access->vmid, gen, page, tlb->line);
	return VGPU_MMU_OK;
}

static bool is_direct(struct vgpu_gmc *gmc, unsigned int vmid, u64 page, u64 *offset)
{
	unsigned long flags;
	bool direct;

	if (vmid)
		return false;
	vgpu_lock(&gmc->lock, flags);
	direct = in_frame_buffer_locked(gmc, page << VGPU_PAGE_SHIFT, offset);
	vgpu_unlock(&gmc->lock, flags);
	return direct;
}

/* A page that the TLB does not know; @group gets the translations around it. */
static enum vgpu_mmu_status translate(struct vgpu_gmc *gmc, struct vgpu_tlb *tlb,
				      const struct vgpu_access *access, unsigned long gen,
				      u64 page, const u64 **group, u8 *level)
{
	u64 offset;

	if (is_direct(gmc, access->vmid, page, &offset)) {
		direct_group(page, offset, tlb->line);
		*group = tlb->line;
		return VGPU_MMU_OK;
	}
	*group = from_table(gmc, tlb, access, gen, page);
	if (*group)
		return VGPU_MMU_OK;
	return from_root(gmc, tlb, access, gen, page, group, level);
}

static enum fault_kind fault_of(enum vgpu_mmu_status status)
{
	switch (status) {
	case VGPU_MMU_RANGE:
		return FAULT_RANGE;
	case VGPU_MMU_PDE:
		return FAULT_PDE;
	case VGPU_MMU_PTE:
		return FAULT_PTE;
	default:
		return FAULT_MEMORY;
	}
}

static bool allowed(const struct vgpu_access *access, u64 xlate)
{
	return xlate & (access->write ? VGPU_XLATE_WRITE : VGPU_XLATE_READ);
}

/* There is no memory behind a page of VRAM: is it worth coming back? */
static bool try_later(struct vgpu_gmc *gmc, const struct vgpu_access *access, u64 xlate)
{
	if (!access->later || (xlate & VGPU_XLATE_SYSTEM) ||
	    !gmc->bus.vram_wait(gmc->bus.ctx, xlate & VGPU_XLATE_ADDR))
		return false;
	*access->later = true;
	return true;
}

/**
 * vgpu_gmc_pages() - memory behind an address and what follows it, for an engine
 * @gmc: hub
 * @tlb: the engine's cache
 * @access: who and how
 * @va: address; only its page counts
 * @pages: kernel addresses of that page and the next ones, as far as they are at hand;
 *	NULL where another call has to tell
 * @count: how many, not beyond the aligned group of VGPU_MMU_LINE pages
 *
 * If the first page cannot be reached, that is latched here, and reported by interrupt
 * here or by the engine (&vgpu_access.fault), unless it is to try again
 * (&vgpu_access.later).
 *
 * Context: the engine's thread, inside a chunk (vgpu_tlb_enter()); the addresses are
 * good until the chunk ends.
 * Return: kernel address of the first page, or NULL.
 */
void *vgpu_gmc_pages(struct vgpu_gmc *gmc, struct vgpu_tlb *tlb,
		     const struct vgpu_access *access, u64 va, void **pages, unsigned int count)
{
	unsigned long gen = vgpu_tlb_gen(tlb, access->vmid);
	enum vgpu_mmu_status status = VGPU_MMU_OK;
	u64 number = va >> VGPU_PAGE_SHIFT;
	const u64 *group = NULL;
	unsigned int n;
	u8 level = 0;

	if (va >> VGPU_VA_BITS)
		status = VGPU_MMU_RANGE;
	else
		group = vgpu_tlb_lookup(tlb, access->vmid, gen, number);
	if (status == VGPU_MMU_OK && !group)
		status = translate(gmc, tlb, access, gen, number, &group, &level);
	if (status != VGPU_MMU_OK) {
		report_fault(gmc, access, va, fault_of(status), level);
		return NULL;
	}
	group += number % VGPU_MMU_LINE;
	for (n = 0; n < count && allowed(access, group[n]);)
		n++;
	if (!n) {
		report_fault(gmc, access, va, FAULT_PERMISSION, 0);
		return NULL;
	}
	gmc->bus.pages(gmc->bus.ctx, group, n, pages);
	for (; n < count; n++)
		pages[n] = NULL;
	if (!pages[0] && !try_later(gmc, access, *group))
		report_fault(gmc, access, va, FAULT_MEMORY, 0);
	return pages[0];
}

/**
 * vgpu_gmc_fail() - a fault where there is none
 * @gmc: hub
 * @access: who and how
 * @va: address; only its page counts
 *
 * Latched and reported as if the page had no entry.
 *
 * Context: any.
 */
void vgpu_gmc_fail(struct vgpu_gmc *gmc, const struct vgpu_access *access, u64 va)
{
	report_fault(gmc, access, va, FAULT_PTE, 0);
}

/* Life */

/**
 * vgpu_gmc_create() - make a hub with its registers as after power-on
 * @bus: platform; copied
 * @spec: the chip's hubs
 * @hub: number of the hub
 *
 * Context: process context.
 * Return: the hub, or NULL without memory.
 */
struct vgpu_gmc *vgpu_gmc_create(const struct vgpu_bus *bus, const struct vgpu_hub_spec *spec,
				 unsigned int hub)
{
	struct vgpu_gmc *gmc = vgpu_zalloc(sizeof(*gmc));

	if (!gmc)
		return NULL;
	gmc->bus = *bus;
	gmc->spec = spec;
	gmc->client = spec->client[hub];
	gmc->block.name = hub ? "mmhub1" : "mmhub";
	gmc->block.base = BASE + hub * spec->stride;
	gmc->block.size = MMHUB1_SIZE + max(spec->vm_shift, spec->shared_shift);
	gmc->block.ops = &gmc_ops;
	vgpu_lock_init(&gmc->lock);
	gmc_reset(&gmc->block);
	return gmc;
}

/**
 * vgpu_gmc_destroy() - free a hub that no engine and no register op uses any more
 * @gmc: hub or NULL
 */
void vgpu_gmc_destroy(struct vgpu_gmc *gmc)
{
	vgpu_free(gmc);
}

/**
 * vgpu_gmc_block() - the hub's registers
 * @gmc: hub
 *
 * Return: block, part of the hub.
 */
struct vgpu_block *vgpu_gmc_block(struct vgpu_gmc *gmc)
{
	return &gmc->block;
}

/**
 * vgpu_gmc_add_tlb() - let invalidate requests reach an engine's cache
 * @gmc: hub
 * @tlb: cache
 *
 * Return: 0 or -ENOSPC.
 */
int vgpu_gmc_add_tlb(struct vgpu_gmc *gmc, struct vgpu_tlb *tlb)
{
	int ret = -ENOSPC;
	unsigned long flags;
	unsigned int i;

	vgpu_lock(&gmc->lock, flags);
	for (i = 0; i < VGPU_GMC_MAX_TLBS && ret; i++) {
		if (gmc->tlb[i])
			continue;
		gmc->tlb[i] = tlb;
		ret = 0;
	}
	vgpu_unlock(&gmc->lock, flags);
	return ret;
}

/**
 * vgpu_gmc_remove_tlb() - the engine has ended
 * @gmc: hub
 * @tlb: cache that was added
 */
void vgpu_gmc_remove_tlb(struct vgpu_gmc *gmc, struct vgpu_tlb *tlb)
{
	unsigned long flags;
	unsigned int i;

	vgpu_lock(&gmc->lock, flags);
	for (i = 0; i < VGPU_GMC_MAX_TLBS; i++)
		if (gmc->tlb[i] == tlb)
			gmc->tlb[i] = NULL;
	vgpu_unlock(&gmc->lock, flags);
}
