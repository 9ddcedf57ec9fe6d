// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: test of the IH entry decoder
 *
 * Golden words, written down from the layout in amdgpu_ih.c of Linux 6.1: S0.103,
 * S0.104.  Ring arithmetic over the wrap.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/irq/irq_entry.h"
#include "pure_test.h"

struct golden {
	const char *name;
	u32 dw[IRQ_ENTRY_DWORDS];
	struct irq_entry want;
};

static const struct golden golden[] = {
	{
		.name = "S0.104 trap of SDMA0 ring 2, VMID 8, PASID 0x8001, event id 0x12",
		.dw = { 0x8802e008, 0x89abcdef, 0x00001234, 0x00008001, 0x00000012, 0, 0, 0 },
		.want = {
			.client = IRQ_CLIENT_SDMA0, .source = IRQ_SDMA_TRAP, .ring = 2, .vmid = 8,
			.vmid_type = 1, .timestamp = 0x123489abcdefULL, .pasid = 0x8001,
			.ctx = { 0x12 },
		},
	},
	{
		.name = "S0.103 register write refused on SDMA1, VMID 15",
		.dw = { 0x0f03f709, 0, 0, 0x0000ffff, 1, 2, 3, 0xffffffff },
		.want = {
			.client = IRQ_CLIENT_SDMA1, .source = IRQ_SDMA_SRBM_WRITE, .ring = 3,
			.vmid = 15, .pasid = 0xffff, .ctx = { 1, 2, 3, 0xffffffff },
		},
	},
	{
		.name = "S0.103 illegal instruction on SDMA0, kernel ring",
		.dw = { 0x0000f108, 0, 0, 0, 0, 0, 0, 0 },
		.want = { .client = IRQ_CLIENT_SDMA0, .source = IRQ_SDMA_ILLEGAL_INST },
	},
	{
		.name = "fault of the hub, reserved bits set",
		.dw = { 0x77000012, 0xffffffff, 0xffffffff, 0xfffff00d, 0xcafe, 0xf, 0, 0 },
		.want = {
			.client = IRQ_CLIENT_VMC, .vmid = 7, .timestamp = 0xffffffffffffULL,
			.pasid = 0xf00d, .ctx = { 0xcafe, 0xf },
		},
	},
};

static bool entry_matches(const struct irq_entry *have, const struct irq_entry *want)
{
	bool ok = PURE_EQ(have->client, want->client);
	unsigned int i;

	ok &= PURE_EQ(have->source, want->source);
	ok &= PURE_EQ(have->ring, want->ring);
	ok &= PURE_EQ(have->vmid, want->vmid);
	ok &= PURE_EQ(have->vmid_type, want->vmid_type);
	ok &= PURE_EQ(have->timestamp, want->timestamp);
	ok &= PURE_EQ(have->pasid, want->pasid);
	for (i = 0; i < 4; i++)
		ok &= PURE_EQ(have->ctx[i], want->ctx[i]);
	return ok;
}

static void test_golden(void)
{
	struct irq_entry entry;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(golden); i++) {
		memset(&entry, 0xa5, sizeof(entry));
		irq_entry_decode(golden[i].dw, &entry);
		pure_ok(entry_matches(&entry, &golden[i].want), golden[i].name);
	}
}

/* Each bit of the entry reaches one field or none. */
static void test_bits(void)
{
	static const u32 used[IRQ_ENTRY_DWORDS] = {
		0x8fffffff, 0xffffffff, 0x0000ffff, 0x0000ffff,
		0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff,
	};
	struct irq_entry none = { 0 }, entry;
	u32 dw[IRQ_ENTRY_DWORDS] = { 0 };
	bool ok = true, changed;
	unsigned int word, bit;

	irq_entry_decode(dw, &none);
	for (word = 0; word < IRQ_ENTRY_DWORDS; word++) {
		for (bit = 0; bit < 32; bit++) {
			dw[word] = 1u << bit;
			memset(&entry, 0, sizeof(entry));
			irq_entry_decode(dw, &entry);
			changed = memcmp(&entry, &none, sizeof(entry)) != 0;
			ok &= PURE_EQ(changed, used[word] >> bit & 1);
			dw[word] = 0;
		}
	}
	pure_ok(ok, "every bit of an entry belongs to one field or to none");
}

static void test_consumed_mark(void)
{
	struct irq_entry entry;
	u32 dw[IRQ_ENTRY_DWORDS] = { IRQ_ENTRY_CONSUMED };

	irq_entry_decode(dw, &entry);
	pure_ok(entry.client >= IRQ_CLIENTS, "no block writes the mark of a consumed entry");
}

static void test_ring(void)
{
	const u32 size = 1024;
	bool ok = true;
	u32 at = 0, n;

	for (n = 0; n < size / IRQ_ENTRY_BYTES; n++) {
		ok &= PURE_EQ(irq_ring_pending(0, at, size), n);
		at = irq_ring_next(at, size);
	}
	pure_ok(ok && PURE_EQ(at, 0), "the ring wraps after its last entry");
	ok = PURE_EQ(irq_ring_pending(size - 32, 64, size), 3);
	ok &= PURE_EQ(irq_ring_pending(96, 96, size), 0);
	ok &= PURE_EQ(irq_ring_pending(96, 64, size), 31);
	pure_ok(ok, "pending entries over the wrap, none, and a full ring");
}

int main(void)
{
	test_golden();
	test_bits();
	test_consumed_mark();
	test_ring();
	return pure_done();
}
