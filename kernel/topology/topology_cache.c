// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: list of GPU caches
 *
 * Kind after kind in the order of the chip's table.  A first-level cache belongs
 * to a block of neighbouring CUs of one shader array; a block without an active
 * CU has none.  Its sibling map counts from the block's first active CU and has
 * 32 bits.  A cache of a higher level belongs to the whole chip; its map has 32
 * bits a shader array, the first of them counted from the first active CU.
 *
 * Processor ids count all CUs of the chip, present or not, so that an id says
 * where a CU lies.
 *
 * Upstream's amdkfd of 6.1 prints the first array's map twice and drops the last
 * one's; this shows each array's own.  On a chip whose arrays have equal masks
 * the text is the same.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "topology_cache.h"

#define TOPOLOGY_ARRAY_BYTES	4

/**
 * struct topology_cache_out - list under construction
 * @caches: the list
 * @count: entries so far, including those that did not fit
 * @max: room
 */
struct topology_cache_out {
	struct topology_cache_props *caches;
	unsigned int count, max;
};

static u32 topology_low_bits(u32 n)
{
	return n >= 32 ? ~0u : (1u << n) - 1;
}

static u32 topology_array_mask(const struct topology_cu_layout *cu, u32 array)
{
	u32 shift = array % cu->arrays * cu->cus;

	/* More than 32 CUs an engine do not fit the mask word. */
	if (shift >= 32)
		return 0;
	return cu->active[array / cu->arrays] >> shift & topology_low_bits(cu->cus);
}

static void topology_put_map(u8 *at, u32 mask)
{
	unsigned int i;

	for (i = 0; i < TOPOLOGY_ARRAY_BYTES; i++)
		at[i] = mask >> (8 * i);
}

/* Next record, filled with what the kind says; a spare one once the list is full. */
static void topology_cache_put(struct topology_cache_out *out, const struct hw_gpu_cache *kind,
			       const struct topology_cache_props *sharers)
{
	struct topology_cache_props *cache;

	if (out->count < out->max) {
		cache = &out->caches[out->count];
		*cache = *sharers;
		cache->level = kind->level;
		cache->size = kind->size_kib;
		cache->line_size = kind->line;
		cache->type = kind->type;
	}
	out->count++;
}

/* Caches of one array. */
static void topology_cache_array(const struct topology_cu_layout *cu,
				 const struct hw_gpu_cache *kind, u32 array,
				 struct topology_cache_out *out)
{
	struct topology_cache_props sharers;
	u32 share = max(kind->cus_shared, 1u);
	u32 first, block, mask;

	for (block = 0; block < cu->cus; block += share) {
		mask = topology_array_mask(cu, array) >> block & topology_low_bits(share);
		if (!mask)
			continue;
		first = __builtin_ctz(mask);
		memset(&sharers, 0, sizeof(sharers));
		sharers.processor_id_low = cu->id_base + array * cu->cus + block + first;
		sharers.sibling_bytes = TOPOLOGY_ARRAY_BYTES;
		topology_put_map(sharers.sibling, mask >> first);
		topology_cache_put(out, kind, &sharers);
	}
}

/* One cache for the whole chip. */
static void topology_cache_chip(const struct topology_cu_layout *cu,
				const struct hw_gpu_cache *kind, struct topology_cache_out *out)
{
	u32 arrays = min(cu->engines * cu->arrays,
			 (u32)(TOPOLOGY_SIBLING_BYTES / TOPOLOGY_ARRAY_BYTES));
	struct topology_cache_props sharers;
	u32 array, first, mask;

	memset(&sharers, 0, sizeof(sharers));
	for (array = 0; array < arrays; array++) {
		mask = topology_array_mask(cu, array);
		if (!sharers.sibling_bytes && !mask)
			continue;
		if (!sharers.sibling_bytes) {
			first = __builtin_ctz(mask);
			sharers.processor_id_low = cu->id_base + array * cu->cus + first;
			mask >>= first;
		}
		topology_put_map(sharers.sibling + sharers.sibling_bytes, mask);
		sharers.sibling_bytes += TOPOLOGY_ARRAY_BYTES;
	}
	if (sharers.sibling_bytes)
		topology_cache_put(out, kind, &sharers);
}

/**
 * topology_cache_list - caches of a chip
 * @cu: its CUs
 * @kinds: its kinds of cache
 * @num_kinds: how many
 * @out: list to fill, or NULL to count
 * @max: room in @out
 *
 * Context: any.
 * Return: number of caches, which may exceed @max.
 */
unsigned int topology_cache_list(const struct topology_cu_layout *cu,
				 const struct hw_gpu_cache *kinds, unsigned int num_kinds,
				 struct topology_cache_props *out, unsigned int max)
{
	struct topology_cache_out list = { .caches = out, .max = out ? max : 0 };
	unsigned int i;
	u32 array;

	for (i = 0; i < num_kinds; i++) {
		if (kinds[i].level > 1) {
			topology_cache_chip(cu, &kinds[i], &list);
			continue;
		}
		for (array = 0; array < cu->engines * cu->arrays; array++)
			topology_cache_array(cu, &kinds[i], array, &list);
	}
	return list.count;
}
