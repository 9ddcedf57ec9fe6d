/* SPDX-License-Identifier: MIT */
#ifndef THUNK_IOCTL_H
#define THUNK_IOCTL_H

#include <errno.h>
#include <stddef.h>
#include <sys/types.h>

#include "hsakmt/hsakmttypes.h"

/**
 * DOC: the one way out
 *
 * Every open, ioctl and device mapping of the library, and every descriptor that it
 * takes over from another process, goes through the ops below
 * and nowhere else. The default ops are the system calls; a test puts a fake
 * device in their place. Inside the library errors are negative errno values;
 * thunk_status() turns them into HSAKMT codes once, at the edge.
 */

/**
 * struct thunk_sys_ops - the calls that reach a device
 * @open: as open(2) with two arguments
 * @close: as close(2)
 * @ioctl: as ioctl(2)
 * @mmap: as mmap(2), for descriptors of devices only
 * @take_fd: a copy of descriptor @fd of process @pid; -1 and errno as pidfd_getfd(2)
 */
struct thunk_sys_ops {
	int (*open)(const char *path, int flags);
	int (*close)(int fd);
	int (*ioctl)(int fd, unsigned long request, void *arg);
	void *(*mmap)(void *addr, size_t length, int prot, int flags, int fd, off_t offset);
	int (*take_fd)(pid_t pid, int fd);
};

/* Inside the library only: a GPU that is there but not for this process. */
#define THUNK_EHIDDEN	ENOMEDIUM

/* Ops in use. Never NULL. */
extern const struct thunk_sys_ops *thunk_sys;
extern const struct thunk_sys_ops thunk_sys_default;

/**
 * thunk_ioctl() - one ioctl, repeated while a signal or a busy driver says so
 * @fd: descriptor of /dev/kfd
 * @request: AMDKFD_IOC_*
 * @arg: its structure
 *
 * EINTR is repeated without end, because the driver counts a wait's time down
 * in @arg. EAGAIN means "busy" and is repeated for some seconds.
 *
 * Return: 0 or a negative errno.
 */
int thunk_ioctl(int fd, unsigned long request, void *arg);

/* The HSAKMT code for 0 or a negative errno. */
HSAKMT_STATUS thunk_status(int err);

#endif
