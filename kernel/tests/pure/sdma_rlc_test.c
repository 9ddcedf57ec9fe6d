// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: test of the guard before user queues' registers
 *
 * What a queue must be like to be loaded, and what becomes of a slot that the engine
 * does not let go of.  The verbs below are stand-ins that say what they are told.
 * Proves S0.97 (arguments) and B010 (sizes).
 */
/* pure: kernel/sdma/sdma_rlc.c */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/sdma/sdma_device.h"
#include "pure_test.h"

static struct hw_device hw;
static struct hw_chip chip;
static struct hw_sdma version;
static struct pci_dev pdev;
static struct sdma_instance instance;
static struct sdma_device sdma;
static unsigned int loads, unloads;
static int load_ret, unload_ret;

static int fake_load(struct hw_device *dev, unsigned int inst, unsigned int slot,
		     const struct sdma_rlc_state *s)
{
	loads++;
	return instance.rlc_lock.taken ? load_ret : -EIO;
}

static int fake_unload(struct hw_device *dev, unsigned int inst, unsigned int slot,
		       struct sdma_rlc_state *s)
{
	unloads++;
	if (!unload_ret)
		s->rptr = 0x1234;
	return unload_ret;
}

static void fake_peek(struct hw_device *dev, unsigned int inst, unsigned int slot, u64 *rptr,
		      u64 *wptr)
{
	*rptr = 8 * slot + 1;
	*wptr = 8 * slot + 2;
}

static bool fake_halted(struct hw_device *dev, unsigned int inst, unsigned int slot)
{
	return slot == 1;
}

static const struct sdma_hw_funcs funcs = {
	.rlc_load = fake_load,
	.rlc_unload = fake_unload,
	.rlc_peek = fake_peek,
	.rlc_halted = fake_halted,
};

/* Instance 1 is there, 0 is not. */
static void setup(void)
{
	memset(&sdma, 0, sizeof(sdma));
	memset(&instance, 0, sizeof(instance));
	version.user_queues = 2;
	chip.sdma = &version;
	hw.chip = &chip;
	hw.pdev = &pdev;
	sdma.hw = &hw;
	sdma.funcs = &funcs;
	sdma.mask = BIT(1);
	sdma.instance[1] = &instance;
	loads = 0;
	unloads = 0;
	load_ret = 0;
	unload_ret = 0;
}

static struct sdma_rlc_state good(void)
{
	return (struct sdma_rlc_state){
		.rb_base = 0x700000000100ULL, .rb_size = 4096, .rptr_addr = 0x700000002008ULL,
		.wptr_addr = 0x700000002010ULL, .doorbell = 0x790, .vmid = 8,
	};
}

#define LOAD(field, value) ({				\
	struct sdma_rlc_state s_ = good();		\
	s_.field = value;				\
	sdma_rlc_load(&sdma, 1, 0, &s_);		\
})

static void test_arguments(void)
{
	bool ok;

	setup();
	ok = PURE_EQ(LOAD(vmid, 8), 0) && PURE_EQ(LOAD(vmid, 15), 0);
	ok &= PURE_EQ(LOAD(rb_size, 1024), 0) && PURE_EQ(LOAD(rb_size, 1ULL << 32), 0);
	pure_ok(ok && PURE_EQ(loads, 4), "smallest and largest ring, first and last VMID");
	ok = PURE_EQ(LOAD(rb_size, 0), -EINVAL) && PURE_EQ(LOAD(rb_size, 512), -EINVAL);
	ok &= PURE_EQ(LOAD(rb_size, 3 * 4096), -EINVAL);
	ok &= PURE_EQ(LOAD(rb_size, 1ULL << 33), -EINVAL);
	ok &= PURE_EQ(LOAD(rb_size, ~0ULL), -EINVAL);
	pure_ok(ok, "ring sizes too small, too large, no power of two: -EINVAL (B010)");
	ok = PURE_EQ(LOAD(rb_base, 0x700000000080ULL), -EINVAL);
	ok &= PURE_EQ(LOAD(rptr_addr, 0x700000002004ULL), -EINVAL);
	ok &= PURE_EQ(LOAD(doorbell, 0x794), -EINVAL);
	pure_ok(ok, "addresses off their alignment: -EINVAL");
	ok = PURE_EQ(LOAD(vmid, 0), -EINVAL) && PURE_EQ(LOAD(vmid, 7), -EINVAL);
	ok &= PURE_EQ(LOAD(vmid, 16), -EINVAL);
	pure_ok(ok && PURE_EQ(loads, 4), "VMIDs of the kernel or of nobody: -EINVAL");
}

static void test_no_slot(void)
{
	struct sdma_rlc_state s = good();
	u64 rptr = 5, wptr = 5;
	bool ok;

	setup();
	ok = PURE_EQ(sdma_rlc_load(&sdma, 0, 0, &s), -ENODEV);
	ok &= PURE_EQ(sdma_rlc_load(&sdma, 1, 2, &s), -ENODEV);
	ok &= PURE_EQ(sdma_rlc_load(&sdma, HW_MAX_SDMA_INSTANCES, 0, &s), -ENODEV);
	ok &= PURE_EQ(sdma_rlc_unload(&sdma, 0, 0, &s), -ENODEV);
	ok &= PURE_EQ(sdma_rlc_unload(&sdma, 1, 2, &s), -ENODEV);
	pure_ok(ok && !loads && !unloads, "no such instance or slot: -ENODEV");
	sdma_rlc_peek(&sdma, 0, 0, &rptr, &wptr);
	ok = PURE_EQ(rptr, 0) && PURE_EQ(wptr, 0);
	sdma_rlc_peek(&sdma, 1, 1, &rptr, &wptr);
	pure_ok(ok && PURE_EQ(rptr, 9) && PURE_EQ(wptr, 10),
		"pointers of a slot, 0 where there is none");
	pure_ok(sdma_rlc_halted(&sdma, 1, 1) && !sdma_rlc_halted(&sdma, 1, 0) &&
		!sdma_rlc_halted(&sdma, 0, 1) && !sdma_rlc_halted(&sdma, 1, 2),
		"an exception of a slot, none where there is no slot");
	/* It left the mask while a queue was loaded: out it must come all the same. */
	sdma.mask = 0;
	ok = PURE_EQ(sdma_rlc_load(&sdma, 1, 0, &s), -ENODEV);
	pure_ok(ok && PURE_EQ(sdma_rlc_unload(&sdma, 1, 0, &s), 0) && PURE_EQ(s.rptr, 0x1234),
		"an instance that left the mask unloads, and loads no more");
}

static void test_lost(void)
{
	struct sdma_rlc_state s = good();
	bool ok;

	setup();
	load_ret = -ETIMEDOUT;
	ok = PURE_EQ(sdma_rlc_load(&sdma, 1, 0, &s), -ETIMEDOUT);
	load_ret = 0;
	ok &= PURE_EQ(sdma_rlc_load(&sdma, 1, 0, &s), -EIO) && PURE_EQ(loads, 1);
	pure_ok(ok && PURE_EQ(sdma_rlc_load(&sdma, 1, 1, &s), 0),
		"a slot that did not load is lost, its neighbour is not");
	setup();
	unload_ret = -ETIMEDOUT;
	ok = PURE_EQ(sdma_rlc_unload(&sdma, 1, 1, &s), -ETIMEDOUT) && PURE_EQ(s.rptr, 0);
	ok &= PURE_EQ(sdma_rlc_load(&sdma, 1, 1, &s), -EIO);
	pure_ok(ok && PURE_EQ(sdma_rlc_load(&sdma, 1, 0, &s), 0),
		"so is one whose queue does not leave it");
	setup();
	load_ret = -ENODEV;
	unload_ret = -ENODEV;
	ok = PURE_EQ(sdma_rlc_load(&sdma, 1, 0, &s), -ENODEV);
	ok &= PURE_EQ(sdma_rlc_unload(&sdma, 1, 0, &s), -ENODEV);
	load_ret = 0;
	pure_ok(ok && PURE_EQ(sdma_rlc_load(&sdma, 1, 0, &s), 0) &&
		PURE_EQ(instance.rlc_lock.taken, 0),
		"other errors cost no slot, and no lock stays taken");
}

int main(void)
{
	test_arguments();
	test_no_slot();
	test_lost();
	return pure_done();
}
