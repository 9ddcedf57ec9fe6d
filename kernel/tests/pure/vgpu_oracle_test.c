// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* pure: kernel/vgpu/vgpu_sdma_packet.c */
/**
 * DOC: the model's decoder against the kernel's own packet header
 *
 * What sdma_packet_oracle.c puts into fields comes out of the decoder, and the packets and
 * forms that the model has not are refused.  The driver's encoders take no part.  Proves
 * S0.105 (model side) and B067 (refused packets).
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/vgpu/vgpu_sdma_packet.h"
#include "oracle.h"

#define HEADER		"amdgpu/vega10_sdma_pkt_open.h"
#define PACKETS		54

#define DST		0x0000123456789ab8ULL
#define SRC		0x0000fedc87654321ULL

#define IS(what)	(!strcmp(name, what))

static bool is_copy(const char *name, const struct vgpu_packet *p)
{
	return IS("copy") && p->kind == VGPU_PACKET_COPY && p->copy.bytes == 0x123456 &&
	       p->copy.src == SRC && p->copy.dst == DST;
}

static bool is_fill(const char *name, const struct vgpu_packet *p)
{
	return p->kind == VGPU_PACKET_FILL && p->fill.dst == DST && p->fill.data == 0xdeadbeef &&
	       ((IS("fill") && p->fill.bytes == 0x400000) ||
		(IS("fill_bytes") && p->fill.bytes == 0x1234));
}

/* WRITE: its two dwords of data are payload, not fields. */
static bool is_write(const char *name, const struct vgpu_packet *p)
{
	return IS("write") && p->kind == VGPU_PACKET_WRITE && p->write.dst == DST &&
	       p->write.dwords == 2 && p->fixed == 4;
}

static bool is_ptepde(const char *name, const struct vgpu_packet *p)
{
	return IS("ptepde") && p->kind == VGPU_PACKET_PTEPDE && p->ptepde.dst == DST &&
	       p->ptepde.flags == 0x0600000000000073ULL && p->ptepde.first == 0x345678000ULL &&
	       p->ptepde.step == 0x200000 && p->ptepde.count == 0x80000;
}

static bool is_window(const struct vgpu_packet_window *w, u64 base, u32 x, u32 y, u32 z,
		      u32 pitch, u32 slice)
{
	return w->base == base && w->x == x && w->y == y && w->z == z && w->pitch == pitch &&
	       w->slice == slice;
}

static bool is_rect(const char *name, const struct vgpu_packet *p)
{
	return IS("rect") && p->kind == VGPU_PACKET_COPY_RECT && p->rect.shift == 3 &&
	       is_window(&p->rect.src, SRC & ~3ULL, 0x3001, 0x2002, 0x403, 0x70004, 0xe000005) &&
	       is_window(&p->rect.dst, DST, 0x1006, 0x3007, 0x508, 0x60009, 0xc00000a) &&
	       p->rect.width == 0x100b && p->rect.height == 0x200c && p->rect.depth == 0x20d;
}

/* NOP, in two forms: the first line has two packets of one dword. */
static bool is_nop(const char *name, const struct vgpu_packet *p)
{
	return p->kind == VGPU_PACKET_NOP && ((IS("nop") && p->dwords == 1) ||
					      (IS("nop_many") && p->dwords == 0x2346));
}

static bool is_signal(const char *name, const struct vgpu_packet *p)
{
	switch (p->kind) {
	case VGPU_PACKET_FENCE:
		return IS("fence") && p->fence.addr == DST && p->fence.data == 0xfedcba98;
	case VGPU_PACKET_TRAP:
		return IS("trap") && p->trap.context == 0x9abcdef;
	case VGPU_PACKET_TIMESTAMP:
		return IS("timestamp") && p->timestamp.addr == DST;
	default:
		return false;
	}
}

static bool is_indirect(const char *name, const struct vgpu_packet *p)
{
	return IS("indirect") && p->kind == VGPU_PACKET_INDIRECT && p->indirect.vmid == 9 &&
	       p->indirect.base == 0x123456789aa0ULL && p->indirect.dwords == 0x1000;
}

static bool is_atomic(const char *name, const struct vgpu_packet *p)
{
	if (p->kind != VGPU_PACKET_ATOMIC || p->atomic.addr != DST)
		return false;
	if (IS("atomic"))
		return p->atomic.op == 47 && !p->atomic.loop && p->atomic.src == ~0ULL &&
		       !p->atomic.cmp && !p->atomic.interval;
	return IS("atomic_loop") && p->atomic.op == 0x28 && p->atomic.loop &&
	       p->atomic.src == 0x2222222211111111ULL && p->atomic.cmp == 0x4444444433333333ULL &&
	       p->atomic.interval == 0x1abc;
}

static bool is_poll_of(const struct vgpu_packet *p, u64 addr, u32 func, u32 reference, u32 mask)
{
	return p->poll.addr == addr && p->poll.func == func && p->poll.reference == reference &&
	       p->poll.mask == mask;
}

static bool is_poll(const char *name, const struct vgpu_packet *p)
{
	bool forever = p->poll.retry == VGPU_POLL_FOREVER;

	switch (p->kind) {
	case VGPU_PACKET_POLL_MEM:
		if (IS("poll_mem"))
			return is_poll_of(p, DST, VGPU_POLL_EQUAL, 0x55, 0xff) && forever &&
			       p->poll.interval == 4;
		return IS("poll_mem_ge") && p->poll.interval == 0x8001 && p->poll.retry == 0x802 &&
		       is_poll_of(p, DST, VGPU_POLL_GREATER_EQUAL, 0x12345678, 0xffff);
	case VGPU_PACKET_POLL_REG:
		return IS("poll_reg") && forever && p->poll.interval == 10 &&
		       is_poll_of(p, 0x1a6f5 * 4, VGPU_POLL_EQUAL, 0x100, 0x100);
	case VGPU_PACKET_POLL_HDP:
		return IS("hdp_flush") && forever && p->poll.request == 0xe26 * 4 &&
		       is_poll_of(p, 0xe27 * 4, VGPU_POLL_EQUAL, 0x400, 0x400);
	default:
		return false;
	}
}

static bool is_srbm(const char *name, const struct vgpu_packet *p)
{
	if (p->kind != VGPU_PACKET_REG_WRITE)
		return false;
	if (IS("srbm"))
		return p->reg.reg == 0x1a6e3 * 4 && p->reg.value == 0x007c0100 &&
		       p->reg.bytes == 0xf;
	return IS("srbm_bytes") && p->reg.reg == 0x3fffe * 4 && p->reg.value == 0x89abcdef &&
	       p->reg.bytes == 5;
}

static bool is_broadcast(const char *name, const struct vgpu_packet *p)
{
	return IS("broadcast") && p->kind == VGPU_PACKET_COPY_BROADCAST &&
	       p->broadcast.bytes == 0x123456 && p->broadcast.src == SRC &&
	       p->broadcast.dst[0] == DST && p->broadcast.dst[1] == 0x89ab76543210ULL;
}

static bool is_semaphore(const char *name, const struct vgpu_packet *p)
{
	if (p->kind != VGPU_PACKET_SEMAPHORE || p->semaphore.addr != DST)
		return false;
	return (IS("sem_wait") && !p->semaphore.signal && !p->semaphore.write_one) ||
	       (IS("sem_signal") && p->semaphore.signal && !p->semaphore.write_one) ||
	       (IS("sem_one") && p->semaphore.signal && p->semaphore.write_one);
}

static bool is_condition(const char *name, const struct vgpu_packet *p)
{
	return IS("condition") && p->kind == VGPU_PACKET_COND_EXE && p->cond.addr == DST &&
	       p->guarded == 0x2345;
}

static bool is_time(const char *name, const struct vgpu_packet *p)
{
	return (IS("time_local") && p->kind == VGPU_PACKET_TIME_LOCAL &&
		p->timestamp.addr == DST) ||
	       (IS("time_set") && p->kind == VGPU_PACKET_TIME_SET && p->time_set.value == SRC);
}

static bool (*const kinds[])(const char *name, const struct vgpu_packet *p) = {
	is_copy, is_fill, is_write, is_ptepde, is_rect, is_nop, is_signal, is_indirect, is_atomic,
	is_poll, is_srbm, is_broadcast, is_semaphore, is_condition, is_time,
};

/* Exactly the fixed part in memory of its own, so that a longer read is seen. */
static int decode(const struct oracle *o, struct vgpu_packet *p, const char **why)
{
	unsigned int i, fixed = vgpu_packet_fixed(o->n[0], why);
	u32 *words;
	int ret;

	if (!fixed || fixed > o->count)
		return -1;
	words = malloc(fixed * sizeof(*words));
	if (!words)
		return -1;
	for (i = 0; i < fixed; i++)
		words[i] = o->n[i];
	ret = vgpu_packet_decode(words, p, why);
	free(words);
	return ret;
}

static void check(const struct oracle *o)
{
	struct vgpu_packet p = {};
	const char *why = NULL;
	int ret = decode(o, &p, &why);
	bool right = false;
	unsigned int i;

	if (!strncmp(o->name, "no_", 3)) {
		pure_okf(ret && why, "%.40s is refused: %s (B067)", o->name,
			 why ? why : "no reason");
		return;
	}
	for (i = 0; !ret && i < ARRAY_SIZE(kinds); i++)
		right |= kinds[i](o->name, &p);
	/* The line is the packet, payload and all, but for NOPs. */
	right &= p.dwords == o->count || p.kind == VGPU_PACKET_NOP;
	pure_okf(right, "%.40s of the kernel's header is decoded to its fields (S0.105)", o->name);
}

int main(void)
{
	unsigned int packets = 0;
	struct oracle o;

	if (oracle_open(&o, "sdma_packet", "all", HEADER, "")) {
		for (; oracle_next(&o); packets++)
			check(&o);
		oracle_close(&o);
	}
	pure_ok(PURE_EQ(packets, PACKETS), "the oracle names every packet");
	return pure_done();
}
