/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: register space of the model
 *
 * BAR5 as a list of blocks.  Every access runs under one lock with interrupts off,
 * so a register's effects are there when the access returns and blocks need no lock
 * of their own against each other.  An offset that no block claims reads as all
 * ones; accesses to it are counted.
 */
#ifndef CARILLON_VGPU_MMIO_H
#define CARILLON_VGPU_MMIO_H

#include <linux/spinlock.h>
#include <linux/types.h>

#include "vgpu_block.h"

#define VGPU_MMIO_BYTES		(512u << 10)
#define VGPU_MMIO_BLOCKS	24

/**
 * struct vgpu_mmio_entry - a block and its traffic
 * @block: the block
 * @reads: of registers in its range
 * @writes: likewise
 */
struct vgpu_mmio_entry {
	struct vgpu_block *block;
	u64 reads, writes;
};

/**
 * struct vgpu_mmio - BAR5
 * @lock: the register lock; protects all of it and the registers of all blocks
 * @entry: blocks, first match wins
 * @count: how many
 * @unclaimed_reads: reads outside of all blocks
 * @unclaimed_writes: writes there
 * @last_unclaimed: offset of the last of them
 */
struct vgpu_mmio {
	spinlock_t lock;	/* the register lock */
	struct vgpu_mmio_entry entry[VGPU_MMIO_BLOCKS];
	unsigned int count;
	u64 unclaimed_reads, unclaimed_writes;
	u32 last_unclaimed;
};

void vgpu_mmio_init(struct vgpu_mmio *mmio);
int vgpu_mmio_add(struct vgpu_mmio *mmio, struct vgpu_block *block);
void vgpu_mmio_reset(struct vgpu_mmio *mmio);
u32 vgpu_mmio_read(struct vgpu_mmio *mmio, u32 offset);
void vgpu_mmio_write(struct vgpu_mmio *mmio, u32 offset, u32 value);

#endif /* CARILLON_VGPU_MMIO_H */
