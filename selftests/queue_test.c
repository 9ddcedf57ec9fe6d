// SPDX-License-Identifier: GPL-2.0-only
/*
 * User SDMA queues: arguments, slots, doorbells, stops, life (S0.36, S0.97; B010, B028,
 * B034, B061, B062).
 *
 * vm: timeout=600
 */
#include "kfd_harness.h"

#include <fcntl.h>
#include <glob.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define MIB	(1ul << 20)

static int create_raw(struct kfd_client *c, struct kfd_ioctl_create_queue_args *args)
{
	return kfd_ioctl(c->fd, AMDKFD_IOC_CREATE_QUEUE, args);
}

static int destroy_id(struct kfd_client *c, uint32_t id)
{
	struct kfd_ioctl_destroy_queue_args d = { .queue_id = id };

	return kfd_ioctl(c->fd, AMDKFD_IOC_DESTROY_QUEUE, &d);
}

static struct kfd_ioctl_create_queue_args good_args(struct kfd_client *c, struct kfd_bo *ring,
						    struct kfd_bo *ptrs)
{
	return (struct kfd_ioctl_create_queue_args){
		.ring_base_address = (uintptr_t)ring->cpu,
		.write_pointer_address = (uintptr_t)ptrs->cpu + 8,
		.read_pointer_address = (uintptr_t)ptrs->cpu + 16,
		.ring_size = ring->size,
		.gpu_id = c->gpu_id,
		.queue_type = KFD_IOC_QUEUE_TYPE_SDMA,
		.queue_percentage = 100,
		.queue_priority = 15,
	};
}

/* B010: every field wrong in turn; no queue, id or slot is used up. */
TEST_F(kfd, b010_create_arguments)
{
	static const uint32_t bad_sizes[] = { 3, 1000, 3 * 4096, 0x80000001, 0xffffffff };
	static const uint32_t small_sizes[] = { 0, 1, 512, 1024 };
	struct kfd_ioctl_create_queue_args a;
	struct kfd_bo ring, ptrs;
	long long queues;
	unsigned int i;

	ASSERT_EQ(0, kfd_bo_user(&self->c, MIB, &ring));
	ASSERT_EQ(0, kfd_bo_user(&self->c, 4096, &ptrs));
	queues = kfd_count("queues");
	for (i = 0; i < ARRAY_SIZE(bad_sizes); i++) {
		a = good_args(&self->c, &ring, &ptrs);
		a.ring_size = bad_sizes[i];
		EXPECT_EQ(-EINVAL, create_raw(&self->c, &a)) TH_LOG("size %u", bad_sizes[i]);
	}
	a = good_args(&self->c, &ring, &ptrs);
	a.queue_percentage = 101;
	EXPECT_EQ(-EINVAL, create_raw(&self->c, &a));
	a = good_args(&self->c, &ring, &ptrs);
	a.queue_priority = 16;
	EXPECT_EQ(-EINVAL, create_raw(&self->c, &a));
	a = good_args(&self->c, &ring, &ptrs);
	a.gpu_id = 0;
	EXPECT_EQ(-EINVAL, create_raw(&self->c, &a));
	a = good_args(&self->c, &ring, &ptrs);
	a.ring_base_address = ~0ull - 4095;
	EXPECT_EQ(-EFAULT, create_raw(&self->c, &a));
	a = good_args(&self->c, &ring, &ptrs);
	a.read_pointer_address = ~0ull - 7;
	EXPECT_EQ(-EFAULT, create_raw(&self->c, &a));
	a = good_args(&self->c, &ring, &ptrs);
	a.queue_type = KFD_IOC_QUEUE_TYPE_COMPUTE_AQL;
	EXPECT_EQ(-524, create_raw(&self->c, &a));
	a = good_args(&self->c, &ring, &ptrs);
	a.queue_type = KFD_IOC_QUEUE_TYPE_COMPUTE;
	EXPECT_EQ(-524, create_raw(&self->c, &a));
	a = good_args(&self->c, &ring, &ptrs);
	a.queue_type = 99;
	EXPECT_GT(0, create_raw(&self->c, &a));
	EXPECT_EQ(queues, kfd_count("queues"));
	/* Below the minimum a size is raised to it. */
	for (i = 0; i < ARRAY_SIZE(small_sizes); i++) {
		a = good_args(&self->c, &ring, &ptrs);
		a.ring_size = small_sizes[i];
		ASSERT_EQ(0, create_raw(&self->c, &a)) TH_LOG("size %u", small_sizes[i]);
		ASSERT_EQ(0, destroy_id(&self->c, a.queue_id));
	}
	/* The largest power of two; save areas, which an SDMA queue has not, of any size. */
	a = good_args(&self->c, &ring, &ptrs);
	a.ring_size = 0x80000000;
	a.ctx_save_restore_size = 0xffffffff;
	a.ctl_stack_size = 0xffffffff;
	a.eop_buffer_size = ~0ull;
	ASSERT_EQ(0, create_raw(&self->c, &a));
	ASSERT_EQ(0, destroy_id(&self->c, a.queue_id));
	a = good_args(&self->c, &ring, &ptrs);
	ASSERT_EQ(0, create_raw(&self->c, &a));
	EXPECT_EQ(queues + 1, kfd_count("queues"));
	EXPECT_EQ(0, destroy_id(&self->c, a.queue_id));
	EXPECT_EQ(-EINVAL, destroy_id(&self->c, a.queue_id));
	EXPECT_EQ(-EINVAL, destroy_id(&self->c, 0xffffffff));
}

/* B038: one queue more than there are slots works like the others. */
TEST_F(kfd, b038_one_more_than_slots)
{
	unsigned int n = self->c.sdma_queues * self->c.sdma_engines, i, k;
	struct kfd_sdma q[17];
	struct kfd_event e;
	struct kfd_bo m;

	ASSERT_GE(16, n);
	ASSERT_EQ(0, kfd_bo_gtt(&self->c, 8192, &m));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	for (i = 0; i <= n; i++)
		ASSERT_EQ(0, kfd_sdma_create(&self->c, &q[i]));
	EXPECT_GE(n, kfd_count("hw_slots"));
	for (k = 0; k < 3; k++) {
		for (i = 0; i <= n; i++) {
			memset(m.cpu, 16 * k + i, 4096);
			ASSERT_EQ(0, kfd_sdma_copy_wait(&q[i], &e, m.cpu + 4096, m.cpu, 4096));
			EXPECT_TRUE(kfd_all_bytes(m.cpu + 4096, 4096, 16 * k + i));
		}
	}
	for (i = 0; i <= n; i++)
		EXPECT_EQ(0, kfd_sdma_destroy(&q[i]));
}

/* B028: 1,000 rounds of one queue, one job; the slot's old doorbell value never counts. */
TEST_F_TIMEOUT(kfd, b028_thousand_rounds, 300)
{
	struct kfd_event e;
	struct kfd_bo m;
	volatile uint64_t *count;
	unsigned int i, rounds = 1000 / kfd_time_scale();

	ASSERT_EQ(0, kfd_bo_gtt(&self->c, 4096, &m));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	count = (volatile uint64_t *)m.cpu;
	for (i = 0; i < rounds; i++) {
		struct kfd_sdma q;
		uint32_t w[8], result;

		ASSERT_EQ(0, kfd_sdma_create_size(&self->c, &q, 4096));
		ASSERT_EQ(0, kfd_sdma_rptr(&q));
		kfd_sdma_put(&q, w, pkt_atomic_add(w, (void *)count, 1));
		kfd_sdma_signal(&q, &e);
		ASSERT_EQ(i, *count);
		kfd_sdma_ring(&q);
		ASSERT_EQ(0, kfd_event_wait(&self->c, &e, KFD_TIMEOUT_MS, &result));
		ASSERT_EQ(0, result);
		ASSERT_EQ(i + 1, *count);
		ASSERT_EQ(0, kfd_sdma_destroy(&q));
	}
}

/* @rounds queues at the same ring and slot, one job each; 0 if each ran once and not early. */
static int one_job_a_queue(unsigned int rounds)
{
	struct kfd_ioctl_create_queue_args args;
	struct kfd_sdma q = { 0 };
	struct kfd_client c;
	struct kfd_event e;
	struct kfd_bo m;
	uint32_t w[8], result;
	unsigned int i;

	if (kfd_client_init(&c, 0) || kfd_bo_gtt(&c, 4096, &m) || kfd_event_create(&c, &e) ||
	    kfd_sdma_create_size(&c, &q, 4096) || destroy_id(&c, q.id))
		return 1;
	for (i = 0; i < rounds; i++) {
		volatile uint64_t *count = (volatile uint64_t *)m.cpu;

		memset(q.ptrs.cpu, 0, 4096);
		args = good_args(&c, &q.ring, &q.ptrs);
		if (create_raw(&c, &args))
			return 2;
		q.wptr = 0;
		q.doorbell = (volatile uint64_t *)(c.doorbells + (args.doorbell_offset &
								  (KFD_DOORBELL_SLICE - 1)));
		kfd_sdma_put(&q, w, pkt_atomic_add(w, m.cpu, 1));
		kfd_sdma_signal(&q, &e);
		if (*count != i)
			return 3;
		kfd_sdma_ring(&q);
		if (kfd_event_wait(&c, &e, KFD_TIMEOUT_MS, &result) || result)
			return 4;
		if (*count != i + 1)
			return 5;
		if (destroy_id(&c, args.queue_id))
			return 6;
	}
	return 0;
}

/* B028: the same 10,000 times, by as many processes as there are slots, or VMIDs. */
TEST_F_TIMEOUT(kfd, b028_parallel_rounds, 480)
{
	unsigned int rounds = kfd_time_scale() > 1 ? 800 : 10000;
	unsigned int i, n = self->c.sdma_queues * self->c.sdma_engines;
	pid_t pid[8];

	/* A process needs a VMID as well, and there are eight. */
	if (n > ARRAY_SIZE(pid))
		n = ARRAY_SIZE(pid);
	TH_LOG("%u rounds in %u processes", rounds, n);
	for (i = 0; i < n; i++) {
		pid[i] = fork();
		if (!pid[i])
			_exit(one_job_a_queue(rounds / n));
	}
	for (i = 0; i < n; i++) {
		int status = -1;

		ASSERT_EQ(pid[i], waitpid(pid[i], &status, 0));
		EXPECT_EQ(0, status) TH_LOG("process %u", i);
	}
}

static int map_errno(int fd, uint64_t offset, size_t len, int flags)
{
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE, flags, fd, offset);

	if (p == MAP_FAILED)
		return -errno;
	munmap(p, len);
	return 0;
}

/* B034: only one's own whole slice of an acquired device maps, shared; a child inherits nothing. */
TEST_F(kfd, b034_doorbell_mmap)
{
	uint64_t base;
	struct kfd_sdma q;
	int status;
	pid_t pid;

	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	base = q.doorbell_offset & ~(uint64_t)(KFD_DOORBELL_SLICE - 1);
	EXPECT_EQ(0, map_errno(self->c.fd, base, 8192, MAP_SHARED));
	EXPECT_EQ(-EINVAL, map_errno(self->c.fd, base, 4096, MAP_SHARED));
	EXPECT_EQ(-EINVAL, map_errno(self->c.fd, base, 16384, MAP_SHARED));
	EXPECT_EQ(-EINVAL, map_errno(self->c.fd, base, 8192, MAP_PRIVATE));
	EXPECT_GT(0, map_errno(self->c.fd, base + 4096, 8192, MAP_SHARED));
	EXPECT_EQ(-ENODEV, map_errno(self->c.fd, (base & ~(0xffffull << 46)) | 1ull << 46, 8192,
				     MAP_SHARED));
	pid = fork();
	if (!pid) {
		/* A borrowed descriptor, and no context of one's own. */
		if (map_errno(self->c.fd, base, 8192, MAP_SHARED) != -EINVAL)
			_exit(1);
		signal(SIGSEGV, SIG_DFL);
		*q.doorbell = 0xdead;	/* not inherited: SIGSEGV */
		_exit(2);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
}

/*
 * B034: a process that has a context of its own maps its own slice through whatever
 * descriptor, never the slice of the descriptor's opener.
 */
TEST_F(kfd, b034_borrowed_descriptor)
{
	struct kfd_sdma q;
	int status;
	pid_t pid;

	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	pid = fork();
	if (!pid) {
		uint64_t base = q.doorbell_offset & ~(uint64_t)(KFD_DOORBELL_SLICE - 1);
		unsigned int slot = q.doorbell_offset & (KFD_DOORBELL_SLICE - 1);
		struct kfd_client mine;
		struct kfd_sdma own;
		uint8_t *p;

		if (kfd_client_init(&mine, 0) || kfd_sdma_create(&mine, &own))
			_exit(1);
		p = mmap(NULL, KFD_DOORBELL_SLICE, PROT_READ | PROT_WRITE, MAP_SHARED,
			 self->c.fd, base);
		if (p == MAP_FAILED)
			_exit(errno == EINVAL ? 0 : 2);
		/* It is our slice: nothing that we ring reaches the parent's queue. */
		*(volatile uint64_t *)(p + slot) = 4096;
		usleep(20000);
		_exit(0);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, kfd_sdma_rptr(&q));
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
}

/* Two queues of one process run independently; doorbell after idle (cold) and in a row (hot). */
TEST_F_TIMEOUT(kfd, cold_and_hot_doorbells, 120)
{
	struct kfd_event e;
	struct kfd_sdma q[2];
	struct kfd_bo m;
	unsigned int i;

	ASSERT_EQ(0, kfd_bo_gtt(&self->c, 4096, &m));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, kfd_sdma_create(&self->c, &q[i]));
	for (i = 0; i < 400; i++) {
		struct kfd_sdma *s = &q[i & 1];
		uint32_t w[8], result;

		if (i % 20 == 0)
			usleep(50000);
		kfd_sdma_put(s, w, pkt_atomic_add(w, m.cpu, 1));
		kfd_sdma_signal(s, &e);
		kfd_sdma_ring(s);
		ASSERT_EQ(0, kfd_event_wait(&self->c, &e, KFD_TIMEOUT_MS, &result));
		ASSERT_EQ(0, result);
	}
	EXPECT_EQ(400, *(volatile uint64_t *)m.cpu);
}

static int update(struct kfd_client *c, uint32_t id, uint64_t base, uint64_t size, uint32_t pct)
{
	struct kfd_ioctl_update_queue_args u = {
		.ring_base_address = base,
		.queue_id = id,
		.ring_size = size,
		.queue_percentage = pct,
		.queue_priority = 7,
	};

	return kfd_ioctl(c->fd, AMDKFD_IOC_UPDATE_QUEUE, &u);
}

/* B061, B062: percentage 0 suspends; what is rung meanwhile runs once after resume. */
TEST_F(kfd, suspend_and_resume)
{
	struct kfd_event e;
	struct kfd_sdma q;
	struct kfd_bo m;
	uint32_t w[8], result;
	volatile uint64_t *count;
	unsigned int i;

	ASSERT_EQ(0, kfd_bo_gtt(&self->c, 4096, &m));
	count = (volatile uint64_t *)m.cpu;
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	ASSERT_EQ(0, update(&self->c, q.id, (uintptr_t)q.ring.cpu, q.ring.size, 0));
	for (i = 0; i < 3; i++) {
		kfd_sdma_put(&q, w, pkt_atomic_add(w, m.cpu, 1));
		kfd_sdma_ring(&q);
	}
	usleep(20000);
	EXPECT_EQ(0, *count);
	ASSERT_EQ(0, update(&self->c, q.id, (uintptr_t)q.ring.cpu, q.ring.size, 100));
	kfd_sdma_signal(&q, &e);
	kfd_sdma_ring(&q);
	ASSERT_EQ(0, kfd_event_wait(&self->c, &e, KFD_TIMEOUT_MS, &result));
	EXPECT_EQ(0, result);
	EXPECT_EQ(3, *count);
	EXPECT_EQ(-EINVAL, update(&self->c, q.id, (uintptr_t)q.ring.cpu, 1000, 100));
	EXPECT_EQ(-EINVAL, update(&self->c, q.id, (uintptr_t)q.ring.cpu, q.ring.size, 101));
	EXPECT_EQ(-EINVAL, update(&self->c, 77, (uintptr_t)q.ring.cpu, q.ring.size, 100));
}

/* Writes "VERB PID QUEUE" into the driver's queues file. */
static int debug_command(const char *verb, uint32_t id)
{
	char text[64];
	glob_t g;
	int fd, n, r = -ENOENT;

	if (glob("/sys/kernel/debug/carillon/*:*:*/queues", 0, NULL, &g))
		return -ENOENT;
	fd = open(g.gl_pathv[0], O_WRONLY | O_CLOEXEC);
	globfree(&g);
	if (fd < 0)
		return -errno;
	n = snprintf(text, sizeof(text), "%s %d %u", verb, getpid(), id);
	r = write(fd, text, n) == n ? 0 : -errno;
	close(fd);
	return r;
}

/* The last word of the queue's row in that file, "" if it has none. */
static const char *debug_state(uint32_t id)
{
	static char line[256];
	unsigned int pid, queue;
	char *state = "";
	glob_t g;
	FILE *f;

	if (glob("/sys/kernel/debug/carillon/*:*:*/queues", 0, NULL, &g))
		return state;
	f = fopen(g.gl_pathv[0], "r");
	globfree(&g);
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%u %u", &pid, &queue) != 2 || pid != getpid() || queue != id)
			continue;
		line[strcspn(line, "\n")] = 0;
		state = strrchr(line, ' ') + 1;
		break;
	}
	if (f)
		fclose(f);
	return state;
}

/* The same once the process's user pages are back. */
static const char *state_with_user_pages(uint32_t id)
{
	unsigned int tries = 1000 * kfd_time_scale();
	const char *state = debug_state(id);

	while (!strcmp(state, "stopped-userptr") && tries--) {
		usleep(10000);
		state = debug_state(id);
	}
	return state;
}

static int rerun(struct kfd_client *c, struct kfd_sdma *q, bool run)
{
	return update(c, q->id, (uintptr_t)q->ring.cpu, q->ring.size, run ? 100 : 0);
}

/* Every reason counts for itself: the queue runs when the last one of all has gone. */
TEST_F(kfd, stops_nest)
{
	struct kfd_event e;
	struct kfd_sdma q;
	struct kfd_bo m, user;
	uint32_t w[8], result;
	volatile uint64_t *count;
	unsigned int order;

	if (strcmp(debug_state(0), ""))
		SKIP(return, "queues of somebody else");
	ASSERT_EQ(0, kfd_bo_gtt(&self->c, 4096, &m));
	ASSERT_EQ(0, kfd_bo_user(&self->c, MIB, &user));
	count = (volatile uint64_t *)m.cpu;
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	for (order = 0; order < 4; order++) {
		uint64_t before = *count;

		/* Debug twice, the owner once, and user pages that go and come back under both. */
		ASSERT_EQ(0, debug_command("stop", q.id));
		ASSERT_EQ(0, rerun(&self->c, &q, false));
		ASSERT_EQ(0, debug_command("stop", q.id));
		memset(user.cpu, order, MIB);
		ASSERT_EQ(0, madvise(user.cpu, MIB, MADV_DONTNEED));
		kfd_sdma_put(&q, w, pkt_atomic_add(w, m.cpu, 1));
		kfd_sdma_put(&q, w, pkt_copy(w, m.cpu + 64, user.cpu, 64));
		kfd_sdma_signal(&q, &e);
		kfd_sdma_ring(&q);
		user.cpu[0] = 0x70 + order;
		ASSERT_EQ(0, debug_command("start", q.id));
		if (order & 1) {
			ASSERT_EQ(0, rerun(&self->c, &q, true));
			ASSERT_EQ(0, madvise(user.cpu + 4096, 4096, MADV_DONTNEED));
		} else {
			ASSERT_EQ(0, debug_command("start", q.id));
			EXPECT_EQ(-EINVAL, debug_command("start", q.id));
		}
		/* One reason is left, whatever restored user pages in between. */
		ASSERT_EQ(0, kfd_event_wait(&self->c, &e, 200, &result));
		EXPECT_EQ(KFD_IOC_WAIT_RESULT_TIMEOUT, result);
		EXPECT_EQ(before, *count);
		EXPECT_STREQ(order & 1 ? "stopped-debug" : "stopped-suspended",
			     state_with_user_pages(q.id));
		ASSERT_EQ(0, order & 1 ? debug_command("start", q.id) :
					 rerun(&self->c, &q, true));
		ASSERT_EQ(0, kfd_event_wait(&self->c, &e, KFD_TIMEOUT_MS, &result));
		EXPECT_EQ(KFD_IOC_WAIT_RESULT_COMPLETE, result);
		EXPECT_EQ(before + 1, *count);
		EXPECT_EQ(0x70 + order, m.cpu[64]);
	}
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
}

KFD_COUNTS_TEST

/* B062: the page of its pointers is not mapped when a queue goes on: it stops, and it alone. */
TEST_F(kfd, b062_pointers_unmapped)
{
	unsigned int tries = 1000 * kfd_time_scale();
	struct kfd_sdma q, good;
	struct kfd_event e;
	struct kfd_bo m;
	uint32_t w[8];

	ASSERT_EQ(0, kfd_bo_gtt(&self->c, 8192, &m));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &good));
	ASSERT_EQ(0, rerun(&self->c, &q, false));
	kfd_sdma_put(&q, w, pkt_atomic_add(w, m.cpu, 1));
	kfd_sdma_ring(&q);
	ASSERT_EQ(0, kfd_unmap(&self->c, q.ptrs.handle));
	ASSERT_EQ(0, rerun(&self->c, &q, true));
	while (strncmp(debug_state(q.id), "fault", 5) && tries--)
		usleep(10000);
	EXPECT_EQ(0, strncmp(debug_state(q.id), "fault", 5)) TH_LOG("%s", debug_state(q.id));
	memset(m.cpu, 0x62, 4096);
	ASSERT_EQ(0, kfd_sdma_copy_wait(&good, &e, m.cpu + 4096, m.cpu, 4096));
	EXPECT_EQ(0, memcmp(m.cpu, m.cpu + 4096, 4096));
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
	EXPECT_EQ(0, kfd_sdma_destroy(&good));
}

TEST_HARNESS_MAIN
