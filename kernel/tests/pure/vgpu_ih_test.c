// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* pure: kernel/vgpu/vgpu_ih_ring.c */
/**
 * DOC: test of the interrupt ring's producer
 *
 * Golden entries, written down from amdgpu_ih.c and soc15_int.h of Linux 6.1 (S0.103,
 * S0.104); the register words that vega10_ih.c of Linux 6.1 programs with a ring at a
 * bus address; wrap, overflow and its clearing, rings that lie where no memory is.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/vgpu/vgpu_ih_ring.h"
#include "pure_test.h"

/* Byte offsets in BAR5 of the OSSSYS registers, by hand: (0x10a0 + n) * 4. */
#define LUT		0x4280
#define LUT_MM		0x42c0
#define RB_CNTL		0x4480
#define RB_BASE		0x4484
#define RB_BASE_HI	0x4488
#define RB_RPTR		0x448c
#define RB_WPTR		0x4490
#define RB_WPTR_HI	0x4494
#define RB_WPTR_LO	0x4498
#define DOORBELL_RPTR	0x449c
#define IH_CHICKEN	0x48b4
#define BLOCK		0x4280

/*
 * RB_ENABLE, RB_SIZE 10 (4 KiB), WPTR_WRITEBACK_ENABLE, WPTR_OVERFLOW_ENABLE,
 * ENABLE_INTR, MC_SNOOP, RPTR_REARM, MC_SPACE 1.
 */
#define CNTL_ON		0x10330115
#define CNTL_CLEAR	0x80000000
#define RING_BYTES	4096
#define RING_ADDR	0x1234500000ULL
#define CELL_ADDR	0x7f00000ff0ULL
#define OVERFLOW	1

static u32 ring_page[1024];
static u32 cell_page[1024];
static struct vgpu_ih_ring ring;
static u32 chicken;	/* of the chip, 0: it has none */

static void *test_sys_page(void *ctx, u64 dma)
{
	if (dma == RING_ADDR)
		return ring_page;
	return dma == (CELL_ADDR & ~4095ULL) ? cell_page : NULL;
}

static u64 test_clock(void *ctx)
{
	return 0x00ab123489abcdefULL;
}

static const struct vgpu_bus bus = { .sys_page = test_sys_page, .clock = test_clock };

static unsigned int reg_write(u32 reg, u32 value)
{
	return vgpu_ih_ring_write(&ring, reg - BLOCK, value);
}

static u32 reg_read(u32 reg)
{
	return vgpu_ih_ring_read(&ring, reg - BLOCK);
}

static u32 cell(void)
{
	return cell_page[(CELL_ADDR & 4095) / 4];
}

static void setup(void)
{
	memset(&ring, 0, sizeof(ring));
	memset(ring_page, 0, sizeof(ring_page));
	memset(cell_page, 0, sizeof(cell_page));
	vgpu_ih_ring_init(&ring, chicken, &bus, NULL);
	vgpu_ih_ring_reset(&ring);
	reg_write(RB_BASE, RING_ADDR >> 8);
	reg_write(RB_BASE_HI, RING_ADDR >> 40);
	reg_write(RB_WPTR_LO, (u32)CELL_ADDR);
	reg_write(RB_WPTR_HI, CELL_ADDR >> 32);
	reg_write(RB_CNTL, CNTL_ON);
}

static enum vgpu_ih_put put(unsigned int *todo)
{
	const struct vgpu_iv iv = { .client = 0x08, .source = 224, .ring = 1, .vmid = 8 };

	return vgpu_ih_ring_put(&ring, &iv, todo);
}

struct golden {
	const char *name;
	struct vgpu_iv iv;
	u16 pasid;
	u32 dw[8];
};

static const struct golden golden[] = {
	{
		"S0.104 trap of SDMA0 ring 2, VMID 8, PASID 0x8001, event id 0x12",
		{ .client = 0x08, .source = 224, .ring = 2, .vmid = 8, .ctx = { 0x12 } }, 0x8001,
		{ 0x8802e008, 0x89abcdef, 0x00001234, 0x00008001, 0x12, 0, 0, 0 },
	}, {
		"S0.104 trap of SDMA1, kernel GFX ring",
		{ .client = 0x09, .source = 224 }, 0,
		{ 0x8000e009, 0x89abcdef, 0x00001234, 0, 0, 0, 0, 0 },
	}, {
		"S0.103 register write refused on SDMA1, VMID 15",
		{ .client = 0x09, .source = 247, .ring = 3, .vmid = 15,
		  .ctx = { 1, 2, 3, 0xffffffff } }, 0xffff,
		{ 0x8f03f709, 0x89abcdef, 0x00001234, 0xffff, 1, 2, 3, 0xffffffff },
	}, {
		"fault of the memory hub, VMID 7",
		{ .client = 0x12, .source = 0, .ring = 0x9a, .vmid = 7,
		  .ctx = { 0xcafe, 0xf } }, 0xf00d,
		{ 0x879a0012, 0x89abcdef, 0x00001234, 0xf00d, 0xcafe, 0xf, 0, 0 },
	}, {
		"end of pipe, graphics hub",
		{ .client = 0x14, .source = 181, .ring = 0x10, .vmid = 3 }, 0x0042,
		{ 0x0310b514, 0x89abcdef, 0x00001234, 0x42, 0, 0, 0, 0 },
	},
};

static void test_golden(void)
{
	unsigned int i, todo;
	bool mm, ok;

	for (i = 0; i < ARRAY_SIZE(golden); i++) {
		const struct golden *g = &golden[i];

		setup();
		mm = g->iv.client != 0x14;
		reg_write((mm ? LUT_MM : LUT) + 4 * g->iv.vmid, g->pasid);
		reg_write((mm ? LUT : LUT_MM) + 4 * g->iv.vmid, 0x5555);
		ok = PURE_EQ(vgpu_ih_ring_put(&ring, &g->iv, &todo), VGPU_IH_STORED);
		ok &= PURE_EQ(todo, VGPU_IH_FIRE);
		ok &= PURE_EQ(memcmp(ring_page, g->dw, sizeof(g->dw)), 0);
		ok &= PURE_EQ(cell(), 32) && PURE_EQ(reg_read(RB_WPTR), 32);
		pure_ok(ok, g->name);
	}
}

static void test_enable(void)
{
	unsigned int todo;
	bool ok;

	setup();
	reg_write(RB_CNTL, CNTL_ON & ~0x20000);
	ok = PURE_EQ(put(&todo), VGPU_IH_STORED) && PURE_EQ(todo, 0);
	pure_ok(ok, "without ENABLE_INTR entries come but no interrupt");
	reg_write(RB_CNTL, CNTL_ON & ~1);
	ok = PURE_EQ(put(&todo), VGPU_IH_DISABLED) && PURE_EQ(todo, 0) && PURE_EQ(cell(), 32);
	pure_ok(ok, "without RB_ENABLE entries are lost");
	reg_write(RB_CNTL, CNTL_ON & ~0x100);
	ok = PURE_EQ(put(&todo), VGPU_IH_STORED) && PURE_EQ(cell(), 32) &&
	     PURE_EQ(reg_read(RB_WPTR), 64);
	pure_ok(ok, "S0.96 without write-back only the register moves");
}

static void test_wrap(void)
{
	unsigned int todo, i;
	bool ok = true;

	setup();
	for (i = 1; i <= 1000; i++) {
		ok &= PURE_EQ(put(&todo), VGPU_IH_STORED);
		ok &= PURE_EQ(cell(), i * 32 % RING_BYTES);
		ok &= PURE_EQ(reg_write(RB_RPTR, cell()), 0);
	}
	pure_ok(ok, "S0.94 1000 entries around a ring of 128");
}

static void test_overflow(void)
{
	unsigned int todo, i;
	bool ok = true;

	setup();
	for (i = 1; i < 128; i++)
		ok &= PURE_EQ(put(&todo), VGPU_IH_STORED);
	pure_ok(ok, "a ring of 128 takes 127 entries");
	ok = PURE_EQ(put(&todo), VGPU_IH_OVERWROTE) && PURE_EQ(todo, VGPU_IH_FIRE);
	ok &= PURE_EQ(cell(), OVERFLOW) && PURE_EQ(reg_read(RB_WPTR), OVERFLOW);
	pure_ok(ok, "the 128th overflows: WPTR meets RPTR and says so");
	ok = PURE_EQ(put(&todo), VGPU_IH_STORED) && PURE_EQ(cell(), 32 | OVERFLOW);
	pure_ok(ok, "and the ring goes on, the bit stays");
	reg_write(RB_CNTL, CNTL_ON | CNTL_CLEAR);
	ok = PURE_EQ(reg_read(RB_WPTR), 32) && PURE_EQ(cell(), 32 | OVERFLOW);
	reg_write(RB_CNTL, CNTL_ON);
	reg_write(RB_RPTR, 32);
	ok &= PURE_EQ(put(&todo), VGPU_IH_STORED) && PURE_EQ(cell(), 64);
	pure_ok(ok, "WPTR_OVERFLOW_CLEAR clears it, the cell follows with the next entry");
	setup();
	reg_write(RB_CNTL, CNTL_ON & ~0x10000);
	for (i = 1; i < 128; i++)
		put(&todo);
	ok = PURE_EQ(put(&todo), VGPU_IH_FULL) && PURE_EQ(todo, 0) && PURE_EQ(cell(), 127 * 32);
	pure_ok(ok, "without WPTR_OVERFLOW_ENABLE a full ring loses new entries");
}

static void test_rearm(void)
{
	unsigned int todo;
	bool ok;

	setup();
	put(&todo);
	put(&todo);
	ok = PURE_EQ(reg_write(RB_RPTR, 32), VGPU_IH_FIRE);
	ok &= PURE_EQ(reg_write(RB_RPTR, 64), 0);
	pure_ok(ok, "RPTR_REARM: entries left behind send the interrupt again");
	reg_write(RB_CNTL, CNTL_ON & ~0x200000);
	pure_ok(PURE_EQ(reg_write(RB_RPTR, 32), 0), "not without RPTR_REARM");
	setup();
	reg_write(DOORBELL_RPTR, 0x10000000 | 0x1e8);
	put(&todo);
	ok = PURE_EQ(vgpu_ih_ring_doorbell(&ring, 0x1e8 * 4), true);
	ok &= PURE_EQ(vgpu_ih_ring_doorbell(&ring, 0x1ea * 4), false);
	ok &= PURE_EQ(vgpu_ih_ring_set_rptr(&ring, 32), 0) && PURE_EQ(reg_read(RB_RPTR), 32);
	reg_write(DOORBELL_RPTR, 0x1e8);
	ok &= PURE_EQ(vgpu_ih_ring_doorbell(&ring, 0x1e8 * 4), false);
	pure_ok(ok, "S0.97 RPTR by doorbell, if enabled");
}

struct hostile {
	const char *name;
	u32 reg, value;
};

static const struct hostile hostile[] = {
	{ "ring in no memory", RB_BASE, 0x12346000 },
	{ "high half of the base", RB_BASE_HI, 1 },
	{ "MC_SPACE 4, which needs translation", RB_CNTL, 0x40330115 },
	{ "size 0", RB_CNTL, 0x10330101 },
	{ "size below one entry", RB_CNTL, 0x10330105 },
	{ "size beyond WPTR's bits", RB_CNTL, 0x10330123 },
	{ "size 31", RB_CNTL, 0x1033013f },
};

static void test_hostile(void)
{
	unsigned int i, todo;
	bool ok;

	for (i = 0; i < ARRAY_SIZE(hostile); i++) {
		setup();
		reg_write(hostile[i].reg, hostile[i].value);
		ok = PURE_EQ(put(&todo), VGPU_IH_BAD_RING) && PURE_EQ(todo, 0);
		ok &= PURE_EQ(cell(), 0);
		pure_okf(ok, "entry is lost: %s", hostile[i].name);
	}
	setup();
	reg_write(RB_WPTR, 0xffffffff);
	reg_write(RB_RPTR, 0xffffffff);
	ok = PURE_EQ(put(&todo), VGPU_IH_STORED);
	ok &= PURE_EQ(reg_read(RB_WPTR), OVERFLOW);
	pure_ok(ok, "wild pointers stay inside the ring");
	setup();
	reg_write(RB_WPTR_HI, 0xffff);
	ok = PURE_EQ(put(&todo), VGPU_IH_STORED) && PURE_EQ(reg_read(RB_WPTR), 32);
	pure_ok(ok, "a write-back cell in no memory is left alone");
	ok = PURE_EQ(reg_read(BLOCK + 0x6fc), 0xffffffff);
	reg_write(BLOCK + 0x6fc, 1);
	ok &= PURE_EQ(ring.block.unknown, 2);
	pure_ok(ok, "unknown offsets read all ones and are counted");
}

/* vega20_ih.c: on Aldebaran the driver itself allows bus addresses, by bit 4. */
static void test_chicken(void)
{
	unsigned int todo;
	bool ok;

	setup();
	ok = PURE_EQ(reg_read(IH_CHICKEN), 0xffffffff) && PURE_EQ(put(&todo), VGPU_IH_STORED);
	chicken = IH_CHICKEN;
	setup();
	ok &= PURE_EQ(put(&todo), VGPU_IH_BAD_RING) && PURE_EQ(cell(), 0);
	reg_write(IH_CHICKEN, 0x10);
	ok &= PURE_EQ(reg_read(IH_CHICKEN), 0x10) && PURE_EQ(put(&todo), VGPU_IH_STORED);
	ok &= PURE_EQ(cell(), 32) && PURE_EQ(ring.block.unknown, 0);
	chicken = 0;
	pure_ok(ok, "4.4.0: entries are lost until bus addresses are allowed");
}

int main(void)
{
	test_golden();
	test_enable();
	test_wrap();
	test_overflow();
	test_rearm();
	test_hostile();
	test_chicken();
	return pure_done();
}
