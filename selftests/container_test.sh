#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Clients in a container: without privileges but for the group of the device nodes, and
# in a user namespace of their own (S0.61; B098).  The same test programs as for root,
# and what must be refused.
# vm: timeout=600
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tools/check/tap.sh"
. "$here/counts.sh"
before=$(counts_now)
gid=$(getent group render | cut -d : -f 3)
gid=${gid:-4711}
bin=$(mktemp -d)

# drop UID GID COMMAND...: without any privilege
drop()
{
	uid=$1
	group=$2
	shift 2
	setpriv --reuid "$uid" --regid "$uid" --groups "$group" --no-new-privs \
		--inh-caps=-all --bounding-set=-all "$@"
}

# Who is in the group of the nodes, who is not, and where numbers of users mean nothing.
member()
{
	drop 1000 "$gid" "$@"
}

stranger()
{
	drop 1001 1001 "$@"
}

namespace()
{
	member unshare --user "$@"
}

# A test program has to do something, too; smoke only has an exit status.
passes()
{
	if out=$("$1" timeout "$(scaled 300)" "$bin/$2" 2>&1); then
		[ "$2" = smoke ] && return
		echo "$out" | grep -q '^ok [0-9]* [^#]*$' && return
	fi
	echo "$out"
	return 1
}

sees_topology()
{
	"$1" sh -c 'cat /sys/devices/virtual/kfd/kfd/topology/nodes/*/properties' | grep -q simd_count
}

# B098: the reason is a matter of permission, and says so.
denied()
{
	LC_ALL=C "$1" sh -c "exec 3<>$2" 2>&1 | grep -q 'Permission denied'
}

fails()
{
	! "$@" 2>/dev/null
}

# What udev's rules do, which do not run here.
mode=$(stat -c %a /dev/kfd)
chgrp "$gid" /dev/kfd /dev/dri/renderD*
chmod 660 /dev/kfd /dev/dri/renderD*
chmod 755 "$bin"

for test in memory_test render_test smoke; do
	cp "$SELFTESTS_DIR/$test" "$bin/"
	for who in member namespace; do
		tap_run "$test passes for $who" passes $who $test
	done
done
for who in member namespace stranger; do
	tap_run "the topology is readable for $who" sees_topology $who
	tap_run "debugfs is closed to $who" fails $who ls /sys/kernel/debug/carillon
	tap_run "the bus is closed to $who" fails $who sh -c 'echo 1 >/sys/bus/pci/rescan'
done
for file in /dev/kfd /dev/dri/renderD*; do
	tap_run "B098: $file refuses a stranger" denied stranger "$file"
done
tap_run "counts are back at the start" counts_settle "$before"

rm -rf "$bin"
chmod "$mode" /dev/kfd /dev/dri/renderD*
chgrp 0 /dev/kfd /dev/dri/renderD*
tap_done
