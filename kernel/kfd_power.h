/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: sleep of the machine
 */
#ifndef CARILLON_KFD_POWER_H
#define CARILLON_KFD_POWER_H

#include <linux/pm.h>

/* For the PCI driver, where the kernel can sleep. */
extern const struct dev_pm_ops kfd_power_ops;

#endif /* CARILLON_KFD_POWER_H */
