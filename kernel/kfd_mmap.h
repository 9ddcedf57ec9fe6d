/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: mmap offsets of /dev/kfd
 *
 * Bits 63:62 say what is mapped, bits 61:46 are the gpu_id, the rest is 0 in what mmap() is
 * given.  In a mapping of doorbells it is then where the process's slice is in BAR2.
 */
#ifndef CARILLON_KFD_MMAP_H
#define CARILLON_KFD_MMAP_H

#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/mm.h>
#include <linux/types.h>

struct file;
struct kfd_process_node;
struct vm_area_struct;

#define KFD_MMAP_TYPE		GENMASK_ULL(63, 62)
#define KFD_MMAP_GPU_ID		GENMASK_ULL(61, 46)
#define KFD_MMAP_OFFSET		GENMASK_ULL(45, 0)

enum kfd_mmap_type {
	KFD_MMAP_MMIO = 0,
	KFD_MMAP_RESERVED = 1,	/* save areas of APUs, which do not exist here */
	KFD_MMAP_EVENTS = 2,
	KFD_MMAP_DOORBELL = 3,
};

static inline u64 kfd_mmap_offset(enum kfd_mmap_type type, u32 gpu_id)
{
	return FIELD_PREP(KFD_MMAP_TYPE, (u64)type) | FIELD_PREP(KFD_MMAP_GPU_ID, (u64)gpu_id);
}

/* Page offset where the mappings of this kind begin. */
static inline pgoff_t kfd_mmap_pgoff(enum kfd_mmap_type type, u32 gpu_id)
{
	return kfd_mmap_offset(type, gpu_id) >> PAGE_SHIFT;
}

int kfd_mmap(struct file *file, struct vm_area_struct *vma);

/* For mappings whose private data is a process node, which they refer to. */
void kfd_mmap_init(struct vm_area_struct *vma, struct kfd_process_node *pn,
		   const struct vm_operations_struct *ops);
void kfd_mmap_open(struct vm_area_struct *vma);
void kfd_mmap_close(struct vm_area_struct *vma);

#endif /* CARILLON_KFD_MMAP_H */
