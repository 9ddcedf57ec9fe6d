/* SPDX-License-Identifier: MIT */
/* What a snapshot of the topology holds: nodes, banks, caches, links. */
#ifndef CARILLON_HSAKMT_TOPOLOGY_H
#define CARILLON_HSAKMT_TOPOLOGY_H

#include "hsakmt_base.h"

#pragma pack(push, 4)

typedef struct _HsaSystemProperties {
	HSAuint32 NumNodes;	/* nodes are numbered 0 .. NumNodes - 1 */
	HSAuint32 PlatformOem;
	HSAuint32 PlatformId;
	HSAuint32 PlatformRev;
} HsaSystemProperties;

typedef union {
	HSAuint32 Value;
	struct {
		unsigned int uCode	: 10;	/* compute microcode version */
		unsigned int Major	: 6;	/* gfx IP, 9.0.0 for gfx900 */
		unsigned int Minor	: 8;
		unsigned int Stepping	: 8;
	} ui32;
} HSA_ENGINE_ID;

typedef union {
	HSAuint32 Value;
	struct {
		unsigned int uCodeSDMA	: 10;	/* SDMA microcode version */
		unsigned int uCodeRes	: 10;
		unsigned int Reserved	: 12;
	};
} HSA_ENGINE_VERSION;

/* The node's capability word as sysfs prints it. */
typedef union {
	HSAuint32 Value;
	struct {
		unsigned int HotPluggable			: 1;
		unsigned int HSAMMUPresent			: 1;
		unsigned int SharedWithGraphics			: 1;
		unsigned int QueueSizePowerOfTwo		: 1;
		unsigned int QueueSize32bit			: 1;
		unsigned int QueueIdleEvent			: 1;
		unsigned int VALimit				: 1;
		unsigned int WatchPointsSupported		: 1;
		/* log2 of the number of watch points */
		unsigned int WatchPointsTotalBits		: 4;
		/* 2: 64-bit doorbells, as from gfx9 on */
		unsigned int DoorbellType			: 2;
		unsigned int AQLQueueDoubleMap			: 1;
		unsigned int DebugTrapSupported			: 1;
		unsigned int WaveLaunchTrapOverrideSupported	: 1;
		unsigned int WaveLaunchModeSupported		: 1;
		unsigned int PreciseMemoryOperationsSupported	: 1;
		/* stays 0: old programs misread it */
		unsigned int DEPRECATED_SRAM_EDCSupport		: 1;
		unsigned int Mem_EDCSupport			: 1;
		unsigned int RASEventNotify			: 1;
		unsigned int ASICRevision			: 4;
		unsigned int SRAM_EDCSupport			: 1;
		unsigned int SVMAPISupported			: 1;
		unsigned int CoherentHostAccess			: 1;
		unsigned int DebugSupportedFirmware		: 1;
		unsigned int Reserved				: 2;
	} ui32;
} HSA_CAPABILITY;

typedef union {
	HSAuint64 Value;
	struct {
		/* lowest and highest usable bit of a watch mask */
		HSAuint64 WatchAddrMaskLoBit		: 4;
		HSAuint64 WatchAddrMaskHiBit		: 6;
		HSAuint64 DispatchInfoAlwaysValid	: 1;
		/* 1: watch points are per process */
		HSAuint64 AddressWatchpointShareKind	: 1;
		HSAuint64 Reserved			: 52;
	};
} HSA_DEBUG_PROPERTIES;

#define HSA_PUBLIC_NAME_SIZE	64

typedef struct _HsaNodeProperties {
	HSAuint32 NumCPUCores;		/* 0: a GPU with memory of its own */
	HSAuint32 NumFComputeCores;	/* SIMDs; 0: no GPU */
	HSAuint32 NumMemoryBanks;
	HSAuint32 NumCaches;
	HSAuint32 NumIOLinks;

	HSAuint32 CComputeIdLo;		/* first CPU's APIC id */
	HSAuint32 FComputeIdLo;		/* first SIMD's id */

	HSA_CAPABILITY Capability;

	HSAuint32 MaxWavesPerSIMD;
	HSAuint32 LDSSizeInKB;
	HSAuint32 GDSSizeInKB;
	HSAuint32 WaveFrontSize;
	HSAuint32 NumShaderBanks;	/* shader engines */
	HSAuint32 NumArrays;		/* shader arrays per engine */
	HSAuint32 NumCUPerArray;
	HSAuint32 NumSIMDPerCU;
	HSAuint32 MaxSlotsScratchCU;

	HSA_ENGINE_ID EngineId;

	HSAuint16 VendorId;
	HSAuint16 DeviceId;
	HSAuint32 LocationId;		/* PCI bus << 8 | devfn */
	HSAuint64 LocalMemSize;
	HSAuint32 MaxEngineClockMhzFCompute;
	HSAuint32 MaxEngineClockMhzCCompute;
	HSAint32 DrmRenderMinor;
	HSAuint16 MarketingName[HSA_PUBLIC_NAME_SIZE];	/* UTF-16 */
	HSAuint8 AMDName[HSA_PUBLIC_NAME_SIZE];
	HSA_ENGINE_VERSION uCodeEngineVersions;
	HSA_DEBUG_PROPERTIES DebugProperties;
	HSAuint64 HiveID;		/* 0: not in an XGMI hive */
	HSAuint32 NumSdmaEngines;
	HSAuint32 NumSdmaXgmiEngines;

	HSAuint8 NumSdmaQueuesPerEngine;
	HSAuint8 NumCpQueues;
	HSAuint8 NumGws;
	HSAuint8 Reserved2;

	HSAuint32 Domain;		/* PCI domain */
	HSAuint64 UniqueID;

	HSAuint32 VGPRSizePerCU;	/* bytes */
	HSAuint32 SGPRSizePerCU;	/* bytes */
	HSAuint8 Reserved[12];
} HsaNodeProperties;

typedef enum _HSA_HEAPTYPE {
	HSA_HEAPTYPE_SYSTEM			= 0,
	HSA_HEAPTYPE_FRAME_BUFFER_PUBLIC	= 1,	/* VRAM the CPU can map */
	HSA_HEAPTYPE_FRAME_BUFFER_PRIVATE	= 2,	/* VRAM it cannot */
	HSA_HEAPTYPE_GPU_GDS			= 3,
	HSA_HEAPTYPE_GPU_LDS			= 4,
	HSA_HEAPTYPE_GPU_SCRATCH		= 5,
	HSA_HEAPTYPE_DEVICE_SVM			= 6,	/* shared virtual addresses */
	HSA_HEAPTYPE_MMIO_REMAP			= 7,	/* HDP flush registers */

	HSA_HEAPTYPE_NUMHEAPTYPES,
	HSA_HEAPTYPE_SIZE			= 0xFFFFFFFF
} HSA_HEAPTYPE;

typedef union {
	HSAuint32 MemoryProperty;
	struct {
		unsigned int HotPluggable	: 1;
		unsigned int NonVolatile	: 1;
		unsigned int Reserved		: 30;
	} ui32;
} HSA_MEMORYPROPERTY;

typedef struct _HsaMemoryProperties {
	HSA_HEAPTYPE HeapType;
	union {
		HSAuint64 SizeInBytes;
		struct {
			HSAuint32 SizeInBytesLow;
			HSAuint32 SizeInBytesHigh;
		} ui32;
	};
	HSA_MEMORYPROPERTY Flags;
	HSAuint32 Width;		/* bits */
	HSAuint32 MemoryClockMax;	/* MHz */
	HSAuint64 VirtualBaseAddress;	/* 0: no fixed place */
} HsaMemoryProperties;

#define HSA_CPU_SIBLINGS	256
#define HSA_PROCESSORID_ALL	0xFFFFFFFF

typedef union {
	HSAuint32 Value;
	struct {
		unsigned int Data		: 1;
		unsigned int Instruction	: 1;
		unsigned int CPU		: 1;
		unsigned int HSACU		: 1;	/* a GPU's cache */
		unsigned int Reserved		: 28;
	} ui32;
} HsaCacheType;

typedef struct _HaCacheProperties {
	HSAuint32 ProcessorIdLow;	/* first user: APIC id or SIMD id */
	HSAuint32 CacheLevel;		/* 1, 2, 3 ... */
	HSAuint32 CacheSize;		/* KiB */
	HSAuint32 CacheLineSize;	/* bytes */
	HSAuint32 CacheLinesPerTag;
	HSAuint32 CacheAssociativity;
	HSAuint32 CacheLatency;		/* ns; 0: unknown */
	HsaCacheType CacheType;
	HSAuint32 SiblingMap[HSA_CPU_SIBLINGS];	/* 1: shares this cache */
} HsaCacheProperties;

typedef struct _HsaCComputeProperties {
	HSAuint32 SiblingMap[HSA_CPU_SIBLINGS];
} HsaCComputeProperties;

typedef enum _HSA_IOLINKTYPE {
	HSA_IOLINKTYPE_UNDEFINED	= 0,
	HSA_IOLINKTYPE_HYPERTRANSPORT	= 1,
	HSA_IOLINKTYPE_PCIEXPRESS	= 2,
	HSA_IOLINKTYPE_AMBA		= 3,
	HSA_IOLINKTYPE_MIPI		= 4,
	HSA_IOLINK_TYPE_QPI_1_1		= 5,
	HSA_IOLINK_TYPE_RESERVED1	= 6,
	HSA_IOLINK_TYPE_RESERVED2	= 7,
	HSA_IOLINK_TYPE_RAPID_IO	= 8,
	HSA_IOLINK_TYPE_INFINIBAND	= 9,
	HSA_IOLINK_TYPE_RESERVED3	= 10,
	HSA_IOLINK_TYPE_XGMI		= 11,
	HSA_IOLINK_TYPE_XGOP		= 12,
	HSA_IOLINK_TYPE_GZ		= 13,
	HSA_IOLINK_TYPE_ETHERNET_RDMA	= 14,
	HSA_IOLINK_TYPE_RDMA_OTHER	= 15,
	HSA_IOLINK_TYPE_OTHER		= 16,
	HSA_IOLINKTYPE_NUMIOLINKTYPES,
	HSA_IOLINKTYPE_SIZE		= 0xFFFFFFFF
} HSA_IOLINKTYPE;

typedef union {
	HSAuint32 LinkProperty;
	struct {
		/* the bits below count only where this one is set */
		unsigned int Override		: 1;
		unsigned int NonCoherent	: 1;
		unsigned int NoAtomics32bit	: 1;
		unsigned int NoAtomics64bit	: 1;
		unsigned int NoPeerToPeerDMA	: 1;
		unsigned int Reserved		: 27;
	} ui32;
} HSA_LINKPROPERTY;

typedef struct _HsaIoLinkProperties {
	HSA_IOLINKTYPE IoLinkType;
	HSAuint32 VersionMajor;
	HSAuint32 VersionMinor;
	HSAuint32 NodeFrom;
	HSAuint32 NodeTo;
	HSAuint32 Weight;		/* up to 20: a direct link */
	HSAuint32 MinimumLatency;	/* ns */
	HSAuint32 MaximumLatency;
	HSAuint32 MinimumBandwidth;	/* MB/s */
	HSAuint32 MaximumBandwidth;
	HSAuint32 RecTransferSize;	/* bytes */
	HSA_LINKPROPERTY Flags;
} HsaIoLinkProperties;

#pragma pack(pop)

#endif
