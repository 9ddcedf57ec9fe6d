#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What "through SDMA, on interrupts" means, for Debian's unmodified HSA runtime on
# both thunks: 64 MiB host to VRAM to VRAM to host (S0.1, S0.7, S0.18, S0.24, S0.38, S0.51,
# S0.104). Each copy is held by halting the queues of the virtual GPU until the
# copy's own waiter sleeps in the driver; with traps dropped a bounded wait times
# out. Runs in the VM; needs $SELFTESTS_DIR, $SAMPLES_DIR and $THUNK_DIR.
# vm: timeout=600
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tools/check/tap.sh"
. "$here/scale.sh"
size=67108864
dir=$(mktemp -d)
driver=/sys/kernel/debug/carillon
model=$(echo /sys/kernel/debug/carillon_vgpu/*:*:*)
export HSA_FORCE_SDMA_SIZE=2147483647

control()
{
	echo "$*" >"$model/control"
}

# both WORD: halts or resumes the two user queues that the runtime makes
both()
{
	control "$1" 0 rlc0 && control "$1" 1 rlc0
}

# field INSTANCE QUEUE COLUMN: of the model's queue table
field()
{
	awk -v i="$1" -v q="$2" -v c="$3" '
		NR == 1 { for (n = 1; n <= NF; n++) if ($n == c) col = n }
		NR > 1 && $1 == i && $2 == q { print $col }' "$model/queues"
}

# until SECONDS COMMAND...: polls
until_ok()
{
	tries=$(($(scaled "$1") * 20))
	shift
	while [ $tries -gt 0 ]; do
		"$@" && return
		tries=$((tries - 1))
		sleep 0.05
	done
	echo "never came: $*"
	return 1
}

# sleeper PID ID: a WAIT_EVENTS caller of the process sleeps on that event alone
sleeper()
{
	awk -v p="$1" -v e="$2" '$1 == p && $3 == e { found = 1 } END { exit !found }' \
		"$driver/waiters"
}

maps_have()
{
	grep -q "$2" "/proc/$1/maps"
}

# library_path THUNK: what LD_LIBRARY_PATH has to be, and in $lib what maps must show
choose_thunk()
{
	if [ "$1" = ours ]; then
		export LD_LIBRARY_PATH="$THUNK_DIR"
		lib=$THUNK_DIR/libhsakmt.so.1
	else
		unset LD_LIBRARY_PATH
		lib="/usr/lib/.*/libhsakmt.so.1"
	fi
}

start()
{
	rm -f "$dir/in" "$dir/out" "$dir/log" "$dir"/ring.*
	mkfifo "$dir/in"
	LD_PRELOAD="$SELFTESTS_DIR/ioctl_log.so" KFD_IOCTL_LOG="$dir/log" \
		KFD_RING_DUMP="$dir/ring" \
		"$SAMPLES_DIR/hsa_copy" --size $size "$@" <"$dir/in" >"$dir/out" 2>&1 &
	pid=$!
	exec 3>"$dir/in"
}

# one_copy NAME: halts, lets it submit, sees it asleep, resumes, sees it end
one_copy()
{
	until_ok 60 grep -q "ready $1" "$dir/out" || return
	both halt
	echo >&3
	until_ok 60 grep -q "submitted $1 event" "$dir/out" || return
	event=$(sed -n "s/submitted $1 event //p" "$dir/out")
	until_ok 60 sleeper "$pid" "$event" || return
	! grep -q "done $1" "$dir/out" || return
	both resume
	until_ok 120 grep -q "done $1" "$dir/out" || return
	until_ok 10 grep -q "wait_events n 1 .* ids $event result 0 ret 0" "$dir/log"
}

bytes_are()
{
	got=$(field "$1" rlc0 copied)
	[ "$got" = "$2" ] || {
		echo "copied $got, expected $2"
		return 1
	}
}

# sum COLUMN EXPECTED: over the two user queues
sum_is()
{
	got=$(($(field 0 rlc0 "$1") + $(field 1 rlc0 "$1")))
	[ "$got" = "$2" ] || {
		echo "$1 $got, expected $2"
		return 1
	}
}

no_compute_queue()
{
	[ "$(grep -c '^create_queue type 1 ret 0' "$dir/log")" = 2 ] &&
		[ "$(grep -c '^create_queue' "$dir/log")" = 2 ]
}

# Packets that the runtime wrote: decoder and encoder agree with it, and there are
# an atomic, a mailbox fence and a trap for each of the three copies.
rings_check()
{
	"$SELFTESTS_DIR/ring_check" "$dir"/ring.* >"$dir/kinds" || return
	for kind in fence trap atomic; do
		grep -qx "$kind 3" "$dir/kinds" || {
			cat "$dir/kinds"
			return 1
		}
	done
}

# none_signalled: no wait that names a copy's event, alone or among others, was satisfied
none_signalled()
{
	for id in $(sed -n 's/^submitted .* event //p' "$dir/out"); do
		! grep -E "wait_events .* ids ([0-9]+,)*$id(,[0-9]+)* result 0 " "$dir/log" || return
	done
	[ -n "$id" ]
}

# dropped: trap entries that the model has lost since it was told to
dropped()
{
	awk '$1 == "irq_drop" { print $4 }' "$model/failures"
}

held_copies()
{
	choose_thunk "$1"
	start --hold
	tap_run "$1: libhsakmt is the chosen one" until_ok 60 maps_have $pid "$lib"
	for name in H2D D2D D2H; do
		tap_run "S0.7: $1: $name sleeps in the driver until its queue goes on" one_copy $name
	done
	exec 3>&-
	wait "$pid"
	tap_run "$1: every byte is right" [ $? = 0 ]
	tap_run "$1: first queue copied 64 MiB" bytes_are 0 $size
	tap_run "$1: second queue copied 128 MiB" bytes_are 1 $((2 * size))
	tap_run "$1: three mailbox fences" sum_is fences 3
	tap_run "$1: three traps" sum_is traps 3
	tap_run "$1: two SDMA queues, no compute queue" no_compute_queue
	tap_run "$1: decoder and encoder agree with the runtime's rings" rings_check
	both resume
}

# With every trap dropped the mailbox is written but nobody is told.
dropped_traps()
{
	choose_thunk "$1"
	control fail irq_drop:source=224,rate=1
	start --timeout 3000
	exec 3>&-
	wait $pid
	control heal irq_drop
	event=$(sed -n "s/submitted H2D event //p" "$dir/out")
	tap_run "$1: traps were lost" [ "$(dropped)" -gt 0 ]
	tap_run "S0.7: $1: without traps the wait times out" \
		grep -q "wait_events n 1 .* ids $event result 1 ret 0" "$dir/log"
	tap_run "$1: without traps no event is signalled" none_signalled
}

for thunk in ours debian; do
	held_copies $thunk
	dropped_traps $thunk
done
tap_done
