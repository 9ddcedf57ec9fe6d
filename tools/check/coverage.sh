#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# coverage.sh: which lines of kernel/ the selftests on the debug kernel and the KUnit
# suites, there and on the user-mode kernel, have run. Adds up what each boot of
# `vm.sh --kernel debug` and `vm.sh --kernel uml` left (gcov*.tar in build/check/vm-debug,
# its parts, and vm-uml), prints one line with the totals, and leaves in build/check:
#   coverage.txt    a line a file: lines run, lines, percentage, name
#   coverage.info   everything, in lcov's form (genhtml makes pages of it)
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
out=build/check
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# counters TAR: unpacks; what counts is below the folder the modules were built in
counters()
{
	mkdir -p "$dir/tar"
	tar -xf "$1" -C "$dir/tar"
	mv "$dir/tar$modules" "$dir/next" 2>/dev/null
	rm -rf "$dir/tar"
}

# add_up TAR...: what all boots of one build have counted
add_up()
{
	rm -rf "$dir/sum"
	for tar; do
		[ -e "$tar" ] && counters "$tar"
		[ -d "$dir/next" ] || continue
		if [ -d "$dir/sum" ]; then
			gcov-tool-12 merge -o "$dir/both" "$dir/sum" "$dir/next" || return 1
			rm -rf "$dir/sum" "$dir/next"
			mv "$dir/both" "$dir/sum"
		else
			mv "$dir/next" "$dir/sum"
		fi
	done
	[ -d "$dir/sum" ]
}

# lcov_ ARGUMENT...: lcov with branches, its talk kept for the case of a failure
lcov_()
{
	lcov --gcov-tool gcov-12 --rc lcov_branch_coverage=1 "$@" >"$dir/lcov.log" 2>&1 || {
		tail -n 20 "$dir/lcov.log"
		return 1
	}
}

# Notes of the compiler, also of files that never ran. The suites' module is built from
# copies of the same files, in a folder of its own.
notes()
{
	(cd "$modules" && find . -path './planted' -prune -o -path '*/kernel/tests' -prune -o \
		-path '*/kernel/*' -name '*.gcno' -exec cp --parents -t "$dir/sum" {} +)
}

# part SUITE KERNEL: a suite's counters; all of the tests and of the kernel's headers goes
part()
{
	modules=$PWD/build/modules-$(tools/vm/kernel.sh --release "$2")
	add_up "$out/$1"/gcov*.tar "$out/$1"-[0-9]*/gcov*.tar >"$dir/merge.log" 2>&1 || {
		cat "$dir/merge.log"
		echo "coverage: no counters of $1"
		return 1
	}
	notes
	find "$dir/sum" -path '*/kernel/tests/*' -name '*.gcda' -delete
	lcov_ -c -i -d "$dir/sum" -b "$modules" -o "$dir/none.info" &&
		lcov_ -c -d "$dir/sum" -b "$modules" -o "$dir/run.info" &&
		lcov_ -a "$dir/none.info" -a "$dir/run.info" -o "$dir/all.info" &&
		lcov_ -e "$dir/all.info" "$modules/kernel/*" "$modules/kunit/kernel/*" \
			-o "$dir/kernel.info" || return 1
	sed "s,^SF:$modules/\(kunit/\)\?,SF:," "$dir/kernel.info" >"$dir/$1.info"
}

part vm-debug debug || exit 1
# The suites on the user-mode kernel may not have run.
set -- -a "$dir/vm-debug.info"
for tar in "$out"/vm-uml/gcov*.tar; do
	[ -e "$tar" ] || continue
	part vm-uml uml || exit 1
	set -- "$@" -a "$dir/vm-uml.info"
	break
done
lcov_ "$@" -o "$dir/coverage.info" || exit 1
cp "$dir/coverage.info" "$out/coverage.info"
"$here/lcov-report.sh" kernel/ "$PWD/$out"
