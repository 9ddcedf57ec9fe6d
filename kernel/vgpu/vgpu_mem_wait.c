// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: pages of VRAM that engines wait for
 *
 * See vgpu_mem.h.  A request is made by an engine that found no memory without waiting,
 * and served by a work item of its own, so that an owner whose memory takes long to
 * reclaim delays no other.  When it is served it is free again and the engine's next
 * look finds the page.  When it failed it stays until that look, or until somebody else
 * needs the place.
 *
 * The work item holds no lock, and nobody waits for it but the end of the device: so
 * reclaim in it may wait for notifiers that wait for engines.
 */
#include <linux/mm.h>

#include "vgpu_mem.h"

static struct vgpu_mem_request *find_locked(struct vgpu_mem *mem, u64 offset)
{
	struct vgpu_mem_request *r;

	lockdep_assert_held(&mem->lock);
	for (r = mem->request; r < mem->request + VGPU_MEM_REQUESTS; r++)
		if (r->offset == offset && (r->state == VGPU_MEM_REQUEST_PENDING ||
					    r->state == VGPU_MEM_REQUEST_FAILED))
			return r;
	return NULL;
}

/* One that is free, or whose failure nobody has asked about for longest; or NULL. */
static struct vgpu_mem_request *take_locked(struct vgpu_mem *mem)
{
	struct vgpu_mem_request *r, *failed = NULL;
	unsigned int i;

	lockdep_assert_held(&mem->lock);
	for (i = 0; i < VGPU_MEM_REQUESTS; i++) {
		r = &mem->request[(mem->next_request + i) % VGPU_MEM_REQUESTS];
		if (r->state == VGPU_MEM_REQUEST_FREE)
			break;
		if (r->state == VGPU_MEM_REQUEST_FAILED && !failed)
			failed = r;
	}
	if (i == VGPU_MEM_REQUESTS)
		r = failed;
	if (r)
		mem->next_request = (r - mem->request + 1) % VGPU_MEM_REQUESTS;
	return r;
}

static bool wait_locked(struct vgpu_mem *mem, u64 offset)
{
	struct vgpu_mem_request *r = find_locked(mem, offset);

	lockdep_assert_held(&mem->lock);
	if (r && r->state == VGPU_MEM_REQUEST_FAILED) {
		r->state = VGPU_MEM_REQUEST_FREE;
		return false;
	}
	if (r)
		return true;
	r = take_locked(mem);
	if (!r)
		return true;	/* all of them pending: ask again */
	r->offset = offset;
	r->state = VGPU_MEM_REQUEST_PENDING;
	atomic_long_inc(&mem->waits);
	queue_work(system_unbound_wq, &r->work);
	return true;
}

/**
 * vgpu_mem_wait - an engine found no memory: may it find some later?
 * @mem: VRAM
 * @offset: of the page
 *
 * Context: any.
 * Return: false if there is nothing to wait for.
 */
bool vgpu_mem_wait(struct vgpu_mem *mem, u64 offset)
{
	unsigned long flags;
	bool ret;

	if (offset >= mem->size || !PAGE_ALIGNED(offset))
		return false;
	spin_lock_irqsave(&mem->lock, flags);
	ret = wait_locked(mem, offset);
	spin_unlock_irqrestore(&mem->lock, flags);
	return ret;
}

static void request_work(struct work_struct *work)
{
	struct vgpu_mem_request *r = container_of(work, struct vgpu_mem_request, work);
	struct vgpu_mem *mem = r->mem;
	bool served = !IS_ERR(vgpu_mem_page(mem, r->offset));
	unsigned long flags;

	spin_lock_irqsave(&mem->lock, flags);
	if (served || r->state == VGPU_MEM_REQUEST_FORGOTTEN)
		r->state = VGPU_MEM_REQUEST_FREE;
	else
		r->state = VGPU_MEM_REQUEST_FAILED;
	spin_unlock_irqrestore(&mem->lock, flags);
}

/**
 * vgpu_mem_wait_forget - a range changes hands: its requests are the last owner's
 * @mem: VRAM
 * @offset: first byte
 * @size: bytes
 *
 * Context: any.
 */
void vgpu_mem_wait_forget(struct vgpu_mem *mem, u64 offset, u64 size)
{
	struct vgpu_mem_request *r;
	unsigned long flags;

	spin_lock_irqsave(&mem->lock, flags);
	for (r = mem->request; r < mem->request + VGPU_MEM_REQUESTS; r++) {
		if (r->offset - offset >= size)
			continue;
		if (r->state == VGPU_MEM_REQUEST_PENDING)
			r->state = VGPU_MEM_REQUEST_FORGOTTEN;
		else if (r->state == VGPU_MEM_REQUEST_FAILED)
			r->state = VGPU_MEM_REQUEST_FREE;
	}
	spin_unlock_irqrestore(&mem->lock, flags);
}

/**
 * vgpu_mem_wait_init - no requests yet
 * @mem: VRAM
 */
void vgpu_mem_wait_init(struct vgpu_mem *mem)
{
	unsigned int i;

	for (i = 0; i < VGPU_MEM_REQUESTS; i++) {
		mem->request[i].mem = mem;
		INIT_WORK(&mem->request[i].work, request_work);
	}
}

/**
 * vgpu_mem_wait_fini - end all requests
 * @mem: VRAM; no engine makes new ones
 *
 * Context: process context, sleeps.
 */
void vgpu_mem_wait_fini(struct vgpu_mem *mem)
{
	unsigned int i;

	for (i = 0; i < VGPU_MEM_REQUESTS; i++)
		cancel_work_sync(&mem->request[i].work);
}
