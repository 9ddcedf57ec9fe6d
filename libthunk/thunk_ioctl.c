// SPDX-License-Identifier: MIT
/* DOC: the one way out; thunk_ioctl.h has the rules. */
#include "thunk_ioctl.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "thunk_log.h"
#include "thunk_util.h"

/* Busy answers: this many, with a pause of a millisecond after the first ones. */
#define BUSY_RETRIES		10000
#define BUSY_RETRIES_HOT	16

/* The kernel's own "not supported"; it may leave an ioctl as it is. */
#define KERNEL_ENOTSUPP		524

static int sys_open(const char *path, int flags)
{
	return open(path, flags);
}

static int sys_ioctl(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg);
}

static int sys_take_fd(pid_t pid, int fd)
{
	int process = (int)syscall(SYS_pidfd_open, pid, 0);
	int taken;
	int err;

	if (process < 0)
		return -1;
	taken = (int)syscall(SYS_pidfd_getfd, process, fd, 0);
	err = errno;
	close(process);
	errno = err;
	return taken;
}

const struct thunk_sys_ops thunk_sys_default = {
	.open = sys_open,
	.close = close,
	.ioctl = sys_ioctl,
	.mmap = mmap,
	.take_fd = sys_take_fd,
};

const struct thunk_sys_ops *thunk_sys = &thunk_sys_default;

static void pause_busy(int round)
{
	static const struct timespec ms = { .tv_nsec = 1000000 };

	if (round >= BUSY_RETRIES_HOT)
		nanosleep(&ms, NULL);
}

int thunk_ioctl(int fd, unsigned long request, void *arg)
{
	int busy = 0;

	while (thunk_sys->ioctl(fd, request, arg)) {
		int err = errno;

		if (err == EINTR)
			continue;
		if (err == EAGAIN && busy < BUSY_RETRIES) {
			pause_busy(busy++);
			continue;
		}
		thunk_debug("ioctl %#lx: errno %d", request & 0xff, err);
		return -err;
	}
	return 0;
}

static const struct {
	int err;
	HSAKMT_STATUS status;
} status_table[] = {
	{ EINVAL,	HSAKMT_STATUS_INVALID_PARAMETER },
	{ EFAULT,	HSAKMT_STATUS_INVALID_PARAMETER },
	{ EEXIST,	HSAKMT_STATUS_INVALID_PARAMETER },
	{ ENOENT,	HSAKMT_STATUS_INVALID_HANDLE },
	{ ENODEV,	HSAKMT_STATUS_INVALID_NODE_UNIT },
	{ ENOMEM,	HSAKMT_STATUS_NO_MEMORY },
	{ ENOSPC,	HSAKMT_STATUS_OUT_OF_RESOURCES },
	{ EMFILE,	HSAKMT_STATUS_OUT_OF_RESOURCES },
	{ ENFILE,	HSAKMT_STATUS_OUT_OF_RESOURCES },
	{ ENOTTY,	HSAKMT_STATUS_NOT_SUPPORTED },
	{ EOPNOTSUPP,	HSAKMT_STATUS_NOT_SUPPORTED },
	{ KERNEL_ENOTSUPP, HSAKMT_STATUS_NOT_SUPPORTED },
	{ EBUSY,	HSAKMT_STATUS_UNAVAILABLE },
	{ EAGAIN,	HSAKMT_STATUS_UNAVAILABLE },
	{ EBADF,	HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED },
	{ THUNK_EHIDDEN, HSAKMT_STATUS_UNAVAILABLE },
	{ EACCES,	HSAKMT_STATUS_KERNEL_COMMUNICATION_ERROR },
	{ EIO,		HSAKMT_STATUS_KERNEL_COMMUNICATION_ERROR },
	{ ETIME,	HSAKMT_STATUS_WAIT_TIMEOUT },
	{ ETIMEDOUT,	HSAKMT_STATUS_WAIT_TIMEOUT },
};

HSAKMT_STATUS thunk_status(int err)
{
	size_t i;

	if (!err)
		return HSAKMT_STATUS_SUCCESS;
	for (i = 0; i < ARRAY_SIZE(status_table); i++)
		if (status_table[i].err == -err)
			return status_table[i].status;
	return HSAKMT_STATUS_ERROR;
}
