// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: offset to block
 *
 * See vgpu_mmio.h.  The list is scanned: there are about ten blocks, and two of
 * them move (the copies of the HDP flush registers).
 */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "vgpu_mmio.h"

/* Empty register space; @mmio is zeroed. */
void vgpu_mmio_init(struct vgpu_mmio *mmio)
{
	spin_lock_init(&mmio->lock);
}

/**
 * vgpu_mmio_add - claim a block's range
 * @mmio: register space
 * @block: lives as long as @mmio
 *
 * Context: before the device is visible.
 * Return: 0, or -ENOSPC.
 */
int vgpu_mmio_add(struct vgpu_mmio *mmio, struct vgpu_block *block)
{
	if (mmio->count == ARRAY_SIZE(mmio->entry))
		return -ENOSPC;
	mmio->entry[mmio->count++].block = block;
	return 0;
}

/* All blocks as after power-on; any context. */
void vgpu_mmio_reset(struct vgpu_mmio *mmio)
{
	struct vgpu_block *block;
	unsigned long flags;
	unsigned int i;

	spin_lock_irqsave(&mmio->lock, flags);
	for (i = 0; i < mmio->count; i++) {
		block = mmio->entry[i].block;
		block->ops->reset(block);
	}
	spin_unlock_irqrestore(&mmio->lock, flags);
}

static struct vgpu_mmio_entry *find_locked(struct vgpu_mmio *mmio, u32 offset)
{
	unsigned int i;

	lockdep_assert_held(&mmio->lock);
	if (!IS_ALIGNED(offset, 4) || offset >= VGPU_MMIO_BYTES)
		return NULL;
	for (i = 0; i < mmio->count; i++)
		if (offset - mmio->entry[i].block->base < mmio->entry[i].block->size)
			return &mmio->entry[i];
	return NULL;
}

/**
 * vgpu_mmio_read - read a register
 * @mmio: register space
 * @offset: byte offset in BAR5
 *
 * Context: any, except under the register lock.
 * Return: its value; all ones if nothing is there.
 */
u32 vgpu_mmio_read(struct vgpu_mmio *mmio, u32 offset)
{
	struct vgpu_mmio_entry *entry;
	struct vgpu_block *block;
	unsigned long flags;
	u32 value = ~0u;

	spin_lock_irqsave(&mmio->lock, flags);
	entry = find_locked(mmio, offset);
	if (entry) {
		block = entry->block;
		entry->reads++;
		value = block->ops->read(block, offset - block->base);
	} else {
		mmio->unclaimed_reads++;
		mmio->last_unclaimed = offset;
	}
	spin_unlock_irqrestore(&mmio->lock, flags);
	return value;
}

/**
 * vgpu_mmio_write - write a register
 * @mmio: register space
 * @offset: byte offset in BAR5
 * @value: what to write
 *
 * Context: any, except under the register lock.
 */
void vgpu_mmio_write(struct vgpu_mmio *mmio, u32 offset, u32 value)
{
	struct vgpu_mmio_entry *entry;
	struct vgpu_block *block;
	unsigned long flags;

	spin_lock_irqsave(&mmio->lock, flags);
	entry = find_locked(mmio, offset);
	if (entry) {
		block = entry->block;
		entry->writes++;
		block->ops->write(block, offset - block->base, value);
	} else {
		mmio->unclaimed_writes++;
		mmio->last_unclaimed = offset;
	}
	spin_unlock_irqrestore(&mmio->lock, flags);
}
