// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: interrupt ring producer
 *
 * See vgpu_ih.h.  Register ops come under the device's register lock and take
 * &vgpu_ih.lock inside it; entries come from engine threads with neither.  The MSI
 * is sent under the lock, which keeps its order with the ring; sending it only
 * queues work for the target CPU.
 */
#include <linux/jiffies.h>
#include <linux/kernel.h>

#include "vgpu_failure.h"
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

/* A message that was held back; what it tells of may have been found by now. */
static void send_late(struct timer_list *timer)
{
	struct vgpu_ih *ih = container_of(timer, struct vgpu_ih, late);

	vgpu_msi_fire(ih->msi);
}

/**
 * vgpu_ih_init - set up the interrupt handler
 * @ih: zeroed
 * @chicken: &vgpu_profile.ih_chicken
 * @bus: outlives @ih
 * @msi: likewise
 */
void vgpu_ih_init(struct vgpu_ih *ih, u32 chicken, const struct vgpu_bus *bus,
		  struct vgpu_msi *msi)
{
	spin_lock_init(&ih->lock);
	timer_setup(&ih->late, send_late, 0);
	ih->msi = msi;
	vgpu_ih_ring_init(&ih->ring, chicken, bus, &ih_ops);
}

static bool fails(const struct vgpu_ih *ih, enum vgpu_failure which, const struct vgpu_iv *iv,
		  u64 *value)
{
	return vgpu_fails(ih->ring.bus->failures, which, VGPU_FAILURE_ANY, VGPU_FAILURE_ANY,
			  iv->source, value);
}

/* As the first dword of the entry has them. */
static void spoil(struct vgpu_iv *iv, u32 bits)
{
	iv->client ^= bits & 0xff;
	iv->source ^= bits >> 8 & 0xff;
	iv->ring ^= bits >> 16 & 0xff;
	iv->vmid ^= bits >> 24 & 0xf;
}

static void put_locked(struct vgpu_ih *ih, const struct vgpu_iv *iv, const struct vgpu_iv *as)
{
	enum vgpu_ih_put fate;
	unsigned int todo;
	u64 ms;

	lockdep_assert_held(&ih->lock);
	/* Before the driver can see the entry. */
	trace_vgpu_ih_put(ih->ring.bus, as);
	fate = vgpu_ih_ring_put(&ih->ring, as, &todo);
	ih->put[fate]++;
	if (fate == VGPU_IH_STORED || fate == VGPU_IH_OVERWROTE)
		ih->by_source[as->source]++;
	if ((todo & VGPU_IH_FIRE) && fails(ih, VGPU_FAIL_IRQ_DELAY, iv, &ms))
		mod_timer(&ih->late, jiffies + msecs_to_jiffies(ms));
	else
		run_todo(ih, todo);
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
	struct vgpu_iv as = *iv;
	unsigned long flags;
	u64 bits;

	if (fails(ih, VGPU_FAIL_IRQ_DROP, iv, NULL))
		return;
	if (fails(ih, VGPU_FAIL_IV_CORRUPT, iv, &bits))
		spoil(&as, bits);
	spin_lock_irqsave(&ih->lock, flags);
	put_locked(ih, iv, &as);
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
 * vgpu_ih_fini - no message is under way any more when this returns
 * @ih: nothing puts entries any more
 *
 * Context: process.
 */
void vgpu_ih_fini(struct vgpu_ih *ih)
{
	del_timer_sync(&ih->late);
}
