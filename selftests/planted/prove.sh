#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# prove.sh [SECONDS [NAME...]]: for each fault of plant.sh, builds the modules for the
# debug kernel ($PROVE_KERNEL) with it and runs the fuzzer that is to find it, for at most
# SECONDS (60): it or the kernel has to complain of what the fault is known to do. Without a
# fault ("nothing") none may, whichever fuzzer runs. A run that ends in any other way has
# found nothing and proves nothing. Prints TAP, and how long it took.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
. tools/check/tap.sh
seconds=${1:-60}
[ $# -gt 0 ] && shift
[ $# = 0 ] && set -- nothing $("$here/plant.sh" --list | cut -f 1)

release=$(tools/vm/kernel.sh --release ${PROVE_KERNEL:-debug}) || exit 1
make -s -C selftests O="$PWD/build/selftests" >&2 || exit 1
out=$PWD/build/prove

# run_fuzzer COMMAND: in a VM with the planted modules; the first warning ends it, at once
# or, where lockdep does not panic, within a second
run_fuzzer()
{
	tools/vm/run.sh --kernel "$release" --append dma_debug=off \
		--modules "build/modules-$release-planted" --out "$out" \
		--load "carillon_vgpu gpus=vega10:cu=4,vram=512m" --load carillon \
		--timeout $((seconds * 4 + 600)) -- sh -c \
		"echo 1 >/proc/sys/kernel/panic_on_warn
		build/selftests/$1 -t $seconds -s 1 &
		while kill -0 \$! 2>/dev/null; do
			sleep 1
			! dmesg | grep -E '(WARNING|BUG):' || exit 1
		done
		wait \$!" >"$out/log" 2>&1
}

# complaint: what the kernel, or else the fuzzer, said first, with its time in seconds
complaint()
{
	{
		tools/vm/check-log.sh "$out/console.log"
		sed -n 's/^# after \([0-9.]*\) s: /[ \1] /p' "$out/log"
	} | sed -n 's/.*\[ *\([0-9]*\.[0-9]*\)\] */\1 /p' |
		grep -E "^[0-9.]+ .*(WARNING:|BUG:|KASAN:|UBSAN:|INFO:|Oops|general protection|fuzz:)" | head -n 1
}

# took: seconds of the guest from the start of the fuzzer to the complaint
took()
{
	complaint | awk -v begin="$(sed -n 's/^\[ *\([0-9.]*\)\] carillon-vm: running.*/\1/p' \
		"$out/console.log")" '{ printf "%.1f", $2 == "fuzz:" ? $1 : $1 - begin }'
}

# found PATTERN FUZZER...: 0: one of the fuzzers led to such a complaint; 1: all ended
# clean; 2: anything else
found()
{
	pattern=$1
	shift
	for fuzzer; do
		run_fuzzer "$fuzzer"
		status=$?
		if [ "$status" = 0 ]; then
			sed -n "s/^# \(.* per second\)$/# $fuzzer: \1/p" "$out/log"
			continue
		fi
		complaint | grep -qE "$pattern" && return 0
		return 2
	done
	return 1
}

# show: the end of a run that was not as expected
show()
{
	echo "by $fuzzer, status $status: $(complaint)"
	tail -n 15 "$out/log"
}

mkdir -p "$out"
for name; do
	if ! tools/build-modules.sh --plant "$name" "$release" >"$out/build.log" 2>&1; then
		tap_not_ok "$name is planted" "$(tail -n 20 "$out/build.log")"
		continue
	fi
	row=$("$here/plant.sh" --list | grep "^$name	")
	found "$(echo "$row" | cut -f 3)" $(echo "${row:-nothing	ring_fuzz ioctl_fuzz}" | cut -f 2)
	case $name:$? in
	nothing:1) tap_ok "without a fault nothing is found" ;;
	nothing:*) tap_not_ok "without a fault nothing is found" "$(show)" ;;
	*:0)
		echo "# $fuzzer, after $(took) s: $(complaint | cut -d ' ' -f 2- | cut -c 1-70)"
		tap_ok "$name is found"
		;;
	*:1) tap_not_ok "$name is found" "every run was clean" ;;
	*) tap_not_ok "$name is found" "$(show)" ;;
	esac
done
tap_done
