// SPDX-License-Identifier: MIT
/**
 * DOC: user queues
 *
 * The program brings the ring. An SDMA or PM4 queue gets a page of ours that
 * holds its read and write pointers; an AQL queue brings those too. Compute
 * queues also get an end-of-pipe buffer and, where the chip saves waves, a context
 * save area whose head says where errors are reported.
 *
 * A queue's id is a slot and a count of the slot's uses, so that the id of a
 * destroyed queue is refused. Queues live in the KFD until they are destroyed,
 * over closes of the channel as well.
 */
#include "queue.h"

#include <errno.h>
#include <linux/kfd_ioctl.h>
#include <stdlib.h>

#include "doorbell.h"
#include "queue_save_area.h"
#include "thunk_context.h"
#include "thunk_log.h"
#include "va_space.h"

#define EOP_SIZE	0x1000

/* Offsets of the pointers in a queue's page: apart by a cache line. */
#define WPTR_OFFSET	0x00
#define RPTR_OFFSET	0x40

/* Ids: use count in the upper half, slot + 1 in the lower, so that 0 is none. */
#define ID_USE_SHIFT	32

/* A process has far fewer queues in the KFD. */
#define QUEUE_LIMIT	65536

/* ---- slots ------------------------------------------------------------ */

static HSA_QUEUEID queue_id(uint32_t slot)
{
	return (uint64_t)thunk.queues[slot]->uses << ID_USE_SHIFT | (slot + 1);
}

struct thunk_queue *thunk_queue_by_id(HSA_QUEUEID id)
{
	uint32_t slot = (uint32_t)id - 1;
	struct thunk_queue *queue;

	if (slot >= thunk.queue_room)
		return NULL;
	queue = thunk.queues[slot];
	return queue->used && queue->uses == id >> ID_USE_SHIFT ? queue : NULL;
}

static int add_slot(void)
{
	struct thunk_queue **grown;
	struct thunk_queue *queue;

	if (thunk.queue_room == QUEUE_LIMIT)
		return -ENOSPC;
	grown = realloc(thunk.queues, (thunk.queue_room + 1) * sizeof(struct thunk_queue *));
	if (!grown)
		return -ENOMEM;
	thunk.queues = grown;
	queue = calloc(1, sizeof(*queue));
	if (!queue)
		return -ENOMEM;
	grown[thunk.queue_room++] = queue;
	return 0;
}

/* A free slot, marked as used. Return: its number or a negative errno. */
static int take_slot(void)
{
	uint32_t slot;
	int err;

	for (slot = 0; slot < thunk.queue_room; slot++)
		if (!thunk.queues[slot]->used)
			break;
	if (slot == thunk.queue_room) {
		err = add_slot();
		if (err)
			return err;
	}
	thunk.queues[slot]->used = true;
	thunk.queues[slot]->uses++;
	return (int)slot;
}

void thunk_queues_forget(void)
{
	uint32_t slot;

	for (slot = 0; slot < thunk.queue_room; slot++) {
		free(thunk.queues[slot]->cu_mask);
		free(thunk.queues[slot]);
	}
	free(thunk.queues);
}

/* ---- a queue's memory -------------------------------------------------- */

static void free_memory(struct mem_object **object)
{
	if (*object && mem_object_destroy(*object))
		thunk_warn("memory of a queue could not be freed");
	*object = NULL;
}

static void free_parts(struct thunk_queue *queue)
{
	free_memory(&queue->save_area);
	free_memory(&queue->eop);
	free_memory(&queue->pointers);
	free(queue->cu_mask);
	queue->cu_mask = NULL;
	queue->cu_mask_bits = 0;
	queue->used = false;
}

static int alloc_eop(struct thunk_queue *queue, const struct thunk_gpu *gpu)
{
	struct memory_wish wish = {
		.node = gpu->node,
		.size = va_page_round(EOP_SIZE),
		.flags.ui32 = { .NonPaged = 1, .ExecuteAccess = 1 },
	};

	return queue_memory_alloc(gpu, &wish, &queue->eop);
}

static int alloc_pointers(struct thunk_queue *queue, const struct thunk_gpu *gpu)
{
	struct memory_wish wish = {
		.size = thunk.page_size,
		.flags.ui32 = { .HostAccess = 1, .ExecuteAccess = 1, .Uncached = 1 },
	};

	return queue_host_alloc(gpu, &wish, &queue->pointers);
}

/* ---- creation ---------------------------------------------------------- */

static int kfd_queue_type(HSA_QUEUE_TYPE type, uint32_t *kfd_type)
{
	switch (type) {
	case HSA_QUEUE_COMPUTE:
		*kfd_type = KFD_IOC_QUEUE_TYPE_COMPUTE;
		return 0;
	case HSA_QUEUE_SDMA:
		*kfd_type = KFD_IOC_QUEUE_TYPE_SDMA;
		return 0;
	case HSA_QUEUE_SDMA_XGMI:
		*kfd_type = KFD_IOC_QUEUE_TYPE_SDMA_XGMI;
		return 0;
	case HSA_QUEUE_COMPUTE_AQL:
		*kfd_type = KFD_IOC_QUEUE_TYPE_COMPUTE_AQL;
		return 0;
	default:
		return -EINVAL;
	}
}

/* -3 .. 3 to the KFD's 0 .. 15 */
static int kfd_priority(HSA_QUEUE_PRIORITY priority, uint32_t *kfd)
{
	static const uint8_t map[] = { 0, 3, 5, 7, 9, 11, 15 };
	int index = (int)priority - HSA_QUEUE_PRIORITY_MINIMUM;

	if (index < 0 || index >= (int)sizeof(map))
		return -EINVAL;
	*kfd = map[index];
	return 0;
}

static bool is_compute(const struct kfd_ioctl_create_queue_args *args)
{
	return args->queue_type == KFD_IOC_QUEUE_TYPE_COMPUTE ||
	       args->queue_type == KFD_IOC_QUEUE_TYPE_COMPUTE_AQL;
}

static int add_pointers(struct thunk_queue *queue, const struct thunk_gpu *gpu,
			struct kfd_ioctl_create_queue_args *args)
{
	int err;

	if (args->queue_type == KFD_IOC_QUEUE_TYPE_COMPUTE_AQL)
		return args->read_pointer_address && args->write_pointer_address ? 0 : -EINVAL;
	err = alloc_pointers(queue, gpu);
	if (err)
		return err;
	args->write_pointer_address = queue->pointers->va.start + WPTR_OFFSET;
	args->read_pointer_address = queue->pointers->va.start + RPTR_OFFSET;
	return 0;
}

static int add_compute_parts(struct thunk_queue *queue, const struct thunk_gpu *gpu,
			     const HsaEvent *event, volatile HSAint64 *error_reason,
			     struct kfd_ioctl_create_queue_args *args)
{
	struct save_area_layout layout;
	int err;

	if (!is_compute(args))
		return 0;
	err = alloc_eop(queue, gpu);
	if (err)
		return err;
	args->eop_buffer_address = queue->eop->va.start;
	args->eop_buffer_size = EOP_SIZE;
	if (!save_area_plan(&gpu->props, thunk.page_size, &layout))
		return 0;
	err = save_area_alloc(gpu, &layout, event, error_reason, &queue->save_area);
	if (err)
		return err;
	args->ctx_save_restore_address = queue->save_area->va.start;
	args->ctx_save_restore_size = layout.save_size;
	args->ctl_stack_size = layout.control_stack_size;
	queue->control_stack_size = layout.control_stack_size;
	return 0;
}

static void destroy_in_kfd(uint32_t kfd_id)
{
	struct kfd_ioctl_destroy_queue_args args = { .queue_id = kfd_id };

	if (thunk_kfd(AMDKFD_IOC_DESTROY_QUEUE, &args))
		thunk_err("queue %u could not be destroyed", kfd_id);
}

static int create_queue(struct thunk_gpu *gpu, struct thunk_queue *queue, const HsaEvent *event,
			struct kfd_ioctl_create_queue_args *args, HsaQueueResource *resource)
{
	int err = add_pointers(queue, gpu, args);

	if (!err)
		err = add_compute_parts(queue, gpu, event, resource->ErrorReason, args);
	if (!err)
		err = thunk_kfd(AMDKFD_IOC_CREATE_QUEUE, args);
	if (err)
		return err;
	queue->kfd_id = args->queue_id;
	err = doorbell_map(gpu, args->doorbell_offset, &resource->QueueDoorBell);
	if (err)
		destroy_in_kfd(args->queue_id);
	return err;
}

static int create(struct thunk_gpu *gpu, const HsaEvent *event,
		  struct kfd_ioctl_create_queue_args *args, HsaQueueResource *resource)
{
	int slot = take_slot();
	int err;

	if (slot < 0)
		return slot;
	err = create_queue(gpu, thunk.queues[slot], event, args, resource);
	if (err) {
		free_parts(thunk.queues[slot]);
		return err;
	}
	resource->QueueId = queue_id((uint32_t)slot);
	resource->QueueRptrValue = args->read_pointer_address;
	resource->QueueWptrValue = args->write_pointer_address;
	return 0;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtCreateQueue(HSAuint32 NodeId, HSA_QUEUE_TYPE Type,
					  HSAuint32 QueuePercentage, HSA_QUEUE_PRIORITY Priority,
					  void *QueueAddress, HSAuint64 QueueSizeInBytes,
					  HsaEvent *Event, HsaQueueResource *QueueResource)
{
	struct kfd_ioctl_create_queue_args args = {
		.ring_base_address = (uintptr_t)QueueAddress,
		.ring_size = (uint32_t)QueueSizeInBytes,
		.queue_percentage = QueuePercentage,
	};
	HSAKMT_STATUS status = thunk_enter();
	struct thunk_gpu *gpu;
	int err;

	if (status)
		return status;
	if (!QueueResource || QueueSizeInBytes > UINT32_MAX ||
	    kfd_priority(Priority, &args.queue_priority) ||
	    kfd_queue_type(Type, &args.queue_type))
		return thunk_leave(-EINVAL);
	err = thunk_gpu_of_node(NodeId, &gpu);
	if (err)
		return thunk_leave(err);
	args.gpu_id = gpu->gpu_id;
	args.read_pointer_address = QueueResource->QueueRptrValue;
	args.write_pointer_address = QueueResource->QueueWptrValue;
	return thunk_leave(create(gpu, Event, &args, QueueResource));
}

/* ---- later -------------------------------------------------------------- */

HSAKMT_STATUS HSAKMTAPI hsaKmtUpdateQueue(HSA_QUEUEID QueueId, HSAuint32 QueuePercentage,
					  HSA_QUEUE_PRIORITY Priority, void *QueueAddress,
					  HSAuint64 QueueSize, HsaEvent *Event)
{
	struct kfd_ioctl_update_queue_args args = {
		.ring_base_address = (uintptr_t)QueueAddress,
		.ring_size = (uint32_t)QueueSize,
		.queue_percentage = QueuePercentage,
	};
	HSAKMT_STATUS status = thunk_enter();
	struct thunk_queue *queue;

	(void)Event;
	if (status)
		return status;
	queue = thunk_queue_by_id(QueueId);
	if (!queue || QueueSize > UINT32_MAX || kfd_priority(Priority, &args.queue_priority))
		return thunk_leave(-EINVAL);
	args.queue_id = queue->kfd_id;
	return thunk_leave(thunk_kfd(AMDKFD_IOC_UPDATE_QUEUE, &args));
}

HSAKMT_STATUS HSAKMTAPI hsaKmtDestroyQueue(HSA_QUEUEID QueueId)
{
	struct kfd_ioctl_destroy_queue_args args = { 0 };
	HSAKMT_STATUS status = thunk_enter();
	struct thunk_queue *queue;
	int err;

	if (status)
		return status;
	queue = thunk_queue_by_id(QueueId);
	if (!queue)
		return thunk_leave(-EINVAL);
	args.queue_id = queue->kfd_id;
	err = thunk_kfd(AMDKFD_IOC_DESTROY_QUEUE, &args);
	if (!err)
		free_parts(queue);
	return thunk_leave(err);
}

HSAKMT_STATUS HSAKMTAPI hsaKmtSetTrapHandler(HSAuint32 NodeId, void *TrapHandlerBaseAddress,
					     HSAuint64 TrapHandlerSizeInBytes,
					     void *TrapBufferBaseAddress,
					     HSAuint64 TrapBufferSizeInBytes)
{
	struct kfd_ioctl_set_trap_handler_args args = {
		.tba_addr = (uintptr_t)TrapHandlerBaseAddress,
		.tma_addr = (uintptr_t)TrapBufferBaseAddress,
	};
	struct thunk_gpu *gpu;
	HSAKMT_STATUS status = thunk_enter_gpu(NodeId, &gpu);

	(void)TrapHandlerSizeInBytes;
	(void)TrapBufferSizeInBytes;
	if (status)
		return status;
	args.gpu_id = gpu->gpu_id;
	return thunk_leave(thunk_kfd(AMDKFD_IOC_SET_TRAP_HANDLER, &args));
}
