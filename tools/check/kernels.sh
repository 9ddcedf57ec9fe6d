#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# kernels.sh SERIES: the modules build, without a word, for another stock kernel than the one
# that all other suites use (one.sh runs the selftests there). Prints TAP.
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

release=$(tools/vm/kernel.sh --release "$1")
if [ -z "$release" ] || ! tools/headers.sh "$release" >/dev/null ||
	! tools/vm/kernel.sh "$release" >/dev/null; then
	tap_skip "modules for $1" "its packages cannot be fetched"
else
	tap_run "modules for $release" clean_build "$release"
fi
tap_done
