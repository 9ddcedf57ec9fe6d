// SPDX-License-Identifier: GPL-2.0-only
/*
 * One process, two GPUs, as the runtime uses them: host memory is allocated through
 * the first and mapped on both (S0.94).
 *
 * vm: modules="carillon_vgpu gpus=vega10:cu=4+vega10:cu=4;carillon" timeout=600
 */
#include "kfd_harness.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define SIZE	(1ul << 20)
#define KINDS	2

/*
 * @c: one a GPU; they share the process, its address space and the event page
 * @shared: GTT and USERPTR memory of the first GPU, mapped on both
 * @own: VRAM of each
 */
FIXTURE(two) {
	struct kfd_client c[2];
	struct kfd_sdma q[2];
	struct kfd_event e[2];
	struct kfd_bo shared[KINDS], own[2];
};

FIXTURE_SETUP(two)
{
	unsigned int i;

	if (kfd_num_nodes() < 3)
		SKIP(return, "fewer than two GPUs");
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, kfd_client_init(&self->c[i], i));
	ASSERT_EQ(0, kfd_event_create(&self->c[0], &self->e[0]));
	ASSERT_EQ(0, kfd_map(&self->c[1], self->c[0].event_page_bo));
	self->c[1].event_page = self->c[0].event_page;
	ASSERT_EQ(0, kfd_event_create(&self->c[1], &self->e[1]));
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, kfd_sdma_create(&self->c[i], &self->q[i]));
		ASSERT_EQ(0, kfd_bo_vram(&self->c[i], SIZE, &self->own[i]));
	}
	ASSERT_EQ(0, kfd_bo_gtt(&self->c[0], SIZE, &self->shared[0]));
	ASSERT_EQ(0, kfd_bo_user(&self->c[0], SIZE, &self->shared[1]));
	for (i = 0; i < KINDS; i++)
		ASSERT_EQ(0, kfd_map(&self->c[1], self->shared[i].handle));
}

FIXTURE_TEARDOWN(two)
{
	self->c[1].event_page = NULL;
	kfd_client_close(&self->c[1]);
	kfd_client_close(&self->c[0]);
}

static int copy(FIXTURE_DATA(two) *t, unsigned int gpu, const void *dst, const void *src)
{
	return kfd_sdma_copy_wait(&t->q[gpu], &t->e[gpu], dst, src, SIZE);
}

/* Byte @i of what is sent with @seed. */
static uint8_t byte_of(uint64_t i, unsigned int seed)
{
	return (i + seed) * 0x9e3779b97f4a7c15ull >> 56;
}

static void fill(uint8_t *p, unsigned int seed)
{
	uint64_t i;

	for (i = 0; i < SIZE; i++)
		p[i] = byte_of(i, seed);
}

static bool holds(const uint8_t *p, unsigned int seed)
{
	uint64_t i;

	for (i = 0; i < SIZE; i++)
		if (p[i] != byte_of(i, seed))
			return false;
	return true;
}

/* The CPU writes, GPU @from takes it into VRAM and GPU @to brings its own back. */
static bool carries(FIXTURE_DATA(two) *t, uint8_t *mem, unsigned int from, unsigned int to,
		    unsigned int seed)
{
	fill(mem, seed);
	if (copy(t, from, t->own[from].cpu, mem) || !holds(t->own[from].cpu, seed))
		return false;
	fill(t->own[to].cpu, seed + 1);
	return !copy(t, to, mem, t->own[to].cpu) && holds(mem, seed + 1);
}

/* Ranges that this process unmapped under a GPU, as the driver counts them. */
static long lost_ranges(void)
{
	FILE *f = fopen("/sys/kernel/debug/carillon/processes", "r");
	char line[512], *at, want[32];
	long n = -1;

	if (!f)
		return -1;
	snprintf(want, sizeof(want), "pid %d comm ", getpid());
	while (n < 0 && fgets(line, sizeof(line), f)) {
		at = strstr(line, "lost_ranges ");
		if (at && !strncmp(line, want, strlen(want)))
			n = atol(at + strlen("lost_ranges "));
	}
	fclose(f);
	return n;
}

/* Each GPU reads and writes memory that the first allocated; GPU to GPU through it. */
TEST_F_TIMEOUT(two, both_use_it, 300)
{
	unsigned int i;

	for (i = 0; i < KINDS; i++) {
		uint8_t *mem = self->shared[i].cpu;

		EXPECT_TRUE(carries(self, mem, 0, 1, 3 * i));
		EXPECT_TRUE(carries(self, mem, 1, 0, 3 * i + 5));
		EXPECT_TRUE(carries(self, mem, 1, 1, 3 * i + 9));
	}
	/* From one kind to the other, by the GPU that allocated neither. */
	fill(self->shared[0].cpu, 77);
	EXPECT_EQ(0, copy(self, 1, self->shared[1].cpu, self->shared[0].cpu));
	EXPECT_TRUE(holds(self->shared[1].cpu, 77));
}

/* Memory that goes under both GPUs is lost once, and again after it was mapped anew. */
TEST_F_TIMEOUT(two, lost_once, 300)
{
	struct kfd_bo *user = &self->shared[1];
	unsigned int round, i;

	if (lost_ranges() < 0)
		SKIP(return, "no debugfs");
	for (round = 1; round <= 2; round++) {
		ASSERT_EQ(0, munmap(user->cpu, SIZE));
		/* The queues go on once both GPUs have given the pages up. */
		for (i = 0; i < 2; i++)
			ASSERT_EQ(0, copy(self, i, self->own[i].cpu, self->shared[0].cpu));
		EXPECT_EQ(round, lost_ranges());
		ASSERT_EQ(user->cpu, mmap(user->cpu, SIZE, PROT_READ | PROT_WRITE,
					  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
		for (i = 0; i < 2; i++) {
			ASSERT_EQ(0, kfd_unmap(&self->c[i], user->handle));
			ASSERT_EQ(0, kfd_map(&self->c[i], user->handle));
		}
		EXPECT_TRUE(carries(self, user->cpu, 0, 1, round));
	}
}

/* User pages that both GPUs have go while both copy; later copies see the new ones. */
TEST_F_TIMEOUT(two, dontneed_under_both, 400)
{
	uint8_t *mem = self->shared[1].cpu;
	unsigned int round, i, k;

	for (round = 0; round < 16; round++) {
		fill(mem, round);
		for (i = 0; i < 2; i++) {
			uint32_t w[8];

			for (k = 0; k < 4; k++)
				kfd_sdma_put(&self->q[i], w,
					     pkt_copy(w, self->own[i].cpu, mem, SIZE));
			kfd_sdma_signal(&self->q[i], &self->e[i]);
			kfd_sdma_ring(&self->q[i]);
		}
		ASSERT_EQ(0, madvise(mem, SIZE, MADV_DONTNEED));
		fill(mem, round + 1000);
		for (i = 0; i < 2; i++) {
			uint32_t result;

			ASSERT_EQ(0, kfd_event_wait(&self->c[i], &self->e[i], KFD_TIMEOUT_MS,
						    &result));
			ASSERT_EQ(0, result);
			ASSERT_EQ(0, copy(self, i, self->own[i].cpu, mem));
			ASSERT_TRUE(holds(self->own[i].cpu, round + 1000));
		}
	}
	EXPECT_TRUE(carries(self, mem, 1, 0, 5));
}

/* Unmapped on one GPU, the other goes on, whichever it is; then mapped again. */
TEST_F_TIMEOUT(two, unmap_from_one, 300)
{
	long long maps = kfd_count("buffer_mappings");
	unsigned int gone, i;

	for (i = 0; i < KINDS; i++) {
		uint64_t handle = self->shared[i].handle;

		for (gone = 0; gone < 2; gone++) {
			EXPECT_EQ(0, kfd_unmap(&self->c[gone], handle));
			EXPECT_EQ(0, kfd_unmap(&self->c[gone], handle));
			EXPECT_EQ(maps - 1, kfd_count("buffer_mappings"));
			EXPECT_TRUE(carries(self, self->shared[i].cpu, !gone, !gone, gone));
			EXPECT_EQ(0, kfd_map(&self->c[gone], handle));
			EXPECT_EQ(0, kfd_map(&self->c[gone], handle));
			EXPECT_TRUE(carries(self, self->shared[i].cpu, gone, !gone, gone + 7));
		}
	}
	EXPECT_EQ(maps, kfd_count("buffer_mappings"));
}

/* FREE while a GPU maps it, either one, is refused and changes nothing. */
TEST_F_TIMEOUT(two, free, 300)
{
	struct kfd_ioctl_free_memory_of_gpu_args f;
	unsigned int i;

	for (i = 0; i < KINDS; i++) {
		f.handle = self->shared[i].handle;
		EXPECT_EQ(-EBUSY, kfd_ioctl(self->c[0].fd, AMDKFD_IOC_FREE_MEMORY_OF_GPU, &f));
		EXPECT_EQ(0, kfd_unmap(&self->c[0], f.handle));
		EXPECT_EQ(-EBUSY, kfd_ioctl(self->c[0].fd, AMDKFD_IOC_FREE_MEMORY_OF_GPU, &f));
		EXPECT_TRUE(carries(self, self->shared[i].cpu, 1, 1, i));
		EXPECT_EQ(0, kfd_unmap(&self->c[1], f.handle));
		EXPECT_EQ(0, kfd_ioctl(self->c[0].fd, AMDKFD_IOC_FREE_MEMORY_OF_GPU, &f));
		EXPECT_EQ(-EINVAL, kfd_map(&self->c[1], f.handle));
	}
}

/* Memory that the second GPU allocated, and user pages that are gone. */
TEST_F_TIMEOUT(two, other_way_round, 300)
{
	struct kfd_bo bo[KINDS];
	unsigned int i;

	ASSERT_EQ(0, kfd_bo_gtt(&self->c[1], SIZE, &bo[0]));
	ASSERT_EQ(0, kfd_bo_user(&self->c[1], SIZE, &bo[1]));
	for (i = 0; i < KINDS; i++) {
		ASSERT_EQ(0, kfd_map(&self->c[0], bo[i].handle));
		EXPECT_TRUE(carries(self, bo[i].cpu, 0, 1, i));
		EXPECT_EQ(0, kfd_unmap(&self->c[0], bo[i].handle));
	}
	ASSERT_EQ(0, munmap(bo[1].cpu, SIZE / 2));
	EXPECT_EQ(-EFAULT, kfd_map(&self->c[0], bo[1].handle));
	for (i = 0; i < KINDS; i++)
		EXPECT_EQ(0, kfd_bo_free(&self->c[1], &bo[i]));
}

/* VRAM, doorbells and registers are for their own GPU. */
TEST_F(two, behind_a_bar)
{
	static const struct {
		uint32_t flag;
		uint64_t size;
	} kind[] = {
		{ KFD_IOC_ALLOC_MEM_FLAGS_VRAM, SIZE },
		{ KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL, KFD_DOORBELL_SLICE },
		{ KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP, 4096 },
	};
	struct kfd_bo bo;
	unsigned int i, gpu;

	for (i = 0; i < ARRAY_SIZE(kind); i++) {
		for (gpu = 0; gpu < 2; gpu++) {
			struct kfd_client *c = &self->c[gpu], *other = &self->c[!gpu];

			ASSERT_EQ(0, kfd_bo_alloc(c, kind[i].size, kind[i].flag, &bo));
			EXPECT_EQ(-EINVAL, kfd_map(other, bo.handle));
			EXPECT_EQ(0, kfd_bo_free(c, &bo));
		}
	}
}

/* n_success stops at the GPU that refuses; what came before stays mapped. */
TEST_F(two, list_stops_at_refusal)
{
	uint32_t ids[] = { self->c[0].gpu_id, self->c[1].gpu_id };
	struct kfd_ioctl_map_memory_to_gpu_args args = {
		.handle = self->own[0].handle,
		.device_ids_array_ptr = (uintptr_t)ids,
		.n_devices = 2,
	};

	EXPECT_EQ(-EINVAL, kfd_ioctl(self->c[0].fd, AMDKFD_IOC_MAP_MEMORY_TO_GPU, &args));
	EXPECT_EQ(1, args.n_success);
	args.handle = self->shared[0].handle;
	args.n_success = 0;
	EXPECT_EQ(0, kfd_ioctl(self->c[0].fd, AMDKFD_IOC_MAP_MEMORY_TO_GPU, &args));
	EXPECT_EQ(2, args.n_success);
}

/* The process ends with copies of both under way; back_at_start sees what stays. */
TEST_F_TIMEOUT(two, exit_under_copies, 300)
{
	unsigned int i, k;

	for (i = 0; i < 2; i++) {
		uint32_t w[8];

		for (k = 0; k < 64; k++)
			kfd_sdma_put(&self->q[i], w, pkt_copy(w, self->shared[k % KINDS].cpu,
							      self->own[i].cpu, SIZE));
		kfd_sdma_ring(&self->q[i]);
	}
	EXPECT_EQ(0, madvise(self->shared[1].cpu, SIZE, MADV_DONTNEED));
}

/* Name of the PCI function of a client's GPU. */
static void function_of(const struct kfd_client *c, char *name, size_t size)
{
	long long domain, location;
	char path[128];

	snprintf(path, sizeof(path), "/sys/devices/virtual/kfd/kfd/topology/nodes/%u/properties",
		 c->node);
	domain = kfd_prop(path, "domain");
	location = kfd_prop(path, "location_id");
	snprintf(name, size, "%04llx:%02llx:%02llx.%llx", domain, location >> 8,
		 location >> 3 & 0x1f, location & 7);
}

static int driver_write(const char *file, const char *name)
{
	char path[128];
	int fd, ret = 0;

	snprintf(path, sizeof(path), "/sys/bus/pci/drivers/carillon/%s", file);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		return -errno;
	if (write(fd, name, strlen(name)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

/* Enough copies to last a while keep @gpu busy with the shared memory. */
static void keep_busy(FIXTURE_DATA(two) *t, unsigned int gpu)
{
	uint32_t w[8];
	unsigned int k;

	for (k = 0; k < 256; k++)
		kfd_sdma_put(&t->q[gpu], w, pkt_copy(w, t->own[gpu].cpu,
						     t->shared[k % KINDS].cpu, SIZE));
	kfd_sdma_ring(&t->q[gpu]);
}

/* Of a dma-buf: GTT memory is any GPU's, VRAM its own GPU's; flags and names are the owner's. */
TEST_F_TIMEOUT(two, dma_buf_for_the_other, 300)
{
	struct kfd_ioctl_get_dmabuf_info_args info = { };
	struct kfd_ioctl_import_dmabuf_args import = { .gpu_id = self->c[1].gpu_id };
	struct kfd_bo gtt;
	int fd[2];

	fd[0] = kfd_bo_export(&self->c[0], self->shared[0].handle);
	fd[1] = kfd_bo_export(&self->c[0], self->own[0].handle);
	ASSERT_TRUE(fd[0] >= 0 && fd[1] >= 0);
	info.dmabuf_fd = fd[0];
	ASSERT_EQ(0, kfd_ioctl(self->c[1].fd, AMDKFD_IOC_GET_DMABUF_INFO, &info));
	EXPECT_EQ(self->c[0].gpu_id, info.gpu_id);
	ASSERT_EQ(0, kfd_bo_import(&self->c[1], fd[0], &gtt));
	fill(self->shared[0].cpu, 21);
	EXPECT_EQ(0, copy(self, 1, self->own[1].cpu, gtt.cpu));
	EXPECT_TRUE(holds(self->own[1].cpu, 21));
	fill(self->own[1].cpu, 22);
	EXPECT_EQ(0, copy(self, 1, gtt.cpu, self->own[1].cpu));
	EXPECT_TRUE(holds(self->shared[0].cpu, 22));
	import.dmabuf_fd = fd[1];
	EXPECT_EQ(-EINVAL, kfd_ioctl(self->c[1].fd, AMDKFD_IOC_IMPORT_DMABUF, &import));
	/* Imported from there it can be passed on, and outlives its owner's buffer. */
	close(fd[0]);
	fd[0] = kfd_bo_export(&self->c[1], gtt.handle);
	EXPECT_LE(0, fd[0]);
	EXPECT_EQ(0, kfd_unmap(&self->c[1], self->shared[0].handle));
	EXPECT_EQ(0, kfd_bo_free(&self->c[0], &self->shared[0]));
	EXPECT_EQ(0, copy(self, 1, self->own[1].cpu, gtt.cpu));
	EXPECT_TRUE(holds(self->own[1].cpu, 22));
	EXPECT_EQ(0, kfd_bo_free(&self->c[1], &gtt));
	close(fd[0]);
	close(fd[1]);
}

/* The GPU that maps but did not allocate goes: the other does not notice. */
TEST_F_TIMEOUT(two, peer_is_unbound, 300)
{
	char name[32];
	unsigned int i;

	function_of(&self->c[1], name, sizeof(name));
	keep_busy(self, 1);
	ASSERT_EQ(0, driver_write("unbind", name)) TH_LOG("%s", name);
	for (i = 0; i < KINDS; i++) {
		EXPECT_TRUE(carries(self, self->shared[i].cpu, 0, 0, i));
		EXPECT_GT(0, kfd_map(&self->c[1], self->shared[i].handle));
		EXPECT_EQ(0, kfd_bo_free(&self->c[0], &self->shared[i]));
	}
	EXPECT_EQ(0, driver_write("bind", name));
}

/* The GPU that allocated goes, and its buffers with it, under copies of the other. */
TEST_F_TIMEOUT(two, owner_is_unbound, 300)
{
	struct kfd_bo mine;
	char name[32];
	uint32_t w[8];

	function_of(&self->c[0], name, sizeof(name));
	ASSERT_EQ(0, kfd_bo_user(&self->c[1], SIZE, &mine));
	ASSERT_EQ(0, kfd_map(&self->c[0], mine.handle));
	keep_busy(self, 0);
	ASSERT_EQ(0, driver_write("unbind", name)) TH_LOG("%s", name);
	EXPECT_GT(0, kfd_map(&self->c[1], self->shared[0].handle));
	fill(mine.cpu, 3);
	kfd_sdma_put(&self->q[1], w, pkt_copy(w, self->own[1].cpu, mine.cpu, SIZE));
	kfd_sdma_ring(&self->q[1]);
	EXPECT_EQ(0, kfd_sdma_idle(&self->q[1], 20000));
	EXPECT_TRUE(holds(self->own[1].cpu, 3));
	EXPECT_EQ(0, kfd_bo_free(&self->c[1], &mine));
	EXPECT_EQ(0, driver_write("bind", name));
}

/* The child of this test is the client, so that it can be killed from outside. */
TEST(kill_9)
{
	FIXTURE_DATA(two) t;
	int status, ready[2];
	char byte;
	pid_t pid;

	if (kfd_num_nodes() < 3)
		SKIP(return, "fewer than two GPUs");
	ASSERT_EQ(0, pipe(ready));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		unsigned int i;

		memset(&t, 0, sizeof(t));
		for (i = 0; i < 2; i++)
			if (kfd_client_init(&t.c[i], i))
				_exit(1);
		if (kfd_bo_gtt(&t.c[0], SIZE, &t.shared[0]) ||
		    kfd_bo_user(&t.c[0], SIZE, &t.shared[1]))
			_exit(2);
		for (i = 0; i < KINDS; i++)
			if (kfd_map(&t.c[1], t.shared[i].handle))
				_exit(3);
		if (kfd_sdma_create(&t.c[1], &t.q[1]))
			_exit(4);
		for (i = 0; i < 256; i++) {
			uint32_t w[8];

			kfd_sdma_put(&t.q[1], w, pkt_copy(w, t.shared[i & 1].cpu,
							  t.shared[!(i & 1)].cpu, SIZE));
		}
		kfd_sdma_ring(&t.q[1]);
		if (write(ready[1], "", 1) != 1)
			_exit(5);
		pause();
		_exit(6);
	}
	close(ready[1]);
	ASSERT_EQ(1, read(ready[0], &byte, 1));
	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
