# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by the other scripts: where things built or fetched once are kept.
# Everything below it can be removed at any time and is made again.

CACHE=${CARILLON_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/carillon}

# cache_lock [NAME]: one process at a time fills the cache, or the part of it that has
# a lock of its own because it takes long; held until exit.
cache_lock()
{
	mkdir -p "$CACHE"
	exec 9>"$CACHE/lock${1:+-$1}"
	flock 9
}

say()
{
	echo "$0: $*" >&2
}

die()
{
	say "$*"
	exit 125
}

# archive_version PACKAGE: the newest version that apt knows of
archive_version()
{
	apt-cache show "$1" 2>/dev/null | sed -n 's/^Version: //p' | head -n 1
}

# download DIR PACKAGE...: fetches packages, installs nothing
download()
{
	download_dir=$1
	shift
	(cd "$download_dir" && apt-get -q download "$@" >apt.log 2>&1) || {
		cat "$download_dir/apt.log" >&2
		die "cannot fetch $* (apt-get update? newer linux-headers-amd64?)"
	}
}
