#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# headers.sh RELEASE: prints the folder to build modules for a kernel against:
# a debug kernel's own, or for a Debian kernel its headers. Installed headers
# are used as they are; otherwise the packages are
# unpacked in the cache: from 6.12 on they depend on the kernel image, which
# has no business on this machine's /boot.
set -e
here=$(cd "$(dirname "$0")" && pwd)
. "$here/vm/cache.sh"

release=$1

# depends PACKAGE PREFIX: the package of that prefix which PACKAGE depends on
depends()
{
	apt-cache depends "$1" | sed -n "s/^ *Depends: \\($2[^ ]*\\)\$/\\1/p" | head -n 1
}

# relocate DIR: the headers' makefiles name the folder they were made for
relocate()
{
	find "$1/usr/src" -name Makefile -type f -exec grep -lF /usr/src/linux-headers- {} + |
		while read -r file; do
			sed -i "s,\\([^A-Za-z0-9._/-]\\|^\\)/usr/src/linux-headers-,\\1$2/usr/src/linux-headers-,g" "$file"
		done
}

fetch()
{
	rm -rf "$dir.tmp"
	mkdir -p "$dir.tmp/deb"
	say "fetching $package"
	download "$dir.tmp/deb" "$package" "$(depends "$package" linux-headers-)" \
		"$(depends "$package" linux-kbuild-)"
	for deb in "$dir.tmp"/deb/*.deb; do
		dpkg-deb -x "$deb" "$dir.tmp"
	done
	rm -rf "$dir.tmp/deb"
	relocate "$dir.tmp" "$dir"
	mv "$dir.tmp" "$dir"
}

case $release in
*-debug | *-kcsan | *-uml)
	dir=$("$here/vm/kernel.sh" "$release")
	echo "$dir/build"
	exit
	;;
esac
if [ -d "/usr/src/linux-headers-$release" ]; then
	echo "/usr/src/linux-headers-$release"
	exit
fi
package=linux-headers-$release
version=$(archive_version "$package")
[ -n "$version" ] || die "no $package"
dir=$CACHE/headers/${package}_$version
if [ ! -e "$dir" ]; then
	cache_lock
	[ -e "$dir" ] || fetch
fi
echo "$dir/usr/src/linux-headers-$release"
