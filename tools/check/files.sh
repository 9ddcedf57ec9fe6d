# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced, with the tree as current directory: which files the checks look at.

# tree_files [PATTERN...]: files that are or could be committed
tree_files()
{
	if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
		git ls-files -co --exclude-standard -- "$@" | while read -r file; do
			[ -e "$file" ] && echo "$file"
		done | sort -u
		return
	fi
	# An unpacked archive: everything but what was built.
	find . -path ./build -prune -o -type f -print | sed 's|^\./||' | sort |
		while read -r file; do
			[ $# -gt 0 ] || echo "$file"
			for pattern; do
				# shellcheck disable=SC2254 # it is a pattern
				case $file in
				$pattern) echo "$file" ;;
				esac
			done
		done
}
