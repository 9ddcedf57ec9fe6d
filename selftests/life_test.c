// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lives of descriptors, processes and events: opened ten thousand times, ended at bad
 * moments, told of every kind of fault, and what comes after them is not touched
 * (S0.61; B008, B014, B016, B017, B032, B040, B041, B044, B046, B049).
 *
 * LIFE_OPENS and LIFE_PROCESSES say how often; what was done is printed.
 *
 * vm: timeout=600
 */
#include "kfd_harness.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define MIB	(1ul << 20)

enum { COMPLETE = KFD_IOC_WAIT_RESULT_COMPLETE, TIMEOUT = KFD_IOC_WAIT_RESULT_TIMEOUT };

static unsigned int number(const char *name, unsigned int preset)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 10) : preset;
}

/* Less on a kernel that is slower. */
static unsigned int rounds(unsigned int n)
{
	return n / kfd_time_scale();
}

FIXTURE(life) {
};

FIXTURE_SETUP(life)
{
	if (!kfd_baseline[0])
		SKIP(return, "no driver or no debugfs counts");
}

FIXTURE_TEARDOWN(life)
{
}

/* ---- opens ---- */

/* In one process: one context, however often it is opened. */
TEST_F_TIMEOUT(life, ten_thousand_opens, 300)
{
	unsigned int i, n = number("LIFE_OPENS", 10000);
	long long processes = kfd_count("processes");

	for (i = 0; i < n; i++) {
		int fd = open("/dev/kfd", O_RDWR | O_CLOEXEC);

		ASSERT_LE(0, fd) TH_LOG("open %u", i);
		close(fd);
	}
	EXPECT_EQ(processes + 1, kfd_count("processes"));
	TH_LOG("%u opens and closes", n);
}

/* Many at the same time. */
TEST_F(life, descriptors_side_by_side)
{
	int fd[900];
	struct kfd_ioctl_get_version_args args;
	unsigned int i, n;

	for (n = 0; n < ARRAY_SIZE(fd); n++) {
		fd[n] = open("/dev/kfd", O_RDWR | O_CLOEXEC);
		ASSERT_LE(0, fd[n]);
	}
	for (i = 0; i < n; i++) {
		ASSERT_EQ(0, kfd_ioctl(fd[i], AMDKFD_IOC_GET_VERSION, &args));
		close(fd[i]);
	}
}

static int open_and_end(bool acquire)
{
	struct kfd_client c;

	return acquire ? kfd_client_init(&c, 0) : kfd_client_open(&c, 0);
}

/* One context a process, which goes with it. */
TEST_F_TIMEOUT(life, processes_one_after_the_other, 100000)
{
	unsigned int i, n = number("LIFE_PROCESSES", rounds(400));
	int status;

	for (i = 0; i < n; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(open_and_end(i & 1) != 0);
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		ASSERT_EQ(0, status);
	}
	EXPECT_EQ(0, kfd_counts_settle(kfd_baseline));
	TH_LOG("%u processes opened it", n);
}

struct race {
	volatile bool stop;
	int fd;
	unsigned int good, bad;
};

/* Only what a descriptor of /dev/kfd, or none, may say. */
static void *call_number(void *data)
{
	struct kfd_ioctl_get_version_args args;
	struct race *r = data;

	while (!r->stop) {
		if (!ioctl(r->fd, AMDKFD_IOC_GET_VERSION, &args))
			r->good++;
		else if (errno != EBADF)
			r->bad++;
	}
	return NULL;
}

/* B008: another thread uses the number while it is being opened and closed. */
TEST_F(life, b008_call_while_opening)
{
	struct race r = { .stop = false };
	pthread_t thread;
	unsigned int i;

	r.fd = open("/dev/kfd", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, r.fd);
	close(r.fd);
	ASSERT_EQ(0, pthread_create(&thread, NULL, call_number, &r));
	for (i = 0; i < rounds(5000) || !r.good; i++) {
		int fd = open("/dev/kfd", O_RDWR | O_CLOEXEC);

		ASSERT_EQ(r.fd, fd);
		close(fd);
	}
	r.stop = true;
	pthread_join(thread, NULL);
	EXPECT_EQ(0, r.bad);
}

static void *open_kfd(void *data)
{
	pthread_barrier_wait(data);
	return (void *)(long)open("/dev/kfd", O_RDWR | O_CLOEXEC);
}

static int first_opens_at_once(void)
{
	pthread_barrier_t barrier;
	pthread_t thread[8];
	struct kfd_client c;
	unsigned int i;
	int bad = 0;
	void *fd;

	pthread_barrier_init(&barrier, NULL, ARRAY_SIZE(thread));
	for (i = 0; i < ARRAY_SIZE(thread); i++)
		if (pthread_create(&thread[i], NULL, open_kfd, &barrier))
			return 1;
	for (i = 0; i < ARRAY_SIZE(thread); i++) {
		pthread_join(thread[i], &fd);
		bad |= (long)fd < 0;
	}
	return bad || kfd_client_init(&c, 0);
}

/* B008: the first opens of a process race; there is one context, and it works. */
TEST_F_TIMEOUT(life, b008_first_opens_at_once, 120)
{
	unsigned int i;
	int status;

	for (i = 0; i < rounds(100); i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(first_opens_at_once());
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		ASSERT_EQ(0, status);
	}
	EXPECT_EQ(0, kfd_counts_settle(kfd_baseline));
}

/* ---- ends ---- */

/* A thousand traps are on their way when the process dies. */
static int leave_traps(void)
{
	struct kfd_client c;
	struct kfd_event e;
	struct kfd_sdma q;
	uint32_t w[4];
	unsigned int i;

	if (kfd_client_init(&c, 0) || kfd_event_create(&c, &e) || kfd_sdma_create(&c, &q))
		return 1;
	for (i = 0; i < 1000; i++)
		kfd_sdma_put(&q, w, pkt_trap(w, e.id));
	kfd_sdma_ring(&q);
	return 0;
}

/* The next one, with an event of the same number: nobody wakes it. */
static int sees_nothing(void)
{
	struct kfd_client c;
	struct kfd_event e, fault;
	uint32_t result;

	if (kfd_client_init(&c, 0) || kfd_event_create(&c, &e) ||
	    kfd_event_create_type(&c, KFD_IOC_EVENT_MEMORY, false, &fault))
		return 1;
	if (kfd_event_wait(&c, &e, 20, &result) || result != TIMEOUT)
		return 2;
	return kfd_event_wait(&c, &fault, 0, &result) || result != TIMEOUT ? 3 : 0;
}

TEST_F_TIMEOUT(life, b014_nothing_for_the_next, 120)
{
	unsigned int i;
	int status;

	for (i = 0; i < rounds(40) + 4; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(leave_traps());
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		ASSERT_EQ(0, status);
		pid = fork();
		if (!pid)
			_exit(sees_nothing());
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		ASSERT_EQ(0, WEXITSTATUS(status));
	}
	EXPECT_EQ(0, kfd_counts_settle(kfd_baseline));
}

/* What a queue can be told of: a trap, a page that is not there, a packet that is none. */
static unsigned int bad_packet(uint32_t *w, unsigned int kind)
{
	switch (kind) {
	case 0:
		return pkt_fill(w, (void *)0x7ff000000000, 1, 64);
	case 1:
		return pkt_copy(w, (void *)0x7ff000000000, (void *)0x7ff000010000, 64);
	case 2:
		/* SRBM_WRITE to a register: privileged */
		w[0] = 14 | 0xfu << 28;
		w[1] = 0;
		w[2] = 0;
		return 3;
	default:
		w[0] = 0xff;
		return 1;
	}
}

static int take_events(unsigned int n)
{
	struct kfd_event e, fault;
	struct kfd_client c;
	struct kfd_sdma q;
	uint32_t w[8], result;
	unsigned int i;

	if (kfd_client_init(&c, 0) || kfd_event_create(&c, &e) ||
	    kfd_event_create_type(&c, KFD_IOC_EVENT_MEMORY, false, &fault))
		return 1;
	for (i = 0; i < n; i++) {
		if (kfd_sdma_create_size(&c, &q, 4096))
			return 2;
		kfd_sdma_signal(&q, &e);
		kfd_sdma_put(&q, w, bad_packet(w, i % 4));
		kfd_sdma_ring(&q);
		if (kfd_event_wait(&c, &e, KFD_TIMEOUT_MS, &result) || result != COMPLETE)
			return 3;
		if (kfd_event_wait(&c, &fault, KFD_TIMEOUT_MS, &result) || result != COMPLETE)
			return 4;
		if (kfd_sdma_destroy(&q))
			return 5;
	}
	return 0;
}

/* B016: no kind of event keeps the process. */
TEST_F_TIMEOUT(life, b016_events_and_faults, 300)
{
	unsigned int n = rounds(1000);
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(take_events(n));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, WEXITSTATUS(status));
	EXPECT_EQ(0, kfd_counts_settle(kfd_baseline));
	TH_LOG("%u traps and %u faults of four kinds", n, n);
}

static int work_until_killed(void)
{
	struct kfd_bo a, v;
	struct kfd_client c;
	struct kfd_event e;
	struct kfd_sdma q;

	if (kfd_client_init(&c, 0) || kfd_bo_user(&c, MIB, &a) || kfd_bo_vram(&c, MIB, &v) ||
	    kfd_sdma_create(&c, &q) || kfd_event_create(&c, &e))
		return 1;
	while (!kfd_sdma_copy_wait(&q, &e, v.cpu, a.cpu, MIB))
		;
	return 2;
}

/* B017 without the reset, which is not there yet: opens while others are being torn down. */
TEST_F_TIMEOUT(life, b017_open_while_others_end, 300)
{
	unsigned int i;
	int status;

	for (i = 0; i < rounds(100) + 4; i++) {
		pid_t opener, worker = fork();

		if (!worker)
			_exit(work_until_killed());
		while (kfd_count("hw_slots") < 1)
			usleep(500);
		kill(worker, SIGKILL);
		opener = fork();
		if (!opener)
			_exit(open_and_end(true) != 0);
		ASSERT_EQ(opener, waitpid(opener, &status, 0));
		EXPECT_EQ(0, status);
		ASSERT_EQ(worker, waitpid(worker, &status, 0));
		ASSERT_EQ(0, kfd_counts_settle(kfd_baseline));
	}
}

/* ---- queues ---- */

static int first_doorbell(void)
{
	struct kfd_bo m, pad;
	struct kfd_client c;
	struct kfd_event e;
	struct kfd_sdma q;
	uint32_t w[8];

	if (kfd_client_init(&c, 0) || kfd_sdma_create(&c, &q))
		return 1;
	/* The offset names the slice and the place in it, and the place is the queue's own. */
	if (c.doorbells + (q.doorbell_offset & (KFD_DOORBELL_SLICE - 1)) != (void *)q.doorbell)
		return 2;
	if (kfd_bo_gtt(&c, 4096, &m) || kfd_bo_gtt(&c, 4096, &pad) || kfd_event_create(&c, &e))
		return 3;
	kfd_sdma_put(&q, w, pkt_atomic_add(w, m.cpu, 1));
	kfd_sdma_signal(&q, &e);
	kfd_sdma_ring(&q);
	if (kfd_sdma_idle(&q, KFD_TIMEOUT_MS))
		return 4;
	return *(volatile uint64_t *)m.cpu == 1 ? 0 : 5;
}

/* B032: the very first call of a process is a queue; its doorbell works. */
TEST_F(life, b032_first_queue)
{
	unsigned int i;
	int status;

	for (i = 0; i < 8; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(first_doorbell());
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		EXPECT_EQ(0, WEXITSTATUS(status));
	}
}

static int create_with_percentage(struct kfd_client *c, struct kfd_sdma *q, uint32_t percent)
{
	struct kfd_ioctl_create_queue_args args = {
		.write_pointer_address = (uintptr_t)q->ptrs.cpu + 8,
		.read_pointer_address = (uintptr_t)q->ptrs.cpu + 16,
		.ring_base_address = (uintptr_t)q->ring.cpu,
		.ring_size = q->ring.size,
		.gpu_id = c->gpu_id,
		.queue_type = KFD_IOC_QUEUE_TYPE_SDMA,
		.queue_percentage = percent,
	};
	int ret = kfd_ioctl(c->fd, AMDKFD_IOC_CREATE_QUEUE, &args);

	if (ret)
		return ret;
	q->c = c;
	q->id = args.queue_id;
	c->doorbells = mmap(NULL, KFD_DOORBELL_SLICE, PROT_READ | PROT_WRITE, MAP_SHARED, c->fd,
			    args.doorbell_offset & ~(uint64_t)(KFD_DOORBELL_SLICE - 1));
	if (c->doorbells == MAP_FAILED) {
		c->doorbells = NULL;
		return -errno;
	}
	q->doorbell = (volatile uint64_t *)(c->doorbells +
					    (args.doorbell_offset & (KFD_DOORBELL_SLICE - 1)));
	return 0;
}

/* B040: created inactive, it is not loaded, whatever rings; activated, the work runs once. */
TEST_F(kfd, b040_created_inactive)
{
	struct kfd_ioctl_update_queue_args update;
	struct kfd_sdma q = { };
	struct kfd_bo m;
	uint32_t w[8];
	unsigned int i;

	ASSERT_EQ(0, kfd_bo_gtt(&self->c, 4096, &m));
	ASSERT_EQ(0, kfd_bo_user(&self->c, 4096, &q.ring));
	ASSERT_EQ(0, kfd_bo_user(&self->c, 4096, &q.ptrs));
	ASSERT_EQ(0, create_with_percentage(&self->c, &q, 0));
	EXPECT_EQ(0, kfd_count("hw_slots"));
	for (i = 0; i < 3; i++) {
		kfd_sdma_put(&q, w, pkt_atomic_add(w, m.cpu, 1));
		kfd_sdma_ring(&q);
	}
	usleep(20000);
	EXPECT_EQ(0, *(volatile uint64_t *)m.cpu);
	EXPECT_EQ(0, kfd_count("hw_slots"));
	update = (struct kfd_ioctl_update_queue_args){
		.queue_id = q.id,
		.ring_base_address = (uintptr_t)q.ring.cpu,
		.ring_size = q.ring.size,
		.queue_percentage = 100,
	};
	ASSERT_EQ(0, kfd_ioctl(self->c.fd, AMDKFD_IOC_UPDATE_QUEUE, &update));
	EXPECT_EQ(1, kfd_count("hw_slots"));
	kfd_sdma_ring(&q);
	ASSERT_EQ(0, kfd_sdma_idle(&q, KFD_TIMEOUT_MS));
	EXPECT_EQ(3, *(volatile uint64_t *)m.cpu);
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
}

/* ---- events ---- */

/* B041: out of events is an error of that call and no more; all numbers come back. */
TEST_F_TIMEOUT(kfd, b041_out_of_events, 300)
{
	static struct kfd_event e[KFD_EVENT_SLOTS];
	unsigned int round, i, n, more = rounds(10000);
	struct kfd_event extra, fault;
	uint32_t result;

	for (round = 0; round < rounds(8) + 2; round++) {
		for (n = 0; n < KFD_EVENT_SLOTS - 1; n++)
			ASSERT_EQ(0, kfd_event_create(&self->c, &e[n]));
		for (i = 0; i < (round ? 10 : more); i++)
			ASSERT_EQ(-ENOSPC, kfd_event_create(&self->c, &extra));
		/* Kinds without a slot are not affected, and waits work on all. */
		ASSERT_EQ(0, kfd_event_create_type(&self->c, KFD_IOC_EVENT_MEMORY, true, &fault));
		ASSERT_EQ(0, kfd_event_wait(&self->c, &e[n - 1], 0, &result));
		EXPECT_EQ(TIMEOUT, result);
		ASSERT_EQ(0, kfd_event_wait(&self->c, &fault, 0, &result));
		EXPECT_EQ(TIMEOUT, result);
		ASSERT_EQ(0, kfd_event_destroy(&self->c, &fault));
		while (n--)
			ASSERT_EQ(0, kfd_event_destroy(&self->c, &e[n]));
	}
}

struct sleepers {
	struct kfd_client *c;
	struct kfd_event *e;
	volatile uint64_t *value;
	unsigned int rounds;
	volatile unsigned int at[8];
	volatile unsigned int reset;
	volatile int bad;
};

struct sleeper {
	struct sleepers *all;
	unsigned int index;
};

/*
 * Look at the value, then sleep: the signal may come between the two.  A manual event stays
 * set, so nobody sleeps past it.
 */
static void *look_and_sleep(void *data)
{
	struct sleeper *me = data;
	struct sleepers *s = me->all;
	unsigned int round;
	uint32_t result;

	for (round = 1; round <= s->rounds && !s->bad; round++) {
		while (*s->value < round && !s->bad)
			if (kfd_event_wait(s->c, s->e, KFD_TIMEOUT_MS, &result) ||
			    result != COMPLETE)
				s->bad = 1;
		s->at[me->index] = round;
		while (s->reset < round && !s->bad)
			usleep(100);
	}
	return NULL;
}

static int set_event(struct kfd_client *c, const struct kfd_event *e)
{
	struct kfd_ioctl_set_event_args args = { .event_id = e->id };

	return kfd_ioctl(c->fd, AMDKFD_IOC_SET_EVENT, &args);
}

/* B044, by the rule of an interface without ages: eight sleepers, none sleeps past a signal. */
TEST_F_TIMEOUT(kfd, b044_no_sleep_past_a_signal, 300)
{
	struct sleeper me[8];
	pthread_t thread[8];
	struct sleepers s;
	struct kfd_event e;
	uint64_t value = 0;
	unsigned int i, round;

	ASSERT_EQ(0, kfd_event_create_type(&self->c, KFD_IOC_EVENT_SIGNAL, true, &e));
	s = (struct sleepers){
		.c = &self->c, .e = &e, .value = &value, .rounds = rounds(300),
	};
	for (i = 0; i < ARRAY_SIZE(me); i++) {
		me[i] = (struct sleeper){ &s, i };
		ASSERT_EQ(0, pthread_create(&thread[i], NULL, look_and_sleep, &me[i]));
	}
	for (round = 1; round <= s.rounds && !s.bad; round++) {
		struct kfd_ioctl_reset_event_args reset = { .event_id = e.id };

		__atomic_store_n(&value, round, __ATOMIC_RELEASE);
		ASSERT_EQ(0, set_event(&self->c, &e));
		for (i = 0; i < ARRAY_SIZE(me) && !s.bad; i++)
			while (s.at[i] < round && !s.bad)
				usleep(100);
		ASSERT_EQ(0, kfd_ioctl(self->c.fd, AMDKFD_IOC_RESET_EVENT, &reset));
		s.reset = round;
	}
	for (i = 0; i < ARRAY_SIZE(me); i++)
		pthread_join(thread[i], NULL);
	EXPECT_EQ(0, s.bad);
}

/**
 * struct aged - sleepers of one auto-reset event
 * @c: client
 * @e: event
 * @value: what it is about
 * @last: the last value
 * @bad: a wait failed, or slept past a signal
 */
struct aged {
	struct kfd_client *c;
	struct kfd_event *e;
	uint64_t value;
	uint64_t last;
	int bad;
};

/* The age belongs to a look at the value: the signal that comes between the two ends the sleep. */
static void *look_and_sleep_aged(void *data)
{
	struct aged *s = data;
	uint64_t age = 1;
	uint32_t result;

	while (__atomic_load_n(&s->value, __ATOMIC_ACQUIRE) < s->last) {
		if (kfd_events_wait_age(s->c, &s->e->id, &age, 1, true, KFD_TIMEOUT_MS, &result) ||
		    result != COMPLETE) {
			s->bad = 1;
			break;
		}
	}
	return NULL;
}

/*
 * B044, with ages: eight sleepers on one event that each signal wakes for one of them only,
 * or for those who sleep already; nobody waits for them.  Every other signal is taken away by
 * one who does not care for ages.
 */
TEST_F_TIMEOUT(kfd, b044_ages, 300)
{
	pthread_t thread[8];
	struct kfd_event e;
	struct aged s = { .c = &self->c, .e = &e, .last = rounds(5000) };
	uint32_t result;
	unsigned int i;

	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	for (i = 0; i < ARRAY_SIZE(thread); i++)
		ASSERT_EQ(0, pthread_create(&thread[i], NULL, look_and_sleep_aged, &s));
	for (i = 0; i < s.last; i++) {
		__atomic_add_fetch(&s.value, 1, __ATOMIC_RELEASE);
		ASSERT_EQ(0, set_event(&self->c, &e));
		/* Taken before those who are late come to sleep. */
		if (i & 1)
			ASSERT_EQ(0, kfd_event_wait(&self->c, &e, 0, &result));
	}
	for (i = 0; i < ARRAY_SIZE(thread); i++)
		pthread_join(thread[i], NULL);
	EXPECT_EQ(0, s.bad);
}

/* B046: value without a trap, value before the trap, trap before the value. */
TEST_F_TIMEOUT(kfd, b046_value_and_trap, 300)
{
	unsigned int i, n = rounds(500);
	volatile uint64_t *value;
	uint32_t w[8], result;
	struct kfd_event e;
	struct kfd_sdma q;
	struct kfd_bo m;

	ASSERT_EQ(0, kfd_bo_gtt(&self->c, 4096, &m));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(0, kfd_sdma_create_size(&self->c, &q, 4096));
	value = (volatile uint64_t *)m.cpu;
	for (i = 1; i <= n; i++) {
		/* A poller needs no trap. */
		kfd_sdma_put(&q, w, pkt_atomic_add(w, m.cpu, 1));
		kfd_sdma_ring(&q);
		while (value[0] < i)
			sched_yield();
		/* Who sleeps for the trap sees the value that came before it. */
		kfd_sdma_put(&q, w, pkt_atomic_add(w, m.cpu + 8, 1));
		kfd_sdma_signal(&q, &e);
		kfd_sdma_ring(&q);
		ASSERT_EQ(0, kfd_event_wait(&self->c, &e, KFD_TIMEOUT_MS, &result));
		ASSERT_EQ(COMPLETE, result);
		ASSERT_EQ(i, value[1]);
		/* A trap that comes first wakes; the value follows without another. */
		kfd_sdma_signal(&q, &e);
		kfd_sdma_put(&q, w, pkt_atomic_add(w, m.cpu + 16, 1));
		kfd_sdma_ring(&q);
		ASSERT_EQ(0, kfd_event_wait(&self->c, &e, KFD_TIMEOUT_MS, &result));
		ASSERT_EQ(COMPLETE, result);
		while (value[2] < i)
			sched_yield();
	}
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
}

/* B049: one active event among 4,000 idle ones; a foreign number still finds the right waiter. */
TEST_F_TIMEOUT(kfd, b049_one_of_many, 120)
{
	static struct kfd_event e[4001];
	struct kfd_event *active = &e[2345];
	uint32_t w[8], result;
	struct kfd_sdma q;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(e); i++)
		ASSERT_EQ(0, kfd_event_create(&self->c, &e[i]));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	for (i = 0; i < rounds(200); i++) {
		kfd_sdma_signal(&q, active);
		kfd_sdma_ring(&q);
		ASSERT_EQ(0, kfd_event_wait(&self->c, active, KFD_TIMEOUT_MS, &result));
		ASSERT_EQ(COMPLETE, result);
		kfd_sdma_put(&q, w, pkt_fence(w, active->mailbox, active->id));
		kfd_sdma_put(&q, w, pkt_trap(w, e[i].id));
		kfd_sdma_ring(&q);
		ASSERT_EQ(0, kfd_event_wait(&self->c, active, KFD_TIMEOUT_MS, &result));
		ASSERT_EQ(COMPLETE, result);
		ASSERT_EQ(0, kfd_event_wait(&self->c, &e[i], 0, &result));
		ASSERT_EQ(TIMEOUT, result);
	}
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
