// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: waits for events
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
 * All is under kfd_events.lock, but user memory is read before it is taken and written after.
 */
#include <linux/jiffies.h>
#include <linux/overflow.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>

#include "hw/hw_device.h"
#include "kfd_debugfs.h"
#include "kfd_event_wait.h"
#include "kfd_process.h"

#define KFD_WAIT_FOREVER	0xffffffffu

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

/* ---- under the lock ---- */

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

/**
 * kfd_event_pass_on_locked - give a signal to those who wait, or keep it for the next one
 * @event: event
 *
 * Context: kfd_events.lock held.
 */
void kfd_event_pass_on_locked(struct kfd_event *event)
{
	struct kfd_waiter *w, *next;

	event->set = !event->auto_reset || list_empty(&event->waiters);
	list_for_each_entry_safe(w, next, &event->waiters, link)
		waiter_came_locked(w, true);
}

/**
 * kfd_event_lose_waits_locked - an event goes: every wait that has it in its list fails
 * @events: of its process
 * @event: event
 *
 * Context: kfd_events.lock held.
 */
void kfd_event_lose_waits_locked(struct kfd_events *events, struct kfd_event *event)
{
	struct kfd_wait *wait;
	unsigned int i;

	/* Not only those who still wait for it: one that has it may wait for others. */
	list_for_each_entry(wait, &events->waits, link)
		for (i = 0; i < wait->count; i++)
			if (wait->waiter[i].event == event) {
				wait->waiter[i].event = NULL;
				list_del_init(&wait->waiter[i].link);
				wait_finish_locked(wait, KFD_IOC_WAIT_RESULT_FAIL);
			}
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
		kfd_event_pass_on_locked(w->event);
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

/* ---- the call ---- */

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
