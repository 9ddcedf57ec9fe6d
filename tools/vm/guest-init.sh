#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Second stage of the test VM: runs as process 1 on the host's own root file
# system (copy on write). /run/job is the job folder that run.sh wrote:
#   vars       settings of this run
#   shares     one line a shared folder: 9p tag, path
#   copies     one line a folder to have a copy of: path; copyN.tar is the N-th one's content
#   load       one line a module to load: name and parameters
#   command.sh what to run
# and where this script writes `status` (the command's exit status),
# `tainted` (/proc/sys/kernel/tainted at the end) and `kmsg`.

PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH HOME=/root LC_ALL=C.UTF-8 TERM="${TERM:-linux}"

leave()
{
	sync
	[ -z "$UML" ] || "$job/busybox" poweroff -f
	printf "\\$(printf %o "$1")" | dd of=/dev/port bs=1 seek=244 conv=notrunc 2>/dev/null
	"$job/busybox" reboot -f
}

die()
{
	echo "guest: $*" >/dev/console
	echo "guest: $*" >>"$job/guest.err"
	leave 20
}

# port NAME: the character device of the virtio port of that name; of the user-mode
# kernel, a file
port()
{
	[ -z "$UML" ] || {
		echo "$job/$1"
		return
	}
	for dir in /sys/class/virtio-ports/*; do
		if [ "$(cat "$dir/name" 2>/dev/null)" = "$1" ]; then
			echo "/dev/${dir##*/}"
			return
		fi
	done
	echo /dev/null
}

mount_all()
{
	mkdir -p /dev/pts /dev/shm
	mount -t devpts -o gid=5,mode=620 devpts /dev/pts
	mount -t tmpfs -o mode=1777 tmpfs /dev/shm
	ln -sf /proc/self/fd /dev/fd
	ln -sf fd/0 /dev/stdin
	ln -sf fd/1 /dev/stdout
	ln -sf fd/2 /dev/stderr
	mount -t debugfs debugfs /sys/kernel/debug
	mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null

	mkdir -p "/lib/modules/$KVER"
	mount --bind "$MODULES" "/lib/modules/$KVER" || die "no modules of $KVER"

	while read -r tag path; do
		mkdir -p "$path"
		if [ -n "$UML" ]; then
			mount -t hostfs -o "$path" none "$path"
		else
			mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000,cache=mmap \
				"$tag" "$path"
		fi || die "share $path"
	done <"$job/shares"
	copy_all
}

# copy_all: copies in memory over the folders that they are of
copy_all()
{
	number=0
	while read -r path; do
		mkdir -p "$path"
		mount -t tmpfs -o mode=755 copy "$path" &&
			tar -xf "$job/copy$number.tar" -C "$path" || die "copy $path"
		number=$((number + 1))
	done <"$job/copies"
}

# restored: the VM started from a snapshot, whose time and random numbers are those of
# when it was taken. A new file tells the host's time.
restored()
{
	: >"$job/now"
	date -s "@$(stat -c %.3Y "$job/now")" >/dev/null
	cat "$job/seed" >/dev/urandom
	# RNDRESEEDCRNG: from now on, not within a minute
	perl -e 'open(R, ">", "/dev/urandom") and ioctl(R, 0x5207, 0) or exit 1' ||
		echo "guest: old random numbers" >>"$job/guest.err"
}

job=/run/job
. "$job/vars"
: >"$job/alive"
[ ! -e "$job/restored" ] || restored
echo "carillon-vm: up" >/dev/kmsg
mount_all

mkdir -p /run/bin
ln -sf "$TOOLS/modload" /run/bin/modload
PATH="/run/bin:$PATH"
CARILLON_MODULES_DIR=$MODULES_DIR
export CARILLON_MODULES_DIR

while read -r line; do
	# word splitting gives the name and its parameters
	modload $line || die "module '$line' did not load"
done <"$job/load"

# The mark lets the log check tell the boot from the run.
echo "carillon-vm: running the command" >/dev/kmsg
cd "$WORKDIR" || die "no $WORKDIR in the guest"
if [ -n "$INTERACTIVE" ]; then
	setsid -c -w /bin/sh "$job/command.sh" </dev/hvc0 >/dev/hvc0 2>&1
	status=$?
else
	/bin/sh "$job/command.sh" <"${STDIN:-/dev/null}" >"$(port out)" 2>"$(port err)"
	status=$?
fi
echo "$status" >"$job/status"
cat /proc/sys/kernel/tainted >"$job/tainted"
dmesg >"$job/kmsg"
leave 16
