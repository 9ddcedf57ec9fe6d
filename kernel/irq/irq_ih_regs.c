// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: registers of the IH
 *
 * Set-up, start and stop of ring 0.  The ring and its WPTR cell are system memory
 * by bus address, so that interrupts work before any translation does.  Sequences
 * as in vega10_ih.c, vega20_ih.c and nbio_v6_1.c of Linux 6.1, with RPTR by register.
 */
#include <linux/bitfield.h>
#include <linux/kernel.h>

#include "../hw/hw_device.h"
#include "../hw/regs/nbio_6_1_regs.h"
#include "../hw/regs/osssys_4_0_regs.h"
#include "irq_ih_regs.h"

/* Address space of the IH's writes: bus addresses. */
#define IRQ_MC_SPACE_BUS	1

/* The size field holds the logarithm of the ring's dwords. */
static u32 irq_ih_size_field(u32 size)
{
	return FIELD_PREP(OSSSYS4_IH_RB_CNTL__RB_SIZE, __builtin_ctz(size / 4));
}

/* Let the IH write to bus addresses where its firmware has not. */
static void irq_ih_allow_bus(struct hw_device *hw)
{
	u32 reg = hw->chip->reg_ih_chicken;

	if (reg)
		hw_write(hw, reg, hw_read(hw, reg) | OSSSYS4_IH_CHICKEN__MC_SPACE_GPA_ENABLE);
}

/**
 * irq_ih_program - describe the ring, leave it off
 * @hw: device; its dummy page exists
 * @ring: bus address, 256-byte aligned
 * @size: bytes, power of two
 * @cell: bus address of the WPTR cell
 *
 * Context: any.
 */
void irq_ih_program(struct hw_device *hw, u64 ring, u32 size, u64 cell)
{
	u32 v;

	hw_write(hw, NBIO6_INTERRUPT_CNTL2, hw->dummy.dma >> 8);
	v = hw_read(hw, NBIO6_INTERRUPT_CNTL);
	hw_write(hw, NBIO6_INTERRUPT_CNTL, v & ~(NBIO6_INTERRUPT_CNTL__IH_DUMMY_RD_OVERRIDE |
						 NBIO6_INTERRUPT_CNTL__IH_REQ_NONSNOOP_EN));
	irq_ih_allow_bus(hw);
	hw_write(hw, OSSSYS4_IH_RB_BASE, lower_32_bits(ring >> 8));
	hw_write(hw, OSSSYS4_IH_RB_BASE_HI, (ring >> 40) & 0xff);
	hw_write(hw, OSSSYS4_IH_RB_CNTL,
		 FIELD_PREP(OSSSYS4_IH_RB_CNTL__MC_SPACE, IRQ_MC_SPACE_BUS) |
		 irq_ih_size_field(size) | OSSSYS4_IH_RB_CNTL__WPTR_OVERFLOW_CLEAR |
		 OSSSYS4_IH_RB_CNTL__WPTR_OVERFLOW_ENABLE |
		 OSSSYS4_IH_RB_CNTL__WPTR_WRITEBACK_ENABLE | OSSSYS4_IH_RB_CNTL__MC_SNOOP |
		 OSSSYS4_IH_RB_CNTL__RPTR_REARM | OSSSYS4_IH_RB_CNTL__RB_GPU_TS_ENABLE);
	hw_write(hw, OSSSYS4_IH_RB_WPTR_ADDR_LO, lower_32_bits(cell));
	hw_write(hw, OSSSYS4_IH_RB_WPTR_ADDR_HI, upper_32_bits(cell) & 0xffff);
	hw_write(hw, OSSSYS4_IH_RB_WPTR, 0);
	hw_write(hw, OSSSYS4_IH_RB_RPTR, 0);
	hw_write(hw, OSSSYS4_IH_DOORBELL_RPTR, 0);
	hw_write(hw, NBIO6_BIF_IH_DOORBELL_RANGE, 0);
}

/**
 * irq_ih_enable - start the ring and its interrupt
 * @hw: device
 *
 * The bit that clears an overflow goes off here: while it is set no new overflow
 * can be reported.
 *
 * Context: any.
 */
void irq_ih_enable(struct hw_device *hw)
{
	u32 v = hw_read(hw, OSSSYS4_IH_RB_CNTL) & ~OSSSYS4_IH_RB_CNTL__WPTR_OVERFLOW_CLEAR;

	hw_write(hw, OSSSYS4_IH_RB_CNTL, v | OSSSYS4_IH_RB_CNTL__RB_ENABLE |
		 OSSSYS4_IH_RB_CNTL__ENABLE_INTR);
}

/**
 * irq_ih_disable - stop the ring and its interrupt
 * @hw: device
 *
 * When it returns the IH writes nothing any more.
 *
 * Context: any.
 */
void irq_ih_disable(struct hw_device *hw)
{
	u32 v = hw_read(hw, OSSSYS4_IH_RB_CNTL);

	hw_write(hw, OSSSYS4_IH_RB_CNTL, v & ~(OSSSYS4_IH_RB_CNTL__RB_ENABLE |
					       OSSSYS4_IH_RB_CNTL__ENABLE_INTR));
	hw_write(hw, OSSSYS4_IH_RB_RPTR, 0);
	hw_write(hw, OSSSYS4_IH_RB_WPTR, 0);
	/* The read returns after the writes arrived. */
	hw_read(hw, OSSSYS4_IH_STATUS);
}

/**
 * irq_ih_clear_overflow - let the IH report the next overflow
 * @hw: device
 *
 * Context: any.
 */
void irq_ih_clear_overflow(struct hw_device *hw)
{
	u32 v = hw_read(hw, OSSSYS4_IH_RB_CNTL);

	hw_write(hw, OSSSYS4_IH_RB_CNTL, v | OSSSYS4_IH_RB_CNTL__WPTR_OVERFLOW_CLEAR);
	hw_write(hw, OSSSYS4_IH_RB_CNTL, v & ~OSSSYS4_IH_RB_CNTL__WPTR_OVERFLOW_CLEAR);
}
