/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: consumer's side of the IH ring, the pure half
 *
 * Where the next entry is, when to publish RPTR, what to do after an overflow or
 * about an entry that has not arrived.  Registers and handlers are reached through
 * &struct irq_ring_ops, so the same code runs in user space against the model's
 * producer.  The caller serialises.
 */
#ifndef CARILLON_IRQ_RING_H
#define CARILLON_IRQ_RING_H

#include "irq_entry.h"

/**
 * struct irq_ring_ops - what the ring needs of its surroundings
 * @read_wptr: WPTR register, with its overflow bit
 * @write_rptr: RPTR register
 * @clear_overflow: let the IH report the next overflow
 * @pause: let about a microsecond pass
 * @entry: an entry came
 */
struct irq_ring_ops {
	u32 (*read_wptr)(void *ctx);
	void (*write_rptr)(void *ctx, u32 rptr);
	void (*clear_overflow)(void *ctx);
	void (*pause)(void *ctx);
	void (*entry)(void *ctx, const struct irq_entry *entry);
};

/**
 * struct irq_ring - state of the consumer
 * @ops: see there
 * @ctx: their first argument
 * @words: the entries, little endian
 * @cell: where the IH writes its WPTR, little endian
 * @size: bytes of the ring, power of two
 * @rptr: byte offset of the next entry
 * @entries: entries handed out
 * @overflows: times the IH overtook @rptr
 * @stale: entries skipped because they had not arrived
 */
struct irq_ring {
	const struct irq_ring_ops *ops;
	void *ctx;
	__le32 *words;
	__le32 *cell;
	u32 size;
	u32 rptr;
	u64 entries;
	u64 overflows;
	u64 stale;
};

void irq_ring_reset(struct irq_ring *ring);
unsigned int irq_ring_drain(struct irq_ring *ring, unsigned int budget);

#endif /* CARILLON_IRQ_RING_H */
