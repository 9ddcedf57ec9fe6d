/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* User-space stand-in: see linux/kernel.h. */
#ifndef CARILLON_SHIM_ALIGN_H
#define CARILLON_SHIM_ALIGN_H

#include <linux/kernel.h>

#endif /* CARILLON_SHIM_ALIGN_H */
