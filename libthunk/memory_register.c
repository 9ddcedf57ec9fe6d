// SPDX-License-Identifier: MIT
/**
 * DOC: registering a program's own memory
 *
 * Registered pages get a GPU address of their own; map calls report it. The same
 * range can be registered again: it is one object with a count. Registering
 * memory that this library allocated only says which GPUs may map it.
 */
#include <errno.h>
#include <linux/kfd_ioctl.h>
#include <string.h>

#include "node_list.h"
#include "thunk_context.h"
#include "va_space.h"

/* Touch each page: a bad pointer crashes here, where it is easy to find. */
static void touch_pages(const void *address, uint64_t size)
{
	const volatile char *byte = address;
	uint64_t at;

	for (at = 0; at < size; at += thunk.page_size)
		(void)byte[at];
	(void)byte[size - 1];
}

static int register_user(void *address, uint64_t size, bool coarse, struct mem_object **object)
{
	uint64_t offset = (uintptr_t)address & (thunk.page_size - 1);
	struct mem_request request = {
		.kind = MEM_USER,
		.size = va_page_round(offset + size),
		.user = (uintptr_t)address - offset,
		.ioc_flags = KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE |
			     KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE,
	};
	struct thunk_gpu *gpu;
	int err = thunk_any_gpu(&gpu);

	if (err)
		return err;
	if (!size || request.user + request.size <= request.user)
		return -EINVAL;
	if (thunk.options.check_userptr)
		touch_pages(address, size);
	if (!coarse)
		request.ioc_flags |= KFD_IOC_ALLOC_MEM_FLAGS_COHERENT;
	request.gpu_id = gpu->gpu_id;
	err = mem_object_create(&request, object, NULL);
	if (err)
		return err;
	(*object)->node = gpu->node;
	mem_object_set_user(*object, address, size);
	return 0;
}

static bool same_nodes(const struct mem_nodes *set, const struct node_list *list)
{
	return set->count == list->count &&
	       !memcmp(set->gpu_ids, list->gpu_ids, list->count * sizeof(*list->gpu_ids));
}

/* Say which GPUs may map @object. Changing that later is not possible. */
static HSAKMT_STATUS register_nodes(struct mem_object *object, const struct node_list *list)
{
	if (!list)
		return HSAKMT_STATUS_SUCCESS;
	if (!object->registered.count)
		return thunk_status(mem_nodes_set(&object->registered, list->gpu_ids,
						  list->count));
	if (!same_nodes(&object->registered, list))
		return HSAKMT_STATUS_MEMORY_ALREADY_REGISTERED;
	return HSAKMT_STATUS_SUCCESS;
}

static HSAKMT_STATUS register_memory(void *address, uint64_t size, bool coarse,
				     const struct node_list *list)
{
	struct mem_object *object = mem_object_find(address, size);
	HSAKMT_STATUS status;
	bool made = !object;
	int err;

	if (made) {
		err = register_user(address, size, coarse, &object);
		if (err)
			return thunk_status(err);
	}
	status = register_nodes(object, list);
	if (status) {
		if (made)
			mem_object_destroy(object);
		return status;
	}
	if (object->kind == MEM_USER)
		object->registrations++;
	return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtRegisterMemory(void *MemoryAddress, HSAuint64 MemorySizeInBytes)
{
	HSAKMT_STATUS status = thunk_enter();

	if (status)
		return status;
	status = register_memory(MemoryAddress, MemorySizeInBytes, true, NULL);
	thunk_unlock();
	return status;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtRegisterMemoryToNodes(void *MemoryAddress,
						    HSAuint64 MemorySizeInBytes,
						    HSAuint64 NumberOfNodes, HSAuint32 *NodeArray)
{
	HSAKMT_STATUS status = thunk_enter();
	struct node_list list;
	int err;

	if (status)
		return status;
	err = node_list_init(&list, NodeArray, NumberOfNodes);
	if (err)
		return thunk_leave(err);
	status = register_memory(MemoryAddress, MemorySizeInBytes, true, &list);
	node_list_fini(&list);
	thunk_unlock();
	return status;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtRegisterMemoryWithFlags(void *MemoryAddress,
						      HSAuint64 MemorySizeInBytes,
						      HsaMemFlags MemFlags)
{
	HSAKMT_STATUS status = thunk_enter();

	if (status)
		return status;
	/* Only ordinary host memory can be registered. */
	if (!MemFlags.ui32.HostAccess || MemFlags.ui32.NonPaged)
		return thunk_leave(-EOPNOTSUPP);
	status = register_memory(MemoryAddress, MemorySizeInBytes, MemFlags.ui32.CoarseGrain,
				 NULL);
	thunk_unlock();
	return status;
}

static HSAKMT_STATUS deregister(struct mem_object *object)
{
	if (object->kind == MEM_USER && object->registrations > 1) {
		object->registrations--;
		return HSAKMT_STATUS_SUCCESS;
	}
	if (object->kind == MEM_USER || object->kind == MEM_IMPORT || object->kind == MEM_SHARED)
		return thunk_status(mem_object_destroy(object));
	if (!object->registered.count)
		return HSAKMT_STATUS_MEMORY_NOT_REGISTERED;
	mem_nodes_clear(&object->registered);
	return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtDeregisterMemory(void *MemoryAddress)
{
	HSAKMT_STATUS status = thunk_enter();
	struct mem_object *object;

	if (status)
		return status;
	object = mem_object_find(MemoryAddress, 0);
	status = object ? deregister(object) : HSAKMT_STATUS_MEMORY_NOT_REGISTERED;
	thunk_unlock();
	return status;
}
