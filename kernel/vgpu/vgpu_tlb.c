// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: entries, generations and chunks
 *
 * See vgpu_tlb.h for the protocol.  A flush touches no entry: it raises the VMID's
 * generation, and an entry counts only with the generation that it was made with.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "vgpu_os.h"
#include "vgpu_tlb.h"

/**
 * vgpu_tlb_init() - empty, outside of a chunk
 * @tlb: zeroed memory
 */
void vgpu_tlb_init(struct vgpu_tlb *tlb)
{
	unsigned int vmid;

	for (vmid = 0; vmid < VGPU_VMIDS; vmid++)
		tlb->gen[vmid] = 1;
}

/**
 * vgpu_tlb_enter() - a chunk begins
 * @tlb: of the calling thread's engine
 */
void vgpu_tlb_enter(struct vgpu_tlb *tlb)
{
	WRITE_ONCE(tlb->seq, tlb->seq + 1);
	/* Store of seq before the loads of gen; pairs with vgpu_tlb_flush(). */
	smp_mb();
}

/**
 * vgpu_tlb_leave() - a chunk ends
 * @tlb: of the calling thread's engine
 */
void vgpu_tlb_leave(struct vgpu_tlb *tlb)
{
	/* The chunk's accesses to memory before seq; pairs with vgpu_tlb_passed(). */
	smp_store_release(&tlb->seq, tlb->seq + 1);
}

static unsigned int set_of(unsigned int vmid, u64 group)
{
	return (group ^ (group >> 5) ^ vmid * 13) % VGPU_TLB_SETS;
}

static struct vgpu_tlb_entry *find(struct vgpu_tlb *tlb, unsigned int vmid, u64 group)
{
	struct vgpu_tlb_entry *set = tlb->entry[set_of(vmid, group)];
	unsigned int way;

	for (way = 0; way < VGPU_TLB_WAYS; way++)
		if (set[way].group == group && set[way].vmid == vmid)
			return &set[way];
	return NULL;
}

/**
 * vgpu_tlb_lookup() - find a page
 * @tlb: of the calling thread's engine
 * @vmid: address space
 * @gen: from vgpu_tlb_gen()
 * @page: page number
 *
 * Return: translations of the page's group, good until the next insertion, with that of
 * @page among them; or NULL.
 */
const u64 *vgpu_tlb_lookup(struct vgpu_tlb *tlb, unsigned int vmid, unsigned long gen, u64 page)
{
	const struct vgpu_tlb_entry *e = find(tlb, vmid, page / VGPU_MMU_LINE);

	if (!e || e->gen != gen || !e->xlate[page % VGPU_MMU_LINE]) {
		tlb->misses++;
		return NULL;
	}
	tlb->hits++;
	return e->xlate;
}

static struct vgpu_tlb_entry *take_oldest(struct vgpu_tlb *tlb, unsigned int vmid, u64 group)
{
	unsigned int set = set_of(vmid, group), way = tlb->oldest[set];

	tlb->oldest[set] = (way + 1) % VGPU_TLB_WAYS;
	return &tlb->entry[set][way];
}

/**
 * vgpu_tlb_insert() - keep what a walk found
 * @tlb: of the calling thread's engine
 * @vmid: address space
 * @gen: from vgpu_tlb_gen(), before the walk
 * @page: page number, any of the group
 * @line: translations of the group's pages
 *
 * A page that is there already keeps what it has: only a flush changes that.
 *
 * Return: translations of the group as they are kept now.
 */
const u64 *vgpu_tlb_insert(struct vgpu_tlb *tlb, unsigned int vmid, unsigned long gen, u64 page,
			   const u64 line[VGPU_MMU_LINE])
{
	u64 group = page / VGPU_MMU_LINE;
	struct vgpu_tlb_entry *e = find(tlb, vmid, group);
	bool fresh = !e || e->gen != gen;
	unsigned int i;

	if (!e)
		e = take_oldest(tlb, vmid, group);
	e->group = group;
	e->vmid = vmid;
	e->gen = gen;
	for (i = 0; i < VGPU_MMU_LINE; i++)
		e->xlate[i] = fresh || !e->xlate[i] ? line[i] : e->xlate[i];
	return e->xlate;
}

/**
 * vgpu_tlb_flush() - drop all entries of some VMIDs
 * @tlb: any engine's
 * @vmids: a bit each
 *
 * Context: any; the hub's lock is held.
 * Return: 0 if the engine is outside of a chunk, else a value for vgpu_tlb_passed().
 */
unsigned long vgpu_tlb_flush(struct vgpu_tlb *tlb, u16 vmids)
{
	unsigned int vmid;
	unsigned long seq;

	for (vmid = 0; vmid < VGPU_VMIDS; vmid++)
		if (vmids & BIT(vmid))
			/* Entries written earlier before gen; pairs with vgpu_tlb_gen(). */
			smp_store_release(&tlb->gen[vmid], tlb->gen[vmid] + 1);
	/* Stores of gen before the load of seq; pairs with vgpu_tlb_enter(). */
	smp_mb();
	seq = READ_ONCE(tlb->seq);
	return seq & 1 ? seq : 0;
}

/**
 * vgpu_tlb_passed() - is the chunk over that ran at a flush
 * @tlb: any engine's
 * @seq: from vgpu_tlb_flush(), not 0
 *
 * Return: true once the engine has left it.
 */
bool vgpu_tlb_passed(struct vgpu_tlb *tlb, unsigned long seq)
{
	/* seq before what the caller does to the old pages; pairs with vgpu_tlb_leave(). */
	return smp_load_acquire(&tlb->seq) != seq;
}
