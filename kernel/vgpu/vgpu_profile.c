// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: the rows of the profiles
 *
 * Sources of the facts (Linux 6.1): amdgpu_drv.c (device IDs), the chips'
 * ip_offset.h, gfx_v9_0.c, gmc_v9_0.c, nbio_v6_1.c, nbio_v7_4.c, sdma_v4_0.c,
 * vega20_ih.c, soc15_ih_clientid.h; libdrm's amdgpu.ids (revision IDs).  Sizes of VRAM,
 * CUs present and clocks are those of a usual card of that chip.
 *
 * The ring bytes of the RLC queues of SDMA 4.2 are not public; here they follow the
 * page queue's.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>

#include "../hw/regs/mmhub_1_0_regs.h"
#include "../hw/regs/nbio_7_4_regs.h"
#include "../hw/regs/osssys_4_0_regs.h"
#include "../hw/regs/sdma0_4_0_regs.h"
#include "vgpu_profile.h"

static const struct vgpu_profile vgpu_profiles[] = {
	{
		.name = "vega10",
		.device_id = 0x6860,
		.pci_rev = 0x00,
		.strap_rev = 0x0,
		.class = 0x038000,
		.shader_engines = 4,
		.cu_per_se = 16,
		.cu_min = 4,
		.cu_max = 64,
		.cu_default = 64,
		.vram_min = 256ULL << 20,
		.vram_max = 64ULL << 30,
		.vram_default = 8ULL << 30,
		.gb_addr_config = 0x2a114042,
		.clock_khz = 27000,
		.strap = NBIO6_RCC_DEV0_EPF0_STRAP0,
		/* Ten CP and two SDMA clients. */
		.flush_mask = GENMASK(11, 0),
		.hdp_read_cache = true,
		.hub = { .count = 1, .client = { 0x12 } },
		.rlc_queues = 2,
		.queue_stride = SDMA4_QUEUE_STRIDE,
		.iv_page = 3,
		.iv_rlc0 = 1,
		.sdma_version = 0x00000400,
		.sdma_count = 2,
		.sdma = {
			{ SDMA4_VEGA10_SDMA0, 0x08, 32 + 14, 15, NBIO6_BIF_SDMA0_DOORBELL_RANGE },
			{ SDMA4_VEGA10_SDMA1, 0x09, 15, 32 + 14, NBIO6_BIF_SDMA1_DOORBELL_RANGE },
		},
	},
	{
		.name = "vega20",
		.device_id = 0x66a1,
		.pci_rev = 0x02,
		.strap_rev = 0x1,
		.class = 0x038000,
		.shader_engines = 4,
		.cu_per_se = 16,
		.cu_min = 4,
		.cu_max = 64,
		.cu_default = 60,
		.vram_min = 256ULL << 20,
		.vram_max = 64ULL << 30,
		.vram_default = 32ULL << 30,
		.gb_addr_config = 0x22014042,
		.clock_khz = 25000,
		.strap = NBIO7_RCC_DEV0_EPF0_STRAP0,
		.flush_mask = GENMASK(11, 0),
		.hdp_read_cache = true,
		.hub = { .count = 1, .client = { 0x12 } },
		.rlc_queues = 8,
		.queue_stride = SDMA4_QUEUE_STRIDE,
		.iv_page = 1,
		.iv_rlc0 = 2,
		.sdma_version = 0x00000402,
		.sdma_count = 2,
		.sdma = {
			{ SDMA4_VEGA20_SDMA0, 0x08, 15, 15, NBIO6_BIF_SDMA0_DOORBELL_RANGE },
			{ SDMA4_VEGA20_SDMA1, 0x09, 32 + 14, 32 + 14,
			  NBIO6_BIF_SDMA1_DOORBELL_RANGE },
		},
	},
	{
		.name = "mi100",
		.device_id = 0x738c,
		.pci_rev = 0x01,
		.strap_rev = 0x0,
		.class = 0x038000,
		.shader_engines = 8,
		.cu_per_se = 16,
		.cu_min = 8,
		.cu_max = 128,
		.cu_default = 120,
		.vram_min = 256ULL << 20,
		.vram_max = 64ULL << 30,
		.vram_default = 32ULL << 30,
		.gb_addr_config = 0x22014042,
		.clock_khz = 25000,
		.strap = NBIO7_RCC_DEV0_EPF0_STRAP0,
		/* Eight SDMA clients, and one more that its microcode uses. */
		.flush_mask = GENMASK(20, 0),
		.hdp_read_cache = true,
		.hub = {
			.count = 2,
			.client = { 0x12, 0x06 },
			.stride = MMHUB941_HUB_STRIDE,
			.vm_shift = MMHUB941_VM_SHIFT,
			.shared_shift = MMHUB941_SHARED_SHIFT,
		},
		.rlc_queues = 8,
		.queue_stride = SDMA422_QUEUE_STRIDE,
		.iv_page = 3,
		.iv_rlc0 = 4,
		.sdma_version = 0x00020402,
		.sdma_count = 8,
		.sdma = {
			{ SDMA4_ARCT_SDMA0, 0x08, 256, 256, NBIO6_BIF_SDMA0_DOORBELL_RANGE },
			{ SDMA4_ARCT_SDMA1, 0x09, 257, 257, NBIO6_BIF_SDMA1_DOORBELL_RANGE },
			{ SDMA4_ARCT_SDMA2, 0x01, 258, 258, NBIO7_BIF_SDMA_DOORBELL_RANGE(2) },
			{ SDMA4_ARCT_SDMA3, 0x04, 259, 259, NBIO7_BIF_SDMA_DOORBELL_RANGE(3) },
			{ SDMA4_ARCT_SDMA4, 0x05, 260, 260, NBIO7_BIF_SDMA_DOORBELL_RANGE(4) },
			{ SDMA4_ARCT_SDMA5, 0x11, 261, 261, NBIO7_BIF_SDMA_DOORBELL_RANGE(5), 1 },
			{ SDMA4_ARCT_SDMA6, 0x13, 262, 262, NBIO7_BIF_SDMA_DOORBELL_RANGE(6), 1 },
			{ SDMA4_ARCT_SDMA7, 0x18, 263, 263, NBIO7_BIF_SDMA_DOORBELL_RANGE(7), 1 },
		},
	},
	{
		.name = "mi210",
		.device_id = 0x740f,
		.pci_rev = 0x02,
		.strap_rev = 0x1,
		.class = 0x038000,
		.shader_engines = 8,
		.cu_per_se = 14,
		.cu_min = 8,
		.cu_max = 112,
		.cu_default = 104,
		.vram_min = 256ULL << 20,
		.vram_max = 64ULL << 30,
		.vram_default = 64ULL << 30,
		.gb_addr_config = 0x22014042,
		.clock_khz = 25000,
		.strap = NBIO7_RCC_DEV0_EPF0_STRAP0_ALDE,
		.ih_chicken = OSSSYS4_IH_CHICKEN_ALDEBARAN,
		/* Ten CP and five SDMA clients. */
		.flush_mask = GENMASK(14, 0),
		.hub = {
			.count = 1,
			.client = { 0x12 },
			.vm_shift = MMHUB17_VM_SHIFT,
			.shared_shift = MMHUB17_SHARED_SHIFT,
			.no_semaphore = true,
		},
		.rlc_queues = 8,
		.queue_stride = SDMA422_QUEUE_STRIDE,
		.iv_page = 3,
		.iv_rlc0 = 4,
		.sdma_version = 0x00000404,
		.sdma_count = 5,
		.sdma = {
			{ SDMA4_ALDE_SDMA0, 0x08, 256, 256, NBIO6_BIF_SDMA0_DOORBELL_RANGE },
			{ SDMA4_ALDE_SDMA1, 0x09, 257, 257, NBIO6_BIF_SDMA1_DOORBELL_RANGE },
			{ SDMA4_ALDE_SDMA2, 0x01, 258, 258, NBIO7_BIF_SDMA_DOORBELL_RANGE(2) },
			{ SDMA4_ALDE_SDMA3, 0x04, 259, 259, NBIO7_BIF_SDMA_DOORBELL_RANGE(3) },
			{ SDMA4_ALDE_SDMA4, 0x05, 260, 260, NBIO7_BIF_SDMA4_DOORBELL_RANGE_ALDE },
		},
	},
};

/**
 * vgpu_profile_find - profile by name
 * @name: need not end with a NUL
 * @len: of @name
 *
 * Return: the profile or NULL.
 */
const struct vgpu_profile *vgpu_profile_find(const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(vgpu_profiles); i++)
		if (strlen(vgpu_profiles[i].name) == len &&
		    !memcmp(vgpu_profiles[i].name, name, len))
			return &vgpu_profiles[i];
	return NULL;
}

/**
 * vgpu_profile_at - profile by number
 * @index: from 0 on
 *
 * Return: the profile, or NULL if there are no more.
 */
const struct vgpu_profile *vgpu_profile_at(unsigned int index)
{
	return index < ARRAY_SIZE(vgpu_profiles) ? &vgpu_profiles[index] : NULL;
}
