/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* User-space stand-in: string functions. */
#ifndef CARILLON_SHIM_STRING_H
#define CARILLON_SHIM_STRING_H

#include <string.h>

#endif /* CARILLON_SHIM_STRING_H */
