/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: profiles: the const facts of each chip that can be built
 *
 * A profile is one row.  The model's blocks read it and have no switch over chips.
 * The driver has a table of its own (hw_ip_table.h); a fact that is wrong in one of
 * them shows.  Pure: compiles in user space.
 */
#ifndef CARILLON_VGPU_PROFILE_H
#define CARILLON_VGPU_PROFILE_H

#include <linux/types.h>

#define VGPU_MAX_SDMA		8
#define VGPU_MAX_SE		8
#define VGPU_MAX_HUBS		2

/**
 * struct vgpu_sdma_spec - one SDMA instance of a chip
 * @base: its registers, byte offset in BAR5
 * @client: its number as a client of the interrupt handler
 * @cid_read: that of its loads at the memory hub
 * @cid_write: and of its stores
 * @doorbell_range: the bus interface's register with its doorbells
 * @hub: memory hub that it translates through
 */
struct vgpu_sdma_spec {
	u32 base;
	u8 client;
	u16 cid_read, cid_write;
	u32 doorbell_range;
	unsigned int hub;
};

/**
 * struct vgpu_hub_spec - the memory hubs of a chip
 * @count: how many
 * @client: numbers as clients of the interrupt handler
 * @stride: from the registers of one to those of the next, bytes
 * @vm_shift: distance of the registers below MMHUB1_SHARED from those of MMHUB 1.0
 * @shared_shift: that of the others
 * @no_semaphore: the semaphores of its invalidate engines cannot be had
 */
struct vgpu_hub_spec {
	unsigned int count;
	u8 client[VGPU_MAX_HUBS];
	u32 stride;
	u32 vm_shift, shared_shift;
	bool no_semaphore;
};

/**
 * struct vgpu_profile - const facts of one chip
 * @name: as in gpus=
 * @device_id: PCI device ID of vendor 1002
 * @pci_rev: PCI revision ID
 * @strap_rev: silicon revision in the NBIO straps
 * @class: PCI class, subclass, interface
 * @shader_engines: with one shader array each
 * @cu_per_se: compute units that one of them can hold
 * @cu_min: lower bound of cu=
 * @cu_max: upper one
 * @cu_default: and what it is if not given
 * @vram_min: lower bound of vram=, bytes
 * @vram_max: upper bound
 * @vram_default: and what it is if not given
 * @gb_addr_config: reset value of GB_ADDR_CONFIG
 * @clock_khz: rate of the GPU clock counter
 * @strap: register of the NBIO straps
 * @ih_chicken: register without whose bit the interrupt handler does not write to bus
 *	addresses; 0: it does at any rate
 * @flush_mask: clients that may ask NBIO for an HDP flush
 * @hdp_read_cache: the host data path has one, and a register that invalidates it
 * @hub: memory hubs
 * @rlc_queues: RLC queues of an SDMA instance
 * @queue_stride: from the registers of one queue to those of the next, bytes
 * @iv_page: ring byte of the page queue in interrupt entries; that of GFX is 0
 * @iv_rlc0: that of the first RLC queue; the others follow
 * @sdma_version: reset value of the VERSION register
 * @sdma_count: SDMA instances: bound and default of instances=
 * @sdma: the instances
 */
struct vgpu_profile {
	const char *name;
	u16 device_id;
	u8 pci_rev, strap_rev;
	u32 class;
	unsigned int shader_engines, cu_per_se;
	unsigned int cu_min, cu_max, cu_default;
	u64 vram_min, vram_max, vram_default;
	u32 gb_addr_config;
	u32 clock_khz;
	u32 strap;
	u32 ih_chicken;
	u32 flush_mask;
	bool hdp_read_cache;
	struct vgpu_hub_spec hub;
	unsigned int rlc_queues;
	u32 queue_stride;
	u8 iv_page, iv_rlc0;
	u32 sdma_version;
	unsigned int sdma_count;
	struct vgpu_sdma_spec sdma[VGPU_MAX_SDMA];
};

const struct vgpu_profile *vgpu_profile_find(const char *name, size_t len);
const struct vgpu_profile *vgpu_profile_at(unsigned int index);

#endif /* CARILLON_VGPU_PROFILE_H */
