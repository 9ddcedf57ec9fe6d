// SPDX-License-Identifier: MIT
/**
 * DOC: mapping on GPUs
 *
 * Without a list of nodes memory is mapped on the GPUs it was registered to, or
 * on all. With a list it is mapped there and nowhere else: GPUs that are not in
 * the list lose it. User memory always goes to all of its GPUs and is counted,
 * because one buffer can be registered, and mapped, several times.
 */
#include <errno.h>
#include <stdlib.h>

#include "memory_scratch.h"
#include "node_list.h"
#include "thunk_context.h"

/* Every GPU of the channel, for memory that was registered to none in particular. */
static int map_on_all(struct mem_object *object)
{
	uint32_t *gpu_ids = malloc((thunk.gpu_count + 1) * sizeof(*gpu_ids));
	uint32_t i;
	int err;

	if (!gpu_ids)
		return -ENOMEM;
	for (i = 0; i < thunk.gpu_count; i++)
		gpu_ids[i] = thunk.gpus[i].gpu_id;
	err = mem_object_map(object, gpu_ids, thunk.gpu_count);
	free(gpu_ids);
	return err;
}

static int map_default(struct mem_object *object)
{
	if (object->registered.count)
		return mem_object_map(object, object->registered.gpu_ids,
				      object->registered.count);
	return map_on_all(object);
}

static int map_user(struct mem_object *object, const void *address, HSAuint64 *gpu_va)
{
	int err = object->mappings ? 0 : map_default(object);

	if (err)
		return err;
	object->mappings++;
	if (gpu_va)
		*gpu_va = object->va.start + ((uintptr_t)address & (thunk.page_size - 1));
	return 0;
}

/* Unmap from the GPUs that are mapped and not in @wanted. */
static int unmap_others(struct mem_object *object, const struct node_list *wanted)
{
	uint32_t *gone = malloc((object->mapped.count + 1) * sizeof(*gone));
	uint32_t count = 0;
	uint32_t i;
	int err;

	if (!gone)
		return -ENOMEM;
	for (i = 0; i < object->mapped.count; i++)
		if (!node_list_has(wanted, object->mapped.gpu_ids[i]))
			gone[count++] = object->mapped.gpu_ids[i];
	err = mem_object_unmap(object, gone, count);
	free(gone);
	return err;
}

/* Map on the GPUs in @wanted that are not mapped yet. */
static int map_missing(struct mem_object *object, const struct node_list *wanted)
{
	uint32_t *missing = malloc((wanted->count + 1) * sizeof(*missing));
	uint32_t count = 0;
	uint32_t i;
	int err;

	if (!missing)
		return -ENOMEM;
	for (i = 0; i < wanted->count; i++)
		if (!mem_nodes_have(&object->mapped, wanted->gpu_ids[i]))
			missing[count++] = wanted->gpu_ids[i];
	err = mem_object_map(object, missing, count);
	free(missing);
	return err;
}

/* Memory registered to some GPUs can be mapped on those only. */
static bool may_map(const struct mem_object *object, const struct node_list *wanted)
{
	uint32_t i;

	for (i = 0; i < wanted->count; i++) {
		if (!thunk_gpu_by_id(wanted->gpu_ids[i]))
			return false;
		if (object->registered.count &&
		    !mem_nodes_have(&object->registered, wanted->gpu_ids[i]))
			return false;
	}
	return true;
}

static int map_on_nodes(void *address, HSAuint64 size, HSAuint64 *gpu_va,
			const struct node_list *wanted)
{
	struct mem_object *object = mem_object_find(address, size);
	int err;

	if (!object)
		return -ENOENT;
	if (object->kind == MEM_USER)
		return map_user(object, address, gpu_va);
	if (!may_map(object, wanted))
		return -EINVAL;
	err = unmap_others(object, wanted);
	return err ? err : map_missing(object, wanted);
}

HSAKMT_STATUS HSAKMTAPI hsaKmtMapMemoryToGPU(void *MemoryAddress, HSAuint64 MemorySizeInBytes,
					     HSAuint64 *AlternateVAGPU)
{
	HSAKMT_STATUS status = thunk_enter();
	struct mem_object *object;
	struct thunk_gpu *gpu;

	if (status)
		return status;
	if (!MemoryAddress)
		return thunk_leave(-EINVAL);
	if (AlternateVAGPU)
		*AlternateVAGPU = 0;
	gpu = thunk_gpu_of_scratch((uintptr_t)MemoryAddress);
	if (gpu)
		return thunk_leave(scratch_map(gpu, MemoryAddress, MemorySizeInBytes));
	object = mem_object_find(MemoryAddress, MemorySizeInBytes);
	if (!object) {
		thunk_unlock();
		return HSAKMT_STATUS_MEMORY_NOT_REGISTERED;
	}
	if (object->kind == MEM_USER)
		return thunk_leave(map_user(object, MemoryAddress, AlternateVAGPU));
	return thunk_leave(map_default(object));
}

HSAKMT_STATUS HSAKMTAPI hsaKmtMapMemoryToGPUNodes(void *MemoryAddress, HSAuint64 MemorySizeInBytes,
						  HSAuint64 *AlternateVAGPU,
						  HsaMemMapFlags MemMapFlags,
						  HSAuint64 NumberOfNodes, HSAuint32 *NodeArray)
{
	HSAKMT_STATUS status = thunk_enter();
	struct node_list wanted;
	int err;

	(void)MemMapFlags;
	if (status)
		return status;
	if (!MemoryAddress)
		return thunk_leave(-EINVAL);
	if (AlternateVAGPU)
		*AlternateVAGPU = 0;
	err = node_list_init(&wanted, NodeArray, NumberOfNodes);
	if (err)
		return thunk_leave(err);
	err = map_on_nodes(MemoryAddress, MemorySizeInBytes, AlternateVAGPU, &wanted);
	node_list_fini(&wanted);
	if (err == -ENOENT) {
		thunk_unlock();
		return HSAKMT_STATUS_MEMORY_NOT_REGISTERED;
	}
	return thunk_leave(err);
}

static int unmap_object(struct mem_object *object)
{
	int err;

	if (object->kind == MEM_USER && object->mappings > 1) {
		object->mappings--;
		return 0;
	}
	err = mem_object_unmap_all(object);
	if (!err)
		object->mappings = 0;
	return err;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtUnmapMemoryToGPU(void *MemoryAddress)
{
	HSAKMT_STATUS status = thunk_enter();
	struct mem_object *object;

	if (status)
		return status;
	/* Runtimes unmap what they never had. */
	if (!MemoryAddress)
		return thunk_leave(0);
	if (thunk_gpu_of_scratch((uintptr_t)MemoryAddress))
		return thunk_leave(scratch_unmap(MemoryAddress));
	object = mem_object_find(MemoryAddress, 0);
	if (!object) {
		thunk_unlock();
		return HSAKMT_STATUS_MEMORY_NOT_REGISTERED;
	}
	return thunk_leave(unmap_object(object));
}
