#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: timeout=600
#
# Trace events: the nine steps of a transfer stand in the kernel's trace in their order,
# for a copy of the kernel's on the GFX ring and for one of a client's on its own queue
# (S0.106); what is off costs nothing and writes nothing; the time line; and the dump of
# the rings, decoded on line and off line alike (S0.105). Runs in the VM.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tools/check/tap.sh"
. "$here/scale.sh"
gpu=$(echo /sys/kernel/debug/carillon/*:*:*)
dir=$(mktemp -d)
trap 'stop_trace; rm -rf "$dir"' EXIT

# find_tracefs: sets $tracing and what is to be restored
find_tracefs()
{
	mounted_tracefs || return
	# "7 (expanded: 1408)" before the first use
	buffer_kb=$(sed 's/.*: //; s/)//' "$tracing/buffer_size_kb")
}

mounted_tracefs()
{
	for tracing in /sys/kernel/tracing /sys/kernel/debug/tracing; do
		[ -d "$tracing/events" ] && return
		mount -t tracefs tracefs "$tracing" 2>/dev/null && [ -d "$tracing/events" ] && return
	done
	tracing=
	return 1
}

# start_trace CLOCK: an empty trace with all our events; "counter" puts events of all
# processors into one order
start_trace()
{
	echo 0 >"$tracing/tracing_on" || return
	echo "$1" >"$tracing/trace_clock" && echo >"$tracing/trace" || return
	echo 4096 >"$tracing/buffer_size_kb" || return
	for system in carillon carillon_vgpu; do
		echo 1 >"$tracing/events/$system/enable" || return
	done
	echo 1 >"$tracing/tracing_on"
}

stop_trace()
{
	[ -n "$tracing" ] || return 0
	for system in carillon carillon_vgpu; do
		echo 0 >"$tracing/events/$system/enable"
	done 2>/dev/null
	echo local >"$tracing/trace_clock"
	echo "$buffer_kb" >"$tracing/buffer_size_kb"
	echo >"$tracing/trace"
}

# traced FILE CLOCK COMMAND...: the trace of a command
traced()
{
	traced_file=$1
	start_trace "$2" || return
	shift 2
	"$@"
	traced_status=$?
	cat "$tracing/trace" >"$traced_file"
	stop_trace
	return "$traced_status"
}

kernel_copy()
{
	echo "copy 65536" >"$gpu/sdma_test" && grep -q ' result 0 ' "$gpu/sdma_test"
}

client_copy()
{
	"$SELFTESTS_DIR/trace_copy" "$tracing/trace_marker"
}

# in_order WHO FILE
in_order()
{
	awk -v who="$1" -f "$here/trace_order.awk" "$2"
}

# finds_disorder WHO FILE: the same trace backwards has another order
finds_disorder()
{
	! tac "$2" | awk -v who="$1" -f "$here/trace_order.awk"
}

# each_job FILE: every job that was submitted has a doorbell before its fence, and no fence
# signals before its trap
each_job()
{
	awk '
	function value(key)
	{
		match($0, key "=[^ ]*")
		return substr($0, RSTART + length(key) + 1, RLENGTH - length(key) - 1)
	}
	/sdma_(submit|fence):/ { id = value("gpu") value("instance") value("queue") value("seq") }
	/sdma_submit:/ { rung[id] = 0; waiting = id; jobs++ }
	/sdma_doorbell:/ { rung[waiting] = 1 }
	/sdma_trap:/ { traps++ }
	/sdma_fence:/ {
		if (!rung[id] || !traps)
			bad = "fence " id " without doorbell or trap"
		done++
	}
	END {
		print jobs + 0, "jobs,", done + 0, "fences", bad
		exit !(jobs && jobs == done && bad == "")
	}' "$1"
}

# page_tables FILE: what a client maps is written by the ring, with its entries in the trace
page_tables()
{
	grep -q 'vm_update: .* by=ring' "$1" && grep -q 'vgpu_packet_end: .*queue=page .*result=done' "$1"
}

# registers FILE: without doorbells WPTR goes by register, on both sides
registers()
{
	echo 0 >/sys/module/carillon/parameters/use_doorbell
	traced "$1" counter kernel_copy
	status=$?
	echo 1 >/sys/module/carillon/parameters/use_doorbell
	[ "$status" = 0 ] || return
	grep -q 'sdma_doorbell: .*by=register' "$1" && grep -q 'vgpu_wptr: .*by=register' "$1" &&
		! grep -q 'by=doorbell' "$1"
}

# formats: what trace-cmd and perf read; a name of ours in there would mean nothing to them
formats()
{
	! grep -hE '(VGPU|SDMA)_' "$tracing"/events/carillon*/*/format &&
		grep -q '"gfx"' "$tracing/events/carillon/sdma_submit/format"
}

# silent: switched off, events write nothing
silent()
{
	echo >"$tracing/trace"
	kernel_copy || return
	! grep -E 'sdma_|vgpu_|ih_entry|vm_update' "$tracing/trace"
}

# timeline FILE: JSON with a lane for the GFX ring of each instance that ran and jobs that end
timeline()
{
	"$here/../tools/trace-timeline" "$1" >"$dir/timeline.json" || return
	python3 -m json.tool "$dir/timeline.json" >/dev/null || return
	grep -q '"thread_name","args":{"name":"sdma[01] gfx"}' "$dir/timeline.json" || return
	begun=$(grep -c '"ph":"b"' "$dir/timeline.json")
	ended=$(grep -c '"ph":"e"' "$dir/timeline.json")
	[ "$begun" -gt 0 ] && [ "$begun" = "$ended" ]
}

# dump_decoded: the kernel's text of each packet is that of the tool for its words
dump_decoded()
{
	cat "$gpu/ring_dump" >"$dir/dump" || return
	grep -q '; FENCE addr=0x' "$dir/dump" && grep -q '; INDIRECT vmid=0 ib=0x' "$dir/dump" || return
	"$here/../tools/sdma-decode" <"$dir/dump" | sed 's/^0x[0-9a-f]*: //' | uniq >"$dir/tool" ||
		return
	sed -n 's/^.* ; //p' "$dir/dump" | uniq >"$dir/kernel"
	diff "$dir/kernel" "$dir/tool"
}

# pending_shown: with the engine held, a job that was rung stands between RPTR and WPTR,
# and its buffer with it
pending_shown()
{
	model=$(echo /sys/kernel/debug/carillon_vgpu/*:*:*)
	timeout=/sys/module/carillon/parameters/fence_timeout
	before=$(cat "$timeout")
	echo 600000 >"$timeout"
	for i in 0 1; do
		echo "halt $i gfx" >"$model/control"
	done 2>/dev/null
	kernel_copy &
	tries=0
	until cat "$gpu/ring_dump" >"$dir/held" && grep -q '^> .*; FENCE' "$dir/held"; do
		tries=$((tries + 1))
		[ "$tries" -lt "$(scaled 600)" ] || break
		sleep 0.1
	done
	for i in 0 1; do
		echo "resume $i gfx" >"$model/control"
	done 2>/dev/null
	wait
	echo "$before" >"$timeout"
	grep -q '^> .*; POLL_HDP' "$dir/held" && grep -q '^> ib .*; \(COPY_LINEAR\|CONST_FILL\|WRITE\)' \
		"$dir/held" || {
		grep '^[#>]' "$dir/held"
		return 1
	}
}

# named_registers: the page ring's and the GFX ring's base by name, and enabled
named_registers()
{
	grep -q '^0 gfx RB_BASE 0x[0-9a-f]* 0x[0-9a-f]*$' "$gpu/registers" || return
	awk '$2 == "gfx" && $3 == "RB_CNTL" && $5 !~ /[13579bdf]$/ { bad = 1 }
		$3 == "RB_CNTL" { sets++ } END { print sets; exit bad || !sets }' "$gpu/registers"
}

tap_run "ring dump: the kernel's text is that of sdma-decode (S0.105)" dump_decoded
tap_run "ring dump: what is between RPTR and WPTR, with its buffer" pending_shown
tap_run "registers by name" named_registers
if ! find_tracefs || [ ! -d "$tracing/events/carillon" ]; then
	tap_skip "trace events (S0.106)" "this kernel has no trace events"
	tap_done
	exit
fi
tap_run "a copy of the kernel's under trace" traced "$dir/gfx" counter kernel_copy
tap_run "S0.106: its nine steps are in order" in_order gfx "$dir/gfx"
tap_run "S0.106: the check finds a trace that is not" finds_disorder gfx "$dir/gfx"
tap_run "S0.106: each job: doorbell, trap, fence" each_job "$dir/gfx"
tap_run "a copy of a client's under trace" traced "$dir/client" counter client_copy
tap_run "S0.106: its nine steps are in order" in_order client "$dir/client"
tap_run "S0.106: the check finds a trace that is not" finds_disorder client "$dir/client"
tap_run "page-table updates of the client" page_tables "$dir/client"
tap_run "WPTR by register" registers "$dir/registers"
tap_run "formats for trace-cmd and perf" formats
tap_run "switched off: silent" silent
tap_run "a copy of the kernel's with time stamps" traced "$dir/timed" mono kernel_copy
if command -v python3 >/dev/null; then
	tap_run "time line in JSON" timeline "$dir/timed"
else
	tap_skip "time line in JSON" "no python3"
fi
tap_done
