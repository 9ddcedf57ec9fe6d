/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: trace events of the kernel rings
 *
 * A job's way, in the order in which it goes (steps of S0.106 in brackets):
 * carillon:sdma_submit; sdma_write, its frame is in the ring [1]; sdma_commit, WPTR is
 * in memory [2]; sdma_doorbell, about to be rung [3]; sdma_trap, its interrupt is being
 * handled, with the RPTR that memory says [7, 9]; sdma_fence, its fence signals.
 * Documentation/tracing.rst has all events.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM carillon

#if !defined(CARILLON_SDMA_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define CARILLON_SDMA_TRACE_H

#include <linux/pci.h>
#include <linux/tracepoint.h>

#include "sdma_device.h"
#include "sdma_fence.h"

#define SDMA_TRACE_NAME	16

#define sdma_trace_gpu(name, sdma) strscpy(name, pci_name((sdma)->hw->pdev), SDMA_TRACE_NAME)

#define sdma_trace_kind(kind) \
	__print_symbolic(kind, { SDMA_RING_GFX, "gfx" }, { SDMA_RING_PAGE, "page" })

TRACE_DEFINE_ENUM(SDMA_RING_GFX);
TRACE_DEFINE_ENUM(SDMA_RING_PAGE);

TRACE_EVENT(sdma_submit,
	    TP_PROTO(const struct sdma_ring *ring, const struct sdma_job *job, u32 seq, u32 dwords),
	    TP_ARGS(ring, job, seq, dwords),
	    TP_STRUCT__entry(__array(char, gpu, SDMA_TRACE_NAME)
			     __field(u32, instance)
			     __field(u32, kind)
			     __field(u32, seq)
			     __field(u32, vmid)
			     __field(u64, ib)
			     __field(u32, dwords)
			     __field(u64, bytes)),
	    TP_fast_assign(sdma_trace_gpu(__entry->gpu, ring->sdma);
			   __entry->instance = ring->instance;
			   __entry->kind = ring->kind;
			   __entry->seq = seq;
			   __entry->vmid = job->vmid;
			   __entry->ib = job->vmid ? job->ib_va : job->ib_mc;
			   __entry->dwords = dwords;
			   __entry->bytes = job->bytes;),
	    TP_printk("gpu=%s instance=%u queue=%s seq=%u vmid=%u ib=0x%llx dwords=%u bytes=%llu",
		      __entry->gpu, __entry->instance, sdma_trace_kind(__entry->kind), __entry->seq,
		      __entry->vmid, __entry->ib, __entry->dwords, __entry->bytes));

DECLARE_EVENT_CLASS(sdma_ring_at,
		    TP_PROTO(const struct sdma_ring *ring, u64 end),
		    TP_ARGS(ring, end),
		    TP_STRUCT__entry(__array(char, gpu, SDMA_TRACE_NAME)
				     __field(u32, instance)
				     __field(u32, kind)
				     __field(u64, end)),
		    TP_fast_assign(sdma_trace_gpu(__entry->gpu, ring->sdma);
				   __entry->instance = ring->instance;
				   __entry->kind = ring->kind;
				   __entry->end = sdma_dwords_to_bytes(end);),
		    TP_printk("gpu=%s instance=%u queue=%s wptr=%llu", __entry->gpu,
			      __entry->instance, sdma_trace_kind(__entry->kind),
			      __entry->end));

DEFINE_EVENT(sdma_ring_at, sdma_write,
	     TP_PROTO(const struct sdma_ring *ring, u64 end),
	     TP_ARGS(ring, end));

DEFINE_EVENT(sdma_ring_at, sdma_commit,
	     TP_PROTO(const struct sdma_ring *ring, u64 end),
	     TP_ARGS(ring, end));

TRACE_EVENT(sdma_doorbell,
	    TP_PROTO(const struct sdma_ring *ring, u64 end, bool by_doorbell),
	    TP_ARGS(ring, end, by_doorbell),
	    TP_STRUCT__entry(__array(char, gpu, SDMA_TRACE_NAME)
			     __field(u32, instance)
			     __field(u32, kind)
			     __field(u64, end)
			     __field(u32, offset)
			     __field(bool, by_doorbell)),
	    TP_fast_assign(sdma_trace_gpu(__entry->gpu, ring->sdma);
			   __entry->instance = ring->instance;
			   __entry->kind = ring->kind;
			   __entry->end = sdma_dwords_to_bytes(end);
			   __entry->offset = ring->doorbell;
			   __entry->by_doorbell = by_doorbell;),
	    TP_printk("gpu=%s instance=%u queue=%s wptr=%llu by=%s offset=0x%x", __entry->gpu,
		      __entry->instance, sdma_trace_kind(__entry->kind), __entry->end,
		      __entry->by_doorbell ? "doorbell" : "register", __entry->offset));

TRACE_EVENT(sdma_trap,
	    TP_PROTO(const struct sdma_ring *ring),
	    TP_ARGS(ring),
	    TP_STRUCT__entry(__array(char, gpu, SDMA_TRACE_NAME)
			     __field(u32, instance)
			     __field(u32, kind)
			     __field(u64, rptr)),
	    TP_fast_assign(sdma_trace_gpu(__entry->gpu, ring->sdma);
			   __entry->instance = ring->instance;
			   __entry->kind = ring->kind;
			   __entry->rptr = sdma_dwords_to_bytes(sdma_ring_rptr(ring));),
	    TP_printk("gpu=%s instance=%u queue=%s rptr=%llu", __entry->gpu, __entry->instance,
		      sdma_trace_kind(__entry->kind), __entry->rptr));

TRACE_EVENT(sdma_user_trap,
	    TP_PROTO(const struct sdma_device *sdma, u32 instance,
		     const struct irq_entry *e),
	    TP_ARGS(sdma, instance, e),
	    TP_STRUCT__entry(__array(char, gpu, SDMA_TRACE_NAME)
			     __field(u32, instance)
			     __field(u8, ring)
			     __field(u8, vmid)
			     __field(u16, pasid)
			     __field(u32, ctx)),
	    TP_fast_assign(sdma_trace_gpu(__entry->gpu, sdma);
			   __entry->instance = instance;
			   __entry->ring = e->ring;
			   __entry->vmid = e->vmid;
			   __entry->pasid = e->pasid;
			   __entry->ctx = e->ctx[0];),
	    TP_printk("gpu=%s instance=%u ring=%u vmid=%u pasid=%u ctx=0x%x", __entry->gpu,
		      __entry->instance, __entry->ring, __entry->vmid, __entry->pasid,
		      __entry->ctx));

TRACE_EVENT(sdma_fence,
	    TP_PROTO(const struct sdma_timeline *tl, u32 seq, int error),
	    TP_ARGS(tl, seq, error),
	    TP_STRUCT__entry(__array(char, gpu, SDMA_TRACE_NAME)
			     __field(u32, instance)
			     __field(u32, kind)
			     __field(u64, context)
			     __field(u32, seq)
			     __field(int, error)),
	    TP_fast_assign(strscpy(__entry->gpu, tl->gpu, SDMA_TRACE_NAME);
			   __entry->instance = tl->instance;
			   __entry->kind = tl->kind;
			   __entry->context = tl->context;
			   __entry->seq = seq;
			   __entry->error = error;),
	    TP_printk("gpu=%s instance=%u queue=%s seq=%u context=%llu error=%d", __entry->gpu,
		      __entry->instance, sdma_trace_kind(__entry->kind), __entry->seq,
		      __entry->context, __entry->error));

#endif /* CARILLON_SDMA_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE sdma_trace
#include <trace/define_trace.h>
