#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# build.sh [KERNEL]: everything builds, without a warning. Prints TAP.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
. tools/check/tap.sh
. tools/check/files.sh

# quiet COMMAND...: passes if the command does and says nothing
quiet()
{
	output=$("$@" 2>&1)
	status=$?
	[ -n "$output" ] && printf '%s\n' "$output" | grep -v ' not remade because of errors' | tail -n 60
	[ "$status" = 0 ] && [ -z "$output" ]
}

modules_quiet()
{
	tools/build-modules.sh "$1" >/dev/null 2>&1 && return
	cat "build/modules-$1/build.log"
	return 1
}

# run_sparse DIR GOAL: sparse on modules that are built. The same flags as the build's, so
# that nothing is compiled again.
run_sparse()
{
	make -s -k -j"$(nproc)" -C "$headers" M="$1" W=1 C=2 KCFLAGS=-Werror \
		CONFIG_DEBUG_INFO= CONFIG_DEBUG_INFO_BTF_MODULES= cmd_checkdoc= CF="-D__CHECK_ENDIAN__ -Wcontext" "$2" 2>&1 |
		grep -E '(warning|error):'
}

# finds WHAT COMMAND...: a planted fault is reported
finds()
{
	what=$1
	shift
	output=$("$@" 2>&1)
	printf '%s\n' "$output" | grep -q "$what" && return
	printf '%s\n' "$output" | tail -n 20
	echo "no report of: $what"
	return 1
}

plant()
{
	planted=$PWD/build/planted-static
	rm -rf "$planted"
	mkdir -p "$planted"
	echo 'obj-m += warning.o sparse.o header.o' >"$planted/Kbuild"
	echo 'static int unused;' >"$planted/warning.c"
	cat >"$planted/sparse.c" <<-END
	#include <linux/compiler.h>
	int planted(int __user *p);
	int planted(int __user *p)
	{
		return *p;
	}
	END
	echo 'static inline u64 planted(void) { return 0; }' >"$planted/alone.h"
	echo '#include "alone.h"' >"$planted/header.c"
}

# public_header FILE: the header compiles on its own
public_header()
{
	gcc -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -D_GNU_SOURCE -I uapi -I libthunk \
		-I libthunk/include -include stddef.h -x c "$1"
}

# kernel_headers RELEASE: each header of the modules compiles on its own, twice
kernel_headers()
{
	dir=build/headers-$1
	rm -rf "$dir"
	mkdir -p "$dir"
	cp -r kernel uapi "$dir/"
	rm -rf "$dir/kernel/tests"
	for header in $(cd "$dir" && find kernel -name '*.h'); do
		# A trace header is only meant to be read by its instantiation.
		grep -q define_trace.h "$dir/$header" && continue
		object=$(echo "${header%.h}" | tr / _)_self
		printf '#include "%s"\n#include "%s"\n' "$header" "$header" >"$dir/$object.c"
		echo "obj-m += $object.o" >>"$dir/Kbuild"
	done
	# shellcheck disable=SC2016 # make expands it
	printf '%s\n' 'ccflags-y += -I$(src) -I$(src)/uapi -Wno-missing-prototypes' >>"$dir/Kbuild"
	# The objects are enough: linking them would ask for a module's licence.
	quiet make -s -k -j"$(nproc)" -C "$headers" M="$PWD/$dir" \
		$(sed -n 's/^obj-m += //p' "$dir/Kbuild")
}

release=$(tools/vm/kernel.sh --release $1) || exit 1
headers=$(tools/headers.sh "$release") || exit 1
plant
tap_run "modules for $release" modules_quiet "$release"
tap_run "a planted warning fails a build" finds "error:.*unused.*Werror" \
	make -s -C "$headers" M="$planted" W=1 KCFLAGS=-Werror warning.o
tap_run "a planted header does not stand alone" finds "unknown type name" \
	make -s -C "$headers" M="$planted" header.o
if command -v sparse >/dev/null; then
	tap_run "sparse finds a planted pointer to user space" finds "dereference of noderef" \
		run_sparse "$planted" sparse.o
	sparse_output=$(run_sparse "$PWD/build/modules-$release" modules)
	tap_run "sparse" test -z "$sparse_output"
	printf '%s\n' "$sparse_output" | head -n 40 | sed '/^$/d; s/^/# /'
else
	tap_skip "sparse" "not installed"
fi
tap_run "kernel headers stand alone" kernel_headers "$release"
tap_run "libthunk" quiet make -s lib
tap_run "samples" quiet make -s samples
tap_run "selftests" quiet make -s selftests
# facts.h is a table, read several times with macros that its user defines.
tap_run "a planted header of user space does not stand alone" finds "unknown type name" \
	public_header "$planted/alone.h"
for header in $(tree_files 'uapi/*.h' 'libthunk/*.h' | grep -v '^libthunk/tests/facts.h$'); do
	tap_run "header $header" public_header "$header"
done
tap_done
