// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: devices: bring-up and removal
 *
 * Bring-up, each step with its reverse:
 *
 *   registers, VRAM, hubs -> interrupts -> kernel rings and their tests -> memory ->
 *   interrupts of user queues -> DRM nodes -> hwmon -> topology and registry -> debugfs
 *
 * The topology and the registry change together under the registry's lock, so that
 * whoever sees the GPU in sysfs gets it from /dev/kfd as well.
 *
 * Removal begins at the other end: no new process finds the device, then every process
 * lets go of it while the hardware still works, then drm_dev_unplug() waits for those
 * inside, then the layers go down.  The struct stays until the last DRM file, buffer or
 * process that refers to it has gone.
 *
 * Suspend and resume are in kfd_power.c.
 *
 * Not done: reset.
 */
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <linux/moduleparam.h>
#include <linux/sched/mm.h>

#include "../uapi/linux/kfd_sysfs.h"
#include "kfd_debugfs.h"
#include "kfd_device.h"
#include "kfd_doorbell.h"
#include "kfd_drm.h"
#include "kfd_mmio.h"
#include "kfd_process.h"
#include "kfd_sysfs_device.h"
#include "topology/topology.h"

/* GFX9 without SVM: 4 watch points, 64-bit doorbells. */
#define KFD_CAPABILITY	(HSA_CAP_WATCH_POINTS_SUPPORTED |					\
			 (2 << HSA_CAP_WATCH_POINTS_TOTALBITS_SHIFT) |				\
			 (HSA_CAP_DOORBELL_TYPE_2_0 << HSA_CAP_DOORBELL_TYPE_TOTALBITS_SHIFT))

/* Fewer than there are make a crowd of processes easy to have. */
static unsigned int kfd_vmids = KFD_VMIDS;

static int kfd_vmids_set(const char *text, const struct kernel_param *param)
{
	return param_set_uint_minmax(text, param, 1, KFD_VMIDS);
}

static const struct kernel_param_ops kfd_vmids_ops = {
	.set = kfd_vmids_set,
	.get = param_get_uint,
};

module_param_cb(vmids, &kfd_vmids_ops, &kfd_vmids, 0444);
MODULE_PARM_DESC(vmids, "VMIDs of a GPU that processes may take, 1 to 8 (default: 8)");

struct kfd_registry kfd_registry = {
	.lock = __MUTEX_INITIALIZER(kfd_registry.lock),
	.devices = LIST_HEAD_INIT(kfd_registry.devices),
	.processes = LIST_HEAD_INIT(kfd_registry.processes),
};

static const struct hw_client_ops kfd_hw_client = {
	.withdraw_doorbells = kfd_doorbell_withdraw,
};

/* One place, so that lockdep knows the locks of all nodes, and of the one below, as the same. */
static void node_locks_init(struct kfd_node *node)
{
	mutex_init(&node->lock);
	kfd_smi_init(&node->smi);
}

/**
 * kfd_device_prime_lockdep - tell lockdep the order of locks before a test can break it
 *
 * registry -> process -> mmap_lock -> doorbells -> (reclaim) -> node -> smi
 */
void kfd_device_prime_lockdep(void)
{
#ifdef CONFIG_LOCKDEP
	static struct kfd_node prime;

	node_locks_init(&prime);
	fs_reclaim_acquire(GFP_KERNEL);
	mutex_lock(&prime.lock);
	mutex_lock(&prime.smi.lock);
	mutex_unlock(&prime.smi.lock);
	mutex_unlock(&prime.lock);
	fs_reclaim_release(GFP_KERNEL);
	mutex_destroy(&prime.smi.lock);
	mutex_destroy(&prime.lock);
#endif
}

/* ---- nodes ---- */

static int node_init(struct kfd_device *dev, struct kfd_node *node)
{
	node->dev = dev;
	node->vmid_mask = GENMASK(KFD_VMID_FIRST + kfd_vmids - 1, KFD_VMID_FIRST);
	node->sdma_mask = sdma_instance_mask(&dev->sdma);
	node->rlc_slots = min_t(unsigned int, dev->hw.chip->sdma->user_queues, KFD_MAX_RLC);
	node->vram_base = 0;
	node->vram_size = dev->hw.vram_size;
	node_locks_init(node);
	kfd_queue_sched_init(node);
	return kfd_doorbell_init(node);
}

static int nodes_init(struct kfd_device *dev)
{
	int ret = node_init(dev, &dev->node[0]);

	if (!ret)
		dev->num_nodes = 1;
	return ret;
}

static int node_publish_locked(struct kfd_node *node)
{
	struct kfd_device *dev = node->dev;
	struct topology_gpu gpu = {
		.hw = &dev->hw,
		.render_minor = dev->drm.render->index,
		.vram_usable = vm_vram_size(&dev->vm),
		.num_sdma = hweight16(node->sdma_mask),
		.capability = KFD_CAPABILITY |
			      (dev->hw.rev_id << HSA_CAP_ASIC_REVISION_SHIFT &
			       HSA_CAP_ASIC_REVISION_MASK),
	};

	return topology_add_gpu(&gpu, &node->gpu_id);
}

static int device_publish(struct kfd_device *dev)
{
	unsigned int i = 0;
	int ret = 0;

	mutex_lock(&kfd_registry.lock);
	for (i = 0; i < dev->num_nodes; i++) {
		ret = node_publish_locked(&dev->node[i]);
		if (ret)
			goto withdraw;
	}
	list_add_tail(&dev->link, &kfd_registry.devices);
	mutex_unlock(&kfd_registry.lock);
	return 0;

withdraw:
	while (i--)
		topology_remove_gpu(dev->node[i].gpu_id);
	mutex_unlock(&kfd_registry.lock);
	return ret;
}

static void device_withdraw(struct kfd_device *dev)
{
	unsigned int i;

	mutex_lock(&kfd_registry.lock);
	list_del(&dev->link);
	for (i = 0; i < dev->num_nodes; i++)
		topology_remove_gpu(dev->node[i].gpu_id);
	mutex_unlock(&kfd_registry.lock);
}

/* ---- layers ---- */

static int layers_init(struct kfd_device *dev, struct pci_dev *pdev)
{
	int ret;

	ret = hw_device_init(&dev->hw, pdev, &kfd_hw_client);
	if (ret)
		return ret;
	ret = irq_init(&dev->irq, &dev->hw);
	if (ret)
		goto fini_hw;
	ret = sdma_init(&dev->sdma, &dev->hw, &dev->irq);
	if (ret)
		goto fini_irq;
	ret = vm_device_init(&dev->vm, &dev->hw, &dev->sdma, &dev->drm);
	if (ret)
		goto fini_sdma;
	ret = nodes_init(dev);
	if (ret)
		goto fini_vm;
	ret = kfd_interrupts_init(dev);
	if (ret)
		goto fini_vm;
	return 0;

fini_vm:
	vm_device_fini(&dev->vm);
fini_sdma:
	sdma_fini(&dev->sdma);
fini_irq:
	irq_fini(&dev->irq);
fini_hw:
	hw_device_fini(&dev->hw);
	return ret;
}

/* Once nobody enters the device any more. */
static void layers_fini(struct kfd_device *dev)
{
	vm_device_fini(&dev->vm);
	sdma_fini(&dev->sdma);
	irq_fini(&dev->irq);
	hw_device_fini(&dev->hw);
}

static struct kfd_device *device_alloc(struct pci_dev *pdev)
{
	struct kfd_device *dev;

	dev = devm_drm_dev_alloc(&pdev->dev, &kfd_drm_driver, struct kfd_device, drm);
	if (IS_ERR(dev))
		return dev;
	init_waitqueue_head(&dev->detached);
	mutex_init(&dev->test_lock);
	INIT_LIST_HEAD(&dev->link);
	pci_set_drvdata(pdev, dev);
	return dev;
}

/**
 * kfd_device_probe - a function of our table appeared
 * @pdev: function
 * @id: row
 *
 * Context: Process context.
 * Return: 0 or what the layer said that failed.
 */
int kfd_device_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct kfd_device *dev = device_alloc(pdev);
	int ret;

	if (IS_ERR(dev))
		return PTR_ERR(dev);
	ret = layers_init(dev, pdev);
	if (ret)
		return ret;
	ret = drm_dev_register(&dev->drm, 0);
	if (ret)
		goto fini_interrupts;
	ret = kfd_sysfs_hwmon_add(dev);
	if (ret)
		goto unplug_drm;
	ret = device_publish(dev);
	if (ret)
		goto remove_hwmon;
	kfd_debugfs_add_device(dev);
	dev_info(&pdev->dev, "%s: gpu_id %u, renderD%d, %llu MiB of VRAM, SDMA instances %#x\n",
		 dev->hw.chip->name, dev->node[0].gpu_id, dev->drm.render->index,
		 vm_vram_size(&dev->vm) >> 20, dev->node[0].sdma_mask);
	return 0;

remove_hwmon:
	kfd_sysfs_hwmon_remove(dev);
unplug_drm:
	drm_dev_unplug(&dev->drm);
fini_interrupts:
	kfd_interrupts_fini(dev);
	layers_fini(dev);
	return ret;
}

/**
 * kfd_device_remove - a function goes, or its driver does
 * @pdev: function
 *
 * Context: Process context.
 */
void kfd_device_remove(struct pci_dev *pdev)
{
	struct kfd_device *dev = pci_get_drvdata(pdev);
	unsigned int i;

	kfd_debugfs_remove_device(dev);
	kfd_sysfs_hwmon_remove(dev);
	device_withdraw(dev);
	kfd_process_detach_device(dev);
	kfd_interrupts_fini(dev);
	drm_dev_unplug(&dev->drm);
	for (i = 0; i < dev->num_nodes; i++) {
		kfd_queue_sched_fini(&dev->node[i]);
		kfd_smi_gone(&dev->node[i]);
		kfd_mmio_withdraw(&dev->node[i]);
	}
	layers_fini(dev);
}
