// SPDX-License-Identifier: MIT
/* DOC: a KFD in memory; fake_kfd.h has the words. */
#include "fake_kfd.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kfd_ioctl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "thunk_context.h"

#define PAGE		0x1000ULL
#define FD_MAX		4096
#define EVENT_MAX	(KFD_SIGNAL_EVENT_LIMIT + 256)
#define QUEUE_MAX	128
#define BO_OFFSET	(1ULL << 32)
#define MMAP_TYPE(t)	((uint64_t)(t) << 62)
#define MMAP_GPU(id)	((uint64_t)(id) << 46)

enum fd_kind { FD_NONE, FD_KFD, FD_RENDER, FD_DMABUF };

struct fake_bo {
	bool used;
	uint64_t va;
	uint64_t size;
	uint64_t user;
	uint32_t flags;
	uint32_t gpu_id;
	uint32_t mapped;
	bool event_page;
};

struct fake_event {
	bool used;
	bool set;
	bool manual;
	uint32_t type;
	uint64_t age;
};

/* What the driver keeps for a process; a child has none of it. */
static struct {
	pid_t pid;
	struct fake_bo *bos;
	uint32_t bo_room;
	uint32_t bo_hint;
	struct fake_event events[EVENT_MAX];
	bool queues[QUEUE_MAX];
	int vm_fd[2];
	struct fake_bo *event_page;
} process;

static struct {
	enum fd_kind kind;
	pid_t pid;
} fds[FD_MAX];

struct fake_kfd fake;

static int fail(int err)
{
	errno = err;
	return -1;
}

/* Count a call and say whether it has to fail. */
static bool must_fail(unsigned int nr)
{
	fake.calls++;
	fake.count[nr & 255]++;
	if (fake.log_len < sizeof(fake.log))
		fake.log[fake.log_len++] = (uint8_t)nr;
	if (fake.calls != fake.fail_call && (!fake.fail_nr || nr != fake.fail_nr))
		return false;
	errno = fake.fail_errno;
	return true;
}

static int gpu_index(uint32_t gpu_id)
{
	if (gpu_id == FAKE_GPU_0 && fake.gpus > 0)
		return 0;
	if (gpu_id == FAKE_GPU_1 && fake.gpus > 1)
		return 1;
	return -1;
}

/* ---- buffers -------------------------------------------------------------- */

static struct fake_bo *bo_by_handle(uint64_t handle)
{
	uint32_t index = (uint32_t)handle - 1;

	if (index >= process.bo_room || !process.bos[index].used ||
	    process.bos[index].gpu_id != handle >> 32)
		return NULL;
	return &process.bos[index];
}

static struct fake_bo *bo_new(void)
{
	uint32_t i;

	for (i = process.bo_hint; i < process.bo_room; i++)
		if (!process.bos[i].used)
			break;
	if (i == process.bo_room) {
		uint32_t room = process.bo_room ? 2 * process.bo_room : 64;
		ptrdiff_t page = process.event_page ? process.event_page - process.bos : -1;

		process.bos = realloc(process.bos, room * sizeof(*process.bos));
		memset(process.bos + process.bo_room, 0,
		       (room - process.bo_room) * sizeof(*process.bos));
		process.bo_room = room;
		process.event_page = page < 0 ? NULL : process.bos + page;
	}
	process.bo_hint = i + 1;
	return &process.bos[i];
}

static uint32_t one_domain(uint32_t flags)
{
	flags &= 31;
	return flags && !(flags & (flags - 1)) ? flags : 0;
}

static bool alloc_args_ok(const struct kfd_ioctl_alloc_memory_of_gpu_args *args)
{
	uint32_t domain = one_domain(args->flags);

	if (!domain || !args->size || args->size & (PAGE - 1) || args->va_addr & (PAGE - 1))
		return false;
	if (args->va_addr < 4 * PAGE || args->va_addr + args->size - 1 > fake.gpuvm_limit)
		return false;
	if (domain == KFD_IOC_ALLOC_MEM_FLAGS_USERPTR && args->mmap_offset & (PAGE - 1))
		return false;
	if (domain == KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL && args->size != 8192)
		return false;
	return domain != KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP || args->size == PAGE;
}

static bool is_twice(uint32_t flags)
{
	return flags & KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM;
}

static int do_alloc(struct kfd_ioctl_alloc_memory_of_gpu_args *args)
{
	struct fake_bo *bo;

	fake.last_alloc_flags = args->flags;
	if (gpu_index(args->gpu_id) < 0 || !alloc_args_ok(args) ||
	    process.vm_fd[gpu_index(args->gpu_id)] < 0)
		return fail(EINVAL);
	bo = bo_new();
	*bo = (struct fake_bo){
		.used = true, .va = args->va_addr, .size = args->size >> is_twice(args->flags),
		.flags = args->flags, .gpu_id = args->gpu_id,
	};
	if (args->flags & KFD_IOC_ALLOC_MEM_FLAGS_USERPTR)
		bo->user = args->mmap_offset;
	args->handle = (uint64_t)args->gpu_id << 32 | ((uint32_t)(bo - process.bos) + 1);
	if (args->flags & KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP)
		args->mmap_offset = MMAP_TYPE(0) | MMAP_GPU(args->gpu_id);
	else
		args->mmap_offset = BO_OFFSET + ((uint64_t)(bo - process.bos) << 32);
	fake.bos++;
	fake.bo_bytes += bo->size;
	return 0;
}

static int do_free(const struct kfd_ioctl_free_memory_of_gpu_args *args)
{
	struct fake_bo *bo = bo_by_handle(args->handle);

	if (!bo)
		return fail(EINVAL);
	if (bo->event_page)
		return fail(EPERM);
	if (bo->mapped)
		return fail(EBUSY);
	bo->used = false;
	if (bo - process.bos < process.bo_hint)
		process.bo_hint = (uint32_t)(bo - process.bos);
	fake.bos--;
	fake.bo_bytes -= bo->size;
	return 0;
}

static int do_map(struct kfd_ioctl_map_memory_to_gpu_args *args, bool map)
{
	const uint32_t *ids = (const uint32_t *)(uintptr_t)args->device_ids_array_ptr;
	struct fake_bo *bo = bo_by_handle(args->handle);

	if (!args->n_devices || args->n_success > args->n_devices || !bo)
		return fail(EINVAL);
	for (; args->n_success < args->n_devices; args->n_success++) {
		int gpu = gpu_index(ids[args->n_success]);

		if (gpu < 0)
			return fail(EINVAL);
		if (map)
			bo->mapped |= 1U << gpu;
		else
			bo->mapped &= ~(1U << gpu);
	}
	return 0;
}

/* ---- events --------------------------------------------------------------- */

static bool is_signal(uint32_t type)
{
	return type == KFD_IOC_EVENT_SIGNAL || type == KFD_IOC_EVENT_DEBUG_EVENT;
}

static int take_event_page(uint64_t handle)
{
	struct fake_bo *bo = bo_by_handle(handle);

	if (!bo || process.event_page || !bo->mapped)
		return fail(EINVAL);
	bo->event_page = true;
	process.event_page = bo;
	memset((void *)(uintptr_t)bo->va, 0xff, bo->size);
	return 0;
}

static int do_create_event(struct kfd_ioctl_create_event_args *args)
{
	uint32_t id = is_signal(args->event_type) ? 1 : KFD_SIGNAL_EVENT_LIMIT;
	uint32_t end = is_signal(args->event_type) ? KFD_SIGNAL_EVENT_LIMIT : EVENT_MAX;

	if (args->event_page_offset && take_event_page(args->event_page_offset))
		return -1;
	args->event_page_offset = 0;
	while (id < end && process.events[id].used)
		id++;
	if (id == end)
		return fail(ENOSPC);
	process.events[id] = (struct fake_event){
		.used = true, .manual = !args->auto_reset, .type = args->event_type, .age = 1,
	};
	args->event_id = id;
	args->event_trigger_data = id;
	if (is_signal(args->event_type)) {
		args->event_page_offset = MMAP_TYPE(2);
		args->event_slot_index = id;
	}
	fake.events++;
	return 0;
}

static struct fake_event *event_by_id(uint32_t id)
{
	return id && id < EVENT_MAX && process.events[id].used ? &process.events[id] : NULL;
}

static int do_destroy_event(const struct kfd_ioctl_destroy_event_args *args)
{
	struct fake_event *event = event_by_id(args->event_id);

	if (!event)
		return fail(EINVAL);
	event->used = false;
	fake.events--;
	return 0;
}

static int do_set_event(uint32_t id, bool set)
{
	struct fake_event *event = event_by_id(id);

	if (!event || !is_signal(event->type))
		return fail(EINVAL);
	event->set = set;
	event->age += set;
	return 0;
}

void fake_signal(uint32_t id)
{
	do_set_event(id, true);
}

static void report_fault(struct kfd_event_data *data)
{
	data->memory_exception_data.gpu_id = FAKE_GPU_0;
	data->memory_exception_data.va = fake.fault_va;
	data->memory_exception_data.failure.NotPresent = 1;
	data->memory_exception_data.ErrorType = KFD_MEM_ERR_POISON_CONSUMED;
}

/* Whether a signal was set since the caller looked. */
static bool is_late(const struct fake_event *event, const struct kfd_event_data *data)
{
	uint64_t seen = data->signal_event_data.last_event_age;

	return event->type == KFD_IOC_EVENT_SIGNAL && seen && seen != event->age;
}

/* A wait that has ended takes what came and tells ages. */
static void end_wait(struct kfd_event_data *data, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		struct fake_event *event = &process.events[data[i].event_id];

		if (is_late(event, &data[i]))
			data[i].signal_event_data.last_event_age = event->age;
		if (!event->manual)
			event->set = false;
	}
}

static int do_wait(struct kfd_ioctl_wait_events_args *args)
{
	struct kfd_event_data *data = (struct kfd_event_data *)(uintptr_t)args->events_ptr;
	uint32_t ready = 0;
	uint32_t i;

	if (fake.interrupts) {
		fake.interrupts--;
		/* the driver leaves the rest of the time in the structure */
		args->timeout -= args->timeout ? 1 : 0;
		return fail(EINTR);
	}
	for (i = 0; i < args->num_events; i++) {
		struct fake_event *event = event_by_id(data[i].event_id);

		if (!event)
			return fail(EINVAL);
		if (event->type == KFD_IOC_EVENT_MEMORY && fake.fault_va) {
			report_fault(&data[i]);
			event->set = true;
		}
		ready += event->set || is_late(event, &data[i]);
	}
	args->wait_result = fake.wait_failure ? KFD_IOC_WAIT_RESULT_FAIL :
						KFD_IOC_WAIT_RESULT_TIMEOUT;
	if (!ready || (args->wait_for_all && ready < args->num_events))
		return 0;
	args->wait_result = KFD_IOC_WAIT_RESULT_COMPLETE;
	end_wait(data, args->num_events);
	return 0;
}

/* ---- queues --------------------------------------------------------------- */

static int do_create_queue(struct kfd_ioctl_create_queue_args *args)
{
	uint32_t id = 0;

	fake.last_priority = args->queue_priority;
	if (gpu_index(args->gpu_id) < 0 || args->queue_percentage > 100 ||
	    args->queue_priority > 15 || args->ring_size < KFD_MIN_QUEUE_RING_SIZE ||
	    args->ring_size & (args->ring_size - 1) || !args->read_pointer_address ||
	    !args->write_pointer_address)
		return fail(EINVAL);
	while (id < QUEUE_MAX - 1 && process.queues[id])
		id++;
	if (id == QUEUE_MAX - 1)
		return fail(ENOSPC);
	process.queues[id] = true;
	args->queue_id = id;
	args->doorbell_offset = MMAP_TYPE(3) | MMAP_GPU(args->gpu_id) | (0xf0 + id) * 8;
	fake.queues++;
	return 0;
}

static int do_destroy_queue(const struct kfd_ioctl_destroy_queue_args *args)
{
	if (args->queue_id >= QUEUE_MAX || !process.queues[args->queue_id])
		return fail(EINVAL);
	process.queues[args->queue_id] = false;
	fake.queues--;
	return 0;
}

static int do_update_queue(const struct kfd_ioctl_update_queue_args *args)
{
	if (args->queue_id >= QUEUE_MAX || !process.queues[args->queue_id])
		return fail(EINVAL);
	fake.last_percent = args->queue_percentage;
	fake.last_priority = args->queue_priority;
	return 0;
}

/* ---- the rest ------------------------------------------------------------- */

static int do_apertures(struct kfd_ioctl_get_process_apertures_new_args *args)
{
	struct kfd_process_device_apertures *out =
		(void *)(uintptr_t)args->kfd_process_device_apertures_ptr;
	static const uint32_t ids[] = { FAKE_GPU_0, FAKE_GPU_1 };
	uint32_t i;

	for (i = 0; i < fake.gpus && i < args->num_of_nodes; i++)
		out[i] = (struct kfd_process_device_apertures){
			.lds_base = 1ULL << 48, .lds_limit = (1ULL << 48) + (4ULL << 30) - 1,
			.scratch_base = 2ULL << 48,
			.scratch_limit = (2ULL << 48) + (4ULL << 30) - 1,
			.gpuvm_base = 4 * PAGE, .gpuvm_limit = fake.gpuvm_limit,
			.gpu_id = ids[i],
		};
	args->num_of_nodes = fake.gpus;
	return 0;
}

static int do_acquire_vm(const struct kfd_ioctl_acquire_vm_args *args)
{
	int gpu = gpu_index(args->gpu_id);

	if (gpu < 0 || args->drm_fd >= FD_MAX || fds[args->drm_fd].kind != FD_RENDER)
		return fail(EINVAL);
	if (process.vm_fd[gpu] >= 0 && process.vm_fd[gpu] != (int)args->drm_fd)
		return fail(EBUSY);
	process.vm_fd[gpu] = (int)args->drm_fd;
	return 0;
}

static int do_clocks(struct kfd_ioctl_get_clock_counters_args *args)
{
	args->gpu_clock_counter = gpu_index(args->gpu_id) < 0 ? 0 : 1000;
	args->cpu_clock_counter = 2000;
	args->system_clock_counter = 3000;
	args->system_clock_freq = 1000000000;
	return 0;
}

static int do_xnack(struct kfd_ioctl_set_xnack_mode_args *args)
{
	if (args->xnack_enabled > 0)
		return fail(EPERM);
	args->xnack_enabled = 0;
	return 0;
}

/* ---- what a driver may have, knob extras ------------------------------------ */

static bool has_queue(uint32_t id)
{
	return id < QUEUE_MAX && process.queues[id];
}

static int do_cu_mask(const struct kfd_ioctl_set_cu_mask_args *args)
{
	const uint32_t *mask = (const uint32_t *)(uintptr_t)args->cu_mask_ptr;

	if (!fake.extras || !has_queue(args->queue_id) || args->num_cu_mask % 32)
		return fail(EINVAL);
	fake.cu_mask = mask[0];
	return 0;
}

static int do_wave_state(struct kfd_ioctl_get_queue_wave_state_args *args)
{
	if (!fake.extras || !has_queue(args->queue_id) || !args->ctl_stack_address)
		return fail(EINVAL);
	args->ctl_stack_used_size = 0x100;
	args->save_area_used_size = 0x2000;
	return 0;
}

static int do_gws(struct kfd_ioctl_alloc_queue_gws_args *args)
{
	if (!fake.extras)
		return fail(ENODEV);
	if (!has_queue(args->queue_id))
		return fail(EINVAL);
	if (args->num_gws > 64)
		return fail(EBUSY);
	args->first_gws = 0;
	return 0;
}

static int do_svm(struct kfd_ioctl_svm_args *args)
{
	uint32_t i;

	if (!fake.extras)
		return fail(EPERM);
	for (i = 0; i < args->nattr; i++) {
		struct kfd_ioctl_svm_attribute *attr = &args->attrs[i];

		if (args->op == KFD_IOCTL_SVM_OP_SET_ATTR)
			fake.svm_value[attr->type & 7] = attr->value;
		else
			attr->value = fake.svm_value[attr->type & 7];
	}
	return 0;
}

static int do_dmabuf_info(struct kfd_ioctl_get_dmabuf_info_args *args)
{
	uint32_t room = args->metadata_size;

	if (!fake.extras)
		return fail(EOPNOTSUPP);
	if (args->dmabuf_fd == FAKE_BAD_FD)
		return fail(EBADF);
	args->size = fake.dmabuf_size;
	args->flags = fake.dmabuf_flags;
	args->gpu_id = FAKE_GPU_0;
	args->metadata_size = fake.metadata_size;
	if (room < fake.metadata_size && !fake.metadata_lie)
		return fail(EINVAL);
	if (fake.metadata_size && room >= fake.metadata_size)
		memset((void *)(uintptr_t)args->metadata_ptr, 0x5a, fake.metadata_size);
	return 0;
}

static int do_import(struct kfd_ioctl_import_dmabuf_args *args)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args alloc = {
		.va_addr = args->va_addr,
		.size = (fake.dmabuf_size + PAGE - 1) & ~(PAGE - 1),
		.gpu_id = args->gpu_id,
		.flags = KFD_IOC_ALLOC_MEM_FLAGS_VRAM,
	};

	if (do_alloc(&alloc))
		return -1;
	args->handle = alloc.handle;
	return 0;
}

/* A file of its own stands for the dma-buf. */
static int do_export(struct kfd_ioctl_export_dmabuf_args *args)
{
	const struct fake_bo *bo = bo_by_handle(args->handle);
	int fd;

	if (!fake.extras)
		return fail(ENOTTY);
	if (!bo)
		return fail(EINVAL);
	if (bo->flags & ~(KFD_IOC_ALLOC_MEM_FLAGS_VRAM | KFD_IOC_ALLOC_MEM_FLAGS_GTT) & 31)
		return fail(EPERM);
	fd = memfd_create("dma-buf", MFD_CLOEXEC);
	if (fd < 0)
		return fd;
	fds[fd].kind = FD_DMABUF;
	fake.dmabufs++;
	fake.dmabuf_size = bo->size;
	fake.dmabuf_flags = bo->flags & (KFD_IOC_ALLOC_MEM_FLAGS_VRAM |
					 KFD_IOC_ALLOC_MEM_FLAGS_GTT |
					 KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC);
	args->dmabuf_fd = (uint32_t)fd;
	return 0;
}

static int do_available(struct kfd_ioctl_get_available_memory_args *args)
{
	if (gpu_index(args->gpu_id) < 0)
		return fail(EINVAL);
	args->available = fake.available;
	return 0;
}

/* An empty file stands for the descriptor. */
static int do_smi(struct kfd_ioctl_smi_events_args *args)
{
	int fd;

	if (gpu_index(args->gpuid) < 0)
		return fail(EINVAL);
	fd = memfd_create("smi", 0);
	if (fd < 0)
		return fd;
	args->anon_fd = (uint32_t)fd;
	return 0;
}

/* Tables of 32 and 16 entries with something in them. */
static int do_tiles(struct kfd_ioctl_get_tile_config_args *args)
{
	uint32_t *tiles = (uint32_t *)(uintptr_t)args->tile_config_ptr;
	uint32_t *macro = (uint32_t *)(uintptr_t)args->macro_tile_config_ptr;
	uint32_t i;

	if (gpu_index(args->gpu_id) < 0)
		return fail(EINVAL);
	args->num_tile_configs = args->num_tile_configs < 32 ? args->num_tile_configs : 32;
	args->num_macro_tile_configs = args->num_macro_tile_configs < 16 ?
				       args->num_macro_tile_configs : 16;
	for (i = 0; i < args->num_tile_configs; i++)
		tiles[i] = 100 + i;
	for (i = 0; i < args->num_macro_tile_configs; i++)
		macro[i] = 200 + i;
	args->gb_addr_config = 0x2a114042;
	args->num_banks = 3;
	args->num_ranks = 4;
	return 0;
}

static int do_runtime(struct kfd_ioctl_runtime_enable_args *args)
{
	if (!(args->mode_mask & KFD_RUNTIME_ENABLE_MODE_ENABLE_MASK)) {
		memset(&fake.runtime, 0, sizeof(fake.runtime));
		return 0;
	}
	if (fake.runtime.mode)
		return fail(EBUSY);
	if (fake.queues)
		return fail(EEXIST);
	fake.runtime.r_debug = args->r_debug;
	fake.runtime.mode = args->mode_mask;
	args->capabilities_mask = 0x5a;
	return 0;
}

static int needs_gpu(uint32_t gpu_id)
{
	return gpu_index(gpu_id) < 0 ? fail(EINVAL) : 0;
}

static int dispatch(unsigned int nr, void *arg)
{
	switch (nr) {
	case 0x01:
		*(struct kfd_ioctl_get_version_args *)arg =
			(struct kfd_ioctl_get_version_args){ fake.major, fake.minor };
		return 0;
	case 0x02:
		return do_create_queue(arg);
	case 0x03:
		return do_destroy_queue(arg);
	case 0x04:
		return needs_gpu(((struct kfd_ioctl_set_memory_policy_args *)arg)->gpu_id);
	case 0x05:
		return do_clocks(arg);
	case 0x07:
		return do_update_queue(arg);
	case 0x08:
		return do_create_event(arg);
	case 0x09:
		return do_destroy_event(arg);
	case 0x0a:
		return do_set_event(((struct kfd_ioctl_set_event_args *)arg)->event_id, true);
	case 0x0b:
		return do_set_event(((struct kfd_ioctl_reset_event_args *)arg)->event_id, false);
	case 0x0c:
		return do_wait(arg);
	case 0x11:
		return needs_gpu(((struct kfd_ioctl_set_scratch_backing_va_args *)arg)->gpu_id);
	case 0x12:
		return do_tiles(arg);
	case 0x13:
		return needs_gpu(((struct kfd_ioctl_set_trap_handler_args *)arg)->gpu_id);
	case 0x14:
		return do_apertures(arg);
	case 0x15:
		return do_acquire_vm(arg);
	case 0x16:
		return do_alloc(arg);
	case 0x17:
		return do_free(arg);
	case 0x18:
		return do_map(arg, true);
	case 0x19:
		/* same layout as the map command */
		return do_map(arg, false);
	case 0x1a:
		return do_cu_mask(arg);
	case 0x1b:
		return do_wave_state(arg);
	case 0x1c:
		return do_dmabuf_info(arg);
	case 0x1d:
		return do_import(arg);
	case 0x1e:
		return do_gws(arg);
	case 0x1f:
		return do_smi(arg);
	case 0x20:
		return do_svm(arg);
	case 0x21:
		return do_xnack(arg);
	case 0x23:
		return do_available(arg);
	case 0x24:
		return do_export(arg);
	case 0x25:
		return do_runtime(arg);
	default:
		return fail(ENOTTY);
	}
}

static int one_ioctl(int fd, unsigned int nr, void *arg)
{
	if (must_fail(nr))
		return -1;
	if (fd < 0 || fd >= FD_MAX || fds[fd].kind != FD_KFD || fds[fd].pid != getpid())
		return fail(EBADF);
	if (fake.busy) {
		fake.busy--;
		return fail(EAGAIN);
	}
	return dispatch(nr, arg);
}

/* Waits and sets come without the library's lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int fake_ioctl(int fd, unsigned long request, void *arg)
{
	int ret;

	pthread_mutex_lock(&lock);
	ret = one_ioctl(fd, _IOC_NR(request), arg);
	pthread_mutex_unlock(&lock);
	return ret;
}

/* ---- descriptors and mappings --------------------------------------------- */

static void process_start(void)
{
	if (process.pid == getpid())
		return;
	free(process.bos);
	memset(&process, 0, sizeof(process));
	process.pid = getpid();
	process.vm_fd[0] = -1;
	process.vm_fd[1] = -1;
	fake.bos = 0;
	fake.bo_bytes = 0;
	fake.queues = 0;
	fake.events = 0;
}

static int fake_open(const char *path, int flags)
{
	bool kfd = strstr(path, "/dev/kfd");
	int fd;

	if (fake.open_errno && strstr(path, fake.open_path))
		return fail(fake.open_errno);
	fd = open(path, flags);
	if (fd < 0)
		return fd;
	fds[fd].kind = kfd ? FD_KFD : FD_RENDER;
	fds[fd].pid = getpid();
	if (kfd) {
		process_start();
		fake.open_fds++;
	}
	return fd;
}

static int fake_close(int fd)
{
	if (fds[fd].kind == FD_KFD && fds[fd].pid == getpid())
		fake.open_fds--;
	if (fds[fd].kind == FD_DMABUF)
		fake.dmabufs--;
	fds[fd].kind = FD_NONE;
	return close(fd);
}

static bool kfd_mapping_ok(uint64_t offset, size_t length)
{
	switch (offset >> 62) {
	case 3:
		return length == 8192;
	case 2:
		return !fake.gpus;
	case 0:
		return length == PAGE;
	default:
		return false;
	}
}

static bool render_mapping_ok(uint64_t offset, size_t length, int prot, int flags)
{
	uint64_t index = (offset - BO_OFFSET) >> 32;
	const struct fake_bo *bo = index < process.bo_room ? &process.bos[index] : NULL;

	if (!bo || !bo->used || length > bo->size)
		return false;
	if (bo->flags & KFD_IOC_ALLOC_MEM_FLAGS_USERPTR)
		return false;
	if (bo->flags & KFD_IOC_ALLOC_MEM_FLAGS_VRAM &&
	    !(bo->flags & KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC))
		return prot == PROT_NONE && flags & MAP_PRIVATE;
	return flags & MAP_SHARED;
}

static bool dmabuf_mapping_ok(uint64_t offset, size_t length, int prot, int flags)
{
	if (offset || length > fake.dmabuf_size)
		return false;
	if (!(fake.dmabuf_flags & (KFD_IOC_ALLOC_MEM_FLAGS_GTT | KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC)))
		return prot == PROT_NONE && flags & MAP_PRIVATE;
	return flags & MAP_SHARED;
}

static bool mapping_ok(size_t length, int prot, int flags, int fd, off_t offset)
{
	bool ok;

	/* counted as command 0 */
	if (must_fail(0))
		return false;
	switch (fds[fd].kind) {
	case FD_KFD:
		ok = kfd_mapping_ok((uint64_t)offset, length);
		break;
	case FD_DMABUF:
		ok = dmabuf_mapping_ok((uint64_t)offset, length, prot, flags);
		break;
	default:
		ok = render_mapping_ok((uint64_t)offset, length, prot, flags);
	}
	if (!ok)
		errno = EINVAL;
	return ok;
}

static void *fake_mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
{
	bool ok;

	pthread_mutex_lock(&lock);
	ok = mapping_ok(length, prot, flags, fd, offset);
	pthread_mutex_unlock(&lock);
	if (!ok)
		return MAP_FAILED;
	return mmap(addr, length, prot, (flags & MAP_FIXED) | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* From this process only: what matters is whose the descriptor is, not where it runs. */
static int fake_take_fd(pid_t pid, int fd)
{
	int taken;

	if (fake.take_errno)
		return fail(fake.take_errno);
	taken = thunk_sys_default.take_fd(pid, fd);
	if (taken >= 0) {
		fds[taken].kind = FD_DMABUF;
		fake.dmabufs++;
	}
	return taken;
}

static const struct thunk_sys_ops fake_ops = {
	.open = fake_open,
	.close = fake_close,
	.ioctl = fake_ioctl,
	.mmap = fake_mmap,
	.take_fd = fake_take_fd,
};

static void __attribute__((destructor)) release_bos(void)
{
	free(process.bos);
	process.bos = NULL;
}

void fake_kfd_install(const char *root, uint32_t gpus)
{
	memset(&fake, 0, sizeof(fake));
	fake.major = 1;
	fake.minor = 11;
	fake.gpus = gpus;
	fake.gpuvm_limit = (1ULL << 47) - 1;
	process.vm_fd[0] = -1;
	process.vm_fd[1] = -1;
	thunk.root = root;
	thunk_sys = &fake_ops;
}

bool fake_log_is(unsigned int from, ...)
{
	va_list args;
	unsigned int nr;
	bool same = true;

	va_start(args, from);
	/* 0x100 stands for a mapping, because 0 ends the list */
	while (same && (nr = va_arg(args, unsigned int)))
		same = from < fake.log_len && fake.log[from++] == (nr & 255);
	va_end(args);
	return same && from == fake.log_len;
}
