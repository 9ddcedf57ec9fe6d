# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced: a run of all suites has an end, CHECK_END (seconds since the epoch;
# unset: none), so that tests that hang cannot add up to more than it.

# bounded SECONDS: SECONDS, or what is left until the end if that is less
bounded()
{
	left=$((${CHECK_END:-99999999999} - $(date +%s)))
	[ "$left" -gt 1 ] || left=1
	[ "$left" -lt "$1" ] || left=$1
	echo "$left"
}
