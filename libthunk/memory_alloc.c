// SPDX-License-Identifier: MIT
/**
 * DOC: allocating and freeing
 *
 * Host memory is anonymous pages of ours that the KFD learns of as user memory;
 * with HSA_USERPTR_FOR_PAGED_MEM=0, or when a CPU node is asked for unpaged
 * memory, it is a GTT buffer. A GPU node's unpaged memory is VRAM: mapped for the
 * CPU where HostAccess is asked for, a placeholder without access otherwise.
 * Paged memory that is asked of a GPU node is host memory.
 *
 * With AQLQueueMemory the memory is seen twice, back to back, by GPUs and the CPU: the
 * addresses that are set aside are twice what was asked for. Host memory is a GTT
 * buffer then, because anonymous pages cannot be put at two places.
 *
 * Deliberately not done: GDS memory.
 */
#include <errno.h>
#include <linux/kfd_ioctl.h>
#include <sys/mman.h>

#include "memory_alloc.h"
#include "memory_scratch.h"
#include "numa_bind.h"
#include "thunk_context.h"
#include "thunk_log.h"
#include "va_space.h"

/* Drivers before this version do not tell what is available. */
#define AVAILABLE_FIRST_MINOR	9

static uint64_t page_bytes(HsaMemFlags flags)
{
	switch (flags.ui32.PageSize) {
	case HSA_PAGE_SIZE_64KB:
		return 0x10000;
	case HSA_PAGE_SIZE_2MB:
		return 0x200000;
	case HSA_PAGE_SIZE_1GB:
		return 0x40000000;
	default:
		return 0x1000;
	}
}

/* Runtimes do not ask for execution where they need it, so it is always given. */
static uint32_t ioc_flags(HsaMemFlags flags)
{
	uint32_t ioc = KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE;

	if (!flags.ui32.ReadOnly)
		ioc |= KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE;
	if (!flags.ui32.CoarseGrain || thunk.options.disable_cache)
		ioc |= KFD_IOC_ALLOC_MEM_FLAGS_COHERENT;
	if (flags.ui32.Uncached || thunk.options.disable_cache)
		ioc |= KFD_IOC_ALLOC_MEM_FLAGS_UNCACHED;
	if (flags.ui32.AQLQueueMemory)
		ioc |= KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM;
	return ioc;
}

static uint64_t va_bytes(const struct memory_wish *wish)
{
	return wish->flags.ui32.AQLQueueMemory ? 2 * wish->size : wish->size;
}

static int alloc_vram(struct thunk_gpu *gpu, const struct memory_wish *wish,
		      struct mem_object **object)
{
	struct mem_request request = {
		.gpu_id = gpu->gpu_id,
		.kind = MEM_VRAM,
		.fixed = wish->fixed,
		.size = va_bytes(wish),
		.ioc_flags = ioc_flags(wish->flags),
	};
	bool access = wish->flags.ui32.HostAccess;
	uint64_t offset = 0;
	int err;

	if (access)
		request.ioc_flags |= KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC;
	err = mem_object_create(&request, object, &offset);
	if (err)
		return err;
	err = mem_object_cpu_map(*object, gpu->render_fd, offset, access);
	if (err)
		mem_object_destroy(*object);
	return err;
}

static int alloc_gtt(struct thunk_gpu *gpu, const struct memory_wish *wish,
		     struct mem_object **object)
{
	struct mem_request request = {
		.gpu_id = gpu->gpu_id,
		.kind = MEM_GTT,
		.fixed = wish->fixed,
		.size = va_bytes(wish),
		.ioc_flags = ioc_flags(wish->flags),
	};
	uint64_t offset = 0;
	int err = mem_object_create(&request, object, &offset);

	if (err || !wish->flags.ui32.HostAccess)
		return err;
	err = mem_object_cpu_map(*object, gpu->render_fd, offset, true);
	if (err)
		mem_object_destroy(*object);
	return err;
}

/* Put zeroed pages at reserved addresses. */
static int fill_with_pages(uint64_t address, const struct memory_wish *wish)
{
	void *want = (void *)(uintptr_t)address;
	void *got = mmap(want, wish->size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	if (got == MAP_FAILED)
		return -errno;
	/* Copy-on-write after a fork would move the pages from under the GPU. */
	va_dont_fork(address, wish->size);
	return numa_bind(want, wish->size, wish->node, wish->flags);
}

static int alloc_pages(struct thunk_gpu *gpu, const struct memory_wish *wish,
		       struct mem_object **object)
{
	struct mem_request request = {
		.gpu_id = gpu ? gpu->gpu_id : 0,
		.kind = MEM_HOST,
		.size = wish->size,
		.ioc_flags = ioc_flags(wish->flags),
	};
	int err = va_reserve(wish->fixed, wish->size, 0, &request.va);

	if (err)
		return err;
	err = fill_with_pages(request.va, wish);
	if (!err)
		err = mem_object_create(&request, object, NULL);
	if (err)
		va_release(request.va, wish->size);
	return err;
}

static int alloc_host(const struct memory_wish *wish, struct mem_object **object)
{
	/* Any GPU will do: user memory and GTT belong to the process. */
	struct thunk_gpu *gpu = thunk.gpu_count ? &thunk.gpus[0] : NULL;
	bool twice = wish->flags.ui32.AQLQueueMemory;

	if (gpu && (wish->flags.ui32.NonPaged || twice || !thunk.options.userptr_for_paged_mem))
		return alloc_gtt(gpu, wish, object);
	if (twice)
		return -EOPNOTSUPP;
	return alloc_pages(gpu, wish, object);
}

/* The wish's GPU, NULL for a CPU node. Return: 0 or as thunk_node_gpu_id(). */
static int gpu_of_wish(const struct memory_wish *wish, struct thunk_gpu **gpu)
{
	uint32_t gpu_id;
	int err = thunk_node_gpu_id(wish->node, &gpu_id);

	*gpu = NULL;
	if (err || !gpu_id)
		return err;
	return thunk_gpu_of_node(wish->node, gpu);
}

int memory_alloc(const struct memory_wish *wish, struct mem_object **object)
{
	struct thunk_gpu *gpu;
	int err = gpu_of_wish(wish, &gpu);

	if (err)
		return err;
	if (gpu && wish->flags.ui32.NonPaged && !thunk.options.vram_in_host)
		err = alloc_vram(gpu, wish, object);
	else
		err = alloc_host(wish, object);
	if (err)
		return err;
	(*object)->node = wish->node;
	(*object)->flags = wish->flags;
	return 0;
}

static int check_wish(const struct memory_wish *wish)
{
	uint64_t page = page_bytes(wish->flags);

	if (!wish->size || wish->size & (page - 1) || wish->size & (thunk.page_size - 1))
		return -EINVAL;
	if (wish->flags.ui32.FixedAddress && !wish->fixed)
		return -EINVAL;
	if (wish->flags.ui32.GDSMemory ||
	    (wish->flags.ui32.Scratch && wish->flags.ui32.AQLQueueMemory))
		return -EOPNOTSUPP;
	return wish->size > UINT64_MAX / 2 ? -ENOMEM : 0;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtAllocMemory(HSAuint32 PreferredNode, HSAuint64 SizeInBytes,
					  HsaMemFlags MemFlags, void **MemoryAddress)
{
	struct memory_wish wish = {
		.node = PreferredNode,
		.size = SizeInBytes,
		.flags = MemFlags,
	};
	struct mem_object *object = NULL;
	HSAKMT_STATUS status = thunk_enter();
	int err;

	if (status)
		return status;
	if (!MemoryAddress)
		return thunk_leave(-EINVAL);
	if (MemFlags.ui32.FixedAddress)
		wish.fixed = (uintptr_t)*MemoryAddress;
	err = check_wish(&wish);
	if (!err && MemFlags.ui32.Scratch)
		err = scratch_reserve(&wish, MemoryAddress);
	else if (!err)
		err = memory_alloc(&wish, &object);
	if (!err && object)
		*MemoryAddress = (void *)(uintptr_t)object->va.start;
	if (err)
		thunk_info("node %u: no %llu bytes (flags %#x): errno %d", PreferredNode,
			   (unsigned long long)SizeInBytes, MemFlags.Value, -err);
	return thunk_leave(err);
}

HSAKMT_STATUS HSAKMTAPI hsaKmtFreeMemory(void *MemoryAddress, HSAuint64 SizeInBytes)
{
	HSAKMT_STATUS status = thunk_enter();
	struct mem_object *object;
	struct thunk_gpu *gpu;

	(void)SizeInBytes;
	if (status)
		return status;
	if (!MemoryAddress)
		return thunk_leave(-EINVAL);
	gpu = thunk_gpu_of_scratch((uintptr_t)MemoryAddress);
	if (gpu)
		return thunk_leave(scratch_release(gpu));
	object = mem_object_find(MemoryAddress, 0);
	/* Device pages belong to the library. */
	if (object && (object->kind == MEM_DOORBELL || object->kind == MEM_MMIO))
		return thunk_leave(-EPERM);
	if (object)
		return thunk_leave(mem_object_destroy(object));
	thunk_unlock();
	return HSAKMT_STATUS_MEMORY_NOT_REGISTERED;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtAvailableMemory(HSAuint32 Node, HSAuint64 *AvailableBytes)
{
	struct kfd_ioctl_get_available_memory_args args = { 0 };
	HSAKMT_STATUS status = thunk_enter();
	struct thunk_gpu *gpu;
	int err;

	if (status)
		return status;
	if (!AvailableBytes)
		return thunk_leave(-EINVAL);
	if (thunk.version.KernelInterfaceMinorVersion < AVAILABLE_FIRST_MINOR)
		return thunk_leave(-EOPNOTSUPP);
	err = thunk_gpu_of_node(Node, &gpu);
	if (!err) {
		args.gpu_id = gpu->gpu_id;
		err = thunk_kfd(AMDKFD_IOC_AVAILABLE_MEMORY, &args);
	}
	if (!err)
		*AvailableBytes = args.available;
	return thunk_leave(err);
}
