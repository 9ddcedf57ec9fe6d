// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: ioctl dispatch
 *
 * One row a command: size and direction of its argument, and who does it.  The
 * number alone chooses the row.  The size that the caller encoded only says how much
 * of the argument it has: a shorter one is read as if zeroes followed, a longer one
 * keeps its tail.  The argument is written back whether the command failed or not.
 *
 * Commands that are known but not done have a row with their errno; numbers beyond
 * the table are ENOTTY.  Documentation/uapi.rst lists all of them.
 */
#include <linux/capability.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/ioctl.h>
#include <linux/minmax.h>
#include <linux/nospec.h>
#include <linux/uaccess.h>

#include "kfd_buffer.h"
#include "kfd_criu.h"
#include "kfd_event.h"
#include "kfd_ioctl.h"
#include "kfd_ioctl_layout.h"
#include "kfd_process.h"
#include "kfd_process_ioctl.h"
#include "kfd_queue.h"
#include "kfd_smi.h"

/**
 * struct kfd_ioctl_op - a command
 * @cmd: number, size and direction
 * @fn: does it, under no lock
 * @err: what it fails with where there is no @fn; 0: ENOTTY
 * @checkpoint: for those with CAP_CHECKPOINT_RESTORE, who may trace the process instead of
 *	being it
 */
struct kfd_ioctl_op {
	unsigned int cmd;
	int (*fn)(struct kfd_process *p, void *args);
	int err;
	bool checkpoint;
};

/* Room for the argument of any command that has a function. */
union kfd_ioctl_args {
	struct kfd_ioctl_get_process_apertures_args largest;
	u64 align;
};

#define KFD_OP(name, type, function)						\
	[_IOC_NR(AMDKFD_IOC_##name)] = {					\
		.cmd = AMDKFD_IOC_##name + BUILD_BUG_ON_ZERO(			\
			sizeof(struct type) > sizeof(union kfd_ioctl_args)),	\
		.fn = (function),						\
	}
#define KFD_NO_OP(name, error)							\
	[_IOC_NR(AMDKFD_IOC_##name)] = { .cmd = AMDKFD_IOC_##name, .err = (error) }

static const struct kfd_ioctl_op kfd_ops[AMDKFD_COMMAND_END] = {
	KFD_OP(GET_VERSION, kfd_ioctl_get_version_args, kfd_process_get_version),
	KFD_OP(CREATE_QUEUE, kfd_ioctl_create_queue_args, kfd_queue_create),
	KFD_OP(DESTROY_QUEUE, kfd_ioctl_destroy_queue_args, kfd_queue_destroy),
	KFD_OP(SET_MEMORY_POLICY, kfd_ioctl_set_memory_policy_args, kfd_process_set_policy),
	KFD_OP(GET_CLOCK_COUNTERS, kfd_ioctl_get_clock_counters_args, kfd_process_get_clocks),
	KFD_OP(GET_PROCESS_APERTURES, kfd_ioctl_get_process_apertures_args,
	       kfd_process_get_apertures),
	KFD_OP(UPDATE_QUEUE, kfd_ioctl_update_queue_args, kfd_queue_update),
	KFD_OP(CREATE_EVENT, kfd_ioctl_create_event_args, kfd_event_create),
	KFD_OP(DESTROY_EVENT, kfd_ioctl_destroy_event_args, kfd_event_destroy),
	KFD_OP(SET_EVENT, kfd_ioctl_set_event_args, kfd_event_set),
	KFD_OP(RESET_EVENT, kfd_ioctl_reset_event_args, kfd_event_reset),
	KFD_OP(WAIT_EVENTS, kfd_ioctl_wait_events_args, kfd_event_wait),
	KFD_NO_OP(DBG_REGISTER_DEPRECATED, -EPERM),
	KFD_NO_OP(DBG_UNREGISTER_DEPRECATED, -EPERM),
	KFD_NO_OP(DBG_ADDRESS_WATCH_DEPRECATED, -EPERM),
	KFD_NO_OP(DBG_WAVE_CONTROL_DEPRECATED, -EPERM),
	KFD_OP(SET_SCRATCH_BACKING_VA, kfd_ioctl_set_scratch_backing_va_args,
	       kfd_process_set_scratch),
	KFD_OP(GET_TILE_CONFIG, kfd_ioctl_get_tile_config_args, kfd_process_get_tile_config),
	KFD_OP(SET_TRAP_HANDLER, kfd_ioctl_set_trap_handler_args, kfd_process_set_trap),
	KFD_OP(GET_PROCESS_APERTURES_NEW, kfd_ioctl_get_process_apertures_new_args,
	       kfd_process_get_apertures_new),
	KFD_OP(ACQUIRE_VM, kfd_ioctl_acquire_vm_args, kfd_process_acquire_vm),
	KFD_OP(ALLOC_MEMORY_OF_GPU, kfd_ioctl_alloc_memory_of_gpu_args, kfd_buffer_alloc),
	KFD_OP(FREE_MEMORY_OF_GPU, kfd_ioctl_free_memory_of_gpu_args, kfd_buffer_free),
	KFD_OP(MAP_MEMORY_TO_GPU, kfd_ioctl_map_memory_to_gpu_args, kfd_buffer_map),
	KFD_OP(UNMAP_MEMORY_FROM_GPU, kfd_ioctl_unmap_memory_from_gpu_args, kfd_buffer_unmap),
	KFD_NO_OP(SET_CU_MASK, -EINVAL),
	KFD_NO_OP(GET_QUEUE_WAVE_STATE, -EINVAL),
	KFD_OP(GET_DMABUF_INFO, kfd_ioctl_get_dmabuf_info_args, kfd_buffer_get_info),
	KFD_OP(IMPORT_DMABUF, kfd_ioctl_import_dmabuf_args, kfd_buffer_import),
	KFD_NO_OP(ALLOC_QUEUE_GWS, -ENODEV),
	KFD_OP(SMI_EVENTS, kfd_ioctl_smi_events_args, kfd_smi_open),
	KFD_NO_OP(SVM, -EPERM),
	KFD_OP(SET_XNACK_MODE, kfd_ioctl_set_xnack_mode_args, kfd_process_set_xnack),
	[_IOC_NR(AMDKFD_IOC_CRIU_OP)] = {
		.cmd = AMDKFD_IOC_CRIU_OP, .fn = kfd_criu_op, .checkpoint = true,
	},
	KFD_OP(AVAILABLE_MEMORY, kfd_ioctl_get_available_memory_args, kfd_buffer_available),
	KFD_OP(EXPORT_DMABUF, kfd_ioctl_export_dmabuf_args, kfd_buffer_export),
	KFD_OP(RUNTIME_ENABLE, kfd_ioctl_runtime_enable_args, kfd_process_runtime_enable),
};

/* The row of a command, or NULL. */
static const struct kfd_ioctl_op *kfd_ioctl_find(unsigned int cmd)
{
	unsigned int nr = _IOC_NR(cmd);

	/* Another letter is another driver's command (isatty() asks with 'T'). */
	if (_IOC_TYPE(cmd) != AMDKFD_IOCTL_BASE || nr >= ARRAY_SIZE(kfd_ops))
		return NULL;
	nr = array_index_nospec(nr, ARRAY_SIZE(kfd_ops));
	return kfd_ops[nr].cmd ? &kfd_ops[nr] : NULL;
}

static int kfd_ioctl_call(const struct kfd_ioctl_op *op, struct kfd_process *p,
			  void __user *arg, size_t size)
{
	union kfd_ioctl_args args = { };
	int ret;

	if ((op->cmd & IOC_IN) && copy_from_user(&args, arg, size))
		return -EFAULT;
	ret = op->fn(p, &args);
	if ((op->cmd & IOC_OUT) && copy_to_user(arg, &args, size))
		return -EFAULT;
	return ret;
}

/**
 * kfd_ioctl - any ioctl on /dev/kfd
 * @file: descriptor
 * @cmd: command with the size that the caller has
 * @arg: argument
 *
 * Context: Process context.
 * Return: what the command returned; -EBADF unless the opener calls; -EACCES without the
 * privilege that the command needs; -ENOTTY.
 */
long kfd_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	const struct kfd_ioctl_op *op = kfd_ioctl_find(cmd);
	struct kfd_process *p = file->private_data;

	if (!op)
		return -ENOTTY;
	if (!kfd_process_is_owner(p) && !(op->checkpoint && kfd_process_is_tracer(p)))
		return -EBADF;
	if (op->checkpoint && !capable(CAP_CHECKPOINT_RESTORE) && !capable(CAP_SYS_ADMIN))
		return -EACCES;
	if (!op->fn)
		return op->err;
	return kfd_ioctl_call(op, p, (void __user *)arg, min(_IOC_SIZE(cmd), _IOC_SIZE(op->cmd)));
}
