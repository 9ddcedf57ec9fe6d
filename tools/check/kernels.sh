#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# kernels.sh SERIES...: the modules build for other stock kernels than the one
# that all other suites use, load there, and carry the distribution's clients.
# Prints TAP.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
. tools/check/tap.sh

# clean_build RELEASE: builds and does not say a word
clean_build()
{
	output=$(tools/build-modules.sh "$1" 2>&1) && [ -z "$output" ] && return
	printf '%s\n' "$output" | tail -n 40
	return 1
}

for series; do
	release=$(tools/vm/kernel.sh --release "$series")
	if [ -z "$release" ] || ! tools/headers.sh "$release" >/dev/null ||
		! tools/vm/kernel.sh "$release" >/dev/null; then
		tap_skip "modules for $series" "its packages cannot be fetched"
		continue
	fi
	tap_run "modules for $release" clean_build "$release"
	tap_run "$release: rocminfo" tools/vm/gpu-run.sh --kernel "$release" --timeout 180 \
		-- sh -c 'rocminfo | grep -q gfx900'
	tap_run "$release: 64 MiB through SDMA on the HSA runtime" \
		tools/vm/gpu-run.sh --kernel "$release" --timeout 180 \
		--env HSA_FORCE_SDMA_SIZE=2147483647 -- build/samples/hsa_copy
	tap_run "$release: modules go" tools/vm/gpu-run.sh --kernel "$release" --timeout 180 \
		-- rmmod amdgpu carillon carillon_vgpu
done
tap_done
