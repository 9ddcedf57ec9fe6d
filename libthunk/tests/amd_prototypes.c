// SPDX-License-Identifier: MIT
/**
 * DOC: prototypes
 *
 * AMD's header first, then the declarations of ours over its types: a difference
 * in any prototype does not compile.
 */
#include <hsakmt.h>

#undef _HSAKMT_H_
#include "include/hsakmt/hsakmt.h"
