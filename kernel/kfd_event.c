// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: events
 *
 * Ids: 0 is never an event (an interrupt without a context carries it); events that
 * a queue can set (SIGNAL, DEBUG) have the index of their slot in the event page as
 * id, the others start at KFD_EVENT_FIRST_OTHER.
 *
 * The *event page* is an array of 64-bit slots.  A queue writes anything but ~0 into
 * the slot, then raises an interrupt that carries the id.  The driver sees the slot
 * written, writes ~0 back and sets the event.  An id whose slot is still ~0 names the
 * wrong event, so all slots are looked at.  The client hands the page over as a GTT
 * buffer with its first event; one that does not gets a page of ours.
 *
 * One mutex a process is enough: nothing here runs in interrupt context, and what is
 * done under it is short.  User memory is touched outside of it.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "hw/hw_device.h"
#include "kfd_buffer.h"
#include "kfd_compat.h"
#include "kfd_debugfs.h"
#include "kfd_event.h"
#include "kfd_event_wait.h"
#include "kfd_mmap.h"
#include "kfd_process.h"
#include "vm/vm.h"

#define KFD_EVENT_UNSET		(~0ULL)	/* contents of a slot */
#define KFD_EVENT_PAGE_BYTES	(KFD_SIGNAL_EVENT_LIMIT * sizeof(u64))
#define KFD_EVENT_OWN_SLOTS	256	/* of a page of ours: what the oldest clients map */
#define KFD_EVENT_FIRST_OTHER	0x40000000u
#define KFD_EVENT_LAST_OTHER	0x7fffffffu

static bool event_has_slot(u32 type)
{
	return type == KFD_IOC_EVENT_SIGNAL || type == KFD_IOC_EVENT_DEBUG_EVENT;
}

/* ---- event page ---- */

static void page_clear(u64 *slot, unsigned int slots)
{
	unsigned int i;

	for (i = 0; i < slots; i++)
		WRITE_ONCE(slot[i], KFD_EVENT_UNSET);
}

static void page_drop(struct kfd_event_page *page)
{
	if (page->bo) {
		vm_bo_vunmap(page->bo);
		vm_bo_put(page->bo);
	} else if (page->slot) {
		free_pages_exact(page->slot, KFD_EVENT_PAGE_BYTES);
	}
	memset(page, 0, sizeof(*page));
}

static int page_of_ours_locked(struct kfd_events *events)
{
	struct kfd_event_page *page = &events->page;

	if (page->slot)
		return 0;
	page->slot = alloc_pages_exact(KFD_EVENT_PAGE_BYTES, HW_GFP_USER | __GFP_ZERO);
	if (!page->slot)
		return -ENOMEM;
	page_clear(page->slot, KFD_SIGNAL_EVENT_LIMIT);
	page->slots = KFD_EVENT_OWN_SLOTS;
	return 0;
}

/* The client's buffer becomes the event page. p->lock is held. */
static int page_of_client(struct kfd_process *p, u64 handle)
{
	struct kfd_event_page *page = &p->events.page;
	struct kfd_buffer *buf;
	void *cpu;
	int ret;

	lockdep_assert_held(&p->lock);

	buf = kfd_buffer_find(p, handle);
	if (!buf || buf->kind != KFD_BUFFER_GTT || buf->size < KFD_EVENT_PAGE_BYTES)
		return -EINVAL;
	ret = vm_bo_vmap(buf->bo, &cpu);
	if (ret)
		return ret;
	mutex_lock(&p->events.lock);
	if (page->slot) {
		ret = -EINVAL;
	} else {
		drm_gem_object_get(&buf->bo->base);
		page_clear(cpu, KFD_SIGNAL_EVENT_LIMIT);
		page->slot = cpu;
		page->slots = KFD_SIGNAL_EVENT_LIMIT;
		page->bo = buf->bo;
		page->handle = handle;
	}
	mutex_unlock(&p->events.lock);
	if (ret)
		vm_bo_vunmap(buf->bo);
	return ret;
}

/**
 * kfd_event_page_is - whether a handle names the event page, which must stay
 * @p: process
 * @handle: what the client wants to free
 *
 * Context: p->lock held.
 * Return: true if it does.
 */
bool kfd_event_page_is(struct kfd_process *p, u64 handle)
{
	bool is;

	mutex_lock(&p->events.lock);
	is = p->events.page.bo && p->events.page.handle == handle;
	mutex_unlock(&p->events.lock);
	return is;
}

/**
 * kfd_event_detach - drop the event page if it is this buffer
 * @p: process
 * @bo: a buffer whose device goes
 */
void kfd_event_detach(struct kfd_process *p, struct vm_bo *bo)
{
	mutex_lock(&p->events.lock);
	if (bo && p->events.page.bo == bo)
		page_drop(&p->events.page);
	mutex_unlock(&p->events.lock);
}

/**
 * kfd_event_mmap - map the page of ours
 * @p: caller
 * @vma: shared mapping of any length up to the page's
 *
 * Return: 0, or -EINVAL (too long, private, or the client brought its own page).
 */
int kfd_event_mmap(struct kfd_process *p, struct vm_area_struct *vma)
{
	unsigned long size = vma->vm_end - vma->vm_start;
	struct kfd_events *events = &p->events;
	unsigned long at;
	int ret = -EINVAL;

	if (!(vma->vm_flags & VM_SHARED) || size > KFD_EVENT_PAGE_BYTES)
		return -EINVAL;
	mutex_lock(&events->lock);
	if (!events->page.slot || events->page.bo)
		goto unlock;
	kfd_vma_flags_mod(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP, 0);
	for (at = 0, ret = 0; at < size && !ret; at += PAGE_SIZE)
		ret = vm_insert_page(vma, vma->vm_start + at,
				     virt_to_page((void *)events->page.slot + at));
	if (!ret)
		events->page.slots = max_t(unsigned int, events->page.slots, size / sizeof(u64));
unlock:
	mutex_unlock(&events->lock);
	return ret;
}

/* ---- events ---- */

static void event_set_locked(struct kfd_event *event)
{
	event->age++;
	kfd_event_pass_on_locked(event);
}

static int event_number_locked(struct kfd_events *events, struct kfd_event *event)
{
	int ret;

	if (!event_has_slot(event->type))
		return xa_alloc_cyclic(&events->xa, &event->id, event,
				       XA_LIMIT(KFD_EVENT_FIRST_OTHER, KFD_EVENT_LAST_OTHER),
				       &events->next, HW_GFP_USER);
	ret = page_of_ours_locked(events);
	if (ret)
		return ret;
	ret = xa_alloc(&events->xa, &event->id, event, XA_LIMIT(1, events->page.slots - 1),
		       HW_GFP_USER);
	return ret == -EBUSY ? -ENOSPC : ret;
}

/* Publish an event.  Once the lock is dropped another thread may destroy it. */
static int event_enter(struct kfd_events *events, struct kfd_event *event,
		       struct kfd_ioctl_create_event_args *args)
{
	int ret;

	mutex_lock(&events->lock);
	ret = event_number_locked(events, event);
	if (ret < 0)
		goto unlock;
	args->event_id = event->id;
	args->event_trigger_data = event->id;
	args->event_page_offset = 0;
	if (event_has_slot(event->type)) {
		args->event_page_offset = kfd_mmap_offset(KFD_MMAP_EVENTS, 0);
		args->event_slot_index = event->id;
		WRITE_ONCE(events->page.slot[event->id], KFD_EVENT_UNSET);
		events->signals++;
	}
	kfd_count_add(KFD_COUNT_EVENTS, 1);
	ret = 0;
unlock:
	mutex_unlock(&events->lock);
	return ret;
}

static int event_page_argument(struct kfd_process *p, u64 handle)
{
	int ret;

	if (!handle)
		return 0;
	mutex_lock(&p->lock);
	ret = page_of_client(p, handle);
	mutex_unlock(&p->lock);
	return ret;
}

/**
 * kfd_event_create - CREATE_EVENT
 * @p: caller
 * @data: struct kfd_ioctl_create_event_args
 *
 * Context: Process context, no lock held.
 * Return: 0; -EINVAL (unknown type, or a bad or second event page), -ENOSPC (no slot
 * left), -ENOMEM.
 */
int kfd_event_create(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_create_event_args *args = data;
	struct kfd_event *event;
	int ret;

	if (args->event_type > KFD_IOC_EVENT_MEMORY)
		return -EINVAL;
	ret = event_page_argument(p, args->event_page_offset);
	if (ret)
		return ret;
	event = kzalloc(sizeof(*event), HW_GFP_USER);
	if (!event)
		return -ENOMEM;
	event->type = args->event_type;
	event->auto_reset = args->auto_reset;
	event->age = 1;
	INIT_LIST_HEAD(&event->waiters);
	ret = event_enter(&p->events, event, args);
	if (ret)
		kfree(event);
	return ret;
}

/* ---- checkpoints ---- */

/**
 * kfd_event_count - how many events a process has
 * @p: process
 *
 * Return: the number.
 */
unsigned int kfd_event_count(struct kfd_process *p)
{
	struct kfd_event *event;
	unsigned int n = 0;
	unsigned long id;

	mutex_lock(&p->events.lock);
	xa_for_each(&p->events.xa, id, event)
		n++;
	mutex_unlock(&p->events.lock);
	return n;
}

static void event_save_locked(const struct kfd_event *event, struct kfd_event_image *image)
{
	BUILD_BUG_ON(sizeof(event->data) > sizeof(image->data));
	image->id = event->id;
	image->type = event->type;
	image->auto_reset = event->auto_reset;
	image->set = event->set;
	image->age = event->age;
	memcpy(image->data, &event->data, sizeof(event->data));
}

/**
 * kfd_event_save_all - what a checkpoint keeps of all events
 * @p: process
 * @image: filled
 * @max: how many there are to be
 *
 * Return: 0; -EINVAL if there are more or fewer now.
 */
int kfd_event_save_all(struct kfd_process *p, struct kfd_event_image *image, unsigned int max)
{
	struct kfd_event *event;
	unsigned int n = 0;
	unsigned long id;

	mutex_lock(&p->events.lock);
	xa_for_each(&p->events.xa, id, event) {
		if (n < max)
			event_save_locked(event, &image[n]);
		n++;
	}
	mutex_unlock(&p->events.lock);
	return n == max ? 0 : -EINVAL;
}

/**
 * kfd_event_page_save - what a checkpoint keeps of the event page
 * @p: process
 * @handle: of the client's buffer; 0: the page is ours, or there is none
 * @slots: how many it has; 0: there is none
 */
void kfd_event_page_save(struct kfd_process *p, u64 *handle, u32 *slots)
{
	mutex_lock(&p->events.lock);
	*handle = p->events.page.handle;
	*slots = p->events.page.slots;
	mutex_unlock(&p->events.lock);
}

/**
 * kfd_event_page_restore - make the event page as it was
 * @p: caller
 * @handle: of a buffer, or 0 for a page of ours
 * @slots: how many; 0: no page
 *
 * Context: Process context, no lock held.
 * Return: 0; -EINVAL (no such buffer, or there is a page), -ENOMEM.
 */
int kfd_event_page_restore(struct kfd_process *p, u64 handle, u32 slots)
{
	int ret;

	if (slots > KFD_SIGNAL_EVENT_LIMIT)
		return -EINVAL;
	if (handle)
		return event_page_argument(p, handle);
	if (!slots)
		return 0;
	mutex_lock(&p->events.lock);
	ret = p->events.page.slot ? -EINVAL : page_of_ours_locked(&p->events);
	if (!ret)
		p->events.page.slots = max_t(u32, slots, KFD_EVENT_OWN_SLOTS);
	mutex_unlock(&p->events.lock);
	return ret;
}

static bool event_image_ok_locked(const struct kfd_events *events,
				  const struct kfd_event_image *image)
{
	if (image->type > KFD_IOC_EVENT_MEMORY)
		return false;
	if (!event_has_slot(image->type))
		return image->id >= KFD_EVENT_FIRST_OTHER && image->id <= KFD_EVENT_LAST_OTHER;
	return events->page.slot && image->id && image->id < events->page.slots;
}

static int event_insert(struct kfd_events *events, struct kfd_event *event,
			const struct kfd_event_image *image)
{
	int ret = -EINVAL;

	mutex_lock(&events->lock);
	if (event_image_ok_locked(events, image))
		ret = xa_insert(&events->xa, event->id, event, HW_GFP_USER);
	if (!ret) {
		events->signals += event_has_slot(event->type);
		kfd_count_add(KFD_COUNT_EVENTS, 1);
	}
	mutex_unlock(&events->lock);
	return ret == -EBUSY ? -ENOSPC : ret;
}

/**
 * kfd_event_restore - make an event as it was when it was saved
 * @p: caller
 * @image: what was saved; from user space
 *
 * Its slot is not touched: the page's contents are restored with the buffer.
 *
 * Context: Process context, no lock held.
 * Return: 0; -EINVAL, -ENOMEM; -ENOSPC (its id is taken).
 */
int kfd_event_restore(struct kfd_process *p, const struct kfd_event_image *image)
{
	struct kfd_event *event = kzalloc(sizeof(*event), HW_GFP_USER);
	int ret;

	if (!event)
		return -ENOMEM;
	event->id = image->id;
	event->type = image->type;
	event->auto_reset = image->auto_reset;
	event->set = image->set;
	event->age = image->age;
	memcpy(&event->data, image->data, sizeof(event->data));
	INIT_LIST_HEAD(&event->waiters);
	ret = event_insert(&p->events, event, image);
	if (ret)
		kfree(event);
	return ret;
}

/* ---- the end of an event ---- */

static void event_destroy_locked(struct kfd_events *events, struct kfd_event *event)
{
	xa_erase(&events->xa, event->id);
	if (event_has_slot(event->type))
		events->signals--;
	kfd_event_lose_waits_locked(events, event);
	kfree(event);
	kfd_count_add(KFD_COUNT_EVENTS, -1);
}

/**
 * kfd_event_destroy - DESTROY_EVENT
 * @p: caller
 * @data: struct kfd_ioctl_destroy_event_args
 *
 * Return: 0 or -EINVAL.
 */
int kfd_event_destroy(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_destroy_event_args *args = data;
	struct kfd_event *event;

	mutex_lock(&p->events.lock);
	event = xa_load(&p->events.xa, args->event_id);
	if (event)
		event_destroy_locked(&p->events, event);
	mutex_unlock(&p->events.lock);
	return event ? 0 : -EINVAL;
}

static int event_change(struct kfd_process *p, u32 id, bool set)
{
	struct kfd_event *event;
	int ret = -EINVAL;

	mutex_lock(&p->events.lock);
	event = xa_load(&p->events.xa, id);
	if (event && event->type == KFD_IOC_EVENT_SIGNAL) {
		if (set)
			event_set_locked(event);
		else
			event->set = false;
		ret = 0;
	}
	mutex_unlock(&p->events.lock);
	return ret;
}

/**
 * kfd_event_set - SET_EVENT
 * @p: caller
 * @data: struct kfd_ioctl_set_event_args
 *
 * Return: 0, or -EINVAL unless it is an event of type SIGNAL.
 */
int kfd_event_set(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_set_event_args *args = data;

	return event_change(p, args->event_id, true);
}

/**
 * kfd_event_reset - RESET_EVENT
 * @p: caller
 * @data: struct kfd_ioctl_reset_event_args
 *
 * Return: 0, or -EINVAL unless it is an event of type SIGNAL.
 */
int kfd_event_reset(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_reset_event_args *args = data;

	return event_change(p, args->event_id, false);
}

/* ---- from interrupts ---- */

/* The slot was written: note that it was seen and set the event that owns it. */
static void slot_take_locked(struct kfd_events *events, unsigned int id)
{
	struct kfd_event *event = xa_load(&events->xa, id);

	WRITE_ONCE(events->page.slot[id], KFD_EVENT_UNSET);
	if (event)
		event_set_locked(event);
}

static bool slot_written(const struct kfd_event_page *page, unsigned int id)
{
	return READ_ONCE(page->slot[id]) != KFD_EVENT_UNSET;
}

static void scan_locked(struct kfd_events *events)
{
	unsigned int id;

	if (!events->page.slot)
		return;
	for (id = 1; id < events->page.slots; id++)
		if (slot_written(&events->page, id))
			slot_take_locked(events, id);
}

/**
 * kfd_event_deliver - a queue of the process raised an event
 * @p: process
 * @id: what the interrupt carried
 *
 * Context: Process context.
 */
void kfd_event_deliver(struct kfd_process *p, u32 id)
{
	struct kfd_events *events = &p->events;

	mutex_lock(&events->lock);
	if (events->page.slot && id && id < events->page.slots && slot_written(&events->page, id))
		slot_take_locked(events, id);
	else
		scan_locked(events);
	mutex_unlock(&events->lock);
}

/**
 * kfd_event_scan - queues of the process may have raised anything
 * @p: process
 *
 * Context: Process context.
 */
void kfd_event_scan(struct kfd_process *p)
{
	mutex_lock(&p->events.lock);
	scan_locked(&p->events);
	mutex_unlock(&p->events.lock);
}

/* Set all events of a type that has no slot. */
static unsigned int report_all(struct kfd_process *p, u32 type, const union kfd_event_report *data)
{
	struct kfd_event *event;
	unsigned int n = 0;
	unsigned long id;

	mutex_lock(&p->events.lock);
	xa_for_each_start(&p->events.xa, id, event, KFD_EVENT_FIRST_OTHER) {
		if (event->type != type)
			continue;
		event->data = *data;
		event_set_locked(event);
		n++;
	}
	mutex_unlock(&p->events.lock);
	return n;
}

/**
 * kfd_event_memory_fault - set all events of type MEMORY
 * @p: process
 * @data: what they report
 *
 * Context: Process context.
 * Return: how many there were.
 */
unsigned int kfd_event_memory_fault(struct kfd_process *p,
				    const struct kfd_hsa_memory_exception_data *data)
{
	union kfd_event_report report = {};

	report.memory = *data;
	return report_all(p, KFD_IOC_EVENT_MEMORY, &report);
}

/**
 * kfd_event_hw_exception - set all events of type HW_EXCEPTION
 * @p: process
 * @data: what they report
 *
 * Context: Process context.
 * Return: how many there were.
 */
unsigned int kfd_event_hw_exception(struct kfd_process *p,
				    const struct kfd_hsa_hw_exception_data *data)
{
	union kfd_event_report report = {};

	report.reset = *data;
	return report_all(p, KFD_IOC_EVENT_HW_EXCEPTION, &report);
}

/* ---- life ---- */

/**
 * kfd_events_init - events of a new process
 * @ev: part of it
 */
void kfd_events_init(struct kfd_events *ev)
{
	mutex_init(&ev->lock);
	xa_init_flags(&ev->xa, XA_FLAGS_ALLOC1 | XA_FLAGS_ACCOUNT);
	ev->next = KFD_EVENT_FIRST_OTHER;
	INIT_LIST_HEAD(&ev->waits);
}

/**
 * kfd_events_fini - end all waits with a failure, free all events and the page
 * @ev: part of a process; may be called again
 *
 * Context: Process context. The process's queues have been destroyed.
 */
void kfd_events_fini(struct kfd_events *ev)
{
	struct kfd_event *event;
	unsigned long id;

	mutex_lock(&ev->lock);
	xa_for_each(&ev->xa, id, event)
		event_destroy_locked(ev, event);
	page_drop(&ev->page);
	mutex_unlock(&ev->lock);
	xa_destroy(&ev->xa);
}
