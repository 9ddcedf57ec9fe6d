#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# tools.sh: sdma-decode and trace-timeline on words and on a trace that are known.
# Prints TAP.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
. tools/check/tap.sh
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trace=tools/trace/fixtures/copy.trace

# decodes STATUS EXPECTED [OPTION...]: standard input through sdma-decode; EXPECTED are
# the lines on both of its outputs
decodes()
{
	status=$1 expected=$2
	shift 2
	got=$(tools/sdma-decode "$@" 2>&1)
	got_status=$?
	[ "$got_status" = "$status" ] && [ "$got" = "$expected" ] || {
		printf '%s\n' "$got"
		echo "exit status $got_status, expected $status and:"
		printf '%s\n' "$expected"
		return 1
	}
}

check_decode()
{
	tap_run "sdma-decode: arguments" decodes 0 "0x00000: FENCE addr=0x200001000 data=0x7
0x00010: TRAP context=0x55" 5 0x1000 2 7 6 55 </dev/null
	printf '00000001 fff, 0 11111110 0\n 22222220 0\n 00000000' >"$dir/words"
	tap_run "sdma-decode: words over several lines" decodes 0 \
		"0x00000: COPY_LINEAR bytes=4096 src=0x11111110 dst=0x22222220
0x0001c: NOP" <"$dir/words"
	tap_run "sdma-decode: an illegal packet ends it, with its place" decodes 1 \
		"0x00000: NOP
sdma-decode: at 0x4: illegal packet 0xdeadbeef: unknown packet" 0 deadbeef 0 </dev/null
	tap_run "sdma-decode: a field without a meaning" decodes 1 \
		"sdma-decode: at 0x0: illegal packet 0xf0000008: value without a meaning: func" \
		f0000008 0 0 0 0 0 </dev/null
	tap_run "sdma-decode: an incomplete packet" decodes 1 \
		"sdma-decode: at 0x0: incomplete WRITE: 5 dwords of 6" 2 1000 0 1 1 </dev/null
	cat >"$dir/dump" <<-END
	# sdma0: instance 0 gfx ring of 0x4000 bytes at 0x1000, RPTR 0x20 WPTR 0x40
	  0x00010: 00000000*4 ; NOP
	> 0x00020: 00000002 00001000 00000000 00000001 +2 ; WRITE dst=0x1000 dwords=2
	> ib 0x00000: 00000006 00000009 ; TRAP context=0x9
	END
	tap_run "sdma-decode: a dump" decodes 0 "0x00010: NOP
0x00014: NOP
0x00018: NOP
0x0001c: NOP
0x00020: WRITE dst=0x1000 dwords=2
0x00000: TRAP context=0x9" <"$dir/dump"
	tap_run "sdma-decode: interrupt entries" decodes 0 \
		"0x00000: client=8 source=224 ring=3 vmid=9 hub=1 time=4294967298 pasid=32769 ctx=0x7,0x0,0x0,0x0" \
		--ih 8903e008 2 1 8001 7 0 0 0 </dev/null
	tap_run "sdma-decode: no words" decodes 2 "sdma-decode: at 0x4: 12g" 0 12g </dev/null
	tap_run "sdma-decode: too many words" decodes 2 "sdma-decode: at 0x0: too many words" \
		"0*99999999999" </dev/null
}

# counts N PATTERN: the time line has so many
counts()
{
	n=$(grep -c -- "$2" "$dir/out.json")
	[ "$n" = "$1" ] || {
		echo "$n of $2, expected $1"
		return 1
	}
}

# same A B: as many of one as of the other, and some
same()
{
	a=$(grep -c -- "$1" "$dir/out.json")
	b=$(grep -c -- "$2" "$dir/out.json")
	[ "$a" -gt 0 ] && [ "$a" = "$b" ] || {
		echo "$a of $1, $b of $2"
		return 1
	}
}

timeline()
{
	tools/trace-timeline "$@" >"$dir/out.json" && python3 -m json.tool "$dir/out.json" >/dev/null
}

# other_programs: perf script names the system before the event, trace-cmd report has
# other spaces; the time line is the same
other_programs()
{
	timeline "$trace" && mv "$dir/out.json" "$dir/tracefs.json" || return
	sed -E 's/: (sdma_|ih_|vm_)/: carillon:\1/; s/: vgpu_/: carillon_vgpu:vgpu_/' "$trace" >"$dir/perf"
	timeline "$dir/perf" && cmp "$dir/tracefs.json" "$dir/out.json" || return
	sed -E '/^#/d; s/^ +//; s/(: [a-z_]+:) /\1          /' "$trace" >"$dir/trace-cmd"
	timeline "$dir/trace-cmd" && cmp "$dir/tracefs.json" "$dir/out.json"
}

no_event()
{
	printf '# tracer: nop\n  a-1 [000] d.... 1.000000: sched_switch: prev=x\n' >"$dir/foreign"
	! tools/trace-timeline "$dir/foreign" >"$dir/out.json" 2>"$dir/error" &&
		python3 -m json.tool "$dir/out.json" >/dev/null && grep -q 'no event' "$dir/error"
}

# Quotes, escapes and control characters of a program reach the viewer as harmless text.
hostile_text()
{
	printf '  x"\\-1 [000] d.... 1.000000: tracing_mark_write: "]}\\u00\t\001=<b\n' >"$dir/hostile"
	timeline "$dir/hostile"
}

# A trace that begins in a packet and ends in one still has as many ends as starts.
cut_trace()
{
	{
		grep vgpu_packet_end: "$trace" | head -n 1
		grep vgpu_packet_start: "$trace" | head -n 3
	} >"$dir/cut"
	timeline "$dir/cut" && counts 3 '"ph":"B"' && counts 3 '"ph":"E"'
}

check_timeline()
{
	tap_run "trace-timeline: JSON" timeline "$trace"
	tap_run "trace-timeline: the GPU" counts 1 '"process_name".*"GPU 0001:00:00.0"'
	for lane in "sdma0 gfx" "sdma0 page" "sdma0 rlc0" "IH ring" "page tables"; do
		tap_run "trace-timeline: lane $lane" counts 1 "\"thread_name\".*\"name\":\"$lane\""
	done
	tap_run "trace-timeline: packets have starts and ends" same '"ph":"B"' '"ph":"E"'
	tap_run "trace-timeline: jobs as well" same '"ph":"b"' '"ph":"e"'
	tap_run "trace-timeline: text of perf script and trace-cmd report" other_programs
	tap_run "trace-timeline: no event of ours" no_event
	tap_run "trace-timeline: hostile text" hostile_text
	tap_run "trace-timeline: a trace cut out of the middle" cut_trace
}

check_decode
if command -v python3 >/dev/null; then
	check_timeline
else
	tap_skip "trace-timeline" "no python3"
fi
tap_done
