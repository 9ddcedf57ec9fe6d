// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hostile packets: only the guilty queue stops (S0.103; B067).  Packets that reach
 * past their address space are refused from a user queue.
 *
 * vm: timeout=600
 */
#include "kfd_harness.h"

#include <sys/wait.h>

#define MIB	(1ul << 20)

/* Instance and state (the last column) of this process's queue, by the driver's table. */
static bool queue_row(const struct kfd_sdma *q, unsigned int *instance, char state[64])
{
	FILE *f = popen("cat /sys/kernel/debug/carillon/*:*:*/queues", "r");
	unsigned int pid, id, number;
	bool found = false;
	char line[256];

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%u %u %u", &pid, &id, &number) != 3 || pid != getpid() ||
		    id != q->id)
			continue;
		*instance = number;
		found = sscanf(strrchr(line, ' '), "%63s", state) == 1;
	}
	if (f)
		pclose(f);
	return found;
}

static bool queue_stopped(const struct kfd_sdma *q)
{
	unsigned int tries, instance;
	char state[64];

	for (tries = 0; tries < 1000 * kfd_time_scale(); tries++) {
		if (queue_row(q, &instance, state) && !strncmp(state, "fault", 5))
			return true;
		usleep(10000);
	}
	return false;
}

static const struct {
	const char *name;
	unsigned int n;
	uint32_t w[8];
} bad_packets[] = {
	{ "unknown opcode", 1, { 0xff } },
	{ "unknown copy sub-opcode", 1, { 1 | 0x77 << 8 } },
	{ "copy from an unmapped page", 7, { 1, 63, 0, 0x1000, 0x7000, 0x2000, 0x7000 } },
	{ "register write", 3, { 14 | 0xf0000000, 0x80, 0xffffffff } },
	{ "register poll", 6, { 8 | 3u << 28, 0x80, 0, 0, 0xffffffff, 0x0fff0004 } },
	{ "flush poll with other words", 6, { 8, 0, 0x80000000, 1, 0, 0 } },
	{ "indirect buffer of another VMID", 6, { 4 | 3 << 16, 0x1000, 0x7000, 8, 0, 0 } },
	{ "page-table entries to nowhere", 10, { 12, 0x1000, 0x7000, 1, 0, 0, 0, 0 } },
	{ "broadcast from nowhere", 9, { 1 | 1 << 27, 63, 0, 0x1000, 0x7000, 0x2000, 0x7000 } },
	{ "semaphore nowhere", 3, { 7 | 1 << 30, 0x1000, 0x7000 } },
	{ "condition nowhere", 5, { 9, 0x1000, 0x7000, 1, 0 } },
	{ "time set", 3, { 13, 0x1000, 0x7000 } },
	{ "tiled copy", 1, { 1 | 1 << 8 } },
	{ "dummy trap", 2, { 16, 1 } },
};

/* Each bad packet: the queue stops, a neighbour of the same process keeps right. */
TEST_F_TIMEOUT(kfd, b067_bad_packets, 300)
{
	struct kfd_sdma good;
	struct kfd_bo a, b;
	struct kfd_event e;
	unsigned int i;

	ASSERT_EQ(0, kfd_bo_user(&self->c, MIB, &a));
	ASSERT_EQ(0, kfd_bo_vram(&self->c, MIB, &b));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &good));
	for (i = 0; i < ARRAY_SIZE(bad_packets); i++) {
		struct kfd_sdma bad;
		uint32_t w[16] = { 0 };
		uint64_t end;

		ASSERT_EQ(0, kfd_sdma_create(&self->c, &bad)) TH_LOG("%s", bad_packets[i].name);
		memcpy(w, bad_packets[i].w, sizeof(bad_packets[i].w));
		kfd_sdma_put(&bad, w, bad_packets[i].n);
		end = bad.wptr;
		kfd_sdma_put(&bad, w, pkt_fill(w, b.cpu, 0xbad, 64));
		kfd_sdma_ring(&bad);
		EXPECT_TRUE(queue_stopped(&bad)) TH_LOG("%s", bad_packets[i].name);
		EXPECT_GT(end, kfd_sdma_rptr(&bad));
		memset(a.cpu, 0x30 + i, MIB);
		ASSERT_EQ(0, kfd_sdma_copy_wait(&good, &e, b.cpu, a.cpu, MIB));
		ASSERT_EQ(0, memcmp(a.cpu, b.cpu, MIB));
		ASSERT_EQ(0, kfd_sdma_destroy(&bad)) TH_LOG("%s", bad_packets[i].name);
	}
	EXPECT_EQ(0, kfd_sdma_destroy(&good));
}

#define NOWHERE	((void *)0x700000001000ul)

/* A copy from a page that is not mapped. */
static void put_fault(struct kfd_sdma *q, const struct kfd_bo *b)
{
	uint32_t w[8];

	kfd_sdma_put(q, w, pkt_copy(w, b->cpu, NOWHERE, 64));
	kfd_sdma_ring(q);
}

/* Work that goes on until the word at @flag is 1, then tells @e. */
static void put_busy(struct kfd_sdma *q, const void *flag, const struct kfd_event *e)
{
	uint32_t w[8];

	kfd_sdma_put(q, w, pkt_poll_mem(w, flag, 1, 0xffffffff));
	kfd_sdma_signal(q, e);
	kfd_sdma_ring(q);
}

/* B067: a page fault names no queue; of several busy ones only the guilty one stops. */
TEST_F_TIMEOUT(kfd, b067_page_fault_beside_busy_queues, 300)
{
	unsigned int n = 2 * self->c.sdma_engines, guilty, i, instance;
	struct kfd_event e[8];
	struct kfd_sdma q[8];
	struct kfd_bo b;
	char state[64];
	uint32_t result;

	ASSERT_GE(8, n);
	ASSERT_EQ(0, kfd_bo_gtt(&self->c, 4096, &b));
	for (i = 0; i < n; i++)
		ASSERT_EQ(0, kfd_event_create(&self->c, &e[i]));
	for (guilty = 0; guilty < n; guilty++) {
		memset(b.cpu, 0, 4096);
		for (i = 0; i < n; i++)
			ASSERT_EQ(0, kfd_sdma_create_size(&self->c, &q[i], 4096));
		for (i = 0; i < n; i++)
			if (i != guilty)
				put_busy(&q[i], b.cpu, &e[i]);
		put_fault(&q[guilty], &b);
		ASSERT_TRUE(queue_stopped(&q[guilty])) TH_LOG("queue %u", guilty);
		for (i = 0; i < n; i++) {
			if (i == guilty)
				continue;
			EXPECT_TRUE(queue_row(&q[i], &instance, state));
			EXPECT_STREQ("loaded", state) TH_LOG("queue %u beside %u", i, guilty);
		}
		*(volatile uint32_t *)b.cpu = 1;
		for (i = 0; i < n; i++) {
			if (i != guilty) {
				EXPECT_EQ(0, kfd_event_wait(&self->c, &e[i], KFD_TIMEOUT_MS,
							    &result));
				EXPECT_EQ(0, result) TH_LOG("queue %u beside %u", i, guilty);
			}
			ASSERT_EQ(0, kfd_sdma_destroy(&q[i]));
		}
	}
}

/* Busy queues of another process, until somebody writes to @go; exit status 0 if all ended. */
static int busy_process(int ready, int go, unsigned int n)
{
	struct kfd_event e[8];
	struct kfd_sdma q[8];
	struct kfd_client c;
	struct kfd_bo b;
	uint32_t result;
	unsigned int i;
	char byte = 0;

	if (kfd_client_init(&c, 0) || kfd_bo_gtt(&c, 4096, &b))
		return 1;
	for (i = 0; i < n; i++) {
		if (kfd_event_create(&c, &e[i]) || kfd_sdma_create_size(&c, &q[i], 4096))
			return 2;
		put_busy(&q[i], b.cpu, &e[i]);
	}
	if (write(ready, &byte, 1) != 1 || read(go, &byte, 1) != 1)
		return 3;
	*(volatile uint32_t *)b.cpu = 1;
	for (i = 0; i < n; i++)
		if (kfd_event_wait(&c, &e[i], KFD_TIMEOUT_MS, &result) || result)
			return 4;
	return 0;
}

/* B067: a fault belongs to the process of its PASID; another's queues beside it go on. */
TEST_F_TIMEOUT(kfd, b067_page_fault_beside_another_process, 120)
{
	unsigned int n = self->c.sdma_engines, i;
	int ready[2], go[2], status = -1;
	struct kfd_sdma q[4];
	struct kfd_bo b;
	char byte = 0;
	pid_t pid;

	ASSERT_GE(4, n);
	ASSERT_EQ(0, pipe(ready));
	ASSERT_EQ(0, pipe(go));
	pid = fork();
	if (!pid)
		_exit(busy_process(ready[1], go[0], n));
	/* One queue of each process on each instance. */
	ASSERT_EQ(1, read(ready[0], &byte, 1));
	ASSERT_EQ(0, kfd_bo_gtt(&self->c, 4096, &b));
	for (i = 0; i < n; i++) {
		ASSERT_EQ(0, kfd_sdma_create_size(&self->c, &q[i], 4096));
		put_fault(&q[i], &b);
		EXPECT_TRUE(queue_stopped(&q[i])) TH_LOG("queue %u", i);
	}
	ASSERT_EQ(1, write(go[1], &byte, 1));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	for (i = 0; i < n; i++)
		EXPECT_EQ(0, kfd_sdma_destroy(&q[i]));
}

/* B067: random words, queue after queue, while a neighbour copies. */
TEST_F_TIMEOUT(kfd, b067_random_words, 300)
{
	struct kfd_sdma good;
	struct kfd_bo a, b;
	struct kfd_event e;
	unsigned int round, i;
	uint64_t x = 0x853c49e6748fea9bull;

	ASSERT_EQ(0, kfd_bo_user(&self->c, MIB, &a));
	ASSERT_EQ(0, kfd_bo_vram(&self->c, MIB, &b));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &good));
	for (round = 0; round < 100; round++) {
		struct kfd_sdma bad;

		ASSERT_EQ(0, kfd_sdma_create_size(&self->c, &bad, 65536));
		for (i = 0; i < 10000; i++) {
			uint32_t w = x >> 32;

			x = x * 6364136223846793005ull + 1442695040888963407ull;
			/* Mostly plausible opcodes, so that fields get tried too. */
			if (i % 3 == 0)
				w &= 0xffff070f;
			kfd_sdma_put(&bad, &w, 1);
		}
		kfd_sdma_ring(&bad);
		memset(a.cpu, round, MIB);
		ASSERT_EQ(0, kfd_sdma_copy_wait(&good, &e, b.cpu, a.cpu, MIB));
		ASSERT_EQ(0, memcmp(a.cpu, b.cpu, MIB));
		ASSERT_EQ(0, kfd_sdma_destroy(&bad));
	}
}

/* A ring that the GPU cannot read stops the queue, nothing else. */
TEST_F(kfd, ring_goes_away)
{
	struct kfd_ioctl_destroy_queue_args d;
	struct kfd_sdma bad, good;
	struct kfd_event e;
	struct kfd_bo b;
	uint32_t w[8];

	ASSERT_EQ(0, kfd_bo_vram(&self->c, 65536, &b));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &bad));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &good));
	ASSERT_EQ(0, kfd_unmap(&self->c, bad.ring.handle));
	kfd_sdma_put(&bad, w, pkt_fill(w, b.cpu, 1, 64));
	kfd_sdma_ring(&bad);
	EXPECT_TRUE(queue_stopped(&bad));
	ASSERT_EQ(0, kfd_sdma_copy_wait(&good, &e, b.cpu + 4096, b.cpu, 4096));
	d.queue_id = bad.id;
	EXPECT_EQ(0, kfd_ioctl(self->c.fd, AMDKFD_IOC_DESTROY_QUEUE, &d));
	EXPECT_EQ(0, kfd_sdma_destroy(&good));
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
