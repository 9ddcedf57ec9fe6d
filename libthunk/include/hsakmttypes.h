/* SPDX-License-Identifier: MIT */
/* The name that programs include; the text is in hsakmt/hsakmttypes.h. */
#ifndef CARILLON_COMPAT_HSAKMTTYPES_H
#define CARILLON_COMPAT_HSAKMTTYPES_H

#include "hsakmt/hsakmttypes.h"

#endif
