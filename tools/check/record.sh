#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# record.sh NAME STATUS FILE [SECONDS]: counts the TAP output in FILE, prints one line
# (with the time it took, if that is known) and the failures with what was said before
# each, and adds the counts to build/check/results, from which total.sh makes the last
# line of a check.
here=$(cd "$(dirname "$0")" && pwd)
results=$here/../../build/check/results

# what_failed FILE: up to 30 lines before each failure, since the last result
what_failed()
{
	awk '
		function show(  i) {
			for (i = n > 30 ? n - 30 : 0; i < n; i++)
				print "    | " lines[i]
			print "    " $0
			n = 0
		}
		/^not ok|^Bail out!/ { show(); next }
		/^ok/ { n = 0; next }
		{ lines[n++] = $0 }' "$1" | head -n 300
}

counted=$(awk -v status="$2" -f "$here/tap.awk" "$3") || exit 1
first=$(printf '%s\n' "$counted" | head -n 1)
name=$1 file=$3 seconds=$4
set -- $first
printf '%-36s %5d passed %3d failed %3d skipped%s\n' "$name" "$1" "$2" "$3" \
	"${seconds:+$(printf ' %5d s' "$seconds")}"
mkdir -p "${results%/*}"
echo "$name $1 $2 $3" >>"$results"
[ "$2" = 0 ] && exit 0
what_failed "$file"
# Reasons that are no line of the stream: the plan, the exit status.
printf '%s\n' "$counted" | tail -n +2 | grep -v -e '^not ok' -e '^Bail out!' | sed 's/^/    /'
exit 1
