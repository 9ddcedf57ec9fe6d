#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# bench.sh [--write] [KERNEL]: runs bench-guest.sh in a VM and prints the
# figures; with --write, they become the table of Documentation/performance.rst.
# Nothing else should run on the machine meanwhile: figures of one run may be
# compared with each other, not with those of another.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/.." || exit 1
figures=build/bench.txt
page=Documentation/performance.rst

# table FILE: "name value unit" lines as an .rst table, notes in front of it
table()
{
	sed -n 's/^# //p' "$1"
	printf '\n.. list-table::\n   :header-rows: 1\n\n   * - figure\n     - value\n     - unit\n'
	grep -v '^#' "$1" | while read -r name value unit; do
		printf '   * - %s\n     - %s\n     - %s\n' "$name" "$value" "$unit"
	done
}

write=
if [ "$1" = --write ]; then
	write=1
	shift
fi
mkdir -p build
tools/vm/gpu-run.sh ${1:+--kernel "$1"} --thunk debian --timeout 600 \
	-- tools/bench-guest.sh "$PWD/build" >"$figures"
status=$?
cat "$figures"
[ "$status" = 0 ] || exit "$status"
[ -n "$write" ] || exit 0

# The page's text ends where the figures begin.
text=$(sed '/^.. figures:/q' "$page")
{
	printf '%s\n\n' "$text"
	table "$figures"
} >"$page.tmp"
mv "$page.tmp" "$page"
