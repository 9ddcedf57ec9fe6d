// SPDX-License-Identifier: GPL-2.0-only
/* pure: kernel/vgpu/vgpu_mmu.c kernel/vgpu/vgpu_tlb.c kernel/vgpu/vgpu_gmc.c */
/* pure: kernel/vgpu/vgpu_sdma.c kernel/vgpu/vgpu_sdma_regs.c kernel/vgpu/vgpu_sdma_queue.c */
/* pure: kernel/vgpu/vgpu_failure.c */
/* pure: kernel/vgpu/vgpu_sdma_exec.c kernel/vgpu/vgpu_sdma_packet.c kernel/vgpu/vgpu_sdma_copy.c */
/* pure: kernel/vgpu/vgpu_profile.c */
/* pure: kernel/vgpu/vgpu_sdma_broadcast.c kernel/vgpu/vgpu_sdma_condition.c */
/* pure: kernel/vgpu/vgpu_sdma_semaphore.c kernel/vgpu/vgpu_sdma_time.c */
/**
 * DOC: the model's walker against the kernel's own header
 *
 * Each entry of pte_oracle.c is put into a table at the level where it belongs; the
 * walk must see the page, the rights and the fragment that its name says.  The driver
 * takes no part.  Proves S0.105 (entries, model side).
 */
#include "kernel/vgpu/vgpu_mmu.h"
#include "oracle.h"
#include "vgpu_fake.h"

#define VA		0x555540000000ULL	/* a multiple of 2 MiB */
#define TABLE		0x1234000ULL		/* VRAM, named by the PDE */
#define READ		VGPU_XLATE_READ
#define RW		(VGPU_XLATE_READ | VGPU_XLATE_WRITE)
#define SYSTEM		VGPU_XLATE_SYSTEM

/**
 * struct kind - what an entry means
 * @name: as the oracle prints it
 * @level: where it stands: 0 PTE, 1 PDB0
 * @status: how the walk ends
 * @xlate: page and rights, without the valid bit
 * @fragment: log2 of pages
 */
struct kind {
	const char *name;
	unsigned int level;
	enum vgpu_mmu_status status;
	u64 xlate;
	u8 fragment;
};

static const struct kind kinds[] = {
	{ "pde", 1, VGPU_MMU_OK, 0x5000 | RW, 0 },	/* by way of the table it names */
	{ "empty_pte", 0, VGPU_MMU_PTE, 0, 0 },
	{ "empty_pde", 1, VGPU_MMU_PDE, 0, 0 },
	{ "vram_rw", 0, VGPU_MMU_OK, 0x1000 | RW, 0 },
	{ "vram_ro", 0, VGPU_MMU_OK, 0x1000 | READ, 0 },
	{ "vram_rwx_frag9", 0, VGPU_MMU_OK, 0x200000 | RW, 9 },
	{ "vram_uc", 0, VGPU_MMU_OK, 0x3000 | RW, 0 },
	{ "system_rw", 0, VGPU_MMU_OK, 0x1234567000 | RW | SYSTEM, 0 },
	{ "system_ro", 0, VGPU_MMU_OK, 0x1234567000 | READ | SYSTEM, 0 },
	{ "system_rwx_frag4", 0, VGPU_MMU_OK, 0x1234560000 | RW | SYSTEM, 4 },
	{ "system_uc", 0, VGPU_MMU_OK, 0x1234567000 | RW | SYSTEM, 0 },
	{ "big_rw", 1, VGPU_MMU_OK, 0x40000000 | RW, 9 },
	{ "big_rwx_uc", 1, VGPU_MMU_OK, 0x40000000 | RW, 9 },
};

static void check(struct fake *f, const struct kind *k, u64 entry)
{
	struct vgpu_mmu_context ctx = { .enabled = true, .depth = 3, .last = (1ULL << 36) - 1 };
	struct vgpu_mapping map = {};
	enum vgpu_mmu_status status;
	u64 want = k->xlate ? k->xlate | VGPU_XLATE_VALID : 0;

	f->root[1] = fake_new_table(f) | PTE_VALID;
	ctx.root = f->root[1];
	*fake_entry(f, 1, VA, k->level) = entry;
	status = vgpu_mmu_walk(&f->bus, &ctx, VA >> VGPU_PAGE_SHIFT, &map);
	ok(PURE_EQ(status, k->status) && PURE_EQ(map.xlate, want) &&
	   PURE_EQ(map.fragment, k->fragment),
	   "%s of the kernel's header means what it says (S0.105)", k->name);
}

int main(void)
{
	struct fake *f = fake_create();
	unsigned int i = 0;
	struct oracle o;

	*(u64 *)(f->vram + TABLE) = 0x5000 | PTE_RW;
	if (oracle_open(&o, "pte", "", "amdgpu/amdgpu_vm.h", ORACLE_PTE_HEADER)) {
		for (; oracle_next(&o) && i < ARRAY_SIZE(kinds); i++) {
			if (strcmp(o.name, kinds[i].name) || o.count != 1)
				break;
			check(f, &kinds[i], o.n[0]);
		}
		oracle_close(&o);
	}
	pure_ok(PURE_EQ(i, ARRAY_SIZE(kinds)), "every kind was walked");
	fake_destroy(f);
	return pure_done();
}
