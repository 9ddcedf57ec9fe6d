// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffers: kinds, flags, zeroing, mmap rules, handles (S0.28, S0.40, S0.41).
 *
 * vm: timeout=600
 */
#include "kfd_harness.h"

#include <sys/mman.h>

#define PAGE	4096ul
#define MIB	(1ul << 20)

static struct kfd_ioctl_alloc_memory_of_gpu_args alloc_args(struct kfd_client *c, uint64_t size,
							    uint32_t flags)
{
	return (struct kfd_ioctl_alloc_memory_of_gpu_args){
		.va_addr = (uintptr_t)kfd_va_reserve(size ? size : PAGE),
		.size = size,
		.gpu_id = c->gpu_id,
		.flags = flags | KFD_IOC_ALLOC_MEM_FLAGS_NO_SUBSTITUTE,
	};
}

static int alloc_raw(struct kfd_client *c, struct kfd_ioctl_alloc_memory_of_gpu_args *a)
{
	return kfd_ioctl(c->fd, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, a);
}

static int free_raw(struct kfd_client *c, uint64_t handle)
{
	struct kfd_ioctl_free_memory_of_gpu_args f = { .handle = handle };

	return kfd_ioctl(c->fd, AMDKFD_IOC_FREE_MEMORY_OF_GPU, &f);
}

static bool all_zero(const uint8_t *p, uint64_t n)
{
	return !p[0] && !memcmp(p, p + 1, n - 1);
}

/* Fresh VRAM and GTT read as zero even when they were somebody's before. */
TEST_F(kfd, fresh_memory_is_zero)
{
	struct kfd_bo bo;
	unsigned int i;

	for (i = 0; i < 6; i++) {
		int r = i & 1 ? kfd_bo_gtt(&self->c, MIB, &bo) : kfd_bo_vram(&self->c, MIB, &bo);

		ASSERT_EQ(0, r);
		EXPECT_TRUE(all_zero(bo.cpu, MIB));
		memset(bo.cpu, 0xff, MIB);
		ASSERT_EQ(0, kfd_bo_free(&self->c, &bo));
	}
}

/* CPU and engine see one and the same memory (B025). */
TEST_F(kfd, b025_one_backing)
{
	struct kfd_bo v, g;
	struct kfd_event e;
	struct kfd_sdma q;
	uint32_t w[8], result;

	ASSERT_EQ(0, kfd_bo_vram(&self->c, 3 * PAGE, &v));
	ASSERT_EQ(0, kfd_bo_gtt(&self->c, PAGE, &g));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	memset(g.cpu, 0xaa, PAGE);
	ASSERT_EQ(0, kfd_sdma_copy_wait(&q, &e, v.cpu + PAGE, g.cpu, PAGE));
	EXPECT_EQ(0, memcmp(v.cpu + PAGE, g.cpu, PAGE));
	memset(v.cpu + PAGE, 0xbb, PAGE);
	ASSERT_EQ(0, kfd_sdma_copy_wait(&q, &e, g.cpu, v.cpu + PAGE, PAGE));
	EXPECT_EQ(0xbb, g.cpu[0]);
	EXPECT_EQ(0xbb, g.cpu[PAGE - 1]);
	kfd_sdma_put(&q, w, pkt_fill(w, v.cpu + PAGE, 0, PAGE));
	kfd_sdma_signal(&q, &e);
	kfd_sdma_ring(&q);
	ASSERT_EQ(0, kfd_event_wait(&self->c, &e, KFD_TIMEOUT_MS, &result));
	EXPECT_TRUE(all_zero(v.cpu, 3 * PAGE));
}

TEST_F(kfd, bad_allocations)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args a;

	a = alloc_args(&self->c, 0, KFD_IOC_ALLOC_MEM_FLAGS_VRAM);
	EXPECT_EQ(-EINVAL, alloc_raw(&self->c, &a));
	a = alloc_args(&self->c, PAGE, 0);
	EXPECT_EQ(-EINVAL, alloc_raw(&self->c, &a));
	a = alloc_args(&self->c, PAGE, KFD_IOC_ALLOC_MEM_FLAGS_VRAM);
	a.gpu_id = 0;
	EXPECT_EQ(-EINVAL, alloc_raw(&self->c, &a));
	a = alloc_args(&self->c, PAGE, KFD_IOC_ALLOC_MEM_FLAGS_VRAM);
	a.size = 1ull << 60;
	EXPECT_GT(0, alloc_raw(&self->c, &a));
	a = alloc_args(&self->c, PAGE, KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL);
	EXPECT_EQ(-EINVAL, alloc_raw(&self->c, &a));
	a = alloc_args(&self->c, 2 * PAGE, KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP);
	EXPECT_EQ(-EINVAL, alloc_raw(&self->c, &a));
	EXPECT_EQ(-EINVAL, free_raw(&self->c, 0));
	EXPECT_EQ(-EINVAL, free_raw(&self->c, ~0ull));
	EXPECT_EQ(-EINVAL, free_raw(&self->c, (uint64_t)self->c.gpu_id << 32 | 0xffffff));
}

/* The card is full: ENOMEM, nothing is lost, and what was freed can be had again. */
TEST_F_TIMEOUT(kfd, vram_runs_out, 120)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args a[64];
	unsigned int n, i, again;
	int r = 0;

	for (n = 0; n < 64; n++) {
		a[n] = alloc_args(&self->c, 256 * MIB, KFD_IOC_ALLOC_MEM_FLAGS_VRAM);
		r = alloc_raw(&self->c, &a[n]);
		if (r)
			break;
	}
	ASSERT_EQ(-ENOMEM, r);
	ASSERT_LT(0, n);
	for (i = 0; i < n; i++)
		ASSERT_EQ(0, free_raw(&self->c, a[i].handle));
	for (again = 0; again < n; again++)
		ASSERT_EQ(0, alloc_raw(&self->c, &a[again]));
	for (i = 0; i < n; i++)
		ASSERT_EQ(0, free_raw(&self->c, a[i].handle));
}

/* Which render-node mappings exist: those that libhsakmt makes, and no others. */
TEST_F(kfd, render_node_mmap)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args pub, priv;

	pub = alloc_args(&self->c, 4 * PAGE, KFD_IOC_ALLOC_MEM_FLAGS_VRAM |
			 KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE);
	priv = alloc_args(&self->c, 4 * PAGE, KFD_IOC_ALLOC_MEM_FLAGS_VRAM |
			  KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE);
	ASSERT_EQ(0, alloc_raw(&self->c, &pub));
	ASSERT_EQ(0, alloc_raw(&self->c, &priv));
	EXPECT_EQ(0, kfd_mmap_errno(self->c.drm, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
				    pub.mmap_offset));
	EXPECT_GT(0, kfd_mmap_errno(self->c.drm, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE,
				    pub.mmap_offset));
	EXPECT_EQ(0, kfd_mmap_errno(self->c.drm, 4 * PAGE, PROT_NONE, MAP_PRIVATE,
				    priv.mmap_offset));
	EXPECT_GT(0, kfd_mmap_errno(self->c.drm, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
				    priv.mmap_offset));
	EXPECT_GT(0, kfd_mmap_errno(self->c.drm, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
				    pub.mmap_offset));
	EXPECT_GT(0, kfd_mmap_errno(self->c.drm, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
				    0x7ffffffff000ull));
	EXPECT_EQ(0, free_raw(&self->c, pub.handle));
	EXPECT_EQ(0, free_raw(&self->c, priv.handle));
}

/* A mapping the client made PROT_NONE cannot be opened up later. */
TEST_F(kfd, private_vram_stays_closed)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args a;
	void *p;

	a = alloc_args(&self->c, 4 * PAGE, KFD_IOC_ALLOC_MEM_FLAGS_VRAM |
		       KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE);
	ASSERT_EQ(0, alloc_raw(&self->c, &a));
	p = mmap(NULL, 4 * PAGE, PROT_NONE, MAP_PRIVATE, self->c.drm, a.mmap_offset);
	ASSERT_NE(MAP_FAILED, p);
	EXPECT_EQ(-1, mprotect(p, 4 * PAGE, PROT_READ | PROT_WRITE));
	EXPECT_EQ(EACCES, errno);
	munmap(p, 4 * PAGE);
	EXPECT_EQ(0, free_raw(&self->c, a.handle));
}

/* Mapping twice is fine, unmapping twice too, freeing while mapped is refused. */
TEST_F(kfd, map_rules)
{
	struct kfd_ioctl_map_memory_to_gpu_args m;
	struct kfd_bo bo;
	uint32_t bad = 1;

	ASSERT_EQ(0, kfd_bo_vram(&self->c, MIB, &bo));
	EXPECT_EQ(0, kfd_map(&self->c, bo.handle));
	m = (struct kfd_ioctl_map_memory_to_gpu_args){
		.handle = bo.handle, .device_ids_array_ptr = (uintptr_t)&bad, .n_devices = 1,
	};
	EXPECT_EQ(-EINVAL, kfd_ioctl(self->c.fd, AMDKFD_IOC_MAP_MEMORY_TO_GPU, &m));
	EXPECT_EQ(0, m.n_success);
	m.device_ids_array_ptr = 4096;
	EXPECT_EQ(-EFAULT, kfd_ioctl(self->c.fd, AMDKFD_IOC_MAP_MEMORY_TO_GPU, &m));
	m.device_ids_array_ptr = (uintptr_t)&self->c.gpu_id;
	m.n_devices = 0;
	EXPECT_EQ(-EINVAL, kfd_ioctl(self->c.fd, AMDKFD_IOC_MAP_MEMORY_TO_GPU, &m));
	m.n_devices = 0x40000000;
	EXPECT_GT(0, kfd_ioctl(self->c.fd, AMDKFD_IOC_MAP_MEMORY_TO_GPU, &m));
	m.n_devices = 1;
	m.n_success = 2;
	EXPECT_EQ(-EINVAL, kfd_ioctl(self->c.fd, AMDKFD_IOC_MAP_MEMORY_TO_GPU, &m));
	EXPECT_EQ(-EBUSY, free_raw(&self->c, bo.handle));
	EXPECT_EQ(0, kfd_unmap(&self->c, bo.handle));
	EXPECT_EQ(0, kfd_unmap(&self->c, bo.handle));
	EXPECT_EQ(0, free_raw(&self->c, bo.handle));
	EXPECT_EQ(-EINVAL, free_raw(&self->c, bo.handle));
	EXPECT_EQ(-EINVAL, kfd_map(&self->c, bo.handle));
	EXPECT_EQ(-EINVAL, kfd_unmap(&self->c, bo.handle));
	munmap(bo.cpu, MIB);
}

/* A buffer that was refused while it was mapped is whole: it is mapped, and it works. */
TEST_F(kfd, refused_free_changes_nothing)
{
	struct kfd_event e;
	struct kfd_sdma q;
	struct kfd_bo bo;

	ASSERT_EQ(0, kfd_bo_vram(&self->c, 2 * PAGE, &bo));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(-EBUSY, free_raw(&self->c, bo.handle));
	memset(bo.cpu, 0x77, PAGE);
	ASSERT_EQ(0, kfd_sdma_copy_wait(&q, &e, bo.cpu + PAGE, bo.cpu, PAGE));
	EXPECT_EQ(0, memcmp(bo.cpu, bo.cpu + PAGE, PAGE));
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
	EXPECT_EQ(0, kfd_bo_free(&self->c, &bo));
}

static struct kfd_ioctl_alloc_memory_of_gpu_args user_args(struct kfd_client *c, void *addr,
							   uint64_t size, uint64_t va)
{
	return (struct kfd_ioctl_alloc_memory_of_gpu_args){
		.va_addr = va,
		.size = size,
		.mmap_offset = (uintptr_t)addr,
		.gpu_id = c->gpu_id,
		.flags = KFD_IOC_ALLOC_MEM_FLAGS_USERPTR | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE |
			 KFD_IOC_ALLOC_MEM_FLAGS_NO_SUBSTITUTE,
	};
}

/* USERPTR over pages that are not there: at once, or by the time they are to be mapped. */
TEST_F(kfd, user_pages_missing)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args a;
	long long buffers = kfd_count("buffers");
	uint8_t *p;

	p = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, p);
	ASSERT_EQ(0, munmap(p + 2 * PAGE, PAGE));
	/* Behind the first page, and the first page itself. */
	a = user_args(&self->c, p, 4 * PAGE, (uintptr_t)p);
	EXPECT_EQ(-EFAULT, alloc_raw(&self->c, &a));
	a = user_args(&self->c, p + 2 * PAGE, 2 * PAGE, (uintptr_t)p);
	EXPECT_EQ(-EFAULT, alloc_raw(&self->c, &a));
	EXPECT_EQ(buffers, kfd_count("buffers"));
	a = user_args(&self->c, p, 2 * PAGE, (uintptr_t)p);
	ASSERT_EQ(0, alloc_raw(&self->c, &a));
	ASSERT_EQ(0, munmap(p + PAGE, PAGE));
	EXPECT_EQ(-EFAULT, kfd_map(&self->c, a.handle));
	EXPECT_EQ(0, kfd_unmap(&self->c, a.handle));
	EXPECT_EQ(0, free_raw(&self->c, a.handle));
	munmap(p, PAGE);
	munmap(p + 3 * PAGE, PAGE);
}

/* An address that is taken, wholly or by its last page: EINVAL as from Linux 6.1. */
TEST_F(kfd, user_address_taken)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args a, b;
	unsigned int i;
	uint8_t *p;

	p = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, p);
	a = alloc_args(&self->c, 2 * PAGE, KFD_IOC_ALLOC_MEM_FLAGS_GTT);
	ASSERT_EQ(0, alloc_raw(&self->c, &a));
	ASSERT_EQ(0, kfd_map(&self->c, a.handle));
	for (i = 0; i < 2; i++) {
		b = user_args(&self->c, p, 2 * PAGE, a.va_addr + i * PAGE);
		ASSERT_EQ(0, alloc_raw(&self->c, &b));
		EXPECT_EQ(-EINVAL, kfd_map(&self->c, b.handle));
		/* It is not mapped, so it can go; with the address free it could be. */
		ASSERT_EQ(0, free_raw(&self->c, b.handle));
	}
	ASSERT_EQ(0, kfd_unmap(&self->c, a.handle));
	ASSERT_EQ(0, alloc_raw(&self->c, &b));
	EXPECT_EQ(0, kfd_map(&self->c, b.handle));
	EXPECT_EQ(-EINVAL, kfd_map(&self->c, a.handle));
	EXPECT_EQ(0, kfd_unmap(&self->c, b.handle));
	EXPECT_EQ(0, free_raw(&self->c, b.handle));
	EXPECT_EQ(0, free_raw(&self->c, a.handle));
	munmap(p, 4 * PAGE);
}

/* The event page cannot be freed by its handle. */
TEST_F(kfd, event_page_stays)
{
	struct kfd_event e;

	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	EXPECT_EQ(-EPERM, free_raw(&self->c, self->c.event_page_bo));
}

/* The MMIO page: HDP flush registers, uncached, one page exactly. */
TEST_F(kfd, mmio_remap)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args a;
	volatile uint32_t *p;

	a = alloc_args(&self->c, PAGE, KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP |
		       KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE | KFD_IOC_ALLOC_MEM_FLAGS_COHERENT);
	ASSERT_EQ(0, alloc_raw(&self->c, &a));
	p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, self->c.fd, a.mmap_offset);
	ASSERT_NE(MAP_FAILED, p);
	p[0] = 1;
	p[1] = 1;
	munmap((void *)p, PAGE);
	EXPECT_EQ(0, free_raw(&self->c, a.handle));
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
