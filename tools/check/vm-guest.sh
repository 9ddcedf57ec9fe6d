#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# vm-guest.sh OUT TESTS: runs tests inside the VM, one after the other. A line of the
# file TESTS is seconds, modules with their parameters (`a p=1;b`, or none) and program,
# with tabs between; our modules are loaded anew where the next test needs others. For a
# test NAME it leaves OUT/NAME.tap, OUT/NAME.seconds (the time it took), then
# OUT/NAME.status; a test that has no status afterwards took the VM with it. A complaint
# of the kernel while a test runs is that test's failure, and so is another set of loaded
# modules after it, which the next test would trip over. If the kernel counts lines of
# the modules, the counters come back in OUT/gcov.tar.
here=$(cd "$(dirname "$0")" && pwd)
out=$1
tests=$2
have=none
# Each program would map a dozen files of another locale.
export LC_ALL=C

# our_modules: those of the project that are loaded
our_modules()
{
	cut -d ' ' -f 1 /proc/modules | grep -xF "$ours" | sort | tr '\n' ' '
}

# need MODULES: has them loaded, and no others of ours; those users of others go first
need()
{
	[ "$have" != "$1" ] || return 0
	for _ in 1 2 3; do
		for module in $(our_modules); do
			rmmod "$module" 2>/dev/null
		done
	done
	have=unknown
	[ -z "$(our_modules)" ] || return 1
	have=none
	[ "$1" != none ] || return 0
	have=unknown
	# modload reads words.
	printf '%s\n' "$1" | tr ';' '\n' >"$out/modules"
	while read -r module; do
		"$here/../vm/modload" $module </dev/null || return 1
	done <"$out/modules"
	have=$1
}

ours=$(find "$CARILLON_MODULES_DIR" -name '*.ko' -printf '%f\n' | sed 's/\.ko$//; s/-/_/g')
while IFS="$(printf '\t')" read -r seconds modules test <&3; do
	name=$(basename "$test")
	name=${name%.sh}
	echo "carillon-test: $name" >/dev/kmsg
	case $test in
	*.sh) set -- /bin/sh "$test" ;;
	*) set -- "$test" ;;
	esac
	begin=$(date +%s)
	need "$modules" >"$out/$name.tap" 2>&1 ||
		echo "Bail out! the modules '$modules' do not load" >>"$out/$name.tap"
	loaded=$(our_modules)
	timeout -k 5 "$seconds" "$@" >>"$out/$name.tap" 2>&1 </dev/null
	status=$?
	echo $(($(date +%s) - begin)) >"$out/$name.seconds"
	[ "$status" = 124 ] && echo "Bail out! time ran out ($seconds s)" >>"$out/$name.tap"
	now=$(our_modules)
	[ "$loaded" = "$now" ] || {
		echo "Bail out! it found the modules '$loaded' and leaves '$now'" >>"$out/$name.tap"
		have=unknown
	}
	dmesg | awk -v mark="carillon-test: $name" '
		index($0, mark) { text = "" }
		{ text = text $0 "\n" }
		END { printf "%s", text }' >"$out/$name.log"
	if ! "$here/../vm/check-log.sh" "$out/$name.log" 0 >"$out/$name.splat"; then
		sed 's/^/# /' "$out/$name.splat" >>"$out/$name.tap"
		echo "Bail out! the kernel complained" >>"$out/$name.tap"
	fi
	echo "$status" >"$out/$name.status"
done 3<"$tests"

# Lockdep turns itself off after a report, or when its tables are full.
if grep -q 'debug_locks: *0' /proc/lockdep_stats 2>/dev/null; then
	echo "carillon-vm: WARNING: lockdep has turned itself off" >/dev/kmsg
fi

# Files of this folder have no size before they are read: tar alone gets nothing.
gcov=/sys/kernel/debug/gcov
if [ -d "$gcov" ]; then
	dir=$(mktemp -d)
	(cd "$gcov" && find . -path '*/modules-*' -name '*.gcda' -exec cp --parents -t "$dir" {} +)
	tar -cf "$out/gcov.tar" -C "$dir" .
	rm -rf "$dir"
fi
