// SPDX-License-Identifier: MIT
/* DOC: every call of the library while the channel is closed. */
#include <sys/wait.h>
#include <unistd.h>

#include "fake_kfd.h"
#include "fixture.h"
#include "hsakmt/hsakmt.h"
#include "thunk_test.h"

static int checked;

#define ONE(call)								\
	do {									\
		CHECK_EQ(HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED, call);	\
		checked++;							\
	} while (0)

static void call_first_half(void)
{
	ONE(hsaKmtCloseKFD());
	ONE(hsaKmtGetVersion(NULL));
	ONE(hsaKmtAcquireSystemProperties(NULL));
	ONE(hsaKmtReleaseSystemProperties());
	ONE(hsaKmtGetNodeProperties(0, NULL));
	ONE(hsaKmtGetNodeMemoryProperties(0, 0, NULL));
	ONE(hsaKmtGetNodeCacheProperties(0, 0, 0, NULL));
	ONE(hsaKmtGetNodeIoLinkProperties(0, 0, NULL));
	ONE(hsaKmtCreateEvent(NULL, false, false, NULL));
	ONE(hsaKmtDestroyEvent(NULL));
	ONE(hsaKmtSetEvent(NULL));
	ONE(hsaKmtResetEvent(NULL));
	ONE(hsaKmtQueryEventState(NULL));
	ONE(hsaKmtWaitOnEvent(NULL, 0));
	ONE(hsaKmtWaitOnMultipleEvents(NULL, 0, false, 0));
	ONE(hsaKmtCreateQueue(0, 0, 0, 0, NULL, 0, NULL, NULL));
	ONE(hsaKmtUpdateQueue(0, 0, 0, NULL, 0, NULL));
	ONE(hsaKmtDestroyQueue(0));
	ONE(hsaKmtSetQueueCUMask(0, 0, NULL));
	ONE(hsaKmtGetQueueInfo(0, NULL));
	ONE(hsaKmtAllocQueueGWS(0, 0, NULL));
	ONE(hsaKmtSetTrapHandler(0, NULL, 0, NULL, 0));
	ONE(hsaKmtSetMemoryPolicy(0, 0, 0, NULL, 0));
	ONE(hsaKmtFreeMemory(NULL, 0));
	ONE(hsaKmtRegisterMemory(NULL, 0));
	ONE(hsaKmtRegisterMemoryToNodes(NULL, 0, 0, NULL));
	ONE(hsaKmtDeregisterMemory(NULL));
	ONE(hsaKmtMapMemoryToGPU(NULL, 0, NULL));
	ONE(hsaKmtUnmapMemoryToGPU(NULL));
	ONE(hsaKmtQueryPointerInfo(NULL, NULL));
	ONE(hsaKmtSetMemoryUserData(NULL, NULL));
	ONE(hsaKmtGetTileConfig(0, NULL));
	ONE(hsaKmtOpenSMI(0, NULL));
	ONE(hsaKmtWaitOnEvent_Ext(NULL, 0, NULL));
	ONE(hsaKmtWaitOnMultipleEvents_Ext(NULL, 0, false, 0, NULL));
	ONE(hsaKmtShareMemory(NULL, 0, NULL));
	ONE(hsaKmtRegisterSharedHandle(NULL, NULL, NULL));
	ONE(hsaKmtRegisterSharedHandleToNodes(NULL, NULL, NULL, 0, NULL));
	ONE(hsaKmtExportDMABufHandle(NULL, 0, NULL, NULL));
	ONE(hsaKmtAvailableMemory(0, NULL));
	ONE(hsaKmtRegisterGraphicsHandleToNodes(0, NULL, 0, NULL));
	ONE(hsaKmtMapGraphicHandle(0, 0, 0, 0, 0, NULL));
	ONE(hsaKmtUnmapGraphicHandle(0, 0, 0));
	ONE(hsaKmtProcessVMRead(0, NULL, 0, NULL, 0, NULL));
	ONE(hsaKmtProcessVMWrite(0, NULL, 0, NULL, 0, NULL));
	ONE(hsaKmtSVMSetAttr(NULL, 0, 0, NULL));
	ONE(hsaKmtSVMGetAttr(NULL, 0, 0, NULL));
}

static void call_second_half(void)
{
	HsaMemFlags flags = { .Value = 0 };
	HsaMemMapFlags map_flags = { .Value = 0 };

	ONE(hsaKmtSetXNACKMode(0));
	ONE(hsaKmtGetXNACKMode(NULL));
	ONE(hsaKmtGetClockCounters(0, NULL));
	ONE(hsaKmtRuntimeEnable(NULL, false));
	ONE(hsaKmtRuntimeDisable());
	ONE(hsaKmtGetRuntimeCapabilities(NULL));
	ONE(hsaKmtGetKernelDebugTrapVersionInfo(NULL, NULL));
	ONE(hsaKmtDbgRegister(0));
	ONE(hsaKmtDbgUnregister(0));
	ONE(hsaKmtDbgWavefrontControl(0, 0, 0, 0, NULL));
	ONE(hsaKmtDbgAddressWatch(0, 0, NULL, NULL, NULL, NULL));
	ONE(hsaKmtPmcGetCounterProperties(0, NULL));
	ONE(hsaKmtPmcRegisterTrace(0, 0, NULL, NULL));
	ONE(hsaKmtPmcUnregisterTrace(0, 0));
	ONE(hsaKmtPmcAcquireTraceAccess(0, 0));
	ONE(hsaKmtPmcReleaseTraceAccess(0, 0));
	ONE(hsaKmtPmcStartTrace(0, NULL, 0));
	ONE(hsaKmtPmcQueryTrace(0));
	ONE(hsaKmtPmcStopTrace(0));
	ONE(hsaKmtSPMAcquire(0));
	ONE(hsaKmtSPMRelease(0));
	ONE(hsaKmtSPMSetDestBuffer(0, 0, NULL, NULL, NULL, NULL));
	ONE(hsaKmtAllocMemory(0, 0, flags, NULL));
	ONE(hsaKmtRegisterMemoryWithFlags(NULL, 0, flags));
	ONE(hsaKmtMapMemoryToGPUNodes(NULL, 0, NULL, map_flags, 0, NULL));
}

static void call_all(void)
{
	int calls = fake.calls;

	checked = 0;
	call_first_half();
	call_second_half();
	/* all of the interface but the open itself */
	CHECK_EQ(72, checked);
	CHECK_EQ(calls, fake.calls);
}

TEST(calls_while_closed, "B083: before open, after close, in a child: each call says so")
{
	int status;
	pid_t pid;

	call_all();
	fake_kfd_install(fixture_load("vega10"), 1);
	CHECK_EQ(0, hsaKmtOpenKFD());
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		call_all();
		test_child_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_EQ(0, status);
	CHECK_EQ(0, hsaKmtCloseKFD());
	call_all();
}
