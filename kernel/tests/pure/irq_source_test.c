// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: test of the (client, source) table
 *
 * Who gets which entry, who may register, what is counted, what an empty heap does.
 * That handlers run under the lock is asserted by the stand-in of the lock.  Proves
 * S0.103 (routing).
 */
/* pure: kernel/irq/irq_source.c */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "kernel/irq/irq_ih_ring.h"
#include "pure_test.h"

bool shim_no_memory;

/* What a handler saw. */
struct seen {
	struct irq_device *irq;
	unsigned int calls;
	struct irq_entry last;
};

static void handler(void *data, const struct irq_entry *e)
{
	struct seen *s = data;

	lockdep_assert_held(&s->irq->lock);
	s->calls++;
	s->last = *e;
}

static void dispatch(struct irq_device *irq, u8 client, u8 source, u32 ctx)
{
	const struct irq_entry e = { .client = client, .source = source, .ctx = { ctx } };

	raw_spin_lock_irq(&irq->lock);
	irq_source_dispatch_locked(irq, &e);
	raw_spin_unlock_irq(&irq->lock);
}

static void test_routing(void)
{
	struct irq_device irq = {};
	struct seen a = { &irq }, b = { &irq };

	pure_ok(PURE_EQ(irq_source_register(&irq, 8, 224, handler, &a), 0) &&
		PURE_EQ(irq_source_register(&irq, 8, 247, handler, &b), 0) &&
		PURE_EQ(irq_source_register(&irq, 9, 224, handler, &b), 0), "three pairs taken");
	dispatch(&irq, 8, 224, 1);
	dispatch(&irq, 8, 247, 2);
	dispatch(&irq, 9, 224, 3);
	dispatch(&irq, 8, 224, 4);
	pure_ok(PURE_EQ(a.calls, 2) && PURE_EQ(a.last.ctx[0], 4) && PURE_EQ(b.calls, 2) &&
		PURE_EQ(b.last.client, 9) && PURE_EQ(irq.sources.unknown, 0),
		"each entry goes to its pair alone (S0.103)");
	irq_source_unregister(&irq, 8, 224);
	dispatch(&irq, 8, 224, 5);
	pure_ok(PURE_EQ(a.calls, 2) && PURE_EQ(irq.sources.unknown, 1),
		"none comes after a pair was given back");
	pure_ok(PURE_EQ(irq_source_register(&irq, 8, 224, handler, &b), 0), "it can be taken anew");
	irq_sources_fini(&irq);
}

static void test_unknown(void)
{
	struct irq_device irq = {};
	struct seen a = { &irq };

	irq_source_register(&irq, 8, 224, handler, &a);
	dispatch(&irq, 8, 225, 0);
	dispatch(&irq, 10, 224, 0);
	dispatch(&irq, IRQ_CLIENTS, 224, 0);
	dispatch(&irq, 255, 255, 0);
	pure_ok(PURE_EQ(a.calls, 0) && PURE_EQ(irq.sources.unknown, 4) &&
		PURE_EQ(irq.sources.unknown_client, 255) &&
		PURE_EQ(irq.sources.unknown_source, 255),
		"entries of nobody, clients beyond the table: counted, the last is kept");
	irq_sources_fini(&irq);
}

static void test_refused(void)
{
	struct irq_device irq = {};
	struct seen a = { &irq };
	bool ok;

	ok = PURE_EQ(irq_source_register(&irq, IRQ_CLIENTS, 0, handler, &a), -EINVAL);
	ok &= PURE_EQ(irq_source_register(&irq, 255, 0, handler, &a), -EINVAL);
	ok &= PURE_EQ(irq_source_register(&irq, 8, 0, NULL, &a), -EINVAL);
	pure_ok(ok, "no such client, no handler: -EINVAL");
	shim_no_memory = true;
	ok = PURE_EQ(irq_source_register(&irq, 8, 224, handler, &a), -ENOMEM);
	shim_no_memory = false;
	dispatch(&irq, 8, 224, 0);
	pure_ok(ok && PURE_EQ(a.calls, 0) && PURE_EQ(irq.sources.unknown, 1),
		"no memory: -ENOMEM, nothing is registered");
	ok = PURE_EQ(irq_source_register(&irq, IRQ_CLIENTS - 1, 255, handler, &a), 0);
	ok &= PURE_EQ(irq_source_register(&irq, IRQ_CLIENTS - 1, 255, handler, &a), -EBUSY);
	dispatch(&irq, IRQ_CLIENTS - 1, 255, 0);
	pure_ok(ok && PURE_EQ(a.calls, 1), "a pair that is taken: -EBUSY, its owner keeps it");
	/* Neither registered nor with a row. */
	irq_source_unregister(&irq, 3, 3);
	irq_source_unregister(&irq, 255, 3);
	irq_sources_fini(&irq);
	ok = true;
	for (unsigned int i = 0; i < IRQ_CLIENTS; i++)
		ok &= !irq.sources.client[i];
	pure_ok(ok, "nothing is left at the end");
}

static void test_show(void)
{
	struct irq_device irq = {};
	struct seen a = { &irq };
	struct seq_file m = {};

	irq_sources_show(&irq, &m);
	pure_ok(!m.at, "an empty table shows nothing");
	irq_source_register(&irq, 9, 224, handler, &a);
	irq_source_register(&irq, 8, 247, handler, &a);
	dispatch(&irq, 9, 224, 0);
	dispatch(&irq, 9, 224, 0);
	irq_sources_show(&irq, &m);
	pure_ok(!strcmp(m.text, "source client 8 source 247 count 0\n"
			"source client 9 source 224 count 2\n"), "a line a pair, with its count");
	irq_sources_fini(&irq);
}

int main(void)
{
	test_routing();
	test_unknown();
	test_refused();
	test_show();
	return pure_done();
}
