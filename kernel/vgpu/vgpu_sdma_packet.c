// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: how a packet is decoded
 *
 * vgpu_packet_fixed() finds the row of a header in @formats by operation and
 * sub-operation: it tells how many dwords to fetch, or why none.  vgpu_packet_decode()
 * runs the row's decoder on those.  Fields are named constants of (word, high bit, low
 * bit).
 *
 * What vega10_sdma_pkt_open.h leaves open: MEM_INCR stands only in the packet header of
 * AMD's PAL for SDMA 4.0; what the bits of SEM and the kinds of TIMESTAMP mean is said in
 * cikd.h of Linux 6.1, for packets of the same form; COND_EXE is known by its users, PAL
 * and amdgpu, and with reference 1 alone: a dword other than 0 lets the guarded ones run.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "vgpu_sdma_packet.h"

/* A field of a packet, as one number: word, highest and lowest bit. */
#define F(word, hi, lo)		((word) << 16 | (hi) << 8 | (lo))

#define H_OP			F(0, 7, 0)
#define H_SUBOP			F(0, 15, 8)

#define NOP_COUNT		F(0, 29, 16)

#define COPY_ENCRYPT		F(0, 16, 16)
#define COPY_COUNT		F(1, 21, 0)
#define COPY_DST_SWAP		F(2, 17, 16)
#define COPY_SRC_SWAP		F(2, 25, 24)

#define BROADCAST_DST2_SWAP	F(2, 9, 8)

#define RECT_ELEMENT		F(0, 31, 29)
#define RECT_WIDTH		F(11, 13, 0)
#define RECT_HEIGHT		F(11, 29, 16)
#define RECT_DEPTH		F(12, 10, 0)
#define RECT_DST_SWAP		F(12, 17, 16)
#define RECT_SRC_SWAP		F(12, 25, 24)
/* The source window starts at word 1, the destination's at word 6. */
#define WINDOW_X(w)		F((w) + 2, 13, 0)
#define WINDOW_Y(w)		F((w) + 2, 29, 16)
#define WINDOW_Z(w)		F((w) + 3, 10, 0)
#define WINDOW_PITCH(w)		F((w) + 3, 31, 13)
#define WINDOW_SLICE(w)		F((w) + 4, 27, 0)

#define WRITE_COUNT		F(3, 19, 0)
#define WRITE_SWAP		F(3, 25, 24)

#define INDIRECT_VMID		F(0, 19, 16)
#define INDIRECT_SIZE		F(3, 19, 0)

#define TRAP_CONTEXT		F(1, 27, 0)

#define POLL_HDP		F(0, 26, 26)
#define POLL_FUNC		F(0, 30, 28)
#define POLL_MEM		F(0, 31, 31)
#define POLL_INTERVAL		F(5, 15, 0)
#define POLL_RETRY		F(5, 27, 16)

#define SRBM_BYTES		F(0, 31, 28)
#define SRBM_ADDR		F(1, 17, 0)

#define ATOMIC_LOOP		F(0, 16, 16)
#define ATOMIC_OP		F(0, 31, 25)
#define ATOMIC_INTERVAL		F(7, 12, 0)

#define FILL_SWAP		F(0, 17, 16)
#define FILL_SIZE		F(0, 31, 30)
#define FILL_COUNT		F(4, 21, 0)

#define PTEPDE_COUNT		F(9, 18, 0)

#define SEM_WRITE_ONE		F(0, 29, 29)
#define SEM_SIGNAL		F(0, 30, 30)
#define SEM_MAILBOX		F(0, 31, 31)

#define COND_REFERENCE		F(3, 31, 0)
#define COND_COUNT		F(4, 13, 0)

static u32 get(const u32 *words, u32 field)
{
	unsigned int lo = field & 0xff, hi = (field >> 8) & 0xff;

	return (words[field >> 16] >> lo) & (u32)(BIT_ULL(hi - lo + 1) - 1);
}

static u64 get64(const u32 *words, unsigned int word)
{
	return words[word] | (u64)words[word + 1] << 32;
}

static const char *decode_nop(const u32 *w, struct vgpu_packet *p)
{
	p->kind = VGPU_PACKET_NOP;
	p->dwords += get(w, NOP_COUNT);
	return NULL;
}

static const char *decode_copy(const u32 *w, struct vgpu_packet *p)
{
	p->kind = VGPU_PACKET_COPY;
	if (get(w, COPY_ENCRYPT))
		return "unsupported form of copy";
	if (get(w, COPY_DST_SWAP) || get(w, COPY_SRC_SWAP))
		return "unsupported byte swap";
	p->copy.bytes = get(w, COPY_COUNT) + 1;
	p->copy.src = get64(w, 3);
	p->copy.dst = get64(w, 5);
	return NULL;
}

static const char *decode_broadcast(const u32 *w, struct vgpu_packet *p)
{
	p->kind = VGPU_PACKET_COPY_BROADCAST;
	if (get(w, COPY_ENCRYPT))
		return "unsupported form of copy";
	if (get(w, COPY_DST_SWAP) || get(w, COPY_SRC_SWAP) || get(w, BROADCAST_DST2_SWAP))
		return "unsupported byte swap";
	p->broadcast.bytes = get(w, COPY_COUNT) + 1;
	p->broadcast.src = get64(w, 3);
	p->broadcast.dst[0] = get64(w, 5);
	p->broadcast.dst[1] = get64(w, 7);
	return NULL;
}

static void decode_window(const u32 *w, unsigned int first, struct vgpu_packet_window *win)
{
	win->base = get64(w, first);
	win->x = get(w, WINDOW_X(first));
	win->y = get(w, WINDOW_Y(first));
	win->z = get(w, WINDOW_Z(first));
	win->pitch = get(w, WINDOW_PITCH(first)) + 1;
	win->slice = get(w, WINDOW_SLICE(first)) + 1;
}

static const char *decode_rect(const u32 *w, struct vgpu_packet *p)
{
	p->kind = VGPU_PACKET_COPY_RECT;
	if (get(w, RECT_DST_SWAP) || get(w, RECT_SRC_SWAP))
		return "unsupported byte swap";
	p->rect.shift = get(w, RECT_ELEMENT);
	if (p->rect.shift > 4)
		return "bad element size";
	decode_window(w, 1, &p->rect.src);
	decode_window(w, 6, &p->rect.dst);
	if ((p->rect.src.base | p->rect.dst.base) & 3)
		return "unaligned address";
	p->rect.width = get(w, RECT_WIDTH) + 1;
	p->rect.height = get(w, RECT_HEIGHT) + 1;
	p->rect.depth = get(w, RECT_DEPTH) + 1;
	return NULL;
}

static const char *decode_write(const u32 *w, struct vgpu_packet *p)
{
	p->kind = VGPU_PACKET_WRITE;
	if (get(w, WRITE_SWAP))
		return "unsupported byte swap";
	p->write.dst = get64(w, 1);
	p->write.dwords = get(w, WRITE_COUNT) + 1;
	p->dwords += p->write.dwords;
	return NULL;
}

static const char *decode_indirect(const u32 *w, struct vgpu_packet *p)
{
	p->kind = VGPU_PACKET_INDIRECT;
	p->indirect.base = get64(w, 1);
	if (p->indirect.base & 31)
		return "unaligned indirect buffer";
	p->indirect.dwords = get(w, INDIRECT_SIZE);
	p->indirect.vmid = get(w, INDIRECT_VMID);
	return NULL;
}

static const char *decode_fence(const u32 *w, struct vgpu_packet *p)
{
	p->kind = VGPU_PACKET_FENCE;
	p->fence.addr = get64(w, 1);
	p->fence.data = w[3];
	return p->fence.addr & 3 ? "unaligned address" : NULL;
}

static const char *decode_trap(const u32 *w, struct vgpu_packet *p)
{
	p->kind = VGPU_PACKET_TRAP;
	p->trap.context = get(w, TRAP_CONTEXT);
	return NULL;
}

/* ROCr sends these words before each copy; by its bits it would poll register 0. */
static bool is_hdp_flush(const u32 *w)
{
	static const u32 words[6] = { 0x00000008, 0, 0x80000000, 0, 0, 0 };

	return !memcmp(w, words, sizeof(words));
}

static const char *decode_poll(const u32 *w, struct vgpu_packet *p)
{
	if (is_hdp_flush(w)) {
		p->kind = VGPU_PACKET_HDP_FLUSH;
		return NULL;
	}
	p->poll.func = get(w, POLL_FUNC);
	p->poll.reference = w[3];
	p->poll.mask = w[4];
	p->poll.interval = get(w, POLL_INTERVAL);
	p->poll.retry = get(w, POLL_RETRY);
	if (p->poll.func > VGPU_POLL_GREATER)
		return "bad poll function";
	if (get(w, POLL_MEM)) {
		p->kind = VGPU_PACKET_POLL_MEM;
		p->poll.addr = get64(w, 1);
		if (get(w, POLL_HDP))
			return "memory poll with HDP flush";
	} else {
		p->kind = get(w, POLL_HDP) ? VGPU_PACKET_POLL_HDP : VGPU_PACKET_POLL_REG;
		p->poll.addr = w[1];
		p->poll.request = w[2];
	}
	return p->poll.addr & 3 ? "unaligned address" : NULL;
}

static const char *decode_srbm(const u32 *w, struct vgpu_packet *p)
{
	p->kind = VGPU_PACKET_REG_WRITE;
	p->reg.reg = get(w, SRBM_ADDR) * sizeof(u32);
	p->reg.value = w[2];
	p->reg.bytes = get(w, SRBM_BYTES);
	return NULL;
}

static const char *decode_atomic(const u32 *w, struct vgpu_packet *p)
{
	p->kind = VGPU_PACKET_ATOMIC;
	p->atomic.op = get(w, ATOMIC_OP);
	p->atomic.loop = get(w, ATOMIC_LOOP);
	p->atomic.addr = get64(w, 1);
	p->atomic.src = get64(w, 3);
	p->atomic.cmp = get64(w, 5);
	p->atomic.interval = get(w, ATOMIC_INTERVAL);
	return NULL;
}

/*
 * The count is in bytes less one.  A fill by dwords writes (count >> 2) + 1 of them,
 * whether the sender wrote bytes - 1 (kernel) or (dwords - 1) * 4 (ROCr); by words
 * alike.  The kernel fills with size 0 and a 32-bit pattern, so at any size the
 * pattern is the whole dword, repeated from the destination on.
 */
static const char *decode_fill(const u32 *w, struct vgpu_packet *p)
{
	unsigned int size = get(w, FILL_SIZE);
	u32 count = get(w, FILL_COUNT);

	p->kind = VGPU_PACKET_FILL;
	if (size > 2)
		return "bad fill size";
	if (get(w, FILL_SWAP))
		return "unsupported byte swap";
	p->fill.dst = get64(w, 1);
	p->fill.data = w[3];
	p->fill.bytes = ((count >> size) + 1) << size;
	return NULL;
}

static const char *decode_ptepde(const u32 *w, struct vgpu_packet *p)
{
	p->kind = VGPU_PACKET_PTEPDE;
	p->ptepde.dst = get64(w, 1);
	p->ptepde.flags = get64(w, 3);
	p->ptepde.first = get64(w, 5);
	p->ptepde.step = get64(w, 7);
	p->ptepde.count = get(w, PTEPDE_COUNT) + 1;
	return p->ptepde.dst & 7 ? "unaligned address" : NULL;
}

static const char *decode_timestamp(const u32 *w, struct vgpu_packet *p)
{
	p->kind = VGPU_PACKET_TIMESTAMP;
	p->timestamp.addr = get64(w, 1) & ~7ULL;
	return NULL;
}

static const char *decode_time_local(const u32 *w, struct vgpu_packet *p)
{
	p->kind = VGPU_PACKET_TIME_LOCAL;
	p->timestamp.addr = get64(w, 1) & ~7ULL;
	return NULL;
}

static const char *decode_time_set(const u32 *w, struct vgpu_packet *p)
{
	p->kind = VGPU_PACKET_TIME_SET;
	p->time_set.value = get64(w, 1);
	return NULL;
}

static const char *decode_semaphore(const u32 *w, struct vgpu_packet *p)
{
	p->kind = VGPU_PACKET_SEMAPHORE;
	p->semaphore.signal = get(w, SEM_SIGNAL);
	p->semaphore.write_one = get(w, SEM_WRITE_ONE);
	p->semaphore.addr = get64(w, 1);
	if (get(w, SEM_MAILBOX) || (p->semaphore.write_one && !p->semaphore.signal))
		return "unsupported form of semaphore";
	return p->semaphore.addr & 7 ? "unaligned address" : NULL;
}

static const char *decode_mem_incr(const u32 *w, struct vgpu_packet *p)
{
	p->kind = VGPU_PACKET_MEM_INCR;
	p->semaphore.addr = get64(w, 1);
	return p->semaphore.addr & 7 ? "unaligned address" : NULL;
}

static const char *decode_cond(const u32 *w, struct vgpu_packet *p)
{
	p->kind = VGPU_PACKET_COND_EXE;
	p->cond.addr = get64(w, 1);
	p->guarded = get(w, COND_COUNT);
	if (get(w, COND_REFERENCE) != 1)
		return "condition other than with reference 1";
	return p->cond.addr & 3 ? "unaligned address" : NULL;
}

/**
 * struct format - one kind of packet
 * @op: as in the header
 * @subop: likewise
 * @fixed: dwords to decode; 0: the model does not run it
 * @decode: fills the packet; NULL or why it is refused
 * @switches: bits of the header that have to be set as well
 * @refused: why it does not run
 */
struct format {
	u8 op, subop;
	u8 fixed;
	const char *(*decode)(const u32 *words, struct vgpu_packet *packet);
	u32 switches;
	const char *refused;
};

#define REFUSED(op_, subop_, why)	{ .op = op_, .subop = subop_, .refused = why }

static const char tiled[] = "tiled surface";
static const char dirty[] = "dirty pages";
static const char physical[] = "copy by physical address";
static const char fields_only[] = "packet of unknown effect";

static const struct format formats[] = {
	{ 0, 0, 1, decode_nop },
	{ 1, 0, 9, decode_broadcast, .switches = BIT(27) },
	{ 1, 0, 7, decode_copy },
	{ 1, 4, 13, decode_rect },
	{ 2, 0, 4, decode_write },
	{ 4, 0, 6, decode_indirect },
	{ 5, 0, 4, decode_fence },
	{ 6, 0, 2, decode_trap },
	{ 7, 0, 3, decode_semaphore },
	{ 7, 1, 3, decode_mem_incr },
	{ 8, 0, 6, decode_poll },
	{ 9, 0, 5, decode_cond },
	{ 10, 0, 8, decode_atomic },
	{ 11, 0, 5, decode_fill },
	{ 12, 0, 10, decode_ptepde },
	{ 13, 0, 3, decode_time_set },
	{ 13, 1, 3, decode_time_local },
	{ 13, 2, 3, decode_timestamp },
	{ 14, 0, 3, decode_srbm },
	REFUSED(1, 1, tiled),		/* to or from linear, broadcast too */
	REFUSED(1, 3, fields_only),	/* structure of arrays */
	REFUSED(1, 5, tiled),		/* sub-window to or from linear */
	REFUSED(1, 6, tiled),		/* tiled to tiled */
	REFUSED(1, 7, dirty),		/* copy */
	REFUSED(1, 8, physical),
	REFUSED(2, 1, tiled),		/* write */
	REFUSED(8, 1, fields_only),	/* register to memory */
	REFUSED(8, 2, dirty),		/* bits to memory */
	REFUSED(8, 3, fields_only),	/* memory verify */
	REFUSED(11, 1, fields_only),	/* many fills */
	REFUSED(12, 1, fields_only),	/* copy of entries */
	REFUSED(12, 2, fields_only),	/* read-modify-write of an entry */
	REFUSED(12, 3, fields_only),	/* copy of entries, backwards */
	REFUSED(15, 0, fields_only),	/* for chosen devices */
	REFUSED(16, 0, fields_only),	/* dummy trap */
};

static const struct format *find_format(u32 header)
{
	u32 op = get(&header, H_OP), subop = get(&header, H_SUBOP);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(formats); i++)
		if (formats[i].op == op && formats[i].subop == subop &&
		    !(~header & formats[i].switches))
			return &formats[i];
	return NULL;
}

/**
 * vgpu_packet_fixed() - length of a packet's fixed part
 * @header: first dword
 * @why: set to the reason if it is no packet that runs
 *
 * Return: dwords, at most VGPU_PACKET_MAX_FIXED, or 0.
 */
unsigned int vgpu_packet_fixed(u32 header, const char **why)
{
	const struct format *format = find_format(header);

	*why = format ? format->refused : "unknown packet";
	return format ? format->fixed : 0;
}

/**
 * vgpu_packet_decode() - decode a packet
 * @words: its fixed part, vgpu_packet_fixed() dwords, at least 1
 * @packet: result
 * @why: set to the reason if it is refused
 *
 * Return: 0 or -EINVAL.
 */
int vgpu_packet_decode(const u32 *words, struct vgpu_packet *packet, const char **why)
{
	const struct format *format = find_format(words[0]);
	const char *refused;

	if (!format || format->refused) {
		*why = format ? format->refused : "unknown packet";
		return -EINVAL;
	}
	memset(packet, 0, sizeof(*packet));
	packet->header = words[0];
	packet->fixed = format->fixed;
	packet->dwords = format->fixed;
	refused = format->decode(words, packet);
	if (!refused)
		return 0;
	*why = refused;
	return -EINVAL;
}
