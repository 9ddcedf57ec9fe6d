// SPDX-License-Identifier: MIT
/* DOC: calls that a driver may have or not: waves of queues, SVM ranges, dma-bufs. */
#include <errno.h>
#include <linux/kfd_ioctl.h>
#include <stdint.h>
#include <string.h>

#include "fake_kfd.h"
#include "fixture.h"
#include "hsakmt/hsakmt.h"
#include "thunk_test.h"

#define RING_SIZE	(1 << 20)

static const HsaMemFlags host = { .ui32 = { .HostAccess = 1 } };
static HSAuint64 pointers[2];
static void *ring;
static uint32_t base_bos;

static void start(bool extras)
{
	HsaSystemProperties system;

	fake_kfd_install(fixture_load("two_gpus"), 2);
	fake.extras = extras;
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(0, hsaKmtAcquireSystemProperties(&system));
	CHECK_EQ(0, hsaKmtAllocMemory(0, RING_SIZE, host, &ring));
	base_bos = fake.bos;
}

static HSA_QUEUEID create(HSA_QUEUE_TYPE type)
{
	HsaQueueResource resource = {
		.Queue_write_ptr_aql = &pointers[0], .Queue_read_ptr_aql = &pointers[1],
	};

	CHECK_EQ(0, hsaKmtCreateQueue(1, type, 100, 0, ring, RING_SIZE, NULL, &resource));
	return resource.QueueId;
}

static void finish(void)
{
	CHECK_EQ(0, hsaKmtFreeMemory(ring, RING_SIZE));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(cu_mask, "a mask reaches the driver and the queue's info; bad ones are refused here")
{
	HSAuint32 mask[2] = { 0xff, 1 };
	HSAuint32 less = 0x0f;
	HsaQueueInfo info;
	HSA_QUEUEID queue;
	int calls;

	start(true);
	queue = create(HSA_QUEUE_COMPUTE_AQL);
	CHECK_EQ(0, hsaKmtSetQueueCUMask(queue, 64, mask));
	CHECK_EQ(0xff, fake.cu_mask);
	CHECK_EQ(0, hsaKmtSetQueueCUMask(queue, 32, &less));
	less = 0;
	CHECK_EQ(0, hsaKmtGetQueueInfo(queue, &info));
	CHECK_EQ(32, info.NumCUAssigned);
	CHECK_EQ(0x0f, info.CUMaskInfo[0]);
	calls = fake.calls;
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtSetQueueCUMask(queue, 0, mask));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtSetQueueCUMask(queue, 33, mask));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtSetQueueCUMask(queue, 2048, mask));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtSetQueueCUMask(queue, 32, NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtSetQueueCUMask(queue + 1, 32, mask));
	CHECK_EQ(calls, fake.calls);
	fake.fail_nr = 0x1a;
	fake.fail_errno = ENOMEM;
	CHECK_EQ(HSAKMT_STATUS_NO_MEMORY, hsaKmtSetQueueCUMask(queue, 64, mask));
	fake.fail_nr = 0;
	/* the old mask stays */
	CHECK_EQ(0, hsaKmtGetQueueInfo(queue, &info));
	CHECK_EQ(32, info.NumCUAssigned);
	CHECK_EQ(0, hsaKmtDestroyQueue(queue));
	finish();
}

TEST(queue_info, "where a stopped queue's waves are; SDMA queues have none")
{
	HsaQueueInfo info;
	HSA_QUEUEID aql, sdma;

	start(true);
	aql = create(HSA_QUEUE_COMPUTE_AQL);
	sdma = create(HSA_QUEUE_SDMA);
	CHECK_EQ(0, hsaKmtGetQueueInfo(aql, &info));
	CHECK_EQ(0, info.NumCUAssigned);
	CHECK(!info.CUMaskInfo);
	CHECK_EQ(0x5000, (char *)info.UserContextSaveArea - (char *)info.SaveAreaHeader);
	CHECK_EQ(0x2000, info.SaveAreaSizeInBytes);
	CHECK_EQ(0x100, info.ControlStackUsedInBytes);
	CHECK_EQ(0x100, (char *)info.UserContextSaveArea - (char *)info.ControlStackTop);
	/* the head says where the debugger's part is: it is the queue's own */
	CHECK(info.SaveAreaHeader->DebugSize);
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, hsaKmtGetQueueInfo(sdma, &info));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtGetQueueInfo(aql, NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtGetQueueInfo(0, &info));
	fake.extras = false;
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtGetQueueInfo(aql, &info));
	CHECK_EQ(0, hsaKmtDestroyQueue(aql));
	CHECK_EQ(0, hsaKmtDestroyQueue(sdma));
	finish();
}

TEST(queue_gws, "GWS: first one, none left, a GPU without any")
{
	HSAuint32 first = 7;
	HSA_QUEUEID queue;

	start(true);
	queue = create(HSA_QUEUE_COMPUTE_AQL);
	CHECK_EQ(0, hsaKmtAllocQueueGWS(queue, 16, &first));
	CHECK_EQ(0, first);
	CHECK_EQ(0, hsaKmtAllocQueueGWS(queue, 16, NULL));
	CHECK_EQ(HSAKMT_STATUS_OUT_OF_RESOURCES, hsaKmtAllocQueueGWS(queue, 65, &first));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtAllocQueueGWS(queue + 1, 1, &first));
	fake.extras = false;
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, hsaKmtAllocQueueGWS(queue, 1, &first));
	CHECK_EQ(0, hsaKmtDestroyQueue(queue));
	finish();
}

TEST(svm_attributes, "nodes become GPU ids and back; system memory and anywhere are named")
{
	HSA_SVM_ATTRIBUTE set[] = {
		{ HSA_SVM_ATTR_PREFERRED_LOC, 2 }, { HSA_SVM_ATTR_PREFETCH_LOC, 0 },
		{ HSA_SVM_ATTR_ACCESS, 1 }, { HSA_SVM_ATTR_SET_FLAGS, HSA_SVM_FLAG_COHERENT },
		{ HSA_SVM_ATTR_GRANULARITY, 9 },
	};
	HSA_SVM_ATTRIBUTE get[] = {
		{ HSA_SVM_ATTR_PREFERRED_LOC, 0 }, { HSA_SVM_ATTR_PREFETCH_LOC, 0 },
		{ HSA_SVM_ATTR_ACCESS, 1 }, { HSA_SVM_ATTR_SET_FLAGS, 0 },
	};

	start(true);
	CHECK_EQ(0, hsaKmtSVMSetAttr(ring, RING_SIZE, 5, set));
	CHECK_EQ(FAKE_GPU_1, fake.svm_value[KFD_IOCTL_SVM_ATTR_PREFERRED_LOC]);
	CHECK_EQ(KFD_IOCTL_SVM_LOCATION_SYSMEM, fake.svm_value[KFD_IOCTL_SVM_ATTR_PREFETCH_LOC]);
	CHECK_EQ(FAKE_GPU_0, fake.svm_value[KFD_IOCTL_SVM_ATTR_ACCESS]);
	CHECK_EQ(9, fake.svm_value[KFD_IOCTL_SVM_ATTR_GRANULARITY]);
	/* the caller's list is only read */
	CHECK_EQ(2, set[0].value);
	CHECK_EQ(0, hsaKmtSVMGetAttr(ring, RING_SIZE, 4, get));
	CHECK_EQ(2, get[0].value);
	CHECK_EQ(0, get[1].value);
	CHECK_EQ(1, get[2].value);
	CHECK_EQ(HSA_SVM_FLAG_COHERENT, get[3].value);
	set[0].value = INVALID_NODEID;
	CHECK_EQ(0, hsaKmtSVMSetAttr(ring, RING_SIZE, 1, set));
	CHECK_EQ(KFD_IOCTL_SVM_LOCATION_UNDEFINED,
		 fake.svm_value[KFD_IOCTL_SVM_ATTR_PREFERRED_LOC]);
	CHECK_EQ(0, hsaKmtSVMGetAttr(ring, RING_SIZE, 1, get));
	CHECK_EQ(INVALID_NODEID, get[0].value);
	finish();
}

TEST(svm_refusals, "addresses, sizes, counts, nodes; drivers without SVM or before 1.5")
{
	HSA_SVM_ATTRIBUTE access = { HSA_SVM_ATTR_NO_ACCESS, 0 };
	HSA_SVM_ATTRIBUTE place = { HSA_SVM_ATTR_PREFERRED_LOC, 9 };
	HSA_SVM_ATTRIBUTE fine = { HSA_SVM_ATTR_GRANULARITY, 9 };
	char *p;

	start(true);
	p = ring;
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtSVMSetAttr(NULL, 4096, 1, &fine));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtSVMSetAttr(p, 0, 1, &fine));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtSVMSetAttr(p + 1, 4096, 1, &fine));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtSVMSetAttr(p, 4095, 1, &fine));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtSVMSetAttr(p, 4096, 0, &fine));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtSVMSetAttr(p, 4096, 65, &fine));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtSVMGetAttr(p, 4096, 1, NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_NODE_UNIT, hsaKmtSVMSetAttr(p, 4096, 1, &access));
	CHECK_EQ(HSAKMT_STATUS_INVALID_NODE_UNIT, hsaKmtSVMSetAttr(p, 4096, 1, &place));
	CHECK_EQ(0, fake.count[0x20]);
	fake.extras = false;
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, hsaKmtSVMSetAttr(p, 4096, 1, &fine));
	CHECK_EQ(1, fake.count[0x20]);
	finish();
	fake.minor = 4;
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, hsaKmtSVMSetAttr(p, 4096, 1, &fine));
	CHECK_EQ(1, fake.count[0x20]);
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(graphics_handle, "a dma-buf: address, size, metadata, mapping, pointer query, end")
{
	HsaGraphicsResourceInfo info;
	HSAuint32 node = 1, other = 2;
	HsaMemMapFlags none = { .Value = 0 };
	HsaPointerInfo pointer;
	char *p;

	start(true);
	fake.dmabuf_size = 0x11000;
	fake.metadata_size = 200;
	CHECK_EQ(0, hsaKmtRegisterGraphicsHandleToNodes(50, &info, 1, &node));
	CHECK_EQ(base_bos + 1, fake.bos);
	CHECK_EQ(0x11000, info.SizeInBytes);
	/* more than the first guess: asked again */
	CHECK_EQ(200, info.MetadataSizeInBytes);
	CHECK_EQ(2, fake.count[0x1c]);
	CHECK_EQ(0x5a, ((const char *)info.Metadata)[199]);
	p = info.MemoryAddress;
	CHECK_EQ(0, hsaKmtMapMemoryToGPU(p, info.SizeInBytes, NULL));
	CHECK_EQ(0, hsaKmtQueryPointerInfo(p + 0x10fff, &pointer));
	CHECK_EQ(HSA_POINTER_REGISTERED_GRAPHICS, pointer.Type);
	CHECK(!pointer.CPUAddress);
	CHECK_EQ(1, pointer.NMappedNodes);
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtMapMemoryToGPUNodes(p, info.SizeInBytes, NULL, none, 1, &other));
	CHECK_EQ(0, hsaKmtDeregisterMemory(p));
	CHECK_EQ(base_bos, fake.bos);
	/* without a list every GPU may map it */
	CHECK_EQ(0, hsaKmtRegisterGraphicsHandleToNodes(50, &info, 0, NULL));
	CHECK_EQ(0, hsaKmtMapMemoryToGPU(info.MemoryAddress, info.SizeInBytes, NULL));
	CHECK_EQ(0, hsaKmtQueryPointerInfo(info.MemoryAddress, &pointer));
	CHECK_EQ(2, pointer.NMappedNodes);
	CHECK_EQ(0, hsaKmtDeregisterMemory(info.MemoryAddress));
	finish();
}

TEST(graphics_refusals, "bad descriptors, drivers that cannot or that lie, each step failing")
{
	HsaGraphicsResourceInfo info;
	HSAuint32 node = 9;
	int i;

	start(true);
	fake.dmabuf_size = 4096;
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtRegisterGraphicsHandleToNodes(50, NULL, 0, NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtRegisterGraphicsHandleToNodes(1ULL << 32, &info, 0, NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_NODE_UNIT,
		 hsaKmtRegisterGraphicsHandleToNodes(50, &info, 1, &node));
	CHECK_EQ(HSAKMT_STATUS_INVALID_HANDLE,
		 hsaKmtRegisterGraphicsHandleToNodes(FAKE_BAD_FD, &info, 0, NULL));
	fake.metadata_size = 5000;
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtRegisterGraphicsHandleToNodes(50, &info, 0, NULL));
	fake.metadata_lie = true;
	CHECK_EQ(HSAKMT_STATUS_KERNEL_COMMUNICATION_ERROR,
		 hsaKmtRegisterGraphicsHandleToNodes(50, &info, 0, NULL));
	fake.metadata_size = 16;
	for (i = 1; i <= 2; i++) {
		fake.calls = 0;
		fake.fail_call = i;
		fake.fail_errno = ENOMEM;
		CHECK_EQ(HSAKMT_STATUS_NO_MEMORY,
			 hsaKmtRegisterGraphicsHandleToNodes(50, &info, 0, NULL));
		CHECK_EQ(base_bos, fake.bos);
	}
	fake.extras = false;
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED,
		 hsaKmtRegisterGraphicsHandleToNodes(50, &info, 0, NULL));
	finish();
}
