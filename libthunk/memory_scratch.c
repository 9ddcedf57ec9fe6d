// SPDX-License-Identifier: MIT
/* DOC: scratch; memory_scratch.h has the rules. */
#include "memory_scratch.h"

#include <errno.h>
#include <linux/kfd_ioctl.h>

#include "thunk_context.h"
#include "va_space.h"

/* The KFD takes a pool's address in units of 64 KiB. */
#define SCRATCH_VA_SHIFT	16

static uint64_t pool_size(const struct thunk_gpu *gpu)
{
	return gpu->scratch_pool.limit - gpu->scratch_pool.base + 1;
}

int scratch_reserve(const struct memory_wish *wish, void **address)
{
	struct thunk_gpu *gpu;
	uint64_t size = (wish->size + VA_SCRATCH_ALIGN - 1) & ~(uint64_t)(VA_SCRATCH_ALIGN - 1);
	struct kfd_ioctl_set_scratch_backing_va_args args = { 0 };
	uint64_t base;
	int err = thunk_gpu_of_node(wish->node, &gpu);

	if (err)
		return err;
	if (gpu->scratch_pool.base)
		return -EBUSY;
	err = va_reserve(wish->fixed, size, VA_SCRATCH_ALIGN, &base);
	if (err)
		return err;
	args.gpu_id = gpu->gpu_id;
	args.va_addr = base >> SCRATCH_VA_SHIFT;
	err = thunk_kfd(AMDKFD_IOC_SET_SCRATCH_BACKING_VA, &args);
	if (err) {
		va_release(base, size);
		return err;
	}
	va_dont_fork(base, size);
	gpu->scratch_pool = (struct thunk_aperture){ base, base + size - 1 };
	*address = (void *)(uintptr_t)base;
	return 0;
}

int scratch_map(struct thunk_gpu *gpu, void *address, uint64_t size)
{
	struct mem_request request = {
		.gpu_id = gpu->gpu_id,
		.kind = MEM_SCRATCH,
		.size = size,
		.va = (uintptr_t)address,
		.ioc_flags = KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE,
	};
	uint64_t offset_in_pool = request.va - gpu->scratch_pool.base;
	struct mem_object *object;
	uint64_t offset = 0;
	int err;

	if (!size || size > pool_size(gpu) - offset_in_pool || request.va & (thunk.page_size - 1))
		return -EINVAL;
	if (range_tree_overlap(&thunk.objects.by_va, request.va, request.va + size - 1))
		return -EEXIST;
	err = mem_object_create(&request, &object, &offset);
	if (err)
		return err;
	object->node = gpu->node;
	err = mem_object_cpu_map(object, gpu->render_fd, offset, false);
	if (!err)
		err = mem_object_map(object, &gpu->gpu_id, 1);
	if (err)
		mem_object_destroy(object);
	return err;
}

int scratch_unmap(void *address)
{
	struct mem_object *object = mem_object_find(address, 0);

	return object ? mem_object_destroy(object) : 0;
}

int scratch_release(struct thunk_gpu *gpu)
{
	struct thunk_aperture *pool = &gpu->scratch_pool;
	struct range_node *node;
	int err;

	while ((node = range_tree_overlap(&thunk.objects.by_va, pool->base, pool->limit))) {
		err = scratch_unmap((void *)(uintptr_t)node->start);
		if (err)
			return err;
	}
	va_release(pool->base, pool_size(gpu));
	*pool = (struct thunk_aperture){ 0 };
	return 0;
}
