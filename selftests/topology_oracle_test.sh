#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: modules=none smp=4 numa=2 timeout=600
#
# CPU nodes against those of the kernel's own amdkfd, which publishes them without a GPU:
# the same files and folders, with the same modes and the same bytes. Listed apart are
#   caches of CPUs, which only ours has;
#   links of upstream's that lead to NUMA nodes without CPUs, which are no nodes (B080);
#   names that came after Linux 6.1 and are not done: sizes of save areas for compute
#   queues, engines that a link is best copied with.
# tools/check/layouts.sh runs it in VMs of other layouts. (S0.83, B080)
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tools/check/tap.sh"
PATH=$PATH:$here/../tools/vm
export LC_ALL=C
topology=/sys/devices/virtual/kfd/kfd/topology
same="same files, same modes, same bytes as upstream's amdkfd"
tmp=$(mktemp -d)

# apart: entries of nodes/ that are not compared
apart()
{
	(
		cd $topology/nodes || exit
		for entry in */caches/*; do
			[ ! -e "$entry" ] || echo "$entry"
		done
		for link in */io_links/*; do
			[ -e "$link" ] || continue
			to=$(awk '$1 == "node_to" { print $2 }' "$link/properties")
			[ -e "$to" ] || echo "$link"
		done
	)
}

# compared APART: the rest of the tree: "= TYPE MODE PATH" for each entry, and what is in
# it if it is a file. Counts are less what stands apart.
compared()
{
	(
		cd $topology || exit
		find . -printf '%y %m %P\n' | sort -k 3 -V | while read -r type mode path; do
			echo "= $type $mode $path"
			[ "$type" != f ] || cat "$path"
		done
	) | awk -v apart="$1" '
		BEGIN {
			while ((getline entry < apart) > 0) {
				gone[entry]
				split(entry, part, "/")
				less[part[1] "/" part[2]]++
			}
		}
		function count(folder) {
			$2 -= less[node "/" folder]
		}
		$1 == "=" {
			split($4, part, "/")
			skip = part[1] == "nodes" && part[2] "/" part[3] "/" part[4] in gone
			node = part[1] == "nodes" && part[3] == "properties" ? part[2] : ""
		}
		skip { next }
		/^(cwsr_size|ctl_stack_size|recommended_sdma_engine_id_mask) / { next }
		node != "" && $1 == "caches_count" { count("caches") }
		node != "" && $1 == "io_links_count" { count("io_links") }
		{ print }'
}

# save NAME: the tree as it is, in $tmp/NAME and $tmp/NAME.apart
save()
{
	apart >"$tmp/$1.apart"
	compared "$tmp/$1.apart" >"$tmp/$1"
}

same_tree()
{
	grep -q '^= f .* nodes/0/properties$' "$tmp/upstream" || echo "upstream has no node"
	diff "$tmp/upstream" "$tmp/ours"
}

# only_intended: each side has but its own kind of what is not compared
only_intended()
{
	! grep -H /caches/ "$tmp/upstream.apart" && ! grep -H /io_links/ "$tmp/ours.apart" &&
		grep -q /caches/ "$tmp/ours.apart"
}

each_cpu_once()
{
	cores=$(cat $topology/nodes/*/properties | awk '$1 == "cpu_cores_count" { n += $2 } END { print n }')
	[ "$cores" = "$(nproc)" ]
}

# load_upstream: the kernel's own module publishes its tree
load_upstream()
{
	modprobe amdgpu && [ -e $topology/nodes/0/properties ]
}

echo "# CPUs $(cat /sys/devices/system/cpu/online) of $(cat /sys/devices/system/cpu/present)," \
	"NUMA nodes $(cat /sys/devices/system/node/online)," \
	"with CPUs $(cat /sys/devices/system/node/has_cpu)," \
	"with memory $(cat /sys/devices/system/node/has_memory)"
if modinfo amdgpu >/dev/null 2>&1; then
	tap_run "the kernel's own amdgpu loads and publishes its tree" load_upstream
	save upstream
	rmmod amdgpu
	modload carillon
	save ours
	sed 's/^/# apart, upstream: /' "$tmp/upstream.apart"
	sed 's/^/# apart, ours: /' "$tmp/ours.apart"
	tap_run "S0.83 $same" same_tree
	tap_run "S0.83 B080 apart is only what is meant to differ" only_intended
else
	modload carillon
	tap_skip "S0.83 $same" "this kernel has no amdgpu of its own"
fi
tap_run "every CPU belongs to one node" each_cpu_once
rmmod carillon
rm -rf "$tmp"
tap_done
