#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Unloads and loads both modules, the driver first and the model first in turn,
# with a client in between: nothing stays behind (S0.32 of the driver's part,
# B148). Runs in the VM; selftests' programs are in $SELFTESTS_DIR.
# vm: timeout=600
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tools/check/tap.sh"
modload=$here/../tools/vm/modload
counts=/sys/kernel/debug/carillon/counts

gone()
{
	[ ! -e /dev/kfd ] && [ ! -e /sys/class/kfd ] && [ ! -e /sys/kernel/debug/carillon ] &&
		[ ! -e /sys/kernel/debug/carillon_vgpu ] && ! lspci -D | grep -q 1002:6860
}

load()
{
	"$modload" carillon_vgpu && "$modload" carillon
}

# The model may go first: the driver's remove callback then runs while it is bound.
unload()
{
	if [ $(($1 % 2)) = 1 ]; then
		rmmod carillon && rmmod carillon_vgpu
	else
		rmmod carillon_vgpu && rmmod carillon
	fi
}

# refused PARAMETER: out of its range, the driver does not load
refused()
{
	if "$modload" carillon "$1" 2>/dev/null; then
		rmmod carillon
		return 1
	fi
	gone
}

# Of the 16 VMIDs of GFX9, 8 to 15 are for processes.
tap_run "room for the queues of eight processes" \
	[ "$(cat /sys/module/carillon/parameters/vmids)" = 8 ]
first=$(cat $counts)
for round in 1 2 3 4 5; do
	tap_run "round $round: a client works" "$SELFTESTS_DIR/smoke"
	tap_run "round $round: unload" unload $round
	tap_run "round $round: everything is gone" gone
	for bad in vmids=0 vmids=9 vmids=-1 vmids=x; do
		[ $round = 1 ] && tap_run "$bad is refused" refused $bad
	done
	tap_run "round $round: load" load
done
if [ "$(cat $counts)" = "$first" ]; then
	tap_ok "counts are those of the first load"
else
	tap_not_ok "counts are those of the first load" "$(cat $counts)"
fi
tap_done
