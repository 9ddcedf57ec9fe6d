// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls at the same time on the same things, things that go while they are in use,
 * and user memory of every kind (B020, B023, B029, B047, B154).
 *
 * vm: timeout=600
 */
#include "kfd_harness.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>

#define PAGE		4096ul
#define MIB		(1ul << 20)
#define GIB		(1ul << 30)
#define THREADS		4
#define ROUNDS		150

/**
 * struct race - what the threads of a test share
 * @c: client
 * @bo: one buffer for all
 * @stop: time to end
 * @bad: calls with a result that none of the orders explains
 * @last: one of them
 */
struct race {
	struct kfd_client *c;
	struct kfd_bo bo;
	uint32_t event;
	bool stop;
	unsigned int bad;
	int last;
};

static void expect_any(struct race *r, int ret, int a, int b, int c)
{
	if (ret && ret != a && ret != b && ret != c) {
		r->last = ret;
		__atomic_fetch_add(&r->bad, 1, __ATOMIC_RELAXED);
	}
}

static void run_threads(struct race *r, void *(*fn)(void *))
{
	pthread_t t[THREADS];
	unsigned int i;

	for (i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, fn, r);
	for (i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
}

static void *map_same(void *data)
{
	struct race *r = data;
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		expect_any(r, kfd_map(r->c, r->bo.handle), 0, 0, 0);
		expect_any(r, kfd_unmap(r->c, r->bo.handle), 0, 0, 0);
	}
	return NULL;
}

/* Four threads map and unmap one buffer: each call does or finds it done. */
TEST_F(kfd, map_one_buffer_from_all)
{
	struct race r = { .c = &self->c };

	ASSERT_EQ(0, kfd_bo_user(&self->c, 64 * PAGE, &r.bo));
	run_threads(&r, map_same);
	EXPECT_EQ(0, r.bad) TH_LOG("%d", r.last);
	ASSERT_EQ(0, kfd_bo_vram(&self->c, 4 * MIB, &r.bo));
	run_threads(&r, map_same);
	EXPECT_EQ(0, r.bad) TH_LOG("%d", r.last);
}

static void on_alarm(int sig)
{
}

/* B020: the same under a signal every 20 us; no call leaves anything locked. */
TEST_F(kfd, b020_map_under_signals)
{
	struct itimerval every = { { 0, 20 }, { 0, 20 } }, never = { { 0, 0 }, { 0, 0 } };
	struct sigaction act = { .sa_handler = on_alarm };
	struct race r = { .c = &self->c };

	ASSERT_EQ(0, kfd_bo_user(&self->c, 64 * PAGE, &r.bo));
	sigaction(SIGALRM, &act, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	run_threads(&r, map_same);
	setitimer(ITIMER_REAL, &never, NULL);
	EXPECT_EQ(0, r.bad) TH_LOG("%d", r.last);
	ASSERT_EQ(0, kfd_map(&self->c, r.bo.handle));
	ASSERT_EQ(0, kfd_bo_free(&self->c, &r.bo));
}

static void *queue_race(void *data)
{
	struct race *r = data;
	unsigned int i;

	for (i = 0; i < ROUNDS / 4; i++) {
		struct kfd_ioctl_create_queue_args a = {
			.ring_base_address = (uintptr_t)r->bo.cpu,
			.write_pointer_address = (uintptr_t)r->bo.cpu + 65536,
			.read_pointer_address = (uintptr_t)r->bo.cpu + 65544,
			.ring_size = 65536,
			.gpu_id = r->c->gpu_id,
			.queue_type = KFD_IOC_QUEUE_TYPE_SDMA,
			.queue_percentage = 100,
		};
		struct kfd_ioctl_destroy_queue_args d;

		if (kfd_ioctl(r->c->fd, AMDKFD_IOC_CREATE_QUEUE, &a) == 0) {
			d.queue_id = a.queue_id;
			expect_any(r, kfd_ioctl(r->c->fd, AMDKFD_IOC_DESTROY_QUEUE, &d),
				   -EINVAL, 0, 0);
		}
		/* Somebody else's, maybe. */
		d.queue_id = i % 4;
		expect_any(r, kfd_ioctl(r->c->fd, AMDKFD_IOC_DESTROY_QUEUE, &d), -EINVAL, 0, 0);
		madvise(r->bo.cpu + 32768, 4 * PAGE, MADV_DONTNEED);
	}
	return NULL;
}

/* Queues come and go in all threads while their ring moves in memory. */
TEST_F(kfd, queues_under_invalidation)
{
	struct race r = { .c = &self->c };

	ASSERT_EQ(0, kfd_bo_user(&self->c, 65536 + PAGE, &r.bo));
	run_threads(&r, queue_race);
	EXPECT_EQ(0, r.bad) TH_LOG("%d", r.last);
}

static void *event_race(void *data)
{
	struct race *r = data;
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		struct kfd_ioctl_create_event_args a = { .event_type = KFD_IOC_EVENT_SIGNAL,
							 .auto_reset = i & 1 };
		uint32_t ids[3], result, old, id[2] = { 0 };
		int ret;

		expect_any(r, kfd_ioctl(r->c->fd, AMDKFD_IOC_CREATE_EVENT, &a), 0, 0, 0);
		ids[0] = a.event_id;
		ids[1] = a.event_id;
		old = __atomic_exchange_n(&r->event, a.event_id, __ATOMIC_RELAXED);
		ids[2] = old;
		id[0] = a.event_id;
		expect_any(r, kfd_ioctl(r->c->fd, AMDKFD_IOC_SET_EVENT, id), -EINVAL, 0, 0);
		ret = kfd_events_wait(r->c, ids, old ? 3 : 2, i & 2, 3, &result);
		expect_any(r, ret, -EINVAL, -EIO, -ETIMEDOUT);
		id[0] = old;
		if (old)
			expect_any(r, kfd_ioctl(r->c->fd, AMDKFD_IOC_DESTROY_EVENT, id),
				   -EINVAL, 0, 0);
	}
	return NULL;
}

/* B047: events are destroyed under waits of other threads, ids come back at once. */
TEST_F(kfd, b047_events_from_all)
{
	struct race r = { .c = &self->c };

	run_threads(&r, event_race);
	EXPECT_EQ(0, r.bad) TH_LOG("%d", r.last);
}

static void *acquire_race(void *data)
{
	struct race *r = data;
	struct kfd_client other;
	unsigned int i;

	for (i = 0; i < 20; i++) {
		char path[64];
		struct kfd_ioctl_acquire_vm_args a = { .gpu_id = r->c->gpu_id };

		other = *r->c;
		snprintf(path, sizeof(path), "/dev/dri/renderD%u", r->c->minor);
		other.drm = open(path, O_RDWR | O_CLOEXEC);
		a.drm_fd = other.drm;
		expect_any(r, kfd_ioctl(r->c->fd, AMDKFD_IOC_ACQUIRE_VM, &a), -EBUSY, 0, 0);
		close(other.drm);
	}
	return NULL;
}

/* ACQUIRE_VM from all threads, each with a descriptor of its own: one wins. */
TEST(acquire_from_all)
{
	struct kfd_client c;
	struct race r = { .c = &c };

	if (access("/dev/kfd", F_OK))
		SKIP(return, "no /dev/kfd");
	ASSERT_EQ(0, kfd_client_open(&c, 0));
	run_threads(&r, acquire_race);
	EXPECT_EQ(0, r.bad) TH_LOG("%d", r.last);
	/* The winner's descriptor is closed, its address space is not. */
	EXPECT_EQ(0, kfd_bo_user(&c, PAGE, &r.bo));
	kfd_client_close(&c);
}

/* The render node is closed under mapped buffers and a queue: both live on. */
TEST_F(kfd, close_render_node)
{
	struct kfd_bo a, b;
	uint32_t w[8];
	struct kfd_event e;
	struct kfd_sdma q;

	ASSERT_EQ(0, kfd_bo_user(&self->c, MIB, &a));
	ASSERT_EQ(0, kfd_bo_vram(&self->c, MIB, &b));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	close(self->c.drm);
	self->c.drm = -1;
	memset(a.cpu, 0x77, MIB);
	EXPECT_EQ(0, kfd_sdma_copy_wait(&q, &e, b.cpu, a.cpu, MIB));
	EXPECT_EQ(0, memcmp(a.cpu, b.cpu, MIB));
	/* /dev/kfd goes while the engine copies and the CPU still maps the buffer. */
	kfd_sdma_put(&q, w, pkt_copy(w, b.cpu, a.cpu, MIB));
	kfd_sdma_ring(&q);
	close(self->c.fd);
	self->c.fd = -1;
	b.cpu[5] = 9;
	EXPECT_EQ(9, b.cpu[5]);
}

/* B029: doorbells unmapped and mapped anew, queue after queue. */
TEST_F(kfd, b029_doorbells_remapped)
{
	struct kfd_bo a, b;
	struct kfd_event e;
	unsigned int i;

	ASSERT_EQ(0, kfd_bo_user(&self->c, PAGE, &a));
	ASSERT_EQ(0, kfd_bo_vram(&self->c, PAGE, &b));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	for (i = 0; i < 20; i++) {
		struct kfd_sdma q;

		ASSERT_EQ(0, kfd_sdma_create_size(&self->c, &q, 65536));
		memset(a.cpu, i, PAGE);
		ASSERT_EQ(0, kfd_sdma_copy_wait(&q, &e, b.cpu, a.cpu, PAGE));
		ASSERT_EQ(0, memcmp(a.cpu, b.cpu, PAGE));
		ASSERT_EQ(0, munmap(self->c.doorbells, KFD_DOORBELL_SLICE));
		self->c.doorbells = NULL;
		ASSERT_EQ(0, kfd_sdma_destroy(&q));
	}
}

/* Doorbells of a process that ended are not shown to the next one (isolation). */
TEST(doorbells_are_fresh)
{
	unsigned int i, round;
	int status;

	if (access("/dev/kfd", F_OK))
		SKIP(return, "no /dev/kfd");
	/* The same slice is handed out again; each process leaves all of it full. */
	for (round = 0; round < 3; round++) {
		pid_t pid = fork();

		if (!pid) {
			struct kfd_client c;
			struct kfd_sdma q;

			if (kfd_client_init(&c, 0) || kfd_sdma_create_size(&c, &q, 65536))
				_exit(2);
			for (i = 0; i < KFD_DOORBELL_SLICE; i += 8)
				if (*(volatile uint64_t *)(c.doorbells + i))
					_exit(1);
			for (i = 0; i < KFD_DOORBELL_SLICE; i += 8)
				*(volatile uint64_t *)(c.doorbells + i) = 0x5ec2e700 + i;
			_exit(0);
		}
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		EXPECT_TRUE(WIFEXITED(status));
		EXPECT_EQ(0, WEXITSTATUS(status)) TH_LOG("round %u", round);
	}
}

/* GPU copy of @bytes at @p to VRAM and back is right. */
static int copies(struct kfd_client *c, struct kfd_sdma *q, struct kfd_event *e, uint8_t *p,
		  uint64_t bytes)
{
	struct kfd_bo user, vram;
	int ret = kfd_bo_user_at(c, p, bytes, &user);

	if (ret)
		return ret;
	ret = kfd_bo_vram(c, bytes, &vram);
	if (!ret) {
		memset(p, 0x3c, bytes);
		ret = kfd_sdma_copy_wait(q, e, vram.cpu, p, bytes);
		memset(p, 0, bytes);
		if (!ret)
			ret = kfd_sdma_copy_wait(q, e, p, vram.cpu, bytes);
		if (!ret && (p[0] != 0x3c || p[bytes / 2] != 0x3c || p[bytes - 1] != 0x3c))
			ret = -EIO;
		kfd_bo_free(c, &vram);
	}
	kfd_unmap(c, user.handle);
	return kfd_ioctl(c->fd, AMDKFD_IOC_FREE_MEMORY_OF_GPU,
			 &(struct kfd_ioctl_free_memory_of_gpu_args){ user.handle }) ?: ret;
}

/* Memory of every kind is user memory; what is none, is refused. */
TEST_F_TIMEOUT(kfd, b023_kinds_of_memory, 240)
{
	int flags = MAP_SHARED, memfd = memfd_create("a", 0), kfd = self->c.fd;
	struct kfd_bo gtt, no;
	struct kfd_event e;
	struct kfd_sdma q;
	uint8_t *p;
	FILE *file;

	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	ASSERT_EQ(0, ftruncate(memfd, MIB));
	p = mmap(NULL, MIB, PROT_READ | PROT_WRITE, flags, memfd, 0);
	EXPECT_EQ(0, copies(&self->c, &q, &e, p, MIB));
	/* The file shrinks under a registered mapping. */
	ASSERT_EQ(0, kfd_bo_user_at(&self->c, p, MIB, &no));
	ASSERT_EQ(0, ftruncate(memfd, PAGE));
	EXPECT_EQ(0, kfd_unmap(&self->c, no.handle));
	file = tmpfile();
	ASSERT_NE(NULL, file);
	ASSERT_EQ(0, ftruncate(fileno(file), MIB));
	p = mmap(NULL, MIB, PROT_READ | PROT_WRITE, flags, fileno(file), 0);
	EXPECT_EQ(0, copies(&self->c, &q, &e, p, MIB));
	p = kfd_va_reserve(8 * MIB);
	p = mmap(p, 8 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		 -1, 0);
	madvise(p, 8 * MIB, MADV_HUGEPAGE);
	EXPECT_EQ(0, copies(&self->c, &q, &e, p + 2 * MIB + PAGE, 4 * MIB));
	/* Not memory of the kernel's page allocator that the process may write. */
	ASSERT_EQ(0, kfd_bo_gtt(&self->c, MIB, &gtt));
	EXPECT_EQ(-EFAULT, kfd_bo_user_at(&self->c, gtt.cpu, MIB, &no));
	EXPECT_EQ(-EFAULT, kfd_bo_user_at(&self->c, self->c.doorbells, 2 * PAGE, &no));
	p = mmap(NULL, MIB, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	EXPECT_GT(0, kfd_bo_user_at(&self->c, p, MIB, &no));
	EXPECT_GT(0, kfd_bo_user_at(&self->c, p + 64 * MIB, MIB, &no));
	EXPECT_EQ(kfd, self->c.fd);
}

/* Registered memory moves away by mremap: the engine finds nothing, queues go on. */
TEST_F(kfd, mremap_registered)
{
	struct kfd_event e;
	struct kfd_sdma q;
	struct kfd_bo bo;
	unsigned int i;

	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	for (i = 0; i < 10; i++) {
		uint8_t *p = kfd_va_reserve(MIB), *to = kfd_va_reserve(MIB), *from;

		p = mmap(p, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
			 -1, 0);
		ASSERT_EQ(0, kfd_bo_user_at(&self->c, p, MIB, &bo));
		memset(p, i, MIB);
		from = p;
		p = mremap(p, MIB, MIB, MREMAP_MAYMOVE | MREMAP_FIXED, to);
		ASSERT_EQ(to, p);
		/* The GPU still has the old range: nothing else may get its addresses. */
		ASSERT_EQ(from, mmap(from, MIB, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS |
				     MAP_FIXED, -1, 0));
		ASSERT_EQ(0, copies(&self->c, &q, &e, p, MIB));
		ASSERT_EQ(0, kfd_unmap(&self->c, bo.handle));
		munmap(p, MIB);
	}
}

/* B023: sizes that no machine has: an error soon, nobody is killed for it. */
TEST_F(kfd, b023_huge_user_memory)
{
	static const uint64_t size[] = {
		16 * GIB, 256 * GIB, 500 * GIB, 1024 * GIB, 64 * 1024 * GIB,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(size); i++) {
		uint8_t *p = mmap(NULL, size[i], PROT_NONE,
				  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		struct kfd_bo bo;
		int ret;

		if (p == MAP_FAILED)
			continue;
		ret = kfd_bo_user_at(&self->c, p, size[i], &bo);
		EXPECT_TRUE(ret == -ENOMEM || ret == -EFAULT || ret == -EPERM)
			TH_LOG("%llu GiB: %d", (unsigned long long)size[i] / GIB, ret);
		munmap(p, size[i]);
	}
}

/* ---- rings that do not end ---- */

static unsigned int pkt_indirect(uint32_t *w, const void *ib, uint32_t dwords)
{
	memset(w, 0, 6 * sizeof(*w));
	w[0] = 4;
	w[1] = (uint32_t)(uintptr_t)ib;
	w[2] = (uintptr_t)ib >> 32;
	w[3] = dwords;
	return 6;
}

/* What never ends: number of dwords put at @w, for a buffer @ib that holds them. */
static unsigned int endless(unsigned int kind, uint32_t *w, const uint8_t *ib)
{
	unsigned int n;

	switch (kind) {
	case 0:		/* an indirect buffer that is itself */
		return pkt_indirect(w, ib, 8);
	case 1:
		return pkt_poll_mem(w, ib + 2048, 0x12345678, ~0u);
	case 2:		/* compare and swap until it fits */
		n = pkt_atomic_add(w, ib + 2048, 1);
		w[0] = 10 | 1 << 16 | 0x28 << 25;
		w[5] = 0x1234;
		w[7] = 0x1000;
		return n;
	default:	/* the longest fill, again and again */
		for (n = 0; n < 128;)
			n += pkt_fill(w + n, ib, kind, 2048);
		return n;
	}
}

/* DESTROY_QUEUE is bounded whatever the ring does, and a neighbour goes on meanwhile. */
TEST_F_TIMEOUT(kfd, b067_endless_rings, 300)
{
	struct kfd_bo ib, a, b;
	struct kfd_sdma good;
	struct kfd_event e;
	unsigned int kind;

	ASSERT_EQ(0, kfd_bo_user(&self->c, PAGE, &ib));
	ASSERT_EQ(0, kfd_bo_user(&self->c, MIB, &a));
	ASSERT_EQ(0, kfd_bo_vram(&self->c, MIB, &b));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &good));
	for (kind = 0; kind < 4; kind++) {
		uint32_t w[256] = { 0 };
		struct kfd_sdma bad[2];
		unsigned int i, k, n;

		memset(ib.cpu, 0, PAGE);
		n = endless(kind, w, ib.cpu);
		memcpy(ib.cpu, w, n * 4);
		/* One on each engine, so that the neighbour shares his. */
		for (k = 0; k < 2; k++) {
			ASSERT_EQ(0, kfd_sdma_create_size(&self->c, &bad[k], 65536));
			for (i = 0; i < 64; i++)
				kfd_sdma_put(&bad[k], w, kind ? n : pkt_indirect(w, ib.cpu, 8));
			kfd_sdma_ring(&bad[k]);
		}
		memset(a.cpu, 0x40 + kind, MIB);
		EXPECT_EQ(0, kfd_sdma_copy_wait(&good, &e, b.cpu, a.cpu, MIB))
			TH_LOG("kind %u", kind);
		EXPECT_EQ(0, memcmp(a.cpu, b.cpu, MIB));
		/* Bounded: a destroy without end is the harness's time-out. */
		EXPECT_EQ(0, kfd_sdma_destroy(&bad[0])) TH_LOG("kind %u", kind);
		EXPECT_EQ(0, kfd_sdma_destroy(&bad[1])) TH_LOG("kind %u", kind);
	}
	EXPECT_EQ(0, kfd_sdma_destroy(&good));
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
