#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# layouts.sh: topology_oracle_test.sh in VMs with other processors, NUMA nodes and memory
# than those that check boots anyway: whatever the machine is, our CPU nodes are upstream's.
# A boot each, on the stock kernel, whose modules are built. Prints TAP.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
. tools/check/tap.sh
release=$(tools/vm/kernel.sh --release) || exit 1
out=build/layouts

# agrees NUMBER OPTION...: the test passes in such a VM, and has compared. No snapshot is
# kept of a VM that runs once.
agrees()
{
	log=$out/$1.tap
	shift
	CARILLON_SNAPSHOT=no tools/vm/run.sh --kernel "$release" --modules "build/modules-$release" \
		--timeout 600 "$@" -- selftests/topology_oracle_test.sh >"$log" 2>&1 &&
		grep -q "^ok .*same bytes as upstream's amdkfd$" "$log" && return
	tail -n 60 "$log"
	return 1
}

# layout NAME OPTION...: as the guest's kernel saw it is in the log
layout()
{
	name=$1
	shift
	layouts=$((layouts + 1))
	tap_run "S0.83 $name" agrees $layouts "$@"
	sed -n '1s/^# /#   /p' "$out/$layouts.tap"
}

# memory SIZE...: QEMU's memory of NUMA nodes, mem0 and so on
memory()
{
	node=0
	for size; do
		printf -- '-object memory-backend-ram,id=mem%d,size=%s ' $node "$size"
		node=$((node + 1))
	done
}

rm -rf "$out"
mkdir -p "$out"
layouts=0
layout "one CPU, 512 MiB" --smp 1 --mem 512M
layout "three CPUs" --smp 3
layout "three CPUs on three nodes" --smp 3 --numa 3 --mem 1536M
layout "four CPUs on four nodes" --smp 4 --numa 4
layout "eight CPUs, two threads a core" --smp 8 --qemu "-smp threads=2"
layout "CPUs that are offline" --smp 4 --append maxcpus=2
layout "CPUs of another maker on two nodes" --smp 4 --numa 2 --qemu "-cpu max,-erms,vendor=GenuineIntel"
layout "a memory device with a speed" --smp 2 --qemu "-smbios type=17,speed=2666"
layout "B080 a node without CPUs" --smp 2 --mem 2G --qemu \
	"$(memory 1G 1G) -numa node,nodeid=0,memdev=mem0,cpus=0-1
	-numa node,nodeid=1,memdev=mem1"
tap_done
