/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: configuration space of the virtual function
 *
 * 4 KiB of bytes and a mask of those that a write changes.  Capabilities: power
 * management, PCI Express (root-complex integrated endpoint), MSI with one vector,
 * 64-bit address and mask bit; extended: device serial number, which carries the
 * unique id of the GPU.  No interrupt pin.  Pure: compiles in user space; the caller
 * serialises.
 */
#ifndef CARILLON_VGPU_CFGSPACE_H
#define CARILLON_VGPU_CFGSPACE_H

#include <linux/types.h>

#include "vgpu_config.h"

#define VGPU_CFG_BYTES		4096
#define VGPU_CFG_VENDOR		0x1002

/* What a write asks the caller to do. */
#define VGPU_CFG_FIRE		1	/* a pending interrupt was unmasked: send it */

/**
 * struct vgpu_cfgspace - configuration space
 * @data: bytes
 * @mask: bits that a write changes
 */
struct vgpu_cfgspace {
	u8 data[VGPU_CFG_BYTES];
	u8 mask[VGPU_CFG_BYTES];
};

/**
 * enum vgpu_cfg_msi - fate of an interrupt
 * @VGPU_CFG_MSI_OFF: MSI or bus mastering is off: lost
 * @VGPU_CFG_MSI_MASKED: masked: the pending bit is set
 * @VGPU_CFG_MSI_SEND: to be sent
 */
enum vgpu_cfg_msi {
	VGPU_CFG_MSI_OFF,
	VGPU_CFG_MSI_MASKED,
	VGPU_CFG_MSI_SEND,
};

void vgpu_cfg_init(struct vgpu_cfgspace *cfg, const struct vgpu_profile *profile, u64 bar0_size,
		   u64 unique_id);
u32 vgpu_cfg_read(const struct vgpu_cfgspace *cfg, unsigned int where, unsigned int size);
unsigned int vgpu_cfg_write(struct vgpu_cfgspace *cfg, unsigned int where, unsigned int size,
			    u32 value);
bool vgpu_cfg_memory_on(const struct vgpu_cfgspace *cfg);
bool vgpu_cfg_master_on(const struct vgpu_cfgspace *cfg);
enum vgpu_cfg_msi vgpu_cfg_msi(struct vgpu_cfgspace *cfg);

#endif /* CARILLON_VGPU_CFGSPACE_H */
