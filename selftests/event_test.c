// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events: kinds of wait, reset, ages, destruction, limits (S0.104; B002, B043, B044, B047).
 *
 * vm: timeout=600
 */
#include "kfd_harness.h"

#include <pthread.h>
#include <sys/time.h>
#include <time.h>

#define COMPLETE	KFD_IOC_WAIT_RESULT_COMPLETE
#define TIMEOUT		KFD_IOC_WAIT_RESULT_TIMEOUT
#define FAILED		KFD_IOC_WAIT_RESULT_FAIL

static int event_set(struct kfd_client *c, uint32_t id)
{
	struct kfd_ioctl_set_event_args args = { .event_id = id };

	return kfd_ioctl(c->fd, AMDKFD_IOC_SET_EVENT, &args);
}

static int event_reset(struct kfd_client *c, uint32_t id)
{
	struct kfd_ioctl_reset_event_args args = { .event_id = id };

	return kfd_ioctl(c->fd, AMDKFD_IOC_RESET_EVENT, &args);
}

struct waiter {
	struct kfd_client *c;
	uint32_t id;
	uint32_t result;
	int ret;
	int tid;
	pthread_t thread;
};

static void *waiter_main(void *arg)
{
	struct waiter *w = arg;

	w->ret = kfd_events_wait(w->c, &w->id, 1, false, KFD_TIMEOUT_MS, &w->result);
	return NULL;
}

/* Until debugfs shows @n sleepers of this process; false after ten seconds, more if slow. */
static bool wait_asleep(unsigned int n)
{
	unsigned int tries;

	for (tries = 0; tries < 1000 * kfd_time_scale(); tries++) {
		FILE *f = fopen("/sys/kernel/debug/carillon/waiters", "r");
		unsigned int seen = 0;
		char line[256];
		int pid;

		while (f && fgets(line, sizeof(line), f))
			if (sscanf(line, "%d", &pid) == 1 && pid == getpid())
				seen++;
		if (f)
			fclose(f);
		if (seen >= n)
			return true;
		usleep(10000);
	}
	return false;
}

TEST_F(kfd, ids_and_slots)
{
	struct kfd_event e[8];
	unsigned int i;

	for (i = 0; i < 8; i++) {
		ASSERT_EQ(0, kfd_event_create(&self->c, &e[i]));
		EXPECT_NE(0, e[i].id);
		EXPECT_GT(KFD_EVENT_SLOTS, e[i].slot);
		EXPECT_EQ(~0ull, *e[i].mailbox);
	}
	for (i = 1; i < 8; i++)
		EXPECT_NE(e[0].id, e[i].id);
	for (i = 0; i < 8; i++)
		EXPECT_EQ(0, kfd_event_destroy(&self->c, &e[i]));
	EXPECT_EQ(-EINVAL, kfd_event_destroy(&self->c, &e[0]));
}

TEST_F(kfd, poll_and_auto_reset)
{
	struct kfd_event e;
	uint32_t result;

	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(0, kfd_event_wait(&self->c, &e, 0, &result));
	EXPECT_EQ(TIMEOUT, result);
	ASSERT_EQ(0, event_set(&self->c, e.id));
	ASSERT_EQ(0, kfd_event_wait(&self->c, &e, 0, &result));
	EXPECT_EQ(COMPLETE, result);
	ASSERT_EQ(0, kfd_event_wait(&self->c, &e, 0, &result));
	EXPECT_EQ(TIMEOUT, result);
	ASSERT_EQ(0, event_set(&self->c, e.id));
	ASSERT_EQ(0, event_reset(&self->c, e.id));
	ASSERT_EQ(0, kfd_event_wait(&self->c, &e, 0, &result));
	EXPECT_EQ(TIMEOUT, result);
}

TEST_F(kfd, manual_reset_stays)
{
	struct kfd_event e;
	uint32_t result;
	unsigned int i;

	ASSERT_EQ(0, kfd_event_create_type(&self->c, KFD_IOC_EVENT_SIGNAL, true, &e));
	ASSERT_EQ(0, event_set(&self->c, e.id));
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, kfd_event_wait(&self->c, &e, 0, &result));
		EXPECT_EQ(COMPLETE, result);
	}
	ASSERT_EQ(0, event_reset(&self->c, e.id));
	ASSERT_EQ(0, kfd_event_wait(&self->c, &e, 0, &result));
	EXPECT_EQ(TIMEOUT, result);
}

/* B043: all means all; auto-reset events are consumed together. */
TEST_F(kfd, b043_wait_for_all)
{
	struct kfd_event e[3];
	uint32_t ids[4], result;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, kfd_event_create(&self->c, &e[i]));
		ids[i] = e[i].id;
	}
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, kfd_events_wait(&self->c, ids, 3, true, 20, &result));
		EXPECT_EQ(TIMEOUT, result);
		ASSERT_EQ(0, event_set(&self->c, ids[i]));
	}
	ASSERT_EQ(0, kfd_events_wait(&self->c, ids, 3, true, 1000, &result));
	EXPECT_EQ(COMPLETE, result);
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, kfd_events_wait(&self->c, &ids[i], 1, false, 0, &result));
		EXPECT_EQ(TIMEOUT, result);
	}
	/* One waits for any. */
	ASSERT_EQ(0, event_set(&self->c, ids[1]));
	ASSERT_EQ(0, kfd_events_wait(&self->c, ids, 3, false, 1000, &result));
	EXPECT_EQ(COMPLETE, result);
	/* An unknown id in the list. */
	ids[3] = 0x3ffffff;
	EXPECT_EQ(-EINVAL, kfd_events_wait(&self->c, ids, 4, false, 0, &result));
	ASSERT_EQ(0, kfd_event_destroy(&self->c, &e[2]));
	EXPECT_EQ(-EINVAL, kfd_events_wait(&self->c, ids, 3, false, 0, &result));
}

/* B043: manual and auto-reset events in one list: only the latter are used up. */
TEST_F(kfd, b043_mixed_kinds)
{
	struct kfd_event manual, automatic;
	uint32_t ids[2], result;

	ASSERT_EQ(0, kfd_event_create_type(&self->c, KFD_IOC_EVENT_SIGNAL, true, &manual));
	ASSERT_EQ(0, kfd_event_create(&self->c, &automatic));
	ids[0] = manual.id;
	ids[1] = automatic.id;
	ASSERT_EQ(0, event_set(&self->c, manual.id));
	ASSERT_EQ(0, kfd_events_wait(&self->c, ids, 2, true, 20, &result));
	EXPECT_EQ(TIMEOUT, result);
	ASSERT_EQ(0, event_set(&self->c, automatic.id));
	ASSERT_EQ(0, kfd_events_wait(&self->c, ids, 2, true, 1000, &result));
	EXPECT_EQ(COMPLETE, result);
	ASSERT_EQ(0, kfd_event_wait(&self->c, &manual, 0, &result));
	EXPECT_EQ(COMPLETE, result);
	ASSERT_EQ(0, kfd_event_wait(&self->c, &automatic, 0, &result));
	EXPECT_EQ(TIMEOUT, result);
}

/*
 * B043: the same event twice in a list.  For any it is one; for all, one signal of an
 * auto-reset event satisfies both entries, and is used up.
 */
TEST_F(kfd, b043_duplicates)
{
	struct kfd_event e;
	uint32_t ids[2], result;
	unsigned int all;

	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ids[0] = e.id;
	ids[1] = e.id;
	for (all = 0; all < 2; all++) {
		ASSERT_EQ(0, event_set(&self->c, e.id));
		ASSERT_EQ(0, kfd_events_wait(&self->c, ids, 2, all, 100, &result));
		EXPECT_EQ(COMPLETE, result) TH_LOG("all %u", all);
		ASSERT_EQ(0, kfd_events_wait(&self->c, ids, 2, all, 0, &result));
		EXPECT_EQ(TIMEOUT, result) TH_LOG("all %u", all);
	}
}

/* ---- ages ---- */

/* B044: an age that is not the event's ends a wait at once, also when the signal was taken. */
TEST_F(kfd, b044_stale_age)
{
	struct kfd_event e;
	uint64_t age = 1;
	uint32_t result;

	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	/* 1 is the age of an event that nobody has set. */
	ASSERT_EQ(0, kfd_events_wait_age(&self->c, &e.id, &age, 1, false, 0, &result));
	EXPECT_EQ(TIMEOUT, result);
	EXPECT_EQ(1, age);
	ASSERT_EQ(0, event_set(&self->c, e.id));
	/* Somebody without an age takes it. */
	ASSERT_EQ(0, kfd_event_wait(&self->c, &e, 0, &result));
	ASSERT_EQ(COMPLETE, result);
	ASSERT_EQ(0, kfd_events_wait_age(&self->c, &e.id, &age, 1, false, KFD_TIMEOUT_MS,
					 &result));
	EXPECT_EQ(COMPLETE, result);
	EXPECT_EQ(2, age);
	/* What it was told now is not news any more. */
	ASSERT_EQ(0, kfd_events_wait_age(&self->c, &e.id, &age, 1, false, 0, &result));
	EXPECT_EQ(TIMEOUT, result);
	EXPECT_EQ(2, age);
	/* Two at once are one wait, with the age of the last. */
	ASSERT_EQ(0, event_set(&self->c, e.id));
	ASSERT_EQ(0, event_set(&self->c, e.id));
	ASSERT_EQ(0, kfd_events_wait_age(&self->c, &e.id, &age, 1, true, 0, &result));
	EXPECT_EQ(COMPLETE, result);
	EXPECT_EQ(4, age);
	ASSERT_EQ(0, kfd_event_wait(&self->c, &e, 0, &result));
	EXPECT_EQ(TIMEOUT, result);
	/* An age from the future is another age, too. */
	age = 1000;
	ASSERT_EQ(0, kfd_events_wait_age(&self->c, &e.id, &age, 1, false, 0, &result));
	EXPECT_EQ(COMPLETE, result);
	EXPECT_EQ(4, age);
	/* RESET_EVENT is no signal. */
	ASSERT_EQ(0, event_reset(&self->c, e.id));
	ASSERT_EQ(0, kfd_events_wait_age(&self->c, &e.id, &age, 1, false, 0, &result));
	EXPECT_EQ(TIMEOUT, result);
}

/* A caller that passes 0 is told nothing and waits for the next signal, as ever. */
TEST_F(kfd, no_age)
{
	struct kfd_event e;
	uint32_t result;
	uint64_t age = 0;

	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(0, event_set(&self->c, e.id));
	ASSERT_EQ(0, kfd_events_wait_age(&self->c, &e.id, &age, 1, false, 0, &result));
	EXPECT_EQ(COMPLETE, result);
	EXPECT_EQ(0, age);
	ASSERT_EQ(0, kfd_events_wait_age(&self->c, &e.id, &age, 1, false, 0, &result));
	EXPECT_EQ(TIMEOUT, result);
	EXPECT_EQ(0, age);
}

/* Of several, those that came tell their age; other types have none. */
TEST_F(kfd, ages_of_several)
{
	struct kfd_event a, b, memory;
	uint64_t ages[3] = { 1, 1, 5 };
	uint32_t ids[3], result;

	ASSERT_EQ(0, kfd_event_create(&self->c, &a));
	ASSERT_EQ(0, kfd_event_create(&self->c, &b));
	ASSERT_EQ(0, kfd_event_create_type(&self->c, KFD_IOC_EVENT_MEMORY, true, &memory));
	ids[0] = a.id;
	ids[1] = b.id;
	ids[2] = memory.id;
	ASSERT_EQ(0, kfd_events_wait_age(&self->c, ids, ages, 3, false, 0, &result));
	EXPECT_EQ(TIMEOUT, result);
	ASSERT_EQ(0, event_set(&self->c, b.id));
	ASSERT_EQ(0, kfd_events_wait_age(&self->c, ids, ages, 3, false, 0, &result));
	EXPECT_EQ(COMPLETE, result);
	EXPECT_EQ(1, ages[0]);
	EXPECT_EQ(2, ages[1]);
	EXPECT_EQ(5, ages[2]);
	/* All: one of them alone is not enough, whatever its age. */
	ages[1] = 1;
	ASSERT_EQ(0, kfd_events_wait_age(&self->c, ids, ages, 2, true, 20, &result));
	EXPECT_EQ(TIMEOUT, result);
	EXPECT_EQ(1, ages[1]);
	ASSERT_EQ(0, event_set(&self->c, a.id));
	ASSERT_EQ(0, kfd_events_wait_age(&self->c, ids, ages, 2, true, 0, &result));
	EXPECT_EQ(COMPLETE, result);
	EXPECT_EQ(2, ages[0]);
	EXPECT_EQ(2, ages[1]);
	/* What came by its age alone was taken from nobody: there is nothing to give back. */
	ages[1] = 1;
	ASSERT_EQ(0, kfd_events_wait_age(&self->c, ids, ages, 2, true, 0, &result));
	EXPECT_EQ(TIMEOUT, result);
	ASSERT_EQ(0, kfd_event_wait(&self->c, &b, 0, &result));
	EXPECT_EQ(TIMEOUT, result);
}

/* B002: the count is bounded before anything is allocated. */
TEST_F(kfd, b002_number_of_events)
{
	static const uint32_t bad[] = { 4097, 0x100000, 0x7fffffff, 0xffffffff };
	struct kfd_event_data one = { 0 };
	struct kfd_ioctl_wait_events_args args;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		args = (struct kfd_ioctl_wait_events_args){
			.events_ptr = (uintptr_t)&one, .num_events = bad[i],
		};
		EXPECT_EQ(-EINVAL, kfd_ioctl(self->c.fd, AMDKFD_IOC_WAIT_EVENTS, &args));
	}
	/* As many as there can be, from an array that ends at an unmapped page. */
	args = (struct kfd_ioctl_wait_events_args){ .events_ptr = 4096, .num_events = 4096 };
	EXPECT_EQ(-EFAULT, kfd_ioctl(self->c.fd, AMDKFD_IOC_WAIT_EVENTS, &args));
	/* None: there is nothing to wait for, of any or of all. */
	for (i = 0; i < 2; i++) {
		args = (struct kfd_ioctl_wait_events_args){
			.timeout = 0xffffffff, .wait_for_all = i,
		};
		EXPECT_EQ(0, kfd_ioctl(self->c.fd, AMDKFD_IOC_WAIT_EVENTS, &args));
		EXPECT_EQ(COMPLETE, args.wait_result);
	}
}

/* A signal handler in mid wait: the call goes on with what is left of its time. */
static void on_alarm(int sig)
{
}

TEST_F(kfd, interrupted_wait_keeps_its_time)
{
	struct sigaction sa = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };
	struct itimerval it = { { 0, 20000 }, { 0, 20000 } };
	struct itimerval off = { 0 };
	struct timespec a, b;
	struct kfd_event e;
	uint32_t result;
	long ms;

	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	sigaction(SIGALRM, &sa, NULL);
	clock_gettime(CLOCK_MONOTONIC, &a);
	setitimer(ITIMER_REAL, &it, NULL);
	EXPECT_EQ(0, kfd_event_wait(&self->c, &e, 500, &result));
	setitimer(ITIMER_REAL, &off, NULL);
	clock_gettime(CLOCK_MONOTONIC, &b);
	EXPECT_EQ(TIMEOUT, result);
	ms = (b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000;
	/* Lower bound only: early is wrong, late is a busy machine. */
	EXPECT_LE(495, ms);
}

/* B047: destruction wakes sleepers with failure; a new event of the same id is not theirs. */
TEST_F(kfd, b047_destroy_with_waiters)
{
	struct waiter w[4];
	struct kfd_event e, again;
	unsigned int i;

	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	for (i = 0; i < 4; i++) {
		w[i] = (struct waiter){ .c = &self->c, .id = e.id, .result = 99 };
		ASSERT_EQ(0, pthread_create(&w[i].thread, NULL, waiter_main, &w[i]));
	}
	ASSERT_TRUE(wait_asleep(4));
	ASSERT_EQ(0, kfd_event_destroy(&self->c, &e));
	ASSERT_EQ(0, kfd_event_create(&self->c, &again));
	EXPECT_EQ(0, event_set(&self->c, again.id));
	for (i = 0; i < 4; i++) {
		pthread_join(w[i].thread, NULL);
		EXPECT_EQ(FAILED, w[i].result);
		EXPECT_EQ(-EIO, w[i].ret);
	}
}

/* A sleeper is woken by the CPU's SET_EVENT; all sleepers of one event wake. */
TEST_F(kfd, set_wakes_all)
{
	struct waiter w[4];
	struct kfd_event e;
	unsigned int i;

	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	for (i = 0; i < 4; i++) {
		w[i] = (struct waiter){ .c = &self->c, .id = e.id, .result = 99 };
		ASSERT_EQ(0, pthread_create(&w[i].thread, NULL, waiter_main, &w[i]));
	}
	ASSERT_TRUE(wait_asleep(4));
	ASSERT_EQ(0, event_set(&self->c, e.id));
	for (i = 0; i < 4; i++) {
		pthread_join(w[i].thread, NULL);
		EXPECT_EQ(0, w[i].ret);
		EXPECT_EQ(COMPLETE, w[i].result);
	}
}

/* The limit: 4,095 signal events (id 0 is reserved), then ENOSPC; all come back. */
TEST_F_TIMEOUT(kfd, limit_of_signal_events, 120)
{
	static struct kfd_event e[KFD_EVENT_SLOTS];
	unsigned int round, i, n;

	for (round = 0; round < 2; round++) {
		int r = 0;

		for (n = 0; n < KFD_EVENT_SLOTS; n++) {
			r = kfd_event_create(&self->c, &e[n]);
			if (r)
				break;
		}
		EXPECT_EQ(-ENOSPC, r);
		EXPECT_EQ(KFD_EVENT_SLOTS - 1, n);
		for (i = 0; i < n; i++)
			ASSERT_EQ(0, kfd_event_destroy(&self->c, &e[i]));
	}
}

/* S0.104: a trap whose slot was not written signals nobody (id look-up checks the slot). */
TEST_F(kfd, trap_without_mailbox)
{
	struct kfd_event e, other;
	struct kfd_sdma q;
	uint32_t w[8], result;

	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(0, kfd_event_create(&self->c, &other));
	kfd_sdma_put(&q, w, pkt_trap(w, e.id));
	kfd_sdma_ring(&q);
	ASSERT_EQ(0, kfd_event_wait(&self->c, &e, 200, &result));
	EXPECT_EQ(TIMEOUT, result);
	/* A written slot under a foreign id is found by the scan. */
	kfd_sdma_put(&q, w, pkt_fence(w, e.mailbox, e.id));
	kfd_sdma_put(&q, w, pkt_trap(w, other.id));
	kfd_sdma_ring(&q);
	ASSERT_EQ(0, kfd_event_wait(&self->c, &e, KFD_TIMEOUT_MS, &result));
	EXPECT_EQ(COMPLETE, result);
	ASSERT_EQ(0, kfd_event_wait(&self->c, &other, 0, &result));
	EXPECT_EQ(TIMEOUT, result);
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
