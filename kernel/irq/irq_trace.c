// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: where the trace events of the interrupt layer are made
 */
#define CREATE_TRACE_POINTS
#include "irq_trace.h"
