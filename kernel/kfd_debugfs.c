// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: debugfs
 *
 * /sys/kernel/debug/carillon/:
 *
 * - counts: "name value" for each kind of object that must return to where it was
 * - waiters: "pid tid id..." for each WAIT_EVENTS in progress
 * - processes: what each process stored, "key value" pairs
 * - PCI-NAME/rings, queues, irq, vmids, power: state of one device
 * - PCI-NAME/sched: who waits for hardware, and what each queue got (kfd_queue_sched.c)
 * - PCI-NAME/ring_dump: the packets in the kernel rings (sdma_dump.c)
 * - PCI-NAME/registers: those of the SDMA instances by name
 * - PCI-NAME/sdma_test: write "copy SIZE", "fill SIZE", "pte COUNT" or "vm JOBS",
 *   read the result
 * - PCI-NAME/bench: write "pte ROUNDS" or "pte-busy ROUNDS", read the result
 *
 * Writing "stop PID QUEUE" or "start PID QUEUE" to queues counts or takes back one
 * debug stop of that queue.
 *
 * Directories of devices are removed before the device is; debugfs waits for readers.
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>

#include "irq/irq.h"
#include "kfd_debugfs.h"
#include "kfd_device.h"
#include "kfd_process.h"
#include "sdma/sdma.h"
#include "sdma/sdma_test.h"
#include "vm/vm.h"
#include "vm/vm_job_test.h"

#define KFD_DEBUGFS_COMMAND	64

atomic_t kfd_counts[KFD_COUNTS];

static const char *const kfd_count_names[KFD_COUNTS] = {
	[KFD_COUNT_PROCESSES] = "processes",
	[KFD_COUNT_PASIDS] = "pasids",
	[KFD_COUNT_VMIDS] = "vmids",
	[KFD_COUNT_QUEUES] = "queues",
	[KFD_COUNT_SLOTS] = "hw_slots",
	[KFD_COUNT_DOORBELL_SLICES] = "doorbell_slices",
	[KFD_COUNT_EVENTS] = "events",
	[KFD_COUNT_WAITERS] = "waiters",
	[KFD_COUNT_BUFFERS] = "buffers",
	[KFD_COUNT_BUFFER_MAPPINGS] = "buffer_mappings",
	[KFD_COUNT_SMI_CLIENTS] = "smi_clients",
};

static struct dentry *kfd_debugfs_root;

/* ---- the whole driver ---- */

static void add_stats_locked(struct vm_stats *sum)
{
	struct kfd_device *dev;
	struct vm_stats one;

	lockdep_assert_held(&kfd_registry.lock);

	list_for_each_entry(dev, &kfd_registry.devices, link) {
		vm_device_stats(&dev->vm, &one);
		sum->spaces += one.spaces;
		sum->table_pages += one.table_pages;
		sum->bos_vram += one.bos_vram;
		sum->bos_gtt += one.bos_gtt;
		sum->bos_user += one.bos_user;
		sum->vram_bytes += one.vram_bytes;
		sum->gtt_bytes += one.gtt_bytes;
		sum->user_pages += one.user_pages;
		sum->mappings += one.mappings;
	}
}

static int counts_show(struct seq_file *m, void *unused)
{
	struct vm_stats sum = { };
	unsigned int i;

	for (i = 0; i < KFD_COUNTS; i++)
		seq_printf(m, "%s %d\n", kfd_count_names[i], atomic_read(&kfd_counts[i]));
	mutex_lock(&kfd_registry.lock);
	add_stats_locked(&sum);
	mutex_unlock(&kfd_registry.lock);
	seq_printf(m, "vm_spaces %llu\n", sum.spaces);
	seq_printf(m, "vm_table_pages %llu\n", sum.table_pages);
	seq_printf(m, "vm_bos_vram %llu\n", sum.bos_vram);
	seq_printf(m, "vm_bos_gtt %llu\n", sum.bos_gtt);
	seq_printf(m, "vm_bos_user %llu\n", sum.bos_user);
	seq_printf(m, "vm_vram_bytes %llu\n", sum.vram_bytes);
	seq_printf(m, "vm_gtt_bytes %llu\n", sum.gtt_bytes);
	seq_printf(m, "vm_user_pages %llu\n", sum.user_pages);
	seq_printf(m, "vm_mappings %llu\n", sum.mappings);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(counts);

static void show_waits(struct kfd_process *p, void *data)
{
	kfd_event_show_waits(p, data);
}

static int waiters_show(struct seq_file *m, void *unused)
{
	kfd_process_for_each(show_waits, m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(waiters);

static void show_process_node_locked(const struct kfd_process_node *pn, struct seq_file *m)
{
	seq_printf(m, "pid %d gpu_id %u attached %d vm %d vram_bytes %llu",
		   pid_nr(pn->process->tgid), pn->node->gpu_id, pn->attached, !!pn->vm,
		   pn->vram_bytes);
	seq_printf(m, " doorbell_slice %u", pn->doorbell_slice);
	seq_printf(m, " policy_set %u policy_default %u policy_alternate %u",
		   pn->policy.set, pn->policy.default_policy, pn->policy.alternate_policy);
	seq_printf(m, " policy_base %#llx policy_size %#llx", pn->policy.base, pn->policy.size);
	seq_printf(m, " scratch_va %#llx trap_tba %#llx trap_tma %#llx\n", pn->scratch_va,
		   pn->trap_tba, pn->trap_tma);
}

static void show_process(struct kfd_process *p, void *data)
{
	struct seq_file *m = data;
	unsigned int i;

	mutex_lock(&p->lock);
	seq_printf(m, "pid %d comm %s pasid %u files %u dead %d signal_events %u lost_ranges %d",
		   pid_nr(p->tgid), p->comm, p->pasid, p->files, p->dead, p->events.signals,
		   atomic_read(&p->lost_ranges));
	seq_printf(m, " runtime_enabled %d runtime_ttmp %d runtime_r_debug %#llx\n",
		   p->runtime.enabled, p->runtime.ttmp, p->runtime.r_debug);
	for (i = 0; i < p->num_nodes; i++)
		show_process_node_locked(&p->node[i], m);
	mutex_unlock(&p->lock);
}

static int processes_show(struct seq_file *m, void *unused)
{
	kfd_process_for_each(show_process, m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(processes);

/* ---- queues of a device ---- */

/**
 * struct kfd_show - what a per-process callback needs
 * @dev: device asked about
 * @m: where to
 * @queue: writes the line of a queue, under node->lock
 */
struct kfd_show {
	struct kfd_device *dev;
	struct seq_file *m;
	void (*queue)(struct kfd_queue *q, struct seq_file *m);
};

static void show_queue_locked(struct kfd_queue *q, struct seq_file *m)
{
	struct kfd_process_node *pn = q->pn;
	u64 rptr = q->hw.rptr, wptr = q->hw.wptr;

	lockdep_assert_held(&pn->node->lock);

	if (q->slot != KFD_NO_SLOT)
		sdma_rlc_peek(&pn->node->dev->sdma, q->instance, q->slot, &rptr, &wptr);
	seq_printf(m, "%d %u %u ", pid_nr(pn->process->tgid), q->id, q->instance);
	if (q->slot != KFD_NO_SLOT)
		seq_printf(m, "%d %u", q->slot, pn->vmid);
	else
		seq_puts(m, "- -");
	seq_printf(m, " %u %#x %llu %llu %s\n", pn->process->pasid, q->hw.doorbell, rptr, wptr,
		   kfd_queue_state(q));
}

static void show_queues(struct kfd_process *p, void *data)
{
	struct kfd_show *show = data;
	struct kfd_process_node *pn;
	struct kfd_queue *q;

	for (pn = p->node; pn < p->node + p->num_nodes; pn++) {
		if (pn->node->dev != show->dev)
			continue;
		mutex_lock(&pn->node->lock);
		list_for_each_entry(q, &pn->queues, link)
			show->queue(q, show->m);
		mutex_unlock(&pn->node->lock);
	}
}

static int queues_show(struct seq_file *m, void *unused)
{
	struct kfd_show show = { .dev = m->private, .m = m, .queue = show_queue_locked };

	seq_puts(m, "pid queue_id instance slot vmid pasid doorbell rptr wptr state\n");
	kfd_process_for_each(show_queues, &show);
	return 0;
}

static void show_account_locked(struct kfd_queue *q, struct seq_file *m)
{
	lockdep_assert_held(&q->pn->node->lock);

	if (q->slot != KFD_NO_SLOT)
		kfd_queue_charge_locked(q);
	seq_printf(m, "%d %u %u %u %llu %llu %llu %llu %s\n", pid_nr(q->pn->process->tgid), q->id,
		   q->instance, q->priority, q->loads, q->served.turns, q->served.bytes,
		   q->sched.share, kfd_queue_state(q));
}

static int sched_show(struct seq_file *m, void *unused)
{
	struct kfd_show show = { .dev = m->private, .m = m, .queue = show_account_locked };
	struct kfd_node *node;

	for (node = show.dev->node; node < show.dev->node + show.dev->num_nodes; node++) {
		mutex_lock(&node->lock);
		seq_printf(m, "gpu_id %u rounds %llu waiting %u\n", node->gpu_id,
			   node->sched_rounds, node->waiting);
		mutex_unlock(&node->lock);
	}
	seq_puts(m, "pid queue_id instance priority loads turns bytes share state\n");
	kfd_process_for_each(show_queues, &show);
	return 0;
}

/**
 * struct kfd_debug_stop - a written command
 * @dev: device
 * @pid: whose queue
 * @queue: its id
 * @stop: count one more stop, or take one back
 * @ret: result
 */
struct kfd_debug_stop {
	struct kfd_device *dev;
	int pid;
	u32 queue;
	bool stop;
	int ret;
};

static void debug_stop(struct kfd_process *p, void *data)
{
	struct kfd_debug_stop *cmd = data;
	struct kfd_queue *q;

	if (pid_nr(p->tgid) != cmd->pid)
		return;
	mutex_lock(&p->lock);
	q = xa_load(&p->queues, cmd->queue);
	if (q && q->pn->node->dev == cmd->dev) {
		cmd->ret = 0;
		if (cmd->stop)
			kfd_queue_stop(q, KFD_STOP_DEBUG);
		else if (q->stopped[KFD_STOP_DEBUG])
			kfd_queue_start(q, KFD_STOP_DEBUG);
		else
			cmd->ret = -EINVAL;
	}
	mutex_unlock(&p->lock);
}

/* One short line of user text, without its end. */
static int read_command(char *line, size_t size, const char __user *buf, size_t len)
{
	if (!len || len >= size)
		return -EINVAL;
	if (copy_from_user(line, buf, len))
		return -EFAULT;
	line[len] = '\0';
	strim(line);
	return 0;
}

static ssize_t queues_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct kfd_debug_stop cmd = { .ret = -ESRCH };
	char line[KFD_DEBUGFS_COMMAND], verb[8];
	int ret;

	ret = read_command(line, sizeof(line), buf, len);
	if (ret)
		return ret;
	if (sscanf(line, "%7s %d %u", verb, &cmd.pid, &cmd.queue) != 3)
		return -EINVAL;
	cmd.dev = ((struct seq_file *)file->private_data)->private;
	cmd.stop = !strcmp(verb, "stop");
	if (!cmd.stop && strcmp(verb, "start"))
		return -EINVAL;
	kfd_process_for_each(debug_stop, &cmd);
	return cmd.ret ? cmd.ret : len;
}

/* ---- other state of a device ---- */

static int rings_show(struct seq_file *m, void *unused)
{
	struct kfd_device *dev = m->private;

	sdma_show_rings(&dev->sdma, m);
	return 0;
}

static int ring_dump_show(struct seq_file *m, void *unused)
{
	struct kfd_device *dev = m->private;

	sdma_dump_rings(&dev->sdma, m);
	return 0;
}

static int registers_show(struct seq_file *m, void *unused)
{
	struct kfd_device *dev = m->private;

	sdma_dump_registers(&dev->sdma, m);
	return 0;
}

static int irq_file_show(struct seq_file *m, void *unused)
{
	struct kfd_device *dev = m->private;

	irq_show(&dev->irq, m);
	kfd_interrupts_show(dev, m);
	return 0;
}

static void show_vmids(struct kfd_process *p, void *data)
{
	struct kfd_show *show = data;
	struct kfd_process_node *pn;

	for (pn = p->node; pn < p->node + p->num_nodes; pn++) {
		if (pn->node->dev != show->dev)
			continue;
		mutex_lock(&pn->node->lock);
		if (pn->vmid)
			seq_printf(show->m, "%u %u %d %u\n", pn->vmid, p->pasid,
				   pid_nr(p->tgid), pn->loaded);
		mutex_unlock(&pn->node->lock);
	}
}

static int vmids_show(struct seq_file *m, void *unused)
{
	struct kfd_show show = { .dev = m->private, .m = m };

	seq_puts(m, "vmid pasid pid loaded\n");
	kfd_process_for_each(show_vmids, &show);
	return 0;
}

static int power_show(struct seq_file *m, void *unused)
{
	struct kfd_device *dev = m->private;

	seq_printf(m, "sleeps %u\n", READ_ONCE(dev->sleeps));
	return 0;
}

/* ---- self-tests ---- */

static int test_result_show(struct seq_file *m, void *unused)
{
	struct kfd_device *dev = m->private;

	mutex_lock(&dev->test_lock);
	seq_puts(m, dev->test_result);
	mutex_unlock(&dev->test_lock);
	return 0;
}

static int run_test(struct kfd_device *dev, const char *what, u64 amount)
{
	struct sdma_test_result res = { };
	int ret;

	if (!strcmp(what, "copy"))
		ret = sdma_test_copy(&dev->sdma, amount, &res);
	else if (!strcmp(what, "fill"))
		ret = sdma_test_fill(&dev->sdma, amount, &res);
	else if (!strcmp(what, "pte") && amount <= UINT_MAX)
		ret = sdma_test_entries(&dev->sdma, amount, &res);
	else if (!strcmp(what, "vm") && amount <= UINT_MAX)
		ret = vm_test_jobs(&dev->vm, amount, &res);
	else
		return -EINVAL;
	scnprintf(dev->test_result, sizeof(dev->test_result),
		  "%s %llu result %d instance %u ring %s bytes %llu jobs %llu fence %u rptr %llu wptr %llu ns %llu\n",
		  what, amount, ret, res.instance, res.kind == SDMA_RING_PAGE ? "page" : "gfx",
		  res.bytes, res.jobs, res.seq, res.rptr, res.wptr, res.ns);
	return ret;
}

static int run_bench(struct kfd_device *dev, const char *what, u64 rounds)
{
	bool busy = !strcmp(what, "pte-busy");
	struct sdma_bench_result res = { };
	int ret;

	if ((!busy && strcmp(what, "pte")) || rounds > SDMA_BENCH_MAX_ROUNDS)
		return -EINVAL;
	ret = sdma_bench_entries(&dev->sdma, rounds, busy, &res);
	scnprintf(dev->test_result, sizeof(dev->test_result),
		  "%s result %d rounds %u entries %u p50_ns %llu p99_ns %llu background_bytes %llu\n",
		  what, ret, res.rounds, res.entries, res.p50_ns, res.p99_ns,
		  res.background_bytes);
	return ret;
}

static ssize_t test_command(struct file *file, const char __user *buf, size_t len,
			    int (*run)(struct kfd_device *dev, const char *what, u64 amount))
{
	struct kfd_device *dev = ((struct seq_file *)file->private_data)->private;
	char line[KFD_DEBUGFS_COMMAND], what[16];
	u64 amount;
	int ret;

	ret = read_command(line, sizeof(line), buf, len);
	if (ret)
		return ret;
	if (sscanf(line, "%15s %llu", what, &amount) != 2)
		return -EINVAL;
	mutex_lock(&dev->test_lock);
	ret = run(dev, what, amount);
	mutex_unlock(&dev->test_lock);
	return ret ? ret : len;
}

static ssize_t sdma_test_write(struct file *file, const char __user *buf, size_t len,
			       loff_t *pos)
{
	return test_command(file, buf, len, run_test);
}

static ssize_t bench_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	return test_command(file, buf, len, run_bench);
}

/* ---- files ---- */

#define KFD_DEBUGFS_FILE(name, show_fn, write_fn)					\
	static int name##_open(struct inode *inode, struct file *file)			\
	{										\
		return single_open(file, show_fn, inode->i_private);			\
	}										\
	static const struct file_operations name##_fops = {				\
		.owner = THIS_MODULE,							\
		.open = name##_open,							\
		.read = seq_read,							\
		.write = write_fn,							\
		.llseek = seq_lseek,							\
		.release = single_release,						\
	}

KFD_DEBUGFS_FILE(rings, rings_show, NULL);
KFD_DEBUGFS_FILE(ring_dump, ring_dump_show, NULL);
KFD_DEBUGFS_FILE(registers, registers_show, NULL);
KFD_DEBUGFS_FILE(queues, queues_show, queues_write);
KFD_DEBUGFS_FILE(sched, sched_show, NULL);
KFD_DEBUGFS_FILE(irq_file, irq_file_show, NULL);
KFD_DEBUGFS_FILE(vmids, vmids_show, NULL);
KFD_DEBUGFS_FILE(power, power_show, NULL);
KFD_DEBUGFS_FILE(sdma_test, test_result_show, sdma_test_write);
KFD_DEBUGFS_FILE(bench, test_result_show, bench_write);

/**
 * kfd_debugfs_add_device - files of a device
 * @dev: device
 */
void kfd_debugfs_add_device(struct kfd_device *dev)
{
	struct dentry *dir = debugfs_create_dir(pci_name(dev->hw.pdev), kfd_debugfs_root);

	dev->debugfs = dir;
	debugfs_create_file("rings", 0400, dir, dev, &rings_fops);
	debugfs_create_file("ring_dump", 0400, dir, dev, &ring_dump_fops);
	debugfs_create_file("registers", 0400, dir, dev, &registers_fops);
	debugfs_create_file("queues", 0600, dir, dev, &queues_fops);
	debugfs_create_file("sched", 0400, dir, dev, &sched_fops);
	debugfs_create_file("irq", 0400, dir, dev, &irq_file_fops);
	debugfs_create_file("vmids", 0400, dir, dev, &vmids_fops);
	debugfs_create_file("power", 0400, dir, dev, &power_fops);
	debugfs_create_file("sdma_test", 0600, dir, dev, &sdma_test_fops);
	debugfs_create_file("bench", 0600, dir, dev, &bench_fops);
}

/**
 * kfd_debugfs_remove_device - the reverse; nobody reads them when it returns
 * @dev: device
 */
void kfd_debugfs_remove_device(struct kfd_device *dev)
{
	debugfs_remove_recursive(dev->debugfs);
	dev->debugfs = NULL;
}

/**
 * kfd_debugfs_init - files of the driver
 */
void kfd_debugfs_init(void)
{
	kfd_debugfs_root = debugfs_create_dir("carillon", NULL);
	debugfs_create_file("counts", 0400, kfd_debugfs_root, NULL, &counts_fops);
	debugfs_create_file("waiters", 0400, kfd_debugfs_root, NULL, &waiters_fops);
	debugfs_create_file("processes", 0400, kfd_debugfs_root, NULL, &processes_fops);
}

/**
 * kfd_debugfs_fini - the reverse
 */
void kfd_debugfs_fini(void)
{
	debugfs_remove_recursive(kfd_debugfs_root);
}
