/* SPDX-License-Identifier: MIT */
#ifndef FAKE_KFD_H
#define FAKE_KFD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * DOC: a KFD in memory
 *
 * Stands behind the library's way out. It keeps buffers, queues and events for
 * one process as the driver does, is strict about arguments, and counts what is
 * left. A failure can be asked of the n-th call, or of all calls of one command.
 * Mappings become anonymous memory at the wanted place.
 */

/* GPU ids of the fixtures' GPUs. */
#define FAKE_GPU_0	0x5a31
#define FAKE_GPU_1	0x5a32

/* A descriptor that is no dma-buf. */
#define FAKE_BAD_FD	9999

/**
 * struct fake_kfd - knobs and counters
 * @major: version that is reported
 * @minor: the same
 * @gpus: GPUs that exist, at most 2
 * @gpuvm_limit: last address of their VMs
 * @fail_call: the call (from 1, over all ioctls and mappings) that fails, 0: none
 * @fail_nr: command that always fails, 0: none
 * @fail_errno: with what
 * @interrupts: waits that answer EINTR before one is served
 * @wait_failure: waits end with the result "failed"
 * @busy: calls that answer EAGAIN before one is served
 * @open_errno: with what opens of @open_path fail, 0: none
 * @open_path: a part of the path
 * @extras: CU masks, wave state, GWS, SVM and dma-bufs are served
 * @dmabuf_size: of every dma-buf: that of the last export, or a test's own
 * @dmabuf_flags: the same for its kind
 * @take_errno: with what taking another process's descriptor fails, 0: it does not
 * @metadata_size: what is beside it
 * @metadata_lie: more metadata than there is room for is told as a success
 * @fault_va: a memory event reports a fault there, 0: none
 * @calls: calls so far
 * @count: calls by command number
 * @log: command numbers in order
 * @log_len: how many of them
 * @bos: live buffers
 * @bo_bytes: their size
 * @queues: live queues
 * @events: live events
 * @open_fds: descriptors of /dev/kfd
 * @dmabufs: exports and descriptors taken that were not closed
 * @available: bytes that AVAILABLE_MEMORY tells
 * @last_alloc_flags: flags of the last ALLOC_MEMORY
 * @last_priority: of the last CREATE_QUEUE or UPDATE_QUEUE
 * @last_percent: of the last UPDATE_QUEUE
 * @cu_mask: first word of the last SET_CU_MASK
 * @svm_value: last value set, by type of the attribute
 * @runtime: the last RUNTIME_ENABLE that enabled, all 0 while it is disabled
 */
struct fake_kfd {
	uint32_t major;
	uint32_t minor;
	uint32_t gpus;
	uint64_t gpuvm_limit;
	int fail_call;
	unsigned int fail_nr;
	int fail_errno;
	int interrupts;
	bool wait_failure;
	int busy;
	uint64_t fault_va;
	int open_errno;
	const char *open_path;
	bool extras;
	uint64_t dmabuf_size;
	uint32_t dmabuf_flags;
	int take_errno;
	uint64_t available;
	uint32_t metadata_size;
	bool metadata_lie;

	int calls;
	unsigned int count[256];
	uint8_t log[4096];
	unsigned int log_len;
	uint32_t bos;
	uint64_t bo_bytes;
	uint32_t queues;
	uint32_t events;
	uint32_t open_fds;
	uint32_t dmabufs;
	uint32_t last_alloc_flags;
	uint32_t last_priority;
	uint32_t last_percent;
	uint32_t cu_mask;
	uint32_t svm_value[8];
	struct {
		uint64_t r_debug;
		uint32_t mode;
	} runtime;
};

extern struct fake_kfd fake;

/* Put it behind the library, with the fixture tree at @root. */
void fake_kfd_install(const char *root, uint32_t gpus);

/* Whether @log from @from on is the list of commands that ends with 0. */
bool fake_log_is(unsigned int from, ...);

/* A device sets event @id, as a trap would. */
void fake_signal(uint32_t id);

#endif
