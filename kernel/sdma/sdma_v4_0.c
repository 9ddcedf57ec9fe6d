// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: SDMA 4.0 and 4.2 registers, the verbs
 *
 * The register sets of an instance (GFX, page, and each RLC) are alike, so most
 * helpers take the byte offset of a set.  What the versions differ in stands in the
 * chip's row and its &struct hw_sdma.  Sequences of kernel rings follow the
 * public sdma_v4_0.c in its order for virtual functions (rings first, then the
 * engine), those of user queues the public amdgpu_amdkfd_gfx_v9.c of Linux 6.1;
 * where we leave them the reason is given.
 *
 * Not done: loading of firmware (a real card is expected to have it loaded), tuned
 * values of other registers, power gating, preemption of a packet in the middle.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/log2.h>

#include "sdma_hw.h"
#include "sdma_ring_math.h"

#include "../hw/hw_device.h"
#include "../hw/regs/sdma0_4_0_regs.h"

/* Clocks between write-backs of a user queue's RPTR. */
#define SDMA_V4_0_RLC_WRITEBACK_TIMER	6
/* A longer time-out of translation faults than after reset: fewer interrupts. */
#define SDMA_V4_0_UTCL1_TIMEOUT		0x00800080

static u32 sdma_v4_0_ring_base(struct hw_device *hw, unsigned int instance,
			       enum sdma_ring_kind kind)
{
	u32 set = kind == SDMA_RING_PAGE ? SDMA4_QUEUE_PAGE(hw->chip->sdma->queue_stride) :
					   SDMA4_QUEUE_GFX;

	return hw->chip->sdma_base[instance] + set;
}

static u32 sdma_v4_0_rlc_base(struct hw_device *hw, unsigned int instance, unsigned int slot)
{
	return hw->chip->sdma_base[instance] + SDMA4_QUEUE_RLC(slot, hw->chip->sdma->queue_stride);
}

static void sdma_v4_0_modify(struct hw_device *hw, u32 reg, u32 clear, u32 set)
{
	hw_write(hw, reg, (hw_read(hw, reg) & ~clear) | set);
}

static void sdma_v4_0_write64(struct hw_device *hw, u32 lo, u32 hi, u64 value)
{
	hw_write(hw, lo, lower_32_bits(value));
	hw_write(hw, hi, upper_32_bits(value));
}

/* A counter in two registers that may carry between two reads. */
static u64 sdma_v4_0_read64(struct hw_device *hw, u32 lo, u32 hi)
{
	u32 high = hw_read(hw, hi);
	u32 low = hw_read(hw, lo);
	u32 again = hw_read(hw, hi);

	if (again != high)
		low = hw_read(hw, lo);
	return (u64)again << 32 | low;
}

static u64 sdma_v4_0_queue_wptr(struct hw_device *hw, u32 q)
{
	return sdma_v4_0_read64(hw, q + SDMA4_Q_RB_WPTR, q + SDMA4_Q_RB_WPTR_HI);
}

static u64 sdma_v4_0_queue_rptr(struct hw_device *hw, u32 q)
{
	return sdma_v4_0_read64(hw, q + SDMA4_Q_RB_RPTR, q + SDMA4_Q_RB_RPTR_HI);
}

/* The engine takes a smaller WPTR only inside such a bracket. */
static void sdma_v4_0_queue_force_wptr(struct hw_device *hw, u32 q, u64 bytes)
{
	hw_write(hw, q + SDMA4_Q_MINOR_PTR_UPDATE, SDMA4_Q_MINOR_PTR_UPDATE__ENABLE);
	sdma_v4_0_write64(hw, q + SDMA4_Q_RB_WPTR, q + SDMA4_Q_RB_WPTR_HI, bytes);
	hw_write(hw, q + SDMA4_Q_MINOR_PTR_UPDATE, 0);
}

static u32 sdma_v4_0_rb_size(u64 bytes)
{
	return FIELD_PREP(SDMA4_Q_RB_CNTL__RB_SIZE, ilog2(bytes / sizeof(u32)));
}

static u32 sdma_v4_0_doorbell_offset(u32 offset)
{
	return FIELD_PREP(SDMA4_Q_DOORBELL_OFFSET__OFFSET, offset / sizeof(u32));
}

static int sdma_v4_0_queue_idle(struct hw_device *hw, u32 q)
{
	unsigned int ms = min_t(unsigned int, sdma_fence_timeout_ms(), SDMA_IDLE_TIMEOUT_MS);

	return hw_poll(hw, q + SDMA4_Q_CONTEXT_STATUS, SDMA4_Q_CONTEXT_STATUS__IDLE,
		       SDMA4_Q_CONTEXT_STATUS__IDLE, 1000 * ms);
}

static bool sdma_v4_0_present(struct hw_device *hw, unsigned int instance)
{
	u32 base = hw->chip->sdma_base[instance];

	return hw_read(hw, base + SDMA4_STATUS_REG) != ~0u ||
	       hw_read(hw, base + SDMA4_F32_CNTL) != ~0u;
}

static bool sdma_v4_0_has_page_queue(struct hw_device *hw)
{
	u32 first = hw->chip->sdma->page_queue_fw;

	return first && hw->chip->fw_sdma >= first;
}

static void sdma_v4_0_halt(struct hw_device *hw, unsigned int instance)
{
	u32 base = hw->chip->sdma_base[instance];

	sdma_v4_0_modify(hw, base + SDMA4_CNTL,
			 SDMA4_CNTL__AUTO_CTXSW_ENABLE | SDMA4_CNTL__TRAP_ENABLE, 0);
	sdma_v4_0_modify(hw, base + SDMA4_F32_CNTL, 0, SDMA4_F32_CNTL__HALT);
}

static void sdma_v4_0_unhalt(struct hw_device *hw, unsigned int instance)
{
	u32 base = hw->chip->sdma_base[instance];

	sdma_v4_0_modify(hw, base + SDMA4_CNTL, 0,
			 SDMA4_CNTL__AUTO_CTXSW_ENABLE | SDMA4_CNTL__TRAP_ENABLE |
			 SDMA4_CNTL__UTC_L1_ENABLE);
	hw_write(hw, base + SDMA4_UTCL1_TIMEOUT, SDMA_V4_0_UTCL1_TIMEOUT);
	sdma_v4_0_modify(hw, base + SDMA4_F32_CNTL, SDMA4_F32_CNTL__HALT, 0);
}

/* What is kept of RB_CNTL is the write-back timer. */
static u32 sdma_v4_0_ring_cntl(struct hw_device *hw, u32 q, u32 dwords)
{
	u32 cntl = hw_read(hw, q + SDMA4_Q_RB_CNTL);

	cntl &= ~(SDMA4_Q_RB_CNTL__RB_ENABLE | SDMA4_Q_RB_CNTL__RB_SIZE |
		  SDMA4_Q_RB_CNTL__RPTR_WRITEBACK_ENABLE | SDMA4_Q_RB_CNTL__RB_VMID);
	return cntl | sdma_v4_0_rb_size(sdma_dwords_to_bytes(dwords));
}

/* Both forms start from WPTR 0 in the registers; the owner has reset the doorbell. */
static void sdma_v4_0_ring_wptr(struct hw_device *hw, u32 q, const struct sdma_ring_setup *setup)
{
	hw_write(hw, q + SDMA4_Q_MINOR_PTR_UPDATE, SDMA4_Q_MINOR_PTR_UPDATE__ENABLE);
	hw_write(hw, q + SDMA4_Q_DOORBELL, setup->use_doorbell ? SDMA4_Q_DOORBELL__ENABLE : 0);
	hw_write(hw, q + SDMA4_Q_DOORBELL_OFFSET, sdma_v4_0_doorbell_offset(setup->doorbell));
	sdma_v4_0_write64(hw, q + SDMA4_Q_RB_WPTR, q + SDMA4_Q_RB_WPTR_HI, 0);
	hw_write(hw, q + SDMA4_Q_MINOR_PTR_UPDATE, 0);
	sdma_v4_0_write64(hw, q + SDMA4_Q_RB_WPTR_POLL_ADDR_LO, q + SDMA4_Q_RB_WPTR_POLL_ADDR_HI,
			  setup->wptr_mc);
	/* The doorbell or the register tells; the engine does not poll memory. */
	sdma_v4_0_modify(hw, q + SDMA4_Q_RB_WPTR_POLL_CNTL,
			 SDMA4_Q_RB_WPTR_POLL_CNTL__F32_POLL_ENABLE, 0);
}

static void sdma_v4_0_ring_resume(struct hw_device *hw, unsigned int instance,
				  enum sdma_ring_kind kind, const struct sdma_ring_setup *setup)
{
	u32 q = sdma_v4_0_ring_base(hw, instance, kind);
	u32 cntl = sdma_v4_0_ring_cntl(hw, q, setup->dwords);

	hw_write(hw, q + SDMA4_Q_RB_CNTL, cntl);
	sdma_v4_0_write64(hw, q + SDMA4_Q_RB_RPTR, q + SDMA4_Q_RB_RPTR_HI, 0);
	sdma_v4_0_write64(hw, q + SDMA4_Q_RB_WPTR, q + SDMA4_Q_RB_WPTR_HI, 0);
	hw_write(hw, q + SDMA4_Q_RB_RPTR_ADDR_HI, upper_32_bits(setup->rptr_mc));
	hw_write(hw, q + SDMA4_Q_RB_RPTR_ADDR_LO, lower_32_bits(setup->rptr_mc));
	sdma_v4_0_write64(hw, q + SDMA4_Q_RB_BASE, q + SDMA4_Q_RB_BASE_HI, setup->base >> 8);
	sdma_v4_0_ring_wptr(hw, q, setup);
	hw_write(hw, q + SDMA4_Q_RB_CNTL, cntl | SDMA4_Q_RB_CNTL__RPTR_WRITEBACK_ENABLE |
		 SDMA4_Q_RB_CNTL__RB_ENABLE);
	sdma_v4_0_modify(hw, q + SDMA4_Q_IB_CNTL, 0, SDMA4_Q_IB_CNTL__IB_ENABLE);
}

/* The public sequence does not wait.  Ours does: the ring's memory may be freed next. */
static int sdma_v4_0_ring_stop(struct hw_device *hw, unsigned int instance,
			       enum sdma_ring_kind kind)
{
	u32 q = sdma_v4_0_ring_base(hw, instance, kind);
	int ret;

	sdma_v4_0_modify(hw, q + SDMA4_Q_RB_CNTL, SDMA4_Q_RB_CNTL__RB_ENABLE, 0);
	sdma_v4_0_modify(hw, q + SDMA4_Q_IB_CNTL, SDMA4_Q_IB_CNTL__IB_ENABLE, 0);
	ret = sdma_v4_0_queue_idle(hw, q);
	hw_write(hw, q + SDMA4_Q_DOORBELL, 0);
	return ret;
}

static void sdma_v4_0_ring_use_doorbell(struct hw_device *hw, unsigned int instance,
					enum sdma_ring_kind kind, bool on)
{
	hw_write(hw, sdma_v4_0_ring_base(hw, instance, kind) + SDMA4_Q_DOORBELL,
		 on ? SDMA4_Q_DOORBELL__ENABLE : 0);
}

static void sdma_v4_0_set_wptr(struct hw_device *hw, unsigned int instance,
			       enum sdma_ring_kind kind, u64 bytes)
{
	u32 q = sdma_v4_0_ring_base(hw, instance, kind);

	/* Where the low half has carried it is smaller than before until the high half is there. */
	if (hw_read(hw, q + SDMA4_Q_RB_WPTR_HI) != upper_32_bits(bytes))
		sdma_v4_0_queue_force_wptr(hw, q, bytes);
	else
		sdma_v4_0_write64(hw, q + SDMA4_Q_RB_WPTR, q + SDMA4_Q_RB_WPTR_HI, bytes);
}

static u64 sdma_v4_0_get_wptr(struct hw_device *hw, unsigned int instance,
			      enum sdma_ring_kind kind)
{
	return sdma_v4_0_queue_wptr(hw, sdma_v4_0_ring_base(hw, instance, kind));
}

static u64 sdma_v4_0_get_rptr(struct hw_device *hw, unsigned int instance,
			      enum sdma_ring_kind kind)
{
	return sdma_v4_0_queue_rptr(hw, sdma_v4_0_ring_base(hw, instance, kind));
}

static u32 sdma_v4_0_context_status(struct hw_device *hw, unsigned int instance,
				    enum sdma_ring_kind kind)
{
	return hw_read(hw, sdma_v4_0_ring_base(hw, instance, kind) + SDMA4_Q_CONTEXT_STATUS);
}

static u32 sdma_v4_0_rlc_cntl(const struct sdma_rlc_state *s)
{
	return sdma_v4_0_rb_size(s->rb_size) |
	       FIELD_PREP(SDMA4_Q_RB_CNTL__RB_VMID, s->vmid) |
	       SDMA4_Q_RB_CNTL__RPTR_WRITEBACK_ENABLE |
	       FIELD_PREP(SDMA4_Q_RB_CNTL__RPTR_WRITEBACK_TIMER, SDMA_V4_0_RLC_WRITEBACK_TIMER);
}

static int sdma_v4_0_rlc_load(struct hw_device *hw, unsigned int instance, unsigned int slot,
			      const struct sdma_rlc_state *s)
{
	u32 q = sdma_v4_0_rlc_base(hw, instance, slot);
	u32 cntl = sdma_v4_0_rlc_cntl(s);
	int ret;

	hw_write(hw, q + SDMA4_Q_RB_CNTL, cntl);
	ret = sdma_v4_0_queue_idle(hw, q);
	if (ret)
		return ret;
	hw_write(hw, q + SDMA4_Q_DOORBELL_OFFSET, sdma_v4_0_doorbell_offset(s->doorbell));
	hw_write(hw, q + SDMA4_Q_DOORBELL, SDMA4_Q_DOORBELL__ENABLE);
	sdma_v4_0_write64(hw, q + SDMA4_Q_RB_RPTR, q + SDMA4_Q_RB_RPTR_HI, s->rptr);
	sdma_v4_0_queue_force_wptr(hw, q, s->wptr);
	sdma_v4_0_write64(hw, q + SDMA4_Q_RB_BASE, q + SDMA4_Q_RB_BASE_HI, s->rb_base >> 8);
	sdma_v4_0_write64(hw, q + SDMA4_Q_RB_RPTR_ADDR_LO, q + SDMA4_Q_RB_RPTR_ADDR_HI,
			  s->rptr_addr);
	hw_write(hw, q + SDMA4_Q_RB_CNTL, cntl | SDMA4_Q_RB_CNTL__RB_ENABLE);
	return 0;
}

static bool sdma_v4_0_rlc_halted(struct hw_device *hw, unsigned int instance, unsigned int slot)
{
	return hw_read(hw, sdma_v4_0_rlc_base(hw, instance, slot) + SDMA4_Q_CONTEXT_STATUS) &
	       SDMA4_Q_CONTEXT_STATUS__EXCEPTION;
}

/*
 * The public sequence enables the ring again before it reads RPTR.  Ours does not:
 * a queue with work left would run on with the doorbell off.
 */
static int sdma_v4_0_rlc_unload(struct hw_device *hw, unsigned int instance, unsigned int slot,
				struct sdma_rlc_state *s)
{
	u32 q = sdma_v4_0_rlc_base(hw, instance, slot);
	int ret;

	sdma_v4_0_modify(hw, q + SDMA4_Q_RB_CNTL, SDMA4_Q_RB_CNTL__RB_ENABLE, 0);
	ret = sdma_v4_0_queue_idle(hw, q);
	hw_write(hw, q + SDMA4_Q_DOORBELL, 0);
	if (ret)
		return ret;
	s->rptr = sdma_v4_0_queue_rptr(hw, q);
	s->wptr = sdma_v4_0_queue_wptr(hw, q);
	s->halted = sdma_v4_0_rlc_halted(hw, instance, slot);
	return READ_ONCE(hw->lost) ? -ENODEV : 0;
}

static void sdma_v4_0_rlc_peek(struct hw_device *hw, unsigned int instance, unsigned int slot,
			       u64 *rptr, u64 *wptr)
{
	u32 q = sdma_v4_0_rlc_base(hw, instance, slot);

	*rptr = sdma_v4_0_queue_rptr(hw, q);
	*wptr = sdma_v4_0_queue_wptr(hw, q);
}

static bool sdma_v4_0_idle(struct hw_device *hw, unsigned int instance)
{
	u32 status = hw_read(hw, hw->chip->sdma_base[instance] + SDMA4_STATUS_REG);

	return status & SDMA4_STATUS_REG__IDLE;
}

const struct sdma_hw_funcs sdma_v4_0_funcs = {
	.present = sdma_v4_0_present,
	.has_page_queue = sdma_v4_0_has_page_queue,
	.halt = sdma_v4_0_halt,
	.unhalt = sdma_v4_0_unhalt,
	.ring_resume = sdma_v4_0_ring_resume,
	.ring_stop = sdma_v4_0_ring_stop,
	.ring_use_doorbell = sdma_v4_0_ring_use_doorbell,
	.set_wptr = sdma_v4_0_set_wptr,
	.get_wptr = sdma_v4_0_get_wptr,
	.get_rptr = sdma_v4_0_get_rptr,
	.context_status = sdma_v4_0_context_status,
	.idle = sdma_v4_0_idle,
	.rlc_load = sdma_v4_0_rlc_load,
	.rlc_unload = sdma_v4_0_rlc_unload,
	.rlc_peek = sdma_v4_0_rlc_peek,
	.rlc_halted = sdma_v4_0_rlc_halted,
	.reg_set = sdma_v4_0_reg_set,
};
