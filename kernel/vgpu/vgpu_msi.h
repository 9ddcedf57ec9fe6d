/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: message-signalled interrupt of a virtual function
 *
 * The functions have an irq domain of their own, so that pci_alloc_irq_vectors()
 * and request_irq() work unmodified.  A message does not travel over a bus: the
 * model queues an irq_work on the CPU that the interrupt is bound to, and that runs
 * the flow handler in hard interrupt context.
 */
#ifndef CARILLON_VGPU_MSI_H
#define CARILLON_VGPU_MSI_H

#include <linux/irq_work.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "vgpu_cfgspace.h"

struct irq_domain;
struct vgpu_msi_domain;

/**
 * struct vgpu_msi - the one vector of a function
 * @lock: protects @cfg and everything below; innermost lock, owned by the function
 * @cfg: configuration space
 * @work: runs the flow handler on the CPU that it is queued on
 * @csd: carries @work to another CPU
 * @virq: Linux interrupt, 0 while none is set up
 * @cpu: CPU that it is bound to, or nr_cpu_ids
 * @fired: messages sent
 * @masked: raised while masked
 * @off: raised while MSI or bus mastering was off
 */
struct vgpu_msi {
	raw_spinlock_t *lock;
	struct vgpu_cfgspace *cfg;
	struct irq_work work;
	call_single_data_t csd;
	unsigned int virq;
	unsigned int cpu;
	u64 fired, masked, off;
};

void vgpu_msi_init(struct vgpu_msi *msi, raw_spinlock_t *lock, struct vgpu_cfgspace *cfg);
void vgpu_msi_fire(struct vgpu_msi *msi);
void vgpu_msi_send_locked(struct vgpu_msi *msi);

struct vgpu_msi_domain *vgpu_msi_domain_create(struct vgpu_msi **vectors, unsigned int count,
					       int id);
struct irq_domain *vgpu_msi_domain_get(struct vgpu_msi_domain *dom);
void vgpu_msi_domain_destroy(struct vgpu_msi_domain *dom);

#endif /* CARILLON_VGPU_MSI_H */
