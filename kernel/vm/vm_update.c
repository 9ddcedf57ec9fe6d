// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: writing page-table entries: by the page ring or by the CPU
 *
 * Entries of a batch are collected in one job, as many as it holds: PTEPDE packets
 * where they follow from each other, WRITE packets where not.
 *
 * A ring that takes no job (out of memory, no free slot in time) does not fail an
 * update: the CPU writes the rest of the batch.  A job that was taken and does not
 * end in time does: the caller must then treat what the job may still write, and
 * what it maps, as in use (see vm_space.c).
 *
 * The device cannot go between vm_update_begin() and vm_update_end().
 */
#include <linux/dma-fence.h>
#include <linux/kernel.h>

#include "../hw/hw_device.h"
#include "../sdma/sdma.h"
#include "../sdma/sdma_emit.h"
#include "../sdma/sdma_packet.h"
#include "vm_device.h"
#include "vm_trace.h"
#include "vm_update.h"
#include "vm_walk.h"

/* Entries that the CPU back end makes at a time, on the stack. */
#define VM_UPDATE_CHUNK		32
#define VM_ENTRY_SIZE		sizeof(u64)
/* The longest packet: all entries of a table, one by one. */
#define VM_UPDATE_WRITE_DWORDS	(SDMA_DWORDS(sdma_pkt_write) + 2 * VM_TABLE_ENTRIES)

/**
 * vm_update_begin - start a batch
 * @upd: batch
 * @vmd: device
 * @may_alloc: the page ring may be used; false in the MMU notifier and for entries
 *	that it may have to write
 *
 * Context: any; vm_update_end() follows in any case.
 */
void vm_update_begin(struct vm_update *upd, struct vm_device *vmd, bool may_alloc)
{
	BUILD_BUG_ON(VM_UPDATE_WRITE_DWORDS > SDMA_JOB_MAX_DWORDS);
	upd->vmd = vmd;
	upd->there = vm_device_enter(vmd, &upd->idx);
	upd->sdma = may_alloc && vmd->sdma_updates;
	upd->stored = false;
	upd->job = NULL;
	upd->count = 0;
	upd->error = 0;
}

/* ---- page ring ---- */

static void vm_update_wait_oldest(struct vm_update *upd)
{
	struct dma_fence *fence = upd->fences[0];
	int ret = sdma_fence_wait(fence, 0);

	if (ret && !upd->error)
		upd->error = ret;
	dma_fence_put(fence);
	upd->count--;
	memmove(&upd->fences[0], &upd->fences[1], upd->count * sizeof(upd->fences[0]));
}

static void vm_update_submit(struct vm_update *upd)
{
	if (!upd->job)
		return;
	if (upd->count == VM_UPDATE_FENCES)
		vm_update_wait_oldest(upd);
	upd->fences[upd->count++] = sdma_job_submit(upd->job);
	upd->job = NULL;
}

/* A job with room for a packet, or NULL: let the CPU do it. */
static struct sdma_job *vm_update_room(struct vm_update *upd, unsigned int dwords)
{
	struct sdma_job *job;

	if (upd->job && upd->job->max - upd->job->len >= dwords)
		return upd->job;
	vm_update_submit(upd);
	if (!upd->sdma)
		return NULL;
	job = sdma_job_alloc(upd->vmd->sdma, SDMA_RING_PAGE, 0, SDMA_JOB_MAX_DWORDS);
	if (IS_ERR(job)) {
		upd->sdma = false;
		return NULL;
	}
	upd->job = job;
	return job;
}

static bool vm_update_emit(struct vm_update *upd, u64 pe, const u64 *entries, unsigned int count)
{
	struct sdma_job *job;

	job = vm_update_room(upd, SDMA_DWORDS(sdma_pkt_write) + 2 * count);
	if (!job)
		return false;
	job->len = sdma_emit_write_entries(job->ib, job->len, upd->vmd->hw->vram_base + pe,
					   entries, count);
	job->bytes += count * VM_ENTRY_SIZE;
	return true;
}

static bool vm_update_emit_fill(struct vm_update *upd, u64 pe, u64 addr, u64 flags,
				unsigned int count, u32 incr)
{
	struct sdma_job *job = vm_update_room(upd, SDMA_DWORDS(sdma_pkt_ptepde));

	if (!job)
		return false;
	job->len = sdma_emit_ptepde_generate(job->ib, job->len, upd->vmd->hw->vram_base + pe,
					     flags, addr, incr, count);
	job->bytes += count * VM_ENTRY_SIZE;
	return true;
}

/* ---- CPU ---- */

static int vm_update_store(struct vm_update *upd, u64 pe, const u64 *entries, unsigned int count)
{
	upd->stored = true;
	return hw_vram_write(upd->vmd->hw, pe, entries, count * VM_ENTRY_SIZE);
}

static int vm_update_store_fill(struct vm_update *upd, u64 pe, u64 addr, u64 flags,
				unsigned int count, u32 incr)
{
	u64 entries[VM_UPDATE_CHUNK];
	int ret = 0;

	while (count && !ret) {
		unsigned int i, n = min_t(unsigned int, count, VM_UPDATE_CHUNK);

		for (i = 0; i < n; i++, addr += incr)
			entries[i] = addr | flags;
		ret = vm_update_store(upd, pe, entries, n);
		pe += n * VM_ENTRY_SIZE;
		count -= n;
	}
	return ret;
}

/* ---- what callers see ---- */

/**
 * vm_update_write - write entries
 * @upd: batch
 * @pe: VRAM offset of the first
 * @entries: entries of one table; copied before the call returns
 * @count: how many, 1 to VM_TABLE_ENTRIES
 *
 * Context: process context; allocates only with the page ring.
 * Return: 0, -ENODEV (gone) or an error of the CPU back end.
 */
int vm_update_write(struct vm_update *upd, u64 pe, const u64 *entries, unsigned int count)
{
	if (!upd->there)
		return -ENODEV;
	if (vm_update_emit(upd, pe, entries, count)) {
		trace_vm_update(upd, pe, entries[0], count, 0, true);
		return 0;
	}
	trace_vm_update(upd, pe, entries[0], count, 0, false);
	return vm_update_store(upd, pe, entries, count);
}

/**
 * vm_update_fill - write entries that follow from each other
 * @upd: batch
 * @pe: VRAM offset of the first
 * @addr: address in the first
 * @flags: or-ed into each
 * @count: how many, 1 to VM_TABLE_ENTRIES
 * @incr: added to the address from one to the next
 *
 * Context: process context; allocates only with the page ring.
 * Return: 0, -ENODEV (gone) or an error of the CPU back end.
 */
int vm_update_fill(struct vm_update *upd, u64 pe, u64 addr, u64 flags, unsigned int count,
		   u32 incr)
{
	if (!upd->there)
		return -ENODEV;
	if (vm_update_emit_fill(upd, pe, addr, flags, count, incr)) {
		trace_vm_update(upd, pe, addr | flags, count, incr, true);
		return 0;
	}
	trace_vm_update(upd, pe, addr | flags, count, incr, false);
	return vm_update_store_fill(upd, pe, addr, flags, count, incr);
}

/**
 * vm_update_end - wait until all entries of the batch are in memory
 * @upd: batch; ended in any case
 *
 * Context: process context, bounded; allocates nothing.
 * Return: 0, -ENODEV (gone), -ETIMEDOUT or the error of a job.
 */
int vm_update_end(struct vm_update *upd)
{
	if (!upd->there)
		return -ENODEV;
	vm_update_submit(upd);
	while (upd->count)
		vm_update_wait_oldest(upd);
	if (upd->stored)
		hw_hdp_flush(upd->vmd->hw);
	vm_device_exit(upd->idx);
	return upd->error;
}
