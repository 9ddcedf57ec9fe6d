// SPDX-License-Identifier: GPL-2.0-only
/*
 * The machine sleeps under clients and wakes up: queues go on where they were, nothing
 * runs twice, waits and memory are as before (S0.32, S0.36, S0.61; B017, B149 for rings that
 * were stopped).  Sleep is suspend to idle, cut short by pm_test, or real and ended by a
 * timer of kmod/nap.
 *
 * vm: modules="kmod/nap;carillon_vgpu;carillon" timeout=400
 */
#include "kfd_harness.h"

#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

#define MIB		(1ul << 20)
#define PM_TEST		"/sys/power/pm_test"
#define PM_STATE	"/sys/power/state"
#define PM_DELAY	"/sys/module/suspend/parameters/pm_test_delay"
#define WAKE		"/sys/module/nap/parameters/wake_ms"

/* To the idle loop, and back: called off as long as the timer was faster than the machine. */
static int sleep_really(void)
{
	unsigned int ms = 1000 * kfd_time_scale();
	char text[16];
	int ret;

	do {
		snprintf(text, sizeof(text), "%u", ms);
		ret = kfd_write_file(WAKE, text);
		if (!ret)
			ret = kfd_write_file(PM_STATE, "freeze");
		ms *= 2;
	} while (ret == -EBUSY && ms < 300000);
	kfd_write_file(WAKE, "0");
	return ret;
}

/* @level: devices (their suspend callbacks alone), platform (all but the idle loop), none. */
static int sleep_once(const char *level)
{
	int ret = kfd_write_file(PM_TEST, level);

	if (!strcmp(level, "none"))
		return ret ? ret : sleep_really();

	kfd_write_file(PM_DELAY, "1");
	if (!ret)
		ret = kfd_write_file(PM_STATE, "freeze");
	kfd_write_file(PM_TEST, "none");
	return ret;
}

static long long sleeps(void)
{
	long long n = -1;
	glob_t g;

	if (!glob("/sys/kernel/debug/carillon/*:*:*/power", 0, NULL, &g))
		n = kfd_prop(g.gl_pathv[0], "sleeps");
	globfree(&g);
	return n;
}

FIXTURE(sleep) {
	struct kfd_client c;
	long long before;
};

FIXTURE_SETUP(sleep)
{
	if (!kfd_baseline[0])
		SKIP(return, "no driver or no debugfs counts");
	if (access(PM_TEST, W_OK))
		SKIP(return, "this kernel has no pm_test");
	self->before = sleeps();
	ASSERT_EQ(0, kfd_client_init(&self->c, 0));
}

FIXTURE_TEARDOWN(sleep)
{
	kfd_client_close(&self->c);
}

static int wait_for(const uint64_t *cell, uint64_t value)
{
	unsigned int i;

	for (i = 0; i < KFD_TIMEOUT_MS; i++) {
		if (__atomic_load_n(cell, __ATOMIC_ACQUIRE) == value)
			return 0;
		usleep(1000);
	}
	return -ETIMEDOUT;
}

/*
 * A queue in the middle of its ring, waiting in a packet: what came before does not run
 * again, what comes after runs once, when the awaited value comes.
 */
static void queue_goes_on(struct __test_metadata *_metadata, struct _test_data_sleep *self,
			  const char *level)
{
	uint32_t w[16], result;
	struct kfd_event e;
	struct kfd_sdma q;
	struct kfd_bo m;
	uint64_t *cell;

	ASSERT_EQ(0, kfd_bo_gtt(&self->c, MIB, &m));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	cell = (uint64_t *)m.cpu;
	kfd_sdma_put(&q, w, pkt_atomic_add(w, &cell[0], 1));
	kfd_sdma_put(&q, w, pkt_poll_mem(w, &cell[8], 1, 1));
	kfd_sdma_put(&q, w, pkt_atomic_add(w, &cell[0], 1));
	kfd_sdma_signal(&q, &e);
	kfd_sdma_ring(&q);
	ASSERT_EQ(0, wait_for(&cell[0], 1));
	ASSERT_EQ(0, sleep_once(level));
	EXPECT_LE(self->before + 1, sleeps());
	EXPECT_EQ(1, cell[0]);
	__atomic_store_n(&cell[8], 1, __ATOMIC_RELEASE);
	ASSERT_EQ(0, kfd_event_wait(&self->c, &e, KFD_TIMEOUT_MS, &result));
	EXPECT_EQ(KFD_IOC_WAIT_RESULT_COMPLETE, result);
	EXPECT_EQ(2, cell[0]);
	EXPECT_EQ(0, kfd_sdma_idle(&q, KFD_TIMEOUT_MS));
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
}

TEST_F_TIMEOUT(sleep, queue_goes_on, 120)
{
	queue_goes_on(_metadata, self, "devices");
}

/* As above, with the PCI core's part: late and noirq callbacks, config space restored. */
TEST_F_TIMEOUT(sleep, queue_goes_on_platform, 120)
{
	queue_goes_on(_metadata, self, "platform");
}

TEST_F_TIMEOUT(sleep, queue_goes_on_really, 400)
{
	if (access(WAKE, W_OK))
		SKIP(return, "nothing would wake this machine up");
	queue_goes_on(_metadata, self, "none");
}

/* Memory of each kind keeps its bytes; a ring that is full of copies ends with the right ones. */
TEST_F_TIMEOUT(sleep, copies_end_right, 300)
{
	struct kfd_bo vram, gtt, user, back;
	uint32_t w[16], result;
	struct kfd_event e;
	struct kfd_sdma q;
	unsigned int i;

	ASSERT_EQ(0, kfd_bo_vram(&self->c, 8 * MIB, &vram));
	ASSERT_EQ(0, kfd_bo_gtt(&self->c, MIB, &gtt));
	ASSERT_EQ(0, kfd_bo_user(&self->c, MIB, &user));
	ASSERT_EQ(0, kfd_bo_user(&self->c, 8 * MIB, &back));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	for (i = 0; i < MIB; i++) {
		gtt.cpu[i] = i * 7;
		user.cpu[i] = i * 13 + 1;
	}
	for (i = 0; i < 8; i++)
		kfd_sdma_put(&q, w, pkt_copy(w, vram.cpu + i * MIB, i & 1 ? gtt.cpu : user.cpu,
					     MIB));
	for (i = 0; i < 8; i++)
		kfd_sdma_put(&q, w, pkt_copy(w, back.cpu + i * MIB, vram.cpu + i * MIB, MIB));
	kfd_sdma_signal(&q, &e);
	kfd_sdma_ring(&q);
	ASSERT_EQ(0, sleep_once("devices"));
	ASSERT_EQ(0, kfd_event_wait(&self->c, &e, KFD_TIMEOUT_MS, &result));
	EXPECT_EQ(KFD_IOC_WAIT_RESULT_COMPLETE, result);
	for (i = 0; i < 8; i++)
		EXPECT_EQ(0, memcmp(back.cpu + i * MIB, i & 1 ? gtt.cpu : user.cpu, MIB));
	/* The kernel's rings are back as well: a mapping goes through one. */
	EXPECT_EQ(0, kfd_unmap(&self->c, vram.handle));
	EXPECT_EQ(0, kfd_map(&self->c, vram.handle));
	EXPECT_EQ(0, kfd_sdma_copy_wait(&q, &e, vram.cpu, gtt.cpu, MIB));
	EXPECT_EQ(0, memcmp(vram.cpu, gtt.cpu, MIB));
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
}

static void *wait_for_event(void *data)
{
	void **arg = data;
	uint32_t result = ~0u;

	if (kfd_event_wait(arg[0], arg[1], ~0u, &result))
		return (void *)-1l;
	return (void *)(long)result;
}

/* A thread sleeps in WAIT_EVENTS across it, without end, and is woken by a trap afterwards. */
TEST_F_TIMEOUT(sleep, waiter_stays, 120)
{
	struct kfd_event e;
	void *arg[2] = { &self->c, &e }, *result;
	struct kfd_sdma q;
	pthread_t thread;

	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	ASSERT_EQ(0, pthread_create(&thread, NULL, wait_for_event, arg));
	while (kfd_count("waiters") < 1)
		usleep(1000);
	ASSERT_EQ(0, sleep_once("devices"));
	kfd_sdma_signal(&q, &e);
	kfd_sdma_ring(&q);
	ASSERT_EQ(0, pthread_join(thread, &result));
	EXPECT_EQ(KFD_IOC_WAIT_RESULT_COMPLETE, (long)result);
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
}

/* Verified copies until the pipe is closed. */
static int copy_until(int fd, unsigned char seed)
{
	struct kfd_bo a, b, v;
	struct kfd_client c;
	struct kfd_event e;
	struct kfd_sdma q;
	char byte;

	if (kfd_client_init(&c, 0) || kfd_bo_user(&c, MIB, &a) || kfd_bo_user(&c, MIB, &b) ||
	    kfd_bo_vram(&c, MIB, &v) || kfd_sdma_create(&c, &q) || kfd_event_create(&c, &e))
		return 1;
	while (read(fd, &byte, 1) < 0) {
		memset(a.cpu, seed++, MIB);
		if (kfd_sdma_copy_wait(&q, &e, v.cpu, a.cpu, MIB) ||
		    kfd_sdma_copy_wait(&q, &e, b.cpu, v.cpu, MIB))
			return 2;
		if (memcmp(a.cpu, b.cpu, MIB))
			return 3;
	}
	return 0;
}

/**
 * struct told - what a watcher reads after a sleep
 * @ns: when the queues were stopped, and came back
 * @pid: whose
 * @gpu: where
 * @why: reason of the stop
 * @flag: letter of the return
 */
struct told {
	unsigned long long ns[2];
	int pid[2];
	uint32_t gpu[2];
	int why;
	char flag;
};

static bool parse_told(const char *text, struct told *t)
{
	return sscanf(text, "9 %llu -%d %x %d\na %llu -%d %x %c\n", &t->ns[0], &t->pid[0],
		      &t->gpu[0], &t->why, &t->ns[1], &t->pid[1], &t->gpu[1], &t->flag) == 8;
}

/* Sleep stops queues for reason 3 and brings them back; the watcher reads it when all is over. */
TEST_F_TIMEOUT(sleep, told_to_smi_clients, 120)
{
	char text[512];
	struct told t;
	unsigned int i;
	int fd;

	fd = kfd_smi_open(&self->c, KFD_SMI_EVENT_MASK_FROM_INDEX(KFD_SMI_EVENT_QUEUE_EVICTION) |
				    KFD_SMI_EVENT_MASK_FROM_INDEX(KFD_SMI_EVENT_QUEUE_RESTORE));
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, sleep_once("devices"));
	memset(text, 0, sizeof(text));
	ASSERT_LT(0, read(fd, text, sizeof(text) - 1));
	ASSERT_TRUE(parse_told(text, &t)) TH_LOG("%s", text);
	EXPECT_EQ(KFD_QUEUE_EVICTION_TRIGGER_SUSPEND, t.why);
	EXPECT_EQ('0', t.flag);
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(getpid(), t.pid[i]);
		EXPECT_EQ(self->c.gpu_id, t.gpu[i]);
	}
	EXPECT_LE(t.ns[0], t.ns[1]);
	/* One of each. */
	EXPECT_EQ(-1, read(fd, text, sizeof(text)));
	EXPECT_EQ(EAGAIN, errno);
	close(fd);
}

/* Three processes at work, three sleeps; then all is as before. */
TEST_F_TIMEOUT(sleep, under_load, 300)
{
	int p[2], status, i;
	pid_t pid[3];

	ASSERT_EQ(0, pipe2(p, O_NONBLOCK));
	for (i = 0; i < 3; i++) {
		pid[i] = fork();
		if (!pid[i]) {
			close(p[1]);
			_exit(copy_until(p[0], i * 50));
		}
	}
	while (kfd_count("queues") < 3)
		usleep(1000);
	for (i = 0; i < 3; i++)
		EXPECT_EQ(0, sleep_once(i & 1 ? "platform" : "devices"));
	close(p[1]);
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(pid[i], waitpid(pid[i], &status, 0));
		EXPECT_EQ(0, status);
	}
	EXPECT_EQ(self->before + 3, sleeps());
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
