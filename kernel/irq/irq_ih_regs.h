/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: register sequences of the IH
 *
 * Apart from irq_ih_ring.c so that a test in user space can compare them with
 * golden ones.
 */
#ifndef CARILLON_IRQ_IH_REGS_H
#define CARILLON_IRQ_IH_REGS_H

#include <linux/types.h>

struct hw_device;

void irq_ih_program(struct hw_device *hw, u64 ring, u32 size, u64 cell);
void irq_ih_enable(struct hw_device *hw);
void irq_ih_disable(struct hw_device *hw);
void irq_ih_clear_overflow(struct hw_device *hw);

#endif /* CARILLON_IRQ_IH_REGS_H */
