/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: layout of an IH entry
 *
 * Eight dwords.  Dword 0: client 7:0, source 15:8, ring 23:16, VMID 27:24, hub of
 * the VMID 31.  Dwords 1 and 2: 48-bit time stamp.  Dword 3: PASID 15:0.  Dwords
 * 4 to 7: data of the source.  Source of the layout: amdgpu_ih.c of Linux 6.1.
 *
 * The driver overwrites dword 0 of a consumed entry with a value that no block
 * writes (client numbers end at 31), so that it can tell an entry whose words
 * have not arrived yet from a new one.  Pure: compiles in user space.
 */
#ifndef CARILLON_IRQ_ENTRY_H
#define CARILLON_IRQ_ENTRY_H

#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/types.h>

#include "irq.h"

#define IRQ_ENTRY_DWORDS	8
#define IRQ_ENTRY_BYTES		32
#define IRQ_ENTRY_CONSUMED	0xffffffffu

#define IRQ_ENTRY0_CLIENT	GENMASK(7, 0)
#define IRQ_ENTRY0_SOURCE	GENMASK(15, 8)
#define IRQ_ENTRY0_RING		GENMASK(23, 16)
#define IRQ_ENTRY0_VMID		GENMASK(27, 24)
#define IRQ_ENTRY0_VMID_TYPE	BIT(31)
#define IRQ_ENTRY2_TIME_HI	GENMASK(15, 0)
#define IRQ_ENTRY3_PASID	GENMASK(15, 0)

/**
 * irq_entry_decode - words of an entry in CPU byte order to fields
 * @dw: eight dwords
 * @entry: result
 */
static inline void irq_entry_decode(const u32 *dw, struct irq_entry *entry)
{
	unsigned int i;

	entry->client = FIELD_GET(IRQ_ENTRY0_CLIENT, dw[0]);
	entry->source = FIELD_GET(IRQ_ENTRY0_SOURCE, dw[0]);
	entry->ring = FIELD_GET(IRQ_ENTRY0_RING, dw[0]);
	entry->vmid = FIELD_GET(IRQ_ENTRY0_VMID, dw[0]);
	entry->vmid_type = FIELD_GET(IRQ_ENTRY0_VMID_TYPE, dw[0]);
	entry->timestamp = dw[1] | (u64)FIELD_GET(IRQ_ENTRY2_TIME_HI, dw[2]) << 32;
	entry->pasid = FIELD_GET(IRQ_ENTRY3_PASID, dw[3]);
	for (i = 0; i < 4; i++)
		entry->ctx[i] = dw[4 + i];
}

/**
 * irq_ring_next - byte offset of the entry after the one at @at
 * @at: byte offset
 * @size: bytes of the ring, power of two
 *
 * Return: offset, wrapped.
 */
static inline u32 irq_ring_next(u32 at, u32 size)
{
	return (at + IRQ_ENTRY_BYTES) & (size - 1);
}

/**
 * irq_ring_pending - entries between two pointers
 * @rptr: byte offset of the reader
 * @wptr: byte offset of the writer
 * @size: bytes of the ring, power of two
 *
 * Return: number of entries.
 */
static inline u32 irq_ring_pending(u32 rptr, u32 wptr, u32 size)
{
	return ((wptr - rptr) & (size - 1)) / IRQ_ENTRY_BYTES;
}

#endif /* CARILLON_IRQ_ENTRY_H */
