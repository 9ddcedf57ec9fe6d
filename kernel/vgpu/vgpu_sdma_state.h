/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: inside of an SDMA instance
 *
 * Shared by the files that make up an instance and by nobody else: vgpu_sdma.c
 * (life, arbitration, control), vgpu_sdma_regs.c (registers), vgpu_sdma_queue.c (one
 * step of one queue).
 *
 * Two parties meet here.  Register ops, control and info run anywhere; the engine's
 * thread runs the queues.  Everything but &struct vgpu_sdma_progress is guarded by
 * &vgpu_sdma.lock.  The thread takes a queue (@active) and a copy of what it needs
 * under the lock, works without it, and returns under the lock.  A queue is enabled
 * and disabled in between at will: @epoch tells the thread whether what it comes back
 * with still belongs to the same activation, and CONTEXT_STATUS shows IDLE only once
 * the thread is off the queue.  A user queue that is disabled in the middle of a packet
 * drains: the thread goes on with that packet, and with no other.
 *
 * No callback of &struct vgpu_bus runs under the lock: an engine
 * writes registers through the bus, its own among them.
 */
#ifndef CARILLON_VGPU_SDMA_STATE_H
#define CARILLON_VGPU_SDMA_STATE_H

#include "../hw/regs/sdma0_4_0_regs.h"
#include "vgpu_gmc.h"
#include "vgpu_os.h"
#include "vgpu_profile.h"
#include "vgpu_sdma.h"
#include "vgpu_sdma_exec.h"
#include "vgpu_tlb.h"

#define VGPU_SDMA_QUEUE_REGS	(SDMA4_QUEUE_STRIDE / 4)
#define VGPU_SDMA_INST_REGS	(SDMA4_QUEUE_GFX / 4)
#define VGPU_SDMA_NONE		(-1)

/**
 * struct vgpu_sdma_progress - what the thread knows of a queue's work in hand
 * @epoch: activation that it belongs to
 * @begun: @packet is decoded and has not finished
 * @in_ib: packets come from @ib
 * @packet: the packet
 * @cursor: how far it has come
 * @looks: times that it is to be looked at before it goes on
 * @ib: indirect buffer
 * @ib_vmid: its address space
 * @ib_pos: position of the next packet in it, bytes
 * @ib_end: its length, bytes
 */
struct vgpu_sdma_progress {
	unsigned long epoch;
	bool begun;
	bool in_ib;
	struct vgpu_packet packet;
	struct vgpu_cursor cursor;
	u64 looks;
	struct vgpu_stream ib;
	u8 ib_vmid;
	u64 ib_pos, ib_end;
};

/**
 * struct vgpu_sdma_queue - one register set
 * @regs: as last written; pointers and status live below instead
 * @enabled: RB_ENABLE, with the fields decoded from 0 to 1
 * @held: by control
 * @blocked: the last step ended at a poll that does not hold
 * @drain: not @enabled any more, but the packet in hand has so many steps to end in
 * @epoch: counts activations
 * @base: of the ring, from the registers when it was enabled
 * @size: likewise, bytes
 * @vmid: likewise
 * @rptr: bytes, monotonic
 * @wptr: likewise
 * @doorbell: offset at the last activation
 * @doorbell_seen: last value looked at in the slot
 * @doorbell_fresh: the slot was not looked at since the activation
 * @why: why the queue is halted, or NULL; until the next activation
 * @why_arg: address or packet header that goes with it
 * @counts: work done
 * @turns: turns that whoever was in this register set has had, looks at a poll among them
 * @bytes: bytes copied, filled and written for them
 * @ignored: write pointers refused
 * @progress: the thread's own
 */
struct vgpu_sdma_queue {
	u32 regs[VGPU_SDMA_QUEUE_REGS];
	bool enabled, held, blocked;
	unsigned int drain;
	unsigned long epoch;
	u64 base, size;
	u8 vmid;
	u64 rptr, wptr;
	u32 doorbell;
	u64 doorbell_seen;
	bool doorbell_fresh;
	const char *why;
	u64 why_arg;
	struct vgpu_exec_counts counts;
	u64 turns, bytes;
	u64 ignored;
	struct vgpu_sdma_progress progress;
};

/**
 * struct vgpu_sdma - one instance
 * @engine: what the device sees
 * @bus: platform
 * @gmc: hub
 * @profile: chip that it is part of
 * @spec: its row there
 * @instance: its number
 * @queues: register sets that it has
 * @lock: see above
 * @regs: registers of the whole instance, as last written
 * @queue: register sets
 * @active: queue that the thread is on, or VGPU_SDMA_NONE
 * @hung: at a packet of @active, for good; nothing runs
 * @next_rlc: number of the RLC queue whose turn it is
 * @step_mode: run only what was granted
 * @steps: steps granted
 * @local_time: what the time of TIMESTAMP packets other than global is ahead of the clock
 * @tlb: translation cache of the thread
 * @window: pages that its step has reached
 */
struct vgpu_sdma {
	struct vgpu_engine engine;
	struct vgpu_bus bus;
	struct vgpu_gmc *gmc;
	const struct vgpu_profile *profile;
	const struct vgpu_sdma_spec *spec;
	unsigned int instance;
	unsigned int queues;
	vgpu_lock_t lock;
	u32 regs[VGPU_SDMA_INST_REGS];
	struct vgpu_sdma_queue queue[VGPU_SDMA_QUEUES];
	int active;
	bool hung;
	unsigned int next_rlc;
	bool step_mode;
	u32 steps;
	u64 local_time;
	struct vgpu_tlb tlb;
	struct vgpu_window window[2];
};

static inline u32 *vgpu_sdma_reg(struct vgpu_sdma *sdma, u32 offset)
{
	return &sdma->regs[offset / 4];
}

static inline u32 *vgpu_sdma_qreg(struct vgpu_sdma_queue *q, u32 offset)
{
	return &q->regs[offset / 4];
}

static inline bool vgpu_sdma_is_user(unsigned int queue)
{
	return queue >= VGPU_SDMA_RLC0;
}

/* What became of a turn of a queue. */
enum vgpu_sdma_turn {
	VGPU_SDMA_TURN_NOTHING,
	VGPU_SDMA_TURN_BLOCKED,
	VGPU_SDMA_TURN_WORKED,
};

/* vgpu_sdma_regs.c */
extern const struct vgpu_block_ops vgpu_sdma_block_ops;
void vgpu_sdma_reset_locked(struct vgpu_sdma *sdma);
bool vgpu_sdma_queue_runs_locked(struct vgpu_sdma *sdma, unsigned int queue);
bool vgpu_sdma_may_step_locked(struct vgpu_sdma *sdma);
void vgpu_sdma_kick(struct vgpu_sdma *sdma);

/* vgpu_sdma_queue.c: any context, the instance's lock not held */
void vgpu_sdma_look(struct vgpu_sdma *sdma, unsigned int queue);
/* and the engine's thread only */
bool vgpu_sdma_scan_doorbells(struct vgpu_sdma *sdma);
enum vgpu_sdma_turn vgpu_sdma_run_next(struct vgpu_sdma *sdma, const u8 order[VGPU_SDMA_QUEUES],
				       unsigned int *place);

#endif /* CARILLON_VGPU_SDMA_STATE_H */
