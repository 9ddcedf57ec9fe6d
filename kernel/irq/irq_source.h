/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: the (client, source) table
 *
 * Who gets which IH entry, and how many came.  A client's row of 256 sources is
 * allocated when the first of them is registered and stays until the end, so
 * that the dispatcher needs no reference.  Everything is guarded by the lock of
 * the IH ring (&irq_device.lock).
 */
#ifndef CARILLON_IRQ_SOURCE_H
#define CARILLON_IRQ_SOURCE_H

#include "irq.h"

/**
 * struct irq_source - one (client, source) pair
 * @fn: handler, or NULL
 * @data: its argument
 * @count: entries handed to @fn since it was registered
 */
struct irq_source {
	irq_handler_fn fn;
	void *data;
	u64 count;
};

/**
 * struct irq_sources - the table
 * @client: a row of IRQ_SOURCES a client, or NULL
 * @unknown: entries nobody was registered for
 * @unknown_client: client of the last of them
 * @unknown_source: its source
 */
struct irq_sources {
	struct irq_source *client[IRQ_CLIENTS];
	u64 unknown;
	u8 unknown_client;
	u8 unknown_source;
};

void irq_source_dispatch_locked(struct irq_device *irq, const struct irq_entry *entry);
void irq_sources_show(struct irq_device *irq, struct seq_file *m);
void irq_sources_fini(struct irq_device *irq);

#endif /* CARILLON_IRQ_SOURCE_H */
