// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: where the trace events of page tables are made
 */
#define CREATE_TRACE_POINTS
#include "vm_trace.h"
