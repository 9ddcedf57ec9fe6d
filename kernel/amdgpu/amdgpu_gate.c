// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: a module that exists
 *
 * Some ROCm tools look for a module called "amdgpu" before they look at the
 * devices: rocminfo 5.2.3 greps the output of lsmod, later ones and rocm-smi read
 * /sys/module/amdgpu/initstate.  This module satisfies them on a machine whose GPUs are served by
 * carillon.  It drives nothing, exports nothing and is loaded only on request.
 *
 * It cannot stand beside the real one: the kernel refuses a second module of the
 * same name.  It also refuses to load where the kfd device is missing or is not
 * carillon's, because then it would announce a driver that is not there, or hide
 * that the real one is.
 */
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/path.h>

/* Present while carillon serves the kfd device: its module and the device's topology. */
static const char * const amdgpu_gate_needs[] = {
	"/sys/module/carillon",
	"/sys/devices/virtual/kfd/kfd/topology",
};

static bool amdgpu_gate_exists(const char *name)
{
	struct path path;

	if (kern_path(name, LOOKUP_FOLLOW, &path))
		return false;
	path_put(&path);
	return true;
}

static int __init amdgpu_gate_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(amdgpu_gate_needs); i++) {
		if (amdgpu_gate_exists(amdgpu_gate_needs[i]))
			continue;
		pr_err("amdgpu: companion of carillon: %s is missing, not loaded\n",
		       amdgpu_gate_needs[i]);
		return -ENODEV;
	}
	pr_info("amdgpu: companion of carillon, drives nothing\n");
	return 0;
}

static void __exit amdgpu_gate_exit(void)
{
}

module_init(amdgpu_gate_init);
module_exit(amdgpu_gate_exit);

MODULE_DESCRIPTION("Companion of carillon for tools that look for a module of this name");
MODULE_LICENSE("GPL");
