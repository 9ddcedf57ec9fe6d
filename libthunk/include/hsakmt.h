/* SPDX-License-Identifier: MIT */
/* The name that programs include; the text is in hsakmt/hsakmt.h. */
#ifndef CARILLON_COMPAT_HSAKMT_H
#define CARILLON_COMPAT_HSAKMT_H

#include "hsakmt/hsakmt.h"

#endif
