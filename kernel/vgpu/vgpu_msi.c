// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: irq domain and delivery
 *
 * See vgpu_msi.h.  A CPU other than the current one is reached by an asynchronous
 * cross call that only queues the irq_work there: run from the cross call itself
 * the handler would not always be in hard interrupt context (an idle CPU drains
 * cross calls from its idle loop).
 *
 * The bus token keeps an interrupt-remapping unit from replacing the domain; the
 * move-in-process-context flag lets an affinity change take effect at once.
 */
#include <linux/delay.h>
#include <linux/irq.h>
#include <linux/irqdomain.h>
#include <linux/msi.h>
#include <linux/pci.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include <asm/irqdomain.h>
#include <asm/msi.h>

#include "vgpu_config.h"
#include "vgpu_msi.h"

/* What the function shows as message address; nothing is ever written there. */
#define MSI_ADDRESS	0xfee00000

/**
 * struct vgpu_msi_domain - irq domain of one bus
 * @info: callbacks; @info.data points back here
 * @ops: of @info
 * @fwnode: names the domain
 * @domain: the domain
 * @vectors: one a function, by slot
 * @count: how many
 */
struct vgpu_msi_domain {
	struct msi_domain_info info;
	struct msi_domain_ops ops;
	struct fwnode_handle *fwnode;
	struct irq_domain *domain;
	struct vgpu_msi *vectors[VGPU_MAX_GPUS];
	unsigned int count;
};

/* Hard interrupt context. */
static void msi_work(struct irq_work *work)
{
	struct vgpu_msi *msi = container_of(work, struct vgpu_msi, work);
	unsigned int virq = READ_ONCE(msi->virq);

	if (virq)
		generic_handle_irq(virq);
}

static void msi_cross_call(void *data)
{
	struct vgpu_msi *msi = data;

	irq_work_queue(&msi->work);
}

/**
 * vgpu_msi_init - a vector that nobody has set up yet
 * @msi: zeroed
 * @lock: of the function
 * @cfg: its configuration space
 */
void vgpu_msi_init(struct vgpu_msi *msi, raw_spinlock_t *lock, struct vgpu_cfgspace *cfg)
{
	msi->lock = lock;
	msi->cfg = cfg;
	msi->cpu = nr_cpu_ids;
	msi->work = IRQ_WORK_INIT_HARD(msi_work);
	INIT_CSD(&msi->csd, msi_cross_call, msi);
}

/**
 * vgpu_msi_send_locked - deliver the message, whatever the configuration space says
 * @msi: the vector
 *
 * Context: under the function's lock, interrupts off.
 */
void vgpu_msi_send_locked(struct vgpu_msi *msi)
{
	int ret;

	lockdep_assert_held(msi->lock);
	if (!msi->virq)
		return;
	msi->fired++;
	if (msi->cpu < nr_cpu_ids && msi->cpu != smp_processor_id()) {
		ret = smp_call_function_single_async(msi->cpu, &msi->csd);
		/* Busy: an earlier message is on its way and will do for both. */
		if (!ret || ret == -EBUSY)
			return;
	}
	irq_work_queue(&msi->work);
}

/**
 * vgpu_msi_fire - raise the interrupt
 * @msi: the vector
 *
 * Context: any.
 */
void vgpu_msi_fire(struct vgpu_msi *msi)
{
	unsigned long flags;

	raw_spin_lock_irqsave(msi->lock, flags);
	switch (vgpu_cfg_msi(msi->cfg)) {
	case VGPU_CFG_MSI_SEND:
		vgpu_msi_send_locked(msi);
		break;
	case VGPU_CFG_MSI_MASKED:
		msi->masked++;
		break;
	case VGPU_CFG_MSI_OFF:
		msi->off++;
		break;
	}
	raw_spin_unlock_irqrestore(msi->lock, flags);
}

/* No message is on its way any more; no new one starts, since @virq is 0. */
static void msi_drain(struct vgpu_msi *msi)
{
	while (READ_ONCE(msi->csd.node.u_flags) & CSD_FLAG_LOCK)
		usleep_range(10, 100);
	/* The flag falls before the call runs, with interrupts off: wait for that too. */
	synchronize_rcu();
	irq_work_sync(&msi->work);
}

/* irq chip */

static void chip_ack(struct irq_data *d)
{
}

static void chip_compose(struct irq_data *d, struct msi_msg *msg)
{
	memset(msg, 0, sizeof(*msg));
	msg->address_lo = MSI_ADDRESS;
	msg->data = d->hwirq;
}

static int chip_set_affinity(struct irq_data *d, const struct cpumask *mask, bool force)
{
	struct vgpu_msi *msi = irq_data_get_irq_chip_data(d);
	unsigned int cpu = cpumask_any_and(mask, cpu_online_mask);

	if (cpu >= nr_cpu_ids)
		return -EINVAL;
	WRITE_ONCE(msi->cpu, cpu);
	irq_data_update_effective_affinity(d, cpumask_of(cpu));
	return IRQ_SET_MASK_OK_DONE;
}

static struct irq_chip vgpu_irq_chip = {
	.name = "VGPU-MSI",
	.irq_ack = chip_ack,
	.irq_compose_msi_msg = chip_compose,
	.irq_set_affinity = chip_set_affinity,
};

/* MSI domain */

static irq_hw_number_t domain_hwirq(struct msi_domain_info *info, msi_alloc_info_t *arg)
{
	return PCI_SLOT(msi_desc_to_pci_dev(arg->desc)->devfn);
}

static void domain_set_desc(msi_alloc_info_t *arg, struct msi_desc *desc)
{
	arg->desc = desc;
}

static int domain_init_irq(struct irq_domain *domain, struct msi_domain_info *info,
			   unsigned int virq, irq_hw_number_t hwirq, msi_alloc_info_t *arg)
{
	struct vgpu_msi_domain *dom = info->data;
	struct vgpu_msi *msi;

	if (hwirq >= dom->count)
		return -ENODEV;
	msi = dom->vectors[hwirq];
	msi->cpu = nr_cpu_ids;
	irq_domain_set_info(domain, virq, hwirq, info->chip, msi, handle_edge_irq, NULL, "edge");
	irq_set_status_flags(virq, IRQ_MOVE_PCNTXT);
	WRITE_ONCE(msi->virq, virq);
	return 0;
}

static void domain_free_irq(struct irq_domain *domain, struct msi_domain_info *info,
			    unsigned int virq)
{
	struct vgpu_msi *msi = irq_get_chip_data(virq);
	unsigned long flags;

	raw_spin_lock_irqsave(msi->lock, flags);
	WRITE_ONCE(msi->virq, 0);
	raw_spin_unlock_irqrestore(msi->lock, flags);
	msi_drain(msi);
}

static void domain_init_info(struct vgpu_msi_domain *dom)
{
	dom->ops.get_hwirq = domain_hwirq;
	dom->ops.set_desc = domain_set_desc;
	dom->ops.msi_init = domain_init_irq;
	dom->ops.msi_free = domain_free_irq;
	dom->info.flags = MSI_FLAG_USE_DEF_DOM_OPS | MSI_FLAG_USE_DEF_CHIP_OPS;
	dom->info.ops = &dom->ops;
	dom->info.chip = &vgpu_irq_chip;
	dom->info.data = dom;
}

/**
 * vgpu_msi_domain_create - irq domain of a bus
 * @vectors: one for each function, by slot
 * @count: how many, VGPU_MAX_GPUS at most
 * @id: makes the domain's name unique
 *
 * Context: process context, sleeps.
 * Return: the domain or NULL.
 */
struct vgpu_msi_domain *vgpu_msi_domain_create(struct vgpu_msi **vectors, unsigned int count,
					       int id)
{
	struct vgpu_msi_domain *dom = kzalloc(sizeof(*dom), GFP_KERNEL);

	if (!dom)
		return NULL;
	dom->count = count;
	memcpy(dom->vectors, vectors, count * sizeof(*vectors));
	domain_init_info(dom);
	dom->fwnode = irq_domain_alloc_named_id_fwnode("VGPU-MSI", id);
	if (!dom->fwnode)
		goto err_free;
	dom->domain = pci_msi_create_irq_domain(dom->fwnode, &dom->info, NULL);
	if (!dom->domain)
		goto err_fwnode;
	irq_domain_update_bus_token(dom->domain, DOMAIN_BUS_VMD_MSI);
	return dom;

err_fwnode:
	irq_domain_free_fwnode(dom->fwnode);
err_free:
	kfree(dom);
	return NULL;
}

/* The irq domain to hang on a host bridge. */
struct irq_domain *vgpu_msi_domain_get(struct vgpu_msi_domain *dom)
{
	return dom->domain;
}

/* After the bus has gone; @dom may be NULL. */
void vgpu_msi_domain_destroy(struct vgpu_msi_domain *dom)
{
	if (!dom)
		return;
	irq_domain_remove(dom->domain);
	irq_domain_free_fwnode(dom->fwnode);
	kfree(dom);
}
