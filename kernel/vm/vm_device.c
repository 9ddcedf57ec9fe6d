// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: memory side of one GPU: start and end
 *
 * vm_device_init() comes after the rings, vm_device_fini() after
 * drm_dev_unplug() and before the hw layer goes.  vm_device_fini() ends all DMA
 * that objects hold; the object itself ends with the last reference to the
 * drm_device, because a CPU mapping may keep a buffer object that long.
 *
 * A flush or a table update that times out may leave a translation in use for
 * ever.  The space that it was for is then kept on a list, with all its memory,
 * until vm_device_fini(): memory is held that long rather than written by an
 * engine after it went to somebody else.
 */
#include <drm/drm_managed.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/string.h>

#include "../hw/hw_device.h"
#include "vm_bo.h"
#include "vm_bo_user.h"
#include "vm_device.h"
#include "vm_space.h"

static char *vm_update_mode = "sdma";
module_param(vm_update_mode, charp, 0444);
MODULE_PARM_DESC(vm_update_mode, "who writes page tables: sdma (page ring, default) or cpu");

/**
 * vm_init - what all devices share
 *
 * Context: process context.
 * Return: 0 or -ENOMEM.
 */
int vm_init(void)
{
	return vm_bo_user_init_work();
}

/**
 * vm_exit - undo vm_init(); no object is left
 *
 * Context: process context.
 */
void vm_exit(void)
{
	vm_bo_user_fini_work();
}

static void vm_device_release(struct drm_device *drm, void *data)
{
	struct vm_device *vmd = data;

	WARN_ON(!list_empty(&vmd->bos));
	WARN_ON(atomic64_read(&vmd->count.spaces));
	vm_vram_fini(&vmd->vram);
	mutex_destroy(&vmd->bos_lock);
}

static int vm_device_mode(struct vm_device *vmd)
{
	if (!strcmp(vm_update_mode, "sdma"))
		vmd->sdma_updates = true;
	else if (!strcmp(vm_update_mode, "cpu"))
		vmd->sdma_updates = false;
	else
		return -EINVAL;
	return 0;
}

/**
 * vm_device_init - start the memory side
 * @vmd: zeroed, embedded in the object that @drm is embedded in
 * @hw: initialised device
 * @sdma: initialised rings
 * @drm: DRM device, not yet registered
 *
 * The VRAM manager ends by itself with the last reference to @drm.
 *
 * Context: process context.
 * Return: 0, -EINVAL (parameter vm_update_mode), -ENODEV or -ENOMEM.
 */
int vm_device_init(struct vm_device *vmd, struct hw_device *hw, struct sdma_device *sdma,
		   struct drm_device *drm)
{
	int ret;

	vmd->hw = hw;
	vmd->sdma = sdma;
	vmd->drm = drm;
	vmd->gtt_limit = (u64)totalram_pages() << (PAGE_SHIFT - 1);
	INIT_LIST_HEAD(&vmd->bos);
	INIT_LIST_HEAD(&vmd->stuck);
	ret = vm_device_mode(vmd);
	if (ret) {
		dev_err(drm->dev, "vm_update_mode=%s: want sdma or cpu\n", vm_update_mode);
		return ret;
	}
	ret = vm_vram_init(&vmd->vram, hw);
	if (ret)
		return ret;
	mutex_init(&vmd->bos_lock);
	vm_space_prime_lockdep();
	vm_bo_user_prime_lockdep();
	return drmm_add_action_or_reset(drm, vm_device_release, vmd);
}

/**
 * vm_device_fini - stop touching the hardware
 * @vmd: device; drm_dev_unplug() has returned and all queues are stopped
 *
 * Withdraws all CPU mappings (the next access gets SIGBUS), ends all DMA mappings
 * and lets go of the spaces that were kept because of a time-out.  Objects and
 * spaces stay usable for their holders, without effect.
 *
 * Context: process context.
 */
void vm_device_fini(struct vm_device *vmd)
{
	unmap_mapping_range(vmd->drm->anon_inode->i_mapping, 0, 0, 1);
	vm_bo_detach_all(vmd);
	vm_space_free_stuck(vmd);
	/* Objects that are still held do not show their contents any more. */
	hw_vram_forget(vmd->hw, 0, vmd->vram.mm.size);
}

/**
 * vm_device_flush - make the engines forget translations
 * @vmd: device
 * @vmid: VMID; 0 does nothing
 *
 * Context: process context and the MMU notifier; bounded, allocates nothing.
 * Return: 0, -ETIMEDOUT (an engine may still use what it knew), or -ENODEV (the
 * function is gone; nothing is in use).
 */
int vm_device_flush(struct vm_device *vmd, unsigned int vmid)
{
	int idx, ret;

	if (!vmid)
		return 0;
	if (!vm_device_enter(vmd, &idx))
		return -ENODEV;
	ret = hw_hub_flush(vmd->hw, BIT(vmid));
	vm_device_exit(idx);
	return ret;
}

/**
 * vm_device_stats - counters, for debugfs
 * @vmd: device
 * @out: filled; each value is exact, they are not taken at one instant
 *
 * Context: any.
 */
void vm_device_stats(struct vm_device *vmd, struct vm_stats *out)
{
	const struct vm_counters *c = &vmd->count;

	out->spaces = atomic64_read(&c->spaces);
	out->table_pages = atomic64_read(&c->table_pages);
	out->bos_vram = atomic64_read(&c->bos_vram);
	out->bos_gtt = atomic64_read(&c->bos_gtt);
	out->bos_user = atomic64_read(&c->bos_user);
	out->vram_bytes = atomic64_read(&c->vram_bytes);
	out->gtt_bytes = atomic64_read(&c->gtt_bytes);
	out->user_pages = atomic64_read(&c->user_pages);
	out->mappings = atomic64_read(&c->mappings);
}

/**
 * vm_vram_size - VRAM that objects can have together on an empty device
 * @vmd: device
 *
 * Context: any.
 * Return: bytes.
 */
u64 vm_vram_size(struct vm_device *vmd)
{
	return vmd->vram.mm.size - vmd->vram.for_tables;
}
