/* SPDX-License-Identifier: MIT */
/* Allocation and mapping flags, pointer information, shared ranges. */
#ifndef CARILLON_HSAKMT_MEMORY_H
#define CARILLON_HSAKMT_MEMORY_H

#include "hsakmt_base.h"

#pragma pack(push, 4)

typedef struct _HsaMemFlags {
	union {
		struct {
			/* on a GPU node: VRAM; on a CPU node: GTT */
			unsigned int NonPaged		: 1;
			unsigned int CachePolicy	: 2;	/* HSA_CACHING_TYPE */
			unsigned int ReadOnly		: 1;
			unsigned int PageSize		: 2;	/* HSA_PAGE_SIZE */
			unsigned int HostAccess		: 1;
			unsigned int NoSubstitute	: 1;	/* this node or nothing */
			unsigned int GDSMemory		: 1;
			/* only address space, backed by later map calls */
			unsigned int Scratch		: 1;
			unsigned int AtomicAccessFull	: 1;
			unsigned int AtomicAccessPartial : 1;
			unsigned int ExecuteAccess	: 1;
			unsigned int CoarseGrain	: 1;
			unsigned int AQLQueueMemory	: 1;	/* mapped twice in a row */
			unsigned int FixedAddress	: 1;
			unsigned int NoNUMABind		: 1;
			unsigned int Uncached		: 1;
			unsigned int Reserved		: 14;
		} ui32;
		HSAuint32 Value;
	};
} HsaMemFlags;

typedef struct _HsaMemMapFlags {
	union {
		struct {
			unsigned int Reserved1	: 1;
			unsigned int CachePolicy : 2;
			unsigned int ReadOnly	: 1;
			unsigned int PageSize	: 2;
			unsigned int HostAccess	: 1;
			unsigned int Migrate	: 1;
			unsigned int Probe	: 1;
			unsigned int Reserved	: 23;
		} ui32;
		HSAuint32 Value;
	};
} HsaMemMapFlags;

typedef struct _HsaGraphicsResourceInfo {
	void *MemoryAddress;
	HSAuint64 SizeInBytes;
	const void *Metadata;		/* owned by the library */
	HSAuint32 MetadataSizeInBytes;
	HSAuint32 Reserved;
} HsaGraphicsResourceInfo;

typedef enum _HSA_CACHING_TYPE {
	HSA_CACHING_CACHED		= 0,
	HSA_CACHING_NONCACHED		= 1,
	HSA_CACHING_WRITECOMBINED	= 2,
	HSA_CACHING_RESERVED		= 3,
	HSA_CACHING_NUM_CACHING,
	HSA_CACHING_SIZE		= 0xFFFFFFFF
} HSA_CACHING_TYPE;

typedef enum _HSA_PAGE_SIZE {
	HSA_PAGE_SIZE_4KB	= 0,
	HSA_PAGE_SIZE_64KB	= 1,
	HSA_PAGE_SIZE_2MB	= 2,
	HSA_PAGE_SIZE_1GB	= 3,
} HSA_PAGE_SIZE;

typedef enum _HSA_DEVICE {
	HSA_DEVICE_CPU	= 0,
	HSA_DEVICE_GPU	= 1,
	MAX_HSA_DEVICE	= 2
} HSA_DEVICE;

typedef struct _HsaGpuTileConfig {
	HSAuint32 *TileConfig;
	HSAuint32 *MacroTileConfig;
	HSAuint32 NumTileConfigs;	/* in: room, out: used */
	HSAuint32 NumMacroTileConfigs;
	HSAuint32 GbAddrConfig;
	HSAuint32 NumBanks;
	HSAuint32 NumRanks;
	HSAuint32 Reserved[7];
} HsaGpuTileConfig;

typedef enum _HSA_POINTER_TYPE {
	HSA_POINTER_UNKNOWN			= 0,
	HSA_POINTER_ALLOCATED			= 1,
	HSA_POINTER_REGISTERED_USER		= 2,
	HSA_POINTER_REGISTERED_GRAPHICS		= 3,
	HSA_POINTER_REGISTERED_SHARED		= 4
} HSA_POINTER_TYPE;

typedef struct _HsaPointerInfo {
	HSA_POINTER_TYPE Type;
	HSAuint32 Node;
	HsaMemFlags MemFlags;
	void *CPUAddress;
	HSAuint64 GPUAddress;
	HSAuint64 SizeInBytes;
	HSAuint32 NRegisteredNodes;
	HSAuint32 NMappedNodes;
	/* arrays of the library, valid until the object changes or goes */
	const HSAuint32 *RegisteredNodes;
	const HSAuint32 *MappedNodes;
	void *UserData;
} HsaPointerInfo;

typedef HSAuint32 HsaSharedMemoryHandle[8];

typedef struct _HsaMemoryRange {
	void *MemoryAddress;
	HSAuint64 SizeInBytes;
} HsaMemoryRange;

typedef enum _HSA_SVM_FLAGS {
	HSA_SVM_FLAG_HOST_ACCESS	= 0x00000001,
	HSA_SVM_FLAG_COHERENT		= 0x00000002,
	HSA_SVM_FLAG_HIVE_LOCAL		= 0x00000004,
	HSA_SVM_FLAG_GPU_RO		= 0x00000008,
	HSA_SVM_FLAG_GPU_EXEC		= 0x00000010,
	HSA_SVM_FLAG_GPU_READ_MOSTLY	= 0x00000020,
} HSA_SVM_FLAGS;

typedef enum _HSA_SVM_ATTR_TYPE {
	HSA_SVM_ATTR_PREFERRED_LOC,
	HSA_SVM_ATTR_PREFETCH_LOC,	/* setting it moves the pages */
	HSA_SVM_ATTR_ACCESS,
	HSA_SVM_ATTR_ACCESS_IN_PLACE,
	HSA_SVM_ATTR_NO_ACCESS,
	HSA_SVM_ATTR_SET_FLAGS,
	HSA_SVM_ATTR_CLR_FLAGS,
	HSA_SVM_ATTR_GRANULARITY	/* log2 of pages */
} HSA_SVM_ATTR_TYPE;

typedef struct _HSA_SVM_ATTRIBUTE {
	HSAuint32 type;
	HSAuint32 value;
} HSA_SVM_ATTRIBUTE;

#pragma pack(pop)

#endif
