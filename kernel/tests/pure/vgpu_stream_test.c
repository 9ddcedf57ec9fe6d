// SPDX-License-Identifier: GPL-2.0-only
/* pure: kernel/vgpu/vgpu_profile.c */
/* pure: kernel/vgpu/vgpu_mmu.c kernel/vgpu/vgpu_tlb.c kernel/vgpu/vgpu_gmc.c */
/* pure: kernel/vgpu/vgpu_sdma.c kernel/vgpu/vgpu_sdma_regs.c kernel/vgpu/vgpu_sdma_queue.c */
/* pure: kernel/vgpu/vgpu_failure.c */
/* pure: kernel/vgpu/vgpu_sdma_exec.c kernel/vgpu/vgpu_sdma_packet.c kernel/vgpu/vgpu_sdma_copy.c */
/* pure: kernel/vgpu/vgpu_sdma_broadcast.c kernel/vgpu/vgpu_sdma_condition.c */
/* pure: kernel/vgpu/vgpu_sdma_semaphore.c kernel/vgpu/vgpu_sdma_time.c */
/**
 * DOC: random streams of packets, on the model and on a slow reference
 *
 *	vgpu_stream [PACKETS [SEED]]
 *
 * Every kind of packet that runs, in rings and indirect buffers, guarded or not, of random
 * fields; rung in two parts that may cut a packet.  The words go to the model and, one
 * packet after the other, to sdma_reference.h.  Whenever a ring has been filled and has run
 * dry both memories are compared, byte by byte, with the traps and the number of packets.
 *
 * A user queue has its two areas, system memory and VRAM, on pages in disorder; a kernel
 * ring has them in one piece, and may set time and registers.  Proves S0.94, S0.95,
 * S0.105 and B052.
 */
#include "sdma_reference.h"
#include "vgpu_ring.h"

#define PACKETS		1000000
#define AREA		(32u * 4096)	/* bytes of each of the two areas */
#define SPREAD		2		/* pages between those of an area */
#define AREA_VA(i)	(0x500000000000ULL + (u64)(i) * 0x10000000)
#define VRAM_AT		(1u * MIB)
#define IBS		0x200000	/* indirect buffers in system memory */
#define IBS_BYTES	0x40000
#define ITEM		1280		/* dwords of the longest item of a stream */
#define RING_BYTES	16384
#define TRAPS		60		/* most of a round, so that the log holds them */

enum item {
	K_NOP, K_COPY, K_BROADCAST, K_WINDOW, K_WRITE, K_FENCE, K_TRAP, K_SIGNAL, K_WAIT, K_INCR,
	K_POLL, K_HDP, K_ATOMIC, K_LOOP, K_FILL, K_ENTRIES, K_TIME, K_TIME_LOCAL, K_USER,
	/* on kernel rings only */
	K_TIME_SET = K_USER, K_REGISTER, K_KERNEL,
	/* what others are put into */
	K_GUARD = K_KERNEL, K_INDIRECT, K_ALL,
};

/**
 * struct stream - one ring's
 * @r: ring
 * @m: reference
 * @kernel: it is a kernel ring
 * @page: where page i of each area lies in the platform's memory
 * @seed: of the next random number
 * @ib: bytes of indirect buffers in this round
 * @traps: raised before this round
 * @count: items by kind
 */
struct stream {
	struct ring r;
	struct ref m;
	bool kernel;
	u8 *page[2][AREA / 4096];
	u64 seed;
	u32 ib;
	unsigned int traps;
	unsigned long count[K_ALL];
};

static u32 below(struct stream *s, u32 n)
{
	return (fake_random(&s->seed) >> 20) % n;
}

static u32 bits(struct stream *s)
{
	return fake_random(&s->seed) >> 16;
}

/* Small most of the time; now and then beyond a page, seldom beyond a chunk. */
static u32 some_bytes(struct stream *s)
{
	u32 r = below(s, 4096);

	if (!r)
		return 65536 + below(s, 20000);
	return 1 + below(s, r < 40 ? 9000 : r < 2048 ? 40 : 600);
}

/* Room for @bytes somewhere, a multiple of @align. */
static u64 somewhere(struct stream *s, u32 bytes, u32 align)
{
	u64 at = below(s, AREA - bytes + 1) / align * align;

	return s->m.base[below(s, 2)] + at;
}

/* Likewise, apart from @bytes at @taken. */
static u64 elsewhere(struct stream *s, u32 bytes, u64 taken)
{
	u64 at;

	do {
		at = somewhere(s, bytes, 1);
	} while (at - taken < bytes || taken - at < bytes);
	return at;
}

#define WORDS(w, ...) ({						\
	const u32 words_[] = { __VA_ARGS__ };				\
	memcpy(w, words_, sizeof(words_));				\
	(u32)ARRAY_SIZE(words_);					\
})

static u32 put_nop(struct stream *s, u32 *w)
{
	u32 i, skip = below(s, 8) ? 0 : below(s, 30);

	w[0] = skip << 16;
	for (i = 0; i < skip; i++)
		w[1 + i] = bits(s);
	return 1 + skip;
}

/* May overlap in the direction that works: downwards. */
static u32 put_copy(struct stream *s, u32 *w)
{
	u32 n = some_bytes(s);
	u64 a = somewhere(s, n, 1), b = somewhere(s, n, 1);

	return WORDS(w, COPY(max(a, b), min(a, b), n));
}

static u32 put_broadcast(struct stream *s, u32 *w)
{
	u32 n = min(some_bytes(s), 20000u);
	u64 src = somewhere(s, n, 1), a = elsewhere(s, n, src), b = elsewhere(s, n, src);

	return WORDS(w, 0x08000001, n - 1, 0, ADDR(src), ADDR(a), ADDR(b));
}

/* Words of a window with room for the box; @base is that of its area. */
static u32 put_side(struct stream *s, u32 *w, u64 base, u32 shift, u32 width, u32 height)
{
	u32 x = below(s, 9), y = below(s, 3), pitch = x + width + below(s, 9);
	u32 slice = pitch * (y + height) + below(s, 9);

	base += below(s, AREA - 30000) & ~3u;
	assert((u64)slice * 5 << shift <= 30000);
	return WORDS(w, ADDR(base), y << 16 | x, (pitch - 1) << 13 | below(s, 2), slice - 1);
}

static u32 put_window(struct stream *s, u32 *w)
{
	u32 shift = below(s, 5), width = 1 + below(s, 24), height = 1 + below(s, 6);
	u32 depth = 1 + below(s, 3), from = below(s, 2);

	w[0] = 0x00000401 | shift << 29;
	put_side(s, w + 1, s->m.base[from], shift, width, height);
	put_side(s, w + 6, s->m.base[!from], shift, width, height);
	w[11] = (height - 1) << 16 | (width - 1);
	w[12] = depth - 1;
	return 13;
}

static u32 put_write(struct stream *s, u32 *w)
{
	u32 i, n = 1 + below(s, below(s, 50) ? 12 : 300);
	u64 dst = somewhere(s, 4 * n, below(s, 4) ? 4 : 1);

	WORDS(w, 0x00000002, ADDR(dst), n - 1);
	for (i = 0; i < n; i++)
		w[4 + i] = bits(s);
	return 4 + n;
}

static u32 put_poll(struct stream *s, u32 *w)
{
	u64 addr = somewhere(s, 4, 4);
	u32 mask = below(s, 2) ? ~0u : bits(s), func = below(s, 7);
	u32 value = ref_get(&s->m, addr, 4) & mask, n;

	/* A reference that holds: the value, or a neighbour of it, or any function but that. */
	value += func == 1 || func == 4;
	value -= func == 6;
	n = WORDS(w, 0x80000008 | func << 28, ADDR(addr), value, mask, 0x0fff0004);
	if (!ref_holds(&s->m, w))
		w[0] &= ~0x70000000u;
	return n;
}

/* A wait for more than there is gets a signal first. */
static u32 put_wait(struct stream *s, u32 *w)
{
	u64 addr = somewhere(s, 8, 8);

	if (ref_get(&s->m, addr, 8))
		return WORDS(w, 0x00000007, ADDR(addr));
	return WORDS(w, 0x40000007, ADDR(addr));
}

static u32 put_atomic(struct stream *s, u32 *w, bool loop)
{
	static const u8 ops[] = { 7, 8, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25 };
	u32 wide = below(s, 2) << 5, op = loop ? 8 : ops[below(s, ARRAY_SIZE(ops))];
	u64 addr = somewhere(s, 8, wide ? 8 : 4), old = ref_get(&s->m, addr, wide ? 8 : 4);
	u64 src = below(s, 3) ? bits(s) | (u64)bits(s) << 32 : old + below(s, 3) - 1;
	u64 cmp = loop || below(s, 2) ? old : bits(s);

	if (!wide)
		cmp |= (u64)bits(s) << 32;
	return WORDS(w, 0xa | (op | wide | below(s, 2) << 6) << 25 | loop << 16, ADDR(addr),
		     ADDR(src), ADDR(cmp), 0);
}

static u32 put_fill(struct stream *s, u32 *w)
{
	u32 size = below(s, 3), n = some_bytes(s), whole = ((n - 1) >> size << size) + (1 << size);
	u64 dst = somewhere(s, whole, 1);

	return WORDS(w, 0xb | size << 30, ADDR(dst), bits(s), n - 1);
}

static u32 put_entries(struct stream *s, u32 *w)
{
	u32 n = 1 + below(s, below(s, 500) ? 20 : 9000);
	u64 dst = somewhere(s, n * 8, 8);

	return WORDS(w, 0xc, ADDR(dst), bits(s), bits(s), bits(s), bits(s), bits(s),
		     below(s, 2) ? bits(s) : 0, n - 1);
}

static u32 put_fields(struct stream *s, enum item kind, u32 *w)
{
	u64 cell = somewhere(s, 8, 8);

	switch (kind) {
	case K_COPY:
		return put_copy(s, w);
	case K_BROADCAST:
		return put_broadcast(s, w);
	case K_WINDOW:
		return put_window(s, w);
	case K_WRITE:
		return put_write(s, w);
	case K_FENCE:
		return WORDS(w, FENCE(cell, bits(s)));
	case K_TRAP:
		if (s->m.traps - s->traps < TRAPS)
			return WORDS(w, TRAP(bits(s)));
		return put_nop(s, w);
	case K_SIGNAL:
		return WORDS(w, 0x40000007 | below(s, 2) << 29, ADDR(cell));
	case K_WAIT:
		return put_wait(s, w);
	case K_INCR:
		return WORDS(w, 0x00000107, ADDR(cell));
	case K_POLL:
		return put_poll(s, w);
	case K_HDP:
		return WORDS(w, FLUSH_HDP);
	case K_ATOMIC:
	case K_LOOP:
		return put_atomic(s, w, kind == K_LOOP);
	case K_FILL:
		return put_fill(s, w);
	case K_ENTRIES:
		return put_entries(s, w);
	case K_TIME:
	case K_TIME_LOCAL:
		return WORDS(w, kind == K_TIME ? 0x20d : 0x10d, ADDR(cell));
	case K_TIME_SET:
		return WORDS(w, 0xd, bits(s), bits(s));
	case K_REGISTER:
		return WORDS(w, WREG(MMHUB1_VM_L2_PROTECTION_FAULT_DEFAULT_ADDR_LO32, bits(s)));
	default:
		return put_nop(s, w);
	}
}

/* A packet into @w; the reference runs it at once unless it will be passed over. */
static u32 put_packet(struct stream *s, u32 *w, bool runs)
{
	enum item kind = below(s, s->kernel ? K_KERNEL : K_USER);
	u32 n = put_fields(s, kind, w);

	assert(n <= ITEM / 4);
	s->count[kind]++;
	if (runs)
		ref_run(&s->m, w);
	return n;
}

/* A condition, on memory that was just made 0 half of the time, and what it guards. */
static u32 put_guard(struct stream *s, u32 *w)
{
	u64 addr = somewhere(s, 4, 4);
	u32 n = 0, i, *cond;
	bool runs;

	if (below(s, 2)) {
		n = WORDS(w, FENCE(addr, 0));
		ref_run(&s->m, w);
	}
	cond = w + n;
	n += WORDS(cond, 0x00000009, ADDR(addr), 1, 0);
	runs = ref_condition(&s->m, cond);
	ref_run(&s->m, cond);
	s->count[K_GUARD]++;
	for (i = below(s, 4); i; i--) {
		u32 more = put_packet(s, w + n, runs);

		n += more;
		cond[4] += more;
	}
	return n;
}

static u32 put_item(struct stream *s, u32 *w)
{
	return below(s, 12) ? put_packet(s, w, true) : put_guard(s, w);
}

/* An indirect buffer, and the packet that runs it at its place in the ring. */
static void put_indirect(struct stream *s)
{
	u32 *w = (u32 *)(s->r.f->sys + IBS + s->ib), n = 0, i;
	u64 va = s->r.view + IBS + s->ib;

	for (i = below(s, 8); i; i--)
		n += put_item(s, w + n);
	while ((s->r.wptr + 24) % 32) {
		PUT(&s->r, 0);
		s->m.packets++;
	}
	PUT(&s->r, INDIRECT(s->r.vmid, va, n));
	s->m.packets++;
	s->count[K_INDIRECT]++;
	s->ib += (n * 4 + 31) & ~31u;
	assert(s->ib < IBS_BYTES);
}

static void put_any(struct stream *s)
{
	u32 w[ITEM];

	if (below(s, 16))
		put(&s->r, w, put_item(s, w));
	else
		put_indirect(s);
}

/* Rung up to a place that may lie inside of a packet, then to the end. */
static void run_round(struct stream *s)
{
	u64 first = s->r.wptr;
	struct fake *f = s->r.f;

	s->ib = 0;
	s->traps = s->m.traps;
	f->clock = fake_random(&s->seed);
	s->m.clock = f->clock;
	while (s->r.wptr - first + ITEM * 4 + 64 <= s->r.size)
		put_any(s);
	f->doorbell[s->r.doorbell / 8] = first + below(s, (s->r.wptr - first) / 4) * 4;
	run(f, 0);
	kick(&s->r);
}

static bool same_memory(struct stream *s)
{
	unsigned int area, at;

	for (area = 0; area < 2; area++) {
		for (at = 0; at < AREA; at += 4096)
			if (memcmp(s->page[area][at / 4096], s->m.mem[area] + at, 4096))
				break;
		if (at == AREA)
			continue;
		while (s->page[area][at / 4096][at % 4096] == s->m.mem[area][at])
			at++;
		printf("# area %u differs from byte 0x%x on: 0x%02x, not 0x%02x\n", area, at,
		       s->page[area][at / 4096][at % 4096], s->m.mem[area][at]);
		return false;
	}
	return true;
}

static bool same_traps(struct stream *s)
{
	unsigned int i;

	if (!PURE_EQ(s->r.f->irqs, s->m.traps))
		return false;
	for (i = s->traps; i < s->m.traps; i++)
		if (!PURE_EQ(s->r.f->iv[i % FAKE_IRQS].ctx[0], s->m.context[i % REF_TRAPS]))
			return false;
	return true;
}

static bool same(struct stream *s)
{
	struct vgpu_sdma_queue_info i = info(&s->r);

	if (!state_is(&s->r, "idle")) {
		printf("# %s, at %llu of %llu\n", i.state, (unsigned long long)i.rptr,
		       (unsigned long long)s->r.wptr);
		return false;
	}
	return PURE_EQ(i.rptr, s->r.wptr) && PURE_EQ(rptr_cell(&s->r), s->r.wptr) &&
	       PURE_EQ(i.packets, s->m.packets) && same_traps(s) && same_memory(s) &&
	       (!s->m.reg[0] || PURE_EQ(fake_reg_read(s->r.f, s->m.reg[0]), s->m.reg[1]));
}

/* Pages @SPREAD apart, in disorder. */
static void map_area(struct stream *s, unsigned int area)
{
	unsigned int order[AREA / 4096], i, n = AREA / 4096;
	struct fake *f = s->r.f;

	for (i = 0; i < n; i++)
		order[i] = i;
	for (i = 0; i < n; i++) {
		unsigned int other = i + below(s, n - i), chosen = order[other];
		u64 at = chosen * 4096ULL * SPREAD;

		order[other] = order[i];
		s->page[area][i] = area ? f->vram + VRAM_AT + at : f->sys + DATA + at;
		fake_map(f, 8, AREA_VA(area) + i * 4096,
			 area ? VRAM_AT + at : FAKE_SYS_BASE + DATA + at,
			 area ? PTE_RW : PTE_RW | PTE_SYSTEM);
	}
	s->m.base[area] = AREA_VA(area);
}

static void place_area(struct stream *s, unsigned int area)
{
	struct fake *f = s->r.f;
	unsigned int i;

	for (i = 0; i < AREA / 4096; i++)
		s->page[area][i] = (area ? f->vram + VRAM_AT : f->sys + DATA) + i * 4096;
	s->m.base[area] = area ? VRAM_MC + VRAM_AT : FAKE_GART + DATA;
}

static void start_stream(struct stream *s, bool kernel, u64 seed)
{
	struct fake *f = start();
	unsigned int area, i;

	s->seed = seed;
	s->kernel = kernel;
	s->r = ring_at(f, 0, kernel ? VGPU_SDMA_GFX : VGPU_SDMA_RLC0, kernel ? 0 : 8, RING_BYTES);
	s->m.size = AREA;
	for (area = 0; area < 2; area++) {
		if (kernel)
			place_area(s, area);
		else
			map_area(s, area);
		s->m.mem[area] = malloc(AREA);
		scribble(s->m.mem[area], AREA, seed + area);
		for (i = 0; i < AREA; i++)
			s->page[area][i / 4096][i % 4096] = s->m.mem[area][i];
	}
}

/* What lies between the pages of a user queue's areas was never touched. */
static bool gaps_are_clean(struct stream *s)
{
	unsigned int area, i, at, bad = 0;

	for (area = 0; area < 2; area++)
		for (i = 0; i < AREA / 4096; i++)
			for (at = 4096; at < 4096 * SPREAD; at++)
				bad += s->page[area][i][at];
	return !bad;
}

static void end_stream(struct stream *s)
{
	fake_destroy(s->r.f);
	free(s->m.mem[0]);
	free(s->m.mem[1]);
}

static void test_stream(bool kernel, u64 packets, u64 seed)
{
	const char *what = kernel ? "kernel ring" : "user queue";
	struct stream s = {};
	unsigned int i, round = 0, missing = 0;
	bool right = true;

	start_stream(&s, kernel, seed);
	while (right && s.m.packets < packets) {
		run_round(&s);
		right = same(&s);
		round++;
	}
	if (!right)
		printf("# in round %u\n", round);
	ok(right, "%llu packets of a %s leave memory as the reference has it, seed 0x%llx (S0.105)",
	   (unsigned long long)s.m.packets, what, (unsigned long long)seed);
	for (i = 0; i < K_ALL; i++)
		missing += !s.count[i] && (kernel || i < K_USER || i >= K_KERNEL);
	ok(!missing || packets < 10000, "with every kind of packet that runs on a %s", what);
	if (!kernel)
		ok(gaps_are_clean(&s), "and nothing beside");
	end_stream(&s);
}

int main(int argc, char **argv)
{
	u64 packets = argc > 1 ? strtoull(argv[1], NULL, 0) : PACKETS;
	u64 seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 0x5d3a;

	/* The generator stands still at 0. */
	seed += !seed;
	test_stream(false, packets - packets / 4, seed);
	test_stream(true, packets / 4, seed);
	return pure_done();
}
