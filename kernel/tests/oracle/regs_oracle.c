// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: register numbers from the kernel's own headers
 *
 * Built at test time, once for each chip (regs_chip.h says which), against the
 * register lists of the kernel source package and our kernel/hw/regs; regs_list.h is
 * what regs_list.sh makes of the latter.  regs_alde.h has the registers of Aldebaran that
 * the lists lack and the kernel's sources define themselves.  Prints a line
 * a register or field: its name here, our number, theirs.  A name that the kernel's
 * lists do not have is a build error.
 */
#include <stdint.h>
#include <stdio.h>

#define __maybe_unused

#include <regs_chip.h>
#ifdef CHIP_ARCT
#include <arct_ip_offset.h>
#include <asic_reg/mmhub/mmhub_9_4_1_offset.h>
#include <asic_reg/mmhub/mmhub_9_4_1_sh_mask.h>
#include <asic_reg/nbio/nbio_7_4_offset.h>
#include <asic_reg/nbio/nbio_7_4_sh_mask.h>
#include <asic_reg/oss/osssys_4_2_0_offset.h>
#include <asic_reg/oss/osssys_4_2_0_sh_mask.h>
#include <asic_reg/sdma0/sdma0_4_2_2_offset.h>
#include <asic_reg/sdma0/sdma0_4_2_2_sh_mask.h>
#include <asic_reg/sdma1/sdma1_4_2_2_offset.h>
#include <asic_reg/sdma2/sdma2_4_2_2_offset.h>
#include <asic_reg/sdma3/sdma3_4_2_2_offset.h>
#include <asic_reg/sdma4/sdma4_4_2_2_offset.h>
#include <asic_reg/sdma5/sdma5_4_2_2_offset.h>
#include <asic_reg/sdma6/sdma6_4_2_2_offset.h>
#include <asic_reg/sdma7/sdma7_4_2_2_offset.h>
#elif defined(CHIP_ALDEBARAN)
#include <aldebaran_ip_offset.h>
#include <regs_alde.h>
#include <asic_reg/mmhub/mmhub_1_7_offset.h>
#include <asic_reg/mmhub/mmhub_1_7_sh_mask.h>
#include <asic_reg/nbio/nbio_7_4_offset.h>
#include <asic_reg/nbio/nbio_7_4_sh_mask.h>
#include <asic_reg/oss/osssys_4_2_0_offset.h>
#include <asic_reg/oss/osssys_4_2_0_sh_mask.h>
#include <asic_reg/sdma/sdma_4_4_0_offset.h>
#include <asic_reg/sdma/sdma_4_4_0_sh_mask.h>
#elif defined(CHIP_VEGA20)
#include <vega20_ip_offset.h>
#include <asic_reg/nbio/nbio_7_4_offset.h>
#include <asic_reg/nbio/nbio_7_4_sh_mask.h>
#include <asic_reg/oss/osssys_4_2_0_offset.h>
#include <asic_reg/oss/osssys_4_2_0_sh_mask.h>
#include <asic_reg/sdma0/sdma0_4_2_offset.h>
#include <asic_reg/sdma0/sdma0_4_2_sh_mask.h>
#include <asic_reg/sdma1/sdma1_4_2_offset.h>
#else
#include <vega10_ip_offset.h>
#include <asic_reg/nbio/nbio_6_1_offset.h>
#include <asic_reg/nbio/nbio_6_1_sh_mask.h>
#include <asic_reg/oss/osssys_4_0_offset.h>
#include <asic_reg/oss/osssys_4_0_sh_mask.h>
#include <asic_reg/sdma0/sdma0_4_0_offset.h>
#include <asic_reg/sdma0/sdma0_4_0_sh_mask.h>
#include <asic_reg/sdma1/sdma1_4_0_offset.h>
#endif
/* All chips: those that the kernel's own files for them include. */
#include <asic_reg/athub/athub_1_0_offset.h>
#include <asic_reg/athub/athub_1_0_sh_mask.h>
#include <asic_reg/gc/gc_9_0_offset.h>
#include <asic_reg/gc/gc_9_0_sh_mask.h>
#include <asic_reg/hdp/hdp_4_0_offset.h>
#include <asic_reg/hdp/hdp_4_0_sh_mask.h>
#if !defined(CHIP_ARCT) && !defined(CHIP_ALDEBARAN)
#include <asic_reg/mmhub/mmhub_1_0_offset.h>
#include <asic_reg/mmhub/mmhub_1_0_sh_mask.h>
#endif

#include "kernel/hw/regs/athub_1_0_regs.h"
#include "kernel/hw/regs/gc_9_0_regs.h"
#include "kernel/hw/regs/hdp_4_0_regs.h"
#include "kernel/hw/regs/mmhub_1_0_regs.h"
#include "kernel/hw/regs/nbio_7_4_regs.h"
#include "kernel/hw/regs/osssys_4_0_regs.h"
#include "kernel/hw/regs/sdma0_4_0_regs.h"

/* Where a block's registers lie, by the index that each register has. */
#define SEGMENTS(block) \
	static const uint32_t block##_segment[] = { \
		block##_BASE__INST0_SEG0, block##_BASE__INST0_SEG1, block##_BASE__INST0_SEG2, \
	}

SEGMENTS(ATHUB);
SEGMENTS(GC);
SEGMENTS(HDP);
SEGMENTS(MMHUB);
#ifdef CHIP_ARCT
SEGMENTS(NBIF0);
#define SDMA0_OURS	SDMA4_ARCT_SDMA0
#define SDMA1_OURS	SDMA4_ARCT_SDMA1
#elif defined(CHIP_ALDEBARAN)
SEGMENTS(NBIO);
#define SDMA0_OURS	SDMA4_ALDE_SDMA0
#define SDMA1_OURS	SDMA4_ALDE_SDMA1
#elif defined(CHIP_VEGA20)
SEGMENTS(NBIO);
#define SDMA0_OURS	SDMA4_VEGA20_SDMA0
#define SDMA1_OURS	SDMA4_VEGA20_SDMA1
#else
SEGMENTS(NBIF);
#define SDMA0_OURS	SDMA4_VEGA10_SDMA0
#define SDMA1_OURS	SDMA4_VEGA10_SDMA1
#endif
SEGMENTS(OSSSYS);

static void show(const char *name, uint64_t ours, uint64_t theirs)
{
	printf("%s %llx %llx\n", name, (unsigned long long)ours, (unsigned long long)theirs);
}

#define REG(ours, name, block) \
	show(#ours, ours, (block##_segment[mm##name##_BASE_IDX] + mm##name) * 4ull);
/* What names of registers begin with, of the memory hub and of SDMA. */
#ifdef CHIP_ALDEBARAN
#define NAME(name)	reg##name
#define VM_SHIFT	MMHUB17_VM_SHIFT
#define SHARED_SHIFT	MMHUB17_SHARED_SHIFT
#else
#define NAME(name)	mm##name
#define VM_SHIFT	MMHUB941_VM_SHIFT
#define SHARED_SHIFT	MMHUB941_SHARED_SHIFT
#endif
/* In the hub of MMHUB 1.7, or the first of MMHUB 9.4.1, and in the second. */
#define HUB_AT(ours)	((ours) < MMHUB1_SHARED ? (ours) + VM_SHIFT : (ours) + SHARED_SHIFT)
#define HUB(ours, name, block) \
	show(#ours, HUB_AT(ours), (block##_segment[NAME(name##_BASE_IDX)] + NAME(name)) * 4ull);
#define HUB1(ours, name, block) \
	show(#ours, HUB_AT(ours) + MMHUB941_HUB_STRIDE, \
	     (block##_segment[mm##name##_BASE_IDX] + mm##name) * 4ull);
#define FIELD(ours, name) \
	show(#ours, ours, (uint32_t)name##_MASK);
/*
 * Instances that not all chips have, in Arcturus' second segment; all of Aldebaran's are
 * counted from the first one's place.
 */
#ifdef CHIP_ARCT
#define MORE(n, name) \
	show(#name, SDMA4_ARCT_SDMA##n + SDMA4_##name, \
	     (SDMA##n##_BASE__INST0_SEG1 + mmSDMA##n##_##name) * 4);
#define MORE_INSTANCES(name) \
	MORE(2, name) MORE(3, name) MORE(4, name) MORE(5, name) MORE(6, name) MORE(7, name)
#elif defined(CHIP_ALDEBARAN)
#define MORE(n, name) \
	show(#name, SDMA4_ALDE_SDMA##n + SDMA4_##name, \
	     (SDMA0_BASE__INST0_SEG0 + regSDMA##n##_##name) * 4);
#define MORE_INSTANCES(name) \
	MORE(2, name) MORE(3, name) MORE(4, name)
#else
#define MORE_INSTANCES(name)
#endif
#ifdef CHIP_ALDEBARAN
#define SDMA1_PLACE	SDMA0_BASE__INST0_SEG0
#else
#define SDMA1_PLACE	SDMA1_BASE__INST0_SEG0
#endif
/* In all instances. */
#define INSTANCE(name) \
	MORE_INSTANCES(name) \
	show(#name, SDMA0_OURS + SDMA4_##name, \
	     (SDMA0_BASE__INST0_SEG0 + NAME(SDMA0_##name)) * 4); \
	show(#name, SDMA1_OURS + SDMA4_##name, (SDMA1_PLACE + NAME(SDMA1_##name)) * 4);
#if defined(CHIP_ARCT) || defined(CHIP_ALDEBARAN)
#define STRIDE	SDMA422_QUEUE_STRIDE
#else
#define STRIDE	SDMA4_QUEUE_STRIDE
#endif
/* In all rings of the first instance, and in the last of the second. */
#define QUEUE_IN(name, ring, base) \
	show(#ring "_" #name, base + SDMA4_Q_##name, NAME(SDMA0_##ring##_##name) * 4);
#define QUEUE_RINGS(name) \
	QUEUE_IN(name, GFX, SDMA4_QUEUE_GFX) \
	QUEUE_IN(name, PAGE, SDMA4_QUEUE_PAGE(STRIDE)) \
	QUEUE_IN(name, RLC0, SDMA4_QUEUE_RLC(0, STRIDE)) \
	QUEUE_IN(name, RLC1, SDMA4_QUEUE_RLC(1, STRIDE))
#ifndef CHIP_VEGA10
#define QUEUE(name) \
	QUEUE_RINGS(name) \
	QUEUE_IN(name, RLC2, SDMA4_QUEUE_RLC(2, STRIDE)) \
	QUEUE_IN(name, RLC3, SDMA4_QUEUE_RLC(3, STRIDE)) \
	QUEUE_IN(name, RLC4, SDMA4_QUEUE_RLC(4, STRIDE)) \
	QUEUE_IN(name, RLC5, SDMA4_QUEUE_RLC(5, STRIDE)) \
	QUEUE_IN(name, RLC6, SDMA4_QUEUE_RLC(6, STRIDE)) \
	QUEUE_IN(name, RLC7, SDMA4_QUEUE_RLC(7, STRIDE)) \
	show(#name, SDMA1_OURS + SDMA4_QUEUE_RLC(7, STRIDE) + SDMA4_Q_##name, \
	     (SDMA1_PLACE + NAME(SDMA1_RLC7_##name)) * 4);
#else
#define QUEUE(name) \
	QUEUE_RINGS(name) \
	show(#name, SDMA1_OURS + SDMA4_QUEUE_RLC(1, STRIDE) + SDMA4_Q_##name, \
	     (SDMA1_PLACE + NAME(SDMA1_RLC1_##name)) * 4);
#endif
/* SDMA 4.2 has one bit less of one field than 4.0; the largest size, 30, fits. */
#define QUEUE_FIELD(name) \
	show(#name, SDMA4_Q_##name, (uint32_t)SDMA0_GFX_##name##_MASK); \
	show(#name, SDMA4_Q_##name, (uint32_t)SDMA0_RLC0_##name##_MASK);

int main(void)
{
#include <regs_list.h>
#ifndef CHIP_VEGA10
	show("RB_SIZE", SDMA4_Q_RB_CNTL__RB_SIZE & ~BIT(6), SDMA0_GFX_RB_CNTL__RB_SIZE_MASK);
#endif
	return 0;
}
