// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* pure: kernel/sdma/sdma_emit.c */
/**
 * DOC: ring arithmetic over wrap, full, empty and 64-bit counters
 *
 * Beside single cases, a small ring with a guard behind it is written and consumed
 * as driver and engine would do it, and each dword is checked.  Proves S0.94,
 * S0.95, S0.96 (arithmetic), B050 (sizes) and B058.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/sdma/sdma_emit.h"
#include "kernel/sdma/sdma_ring_math.h"
#include "pure_test.h"

#define SIZE		64U
#define CAPACITY	(SIZE - 8)
#define GUARD		32
#define CANARY		0xa5a5a5a5
#define PACKET		0x50000000

static void test_space(void)
{
	static const u64 bases[] = {
		0, 8, SIZE - 8, SIZE, 0xffffffc0ULL, 0xfffffff8ULL, 0x100000000ULL,
		0x7ffffffffffffff8ULL, 0xfffffffffffffff8ULL, 0xffffffffffffffc0ULL,
	};
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(bases); i++) {
		u64 rptr = bases[i];
		bool good = true;

		for (n = 0; n <= CAPACITY; n++) {
			good &= sdma_ring_used(SIZE, rptr + n, rptr) == n;
			good &= sdma_ring_space(SIZE, rptr + n, rptr) == CAPACITY - n;
			/* An engine that reports RPTR modulo the ring. */
			good &= sdma_ring_used(SIZE, rptr + n, rptr % SIZE) == n;
		}
		pure_okf(good, "used and room from empty to full at RPTR 0x%llx (S0.95)",
			 (unsigned long long)rptr);
	}
	pure_ok(sdma_ring_space(SIZE, SIZE - 1, 0) == 0, "no room beyond the free group");
	pure_ok(sdma_ring_to_end(SIZE, 0) == SIZE && sdma_ring_to_end(SIZE, SIZE - 1) == 1 &&
		sdma_ring_to_end(SIZE, 0x100000000ULL + 8) == SIZE - 8, "dwords to the end");
}

static void test_units(void)
{
	pure_ok(sdma_dwords_to_bytes(0x4000000000000001ULL >> 2) == 0x4000000000000000ULL &&
		sdma_bytes_to_dwords(0x100000004ULL) == 0x40000001ULL &&
		sdma_dwords_to_bytes(0x40000001ULL) == 0x100000004ULL,
		"bytes and dwords beyond 32 bits (S0.96)");
}

static void test_sizes(void)
{
	struct sdma_ring_plan plan;

	pure_ok(sdma_ring_plan_frame(SIZE, 0, 0, &plan) == -EINVAL, "an empty frame is refused");
	pure_ok(sdma_ring_plan_frame(SIZE, 0, CAPACITY, &plan) == 0 && plan.end == CAPACITY,
		"the largest frame fits");
	pure_ok(sdma_ring_plan_frame(SIZE, 0, CAPACITY + 1, &plan) == -EINVAL,
		"one dword more is refused");
	pure_ok(sdma_ring_plan_frame(SIZE, 0, SIZE - 1, &plan) == -EINVAL,
		"ring - 1 is refused, not waited for (B050)");
	pure_ok(sdma_ring_plan_frame(SIZE, 0, SIZE, &plan) == -EINVAL, "ring is refused (B050)");
	pure_ok(sdma_ring_plan_frame(SIZE, 0, SIZE + 1, &plan) == -EINVAL,
		"ring + 1 is refused (B050)");
	pure_ok(sdma_ring_plan_frame(SIZE, 0, 0xffffffff, &plan) == -EINVAL &&
		sdma_ring_plan_frame(SIZE, 0, 0xfffffff9, &plan) == -EINVAL,
		"lengths that wrap when rounded are refused");
	pure_ok(sdma_ring_plan_frame(1U << 31, 0, 1U << 30, &plan) == 0 && plan.end == 1U << 30,
		"a ring of 2^31 dwords");
}

/* What plan_frame says of one place and length, checked against plain rules. */
static bool plan_is_sound(u64 wptr, u32 dwords)
{
	struct sdma_ring_plan plan;
	u32 offset = wptr % SIZE, first;

	if (sdma_ring_plan_frame(SIZE, wptr, dwords, &plan))
		return false;
	first = plan.start % SIZE;
	return plan.start == wptr + plan.lead &&
	       plan.lead == (offset + dwords > SIZE ? SIZE - offset : 0) &&
	       first + dwords + plan.pad <= SIZE &&
	       plan.end == plan.start + dwords + plan.pad &&
	       plan.end % 8 == 0 && plan.pad < 8 &&
	       plan.end - plan.start <= CAPACITY && plan.lead <= SIZE - 1;
}

/* B058: every length modulo 8, ending 0 to 7 dwords before the end of the ring. */
static void test_ring_end(void)
{
	static const u64 laps[] = { 0, SIZE, 0xffffffc0ULL, 0xffffffffffffff80ULL };
	unsigned int lap, mod, before, dwords;

	for (lap = 0; lap < ARRAY_SIZE(laps); lap++) {
		for (mod = 0; mod < 8; mod++) {
			bool good = true;

			for (before = 0; before < 8; before++)
				for (dwords = mod ? mod : 8; dwords < 40; dwords += 8)
					good &= plan_is_sound(laps[lap] + SIZE - before - dwords,
							      dwords);
			pure_okf(good,
				 "length %u modulo 8 ends 0 to 7 before the end, lap 0x%llx (B058)",
				 mod, (unsigned long long)laps[lap]);
		}
	}
}

static void test_every_place(void)
{
	unsigned int place, dwords;
	bool good = true;

	for (place = 0; place < SIZE; place += 8)
		for (dwords = 1; dwords <= CAPACITY; dwords++)
			good &= plan_is_sound(place, dwords) &&
				plan_is_sound(0xffffffffffffff80ULL + place, dwords);
	pure_ok(good, "every frame at every group of the ring (S0.94)");
}

/* A ring in memory, its guard, and an engine that consumes it in order. */
struct model {
	u32 ring[SIZE + GUARD];
	u64 wptr, rptr;
	u32 next;	/* number that the engine expects in the next packet dword */
	u32 last;	/* number put into the ring last */
};

static void model_reset(struct model *m, u64 start)
{
	unsigned int i;

	memset(m, 0, sizeof(*m));
	for (i = SIZE; i < ARRAY_SIZE(m->ring); i++)
		m->ring[i] = CANARY;
	m->wptr = start;
	m->rptr = start;
}

/* The engine: takes up to @most dwords; NOPs are dropped, packet dwords must come in order. */
static bool model_consume(struct model *m, unsigned int most)
{
	for (; most && m->rptr != m->wptr; most--, m->rptr++) {
		u32 *at = &m->ring[m->rptr % SIZE];

		if (*at && *at != (PACKET | m->next++))
			return false;
		*at = CANARY;
	}
	return true;
}

static bool model_store(struct model *m, u64 at, u32 value)
{
	u32 *slot = &m->ring[at % SIZE];

	/* Nothing may be overwritten that the engine has not read. */
	if (at - m->rptr >= SIZE)
		return false;
	*slot = value;
	return true;
}

/* The writer, in the two steps that the ring code takes. */
static bool model_submit(struct model *m, u32 dwords)
{
	struct sdma_ring_plan plan;
	bool good = true;
	u32 i;

	if (sdma_ring_plan_frame(SIZE, m->wptr, dwords, &plan))
		return false;
	if (plan.lead) {
		while (good && sdma_ring_space(SIZE, m->wptr, m->rptr) < plan.lead)
			good = model_consume(m, 3);
		for (i = 0; i < plan.lead; i++)
			good &= model_store(m, m->wptr + i, 0);
		m->wptr = plan.start;
	}
	while (good && sdma_ring_space(SIZE, m->wptr, m->rptr) < plan.end - plan.start)
		good = model_consume(m, 5);
	for (i = 0; i < dwords; i++)
		good &= model_store(m, plan.start + i, PACKET | m->last++);
	for (i = 0; i < plan.pad; i++)
		good &= model_store(m, plan.start + dwords + i, 0);
	m->wptr = plan.end;
	return good;
}

static bool model_guard_intact(const struct model *m)
{
	unsigned int i;

	for (i = SIZE; i < ARRAY_SIZE(m->ring); i++)
		if (m->ring[i] != CANARY)
			return false;
	return true;
}

static void test_stream(u64 start, const char *name)
{
	unsigned int round, x = 1;
	struct model m;
	bool good = true;

	model_reset(&m, start);
	for (round = 0; good && round < 20000; round++) {
		x = x * 1664525 + 1013904223;
		good = model_submit(&m, 1 + (x >> 16) % CAPACITY);
		if (good && (x >> 28) == 0)
			good = model_consume(&m, SIZE);
	}
	good &= model_consume(&m, SIZE) && m.rptr == m.wptr && m.next == m.last;
	pure_okf(good && model_guard_intact(&m), "20000 random frames from %s (B050, B058)", name);
}

static void test_third_of_ring(void)
{
	struct model m;
	unsigned int i;
	bool good = true;

	model_reset(&m, 0);
	for (i = 0; good && i < 1000; i++)
		good = model_submit(&m, SIZE / 3);
	good &= model_consume(&m, SIZE) && m.next == 1000 * (SIZE / 3);
	pure_ok(good && model_guard_intact(&m), "1000 frames of a third of the ring (B050)");
}

static void test_sequence(void)
{
	pure_ok(sdma_seq_passed(5, 5) && sdma_seq_passed(6, 5) && !sdma_seq_passed(4, 5),
		"sequence numbers");
	pure_ok(sdma_seq_passed(2, 0xfffffffe) && !sdma_seq_passed(0xfffffffe, 2) &&
		sdma_seq_passed(0, 0xffffffff) && !sdma_seq_passed(0xffffffff, 0),
		"sequence numbers over the wrap of 32 bits (S0.104)");
	pure_ok(sdma_seq_passed(0x80000000, 1) && !sdma_seq_passed(0x80000001, 1),
		"half of the number space is the past");
}

int main(void)
{
	test_space();
	test_units();
	test_sizes();
	test_ring_end();
	test_every_place();
	test_stream(0, "zero");
	test_stream(0xffffffffULL - 0x7f, "just below 2^32");
	test_stream(0xffffffffffffff80ULL, "just below 2^64");
	test_third_of_ring();
	test_sequence();
	return pure_done();
}
