// SPDX-License-Identifier: MIT
/* DOC: opening device files, and saying why not; device_open.h has the rules. */
#include "device_open.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "thunk_ioctl.h"
#include "thunk_log.h"
#include "thunk_util.h"

/* Errnos that are told apart; EACCES has more to say than one text. */
static const struct {
	int err;
	HSAKMT_STATUS status;
	const char *why;
} failures[] = {
	{ ENOENT, HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED,
	  "no such device file: no driver is loaded, or the container lacks the device" },
	{ ENXIO, HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED, "no driver behind the device file" },
	{ ENODEV, HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED, "no driver behind the device file" },
	{ EACCES, HSAKMT_STATUS_KERNEL_COMMUNICATION_ERROR, NULL },
	{ EPERM, HSAKMT_STATUS_UNAVAILABLE, "filtered out by the device cgroup" },
};

static size_t find(int err)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(failures); i++)
		if (failures[i].err == err)
			break;
	return i;
}

/* Whom the file is for, as far as that can be seen. */
static void say_no_permission(const char *path)
{
	struct stat st;

	if (stat(path, &st)) {
		thunk_err("%s: no permission for uid %u", path, geteuid());
		return;
	}
	thunk_err("%s: no permission for uid %u: mode %04o, owner %u, group %u (add the user to it)",
		  path, geteuid(), st.st_mode & 07777, st.st_uid, st.st_gid);
}

static void say_why(const char *path, int err)
{
	size_t i = find(err);

	if (err == EACCES)
		say_no_permission(path);
	else if (i < ARRAY_SIZE(failures))
		thunk_err("%s: %s", path, failures[i].why);
	else
		thunk_err("%s: %s", path, strerror(err));
}

int device_open(const char *path)
{
	int fd = thunk_sys->open(path, O_RDWR | O_CLOEXEC);
	int err = errno;

	if (fd >= 0)
		return fd;
	say_why(path, err);
	return -err;
}

HSAKMT_STATUS device_open_status(int err)
{
	size_t i = find(-err);

	return i < ARRAY_SIZE(failures) ? failures[i].status :
					  HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED;
}
