// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: libFuzzer target: the driver's IH ring against hardware that lies
 *
 * The input is what the write-pointer cell and its register say, call after call, and
 * what the ring holds.  No entry is read outside of the ring, no drain passes its
 * budget, every read pointer told to the hardware is inside the ring.
 */
#include <assert.h>

#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/irq/irq_ring.h"

#define RING_BYTES	1024
#define BUDGET		40

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

struct rig {
	const u8 *data;
	size_t size;
	u32 words[RING_BYTES / 4];
	u32 cell;
	unsigned int entries;
	struct irq_ring ring;
};

static u32 rig_take(struct rig *r)
{
	u32 value = 0;

	if (r->size < sizeof(value))
		return 0;
	memcpy(&value, r->data, sizeof(value));
	r->data += sizeof(value);
	r->size -= sizeof(value);
	return value;
}

static u32 rig_wptr(void *ctx)
{
	return rig_take(ctx);
}

static void rig_rptr(void *ctx, u32 rptr)
{
	struct rig *r = ctx;

	assert(rptr < RING_BYTES && !(rptr % IRQ_ENTRY_BYTES));
	/* New entries may have come. */
	r->cell = rig_take(r);
}

static void rig_clear(void *ctx)
{
	struct rig *r = ctx;

	r->cell &= ~1u;
}

static void rig_pause(void *ctx)
{
	struct rig *r = ctx;

	r->words[rig_take(r) % (RING_BYTES / 4)] = rig_take(r);
}

static void rig_entry(void *ctx, const struct irq_entry *e)
{
	struct rig *r = ctx;

	r->entries++;
	assert(e->vmid < 16);
}

static const struct irq_ring_ops rig_ops = {
	.read_wptr = rig_wptr,
	.write_rptr = rig_rptr,
	.clear_overflow = rig_clear,
	.pause = rig_pause,
	.entry = rig_entry,
};

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct rig r;
	unsigned int i;

	memset(&r, 0, sizeof(r));
	r.data = data;
	r.size = size;
	r.ring = (struct irq_ring){ .ops = &rig_ops, .ctx = &r, .words = r.words,
				    .cell = &r.cell, .size = RING_BYTES };
	irq_ring_reset(&r.ring);
	for (i = 0; i < RING_BYTES / 4 && r.size > 64; i++)
		r.words[i] = rig_take(&r);
	for (i = 0; i < 8; i++) {
		unsigned int before = r.entries, done;

		r.cell = rig_take(&r);
		done = irq_ring_drain(&r.ring, BUDGET);
		assert(done <= BUDGET && r.entries - before <= done);
		assert(r.ring.rptr < RING_BYTES);
	}
	return 0;
}
