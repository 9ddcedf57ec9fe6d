#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# harness.sh PLANTED-DIR: tests of the test harness itself. A harness that
# cannot fail proves nothing: TAP streams with every kind of fault must be
# counted as failed, and a VM in which a planted module warns, or dies, or a
# command that never ends, must be reported. The commands that the README promises,
# "carillon run", "shell", "demo" and "bench", are tested here as well.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/tap.sh"
. "$here/exits.sh"
planted=$(cd "$1" && pwd) || exit 1
vm=$here/../vm/run.sh
top=$(cd "$here/../.." && pwd)
carillon=$top/carillon
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# counts STREAM EXPECTED [STATUS]: the first line of tap.awk for a stream
counts()
{
	got=$(printf "$1" | awk -v status="${3:-0}" -f "$here/tap.awk" | head -n 1)
	[ "$got" = "$2" ] || {
		echo "got $got, expected $2"
		return 1
	}
}

# in_order PATTERN...: the output has a line for each, one after the other
in_order()
{
	line=0
	for pattern; do
		next=$(awk -v from="$line" -v p="$pattern" 'NR > from && $0 ~ p { print NR; exit }' \
			"$dir/output")
		[ -n "$next" ] || {
			cat "$dir/output"
			echo "no line after line $line: $pattern"
			return 1
		}
		line=$next
	done
}

# one_line PATTERN FILE
one_line()
{
	[ "$(grep -c -- "$1" "$2")" = 1 ] || {
		cat "$2"
		echo "not one line: $1"
		return 1
	}
}

# A program for "carillon run": leaves in the folder what it found, and fails with 7.
guest_program()
{
	cat >"$dir/program" <<'END'
#!/bin/sh
{
	sed 's/^/file /' in
	sed 's/^/input /'
	echo "gpus $(lspci -n -d 1002:6860 | wc -l)"
	echo "kernel $(uname -r)"
	"$1" --size 64K
	echo "last <$2>"
} >out 2>&1
exit 7
END
	chmod +x "$dir/program"
	echo "from the host" >"$dir/in"
	echo "for the program" >"$dir/input"
}

# runs STATUS OPTION... -- PROGRAM...: "carillon run" with the input file
runs()
{
	expected=$1
	shift
	exits "$expected" "$carillon" run --stdin "$@" <"$dir/input"
}

# typed STATUS LINE...: "carillon shell" on an input that stays open
typed()
{
	expected=$1
	shift
	rm -f "$dir/typed"
	mkfifo "$dir/typed"
	exec 5<>"$dir/typed"
	printf '%s\n' "$@" >&5
	exits "$expected" "$carillon" shell --timeout 300 <&5
	status=$?
	exec 5<&-
	return $status
}

# fake_qemu SCRIPT: the emulator from here on
fake_qemu()
{
	printf '#!/bin/sh\n%s\n' "$1" >"$dir/qemu-system-x86_64"
	chmod +x "$dir/qemu-system-x86_64"
	PATH=$dir:$PATH
}

# accel_is kvm|tcg: what a new probe, with the emulator at hand, makes of /dev/kvm
accel_is()
{
	rm -rf "$dir/cache"
	got=$(CARILLON_ACCEL='' CARILLON_CACHE=$dir/cache "$here/../vm/accel.sh" vmlinux initramfs)
	case $got in
	"-accel $1"*) ;;
	*) echo "$got" && return 1 ;;
	esac
}

tap_run "TAP: results and plan agree" counts 'ok 1 - a\nok 2 - b # SKIP c\n1..2\n' "1 0 1"
tap_run "TAP: a failed test" counts '1..2\nok 1\nnot ok 2 - b\n' "1 1 0" 1
tap_run "TAP: a result is missing" counts '1..3\nok 1\nok 2\n' "2 1 0"
tap_run "TAP: no plan" counts 'ok 1\n' "1 1 0"
tap_run "TAP: two plans" counts '1..1\nok 1\n1..1\n' "1 1 0"
tap_run "TAP: empty" counts '' "0 1 0"
tap_run "TAP: a number is missing" counts '1..2\nok 1\nok 3\n' "2 1 0"
tap_run "TAP: bail out" counts '1..1\nok 1\nBail out!\n' "1 1 0"
tap_run "TAP: all passed but the program died" counts '1..1\nok 1\n' "1 1 0" 139
tap_run "TAP: nothing but a skip" counts '1..0 # SKIP no device\n' "0 0 1" 4
tap_run "TAP: a plan of none without a reason" counts '1..0\n' "0 1 0"
tap_run "TAP: sub-tests do not count" counts '1..1\n    not ok 1\nok 1\n' "1 0 0"

for line in "WARNING: CPU: 0 PID: 1 at kernel/x.c:1" "BUG: sleeping function" \
	"KASAN: use-after-free" "possible circular locking dependency detected" \
	"unreferenced object 0xffff" "Kernel panic - not syncing" "refcount_t: underflow"; do
	echo "[    1.0] $line" >"$dir/log"
	tap_run "log: $line" exits 1 "$here/../vm/check-log.sh" "$dir/log" 0
done
echo "[    1.0] carillon: loading out-of-tree module taints kernel." >"$dir/log"
tap_run "log: clean" exits 0 "$here/../vm/check-log.sh" "$dir/log" 12288
tap_run "log: taint W" exits 1 "$here/../vm/check-log.sh" "$dir/log" 12800
tap_run "log: no log" exits 1 "$here/../vm/check-log.sh" "$dir/none" 0

cd "$dir" || exit 1
guest_program
copy=$top/build/samples/hsa_copy
tap_run "run: the program's status comes back" runs 7 --gpus vega10:cu=4+vega10 \
	--thunk debian --kernel 6.1 -- ./program "$copy" "two words"
tap_run "run: files go in" one_line '^file from the host$' "$dir/out"
tap_run "run: the standard input, too" one_line '^input for the program$' "$dir/out"
tap_run "run: --gpus" one_line '^gpus 2$' "$dir/out"
tap_run "run: --kernel" one_line '^kernel 6[.]1[.]' "$dir/out"
tap_run "run: --thunk debian" one_line '^using /usr/lib/.*/libhsakmt' "$dir/out"
tap_run "run: the copy went well" one_line '^all 65536 bytes are right' "$dir/out"
tap_run "run: words stay words" one_line '^last <two words>$' "$dir/out"
tap_run "run: with nothing said" runs 7 -- ./program "$copy"
tap_run "run: one GPU" one_line '^gpus 1$' "$dir/out"
tap_run "run: our thunk" one_line "^using $top/build/libthunk/libhsakmt" "$dir/out"
tap_run "run: no such thunk" runs 125 --thunk none -- true
tap_run "run: no such kernel" runs 125 --kernel 0.9 -- true
tap_run "run: no program" runs 125

# shellcheck disable=SC2016 # the guest's shell expands it
tap_run "shell: lines are run, the status comes back" typed 5 'echo in the $((40 + 2))nd line' 'exit 5'
tap_run "shell: what it printed" one_line 'in the 42nd line' "$dir/output"

tap_run "demo: passes" exits 0 "$carillon" demo
tap_run "demo: its five steps in order" in_order '^==== 1[.]' '\[1002:6860\]' \
	'GC 9[.]0[.]1 SDMA 4[.]0[.]0' 'IH ring of .* MSI on interrupt' \
	'instance 1: GFX and page ring passed ring and IB test' 'carillon.* gpu_id ' \
	'^==== 2[.]' 'caches/0/properties$' 'nodes/0/properties$' \
	'^==== 3[.]' 'Name: +gfx900' '^the same [0-9]+ lines as above' \
	'^==== 4[.]' '^using .*build/libthunk/libhsakmt' '^all 67108864 bytes are right' \
	'^using /usr/lib/.*/libhsakmt' '^all 67108864 bytes are right' \
	'^==== 5[.]' '^copy 1048576 result 0 .* ring gfx ' '^fill 1048576 result 0 .* ring gfx ' \
	'^pte 512 result 0 .* ring page ' '^  traps [0-9]+ -> ' '^all 67108864 bytes are right' \
	'^All five steps done'
tap_run "demo: fails if a step does" \
	exits 1 "$here/../vm/gpu-run.sh" --timeout 600 -- "$here/../demo-guest.sh" "$dir/nothing"
tap_run "demo: and does the others, and names it" in_order '^==== 3[.]' 'Name: +gfx900' \
	'^==== 4[.]' '^demo: the copy on' '^==== 5[.]' '^pte 512 result 0 ' \
	'^demo: these failed:'

tap_run "bench: runs" exits 0 "$carillon" bench
tap_run "bench: its figures" in_order '^copy_ratio [0-9]' '^doorbell_hot_p50 ' '^doorbell_cold_p99 ' \
	'^idle_cpu ' '^pte512_idle_p50 ' '^pte512_idle_p99 ' '^pte512_busy_p50 ' '^pte512_busy_p99 '

tap_run "VM: a clean run passes" exits 0 "$vm" -- true
tap_run "VM: the command's status comes back" exits 7 "$vm" -- sh -c 'exit 7'
tap_run "VM: a planted WARN fails the run" \
	exits 123 "$vm" --modules "$planted" --load planted_warn -- true
tap_run "VM: the WARN is in the report" grep -q "planted warning" "$dir/output"
tap_run "VM: a planted oops fails the run" \
	exits 125 "$vm" --modules "$planted" --load "planted_warn oops=1" -- true
tap_run "VM: the oops is in the report" grep -q "NULL pointer dereference" "$dir/output"
tap_run "VM: a command without end is stopped" exits 124 "$vm" --timeout 15 -- sleep 1000
fake_qemu "exit 1"
if [ -r /dev/kvm ] && [ -w /dev/kvm ]; then
	tap_run "VM: without a guest that boots under it, no KVM" accel_is tcg
	fake_qemu "exit 33"
	tap_run "VM: with one, KVM" accel_is kvm
	fake_qemu "exec sleep 1000"
	tap_run "VM: nor with one that hangs" accel_is tcg
	fake_qemu "exit 1"
else
	tap_skip "VM: KVM is probed" "no /dev/kvm"
fi
tap_run "VM: an emulator that does not start is reported" exits 125 "$vm" -- true
fake_qemu "exec sleep 1000"
tap_run "VM: an emulator that hangs is stopped" exits 124 "$vm" --timeout 5 -- true
tap_done
