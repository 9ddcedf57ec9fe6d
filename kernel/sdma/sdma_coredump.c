// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: dump of an instance before its reset, for user space
 *
 * Text, taken while the instance hangs into memory that is there from the beginning:
 * recovery allocates nothing.  A work item hands a copy to the kernel's device
 * coredumps (/sys/class/devcoredump/) afterwards.  What comes while that is on its way
 * is not taken; the first dump is the one that tells most.
 */
#include <linux/devcoredump.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "sdma_device.h"

#define SDMA_COREDUMP_BYTES	(128 * 1024)

static void coredump_publish(struct work_struct *work)
{
	struct sdma_coredump *core = container_of(work, struct sdma_coredump, work);
	struct sdma_device *sdma = container_of(core, struct sdma_device, core);
	char *copy = vmalloc(core->len);

	if (copy) {
		memcpy(copy, core->text, core->len);
		dev_coredumpv(sdma_dev(sdma), copy, core->len, GFP_KERNEL);
	}
	/* Pairs with the acquire in sdma_coredump_begin(): the text was read before. */
	clear_bit_unlock(SDMA_COREDUMP_TAKEN, &core->flags);
}

/* What does not fit is left out. */
static void coredump_add(struct sdma_coredump *core, struct seq_file *m)
{
	core->len = min(m->count, m->size);
}

static struct seq_file coredump_rest(struct sdma_coredump *core)
{
	return (struct seq_file){
		.buf = core->text, .size = SDMA_COREDUMP_BYTES, .count = core->len,
	};
}

/**
 * sdma_coredump_begin - take down where an instance stands
 * @ring: its ring that hangs or has faulted
 *
 * Context: process, under &sdma_device.recover_lock; allocates nothing.
 * Return: false if no dump is taken now.
 */
bool sdma_coredump_begin(struct sdma_ring *ring)
{
	struct sdma_device *sdma = ring->sdma;
	struct sdma_coredump *core = &sdma->core;
	struct seq_file m;

	lockdep_assert_held(&sdma->recover_lock);
	if (test_and_set_bit_lock(SDMA_COREDUMP_TAKEN, &core->flags))
		return false;
	core->len = 0;
	m = coredump_rest(core);
	seq_printf(&m, "carillon SDMA core dump\nfunction %s\ninstance %u\nring %s\nerror %d\n",
		   pci_name(sdma->hw->pdev), ring->instance, ring->name, ring->cause);
	sdma_dump_instance(sdma, ring->instance, &m);
	coredump_add(core, &m);
	return true;
}

/**
 * sdma_coredump_guilty - add who is to blame
 * @sdma: device
 * @name: of a ring
 * @seq: number of the job's fence
 *
 * Context: process, under &sdma_device.recover_lock, between begin and end.
 */
void sdma_coredump_guilty(struct sdma_device *sdma, const char *name, u32 seq)
{
	struct seq_file m = coredump_rest(&sdma->core);

	lockdep_assert_held(&sdma->recover_lock);
	seq_printf(&m, "guilty job: ring %s fence %u\n", name, seq);
	coredump_add(&sdma->core, &m);
}

/**
 * sdma_coredump_end - the dump is complete
 * @sdma: device
 * @result: what became of the instance, a word
 *
 * Context: process, under &sdma_device.recover_lock.
 */
void sdma_coredump_end(struct sdma_device *sdma, const char *result)
{
	struct seq_file m = coredump_rest(&sdma->core);

	lockdep_assert_held(&sdma->recover_lock);
	seq_printf(&m, "result %s\n", result);
	coredump_add(&sdma->core, &m);
	queue_work(system_unbound_wq, &sdma->core.work);
}

/**
 * sdma_coredump_init - memory for a dump
 * @sdma: device
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int sdma_coredump_init(struct sdma_device *sdma)
{
	INIT_WORK(&sdma->core.work, coredump_publish);
	sdma->core.text = vmalloc(SDMA_COREDUMP_BYTES);
	return sdma->core.text ? 0 : -ENOMEM;
}

/**
 * sdma_coredump_fini - undo sdma_coredump_init()
 * @sdma: device without recoveries
 *
 * Context: process; sleeps.
 */
void sdma_coredump_fini(struct sdma_device *sdma)
{
	flush_work(&sdma->core.work);
	vfree(sdma->core.text);
	sdma->core.text = NULL;
}
