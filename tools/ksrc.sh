#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# ksrc.sh: prints the folder that holds the few files which checks take from
# the kernel's source package, and unpacks them first if need be. Nothing of
# them is part of this tree.
set -e
here=$(cd "$(dirname "$0")" && pwd)
. "$here/vm/cache.sh"

archive=/usr/src/linux-source-6.1.tar.xz
amd=drivers/gpu/drm/amd

members()
{
	cat <<-END
	LICENSES
	include/uapi/linux/kfd_ioctl.h
	include/uapi/linux/kfd_sysfs.h
	include/uapi/drm
	tools/testing/selftests/kselftest.h
	tools/testing/selftests/kselftest_harness.h
	scripts/checkpatch.pl
	scripts/const_structs.checkpatch
	scripts/coccinelle
	scripts/kernel-doc
	scripts/spelling.txt
	$amd/amdgpu/*.h
	$amd/amdgpu/nbio_v7_4.c
	$amd/amdgpu/vega20_ih.c
	$amd/amdkfd
	$amd/include/*.h
	$amd/include/ivsrcid
	$amd/include/asic_reg/sdma0/sdma0_4_[02]*
	$amd/include/asic_reg/sdma1/sdma1_4_[02]*
	$amd/include/asic_reg/sdma[2-7]
	$amd/include/asic_reg/sdma/sdma_4_4_0*
	$amd/include/asic_reg/gc/gc_9_0*
	$amd/include/asic_reg/mmhub/mmhub_1_[07]*
	$amd/include/asic_reg/mmhub/mmhub_9_4_1*
	$amd/include/asic_reg/oss/osssys_4_0*
	$amd/include/asic_reg/oss/osssys_4_2_0*
	$amd/include/asic_reg/hdp/hdp_4_0*
	$amd/include/asic_reg/nbio/nbio_6_1*
	$amd/include/asic_reg/nbio/nbio_7_4*
	$amd/include/asic_reg/athub/athub_1_0*
	END
}

[ -e "$archive" ] || die "linux-source-6.1 is not installed"
version=$(dpkg-query -W -f '${Version}' linux-source-6.1)
key=$( (echo "$version"; members) | sha256sum | cut -c 1-16)
dir=$CACHE/ksrc-$key
if [ ! -e "$dir" ]; then
	cache_lock
	if [ ! -e "$dir" ]; then
		rm -rf "$dir.tmp"
		mkdir -p "$dir.tmp"
		members | sed 's|^|linux-source-6.1/|' |
			tar -xJf "$archive" -C "$dir.tmp" --wildcards --no-wildcards-match-slash \
				--strip-components=1 -T -
		mv "$dir.tmp" "$dir"
	fi
fi
echo "$dir"
