// SPDX-License-Identifier: GPL-2.0-only
/* pure: kernel/vgpu/vgpu_mmu.c kernel/vgpu/vgpu_tlb.c kernel/vgpu/vgpu_gmc.c */
/* pure: kernel/vgpu/vgpu_sdma.c kernel/vgpu/vgpu_sdma_regs.c kernel/vgpu/vgpu_sdma_queue.c */
/* pure: kernel/vgpu/vgpu_failure.c */
/* pure: kernel/vgpu/vgpu_sdma_exec.c kernel/vgpu/vgpu_sdma_packet.c kernel/vgpu/vgpu_sdma_copy.c */
/* pure: kernel/vgpu/vgpu_profile.c */
/* pure: kernel/vgpu/vgpu_sdma_broadcast.c kernel/vgpu/vgpu_sdma_condition.c */
/* pure: kernel/vgpu/vgpu_sdma_semaphore.c kernel/vgpu/vgpu_sdma_time.c */
/**
 * DOC: the rules of flushing
 *
 * A PTE that changes without a flush leaves the old page in use, after a flush the
 * new one is used, and once a flush is acknowledged no engine touches an old page.
 * The last is tried with threads as well: an engine stores through a mapping that
 * moves, and a page that was given up must not change any more.
 */
#include <pthread.h>

#include "vgpu_fake.h"
#include "kernel/vgpu/vgpu_tlb.h"

#define VA	0x7f0000000000ULL
#define LAST	((VGPU_MMU_LINE - 1) * 0x1000ULL)
#define REQ(n)	(MMHUB1_VM_INVALIDATE_ENG0_REQ + (n) * 4)
#define ACK(n)	(MMHUB1_VM_INVALIDATE_ENG0_ACK + (n) * 4)
#define SEM(n)	(MMHUB1_VM_INVALIDATE_ENG0_SEM + (n) * 4)
#define LEAVES	0x007c0000	/* all INVALIDATE bits, legacy flush */

static void *page_of(struct fake *f, struct vgpu_tlb *tlb, unsigned int vmid, u64 va)
{
	struct vgpu_access access = { .vmid = vmid, .write = true };
	void *page, *first;

	vgpu_tlb_enter(tlb);
	page = vgpu_gmc_pages(f->gmc, tlb, &access, va, &first, 1);
	vgpu_tlb_leave(tlb);
	return page;
}

static struct vgpu_tlb *new_tlb(struct fake *f)
{
	struct vgpu_tlb *tlb = calloc(1, sizeof(*tlb));

	assert(tlb);
	vgpu_tlb_init(tlb);
	assert(!vgpu_gmc_add_tlb(f->gmc, tlb));
	return tlb;
}

static void test_rule(void)
{
	struct fake *f = fake_create();
	struct vgpu_tlb *tlb = new_tlb(f);
	unsigned int vmid;

	for (vmid = 8; vmid <= 9; vmid++) {
		fake_enable_vmid(f, vmid);
		fake_map(f, vmid, VA, 0x1000, PTE_RW);
		page_of(f, tlb, vmid, VA);
		fake_map(f, vmid, VA, 0x2000, PTE_RW);
	}
	ok(page_of(f, tlb, 8, VA) == f->vram + 0x1000, "without a flush the old page stays in use");
	fake_reg_write(f, REQ(3), 0x100);
	ok(page_of(f, tlb, 8, VA) == f->vram + 0x1000,
	   "a request without INVALIDATE bits drops nothing");
	fake_reg_write(f, REQ(3), 0x100 | LEAVES);
	ok(page_of(f, tlb, 8, VA) == f->vram + 0x2000, "after a flush the new one is");
	ok(page_of(f, tlb, 9, VA) == f->vram + 0x1000, "another VMID is not flushed with it");
	fake_reg_write(f, REQ(17), 0xffff | LEAVES);
	ok(page_of(f, tlb, 9, VA) == f->vram + 0x2000, "it is when the mask names it");
	fake_map(f, 9, VA, 0, 0);
	ok(page_of(f, tlb, 9, VA), "a PTE taken away without a flush is still good");
	fake_reg_write(f, MMHUB1_VM_L2_CNTL2, 0x100);
	ok(page_of(f, tlb, 9, VA), "and after a write of L2_CNTL2 that asks for nothing");
	fake_reg_write(f, MMHUB1_VM_L2_CNTL2, 0x103);
	ok(!page_of(f, tlb, 9, VA) && fake_reg_read(f, MMHUB1_VM_L2_CNTL2) == 0x100,
	   "L2_CNTL2 drops all, and its bits clear themselves");
	fake_map(f, 9, VA, 0x3000, PTE_RW);
	ok(page_of(f, tlb, 9, VA) == f->vram + 0x3000,
	   "a page that was not there is not remembered");
	vgpu_gmc_remove_tlb(f->gmc, tlb);
	free(tlb);
	fake_destroy(f);
}

/* A line of PTEs comes with one look at memory; that must not renew what was there before. */
static void test_line(void)
{
	struct fake *f = fake_create();
	struct vgpu_tlb *tlb = new_tlb(f);
	u64 before;

	fake_enable_vmid(f, 8);
	fake_map(f, 8, VA, 0x1000, PTE_RW);
	fake_map(f, 8, VA + LAST, 0x8000, PTE_RW);
	page_of(f, tlb, 8, VA);
	before = tlb->misses;
	ok(page_of(f, tlb, 8, VA + LAST) == f->vram + 0x8000 && tlb->misses == before,
	   "the last PTE of a line comes with the first");
	fake_map(f, 8, VA + LAST, 0x9000, PTE_RW);
	fake_map(f, 8, VA + 0x3000, 0x4000, PTE_RW);
	ok(page_of(f, tlb, 8, VA + 0x3000) == f->vram + 0x4000 &&
	   page_of(f, tlb, 8, VA + LAST) == f->vram + 0x8000,
	   "a line that is read again does not renew an entry without a flush");
	*fake_entry(f, 8, VA + 0x200000, 1) = 0x400000 | PTE_RW | PDE_IS_PTE;
	ok(page_of(f, tlb, 8, VA + 0x3ff000) == f->vram + 0x5ff000 &&
	   page_of(f, tlb, 8, VA + 0x3f8000) == f->vram + 0x5f8000, "pages of a 2 MiB entry");
	vgpu_gmc_remove_tlb(f->gmc, tlb);
	free(tlb);
	fake_destroy(f);
}

/* Directories are walked once for many pages, and what they said lasts until a flush. */
static void test_tables(void)
{
	struct fake *f = fake_create();
	struct vgpu_tlb *tlb = new_tlb(f);
	u64 *pde, other;

	fake_enable_vmid(f, 8);
	fake_map(f, 8, VA, 0x1000, PTE_RW);
	fake_map(f, 8, VA + 0x100000, 0x2000, PTE_RW);
	page_of(f, tlb, 8, VA);
	pde = fake_entry(f, 8, VA, 1);
	other = fake_new_table(f);
	((u64 *)(f->vram + other))[256] = 0x3000 | PTE_RW;
	*pde = other | PTE_VALID;
	ok(page_of(f, tlb, 8, VA + 0x100000) == f->vram + 0x2000,
	   "a table that was taken away without a flush is still in use");
	fake_flush(f, 0x100);
	ok(page_of(f, tlb, 8, VA + 0x100000) == f->vram + 0x3000, "after a flush the new one is");
	ok(!page_of(f, tlb, 8, VA + 0x101000), "a PTE that it does not have is looked for anew");
	fake_enable_vmid(f, 9);
	ok(!page_of(f, tlb, 9, VA + 0x100000), "another VMID does not see it");
	fake_set_root(f, 8, f->root[9]);
	fake_flush(f, 0x100);
	ok(!page_of(f, tlb, 8, VA + 0x100000), "nor does the VMID with another root");
	vgpu_gmc_remove_tlb(f->gmc, tlb);
	free(tlb);
	fake_destroy(f);
}

/* What stands where the entry would be, were the table of another 2 MiB not its own. */
static void test_other_table(void)
{
	struct fake *f = fake_create();
	struct vgpu_tlb *tlb = new_tlb(f);
	u64 decoy;

	fake_enable_vmid(f, 8);
	fake_map(f, 8, VA, 0x1000, PTE_RW);
	decoy = (*fake_entry(f, 8, VA, 1) & ~PTE_VALID) + 0x4000;
	while (fake_new_table(f) <= decoy)
		;
	*(u64 *)(f->vram + decoy) = 0xbad000 | PTE_RW;
	fake_map(f, 8, VA + 0x800000, 0x2000, PTE_RW);
	ok(page_of(f, tlb, 8, VA) == f->vram + 0x1000 &&
	   page_of(f, tlb, 8, VA + 0x800000) == f->vram + 0x2000, "each 2 MiB has its own table");
	vgpu_gmc_remove_tlb(f->gmc, tlb);
	free(tlb);
	fake_destroy(f);
}

static void test_ack(void)
{
	struct fake *f = fake_create();
	struct vgpu_tlb *a = new_tlb(f), *b = new_tlb(f);
	unsigned int n, good = 0;

	for (n = 0; n < 18; n++) {
		fake_reg_write(f, REQ(n), 1u << (n % 16) | LEAVES);
		good += fake_reg_read(f, ACK(n)) == 1u << (n % 16);
	}
	ok(good == 18, "idle engines do not delay any of the 18 invalidate engines");
	vgpu_tlb_enter(a);
	fake_reg_write(f, REQ(4), 0x100 | LEAVES);
	ok(!(fake_reg_read(f, ACK(4)) & 0x100), "an engine inside a chunk holds the ACK back");
	vgpu_tlb_enter(b);
	vgpu_tlb_leave(a);
	ok(fake_reg_read(f, ACK(4)) & 0x100, "its end lets it come, whatever began later");
	vgpu_tlb_enter(a);
	fake_reg_write(f, REQ(4), 0x100 | LEAVES);
	vgpu_tlb_leave(a);
	ok(!(fake_reg_read(f, ACK(4)) & 0x100), "the ACK waits for every engine");
	vgpu_tlb_leave(b);
	vgpu_tlb_enter(b);
	ok(fake_reg_read(f, ACK(4)) & 0x100, "it is not held back by the next chunk");
	fake_reg_write(f, REQ(4), 0x200 | LEAVES);
	ok(fake_reg_read(f, ACK(4)) & 0x100 && !(fake_reg_read(f, ACK(4)) & 0x200),
	   "another VMID's ACK is its own");
	fake_reg_write(f, REQ(4), 0x400 | LEAVES);
	vgpu_tlb_leave(b);
	ok((fake_reg_read(f, ACK(4)) & 0x700) == 0x700, "two requests under way end together");
	vgpu_tlb_enter(b);
	fake_reg_write(f, REQ(4), 0x200 | LEAVES);
	fake_reg_write(f, ACK(4), 0xffff);
	ok(!(fake_reg_read(f, ACK(4)) & 0x200), "ACK cannot be written");
	fake_reg_write(f, REQ(5), 0x200);
	ok(fake_reg_read(f, ACK(5)) & 0x200, "a request that drops nothing waits for nobody");
	vgpu_gmc_remove_tlb(f->gmc, b);
	ok(fake_reg_read(f, ACK(4)) & 0x200, "nor does one wait for an engine that has gone");
	vgpu_gmc_remove_tlb(f->gmc, a);
	free(a);
	free(b);
	fake_destroy(f);
}

static void test_sem(void)
{
	struct fake *f = fake_create();

	ok(fake_reg_read(f, SEM(17)) == 1 && fake_reg_read(f, SEM(17)) == 0 &&
	   fake_reg_read(f, SEM(16)) == 1, "a read takes a semaphore, the next one fails");
	fake_reg_write(f, SEM(17), 0);
	ok(fake_reg_read(f, SEM(17)) == 1, "a write gives it back");
	vgpu_gmc_block(f->gmc)->ops->reset(vgpu_gmc_block(f->gmc));
	ok(fake_reg_read(f, SEM(17)) == 1 && !fake_reg_read(f, REQ(3)), "reset");
	fake_destroy(f);
}

/* An entry that a walk from before a flush makes must not live after it. */
static void test_late_insert(void)
{
	struct vgpu_tlb *tlb = calloc(1, sizeof(*tlb));
	const u64 line[VGPU_MMU_LINE] = { 0x1001, 0, 0, 0, 0, 0x2001 };
	unsigned long gen, seq;

	vgpu_tlb_init(tlb);
	vgpu_tlb_enter(tlb);
	gen = vgpu_tlb_gen(tlb, 8);
	seq = vgpu_tlb_flush(tlb, 0x100);
	vgpu_tlb_insert(tlb, 8, gen, 5, line);
	ok(seq && !vgpu_tlb_passed(tlb, seq) &&
	   vgpu_tlb_lookup(tlb, 8, gen, 5)[5] == 0x2001 &&
	   !vgpu_tlb_lookup(tlb, 8, vgpu_tlb_gen(tlb, 8), 5),
	   "what was read before a flush is dropped though it is inserted after");
	vgpu_tlb_leave(tlb);
	ok(vgpu_tlb_passed(tlb, seq), "and the flush is over with the chunk");
	free(tlb);
}

/* Threads */

#define ROUNDS	3000

struct race {
	struct fake *f;
	struct vgpu_tlb *tlb;
	bool stop;
	u64 stores;
};

static void *race_engine(void *arg)
{
	struct race *r = arg;
	struct vgpu_access access = { .vmid = 8, .write = true };

	while (!__atomic_load_n(&r->stop, __ATOMIC_ACQUIRE)) {
		void *first;
		u64 *p;

		vgpu_tlb_enter(r->tlb);
		p = vgpu_gmc_pages(r->f->gmc, r->tlb, &access, VA, &first, 1);
		if (p) {
			__atomic_fetch_add(p, 1, __ATOMIC_RELAXED);
			__atomic_fetch_add(&r->stores, 1, __ATOMIC_RELAXED);
		}
		vgpu_tlb_leave(r->tlb);
	}
	return NULL;
}

static void test_race(void)
{
	struct race r = { .f = fake_create() };
	unsigned int i, bad = 0, old = 0;
	u64 *pte, *page, seen;
	pthread_t thread;

	r.tlb = new_tlb(r.f);
	fake_enable_vmid(r.f, 8);
	fake_map(r.f, 8, VA, 0x1000, PTE_RW);
	pte = fake_entry(r.f, 8, VA, 0);
	pthread_create(&thread, NULL, race_engine, &r);
	while (!__atomic_load_n(&r.stores, __ATOMIC_RELAXED))
		sched_yield();
	for (i = 0; i < ROUNDS; i++) {
		page = (u64 *)(r.f->vram + 0x1000 * (1 + old));
		old = !old;
		__atomic_store_n(pte, 0x1000 * (1 + old) | PTE_RW, __ATOMIC_RELEASE);
		if (!fake_flush(r.f, 0x100))
			while (!(fake_reg_read(r.f, ACK(17)) & 0x100))
				;
		seen = __atomic_load_n(page, __ATOMIC_RELAXED);
		sched_yield();
		bad += seen != __atomic_load_n(page, __ATOMIC_RELAXED);
	}
	__atomic_store_n(&r.stop, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	ok(!bad && r.stores, "%u flushes under a running engine: no old page changed after its ACK",
	   ROUNDS);
	vgpu_gmc_remove_tlb(r.f->gmc, r.tlb);
	free(r.tlb);
	fake_destroy(r.f);
}

int main(void)
{
	test_rule();
	test_line();
	test_tables();
	test_other_table();
	test_ack();
	test_sem();
	test_late_insert();
	test_race();
	return pure_done();
}
