// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: configuration space
 *
 * See vgpu_cfgspace.h.  Sizes of BARs follow from their masks: the PCI core writes
 * ones and reads back.  BAR0 (VRAM) and BAR2 (doorbells) are 64-bit and prefetchable,
 * BAR5 (registers) is 32-bit.  The status register has no bits that a write clears,
 * because no error is ever reported there.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/pci_regs.h>
#include <linux/string.h>
#include <linux/types.h>

#include "vgpu_cfgspace.h"

#define OFF_PM		0x48
#define OFF_EXP		0x58
#define OFF_MSI		0xa0
#define OFF_DSN		0x100
#define MSI_VECTOR_BIT	BIT(0)
#define BAR2_SIZE	(2ULL << 20)
#define BAR5_SIZE	(512ULL << 10)

static u32 get_le(const u8 *p, unsigned int size)
{
	u32 value = 0;

	while (size--)
		value = value << 8 | p[size];
	return value;
}

static void put_le(u8 *p, unsigned int size, u32 value)
{
	for (; size--; value >>= 8)
		*p++ = value;
}

static void data16(struct vgpu_cfgspace *cfg, unsigned int where, u16 value)
{
	put_le(cfg->data + where, 2, value);
}

static void data32(struct vgpu_cfgspace *cfg, unsigned int where, u32 value)
{
	put_le(cfg->data + where, 4, value);
}

static void mask16(struct vgpu_cfgspace *cfg, unsigned int where, u16 value)
{
	put_le(cfg->mask + where, 2, value);
}

static void mask32(struct vgpu_cfgspace *cfg, unsigned int where, u32 value)
{
	put_le(cfg->mask + where, 4, value);
}

static void init_bar64(struct vgpu_cfgspace *cfg, unsigned int where, u64 size)
{
	u64 mask = ~(size - 1);

	data32(cfg, where, PCI_BASE_ADDRESS_MEM_TYPE_64 | PCI_BASE_ADDRESS_MEM_PREFETCH);
	mask32(cfg, where, lower_32_bits(mask));
	mask32(cfg, where + 4, upper_32_bits(mask));
}

static void init_header(struct vgpu_cfgspace *cfg, const struct vgpu_profile *profile,
			u64 bar0_size)
{
	data16(cfg, PCI_VENDOR_ID, VGPU_CFG_VENDOR);
	data16(cfg, PCI_DEVICE_ID, profile->device_id);
	mask16(cfg, PCI_COMMAND, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER | PCI_COMMAND_PARITY |
	       PCI_COMMAND_SERR | PCI_COMMAND_INTX_DISABLE);
	data16(cfg, PCI_STATUS, PCI_STATUS_CAP_LIST);
	data32(cfg, PCI_CLASS_REVISION, profile->class << 8 | profile->pci_rev);
	cfg->mask[PCI_CACHE_LINE_SIZE] = 0xff;
	cfg->mask[PCI_INTERRUPT_LINE] = 0xff;
	data16(cfg, PCI_SUBSYSTEM_VENDOR_ID, VGPU_CFG_VENDOR);
	data16(cfg, PCI_SUBSYSTEM_ID, profile->device_id);
	init_bar64(cfg, PCI_BASE_ADDRESS_0, bar0_size);
	init_bar64(cfg, PCI_BASE_ADDRESS_2, BAR2_SIZE);
	mask32(cfg, PCI_BASE_ADDRESS_5, lower_32_bits(~(BAR5_SIZE - 1)));
	cfg->data[PCI_CAPABILITY_LIST] = OFF_PM;
}

static void init_cap(struct vgpu_cfgspace *cfg, unsigned int where, u8 id, u8 next)
{
	cfg->data[where + PCI_CAP_LIST_ID] = id;
	cfg->data[where + PCI_CAP_LIST_NEXT] = next;
}

static void init_pm(struct vgpu_cfgspace *cfg)
{
	init_cap(cfg, OFF_PM, PCI_CAP_ID_PM, OFF_EXP);
	data16(cfg, OFF_PM + PCI_PM_PMC, 3);
	data16(cfg, OFF_PM + PCI_PM_CTRL, PCI_PM_CTRL_NO_SOFT_RESET);
	mask16(cfg, OFF_PM + PCI_PM_CTRL, PCI_PM_CTRL_STATE_MASK);
}

static void init_exp(struct vgpu_cfgspace *cfg)
{
	init_cap(cfg, OFF_EXP, PCI_CAP_ID_EXP, OFF_MSI);
	data16(cfg, OFF_EXP + PCI_EXP_FLAGS, 2 | PCI_EXP_TYPE_RC_END << 4);
	data32(cfg, OFF_EXP + PCI_EXP_DEVCAP, PCI_EXP_DEVCAP_RBER | 1);
	mask16(cfg, OFF_EXP + PCI_EXP_DEVCTL, PCI_EXP_DEVCTL_CERE | PCI_EXP_DEVCTL_NFERE |
	       PCI_EXP_DEVCTL_FERE | PCI_EXP_DEVCTL_URRE | PCI_EXP_DEVCTL_RELAX_EN |
	       PCI_EXP_DEVCTL_PAYLOAD | PCI_EXP_DEVCTL_NOSNOOP_EN | PCI_EXP_DEVCTL_READRQ);
	/*
	 * Completes AtomicOps of 32 and 64 bits, as Vega does.  There is no root port to
	 * ask, so requests are enabled from the start, as a hypervisor leaves them where
	 * it knows that they work (pci_enable_atomic_ops_to_root() looks for that).
	 */
	data32(cfg, OFF_EXP + PCI_EXP_DEVCAP2, PCI_EXP_DEVCAP2_ATOMIC_COMP32 |
	       PCI_EXP_DEVCAP2_ATOMIC_COMP64);
	data16(cfg, OFF_EXP + PCI_EXP_DEVCTL2, PCI_EXP_DEVCTL2_ATOMIC_REQ);
	mask16(cfg, OFF_EXP + PCI_EXP_DEVCTL2, PCI_EXP_DEVCTL2_ATOMIC_REQ);
}

static void init_msi(struct vgpu_cfgspace *cfg)
{
	init_cap(cfg, OFF_MSI, PCI_CAP_ID_MSI, 0);
	data16(cfg, OFF_MSI + PCI_MSI_FLAGS, PCI_MSI_FLAGS_64BIT | PCI_MSI_FLAGS_MASKBIT);
	mask16(cfg, OFF_MSI + PCI_MSI_FLAGS, PCI_MSI_FLAGS_ENABLE);
	mask32(cfg, OFF_MSI + PCI_MSI_ADDRESS_LO, ~3u);
	mask32(cfg, OFF_MSI + PCI_MSI_ADDRESS_HI, ~0u);
	mask16(cfg, OFF_MSI + PCI_MSI_DATA_64, 0xffff);
	mask32(cfg, OFF_MSI + PCI_MSI_MASK_64, MSI_VECTOR_BIT);
}

static void init_dsn(struct vgpu_cfgspace *cfg, u64 unique_id)
{
	data32(cfg, OFF_DSN, PCI_EXT_CAP_ID_DSN | 1 << 16);
	data32(cfg, OFF_DSN + 4, lower_32_bits(unique_id));
	data32(cfg, OFF_DSN + 8, upper_32_bits(unique_id));
}

/**
 * vgpu_cfg_init - configuration space after power-on
 * @cfg: filled
 * @profile: identity
 * @bar0_size: power of two
 * @unique_id: device serial number
 */
void vgpu_cfg_init(struct vgpu_cfgspace *cfg, const struct vgpu_profile *profile, u64 bar0_size,
		   u64 unique_id)
{
	memset(cfg, 0, sizeof(*cfg));
	init_header(cfg, profile, bar0_size);
	init_pm(cfg);
	init_exp(cfg);
	init_msi(cfg);
	init_dsn(cfg, unique_id);
}

static bool access_valid(unsigned int where, unsigned int size)
{
	return (size == 1 || size == 2 || size == 4) && where <= VGPU_CFG_BYTES - size;
}

/**
 * vgpu_cfg_read - read configuration space
 * @cfg: the space
 * @where: byte offset
 * @size: 1, 2 or 4 bytes
 *
 * Return: the value; all ones outside of the space.
 */
u32 vgpu_cfg_read(const struct vgpu_cfgspace *cfg, unsigned int where, unsigned int size)
{
	return access_valid(where, size) ? get_le(cfg->data + where, size) : ~0u;
}

static bool msi_pending(const struct vgpu_cfgspace *cfg)
{
	return cfg->data[OFF_MSI + PCI_MSI_PENDING_64] & MSI_VECTOR_BIT;
}

static bool msi_masked(const struct vgpu_cfgspace *cfg)
{
	return cfg->data[OFF_MSI + PCI_MSI_MASK_64] & MSI_VECTOR_BIT;
}

static bool msi_on(const struct vgpu_cfgspace *cfg)
{
	return (get_le(cfg->data + OFF_MSI + PCI_MSI_FLAGS, 2) & PCI_MSI_FLAGS_ENABLE) &&
	       vgpu_cfg_master_on(cfg);
}

/**
 * vgpu_cfg_write - write the writable bits
 * @cfg: the space
 * @where: byte offset
 * @size: 1, 2 or 4 bytes
 * @value: what to write
 *
 * Return: VGPU_CFG_FIRE if an interrupt that was pending is to be sent now, or 0.
 */
unsigned int vgpu_cfg_write(struct vgpu_cfgspace *cfg, unsigned int where, unsigned int size,
			    u32 value)
{
	unsigned int i;

	if (!access_valid(where, size))
		return 0;
	for (i = where; size--; i++, value >>= 8)
		cfg->data[i] = (cfg->data[i] & ~cfg->mask[i]) | (value & cfg->mask[i]);
	if (!msi_pending(cfg) || msi_masked(cfg) || !msi_on(cfg))
		return 0;
	cfg->data[OFF_MSI + PCI_MSI_PENDING_64] &= ~MSI_VECTOR_BIT;
	return VGPU_CFG_FIRE;
}

/* Does the function decode its BARs? */
bool vgpu_cfg_memory_on(const struct vgpu_cfgspace *cfg)
{
	return cfg->data[PCI_COMMAND] & PCI_COMMAND_MEMORY;
}

/* May the function read and write system memory? */
bool vgpu_cfg_master_on(const struct vgpu_cfgspace *cfg)
{
	return cfg->data[PCI_COMMAND] & PCI_COMMAND_MASTER;
}

/* What becomes of an interrupt that is raised now. */
enum vgpu_cfg_msi vgpu_cfg_msi(struct vgpu_cfgspace *cfg)
{
	if (!msi_on(cfg))
		return VGPU_CFG_MSI_OFF;
	if (!msi_masked(cfg))
		return VGPU_CFG_MSI_SEND;
	cfg->data[OFF_MSI + PCI_MSI_PENDING_64] |= MSI_VECTOR_BIT;
	return VGPU_CFG_MSI_MASKED;
}
