/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: differences between kernels
 *
 * The only place that knows that kernels differ (6.1 is the target, 6.12 must
 * build too).  A difference is found by looking for a macro that came with it
 * where there is one, by version only where there is none.
 */
#ifndef CARILLON_KFD_COMPAT_H
#define CARILLON_KFD_COMPAT_H

#include <drm/drm_buddy.h>
#include <linux/device.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/smp.h>
#include <linux/version.h>
#ifdef CONFIG_X86
#include <asm/processor.h>
#endif

/* An update of 6.12 moved the buddy allocator out of DRM, which changed its prefix. */
#ifdef GPU_BUDDY_RANGE_ALLOCATION
#define drm_buddy			gpu_buddy
#define drm_buddy_block			gpu_buddy_block
#define drm_buddy_alloc_blocks		gpu_buddy_alloc_blocks
#define drm_buddy_block_offset		gpu_buddy_block_offset
#define drm_buddy_block_size		gpu_buddy_block_size
#define drm_buddy_fini			gpu_buddy_fini
#define drm_buddy_free_block		gpu_buddy_free_block
#define drm_buddy_free_list		gpu_buddy_free_list
#define drm_buddy_init			gpu_buddy_init
#define DRM_BUDDY_CLEARED		GPU_BUDDY_CLEARED
#define DRM_BUDDY_RANGE_ALLOCATION	GPU_BUDDY_RANGE_ALLOCATION
#endif

/* 6.10 made "the contents are known to be zero" a flag of the free call. */
static inline void kfd_buddy_free_list(struct drm_buddy *mm, struct list_head *blocks)
{
#ifdef DRM_BUDDY_CLEARED
	drm_buddy_free_list(mm, blocks, 0);
#else
	drm_buddy_free_list(mm, blocks);
#endif
}

/* 6.3 hid vm_flags behind helpers that take the mmap lock's word for it. */
static inline void kfd_vma_flags_mod(struct vm_area_struct *vma, vm_flags_t set, vm_flags_t clear)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	vm_flags_mod(vma, set, clear);
#else
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
#endif
}

/*
 * Number by which /proc/cpuinfo and the topology know a CPU.  6.7 moved it into a
 * struct of its own.
 */
static inline u32 kfd_cpu_apicid(unsigned int cpu)
{
#if !defined(CONFIG_X86)
	return cpu;
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	return cpu_data(cpu).topo.apicid;
#else
	return cpu_data(cpu).apicid;
#endif
}

static inline bool kfd_cpu_is_amd(void)
{
#ifdef CONFIG_X86
	return boot_cpu_data.x86_vendor == X86_VENDOR_AMD;
#else
	return false;
#endif
}

/* 6.12 moved the accessors of unaligned words. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif

/* 6.4 takes the module from the caller. */
static inline struct class *kfd_class_create(const char *name)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
	return class_create(name);
#else
	return class_create(THIS_MODULE, name);
#endif
}

#endif /* CARILLON_KFD_COMPAT_H */
