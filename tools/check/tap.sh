# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by shell tests: prints TAP.
#   tap_ok NAME            a test passed
#   tap_not_ok NAME [WHY]  a test failed; WHY becomes diagnostic lines
#   tap_skip NAME REASON
#   tap_run NAME COMMAND.. passes if the command does; its output is shown otherwise
#   tap_done               prints the plan; returns 1 if a test failed

tap_count=0
tap_failed=0

tap_ok()
{
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1"
}

tap_not_ok()
{
	tap_count=$((tap_count + 1))
	tap_failed=$((tap_failed + 1))
	[ -n "$2" ] && printf '%s\n' "$2" | sed 's/^/# /'
	echo "not ok $tap_count - $1"
}

tap_skip()
{
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

tap_run()
{
	tap_name=$1
	shift
	if tap_output=$("$@" 2>&1); then
		tap_ok "$tap_name"
	else
		tap_not_ok "$tap_name" "$tap_output"
	fi
}

tap_done()
{
	echo "1..$tap_count"
	[ "$tap_failed" = 0 ]
}
