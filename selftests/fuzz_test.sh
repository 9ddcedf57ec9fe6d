#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# A short run of the fuzzers that need a kernel, FUZZ_SECONDS each; long ones are
# `./carillon soak`.  FUZZ_SEED repeats a run's choices (S0.103; B001, B010, B020,
# B028, B061, B067).
# The fuzzer's buffers share pages; the debug kernel's list of DMA mappings warns of more than
# seven of one cache line, which a driver cannot avoid: it is off here.
# vm: modules="carillon_vgpu gpus=vega10:cu=4,vram=512m;carillon" timeout=600 append="dma_debug=off"
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tools/check/tap.sh"
seconds=$((${FUZZ_SECONDS:-8}))
seed=${FUZZ_SEED:-1}

# fuzz NAME FUZZER OPTION...: and says how fast it was
fuzz()
{
	name=$1
	fuzzer=$2
	shift 2
	tap_run "$name" "$SELFTESTS_DIR/$fuzzer" -s "$seed" -t $seconds "$@"
	# shellcheck disable=SC2154 # tap_run sets it
	printf '%s\n' "$tap_output" | sed -n "s/^# \(.* per second\)$/# $fuzzer: \1/p"
}

fuzz "ioctls, processes killed" ioctl_fuzz -k
fuzz "ioctls, signals every 50 us" ioctl_fuzz -i
fuzz "hostile rings" ring_fuzz
tap_done
