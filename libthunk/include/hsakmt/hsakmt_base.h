/* SPDX-License-Identifier: MIT */
/* Plain types and the status codes that every call returns. */
#ifndef CARILLON_HSAKMT_BASE_H
#define CARILLON_HSAKMT_BASE_H

#include <stdbool.h>
#include <stdint.h>

/* Version of these definitions, not of the kernel's interface. */
#define HSAKMT_VERSION_MAJOR	0
#define HSAKMT_VERSION_MINOR	99

/* Calling convention; empty on Linux. */
#define HSAKMTAPI

typedef uint8_t HSAuint8;
typedef int8_t HSAint8;
typedef uint16_t HSAuint16;
typedef int16_t HSAint16;
typedef uint32_t HSAuint32;
typedef int32_t HSAint32;
typedef uint64_t HSAuint64;
typedef int64_t HSAint64;

typedef void *HSA_HANDLE;
typedef HSAuint64 HSA_QUEUEID;

/* Values that never name a queue, a process, a node. */
#define INVALID_QUEUEID	0xFFFFFFFFFFFFFFFFULL
#define INVALID_PID	0xFFFFFFFF
#define INVALID_NODEID	0xFFFFFFFF

#pragma pack(push, 4)

typedef enum _HSAKMT_STATUS {
	HSAKMT_STATUS_SUCCESS			= 0,
	/* no other code fits */
	HSAKMT_STATUS_ERROR			= 1,
	/* library and kernel driver do not speak the same major version */
	HSAKMT_STATUS_DRIVER_MISMATCH		= 2,

	HSAKMT_STATUS_INVALID_PARAMETER		= 3,
	HSAKMT_STATUS_INVALID_HANDLE		= 4,
	HSAKMT_STATUS_INVALID_NODE_UNIT		= 5,

	HSAKMT_STATUS_NO_MEMORY			= 6,
	HSAKMT_STATUS_BUFFER_TOO_SMALL		= 7,

	HSAKMT_STATUS_NOT_IMPLEMENTED		= 10,
	HSAKMT_STATUS_NOT_SUPPORTED		= 11,
	/* may work later: something is busy */
	HSAKMT_STATUS_UNAVAILABLE		= 12,
	HSAKMT_STATUS_OUT_OF_RESOURCES		= 13,

	/* also what a forked child gets until it opens for itself */
	HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED = 20,
	HSAKMT_STATUS_KERNEL_COMMUNICATION_ERROR = 21,
	/* an open that counted up: the channel is usable */
	HSAKMT_STATUS_KERNEL_ALREADY_OPENED	= 22,
	HSAKMT_STATUS_HSAMMU_UNAVAILABLE	= 23,

	HSAKMT_STATUS_WAIT_FAILURE		= 30,
	HSAKMT_STATUS_WAIT_TIMEOUT		= 31,

	HSAKMT_STATUS_MEMORY_ALREADY_REGISTERED	= 35,
	HSAKMT_STATUS_MEMORY_NOT_REGISTERED	= 36,
	HSAKMT_STATUS_MEMORY_ALIGNMENT		= 37,
} HSAKMT_STATUS;

/* The kernel driver's interface; a higher minor number only adds. */
typedef struct _HsaVersionInfo {
	HSAuint32 KernelInterfaceMajorVersion;
	HSAuint32 KernelInterfaceMinorVersion;
} HsaVersionInfo;

#pragma pack(pop)

#endif
