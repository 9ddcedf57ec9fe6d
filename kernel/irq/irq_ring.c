// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: draining the IH ring
 *
 * The IH writes an entry, then its WPTR into a memory cell, then raises the MSI.
 * The driver reads the cell, orders that load before the loads of the entries,
 * hands the entries out, publishes its RPTR, and looks at the cell again: an entry
 * that came before RPTR was published raised no new interrupt.
 *
 * Overflow: when the IH overtakes RPTR it sets a bit in WPTR.  The oldest entry
 * that is still whole then lies behind WPTR; draining goes on there.  What was
 * overwritten is lost; waiters have their own fallback.
 *
 * Consumed entries are marked.  One that still carries the mark although WPTR has
 * passed it has not arrived; after a short wait it is skipped.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "../hw/regs/osssys_4_0_regs.h"
#include "irq_ring.h"
#include "irq_ring_os.h"

/* Pauses that one drain spends on entries which have not arrived. */
#define IRQ_RING_PATIENCE	10

/**
 * irq_ring_reset - an empty ring whose entries all carry the mark
 * @ring: its memory, size and ops are set
 */
void irq_ring_reset(struct irq_ring *ring)
{
	memset(ring->words, 0xff, ring->size);
	WRITE_ONCE(*ring->cell, 0);
	ring->rptr = 0;
}

/* The cell says overflow: ask the register, it may be old news. */
static u32 irq_ring_resync(struct irq_ring *ring)
{
	u32 wptr = ring->ops->read_wptr(ring->ctx);

	if (wptr & OSSSYS4_IH_RB_WPTR__RB_OVERFLOW) {
		ring->overflows++;
		ring->rptr = irq_ring_next(wptr & ~(IRQ_ENTRY_BYTES - 1), ring->size);
		ring->ops->clear_overflow(ring->ctx);
	}
	return wptr;
}

static u32 irq_ring_wptr(struct irq_ring *ring)
{
	u32 wptr = le32_to_cpu(READ_ONCE(*ring->cell));

	if (wptr & OSSSYS4_IH_RB_WPTR__RB_OVERFLOW)
		wptr = irq_ring_resync(ring);
	/* Broken values stay inside the ring and on entries. */
	return wptr & (ring->size - 1) & ~(IRQ_ENTRY_BYTES - 1);
}

/* Wait a little for the first word of an entry; false if it does not come. */
static bool irq_ring_arrived(struct irq_ring *ring, const __le32 *dw, unsigned int *patience)
{
	while (READ_ONCE(*dw) == cpu_to_le32(IRQ_ENTRY_CONSUMED)) {
		if (!*patience)
			return false;
		--*patience;
		ring->ops->pause(ring->ctx);
	}
	/* First word of the entry before the others. */
	dma_rmb();
	return true;
}

static void irq_ring_take(struct irq_ring *ring, unsigned int *patience)
{
	__le32 *src = ring->words + ring->rptr / sizeof(*src);
	u32 dw[IRQ_ENTRY_DWORDS];
	struct irq_entry entry;
	unsigned int i;

	ring->rptr = irq_ring_next(ring->rptr, ring->size);
	if (!irq_ring_arrived(ring, src, patience)) {
		ring->stale++;
		return;
	}
	for (i = 0; i < IRQ_ENTRY_DWORDS; i++)
		dw[i] = le32_to_cpu(READ_ONCE(src[i]));
	WRITE_ONCE(*src, cpu_to_le32(IRQ_ENTRY_CONSUMED));
	ring->entries++;
	irq_entry_decode(dw, &entry);
	ring->ops->entry(ring->ctx, &entry);
}

/**
 * irq_ring_drain - hand out what has come
 * @ring: ring
 * @budget: how many entries at most
 *
 * Context: any; the caller serialises.
 * Return: entries passed, at most @budget; if fewer, the ring was empty at the end.
 */
unsigned int irq_ring_drain(struct irq_ring *ring, unsigned int budget)
{
	unsigned int patience = IRQ_RING_PATIENCE;
	unsigned int done = 0;
	u32 wptr = irq_ring_wptr(ring);

	while (ring->rptr != wptr && done < budget) {
		/* Load of the WPTR cell before the loads of the entries. */
		dma_rmb();
		for (; ring->rptr != wptr && done < budget; done++)
			irq_ring_take(ring, &patience);
		/* Marks on the entries before the RPTR that lets the IH overwrite them. */
		dma_wmb();
		ring->ops->write_rptr(ring->ctx, ring->rptr);
		/* An entry that came before RPTR was published raised no interrupt. */
		wptr = irq_ring_wptr(ring);
	}
	return done;
}
