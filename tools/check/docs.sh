#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# docs.sh: kernel-doc comments are well-formed, and what the pages point to
# exists. Prints TAP.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
. tools/check/tap.sh
. tools/check/files.sh

# kernel_doc FILE...: passes if nothing is to be said of their comments
kernel_doc()
{
	# -v: a missing Return: counts as well
	output=$(perl "$ksrc/scripts/kernel-doc" -none -v "$@" 2>&1)
	printf '%s\n' "$output" | grep -E 'warning:|error:' | head -n 40
	! printf '%s\n' "$output" | grep -qE 'warning:|error:'
}

kernel_doc_finds()
{
	mkdir -p build
	cat >build/planted_doc.h <<-END
	/**
	 * planted - a function
	 *
	 * Return: nothing good.
	 */
	int planted(int parameter);
	END
	! kernel_doc build/planted_doc.h | grep -q "'parameter' not described" || return 0
	echo "no report"
	return 1
}

# no_doc_block: kernel sources that do not say what they are
no_doc_block()
{
	tree_files 'kernel/*.c' | grep -v /tests/ | xargs -r grep -L 'DOC:'
}

# dead_references: files named in the pages, in literal marks, that are neither
# here nor in the kernel's source
dead_references()
{
	for page in $(tree_files 'Documentation/*.rst' README.md CONTRIBUTING.md); do
		grep -oE '`+[A-Za-z0-9_./-]+\.(c|h|sh|rst|md|txt)`+' "$page" | tr -d '`' | sort -u |
			grep -v -e NAME -e '^build/' | while read -r path; do
				[ -e "$path" ] || [ -e "Documentation/$path" ] ||
					tree_files | grep -q "/${path##*/}$" ||
					find "$ksrc" -name "${path##*/}" | grep -q . ||
					echo "$page: $path"
			done
	done
}

# feature_rows: "NUMBER STATE" of each row of the list of features
feature_rows()
{
	sed -n 's/^ *"\(S0\.[0-9]*\)", "[^"]*", "\([a-z]*\)", "..*"$/\1 \2/p' Documentation/features.rst
}

# wrong_features: numbers that are missing or twice; rows with something to show whose
# number no test carries
wrong_features()
{
	seq -f 'S0.%g' 108 | sort >build/features
	feature_rows | cut -d ' ' -f 1 | sort | diff build/features - | grep '^[<>]'
	tests=$(tree_files 'selftests/*' 'libthunk/tests/*' 'kernel/tests/*')
	feature_rows | grep -vw later | while read -r number state; do
		cat $tests | grep -qE "S0[.]${number#S0.}([^0-9]|$)" || echo "$number: $state"
	done
}

# wrong_faults: rows of the list of known faults with a state that there is not, or with
# something to show where no test carries the number
wrong_faults()
{
	tests=$(tree_files 'selftests/*' 'libthunk/tests/*' 'kernel/tests/*')
	sed -n 's/^ *"\(B[0-9]*\)", "[^"]*", "\([a-z]*\)", "..*"$/\1 \2/p' Documentation/known-faults.rst |
		while read -r number state; do
			case $state in
			later) continue ;;
			shown | partial) cat $tests | grep -qiE "$number([^0-9]|$)" && continue ;;
			esac
			echo "$number: $state"
		done
}

empty()
{
	[ -z "$1" ] || {
		printf '%s\n' "$1" | head -n 40
		return 1
	}
}

ksrc=$(tools/ksrc.sh) || exit 1
tap_run "kernel-doc finds a planted comment without a parameter" kernel_doc_finds
tap_run "kernel-doc comments" kernel_doc $(tree_files 'kernel/*.[ch]' 'uapi/*.h' 'libthunk/*.[ch]')
tap_run "every kernel source says what it is" empty "$(no_doc_block)"
tap_run "files that the pages name exist" empty "$(dead_references)"
tap_run "each feature has a row, and a test where there is something to show" \
	empty "$(wrong_features)"
tap_run "each known fault has a state that there is, and a test where it is shown" \
	empty "$(wrong_faults)"
tap_done
