// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: walking the driver's tables
 *
 * See vgpu_mmu.h for the formats.  A walk looks at one entry a level, so it is bounded
 * whatever the tables say; an address that no memory answers for ends it.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "vgpu_mmu.h"
#include "vgpu_os.h"

#define ENTRY_VALID		BIT_ULL(0)
#define ENTRY_SYSTEM		BIT_ULL(1)
#define ENTRY_FRAGMENT		GENMASK_ULL(11, 7)
#define ENTRY_TABLE_ADDR	GENMASK_ULL(47, 6)
#define ENTRY_PAGE_ADDR		GENMASK_ULL(47, VGPU_PAGE_SHIFT)
#define ENTRY_IS_PTE		BIT_ULL(54)

#define LEVEL_BITS		9

/**
 * vgpu_mmu_memory() - kernel address of a page
 * @bus: platform
 * @xlate: its translation; permissions do not count here
 *
 * Context: the engine's thread.
 * Return: address of the page or NULL if there is no memory.
 */
void *vgpu_mmu_memory(const struct vgpu_bus *bus, u64 xlate)
{
	u64 pa = xlate & VGPU_XLATE_ADDR;

	if (xlate & VGPU_XLATE_SYSTEM)
		return bus->sys_page(bus->ctx, pa);
	if (pa >= bus->vram_size)
		return NULL;
	return bus->vram_page(bus->ctx, pa, false);
}

/* Page of memory that holds the entry at @pa; entries are aligned, so none crosses one. */
static u8 *entry_page(const struct vgpu_bus *bus, bool system, u64 pa)
{
	return vgpu_mmu_memory(bus, (pa & VGPU_XLATE_ADDR) | (system ? VGPU_XLATE_SYSTEM : 0));
}

static bool read_entry(const struct vgpu_bus *bus, bool system, u64 pa, u64 *entry)
{
	u8 *page = entry_page(bus, system, pa);

	if (!page)
		return false;
	*entry = READ_ONCE(*(u64 *)(page + (pa & (VGPU_PAGE_SIZE - 1))));
	return true;
}

static u64 entry_base(const struct vgpu_mmu_context *ctx, u64 entry, u64 mask)
{
	u64 addr = entry & mask;

	/* Below the frame buffer it wraps to an offset that no VRAM has. */
	return entry & ENTRY_SYSTEM ? addr : addr - ctx->fb_offset;
}

/* log2 of the pages that a leaf at @level maps, 0 or 1. */
static unsigned int leaf_bits(const struct vgpu_mmu_context *ctx, unsigned int level)
{
	return level ? LEVEL_BITS + ctx->block : 0;
}

/* Translation of @page (from the context's first) by a valid leaf. */
static u64 leaf_xlate(const struct vgpu_mmu_context *ctx, u64 entry, unsigned int level, u64 page)
{
	u64 inside = BIT_ULL(leaf_bits(ctx, level) + VGPU_PAGE_SHIFT) - 1;
	u64 pa = entry_base(ctx, entry, ENTRY_PAGE_ADDR & ~inside) +
		 ((page << VGPU_PAGE_SHIFT) & inside);

	return (pa & VGPU_XLATE_ADDR) | (entry & VGPU_XLATE_BITS);
}

/* Entries of a table at @level; the root takes all bits that are left. */
static u64 table_mask(const struct vgpu_mmu_context *ctx, unsigned int level)
{
	unsigned int bits = level ? LEVEL_BITS : LEVEL_BITS + ctx->block;

	return level == ctx->depth ? ~0ULL : BIT_ULL(bits) - 1;
}

static u64 table_index(const struct vgpu_mmu_context *ctx, unsigned int level, u64 page)
{
	unsigned int shift = level ? LEVEL_BITS + ctx->block + (level - 1) * LEVEL_BITS : 0;

	return (page >> shift) & table_mask(ctx, level);
}

/* Pages that share a table of PTEs, or a leaf of @level 1, differ in these bits. */
static u64 leaf_mask(const struct vgpu_mmu_context *ctx, unsigned int level)
{
	return level ? BIT_ULL(leaf_bits(ctx, level)) - 1 : table_mask(ctx, 0);
}

static bool is_leaf(unsigned int level, u64 entry)
{
	return !level || (level == 1 && (entry & ENTRY_IS_PTE));
}

/**
 * vgpu_mmu_walk() - translate a page
 * @bus: platform
 * @ctx: address space
 * @page: page number
 * @map: result; its level is set in any case, the rest if a leaf was found
 *
 * Context: the engine's thread.  At most four reads.
 * Return: how it ended.  Permissions are for the caller to check.
 */
enum vgpu_mmu_status vgpu_mmu_walk(const struct vgpu_bus *bus,
				   const struct vgpu_mmu_context *ctx, u64 page,
				   struct vgpu_mapping *map)
{
	unsigned int level = ctx->depth;
	u64 entry = ctx->root;

	map->xlate = 0;
	map->level = level;
	if (!ctx->enabled || page < ctx->first || page > ctx->last)
		return VGPU_MMU_RANGE;
	page -= ctx->first;
	if (!(entry & ENTRY_VALID))
		return VGPU_MMU_PDE;
	for (;; level--) {
		map->level = level;
		map->entry_system = entry & ENTRY_SYSTEM;
		map->entry = entry_base(ctx, entry, ENTRY_TABLE_ADDR) +
			     table_index(ctx, level, page) * sizeof(u64);
		if (!read_entry(bus, map->entry_system, map->entry, &entry))
			return VGPU_MMU_MEMORY;
		if (!(entry & ENTRY_VALID))
			return level ? VGPU_MMU_PDE : VGPU_MMU_PTE;
		if (is_leaf(level, entry))
			break;
		if (entry & ENTRY_IS_PTE)
			return VGPU_MMU_PDE;
	}
	map->xlate = leaf_xlate(ctx, entry, level, page);
	map->fragment = FIELD_GET(ENTRY_FRAGMENT, entry);
	return VGPU_MMU_OK;
}

/**
 * vgpu_mmu_beside() - where the entry of a page is, if one in the same table is known
 * @ctx: address space
 * @map: result of a walk to @from that ended well
 * @from: page number
 * @page: another one
 * @other: set to the place of its entry, for vgpu_mmu_line()
 *
 * Return: false if @page has no PTE in that table, or is not of that large page.
 */
bool vgpu_mmu_beside(const struct vgpu_mmu_context *ctx, const struct vgpu_mapping *map, u64 from,
		     u64 page, struct vgpu_mapping *other)
{
	u64 shared = ~leaf_mask(ctx, map->level);

	if (page < ctx->first || page > ctx->last ||
	    (((page - ctx->first) ^ (from - ctx->first)) & shared))
		return false;
	*other = *map;
	other->xlate = 0;
	if (!map->level)
		other->entry += (page - from) * sizeof(u64);
	return true;
}

/*
 * Translations by the PTEs of a table, of which the one at @place is for the first page
 * of the group; only those from @lo to @hi count, and are there at all.
 */
static void table_line(const struct vgpu_mmu_context *ctx, const u64 *table, u64 place,
		       unsigned int lo, unsigned int hi, u64 line[VGPU_MMU_LINE])
{
	unsigned int i;

	for (i = 0; i < VGPU_MMU_LINE; i++) {
		u64 entry = i >= lo && i <= hi ? READ_ONCE(table[place + i]) : 0;

		line[i] = entry & ENTRY_VALID ?
			  (entry_base(ctx, entry, ENTRY_PAGE_ADDR) & VGPU_XLATE_ADDR) |
			  (entry & VGPU_XLATE_BITS) : 0;
	}
}

/* Translations by the one directory entry that maps pages @lo to @hi of a group. */
static void large_line(const struct vgpu_mmu_context *ctx, u64 entry, unsigned int level, u64 page,
		       unsigned int lo, unsigned int hi, u64 line[VGPU_MMU_LINE])
{
	bool leaf = (entry & ENTRY_VALID) && is_leaf(level, entry);
	unsigned int i;

	for (i = 0; i < VGPU_MMU_LINE; i++)
		line[i] = leaf && i >= lo && i <= hi ? leaf_xlate(ctx, entry, level, page + i) : 0;
}

/**
 * vgpu_mmu_line() - the translations around one
 * @bus: platform
 * @ctx: address space
 * @page: page number of a walk that ended well, or of vgpu_mmu_beside()
 * @map: its result
 * @line: translations of the aligned group of pages that @page is in; 0 where there is
 *	none, or it would take another walk
 *
 * Context: the engine's thread.
 */
void vgpu_mmu_line(const struct vgpu_bus *bus, const struct vgpu_mmu_context *ctx, u64 page,
		   const struct vgpu_mapping *map, u64 line[VGPU_MMU_LINE])
{
	u64 at = page % VGPU_MMU_LINE, place = (map->entry & (VGPU_PAGE_SIZE - 1)) / sizeof(u64);
	u64 mask = leaf_mask(ctx, map->level);
	u64 inside = (page - ctx->first) & mask;
	u64 before = min(min(at, page - ctx->first), inside);
	u64 after = min(min(VGPU_MMU_LINE - 1 - at, ctx->last - page), mask - inside);
	const u64 *entry = (const u64 *)entry_page(bus, map->entry_system, map->entry);
	unsigned int i;

	if (entry && map->level) {
		large_line(ctx, READ_ONCE(entry[place]), map->level, page - ctx->first - at,
			   at - before, at + after, line);
	} else if (entry) {
		before = min(before, place);
		after = min(after, VGPU_PAGE_SIZE / sizeof(u64) - 1 - place);
		table_line(ctx, entry, place - at, at - before, at + after, line);
	} else {
		for (i = 0; i < VGPU_MMU_LINE; i++)
			line[i] = 0;
	}
	if (map->xlate)
		line[at] = map->xlate;
}
