// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* pure: kernel/vgpu/vgpu_config.c kernel/vgpu/vgpu_profile.c */
/**
 * DOC: test of the parser of gpus= and of the profiles
 *
 * Rows of text with what they mean or where they are wrong; every prefix and many
 * corruptions of a long text, which must never be read past their end (ASan).
 * How compute units are dealt out.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <stdlib.h>

#include "kernel/vgpu/vgpu_config.h"
#include "pure_test.h"

#define MIB	1048576ULL
#define GIB	(1024 * MIB)

struct good_row {
	const char *text;
	int count;
	unsigned int cu, instances;	/* of the last GPU */
	u64 vram;
	u16 device;	/* 0: Vega10's */
};

static const struct good_row good[] = {
	{ "vega10", 1, 64, 2, 8 * GIB },
	{ "vega10:cu=4", 1, 4, 2, 8 * GIB },
	{ "vega10:cu=64", 1, 64, 2, 8 * GIB },
	{ "vega10:vram=256m", 1, 64, 2, 256 * MIB },
	{ "vega10:vram=64G", 1, 64, 2, 64 * GIB },
	{ "vega10:vram=1048576k", 1, 64, 2, GIB },
	{ "vega10:vram=1073741824", 1, 64, 2, GIB },
	{ "vega20", 1, 60, 2, 32 * GIB, 0x66a1 },
	{ "mi100", 1, 120, 8, 32 * GIB, 0x738c },
	{ "mi100:cu=8,instances=3", 1, 8, 3, 32 * GIB, 0x738c },
	{ "mi210", 1, 104, 5, 64 * GIB, 0x740f },
	{ "mi210:cu=112,vram=4g,instances=1", 1, 112, 1, 4 * GIB, 0x740f },
	{ "vega10+vega20:cu=64", 2, 64, 2, 32 * GIB, 0x66a1 },
	{ "vega10:cu=4,vram=2g,instances=1", 1, 4, 1, 2 * GIB },
	{ "vega10:cu=4,vram=2g,instances=1+vega10", 2, 64, 2, 8 * GIB },
	{ "vega10+vega10+vega10+vega10+vega10+vega10+vega10+vega10:cu=5", 8, 5, 2, 8 * GIB },
};

struct bad_row {
	const char *text;
	int error;
	unsigned int where;
};

static const struct bad_row bad[] = {
	{ "", -ENODEV, 0 },
	{ "+", -ENODEV, 0 },
	{ "vega", -ENODEV, 0 },
	{ "vega2", -ENODEV, 0 },
	{ "vega20:cu=65", -ERANGE, 0 },
	{ "vega20:instances=3", -ERANGE, 0 },
	{ "mi100:cu=7", -ERANGE, 0 },
	{ "mi100:instances=9", -ERANGE, 0 },
	{ "mi210:cu=113", -ERANGE, 0 },
	{ "mi210:instances=6", -ERANGE, 0 },
	{ "VEGA10", -ENODEV, 0 },
	{ " vega10", -ENODEV, 0 },
	{ "vega10 ", -ENODEV, 0 },
	{ "vega10+", -ENODEV, 7 },
	{ "vega10+mi10", -ENODEV, 7 },
	{ "vega10,vega10", -EINVAL, 6 },
	{ "vega10:", -EINVAL, 7 },
	{ "vega10:cu", -EINVAL, 7 },
	{ "vega10:cu=", -EINVAL, 10 },
	{ "vega10:cu=x", -EINVAL, 10 },
	{ "vega10:cu=-4", -EINVAL, 10 },
	{ "vega10:cu=4,", -EINVAL, 12 },
	{ "vega10:cu=4x", -EINVAL, 11 },
	{ "vega10:cu=4g", -EINVAL, 11 },
	{ "vega10:cu=4,cu=4", -EINVAL, 12 },
	{ "vega10:vram=1g,vram=1g", -EINVAL, 15 },
	{ "vega10:cu=3", -ERANGE, 0 },
	{ "vega10:cu=65", -ERANGE, 0 },
	{ "vega10:cu=4294967300", -ERANGE, 20 },
	{ "vega10:instances=0", -ERANGE, 0 },
	{ "vega10:instances=3", -ERANGE, 0 },
	{ "vega10:vram=255m", -ERANGE, 0 },
	{ "vega10:vram=257m", -ERANGE, 0 },
	{ "vega10:vram=65g", -ERANGE, 0 },
	{ "vega10:vram=18014398509481984g", -ERANGE, 30 },
	{ "vega10:vram=184467440737095516160", -ERANGE, 31 },
	{ "vega10+vega10+vega10+vega10+vega10+vega10+vega10+vega10+vega10", -E2BIG, 56 },
};

static void test_good(void)
{
	struct vgpu_config list[VGPU_MAX_GPUS];
	unsigned int i, where;
	int n;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		const struct good_row *row = &good[i];
		bool ok;

		n = vgpu_config_parse(row->text, list, VGPU_MAX_GPUS, &where);
		ok = PURE_EQ(n, row->count);
		if (ok) {
			ok &= PURE_EQ(list[n - 1].cu, row->cu);
			ok &= PURE_EQ(list[n - 1].instances, row->instances);
			ok &= PURE_EQ(list[n - 1].vram, row->vram);
			ok &= PURE_EQ(list[n - 1].profile->device_id,
				      row->device ? row->device : 0x6860);
		}
		pure_okf(ok, "gpus=%s", row->text);
	}
}

static void test_bad(void)
{
	struct vgpu_config list[VGPU_MAX_GPUS];
	unsigned int i, where;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		bool ok = PURE_EQ(vgpu_config_parse(bad[i].text, list, VGPU_MAX_GPUS, &where),
				  bad[i].error);

		ok &= PURE_EQ(where, bad[i].where);
		pure_okf(ok, "gpus=%s is refused", bad[i].text);
	}
}

/* Text in memory of its exact size, so that reading on is seen. */
static int parse_exact(const char *text, size_t len)
{
	struct vgpu_config list[VGPU_MAX_GPUS];
	char *copy = malloc(len + 1);
	unsigned int where;
	int ret;

	memcpy(copy, text, len);
	copy[len] = 0;
	ret = vgpu_config_parse(copy, list, VGPU_MAX_GPUS, &where);
	if (where > len)
		ret = -1000;
	free(copy);
	return ret;
}

static void test_corrupt(void)
{
	static const char text[] = "vega10:cu=4,vram=2g,instances=1+vega10:vram=512m";
	static const char junk[] = ":+,=09kgx v\xff";
	char copy[sizeof(text)];
	size_t len, j;
	bool ok = true;

	for (len = 0; len < sizeof(text); len++)
		ok &= parse_exact(text, len) != -1000;
	for (len = 0; len < sizeof(text) - 1; len++) {
		for (j = 0; j < sizeof(junk) - 1; j++) {
			memcpy(copy, text, sizeof(text));
			copy[len] = junk[j];
			ok &= parse_exact(copy, sizeof(text) - 1) != -1000;
		}
	}
	pure_ok(ok, "prefixes and corruptions end inside their text");
}

/* What the parser and the blocks take for granted of every row. */
static void test_profiles(void)
{
	const struct vgpu_profile *p, *other;
	unsigned int i, j, k;
	bool ok = true;

	for (i = 0; (p = vgpu_profile_at(i)); i++) {
		struct vgpu_config config = {
			.profile = p, .cu = p->cu_default, .instances = p->sdma_count,
			.vram = p->vram_default,
		};

		ok &= PURE_EQ(vgpu_config_check(&config), 0);
		ok &= vgpu_profile_find(p->name, strlen(p->name)) == p;
		ok &= p->shader_engines <= VGPU_MAX_SE && p->cu_per_se <= 16;
		ok &= p->cu_max <= p->shader_engines * p->cu_per_se && p->sdma_count;
		ok &= p->sdma_count <= VGPU_MAX_SDMA && p->rlc_queues >= 2 && p->rlc_queues <= 8;
		ok &= p->iv_page && p->iv_rlc0 && (p->iv_page < p->iv_rlc0 ||
						   p->iv_page >= p->iv_rlc0 + p->rlc_queues);
		ok &= p->hub.count && p->hub.count <= VGPU_MAX_HUBS;
		for (j = 0; j < p->sdma_count; j++)
			ok &= p->sdma[j].hub < p->hub.count;
		for (j = 0; j < p->sdma_count; j++)
			for (k = 0; k < j; k++)
				ok &= p->sdma[j].base != p->sdma[k].base &&
				      p->sdma[j].client != p->sdma[k].client &&
				      p->sdma[j].doorbell_range != p->sdma[k].doorbell_range;
		for (j = 0; j < i; j++) {
			other = vgpu_profile_at(j);
			ok &= other->device_id != p->device_id && strcmp(other->name, p->name);
		}
	}
	pure_ok(ok && i, "each profile has a default that may be built, and names of its own");
}

static void test_units(void)
{
	struct vgpu_config config;
	unsigned int cu, se, n, most, least, bits, where;
	bool ok = true;

	vgpu_config_parse("vega10", &config, 1, &where);
	for (cu = 4; cu <= 64; cu++) {
		config.cu = cu;
		n = 0;
		most = 0;
		least = 64;
		for (se = 0; se < 4; se++) {
			bits = __builtin_popcount(vgpu_config_cu_mask(&config, se));
			n += bits;
			most = max(most, bits);
			least = min(least, bits);
			ok &= PURE_EQ(vgpu_config_cu_mask(&config, se) & ~0xffffu, 0);
		}
		ok &= PURE_EQ(n, cu) && most - least <= 1;
	}
	ok &= PURE_EQ(vgpu_config_cu_mask(&config, 4), 0);
	pure_ok(ok, "cu=4..64 are dealt out evenly over four shader engines");
}

int main(void)
{
	test_good();
	test_bad();
	test_corrupt();
	test_units();
	test_profiles();
	return pure_done();
}
