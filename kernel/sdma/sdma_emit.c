// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: SDMA packet encoders
 *
 * A packet is built as its struct and then copied into the buffer, so that the
 * order and number of its words stand in one place (sdma_packet.h).
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "sdma_emit.h"

#include "../hw/regs/mmhub_1_0_regs.h"

/* Engine clocks between two looks of a register poll, and of a poll of memory. */
#define SDMA_REG_POLL_INTERVAL	10
#define SDMA_MEM_POLL_INTERVAL	4

#define SDMA_PUT(ib, i, pkt)	sdma_put(ib, i, &(pkt), sizeof(pkt))

static unsigned int sdma_put(u32 *ib, unsigned int i, const void *pkt, size_t bytes)
{
	memcpy(ib + i, pkt, bytes);
	return i + bytes / sizeof(u32);
}

static u32 sdma_header(enum sdma_op op, enum sdma_subop sub_op)
{
	return (u32)FIELD_PREP(SDMA_HEADER__OP, op) | (u32)FIELD_PREP(SDMA_HEADER__SUB_OP, sub_op);
}

unsigned int sdma_emit_nop(u32 *ib, unsigned int i, unsigned int count)
{
	while (count--)
		ib[i++] = SDMA_OP_NOP;
	return i;
}

unsigned int sdma_emit_pad(u32 *ib, unsigned int i)
{
	return sdma_emit_nop(ib, i, -i % SDMA_FETCH_DWORDS);
}

unsigned int sdma_emit_copy_linear(u32 *ib, unsigned int i, u64 dst, u64 src, u32 bytes)
{
	const struct sdma_pkt_copy pkt = {
		.header = sdma_header(SDMA_OP_COPY, SDMA_SUBOP_COPY_LINEAR),
		.count = FIELD_PREP(SDMA_COPY_COUNT__BYTES, bytes - 1),
		.src_lo = lower_32_bits(src),
		.src_hi = upper_32_bits(src),
		.dst_lo = lower_32_bits(dst),
		.dst_hi = upper_32_bits(dst),
	};

	return SDMA_PUT(ib, i, pkt);
}

unsigned int sdma_emit_fill(u32 *ib, unsigned int i, u64 dst, u32 pattern, u32 bytes)
{
	const struct sdma_pkt_fill pkt = {
		.header = sdma_header(SDMA_OP_CONST_FILL, 0) |
			  (u32)FIELD_PREP(SDMA_FILL_HEADER__SIZE, SDMA_FILL_SIZE_DWORD),
		.dst_lo = lower_32_bits(dst),
		.dst_hi = upper_32_bits(dst),
		.data = pattern,
		.count = FIELD_PREP(SDMA_FILL_COUNT__BYTES, bytes - 1),
	};

	return SDMA_PUT(ib, i, pkt);
}

static unsigned int sdma_emit_write_head(u32 *ib, unsigned int i, u64 dst, u32 dwords)
{
	const struct sdma_pkt_write pkt = {
		.header = sdma_header(SDMA_OP_WRITE, SDMA_SUBOP_WRITE_LINEAR),
		.dst_lo = lower_32_bits(dst),
		.dst_hi = upper_32_bits(dst),
		.count = FIELD_PREP(SDMA_WRITE_COUNT__DWORDS, dwords - 1),
	};

	return SDMA_PUT(ib, i, pkt);
}

unsigned int sdma_emit_write_linear(u32 *ib, unsigned int i, u64 dst, const u32 *data, u32 dwords)
{
	i = sdma_emit_write_head(ib, i, dst, dwords);
	return sdma_put(ib, i, data, dwords * sizeof(*data));
}

unsigned int sdma_emit_write_entries(u32 *ib, unsigned int i, u64 dst, const u64 *entries,
				     u32 count)
{
	i = sdma_emit_write_head(ib, i, dst, count * 2);
	while (count--) {
		ib[i++] = lower_32_bits(*entries);
		ib[i++] = upper_32_bits(*entries);
		entries++;
	}
	return i;
}

unsigned int sdma_emit_ptepde_generate(u32 *ib, unsigned int i, u64 dst, u64 flags, u64 value,
				       u32 step, u32 count)
{
	const struct sdma_pkt_ptepde pkt = {
		.header = sdma_header(SDMA_OP_PTEPDE, SDMA_SUBOP_PTEPDE_GENERATE),
		.dst_lo = lower_32_bits(dst),
		.dst_hi = upper_32_bits(dst),
		.flags_lo = lower_32_bits(flags),
		.flags_hi = upper_32_bits(flags),
		.value_lo = lower_32_bits(value),
		.value_hi = upper_32_bits(value),
		.step_lo = step,
		.count = FIELD_PREP(SDMA_PTEPDE_COUNT__ENTRIES, count - 1),
	};

	return SDMA_PUT(ib, i, pkt);
}

unsigned int sdma_emit_fence(u32 *ib, unsigned int i, u64 addr, u32 value)
{
	const struct sdma_pkt_fence pkt = {
		.header = sdma_header(SDMA_OP_FENCE, 0),
		.addr_lo = lower_32_bits(addr),
		.addr_hi = upper_32_bits(addr),
		.data = value,
	};

	return SDMA_PUT(ib, i, pkt);
}

unsigned int sdma_emit_trap(u32 *ib, unsigned int i, u32 context)
{
	const struct sdma_pkt_trap pkt = {
		.header = sdma_header(SDMA_OP_TRAP, 0),
		.context = FIELD_PREP(SDMA_TRAP__CONTEXT, context),
	};

	return SDMA_PUT(ib, i, pkt);
}

unsigned int sdma_emit_indirect(u32 *ib, unsigned int i, unsigned int vmid, u64 base, u32 dwords)
{
	const struct sdma_pkt_indirect pkt = {
		.header = sdma_header(SDMA_OP_INDIRECT, 0) |
			  (u32)FIELD_PREP(SDMA_INDIRECT_HEADER__VMID, vmid),
		.base_lo = lower_32_bits(base) & ~(SDMA_INDIRECT_BASE__ALIGN - 1),
		.base_hi = upper_32_bits(base),
		.size = FIELD_PREP(SDMA_INDIRECT_SIZE__DWORDS, dwords),
	};

	i = sdma_emit_nop(ib, i, (SDMA_INDIRECT_PHASE - i) % SDMA_FETCH_DWORDS);
	return SDMA_PUT(ib, i, pkt);
}

static u32 sdma_poll_timing(u16 interval)
{
	return (u32)FIELD_PREP(SDMA_POLL_TIMING__INTERVAL, interval) |
	       (u32)FIELD_PREP(SDMA_POLL_TIMING__RETRIES, SDMA_POLL_RETRIES_FOREVER);
}

static u32 sdma_poll_header(void)
{
	return sdma_header(SDMA_OP_POLL_REGMEM, 0) |
	       (u32)FIELD_PREP(SDMA_POLL_HEADER__FUNC, SDMA_POLL_FUNC_EQUAL);
}

unsigned int sdma_emit_poll_mem(u32 *ib, unsigned int i, u64 addr, u32 value, u32 mask,
				u16 interval)
{
	const struct sdma_pkt_poll pkt = {
		.header = sdma_poll_header() | (u32)SDMA_POLL_HEADER__MEM,
		.addr_lo = lower_32_bits(addr),
		.addr_hi = upper_32_bits(addr),
		.value = value,
		.mask = mask,
		.timing = sdma_poll_timing(interval),
	};

	return SDMA_PUT(ib, i, pkt);
}

unsigned int sdma_emit_poll_reg(u32 *ib, unsigned int i, u32 reg, u32 value, u32 mask,
				u16 interval)
{
	const struct sdma_pkt_poll pkt = {
		.header = sdma_poll_header(),
		.addr_lo = reg,
		.value = value,
		.mask = mask,
		.timing = sdma_poll_timing(interval),
	};

	return SDMA_PUT(ib, i, pkt);
}

unsigned int sdma_emit_hdp_flush(u32 *ib, unsigned int i, u32 req, u32 done, u32 bits)
{
	const struct sdma_pkt_poll pkt = {
		.header = sdma_poll_header() | (u32)SDMA_POLL_HEADER__HDP_FLUSH,
		.addr_lo = done,
		.addr_hi = req,
		.value = bits,
		.mask = bits,
		.timing = sdma_poll_timing(SDMA_REG_POLL_INTERVAL),
	};

	return SDMA_PUT(ib, i, pkt);
}

unsigned int sdma_emit_srbm_write(u32 *ib, unsigned int i, u32 reg, u32 value)
{
	const struct sdma_pkt_srbm pkt = {
		.header = sdma_header(SDMA_OP_SRBM_WRITE, 0) |
			  (u32)FIELD_PREP(SDMA_SRBM_HEADER__BYTE_ENABLE, 0xf),
		.addr = FIELD_PREP(SDMA_SRBM_ADDR__DWORD, reg / sizeof(u32)),
		.data = value,
	};

	return SDMA_PUT(ib, i, pkt);
}

unsigned int sdma_emit_atomic_add64(u32 *ib, unsigned int i, u64 addr, u64 value)
{
	const struct sdma_pkt_atomic pkt = {
		.header = sdma_header(SDMA_OP_ATOMIC, 0) |
			  (u32)FIELD_PREP(SDMA_ATOMIC_HEADER__OP, SDMA_ATOMIC_ADD_64),
		.addr_lo = lower_32_bits(addr),
		.addr_hi = upper_32_bits(addr),
		.data_lo = lower_32_bits(value),
		.data_hi = upper_32_bits(value),
	};

	return SDMA_PUT(ib, i, pkt);
}

unsigned int sdma_emit_timestamp(u32 *ib, unsigned int i, u64 addr)
{
	const struct sdma_pkt_timestamp pkt = {
		.header = sdma_header(SDMA_OP_TIMESTAMP, SDMA_SUBOP_TIMESTAMP_GLOBAL),
		.addr_lo = lower_32_bits(addr),
		.addr_hi = upper_32_bits(addr),
	};

	return SDMA_PUT(ib, i, pkt);
}

void sdma_vm_flush_mmhub_1_0(struct sdma_vm_flush *f, u32 hub, unsigned int vmid,
			     unsigned int engine)
{
	f->base_lo = hub + MMHUB1_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32 +
		     vmid * MMHUB1_CONTEXT_ADDR_STRIDE;
	f->base_hi = hub + MMHUB1_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32 +
		     vmid * MMHUB1_CONTEXT_ADDR_STRIDE;
	f->sem = hub + MMHUB1_VM_INVALIDATE_ENG0_SEM + engine * MMHUB1_ENG_STRIDE;
	f->req = hub + MMHUB1_VM_INVALIDATE_ENG0_REQ + engine * MMHUB1_ENG_STRIDE;
	f->ack = hub + MMHUB1_VM_INVALIDATE_ENG0_ACK + engine * MMHUB1_ENG_STRIDE;
	f->req_bits = FIELD_PREP(MMHUB1_VM_INVALIDATE_ENG0_REQ__PER_VMID_INVALIDATE_REQ,
				 BIT(vmid)) |
		      MMHUB1_VM_INVALIDATE_ENG0_REQ__INVALIDATE_L2_PTES |
		      MMHUB1_VM_INVALIDATE_ENG0_REQ__INVALIDATE_L2_PDE0 |
		      MMHUB1_VM_INVALIDATE_ENG0_REQ__INVALIDATE_L2_PDE1 |
		      MMHUB1_VM_INVALIDATE_ENG0_REQ__INVALIDATE_L2_PDE2 |
		      MMHUB1_VM_INVALIDATE_ENG0_REQ__INVALIDATE_L1_PTES;
}

unsigned int sdma_emit_vm_flush(u32 *ib, unsigned int i, const struct sdma_vm_flush *f,
				unsigned int vmid, u64 root)
{
	if (f->sem)
		i = sdma_emit_poll_reg(ib, i, f->sem, 1, 1, SDMA_REG_POLL_INTERVAL);
	i = sdma_emit_srbm_write(ib, i, f->base_lo, lower_32_bits(root));
	i = sdma_emit_srbm_write(ib, i, f->base_hi, upper_32_bits(root));
	i = sdma_emit_srbm_write(ib, i, f->req, f->req_bits);
	i = sdma_emit_poll_reg(ib, i, f->ack, BIT(vmid), BIT(vmid), SDMA_REG_POLL_INTERVAL);
	if (f->sem)
		i = sdma_emit_srbm_write(ib, i, f->sem, 0);
	return i;
}

/* Nothing that ran before may see the new tables: the last fence must be there first. */
static unsigned int sdma_emit_new_root(u32 *ib, unsigned int i, const struct sdma_job_frame *f)
{
	unsigned int end = i + SDMA_DWORDS(sdma_pkt_poll) + SDMA_VM_FLUSH_DWORDS;
	struct sdma_vm_flush flush;

	sdma_vm_flush_mmhub_1_0(&flush, f->hub, f->vmid, f->engine);
	if (f->no_semaphore)
		flush.sem = 0;
	i = sdma_emit_poll_mem(ib, i, f->fence, f->seq - 1, ~0u, SDMA_MEM_POLL_INTERVAL);
	i = sdma_emit_vm_flush(ib, i, &flush, f->vmid, f->root);
	/* As long without the semaphore as with it. */
	return sdma_emit_nop(ib, i, end - i);
}

unsigned int sdma_emit_job_frame(u32 *ib, const struct sdma_job_frame *f)
{
	unsigned int i = 0;

	if (f->root)
		i = sdma_emit_new_root(ib, i, f);
	i = sdma_emit_hdp_flush(ib, i, f->hdp_req, f->hdp_done, f->hdp_bits);
	i = sdma_emit_indirect(ib, i, f->vmid, f->ib, f->ib_dwords);
	i = sdma_emit_fence(ib, i, f->fence, f->seq);
	return sdma_emit_trap(ib, i, 0);
}
