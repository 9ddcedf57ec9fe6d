#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# uml-init.sh JOB: first process of the user-mode kernel, whose root is the host's,
# read-only. Like initramfs-init.sh it puts a writable layer over it, mounts the job
# folder and hands over to guest-init.sh.
job=$1
PATH=/usr/sbin:/usr/bin:/sbin:/bin

die()
{
	echo "uml-init: $*" >/dev/kmsg
	"$job/busybox" poweroff -f
}

mount -t proc proc /proc || die "no /proc"
mount -t devtmpfs devtmpfs /dev || die "no /dev"
mount -t tmpfs -o mode=755 tmpfs /run || die "no tmpfs"
mkdir -p /run/upper /run/work /run/root
mount -t overlay -o lowerdir=/,upperdir=/run/upper,workdir=/run/work overlay /run/root ||
	die "overlay"
root=/run/root
mount -t tmpfs -o mode=755 tmpfs $root/run
mkdir -p $root/run/job
mount -t hostfs -o "$job" none $root/run/job || die "the job folder does not mount"
mount -t proc proc $root/proc
mount -t sysfs sysfs $root/sys || die "no /sys"
mount --move /dev $root/dev
# shellcheck disable=SC2093 # exec fails if the root is not usable
exec chroot $root /bin/sh /run/job/guest-init.sh
die "chroot"
