#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Debian's rocminfo 5.2.3, unmodified, on our libhsakmt and on Debian's: both
# agents with pools and caches, and the same output on both (S0.4, S0.18, S0.28,
# S0.60, S0.93). Runs in the VM; needs $THUNK_DIR.
# vm: timeout=600
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tools/check/tap.sh"
dir=$(mktemp -d)
nodes=/sys/devices/virtual/kfd/kfd/topology/nodes

# run THUNK: rocminfo on it, output to $dir/THUNK, which library to $dir/THUNK.lib
run()
{
	if [ "$1" = ours ]; then
		LD_LIBRARY_PATH=$THUNK_DIR
	else
		LD_LIBRARY_PATH=
	fi
	export LD_LIBRARY_PATH
	LD_DEBUG=files LD_DEBUG_OUTPUT="$dir/$1.ld" rocminfo >"$dir/$1" 2>"$dir/$1.err" || {
		cat "$dir/$1" "$dir/$1.err"
		return 1
	}
	cat "$dir/$1.ld"* | grep -h "calling init: .*libhsakmt" >"$dir/$1.lib"
}

has()
{
	grep -qE "$2" "$dir/$1" || {
		cat "$dir/$1"
		return 1
	}
}

# node KIND: folder of the first node that is a gpu or a cpu
node()
{
	for n in "$nodes"/*; do
		case $1:$(cat "$n/gpu_id") in
		cpu:0) echo "$n" && return ;;
		cpu:* | gpu:0) ;;
		gpu:*) echo "$n" && return ;;
		esac
	done
}

# property KIND NAME: of that node
property()
{
	sed -n "s/^$2 //p" "$(node "$1")/properties"
}

# bank_kb KIND: its memory bank
bank_kb()
{
	echo $(($(sed -n 's/^size_in_bytes //p' "$(node "$1")/mem_banks/0/properties") / 1024))
}

# shown THUNK AGENT LABEL: the first number with that label in the agent's part
shown()
{
	awk -v agent="$2" -v label="$3:" '
		/^Agent [0-9]/ { mine = $2 == agent }
		mine && (at = index($0, label)) && substr($0, 1, at - 1) ~ /^ *$/ {
			value = substr($0, at + length(label))
			sub(/^ */, "", value)
			sub(/[^0-9].*/, "", value)
			print value
			exit
		}' "$dir/$1"
}

# shows THUNK AGENT LABEL WANT
shows()
{
	got=$(shown "$1" "$2" "$3")
	[ "$got" = "$4" ] || {
		echo "$3: $got, expected $4"
		return 1
	}
}

# attributes THUNK: the GPU's agent says what its node says
attributes()
{
	shows "$1" 2 Node "$(basename "$(node gpu)")" &&
		shows "$1" 2 "Max Waves Per CU" \
			$(($(property gpu max_waves_per_simd) * $(property gpu simd_per_cu))) &&
		shows "$1" 2 "WatchPts on Addr. Ranges" \
			$((1 << ($(property gpu capability) >> 8 & 15))) || return
	while IFS=: read -r label name; do
		shows "$1" 2 "$label" "$(property gpu "$name")" || return
	done <<-END
	Chip ID:device_id
	Max Clock Freq. (MHz):max_engine_clk_fcompute
	BDFID:location_id
	SIMDs per CU:simd_per_cu
	Shader Engines:array_count
	Shader Arrs. per Eng.:simd_arrays_per_engine
	Wavefront Size:wave_front_size
	END
}

# uuid THUNK: the GPU's agent, the node and the file beside the DRM node name one GPU
uuid()
{
	file=$(cat "/sys/class/drm/renderD$(property gpu drm_render_minor)/device/unique_id")
	node=$(printf %016x "$(property gpu unique_id)")
	agent=$(sed -n 's/^ *Uuid: *GPU-//p' "$dir/$1" | tr -d ' ')
	echo "file $file node $node agent $agent"
	[ -n "$file" ] && [ "$node" = "$file" ] && [ "$agent" = "$file" ]
}

equal()
{
	diff "$dir/ours" "$dir/debian"
}

# The clock is the one line that may move between two runs.
strip_clock()
{
	for t in ours debian; do
		sed -i '/Timestamp/!b;/Freq/b;d' "$dir/$t"
	done
}

tap_run "the companion module loads" "$here/../tools/vm/modload" amdgpu
tap_run "rocminfo on our thunk" run ours
tap_run "our libhsakmt was loaded" grep -q "$THUNK_DIR/libhsakmt.so.1" "$dir/ours.lib"
tap_run "rocminfo on Debian's thunk" run debian
tap_run "Debian's libhsakmt was loaded" grep -q "[ :]\(/usr\)\?/lib/.*libhsakmt.so.1" "$dir/debian.lib"
for t in ours debian; do
	tap_run "$t: two agents" has $t "Agent 2"
	tap_run "$t: GPU agent" has $t "Name: +gfx900"
	tap_run "$t: ISA" has $t "amdgcn-amd-amdhsa--gfx900"
	tap_run "$t: CPU pools" has $t "FLAGS: +FINE GRAINED"
	tap_run "$t: VRAM pool" has $t "FLAGS: +COARSE GRAINED"
	tap_run "$t: L2" has $t "L2: +4096\(0x1000\) KB"
	tap_run "$t: L1" has $t "L1: +16\(0x10\) KB"
	tap_run "S0.4: $t: compute units" shows $t 2 "Compute Unit" \
		$(($(property gpu simd_count) / $(property gpu simd_per_cu)))
	tap_run "S0.4: $t: the GPU's agent says what its node says" attributes $t
	tap_run "S0.4: $t: the GPU's unique id" uuid $t
	tap_run "S0.60: $t: the CPU's pool is its memory bank" shows $t 1 Size "$(bank_kb cpu)"
	tap_run "S0.60: $t: the VRAM pool is the GPU's memory bank" shows $t 2 Size "$(bank_kb gpu)"
done
strip_clock
tap_run "the same output on both" equal
tap_run "the companion module unloads" rmmod amdgpu
rm -rf "$dir"
tap_done
