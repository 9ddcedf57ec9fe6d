#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# soak.sh [--prove] [MINUTES]: fuzzes for MINUTES (30): a third of them in user space, the
# rest in a VM, in rounds, each with a new seed, which is printed, in turn on the debug
# kernel and on the one that finds data races (KCSAN). kmemleak looks on in the first
# round; before the second, the selftests that do most at a time look for data races.
# What takes as long as it takes comes first, is not counted in MINUTES and needs the
# option: --prove has the fuzzers, kmemleak and KCSAN find planted faults, loads, unloads
# and opens as often as the tests would like to, and compares CPU nodes with upstream's in
# all layouts of processors and memory (an hour). Builds are not counted either. Prints TAP.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
. tools/check/tap.sh
prove=
[ "$1" != --prove ] || { prove=1; shift; }
minutes=${1:-30}
case $minutes in
'' | *[!0-9]* | 0) echo "usage: $0 [--prove] [MINUTES]" >&2; exit 1 ;;
esac
release=$(tools/vm/kernel.sh --release debug) || exit 1
races=$(tools/vm/kernel.sh --release kcsan) || exit 1
targets=$(make -s -C selftests/fuzz list | wc -w)
gpu="carillon_vgpu gpus=vega10:cu=4,vram=512m"

# life TEST: a test of the stock kernel that check has no time for, in full
life()
{
	tools/vm/run.sh --kernel "$stock" --smp 2 --timeout 3600 --modules "build/modules-$stock" \
		--out "build/soak-$1" --load "carillon_vgpu gpus=vega10:cu=4,vram=256m" --load carillon \
		--env LIFE_CYCLES=1000 --env LIFE_SECONDS=3000 --env LIFE_OPENS=10000 \
		--env LIFE_PROCESSES=10000 -- "build/selftests/${1}_test"
}

# round KERNEL SECONDS OPTION... -- COMMAND...: in a VM, each fuzzer for SECONDS; without
# dma-debug, as in fuzz_test.sh
round()
{
	kernel=$1
	seconds=$2
	shift 2
	tools/vm/run.sh --kernel "$kernel" --smp 2 --timeout $((seconds * 6 + 600)) \
		--append dma_debug=off \
		--env SELFTESTS_DIR="$PWD/build/selftests" --env FUZZ_SECONDS="$seconds" \
		--env FUZZ_SEED="$seed" --env CARILLON_TIME_SCALE=4 "$@"
}

# finds_leak: memory that a module loses is reported
finds_leak()
{
	round "$release" 1 --append kmemleak=on --mem 3G --no-log-check -- \
		tools/check/kmemleak.sh insmod "build/modules-$release/planted/planted_fault.ko" fault=leak \
		>build/soak-leak.log 2>&1
	status=$?
	[ "$status" = 1 ] && grep -q 'unreferenced object' build/soak-leak.log && return
	tail -n 20 build/soak-leak.log
	echo "exit status $status, expected 1 and a report"
	return 1
}

# finds_race: what two threads do to one number at the same time is reported, and fails
# the run
finds_race()
{
	round "$races" 1 --modules "build/modules-$races/planted" --load "planted_fault fault=race" \
		-- true >build/soak-race.log 2>&1
	status=$?
	[ "$status" = 123 ] && grep -q 'KCSAN: data-race in .*\[planted_fault\]' build/soak-race.log &&
		return
	tail -n 20 build/soak-race.log
	echo "exit status $status, expected 123 and a report"
	return 1
}

prove_all()
{
	stock=$(tools/vm/kernel.sh --release) || exit 1
	tools/build-modules.sh "$stock" || exit 1
	selftests/planted/prove.sh 60 >build/soak-prove.tap 2>&1
	status=$?
	sed 's/^/# /' build/soak-prove.tap
	tap_run "the fuzzers find every planted fault" [ "$status" = 0 ]
	tap_run "kmemleak finds a planted leak" finds_leak
	tap_run "KCSAN finds a planted data race" finds_race
	for test in unload life; do
		tap_run "$test, in full" life "$test"
	done
	tools/check/layouts.sh >build/soak-layouts.tap 2>&1
	status=$?
	sed 's/^/# /' build/soak-layouts.tap
	tap_run "CPU nodes are upstream's in every layout" [ "$status" = 0 ]
}

# share: seconds for each of the three runs of a round: what is left, up to a minute each;
# a boot takes a minute
share()
{
	left=$((end - $(date +%s) - 60))
	[ "$left" -lt 180 ] || left=180
	[ "$left" -gt 15 ] || left=15
	echo $((left / 3))
}

# kernel_round KERNEL NAME OPTION...: with the modules; what is behind -- runs the fuzzers
kernel_round()
{
	seed=$(date +%s)
	kernel=$1
	name=$2
	shift 2
	tap_run "$name, seed $seed" round "$kernel" "$(share)" --modules "build/modules-$kernel" \
		--out "build/soak-$seed" --load "$gpu" --load carillon "$@"
	# shellcheck disable=SC2154 # tap_run sets it
	printf '%s\n' "$tap_output" | grep '^# .* per second$'
}

# time_left: enough for a boot and something to do
time_left()
{
	[ $(($(date +%s) + 75)) -lt "$end" ]
}

tools/build-modules.sh "$release" || exit 1
tools/build-modules.sh "$races" || exit 1
make -s -C selftests O="$PWD/build/selftests" || exit 1
seed=1
[ -z "$prove" ] || prove_all
end=$(($(date +%s) + minutes * 60))
# Two targets run at a time.
tap_run "user space" tools/check/fuzz.sh $((minutes * 40 / targets + 1))
kernel_round "$release" "kernel, nothing leaks" --append kmemleak=on --mem 3G -- \
	tools/check/kmemleak.sh selftests/fuzz_test.sh
tap_run "no data race, selftests" tools/check/vm.sh --kernel kcsan event kill queue race
kernel_round "$races" "no data race, fuzzers" -- selftests/fuzz_test.sh
while time_left; do
	kernel_round "$release" "kernel" -- selftests/fuzz_test.sh
	! time_left || kernel_round "$races" "no data race, fuzzers" -- selftests/fuzz_test.sh
done
tap_done
