/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: VRAM and system memory of the model
 *
 * VRAM is sparse: a table of 2 MiB chunks, each a page of slots for 4 KiB pages, both
 * filled on first touch.  Look-ups take no lock.  A page, once published, stays until
 * the driver discards it or the device goes.
 *
 * Words: the reserve is a list of zeroed pages for callers that may not wait; the
 * cap is the most pages that may be populated at once; a part of VRAM is claimed for
 * an owner, who pays for the pages behind it (vgpu_owner.h).  Chunk tables belong to
 * the device, which keeps them, and are charged to nobody: 1/512 of VRAM at most.
 *
 * Engine threads never enter direct reclaim, because reclaim may call a notifier
 * that waits for the very engine.  They allocate without waiting.  Where that fails:
 *
 * - A claimed page is not worth the reserve, which is no owner's: its owner may be at
 *   its limit.  The engine asks for the page (vgpu_mem_wait()), turns to other queues
 *   and comes back.  A work item, which may reclaim the owner's memory, finds a page or
 *   gives up; it kills nobody for it.
 * - Other pages come from the reserve, which process context and a work item refill.
 *
 * In the end the access fails like bad VRAM, and the queue says so.
 */
#ifndef CARILLON_VGPU_MEM_H
#define CARILLON_VGPU_MEM_H

#include <linux/atomic.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#define VGPU_CHUNK_SHIFT	21
#define VGPU_CHUNK_PAGES	(1u << (VGPU_CHUNK_SHIFT - PAGE_SHIFT))
#define VGPU_RESERVE_PAGES	256
/* More than there are user queues, each of which waits for one page at most. */
#define VGPU_MEM_REQUESTS	16

/**
 * struct vgpu_mem_chunk - pages of 2 MiB of VRAM
 * @slot: struct page pointer; or, before the first touch, an owner with bit 0 set, or 0
 */
struct vgpu_mem_chunk {
	unsigned long slot[VGPU_CHUNK_PAGES];
};

/**
 * enum vgpu_mem_request_state - how far a request is
 * @VGPU_MEM_REQUEST_FREE: unused
 * @VGPU_MEM_REQUEST_PENDING: its work item is queued or runs
 * @VGPU_MEM_REQUEST_FORGOTTEN: likewise, but nobody asks any more
 * @VGPU_MEM_REQUEST_FAILED: there was no memory; kept until somebody hears of it
 */
enum vgpu_mem_request_state {
	VGPU_MEM_REQUEST_FREE,
	VGPU_MEM_REQUEST_PENDING,
	VGPU_MEM_REQUEST_FORGOTTEN,
	VGPU_MEM_REQUEST_FAILED,
};

/**
 * struct vgpu_mem_request - a page that an engine waits for
 * @work: populates it
 * @mem: VRAM
 * @offset: of the page
 * @state: see there
 */
struct vgpu_mem_request {
	struct work_struct work;
	struct vgpu_mem *mem;
	u64 offset;
	enum vgpu_mem_request_state state;
};

/**
 * struct vgpu_mem - VRAM of a device
 * @size: bytes
 * @cap: most pages that may be populated
 * @spare: pages that stay available to the rest of the machine
 * @chunks: size of @chunk
 * @chunk: struct vgpu_mem_chunk pointer; or as a slot of that, for all of the chunk
 * @populated: pages of VRAM with memory behind them
 * @tables: chunk tables
 * @refused: accesses that found no memory
 * @discarded: pages given back by discard
 * @waits: requests of engines for a page
 * @lock: protects the reserve and the requests
 * @reserve: free pages, linked by their lru member
 * @reserved: pages in it
 * @refill: fills the reserve up
 * @request: pages that engines wait for
 * @next_request: where to look for one to use
 */
struct vgpu_mem {
	u64 size;
	long cap;
	long spare;
	unsigned long chunks;
	unsigned long *chunk;
	atomic_long_t populated, tables, refused, discarded, waits;
	spinlock_t lock;	/* for reserve, reserved, request, next_request */
	struct list_head reserve;
	unsigned int reserved;
	struct work_struct refill;
	struct vgpu_mem_request request[VGPU_MEM_REQUESTS];
	unsigned int next_request;
};

int vgpu_mem_init(struct vgpu_mem *mem, u64 size, u64 cap);
void vgpu_mem_fini(struct vgpu_mem *mem);
struct page *vgpu_mem_page(struct vgpu_mem *mem, u64 offset);
void *vgpu_mem_page_nowait(struct vgpu_mem *mem, u64 offset);
void vgpu_mem_pages_nowait(struct vgpu_mem *mem, const u64 *offset, unsigned int count,
			   void **pages);
int vgpu_mem_claim(struct vgpu_mem *mem, u64 offset, u64 size);
bool vgpu_mem_unlink(struct vgpu_mem *mem, u64 offset, u64 size, struct list_head *freed);
void vgpu_mem_release(struct list_head *freed);
void vgpu_mem_system_pages(const u64 *dma, unsigned int count, void **pages);
void *vgpu_mem_system(u64 dma);

/* vgpu_mem_wait.c */
void vgpu_mem_wait_init(struct vgpu_mem *mem);
void vgpu_mem_wait_fini(struct vgpu_mem *mem);
bool vgpu_mem_wait(struct vgpu_mem *mem, u64 offset);
void vgpu_mem_wait_forget(struct vgpu_mem *mem, u64 offset, u64 size);

#endif /* CARILLON_VGPU_MEM_H */
