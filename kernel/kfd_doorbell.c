// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: doorbells
 *
 * A *slice* is 8 KiB of BAR2, 1024 doorbells.  Slice 0 rings the kernel's own queues.
 * A process gets one slice a node and maps all of it; a queue's place in the slice is
 * fixed by the chip:
 *
 *   first doorbell of the instance + (number & 1) * 512 + number / 2
 *
 * where the number counts the process's queues on that instance.  The range that the
 * chip keeps for engines other than the command processor, and its mirror 512 slots
 * up, is all that SDMA queues use.
 *
 * Mappings are filled page by page on faults: a virtual function withdraws them when
 * it goes idle, and the fault of the next store wakes it; the queue scheduler withdraws
 * one page when it parks a queue (kfd_queue_sched.c).  So no store may go around
 * doorbell_fault(): children do not inherit the mapping, and it cannot be private.
 * All descriptors of /dev/kfd share one address_space of our own, whichever device
 * node they were opened through, so that one call finds every mapping.
 *
 * Slices are under node->doorbell_lock, which is taken in page faults and held over
 * the call that makes the page until that page is in the page table; node->lock would be
 * too low for that.  Whoever withdraws mappings takes and drops it first: zapping does
 * not wait for faults in progress, and what one inserts afterwards nobody would watch.
 */
#include <drm/drm_drv.h>
#include <drm/drm_managed.h>
#include <linux/bitmap.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mount.h>
#include <linux/module.h>
#include <linux/pseudo_fs.h>

#include "kfd_debugfs.h"
#include "kfd_device.h"
#include "kfd_doorbell.h"
#include "kfd_mmap.h"
#include "kfd_process.h"

#define KFD_FS_MAGIC		0x6b666463	/* "kfdc" */
#define KFD_DOORBELL_MIRROR	512
#define KFD_DOORBELL_PAGES	(KFD_DOORBELL_SLICE / PAGE_SIZE)

static struct vfsmount *kfd_mount;
static struct inode *kfd_inode;

/* ---- one address_space for all descriptors ---- */

static int kfd_fs_init_context(struct fs_context *fc)
{
	return init_pseudo(fc, KFD_FS_MAGIC) ? 0 : -ENOMEM;
}

/* No owner: the mount is our own, and would keep the module from ever being unloaded. */
static struct file_system_type kfd_fs_type = {
	.name = "carillon_kfd",
	.init_fs_context = kfd_fs_init_context,
	.kill_sb = kill_anon_super,
};

/**
 * kfd_mapping_init - make the inode whose address_space carries all mappings
 *
 * Return: 0 or an errno.
 */
int kfd_mapping_init(void)
{
	kfd_mount = kern_mount(&kfd_fs_type);
	if (IS_ERR(kfd_mount))
		return PTR_ERR(kfd_mount);
	kfd_inode = alloc_anon_inode(kfd_mount->mnt_sb);
	if (IS_ERR(kfd_inode)) {
		kern_unmount(kfd_mount);
		return PTR_ERR(kfd_inode);
	}
	return 0;
}

/**
 * kfd_mapping_fini - the reverse; no descriptor is open any more
 */
void kfd_mapping_fini(void)
{
	iput(kfd_inode);
	kern_unmount(kfd_mount);
}

/**
 * kfd_mapping - what a new descriptor uses as f_mapping
 *
 * Return: the mapping of the module's inode; it lives until kfd_mapping_fini().
 */
struct address_space *kfd_mapping(void)
{
	return kfd_inode->i_mapping;
}

/* Withdraw the mappings of some pages of a node's doorbells. */
static void doorbell_zap(const struct kfd_node *node, pgoff_t first, pgoff_t pages)
{
	unmap_mapping_pages(kfd_inode->i_mapping,
			    kfd_mmap_pgoff(KFD_MMAP_DOORBELL, node->gpu_id) + first, pages, true);
}

/* A fault that was told of the page before may still be about to insert it. */
static void doorbell_wait_for_faults(struct kfd_node *node)
{
	mutex_lock(&node->doorbell_lock);
	mutex_unlock(&node->doorbell_lock);
}

/**
 * kfd_doorbell_close - the user mapping of one page of doorbells goes
 * @node: node
 * @page: page of BAR2
 *
 * The next store there ends up in kfd_queue_doorbells_open().
 *
 * Context: Process context, no lock below p->lock held. Takes and drops
 * node->doorbell_lock.
 */
void kfd_doorbell_close(struct kfd_node *node, unsigned int page)
{
	doorbell_wait_for_faults(node);
	doorbell_zap(node, page, 1);
}

/**
 * kfd_doorbell_withdraw - all user mappings of a device's doorbells go
 * @hw: the device
 *
 * Context: A thread of the model. Sleeps; allocates nothing. Takes and drops
 * node->doorbell_lock.
 */
void kfd_doorbell_withdraw(struct hw_device *hw)
{
	struct kfd_device *dev = container_of(hw, struct kfd_device, hw);
	unsigned int i;

	for (i = 0; i < dev->num_nodes; i++) {
		doorbell_wait_for_faults(&dev->node[i]);
		doorbell_zap(&dev->node[i], 0,
			     dev->node[i].doorbell_slices * KFD_DOORBELL_PAGES);
	}
}

/* ---- slices ---- */

/**
 * kfd_doorbell_init - slices of a node
 * @node: node
 *
 * They stay as long as the drm_device: a late mmap() or fault may still ask.
 *
 * Return: 0 or -ENOMEM.
 */
int kfd_doorbell_init(struct kfd_node *node)
{
	mutex_init(&node->doorbell_lock);
	node->doorbell_slices = div_u64(node->dev->hw.doorbell_size, KFD_DOORBELL_SLICE);
	node->doorbell_used = drmm_kcalloc(&node->dev->drm, BITS_TO_LONGS(node->doorbell_slices),
					   sizeof(long), GFP_KERNEL);
	if (!node->doorbell_used)
		return -ENOMEM;
	if (node->doorbell_slices)
		__set_bit(0, node->doorbell_used);
	return 0;
}

/**
 * kfd_doorbell_take - give a process its slice
 * @pn: process and node
 *
 * Context: Process context. Takes node->doorbell_lock.
 * Return: 0, also if it has one; -ENOMEM if all are taken; -ENODEV after
 * kfd_doorbell_release().
 */
int kfd_doorbell_take(struct kfd_process_node *pn)
{
	struct kfd_node *node = pn->node;
	unsigned int slice;
	int ret = 0;

	mutex_lock(&node->doorbell_lock);
	if (pn->doorbells_closed) {
		ret = -ENODEV;
		goto unlock;
	}
	if (pn->doorbell_slice)
		goto unlock;
	slice = find_first_zero_bit(node->doorbell_used, node->doorbell_slices);
	if (slice >= node->doorbell_slices) {
		ret = -ENOMEM;
		goto unlock;
	}
	__set_bit(slice, node->doorbell_used);
	pn->doorbell_slice = slice;
	kfd_count_add(KFD_COUNT_DOORBELL_SLICES, 1);
unlock:
	mutex_unlock(&node->doorbell_lock);
	return ret;
}

/* What one process stored is not for the next one that gets the slice. */
static void doorbell_clear(struct kfd_node *node, unsigned int slice)
{
	u32 offset = slice * KFD_DOORBELL_SLICE, end = offset + KFD_DOORBELL_SLICE;

	for (; offset < end; offset += sizeof(u64))
		hw_doorbell_reset(&node->dev->hw, offset);
}

/**
 * kfd_doorbell_release - take a process's slice away for ever
 * @pn: process and node, without queues and buffers
 *
 * If an engine may still use what the process mapped, doorbells perhaps, nobody else gets
 * the slice before the device goes.
 *
 * Context: Process context, no lock below p->lock held.
 */
void kfd_doorbell_release(struct kfd_process_node *pn)
{
	struct kfd_node *node = pn->node;
	unsigned int slice;

	mutex_lock(&node->doorbell_lock);
	slice = pn->doorbell_slice;
	pn->doorbell_slice = 0;
	pn->doorbells_closed = true;
	mutex_unlock(&node->doorbell_lock);
	if (!slice)
		return;
	/* Faults see no slice from here on; what they mapped before goes now. */
	doorbell_zap(node, slice * KFD_DOORBELL_PAGES, KFD_DOORBELL_PAGES);
	doorbell_clear(node, slice);
	if (!pn->vm || !vm_space_is_stuck(pn->vm)) {
		mutex_lock(&node->doorbell_lock);
		__clear_bit(slice, node->doorbell_used);
		mutex_unlock(&node->doorbell_lock);
	}
	kfd_count_add(KFD_COUNT_DOORBELL_SLICES, -1);
}

/**
 * kfd_doorbell_base - byte offset in BAR2 of the process's slice
 * @pn: process and node, with a slice
 *
 * Return: the offset, a multiple of KFD_DOORBELL_SLICE.
 */
u32 kfd_doorbell_base(const struct kfd_process_node *pn)
{
	return pn->doorbell_slice * KFD_DOORBELL_SLICE;
}

/**
 * kfd_doorbell_numbers - queues of one process that one instance has doorbells for
 * @node: node
 *
 * Two for each slot that the chip gives the instance.
 *
 * Return: their number, at most BITS_PER_LONG.
 */
unsigned int kfd_doorbell_numbers(const struct kfd_node *node)
{
	const struct hw_chip *chip = node->dev->hw.chip;
	unsigned int slots = chip->non_cp_doorbell_last - chip->non_cp_doorbell_first + 1;

	if (chip->sdma_instances > 1)
		slots = chip->sdma_doorbell[1] - chip->sdma_doorbell[0];
	return min_t(unsigned int, 2 * slots, BITS_PER_LONG);
}

/**
 * kfd_doorbell_offset - place of a queue's doorbell in the slice
 * @node: node
 * @instance: SDMA instance
 * @number: number of the queue there
 *
 * Return: bytes.
 */
u32 kfd_doorbell_offset(const struct kfd_node *node, unsigned int instance, unsigned int number)
{
	u32 index = node->dev->hw.chip->sdma_doorbell[instance] +
		    (number & 1) * KFD_DOORBELL_MIRROR + number / 2;

	return index * sizeof(u64);
}

/* ---- mappings ---- */

static vm_fault_t doorbell_insert_locked(struct vm_fault *vmf, struct kfd_process_node *pn)
{
	pgoff_t page = vmf->pgoff - kfd_mmap_pgoff(KFD_MMAP_DOORBELL, pn->node->gpu_id);
	struct hw_device *hw = &pn->node->dev->hw;
	unsigned long pfn;

	lockdep_assert_held(&pn->node->doorbell_lock);

	if (!pn->doorbell_slice || page / KFD_DOORBELL_PAGES != pn->doorbell_slice)
		return VM_FAULT_SIGBUS;
	switch (hw_doorbell_pfn(hw, page, &pfn)) {
	case 0:
		kfd_queue_doorbells_open(pn, page % KFD_DOORBELL_PAGES);
		return vmf_insert_pfn(vmf->vma, vmf->address, pfn);
	case -ENOMEM:
		return VM_FAULT_OOM;
	default:
		return VM_FAULT_SIGBUS;
	}
}

static vm_fault_t doorbell_fault(struct vm_fault *vmf)
{
	struct kfd_process_node *pn = vmf->vma->vm_private_data;
	struct kfd_node *node = pn->node;
	vm_fault_t ret = VM_FAULT_SIGBUS;
	int idx;

	if (!drm_dev_enter(&node->dev->drm, &idx))
		return VM_FAULT_SIGBUS;
	mutex_lock(&node->doorbell_lock);
	ret = doorbell_insert_locked(vmf, pn);
	mutex_unlock(&node->doorbell_lock);
	drm_dev_exit(idx);
	return ret;
}

/* A mapping that moves would keep its contents but not its faults' meaning. */
static int doorbell_mremap(struct vm_area_struct *vma)
{
	return -EINVAL;
}

static const struct vm_operations_struct doorbell_vm_ops = {
	.open = kfd_mmap_open,
	.close = kfd_mmap_close,
	.fault = doorbell_fault,
	.mremap = doorbell_mremap,
};

/**
 * kfd_doorbell_mmap - map the caller's slice
 * @pn: the caller's view of the node
 * @vma: shared mapping of exactly one slice
 *
 * The offset of the mapping becomes that of the slice, so that one process's can be withdrawn.
 *
 * Context: mmap_lock held for writing.
 * Return: 0, -EINVAL (size, private, or no ACQUIRE_VM), -ENOMEM (no slice left),
 * -ENODEV (gone).
 */
int kfd_doorbell_mmap(struct kfd_process_node *pn, struct vm_area_struct *vma)
{
	int ret;

	if (vma->vm_end - vma->vm_start != KFD_DOORBELL_SLICE || !(vma->vm_flags & VM_SHARED) ||
	    !READ_ONCE(pn->vm))
		return -EINVAL;
	ret = kfd_doorbell_take(pn);
	if (ret)
		return ret;
	vma->vm_pgoff += READ_ONCE(pn->doorbell_slice) * KFD_DOORBELL_PAGES;
	kfd_mmap_init(vma, pn, &doorbell_vm_ops);
	return 0;
}
