#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# gpu-run.sh [OPTION...] -- PROGRAM [ARGUMENT...]: runs a program of the host,
# with its libraries, in a VM that has the virtual GPU. The current directory
# is shared read-write, so files go in and out there. See run.sh for what the
# guest sees and for the exit status.
#
#   --gpus SPEC          the virtual GPUs (module parameter gpus=; vega10)
#   --thunk ours|debian  which libhsakmt.so.1 the program gets (ours)
#   --kernel VERSION     release or series of the guest's kernel, or debug
#   --no-companion       do not load the module named amdgpu
#   and run.sh's --smp, --numa, --mem, --timeout (3600), --share, --env,
#   --append, --load, --out, --stdin, --interactive, --no-log-check
here=$(cd "$(dirname "$0")" && pwd)
. "$here/cache.sh"
top=$(cd "$here/../.." && pwd)

gpus=vega10 thunk=ours kernel='' companion=1
# What is passed on is kept, quoted, in one string.
pass=

keep()
{
	for word; do
		pass="$pass '$(printf '%s' "$word" | sed "s/'/'\\\\''/g")'"
	done
}

while [ $# -gt 0 ]; do
	case $1 in
	--gpus) gpus=$2; shift ;;
	--thunk) thunk=$2; shift ;;
	--kernel) kernel=$2; shift ;;
	--no-companion) companion= ;;
	--stdin | --interactive | --no-log-check) keep "$1" ;;
	--) shift; break ;;
	--*)
		[ $# -gt 1 ] || die "unknown option $1, or no value behind it"
		keep "$1" "$2"
		shift
		;;
	*) break ;;
	esac
	shift
done
[ $# -gt 0 ] || die "no program"

case $thunk in
ours) keep --env "LD_LIBRARY_PATH=$top/build/libthunk" --copy "$top/build/libthunk" ;;
debian) ;;
*) die "--thunk is ours or debian" ;;
esac
[ -z "$companion" ] || keep --load amdgpu

release=$("$here/kernel.sh" --release $kernel) || exit 125
modules=$top/build/modules-$release
[ -e "$modules/carillon.ko" ] || die "no modules for $release: ./carillon build --kernel $release"

eval "set -- $pass -- \"\$@\""
exec "$here/run.sh" --timeout 3600 --kernel "$release" --modules "$modules" \
	--load "carillon_vgpu gpus=$gpus" --load carillon "$@"
