// SPDX-License-Identifier: MIT
/**
 * DOC: calls that are not supported
 *
 * They exist so that programs link, touch nothing and say so; before an open and
 * in a child they answer like all others.
 *
 * Deliberately not done: copies between processes need an ioctl that the public KFD
 * lacks; the wave debugger's were taken out of it; performance counters need tables
 * of each chip's blocks. The cache policy of an aperture is a choice of chips before
 * gfx8 only.
 */
#include "thunk_context.h"

static HSAKMT_STATUS not_supported(void)
{
	HSAKMT_STATUS status = thunk_enter();

	if (status)
		return status;
	thunk_unlock();
	return HSAKMT_STATUS_NOT_SUPPORTED;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtSetMemoryPolicy(HSAuint32 Node, HSAuint32 DefaultPolicy,
					      HSAuint32 AlternatePolicy,
					      void *MemoryAddressAlternate,
					      HSAuint64 MemorySizeInBytes)
{
	(void)Node;
	(void)DefaultPolicy;
	(void)AlternatePolicy;
	(void)MemoryAddressAlternate;
	(void)MemorySizeInBytes;
	return not_supported();
}

HSAKMT_STATUS HSAKMTAPI hsaKmtMapGraphicHandle(HSAuint32 NodeId, HSAuint64 GraphicDeviceHandle,
					       HSAuint64 GraphicResourceHandle,
					       HSAuint64 GraphicResourceOffset,
					       HSAuint64 GraphicResourceSize,
					       HSAuint64 *FlatMemoryAddress)
{
	(void)NodeId;
	(void)GraphicDeviceHandle;
	(void)GraphicResourceHandle;
	(void)GraphicResourceOffset;
	(void)GraphicResourceSize;
	(void)FlatMemoryAddress;
	return not_supported();
}

HSAKMT_STATUS HSAKMTAPI hsaKmtUnmapGraphicHandle(HSAuint32 NodeId, HSAuint64 FlatMemoryAddress,
						 HSAuint64 SizeInBytes)
{
	(void)NodeId;
	(void)FlatMemoryAddress;
	(void)SizeInBytes;
	return not_supported();
}

HSAKMT_STATUS HSAKMTAPI hsaKmtProcessVMRead(HSAuint32 Pid, HsaMemoryRange *LocalMemoryArray,
					    HSAuint64 LocalMemoryArrayCount,
					    HsaMemoryRange *RemoteMemoryArray,
					    HSAuint64 RemoteMemoryArrayCount,
					    HSAuint64 *SizeCopied)
{
	(void)Pid;
	(void)LocalMemoryArray;
	(void)LocalMemoryArrayCount;
	(void)RemoteMemoryArray;
	(void)RemoteMemoryArrayCount;
	(void)SizeCopied;
	return not_supported();
}

HSAKMT_STATUS HSAKMTAPI hsaKmtProcessVMWrite(HSAuint32 Pid, HsaMemoryRange *LocalMemoryArray,
					     HSAuint64 LocalMemoryArrayCount,
					     HsaMemoryRange *RemoteMemoryArray,
					     HSAuint64 RemoteMemoryArrayCount,
					     HSAuint64 *SizeCopied)
{
	(void)Pid;
	(void)LocalMemoryArray;
	(void)LocalMemoryArrayCount;
	(void)RemoteMemoryArray;
	(void)RemoteMemoryArrayCount;
	(void)SizeCopied;
	return not_supported();
}

HSAKMT_STATUS HSAKMTAPI hsaKmtGetKernelDebugTrapVersionInfo(HSAuint32 *Major, HSAuint32 *Minor)
{
	(void)Major;
	(void)Minor;
	return not_supported();
}

HSAKMT_STATUS HSAKMTAPI hsaKmtDbgRegister(HSAuint32 NodeId)
{
	(void)NodeId;
	return not_supported();
}

HSAKMT_STATUS HSAKMTAPI hsaKmtDbgUnregister(HSAuint32 NodeId)
{
	(void)NodeId;
	return not_supported();
}

HSAKMT_STATUS HSAKMTAPI hsaKmtDbgWavefrontControl(HSAuint32 NodeId, HSA_DBG_WAVEOP Operand,
						  HSA_DBG_WAVEMODE Mode, HSAuint32 TrapId,
						  HsaDbgWaveMessage *DbgWaveMsgRing)
{
	(void)NodeId;
	(void)Operand;
	(void)Mode;
	(void)TrapId;
	(void)DbgWaveMsgRing;
	return not_supported();
}

HSAKMT_STATUS HSAKMTAPI hsaKmtDbgAddressWatch(HSAuint32 NodeId, HSAuint32 NumWatchPoints,
					      HSA_DBG_WATCH_MODE WatchMode[],
					      void *WatchAddress[], HSAuint64 WatchMask[],
					      HsaEvent *WatchEvent[])
{
	(void)NodeId;
	(void)NumWatchPoints;
	(void)WatchMode;
	(void)WatchAddress;
	(void)WatchMask;
	(void)WatchEvent;
	return not_supported();
}

HSAKMT_STATUS HSAKMTAPI hsaKmtPmcGetCounterProperties(HSAuint32 NodeId,
						      HsaCounterProperties **CounterProperties)
{
	(void)NodeId;
	(void)CounterProperties;
	return not_supported();
}

HSAKMT_STATUS HSAKMTAPI hsaKmtPmcRegisterTrace(HSAuint32 NodeId, HSAuint32 NumberOfCounters,
					       HsaCounter *Counters, HsaPmcTraceRoot *TraceRoot)
{
	(void)NodeId;
	(void)NumberOfCounters;
	(void)Counters;
	(void)TraceRoot;
	return not_supported();
}

HSAKMT_STATUS HSAKMTAPI hsaKmtPmcUnregisterTrace(HSAuint32 NodeId, HSATraceId TraceId)
{
	(void)NodeId;
	(void)TraceId;
	return not_supported();
}

HSAKMT_STATUS HSAKMTAPI hsaKmtPmcAcquireTraceAccess(HSAuint32 NodeId, HSATraceId TraceId)
{
	(void)NodeId;
	(void)TraceId;
	return not_supported();
}

HSAKMT_STATUS HSAKMTAPI hsaKmtPmcReleaseTraceAccess(HSAuint32 NodeId, HSATraceId TraceId)
{
	(void)NodeId;
	(void)TraceId;
	return not_supported();
}

HSAKMT_STATUS HSAKMTAPI hsaKmtPmcStartTrace(HSATraceId TraceId, void *TraceBuffer,
					    HSAuint64 TraceBufferSizeBytes)
{
	(void)TraceId;
	(void)TraceBuffer;
	(void)TraceBufferSizeBytes;
	return not_supported();
}

HSAKMT_STATUS HSAKMTAPI hsaKmtPmcQueryTrace(HSATraceId TraceId)
{
	(void)TraceId;
	return not_supported();
}

HSAKMT_STATUS HSAKMTAPI hsaKmtPmcStopTrace(HSATraceId TraceId)
{
	(void)TraceId;
	return not_supported();
}

HSAKMT_STATUS HSAKMTAPI hsaKmtSPMAcquire(HSAuint32 PreferredNode)
{
	(void)PreferredNode;
	return not_supported();
}

HSAKMT_STATUS HSAKMTAPI hsaKmtSPMRelease(HSAuint32 PreferredNode)
{
	(void)PreferredNode;
	return not_supported();
}

HSAKMT_STATUS HSAKMTAPI hsaKmtSPMSetDestBuffer(HSAuint32 PreferredNode, HSAuint32 SizeInBytes,
					       HSAuint32 *timeout, HSAuint32 *SizeCopied,
					       void *DestMemoryAddress, bool *isSPMDataLoss)
{
	(void)PreferredNode;
	(void)SizeInBytes;
	(void)timeout;
	(void)SizeCopied;
	(void)DestMemoryAddress;
	(void)isSPMDataLoss;
	return not_supported();
}
