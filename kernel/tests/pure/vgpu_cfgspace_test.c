// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* pure: kernel/vgpu/vgpu_cfgspace.c kernel/vgpu/vgpu_config.c kernel/vgpu/vgpu_profile.c */
/**
 * DOC: test of the configuration space
 *
 * Golden words as lspci would read them (numbers by hand from the PCI
 * specifications), sizing of BARs, write masks, the MSI state machine.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/vgpu/vgpu_cfgspace.h"
#include "pure_test.h"

static struct vgpu_cfgspace cfg;

static void setup(void)
{
	vgpu_cfg_init(&cfg, vgpu_profile_find("vega10", 6), 8ULL << 30, 0x00ca111000686001ULL);
}

static u32 rd(unsigned int where)
{
	return vgpu_cfg_read(&cfg, where, 4);
}

static unsigned int wr(unsigned int where, u32 value)
{
	return vgpu_cfg_write(&cfg, where, 4, value);
}

static const struct { unsigned int where; u32 value; } golden[] = {
	{ 0x000, 0x68601002 },	/* device, vendor */
	{ 0x004, 0x00100000 },	/* status: capabilities; command: all off */
	{ 0x008, 0x03800000 },	/* display controller, revision 0 */
	{ 0x010, 0x0000000c },	/* BAR0: 64-bit, prefetchable */
	{ 0x018, 0x0000000c },	/* BAR2 */
	{ 0x024, 0x00000000 },	/* BAR5: 32-bit */
	{ 0x02c, 0x68601002 },
	{ 0x030, 0x00000000 },	/* no ROM */
	{ 0x034, 0x00000048 },
	{ 0x03c, 0x00000000 },	/* no interrupt pin */
	{ 0x048, 0x00035801 },	/* PM version 3, next 0x58 */
	{ 0x04c, 0x00000008 },	/* NoSoftRst, D0 */
	{ 0x058, 0x0092a010 },	/* PCIe version 2, RC integrated endpoint, next 0xa0 */
	{ 0x0a0, 0x01800005 },	/* MSI: 64-bit, maskable, 1 vector, last */
	{ 0x100, 0x00010003 },	/* device serial number, last */
	{ 0x104, 0x00686001 },
	{ 0x108, 0x00ca1110 },
	{ 0x10c, 0x00000000 },
	{ 0xffc, 0x00000000 },
};

static void test_golden(void)
{
	bool ok = true;
	unsigned int i;

	setup();
	for (i = 0; i < ARRAY_SIZE(golden); i++)
		ok &= PURE_EQ(rd(golden[i].where), golden[i].value);
	pure_ok(ok, "header, capabilities and serial number after power-on");
}

static u64 bar_size(unsigned int where, bool wide)
{
	u64 mask;

	wr(where, 0xffffffff);
	mask = rd(where) & ~0xfu;
	if (!wide)
		return (u32)(~(u32)mask + 1);
	wr(where + 4, 0xffffffff);
	return ~(mask | (u64)rd(where + 4) << 32) + 1;
}

static void test_bars(void)
{
	bool ok;

	setup();
	ok = PURE_EQ(bar_size(0x10, true), 8ULL << 30);
	ok &= PURE_EQ(bar_size(0x18, true), 2ULL << 20);
	ok &= PURE_EQ(bar_size(0x24, false), 512 << 10);
	ok &= PURE_EQ(rd(0x10) & 0xf, 0xc);
	pure_ok(ok, "BARs tell 8 GiB, 2 MiB and 512 KiB");
	wr(0x24, 0xe0012345);
	pure_ok(PURE_EQ(rd(0x24), 0xe0000000), "and keep an aligned address");
}

static void test_masks(void)
{
	static const unsigned int readonly[] = { 0x00, 0x08, 0x2c, 0x30, 0x34, 0x48, 0x58, 0x5c,
						 0xb4, 0x100, 0x104, 0x108, 0xffc };
	bool ok = true;
	unsigned int i;
	u32 before;

	setup();
	for (i = 0; i < ARRAY_SIZE(readonly); i++) {
		before = rd(readonly[i]);
		wr(readonly[i], 0xffffffff);
		wr(readonly[i], 0);
		ok &= PURE_EQ(rd(readonly[i]), before);
	}
	pure_ok(ok, "read-only words stay");
	wr(0x04, 0xffffffff);
	ok = PURE_EQ(rd(0x04), 0x00100546);
	vgpu_cfg_write(&cfg, 0x04, 1, 0);
	ok &= PURE_EQ(rd(0x04), 0x00100500);
	pure_ok(ok, "command takes its bits, also by bytes; status does not move");
	ok = PURE_EQ(vgpu_cfg_read(&cfg, 4096, 4), 0xffffffff);
	ok &= PURE_EQ(vgpu_cfg_read(&cfg, 4094, 4), 0xffffffff);
	ok &= PURE_EQ(vgpu_cfg_read(&cfg, ~0u, 1), 0xffffffff);
	ok &= PURE_EQ(vgpu_cfg_read(&cfg, 0, 3), 0xffffffff);
	ok &= PURE_EQ(vgpu_cfg_write(&cfg, 4096, 4, 0), 0);
	ok &= PURE_EQ(vgpu_cfg_write(&cfg, ~0u - 1, 4, 0), 0);
	pure_ok(ok, "nothing outside of the space");
}

static void test_msi(void)
{
	bool ok;

	setup();
	ok = PURE_EQ(vgpu_cfg_msi(&cfg), VGPU_CFG_MSI_OFF);
	wr(0xa0, 0x00010000);
	ok &= PURE_EQ(rd(0xa0), 0x01810005);
	ok &= PURE_EQ(vgpu_cfg_msi(&cfg), VGPU_CFG_MSI_OFF);
	wr(0x04, 0x6);
	ok &= PURE_EQ(vgpu_cfg_msi(&cfg), VGPU_CFG_MSI_SEND);
	pure_ok(ok, "an MSI needs MSI enable and bus mastering");
	ok = PURE_EQ(wr(0xb0, 1), 0);
	ok &= PURE_EQ(vgpu_cfg_msi(&cfg), VGPU_CFG_MSI_MASKED);
	ok &= PURE_EQ(rd(0xb4), 1);
	ok &= PURE_EQ(wr(0xb0, 0), VGPU_CFG_FIRE);
	ok &= PURE_EQ(rd(0xb4), 0) && PURE_EQ(wr(0xb0, 0), 0);
	pure_ok(ok, "a masked one waits as pending and is sent once on unmask");
	wr(0xb0, 1);
	vgpu_cfg_msi(&cfg);
	wr(0x04, 0x2);
	ok = PURE_EQ(wr(0xb0, 0), 0) && PURE_EQ(rd(0xb4), 1);
	ok &= PURE_EQ(wr(0x04, 0x6), VGPU_CFG_FIRE);
	pure_ok(ok, "a pending one also waits for bus mastering");
	ok = PURE_EQ(vgpu_cfg_memory_on(&cfg), true) && PURE_EQ(vgpu_cfg_master_on(&cfg), true);
	wr(0x04, 0);
	ok &= PURE_EQ(vgpu_cfg_memory_on(&cfg), false) && PURE_EQ(vgpu_cfg_master_on(&cfg), false);
	pure_ok(ok, "memory decoding and bus mastering follow the command register");
}

int main(void)
{
	test_golden();
	test_bars();
	test_masks();
	test_msi();
	return pure_done();
}
