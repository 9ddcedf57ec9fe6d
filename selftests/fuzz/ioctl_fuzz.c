// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: ioctl fuzzer
 *
 *	ioctl_fuzz [-s SEED] [-t SECONDS] [-n THREADS] [-p PROCESSES] [-k] [-i] [-v]
 *
 * Each process has a pool of live handles, queues, events and mappings that all its
 * threads use at once.  A *program* is a list of steps, each an operation and the seed
 * of its arguments; arguments are mostly from the pool and mostly right, now and then
 * hostile.  Programs that reached new code are kept and mutated.  Processes end by
 * SIGKILL at any instant (-k) and get signals every 50 us (-i).
 *
 * It fails when the kernel accepted what the interface forbids, when counts of the
 * driver are not back at the start, or when a process cannot be killed.  What the
 * kernel itself says (KASAN, lockdep, warnings) is for the caller to look at.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../kfd_client.h"
#include "fuzz_crew.h"

#define POOL		32
#define AREA_SIZE	(4ul << 20)
#define AREAS		4
#define STEPS		12
#define CORPUS		256
#define PAGE		4096ul
#define BUSY_PAGES	48	/* of each area: where most buffers and rings meet */

/**
 * struct pool - what a process has; written by all its threads without a lock, on purpose
 */
struct pool {
	struct kfd_client c;
	uint64_t handle[POOL];
	uint64_t offset[POOL];
	uint32_t queue[POOL];
	uint32_t event[POOL];
	int smi[POOL];
	uint8_t *area[AREAS];
	uint8_t *doorbells;
	int pipe[2];
};

struct step {
	uint32_t op;
	uint64_t seed;
};

struct program {
	unsigned int n;
	struct step step[STEPS];
};

/**
 * struct shared - of all processes
 * @calls: made so far
 * @good: of those, the ones that succeeded
 * @wrong: calls that succeeded and must not have
 * @what: the first of them
 */
struct shared {
	uint64_t calls, good, wrong;
	uint64_t kept;
	char what[128];
	unsigned int next;
	struct program corpus[CORPUS];
};

static struct shared *shared;
static uint64_t *seen;
static struct pool pool;
static unsigned int num_threads = 4;
static bool signals, verbose;

static void wrong(const char *what, uint64_t a, uint64_t b)
{
	if (!__atomic_fetch_add(&shared->wrong, 1, __ATOMIC_RELAXED))
		snprintf(shared->what, sizeof(shared->what), "%s: %#llx %#llx", what,
			 (unsigned long long)a, (unsigned long long)b);
}

/* Not restarted on EINTR: that is what the next step is for. */
static int call(unsigned long request, void *arg)
{
	int ret = ioctl(pool.c.fd, request, arg) ? -errno : 0;

	__atomic_fetch_add(&shared->calls, 1, __ATOMIC_RELAXED);
	if (!ret)
		__atomic_fetch_add(&shared->good, 1, __ATOMIC_RELAXED);
	return ret;
}

/* ---- arguments ---- */

static uint32_t pick_gpu(struct fuzz_rng *r)
{
	return fuzz_once(r, 24) ? fuzz_value(r) : pool.c.gpu_id;
}

static uint64_t pick_handle(struct fuzz_rng *r)
{
	uint64_t handle = pool.handle[fuzz_below(r, POOL)];

	return fuzz_once(r, 16) ? handle ^ fuzz_value(r) : handle;
}

static uint8_t *pick_area(struct fuzz_rng *r)
{
	return pool.area[fuzz_below(r, AREAS)];
}

/* An address in one of our areas, mostly on a page. */
static uint64_t pick_addr(struct fuzz_rng *r)
{
	uint32_t pages = fuzz_once(r, 8) ? AREA_SIZE / PAGE : BUSY_PAGES;
	uint64_t addr = (uintptr_t)pick_area(r) + fuzz_below(r, pages) * PAGE;

	if (fuzz_once(r, 16))
		return fuzz_value(r);
	return fuzz_once(r, 16) ? addr + fuzz_below(r, PAGE) : addr;
}

static uint64_t pick_size(struct fuzz_rng *r)
{
	if (fuzz_once(r, 12))
		return fuzz_value(r);
	return (1 + fuzz_below(r, fuzz_once(r, 4) ? 600 : 8)) * PAGE;
}

/* ---- operations ---- */

static void op_alloc(struct fuzz_rng *r)
{
	static const uint32_t kinds[] = {
		KFD_IOC_ALLOC_MEM_FLAGS_VRAM, KFD_IOC_ALLOC_MEM_FLAGS_GTT,
		KFD_IOC_ALLOC_MEM_FLAGS_USERPTR, KFD_IOC_ALLOC_MEM_FLAGS_USERPTR,
		KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL, KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP,
	};
	struct kfd_ioctl_alloc_memory_of_gpu_args a = {
		.va_addr = pick_addr(r),
		.size = pick_size(r),
		.gpu_id = pick_gpu(r),
		.flags = kinds[fuzz_below(r, 6)] | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE,
	};
	unsigned int at = fuzz_below(r, POOL);
	uint64_t size = a.size, va = a.va_addr;

	if (a.flags & KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL)
		a.size = fuzz_once(r, 4) ? size : KFD_DOORBELL_SLICE;
	if (a.flags & KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP)
		a.size = fuzz_once(r, 4) ? size : PAGE;
	size = a.size;
	if (fuzz_once(r, 2))
		a.flags |= KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC;
	if (fuzz_once(r, 20))
		a.flags ^= 1u << fuzz_below(r, 32);
	a.mmap_offset = fuzz_once(r, 4) ? pick_addr(r) : a.va_addr;
	if (call(AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &a))
		return;
	if (!size || va >= 1ull << 47 || va % PAGE || size > 1ull << 47)
		wrong("ALLOC_MEMORY_OF_GPU", va, size);
	if (!pool.handle[at] || fuzz_once(r, 4)) {
		pool.handle[at] = a.handle;
		pool.offset[at] = a.mmap_offset;
	} else {
		struct kfd_ioctl_free_memory_of_gpu_args f = { .handle = a.handle };

		call(AMDKFD_IOC_FREE_MEMORY_OF_GPU, &f);
	}
}

static void op_free(struct fuzz_rng *r)
{
	struct kfd_ioctl_free_memory_of_gpu_args a = { .handle = pick_handle(r) };
	unsigned int i;

	if (call(AMDKFD_IOC_FREE_MEMORY_OF_GPU, &a))
		return;
	for (i = 0; i < POOL; i++)
		if (pool.handle[i] == a.handle)
			pool.handle[i] = 0;
}

static void op_map(struct fuzz_rng *r)
{
	uint32_t ids[4] = { pick_gpu(r), pick_gpu(r), pick_gpu(r), pick_gpu(r) };
	struct kfd_ioctl_map_memory_to_gpu_args a = {
		.handle = pick_handle(r),
		.device_ids_array_ptr = fuzz_once(r, 24) ? fuzz_value(r) : (uintptr_t)ids,
		.n_devices = fuzz_once(r, 12) ? fuzz_value(r) : 1 + fuzz_below(r, 2),
		.n_success = fuzz_once(r, 24) ? fuzz_value(r) : 0,
	};
	uint32_t n = a.n_devices;

	if (!call(fuzz_once(r, 3) ? AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU :
		  AMDKFD_IOC_MAP_MEMORY_TO_GPU, &a) && (!n || n > 64))
		wrong("MAP_MEMORY_TO_GPU n_devices", n, a.handle);
}

static void op_queue_create(struct fuzz_rng *r)
{
	struct kfd_ioctl_create_queue_args a = {
		.ring_base_address = pick_addr(r),
		.write_pointer_address = pick_addr(r) + 8,
		.read_pointer_address = pick_addr(r) + 16,
		.ring_size = fuzz_once(r, 6) ? fuzz_value(r) : 4096u << fuzz_below(r, 6),
		.gpu_id = pick_gpu(r),
		.queue_type = fuzz_once(r, 12) ? fuzz_value(r) : KFD_IOC_QUEUE_TYPE_SDMA,
		.queue_percentage = fuzz_once(r, 8) ? fuzz_value(r) : 100,
		.queue_priority = fuzz_once(r, 8) ? fuzz_value(r) : 7,
		.ctx_save_restore_size = fuzz_value(r),
		.ctl_stack_size = fuzz_value(r),
	};
	uint32_t size = a.ring_size, at = fuzz_below(r, POOL);

	if (call(AMDKFD_IOC_CREATE_QUEUE, &a))
		return;
	if (size & (size - 1) || a.ring_base_address % 256 ||
	    a.write_pointer_address % 8 || a.read_pointer_address >> 47)
		wrong("CREATE_QUEUE", a.ring_base_address, size);
	pool.queue[at] = a.queue_id;
	if (!pool.doorbells) {
		void *p = mmap(NULL, KFD_DOORBELL_SLICE, PROT_READ | PROT_WRITE, MAP_SHARED,
			       pool.c.fd, a.doorbell_offset & ~(KFD_DOORBELL_SLICE - 1ull));

		if (p != MAP_FAILED)
			pool.doorbells = p;
	}
}

static uint32_t pick_queue(struct fuzz_rng *r)
{
	return fuzz_once(r, 16) ? fuzz_value(r) : pool.queue[fuzz_below(r, POOL)];
}

static void op_queue_destroy(struct fuzz_rng *r)
{
	struct kfd_ioctl_destroy_queue_args a = { .queue_id = pick_queue(r) };

	call(AMDKFD_IOC_DESTROY_QUEUE, &a);
}

static void op_queue_update(struct fuzz_rng *r)
{
	struct kfd_ioctl_update_queue_args a = {
		.ring_base_address = fuzz_once(r, 8) ? 0 : pick_addr(r),
		.queue_id = pick_queue(r),
		.ring_size = fuzz_once(r, 6) ? fuzz_value(r) : 4096u << fuzz_below(r, 6),
		.queue_percentage = fuzz_once(r, 4) ? fuzz_value(r) : 100,
		.queue_priority = fuzz_once(r, 8) ? fuzz_value(r) : 7,
	};
	uint32_t size = a.ring_size;

	if (!call(AMDKFD_IOC_UPDATE_QUEUE, &a) && size & (size - 1))
		wrong("UPDATE_QUEUE", a.ring_base_address, size);
}

static void op_event_create(struct fuzz_rng *r)
{
	struct kfd_ioctl_create_event_args a = {
		.event_page_offset = fuzz_once(r, 8) ? pick_handle(r) : 0,
		.event_type = fuzz_once(r, 3) ? fuzz_below(r, 10) : KFD_IOC_EVENT_SIGNAL,
		.auto_reset = fuzz_below(r, 3),
		.node_id = fuzz_value(r),
	};
	uint32_t type = a.event_type;

	if (call(AMDKFD_IOC_CREATE_EVENT, &a))
		return;
	if (type > KFD_IOC_EVENT_MEMORY || !a.event_id)
		wrong("CREATE_EVENT", type, a.event_id);
	pool.event[fuzz_below(r, POOL)] = a.event_id;
}

static uint32_t pick_event(struct fuzz_rng *r)
{
	return fuzz_once(r, 16) ? fuzz_value(r) : pool.event[fuzz_below(r, POOL)];
}

static void op_event_change(struct fuzz_rng *r)
{
	static const unsigned long what[] = {
		AMDKFD_IOC_SET_EVENT, AMDKFD_IOC_RESET_EVENT, AMDKFD_IOC_DESTROY_EVENT,
	};
	uint32_t id[2] = { pick_event(r), 0 };

	call(what[fuzz_below(r, 3)], id);
}

static void op_wait(struct fuzz_rng *r)
{
	struct kfd_event_data list[8];
	struct kfd_ioctl_wait_events_args a = {
		.events_ptr = fuzz_once(r, 24) ? fuzz_value(r) : (uintptr_t)list,
		.num_events = fuzz_once(r, 16) ? fuzz_value(r) : fuzz_below(r, 8),
		.wait_for_all = fuzz_below(r, 2),
		.timeout = fuzz_below(r, 20),
	};
	uint32_t n = a.num_events;
	unsigned int i;

	memset(list, 0, sizeof(list));
	for (i = 0; i < 8; i++) {
		list[i].event_id = pick_event(r);
		if (fuzz_once(r, 2))
			list[i].signal_event_data.last_event_age = fuzz_once(r, 4) ?
				fuzz_value(r) : fuzz_below(r, 6);
	}
	if (!call(AMDKFD_IOC_WAIT_EVENTS, &a) && n > 4096)
		wrong("WAIT_EVENTS num_events", n, 0);
}

/* Once: its number is soon another's. */
static void smi_close(int fd)
{
	if (fd)
		close(fd);
}

/* A descriptor that any thread may write to, read from, poll and close. */
static void op_smi(struct fuzz_rng *r)
{
	struct kfd_ioctl_smi_events_args a = { .gpuid = pick_gpu(r) };
	unsigned int at = fuzz_below(r, POOL);
	struct pollfd p = { .events = POLLIN };
	uint64_t mask = fuzz_once(r, 4) ? fuzz_value(r) : ~0ull;
	uint8_t *to = fuzz_once(r, 4) ? pick_area(r) : (uint8_t *)(uintptr_t)fuzz_value(r);
	uint32_t gpu = a.gpuid;
	char buf[256];

	if (fuzz_once(r, 3)) {
		if (call(AMDKFD_IOC_SMI_EVENTS, &a))
			return;
		if (gpu != pool.c.gpu_id)
			wrong("SMI_EVENTS gpuid", gpu, a.anon_fd);
		smi_close(__atomic_exchange_n(&pool.smi[at], a.anon_fd, __ATOMIC_RELAXED));
	}
	p.fd = pool.smi[at];
	if (!p.fd)
		return;
	if (write(p.fd, &mask, fuzz_once(r, 8) ? fuzz_below(r, 8) : sizeof(mask)) > 8 ||
	    read(p.fd, buf, fuzz_below(r, sizeof(buf))) > (ssize_t)sizeof(buf) ||
	    read(p.fd, to, fuzz_value(r)) > 1024 || poll(&p, 1, fuzz_below(r, 3)) > 1)
		wrong("an SMI descriptor", mask, (uintptr_t)to);
	if (fuzz_once(r, 8))
		smi_close(__atomic_exchange_n(&pool.smi[at], 0, __ATOMIC_RELAXED));
}

static void op_tiles(struct fuzz_rng *r)
{
	struct kfd_ioctl_get_tile_config_args a = {
		.gpu_id = pick_gpu(r),
		.tile_config_ptr = fuzz_once(r, 4) ? fuzz_value(r) : pick_addr(r),
		.macro_tile_config_ptr = fuzz_once(r, 4) ? fuzz_value(r) : pick_addr(r),
		.num_tile_configs = fuzz_once(r, 4) ? fuzz_value(r) : fuzz_below(r, 40),
		.num_macro_tile_configs = fuzz_once(r, 4) ? fuzz_value(r) : fuzz_below(r, 40),
	};

	if (!call(AMDKFD_IOC_GET_TILE_CONFIG, &a) &&
	    (a.num_tile_configs > 32 || a.num_macro_tile_configs > 16))
		wrong("GET_TILE_CONFIG", a.num_tile_configs, a.num_macro_tile_configs);
}

static void op_runtime(struct fuzz_rng *r)
{
	struct kfd_ioctl_runtime_enable_args a = {
		.r_debug = fuzz_value(r), .capabilities_mask = fuzz_value(r),
		.mode_mask = fuzz_once(r, 4) ? fuzz_value(r) : fuzz_below(r, 4),
	};

	call(AMDKFD_IOC_RUNTIME_ENABLE, &a);
}

static void op_apertures(struct fuzz_rng *r)
{
	struct kfd_process_device_apertures out[16];
	struct kfd_ioctl_get_process_apertures_new_args a = {
		.kfd_process_device_apertures_ptr = fuzz_once(r, 8) ? fuzz_value(r) :
								      (uintptr_t)out,
		.num_of_nodes = fuzz_once(r, 2) ? fuzz_value(r) : fuzz_below(r, 16),
	};
	uint32_t n = a.num_of_nodes;

	if (!call(AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, &a) && n > 64)
		wrong("GET_PROCESS_APERTURES_NEW num_of_nodes", n, a.num_of_nodes);
}

static void op_acquire(struct fuzz_rng *r)
{
	struct kfd_ioctl_acquire_vm_args a = { .gpu_id = pick_gpu(r), .drm_fd = pool.c.drm };

	switch (fuzz_below(r, 4)) {
	case 0:
		a.drm_fd = fuzz_below(r, 16);
		break;
	case 1:
		a.drm_fd = fuzz_value(r);
		break;
	}
	call(AMDKFD_IOC_ACQUIRE_VM, &a);
}

/* Numbers, sizes and bytes as they come. */
static void op_raw(struct fuzz_rng *r)
{
	uint64_t arg[64];
	unsigned int i;

	for (i = 0; i < 64; i++)
		arg[i] = fuzz_once(r, 3) ? fuzz_value(r) : fuzz_once(r, 2) ? pick_addr(r) :
			 (uint64_t)pool.c.gpu_id << (32 * fuzz_below(r, 2));
	call(_IOC(fuzz_below(r, 4), 'K', fuzz_below(r, 48), fuzz_below(r, 512)),
	     fuzz_once(r, 16) ? (void *)(uintptr_t)fuzz_value(r) : arg);
}

/* mmap of anything at a place of ours or nowhere, through either descriptor. */
static void op_mmap(struct fuzz_rng *r)
{
	bool fixed = fuzz_once(r, 3);
	uint64_t offset = fuzz_once(r, 8) ? fuzz_value(r) & ~(PAGE - 1) :
			  pool.offset[fuzz_below(r, POOL)];
	uint64_t size = fuzz_once(r, 3) ? 2 * PAGE : (1 + fuzz_below(r, 8)) * PAGE;
	int fd = fuzz_once(r, 3) ? pool.c.fd : pool.c.drm;
	int prot = fuzz_once(r, 4) ? PROT_NONE : PROT_READ | PROT_WRITE;
	uint8_t *p;

	if (fd == pool.c.fd && fuzz_once(r, 2))
		offset = (fuzz_below(r, 4) << 30 | (uint64_t)0) << 32 |
			 (uint64_t)(pool.c.gpu_id & 0xffff) << 46;
	p = mmap(fixed ? pick_area(r) : NULL, size, prot,
		 (fuzz_once(r, 8) ? MAP_PRIVATE : MAP_SHARED) | (fixed ? MAP_FIXED : 0), fd,
		 offset);
	if (p == MAP_FAILED)
		return;
	if (fuzz_once(r, 4))
		p = mremap(p, size, size + PAGE * fuzz_below(r, 3), MREMAP_MAYMOVE);
	if (p != MAP_FAILED && !fixed && p)
		munmap(p, size);
}

/* What the client may do to memory that a GPU uses. */
static void op_memory(struct fuzz_rng *r)
{
	uint8_t *area = pick_area(r), *p = area + fuzz_below(r, 64) * PAGE;
	uint64_t size = (1 + fuzz_below(r, 64)) * PAGE;

	switch (fuzz_below(r, 9)) {
	case 0:
		madvise(p, size, MADV_DONTNEED);
		break;
	case 1:
		mprotect(p, size, PROT_READ);
		mprotect(p, size, PROT_READ | PROT_WRITE);
		break;
	case 2:
		munmap(p, size);
		/* fall through */
	case 3:
		mmap(area, AREA_SIZE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		break;
	case 4:
		mmap(area, AREA_SIZE, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		break;
	case 5:
		madvise(area, AREA_SIZE, fuzz_once(r, 2) ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
		break;
	case 6:
		madvise(p, size, MADV_PAGEOUT);
		break;
	case 7: {
		void *q = mremap(p, size, size, MREMAP_MAYMOVE | MREMAP_FIXED,
				 pick_area(r) + AREA_SIZE / 2);
		(void)q;
		mmap(area, AREA_SIZE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		break;
	}
	case 8:
		madvise(p, size, MADV_REMOVE);
		break;
	}
}

/* A child that inherits everything and tries to use it. */
static void op_fork(struct fuzz_rng *r)
{
	uint32_t id[2] = { pick_event(r), 0 };
	int status;
	pid_t pid;

	if (!fuzz_once(r, 8))
		return;
	pid = fork();
	if (!pid) {
		int ok = !ioctl(pool.c.fd, AMDKFD_IOC_SET_EVENT, id);

		if (fuzz_once(r, 2))
			close(open("/dev/kfd", O_RDWR));
		if (fuzz_once(r, 4))
			execl("/bin/true", "true", NULL);
		_exit(ok);
	}
	if (pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	    WEXITSTATUS(status) == 1)
		wrong("a child used its parent's descriptor", id[0], 0);
}

/* Words into a place that may be a ring, doorbells too. */
static void op_ring(struct fuzz_rng *r)
{
	uint8_t *p = pick_area(r) + fuzz_below(r, BUSY_PAGES) * PAGE;
	volatile uint64_t *bell = (void *)pool.doorbells;
	uint32_t w[16];
	unsigned int i, n = pkt_fence(w, p, fuzz_next(r));

	n += pkt_trap(w + n, pick_event(r));
	for (i = 0; i < 16; i++)
		w[i] = i < n && !fuzz_once(r, 8) ? w[i] : fuzz_once(r, 4) ? fuzz_value(r) : 0;
	/* The kernel's store fails where ours would kill. */
	if (write(pool.pipe[1], w, sizeof(w)) == sizeof(w) &&
	    read(pool.pipe[0], p, sizeof(w)) < 0 && verbose)
		printf("# no store to %p\n", (void *)p);
	if (bell)
		for (i = 0; i < 4; i++)
			bell[0x1e0 / 2 + fuzz_below(r, 256)] = fuzz_once(r, 4) ? fuzz_value(r) :
							       fuzz_below(r, 64) * 4;
}

static void op_reopen(struct fuzz_rng *r)
{
	int fd;

	if (fuzz_once(r, 3)) {
		close(open("/dev/kfd", O_RDWR | O_CLOEXEC));
		return;
	}
	fd = open("/dev/kfd", O_RDWR | O_CLOEXEC);
	if (fd >= 0) {
		dup3(fd, pool.c.fd, O_CLOEXEC);
		close(fd);
	}
}

static const struct {
	const char *name;
	void (*fn)(struct fuzz_rng *r);
	unsigned int weight;
} ops[] = {
	{ "alloc", op_alloc, 6 }, { "free", op_free, 5 }, { "map", op_map, 7 },
	{ "queue_create", op_queue_create, 4 }, { "queue_destroy", op_queue_destroy, 3 },
	{ "queue_update", op_queue_update, 3 }, { "event_create", op_event_create, 4 },
	{ "event_change", op_event_change, 4 }, { "wait", op_wait, 3 },
	{ "apertures", op_apertures, 1 }, { "acquire", op_acquire, 1 }, { "raw", op_raw, 4 },
	{ "mmap", op_mmap, 4 }, { "memory", op_memory, 4 }, { "fork", op_fork, 1 },
	{ "ring", op_ring, 4 }, { "reopen", op_reopen, 1 }, { "smi", op_smi, 3 },
	{ "tiles", op_tiles, 1 }, { "runtime", op_runtime, 1 },
};

#define NUM_OPS	(sizeof(ops) / sizeof(*ops))

static uint32_t pick_op(struct fuzz_rng *r)
{
	unsigned int i, sum = 0;
	uint32_t at;

	for (i = 0; i < NUM_OPS; i++)
		sum += ops[i].weight;
	at = fuzz_below(r, sum);
	for (i = 0; at >= ops[i].weight; i++)
		at -= ops[i].weight;
	return i;
}

/* ---- programs ---- */

static void program_make(struct program *p, struct fuzz_rng *r)
{
	unsigned int i;

	p->n = 1 + fuzz_below(r, STEPS);
	for (i = 0; i < p->n; i++)
		p->step[i] = (struct step){ pick_op(r), fuzz_next(r) };
}

static void program_next(struct program *p, struct fuzz_rng *r)
{
	uint64_t kept = __atomic_load_n(&shared->kept, __ATOMIC_ACQUIRE);
	unsigned int i;

	program_make(p, r);
	if (!kept || fuzz_once(r, 3))
		return;
	*p = shared->corpus[fuzz_below(r, kept < CORPUS ? kept : CORPUS)];
	if (!p->n || p->n > STEPS)
		p->n = 1;
	for (i = 0; i < 1 + fuzz_below(r, 3); i++)
		p->step[fuzz_below(r, p->n)] = (struct step){ pick_op(r), fuzz_next(r) };
	if (p->n < STEPS && fuzz_once(r, 2))
		p->step[p->n++] = (struct step){ pick_op(r), fuzz_next(r) };
}

static void program_run(const struct program *p)
{
	unsigned int i;

	for (i = 0; i < p->n; i++) {
		struct fuzz_rng r;

		fuzz_seed(&r, p->step[i].seed);
		ops[p->step[i].op % NUM_OPS].fn(&r);
	}
}

static void *worker(void *data)
{
	struct fuzz_cover cover;
	struct fuzz_rng r;
	struct program p;

	fuzz_seed(&r, (uintptr_t)data);
	fuzz_cover_open(&cover, seen);
	for (;;) {
		program_next(&p, &r);
		fuzz_cover_begin(&cover);
		program_run(&p);
		if (fuzz_cover_end(&cover)) {
			uint64_t at = __atomic_fetch_add(&shared->kept, 1, __ATOMIC_RELEASE);

			shared->corpus[at % CORPUS] = p;
		}
	}
	return NULL;
}

/* ---- processes ---- */

static void on_signal(int sig)
{
}

/* A store into what a step took away: forget the thread's step, go on. */
static void on_fault(int sig)
{
	_exit(0);
}

static void set_signals(void)
{
	struct itimerval every = { { 0, 50 }, { 0, 50 } };
	struct sigaction on = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	struct sigaction fault = { .sa_handler = on_fault };

	sigaction(SIGALRM, &on, NULL);
	sigaction(SIGBUS, &fault, NULL);
	sigaction(SIGSEGV, &fault, NULL);
	if (signals)
		setitimer(ITIMER_REAL, &every, NULL);
}

static void process_main(uint64_t seed)
{
	pthread_t thread;
	unsigned int i;

	if (kfd_client_init(&pool.c, 0) || pipe2(pool.pipe, O_NONBLOCK | O_CLOEXEC))
		_exit(1);
	for (i = 0; i < AREAS; i++)
		pool.area[i] = mmap(NULL, AREA_SIZE, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (i = 0; i < POOL; i++)
		pool.queue[i] = i;
	set_signals();
	for (i = 1; i < num_threads; i++)
		pthread_create(&thread, NULL, worker, (void *)(uintptr_t)(seed * 64 + i));
	worker((void *)(uintptr_t)(seed * 64));
}

int main(int argc, char **argv)
{
	struct fuzz_crew crew = { .seed = time(NULL), .seconds = 10, .processes = 3,
				  .run = process_main };
	unsigned int test = 0;
	char before[4096];
	bool settled;
	int opt;

	while ((opt = getopt(argc, argv, "s:t:n:p:kiv")) != -1) {
		switch (opt) {
		case 'n':
			num_threads = atoi(optarg);
			break;
		case 'k':
			crew.kill_once = 20;
			break;
		case 'i':
			signals = true;
			break;
		case 'v':
			verbose = true;
			break;
		default:
			if (!fuzz_crew_option(&crew, opt, optarg))
				return FUZZ_BROKEN;
		}
	}
	shared = fuzz_share(sizeof(*shared));
	seen = fuzz_cover_map();
	if (!shared || !seen || kfd_counts_read(before, sizeof(before)))
		return FUZZ_BROKEN;
	printf("# ioctl_fuzz -s %llu -t %u -n %u -p %u\n", (unsigned long long)crew.seed,
	       crew.seconds, num_threads, crew.processes);
	crew.found = &shared->wrong;
	fuzz_crew_run(&crew);
	fuzz_crew_rate(&crew, "calls", shared->calls);
	printf("# %llu succeeded, %u processes, %u places, %llu programs kept\n",
	       (unsigned long long)shared->good, crew.started, fuzz_cover_total(seen),
	       (unsigned long long)shared->kept);
	settled = !kfd_counts_settle(before);
	if (!settled && !shared->wrong)
		strcpy(shared->what, "counts are not back");
	fuzz_crew_report(&crew, settled && !shared->wrong ? NULL : shared->what);
	printf("%sok %u - every process ends\n", crew.stuck ? "not " : "", ++test);
	printf("%sok %u - nothing forbidden succeeds\n", shared->wrong ? "not " : "", ++test);
	printf("%sok %u - counts are back\n", settled ? "" : "not ", ++test);
	printf("%sok %u - calls succeed, so that there is something to break\n",
	       shared->good > 100 ? "" : "not ", ++test);
	printf("1..%u\n", test);
	if (crew.stuck || shared->wrong || !settled)
		return FUZZ_FOUND;
	return shared->good > 100 ? FUZZ_CLEAN : FUZZ_BROKEN;
}
