// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: golden register sequences of the driver's bottom layers
 *
 * hw_hub.c and irq_ih_regs.c run on a fake function that records writes.  The
 * expected addresses are dword offsets copied from the register lists of Linux 6.1
 * (mmhub_1_0_offset.h, osssys_4_0_offset.h, nbio_6_1_offset.h, athub_1_0_offset.h)
 * plus the block's place in vega10_ip_offset.h, not our own names; the values were
 * worked out by hand from mmhub_v1_0.c, gmc_v9_0.c, vega10_ih.c and nbio_v6_1.c.
 */
/* pure: kernel/hw/hw_hub.c kernel/irq/irq_ih_regs.c */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/hw/hw_device.h"
#include "kernel/irq/irq_ih_regs.h"
#include "pure_test.h"

#define MMHUB(dw)	((0x1a000 + (dw)) * 4)
#define OSSSYS(dw)	((0x10a0 + (dw)) * 4)
#define ATHUB(dw)	((0xc20 + (dw)) * 4)
#define NBIO(dw)	((0xd20 + (dw)) * 4)
#define BAR5_SIZE	0x80000
#define MAX_LOG		512

struct reg_write {
	u32 reg;
	u32 value;
};

static struct hw_device hw;
static struct hw_chip chip;
static struct hw_mmhub mmhub;
static struct pci_dev pdev;
static u32 regs[BAR5_SIZE / 4];
static struct reg_write writes[MAX_LOG];
static unsigned int num_writes;
static bool deaf;	/* no invalidate engine answers */
static bool no_sem;	/* none of them gives its semaphore */
static bool athub_deaf;	/* ATHUB never says that an entry has changed */

u32 hw_read(struct hw_device *dev, u32 reg)
{
	/* Acknowledgements and semaphores of the hub, update bits of ATHUB. */
	if (reg >= MMHUB(0x6f5) && reg < MMHUB(0x707))
		return deaf ? 0 : 0xffffffff;
	if (reg >= MMHUB(0x6d1) && reg < MMHUB(0x6e3))
		return !no_sem;
	/* The same of the two hubs of MMHUB 9.4.1; the first one is never deaf. */
	if (reg >= MMHUB(0xa35) && reg < MMHUB(0xa47))
		return 0xffffffff;
	if (reg >= MMHUB(0x3a35) && reg < MMHUB(0x3a47))
		return deaf ? 0 : 0xffffffff;
	if ((reg >= MMHUB(0xa11) && reg < MMHUB(0xa23)) ||
	    (reg >= MMHUB(0x3a11) && reg < MMHUB(0x3a23)))
		return 1;
	if (reg == ATHUB(0xb))
		return athub_deaf ? 0 : 0xffffffff;
	return regs[reg / 4];
}

void hw_write(struct hw_device *dev, u32 reg, u32 value)
{
	regs[reg / 4] = value;
	if (num_writes < MAX_LOG)
		writes[num_writes] = (struct reg_write){ reg, value };
	num_writes++;
}

int hw_poll(struct hw_device *dev, u32 reg, u32 mask, u32 want, unsigned int timeout_us)
{
	return (hw_read(dev, reg) & mask) == want ? 0 : -ETIMEDOUT;
}

static void setup(void)
{
	memset(regs, 0, sizeof(regs));
	memset(&hw, 0, sizeof(hw));
	num_writes = 0;
	deaf = false;
	no_sem = false;
	athub_deaf = false;
	mmhub = (struct hw_mmhub){ .hubs = 1 };
	chip.mmhub = &mmhub;
	chip.reg_ih_chicken = 0;
	chip.va_bits = 48;
	hw.chip = &chip;
	hw.pdev = &pdev;
	hw.vram_base = 0xf400000000ULL;
	hw.vram_size = 0x200000000ULL;
	hw.vram_pa = 0x3000000000ULL;
	hw.gart.base = 0x7fff00000000ULL;
	hw.gart.pages = 65536;
	hw.gart.table = 0x1fff7f000ULL;
	hw.fault_page = 0x1fffff000ULL;
	hw.dummy.dma = 0x123456000ULL;
}

/* Compare a run of writes; returns where the next run starts. */
static unsigned int compare(unsigned int at, const struct reg_write *want, unsigned int count,
			    bool *ok)
{
	unsigned int i;

	for (i = 0; i < count && at + i < num_writes; i++) {
		*ok &= PURE_EQ(writes[at + i].reg, want[i].reg);
		*ok &= PURE_EQ(writes[at + i].value, want[i].value);
	}
	*ok &= PURE_EQ(i, count);
	return at + i;
}

static const struct reg_write hub_start[] = {
	/* no AGP aperture; system aperture is VRAM; where faulting accesses go */
	{ MMHUB(0x830), 0 },
	{ MMHUB(0x82f), 0xffffff },
	{ MMHUB(0x82e), 0 },
	{ MMHUB(0x831), 0x3d0000 },
	{ MMHUB(0x832), 0x3d7fff },
	{ MMHUB(0x818), 0x031fffff },
	{ MMHUB(0x819), 0 },
	{ MMHUB(0x68e), 0x123456 },
	{ MMHUB(0x68f), 0 },
	/* L1: on, access mode 3, advanced model, uncached, ATC */
	{ MMHUB(0x833), 0x3859 },
	/* L2 from its reset value: on, fragments, identity access mode 1 */
	{ MMHUB(0x680), 0x80603 },
	{ MMHUB(0x681), 3 },
	{ MMHUB(0x682), 0x80130009 },
	{ MMHUB(0x697), 1 },
	/* an identity aperture that maps nothing */
	{ MMHUB(0x691), 0xffffffff },
	{ MMHUB(0x692), 0xf },
	{ MMHUB(0x693), 0 },
	{ MMHUB(0x694), 0 },
	{ MMHUB(0x695), 0 },
	{ MMHUB(0x696), 0 },
	/* faults */
	{ MMHUB(0x688), 0x40000 },
	{ MMHUB(0x687), 0x1ffc },
	/* context 0: flat table, the GART's range, on */
	{ MMHUB(0x72b), 0xfff7f001 },
	{ MMHUB(0x72c), 0x31 },
	{ MMHUB(0x74b), 0xfff00000 },
	{ MMHUB(0x74c), 7 },
	{ MMHUB(0x76b), 0xfff0ffff },
	{ MMHUB(0x76c), 7 },
	{ MMHUB(0x6c0), 0x2aaa01 },
};

static const struct reg_write flush_all[] = {
	{ MMHUB(0x6f4), 0x7cffff },
	{ MMHUB(0x6e2), 0 },
};

static void test_hub_init(void)
{
	struct reg_write context[7], range[2];
	unsigned int at, i;
	bool ok = true;

	setup();
	regs[MMHUB(0x680) / 4] = 0x80602;
	ok &= PURE_EQ(hw_hub_init(&hw), 0);
	at = compare(0, hub_start, ARRAY_SIZE(hub_start), &ok);
	pure_ok(ok, "hub: apertures, caches, faults, context 0");

	ok = true;
	for (i = 1; i < 16; i++) {
		context[0] = (struct reg_write){ MMHUB(0x72b + 2 * i), 0 };
		context[1] = (struct reg_write){ MMHUB(0x72c + 2 * i), 0 };
		context[2] = (struct reg_write){ MMHUB(0x74b + 2 * i), 0 };
		context[3] = (struct reg_write){ MMHUB(0x74c + 2 * i), 0 };
		context[4] = (struct reg_write){ MMHUB(0x76b + 2 * i), 0xffffffff };
		context[5] = (struct reg_write){ MMHUB(0x76c + 2 * i), 0xf };
		context[6] = (struct reg_write){ MMHUB(0x6c0 + i), 0x7ffe07 };
		at = compare(at, context, 7, &ok);
	}
	pure_ok(ok, "hub: contexts 1 to 15 with depth 3, blocks of 512, fault interrupts");

	ok = true;
	for (i = 0; i < 18; i++) {
		range[0] = (struct reg_write){ MMHUB(0x707 + 2 * i), 0xffffffff };
		range[1] = (struct reg_write){ MMHUB(0x708 + 2 * i), 0x1f };
		at = compare(at, range, 2, &ok);
	}
	at = compare(at, flush_all, ARRAY_SIZE(flush_all), &ok);
	pure_ok(ok && PURE_EQ(at, num_writes), "hub: invalidate engines, a flush, nothing else");
}

static void test_flush(void)
{
	static const struct reg_write want[] = {
		{ MMHUB(0x6f4), 0x7c0101 },
		{ MMHUB(0x6e2), 0 },
	};
	unsigned int n;
	bool ok = true;

	setup();
	ok &= PURE_EQ(hw_hub_flush(&hw, 0x101), 0);
	ok &= PURE_EQ(compare(0, want, ARRAY_SIZE(want), &ok), num_writes);
	ok &= PURE_EQ(hw_hub_flush(&hw, 0), 0) && PURE_EQ(num_writes, 2);
	deaf = true;
	ok &= PURE_EQ(hw_hub_flush(&hw, 2), -ETIMEDOUT);
	/* The semaphore is given back all the same. */
	ok &= PURE_EQ(writes[num_writes - 1].reg, MMHUB(0x6e2));
	pure_ok(ok, "hub: flush through engine 17, semaphore, time-out");
	setup();
	no_sem = true;
	ok = PURE_EQ(hw_hub_flush(&hw, 0x101), 0);
	n = compare(0, want, 1, &ok);
	pure_ok(PURE_EQ(n, num_writes) && ok,
		"hub: without the semaphore it flushes all the same and gives none back");
}

static void test_hub_fini(void)
{
	static const struct reg_write off[] = {
		{ MMHUB(0x833), 0x3818 },
		{ MMHUB(0x680), 0x80602 },
		{ MMHUB(0x682), 0 },
	};
	struct reg_write context[3];
	unsigned int at = 0, i;
	bool ok = true;

	setup();
	regs[MMHUB(0x833) / 4] = 0x3859;
	regs[MMHUB(0x680) / 4] = 0x80603;
	hw_hub_fini(&hw);
	for (i = 0; i < 16; i++) {
		context[0] = (struct reg_write){ MMHUB(0x6c0 + i), 0 };
		context[1] = (struct reg_write){ MMHUB(0x72b + 2 * i), 0 };
		context[2] = (struct reg_write){ MMHUB(0x72c + 2 * i), 0 };
		at = compare(at, context, 3, &ok);
	}
	at = compare(at, flush_all, ARRAY_SIZE(flush_all), &ok);
	at = compare(at, off, ARRAY_SIZE(off), &ok);
	pure_ok(ok && PURE_EQ(at, num_writes), "hub: contexts off, a flush, then both caches off");
}

static void test_context(void)
{
	static const struct reg_write want[] = {
		{ MMHUB(0x72b + 16), 0x87654001 },
		{ MMHUB(0x72c + 16), 0x30 },
		{ MMHUB(0x6f4), 0x7c0100 },
		{ MMHUB(0x6e2), 0 },
	};
	bool ok = true;

	setup();
	ok &= PURE_EQ(hw_hub_set_context(&hw, 8, 0x3087654001ULL), 0);
	ok &= PURE_EQ(compare(0, want, ARRAY_SIZE(want), &ok), num_writes);
	ok &= PURE_EQ(hw_hub_set_context(&hw, 0, 1), -EINVAL);
	ok &= PURE_EQ(hw_hub_set_context(&hw, 16, 1), -EINVAL) && PURE_EQ(num_writes, 4);
	pure_ok(ok, "hub: root of a context, then its flush; VMID 0 and 16 refused");
	ok = true;
	setup();
	regs[MMHUB(0x72b + 16) / 4] = 0x87654001;
	hw_hub_clear_context(&hw, 8);
	ok &= PURE_EQ(regs[MMHUB(0x72b + 16) / 4], 0) && PURE_EQ(num_writes, 4);
	deaf = true;
	ok &= PURE_EQ(hw_hub_set_context(&hw, 8, 0x3087654001ULL), -ETIMEDOUT);
	pure_ok(ok, "hub: a context is emptied; a hub that does not answer is told");
}

/* MMHUB 9.4.1: dwords from mmhub_9_4_1_offset.h. */
static void test_two_hubs(void)
{
	static const struct reg_write want[] = {
		{ MMHUB(0xa6b + 16), 0x87654001 }, { MMHUB(0xa6c + 16), 0x30 },
		{ MMHUB(0x3a6b + 16), 0x87654001 }, { MMHUB(0x3a6c + 16), 0x30 },
		{ MMHUB(0xa34), 0x7c0100 }, { MMHUB(0xa22), 0 },
		{ MMHUB(0x3a34), 0x7c0100 }, { MMHUB(0x3a22), 0 },
	};
	struct hw_hub_fault f;
	bool ok = true;

	setup();
	mmhub = (struct hw_mmhub){ 2, 0x3000 * 4, 0x340 * 4, 0x2d4 * 4 };
	ok &= PURE_EQ(hw_hub_set_context(&hw, 8, 0x3087654001ULL), 0);
	ok &= PURE_EQ(compare(0, want, ARRAY_SIZE(want), &ok), num_writes);
	deaf = true;
	ok &= PURE_EQ(hw_hub_flush(&hw, 2), -ETIMEDOUT);
	pure_ok(ok, "two hubs: a context and its flush in both; one that is deaf is told");
	setup();
	mmhub = (struct hw_mmhub){ 2, 0x3000 * 4, 0x340 * 4, 0x2d4 * 4 };
	ok = PURE_EQ(hw_hub_init(&hw), 0);
	/* System aperture, context 0, range of the last invalidate engine. */
	ok &= PURE_EQ(regs[MMHUB(0xb05) / 4], 0xf400000000ULL >> 18);
	ok &= PURE_EQ(regs[MMHUB(0x3b05) / 4], 0xf400000000ULL >> 18);
	ok &= regs[MMHUB(0xa00) / 4] && PURE_EQ(regs[MMHUB(0xa00) / 4], regs[MMHUB(0x3a00) / 4]);
	ok &= PURE_EQ(regs[MMHUB(0x3a48 + 2 * 17) / 4], 0x1f);
	regs[MMHUB(0x39cb) / 4] = 0x00941e50;
	ok &= PURE_EQ(hw_hub_fault_take(&hw, 0, &f), 0);
	ok &= PURE_EQ(hw_hub_fault_take(&hw, 1, &f), 1);
	ok &= PURE_EQ(f.vmid, 9) && PURE_EQ(f.client, 15);
	hw_hub_fini(&hw);
	ok &= PURE_EQ(regs[MMHUB(0xa00) / 4], 0) && PURE_EQ(regs[MMHUB(0x3a0f) / 4], 0);
	pure_ok(ok, "two hubs: both are set up and shut down, each has a latch of its own");
}

/* MMHUB 1.7: dwords from mmhub_1_7_offset.h; gmc_v9_0.c takes no semaphore on GC 9.4.2. */
static void test_hub_1_7(void)
{
	static const struct reg_write want[] = {
		{ MMHUB(0xc2b + 16), 0x87654001 }, { MMHUB(0xc2c + 16), 0x30 },
		{ MMHUB(0xbf4), 0x7c0100 },
	};
	bool ok = true;

	setup();
	mmhub = (struct hw_mmhub){ 1, 0, 0x500 * 4, 0x494 * 4, true };
	regs[MMHUB(0xbf5 + 17) / 4] = 0xffffffff;
	ok &= PURE_EQ(hw_hub_set_context(&hw, 8, 0x3087654001ULL), 0);
	ok &= PURE_EQ(compare(0, want, ARRAY_SIZE(want), &ok), num_writes);
	pure_ok(ok, "MMHUB 1.7: a context and its flush, without the semaphore");
	ok = PURE_EQ(hw_hub_init(&hw), 0);
	/* System aperture, L1, context 0, range of the last invalidate engine. */
	ok &= PURE_EQ(regs[MMHUB(0xcc5) / 4], 0xf400000000ULL >> 18);
	ok &= PURE_EQ(regs[MMHUB(0xcc7) / 4], 0x3859) && regs[MMHUB(0xbc0) / 4];
	ok &= PURE_EQ(regs[MMHUB(0xc08 + 2 * 17) / 4], 0x1f);
	pure_ok(ok, "MMHUB 1.7: set-up");
}

static void test_pasid(void)
{
	static const struct reg_write want[] = {
		{ ATHUB(0x3d + 9), 0x80008005 },
		{ ATHUB(0xc + 9), 0x80008005 },
		{ ATHUB(0xb), 0x02000200 },
		{ OSSSYS(0x0 + 9), 0x8005 },
		{ OSSSYS(0x10 + 9), 0x8005 },
	};
	bool ok = true;

	setup();
	hw_hub_set_pasid(&hw, 9, 0x8005);
	ok &= PURE_EQ(compare(0, want, ARRAY_SIZE(want), &ok), num_writes);
	hw_hub_set_pasid(&hw, 9, 0);
	ok &= PURE_EQ(regs[ATHUB(0xc + 9) / 4], 0) && PURE_EQ(regs[OSSSYS(9) / 4], 0);
	pure_ok(ok, "hub: PASID in both tables of ATHUB and both of the IH");
	setup();
	athub_deaf = true;
	hw_hub_set_pasid(&hw, 9, 0x8005);
	ok = PURE_EQ(compare(0, want, ARRAY_SIZE(want), &ok), num_writes) && ok;
	hw_hub_set_pasid(&hw, 0, 0x8005);
	hw_hub_set_pasid(&hw, 16, 0x8005);
	pure_ok(ok && PURE_EQ(num_writes, ARRAY_SIZE(want)),
		"hub: an ATHUB that does not answer costs time alone; VMID 0 and 16 have no PASID");
}

static void test_fault(void)
{
	static const struct reg_write want[] = {
		{ MMHUB(0x687), 0x1ffd },
		{ MMHUB(0x687), 0x1ffc },
	};
	struct hw_hub_fault f;
	bool ok = true;

	setup();
	ok &= PURE_EQ(hw_hub_fault_take(&hw, 0, &f), 0) && PURE_EQ(num_writes, 0);
	regs[MMHUB(0x687) / 4] = 0x1ffc;
	/* VMID 8, store, client 15, mapping error, valid and write missing, walker 2, more */
	regs[MMHUB(0x68b) / 4] = 8 << 20 | 1 << 18 | 15 << 9 | 1 << 8 | 5 << 4 | 2 << 1 | 1;
	regs[MMHUB(0x68c) / 4] = 0xf1234567;
	regs[MMHUB(0x68d) / 4] = 0x7;
	ok &= PURE_EQ(hw_hub_fault_take(&hw, 0, &f), 1);
	ok &= PURE_EQ(f.addr, 0x7f1234567000ULL) && PURE_EQ(f.vmid, 8) && PURE_EQ(f.client, 15);
	ok &= PURE_EQ(f.write, 1) && PURE_EQ(f.permission, 5) && PURE_EQ(f.walker_error, 2);
	ok &= PURE_EQ(f.mapping_error, 1) && PURE_EQ(f.more, 1);
	ok &= PURE_EQ(compare(0, want, ARRAY_SIZE(want), &ok), num_writes);
	pure_ok(ok, "hub: fault latch is decoded and cleared");
	regs[MMHUB(0x68b) / 4] = 0xffffffff;
	hw.lost = true;
	pure_ok(PURE_EQ(hw_hub_fault_take(&hw, 0, &f), 0) &&
		PURE_EQ(num_writes, ARRAY_SIZE(want)), "hub: a function that is gone has no fault");
}

static void test_ih(void)
{
	static const struct reg_write program[] = {
		{ NBIO(0xf2), 0x1234560 },
		{ NBIO(0xf1), 0x4 },
		{ OSSSYS(0x81), 0xab123400 },
		{ OSSSYS(0x82), 0x5 },
		/* overflow bits, bus space, re-arm, snoop, time stamp, write-back, 2^16 dwords */
		{ OSSSYS(0x80), 0x903101a0 },
		{ OSSSYS(0x86), 0x12380000 },
		{ OSSSYS(0x85), 0x5ab },
		{ OSSSYS(0x84), 0 },
		{ OSSSYS(0x83), 0 },
		{ OSSSYS(0x87), 0 },
		{ NBIO(0x1d2), 0 },
	};
	static const struct reg_write enable[] = { { OSSSYS(0x80), 0x103301a1 } };
	static const struct reg_write disable[] = {
		{ OSSSYS(0x80), 0x103101a0 },
		{ OSSSYS(0x83), 0 },
		{ OSSSYS(0x84), 0 },
	};
	static const struct reg_write clear[] = {
		{ OSSSYS(0x80), 0x903301a1 },
		{ OSSSYS(0x80), 0x103301a1 },
	};
	unsigned int at;
	bool ok = true;

	setup();
	regs[NBIO(0xf1) / 4] = 0xd;
	irq_ih_program(&hw, 0x5ab12340000ULL, 262144, 0x5ab12380000ULL);
	at = compare(0, program, ARRAY_SIZE(program), &ok);
	pure_ok(ok && PURE_EQ(at, num_writes), "IH: ring 0 of 256 KiB by bus address");
	ok = true;
	irq_ih_enable(&hw);
	at = compare(at, enable, ARRAY_SIZE(enable), &ok);
	irq_ih_clear_overflow(&hw);
	at = compare(at, clear, ARRAY_SIZE(clear), &ok);
	irq_ih_disable(&hw);
	at = compare(at, disable, ARRAY_SIZE(disable), &ok);
	pure_ok(ok && PURE_EQ(at, num_writes), "IH: on, overflow cleared, off");
}

/* vega20_ih.c, Aldebaran: nobody else allows the IH bus addresses. */
static void test_ih_chicken(void)
{
	setup();
	chip.reg_ih_chicken = OSSSYS(0x18d);
	regs[OSSSYS(0x18d) / 4] = 0x3;
	irq_ih_program(&hw, 0x5ab12340000ULL, 262144, 0x5ab12380000ULL);
	pure_ok(PURE_EQ(regs[OSSSYS(0x18d) / 4], 0x13),
		"IH: bus addresses are allowed, other bits kept");
}

int main(void)
{
	test_hub_init();
	test_hub_fini();
	test_flush();
	test_context();
	test_two_hubs();
	test_hub_1_7();
	test_pasid();
	test_fault();
	test_ih();
	test_ih_chicken();
	return pure_done();
}
