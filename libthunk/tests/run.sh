#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh OUT [AMD_INCLUDE]: runs the library's tests and prints one TAP stream.
# OUT is where the library and its tests were built; AMD_INCLUDE is where AMD's
# headers are, empty when they are not installed.
here=$(cd "$(dirname "$0")" && pwd)
out=$1
amd_include=$2
library=$out/libhsakmt.so.1
map=$here/../libhsakmt.map
count=0
failed=0
failed_coverage=

# Calls of AMD's later releases than the one in Debian.
later='hsaKmtAvailableMemory@HSAKMT_1
hsaKmtExportDMABufHandle@HSAKMT_1
hsaKmtGetRuntimeCapabilities@HSAKMT_1
hsaKmtOpenSMI@HSAKMT_1
hsaKmtWaitOnEvent_Ext@HSAKMT_1
hsaKmtWaitOnMultipleEvents_Ext@HSAKMT_1'

result()
{
	count=$((count + 1))
	[ "$1" = ok ] || failed=1
	echo "$1 $count - $2"
}

# check NAME COMMAND...: passes if the command does; its output is shown otherwise
check()
{
	name=$1
	shift
	if said=$("$@" 2>&1); then
		result ok "$name"
	else
		printf '%s\n' "$said" | head -n 40 | sed 's/^/# /'
		result 'not ok' "$name"
	fi
}

skip()
{
	result ok "$1 # SKIP $2"
}

# symbols FILE: exported functions with their versions
symbols()
{
	nm -D --defined-only "$1" | awk '$2 == "T" { sub(/@@/, "@", $3); print $3 }' | sort
}

# map_symbols: what the version map promises
map_symbols()
{
	awk '/^[A-Z]/ { node = $1 } /^\thsaKmt/ { sub(/;/, "", $1); print $1 "@" node }' "$map" | sort
}

same()
{
	printf '%s\n' "$1" >"$out/tests/want"
	printf '%s\n' "$2" >"$out/tests/got"
	diff "$out/tests/want" "$out/tests/got"
}

needed()
{
	objdump -p "$library" | awk '$1 == "NEEDED" && $2 !~ /^libc\.so/ { print; bad = 1 } END { exit bad }'
}

# installed: what is installed is found by pkg-config, and a program that is built with what
# that says runs, with the shared library and with the static one
installed()
{
	rm -rf "$out/installed"
	make -s -C "$here/.." O="$out" DESTDIR="$out/installed" PREFIX=/usr install || return
	cat >"$out/tests/installed.c" <<-END
	#include <hsakmt.h>
	int main(void)
	{
		return hsaKmtCloseKFD() != HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED;
	}
	END
	flags=$(PKG_CONFIG_LIBDIR=$out/installed/usr/lib/pkgconfig \
		PKG_CONFIG_SYSROOT_DIR=$out/installed PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
		PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 pkg-config --cflags --libs libhsakmt) || return
	gcc -Wall -Werror -o "$out/tests/installed" "$out/tests/installed.c" $flags || return
	LD_LIBRARY_PATH=$out/installed/usr/lib "$out/tests/installed" || return
	gcc -static -o "$out/tests/installed" "$out/tests/installed.c" $flags && "$out/tests/installed"
}

# undocumented: functions that neither have a manual page nor are unsupported
undocumented()
{
	sed -n 's/^\t\(hsaKmt[A-Za-z_]*\);$/\1/p' "$map" | while read -r function; do
		unsupported=no page=no
		grep -q "HSAKMTAPI.* $function(\|^$function(" "$here/../unsupported.c" && unsupported=yes
		[ -e "$here/../man/man3/$function.3" ] && page=yes
		[ "$unsupported" = "$page" ] && echo "$function"
	done | grep . && return 1
	return 0
}

# no_races: all tests under the thread sanitizer; a report is an exit status of 66
no_races()
{
	TSAN_OPTIONS=exitcode=66 timeout -k 5 300 "$out/tests-tsan/thunk_tests" >"$out/tests-tsan/tap" 2>&1 ||
		{ grep -v '^ok' "$out/tests-tsan/tap"; false; }
}

# lcov_ ARGUMENT...: with branches
lcov_()
{
	lcov --rc lcov_branch_coverage=1 "$@" >"$out/tests-gcov/lcov.log" 2>&1 ||
		{ tail -n 20 "$out/tests-gcov/lcov.log"; false; }
}

# count_lines: runs the tests once more, with counters; leaves coverage.info in lcov's
# form
count_lines()
{
	find "$out/tests-gcov" -name '*.gcda' -exec rm -f {} +
	timeout -k 5 300 "$out/tests-gcov/thunk_tests" >"$out/tests-gcov/tap" 2>&1 ||
		{ grep -v '^ok' "$out/tests-gcov/tap"; return 1; }
	top=$(cd "$here/../.." && pwd)
	lcov_ -c -d "$out/tests-gcov" -o "$out/tests-gcov/all.info" &&
		lcov_ -e "$out/tests-gcov/all.info" "$top/libthunk/*.c" \
			-o "$out/tests-gcov/lib.info" &&
		lcov_ -r "$out/tests-gcov/lib.info" "$top/libthunk/tests/*" \
			-o "$out/tests-gcov/own.info" || return 1
	sed "s,^SF:$top/,SF:," "$out/tests-gcov/own.info" >"$out/coverage.info"
}

# coverage: the line of the report; fails below 90 % of the lines
coverage()
{
	"$here/../../tools/check/lcov-report.sh" libthunk/ "$out" 90
}

# left_out: functions that never ran are those of the list, and at most 5 %
left_out()
{
	sed -n 's/^FNDA:0,//p' "$out/coverage.info" | sort >"$out/tests/want"
	sed -n 's/^\([A-Za-z_0-9]*\): .*/\1/p' "$here/left_out.txt" | sort >"$out/tests/got"
	diff "$out/tests/want" "$out/tests/got" || return 1
	awk -v out="$(grep -c . "$out/tests/want")" '/^FNF:/ { split($0, n, ":"); all += n[2] }
		END { exit out > 0.05 * all }' "$out/coverage.info"
}

# last_release: the newest tag of this history, nothing where there is none
last_release()
{
	git -C "$here" describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null
}

# build_release TAG: leaves that release's library in $out/release
build_release()
{
	top=$(git -C "$here" rev-parse --show-toplevel) || return 1
	rm -rf "$out/release"
	mkdir -p "$out/release/tree"
	git -C "$top" archive "$1" libthunk uapi | tar -x -C "$out/release/tree" &&
		make -s -C "$out/release/tree/libthunk" O="$out/release/lib"
}

# same_abi TAG: nothing was taken away or changed; new calls are fine
same_abi()
{
	build_release "$1" &&
		abidiff --no-added-syms "$out/release/lib/libhsakmt.so.1" "$library"
}

# amd_library: where Debian's own thunk is
amd_library()
{
	for dir in /usr/lib/x86_64-linux-gnu /usr/lib64 /usr/lib; do
		[ -e "$dir/libhsakmt.so.1" ] && echo "$dir/libhsakmt.so.1" && return
	done
}

# The tests in C come first, their numbers are kept.
# dlopen()ed libdrm leaves its own allocations: only what this library loses counts.
LSAN_OPTIONS=suppressions=$here/lsan.supp:print_suppressions=0 \
	"$out/tests/thunk_tests" >"$out/tests/thunk_tests.tap" 2>"$out/tests/thunk_tests.err"
status=$?
sed -e '/^1\.\./d' "$out/tests/thunk_tests.tap"
count=$(grep -cE '^(not )?ok ' "$out/tests/thunk_tests.tap")
[ "$status" = 0 ] || {
	failed=1
	sed 's/^/# /' "$out/tests/thunk_tests.err" | head -n 60
}

check "no data races in any test" no_races
if command -v lcov >/dev/null; then
	check "the tests pass with counters of lines" count_lines
	coverage >"$out/coverage" || failed_coverage=1
	sed 's/^/# /' "$out/coverage"
	check "90 % of the lines are run" test -z "$failed_coverage"
	check "functions that never run are left out for a reason, at most 5 %" left_out
else
	skip "90 % of the lines are run" "no lcov"
fi
release=$(last_release)
if ! command -v abidiff >/dev/null; then
	skip "the ABI of the last release is kept" "no abidiff (package abigail-tools)"
elif [ -z "$release" ]; then
	skip "the ABI of the last release is kept" "there is no tagged release yet"
else
	check "the ABI of release $release is kept" same_abi "$release"
fi
check "exported symbols are those of the map" same "$(map_symbols)" "$(symbols "$library")"
check "nothing but libc is needed" needed
if command -v pkg-config >/dev/null; then
	check "installed: pkg-config, headers, shared and static library" installed
else
	skip "installed: pkg-config, headers, shared and static library" "no pkg-config"
fi
check "each supported call has a manual page, no other has" undocumented
amd=$(amd_library)
if [ -n "$amd" ]; then
	check "S0.39: exported symbols are AMD's, versions too" same "$(symbols "$amd")" \
		"$(symbols "$library" | grep -vxF "$later")"
else
	skip "S0.39: exported symbols are AMD's, versions too" "AMD's libhsakmt.so.1 is not installed"
fi
if [ -n "$amd_include" ]; then
	check "S0.39: headers: sizes, members, bits and values are AMD's" same \
		"$("$out/tests/facts_amd")" "$("$out/tests/facts_ours")"
	check "S0.39: headers: prototypes are AMD's" test -e "$out/tests/amd_prototypes.o"
else
	skip "S0.39: headers: sizes, members, bits and values are AMD's" "AMD's headers are not installed"
	skip "S0.39: headers: prototypes are AMD's" "AMD's headers are not installed"
fi
echo "1..$count"
exit $failed
