// SPDX-License-Identifier: MIT
/* DOC: the GPUs of an open channel; thunk_gpu.h has the words. */
#include "thunk_gpu.h"

#include <errno.h>
#include <linux/kfd_ioctl.h>
#include <stdlib.h>

#include "device_open.h"
#include "device_page.h"
#include "memory_scratch.h"
#include "sysfs_reader.h"
#include "thunk_context.h"
#include "thunk_log.h"
#include "va_space.h"

/* Shared addresses start and end at huge pages. */
#define VA_GRANULE	(2ULL << 20)

/* Where the CPU's addresses end; a GPU must reach that far. */
#define CPU_VA_LIMIT	((1ULL << 47) - 1)

#define MMIO_SIZE	0x1000

/* ---- render nodes ----------------------------------------------------- */

int thunk_render_open(int minor)
{
	int index = minor - THUNK_RENDER_FIRST;
	char path[SYSFS_PATH_SIZE];
	int err;
	int fd;

	if (index < 0 || index >= THUNK_RENDER_COUNT) {
		thunk_err("DRM render minor %d is out of range", minor);
		return -EINVAL;
	}
	if (thunk.render_fds[index] >= 0)
		return thunk.render_fds[index];
	err = sysfs_path(path, "%s/dev/dri/renderD%d", thunk.root, minor);
	if (err)
		return err;
	fd = device_open(path);
	if (fd < 0)
		return fd;
	thunk.render_fds[index] = fd;
	return fd;
}

void thunk_render_close_inherited(void)
{
	unsigned int i;

	for (i = 0; i < THUNK_RENDER_COUNT; i++) {
		if (thunk.render_fds[i] >= 0)
			thunk_sys->close(thunk.render_fds[i]);
		thunk.render_fds[i] = -1;
	}
}

/* ---- records ---------------------------------------------------------- */

struct thunk_gpu *thunk_gpu_by_id(uint32_t gpu_id)
{
	uint32_t i;

	for (i = 0; i < thunk.gpu_count; i++)
		if (thunk.gpus[i].gpu_id == gpu_id)
			return &thunk.gpus[i];
	return NULL;
}

struct thunk_gpu *thunk_gpu_of_scratch(uint64_t address)
{
	uint32_t i;

	for (i = 0; i < thunk.gpu_count; i++) {
		const struct thunk_aperture *pool = &thunk.gpus[i].scratch_pool;

		if (pool->base && address >= pool->base && address <= pool->limit)
			return &thunk.gpus[i];
	}
	return NULL;
}

void thunk_gpus_renumber(const struct topology *topo)
{
	uint32_t i;

	for (i = 0; i < thunk.gpu_count; i++)
		if (!topology_node_of_gpu(topo, thunk.gpus[i].gpu_id, &thunk.gpus[i].node))
			thunk.gpus[i].node = INVALID_NODEID;
}

static int add_gpus(const struct topology *topo)
{
	uint32_t i;

	thunk.gpus = calloc(topo->system.NumNodes + 1, sizeof(*thunk.gpus));
	if (!thunk.gpus)
		return -ENOMEM;
	for (i = 0; i < topo->system.NumNodes; i++) {
		const struct topo_node *node = &topo->nodes[i];
		struct thunk_gpu *gpu = &thunk.gpus[thunk.gpu_count];

		if (!node->gpu_id)
			continue;
		gpu->render_fd = thunk_render_open(node->props.DrmRenderMinor);
		if (gpu->render_fd < 0)
			return gpu->render_fd;
		gpu->gpu_id = node->gpu_id;
		gpu->node = i;
		gpu->props = node->props;
		thunk.gpu_count++;
	}
	return 0;
}

/* ---- apertures -------------------------------------------------------- */

static void take_aperture(struct thunk_gpu *gpu, const struct kfd_process_device_apertures *from)
{
	gpu->lds = (struct thunk_aperture){ from->lds_base, from->lds_limit };
	gpu->scratch = (struct thunk_aperture){ from->scratch_base, from->scratch_limit };
	gpu->gpuvm = (struct thunk_aperture){ from->gpuvm_base, from->gpuvm_limit };
}

/* The KFD lists hidden GPUs as well, so there is room for all nodes. */
static int read_apertures(uint32_t room)
{
	struct kfd_process_device_apertures *list = calloc(room, sizeof(*list));
	struct kfd_ioctl_get_process_apertures_new_args args = {
		.kfd_process_device_apertures_ptr = (uintptr_t)list,
		.num_of_nodes = room,
	};
	uint32_t i;
	int err;

	if (!list)
		return -ENOMEM;
	err = thunk_kfd(AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, &args);
	for (i = 0; !err && i < args.num_of_nodes && i < room; i++) {
		struct thunk_gpu *gpu = thunk_gpu_by_id(list[i].gpu_id);

		if (gpu)
			take_aperture(gpu, &list[i]);
	}
	free(list);
	return err;
}

static int acquire_vm(const struct thunk_gpu *gpu)
{
	struct kfd_ioctl_acquire_vm_args args = {
		.drm_fd = (uint32_t)gpu->render_fd,
		.gpu_id = gpu->gpu_id,
	};

	return thunk_kfd(AMDKFD_IOC_ACQUIRE_VM, &args);
}

/* What every GPU reaches, whole huge pages of it. */
static int choose_va(void)
{
	uint64_t base = 0;
	uint64_t limit = CPU_VA_LIMIT;
	uint32_t i;

	for (i = 0; i < thunk.gpu_count; i++) {
		const struct thunk_aperture *gpuvm = &thunk.gpus[i].gpuvm;

		if (gpuvm->limit < CPU_VA_LIMIT) {
			thunk_err("GPU %#x reaches only up to %#llx", thunk.gpus[i].gpu_id,
				  (unsigned long long)gpuvm->limit);
			return -EOPNOTSUPP;
		}
		if (gpuvm->base > base)
			base = gpuvm->base;
	}
	thunk.va.base = (base + VA_GRANULE - 1) & ~(VA_GRANULE - 1);
	thunk.va.limit = limit;
	return 0;
}

/* All shared addresses may hold coherent memory: each buffer says what it is. */
static int set_memory_policy(const struct thunk_gpu *gpu)
{
	struct kfd_ioctl_set_memory_policy_args args = {
		.alternate_aperture_base = thunk.va.base,
		.alternate_aperture_size = thunk.va.limit - thunk.va.base + 1,
		.gpu_id = gpu->gpu_id,
		.default_policy = thunk.options.disable_cache ? KFD_IOC_CACHE_POLICY_COHERENT :
								KFD_IOC_CACHE_POLICY_NONCOHERENT,
		.alternate_policy = KFD_IOC_CACHE_POLICY_COHERENT,
	};

	return thunk_kfd(AMDKFD_IOC_SET_MEMORY_POLICY, &args);
}

int thunk_gpus_init(const struct topology *topo)
{
	uint32_t i;
	int err = add_gpus(topo);

	if (!err && thunk.gpu_count)
		err = read_apertures(topo->sysfs_nodes);
	for (i = 0; !err && i < thunk.gpu_count; i++)
		err = acquire_vm(&thunk.gpus[i]);
	if (!err)
		err = choose_va();
	for (i = 0; !err && i < thunk.gpu_count; i++)
		err = set_memory_policy(&thunk.gpus[i]);
	if (err)
		thunk_gpus_fini();
	return err;
}

/* ---- device pages ----------------------------------------------------- */

void thunk_gpus_map_mmio(void)
{
	uint32_t i;

	for (i = 0; i < thunk.gpu_count; i++) {
		struct thunk_gpu *gpu = &thunk.gpus[i];
		int err = device_page_map(gpu, MEM_MMIO, MMIO_SIZE, DEVICE_PAGE_ANY, &gpu->mmio);

		if (err)
			thunk_warn("GPU %#x: no HDP flush page: errno %d", gpu->gpu_id, -err);
	}
}

static void release_page(void *address)
{
	if (device_page_unmap(address))
		thunk_warn("a device page could not be freed");
}

void thunk_gpus_fini(void)
{
	uint32_t i;

	for (i = 0; i < thunk.gpu_count; i++) {
		if (thunk.gpus[i].scratch_pool.base && scratch_release(&thunk.gpus[i]))
			thunk_warn("scratch could not be freed");
		release_page(thunk.gpus[i].doorbells);
		release_page(thunk.gpus[i].mmio);
	}
	free(thunk.gpus);
	thunk.gpus = NULL;
	thunk.gpu_count = 0;
}
