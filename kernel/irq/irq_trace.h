/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: trace events of the interrupt layer
 *
 * carillon:ih_entry, an entry that the driver takes from the IH ring, before its
 * handler runs.  Documentation/tracing.rst has all events.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM carillon

#if !defined(CARILLON_IRQ_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define CARILLON_IRQ_TRACE_H

#include <linux/pci.h>
#include <linux/tracepoint.h>

#include "irq_entry.h"

TRACE_EVENT(ih_entry,
	    TP_PROTO(struct pci_dev *pdev, const struct irq_entry *e),
	    TP_ARGS(pdev, e),
	    TP_STRUCT__entry(__array(char, gpu, 16)
			     __field(u8, client)
			     __field(u8, source)
			     __field(u8, ring)
			     __field(u8, vmid)
			     __field(u16, pasid)
			     __field(u32, ctx)),
	    TP_fast_assign(strscpy(__entry->gpu, pci_name(pdev), sizeof(__entry->gpu));
			   __entry->client = e->client;
			   __entry->source = e->source;
			   __entry->ring = e->ring;
			   __entry->vmid = e->vmid;
			   __entry->pasid = e->pasid;
			   __entry->ctx = e->ctx[0];),
	    TP_printk("gpu=%s client=%u source=%u ring=%u vmid=%u pasid=%u ctx=0x%x", __entry->gpu,
		      __entry->client, __entry->source, __entry->ring, __entry->vmid,
		      __entry->pasid, __entry->ctx));

#endif /* CARILLON_IRQ_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE irq_trace
#include <trace/define_trace.h>
