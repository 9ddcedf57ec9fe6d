#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# thunk.sh: runs the thunk library's own tests, records them, and says how much of
# the library they have run (a line a file: build/libthunk/coverage.txt).
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
out=$PWD/build/libthunk

mkdir -p build
rm -f "$out/coverage"
tools/check/suite.sh thunk 600 flock "$out.lock" make -s -C libthunk O="$out" check
status=$?
# What the tests have run of the library, as `make check-coverage` says of kernel/.
[ ! -e "$out/coverage" ] || cat "$out/coverage"
exit $status
