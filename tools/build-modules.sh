#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# build-modules.sh [--plant NAME] RELEASE [kunit]: builds the modules for the kernel
# RELEASE in build/modules-RELEASE, from a copy of the sources, so that the tree stays
# clean and several kernels can be built side by side. Where the kernel has KUnit, the
# module with the suites follows, in the folder kunit; with that word, nothing else is
# built. Prints warnings only.
# --plant builds them with a fault of selftests/planted/plant.sh instead, in
# build/modules-RELEASE-planted.
set -e
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/.."

plant=
if [ "$1" = --plant ]; then
	plant=$2
	shift 2
fi
release=$(tools/vm/kernel.sh --release "$1")
headers=$(tools/headers.sh "$release")
# A debug kernel can check and count what happens in modules that ask for it.
instrument='' arch=''
case $release in
*-debug) instrument=y ;;
*-uml) instrument=y arch=ARCH=um ;;
esac
out=build/modules-$release${plant:+-planted}

# copy DIR RSYNC-OPTION...: what the modules are made of; what was built stays
copy()
{
	copy_dir=$1
	shift
	mkdir -p "$copy_dir"
	rsync -a --delete --exclude '*.o' --exclude '*.ko' --exclude '*.mod' --exclude '*.mod.c' \
		--exclude '*.cmd' --exclude '*.gcno' --exclude '*.order' --exclude '*.symvers' \
		--exclude '.*.d' --exclude /build.log --exclude /planted.list "$@" \
		--include /Kbuild --include '/kernel/***' --include '/uapi/***' --exclude '/*' \
		./ "$copy_dir/"
}

# replant: the fault of last time, whose files are older now than their objects, goes
replant()
{
	[ ! -e "$out/planted.list" ] || (cd "$out" && xargs -r touch -c <planted.list)
	selftests/planted/plant.sh "$out" "$plant" >"$out/planted.list"
}

# build DIR [y]: y: with the KUnit suites
build()
{
	# Without debug information: six times as much to load as the rest. Type information
	# would need the kernel's image and pahole. Of comments docs.sh sees to.
	make -s -C "$headers" M="$PWD/$1" $arch W=1 KCFLAGS=-Werror CONFIG_DEBUG_INFO= \
		CONFIG_DEBUG_INFO_BTF_MODULES= cmd_checkdoc= CARILLON_INSTRUMENT=$instrument \
		CARILLON_KUNIT="$2" -j"$(nproc)" modules 2>&1 | tee "$1/build.log" >&2
	# A failed make leaves its "Error" line in the log.
	! grep -qE '\*\*\*|[Ee]rror:' "$1/build.log"
}

if [ "$2" != kunit ]; then
	copy "$out" --exclude /kernel/tests
	rsync -a --exclude '*.o' --exclude '*.ko' selftests/planted selftests/kmod "$out/"
	[ -z "$plant" ] || replant
	build "$out"
	build "$out/planted"
	build "$out/kmod"
fi
if [ -z "$plant" ] && grep -q '^CONFIG_KUNIT=y' "$headers/.config"; then
	copy "$out/kunit"
	build "$out/kunit" y
fi
