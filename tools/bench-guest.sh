#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# bench-guest.sh BUILD: the figures, inside the VM: lines "name value unit".
build=$1
bench=$(echo /sys/kernel/debug/carillon/*:*/bench)
rounds=1000

# entries NAME COMMAND: time of a 512-entry page-table update
entries()
{
	echo "$2 $rounds" >"$bench" || return
	awk -v name="$1" '
		{ for (i = 2; i < NF; i++) value[$i] = $(i + 1) }
		END {
			if (value["result"] != 0 || value["rounds"] == 0)
				exit 1
			printf "%s_p50 %.1f us\n%s_p99 %.1f us\n", name, value["p50_ns"] / 1000,
				name, value["p99_ns"] / 1000
		}' "$bench"
}

echo "# Kernel $(uname -r), $(nproc) processors, $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)."
"$build/selftests/bench" copy doorbell idle || exit
entries pte512_idle pte || exit
entries pte512_busy pte-busy || exit
