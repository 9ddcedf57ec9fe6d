// SPDX-License-Identifier: GPL-2.0-only
/*
 * User pages under the engine: a page that went away is never touched again.  The
 * canaries are the old pages themselves, re-used by other mappings; page frame numbers
 * tell that they are.
 *
 * vm: timeout=600
 */
#include "kfd_harness.h"

#include <fcntl.h>
#include <sys/mman.h>

#define PAGES	1024
#define PAGE	4096ul

/* MADV_DONTNEED while copies run: each ends, later ones see the new pages. */
TEST_F_TIMEOUT(kfd, dontneed_under_copies, 180)
{
	struct kfd_bo src, dst;
	struct kfd_event e;
	struct kfd_sdma q;
	unsigned int round, i;

	ASSERT_EQ(0, kfd_bo_user(&self->c, PAGES * PAGE, &src));
	ASSERT_EQ(0, kfd_bo_vram(&self->c, PAGES * PAGE, &dst));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	for (round = 0; round < 40; round++) {
		uint32_t w[8], result;

		memset(src.cpu, 0x11 + round, PAGES * PAGE);
		for (i = 0; i < 4; i++)
			kfd_sdma_put(&q, w, pkt_copy(w, dst.cpu, src.cpu, 0x3fffe0));
		kfd_sdma_signal(&q, &e);
		kfd_sdma_ring(&q);
		ASSERT_EQ(0, madvise(src.cpu, PAGES * PAGE, MADV_DONTNEED));
		memset(src.cpu, 0x81 + round, PAGES * PAGE);
		ASSERT_EQ(0, kfd_event_wait(&self->c, &e, KFD_TIMEOUT_MS, &result));
		ASSERT_EQ(0, result);
		ASSERT_EQ(0, kfd_sdma_copy_wait(&q, &e, dst.cpu, src.cpu, PAGES * PAGE));
		ASSERT_EQ(0, memcmp(dst.cpu, src.cpu, PAGES * PAGE));
	}
}

/* Page frame numbers of @n pages from @p, by /proc/self/pagemap; 0 where there is none. */
static void frames_of(const void *p, uint64_t *frames, unsigned int n)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);

	memset(frames, 0, n * sizeof(*frames));
	if (fd < 0)
		return;
	if (pread(fd, frames, n * sizeof(*frames), (uintptr_t)p / PAGE * 8) < 0)
		memset(frames, 0, n * sizeof(*frames));
	close(fd);
	while (n--)
		frames[n] &= (1ull << 55) - 1;
}

static int by_frame(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* How many of the pages from @p have a frame that is in @frames, which gets sorted. */
static unsigned int frames_shared(const void *p, uint64_t *frames, unsigned int n)
{
	static uint64_t mine[PAGES];
	unsigned int i, shared = 0;

	frames_of(p, mine, n);
	qsort(frames, n, sizeof(*frames), by_frame);
	for (i = 0; i < n; i++)
		if (mine[i] && bsearch(&mine[i], frames, n, sizeof(*frames), by_frame))
			shared++;
	return shared;
}

/*
 * The engine writes into user memory in a loop while the pages are given back and re-used
 * as canaries: no canary may change.
 */
TEST_F_TIMEOUT(kfd, freed_pages_are_not_written, 180)
{
	static uint64_t frames[PAGES];
	unsigned int round, i, reused = 0;
	struct kfd_bo src, dst;
	struct kfd_event e;
	struct kfd_sdma q;
	uint8_t *canary;

	ASSERT_EQ(0, kfd_bo_vram(&self->c, PAGES * PAGE, &src));
	ASSERT_EQ(0, kfd_bo_user(&self->c, PAGES * PAGE, &dst));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	memset(src.cpu, 0xcc, PAGES * PAGE);
	for (round = 0; round < 32; round++) {
		uint32_t w[8], result;

		memset(dst.cpu, 1, PAGES * PAGE);
		frames_of(dst.cpu, frames, PAGES);
		for (i = 0; i < 4; i++)
			kfd_sdma_put(&q, w, pkt_copy(w, dst.cpu, src.cpu, 0x3fffe0));
		kfd_sdma_signal(&q, &e);
		kfd_sdma_ring(&q);
		usleep(round * 50);
		ASSERT_EQ(0, madvise(dst.cpu, PAGES * PAGE, MADV_DONTNEED));
		canary = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
		ASSERT_NE(MAP_FAILED, canary);
		memset(canary, 0x5a, PAGES * PAGE);
		reused += frames_shared(canary, frames, PAGES);
		ASSERT_EQ(0, kfd_event_wait(&self->c, &e, KFD_TIMEOUT_MS, &result));
		ASSERT_EQ(0, result);
		/* All bytes equal the first one, and that is the canary's. */
		ASSERT_EQ(0x5a, canary[0]);
		ASSERT_EQ(0, memcmp(canary, canary + 1, PAGES * PAGE - 1));
		munmap(canary, PAGES * PAGE);
	}
	EXPECT_LT(0, reused) TH_LOG("no old page came back as a canary");
}

/* munmap of registered memory: the process can go on and free everything. */
TEST_F(kfd, munmap_registered)
{
	struct kfd_bo gone, keep;
	struct kfd_event e;
	struct kfd_sdma q;

	ASSERT_EQ(0, kfd_bo_user(&self->c, 64 * PAGE, &gone));
	ASSERT_EQ(0, kfd_bo_vram(&self->c, 64 * PAGE, &keep));
	ASSERT_EQ(0, munmap(gone.cpu, 64 * PAGE));
	EXPECT_EQ(0, kfd_unmap(&self->c, gone.handle));
	struct kfd_ioctl_free_memory_of_gpu_args f = { .handle = gone.handle };

	EXPECT_EQ(0, kfd_ioctl(self->c.fd, AMDKFD_IOC_FREE_MEMORY_OF_GPU, &f));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(0, kfd_sdma_copy_wait(&q, &e, keep.cpu + 4096, keep.cpu, 4096));
}

/* B023: bad ranges are refused and nothing stays registered. */
TEST_F(kfd, b023_bad_ranges)
{
	long long users = kfd_count("buffers");
	struct kfd_bo bo;
	uint8_t *p;

	p = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	EXPECT_GT(0, kfd_bo_user_at(&self->c, p, 0, &bo));
	EXPECT_GT(0, kfd_bo_user_at(&self->c, p + 1, PAGE, &bo));
	EXPECT_GT(0, kfd_bo_user_at(&self->c, p, PAGE + 1, &bo));
	EXPECT_GT(0, kfd_bo_user_at(&self->c, (void *)0xffffffffffff0000ul, 2ul << 30, &bo));
	munmap(p + 2 * PAGE, PAGE);
	EXPECT_GT(0, kfd_bo_user_at(&self->c, p, 4 * PAGE, &bo));
	EXPECT_EQ(users, kfd_count("buffers"));
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
