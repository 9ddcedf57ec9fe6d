/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: the verbs that differ between SDMA generations
 *
 * Everything that touches an SDMA register stands behind &struct sdma_hw_funcs.
 * One file implements it for one generation; sdma_hw_find() picks by the version
 * in the chip's row.  All verbs run in process context and may sleep unless said
 * otherwise; none takes a lock.
 */
#ifndef CARILLON_SDMA_HW_H
#define CARILLON_SDMA_HW_H

#include "sdma.h"

struct hw_sdma;

/*
 * How long a queue may take to leave the engine after it was disabled; less where a job may
 * not take as long.
 */
#define SDMA_IDLE_TIMEOUT_MS	5000

/* The module parameter, kept in bounds (sdma_fence.c); any context. */
unsigned int sdma_fence_timeout_ms(void);

/**
 * struct sdma_ring_setup - what a kernel ring is programmed with
 * @base: MC address of the ring, 256-byte aligned
 * @dwords: its size, power of two
 * @rptr_mc: MC address where the engine writes RPTR back
 * @wptr_mc: MC address of the driver's WPTR cell
 * @doorbell: byte offset in BAR2
 * @use_doorbell: the engine listens to the doorbell, not to the WPTR register alone
 */
struct sdma_ring_setup {
	u64 base;
	u32 dwords;
	u64 rptr_mc, wptr_mc;
	u32 doorbell;
	bool use_doorbell;
};

/**
 * struct sdma_reg_name - a register that reports show
 * @name: as in AMD's headers, without the instance
 * @offset: bytes from the base of its set
 */
struct sdma_reg_name {
	const char *name;
	u32 offset;
};

/**
 * struct sdma_reg_set - registers of an instance, or of one queue of it
 * @name: "engine", "gfx", "page", "rlc0" and so on
 * @base: bytes from the base of the instance
 * @regs: registers that may be read any time
 * @count: how many
 */
struct sdma_reg_set {
	const char *name;
	u32 base;
	const struct sdma_reg_name *regs;
	unsigned int count;
};

/**
 * struct sdma_hw_funcs - verbs of one generation
 * @present: does the instance answer (registers that are not all ones)?
 * @has_page_queue: do chip and firmware have page rings?
 * @halt: stop the whole instance at once
 * @unhalt: let it run, with context switches and trap interrupts on
 * @ring_resume: program a kernel ring with RPTR = WPTR = 0 and enable it
 * @ring_stop: disable it and wait until it has left the engine: 0, -ETIMEDOUT or
 *	-ENODEV
 * @ring_use_doorbell: switch between doorbell and WPTR register while running; any
 *	context
 * @set_wptr: WPTR register, bytes; any context
 * @get_wptr: likewise, read
 * @get_rptr: RPTR register, bytes; any context
 * @context_status: for reports; any context
 * @idle: no ring of the instance has work, and none is in the engine; any context
 * @rlc_load: see sdma_rlc_load()
 * @rlc_unload: see sdma_rlc_unload()
 * @rlc_peek: see sdma_rlc_peek(); any context
 * @rlc_halted: see sdma_rlc_halted(); any context
 * @reg_set: what to show of an instance's registers: set number @index, or false
 */
struct sdma_hw_funcs {
	bool (*present)(struct hw_device *hw, unsigned int instance);
	bool (*has_page_queue)(struct hw_device *hw);
	void (*halt)(struct hw_device *hw, unsigned int instance);
	void (*unhalt)(struct hw_device *hw, unsigned int instance);
	void (*ring_resume)(struct hw_device *hw, unsigned int instance, enum sdma_ring_kind kind,
			    const struct sdma_ring_setup *setup);
	int (*ring_stop)(struct hw_device *hw, unsigned int instance, enum sdma_ring_kind kind);
	void (*ring_use_doorbell)(struct hw_device *hw, unsigned int instance,
				  enum sdma_ring_kind kind, bool on);
	void (*set_wptr)(struct hw_device *hw, unsigned int instance, enum sdma_ring_kind kind,
			 u64 bytes);
	u64 (*get_wptr)(struct hw_device *hw, unsigned int instance, enum sdma_ring_kind kind);
	u64 (*get_rptr)(struct hw_device *hw, unsigned int instance, enum sdma_ring_kind kind);
	u32 (*context_status)(struct hw_device *hw, unsigned int instance,
			      enum sdma_ring_kind kind);
	bool (*idle)(struct hw_device *hw, unsigned int instance);
	int (*rlc_load)(struct hw_device *hw, unsigned int instance, unsigned int slot,
			const struct sdma_rlc_state *s);
	int (*rlc_unload)(struct hw_device *hw, unsigned int instance, unsigned int slot,
			  struct sdma_rlc_state *s);
	void (*rlc_peek)(struct hw_device *hw, unsigned int instance, unsigned int slot,
			 u64 *rptr, u64 *wptr);
	bool (*rlc_halted)(struct hw_device *hw, unsigned int instance, unsigned int slot);
	bool (*reg_set)(const struct hw_sdma *sdma, unsigned int index, struct sdma_reg_set *set);
};

/* sdma_v4_0_names.c */
bool sdma_v4_0_reg_set(const struct hw_sdma *sdma, unsigned int index, struct sdma_reg_set *set);

extern const struct sdma_hw_funcs sdma_v4_0_funcs;

#endif /* CARILLON_SDMA_HW_H */
