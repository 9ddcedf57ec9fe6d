// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: GPU nodes
 *
 * A node from the facts of the chip's row, what bring-up found (CUs, unique id)
 * and what the caller says (render node, memory, capability).  Caches come from
 * topology_cache.c.  Links: PCIe to the nearest CPU node and back; through other
 * CPU nodes as indirect (p2p) links.  GPUs have no links to each other.
 *
 * A direction of a PCIe link without AtomicOps says so in its flags.
 *
 * gpu_id is a hash of where and what the function is, so that it stays the same
 * over reloads; a second GPU with the same hash takes the next free number.
 */
#include <linux/hash.h>
#include <linux/pci.h>

#include "../hw/hw_device.h"
#include "topology_cache.h"
#include "topology_list.h"

#define TOPOLOGY_GPU_ID_BITS	16
/* Processor ids of CUs start here, beyond all APIC ids. */
#define TOPOLOGY_SIMD_ID_BASE	0x80001000u
/* Link speed upstream assumes for a function on a root bus: second generation, 16 lanes. */
#define TOPOLOGY_ROOT_LANES	16
#define TOPOLOGY_ROOT_MBITS	5000
/* The slowest link that PCIe knows: first generation, one lane. */
#define TOPOLOGY_MIN_MBITS	2500

static u32 topology_hash_id(const struct topology_gpu *gpu)
{
	const struct pci_dev *pdev = gpu->hw->pdev;
	const u32 words[] = {
		pdev->devfn,
		pdev->subsystem_vendor | pdev->subsystem_device << 16,
		pci_domain_nr(pdev->bus),
		pdev->device,
		pdev->bus->number,
		lower_32_bits(gpu->vram_usable),
		upper_32_bits(gpu->vram_usable),
	};
	unsigned int i;
	u32 id = 0;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		id ^= hash_32(words[i], TOPOLOGY_GPU_ID_BITS);
	return id;
}

static struct topology_node *topology_find_gpu_locked(u32 gpu_id)
{
	struct topology_node *node;

	lockdep_assert_held(&topology_lock);
	list_for_each_entry(node, &topology_nodes, list)
		if (node->gpu_id == gpu_id)
			return node;
	return NULL;
}

/* 0 means CPU, so it is never free while there is a CPU node. */
static u32 topology_choose_id_locked(const struct topology_gpu *gpu)
{
	u32 id = topology_hash_id(gpu);

	while (!id || topology_find_gpu_locked(id))
		id = (id + 1) & (BIT(TOPOLOGY_GPU_ID_BITS) - 1);
	return id;
}

/* First processor id after those of all GPUs present. */
static u32 topology_next_simd_id_locked(void)
{
	const struct topology_node_props *p;
	struct topology_node *node;
	u32 next = TOPOLOGY_SIMD_ID_BASE;

	lockdep_assert_held(&topology_lock);
	list_for_each_entry(node, &topology_nodes, list) {
		p = &node->props;
		if (node->gpu_id)
			next = max(next, p->simd_id_base + p->array_count * p->cu_per_simd_array);
	}
	return next;
}

static void topology_gpu_props(struct topology_node *node, const struct topology_gpu *gpu)
{
	struct topology_node_props *p = &node->props;
	const struct hw_chip *chip = gpu->hw->chip;
	struct pci_dev *pdev = gpu->hw->pdev;

	p->simd_count = gpu->hw->cu_count * chip->simd_per_cu;
	p->max_waves_per_simd = chip->waves_per_simd;
	p->lds_size_in_kb = chip->lds_kib;
	p->num_gws = chip->num_gws;
	p->wave_front_size = chip->wave_size;
	p->array_count = chip->shader_engines * chip->arrays_per_engine;
	p->simd_arrays_per_engine = chip->arrays_per_engine;
	p->cu_per_simd_array = chip->cu_per_array;
	p->simd_per_cu = chip->simd_per_cu;
	p->max_slots_scratch_cu = chip->scratch_slots_per_cu;
	p->gfx_target_version = chip->gfx_target_version;
	p->vendor_id = pdev->vendor;
	p->device_id = pdev->device;
	p->location_id = pci_dev_id(pdev);
	p->domain = pci_domain_nr(pdev->bus);
	p->drm_render_minor = gpu->render_minor;
	p->num_sdma_engines = min(gpu->num_sdma, chip->sdma->xgmi_from);
	p->num_sdma_xgmi_engines = gpu->num_sdma - p->num_sdma_engines;
	p->num_sdma_queues_per_engine = chip->sdma->user_queues;
	p->num_cp_queues = chip->num_cp_queues;
	p->max_engine_clk_fcompute = chip->gpu_clk_mhz;
	p->fw_version = chip->fw_mec;
	p->capability = gpu->capability;
	p->sdma_fw_version = chip->fw_sdma;
	p->unique_id = gpu->hw->unique_id;
}

static int topology_gpu_bank(struct topology_node *node, const struct topology_gpu *gpu)
{
	struct topology_record *rec;

	rec = topology_record_add(node, TOPOLOGY_DIR_MEM, TOPOLOGY_KIND_MEM);
	if (!rec)
		return -ENOMEM;
	/* Bring-up refuses a function whose VRAM the CPU cannot reach. */
	rec->mem.heap_type = TOPOLOGY_HEAP_PUBLIC;
	rec->mem.size_in_bytes = gpu->vram_usable;
	rec->mem.width = gpu->hw->chip->vram_width;
	rec->mem.mem_clk_max = gpu->hw->chip->mem_clk_mhz;
	return 0;
}

static int topology_gpu_caches(struct topology_node *node, const struct topology_gpu *gpu)
{
	const struct hw_chip *chip = gpu->hw->chip;
	const struct topology_cu_layout cus = {
		.engines = chip->shader_engines,
		.arrays = chip->arrays_per_engine,
		.cus = chip->cu_per_array,
		.active = gpu->hw->cu_active,
		.id_base = node->props.simd_id_base,
	};
	struct topology_cache_props *list;
	struct topology_record *rec;
	unsigned int i, count;
	int ret = 0;

	count = topology_cache_list(&cus, chip->caches, chip->num_caches, NULL, 0);
	list = kvcalloc(count, sizeof(*list), GFP_KERNEL);
	if (!list)
		return -ENOMEM;
	topology_cache_list(&cus, chip->caches, chip->num_caches, list, count);
	for (i = 0; i < count && !ret; i++) {
		rec = topology_record_add(node, TOPOLOGY_DIR_CACHE, TOPOLOGY_KIND_CACHE);
		if (rec)
			rec->cache = list[i];
		else
			ret = -ENOMEM;
	}
	kvfree(list);
	return ret;
}

static u32 topology_link_mbits(enum pci_bus_speed speed)
{
	switch (speed) {
	case PCIE_SPEED_32_0GT:
		return 32000;
	case PCIE_SPEED_16_0GT:
		return 16000;
	case PCIE_SPEED_8_0GT:
		return 8000;
	case PCIE_SPEED_5_0GT:
		return 5000;
	default:
		return TOPOLOGY_MIN_MBITS;
	}
}

/* Fastest link in MB/s; like upstream it leaves the cost of line coding out. */
static u32 topology_max_bandwidth(struct pci_dev *pdev)
{
	u32 lanes = TOPOLOGY_ROOT_LANES;
	u32 mbits = TOPOLOGY_ROOT_MBITS;

	if (!pci_is_root_bus(pdev->bus)) {
		lanes = pcie_get_width_cap(pdev);
		mbits = topology_link_mbits(pcie_get_speed_cap(pdev));
	}
	return lanes * mbits / BITS_PER_BYTE;
}

static void topology_gpu_link(const struct topology_gpu *gpu, u32 from, u32 to,
			      struct topology_link_props *link)
{
	memset(link, 0, sizeof(*link));
	link->type = TOPOLOGY_LINK_PCIE;
	link->node_from = from;
	link->node_to = to;
	link->weight = TOPOLOGY_WEIGHT_PCIE;
	link->min_bandwidth = TOPOLOGY_MIN_MBITS / BITS_PER_BYTE;
	link->max_bandwidth = topology_max_bandwidth(gpu->hw->pdev);
	link->flags = TOPOLOGY_LINK_ENABLED;
	if (!gpu->hw->pci_atomics)
		link->flags |= TOPOLOGY_LINK_NO_ATOMICS;
}

/* Flags of the direction CPU to GPU: can the function complete AtomicOps? */
static u32 topology_inbound_flags(struct pci_dev *pdev)
{
	u32 flags = TOPOLOGY_LINK_ENABLED | TOPOLOGY_LINK_NON_COHERENT;
	u32 cap = 0;

	pcie_capability_read_dword(pdev, PCI_EXP_DEVCAP2, &cap);
	if (!(cap & (PCI_EXP_DEVCAP2_ATOMIC_COMP32 | PCI_EXP_DEVCAP2_ATOMIC_COMP64)))
		flags |= TOPOLOGY_LINK_NO_ATOMICS;
	return flags;
}

/* CPU node next to the function; the first one if that is unknown. */
static struct topology_node *topology_near_locked(struct pci_dev *pdev)
{
	int numa = dev_to_node(&pdev->dev);
	struct topology_node *node;

	list_for_each_entry(node, &topology_nodes, list)
		if (!node->gpu_id && node->numa == numa)
			return node;
	return topology_node_at_locked(0);
}

static bool topology_is_other_cpu(const struct topology_node *node,
				  const struct topology_node *near)
{
	return !node->gpu_id && node != near;
}

/* Link between CPU nodes, or NULL. */
static struct topology_link_props *topology_cpu_hop_locked(struct topology_node *from, u32 to)
{
	struct topology_record *rec;

	list_for_each_entry(rec, &from->records[TOPOLOGY_DIR_LINK], list)
		if (rec->link.node_to == to)
			return &rec->link;
	return NULL;
}

/* The GPU's link to @cpu, which leads through @near; its bandwidth is that of the slower half. */
static void topology_indirect_link(const struct topology_gpu *gpu, u32 index,
				   struct topology_node *cpu, struct topology_node *near,
				   struct topology_link_props *link)
{
	const struct topology_link_props *hop = topology_cpu_hop_locked(cpu, near->index);

	topology_gpu_link(gpu, index, cpu->index, link);
	if (!hop)
		return;
	link->weight += hop->weight;
	link->min_latency += hop->min_latency;
	link->max_latency += hop->max_latency;
	link->min_bandwidth = min(link->min_bandwidth, hop->min_bandwidth);
	link->max_bandwidth = min(link->max_bandwidth, hop->max_bandwidth);
}

static int topology_record_link(struct topology_node *node, enum topology_dir dir,
				const struct topology_link_props *link)
{
	struct topology_record *rec = topology_record_add(node, dir, TOPOLOGY_KIND_LINK);

	if (!rec)
		return -ENOMEM;
	rec->link = *link;
	return 0;
}

/* Links that start at the GPU, before it is published. */
static int topology_links_out_locked(struct topology_node *node, const struct topology_gpu *gpu,
				     struct topology_node *near, u32 index)
{
	struct topology_link_props link;
	struct topology_node *cpu;
	int ret;

	topology_gpu_link(gpu, index, near->index, &link);
	ret = topology_record_link(node, TOPOLOGY_DIR_LINK, &link);
	list_for_each_entry(cpu, &topology_nodes, list) {
		if (ret)
			return ret;
		if (!topology_is_other_cpu(cpu, near))
			continue;
		topology_indirect_link(gpu, index, cpu, near, &link);
		ret = topology_record_link(node, TOPOLOGY_DIR_P2P, &link);
	}
	return ret;
}

static void topology_reverse(struct topology_link_props *link, u32 flags)
{
	swap(link->node_from, link->node_to);
	link->flags = flags;
}

/* Links that lead to the GPU, after it was published. */
static int topology_links_in_locked(const struct topology_gpu *gpu, struct topology_node *near,
				    u32 index)
{
	u32 flags = topology_inbound_flags(gpu->hw->pdev);
	struct topology_link_props link;
	struct topology_node *cpu;
	int ret;

	topology_gpu_link(gpu, index, near->index, &link);
	topology_reverse(&link, flags);
	ret = topology_link_add_locked(near, TOPOLOGY_DIR_LINK, &link);
	list_for_each_entry(cpu, &topology_nodes, list) {
		if (ret)
			return ret;
		if (!topology_is_other_cpu(cpu, near))
			continue;
		topology_indirect_link(gpu, index, cpu, near, &link);
		topology_reverse(&link, flags);
		ret = topology_link_add_locked(cpu, TOPOLOGY_DIR_P2P, &link);
	}
	return ret;
}

static struct topology_node *topology_gpu_build_locked(const struct topology_gpu *gpu)
{
	struct topology_node *node = topology_node_alloc();
	int ret;

	if (!node)
		return ERR_PTR(-ENOMEM);
	node->numa = dev_to_node(&gpu->hw->pdev->dev);
	node->gpu_id = topology_choose_id_locked(gpu);
	node->render_minor = gpu->render_minor;
	strscpy(node->name, gpu->hw->chip->name, sizeof(node->name));
	topology_gpu_props(node, gpu);
	node->props.simd_id_base = topology_next_simd_id_locked();
	ret = topology_gpu_bank(node, gpu);
	if (!ret)
		ret = topology_gpu_caches(node, gpu);
	if (!ret)
		return node;
	topology_node_free(node);
	return ERR_PTR(ret);
}

static int topology_add_gpu_locked(const struct topology_gpu *gpu, u32 *gpu_id)
{
	struct topology_node *node, *near;
	u32 index = topology_count_locked();
	int ret;

	near = topology_near_locked(gpu->hw->pdev);
	if (!near)
		return -ENODEV;
	node = topology_gpu_build_locked(gpu);
	if (IS_ERR(node))
		return PTR_ERR(node);
	ret = topology_links_out_locked(node, gpu, near, index);
	if (ret)
		goto err_free;
	ret = topology_publish_locked(node);
	if (ret)
		goto err_free;
	ret = topology_links_in_locked(gpu, near, index);
	if (ret)
		goto err_withdraw;
	*gpu_id = node->gpu_id;
	return 0;

err_withdraw:
	topology_withdraw_locked(node);
err_free:
	topology_node_free(node);
	return ret;
}

/**
 * topology_add_gpu - publish a GPU
 * @gpu: what the node needs beyond the hardware's own facts
 * @gpu_id: its id: 16 bits, not 0, unique
 *
 * Context: process.
 * Return: 0, -ENOMEM, -ENODEV (the tree has no CPU node), or what sysfs says.
 */
int topology_add_gpu(const struct topology_gpu *gpu, u32 *gpu_id)
{
	int ret;

	mutex_lock(&topology_lock);
	ret = topology_add_gpu_locked(gpu, gpu_id);
	topology_changed_locked();
	mutex_unlock(&topology_lock);
	return ret;
}

/**
 * topology_remove_gpu - take a GPU out of the tree
 * @gpu_id: what topology_add_gpu() gave
 *
 * Waits for readers of its files.  Later nodes move up by one.
 *
 * Context: process.
 */
void topology_remove_gpu(u32 gpu_id)
{
	struct topology_node *node;

	mutex_lock(&topology_lock);
	node = gpu_id ? topology_find_gpu_locked(gpu_id) : NULL;
	if (node) {
		topology_withdraw_locked(node);
		topology_changed_locked();
	}
	mutex_unlock(&topology_lock);
	if (node)
		topology_node_free(node);
}
