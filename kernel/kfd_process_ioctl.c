// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: ioctls that concern the process as a whole
 *
 * Version, clocks, apertures, tiles, the address space, and four commands that only store
 * something: on GFX9 the memory policy has no effect, the scratch address and the trap
 * handler wait for compute queues, and no debugger asks what a runtime says of itself.
 * What they stored is shown in debugfs.
 */
#include <drm/drm_drv.h>
#include <linux/file.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

#include "kfd_device.h"
#include "kfd_drm.h"
#include "kfd_process.h"
#include "kfd_process_ioctl.h"
#include "topology/topology.h"
#include "vm/vm.h"
#include "../uapi/linux/kfd_ioctl.h"

/* Windows of GFX9: SH_MEM_BASES holds address bits 63:48 of each. */
#define KFD_LDS_BASE		BIT_ULL(48)
#define KFD_SCRATCH_BASE	BIT_ULL(49)
#define KFD_WINDOW_BYTES	BIT_ULL(32)
/* The first pages are kept for trap handlers: two of code, two of data. */
#define KFD_GPUVM_BASE		0x4000ULL
/* Entries of tables that chips before GFX9 have. */
#define KFD_TILE_MODES		32
#define KFD_MACRO_TILE_MODES	16

/**
 * kfd_process_get_version - GET_VERSION
 * @p: caller
 * @data: struct kfd_ioctl_get_version_args
 *
 * Return: 0.
 */
int kfd_process_get_version(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_get_version_args *args = data;

	args->major_version = KFD_IOCTL_MAJOR_VERSION;
	args->minor_version = KFD_IOCTL_MINOR_VERSION;
	return 0;
}

static u64 gpu_clock(struct kfd_process *p, u32 gpu_id)
{
	struct kfd_process_node *pn = kfd_process_find_node(p, gpu_id);
	u64 clock;
	int idx;

	if (!pn || !drm_dev_enter(&pn->node->dev->drm, &idx))
		return 0;
	clock = hw_gpu_clock(&pn->node->dev->hw);
	drm_dev_exit(idx);
	return clock;
}

/**
 * kfd_process_get_clocks - GET_CLOCK_COUNTERS
 * @p: caller
 * @data: struct kfd_ioctl_get_clock_counters_args
 *
 * Return: 0.
 */
int kfd_process_get_clocks(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_get_clock_counters_args *args = data;

	args->gpu_clock_counter = gpu_clock(p, args->gpu_id);
	args->cpu_clock_counter = ktime_get_raw_ns();
	args->system_clock_counter = ktime_get_boottime_ns();
	args->system_clock_freq = NSEC_PER_SEC;
	return 0;
}

static unsigned int count_attached_locked(const struct kfd_process *p)
{
	unsigned int i, n = 0;

	for (i = 0; i < p->num_nodes; i++)
		n += p->node[i].attached;
	return n;
}

/* Up to @max entries; returns how many. */
static unsigned int fill_apertures(struct kfd_process *p, struct kfd_process_device_apertures *out,
				   unsigned int max)
{
	unsigned int i, n = 0;

	mutex_lock(&p->lock);
	for (i = 0; i < p->num_nodes && n < max; i++) {
		if (!p->node[i].attached)
			continue;
		out[n++] = (struct kfd_process_device_apertures) {
			.lds_base = KFD_LDS_BASE,
			.lds_limit = KFD_LDS_BASE + KFD_WINDOW_BYTES - 1,
			.scratch_base = KFD_SCRATCH_BASE,
			.scratch_limit = KFD_SCRATCH_BASE + KFD_WINDOW_BYTES - 1,
			.gpuvm_base = KFD_GPUVM_BASE,
			.gpuvm_limit = VM_VA_END - 1,
			.gpu_id = p->node[i].node->gpu_id,
		};
	}
	mutex_unlock(&p->lock);
	return n;
}

/**
 * kfd_process_get_apertures - GET_PROCESS_APERTURES
 * @p: caller
 * @data: struct kfd_ioctl_get_process_apertures_args
 *
 * Return: 0.
 */
int kfd_process_get_apertures(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_get_process_apertures_args *args = data;

	args->num_of_nodes = fill_apertures(p, args->process_apertures, NUM_OF_SUPPORTED_GPUS);
	return 0;
}

/**
 * kfd_process_get_apertures_new - GET_PROCESS_APERTURES_NEW
 * @p: caller
 * @data: struct kfd_ioctl_get_process_apertures_new_args
 *
 * Return: 0; -EINVAL if the caller has room for more than there can be; -EFAULT;
 * -ENOMEM.
 */
int kfd_process_get_apertures_new(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_get_process_apertures_new_args *args = data;
	struct kfd_process_device_apertures *list;
	int ret = 0;

	if (!args->num_of_nodes) {
		mutex_lock(&p->lock);
		args->num_of_nodes = count_attached_locked(p);
		mutex_unlock(&p->lock);
		return 0;
	}
	if (args->num_of_nodes > topology_num_nodes())
		return -EINVAL;
	list = kcalloc(args->num_of_nodes, sizeof(*list), GFP_KERNEL);
	if (!list)
		return -ENOMEM;
	args->num_of_nodes = fill_apertures(p, list, args->num_of_nodes);
	if (copy_to_user(u64_to_user_ptr(args->kfd_process_device_apertures_ptr), list,
			 args->num_of_nodes * sizeof(*list)))
		ret = -EFAULT;
	kfree(list);
	return ret;
}

static int acquire_locked(struct kfd_process_node *pn, struct file *file)
{
	struct vm_space *vm;

	if (!pn->attached)
		return -ENODEV;
	if (pn->drm_file)
		return pn->drm_file == file ? 0 : -EBUSY;
	vm = kfd_drm_file_bind(file, pn->node->dev);
	if (IS_ERR(vm))
		return PTR_ERR(vm);
	pn->drm_file = get_file(file);
	WRITE_ONCE(pn->vm, vm);
	return 0;
}

/**
 * kfd_process_acquire_vm - ACQUIRE_VM
 * @p: caller
 * @data: struct kfd_ioctl_acquire_vm_args
 *
 * Return: 0, also for the same descriptor again; -EINVAL (no such GPU, or not a
 * descriptor of its render node, or bound by another process), -EBUSY (another
 * descriptor is bound), -ENODEV (gone), -ENOMEM.
 */
int kfd_process_acquire_vm(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_acquire_vm_args *args = data;
	struct kfd_process_node *pn = kfd_process_find_node(p, args->gpu_id);
	struct file *file;
	int ret;

	file = fget(args->drm_fd);
	if (!file)
		return -EINVAL;
	ret = -EINVAL;
	if (!pn)
		goto put_file;
	mutex_lock(&p->lock);
	ret = acquire_locked(pn, file);
	mutex_unlock(&p->lock);
put_file:
	fput(file);
	return ret;
}

static bool policy_known(u32 policy)
{
	return policy == KFD_IOC_CACHE_POLICY_COHERENT ||
	       policy == KFD_IOC_CACHE_POLICY_NONCOHERENT;
}

/**
 * kfd_process_set_policy - SET_MEMORY_POLICY
 * @p: caller
 * @data: struct kfd_ioctl_set_memory_policy_args
 *
 * Return: 0; -EINVAL (policy or GPU unknown); -ESRCH (no ACQUIRE_VM, or gone).
 */
int kfd_process_set_policy(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_set_memory_policy_args *args = data;
	struct kfd_process_node *pn;

	if (!policy_known(args->default_policy) || !policy_known(args->alternate_policy))
		return -EINVAL;
	mutex_lock(&p->lock);
	pn = kfd_process_bound_node(p, args->gpu_id);
	if (!IS_ERR(pn)) {
		pn->policy.set = 1;
		pn->policy.default_policy = args->default_policy;
		pn->policy.alternate_policy = args->alternate_policy;
		pn->policy.base = args->alternate_aperture_base;
		pn->policy.size = args->alternate_aperture_size;
	}
	mutex_unlock(&p->lock);
	return PTR_ERR_OR_ZERO(pn) == -ENODEV ? -ESRCH : PTR_ERR_OR_ZERO(pn);
}

/**
 * kfd_process_set_scratch - SET_SCRATCH_BACKING_VA
 * @p: caller
 * @data: struct kfd_ioctl_set_scratch_backing_va_args
 *
 * Return: 0; -EINVAL (no such GPU); -ENODEV (no ACQUIRE_VM, or gone).
 */
int kfd_process_set_scratch(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_set_scratch_backing_va_args *args = data;
	struct kfd_process_node *pn;

	mutex_lock(&p->lock);
	pn = kfd_process_bound_node(p, args->gpu_id);
	if (!IS_ERR(pn))
		pn->scratch_va = args->va_addr;
	mutex_unlock(&p->lock);
	return PTR_ERR_OR_ZERO(pn);
}

/* @count entries of 0, but no more than @max, which @count becomes. */
static int fill_tile_modes(u64 addr, u32 *count, u32 max)
{
	*count = min(*count, max);
	if (!clear_user(u64_to_user_ptr(addr), *count * sizeof(u32)))
		return 0;
	*count = 0;
	return -EFAULT;
}

/**
 * kfd_process_get_tile_config - GET_TILE_CONFIG
 * @p: caller
 * @data: struct kfd_ioctl_get_tile_config_args
 *
 * On GFX9 the address configuration says it all: the tables of older chips are still as
 * long as they were and hold 0, and so do banks and ranks.
 *
 * Return: 0; -EINVAL (no such GPU); -EFAULT.
 */
int kfd_process_get_tile_config(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_get_tile_config_args *args = data;
	struct kfd_process_node *pn = kfd_process_find_node(p, args->gpu_id);
	int ret;

	if (!pn)
		return -EINVAL;
	args->gb_addr_config = pn->node->dev->hw.chip->gb_addr_config;
	args->num_banks = 0;
	args->num_ranks = 0;
	ret = fill_tile_modes(args->tile_config_ptr, &args->num_tile_configs, KFD_TILE_MODES);
	if (ret)
		return ret;
	return fill_tile_modes(args->macro_tile_config_ptr, &args->num_macro_tile_configs,
			       KFD_MACRO_TILE_MODES);
}

/**
 * kfd_process_set_trap - SET_TRAP_HANDLER
 * @p: caller
 * @data: struct kfd_ioctl_set_trap_handler_args
 *
 * Return: 0; -EINVAL (no such GPU); -ESRCH (no ACQUIRE_VM, or gone).
 */
int kfd_process_set_trap(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_set_trap_handler_args *args = data;
	struct kfd_process_node *pn;

	mutex_lock(&p->lock);
	pn = kfd_process_bound_node(p, args->gpu_id);
	if (!IS_ERR(pn)) {
		pn->trap_tba = args->tba_addr;
		pn->trap_tma = args->tma_addr;
	}
	mutex_unlock(&p->lock);
	return PTR_ERR_OR_ZERO(pn) == -ENODEV ? -ESRCH : PTR_ERR_OR_ZERO(pn);
}

static int runtime_enable_locked(struct kfd_process *p,
				 const struct kfd_ioctl_runtime_enable_args *args)
{
	if (p->runtime.enabled)
		return -EBUSY;
	if (!xa_empty(&p->queues))
		return -EEXIST;
	p->runtime.enabled = true;
	p->runtime.ttmp = args->mode_mask & KFD_RUNTIME_ENABLE_MODE_TTMP_SAVE_MASK;
	p->runtime.r_debug = args->r_debug;
	return 0;
}

/**
 * kfd_process_runtime_enable - RUNTIME_ENABLE
 * @p: caller
 * @data: struct kfd_ioctl_runtime_enable_args
 *
 * No debugger can attach, so there is nobody to tell and to wait for.
 *
 * Return: 0; to enable: -EBUSY (is enabled), -EEXIST (there are queues).
 */
int kfd_process_runtime_enable(struct kfd_process *p, void *data)
{
	const struct kfd_ioctl_runtime_enable_args *args = data;
	int ret = 0;

	mutex_lock(&p->lock);
	if (args->mode_mask & KFD_RUNTIME_ENABLE_MODE_ENABLE_MASK)
		ret = runtime_enable_locked(p, args);
	else
		memset(&p->runtime, 0, sizeof(p->runtime));
	mutex_unlock(&p->lock);
	return ret;
}

/**
 * kfd_process_set_xnack - SET_XNACK_MODE
 * @p: caller
 * @data: struct kfd_ioctl_set_xnack_mode_args
 *
 * No chip here retries faults: the mode is always 0.
 *
 * Return: 0; -EBUSY (a mode is to be set and there are queues); -EPERM (mode 1).
 */
int kfd_process_set_xnack(struct kfd_process *p, void *data)
{
	struct kfd_ioctl_set_xnack_mode_args *args = data;
	int ret = 0;

	if (args->xnack_enabled < 0) {
		args->xnack_enabled = 0;
		return 0;
	}
	mutex_lock(&p->lock);
	if (!xa_empty(&p->queues))
		ret = -EBUSY;
	else if (args->xnack_enabled)
		ret = -EPERM;
	mutex_unlock(&p->lock);
	return ret;
}
