// SPDX-License-Identifier: MIT
/**
 * DOC: a runtime tells of itself for a debugger
 *
 * Runtimes do so at their start. Drivers that tell a version before 1.13 are not asked,
 * and the answer is that of a call that is not supported, which runtimes take for "no
 * debugger here": a success makes them expect exceptions of queues to be told another way.
 */
#include <errno.h>
#include <linux/kfd_ioctl.h>
#include <stdint.h>

#include "thunk_context.h"

/* RUNTIME_ENABLE came with it. */
#define FIRST_MINOR	13

static int runtime_mode(const void *r_debug, uint32_t mode, uint32_t *caps)
{
	struct kfd_ioctl_runtime_enable_args args = {
		.r_debug = (uintptr_t)r_debug,
		.mode_mask = mode,
	};
	int err;

	if (thunk.version.KernelInterfaceMinorVersion < FIRST_MINOR)
		return -EOPNOTSUPP;
	err = thunk_kfd(AMDKFD_IOC_RUNTIME_ENABLE, &args);
	if (!err && caps)
		*caps = args.capabilities_mask;
	return err;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtRuntimeEnable(void *rDebug, bool setupTtmp)
{
	uint32_t mode = KFD_RUNTIME_ENABLE_MODE_ENABLE_MASK;
	HSAKMT_STATUS status = thunk_enter();

	if (status)
		return status;
	if (setupTtmp)
		mode |= KFD_RUNTIME_ENABLE_MODE_TTMP_SAVE_MASK;
	return thunk_leave(runtime_mode(rDebug, mode, &thunk.runtime_caps));
}

HSAKMT_STATUS HSAKMTAPI hsaKmtRuntimeDisable(void)
{
	HSAKMT_STATUS status = thunk_enter();

	if (status)
		return status;
	return thunk_leave(runtime_mode(NULL, 0, NULL));
}

HSAKMT_STATUS HSAKMTAPI hsaKmtGetRuntimeCapabilities(HSAuint32 *caps_mask)
{
	HSAKMT_STATUS status = thunk_enter();

	if (status)
		return status;
	if (!caps_mask)
		return thunk_leave(-EINVAL);
	*caps_mask = thunk.runtime_caps;
	return thunk_leave(0);
}
