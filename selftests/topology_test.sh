#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: modules=none timeout=600
#
# The topology in sysfs: the GPU's node against golden trees, the shape of every
# node, CPU caches against lscpu, arrival and removal of GPUs, the device cgroup.
# (S0.29, S0.82, S0.83, S0.84, S0.85, S0.86, S0.87, S0.88, S0.92, B074, B076, B077)
#
# A golden tree is a node's files in order, "== FILE" before each. It was derived
# from the cache table and the loops of Linux 6.1's amdkfd, not taken from our own
# output. Masked values belong to the machine or to parameters:
#   gpu_id, location_id, domain    where the virtual PCI bus ended up
#   drm_render_minor               other DRM devices of the machine
#   max_engine_clk_ccompute        cpufreq of the host CPU
#   size_in_bytes                  vram= less what the driver keeps; checked apart
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tools/check/tap.sh"
PATH=$PATH:$here/../tools/vm
export LC_ALL=C
topology=/sys/devices/virtual/kfd/kfd/topology
nodes=$topology/nodes
pci=/sys/bus/pci/drivers/carillon
tmp=$(mktemp -d)

load()
{
	modload carillon_vgpu "gpus=$1" && modload carillon
}

unload()
{
	rmmod carillon && rmmod carillon_vgpu
}

# dump NODE: its files with the masked values. One program reads them all: a debug
# kernel takes long to start one.
dump()
{
	(cd "$nodes/$1" && find . -type f | sed 's|^\./||' | sort -V | xargs awk '
		function masked(line)
		{
			if (file == "gpu_id")
				return "MASKED"
			if (line ~ /^(location_id|domain|drm_render_minor|max_engine_clk_ccompute|size_in_bytes) /)
				sub(/ .*/, " MASKED", line)
			return line
		}
		BEGIN {
			for (i = 1; i < ARGC; i++) {
				file = ARGV[i]
				print "== " file
				while ((getline line < file) > 0)
					print masked(line)
				close(file)
			}
		}')
}

# golden PROFILE/SHAPE
golden()
{
	dump 1 >"$tmp/node"
	diff "$here/golden/$1.txt" "$tmp/node" | head -n 40
	cmp -s "$here/golden/$1.txt" "$tmp/node"
}

# property NODE FILE NAME
property()
{
	awk -v name="$3" '$1 == name { print $2 }' "$nodes/$1/$2"
}

count()
{
	set -- "$1"/*
	[ -e "$1" ] || shift
	echo $#
}

# numbered FOLDER: its entries are 0, 1, 2, ...
numbered()
{
	have=$(count "$1")
	n=0
	while [ -e "$1/$n" ]; do
		n=$((n + 1))
	done
	[ $n = "$have" ] || echo "$1: $have entries, the first $n numbers"
	[ $n = "$have" ]
}

only_numbers()
{
	numbered $nodes || return
	for dir in $nodes/*/*/; do
		numbered "$dir" || return
	done
}

same_files()
{
	for node in $nodes/*; do
		have=$(ls "$node" | tr '\n' ' ')
		[ "$have" = "caches gpu_id io_links mem_banks name p2p_links perf properties " ] || {
			echo "$node: $have"
			return 1
		}
	done
	[ "$(od -An -c $nodes/0/name | tr -d ' ')" = '\n' ]
}

counts_match()
{
	for node in "$nodes"/*; do
		n=${node##*/}
		for pair in mem_banks_count:mem_banks caches_count:caches io_links_count:io_links \
			p2p_links_count:p2p_links; do
			want=$(property "$n" properties "${pair%:*}")
			have=$(count "$nodes/$n/${pair#*:}")
			[ "$want" = "$have" ] || {
				echo "node $n: ${pair%:*} $want, directories $have"
				return 1
			}
		done
	done
}

# links name this node and one that exists
links_lead_somewhere()
{
	last=$(($(count $nodes) - 1))
	for node in "$nodes"/*; do
		n=${node##*/}
		for link in "$nodes/$n"/*_links/*/properties; do
			[ -e "$link" ] || continue
			from=$(awk '$1 == "node_from" { print $2 }' "$link")
			to=$(awk '$1 == "node_to" { print $2 }' "$link")
			[ "$from" = "$n" ] && [ "$to" != "$n" ] && [ "$to" -le $last ] || {
				echo "$link: $from to $to"
				return 1
			}
		done
	done
}

# each link has its way back, of the same kind and as long; every GPU has one to a CPU
links_go_both_ways()
{
	for link in $nodes/*/io_links/*/properties $nodes/*/p2p_links/*/properties; do
		[ -e "$link" ] || continue
		awk '$1 ~ /^(type|node_from|node_to|weight)$/ { v[$1] = $2 }
			END { print v["node_from"], v["node_to"], v["type"], v["weight"] }' "$link"
	done | sort >"$tmp/links"
	awk '{ print $2, $1, $3, $4 }' "$tmp/links" | sort >"$tmp/back"
	diff "$tmp/links" "$tmp/back" || return
	for node in $nodes/*; do
		[ "$(cat "$node/gpu_id")" = 0 ] || grep -q "^${node##*/} 0 2 [1-9]" "$tmp/links" || {
			echo "no PCI link from node ${node##*/} to 0"
			cat "$tmp/links"
			return 1
		}
	done
}

# type level size line ways count, of the CPU caches that the topology lists
our_cpu_caches()
{
	cat $nodes/*/caches/*/properties | awk '
		$1 == "level" { level = $2 } $1 == "size" { size = $2 }
		$1 == "cache_line_size" { line = $2 } $1 == "association" { ways = $2 }
		$1 == "type" { type = $2 }
		$1 == "sibling_map" && int(type / 4) % 2 { print type, level, size, line, ways }' |
		sort | uniq -c | awk '{ print $2, $3, $4, $5, $6, $1 }'
}

# The same from lscpu, but for the count: it takes that from numbers that QEMU
# gives each CPU anew; the kernel's sets of sharers are counted instead.
lscpu_caches()
{
	lscpu -B -C=TYPE,LEVEL,ONE-SIZE,COHERENCY-SIZE,WAYS | while read -r type level size line ways; do
		[ "$type" = TYPE ] && continue
		sharers=$(for index in /sys/devices/system/cpu/cpu[0-9]*/cache/index*; do
			[ "$(cat "$index/type")" = "$type" ] && [ "$(cat "$index/level")" = "$level" ] &&
				cat "$index/shared_cpu_list"
		done | sort -u | wc -l)
		case $type in
		Data) type=5 ;;
		Instruction) type=6 ;;
		Unified) type=7 ;;
		esac
		echo "$type $level $((size / 1024)) $line $ways $sharers"
	done | sort
}

cpu_caches()
{
	our_cpu_caches >"$tmp/ours"
	lscpu_caches >"$tmp/lscpu"
	[ -s "$tmp/ours" ] || echo "no CPU cache at all"
	diff "$tmp/lscpu" "$tmp/ours" && [ -s "$tmp/ours" ]
}

# processor_id_low of the caches of CPUs is the APIC id of the first CPU that shares it
first_sharers()
{
	for index in /sys/devices/system/cpu/cpu[0-9]*/cache/index*; do
		echo "$(cat "$index/level") $(cat "$index/type") $(cat "$index/shared_cpu_list")"
	done | sort -u | while read -r level type sharers; do
		case $type in
		Data) type=5 ;;
		Instruction) type=6 ;;
		Unified) type=7 ;;
		esac
		first=${sharers%%[-,]*}
		echo "$type $level $(awk -v cpu="$first" '$1 == "processor" { at = $3 }
			$1 == "apicid" && at == cpu { print $3 }' /proc/cpuinfo)"
	done | sort >"$tmp/sharers"
	cat $nodes/0/caches/*/properties | awk '
		$1 == "processor_id_low" { low = $2 } $1 == "level" { level = $2 }
		$1 == "type" { print $2, level, low }' | sort >"$tmp/low"
	[ -s "$tmp/low" ] && diff "$tmp/sharers" "$tmp/low"
}

cpu_node()
{
	[ "$(property 0 properties cpu_cores_count)" = "$(nproc)" ] &&
		[ "$(cat $nodes/0/gpu_id)" = 0 ] &&
		[ "$(property 0 properties cpu_core_id_base)" = "$(awk '$1 == "apicid" { print $3; exit }' /proc/cpuinfo)" ]
}

vram_size()
{
	size=$(property 1 mem_banks/0/properties size_in_bytes)
	echo "size_in_bytes $size"
	[ "$size" -gt $((8 * 1024 * 1024 * 1024 - 64 * 1024 * 1024)) ] &&
		[ "$size" -le $((8 * 1024 * 1024 * 1024)) ]
}

# A reader that holds a file open while its GPU goes gets an error, no more.
open_reader()
{
	id=$(cat $nodes/1/gpu_id)
	device=$(basename "$(echo $pci/*:*:*)")
	before=$(cat $topology/generation_id)
	exec 9<$nodes/1/properties
	echo "$device" >$pci/unbind || return
	[ "$(count $nodes)" = 1 ] || return
	[ "$(property 0 properties io_links_count)" = 0 ] || return
	cat <&9 >/dev/null 2>&1 && echo "a removed file was read"
	exec 9<&-
	between=$(cat $topology/generation_id)
	echo "$device" >$pci/bind || return
	after=$(cat $topology/generation_id)
	echo "generations $before $between $after, id $id $(cat $nodes/1/gpu_id)"
	[ "$before" != "$between" ] && [ "$between" != "$after" ] &&
		[ "$(cat $nodes/1/gpu_id)" = "$id" ]
}

# The first of three GPUs goes: the others move up, with links and ids of their own.
middle_goes()
{
	[ "$(count $nodes)" = 4 ] || return
	second=$(cat $nodes/2/gpu_id) third=$(cat $nodes/3/gpu_id)
	bases=$(cat $nodes/*/properties | awk '$1 == "simd_id_base" && $2' | sort | uniq | wc -l)
	device=$(printf '%04x:00:%02x.0' "$(property 1 properties domain)" \
		$(($(property 1 properties location_id) / 8)))
	echo "$device" >$pci/unbind || return
	echo "ids $second $third, now $(cat $nodes/1/gpu_id) $(cat $nodes/2/gpu_id), $bases bases"
	[ "$(cat $nodes/1/gpu_id)" = "$second" ] && [ "$(cat $nodes/2/gpu_id)" = "$third" ] &&
		[ "$bases" = 3 ] && only_numbers && counts_match && links_lead_somewhere &&
		echo "$device" >$pci/bind && [ "$(count $nodes)" = 4 ]
}

unique_ids()
{
	ids=$(cat $nodes/*/gpu_id | sort | uniq | wc -l)
	[ "$ids" = "$(count $nodes)" ]
}

# Readers on one CPU, unbind and bind on the other.
readers_under_change()
{
	device=$(basename "$(echo $pci/*:*:* | cut -d ' ' -f 1)")
	(
		while :; do
			cat $nodes/*/properties $nodes/*/*/*/properties $topology/generation_id
		done
	) >/dev/null 2>&1 &
	reader=$!
	for round in 1 2 3 4 5 6 7 8; do
		echo "$device" >$pci/unbind && echo "$device" >$pci/bind && continue
		echo "round $round failed"
		break
	done
	kill $reader
	wait $reader 2>/dev/null
	only_numbers && counts_match && links_lead_somewhere
}

# A process whose device cgroup denies the render node sees that GPU's files as EPERM.
device_cgroup()
{
	minor=$(property 1 properties drm_render_minor)
	mkdir -p "$tmp/cgroup" && mount -t cgroup -o devices none "$tmp/cgroup" || return
	mkdir "$tmp/cgroup/denied"
	echo "c 226:$minor rw" >"$tmp/cgroup/denied/devices.deny"
	cat >"$tmp/reader" <<-EOF
		echo \$\$ >$tmp/cgroup/denied/cgroup.procs
		for file in $nodes/1/gpu_id $nodes/1/name $nodes/1/properties \\
			$nodes/1/caches/0/properties $nodes/1/mem_banks/0/properties; do
			cat \$file 2>&1 >/dev/null | grep -q 'Operation not permitted' || echo "\$file was read"
		done
		cat $nodes/0/properties $topology/generation_id >/dev/null
	EOF
	result=$(sh "$tmp/reader" 2>&1)
	rmdir "$tmp/cgroup/denied"
	umount "$tmp/cgroup"
	[ -z "$result" ] || echo "$result"
	[ -z "$result" ]
}

suite()
{
	tap_run "nodes and records are numbered without gaps, nothing else there" only_numbers
	tap_run "B077 every node has the same files, a CPU's name is one newline" same_files
	tap_run "B076 counts equal directories" counts_match
	tap_run "B076 links start here and lead to nodes" links_lead_somewhere
	tap_run "S0.29 links go both ways, with one weight" links_go_both_ways
}

load vega10 || echo "Bail out! the modules did not load"
tap_run "S0.85 S0.86 S0.87 S0.88 golden tree of vega10 with 64 CUs" golden vega10/cu64
tap_run "VRAM is what the parameter says less a little" vram_size
tap_run "CPU node: cores, no GPU id, APIC id of the first CPU" cpu_node
tap_run "S0.83 S0.92 B074 CPU caches as lscpu shows them" cpu_caches
tap_run "S0.84 processor_id_low of CPU caches" first_sharers
suite
if grep -q '^devices' /proc/cgroups; then
	tap_run "a device cgroup hides the GPU" device_cgroup
else
	tap_skip "a device cgroup hides the GPU" "no device cgroup in this kernel"
fi
tap_run "removal under an open reader, generation, the same id afterwards" open_reader
tap_run "readers while the GPU comes and goes" readers_under_change
unload

load vega10:cu=4
tap_run "S0.92 golden tree of vega10 with 4 CUs" golden vega10/cu4
suite
unload

load vega10:cu=22
tap_run "S0.92 golden tree of vega10 with 6 and 5 CUs a shader engine" golden vega10/cu22
unload

load vega20
tap_run "S0.85 golden tree of vega20 with 60 CUs" golden vega20/cu60
unload

load mi100
tap_run "S0.85 golden tree of mi100 with 120 CUs" golden mi100/cu120
unload

load mi210
tap_run "S0.85 golden tree of mi210 with 104 CUs" golden mi210/cu104
unload

load vega10:cu=4+vega20+vega10:cu=8,vram=1g
suite
tap_run "three GPUs have three ids" unique_ids
tap_run "the first of three GPUs goes and comes back" middle_goes
unload
rm -rf "$tmp"
tap_done
