// SPDX-License-Identifier: MIT
/**
 * DOC: waves of compute queues
 *
 * Which CUs a queue may use, its share of the global wave sync, and where its waves
 * were saved while it is stopped. A driver that cannot do one of them says so.
 */
#include <errno.h>
#include <linux/kfd_ioctl.h>
#include <stdlib.h>
#include <string.h>

#include "queue.h"
#include "thunk_context.h"

#define MASK_BITS	32

/* No chip has more CUs. */
#define MASK_LIMIT	1024

static int set_cu_mask(struct thunk_queue *queue, const uint32_t *mask, uint32_t bits)
{
	size_t bytes = bits / MASK_BITS * sizeof(*mask);
	uint32_t *copy = malloc(bytes);
	struct kfd_ioctl_set_cu_mask_args args = {
		.queue_id = queue->kfd_id,
		.num_cu_mask = bits,
		.cu_mask_ptr = (uintptr_t)copy,
	};
	int err;

	if (!copy)
		return -ENOMEM;
	memcpy(copy, mask, bytes);
	err = thunk_kfd(AMDKFD_IOC_SET_CU_MASK, &args);
	if (err) {
		free(copy);
		return err;
	}
	free(queue->cu_mask);
	queue->cu_mask = copy;
	queue->cu_mask_bits = bits;
	return 0;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtSetQueueCUMask(HSA_QUEUEID QueueId, HSAuint32 CUMaskCount,
					     HSAuint32 *QueueCUMask)
{
	HSAKMT_STATUS status = thunk_enter();
	struct thunk_queue *queue;

	if (status)
		return status;
	queue = thunk_queue_by_id(QueueId);
	if (!queue || !QueueCUMask || !CUMaskCount || CUMaskCount % MASK_BITS ||
	    CUMaskCount > MASK_LIMIT)
		return thunk_leave(-EINVAL);
	return thunk_leave(set_cu_mask(queue, QueueCUMask, CUMaskCount));
}

static int queue_info(const struct thunk_queue *queue, HsaQueueInfo *info)
{
	struct kfd_ioctl_get_queue_wave_state_args args = { .queue_id = queue->kfd_id };
	char *area;
	int err;

	/* Only queues whose waves can be saved have a state. */
	if (!queue->save_area)
		return -EOPNOTSUPP;
	area = (void *)(uintptr_t)queue->save_area->va.start;
	args.ctl_stack_address = (uintptr_t)area;
	err = thunk_kfd(AMDKFD_IOC_GET_QUEUE_WAVE_STATE, &args);
	if (err)
		return err;
	memset(info, 0, sizeof(*info));
	info->NumCUAssigned = queue->cu_mask_bits;
	info->CUMaskInfo = queue->cu_mask;
	info->UserContextSaveArea = (void *)(area + queue->control_stack_size);
	info->SaveAreaSizeInBytes = args.save_area_used_size;
	/* The stack grows down from the waves' state. */
	info->ControlStackTop =
		(void *)(area + queue->control_stack_size - args.ctl_stack_used_size);
	info->ControlStackUsedInBytes = args.ctl_stack_used_size;
	info->SaveAreaHeader = (void *)area;
	return 0;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtGetQueueInfo(HSA_QUEUEID QueueId, HsaQueueInfo *QueueInfo)
{
	HSAKMT_STATUS status = thunk_enter();
	struct thunk_queue *queue;

	if (status)
		return status;
	queue = thunk_queue_by_id(QueueId);
	return thunk_leave(queue && QueueInfo ? queue_info(queue, QueueInfo) : -EINVAL);
}

HSAKMT_STATUS HSAKMTAPI hsaKmtAllocQueueGWS(HSA_QUEUEID QueueId, HSAuint32 nGWS,
					    HSAuint32 *firstGWS)
{
	struct kfd_ioctl_alloc_queue_gws_args args = { .num_gws = nGWS };
	HSAKMT_STATUS status = thunk_enter();
	struct thunk_queue *queue;
	int err;

	if (status)
		return status;
	queue = thunk_queue_by_id(QueueId);
	if (!queue)
		return thunk_leave(-EINVAL);
	args.queue_id = queue->kfd_id;
	err = thunk_kfd(AMDKFD_IOC_ALLOC_QUEUE_GWS, &args);
	if (!err && firstGWS)
		*firstGWS = args.first_gws;
	/* "No such device" is a GPU without GWS, "busy" is all of it in use. */
	if (err == -ENODEV)
		err = -EOPNOTSUPP;
	return thunk_leave(err == -EBUSY ? -ENOSPC : err);
}
