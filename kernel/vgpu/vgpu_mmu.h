/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: table walker of the model
 *
 * Decodes the page tables that a driver wrote for a GFX9 memory hub.  A context
 * has a root entry, a depth and a range of pages.  Depth 0 is one flat table of
 * PTEs; depth n puts n levels of directories of 512 entries above tables of 512
 * PTEs.  A directory entry next above the tables may map its 2 MiB itself (bit
 * 54); higher up that bit is an error, as on the chip, which knows no 1 GiB pages.
 *
 * Every entry: bit 0 valid, bit 1 system memory (else VRAM), bits 47:12 (tables:
 * 47:6) address.  Leaves also: bit 5 readable, 6 writeable, bits 11:7 fragment, the
 * log2 of the pages that the driver promises to be contiguous: a hint for caches
 * that grants nothing, so each page is translated by its own entry.  Not modelled:
 * PRT pages (they fault), caching policy, the execute bit.
 *
 * Caches take PTEs by the line: vgpu_mmu_line() gives those of the sixteen pages
 * around one that was walked to.
 *
 * Everything here was written by somebody else and may be anything; each read
 * goes through &struct vgpu_bus, which knows what is memory.
 */
#ifndef CARILLON_VGPU_MMU_H
#define CARILLON_VGPU_MMU_H

#include <linux/bits.h>
#include <linux/types.h>

#include "vgpu_bus.h"

#define VGPU_PAGE_SHIFT		12
#define VGPU_PAGE_SIZE		4096u
#define VGPU_VA_BITS		48
/* Pages of an aligned group whose PTEs are read together. */
#define VGPU_MMU_LINE		16

/*
 * A translation in one word, as caches keep it: bus address or VRAM offset of the
 * page, and these bits, which are those of a PTE.  0 is none.
 */
#define VGPU_XLATE_VALID	BIT_ULL(0)
#define VGPU_XLATE_SYSTEM	VGPU_BUS_SYSTEM
#define VGPU_XLATE_READ		BIT_ULL(5)
#define VGPU_XLATE_WRITE	BIT_ULL(6)
#define VGPU_XLATE_BITS		(VGPU_XLATE_VALID | VGPU_XLATE_SYSTEM | VGPU_XLATE_READ | \
				 VGPU_XLATE_WRITE)
#define VGPU_XLATE_ADDR		GENMASK_ULL(63, VGPU_PAGE_SHIFT)

/**
 * struct vgpu_mmu_context - one address space, from the hub's registers
 * @enabled: ENABLE_CONTEXT
 * @depth: levels of directories above the PTEs, 0 to 3
 * @block: PAGE_TABLE_BLOCK_SIZE: log2 of a PTE table's entries, less 9
 * @root: entry that points to the root table
 * @first: number of the first page
 * @last: number of the last page
 * @fb_offset: address of VRAM's first byte in entries that mean VRAM
 */
struct vgpu_mmu_context {
	bool enabled;
	u8 depth;
	u8 block;
	u64 root;
	u64 first, last;
	u64 fb_offset;
};

/**
 * enum vgpu_mmu_status - how a walk ended
 * @VGPU_MMU_OK: at a valid leaf
 * @VGPU_MMU_RANGE: context off, or page outside of its range
 * @VGPU_MMU_PDE: directory entry not valid or malformed; &vgpu_mapping.level tells which
 * @VGPU_MMU_PTE: PTE not valid
 * @VGPU_MMU_MEMORY: an entry points where there is no memory
 */
enum vgpu_mmu_status {
	VGPU_MMU_OK,
	VGPU_MMU_RANGE,
	VGPU_MMU_PDE,
	VGPU_MMU_PTE,
	VGPU_MMU_MEMORY,
};

/**
 * struct vgpu_mapping - result of a walk
 * @xlate: translation of the page, 0 if its entry was not read yet
 * @level: of the last entry looked at; 0 PTE, 1 to 3 PDB0 to PDB2
 * @fragment: as in the leaf
 * @entry: bus address or VRAM offset of the leaf itself
 * @entry_system: and which of the two
 */
struct vgpu_mapping {
	u64 xlate;
	u64 entry;
	bool entry_system;
	u8 level;
	u8 fragment;
};

enum vgpu_mmu_status vgpu_mmu_walk(const struct vgpu_bus *bus,
				   const struct vgpu_mmu_context *ctx, u64 page,
				   struct vgpu_mapping *map);
bool vgpu_mmu_beside(const struct vgpu_mmu_context *ctx, const struct vgpu_mapping *map, u64 from,
		     u64 page, struct vgpu_mapping *other);
void vgpu_mmu_line(const struct vgpu_bus *bus, const struct vgpu_mmu_context *ctx, u64 page,
		   const struct vgpu_mapping *map, u64 line[VGPU_MMU_LINE]);
void *vgpu_mmu_memory(const struct vgpu_bus *bus, u64 xlate);

#endif /* CARILLON_VGPU_MMU_H */
