// SPDX-License-Identifier: GPL-2.0-only
/* pure: kernel/vgpu/vgpu_mmu.c kernel/vgpu/vgpu_tlb.c kernel/vgpu/vgpu_gmc.c */
/* pure: kernel/vgpu/vgpu_sdma.c kernel/vgpu/vgpu_sdma_regs.c kernel/vgpu/vgpu_sdma_queue.c */
/* pure: kernel/vgpu/vgpu_failure.c */
/* pure: kernel/vgpu/vgpu_sdma_exec.c kernel/vgpu/vgpu_sdma_packet.c kernel/vgpu/vgpu_sdma_copy.c */
/* pure: kernel/vgpu/vgpu_profile.c */
/* pure: kernel/vgpu/vgpu_sdma_broadcast.c kernel/vgpu/vgpu_sdma_condition.c */
/* pure: kernel/vgpu/vgpu_sdma_semaphore.c kernel/vgpu/vgpu_sdma_time.c */
/**
 * DOC: the walker against a slow reference, and the hub's view of addresses
 *
 * The reference is a list of mappings, looked through from end to end; it knows no
 * tables.  Entry words are spelled out where a row is about them.
 */
#include "vgpu_fake.h"
#include "kernel/vgpu/vgpu_mmu.h"
#include "kernel/vgpu/vgpu_tlb.h"

#define MAPPINGS	600

struct mapping {
	u64 va, pa, bytes, flags;
};

static struct mapping list[MAPPINGS];
static unsigned int listed;

static void setup(struct fake *f, struct vgpu_mmu_context *ctx, unsigned int depth)
{
	memset(ctx, 0, sizeof(*ctx));
	f->root[1] = fake_new_table(f) | PTE_VALID;
	ctx->enabled = true;
	ctx->depth = depth;
	ctx->root = f->root[1];
	ctx->last = (1ULL << 36) - 1;
}

static u64 xlate_of(u64 pa, u64 flags)
{
	return (pa & ~4095ULL) | PTE_VALID | (flags & (PTE_SYSTEM | PTE_READ | PTE_WRITE));
}

static u64 reference(u64 va)
{
	unsigned int i;

	for (i = 0; i < listed; i++)
		if (va >= list[i].va && va - list[i].va < list[i].bytes)
			return xlate_of(list[i].pa + (va - list[i].va), list[i].flags);
	return 0;
}

/* Those that come with one must be right as well, or 0. */
static bool line_agrees(struct fake *f, const struct vgpu_mmu_context *ctx, u64 page,
			const struct vgpu_mapping *map)
{
	u64 line[VGPU_MMU_LINE], want;
	bool good = true;
	unsigned int i;

	vgpu_mmu_line(&f->bus, ctx, page, map, line);
	for (i = 0; i < VGPU_MMU_LINE; i++) {
		want = reference((page - page % VGPU_MMU_LINE + i) << 12);
		good &= line[i] == want;
	}
	return good && line[page % VGPU_MMU_LINE] == map->xlate;
}

static bool agrees(struct fake *f, const struct vgpu_mmu_context *ctx, u64 va)
{
	struct vgpu_mapping got = {};
	enum vgpu_mmu_status status = vgpu_mmu_walk(&f->bus, ctx, va >> 12, &got);
	u64 want = reference(va);

	if (va >> 48)
		return status == VGPU_MMU_RANGE;
	if (!want)
		return status == VGPU_MMU_PDE || status == VGPU_MMU_PTE;
	return status == VGPU_MMU_OK && got.xlate == want && line_agrees(f, ctx, va >> 12, &got);
}

static void add(u64 va, u64 pa, u64 bytes, u64 flags)
{
	list[listed++] = (struct mapping){ va, pa, bytes, flags };
}

/* Few upper tables, all over the range; a 2 MiB page where the PDE is still free. */
static void fill_random(struct fake *f, u64 *seed)
{
	static const u64 flags[] = { 0, PTE_READ, PTE_WRITE, PTE_READ | PTE_WRITE };
	u64 r, va, pa, bits, *entry;
	unsigned int i;

	for (i = 0; i < MAPPINGS; i++) {
		r = fake_random(seed);
		bits = PTE_VALID | flags[r & 3] | (r & 4 ? PTE_SYSTEM : 0) | (r & 0xf80);
		va = (r >> 12 & 1) << 47 | (r >> 13 & 1) << 38 | (r >> 14 & 3) << 30 |
		     (r >> 16 & 15) << 21 | (r >> 20 & 511) << 12;
		pa = fake_random(seed) & 0xfffffffff000ULL;
		if (r & (1ULL << 40)) {
			va &= ~0x1fffffULL;
			pa &= ~0x1fffffULL;
			entry = fake_entry(f, 1, va, 1);
			if (*entry & PTE_VALID)
				continue;
			*entry = pa | bits | PDE_IS_PTE;
			add(va, pa, 2 << 20, bits);
		} else if (!reference(va) && !(*fake_entry(f, 1, va, 1) & PDE_IS_PTE)) {
			fake_map(f, 1, va, pa, bits);
			add(va, pa, 4096, bits);
		}
	}
}

static void test_random(void)
{
	struct fake *f = fake_create();
	struct vgpu_mmu_context ctx;
	unsigned int i, j, bad = 0;
	u64 seed = 99;

	setup(f, &ctx, 3);
	listed = 0;
	fill_random(f, &seed);
	for (i = 0; i < listed; i++) {
		for (j = 0; j < 8; j++)
			bad += !agrees(f, &ctx, list[i].va + fake_random(&seed) % list[i].bytes);
		bad += !agrees(f, &ctx, list[i].va + list[i].bytes);
		bad += !agrees(f, &ctx, list[i].va - 1);
	}
	for (i = 0; i < 100000; i++)
		bad += !agrees(f, &ctx, fake_random(&seed) & 0xffffffffffffULL);
	ok(!bad && listed > 200, "four levels: %u mappings of 4 KiB and 2 MiB agree with a list",
	   listed);
	fake_destroy(f);
}

static bool walk_is(struct fake *f, const struct vgpu_mmu_context *ctx, u64 va,
		    enum vgpu_mmu_status status, unsigned int level)
{
	struct vgpu_mapping map = {};

	return vgpu_mmu_walk(&f->bus, ctx, va >> 12, &map) == status && map.level == level;
}

static void test_levels(void)
{
	struct fake *f = fake_create();
	const u64 va = 0x7fc0dead5000ULL;
	struct vgpu_mmu_context ctx;
	unsigned int level;
	u64 saved;

	setup(f, &ctx, 3);
	fake_map(f, 1, va, 0x5000, PTE_RW);
	ok(walk_is(f, &ctx, va, VGPU_MMU_OK, 0), "a walk through four levels");
	for (level = 3; level; level--) {
		saved = *fake_entry(f, 1, va, level);
		*fake_entry(f, 1, va, level) = saved & ~PTE_VALID;
		ok(walk_is(f, &ctx, va, VGPU_MMU_PDE, level), "PDB%u entry not valid", level - 1);
		*fake_entry(f, 1, va, level) = FAKE_VRAM | PTE_VALID;
		ok(walk_is(f, &ctx, va, VGPU_MMU_MEMORY, level - 1),
		   "PDB%u entry points beyond VRAM", level - 1);
		*fake_entry(f, 1, va, level) = saved;
	}
	*fake_entry(f, 1, va, 0) &= ~PTE_VALID;
	ok(walk_is(f, &ctx, va, VGPU_MMU_PTE, 0), "PTE not valid");
	*fake_entry(f, 1, va, 2) = 0x40000000 | PTE_RW | PDE_IS_PTE;
	ok(walk_is(f, &ctx, va, VGPU_MMU_PDE, 2), "no 1 GiB pages: bit 54 in PDB1 is refused");
	*fake_entry(f, 1, va, 3) = PTE_RW | PDE_IS_PTE;
	ok(walk_is(f, &ctx, va, VGPU_MMU_PDE, 3), "nor 512 GiB pages");
	ctx.root &= ~PTE_VALID;
	ok(walk_is(f, &ctx, va, VGPU_MMU_PDE, 3), "root not valid");
	fake_destroy(f);
}

static void test_golden_entries(void)
{
	struct fake *f = fake_create();
	struct vgpu_mmu_context ctx;
	struct vgpu_mapping map;

	setup(f, &ctx, 3);
	/* VRAM, read, write, execute, uncached; as amdgpu writes it */
	*fake_entry(f, 1, 0x200000000000, 0) = 0x0600000001234071ULL;
	vgpu_mmu_walk(&f->bus, &ctx, 0x200000000, &map);
	ok(map.xlate == (0x1234000 | PTE_RW),
	   "PTE 0x0600000001234071: VRAM page 0x1234, read and write");
	/* system, snooped, read only, fragment 9 */
	*fake_entry(f, 1, 0x200000001000, 0) = 0x00007abcdef014a7ULL;
	vgpu_mmu_walk(&f->bus, &ctx, 0x200000001, &map);
	ok(map.xlate == (0x7abcdef01000ULL | PTE_VALID | PTE_SYSTEM | PTE_READ) &&
	   map.fragment == 9,
	   "PTE 0x00007abcdef014a7: system, read only, fragment 9");
	/* 2 MiB of VRAM in PDB0 */
	*fake_entry(f, 1, 0x200000200000, 1) = 0x00400000006004f1ULL;
	vgpu_mmu_walk(&f->bus, &ctx, 0x2000003ff, &map);
	ok(map.xlate == (0x7ff000 | PTE_RW) && map.level == 1 && map.fragment == 9,
	   "PDE 0x00400000006004f1: 2 MiB at 0x600000, its last page");
	fake_destroy(f);
}

static void test_system_tables(void)
{
	struct fake *f = fake_create();
	struct vgpu_mmu_context ctx;
	struct vgpu_mapping map;

	setup(f, &ctx, 1);
	/* A table in system memory at 0x3000 there; its entry 5. */
	((u64 *)(f->sys + 0x3000))[5] = 0x7000 | PTE_RW;
	*fake_table(f, ctx.root) = (FAKE_SYS_BASE + 0x3000) | PTE_VALID | PTE_SYSTEM;
	ok(vgpu_mmu_walk(&f->bus, &ctx, 5, &map) == VGPU_MMU_OK && map.xlate == (0x7000 | PTE_RW),
	   "a table in system memory, two levels");
	*fake_table(f, ctx.root) = 0x1000 | PTE_VALID | PTE_SYSTEM;
	ok(walk_is(f, &ctx, 0x5000, VGPU_MMU_MEMORY, 0), "a table where there is no RAM");
	fake_destroy(f);
}

static void test_flat(void)
{
	struct fake *f = fake_create();
	struct vgpu_mmu_context ctx;
	struct vgpu_mapping map;

	setup(f, &ctx, 0);
	ctx.first = FAKE_GART >> 12;
	ctx.last = ctx.first + 1023;
	fake_new_table(f);	/* the flat table takes two pages */
	fake_table(f, ctx.root)[1023] = 0x9000 | PTE_RW;
	vgpu_mmu_walk(&f->bus, &ctx, ctx.last, &map);
	ok(map.xlate == (0x9000 | PTE_RW),
	   "flat table: the entry counts from the context's start");
	ok(walk_is(f, &ctx, (ctx.last + 1) << 12, VGPU_MMU_RANGE, 0) &&
	   walk_is(f, &ctx, (ctx.first - 1) << 12, VGPU_MMU_RANGE, 0),
	   "pages outside of the range");
	ctx.enabled = false;
	ok(walk_is(f, &ctx, ctx.first << 12, VGPU_MMU_RANGE, 0), "context off");
	fake_destroy(f);
}

/* Groups of pages that begin in the middle of a line, a table, a page of memory. */
static void test_lines(void)
{
	struct fake *f = fake_create();
	struct vgpu_mmu_context ctx;
	u64 line[VGPU_MMU_LINE];
	struct vgpu_mapping map;
	unsigned int i, bad = 0;

	setup(f, &ctx, 0);
	fake_new_table(f);
	for (i = 0; i < 1024; i++)
		fake_table(f, ctx.root)[i] = 0xbad000 | PTE_RW;
	ctx.first = 3;
	ctx.root += 0xfc0;	/* entry 8 is in the next page of memory */
	for (i = 0; i < 16; i++)
		fake_table(f, ctx.root)[i] = (0x10000 + i * 4096) | PTE_RW;
	vgpu_mmu_walk(&f->bus, &ctx, 8, &map);
	vgpu_mmu_line(&f->bus, &ctx, 8, &map, line);
	for (i = 0; i < VGPU_MMU_LINE; i++)
		bad += line[i] != (i >= 3 && i < 11 ? (0xd000 + i * 4096) | PTE_RW : 0);
	ok(!bad, "a line ends with its page of memory");
	vgpu_mmu_walk(&f->bus, &ctx, 3, &map);
	vgpu_mmu_line(&f->bus, &ctx, 3, &map, line);
	ok(!line[2] && line[3] == (0x10000 | PTE_RW) && line[7] == (0x14000 | PTE_RW),
	   "and begins with the context");
	ctx.last = 4;
	vgpu_mmu_line(&f->bus, &ctx, 3, &map, line);
	ok(line[4] && !line[5], "and ends with it");
	fake_destroy(f);
}

static void test_line_tables(void)
{
	struct fake *f = fake_create();
	struct vgpu_mmu_context ctx;
	u64 line[VGPU_MMU_LINE];
	struct vgpu_mapping map;

	setup(f, &ctx, 1);
	ctx.first = 4;
	fake_table(f, ctx.root)[0] = 0x200000 | PTE_RW | PDE_IS_PTE;
	fake_table(f, ctx.root)[1] = 0x800000 | PTE_RW | PDE_IS_PTE;
	/* Pages from 512 on: entry 0 maps up to 515. */
	vgpu_mmu_walk(&f->bus, &ctx, 514, &map);
	vgpu_mmu_line(&f->bus, &ctx, 514, &map, line);
	ok(line[3] == (0x3ff000 | PTE_RW) && !line[4], "a line ends with its 2 MiB page");
	fake_table(f, ctx.root)[0] = (fake_new_table(f) + 0x40) | PTE_VALID;
	fake_new_table(f);
	fake_table(f, fake_table(f, ctx.root)[0])[511] = 0x5000 | PTE_RW;
	fake_table(f, fake_table(f, ctx.root)[0])[512] = 0x6000 | PTE_RW;
	vgpu_mmu_walk(&f->bus, &ctx, 515, &map);
	vgpu_mmu_line(&f->bus, &ctx, 515, &map, line);
	ok(line[3] == (0x5000 | PTE_RW) && !line[4], "and with its table of PTEs");
	fake_destroy(f);
}

static void test_fb_offset(void)
{
	struct fake *f = fake_create();
	struct vgpu_mmu_context ctx;
	struct vgpu_mapping map;

	setup(f, &ctx, 0);
	ctx.fb_offset = 0x8000000000;
	fake_table(f, ctx.root)[0] = 0x8000005000ULL | PTE_RW;
	fake_table(f, ctx.root)[1] = 0x5000 | PTE_RW;
	ctx.root += ctx.fb_offset;
	ok(vgpu_mmu_walk(&f->bus, &ctx, 0, &map) == VGPU_MMU_OK && map.xlate == (0x5000 | PTE_RW),
	   "FB_OFFSET is taken off root and PTE");
	vgpu_mmu_walk(&f->bus, &ctx, 1, &map);
	ok(!vgpu_mmu_memory(&f->bus, map.xlate), "an address below it is no memory");
	fake_destroy(f);
}

/* Tables of noise: every walk ends, nothing outside of VRAM is read (ASan). */
static void test_noise(void)
{
	struct fake *f = fake_create();
	struct vgpu_mmu_context ctx;
	unsigned int i, found = 0;
	u64 seed = 5, page, line[VGPU_MMU_LINE];
	struct vgpu_mapping map;

	setup(f, &ctx, 3);
	for (i = 0; i < FAKE_VRAM / 8; i++)
		((u64 *)f->vram)[i] = fake_random(&seed) & (i & 1 ? ~0ULL : 0xffc0000001ffffe5ULL);
	for (i = 0; i < 1000000; i++) {
		ctx.root = fake_random(&seed) | PTE_VALID;
		if (i & 3)
			ctx.root &= FAKE_VRAM - 63;
		ctx.depth = i & 3;
		ctx.block = i >> 2 & 15;
		ctx.last = ~0ULL;
		ctx.fb_offset = i & 64 ? 0 : fake_random(&seed);
		page = fake_random(&seed);
		if (vgpu_mmu_walk(&f->bus, &ctx, page, &map) != VGPU_MMU_OK)
			continue;
		vgpu_mmu_line(&f->bus, &ctx, page, &map, line);
		found += line[page % VGPU_MMU_LINE] == map.xlate;
	}
	ok(found, "1e6 walks through noise end (%u found a page)", found);
	fake_destroy(f);
}

/* The hub */

static struct vgpu_tlb tlb;

static void *page(struct fake *f, unsigned int vmid, u64 va, bool write)
{
	struct vgpu_access access = {
		.vmid = vmid, .write = write, .cid_read = 46, .cid_write = 15,
	};

	void *first;

	return vgpu_gmc_pages(f->gmc, &tlb, &access, va, &first, 1);
}

static void test_frame_buffer(void)
{
	struct fake *f = fake_create();

	vgpu_tlb_init(&tlb);
	ok(fake_reg_read(f, MMHUB1_MC_VM_FB_LOCATION_BASE) == 0xf400 &&
	   fake_reg_read(f, MMHUB1_MC_VM_FB_LOCATION_TOP) == 0xf401,
	   "FB_LOCATION after reset: 32 MiB at 0xf400000000");
	ok(page(f, 0, 0xf400000000, true) == f->vram &&
	   page(f, 0, 0xf400000000 + FAKE_VRAM - 1, false) == f->vram + FAKE_VRAM - 4096,
	   "VMID 0 sees VRAM at its MC address");
	ok(!page(f, 0, 0xf400000000 + FAKE_VRAM, false) && !page(f, 0, 0xf3fffff000, false) &&
	   !page(f, 1, 0xf400000000, false), "and nothing around it, and no other VMID does");
	ok(!f->irqs, "a context that is off raises no interrupt");
	fake_enable_gart(f);
	ok(page(f, 0, FAKE_GART + 0x5000, true) == f->sys + 0x5000 &&
	   !page(f, 0, FAKE_GART + FAKE_SYS, true), "VMID 0 sees the GART in its range");
	fake_reg_write(f, MMHUB1_MC_VM_FB_LOCATION_BASE, 0x100);
	fake_reg_write(f, MMHUB1_MC_VM_FB_LOCATION_TOP, 0x101);
	ok(page(f, 0, 0x100001000, true) == f->vram + 0x1000, "FB_LOCATION moved");
	fake_destroy(f);
}

struct fault_row {
	const char *name;
	u64 va;
	bool write;
	u32 status;	/* STATUS after the fault */
	u8 ring;
};

static bool fault_matches(struct fake *f, const struct fault_row *row)
{
	const struct vgpu_iv *iv = &f->iv[0];
	u64 number = row->va >> 12;

	return fake_reg_read(f, MMHUB1_VM_L2_PROTECTION_FAULT_STATUS) == row->status &&
	       fake_reg_read(f, MMHUB1_VM_L2_PROTECTION_FAULT_ADDR_LO32) == (u32)number &&
	       fake_reg_read(f, MMHUB1_VM_L2_PROTECTION_FAULT_ADDR_HI32) == (number >> 32 & 15) &&
	       f->irqs == 1 && iv->client == 0x12 && iv->source == 0 && iv->vmid == 9 &&
	       iv->ring == row->ring && iv->ctx[0] == (u32)number &&
	       iv->ctx[1] == ((number >> 32 & 15) | (row->write ? 0x20 : 0));
}

static void test_faults(void)
{
	/* VMID 9; client 46 reads, 15 writes; bits as mmhub_1_0_sh_mask.h has them. */
	static const struct fault_row rows[] = {
		{ "load of an invalid page", 0x7fff00002000, false, 0x00905c30, 0x18 },
		{ "store to an invalid page", 0x7fff00002000, true, 0x00941e50, 0x28 },
		{ "load where no table is", 0x123456789000, false, 0x00905c38, 0x18 },
		{ "store to a read-only page", 0x7fff00000000, true, 0x00941e40, 0x20 },
		{ "load of a write-only page", 0x7fff00001000, false, 0x00905c20, 0x10 },
		{ "store beyond 48 bits", 0x0001000000000000, true, 0x00941e52, 0x28 },
		{ "load where no memory is", 0x7fff00003000, false, 0x00905d30, 0x18 },
	};
	struct fake *f = fake_create();
	unsigned int i;

	vgpu_tlb_init(&tlb);
	fake_enable_vmid(f, 9);
	fake_map(f, 9, 0x7fff00000000, 0x1000, PTE_VALID | PTE_READ);
	fake_map(f, 9, 0x7fff00001000, 0x1000, PTE_VALID | PTE_WRITE);
	fake_map(f, 9, 0x7fff00003000, 0x1000, PTE_RW | PTE_SYSTEM);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		f->irqs = 0;
		ok(!page(f, 9, rows[i].va, rows[i].write) && fault_matches(f, &rows[i]),
		   "fault: %s", rows[i].name);
		/* As the public driver clears it. */
		fake_reg_write(f, MMHUB1_VM_L2_PROTECTION_FAULT_CNTL, 1);
	}
	ok(!fake_reg_read(f, MMHUB1_VM_L2_PROTECTION_FAULT_STATUS), "cleared through CNTL");
	fake_destroy(f);
}

static void test_latch(void)
{
	struct fake *f = fake_create();
	u32 first;

	vgpu_tlb_init(&tlb);
	fake_enable_vmid(f, 9);
	page(f, 9, 0x5000, false);
	first = fake_reg_read(f, MMHUB1_VM_L2_PROTECTION_FAULT_STATUS);
	page(f, 9, 0x6000, true);
	ok(fake_reg_read(f, MMHUB1_VM_L2_PROTECTION_FAULT_STATUS) == (first | 1) &&
	   fake_reg_read(f, MMHUB1_VM_L2_PROTECTION_FAULT_ADDR_LO32) == 5 && f->irqs == 2,
	   "the first fault stays latched, MORE_FAULTS tells of the second");
	fake_reg_write(f, MMHUB1_VM_INVALIDATE_ENG0_REQ, 0x00800000);
	ok(!fake_reg_read(f, MMHUB1_VM_L2_PROTECTION_FAULT_STATUS), "cleared through a request");
	fake_reg_write(f, MMHUB1_VM_L2_PROTECTION_FAULT_CNTL, 2);
	page(f, 9, 0x5000, false);
	page(f, 9, 0x6000, true);
	ok(fake_reg_read(f, MMHUB1_VM_L2_PROTECTION_FAULT_ADDR_LO32) == 6,
	   "the last one stays latched if the driver asks for it");
	fake_reg_write(f, MMHUB1_VM_L2_PROTECTION_FAULT_STATUS, 0);
	ok(fake_reg_read(f, MMHUB1_VM_L2_PROTECTION_FAULT_STATUS), "STATUS cannot be written");
	f->irqs = 0;
	fake_reg_write(f, MMHUB1_VM_CONTEXT0_CNTL + 9 * 4, 0x7);
	page(f, 9, 0x5000, false);
	ok(!f->irqs, "no interrupt where the context has it off");
	fake_destroy(f);
}

/* MMHUB 9.4.1: two hubs, registers elsewhere (dwords of mmhub_9_4_1_offset.h). */
static void test_two_hubs(void)
{
	const struct vgpu_profile *p = vgpu_profile_find("mi100", 5);
	struct vgpu_access access = { .vmid = 9, .cid_read = 261, .cid_write = 261 };
	struct fake *f = fake_create();
	struct vgpu_gmc *gmc = vgpu_gmc_create(&f->bus, &p->hub, 1);
	struct vgpu_block *block = vgpu_gmc_block(gmc);
	void *pages[1];

	vgpu_tlb_init(&tlb);
	ok(block->base == 0x1d000 * 4 && block->ops->read(block, 0xb00 * 4) == 0xf400 &&
	   block->ops->read(block, 0) == ~0u && block->ops->read(block, block->size) == ~0u,
	   "9.4.1: the second hub, and where VRAM is");
	ok(block->ops->read(block, (0xa11 + 17) * 4) == 1 &&
	   block->ops->read(block, (0xa11 + 17) * 4) == 0, "9.4.1: a semaphore");
	block->ops->write(block, (0xa23 + 17) * 4, 0x007c0200);
	ok(block->ops->read(block, (0xa35 + 17) * 4) == 0x200, "9.4.1: a flush is acknowledged");
	block->ops->write(block, (0xa00 + 9) * 4, 0x000a8207);
	ok(!vgpu_gmc_pages(gmc, &tlb, &access, 0x5000, pages, 1) && f->irqs == 1 &&
	   f->iv[0].client == 6 &&
	   (block->ops->read(block, 0x9cb * 4) >> 9 & 0x1ff) == 261 &&
	   !fake_reg_read(f, MMHUB1_VM_L2_PROTECTION_FAULT_STATUS),
	   "9.4.1: a fault is latched there, and client VMC1 tells");
	vgpu_gmc_destroy(gmc);
	fake_destroy(f);
}

/* MMHUB 1.7: one hub, registers elsewhere (dwords of mmhub_1_7_offset.h). */
static void test_hub_1_7(void)
{
	const struct vgpu_profile *p = vgpu_profile_find("mi210", 5);
	struct vgpu_access access = { .vmid = 9, .cid_read = 260, .cid_write = 260 };
	struct fake *f = fake_create();
	struct vgpu_gmc *gmc = vgpu_gmc_create(&f->bus, &p->hub, 0);
	struct vgpu_block *block = vgpu_gmc_block(gmc);
	void *pages[1];

	vgpu_tlb_init(&tlb);
	ok(block->base == 0x1a000 * 4 && block->ops->read(block, 0xcc0 * 4) == 0xf400 &&
	   block->ops->read(block, 0) == ~0u && block->ops->read(block, block->size) == ~0u,
	   "1.7: where VRAM is");
	ok(!block->ops->read(block, (0xbd1 + 17) * 4), "1.7: no semaphore can be had");
	block->ops->write(block, (0xbe3 + 17) * 4, 0x007c0200);
	ok(block->ops->read(block, (0xbf5 + 17) * 4) == 0x200, "1.7: a flush is acknowledged");
	block->ops->write(block, (0xbc0 + 9) * 4, 0x000a8207);
	ok(!vgpu_gmc_pages(gmc, &tlb, &access, 0x5000, pages, 1) && f->irqs == 1 &&
	   f->iv[0].client == 0x12 && (block->ops->read(block, 0xb8b * 4) >> 9 & 0x1ff) == 260,
	   "1.7: a fault is latched, and client VMC tells");
	vgpu_gmc_destroy(gmc);
	fake_destroy(f);
}

int main(void)
{
	test_random();
	test_levels();
	test_golden_entries();
	test_system_tables();
	test_flat();
	test_lines();
	test_line_tables();
	test_fb_offset();
	test_noise();
	test_frame_buffer();
	test_faults();
	test_latch();
	test_two_hubs();
	test_hub_1_7();
	return pure_done();
}
