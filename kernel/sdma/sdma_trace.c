// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: where the trace events of the kernel rings are made
 */
#include "../irq/irq.h"

#define CREATE_TRACE_POINTS
#include "sdma_trace.h"
