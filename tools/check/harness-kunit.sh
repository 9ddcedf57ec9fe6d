#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# harness-kunit.sh MODULES-DIR: what is wrong with a KUnit run fails it: results of
# every broken kind, a case that is planted to fail, a complaint of the user-mode
# kernel, its early end, its hang.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/tap.sh"
. "$here/exits.sh"
modules=$(cd "$1" && pwd) || exit 1
vm=$here/../vm/run.sh
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$here/../.." || exit 1

# verdict RESULTS EXPECTED: how many "ok" and "not ok" kunit.awk makes of a suite named s
verdict()
{
	printf "$1" | awk -v suite=s -f "$here/kunit.awk" >"$dir/output"
	got="$(grep -c '^ok' "$dir/output") $(grep -c '^not ok' "$dir/output")"
	[ "$got" = "$2" ] || {
		cat "$dir/output"
		echo "got $got, expected $2"
		return 1
	}
}

# uml OPTION... -- COMMAND...
uml()
{
	"$vm" --kernel uml --mem 512M --timeout 60 --modules "$modules" "$@"
}

head='    # Subtest: s\n'
tap_run "results: good" verdict "${head}    1..2\n    ok 1 a\n    ok 2 - b\nok 1 - s\n" "2 0"
tap_run "results: a skip" verdict "${head}    1..1\n    ok 1 a # SKIP b\nok 1 s\n" "1 0"
tap_run "results: a failed case" \
	verdict "${head}    1..2\n    ok 1 a\n    not ok 2 b\nnot ok 1 s\n" "1 1"
tap_run "results: one is missing" verdict "${head}    1..2\n    ok 1 a\nok 1 s\n" "1 1"
tap_run "results: a number is missing" \
	verdict "${head}    1..2\n    ok 1 a\n    ok 3 b\nok 1 s\n" "2 1"
tap_run "results: no plan" verdict "${head}    ok 1 a\nok 1 s\n" "1 1"
tap_run "results: no case" verdict "${head}    1..0\nok 1 s\n" "0 1"
tap_run "results: no end" verdict "${head}    1..1\n    ok 1 a\n" "1 1"
tap_run "results: the end disagrees" verdict "${head}    1..1\n    ok 1 a\nnot ok 1 s\n" "1 1"
tap_run "results: another suite's" verdict "    # Subtest: t\n    1..1\n    ok 1 a\nok 1 s\n" "1 2"
tap_run "results: empty" verdict "" "0 3"

tap_run "a case that is planted to fail fails the run" \
	exits 1 uml --env KUNIT_PARAMETERS=planted=1 -- sh selftests/kunit_test.sh
tap_run "it is that case" grep -q '^not ok - kunit: planted_failure' "$dir/output"
tap_run "and no other" test "$(grep -c '^not ok' "$dir/output")" = 1
tap_run "user-mode kernel: the command's status comes back" exits 7 uml -- sh -c 'exit 7'
tap_run "user-mode kernel: a complaint fails the run" \
	exits 123 uml -- sh -c 'echo "BUG: KASAN: planted" >/dev/kmsg'
tap_run "user-mode kernel: an early end is reported" \
	exits 125 uml -- /run/job/busybox poweroff -f
tap_run "user-mode kernel: a command without end is stopped" \
	exits 124 uml --timeout 15 -- sleep 1000
tap_done
