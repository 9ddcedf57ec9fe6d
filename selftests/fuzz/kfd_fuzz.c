// SPDX-License-Identifier: GPL-2.0-only
#include "kfd_fuzz.h"

#include <fcntl.h>
#include <linux/kcov.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define KCOV_FILE	"/sys/kernel/debug/kcov"

void fuzz_seed(struct fuzz_rng *rng, uint64_t seed)
{
	unsigned int i;

	rng->state = seed * 0x9e3779b97f4a7c15ull ^ 0x2545f4914f6cdd1dull;
	if (!rng->state)
		rng->state = 1;
	for (i = 0; i < 4; i++)
		fuzz_next(rng);
}

uint64_t fuzz_next(struct fuzz_rng *rng)
{
	rng->state ^= rng->state >> 12;
	rng->state ^= rng->state << 25;
	rng->state ^= rng->state >> 27;
	return rng->state * 0x2545f4914f6cdd1dull;
}

static const uint64_t limits[] = {
	0, 1, 2, 3, 7, 8, 63, 64, 127, 128, 255, 256, 4095, 4096, 4097, 8192, 65535, 65536,
	0x1fffff, 0x200000, 0x7fffffff, 0x80000000, 0xfffff000, 0xffffffff, 0x100000000ull,
	0x7fffffff000ull, 0x7fffffffe000ull, 0x7ffffffff000ull, 0x7fffffffffffull,
	0x800000000000ull, 0xfffffffff000ull, 0xffff800000000000ull, 0xffff888000000000ull,
	0xffffffff81000000ull, 0xffffffffff600000ull, 0x7fffffffffffffffull,
	0x8000000000000000ull, 0xfffffffffffff000ull, 0xffffffffffffffffull,
};

uint64_t fuzz_value(struct fuzz_rng *rng)
{
	switch (fuzz_below(rng, 4)) {
	case 0:
		return limits[fuzz_below(rng, sizeof(limits) / sizeof(*limits))];
	case 1:
		return (1ull << fuzz_below(rng, 64)) + fuzz_below(rng, 3) - 1;
	case 2:
		return fuzz_below(rng, 64);
	default:
		return fuzz_next(rng) >> fuzz_below(rng, 64);
	}
}

uint64_t *fuzz_cover_map(void)
{
	void *map = mmap(NULL, FUZZ_COVER_BITS / 8, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return map == MAP_FAILED ? NULL : map;
}

bool fuzz_cover_open(struct fuzz_cover *cover, uint64_t *seen)
{
	cover->seen = seen;
	cover->fd = open(KCOV_FILE, O_RDWR | O_CLOEXEC);
	if (cover->fd < 0)
		return false;
	if (ioctl(cover->fd, KCOV_INIT_TRACE, FUZZ_KCOV_WORDS))
		goto err_close;
	cover->area = mmap(NULL, FUZZ_KCOV_WORDS * sizeof(uint64_t), PROT_READ | PROT_WRITE,
			   MAP_SHARED, cover->fd, 0);
	if (cover->area == MAP_FAILED)
		goto err_close;
	if (ioctl(cover->fd, KCOV_ENABLE, KCOV_TRACE_PC))
		goto err_unmap;
	return true;

err_unmap:
	munmap(cover->area, FUZZ_KCOV_WORDS * sizeof(uint64_t));
err_close:
	close(cover->fd);
	cover->fd = -1;
	return false;
}

void fuzz_cover_begin(struct fuzz_cover *cover)
{
	if (cover->fd >= 0)
		__atomic_store_n(&cover->area[0], 0, __ATOMIC_RELAXED);
}

unsigned int fuzz_cover_end(struct fuzz_cover *cover)
{
	unsigned int fresh = 0;
	uint64_t i, n;

	if (cover->fd < 0)
		return 0;
	n = __atomic_load_n(&cover->area[0], __ATOMIC_RELAXED);
	for (i = 1; i <= n && i < FUZZ_KCOV_WORDS; i++) {
		uint32_t bit = (cover->area[i] * 0x9e3779b97f4a7c15ull) >> 44;
		uint64_t mask = 1ull << (bit & 63), *word = &cover->seen[bit / 64];

		if (!(__atomic_load_n(word, __ATOMIC_RELAXED) & mask))
			fresh += !(__atomic_fetch_or(word, mask, __ATOMIC_RELAXED) & mask);
	}
	return fresh;
}

unsigned int fuzz_cover_total(const uint64_t *seen)
{
	unsigned int i, n = 0;

	for (i = 0; i < FUZZ_COVER_BITS / 64; i++)
		n += __builtin_popcountll(seen[i]);
	return n;
}
