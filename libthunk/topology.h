/* SPDX-License-Identifier: MIT */
#ifndef TOPOLOGY_H
#define TOPOLOGY_H

#include <stdint.h>

#include "hsakmt/hsakmttypes.h"

/**
 * DOC: a picture of the topology
 *
 * Node: one H-NUMA node, CPU or GPU. The KFD numbers nodes in sysfs; nodes that
 * this process may not use (no permission on the node or on its render node) are
 * left out, and users see the rest numbered from 0. A link whose far end is left
 * out is left out too.
 *
 * A picture is built aside, with the generation number read before and after,
 * and thrown away when that number moved. It is never changed once it is taken,
 * and good for as long as the number stays. Each file is read once for it, into a
 * buffer of a fixed size, and goes through the tables of node_props.c.
 */

/**
 * struct topo_node - one node
 * @sysfs_id: its number in sysfs
 * @gpu_id: the KFD's name for the GPU, 0 on a CPU node
 * @props: as sysfs gives it, with the banks of sysfs only
 * @banks: props.NumMemoryBanks of them
 * @caches: props.NumCaches of them
 * @links: props.NumIOLinks of them
 * @link_counts: what sysfs announces, before links are left out
 */
struct topo_node {
	uint32_t sysfs_id;
	uint32_t gpu_id;
	HsaNodeProperties props;
	HsaMemoryProperties *banks;
	HsaCacheProperties *caches;
	HsaIoLinkProperties *links;
	struct {
		uint32_t io;
		uint32_t p2p;
	} link_counts;
};

/**
 * struct topology - one picture
 * @system: platform and number of visible nodes
 * @generation: sysfs' number of it; 0 when only nodes were listed
 * @sysfs_nodes: nodes in sysfs, hidden ones too
 * @nodes: system.NumNodes of them
 */
struct topology {
	HsaSystemProperties system;
	uint64_t generation;
	uint32_t sysfs_nodes;
	struct topo_node *nodes;
};

/**
 * topology_list() - nodes and their properties only
 * @root: prefix of /sys and /proc
 * @out: the picture
 *
 * Enough to open the GPUs: banks, caches, links and names stay empty.
 *
 * Return: 0 or a negative errno.
 */
int topology_list(const char *root, struct topology **out);

/* The number that changes with the topology. Return: 0 or a negative errno. */
int topology_generation(const char *root, uint64_t *generation);

/**
 * topology_take() - everything, from one generation
 * @root: prefix of /sys and /proc
 * @out: the picture
 *
 * Return: 0, -EBUSY when the topology keeps changing, or another negative errno.
 */
int topology_take(const char *root, struct topology **out);

/* The status of a picture that could not be taken; says so in the log. */
HSAKMT_STATUS topology_status(int err);

/* NULL is fine. */
void topology_free(struct topology *topo);

/* The user's number of the node with @gpu_id. Return: false when there is none. */
bool topology_node_of_gpu(const struct topology *topo, uint32_t gpu_id, uint32_t *node);

/* The CPU node that a GPU's direct link leads to and that has memory. */
bool topology_cpu_near(const struct topology *topo, uint32_t gpu_node, uint32_t *cpu_node);

#endif
