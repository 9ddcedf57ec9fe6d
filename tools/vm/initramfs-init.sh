#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0-only
#
# First process of the test VM, kept in the initramfs. It makes the host's
# root file system, exported read-only over 9p, into a writable root (an
# overlay whose upper layer is memory, above copies of the host's files that are
# opened most), mounts the job folder, and hands over
# to guest-init.sh, which is part of the job and not of the initramfs.
#
# With carillon.probe on the command line it only reports that a guest can
# boot here.

/bin/busybox mkdir -p /proc /sys /dev /run /hot /host /newroot
/bin/busybox --install -s /bin
export PATH=/bin

# leave CODE: ends the VM at once; QEMU's exit status is 2 * CODE + 1.
leave()
{
	printf "\\$(printf %o "$1")" | dd of=/dev/port bs=1 seek=244 conv=notrunc 2>/dev/null
	reboot -f
}

die()
{
	echo "initramfs: $*" >/dev/console
	leave 20
}

mount -t proc proc /proc || die "no /proc"
mount -t sysfs sysfs /sys || die "no /sys"
mount -t devtmpfs devtmpfs /dev 2>/dev/null

grep -qw carillon.probe /proc/cmdline && leave 16

mount -t tmpfs -o mode=755 tmpfs /run || die "no tmpfs"
while read -r module; do
	insmod "/modules/$module" || die "insmod $module"
done </modules/list
# A file system of its own: that of the initramfs is emptied when the root changes.
mount -t tmpfs -o mode=755 hot /hot && tar -xf /hot.tar -C /hot || die "no hot files"
rm /hot.tar

# Here a snapshot of the VM is taken (snapshot.sh): w tells to wait for it. Nothing of
# the host is mounted yet.
echo "carillon-vm: ready" >/dev/kmsg
while [ "$(dd if=/dev/port bs=1 skip=233 count=1 2>/dev/null)" = w ]; do
	usleep 20000
done

opts=trans=virtio,version=9p2000.L,msize=512000
mount -t 9p -o "$opts,ro,cache=loose" host /host || die "the host's root does not mount"
mkdir -p /run/upper /run/work
mount -t overlay -o lowerdir=/hot:/host,upperdir=/run/upper,workdir=/run/work overlay /newroot ||
	die "overlay"

mount -t tmpfs -o mode=755 tmpfs /newroot/run
mkdir -p /newroot/run/job
mount -t 9p -o "$opts,cache=none" job /newroot/run/job || die "the job folder does not mount"
for dir in proc sys dev; do
	mkdir -p "/newroot/$dir"
	mount --move "/$dir" "/newroot/$dir"
done

# shellcheck disable=SC2093 # exec fails if the root is not usable
exec switch_root /newroot /bin/sh /run/job/guest-init.sh
die "switch_root"
