/* SPDX-License-Identifier: MIT */
/* Events: kinds, what a wait reports, clocks. */
#ifndef CARILLON_HSAKMT_EVENT_H
#define CARILLON_HSAKMT_EVENT_H

#include "hsakmt_base.h"
#include "hsakmt_memory.h"

#pragma pack(push, 4)

typedef enum _HSA_EVENTTYPE {
	HSA_EVENTTYPE_SIGNAL		= 0,	/* has a slot in the event page */
	HSA_EVENTTYPE_NODECHANGE	= 1,
	HSA_EVENTTYPE_DEVICESTATECHANGE	= 2,
	HSA_EVENTTYPE_HW_EXCEPTION	= 3,
	HSA_EVENTTYPE_SYSTEM_EVENT	= 4,
	HSA_EVENTTYPE_DEBUG_EVENT	= 5,	/* behaves like a signal */
	HSA_EVENTTYPE_PROFILE_EVENT	= 6,
	HSA_EVENTTYPE_QUEUE_EVENT	= 7,
	HSA_EVENTTYPE_MEMORY		= 8,	/* a VM fault */
	HSA_EVENTTYPE_MAXID,
	HSA_EVENTTYPE_TYPE_SIZE		= 0xFFFFFFFF
} HSA_EVENTTYPE;

typedef enum _HSA_DEBUG_EVENT_TYPE {
	HSA_DEBUG_EVENT_TYPE_NONE		= 0,
	HSA_DEBUG_EVENT_TYPE_TRAP		= 1,
	HSA_DEBUG_EVENT_TYPE_VMFAULT		= 2,
	HSA_DEBUG_EVENT_TYPE_TRAP_VMFAULT	= 3
} HSA_DEBUG_EVENT_TYPE;

typedef HSAuint32 HSA_EVENTID;

typedef struct _HsaSyncVar {
	union {
		void *UserData;
		HSAuint64 UserDataPtrValue;
	} SyncVar;
	HSAuint64 SyncVarSize;
} HsaSyncVar;

typedef enum _HSA_EVENTTYPE_NODECHANGE_FLAGS {
	HSA_EVENTTYPE_NODECHANGE_ADD	= 0,
	HSA_EVENTTYPE_NODECHANGE_REMOVE	= 1,
	HSA_EVENTTYPE_NODECHANGE_SIZE	= 0xFFFFFFFF
} HSA_EVENTTYPE_NODECHANGE_FLAGS;

typedef struct _HsaNodeChange {
	HSA_EVENTTYPE_NODECHANGE_FLAGS Flags;
} HsaNodeChange;

typedef enum _HSA_EVENTTYPE_DEVICESTATECHANGE_FLAGS {
	HSA_EVENTTYPE_DEVICESTATUSCHANGE_START	= 0,
	HSA_EVENTTYPE_DEVICESTATUSCHANGE_STOP	= 1,
	HSA_EVENTTYPE_DEVICESTATUSCHANGE_SIZE	= 0xFFFFFFFF
} HSA_EVENTTYPE_DEVICESTATECHANGE_FLAGS;

typedef struct _HsaDeviceStateChange {
	HSAuint32 NodeId;
	HSA_DEVICE Device;
	HSA_EVENTTYPE_DEVICESTATECHANGE_FLAGS Flags;
} HsaDeviceStateChange;

typedef enum _HSA_EVENTID_MEMORYFLAGS {
	HSA_EVENTID_MEMORY_RECOVERABLE		= 0,
	HSA_EVENTID_MEMORY_FATAL_PROCESS	= 1,
	HSA_EVENTID_MEMORY_FATAL_VM		= 2,
} HSA_EVENTID_MEMORYFLAGS;

typedef struct _HsaAccessAttributeFailure {
	unsigned int NotPresent	: 1;
	unsigned int ReadOnly	: 1;
	unsigned int NoExecute	: 1;
	unsigned int GpuAccess	: 1;
	unsigned int ECC	: 1;
	unsigned int Imprecise	: 1;	/* the address may be off */
	/* 0 none, 1 SRAM ECC, 2 poison, 3 hang */
	unsigned int ErrorType	: 3;
	unsigned int Reserved	: 23;
} HsaAccessAttributeFailure;

typedef struct _HsaMemoryAccessFault {
	HSAuint32 NodeId;
	HSAuint64 VirtualAddress;
	HsaAccessAttributeFailure Failure;
	HSA_EVENTID_MEMORYFLAGS Flags;
} HsaMemoryAccessFault;

typedef struct _HsaEventData {
	HSA_EVENTTYPE EventType;
	union {
		HsaSyncVar SyncVar;
		HsaNodeChange NodeChangeState;
		HsaDeviceStateChange DeviceState;
		HsaMemoryAccessFault MemoryAccessFault;
	} EventData;

	HSAuint64 HWData1;	/* event id */
	HSAuint64 HWData2;	/* address of the event's slot */
	HSAuint32 HWData3;	/* what the trap's context id must be */
} HsaEventData;

typedef struct _HsaEventDescriptor {
	HSA_EVENTTYPE EventType;
	HSAuint32 NodeId;
	HsaSyncVar SyncVar;
} HsaEventDescriptor;

typedef struct _HsaEvent {
	HSA_EVENTID EventId;
	HsaEventData EventData;
} HsaEvent;

typedef enum _HsaEventTimeout {
	HSA_EVENTTIMEOUT_IMMEDIATE	= 0,
	HSA_EVENTTIMEOUT_INFINITE	= 0xFFFFFFFF
} HsaEventTimeOut;

typedef struct _HsaClockCounters {
	HSAuint64 GPUClockCounter;
	HSAuint64 CPUClockCounter;
	HSAuint64 SystemClockCounter;
	HSAuint64 SystemClockFrequencyHz;
} HsaClockCounters;

#pragma pack(pop)

#endif
