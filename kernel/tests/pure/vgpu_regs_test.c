// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* pure: kernel/vgpu/vgpu_nbio.c kernel/vgpu/vgpu_gc.c */
/* pure: kernel/vgpu/vgpu_config.c kernel/vgpu/vgpu_profile.c */
/**
 * DOC: test of the NBIO, HDP, ATHUB and GC registers
 *
 * Offsets by hand from the register headers of Linux 6.1 (dword address of the segment
 * plus the register's, times 4), and the sequences that nbio_v6_1.c,
 * amdgpu_amdkfd_gfx_v9.c and gfx_v9_0.c of Linux 6.1 run on them.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/vgpu/vgpu_gc.h"
#include "kernel/vgpu/vgpu_nbio.h"
#include "pure_test.h"

#define NBIO(dw)		((0x0d20 + (dw)) * 4)
#define HDP(dw)			((0x0f20 + (dw)) * 4)
#define ATHUB(dw)		((0x0c20 + (dw)) * 4)
#define GC0(dw)			((0x2000 + (dw)) * 4)
#define GC1(dw)			((0xa000 + (dw)) * 4)

static struct vgpu_config config;
static struct vgpu_nbio nbio;
static struct vgpu_gc gc;
static unsigned int flushes;
static u64 now;

static void test_flush(void *ctx)
{
	flushes++;
}

static u64 test_clock(void *ctx)
{
	return now;
}

static const struct vgpu_bus bus = { .hdp_flush = test_flush, .clock = test_clock };

static struct vgpu_block *block_of(u32 reg)
{
	struct vgpu_block *blocks[] = { &nbio.nbio, &nbio.hdp, &nbio.athub, &gc.seg0, &gc.seg1,
					&nbio.remap[0], &nbio.remap[1] };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(blocks); i++)
		if (reg - blocks[i]->base < blocks[i]->size)
			return blocks[i];
	return NULL;
}

static u32 rd(u32 reg)
{
	struct vgpu_block *block = block_of(reg);

	return block ? block->ops->read(block, reg - block->base) : ~0u;
}

static void wr(u32 reg, u32 value)
{
	struct vgpu_block *block = block_of(reg);

	if (block)
		block->ops->write(block, reg - block->base, value);
}

static void setup(const char *gpus)
{
	unsigned int where;

	vgpu_config_parse(gpus, &config, 1, &where);
	memset(&nbio, 0, sizeof(nbio));
	memset(&gc, 0, sizeof(gc));
	flushes = 0;
	vgpu_nbio_init(&nbio, &config, &bus);
	vgpu_gc_init(&gc, &config, &bus);
	nbio.nbio.ops->reset(&nbio.nbio);
	nbio.hdp.ops->reset(&nbio.hdp);
	nbio.athub.ops->reset(&nbio.athub);
	gc.seg0.ops->reset(&gc.seg0);
	gc.seg1.ops->reset(&gc.seg1);
}

static void test_identity(void)
{
	bool ok;

	setup("vega10:vram=2g");
	ok = PURE_EQ(rd(NBIO(0xc3)), 2048);
	wr(NBIO(0xc3), 1);
	ok &= PURE_EQ(rd(NBIO(0xc3)), 2048);
	ok &= PURE_EQ(rd(NBIO(0x0f)) & 0x0f000000, 0);
	ok &= PURE_EQ(rd(GC0(0x63e)), 0x2a114042);
	pure_ok(ok, "MiB of VRAM, revision, address configuration");
}

static void test_hdp(void)
{
	bool ok;

	setup("vega10");
	wr(NBIO(0xf7), 0);
	wr(HDP(0xd1), 1);
	ok = PURE_EQ(flushes, 2);
	wr(NBIO(0x106), 1 << 11);
	ok &= PURE_EQ(flushes, 3) && PURE_EQ(rd(NBIO(0x107)), 1 << 11);
	wr(NBIO(0x107), 0);
	ok &= PURE_EQ(rd(NBIO(0x107)), 1 << 11);
	pure_ok(ok, "HDP flush by request (done bit), by register, read-cache invalidate");
	setup("mi210");
	wr(HDP(0xd1), 1);
	pure_ok(PURE_EQ(flushes, 0) && PURE_EQ(nbio.hdp.unknown, 1),
		"HDP 4.4.0 has no read cache to invalidate");
	setup("vega10");
	ok = PURE_EQ(rd(0x7f000), ~0u);
	wr(NBIO(0x12d), 0x7f000);
	wr(NBIO(0x12e), 0x7f004);
	wr(0x7f000, 0);
	wr(0x7f004, 0);
	ok &= PURE_EQ(flushes, 2) && PURE_EQ(rd(0x7f000), 0);
	wr(NBIO(0x12d), 0xffffffff);
	wr(0x7f000, 0);
	ok &= PURE_EQ(flushes, 2) && PURE_EQ(rd(NBIO(0x12d)), 0x7fffc);
	pure_ok(ok, "the flush registers appear where the REMAP registers say");
}

static void test_doorbells(void)
{
	bool ok;

	setup("vega10");
	ok = PURE_EQ(vgpu_nbio_doorbells_open(&nbio), false);
	ok &= PURE_EQ(vgpu_nbio_route(&nbio, 0xf0 * 8), VGPU_ROUTE_NONE);
	wr(NBIO(0xc0), 1);
	ok &= PURE_EQ(vgpu_nbio_doorbells_open(&nbio), true);
	pure_ok(ok, "the doorbell aperture opens");
	/* Slots 0xf0 and 0xf2 of 8 bytes, ranges of 4 dwords. */
	wr(NBIO(0x1d0), 0x1e0 << 2 | 4 << 16);
	wr(NBIO(0x1d1), 0x1e4 << 2 | 4 << 16);
	wr(NBIO(0x1d2), 0x1e8 << 2 | 2 << 16);
	ok = PURE_EQ(rd(NBIO(0x1d0)), 0x00040780);
	ok &= PURE_EQ(vgpu_nbio_route(&nbio, 0xef * 8), VGPU_ROUTE_NONE);
	ok &= PURE_EQ(vgpu_nbio_route(&nbio, 0xf0 * 8), VGPU_ROUTE_SDMA0);
	ok &= PURE_EQ(vgpu_nbio_route(&nbio, 0xf1 * 8), VGPU_ROUTE_SDMA0);
	ok &= PURE_EQ(vgpu_nbio_route(&nbio, 0xf2 * 8), VGPU_ROUTE_SDMA0 + 1);
	ok &= PURE_EQ(vgpu_nbio_route(&nbio, 0xf4 * 8), VGPU_ROUTE_IH);
	ok &= PURE_EQ(vgpu_nbio_route(&nbio, 0xf5 * 8), VGPU_ROUTE_NONE);
	ok &= PURE_EQ(vgpu_nbio_route(&nbio, 511 * 4096 + 0xf3 * 8), VGPU_ROUTE_SDMA0 + 1);
	pure_ok(ok, "doorbell ranges repeat in every page of BAR2");
	wr(NBIO(0x1d0), 0x1e0 << 2);
	pure_ok(PURE_EQ(vgpu_nbio_route(&nbio, 0xf0 * 8), VGPU_ROUTE_NONE), "size 0 closes one");
}

/* NBIO 7.4: the straps moved, ranges are longer; everything else is as in 6.1. */
static void test_nbio_7_4(void)
{
	bool ok;

	setup("vega20:vram=2g");
	ok = PURE_EQ(rd(NBIO(0xc3)), 2048) && PURE_EQ(rd(NBIO(0x0f)), ~0u);
	ok &= PURE_EQ(rd(NBIO(0x11)), 0x01000000) && PURE_EQ(rd(GC0(0x63e)), 0x22014042);
	wr(NBIO(0x11), 0);
	ok &= PURE_EQ(rd(NBIO(0x11)), 0x01000000);
	pure_ok(ok, "NBIO 7.4: straps, size of VRAM");
	wr(NBIO(0xc0), 1);
	/* Slots 0x100 and 0x10a of 8 bytes, ranges of 20 dwords. */
	wr(NBIO(0x1d0), 0x200 << 2 | 20 << 16);
	wr(NBIO(0x1d1), 0x214 << 2 | 20 << 16);
	ok = PURE_EQ(vgpu_nbio_route(&nbio, 0x100 * 8), VGPU_ROUTE_SDMA0);
	ok &= PURE_EQ(vgpu_nbio_route(&nbio, 4096 + 0x109 * 8), VGPU_ROUTE_SDMA0);
	ok &= PURE_EQ(vgpu_nbio_route(&nbio, 0x10a * 8), VGPU_ROUTE_SDMA0 + 1);
	ok &= PURE_EQ(vgpu_nbio_route(&nbio, 0x113 * 8), VGPU_ROUTE_SDMA0 + 1);
	ok &= PURE_EQ(vgpu_nbio_route(&nbio, 0x114 * 8), VGPU_ROUTE_NONE);
	pure_ok(ok, "NBIO 7.4: ten slots for each SDMA instance");
}

static void test_pasid(void)
{
	bool ok;

	setup("vega10");
	wr(ATHUB(0x0c + 9), 0x80008001);
	ok = PURE_EQ(rd(ATHUB(0x0b)), 1 << 9) && PURE_EQ(rd(ATHUB(0x0c + 9)), 0x80008001);
	wr(ATHUB(0x0b), 1 << 8);
	ok &= PURE_EQ(rd(ATHUB(0x0b)), 1 << 9);
	wr(ATHUB(0x0b), 1 << 9);
	ok &= PURE_EQ(rd(ATHUB(0x0b)), 0);
	wr(ATHUB(0x0c + 9), 0);
	ok &= PURE_EQ(rd(ATHUB(0x0c + 9)), 0) && PURE_EQ(rd(ATHUB(0x0b)), 1 << 9);
	wr(ATHUB(0x3d + 15), 0x80008002);
	ok &= PURE_EQ(rd(ATHUB(0x3d + 15)), 0x80008002);
	ok &= PURE_EQ(rd(ATHUB(0x0b)), 1u << 31 | 1 << 9) && PURE_EQ(nbio.athub.unknown, 0);
	pure_ok(ok, "VMID to PASID mapping and its update status");
}

/* Active units of each shader engine, read as gfx_v9_0.c does. */
static unsigned int count_units(void)
{
	unsigned int se, n = 0;
	u32 inactive;

	for (se = 0; se < 4; se++) {
		wr(GC1(0x2200), 0x40000000 | se << 16);
		inactive = (rd(GC0(0x26f)) | rd(GC0(0x270))) >> 16;
		n += __builtin_popcount(~inactive & 0xffff);
	}
	wr(GC1(0x2200), 0xe0000000);
	return n;
}

static void test_units(void)
{
	bool ok;

	setup("vega10:cu=4");
	ok = PURE_EQ(count_units(), 4);
	wr(GC1(0x2200), 0x40000000);
	ok &= PURE_EQ(rd(GC0(0x26f)), 0xfffe0000);
	wr(GC1(0x2200), 0x40040000);
	ok &= PURE_EQ(rd(GC0(0x26f)), 0xffff0000);
	wr(GC1(0x2200), 0x40000100);
	ok &= PURE_EQ(rd(GC0(0x26f)), 0xffff0000);
	pure_ok(ok, "cu=4: one unit in each engine, none elsewhere");
	setup("vega10");
	ok = PURE_EQ(count_units(), 64);
	wr(GC0(0x270), 0x000f0000);
	ok &= PURE_EQ(count_units(), 48);
	wr(GC1(0x2200), 0x40010000);
	wr(GC0(0x270), 0);
	ok &= PURE_EQ(count_units(), 52);
	pure_ok(ok, "units switched off by the user register, broadcast and one by one");
}

static void test_banks(void)
{
	unsigned int vmid;
	bool ok = true;

	setup("vega10");
	for (vmid = 0; vmid < 16; vmid++) {
		wr(GC0(0x22), vmid << 4);
		wr(GC0(0x30a), 0x20001000 + vmid);
		wr(GC0(0x30d), vmid);
	}
	for (vmid = 0; vmid < 16; vmid++) {
		wr(GC0(0x22), vmid << 4);
		ok &= PURE_EQ(rd(GC0(0x30a)), 0x20001000 + vmid);
		ok &= PURE_EQ(rd(GC0(0x30d)), vmid);
	}
	pure_ok(ok, "SH_MEM registers are banked by VMID");
}

static void test_clock_latch(void)
{
	bool ok;

	setup("vega10");
	now = 0x123456789abcULL;
	wr(GC1(0x4c26), 1);
	now = ~0ULL;
	wr(GC1(0x4c26), 0);
	ok = PURE_EQ(rd(GC1(0x4c24)), 0x56789abc) && PURE_EQ(rd(GC1(0x4c25)), 0x1234);
	pure_ok(ok, "the clock is latched by RLC_CAPTURE_GPU_CLOCK_COUNT");
}

static void test_unknown(void)
{
	bool ok;

	setup("vega10");
	ok = PURE_EQ(rd(NBIO(0x1ff)), ~0u) && PURE_EQ(rd(HDP(0)), ~0u);
	ok &= PURE_EQ(rd(ATHUB(0)), ~0u) && PURE_EQ(rd(GC0(0)), ~0u) && PURE_EQ(rd(GC1(0)), ~0u);
	wr(NBIO(0x1ff), 1);
	ok &= PURE_EQ(nbio.nbio.unknown, 2) && PURE_EQ(gc.seg1.unknown, 1);
	pure_ok(ok, "unknown offsets read all ones and are counted");
}

int main(void)
{
	test_identity();
	test_hdp();
	test_doorbells();
	test_nbio_7_4();
	test_pasid();
	test_units();
	test_banks();
	test_clock_latch();
	test_unknown();
	return pure_done();
}
