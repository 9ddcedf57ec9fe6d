// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: NBIO 6.1 and 7.4, HDP 4.0 and 4.4, ATHUB 1.0 registers
 *
 * Register ops run under the register lock.  The route of a doorbell is read
 * without it: a register is one aligned u32, and a driver that moves a range while
 * doorbells ring gets either answer, as on a chip.
 *
 * Not modelled: the HDP cache itself.  The model's VRAM is plain memory, so a
 * flush is a memory barrier that is counted; flush requests are done at once.
 */
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "../hw/regs/athub_1_0_regs.h"
#include "../hw/regs/hdp_4_0_regs.h"
#include "../hw/regs/nbio_6_1_regs.h"
#include "vgpu_nbio.h"

#define RANGE_MASK	(NBIO6_BIF_SDMA0_DOORBELL_RANGE__OFFSET | \
			 NBIO6_BIF_SDMA0_DOORBELL_RANGE__SIZE)
#define PASID_MASK	(ATHUB1_ATC_VMID0_PASID_MAPPING__PASID | \
			 ATHUB1_ATC_VMID0_PASID_MAPPING__VALID)

/* What all versions have; the straps and the doorbell ranges are the profile's. */
static const struct vgpu_reg nbio_rows[] = {
	{ .offset = NBIO6_RCC_PF_0_0_RCC_CONFIG_MEMSIZE },
	{ .offset = NBIO6_RCC_PF_0_0_RCC_DOORBELL_APER_EN,
	  .mask = NBIO6_RCC_PF_0_0_RCC_DOORBELL_APER_EN__BIF_DOORBELL_APER_EN },
	{ .offset = NBIO6_INTERRUPT_CNTL, .mask = ~0u },
	{ .offset = NBIO6_INTERRUPT_CNTL2, .mask = ~0u },
	{ .offset = NBIO6_BIF_FB_EN,
	  .mask = NBIO6_BIF_FB_EN__FB_READ_EN | NBIO6_BIF_FB_EN__FB_WRITE_EN },
	{ .offset = NBIO6_BIF_BX_PF0_HDP_REG_COHERENCY_FLUSH_CNTL },
	{ .offset = NBIO6_BIF_BX_PF0_HDP_MEM_COHERENCY_FLUSH_CNTL },
	{ .offset = NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_REQ, .mask = ~0u },
	{ .offset = NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_DONE },
	{ .offset = NBIO6_REMAP_HDP_MEM_FLUSH_CNTL, .mask = GENMASK(18, 2),
	  .reset = NBIO6_BIF_BX_PF0_HDP_MEM_COHERENCY_FLUSH_CNTL },
	{ .offset = NBIO6_REMAP_HDP_REG_FLUSH_CNTL, .mask = GENMASK(18, 2),
	  .reset = NBIO6_BIF_BX_PF0_HDP_REG_COHERENCY_FLUSH_CNTL },
	{ .offset = NBIO6_BIF_IH_DOORBELL_RANGE, .mask = RANGE_MASK },
};

static const struct vgpu_reg hdp_rows[] = {
	{ .offset = HDP4_HDP_NONSURFACE_BASE, .mask = ~0u },
	{ .offset = HDP4_HDP_NONSURFACE_BASE_HI, .mask = GENMASK(7, 0) },
	{ .offset = HDP4_HDP_HOST_PATH_CNTL, .mask = ~0u },
	{ .offset = HDP4_HDP_MISC_CNTL, .mask = ~0u },
	/* The last one: not every chip has it. */
	{ .offset = HDP4_HDP_READ_CACHE_INVALIDATE },
};

static const struct vgpu_reg athub_rows[] = {
	{ .offset = ATHUB1_ATC_VMID_PASID_MAPPING_UPDATE_STATUS },
	{ .offset = ATHUB1_ATC_VMID0_PASID_MAPPING, .count = 16, .mask = PASID_MASK },
	{ .offset = ATHUB1_ATC_VMID16_PASID_MAPPING, .count = 16, .mask = PASID_MASK },
};

static void hdp_flush(struct vgpu_nbio *nbio)
{
	nbio->bus->hdp_flush(nbio->bus->ctx);
}

/* NBIO */

static void nbio_sync_remap(struct vgpu_nbio *nbio)
{
	nbio->remap[0].base = vgpu_regfile_get(&nbio->nbio_file, NBIO6_REMAP_HDP_MEM_FLUSH_CNTL);
	nbio->remap[1].base = vgpu_regfile_get(&nbio->nbio_file, NBIO6_REMAP_HDP_REG_FLUSH_CNTL);
}

static void nbio_reset(struct vgpu_block *block)
{
	struct vgpu_nbio *nbio = container_of(block, struct vgpu_nbio, nbio);
	struct vgpu_regfile *file = &nbio->nbio_file;

	vgpu_regfile_reset(file);
	*vgpu_regfile_find(file, nbio->config->profile->strap, NULL) =
		FIELD_PREP(NBIO6_RCC_DEV0_EPF0_STRAP0__STRAP_ATI_REV_ID_DEV0_F0,
			   nbio->config->profile->strap_rev);
	*vgpu_regfile_find(file, NBIO6_RCC_PF_0_0_RCC_CONFIG_MEMSIZE, NULL) =
		nbio->config->vram >> 20;
	nbio_sync_remap(nbio);
}

static u32 nbio_read(struct vgpu_block *block, u32 offset)
{
	struct vgpu_nbio *nbio = container_of(block, struct vgpu_nbio, nbio);
	u32 value;

	if (!vgpu_regfile_read(&nbio->nbio_file, block->base + offset, &value))
		block->unknown++;
	return value;
}

static void nbio_flush_request(struct vgpu_nbio *nbio, u32 value)
{
	struct vgpu_regfile *file = &nbio->nbio_file;
	u32 clients = value & nbio->config->profile->flush_mask;

	hdp_flush(nbio);
	*vgpu_regfile_find(file, NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_REQ, NULL) = clients;
	/* A bit for each client: a request must not take away what another waits for. */
	*vgpu_regfile_find(file, NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_DONE, NULL) |= clients;
}

static void nbio_write(struct vgpu_block *block, u32 offset, u32 value)
{
	struct vgpu_nbio *nbio = container_of(block, struct vgpu_nbio, nbio);

	if (!vgpu_regfile_write(&nbio->nbio_file, block->base + offset, value))
		block->unknown++;
	switch (block->base + offset) {
	case NBIO6_BIF_BX_PF0_HDP_REG_COHERENCY_FLUSH_CNTL:
	case NBIO6_BIF_BX_PF0_HDP_MEM_COHERENCY_FLUSH_CNTL:
		hdp_flush(nbio);
		break;
	case NBIO6_BIF_BX_PF0_GPU_HDP_FLUSH_REQ:
		nbio_flush_request(nbio, value);
		break;
	case NBIO6_REMAP_HDP_MEM_FLUSH_CNTL:
	case NBIO6_REMAP_HDP_REG_FLUSH_CNTL:
		nbio_sync_remap(nbio);
		break;
	}
}

static const struct vgpu_block_ops nbio_ops = {
	.reset = nbio_reset,
	.read = nbio_read,
	.write = nbio_write,
};

/* Copies of the flush registers; their place is NBIO's state, so nothing to reset. */

static void remap_reset(struct vgpu_block *block)
{
}

static u32 remap_read(struct vgpu_block *block, u32 offset)
{
	return 0;
}

static void remap_write_mem(struct vgpu_block *block, u32 offset, u32 value)
{
	hdp_flush(container_of(block, struct vgpu_nbio, remap[0]));
}

static void remap_write_reg(struct vgpu_block *block, u32 offset, u32 value)
{
	hdp_flush(container_of(block, struct vgpu_nbio, remap[1]));
}

static const struct vgpu_block_ops remap_mem_ops = {
	.reset = remap_reset,
	.read = remap_read,
	.write = remap_write_mem,
};

static const struct vgpu_block_ops remap_reg_ops = {
	.reset = remap_reset,
	.read = remap_read,
	.write = remap_write_reg,
};

/* HDP */

static void hdp_reset(struct vgpu_block *block)
{
	vgpu_regfile_reset(&container_of(block, struct vgpu_nbio, hdp)->hdp_file);
}

static u32 hdp_read(struct vgpu_block *block, u32 offset)
{
	struct vgpu_nbio *nbio = container_of(block, struct vgpu_nbio, hdp);
	u32 value;

	if (!vgpu_regfile_read(&nbio->hdp_file, block->base + offset, &value))
		block->unknown++;
	return value;
}

static void hdp_write(struct vgpu_block *block, u32 offset, u32 value)
{
	struct vgpu_nbio *nbio = container_of(block, struct vgpu_nbio, hdp);

	if (!vgpu_regfile_write(&nbio->hdp_file, block->base + offset, value))
		block->unknown++;
	else if (block->base + offset == HDP4_HDP_READ_CACHE_INVALIDATE)
		hdp_flush(nbio);
}

static const struct vgpu_block_ops hdp_ops = {
	.reset = hdp_reset,
	.read = hdp_read,
	.write = hdp_write,
};

/* ATHUB */

static void athub_reset(struct vgpu_block *block)
{
	vgpu_regfile_reset(&container_of(block, struct vgpu_nbio, athub)->athub_file);
}

static u32 athub_read(struct vgpu_block *block, u32 offset)
{
	struct vgpu_nbio *nbio = container_of(block, struct vgpu_nbio, athub);
	u32 value;

	if (!vgpu_regfile_read(&nbio->athub_file, block->base + offset, &value))
		block->unknown++;
	return value;
}

/* Number of the mapping at @reg: the graphics hub's first, then the memory hub's. */
static unsigned int athub_mapping(u32 reg)
{
	if (reg >= ATHUB1_ATC_VMID16_PASID_MAPPING)
		return 16 + (reg - ATHUB1_ATC_VMID16_PASID_MAPPING) / sizeof(u32);
	return (reg - ATHUB1_ATC_VMID0_PASID_MAPPING) / sizeof(u32);
}

/* A mapping that was written is in use at once: its status bit waits to be cleared. */
static void athub_write(struct vgpu_block *block, u32 offset, u32 value)
{
	struct vgpu_nbio *nbio = container_of(block, struct vgpu_nbio, athub);
	u32 reg = block->base + offset;
	u32 *status = vgpu_regfile_find(&nbio->athub_file,
					ATHUB1_ATC_VMID_PASID_MAPPING_UPDATE_STATUS, NULL);

	if (!vgpu_regfile_write(&nbio->athub_file, reg, value))
		block->unknown++;
	else if (reg == ATHUB1_ATC_VMID_PASID_MAPPING_UPDATE_STATUS)
		*status &= ~value;
	else
		*status |= BIT(athub_mapping(reg));
}

static const struct vgpu_block_ops athub_ops = {
	.reset = athub_reset,
	.read = athub_read,
	.write = athub_write,
};

static void init_block(struct vgpu_block *block, const char *name, u32 base, u32 size,
		       const struct vgpu_block_ops *ops)
{
	block->name = name;
	block->base = base;
	block->size = size;
	block->ops = ops;
}

static void init_file(struct vgpu_regfile *file, const struct vgpu_reg *rows, unsigned int n,
		      u32 *values)
{
	file->rows = rows;
	file->num_rows = n;
	file->values = values;
}

/* Engines ask for these at each step. */
static void find_doorbell_regs(struct vgpu_nbio *nbio)
{
	const struct vgpu_profile *profile = nbio->config->profile;
	unsigned int i;

	for (i = 0; i < profile->sdma_count; i++)
		nbio->doorbell_range[i] = vgpu_regfile_find(&nbio->nbio_file,
							    profile->sdma[i].doorbell_range, NULL);
	nbio->doorbell_range[VGPU_ROUTE_IH] = vgpu_regfile_find(&nbio->nbio_file,
								NBIO6_BIF_IH_DOORBELL_RANGE, NULL);
	nbio->doorbell_aperture = vgpu_regfile_find(&nbio->nbio_file,
						    NBIO6_RCC_PF_0_0_RCC_DOORBELL_APER_EN, NULL);
}

/* The registers of this chip's version. */
static void init_nbio_rows(struct vgpu_nbio *nbio)
{
	const struct vgpu_profile *profile = nbio->config->profile;
	struct vgpu_reg *row = nbio->nbio_rows + ARRAY_SIZE(nbio_rows);
	unsigned int i;

	BUILD_BUG_ON(ARRAY_SIZE(nbio_rows) + 1 + VGPU_MAX_SDMA > VGPU_NBIO_REGS);
	memcpy(nbio->nbio_rows, nbio_rows, sizeof(nbio_rows));
	*row++ = (struct vgpu_reg){ .offset = profile->strap };
	for (i = 0; i < profile->sdma_count; i++)
		*row++ = (struct vgpu_reg){
			.offset = profile->sdma[i].doorbell_range, .mask = RANGE_MASK,
		};
	init_file(&nbio->nbio_file, nbio->nbio_rows, row - nbio->nbio_rows, nbio->nbio_values);
}

/**
 * vgpu_nbio_init - set up the blocks; the caller resets them
 * @nbio: zeroed
 * @config: outlives @nbio
 * @bus: likewise
 */
void vgpu_nbio_init(struct vgpu_nbio *nbio, const struct vgpu_config *config,
		    const struct vgpu_bus *bus)
{
	nbio->config = config;
	nbio->bus = bus;
	init_block(&nbio->nbio, "nbio", HW_DW(NBIO6_BASE2), NBIO6_SEG2_SIZE, &nbio_ops);
	init_block(&nbio->hdp, "hdp", HW_DW(HDP4_BASE), HDP4_SIZE, &hdp_ops);
	init_block(&nbio->athub, "athub", HW_DW(ATHUB1_BASE), ATHUB1_SIZE, &athub_ops);
	init_block(&nbio->remap[0], "hdp-mem-remap", 0, sizeof(u32), &remap_mem_ops);
	init_block(&nbio->remap[1], "hdp-reg-remap", 0, sizeof(u32), &remap_reg_ops);
	init_nbio_rows(nbio);
	find_doorbell_regs(nbio);
	init_file(&nbio->hdp_file, hdp_rows,
		  ARRAY_SIZE(hdp_rows) - !config->profile->hdp_read_cache, nbio->hdp_values);
	init_file(&nbio->athub_file, athub_rows, ARRAY_SIZE(athub_rows), nbio->athub_values);
}

/**
 * vgpu_nbio_doorbells_open - does BAR2 take stores?
 * @nbio: the block
 *
 * Context: any, without a lock.
 * Return: true if it does.
 */
bool vgpu_nbio_doorbells_open(const struct vgpu_nbio *nbio)
{
	return *nbio->doorbell_aperture &
	       NBIO6_RCC_PF_0_0_RCC_DOORBELL_APER_EN__BIF_DOORBELL_APER_EN;
}

static bool range_has(u32 range, u32 dword)
{
	u32 first = FIELD_GET(NBIO6_BIF_SDMA0_DOORBELL_RANGE__OFFSET, range);
	u32 size = FIELD_GET(NBIO6_BIF_SDMA0_DOORBELL_RANGE__SIZE, range);

	return dword >= first && dword < first + size;
}

/**
 * vgpu_nbio_route - who listens at a doorbell
 * @nbio: the block
 * @offset: byte offset in BAR2
 *
 * Context: any, without a lock.
 * Return: the engine, or %VGPU_ROUTE_NONE.
 */
enum vgpu_route vgpu_nbio_route(const struct vgpu_nbio *nbio, u32 offset)
{
	u32 dword = (offset & 0xfff) / 4;
	enum vgpu_route route;

	for (route = 0; route < VGPU_ROUTE_NONE; route++)
		if (nbio->doorbell_range[route] && range_has(*nbio->doorbell_range[route], dword))
			break;
	return route;
}
