// SPDX-License-Identifier: MIT
/**
 * DOC: queries of the topology
 *
 * The four queries answer from the last picture that was acquired. A GPU node has
 * banks that no file lists, because they are address ranges of this process: LDS,
 * scratch, shared addresses and, where it could be mapped, the flush page. They
 * follow the banks of sysfs in that order, and the node's count includes them.
 */
#include <errno.h>
#include <string.h>

#include "thunk_context.h"
#include "thunk_log.h"

#define KIB		1024
#define EXTRA_BANKS	4
#define FLUSH_PAGE_SIZE	0x1000

/* A tree that cannot be read is a broken driver, not a bad argument. */
HSAKMT_STATUS topology_status(int err)
{
	if (!err)
		return HSAKMT_STATUS_SUCCESS;
	thunk_err("the topology cannot be read: %s", strerror(-err));
	if (err == -ENOMEM || err == -EACCES)
		return thunk_status(err);
	return HSAKMT_STATUS_ERROR;
}

/* The last picture still shows what is there. */
static bool is_current(void)
{
	uint64_t now;

	return thunk.acquired && !topology_generation(thunk.root, &now) &&
	       now == thunk.topo->generation;
}

static int acquire(void)
{
	struct topology *topo;
	int err;

	if (is_current())
		return 0;
	err = topology_take(thunk.root, &topo);
	if (err)
		return err;
	topology_free(thunk.topo);
	thunk.topo = topo;
	thunk.acquired = true;
	thunk_gpus_renumber(topo);
	return 0;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtAcquireSystemProperties(HsaSystemProperties *SystemProperties)
{
	HSAKMT_STATUS status = thunk_enter();
	int err;

	if (status)
		return status;
	if (!SystemProperties)
		return thunk_leave(-EINVAL);
	err = acquire();
	if (!err)
		*SystemProperties = thunk.topo->system;
	thunk_unlock();
	return topology_status(err);
}

HSAKMT_STATUS HSAKMTAPI hsaKmtReleaseSystemProperties(void)
{
	HSAKMT_STATUS status = thunk_enter();

	if (status)
		return status;
	/* Node numbers stay known: memory and queues are named by them. */
	thunk.acquired = false;
	return thunk_leave(0);
}

/* The node of a query. Return: 0, -ENODEV without a picture, -EINVAL for a bad number. */
static int query_node(uint32_t id, const struct topo_node **node)
{
	if (!thunk.acquired)
		return -ENODEV;
	if (id >= thunk.topo->system.NumNodes)
		return -EINVAL;
	*node = &thunk.topo->nodes[id];
	return 0;
}

static void set_bank(HsaMemoryProperties *bank, HSA_HEAPTYPE type, uint64_t base, uint64_t size)
{
	memset(bank, 0, sizeof(*bank));
	bank->HeapType = type;
	bank->SizeInBytes = size;
	bank->VirtualBaseAddress = base;
}

static bool is_valid(const struct thunk_aperture *aperture)
{
	return aperture->base && aperture->base < aperture->limit;
}

/* Banks that no file lists. Return: how many. */
static uint32_t extra_banks(const struct topo_node *node, HsaMemoryProperties *banks)
{
	const struct thunk_gpu *gpu = node->gpu_id ? thunk_gpu_by_id(node->gpu_id) : NULL;
	uint32_t count = 0;

	if (!gpu)
		return 0;
	if (is_valid(&gpu->lds))
		set_bank(&banks[count++], HSA_HEAPTYPE_GPU_LDS, gpu->lds.base,
			 (uint64_t)node->props.LDSSizeInKB * KIB);
	if (is_valid(&gpu->scratch))
		set_bank(&banks[count++], HSA_HEAPTYPE_GPU_SCRATCH, gpu->scratch.base,
			 gpu->scratch.limit - gpu->scratch.base + 1);
	if (is_valid(&thunk.va))
		set_bank(&banks[count++], HSA_HEAPTYPE_DEVICE_SVM, thunk.va.base,
			 thunk.va.limit - thunk.va.base + 1);
	if (gpu->mmio)
		set_bank(&banks[count++], HSA_HEAPTYPE_MMIO_REMAP, (uintptr_t)gpu->mmio,
			 FLUSH_PAGE_SIZE);
	return count;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtGetNodeProperties(HSAuint32 NodeId,
						HsaNodeProperties *NodeProperties)
{
	HsaMemoryProperties extra[EXTRA_BANKS];
	HSAKMT_STATUS status = thunk_enter();
	const struct topo_node *node;
	int err;

	if (status)
		return status;
	if (!NodeProperties)
		return thunk_leave(-EINVAL);
	err = query_node(NodeId, &node);
	if (!err) {
		*NodeProperties = node->props;
		NodeProperties->NumMemoryBanks += extra_banks(node, extra);
	}
	return thunk_leave(err);
}

/* Copy what fits of a node's banks, then of the extra ones; clear the rest. */
static void copy_banks(const struct topo_node *node, uint32_t room, HsaMemoryProperties *out)
{
	HsaMemoryProperties extra[EXTRA_BANKS];
	uint32_t extras = extra_banks(node, extra);
	uint32_t listed = node->props.NumMemoryBanks;
	uint32_t i;

	for (i = 0; i < room; i++) {
		if (i < listed)
			out[i] = node->banks[i];
		else if (i - listed < extras)
			out[i] = extra[i - listed];
		else
			memset(&out[i], 0, sizeof(out[i]));
	}
}

HSAKMT_STATUS HSAKMTAPI hsaKmtGetNodeMemoryProperties(HSAuint32 NodeId, HSAuint32 NumBanks,
						      HsaMemoryProperties *MemoryProperties)
{
	HSAKMT_STATUS status = thunk_enter();
	const struct topo_node *node;
	int err;

	if (status)
		return status;
	if (!MemoryProperties)
		return thunk_leave(-EINVAL);
	err = query_node(NodeId, &node);
	if (!err)
		copy_banks(node, NumBanks, MemoryProperties);
	return thunk_leave(err);
}

HSAKMT_STATUS HSAKMTAPI hsaKmtGetNodeCacheProperties(HSAuint32 NodeId, HSAuint32 ProcessorId,
						     HSAuint32 NumCaches,
						     HsaCacheProperties *CacheProperties)
{
	HSAKMT_STATUS status = thunk_enter();
	const struct topo_node *node;
	int err;

	(void)ProcessorId;
	if (status)
		return status;
	if (!CacheProperties)
		return thunk_leave(-EINVAL);
	err = query_node(NodeId, &node);
	if (!err && NumCaches > node->props.NumCaches)
		err = -EINVAL;
	if (!err && NumCaches)
		memcpy(CacheProperties, node->caches, NumCaches * sizeof(*CacheProperties));
	return thunk_leave(err);
}

HSAKMT_STATUS HSAKMTAPI hsaKmtGetNodeIoLinkProperties(HSAuint32 NodeId, HSAuint32 NumIoLinks,
						      HsaIoLinkProperties *IoLinkProperties)
{
	HSAKMT_STATUS status = thunk_enter();
	const struct topo_node *node;
	int err;

	if (status)
		return status;
	if (!IoLinkProperties)
		return thunk_leave(-EINVAL);
	err = query_node(NodeId, &node);
	if (!err && NumIoLinks > node->props.NumIOLinks)
		err = -EINVAL;
	if (!err && NumIoLinks)
		memcpy(IoLinkProperties, node->links, NumIoLinks * sizeof(*IoLinkProperties));
	return thunk_leave(err);
}
