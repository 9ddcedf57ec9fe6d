#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# all.sh LEVEL [KERNEL]: runs every suite of the level, a failure does not stop the
# rest, and adds them up. Levels:
#   fast   static checks, and tests that need no virtual machine: the modules' build,
#          and beside it all others
#   full   fast, then in two lanes side by side (a VM keeps about one processor busy) that
#          take from one list: the selftests on the debug kernel and on the stock
#          kernels, the KUnit suites on the user-mode kernel, the slower analysers
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

level=$1
kernel=$2
begin=${CHECK_BEGIN:-$(date +%s)}
modules="build"
others="style pure fuzz abi thunk docs tools"
list=
after=
case $level in
fast) ;;
full)
	# Long ones first, so that the lanes end together; the first two build kernels.
	list="vm-debug-1/3 kunit-uml vm vm-debug-2/3 vm-debug-3/3"
	list="$list harness analyze harness-debug kernels"
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
printf '%s\n' $list >build/check/list
run $modules &
run $others
wait
lane &
lane
wait
run $after
echo "level $level:" $modules $others $list $after "in $(($(date +%s) - begin)) s"
exec tools/check/total.sh
