/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: memory side of one GPU
 *
 * &struct vm_device ties the hardware, the SDMA rings, the DRM device and the VRAM
 * manager together.  It is embedded by the owner of the drm_device and lives as
 * long as that: buffer objects that a CPU mapping keeps alive may be freed long
 * after the PCI function went away.
 *
 * Every access to the hardware is made between vm_device_enter() and
 * vm_device_exit(), which are drm_dev_enter() and drm_dev_exit(): once
 * drm_dev_unplug() has returned, nothing here touches a register or VRAM.
 */
#ifndef CARILLON_VM_DEVICE_H
#define CARILLON_VM_DEVICE_H

#include <drm/drm_device.h>
#include <drm/drm_drv.h>
#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/mutex.h>

#include "vm.h"
#include "vm_vram.h"

/* User VAs of the GPU: the lower canonical half of 48 bits, page 0 left out. */
#define VM_VA_START	0x1000ULL
#define VM_VA_END	BIT_ULL(47)

/**
 * struct vm_counters - what debugfs shows; all return to where they were
 * @spaces: address spaces
 * @table_pages: pages of page tables, root included
 * @bos_vram: VRAM objects
 * @bos_gtt: GTT objects
 * @bos_user: user-page objects
 * @vram_bytes: bytes of VRAM objects, without tables
 * @gtt_bytes: bytes of GTT objects; pages of a peer object count with their owner
 * @user_pages: user pages that are mapped for DMA at this moment
 * @mappings: mappings in all spaces
 */
struct vm_counters {
	atomic64_t spaces;
	atomic64_t table_pages;
	atomic64_t bos_vram;
	atomic64_t bos_gtt;
	atomic64_t bos_user;
	atomic64_t vram_bytes;
	atomic64_t gtt_bytes;
	atomic64_t user_pages;
	atomic64_t mappings;
};

/**
 * struct vm_device - memory side of one GPU
 * @hw: the PCI function; use only between vm_device_enter() and vm_device_exit()
 * @sdma: the rings, under the same rule
 * @drm: the DRM device; its anonymous inode carries all CPU mappings
 * @vram: who owns which part of VRAM
 * @count: see &struct vm_counters
 * @gtt_limit: bytes of GTT objects that this device may hold
 * @sdma_updates: page tables are written by the page ring where that is possible
 * @bos_lock: protects @bos and @stuck; no allocation under it
 * @bos: all buffer objects
 * @stuck: spaces whose update or flush timed out; their memory is kept until the
 *	device goes, because an engine may still reach it
 */
struct vm_device {
	struct hw_device *hw;
	struct sdma_device *sdma;
	struct drm_device *drm;
	struct vm_vram vram;
	struct vm_counters count;
	u64 gtt_limit;
	bool sdma_updates;
	struct mutex bos_lock;
	struct list_head bos;
	struct list_head stuck;
};

static inline bool vm_device_enter(struct vm_device *vmd, int *idx)
{
	return drm_dev_enter(vmd->drm, idx);
}

static inline void vm_device_exit(int idx)
{
	drm_dev_exit(idx);
}

/* Forget the translations of @vmid.  0, -ETIMEDOUT, or -ENODEV (gone: nothing is in use). */
int vm_device_flush(struct vm_device *vmd, unsigned int vmid);

#endif /* CARILLON_VM_DEVICE_H */
