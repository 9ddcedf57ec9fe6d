#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# style.sh: what can be said about the sources without building them.
# Prints TAP.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
. tools/check/tap.sh
. tools/check/files.sh

# Kernel code is held to all of checkpatch. Elsewhere C library types and
# AMD's public names are used.
# Locks are documented in the kerneldoc of their struct, not beside them.
checkpatch_kernel="--max-line-length=100 --ignore FILE_PATH_CHANGES,SPDX_LICENSE_TAG,UNCOMMENTED_DEFINITION,MACRO_ARG_REUSE"
checkpatch_user="$checkpatch_kernel,PREFER_KERNEL_TYPES,CAMELCASE,EMBEDDED_FUNCTION_NAME,NEW_TYPEDEFS"
checkpatch_user="$checkpatch_user,SPLIT_STRING,AVOID_EXTERNS,VOLATILE,SSCANF_TO_KSTRTO,PREFER_FALLTHROUGH"
# The kselftest harness's macros are blocks; the kernel's own macros are not there.
checkpatch_user="$checkpatch_user,COMPLEX_MACRO,MACRO_WITH_FLOW_CONTROL,BIT_MACRO,ARRAY_SIZE,MULTISTATEMENT_MACRO_USE_DO_WHILE"
checkpatch_user="$checkpatch_user,PREFER_DEFINED_ATTRIBUTE_MACRO,QUOTED_WHITESPACE_BEFORE_NEWLINE"
checkpatch_user="$checkpatch_user,MACRO_ARG_REUSE,TRAILING_SEMICOLON,MACRO_ARG_PRECEDENCE"

# no_lines TEXT: passes if TEXT is empty, and prints it otherwise
no_lines()
{
	[ -z "$1" ] || {
		printf '%s\n' "$1" | head -n 40
		return 1
	}
}

# checkpatch OPTIONS FILE...: prints complaints, but for those that are none
checkpatch()
{
	tools/check/checkpatch.sh "$ksrc" "$@" | grep -v \
		-e 'kfd_compat.h:.*\(LINUX_VERSION_CODE\|CONSTANT_COMPARISON\)' \
		-e 'CAMELCASE.*<\(ErrorType\|NotPresent\|ReadOnly\|NoExecute\)>' | # members in uapi
		while IFS=: read -r file line rest; do
			# A macro that stands for a type looks like a factor.
			sed -n "${line}p" "$file" | grep -q 'FIXTURE_DATA(' ||
				echo "$file:$line:$rest"
		done
}

check_checkpatch()
{
	# New each time, so that no answer is remembered.
	printf '/* %s */\nint planted(void)\n{\n    return 0;\n}\n' "$(date +%s.%N)" >build/planted_style.c
	tap_run "checkpatch finds a planted indentation" finds "LEADING_SPACE" \
		"$(checkpatch "$checkpatch_kernel" build/planted_style.c)"
	tap_run "checkpatch: kernel code" no_lines \
		"$(checkpatch "$checkpatch_kernel" $(tree_files 'kernel/*.[ch]' | grep -v /tests/))"
	tap_run "checkpatch: user-space code" no_lines \
		"$(checkpatch "$checkpatch_user" $(tree_files '*.[ch]' |
			grep -E -e '^(libthunk|uapi|selftests|samples|tools)/|/tests/'))"
}

# finds WHAT TEXT: a planted fault was reported
finds()
{
	printf '%s\n' "$2" | grep -q "$1" || {
		printf '%s\n' "$2"
		echo "no report of: $1"
		return 1
	}
}

# without_spdx: files whose first two lines carry no licence
without_spdx()
{
	tree_files | grep -vE '^LICENSES/|\.(md|txt|golden)$|^\.|^MAINTAINERS$|/(fixtures?|data|golden)/' |
		while read -r file; do
			[ -s "$file" ] || continue
			head -n 2 "$file" | grep -q 'SPDX-License-Identifier: ' || echo "$file"
		done
}

# wrong_licence: files under a licence that their folder does not have
wrong_licence()
{
	tree_files 'kernel/*.[ch]' | xargs -r grep -LE \
		'SPDX-License-Identifier: GPL-2.0-only( OR MIT)?( \*/)?$'
	tree_files 'libthunk/*.[ch]' | xargs -r grep -LE 'SPDX-License-Identifier: MIT( \*/)?$'
	tree_files 'uapi/*.h' | xargs -r grep -LF \
		'SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note OR MIT'
}

not_executable()
{
	tree_files '*.sh' carillon '.ci/*' | while read -r file; do
		head -n 1 "$file" | grep -q '^#!' && [ ! -x "$file" ] && echo "$file"
	done
}

# private_paths: absolute paths of somebody's machine
private_paths()
{
	tree_files | xargs -r grep -nIE '(^|[^A-Za-z0-9_.$}-])/(home|work|Users|mnt/[a-z]+)/[A-Za-z]'
}

left_behind()
{
	words="TO""DO|FIX""ME|XX""X"
	tree_files '*.[ch]' '*.sh' '*.rst' '*Makefile' Kbuild carillon | xargs -r grep -nwE "$words"
	tree_files | xargs -r grep -nE '^(<<<<<<<|>>>>>>>) '
}

# forbidden_includes: who includes whom it may not. A folder may use those
# after the colon and itself.
forbidden_includes()
{
	while IFS=: read -r folder allowed; do
		tree_files "kernel/$folder/*.[ch]" | xargs -r grep -nE '^#include "' |
			awk -v folder="$folder" -v allowed="$allowed" '
			{
				match($0, /"[^"]*"/)
				path = substr($0, RSTART + 1, RLENGTH - 2)
				sub(/^(\.\.\/)+/, "", path)
				sub(/^kernel\//, "", path)
				if (path !~ /\// && path !~ /^kfd_/)
					next
				n = split(allowed " " folder "/", ok, " ")
				for (i = 1; i <= n; i++)
					if (index(path, ok[i]) == 1)
						next
				print
			}'
	done <<-END
	hw:regs/ kfd_compat.h
	irq:hw/ kfd_compat.h
	sdma:irq/ hw/ kfd_compat.h
	vm:sdma/ irq/ hw/ kfd_compat.h
	topology:hw/ kfd_compat.h
	vgpu:regs/ hw/regs/ hw/hw_reg.h hw/hw_backend.h kfd_compat.h
	amdgpu:kfd_compat.h
	END
}

check_shell()
{
	if ! command -v shellcheck >/dev/null; then
		tap_skip "shellcheck" "not installed"
		return
	fi
	# shellcheck disable=SC2016 # it is the script's own
	printf 'cd $1\necho $planted\n' >build/planted_style.sh
	tap_run "shellcheck finds a planted cd that may fail" finds SC2164 \
		"$(shellcheck -s sh -S warning build/planted_style.sh)"
	scripts=$(tree_files | grep -vE '\.(c|h|rst|md)$' | xargs -r grep -lE -m 1 '^#!/bin/(sh|busybox)')
	# SC2086, SC2046: lists of words are split on purpose. SC1090, SC1091:
	# sourced files are checked through their users.
	tap_run "shellcheck" shellcheck -s sh -S warning -e SC2086,SC2046,SC1090,SC1091 $scripts
}

mkdir -p build
ksrc=$(tools/ksrc.sh) || ksrc=
if [ -n "$ksrc" ]; then
	check_checkpatch
else
	tap_skip "checkpatch" "no kernel source package"
fi
tap_run "every file has its licence" no_lines "$(without_spdx)"
tap_run "licences fit the folders" no_lines "$(wrong_licence)"
tap_run "scripts are executable" no_lines "$(not_executable)"
tap_run "no private paths" no_lines "$(private_paths)"
tap_run "nothing left behind" no_lines "$(left_behind)"
tap_run "includes point one way" no_lines "$(forbidden_includes)"
check_shell
tap_done
