// SPDX-License-Identifier: MIT
/* DOC: memory objects; mem_object.h has the words and the locking. */
#include "mem_object.h"

#include <errno.h>
#include <linux/kfd_ioctl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "thunk_context.h"
#include "thunk_log.h"
#include "va_space.h"

#define object_of(node, member) \
	((struct mem_object *)((char *)(node) - offsetof(struct mem_object, member)))

/* ---- sets of GPUs ----------------------------------------------------- */

void mem_nodes_clear(struct mem_nodes *set)
{
	free(set->gpu_ids);
	free(set->nodes);
	memset(set, 0, sizeof(*set));
}

bool mem_nodes_have(const struct mem_nodes *set, uint32_t gpu_id)
{
	uint32_t i;

	for (i = 0; i < set->count; i++)
		if (set->gpu_ids[i] == gpu_id)
			return true;
	return false;
}

/* Room for @count; the members stay. Return: 0 or -ENOMEM. */
static int mem_nodes_room(struct mem_nodes *set, uint32_t count)
{
	uint32_t *gpu_ids = realloc(set->gpu_ids, count * sizeof(*gpu_ids));
	uint32_t *nodes;

	if (!gpu_ids)
		return -ENOMEM;
	set->gpu_ids = gpu_ids;
	nodes = realloc(set->nodes, count * sizeof(*nodes));
	if (!nodes)
		return -ENOMEM;
	set->nodes = nodes;
	return 0;
}

/* Put one in; there is room. */
static void mem_nodes_add(struct mem_nodes *set, uint32_t gpu_id)
{
	if (mem_nodes_have(set, gpu_id))
		return;
	set->gpu_ids[set->count] = gpu_id;
	set->nodes[set->count] = thunk_gpu_node(gpu_id, INVALID_NODEID);
	set->count++;
}

static void mem_nodes_drop(struct mem_nodes *set, uint32_t gpu_id)
{
	uint32_t i;

	for (i = 0; i < set->count; i++)
		if (set->gpu_ids[i] == gpu_id) {
			set->count--;
			set->gpu_ids[i] = set->gpu_ids[set->count];
			set->nodes[i] = set->nodes[set->count];
			return;
		}
}

static void mem_nodes_drop_first(struct mem_nodes *set, uint32_t count)
{
	set->count -= count;
	memmove(set->gpu_ids, set->gpu_ids + count, set->count * sizeof(*set->gpu_ids));
	memmove(set->nodes, set->nodes + count, set->count * sizeof(*set->nodes));
}

int mem_nodes_set(struct mem_nodes *set, const uint32_t *gpu_ids, uint32_t count)
{
	uint32_t i;
	int err;

	if (!count)
		return 0;
	err = mem_nodes_room(set, count);
	if (err) {
		mem_nodes_clear(set);
		return err;
	}
	for (i = 0; i < count; i++)
		mem_nodes_add(set, gpu_ids[i]);
	return 0;
}

/* ---- life ------------------------------------------------------------- */

static uint32_t kind_flag(enum mem_kind kind)
{
	switch (kind) {
	case MEM_HOST:
	case MEM_USER:
		return KFD_IOC_ALLOC_MEM_FLAGS_USERPTR;
	case MEM_GTT:
		return KFD_IOC_ALLOC_MEM_FLAGS_GTT;
	case MEM_VRAM:
	case MEM_SCRATCH:
		return KFD_IOC_ALLOC_MEM_FLAGS_VRAM;
	case MEM_DOORBELL:
		return KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL;
	case MEM_MMIO:
		return KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP;
	case MEM_IMPORT:
	case MEM_SHARED:
		break;
	}
	return 0;
}

static int ask_kfd(const struct mem_request *request, struct mem_object *object,
		   uint64_t *mmap_offset)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args args = {
		.va_addr = object->va.start,
		.size = request->size,
		.gpu_id = request->gpu_id,
		.flags = request->ioc_flags | kind_flag(request->kind) |
			 KFD_IOC_ALLOC_MEM_FLAGS_NO_SUBSTITUTE,
	};
	int err;

	if (request->kind == MEM_USER)
		args.mmap_offset = request->user;
	else if (request->kind == MEM_HOST)
		args.mmap_offset = object->va.start;
	err = thunk_kfd(AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &args);
	if (err)
		return err;
	object->handle = args.handle;
	object->has_handle = true;
	if (mmap_offset)
		*mmap_offset = args.mmap_offset;
	return 0;
}

static int import_to_kfd(const struct mem_request *request, struct mem_object *object)
{
	struct kfd_ioctl_import_dmabuf_args args = {
		.va_addr = object->va.start,
		.gpu_id = request->gpu_id,
		.dmabuf_fd = (uint32_t)request->dmabuf_fd,
	};
	int err = thunk_kfd(AMDKFD_IOC_IMPORT_DMABUF, &args);

	if (err)
		return err;
	object->handle = args.handle;
	object->has_handle = true;
	return 0;
}

/* Have the KFD make it. gpu_id 0: host memory on a machine without GPU. */
static int make_in_kfd(const struct mem_request *request, struct mem_object *object,
		       uint64_t *mmap_offset)
{
	if (!request->gpu_id)
		return 0;
	if (request->kind == MEM_IMPORT || request->kind == MEM_SHARED)
		return import_to_kfd(request, object);
	return ask_kfd(request, object, mmap_offset);
}

int mem_object_create(const struct mem_request *request, struct mem_object **object,
		      uint64_t *mmap_offset)
{
	struct mem_object *made = calloc(1, sizeof(*made));
	int err;

	if (!made)
		return -ENOMEM;
	made->kind = request->kind;
	made->share_fd = -1;
	made->twice = request->ioc_flags & KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM;
	made->va.size = request->size;
	made->va.start = request->va;
	if (!request->va) {
		err = va_reserve(request->fixed, request->size, 0, &made->va.start);
		if (err)
			goto err_free_object;
	}
	err = make_in_kfd(request, made, mmap_offset);
	if (err)
		goto err_release_va;
	range_tree_insert(&thunk.objects.by_va, &made->va);
	*object = made;
	return 0;

err_release_va:
	if (!request->va)
		va_release(made->va.start, made->va.size);
err_free_object:
	free(made);
	return err;
}

static void object_free(struct mem_object *object)
{
	mem_nodes_clear(&object->registered);
	mem_nodes_clear(&object->mapped);
	if (object->share_fd >= 0)
		thunk_sys->close(object->share_fd);
	free(object->metadata);
	free(object);
}

/* Scratch keeps its pool's addresses; all others give theirs back. */
static void release_va(const struct mem_object *object)
{
	if (object->kind != MEM_SCRATCH)
		va_release(object->va.start, object->va.size);
	else if (va_blank(object->va.start, object->va.size))
		thunk_warn("scratch addresses could not be kept");
}

int mem_object_destroy(struct mem_object *object)
{
	struct kfd_ioctl_free_memory_of_gpu_args args = { .handle = object->handle };
	int err = mem_object_unmap_all(object);

	if (err)
		return err;
	/* The KFD first: pages that go under a live user mapping stop the queues. */
	if (object->has_handle) {
		err = thunk_kfd(AMDKFD_IOC_FREE_MEMORY_OF_GPU, &args);
		if (err)
			return err;
	}
	release_va(object);
	range_tree_remove(&thunk.objects.by_va, &object->va);
	if (object->user.size)
		range_tree_remove(&thunk.objects.by_user, &object->user);
	object_free(object);
	return 0;
}

uint64_t mem_object_bytes(const struct mem_object *object)
{
	return object->twice ? object->va.size / 2 : object->va.size;
}

static int cpu_map(uint64_t start, uint64_t size, int fd, uint64_t offset, bool access)
{
	void *want = (void *)(uintptr_t)start;
	int prot = access ? PROT_READ | PROT_WRITE : PROT_NONE;
	int flags = MAP_FIXED | (access ? MAP_SHARED : MAP_PRIVATE);
	void *got = thunk_sys->mmap(want, size, prot, flags, fd, (off_t)offset);

	if (got == MAP_FAILED)
		return -errno;
	/* A child that kept the mapping would keep the memory as well. */
	va_dont_fork(start, size);
	return 0;
}

int mem_object_cpu_map(const struct mem_object *object, int fd, uint64_t offset, bool access)
{
	uint64_t size = mem_object_bytes(object);
	int err = cpu_map(object->va.start, size, fd, offset, access);

	if (!err && object->twice)
		err = cpu_map(object->va.start + size, size, fd, offset, access);
	return err;
}

void mem_object_set_user(struct mem_object *object, const void *address, uint64_t size)
{
	object->user.start = (uintptr_t)address;
	object->user.size = size;
	range_tree_insert(&thunk.objects.by_user, &object->user);
}

void mem_objects_forget(void)
{
	struct range_node *node;

	while ((node = range_tree_first(&thunk.objects.by_va))) {
		range_tree_remove(&thunk.objects.by_va, node);
		object_free(object_of(node, va));
	}
	thunk.objects.by_user = (struct range_tree){ 0 };
}

/* ---- look-up ---------------------------------------------------------- */

struct mem_object *mem_object_find(const void *address, uint64_t size)
{
	uint64_t start = (uintptr_t)address;
	uint64_t offset = start & (thunk.page_size - 1);
	struct range_node *node = range_tree_find(&thunk.objects.by_user, start, size);
	struct mem_object *object;

	if (node)
		return object_of(node, user);
	node = range_tree_find(&thunk.objects.by_va, start - offset, 0);
	if (!node)
		return NULL;
	object = object_of(node, va);
	if (object->kind != MEM_USER)
		return offset ? NULL : object;
	/* The GPU's name of user memory: same place in the page, same size. */
	if ((object->user.start & (thunk.page_size - 1)) != offset ||
	    (size && size != object->user.size))
		return NULL;
	return object;
}

struct mem_object *mem_object_holder(const void *address)
{
	uint64_t start = (uintptr_t)address;
	struct range_node *node = range_tree_holder(&thunk.objects.by_user, start);

	if (node)
		return object_of(node, user);
	node = range_tree_holder(&thunk.objects.by_va, start);
	return node ? object_of(node, va) : NULL;
}

/* ---- mapping ---------------------------------------------------------- */

int mem_object_map(struct mem_object *object, const uint32_t *gpu_ids, uint32_t count)
{
	struct kfd_ioctl_map_memory_to_gpu_args args = {
		.handle = object->handle,
		.device_ids_array_ptr = (uintptr_t)gpu_ids,
		.n_devices = count,
	};
	uint32_t i;
	int err;

	if (!count || !object->has_handle)
		return 0;
	/* Room first: nothing may fail once a GPU sees the memory. */
	err = mem_nodes_room(&object->mapped, object->mapped.count + count);
	if (err)
		return err;
	err = thunk_kfd(AMDKFD_IOC_MAP_MEMORY_TO_GPU, &args);
	for (i = 0; i < args.n_success && i < count; i++)
		mem_nodes_add(&object->mapped, gpu_ids[i]);
	return err;
}

/* Return: 0 or a negative errno; @done: how many of @gpu_ids it is gone from. */
static int unmap_in_kfd(const struct mem_object *object, const uint32_t *gpu_ids, uint32_t count,
			uint32_t *done)
{
	struct kfd_ioctl_unmap_memory_from_gpu_args args = {
		.handle = object->handle,
		.device_ids_array_ptr = (uintptr_t)gpu_ids,
		.n_devices = count,
	};
	int err = thunk_kfd(AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, &args);

	*done = args.n_success < count ? args.n_success : count;
	return err;
}

int mem_object_unmap(struct mem_object *object, const uint32_t *gpu_ids, uint32_t count)
{
	uint32_t done;
	uint32_t i;
	int err;

	if (!count || !object->has_handle)
		return 0;
	err = unmap_in_kfd(object, gpu_ids, count, &done);
	for (i = 0; i < done; i++)
		mem_nodes_drop(&object->mapped, gpu_ids[i]);
	return err;
}

/* Needs no memory: it is how memory is given back. */
int mem_object_unmap_all(struct mem_object *object)
{
	uint32_t done;
	int err;

	if (!object->mapped.count)
		return 0;
	err = unmap_in_kfd(object, object->mapped.gpu_ids, object->mapped.count, &done);
	mem_nodes_drop_first(&object->mapped, done);
	return err;
}
