#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# demo-guest.sh BUILD: the demonstration, run inside the VM. Five steps, from
# the PCI function to the kernel's own rings; fails if one of them did not
# show what it is meant to show.
build=$1
topology=/sys/devices/virtual/kfd/kfd/topology
driver=/sys/kernel/debug/carillon
model=/sys/kernel/debug/carillon_vgpu
failed=
work=$(mktemp -d)

step()
{
	printf '\n\n==== %s\n' "$*"
}

# show COMMAND...: prints the command, then runs it
show()
{
	printf '\n$ %s\n' "$*"
	"$@"
}

fail()
{
	echo "demo: $*"
	failed="$failed
  $*"
}

# files FILE...: each with its name above it
files()
{
	for file; do
		printf '\n$ cat %s\n' "$file"
		cat "$file" || fail "no $file"
	done
}

# node KIND: folder of the first gpu or cpu node
node()
{
	for dir in "$topology"/nodes/*; do
		id=$(cat "$dir/gpu_id")
		case $1:$id in
		cpu:0) echo "$dir" && return ;;
		cpu:* | gpu:0) ;;
		gpu:*) echo "$dir" && return ;;
		esac
	done
}

# on THUNK COMMAND...: runs it on one of the two libhsakmt.so.1
on()
{
	thunk=$1
	shift
	if [ "$thunk" = ours ]; then
		printf '\n$ LD_LIBRARY_PATH=%s %s\n' "$build/libthunk" "$*" >&2
		LD_LIBRARY_PATH=$build/libthunk "$@"
	else
		printf '\n$ %s\n' "$*" >&2
		"$@"
	fi
}

gpus()
{
	for dir in "$driver"/*:*:*; do
		[ -d "$dir" ] && echo "${dir##*/}"
	done
}

pci_step()
{
	step "1. The virtual GPU is a PCI function, and the driver brings it up"
	show lspci -nn -k -d 1002:
	lspci -n -d 1002: | grep -q 1002 || fail "no GPU on the PCI bus"
	printf '\n$ dmesg | grep carillon\n'
	dmesg | grep -i carillon
}

topology_step()
{
	step "2. The KFD topology"
	gpu=$(node gpu)
	cpu=$(node cpu)
	[ -n "$gpu" ] || fail "no GPU node"
	[ -n "$cpu" ] || fail "no CPU node"
	files "$gpu/properties" "$gpu"/caches/*/properties "$cpu/properties"
}

rocminfo_step()
{
	step "3. Debian's rocminfo, unmodified, on our libhsakmt.so.1"
	on ours rocminfo >"$work/ours" || fail "rocminfo on our library"
	cat "$work/ours"
	grep -q 'gfx900' "$work/ours" || fail "rocminfo shows no gfx900 agent"
	step "   the same on Debian's libhsakmt.so.1"
	on debian rocminfo >"$work/debian" || fail "rocminfo on Debian's library"
	if cmp "$work/ours" "$work/debian"; then
		echo "the same $(wc -l <"$work/debian") lines as above"
	else
		diff "$work/ours" "$work/debian"
		fail "rocminfo's outputs differ"
	fi
}

# copied INSTANCE: bytes of its first user queue, as hsa_copy's last command shows
copied()
{
	awk -v instance="$1" '$1 == instance && $2 == "rlc0" { print $8 }' "$work/copy"
}

# copy_took_sdma THUNK: the right library, all bytes through the two user queues
copy_took_sdma()
{
	case $1 in
	ours) library=$build/libthunk/libhsakmt ;;
	debian) library="/usr/lib/.*/libhsakmt" ;;
	esac
	grep -q "^using $library" "$work/copy" || fail "$1: another libhsakmt was loaded"
	[ "$(copied 0)" = 67108864 ] || fail "$1: not 64 MiB on the first user queue"
	[ "$(copied 1)" = 134217728 ] || fail "$1: not 128 MiB on the second user queue"
}

copy_step()
{
	step "4. 64 MiB host -> VRAM -> VRAM -> host on Debian's libhsa-runtime64"
	cat <<-END

	HSA_FORCE_SDMA_SIZE: from 1 MiB up the runtime copies between two VRAM buffers
	with a shader, which this virtual GPU cannot run yet; the limit is moved up so
	that all copies take the SDMA engines.
	END
	export HSA_FORCE_SDMA_SIZE=2147483647
	for thunk in ours debian; do
		on "$thunk" "$build/samples/hsa_copy" --after "cat $model/*/queues" >"$work/copy" ||
			fail "the copy on the thunk '$thunk'"
		cat "$work/copy"
		copy_took_sdma "$thunk"
	done
}

# ring_state GPU: what step 5 shows before and after
ring_state()
{
	files "$driver/$1/rings" "$driver/$1/irq" "$model/$1/queues"
}

# page_ring GPU COLUMN: of the page rings, summed over the instances
page_ring()
{
	awk -v c="$2" '
		NR == 1 { for (n = 1; n <= NF; n++) if ($n == c) col = n }
		NR > 1 && $2 == "page" { sum += $col } END { print sum + 0 }' "$driver/$1/rings"
}

# wait_for TEXT FILE PID: until a line begins with it, as long as the process lives, for a
# minute at most
wait_for()
{
	for _ in $(seq 600); do
		grep -q "^$1" "$2" && return
		kill -0 "$3" 2>/dev/null || return
		sleep 0.1
	done
	return 1
}

# map_step GPU: a client's own page tables. hsa_copy is held before its first copy: all that
# the engines have done for it then is to write the entries of what it mapped.
map_step()
{
	printf '\nA client has mapped two buffers of 64 MiB in VRAM, and has not copied yet (entries\n'
	printf 'of its own pages are written by the CPU: there may be no memory for a job):\n'
	before=
	for column in jobs bytes signalled traps rptr wptr; do
		before="$before $column=$(page_ring "$1" $column)"
	done
	mkfifo "$work/go"
	printf '\n$ hsa_copy --hold\n'
	LD_LIBRARY_PATH=$build/libthunk "$build/samples/hsa_copy" --hold <"$work/go" \
		>"$work/client" 2>&1 &
	client=$!
	exec 9>"$work/go"
	wait_for "ready H2D" "$work/client" "$client" || fail "hsa_copy did not map its buffers"
	files "$driver/$1/rings" "$model/$1/queues"
	printf '\nthe page rings\n'
	for was in $before; do
		column=${was%=*}
		now=$(page_ring "$1" "$column")
		echo "  $column ${was#*=} -> $now"
		[ "$now" -gt "${was#*=}" ] || fail "the client's map moved no $column of the page ring"
	done
	printf '\nand the map is good:\n'
	(printf '\n\n\n' >&9)
	exec 9>&-
	wait "$client" || fail "the client's copies through its map"
	cat "$work/client"
	rm "$work/go"
}

rings_step()
{
	step "5. Copy and fill through the GFX ring, page-table update through the page ring"
	for gpu in $(gpus); do
		ring_state "$gpu"
		test=$driver/$gpu/sdma_test
		for what in "copy 1048576" "fill 1048576" "pte 512"; do
			printf '\n$ echo %s > sdma_test; cat sdma_test\n' "$what"
			echo "$what" >"$test" || fail "$what"
			cat "$test"
			grep -q ' result 0 ' "$test" || fail "$what"
		done
		ring_state "$gpu"
		map_step "$gpu"
	done
}

pci_step
topology_step
rocminfo_step
copy_step
rings_step
if [ -n "$failed" ]; then
	printf '\ndemo: these failed:%s\n' "$failed"
	exit 1
fi
printf '\nAll five steps done. Kernel %s, up for %s s.\n' "$(uname -r)" "$(cut -d ' ' -f 1 /proc/uptime)"
