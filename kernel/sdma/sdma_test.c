// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: self-tests of the kernel rings
 *
 * Data goes in *rounds* of at most one buffer: fill a source by CPU, have the
 * engine move it, compare by CPU.  The bytes of
 * each round differ, so that a copy that did not happen cannot pass.
 */
#include <linux/align.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "sdma_device.h"
#include "sdma_fence.h"
#include "sdma_test.h"

/* Bytes of one buffer, and so of one round. */
#define SDMA_TEST_BUFFER	SZ_1M
/* Looks at RPTR after a fence, some 100 us apart. */
#define SDMA_TEST_SETTLE_LOOKS	1000
/* And once the register says that the engine is there: memory may never. */
#define SDMA_TEST_STALE_LOOKS	20
/* What the tests write into entries; nothing translates through them. */
#define SDMA_TEST_ENTRY_STEP	0x1000
#define SDMA_TEST_ENTRY_FLAGS	0x0010000000000460ULL

static void sdma_test_begin(struct sdma_test_result *res)
{
	memset(res, 0, sizeof(*res));
}

/*
 * The fence is not the last thing in its frame: wait a little until the engine has
 * taken the padding as well, so that the pointers shown are those of an idle ring.
 */
static void sdma_test_settle(struct sdma_ring *ring)
{
	struct sdma_device *sdma = ring->sdma;
	unsigned int looks = SDMA_TEST_SETTLE_LOOKS;
	u64 end = READ_ONCE(ring->committed);

	while (looks-- && sdma_ring_rptr(ring) != end) {
		if (sdma_bytes_to_dwords(sdma->funcs->get_rptr(sdma->hw, ring->instance,
							       ring->kind)) == end)
			looks = min_t(unsigned int, looks, SDMA_TEST_STALE_LOOKS);
		usleep_range(100, 200);
	}
}

/* Wait for a fence, add what it took to the result, put it. */
static int sdma_test_wait(struct dma_fence *fence, ktime_t start, struct sdma_test_result *res)
{
	struct sdma_timeline *tl;
	struct sdma_ring *ring;
	int ret;

	if (IS_ERR(fence))
		return PTR_ERR(fence);
	ret = sdma_fence_wait(fence, 0);
	res->ns += ktime_to_ns(ktime_sub(ktime_get(), start));
	res->jobs++;
	res->seq = fence->seqno;
	tl = sdma_fence_timeline(fence);
	ring = tl->owner;
	sdma_test_settle(ring);
	res->instance = ring->instance;
	res->kind = ring->kind;
	res->rptr = sdma_dwords_to_bytes(sdma_ring_rptr(ring));
	res->wptr = sdma_dwords_to_bytes(READ_ONCE(ring->committed));
	dma_fence_put(fence);
	return ret;
}

static int sdma_test_move(struct sdma_device *sdma, u64 dst, u64 src, u64 bytes,
			  struct sdma_test_result *res)
{
	ktime_t start = ktime_get();

	return sdma_test_wait(sdma_copy(sdma, dst, src, bytes), start, res);
}

/* A byte stream without a short period, another one for each @seed. */
static void sdma_test_pattern(u8 *p, size_t bytes, u32 seed)
{
	u32 x = seed * 0x9e3779b9 + 1;

	while (bytes--) {
		x = x * 1664525 + 1013904223;
		*p++ = x >> 24;
	}
}

static int sdma_test_copy_round(struct sdma_device *sdma, const struct hw_mem *src,
				const struct hw_mem *dst, size_t bytes, u32 seed,
				struct sdma_test_result *res)
{
	int ret;

	sdma_test_pattern(src->cpu, bytes, seed);
	memset(dst->cpu, 0, bytes);
	ret = sdma_test_move(sdma, dst->mc, src->mc, bytes, res);
	if (ret)
		return ret;
	res->bytes += bytes;
	return memcmp(dst->cpu, src->cpu, bytes) ? -EIO : 0;
}

static int sdma_test_copy_locked(struct sdma_device *sdma, u64 bytes, struct sdma_test_result *res)
{
	struct hw_mem src, dst;
	u32 part, seed = 0;
	int ret;

	lockdep_assert_held(&sdma->test_lock);
	ret = hw_mem_alloc(sdma->hw, SDMA_TEST_BUFFER, &src);
	if (ret)
		return ret;
	ret = hw_mem_alloc(sdma->hw, SDMA_TEST_BUFFER, &dst);
	if (ret)
		goto out_src;
	for (; bytes && !ret; bytes -= part) {
		part = min_t(u64, bytes, SDMA_TEST_BUFFER);
		ret = sdma_test_copy_round(sdma, &src, &dst, part, ++seed, res);
	}
	hw_mem_free(sdma->hw, &dst);
out_src:
	hw_mem_free(sdma->hw, &src);
	return ret;
}

/**
 * sdma_test_copy - copy and compare
 * @sdma: device
 * @bytes: 1 to SDMA_TEST_MAX_BYTES
 * @res: filled in, on error as far as it came
 *
 * Context: process; sleeps.
 * Return: see sdma_test.h.
 */
int sdma_test_copy(struct sdma_device *sdma, u64 bytes, struct sdma_test_result *res)
{
	int ret;

	sdma_test_begin(res);
	if (!bytes || bytes > SDMA_TEST_MAX_BYTES)
		return -EINVAL;
	mutex_lock(&sdma->test_lock);
	ret = sdma_test_copy_locked(sdma, bytes, res);
	mutex_unlock(&sdma->test_lock);
	return ret;
}

/* Fill (in VRAM if there is some, and fetch it then), compare. */
static int sdma_test_fill_round(struct sdma_device *sdma, const struct hw_mem *dst, size_t bytes,
				u32 seed, struct sdma_test_result *res)
{
	u32 pattern = seed * 0x9e3779b9;
	ktime_t start;
	int ret;

	memset(dst->cpu, 0, bytes);
	start = ktime_get();
	ret = sdma_test_wait(sdma_fill(sdma, dst->mc, pattern, bytes), start, res);
	if (ret)
		return ret;
	res->bytes += bytes;
	/* The first dword is right, and each of the others equals the one before it. */
	if (*(u32 *)dst->cpu != pattern ||
	    memcmp(dst->cpu, dst->cpu + sizeof(u32), bytes - sizeof(u32)))
		return -EIO;
	return 0;
}

/**
 * sdma_test_fill - fill and compare
 * @sdma: device
 * @bytes: 4 to SDMA_TEST_MAX_BYTES, a multiple of 4
 * @res: filled in, on error as far as it came
 *
 * Context: process; sleeps.
 * Return: see sdma_test.h.
 */
int sdma_test_fill(struct sdma_device *sdma, u64 bytes, struct sdma_test_result *res)
{
	struct hw_mem dst;
	u32 part, seed = 0;
	int ret;

	sdma_test_begin(res);
	if (!bytes || bytes > SDMA_TEST_MAX_BYTES || !IS_ALIGNED(bytes, sizeof(u32)))
		return -EINVAL;
	mutex_lock(&sdma->test_lock);
	ret = hw_mem_alloc(sdma->hw, SDMA_TEST_BUFFER, &dst);
	if (ret)
		goto out_unlock;
	for (; bytes && !ret; bytes -= part) {
		part = min_t(u64, bytes, SDMA_TEST_BUFFER);
		ret = sdma_test_fill_round(sdma, &dst, part, ++seed, res);
	}
	hw_mem_free(sdma->hw, &dst);
out_unlock:
	mutex_unlock(&sdma->test_lock);
	return ret;
}

static u64 sdma_test_entry(unsigned int n, u64 base)
{
	return (base + (u64)n * SDMA_TEST_ENTRY_STEP) | SDMA_TEST_ENTRY_FLAGS;
}

static int sdma_test_check_entries(const struct hw_mem *table, unsigned int count, u64 base)
{
	const u64 *entry = table->cpu;
	unsigned int n;

	for (n = 0; n < count; n++)
		if (entry[n] != sdma_test_entry(n, base))
			return -EIO;
	return 0;
}

/* Write @values, or have the engine generate entries from @base if that is NULL; compare. */
static int sdma_test_entries_round(struct sdma_device *sdma, const struct hw_mem *table,
				   const u64 *values, u64 base, unsigned int count,
				   struct sdma_test_result *res)
{
	size_t bytes = count * sizeof(u64);
	ktime_t start = ktime_get();
	struct dma_fence *fence;
	int ret;

	if (values)
		fence = sdma_write_entries(sdma, table->mc, values, count);
	else
		fence = sdma_generate_entries(sdma, table->mc, base, SDMA_TEST_ENTRY_FLAGS, count,
					      SDMA_TEST_ENTRY_STEP);
	ret = sdma_test_wait(fence, start, res);
	if (ret)
		return ret;
	res->bytes += bytes;
	return sdma_test_check_entries(table, count, base);
}

static int sdma_test_entries_locked(struct sdma_device *sdma, unsigned int count,
				    struct sdma_test_result *res)
{
	u64 *values = kvmalloc_array(count, sizeof(*values), GFP_KERNEL);
	struct hw_mem table;
	unsigned int n;
	int ret;

	lockdep_assert_held(&sdma->test_lock);
	if (!values)
		return -ENOMEM;
	ret = hw_mem_alloc(sdma->hw, count * sizeof(u64), &table);
	if (ret)
		goto out_values;
	for (n = 0; n < count; n++)
		values[n] = sdma_test_entry(n, 1ULL << 32);
	ret = sdma_test_entries_round(sdma, &table, values, 1ULL << 32, count, res);
	if (!ret)
		ret = sdma_test_entries_round(sdma, &table, NULL, 1ULL << 40, count, res);
	hw_mem_free(sdma->hw, &table);
out_values:
	kvfree(values);
	return ret;
}

/**
 * sdma_test_entries - write and generate page-table entries and read them back
 * @sdma: device
 * @count: 1 to SDMA_TEST_MAX_ENTRIES
 * @res: filled in, on error as far as it came
 *
 * No translation uses the table.
 *
 * Context: process; sleeps.
 * Return: see sdma_test.h.
 */
int sdma_test_entries(struct sdma_device *sdma, unsigned int count, struct sdma_test_result *res)
{
	int ret;

	sdma_test_begin(res);
	if (!count || count > SDMA_TEST_MAX_ENTRIES)
		return -EINVAL;
	mutex_lock(&sdma->test_lock);
	ret = sdma_test_entries_locked(sdma, count, res);
	mutex_unlock(&sdma->test_lock);
	return ret;
}
