#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# checkpatch.sh KSRC OPTIONS FILE...: prints what the kernel's checkpatch has to say of
# files of the tree. It takes a second for a thousand lines, so what it said of a file is
# kept in the cache for as long as it would say the same: file, options, type names and
# checkpatch itself have not changed.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
. tools/vm/cache.sh
. tools/check/files.sh
ksrc=$1
options=$2
shift 2
said=$CACHE/checkpatch
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# type_names: the public headers' type names, which checkpatch would take for operands;
# backwards, so that a name comes before its own beginning
type_names()
{
	sed -n 's/^}*[ \t]*\(typedef.*[ \t]\**\)*\([A-Za-z_0-9]*\);.*/\2/p' \
		$(tree_files 'libthunk/include/*.h') | sort -ru
}

# keys FILE...: "KEY FILE" lines
keys()
{
	common=$({ cat "$ksrc/scripts/checkpatch.pl" "$dir/types"; echo "$options"; } | sha256sum)
	for file; do
		echo "$(echo "$common $file" | cat - "$file" | sha256sum | cut -c 1-32) $file"
	done
}

# complaints FILE...: run elsewhere because it leaves a file in the current directory of a
# git tree. 1 if it did not come to its end.
complaints()
(
	top=$PWD
	cd "$ksrc/scripts" || exit
	printf "$top/%s\n" "$@" |
		xargs perl ./checkpatch.pl --no-tree --strict --terse --show-types \
			--typedefsfile "$dir/types" --no-summary -q $options -f >"$dir/said" 2>/dev/null
	# It says 1 of a file with complaints, and xargs 123 of that.
	case $? in
	0 | 123) sed "s|^$top/||" "$dir/said" ;;
	*) return 1 ;;
	esac
)

# remember: what is new goes to the cache, a file of the tree a file
remember()
{
	while read -r key file; do
		awk -F : -v file="$file" '$1 == file' "$dir/new" >"$said/$key.tmp.$$"
		mv "$said/$key.tmp.$$" "$said/$key"
	done <"$dir/missing"
}

mkdir -p "$said"
find "$said" -type f -mtime +30 -delete
type_names >"$dir/types"
keys "$@" >"$dir/keys"
while read -r key file; do
	if [ -e "$said/$key" ]; then
		touch -c "$said/$key"
		cat "$said/$key"
	else
		echo "$key $file" >>"$dir/missing"
	fi
done <"$dir/keys"
[ -e "$dir/missing" ] || exit 0
if complaints $(cut -d ' ' -f 2 "$dir/missing") >"$dir/new"; then
	cat "$dir/new"
	remember
else
	echo "checkpatch broke off: $(tail -n 1 "$dir/said")"
fi
