// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: self-test of jobs that run in an address space
 *
 * Two spaces map different pages at the same address.  Jobs of a VMID that no process
 * gets store there, and each brings the page directory of the other space than the
 * job before: only if the VM flush in its frame works does the store land where it
 * belongs.  The spaces themselves know of no VMID, so nothing else flushes.
 */
#include <linux/dma-fence.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mm.h>

#include "../hw/hw_device.h"
#include "../sdma/sdma.h"
#include "../sdma/sdma_emit.h"
#include "vm_device.h"
#include "vm_job_test.h"
#include "vm_pte.h"

/* Processes get VMID 8 and up. */
#define VM_TEST_VMID		1
#define VM_TEST_DATA		0x100000000ULL
#define VM_TEST_IB		0x100200000ULL
#define VM_TEST_IB_PAGES	(SDMA_JOB_MAX_DWORDS * sizeof(u32) / PAGE_SIZE)
#define VM_TEST_VALUE		0x5eed0000u

/**
 * struct vm_test_side - one of the two spaces
 * @vm: space
 * @bo: the page at VM_TEST_DATA
 * @cpu: where the CPU sees it
 * @want: what it must hold
 */
struct vm_test_side {
	struct vm_space *vm;
	struct vm_bo *bo;
	u32 *cpu;
	u32 want;
};

static int vm_test_side_init(struct vm_device *vmd, struct vm_test_side *side)
{
	void *cpu;
	int ret;

	side->vm = vm_space_create(vmd);
	if (IS_ERR(side->vm))
		return PTR_ERR(side->vm);
	side->bo = vm_bo_create(vmd, VM_BO_GTT, PAGE_SIZE, 0);
	if (IS_ERR(side->bo)) {
		ret = PTR_ERR(side->bo);
		goto err_vm;
	}
	ret = vm_bo_vmap(side->bo, &cpu);
	if (ret)
		goto err_bo;
	side->cpu = cpu;
	ret = vm_space_map(side->vm, side->bo, VM_TEST_DATA, VM_MAP_READ | VM_MAP_WRITE);
	if (!ret)
		return 0;
	vm_bo_vunmap(side->bo);
err_bo:
	vm_bo_put(side->bo);
err_vm:
	vm_space_put(side->vm);
	return ret;
}

static void vm_test_side_fini(struct vm_test_side *side)
{
	vm_space_put(side->vm);
	vm_bo_vunmap(side->bo);
	vm_bo_put(side->bo);
}

static int vm_test_map_ib(struct vm_test_side *side, const struct sdma_job *job)
{
	dma_addr_t pages[VM_TEST_IB_PAGES];
	unsigned int i;

	for (i = 0; i < VM_TEST_IB_PAGES; i++)
		pages[i] = job->ib_dma + i * PAGE_SIZE;
	return vm_space_map_io(side->vm, VM_TEST_IB, pages, VM_TEST_IB_PAGES, NULL,
			       VM_MAP_READ);
}

static int vm_test_run(struct vm_test_side *side, struct sdma_job *job,
		       struct sdma_test_result *res)
{
	struct dma_fence *fence;
	int ret;

	job->vmid = VM_TEST_VMID;
	job->ib_va = VM_TEST_IB;
	job->root = vm_space_root(side->vm);
	job->len = sdma_emit_write_linear(job->ib, 0, VM_TEST_DATA, &side->want, 1);
	job->bytes = sizeof(side->want);
	fence = sdma_job_submit(job);
	ret = sdma_fence_wait(fence, 0);
	res->seq = fence->seqno;
	res->jobs++;
	dma_fence_put(fence);
	return ret;
}

/* Store @value by way of @side; the page of @other must not change. */
static int vm_test_job(struct vm_device *vmd, struct vm_test_side *side,
		       const struct vm_test_side *other, u32 value, struct sdma_test_result *res)
{
	struct sdma_job *job;
	int ret, unmapped;

	job = sdma_job_alloc(vmd->sdma, SDMA_RING_GFX, 0, SDMA_DWORDS(sdma_pkt_write) + 1);
	if (IS_ERR(job))
		return PTR_ERR(job);
	ret = vm_test_map_ib(side, job);
	if (ret) {
		sdma_job_cancel(job);
		return ret;
	}
	side->want = value;
	ret = vm_test_run(side, job, res);
	unmapped = vm_space_unmap(side->vm, VM_TEST_IB);
	if (ret || unmapped)
		return ret ? ret : unmapped;
	if (READ_ONCE(*side->cpu) != side->want || READ_ONCE(*other->cpu) != other->want)
		return -EIO;
	res->bytes += sizeof(value);
	return 0;
}

/**
 * vm_test_jobs - jobs whose page directory changes from one to the next
 * @vmd: device
 * @jobs: how many, 1 to VM_TEST_MAX_JOBS
 * @res: jobs, bytes and the last fence, on error as far as it came
 *
 * The caller lets one run at a time.
 *
 * Context: process; sleeps.
 * Return: 0, -EINVAL, -EIO (a store went elsewhere), -ENOMEM, -ETIMEDOUT, -ENODEV.
 */
int vm_test_jobs(struct vm_device *vmd, unsigned int jobs, struct sdma_test_result *res)
{
	struct vm_test_side side[2] = { };
	unsigned int i;
	int idx, ret;

	if (!jobs || jobs > VM_TEST_MAX_JOBS)
		return -EINVAL;
	if (!vm_device_enter(vmd, &idx))
		return -ENODEV;
	ret = vm_test_side_init(vmd, &side[0]);
	if (ret)
		goto out_device;
	ret = vm_test_side_init(vmd, &side[1]);
	if (ret)
		goto out_first;
	for (i = 0; i < jobs && !ret; i++)
		ret = vm_test_job(vmd, &side[i % 2], &side[!(i % 2)], VM_TEST_VALUE + i, res);
	/* Nothing that the VMID knows may outlive the pages. */
	hw_hub_clear_context(vmd->hw, VM_TEST_VMID);
	vm_test_side_fini(&side[1]);
out_first:
	vm_test_side_fini(&side[0]);
out_device:
	vm_device_exit(idx);
	return ret;
}
