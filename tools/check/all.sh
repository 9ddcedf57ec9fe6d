#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# all.sh LEVEL [KERNEL]: runs every suite of the level, a failure does not stop the
# rest, and adds them up. Levels:
#   fast   the modules' build, static checks, and tests that need no virtual machine
#   full   fast, then the selftests on the debug kernel and on the stock kernels, the
#          KUnit suites on the user-mode kernel, the slower analysers
# Two lanes side by side (a VM keeps about one processor busy) take from one list.
# It ends within CHECK_MINUTES (80; 40 is the aim) of CHECK_BEGIN (seconds since the
# epoch; default: now): a test that has no time left then has failed.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1

# run SUITE...
run()
{
	for suite; do
		tools/check/one.sh "$suite" $kernel
	done
}

# next: the first suite of the list goes from it
next()
{
	(
		flock 8
		head -n 1 build/check/list
		sed -i 1d build/check/list
	) 8>build/check/list.lock
}

# lane: runs suites of the list until it is empty
lane()
{
	while suite=$(next) && [ -n "$suite" ]; do
		run "$suite"
	done
}

# lanes SUITE...
lanes()
{
	printf '%s\n' "$@" >build/check/list
	lane &
	lane
	wait
}

level=$1
kernel=$2
begin=${CHECK_BEGIN:-$(date +%s)}
# Long ones first, so that the lanes end together.
fast="build style pure fuzz thunk docs tools abi"
vm=
after=
case $level in
fast) ;;
full)
	# The first two build kernels.
	vm="vm-debug-1/3 kunit-uml vm vm-debug-2/3 kernels vm-debug-3/3"
	vm="$vm harness analyze harness-debug"
	after="coverage"
	;;
*)
	echo "$0: no level '$level'" >&2
	exit 2
	;;
esac

CHECK_END=$((begin + ${CHECK_MINUTES:-80} * 60))
export CHECK_END
mkdir -p build/check
rm -rf build/check/vm-debug-[0-9]*
: >build/check/results
lanes $fast
[ -z "$vm" ] || lanes $vm
run $after
echo "level $level:" $fast $vm $after "in $(($(date +%s) - begin)) s"
exec tools/check/total.sh
