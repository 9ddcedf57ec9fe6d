#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Failure switches of the virtual GPU, one after the other: what the driver notices, and
# that the work is done in the end (S0.103, S0.104). Rings that hang: ring_hang_test.sh.
# The test loads the modules itself.
# vm: modules=none timeout=300
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tools/check/tap.sh"
. "$here/scale.sh"
modload=$here/../tools/vm/modload

# Small rings run out of room soon.
load()
{
	"$modload" carillon_vgpu "$@" && "$modload" carillon sdma_ring_size=4096 \
		fence_timeout="$(scaled 1500)"
	gpu=$(echo /sys/kernel/debug/carillon/*:*:*)
	model=$(echo /sys/kernel/debug/carillon_vgpu/*:*:*)
}

unload()
{
	rmmod carillon && rmmod carillon_vgpu
}

control()
{
	echo "$*" >"$model/control"
}

refused()
{
	! control "$@" 2>/dev/null
}

# copies N [BYTES]: that many copies through the kernel's rings, each compared
copies()
{
	n=$1
	while [ "$n" -gt 0 ]; do
		echo "copy ${2:-4096}" >"$gpu/sdma_test" || return
		read -r said <"$gpu/sdma_test" || return
		case $said in
		*" result 0 "*) ;;
		*) echo "$said" && return 1 ;;
		esac
		n=$((n - 1))
	done
}

# ring_count NAME: a column of the driver's table, of the first GFX ring
ring_count()
{
	awk -v c="$1" 'NR == 1 { for (n = 1; n <= NF; n++) if ($n == c) col = n }
		$1 == 0 && $2 == "gfx" { print $col }' "$gpu/rings"
}

# irq_count NAME: a line of the driver's interrupt counters
irq_count()
{
	awk -v name="$1" '$1 == name { print $2 }' "$gpu/irq"
}

# hits NAME: how often the model let it happen
hits()
{
	awk -v name="$1" '$1 == name { print $4 }' "$model/failures"
}

# more COUNTER NAME AT-LEAST COMMAND...: the counter grows by that much
more()
{
	counter=$1 name=$2 least=$3
	shift 3
	before=$($counter "$name")
	"$@" || return
	after=$($counter "$name")
	[ $((after - before)) -ge "$least" ] || {
		echo "$name went from $before to $after"
		cat "$gpu/rings" "$gpu/irq" "$model/failures"
		return 1
	}
}

# after_failure TEXT COMMAND...: it has happened when the command is over
after_failure()
{
	control fail "$1" || return
	failure=${1%%:*}
	shift
	"$@" || return
	[ "$(hits "$failure")" -ge 1 ] || {
		cat "$model/failures"
		return 1
	}
	control heal "$failure"
}

all_live()
{
	! awk 'NR > 1 && $NF != "live"' "$gpu/rings" | grep .
}

logged()
{
	dmesg | grep -q "$1" || {
		dmesg | tail -n 20
		return 1
	}
}

# faults: a client whose queue gets a page fault does not end well: it waits, and is killed
faults()
{
	"$SELFTESTS_DIR/smoke" >/dev/null 2>&1 &
	client=$!
	end=$(($(date +%s) + $(scaled 60)))
	while kill -0 "$client" 2>/dev/null && [ "$(date +%s)" -le "$end" ]; do
		[ "$(hits vm_fault)" -lt 1 ] || ! dmesg | grep -q fault-page || break
		sleep 0.2
	done
	kill "$client"
	! wait "$client"
}

# The parameter, whole; bad ones keep the module out.
bad_parameter()
{
	! "$modload" carillon_vgpu failures="$1" 2>/dev/null && ! grep -q ^carillon_vgpu /proc/modules
}

at_load()
{
	grep -q '^vm_fault 1 0 0 1$' "$model/failures" || {
		cat "$model/failures"
		return 1
	}
}

tap_run "a failure that does not exist: the module says so" bad_parameter nothing
tap_run "a value out of range as well" bad_parameter hang:rate=0
load failures=vm_fault:instance=1,queue=rlc1,after=1000000 || exit 1
tap_run "switches by module parameter" at_load
control heal all
for bad in fail "fail nothing" "fail hang:x=1" "fail hang hang" heal "heal nothing" "drop_traps 1"; do
	tap_run "refuses \"$bad\"" refused "$bad"
done

tap_run "irq_drop: the fence is found by looking" \
	more ring_count lost_irqs 1 after_failure irq_drop:source=224 copies 1
tap_run "irq_drop at a rate, the same by its seed" \
	more ring_count lost_irqs 1 after_failure irq_drop:source=224,rate=3,seed=1 copies 3
tap_run "irq_delay: the fence is found before its message comes" \
	more ring_count lost_irqs 1 after_failure irq_delay:source=224,value=3000 copies 1
tap_run "iv_corrupt: an entry of no known source is counted, the fence found" \
	more irq_count unknown 1 after_failure iv_corrupt:source=224 copies 1
tap_run "iv_corrupt: another source of a known client" \
	more irq_count unknown 1 after_failure iv_corrupt:source=224,value=0xff00 copies 1
# 4096 bytes hold 42 frames of 24 dwords.
tap_run "rptr_stale: RPTR is read from the register when there is no room" \
	more ring_count stale_rptrs 1 after_failure rptr_stale:instance=0,queue=gfx,rate=1 copies 45
tap_run "rptr_stale once: the next write-back makes up for it" \
	after_failure rptr_stale:instance=0,queue=gfx copies 2
tap_run "doorbell_lost: the ring is rung once more" \
	more ring_count lost_doorbells 1 after_failure doorbell_lost:instance=0,queue=gfx copies 1
tap_run "doorbell_lost: it is logged" logged "doorbell lost"
tap_run "copy_slow: late, not lost" after_failure copy_slow:rate=1,value=50 copies 2 262144
tap_run "all rings are live after all that" all_live
tap_run "vm_fault: the client's queue stops" after_failure vm_fault:queue=rlc0,after=1 faults
tap_run "vm_fault: it is logged as a page fault" logged "fault-page"
tap_run "vm_fault: the next client is well" "$SELFTESTS_DIR/smoke"
tap_run "vm_fault: so are the kernel's rings" copies 1
tap_run "all rings are live" all_live
unload
tap_done
