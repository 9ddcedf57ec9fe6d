#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The GPU goes and comes back under clients that are inside ioctls, waits, page
# faults and copies: unbind and bind, the model unloaded and loaded, remove and
# rescan.  Nobody hangs, nothing is left behind (S0.32, S0.36; B148).
# dma_debug=off: as in fuzz_test.sh.
# vm: modules="carillon_vgpu gpus=vega10:cu=4,vram=512m;carillon" timeout=600 append="dma_debug=off"
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tools/check/tap.sh"
. "$here/counts.sh"
modload=$here/../tools/vm/modload
driver=/sys/bus/pci/drivers/carillon
before=$(counts_now)

function_of()
{
	for dir in "$driver"/*:*:*.*; do
		[ -e "$dir" ] && basename "$dir" && return
	done
	return 1
}

# The last lines of the fuzzers' reports do not matter here: their GPU comes and goes.
# Each has a process group, because it starts more processes.
load()
{
	setsid "$SELFTESTS_DIR/ioctl_fuzz" -s "$1" -t 60 -p 2 >/dev/null 2>&1 &
	clients=$!
	setsid "$SELFTESTS_DIR/ring_fuzz" -s "$1" -t 60 -p 1 >/dev/null 2>&1 &
	clients="$clients $!"
}

end_load()
{
	for client in $clients; do
		kill -s KILL -- "-$client" 2>/dev/null
	done
	wait $clients 2>/dev/null
	true
}

unbind()
{
	timeout -s KILL "$(scaled 120)" sh -c "echo $1 >$driver/unbind"
}

bind()
{
	echo "$1" >"$driver/bind"
}

# remove the function, then let the bus find it again
remove_rescan()
{
	timeout -s KILL "$(scaled 120)" sh -c "echo 1 >/sys/bus/pci/devices/$1/remove" &&
		echo 1 >/sys/bus/pci/rescan
}

reload_model()
{
	timeout -s KILL "$(scaled 120)" rmmod carillon_vgpu && "$modload" carillon_vgpu gpus=vega10:cu=4,vram=512m
}

for round in 1 2 3; do
	gpu=$(function_of)
	load "$round"
	sleep 1.5
	tap_run "round $round: unbind" unbind "$gpu"
	sleep 0.3
	tap_run "round $round: bind" bind "$gpu"
	sleep 1.5
	tap_run "round $round: remove and rescan" remove_rescan "$gpu"
	sleep 1.5
	tap_run "round $round: the model goes and comes" reload_model
	sleep 1
	end_load
	tap_run "round $round: counts are back" counts_settle "$before"
	tap_run "round $round: a client works" "$SELFTESTS_DIR/smoke"
done
tap_done
