#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# accel.sh VMLINUX INITRAMFS: prints the QEMU options for the accelerator.
# /dev/kvm may exist and not work (nested, or without rights), so a guest is
# booted under it once; the answer holds until the host boots again.
# CARILLON_ACCEL=kvm|tcg overrides. The emulator runs string instructions byte by byte:
# without ERMS, neither the kernel nor libc take these for copies (four times as fast).
here=$(cd "$(dirname "$0")" && pwd)
. "$here/cache.sh"

probe()
{
	[ -r /dev/kvm ] && [ -w /dev/kvm ] || return 1
	timeout -k 2 15 qemu-system-x86_64 -accel kvm -cpu host -M pc -m 256M -nodefaults \
		-no-user-config -display none -no-reboot -kernel "$1" -initrd "$2" \
		-append "panic=-1 carillon.probe" \
		-device isa-debug-exit,iobase=0xf4,iosize=4 </dev/null >/dev/null 2>&1
	[ $? = 33 ]
}

answer()
{
	boot=$(cat /proc/sys/kernel/random/boot_id)
	file=$CACHE/accel-$boot
	if [ ! -e "$file" ]; then
		mkdir -p "$CACHE"
		rm -f "$CACHE"/accel-*
		if probe "$1" "$2"; then
			echo kvm >"$file"
		else
			echo tcg >"$file"
		fi
	fi
	cat "$file"
}

case ${CARILLON_ACCEL:-$(answer "$1" "$2")} in
kvm) echo "-accel kvm -cpu host" ;;
*) echo "-accel tcg,thread=multi -cpu max,-erms" ;;
esac
