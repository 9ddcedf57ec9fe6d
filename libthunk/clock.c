// SPDX-License-Identifier: MIT
/* DOC: clocks of one moment: the GPU's, the CPU's raw one, the system's with its frequency. */
#include <errno.h>
#include <linux/kfd_ioctl.h>

#include "thunk_context.h"

HSAKMT_STATUS HSAKMTAPI hsaKmtGetClockCounters(HSAuint32 NodeId, HsaClockCounters *Counters)
{
	struct kfd_ioctl_get_clock_counters_args args = { 0 };
	HSAKMT_STATUS status = thunk_enter();
	int err;

	if (status)
		return status;
	if (!Counters)
		return thunk_leave(-EINVAL);
	err = thunk_node_gpu_id(NodeId, &args.gpu_id);
	if (!err)
		err = thunk_kfd(AMDKFD_IOC_GET_CLOCK_COUNTERS, &args);
	if (!err) {
		Counters->GPUClockCounter = args.gpu_clock_counter;
		Counters->CPUClockCounter = args.cpu_clock_counter;
		Counters->SystemClockCounter = args.system_clock_counter;
		Counters->SystemClockFrequencyHz = args.system_clock_freq;
	}
	return thunk_leave(err);
}
