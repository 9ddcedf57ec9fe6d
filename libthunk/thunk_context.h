/* SPDX-License-Identifier: MIT */
#ifndef THUNK_CONTEXT_H
#define THUNK_CONTEXT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "hsakmt/hsakmt.h"
#include "mem_object.h"
#include "thunk_gpu.h"
#include "thunk_ioctl.h"
#include "topology.h"

/**
 * DOC: the one global
 *
 * The interface names no context, so there is one per process. One lock guards
 * all of it; there is no second lock in the library and so no order to keep.
 * It is held over the ioctls that create, map and destroy memory and queues, and
 * never over a wait.
 *
 * Fork: a child has the parent's memory but not its place in the KFD. A page that
 * the kernel blanks at fork tells the two apart even when the child was made
 * without libc. The first call in the child drops what it inherited: descriptors
 * are closed, records freed, the KFD not asked. The channel is then closed, and
 * the child may open its own. Device mappings and the library's own host buffers
 * are not in the child at all (MADV_DONTFORK).
 */

struct thunk_queue;

/**
 * struct thunk_options - environment, read at each open
 * @disable_cache: HSA_DISABLE_CACHE: everything coherent and uncached
 * @userptr_for_paged_mem: HSA_USERPTR_FOR_PAGED_MEM, default true
 * @check_userptr: HSA_CHECK_USERPTR: touch user memory when it is registered
 * @vram_in_host: HSA_ZFB: host memory instead of VRAM
 * @max_align_order: HSA_MAX_VA_ALIGN, in pages
 */
struct thunk_options {
	bool disable_cache;
	bool userptr_for_paged_mem;
	bool check_userptr;
	bool vram_in_host;
	unsigned int max_align_order;
};

#define THUNK_RENDER_FIRST	128
#define THUNK_RENDER_COUNT	128

/**
 * struct thunk_context - state of the library
 * @lock: guards every member below
 * @root: prefix of /dev, /sys and /proc, for tests; set before the first open
 * @open_count: opens without a close
 * @kfd_fd: /dev/kfd, -1 before the first open; kept over closes
 * @version: the KFD's interface
 * @options: environment
 * @page_size: of the CPU
 * @va: addresses that every GPU reaches
 * @render_fds: render nodes by minor, -1: not open; kept over closes
 * @gpus: GPUs of the open channel
 * @gpu_count: how many
 * @topo: last picture of the topology: what node numbers mean
 * @acquired: it may be queried: taken by hsaKmtAcquireSystemProperties()
 * @objects: memory
 * @queues: queues by slot
 * @queue_room: slots
 * @event_page: slots of signal events, NULL until the first event
 * @event_page_size: its bytes
 * @event_page_given: the KFD has accepted it; it keeps it until the process ends
 * @runtime_caps: what the KFD answered to the last hsaKmtRuntimeEnable()
 */
struct thunk_context {
	pthread_mutex_t lock;
	const char *root;
	unsigned int open_count;
	int kfd_fd;
	HsaVersionInfo version;
	struct thunk_options options;
	uint64_t page_size;
	struct thunk_aperture va;
	int render_fds[THUNK_RENDER_COUNT];
	struct thunk_gpu *gpus;
	uint32_t gpu_count;
	struct topology *topo;
	bool acquired;
	struct mem_objects objects;
	struct thunk_queue **queues;
	uint32_t queue_room;
	uint64_t *event_page;
	uint64_t event_page_size;
	bool event_page_given;
	uint32_t runtime_caps;
};

extern struct thunk_context thunk;

/* Take the lock, whatever the state; a child has dropped its inheritance then. */
void thunk_lock(void);
void thunk_unlock(void);

/**
 * thunk_enter() - start of a call that needs the open channel
 *
 * Return: success with the lock held, or "not opened" without it.
 */
HSAKMT_STATUS thunk_enter(void);

/* Leave with 0 or a negative errno as the call's result. */
HSAKMT_STATUS thunk_leave(int err);

/**
 * thunk_enter_unlocked() - start of a call that may wait
 * @kfd_fd: out: descriptor for its ioctls
 *
 * Return: success or "not opened"; the lock is not held.
 */
HSAKMT_STATUS thunk_enter_unlocked(int *kfd_fd);

/* An ioctl on the open channel, under the lock. Return: 0 or a negative errno. */
int thunk_kfd(unsigned long request, void *arg);

/* Prepare for forks; called by each open. Return: 0 or a negative errno. */
int thunk_fork_init(void);

/*
 * The GPU id of a node, 0 for a CPU node. Return: 0, -ENODEV when there is no such
 * node, or -THUNK_EHIDDEN when there is one that this process may not use.
 */
int thunk_node_gpu_id(uint32_t node, uint32_t *gpu_id);
/* The GPU of a node. Return: 0 or as above; -ENODEV for a CPU node. */
int thunk_gpu_of_node(uint32_t node, struct thunk_gpu **gpu);
/* thunk_enter() of a call for one GPU; success with the lock held, or a status without it. */
HSAKMT_STATUS thunk_enter_gpu(uint32_t node, struct thunk_gpu **gpu);
/* Some GPU. Return: 0, -ENODEV when there is none, -THUNK_EHIDDEN. */
int thunk_any_gpu(struct thunk_gpu **gpu);
/* The first CPU node; 0 when there is none. */
uint32_t thunk_cpu_node(void);
/* The user's node number of a GPU; @fallback when it is not known. */
uint32_t thunk_gpu_node(uint32_t gpu_id, uint32_t fallback);

#endif
