// SPDX-License-Identifier: GPL-2.0-only
/* pure: kernel/vgpu/vgpu_failure.c kernel/vgpu/vgpu_mmu.c kernel/vgpu/vgpu_tlb.c */
/* pure: kernel/vgpu/vgpu_gmc.c kernel/vgpu/vgpu_sdma.c kernel/vgpu/vgpu_sdma_regs.c */
/* pure: kernel/vgpu/vgpu_sdma_queue.c kernel/vgpu/vgpu_sdma_exec.c */
/* pure: kernel/vgpu/vgpu_sdma_packet.c kernel/vgpu/vgpu_sdma_copy.c */
/* pure: kernel/vgpu/vgpu_profile.c */
/* pure: kernel/vgpu/vgpu_sdma_broadcast.c kernel/vgpu/vgpu_sdma_condition.c */
/* pure: kernel/vgpu/vgpu_sdma_semaphore.c kernel/vgpu/vgpu_sdma_time.c */
/**
 * DOC: failure switches
 *
 * What the parser takes and where it says that it does not; when a switch hits: one
 * shot, after, rate, the same again from the same seed; and what those of queues do to
 * an SDMA instance.
 */
#include "pure_test.h"
#include "vgpu_ring.h"

struct bad_row {
	const char *text;
	int error;
	unsigned int where;
};

static const struct bad_row bad[] = {
	{ "", -ENOENT, 0 },
	{ "hangs", -ENOENT, 0 },
	{ "+", -ENOENT, 0 },
	{ "hang+", -ENOENT, 5 },
	{ "hang:", -EINVAL, 5 },
	{ "hang:x=1", -EINVAL, 5 },
	{ "hang:after=", -EINVAL, 11 },
	{ "hang:after=1,", -EINVAL, 13 },
	{ "hang:after=1 ", -EINVAL, 12 },
	{ "hang:after=-1", -EINVAL, 11 },
	{ "hang:after=1,after=1", -EINVAL, 13 },
	{ "hang:after=18446744073709551616", -ERANGE, 30 },
	{ "hang:value=1", -EINVAL, 5 },
	{ "hang:source=1", -EINVAL, 5 },
	{ "irq_drop:queue=gfx", -EINVAL, 9 },
	{ "irq_drop:source=256", -ERANGE, 9 },
	{ "hang:count=0", -ERANGE, 5 },
	{ "hang:rate=0", -ERANGE, 5 },
	{ "hang:rate=4294967296", -ERANGE, 5 },
	{ "hang:instance=8", -ERANGE, 5 },
	{ "hang:queue=rlc8", -ERANGE, 5 },
	{ "hang:queue=rlc", -EINVAL, 14 },
	{ "hang:queue=10", -ERANGE, 5 },
	{ "iv_corrupt:value=0x", -EINVAL, 19 },
	{ "iv_corrupt:value=0x100000000", -ERANGE, 11 },
};

static void fresh(struct vgpu_failures *f)
{
	memset(f, 0, sizeof(*f));
	vgpu_failures_init(f);
}

static void test_refused(void)
{
	struct vgpu_failures f;
	unsigned int i, where;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		fresh(&f);
		pure_okf(PURE_EQ(vgpu_failures_set(&f, bad[i].text, &where), bad[i].error) &&
			 PURE_EQ(where, bad[i].where) && !f.armed, "refused: \"%s\"", bad[i].text);
	}
	fresh(&f);
	vgpu_failures_set(&f, "hang+vm_fault:x", &where);
	pure_ok(!f.armed, "all or none");
}

static void test_parsed(void)
{
	struct vgpu_failure_rule rule;
	struct vgpu_failures f;
	unsigned int i, where;

	fresh(&f);
	pure_ok(!vgpu_failures_set(&f, "hang:instance=1,queue=rlc1,after=7,count=2,rate=3,seed=9+"
				   "iv_corrupt:value=0xff00,source=224", &where), "two switches");
	vgpu_failures_get(&f, VGPU_FAIL_HANG, &rule);
	pure_ok(rule.on && rule.at.instance == 1 && rule.at.queue == VGPU_SDMA_RLC1 &&
		rule.at.source == VGPU_FAILURE_ANY && rule.after == 7 && rule.count == 2 &&
		rule.rate == 3 && rule.chance == 9, "settings of the first");
	vgpu_failures_get(&f, VGPU_FAIL_IV_CORRUPT, &rule);
	pure_ok(rule.on && rule.value == 0xff00 && rule.at.source == 224 && rule.count == 1 &&
		rule.rate == 1, "and of the second, one-shot");
	vgpu_failures_clear(&f, VGPU_FAIL_HANG);
	pure_ok(f.armed == 1ul << VGPU_FAIL_IV_CORRUPT, "one set back");
	for (i = 0; i < VGPU_FAILURES; i++)
		pure_ok(vgpu_failure_find(vgpu_failure_name(i)) == (int)i &&
			!vgpu_failures_set(&f, vgpu_failure_name(i), &where), vgpu_failure_name(i));
	pure_ok(vgpu_failure_find("all") == -ENOENT, "no such name");
}

/* Opportunities 0 to 63 of a switch, a bit each that fails. */
static u64 pattern(const char *text)
{
	struct vgpu_failures f;
	unsigned int i, where;
	u64 hits = 0;

	fresh(&f);
	assert(!vgpu_failures_set(&f, text, &where));
	for (i = 0; i < 64; i++)
		hits |= (u64)vgpu_fails(&f, VGPU_FAIL_HANG, 0, 0, VGPU_FAILURE_ANY, NULL) << i;
	return hits;
}

static void test_when(void)
{
	u64 some = pattern("hang:rate=4,seed=5");

	pure_ok(PURE_EQ(pattern("hang"), 1), "one shot");
	pure_ok(PURE_EQ(pattern("hang:after=5"), 1u << 5), "after some");
	pure_ok(PURE_EQ(pattern("hang:after=5,count=3"), 7u << 5), "several");
	pure_ok(PURE_EQ(pattern("hang:rate=1"), ~0ULL), "each");
	pure_ok(PURE_EQ(pattern("hang:rate=1,after=60"), 0xfULL << 60), "each after some");
	pure_ok(PURE_EQ(pattern("hang:instance=1"), 0) && PURE_EQ(pattern("hang:queue=page"), 0),
		"elsewhere");
	pure_ok(PURE_EQ(pattern("hang:instance=0,queue=gfx"), 1), "here");
	pure_ok(PURE_EQ(pattern("hang:rate=4,seed=5"), some), "a seed says the same again");
	pure_ok(some != pattern("hang:rate=4,seed=6") && some && some != ~0ULL,
		"another seed says something else");
	pure_ok(__builtin_popcountll(pattern("hang:rate=4,seed=5,count=3")) == 3 &&
		!(pattern("hang:rate=4,seed=5,count=3") & ~some), "rate and count");
	pure_ok(!vgpu_fails(NULL, VGPU_FAIL_HANG, 0, 0, 0, NULL), "no switches");
}

/* Switches and the instance */

static struct fake *start_with(const char *text)
{
	struct fake *f = start();
	unsigned int where;

	assert(!vgpu_failures_set(&f->failures, text, &where));
	return f;
}

static void test_rptr_stale(void)
{
	struct fake *f = start_with("rptr_stale:queue=gfx,after=1");
	struct ring r = gfx_ring(f);

	PUT(&r, FENCE(r.view + DATA, 1));
	kick(&r);
	pure_ok(rptr_cell(&r) == 16, "the first write-back comes");
	PUT(&r, FENCE(r.view + DATA, 2));
	kick(&r);
	pure_ok(word(f, DATA) == 2 && rptr_cell(&r) == 16 && info(&r).rptr == 32,
		"the second is lost, the packet has run");
	PUT(&r, FENCE(r.view + DATA, 3));
	kick(&r);
	pure_ok(rptr_cell(&r) == 48, "the third makes up for it");
	fake_destroy(f);
}

static void test_hang(void)
{
	struct fake *f = start_with("hang:instance=0,queue=gfx,after=1");
	struct ring r = gfx_ring(f), page = ring_at(f, 0, VGPU_SDMA_PAGE, 0, 4096);
	unsigned int where;

	PUT(&r, FENCE(r.view + DATA, 1), FENCE(r.view + DATA, 2));
	kick(&r);
	pure_ok(word(f, DATA) == 1 && state_is(&r, "hung") && !idle(&r), "it hangs at packet 1");
	PUT(&page, FENCE(page.view + DATA + 8, 1));
	kick(&page);
	pure_ok(!word(f, DATA + 8) && info(&page).wptr == 16,
		"no other queue runs, doorbells are taken");
	unload(&r);
	pure_ok(!idle(&r), "disabled it does not leave the engine");
	vgpu_failures_set(&f->failures, "reset_fail:instance=0", &where);
	fake_reg_write(f, f->sdma_base[0] + SDMA4_F32_CNTL, SDMA4_F32_CNTL__HALT);
	pure_ok(!idle(&r), "a reset that fails");
	fake_reg_write(f, f->sdma_base[0] + SDMA4_F32_CNTL, SDMA4_F32_CNTL__HALT);
	pure_ok(idle(&r) && state_is(&r, "disabled"), "a second one frees it");
	fake_reg_write(f, f->sdma_base[0] + SDMA4_F32_CNTL, 0);
	run(f, 0);
	pure_ok(word(f, DATA) == 1 && word(f, DATA + 8) == 1, "the other queue goes on");
	load(&r, info(&r).rptr, r.wptr);
	run(f, 0);
	pure_ok(word(f, DATA) == 2, "and this one where it was, once loaded");
	fake_destroy(f);
}

static void test_copy_slow(void)
{
	struct fake *f = start_with("copy_slow:value=3,queue=gfx");
	struct ring r = gfx_ring(f);
	unsigned int i;

	scribble(f->sys + DATA, 4096, 1);
	PUT(&r, COPY(r.view + DATA, r.view + DATA + 8192, 4096), FENCE(r.view + DATA + 4096, 1));
	ring_bell(&r);
	for (i = 0; i < 3; i++)
		pure_ok(step(f, 0) == VGPU_STEP_BLOCKED && state_is(&r, "blocked"), "not yet");
	run(f, 0);
	pure_ok(!memcmp(f->sys + DATA, f->sys + DATA + 8192, 4096) && word(f, DATA + 4096) == 1,
		"late, and right");
	fake_destroy(f);
}

static void test_vm_fault(void)
{
	struct fake *f = start_with("vm_fault:queue=rlc0,after=1");
	struct ring r = user_ring(f);

	PUT(&r, FENCE(r.view + DATA, 1), FENCE(r.view + DATA, 2));
	kick(&r);
	pure_ok(word(f, DATA) == 1 && state_is(&r, "halted: VM fault") && f->irqs == 1 &&
		f->iv[0].vmid == 8 && f->iv[0].source == VGPU_SOURCE_VM_FAULT &&
		f->iv[0].ctx[0] == LO(r.base >> 12), "the second packet faults at its own address");
	fake_destroy(f);
}

int main(void)
{
	test_refused();
	test_parsed();
	test_when();
	test_rptr_stale();
	test_hang();
	test_copy_slow();
	test_vm_fault();
	return pure_done();
}
