/* SPDX-License-Identifier: MIT */
/**
 * DOC: calls of the thunk
 *
 * The thunk is the library between a ROCm runtime and the KFD: it opens
 * /dev/kfd, reads the topology from sysfs and turns each call below into ioctls
 * and mappings. Every call returns a status; every call but hsaKmtOpenKFD()
 * returns HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED before the first open,
 * after the last close and in a child process that has not opened for itself.
 *
 * Calls may be made from any thread. Nodes are named by their number in the
 * topology, memory by its address, queues and events by what their creation
 * returned. Calls marked "not supported" exist so that programs link; they
 * return HSAKMT_STATUS_NOT_SUPPORTED and change nothing.
 */
#ifndef _HSAKMT_H_
#define _HSAKMT_H_

#include "hsakmttypes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- opening ---------------------------------------------------------- */

/*
 * Counted: the first call opens /dev/kfd and binds each GPU's VM to this
 * process; later ones return HSAKMT_STATUS_KERNEL_ALREADY_OPENED, which is a
 * success too.
 */
HSAKMT_STATUS HSAKMTAPI hsaKmtOpenKFD(void);
HSAKMT_STATUS HSAKMTAPI hsaKmtCloseKFD(void);

HSAKMT_STATUS HSAKMTAPI hsaKmtGetVersion(HsaVersionInfo *VersionInfo);

/* ---- topology --------------------------------------------------------- */

/* Take a snapshot; the four queries after it answer from the last one. */
HSAKMT_STATUS HSAKMTAPI hsaKmtAcquireSystemProperties(HsaSystemProperties *SystemProperties);
HSAKMT_STATUS HSAKMTAPI hsaKmtReleaseSystemProperties(void);

HSAKMT_STATUS HSAKMTAPI hsaKmtGetNodeProperties(HSAuint32 NodeId,
						HsaNodeProperties *NodeProperties);
/* NumBanks, NumCaches, NumIoLinks: room in the array; see the node's counts. */
HSAKMT_STATUS HSAKMTAPI hsaKmtGetNodeMemoryProperties(HSAuint32 NodeId,
						      HSAuint32 NumBanks,
						      HsaMemoryProperties *MemoryProperties);
/* ProcessorId is not looked at: the whole node's list is given. */
HSAKMT_STATUS HSAKMTAPI hsaKmtGetNodeCacheProperties(HSAuint32 NodeId,
						     HSAuint32 ProcessorId,
						     HSAuint32 NumCaches,
						     HsaCacheProperties *CacheProperties);
HSAKMT_STATUS HSAKMTAPI hsaKmtGetNodeIoLinkProperties(HSAuint32 NodeId,
						      HSAuint32 NumIoLinks,
						      HsaIoLinkProperties *IoLinkProperties);

/* ---- events ----------------------------------------------------------- */

HSAKMT_STATUS HSAKMTAPI hsaKmtCreateEvent(HsaEventDescriptor *EventDesc,
					  bool ManualReset,
					  bool IsSignaled,
					  HsaEvent **Event);
HSAKMT_STATUS HSAKMTAPI hsaKmtDestroyEvent(HsaEvent *Event);
HSAKMT_STATUS HSAKMTAPI hsaKmtSetEvent(HsaEvent *Event);
HSAKMT_STATUS HSAKMTAPI hsaKmtResetEvent(HsaEvent *Event);
/* Says whether the handle can be used; the state itself is not reported. */
HSAKMT_STATUS HSAKMTAPI hsaKmtQueryEventState(HsaEvent *Event);
HSAKMT_STATUS HSAKMTAPI hsaKmtWaitOnEvent(HsaEvent *Event, HSAuint32 Milliseconds);
HSAKMT_STATUS HSAKMTAPI hsaKmtWaitOnMultipleEvents(HsaEvent *Events[],
						   HSAuint32 NumEvents,
						   bool WaitOnAll,
						   HSAuint32 Milliseconds);
/*
 * With ages, one for each event (since AMD's 6.0; KFD 1.14): in: how often the caller knows that
 * a signal was set, 1 before the first time, 0: does not care; out: how often it was.  A wait
 * for one that was set since ends at once.
 */
HSAKMT_STATUS HSAKMTAPI hsaKmtWaitOnEvent_Ext(HsaEvent *Event,
					      HSAuint32 Milliseconds,
					      uint64_t *event_age);
HSAKMT_STATUS HSAKMTAPI hsaKmtWaitOnMultipleEvents_Ext(HsaEvent *Events[],
						       HSAuint32 NumEvents,
						       bool WaitOnAll,
						       HSAuint32 Milliseconds,
						       uint64_t *event_age);

/* ---- system management events ----------------------------------------- */

/* A descriptor to write a mask to and read lines from (since AMD's 5.3). */
HSAKMT_STATUS HSAKMTAPI hsaKmtOpenSMI(HSAuint32 NodeId, int *fd);

/* ---- queues ----------------------------------------------------------- */

HSAKMT_STATUS HSAKMTAPI hsaKmtCreateQueue(HSAuint32 NodeId,
					  HSA_QUEUE_TYPE Type,
					  HSAuint32 QueuePercentage,
					  HSA_QUEUE_PRIORITY Priority,
					  void *QueueAddress,
					  HSAuint64 QueueSizeInBytes,
					  HsaEvent *Event,
					  HsaQueueResource *QueueResource);
/* A percentage of 0 suspends the queue. */
HSAKMT_STATUS HSAKMTAPI hsaKmtUpdateQueue(HSA_QUEUEID QueueId,
					  HSAuint32 QueuePercentage,
					  HSA_QUEUE_PRIORITY Priority,
					  void *QueueAddress,
					  HSAuint64 QueueSize,
					  HsaEvent *Event);
HSAKMT_STATUS HSAKMTAPI hsaKmtDestroyQueue(HSA_QUEUEID QueueId);

/* not supported */
HSAKMT_STATUS HSAKMTAPI hsaKmtSetQueueCUMask(HSA_QUEUEID QueueId,
					     HSAuint32 CUMaskCount,
					     HSAuint32 *QueueCUMask);
/* not supported */
HSAKMT_STATUS HSAKMTAPI hsaKmtGetQueueInfo(HSA_QUEUEID QueueId, HsaQueueInfo *QueueInfo);
/* not supported */
HSAKMT_STATUS HSAKMTAPI hsaKmtAllocQueueGWS(HSA_QUEUEID QueueId,
					    HSAuint32 nGWS,
					    HSAuint32 *firstGWS);

HSAKMT_STATUS HSAKMTAPI hsaKmtSetTrapHandler(HSAuint32 NodeId,
					     void *TrapHandlerBaseAddress,
					     HSAuint64 TrapHandlerSizeInBytes,
					     void *TrapBufferBaseAddress,
					     HSAuint64 TrapBufferSizeInBytes);

/* ---- memory ----------------------------------------------------------- */

/* not supported: the library sets each GPU's policy when it opens */
HSAKMT_STATUS HSAKMTAPI hsaKmtSetMemoryPolicy(HSAuint32 Node,
					      HSAuint32 DefaultPolicy,
					      HSAuint32 AlternatePolicy,
					      void *MemoryAddressAlternate,
					      HSAuint64 MemorySizeInBytes);

HSAKMT_STATUS HSAKMTAPI hsaKmtAllocMemory(HSAuint32 PreferredNode,
					  HSAuint64 SizeInBytes,
					  HsaMemFlags MemFlags,
					  void **MemoryAddress);
HSAKMT_STATUS HSAKMTAPI hsaKmtFreeMemory(void *MemoryAddress, HSAuint64 SizeInBytes);
/* VRAM of a GPU that can still be allocated. Since AMD's release 5.3. */
HSAKMT_STATUS HSAKMTAPI hsaKmtAvailableMemory(HSAuint32 Node, HSAuint64 *AvailableBytes);

HSAKMT_STATUS HSAKMTAPI hsaKmtRegisterMemory(void *MemoryAddress,
					     HSAuint64 MemorySizeInBytes);
HSAKMT_STATUS HSAKMTAPI hsaKmtRegisterMemoryToNodes(void *MemoryAddress,
						    HSAuint64 MemorySizeInBytes,
						    HSAuint64 NumberOfNodes,
						    HSAuint32 *NodeArray);
HSAKMT_STATUS HSAKMTAPI hsaKmtRegisterMemoryWithFlags(void *MemoryAddress,
						      HSAuint64 MemorySizeInBytes,
						      HsaMemFlags MemFlags);
HSAKMT_STATUS HSAKMTAPI hsaKmtDeregisterMemory(void *MemoryAddress);

HSAKMT_STATUS HSAKMTAPI hsaKmtMapMemoryToGPU(void *MemoryAddress,
					     HSAuint64 MemorySizeInBytes,
					     HSAuint64 *AlternateVAGPU);
/* Nodes that are mapped and not in the array are unmapped. */
HSAKMT_STATUS HSAKMTAPI hsaKmtMapMemoryToGPUNodes(void *MemoryAddress,
						  HSAuint64 MemorySizeInBytes,
						  HSAuint64 *AlternateVAGPU,
						  HsaMemMapFlags MemMapFlags,
						  HSAuint64 NumberOfNodes,
						  HSAuint32 *NodeArray);
HSAKMT_STATUS HSAKMTAPI hsaKmtUnmapMemoryToGPU(void *MemoryAddress);

HSAKMT_STATUS HSAKMTAPI hsaKmtQueryPointerInfo(const void *Pointer,
					       HsaPointerInfo *PointerInfo);
HSAKMT_STATUS HSAKMTAPI hsaKmtSetMemoryUserData(const void *Pointer, void *UserData);

HSAKMT_STATUS HSAKMTAPI hsaKmtGetTileConfig(HSAuint32 NodeId, HsaGpuTileConfig *config);

/*
 * Sharing between processes: a handle is valid as long as its owner has the memory, and
 * works for processes that may trace the owner.
 */
HSAKMT_STATUS HSAKMTAPI hsaKmtShareMemory(void *MemoryAddress,
					  HSAuint64 SizeInBytes,
					  HsaSharedMemoryHandle *SharedMemoryHandle);
HSAKMT_STATUS HSAKMTAPI hsaKmtRegisterSharedHandle(const HsaSharedMemoryHandle *SharedMemoryHandle,
						   void **MemoryAddress,
						   HSAuint64 *SizeInBytes);
HSAKMT_STATUS HSAKMTAPI
hsaKmtRegisterSharedHandleToNodes(const HsaSharedMemoryHandle *SharedMemoryHandle,
				  void **MemoryAddress,
				  HSAuint64 *SizeInBytes,
				  HSAuint64 NumberOfNodes,
				  HSAuint32 *NodeArray);
/*
 * A dma-buf of allocated memory, the caller's to close, and where in it the address is.
 * Since AMD's release 5.6.
 */
HSAKMT_STATUS HSAKMTAPI hsaKmtExportDMABufHandle(void *MemoryAddress,
						 HSAuint64 MemorySizeInBytes,
						 int *DMABufFd,
						 HSAuint64 *Offset);
/* A dma-buf of this or another driver. */
HSAKMT_STATUS HSAKMTAPI
hsaKmtRegisterGraphicsHandleToNodes(HSAuint64 GraphicsResourceHandle,
				    HsaGraphicsResourceInfo *GraphicsResourceInfo,
				    HSAuint64 NumberOfNodes,
				    HSAuint32 *NodeArray);
/* Not supported. */
HSAKMT_STATUS HSAKMTAPI hsaKmtMapGraphicHandle(HSAuint32 NodeId,
					       HSAuint64 GraphicDeviceHandle,
					       HSAuint64 GraphicResourceHandle,
					       HSAuint64 GraphicResourceOffset,
					       HSAuint64 GraphicResourceSize,
					       HSAuint64 *FlatMemoryAddress);
HSAKMT_STATUS HSAKMTAPI hsaKmtUnmapGraphicHandle(HSAuint32 NodeId,
						 HSAuint64 FlatMemoryAddress,
						 HSAuint64 SizeInBytes);
HSAKMT_STATUS HSAKMTAPI hsaKmtProcessVMRead(HSAuint32 Pid,
					    HsaMemoryRange *LocalMemoryArray,
					    HSAuint64 LocalMemoryArrayCount,
					    HsaMemoryRange *RemoteMemoryArray,
					    HSAuint64 RemoteMemoryArrayCount,
					    HSAuint64 *SizeCopied);
HSAKMT_STATUS HSAKMTAPI hsaKmtProcessVMWrite(HSAuint32 Pid,
					     HsaMemoryRange *LocalMemoryArray,
					     HSAuint64 LocalMemoryArrayCount,
					     HsaMemoryRange *RemoteMemoryArray,
					     HSAuint64 RemoteMemoryArrayCount,
					     HSAuint64 *SizeCopied);

/* Shared virtual memory ranges: not supported. */
HSAKMT_STATUS HSAKMTAPI hsaKmtSVMSetAttr(void *start_addr,
					 HSAuint64 size,
					 unsigned int nattr,
					 HSA_SVM_ATTRIBUTE *attrs);
HSAKMT_STATUS HSAKMTAPI hsaKmtSVMGetAttr(void *start_addr,
					 HSAuint64 size,
					 unsigned int nattr,
					 HSA_SVM_ATTRIBUTE *attrs);

HSAKMT_STATUS HSAKMTAPI hsaKmtSetXNACKMode(HSAint32 enable);
HSAKMT_STATUS HSAKMTAPI hsaKmtGetXNACKMode(HSAint32 *enable);

/* ---- clocks ----------------------------------------------------------- */

/* A CPU node works too; its GPU counter reads 0. */
HSAKMT_STATUS HSAKMTAPI hsaKmtGetClockCounters(HSAuint32 NodeId, HsaClockCounters *Counters);

/* ---- what a runtime tells a debugger ---------------------------------- */

/* Once, before there are queues; not supported before KFD 1.13. */
HSAKMT_STATUS HSAKMTAPI hsaKmtRuntimeEnable(void *rDebug, bool setupTtmp);
HSAKMT_STATUS HSAKMTAPI hsaKmtRuntimeDisable(void);
/* What the KFD answered to the last enable (since AMD's 5.7); 0 before one. */
HSAKMT_STATUS HSAKMTAPI hsaKmtGetRuntimeCapabilities(HSAuint32 *caps_mask);

/* ---- debugger: not supported ------------------------------------------ */

HSAKMT_STATUS HSAKMTAPI hsaKmtGetKernelDebugTrapVersionInfo(HSAuint32 *Major,
							    HSAuint32 *Minor);
HSAKMT_STATUS HSAKMTAPI hsaKmtDbgRegister(HSAuint32 NodeId);
HSAKMT_STATUS HSAKMTAPI hsaKmtDbgUnregister(HSAuint32 NodeId);
HSAKMT_STATUS HSAKMTAPI hsaKmtDbgWavefrontControl(HSAuint32 NodeId,
						  HSA_DBG_WAVEOP Operand,
						  HSA_DBG_WAVEMODE Mode,
						  HSAuint32 TrapId,
						  HsaDbgWaveMessage *DbgWaveMsgRing);
HSAKMT_STATUS HSAKMTAPI hsaKmtDbgAddressWatch(HSAuint32 NodeId,
					      HSAuint32 NumWatchPoints,
					      HSA_DBG_WATCH_MODE WatchMode[],
					      void *WatchAddress[],
					      HSAuint64 WatchMask[],
					      HsaEvent *WatchEvent[]);

/* ---- performance counters: not supported ------------------------------ */

HSAKMT_STATUS HSAKMTAPI hsaKmtPmcGetCounterProperties(HSAuint32 NodeId,
						      HsaCounterProperties **CounterProperties);
HSAKMT_STATUS HSAKMTAPI hsaKmtPmcRegisterTrace(HSAuint32 NodeId,
					       HSAuint32 NumberOfCounters,
					       HsaCounter *Counters,
					       HsaPmcTraceRoot *TraceRoot);
HSAKMT_STATUS HSAKMTAPI hsaKmtPmcUnregisterTrace(HSAuint32 NodeId, HSATraceId TraceId);
HSAKMT_STATUS HSAKMTAPI hsaKmtPmcAcquireTraceAccess(HSAuint32 NodeId, HSATraceId TraceId);
HSAKMT_STATUS HSAKMTAPI hsaKmtPmcReleaseTraceAccess(HSAuint32 NodeId, HSATraceId TraceId);
HSAKMT_STATUS HSAKMTAPI hsaKmtPmcStartTrace(HSATraceId TraceId,
					    void *TraceBuffer,
					    HSAuint64 TraceBufferSizeBytes);
HSAKMT_STATUS HSAKMTAPI hsaKmtPmcQueryTrace(HSATraceId TraceId);
HSAKMT_STATUS HSAKMTAPI hsaKmtPmcStopTrace(HSATraceId TraceId);

HSAKMT_STATUS HSAKMTAPI hsaKmtSPMAcquire(HSAuint32 PreferredNode);
HSAKMT_STATUS HSAKMTAPI hsaKmtSPMRelease(HSAuint32 PreferredNode);
HSAKMT_STATUS HSAKMTAPI hsaKmtSPMSetDestBuffer(HSAuint32 PreferredNode,
					       HSAuint32 SizeInBytes,
					       HSAuint32 *timeout,
					       HSAuint32 *SizeCopied,
					       void *DestMemoryAddress,
					       bool *isSPMDataLoss);

#ifdef __cplusplus
}
#endif

#endif /* _HSAKMT_H_ */
