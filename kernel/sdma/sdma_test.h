/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: self-tests of the kernel rings, for debugfs
 *
 * Each run moves data through the rings as any other user of sdma.h does and
 * compares every byte.  Memory is GART memory; who owns VRAM is not known here.
 */
#ifndef CARILLON_SDMA_TEST_H
#define CARILLON_SDMA_TEST_H

#include <linux/sizes.h>

#include "sdma.h"

/* Most bytes that one copy or fill run moves. */
#define SDMA_TEST_MAX_BYTES	SZ_1G
/* Most entries of one update. */
#define SDMA_TEST_MAX_ENTRIES	4096
/* Most updates of one benchmark run. */
#define SDMA_BENCH_MAX_ROUNDS	4096
/* Copied on the GFX ring at least while updates are timed. */
#define SDMA_BENCH_BACKGROUND	SZ_256M

/**
 * struct sdma_test_result - what a run did
 * @instance: instance of the last job
 * @kind: ring kind of the last job
 * @bytes: bytes moved and compared
 * @jobs: fences waited for
 * @seq: number of the last fence
 * @rptr: bytes, after the last fence
 * @wptr: likewise
 * @ns: time from the first submission to the last signal, checks left out
 */
struct sdma_test_result {
	unsigned int instance;
	enum sdma_ring_kind kind;
	u64 bytes;
	u64 jobs;
	u32 seq;
	u64 rptr, wptr;
	u64 ns;
};

/**
 * struct sdma_bench_result - times of page-table updates
 * @rounds: updates timed
 * @entries: entries of one update
 * @p50_ns: median from submission to signalled fence
 * @p99_ns: 99th percentile
 * @background_bytes: bytes that the GFX ring of the same instance copied meanwhile
 */
struct sdma_bench_result {
	unsigned int rounds;
	unsigned int entries;
	u64 p50_ns, p99_ns;
	u64 background_bytes;
};

/*
 * Process context, sleep; one run at a time.  0; -EINVAL (size), -EIO (wrong data),
 * -ENOMEM, -ETIMEDOUT, -ENODEV.
 */
int sdma_test_copy(struct sdma_device *sdma, u64 bytes, struct sdma_test_result *res);
int sdma_test_fill(struct sdma_device *sdma, u64 bytes, struct sdma_test_result *res);
/* @count entries written, read back, then generated, read back. */
int sdma_test_entries(struct sdma_device *sdma, unsigned int count, struct sdma_test_result *res);
/* @rounds updates of 512 entries; @busy: under copies on the same instance. */
int sdma_bench_entries(struct sdma_device *sdma, unsigned int rounds, bool busy,
		       struct sdma_bench_result *res);

#endif /* CARILLON_SDMA_TEST_H */
