/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: packet execution, one bounded step at a time
 *
 * vgpu_exec_packet() does one step of a decoded packet: at most VGPU_SDMA_CHUNK
 * bytes, or one look at a poll.  How far a packet has come stands in a cursor that
 * its caller keeps; with a zeroed cursor it starts.  Fences, traps, atomics and
 * register writes are done in one step, so they happen once.  Memory is reached
 * through the hub only, inside a chunk of the engine's TLB.
 */
#ifndef CARILLON_VGPU_SDMA_EXEC_H
#define CARILLON_VGPU_SDMA_EXEC_H

#include <linux/types.h>

#include "vgpu_bus.h"
#include "vgpu_gmc.h"
#include "vgpu_mmu.h"
#include "vgpu_sdma_packet.h"

/* Sources of interrupts of an SDMA instance (irqsrcs_sdma0_4_0.h of Linux 6.1; 241 as SDMA 3). */
#define VGPU_SOURCE_TRAP		224
#define VGPU_SOURCE_ILLEGAL		241
#define VGPU_SOURCE_POLL_TIMEOUT	246
#define VGPU_SOURCE_SRBM_WRITE		247

/**
 * enum vgpu_exec - what became of a step
 * @VGPU_EXEC_DONE: the packet is finished
 * @VGPU_EXEC_MORE: call again
 * @VGPU_EXEC_BLOCKED: a poll or an atomic loop is not satisfied; call again later
 * @VGPU_EXEC_FAULT: memory could not be reached; reported by the hub, or to be tried
 *	again (&vgpu_access.later); the cursor stands before what it was for
 * @VGPU_EXEC_ILLEGAL: not allowed or not known
 * @VGPU_EXEC_PROTECTED: register write from where none is allowed
 * @VGPU_EXEC_TIMEOUT: a poll's retries are used up
 */
enum vgpu_exec {
	VGPU_EXEC_DONE,
	VGPU_EXEC_MORE,
	VGPU_EXEC_BLOCKED,
	VGPU_EXEC_FAULT,
	VGPU_EXEC_ILLEGAL,
	VGPU_EXEC_PROTECTED,
	VGPU_EXEC_TIMEOUT,
};

/* Work done by finished packets; in bytes where it is no number of packets. */
struct vgpu_exec_counts {
	u64 packets, copied, filled, written, fences, traps, atomics;
};

/**
 * struct vgpu_window - pages that a step has reached so far, for loads or for stores
 * @first: number of the first page
 * @count: pages from there on
 * @vmid: address space
 * @page: kernel addresses, or NULL
 */
struct vgpu_window {
	u64 first;
	u8 count, vmid;
	void *page[VGPU_MMU_LINE];
};

/**
 * struct vgpu_exec_env - where a packet runs
 * @bus: platform
 * @gmc: hub
 * @tlb: the engine's translation cache
 * @access: VMID and hub clients; the direction is set by each access
 * @window: two, for loads and for stores; empty when the step begins, so that no page
 *	outlives its chunk
 * @privileged: may reach registers and other VMIDs
 * @traps: TRAP raises an interrupt
 * @client: of interrupt entries
 * @ring: likewise
 * @local_time: what the instance's own time is ahead of the clock
 * @counts: added to when a packet is finished
 * @why: reason of an illegal packet
 * @fault: address of a fault
 */
struct vgpu_exec_env {
	const struct vgpu_bus *bus;
	struct vgpu_gmc *gmc;
	struct vgpu_tlb *tlb;
	struct vgpu_access access;
	struct vgpu_window *window;
	bool privileged;
	bool traps;
	u8 client, ring;
	u64 local_time;
	struct vgpu_exec_counts counts;
	const char *why;
	u64 fault;
};

/**
 * struct vgpu_stream - dwords that a packet came from
 * @base: address
 * @mask: positions wrap at this (ring size - 1, all ones for an indirect buffer)
 */
struct vgpu_stream {
	u64 base;
	u64 mask;
};

/**
 * struct vgpu_cursor - how far a packet has come
 * @done: bytes (rectangles: bytes of the row) or entries
 * @y: row of a rectangle
 * @z: slice of it
 * @skip: dwords behind the packet to pass over
 * @tries: failed looks that count towards the retry limit
 * @last: clock at the last of these
 * @started: the packet's first effect has been had
 */
struct vgpu_cursor {
	u64 done;
	u32 y, z;
	u32 skip;
	u32 tries;
	u64 last;
	bool started;
};

enum vgpu_exec vgpu_exec_packet(struct vgpu_exec_env *env, const struct vgpu_packet *packet,
				const struct vgpu_stream *stream, u64 payload,
				struct vgpu_cursor *cursor);
bool vgpu_exec_fetch(struct vgpu_exec_env *env, const struct vgpu_stream *stream, u64 pos,
		     u32 *words, unsigned int count);
bool vgpu_exec_store64(struct vgpu_exec_env *env, u64 va, u64 value);
void vgpu_exec_interrupt(struct vgpu_exec_env *env, u8 source, u32 context);

#endif /* CARILLON_VGPU_SDMA_EXEC_H */
