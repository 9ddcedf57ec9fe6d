#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# analyze.sh [KERNEL]: the slow analysers, clang's and coccinelle with the rules that
# come with the kernel's source, over the modules; clang's over the library as well. Each
# has to find a fault that is planted for it. Prints TAP.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
. tools/check/tap.sh
out=$PWD/build/analyze

# no_lines TEXT: passes if TEXT is empty, and prints it otherwise
no_lines()
{
	[ -z "$1" ] || {
		printf '%s\n' "$1" | head -n 60
		return 1
	}
}

# says WHAT TEXT: a planted fault was reported
says()
{
	printf '%s\n' "$2" | grep -q "$1" || {
		printf '%s\n' "$2" | tail -n 20
		echo "no report of: $1"
		return 1
	}
}

# clang_kernel DIR [GOAL...]: what clang says of a folder of modules that was built. Some
# inline functions of the kernel's headers store what they do not read; only our
# files count. A make above may be silent: the lines that tell of each check would go.
clang_kernel()
{
	dir=$1
	shift
	MAKEFLAGS='' make -k -j2 -C "$headers" M="$dir" W=1 C=2 KCFLAGS=-Werror CONFIG_DEBUG_INFO= \
		CONFIG_DEBUG_INFO_BTF_MODULES= cmd_checkdoc= CHECK="$here/clang-analyze.sh" CHECKFLAGS= "${@:-modules}" >"$dir/clang.log" 2>&1 ||
		echo "make failed: $(tail -n 3 "$dir/clang.log")"
	grep -qE '^ *CHECK ' "$dir/clang.log" || echo "nothing was checked"
	grep -E "^$dir/.*(warning|error):" "$dir/clang.log"
}

# clang_user FILE...: likewise for the library
clang_user()
{
	printf '%s\n' "$@" | xargs -n 1 -P 2 clang --analyze --analyzer-output text -std=gnu11 \
		-D_GNU_SOURCE -Ilibthunk -Ilibthunk/include -Iuapi -Wno-everything 2>&1 |
		grep -E '(warning|error):'
}

# rules: those of coccinelle's rules that are for drivers like ours
rules()
{
	# Each can report. Left out: the tables of one battery driver; badzero, which with it
	# wants an OCaml compiler (sparse reports a plain 0 for a pointer).
	grep -rlE --include='*.cocci' '^virtual .*report' "$ksrc/scripts/coccinelle" |
		grep -vE '/(check_bq27xxx_data|badzero)\.cocci$' | sort
}

# cocci DIR RULE...: what the rules say of a folder
cocci()
{
	dir=$1
	shift
	# shellcheck disable=SC2016 # the inner shell expands it
	printf '%s\n' "$@" | xargs -I {} -P 2 sh -c '
		options=$(sed -n "s/^.*Options: *//p" "$1")
		timeout 300 spatch -D report --no-show-diff --very-quiet $options --cocci-file "$1" \
			--dir "$0" -I kernel -I uapi 2>"$2/${1##*/}.err" ||
			echo "$1 did not run: $(tail -n 3 "$2/${1##*/}.err")"' "$dir" {} "$out" 2>&1 |
		grep -v '^$'
}

plant()
{
	rm -rf "$out/planted"
	mkdir -p "$out/planted"
	cat >"$out/planted/planted.c" <<-END
	#include <linux/slab.h>

	int planted_use_after_free(int n);
	int planted_use_after_free(int n)
	{
		int *p = kzalloc(sizeof(*p), GFP_KERNEL);

		if (!p)
			return -ENOMEM;
		if (n)
			kfree(p);
		return *p;
	}
	END
	cat >"$out/planted/planted_rule.c" <<-END
	#include <linux/slab.h>

	void planted_null_check(void *p);
	void planted_null_check(void *p)
	{
		if (p)
			kfree(p);
	}
	END
	cat >"$out/planted_user.c" <<-END
	#include <stdlib.h>

	int planted_user(int n)
	{
		int *p = n ? malloc(sizeof(*p)) : NULL;

		return *p;
	}
	END
	echo 'obj-m += planted.o planted_rule.o' >"$out/planted/Kbuild"
}

release=$(tools/vm/kernel.sh --release $1) || exit 1
headers=$(tools/headers.sh "$release") || exit 1
ksrc=$(tools/ksrc.sh) || exit 1
tools/build-modules.sh "$release" >&2 || exit 1
mkdir -p "$out"
plant
if command -v clang >/dev/null; then
	tap_run "clang finds a planted use after free" \
		says "planted.c.*Use of memory after it is freed" \
		"$(clang_kernel "$out/planted" planted.o)"
	tap_run "clang finds a planted null pointer" says "planted_user.c.*null pointer" \
		"$(clang_user "$out/planted_user.c")"
	tap_run "clang: modules" no_lines "$(clang_kernel "$PWD/build/modules-$release")"
	tap_run "clang: libthunk" no_lines "$(clang_user libthunk/*.c)"
else
	tap_skip "clang's analyser" "no clang"
fi
if command -v spatch >/dev/null; then
	tap_run "coccinelle finds a planted check of a pointer to free" \
		says "planted_rule.c.*NULL check before" \
		"$(cocci "$out/planted" "$ksrc/scripts/coccinelle/free/ifnullfree.cocci")"
	tap_run "coccinelle: modules" no_lines "$(cocci kernel $(rules))"
else
	tap_skip "coccinelle" "not installed"
fi
tap_done
