// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes: side by side, killed at any moment, more than there are VMIDs
 * (S0.36, S0.61; B092).
 *
 * vm: timeout=600
 */
#include "kfd_harness.h"

#include <sys/wait.h>

#define MIB	(1ul << 20)

/* Without a client of its own: the children have theirs. */
FIXTURE(process) {
};

FIXTURE_SETUP(process)
{
}

FIXTURE_TEARDOWN(process)
{
}

/* Copies until killed; tells over @pipe once it is under way. */
static void copy_for_ever(int pipe)
{
	struct kfd_client c;
	struct kfd_sdma q;
	struct kfd_event e;
	struct kfd_bo a, b;

	if (kfd_client_init(&c, 0) || kfd_bo_user(&c, 8 * MIB, &a) ||
	    kfd_bo_vram(&c, 8 * MIB, &b) || kfd_sdma_create(&c, &q) || kfd_event_create(&c, &e))
		_exit(1);
	for (;;) {
		if (kfd_sdma_copy_wait(&q, &e, b.cpu, a.cpu, 8 * MIB))
			_exit(2);
		if (pipe >= 0 && write(pipe, "x", 1) != 1)
			_exit(3);
		pipe = -1;
	}
}

/* S0.61: kill -9 in mid copy, at twenty different moments; everything is freed. */
TEST_F_TIMEOUT(process, kill_in_mid_copy, 300)
{
	unsigned int round;
	char byte;

	if (!kfd_baseline[0])
		SKIP(return, "no debugfs counts");
	for (round = 0; round < 20; round++) {
		int p[2], status;
		pid_t pid;

		ASSERT_EQ(0, pipe(p));
		pid = fork();
		if (!pid) {
			close(p[0]);
			copy_for_ever(p[1]);
		}
		close(p[1]);
		ASSERT_EQ(1, read(p[0], &byte, 1));
		close(p[0]);
		usleep(round * 1500);
		kill(pid, SIGKILL);
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		ASSERT_TRUE(WIFSIGNALED(status));
	}
	EXPECT_EQ(0, kfd_counts_settle(kfd_baseline));
}

/* Killed at any stage of set-up. */
TEST_F_TIMEOUT(process, kill_in_set_up, 300)
{
	unsigned int round;

	if (!kfd_baseline[0])
		SKIP(return, "no debugfs counts");
	for (round = 0; round < 40; round++) {
		int status;
		pid_t pid = fork();

		if (!pid)
			copy_for_ever(-1);
		usleep(round * 500);
		kill(pid, SIGKILL);
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		ASSERT_TRUE(WIFSIGNALED(status));
	}
	EXPECT_EQ(0, kfd_counts_settle(kfd_baseline));
}

/* Verified copies of a pattern of one's own; exit status 0 if all were right. */
static int copy_through(struct kfd_sdma *q, unsigned int seed, unsigned int rounds)
{
	struct kfd_client *c = q->c;
	struct kfd_event e;
	struct kfd_bo a, b, v;
	unsigned int i;

	if (kfd_bo_user(c, MIB, &a) || kfd_bo_user(c, MIB, &b) || kfd_bo_vram(c, MIB, &v) ||
	    kfd_event_create(c, &e))
		return 1;
	for (i = 0; i < rounds; i++) {
		memset(a.cpu, seed * 16 + i, MIB);
		memset(b.cpu, 0xee, MIB);
		if (kfd_sdma_copy_wait(q, &e, v.cpu, a.cpu, MIB) ||
		    kfd_sdma_copy_wait(q, &e, b.cpu, v.cpu, MIB))
			return 2;
		if (memcmp(a.cpu, b.cpu, MIB))
			return 3;
	}
	return 0;
}

static int copy_and_check(unsigned int seed, unsigned int rounds)
{
	struct kfd_client c;
	struct kfd_sdma q;

	if (kfd_client_init(&c, 0) || kfd_sdma_create(&c, &q))
		return 1;
	return copy_through(&q, seed, rounds);
}

/* S0.61: the counts rise while objects exist, so that their return means something. */
TEST_F(process, counts_rise)
{
	static const char *const names[] = {
		"processes", "pasids", "vmids", "queues", "hw_slots", "doorbell_slices", "events",
		"buffers", "buffer_mappings", "vm_spaces", "vm_table_pages", "vm_bos_vram",
		"vm_bos_gtt", "vm_bos_user", "vm_vram_bytes", "vm_gtt_bytes", "vm_user_pages",
		"vm_mappings",
	};
	long long before[ARRAY_SIZE(names)];
	struct kfd_client c;
	struct kfd_event e;
	struct kfd_sdma q;
	struct kfd_bo v;
	unsigned int i;

	if (!kfd_baseline[0])
		SKIP(return, "no debugfs counts");
	for (i = 0; i < ARRAY_SIZE(names); i++)
		before[i] = kfd_count(names[i]);
	ASSERT_EQ(0, kfd_client_init(&c, 0));
	ASSERT_EQ(0, kfd_bo_vram(&c, MIB, &v));
	ASSERT_EQ(0, kfd_event_create(&c, &e));
	ASSERT_EQ(0, kfd_sdma_create(&c, &q));
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		EXPECT_LE(0, before[i]) TH_LOG("no count %s", names[i]);
		EXPECT_LT(before[i], kfd_count(names[i])) TH_LOG("%s", names[i]);
	}
	kfd_client_close(&c);
}

/* Two processes at once, each in its own address space at the same addresses. */
TEST_F_TIMEOUT(process, two_processes, 120)
{
	int status, i;
	pid_t pid[2];

	if (!kfd_baseline[0])
		SKIP(return, "no debugfs counts");
	for (i = 0; i < 2; i++) {
		pid[i] = fork();
		if (!pid[i])
			_exit(copy_and_check(i + 1, 20));
	}
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(pid[i], waitpid(pid[i], &status, 0));
		EXPECT_EQ(0, status);
	}
}

/*
 * Nine processes, each with a queue all the time, where there are four slots and eight VMIDs:
 * all of them work (oversubscribe_test.c has more).
 */
TEST_F_TIMEOUT(process, more_processes_than_slots, 120)
{
	int go[2], done[2], i, status;
	pid_t pid[9];
	char byte;

	if (!kfd_baseline[0])
		SKIP(return, "no debugfs counts");
	ASSERT_EQ(0, pipe(go));
	ASSERT_EQ(0, pipe(done));
	for (i = 0; i < 9; i++) {
		pid[i] = fork();
		if (!pid[i]) {
			struct kfd_client c;
			struct kfd_sdma q;

			close(go[1]);
			if (kfd_client_init(&c, 0) || kfd_sdma_create(&c, &q))
				_exit(1);
			if (write(done[1], &byte, 1) != 1 || read(go[0], &byte, 1) != 0)
				_exit(2);
			_exit(copy_through(&q, i + 1, 5));
		}
	}
	for (i = 0; i < 9; i++)
		ASSERT_EQ(1, read(done[0], &byte, 1));
	EXPECT_EQ(9, kfd_count("queues"));
	EXPECT_GE(8, kfd_count("vmids"));
	close(go[0]);
	close(go[1]);
	for (i = 0; i < 9; i++) {
		ASSERT_EQ(pid[i], waitpid(pid[i], &status, 0));
		EXPECT_EQ(0, status);
	}
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
