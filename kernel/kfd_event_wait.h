/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: between events and those who wait for them
 *
 * For kfd_event.c and kfd_event_wait.c alone.
 */
#ifndef CARILLON_KFD_EVENT_WAIT_H
#define CARILLON_KFD_EVENT_WAIT_H

#include "kfd_event.h"

struct kfd_wait;

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
 * @auto_reset: a wait that it ends takes it
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

void kfd_event_pass_on_locked(struct kfd_event *event);
void kfd_event_lose_waits_locked(struct kfd_events *events, struct kfd_event *event);

#endif /* CARILLON_KFD_EVENT_WAIT_H */
