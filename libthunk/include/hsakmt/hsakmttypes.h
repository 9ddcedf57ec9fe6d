/* SPDX-License-Identifier: MIT */
/**
 * DOC: types of the thunk's interface
 *
 * The names, values and layouts below are the ABI of libhsakmt.so.1 as AMD's
 * release 5.2.3 has it: a program built against either set of headers runs on
 * either library. All structs are packed to 4 bytes, which a 64-bit member at
 * an odd multiple of 4 makes visible. An enum whose last value is 0xFFFFFFFF is
 * 32 bits wide. Nothing here is ever renumbered; new members use the reserved
 * space at the end of a struct.
 *
 * The text is cut by noun: status and plain types, topology, memory, queues,
 * debugger, events, performance counters.
 */
#ifndef _HSAKMTTYPES_H_
#define _HSAKMTTYPES_H_

#include "hsakmt_base.h"
#include "hsakmt_topology.h"
#include "hsakmt_memory.h"
#include "hsakmt_queue.h"
#include "hsakmt_debug.h"
#include "hsakmt_event.h"
#include "hsakmt_perf.h"

#endif /* _HSAKMTTYPES_H_ */
