# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by shell tests, which have set $here: what the driver holds.
. "$here/scale.sh"

counts_now()
{
	cat /sys/kernel/debug/carillon/counts
}

# counts_settle BEFORE: the driver holds what it held then; what ended processes had goes
# a little after them
counts_settle()
{
	counts_end=$(($(date +%s) + $(scaled 60)))
	while [ "$(date +%s)" -le "$counts_end" ]; do
		[ "$(counts_now)" = "$1" ] && return
		sleep 0.1
	done
	echo "before:"
	echo "$1"
	echo "now:"
	counts_now
	return 1
}
