#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# abi.sh: builds and runs the ABI test of uapi/ against the headers of the
# kernel's source. Each header is compiled in a translation unit of its own.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
out=build/abi
cflags="-std=gnu11 -O1 -Wall -Wextra -Werror -D__user="

# facts SYMBOL FOLDER: what one pair of headers says
facts()
{
	gcc $cflags -DABI_SYMBOL="$1" -DABI_IOCTL_H="\"$2/linux/kfd_ioctl.h\"" \
		-DABI_SYSFS_H="\"$2/linux/kfd_sysfs.h\"" ${3:+-idirafter "$3"} \
		-c -o "$out/$1.o" selftests/abi_facts.c
}

mkdir -p "$out"
ksrc=$(tools/ksrc.sh)/include/uapi || exit 1
facts abi_facts_ours "$PWD/uapi" || exit
facts abi_facts_kernel "$ksrc" "$ksrc" || exit
gcc $cflags -DABI_KERNEL_TEXT="\"$ksrc/linux/kfd_ioctl.h\"" \
	-DABI_KERNEL_SYSFS_TEXT="\"$ksrc/linux/kfd_sysfs.h\"" -o "$out/abi_test" \
	selftests/abi_test.c "$out/abi_facts_ours.o" "$out/abi_facts_kernel.o" || exit
exec "$out/abi_test"
