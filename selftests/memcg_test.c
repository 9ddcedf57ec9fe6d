// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process in a memory cgroup that is too small for it: what it makes the driver
 * and the virtual GPU allocate is charged to it and refused in the end; its data stay
 * right up to there, others notice nothing, and all of it comes back (S0.61).
 *
 * The kernel kills a process of a full cgroup for its page tables and the like.  So the
 * children touch before the limit is reached what they need after it.
 *
 * vm: timeout=600
 */
#include "kfd_harness.h"

#include "cgroup.h"
#include <ftw.h>
#include <glob.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define PAGE	4096ul
#define MIB	(1ul << 20)
#define LIMIT	(48 * MIB)
#define SIZE	(128 * MIB)
#define FILL	0x5a17c0deu

/* Slack of the kernel's charging: a batch of 64 pages on each processor, and stacks. */
#define SLACK	(2 * MIB)

/**
 * struct shared - what a child tells, in memory that it need not allocate for
 * @stage: 1: at the limit; 2: the limit has been lifted
 * @done: bytes, or objects
 * @ret: 0, or what went wrong
 */
struct shared {
	int stage;
	uint64_t done;
	int ret;
};

FIXTURE(memcg) {
	struct cgroup group;
	struct shared *shared;
	pid_t child;
};

FIXTURE_SETUP(memcg)
{
	int ret;

	if (access("/dev/kfd", F_OK))
		SKIP(return, "no /dev/kfd");
	ret = cgroup_begin(&self->group, "cgroup2", NULL, "+memory");
	if (ret)
		SKIP(return, "no memory controller: %s", strerror(-ret));
	self->shared = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->shared);
	memset(self->shared, 0, sizeof(*self->shared));
}

FIXTURE_TEARDOWN(memcg)
{
	if (self->child > 0) {
		kill(self->child, SIGKILL);
		waitpid(self->child, NULL, 0);
	}
	cgroup_end(&self->group);
}

static void limit_set(const struct cgroup *g, unsigned long bytes)
{
	char text[24];

	snprintf(text, sizeof(text), "%lu", bytes);
	cgroup_write(g, "memory.max", bytes ? text : "max");
}

/* Run @fn in a child in the group; it begins when it is in. */
static int child_start(FIXTURE_DATA(memcg) *self, void (*fn)(struct shared *shared))
{
	int go[2], ret;
	char byte;

	if (pipe(go))
		return -errno;
	self->child = fork();
	if (!self->child) {
		close(go[1]);
		if (read(go[0], &byte, 1) != 1)
			_exit(1);
		close(go[0]);
		fn(self->shared);
		_exit(self->shared->ret ? 2 : 0);
	}
	close(go[0]);
	ret = cgroup_add(&self->group, self->child);
	if (!ret && write(go[1], "x", 1) != 1)
		ret = -EIO;
	close(go[1]);
	return ret;
}

static int stage_of(struct shared *shared)
{
	return __atomic_load_n(&shared->stage, __ATOMIC_ACQUIRE);
}

static void stage_set(struct shared *shared, int stage)
{
	__atomic_store_n(&shared->stage, stage, __ATOMIC_RELEASE);
}

/* Bounded; the child may end instead. */
static bool stage_wait(struct shared *shared, int stage, pid_t child)
{
	unsigned int i;

	for (i = 0; i < 12000 * kfd_time_scale() && stage_of(shared) < stage; i++) {
		siginfo_t info = { 0 };

		if (child && (waitid(P_PID, child, &info, WEXITED | WNOHANG | WNOWAIT) ||
			      info.si_pid))
			break;
		usleep(10000);
	}
	return stage_of(shared) >= stage;
}

/* The child's exit status, or minus the signal that killed it. */
static int child_end(FIXTURE_DATA(memcg) *self)
{
	int status;

	if (waitpid(self->child, &status, 0) != self->child)
		return -1000;
	self->child = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* Charges that outlive the child are a leak. */
static bool group_is_empty(const struct cgroup *g)
{
	unsigned int i;

	for (i = 0; i < 1000 * kfd_time_scale(); i++) {
		if (cgroup_read(g, "memory.current") < (long long)SLACK)
			return true;
		usleep(10000);
	}
	printf("# still charged: %lld\n", cgroup_read(g, "memory.current"));
	return false;
}

/* Somebody outside of the group works as ever. */
static int others_work(void)
{
	struct kfd_client c;
	struct kfd_event e;
	struct kfd_sdma q;
	struct kfd_bo a, b;
	int ret = kfd_client_init(&c, 0);

	if (!ret)
		ret = kfd_bo_user(&c, MIB, &a);
	if (!ret)
		ret = kfd_bo_vram(&c, MIB, &b);
	if (!ret)
		ret = kfd_event_create(&c, &e);
	if (!ret)
		ret = kfd_sdma_create(&c, &q);
	if (ret)
		return ret;
	memset(a.cpu, 0x42, MIB);
	ret = kfd_sdma_copy_wait(&q, &e, b.cpu, a.cpu, MIB);
	if (!ret && memcmp(a.cpu, b.cpu, MIB))
		ret = -EIO;
	kfd_client_close(&c);
	return ret;
}

/* In a process of its own: the test's must have no context. */
static int others_work_in_child(void)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(others_work() ? 1 : 0);
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static sigjmp_buf bus_error;

static void on_sigbus(int sig)
{
	siglongjmp(bus_error, 1);
}

/* Store to each page; false if there is no memory for one, which is left at @done. */
static bool store_pages(volatile uint8_t *p, unsigned long size, unsigned long step,
			volatile uint64_t *done)
{
	unsigned long at;

	if (sigsetjmp(bus_error, 1))
		return false;
	for (at = 0; at < size; at += step) {
		*done = at;
		*(volatile uint64_t *)(p + at) = FILL + at / PAGE;
	}
	*done = size;
	return true;
}

static void fill_by_cpu(struct shared *shared)
{
	volatile uint64_t ignored;
	struct kfd_client c;
	struct kfd_bo v;
	unsigned long at;

	signal(SIGBUS, on_sigbus);
	/* Pages that handling a signal takes. */
	if (!sigsetjmp(bus_error, 1))
		raise(SIGBUS);
	shared->ret = kfd_client_init(&c, 0);
	if (!shared->ret)
		shared->ret = kfd_bo_vram(&c, SIZE, &v);
	/* Page tables first. */
	if (!shared->ret && !store_pages(v.cpu, SIZE, 2 * MIB, &ignored))
		shared->ret = -ENOSPC;
	if (shared->ret)
		return;
	store_pages(v.cpu, SIZE, PAGE, &shared->done);
	for (at = 0; at < shared->done; at += PAGE)
		if (*(volatile uint64_t *)(v.cpu + at) != FILL + at / PAGE)
			shared->ret = -EIO;
	stage_set(shared, 1);
	stage_wait(shared, 2, 0);
}

/* VRAM that the CPU fills: SIGBUS at the limit. */
TEST_F_TIMEOUT(memcg, vram_by_cpu, 300)
{
	limit_set(&self->group, LIMIT);
	ASSERT_EQ(0, child_start(self, fill_by_cpu));
	ASSERT_TRUE(stage_wait(self->shared, 1, self->child));
	EXPECT_EQ(0, self->shared->ret);
	EXPECT_LT(LIMIT / 4, self->shared->done);
	EXPECT_GT(LIMIT, self->shared->done);
	EXPECT_LT(self->shared->done, cgroup_read(&self->group, "memory.current") + SLACK);
	EXPECT_EQ(0, others_work_in_child());
	stage_set(self->shared, 2);
	EXPECT_EQ(0, child_end(self));
	EXPECT_TRUE(group_is_empty(&self->group));
}

/**
 * struct engine - a queue that fills a buffer
 * @c: client
 * @q: queue
 * @v: the buffer
 * @cells: a page that the fences go to
 * @fault: event of type MEMORY
 * @thread: waits for it from before the group is full: waiting takes memory, too
 * @faulted: it came
 */
struct engine {
	struct kfd_client c;
	struct kfd_sdma q;
	struct kfd_bo v, cells;
	struct kfd_event fault;
	pthread_t thread;
	bool faulted;
};

static void *wait_for_fault(void *arg)
{
	struct engine *e = arg;
	uint32_t result = KFD_IOC_WAIT_RESULT_FAIL;

	if (!kfd_event_wait(&e->c, &e->fault, 300000 * kfd_time_scale(), &result) &&
	    result == KFD_IOC_WAIT_RESULT_COMPLETE)
		__atomic_store_n(&e->faulted, true, __ATOMIC_RELEASE);
	return NULL;
}

/* A fill and a fence for each MiB; bytes that were done when the queue had stopped. */
static uint64_t engine_fill(struct engine *e)
{
	volatile uint32_t *fence = (uint32_t *)e->cells.cpu;
	unsigned int i, n = e->v.size / MIB;
	uint32_t w[16];

	for (i = 0; i < n; i++) {
		kfd_sdma_put(&e->q, w, pkt_fill(w, e->v.cpu + i * MIB, FILL, MIB));
		kfd_sdma_put(&e->q, w, pkt_fence(w, (void *)fence, i + 1));
	}
	kfd_sdma_ring(&e->q);
	for (i = 0; i < 12000 * kfd_time_scale() && *fence < n; i++) {
		if (__atomic_load_n(&e->faulted, __ATOMIC_ACQUIRE))
			break;
		usleep(10000);
	}
	return *fence * MIB;
}

static int engine_open(struct engine *e, uint64_t size)
{
	int ret;

	memset(e, 0, sizeof(*e));
	ret = kfd_client_init(&e->c, 0);
	if (!ret)
		ret = kfd_bo_gtt(&e->c, PAGE, &e->cells);
	if (!ret)
		ret = kfd_bo_vram(&e->c, size, &e->v);
	if (!ret)
		ret = kfd_event_create_type(&e->c, KFD_IOC_EVENT_MEMORY, false, &e->fault);
	if (!ret)
		ret = kfd_sdma_create_size(&e->c, &e->q, 65536);
	if (!ret)
		ret = -pthread_create(&e->thread, NULL, wait_for_fault, e);
	if (ret)
		return ret;
	/* What ringing and the ring itself take. */
	memset(e->q.ring.cpu, 0, e->q.ring.size);
	*(volatile uint32_t *)e->cells.cpu = 0;
	*e->q.doorbell = 0;
	return 0;
}

static bool all_fill(const uint8_t *p, uint64_t size)
{
	const uint32_t *w = (const uint32_t *)p;
	uint64_t i;

	for (i = 0; i < size / 4; i++)
		if (w[i] != FILL)
			return false;
	return true;
}

static void fill_by_engine(struct shared *shared)
{
	struct engine e;

	shared->ret = engine_open(&e, SIZE);
	if (shared->ret)
		return;
	shared->done = engine_fill(&e);
	stage_set(shared, 1);
	stage_wait(shared, 2, 0);
	if (!e.faulted || !all_fill(e.v.cpu, shared->done))
		shared->ret = -EIO;
}

/* VRAM that an engine fills: the queue faults at the limit, what it had done is right. */
TEST_F_TIMEOUT(memcg, vram_by_engine, 300)
{
	limit_set(&self->group, LIMIT);
	ASSERT_EQ(0, child_start(self, fill_by_engine));
	ASSERT_TRUE(stage_wait(self->shared, 1, self->child));
	EXPECT_EQ(0, self->shared->ret);
	EXPECT_LT(LIMIT / 4, self->shared->done);
	EXPECT_GT(LIMIT, self->shared->done);
	EXPECT_LT(self->shared->done, cgroup_read(&self->group, "memory.current") + SLACK);
	EXPECT_EQ(0, others_work_in_child());
	limit_set(&self->group, 0);
	stage_set(self->shared, 2);
	EXPECT_EQ(0, child_end(self));
	EXPECT_TRUE(group_is_empty(&self->group));
}

static unsigned long read_bytes;

static int read_file(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	static char buf[65536];
	ssize_t n;
	int fd;

	if (flag != FTW_F || !S_ISREG(st->st_mode))
		return 0;
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return 0;
	while (read_bytes < 2 * LIMIT && (n = read(fd, buf, sizeof(buf))) > 0)
		read_bytes += n;
	close(fd);
	return read_bytes >= 2 * LIMIT;
}

/* Half of the limit, in a group that is full of file contents. */
static void fill_beside_files(struct shared *shared)
{
	struct engine e;

	shared->ret = engine_open(&e, LIMIT / 2);
	if (!shared->ret)
		nftw("/usr/lib", read_file, 16, FTW_PHYS);
	stage_set(shared, 1);
	stage_wait(shared, 2, 0);
	if (shared->ret)
		return;
	shared->done = engine_fill(&e);
	if (e.faulted || !all_fill(e.v.cpu, shared->done))
		shared->ret = -EIO;
}

/* A group is full most of the time, of what can be had back: that is no reason to fault. */
TEST_F_TIMEOUT(memcg, reclaimable_memory_is_reclaimed, 300)
{
	long long before;

	limit_set(&self->group, LIMIT);
	ASSERT_EQ(0, child_start(self, fill_beside_files));
	ASSERT_TRUE(stage_wait(self->shared, 1, self->child));
	before = cgroup_read(&self->group, "memory.current");
	stage_set(self->shared, 2);
	EXPECT_EQ(0, child_end(self));
	if (before < (long long)(LIMIT - 4 * MIB))
		SKIP(return, "file contents do not count here: %lld bytes", before);
	EXPECT_EQ(0, self->shared->ret);
	EXPECT_EQ(LIMIT / 2, self->shared->done);
}

static void gtt_until_refused(struct shared *shared)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args a;
	struct kfd_client c;
	void *va = kfd_va_reserve(MIB);

	shared->ret = kfd_client_init(&c, 0);
	if (shared->ret)
		return;
	do {
		a = (struct kfd_ioctl_alloc_memory_of_gpu_args){
			.va_addr = (uintptr_t)va, .size = MIB, .gpu_id = c.gpu_id,
			.flags = KFD_IOC_ALLOC_MEM_FLAGS_GTT,
		};
		shared->ret = kfd_ioctl(c.fd, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &a);
		shared->done += !shared->ret;
	} while (!shared->ret && shared->done < 4096);
	stage_set(shared, 1);
	stage_wait(shared, 2, 0);
}

static void events_until_refused(struct shared *shared)
{
	struct kfd_client c;

	shared->ret = kfd_client_init(&c, 0);
	while (!shared->ret && shared->done < 2000000) {
		struct kfd_ioctl_create_event_args e = { .event_type = KFD_IOC_EVENT_MEMORY };

		shared->ret = kfd_ioctl(c.fd, AMDKFD_IOC_CREATE_EVENT, &e);
		shared->done += !shared->ret;
	}
	stage_set(shared, 1);
	stage_wait(shared, 2, 0);
}

/* Small buffers, so that it is their records that fill the group. */
static void records_until_refused(struct shared *shared)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args a;
	struct kfd_client c;

	shared->ret = kfd_client_init(&c, 0);
	while (!shared->ret && shared->done < 2000000) {
		a = (struct kfd_ioctl_alloc_memory_of_gpu_args){
			.size = PAGE, .gpu_id = c.gpu_id,
			.flags = KFD_IOC_ALLOC_MEM_FLAGS_VRAM,
		};
		shared->ret = kfd_ioctl(c.fd, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &a);
		shared->done += !shared->ret;
	}
	stage_set(shared, 1);
	stage_wait(shared, 2, 0);
}

static void refused(struct __test_metadata *_metadata, FIXTURE_DATA(memcg) *self,
		    void (*fn)(struct shared *shared), uint64_t least)
{
	limit_set(&self->group, 12 * MIB);
	ASSERT_EQ(0, child_start(self, fn));
	ASSERT_TRUE(stage_wait(self->shared, 1, self->child));
	EXPECT_EQ(-ENOMEM, self->shared->ret);
	EXPECT_LT(least, self->shared->done);
	EXPECT_EQ(0, others_work_in_child());
	stage_set(self->shared, 2);
	EXPECT_EQ(2, child_end(self));
	EXPECT_TRUE(group_is_empty(&self->group));
}

/* System memory of the driver's own. */
TEST_F_TIMEOUT(memcg, gtt_is_refused, 300)
{
	refused(_metadata, self, gtt_until_refused, 4);
}

/* Events that need no slot are limited by memory alone: ENOMEM, not the end of the process. */
TEST_F_TIMEOUT(memcg, events_are_refused, 300)
{
	refused(_metadata, self, events_until_refused, 1000);
}

TEST_F_TIMEOUT(memcg, records_are_refused, 300)
{
	refused(_metadata, self, records_until_refused, 1000);
}

/*
 * One event in 64 stays alive, and with it a node of the index, which is charged as
 * well.  So many, because fewer would not stand out from the batches that the kernel
 * charges in.
 */
#define NUM_SPARSE	2000

static void sparse_events(struct shared *shared)
{
	struct kfd_ioctl_create_event_args e = { .event_type = KFD_IOC_EVENT_MEMORY };
	unsigned int i, n = 64 * NUM_SPARSE;
	struct kfd_client c;

	shared->ret = kfd_client_init(&c, 0);
	stage_set(shared, 1);
	stage_wait(shared, 2, 0);
	for (i = 0; i < n && !shared->ret; i++) {
		struct kfd_ioctl_destroy_event_args d;

		shared->ret = kfd_ioctl(c.fd, AMDKFD_IOC_CREATE_EVENT, &e);
		d.event_id = e.event_id;
		if (i % 64 && !shared->ret)
			shared->ret = kfd_ioctl(c.fd, AMDKFD_IOC_DESTROY_EVENT, &d);
		e.event_page_offset = 0;
	}
	stage_set(shared, 3);
	stage_wait(shared, 4, 0);
}

TEST_F_TIMEOUT(memcg, index_nodes_are_charged, 300)
{
	long long before, after;

	if (kfd_time_scale() > 1)
		SKIP(return, "a quarter of a million calls take minutes on a debug kernel");
	limit_set(&self->group, LIMIT);
	ASSERT_EQ(0, child_start(self, sparse_events));
	ASSERT_TRUE(stage_wait(self->shared, 1, self->child));
	before = cgroup_read(&self->group, "memory.current");
	stage_set(self->shared, 2);
	ASSERT_TRUE(stage_wait(self->shared, 3, self->child));
	after = cgroup_read(&self->group, "memory.current");
	EXPECT_EQ(0, self->shared->ret);
	/* A node has 64 pointers, at least; the events themselves are not so large. */
	EXPECT_LT(before + NUM_SPARSE * 512, after);
	stage_set(self->shared, 4);
	EXPECT_EQ(0, child_end(self));
	EXPECT_TRUE(group_is_empty(&self->group));
}

static void hold_vram(struct shared *shared)
{
	struct kfd_client c;
	struct kfd_bo v;

	shared->ret = kfd_client_init(&c, 0);
	if (!shared->ret)
		shared->ret = kfd_bo_vram(&c, LIMIT / 2, &v);
	if (!shared->ret && !store_pages(v.cpu, LIMIT / 2, PAGE, &shared->done))
		shared->ret = -ENOSPC;
	stage_set(shared, 1);
	stage_wait(shared, 2, 0);
}

/* Tell the PCI driver about the first function of ours; its name is left in @name. */
static int driver_write(const char *file, char name[16])
{
	glob_t g;

	if (!name[0]) {
		if (glob("/sys/bus/pci/drivers/carillon/*:*:*.*", 0, NULL, &g))
			return -ENOENT;
		snprintf(name, 16, "%s", strrchr(g.gl_pathv[0], '/') + 1);
		globfree(&g);
	}
	return cgroup_write_at("/sys/bus/pci/drivers/carillon", file, name);
}

/* The driver lets go of the device: what stood behind VRAM is nobody's any more. */
TEST_F_TIMEOUT(memcg, memory_goes_with_the_device, 300)
{
	char name[16] = "";
	unsigned int i;

	ASSERT_EQ(0, child_start(self, hold_vram));
	ASSERT_TRUE(stage_wait(self->shared, 1, self->child));
	ASSERT_EQ(0, self->shared->ret);
	EXPECT_LE((long long)(LIMIT / 2), cgroup_read(&self->group, "memory.current"));
	ASSERT_EQ(0, driver_write("unbind", name));
	for (i = 0; i < 1000 * kfd_time_scale(); i++) {
		if (cgroup_read(&self->group, "memory.current") < (long long)(LIMIT / 4))
			break;
		usleep(10000);
	}
	EXPECT_GT((long long)(LIMIT / 4), cgroup_read(&self->group, "memory.current"));
	stage_set(self->shared, 2);
	EXPECT_EQ(0, child_end(self));
	ASSERT_EQ(0, driver_write("bind", name));
	EXPECT_EQ(0, others_work_in_child());
	EXPECT_TRUE(group_is_empty(&self->group));
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
