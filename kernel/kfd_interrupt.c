// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: from the interrupt to a process
 *
 * Entries carry the PASID that the VMID had when they were written, so a queue that
 * was unloaded since, or a VMID that went on to another process, changes nothing.
 *
 * A fault entry of an SDMA client names the queue: its ring id is 1 + slot.  One of the
 * memory hub does not: its PASID names the process and its latch the instance, and of
 * the process's queues there the one stops whose context shows an exception (Linux 6.1
 * stops all queues of the process).
 *
 * A queue that hangs and that a reset has ended is told of by events of types HW_EXCEPTION
 * and MEMORY.
 *
 * Every fault is told to the process by events of type MEMORY; a fault in a packet has
 * the packet's address, marked as not executable and imprecise.
 */
#include <drm/drm_drv.h>
#include <linux/dev_printk.h>
#include <linux/seq_file.h>

#include "kfd_device.h"
#include "kfd_interrupt.h"
#include "kfd_process.h"
#include "kfd_smi.h"
#include "sdma/sdma.h"

#define KFD_TRAP_ID_MASK	0x0fffffff
#define KFD_VM_FAULT_SOURCE	0
/* Ring id of a memory hub's fault entry */
#define KFD_VM_RING_NO_PAGE	BIT(3)
#define KFD_VM_RING_WRITE	BIT(5)
/* Most pieces of the IH ring that kfd_interrupts_flush() drains: twice what it holds. */
#define KFD_FLUSH_PIECES	64

/* ---- hard interrupt ---- */

static void interrupts_trap(void *data, unsigned int instance, const struct irq_entry *e)
{
	struct kfd_device *dev = data;
	struct kfd_interrupts *ints = &dev->interrupts;
	struct kfd_trap trap = { .pasid = e->pasid, .event = e->ctx[0] & KFD_TRAP_ID_MASK };
	unsigned long flags;

	raw_spin_lock_irqsave(&ints->lock, flags);
	ints->count_traps++;
	if (!kfifo_put(&ints->traps, trap))
		ints->scan = true;
	raw_spin_unlock_irqrestore(&ints->lock, flags);
	queue_work(system_highpri_wq, &ints->work);
}

static void interrupts_add_fault(struct kfd_device *dev, const struct kfd_fault *fault)
{
	struct kfd_interrupts *ints = &dev->interrupts;
	unsigned long flags;

	raw_spin_lock_irqsave(&ints->lock, flags);
	ints->count_faults++;
	if (!kfifo_put(&ints->faults, *fault))
		ints->count_dropped++;
	raw_spin_unlock_irqrestore(&ints->lock, flags);
	queue_work(system_highpri_wq, &ints->work);
}

static enum kfd_fault_kind sdma_fault_kind(u8 source)
{
	switch (source) {
	case IRQ_SDMA_ILLEGAL_INST:
		return KFD_FAULT_ILLEGAL;
	case IRQ_SDMA_SRBM_WRITE:
		return KFD_FAULT_SRBM;
	default:
		return KFD_FAULT_ENGINE;
	}
}

static void interrupts_sdma_fault(void *data, unsigned int instance, const struct irq_entry *e)
{
	struct kfd_fault fault = {
		.kind = sdma_fault_kind(e->source),
		.instance = instance,
		.entry = *e,
	};

	interrupts_add_fault(data, &fault);
}

static void interrupts_vm_fault(void *data, const struct irq_entry *e)
{
	struct kfd_fault fault = { .kind = KFD_FAULT_PAGE, .entry = *e };

	interrupts_add_fault(data, &fault);
}

/* ---- work item ---- */

static bool interrupts_next_trap(struct kfd_interrupts *ints, struct kfd_trap *trap)
{
	bool got;

	raw_spin_lock_irq(&ints->lock);
	got = kfifo_get(&ints->traps, trap);
	raw_spin_unlock_irq(&ints->lock);
	return got;
}

static bool interrupts_next_fault(struct kfd_interrupts *ints, struct kfd_fault *fault)
{
	bool got;

	raw_spin_lock_irq(&ints->lock);
	got = kfifo_get(&ints->faults, fault);
	raw_spin_unlock_irq(&ints->lock);
	return got;
}

static bool interrupts_take_scan(struct kfd_interrupts *ints)
{
	bool scan;

	raw_spin_lock_irq(&ints->lock);
	scan = ints->scan;
	ints->scan = false;
	ints->count_scans += scan;
	raw_spin_unlock_irq(&ints->lock);
	return scan;
}

static void interrupts_deliver_trap(struct kfd_device *dev, const struct kfd_trap *trap)
{
	struct kfd_process *p = kfd_process_get_by_pasid(trap->pasid);

	if (!p) {
		dev->interrupts.count_orphans++;
		return;
	}
	kfd_event_deliver(p, trap->event);
	kfd_process_put(p);
}

/*
 * By PASID and not by the registry's list: a process that is being closed has left the
 * list and waits for this work item, and its lock is no business of ours.
 */
static void interrupts_scan_all(void)
{
	struct kfd_process *p;
	u32 pasid = 0;

	while ((p = kfd_process_get_next(&pasid))) {
		kfd_event_scan(p);
		kfd_process_put(p);
	}
}

static u64 fault_page(const struct irq_entry *e)
{
	return ((u64)(e->ctx[1] & 0xf) << 32 | e->ctx[0]) << 12;
}

static void fault_describe(const struct kfd_fault *fault, u64 va, u32 gpu_id,
			   struct kfd_hsa_memory_exception_data *data)
{
	const struct irq_entry *e = &fault->entry;

	memset(data, 0, sizeof(*data));
	data->va = va;
	data->gpu_id = gpu_id;
	data->ErrorType = KFD_MEM_ERR_NO_RAS;
	if (fault->kind == KFD_FAULT_PAGE) {
		data->failure.NotPresent = !!(e->ring & KFD_VM_RING_NO_PAGE);
		data->failure.ReadOnly = !data->failure.NotPresent &&
					 !!(e->ring & KFD_VM_RING_WRITE);
	} else {
		data->failure.NoExecute = 1;
		data->failure.imprecise = 1;
	}
}

static const char *fault_name(const struct kfd_fault *fault)
{
	switch (fault->kind) {
	case KFD_FAULT_PAGE:
		return fault->entry.ring & KFD_VM_RING_WRITE ? "fault-page-write" :
							       "fault-page-read";
	case KFD_FAULT_SRBM:
		return "fault-srbm-write";
	case KFD_FAULT_ILLEGAL:
		return "fault-illegal-packet";
	default:
		return "fault-engine";
	}
}

/* SDMA instance that the hub's latch names, or less than 0. */
static int latch_instance(const struct hw_chip *chip, const struct hw_hub_fault *latch)
{
	const u16 *cid = latch->write ? chip->sdma_cid_write : chip->sdma_cid_read;
	unsigned int i;

	for (i = 0; i < chip->sdma_instances; i++)
		if (cid[i] == latch->client)
			return i;
	return -1;
}

/* The hub latches no second fault before the first is taken, so this may be another's. */
static int fault_page_instance(struct kfd_device *dev, const struct irq_entry *e)
{
	unsigned int hub = e->client == IRQ_CLIENT_VMC1;
	struct hw_hub_fault latch;

	if (!hw_hub_fault_take(&dev->hw, hub, &latch) || latch.vmid != e->vmid ||
	    latch.addr != fault_page(e))
		return -1;
	return latch_instance(dev->hw.chip, &latch);
}

static void fault_locate(struct kfd_device *dev, const struct kfd_fault *fault,
			 struct kfd_queue_fault *where)
{
	const unsigned int rlc0 = dev->hw.chip->sdma->ih_ring_rlc0;

	memset(where, 0, sizeof(*where));
	where->what = fault_name(fault);
	where->slot = -1;
	if (fault->kind == KFD_FAULT_PAGE) {
		where->va = fault_page(&fault->entry);
		where->instance = fault_page_instance(dev, &fault->entry);
		return;
	}
	where->instance = fault->instance;
	if (fault->entry.ring >= rlc0 && fault->entry.ring < rlc0 + dev->node[0].rlc_slots)
		where->slot = fault->entry.ring - rlc0;
}

static void fault_tell(struct kfd_device *dev, const struct kfd_fault *fault,
		       struct kfd_queue_fault *where, struct kfd_process_node *pn)
{
	struct kfd_hsa_memory_exception_data data;
	struct kfd_process *p = pn->process;
	u64 va;

	kfd_queue_fault(pn, where);
	/* One that was on its way when its queue was stopped has nothing to add. */
	if (!where->stopped)
		return;
	va = fault->kind == KFD_FAULT_PAGE ? where->va : where->packet_va;
	dev_warn_ratelimited(&dev->hw.pdev->dev, "%s[%d] queue %u: %s at %#llx\n", p->comm,
			     pid_nr(p->tgid), where->id, where->what, va);
	if (fault->kind == KFD_FAULT_PAGE)
		kfd_smi_page_fault(pn);
	fault_describe(fault, va, pn->node->gpu_id, &data);
	kfd_event_memory_fault(p, &data);
}

static void interrupts_deliver_fault(struct kfd_device *dev, const struct kfd_fault *fault)
{
	struct kfd_process *p = kfd_process_get_by_pasid(fault->entry.pasid);
	struct kfd_queue_fault where;
	unsigned int i;

	fault_locate(dev, fault, &where);
	if (!p) {
		dev->interrupts.count_orphans++;
		dev_warn_ratelimited(&dev->hw.pdev->dev, "VMID %u: %s at %#llx\n",
				     fault->entry.vmid, where.what, where.va);
		return;
	}
	for (i = 0; i < p->num_nodes; i++)
		if (p->node[i].node->dev == dev)
			fault_tell(dev, fault, &where, &p->node[i]);
	kfd_process_put(p);
}

static void interrupts_deliver_traps(struct kfd_device *dev)
{
	unsigned int budget = KFD_TRAP_FIFO;
	struct kfd_trap trap;

	while (budget-- && interrupts_next_trap(&dev->interrupts, &trap))
		interrupts_deliver_trap(dev, &trap);
	if (interrupts_take_scan(&dev->interrupts))
		interrupts_scan_all();
}

static void interrupts_deliver_faults(struct kfd_device *dev)
{
	unsigned int budget = KFD_FAULT_FIFO;
	struct kfd_fault fault;

	while (budget-- && interrupts_next_fault(&dev->interrupts, &fault))
		interrupts_deliver_fault(dev, &fault);
}

/* One bounded piece, so that a queue that raises traps without end delays nobody's fault. */
static void interrupts_work(struct work_struct *work)
{
	struct kfd_interrupts *ints = container_of(work, struct kfd_interrupts, work);
	struct kfd_device *dev = container_of(ints, struct kfd_device, interrupts);
	bool more;

	interrupts_deliver_traps(dev);
	interrupts_deliver_faults(dev);
	raw_spin_lock_irq(&ints->lock);
	more = ints->scan || !kfifo_is_empty(&ints->traps) || !kfifo_is_empty(&ints->faults);
	raw_spin_unlock_irq(&ints->lock);
	if (more)
		queue_work(system_highpri_wq, work);
}

/* ---- reset ---- */

static bool interrupts_reset_begin(void *data, unsigned int instance)
{
	struct kfd_device *dev = data;
	bool hung = false;
	unsigned int i;

	for (i = 0; i < dev->num_nodes; i++) {
		kfd_smi_reset_begin(&dev->node[i], instance);
		hung |= kfd_queue_reset_begin(&dev->node[i], instance);
	}
	return hung;
}

/* As upstream tells of a reset: an exception of the hardware, and a fault that has no address. */
static void reset_tell(struct kfd_process *p, const struct kfd_node *node)
{
	const struct kfd_hsa_hw_exception_data reset = {
		.reset_type = KFD_HW_EXCEPTION_PER_ENGINE_RESET,
		.reset_cause = KFD_HW_EXCEPTION_GPU_HANG,
		.gpu_id = node->gpu_id,
	};
	const struct kfd_hsa_memory_exception_data fault = {
		.failure.imprecise = 1,
		.gpu_id = node->gpu_id,
		.ErrorType = KFD_MEM_ERR_GPU_HANG,
	};

	kfd_event_hw_exception(p, &reset);
	kfd_event_memory_fault(p, &fault);
}

/*
 * Apart from the reset, for which those may wait who hold the locks of events: an event page
 * is memory of the GPU.
 */
static void interrupts_tell(struct work_struct *work)
{
	struct kfd_device *dev = container_of(work, struct kfd_device, interrupts.tell);
	struct kfd_process_node *pn;
	struct kfd_process *p;
	u32 pasid = 0;

	while ((p = kfd_process_get_next(&pasid))) {
		for (pn = p->node; pn < p->node + p->num_nodes; pn++)
			if (pn->node->dev == dev && kfd_queue_reset_untold(pn))
				reset_tell(p, pn->node);
		kfd_process_put(p);
	}
}

static void interrupts_reset_end(void *data, unsigned int instance, bool ok)
{
	struct kfd_device *dev = data;
	unsigned int i;

	for (i = 0; i < dev->num_nodes; i++) {
		kfd_queue_reset_end(&dev->node[i], instance, ok);
		if (ok)
			kfd_smi_reset_end(&dev->node[i]);
	}
	queue_work(system_unbound_wq, &dev->interrupts.tell);
}

/* ---- life ---- */

static const struct sdma_user_ops interrupts_user_ops = {
	.trap = interrupts_trap,
	.fault = interrupts_sdma_fault,
	.reset_begin = interrupts_reset_begin,
	.reset_end = interrupts_reset_end,
};

static const u8 interrupts_vm_clients[] = { IRQ_CLIENT_VMC, IRQ_CLIENT_UTCL2, IRQ_CLIENT_VMC1 };

/* The last one is of chips with two memory hubs. */
static unsigned int interrupts_vm_count(const struct kfd_device *dev)
{
	return ARRAY_SIZE(interrupts_vm_clients) - (dev->hw.chip->mmhub->hubs < 2);
}

static void interrupts_unregister_vm(struct kfd_device *dev, unsigned int n)
{
	while (n)
		irq_source_unregister(&dev->irq, interrupts_vm_clients[--n], KFD_VM_FAULT_SOURCE);
}

/**
 * kfd_interrupts_init - take the interrupts of user queues
 * @dev: device whose irq and sdma layers are up
 *
 * Return: 0, or -EBUSY or -ENOMEM of the interrupt layer.
 */
int kfd_interrupts_init(struct kfd_device *dev)
{
	struct kfd_interrupts *ints = &dev->interrupts;
	unsigned int i;
	int ret;

	raw_spin_lock_init(&ints->lock);
	INIT_KFIFO(ints->traps);
	INIT_KFIFO(ints->faults);
	INIT_WORK(&ints->work, interrupts_work);
	INIT_WORK(&ints->tell, interrupts_tell);
	for (i = 0; i < interrupts_vm_count(dev); i++) {
		ret = irq_source_register(&dev->irq, interrupts_vm_clients[i],
					  KFD_VM_FAULT_SOURCE, interrupts_vm_fault, dev);
		if (ret) {
			interrupts_unregister_vm(dev, i);
			return ret;
		}
	}
	sdma_set_user_ops(&dev->sdma, &interrupts_user_ops, dev);
	return 0;
}

/**
 * kfd_interrupts_fini - the reverse
 * @dev: device without processes
 *
 * Context: Process context.
 */
void kfd_interrupts_fini(struct kfd_device *dev)
{
	sdma_set_user_ops(&dev->sdma, NULL, NULL);
	interrupts_unregister_vm(dev, interrupts_vm_count(dev));
	cancel_work_sync(&dev->interrupts.work);
	cancel_work_sync(&dev->interrupts.tell);
}

/**
 * kfd_interrupts_flush - deliver what the IH ring holds
 * @dev: device; does nothing once it has gone
 *
 * Context: Process context; no lock that the delivery takes.
 */
void kfd_interrupts_flush(struct kfd_device *dev)
{
	unsigned int pieces = KFD_FLUSH_PIECES;
	int idx;

	if (!drm_dev_enter(&dev->drm, &idx))
		return;
	/* Bounded: a flood of other entries is no reason to stay. */
	while (pieces-- && irq_poll(&dev->irq))
		;
	flush_work(&dev->interrupts.work);
	drm_dev_exit(idx);
}

/**
 * kfd_interrupts_show - counters for debugfs
 * @dev: device
 * @m: where to
 */
void kfd_interrupts_show(struct kfd_device *dev, struct seq_file *m)
{
	const struct kfd_interrupts *ints = &dev->interrupts;

	seq_printf(m, "user_traps %llu\n", READ_ONCE(ints->count_traps));
	seq_printf(m, "user_scans %llu\n", READ_ONCE(ints->count_scans));
	seq_printf(m, "user_faults %llu\n", READ_ONCE(ints->count_faults));
	seq_printf(m, "user_faults_dropped %llu\n", READ_ONCE(ints->count_dropped));
	seq_printf(m, "user_orphans %llu\n", READ_ONCE(ints->count_orphans));
}
