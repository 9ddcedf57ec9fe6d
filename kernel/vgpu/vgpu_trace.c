// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: where the trace events of the model are made
 */
#define CREATE_TRACE_POINTS
#include "vgpu_trace.h"
