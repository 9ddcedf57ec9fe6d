#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: modules=none timeout=600
#
# The companion module named amdgpu: it stands beside carillon, and only there.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tools/check/tap.sh"
. "$here/scale.sh"
PATH=$PATH:$here/../tools/vm

# refused: the companion does not load
refused()
{
	! modload amdgpu
}

loads()
{
	modload amdgpu && [ "$(cat /sys/module/amdgpu/initstate)" = live ] && lsmod | grep -q '^amdgpu '
}

says_why()
{
	dmesg | grep -q 'amdgpu: companion of carillon: .* is missing, not loaded'
}

rocminfo_looks_on()
{
	rocminfo 2>&1 | grep -q 'ROCk module is loaded'
}

# rocm-smi says no more than that a driver is missing, and goes on.
smi_misses_it()
{
	rocm-smi 2>&1 | grep -q 'Driver not initialized'
}

smi_looks_on()
{
	rocm-smi >/tmp/rocm-smi.log 2>&1 && ! grep -H 'Driver not initialized' /tmp/rocm-smi.log
}

# The GPU's line, and no word of trouble.
smi_shows_it()
{
	if grep -i error /tmp/rocm-smi.log; then
		return 1
	fi
	grep -qE '^0 .* 1500Mhz +945Mhz .* 0% +0% *$' /tmp/rocm-smi.log || {
		cat /tmp/rocm-smi.log
		return 1
	}
}

# S0.4: what is true of the GPU, and a process that has opened it.
smi_answers()
{
	card=/sys/class/drm/card0/device
	sh -c 'exec 3<>/dev/kfd && echo $$ >/tmp/smi.pid &&
		rocm-smi --showid --showbus --showmeminfo vram --showproductname --showpids; exit $?' \
		>/tmp/smi.log 2>&1 || { cat /tmp/smi.log && return 1; }
	grep -q "^$(cat /tmp/smi.pid)[[:space:]]" /tmp/smi.log || {
		cat /tmp/smi.pid /tmp/smi.log
		return 1
	}
	while read -r line; do
		grep -qF "$line" /tmp/smi.log && continue
		echo "missing: $line"
		cat /tmp/smi.log
		return 1
	done <<-END
	GPU ID: $(cat $card/device)
	PCI Bus: $(basename "$(readlink -f $card)")
	VRAM Total Memory (B): $(cat $card/mem_info_vram_total)
	VRAM Total Used Memory (B): $(cat $card/mem_info_vram_used)
	Card vendor: 		Advanced Micro Devices, Inc. [AMD/ATI]
	END
}

# With amdgpu's name on the DRM node: VRAM and GTT of the GPU, and an idle graphics engine.
radeontop_shows_it()
{
	modload carillon drm_name=amdgpu && timeout "$(scaled 60)" radeontop -d - -l 1 >/tmp/top.log 2>&1 &&
		grep -q 'gpu 0.00%.* vram [0-9.]*% [0-9.]*mb, gtt ' /tmp/top.log &&
		! grep -i 'failed' /tmp/top.log && return
	cat /tmp/top.log
	return 1
}

# It holds nothing of carillon: either may go first.
goes_alone()
{
	rmmod carillon && [ -d /sys/module/amdgpu ] && rmmod amdgpu
}

tap_run "refused where carillon is not loaded" refused
tap_run "it says what is missing" says_why
if modprobe amdgpu 2>/dev/null; then
	tap_run "refused beside the real amdgpu" refused
	rmmod amdgpu
else
	tap_skip "refused beside the real amdgpu" "no amdgpu here"
fi
modload carillon_vgpu && modload carillon
if command -v rocm-smi >/dev/null; then
	tap_run "rocm-smi misses a driver without it" smi_misses_it
else
	tap_skip "rocm-smi misses a driver without it" "no rocm-smi here"
fi
tap_run "loads beside carillon" loads
if command -v rocminfo >/dev/null; then
	tap_run "rocminfo takes it for the driver" rocminfo_looks_on
else
	tap_skip "rocminfo takes it for the driver" "no rocminfo here"
fi
# It ends itself where a GPU has no temperature.
if [ ! -e /sys/class/hwmon ]; then
	tap_skip "rocm-smi takes it for the driver" "a kernel without hwmon"
elif command -v rocm-smi >/dev/null; then
	tap_run "rocm-smi takes it for the driver" smi_looks_on
	tap_run "rocm-smi shows the GPU" smi_shows_it
	tap_run "S0.4: rocm-smi says what the driver says" smi_answers
else
	tap_skip "rocm-smi takes it for the driver" "no rocm-smi here"
fi
tap_run "carillon can go while it is loaded" goes_alone
if command -v radeontop >/dev/null; then
	tap_run "radeontop shows the GPU" radeontop_shows_it
	rmmod carillon
else
	tap_skip "radeontop shows the GPU" "no radeontop here"
fi
rmmod carillon_vgpu
tap_done
