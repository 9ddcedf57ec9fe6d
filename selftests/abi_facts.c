// SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note OR MIT
/*
 * Compiled once for each of the two headers, so that neither sees the other:
 *
 *   -DABI_SYMBOL=abi_facts_ours   -DABI_IOCTL_H='"PATH"' -DABI_SYSFS_H='"PATH"'
 *   -DABI_SYMBOL=abi_facts_kernel -DABI_IOCTL_H='"PATH"' -DABI_SYSFS_H='"PATH"'
 *   -idirafter INCLUDE_UAPI -D__user=, since the kernel's header wants drm/drm.h
 */
#include <stddef.h>
#include <sys/ioctl.h>

#include ABI_IOCTL_H
#include ABI_SYSFS_H
#include "abi_facts.h"

#define S(s)	{ #s, ABI_STRUCT, sizeof(struct s), 0 },
#define M(s, m)	{ #s "." #m, ABI_MEMBER, offsetof(struct s, m), sizeof(((struct s *)0)->m) },
#define O(s, m)	{ #s "." #m, ABI_MEMBER, offsetof(struct s, m), 0 },
#define C(c)	{ #c, ABI_CONST, (unsigned long long)(c), 0 },
#define F(f)	ABI_CALL_ ## f

/* Macros with arguments, each called once. */
struct abi_twelve {
	char bytes[12];
};

#define ABI_CALL_AMDKFD_IO	{ "AMDKFD_IO", ABI_MACRO, AMDKFD_IO(5), 0 },
#define ABI_CALL_AMDKFD_IOR	{ "AMDKFD_IOR", ABI_MACRO, AMDKFD_IOR(6, struct abi_twelve), 0 },
#define ABI_CALL_AMDKFD_IOW	{ "AMDKFD_IOW", ABI_MACRO, AMDKFD_IOW(7, struct abi_twelve), 0 },
#define ABI_CALL_AMDKFD_IOWR	{ "AMDKFD_IOWR", ABI_MACRO, AMDKFD_IOWR(8, struct abi_twelve), 0 },
#define ABI_CALL_KFD_SMI_EVENT_MASK_FROM_INDEX \
	{ "KFD_SMI_EVENT_MASK_FROM_INDEX", ABI_MACRO, KFD_SMI_EVENT_MASK_FROM_INDEX(9), 0 },

static const struct abi_fact facts[] = {
#include "abi_names.h"
};

const struct abi_facts ABI_SYMBOL = { facts, sizeof(facts) / sizeof(facts[0]) };
