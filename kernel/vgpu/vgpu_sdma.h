/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: SDMA 4.0 or 4.2 instance of the model
 *
 * One instance has a register set (queue) for GFX, one for page, and one for each
 * RLC queue: two in 4.0, eight in 4.2.  Its step function runs at most one chunk of
 * one packet, page queue first, then GFX, then the RLC queues in turn; a queue that
 * waits on a poll lets the others go on.
 */
#ifndef CARILLON_VGPU_SDMA_H
#define CARILLON_VGPU_SDMA_H

#include <linux/types.h>

#include "vgpu_block.h"
#include "vgpu_bus.h"

struct vgpu_gmc;
struct vgpu_profile;
struct vgpu_sdma;

/* Most bytes that one step copies, fills or writes. */
#define VGPU_SDMA_CHUNK		0x20000

enum vgpu_sdma_queue_id {
	VGPU_SDMA_GFX,
	VGPU_SDMA_PAGE,
	VGPU_SDMA_RLC0,
	VGPU_SDMA_RLC1,
	VGPU_SDMA_RLC2,
	VGPU_SDMA_RLC3,
	VGPU_SDMA_RLC4,
	VGPU_SDMA_RLC5,
	VGPU_SDMA_RLC6,
	VGPU_SDMA_RLC7,
	VGPU_SDMA_QUEUES,	/* most of any chip */
};

/* Create @instance of a chip; NULL without memory or without such an instance. Process context. */
struct vgpu_sdma *vgpu_sdma_create(const struct vgpu_bus *bus, struct vgpu_gmc *gmc,
				   const struct vgpu_profile *profile, unsigned int instance);
/* The engine's thread has ended and no register op runs any more. */
void vgpu_sdma_destroy(struct vgpu_sdma *sdma);
struct vgpu_engine *vgpu_sdma_engine(struct vgpu_sdma *sdma);

/**
 * enum vgpu_sdma_control - what a test may ask of an instance, any time
 * @VGPU_SDMA_HALT: hold @queue: it keeps its registers and takes doorbells, but
 *	runs nothing.  Stays while the queue is unloaded and loaded again.
 * @VGPU_SDMA_RESUME: let it go on
 * @VGPU_SDMA_MODE_RUN: leave step mode (@queue ignored)
 * @VGPU_SDMA_MODE_STEP: from now on run only the steps that were granted
 * @VGPU_SDMA_STEP: grant @arg more steps; a step that found no work is not used up
 */
enum vgpu_sdma_control {
	VGPU_SDMA_HALT,
	VGPU_SDMA_RESUME,
	VGPU_SDMA_MODE_RUN,
	VGPU_SDMA_MODE_STEP,
	VGPU_SDMA_STEP,
};

/* 0, or -EINVAL (no such queue or command). Any context; kicks the engine. */
int vgpu_sdma_control(struct vgpu_sdma *sdma, unsigned int queue,
		      enum vgpu_sdma_control cmd, u32 arg);

extern const char * const vgpu_sdma_queue_names[VGPU_SDMA_QUEUES];

/**
 * struct vgpu_sdma_queue_info - a queue for debugfs
 * @name: "gfx", "page", "rlc0" and so on
 * @enabled: RB_ENABLE
 * @held: by %VGPU_SDMA_HALT
 * @doorbell_enabled: DOORBELL.ENABLE
 * @vmid: RB_VMID
 * @doorbell: byte offset in BAR2
 * @base: address of the ring
 * @size: bytes of the ring
 * @rptr: bytes, monotonic
 * @wptr: likewise
 * @packets: packets done, those of indirect buffers among them
 * @copied: bytes copied (linear and rectangles)
 * @filled: bytes filled by CONST_FILL
 * @written: bytes written by WRITE and PTEPDE
 * @fences: fences written
 * @traps: TRAP packets done
 * @atomics: atomics done
 * @ignored: doorbell or register write pointers refused
 * @state: "disabled", "idle", "running", "blocked", "held", "hung" or "halted: REASON"
 *
 * Counters restart when the queue is enabled with another RB_BASE or doorbell
 * offset than before, and go on over an unload and load of the same queue.
 */
struct vgpu_sdma_queue_info {
	const char *name;
	bool enabled, held, doorbell_enabled;
	u8 vmid;
	u32 doorbell;
	u64 base, size, rptr, wptr;
	u64 packets, copied, filled, written, fences, traps, atomics, ignored;
	char state[64];
};

/*
 * What an RLC slot has been given since power-on, whoever was in it: turns of the engine and
 * bytes. Any context; false where there is no such slot.
 */
bool vgpu_sdma_served(struct vgpu_sdma *sdma, unsigned int slot, u64 *turns, u64 *bytes);

/* 0 or -EINVAL. Any context. */
int vgpu_sdma_queue_info(struct vgpu_sdma *sdma, unsigned int queue,
			 struct vgpu_sdma_queue_info *info);

#endif /* CARILLON_VGPU_SDMA_H */
