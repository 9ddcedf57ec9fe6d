// SPDX-License-Identifier: GPL-2.0-only
/* pure: kernel/kfd_sched.c */
/**
 * DOC: who runs next: rules one by one, then whole crowds on an engine of our own
 *
 * The engine below is a bad one on purpose: in one round it does nothing, in the next ten
 * times as much.  Shares have to be fair all the same (S0.36; B038).
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/kfd_sched.h"
#include "pure_test.h"

#define MS		1000000ULL
#define ROUND_NS	(4 * MS)
#define QUEUES		32
#define LONG		3000	/* rounds */
#define SLOTS		2

static void test_weights(void)
{
	unsigned int i;
	bool good = true;

	for (i = 0; i < 16; i++)
		good &= kfd_sched_weight(i) == i + 1;
	pure_ok(good && kfd_sched_weight(99) == 16, "weights 1 to 16, and no other");
}

static struct kfd_sched_queue account(u64 share, u64 since, bool idle)
{
	return (struct kfd_sched_queue){
		.share = share, .weight = 8, .since = since, .worked = true, .idle = idle,
	};
}

static void test_gives_way(void)
{
	struct kfd_sched_queue w = account(100, 0, false), ahead = account(200, 0, false);
	struct kfd_sched_queue behind = account(50, 0, false), idle = account(50, 0, true);
	u64 over = KFD_SCHED_SLICE_NS;

	pure_ok(!kfd_sched_gives_way(&ahead, &w, over - 1) && kfd_sched_gives_way(&ahead, &w, over),
		"who is ahead gives way after its slice");
	pure_ok(!kfd_sched_gives_way(&behind, &w, 100 * over), "who is behind does not");
	ahead.worked = false;
	pure_ok(!kfd_sched_gives_way(&ahead, &w, KFD_SCHED_PATIENCE_NS - 1) &&
		kfd_sched_gives_way(&ahead, &w, KFD_SCHED_PATIENCE_NS),
		"nor does one for which nothing was done, for a while");
	ahead.worked = true;
	pure_ok(kfd_sched_gives_way(&idle, &w, 0), "who has no work does at once");
	w.share = ~0ULL - 10;
	behind.share = ~0ULL - 20;
	ahead.share = 5;
	pure_ok(kfd_sched_before(&w, &ahead) && kfd_sched_before(&behind, &w) &&
		!kfd_sched_before(&ahead, &w), "shares compare over their wrap");
}

static void test_victim(void)
{
	struct kfd_sched_queue a = account(200, 0, false), b = account(300, 0, false);
	struct kfd_sched_queue c = account(10, 6, true), d = account(10, 5, true);
	struct kfd_sched_queue w = account(100, 0, false);
	const struct kfd_sched_queue *slot[4] = { &a, &b, NULL, NULL };
	u64 now = KFD_SCHED_SLICE_NS;

	pure_ok(kfd_sched_victim(slot, 4, &w, now) == 1, "of two the one further ahead");
	pure_ok(kfd_sched_victim(slot, 4, &w, now - 1) == -1, "none in its slice");
	slot[2] = &c;
	pure_ok(kfd_sched_victim(slot, 4, &w, now) == 2, "rather one without work");
	slot[3] = &d;
	pure_ok(kfd_sched_victim(slot, 4, &w, now) == 3, "of those the one loaded first");
	w.share = 250;
	pure_ok(kfd_sched_victim(slot, 2, &w, now) == 1, "not one that is behind who waits");
	w.share = 400;
	pure_ok(kfd_sched_victim(slot, 2, &w, now) == -1, "nobody for one that is ahead of all");
	pure_ok(kfd_sched_victim(slot, 0, &w, now) == -1, "nobody where there is no slot");
}

static void test_charge(void)
{
	struct kfd_sched_queue a = account(0, 0, false), b = account(0, 0, false);
	struct kfd_sched_clock clock;
	u64 before;

	kfd_sched_clock_init(&clock);
	b.weight = 16;
	kfd_sched_load(&clock, &a, 0, 1000);
	kfd_sched_load(&clock, &b, 0, 1000);
	kfd_sched_look(&clock, &a, ROUND_NS, 1100, false);
	kfd_sched_look(&clock, &b, ROUND_NS, 1200, false);
	pure_ok(a.share == b.share && a.share, "twice the weight, twice the work, the same share");
	before = a.share;
	kfd_sched_look(&clock, &b, 2 * ROUND_NS, 1400, false);
	kfd_sched_look(&clock, &a, 2 * ROUND_NS, 1100, false);
	pure_ok(a.share > before && a.share - before < before,
		"a slot that is held for nothing costs a little");
	kfd_sched_look(&clock, &a, 2 * ROUND_NS + 1000, 1101, false);
	pure_ok(clock.typical < 1000, "short times are no measure");
	before = a.share;
	kfd_sched_look(&clock, &a, 3 * ROUND_NS, 1101, true);
	pure_ok(a.share == before && a.idle, "having no work costs nothing");
	kfd_sched_load(&clock, &a, 3 * ROUND_NS, 1100);
	kfd_sched_look(&clock, &a, 3 * ROUND_NS + KFD_SCHED_SETTLE_NS - 1, 1100, true);
	pure_ok(!a.idle, "no work yet is not no work");
	kfd_sched_look(&clock, &a, 3 * ROUND_NS, 500, false);
	kfd_sched_look(&clock, &a, 0, ~0ULL, false);
	pure_ok(clock.typical <= 1000000, "counts and times that go back do no harm");
}

static void test_join(void)
{
	struct kfd_sched_queue old = account(0, 0, false), rich = account(900, 0, false);
	struct kfd_sched_clock clock = { .share = 500, .typical = 64 };

	kfd_sched_join(&clock, &old);
	kfd_sched_join(&clock, &rich);
	pure_ok(old.share == 500, "who was away begins where the others are");
	pure_ok(rich.share == 900, "who is ahead stays ahead");
}

/* ---- crowds ---- */

/* What a queue does with its slot. */
enum habits {
	WORKS,
	POLLS,		/* holds it, and gets nothing done */
	PAUSES,		/* works a while, then has nothing to do for a while */
	RETURNS,	/* has nothing to do for a long time, then works */
};

struct member {
	struct kfd_sched_queue account;
	enum habits habit;
	int slot;
	u64 loads, last_load, longest;
};

struct crowd {
	struct kfd_sched_clock clock;
	struct member member[QUEUES];
	int loaded[SLOTS];
	u64 work[SLOTS], got[QUEUES];
	u64 seed, round, latency;
	unsigned int n, speed, phase;
};

static struct crowd crowd;

static u32 random_of(struct crowd *c)
{
	c->seed = c->seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return c->seed >> 33;
}

static bool has_work(const struct crowd *c, unsigned int i)
{
	switch (c->member[i].habit) {
	case PAUSES:
		return c->round / 50 % 2 == i % 2;
	case RETURNS:
		return c->round > LONG;
	default:
		return true;
	}
}

/* For a while it does nothing, then little or much, to one queue more than to the other. */
static void engine_works(struct crowd *c, bool steady)
{
	static const unsigned int speeds[] = { 0, 0, 2, 100 };
	unsigned int s, speed;

	if (!c->phase--) {
		c->speed = speeds[random_of(c) % ARRAY_SIZE(speeds)];
		c->phase = random_of(c) % 20;
	}
	speed = steady ? 50 : c->speed;

	for (s = 0; s < SLOTS; s++) {
		unsigned int i = c->loaded[s];
		u64 done = steady ? speed : speed * (1 + random_of(c) % 3);

		if (c->loaded[s] < 0 || !has_work(c, i))
			continue;
		if (c->member[i].habit == POLLS ||
		    c->round < c->member[i].last_load + c->latency)
			done = 0;
		c->work[s] += done;
		c->got[i] += done;
	}
}

static int next_waiting(const struct crowd *c)
{
	int best = -1;
	unsigned int i;

	for (i = 0; i < c->n; i++)
		if (c->member[i].slot < 0 && has_work(c, i) &&
		    (best < 0 || kfd_sched_before(&c->member[i].account,
						  &c->member[best].account)))
			best = i;
	return best;
}

/* A slot that is free, or whose queue gives way; less than 0 if there is none. */
static int slot_for(struct crowd *c, int w, u64 now)
{
	const struct kfd_sched_queue *slot[SLOTS];
	unsigned int s;

	for (s = 0; s < SLOTS; s++) {
		if (c->loaded[s] < 0)
			return s;
		slot[s] = &c->member[c->loaded[s]].account;
	}
	return kfd_sched_victim(slot, SLOTS, &c->member[w].account, now);
}

static void crowd_round(struct crowd *c, bool steady)
{
	u64 now = ++c->round * ROUND_NS;
	struct member *m;
	int s, w;

	engine_works(c, steady);
	for (s = 0; s < SLOTS; s++)
		if (c->loaded[s] >= 0)
			kfd_sched_look(&c->clock, &c->member[c->loaded[s]].account, now, c->work[s],
				       !has_work(c, c->loaded[s]));
	while ((w = next_waiting(c)) >= 0 && (s = slot_for(c, w, now)) >= 0) {
		if (c->loaded[s] >= 0)
			c->member[c->loaded[s]].slot = -1;
		m = &c->member[w];
		c->loaded[s] = w;
		m->slot = s;
		m->longest = max_t(u64, m->longest, c->round - m->last_load);
		m->last_load = c->round;
		m->loads++;
		kfd_sched_load(&c->clock, &m->account, now, c->work[s]);
	}
}

static void crowd_init(struct crowd *c, unsigned int n)
{
	unsigned int i;

	memset(c, 0, sizeof(*c));
	kfd_sched_clock_init(&c->clock);
	c->n = n;
	c->seed = 42;
	for (i = 0; i < SLOTS; i++)
		c->loaded[i] = -1;
	for (i = 0; i < n; i++) {
		c->member[i].slot = -1;
		c->member[i].account.weight = 8;
	}
}

static void crowd_extremes(const struct crowd *c, enum habits which, u64 *least, u64 *most)
{
	unsigned int i;

	*least = ~0ULL;
	*most = 0;
	for (i = 0; i < c->n; i++) {
		if (c->member[i].habit != which)
			continue;
		*least = min_t(u64, *least, c->got[i]);
		*most = max_t(u64, *most, c->got[i]);
	}
}

static void test_fair(void)
{
	u64 least, most;

	crowd_init(&crowd, QUEUES);
	while (crowd.round < QUEUES * 2 * 12)
		crowd_round(&crowd, false);
	crowd_extremes(&crowd, WORKS, &least, &most);
	pure_okf(least && most < 2 * least, "32 queues, 2 slots, an engine in fits: %llu to %llu",
		 (unsigned long long)least, (unsigned long long)most);
}

static void test_priorities(void)
{
	u64 got[3] = { 0 };
	unsigned int i;

	crowd_init(&crowd, 12);
	for (i = 0; i < 12; i++)
		crowd.member[i].account.weight = i % 3 == 0 ? 1 : i % 3 == 1 ? 8 : 16;
	while (crowd.round < 20000)
		crowd_round(&crowd, false);
	for (i = 0; i < 12; i++)
		got[i % 3] += crowd.got[i];
	pure_okf(got[1] > 6 * got[0] && got[1] < 10 * got[0] && got[2] > 3 * got[1] / 2 &&
		 got[2] < 5 * got[1] / 2, "weights 1, 8, 16 get %llu, %llu, %llu",
		 (unsigned long long)got[0], (unsigned long long)got[1],
		 (unsigned long long)got[2]);
}

/* An engine that takes longer than a slice to begin with a queue: nobody has turns for nothing. */
static void test_slow_begin(void)
{
	u64 got[2] = { 0 };
	unsigned int i;

	crowd_init(&crowd, 4);
	crowd.latency = 3;
	for (i = 0; i < 4; i++)
		crowd.member[i].account.weight = i % 2 ? 16 : 1;
	while (crowd.round < 40000)
		crowd_round(&crowd, false);
	for (i = 0; i < 4; i++)
		got[i % 2] += crowd.got[i];
	pure_okf(got[1] > 8 * got[0] && got[1] < 32 * got[0],
		 "a slow begin, weights 1 and 16: %llu, %llu", (unsigned long long)got[0],
		 (unsigned long long)got[1]);
}

/* Ten that poll for ever on two slots, and four that work. */
static void test_pollers(void)
{
	u64 least, most, longest = 0;
	unsigned int i;

	crowd_init(&crowd, 14);
	for (i = 0; i < 10; i++)
		crowd.member[i].habit = POLLS;
	while (crowd.round < 5000)
		crowd_round(&crowd, true);
	crowd_extremes(&crowd, WORKS, &least, &most);
	for (i = 0; i < 14; i++)
		longest = max_t(u64, longest, crowd.member[i].longest);
	pure_okf(least && most < 2 * least, "those that work share: %llu to %llu",
		 (unsigned long long)least, (unsigned long long)most);
	pure_okf(longest < 14 * 2 * 16, "and nobody waits for ever: %llu rounds at most",
		 (unsigned long long)longest);
}

static void test_pauses(void)
{
	u64 least, most;
	unsigned int i;

	crowd_init(&crowd, 12);
	for (i = 0; i < 6; i++)
		crowd.member[i].habit = PAUSES;
	while (crowd.round < 12000)
		crowd_round(&crowd, false);
	crowd_extremes(&crowd, WORKS, &least, &most);
	pure_okf(least && most < 2 * least, "beside queues that come and go: %llu to %llu",
		 (unsigned long long)least, (unsigned long long)most);
	crowd_extremes(&crowd, PAUSES, &least, &most);
	pure_okf(least && most < 2 * least, "and those among themselves: %llu to %llu",
		 (unsigned long long)least, (unsigned long long)most);
}

/* What it did not use is not its to take at one go. */
static void test_returns(void)
{
	u64 before[6];
	unsigned int i;
	bool good = true;

	crowd_init(&crowd, 6);
	crowd.member[5].habit = RETURNS;
	while (crowd.round < LONG)
		crowd_round(&crowd, false);
	memcpy(before, crowd.got, sizeof(before));
	while (crowd.round < LONG + 600)
		crowd_round(&crowd, false);
	for (i = 0; i < 5; i++)
		good &= crowd.got[i] - before[i] > crowd.got[5] / 2;
	pure_okf(good && crowd.got[5], "who comes back late gets %llu like the others",
		 (unsigned long long)crowd.got[5]);
}

static void test_enough(void)
{
	crowd_init(&crowd, SLOTS);
	while (crowd.round < 100)
		crowd_round(&crowd, true);
	pure_ok(crowd.member[0].loads == 1 && crowd.member[1].loads == 1,
		"with a slot for each nobody moves");
}

int main(void)
{
	test_weights();
	test_gives_way();
	test_victim();
	test_charge();
	test_join();
	test_fair();
	test_priorities();
	test_slow_begin();
	test_pollers();
	test_pauses();
	test_returns();
	test_enough();
	return pure_done();
}
