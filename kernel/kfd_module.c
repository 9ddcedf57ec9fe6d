// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: the module: /dev/kfd and the PCI driver
 *
 * The class "kfd" and the device node of that name belong to upstream's amdkfd as
 * well.  Where that class exists the module refuses to load; the class is what is
 * tested, not who made it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/device.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/pci.h>

#include "hw/hw_device.h"
#include "kfd_compat.h"
#include "kfd_debugfs.h"
#include "kfd_device.h"
#include "kfd_doorbell.h"
#include "kfd_drm.h"
#include "kfd_ioctl.h"
#include "kfd_mmap.h"
#include "kfd_power.h"
#include "kfd_process.h"
#include "kfd_sysfs_device.h"
#include "kfd_sysfs_process.h"
#include "topology/topology.h"
#include "vm/vm.h"

#define KFD_NAME	"kfd"
#define KFD_CLASS_PATH	"/sys/class/kfd"

module_param_named(real_hw, hw_real_allowed, bool, 0444);
MODULE_PARM_DESC(real_hw,
		 "also bind real GPUs, never tried on silicon (default: virtual ones only)");

static int kfd_major;
static struct class *kfd_class;
static struct device *kfd_device;

static int kfd_open(struct inode *inode, struct file *file)
{
	return kfd_process_open(file);
}

static int kfd_release(struct inode *inode, struct file *file)
{
	kfd_process_close(file);
	return 0;
}

static const struct file_operations kfd_fops = {
	.owner = THIS_MODULE,
	.open = kfd_open,
	.release = kfd_release,
	.unlocked_ioctl = kfd_ioctl,
	.mmap = kfd_mmap,
	.llseek = noop_llseek,
};

static const struct pci_device_id kfd_pci_ids[] = {
	{ PCI_DEVICE(PCI_VENDOR_ID_ATI, 0x6860) },	/* Vega10 */
	{ PCI_DEVICE(PCI_VENDOR_ID_ATI, 0x66a1) },	/* Vega20 */
	{ PCI_DEVICE(PCI_VENDOR_ID_ATI, 0x738c) },	/* Arcturus */
	{ PCI_DEVICE(PCI_VENDOR_ID_ATI, 0x740f) },	/* Aldebaran */
	{ }
};
MODULE_DEVICE_TABLE(pci, kfd_pci_ids);

/* The model ties its functions to a driver of this name. */
static struct pci_driver kfd_pci_driver = {
	.name = "carillon",
	.id_table = kfd_pci_ids,
	.probe = kfd_device_probe,
	.remove = kfd_device_remove,
	.dev_groups = kfd_sysfs_device_groups,
	.driver.pm = pm_sleep_ptr(&kfd_power_ops),
};

static bool kfd_class_exists(void)
{
	struct path path;

	if (kern_path(KFD_CLASS_PATH, LOOKUP_FOLLOW, &path))
		return false;
	path_put(&path);
	return true;
}

static int kfd_chardev_init(void)
{
	int ret;

	kfd_major = register_chrdev(0, KFD_NAME, &kfd_fops);
	if (kfd_major < 0)
		return kfd_major;
	kfd_class = kfd_class_create(KFD_NAME);
	if (IS_ERR(kfd_class)) {
		ret = PTR_ERR(kfd_class);
		goto unregister;
	}
	kfd_device = device_create(kfd_class, NULL, MKDEV(kfd_major, 0), NULL, KFD_NAME);
	if (IS_ERR(kfd_device)) {
		ret = PTR_ERR(kfd_device);
		goto destroy_class;
	}
	return 0;

destroy_class:
	class_destroy(kfd_class);
unregister:
	unregister_chrdev(kfd_major, KFD_NAME);
	return ret;
}

static void kfd_chardev_fini(void)
{
	device_destroy(kfd_class, MKDEV(kfd_major, 0));
	class_destroy(kfd_class);
	unregister_chrdev(kfd_major, KFD_NAME);
}

static int __init kfd_init(void)
{
	int ret;

	if (kfd_class_exists()) {
		pr_err("another driver has /dev/kfd (" KFD_CLASS_PATH " exists): not loaded\n");
		return -EBUSY;
	}
	ret = kfd_drm_check_name();
	if (ret)
		return ret;
	kfd_device_prime_lockdep();
	ret = vm_init();
	if (ret)
		return ret;
	ret = kfd_mapping_init();
	if (ret)
		goto fini_vm;
	ret = kfd_process_table_init();
	if (ret)
		goto fini_mapping;
	ret = kfd_chardev_init();
	if (ret)
		goto fini_processes;
	ret = topology_init(&kfd_device->kobj);
	if (ret)
		goto fini_chardev;
	ret = kfd_sysfs_process_init(&kfd_device->kobj);
	if (ret)
		goto fini_topology;
	kfd_debugfs_init();
	ret = pci_register_driver(&kfd_pci_driver);
	if (ret)
		goto fini_debugfs;
	return 0;

fini_debugfs:
	kfd_debugfs_fini();
	kfd_sysfs_process_fini();
fini_topology:
	topology_fini();
fini_chardev:
	kfd_chardev_fini();
fini_processes:
	kfd_process_table_fini();
fini_mapping:
	kfd_mapping_fini();
fini_vm:
	vm_exit();
	return ret;
}

static void __exit kfd_exit(void)
{
	pci_unregister_driver(&kfd_pci_driver);
	kfd_debugfs_fini();
	kfd_sysfs_process_fini();
	topology_fini();
	kfd_chardev_fini();
	kfd_process_table_fini();
	kfd_mapping_fini();
	vm_exit();
}

module_init(kfd_init);
module_exit(kfd_exit);

MODULE_DESCRIPTION("AMD GPU driver: KFD user API, SDMA, GPU virtual memory");
MODULE_LICENSE("GPL");
