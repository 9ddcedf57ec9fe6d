// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: registration and dispatch of interrupt sources
 *
 * The dispatcher runs under the ring's lock, so taking that lock is enough to
 * know that no handler runs: unregistering needs no grace period.
 */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "irq_ih_ring.h"

static struct irq_source *irq_source_find_locked(struct irq_device *irq, u8 client, u8 source)
{
	struct irq_source *row;

	lockdep_assert_held(&irq->lock);
	if (client >= IRQ_CLIENTS)
		return NULL;
	row = irq->sources.client[client];
	return row ? &row[source] : NULL;
}

/**
 * irq_source_dispatch_locked - hand an entry to its handler
 * @irq: interrupts of the function
 * @entry: decoded entry
 *
 * Context: irq->lock held, interrupts off.
 */
void irq_source_dispatch_locked(struct irq_device *irq, const struct irq_entry *entry)
{
	struct irq_source *s = irq_source_find_locked(irq, entry->client, entry->source);

	if (!s || !s->fn) {
		irq->sources.unknown++;
		irq->sources.unknown_client = entry->client;
		irq->sources.unknown_source = entry->source;
		return;
	}
	s->count++;
	s->fn(s->data, entry);
}

/**
 * irq_source_register - take the entries of a (client, source) pair
 * @irq: interrupts of the function
 * @client: below IRQ_CLIENTS
 * @source: any
 * @fn: handler
 * @data: its argument
 *
 * Context: process, may sleep.
 * Return: 0, -EINVAL, -EBUSY (taken), -ENOMEM.
 */
int irq_source_register(struct irq_device *irq, u8 client, u8 source, irq_handler_fn fn,
			void *data)
{
	struct irq_source *row, *s;
	int ret = 0;

	if (client >= IRQ_CLIENTS || !fn)
		return -EINVAL;
	row = kcalloc(IRQ_SOURCES, sizeof(*row), GFP_KERNEL);
	if (!row)
		return -ENOMEM;

	raw_spin_lock_irq(&irq->lock);
	if (!irq->sources.client[client]) {
		irq->sources.client[client] = row;
		row = NULL;
	}
	s = irq_source_find_locked(irq, client, source);
	if (s->fn)
		ret = -EBUSY;
	else
		*s = (struct irq_source){ .fn = fn, .data = data };
	raw_spin_unlock_irq(&irq->lock);
	kfree(row);
	return ret;
}

/**
 * irq_source_unregister - undo irq_source_register()
 * @irq: interrupts of the function
 * @client: as registered
 * @source: as registered
 *
 * Context: process.  When it returns no call of the handler runs or will come.
 */
void irq_source_unregister(struct irq_device *irq, u8 client, u8 source)
{
	struct irq_source *s;

	raw_spin_lock_irq(&irq->lock);
	s = irq_source_find_locked(irq, client, source);
	if (s)
		*s = (struct irq_source){ };
	raw_spin_unlock_irq(&irq->lock);
}

/* Count of one source, or false if nobody registered for it. */
static bool irq_source_count(struct irq_device *irq, u8 client, u8 source, u64 *count)
{
	struct irq_source *s;
	bool present;

	raw_spin_lock_irq(&irq->lock);
	s = irq_source_find_locked(irq, client, source);
	present = s && s->fn;
	if (present)
		*count = s->count;
	raw_spin_unlock_irq(&irq->lock);
	return present;
}

/**
 * irq_sources_show - one line a registered source
 * @irq: interrupts of the function
 * @m: file
 *
 * Context: process.
 */
void irq_sources_show(struct irq_device *irq, struct seq_file *m)
{
	unsigned int client, source;
	u64 count;

	for (client = 0; client < IRQ_CLIENTS; client++)
		for (source = 0; source < IRQ_SOURCES && READ_ONCE(irq->sources.client[client]);
		     source++)
			if (irq_source_count(irq, client, source, &count))
				seq_printf(m, "source client %u source %u count %llu\n",
					   client, source, count);
}

/**
 * irq_sources_fini - free the table
 * @irq: interrupts of the function; the ring is off
 *
 * Context: process.
 */
void irq_sources_fini(struct irq_device *irq)
{
	unsigned int client;

	for (client = 0; client < IRQ_CLIENTS; client++) {
		kfree(irq->sources.client[client]);
		irq->sources.client[client] = NULL;
	}
}
