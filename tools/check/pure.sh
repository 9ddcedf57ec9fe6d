#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# pure.sh [NAME...]: builds and runs the user-space tests of the pure files,
# kernel/tests/pure/NAME_test.c, under the address and undefined-behaviour
# sanitizers; without names, all of them. A test names the sources to link in
# a line of its own: /* pure: kernel/sdma/sdma_emit.c ... */
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
out=build/pure
cflags="-std=gnu11 -g -O1 -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare
-Wno-missing-field-initializers -Werror -fno-omit-frame-pointer
-fsanitize=address,undefined -fno-sanitize-recover=all"

build_one()
{
	sources=$(sed -n 's|^/\* *pure:\(.*\)\*/.*|\1|p' "$1")
	gcc $cflags -I tools/include -I uapi -I . -o "$2" "$1" $sources
}

mkdir -p "$out"
if [ $# = 0 ]; then
	set -- $(find kernel/tests/pure -name '*_test.c' -exec basename {} _test.c \; | sort)
fi
bad=0
for name; do
	if ! build_one "kernel/tests/pure/${name}_test.c" "$out/$name" >"$out/$name.log" 2>&1; then
		{
			cat "$out/$name.log"
			echo "not ok 1 - build"
			echo "1..1"
		} >"$out/$name.tap"
		tools/check/record.sh "pure/$name" 1 "$out/$name.tap" || bad=1
		continue
	fi
	tools/check/suite.sh "pure/$name" 120 "$out/$name" || bad=1
done
exit $bad
