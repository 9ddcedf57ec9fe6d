// SPDX-License-Identifier: MIT
/**
 * DOC: XNACK mode
 *
 * Whether GPUs repeat an access that faulted. A negative argument only asks. The
 * KFD knows the question since 1.5; a GPU that cannot answers EPERM.
 */
#include <errno.h>
#include <linux/kfd_ioctl.h>

#include "thunk_context.h"

#define FIRST_MINOR	5

static int xnack_mode(HSAint32 *mode)
{
	struct kfd_ioctl_set_xnack_mode_args args = { .xnack_enabled = *mode };
	int err;

	if (thunk.version.KernelInterfaceMinorVersion < FIRST_MINOR)
		return -EOPNOTSUPP;
	err = thunk_kfd(AMDKFD_IOC_SET_XNACK_MODE, &args);
	if (err)
		return err == -EPERM ? -EOPNOTSUPP : err;
	*mode = args.xnack_enabled;
	return 0;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtSetXNACKMode(HSAint32 enable)
{
	HSAKMT_STATUS status = thunk_enter();

	if (status)
		return status;
	return thunk_leave(xnack_mode(&enable));
}

HSAKMT_STATUS HSAKMTAPI hsaKmtGetXNACKMode(HSAint32 *enable)
{
	HSAKMT_STATUS status = thunk_enter();
	HSAint32 mode = -1;
	int err;

	if (status)
		return status;
	if (!enable)
		return thunk_leave(-EINVAL);
	err = xnack_mode(&mode);
	if (!err)
		*enable = mode;
	return thunk_leave(err);
}
