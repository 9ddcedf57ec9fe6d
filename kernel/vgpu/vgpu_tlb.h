/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: translation cache of an engine
 *
 * An entry keeps what a walk found until its VMID is flushed: a PTE that changes
 * without a flush leaves the old page in use.  It holds physical addresses, never
 * kernel pointers.  It keeps pages in groups of sixteen, as PTEs come by the line, and
 * may forget a group at any time (four a set, the oldest goes).  The place of a few
 * tables of PTEs is kept as well, so that the directories above are walked once for
 * many groups; that too lasts until the VMID is flushed.
 *
 * Words: a chunk is the bounded piece of work between vgpu_tlb_enter() and
 * vgpu_tlb_leave(); all memory that an engine touches it touches inside one, by
 * translations that it looked up in the same chunk.
 *
 * The flush protocol has two parties.  The engine's thread enters (makes @seq
 * odd), then reads the VMID's generation and works.  Whoever flushes raises the
 * generation, then reads @seq: odd means that the engine may still use what it
 * looked up, and the flush is over once @seq has moved on.  A full barrier on each
 * side between its store and its load makes sure that at least one of them sees
 * the other.  An engine between chunks delays nobody.
 *
 * The entries belong to the engine's thread alone.  @gen is raised under the hub's
 * lock.
 */
#ifndef CARILLON_VGPU_TLB_H
#define CARILLON_VGPU_TLB_H

#include <linux/types.h>

#include "vgpu_mmu.h"
#include "vgpu_os.h"

#define VGPU_VMIDS		16
#define VGPU_TLB_SETS		32
#define VGPU_TLB_WAYS		4
#define VGPU_TLB_TABLES		8

/**
 * struct vgpu_tlb_entry - one group of pages
 * @group: page number / VGPU_MMU_LINE
 * @gen: generation of the VMID when the walk began; 0 marks a free entry
 * @vmid: address space
 * @xlate: translations, 0 where none is known
 */
struct vgpu_tlb_entry {
	u64 group;
	unsigned long gen;
	u8 vmid;
	u64 xlate[VGPU_MMU_LINE];
};

/**
 * struct vgpu_tlb_table - a table of PTEs
 * @gen: generation of the VMID when the walk began; 0 marks a free entry
 * @vmid: address space
 * @page: page number of the walk that found the table
 * @map: its result
 * @ctx: the address space as it was
 */
struct vgpu_tlb_table {
	unsigned long gen;
	u8 vmid;
	u64 page;
	struct vgpu_mapping map;
	struct vgpu_mmu_context ctx;
};

/**
 * struct vgpu_tlb - see above
 * @gen: generation of each VMID, from 1
 * @seq: odd inside a chunk
 * @hits: look-ups that found an entry
 * @misses: and those that did not
 * @table: by page number and direction, see vgpu_tlb_table()
 * @entry: by set and way
 * @oldest: way of each set that the next insertion takes
 * @line: translations on their way here; no array is made on the stack for them, because
 *	many a kernel fills those with zeros first, by an instruction that emulation repeats
 *	word by word
 */
struct vgpu_tlb {
	unsigned long gen[VGPU_VMIDS];
	unsigned long seq;
	u64 hits, misses;
	struct vgpu_tlb_table table[VGPU_TLB_TABLES];
	struct vgpu_tlb_entry entry[VGPU_TLB_SETS][VGPU_TLB_WAYS];
	u8 oldest[VGPU_TLB_SETS];
	u64 line[VGPU_MMU_LINE];
};

/**
 * vgpu_tlb_gen() - generation to look up and to insert with
 * @tlb: of the calling thread's engine
 * @vmid: address space
 *
 * Taken before a walk, so that what the walk read is dropped with any flush that
 * came after.
 *
 * Return: the generation.
 */
static inline unsigned long vgpu_tlb_gen(struct vgpu_tlb *tlb, unsigned int vmid)
{
	/* gen before the loads of entries; pairs with the release in vgpu_tlb_flush(). */
	return smp_load_acquire(&tlb->gen[vmid]);
}

/**
 * vgpu_tlb_table() - the one entry where a page's table of PTEs may be kept
 * @tlb: of the calling thread's engine
 * @page: page number
 * @write: loads and stores are often streams of their own, which must not meet here
 *
 * Return: the entry, which may be free, stale or another table's.
 */
static inline struct vgpu_tlb_table *vgpu_tlb_table(struct vgpu_tlb *tlb, u64 page,
						    bool write)
{
	unsigned int half = VGPU_TLB_TABLES / 2;

	return &tlb->table[(page >> 9) % half + (write ? half : 0)];
}

void vgpu_tlb_init(struct vgpu_tlb *tlb);
void vgpu_tlb_enter(struct vgpu_tlb *tlb);
void vgpu_tlb_leave(struct vgpu_tlb *tlb);
const u64 *vgpu_tlb_lookup(struct vgpu_tlb *tlb, unsigned int vmid, unsigned long gen, u64 page);
const u64 *vgpu_tlb_insert(struct vgpu_tlb *tlb, unsigned int vmid, unsigned long gen, u64 page,
			   const u64 line[VGPU_MMU_LINE]);
unsigned long vgpu_tlb_flush(struct vgpu_tlb *tlb, u16 vmids);
bool vgpu_tlb_passed(struct vgpu_tlb *tlb, unsigned long seq);

#endif /* CARILLON_VGPU_TLB_H */
