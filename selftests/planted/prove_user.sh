#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# prove_user.sh [SECONDS]: for each fault of `plant.sh --list-user`, builds the libFuzzer
# target that must find it from a copy of the sources with that fault, and runs it for at
# most SECONDS (60), two at a time. Found means a crash that the sanitizer or a check of
# the target reports, with the input that leads to it. Prints TAP.
# prove_user.sh --one NAME TARGET SECONDS: one of them; prints the time and the report.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
. tools/check/tap.sh
out=$PWD/build/planted-user

# find_it NAME TARGET SECONDS
find_it()
{
	copy=$out/$1
	rm -rf "$copy"
	mkdir -p "$copy/corpus"
	cp -r kernel libthunk selftests tools uapi "$copy/" || return
	"$here/plant.sh" "$copy" "$1" >/dev/null || return
	make -s -C "$copy/selftests/fuzz" O="$copy/build" "$copy/build/$2" || return
	begin=$(date +%s%N)
	"$copy/build/$2" -max_total_time="$3" -max_len=8192 -seed=1 -verbosity=0 \
		-artifact_prefix="$copy/" \
		$([ -e "selftests/fuzz/data/$2.dict" ] && echo "-dict=selftests/fuzz/data/$2.dict") \
		"$copy/corpus" $([ -d "selftests/fuzz/data/$2" ] && echo "selftests/fuzz/data/$2") \
		>"$copy/log" 2>&1
	status=$?
	end=$(date +%s%N)
	report=$(grep -m 1 -E '^SUMMARY: (Address|UndefinedBehavior)Sanitizer:|Assertion .* failed' "$copy/log")
	set -- "$copy"/crash-*
	[ "$status" != 0 ] && [ -n "$report" ] && [ -e "$1" ] || {
		tail -n 5 "$copy/log"
		return 1
	}
	echo "$(((end - begin) / 1000000)) ms: $report" | sed "s|$copy/||g" | cut -c 1-110
}

if [ "$1" = --one ]; then
	find_it "$2" "$3" "$4" >"$out/$2.said" 2>&1
	echo $? >"$out/$2.status"
	exit 0
fi
mkdir -p "$out"
"$here/plant.sh" --list-user >"$out/list" || exit 1
xargs -P 2 -L 1 sh -c '"$0" --one "$2" "$3" "$1"' "$here/prove_user.sh" "${1:-60}" <"$out/list"
while read -r name target; do
	said=$(cat "$out/$name.said")
	if [ "$(cat "$out/$name.status")" = 0 ]; then
		echo "# $said"
		tap_ok "$target finds $name"
	else
		tap_not_ok "$target finds $name" "$said"
	fi
done <"$out/list"
tap_done
