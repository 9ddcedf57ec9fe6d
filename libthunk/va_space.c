// SPDX-License-Identifier: MIT
/* DOC: addresses that CPU and GPU share; va_space.h has the rules. */
#include "va_space.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "thunk_context.h"
#include "thunk_log.h"

#define RESERVE_FLAGS	(MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE)

uint64_t va_page_round(uint64_t size)
{
	return (size + thunk.page_size - 1) & ~(thunk.page_size - 1);
}

/* Big buffers are aligned to the largest power of two that fits, up to the option. */
static uint64_t pick_align(uint64_t size, uint64_t align)
{
	uint64_t most = thunk.page_size << thunk.options.max_align_order;

	if (align < thunk.page_size)
		align = thunk.page_size;
	while (align < most && size >= align << 1)
		align <<= 1;
	return align;
}

static bool in_reach(uint64_t address, uint64_t size)
{
	return address >= thunk.va.base && address + size - 1 <= thunk.va.limit;
}

static int reserve_fixed(uint64_t fixed, uint64_t size, uint64_t *address)
{
	void *want = (void *)(uintptr_t)fixed;
	void *got;

	if (fixed & (thunk.page_size - 1))
		return -EINVAL;
	if (fixed + size < fixed || !in_reach(fixed, size))
		return -ERANGE;
	got = mmap(want, size, PROT_NONE, RESERVE_FLAGS | MAP_FIXED_NOREPLACE, -1, 0);
	if (got == MAP_FAILED)
		return -errno;
	/* A kernel that does not know the flag takes the address as a hint. */
	if (got != want) {
		munmap(got, size);
		return -EEXIST;
	}
	*address = fixed;
	return 0;
}

/* Cut a reservation down to the aligned part. */
static uint64_t trim(uint64_t start, uint64_t room, uint64_t size, uint64_t align)
{
	uint64_t aligned = (start + align - 1) & ~(align - 1);
	uint64_t end = aligned + size;

	if (aligned > start)
		munmap((void *)(uintptr_t)start, aligned - start);
	if (end < start + room)
		munmap((void *)(uintptr_t)end, start + room - end);
	return aligned;
}

int va_reserve(uint64_t fixed, uint64_t size, uint64_t align, uint64_t *address)
{
	uint64_t room;
	void *got;

	if (!size || size > thunk.va.limit)
		return -ENOMEM;
	if (fixed)
		return reserve_fixed(fixed, size, address);
	align = pick_align(size, align);
	room = size + align - thunk.page_size;
	got = mmap(NULL, room, PROT_NONE, RESERVE_FLAGS, -1, 0);
	if (got == MAP_FAILED)
		return -errno;
	*address = trim((uintptr_t)got, room, size, align);
	if (in_reach(*address, size))
		return 0;
	thunk_err("no address that every GPU reaches");
	va_release(*address, size);
	return -ERANGE;
}

void va_release(uint64_t address, uint64_t size)
{
	munmap((void *)(uintptr_t)address, size);
}

void va_dont_fork(uint64_t address, uint64_t size)
{
	madvise((void *)(uintptr_t)address, size, MADV_DONTFORK);
}

int va_blank(uint64_t address, uint64_t size)
{
	void *got = mmap((void *)(uintptr_t)address, size, PROT_NONE, RESERVE_FLAGS | MAP_FIXED,
			 -1, 0);

	if (got == MAP_FAILED)
		return -errno;
	va_dont_fork(address, size);
	return 0;
}
