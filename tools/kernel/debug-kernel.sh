#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# debug-kernel.sh [--release] [uml|kcsan]: prints the folder of the x86-64 debug kernel,
# of the user-mode one, or of the one that finds data races, and builds it first (about 14
# CPU minutes, 7 for the user-mode one) if the cache has none for this source package and these
# options. The folder has the form that kernel.sh gives:
#   release   the kernel's release
#   vmlinux   what QEMU boots (a bzImage here: PVH does not boot this kernel), or the
#             user-mode kernel itself, a program
#   modules/  lib/modules/RELEASE
#   build/    what modules are built against (make -C)
# --release: prints only the release, builds nothing.
set -e
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../vm/cache.sh"

only_release=
if [ "$1" = --release ]; then
	only_release=1
	shift
fi
archive=/usr/src/linux-source-6.1.tar.xz
arch=x86 targets="bzImage modules" image=arch/x86/boot/bzImage
case $1 in
uml) arch=um name=uml-debug suffix=uml targets="linux modules" image=linux ;;
kcsan) name=x86-kcsan suffix=kcsan ;;
*) name=x86-debug suffix=debug ;;
esac
fragments=$here/$name.config
# The kernel itself is not watched: each report is of an access that a module makes.
unwatched=
if [ "$suffix" = kcsan ]; then
	fragments="$here/x86-debug.config $fragments"
	unwatched=KCSAN_SANITIZE=n
	export MAKEFLAGS="$unwatched"
fi

# The helper libraries have no prompt of their own in the kernel's menus.
kconfig_libs()
{
	cat <<-END

	config DRM_CARILLON_LIBS
		bool "Helper libraries for an out-of-tree driver"
		depends on DRM && MMU
		select DRM_TTM
		select DRM_BUDDY
		select DRM_SCHED
		select DRM_GEM_SHMEM_HELPER
		select MMU_NOTIFIER
		select HMM_MIRROR
		select INTERVAL_TREE
		select WANT_DEV_COREDUMP
	END
}

# wanted: the options; what comes later counts, and "NAME=" leaves one alone
wanted()
{
	awk -F = '/^[A-Z0-9]/ {
		if (!($1 in value))
			name[n++] = $1
		value[$1] = $0
	}
	END {
		for (i = 0; i < n; i++)
			if (value[name[i]] !~ /=$/)
				print "CONFIG_" value[name[i]]
	}' $fragments
}

# Options that Kconfig dropped without a word.
check_config()
{
	missing=
	for line in $(wanted); do
		case $line in
		*=n) ! grep -q "^${line%=n}=" "$1/.config" || missing="$missing $line" ;;
		*) grep -qx "$line" "$1/.config" || missing="$missing $line" ;;
		esac
	done
	[ -z "$missing" ] || die "options that did not take:$missing"
}

# listed FILE: its lines without comments
listed()
{
	grep -v '^#' "$1"
}

# unwatch TREE: KASAN leaves alone what kasan-unwatched lists
unwatch()
{
	listed "$here/kasan-unwatched" | while read -r what; do
		case $what in
		*.o)
			[ -e "$1/${what%.o}.c" ] || die "no ${what%.o}.c in the source"
			echo "KASAN_SANITIZE_${what##*/} := n" >>"$1/${what%/*}/Makefile"
			;;
		*)
			[ -d "$1/$what" ] || die "no $what in the source"
			find "$1/$what" -name Makefile | while read -r file; do
				echo "KASAN_SANITIZE := n" >>"$file"
			done
			;;
		esac
	done
}

# replace FILE OLD NEW: in a file of the source; both are plain words for sed
replace()
{
	sed -i "s/$2/$3/" "$1"
	grep -q "$3" "$1" || die "no '$2' in ${1##*/} of the source"
}

# patch_source TREE: KASAN's report needs the innermost callers of who allocated and who
# freed, and walks that far each time; 9p needs no internet protocol for virtio. What a
# user-mode kernel saves of the processor's state must have room for AMX.
patch_source()
{
	unwatch "$1"
	replace "$1/mm/kasan/kasan.h" "KASAN_STACK_DEPTH 64" "KASAN_STACK_DEPTH 12"
	replace "$1/fs/9p/Kconfig" "depends on INET && NET_9P" "depends on NET_9P"
	[ "$arch" != um ] ||
		replace "$1/arch/x86/um/user-offsets.c" "HOST_FP_SIZE, 2696" "HOST_FP_SIZE, 12288"
}

# extract TREE: the source, but for the code of what is never built here: more than half
# of all files. What configures and builds it stays.
extract()
{
	set -- "$1" "Documentation/[!K]*/*" tools/perf tools/testing
	for folder in alpha arc arm arm64 csky hexagon ia64 loongarch m68k microblaze mips nios2 \
		openrisc parisc powerpc riscv s390 sh sparc xtensa; do
		set -- "$@" "arch/$folder/*.[chS]" "arch/$folder/boot/dts"
	done
	for folder in sound drivers/clk drivers/comedi drivers/crypto drivers/gpu/drm/amd \
		drivers/gpu/drm/i915 drivers/gpu/drm/msm drivers/gpu/drm/nouveau \
		drivers/gpu/drm/radeon drivers/iio drivers/infiniband drivers/media drivers/mtd \
		"drivers/net/*" drivers/scsi drivers/staging fs/btrfs fs/ocfs2 fs/smb fs/xfs \
		net/mac80211 net/netfilter net/sunrpc; do
		set -- "$@" "$folder/*.[chS]"
	done
	tree=$1
	shift
	printf '%s\n' "$@" | sed "s|^|$(basename "$archive" .tar.xz)/|" |
		tar -xJf "$archive" -C "$tree" --strip-components=1 --anchored --exclude-from=-
}

build()
{
	tmp=$1.tmp
	rm -rf "$tmp"
	mkdir -p "$tmp/source" "$tmp/build" "$tmp/modules"
	say "building the debug kernel ($arch); this takes a while, once"
	extract "$tmp/source"
	kconfig_libs >>"$tmp/source/drivers/gpu/drm/Kconfig"
	patch_source "$tmp/source"
	wanted >"$tmp/wanted"
	set -- make -s -C "$tmp/source" O="$tmp/build" ARCH=$arch KBUILD_BUILD_USER=carillon \
		KBUILD_BUILD_HOST=carillon KBUILD_BUILD_TIMESTAMP="1 January 2026"
	"$@" KCONFIG_ALLCONFIG="$tmp/wanted" allnoconfig >&2
	check_config "$tmp/build"
	nice "$@" -j"$(nproc)" $targets >&2
	"$@" -s kernelrelease >"$tmp/release"
	[ "$(cat "$tmp/release")" = "${version%%-*}-$suffix" ] || die "unexpected release"
	cp "$tmp/build/$image" "$tmp/vmlinux"
	# No modules of its own: everything is built in.
	cp "$tmp/build/modules.order" "$tmp/build/modules.builtin" \
		"$tmp/build/modules.builtin.modinfo" "$tmp/modules/"
	PATH="$PATH:/usr/sbin:/sbin"
	mkdir -p "$tmp/root/lib/modules"
	mv "$tmp/modules" "$tmp/root/lib/modules/$(cat "$tmp/release")"
	depmod -b "$tmp/root" "$(cat "$tmp/release")"
	mv "$tmp/root/lib/modules/$(cat "$tmp/release")" "$tmp/modules"
	rm -rf "$tmp/root"
	slim "$tmp"
}

# Keep what modules are built against; objects can go.
slim()
{
	find "$1/build" -name '*.o' ! -path '*/scripts/*' ! -path '*/tools/objtool/*' -delete
	find "$1/build" \( -name '*.a' -o -name '*.cmd' \) ! -path '*/scripts/*' -delete
	rm -f "$1/build/vmlinux" "$1/build/linux" "$1/build/.tmp_vmlinux"*
}

[ -e "$archive" ] || die "linux-source-6.1 is not installed"
version=$(dpkg-query -W -f '${Version}' linux-source-6.1)
if [ -n "$only_release" ]; then
	echo "${version%%-*}-$suffix"
	exit
fi
# Comments and the other functions do not make another kernel.
key=$( (echo "$version $arch $targets $image${unwatched:+ $unwatched}"; wanted; kconfig_libs
	listed "$here/kasan-unwatched"
	sed -n '/^extract()/,/^}/p; /^unwatch()/,/^}/p; /^replace()/,/^}/p; /^patch_source()/,/^}/p; /^build()/,/^}/p' "$0") | sha256sum | cut -c 1-16)
dir=$CACHE/kernel/$name-$key
if [ ! -e "$dir/release" ]; then
	cache_lock "$name"
	mkdir -p "$CACHE/kernel"
	if [ ! -e "$dir/release" ]; then
		build "$dir"
		# Paths inside the build folder are absolute: move first, then point at it.
		mv "$dir.tmp" "$dir"
		sed -i "s|$dir.tmp|$dir|g" "$dir/build/Makefile"
		ln -sfn "$dir/source" "$dir/build/source"
	fi
fi
echo "$dir"
