// SPDX-License-Identifier: MIT
/* DOC: events, their page, waits. */
#include <errno.h>
#include <linux/kfd_ioctl.h>
#include <stdint.h>
#include <string.h>

#include "fake_kfd.h"
#include "fixture.h"
#include "hsakmt/hsakmt.h"
#include "thunk_test.h"

#define MMAP	0x100

static void start(const char *name, uint32_t gpus)
{
	fake_kfd_install(fixture_load(name), gpus);
	CHECK_EQ(0, hsaKmtOpenKFD());
}

static HsaEvent *create(HSA_EVENTTYPE type, bool manual, bool signaled)
{
	HsaEventDescriptor desc = { .EventType = type, .NodeId = 1 };
	HsaEvent *event = NULL;

	CHECK_EQ(0, hsaKmtCreateEvent(&desc, manual, signaled, &event));
	CHECK(event);
	return event;
}

TEST(event_page, "the first event makes the page: GTT, mapped, handed over once; slots are ~0")
{
	unsigned int from;
	HsaEvent *fault, *first, *second;

	start("vega10", 1);
	from = fake.log_len;
	fault = create(HSA_EVENTTYPE_MEMORY, true, false);
	CHECK(fake_log_is(from, 0x16, MMAP, 0x18, 0x08, 0));
	CHECK(fake.last_alloc_flags & KFD_IOC_ALLOC_MEM_FLAGS_GTT);
	CHECK_EQ(0, fault->EventData.HWData2);
	from = fake.log_len;
	first = create(HSA_EVENTTYPE_SIGNAL, false, false);
	second = create(HSA_EVENTTYPE_SIGNAL, false, false);
	CHECK(fake_log_is(from, 0x08, 0x08, 0));
	CHECK_EQ(first->EventId, first->EventData.HWData1);
	CHECK_EQ(first->EventId, first->EventData.HWData3);
	CHECK_EQ(8, second->EventData.HWData2 - first->EventData.HWData2);
	CHECK_EQ(UINT64_MAX, *(uint64_t *)(uintptr_t)first->EventData.HWData2);
	CHECK_EQ(0, hsaKmtDestroyEvent(fault));
	CHECK_EQ(0, hsaKmtDestroyEvent(first));
	CHECK_EQ(0, hsaKmtDestroyEvent(second));
	CHECK_EQ(0, fake.events);
	CHECK_EQ(0, hsaKmtCloseKFD());
	CHECK_EQ(1, fake.bos);

	/* the driver keeps the page: a later open goes on with it */
	CHECK_EQ(0, hsaKmtOpenKFD());
	from = fake.log_len;
	first = create(HSA_EVENTTYPE_SIGNAL, false, false);
	CHECK(fake_log_is(from, 0x08, 0));
	CHECK(first->EventData.HWData2);
	CHECK_EQ(0, hsaKmtDestroyEvent(first));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(event_page_without_gpu, "without a GPU the page is the driver's own")
{
	HsaEvent *event;

	start("cpu_only", 0);
	event = create(HSA_EVENTTYPE_SIGNAL, false, false);
	CHECK(event->EventData.HWData2);
	CHECK_EQ(0, fake.count[0x16]);
	CHECK_EQ(0, hsaKmtDestroyEvent(event));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(event_page_fails_anywhere, "each call of a first event fails once; the next try works")
{
	HsaEventDescriptor desc = { .EventType = HSA_EVENTTYPE_SIGNAL };
	HsaEvent *event;
	int i;

	start("vega10", 1);
	for (i = 1; i <= 4; i++) {
		fake.calls = 0;
		fake.fail_call = i;
		fake.fail_errno = ENOMEM;
		event = (HsaEvent *)1;
		CHECK_EQ(HSAKMT_STATUS_NO_MEMORY,
			 hsaKmtCreateEvent(&desc, false, false, &event));
		CHECK(!event);
		fake.fail_call = 0;
		/* the flush page, and the event page once it is whole */
		CHECK(fake.bos == (i < 4 ? 1U : 2U));
	}
	event = create(HSA_EVENTTYPE_SIGNAL, false, true);
	CHECK_EQ(0, hsaKmtWaitOnEvent(event, 0));
	CHECK_EQ(0, hsaKmtDestroyEvent(event));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(set_reset_wait, "auto and manual reset, any and all, time-out, signals in between")
{
	HsaEvent *events[2];

	start("vega10", 1);
	events[0] = create(HSA_EVENTTYPE_SIGNAL, false, false);
	events[1] = create(HSA_EVENTTYPE_SIGNAL, true, true);
	CHECK_EQ(HSAKMT_STATUS_WAIT_TIMEOUT, hsaKmtWaitOnEvent(events[0], 0));
	CHECK_EQ(0, hsaKmtWaitOnMultipleEvents(events, 2, false, 0));
	CHECK_EQ(HSAKMT_STATUS_WAIT_TIMEOUT, hsaKmtWaitOnMultipleEvents(events, 2, true, 0));
	CHECK_EQ(0, hsaKmtSetEvent(events[0]));
	fake.interrupts = 5;
	CHECK_EQ(0, hsaKmtWaitOnMultipleEvents(events, 2, true, 1000));
	CHECK_EQ(0, fake.interrupts);
	CHECK_EQ(HSAKMT_STATUS_WAIT_TIMEOUT, hsaKmtWaitOnEvent(events[0], 0));
	CHECK_EQ(0, hsaKmtWaitOnEvent(events[1], 0));
	CHECK_EQ(0, hsaKmtResetEvent(events[1]));
	CHECK_EQ(HSAKMT_STATUS_WAIT_TIMEOUT, hsaKmtWaitOnEvent(events[1], 0));
	CHECK_EQ(0, hsaKmtQueryEventState(events[0]));
	fake_signal(events[0]->EventId);
	CHECK_EQ(0, hsaKmtWaitOnEvent(events[0], HSA_EVENTTIMEOUT_INFINITE));
	CHECK_EQ(0, hsaKmtDestroyEvent(events[0]));
	CHECK_EQ(0, hsaKmtDestroyEvent(events[1]));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(memory_fault, "a fault reaches the event: node, address, flags")
{
	const HsaMemoryAccessFault *fault;
	HsaEvent *event;

	start("vega10", 1);
	event = create(HSA_EVENTTYPE_MEMORY, true, false);
	CHECK_EQ(HSAKMT_STATUS_ERROR, hsaKmtSetEvent(event));
	CHECK_EQ(HSAKMT_STATUS_ERROR, hsaKmtResetEvent(event));
	CHECK_EQ(HSAKMT_STATUS_WAIT_TIMEOUT, hsaKmtWaitOnEvent(event, 0));
	fake.fault_va = 0x7f1234567000;
	CHECK_EQ(0, hsaKmtWaitOnEvent(event, 0));
	fault = &event->EventData.EventData.MemoryAccessFault;
	CHECK_EQ(1, fault->NodeId);
	CHECK_EQ(0x7f1234567000, fault->VirtualAddress);
	CHECK_EQ(1, fault->Failure.NotPresent);
	CHECK_EQ(0, fault->Failure.ReadOnly);
	CHECK_EQ(2, fault->Failure.ErrorType);
	CHECK_EQ(1, fault->Failure.ECC);
	CHECK_EQ(HSA_EVENTID_MEMORY_FATAL_PROCESS, fault->Flags);
	CHECK_EQ(0, hsaKmtDestroyEvent(event));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(event_refusals, "NULL, bad kinds, no events, gone events")
{
	HsaEventDescriptor desc = { .EventType = HSA_EVENTTYPE_MAXID };
	HsaEvent *none[1] = { NULL };
	HsaEvent *event;
	HsaEvent copy;

	start("vega10", 1);
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtCreateEvent(&desc, false, false, &event));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtCreateEvent(NULL, false, false, &event));
	desc.EventType = HSA_EVENTTYPE_SIGNAL;
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtCreateEvent(&desc, false, false, NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_HANDLE, hsaKmtDestroyEvent(NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_HANDLE, hsaKmtSetEvent(NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_HANDLE, hsaKmtWaitOnEvent(NULL, 0));
	CHECK_EQ(HSAKMT_STATUS_INVALID_HANDLE, hsaKmtWaitOnMultipleEvents(NULL, 1, false, 0));
	CHECK_EQ(HSAKMT_STATUS_INVALID_HANDLE, hsaKmtWaitOnMultipleEvents(none, 1, false, 0));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtWaitOnMultipleEvents(none, 0, false, 0));
	event = create(HSA_EVENTTYPE_SIGNAL, false, false);
	copy = *event;
	CHECK_EQ(0, hsaKmtDestroyEvent(event));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtSetEvent(&copy));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtWaitOnEvent(&copy, 0));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(event_limit, "4095 signal events, then OUT_OF_RESOURCES")
{
	HsaEventDescriptor desc = { .EventType = HSA_EVENTTYPE_SIGNAL };
	static HsaEvent *events[KFD_SIGNAL_EVENT_LIMIT];
	int i;

	start("vega10", 1);
	for (i = 1; i < KFD_SIGNAL_EVENT_LIMIT; i++)
		events[i] = create(HSA_EVENTTYPE_SIGNAL, false, false);
	CHECK_EQ(HSAKMT_STATUS_OUT_OF_RESOURCES,
		 hsaKmtCreateEvent(&desc, false, false, &events[0]));
	for (i = 1; i < KFD_SIGNAL_EVENT_LIMIT; i++)
		CHECK_EQ(0, hsaKmtDestroyEvent(events[i]));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(event_steps_fail, "the second step of a creation fails: the event is gone from the driver")
{
	HsaEventDescriptor desc = { .EventType = HSA_EVENTTYPE_SIGNAL };
	HsaEvent *event;

	start("vega10", 1);
	fake.fail_nr = 0x0a;
	fake.fail_errno = EIO;
	CHECK_EQ(HSAKMT_STATUS_KERNEL_COMMUNICATION_ERROR,
		 hsaKmtCreateEvent(&desc, false, true, &event));
	fake.fail_nr = 0;
	CHECK_EQ(0, fake.events);
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(event_page_map_fails, "without a GPU: the driver's page cannot be mapped: no event is left")
{
	HsaEventDescriptor desc = { .EventType = HSA_EVENTTYPE_SIGNAL };
	HsaEvent *event;

	start("cpu_only", 0);
	fake.calls = 0;
	fake.fail_call = 2;
	fake.fail_errno = EIO;
	CHECK_EQ(HSAKMT_STATUS_KERNEL_COMMUNICATION_ERROR,
		 hsaKmtCreateEvent(&desc, false, false, &event));
	fake.fail_call = 0;
	CHECK_EQ(0, fake.events);
	event = create(HSA_EVENTTYPE_SIGNAL, false, false);
	CHECK_EQ(0, hsaKmtDestroyEvent(event));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(wait_fails, "a wait that the driver ends as failed says WAIT_FAILURE; NULL handles")
{
	HsaEvent *event;

	start("vega10", 1);
	event = create(HSA_EVENTTYPE_SIGNAL, false, false);
	fake.wait_failure = true;
	CHECK_EQ(HSAKMT_STATUS_WAIT_FAILURE, hsaKmtWaitOnEvent(event, 0));
	fake.wait_failure = false;
	CHECK_EQ(HSAKMT_STATUS_INVALID_HANDLE, hsaKmtResetEvent(NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_HANDLE, hsaKmtQueryEventState(NULL));
	CHECK_EQ(0, hsaKmtDestroyEvent(event));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(event_ages, "B044: a signal that came since ends the wait, whoever took it; 0 does not care")
{
	uint64_t age = 1, ages[3] = { 1, 0, 7 };
	HsaEvent *events[3];

	start("vega10", 1);
	events[0] = create(HSA_EVENTTYPE_SIGNAL, false, false);
	events[1] = create(HSA_EVENTTYPE_SIGNAL, false, false);
	events[2] = create(HSA_EVENTTYPE_MEMORY, true, false);
	CHECK_EQ(HSAKMT_STATUS_WAIT_TIMEOUT, hsaKmtWaitOnEvent_Ext(events[0], 0, &age));
	CHECK_EQ(1, age);
	CHECK_EQ(0, hsaKmtSetEvent(events[0]));
	CHECK_EQ(0, hsaKmtWaitOnEvent(events[0], 0));
	CHECK_EQ(0, hsaKmtWaitOnEvent_Ext(events[0], 0, &age));
	CHECK_EQ(2, age);
	CHECK_EQ(HSAKMT_STATUS_WAIT_TIMEOUT, hsaKmtWaitOnEvent_Ext(events[0], 0, &age));
	CHECK_EQ(2, age);
	/* one that came, one that does not care, one that has no age */
	CHECK_EQ(0, hsaKmtWaitOnMultipleEvents_Ext(events, 3, false, 0, ages));
	CHECK_EQ(2, ages[0]);
	CHECK_EQ(0, ages[1]);
	CHECK_EQ(7, ages[2]);
	CHECK_EQ(HSAKMT_STATUS_WAIT_TIMEOUT,
		 hsaKmtWaitOnMultipleEvents_Ext(events, 3, false, 0, ages));
	CHECK_EQ(0, hsaKmtSetEvent(events[1]));
	CHECK_EQ(0, hsaKmtWaitOnMultipleEvents_Ext(events, 3, false, 0, ages));
	CHECK_EQ(0, ages[1]);
	CHECK_EQ(0, hsaKmtSetEvent(events[1]));
	CHECK_EQ(0, hsaKmtWaitOnEvent_Ext(events[1], 0, NULL));
	/* a wait that failed tells nothing */
	age = 1;
	fake.fail_nr = 0x0c;
	fake.fail_errno = ENOMEM;
	CHECK_EQ(HSAKMT_STATUS_NO_MEMORY, hsaKmtWaitOnEvent_Ext(events[0], 0, &age));
	CHECK_EQ(1, age);
	CHECK_EQ(HSAKMT_STATUS_INVALID_HANDLE, hsaKmtWaitOnEvent_Ext(NULL, 0, &age));
	CHECK_EQ(HSAKMT_STATUS_INVALID_HANDLE,
		 hsaKmtWaitOnMultipleEvents_Ext(NULL, 1, false, 0, &age));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtWaitOnMultipleEvents_Ext(events, 0, false, 0, ages));
	fake.fail_nr = 0;
	CHECK_EQ(0, hsaKmtDestroyEvent(events[0]));
	CHECK_EQ(0, hsaKmtDestroyEvent(events[1]));
	CHECK_EQ(0, hsaKmtDestroyEvent(events[2]));
	CHECK_EQ(0, hsaKmtCloseKFD());
}
