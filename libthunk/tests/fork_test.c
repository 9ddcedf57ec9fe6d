// SPDX-License-Identifier: MIT
/* DOC: forks: what a child sees, that it can open for itself, that the parent is left alone. */
#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_kfd.h"
#include "fixture.h"
#include "hsakmt/hsakmt.h"
#include "thunk_context.h"
#include "thunk_test.h"

static const HsaMemFlags host = { .ui32 = { .HostAccess = 1 } };

static int count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int count = 0;

	CHECK(dir);
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static void wait_ok(pid_t pid)
{
	int status;

	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFEXITED(status) && !WEXITSTATUS(status));
}

static void check_closed_child(void *memory, HsaEvent *event)
{
	HsaVersionInfo version;
	HsaPointerInfo info;
	int calls = fake.calls;

	CHECK_EQ(HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED, hsaKmtGetVersion(&version));
	CHECK_EQ(HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED, hsaKmtSetEvent(event));
	CHECK_EQ(HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED, hsaKmtFreeMemory(memory, 4096));
	CHECK_EQ(HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED, hsaKmtCloseKFD());
	CHECK_EQ(HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED,
		 hsaKmtQueryPointerInfo(memory, &info));
	CHECK_EQ(calls, fake.calls);
}

static void check_own_child(void)
{
	HsaEventDescriptor desc = { .EventType = HSA_EVENTTYPE_SIGNAL };
	HsaSystemProperties system;
	HsaPointerInfo info;
	HsaEvent *event;
	void *p;

	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(0, hsaKmtAcquireSystemProperties(&system));
	CHECK_EQ(0, hsaKmtAllocMemory(0, 4096, host, &p));
	CHECK_EQ(0, hsaKmtMapMemoryToGPU(p, 4096, NULL));
	CHECK_EQ(0, hsaKmtQueryPointerInfo(p, &info));
	CHECK_EQ(0, hsaKmtCreateEvent(&desc, false, true, &event));
	CHECK_EQ(0, hsaKmtWaitOnEvent(event, 0));
	CHECK_EQ(0, hsaKmtDestroyEvent(event));
	CHECK_EQ(0, hsaKmtFreeMemory(p, 4096));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

static pid_t raw_fork(void)
{
	return (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
}

static void fork_with(pid_t (*make_child)(void))
{
	HsaEventDescriptor desc = { .EventType = HSA_EVENTTYPE_SIGNAL };
	HsaEvent *event;
	uint32_t bos;
	void *p;
	pid_t pid;

	fake_kfd_install(fixture_load("vega10"), 1);
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(0, hsaKmtAllocMemory(0, 4096, host, &p));
	CHECK_EQ(0, hsaKmtCreateEvent(&desc, false, false, &event));
	bos = fake.bos;
	pid = make_child();
	CHECK(pid >= 0);
	if (!pid) {
		check_closed_child(p, event);
		check_own_child();
		test_child_exit(0);
	}
	wait_ok(pid);
	CHECK_EQ(bos, fake.bos);
	CHECK_EQ(0, hsaKmtSetEvent(event));
	CHECK_EQ(0, hsaKmtWaitOnEvent(event, 0));
	CHECK_EQ(0, hsaKmtDestroyEvent(event));
	CHECK_EQ(0, hsaKmtFreeMemory(p, 4096));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(fork_child, "B092 B083: not opened, no ioctl, no crash; its own open works; parent untouched")
{
	fork_with(fork);
}

TEST(clone_child, "B092: the same for a child that libc did not make")
{
	fork_with(raw_fork);
}

TEST(fork_memory, "B095: the library's host memory and device pages are not in a child")
{
	uint64_t *slot;
	char *p;
	pid_t pid;
	int status;

	fake_kfd_install(fixture_load("vega10"), 1);
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(0, hsaKmtAllocMemory(0, 4096, host, (void **)&p));
	*p = 1;
	slot = thunk.gpus[0].mmio;
	CHECK(slot);
	pid = fork();
	if (!pid) {
		unsigned char resident;

		/* mincore() knows no mapping there */
		CHECK(syscall(SYS_mincore, p, 4096, &resident) < 0);
		CHECK(syscall(SYS_mincore, slot, 4096, &resident) < 0);
		test_child_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_EQ(0, status);
	CHECK_EQ(1, *p);
	CHECK_EQ(0, hsaKmtFreeMemory(p, 4096));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

static void fork_chain(int depth, int fds)
{
	pid_t pid;

	CHECK_EQ(0, hsaKmtOpenKFD());
	/* kfd and render node, nothing inherited */
	CHECK_EQ(fds, count_fds());
	if (!depth)
		return;
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		fork_chain(depth - 1, fds);
		test_child_exit(0);
	}
	wait_ok(pid);
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(fork_chain_50, "B094: 50 generations that each open: no descriptor more in any")
{
	int fds;

	fake_kfd_install(fixture_load("vega10"), 1);
	CHECK_EQ(0, hsaKmtOpenKFD());
	fds = count_fds();
	CHECK_EQ(0, hsaKmtCloseKFD());
	fork_chain(50, fds);
}

static atomic_bool stop;

static void *churn(void *arg)
{
	void *p;

	(void)arg;
	while (!stop) {
		if (hsaKmtAllocMemory(0, 4096, host, &p) || hsaKmtFreeMemory(p, 4096))
			return "churn";
	}
	return NULL;
}

TEST(fork_under_load, "a fork while another thread allocates: the child opens, the parent goes on")
{
	pthread_t thread;
	void *result;
	int i;

	fake_kfd_install(fixture_load("vega10"), 1);
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK(!pthread_create(&thread, NULL, churn, NULL));
	for (i = 0; i < 30; i++) {
		pid_t pid = fork();

		CHECK(pid >= 0);
		if (!pid) {
			check_own_child();
			test_child_exit(0);
		}
		wait_ok(pid);
	}
	stop = true;
	CHECK(!pthread_join(thread, &result));
	CHECK(!result);
	CHECK_EQ(0, hsaKmtCloseKFD());
}
