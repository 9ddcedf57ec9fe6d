/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: trace events of page tables
 *
 * carillon:vm_update, entries that follow from each other or are given one by one
 * (then addr and flags are those of the first), on their way through a ring or stored
 * by the CPU.  Documentation/tracing.rst has all events.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM carillon

#if !defined(CARILLON_VM_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define CARILLON_VM_TRACE_H

#include <linux/pci.h>
#include <linux/tracepoint.h>

#include "../hw/hw_device.h"
#include "vm_device.h"
#include "vm_update.h"

TRACE_EVENT(vm_update,
	    TP_PROTO(const struct vm_update *upd, u64 pe, u64 pte, u32 count, u32 incr,
		     bool by_ring),
	    TP_ARGS(upd, pe, pte, count, incr, by_ring),
	    TP_STRUCT__entry(__array(char, gpu, 16)
			     __field(u64, pe)
			     __field(u64, pte)
			     __field(u32, count)
			     __field(u32, incr)
			     __field(bool, ring)),
	    TP_fast_assign(strscpy(__entry->gpu, pci_name(upd->vmd->hw->pdev),
				   sizeof(__entry->gpu));
			   __entry->pe = pe;
			   __entry->pte = pte;
			   __entry->count = count;
			   __entry->incr = incr;
			   __entry->ring = by_ring;),
	    TP_printk("gpu=%s pe=0x%llx count=%u pte=0x%llx incr=0x%x by=%s", __entry->gpu,
		      __entry->pe, __entry->count, __entry->pte, __entry->incr,
		      __entry->ring ? "ring" : "cpu"));

#endif /* CARILLON_VM_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE vm_trace
#include <trace/define_trace.h>
