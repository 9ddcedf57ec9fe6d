/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: trace events of the model
 *
 * What the engine does with a ring (steps of S0.106 in brackets):
 * carillon_vgpu:vgpu_wptr, a new WPTR has come by doorbell or register [4];
 * vgpu_packet_start and vgpu_packet_end [5]; vgpu_rptr, RPTR moves [6];
 * vgpu_writeback, it is in memory [7]; vgpu_ih_put, an entry goes to the IH ring [8].
 * An indirect buffer ends before the packet that runs it does.
 * Documentation/tracing.rst has all events.
 *
 * The engines are tested in user space, where the calls are nothing.
 */
#ifdef __KERNEL__

#undef TRACE_SYSTEM
#define TRACE_SYSTEM carillon_vgpu

#if !defined(CARILLON_VGPU_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define CARILLON_VGPU_TRACE_H

#include <linux/string.h>
#include <linux/tracepoint.h>

#include "vgpu_sdma_state.h"

#define VGPU_TRACE_NAME	16

#define vgpu_trace_gpu(gpu, bus) strscpy(gpu, (bus)->name, VGPU_TRACE_NAME)

#define vgpu_trace_queue(queue) \
	__print_symbolic(queue, { VGPU_SDMA_GFX, "gfx" }, { VGPU_SDMA_PAGE, "page" }, \
			 { VGPU_SDMA_RLC0, "rlc0" }, { VGPU_SDMA_RLC1, "rlc1" }, \
			 { VGPU_SDMA_RLC2, "rlc2" }, { VGPU_SDMA_RLC3, "rlc3" }, \
			 { VGPU_SDMA_RLC4, "rlc4" }, { VGPU_SDMA_RLC5, "rlc5" }, \
			 { VGPU_SDMA_RLC6, "rlc6" }, { VGPU_SDMA_RLC7, "rlc7" })
#define vgpu_trace_packet(kind) \
	__print_symbolic(kind, { VGPU_PACKET_NOP, "NOP" }, { VGPU_PACKET_COPY, "COPY" }, \
			 { VGPU_PACKET_COPY_RECT, "COPY_RECT" }, { VGPU_PACKET_WRITE, "WRITE" }, \
			 { VGPU_PACKET_INDIRECT, "INDIRECT" }, { VGPU_PACKET_FENCE, "FENCE" }, \
			 { VGPU_PACKET_TRAP, "TRAP" }, { VGPU_PACKET_HDP_FLUSH, "HDP_FLUSH" }, \
			 { VGPU_PACKET_POLL_MEM, "POLL_MEM" }, \
			 { VGPU_PACKET_POLL_REG, "POLL_REG" }, \
			 { VGPU_PACKET_POLL_HDP, "POLL_HDP" }, \
			 { VGPU_PACKET_REG_WRITE, "REG_WRITE" }, \
			 { VGPU_PACKET_ATOMIC, "ATOMIC" }, { VGPU_PACKET_FILL, "FILL" }, \
			 { VGPU_PACKET_PTEPDE, "PTEPDE" }, \
			 { VGPU_PACKET_TIMESTAMP, "TIMESTAMP" }, \
			 { VGPU_PACKET_COPY_BROADCAST, "COPY_BROADCAST" }, \
			 { VGPU_PACKET_SEMAPHORE, "SEMAPHORE" }, \
			 { VGPU_PACKET_MEM_INCR, "MEM_INCR" }, \
			 { VGPU_PACKET_COND_EXE, "COND_EXE" }, \
			 { VGPU_PACKET_TIME_SET, "TIME_SET" }, \
			 { VGPU_PACKET_TIME_LOCAL, "TIME_LOCAL" })
#define vgpu_trace_result(result) \
	__print_symbolic(result, { VGPU_EXEC_DONE, "done" }, { VGPU_EXEC_FAULT, "fault" }, \
			 { VGPU_EXEC_ILLEGAL, "illegal" }, { VGPU_EXEC_PROTECTED, "protected" }, \
			 { VGPU_EXEC_TIMEOUT, "timeout" })

TRACE_DEFINE_ENUM(VGPU_SDMA_GFX);
TRACE_DEFINE_ENUM(VGPU_SDMA_PAGE);
TRACE_DEFINE_ENUM(VGPU_SDMA_RLC0);
TRACE_DEFINE_ENUM(VGPU_SDMA_RLC1);
TRACE_DEFINE_ENUM(VGPU_SDMA_RLC2);
TRACE_DEFINE_ENUM(VGPU_SDMA_RLC3);
TRACE_DEFINE_ENUM(VGPU_SDMA_RLC4);
TRACE_DEFINE_ENUM(VGPU_SDMA_RLC5);
TRACE_DEFINE_ENUM(VGPU_SDMA_RLC6);
TRACE_DEFINE_ENUM(VGPU_SDMA_RLC7);
TRACE_DEFINE_ENUM(VGPU_PACKET_NOP);
TRACE_DEFINE_ENUM(VGPU_PACKET_COPY);
TRACE_DEFINE_ENUM(VGPU_PACKET_COPY_RECT);
TRACE_DEFINE_ENUM(VGPU_PACKET_WRITE);
TRACE_DEFINE_ENUM(VGPU_PACKET_INDIRECT);
TRACE_DEFINE_ENUM(VGPU_PACKET_FENCE);
TRACE_DEFINE_ENUM(VGPU_PACKET_TRAP);
TRACE_DEFINE_ENUM(VGPU_PACKET_HDP_FLUSH);
TRACE_DEFINE_ENUM(VGPU_PACKET_POLL_MEM);
TRACE_DEFINE_ENUM(VGPU_PACKET_POLL_REG);
TRACE_DEFINE_ENUM(VGPU_PACKET_POLL_HDP);
TRACE_DEFINE_ENUM(VGPU_PACKET_REG_WRITE);
TRACE_DEFINE_ENUM(VGPU_PACKET_ATOMIC);
TRACE_DEFINE_ENUM(VGPU_PACKET_FILL);
TRACE_DEFINE_ENUM(VGPU_PACKET_PTEPDE);
TRACE_DEFINE_ENUM(VGPU_PACKET_TIMESTAMP);
TRACE_DEFINE_ENUM(VGPU_PACKET_COPY_BROADCAST);
TRACE_DEFINE_ENUM(VGPU_PACKET_SEMAPHORE);
TRACE_DEFINE_ENUM(VGPU_PACKET_MEM_INCR);
TRACE_DEFINE_ENUM(VGPU_PACKET_COND_EXE);
TRACE_DEFINE_ENUM(VGPU_PACKET_TIME_SET);
TRACE_DEFINE_ENUM(VGPU_PACKET_TIME_LOCAL);
TRACE_DEFINE_ENUM(VGPU_EXEC_DONE);
TRACE_DEFINE_ENUM(VGPU_EXEC_FAULT);
TRACE_DEFINE_ENUM(VGPU_EXEC_ILLEGAL);
TRACE_DEFINE_ENUM(VGPU_EXEC_PROTECTED);
TRACE_DEFINE_ENUM(VGPU_EXEC_TIMEOUT);

TRACE_EVENT(vgpu_wptr,
	    TP_PROTO(const struct vgpu_sdma *sdma, const struct vgpu_sdma_queue *q, bool doorbell),
	    TP_ARGS(sdma, q, doorbell),
	    TP_STRUCT__entry(__array(char, gpu, VGPU_TRACE_NAME)
			     __field(u32, instance)
			     __field(u32, queue)
			     __field(u8, vmid)
			     __field(u64, rptr)
			     __field(u64, wptr)
			     __field(bool, doorbell)),
	    TP_fast_assign(vgpu_trace_gpu(__entry->gpu, &sdma->bus);
			   __entry->instance = sdma->instance;
			   __entry->queue = q - sdma->queue;
			   __entry->vmid = q->vmid;
			   __entry->rptr = q->rptr;
			   __entry->wptr = q->wptr;
			   __entry->doorbell = doorbell;),
	    TP_printk("gpu=%s instance=%u queue=%s vmid=%u rptr=%llu wptr=%llu by=%s", __entry->gpu,
		      __entry->instance, vgpu_trace_queue(__entry->queue), __entry->vmid,
		      __entry->rptr, __entry->wptr, __entry->doorbell ? "doorbell" : "register"));

TRACE_EVENT(vgpu_packet_start,
	    TP_PROTO(const struct vgpu_sdma *sdma, u32 queue, u8 vmid,
		     const struct vgpu_packet *packet, bool in_ib, u64 pos),
	    TP_ARGS(sdma, queue, vmid, packet, in_ib, pos),
	    TP_STRUCT__entry(__array(char, gpu, VGPU_TRACE_NAME)
			     __field(u32, instance)
			     __field(u32, queue)
			     __field(u8, vmid)
			     __field(u32, kind)
			     __field(u32, dwords)
			     __field(bool, in_ib)
			     __field(u64, pos)),
	    TP_fast_assign(vgpu_trace_gpu(__entry->gpu, &sdma->bus);
			   __entry->instance = sdma->instance;
			   __entry->queue = queue;
			   __entry->vmid = vmid;
			   __entry->kind = packet->kind;
			   __entry->dwords = packet->dwords;
			   __entry->in_ib = in_ib;
			   __entry->pos = pos;),
	    TP_printk("gpu=%s instance=%u queue=%s vmid=%u packet=%s dwords=%u ib=%d pos=%llu",
		      __entry->gpu, __entry->instance, vgpu_trace_queue(__entry->queue),
		      __entry->vmid, vgpu_trace_packet(__entry->kind), __entry->dwords,
		      __entry->in_ib, __entry->pos));

TRACE_EVENT(vgpu_packet_end,
	    TP_PROTO(const struct vgpu_sdma *sdma, u32 queue, u8 vmid, u32 kind, bool in_ib,
		     u32 result),
	    TP_ARGS(sdma, queue, vmid, kind, in_ib, result),
	    TP_STRUCT__entry(__array(char, gpu, VGPU_TRACE_NAME)
			     __field(u32, instance)
			     __field(u32, queue)
			     __field(u8, vmid)
			     __field(u32, kind)
			     __field(bool, in_ib)
			     __field(u32, result)),
	    TP_fast_assign(vgpu_trace_gpu(__entry->gpu, &sdma->bus);
			   __entry->instance = sdma->instance;
			   __entry->queue = queue;
			   __entry->vmid = vmid;
			   __entry->kind = kind;
			   __entry->in_ib = in_ib;
			   __entry->result = result;),
	    TP_printk("gpu=%s instance=%u queue=%s vmid=%u packet=%s ib=%d result=%s", __entry->gpu,
		      __entry->instance, vgpu_trace_queue(__entry->queue), __entry->vmid,
		      vgpu_trace_packet(__entry->kind), __entry->in_ib,
		      vgpu_trace_result(__entry->result)));

DECLARE_EVENT_CLASS(vgpu_rptr_at,
		    TP_PROTO(const struct vgpu_sdma *sdma, u32 queue, u8 vmid, u64 rptr),
		    TP_ARGS(sdma, queue, vmid, rptr),
		    TP_STRUCT__entry(__array(char, gpu, VGPU_TRACE_NAME)
				     __field(u32, instance)
				     __field(u32, queue)
				     __field(u8, vmid)
				     __field(u64, rptr)),
		    TP_fast_assign(vgpu_trace_gpu(__entry->gpu, &sdma->bus);
				   __entry->instance = sdma->instance;
				   __entry->queue = queue;
				   __entry->vmid = vmid;
				   __entry->rptr = rptr;),
		    TP_printk("gpu=%s instance=%u queue=%s vmid=%u rptr=%llu", __entry->gpu,
			      __entry->instance, vgpu_trace_queue(__entry->queue), __entry->vmid,
			      __entry->rptr));

DEFINE_EVENT(vgpu_rptr_at, vgpu_rptr,
	     TP_PROTO(const struct vgpu_sdma *sdma, u32 queue, u8 vmid, u64 rptr),
	     TP_ARGS(sdma, queue, vmid, rptr));

DEFINE_EVENT(vgpu_rptr_at, vgpu_writeback,
	     TP_PROTO(const struct vgpu_sdma *sdma, u32 queue, u8 vmid, u64 rptr),
	     TP_ARGS(sdma, queue, vmid, rptr));

TRACE_EVENT(vgpu_ih_put,
	    TP_PROTO(const struct vgpu_bus *bus, const struct vgpu_iv *iv),
	    TP_ARGS(bus, iv),
	    TP_STRUCT__entry(__array(char, gpu, VGPU_TRACE_NAME)
			     __field(u8, client)
			     __field(u8, source)
			     __field(u8, ring)
			     __field(u8, vmid)
			     __field(u32, ctx)),
	    TP_fast_assign(vgpu_trace_gpu(__entry->gpu, bus);
			   __entry->client = iv->client;
			   __entry->source = iv->source;
			   __entry->ring = iv->ring;
			   __entry->vmid = iv->vmid;
			   __entry->ctx = iv->ctx[0];),
	    TP_printk("gpu=%s client=%u source=%u ring=%u vmid=%u ctx=0x%x", __entry->gpu,
		      __entry->client, __entry->source, __entry->ring, __entry->vmid,
		      __entry->ctx));

#endif /* CARILLON_VGPU_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE vgpu_trace
#include <trace/define_trace.h>

#else /* user space */

#define trace_vgpu_wptr(...)		do { } while (0)
#define trace_vgpu_packet_start(...)	do { } while (0)
#define trace_vgpu_packet_end(...)	do { } while (0)
#define trace_vgpu_rptr(...)		do { } while (0)
#define trace_vgpu_writeback(...)	do { } while (0)

#endif /* __KERNEL__ */
