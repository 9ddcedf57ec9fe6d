// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: interrupt ring producer
 *
 * See vgpu_ih.h.  Register ops come under the device's register lock and take
 * &vgpu_ih.lock inside it; entries come from engine threads with neither.  The MSI
 * is sent under the lock, which keeps its order with the ring; sending it only
 * queues work for the target CPU.
 */
#include <linux/kernel.h>

#include "vgpu_ih.h"
#include "vgpu_msi.h"
#include "vgpu_trace.h"

static struct vgpu_ih *to_ih(struct vgpu_block *block)
{
	return container_of(block, struct vgpu_ih, ring.block);
}

static void run_todo(struct vgpu_ih *ih, unsigned int todo)
{
	lockdep_assert_held(&ih->lock);
	if (todo & VGPU_IH_FIRE)
		vgpu_msi_fire(ih->msi);
}

static void ih_reset(struct vgpu_block *block)
{
	struct vgpu_ih *ih = to_ih(block);
	unsigned long flags;

	spin_lock_irqsave(&ih->lock, flags);
	vgpu_ih_ring_reset(&ih->ring);
	spin_unlock_irqrestore(&ih->lock, flags);
}

static u32 ih_read(struct vgpu_block *block, u32 offset)
{
	struct vgpu_ih *ih = to_ih(block);
	unsigned long flags;
	u32 value;

	spin_lock_irqsave(&ih->lock, flags);
	value = vgpu_ih_ring_read(&ih->ring, offset);
	spin_unlock_irqrestore(&ih->lock, flags);
	return value;
}

static void ih_write(struct vgpu_block *block, u32 offset, u32 value)
{
	struct vgpu_ih *ih = to_ih(block);
	unsigned long flags;

	spin_lock_irqsave(&ih->lock, flags);
	run_todo(ih, vgpu_ih_ring_write(&ih->ring, offset, value));
	spin_unlock_irqrestore(&ih->lock, flags);
}

static const struct vgpu_block_ops ih_ops = {
	.reset = ih_reset,
	.read = ih_read,
	.write = ih_write,
};

/**
 * vgpu_ih_init - set up the interrupt handler
 * @ih: zeroed
 * @bus: outlives @ih
 * @msi: likewise
 */
void vgpu_ih_init(struct vgpu_ih *ih, const struct vgpu_bus *bus, struct vgpu_msi *msi)
{
	spin_lock_init(&ih->lock);
	ih->msi = msi;
	vgpu_ih_ring_init(&ih->ring, bus, &ih_ops);
}

/* Does the switch take this entry? */
static bool drop_locked(struct vgpu_ih *ih, const struct vgpu_iv *iv)
{
	lockdep_assert_held(&ih->lock);
	if (iv->source != VGPU_IV_SOURCE_TRAP || !ih->drop_traps)
		return false;
	if (ih->drop_traps > 0)
		ih->drop_traps--;
	ih->dropped[iv->client]++;
	return true;
}

/**
 * vgpu_ih_put - put an entry on the ring and send the interrupt
 * @ih: interrupt handler
 * @iv: entry
 *
 * Context: any.
 */
void vgpu_ih_put(struct vgpu_ih *ih, const struct vgpu_iv *iv)
{
	enum vgpu_ih_put fate;
	unsigned long flags;
	unsigned int todo;

	spin_lock_irqsave(&ih->lock, flags);
	if (!drop_locked(ih, iv)) {
		/* Before the driver can see the entry. */
		trace_vgpu_ih_put(ih->ring.bus, iv);
		fate = vgpu_ih_ring_put(&ih->ring, iv, &todo);
		ih->put[fate]++;
		if (fate == VGPU_IH_STORED || fate == VGPU_IH_OVERWROTE)
			ih->by_source[iv->source]++;
		run_todo(ih, todo);
	}
	spin_unlock_irqrestore(&ih->lock, flags);
}

/**
 * vgpu_ih_rptr_doorbell - take a doorbell that may carry RPTR
 * @ih: interrupt handler
 * @offset: byte offset in BAR2
 * @value: what was stored
 *
 * Context: any.
 * Return: whether it was RPTR.
 */
bool vgpu_ih_rptr_doorbell(struct vgpu_ih *ih, u32 offset, u32 value)
{
	unsigned long flags;
	bool mine;

	spin_lock_irqsave(&ih->lock, flags);
	mine = vgpu_ih_ring_doorbell(&ih->ring, offset);
	if (mine)
		run_todo(ih, vgpu_ih_ring_set_rptr(&ih->ring, value));
	spin_unlock_irqrestore(&ih->lock, flags);
	return mine;
}

/**
 * vgpu_ih_drop_traps - lose the next trap entries
 * @ih: interrupt handler
 * @count: how many; VGPU_IH_DROP_ALL for all from now on, 0 for none
 */
void vgpu_ih_drop_traps(struct vgpu_ih *ih, int count)
{
	unsigned long flags;

	spin_lock_irqsave(&ih->lock, flags);
	ih->drop_traps = count;
	spin_unlock_irqrestore(&ih->lock, flags);
}
