/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: kernel versions, for the model
 *
 * The only file of carillon_vgpu.ko that knows that kernels differ.  Kbuild looks
 * for the names in question in the headers and defines HAVE_ macros; versions tell
 * nothing, because stable kernels take such changes back.
 */
#ifndef CARILLON_VGPU_COMPAT_H
#define CARILLON_VGPU_COMPAT_H

#include <linux/device.h>
#include <linux/mmzone.h>
#include <linux/pci.h>

/* Without sparse memory there is no such limit. */
#ifndef MAX_PHYSMEM_BITS
#define MAX_PHYSMEM_BITS	52
#endif

#ifdef CONFIG_PCI_DOMAINS
#define VGPU_BUS	0
#else
/* User-mode Linux has no domains, and a bus 0 of its own. */
#define VGPU_BUS	1
struct pci_sysdata {
	int domain;
	int node;
};
#endif

/* Tie a function to one driver. 0 or an errno. */
static inline int vgpu_set_driver_override(struct pci_dev *pdev, const char *name)
{
#ifdef HAVE_DEVICE_SET_DRIVER_OVERRIDE
	return device_set_driver_override(&pdev->dev, name);
#else
	return driver_set_override(&pdev->dev, (const char **)&pdev->driver_override, name,
				   strlen(name));
#endif
}

#endif /* CARILLON_VGPU_COMPAT_H */
