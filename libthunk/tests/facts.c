// SPDX-License-Identifier: MIT
/* DOC: prints the facts of facts.h about the headers it is built against. */
#include <hsakmt.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static void print_size(const char *name, size_t size, size_t align)
{
	printf("%s: %zu bytes, aligned to %zu\n", name, size, align);
}

static void print_member(const char *name, size_t offset, size_t size)
{
	printf("%s: at %zu, %zu bytes\n", name, offset, size);
}

static void print_bytes(const char *name, const void *data, size_t size)
{
	const unsigned char *bytes = data;
	size_t i;

	printf("%s:", name);
	for (i = 0; i < size; i++)
		printf(" %02x", bytes[i]);
	printf("\n");
}

#define SIZE(type)		print_size(#type, sizeof(type), _Alignof(type))
#define MEMBER(type, member)	print_member(#type "." #member, offsetof(type, member),	\
					     sizeof(((type *)0)->member))
/* Which bits of the whole are set when the field is all ones. */
#define BITS(type, field)						\
	do {								\
		type whole;						\
									\
		memset(&whole, 0, sizeof(whole));			\
		whole.field = ~whole.field;				\
		print_bytes(#type "." #field, &whole, sizeof(whole));	\
	} while (0)
#define VALUE(name)		printf("%s: %lld\n", #name, (long long)(name))
#define BLOCK(name)		print_bytes(#name, &(name), sizeof(name))

int main(void)
{
#include "facts.h"
	return 0;
}
