// SPDX-License-Identifier: MIT
/*
 * DOC: each allocation of the library fails once, in a sequence that makes one of
 * everything: the call says so, what was made can be given back, nothing is left.
 */
#include <stdint.h>

#include "fake_kfd.h"
#include "fault_inject.h"
#include "fixture.h"
#include "hsakmt/hsakmt.h"
#include "thunk_test.h"

/* A sequence makes far fewer. */
#define ALLOC_LIMIT	2000

#define RING_SIZE	(1 << 16)

static const HsaMemFlags host = { .ui32 = { .HostAccess = 1 } };
static const HsaMemFlags vram = { .ui32 = { .NonPaged = 1, .HostAccess = 1 } };

/* Calls that the missing memory stopped. */
static unsigned int stopped;

/* A call that makes something: it may want memory. Return: whether it worked. */
static bool made(HSAKMT_STATUS status)
{
	if (!status)
		return true;
	CHECK_EQ(HSAKMT_STATUS_NO_MEMORY, status);
	stopped++;
	return false;
}

/* A call that gives back: where memory was missing, the next try works. */
#define GIVE_BACK(call)						\
	do {							\
		if (!made(call))				\
			CHECK_EQ(0, call);			\
	} while (0)

static void share_buffer(void *p)
{
	HsaSharedMemoryHandle handle;
	HSAuint32 nodes[] = { 1 };
	HSAuint64 size;
	void *other;

	if (made(hsaKmtShareMemory(p, 4096, &handle)) &&
	    made(hsaKmtRegisterSharedHandleToNodes(&handle, &other, &size, 1, nodes)))
		GIVE_BACK(hsaKmtDeregisterMemory(other));
}

static void one_buffer(void)
{
	HsaMemMapFlags none = { .Value = 0 };
	HSAuint32 nodes[] = { 1, 2 };
	void *p;

	if (!made(hsaKmtAllocMemory(1, 4096, vram, &p)))
		return;
	if (made(hsaKmtRegisterMemoryToNodes(p, 4096, 2, nodes)) &&
	    made(hsaKmtMapMemoryToGPUNodes(p, 4096, NULL, none, 2, nodes)) &&
	    made(hsaKmtMapMemoryToGPUNodes(p, 4096, NULL, none, 1, nodes)))
		GIVE_BACK(hsaKmtUnmapMemoryToGPU(p));
	share_buffer(p);
	GIVE_BACK(hsaKmtFreeMemory(p, 4096));
}

static void own_memory(void)
{
	HsaGraphicsResourceInfo info;
	HSAuint32 nodes[] = { 1 };
	static char own[8192];

	if (made(hsaKmtRegisterMemoryToNodes(own, 5000, 1, nodes))) {
		made(hsaKmtMapMemoryToGPU(own, 5000, NULL));
		GIVE_BACK(hsaKmtDeregisterMemory(own));
	}
	if (made(hsaKmtRegisterGraphicsHandleToNodes(50, &info, 1, nodes))) {
		made(hsaKmtMapMemoryToGPU(info.MemoryAddress, 4096, NULL));
		GIVE_BACK(hsaKmtDeregisterMemory(info.MemoryAddress));
	}
}

static void one_queue(void *ring)
{
	HSA_SVM_ATTRIBUTE attr = { HSA_SVM_ATTR_GRANULARITY, 9 };
	static HSAuint64 pointers[2];
	HsaQueueResource queue = {
		.Queue_write_ptr_aql = &pointers[0], .Queue_read_ptr_aql = &pointers[1],
	};
	HSAuint32 mask = 1;

	made(hsaKmtMapMemoryToGPU(ring, RING_SIZE, NULL));
	made(hsaKmtSVMSetAttr(ring, RING_SIZE, 1, &attr));
	if (made(hsaKmtCreateQueue(1, HSA_QUEUE_COMPUTE_AQL, 100, 0, ring, RING_SIZE, NULL,
				   &queue))) {
		made(hsaKmtSetQueueCUMask(queue.QueueId, 32, &mask));
		GIVE_BACK(hsaKmtDestroyQueue(queue.QueueId));
	}
}

static void one_event(void)
{
	HsaEventDescriptor desc = { .EventType = HSA_EVENTTYPE_SIGNAL };
	HsaEvent *event;

	if (!made(hsaKmtCreateEvent(&desc, false, true, &event)))
		return;
	if (!made(hsaKmtWaitOnEvent(event, 0)))
		CHECK_EQ(0, hsaKmtWaitOnEvent(event, 0));
	GIVE_BACK(hsaKmtDestroyEvent(event));
}

static void one_of_everything(void)
{
	HsaSystemProperties system;
	void *ring;

	if (!made(hsaKmtOpenKFD()))
		return;
	made(hsaKmtAcquireSystemProperties(&system));
	if (made(hsaKmtAllocMemory(0, RING_SIZE, host, &ring))) {
		one_buffer();
		own_memory();
		one_queue(ring);
		one_event();
		GIVE_BACK(hsaKmtFreeMemory(ring, RING_SIZE));
	}
	GIVE_BACK(hsaKmtCloseKFD());
}

TEST(no_memory_anywhere, "B086: each allocation fails once: the call says so, nothing is left")
{
	unsigned int nth = 0;

	fake_kfd_install(fixture_load("two_gpus"), 2);
	fake.extras = true;
	fake.dmabuf_size = 4096;
	fake.metadata_size = 100;
	do {
		uint32_t page = fake.count[0x08] ? 1 : 0;

		CHECK(++nth < ALLOC_LIMIT);
		stopped = 0;
		fail_alloc(nth);
		one_of_everything();
		/* a flush page or a card's name may be missing without a word */
		CHECK(stopped <= 1);
		CHECK_EQ(0, fake.queues);
		CHECK_EQ(0, fake.events);
		CHECK_EQ(0, fake.dmabufs);
		/* the event page stays, once there was an event */
		CHECK(fake.bos <= 1 + page);
	} while (fail_alloc_done());
	fail_alloc(0);
	printf("# %u allocations\n", nth - 1);
	CHECK(nth > 20);
}
