// SPDX-License-Identifier: MIT
/*
 * DOC: every kind of call from many threads at once; the thread sanitizer's run of
 * this test is what shows that the one lock guards all.
 */
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

#include "fake_kfd.h"
#include "fixture.h"
#include "hsakmt/hsakmt.h"
#include "thunk_test.h"

#define THREADS		8
#define ROUNDS		200

static const HsaMemFlags host = { .ui32 = { .HostAccess = 1 } };
static const HsaMemFlags vram = { .ui32 = { .NonPaged = 1, .HostAccess = 1, .CoarseGrain = 1 } };

static const char *memory_round(unsigned int seed)
{
	HsaPointerInfo info;
	void *p;

	if (hsaKmtAllocMemory(seed & 1, 4096, seed & 1 ? vram : host, &p))
		return "alloc";
	if (hsaKmtMapMemoryToGPU(p, 4096, NULL))
		return "map";
	if (hsaKmtQueryPointerInfo(p, &info) || info.NMappedNodes != 1)
		return "pointer";
	if (hsaKmtUnmapMemoryToGPU(p) || hsaKmtFreeMemory(p, 4096))
		return "free";
	return NULL;
}

static const char *queue_round(void)
{
	HsaQueueResource resource = { 0 };
	const char *bad = NULL;
	void *ring;

	if (hsaKmtAllocMemory(0, 4096, host, &ring))
		return "ring";
	if (hsaKmtCreateQueue(1, HSA_QUEUE_SDMA, 100, 0, ring, 4096, NULL, &resource))
		bad = "queue";
	else if (hsaKmtUpdateQueue(resource.QueueId, 0, 0, ring, 4096, NULL) ||
		 hsaKmtDestroyQueue(resource.QueueId))
		bad = "queue's end";
	return hsaKmtFreeMemory(ring, 4096) ? "ring's end" : bad;
}

static const char *event_round(void)
{
	HsaEventDescriptor desc = { .EventType = HSA_EVENTTYPE_SIGNAL };
	HsaEvent *event;

	if (hsaKmtCreateEvent(&desc, false, false, &event))
		return "event";
	if (hsaKmtSetEvent(event) || hsaKmtWaitOnEvent(event, 0) || hsaKmtDestroyEvent(event))
		return "wait";
	return NULL;
}

static const char *topology_round(void)
{
	HsaSystemProperties system;
	HsaNodeProperties node;

	if (hsaKmtOpenKFD() != HSAKMT_STATUS_KERNEL_ALREADY_OPENED)
		return "open";
	if (hsaKmtAcquireSystemProperties(&system) || hsaKmtGetNodeProperties(1, &node))
		return "topology";
	return hsaKmtCloseKFD() ? "close" : NULL;
}

static void *work(void *arg)
{
	unsigned int seed = (unsigned int)(uintptr_t)arg;
	const char *bad = NULL;
	int i;

	for (i = 0; i < ROUNDS && !bad; i++)
		switch ((seed + (unsigned int)i) & 3) {
		case 0:
			bad = memory_round((unsigned int)i / 4);
			break;
		case 1:
			bad = queue_round();
			break;
		case 2:
			bad = event_round();
			break;
		default:
			bad = topology_round();
		}
	return (void *)bad;
}

TEST(threads_at_once, "B085 B086: memory, queues, events, opens and topology from 8 threads")
{
	pthread_t threads[THREADS];
	HsaSystemProperties system;
	void *bad;
	int i;

	fake_kfd_install(fixture_load("vega10"), 1);
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(0, hsaKmtAcquireSystemProperties(&system));
	for (i = 0; i < THREADS; i++)
		CHECK(!pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)i));
	for (i = 0; i < THREADS; i++) {
		CHECK(!pthread_join(threads[i], &bad));
		if (bad)
			printf("# %s failed\n", (char *)bad);
		CHECK(!bad);
	}
	CHECK_EQ(0, fake.queues);
	CHECK_EQ(0, fake.events);
	CHECK_EQ(0, hsaKmtCloseKFD());
	/* the event page stays */
	CHECK_EQ(1, fake.bos);
}
