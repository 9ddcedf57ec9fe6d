/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: events
 *
 * An event is set by a queue (through its slot in the event page and an
 * interrupt), by the CPU, or by a fault; threads wait for any or all of several.
 * See kfd_event.c and kfd_event_wait.c.
 */
#ifndef CARILLON_KFD_EVENT_H
#define CARILLON_KFD_EVENT_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/xarray.h>

#include "../uapi/linux/kfd_ioctl.h"

struct kfd_buffer;
struct kfd_process;
struct seq_file;
struct vm_area_struct;
struct vm_bo;

/**
 * struct kfd_event_page - slots that queues write
 * @slot: kernel address, NULL if there is no page; user space and engines write
 *	here at any time
 * @slots: how many are in use
 * @bo: the client's buffer, NULL if the page is ours
 * @handle: the client's name for it, 0 if the page is ours
 */
struct kfd_event_page {
	u64 *slot;
	unsigned int slots;
	struct vm_bo *bo;
	u64 handle;
};

/**
 * struct kfd_events - events of a process
 * @lock: everything here.  No user memory is touched while it is held
 * @xa: &struct kfd_event by id
 * @next: next id to try for events without a slot
 * @page: see above
 * @signals: events that have a slot
 * @waits: waits in progress
 */
struct kfd_events {
	struct mutex lock;
	struct xarray xa;
	u32 next;
	struct kfd_event_page page;
	unsigned int signals;
	struct list_head waits;
};

/**
 * struct kfd_event_image - what a checkpoint keeps of an event
 * @id: name
 * @type: KFD_IOC_EVENT_*
 * @auto_reset: 1 if a wait that it ends takes it
 * @set: 1 if nobody has taken it yet
 * @age: times it was set, and 1
 * @data: what it tells of the last fault or reset
 */
struct kfd_event_image {
	u32 id;
	u32 type;
	u32 auto_reset;
	u32 set;
	u64 age;
	u8 data[40];
};

void kfd_events_init(struct kfd_events *ev);
/* Everybody who waits fails, all events go, the page is given back. */
void kfd_events_fini(struct kfd_events *ev);

/* ioctls, under nothing */
int kfd_event_create(struct kfd_process *p, void *args);
int kfd_event_destroy(struct kfd_process *p, void *args);
int kfd_event_set(struct kfd_process *p, void *args);
int kfd_event_reset(struct kfd_process *p, void *args);
int kfd_event_wait(struct kfd_process *p, void *args);

/* A queue raised @id. Context: process. */
void kfd_event_deliver(struct kfd_process *p, u32 id);
/* A queue raised something: look at every slot. */
void kfd_event_scan(struct kfd_process *p);
/* A queue used a bad address: set all events of type MEMORY. Returns how many. */
unsigned int kfd_event_memory_fault(struct kfd_process *p,
				    const struct kfd_hsa_memory_exception_data *data);

/* A queue was ended by a reset: set all events of type HW_EXCEPTION. Returns how many. */
unsigned int kfd_event_hw_exception(struct kfd_process *p,
				    const struct kfd_hsa_hw_exception_data *data);

/* How many there are just now. */
unsigned int kfd_event_count(struct kfd_process *p);
/* Up to @max of them; -EINVAL unless there are @max. */
int kfd_event_save_all(struct kfd_process *p, struct kfd_event_image *image, unsigned int max);
/* The page's handle, or 0, and how many slots it has; 0 of both: there is none. */
void kfd_event_page_save(struct kfd_process *p, u64 *handle, u32 *slots);
/* Make them again, the page first. Under nothing. */
int kfd_event_page_restore(struct kfd_process *p, u64 handle, u32 slots);
int kfd_event_restore(struct kfd_process *p, const struct kfd_event_image *image);

int kfd_event_mmap(struct kfd_process *p, struct vm_area_struct *vma);
/* The event page's buffer lives on a device that goes. */
void kfd_event_detach(struct kfd_process *p, struct vm_bo *bo);
bool kfd_event_page_is(struct kfd_process *p, u64 handle);
void kfd_event_show_waits(struct kfd_process *p, struct seq_file *m);

#endif /* CARILLON_KFD_EVENT_H */
