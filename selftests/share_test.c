// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffers shared as dma-bufs, and what is left to share (S0.28, S0.40, S0.41; B026, B035,
 * B124, B125, B127; wish 1): one process exports, another imports; either frees first, or is
 * killed; descriptors, mappings and sizes; and the memory that is told as available is
 * what can be had.
 *
 * vm: timeout=600
 */
#include "kfd_harness.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define PAGE	4096ul
#define MIB	(1ul << 20)
#define GIB	(1ul << 30)
#define UNIT	(2 * MIB)	/* of available memory */
#define PUBLIC_VRAM (KFD_IOC_ALLOC_MEM_FLAGS_VRAM | KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC |	\
		     KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE)

static int alloc_raw(struct kfd_client *c, uint64_t size, uint32_t flags, uint64_t *handle)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args a = {
		.size = size, .gpu_id = c->gpu_id,
		.flags = flags | KFD_IOC_ALLOC_MEM_FLAGS_NO_SUBSTITUTE,
	};
	int r = kfd_ioctl(c->fd, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &a);

	*handle = a.handle;
	return r;
}

/* VRAM without an address: what counts is how much there is. */
static int alloc_vram(struct kfd_client *c, uint64_t size, uint64_t *handle)
{
	return alloc_raw(c, size, KFD_IOC_ALLOC_MEM_FLAGS_VRAM, handle);
}

static int free_raw(struct kfd_client *c, uint64_t handle)
{
	struct kfd_ioctl_free_memory_of_gpu_args f = { .handle = handle };

	return kfd_ioctl(c->fd, AMDKFD_IOC_FREE_MEMORY_OF_GPU, &f);
}

static int info_of(struct kfd_client *c, int dmabuf, struct kfd_ioctl_get_dmabuf_info_args *info)
{
	*info = (struct kfd_ioctl_get_dmabuf_info_args){ .dmabuf_fd = dmabuf };
	return kfd_ioctl(c->fd, AMDKFD_IOC_GET_DMABUF_INFO, info);
}

static int import_raw(struct kfd_client *c, int dmabuf, uint64_t va, uint64_t *handle)
{
	struct kfd_ioctl_import_dmabuf_args a = {
		.va_addr = va, .gpu_id = c->gpu_id, .dmabuf_fd = dmabuf,
	};
	int r = kfd_ioctl(c->fd, AMDKFD_IOC_IMPORT_DMABUF, &a);

	*handle = a.handle;
	return r;
}

/* ---- what there is (wish 1) ---- */

/* What the topology says a GPU has. */
static long long bank_size(const struct kfd_client *c)
{
	char path[128];

	snprintf(path, sizeof(path),
		 "/sys/devices/virtual/kfd/kfd/topology/nodes/%u/mem_banks/0/properties", c->node);
	return kfd_prop(path, "size_in_bytes");
}

/* Of an empty GPU all is available; each object takes what it is, in debugfs as well. */
TEST_F(kfd, wish1_one_account)
{
	static const uint64_t sizes[] = { PAGE, 3 * PAGE, UNIT, 5 * MIB, 300 * MIB + PAGE };
	long long taken = kfd_count("vm_vram_bytes"), bank = bank_size(&self->c);
	uint64_t handle[5];
	unsigned int i;

	ASSERT_LE(0, taken);
	ASSERT_LT(0, bank);
	for (i = 0; i < 5; i++) {
		EXPECT_EQ((bank - taken) & -UNIT, kfd_available(&self->c));
		ASSERT_EQ(0, alloc_vram(&self->c, sizes[i], &handle[i]));
		taken += sizes[i];
		EXPECT_EQ(taken, kfd_count("vm_vram_bytes"));
	}
	EXPECT_EQ((bank - taken) & -UNIT, kfd_available(&self->c));
	for (i = 0; i < 5; i++)
		ASSERT_EQ(0, free_raw(&self->c, handle[i]));
}

/* A loop of allocations gets what was told to the last piece, however large the pieces. */
TEST_F_TIMEOUT(kfd, wish1_loop_gets_it_all, 240)
{
	static const uint64_t pieces[] = { 512 * MIB, 48 * MIB, UNIT };
	long long told = kfd_available(&self->c), got = 0;
	uint64_t handle[512];
	unsigned int n = 0, i;
	int r = 0;

	ASSERT_LT(0, told);
	for (i = 0; i < 3; i++) {
		while (n < 512 && !(r = alloc_vram(&self->c, pieces[i], &handle[n]))) {
			got += pieces[i];
			n++;
		}
		ASSERT_EQ(-ENOMEM, r);
		EXPECT_LE(told - got, pieces[i]);
	}
	EXPECT_EQ(told, got);
	EXPECT_EQ(0, kfd_available(&self->c));
	while (n)
		ASSERT_EQ(0, free_raw(&self->c, handle[--n]));
	EXPECT_EQ(told, kfd_available(&self->c));
}

/* It can be had in one piece, and then there is not one more. */
TEST_F(kfd, wish1_one_piece)
{
	long long told = kfd_available(&self->c);
	uint64_t all, more;

	EXPECT_EQ(-ENOMEM, alloc_vram(&self->c, told + UNIT, &more));
	ASSERT_EQ(0, alloc_vram(&self->c, told, &all));
	EXPECT_EQ(0, kfd_available(&self->c));
	EXPECT_EQ(-ENOMEM, alloc_vram(&self->c, UNIT, &more));
	ASSERT_EQ(0, free_raw(&self->c, all));
	EXPECT_EQ(told, kfd_available(&self->c));
}

/* Asking needs no address space; it needs a GPU. */
TEST(available_refusals)
{
	struct kfd_ioctl_get_available_memory_args a = { };
	struct kfd_client c;

	if (access("/dev/kfd", F_OK))
		SKIP(return, "no /dev/kfd");
	ASSERT_EQ(0, kfd_client_open(&c, 0));
	EXPECT_LT(0, kfd_available(&c));
	EXPECT_EQ(-EINVAL, kfd_ioctl(c.fd, AMDKFD_IOC_AVAILABLE_MEMORY, &a));
	a.gpu_id = c.gpu_id ^ 1;
	EXPECT_EQ(-EINVAL, kfd_ioctl(c.fd, AMDKFD_IOC_AVAILABLE_MEMORY, &a));
	EXPECT_EQ(0, a.available);
	kfd_client_close(&c);
}

/* ---- sharing ---- */

struct engine {
	struct kfd_sdma q;
	struct kfd_event e;
};

static int engine_start(struct kfd_client *c, struct engine *g)
{
	int r = kfd_sdma_create(c, &g->q);

	return r ? r : kfd_event_create(c, &g->e);
}

static int engine_fill(struct engine *g, void *dst, uint32_t value, uint32_t bytes)
{
	uint32_t w[8], result;
	int r;

	kfd_sdma_put(&g->q, w, pkt_fill(w, dst, value, bytes));
	kfd_sdma_signal(&g->q, &g->e);
	kfd_sdma_ring(&g->q);
	r = kfd_event_wait(g->q.c, &g->e, KFD_TIMEOUT_MS, &result);
	return r ? r : result ? -ETIMEDOUT : 0;
}

/* 0, or the status of a child that ends by itself. */
static int child_status(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

/* Another process fills the first half by its GPU and the second by its CPU. */
static int importer(int dmabuf)
{
	struct kfd_client c;
	struct engine g;
	struct kfd_bo bo;

	if (kfd_client_init(&c, 0) || engine_start(&c, &g))
		return 1;
	if (kfd_bo_import(&c, dmabuf, &bo))
		return 2;
	if (engine_fill(&g, bo.cpu, 0x5a5a5a5a, bo.size / 2))
		return 3;
	memset(bo.cpu + bo.size / 2, 0xc3, bo.size / 2);
	return 0;
}

static int run_importer(int dmabuf)
{
	pid_t pid = fork();

	if (!pid)
		_exit(importer(dmabuf));
	return child_status(pid);
}

static void check_shared(struct __test_metadata *_metadata, struct kfd_client *c,
			 struct kfd_bo *bo)
{
	int fd = kfd_bo_export(c, bo->handle);

	ASSERT_LE(0, fd);
	EXPECT_EQ(0, run_importer(fd));
	EXPECT_TRUE(kfd_all_bytes(bo->cpu, bo->size / 2, 0x5a));
	EXPECT_TRUE(kfd_all_bytes(bo->cpu + bo->size / 2, bo->size / 2, 0xc3));
	close(fd);
	EXPECT_EQ(0, kfd_bo_free(c, bo));
}

TEST_F_TIMEOUT(kfd, two_processes_one_buffer, 240)
{
	struct kfd_bo bo;

	ASSERT_EQ(0, kfd_bo_vram(&self->c, 2 * MIB, &bo));
	check_shared(_metadata, &self->c, &bo);
	ASSERT_EQ(0, kfd_bo_gtt(&self->c, 256 * 1024, &bo));
	check_shared(_metadata, &self->c, &bo);
}

/* Its exporter freed it, then closed it: it lives as long as somebody has it, and counts. */
TEST_F_TIMEOUT(kfd, freed_by_exporter, 240)
{
	long long before = kfd_available(&self->c);
	struct kfd_bo bo, other;
	struct engine g;
	int fd;

	ASSERT_EQ(0, engine_start(&self->c, &g));
	ASSERT_EQ(0, kfd_bo_vram(&self->c, 4 * MIB, &bo));
	memset(bo.cpu, 0x3c, bo.size);
	fd = kfd_bo_export(&self->c, bo.handle);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, kfd_bo_free(&self->c, &bo));
	EXPECT_EQ(before - 4 * MIB, kfd_available(&self->c));
	ASSERT_EQ(0, kfd_bo_import(&self->c, fd, &other));
	close(fd);
	EXPECT_TRUE(kfd_all_bytes(other.cpu, other.size, 0x3c));
	EXPECT_EQ(0, engine_fill(&g, other.cpu, 0x77777777, PAGE));
	EXPECT_TRUE(kfd_all_bytes(other.cpu, PAGE, 0x77));
	EXPECT_EQ(before - 4 * MIB, kfd_available(&self->c));
	ASSERT_EQ(0, kfd_bo_free(&self->c, &other));
	EXPECT_EQ(before, kfd_available(&self->c));
}

/* The last to have it is a CPU mapping of the descriptor. */
TEST_F(kfd, cpu_mapping_is_the_last)
{
	long long before = kfd_available(&self->c);
	struct kfd_bo bo;
	uint8_t *p;
	int fd;

	ASSERT_EQ(0, kfd_bo_vram(&self->c, 2 * MIB, &bo));
	fd = kfd_bo_export(&self->c, bo.handle);
	ASSERT_LE(0, fd);
	p = mmap(NULL, bo.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, p);
	close(fd);
	memset(bo.cpu, 0x99, bo.size);
	ASSERT_EQ(0, kfd_bo_free(&self->c, &bo));
	EXPECT_TRUE(kfd_all_bytes(p, bo.size, 0x99));
	EXPECT_EQ(before - 2 * MIB, kfd_available(&self->c));
	munmap(p, bo.size);
	EXPECT_EQ(before, kfd_available(&self->c));
}

/* Once freed, the render node maps it no more, even though it lives. */
TEST_F(kfd, freed_is_gone_from_the_render_node)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args a = {
		.va_addr = (uintptr_t)kfd_va_reserve(PAGE), .size = PAGE,
		.gpu_id = self->c.gpu_id, .flags = PUBLIC_VRAM,
	};
	int fd;

	ASSERT_EQ(0, kfd_ioctl(self->c.fd, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &a));
	fd = kfd_bo_export(&self->c, a.handle);
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, kfd_mmap_errno(self->c.drm, PAGE, PROT_READ, MAP_SHARED, a.mmap_offset));
	ASSERT_EQ(0, free_raw(&self->c, a.handle));
	EXPECT_EQ(-EACCES, kfd_mmap_errno(self->c.drm, PAGE, PROT_READ, MAP_SHARED,
					  a.mmap_offset));
	EXPECT_EQ(0, kfd_mmap_errno(fd, PAGE, PROT_READ, MAP_SHARED, 0));
	close(fd);
}

/* What a descriptor says of its buffer, and how long it is. */
TEST_F(kfd, what_it_is)
{
	static const struct {
		uint32_t flags, want;
	} rows[] = {
		{ PUBLIC_VRAM, KFD_IOC_ALLOC_MEM_FLAGS_VRAM | KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC },
		{ KFD_IOC_ALLOC_MEM_FLAGS_VRAM, KFD_IOC_ALLOC_MEM_FLAGS_VRAM },
		{ KFD_IOC_ALLOC_MEM_FLAGS_GTT, KFD_IOC_ALLOC_MEM_FLAGS_GTT },
	};
	struct kfd_ioctl_get_dmabuf_info_args info;
	uint8_t metadata[16];
	unsigned int i;
	int fd;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct kfd_bo bo;

		ASSERT_EQ(0, kfd_bo_alloc(&self->c, 3 * PAGE, rows[i].flags, &bo));
		fd = kfd_bo_export(&self->c, bo.handle);
		ASSERT_LE(0, fd);
		EXPECT_EQ(FD_CLOEXEC, fcntl(fd, F_GETFD));
		EXPECT_EQ(3 * PAGE, lseek(fd, 0, SEEK_END));
		memset(metadata, 0xa5, sizeof(metadata));
		info = (struct kfd_ioctl_get_dmabuf_info_args){
			.dmabuf_fd = fd, .metadata_ptr = (uintptr_t)metadata,
			.metadata_size = sizeof(metadata),
		};
		ASSERT_EQ(0, kfd_ioctl(self->c.fd, AMDKFD_IOC_GET_DMABUF_INFO, &info));
		EXPECT_EQ(3 * PAGE, info.size);
		EXPECT_EQ(self->c.gpu_id, info.gpu_id);
		EXPECT_EQ(rows[i].want, info.flags);
		EXPECT_EQ(0, info.metadata_size);
		EXPECT_TRUE(kfd_all_bytes(metadata, sizeof(metadata), 0xa5));
		close(fd);
		EXPECT_EQ(0, kfd_bo_free(&self->c, &bo));
	}
}

TEST_F(kfd, export_refusals)
{
	struct kfd_ioctl_export_dmabuf_args a = { .dmabuf_fd = 77 };
	struct rlimit limit, none = { 0, 0 };
	struct kfd_bo user, vram;
	long long before = kfd_count("vm_vram_bytes");
	uint64_t mmio;

	ASSERT_EQ(0, kfd_bo_user(&self->c, PAGE, &user));
	ASSERT_EQ(0, kfd_bo_vram(&self->c, PAGE, &vram));
	EXPECT_EQ(-EINVAL, kfd_bo_export(&self->c, 0));
	EXPECT_EQ(-EINVAL, kfd_bo_export(&self->c, ~0ull));
	EXPECT_EQ(-EINVAL, kfd_bo_export(&self->c, vram.handle + 1000));
	EXPECT_EQ(-EINVAL, kfd_bo_export(&self->c, vram.handle ^ 1ull << 32));
	EXPECT_EQ(-EPERM, kfd_bo_export(&self->c, user.handle));
	if (!alloc_raw(&self->c, PAGE, KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP, &mmio))
		EXPECT_EQ(-EPERM, kfd_bo_export(&self->c, mmio));
	a.handle = vram.handle;
	ASSERT_EQ(0, getrlimit(RLIMIT_NOFILE, &limit));
	none.rlim_max = limit.rlim_max;
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &none));
	EXPECT_EQ(-EMFILE, kfd_ioctl(self->c.fd, AMDKFD_IOC_EXPORT_DMABUF, &a));
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
	EXPECT_EQ(77, a.dmabuf_fd);
	/* The failed one holds nothing. */
	EXPECT_EQ(0, kfd_bo_free(&self->c, &vram));
	EXPECT_EQ(before, kfd_count("vm_vram_bytes"));
	EXPECT_EQ(0, kfd_bo_free(&self->c, &user));
}

/* A process without an address space on the GPU may look, and not import. */
static int unbound(int dmabuf)
{
	struct kfd_ioctl_get_dmabuf_info_args info;
	struct kfd_client c;
	uint64_t handle;

	if (kfd_client_open(&c, 0))
		return 1;
	if (info_of(&c, dmabuf, &info) || info.gpu_id != c.gpu_id)
		return 2;
	return import_raw(&c, dmabuf, 0, &handle) == -ENODEV ? 0 : 3;
}

TEST_F(kfd, import_refusals)
{
	struct kfd_ioctl_get_dmabuf_info_args info;
	long long buffers = kfd_count("buffers");
	int fd, null = open("/dev/null", O_RDWR);
	uint32_t gpu_id = self->c.gpu_id;
	uint64_t handle, second;
	pid_t pid;

	ASSERT_EQ(0, alloc_vram(&self->c, 2 * PAGE, &handle));
	fd = kfd_bo_export(&self->c, handle);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-EBADF, info_of(&self->c, -1, &info));
	EXPECT_EQ(-EBADF, info_of(&self->c, 1000, &info));
	EXPECT_EQ(-EINVAL, info_of(&self->c, null, &info));
	EXPECT_EQ(-EINVAL, info_of(&self->c, self->c.drm, &info));
	EXPECT_EQ(-EBADF, import_raw(&self->c, -1, 0, &second));
	EXPECT_EQ(-EINVAL, import_raw(&self->c, null, 0, &second));
	EXPECT_EQ(-EINVAL, import_raw(&self->c, fd, 0x10800, &second));
	EXPECT_EQ(-EINVAL, import_raw(&self->c, fd, (1ull << 47) - PAGE, &second));
	EXPECT_EQ(-EINVAL, import_raw(&self->c, fd, 1ull << 60, &second));
	self->c.gpu_id = 0;
	EXPECT_EQ(-EINVAL, import_raw(&self->c, fd, 0, &second));
	self->c.gpu_id = gpu_id;
	pid = fork();
	if (!pid)
		_exit(unbound(fd));
	EXPECT_EQ(0, child_status(pid));
	EXPECT_EQ(buffers + 1, kfd_count("buffers"));
	/* Without an address: a handle, but no GPU can map it. */
	ASSERT_EQ(0, import_raw(&self->c, fd, 0, &second));
	EXPECT_EQ(-EINVAL, kfd_map(&self->c, second));
	EXPECT_EQ(0, free_raw(&self->c, second));
	EXPECT_EQ(0, free_raw(&self->c, handle));
	close(fd);
	close(null);
}

/* What the CPU may map of a descriptor: no more than of the render node. */
TEST_F(kfd, mmap_rules)
{
	uint64_t pub, priv, read_only;
	int fd[3];

	ASSERT_EQ(0, alloc_raw(&self->c, 2 * PAGE, PUBLIC_VRAM, &pub));
	ASSERT_EQ(0, alloc_raw(&self->c, 2 * PAGE, KFD_IOC_ALLOC_MEM_FLAGS_VRAM |
			       KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE, &priv));
	ASSERT_EQ(0, alloc_raw(&self->c, 2 * PAGE, KFD_IOC_ALLOC_MEM_FLAGS_VRAM |
			       KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC, &read_only));
	fd[0] = kfd_bo_export(&self->c, pub);
	fd[1] = kfd_bo_export(&self->c, priv);
	fd[2] = kfd_bo_export(&self->c, read_only);
	ASSERT_TRUE(fd[0] >= 0 && fd[1] >= 0 && fd[2] >= 0);
	EXPECT_EQ(0, kfd_mmap_errno(fd[0], 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, 0));
	EXPECT_EQ(0, kfd_mmap_errno(fd[0], PAGE, PROT_READ, MAP_SHARED, PAGE));
	EXPECT_EQ(-EINVAL, kfd_mmap_errno(fd[0], 2 * PAGE, PROT_READ, MAP_SHARED, PAGE));
	EXPECT_EQ(-EINVAL, kfd_mmap_errno(fd[0], 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, 0));
	EXPECT_EQ(-EPERM, kfd_mmap_errno(fd[1], 2 * PAGE, PROT_READ, MAP_SHARED, 0));
	EXPECT_EQ(0, kfd_mmap_errno(fd[1], 2 * PAGE, PROT_NONE, MAP_PRIVATE, 0));
	EXPECT_EQ(0, kfd_mmap_errno(fd[2], 2 * PAGE, PROT_READ, MAP_SHARED, 0));
	EXPECT_EQ(-EACCES, kfd_mmap_errno(fd[2], 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, 0));
	close(fd[0]);
	close(fd[1]);
	close(fd[2]);
}

/* Memory that its owner's GPU cannot write cannot be written by an importer's either. */
TEST_F_TIMEOUT(kfd, read_only_stays_so, 240)
{
	struct kfd_bo bo, other;
	struct kfd_event fault;
	struct kfd_sdma q;
	uint32_t w[8], result = 1;
	int fd;

	ASSERT_EQ(0, kfd_event_create_type(&self->c, KFD_IOC_EVENT_MEMORY, false, &fault));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	ASSERT_EQ(0, kfd_bo_alloc(&self->c, PAGE, KFD_IOC_ALLOC_MEM_FLAGS_VRAM |
				  KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC, &bo));
	fd = kfd_bo_export(&self->c, bo.handle);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, kfd_bo_import(&self->c, fd, &other));
	close(fd);
	memset(bo.cpu, 0x11, PAGE);
	kfd_sdma_put(&q, w, pkt_fill(w, other.cpu, 0x22222222, PAGE));
	kfd_sdma_ring(&q);
	ASSERT_EQ(0, kfd_event_wait(&self->c, &fault, KFD_TIMEOUT_MS, &result));
	EXPECT_EQ(KFD_IOC_WAIT_RESULT_COMPLETE, result);
	EXPECT_TRUE(kfd_all_bytes(bo.cpu, PAGE, 0x11));
}

/* B026: a handle has nothing to do with a descriptor's number, which may be used again. */
TEST_F(kfd, b026_descriptor_number_used_again)
{
	struct kfd_bo a, b, first, second;
	struct engine g;
	int fd, again;

	ASSERT_EQ(0, engine_start(&self->c, &g));
	ASSERT_EQ(0, kfd_bo_vram(&self->c, PAGE, &a));
	ASSERT_EQ(0, kfd_bo_vram(&self->c, PAGE, &b));
	fd = kfd_bo_export(&self->c, a.handle);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, kfd_bo_import(&self->c, fd, &first));
	close(fd);
	again = kfd_bo_export(&self->c, b.handle);
	ASSERT_EQ(fd, again);
	ASSERT_EQ(0, kfd_bo_import(&self->c, again, &second));
	close(again);
	EXPECT_NE(first.handle, second.handle);
	EXPECT_EQ(0, engine_fill(&g, first.cpu, 0xa1a1a1a1, PAGE));
	EXPECT_EQ(0, engine_fill(&g, second.cpu, 0xb2b2b2b2, PAGE));
	EXPECT_TRUE(kfd_all_bytes(a.cpu, PAGE, 0xa1));
	EXPECT_TRUE(kfd_all_bytes(b.cpu, PAGE, 0xb2));
	EXPECT_EQ(0, kfd_bo_free(&self->c, &second));
	EXPECT_EQ(0, engine_fill(&g, first.cpu, 0xa3a3a3a3, PAGE));
	EXPECT_TRUE(kfd_all_bytes(a.cpu, PAGE, 0xa3));
}

/* B035: the pointers of a queue in a buffer that was exported and imported again. */
TEST_F_TIMEOUT(kfd, b035_pointers_in_an_imported_buffer, 240)
{
	struct kfd_ioctl_create_queue_args args = {
		.gpu_id = self->c.gpu_id, .queue_type = KFD_IOC_QUEUE_TYPE_SDMA,
		.queue_percentage = 100, .ring_size = 65536,
	};
	struct kfd_ioctl_destroy_queue_args destroy = { };
	struct kfd_bo ring, owner, imported;
	unsigned int i;
	int fd;

	ASSERT_EQ(0, kfd_bo_user(&self->c, args.ring_size, &ring));
	ASSERT_EQ(0, kfd_bo_gtt(&self->c, PAGE, &owner));
	fd = kfd_bo_export(&self->c, owner.handle);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, kfd_bo_import(&self->c, fd, &imported));
	EXPECT_EQ(0, run_importer(fd));
	memset(owner.cpu, 0, PAGE);
	args.ring_base_address = (uintptr_t)ring.cpu;
	/* By its owner's name and by the importer's, which outlives it. */
	for (i = 0; i < 2; i++) {
		uint8_t *cells = i ? imported.cpu : owner.cpu;

		args.write_pointer_address = (uintptr_t)cells + 8;
		args.read_pointer_address = (uintptr_t)cells + 16;
		ASSERT_EQ(0, kfd_ioctl(self->c.fd, AMDKFD_IOC_CREATE_QUEUE, &args));
		destroy.queue_id = args.queue_id;
		EXPECT_EQ(0, kfd_ioctl(self->c.fd, AMDKFD_IOC_DESTROY_QUEUE, &destroy));
		if (!i)
			ASSERT_EQ(0, kfd_bo_free(&self->c, &owner));
	}
	close(fd);
}

/* ---- passing them on (B124, B125) ---- */

#define IMPORTERS	8
#define ROUNDS		(IMPORTERS * 12)

/* Attach, check, detach until the exporter has gone; 0, or what was wrong. */
static int check_all(int socket)
{
	struct kfd_client c;
	struct kfd_bo bo;
	uint32_t tag;
	int fd, seen = 0;

	if (kfd_client_init(&c, 0))
		return 1;
	while ((fd = kfd_receive_fd(socket, &tag)) >= 0) {
		if (kfd_bo_import(&c, fd, &bo))
			return 2;
		close(fd);
		if (!kfd_all_bytes(bo.cpu, bo.size, tag))
			return 3;
		if (kfd_bo_free(&c, &bo))
			return 4;
		seen++;
	}
	return seen ? 0 : 5;
}

/* B124: exported, sent and freed in a loop, attached by eight: each gets what was sent. */
TEST_F_TIMEOUT(kfd, b124_export_and_attach_at_once, 400)
{
	int pair[2], fd;
	pid_t pid[IMPORTERS];
	unsigned int i;

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair));
	for (i = 0; i < IMPORTERS; i++) {
		pid[i] = fork();
		if (!pid[i]) {
			close(pair[0]);
			_exit(check_all(pair[1]));
		}
	}
	close(pair[1]);
	for (i = 0; i < ROUNDS; i++) {
		struct kfd_bo bo;

		ASSERT_EQ(0, i & 1 ? kfd_bo_gtt(&self->c, 4 * PAGE, &bo) :
				     kfd_bo_vram(&self->c, 4 * PAGE, &bo));
		memset(bo.cpu, i + 1, bo.size);
		fd = kfd_bo_export(&self->c, bo.handle);
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, kfd_send_fd(pair[0], fd, i + 1));
		close(fd);
		ASSERT_EQ(0, kfd_bo_free(&self->c, &bo));
	}
	close(pair[0]);
	for (i = 0; i < IMPORTERS; i++) {
		int status = child_status(pid[i]);

		/* The others may have taken all there was. */
		EXPECT_TRUE(!status || status == 5) TH_LOG("importer %u: %d", i, status);
	}
}

/* B125: sizes around 2 GiB and beyond; what stands at the end is at the end. */
TEST_F_TIMEOUT(kfd, b125_large_sizes, 240)
{
	static const uint64_t sizes[] = { 2 * GIB - 1, 2 * GIB, 5 * GIB };
	struct kfd_ioctl_get_dmabuf_info_args info;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		uint64_t size = (sizes[i] + PAGE - 1) & -PAGE, handle;
		struct kfd_bo bo;
		uint8_t *last;
		int fd;

		if (kfd_available(&self->c) < size)
			SKIP(return, "less VRAM than %lu", size);
		ASSERT_EQ(0, alloc_raw(&self->c, sizes[i], PUBLIC_VRAM, &handle));
		fd = kfd_bo_export(&self->c, handle);
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, info_of(&self->c, fd, &info));
		EXPECT_EQ(size, info.size);
		last = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, size - PAGE);
		ASSERT_NE(MAP_FAILED, last);
		last[PAGE - 1] = 0x42;
		ASSERT_EQ(0, kfd_bo_import(&self->c, fd, &bo));
		close(fd);
		EXPECT_EQ(0x42, bo.cpu[size - 1]);
		munmap(last, PAGE);
		EXPECT_EQ(0, kfd_bo_free(&self->c, &bo));
		EXPECT_EQ(0, free_raw(&self->c, handle));
	}
}

/* B125: the exporter dies between the announcement and the descriptor: an end, no hang. */
TEST_F(kfd, b125_exporter_dies)
{
	int pair[2];
	uint32_t tag;
	pid_t pid;

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair));
	pid = fork();
	if (!pid) {
		struct kfd_client c;
		struct kfd_bo bo;

		if (kfd_client_init(&c, 0) || kfd_bo_vram(&c, MIB, &bo) ||
		    kfd_bo_export(&c, bo.handle) < 0)
			_exit(1);
		kill(getpid(), SIGKILL);
	}
	close(pair[1]);
	EXPECT_EQ(-1, kfd_receive_fd(pair[0], &tag));
	EXPECT_EQ(256 + SIGKILL, child_status(pid));
	close(pair[0]);
}

/* B127: exported, attached by nobody, freed: it is there again at once, ten GPUs' worth. */
TEST_F_TIMEOUT(kfd, b127_export_keeps_nothing, 240)
{
	long long before = kfd_available(&self->c), passed = 0;
	uint64_t handle;
	int fd;

	while (passed < 10 * bank_size(&self->c)) {
		ASSERT_EQ(0, alloc_vram(&self->c, before, &handle));
		fd = kfd_bo_export(&self->c, handle);
		ASSERT_LE(0, fd);
		close(fd);
		ASSERT_EQ(0, free_raw(&self->c, handle));
		ASSERT_EQ(before, kfd_available(&self->c));
		passed += before;
	}
}

/* ---- killed at any time ---- */

/* Both sides at once, for ever. */
static void share_for_ever(int in, int out)
{
	struct kfd_client c;
	struct kfd_bo bo, got;
	uint32_t tag;
	int fd;

	if (kfd_client_init(&c, 0))
		_exit(1);
	for (;;) {
		if (kfd_bo_vram(&c, 64 * 1024, &bo))
			_exit(2);
		fd = kfd_bo_export(&c, bo.handle);
		if (fd < 0 || kfd_send_fd(out, fd, 1))
			_exit(3);
		close(fd);
		fd = kfd_receive_fd(in, &tag);
		if (fd < 0 || kfd_bo_import(&c, fd, &got))
			_exit(4);
		close(fd);
		got.cpu[0] = 1;
		if (kfd_bo_free(&c, &bo) || kfd_bo_free(&c, &got))
			_exit(5);
	}
}

/* What each of two had goes with it, whatever it was doing. KFD_COUNTS_TEST counts. */
TEST_F_TIMEOUT(kfd, killed_while_sharing, 240)
{
	unsigned int round;

	for (round = 0; round < 6; round++) {
		int ab[2], ba[2];
		pid_t a, b;

		ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ab));
		ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ba));
		a = fork();
		if (!a)
			share_for_ever(ba[0], ab[1]);
		b = fork();
		if (!b)
			share_for_ever(ab[0], ba[1]);
		close(ab[0]);
		close(ab[1]);
		close(ba[0]);
		close(ba[1]);
		usleep(20000 * (round + 1) * kfd_time_scale());
		kill(round & 1 ? a : b, SIGKILL);
		usleep(5000 * (round % 3));
		kill(round & 1 ? b : a, SIGKILL);
		EXPECT_EQ(256 + SIGKILL, child_status(round & 1 ? a : b));
		EXPECT_EQ(256 + SIGKILL, child_status(round & 1 ? b : a));
	}
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
