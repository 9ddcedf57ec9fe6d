// SPDX-License-Identifier: MIT
/**
 * DOC: events
 *
 * An event is the KFD's; the record that a program holds carries its id, where
 * its slot in the event page is and what a trap must name. Only signal and debug
 * events can be set by a program, the KFD sets the others. Waits do not hold the
 * library's lock; the event page is made and handed over under it.
 */
#include <errno.h>
#include <linux/kfd_ioctl.h>
#include <stdlib.h>

#include "event_page.h"
#include "thunk_context.h"
#include "thunk_log.h"

/* Debug events behave like signals. */
static bool has_slot(HSA_EVENTTYPE type)
{
	return type == HSA_EVENTTYPE_SIGNAL || type == HSA_EVENTTYPE_DEBUG_EVENT;
}

static int kfd_destroy_event(uint32_t id)
{
	struct kfd_ioctl_destroy_event_args args = { .event_id = id };

	return thunk_kfd(AMDKFD_IOC_DESTROY_EVENT, &args);
}

static int kfd_set_event(uint32_t id)
{
	struct kfd_ioctl_set_event_args args = { .event_id = id };

	return thunk_kfd(AMDKFD_IOC_SET_EVENT, &args);
}

/* Create in the KFD and find the slot. */
static int kfd_create_event(struct kfd_ioctl_create_event_args *args, uint64_t *slot)
{
	uint64_t handle;
	int err = event_page_prepare(&handle);

	if (err)
		return err;
	args->event_page_offset = handle;
	err = thunk_kfd(AMDKFD_IOC_CREATE_EVENT, args);
	if (err)
		return err;
	err = event_page_slot(args->event_page_offset, args->event_slot_index, slot);
	if (err)
		kfd_destroy_event(args->event_id);
	return err;
}

static int create_event(const HsaEventDescriptor *desc, bool manual_reset, bool signaled,
			HsaEvent *event)
{
	struct kfd_ioctl_create_event_args args = {
		.event_type = desc->EventType,
		.node_id = desc->NodeId,
		.auto_reset = !manual_reset,
	};
	uint64_t slot;
	int err = kfd_create_event(&args, &slot);

	if (err)
		return err;
	if (signaled && has_slot(desc->EventType)) {
		err = kfd_set_event(args.event_id);
		if (err) {
			kfd_destroy_event(args.event_id);
			return err;
		}
	}
	event->EventId = args.event_id;
	event->EventData.EventType = desc->EventType;
	event->EventData.EventData.SyncVar = desc->SyncVar;
	event->EventData.HWData1 = args.event_id;
	event->EventData.HWData2 = slot;
	event->EventData.HWData3 = args.event_trigger_data;
	return 0;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtCreateEvent(HsaEventDescriptor *EventDesc, bool ManualReset,
					  bool IsSignaled, HsaEvent **Event)
{
	HSAKMT_STATUS status = thunk_enter();
	HsaEvent *made;
	int err;

	if (status)
		return status;
	if (!EventDesc || !Event || EventDesc->EventType >= HSA_EVENTTYPE_MAXID)
		return thunk_leave(-EINVAL);
	*Event = NULL;
	made = calloc(1, sizeof(*made));
	if (!made)
		return thunk_leave(-ENOMEM);
	err = create_event(EventDesc, ManualReset, IsSignaled, made);
	if (err)
		free(made);
	else
		*Event = made;
	return thunk_leave(err);
}

HSAKMT_STATUS HSAKMTAPI hsaKmtDestroyEvent(HsaEvent *Event)
{
	HSAKMT_STATUS status = thunk_enter();
	int err;

	if (status)
		return status;
	if (!Event)
		return thunk_leave(-ENOENT);
	err = kfd_destroy_event(Event->EventId);
	if (!err)
		free(Event);
	return thunk_leave(err);
}

HSAKMT_STATUS HSAKMTAPI hsaKmtSetEvent(HsaEvent *Event)
{
	struct kfd_ioctl_set_event_args args = { 0 };
	int fd;
	HSAKMT_STATUS status = thunk_enter_unlocked(&fd);

	if (status)
		return status;
	if (!Event)
		return HSAKMT_STATUS_INVALID_HANDLE;
	if (!has_slot(Event->EventData.EventType))
		return HSAKMT_STATUS_ERROR;
	args.event_id = Event->EventId;
	return thunk_status(thunk_ioctl(fd, AMDKFD_IOC_SET_EVENT, &args));
}

HSAKMT_STATUS HSAKMTAPI hsaKmtResetEvent(HsaEvent *Event)
{
	struct kfd_ioctl_reset_event_args args = { 0 };
	int fd;
	HSAKMT_STATUS status = thunk_enter_unlocked(&fd);

	if (status)
		return status;
	if (!Event)
		return HSAKMT_STATUS_INVALID_HANDLE;
	if (!has_slot(Event->EventData.EventType))
		return HSAKMT_STATUS_ERROR;
	args.event_id = Event->EventId;
	return thunk_status(thunk_ioctl(fd, AMDKFD_IOC_RESET_EVENT, &args));
}

HSAKMT_STATUS HSAKMTAPI hsaKmtQueryEventState(HsaEvent *Event)
{
	int fd;
	HSAKMT_STATUS status = thunk_enter_unlocked(&fd);

	if (status)
		return status;
	return Event ? HSAKMT_STATUS_SUCCESS : HSAKMT_STATUS_INVALID_HANDLE;
}

/* ---- waits -------------------------------------------------------------- */

static void take_fault(const struct kfd_hsa_memory_exception_data *from, HsaMemoryAccessFault *to)
{
	to->NodeId = thunk_gpu_node(from->gpu_id, INVALID_NODEID);
	to->VirtualAddress = from->va;
	to->Failure.NotPresent = !!from->failure.NotPresent;
	to->Failure.ReadOnly = !!from->failure.ReadOnly;
	to->Failure.NoExecute = !!from->failure.NoExecute;
	to->Failure.Imprecise = !!from->failure.imprecise;
	to->Failure.ErrorType = from->ErrorType & 7;
	to->Failure.ECC = from->ErrorType == KFD_MEM_ERR_SRAM_ECC ||
			  from->ErrorType == KFD_MEM_ERR_POISON_CONSUMED;
	to->Flags = HSA_EVENTID_MEMORY_FATAL_PROCESS;
}

/* Hand faults over to their events. */
static void take_results(HsaEvent *events[], const struct kfd_event_data *data, uint32_t count)
{
	uint32_t i;

	thunk_lock();
	for (i = 0; i < count; i++) {
		const struct kfd_hsa_memory_exception_data *fault = &data[i].memory_exception_data;

		if (events[i]->EventData.EventType != HSA_EVENTTYPE_MEMORY || !fault->gpu_id)
			continue;
		take_fault(fault, &events[i]->EventData.EventData.MemoryAccessFault);
		thunk_err("GPU %#x: memory fault at %#llx%s%s%s", fault->gpu_id,
			  (unsigned long long)fault->va,
			  fault->failure.NotPresent ? ", page not present" : "",
			  fault->failure.ReadOnly ? ", page read-only" : "",
			  fault->failure.NoExecute ? ", page not executable" : "");
	}
	thunk_unlock();
}

static HSAKMT_STATUS wait_status(uint32_t result)
{
	switch (result) {
	case KFD_IOC_WAIT_RESULT_COMPLETE:
		return HSAKMT_STATUS_SUCCESS;
	case KFD_IOC_WAIT_RESULT_TIMEOUT:
		return HSAKMT_STATUS_WAIT_TIMEOUT;
	default:
		return HSAKMT_STATUS_WAIT_FAILURE;
	}
}

/* Only signals have an age. */
static void put_ages(HsaEvent *events[], struct kfd_event_data *data, uint32_t count,
		     const uint64_t *ages)
{
	uint32_t i;

	for (i = 0; ages && i < count; i++)
		if (events[i]->EventData.EventType == HSA_EVENTTYPE_SIGNAL)
			data[i].signal_event_data.last_event_age = ages[i];
}

static void take_ages(HsaEvent *events[], const struct kfd_event_data *data, uint32_t count,
		      uint64_t *ages)
{
	uint32_t i;

	for (i = 0; ages && i < count; i++)
		if (events[i]->EventData.EventType == HSA_EVENTTYPE_SIGNAL)
			ages[i] = data[i].signal_event_data.last_event_age;
}

static HSAKMT_STATUS wait_events(int fd, HsaEvent *events[], struct kfd_event_data *data,
				 uint32_t count, bool all, uint32_t ms)
{
	struct kfd_ioctl_wait_events_args args = {
		.events_ptr = (uintptr_t)data,
		.num_events = count,
		.wait_for_all = all,
		.timeout = ms,
	};
	int err = thunk_ioctl(fd, AMDKFD_IOC_WAIT_EVENTS, &args);

	if (err)
		return thunk_status(err);
	if (args.wait_result == KFD_IOC_WAIT_RESULT_COMPLETE)
		take_results(events, data, count);
	return wait_status(args.wait_result);
}

HSAKMT_STATUS HSAKMTAPI hsaKmtWaitOnMultipleEvents_Ext(HsaEvent *Events[], HSAuint32 NumEvents,
						       bool WaitOnAll, HSAuint32 Milliseconds,
						       uint64_t *event_age)
{
	struct kfd_event_data *data;
	HSAKMT_STATUS status;
	uint32_t i;
	int fd;

	status = thunk_enter_unlocked(&fd);
	if (status)
		return status;
	if (!Events)
		return HSAKMT_STATUS_INVALID_HANDLE;
	if (!NumEvents || NumEvents > KFD_SIGNAL_EVENT_LIMIT)
		return HSAKMT_STATUS_INVALID_PARAMETER;
	for (i = 0; i < NumEvents; i++)
		if (!Events[i])
			return HSAKMT_STATUS_INVALID_HANDLE;
	data = calloc(NumEvents, sizeof(*data));
	if (!data)
		return HSAKMT_STATUS_NO_MEMORY;
	for (i = 0; i < NumEvents; i++)
		data[i].event_id = Events[i]->EventId;
	put_ages(Events, data, NumEvents, event_age);
	status = wait_events(fd, Events, data, NumEvents, WaitOnAll, Milliseconds);
	if (!status)
		take_ages(Events, data, NumEvents, event_age);
	free(data);
	return status;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtWaitOnMultipleEvents(HsaEvent *Events[], HSAuint32 NumEvents,
						   bool WaitOnAll, HSAuint32 Milliseconds)
{
	return hsaKmtWaitOnMultipleEvents_Ext(Events, NumEvents, WaitOnAll, Milliseconds, NULL);
}

HSAKMT_STATUS HSAKMTAPI hsaKmtWaitOnEvent_Ext(HsaEvent *Event, HSAuint32 Milliseconds,
					      uint64_t *event_age)
{
	int fd;
	HSAKMT_STATUS status = thunk_enter_unlocked(&fd);

	if (status)
		return status;
	if (!Event)
		return HSAKMT_STATUS_INVALID_HANDLE;
	return hsaKmtWaitOnMultipleEvents_Ext(&Event, 1, true, Milliseconds, event_age);
}

HSAKMT_STATUS HSAKMTAPI hsaKmtWaitOnEvent(HsaEvent *Event, HSAuint32 Milliseconds)
{
	return hsaKmtWaitOnEvent_Ext(Event, Milliseconds, NULL);
}
