/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* User-space stand-in: a function that only prints. */
#ifndef CARILLON_SHIM_PCI_H
#define CARILLON_SHIM_PCI_H

#include <linux/types.h>

struct device {
	const char *name;
};

struct pci_dev {
	struct device dev;
};

#define dev_err(dev, ...)		((void)(dev))
#define dev_err_ratelimited(dev, ...)	((void)(dev))
#define wmb()				__atomic_thread_fence(__ATOMIC_RELEASE) /* definition */

#endif /* CARILLON_SHIM_PCI_H */
