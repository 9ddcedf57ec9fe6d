/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: interrupts
 *
 * One MSI, one IH ring.  The hard interrupt handler drains the ring in bounded
 * steps and hands each entry to the handler registered for its (client, source)
 * pair; entries nobody registered for are counted.
 *
 * This header is pure: the decoder (irq_entry.h) also compiles in user space.
 */
#ifndef CARILLON_IRQ_H
#define CARILLON_IRQ_H

#include <linux/types.h>

struct hw_device;
struct seq_file;

/* IH clients of SOC15 (soc15_ih_clientid.h of Linux 6.1) */
#define IRQ_CLIENT_SDMA0	0x08
#define IRQ_CLIENT_SDMA1	0x09
#define IRQ_CLIENT_VMC		0x12
#define IRQ_CLIENT_VMC1		0x06	/* the second memory hub, where there is one */
#define IRQ_CLIENT_UTCL2	0x1b
/*
 * SDMA 4 sources (irqsrcs_sdma0_4_0.h of Linux 6.1).  That list gives illegal
 * instructions no number; 241 is the one that SDMA 3 used (sdma_v3_0.c) and that
 * the 4.0 list leaves free.  225, which one meets elsewhere, is a semaphore time-out.
 */
#define IRQ_SDMA_TRAP		224
#define IRQ_SDMA_ILLEGAL_INST	241
#define IRQ_SDMA_SRBM_WRITE	247

/* Client numbers have 8 bits in an entry, 5 of them are used. */
#define IRQ_CLIENTS		32
#define IRQ_SOURCES		256

/**
 * struct irq_entry - decoded IH entry (8 dwords)
 * @client: block that raised it
 * @source: why
 * @ring: queue inside the block
 * @vmid: address space, 0 for the kernel's own work
 * @vmid_type: which hub @vmid belongs to: 0 GFX, 1 MM
 * @timestamp: GPU clock, 48 bits
 * @pasid: process that @vmid belonged to when the entry was written
 * @ctx: depends on the source
 */
struct irq_entry {
	u8 client, source, ring, vmid, vmid_type;
	u64 timestamp;
	u16 pasid;
	u32 ctx[4];
};

/*
 * Called with interrupts off and the ring's lock held: no sleeping, no call of
 * irq_poll(), irq_source_register() or irq_source_unregister().
 */
typedef void (*irq_handler_fn)(void *data, const struct irq_entry *entry);

struct irq_device;	/* irq_ih_ring.h; embedded by the owner */

int irq_init(struct irq_device *irq, struct hw_device *hw);
void irq_fini(struct irq_device *irq);
/* Around a sleep of the machine: stop with an empty ring; start anew.  Process context. */
void irq_suspend(struct irq_device *irq);
void irq_resume(struct irq_device *irq);
/* One handler a (client, source) pair. Process context. */
int irq_source_register(struct irq_device *irq, u8 client, u8 source, irq_handler_fn fn,
			void *data);
/* When it returns, no call of the handler runs or will come. Process context. */
void irq_source_unregister(struct irq_device *irq, u8 client, u8 source);
/* Drain the ring as if the interrupt had come (lost-interrupt fallback); entries handled. */
unsigned int irq_poll(struct irq_device *irq);
/* Counters for debugfs. Process context. */
void irq_show(struct irq_device *irq, struct seq_file *m);

#endif /* CARILLON_IRQ_H */
