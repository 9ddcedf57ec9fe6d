/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: writing page-table entries
 *
 * A &struct vm_update is one batch.  Two back ends: jobs on the page ring, or
 * stores by the CPU.  A batch is over, and its entries are in memory, when
 * vm_update_end() has returned.  Batches of one space may be written in parallel
 * where they touch different entries.
 *
 * The MMU notifier uses the CPU: a job needs memory, and a notifier may run
 * because there is none.  The tables it writes were filled when they were made, so
 * that their pages exist.  For one mapping the back ends do not mix while it is
 * mapped: entries of user pages are always written by the CPU, under
 * &vm_bo_user.lock, so that no job of a map is in flight when a notifier clears.
 */
#ifndef CARILLON_VM_UPDATE_H
#define CARILLON_VM_UPDATE_H

#include <linux/types.h>

struct dma_fence;
struct sdma_job;
struct vm_device;

#define VM_UPDATE_FENCES	16

/**
 * struct vm_update - a batch of entries on their way to memory
 * @vmd: device
 * @there: the device was there at the start, and stays until the end
 * @idx: for vm_device_exit()
 * @sdma: use the page ring; dropped when it refuses a job
 * @stored: the CPU wrote something that is to be flushed out of HDP
 * @job: job that is being filled, or NULL
 * @count: fences in @fences
 * @fences: jobs that were not waited for
 * @error: first failed wait
 */
struct vm_update {
	struct vm_device *vmd;
	bool there;
	int idx;
	bool sdma;
	bool stored;
	struct sdma_job *job;
	unsigned int count;
	struct dma_fence *fences[VM_UPDATE_FENCES];
	int error;
};

void vm_update_begin(struct vm_update *upd, struct vm_device *vmd, bool may_alloc);
int vm_update_write(struct vm_update *upd, u64 pe, const u64 *entries, unsigned int count);
int vm_update_fill(struct vm_update *upd, u64 pe, u64 addr, u64 flags, unsigned int count,
		   u32 incr);
int vm_update_end(struct vm_update *upd);

#endif /* CARILLON_VM_UPDATE_H */
