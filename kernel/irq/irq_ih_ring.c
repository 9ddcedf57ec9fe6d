// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: the IH ring of a device
 *
 * Memory, registers and MSI of the ring; the order of things stands in irq_ring.c.
 *
 * One interrupt drains at most %IRQ_HARD_BUDGET entries; a work item takes the
 * rest in pieces of that size, so that a flood of entries cannot hold a CPU.
 *
 * Not done: the second and third ring, the RPTR doorbell, level interrupts.
 */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/interrupt.h>
#include <linux/sizes.h>
#include <linux/seq_file.h>

#include "../hw/hw_device.h"
#include "../hw/regs/osssys_4_0_regs.h"
#include "irq_ih_regs.h"
#include "irq_ih_ring.h"
#include "irq_trace.h"

/* The most that the offset field of WPTR can name. */
#define IRQ_RING_SIZE		SZ_256K
#define IRQ_RING_ALLOC		(IRQ_RING_SIZE + PAGE_SIZE)
#define IRQ_HARD_BUDGET		256

static u32 irq_read_wptr(void *ctx)
{
	struct irq_device *irq = ctx;
	u32 wptr = hw_read(irq->hw, OSSSYS4_IH_RB_WPTR);

	/* A function that is gone has nothing to say: the ring is empty. */
	return READ_ONCE(irq->hw->lost) ? irq->ring.rptr : wptr;
}

static void irq_write_rptr(void *ctx, u32 rptr)
{
	struct irq_device *irq = ctx;

	hw_write(irq->hw, OSSSYS4_IH_RB_RPTR, rptr);
}

static void irq_clear_overflow(void *ctx)
{
	struct irq_device *irq = ctx;

	irq_ih_clear_overflow(irq->hw);
	dev_warn_ratelimited(&irq->hw->pdev->dev, "IH ring overflow, going on at 0x%x\n",
			     irq->ring.rptr);
}

static void irq_pause(void *ctx)
{
	udelay(1);
}

static void irq_take_entry(void *ctx, const struct irq_entry *entry)
{
	struct irq_device *irq = ctx;

	trace_ih_entry(irq->hw->pdev, entry);
	irq_source_dispatch_locked(irq, entry);
}

static const struct irq_ring_ops irq_ring_calls = {
	.read_wptr = irq_read_wptr,
	.write_rptr = irq_write_rptr,
	.clear_overflow = irq_clear_overflow,
	.pause = irq_pause,
	.entry = irq_take_entry,
};

static unsigned int irq_drain_locked(struct irq_device *irq)
{
	lockdep_assert_held(&irq->lock);
	return irq->enabled ? irq_ring_drain(&irq->ring, IRQ_HARD_BUDGET) : 0;
}

static irqreturn_t irq_hard(int vector, void *data)
{
	struct irq_device *irq = data;
	unsigned int done;

	raw_spin_lock(&irq->lock);
	irq->interrupts++;
	done = irq_drain_locked(irq);
	raw_spin_unlock(&irq->lock);
	if (done == IRQ_HARD_BUDGET)
		queue_work(system_highpri_wq, &irq->work);
	/* The vector is not shared, and irq_poll() may have been faster. */
	return IRQ_HANDLED;
}

static unsigned int irq_poll_piece(struct irq_device *irq)
{
	unsigned long flags;
	unsigned int done;

	raw_spin_lock_irqsave(&irq->lock, flags);
	done = irq_drain_locked(irq);
	irq->polled += done;
	raw_spin_unlock_irqrestore(&irq->lock, flags);
	return done;
}

/**
 * irq_poll - drain the ring as if the interrupt had come
 * @irq: interrupts of the function
 *
 * Takes one bounded piece; what is left is drained by a work item.
 *
 * Context: any, but not from a handler of an entry.
 * Return: entries handled.
 */
unsigned int irq_poll(struct irq_device *irq)
{
	unsigned int done = irq_poll_piece(irq);

	if (done == IRQ_HARD_BUDGET)
		queue_work(system_highpri_wq, &irq->work);
	return done;
}

static void irq_work_fn(struct work_struct *work)
{
	struct irq_device *irq = container_of(work, struct irq_device, work);

	/* Re-queue instead of looping, so that cancel_work_sync() can get in between. */
	if (irq_poll_piece(irq) == IRQ_HARD_BUDGET)
		queue_work(system_highpri_wq, &irq->work);
}

static void irq_ih_start(struct irq_device *irq)
{
	raw_spin_lock_irq(&irq->lock);
	irq->enabled = true;
	raw_spin_unlock_irq(&irq->lock);
	irq_ih_enable(irq->hw);
}

static void irq_ih_stop(struct irq_device *irq)
{
	irq_ih_disable(irq->hw);
	raw_spin_lock_irq(&irq->lock);
	irq->enabled = false;
	raw_spin_unlock_irq(&irq->lock);
}

static int irq_ih_alloc(struct irq_device *irq)
{
	irq->memory = dma_alloc_coherent(&irq->hw->pdev->dev, IRQ_RING_ALLOC, &irq->memory_dma,
					 GFP_KERNEL);
	if (!irq->memory)
		return -ENOMEM;
	irq->ring.ops = &irq_ring_calls;
	irq->ring.ctx = irq;
	irq->ring.words = irq->memory;
	irq->ring.cell = irq->memory + IRQ_RING_SIZE;
	irq->ring.size = IRQ_RING_SIZE;
	irq_ring_reset(&irq->ring);
	return 0;
}

static void irq_ih_free(struct irq_device *irq)
{
	dma_free_coherent(&irq->hw->pdev->dev, IRQ_RING_ALLOC, irq->memory, irq->memory_dma);
	irq->memory = NULL;
}

/**
 * irq_init - set up the ring and its interrupt
 * @irq: memory of the caller
 * @hw: the function, brought up
 *
 * Sources may be registered as soon as this returns.
 *
 * Context: process.
 * Return: 0, -ENOMEM, or what the PCI core or the interrupt core says.
 */
int irq_init(struct irq_device *irq, struct hw_device *hw)
{
	struct pci_dev *pdev = hw->pdev;
	int ret;

	memset(irq, 0, sizeof(*irq));
	irq->hw = hw;
	raw_spin_lock_init(&irq->lock);
	INIT_WORK(&irq->work, irq_work_fn);
	ret = irq_ih_alloc(irq);
	if (ret)
		return ret;
	irq_ih_program(hw, irq->memory_dma, IRQ_RING_SIZE, irq->memory_dma + IRQ_RING_SIZE);
	ret = pci_alloc_irq_vectors(pdev, 1, 1, PCI_IRQ_MSI);
	if (ret < 0)
		goto err_ring;
	irq->vector = pci_irq_vector(pdev, 0);
	ret = request_irq(irq->vector, irq_hard, 0, "carillon", irq);
	if (ret)
		goto err_vectors;
	irq_ih_start(irq);
	dev_info(&pdev->dev, "IH ring of %u entries, MSI on interrupt %u\n",
		 IRQ_RING_SIZE / IRQ_ENTRY_BYTES, irq->vector);
	return 0;

err_vectors:
	pci_free_irq_vectors(pdev);
err_ring:
	irq_ih_free(irq);
	return ret;
}

/**
 * irq_suspend - stop before the machine sleeps
 * @irq: interrupts of the function; nothing raises any
 *
 * Entries that the ring still holds are handed out.
 *
 * Context: process.
 */
void irq_suspend(struct irq_device *irq)
{
	unsigned int pieces = IRQ_RING_SIZE / IRQ_ENTRY_BYTES / IRQ_HARD_BUDGET + 1;

	while (pieces-- && irq_poll_piece(irq))
		;
	irq_ih_stop(irq);
	synchronize_irq(irq->vector);
	cancel_work_sync(&irq->work);
}

/**
 * irq_resume - start again with an empty ring
 * @irq: interrupts of the function, stopped by irq_suspend()
 *
 * Context: process.
 */
void irq_resume(struct irq_device *irq)
{
	irq_ring_reset(&irq->ring);
	irq_ih_program(irq->hw, irq->memory_dma, IRQ_RING_SIZE, irq->memory_dma + IRQ_RING_SIZE);
	irq_ih_start(irq);
}

/**
 * irq_fini - undo irq_init()
 * @irq: interrupts of the function; every source is unregistered
 *
 * Context: process.
 */
void irq_fini(struct irq_device *irq)
{
	irq_ih_stop(irq);
	free_irq(irq->vector, irq);
	cancel_work_sync(&irq->work);
	pci_free_irq_vectors(irq->hw->pdev);
	irq_sources_fini(irq);
	irq_ih_free(irq);
}

/**
 * irq_show - counters for debugfs
 * @irq: interrupts of the function
 * @m: file
 *
 * Context: process.
 */
void irq_show(struct irq_device *irq, struct seq_file *m)
{
	struct irq_sources sources;
	u64 interrupts, polled;
	struct irq_ring ring;

	raw_spin_lock_irq(&irq->lock);
	ring = irq->ring;
	interrupts = irq->interrupts;
	polled = irq->polled;
	sources = irq->sources;
	raw_spin_unlock_irq(&irq->lock);

	seq_printf(m, "rptr 0x%x\n", ring.rptr);
	seq_printf(m, "interrupts %llu\n", interrupts);
	seq_printf(m, "entries %llu\n", ring.entries);
	seq_printf(m, "polled %llu\n", polled);
	seq_printf(m, "overflows %llu\n", ring.overflows);
	seq_printf(m, "stale %llu\n", ring.stale);
	seq_printf(m, "unknown %llu\n", sources.unknown);
	if (sources.unknown)
		seq_printf(m, "last_unknown client %u source %u\n", sources.unknown_client,
			   sources.unknown_source);
	irq_sources_show(irq, m);
}
