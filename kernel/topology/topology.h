/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: KFD topology, what the device layer uses
 *
 * The tree under the kfd device: CPU nodes first (from the kernel's NUMA and
 * cacheinfo data), then one node a GPU.  Stands on hw alone.
 */
#ifndef CARILLON_TOPOLOGY_H
#define CARILLON_TOPOLOGY_H

#include <linux/kobject.h>
#include <linux/types.h>

struct hw_device;

/* Build the tree with its CPU nodes under the kobject of the "kfd" device. Process context. */
int topology_init(struct kobject *parent);
void topology_fini(void);

/**
 * struct topology_gpu - what a GPU node needs beyond hw_device
 * @hw: the function
 * @render_minor: minor of its render node (128...)
 * @vram_usable: bytes that allocations can get
 * @num_sdma: SDMA instances present
 * @capability: value of the capability property: 0x00002280 for GFX9 without SVM
 *	(watch points present, 4 of them, doorbell type 2) plus the silicon
 *	revision in bits 25:22
 */
struct topology_gpu {
	struct hw_device *hw;
	u32 render_minor;
	u64 vram_usable;
	u32 num_sdma;
	u32 capability;
};

/* Publish a GPU; chooses its gpu_id (16 bits, non-zero, unique). Bumps generation_id. */
int topology_add_gpu(const struct topology_gpu *gpu, u32 *gpu_id);
void topology_remove_gpu(u32 gpu_id);
unsigned int topology_num_nodes(void);

#endif /* CARILLON_TOPOLOGY_H */
