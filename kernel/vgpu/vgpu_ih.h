/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: interrupt handler of the model
 *
 * Takes entries from the blocks and engines in any context, puts them on the ring
 * (vgpu_ih_ring.h) and sends the MSI.  Failure switches lose entries, spoil them or have
 * the MSI come late.
 */
#ifndef CARILLON_VGPU_IH_H
#define CARILLON_VGPU_IH_H

#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/types.h>

#include "vgpu_ih_ring.h"

struct vgpu_msi;

/**
 * struct vgpu_ih - the interrupt handler
 * @lock: protects everything below; nests inside the register lock
 * @ring: registers and ring
 * @msi: message of the function
 * @late: sends a message that was held back
 * @put: entries by fate
 * @by_source: entries stored, by source
 */
struct vgpu_ih {
	spinlock_t lock;	/* for all the rest */
	struct vgpu_ih_ring ring;
	struct vgpu_msi *msi;
	struct timer_list late;
	u64 put[VGPU_IH_PUT_COUNT];
	u64 by_source[256];
};

void vgpu_ih_init(struct vgpu_ih *ih, u32 chicken, const struct vgpu_bus *bus,
		  struct vgpu_msi *msi);
void vgpu_ih_put(struct vgpu_ih *ih, const struct vgpu_iv *iv);
bool vgpu_ih_rptr_doorbell(struct vgpu_ih *ih, u32 offset, u32 value);
void vgpu_ih_fini(struct vgpu_ih *ih);

#endif /* CARILLON_VGPU_IH_H */
