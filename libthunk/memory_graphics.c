// SPDX-License-Identifier: MIT
/**
 * DOC: buffers of other drivers
 *
 * A dma-buf descriptor becomes memory that GPUs can map, at addresses of its own;
 * the CPU does not see it there. What its exporter wrote beside it (metadata) is
 * kept with the object. It goes with hsaKmtDeregisterMemory().
 */
#include <errno.h>
#include <linux/kfd_ioctl.h>
#include <stdlib.h>

#include "memory_import.h"
#include "thunk_context.h"
#include "va_space.h"

#define METADATA_FIRST	64
#define METADATA_LIMIT	4096

/* Ask about @fd; @info says how large its metadata is where the room is too small. */
static int ask(int fd, void *metadata, uint32_t room, struct kfd_ioctl_get_dmabuf_info_args *info)
{
	*info = (struct kfd_ioctl_get_dmabuf_info_args){
		.dmabuf_fd = (uint32_t)fd,
		.metadata_ptr = (uintptr_t)metadata,
		.metadata_size = room,
	};
	return thunk_kfd(AMDKFD_IOC_GET_DMABUF_INFO, info);
}

int memory_query(int fd, void **metadata, struct kfd_ioctl_get_dmabuf_info_args *info)
{
	uint32_t room = METADATA_FIRST;
	int err;

	*metadata = malloc(room);
	if (!*metadata)
		return -ENOMEM;
	err = ask(fd, *metadata, room, info);
	if (err && info->metadata_size > room && info->metadata_size <= METADATA_LIMIT) {
		free(*metadata);
		room = info->metadata_size;
		*metadata = malloc(room);
		err = *metadata ? ask(fd, *metadata, room, info) : -ENOMEM;
	}
	/* The driver's word on how much there is must fit what it was given. */
	if (!err && info->metadata_size > room)
		err = -EIO;
	if (err)
		free(*metadata);
	/* "Bad descriptor" is the caller's, not that of /dev/kfd. */
	return err == -EBADF ? -ENOENT : err;
}

int memory_import(enum mem_kind kind, int fd, const struct kfd_ioctl_get_dmabuf_info_args *info,
		  const struct node_list *nodes, struct mem_object **object)
{
	struct mem_request request = {
		.gpu_id = info->gpu_id,
		.kind = kind,
		.size = va_page_round(info->size),
		.dmabuf_fd = fd,
	};
	struct thunk_gpu *gpu = thunk_gpu_by_id(info->gpu_id);
	int err;

	if (!gpu)
		return -ENODEV;
	err = mem_object_create(&request, object, NULL);
	if (err)
		return err;
	(*object)->node = gpu->node;
	err = mem_nodes_set(&(*object)->registered, nodes->gpu_ids, nodes->count);
	if (err)
		mem_object_destroy(*object);
	return err;
}

static int register_handle(int fd, const struct node_list *nodes, HsaGraphicsResourceInfo *out)
{
	struct kfd_ioctl_get_dmabuf_info_args info;
	struct mem_object *object;
	void *metadata;
	int err = memory_query(fd, &metadata, &info);

	if (err)
		return err;
	err = memory_import(MEM_IMPORT, fd, &info, nodes, &object);
	if (err) {
		free(metadata);
		return err;
	}
	object->metadata = metadata;
	out->MemoryAddress = (void *)(uintptr_t)object->va.start;
	out->SizeInBytes = info.size;
	out->Metadata = metadata;
	out->MetadataSizeInBytes = info.metadata_size;
	out->Reserved = 0;
	return 0;
}

HSAKMT_STATUS HSAKMTAPI
hsaKmtRegisterGraphicsHandleToNodes(HSAuint64 GraphicsResourceHandle,
				    HsaGraphicsResourceInfo *GraphicsResourceInfo,
				    HSAuint64 NumberOfNodes, HSAuint32 *NodeArray)
{
	struct node_list nodes = { 0 };
	HSAKMT_STATUS status = thunk_enter();
	int err = 0;

	if (status)
		return status;
	if (!GraphicsResourceInfo || GraphicsResourceHandle > INT32_MAX)
		return thunk_leave(-EINVAL);
	/* No list: every GPU may map it. */
	if (NumberOfNodes)
		err = node_list_init(&nodes, NodeArray, NumberOfNodes);
	if (err)
		return thunk_leave(err);
	err = register_handle((int)GraphicsResourceHandle, &nodes, GraphicsResourceInfo);
	node_list_fini(&nodes);
	return thunk_leave(err);
}
