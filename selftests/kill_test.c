// SPDX-License-Identifier: GPL-2.0-only
/*
 * kill -9 at every ioctl (before it, in it, after it) and at every packet boundary, with
 * the model in step mode: everything is freed, and nothing runs for the dead
 * (S0.61; B011, B014 for what is under way).
 *
 * vm: timeout=600
 */
#include "kfd_harness.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>

#define MIB	(1ul << 20)
#define MAX_IOCTLS	200
#define CELLS	64

FIXTURE(kill) {
};

FIXTURE_SETUP(kill)
{
	if (!kfd_baseline[0])
		SKIP(return, "no driver or no debugfs counts");
}

FIXTURE_TEARDOWN(kill)
{
}

/* ---- at every ioctl ---- */

/* One of each command that keeps something, and of each that takes it back. */
static int all_commands(struct kfd_client *c)
{
	struct kfd_bo vram, gtt, user;
	struct kfd_event e, manual;
	struct kfd_sdma q;
	uint32_t result;

	if (kfd_client_acquire(c) || kfd_bo_vram(c, MIB, &vram) || kfd_bo_gtt(c, MIB, &gtt) ||
	    kfd_bo_user(c, MIB, &user) || kfd_event_create(c, &e) ||
	    kfd_event_create_type(c, KFD_IOC_EVENT_SIGNAL, true, &manual) ||
	    kfd_sdma_create(c, &q))
		return 1;
	if (kfd_sdma_copy_wait(&q, &e, vram.cpu, user.cpu, MIB) ||
	    kfd_event_wait(c, &manual, 1, &result))
		return 2;
	if (kfd_event_destroy(c, &manual) || kfd_unmap(c, gtt.handle) ||
	    kfd_map(c, gtt.handle) || kfd_bo_free(c, &gtt) || kfd_sdma_destroy(&q) ||
	    kfd_bo_free(c, &user))
		return 3;
	return 0;
}

enum moment { BEFORE, INSIDE, AFTER, MOMENTS };

/* Let the tracee run to its next stop at a system call; false: it has ended. */
static bool next_stop(pid_t pid, int *status)
{
	do {
		if (ptrace(PTRACE_SYSCALL, pid, 0, 0) || waitpid(pid, status, 0) != pid)
			return false;
		if (WIFEXITED(*status) || WIFSIGNALED(*status))
			return false;
	} while (WSTOPSIG(*status) != (SIGTRAP | 0x80));
	return true;
}

/* 1: killed at the n-th ioctl; 0: it has fewer, and ended well; less: an error. */
static int kill_at(unsigned int n, enum moment when)
{
	struct user_regs_struct regs;
	pid_t pid = fork();
	int status;

	if (!pid) {
		struct kfd_client c;

		if (kfd_client_open(&c, 0))
			_exit(1);
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		_exit(all_commands(&c));
	}
	if (waitpid(pid, &status, 0) != pid ||
	    ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL))
		return -1;
	while (next_stop(pid, &status)) {
		if (ptrace(PTRACE_GETREGS, pid, 0, &regs))
			return -1;
		if (regs.orig_rax != SYS_ioctl) {
			if (!next_stop(pid, &status))
				break;
			continue;
		}
		if (--n) {
			if (!next_stop(pid, &status))
				break;
			continue;
		}
		if (when == AFTER)
			next_stop(pid, &status);
		else if (when == INSIDE)
			ptrace(PTRACE_SYSCALL, pid, 0, 0);
		kill(pid, SIGKILL);
		while (waitpid(pid, &status, 0) == pid && !WIFSIGNALED(status) &&
		       !WIFEXITED(status))
			;
		return 1;
	}
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -1;
}

TEST_F_TIMEOUT(kill, at_every_ioctl, 300)
{
	unsigned int n, when;
	int ret = 1;

	for (n = 1; ret == 1 && n < MAX_IOCTLS; n++) {
		/* A slow kernel has time for one of the moments. */
		for (when = BEFORE; when < MOMENTS && ret == 1; when++)
			if (kfd_time_scale() == 1 || (n + when) % MOMENTS == 0)
				ret = kill_at(n, when);
		ASSERT_LE(0, ret);
		ASSERT_EQ(0, kfd_counts_settle(kfd_baseline)) TH_LOG("ioctl %u", n);
	}
	ASSERT_EQ(0, ret);
	EXPECT_LT(20, n) TH_LOG("hardly any ioctl was seen");
	TH_LOG("killed before, in and after each of %u ioctls", n - 2);
}

/* ---- at every packet boundary ---- */

/* Each packet leaves its mark, so that it is seen how far the ring has come. */
static unsigned int put_marked(struct kfd_sdma *q, uint64_t *cells, const struct kfd_event *e,
			       const struct kfd_bo *vram)
{
	const uint32_t two[2] = { 1, 0 };
	uint32_t w[16];
	unsigned int n = 0;

	kfd_sdma_put(q, w, pkt_atomic_add(w, &cells[n++], 1));
	kfd_sdma_put(q, w, pkt_fill(w, &cells[n++], 1, 4));
	kfd_sdma_put(q, w, pkt_write(w, &cells[n++], two, 2));
	kfd_sdma_put(q, w, pkt_fence(w, &cells[n++], 1));
	kfd_sdma_put(q, w, pkt_copy(w, vram->cpu, cells, 8));
	kfd_sdma_put(q, w, pkt_copy(w, &cells[n++], vram->cpu, 8));
	kfd_sdma_put(q, w, pkt_hdp_flush(w));
	kfd_sdma_put(q, w, pkt_trap(w, e->id));
	kfd_sdma_put(q, w, pkt_timestamp(w, &cells[n++]));
	kfd_sdma_put(q, w, pkt_poll_mem(w, cells, 1, 1));
	kfd_sdma_put(q, w, pkt_atomic_add(w, &cells[n++], 1));
	return n;
}

static void put_and_wait(void *cells_memory, int tell, int go)
{
	struct kfd_client c;
	struct kfd_event e;
	struct kfd_sdma q;
	struct kfd_bo m, v;
	char byte;

	if (kfd_client_init(&c, 0) || kfd_bo_user_at(&c, cells_memory, 4096, &m) ||
	    kfd_bo_vram(&c, 4096, &v) || kfd_event_create(&c, &e) ||
	    kfd_sdma_create_size(&c, &q, 4096))
		_exit(1);
	put_marked(&q, cells_memory, &e, &v);
	if (write(tell, "r", 1) != 1 || read(go, &byte, 1) != 1)
		_exit(2);
	kfd_sdma_ring(&q);
	if (write(tell, "g", 1) != 1)
		_exit(3);
	pause();
	_exit(4);
}

static unsigned int marks(const volatile uint64_t *cells, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n && cells[i]; i++)
		;
	return i;
}

TEST_F_TIMEOUT(kill, at_every_packet_boundary, 300)
{
	const unsigned int last = 6;
	unsigned int steps, seen, most = 0;
	uint64_t *cells;

	cells = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)cells);
	for (steps = 0; steps < 16; steps++) {
		int tell[2], go[2], status;
		unsigned int i, later;
		char byte;
		pid_t pid;

		memset(cells, 0, 4096);
		ASSERT_EQ(0, pipe(tell));
		ASSERT_EQ(0, pipe(go));
		pid = fork();
		if (!pid)
			put_and_wait(cells, tell[1], go[0]);
		ASSERT_EQ(1, read(tell[0], &byte, 1));
		ASSERT_EQ(0, vgpu_control(0, "mode step"));
		EXPECT_EQ(1, write(go[1], "x", 1));
		EXPECT_EQ(1, read(tell[0], &byte, 1));
		EXPECT_EQ(0, vgpu_control(0, "step %u", steps));
		/* Not more than was granted ever runs, so a while is enough to look at it. */
		for (i = 0; i < 20 && marks(cells, last) < last; i++)
			usleep(500);
		kill(pid, SIGKILL);
		/* Its end needs the kernel's rings. */
		EXPECT_EQ(0, vgpu_control(0, "mode free"));
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		ASSERT_TRUE(WIFSIGNALED(status));
		ASSERT_EQ(0, kfd_counts_settle(kfd_baseline)) TH_LOG("after %u steps", steps);
		seen = marks(cells, last);
		most = seen > most ? seen : most;
		/* The dead run no further. */
		usleep(5000);
		later = marks(cells, last);
		EXPECT_EQ(seen, later);
		close(tell[0]);
		close(tell[1]);
		close(go[0]);
		close(go[1]);
	}
	EXPECT_LT(0, most);
	munmap(cells, 4096);
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
