// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: planted faults for the debug kernel
 *
 * A module that does, at load time, the one wrong thing that its parameter names.
 * A plain kernel lets each of them pass in silence; the debug kernel has a checker for
 * each, and the test of the test harness expects the run to be reported as failed.
 * Nothing here harms the kernel: what is read wrongly is thrown away.
 */

#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

static char *fault = "";
module_param(fault, charp, 0444);
MODULE_PARM_DESC(fault, "abba, use-after-free, sleep-in-atomic, shift, leak or race");

static DEFINE_MUTEX(lock_a);
static DEFINE_MUTEX(lock_b);
static DEFINE_SPINLOCK(spin);

/* Two locks in both orders, one order after the other: no deadlock today. */
static int plant_abba(void)
{
	mutex_lock(&lock_a);
	mutex_lock(&lock_b);
	mutex_unlock(&lock_b);
	mutex_unlock(&lock_a);

	mutex_lock(&lock_b);
	mutex_lock(&lock_a);
	mutex_unlock(&lock_a);
	mutex_unlock(&lock_b);
	return 0;
}

static int plant_use_after_free(void)
{
	int *p = kzalloc(sizeof(*p), GFP_KERNEL);
	int *stale = p;

	if (!p)
		return -ENOMEM;
	/* The compiler is not to know that both point to the same. */
	OPTIMIZER_HIDE_VAR(stale);
	kfree(p);
	(void)READ_ONCE(*stale);
	return 0;
}

static int plant_sleep_in_atomic(void)
{
	spin_lock(&spin);
	might_sleep();
	spin_unlock(&spin);
	return 0;
}

static int plant_shift(void)
{
	unsigned int bits = 40;
	int result;

	OPTIMIZER_HIDE_VAR(bits);
	result = 1 << bits;
	OPTIMIZER_HIDE_VAR(result);
	return 0;
}

/* Several, because a stale pointer on some stack may hide one from kmemleak. */
static int plant_leak(void)
{
	void *lost;
	int i;

	for (i = 0; i < 8; i++) {
		lost = kmalloc(512, GFP_KERNEL);
		OPTIMIZER_HIDE_VAR(lost);
	}
	return 0;
}

static unsigned int raced;

static void count_up(void)
{
	raced++;
	cond_resched();
}

static int count_on(void *unused)
{
	while (!kthread_should_stop())
		count_up();
	return 0;
}

/* Two threads count in one place without a lock. */
static int plant_race(void)
{
	struct task_struct *other = kthread_run(count_on, NULL, "planted_race");
	unsigned long end = jiffies + 5 * HZ;

	if (IS_ERR(other))
		return PTR_ERR(other);
	while (time_before(jiffies, end))
		count_up();
	kthread_stop(other);
	return 0;
}

static const struct {
	const char *name;
	int (*plant)(void);
} faults[] = {
	{ "abba", plant_abba },
	{ "use-after-free", plant_use_after_free },
	{ "sleep-in-atomic", plant_sleep_in_atomic },
	{ "shift", plant_shift },
	{ "leak", plant_leak },
	{ "race", plant_race },
};

static int __init planted_fault_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(faults); i++)
		if (!strcmp(fault, faults[i].name))
			return faults[i].plant();
	return -EINVAL;
}

static void __exit planted_fault_exit(void)
{
}

module_init(planted_fault_init);
module_exit(planted_fault_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Planted faults for the test harness");
