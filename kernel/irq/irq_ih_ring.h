/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: the IH ring
 *
 * The interrupt handler block (IH) writes entries of 32 bytes into a ring in
 * system memory, then its WPTR into a cell beside it, then raises the MSI.  See
 * irq_ih_ring.c.
 */
#ifndef CARILLON_IRQ_IH_RING_H
#define CARILLON_IRQ_IH_RING_H

#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "irq_ring.h"
#include "irq_source.h"

/**
 * struct irq_device - interrupts of one function
 * @hw: the function
 * @vector: Linux interrupt number
 * @memory: entries, then the WPTR cell; coherent
 * @memory_dma: its bus address
 * @lock: everything below; held while handlers run
 * @ring: consumer
 * @enabled: the ring may be drained
 * @sources: who gets what
 * @interrupts: MSIs that arrived
 * @polled: entries that irq_poll() or the work item found
 * @work: drains what one interrupt may not
 */
struct irq_device {
	struct hw_device *hw;
	unsigned int vector;
	void *memory;
	dma_addr_t memory_dma;
	raw_spinlock_t lock;
	struct irq_ring ring;
	bool enabled;
	struct irq_sources sources;
	u64 interrupts;
	u64 polled;
	struct work_struct work;
};

#endif /* CARILLON_IRQ_IH_RING_H */
