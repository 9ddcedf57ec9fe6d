#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# all.sh LEVEL [KERNEL]: runs every suite of the level, a failure does not stop the
# rest, and adds them up. Levels:
#   fast   static checks, and tests that need no virtual machine: the modules' build,
#          and beside it all others
#   full   fast, and in two lanes side by side (a VM keeps about one processor busy):
#          the KUnit suites on the user-mode kernel, the slower analysers, the
#          selftests on the stock kernels and a quarter of those on the debug kernel;
#          the rest of these
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

level=$1
kernel=$2
begin=${CHECK_BEGIN:-$(date +%s)}
modules="build"
others="style pure fuzz abi thunk docs tools"
stock=
debug=
after=
case $level in
fast) ;;
full)
	stock="kunit-uml analyze harness kernels vm vm-debug-rest"
	debug="harness-debug vm-debug-most"
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
run $modules &
run $others
wait
run $stock &
run $debug
wait
run $after
echo "level $level:" $modules $others $stock $debug $after "in $(($(date +%s) - begin)) s"
exec tools/check/total.sh
