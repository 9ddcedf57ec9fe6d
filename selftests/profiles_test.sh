#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Every profile but vega10, which all other tests run on: the driver brings its rings
# up, clients copy through all of its user queues, rocminfo knows it (S0.4, S0.85,
# S0.100, S0.101). Runs in the VM and loads the modules itself; needs $SELFTESTS_DIR
# and $THUNK_DIR.
# vm: modules=none timeout=600
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tools/check/tap.sh"
modload=$here/../tools/vm/modload
export LD_LIBRARY_PATH=$THUNK_DIR
nodes=/sys/devices/virtual/kfd/kfd/topology/nodes
tmp=$(mktemp -d)

load()
{
	"$modload" carillon_vgpu "gpus=$1" && "$modload" carillon
}

unload()
{
	rmmod carillon && rmmod carillon_vgpu
}

# property NAME: of the GPU's node
property()
{
	sed -n "s/^$1 //p" $nodes/1/properties
}

# is WANT GOT
is()
{
	[ "$1" = "$2" ] || {
		echo "got '$2', expected '$1'"
		return 1
	}
}

# rings: INSTANCE/RING of those that run
rings()
{
	awk 'NR > 1 { print $1 "/" $2 }' /sys/kernel/debug/carillon/*:*:*/rings | sort | xargs
}

# queues: those that an instance of the model has, at first
queues()
{
	awk '$1 == 0 { print $2 }' /sys/kernel/debug/carillon_vgpu/*:*:*/queues | xargs
}

# used: user queues of the model that have done work, of all instances
used()
{
	awk 'NR == 1 { for (n = 1; n <= NF; n++) if ($n == "copied") col = n }
		$2 ~ /^rlc/ && $col { print $1 "/" $2 }' \
		/sys/kernel/debug/carillon_vgpu/*:*:*/queues | sort -V | xargs
}

# shown LABEL: the first value that rocminfo gives the second agent
shown()
{
	awk -v label="$1:" '/^Agent [0-9]/ { mine = $2 == 2 }
		mine && (at = index($0, label)) && substr($0, 1, at - 1) ~ /^ *$/ {
			value = substr($0, at + length(label))
			gsub(/^ *| *$/, "", value)
			print value
			exit
		}' "$tmp/rocminfo"
}

# rocminfo looks for a module of that name first.
client()
{
	"$modload" amdgpu || return
	rocminfo >"$tmp/rocminfo" 2>&1 || {
		cat "$tmp/rocminfo"
		return 1
	}
	rmmod amdgpu
}

# By the least loaded ring, so a few of them
kernel_copies()
{
	gpu=$(echo /sys/kernel/debug/carillon/*:*:*)
	rounds=8
	while [ $rounds -gt 0 ]; do
		rounds=$((rounds - 1))
		echo "copy 65536" >"$gpu/sdma_test" || return
		grep -q ' result 0 ' "$gpu/sdma_test" || {
			cat "$gpu/sdma_test"
			return 1
		}
	done
}

# strangers: accesses to registers that the chip does not have, by block
strangers()
{
	awk 'NR > 1 && $1 != "unclaimed" && $6 { print $1, $6 }
		$1 == "unclaimed" && $4 + $5 { print $1, $4, $5, $6 }' \
		/sys/kernel/debug/carillon_vgpu/*:*:*/registers | xargs
}

# profile NAME GFX CUS L2 RINGS ENGINES: the last, with its RLC queues, as "SDMA XGMI RLC"
profile()
{
	begun=$(date +%s)
	tap_run "$1: the driver binds" load "$1"
	tap_run "S0.100 S0.101 $1: rings that passed their tests" is "$5" "$(rings)"
	tap_run "$1: SDMA engines, XGMI engines, queues in each" is "$6" "$(
		echo "$(property num_sdma_engines) $(property num_sdma_xgmi_engines)" \
			"$(property num_sdma_queues_per_engine)")"
	tap_run "S0.4 $1: rocminfo runs" client
	tap_run "S0.4 $1: its ISA" is "$2" "$(shown Name)"
	tap_run "S0.4 $1: its CUs" is "$3" "$(shown "Compute Unit")"
	tap_run "S0.85 $1: its L2" is "$4" "$(shown L2)"
	tap_run "S0.101 $1: a client's copies, through every user queue" \
		"$SELFTESTS_DIR/profile_client"
	tap_run "S0.101 $1: every user queue has copied" is "$7" "$(used)"
	tap_run "$1: the kernel's own copies" kernel_copies
	tap_run "$1: no register was touched that it has not" is "" "$(strangers)"
	tap_run "$1: unload" unload
	echo "# $1: $(($(date +%s) - begun)) s"
}

# each_of N "QUEUE...": INSTANCE/QUEUE for the first N instances
each_of()
{
	i=0
	while [ $i -lt "$1" ]; do
		for queue in $2; do
			echo "$i/$queue"
		done
		i=$((i + 1))
	done | xargs
}

rlcs="rlc0 rlc1 rlc2 rlc3 rlc4 rlc5 rlc6 rlc7"
tap_run "S0.101 vega10 has two user queues an instance" load vega10
tap_run "the model shows no more" is "gfx page rlc0 rlc1" "$(queues)"
unload
profile vega20 gfx906 60 "8192(0x2000) KB" "0/gfx 0/page 1/gfx 1/page" "2 0 8" \
	"$(each_of 2 "$rlcs")"
profile mi100 gfx908 120 "8192(0x2000) KB" "$(each_of 8 gfx)" "2 6 8" "$(each_of 8 "$rlcs")"
profile mi210 gfx90a 104 "8192(0x2000) KB" "$(each_of 5 gfx)" "2 3 8" "$(each_of 5 "$rlcs")"
rm -rf "$tmp"
tap_done
