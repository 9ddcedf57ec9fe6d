// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupt sources and the IH ring: registration and its errors, dispatch, entries that
 * nobody wants, and a burst that is larger than one interrupt may drain, of which every
 * entry arrives once.  Proves the driver's part of S0.103.
 */
#include <linux/workqueue.h>

#include "../../irq/irq.h"
#include "kunit_gpu.h"

#define CLIENT	0x1e	/* no block of the model */
#define SOURCE	7

/**
 * struct seen - what a handler saw
 * @count: entries
 * @last: the latest
 */
struct seen {
	unsigned int count;
	struct irq_entry last;
};

static void on_entry(void *data, const struct irq_entry *e)
{
	struct seen *s = data;

	s->count++;
	s->last = *e;
}

static struct irq_device *loose_irq(struct kunit *test)
{
	struct irq_device *irq = kunit_kzalloc(test, sizeof(*irq), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, irq);
	raw_spin_lock_init(&irq->lock);
	return irq;
}

static void dispatch(struct irq_device *irq, u8 client, u8 source)
{
	struct irq_entry e = { .client = client, .source = source };

	raw_spin_lock_irq(&irq->lock);
	irq_source_dispatch_locked(irq, &e);
	raw_spin_unlock_irq(&irq->lock);
}

static void bad_registrations(struct kunit *test)
{
	struct irq_device *irq = loose_irq(test);
	struct seen s = { };

	KUNIT_EXPECT_EQ(test, irq_source_register(irq, IRQ_CLIENTS, 0, on_entry, &s), -EINVAL);
	KUNIT_EXPECT_EQ(test, irq_source_register(irq, 255, 0, on_entry, &s), -EINVAL);
	KUNIT_EXPECT_EQ(test, irq_source_register(irq, CLIENT, SOURCE, NULL, &s), -EINVAL);
	KUNIT_EXPECT_EQ(test, irq_source_register(irq, CLIENT, SOURCE, on_entry, &s), 0);
	KUNIT_EXPECT_EQ(test, irq_source_register(irq, CLIENT, SOURCE, on_entry, &s), -EBUSY);
	/* The failed attempt took nothing from the first. */
	dispatch(irq, CLIENT, SOURCE);
	KUNIT_EXPECT_EQ(test, s.count, 1);
	irq_source_unregister(irq, CLIENT, SOURCE);
	KUNIT_EXPECT_EQ(test, irq_source_register(irq, CLIENT, SOURCE, on_entry, &s), 0);
	irq_sources_fini(irq);
}

static void dispatch_by_pair(struct kunit *test)
{
	struct irq_device *irq = loose_irq(test);
	struct seen a = { }, b = { };

	KUNIT_ASSERT_EQ(test, irq_source_register(irq, 0, 0, on_entry, &a), 0);
	KUNIT_ASSERT_EQ(test, irq_source_register(irq, IRQ_CLIENTS - 1, 255, on_entry, &b), 0);
	dispatch(irq, 0, 0);
	dispatch(irq, IRQ_CLIENTS - 1, 255);
	dispatch(irq, IRQ_CLIENTS - 1, 255);
	KUNIT_EXPECT_EQ(test, a.count, 1);
	KUNIT_EXPECT_EQ(test, b.count, 2);
	KUNIT_EXPECT_EQ(test, irq->sources.unknown, 0);
	irq_sources_fini(irq);
}

static void unknown_is_counted(struct kunit *test)
{
	struct irq_device *irq = loose_irq(test);
	struct seen s = { };

	KUNIT_ASSERT_EQ(test, irq_source_register(irq, CLIENT, SOURCE, on_entry, &s), 0);
	dispatch(irq, CLIENT, SOURCE + 1);	/* a client with a row, no handler */
	dispatch(irq, CLIENT + 1, SOURCE);	/* no row */
	dispatch(irq, 200, SOURCE);		/* no such client */
	KUNIT_EXPECT_EQ(test, s.count, 0);
	KUNIT_EXPECT_EQ(test, irq->sources.unknown, 3);
	KUNIT_EXPECT_EQ(test, irq->sources.unknown_client, 200);
	KUNIT_EXPECT_EQ(test, irq->sources.unknown_source, SOURCE);
	/* Neither does unregistering what is not there. */
	irq_source_unregister(irq, CLIENT + 1, 0);
	irq_source_unregister(irq, 200, 0);
	irq_sources_fini(irq);
}

static void raise(struct kunit_gpu *gpu, u32 number)
{
	struct vgpu_iv iv = { .client = CLIENT, .source = SOURCE, .ring = 3, .ctx = { number } };

	vgpu_ih_put(&gpu->model->ih, &iv);
}

static void drain(struct kunit_gpu *gpu)
{
	kunit_irq_drain(&gpu->dev->irq);
	flush_work(&gpu->dev->irq.work);
	kunit_irq_drain(&gpu->dev->irq);
}

static void entry_arrives(struct kunit *test)
{
	struct kunit_gpu *gpu = kunit_gpu(test, KUNIT_GPU);
	struct irq_device *irq = &gpu->dev->irq;
	struct seen s = { };

	KUNIT_ASSERT_EQ(test, irq_source_register(irq, CLIENT, SOURCE, on_entry, &s), 0);
	raise(gpu, 0xabcd);
	drain(gpu);
	irq_source_unregister(irq, CLIENT, SOURCE);
	KUNIT_EXPECT_EQ(test, s.count, 1);
	KUNIT_EXPECT_EQ(test, s.last.client, CLIENT);
	KUNIT_EXPECT_EQ(test, s.last.source, SOURCE);
	KUNIT_EXPECT_EQ(test, s.last.ring, 3);
	KUNIT_EXPECT_EQ(test, s.last.vmid, 0);
	KUNIT_EXPECT_EQ(test, s.last.ctx[0], 0xabcd);
	/* After that nobody is called. */
	raise(gpu, 1);
	drain(gpu);
	KUNIT_EXPECT_EQ(test, s.count, 1);
	KUNIT_EXPECT_GE(test, irq->sources.unknown, 1);
}

/* Fewer than the ring holds, more than one interrupt may drain. */
static void burst_arrives_once(struct kunit *test)
{
	struct kunit_gpu *gpu = kunit_gpu(test, KUNIT_GPU);
	struct irq_device *irq = &gpu->dev->irq;
	u64 stored = gpu->model->ih.put[VGPU_IH_STORED];
	struct seen s = { };
	unsigned int i;

	KUNIT_ASSERT_EQ(test, irq_source_register(irq, CLIENT, SOURCE, on_entry, &s), 0);
	/* With interrupts off nothing is drained meanwhile. */
	local_irq_disable();
	for (i = 0; i < 600; i++)
		raise(gpu, i);
	local_irq_enable();
	drain(gpu);
	drain(gpu);
	irq_source_unregister(irq, CLIENT, SOURCE);
	KUNIT_EXPECT_EQ(test, gpu->model->ih.put[VGPU_IH_STORED] - stored, 600);
	KUNIT_EXPECT_EQ(test, s.count, 600);
	KUNIT_EXPECT_EQ(test, s.last.ctx[0], 599);
	KUNIT_EXPECT_EQ(test, irq->ring.overflows, 0);
}

static struct kunit_case irq_cases[] = {
	KUNIT_CASE(bad_registrations),
	KUNIT_CASE(dispatch_by_pair),
	KUNIT_CASE(unknown_is_counted),
	KUNIT_CASE(entry_arrives),
	KUNIT_CASE(burst_arrives_once),
	{ }
};

struct kunit_suite irq_suite = {
	.name = "irq",
	.test_cases = irq_cases,
};
