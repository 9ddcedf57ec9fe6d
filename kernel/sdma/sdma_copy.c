// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: copy service
 *
 * Splits copies, fills and page-table updates into packets and jobs.  All jobs of
 * one call go to one ring, which runs them in order, so the fence of the last one
 * covers them all.  Bulk work takes the GFX ring, entries take the page ring.
 */
#include <linux/align.h>
#include <linux/err.h>
#include <linux/overflow.h>

#include "sdma_device.h"
#include "sdma_emit.h"

/* Packets of one bulk job: bounds how long one fence can take. */
#define SDMA_BULK_PACKETS	16
/* Entries of one job of written entries, beside the packet's head. */
#define SDMA_WRITE_ENTRIES_MAX	((SDMA_JOB_MAX_DWORDS - SDMA_DWORDS(sdma_pkt_write)) / 2)

/**
 * struct sdma_batch - jobs of one call
 * @sdma: device
 * @kind: ring kind
 * @mask: 0, then the instance that the first job went to
 * @fence: of the job submitted last, or NULL
 */
struct sdma_batch {
	struct sdma_device *sdma;
	enum sdma_ring_kind kind;
	u16 mask;
	struct dma_fence *fence;
};

static struct sdma_job *sdma_batch_job(struct sdma_batch *batch, unsigned int dwords)
{
	struct sdma_job *job = sdma_job_alloc(batch->sdma, batch->kind, batch->mask, dwords);

	if (!IS_ERR(job))
		batch->mask = BIT(job->ring->instance);
	return job;
}

static void sdma_batch_submit(struct sdma_batch *batch, struct sdma_job *job)
{
	job->prev = batch->fence;
	batch->fence = sdma_job_submit(job);
}

/* The caller may free the memory of a call that failed: let what was submitted end. */
static struct dma_fence *sdma_batch_fail(struct sdma_batch *batch, int error)
{
	if (batch->fence) {
		sdma_fence_wait(batch->fence, 0);
		dma_fence_put(batch->fence);
	}
	return ERR_PTR(error);
}

static bool sdma_range_bad(u64 addr, u64 bytes)
{
	u64 end;

	return !bytes || check_add_overflow(addr, bytes - 1, &end);
}

/**
 * sdma_copy - copy memory with an engine
 * @sdma: device
 * @dst: MC address
 * @src: MC address
 * @bytes: any length but 0; the areas do not overlap
 *
 * Context: process; sleeps.
 * Return: a referenced fence, or ERR_PTR(); see sdma.h.
 */
struct dma_fence *sdma_copy(struct sdma_device *sdma, u64 dst, u64 src, u64 bytes)
{
	struct sdma_batch batch = { .sdma = sdma, .kind = SDMA_RING_GFX };
	struct sdma_job *job;
	unsigned int n;
	u32 part;

	if (sdma_range_bad(dst, bytes) || sdma_range_bad(src, bytes))
		return ERR_PTR(-EINVAL);
	while (bytes) {
		job = sdma_batch_job(&batch, SDMA_BULK_PACKETS * SDMA_DWORDS(sdma_pkt_copy));
		if (IS_ERR(job))
			return sdma_batch_fail(&batch, PTR_ERR(job));
		for (n = 0; bytes && n < SDMA_BULK_PACKETS; n++) {
			part = min_t(u64, bytes, SDMA_COPY_MAX_BYTES);
			job->len = sdma_emit_copy_linear(job->ib, job->len, dst, src, part);
			job->bytes += part;
			dst += part;
			src += part;
			bytes -= part;
		}
		sdma_batch_submit(&batch, job);
	}
	return batch.fence;
}

/**
 * sdma_fill - store a dword over and over with an engine
 * @sdma: device
 * @dst: MC address, a multiple of 4
 * @pattern: the dword
 * @bytes: a multiple of 4 but not 0
 *
 * Context: process; sleeps.
 * Return: a referenced fence, or ERR_PTR(); see sdma.h.
 */
struct dma_fence *sdma_fill(struct sdma_device *sdma, u64 dst, u32 pattern, u64 bytes)
{
	struct sdma_batch batch = { .sdma = sdma, .kind = SDMA_RING_GFX };
	struct sdma_job *job;
	unsigned int n;
	u32 part;

	if (sdma_range_bad(dst, bytes) || !IS_ALIGNED(dst | bytes, sizeof(u32)))
		return ERR_PTR(-EINVAL);
	while (bytes) {
		job = sdma_batch_job(&batch, SDMA_BULK_PACKETS * SDMA_DWORDS(sdma_pkt_fill));
		if (IS_ERR(job))
			return sdma_batch_fail(&batch, PTR_ERR(job));
		for (n = 0; bytes && n < SDMA_BULK_PACKETS; n++) {
			part = min_t(u64, bytes, SDMA_COPY_MAX_BYTES);
			job->len = sdma_emit_fill(job->ib, job->len, dst, pattern, part);
			job->bytes += part;
			dst += part;
			bytes -= part;
		}
		sdma_batch_submit(&batch, job);
	}
	return batch.fence;
}

static bool sdma_entries_bad(u64 pe, unsigned int count)
{
	return sdma_range_bad(pe, (u64)count * sizeof(u64)) || !IS_ALIGNED(pe, sizeof(u64));
}

/**
 * sdma_write_entries - store page-table entries with an engine
 * @sdma: device
 * @pe: MC address of the first entry, a multiple of 8
 * @entries: their values; no longer needed when the call returns
 * @count: how many, but not 0
 *
 * Context: process; sleeps; enters no reclaim.
 * Return: a referenced fence, or ERR_PTR(); see sdma.h.
 */
struct dma_fence *sdma_write_entries(struct sdma_device *sdma, u64 pe, const u64 *entries,
				     unsigned int count)
{
	struct sdma_batch batch = { .sdma = sdma, .kind = SDMA_RING_PAGE };
	struct sdma_job *job;
	unsigned int part;

	if (sdma_entries_bad(pe, count))
		return ERR_PTR(-EINVAL);
	while (count) {
		part = min_t(unsigned int, count, SDMA_WRITE_ENTRIES_MAX);
		job = sdma_batch_job(&batch, SDMA_DWORDS(sdma_pkt_write) + 2 * part);
		if (IS_ERR(job))
			return sdma_batch_fail(&batch, PTR_ERR(job));
		job->len = sdma_emit_write_entries(job->ib, 0, pe, entries, part);
		job->bytes = part * sizeof(u64);
		sdma_batch_submit(&batch, job);
		pe += part * sizeof(u64);
		entries += part;
		count -= part;
	}
	return batch.fence;
}

/**
 * sdma_generate_entries - have an engine make page-table entries up
 * @sdma: device
 * @pe: MC address of the first entry, a multiple of 8
 * @addr: address in the first entry
 * @flags: set in every entry
 * @count: how many, but not 0
 * @incr: what the address grows by from entry to entry
 *
 * Context: process; sleeps; enters no reclaim.
 * Return: a referenced fence, or ERR_PTR(); see sdma.h.
 */
struct dma_fence *sdma_generate_entries(struct sdma_device *sdma, u64 pe, u64 addr, u64 flags,
					unsigned int count, u32 incr)
{
	struct sdma_batch batch = { .sdma = sdma, .kind = SDMA_RING_PAGE };
	struct sdma_job *job;
	unsigned int part;

	if (sdma_entries_bad(pe, count))
		return ERR_PTR(-EINVAL);
	while (count) {
		part = min_t(unsigned int, count, SDMA_PTEPDE_MAX_ENTRIES);
		job = sdma_batch_job(&batch, SDMA_DWORDS(sdma_pkt_ptepde));
		if (IS_ERR(job))
			return sdma_batch_fail(&batch, PTR_ERR(job));
		job->len = sdma_emit_ptepde_generate(job->ib, 0, pe, flags, addr, incr, part);
		job->bytes = part * sizeof(u64);
		sdma_batch_submit(&batch, job);
		pe += part * sizeof(u64);
		addr += (u64)part * incr;
		count -= part;
	}
	return batch.fence;
}
