// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: files of a GPU that tools read
 *
 * In the folder of the PCI function, which is /sys/class/drm/cardN/device, with the names
 * and formats of amdgpu.  Documentation/tools.rst lists them, with what is left out.
 *
 * A value is what the driver counts, what the hardware says, or a fact of the chip.  What
 * nobody measures has no file, but for the few that rocm-smi cannot do without.
 *
 * The files exist between the end of probe and the beginning of remove.
 */
#include <drm/drm_drv.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/sysfs.h>

#include "kfd_device.h"
#include "kfd_sysfs_device.h"
#include "vm/vm.h"

/* gpu_busy_percent looks so many times, this far apart. */
#define KFD_BUSY_LOOKS		20
#define KFD_BUSY_PERIOD_US	500

/* ---- memory ---- */

/**
 * struct kfd_memory_attribute - a file with a number of bytes
 * @attr: the file
 * @offset: of the value in &struct vm_memory
 */
struct kfd_memory_attribute {
	struct device_attribute attr;
	size_t offset;
};

static ssize_t memory_show(struct device *device, struct device_attribute *attr, char *buf)
{
	const struct kfd_memory_attribute *file =
		container_of(attr, struct kfd_memory_attribute, attr);
	struct kfd_device *dev = dev_get_drvdata(device);
	struct vm_memory memory;

	vm_device_memory(&dev->vm, &memory);
	return sysfs_emit(buf, "%llu\n", *(u64 *)((u8 *)&memory + file->offset));
}

#define KFD_MEMORY_FILE(name, member)						\
	static struct kfd_memory_attribute name = {				\
		.attr = __ATTR(name, 0444, memory_show, NULL),			\
		.offset = offsetof(struct vm_memory, member),			\
	}

KFD_MEMORY_FILE(mem_info_vram_total, vram_total);
KFD_MEMORY_FILE(mem_info_vram_used, vram_used);
KFD_MEMORY_FILE(mem_info_vis_vram_total, visible_total);
KFD_MEMORY_FILE(mem_info_vis_vram_used, visible_used);
KFD_MEMORY_FILE(mem_info_gtt_total, gtt_total);
KFD_MEMORY_FILE(mem_info_gtt_used, gtt_used);

/* ---- use ---- */

static bool device_is_busy(struct kfd_device *dev)
{
	bool busy;
	int idx;

	if (!drm_dev_enter(&dev->drm, &idx))
		return false;
	busy = sdma_is_busy(&dev->sdma);
	drm_dev_exit(idx);
	return busy;
}

/* The reader pays for the measurement: nothing runs for it while nobody asks. */
static ssize_t gpu_busy_percent_show(struct device *device, struct device_attribute *attr,
				     char *buf)
{
	struct kfd_device *dev = dev_get_drvdata(device);
	unsigned int i, busy = 0;

	for (i = 0; i < KFD_BUSY_LOOKS; i++) {
		if (i)
			usleep_range(KFD_BUSY_PERIOD_US, 2 * KFD_BUSY_PERIOD_US);
		busy += device_is_busy(dev);
	}
	return sysfs_emit(buf, "%u\n", busy * 100 / KFD_BUSY_LOOKS);
}
static DEVICE_ATTR_RO(gpu_busy_percent);

/* ---- clocks: there is one level of each ---- */

static ssize_t pp_dpm_sclk_show(struct device *device, struct device_attribute *attr, char *buf)
{
	struct kfd_device *dev = dev_get_drvdata(device);

	return sysfs_emit(buf, "0: %uMhz *\n", dev->hw.chip->gpu_clk_mhz);
}
static DEVICE_ATTR_RO(pp_dpm_sclk);

static ssize_t pp_dpm_mclk_show(struct device *device, struct device_attribute *attr, char *buf)
{
	struct kfd_device *dev = dev_get_drvdata(device);

	return sysfs_emit(buf, "0: %uMhz *\n", dev->hw.chip->mem_clk_mhz);
}
static DEVICE_ATTR_RO(pp_dpm_mclk);

/* Read only: no other level could be set. */
static ssize_t power_dpm_force_performance_level_show(struct device *device,
						      struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "auto\n");
}
static DEVICE_ATTR_RO(power_dpm_force_performance_level);

/* ---- identity ---- */

/* No ROM is read.  rocm-smi takes what follows the first hyphen apart and needs one. */
static ssize_t vbios_version_show(struct device *device, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "000-000000-000\n");
}
static DEVICE_ATTR_RO(vbios_version);

static ssize_t unique_id_show(struct device *device, struct device_attribute *attr, char *buf)
{
	struct kfd_device *dev = dev_get_drvdata(device);

	return sysfs_emit(buf, "%016llx\n", dev->hw.unique_id);
}
static DEVICE_ATTR_RO(unique_id);

static struct attribute *kfd_device_attrs[] = {
	&mem_info_vram_total.attr.attr,
	&mem_info_vram_used.attr.attr,
	&mem_info_vis_vram_total.attr.attr,
	&mem_info_vis_vram_used.attr.attr,
	&mem_info_gtt_total.attr.attr,
	&mem_info_gtt_used.attr.attr,
	&dev_attr_gpu_busy_percent.attr,
	&dev_attr_pp_dpm_sclk.attr,
	&dev_attr_pp_dpm_mclk.attr,
	&dev_attr_power_dpm_force_performance_level.attr,
	&dev_attr_vbios_version.attr,
	&dev_attr_unique_id.attr,
	NULL
};

/* A function without a serial number has no file for it. */
static umode_t device_attr_is_visible(struct kobject *kobj, struct attribute *attr, int index)
{
	struct kfd_device *dev = dev_get_drvdata(kobj_to_dev(kobj));

	if (attr == &dev_attr_unique_id.attr && !dev->hw.unique_id)
		return 0;
	return attr->mode;
}

static const struct attribute_group kfd_device_group = {
	.attrs = kfd_device_attrs,
	.is_visible = device_attr_is_visible,
};

const struct attribute_group *kfd_sysfs_device_groups[] = { &kfd_device_group, NULL };
