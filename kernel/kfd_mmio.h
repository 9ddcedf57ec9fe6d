/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: the page of flush registers
 */
#ifndef CARILLON_KFD_MMIO_H
#define CARILLON_KFD_MMIO_H

struct kfd_node;
struct kfd_process_node;
struct vm_area_struct;

#define KFD_MMIO_BYTES	4096

int kfd_mmio_take(struct kfd_process_node *pn);
/* Map the register page of @pn. -EINVAL: none was allocated. */
int kfd_mmio_mmap(struct kfd_process_node *pn, struct vm_area_struct *vma);
void kfd_mmio_withdraw(const struct kfd_node *node);

#endif /* CARILLON_KFD_MMIO_H */
