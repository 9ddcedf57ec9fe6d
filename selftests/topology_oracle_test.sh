#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: modules=none smp=4 numa=2 timeout=600
#
# CPU nodes against those of the kernel's own amdkfd, which publishes them without
# a GPU. The one intended difference: upstream lists no caches for CPUs.
# (S0.83, B080)
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tools/check/tap.sh"
PATH=$PATH:$here/../tools/vm
export LC_ALL=C
topology=/sys/devices/virtual/kfd/kfd/topology
tmp=$(mktemp -d)

dump()
{
	(cd $topology && find . -type f ! -path '*/caches/*' | sort -V) | while read -r file; do
		echo "== $file"
		sed 's/^caches_count .*/caches_count (not compared)/' "$topology/$file"
	done
}

same_tree()
{
	diff "$tmp/upstream" "$tmp/ours"
}

each_cpu_once()
{
	cores=$(cat $topology/nodes/*/properties | awk '$1 == "cpu_cores_count" { n += $2 } END { print n }')
	[ "$cores" = "$(nproc)" ]
}

if modprobe amdgpu 2>/dev/null && [ -d $topology ]; then
	dump >"$tmp/upstream"
	rmmod amdgpu
	modload carillon
	dump >"$tmp/ours"
	tap_run "two NUMA nodes: same files, same bytes as upstream's amdkfd" same_tree
else
	modload carillon
	tap_skip "two NUMA nodes: same files, same bytes as upstream's amdkfd" "no amdgpu here"
fi
tap_run "every CPU belongs to one node" each_cpu_once
rmmod carillon
rm -rf "$tmp"
tap_done
