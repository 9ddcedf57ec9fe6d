#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# initramfs.sh KERNEL-FOLDER: prints the initramfs for a kernel of kernel.sh;
# builds it if the cache has none of the same content. Besides what boots it holds hot.tar,
# the files of hot-files.sh.
set -e
here=$(cd "$(dirname "$0")" && pwd)
. "$here/cache.sh"

kernel=$1
wanted="virtio_pci virtio_console 9pnet_virtio 9p overlay"

# modules_in_order: files below $kernel/modules, dependencies first
modules_in_order()
{
	for name in $wanted; do
		line=$(grep -E "/$name\.ko[^:]*:" "$kernel/modules/modules.dep") || continue
		deps=
		for dep in ${line#*:}; do
			deps="$dep $deps"
		done
		printf '%s\n' $deps "${line%%:*}"
	done | awk '!seen[$0]++'
}

build()
{
	root=$(mktemp -d)
	mkdir -p "$root/bin" "$root/modules" "$root/dev"
	cp "$busybox" "$root/bin/busybox"
	cp "$here/initramfs-init.sh" "$root/init"
	chmod 755 "$root/init"
	tar -cf "$root/hot.tar" -C / --no-recursion --owner=0 --group=0 $hot
	# A kernel with everything built in has an empty list.
	: >"$root/modules/list"
	modules_in_order | while read -r file; do
		base=${file##*/}
		case $base in
		*.xz) xz -dc "$kernel/modules/$file" >"$root/modules/${base%.xz}" ;;
		*) cp "$kernel/modules/$file" "$root/modules/$base" ;;
		esac
		echo "${base%.xz}" >>"$root/modules/list"
	done
	(cd "$root" && find . | LC_ALL=C sort | cpio --quiet -o -H newc) >"$1.tmp"
	rm -rf "$root"
	mv "$1.tmp" "$1"
}

busybox=$(command -v busybox) || die "busybox-static is not installed"
hot=$("$here/hot-files.sh")
key=$({
	cat "$busybox" "$0" "$here/initramfs-init.sh" "$kernel/modules/modules.dep"
	(cd / && stat -c '%n %s %Y' $hot)
} | sha256sum | cut -c 1-16)
image=$CACHE/initramfs/$(cat "$kernel/release")-$key.cpio
if [ ! -e "$image" ]; then
	cache_lock
	mkdir -p "$CACHE/initramfs"
	[ -e "$image" ] || build "$image"
fi
echo "$image"
