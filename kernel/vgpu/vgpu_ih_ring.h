/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: interrupt ring, the pure half
 *
 * Words of an interrupt entry and the producer's side of the OSSSYS 4.0 ring: what
 * the IH registers mean, where the next entry goes, when the ring overflows.  The
 * caller serialises; vgpu_ih.c does so in the kernel and fires the MSI.
 *
 * An entry (all little endian): dword 0 client [7:0], source [15:8], ring [23:16],
 * VMID [27:24], hub of the VMID [31] (0 graphics, 1 memory: SDMA and VMC); dwords 1
 * and 2 time stamp [47:0]; dword 3 PASID [15:0], from the table of that hub; dwords 4
 * to 7 data of the source.
 *
 * Pointers are bytes.  The ring is empty when they are equal, so an entry that
 * makes WPTR meet RPTR is an overflow: the ring goes on and overwrites, and
 * RB_OVERFLOW stays in WPTR until the driver clears it.
 */
#ifndef CARILLON_VGPU_IH_RING_H
#define CARILLON_VGPU_IH_RING_H

#include <linux/types.h>

#include "vgpu_block.h"
#include "vgpu_bus.h"
#include "vgpu_regfile.h"

#define VGPU_IV_DWORDS		8
#define VGPU_IV_BYTES		32
#define VGPU_IH_REGS		48

/* What a register write or a new entry asks the caller to do. */
#define VGPU_IH_FIRE		1	/* send the interrupt */

/**
 * enum vgpu_ih_put - fate of an entry
 * @VGPU_IH_STORED: in the ring
 * @VGPU_IH_OVERWROTE: in the ring, and the oldest entry is lost
 * @VGPU_IH_DISABLED: lost, ring off
 * @VGPU_IH_BAD_RING: lost, the registers name no system memory
 * @VGPU_IH_FULL: lost, ring full and WPTR_OVERFLOW_ENABLE clear
 * @VGPU_IH_PUT_COUNT: number of fates
 */
enum vgpu_ih_put {
	VGPU_IH_STORED,
	VGPU_IH_OVERWROTE,
	VGPU_IH_DISABLED,
	VGPU_IH_BAD_RING,
	VGPU_IH_FULL,
	VGPU_IH_PUT_COUNT,
};

/**
 * struct vgpu_ih_ring - registers of the interrupt handler
 * @bus: memory and clock
 * @chicken: &vgpu_profile.ih_chicken
 * @block: register range
 * @file: registers
 * @values: their values
 */
struct vgpu_ih_ring {
	const struct vgpu_bus *bus;
	u32 chicken;
	struct vgpu_block block;
	struct vgpu_regfile file;
	u32 values[VGPU_IH_REGS];
};

void vgpu_iv_encode(u32 dw[VGPU_IV_DWORDS], const struct vgpu_iv *iv, u16 pasid, u64 timestamp);

void vgpu_ih_ring_init(struct vgpu_ih_ring *ring, u32 chicken, const struct vgpu_bus *bus,
		       const struct vgpu_block_ops *ops);
void vgpu_ih_ring_reset(struct vgpu_ih_ring *ring);
u32 vgpu_ih_ring_read(struct vgpu_ih_ring *ring, u32 offset);
unsigned int vgpu_ih_ring_write(struct vgpu_ih_ring *ring, u32 offset, u32 value);
unsigned int vgpu_ih_ring_set_rptr(struct vgpu_ih_ring *ring, u32 rptr);
bool vgpu_ih_ring_doorbell(const struct vgpu_ih_ring *ring, u32 offset);
enum vgpu_ih_put vgpu_ih_ring_put(struct vgpu_ih_ring *ring, const struct vgpu_iv *iv,
				  unsigned int *todo);

#endif /* CARILLON_VGPU_IH_RING_H */
