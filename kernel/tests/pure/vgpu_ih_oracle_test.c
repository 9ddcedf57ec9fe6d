// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* pure: kernel/vgpu/vgpu_ih_ring.c */
/**
 * DOC: the model's interrupt entries against the kernel's own headers
 *
 * What the model encodes is read by the macros of soc15_int.h (ih_oracle.c) as what
 * went in.  The driver takes no part.  Proves S0.103 and S0.104 (model side).
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/vgpu/vgpu_ih_ring.h"
#include "oracle.h"

/* Entry, PASID, and the hub that the VMID belongs to: 1 for SDMA and VMC. */
struct row {
	struct vgpu_iv iv;
	u16 pasid;
	unsigned int hub;
};

static const struct row rows[] = {
	{ { 8, 224, 0, 0, { 0 } }, 0, 1 },
	{ { 8, 224, 1, 8, { 0x0fffffff } }, 0x8001, 1 },
	{ { 9, 224, 3, 0, { 1 } }, 0, 1 },
	{ { 9, 247, 2, 15, { 1, 2, 3, 0xffffffff } }, 0xffff, 1 },
	{ { 8, 241, 1, 9, { 0x89abcdef, 0x1234 } }, 0x8002, 1 },
	{ { 0x12, 0, 0, 8, { 0xf1234567, 0x7 } }, 0x7fff, 1 },
	{ { 0x14, 181, 0xff, 10, { 5, 6, 7, 8 } }, 1, 0 },
};

static const char *arguments(void)
{
	static char text[ARRAY_SIZE(rows) * VGPU_IV_DWORDS * 9 + 1];
	u32 dw[VGPU_IV_DWORDS];
	size_t at = 0;
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		vgpu_iv_encode(dw, &rows[i].iv, rows[i].pasid, 0xfedcba9876543210ULL);
		for (j = 0; j < VGPU_IV_DWORDS; j++)
			at += snprintf(text + at, sizeof(text) - at, "%08x ", dw[j]);
	}
	return text;
}

static bool same(const struct row *r, const struct oracle *o)
{
	bool ok = PURE_EQ(o->count, 10);
	unsigned int i;

	ok &= PURE_EQ(r->iv.client, o->n[0]) && PURE_EQ(r->iv.source, o->n[1]);
	ok &= PURE_EQ(r->iv.ring, o->n[2]) && PURE_EQ(r->iv.vmid, o->n[3]);
	ok &= PURE_EQ(r->hub, o->n[4]) && PURE_EQ(r->pasid, o->n[5]);
	for (i = 0; i < 4; i++)
		ok &= PURE_EQ(r->iv.ctx[i], o->n[6 + i]);
	return ok;
}

int main(void)
{
	unsigned int i = 0;
	struct oracle o;

	if (oracle_open(&o, "ih", arguments(), "amdkfd/soc15_int.h", "")) {
		while (oracle_next(&o) && i < ARRAY_SIZE(rows)) {
			if (strcmp(o.name, "entry"))
				continue;
			pure_okf(same(&rows[i], &o), "entry of client %u, source %u is read back",
				 rows[i].iv.client, rows[i].iv.source);
			i++;
		}
		oracle_close(&o);
	}
	pure_ok(PURE_EQ(i, ARRAY_SIZE(rows)), "every entry was read back (S0.103, S0.104)");
	return pure_done();
}
