/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: GFX9 page-table entries (driver side)
 *
 * Bits of the 64-bit entries that the GPU's memory hub walks.  Four levels of
 * 512 entries: PDB2 (VA bits 47:39), PDB1 (38:30), PDB0 (29:21), PTB (20:12).  A
 * PDB0 entry with HW_PDE_PTE maps 2 MiB itself.  Pure: compiles in user space.
 * Source of the bits: amdgpu_vm.h of Linux 6.1.
 */
#ifndef CARILLON_HW_PTE_V9_H
#define CARILLON_HW_PTE_V9_H

#include <linux/bits.h>
#include <linux/types.h>

#define HW_PTE_VALID		BIT_ULL(0)
#define HW_PTE_SYSTEM		BIT_ULL(1)
#define HW_PTE_SNOOPED		BIT_ULL(2)
#define HW_PTE_EXECUTABLE	BIT_ULL(4)
#define HW_PTE_READABLE		BIT_ULL(5)
#define HW_PTE_WRITEABLE	BIT_ULL(6)
#define HW_PTE_FRAG_SHIFT	7
#define HW_PTE_FRAG_MASK	GENMASK_ULL(11, 7)
#define HW_PTE_ADDR_MASK	GENMASK_ULL(47, 12)
#define HW_PTE_PRT		BIT_ULL(51)
#define HW_PDE_PTE		BIT_ULL(54)
#define HW_PTE_MTYPE_SHIFT	57
#define HW_PTE_MTYPE_MASK	GENMASK_ULL(58, 57)
#define HW_PDE_BFS_SHIFT	59

#define HW_MTYPE_NC		0ULL
#define HW_MTYPE_WC		1ULL
#define HW_MTYPE_CC		2ULL
#define HW_MTYPE_UC		3ULL

/* Log2 of the pages that one entry of a fragment spans. */
#define HW_PTE_FRAG(log2pages)	(((u64)(log2pages) << HW_PTE_FRAG_SHIFT) & HW_PTE_FRAG_MASK)
#define HW_PTE_MTYPE(m)		((u64)(m) << HW_PTE_MTYPE_SHIFT)

#endif /* CARILLON_HW_PTE_V9_H */
