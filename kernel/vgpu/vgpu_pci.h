/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: PCI side of the virtual GPUs
 *
 * A host is a PCI root bus in a domain of its own with one function for each GPU.
 */
#ifndef CARILLON_VGPU_PCI_H
#define CARILLON_VGPU_PCI_H

#include <linux/types.h>

struct vgpu_config;
struct vgpu_host;

struct vgpu_host *vgpu_pci_create(const struct vgpu_config *list, unsigned int count, u64 vram_cap);
void vgpu_pci_destroy(struct vgpu_host *host);

#endif /* CARILLON_VGPU_PCI_H */
