#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# check-log.sh CONSOLE-LOG [TAINT]: fails if the kernel complained anywhere in
# the log, or if TAINT (the number of /proc/sys/kernel/tainted) has one of
# B (bad page, 5), D (oops, 7), W (warning, 9), L (soft lockup, 14). The log
# must come from a console with ignore_loglevel: `quiet` hides warnings.
# An out-of-tree, unsigned module's O and E are no complaint, nor is what the debug
# kernel's checkers say of themselves while booting.

pattern='WARNING:|BUG:|BUG |Oops|general protection|KASAN:|KCSAN:|KFENCE:|UBSAN:'
pattern="$pattern|INFO: (possible|suspicious|task|rcu|trying)|INFO: .*lock|possible (circular|recursive)"
pattern="$pattern|inconsistent lock|sleeping function|unreferenced object|kmemleak: [0-9]+ new"
pattern="$pattern|ODEBUG|refcount_t:|list_(add|del) corruption|DMA-API:|stack-protector|Kernel panic"
pattern="$pattern|Call Trace|soft lockup|hung_task|still has locks|scheduling while atomic|bad: scheduling"
pattern="$pattern|memory leak|Tainted: [A-Z ]*[BDWL]|sysfs: cannot create duplicate|Bad page|Bad rss"
pattern="$pattern|nobody cared|rcu_(sched|preempt) detected|Objects remaining|UAF"

log=$1
taint=${2:-0}
bad=0
innocent='kmemleak: Kernel memory leak detector (disabled|initialized)'
innocent="$innocent|DMA-API: (preallocated|debugging (enabled|disabled))"

if [ ! -s "$log" ]; then
	echo "check-log: no log: $log"
	exit 1
fi
# Innocent lines are blanked, so that line numbers stay.
found=$(sed -E "s/.*($innocent).*//" "$log" | grep -nE -B 2 -A 6 "$pattern" | head -n 60)
if [ -n "$found" ]; then
	printf '%s\n' "$found"
	bad=1
fi
if [ "$((taint & (1 << 5 | 1 << 7 | 1 << 9 | 1 << 14)))" != 0 ]; then
	echo "check-log: the kernel is tainted: $taint"
	bad=1
fi
exit "$bad"
