#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# install-packages.sh [PACKAGE...]: installs those packages of packages.txt
# and of the arguments that are missing; touches nothing if none is.
set -e
here=$(cd "$(dirname "$0")" && pwd)

as_root()
{
	if [ "$(id -u)" = 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

installed()
{
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing=
for package in $(sed 's/#.*//' "$here/packages.txt") "$@"; do
	installed "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

echo "carillon: installing$missing" >&2
as_root apt-get -q update >&2
as_root env DEBIAN_FRONTEND=noninteractive \
	apt-get -q -y install --no-install-recommends $missing >&2
