// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: the DRM nodes
 *
 * What libdrm_amdgpu asks before it knows a card: the version, and three
 * AMDGPU_INFO queries; and four about memory, for tools.  Everything else that
 * amdgpu offers there is refused with the errno that amdgpu gives for an unknown
 * request.  Memory is allocated through /dev/kfd and only mapped here.
 *
 * Major version 3 is what libdrm_amdgpu insists on; minor 0 promises none of what
 * came later.  The name is ours, so that graphics stacks leave the card alone; the
 * parameter drm_name lends it amdgpu's for tools that look for that.
 *
 * Not done: command submission, contexts, GEM handles (hence no PRIME), sync objects (there
 * is nothing that could signal one), modes.
 */
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_ioctl.h>
#include <linux/atomic.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <uapi/drm/amdgpu_drm.h>

#include "hw/regs/gc_9_0_regs.h"
#include "kfd_device.h"
#include "kfd_drm.h"

#define KFD_DRM_MAJOR		3
#define KFD_DRM_MINOR		0
#define KFD_DRM_DATE		"20230101"
/* Registers that one query may ask for; amdgpu has the same limit. */
#define KFD_DRM_MAX_REGS	128

static char kfd_drm_name[16] = "carillon";
module_param_string(drm_name, kfd_drm_name, sizeof(kfd_drm_name), 0444);
MODULE_PARM_DESC(drm_name, "name of the DRM driver: carillon (default) or amdgpu");

/* Number of the last file that was opened, of all devices. */
static atomic64_t kfd_drm_files = ATOMIC64_INIT(0);

static const char * const kfd_drm_names[] = { "carillon", "amdgpu" };

/**
 * struct kfd_drm_file - one open DRM node
 * @lock: protects @vm
 * @vm: address space that a KFD process bound to it, referenced, or NULL
 * @id: its number, never used again
 */
struct kfd_drm_file {
	struct mutex lock;
	struct vm_space *vm;
	u64 id;
};

/**
 * kfd_drm_check_name - is the parameter drm_name one that we know?
 *
 * Context: process context.
 * Return: 0 or -EINVAL.
 */
int kfd_drm_check_name(void)
{
	if (match_string(kfd_drm_names, ARRAY_SIZE(kfd_drm_names), kfd_drm_name) >= 0)
		return 0;
	pr_err("drm_name=%s: want carillon or amdgpu\n", kfd_drm_name);
	return -EINVAL;
}

/* ---- queries ---- */

static int kfd_drm_reply(const struct drm_amdgpu_info *info, const void *value, size_t size)
{
	void __user *out = u64_to_user_ptr(info->return_pointer);

	return copy_to_user(out, value, min_t(size_t, info->return_size, size)) ? -EFAULT : 0;
}

static int kfd_drm_info_accel(struct kfd_device *dev, const struct drm_amdgpu_info *info)
{
	u32 working = !READ_ONCE(dev->hw.lost);

	return kfd_drm_reply(info, &working, sizeof(working));
}

static void kfd_drm_fill_shader(const struct hw_device *hw, struct drm_amdgpu_info_device *out)
{
	const unsigned int rows = ARRAY_SIZE(out->cu_bitmap), cols = ARRAY_SIZE(*out->cu_bitmap);
	const struct hw_chip *chip = hw->chip;
	unsigned int se;

	out->num_shader_engines = chip->shader_engines;
	out->num_shader_arrays_per_engine = chip->arrays_per_engine;
	out->num_cu_per_sh = chip->cu_per_array;
	out->cu_active_number = hw->cu_count;
	out->wave_front_size = chip->wave_size;
	/* Of more engines than it has rows, with one array each, the next four fill column 1. */
	for (se = 0; se < min_t(u32, chip->shader_engines, rows * cols); se++)
		out->cu_bitmap[se % rows][se / rows] = hw->cu_active[se];
}

/* Only the lower canonical half: what vm_space_map() takes. */
static void kfd_drm_fill_memory(const struct hw_device *hw, struct drm_amdgpu_info_device *out)
{
	out->virtual_address_offset = VM_VA_START;
	out->virtual_address_max = VM_VA_END;
	out->virtual_address_alignment = PAGE_SIZE;
	out->pte_fragment_size = VM_BIG_SIZE;
	out->gart_page_size = PAGE_SIZE;
	out->vram_type = AMDGPU_VRAM_TYPE_HBM;
	out->vram_bit_width = hw->chip->vram_width;
}

static void kfd_drm_fill_device(struct kfd_device *dev, struct drm_amdgpu_info_device *out)
{
	const struct hw_device *hw = &dev->hw;
	const struct hw_chip *chip = hw->chip;

	out->device_id = hw->pdev->device;
	out->pci_rev = hw->pdev->revision;
	out->chip_rev = hw->rev_id;
	out->external_rev = chip->external_rev_base + hw->rev_id;
	out->family = chip->family;
	out->gpu_counter_freq = chip->clock_khz;
	out->max_engine_clock = chip->gpu_clk_mhz * 1000;
	out->max_memory_clock = chip->mem_clk_mhz * 1000;
	kfd_drm_fill_shader(hw, out);
	kfd_drm_fill_memory(hw, out);
}

static int kfd_drm_info_device(struct kfd_device *dev, const struct drm_amdgpu_info *info)
{
	struct drm_amdgpu_info_device *out;
	int ret;

	out = kzalloc(sizeof(*out), GFP_KERNEL);
	if (!out)
		return -ENOMEM;
	kfd_drm_fill_device(dev, out);
	ret = kfd_drm_reply(info, out, sizeof(*out));
	kfree(out);
	return ret;
}

/* 0xff is "all of them"; the one register on the list is the same in all. */
static bool kfd_drm_instance_ok(u32 instance)
{
	u32 se = (instance >> AMDGPU_INFO_MMR_SE_INDEX_SHIFT) & AMDGPU_INFO_MMR_SE_INDEX_MASK;
	u32 sh = (instance >> AMDGPU_INFO_MMR_SH_INDEX_SHIFT) & AMDGPU_INFO_MMR_SH_INDEX_MASK;

	return (se == AMDGPU_INFO_MMR_SE_INDEX_MASK || se < 4) &&
	       (sh == AMDGPU_INFO_MMR_SH_INDEX_MASK || sh < 2);
}

/* What a client may read: the layout of memory, and whether the graphics engine works. */
static bool kfd_drm_reg_allowed(u32 dword)
{
	return dword == GC9_GB_ADDR_CONFIG / 4 || dword == GC9_GRBM_STATUS / 4;
}

/* User memory is not touched inside: a fault there could keep the device from going. */
static int kfd_drm_read_reg(struct kfd_device *dev, u32 reg, u32 *value)
{
	int idx;

	if (!drm_dev_enter(&dev->drm, &idx))
		return -ENODEV;
	*value = hw_read(&dev->hw, reg);
	drm_dev_exit(idx);
	return 0;
}

static int kfd_drm_info_reg(struct kfd_device *dev, const struct drm_amdgpu_info *info)
{
	u32 value, i, first = info->read_mmr_reg.dword_offset, count = info->read_mmr_reg.count;
	int ret;

	if (!kfd_drm_instance_ok(info->read_mmr_reg.instance) || count > KFD_DRM_MAX_REGS)
		return -EINVAL;
	for (i = 0; i < count; i++) {
		if (!kfd_drm_reg_allowed(first + i))
			return -EFAULT;
	}
	if (!count)
		return 0;
	/* No two of them are neighbours: it is one. */
	ret = kfd_drm_read_reg(dev, first * 4, &value);
	return ret ? ret : kfd_drm_reply(info, &value, sizeof(value));
}

static int kfd_drm_info_sizes(struct kfd_device *dev, const struct drm_amdgpu_info *info)
{
	struct drm_amdgpu_info_vram_gtt out = { };
	struct vm_memory memory;

	vm_device_memory(&dev->vm, &memory);
	out.vram_size = memory.vram_total;
	out.vram_cpu_accessible_size = memory.visible_total;
	out.gtt_size = memory.gtt_total;
	return kfd_drm_reply(info, &out, sizeof(out));
}

static int kfd_drm_info_usage(struct kfd_device *dev, const struct drm_amdgpu_info *info)
{
	struct vm_memory memory;
	u64 used;

	vm_device_memory(&dev->vm, &memory);
	if (info->query == AMDGPU_INFO_VRAM_USAGE)
		used = memory.vram_used;
	else if (info->query == AMDGPU_INFO_VIS_VRAM_USAGE)
		used = memory.visible_used;
	else
		used = memory.gtt_used;
	return kfd_drm_reply(info, &used, sizeof(used));
}

static int kfd_drm_info(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct kfd_device *dev = kfd_device_of(drm);
	const struct drm_amdgpu_info *info = data;

	if (!info->return_size || !info->return_pointer)
		return -EINVAL;
	switch (info->query) {
	case AMDGPU_INFO_ACCEL_WORKING:
		return kfd_drm_info_accel(dev, info);
	case AMDGPU_INFO_DEV_INFO:
		return kfd_drm_info_device(dev, info);
	case AMDGPU_INFO_READ_MMR_REG:
		return kfd_drm_info_reg(dev, info);
	case AMDGPU_INFO_VRAM_GTT:
		return kfd_drm_info_sizes(dev, info);
	case AMDGPU_INFO_VRAM_USAGE:
	case AMDGPU_INFO_VIS_VRAM_USAGE:
	case AMDGPU_INFO_GTT_USAGE:
		return kfd_drm_info_usage(dev, info);
	default:
		return -EINVAL;
	}
}

static const struct drm_ioctl_desc kfd_drm_ioctls[] = {
	DRM_IOCTL_DEF_DRV(AMDGPU_INFO, kfd_drm_info, DRM_AUTH | DRM_RENDER_ALLOW),
};

/* ---- open files ---- */

static int kfd_drm_open(struct drm_device *drm, struct drm_file *file)
{
	struct kfd_drm_file *kfile = kzalloc(sizeof(*kfile), HW_GFP_USER);

	if (!kfile)
		return -ENOMEM;
	mutex_init(&kfile->lock);
	kfile->id = atomic64_inc_return(&kfd_drm_files);
	file->driver_priv = kfile;
	return 0;
}

static void kfd_drm_postclose(struct drm_device *drm, struct drm_file *file)
{
	struct kfd_drm_file *kfile = file->driver_priv;

	vm_space_put(kfile->vm);
	mutex_destroy(&kfile->lock);
	kfree(kfile);
}

/*
 * /proc/PID/fdinfo/FD, as Documentation/gpu/drm-usage-stats.rst of the kernel has it.  There
 * are no drm-engine-* keys: nobody counts how long an engine worked for whom.
 */
static void kfd_drm_show_fdinfo(struct seq_file *m, struct file *filp)
{
	struct drm_file *file = filp->private_data;
	struct drm_device *drm = file->minor->dev;
	const struct kfd_drm_file *kfile = file->driver_priv;
	u64 vram, gtt;

	vm_file_memory(&kfd_device_of(drm)->vm, file, &vram, &gtt);
	seq_printf(m, "drm-driver:\t%s\n", drm->driver->name);
	seq_printf(m, "drm-pdev:\t%s\n", pci_name(to_pci_dev(drm->dev)));
	seq_printf(m, "drm-client-id:\t%llu\n", kfile->id);
	seq_printf(m, "drm-memory-vram:\t%llu KiB\n", vram >> 10);
	seq_printf(m, "drm-memory-gtt:\t%llu KiB\n", gtt >> 10);
}

static const struct file_operations kfd_drm_fops = {
	.owner = THIS_MODULE,
	DRM_GEM_FOPS,
	.show_fdinfo = kfd_drm_show_fdinfo,
};

const struct drm_driver kfd_drm_driver = {
	.driver_features = DRIVER_GEM | DRIVER_RENDER,
	.open = kfd_drm_open,
	.postclose = kfd_drm_postclose,
	.ioctls = kfd_drm_ioctls,
	.num_ioctls = ARRAY_SIZE(kfd_drm_ioctls),
	.fops = &kfd_drm_fops,
	.name = kfd_drm_name,
	.desc = "Carillon AMD GPU",
	.date = KFD_DRM_DATE,
	.major = KFD_DRM_MAJOR,
	.minor = KFD_DRM_MINOR,
};

/* The file, if it is an open DRM node of this device. */
static struct drm_file *kfd_drm_file_of(struct file *filp, struct kfd_device *dev)
{
	struct drm_file *file;

	if (filp->f_op != &kfd_drm_fops)
		return NULL;
	file = filp->private_data;
	return !dev || file->minor->dev == &dev->drm ? file : NULL;
}

/**
 * kfd_drm_file_bind - bind a new address space to an open DRM file
 * @filp: any file; the caller holds it
 * @dev: device that it must be of
 *
 * Context: process context, allocates.
 * Return: referenced space, or ERR_PTR(-EINVAL): not an open node of @dev, or bound
 * already; -ENOMEM; -ENODEV.
 */
struct vm_space *kfd_drm_file_bind(struct file *filp, struct kfd_device *dev)
{
	struct drm_file *file = kfd_drm_file_of(filp, dev);
	struct kfd_drm_file *kfile;
	struct vm_space *vm;

	if (!file)
		return ERR_PTR(-EINVAL);
	kfile = file->driver_priv;
	mutex_lock(&kfile->lock);
	if (kfile->vm) {
		vm = ERR_PTR(-EINVAL);
	} else {
		vm = vm_space_create(&dev->vm);
		if (!IS_ERR(vm)) {
			vm_space_get(vm);
			kfile->vm = vm;
		}
	}
	mutex_unlock(&kfile->lock);
	return vm;
}

/**
 * kfd_drm_file_unbind - undo kfd_drm_file_bind()
 * @filp: file that it was given
 *
 * The caller's reference to the space is its own to drop.
 *
 * Context: process context.
 */
void kfd_drm_file_unbind(struct file *filp)
{
	struct drm_file *file = kfd_drm_file_of(filp, NULL);
	struct kfd_drm_file *kfile;
	struct vm_space *vm;

	if (WARN_ON(!file))
		return;
	kfile = file->driver_priv;
	mutex_lock(&kfile->lock);
	vm = kfile->vm;
	kfile->vm = NULL;
	mutex_unlock(&kfile->lock);
	vm_space_put(vm);
}

/**
 * kfd_drm_file_allow - let an open DRM file, and no other, map an object
 * @filp: the file; stays open as long as the object
 * @bo: VRAM or GTT object
 *
 * Context: process context.
 * Return: 0, -EINVAL (not an open node of the object's device), -EBUSY or -ENOMEM.
 */
int kfd_drm_file_allow(struct file *filp, struct vm_bo *bo)
{
	struct drm_file *file = kfd_drm_file_of(filp, kfd_device_of(bo->base.dev));

	return file ? vm_bo_allow(bo, file) : -EINVAL;
}
