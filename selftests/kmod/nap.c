// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: nap: let a test VM sleep, and wake it up
 *
 * The file system that a test VM shares with its host (9p over virtio) does not survive
 * a sleep: its driver cannot set its queues up again.  So virtio functions are left out
 * of it.  All others sleep.
 *
 * A VM has no button.  If @wake_ms is not 0, a timer wakes it so long after it began to go
 * to sleep; if that comes too early, the sleep is called off with EBUSY.
 */
#include <linux/device.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/pci.h>
#include <linux/suspend.h>
#include <linux/timer.h>

static unsigned int wake_ms;
module_param(wake_ms, uint, 0644);
MODULE_PARM_DESC(wake_ms, "Milliseconds from going to sleep to waking up; 0: somebody else does");

static void nap_wake(struct timer_list *timer)
{
	pm_system_wakeup();
}

static DEFINE_TIMER(nap_timer, nap_wake);

static int nap_notify(struct notifier_block *block, unsigned long event, void *unused)
{
	unsigned int ms = READ_ONCE(wake_ms);

	if (event == PM_SUSPEND_PREPARE && ms)
		mod_timer(&nap_timer, jiffies + msecs_to_jiffies(ms));
	else if (event == PM_POST_SUSPEND)
		del_timer_sync(&nap_timer);
	return NOTIFY_DONE;
}

static struct notifier_block nap_block = {
	.notifier_call = nap_notify,
};

static void nap_spare_virtio(bool on)
{
	struct pci_dev *pdev = NULL;

	while ((pdev = pci_get_device(PCI_VENDOR_ID_REDHAT_QUMRANET, PCI_ANY_ID, pdev)))
		dev_pm_syscore_device(&pdev->dev, on);
}

static int __init nap_init(void)
{
	int ret = register_pm_notifier(&nap_block);

	if (!ret)
		nap_spare_virtio(true);
	return ret;
}

static void __exit nap_exit(void)
{
	nap_spare_virtio(false);
	unregister_pm_notifier(&nap_block);
	del_timer_sync(&nap_timer);
}

module_init(nap_init);
module_exit(nap_exit);

MODULE_DESCRIPTION("Let a test VM sleep, and wake it up");
MODULE_LICENSE("GPL");
