// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: one turn of one queue
 *
 * A turn takes the queue's state under the lock, does one step of the packet at hand
 * without it, and hands the result back.  A packet is fetched when its fixed part
 * has been rung and begins when the whole of it has; half a packet waits.  RPTR moves
 * when a packet in the ring is finished (for an indirect buffer: all of it) and is
 * written back to memory at once.
 *
 * A queue that was disabled in the middle of a packet gets turns until that has ended.
 *
 * A halted queue's interrupt is raised between the two: CONTEXT_STATUS shows EXCEPTION
 * already and not yet IDLE, so that the driver finds the queue that an entry is about,
 * and does not take its VMID away before the entry carries the right PASID.
 *
 * Where VRAM has no memory yet, a user queue is blocked until a work item that may
 * wait has found some or given up; the others go on meanwhile.  Not the driver's own
 * queues: memory may be had only once they are done.
 *
 * The write pointer comes from the doorbell slot or the registers, never from memory
 * that a client writes.  A value is taken if it lies behind the last one, at most a
 * ring's size after RPTR, on a dword; anything else that is stored into the slot is
 * ignored and counted.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "vgpu_failure.h"
#include "vgpu_sdma_state.h"
#include "vgpu_trace.h"

/* An indirect packet ends on a multiple of 8 dwords in its ring. */
#define INDIRECT_BYTES	24
#define INDIRECT_ALIGN	32

/**
 * struct turn - a queue's state while the thread works on it
 * @sdma: instance
 * @queue: which
 * @epoch: activation
 * @drain: only to finish the packet in hand
 * @ring: its ring
 * @size: bytes of it
 * @vmid: of the ring
 * @rptr: moves with a finished packet
 * @wptr: as the turn began
 * @writeback: where RPTR goes
 * @has_writeback: and whether
 * @ib_enabled: indirect buffers allowed
 * @fault: entry of a fault, see &vgpu_access.fault
 * @later: see &vgpu_access.later
 * @hangs: the packet at hand never ends
 * @env: for the executor
 */
struct turn {
	struct vgpu_sdma *sdma;
	unsigned int queue;
	unsigned long epoch;
	bool drain;
	struct vgpu_stream ring;
	u64 size;
	u8 vmid;
	u64 rptr, wptr;
	u64 writeback;
	bool has_writeback;
	bool ib_enabled;
	struct vgpu_iv fault;
	bool later;
	bool hangs;
	struct vgpu_exec_env env;
};

/* Doorbells */

static void take_doorbell_locked(struct vgpu_sdma *sdma, struct vgpu_sdma_queue *q, u64 value)
{
	bool fresh = q->doorbell_fresh;

	vgpu_assert_locked(&sdma->lock);
	if (!fresh && value == q->doorbell_seen)
		return;
	q->doorbell_seen = value;
	q->doorbell_fresh = false;
	if (value == q->wptr)
		return;
	if (value > q->wptr && value - q->rptr <= q->size && !(value & 3)) {
		q->wptr = value;
		trace_vgpu_wptr(sdma, q, true);
	} else if (!fresh) {
		q->ignored++;
	}
}

/**
 * struct slot - a doorbell to look at
 * @offset: in BAR2
 * @epoch: activation that it is for
 * @seen: value that needs no second look
 * @listens: look at it at all
 * @fresh: it was not looked at since the activation
 */
struct slot {
	u32 offset;
	unsigned long epoch;
	u64 seen;
	bool listens, fresh;
};

static void load_slot_locked(struct vgpu_sdma *sdma, struct vgpu_sdma_queue *q, struct slot *s)
{
	vgpu_assert_locked(&sdma->lock);
	s->offset = *vgpu_sdma_qreg(q, SDMA4_Q_DOORBELL_OFFSET) & SDMA4_Q_DOORBELL_OFFSET__OFFSET;
	s->listens = q->enabled && !q->why &&
		     (*vgpu_sdma_qreg(q, SDMA4_Q_DOORBELL) & SDMA4_Q_DOORBELL__ENABLE);
	s->epoch = q->epoch;
	s->seen = q->doorbell_seen;
	s->fresh = q->doorbell_fresh;
}

/* What is in the slot, into the queue unless it was set up anew meanwhile. */
static void take_slot(struct vgpu_sdma *sdma, struct vgpu_sdma_queue *q, const struct slot *s)
{
	unsigned long flags;
	u64 value;

	if (!s->listens)
		return;
	value = sdma->bus.doorbell_get(sdma->bus.ctx, s->offset);
	if (value == s->seen && !s->fresh)
		return;
	vgpu_lock(&sdma->lock, flags);
	if (q->enabled && q->epoch == s->epoch)
		take_doorbell_locked(sdma, q, value);
	vgpu_unlock(&sdma->lock, flags);
}

/**
 * vgpu_sdma_look() - look at the slot of one queue
 * @sdma: instance
 * @queue: which
 *
 * Context: any.
 */
void vgpu_sdma_look(struct vgpu_sdma *sdma, unsigned int queue)
{
	struct vgpu_sdma_queue *q = &sdma->queue[queue];
	unsigned long flags;
	struct slot slot;

	vgpu_lock(&sdma->lock, flags);
	load_slot_locked(sdma, q, &slot);
	vgpu_unlock(&sdma->lock, flags);
	take_slot(sdma, q, &slot);
}

/**
 * vgpu_sdma_scan_doorbells() - look at the slots of all queues
 * @sdma: instance
 *
 * Context: the engine's thread.
 * Return: false if the instance may not run at all now; the slots wait then.
 */
bool vgpu_sdma_scan_doorbells(struct vgpu_sdma *sdma)
{
	struct slot slot[VGPU_SDMA_QUEUES];
	unsigned int i, queues = sdma->queues;
	unsigned long flags;
	bool may, look;

	vgpu_lock(&sdma->lock, flags);
	may = vgpu_sdma_may_step_locked(sdma);
	/* Doorbells are no business of the processor that hangs. */
	look = may || sdma->hung;
	for (i = 0; i < queues; i++)
		load_slot_locked(sdma, &sdma->queue[i], &slot[i]);
	vgpu_unlock(&sdma->lock, flags);
	for (i = 0; look && i < queues; i++)
		take_slot(sdma, &sdma->queue[i], &slot[i]);
	return may;
}

/* Taking a queue and giving it back */

static void load_turn_locked(struct vgpu_sdma *sdma, struct vgpu_sdma_queue *q, struct turn *t)
{
	u32 cntl = *vgpu_sdma_qreg(q, SDMA4_Q_RB_CNTL);

	vgpu_assert_locked(&sdma->lock);
	t->epoch = q->epoch;
	t->drain = q->drain;
	t->ring.base = q->base;
	t->ring.mask = q->size - 1;
	t->size = q->size;
	t->vmid = q->vmid;
	t->rptr = q->rptr;
	t->wptr = q->wptr;
	t->has_writeback = cntl & SDMA4_Q_RB_CNTL__RPTR_WRITEBACK_ENABLE;
	t->writeback = (*vgpu_sdma_qreg(q, SDMA4_Q_RB_RPTR_ADDR_LO) & ~3u) |
		       (u64)*vgpu_sdma_qreg(q, SDMA4_Q_RB_RPTR_ADDR_HI) << 32;
	t->ib_enabled = vgpu_sdma_is_user(t->queue) ||
			(*vgpu_sdma_qreg(q, SDMA4_Q_IB_CNTL) & SDMA4_Q_IB_CNTL__IB_ENABLE);
	t->env.local_time = sdma->local_time;
	t->env.traps = *vgpu_sdma_reg(sdma, SDMA4_CNTL) & SDMA4_CNTL__TRAP_ENABLE;
}

static bool has_work_locked(struct vgpu_sdma *sdma, unsigned int queue)
{
	struct vgpu_sdma_queue *q = &sdma->queue[queue];

	vgpu_assert_locked(&sdma->lock);
	if (q->rptr == q->wptr || q->held)
		q->drain = 0;
	return q->rptr != q->wptr && (q->drain || vgpu_sdma_queue_runs_locked(sdma, queue));
}

/* Take the first queue from @order[@from] on that has work; returns its place in @order. */
static unsigned int begin_turn(struct vgpu_sdma *sdma, const u8 order[VGPU_SDMA_QUEUES],
			       unsigned int from, struct turn *t)
{
	unsigned long flags;
	unsigned int i;

	vgpu_lock(&sdma->lock, flags);
	for (i = from; i < sdma->queues; i++) {
		if (!has_work_locked(sdma, order[i]))
			continue;
		t->queue = order[i];
		sdma->active = order[i];
		load_turn_locked(sdma, &sdma->queue[order[i]], t);
		break;
	}
	vgpu_unlock(&sdma->lock, flags);
	return i;
}

static void add_counts(struct vgpu_exec_counts *sum, const struct vgpu_exec_counts *more)
{
	sum->packets += more->packets;
	sum->copied += more->copied;
	sum->filled += more->filled;
	sum->written += more->written;
	sum->fences += more->fences;
	sum->traps += more->traps;
	sum->atomics += more->atomics;
}

static const char *halt_reason(const struct turn *t, enum vgpu_exec result)
{
	switch (result) {
	case VGPU_EXEC_FAULT:
		return "VM fault";
	case VGPU_EXEC_ILLEGAL:
	case VGPU_EXEC_PROTECTED:
		return t->env.why;
	case VGPU_EXEC_TIMEOUT:
		return "poll timed out";
	default:
		return NULL;
	}
}

/* Does a queue that is disabled go on with its packet?  That it has ended the next turn finds. */
static void drain_on_locked(struct vgpu_sdma *sdma, struct vgpu_sdma_queue *q, bool worked)
{
	vgpu_assert_locked(&sdma->lock);
	if (!q->drain)
		return;
	if (!worked || q->why)
		q->drain = 0;
	else
		q->drain--;
}

/* The result; where there is something to report the thread stays on the queue. */
static void end_turn(struct vgpu_sdma *sdma, const struct turn *t, enum vgpu_exec result,
		     u32 header, bool worked, bool stay)
{
	struct vgpu_sdma_queue *q = &sdma->queue[t->queue];
	unsigned long flags;

	vgpu_lock(&sdma->lock, flags);
	if (worked && sdma->step_mode && sdma->steps)
		sdma->steps--;
	/* Else it was set up anew or reset meanwhile, and this is about the past. */
	if (q->epoch == t->epoch) {
		q->rptr = t->rptr;
		q->blocked = q->enabled && result == VGPU_EXEC_BLOCKED;
		sdma->local_time = t->env.local_time;
		add_counts(&q->counts, &t->env.counts);
		q->turns += worked || result == VGPU_EXEC_BLOCKED;
		q->bytes += t->env.counts.copied + t->env.counts.filled + t->env.counts.written;
		q->why = halt_reason(t, result);
		q->why_arg = result == VGPU_EXEC_FAULT ? t->env.fault : header;
		drain_on_locked(sdma, q, worked);
	}
	if (!stay)
		sdma->active = VGPU_SDMA_NONE;
	vgpu_unlock(&sdma->lock, flags);
}

static void report(struct turn *t, enum vgpu_exec result, u32 header)
{
	if (result == VGPU_EXEC_ILLEGAL)
		vgpu_exec_interrupt(&t->env, VGPU_SOURCE_ILLEGAL, header);
	else if (result == VGPU_EXEC_PROTECTED)
		vgpu_exec_interrupt(&t->env, VGPU_SOURCE_SRBM_WRITE, header);
	else if (result == VGPU_EXEC_TIMEOUT)
		vgpu_exec_interrupt(&t->env, VGPU_SOURCE_POLL_TIMEOUT, header);
	else if (result == VGPU_EXEC_FAULT && t->fault.client)
		t->env.bus->irq(t->env.bus->ctx, &t->fault);
}

/* The thread stays on the queue until the instance is halted or reset. */
static void hang(struct vgpu_sdma *sdma, const struct turn *t)
{
	struct vgpu_sdma_queue *q = &sdma->queue[t->queue];
	unsigned long flags;

	vgpu_lock(&sdma->lock, flags);
	/* Not what was set up anew meanwhile. */
	sdma->hung = (q->enabled || q->drain) && q->epoch == t->epoch;
	if (!sdma->hung)
		sdma->active = VGPU_SDMA_NONE;
	vgpu_unlock(&sdma->lock, flags);
}

static void leave_queue(struct vgpu_sdma *sdma)
{
	unsigned long flags;

	vgpu_lock(&sdma->lock, flags);
	sdma->active = VGPU_SDMA_NONE;
	vgpu_unlock(&sdma->lock, flags);
}

/* Disabled, and no packet in hand: there is nothing to finish. */
static void end_drain(struct vgpu_sdma *sdma, unsigned int queue)
{
	unsigned long flags;

	vgpu_lock(&sdma->lock, flags);
	sdma->queue[queue].drain = 0;
	sdma->active = VGPU_SDMA_NONE;
	vgpu_unlock(&sdma->lock, flags);
}

/* The packet at hand */

static enum vgpu_exec refuse(struct turn *t, const char *why)
{
	t->env.why = why;
	return VGPU_EXEC_ILLEGAL;
}

/* Too little is there: more may be rung, but a buffer has an end. */
static enum vgpu_exec too_short(struct turn *t, const struct vgpu_sdma_progress *x, u64 dwords)
{
	if (x->in_ib)
		return refuse(t, "packet beyond the end of its buffer");
	if (dwords * 4 > t->size)
		return refuse(t, "packet longer than the ring");
	return VGPU_EXEC_BLOCKED;
}

/* Failure switches, of queues */

static bool fails(const struct turn *t, enum vgpu_failure which, u64 *value)
{
	return vgpu_fails(t->sdma->bus.failures, which, t->sdma->instance, t->queue,
			  VGPU_FAILURE_ANY, value);
}

static bool is_copy(enum vgpu_packet_kind kind)
{
	return kind == VGPU_PACKET_COPY || kind == VGPU_PACKET_COPY_RECT ||
	       kind == VGPU_PACKET_COPY_BROADCAST;
}

/* A packet begins. */
static enum vgpu_exec fail_packet(struct turn *t, struct vgpu_sdma_progress *x, u64 va)
{
	x->looks = 0;
	t->hangs = fails(t, VGPU_FAIL_HANG, NULL);
	if (t->hangs)
		return VGPU_EXEC_BLOCKED;
	if (fails(t, VGPU_FAIL_VM_FAULT, NULL)) {
		t->env.access.write = false;
		t->env.fault = va;
		vgpu_gmc_fail(t->env.gmc, &t->env.access, va);
		return VGPU_EXEC_FAULT;
	}
	if (is_copy(x->packet.kind))
		fails(t, VGPU_FAIL_COPY_SLOW, &x->looks);
	return VGPU_EXEC_DONE;
}

/* DONE: decoded; BLOCKED: not all of it there. */
static enum vgpu_exec fetch_packet(struct turn *t, struct vgpu_sdma_progress *x,
				   const struct vgpu_stream *stream, u64 pos, u64 end, u32 *words)
{
	u64 dwords = (end - pos) / 4;
	unsigned int fixed;

	if (!vgpu_exec_fetch(&t->env, stream, pos, words, 1))
		return VGPU_EXEC_FAULT;
	fixed = vgpu_packet_fixed(words[0], &t->env.why);
	if (!fixed)
		return VGPU_EXEC_ILLEGAL;
	if (fixed > dwords)
		return too_short(t, x, fixed);
	if (!vgpu_exec_fetch(&t->env, stream, pos + 4, words + 1, fixed - 1))
		return VGPU_EXEC_FAULT;
	if (vgpu_packet_decode(words, &x->packet, &t->env.why))
		return VGPU_EXEC_ILLEGAL;
	if (x->packet.dwords + x->packet.guarded > dwords)
		return too_short(t, x, x->packet.dwords + x->packet.guarded);
	memset(&x->cursor, 0, sizeof(x->cursor));
	x->begun = true;
	trace_vgpu_packet_start(t->sdma, t->queue, t->env.access.vmid, &x->packet, x->in_ib, pos);
	return fail_packet(t, x, stream->base + (pos & stream->mask));
}

/* MORE: packets come from the buffer from now on. */
static enum vgpu_exec enter_ib(struct turn *t, struct vgpu_sdma_progress *x)
{
	const struct vgpu_packet *p = &x->packet;

	if (x->in_ib)
		return refuse(t, "indirect buffer inside of another");
	if (!t->ib_enabled)
		return refuse(t, "indirect buffers are off");
	if (vgpu_sdma_is_user(t->queue) && p->indirect.vmid != t->vmid)
		return refuse(t, "indirect buffer of another VMID");
	if ((t->rptr + INDIRECT_BYTES) % INDIRECT_ALIGN)
		return refuse(t, "indirect packet not at the end of 8 dwords");
	if (!p->indirect.dwords)
		return VGPU_EXEC_DONE;
	x->in_ib = true;
	x->ib.base = p->indirect.base;
	x->ib.mask = ~0ULL;
	x->ib_vmid = p->indirect.vmid;
	x->ib_pos = 0;
	x->ib_end = (u64)p->indirect.dwords * 4;
	return VGPU_EXEC_MORE;
}

static void use_vmid(struct turn *t, const struct vgpu_sdma_progress *x)
{
	t->env.access.vmid = x->in_ib ? x->ib_vmid : t->vmid;
	t->env.privileged = !vgpu_sdma_is_user(t->queue) && !t->env.access.vmid;
}

static void trace_end(const struct turn *t, const struct vgpu_sdma_progress *x,
		      enum vgpu_packet_kind kind, enum vgpu_exec result)
{
	trace_vgpu_packet_end(t->sdma, t->queue, t->env.access.vmid, kind, x->in_ib, result);
}

static enum vgpu_exec advance_ring(struct turn *t, struct vgpu_sdma_progress *x, u64 bytes)
{
	t->rptr += bytes;
	use_vmid(t, x);
	trace_vgpu_rptr(t->sdma, t->queue, t->vmid, t->rptr);
	/* The packet is done and would not be found again. */
	t->env.access.later = NULL;
	if (!t->has_writeback || fails(t, VGPU_FAIL_RPTR_STALE, NULL))
		return VGPU_EXEC_DONE;
	if (!vgpu_exec_store64(&t->env, t->writeback, t->rptr))
		return VGPU_EXEC_FAULT;
	trace_vgpu_writeback(t->sdma, t->queue, t->vmid, t->rptr);
	return VGPU_EXEC_DONE;
}

static enum vgpu_exec finish_packet(struct turn *t, struct vgpu_sdma_progress *x)
{
	u64 bytes = (u64)(x->packet.dwords + x->cursor.skip) * 4;

	x->begun = false;
	t->env.counts.packets++;
	trace_end(t, x, x->packet.kind, VGPU_EXEC_DONE);
	if (!x->in_ib)
		return advance_ring(t, x, bytes);
	x->ib_pos += bytes;
	if (x->ib_pos < x->ib_end)
		return VGPU_EXEC_DONE;
	x->in_ib = false;
	t->env.counts.packets++;
	trace_vgpu_packet_end(t->sdma, t->queue, t->vmid, VGPU_PACKET_INDIRECT, false,
			      VGPU_EXEC_DONE);
	return advance_ring(t, x, INDIRECT_BYTES);
}

static enum vgpu_exec run_packet(struct turn *t, struct vgpu_sdma_progress *x, u32 *words,
				 bool *waiting)
{
	const struct vgpu_stream *stream = x->in_ib ? &x->ib : &t->ring;
	u64 pos = x->in_ib ? x->ib_pos : t->rptr;
	enum vgpu_exec result = VGPU_EXEC_DONE;

	use_vmid(t, x);
	if (!x->begun)
		result = fetch_packet(t, x, stream, pos, x->in_ib ? x->ib_end : t->wptr, words);
	if (result == VGPU_EXEC_BLOCKED)
		*waiting = true;
	if (result != VGPU_EXEC_DONE)
		return result;
	if (x->looks) {
		x->looks--;
		return VGPU_EXEC_BLOCKED;
	}
	words[0] = x->packet.header;
	if (x->packet.kind == VGPU_PACKET_INDIRECT) {
		result = enter_ib(t, x);
		x->begun = result == VGPU_EXEC_ILLEGAL;
	} else {
		result = vgpu_exec_packet(&t->env, &x->packet, stream,
					  pos + x->packet.fixed * 4, &x->cursor);
	}
	return result == VGPU_EXEC_DONE ? finish_packet(t, x) : result;
}

/* Ring byte of interrupt entries. */
static u8 iv_ring(const struct vgpu_profile *profile, unsigned int queue)
{
	if (vgpu_sdma_is_user(queue))
		return profile->iv_rlc0 + (queue - VGPU_SDMA_RLC0);
	return queue == VGPU_SDMA_PAGE ? profile->iv_page : 0;
}

static void init_env(struct vgpu_sdma *sdma, struct turn *t)
{
	struct vgpu_exec_env *env = &t->env;

	t->sdma = sdma;
	env->bus = &sdma->bus;
	env->gmc = sdma->gmc;
	env->tlb = &sdma->tlb;
	env->window = sdma->window;
	sdma->window[0].count = 0;
	sdma->window[1].count = 0;
	env->access.cid_read = sdma->spec->cid_read;
	env->access.cid_write = sdma->spec->cid_write;
	env->access.fault = &t->fault;
	env->access.later = vgpu_sdma_is_user(t->queue) ? &t->later : NULL;
	env->client = sdma->spec->client;
	env->ring = iv_ring(sdma->profile, t->queue);
}

/**
 * vgpu_sdma_run_next() - give the turn to the next queue that has work
 * @sdma: instance
 * @order: all queues in the order of their turns
 * @place: in: where in @order to begin to look; out: whose turn it was, or
 *	the number of queues if none has work
 *
 * Context: the engine's thread.
 * Return: whether it worked.
 */
enum vgpu_sdma_turn vgpu_sdma_run_next(struct vgpu_sdma *sdma, const u8 order[VGPU_SDMA_QUEUES],
				       unsigned int *place)
{
	u32 words[VGPU_PACKET_MAX_FIXED] = {};
	struct vgpu_sdma_progress *x;
	bool waiting = false, worked, halted;
	enum vgpu_exec result;
	struct turn t = {};

	*place = begin_turn(sdma, order, *place, &t);
	if (*place == sdma->queues)
		return VGPU_SDMA_TURN_NOTHING;
	init_env(sdma, &t);
	x = &sdma->queue[t.queue].progress;
	if (x->epoch != t.epoch) {
		memset(x, 0, sizeof(*x));
		x->epoch = t.epoch;
	}
	if (t.drain && !x->begun && !x->in_ib) {
		end_drain(sdma, t.queue);
		return VGPU_SDMA_TURN_NOTHING;
	}
	vgpu_tlb_enter(&sdma->tlb);
	result = run_packet(&t, x, words, &waiting);
	vgpu_tlb_leave(&sdma->tlb);
	if (t.hangs) {
		hang(sdma, &t);
		return VGPU_SDMA_TURN_NOTHING;
	}
	if (result == VGPU_EXEC_FAULT && t.later)
		result = VGPU_EXEC_BLOCKED;
	halted = halt_reason(&t, result);
	if (x->begun && halted)
		trace_end(&t, x, x->packet.kind, result);
	worked = !waiting && result != VGPU_EXEC_BLOCKED;
	end_turn(sdma, &t, waiting ? VGPU_EXEC_MORE : result, words[0], worked, halted);
	if (halted) {
		report(&t, result, words[0]);
		leave_queue(sdma);
	}
	if (worked)
		return VGPU_SDMA_TURN_WORKED;
	return waiting ? VGPU_SDMA_TURN_NOTHING : VGPU_SDMA_TURN_BLOCKED;
}
