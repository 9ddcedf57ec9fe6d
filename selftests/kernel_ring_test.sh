#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The kernel's own rings: a copy and a fill through the GFX ring, page-table
# updates through the page ring, their fences, interrupts and ring pointers
# (S0.95, S0.96, S0.98, S0.99, S0.100, S0.104, S0.107). Runs in the VM.
# vm: timeout=600
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tools/check/tap.sh"
gpu=$(echo /sys/kernel/debug/carillon/*:*:*)
model=$(echo /sys/kernel/debug/carillon_vgpu/*:*:*)

# work WORD...: asks for verified work and looks at the verdict
work()
{
	echo "$*" >"$gpu/sdma_test" || return
	cat "$gpu/sdma_test"
	grep -q ' result 0 ' "$gpu/sdma_test"
}

# total FILE QUEUE COLUMN: a column of a table, summed over the instances
total()
{
	awk -v q="$2" -v c="$3" '
		NR == 1 { for (n = 1; n <= NF; n++) if ($n == c) col = n }
		NR > 1 && $2 == q { sum += $col } END { print sum + 0 }' "$1"
}

# grows QUEUE COLUMN AT-LEAST COMMAND...
grows()
{
	queue=$1 column=$2 least=$3
	shift 3
	before=$(total "$model/queues" "$queue" "$column")
	"$@" || return
	after=$(total "$model/queues" "$queue" "$column")
	[ $((after - before)) -ge "$least" ] || {
		echo "$queue $column went from $before to $after, expected $least more"
		return 1
	}
}

# memory NAME: a line of the model's memory file
memory()
{
	sed -n "s/^$1 //p" "$model/memory"
}

# rings_doorbell yes|no: does a copy ring a doorbell of the kernel's?
rings_doorbell()
{
	before=$(memory doorbell_rung)
	work copy 4096 || return
	after=$(memory doorbell_rung)
	case $1 in
	yes) [ "$after" -gt "$before" ] ;;
	no) [ "$after" = "$before" ] ;;
	esac || {
		echo "doorbell_rung went from $before to $after"
		return 1
	}
}

# asleep: no engine takes a step while nothing is asked of it
asleep()
{
	sleep 0.2
	before=$(grep "^engine" "$model/memory")
	sleep 2
	after=$(grep "^engine" "$model/memory")
	[ "$before" = "$after" ] || {
		printf '%s\n' "$before" "$after"
		return 1
	}
}

# client_maps: what a client of /dev/kfd maps is written by the page ring, with a fence and a
# trap for each batch. smoke maps 256 pages of VRAM and its event page (its user pages are the
# CPU's business), and copies.
client_maps()
{
	rings=$(mktemp)
	cat "$gpu/rings" >"$rings"
	fences=$(total "$model/queues" page fences)
	"$SELFTESTS_DIR/smoke" || return
	for least in jobs=2 bytes=2048 signalled=2 traps=2 rptr=1; do
		before=$(total "$rings" page "${least%=*}")
		after=$(total "$gpu/rings" page "${least%=*}")
		[ $((after - before)) -ge "${least#*=}" ] || {
			echo "page ring: ${least%=*} went from $before to $after"
			return 1
		}
	done
	rm "$rings"
	[ $(($(total "$model/queues" page fences) - fences)) -ge 2 ]
}

idle()
{
	awk 'NR == 1 { for (n = 1; n <= NF; n++) { if ($n == "rptr") r = n; if ($n == "wptr") w = n } }
		NR > 1 && $r != $w { bad = 1 } END { exit bad }' "$gpu/rings"
}

# parameter NAME VALUE: a run-time parameter of the driver
parameter()
{
	echo "$2" >"/sys/module/carillon/parameters/$1"
}

tap_run "copy of 1 MiB through the GFX ring" work copy 1048576
tap_run "copy of 64 MiB through the GFX ring" work copy 67108864
tap_run "the GFX ring copied the bytes" grows gfx copied 1048576 work copy 1048576
tap_run "fill through the GFX ring" grows gfx filled 1048576 work fill 1048576
tap_run "512 entries through the page ring" grows page packets 1 work pte 512
tap_run "a trap each" grows gfx traps 1 work copy 4096
tap_run "a fence each" grows page fences 1 work pte 1
tap_run "S0.107: jobs in an address space, each with a VM flush" work vm 64
tap_run "S0.107: 64 of them" grows gfx fences 64 work vm 64
tap_run "S0.100: a client's maps go through the page ring" client_maps
tap_run "idle: RPTR is WPTR" idle
tap_run "S0.98: write pointer by MMIO" parameter use_doorbell 0
tap_run "S0.98: copy" work copy 1048576
tap_run "S0.98: page table" work pte 512
tap_run "S0.98: no doorbell is rung" rings_doorbell no
tap_run "S0.99: back to doorbells" parameter use_doorbell 1
tap_run "S0.99: copy" work copy 1048576
tap_run "S0.99: a doorbell is rung" rings_doorbell yes
tap_run "the model is asleep when nothing is asked of it" asleep

# S0.104: interrupts get lost, the fallback still ends the work and counts it.
echo "fail irq_drop:source=224" >"$model/control"
tap_run "S0.104: a lost interrupt delays, it does not hang" work copy 4096
tap_run "S0.104: it is counted" [ "$(total "$gpu/rings" gfx lost_irqs)" -ge 1 ]

refused()
{
	! echo "$*" >"$gpu/sdma_test" 2>/dev/null
}

for bad in "" "copy" "copy 0" "copy -1" "copy 99999999999999999999" "fill x" "pte 0" \
	"pte 9999999" "vm 0" "vm 4097" "dance 1"; do
	tap_run "refuses \"$bad\"" refused "$bad"
done
tap_done
