/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: what the user-space fuzzers share: random numbers, hostile values, coverage
 *
 * One 64-bit seed decides all that a worker does.  Where the kernel has KCOV a worker
 * knows which of its programs reached code that none had reached before.
 */
#ifndef CARILLON_KFD_FUZZ_H
#define CARILLON_KFD_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct fuzz_rng - xorshift64*
 * @state: never 0
 */
struct fuzz_rng {
	uint64_t state;
};

void fuzz_seed(struct fuzz_rng *rng, uint64_t seed);
uint64_t fuzz_next(struct fuzz_rng *rng);
/* Below @n, which is not 0. */
static inline uint32_t fuzz_below(struct fuzz_rng *rng, uint32_t n)
{
	return (fuzz_next(rng) >> 32) % n;
}

/* True once in @n. */
static inline bool fuzz_once(struct fuzz_rng *rng, uint32_t n)
{
	return !fuzz_below(rng, n);
}

/* A value that checks tend to forget: limits, signs, kernel addresses, neighbours of powers. */
uint64_t fuzz_value(struct fuzz_rng *rng);

#define FUZZ_KCOV_WORDS	(64u << 10)
#define FUZZ_COVER_BITS	(1u << 20)

/**
 * struct fuzz_cover - coverage of one thread
 * @fd: of kcov, or -1
 * @area: its buffer
 * @seen: shared bitmap of program counters, hashed
 */
struct fuzz_cover {
	int fd;
	uint64_t *area;
	uint64_t *seen;
};

/* Shared by all workers: bitmap that fuzz_cover_open() is given. */
uint64_t *fuzz_cover_map(void);
/* False where there is no KCOV; all else works then and reports nothing new. */
bool fuzz_cover_open(struct fuzz_cover *cover, uint64_t *seen);
void fuzz_cover_begin(struct fuzz_cover *cover);
/* Places reached for the first time since fuzz_cover_begin(). */
unsigned int fuzz_cover_end(struct fuzz_cover *cover);
unsigned int fuzz_cover_total(const uint64_t *seen);

#endif /* CARILLON_KFD_FUZZ_H */
