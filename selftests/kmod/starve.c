// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: starve: choose which allocation of a task fails
 *
 * The kernel's fail-nth makes the n-th allocation of a task fail, whichever that is.  Most
 * repeat what others have shown, and a few take the kernel down, because it has no answer
 * to them itself.  This module chooses by who asks: each chain of callers fails once in one
 * run, then its next time in another, up to @times times; chains through the functions of
 * @spare never do.
 *
 * It has its say before an allocation by the lock "fs_reclaim", which lockdep takes in each
 * that may sleep, and sets the task's fail_nth to 1 if that one shall fail.  Those that may
 * not sleep have no such moment; they are found by higher numbers, counted from the last
 * one that may.
 *
 * debugfs file starve: a write of "forget" begins a sweep, of "begin" a run, which is the
 * writer's, and of "end" ends it.  A read tells of the last run: 1 or 0, whether something
 * failed, and the functions that asked for it, from the inside out.  A run without a failure
 * is the last of a sweep.
 */
#include <linux/debugfs.h>
#include <linux/jhash.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/stacktrace.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>

#define DEPTH		48
#define POINTS		16384
#define MAX_SPARED	32
/* Frames that a reader is told of. */
#define TOLD		8

static unsigned int times = 2;
module_param(times, uint, 0644);
MODULE_PARM_DESC(times, "How often in a sweep a chain of callers may fail");

static char *spare = "";
module_param(spare, charp, 0444);
MODULE_PARM_DESC(spare,
		 "Functions that get all they ask for: FROM-TO, or FROM-TO<FROM-TO if called by that one, with commas between");

/**
 * struct starve_point - a chain of callers
 * @hash: of it, not 0
 * @run: number of the run that @seen is of
 * @seen: how often it came by
 * @turn: which time it is to fail
 * @nth: which allocation from then on
 */
struct starve_point {
	u32 hash;
	u32 run;
	u32 seen;
	u32 turn;
	u32 nth;
};

/**
 * struct starve_spared - addresses of a function
 * @from: first
 * @to: behind the last
 * @by_from: the same of its caller, or 0
 * @by_to: likewise
 */
struct starve_spared {
	unsigned long from, to, by_from, by_to;
};

static struct starve_spared spared[MAX_SPARED];
static unsigned int num_spared;
static struct starve_point *points;
static unsigned int num_points;

/**
 * struct starve_run - the run, or the last one
 * @pid: whose it is, or 0
 * @number: of the run
 * @armed: what is to fail next, or NULL
 * @failed: it has failed
 * @full: there were too many chains
 * @stack: who asked for it
 * @depth: entries of @stack
 *
 * Only the task of @pid changes it during a run.
 */
static struct starve_run {
	pid_t pid;
	u32 number;
	struct starve_point *armed;
	bool failed, full;
	unsigned long stack[DEPTH];
	unsigned int depth;
} run;

static struct tracepoint *lock_tracepoint;
static struct dentry *file;

static bool in_module(unsigned long address)
{
	return address >= MODULES_VADDR && address < MODULES_END;
}

/* A module may be elsewhere when it is loaded again, but begins at a page. */
static u32 hash_stack(const unsigned long *stack, unsigned int depth)
{
	u32 hash = depth;
	unsigned int i;

	for (i = 0; i < depth; i++)
		hash = jhash_1word(in_module(stack[i]) ? offset_in_page(stack[i]) :
				   (u32)stack[i], hash);
	return hash ? hash : 1;
}

static bool within(unsigned long address, unsigned long from, unsigned long to)
{
	/* A return address is behind the call. */
	return address > from && address <= to;
}

/* The innermost function counts that is of a module or on the list. */
static bool is_spared(const unsigned long *stack, unsigned int depth)
{
	const struct starve_spared *s;
	unsigned int i;

	for (i = 0; i < depth && !in_module(stack[i]); i++)
		for (s = spared; s < spared + num_spared; s++)
			if (within(stack[i], s->from, s->to) &&
			    (!s->by_to ||
			     (i + 1 < depth && within(stack[i + 1], s->by_from, s->by_to))))
				return true;
	return false;
}

static struct starve_point *find_point(u32 hash)
{
	unsigned int i = hash % POINTS;

	while (points[i].hash && points[i].hash != hash)
		i = (i + 1) % POINTS;
	if (points[i].hash)
		return &points[i];
	if (num_points >= POINTS / 2)
		return NULL;
	num_points++;
	points[i] = (struct starve_point){ .hash = hash, .turn = 1, .nth = 1 };
	return &points[i];
}

/* What became of the last choice? */
static void settle(bool consumed)
{
	struct starve_point *point = run.armed;

	if (!point)
		return;
	if (consumed) {
		run.failed = true;
		point->nth++;
	} else {
		point->turn++;
		point->nth = 1;
	}
	run.armed = NULL;
}

static void choose(const unsigned long *stack, unsigned int depth)
{
	struct starve_point *point;

	if (is_spared(stack, depth))
		return;
	point = find_point(hash_stack(stack, depth));
	if (!point) {
		run.full = true;
		return;
	}
	if (point->run != run.number) {
		point->run = run.number;
		point->seen = 0;
	}
	if (++point->seen != point->turn || point->turn > READ_ONCE(times))
		return;
	memcpy(run.stack, stack, depth * sizeof(*stack));
	run.depth = depth;
	run.armed = point;
	current->fail_nth = point->nth;
}

/* @ip: where the allocator asked for the lock; its callers follow on the stack. */
static void on_reclaim_lock(unsigned long ip)
{
	static unsigned long stack[DEPTH];
	unsigned int depth, i;

	settle(!current->fail_nth);
	current->fail_nth = 0;
	if (run.failed)
		return;
	depth = stack_trace_save(stack, DEPTH, 0);
	for (i = 0; i < depth && stack[i] != ip; i++)
		;
	if (i < depth)
		choose(&stack[i], depth - i);
}

static void on_lock(void *unused, struct lockdep_map *lock, unsigned int subclass, int trylock,
		    int read, int check, struct lockdep_map *next, unsigned long ip)
{
	if (!in_task() || READ_ONCE(run.pid) != current->pid)
		return;
	if (lock->name && !strcmp(lock->name, "fs_reclaim"))
		on_reclaim_lock(ip);
}

/* ---- the file ---- */

/* A run whose task ended without a word died of what failed. */
static void run_end(void)
{
	bool own = run.pid == current->pid;

	settle(!own || !current->fail_nth);
	if (own)
		current->fail_nth = 0;
	WRITE_ONCE(run.pid, 0);
}

static void run_begin(void)
{
	run_end();
	run.number++;
	run.failed = false;
	run.depth = 0;
	WRITE_ONCE(run.pid, current->pid);
}

static void forget(void)
{
	run_end();
	memset(points, 0, POINTS * sizeof(*points));
	num_points = 0;
	run.full = false;
}

static ssize_t starve_write(struct file *filp, const char __user *buf, size_t size, loff_t *pos)
{
	char word[8] = "";

	if (size >= sizeof(word))
		return -EINVAL;
	if (copy_from_user(word, buf, size))
		return -EFAULT;
	if (!strcmp(word, "begin"))
		run_begin();
	else if (!strcmp(word, "end"))
		run_end();
	else if (!strcmp(word, "forget"))
		forget();
	else
		return -EINVAL;
	return size;
}

static ssize_t starve_read(struct file *filp, char __user *buf, size_t size, loff_t *pos)
{
	char *text = kzalloc(PAGE_SIZE, GFP_KERNEL);
	unsigned int i, n;
	ssize_t ret;

	if (!text)
		return -ENOMEM;
	n = scnprintf(text, PAGE_SIZE, "%d", run.full ? -1 : run.failed);
	for (i = 0; run.failed && i < run.depth && i < TOLD; i++)
		n += scnprintf(text + n, PAGE_SIZE - n, " %ps", (void *)run.stack[i]);
	n += scnprintf(text + n, PAGE_SIZE - n, "\n");
	ret = simple_read_from_buffer(buf, size, pos, text, n);
	kfree(text);
	return ret;
}

static const struct file_operations starve_fops = {
	.owner = THIS_MODULE,
	.read = starve_read,
	.write = starve_write,
	.llseek = noop_llseek,
};

/* ---- module ---- */

static int parse_spare(const char *text)
{
	while (*text) {
		struct starve_spared *s = &spared[num_spared];
		int n = 0;

		if (num_spared == MAX_SPARED)
			return -E2BIG;
		if (sscanf(text, "%lx-%lx<%lx-%lx%n", &s->from, &s->to, &s->by_from, &s->by_to,
			   &n) != 4) {
			s->by_from = 0;
			s->by_to = 0;
			if (sscanf(text, "%lx-%lx%n", &s->from, &s->to, &n) != 2)
				return -EINVAL;
		}
		num_spared++;
		text += n;
		if (*text == ',')
			text++;
		else if (*text)
			return -EINVAL;
	}
	return 0;
}

static void find_tracepoint(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, "lock_acquire"))
		lock_tracepoint = tp;
}

static int __init starve_init(void)
{
	int ret = parse_spare(spare);

	if (ret)
		return ret;
	for_each_kernel_tracepoint(find_tracepoint, NULL);
	if (!lock_tracepoint)
		return -ENODEV;
	points = kvcalloc(POINTS, sizeof(*points), GFP_KERNEL);
	if (!points)
		return -ENOMEM;
	ret = tracepoint_probe_register(lock_tracepoint, on_lock, NULL);
	if (ret) {
		kvfree(points);
		return ret;
	}
	file = debugfs_create_file("starve", 0600, NULL, NULL, &starve_fops);
	return 0;
}

static void __exit starve_exit(void)
{
	debugfs_remove(file);
	tracepoint_probe_unregister(lock_tracepoint, on_lock, NULL);
	tracepoint_synchronize_unregister();
	kvfree(points);
}

module_init(starve_init);
module_exit(starve_exit);

MODULE_DESCRIPTION("Choose which allocation of a task fails");
MODULE_LICENSE("GPL");
