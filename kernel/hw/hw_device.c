// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: bring-up of the PCI function
 *
 * hw_device_init() goes from a bare PCI function to one whose registers answer,
 * whose VRAM and compute units are counted and whose VMID 0 translates.  Engines
 * and interrupts are left to the layers above.
 *
 * Binding a chip (a function without a backend) is opt-in and was never tried on
 * silicon.  It expects a card that its own firmware has set up: memory trained,
 * frame buffer located, microcode of the engines loaded.
 *
 * While the machine sleeps the function keeps its power and VRAM its contents, the GART
 * with them; registers are set up anew afterwards.
 *
 * Not done: reset, power management of a running GPU, SR-IOV.
 */
#include <linux/bitfield.h>
#include <linux/dma-mapping.h>
#include <linux/sizes.h>

#include "hw_device.h"
#include "regs/gc_9_0_regs.h"
#include "regs/hdp_4_0_regs.h"
#include "regs/mmhub_1_0_regs.h"
#include "regs/nbio_6_1_regs.h"

/* Widest system address in a page-table entry that all engines of GFX9 agree on. */
#define HW_DMA_BITS	44

bool hw_real_allowed;

/* Enable the function and claim its BARs so that user space cannot map them through sysfs. */
static int hw_pci_enable(struct hw_device *hw, struct pci_dev *pdev)
{
	int ret;

	ret = pci_enable_device(pdev);
	if (ret)
		return ret;
	ret = pci_request_regions_exclusive(pdev, "carillon");
	if (ret)
		goto err_disable;
	ret = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(HW_DMA_BITS));
	if (ret)
		goto err_release;
	pci_set_master(pdev);
	hw->pci_atomics = !pci_enable_atomic_ops_to_root(pdev, PCI_EXP_DEVCAP2_ATOMIC_COMP32 |
							 PCI_EXP_DEVCAP2_ATOMIC_COMP64);
	return 0;

err_release:
	pci_release_regions(pdev);
err_disable:
	pci_disable_device(pdev);
	return ret;
}

static void hw_pci_disable(struct pci_dev *pdev)
{
	pci_clear_master(pdev);
	pci_release_regions(pdev);
	pci_disable_device(pdev);
}

/* Size and place of VRAM. */
static int hw_read_vram(struct hw_device *hw)
{
	struct device *dev = &hw->pdev->dev;
	u32 mib = hw_read(hw, NBIO6_RCC_PF_0_0_RCC_CONFIG_MEMSIZE);
	u64 base, top;

	if (!mib || mib > SZ_1M) {
		dev_err(dev, "implausible VRAM size register 0x%08x\n", mib);
		return -ENODEV;
	}
	hw->vram_size = (u64)mib * SZ_1M;
	base = FIELD_GET(MMHUB1_MC_VM_FB_LOCATION_BASE__FB_BASE,
			 hw_read(hw, hw_hub_reg(hw, 0, MMHUB1_MC_VM_FB_LOCATION_BASE)));
	top = FIELD_GET(MMHUB1_MC_VM_FB_LOCATION_TOP__FB_TOP,
			hw_read(hw, hw_hub_reg(hw, 0, MMHUB1_MC_VM_FB_LOCATION_TOP)));
	hw->vram_base = base << 24;
	hw->vram_pa = (u64)hw_read(hw, hw_hub_reg(hw, 0, MMHUB1_MC_VM_FB_OFFSET)) << 24;
	if (top < base || ((top - base + 1) << 24) < hw->vram_size) {
		dev_err(dev, "frame buffer location 0x%llx-0x%llx is smaller than VRAM\n",
			base << 24, ((top + 1) << 24) - 1);
		return -ENODEV;
	}
	if (!hw->backend && hw->vram_visible < hw->vram_size) {
		dev_err(dev, "BAR0 shows %llu of %llu MiB of VRAM; enable resizable BARs\n",
			hw->vram_visible >> 20, hw->vram_size >> 20);
		return -ENODEV;
	}
	hw->vram_visible = min(hw->vram_visible, hw->vram_size);
	return 0;
}

static void hw_select_array(struct hw_device *hw, u32 engine, u32 array)
{
	hw_write(hw, GC9_GRBM_GFX_INDEX, GC9_GRBM_GFX_INDEX__INSTANCE_BROADCAST_WRITES |
		 FIELD_PREP(GC9_GRBM_GFX_INDEX__SE_INDEX, engine) |
		 FIELD_PREP(GC9_GRBM_GFX_INDEX__SH_INDEX, array));
}

static void hw_select_all(struct hw_device *hw)
{
	hw_write(hw, GC9_GRBM_GFX_INDEX, GC9_GRBM_GFX_INDEX__INSTANCE_BROADCAST_WRITES |
		 GC9_GRBM_GFX_INDEX__SE_BROADCAST_WRITES |
		 GC9_GRBM_GFX_INDEX__SH_BROADCAST_WRITES);
}

/* CUs of the selected array that are neither fused off nor switched off. */
static u32 hw_read_cus(struct hw_device *hw)
{
	u32 off = hw_read(hw, GC9_CC_GC_SHADER_ARRAY_CONFIG) |
		  hw_read(hw, GC9_GC_USER_SHADER_ARRAY_CONFIG);

	return ~FIELD_GET(GC9_CC_GC_SHADER_ARRAY_CONFIG__INACTIVE_CUS, off) &
	       GENMASK(hw->chip->cu_per_array - 1, 0);
}

static int hw_read_shaders(struct hw_device *hw)
{
	const struct hw_chip *chip = hw->chip;
	u32 engine, array, mask;

	for (engine = 0; engine < chip->shader_engines; engine++) {
		for (array = 0; array < chip->arrays_per_engine; array++) {
			hw_select_array(hw, engine, array);
			mask = hw_read_cus(hw);
			hw->cu_active[engine] |= mask << (array * chip->cu_per_array);
			hw->cu_count += hweight32(mask);
		}
	}
	hw_select_all(hw);
	if (hw->cu_count)
		return 0;
	dev_err(&hw->pdev->dev, "no compute unit is active\n");
	return -ENODEV;
}

/* The bus interface: CPU access to VRAM and doorbells, the host data path's idea of VRAM. */
static void hw_open_bus(struct hw_device *hw)
{
	u32 misc = hw_read(hw, HDP4_HDP_MISC_CNTL) | HDP4_HDP_MISC_CNTL__FLUSH_INVALIDATE_CACHE;
	u32 watermark = hw->chip->hdp->read_watermark;

	if (watermark) {
		misc &= ~HDP4_HDP_MISC_CNTL__READ_BUFFER_WATERMARK;
		misc |= FIELD_PREP(HDP4_HDP_MISC_CNTL__READ_BUFFER_WATERMARK, watermark);
	}

	hw_write(hw, NBIO6_BIF_FB_EN, NBIO6_BIF_FB_EN__FB_READ_EN |
		 NBIO6_BIF_FB_EN__FB_WRITE_EN);
	hw_write(hw, HDP4_HDP_MISC_CNTL, misc);
	hw_write(hw, HDP4_HDP_NONSURFACE_BASE, hw->vram_base >> 8);
	hw_write(hw, HDP4_HDP_NONSURFACE_BASE_HI, hw->vram_base >> 40);
	hw_write(hw, NBIO6_RCC_PF_0_0_RCC_DOORBELL_APER_EN,
		 NBIO6_RCC_PF_0_0_RCC_DOORBELL_APER_EN__BIF_DOORBELL_APER_EN);
	hw_hdp_flush(hw);
}

static void hw_close_bus(struct hw_device *hw)
{
	hw_write(hw, NBIO6_RCC_PF_0_0_RCC_DOORBELL_APER_EN, 0);
}

static void hw_announce(struct hw_device *hw)
{
	const struct hw_chip *c = hw->chip;

	dev_info(&hw->pdev->dev,
		 "%s rev %u: GC %u.%u.%u SDMA %u.%u.%u MMHUB %u.%u.%u OSSSYS %u.%u.%u\n",
		 c->name, hw->rev_id,
		 c->ip_gc >> 16, (c->ip_gc >> 8) & 0xff, c->ip_gc & 0xff,
		 c->sdma->version >> 16, (c->sdma->version >> 8) & 0xff, c->sdma->version & 0xff,
		 c->ip_mmhub >> 16, (c->ip_mmhub >> 8) & 0xff, c->ip_mmhub & 0xff,
		 c->ip_osssys >> 16, (c->ip_osssys >> 8) & 0xff, c->ip_osssys & 0xff);
	dev_info(&hw->pdev->dev,
		 "%u CUs, VRAM %llu MiB at MC 0x%llx, GART %u MiB at MC 0x%llx%s\n",
		 hw->cu_count, hw->vram_size >> 20, hw->vram_base,
		 hw->gart.pages >> (20 - PAGE_SHIFT), hw->gart.base,
		 hw->backend ? "" : " (real function, untested on silicon)");
}

static int hw_read_identity(struct hw_device *hw)
{
	int ret;

	/* amdgpu asks the power controller's firmware, which this driver does not talk to. */
	hw->unique_id = pci_get_dsn(hw->pdev);
	hw->rev_id = FIELD_GET(NBIO6_RCC_DEV0_EPF0_STRAP0__STRAP_ATI_REV_ID_DEV0_F0,
			       hw_read(hw, hw->chip->reg_strap));
	ret = hw_read_vram(hw);
	return ret ? ret : hw_read_shaders(hw);
}

/**
 * hw_device_init - bring up a function
 * @hw: zeroed memory of the caller
 * @pdev: the function
 * @client: upcalls; may come from the end of this call until hw_device_fini()
 *
 * Context: process.
 * Return: 0; -ENODEV (unknown chip, real function not allowed, implausible
 * registers), -EPROTO (unknown backend version), -EBUSY, -ENOMEM, -ETIMEDOUT or
 * what the PCI core says.
 */
int hw_device_init(struct hw_device *hw, struct pci_dev *pdev, const struct hw_client_ops *client)
{
	int ret;

	hw->pdev = pdev;
	hw->client = client;
	hw->chip = hw_chip_find(pdev->device);
	if (!hw->chip)
		return -ENODEV;
	mutex_init(&hw->tlb_lock);
	mutex_init(&hw->pasid_lock);
	raw_spin_lock_init(&hw->clock_lock);

	ret = hw_pci_enable(hw, pdev);
	if (ret)
		return ret;
	ret = hw_mmio_init(hw);
	if (ret)
		goto err_pci;
	ret = hw_read_identity(hw);
	if (ret)
		goto err_mmio;
	hw_open_bus(hw);
	ret = hw_gart_init(hw);
	if (ret)
		goto err_bus;
	ret = hw_hub_init(hw);
	if (ret)
		goto err_gart;
	hw_announce(hw);
	return 0;

err_gart:
	hw_gart_fini(hw);
err_bus:
	hw_close_bus(hw);
err_mmio:
	hw_mmio_fini(hw);
err_pci:
	hw_pci_disable(pdev);
	return ret;
}

/**
 * hw_device_fini - undo hw_device_init()
 * @hw: device; the layers above are gone, no user mapping of its pages is left
 *
 * Context: process.
 */
void hw_device_fini(struct hw_device *hw)
{
	hw_hub_fini(hw);
	hw_gart_fini(hw);
	hw_close_bus(hw);
	hw_mmio_fini(hw);
	hw_pci_disable(hw->pdev);
}

/**
 * hw_device_resume - set the function up after a sleep
 * @hw: device; its config space is restored and VRAM has kept its contents
 *
 * The GART maps what it mapped before.  No VMID has a page table.
 *
 * Context: process.
 * Return: 0, -ENODEV (the function does not answer any more) or -ETIMEDOUT.
 */
int hw_device_resume(struct hw_device *hw)
{
	/* A register that can never read as all ones: whether anything answers. */
	hw_read(hw, NBIO6_RCC_PF_0_0_RCC_CONFIG_MEMSIZE);
	if (READ_ONCE(hw->lost))
		return -ENODEV;
	hw_open_bus(hw);
	return hw_hub_init(hw);
}

/**
 * hw_gpu_clock - GPU clock counter
 * @hw: device
 *
 * Context: any.
 * Return: ticks of &hw_chip.clock_khz; all ones once the function is lost.
 */
u64 hw_gpu_clock(struct hw_device *hw)
{
	unsigned long flags;
	u64 clock;

	/* Two readers must not latch between each other's halves. */
	raw_spin_lock_irqsave(&hw->clock_lock, flags);
	hw_write(hw, GC9_RLC_CAPTURE_GPU_CLOCK_COUNT, 1);
	clock = hw_read(hw, GC9_RLC_GPU_CLOCK_COUNT_LSB);
	clock |= (u64)hw_read(hw, GC9_RLC_GPU_CLOCK_COUNT_MSB) << 32;
	raw_spin_unlock_irqrestore(&hw->clock_lock, flags);
	return clock;
}
