/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: a platform of arrays for tests of the model
 *
 * Fills &struct vgpu_bus with memory, doorbells, a clock that the test turns and a
 * log of interrupts, and puts the hub and two SDMA instances on it.  Page tables are
 * written here by hand from the bits that amdgpu_vm.h of Linux 6.1 lists, and
 * registers by their numbers, so that nothing of the driver takes part.
 */
#ifndef CARILLON_TESTS_VGPU_FAKE_H
#define CARILLON_TESTS_VGPU_FAKE_H

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <linux/errno.h>
#include <linux/kernel.h>

#include "kernel/hw/regs/mmhub_1_0_regs.h"
#include "kernel/hw/regs/sdma0_4_0_regs.h"
#include "kernel/vgpu/vgpu_failure.h"
#include "kernel/vgpu/vgpu_gmc.h"
#include "kernel/vgpu/vgpu_profile.h"
#include "kernel/vgpu/vgpu_sdma.h"
#include "pure_test.h"

#define ok	pure_okf

/* A generator whose numbers are the same in every run. */
static inline u64 fake_random(u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Platform */

#define FAKE_VRAM	(32ULL << 20)
#define FAKE_SYS	(8ULL << 20)
#define FAKE_SYS_BASE	0x100000000ULL	/* bus address of the first byte */
#define FAKE_TABLES	(24ULL << 20)	/* VRAM from here on holds page tables */
#define FAKE_GART	0x10000000000ULL	/* MC address of the first GART page */
#define FAKE_IRQS	64
#define FAKE_SLOTS	1024

#define PTE_VALID	(1ULL << 0)
#define PTE_SYSTEM	(1ULL << 1)
#define PTE_READ	(1ULL << 5)
#define PTE_WRITE	(1ULL << 6)
#define PDE_IS_PTE	(1ULL << 54)
#define PTE_RW		(PTE_VALID | PTE_READ | PTE_WRITE)

struct fake {
	u8 *vram, *sys;
	u64 doorbell[FAKE_SLOTS];
	u64 clock, clock_step;
	struct vgpu_iv iv[FAKE_IRQS];
	unsigned int irqs, hdp_flushes;
	u64 root[16], next_table;
	u32 sdma_base[2];
	u32 hdp_req, hdp_requests, hdp_done_after, hdp_done;
	void (*hook)(struct fake *f);	/* at a write of FAKE_HDP_REQ */
	void (*irq_hook)(struct fake *f);	/* at each interrupt */
	bool no_memory, memory_comes;
	unsigned int waits;
	struct vgpu_failures failures;
	struct vgpu_bus bus;
	struct vgpu_gmc *gmc;
	struct vgpu_sdma *sdma[2];
};

#define FAKE_HDP_REQ	0x3818
#define FAKE_HDP_DONE	0x381c

static inline void *fake_vram_page(void *ctx, u64 offset, bool atomic)
{
	struct fake *f = ctx;

	assert(!(offset & 4095));
	return offset < FAKE_VRAM && !f->no_memory ? f->vram + offset : NULL;
}

static inline bool fake_vram_wait(void *ctx, u64 offset)
{
	struct fake *f = ctx;

	assert(!(offset & 4095));
	f->waits++;
	return f->memory_comes;
}

static inline void *fake_sys_page(void *ctx, u64 dma)
{
	struct fake *f = ctx;

	assert(!(dma & 4095));
	return dma - FAKE_SYS_BASE < FAKE_SYS ? f->sys + (dma - FAKE_SYS_BASE) : NULL;
}

static inline void fake_many(void *ctx, const u64 *addr, unsigned int count, void **pages)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		u64 page = addr[i] & ~4095ULL;

		pages[i] = addr[i] & VGPU_BUS_SYSTEM ? fake_sys_page(ctx, page) :
						       fake_vram_page(ctx, page, false);
	}
}

static inline void fake_irq(void *ctx, const struct vgpu_iv *iv)
{
	struct fake *f = ctx;

	f->iv[f->irqs++ % FAKE_IRQS] = *iv;
	if (f->irq_hook)
		f->irq_hook(f);
}

static inline struct vgpu_block *fake_block(struct fake *f, u32 offset)
{
	struct vgpu_block *blocks[] = {
		vgpu_gmc_block(f->gmc),
		&vgpu_sdma_engine(f->sdma[0])->block,
		&vgpu_sdma_engine(f->sdma[1])->block,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(blocks); i++)
		if (offset - blocks[i]->base < blocks[i]->size)
			return blocks[i];
	return NULL;
}

static inline u32 fake_reg_read(void *ctx, u32 offset)
{
	struct fake *f = ctx;
	struct vgpu_block *block = fake_block(f, offset);

	if (offset == FAKE_HDP_DONE) {
		if (f->hdp_done_after && !--f->hdp_done_after)
			f->hdp_done = f->hdp_req;
		return f->hdp_done;
	}
	return block ? block->ops->read(block, offset - block->base) : ~0u;
}

static inline void fake_reg_write(void *ctx, u32 offset, u32 value)
{
	struct fake *f = ctx;
	struct vgpu_block *block = fake_block(f, offset);

	if (offset == FAKE_HDP_REQ) {
		f->hdp_req = value;
		f->hdp_requests++;
		if (f->hook)
			f->hook(f);
	}
	if (block)
		block->ops->write(block, offset - block->base, value);
}

static inline u64 fake_clock(void *ctx)
{
	struct fake *f = ctx;

	f->clock += f->clock_step;
	return f->clock;
}

static inline u64 fake_doorbell_get(void *ctx, u32 offset)
{
	struct fake *f = ctx;

	return offset / 8 < FAKE_SLOTS ? __atomic_load_n(&f->doorbell[offset / 8],
							 __ATOMIC_ACQUIRE) : 0;
}

static inline void fake_hdp_flush(void *ctx)
{
	((struct fake *)ctx)->hdp_flushes++;
}

static inline void *fake_pages(size_t bytes)
{
	void *p = aligned_alloc(4096, bytes);

	assert(p);
	memset(p, 0, bytes);
	return p;
}

static inline struct fake *fake_create_chip(const char *name)
{
	const struct vgpu_profile *profile = vgpu_profile_find(name, strlen(name));
	struct fake *f = calloc(1, sizeof(*f));

	assert(f);
	f->vram = fake_pages(FAKE_VRAM);
	f->sys = fake_pages(FAKE_SYS);
	f->next_table = FAKE_TABLES;
	f->sdma_base[0] = 0x1260 * 4;
	f->sdma_base[1] = (strcmp(name, "vega10") ? 0x1860 : 0x1460) * 4;
	f->bus = (struct vgpu_bus){
		.ctx = f, .vram_size = FAKE_VRAM,
		.vram_page = fake_vram_page, .vram_wait = fake_vram_wait,
		.sys_page = fake_sys_page, .pages = fake_many,
		.irq = fake_irq, .reg_read = fake_reg_read, .reg_write = fake_reg_write,
		.clock = fake_clock, .doorbell_get = fake_doorbell_get,
		.hdp_flush = fake_hdp_flush, .failures = &f->failures,
	};
	f->gmc = vgpu_gmc_create(&f->bus, &profile->hub, 0);
	assert(f->gmc);
	f->sdma[0] = vgpu_sdma_create(&f->bus, f->gmc, profile, 0);
	f->sdma[1] = vgpu_sdma_create(&f->bus, f->gmc, profile, 1);
	assert(f->sdma[0] && f->sdma[1]);
	return f;
}

static inline struct fake *fake_create(void)
{
	return fake_create_chip("vega10");
}

static inline void fake_destroy(struct fake *f)
{
	vgpu_sdma_destroy(f->sdma[0]);
	vgpu_sdma_destroy(f->sdma[1]);
	vgpu_gmc_destroy(f->gmc);
	free(f->vram);
	free(f->sys);
	free(f);
}

/* Page tables */

static inline u64 fake_new_table(struct fake *f)
{
	u64 table = f->next_table;

	f->next_table += 4096;
	assert(f->next_table <= FAKE_VRAM);
	memset(f->vram + table, 0, 4096);
	return table;
}

static inline u64 *fake_table(struct fake *f, u64 entry)
{
	return (u64 *)(f->vram + (entry & 0xffffffffffc0ULL));
}

static inline void fake_set_root(struct fake *f, unsigned int vmid, u64 root)
{
	u32 pair = vmid * 8;

	fake_reg_write(f, MMHUB1_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32 + pair, (u32)root);
	fake_reg_write(f, MMHUB1_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32 + pair, root >> 32);
}

/* Four levels, 48 bits, all fault interrupts on: the words a driver writes on Vega10. */
static inline void fake_enable_vmid(struct fake *f, unsigned int vmid)
{
	u32 pair = vmid * 8;

	f->root[vmid] = fake_new_table(f) | PTE_VALID;
	fake_set_root(f, vmid, f->root[vmid]);
	fake_reg_write(f, MMHUB1_VM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32 + pair, 0xffffffff);
	fake_reg_write(f, MMHUB1_VM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32 + pair, 0xf);
	fake_reg_write(f, MMHUB1_VM_CONTEXT0_CNTL + vmid * 4, 0x000a8207);
}

/* Entry for @va at @level (3 is PDB2, 0 the PTE), with tables above as need be. */
static inline u64 *fake_entry(struct fake *f, unsigned int vmid, u64 va, unsigned int level)
{
	u64 *entry = &f->root[vmid];
	int l;

	for (l = 3; ; l--) {
		if (!(*entry & PTE_VALID))
			*entry = fake_new_table(f) | PTE_VALID;
		entry = fake_table(f, *entry) + ((va >> (12 + 9 * l)) & 511);
		if (l == (int)level)
			return entry;
	}
}

static inline void fake_map(struct fake *f, unsigned int vmid, u64 va, u64 pa, u64 flags)
{
	*fake_entry(f, vmid, va, 0) = pa | flags;
}

/* Map @bytes of system memory from bus offset @offset on. */
static inline void fake_map_sys(struct fake *f, unsigned int vmid, u64 va, u64 offset, u64 bytes)
{
	u64 i;

	for (i = 0; i < bytes; i += 4096)
		fake_map(f, vmid, va + i, FAKE_SYS_BASE + offset + i, PTE_RW | PTE_SYSTEM);
}

static inline void fake_map_vram(struct fake *f, unsigned int vmid, u64 va, u64 offset, u64 bytes)
{
	u64 i;

	for (i = 0; i < bytes; i += 4096)
		fake_map(f, vmid, va + i, offset + i, PTE_RW);
}

/* Context 0: a flat table over all of system memory at FAKE_GART. */
static inline void fake_enable_gart(struct fake *f)
{
	u64 table = f->next_table, first = FAKE_GART >> 12, last, i;

	last = first + FAKE_SYS / 4096 - 1;
	f->next_table += FAKE_SYS / 4096 * 8;
	for (i = 0; i < FAKE_SYS / 4096; i++)
		((u64 *)(f->vram + table))[i] = (FAKE_SYS_BASE + i * 4096) | PTE_RW | PTE_SYSTEM;
	fake_set_root(f, 0, table | PTE_VALID);
	fake_reg_write(f, MMHUB1_VM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32, (u32)first);
	fake_reg_write(f, MMHUB1_VM_CONTEXT0_PAGE_TABLE_START_ADDR_HI32, first >> 32);
	fake_reg_write(f, MMHUB1_VM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32, (u32)last);
	fake_reg_write(f, MMHUB1_VM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32, last >> 32);
	fake_reg_write(f, MMHUB1_VM_CONTEXT0_CNTL, 0x000a8201);
}

/* All VMIDs of @mask through invalidate engine 17; true if it is acknowledged at once. */
static inline bool fake_flush(struct fake *f, u16 mask)
{
	fake_reg_write(f, MMHUB1_VM_INVALIDATE_ENG0_REQ + 17 * 4, mask | 0x007c0000);
	return (fake_reg_read(f, MMHUB1_VM_INVALIDATE_ENG0_ACK + 17 * 4) & mask) == mask;
}

#endif /* CARILLON_TESTS_VGPU_FAKE_H */
