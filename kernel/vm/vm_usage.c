// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: how much memory of a device is in use
 *
 * Counted where memory is taken and given back, so that a reader waits for nobody who
 * allocates; the values are each exact, but not of one instant.
 */
#include <drm/drm_file.h>
#include <linux/compiler.h>

#include "vm_bo.h"
#include "vm_device.h"

/**
 * vm_device_memory - sizes and use of the memory of a device
 * @vmd: device
 * @out: filled
 *
 * Context: any.
 */
void vm_device_memory(struct vm_device *vmd, struct vm_memory *out)
{
	const struct vm_vram *vram = &vmd->vram;

	out->vram_total = vram->total;
	out->vram_used = vram->total - READ_ONCE(vram->mm.avail);
	out->visible_total = vram->visible_total;
	out->visible_used = vram->visible_total - READ_ONCE(vram->visible_free);
	out->gtt_total = vmd->gtt_limit;
	out->gtt_used = atomic64_read(&vmd->count.gtt_bytes);
}

/**
 * vm_file_memory - memory of the objects that an open DRM file may map
 * @vmd: device
 * @file: open file of it
 * @vram: filled, bytes
 * @gtt: filled, bytes
 *
 * Context: process context.
 */
void vm_file_memory(struct vm_device *vmd, const struct drm_file *file, u64 *vram, u64 *gtt)
{
	struct vm_bo *bo;

	*vram = 0;
	*gtt = 0;
	mutex_lock(&vmd->bos_lock);
	list_for_each_entry(bo, &vmd->bos, link) {
		if (READ_ONCE(bo->owner) != file)
			continue;
		if (bo->kind == VM_BO_VRAM)
			*vram += bo->base.size;
		else if (bo->kind == VM_BO_GTT)
			*gtt += bo->base.size;
	}
	mutex_unlock(&vmd->bos_lock);
}
