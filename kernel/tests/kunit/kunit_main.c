// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: the module of the KUnit suites
 *
 * Starts the driver as its own module would, then runs the suites, still inside of
 * insmod; GPUs are made by the suites (kunit_gpu.h).  KUnit's own way would run them
 * before the driver starts.  The results stay in debugfs until the module goes.
 */
#include <linux/module.h>
#include <linux/sched/mm.h>

#include "../../vgpu/vgpu_device.h"
#include "kunit_gpu.h"

int carillon_driver_init(void);
void carillon_driver_exit(void);

bool kunit_planted;
module_param_named(planted, kunit_planted, bool, 0444);
MODULE_PARM_DESC(planted, "let one case fail, to prove that it is noticed");

struct mm_struct *kunit_mm;

/* One for each file NAME_kunit.c. */
extern struct kunit_suite kunit_suite, hw_suite, irq_suite, fence_suite, sdma_suite,
	vm_suite, topology_suite, kfd_suite, vgpu_suite, pure_suite;

static struct kunit_suite *kunit_all[] = {
	&kunit_suite,
	&hw_suite,
	&irq_suite,
	&fence_suite,
	&sdma_suite,
	&vm_suite,
	&topology_suite,
	&kfd_suite,
	&vgpu_suite,
	&pure_suite,
};

static int __init carillon_kunit_init(void)
{
	int ret = carillon_driver_init();

	if (ret)
		return ret;
	vgpu_debugfs_init();
	kunit_mm = current->mm;
	mmget(kunit_mm);
	return __kunit_test_suites_init(kunit_all, ARRAY_SIZE(kunit_all));
}

static void __exit carillon_kunit_exit(void)
{
	__kunit_test_suites_exit(kunit_all, ARRAY_SIZE(kunit_all));
	mmput(kunit_mm);
	vgpu_debugfs_exit();
	carillon_driver_exit();
}

module_init(carillon_kunit_init);
module_exit(carillon_kunit_exit);
MODULE_DESCRIPTION("KUnit suites of the GPU driver and of its model");
MODULE_LICENSE("GPL");
