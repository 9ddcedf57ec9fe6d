// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copies, fills and the small packets through a user SDMA queue, each compared
 * byte for byte and waited for by an event (S0.94, S0.97, S0.104, S0.105).
 *
 * vm: timeout=600
 */
#include "kfd_harness.h"

#define MIB	(1ul << 20)

static uint8_t pattern(uint64_t i)
{
	return (i * 0x9e3779b97f4a7c15ull) >> 56;
}

static void pattern_fill(uint8_t *p, uint64_t n, uint64_t seed)
{
	uint64_t i;

	for (i = 0; i < n; i++)
		p[i] = pattern(i + seed);
}

static uint64_t first_difference(const uint8_t *a, const uint8_t *b, uint64_t n)
{
	uint64_t i;

	if (!memcmp(a, b, n))
		return n;
	for (i = 0; i < n && a[i] == b[i]; i++)
		;
	return i;
}

/* S0.105: host to VRAM to VRAM to host, page-unfriendly sizes among them. */
TEST_F_TIMEOUT(kfd, host_vram_vram_host, 300)
{
	static const uint64_t sizes[] = {
		1, 3, 4, 255, 4095, 4096, 4097, 65537, 3 * MIB + 5, 64 * MIB
	};
	struct kfd_bo a, b, v1, v2;
	struct kfd_event e;
	struct kfd_sdma q;
	unsigned int i;

	ASSERT_EQ(0, kfd_bo_user(&self->c, 64 * MIB, &a));
	ASSERT_EQ(0, kfd_bo_user(&self->c, 64 * MIB, &b));
	ASSERT_EQ(0, kfd_bo_vram(&self->c, 64 * MIB, &v1));
	ASSERT_EQ(0, kfd_bo_vram(&self->c, 64 * MIB, &v2));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		uint64_t n = sizes[i];

		pattern_fill(a.cpu, n, i);
		memset(b.cpu, 0xee, n);
		ASSERT_EQ(0, kfd_sdma_copy_wait(&q, &e, v1.cpu, a.cpu, n));
		ASSERT_EQ(0, kfd_sdma_copy_wait(&q, &e, v2.cpu, v1.cpu, n));
		ASSERT_EQ(0, kfd_sdma_copy_wait(&q, &e, b.cpu, v2.cpu, n));
		ASSERT_EQ(n, first_difference(a.cpu, b.cpu, n)) TH_LOG("size %lu", n);
	}
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
	EXPECT_EQ(0, kfd_bo_free(&self->c, &v2));
	EXPECT_EQ(0, kfd_bo_free(&self->c, &v1));
	EXPECT_EQ(0, kfd_bo_free(&self->c, &b));
	EXPECT_EQ(0, kfd_bo_free(&self->c, &a));
}

/* S0.105: every alignment of source and destination modulo 16, neighbours untouched. */
TEST_F_TIMEOUT(kfd, every_alignment, 300)
{
	static const uint32_t sizes[] = { 1, 2, 3, 7, 8, 15, 16, 17, 31, 64, 4090 };
	struct kfd_bo src, dst;
	struct kfd_event e;
	struct kfd_sdma q;
	unsigned int s, d, i, k;

	ASSERT_EQ(0, kfd_bo_user(&self->c, 16384, &src));
	ASSERT_EQ(0, kfd_bo_vram(&self->c, 81920, &dst));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	pattern_fill(src.cpu, 16384, 7);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		uint32_t n = sizes[i];

		for (s = 0; s < 16; s++) {
			/* One submission, sixteen destinations. */
			memset(dst.cpu, 0xee, 81920);
			for (d = 0; d < 16; d++) {
				uint32_t w[8];

				kfd_sdma_put(&q, w, pkt_copy(w, dst.cpu + d * 4352 + 32 + d,
							     src.cpu + 64 + s, n));
			}
			kfd_sdma_signal(&q, &e);
			kfd_sdma_ring(&q);
			ASSERT_EQ(0, kfd_event_wait(&self->c, &e, KFD_TIMEOUT_MS, &k));
			ASSERT_EQ(0, k);
			for (d = 0; d < 16; d++) {
				uint8_t *p = dst.cpu + d * 4352 + 32 + d;

				ASSERT_EQ(0, memcmp(p, src.cpu + 64 + s, n));
				ASSERT_EQ(0xee, p[-1]);
				ASSERT_EQ(0xee, p[n]);
			}
		}
	}
}

/* S0.105: large copies that start and end anywhere, both ways; neighbours untouched. */
TEST_F_TIMEOUT(kfd, large_unaligned, 300)
{
	static const uint64_t at[][2] = {
		{ 1, 0 }, { 0, 1 }, { 3, 4093 }, { 4095, 7 }, { 13, 13 },
	};
	struct kfd_bo a, v;
	struct kfd_event e;
	struct kfd_sdma q;
	unsigned int i;

	ASSERT_EQ(0, kfd_bo_user(&self->c, 4 * MIB, &a));
	ASSERT_EQ(0, kfd_bo_vram(&self->c, 4 * MIB, &v));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	for (i = 0; i < ARRAY_SIZE(at); i++) {
		uint64_t n = MIB + 4097 - i, s = 4096 + at[i][0], d = 8192 + at[i][1];

		pattern_fill(a.cpu, 4 * MIB, i);
		memset(v.cpu, 0xee, 4 * MIB);
		ASSERT_EQ(0, kfd_sdma_copy_wait(&q, &e, v.cpu + d, a.cpu + s, n));
		ASSERT_EQ(n, first_difference(v.cpu + d, a.cpu + s, n));
		ASSERT_EQ(0xee, v.cpu[d - 1]);
		ASSERT_EQ(0xee, v.cpu[d + n]);
		memset(a.cpu, 0x11, 4 * MIB);
		ASSERT_EQ(0, kfd_sdma_copy_wait(&q, &e, a.cpu + s + 5, v.cpu + d, n));
		ASSERT_EQ(n, first_difference(a.cpu + s + 5, v.cpu + d, n));
		ASSERT_EQ(0x11, a.cpu[s + 4]);
		ASSERT_EQ(0x11, a.cpu[s + 5 + n]);
	}
}

/* S0.105: fills of dword multiples, neighbours untouched. */
TEST_F(kfd, fills)
{
	static const uint32_t sizes[] = { 4, 8, 64, 4092, 4096, 65536, 1048576 };
	struct kfd_bo v;
	struct kfd_event e;
	struct kfd_sdma q;
	uint32_t result, w[8];
	unsigned int i, k;

	ASSERT_EQ(0, kfd_bo_vram(&self->c, 2 * MIB, &v));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		uint32_t *p = (uint32_t *)(v.cpu + 4096);

		memset(v.cpu, 0xee, 2 * MIB);
		kfd_sdma_put(&q, w, pkt_fill(w, p, 0x12345678 + i, sizes[i]));
		kfd_sdma_signal(&q, &e);
		kfd_sdma_ring(&q);
		ASSERT_EQ(0, kfd_event_wait(&self->c, &e, KFD_TIMEOUT_MS, &result));
		ASSERT_EQ(0, result);
		for (k = 0; k < sizes[i] / 4; k++)
			ASSERT_EQ(0x12345678 + i, p[k]);
		ASSERT_EQ(0xeeeeeeee, p[-1]);
		ASSERT_EQ(0xeeeeeeee, p[sizes[i] / 4]);
	}
}

/* S0.58, S0.105: atomic, time stamp, write, poll on memory, the HDP-flush words of ROCr. */
TEST_F(kfd, small_packets)
{
	static const uint32_t data[3] = { 0x11111111, 0x22222222, 0x33333333 };
	struct kfd_ioctl_get_clock_counters_args before, after;
	volatile uint64_t *m;
	struct kfd_event e;
	struct kfd_sdma q;
	struct kfd_bo g;
	uint32_t result, w[16];

	ASSERT_EQ(0, kfd_bo_gtt(&self->c, 4096, &g));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	m = (volatile uint64_t *)g.cpu;
	m[0] = 5;
	m[1] = 0;
	before = (struct kfd_ioctl_get_clock_counters_args){ .gpu_id = self->c.gpu_id };
	ASSERT_EQ(0, kfd_ioctl(self->c.fd, AMDKFD_IOC_GET_CLOCK_COUNTERS, &before));
	kfd_sdma_put(&q, w, pkt_hdp_flush(w));
	kfd_sdma_put(&q, w, pkt_poll_mem(w, (void *)(m + 1), 7, 0xff));
	kfd_sdma_put(&q, w, pkt_atomic_add(w, (void *)m, -1ull));
	kfd_sdma_put(&q, w, pkt_timestamp(w, (void *)(m + 4)));
	kfd_sdma_put(&q, w, pkt_write(w, (void *)(m + 8), data, 3));
	kfd_sdma_signal(&q, &e);
	kfd_sdma_ring(&q);
	/* The poll holds the queue until the value is there. */
	ASSERT_EQ(0, kfd_event_wait(&self->c, &e, 100, &result));
	ASSERT_EQ(KFD_IOC_WAIT_RESULT_TIMEOUT, result);
	EXPECT_EQ(5, m[0]);
	m[1] = 0x107;
	ASSERT_EQ(0, kfd_event_wait(&self->c, &e, KFD_TIMEOUT_MS, &result));
	ASSERT_EQ(KFD_IOC_WAIT_RESULT_COMPLETE, result);
	after = before;
	ASSERT_EQ(0, kfd_ioctl(self->c.fd, AMDKFD_IOC_GET_CLOCK_COUNTERS, &after));
	EXPECT_EQ(4, m[0]);
	EXPECT_LE(before.gpu_clock_counter, m[4]);
	EXPECT_GE(after.gpu_clock_counter, m[4]);
	EXPECT_EQ(0, memcmp((void *)(m + 8), data, sizeof(data)));
	EXPECT_EQ(0, ((volatile uint32_t *)g.cpu)[19]);
}

/* S0.94, B050, B058: many submissions of a third of a small ring wrap it often; data exact. */
TEST_F_TIMEOUT(kfd, ring_wraps, 120)
{
	struct kfd_event e;
	struct kfd_sdma q;
	struct kfd_bo g;
	uint32_t w[16], result;
	unsigned int i, round;
	volatile uint64_t *count;

	ASSERT_EQ(0, kfd_bo_gtt(&self->c, 4096, &g));
	ASSERT_EQ(0, kfd_sdma_create_size(&self->c, &q, 4096));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	count = (volatile uint64_t *)g.cpu;
	for (round = 0; round < 1000; round++) {
		for (i = 0; i < 41; i++)
			kfd_sdma_put(&q, w, pkt_atomic_add(w, (void *)count, 1));
		kfd_sdma_signal(&q, &e);
		kfd_sdma_ring(&q);
		ASSERT_EQ(0, kfd_event_wait(&self->c, &e, KFD_TIMEOUT_MS, &result));
		ASSERT_EQ(0, result);
		ASSERT_EQ((round + 1) * 41ull, *count);
	}
}

/* B061: nothing runs beyond the last rung value; an older one does no harm; half a packet waits. */
TEST_F(kfd, runs_to_the_doorbell_only)
{
	volatile uint64_t *m, *cell;
	struct kfd_event e;
	struct kfd_sdma q;
	struct kfd_bo g;
	uint32_t w[16], result;
	uint64_t rung;

	ASSERT_EQ(0, kfd_bo_gtt(&self->c, 4096, &g));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	m = (volatile uint64_t *)g.cpu;
	cell = (volatile uint64_t *)(q.ptrs.cpu + 8);
	kfd_sdma_put(&q, w, pkt_atomic_add(w, (void *)m, 1));
	kfd_sdma_signal(&q, &e);
	kfd_sdma_ring(&q);
	ASSERT_EQ(0, kfd_event_wait(&self->c, &e, KFD_TIMEOUT_MS, &result));
	rung = q.wptr;
	kfd_sdma_put(&q, w, pkt_atomic_add(w, (void *)m, 1));
	/* The cell alone. */
	*cell = q.wptr;
	/* An older value. */
	*q.doorbell = rung - 8;
	usleep(20000);
	EXPECT_EQ(1, m[0]);
	/* Half of the packet. */
	*q.doorbell = rung + 16;
	usleep(20000);
	EXPECT_EQ(1, m[0]);
	kfd_sdma_signal(&q, &e);
	kfd_sdma_ring(&q);
	ASSERT_EQ(0, kfd_event_wait(&self->c, &e, KFD_TIMEOUT_MS, &result));
	EXPECT_EQ(0, result);
	EXPECT_EQ(2, m[0]);
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
