/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: blocks and engines of the model
 *
 * A block answers for a range of registers.  An engine is a block that also does
 * work on a thread: the device steps it until it reports that nothing is left.
 * Register ops are called in any context under the device's register lock (irqs
 * off) and never sleep; step runs on the engine's own thread.
 */
#ifndef CARILLON_VGPU_BLOCK_H
#define CARILLON_VGPU_BLOCK_H

#include <linux/types.h>

struct vgpu_block;

/**
 * struct vgpu_block_ops - verbs of a block
 * @reset: registers to their values after power-on
 * @read: register at @offset from the block's base
 * @write: likewise
 */
struct vgpu_block_ops {
	void (*reset)(struct vgpu_block *block);
	u32 (*read)(struct vgpu_block *block, u32 offset);
	void (*write)(struct vgpu_block *block, u32 offset, u32 value);
};

/**
 * struct vgpu_block - a range of registers
 * @name: for debugfs and logs
 * @base: byte offset in BAR5
 * @size: bytes
 * @ops: verbs
 * @unknown: accesses to offsets inside the range that the block does not decode
 *	(they read as all ones); the block counts, under the register lock
 */
struct vgpu_block {
	const char *name;
	u32 base, size;
	const struct vgpu_block_ops *ops;
	u64 unknown;
};

struct vgpu_engine;

enum vgpu_step {
	VGPU_STEP_IDLE,		/* nothing to do until kicked or a doorbell moves */
	VGPU_STEP_BUSY,		/* did one bounded piece of work; call again */
	VGPU_STEP_BLOCKED,	/* every queue that has work waits on a poll; call again soon */
};

/**
 * struct vgpu_engine - a block that works
 * @block: its registers
 * @step: do one bounded piece of work (at most one chunk); own thread
 * @kick: set by the device: tell it that the engine has work (any context)
 * @kick_ctx: argument of @kick
 */
struct vgpu_engine {
	struct vgpu_block block;
	enum vgpu_step (*step)(struct vgpu_engine *engine);
	void (*kick)(void *ctx);
	void *kick_ctx;
};

#endif /* CARILLON_VGPU_BLOCK_H */
