// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: libFuzzer target: the model's page-table walk
 *
 * The input is a context and the contents of the first pages of VRAM and of system
 * memory, where tables then lead anywhere, themselves included.  The fake bus knows
 * which addresses exist; the walk may not ask it for anything unaligned, and the line
 * of translations must agree with a walk for each page of it.
 */
#include "vgpu_fake.h"

#include "kernel/vgpu/vgpu_mmu.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

struct input {
	u8 depth, block;
	u16 fb_offset;
	u64 root, first, last, page;
};

static void context_of(const struct input *in, struct vgpu_mmu_context *ctx)
{
	*ctx = (struct vgpu_mmu_context){
		.enabled = true,
		.depth = in->depth & 3,
		.block = in->block & 15,
		.root = in->root | 1,
		.first = in->first & GENMASK_ULL(35, 0),
		.last = in->last & GENMASK_ULL(35, 0),
		.fb_offset = (u64)in->fb_offset << 24,
	};
}

static void check_line(struct fake *f, const struct vgpu_mmu_context *ctx, u64 page,
		       const struct vgpu_mapping *map)
{
	u64 line[VGPU_MMU_LINE], group = page & ~(u64)(VGPU_MMU_LINE - 1);
	struct vgpu_mapping other;
	unsigned int i;

	vgpu_mmu_line(&f->bus, ctx, page, map, line);
	assert(line[page - group] == map->xlate);
	for (i = 0; i < VGPU_MMU_LINE; i++)
		if (line[i])
			assert(vgpu_mmu_walk(&f->bus, ctx, group + i, &other) == VGPU_MMU_OK &&
			       other.xlate == line[i]);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct vgpu_mapping map = { 0 };
	struct vgpu_mmu_context ctx;
	static struct fake *f;
	struct input in;
	size_t half;

	if (size < sizeof(in))
		return 0;
	if (!f)
		f = fake_create();
	memcpy(&in, data, sizeof(in));
	context_of(&in, &ctx);
	half = min_t(size_t, (size - sizeof(in)) / 2, 65536);
	memcpy(f->vram, data + sizeof(in), half);
	memcpy(f->sys, data + sizeof(in) + half, half);
	if (vgpu_mmu_walk(&f->bus, &ctx, in.page, &map) == VGPU_MMU_OK) {
		assert(map.level <= ctx.depth && (map.xlate & VGPU_XLATE_VALID));
		vgpu_mmu_memory(&f->bus, map.xlate);
		check_line(f, &ctx, in.page, &map);
	}
	memset(f->vram, 0, half);
	memset(f->sys, 0, half);
	return 0;
}
