// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: the page of flush registers
 *
 * A buffer of kind MMIO_REMAP names the one page of registers that a process may store
 * to.  A process has it once a node and keeps it as long as it lives.
 */
#include <drm/drm_drv.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/pagemap.h>

#include "hw/hw_device.h"
#include "kfd_device.h"
#include "kfd_doorbell.h"
#include "kfd_mmap.h"
#include "kfd_mmio.h"
#include "kfd_process.h"

/**
 * kfd_mmio_take - give a process the register page of a node
 * @pn: process and node; may have it already
 *
 * Where the function has none, the process gets a page that only takes the stores.
 *
 * Context: p->lock held; allocates.
 * Return: 0, -ENOMEM or -ENODEV.
 */
int kfd_mmio_take(struct kfd_process_node *pn)
{
	unsigned long pfn;
	int ret;

	lockdep_assert_held(&pn->process->lock);

	if (pn->mmio_pfn)
		return 0;
	ret = hw_remap_pfn(&pn->node->dev->hw, &pfn);
	if (ret && ret != -ENXIO)
		return ret;
	if (ret) {
		pn->mmio_page = alloc_page(HW_GFP_USER | __GFP_ZERO);
		if (!pn->mmio_page)
			return -ENOMEM;
		pfn = page_to_pfn(pn->mmio_page);
	}
	/* Pairs with the acquire in kfd_mmio_mmap(): the page before its number. */
	smp_store_release(&pn->mmio_pfn, pfn);
	return 0;
}

static vm_fault_t mmio_fault(struct vm_fault *vmf)
{
	struct kfd_process_node *pn = vmf->vma->vm_private_data;
	vm_fault_t ret;
	int idx;

	if (!drm_dev_enter(&pn->node->dev->drm, &idx))
		return VM_FAULT_SIGBUS;
	ret = vmf_insert_pfn(vmf->vma, vmf->address, pn->mmio_pfn);
	drm_dev_exit(idx);
	return ret;
}

static const struct vm_operations_struct mmio_vm_ops = {
	.open = kfd_mmap_open,
	.close = kfd_mmap_close,
	.fault = mmio_fault,
};

/**
 * kfd_mmio_mmap - map the page of flush registers
 * @pn: the caller's view of the node
 * @vma: shared mapping of one page
 *
 * Context: mmap_lock held for writing.
 * Return: 0, or -EINVAL (size, private, or none allocated).
 */
int kfd_mmio_mmap(struct kfd_process_node *pn, struct vm_area_struct *vma)
{
	if (vma->vm_end - vma->vm_start != KFD_MMIO_BYTES || !(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	/* Pairs with the release in kfd_mmio_take(). */
	if (!smp_load_acquire(&pn->mmio_pfn))
		return -EINVAL;
	kfd_mmap_init(vma, pn, &mmio_vm_ops);
	return 0;
}

/**
 * kfd_mmio_withdraw - the device's register page goes from all processes
 * @node: node of a device that is unplugged
 *
 * Context: Process context. A later access raises SIGBUS.
 */
void kfd_mmio_withdraw(const struct kfd_node *node)
{
	unmap_mapping_pages(kfd_mapping(), kfd_mmap_pgoff(KFD_MMAP_MMIO, node->gpu_id), 1, true);
}
