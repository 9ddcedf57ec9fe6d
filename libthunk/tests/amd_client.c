// SPDX-License-Identifier: MIT
/**
 * DOC: a client that was built against AMD's headers
 *
 * Nothing of ours is included here where AMD's headers are installed: layouts and
 * numbers are AMD's, the library behind the calls is ours.
 */
#include <hsakmt.h>
#include <stddef.h>
#include <string.h>

#define TRY(call)			\
	do {				\
		if (call)		\
			return __LINE__; \
	} while (0)

int amd_client(void);

static int use_topology(HSAuint32 *gpu_node)
{
	HsaSystemProperties system;
	HsaNodeProperties node;
	HsaMemoryProperties bank;
	HsaCacheProperties cache;
	HsaIoLinkProperties link;

	TRY(hsaKmtAcquireSystemProperties(&system));
	TRY(system.NumNodes != 2);
	*gpu_node = 1;
	TRY(hsaKmtGetNodeProperties(1, &node));
	TRY(node.DeviceId != 0x6860 || node.UniqueID != 0x1234567890abcdefULL);
	TRY(node.Capability.ui32.DoorbellType != 2 || node.EngineId.ui32.Major != 9);
	TRY(strcmp((const char *)node.AMDName, "Vega10"));
	TRY(hsaKmtGetNodeMemoryProperties(1, 1, &bank));
	TRY(bank.HeapType != HSA_HEAPTYPE_FRAME_BUFFER_PUBLIC || bank.Width != 2048);
	TRY(hsaKmtGetNodeCacheProperties(1, 0, 1, &cache));
	TRY(!cache.CacheType.ui32.HSACU || cache.CacheSize != 16 || cache.SiblingMap[0] != 1);
	TRY(hsaKmtGetNodeIoLinkProperties(1, 1, &link));
	TRY(link.IoLinkType != HSA_IOLINKTYPE_PCIEXPRESS || !link.Flags.ui32.Override);
	return 0;
}

static int use_memory(HSAuint32 gpu_node, void **ring)
{
	HsaMemFlags host = { .ui32 = { .HostAccess = 1 } };
	HsaMemMapFlags map = { .Value = 0 };
	HsaPointerInfo info;
	HSAuint64 va;

	TRY(hsaKmtAllocMemory(0, 1 << 20, host, ring));
	TRY(hsaKmtMapMemoryToGPUNodes(*ring, 1 << 20, &va, map, 1, &gpu_node));
	TRY(hsaKmtQueryPointerInfo((char *)*ring + 5, &info));
	TRY(info.Type != HSA_POINTER_ALLOCATED || info.CPUAddress != *ring);
	TRY(info.SizeInBytes != 1 << 20 || info.NMappedNodes != 1);
	TRY(info.MappedNodes[0] != gpu_node || !info.MemFlags.ui32.HostAccess);
	return 0;
}

static int use_queue(HSAuint32 gpu_node, void *ring)
{
	HsaEventDescriptor desc = { .EventType = HSA_EVENTTYPE_SIGNAL };
	HsaQueueResource queue = { 0 };
	HsaEvent *event;

	TRY(hsaKmtCreateEvent(&desc, false, true, &event));
	TRY(!event->EventData.HWData2 || event->EventData.HWData3 != event->EventId);
	TRY(hsaKmtWaitOnEvent(event, 0));
	TRY(hsaKmtWaitOnEvent(event, 0) != HSAKMT_STATUS_WAIT_TIMEOUT);
	TRY(hsaKmtCreateQueue(gpu_node, HSA_QUEUE_SDMA, 100, HSA_QUEUE_PRIORITY_MAXIMUM, ring,
			      1 << 20, NULL, &queue));
	*queue.Queue_write_ptr_aql = 64;
	*queue.Queue_DoorBell_aql = 64;
	TRY(hsaKmtDestroyQueue(queue.QueueId));
	TRY(hsaKmtDestroyEvent(event));
	return 0;
}

/* Return: 0 or the line that went wrong. */
int amd_client(void)
{
	HSAuint32 gpu_node;
	void *ring;
	int line;

	TRY(hsaKmtOpenKFD());
	line = use_topology(&gpu_node);
	if (!line)
		line = use_memory(gpu_node, &ring);
	if (!line)
		line = use_queue(gpu_node, ring);
	if (line)
		return line;
	TRY(hsaKmtUnmapMemoryToGPU(ring));
	TRY(hsaKmtFreeMemory(ring, 1 << 20));
	TRY(hsaKmtCloseKFD());
	return 0;
}
