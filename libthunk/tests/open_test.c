// SPDX-License-Identifier: MIT
/* DOC: opening, closing, statuses, and what is left behind. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kfd_ioctl.h>
#include <string.h>
#include <unistd.h>

#include "fake_kfd.h"
#include "fixture.h"
#include "hsakmt/hsakmt.h"
#include "thunk_ioctl.h"
#include "thunk_test.h"

/* A mapping in the fake's log. */
#define MMAP	0x100

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

static int count_maps(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[1024];
	int count = 0;

	CHECK(maps);
	while (fgets(line, sizeof(line), maps))
		count++;
	fclose(maps);
	return count;
}

TEST(open_sequence, "the ioctls of an open, in the order that the KFD's clients rely on")
{
	fake_kfd_install(fixture_load("vega10"), 1);
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK(fake_log_is(0, 0x01, 0x14, 0x15, 0x04, 0x16, MMAP, 0x18, 0));
	CHECK_EQ(HSAKMT_STATUS_KERNEL_ALREADY_OPENED, hsaKmtOpenKFD());
	CHECK_EQ(0, hsaKmtCloseKFD());
	CHECK_EQ(1, fake.open_fds);
	CHECK_EQ(1, fake.bos);
	CHECK_EQ(0, hsaKmtCloseKFD());
	CHECK(fake_log_is(7, 0x19, 0x17, 0));
	/* the descriptor stays: the driver may drop the process with it */
	CHECK_EQ(1, fake.open_fds);
	CHECK_EQ(0, fake.bos);
	CHECK_EQ(HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED, hsaKmtCloseKFD());
}

TEST(open_1000_times, "1000 opens and closes: descriptors and buffers as after one")
{
	int fds, maps;
	int i;

	fake_kfd_install(fixture_load("vega10"), 1);
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(0, hsaKmtCloseKFD());
	fds = count_fds();
	maps = count_maps();
	for (i = 0; i < 1000; i++) {
		CHECK_EQ(0, hsaKmtOpenKFD());
		CHECK_EQ(0, hsaKmtCloseKFD());
	}
	CHECK_EQ(fds, count_fds());
	/* the sanitizer's heap may grow by a few */
	CHECK(count_maps() <= maps + 8);
	CHECK_EQ(0, fake.bos);
	CHECK_EQ(1, fake.open_fds);
}

TEST(open_fails_anywhere, "each call of an open fails once: clean status, nothing left")
{
	int total, i;

	fake_kfd_install(fixture_load("two_gpus"), 2);
	CHECK_EQ(0, hsaKmtOpenKFD());
	total = fake.calls;
	CHECK_EQ(0, hsaKmtCloseKFD());
	for (i = 1; i <= total; i++) {
		HSAKMT_STATUS status;

		fake.calls = 0;
		fake.fail_call = i;
		fake.fail_errno = EIO;
		status = hsaKmtOpenKFD();
		fake.fail_call = 0;
		/* only the flush pages may be missing */
		CHECK(status == HSAKMT_STATUS_SUCCESS ||
		      status == HSAKMT_STATUS_KERNEL_COMMUNICATION_ERROR);
		if (status == HSAKMT_STATUS_SUCCESS)
			CHECK_EQ(0, hsaKmtCloseKFD());
		CHECK_EQ(0, fake.bos);
		CHECK_EQ(1, fake.open_fds);
	}
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(open_refusals, "no device, a foreign version, a GPU that sees too little")
{
	fake_kfd_install(fixture_load("vega10"), 1);
	fixture_remove("dev/kfd");
	CHECK_EQ(HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED, hsaKmtOpenKFD());
	CHECK_EQ(0, fake.calls);
	fixture_write("dev/kfd", "");
	fake.gpuvm_limit = (1ULL << 40) - 1;
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, hsaKmtOpenKFD());
	fake.gpuvm_limit = (1ULL << 47) - 1;
	fake.major = 2;
	CHECK_EQ(HSAKMT_STATUS_DRIVER_MISMATCH, hsaKmtOpenKFD());
	CHECK_EQ(0, fake.bos);
}

TEST(open_without_gpu, "a machine with CPU nodes only opens")
{
	HsaSystemProperties system;

	fake_kfd_install(fixture_load("cpu_only"), 0);
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(0, hsaKmtAcquireSystemProperties(&system));
	CHECK_EQ(1, system.NumNodes);
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(version_and_clocks, "version as reported; clocks of a GPU and of the CPU node")
{
	HsaVersionInfo version;
	HsaClockCounters clocks;

	fake_kfd_install(fixture_load("vega10"), 1);
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(0, hsaKmtGetVersion(&version));
	CHECK_EQ(1, version.KernelInterfaceMajorVersion);
	CHECK_EQ(11, version.KernelInterfaceMinorVersion);
	CHECK_EQ(0, hsaKmtGetClockCounters(1, &clocks));
	CHECK_EQ(1000, clocks.GPUClockCounter);
	CHECK_EQ(1000000000, clocks.SystemClockFrequencyHz);
	CHECK_EQ(0, hsaKmtGetClockCounters(0, &clocks));
	CHECK_EQ(0, clocks.GPUClockCounter);
	CHECK_EQ(HSAKMT_STATUS_INVALID_NODE_UNIT, hsaKmtGetClockCounters(2, &clocks));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(xnack, "query answers, switching on is not supported, old drivers are not asked")
{
	HSAint32 mode = 5;

	fake_kfd_install(fixture_load("vega10"), 1);
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(0, hsaKmtGetXNACKMode(&mode));
	CHECK_EQ(0, mode);
	CHECK_EQ(0, hsaKmtSetXNACKMode(0));
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, hsaKmtSetXNACKMode(1));
	CHECK_EQ(0, hsaKmtCloseKFD());
	fake.minor = 4;
	fake.count[0x21] = 0;
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, hsaKmtGetXNACKMode(&mode));
	CHECK_EQ(0, fake.count[0x21]);
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(status_table, "B088: errno of the driver to status; EINTR and EAGAIN are repeated")
{
	HsaClockCounters clocks;

	CHECK_EQ(HSAKMT_STATUS_SUCCESS, thunk_status(0));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, thunk_status(-EINVAL));
	CHECK_EQ(HSAKMT_STATUS_NO_MEMORY, thunk_status(-ENOMEM));
	CHECK_EQ(HSAKMT_STATUS_OUT_OF_RESOURCES, thunk_status(-ENOSPC));
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, thunk_status(-ENOTTY));
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, thunk_status(-524));
	CHECK_EQ(HSAKMT_STATUS_UNAVAILABLE, thunk_status(-EBUSY));
	CHECK_EQ(HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED, thunk_status(-EBADF));
	CHECK_EQ(HSAKMT_STATUS_ERROR, thunk_status(-EPERM));

	fake_kfd_install(fixture_load("vega10"), 1);
	CHECK_EQ(0, hsaKmtOpenKFD());
	fake.busy = 50;
	CHECK_EQ(0, hsaKmtGetClockCounters(1, &clocks));
	CHECK_EQ(51, fake.count[0x05]);
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(runtime_enable, "version 1.13: mode, address, answer; once; each errno has its status")
{
	HSAuint32 caps = 1;

	fake_kfd_install(fixture_load("vega10"), 1);
	fake.minor = 13;
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(0, hsaKmtGetRuntimeCapabilities(&caps));
	CHECK_EQ(0, caps);
	CHECK_EQ(0, hsaKmtRuntimeEnable(&caps, true));
	CHECK_EQ((uintptr_t)&caps, fake.runtime.r_debug);
	CHECK_EQ(3, fake.runtime.mode);
	CHECK_EQ(HSAKMT_STATUS_UNAVAILABLE, hsaKmtRuntimeEnable(NULL, false));
	CHECK_EQ(0, hsaKmtGetRuntimeCapabilities(&caps));
	CHECK_EQ(0x5a, caps);
	CHECK_EQ(0, hsaKmtRuntimeDisable());
	CHECK_EQ(0, fake.runtime.mode);
	CHECK_EQ(0, hsaKmtRuntimeDisable());
	CHECK_EQ(0, hsaKmtRuntimeEnable(NULL, false));
	CHECK_EQ(1, fake.runtime.mode);
	CHECK_EQ(0, hsaKmtRuntimeDisable());
	fake.queues = 1;
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtRuntimeEnable(NULL, false));
	fake.queues = 0;
	fake.fail_nr = 0x25;
	fake.fail_errno = ENOTTY;
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, hsaKmtRuntimeEnable(NULL, false));
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, hsaKmtRuntimeDisable());
	fake.fail_nr = 0;
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtGetRuntimeCapabilities(NULL));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(runtime_enable_old, "before 1.13 the question gets NOT_SUPPORTED exactly, without an ioctl")
{
	int calls;

	fake_kfd_install(fixture_load("vega10"), 1);
	CHECK_EQ(0, hsaKmtOpenKFD());
	calls = fake.calls;
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, hsaKmtRuntimeEnable(NULL, true));
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, hsaKmtRuntimeDisable());
	CHECK_EQ(calls, fake.calls);
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(null_pointers, "NULL for what a call writes is refused without an ioctl")
{
	HsaSystemProperties system;
	int calls;

	fake_kfd_install(fixture_load("vega10"), 1);
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(0, hsaKmtAcquireSystemProperties(&system));
	calls = fake.calls;
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtGetVersion(NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtGetClockCounters(0, NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtGetXNACKMode(NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtAcquireSystemProperties(NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtGetNodeProperties(0, NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtGetNodeMemoryProperties(0, 1, NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtGetNodeCacheProperties(0, 0, 1, NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtGetNodeIoLinkProperties(0, 1, NULL));
	CHECK_EQ(calls, fake.calls);
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(system_calls, "the ops that the library has by default are the system's")
{
	int fd = thunk_sys_default.open("/dev/null", O_RDWR | O_CLOEXEC);

	CHECK(fd >= 0);
	CHECK_EQ(-1, thunk_sys_default.ioctl(fd, AMDKFD_IOC_GET_VERSION, NULL));
	CHECK_EQ(ENOTTY, errno);
	CHECK_EQ(0, thunk_sys_default.close(fd));
	CHECK(thunk_sys == &thunk_sys_default);
}
