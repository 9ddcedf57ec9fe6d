// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: what each packet does
 *
 * Everything that touches memory looks up a group of pages at once and goes on as far
 * as they lie in one piece, on both sides.  A step is bounded by VGPU_SDMA_CHUNK bytes
 * and, where pieces may be tiny (rows of a rectangle), by MAX_PIECES of them.  A packet
 * that was begun on a queue that is then unloaded starts again from its beginning, so a
 * copy within overlapping memory is not safe against that.
 *
 * Polls and atomic loops look once a step.  A look counts as a retry if the
 * packet's interval, taken as GPU clocks, has passed since the last that counted.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "vgpu_mmu.h"
#include "vgpu_os.h"
#include "vgpu_sdma.h"
#include "vgpu_sdma_copy.h"
#include "vgpu_sdma_exec.h"
#include "vgpu_sdma_handler.h"

#define MAX_PIECES		VGPU_SDMA_PIECES
/* An entry of a page table costs several words of a copy. */
#define MAX_ENTRIES		8192

/* Atomic operations: numbers of the chip's texture cache; 64-bit forms have bit 5 set. */
#define ATOMIC_64		0x20
#define ATOMIC_NO_RETURN	0x40
#define ATOMIC_OP_MASK		0x1f

enum {
	ATOMIC_SWAP = 0x07,
	ATOMIC_CMPSWAP = 0x08,
	ATOMIC_ADD = 0x0f,
	ATOMIC_SUB,
	ATOMIC_SMIN,
	ATOMIC_UMIN,
	ATOMIC_SMAX,
	ATOMIC_UMAX,
	ATOMIC_AND,
	ATOMIC_OR,
	ATOMIC_XOR,
	ATOMIC_INC,
	ATOMIC_DEC,
};

/* Bring the page of @va into the window, and those up to @bytes on if they come with it. */
static bool open_window(struct vgpu_exec_env *env, struct vgpu_window *w, u64 va, u64 bytes)
{
	u64 page = va >> VGPU_PAGE_SHIFT, offset = va & (VGPU_PAGE_SIZE - 1);
	u64 count = min_t(u64, VGPU_MMU_LINE - page % VGPU_MMU_LINE,
			  (offset + bytes + VGPU_PAGE_SIZE - 1) >> VGPU_PAGE_SHIFT);

	w->first = page;
	w->vmid = env->access.vmid;
	w->count = 0;
	if (!vgpu_gmc_pages(env->gmc, env->tlb, &env->access, va, w->page, count)) {
		env->fault = va;
		return false;
	}
	w->count = count;
	return true;
}

/*
 * Address of byte @va in the kernel; good up to the end of its page.  @bytes, at
 * least 1, says how far the caller means to go on from there.
 */
static void *reach(struct vgpu_exec_env *env, u64 va, u64 bytes, bool write)
{
	struct vgpu_window *w = &env->window[write];
	u64 at = (va >> VGPU_PAGE_SHIFT) - w->first;

	if (at >= w->count || w->vmid != env->access.vmid || !w->page[at]) {
		env->access.write = write;
		if (!open_window(env, w, va, bytes))
			return NULL;
		at = 0;
	}
	return (u8 *)w->page[at] + (va & (VGPU_PAGE_SIZE - 1));
}

/* The same, good for *@run bytes: as many of @bytes as lie in one piece. */
static void *reach_run(struct vgpu_exec_env *env, u64 va, u64 bytes, bool write, u64 *run)
{
	struct vgpu_window *w = &env->window[write];
	u8 *first = reach(env, va, bytes, write), *next;
	unsigned int at;

	if (!first)
		return NULL;
	at = (va >> VGPU_PAGE_SHIFT) - w->first;
	next = (u8 *)w->page[at] + VGPU_PAGE_SIZE;
	while (next - first < bytes && ++at < w->count && w->page[at] == next)
		next += VGPU_PAGE_SIZE;
	*run = min_t(u64, bytes, next - first);
	return first;
}

/* Bytes from @va to the end of its page, at most @bytes. */
static u32 within_page(u64 va, u64 bytes)
{
	u32 left = VGPU_PAGE_SIZE - (u32)(va & (VGPU_PAGE_SIZE - 1));

	return bytes < left ? (u32)bytes : left;
}

/* Copy up to @bytes, as many as lie in one piece on both sides; 0 after a fault. */
static u64 copy_piece(struct vgpu_exec_env *env, u64 dst, u64 src, u64 bytes)
{
	u64 there, here;
	void *s = reach_run(env, src, bytes, false, &there), *d;

	if (!s)
		return 0;
	d = reach_run(env, dst, bytes, true, &here);
	if (!d)
		return 0;
	bytes = min(there, here);
	vgpu_copy(d, s, bytes);
	return bytes;
}

/* For the handlers in files of their own, see vgpu_sdma_handler.h. */
void *vgpu_exec_reach(struct vgpu_exec_env *env, u64 va, u64 bytes, bool write)
{
	return reach(env, va, bytes, write);
}

u64 vgpu_exec_copy(struct vgpu_exec_env *env, u64 dst, u64 src, u64 bytes)
{
	return copy_piece(env, dst, src, bytes);
}

/**
 * vgpu_exec_fetch() - read dwords of a ring or indirect buffer
 * @env: where
 * @stream: ring or buffer
 * @pos: byte position, a multiple of 4
 * @words: result
 * @count: dwords, at most VGPU_PACKET_MAX_FIXED
 *
 * Return: false after a fault.
 */
bool vgpu_exec_fetch(struct vgpu_exec_env *env, const struct vgpu_stream *stream, u64 pos,
		     u32 *words, unsigned int count)
{
	u32 bytes = count * sizeof(u32);

	while (bytes) {
		u64 at = pos & stream->mask, va = stream->base + at;
		u64 to_wrap = stream->mask - at;
		u32 piece = within_page(va, bytes);
		u32 *p = reach(env, va, bytes, false), i;

		if (!p)
			return false;
		if (piece > to_wrap)
			piece = to_wrap + 1;
		for (i = 0; i < piece / sizeof(u32); i++)
			*words++ = READ_ONCE(p[i]);
		pos += piece;
		bytes -= piece;
	}
	return true;
}

/**
 * vgpu_exec_store64() - store 64 bits, whole if their address is aligned
 * @env: where
 * @va: a multiple of 4
 * @value: what
 *
 * Earlier stores of the engine are visible before this one.
 *
 * Return: false after a fault.
 */
bool vgpu_exec_store64(struct vgpu_exec_env *env, u64 va, u64 value)
{
	void *p = reach(env, va, sizeof(value), true), *q;

	if (!p)
		return false;
	/* What packets wrote before what tells that they are done; readers pair with it. */
	smp_wmb();
	if (!(va & 7)) {
		WRITE_ONCE(*(u64 *)p, value);
		return true;
	}
	q = reach(env, va + 4, 4, true);
	if (!q)
		return false;
	WRITE_ONCE(*(u32 *)q, upper_32_bits(value));
	WRITE_ONCE(*(u32 *)p, lower_32_bits(value));
	return true;
}

/**
 * vgpu_exec_interrupt() - raise an interrupt of the queue
 * @env: which
 * @source: number
 * @context: first context word
 */
void vgpu_exec_interrupt(struct vgpu_exec_env *env, u8 source, u32 context)
{
	const struct vgpu_iv iv = {
		.client = env->client,
		.source = source,
		.ring = env->ring,
		.vmid = env->access.vmid,
		.ctx[0] = context,
	};

	/* Stores to memory (fences) before the entry in the IH ring; the handler pairs. */
	smp_mb();
	env->bus->irq(env->bus->ctx, &iv);
}

/* Copies and fills */

static enum vgpu_exec do_copy(struct vgpu_exec_env *env, const struct vgpu_packet *p,
			      struct vgpu_cursor *c)
{
	u64 end = min_t(u64, p->copy.bytes, c->done + VGPU_SDMA_CHUNK);

	while (c->done < end) {
		u64 bytes = copy_piece(env, p->copy.dst + c->done, p->copy.src + c->done,
				       end - c->done);

		if (!bytes)
			return VGPU_EXEC_FAULT;
		c->done += bytes;
	}
	if (c->done < p->copy.bytes)
		return VGPU_EXEC_MORE;
	env->counts.copied += p->copy.bytes;
	return VGPU_EXEC_DONE;
}

static u64 row_address(const struct vgpu_packet_window *w, u32 shift, u32 y, u32 z)
{
	u64 element = (u64)(w->z + z) * w->slice + (u64)(w->y + y) * w->pitch + w->x;

	return w->base + (element << shift);
}

static enum vgpu_exec do_rect(struct vgpu_exec_env *env, const struct vgpu_packet *p,
			      struct vgpu_cursor *c)
{
	u32 row = p->rect.width << p->rect.shift;
	u32 budget = VGPU_SDMA_CHUNK;
	unsigned int pieces;

	for (pieces = 0; pieces < MAX_PIECES && budget; pieces++) {
		u64 src = row_address(&p->rect.src, p->rect.shift, c->y, c->z) + c->done;
		u64 dst = row_address(&p->rect.dst, p->rect.shift, c->y, c->z) + c->done;
		u32 bytes = copy_piece(env, dst, src, min_t(u32, row - (u32)c->done, budget));

		if (!bytes)
			return VGPU_EXEC_FAULT;
		budget -= bytes;
		c->done += bytes;
		if (c->done < row)
			continue;
		c->done = 0;
		if (++c->y < p->rect.height)
			continue;
		c->y = 0;
		if (++c->z < p->rect.depth)
			continue;
		env->counts.copied += (u64)row * p->rect.height * p->rect.depth;
		return VGPU_EXEC_DONE;
	}
	return VGPU_EXEC_MORE;
}

/* The pattern as it is seen @bytes further on. */
static u32 pattern_at(u32 data, u64 bytes)
{
	unsigned int bits = (bytes & 3) * 8;

	return bits ? data >> bits | data << (32 - bits) : data;
}

static enum vgpu_exec do_fill(struct vgpu_exec_env *env, const struct vgpu_packet *p,
			      struct vgpu_cursor *c)
{
	u64 end = min_t(u64, p->fill.bytes, c->done + VGPU_SDMA_CHUNK);

	while (c->done < end) {
		u64 bytes;
		void *d = reach_run(env, p->fill.dst + c->done, end - c->done, true, &bytes);

		if (!d)
			return VGPU_EXEC_FAULT;
		vgpu_fill(d, pattern_at(p->fill.data, c->done), bytes);
		c->done += bytes;
	}
	if (c->done < p->fill.bytes)
		return VGPU_EXEC_MORE;
	env->counts.filled += p->fill.bytes;
	return VGPU_EXEC_DONE;
}

static enum vgpu_exec do_write(struct vgpu_exec_env *env, const struct vgpu_packet *p,
			       const struct vgpu_stream *stream, u64 payload,
			       struct vgpu_cursor *c)
{
	u64 bytes = (u64)p->write.dwords * 4;
	u64 end = min_t(u64, bytes, c->done + VGPU_SDMA_CHUNK);

	while (c->done < end) {
		u64 src = stream->base + ((payload + c->done) & stream->mask);
		u64 dst = p->write.dst + c->done;
		u64 piece = end - c->done;
		u64 wrap = stream->mask - ((payload + c->done) & stream->mask);

		if (piece > wrap)
			piece = wrap + 1;
		piece = copy_piece(env, dst, src, piece);
		if (!piece)
			return VGPU_EXEC_FAULT;
		c->done += piece;
	}
	if (c->done < bytes)
		return VGPU_EXEC_MORE;
	env->counts.written += bytes;
	return VGPU_EXEC_DONE;
}

static enum vgpu_exec do_ptepde(struct vgpu_exec_env *env, const struct vgpu_packet *p,
				struct vgpu_cursor *c)
{
	u64 end = min_t(u64, p->ptepde.count, c->done + MAX_ENTRIES);
	u64 *page = NULL;

	for (; c->done < end; c->done++) {
		u64 dst = p->ptepde.dst + c->done * sizeof(u64);

		/* Aligned, so an entry crosses no page. */
		if (!page || !(dst & (VGPU_PAGE_SIZE - 1)))
			page = reach(env, dst, (end - c->done) * sizeof(u64), true);
		if (!page)
			return VGPU_EXEC_FAULT;
		WRITE_ONCE(*page, (p->ptepde.first + c->done * p->ptepde.step) | p->ptepde.flags);
		page++;
	}
	if (c->done < p->ptepde.count)
		return VGPU_EXEC_MORE;
	env->counts.written += c->done * sizeof(u64);
	return VGPU_EXEC_DONE;
}

/* Signals */

static enum vgpu_exec do_fence(struct vgpu_exec_env *env, const struct vgpu_packet *p)
{
	u32 *addr = reach(env, p->fence.addr, 4, true);

	if (!addr)
		return VGPU_EXEC_FAULT;
	/* The work before the fence that tells of it; whoever reads the fence pairs. */
	smp_store_release(addr, p->fence.data);
	env->counts.fences++;
	return VGPU_EXEC_DONE;
}

static enum vgpu_exec do_trap(struct vgpu_exec_env *env, const struct vgpu_packet *p)
{
	env->counts.traps++;
	if (env->traps)
		vgpu_exec_interrupt(env, VGPU_SOURCE_TRAP, p->trap.context);
	return VGPU_EXEC_DONE;
}

/* Polls */

static bool poll_holds(const struct vgpu_packet *p, u32 value)
{
	u32 ref = p->poll.reference;

	value &= p->poll.mask;
	switch (p->poll.func) {
	case VGPU_POLL_LESS:
		return value < ref;
	case VGPU_POLL_LESS_EQUAL:
		return value <= ref;
	case VGPU_POLL_EQUAL:
		return value == ref;
	case VGPU_POLL_NOT_EQUAL:
		return value != ref;
	case VGPU_POLL_GREATER_EQUAL:
		return value >= ref;
	case VGPU_POLL_GREATER:
		return value > ref;
	default:
		return true;
	}
}

/* Count a look that failed: try again later, or give up beyond @retry. */
static enum vgpu_exec look_again(struct vgpu_exec_env *env, struct vgpu_cursor *c, u32 interval,
				 u32 retry)
{
	u64 now = env->bus->clock(env->bus->ctx);

	if (retry == VGPU_POLL_FOREVER)
		return VGPU_EXEC_BLOCKED;
	if (c->tries && now - c->last < interval)
		return VGPU_EXEC_BLOCKED;
	c->last = now;
	return c->tries++ < retry ? VGPU_EXEC_BLOCKED : VGPU_EXEC_TIMEOUT;
}

static enum vgpu_exec do_poll_mem(struct vgpu_exec_env *env, const struct vgpu_packet *p,
				  struct vgpu_cursor *c)
{
	u32 *addr = reach(env, p->poll.addr, 4, false);

	if (!addr)
		return VGPU_EXEC_FAULT;
	/* The flag before what it guards; pairs with the release of whoever sets it. */
	if (poll_holds(p, smp_load_acquire(addr)))
		return VGPU_EXEC_DONE;
	return look_again(env, c, p->poll.interval, p->poll.retry);
}

static enum vgpu_exec do_poll_reg(struct vgpu_exec_env *env, const struct vgpu_packet *p,
				  struct vgpu_cursor *c)
{
	const struct vgpu_bus *bus = env->bus;

	if (!env->privileged)
		return vgpu_exec_illegal(env, "register poll without privilege");
	if (p->kind == VGPU_PACKET_POLL_HDP && !c->started)
		bus->reg_write(bus->ctx, p->poll.request, p->poll.reference);
	c->started = true;
	if (poll_holds(p, bus->reg_read(bus->ctx, (u32)p->poll.addr)))
		return VGPU_EXEC_DONE;
	return look_again(env, c, p->poll.interval, p->poll.retry);
}

/* Registers */

static enum vgpu_exec do_reg_write(struct vgpu_exec_env *env, const struct vgpu_packet *p)
{
	const struct vgpu_bus *bus = env->bus;
	u32 mask = 0, value = p->reg.value;
	unsigned int i;

	if (!env->privileged) {
		env->why = "register write without privilege";
		return VGPU_EXEC_PROTECTED;
	}
	for (i = 0; i < 4; i++)
		if (p->reg.bytes & (1u << i))
			mask |= 0xffu << (i * 8);
	if (!mask)
		return VGPU_EXEC_DONE;
	if (~mask)
		value = (value & mask) | (bus->reg_read(bus->ctx, p->reg.reg) & ~mask);
	bus->reg_write(bus->ctx, p->reg.reg, value);
	return VGPU_EXEC_DONE;
}

/* Atomics */

/* New value for an operation on @old, or false if the operation is not known. */
static bool atomic_result(u32 op, u64 old, u64 src, u64 cmp, bool wide, u64 *result)
{
	s64 sold = wide ? (s64)old : (s32)old, ssrc = wide ? (s64)src : (s32)src;

	switch (op) {
	case ATOMIC_SWAP:
		*result = src;
		return true;
	case ATOMIC_CMPSWAP:
		*result = old == cmp ? src : old;
		return true;
	case ATOMIC_ADD:
		*result = old + src;
		return true;
	case ATOMIC_SUB:
		*result = old - src;
		return true;
	case ATOMIC_SMIN:
		*result = sold < ssrc ? old : src;
		return true;
	case ATOMIC_UMIN:
		*result = min(old, src);
		return true;
	case ATOMIC_SMAX:
		*result = sold > ssrc ? old : src;
		return true;
	case ATOMIC_UMAX:
		*result = max(old, src);
		return true;
	case ATOMIC_AND:
		*result = old & src;
		return true;
	case ATOMIC_OR:
		*result = old | src;
		return true;
	case ATOMIC_XOR:
		*result = old ^ src;
		return true;
	case ATOMIC_INC:
		*result = old >= src ? 0 : old + 1;
		return true;
	case ATOMIC_DEC:
		*result = !old || old > src ? src : old - 1;
		return true;
	default:
		return false;
	}
}

/* One attempt; @old gets what was there.  False if another store came between. */
static bool atomic_try(void *addr, bool wide, u64 *old, u64 result)
{
	u64 seen;

	if (wide)
		seen = vgpu_cmpxchg64((u64 *)addr, *old, result);
	else
		seen = vgpu_cmpxchg32((u32 *)addr, (u32)*old, (u32)result);
	if (seen == *old)
		return true;
	*old = seen;
	return false;
}

/* A loop of compare-and-swap packets goes on until one swaps. */
static enum vgpu_exec do_atomic(struct vgpu_exec_env *env, const struct vgpu_packet *p,
				struct vgpu_cursor *c)
{
	u32 op = p->atomic.op & ATOMIC_OP_MASK;
	bool wide = p->atomic.op & ATOMIC_64;
	u64 limit = wide ? ~0ULL : 0xffffffffULL;
	u64 src = p->atomic.src & limit, cmp = p->atomic.cmp & limit;
	unsigned int i;
	u64 old, result;
	void *addr;

	if (!atomic_result(op, 0, 0, 0, wide, &result))
		return vgpu_exec_illegal(env, "unknown atomic operation");
	if (p->atomic.addr & (wide ? 7 : 3))
		return vgpu_exec_illegal(env, "unaligned address");
	addr = reach(env, p->atomic.addr, 4, true);
	if (!addr)
		return VGPU_EXEC_FAULT;
	old = wide ? READ_ONCE(*(u64 *)addr) : READ_ONCE(*(u32 *)addr);
	for (i = 0; i < MAX_PIECES; i++) {
		atomic_result(op, old, src, cmp, wide, &result);
		if (!atomic_try(addr, wide, &old, result & limit))
			continue;
		if (p->atomic.loop && op == ATOMIC_CMPSWAP && old != cmp)
			return VGPU_EXEC_BLOCKED;
		env->counts.atomics++;
		return VGPU_EXEC_DONE;
	}
	return VGPU_EXEC_MORE;
}

/**
 * vgpu_exec_packet() - do one step of a packet
 * @env: where it runs
 * @packet: decoded; INDIRECT is not for here, as it changes the stream
 * @stream: where its payload stands
 * @payload: byte position of that
 * @cursor: progress, zeroed before the first step
 *
 * Context: the engine's thread inside a chunk, no lock held.
 * Return: what became of it.
 */
enum vgpu_exec vgpu_exec_packet(struct vgpu_exec_env *env, const struct vgpu_packet *packet,
				const struct vgpu_stream *stream, u64 payload,
				struct vgpu_cursor *cursor)
{
	switch (packet->kind) {
	case VGPU_PACKET_NOP:
		return VGPU_EXEC_DONE;
	case VGPU_PACKET_COPY:
		return do_copy(env, packet, cursor);
	case VGPU_PACKET_COPY_RECT:
		return do_rect(env, packet, cursor);
	case VGPU_PACKET_WRITE:
		return do_write(env, packet, stream, payload, cursor);
	case VGPU_PACKET_FENCE:
		return do_fence(env, packet);
	case VGPU_PACKET_TRAP:
		return do_trap(env, packet);
	case VGPU_PACKET_HDP_FLUSH:
		env->bus->hdp_flush(env->bus->ctx);
		return VGPU_EXEC_DONE;
	case VGPU_PACKET_POLL_MEM:
		return do_poll_mem(env, packet, cursor);
	case VGPU_PACKET_POLL_REG:
	case VGPU_PACKET_POLL_HDP:
		return do_poll_reg(env, packet, cursor);
	case VGPU_PACKET_REG_WRITE:
		return do_reg_write(env, packet);
	case VGPU_PACKET_ATOMIC:
		return do_atomic(env, packet, cursor);
	case VGPU_PACKET_FILL:
		return do_fill(env, packet, cursor);
	case VGPU_PACKET_PTEPDE:
		return do_ptepde(env, packet, cursor);
	case VGPU_PACKET_TIMESTAMP:
	case VGPU_PACKET_TIME_LOCAL:
	case VGPU_PACKET_TIME_SET:
		return vgpu_exec_time(env, packet);
	case VGPU_PACKET_COPY_BROADCAST:
		return vgpu_exec_broadcast(env, packet, cursor);
	case VGPU_PACKET_SEMAPHORE:
	case VGPU_PACKET_MEM_INCR:
		return vgpu_exec_semaphore(env, packet);
	case VGPU_PACKET_COND_EXE:
		return vgpu_exec_cond(env, packet, cursor);
	default:
		return vgpu_exec_illegal(env, "packet not allowed here");
	}
}
