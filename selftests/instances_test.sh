#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Shapes of the virtual GPU: one and two SDMA instances, few CUs, little VRAM, two
# GPUs; no page ring (S0.100, S0.101). Runs in the VM and loads the modules itself.
# vm: modules=none timeout=600
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tools/check/tap.sh"
modload=$here/../tools/vm/modload
topology=/sys/devices/virtual/kfd/kfd/topology/nodes

# load GPUS [PARAMETER...]: of the driver
load()
{
	gpus=$1
	shift
	"$modload" carillon_vgpu "gpus=$gpus" && "$modload" carillon "$@"
}

unload()
{
	rmmod carillon && rmmod carillon_vgpu
}

# gpu_property N NAME: of the N-th GPU node
gpu_property()
{
	n=$1
	for dir in "$topology"/*; do
		[ "$(cat "$dir/gpu_id")" = 0 ] && continue
		n=$((n - 1))
		[ $n = 0 ] || continue
		sed -n "s/^$2 //p" "$dir/properties"
	done
}

# is WANT COMMAND...
is()
{
	want=$1
	shift
	got=$("$@")
	[ "$got" = "$want" ] || {
		echo "got '$got', expected '$want'"
		return 1
	}
}

rings()
{
	awk 'NR > 1 { print $1 "/" $2 }' /sys/kernel/debug/carillon/*:*:*/rings | sort |
		tr '\n' ' ' | sed 's/ $//'
}

# page_jobs: jobs that the page rings have had
page_jobs()
{
	awk 'NR == 1 { for (n = 1; n <= NF; n++) if ($n == "jobs") col = n }
		NR > 1 && $2 == "page" { sum += $col } END { print sum + 0 }' \
		/sys/kernel/debug/carillon/*:*:*/rings
}

# updates_by_page_ring yes|no: page tables of a client's buffers
updates_by_page_ring()
{
	before=$(page_jobs)
	"$SELFTESTS_DIR/smoke" || return
	after=$(page_jobs)
	case $1 in
	yes) [ "$after" -gt "$before" ] ;;
	no) [ "$after" = "$before" ] ;;
	esac || {
		echo "page ring jobs went from $before to $after"
		return 1
	}
}

gpus_found()
{
	lspci -D -d 1002:6860 | wc -l | tr -d ' '
}

shape()
{
	tap_run "$1: load" load "$@"
	tap_run "$1: a client works" "$SELFTESTS_DIR/smoke"
}

shape vega10:instances=1
tap_run "one instance: rings" is "0/gfx 0/page" rings
tap_run "one instance: topology" is 1 gpu_property 1 num_sdma_engines
tap_run "unload" unload

shape vega10:instances=2
tap_run "two instances: rings" is "0/gfx 0/page 1/gfx 1/page" rings
tap_run "two instances: topology" is 2 gpu_property 1 num_sdma_engines
tap_run "S0.108: page tables by the page ring" updates_by_page_ring yes
tap_run "unload" unload

shape vega10 sdma_page_queue=0
tap_run "no page ring" is "0/gfx 1/gfx" rings
tap_run "unload" unload

shape vega10:cu=4
tap_run "four CUs: topology" is 16 gpu_property 1 simd_count
tap_run "unload" unload

shape vega10 vm_update_mode=cpu
tap_run "page tables by the CPU" updates_by_page_ring no
tap_run "page tables by the CPU: unload" unload

shape "vega10:cu=4+vega10:vram=1g"
tap_run "two GPUs: functions" is 2 gpus_found
tap_run "two GPUs: first" is 16 gpu_property 1 simd_count
tap_run "two GPUs: second" is 256 gpu_property 2 simd_count
tap_run "two GPUs: unload" unload
tap_done
