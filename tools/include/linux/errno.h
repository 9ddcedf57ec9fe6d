/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* User-space stand-in: error numbers. */
#ifndef CARILLON_SHIM_ERRNO_H
#define CARILLON_SHIM_ERRNO_H

/* Not errno.h: that one includes linux/errno.h, which is this file. */
#include <asm/errno.h>

#define ENOTSUPP	524

#endif /* CARILLON_SHIM_ERRNO_H */
