// SPDX-License-Identifier: MIT
/* DOC: memory for other processes: handles, dma-bufs, and what is left of it. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_kfd.h"
#include "fixture.h"
#include "hsakmt/hsakmt.h"
#include "thunk_log.h"
#include "thunk_test.h"

#define SIZE	0x20000

static const HsaMemFlags host = { .ui32 = { .HostAccess = 1 } };
static const HsaMemFlags vram = { .ui32 = { .NonPaged = 1, .HostAccess = 1 } };
static const HsaMemFlags hidden_vram = { .ui32 = { .NonPaged = 1 } };
static uint32_t base_bos;
static char *mem;

static void start_with(HsaMemFlags flags)
{
	HsaSystemProperties system;
	void *p;

	fake_kfd_install(fixture_load("two_gpus"), 2);
	fake.extras = true;
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(0, hsaKmtAcquireSystemProperties(&system));
	CHECK_EQ(0, hsaKmtAllocMemory(1, SIZE, flags, &p));
	mem = p;
	base_bos = fake.bos;
}

static void finish(void)
{
	CHECK_EQ(base_bos, fake.bos);
	CHECK_EQ(0, hsaKmtFreeMemory(mem, SIZE));
	CHECK_EQ(0, fake.dmabufs);
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(share_and_register, "a handle: size, addresses of its own, mapping, pointer query, end")
{
	HsaSharedMemoryHandle handle;
	HSAuint32 node = 1, other = 2;
	HsaMemMapFlags none = { .Value = 0 };
	HsaPointerInfo pointer;
	HSAuint64 size = 0;
	void *p = NULL;

	start_with(vram);
	CHECK_EQ(0, hsaKmtShareMemory(mem, SIZE, &handle));
	CHECK_EQ(0, hsaKmtRegisterSharedHandleToNodes(&handle, &p, &size, 1, &node));
	CHECK_EQ(base_bos + 1, fake.bos);
	CHECK_EQ(SIZE, size);
	CHECK(p && p != mem);
	/* the one behind the handle; what was taken is closed */
	CHECK_EQ(1, fake.dmabufs);
	memset(p, 0x5a, size);
	CHECK_EQ(0, hsaKmtMapMemoryToGPU(p, size, NULL));
	CHECK_EQ(0, hsaKmtQueryPointerInfo((char *)p + SIZE - 1, &pointer));
	CHECK_EQ(HSA_POINTER_REGISTERED_SHARED, pointer.Type);
	CHECK_EQ(1, pointer.Node);
	CHECK_EQ(1, pointer.NMappedNodes);
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtMapMemoryToGPUNodes(p, size, NULL, none, 1, &other));
	CHECK_EQ(0, hsaKmtDeregisterMemory(p));
	/* a part of it, for all GPUs */
	CHECK_EQ(0, hsaKmtShareMemory(mem, 0x3000, &handle));
	CHECK_EQ(1, fake.count[0x24]);
	CHECK_EQ(0, hsaKmtRegisterSharedHandle(&handle, &p, &size));
	CHECK_EQ(0x3000, size);
	CHECK_EQ(0, hsaKmtMapMemoryToGPU(p, size, NULL));
	CHECK_EQ(0, hsaKmtQueryPointerInfo(p, &pointer));
	CHECK_EQ(2, pointer.NMappedNodes);
	CHECK_EQ(0, hsaKmtUnmapMemoryToGPU(p));
	CHECK_EQ(0, hsaKmtDeregisterMemory(p));
	finish();
}

TEST(share_hidden, "memory without access for the CPU stays so for the importer's")
{
	HsaSharedMemoryHandle handle;
	HSAuint64 size;
	void *p;

	start_with(hidden_vram);
	CHECK_EQ(0, hsaKmtShareMemory(mem, SIZE, &handle));
	CHECK_EQ(0, hsaKmtRegisterSharedHandle(&handle, &p, &size));
	CHECK_EQ(0, hsaKmtFreeMemory(p, size));
	finish();
}

TEST(share_refusals, "what cannot be shared: other memory, places, sizes, drivers")
{
	HsaSharedMemoryHandle handle;
	void *p;

	start_with(vram);
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtShareMemory(mem, SIZE, NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtShareMemory(NULL, SIZE, &handle));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtShareMemory(mem + 4096, 4096, &handle));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtShareMemory(mem, 0, &handle));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtShareMemory(mem, SIZE + 1, &handle));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtShareMemory(mem, 1ULL << 44, &handle));
	CHECK_EQ(0, fake.count[0x24]);
	CHECK_EQ(0, hsaKmtAllocMemory(0, SIZE, host, &p));
	CHECK_EQ(HSAKMT_STATUS_ERROR, hsaKmtShareMemory(p, SIZE, &handle));
	CHECK_EQ(0, hsaKmtFreeMemory(p, SIZE));
	fake.extras = false;
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, hsaKmtShareMemory(mem, SIZE, &handle));
	finish();
}

TEST(handle_refusals, "B124: forged, late, and of processes that are gone or out of reach")
{
	HsaSharedMemoryHandle handle, bad;
	HSAuint32 none = 9;
	HSAuint64 size;
	unsigned int i;
	void *p;

	start_with(vram);
	CHECK_EQ(0, hsaKmtShareMemory(mem, SIZE, &handle));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtRegisterSharedHandle(NULL, &p, &size));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtRegisterSharedHandle(&handle, NULL, &size));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtRegisterSharedHandle(&handle, &p, NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_NODE_UNIT,
		 hsaKmtRegisterSharedHandleToNodes(&handle, &p, &size, 1, &none));
	/* any bit of it */
	for (i = 0; i < 256; i++) {
		memcpy(bad, handle, sizeof(bad));
		bad[i / 32] ^= 1u << i % 32;
		/* a smaller size is a smaller part */
		if (hsaKmtRegisterSharedHandle((const HsaSharedMemoryHandle *)&bad, &p, &size))
			continue;
		CHECK(i >= 192 && size < SIZE);
		CHECK_EQ(0, hsaKmtDeregisterMemory(p));
	}
	memset(bad, 0, sizeof(bad));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtRegisterSharedHandle((const HsaSharedMemoryHandle *)&bad, &p, &size));
	fake.take_errno = ESRCH;
	CHECK_EQ(HSAKMT_STATUS_INVALID_HANDLE, hsaKmtRegisterSharedHandle(&handle, &p, &size));
	fake.take_errno = EPERM;
	CHECK_EQ(HSAKMT_STATUS_ERROR, hsaKmtRegisterSharedHandle(&handle, &p, &size));
	fake.take_errno = EMFILE;
	CHECK_EQ(HSAKMT_STATUS_OUT_OF_RESOURCES, hsaKmtRegisterSharedHandle(&handle, &p, &size));
	fake.take_errno = 0;
	CHECK_EQ(1, fake.dmabufs);
	finish();
}

TEST(handle_after_free, "B124 B127: freed memory has no descriptor; its number may be another's")
{
	HsaSharedMemoryHandle handle;
	HSAuint64 size;
	int fd, number;
	void *p;

	start_with(vram);
	CHECK_EQ(0, hsaKmtAllocMemory(1, SIZE, vram, &p));
	CHECK_EQ(0, hsaKmtShareMemory(p, SIZE, &handle));
	number = (int)handle[2];
	CHECK_EQ(0, hsaKmtFreeMemory(p, SIZE));
	CHECK_EQ(0, fake.dmabufs);
	CHECK_EQ(HSAKMT_STATUS_INVALID_HANDLE, hsaKmtRegisterSharedHandle(&handle, &p, &size));
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	CHECK_EQ(number, dup2(fd, number));
	CHECK_EQ(HSAKMT_STATUS_INVALID_HANDLE, hsaKmtRegisterSharedHandle(&handle, &p, &size));
	if (fd != number)
		close(number);
	close(fd);
	finish();
}

TEST(handle_fails_anywhere, "each ioctl and mapping of an import fails once: nothing is left")
{
	HsaSharedMemoryHandle handle;
	HSAuint64 size;
	void *p;
	int i;

	start_with(vram);
	CHECK_EQ(0, hsaKmtShareMemory(mem, SIZE, &handle));
	for (i = 1; i <= 3; i++) {
		fake.calls = 0;
		fake.fail_call = i;
		fake.fail_errno = ENOMEM;
		CHECK_EQ(HSAKMT_STATUS_NO_MEMORY, hsaKmtRegisterSharedHandle(&handle, &p, &size));
		CHECK_EQ(base_bos, fake.bos);
		CHECK_EQ(1, fake.dmabufs);
	}
	fake.fail_call = 0;
	/* the buffer is smaller than the handle says */
	fake.dmabuf_size = SIZE / 2;
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtRegisterSharedHandle(&handle, &p, &size));
	finish();
}

TEST(share_fork, "a child that opens for itself has no descriptor of its parent's memory")
{
	HsaSharedMemoryHandle handle;
	int status;
	pid_t pid;

	start_with(vram);
	CHECK_EQ(0, hsaKmtShareMemory(mem, SIZE, &handle));
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		CHECK_EQ(0, hsaKmtOpenKFD());
		CHECK_EQ(-1, fcntl((int)handle[2], F_GETFD));
		CHECK_EQ(0, hsaKmtCloseKFD());
		test_child_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_EQ(0, status);
	CHECK(fcntl((int)handle[2], F_GETFD) >= 0);
	finish();
}

TEST(export_dmabuf, "a descriptor of the caller's own, and where in it the address is")
{
	HSAuint64 offset = 77;
	int fd = -1;
	void *p;

	start_with(vram);
	CHECK_EQ(0, hsaKmtExportDMABufHandle(mem + 0x1234, SIZE - 0x1234, &fd, &offset));
	CHECK_EQ(0x1234, offset);
	CHECK_EQ(FD_CLOEXEC, fcntl(fd, F_GETFD));
	close(fd);
	fake.dmabufs--;
	CHECK_EQ(0, hsaKmtExportDMABufHandle(mem, SIZE, &fd, &offset));
	CHECK_EQ(0, offset);
	close(fd);
	fake.dmabufs--;
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtExportDMABufHandle(mem + 1, SIZE, &fd, &offset));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtExportDMABufHandle(mem, ~0ULL, &fd, &offset));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtExportDMABufHandle(NULL, 4096, &fd, &offset));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtExportDMABufHandle(mem, SIZE, NULL, &offset));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtExportDMABufHandle(mem, SIZE, &fd, NULL));
	CHECK_EQ(0, hsaKmtAllocMemory(0, SIZE, host, &p));
	CHECK_EQ(HSAKMT_STATUS_ERROR, hsaKmtExportDMABufHandle(p, SIZE, &fd, &offset));
	CHECK_EQ(0, hsaKmtFreeMemory(p, SIZE));
	fake.extras = false;
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, hsaKmtExportDMABufHandle(mem, SIZE, &fd, &offset));
	finish();
}

TEST(available, "wish 1: what the driver tells of a GPU; other nodes and old drivers")
{
	HSAuint64 bytes = 5;

	start_with(vram);
	fake.available = 3ULL << 32;
	CHECK_EQ(0, hsaKmtAvailableMemory(2, &bytes));
	CHECK_EQ(3ULL << 32, bytes);
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtAvailableMemory(1, NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_NODE_UNIT, hsaKmtAvailableMemory(0, &bytes));
	CHECK_EQ(HSAKMT_STATUS_INVALID_NODE_UNIT, hsaKmtAvailableMemory(9, &bytes));
	fake.fail_nr = 0x23;
	fake.fail_errno = EOPNOTSUPP;
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, hsaKmtAvailableMemory(1, &bytes));
	CHECK_EQ(3ULL << 32, bytes);
	finish();
	fake.fail_nr = 0;
	fake.minor = 8;
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, hsaKmtAvailableMemory(1, &bytes));
	CHECK_EQ(0, hsaKmtCloseKFD());
}
