// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: page-table entries of a mapping
 *
 * A fragment tells the hub's TLB that an aligned group of 2^n pages is contiguous
 * and equal, so that one TLB entry may serve it.  Both addresses have to be
 * aligned to the fragment, and every entry of the group carries its size.
 */
#include <linux/bits.h>
#include <linux/types.h>

#include "vm_pte.h"

/**
 * vm_pte_flags - flags of an entry
 * @system: the bytes are in system memory or another function's registers
 * @map_flags: VM_MAP_*
 *
 * Context: any.
 * Return: all bits but address and fragment.
 */
u64 vm_pte_flags(bool system, u32 map_flags)
{
	u64 flags = HW_PTE_VALID;

	if (map_flags & VM_MAP_READ)
		flags |= HW_PTE_READABLE;
	if (map_flags & VM_MAP_WRITE)
		flags |= HW_PTE_WRITEABLE;
	if (map_flags & VM_MAP_EXEC)
		flags |= HW_PTE_EXECUTABLE;
	if (system)
		flags |= HW_PTE_SYSTEM | HW_PTE_SNOOPED;
	if (map_flags & (VM_MAP_UNCACHED | VM_MAP_COHERENT))
		flags |= HW_PTE_MTYPE(HW_MTYPE_UC);
	else
		flags |= HW_PTE_MTYPE(HW_MTYPE_NC);
	return flags;
}

/**
 * vm_pte_frag - largest fragment that may start here
 * @va: virtual address
 * @addr: address of the memory
 * @bytes: contiguous bytes from there
 *
 * Context: any.
 * Return: log2 of pages, at most VM_FRAG_MAX.
 */
unsigned int vm_pte_frag(u64 va, u64 addr, u64 bytes)
{
	unsigned int frag;

	for (frag = 0; frag < VM_FRAG_MAX; frag++) {
		u64 span = VM_PAGE_SIZE << (frag + 1);

		if (((va | addr) & (span - 1)) || bytes < span)
			break;
	}
	return frag;
}

/**
 * vm_pte_frag_run - pages from here that carry the same fragment size
 * @va: virtual address
 * @addr: address of the memory
 * @pages: contiguous pages from there, at least 1
 * @frag: filled: log2 of pages of a fragment
 *
 * Context: any.
 * Return: pages, 1 to @pages.
 */
unsigned int vm_pte_frag_run(u64 va, u64 addr, unsigned int pages, unsigned int *frag)
{
	unsigned int n;

	*frag = vm_pte_frag(va, addr, (u64)pages << VM_PAGE_SHIFT);
	n = 1u << *frag;
	while (n < pages) {
		u64 done = (u64)n << VM_PAGE_SHIFT;
		u64 left = (u64)(pages - n) << VM_PAGE_SHIFT;

		if (vm_pte_frag(va + done, addr + done, left) != *frag)
			break;
		n += 1u << *frag;
	}
	return n;
}

/* Pages from the first that follow each other in memory. */
static unsigned int vm_pte_contiguous(const u64 *addrs, unsigned int count)
{
	unsigned int n = 1;

	while (n < count && addrs[n] == addrs[n - 1] + VM_PAGE_SIZE)
		n++;
	return n;
}

/**
 * vm_pte_encode - PTB entries for pages that may lie anywhere
 * @out: filled with @count entries
 * @addrs: address of each page
 * @count: pages
 * @va: virtual address of the first
 * @flags: from vm_pte_flags()
 *
 * Context: any.
 */
void vm_pte_encode(u64 *out, const u64 *addrs, unsigned int count, u64 va, u64 flags)
{
	unsigned int i = 0;

	while (i < count) {
		unsigned int left = vm_pte_contiguous(addrs + i, count - i);

		while (left) {
			unsigned int frag, k;
			unsigned int n = vm_pte_frag_run(va + ((u64)i << VM_PAGE_SHIFT), addrs[i],
							 left, &frag);

			for (k = 0; k < n; k++, i++)
				out[i] = vm_pte(addrs[i], flags, frag);
			left -= n;
		}
	}
}
