// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: test of the GPU cache list
 *
 * Which CUs share which cache: S0.82, S0.85, S0.87, S0.92.  Every case is also compared
 * with a slow reference that asks for each CU and each kind who its sharers are.
 */
/* pure: kernel/topology/topology_cache.c kernel/hw/hw_ip_table.c */
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/topology/topology_cache.h"
#include "pure_test.h"

#define ID_BASE		0x80001000u
#define MAX_CACHES	256

static struct topology_cache_props list[MAX_CACHES];

static unsigned int make(const u32 *active, struct topology_cu_layout *cu)
{
	const struct hw_chip *chip = hw_chip_find(0x6860);

	cu->engines = chip->shader_engines;
	cu->arrays = chip->arrays_per_engine;
	cu->cus = chip->cu_per_array;
	cu->active = active;
	cu->id_base = ID_BASE;
	memset(list, 0xa5, sizeof(list));
	return topology_cache_list(cu, chip->caches, chip->num_caches, list, MAX_CACHES);
}

static bool cu_active(const struct topology_cu_layout *cu, u32 id)
{
	u32 n = id - cu->id_base;

	return cu->active[n / cu->cus] >> (n % cu->cus) & 1;
}

/* Is @id a sharer of @cache, by its sibling map? */
static bool cache_has(const struct topology_cache_props *cache, u32 id)
{
	u32 bit = id - cache->processor_id_low;

	return bit < cache->sibling_bytes * 8 && cache->sibling[bit / 8] >> (bit % 8) & 1;
}

/* Sharers a map claims that are not active, or that no CU has. */
static bool map_is_sound(const struct topology_cu_layout *cu,
			 const struct topology_cache_props *cache)
{
	u32 last = cu->id_base + cu->engines * cu->cus;
	u32 bit, id;

	for (bit = 0; bit < cache->sibling_bytes * 8; bit++) {
		if (!(cache->sibling[bit / 8] >> (bit % 8) & 1))
			continue;
		id = cache->processor_id_low + bit;
		if (id < cu->id_base || id >= last || !cu_active(cu, id))
			return false;
	}
	return true;
}

/* First-level caches of one kind: each active CU is in one, and only with CUs of its block. */
static bool check_kind(const struct topology_cu_layout *cu, const struct hw_gpu_cache *kind,
		       unsigned int count)
{
	u32 cus = cu->engines * cu->cus;
	unsigned int i, found;
	bool ok = true;
	u32 n, other;

	for (n = 0; n < cus; n++) {
		found = 0;
		for (i = 0; i < count; i++) {
			if (list[i].type != kind->type || list[i].size != kind->size_kib ||
			    list[i].level != 1)
				continue;
			/* Vector and scalar data caches have the same type and size here. */
			if ((list[i].sibling[0] & 6) && kind->cus_shared == 1)
				continue;
			if (!cache_has(&list[i], cu->id_base + n))
				continue;
			found++;
			for (other = 0; other < cus; other++)
				if (cache_has(&list[i], cu->id_base + other))
					ok &= PURE_EQ(other / cu->cus, n / cu->cus);
		}
		if (cu_active(cu, cu->id_base + n))
			ok &= PURE_EQ(found >= 1, 1);
		else
			ok &= PURE_EQ(found, 0);
	}
	return ok;
}

static bool check_all(const struct topology_cu_layout *cu, unsigned int count)
{
	const struct hw_chip *chip = hw_chip_find(0x6860);
	unsigned int i;
	bool ok = true;

	for (i = 0; i < chip->num_caches; i++)
		if (chip->caches[i].level == 1)
			ok &= check_kind(cu, &chip->caches[i], count);
	for (i = 0; i < count; i++) {
		ok &= PURE_EQ(cu_active(cu, list[i].processor_id_low), 1);
		if (list[i].level == 1)
			ok &= PURE_EQ(map_is_sound(cu, &list[i]), 1);
		ok &= PURE_EQ(list[i].sibling[0] & 1, 1);
		ok &= PURE_EQ(list[i].latency, 0);
	}
	return ok;
}

static bool is(const struct topology_cache_props *c, u32 id, u32 level, u32 size, u32 type,
	       u32 bytes, u32 map)
{
	u32 have = c->sibling[0] | c->sibling[1] << 8 | c->sibling[2] << 16 |
		   (u32)c->sibling[3] << 24;
	bool ok = PURE_EQ(c->processor_id_low, id);

	ok &= PURE_EQ(c->level, level);
	ok &= PURE_EQ(c->size, size);
	ok &= PURE_EQ(c->type, type);
	ok &= PURE_EQ(c->sibling_bytes, bytes);
	ok &= PURE_EQ(have, map);
	return ok;
}

/* All CUs: 16 vector L1 an array, ceil(16 / 3) instruction and scalar caches, one L2. */
static void test_full(void)
{
	static const u32 active[] = { 0xffff, 0xffff, 0xffff, 0xffff };
	struct topology_cu_layout cu;
	unsigned int count = make(active, &cu), array;
	bool ok = PURE_EQ(count, 64 + 24 + 24 + 1);

	ok &= is(&list[0], ID_BASE, 1, 16, 9, 4, 1);
	ok &= is(&list[63], ID_BASE + 63, 1, 16, 9, 4, 1);
	ok &= is(&list[64], ID_BASE, 1, 32, 10, 4, 7);
	ok &= is(&list[64 + 4], ID_BASE + 12, 1, 32, 10, 4, 7);
	ok &= is(&list[64 + 5], ID_BASE + 15, 1, 32, 10, 4, 1);
	ok &= is(&list[64 + 6], ID_BASE + 16, 1, 32, 10, 4, 7);
	ok &= is(&list[88], ID_BASE, 1, 16, 9, 4, 7);
	ok &= is(&list[112], ID_BASE, 2, 4096, 9, 16, 0xffff);
	for (array = 1; array < 4; array++)
		ok &= PURE_EQ(list[112].sibling[4 * array] << 8 | list[112].sibling[4 * array + 1],
			      0xffff);
	pure_ok(ok && check_all(&cu, count), "S0.85 S0.87 64 CUs");
}

static void test_small(void)
{
	static const u32 active[] = { 1, 1, 1, 1 };
	struct topology_cu_layout cu;
	unsigned int count = make(active, &cu);
	bool ok = PURE_EQ(count, 4 + 4 + 4 + 1);

	ok &= is(&list[1], ID_BASE + 16, 1, 16, 9, 4, 1);
	ok &= is(&list[7], ID_BASE + 48, 1, 32, 10, 4, 1);
	ok &= is(&list[12], ID_BASE, 2, 4096, 9, 16, 1);
	pure_ok(ok && check_all(&cu, count), "S0.92 4 CUs, one an array");
}

/* Missing CUs: a block counts from its first active one, an empty block has no cache. */
static void test_odd(void)
{
	static const u32 active[] = { 0x0000, 0x8004, 0xfff8, 0x5555 };
	struct topology_cu_layout cu;
	unsigned int count = make(active, &cu);
	bool ok = PURE_EQ(count, (2 + 13 + 8) + 2 * (2 + 5 + 5) + 1);

	ok &= is(&list[0], ID_BASE + 16 + 2, 1, 16, 9, 4, 1);
	ok &= is(&list[23], ID_BASE + 16 + 2, 1, 32, 10, 4, 1);
	ok &= is(&list[24], ID_BASE + 16 + 15, 1, 32, 10, 4, 1);
	ok &= is(&list[25], ID_BASE + 32 + 3, 1, 32, 10, 4, 7);
	ok &= is(&list[30], ID_BASE + 48, 1, 32, 10, 4, 5);
	ok &= is(&list[31], ID_BASE + 48 + 4, 1, 32, 10, 4, 1);
	ok &= is(&list[count - 1], ID_BASE + 16 + 2, 2, 4096, 9, 12, 0x2001);
	pure_ok(ok && check_all(&cu, count), "S0.87 S0.92 odd masks");
}

static void test_random(void)
{
	struct topology_cu_layout cu;
	u32 active[4], seed = 1, i;
	unsigned int round;
	bool ok = true;

	for (round = 0; round < 200; round++) {
		for (i = 0; i < 4; i++) {
			seed = seed * 1664525 + 1013904223;
			active[i] = seed >> 16;
		}
		ok &= check_all(&cu, make(active, &cu));
	}
	pure_ok(ok, "S0.92 200 random masks against the slow reference");
}

/* Two arrays in one mask word, more caches than room, no CU at all. */
static void test_edges(void)
{
	static const struct hw_gpu_cache kinds[] = {
		{ .level = 1, .size_kib = 8, .type = 9, .cus_shared = 0 },
		{ .level = 2, .size_kib = 64, .type = 9, .cus_shared = 0 },
	};
	static const u32 none[] = { 0, 0 }, some[] = { 0x21, 0x10 };
	struct topology_cu_layout cu = {
		.engines = 2, .arrays = 2, .cus = 4, .active = none, .id_base = 100,
	};
	bool ok = PURE_EQ(topology_cache_list(&cu, kinds, 2, list, MAX_CACHES), 0);

	cu.active = some;
	memset(list, 0xa5, sizeof(list));
	ok &= PURE_EQ(topology_cache_list(&cu, kinds, 2, list, 2), 4);
	ok &= PURE_EQ(list[2].level, 0xa5a5a5a5u);
	ok &= PURE_EQ(topology_cache_list(&cu, kinds, 2, NULL, 7), 4);
	ok &= PURE_EQ(topology_cache_list(&cu, kinds, 2, list, 4), 4);
	ok &= is(&list[0], 100, 1, 8, 9, 4, 1);
	ok &= is(&list[1], 105, 1, 8, 9, 4, 1);
	ok &= is(&list[2], 112, 1, 8, 9, 4, 1);
	ok &= is(&list[3], 100, 2, 64, 9, 16, 1);
	ok &= PURE_EQ(list[3].sibling[4], 2);
	ok &= PURE_EQ(list[3].sibling[12], 1);
	pure_ok(ok, "several arrays an engine, a short list, no CU");
}

int main(void)
{
	test_full();
	test_small();
	test_odd();
	test_random();
	test_edges();
	return pure_done();
}
