/* SPDX-License-Identifier: MIT */
/* User queues: kinds, priorities, what creation hands out. */
#ifndef CARILLON_HSAKMT_QUEUE_H
#define CARILLON_HSAKMT_QUEUE_H

#include "hsakmt_base.h"

#pragma pack(push, 4)

typedef enum _HSA_QUEUE_PRIORITY {
	HSA_QUEUE_PRIORITY_MINIMUM	= -3,
	HSA_QUEUE_PRIORITY_LOW		= -2,
	HSA_QUEUE_PRIORITY_BELOW_NORMAL	= -1,
	HSA_QUEUE_PRIORITY_NORMAL	= 0,
	HSA_QUEUE_PRIORITY_ABOVE_NORMAL	= 1,
	HSA_QUEUE_PRIORITY_HIGH		= 2,
	HSA_QUEUE_PRIORITY_MAXIMUM	= 3,
	HSA_QUEUE_PRIORITY_NUM_PRIORITY,
	HSA_QUEUE_PRIORITY_SIZE		= 0xFFFFFFFF
} HSA_QUEUE_PRIORITY;

typedef enum _HSA_QUEUE_TYPE {
	HSA_QUEUE_COMPUTE		= 1,	/* PM4 packets */
	HSA_QUEUE_SDMA			= 2,
	HSA_QUEUE_MULTIMEDIA_DECODE	= 3,
	HSA_QUEUE_MULTIMEDIA_ENCODE	= 4,
	HSA_QUEUE_SDMA_XGMI		= 5,

	HSA_QUEUE_COMPUTE_OS		= 11,
	HSA_QUEUE_SDMA_OS		= 12,
	HSA_QUEUE_MULTIMEDIA_DECODE_OS	= 13,
	HSA_QUEUE_MULTIMEDIA_ENCODE_OS	= 14,

	HSA_QUEUE_COMPUTE_AQL		= 21,
	HSA_QUEUE_DMA_AQL		= 22,
	HSA_QUEUE_DMA_AQL_XGMI		= 23,

	HSA_QUEUE_TYPE_SIZE		= 0xFFFFFFFF
} HSA_QUEUE_TYPE;

/*
 * Head of a queue's context save area. Control stack, wave state and the
 * debugger's part follow; all offsets count from this header.
 */
typedef struct {
	HSAuint32 ControlStackOffset;
	HSAuint32 ControlStackSize;
	HSAuint32 WaveStateOffset;
	HSAuint32 WaveStateSize;
	HSAuint32 DebugOffset;		/* multiple of 64 */
	HSAuint32 DebugSize;		/* multiple of 64 */
	volatile HSAint64 *ErrorReason;	/* payload of the error signal */
	HSAuint32 ErrorEventId;
	HSAuint32 Reserved1;
} HsaUserContextSaveAreaHeader;

typedef struct {
	HSAuint32 QueueDetailError;
	HSAuint32 QueueTypeExtended;
	HSAuint32 NumCUAssigned;	/* bits in *CUMaskInfo */
	HSAuint32 *CUMaskInfo;
	HSAuint32 *UserContextSaveArea;
	HSAuint64 SaveAreaSizeInBytes;
	HSAuint32 *ControlStackTop;
	HSAuint64 ControlStackUsedInBytes;
	HsaUserContextSaveAreaHeader *SaveAreaHeader;
	HSAuint64 Reserved2;
} HsaQueueInfo;

typedef struct _HsaQueueResource {
	HSA_QUEUEID QueueId;
	/* out: where to store the write pointer to ring */
	union {
		HSAuint32 *Queue_DoorBell;
		HSAuint64 *Queue_DoorBell_aql;
		HSAuint64 QueueDoorBell;
	};
	/* AQL: in; else out */
	union {
		HSAuint32 *Queue_write_ptr;
		HSAuint64 *Queue_write_ptr_aql;
		HSAuint64 QueueWptrValue;
	};
	/* AQL: in; else out */
	union {
		HSAuint32 *Queue_read_ptr;
		HSAuint64 *Queue_read_ptr_aql;
		HSAuint64 QueueRptrValue;
	};
	volatile HSAint64 *ErrorReason;	/* in: payload of the error signal */
} HsaQueueResource;

typedef struct _HsaQueueReport {
	HSAuint32 VMID;
	void *QueueAddress;
	HSAuint64 QueueSize;
} HsaQueueReport;

#pragma pack(pop)

#endif
