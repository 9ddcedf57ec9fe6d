// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: events and waits
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
 * An auto-reset event is taken by the wait that it ends; setting it with waiters
 * ends all their waits and leaves it reset, setting it without leaves it set.  A wait
 * for all *holds* events that came first and gives them back if it ends for another
 * reason.  An event that stands twice in one list counts as one.
 *
 * The *age* of an event counts how often it was set, from 1.  A wait that says which age its
 * caller saw last comes back at once when there is another, also where somebody else took
 * the signal, and tells the age of now; so nobody sleeps past one.  Age 0: does not care.
 *
 * One mutex a process is enough: nothing here runs in interrupt context, and what is
 * done under it is short.  User memory is touched outside of it.
 */
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>

#include "hw/hw_device.h"
#include "kfd_buffer.h"
#include "kfd_compat.h"
#include "kfd_debugfs.h"
#include "kfd_event.h"
#include "kfd_mmap.h"
#include "kfd_process.h"
#include "vm/vm.h"

#define KFD_EVENT_UNSET		(~0ULL)	/* contents of a slot */
#define KFD_EVENT_PAGE_BYTES	(KFD_SIGNAL_EVENT_LIMIT * sizeof(u64))
#define KFD_EVENT_OWN_SLOTS	256	/* of a page of ours: what the oldest clients map */
#define KFD_EVENT_FIRST_OTHER	0x40000000u
#define KFD_EVENT_LAST_OTHER	0x7fffffffu
#define KFD_WAIT_FOREVER	0xffffffffu

/**
 * union kfd_event_report - what an event tells besides that it came
 * @memory: of type MEMORY
 * @reset: of type HW_EXCEPTION
 */
union kfd_event_report {
	struct kfd_hsa_memory_exception_data memory;
	struct kfd_hsa_hw_exception_data reset;
};

/**
 * struct kfd_event - one event; all under kfd_events.lock
 * @id: name
 * @type: KFD_IOC_EVENT_*
 * @auto_reset: see above
 * @set: nobody has taken it yet
 * @age: times it was set, and 1
 * @waiters: &kfd_waiter.link of those who wait for it
 * @data: of the last fault or reset, for types MEMORY and HW_EXCEPTION
 * @seen: the wait that is just being entered and had this event before
 * @seen_taken: and took it
 */
struct kfd_event {
	u32 id;
	u32 type;
	bool auto_reset;
	bool set;
	u64 age;
	struct list_head waiters;
	union kfd_event_report data;
	struct kfd_wait *seen;
	bool seen_taken;
};

/**
 * struct kfd_waiter - one entry of a wait's list; under kfd_events.lock
 * @link: in event->waiters, empty if it does not wait
 * @wait: the wait it belongs to
 * @event: its event; NULL once that was destroyed
 * @id: the event's id
 * @came: the event has been set since, or was when the wait began
 * @took: and it is this wait that took it, alone or with others
 * @age: in: what the caller saw last, 0 if it does not care; out: of now
 * @has_age: @age is worth telling
 * @has_data: @data is worth telling
 * @data: what the event said when it came
 */
struct kfd_waiter {
	struct list_head link;
	struct kfd_wait *wait;
	struct kfd_event *event;
	u32 id;
	bool came;
	bool took;
	bool has_age;
	bool has_data;
	u64 age;
	union kfd_event_report data;
};

/**
 * struct kfd_wait - a call of WAIT_EVENTS
 * @link: in kfd_events.waits
 * @queue: where its thread sleeps
 * @tid: that thread
 * @done: @result is final; written under kfd_events.lock, read without
 * @all: all events, not any
 * @result: KFD_IOC_WAIT_RESULT_*
 * @missing: waiters whose event has not come
 * @count: entries of @waiter
 * @waiter: one for each entry of the caller's list
 */
struct kfd_wait {
	struct list_head link;
	wait_queue_head_t queue;
	pid_t tid;
	bool done;
	bool all;
	u32 result;
	unsigned int missing;
	unsigned int count;
	struct kfd_waiter waiter[];
};

static bool event_has_slot(u32 type)
{
	return type == KFD_IOC_EVENT_SIGNAL || type == KFD_IOC_EVENT_DEBUG_EVENT;
}

/* ---- waits, under the lock ---- */

static void wait_finish_locked(struct kfd_wait *wait, u32 result)
{
	if (wait->done)
		return;
	wait->result = result;
	WRITE_ONCE(wait->done, true);
	wake_up(&wait->queue);
}

static void waiter_came_locked(struct kfd_waiter *w, bool took)
{
	struct kfd_wait *wait = w->wait;

	w->came = true;
	w->took = took;
	if (w->event->type == KFD_IOC_EVENT_MEMORY ||
	    w->event->type == KFD_IOC_EVENT_HW_EXCEPTION) {
		w->data = w->event->data;
		w->has_data = true;
	}
	list_del_init(&w->link);
	wait->missing--;
	if (!wait->all || !wait->missing)
		wait_finish_locked(wait, KFD_IOC_WAIT_RESULT_COMPLETE);
}

/* To those who wait, or the next one. */
static void event_pass_on_locked(struct kfd_event *event)
{
	struct kfd_waiter *w, *next;

	event->set = !event->auto_reset || list_empty(&event->waiters);
	list_for_each_entry_safe(w, next, &event->waiters, link)
		waiter_came_locked(w, true);
}

static void event_set_locked(struct kfd_event *event)
{
	event->age++;
	event_pass_on_locked(event);
}

/* The caller has not seen the last time it was set. */
static bool waiter_is_late(const struct kfd_waiter *w)
{
	return w->event->type == KFD_IOC_EVENT_SIGNAL && w->age && w->age != w->event->age;
}

/* Enter one event of the list, which may take it. */
static void wait_enter_locked(struct kfd_wait *wait, struct kfd_waiter *w)
{
	struct kfd_event *event = w->event;
	bool again = event->seen == wait;
	bool taken = event->set || (again && event->seen_taken);

	list_add_tail(&w->link, &event->waiters);
	if (taken || waiter_is_late(w))
		waiter_came_locked(w, taken);
	if (taken && event->auto_reset)
		event->set = false;
	if (!again)
		event->seen_taken = taken;
	event->seen = wait;
}

/* Find all events first, so that a bad id takes none. */
static int wait_find_locked(struct kfd_events *events, struct kfd_wait *wait)
{
	unsigned int i;

	for (i = 0; i < wait->count; i++) {
		wait->waiter[i].event = xa_load(&events->xa, wait->waiter[i].id);
		if (!wait->waiter[i].event)
			return -EINVAL;
	}
	return 0;
}

static int wait_begin(struct kfd_events *events, struct kfd_wait *wait)
{
	unsigned int i;
	int ret;

	mutex_lock(&events->lock);
	ret = wait_find_locked(events, wait);
	if (ret)
		goto unlock;
	wait->missing = wait->count;
	for (i = 0; i < wait->count; i++)
		wait_enter_locked(wait, &wait->waiter[i]);
	for (i = 0; i < wait->count; i++)
		wait->waiter[i].event->seen = NULL;
	if (!wait->count)
		wait_finish_locked(wait, KFD_IOC_WAIT_RESULT_COMPLETE);
	list_add_tail(&wait->link, &events->waits);
	kfd_count_add(KFD_COUNT_WAITERS, 1);
unlock:
	mutex_unlock(&events->lock);
	return ret;
}

/* An auto-reset event that came for a wait which did not complete goes on to the next one. */
static void waiter_give_back_locked(struct kfd_waiter *w)
{
	if (w->took && w->event && w->event->auto_reset)
		event_pass_on_locked(w->event);
}

/* The newest: whatever the caller looks at afterwards is not older. */
static void waiter_take_age_locked(struct kfd_waiter *w)
{
	if (!w->came || !w->event || !w->age || w->event->type != KFD_IOC_EVENT_SIGNAL)
		return;
	w->age = w->event->age;
	w->has_age = true;
}

/* Leave all lists.  Nothing changes the result afterwards. */
static void wait_end(struct kfd_events *events, struct kfd_wait *wait, bool interrupted)
{
	unsigned int i;

	mutex_lock(&events->lock);
	wait->done = true;
	for (i = 0; i < wait->count; i++) {
		list_del_init(&wait->waiter[i].link);
		waiter_take_age_locked(&wait->waiter[i]);
	}
	if (interrupted || wait->result != KFD_IOC_WAIT_RESULT_COMPLETE)
		for (i = 0; i < wait->count; i++)
			waiter_give_back_locked(&wait->waiter[i]);
	list_del(&wait->link);
	kfd_count_add(KFD_COUNT_WAITERS, -1);
	mutex_unlock(&events->lock);
}

/* ---- waits, the call ---- */

static unsigned long timeout_jiffies(u32 ms)
{
	if (ms == KFD_WAIT_FOREVER)
		return MAX_SCHEDULE_TIMEOUT;
	if (!ms)
		return 0;
	return msecs_to_jiffies(min_t(u32, ms, INT_MAX)) + 1;
}

/* Sleep until the wait is over: 0 (see wait->result) or -ERESTARTSYS; *@ms becomes what is left. */
static int wait_sleep(struct kfd_wait *wait, u32 *ms)
{
	unsigned long timeout = timeout_jiffies(*ms);
	unsigned long end = jiffies + timeout;
	long left;

	left = wait_event_interruptible_timeout(wait->queue, READ_ONCE(wait->done), timeout);
	if (left >= 0 || READ_ONCE(wait->done))
		return 0;
	if (*ms && *ms != KFD_WAIT_FOREVER)
		*ms = time_before(jiffies, end) ? jiffies_to_msecs(end - jiffies - 1) : 0;
	return -ERESTARTSYS;
}

static struct kfd_wait *wait_alloc(u32 count, bool all)
{
	struct kfd_wait *wait = kvzalloc(struct_size(wait, waiter, count), HW_GFP_USER);
	u32 i;

	if (!wait)
		return NULL;
	init_waitqueue_head(&wait->queue);
	wait->tid = task_pid_nr(current);
	wait->all = all;
	wait->result = KFD_IOC_WAIT_RESULT_TIMEOUT;
	wait->count = count;
	for (i = 0; i < count; i++) {
		INIT_LIST_HEAD(&wait->waiter[i].link);
		wait->waiter[i].wait = wait;
	}
	return wait;
}

static int wait_read_list(struct kfd_wait *wait, const struct kfd_event_data __user *list)
{
	unsigned int i;

	for (i = 0; i < wait->count; i++)
		if (get_user(wait->waiter[i].id, &list[i].event_id) ||
		    get_user(wait->waiter[i].age, &list[i].signal_event_data.last_event_age))
			return -EFAULT;
	return 0;
}

/* After wait_end(), when nobody else knows the wait any more. */
static int wait_write_data(const struct kfd_wait *wait, struct kfd_event_data __user *list)
{
	unsigned int i;

	for (i = 0; i < wait->count; i++) {
		const struct kfd_waiter *w = &wait->waiter[i];

		if (w->has_data && copy_to_user(&list[i].memory_exception_data, &w->data,
						sizeof(w->data)))
			return -EFAULT;
		if (w->has_age &&
		    put_user(w->age, &list[i].signal_event_data.last_event_age))
			return -EFAULT;
	}
	return 0;
}

/* Result of a finished wait as errno; args->wait_result is what the caller also sees. */
static int wait_result(struct kfd_wait *wait, int ret, u32 *result)
{
	if (ret) {
		*result = KFD_IOC_WAIT_RESULT_FAIL;
		return ret;
	}
	*result = wait->result;
	return wait->result == KFD_IOC_WAIT_RESULT_FAIL ? -EIO : 0;
}

/**
 * kfd_event_wait - WAIT_EVENTS
 * @p: caller
 * @data: struct kfd_ioctl_wait_events_args
 *
 * Context: Process context, no lock held. Sleeps for as long as the caller said.
 * Return: 0; -EINVAL (too many events, or an id that is none), -EFAULT, -ENOMEM;
 * -EIO if an event was destroyed; -ERESTARTSYS on a signal.
 */
int kfd_event_wait(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_wait_events_args *args = data;
	struct kfd_event_data __user *list = u64_to_user_ptr(args->events_ptr);
	struct kfd_wait *wait;
	int ret;

	args->wait_result = KFD_IOC_WAIT_RESULT_FAIL;
	if (args->num_events > KFD_SIGNAL_EVENT_LIMIT)
		return -EINVAL;
	wait = wait_alloc(args->num_events, args->wait_for_all);
	if (!wait)
		return -ENOMEM;
	ret = wait_read_list(wait, list);
	if (ret)
		goto free_wait;
	ret = wait_begin(&p->events, wait);
	if (ret)
		goto free_wait;
	ret = wait_sleep(wait, &args->timeout);
	wait_end(&p->events, wait, ret);
	if (!ret && wait->result == KFD_IOC_WAIT_RESULT_COMPLETE)
		ret = wait_write_data(wait, list);
	ret = wait_result(wait, ret, &args->wait_result);
free_wait:
	kvfree(wait);
	return ret;
}

/**
 * kfd_event_show_waits - one line a wait: pid, tid, ids
 * @p: process
 * @m: where to
 */
void kfd_event_show_waits(struct kfd_process *p, struct seq_file *m)
{
	struct kfd_wait *wait;
	unsigned int i;

	mutex_lock(&p->events.lock);
	list_for_each_entry(wait, &p->events.waits, link) {
		seq_printf(m, "%d %d", pid_nr(p->tgid), wait->tid);
		for (i = 0; i < wait->count; i++)
			seq_printf(m, " %u", wait->waiter[i].id);
		seq_putc(m, '\n');
	}
	mutex_unlock(&p->events.lock);
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

static void event_destroy_locked(struct kfd_events *events, struct kfd_event *event)
{
	struct kfd_wait *wait;
	unsigned int i;

	xa_erase(&events->xa, event->id);
	if (event_has_slot(event->type))
		events->signals--;
	/* Not only those who still wait for it: one that has it may wait for others. */
	list_for_each_entry(wait, &events->waits, link)
		for (i = 0; i < wait->count; i++)
			if (wait->waiter[i].event == event) {
				wait->waiter[i].event = NULL;
				list_del_init(&wait->waiter[i].link);
				wait_finish_locked(wait, KFD_IOC_WAIT_RESULT_FAIL);
			}
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
	const union kfd_event_report report = { .memory = *data };

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
	const union kfd_event_report report = { .reset = *data };

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
