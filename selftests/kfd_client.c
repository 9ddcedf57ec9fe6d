// SPDX-License-Identifier: GPL-2.0-only
#include "kfd_client.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define NODES		"/sys/devices/virtual/kfd/kfd/topology/nodes"
#define COUNTS		"/sys/kernel/debug/carillon/counts"
#define COPY_MAX	0x3fffe0u
#define ALIGN_BIG	(2ul << 20)

unsigned int kfd_time_scale(void)
{
	const char *text = getenv("CARILLON_TIME_SCALE");
	unsigned long scale = text ? strtoul(text, NULL, 10) : 1;

	return scale >= 1 && scale <= 100 ? scale : 1;
}

int kfd_ioctl(int fd, unsigned long request, void *arg)
{
	int r;

	do {
		r = ioctl(fd, request, arg);
	} while (r < 0 && errno == EINTR);
	return r < 0 ? -errno : 0;
}

long long kfd_prop(const char *path, const char *name)
{
	char key[64], line[256];
	long long value = -1, v;
	FILE *f = fopen(path, "r");

	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%63s %lld", key, &v) == 2 && !strcmp(key, name)) {
			value = v;
			break;
		}
	}
	fclose(f);
	return value;
}

static long long read_number(const char *path)
{
	long long v = -1;
	FILE *f = fopen(path, "r");

	if (!f)
		return -1;
	if (fscanf(f, "%lld", &v) != 1)
		v = -1;
	fclose(f);
	return v;
}

unsigned int kfd_num_nodes(void)
{
	char path[128];
	unsigned int n = 0;

	for (;; n++) {
		snprintf(path, sizeof(path), NODES "/%u", n);
		if (access(path, F_OK))
			return n;
	}
}

static int find_gpu(struct kfd_client *c, unsigned int index)
{
	unsigned int node, nodes = kfd_num_nodes();
	char path[128];

	for (node = 0; node < nodes; node++) {
		long long id;

		snprintf(path, sizeof(path), NODES "/%u/gpu_id", node);
		id = read_number(path);
		if (id <= 0)
			continue;
		if (index--)
			continue;
		snprintf(path, sizeof(path), NODES "/%u/properties", node);
		c->gpu_id = id;
		c->node = node;
		c->minor = kfd_prop(path, "drm_render_minor");
		c->sdma_engines = kfd_prop(path, "num_sdma_engines");
		c->sdma_queues = kfd_prop(path, "num_sdma_queues_per_engine");
		return 0;
	}
	return -ENODEV;
}

int kfd_client_open(struct kfd_client *c, unsigned int index)
{
	int r;

	memset(c, 0, sizeof(*c));
	c->drm = -1;
	c->fd = open("/dev/kfd", O_RDWR | O_CLOEXEC);
	if (c->fd < 0)
		return -errno;
	r = find_gpu(c, index);
	if (r) {
		close(c->fd);
		c->fd = -1;
	}
	return r;
}

int kfd_client_acquire(struct kfd_client *c)
{
	struct kfd_ioctl_acquire_vm_args args = { .gpu_id = c->gpu_id };
	char path[64];

	snprintf(path, sizeof(path), "/dev/dri/renderD%u", c->minor);
	c->drm = open(path, O_RDWR | O_CLOEXEC);
	if (c->drm < 0)
		return -errno;
	args.drm_fd = c->drm;
	return kfd_ioctl(c->fd, AMDKFD_IOC_ACQUIRE_VM, &args);
}

int kfd_client_init(struct kfd_client *c, unsigned int index)
{
	int r = kfd_client_open(c, index);

	return r ? r : kfd_client_acquire(c);
}

void kfd_client_close(struct kfd_client *c)
{
	if (c->doorbells)
		munmap(c->doorbells, KFD_DOORBELL_SLICE);
	if (c->event_page)
		munmap(c->event_page, KFD_EVENT_PAGE_SIZE);
	if (c->drm >= 0)
		close(c->drm);
	if (c->fd >= 0)
		close(c->fd);
	c->doorbells = NULL;
	c->event_page = NULL;
	c->drm = -1;
	c->fd = -1;
}

void *kfd_va_reserve(uint64_t size)
{
	uint64_t pad = size >= ALIGN_BIG ? ALIGN_BIG : 0;
	uint8_t *p, *q;

	p = mmap(NULL, size + pad, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	if (!pad)
		return p;
	q = (uint8_t *)(((uintptr_t)p + pad - 1) & ~(pad - 1));
	if (q > p)
		munmap(p, q - p);
	if (p + pad > q)
		munmap(q + size, p + pad - q);
	return q;
}

int kfd_map(struct kfd_client *c, uint64_t handle)
{
	struct kfd_ioctl_map_memory_to_gpu_args args = {
		.handle = handle,
		.device_ids_array_ptr = (uintptr_t)&c->gpu_id,
		.n_devices = 1,
	};

	return kfd_ioctl(c->fd, AMDKFD_IOC_MAP_MEMORY_TO_GPU, &args);
}

int kfd_unmap(struct kfd_client *c, uint64_t handle)
{
	struct kfd_ioctl_unmap_memory_from_gpu_args args = {
		.handle = handle,
		.device_ids_array_ptr = (uintptr_t)&c->gpu_id,
		.n_devices = 1,
	};

	return kfd_ioctl(c->fd, AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, &args);
}

static int free_handle(struct kfd_client *c, uint64_t handle)
{
	struct kfd_ioctl_free_memory_of_gpu_args args = { .handle = handle };

	return kfd_ioctl(c->fd, AMDKFD_IOC_FREE_MEMORY_OF_GPU, &args);
}

int kfd_bo_alloc(struct kfd_client *c, uint64_t size, uint32_t flags, struct kfd_bo *bo)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args args = {
		.size = size,
		.gpu_id = c->gpu_id,
		.flags = flags,
	};
	int r;

	memset(bo, 0, sizeof(*bo));
	bo->size = size;
	bo->cpu = kfd_va_reserve(size);
	if (!bo->cpu)
		return -ENOMEM;
	args.va_addr = (uintptr_t)bo->cpu;
	r = kfd_ioctl(c->fd, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &args);
	if (r)
		goto err_release_va;
	bo->handle = args.handle;
	if (flags & (KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC | KFD_IOC_ALLOC_MEM_FLAGS_GTT)) {
		void *p = mmap(bo->cpu, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
			       c->drm, args.mmap_offset);

		if (p == MAP_FAILED) {
			r = -errno;
			goto err_free;
		}
		madvise(bo->cpu, size, MADV_DONTFORK);
	}
	r = kfd_map(c, bo->handle);
	if (!r)
		return 0;
err_free:
	free_handle(c, bo->handle);
err_release_va:
	munmap(bo->cpu, size);
	return r;
}

int kfd_bo_vram(struct kfd_client *c, uint64_t size, struct kfd_bo *bo)
{
	return kfd_bo_alloc(c, size, KFD_IOC_ALLOC_MEM_FLAGS_VRAM |
			    KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE |
			    KFD_IOC_ALLOC_MEM_FLAGS_NO_SUBSTITUTE, bo);
}

int kfd_bo_gtt(struct kfd_client *c, uint64_t size, struct kfd_bo *bo)
{
	return kfd_bo_alloc(c, size, KFD_IOC_ALLOC_MEM_FLAGS_GTT |
			    KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE |
			    KFD_IOC_ALLOC_MEM_FLAGS_COHERENT |
			    KFD_IOC_ALLOC_MEM_FLAGS_NO_SUBSTITUTE, bo);
}

int kfd_bo_user_at(struct kfd_client *c, void *addr, uint64_t size, struct kfd_bo *bo)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args args = {
		.va_addr = (uintptr_t)addr,
		.size = size,
		.mmap_offset = (uintptr_t)addr,
		.gpu_id = c->gpu_id,
		.flags = KFD_IOC_ALLOC_MEM_FLAGS_USERPTR | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE |
			 KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE | KFD_IOC_ALLOC_MEM_FLAGS_COHERENT |
			 KFD_IOC_ALLOC_MEM_FLAGS_NO_SUBSTITUTE,
	};
	int r;

	memset(bo, 0, sizeof(*bo));
	r = kfd_ioctl(c->fd, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &args);
	if (r)
		return r;
	bo->handle = args.handle;
	bo->cpu = addr;
	bo->size = size;
	bo->user = true;
	r = kfd_map(c, bo->handle);
	if (r)
		free_handle(c, bo->handle);
	return r;
}

int kfd_bo_user(struct kfd_client *c, uint64_t size, struct kfd_bo *bo)
{
	uint8_t *p = kfd_va_reserve(size);
	int r;

	if (!p)
		return -ENOMEM;
	if (mmap(p, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		 -1, 0) == MAP_FAILED)
		return -errno;
	madvise(p, size, MADV_DONTFORK);
	r = kfd_bo_user_at(c, p, size, bo);
	if (r)
		munmap(p, size);
	return r;
}

int kfd_bo_free(struct kfd_client *c, struct kfd_bo *bo)
{
	int r;

	if (!bo->cpu)
		return 0;
	r = kfd_unmap(c, bo->handle);
	if (!r)
		r = free_handle(c, bo->handle);
	munmap(bo->cpu, bo->size);
	bo->cpu = NULL;
	return r;
}

/* The CREATE_QUEUE offset carries both the mmap offset of the slice and the slot inside it. */
static int map_doorbell(struct kfd_client *c, uint64_t offset)
{
	void *p;

	if (c->doorbells)
		return 0;
	p = mmap(NULL, KFD_DOORBELL_SLICE, PROT_READ | PROT_WRITE, MAP_SHARED, c->fd,
		 offset & ~(uint64_t)(KFD_DOORBELL_SLICE - 1));
	if (p == MAP_FAILED)
		return -errno;
	c->doorbells = p;
	return 0;
}

int kfd_sdma_create_type(struct kfd_client *c, struct kfd_sdma *q, uint32_t type,
			 uint32_t ring_size)
{
	struct kfd_ioctl_create_queue_args args;
	int r;

	memset(q, 0, sizeof(*q));
	q->c = c;
	r = kfd_bo_user(c, ring_size, &q->ring);
	if (r)
		return r;
	r = kfd_bo_user(c, 4096, &q->ptrs);
	if (r)
		goto err_ring;
	args = (struct kfd_ioctl_create_queue_args){
		.ring_base_address = (uintptr_t)q->ring.cpu,
		.write_pointer_address = (uintptr_t)q->ptrs.cpu + 8,
		.read_pointer_address = (uintptr_t)q->ptrs.cpu + 16,
		.ring_size = ring_size,
		.gpu_id = c->gpu_id,
		.queue_type = type,
		.queue_percentage = 100,
		.queue_priority = 15,
	};
	r = kfd_ioctl(c->fd, AMDKFD_IOC_CREATE_QUEUE, &args);
	if (r)
		goto err_ptrs;
	q->id = args.queue_id;
	q->doorbell_offset = args.doorbell_offset;
	r = map_doorbell(c, args.doorbell_offset);
	if (r) {
		struct kfd_ioctl_destroy_queue_args d = { .queue_id = q->id };

		kfd_ioctl(c->fd, AMDKFD_IOC_DESTROY_QUEUE, &d);
		goto err_ptrs;
	}
	q->doorbell = (volatile uint64_t *)(c->doorbells +
					    (args.doorbell_offset & (KFD_DOORBELL_SLICE - 1)));
	return 0;
err_ptrs:
	kfd_bo_free(c, &q->ptrs);
err_ring:
	kfd_bo_free(c, &q->ring);
	return r;
}

int kfd_sdma_create_size(struct kfd_client *c, struct kfd_sdma *q, uint32_t ring_size)
{
	return kfd_sdma_create_type(c, q, KFD_IOC_QUEUE_TYPE_SDMA, ring_size);
}

int kfd_sdma_create(struct kfd_client *c, struct kfd_sdma *q)
{
	return kfd_sdma_create_size(c, q, KFD_RING_SIZE);
}

int kfd_sdma_destroy(struct kfd_sdma *q)
{
	struct kfd_ioctl_destroy_queue_args args = { .queue_id = q->id };
	int r, r2;

	r = kfd_ioctl(q->c->fd, AMDKFD_IOC_DESTROY_QUEUE, &args);
	r2 = kfd_bo_free(q->c, &q->ptrs);
	if (!r)
		r = r2;
	r2 = kfd_bo_free(q->c, &q->ring);
	return r ? r : r2;
}

void kfd_sdma_put(struct kfd_sdma *q, const uint32_t *words, unsigned int n)
{
	uint32_t *ring = (uint32_t *)q->ring.cpu;
	uint64_t size = q->ring.size;
	uint64_t left = size - (q->wptr & (size - 1));

	if (left < n * 4ull) {
		memset(q->ring.cpu + (q->wptr & (size - 1)), 0, left);
		q->wptr += left;
	}
	memcpy(ring + (q->wptr & (size - 1)) / 4, words, n * 4ul);
	q->wptr += n * 4ull;
}

void kfd_sdma_ring(struct kfd_sdma *q)
{
	*(volatile uint64_t *)(q->ptrs.cpu + 8) = q->wptr;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	*q->doorbell = q->wptr;
}

uint64_t kfd_sdma_rptr(const struct kfd_sdma *q)
{
	return *(volatile uint64_t *)(q->ptrs.cpu + 16);
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ull + t.tv_nsec / 1000000;
}

int kfd_sdma_idle(struct kfd_sdma *q, unsigned int timeout_ms)
{
	uint64_t end = now_ms() + (uint64_t)timeout_ms * kfd_time_scale();

	while (kfd_sdma_rptr(q) != q->wptr) {
		if (now_ms() > end)
			return -ETIMEDOUT;
		usleep(200);
	}
	return 0;
}

/* The first event hands the event page over to the driver. */
static int event_page_init(struct kfd_client *c, uint64_t *handle)
{
	struct kfd_bo bo;
	int r;

	*handle = 0;
	if (c->event_page)
		return 0;
	r = kfd_bo_gtt(c, KFD_EVENT_PAGE_SIZE, &bo);
	if (r)
		return r;
	c->event_page = (uint64_t *)bo.cpu;
	c->event_page_bo = bo.handle;
	*handle = bo.handle;
	return 0;
}

int kfd_event_create_type(struct kfd_client *c, uint32_t type, bool manual, struct kfd_event *e)
{
	struct kfd_ioctl_create_event_args args = {
		.event_type = type,
		.auto_reset = !manual,
	};
	uint64_t handle;
	int r;

	r = event_page_init(c, &handle);
	if (r)
		return r;
	args.event_page_offset = handle;
	r = kfd_ioctl(c->fd, AMDKFD_IOC_CREATE_EVENT, &args);
	if (r)
		return r;
	e->id = args.event_id;
	e->slot = args.event_slot_index;
	e->mailbox = c->event_page + e->slot;
	return 0;
}

int kfd_event_create(struct kfd_client *c, struct kfd_event *e)
{
	return kfd_event_create_type(c, KFD_IOC_EVENT_SIGNAL, false, e);
}

int kfd_event_destroy(struct kfd_client *c, const struct kfd_event *e)
{
	struct kfd_ioctl_destroy_event_args args = { .event_id = e->id };

	return kfd_ioctl(c->fd, AMDKFD_IOC_DESTROY_EVENT, &args);
}

int kfd_events_wait_age(struct kfd_client *c, const uint32_t *ids, uint64_t *ages, unsigned int n,
			bool all, uint32_t ms, uint32_t *result)
{
	struct kfd_event_data *data = calloc(n ? n : 1, sizeof(*data));
	struct kfd_ioctl_wait_events_args args = {
		.events_ptr = (uintptr_t)data,
		.num_events = n,
		.wait_for_all = all,
		.timeout = ms,
	};
	unsigned int i;
	int r;

	if (!data)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		data[i].event_id = ids[i];
		data[i].signal_event_data.last_event_age = ages ? ages[i] : 0;
	}
	r = kfd_ioctl(c->fd, AMDKFD_IOC_WAIT_EVENTS, &args);
	for (i = 0; ages && i < n; i++)
		ages[i] = data[i].signal_event_data.last_event_age;
	free(data);
	*result = args.wait_result;
	return r;
}

int kfd_events_wait(struct kfd_client *c, const uint32_t *ids, unsigned int n, bool all,
		    uint32_t ms, uint32_t *result)
{
	return kfd_events_wait_age(c, ids, NULL, n, all, ms, result);
}

int kfd_event_wait(struct kfd_client *c, const struct kfd_event *e, uint32_t ms, uint32_t *result)
{
	return kfd_events_wait(c, &e->id, 1, false, ms, result);
}

void kfd_sdma_signal(struct kfd_sdma *q, const struct kfd_event *e)
{
	uint32_t w[8];
	unsigned int n;

	n = pkt_fence(w, e->mailbox, e->id);
	n += pkt_trap(w + n, e->id);
	kfd_sdma_put(q, w, n);
}

int kfd_sdma_copy_wait(struct kfd_sdma *q, const struct kfd_event *e, const void *dst,
		       const void *src, uint64_t bytes)
{
	uint32_t w[8], result;
	int r;

	while (bytes) {
		uint32_t part = bytes < COPY_MAX ? bytes : COPY_MAX;

		kfd_sdma_put(q, w, pkt_copy(w, dst, src, part));
		dst = (const uint8_t *)dst + part;
		src = (const uint8_t *)src + part;
		bytes -= part;
	}
	kfd_sdma_signal(q, e);
	kfd_sdma_ring(q);
	r = kfd_event_wait(q->c, e, KFD_TIMEOUT_MS, &result);
	if (r)
		return r;
	return result == KFD_IOC_WAIT_RESULT_COMPLETE ? 0 : -ETIMEDOUT;
}

int kfd_write_file(const char *path, const char *text)
{
	ssize_t len = strlen(text);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : write(fd, text, len);
	int ret = n == len ? 0 : n < 0 ? -errno : -EIO;

	if (fd >= 0)
		close(fd);
	return ret;
}

int kfd_smi_open(struct kfd_client *c, uint64_t mask)
{
	struct kfd_ioctl_smi_events_args args = { .gpuid = c->gpu_id };
	int r = kfd_ioctl(c->fd, AMDKFD_IOC_SMI_EVENTS, &args);

	if (r)
		return r;
	if (write(args.anon_fd, &mask, sizeof(mask)) == sizeof(mask))
		return args.anon_fd;
	close(args.anon_fd);
	return -EIO;
}

int kfd_smi_line(int fd, char line[KFD_SMI_EVENT_MSG_SIZE])
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	unsigned int n = 0;

	while (n < KFD_SMI_EVENT_MSG_SIZE) {
		if (read(fd, &line[n], 1) == 1) {
			if (line[n] != '\n') {
				n++;
				continue;
			}
			line[n] = 0;
			return 0;
		}
		if (errno != EAGAIN)
			return -errno;
		if (poll(&p, 1, KFD_TIMEOUT_MS) != 1)
			return -ETIMEDOUT;
	}
	return -EOVERFLOW;
}

long long kfd_available(struct kfd_client *c)
{
	struct kfd_ioctl_get_available_memory_args args = { .gpu_id = c->gpu_id };

	return kfd_ioctl(c->fd, AMDKFD_IOC_AVAILABLE_MEMORY, &args) ? -1 : args.available;
}

int kfd_bo_export(struct kfd_client *c, uint64_t handle)
{
	struct kfd_ioctl_export_dmabuf_args args = { .handle = handle, .flags = O_CLOEXEC };
	int r = kfd_ioctl(c->fd, AMDKFD_IOC_EXPORT_DMABUF, &args);

	return r ? r : (int)args.dmabuf_fd;
}

int kfd_bo_import(struct kfd_client *c, int dmabuf, struct kfd_bo *bo)
{
	struct kfd_ioctl_get_dmabuf_info_args info = { .dmabuf_fd = dmabuf };
	struct kfd_ioctl_import_dmabuf_args args = { .gpu_id = c->gpu_id, .dmabuf_fd = dmabuf };
	int r = kfd_ioctl(c->fd, AMDKFD_IOC_GET_DMABUF_INFO, &info);

	if (r)
		return r;
	memset(bo, 0, sizeof(*bo));
	bo->size = info.size;
	bo->cpu = kfd_va_reserve(info.size);
	if (!bo->cpu)
		return -ENOMEM;
	/* What the CPU may not see stays reserved. */
	mmap(bo->cpu, info.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, dmabuf, 0);
	args.va_addr = (uintptr_t)bo->cpu;
	r = kfd_ioctl(c->fd, AMDKFD_IOC_IMPORT_DMABUF, &args);
	if (!r) {
		bo->handle = args.handle;
		r = kfd_map(c, bo->handle);
	}
	if (r)
		munmap(bo->cpu, info.size);
	return r;
}

int kfd_send_fd(int socket, int fd, uint32_t tag)
{
	union {
		char buf[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} u = { };
	struct iovec iov = { &tag, sizeof(tag) };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = u.buf,
		.msg_controllen = sizeof(u.buf),
	};
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof(int));
	return sendmsg(socket, &msg, MSG_NOSIGNAL) == sizeof(tag) ? 0 : -errno;
}

int kfd_receive_fd(int socket, uint32_t *tag)
{
	char buf[CMSG_SPACE(sizeof(int))];
	struct iovec iov = { tag, sizeof(*tag) };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = buf,
		.msg_controllen = sizeof(buf),
	};
	struct cmsghdr *c;
	int fd;

	if (recvmsg(socket, &msg, MSG_CMSG_CLOEXEC) != sizeof(*tag))
		return -1;
	c = CMSG_FIRSTHDR(&msg);
	if (!c || c->cmsg_type != SCM_RIGHTS)
		return -1;
	memcpy(&fd, CMSG_DATA(c), sizeof(int));
	return fd;
}

long long kfd_count(const char *name)
{
	return kfd_prop(COUNTS, name);
}

int kfd_counts_read(char *buf, size_t size)
{
	FILE *f = fopen(COUNTS, "r");
	size_t n;

	if (!f)
		return -errno;
	n = fread(buf, 1, size - 1, f);
	buf[n] = 0;
	fclose(f);
	return 0;
}

static void print_difference(const char *before, const char *after)
{
	char a[4096], *line, *save;

	snprintf(a, sizeof(a), "%s", after);
	for (line = strtok_r(a, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (!strstr(before, line))
			fprintf(stderr, "# count is now: %s\n", line);
	}
}

int kfd_counts_settle(const char *before)
{
	uint64_t end = now_ms() + KFD_TIMEOUT_MS;
	char now[4096];

	do {
		int r = kfd_counts_read(now, sizeof(now));

		if (r)
			return r;
		if (!strcmp(now, before))
			return 0;
		usleep(10000);
	} while (now_ms() < end);
	print_difference(before, now);
	return -EBUSY;
}

int vgpu_control(unsigned int index, const char *fmt, ...)
{
	char cmd[128];
	va_list ap;
	glob_t g;
	int fd, n, r = 0;

	va_start(ap, fmt);
	n = vsnprintf(cmd, sizeof(cmd), fmt, ap);
	va_end(ap);
	if (glob("/sys/kernel/debug/carillon_vgpu/*:*:*/control", 0, NULL, &g))
		return -ENOENT;
	if (index >= g.gl_pathc) {
		globfree(&g);
		return -ENODEV;
	}
	fd = open(g.gl_pathv[index], O_WRONLY);
	globfree(&g);
	if (fd < 0)
		return -errno;
	if (write(fd, cmd, n) != n)
		r = -errno;
	close(fd);
	return r;
}

int kfd_mmap_errno(int fd, uint64_t size, int prot, int flags, uint64_t offset)
{
	void *p = mmap(NULL, size, prot, flags, fd, offset);

	if (p == MAP_FAILED)
		return -errno;
	munmap(p, size);
	return 0;
}

bool kfd_all_bytes(const void *p, uint64_t n, uint8_t byte)
{
	const uint8_t *b = p;

	return b[0] == byte && !memcmp(b, b + 1, n - 1);
}
