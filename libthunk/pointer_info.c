// SPDX-License-Identifier: MIT
/**
 * DOC: what a pointer points to
 *
 * A pointer anywhere inside an object finds it, by the program's address first:
 * two objects can hold one number, one as a user address and one as a GPU's.
 */
#include <errno.h>
#include <string.h>

#include "thunk_context.h"

static void fill_info(const struct mem_object *object, HsaPointerInfo *info)
{
	info->Node = object->node;
	info->GPUAddress = object->va.start;
	info->SizeInBytes = object->va.size;
	info->CPUAddress = (void *)(uintptr_t)object->va.start;
	info->NRegisteredNodes = object->registered.count;
	info->RegisteredNodes = object->registered.nodes;
	info->NMappedNodes = object->mapped.count;
	info->MappedNodes = object->mapped.nodes;
	info->UserData = object->user_data;
	if (object->kind == MEM_IMPORT) {
		info->Type = HSA_POINTER_REGISTERED_GRAPHICS;
		info->CPUAddress = NULL;
		return;
	}
	if (object->kind != MEM_USER) {
		info->Type = object->kind == MEM_SHARED ? HSA_POINTER_REGISTERED_SHARED :
							  HSA_POINTER_ALLOCATED;
		info->MemFlags = object->flags;
		return;
	}
	info->Type = HSA_POINTER_REGISTERED_USER;
	info->CPUAddress = (void *)(uintptr_t)object->user.start;
	info->SizeInBytes = object->user.size;
	info->GPUAddress += object->user.start & (thunk.page_size - 1);
}

HSAKMT_STATUS HSAKMTAPI hsaKmtQueryPointerInfo(const void *Pointer, HsaPointerInfo *PointerInfo)
{
	HSAKMT_STATUS status = thunk_enter();
	const struct mem_object *object;

	if (status)
		return status;
	if (!PointerInfo)
		return thunk_leave(-EINVAL);
	memset(PointerInfo, 0, sizeof(*PointerInfo));
	object = mem_object_holder(Pointer);
	if (object)
		fill_info(object, PointerInfo);
	thunk_unlock();
	/* Type says "unknown" as well, for callers that look only there. */
	return object ? HSAKMT_STATUS_SUCCESS : HSAKMT_STATUS_ERROR;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtSetMemoryUserData(const void *Pointer, void *UserData)
{
	HSAKMT_STATUS status = thunk_enter();
	struct mem_object *object;

	if (status)
		return status;
	object = mem_object_find(Pointer, 0);
	if (object)
		object->user_data = UserData;
	thunk_unlock();
	return object ? HSAKMT_STATUS_SUCCESS : HSAKMT_STATUS_MEMORY_NOT_REGISTERED;
}
