/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: what to build, and whether it is valid
 *
 * A configuration is a profile (vgpu_profile.h) with the choices that the user made
 * in the module parameter gpus=.  Grammar:
 *
 *	gpus    = gpu { "+" gpu }
 *	gpu     = profile [ ":" setting { "," setting } ]
 *	setting = "cu=" number | "vram=" size | "instances=" number
 *	size    = number [ "k" | "m" | "g" ]       (bytes without a letter)
 *
 * for example vega10, vega10:cu=4, vega10:cu=4,vram=2g,instances=1+vega10.  No
 * spaces; a setting may appear once.  Numbers are decimal.  Pure: compiles in
 * user space.
 */
#ifndef CARILLON_VGPU_CONFIG_H
#define CARILLON_VGPU_CONFIG_H

#include <linux/types.h>

#include "vgpu_profile.h"

#define VGPU_MAX_GPUS		8
/* Granule of the frame-buffer location registers (address bits 47:24). */
#define VGPU_VRAM_GRANULE	(16ULL << 20)

/**
 * struct vgpu_config - one GPU to build
 * @profile: its chip
 * @cu: compute units present
 * @instances: SDMA instances present
 * @vram: bytes of VRAM, sparse
 * @failures: failure switches that are set from the start, or NULL; checked already
 */
struct vgpu_config {
	const struct vgpu_profile *profile;
	unsigned int cu;
	unsigned int instances;
	u64 vram;
	const char *failures;
};

int vgpu_config_check(const struct vgpu_config *config);
int vgpu_config_parse(const char *text, struct vgpu_config *list, unsigned int max,
		      unsigned int *where);
u32 vgpu_config_cu_mask(const struct vgpu_config *config, unsigned int se);

#endif /* CARILLON_VGPU_CONFIG_H */
