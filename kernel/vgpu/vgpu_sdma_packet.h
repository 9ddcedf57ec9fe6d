/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: packet decoder of the model
 *
 * Turns the dwords of an SDMA 4.0 packet into a &struct vgpu_packet.  It knows
 * lengths and fields and nothing of who may send what.  The field positions are
 * those of AMD's public vega10_sdma_pkt_open.h (Linux 6.1); they stand here a second
 * time on purpose, apart from the driver's encoder, so that one wrong bit cannot hide
 * on both sides.
 *
 * A packet has a fixed part, which is decoded, and perhaps a payload (WRITE, NOP),
 * which only counts.  Reserved bits are ignored.  Every packet of that header has a
 * row; those that the model does not run (tiled surfaces, page dirtiness, packets of
 * which nothing but the fields is public) are refused with a reason, like garbage.
 * Documentation/vgpu.rst lists them all.
 */
#ifndef CARILLON_VGPU_SDMA_PACKET_H
#define CARILLON_VGPU_SDMA_PACKET_H

#include <linux/types.h>

/* Longest fixed part: linear sub-window copy. */
#define VGPU_PACKET_MAX_FIXED	13

enum vgpu_packet_kind {
	VGPU_PACKET_NOP,
	VGPU_PACKET_COPY,
	VGPU_PACKET_COPY_RECT,
	VGPU_PACKET_WRITE,
	VGPU_PACKET_INDIRECT,
	VGPU_PACKET_FENCE,
	VGPU_PACKET_TRAP,
	VGPU_PACKET_HDP_FLUSH,	/* the one constant poll packet that means it */
	VGPU_PACKET_POLL_MEM,
	VGPU_PACKET_POLL_REG,
	VGPU_PACKET_POLL_HDP,
	VGPU_PACKET_REG_WRITE,
	VGPU_PACKET_ATOMIC,
	VGPU_PACKET_FILL,
	VGPU_PACKET_PTEPDE,
	VGPU_PACKET_TIMESTAMP,
	VGPU_PACKET_COPY_BROADCAST,
	VGPU_PACKET_SEMAPHORE,
	VGPU_PACKET_MEM_INCR,
	VGPU_PACKET_COND_EXE,
	VGPU_PACKET_TIME_SET,
	VGPU_PACKET_TIME_LOCAL,
};

/* One side of a rectangle copy, in elements; pitches are not minus one. */
struct vgpu_packet_window {
	u64 base;
	u32 x, y, z;
	u32 pitch, slice;
};

enum vgpu_poll_func {
	VGPU_POLL_ALWAYS,
	VGPU_POLL_LESS,
	VGPU_POLL_LESS_EQUAL,
	VGPU_POLL_EQUAL,
	VGPU_POLL_NOT_EQUAL,
	VGPU_POLL_GREATER_EQUAL,
	VGPU_POLL_GREATER,
};

#define VGPU_POLL_FOREVER	0xfff

/**
 * struct vgpu_packet - a decoded packet
 * @kind: which member of the union holds
 * @header: first dword
 * @fixed: dwords of the fixed part
 * @dwords: of the whole packet
 * @guarded: dwords behind it that must be there before it begins
 * @copy: COPY
 * @broadcast: COPY_BROADCAST
 * @rect: COPY_RECT; all but the bases in elements
 * @write: WRITE
 * @indirect: INDIRECT
 * @fence: FENCE
 * @trap: TRAP
 * @poll: the three polls
 * @reg: REG_WRITE
 * @atomic: ATOMIC
 * @fill: FILL
 * @ptepde: PTEPDE: entry i is (@first + i * @step) | @flags
 * @timestamp: TIMESTAMP, TIME_LOCAL
 * @semaphore: SEMAPHORE, MEM_INCR (of which only the address)
 * @cond: COND_EXE: the dwords that it is about are @guarded
 * @time_set: TIME_SET
 */
struct vgpu_packet {
	enum vgpu_packet_kind kind;
	u32 header;
	u32 fixed;
	u32 dwords;
	u32 guarded;
	union {
		struct {
			u64 src, dst;
			u32 bytes;
		} copy;
		struct {
			u64 src, dst[2];
			u32 bytes;
		} broadcast;
		struct {
			struct vgpu_packet_window src, dst;
			u32 width, height, depth;
			u32 shift;	/* log2 of an element's bytes */
		} rect;
		struct {
			u64 dst;
			u32 dwords;
		} write;
		struct {
			u64 base;
			u32 dwords;
			u8 vmid;
		} indirect;
		struct {
			u64 addr;
			u32 data;
		} fence;
		struct {
			u32 context;
		} trap;
		struct {
			u64 addr;	/* memory, or byte offset of a register */
			u32 request;	/* POLL_HDP: register to write first */
			u32 func;
			u32 reference, mask;
			u32 interval, retry;
		} poll;
		struct {
			u32 reg;	/* byte offset */
			u32 value;
			u32 bytes;	/* a bit a byte */
		} reg;
		struct {
			u64 addr, src, cmp;
			u32 op;
			u32 interval;
			bool loop;
		} atomic;
		struct {
			u64 dst;
			u32 data;
			u32 bytes;
		} fill;
		struct {
			u64 dst, flags, first, step;
			u32 count;
		} ptepde;
		struct {
			u64 addr;
		} timestamp;
		struct {
			u64 addr;
			bool signal, write_one;
		} semaphore;
		struct {
			u64 addr;
		} cond;
		struct {
			u64 value;
		} time_set;
	};
};

unsigned int vgpu_packet_fixed(u32 header, const char **why);
int vgpu_packet_decode(const u32 *words, struct vgpu_packet *packet, const char **why);

#endif /* CARILLON_VGPU_SDMA_PACKET_H */
