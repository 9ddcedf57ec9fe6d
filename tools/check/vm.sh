#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# vm.sh [--kernel VERSION] [--part PART/OF] [NAME...]: runs selftests in the VM and
# records each: selftests/NAME_test.sh as it is, selftests/NAME_test.c as built in
# build/selftests. Without names, all of them. --part takes every OF-th of them, from
# the PART-th on, so that runs side by side share the work.
#
# A test says in a comment line what it needs:
#     vm: modules="carillon_vgpu gpus=vega10:cu=4;carillon" smp=4 thunk=ours
# modules= ("none": the test loads them itself), timeout= (seconds), and of the VM
# smp=, numa=, mem=, thunk=ours|debian, append=. Tests that need the same VM share a
# boot, in which the modules change as they need them. Tests run in the top folder of
# the tree and find what was
# built through SELFTESTS_DIR, SAMPLES_DIR and THUNK_DIR. On the debug kernel
# (--kernel debug; results are named vm-debug/NAME, on another stock kernel than the
# default one such as vm-6.12/NAME) and on the user-mode kernel
# (--kernel uml, vm-uml/NAME) all times are longer by
# CARILLON_TIME_SCALE, which tests find in their environment, and each boot leaves
# the counters of the modules' lines for coverage.sh.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
. tools/check/deadline.sh
kernel=
part=1/1
boots=0
bad=0

# not_for_vm NAME: tests that run on the host
not_for_vm()
{
	case $1 in
	abi | thunk) return 0 ;;
	esac
	return 1
}

# source_of NAME, program_of NAME
source_of()
{
	for file in "selftests/$1_test.sh" "selftests/$1_test.c"; do
		[ -e "$file" ] && echo "$file" && return
	done
}

program_of()
{
	case $(source_of "$1") in
	*.sh) echo "selftests/$1_test.sh" ;;
	*.c) echo "build/selftests/$1_test" ;;
	esac
}

needs_of()
{
	sed -n 's/^[ \t]*\(#\|\*\|\/\*\|\/\/\) *vm: *\(.*[^ /*]\)[ /*]*$/\2/p' "$(source_of "$1")" | head -n 1
}

record()
{
	file=$out/$1_test
	if [ ! -e "$file.tap" ]; then
		echo "Bail out! the test did not start" >"$file.tap"
		tail -n 30 "$out/console.log" | sed 's/^/# /' >>"$file.tap"
	fi
	if [ ! -e "$file.status" ]; then
		echo "Bail out! the VM went down under the test" >>"$file.tap"
		{
			tools/vm/check-log.sh "$out/console.log"
			tail -n 8 "$out/console.log"
		} 2>&1 | sed 's/^/# /' >>"$file.tap"
		echo 125 >"$file.status"
	fi
	tools/check/record.sh "$suite/$1" "$(cat "$file.status")" "$file.tap" \
		"$(cat "$file.seconds" 2>/dev/null)" || bad=1
}

# line_of NAME: a line of the list of tests: the VM that it needs, a key; then what
# vm-guest.sh is told: seconds, modules, program; then its name
line_of()
(
	modules="carillon_vgpu;carillon" timeout=600 smp=2 numa=1 mem=2G thunk=ours append=''
	eval "$(needs_of "$1")"
	printf "smp=%s numa=%s mem=%s thunk=%s append='%s'\t%s\t%s\t%s\t%s\n" "$smp" "$numa" "$mem" \
		"$thunk" "$append" "$((timeout * scale))" "$modules" "$(program_of "$1")" "$1"
)

# boot_group VM NAME...: one boot
boot_group()
{
	eval "$1"
	set -- $2
	for name; do
		# What is left is shared: one test must not eat the time of the others.
		awk -F '\t' -v OFS='\t' -v name="$name" -v left="$(bounded 99999)" \
			'$5 == name { print $2 < left ? $2 : left, $3, $4 }' "$out/list"
	done >"$out/tests"
	seconds=$(awk '{ sum += $1 } END { print sum }' "$out/tests")
	options="--env SELFTESTS_DIR=$PWD/build/selftests --env SAMPLES_DIR=$PWD/build/samples"
	options="$options --env THUNK_DIR=$PWD/build/libthunk --env CARILLON_TIME_SCALE=$scale"
	for folder in selftests samples libthunk; do
		[ ! -d "build/$folder" ] || options="$options --copy '$PWD/build/$folder'"
	done
	[ "$thunk" = ours ] && options="$options --env LD_LIBRARY_PATH=$PWD/build/libthunk"
	[ -n "$append" ] && options="$options --append '$append'"
	eval "tools/vm/run.sh --kernel '$release' --modules 'build/modules-$release' --smp '$smp' \
		--numa '$numa' --mem '$mem' --timeout $(bounded $((60 * scale + seconds))) --out '$out' \
		--no-log-check $options -- tools/check/vm-guest.sh '$out' '$out/tests'" \
		>"$out/vm.log" 2>&1
}

# record_log: a complaint outside of the tests, such as while the VM ends; the time is
# that of the whole boot
record_log()
{
	file=$out/log$boots
	cp "$out/console.log" "$file.console"
	[ ! -e "$out/gcov.tar" ] || mv "$out/gcov.tar" "$out/gcov$boots.tar"
	cat "$out"/*_test.splat 2>/dev/null | grep -q . && return
	if tools/vm/check-log.sh "$file.console" >"$file.splat" 2>&1; then
		echo "ok 1 - kernel log of the boot" >"$file.tap"
	else
		sed 's/^/# /' "$file.splat" >"$file.tap"
		echo "not ok 1 - kernel log of the boot" >>"$file.tap"
	fi
	echo "1..1" >>"$file.tap"
	tools/check/record.sh "$suite/log$boots" 0 "$file.tap" $(($(date +%s) - booted)) || bad=1
}

# no_time NAME...: the end of the whole run has come
no_time()
{
	for name; do
		echo "Bail out! no time left for this test" >"$out/${name}_test.tap"
		tools/check/record.sh "$suite/$name" 1 "$out/${name}_test.tap" || bad=1
	done
}

# run_group VM NAMES: boots again for the tests behind one that killed the VM
run_group()
{
	vm=$1
	left=$2
	while [ -n "$left" ]; do
		if [ "$(bounded 30)" -lt 30 ]; then
			no_time $left
			return
		fi
		boots=$((boots + 1))
		booted=$(date +%s)
		rm -f "$out/console.log" "$out"/*_test.splat
		boot_group "$vm" "$left"
		next=
		ran=
		for name in $left; do
			if [ -n "$next" ]; then
				next="$next $name"
			elif [ -e "$out/${name}_test.status" ]; then
				record "$name"
			elif [ -n "$ran" ] || [ -e "$out/${name}_test.tap" ] || [ -z "$next" ]; then
				record "$name"
				next=" "
			fi
			ran=1
		done
		# The log of a VM that went down is shown with its test.
		[ -n "$next" ] || record_log
		left=$(echo $next)
	done
}

while [ $# -gt 0 ]; do
	case $1 in
	--kernel) kernel=$2; shift ;;
	--part) part=$2; shift ;;
	*) break ;;
	esac
	shift
done
part_of=${part#*/} part=${part%/*}
release=$(tools/vm/kernel.sh --release $kernel) || exit 1
case $release in
*-debug) suite=vm-debug scale=4 ;;
*-kcsan) suite=vm-kcsan scale=4 ;;
*-uml) suite=vm-uml scale=4 ;;
*) suite=vm scale=1 ;;
esac
[ "$suite" != vm ] || [ "$release" = "$(tools/vm/kernel.sh --release)" ] ||
	suite=vm-$(echo "$release" | cut -d . -f 1,2)
out=build/check/$suite
[ "$part" = 1 ] || out=$out-$part
[ "$part_of" != 1 ] || rm -rf "$out"-[0-9]*

if [ $# = 0 ]; then
	set -- $(for file in selftests/*_test.c selftests/*_test.sh; do
		[ -e "$file" ] && basename "$file" | sed 's/_test\..*//'
	done | sort -u)
fi
rm -rf "$out"
mkdir -p "$out"
for name; do
	not_for_vm "$name" && continue
	[ -n "$(source_of "$name")" ] || {
		echo "$0: no test $name" >&2
		exit 1
	}
	line_of "$name"
done | sort -s -t "$(printf '\t')" -k 1,1 -k 3,3 |
	awk -v of="$part_of" -v part="$part" '(NR - part) % of == 0' >"$out/list"

cut -f 1 "$out/list" | uniq >"$out/vms"
while IFS= read -r vm <&3; do
	names=$(awk -F '\t' -v vm="$vm" '$1 == vm { printf "%s ", $5 }' "$out/list")
	run_group "$vm" "$names"
done 3<"$out/vms"
exit $bad
