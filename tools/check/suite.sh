#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# suite.sh NAME SECONDS COMMAND...: runs a command that prints TAP, bounded in
# time, keeps its output in build/check/NAME.tap and records the result.
here=$(cd "$(dirname "$0")" && pwd)
dir=$here/../../build/check

. "$here/deadline.sh"
name=$1
seconds=$(bounded "$2")
shift 2
file=$dir/$(echo "$name" | tr / -).tap
mkdir -p "$dir"
begin=$(date +%s)
timeout -k 5 "$seconds" "$@" >"$file" 2>&1 </dev/null
status=$?
[ "$status" = 124 ] && echo "Bail out! time ran out ($seconds s)" >>"$file"
exec "$here/record.sh" "$name" "$status" "$file" $(($(date +%s) - begin))
