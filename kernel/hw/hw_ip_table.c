// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: the rows of the IP table
 *
 * One row a chip, and one for each version of SDMA and of the memory hub.  Sources
 * of the facts (Linux 6.1): amdgpu_discovery.c, vega10_reg_init.c,
 * vega20_reg_init.c, arct_reg_init.c, aldebaran_reg_init.c, their ip_offset.h,
 * amdgpu_doorbell.h, gfx_v9_0.c, gmc_v9_0.c, hdp_v4_0.c, mmhub_v9_4.c, mmhub_v1_7.c,
 * nbio_v7_4.c, sdma_v4_0.c, vega20_ih.c, soc15.c, soc15_ih_clientid.h, kfd_device.c,
 * kfd_device_queue_manager.c, kfd_crat.c.
 * Clocks, bus width, frame-buffer layout and firmware versions, which a driver of a
 * graphics card reads from its ROM and its firmware files, are those of a usual
 * card of that chip; so are Aldebaran's 14 CUs an array, two less than the others', and
 * its 8 waves a SIMD.
 *
 * Which ring id the RLC queues of SDMA 4.2 have in IH entries is not public; they
 * are taken to follow the page ring, as on SDMA 4.0 they follow the GFX ring.
 */
#include <linux/kernel.h>

#include "hw_ip_table.h"
#include "regs/mmhub_1_0_regs.h"
#include "regs/nbio_7_4_regs.h"
#include "regs/osssys_4_0_regs.h"
#include "regs/sdma0_4_0_regs.h"

#define GPU_DATA	(1 | 8)
#define GPU_INST	(2 | 8)

/* Vector L1 per CU; instruction and scalar data caches per three CUs; one L2. */
static const struct hw_gpu_cache vega10_caches[] = {
	{ .level = 1, .size_kib = 16, .type = GPU_DATA, .cus_shared = 1 },
	{ .level = 1, .size_kib = 32, .type = GPU_INST, .cus_shared = 3 },
	{ .level = 1, .size_kib = 16, .type = GPU_DATA, .cus_shared = 3 },
	{ .level = 2, .size_kib = 4096, .type = GPU_DATA, .cus_shared = 16 },
};

static const struct hw_gpu_cache vega20_caches[] = {
	{ .level = 1, .size_kib = 16, .type = GPU_DATA, .cus_shared = 1 },
	{ .level = 1, .size_kib = 32, .type = GPU_INST, .cus_shared = 3 },
	{ .level = 1, .size_kib = 16, .type = GPU_DATA, .cus_shared = 3 },
	{ .level = 2, .size_kib = 8192, .type = GPU_DATA, .cus_shared = 16 },
};

/* As Vega20's, but that instruction and scalar data caches belong to two CUs. */
static const struct hw_gpu_cache aldebaran_caches[] = {
	{ .level = 1, .size_kib = 16, .type = GPU_DATA, .cus_shared = 1 },
	{ .level = 1, .size_kib = 32, .type = GPU_INST, .cus_shared = 2 },
	{ .level = 1, .size_kib = 16, .type = GPU_DATA, .cus_shared = 2 },
	{ .level = 2, .size_kib = 8192, .type = GPU_DATA, .cus_shared = 14 },
};

static const struct hw_sdma sdma_4_0_0 = {
	.version = HW_IP_VERSION(4, 0, 0),
	.user_queues = 2,
	.queue_stride = SDMA4_QUEUE_STRIDE,
	.page_queue_fw = 430,
	.ih_ring_page = 3,
	.ih_ring_rlc0 = 1,
	.doorbell_range = 4,
	.xgmi_from = HW_MAX_SDMA_INSTANCES,
};

static const struct hw_sdma sdma_4_2_0 = {
	.version = HW_IP_VERSION(4, 2, 0),
	.user_queues = 8,
	.queue_stride = SDMA4_QUEUE_STRIDE,
	.page_queue_fw = 123,
	.ih_ring_page = 1,
	.ih_ring_rlc0 = 2,
	.doorbell_range = 20,
	.xgmi_from = 2,
};

/* Its microcode has no page ring: the driver's functions for it know of none. */
static const struct hw_sdma sdma_4_2_2 = {
	.version = HW_IP_VERSION(4, 2, 2),
	.user_queues = 8,
	.queue_stride = SDMA422_QUEUE_STRIDE,
	.page_queue_fw = 0,
	.ih_ring_page = 3,
	.ih_ring_rlc0 = 4,
	.doorbell_range = 20,
	.xgmi_from = 2,
};

/* As that of 4.2.2 it serves no page ring. */
static const struct hw_sdma sdma_4_4_0 = {
	.version = HW_IP_VERSION(4, 4, 0),
	.user_queues = 8,
	.queue_stride = SDMA422_QUEUE_STRIDE,
	.page_queue_fw = 0,
	.ih_ring_page = 3,
	.ih_ring_rlc0 = 4,
	.doorbell_range = 20,
	.xgmi_from = 2,
};

static const struct hw_hdp hdp_4_0_0 = {
	.version = HW_IP_VERSION(4, 0, 0),
	.read_cache = true,
};

static const struct hw_hdp hdp_4_2_0 = {
	.version = HW_IP_VERSION(4, 2, 0),
	.read_cache = true,
};

static const struct hw_hdp hdp_4_2_1 = {
	.version = HW_IP_VERSION(4, 2, 1),
	.read_cache = true,
};

static const struct hw_hdp hdp_4_4_0 = {
	.version = HW_IP_VERSION(4, 4, 0),
	.read_watermark = 2,
};

static const struct hw_mmhub mmhub_1_0 = {
	.hubs = 1,
};

static const struct hw_mmhub mmhub_9_4_1 = {
	.hubs = 2,
	.stride = MMHUB941_HUB_STRIDE,
	.vm_shift = MMHUB941_VM_SHIFT,
	.shared_shift = MMHUB941_SHARED_SHIFT,
};

static const struct hw_mmhub mmhub_1_7 = {
	.hubs = 1,
	.vm_shift = MMHUB17_VM_SHIFT,
	.shared_shift = MMHUB17_SHARED_SHIFT,
	.no_semaphore = true,
};

static const struct hw_chip hw_chips[] = {
	{
		.device_id = 0x6860,
		.name = "vega10",
		.gfx_target_version = 90000,
		.family = 141,
		.external_rev_base = 0x1,
		.ip_gc = HW_IP_VERSION(9, 0, 1),
		.ip_mmhub = HW_IP_VERSION(9, 0, 0),
		.ip_osssys = HW_IP_VERSION(4, 0, 0),
		.ip_nbio = HW_IP_VERSION(6, 1, 0),
		.ip_athub = HW_IP_VERSION(9, 0, 0),
		.reg_strap = NBIO6_RCC_DEV0_EPF0_STRAP0,
		.hdp = &hdp_4_0_0,
		.mmhub = &mmhub_1_0,
		.sdma = &sdma_4_0_0,
		.sdma_instances = 2,
		.sdma_base = { SDMA4_VEGA10_SDMA0, SDMA4_VEGA10_SDMA1 },
		.sdma_ih_client = { 0x08, 0x09 },
		.sdma_cid_read = { 46, 15 },
		.sdma_cid_write = { 15, 46 },
		.sdma_doorbell = { 0xf0, 0xf2 },
		.non_cp_doorbell_first = 0xf0,
		.non_cp_doorbell_last = 0xff,
		.shader_engines = 4,
		.arrays_per_engine = 1,
		.cu_per_array = 16,
		.simd_per_cu = 4,
		.waves_per_simd = 10,
		.wave_size = 64,
		.lds_kib = 64,
		.scratch_slots_per_cu = 32,
		.va_bits = 48,
		.vram_width = 2048,
		.mem_clk_mhz = 945,
		.gpu_clk_mhz = 1500,
		.clock_khz = 27000,
		.gb_addr_config = 0x2a114042,
		.fw_mec = 433,
		.fw_sdma = 430,
		.num_gws = 0,
		.num_cp_queues = 24,
		.caches = vega10_caches,
		.num_caches = ARRAY_SIZE(vega10_caches),
	},
	{
		.device_id = 0x66a1,
		.name = "vega20",
		.gfx_target_version = 90006,
		.family = 141,
		.external_rev_base = 0x28,
		.ip_gc = HW_IP_VERSION(9, 4, 0),
		.ip_mmhub = HW_IP_VERSION(9, 4, 0),
		.ip_osssys = HW_IP_VERSION(4, 2, 0),
		.ip_nbio = HW_IP_VERSION(7, 4, 0),
		.ip_athub = HW_IP_VERSION(9, 4, 0),
		.reg_strap = NBIO7_RCC_DEV0_EPF0_STRAP0,
		.hdp = &hdp_4_2_0,
		.mmhub = &mmhub_1_0,
		.sdma = &sdma_4_2_0,
		.sdma_instances = 2,
		.sdma_base = { SDMA4_VEGA20_SDMA0, SDMA4_VEGA20_SDMA1 },
		.sdma_ih_client = { 0x08, 0x09 },
		.sdma_cid_read = { 15, 46 },
		.sdma_cid_write = { 15, 46 },
		.sdma_doorbell = { 0x100, 0x10a },
		.non_cp_doorbell_first = 0x100,
		.non_cp_doorbell_last = 0x18f,
		.shader_engines = 4,
		.arrays_per_engine = 1,
		.cu_per_array = 16,
		.simd_per_cu = 4,
		.waves_per_simd = 10,
		.wave_size = 64,
		.lds_kib = 64,
		.scratch_slots_per_cu = 32,
		.va_bits = 48,
		.vram_width = 4096,
		.mem_clk_mhz = 1000,
		.gpu_clk_mhz = 1725,
		.clock_khz = 25000,
		.gb_addr_config = 0x22014042,
		.fw_mec = 471,
		.fw_sdma = 145,
		.num_gws = 0,
		.num_cp_queues = 24,
		.caches = vega20_caches,
		.num_caches = ARRAY_SIZE(vega20_caches),
	},
	{
		.device_id = 0x738c,
		.name = "arcturus",
		.gfx_target_version = 90008,
		.family = 141,
		.external_rev_base = 0x32,
		.ip_gc = HW_IP_VERSION(9, 4, 1),
		.ip_mmhub = HW_IP_VERSION(9, 4, 1),
		.ip_osssys = HW_IP_VERSION(4, 2, 1),
		.ip_nbio = HW_IP_VERSION(7, 4, 1),
		.ip_athub = HW_IP_VERSION(9, 4, 1),
		.reg_strap = NBIO7_RCC_DEV0_EPF0_STRAP0,
		.hdp = &hdp_4_2_1,
		.mmhub = &mmhub_9_4_1,
		.sdma = &sdma_4_2_2,
		.sdma_instances = 8,
		.sdma_base = {
			SDMA4_ARCT_SDMA0, SDMA4_ARCT_SDMA1, SDMA4_ARCT_SDMA2, SDMA4_ARCT_SDMA3,
			SDMA4_ARCT_SDMA4, SDMA4_ARCT_SDMA5, SDMA4_ARCT_SDMA6, SDMA4_ARCT_SDMA7,
		},
		.sdma_hub = { 0, 0, 0, 0, 0, 1, 1, 1 },
		.sdma_ih_client = { 0x08, 0x09, 0x01, 0x04, 0x05, 0x11, 0x13, 0x18 },
		.sdma_cid_read = { 256, 257, 258, 259, 260, 261, 262, 263 },
		.sdma_cid_write = { 256, 257, 258, 259, 260, 261, 262, 263 },
		.sdma_doorbell = { 0x100, 0x10a, 0x114, 0x11e, 0x128, 0x132, 0x13c, 0x146 },
		.non_cp_doorbell_first = 0x100,
		.non_cp_doorbell_last = 0x18f,
		.shader_engines = 8,
		.arrays_per_engine = 1,
		.cu_per_array = 16,
		.simd_per_cu = 4,
		.waves_per_simd = 10,
		.wave_size = 64,
		.lds_kib = 64,
		.scratch_slots_per_cu = 32,
		.va_bits = 48,
		.vram_width = 4096,
		.mem_clk_mhz = 1200,
		.gpu_clk_mhz = 1502,
		.clock_khz = 25000,
		.gb_addr_config = 0x22014042,
		.fw_mec = 64,
		.fw_sdma = 18,
		.num_gws = 0,
		.num_cp_queues = 24,
		.caches = vega20_caches,
		.num_caches = ARRAY_SIZE(vega20_caches),
	},
	{
		.device_id = 0x740f,
		.name = "aldebaran",
		.gfx_target_version = 90010,
		.family = 141,
		.external_rev_base = 0x3c,
		.ip_gc = HW_IP_VERSION(9, 4, 2),
		.ip_mmhub = HW_IP_VERSION(9, 4, 2),
		.ip_osssys = HW_IP_VERSION(4, 4, 0),
		.ip_nbio = HW_IP_VERSION(7, 4, 4),
		.ip_athub = HW_IP_VERSION(9, 4, 2),
		.reg_strap = NBIO7_RCC_DEV0_EPF0_STRAP0_ALDE,
		.reg_ih_chicken = OSSSYS4_IH_CHICKEN_ALDEBARAN,
		.hdp = &hdp_4_4_0,
		.mmhub = &mmhub_1_7,
		.sdma = &sdma_4_4_0,
		.sdma_instances = 5,
		.sdma_base = {
			SDMA4_ALDE_SDMA0, SDMA4_ALDE_SDMA1, SDMA4_ALDE_SDMA2, SDMA4_ALDE_SDMA3,
			SDMA4_ALDE_SDMA4,
		},
		.sdma_ih_client = { 0x08, 0x09, 0x01, 0x04, 0x05 },
		.sdma_cid_read = { 256, 257, 258, 259, 260 },
		.sdma_cid_write = { 256, 257, 258, 259, 260 },
		.sdma_doorbell = { 0x100, 0x10a, 0x114, 0x11e, 0x128 },
		.non_cp_doorbell_first = 0x100,
		.non_cp_doorbell_last = 0x18f,
		.shader_engines = 8,
		.arrays_per_engine = 1,
		.cu_per_array = 14,
		.simd_per_cu = 4,
		.waves_per_simd = 8,
		.wave_size = 64,
		.lds_kib = 64,
		.scratch_slots_per_cu = 32,
		.va_bits = 48,
		.vram_width = 4096,
		.mem_clk_mhz = 1600,
		.gpu_clk_mhz = 1700,
		.clock_khz = 25000,
		.gb_addr_config = 0x22014042,
		.fw_mec = 66,
		.fw_sdma = 8,
		.num_gws = 0,
		.num_cp_queues = 24,
		.caches = aldebaran_caches,
		.num_caches = ARRAY_SIZE(aldebaran_caches),
	},
};

/**
 * hw_chip_find - facts of a chip
 * @device_id: PCI device ID
 *
 * Context: any.
 * Return: the row, or NULL for a chip that the driver does not know.
 */
const struct hw_chip *hw_chip_find(u16 device_id)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(hw_chips); i++)
		if (hw_chips[i].device_id == device_id)
			return &hw_chips[i];
	return NULL;
}
