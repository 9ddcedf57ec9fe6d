// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: the parser of gpus=
 *
 * The grammar stands in vgpu_config.h.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>

#include "vgpu_config.h"
#include "vgpu_cursor.h"

/**
 * vgpu_config_check - may this GPU be built?
 * @config: with a profile
 *
 * Return: 0 or -ERANGE.
 */
int vgpu_config_check(const struct vgpu_config *config)
{
	const struct vgpu_profile *p = config->profile;

	if (config->cu < p->cu_min || config->cu > p->cu_max)
		return -ERANGE;
	if (config->instances < 1 || config->instances > p->sdma_count)
		return -ERANGE;
	if (config->vram < p->vram_min || config->vram > p->vram_max)
		return -ERANGE;
	if (config->vram % VGPU_VRAM_GRANULE)
		return -ERANGE;
	return 0;
}

/**
 * vgpu_config_cu_mask - compute units present in a shader engine
 * @config: a valid configuration
 * @se: shader engine
 *
 * The units are dealt out one engine after the other, so engines differ by one
 * unit at most.
 *
 * Return: one bit a unit; 0 for an engine that the chip does not have.
 */
u32 vgpu_config_cu_mask(const struct vgpu_config *config, unsigned int se)
{
	unsigned int engines = config->profile->shader_engines;
	unsigned int n;

	if (se >= engines)
		return 0;
	n = config->cu / engines + (se < config->cu % engines);
	return (1u << n) - 1;
}

static int cursor_size(struct vgpu_cursor *cur, u64 *value)
{
	unsigned int shift = 0;
	u64 v;
	int ret;

	ret = vgpu_cursor_number(cur, 10, &v);
	if (ret)
		return ret;
	if (vgpu_cursor_take(cur, "k") || vgpu_cursor_take(cur, "K"))
		shift = 10;
	else if (vgpu_cursor_take(cur, "m") || vgpu_cursor_take(cur, "M"))
		shift = 20;
	else if (vgpu_cursor_take(cur, "g") || vgpu_cursor_take(cur, "G"))
		shift = 30;
	if (v > ~0ULL >> shift)
		return -ERANGE;
	*value = v << shift;
	return 0;
}

enum vgpu_setting { SETTING_CU, SETTING_VRAM, SETTING_INSTANCES, SETTING_COUNT };

static const char * const setting_words[SETTING_COUNT] = {
	[SETTING_CU] = "cu=",
	[SETTING_VRAM] = "vram=",
	[SETTING_INSTANCES] = "instances=",
};

static int setting_apply(struct vgpu_config *config, enum vgpu_setting which, u64 value)
{
	if (which == SETTING_VRAM) {
		config->vram = value;
		return 0;
	}
	if (value > 0xffff)
		return -ERANGE;
	if (which == SETTING_CU)
		config->cu = value;
	else
		config->instances = value;
	return 0;
}

static int parse_setting(struct vgpu_cursor *cur, struct vgpu_config *config, unsigned long *seen)
{
	unsigned int start = cur->pos, i;
	u64 value;
	int ret;

	for (i = 0; i < SETTING_COUNT; i++)
		if (vgpu_cursor_take(cur, setting_words[i]))
			break;
	if (i == SETTING_COUNT)
		return -EINVAL;
	if (*seen & BIT(i)) {
		cur->pos = start;
		return -EINVAL;
	}
	*seen |= BIT(i);
	ret = i == SETTING_VRAM ? cursor_size(cur, &value) : vgpu_cursor_number(cur, 10, &value);
	if (ret)
		return ret;
	return setting_apply(config, i, value);
}

static int parse_profile(struct vgpu_cursor *cur, struct vgpu_config *config)
{
	const char *name = cur->text + cur->pos;
	size_t len = strcspn(name, ":+,");
	const struct vgpu_profile *profile = vgpu_profile_find(name, len);

	if (!profile)
		return -ENODEV;
	cur->pos += len;
	config->profile = profile;
	config->cu = profile->cu_default;
	config->instances = profile->sdma_count;
	config->vram = profile->vram_default;
	config->failures = NULL;
	return 0;
}

static int parse_gpu(struct vgpu_cursor *cur, struct vgpu_config *config)
{
	unsigned int start = cur->pos;
	unsigned long seen = 0;
	int ret;

	ret = parse_profile(cur, config);
	if (ret)
		return ret;
	if (vgpu_cursor_take(cur, ":")) {
		do {
			ret = parse_setting(cur, config, &seen);
			if (ret)
				return ret;
		} while (vgpu_cursor_take(cur, ","));
	}
	ret = vgpu_config_check(config);
	if (ret)
		cur->pos = start;
	return ret;
}

/**
 * vgpu_config_parse - read the module parameter gpus=
 * @text: see the grammar at the head of vgpu_config.h
 * @list: filled with one configuration a GPU, all valid
 * @max: room in @list
 * @where: on error, the offset in @text that is to blame
 *
 * Return: the number of GPUs; -EINVAL for bad syntax, -ENODEV for a profile that
 * does not exist, -ERANGE for a value outside the profile's limits, -E2BIG for
 * more than @max GPUs.
 */
int vgpu_config_parse(const char *text, struct vgpu_config *list, unsigned int max,
		      unsigned int *where)
{
	struct vgpu_cursor cur = { .text = text };
	unsigned int n = 0;
	int ret;

	do {
		ret = n < max ? parse_gpu(&cur, &list[n]) : -E2BIG;
		if (ret)
			break;
		n++;
	} while (vgpu_cursor_take(&cur, "+"));
	if (!ret && text[cur.pos])
		ret = -EINVAL;
	*where = cur.pos;
	return ret ? ret : n;
}
