/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: entry point of all ioctls on /dev/kfd
 */
#ifndef CARILLON_KFD_IOCTL_H
#define CARILLON_KFD_IOCTL_H

struct file;

long kfd_ioctl(struct file *file, unsigned int cmd, unsigned long arg);

#endif /* CARILLON_KFD_IOCTL_H */
