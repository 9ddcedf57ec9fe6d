// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: test of the IH ring: the driver's consumer against the model's producer
 *
 * The two were written apart and share only register addresses: S0.103, S0.104.
 * A ring of 32 entries in an array; the registers are the model's.
 */
/* pure: kernel/irq/irq_ring.c kernel/vgpu/vgpu_ih_ring.c */
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/hw/regs/osssys_4_0_regs.h"
#include "kernel/irq/irq_ring.h"
#include "kernel/vgpu/vgpu_ih_ring.h"
#include "pure_test.h"

#define RING_BYTES	1024
#define RING_ENTRIES	(RING_BYTES / IRQ_ENTRY_BYTES)
#define RING_BUS	0x1000
#define CELL_BUS	0x2000
#define BUDGET		256

/**
 * struct rig - one device
 * @memory: two pages: ring, WPTR cell
 * @model: producer
 * @bus: its surroundings
 * @ring: consumer
 * @sent: entries the model was given
 * @next: number that the next entry must carry, or -1 for any
 * @last: number of the last entry
 * @wrong: entries out of order
 * @rptr: last value published
 * @publications: how often
 * @pauses: waits for late words
 * @on_entry: run from the handler
 * @on_pause: run while waiting
 */
struct rig {
	u8 memory[2][4096];
	struct vgpu_ih_ring model;
	struct vgpu_bus bus;
	struct irq_ring ring;
	u32 sent;
	s64 next;
	u32 last;
	u32 wrong;
	u32 rptr;
	u32 publications;
	u32 pauses;
	void (*on_entry)(struct rig *rig);
	void (*on_pause)(struct rig *rig);
};

static struct rig rig;

static void *rig_page(void *ctx, u64 dma)
{
	struct rig *r = ctx;

	if (dma == RING_BUS)
		return r->memory[0];
	return dma == CELL_BUS ? r->memory[1] : NULL;
}

static u64 rig_clock(void *ctx)
{
	return 0x123456789abcULL;
}

static void model_write(struct rig *r, u32 reg, u32 value)
{
	vgpu_ih_ring_write(&r->model, reg - HW_DW(OSSSYS4_BASE), value);
}

static void send(struct rig *r)
{
	struct vgpu_iv iv = { .client = IRQ_CLIENT_SDMA0, .source = IRQ_SDMA_TRAP, .vmid = 8 };
	unsigned int todo;

	iv.ctx[0] = r->sent++;
	vgpu_ih_ring_put(&r->model, &iv, &todo);
}

static u32 rig_wptr(void *ctx)
{
	struct rig *r = ctx;

	return vgpu_ih_ring_read(&r->model, OSSSYS4_IH_RB_WPTR - HW_DW(OSSSYS4_BASE));
}

static void rig_rptr(void *ctx, u32 rptr)
{
	struct rig *r = ctx;

	r->rptr = rptr;
	r->publications++;
	model_write(r, OSSSYS4_IH_RB_RPTR, rptr);
}

static void rig_clear(void *ctx)
{
	struct rig *r = ctx;
	u32 cntl = vgpu_ih_ring_read(&r->model, OSSSYS4_IH_RB_CNTL - HW_DW(OSSSYS4_BASE));

	model_write(r, OSSSYS4_IH_RB_CNTL, cntl | OSSSYS4_IH_RB_CNTL__WPTR_OVERFLOW_CLEAR);
	model_write(r, OSSSYS4_IH_RB_CNTL, cntl & ~OSSSYS4_IH_RB_CNTL__WPTR_OVERFLOW_CLEAR);
}

static void rig_pause(void *ctx)
{
	struct rig *r = ctx;

	r->pauses++;
	if (r->on_pause)
		r->on_pause(r);
}

static void rig_entry(void *ctx, const struct irq_entry *e)
{
	struct rig *r = ctx;

	if (r->next >= 0 && e->ctx[0] != r->next)
		r->wrong++;
	if (e->client != IRQ_CLIENT_SDMA0 || e->source != IRQ_SDMA_TRAP || e->vmid != 8 ||
	    e->timestamp != 0x123456789abcULL)
		r->wrong++;
	r->next = (s64)e->ctx[0] + 1;
	r->last = e->ctx[0];
	if (r->on_entry)
		r->on_entry(r);
}

static const struct irq_ring_ops rig_ops = {
	.read_wptr = rig_wptr,
	.write_rptr = rig_rptr,
	.clear_overflow = rig_clear,
	.pause = rig_pause,
	.entry = rig_entry,
};

static struct rig *setup(void)
{
	struct rig *r = &rig;

	memset(r, 0, sizeof(*r));
	r->bus.ctx = r;
	r->bus.sys_page = rig_page;
	r->bus.clock = rig_clock;
	vgpu_ih_ring_init(&r->model, 0, &r->bus, NULL);
	vgpu_ih_ring_reset(&r->model);
	r->ring.ops = &rig_ops;
	r->ring.ctx = r;
	r->ring.words = (__le32 *)r->memory[0];
	r->ring.cell = (__le32 *)r->memory[1];
	r->ring.size = RING_BYTES;
	irq_ring_reset(&r->ring);
	model_write(r, OSSSYS4_IH_RB_BASE, RING_BUS >> 8);
	model_write(r, OSSSYS4_IH_RB_WPTR_ADDR_LO, CELL_BUS);
	model_write(r, OSSSYS4_IH_RB_CNTL, OSSSYS4_IH_RB_CNTL__RB_ENABLE |
		    OSSSYS4_IH_RB_CNTL__ENABLE_INTR | OSSSYS4_IH_RB_CNTL__WPTR_WRITEBACK_ENABLE |
		    OSSSYS4_IH_RB_CNTL__WPTR_OVERFLOW_ENABLE |
		    FIELD_PREP(OSSSYS4_IH_RB_CNTL__MC_SPACE, 1) |
		    FIELD_PREP(OSSSYS4_IH_RB_CNTL__RB_SIZE, 8));
	return r;
}

static void test_order(void)
{
	struct rig *r = setup();
	unsigned int round, n, i, got = 0, seed = 1;

	for (round = 0; round < 5000; round++) {
		seed = seed * 1103515245 + 12345;
		n = (seed >> 16) % RING_ENTRIES;
		for (i = 0; i < n; i++)
			send(r);
		got += irq_ring_drain(&r->ring, BUDGET);
	}
	pure_ok(PURE_EQ(got, r->sent) && PURE_EQ(r->wrong, 0) && PURE_EQ(r->ring.overflows, 0) &&
		PURE_EQ(r->ring.stale, 0) && PURE_EQ(r->ring.entries, r->sent),
		"S0.104 bursts of every size arrive once and in order");
}

static void send_three(struct rig *r)
{
	if (r->sent < 4)
		send(r);
}

/* Entries that come while others are handled are handled in the same call. */
static void test_looks_again(void)
{
	struct rig *r = setup();
	unsigned int done;

	send(r);
	r->on_entry = send_three;
	done = irq_ring_drain(&r->ring, BUDGET);
	pure_ok(PURE_EQ(done, 4) && PURE_EQ(r->last, 3) && PURE_EQ(r->publications, 4),
		"S0.104 RPTR is published and WPTR looked at again");
}

static void test_budget(void)
{
	struct rig *r = setup();
	unsigned int i;
	bool ok;

	for (i = 0; i < 20; i++)
		send(r);
	ok = PURE_EQ(irq_ring_drain(&r->ring, 8), 8) && PURE_EQ(r->rptr, 8 * 32);
	ok &= PURE_EQ(irq_ring_drain(&r->ring, 8), 8) && PURE_EQ(irq_ring_drain(&r->ring, 8), 4);
	ok &= PURE_EQ(irq_ring_drain(&r->ring, 8), 0) && PURE_EQ(r->publications, 3);
	pure_ok(ok && PURE_EQ(r->wrong, 0), "one call takes no more than its budget");
}

/* A flood from the handler itself: the call ends all the same. */
static void test_flood(void)
{
	struct rig *r = setup();

	send(r);
	r->on_entry = send;
	pure_ok(PURE_EQ(irq_ring_drain(&r->ring, BUDGET), BUDGET), "an endless flood ends a call");
}

static void test_overflow(void)
{
	struct rig *r = setup();
	unsigned int i, done;
	bool ok;

	for (i = 0; i < RING_ENTRIES + 8; i++)
		send(r);
	r->next = -1;
	done = irq_ring_drain(&r->ring, BUDGET);
	ok = PURE_EQ(r->ring.overflows, 1) && PURE_EQ(done, RING_ENTRIES - 1);
	ok &= PURE_EQ(r->wrong, 0) && PURE_EQ(r->last, RING_ENTRIES + 7);
	ok &= PURE_EQ(r->ring.stale, 0);
	pure_ok(ok, "after an overflow the newest entries come, in order");

	for (i = 0; i < 5; i++)
		send(r);
	ok = PURE_EQ(irq_ring_drain(&r->ring, BUDGET), 5) && PURE_EQ(r->ring.overflows, 1);
	pure_ok(ok && PURE_EQ(r->last, RING_ENTRIES + 12), "an old overflow is not reported twice");

	for (i = 0; i < 3 * RING_ENTRIES; i++)
		send(r);
	r->next = -1;
	irq_ring_drain(&r->ring, BUDGET);
	pure_ok(PURE_EQ(r->ring.overflows, 2) && PURE_EQ(r->last, r->sent - 1) &&
		PURE_EQ(r->wrong, 0), "a second overflow is reported");
}

/* WPTR moved although no words came: wait a little, skip, stay in step. */
static void test_stale(void)
{
	struct rig *r = setup();
	bool ok;

	*r->ring.cell = 4 * IRQ_ENTRY_BYTES;
	ok = PURE_EQ(irq_ring_drain(&r->ring, BUDGET), 4) && PURE_EQ(r->ring.stale, 4);
	ok &= PURE_EQ(r->pauses, 10) && PURE_EQ(r->ring.entries, 0);
	pure_ok(ok, "entries that never arrive cost a bounded wait");
}

static void deliver_late(struct rig *r)
{
	if (r->pauses == 3)
		*r->ring.words = (__le32)r->last;
}

static void test_late(void)
{
	struct rig *r = setup();
	bool ok;
	u32 word;

	send(r);
	word = *r->ring.words;
	*r->ring.words = IRQ_ENTRY_CONSUMED;
	r->last = word;
	r->on_pause = deliver_late;
	ok = PURE_EQ(irq_ring_drain(&r->ring, BUDGET), 1) && PURE_EQ(r->ring.stale, 0);
	pure_ok(ok && PURE_EQ(r->pauses, 3) && PURE_EQ(r->wrong, 0),
		"an entry whose words come late is handled");
}

/* Every value of the cell: nothing outside the ring is touched (the sanitizer looks). */
static void test_hostile(void)
{
	static const u32 values[] = {
		0xffffffff, 0xfffffffe, 0x7ffffffd, 0x40000, 0x3fffc, 31, 33, 1023, 1024,
		0x80000000,
	};
	unsigned int i;
	bool ok = true;

	for (i = 0; i < ARRAY_SIZE(values); i++) {
		struct rig *r = setup();

		*r->ring.cell = values[i];
		irq_ring_drain(&r->ring, BUDGET);
		ok &= r->ring.rptr < RING_BYTES && r->ring.rptr % IRQ_ENTRY_BYTES == 0;
	}
	pure_ok(ok, "any value of WPTR stays inside the ring");
}

int main(void)
{
	test_order();
	test_looks_again();
	test_budget();
	test_flood();
	test_overflow();
	test_stale();
	test_late();
	test_hostile();
	return pure_done();
}
