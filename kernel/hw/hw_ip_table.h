/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: facts of each chip
 *
 * One const row a PCI device: what it is, how many engines it has, where its
 * doorbells lie.  Everything else in the driver reads these rows; there is no
 * switch over chips elsewhere.
 */
#ifndef CARILLON_HW_IP_TABLE_H
#define CARILLON_HW_IP_TABLE_H

#include <linux/types.h>

#define HW_MAX_SHADER_ENGINES	8
#define HW_MAX_SDMA_INSTANCES	16
#define HW_IP_VERSION(maj, min, rev)	(((maj) << 16) | ((min) << 8) | (rev))

/**
 * struct hw_gpu_cache - one kind of GPU cache, as the topology lists it
 * @level: 1 to 3
 * @size_kib: size of one instance
 * @line: bytes a line
 * @type: bits 1 data, 2 instruction, 4 CPU, 8 GPU (HSA_CACHE_TYPE)
 * @cus_shared: CUs that share one instance; 0 means all
 */
struct hw_gpu_cache {
	u32 level;
	u32 size_kib;
	u32 line;
	u32 type;
	u32 cus_shared;
};

/**
 * struct hw_sdma - facts of one version of SDMA
 * @version: IP version
 * @user_queues: RLC queues an instance
 * @queue_stride: from the registers of one queue to those of the next, bytes
 * @page_queue_fw: first microcode that serves the page ring; 0 if none does
 * @ih_ring_page: ring id of the page ring in IH entries; that of the GFX ring is 0
 * @ih_ring_rlc0: that of the first RLC queue; the others follow
 * @doorbell_range: dwords of a doorbell page that belong to one instance
 * @xgmi_from: instances from this one on are XGMI engines
 */
struct hw_sdma {
	u32 version;
	unsigned int user_queues;
	u32 queue_stride;
	u32 page_queue_fw;
	u8 ih_ring_page, ih_ring_rlc0;
	unsigned int doorbell_range;
	unsigned int xgmi_from;
};

/**
 * struct hw_mmhub - facts of one version of the memory hub
 * @hubs: hubs in a chip
 * @stride: from a register of one to that of the next, bytes
 * @vm_shift: distance of its registers below MMHUB1_SHARED from those of MMHUB 1.0
 * @shared_shift: that of the others
 * @no_semaphore: nobody takes the semaphore of an invalidate engine
 */
struct hw_mmhub {
	unsigned int hubs;
	u32 stride;
	u32 vm_shift, shared_shift;
	bool no_semaphore;
};

/**
 * struct hw_hdp - facts of one version of the host data path
 * @version: IP version
 * @read_cache: it has one, which has to be invalidated
 * @read_watermark: of its read buffer; 0: as the hardware has it
 */
struct hw_hdp {
	u32 version;
	bool read_cache;
	u32 read_watermark;
};

/**
 * struct hw_chip - const facts of one chip
 * @device_id: PCI device ID
 * @name: lower case, as sysfs shows it
 * @gfx_target_version: major * 10000 + minor * 100 + step
 * @family: AMDGPU_FAMILY of the DRM interface
 * @external_rev_base: what the DRM interface adds to the silicon revision
 * @ip_gc: IP version, HW_IP_VERSION(), of the graphics core
 * @ip_mmhub: of the memory hub
 * @ip_osssys: of the interrupt handler
 * @ip_nbio: of the bus interface
 * @ip_athub: of the address-translation hub
 * @reg_strap: register with the silicon revision, byte offset in BAR5
 * @reg_ih_chicken: register where the interrupt handler has to be allowed bus addresses;
 *	0: its firmware does that
 * @hdp: version of its host data path
 * @mmhub: version of its memory hub
 * @sdma: version of its SDMA
 * @sdma_instances: SDMA instances of the full chip
 * @sdma_base: registers of each instance, byte offset in BAR5
 * @sdma_hub: memory hub that each instance translates through
 * @sdma_ih_client: IH client of each instance
 * @sdma_cid_read: client number of each instance's loads in the memory hub's fault latch
 * @sdma_cid_write: that of its stores
 * @sdma_doorbell: 64-bit slot, in a doorbell slice, of each instance's first doorbell
 * @non_cp_doorbell_first: first slot of a slice that compute queues may not use
 * @non_cp_doorbell_last: last of them
 * @shader_engines: shader engines of the full chip
 * @arrays_per_engine: shader arrays in one
 * @cu_per_array: compute units in one of those
 * @simd_per_cu: SIMDs in a compute unit
 * @waves_per_simd: waves a SIMD holds
 * @wave_size: lanes
 * @lds_kib: LDS of a compute unit
 * @scratch_slots_per_cu: waves of a compute unit that may use scratch
 * @va_bits: of a virtual address
 * @vram_width: bits of the memory bus
 * @mem_clk_mhz: memory clock
 * @gpu_clk_mhz: highest engine clock
 * @clock_khz: rate of the GPU clock counter
 * @gb_addr_config: address configuration of the graphics core
 * @fw_mec: version of the compute microcode
 * @fw_sdma: version of the SDMA microcode
 * @num_gws: global wave synchronisation entries for user space
 * @num_cp_queues: compute queues for user space
 * @caches: kinds of cache in the order the topology lists them
 * @num_caches: how many kinds
 */
struct hw_chip {
	u16 device_id;
	const char *name;
	u32 gfx_target_version;
	u32 family;
	u32 external_rev_base;
	u32 ip_gc, ip_mmhub, ip_osssys, ip_nbio, ip_athub;
	u32 reg_strap;
	u32 reg_ih_chicken;
	const struct hw_hdp *hdp;
	const struct hw_mmhub *mmhub;
	const struct hw_sdma *sdma;
	unsigned int sdma_instances;
	u32 sdma_base[HW_MAX_SDMA_INSTANCES];
	u8 sdma_hub[HW_MAX_SDMA_INSTANCES];
	u16 sdma_ih_client[HW_MAX_SDMA_INSTANCES];
	/* client numbers in the memory hub's fault status, of loads and of stores */
	u16 sdma_cid_read[HW_MAX_SDMA_INSTANCES], sdma_cid_write[HW_MAX_SDMA_INSTANCES];
	u16 sdma_doorbell[HW_MAX_SDMA_INSTANCES];
	u16 non_cp_doorbell_first, non_cp_doorbell_last;
	u32 shader_engines, arrays_per_engine, cu_per_array;
	u32 simd_per_cu, waves_per_simd, wave_size, lds_kib, scratch_slots_per_cu;
	u32 va_bits;
	u32 vram_width;
	u32 mem_clk_mhz, gpu_clk_mhz;
	u32 clock_khz;
	u32 gb_addr_config;
	u32 fw_mec, fw_sdma;
	u32 num_gws, num_cp_queues;
	const struct hw_gpu_cache *caches;
	unsigned int num_caches;
};

/** hw_chip_find - row for a PCI device ID, or NULL */
const struct hw_chip *hw_chip_find(u16 device_id);

#endif /* CARILLON_HW_IP_TABLE_H */
