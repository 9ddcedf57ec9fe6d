/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: ioctls that concern the process as a whole, or store something for it
 *
 * Each takes the caller's process and a zero-extended argument struct, under no lock,
 * and returns 0 or an errno.
 */
#ifndef CARILLON_KFD_PROCESS_IOCTL_H
#define CARILLON_KFD_PROCESS_IOCTL_H

struct kfd_process;

int kfd_process_get_version(struct kfd_process *p, void *args);
int kfd_process_get_clocks(struct kfd_process *p, void *args);
int kfd_process_get_apertures(struct kfd_process *p, void *args);
int kfd_process_get_apertures_new(struct kfd_process *p, void *args);
int kfd_process_acquire_vm(struct kfd_process *p, void *args);
int kfd_process_set_policy(struct kfd_process *p, void *args);
int kfd_process_set_scratch(struct kfd_process *p, void *args);
int kfd_process_get_tile_config(struct kfd_process *p, void *args);
int kfd_process_set_trap(struct kfd_process *p, void *args);
int kfd_process_runtime_enable(struct kfd_process *p, void *args);
int kfd_process_set_xnack(struct kfd_process *p, void *args);

#endif /* CARILLON_KFD_PROCESS_IOCTL_H */
