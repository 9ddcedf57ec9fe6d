#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# total.sh: adds up build/check/results and closes with the line
# "N passed, N failed, N skipped". Fails if a test failed or none passed.
here=$(cd "$(dirname "$0")" && pwd)

awk '{ passed += $2; failed += $3; skipped += $4; if ($3) names = names " " $1 }
END {
	if (names != "")
		print "failed:" names
	printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
	exit failed > 0 || passed == 0
}' "$here/../../build/check/results"
