#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# one.sh SUITE [KERNEL]: runs one suite of all.sh and records it.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
suite=$1
kernel=$2
mkdir -p build/check
. tools/check/deadline.sh

# give_up WHY: the suite has failed
give_up()
{
	file=build/check/$(echo "$suite" | tr / -).tap
	echo "Bail out! $1" >"$file"
	tools/check/record.sh "$suite" 1 "$file"
	exit 1
}

# debug_kernel: the debug kernel and the modules for it are built
debug_kernel()
{
	timeout -k 5 "$(bounded 1500)" tools/vm/kernel.sh debug >/dev/null ||
		give_up "no debug kernel"
	release=$(tools/vm/kernel.sh --release debug)
	timeout -k 5 "$(bounded 600)" tools/build-modules.sh "$release" ||
		give_up "the modules do not build for $release"
}

case $suite in
style | abi | docs | tools) exec tools/check/suite.sh "$suite" 600 "tools/check/$suite.sh" ;;
fuzz) exec tools/check/suite.sh fuzz 300 tools/check/fuzz.sh ;;
build) exec tools/check/suite.sh build 900 tools/check/build.sh $kernel ;;
analyze) exec tools/check/suite.sh analyze 900 tools/check/analyze.sh $kernel ;;
harness)
	release=$(tools/vm/kernel.sh --release $kernel) || exit 1
	exec tools/check/suite.sh harness 900 tools/check/harness.sh "build/modules-$release/planted"
	;;
harness-debug)
	debug_kernel
	exec tools/check/suite.sh harness-debug 600 tools/check/harness-debug.sh \
		"build/modules-$release/planted"
	;;
kunit-uml)
	timeout -k 5 "$(bounded 1500)" tools/vm/kernel.sh uml >/dev/null ||
		give_up "no user-mode kernel"
	release=$(tools/vm/kernel.sh --release uml)
	timeout -k 5 "$(bounded 600)" tools/build-modules.sh "$release" kunit ||
		give_up "the suites do not build for $release"
	bad=0
	tools/check/suite.sh harness-kunit 600 tools/check/harness-kunit.sh \
		"build/modules-$release" || bad=1
	tools/check/vm.sh --kernel uml kunit || bad=1
	exit "$bad"
	;;
kunit-debug)
	debug_kernel
	exec tools/check/vm.sh --kernel debug kunit
	;;
kernels)
	tools/check/suite.sh kernels 900 tools/check/kernels.sh 6.12 || exit
	release=$(tools/vm/kernel.sh --release 6.12)
	[ -e "build/modules-$release/carillon.ko" ] || exit 0
	exec tools/check/vm.sh --kernel "$release"
	;;
pure | thunk) exec "tools/check/$suite.sh" ;;
vm) exec tools/check/vm.sh ${kernel:+--kernel $kernel} ;;
vm-debug) debug_kernel && exec tools/check/vm.sh --kernel debug ;;
vm-debug-*/*)
	# part PART/OF
	debug_kernel && exec tools/check/vm.sh --kernel debug --part "${suite#vm-debug-}"
	;;
coverage) timeout -k 5 "$(bounded 300)" tools/check/coverage.sh || give_up "no report" ;;
*)
	echo "$0: no suite $suite" >&2
	exit 2
	;;
esac
