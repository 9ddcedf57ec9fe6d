#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Probe where the hardware fails it: the engine hangs from its N-th packet on and cannot
# be reset, for ever larger N, until a probe needs no more than N. A probe that fails
# leaves nothing of the device behind, and the load after it is the same as the first
# (S0.32, B148; allocations that fail: fail_nth_test.c). Runs in the VM and loads the
# modules itself; needs $SELFTESTS_DIR.
# vm: modules=none timeout=600
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tools/check/tap.sh"
. "$here/scale.sh"
modload=$here/../tools/vm/modload
nodes=/sys/devices/virtual/kfd/kfd/topology/nodes
driver=/sys/kernel/debug/carillon

unload()
{
	rmmod carillon && rmmod carillon_vgpu
}

# load [FAILURES]: both modules; the driver's wait for an engine that hangs is short
load()
{
	"$modload" carillon_vgpu gpus=vega10:instances=1 ${1:+failures="$1"} && "$modload" carillon fence_timeout=$(scaled 200)
}

# what_there_is: of the device, by name and content
what_there_is()
{
	ls /sys/class/drm /sys/class/hwmon
	ls "$driver"
	for file in "$nodes"/*/properties "$nodes"/*/gpu_id "$driver/counts"; do
		echo "$file"
		cat "$file"
	done
}

bound()
{
	[ -e "/sys/bus/pci/drivers/carillon/$1" ]
}

# left: what a function without its driver has no business to have
left()
{
	ls -d /sys/class/drm/renderD* /sys/bus/pci/devices/"$1"/drm /sys/bus/pci/devices/"$1"/hwmon \
		"$driver/$1" 2>/dev/null
	grep -vx 0 "$nodes"/*/gpu_id
	awk '$2 != 0' "$driver/counts"
}

# round N: true if the probe failed, as it should
round()
{
	load "hang:after=$1,rate=1+reset_fail:rate=1" || return
	gpu=$(basename "$(echo /sys/kernel/debug/carillon_vgpu/*:*:*)")
	if bound "$gpu"; then
		verdict=worked
	else
		verdict=failed
		rest=$(left "$gpu")
		[ -z "$rest" ] || verdict="left $rest"
	fi
	unload
}

load && what_there_is >/tmp/first && unload || exit 1
n=0
failed=0
while [ "$n" -lt 400 ]; do
	round "$n" || verdict="cannot be unloaded and loaded"
	[ "$verdict" = failed ] || break
	failed=$((failed + 1))
	n=$((n * 4 + 3))
done
echo "# $failed probes failed; with $n packets: $verdict"
tap_run "a probe needs some packets, and not more than it asks for" [ "$verdict" = worked ]
tap_run "without them it fails" [ "$failed" -ge 3 ]
tap_run "afterwards the modules load" load
what_there_is >/tmp/again
tap_run "and all is as after the first load" diff /tmp/first /tmp/again
tap_run "a client works" "$SELFTESTS_DIR/smoke"
unload
tap_done
