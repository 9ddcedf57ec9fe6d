// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: the hwmon of a GPU
 *
 * Tools find the sensors of a GPU by a hwmon of the name "amdgpu".  What this driver knows
 * are the two clocks.  rocm-smi 5.2.3 takes a missing temperature, power, limit of power or
 * fan for a failure and ends with an exit status for it, so those files are there and read 0,
 * which means: not measured, or not there.  It does not start at all without the label of a
 * voltage; the voltage itself is left out.
 *
 * Built on files of its own and not on the hwmon core's tables, which know no clocks.
 */
#include <linux/err.h>
#include <linux/hwmon.h>
#include <linux/hwmon-sysfs.h>
#include <linux/sysfs.h>

#include "kfd_device.h"
#include "kfd_sysfs_device.h"

#if IS_REACHABLE(CONFIG_HWMON)

#define KFD_HZ_PER_MHZ	1000000ULL
#define KFD_PWM_MAX	255

static ssize_t freq1_input_show(struct device *device, struct device_attribute *attr, char *buf)
{
	struct kfd_device *dev = dev_get_drvdata(device);

	return sysfs_emit(buf, "%llu\n", dev->hw.chip->gpu_clk_mhz * KFD_HZ_PER_MHZ);
}
static DEVICE_ATTR_RO(freq1_input);

static ssize_t freq2_input_show(struct device *device, struct device_attribute *attr, char *buf)
{
	struct kfd_device *dev = dev_get_drvdata(device);

	return sysfs_emit(buf, "%llu\n", dev->hw.chip->mem_clk_mhz * KFD_HZ_PER_MHZ);
}
static DEVICE_ATTR_RO(freq2_input);

static ssize_t label_show(struct device *device, struct device_attribute *attr, char *buf)
{
	static const char * const labels[] = { "sclk", "mclk", "edge", "vddgfx" };

	return sysfs_emit(buf, "%s\n", labels[to_sensor_dev_attr(attr)->index]);
}
static SENSOR_DEVICE_ATTR_RO(freq1_label, label, 0);
static SENSOR_DEVICE_ATTR_RO(freq2_label, label, 1);
static SENSOR_DEVICE_ATTR_RO(temp1_label, label, 2);
static SENSOR_DEVICE_ATTR_RO(in0_label, label, 3);

static ssize_t number_show(struct device *device, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", to_sensor_dev_attr(attr)->index);
}
static SENSOR_DEVICE_ATTR_RO(temp1_input, number, 0);
static SENSOR_DEVICE_ATTR_RO(power1_average, number, 0);
static SENSOR_DEVICE_ATTR_RO(power1_cap, number, 0);
static SENSOR_DEVICE_ATTR_RO(pwm1, number, 0);
static SENSOR_DEVICE_ATTR_RO(pwm1_max, number, KFD_PWM_MAX);

static struct attribute *kfd_hwmon_attrs[] = {
	&dev_attr_freq1_input.attr,
	&sensor_dev_attr_freq1_label.dev_attr.attr,
	&dev_attr_freq2_input.attr,
	&sensor_dev_attr_freq2_label.dev_attr.attr,
	&sensor_dev_attr_temp1_input.dev_attr.attr,
	&sensor_dev_attr_temp1_label.dev_attr.attr,
	&sensor_dev_attr_in0_label.dev_attr.attr,
	&sensor_dev_attr_power1_average.dev_attr.attr,
	&sensor_dev_attr_power1_cap.dev_attr.attr,
	&sensor_dev_attr_pwm1.dev_attr.attr,
	&sensor_dev_attr_pwm1_max.dev_attr.attr,
	NULL
};
ATTRIBUTE_GROUPS(kfd_hwmon);

/**
 * kfd_sysfs_hwmon_add - make the hwmon of a device
 * @dev: device
 *
 * Context: process context.
 * Return: 0 or what hwmon says.
 */
int kfd_sysfs_hwmon_add(struct kfd_device *dev)
{
	struct device *hwmon;

	hwmon = hwmon_device_register_with_groups(&dev->hw.pdev->dev, "amdgpu", dev,
						  kfd_hwmon_groups);
	if (IS_ERR(hwmon))
		return PTR_ERR(hwmon);
	dev->hwmon = hwmon;
	return 0;
}

/**
 * kfd_sysfs_hwmon_remove - the reverse; nobody reads its files when this returns
 * @dev: device
 *
 * Context: process context.
 */
void kfd_sysfs_hwmon_remove(struct kfd_device *dev)
{
	hwmon_device_unregister(dev->hwmon);
	dev->hwmon = NULL;
}

#else

int kfd_sysfs_hwmon_add(struct kfd_device *dev)
{
	return 0;
}

void kfd_sysfs_hwmon_remove(struct kfd_device *dev)
{
}

#endif
