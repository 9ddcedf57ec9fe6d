// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: sleep of the machine
 *
 * Suspend, with user space frozen: user queues leave the hardware, what the IH ring
 * holds is delivered, kernel rings finish their jobs and stop, the IH stops.  The
 * function keeps its power (its state counts as saved, so the PCI core leaves it in D0)
 * and VRAM its contents: buffers, page tables and the GART stay as they are.  Resume is the
 * reverse, with all registers set up anew; user queues go on at the RPTR and WPTR where
 * they were.
 *
 * A card loses VRAM in any sleep deeper than suspend to idle, and nothing here
 * saves it.  So suspend is refused then, before anything is stopped.
 *
 * Work items that write page tables or end processes stand still with user space
 * (freezable work queues).  What else may come, such as a page that reclaim takes away,
 * finds queues that are not loaded and leaves page tables to the CPU.
 *
 * Not done: saving VRAM, power management of a running GPU.
 */
#include <linux/dev_printk.h>
#include <linux/pci.h>
#include <linux/suspend.h>

#include "kfd_device.h"
#include "kfd_interrupt.h"
#include "kfd_power.h"
#include "kfd_queue.h"
#include "kfd_smi.h"

static void power_stop(struct kfd_device *dev)
{
	unsigned int i;

	for (i = 0; i < dev->num_nodes; i++) {
		kfd_smi_sleep(&dev->node[i]);
		kfd_queue_sleep(&dev->node[i]);
	}
	kfd_interrupts_flush(dev);
	sdma_suspend(&dev->sdma);
	irq_suspend(&dev->irq);
	flush_work(&dev->interrupts.work);
}

static int kfd_power_suspend(struct device *device)
{
	struct pci_dev *pdev = to_pci_dev(device);
	struct kfd_device *dev = pci_get_drvdata(pdev);
	int ret;

	if (pm_suspend_target_state != PM_SUSPEND_TO_IDLE && !hw_keeps_vram(&dev->hw)) {
		dev_err(device, "VRAM would be lost: only suspend to idle is possible\n");
		return -EOPNOTSUPP;
	}
	ret = pci_save_state(pdev);
	if (!ret)
		power_stop(dev);
	return ret;
}

static int power_start(struct kfd_device *dev)
{
	int ret = hw_device_resume(&dev->hw);

	if (ret)
		return ret;
	irq_resume(&dev->irq);
	return sdma_resume(&dev->sdma);
}

static int kfd_power_resume(struct device *device)
{
	struct kfd_device *dev = pci_get_drvdata(to_pci_dev(device));
	unsigned int i;
	int ret = power_start(dev);

	if (ret)
		dev_err(device, "does not wake up: %d\n", ret);
	/* Even so: queues that cannot be loaded say so to their processes. */
	for (i = 0; i < dev->num_nodes; i++) {
		kfd_smi_wake(&dev->node[i]);
		kfd_queue_wake(&dev->node[i]);
	}
	WRITE_ONCE(dev->sleeps, dev->sleeps + 1);
	return ret;
}

const struct dev_pm_ops kfd_power_ops = {
	SYSTEM_SLEEP_PM_OPS(kfd_power_suspend, kfd_power_resume)
};
