// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: mmap() on /dev/kfd
 *
 * The offset says what is mapped; whose it is, the caller's own mm says, whatever
 * descriptor it uses.  Runs with mmap_lock held, so it takes no lock under which user
 * memory is touched.
 */
#include <linux/fs.h>
#include <linux/mm.h>

#include "kfd_compat.h"
#include "kfd_doorbell.h"
#include "kfd_event.h"
#include "kfd_mmap.h"
#include "kfd_mmio.h"
#include "kfd_process.h"

/**
 * kfd_mmap_open - one more mapping refers to a process
 * @vma: mapping whose private data is a process node
 */
void kfd_mmap_open(struct vm_area_struct *vma)
{
	struct kfd_process_node *pn = vma->vm_private_data;

	kfd_process_get(pn->process);
}

/**
 * kfd_mmap_close - one less
 * @vma: mapping whose private data is a process node
 */
void kfd_mmap_close(struct vm_area_struct *vma)
{
	struct kfd_process_node *pn = vma->vm_private_data;

	kfd_process_put(pn->process);
}

/**
 * kfd_mmap_init - set up a mapping that is filled with page frames on faults
 * @vma: mapping
 * @pn: what its pages belong to; referenced
 * @ops: with kfd_mmap_open() and kfd_mmap_close()
 *
 * Children do not inherit it: it would be the parent's context that they use.
 */
void kfd_mmap_init(struct vm_area_struct *vma, struct kfd_process_node *pn,
		   const struct vm_operations_struct *ops)
{
	kfd_vma_flags_mod(vma, VM_IO | VM_PFNMAP | VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP |
			  VM_NORESERVE, 0);
	vma->vm_page_prot = pgprot_noncached(vma->vm_page_prot);
	vma->vm_private_data = pn;
	vma->vm_ops = ops;
	kfd_process_get(pn->process);
}

static int mmap_node(struct kfd_process *p, enum kfd_mmap_type type, u32 gpu_id,
		     struct vm_area_struct *vma)
{
	struct kfd_process_node *pn = kfd_process_find_node(p, gpu_id);

	if (!pn)
		return -ENODEV;
	switch (type) {
	case KFD_MMAP_DOORBELL:
		return kfd_doorbell_mmap(pn, vma);
	case KFD_MMAP_MMIO:
		return kfd_mmio_mmap(pn, vma);
	default:
		return -EFAULT;
	}
}

static int mmap_process(struct kfd_process *p, struct vm_area_struct *vma)
{
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	enum kfd_mmap_type type = FIELD_GET(KFD_MMAP_TYPE, offset);

	if (offset & KFD_MMAP_OFFSET)
		return -EINVAL;
	if (type == KFD_MMAP_EVENTS)
		return kfd_event_mmap(p, vma);
	return mmap_node(p, type, FIELD_GET(KFD_MMAP_GPU_ID, offset), vma);
}

/**
 * kfd_mmap - map doorbells, the event page or the register page
 * @file: any descriptor of /dev/kfd
 * @vma: what is asked for
 *
 * Context: mmap_lock held for writing.
 * Return: 0; -EINVAL (the caller has no context, or a bad size or flags); -ENODEV (no
 * such GPU); -EFAULT (not a kind that exists here); -ENOMEM.
 */
int kfd_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct kfd_process *p = kfd_process_get_current();
	int ret;

	if (!p)
		return -EINVAL;
	ret = mmap_process(p, vma);
	kfd_process_put(p);
	return ret;
}
