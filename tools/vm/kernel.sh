#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# kernel.sh [VERSION]: prints the folder of an unpacked stock Debian kernel
# and fills it first if it is not in the cache. Nothing is installed.
# kernel.sh --release [VERSION]: prints only the release.
#
# VERSION is a kernel release (6.1.0-57-amd64) or a series (6.1, 6.12);
# without it, the release of the newest installed headers of the running
# distribution's default kernel. "debug", or a release that ends in -debug, is
# our own x86-64 debug kernel (tools/kernel/debug-kernel.sh); "kcsan", or one that ends in
# -kcsan, the one that finds data races; "uml", or one that ends in -uml, our own user-mode
# one (run.sh runs it). The folder holds:
#   release   the kernel's release
#   vmlinux   the ELF image (boots through PVH, without the decompressor)
#   modules/  lib/modules/RELEASE with a module index
# It is keyed by the version of the package, so that a new upload of the same
# release is fetched anew.
set -e
here=$(cd "$(dirname "$0")" && pwd)
. "$here/cache.sh"

# headers_release: the release that linux-headers-amd64 stands for
headers_release()
{
	dpkg-query -W -f '${Depends}' linux-headers-amd64 2>/dev/null |
		sed -n 's/^linux-headers-\([^ ,]*\).*/\1/p'
}

# series_release SERIES: the release behind the archive's metapackage
series_release()
{
	case $1 in
	6.1) meta=linux-image-amd64 ;;
	*) meta=linux-image-$1-amd64 ;;
	esac
	apt-cache depends "$meta" 2>/dev/null |
		sed -n 's/^ *Depends: linux-image-\([0-9][^ ]*\)$/\1/p' | head -n 1
}

release_of()
{
	case $1 in
	'') headers_release ;;
	*-*) echo "$1" ;;
	*) series_release "$1" ;;
	esac
}

# extract_vmlinux VMLINUZ: writes the ELF image to standard output. The setup
# header of a bzImage tells where the compressed payload is: sectors of setup
# code at 0x1f1, payload offset and length at 0x248 and 0x24c. The last four
# bytes of the payload are its unpacked size.
extract_vmlinux()
{
	setup=$(od -A n -t u1 -j 497 -N 1 "$1" | tr -d ' ')
	offset=$(od -A n -t u4 -j 584 -N 4 "$1" | tr -d ' ')
	length=$(od -A n -t u4 -j 588 -N 4 "$1" | tr -d ' ')
	start=$(((setup + 1) * 512 + offset + 1))
	case $(tail -c "+$start" "$1" | od -A n -t x4 -N 4 | tr -d ' ') in
	fd2fb528) unpack=zstd ;;
	587a37fd) unpack=xz ;;
	*) die "$1 is packed in an unknown way" ;;
	esac
	tail -c "+$start" "$1" | head -c "$((length - 4))" | $unpack -dc
}

fetch()
{
	dir=$1
	package=$2
	tmp=$dir.tmp
	rm -rf "$tmp"
	mkdir -p "$tmp/deb"
	say "fetching $package"
	download "$tmp/deb" "$package"
	dpkg-deb -x "$tmp"/deb/*.deb "$tmp/root"
	extract_vmlinux "$tmp/root/boot/vmlinuz-$release" >"$tmp/vmlinux"
	[ "$(head -c 4 "$tmp/vmlinux" | tail -c 3)" = ELF ] || die "no ELF image in $package"
	PATH="$PATH:/usr/sbin:/sbin" depmod -b "$tmp/root" "$release"
	mv "$tmp/root/lib/modules/$release" "$tmp/modules"
	echo "$release" >"$tmp/release"
	rm -rf "$tmp/deb" "$tmp/root" "$dir"
	mv "$tmp" "$dir"
}

only_release=
if [ "$1" = --release ]; then
	only_release=1
	shift
fi
case $1 in
debug | *-debug) exec "$here/../kernel/debug-kernel.sh" ${only_release:+--release} ;;
kcsan | *-kcsan) exec "$here/../kernel/debug-kernel.sh" ${only_release:+--release} kcsan ;;
uml | *-uml) exec "$here/../kernel/debug-kernel.sh" ${only_release:+--release} uml ;;
esac
release=$(release_of "$1")
[ -n "$release" ] || die "no kernel for '${1:-the installed linux-headers-amd64}'"
[ -z "$only_release" ] || { echo "$release"; exit; }
package=linux-image-$release
version=$(archive_version "$package")
if [ -z "$version" ]; then
	# Not in the archive any more: an earlier copy will do.
	for dir in "$CACHE/kernel/${package}_"*; do
		[ -e "$dir/release" ] && echo "$dir" && exit 0
	done
	die "$package is neither in the archive nor in $CACHE"
fi
dir=$CACHE/kernel/${package}_$version
if [ ! -e "$dir/release" ]; then
	cache_lock
	[ -e "$dir/release" ] || fetch "$dir" "$package"
fi
echo "$dir"
