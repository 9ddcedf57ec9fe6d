// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: /sys/kernel/debug/carillon_vgpu/
 *
 * A directory for each GPU, named like its PCI function: queues, irq, memory, registers
 * and failures tell what it does, control steers it (Documentation/vgpu.rst has the
 * formats).  Reading changes nothing.
 */
#include <linux/debugfs.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "vgpu_device.h"
#include "vgpu_msi.h"
#include "vgpu_sdma.h"

static struct dentry *vgpu_debugfs_root;

/* queues */

static void show_queue(struct seq_file *m, unsigned int instance,
		       const struct vgpu_sdma_queue_info *q)
{
	seq_printf(m, "%u %s %u %u %llu %llu %llu %llu %llu %llu %llu %llu %s\n", instance,
		   q->name, q->enabled, q->vmid, q->rptr, q->wptr, q->packets, q->copied,
		   q->filled, q->fences, q->traps, q->atomics, q->state);
}

static int queues_show(struct seq_file *m, void *unused)
{
	struct vgpu_device *dev = m->private;
	struct vgpu_sdma_queue_info info;
	unsigned int i, q;

	seq_puts(m, "instance queue enabled vmid rptr wptr packets copied filled fences traps atomics state\n");
	for (i = 0; i < dev->config.instances; i++)
		for (q = 0; q < VGPU_SDMA_QUEUES; q++)
			if (!vgpu_sdma_queue_info(dev->sdma[i], q, &info))
				show_queue(m, i, &info);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(queues);

/* irq */

static int irq_show(struct seq_file *m, void *unused)
{
	static const char * const fates[VGPU_IH_PUT_COUNT] = {
		"stored", "overflow", "disabled", "bad_ring", "full",
	};
	struct vgpu_device *dev = m->private;
	struct vgpu_ih *ih = &dev->ih;
	unsigned int i;

	seq_printf(m, "fired %llu\n", READ_ONCE(dev->msi->fired));
	seq_printf(m, "masked %llu\n", READ_ONCE(dev->msi->masked));
	seq_printf(m, "off %llu\n", READ_ONCE(dev->msi->off));
	for (i = 0; i < VGPU_IH_PUT_COUNT; i++)
		seq_printf(m, "%s %llu\n", fates[i], READ_ONCE(ih->put[i]));
	for (i = 0; i < ARRAY_SIZE(ih->by_source); i++)
		if (ih->by_source[i])
			seq_printf(m, "source %u stored %llu\n", i, READ_ONCE(ih->by_source[i]));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(irq);

/* memory */

static int memory_show(struct seq_file *m, void *unused)
{
	struct vgpu_device *dev = m->private;
	struct vgpu_doorbell *db = &dev->doorbell;
	struct vgpu_mem *mem = &dev->mem;
	unsigned int i;

	seq_printf(m, "vram_bytes %llu\n", mem->size);
	seq_printf(m, "cap_pages %ld\n", mem->cap);
	seq_printf(m, "populated_pages %ld\n", atomic_long_read(&mem->populated));
	seq_printf(m, "chunk_tables %ld\n", atomic_long_read(&mem->tables));
	seq_printf(m, "reserve_pages %u\n", READ_ONCE(mem->reserved));
	seq_printf(m, "refused %ld\n", atomic_long_read(&mem->refused));
	seq_printf(m, "waits %ld\n", atomic_long_read(&mem->waits));
	seq_printf(m, "discarded_pages %ld\n", atomic_long_read(&mem->discarded));
	seq_printf(m, "doorbell_pages %ld\n", atomic_long_read(&db->pages));
	seq_printf(m, "doorbell_rung %ld\n", atomic_long_read(&db->rung));
	seq_printf(m, "doorbell_lost %ld\n", atomic_long_read(&db->lost));
	seq_printf(m, "doorbell_faults %ld\n", atomic_long_read(&db->faults));
	seq_printf(m, "doorbell_withdrawals %ld\n", atomic_long_read(&db->withdrawals));
	seq_printf(m, "doorbell_hot %d\n", vgpu_doorbell_hot(db));
	seq_printf(m, "hdp_flushes %ld\n", atomic_long_read(&dev->hdp_flushes));
	for (i = 0; i < dev->config.instances; i++)
		seq_printf(m, "engine %u steps %llu sleeps %llu\n", i,
			   READ_ONCE(dev->worker[i].steps), READ_ONCE(dev->worker[i].sleeps));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(memory);

/* registers */

static int registers_show(struct seq_file *m, void *unused)
{
	struct vgpu_device *dev = m->private;
	struct vgpu_mmio *mmio = &dev->mmio;
	struct vgpu_mmio_entry *entry;
	unsigned int i;

	seq_puts(m, "block base size reads writes unknown\n");
	for (i = 0; i < mmio->count; i++) {
		entry = &mmio->entry[i];
		seq_printf(m, "%s 0x%05x 0x%05x %llu %llu %llu\n", entry->block->name,
			   READ_ONCE(entry->block->base), entry->block->size,
			   READ_ONCE(entry->reads), READ_ONCE(entry->writes),
			   READ_ONCE(entry->block->unknown));
	}
	seq_printf(m, "unclaimed - - %llu %llu 0x%05x\n", READ_ONCE(mmio->unclaimed_reads),
		   READ_ONCE(mmio->unclaimed_writes), READ_ONCE(mmio->last_unclaimed));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(registers);

/* failures */

static int failures_show(struct seq_file *m, void *unused)
{
	struct vgpu_device *dev = m->private;
	struct vgpu_failure_rule rule;
	unsigned int i;

	seq_puts(m, "failure on seen hits left\n");
	for (i = 0; i < VGPU_FAILURES; i++) {
		vgpu_failures_get(&dev->failures, i, &rule);
		seq_printf(m, "%s %d %llu %llu %llu\n", vgpu_failure_name(i), rule.on, rule.seen,
			   rule.hits, rule.count);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(failures);

/* control */

#define CONTROL_WORDS	3

static int find_queue(const char *name)
{
	int q = match_string(vgpu_sdma_queue_names, VGPU_SDMA_QUEUES, name);
	unsigned int n;

	if (q >= 0)
		return q;
	return kstrtouint(name, 10, &n) || n >= VGPU_SDMA_QUEUES ? -EINVAL : (int)n;
}

static int find_instance(struct vgpu_device *dev, const char *text, unsigned int *instance)
{
	if (kstrtouint(text, 10, instance) || *instance >= dev->config.instances)
		return -EINVAL;
	return 0;
}

static int control_queue(struct vgpu_device *dev, char **word, unsigned int words,
			 enum vgpu_sdma_control cmd)
{
	unsigned int instance;
	int queue;

	if (words != 3 || find_instance(dev, word[1], &instance))
		return -EINVAL;
	queue = find_queue(word[2]);
	if (queue < 0)
		return queue;
	return vgpu_sdma_control(dev->sdma[instance], queue, cmd, 0);
}

/* One instance if word[2] names it, else all of them. */
static int control_instances(struct vgpu_device *dev, char **word, unsigned int words,
			     enum vgpu_sdma_control cmd, u32 arg)
{
	unsigned int i, first = 0, last = dev->config.instances - 1;
	int ret = 0;

	if (words == 3) {
		if (find_instance(dev, word[2], &first))
			return -EINVAL;
		last = first;
	}
	for (i = first; i <= last && !ret; i++)
		ret = vgpu_sdma_control(dev->sdma[i], VGPU_SDMA_GFX, cmd, arg);
	return ret;
}

static int control_mode(struct vgpu_device *dev, char **word, unsigned int words)
{
	if (words < 2)
		return -EINVAL;
	if (!strcmp(word[1], "free"))
		return control_instances(dev, word, words, VGPU_SDMA_MODE_RUN, 0);
	if (!strcmp(word[1], "step"))
		return control_instances(dev, word, words, VGPU_SDMA_MODE_STEP, 0);
	return -EINVAL;
}

static int control_step(struct vgpu_device *dev, char **word, unsigned int words)
{
	u32 steps;

	if (words < 2 || kstrtou32(word[1], 10, &steps))
		return -EINVAL;
	return control_instances(dev, word, words, VGPU_SDMA_STEP, steps);
}

static int control_fail(struct vgpu_device *dev, char **word, unsigned int words)
{
	unsigned int where;

	return words == 2 ? vgpu_failures_set(&dev->failures, word[1], &where) : -EINVAL;
}

static int control_heal(struct vgpu_device *dev, char **word, unsigned int words)
{
	unsigned int i;
	int which;

	if (words != 2)
		return -EINVAL;
	if (!strcmp(word[1], "all")) {
		for (i = 0; i < VGPU_FAILURES; i++)
			vgpu_failures_clear(&dev->failures, i);
		return 0;
	}
	which = vgpu_failure_find(word[1]);
	if (which < 0)
		return which;
	vgpu_failures_clear(&dev->failures, which);
	return 0;
}

static int control_run(struct vgpu_device *dev, char **word, unsigned int words)
{
	if (!strcmp(word[0], "halt"))
		return control_queue(dev, word, words, VGPU_SDMA_HALT);
	if (!strcmp(word[0], "resume"))
		return control_queue(dev, word, words, VGPU_SDMA_RESUME);
	if (!strcmp(word[0], "mode"))
		return control_mode(dev, word, words);
	if (!strcmp(word[0], "step"))
		return control_step(dev, word, words);
	if (!strcmp(word[0], "fail"))
		return control_fail(dev, word, words);
	if (!strcmp(word[0], "heal"))
		return control_heal(dev, word, words);
	return -EINVAL;
}

/* Words of a line; one more than there is room for counts as too many. */
static unsigned int split_words(char *line, char **word)
{
	unsigned int n = 0;
	char *token;

	while ((token = strsep(&line, " \t\n"))) {
		if (!*token)
			continue;
		if (n < CONTROL_WORDS)
			word[n] = token;
		n++;
	}
	return n;
}

static ssize_t control_write(struct file *file, const char __user *buf, size_t size, loff_t *pos)
{
	struct vgpu_device *dev = file->private_data;
	char line[128], *word[CONTROL_WORDS];
	unsigned int words;
	int ret;

	if (*pos || size >= sizeof(line))
		return -EINVAL;
	if (copy_from_user(line, buf, size))
		return -EFAULT;
	line[size] = 0;
	words = split_words(line, word);
	if (!words || words > CONTROL_WORDS)
		return -EINVAL;
	ret = control_run(dev, word, words);
	return ret ? ret : size;
}

static const struct file_operations control_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = control_write,
	.llseek = noop_llseek,
};

/* Make the root directory. */
void vgpu_debugfs_init(void)
{
	vgpu_debugfs_root = debugfs_create_dir("carillon_vgpu", NULL);
}

/* Remove it. */
void vgpu_debugfs_exit(void)
{
	debugfs_remove_recursive(vgpu_debugfs_root);
}

/**
 * vgpu_debugfs_add - directory of a GPU
 * @dev: the GPU
 */
void vgpu_debugfs_add(struct vgpu_device *dev)
{
	struct dentry *dir = debugfs_create_dir(dev->name, vgpu_debugfs_root);

	dev->debugfs = dir;
	debugfs_create_file("queues", 0444, dir, dev, &queues_fops);
	debugfs_create_file("control", 0200, dir, dev, &control_fops);
	debugfs_create_file("irq", 0444, dir, dev, &irq_fops);
	debugfs_create_file("memory", 0444, dir, dev, &memory_fops);
	debugfs_create_file("registers", 0444, dir, dev, &registers_fops);
	debugfs_create_file("failures", 0444, dir, dev, &failures_fops);
}

/* Remove it; waits for those who read or write there. */
void vgpu_debugfs_remove(struct vgpu_device *dev)
{
	debugfs_remove_recursive(dev->debugfs);
}
