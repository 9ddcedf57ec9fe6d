#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Debian's unmodified rocminfo and HSA runtime with two GPUs, on our libhsakmt and on
# Debian's: two GPU agents and the same output on both, and copies host to VRAM to
# VRAM to host. The runtime allocates host memory through the first GPU and maps it on
# all (S0.4, S0.18, S0.104). Runs in the VM; needs $SAMPLES_DIR and $THUNK_DIR.
# vm: modules="carillon_vgpu gpus=vega10:cu=4+vega10:cu=4;carillon" timeout=600
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tools/check/tap.sh"
. "$here/counts.sh"
dir=$(mktemp -d)
before=$(counts_now)
export HSA_FORCE_SDMA_SIZE=2147483647

choose_thunk()
{
	if [ "$1" = ours ]; then
		export LD_LIBRARY_PATH="$THUNK_DIR"
		lib=$THUNK_DIR/libhsakmt.so.1
	else
		unset LD_LIBRARY_PATH
		lib="/lib/.*libhsakmt.so.1"
	fi
}

info()
{
	LD_DEBUG=files LD_DEBUG_OUTPUT="$dir/$1.ld" rocminfo >"$dir/$1" 2>"$dir/$1.err" || {
		cat "$dir/$1" "$dir/$1.err"
		return 1
	}
}

loaded()
{
	cat "$dir/$1.ld"* | grep -h "calling init: .*libhsakmt" | grep -q "$lib"
}

# count THUNK WANTED PATTERN: lines of rocminfo's output
count()
{
	got=$(grep -cE "$3" "$dir/$1")
	[ "$got" = "$2" ] || {
		echo "$got lines of $3, expected $2"
		cat "$dir/$1"
		return 1
	}
}

equal()
{
	diff "$dir/ours" "$dir/debian"
}

copies()
{
	"$SAMPLES_DIR/hsa_copy" --size 8M --timeout "$(scaled 60000)" >"$dir/copy" 2>&1 || {
		cat "$dir/copy"
		return 1
	}
}

tap_run "the companion module loads" "$here/../tools/vm/modload" amdgpu
for thunk in ours debian; do
	choose_thunk $thunk
	tap_run "$thunk: rocminfo" info $thunk
	tap_run "$thunk: the chosen libhsakmt was loaded" loaded $thunk
	# The clock is the one line that may move between two runs.
	sed -i '/Timestamp/!b;/Freq/b;d' "$dir/$thunk"
	tap_run "$thunk: two GPU agents" count $thunk 2 "Device Type: +GPU"
	tap_run "$thunk: two GPUs by name" count $thunk 2 "^  Name: +gfx900"
	tap_run "$thunk: coarse pools: VRAM of each, and the CPU's" \
		count $thunk 3 "FLAGS: +COARSE GRAINED"
	tap_run "$thunk: every byte of the copies is right" copies
	tap_run "$thunk: nothing stays" counts_settle "$before"
done
tap_run "the same output on both" equal
tap_run "the companion module unloads" rmmod amdgpu
rm -rf "$dir"
tap_done
