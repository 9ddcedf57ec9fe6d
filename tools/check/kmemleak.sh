#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# kmemleak.sh COMMAND...: in the VM, booted with kmemleak=on: what was allocated before
# COMMAND is forgotten, afterwards nothing may have been lost. Exit status: COMMAND's, or 1 and
# kmemleak's report.
file=/sys/kernel/debug/kmemleak

# Its own scans, every ten minutes, would be in the way of ours.
echo scan=off >"$file" || exit 1
echo clear >"$file" || exit 1
"$@"
status=$?
# An object is reported once it is some seconds old; a pointer may be in a register
# during one scan.
for scan in 1 2; do
	sleep 6
	echo scan >"$file" || exit 1
	echo "# kmemleak: scan $scan is over"
done
report=$(head -n 60 "$file")
[ -z "$report" ] || {
	printf '%s\n' "$report"
	exit 1
}
exit "$status"
