/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: a small KFD client for the selftests
 *
 * Talks to /dev/kfd and the render node by plain system calls, without any
 * library of ours, so that a fault in libthunk cannot hide one in the driver.
 * Functions return 0 or a negative errno unless they say otherwise.  CPU and GPU
 * addresses of a buffer are the same, as with the thunk.
 */
#ifndef CARILLON_KFD_CLIENT_H
#define CARILLON_KFD_CLIENT_H

#include <linux/kfd_ioctl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kfd_packet.h"

#define KFD_RING_SIZE		(1u << 20)
#define KFD_EVENT_PAGE_SIZE	32768
#define KFD_EVENT_SLOTS		4096
#define KFD_DOORBELL_SLICE	8192
#define KFD_TIMEOUT_MS		(60000 * kfd_time_scale())

/**
 * struct kfd_client - one process's way to one GPU
 * @fd: /dev/kfd
 * @drm: render node, after kfd_client_acquire()
 * @gpu_id: as in the topology
 * @node: topology node number
 * @minor: render minor
 * @sdma_engines: instances
 * @sdma_queues: user queues that one of them has slots for
 * @doorbells: mapped slice, or NULL before the first queue
 * @event_page: mapped event page, or NULL before the first event
 * @event_page_bo: its buffer handle
 */
struct kfd_client {
	int fd;
	int drm;
	uint32_t gpu_id;
	unsigned int node;
	unsigned int minor;
	unsigned int sdma_engines, sdma_queues;
	uint8_t *doorbells;
	uint64_t *event_page;
	uint64_t event_page_bo;
};

/**
 * struct kfd_bo - a mapped buffer
 * @handle: of the driver
 * @cpu: address for both CPU and GPU
 * @size: bytes
 * @user: the CPU side is plain anonymous memory (USERPTR)
 */
struct kfd_bo {
	uint64_t handle;
	uint8_t *cpu;
	uint64_t size;
	bool user;
};

/**
 * struct kfd_sdma - a user SDMA queue
 * @ring: its ring, USERPTR memory
 * @ptrs: page with the WPTR cell at +8 and the RPTR cell at +16
 * @id: of the driver
 * @doorbell: mapped slot
 * @wptr: bytes written so far, monotonic
 */
struct kfd_sdma {
	struct kfd_client *c;
	struct kfd_bo ring, ptrs;
	uint32_t id;
	volatile uint64_t *doorbell;
	uint64_t doorbell_offset;
	uint64_t wptr;
};

/**
 * struct kfd_event - a signal event
 * @id: of the driver
 * @slot: index in the event page
 * @mailbox: address of the slot
 */
struct kfd_event {
	uint32_t id;
	uint32_t slot;
	uint64_t *mailbox;
};

/* How much slower than usual this kernel is (CARILLON_TIME_SCALE); 1 if not told. */
unsigned int kfd_time_scale(void);

/* ioctl(), restarted on EINTR; 0 or -errno. */
int kfd_ioctl(int fd, unsigned long request, void *arg);

/* Open /dev/kfd and find the @index-th GPU; -ENODEV if there are fewer. */
int kfd_client_open(struct kfd_client *c, unsigned int index);
/* Open the render node and bind the process's VM to it. */
int kfd_client_acquire(struct kfd_client *c);
/* Both. */
int kfd_client_init(struct kfd_client *c, unsigned int index);
void kfd_client_close(struct kfd_client *c);
/* Value of a line "name value" of a file; -1 if absent. */
long long kfd_prop(const char *path, const char *name);
unsigned int kfd_num_nodes(void);

/* Reserve @size bytes of address space, 2 MiB aligned when large; NULL on failure. */
void *kfd_va_reserve(uint64_t size);

/* ALLOC, mmap where the CPU may, MAP. @flags: KFD_IOC_ALLOC_MEM_FLAGS_*. */
int kfd_bo_alloc(struct kfd_client *c, uint64_t size, uint32_t flags, struct kfd_bo *bo);
int kfd_bo_vram(struct kfd_client *c, uint64_t size, struct kfd_bo *bo);
int kfd_bo_gtt(struct kfd_client *c, uint64_t size, struct kfd_bo *bo);
/* Anonymous memory registered as USERPTR. */
int kfd_bo_user(struct kfd_client *c, uint64_t size, struct kfd_bo *bo);
int kfd_bo_user_at(struct kfd_client *c, void *addr, uint64_t size, struct kfd_bo *bo);
int kfd_bo_free(struct kfd_client *c, struct kfd_bo *bo);
int kfd_map(struct kfd_client *c, uint64_t handle);
int kfd_unmap(struct kfd_client *c, uint64_t handle);

/* Write @text to a file that is there; 0 or -errno. */
int kfd_write_file(const char *path, const char *text);

/* Watch the GPU's SMI events of the kinds in @mask: descriptor or -errno. */
int kfd_smi_open(struct kfd_client *c, uint64_t mask);
/* Its next line without the end, waited for; 0 or -errno. */
int kfd_smi_line(int fd, char line[KFD_SMI_EVENT_MSG_SIZE]);

/* Bytes of VRAM that can be had; -1 on failure. */
long long kfd_available(struct kfd_client *c);
/* A dma-buf of a buffer, O_CLOEXEC: descriptor or -errno. */
int kfd_bo_export(struct kfd_client *c, uint64_t handle);
/* Import, mmap the dma-buf where the CPU may, map. */
int kfd_bo_import(struct kfd_client *c, int dmabuf, struct kfd_bo *bo);

/* Pass a descriptor and a word through a socket; receive: it, or -1 at the other side's end. */
int kfd_send_fd(int socket, int fd, uint32_t tag);
int kfd_receive_fd(int socket, uint32_t *tag);

int kfd_sdma_create(struct kfd_client *c, struct kfd_sdma *q);
int kfd_sdma_create_size(struct kfd_client *c, struct kfd_sdma *q, uint32_t ring_size);
int kfd_sdma_create_type(struct kfd_client *c, struct kfd_sdma *q, uint32_t type,
			 uint32_t ring_size);
int kfd_sdma_destroy(struct kfd_sdma *q);
/* Append dwords; pads to the ring's end with NOPs where @n would cross it. No doorbell. */
void kfd_sdma_put(struct kfd_sdma *q, const uint32_t *words, unsigned int n);
/* WPTR cell, release fence, doorbell. */
void kfd_sdma_ring(struct kfd_sdma *q);
uint64_t kfd_sdma_rptr(const struct kfd_sdma *q);
/* Sleep-poll until RPTR reaches WPTR; -ETIMEDOUT. */
int kfd_sdma_idle(struct kfd_sdma *q, unsigned int timeout_ms);

int kfd_event_create(struct kfd_client *c, struct kfd_event *e);
int kfd_event_create_type(struct kfd_client *c, uint32_t type, bool manual, struct kfd_event *e);
int kfd_event_destroy(struct kfd_client *c, const struct kfd_event *e);
/* WAIT_EVENTS on one event; 0 and *result = 0 complete, 1 time-out, 2 failed. */
int kfd_event_wait(struct kfd_client *c, const struct kfd_event *e, uint32_t ms, uint32_t *result);
int kfd_events_wait(struct kfd_client *c, const uint32_t *ids, unsigned int n, bool all,
		    uint32_t ms, uint32_t *result);
/* With the age of each that was seen last, which becomes that of now; 0: does not care. */
int kfd_events_wait_age(struct kfd_client *c, const uint32_t *ids, uint64_t *ages, unsigned int n,
			bool all, uint32_t ms, uint32_t *result);

/* Append mailbox fence and trap for @e. */
void kfd_sdma_signal(struct kfd_sdma *q, const struct kfd_event *e);
/* Copy any length in packets of at most 0x3fffe0 bytes, wait for @e; 0 or -errno. */
int kfd_sdma_copy_wait(struct kfd_sdma *q, const struct kfd_event *e, const void *dst,
		       const void *src, uint64_t bytes);

/* 0 or -errno of an mmap(); what it maps is unmapped again. */
int kfd_mmap_errno(int fd, uint64_t size, int prot, int flags, uint64_t offset);
/* Are all @n bytes, one at least, @byte? */
bool kfd_all_bytes(const void *p, uint64_t n, uint8_t byte);

/* debugfs */
long long kfd_count(const char *name);
/* All of "counts" as text, for a comparison; static buffer a call. */
int kfd_counts_read(char *buf, size_t size);
/*
 * Wait until the counts equal @before (release work is asynchronous), at most 10 s; 0 or
 * -EBUSY with the lines that differ on stderr as TAP comments.
 */
int kfd_counts_settle(const char *before);
/* Write a command to the model's control file of GPU @index. */
int vgpu_control(unsigned int index, const char *fmt, ...);

#endif /* CARILLON_KFD_CLIENT_H */
