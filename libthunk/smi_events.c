// SPDX-License-Identifier: MIT
/* DOC: system management events; what is read from the descriptor is the driver's. */
#include <errno.h>
#include <linux/kfd_ioctl.h>

#include "thunk_context.h"

static int open_smi(const struct thunk_gpu *gpu, int *fd)
{
	struct kfd_ioctl_smi_events_args args = { .gpuid = gpu->gpu_id };
	int err = thunk_kfd(AMDKFD_IOC_SMI_EVENTS, &args);

	if (!err)
		*fd = (int)args.anon_fd;
	return err;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtOpenSMI(HSAuint32 NodeId, int *fd)
{
	struct thunk_gpu *gpu;
	HSAKMT_STATUS status = thunk_enter_gpu(NodeId, &gpu);

	if (status)
		return status;
	return thunk_leave(fd ? open_smi(gpu, fd) : -EINVAL);
}
