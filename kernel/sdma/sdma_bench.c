// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: how long page-table updates take
 *
 * Times updates of 512 entries one by one, from submission to the signalled fence,
 * on an idle instance or while the GFX ring of the same instance copies.  For the
 * latter a few copies are always kept in flight, and the run goes on until both the
 * rounds are done and SDMA_BENCH_BACKGROUND bytes were copied.  The instance is the
 * first that works.
 */
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "sdma_device.h"
#include "sdma_emit.h"
#include "sdma_test.h"

#define SDMA_BENCH_ENTRIES	512
/* Bytes of one background copy: one packet. */
#define SDMA_BENCH_COPY		SDMA_COPY_MAX_BYTES
/* Copies kept in flight. */
#define SDMA_BENCH_DEPTH	4

/**
 * struct sdma_bench - one run
 * @sdma: device
 * @mask: the one instance used
 * @values: what the updates write
 * @table: target of the updates
 * @src: of the background copies; empty if there are none
 * @dst: likewise
 * @copies: copies in flight, oldest at @head
 * @head: index of the oldest
 * @copied: bytes of copies that have ended
 */
struct sdma_bench {
	struct sdma_device *sdma;
	u16 mask;
	u64 *values;
	struct hw_mem table, src, dst;
	struct dma_fence *copies[SDMA_BENCH_DEPTH];
	unsigned int head;
	u64 copied;
};

static struct dma_fence *sdma_bench_copy(struct sdma_bench *b)
{
	struct sdma_job *job = sdma_job_alloc(b->sdma, SDMA_RING_GFX, b->mask,
					      SDMA_DWORDS(sdma_pkt_copy));

	if (IS_ERR(job))
		return ERR_CAST(job);
	job->len = sdma_emit_copy_linear(job->ib, 0, b->dst.mc, b->src.mc, SDMA_BENCH_COPY);
	job->bytes = SDMA_BENCH_COPY;
	return sdma_job_submit(job);
}

/* Count the oldest copy if it has ended: 1, or 0 if it has not, or its error. */
static int sdma_bench_reap(struct sdma_bench *b)
{
	struct dma_fence **slot = &b->copies[b->head];
	int status;

	if (!*slot)
		return 1;
	status = dma_fence_get_status(*slot);
	if (status <= 0)
		return status;
	b->copied += SDMA_BENCH_COPY;
	dma_fence_put(*slot);
	*slot = NULL;
	return 1;
}

/* Replace the copies that have ended. */
static int sdma_bench_keep_busy(struct sdma_bench *b)
{
	struct dma_fence *fence;
	int ret;

	for (;;) {
		ret = sdma_bench_reap(b);
		if (ret <= 0)
			return ret;
		fence = sdma_bench_copy(b);
		if (IS_ERR(fence))
			return PTR_ERR(fence);
		b->copies[b->head] = fence;
		b->head = (b->head + 1) % SDMA_BENCH_DEPTH;
	}
}

static void sdma_bench_drain(struct sdma_bench *b)
{
	unsigned int i;

	for (i = 0; i < SDMA_BENCH_DEPTH; i++) {
		if (!b->copies[i])
			continue;
		sdma_fence_wait(b->copies[i], 0);
		dma_fence_put(b->copies[i]);
	}
}

/* One update; its time, or a negative errno. */
static s64 sdma_bench_update(struct sdma_bench *b)
{
	const unsigned int dwords = SDMA_DWORDS(sdma_pkt_write) + 2 * SDMA_BENCH_ENTRIES;
	ktime_t start = ktime_get();
	struct dma_fence *fence;
	struct sdma_job *job;
	int ret;

	job = sdma_job_alloc(b->sdma, SDMA_RING_PAGE, b->mask, dwords);
	if (IS_ERR(job))
		return PTR_ERR(job);
	job->len = sdma_emit_write_entries(job->ib, 0, b->table.mc, b->values,
					   SDMA_BENCH_ENTRIES);
	job->bytes = SDMA_BENCH_ENTRIES * sizeof(u64);
	fence = sdma_job_submit(job);
	ret = sdma_fence_wait(fence, 0);
	dma_fence_put(fence);
	return ret ? ret : ktime_to_ns(ktime_sub(ktime_get(), start));
}

static int sdma_bench_rounds(struct sdma_bench *b, unsigned int rounds, bool busy, u64 *times)
{
	unsigned int i;
	s64 ns;
	int ret;

	for (i = 0; i < rounds; i++) {
		ret = busy ? sdma_bench_keep_busy(b) : 0;
		if (ret)
			return ret;
		ns = sdma_bench_update(b);
		if (ns < 0)
			return ns;
		times[i] = ns;
	}
	return 0;
}

/* Go on copying until enough was copied. */
static int sdma_bench_finish(struct sdma_bench *b)
{
	int ret = 0;

	while (!ret && b->copied < SDMA_BENCH_BACKGROUND) {
		ret = sdma_bench_keep_busy(b);
		if (!ret)
			ret = sdma_fence_wait(b->copies[b->head], 0);
	}
	return ret;
}

static int sdma_bench_alloc(struct sdma_bench *b, bool busy)
{
	struct hw_device *hw = b->sdma->hw;
	int ret;

	b->values = kcalloc(SDMA_BENCH_ENTRIES, sizeof(*b->values), GFP_KERNEL);
	if (!b->values)
		return -ENOMEM;
	ret = hw_mem_alloc(hw, SDMA_BENCH_ENTRIES * sizeof(u64), &b->table);
	if (!ret && busy)
		ret = hw_mem_alloc(hw, SDMA_BENCH_COPY, &b->src);
	if (!ret && busy)
		ret = hw_mem_alloc(hw, SDMA_BENCH_COPY, &b->dst);
	return ret;
}

/* Takes what sdma_bench_alloc() left, complete or not. */
static void sdma_bench_free(struct sdma_bench *b)
{
	struct hw_device *hw = b->sdma->hw;

	hw_mem_free(hw, &b->dst);
	hw_mem_free(hw, &b->src);
	hw_mem_free(hw, &b->table);
	kfree(b->values);
}

static int sdma_bench_compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static int sdma_bench_run(struct sdma_bench *b, unsigned int rounds, bool busy,
			  struct sdma_bench_result *res)
{
	u64 *times = kvmalloc_array(rounds, sizeof(*times), GFP_KERNEL);
	int ret;

	if (!times)
		return -ENOMEM;
	ret = sdma_bench_rounds(b, rounds, busy, times);
	if (!ret && busy)
		ret = sdma_bench_finish(b);
	sdma_bench_drain(b);
	if (!ret) {
		sort(times, rounds, sizeof(*times), sdma_bench_compare, NULL);
		res->rounds = rounds;
		res->entries = SDMA_BENCH_ENTRIES;
		res->p50_ns = times[rounds / 2];
		res->p99_ns = times[rounds * 99 / 100];
		res->background_bytes = b->copied;
	}
	kvfree(times);
	return ret;
}

/**
 * sdma_bench_entries - time page-table updates
 * @sdma: device
 * @rounds: updates, 1 to SDMA_BENCH_MAX_ROUNDS
 * @busy: while the GFX ring of the same instance copies
 * @res: filled in on success
 *
 * Context: process; sleeps.
 * Return: 0, -EINVAL, -ENOMEM, -ETIMEDOUT, -ENODEV.
 */
int sdma_bench_entries(struct sdma_device *sdma, unsigned int rounds, bool busy,
		       struct sdma_bench_result *res)
{
	struct sdma_bench *b;
	int ret;

	memset(res, 0, sizeof(*res));
	if (!rounds || rounds > SDMA_BENCH_MAX_ROUNDS)
		return -EINVAL;
	if (!sdma_instance_mask(sdma))
		return -ENODEV;
	b = kzalloc(sizeof(*b), GFP_KERNEL);
	if (!b)
		return -ENOMEM;
	b->sdma = sdma;
	b->mask = BIT(__ffs(sdma_instance_mask(sdma)));
	mutex_lock(&sdma->test_lock);
	ret = sdma_bench_alloc(b, busy);
	if (!ret)
		ret = sdma_bench_run(b, rounds, busy, res);
	sdma_bench_free(b);
	mutex_unlock(&sdma->test_lock);
	kfree(b);
	return ret;
}
