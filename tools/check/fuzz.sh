#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# fuzz.sh [SECONDS]: runs each libFuzzer target of selftests/fuzz for SECONDS (4), two at
# a time, and lets each find a planted fault. Prints TAP. What a target found stays in build/fuzz/found; the corpus grows in
# build/fuzz/corpus, from the seeds in selftests/fuzz/data.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
. tools/check/tap.sh
out=$PWD/build/fuzz
seconds=${1:-4}

# run_target NAME: leaves its log and, once it has ended, its exit status
run_target()
{
	name=$1
	seeds=selftests/fuzz/data/$name
	dict=selftests/fuzz/data/$name.dict
	mkdir -p "$out/corpus/$name" "$out/found"
	timeout -k 5 $((seconds + 60)) "$out/$name" -max_total_time="$seconds" -max_len=8192 -seed=1 \
		-verbosity=0 -print_final_stats=1 -artifact_prefix="$out/found/$name-" \
		$([ -e "$dict" ] && echo "-dict=$dict") \
		"$out/corpus/$name" $([ -d "$seeds" ] && echo "$seeds") >"$out/$name.log" 2>&1
	echo $? >"$out/$name.status"
}

report_target()
{
	sed -n "s/^stat::average_exec_per_sec: */# $1, executions per second: /p" "$out/$1.log"
	if [ "$(cat "$out/$1.status")" = 0 ]; then
		tap_ok "$1"
	else
		tap_not_ok "$1" "$(grep -vE '^(INFO|stat)' "$out/$1.log" | head -n 40)"
	fi
}

if [ "$1" = --one ]; then
	seconds=$2
	run_target "$3"
	exit 0
fi
if ! command -v clang >/dev/null; then
	tap_skip "libFuzzer targets" "no clang"
	tap_done
	exit
fi
if ! log=$(make -s -j2 -C selftests/fuzz O="$out" targets 2>&1); then
	tap_not_ok "build" "$log"
	tap_done
	exit 1
fi
targets=$(make -s -C selftests/fuzz O="$out" list)
printf '%s\n' $targets | xargs -n 1 -P 2 "$here/fuzz.sh" --one "$seconds"
for target in $targets; do
	report_target "$target"
done
# Would they find anything?
selftests/planted/prove_user.sh 20 >"$out/prove.tap" 2>&1
grep -E '^(ok|not ok|#|Bail)' "$out/prove.tap" | while read -r line; do echo "# planted: $line"; done
tap_run "each target finds the fault planted for it" awk '
	{ print }
	/^not ok|^Bail/ { bad = 1 }
	/^ok/ { n++ }
	END { exit bad || !n }' "$out/prove.tap"
tap_done
