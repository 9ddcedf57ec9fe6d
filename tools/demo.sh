#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# demo.sh [KERNEL]: boots the stock kernel in a VM and runs demo-guest.sh
# there on the virtual GPU.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/.." || exit 1

exec tools/vm/gpu-run.sh ${1:+--kernel "$1"} --thunk debian --timeout 600 \
	-- tools/demo-guest.sh "$PWD/build"
