#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# lcov-report.sh NAME DIR [PERCENT]: the report of DIR/coverage.info, which covers NAME.
# Writes DIR/coverage.txt, a line a file (lines run, lines, percentage, name), and prints
# the sum. Fails if nothing was counted, or if less than PERCENT of the lines were run.
name=$1
dir=$2
percent=${3:-0}

awk -F : '
	/^SF:/ { file = $2 }
	/^LF:/ { found = $2 }
	/^LH:/ { hit = $2 }
	/^end_of_record/ && found {
		printf "%6d %6d %5.1f%% %s\n", hit, found, 100 * hit / found, file
	}' "$dir/coverage.info" | sort -k 4 >"$dir/coverage.txt"
awk -F : -v name="$name" -v list="build/${dir##*/build/}/coverage.txt" -v percent="$percent" '
	/^LF:/ { lines += $2 }
	/^LH:/ { lines_hit += $2 }
	/^FNF:/ { functions += $2 }
	/^FNH:/ { functions_hit += $2 }
	/^BRF:/ { branches += $2 }
	/^BRH:/ { branches_hit += $2 }
	END {
		if (!lines || !functions || !branches)
			exit 1
		printf "coverage of %s: %.1f%% of %d lines, %.1f%% of %d functions, " \
			"%.1f%% of %d branches (%s)\n", name,
			100 * lines_hit / lines, lines, 100 * functions_hit / functions,
			functions, 100 * branches_hit / branches, branches, list
		exit lines_hit < percent / 100 * lines
	}' "$dir/coverage.info"
