/* SPDX-License-Identifier: MIT */
#ifndef DEVICE_OPEN_H
#define DEVICE_OPEN_H

#include "hsakmt/hsakmttypes.h"

/**
 * DOC: opening device files, and saying why not
 *
 * Most trouble of users is here: no driver, a container without the device, the
 * wrong group. Each has a status of its own and one line in the log that says what
 * would help.
 *
 *	no device file, or no driver behind it	KERNEL_IO_CHANNEL_NOT_OPENED
 *	no permission (mode, owner, group)	KERNEL_COMMUNICATION_ERROR
 *	filtered out (device cgroup)		UNAVAILABLE
 *	another major version			DRIVER_MISMATCH
 *
 * A machine without GPU, or one whose GPUs are all filtered out, can be opened: its
 * CPU nodes can be used. Calls that name a GPU say INVALID_NODE_UNIT in the first
 * case and UNAVAILABLE in the second.
 */

/* Open for reading and writing. Return: a descriptor or a negative errno. */
int device_open(const char *path);

/* The status of an open of /dev/kfd that failed with @err. */
HSAKMT_STATUS device_open_status(int err);

#endif
