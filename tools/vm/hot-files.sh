#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# hot-files.sh: prints those files of the host that nearly every command in a test VM
# opens, with the links on the way to them, without the leading slash. The VM keeps them in
# its memory (initramfs.sh): over 9p each open takes three round trips to the host, and a
# started program opens half a dozen files.

# What is not installed is left out.
programs="awk basename bash busybox cat chmod chroot cmp cp cut date dd diff dirname dmesg
	env expr find getopt grep head id insmod kill kmod ls lspci mkdir mkfifo mktemp modinfo
	modprobe mount mv nl nproc nsenter od perl printf ps readlink realpath rm rmdir rmmod
	rocminfo sed seq setpriv setsid sh sleep sort stat stty sync tail tee test timeout touch
	tr true umount uname uniq unshare wc xargs"
others="/etc/ld.so.cache /etc/nsswitch.conf /etc/passwd /etc/group /usr/share/locale/locale.alias
	/usr/lib/x86_64-linux-gnu/gconv/gconv-modules.cache
	/usr/lib/x86_64-linux-gnu/libhsa-runtime64.so.1 /usr/lib/x86_64-linux-gnu/libhsakmt.so.1"

PATH=$PATH:/usr/sbin:/sbin

# files: programs, others, and the libraries of both
files()
{
	for program in $programs; do
		command -v "$program"
	done | grep '^/'
	for file in $others /usr/lib/locale/C.utf8/* /usr/lib/locale/C.utf8/*/*; do
		[ -f "$file" ] && echo "$file"
	done
}

# libraries FILE...: what the loader would map with them
libraries()
{
	ldd "$@" 2>/dev/null | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p; s/^[ \t]*\(\/[^ :]*\) (.*/\1/p'
}

# resolved FILE: the file and each link to follow, in the folders that they are really in
resolved()
{
	at=$1
	case $at in
	/*/*) [ ! -L "/$(echo "$at" | cut -d / -f 2)" ] || echo "/$(echo "$at" | cut -d / -f 2)" ;;
	esac
	while :; do
		folder=$(cd "${at%/*}/" && pwd -P)
		at=${folder%/}/${at##*/}
		echo "$at"
		[ -L "$at" ] || return 0
		to=$(readlink "$at")
		case $to in
		/*) at=$to ;;
		*) at=$folder/$to ;;
		esac
	done
}

all=$(files)
{
	printf '%s\n' "$all"
	libraries $all
} | sort -u | while read -r file; do
	resolved "$file"
done | sort -u | sed 's|^/||'
