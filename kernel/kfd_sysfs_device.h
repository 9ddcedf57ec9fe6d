/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: files of a GPU that tools read, what the device layer uses
 */
#ifndef CARILLON_KFD_SYSFS_DEVICE_H
#define CARILLON_KFD_SYSFS_DEVICE_H

struct attribute_group;
struct kfd_device;

/*
 * For the PCI driver: the driver core makes the files after probe and removes them, waiting
 * for readers, before remove.
 */
extern const struct attribute_group *kfd_sysfs_device_groups[];

/* kfd_sysfs_hwmon.c: 0, or what hwmon says; 0 as well where the kernel has no hwmon. */
int kfd_sysfs_hwmon_add(struct kfd_device *dev);
/* Waits for readers. */
void kfd_sysfs_hwmon_remove(struct kfd_device *dev);

#endif /* CARILLON_KFD_SYSFS_DEVICE_H */
