// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: the driver's entry decoder against the kernel's own headers
 *
 * Random words, decoded by irq_entry.h and by the macros of soc15_int.h (ih_oracle.c);
 * then the numbers of clients and sources.  Proves S0.103 and S0.104 (driver side).
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/irq/irq_entry.h"
#include "oracle.h"

#define ENTRIES	32

static u32 words[ENTRIES][IRQ_ENTRY_DWORDS];

/* All words as arguments of the oracle. */
static const char *arguments(void)
{
	static char text[ENTRIES * IRQ_ENTRY_DWORDS * 9 + 1];
	u32 x = 12345;
	size_t at = 0;
	unsigned int i, j;

	for (i = 0; i < ENTRIES; i++)
		for (j = 0; j < IRQ_ENTRY_DWORDS; j++) {
			x = x * 1664525 + 1013904223;
			words[i][j] = x ^ x >> 16;
			at += snprintf(text + at, sizeof(text) - at, "%08x ", words[i][j]);
		}
	return text;
}

static bool same(const u32 *dw, const struct oracle *o)
{
	struct irq_entry e;
	bool ok;

	irq_entry_decode(dw, &e);
	ok = PURE_EQ(o->count, 10) && PURE_EQ(e.client, o->n[0]) && PURE_EQ(e.source, o->n[1]);
	ok &= PURE_EQ(e.ring, o->n[2]) && PURE_EQ(e.vmid, o->n[3]);
	ok &= PURE_EQ(e.vmid_type, o->n[4]) && PURE_EQ(e.pasid, o->n[5]);
	ok &= PURE_EQ(e.ctx[0], o->n[6]) && PURE_EQ(e.ctx[1], o->n[7]);
	ok &= PURE_EQ(e.ctx[2], o->n[8]) && PURE_EQ(e.ctx[3], o->n[9]);
	return ok;
}

static void compare(struct oracle *o)
{
	unsigned int entries = 0;
	bool good = true;

	pure_ok(oracle_next(o) && !strcmp(o->name, "clients") && o->count == 5 &&
		PURE_EQ(IRQ_CLIENT_SDMA0, o->n[0]) && PURE_EQ(IRQ_CLIENT_SDMA1, o->n[1]) &&
		PURE_EQ(IRQ_CLIENT_VMC, o->n[2]) && PURE_EQ(IRQ_CLIENT_UTCL2, o->n[3]) &&
		o->n[4] <= IRQ_CLIENTS, "client numbers are the kernel header's");
	pure_ok(oracle_next(o) && !strcmp(o->name, "sources") && o->count == 3 &&
		PURE_EQ(IRQ_SDMA_TRAP, o->n[0]) && PURE_EQ(IRQ_SDMA_SRBM_WRITE, o->n[1]) &&
		PURE_EQ(IRQ_SDMA_TRAP, o->n[2]), "source numbers are the kernel header's");
	for (; oracle_next(o) && entries < ENTRIES; entries++)
		good &= same(words[entries], o);
	pure_ok(good && PURE_EQ(entries, ENTRIES),
		"32 random entries are decoded as the kernel does (S0.103, S0.104)");
}

int main(void)
{
	struct oracle o;

	if (oracle_open(&o, "ih", arguments(), "amdkfd/soc15_int.h", "")) {
		compare(&o);
		oracle_close(&o);
	}
	return pure_done();
}
