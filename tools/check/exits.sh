# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced, with a folder in $dir.

# exits EXPECTED COMMAND...: its exit status is that; what it says is left in $dir/output
exits()
{
	expected=$1
	shift
	"$@" >"$dir/output" 2>&1
	got=$?
	[ "$got" = "$expected" ] || {
		cat "$dir/output"
		echo "exit status $got, expected $expected"
		return 1
	}
}
