/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: which entry a mapping gets
 *
 * Turns what a mapping wants (VM_MAP_*) and where its bytes are into GFX9
 * page-table entries, as amdkfd does for gfx900: NC for all memory by default, UC
 * when it is to be coherent or uncached; system memory is snooped.  Pure:
 * compiles in user space.
 *
 * Addresses in entries are bus addresses, or VRAM offsets plus what the hub's
 * FB_OFFSET register holds; they are never MC addresses.
 */
#ifndef CARILLON_VM_PTE_H
#define CARILLON_VM_PTE_H

#include <linux/types.h>

#include "../hw/hw_pte_v9.h"

#define VM_MAP_READ	1
#define VM_MAP_WRITE	2
#define VM_MAP_EXEC	4
#define VM_MAP_UNCACHED	8	/* MTYPE_UC */
#define VM_MAP_COHERENT	16	/* MTYPE_UC on gfx900, as amdkfd does there */
#define VM_MAP_FLAGS	31

#define VM_PAGE_SHIFT	12
#define VM_PAGE_SIZE	BIT_ULL(VM_PAGE_SHIFT)
#define VM_BIG_SHIFT	21
#define VM_BIG_SIZE	BIT_ULL(VM_BIG_SHIFT)
/* A fragment never spans more than one PDB0 entry. */
#define VM_FRAG_MAX	(VM_BIG_SHIFT - VM_PAGE_SHIFT)

/*
 * Entries that map nothing.  GMC 9 ranks faults by the X bit: an empty PTE keeps it
 * set, so that an access is reported as "not valid", not as "not executable".  An
 * empty directory entry is a PTE that maps nothing.
 */
#define VM_PTE_EMPTY	HW_PTE_EXECUTABLE
#define VM_PDE_EMPTY	HW_PDE_PTE

/* Entry of a directory that points to the table at an address in VRAM; also the root. */
static inline u64 vm_pde(u64 addr)
{
	return (addr & HW_PTE_ADDR_MASK) | HW_PTE_VALID;
}

/* Entry of a PTB; @flags from vm_pte_flags(). */
static inline u64 vm_pte(u64 addr, u64 flags, unsigned int frag)
{
	return (addr & HW_PTE_ADDR_MASK) | flags | HW_PTE_FRAG(frag);
}

/* Flags of a PDB0 entry that maps 2 MiB itself. */
static inline u64 vm_pte_big_flags(u64 flags)
{
	return flags | HW_PDE_PTE | HW_PTE_FRAG(VM_FRAG_MAX);
}

u64 vm_pte_flags(bool system, u32 map_flags);
unsigned int vm_pte_frag(u64 va, u64 addr, u64 bytes);
unsigned int vm_pte_frag_run(u64 va, u64 addr, unsigned int pages, unsigned int *frag);
void vm_pte_encode(u64 *out, const u64 *addrs, unsigned int count, u64 va, u64 flags);

#endif /* CARILLON_VM_PTE_H */
