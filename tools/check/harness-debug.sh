#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# harness-debug.sh PLANTED-DIR: the debug kernel's checkers are alive and what they
# find fails a run, and fails the test that ran meanwhile. All planted faults but one
# share a VM, in an order in which no report turns off the checker of a later one.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/tap.sh"
planted=$(cd "$1" && pwd) || exit 1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

# fails_run FAULT REPORT: the run's status is that of a complaint, which is shown
fails_run()
{
	"$here/../vm/run.sh" --kernel debug --modules "$planted" \
		--load "planted_fault fault=$1" -- true >"$dir/output" 2>&1
	got=$?
	[ "$got" = 123 ] && grep -q "$2" "$dir/output" && return
	cat "$dir/output"
	echo "exit status $got, expected 123 and a report of: $2"
	return 1
}

# plant FAULT...: for each, a test that passes but for what the kernel says meanwhile
plant()
{
	: >"$dir/tests"
	for fault; do
		cat >"$dir/$fault.sh" <<-END
		insmod "$planted/planted_fault.ko" fault=$fault && rmmod planted_fault && echo "ok 1" && echo 1..1
		END
		printf '60\tnone\t%s\n' "$dir/$fault.sh" >>"$dir/tests"
	done
	"$here/../vm/run.sh" --kernel debug --modules "$planted" --no-log-check \
		--timeout 300 --out "$dir" -- \
		"$here/vm-guest.sh" "$dir" "$dir/tests" >"$dir/output" 2>&1
}

# fails_test FAULT REPORT: the kernel's complaint is the test's failure, and is shown
fails_test()
{
	[ "$(cat "$dir/$1.status")" = 0 ] && grep -q '^ok 1' "$dir/$1.tap" &&
		grep -q '^Bail out! the kernel complained' "$dir/$1.tap" &&
		grep -q "^# .*$2" "$dir/$1.tap" && return
	cat "$dir/output" "$dir/$1.tap"
	echo "expected that the test passes and that the kernel complains: $2"
	return 1
}

tap_run "debug kernel: a clean run passes" "$here/../vm/run.sh" --kernel debug -- true
tap_run "debug kernel: a use after free fails the run" \
	fails_run use-after-free "KASAN: .*use-after-free"
plant shift sleep-in-atomic abba use-after-free
tap_run "debug kernel: an impossible shift fails the test" \
	fails_test shift "UBSAN: shift-out-of-bounds"
tap_run "debug kernel: sleeping in atomic context fails the test" \
	fails_test sleep-in-atomic "sleeping function called from invalid context"
tap_run "debug kernel: locks in both orders fail the test" \
	fails_test abba "possible circular locking dependency"
tap_run "debug kernel: a use after free fails the test" \
	fails_test use-after-free "KASAN: .*use-after-free"
tap_done
