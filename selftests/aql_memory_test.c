// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffers of the kind AQL_QUEUE_MEM: the GPU sees their memory twice, back to back, in
 * every kind that has an object, on the GPU that allocated it and on another (S0.40, S0.41).
 *
 * vm: modules="carillon_vgpu gpus=vega10:cu=4+vega10:cu=4;carillon" timeout=600
 */
#include "kfd_harness.h"

#include <sys/mman.h>

#define PAGE	4096ul
#define MIB	(1ul << 20)
#define TWICE	KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM
#define GTT	KFD_IOC_ALLOC_MEM_FLAGS_GTT
#define VRAM	(KFD_IOC_ALLOC_MEM_FLAGS_VRAM | KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC)
#define USER	KFD_IOC_ALLOC_MEM_FLAGS_USERPTR
#define VA_END	0x800000000000ull

/**
 * struct twin - memory that the GPU sees twice
 * @handle: of the driver
 * @gpu: first of the GPU's addresses
 * @cpu: where the CPU sees it, once
 * @bytes: of memory; as many again follow at @gpu + @bytes
 */
struct twin {
	uint64_t handle;
	uint8_t *gpu;
	uint8_t *cpu;
	uint64_t bytes;
};

static int alloc_at(struct kfd_client *c, uint64_t va, uint64_t size, uint32_t flags,
		    uint64_t *offset, uint64_t *handle)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args args = {
		.va_addr = va,
		.size = size,
		.gpu_id = c->gpu_id,
		.mmap_offset = *offset,
		.flags = flags | TWICE | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE |
			 KFD_IOC_ALLOC_MEM_FLAGS_NO_SUBSTITUTE,
	};
	int ret = kfd_ioctl(c->fd, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &args);

	*offset = args.mmap_offset;
	*handle = args.handle;
	return ret;
}

static int free_handle(struct kfd_client *c, uint64_t handle)
{
	struct kfd_ioctl_free_memory_of_gpu_args args = { .handle = handle };

	return kfd_ioctl(c->fd, AMDKFD_IOC_FREE_MEMORY_OF_GPU, &args);
}

/* User pages exist before the allocation, memory of the driver is mapped after it. */
static int twin_alloc(struct kfd_client *c, uint32_t kind, uint64_t bytes, struct twin *t)
{
	uint64_t offset = 0;
	int ret;

	t->bytes = bytes;
	t->gpu = kfd_va_reserve(2 * bytes);
	if (kind == USER) {
		t->cpu = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			      -1, 0);
		madvise(t->cpu, bytes, MADV_DONTFORK);
		offset = (uintptr_t)t->cpu;
	}
	ret = alloc_at(c, (uintptr_t)t->gpu, 2 * bytes, kind, &offset, &t->handle);
	if (ret)
		return ret;
	if (kind != USER)
		t->cpu = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, c->drm, offset);
	return t->cpu == MAP_FAILED ? -errno : kfd_map(c, t->handle);
}

static int twin_free(struct kfd_client *c, struct twin *t)
{
	int ret = kfd_unmap(c, t->handle);

	if (!ret)
		ret = free_handle(c, t->handle);
	munmap(t->cpu, t->bytes);
	munmap(t->gpu, 2 * t->bytes);
	return ret;
}

static void fill(uint8_t *p, uint64_t n, unsigned int seed)
{
	uint64_t i;

	for (i = 0; i < n; i++)
		p[i] = (i + seed) * 0x9e3779b97f4a7c15ull >> 56;
}

/* A GPU with what a copy takes. */
struct copier {
	struct kfd_client *c;
	struct kfd_sdma q;
	struct kfd_event e;
	struct kfd_bo io;
};

static int copier_init(struct copier *cp, struct kfd_client *c, uint64_t bytes)
{
	int ret;

	cp->c = c;
	ret = kfd_bo_gtt(c, bytes, &cp->io);
	if (!ret)
		ret = kfd_event_create(c, &cp->e);
	return ret ? ret : kfd_sdma_create(c, &cp->q);
}

static void copier_fini(struct copier *cp)
{
	kfd_sdma_destroy(&cp->q);
	kfd_event_destroy(cp->c, &cp->e);
	kfd_bo_free(cp->c, &cp->io);
}

/* @bytes that the GPU sees at @from are the memory's from @at on, around its end. */
static bool reads(struct copier *cp, const struct twin *t, uint64_t at, uint64_t bytes)
{
	uint64_t i;

	memset(cp->io.cpu, 0x5a, bytes);
	if (kfd_sdma_copy_wait(&cp->q, &cp->e, cp->io.cpu, t->gpu + at, bytes))
		return false;
	for (i = 0; i < bytes; i++)
		if (cp->io.cpu[i] != t->cpu[(at + i) % t->bytes])
			return false;
	return true;
}

/* What the GPU writes at @at is in the memory, around its end. */
static bool writes(struct copier *cp, const struct twin *t, uint64_t at, uint64_t bytes,
		   unsigned int seed)
{
	uint64_t i;

	fill(cp->io.cpu, bytes, seed);
	if (kfd_sdma_copy_wait(&cp->q, &cp->e, t->gpu + at, cp->io.cpu, bytes))
		return false;
	for (i = 0; i < bytes; i++)
		if (t->cpu[(at + i) % t->bytes] != cp->io.cpu[i])
			return false;
	return true;
}

static bool is_seen_twice(struct copier *cp, const struct twin *t)
{
	fill(t->cpu, t->bytes, 3);
	return reads(cp, t, 0, 2 * t->bytes) && reads(cp, t, t->bytes - 60, 120) &&
	       reads(cp, t, t->bytes / 2, t->bytes) && reads(cp, t, 2 * t->bytes - 8, 8) &&
	       writes(cp, t, t->bytes - 512, 1024, 7) && writes(cp, t, t->bytes, 64, 9) &&
	       reads(cp, t, 0, 2 * t->bytes);
}

/* All kinds, with and without big entries of the page table, and across its pages. */
TEST_F_TIMEOUT(kfd, seen_twice, 300)
{
	static const struct {
		uint32_t kind;
		uint64_t bytes;
	} rows[] = {
		{ GTT, PAGE }, { GTT, 5 * PAGE }, { GTT, 2 * MIB + PAGE },
		{ VRAM, PAGE }, { VRAM, 4 * MIB }, { VRAM, 3 * PAGE },
		{ USER, PAGE }, { USER, 7 * PAGE },
	};
	struct copier cp;
	struct twin t;
	unsigned int i;

	ASSERT_EQ(0, copier_init(&cp, &self->c, 8 * MIB));
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ASSERT_EQ(0, twin_alloc(&self->c, rows[i].kind, rows[i].bytes, &t));
		EXPECT_TRUE(is_seen_twice(&cp, &t)) TH_LOG("row %u", i);
		EXPECT_EQ(-EBUSY, free_handle(&self->c, t.handle));
		EXPECT_EQ(0, twin_free(&self->c, &t)) TH_LOG("row %u", i);
	}
	copier_fini(&cp);
}

/* User pages that are replaced are so in both views. */
TEST_F_TIMEOUT(kfd, user_pages_move, 300)
{
	struct copier cp;
	struct twin t;
	unsigned int i;

	ASSERT_EQ(0, copier_init(&cp, &self->c, MIB));
	ASSERT_EQ(0, twin_alloc(&self->c, USER, 4 * PAGE, &t));
	for (i = 0; i < 4; i++) {
		fill(t.cpu, t.bytes, i);
		ASSERT_EQ(0, madvise(t.cpu, t.bytes, MADV_DONTNEED));
		EXPECT_TRUE(reads(&cp, &t, 0, 2 * t.bytes));
		fill(t.cpu, t.bytes, i + 10);
		EXPECT_TRUE(reads(&cp, &t, 0, 2 * t.bytes));
	}
	EXPECT_EQ(0, twin_free(&self->c, &t));
	copier_fini(&cp);
}

/* Another GPU of the process sees GTT and user pages twice as well. */
TEST_F_TIMEOUT(kfd, on_another_gpu, 300)
{
	const uint32_t kinds[] = { GTT, USER };
	struct kfd_client other;
	struct kfd_event e;
	struct copier cp;
	struct twin t;
	unsigned int i;

	if (kfd_num_nodes() < 3)
		SKIP(return, "fewer than two GPUs");
	ASSERT_EQ(0, kfd_client_init(&other, 1));
	/* A process has one event page. */
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(0, kfd_map(&other, self->c.event_page_bo));
	other.event_page = self->c.event_page;
	ASSERT_EQ(0, copier_init(&cp, &other, MIB));
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, twin_alloc(&self->c, kinds[i], 5 * PAGE, &t));
		ASSERT_EQ(0, kfd_map(&other, t.handle));
		EXPECT_TRUE(is_seen_twice(&cp, &t)) TH_LOG("kind %u", i);
		EXPECT_EQ(0, kfd_unmap(&other, t.handle));
		EXPECT_EQ(0, twin_free(&self->c, &t));
	}
	copier_fini(&cp);
	other.event_page = NULL;
	kfd_client_close(&other);
}

/* The GPU sees nothing at @va any more. */
static int faults_at(struct kfd_client *c, const uint8_t *va)
{
	struct kfd_event told;
	uint32_t w[8], result;
	struct kfd_sdma q;
	struct kfd_bo to;
	int ret;

	if (kfd_event_create_type(c, KFD_IOC_EVENT_MEMORY, false, &told) ||
	    kfd_bo_gtt(c, PAGE, &to) || kfd_sdma_create_size(c, &q, 4096))
		return -ENOMEM;
	kfd_sdma_put(&q, w, pkt_copy(w, to.cpu, va, 64));
	kfd_sdma_ring(&q);
	ret = kfd_event_wait(c, &told, KFD_TIMEOUT_MS, &result);
	kfd_sdma_destroy(&q);
	kfd_bo_free(c, &to);
	kfd_event_destroy(c, &told);
	return ret ? ret : (int)result;
}

TEST_F_TIMEOUT(kfd, unmapped_twice, 300)
{
	struct twin t;

	ASSERT_EQ(0, twin_alloc(&self->c, GTT, 2 * PAGE, &t));
	ASSERT_EQ(0, kfd_unmap(&self->c, t.handle));
	EXPECT_EQ(0, faults_at(&self->c, t.gpu));
	EXPECT_EQ(0, faults_at(&self->c, t.gpu + t.bytes));
	EXPECT_EQ(0, kfd_map(&self->c, t.handle));
	EXPECT_EQ(0, twin_free(&self->c, &t));
}

/* Half of what is asked for, raised to whole pages, is what there is. */
TEST_F(kfd, half_is_allocated)
{
	uint64_t offset = 0, handle;
	struct copier cp;
	struct twin t = { .bytes = 2 * PAGE };
	long long before;

	ASSERT_EQ(0, copier_init(&cp, &self->c, MIB));
	t.gpu = kfd_va_reserve(4 * PAGE);
	ASSERT_EQ(0, alloc_at(&self->c, (uintptr_t)t.gpu, 3 * PAGE, GTT, &offset, &t.handle));
	EXPECT_NE(0, kfd_mmap_errno(self->c.drm, 3 * PAGE, PROT_READ, MAP_SHARED, offset));
	t.cpu = mmap(NULL, t.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, self->c.drm, offset);
	ASSERT_NE(MAP_FAILED, t.cpu);
	ASSERT_EQ(0, kfd_map(&self->c, t.handle));
	EXPECT_TRUE(is_seen_twice(&cp, &t));
	EXPECT_EQ(0, twin_free(&self->c, &t));
	copier_fini(&cp);
	before = kfd_available(&self->c);
	ASSERT_EQ(0, alloc_at(&self->c, 0, 16 * MIB, VRAM, &offset, &handle));
	EXPECT_EQ(before - 8 * (long long)MIB, kfd_available(&self->c));
	/* It has no address. */
	EXPECT_EQ(-EINVAL, kfd_map(&self->c, handle));
	EXPECT_EQ(0, free_handle(&self->c, handle));
}

TEST_F(kfd, refusals)
{
	uint8_t *va = kfd_va_reserve(16 * PAGE), *pages;
	const struct {
		uint32_t kind;
		uint64_t va, size, offset;
	} rows[] = {
		{ GTT, (uintptr_t)va, 0 }, { GTT, (uintptr_t)va, 1 },
		{ GTT, (uintptr_t)va, ~0ull }, { GTT, VA_END - 3 * PAGE, 4 * PAGE },
		{ GTT, VA_END - 3 * PAGE, 3 * PAGE }, { GTT, (uintptr_t)va + 8, 2 * PAGE },
		{ GTT, 0, 2 * PAGE }, { GTT | USER, (uintptr_t)va, 2 * PAGE, (uintptr_t)va },
		{ 0, (uintptr_t)va, 2 * PAGE }, { USER, (uintptr_t)va, 2 * PAGE },
		{ USER, (uintptr_t)va, 3 * PAGE, (uintptr_t)va },
		{ USER, (uintptr_t)va, 2 * PAGE, (uintptr_t)va + 1 },
		{ KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL, (uintptr_t)va, 8192 },
		{ KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL, (uintptr_t)va, 16384 },
		{ KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP, (uintptr_t)va, 4096 },
		{ KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP, (uintptr_t)va, 8192 },
	};
	long long buffers = kfd_count("buffers");
	uint64_t offset, handle;
	unsigned int i;

	pages = mmap(va, 8 * PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	ASSERT_EQ(va, pages);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		offset = rows[i].offset;
		EXPECT_EQ(-EINVAL, alloc_at(&self->c, rows[i].va, rows[i].size, rows[i].kind,
					    &offset, &handle)) TH_LOG("row %u", i);
	}
	EXPECT_EQ(buffers, kfd_count("buffers"));
	offset = 0;
	ASSERT_EQ(0, alloc_at(&self->c, VA_END - 4 * PAGE, 3 * PAGE, GTT, &offset, &handle));
	EXPECT_EQ(0, free_handle(&self->c, handle));
}

/* Where the second view finds something else, the first is not left behind. */
TEST_F(kfd, second_half_is_taken)
{
	uint8_t *va = kfd_va_reserve(4 * PAGE);
	uint64_t offset = 0, twin, small;
	struct copier cp;

	ASSERT_EQ(0, copier_init(&cp, &self->c, PAGE));
	ASSERT_EQ(0, alloc_at(&self->c, (uintptr_t)va, 4 * PAGE, GTT, &offset, &twin));
	ASSERT_EQ(0, alloc_at(&self->c, (uintptr_t)va + 3 * PAGE, 2 * PAGE, GTT, &offset,
			      &small));
	ASSERT_EQ(0, kfd_map(&self->c, small));
	EXPECT_EQ(-EINVAL, kfd_map(&self->c, twin));
	EXPECT_EQ(0, kfd_unmap(&self->c, twin));
	EXPECT_EQ(0, faults_at(&self->c, va));
	EXPECT_EQ(0, kfd_unmap(&self->c, small));
	EXPECT_EQ(0, kfd_map(&self->c, twin));
	EXPECT_EQ(-EINVAL, kfd_map(&self->c, small));
	EXPECT_EQ(0, kfd_sdma_copy_wait(&cp.q, &cp.e, cp.io.cpu, va + 3 * PAGE, PAGE));
	EXPECT_EQ(0, kfd_unmap(&self->c, twin));
	EXPECT_EQ(0, free_handle(&self->c, small));
	EXPECT_EQ(0, free_handle(&self->c, twin));
	copier_fini(&cp);
}

/* A dma-buf of it has the memory once. */
TEST_F(kfd, exported_once)
{
	struct kfd_bo imported;
	struct copier cp;
	struct twin t;
	int fd;

	ASSERT_EQ(0, copier_init(&cp, &self->c, MIB));
	ASSERT_EQ(0, twin_alloc(&self->c, GTT, 4 * PAGE, &t));
	fd = kfd_bo_export(&self->c, t.handle);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, kfd_bo_import(&self->c, fd, &imported));
	EXPECT_EQ(4 * PAGE, imported.size);
	fill(imported.cpu, imported.size, 5);
	EXPECT_TRUE(reads(&cp, &t, 0, 2 * t.bytes));
	EXPECT_EQ(0, kfd_bo_free(&self->c, &imported));
	close(fd);
	EXPECT_EQ(0, twin_free(&self->c, &t));
	copier_fini(&cp);
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
