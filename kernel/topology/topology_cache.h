/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: which CUs share which cache
 *
 * Turns the cache kinds of a chip and the masks of its active CUs into the list
 * of caches that the topology shows.  Pure: compiles in user space.
 */
#ifndef CARILLON_TOPOLOGY_CACHE_H
#define CARILLON_TOPOLOGY_CACHE_H

#include "../hw/hw_ip_table.h"
#include "topology_props.h"

/**
 * struct topology_cu_layout - the CUs of a chip
 * @engines: shader engines
 * @arrays: shader arrays an engine
 * @cus: CUs an array, present or not, at most 32
 * @active: a mask an engine; array n has the bits from n * @cus on
 * @id_base: processor id of the first CU
 */
struct topology_cu_layout {
	u32 engines;
	u32 arrays;
	u32 cus;
	const u32 *active;
	u32 id_base;
};

unsigned int topology_cache_list(const struct topology_cu_layout *cu,
				 const struct hw_gpu_cache *kinds, unsigned int num_kinds,
				 struct topology_cache_props *out, unsigned int max);

#endif /* CARILLON_TOPOLOGY_CACHE_H */
