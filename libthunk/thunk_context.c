// SPDX-License-Identifier: MIT
/* DOC: the one global, its lock and forks; thunk_context.h has the rules. */
#include "thunk_context.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "event_page.h"
#include "queue.h"
#include "thunk_log.h"

/* Values of the fork mark. A fresh child finds the page blank. */
enum {
	MARK_CHILD = 0,
	MARK_OWNER = 1,
	MARK_CLEANING = 2,
};

struct thunk_context thunk = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.root = "",
	.kfd_fd = -1,
	.render_fds = { [0 ... THUNK_RENDER_COUNT - 1] = -1 },
};

/* In a page of its own that the kernel blanks in a child. NULL: never opened. */
static _Atomic(atomic_uint *) fork_mark;

/* fork() held the lock for us, so lists are whole; a raw clone() did not. */
static bool fork_was_clean;

static void close_inherited(int *fd)
{
	if (*fd >= 0)
		thunk_sys->close(*fd);
	*fd = -1;
}

/*
 * First call in a child. Lists of a child made by fork() are freed; after a raw
 * clone() another thread may have been changing them, so they are let go.
 */
static void drop_inheritance(void)
{
	pthread_mutex_init(&thunk.lock, NULL);
	close_inherited(&thunk.kfd_fd);
	thunk_render_close_inherited();
	thunk.open_count = 0;
	thunk.acquired = false;
	if (fork_was_clean) {
		mem_objects_forget();
		thunk_queues_forget();
		free(thunk.gpus);
		topology_free(thunk.topo);
	}
	fork_was_clean = false;
	thunk.objects = (struct mem_objects){ 0 };
	thunk.queues = NULL;
	thunk.queue_room = 0;
	thunk.gpus = NULL;
	thunk.gpu_count = 0;
	thunk.topo = NULL;
	thunk.runtime_caps = 0;
	event_page_forget();
}

static void notice_fork(void)
{
	atomic_uint *mark = fork_mark;
	unsigned int seen = MARK_CHILD;

	if (!mark || atomic_load(mark) == MARK_OWNER)
		return;
	if (atomic_compare_exchange_strong(mark, &seen, MARK_CLEANING)) {
		drop_inheritance();
		atomic_store(mark, MARK_OWNER);
		return;
	}
	while (atomic_load(mark) == MARK_CLEANING)
		sched_yield();
}

static void before_fork(void)
{
	pthread_mutex_lock(&thunk.lock);
}

static void after_fork_parent(void)
{
	pthread_mutex_unlock(&thunk.lock);
}

static void after_fork_child(void)
{
	fork_was_clean = true;
	/* also where the kernel cannot blank pages */
	atomic_store(fork_mark, MARK_CHILD);
}

int thunk_fork_init(void)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	void *page;

	if (fork_mark)
		return 0;
	page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return -errno;
	if (madvise(page, size, MADV_WIPEONFORK))
		thunk_info("no MADV_WIPEONFORK: only fork() is noticed");
	if (pthread_atfork(before_fork, after_fork_parent, after_fork_child)) {
		munmap(page, size);
		return -ENOMEM;
	}
	/* Marked before anybody can see it: blank means child. */
	atomic_store((atomic_uint *)page, MARK_OWNER);
	fork_mark = page;
	return 0;
}

void thunk_lock(void)
{
	notice_fork();
	pthread_mutex_lock(&thunk.lock);
}

void thunk_unlock(void)
{
	pthread_mutex_unlock(&thunk.lock);
}

HSAKMT_STATUS thunk_enter(void)
{
	thunk_lock();
	if (thunk.open_count)
		return HSAKMT_STATUS_SUCCESS;
	thunk_unlock();
	return HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED;
}

HSAKMT_STATUS thunk_leave(int err)
{
	thunk_unlock();
	return thunk_status(err);
}

HSAKMT_STATUS thunk_enter_unlocked(int *kfd_fd)
{
	HSAKMT_STATUS status = thunk_enter();

	if (status)
		return status;
	*kfd_fd = thunk.kfd_fd;
	thunk_unlock();
	return HSAKMT_STATUS_SUCCESS;
}

int thunk_kfd(unsigned long request, void *arg)
{
	return thunk_ioctl(thunk.kfd_fd, request, arg);
}

int thunk_node_gpu_id(uint32_t node, uint32_t *gpu_id)
{
	if (!thunk.topo)
		return -ENODEV;
	if (node < thunk.topo->system.NumNodes) {
		*gpu_id = thunk.topo->nodes[node].gpu_id;
		return 0;
	}
	/* The numbers of nodes that are left out are behind all others. */
	return node < thunk.topo->sysfs_nodes ? -THUNK_EHIDDEN : -ENODEV;
}

int thunk_gpu_of_node(uint32_t node, struct thunk_gpu **gpu)
{
	uint32_t gpu_id;
	int err = thunk_node_gpu_id(node, &gpu_id);

	if (err)
		return err;
	*gpu = gpu_id ? thunk_gpu_by_id(gpu_id) : NULL;
	return *gpu ? 0 : -ENODEV;
}

HSAKMT_STATUS thunk_enter_gpu(uint32_t node, struct thunk_gpu **gpu)
{
	HSAKMT_STATUS status = thunk_enter();
	int err;

	if (status)
		return status;
	err = thunk_gpu_of_node(node, gpu);
	return err ? thunk_leave(err) : HSAKMT_STATUS_SUCCESS;
}

int thunk_any_gpu(struct thunk_gpu **gpu)
{
	*gpu = thunk.gpu_count ? &thunk.gpus[0] : NULL;
	if (*gpu)
		return 0;
	return thunk.topo->sysfs_nodes > thunk.topo->system.NumNodes ? -THUNK_EHIDDEN : -ENODEV;
}

uint32_t thunk_gpu_node(uint32_t gpu_id, uint32_t fallback)
{
	uint32_t node;

	return topology_node_of_gpu(thunk.topo, gpu_id, &node) ? node : fallback;
}

uint32_t thunk_cpu_node(void)
{
	uint32_t node;

	return topology_node_of_gpu(thunk.topo, 0, &node) ? node : 0;
}
