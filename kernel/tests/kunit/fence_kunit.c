// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fence timelines without a ring: the test is the engine, which stores numbers, and the
 * clock, which calls the fallback's look.  In order, across the wrap of the numbers, a
 * lost interrupt found by two looks, a time-out told once, death, and fences that
 * outlive their ring.  Proves the driver's part of S0.104.
 */
#include <linux/err.h>
#include <linux/jiffies.h>

#include "../../sdma/sdma_fence.h"
#include "kunit_gpu.h"

#define RESERVE	4

/**
 * struct line - a timeline and what it told its owner
 * @tl: timeline
 * @memory: what the engine has stored
 * @look: the fallback, which the test calls instead of the timer
 * @drained: upcalls
 * @stuck: likewise
 */
struct line {
	struct sdma_timeline *tl;
	u32 memory;
	void (*look)(struct timer_list *timer);
	unsigned int drained, stuck;
};

static void line_drain(void *owner)
{
	struct line *l = owner;

	l->drained++;
}

static void line_stuck(void *owner)
{
	struct line *l = owner;

	l->stuck++;
}

static const struct sdma_timeline_ops line_ops = {
	.drain = line_drain,
	.stuck = line_stuck,
};

/* Time passes only when a test says so. */
static void quiet(struct timer_list *timer)
{
}

static int fence_init(struct kunit *test)
{
	struct line *l = kunit_kzalloc(test, sizeof(*l), GFP_KERNEL);

	if (!l)
		return -ENOMEM;
	l->tl = sdma_timeline_create("kunit", RESERVE, &l->memory, &line_ops, l);
	if (IS_ERR(l->tl))
		return PTR_ERR(l->tl);
	l->look = l->tl->timer.function;
	l->tl->timer.function = quiet;
	test->priv = l;
	return 0;
}

static void line_end(struct line *l)
{
	if (!l->tl)
		return;
	sdma_timeline_kill(l->tl, -ENODEV);
	sdma_timeline_shutdown(l->tl, -ENODEV);
	sdma_timeline_fini(l->tl);
	l->tl = NULL;
}

static void fence_exit(struct kunit *test)
{
	line_end(test->priv);
}

static struct dma_fence *arm(struct kunit *test, u32 *seq)
{
	struct line *l = test->priv;
	struct dma_fence *f = sdma_fence_alloc(l->tl);
	u32 got;

	KUNIT_ASSERT_NOT_NULL(test, f);
	got = sdma_fence_arm(f);
	if (seq)
		*seq = got;
	return f;
}

/* As if so many fences had come and gone. */
static void stand_at(struct line *l, u32 number)
{
	l->tl->emitted = number;
	l->tl->signalled = number;
	l->memory = number;
}

static void look(struct line *l)
{
	local_bh_disable();
	l->look(&l->tl->timer);
	local_bh_enable();
}

static void signals_in_order(struct kunit *test)
{
	struct line *l = test->priv;
	struct dma_fence *f[3];
	unsigned int i;
	u32 seq;

	for (i = 0; i < 3; i++) {
		f[i] = arm(test, &seq);
		KUNIT_EXPECT_EQ(test, seq, i + 1);
	}
	KUNIT_EXPECT_EQ(test, sdma_timeline_process(l->tl), 0);
	l->memory = 2;
	KUNIT_EXPECT_EQ(test, sdma_timeline_process(l->tl), 2);
	KUNIT_EXPECT_TRUE(test, dma_fence_is_signaled(f[0]));
	KUNIT_EXPECT_TRUE(test, dma_fence_is_signaled(f[1]));
	KUNIT_EXPECT_FALSE(test, dma_fence_is_signaled(f[2]));
	l->memory = 3;
	KUNIT_EXPECT_EQ(test, sdma_timeline_process(l->tl), 1);
	KUNIT_EXPECT_EQ(test, dma_fence_get_status(f[2]), 1);
	KUNIT_EXPECT_EQ(test, sdma_timeline_process(l->tl), 0);
	for (i = 0; i < 3; i++)
		dma_fence_put(f[i]);
}

static void numbers_wrap(struct kunit *test)
{
	struct line *l = test->priv;
	struct dma_fence *f[3];
	unsigned int i;
	u32 seq;

	stand_at(l, U32_MAX - 1);
	for (i = 0; i < 3; i++)
		f[i] = arm(test, &seq);
	KUNIT_EXPECT_EQ(test, seq, 1);
	KUNIT_EXPECT_EQ(test, sdma_timeline_process(l->tl), 0);
	l->memory = 0;
	KUNIT_EXPECT_EQ(test, sdma_timeline_process(l->tl), 2);
	KUNIT_EXPECT_FALSE(test, dma_fence_is_signaled(f[2]));
	l->memory = 1;
	KUNIT_EXPECT_EQ(test, sdma_timeline_process(l->tl), 1);
	for (i = 0; i < 3; i++)
		dma_fence_put(f[i]);
}

/* A number that went backwards or far ahead signals nothing. */
static void wild_numbers(struct kunit *test)
{
	struct line *l = test->priv;
	struct dma_fence *f;

	stand_at(l, 1000);
	f = arm(test, NULL);
	l->memory = 999;
	KUNIT_EXPECT_EQ(test, sdma_timeline_process(l->tl), 0);
	l->memory = 1000 + 0x80000001;
	KUNIT_EXPECT_EQ(test, sdma_timeline_process(l->tl), 0);
	l->memory = 1001;
	KUNIT_EXPECT_EQ(test, sdma_timeline_process(l->tl), 1);
	dma_fence_put(f);
}

static void lost_interrupt(struct kunit *test)
{
	struct line *l = test->priv;
	struct dma_fence *f = arm(test, NULL);

	look(l);
	KUNIT_EXPECT_EQ(test, l->drained, 0);
	l->memory = 1;
	look(l);
	KUNIT_EXPECT_EQ(test, l->drained, 0);
	KUNIT_EXPECT_FALSE(test, test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &f->flags));
	look(l);
	KUNIT_EXPECT_EQ(test, l->drained, 1);
	KUNIT_EXPECT_EQ(test, l->tl->lost, 1);
	KUNIT_EXPECT_EQ(test, dma_fence_get_status(f), 1);
	dma_fence_put(f);
}

/* An interrupt between two looks: the second suspects the next fence for the first time. */
static void late_is_not_lost(struct kunit *test)
{
	struct line *l = test->priv;
	struct dma_fence *first = arm(test, NULL), *second = arm(test, NULL);

	l->memory = 1;
	look(l);
	KUNIT_EXPECT_EQ(test, sdma_timeline_process(l->tl), 1);
	l->memory = 2;
	look(l);
	KUNIT_EXPECT_EQ(test, l->tl->lost, 0);
	KUNIT_EXPECT_EQ(test, l->drained, 0);
	KUNIT_EXPECT_EQ(test, sdma_timeline_process(l->tl), 1);
	dma_fence_put(first);
	dma_fence_put(second);
}

static void time_out_is_told_once(struct kunit *test)
{
	struct line *l = test->priv;
	unsigned long limit = msecs_to_jiffies(sdma_fence_timeout_ms());
	struct dma_fence *f = arm(test, NULL);

	look(l);
	KUNIT_EXPECT_EQ(test, l->stuck, 0);
	l->tl->progress = jiffies - limit - 2;
	look(l);
	KUNIT_EXPECT_EQ(test, l->stuck, 1);
	KUNIT_EXPECT_FALSE(test, dma_fence_is_signaled(f));
	look(l);
	KUNIT_EXPECT_EQ(test, l->stuck, 1);
	l->tl->progress = jiffies - limit - 2;
	look(l);
	KUNIT_EXPECT_EQ(test, l->stuck, 2);
	dma_fence_put(f);
}

static void death_ends_all(struct kunit *test)
{
	struct line *l = test->priv;
	struct dma_fence *done = arm(test, NULL), *pending = arm(test, NULL), *late;

	l->memory = 1;
	sdma_timeline_kill(l->tl, -EIO);
	KUNIT_EXPECT_EQ(test, dma_fence_get_status(done), 1);
	KUNIT_EXPECT_EQ(test, dma_fence_get_status(pending), -EIO);
	late = arm(test, NULL);
	KUNIT_EXPECT_EQ(test, dma_fence_get_status(late), -EIO);
	dma_fence_put(done);
	dma_fence_put(pending);
	dma_fence_put(late);
}

static void discard_gives_back(struct kunit *test)
{
	struct line *l = test->priv;
	unsigned int i;

	for (i = 0; i < 3 * RESERVE; i++) {
		struct dma_fence *f = sdma_fence_alloc(l->tl);

		KUNIT_ASSERT_NOT_NULL(test, f);
		KUNIT_EXPECT_EQ(test, kref_read(&l->tl->ref), 2);
		sdma_fence_discard(f);
	}
	KUNIT_EXPECT_EQ(test, kref_read(&l->tl->ref), 1);
	KUNIT_EXPECT_EQ(test, l->tl->emitted, 0);
}

static void fence_outlives_ring(struct kunit *test)
{
	struct line *l = test->priv;
	struct dma_fence *f = arm(test, NULL);

	line_end(l);
	KUNIT_EXPECT_EQ(test, dma_fence_get_status(f), -ENODEV);
	KUNIT_EXPECT_STREQ(test, f->ops->get_timeline_name(f), "kunit");
	KUNIT_EXPECT_EQ(test, sdma_timeline_process(sdma_fence_timeline(f)), 0);
	dma_fence_put(f);
}

static void foreign_fence(struct kunit *test)
{
	struct dma_fence *stub = dma_fence_get_stub();

	KUNIT_EXPECT_NULL(test, sdma_fence_timeline(stub));
	dma_fence_put(stub);
}

static struct kunit_case fence_cases[] = {
	KUNIT_CASE(signals_in_order),
	KUNIT_CASE(numbers_wrap),
	KUNIT_CASE(wild_numbers),
	KUNIT_CASE(lost_interrupt),
	KUNIT_CASE(late_is_not_lost),
	KUNIT_CASE(time_out_is_told_once),
	KUNIT_CASE(death_ends_all),
	KUNIT_CASE(discard_gives_back),
	KUNIT_CASE(fence_outlives_ring),
	KUNIT_CASE(foreign_fence),
	{ }
};

struct kunit_suite fence_suite = {
	.name = "fence",
	.init = fence_init,
	.exit = fence_exit,
	.test_cases = fence_cases,
};
