// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: planted warning
 *
 * A module whose only purpose is to complain: the parameter chooses a warning
 * or an oops at load time. The test of the test harness loads it in a VM and
 * expects the run to be reported as failed; no other test loads it.
 */

#include <linux/bug.h>
#include <linux/module.h>

static bool oops;
module_param(oops, bool, 0444);
MODULE_PARM_DESC(oops, "follow a null pointer instead of warning");

static int __init planted_warn_init(void)
{
	static int *volatile nowhere;

	if (oops)
		return *nowhere;
	WARN(1, "planted warning\n");
	return 0;
}

static void __exit planted_warn_exit(void)
{
}

module_init(planted_warn_init);
module_exit(planted_warn_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Planted warning for the test harness");
