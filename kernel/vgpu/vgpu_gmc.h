/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: memory hub of the model
 *
 * The MMHUB 1.0 or 9.4.1 register block and what stands behind it: where VRAM lies in MC
 * address space, sixteen VM contexts, eighteen invalidate engines, the latch of
 * the last protection fault.  Engines ask it for the memory behind an address of a
 * VMID; each of them brings its own TLB (vgpu_tlb.h).
 *
 * Locks: &vgpu_gmc.lock guards every register.  It nests inside the device's
 * register lock and no callback of &struct vgpu_bus runs under it, so that engines
 * may call in from their threads and read registers through the bus as well.
 */
#ifndef CARILLON_VGPU_GMC_H
#define CARILLON_VGPU_GMC_H

#include <linux/types.h>

#include "vgpu_block.h"
#include "vgpu_bus.h"

struct vgpu_gmc;
struct vgpu_hub_spec;
struct vgpu_tlb;

/* Where VRAM starts in MC address space after reset. */
#define VGPU_FB_BASE		0xf400000000ULL

/* Interrupt of a protection fault. */
#define VGPU_SOURCE_VM_FAULT	0

/* @hub: number of the hub in @spec, which outlives it. */
struct vgpu_gmc *vgpu_gmc_create(const struct vgpu_bus *bus, const struct vgpu_hub_spec *spec,
				 unsigned int hub);
void vgpu_gmc_destroy(struct vgpu_gmc *gmc);
struct vgpu_block *vgpu_gmc_block(struct vgpu_gmc *gmc);

/* Engines: make a TLB known to the invalidate engines; -ENOSPC beyond VGPU_GMC_MAX_TLBS. */
#define VGPU_GMC_MAX_TLBS	18
int vgpu_gmc_add_tlb(struct vgpu_gmc *gmc, struct vgpu_tlb *tlb);
void vgpu_gmc_remove_tlb(struct vgpu_gmc *gmc, struct vgpu_tlb *tlb);

/**
 * struct vgpu_access - one access of an engine
 * @vmid: address space
 * @write: store, else load
 * @cid_read: hub client number of the engine for loads, shown in the fault latch
 * @cid_write: for stores
 * @fault: where the entry of a fault goes, for the engine to raise once its queue has
 *	stopped (its client is not 0 then); NULL: raised at once
 * @later: set, in place of a fault, where VRAM has no memory yet and another attempt
 *	may find some; NULL: the engine cannot come back
 */
struct vgpu_access {
	u8 vmid;
	bool write;
	u16 cid_read, cid_write;
	struct vgpu_iv *fault;
	bool *later;
};

void *vgpu_gmc_pages(struct vgpu_gmc *gmc, struct vgpu_tlb *tlb,
		     const struct vgpu_access *access, u64 va, void **pages, unsigned int count);
void vgpu_gmc_fail(struct vgpu_gmc *gmc, const struct vgpu_access *access, u64 va);

#endif /* CARILLON_VGPU_GMC_H */
