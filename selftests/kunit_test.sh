#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The KUnit suites of kernel/tests/kunit, one a file NAME_kunit.c, where the kernel has
# KUnit: loads their module with $KUNIT_PARAMETERS, turns what it left in debugfs into
# TAP (a suite or a result that is missing has failed), and unloads it. What the suites
# prove they say themselves.
# vm: modules=none timeout=600
here=$(cd "$(dirname "$0")" && pwd)
module=${CARILLON_MODULES_DIR:-none}/kunit/carillon_kunit.ko
kunit=/sys/kernel/debug/kunit
tap=$(mktemp)

[ -d "$kunit" ] || {
	echo "1..0 # SKIP this kernel has no KUnit"
	exit 4
}

# show NAME COMMAND...: the command is one more test
show()
{
	name=$1
	shift
	if "$@" 2>&1; then
		echo "ok - $name"
	else
		echo "not ok - $name"
	fi
}

{
	show "the module loads" insmod "$module" ${KUNIT_PARAMETERS:-}
	for file in "$here"/../kernel/tests/kunit/*_kunit.c; do
		suite=$(basename "$file" _kunit.c)
		if [ -e "$kunit/$suite/results" ]; then
			awk -v suite="$suite" -f "$here/../tools/check/kunit.awk" \
				"$kunit/$suite/results"
		else
			echo "not ok - $suite: it did not run"
		fi
	done
	show "the module can be unloaded" rmmod carillon_kunit
} >"$tap"
cat "$tap"
echo "1..$(grep -cE '^(not )?ok ' "$tap")"
! grep -q '^not ok' "$tap"
