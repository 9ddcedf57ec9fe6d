/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note OR MIT */
/*
 * What abi_facts.c finds out about one header.
 */
#ifndef ABI_FACTS_H
#define ABI_FACTS_H

enum abi_kind { ABI_STRUCT, ABI_MEMBER, ABI_CONST, ABI_MACRO };

/**
 * struct abi_fact - one name
 * @name: as written; members as "struct.member"
 * @kind: what it is
 * @value: size, offset, value, or result for fixed arguments
 * @size: of a member, 0 for a flexible array
 */
struct abi_fact {
	const char *name;
	enum abi_kind kind;
	unsigned long long value;
	unsigned long long size;
};

struct abi_facts {
	const struct abi_fact *fact;
	unsigned int count;
};

extern const struct abi_facts abi_facts_ours;
/* Linked only where the kernel's header was found. */
extern const struct abi_facts abi_facts_kernel __attribute__((__weak__));

#endif
