// SPDX-License-Identifier: MIT
/* DOC: allocation, mapping, registration, scratch, pointer queries. */
#include <errno.h>
#include <linux/kfd_ioctl.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "fake_kfd.h"
#include "fixture.h"
#include "hsakmt/hsakmt.h"
#include "thunk_test.h"

#define MMAP	0x100
#define KIB64	0x10000
#define COMMON	((uint32_t)(KFD_IOC_ALLOC_MEM_FLAGS_NO_SUBSTITUTE |	\
			    KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE |	\
			    KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE))

static const HsaMemFlags host = { .ui32 = { .HostAccess = 1 } };
static const HsaMemFlags vram = { .ui32 = { .NonPaged = 1, .HostAccess = 1, .CoarseGrain = 1 } };
static const HsaMemFlags hidden = { .ui32 = { .NonPaged = 1 } };
static const HsaMemFlags scratch = { .ui32 = { .Scratch = 1 } };

static uint32_t base_bos;

static void start(const char *name, uint32_t gpus)
{
	fake_kfd_install(fixture_load(name), gpus);
	CHECK_EQ(0, hsaKmtOpenKFD());
	base_bos = fake.bos;
}

static void finish(void)
{
	CHECK_EQ(base_bos, fake.bos);
	CHECK_EQ(0, hsaKmtCloseKFD());
	CHECK_EQ(0, fake.bos);
}

TEST(host_memory, "anonymous pages as user memory: flags, sequence, contents, free")
{
	unsigned int from;
	HSAuint64 alternate;
	char *p;

	start("vega10", 1);
	from = fake.log_len;
	CHECK_EQ(0, hsaKmtAllocMemory(0, KIB64, host, (void **)&p));
	CHECK_EQ(COMMON | KFD_IOC_ALLOC_MEM_FLAGS_USERPTR |
		 (uint32_t)KFD_IOC_ALLOC_MEM_FLAGS_COHERENT, fake.last_alloc_flags);
	CHECK_EQ(0, (uintptr_t)p % KIB64);
	CHECK(p[0] == 0 && p[KIB64 - 1] == 0);
	memset(p, 1, KIB64);
	CHECK_EQ(0, hsaKmtMapMemoryToGPU(p, KIB64, &alternate));
	CHECK_EQ(0, alternate);
	CHECK_EQ(0, hsaKmtUnmapMemoryToGPU(p));
	CHECK_EQ(0, hsaKmtFreeMemory(p, KIB64));
	CHECK(fake_log_is(from, 0x16, 0x18, 0x19, 0x17, 0));
	CHECK_EQ(HSAKMT_STATUS_MEMORY_NOT_REGISTERED, hsaKmtFreeMemory(p, KIB64));
	finish();
}

TEST(host_memory_as_gtt, "HSA_USERPTR_FOR_PAGED_MEM=0 makes host memory a GTT buffer")
{
	unsigned int from;
	void *p;

	setenv("HSA_USERPTR_FOR_PAGED_MEM", "0", 1);
	start("vega10", 1);
	from = fake.log_len;
	CHECK_EQ(0, hsaKmtAllocMemory(0, 4096, host, &p));
	CHECK(fake_log_is(from, 0x16, MMAP, 0));
	CHECK(fake.last_alloc_flags & KFD_IOC_ALLOC_MEM_FLAGS_GTT);
	CHECK_EQ(0, hsaKmtFreeMemory(p, 4096));
	finish();
}

TEST(vram, "VRAM for the CPU is public and mapped; hidden VRAM is a placeholder without access")
{
	unsigned int from;
	char *p;

	start("vega10", 1);
	from = fake.log_len;
	CHECK_EQ(0, hsaKmtAllocMemory(1, 2 << 20, vram, (void **)&p));
	CHECK_EQ(COMMON | KFD_IOC_ALLOC_MEM_FLAGS_VRAM |
		 (uint32_t)KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC, fake.last_alloc_flags);
	CHECK_EQ(0, (uintptr_t)p % (2 << 20));
	p[0] = 1;
	CHECK(fake_log_is(from, 0x16, MMAP, 0));
	CHECK_EQ(0, hsaKmtFreeMemory(p, 2 << 20));
	CHECK_EQ(0, hsaKmtAllocMemory(1, 4096, hidden, (void **)&p));
	CHECK_EQ(COMMON | KFD_IOC_ALLOC_MEM_FLAGS_VRAM |
		 (uint32_t)KFD_IOC_ALLOC_MEM_FLAGS_COHERENT, fake.last_alloc_flags);
	CHECK_EQ(0, hsaKmtFreeMemory(p, 4096));
	finish();
}

TEST(disable_cache, "HSA_DISABLE_CACHE makes all coherent and uncached")
{
	void *p;

	setenv("HSA_DISABLE_CACHE", "1", 1);
	start("vega10", 1);
	CHECK_EQ(0, hsaKmtAllocMemory(1, 4096, vram, &p));
	CHECK(fake.last_alloc_flags & KFD_IOC_ALLOC_MEM_FLAGS_COHERENT);
	CHECK(fake.last_alloc_flags & KFD_IOC_ALLOC_MEM_FLAGS_UNCACHED);
	CHECK_EQ(0, hsaKmtFreeMemory(p, 4096));
	finish();
}

/* What the KFD is asked for, and both halves are the CPU's; a VM shows that they are one. */
static void check_twice(HSAuint32 node, HsaMemFlags wish, uint32_t kind)
{
	uint32_t asked = kind | (uint32_t)KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM;
	unsigned int from = fake.log_len;
	HsaPointerInfo info;
	HSAuint64 offset;
	char *p;
	int fd;

	wish.ui32.AQLQueueMemory = 1;
	CHECK_EQ(0, hsaKmtAllocMemory(node, KIB64, wish, (void **)&p));
	CHECK(fake_log_is(from, 0x16, MMAP, MMAP, 0));
	CHECK_EQ(asked, fake.last_alloc_flags & asked);
	memset(p, 1, 2 * KIB64);
	CHECK_EQ(0, hsaKmtQueryPointerInfo(p, &info));
	CHECK_EQ(2 * KIB64, info.SizeInBytes);
	CHECK_EQ(0, hsaKmtMapMemoryToGPU(p, KIB64, &offset));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtExportDMABufHandle(p, 2 * KIB64, &fd, &offset));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtExportDMABufHandle(p + KIB64, 1, &fd, &offset));
	CHECK_EQ(0, hsaKmtUnmapMemoryToGPU(p));
	CHECK_EQ(0, hsaKmtFreeMemory(p, KIB64));
}

TEST(twice, "AQLQueueMemory: memory that is seen twice, back to back")
{
	HsaMemFlags paged = host;

	start("vega10", 1);
	check_twice(0, paged, KFD_IOC_ALLOC_MEM_FLAGS_GTT);
	paged.ui32.NonPaged = 1;
	check_twice(0, paged, KFD_IOC_ALLOC_MEM_FLAGS_GTT);
	check_twice(1, vram, KFD_IOC_ALLOC_MEM_FLAGS_VRAM);
	finish();
}

TEST(bad_allocations, "sizes, nodes, addresses and flags that are refused at once")
{
	HsaMemFlags fixed = host;
	HsaMemFlags twice = scratch;
	void *p = NULL;
	int calls;

	start("vega10", 1);
	calls = fake.calls;
	fixed.ui32.FixedAddress = 1;
	twice.ui32.AQLQueueMemory = 1;
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtAllocMemory(0, 0, host, &p));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtAllocMemory(0, 100, host, &p));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtAllocMemory(0, 4096, host, NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtAllocMemory(0, 4096, fixed, &p));
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, hsaKmtAllocMemory(1, 4096, twice, &p));
	CHECK_EQ(HSAKMT_STATUS_INVALID_NODE_UNIT, hsaKmtAllocMemory(9, 4096, host, &p));
	CHECK_EQ(HSAKMT_STATUS_INVALID_NODE_UNIT, hsaKmtAllocMemory(0, 4096, scratch, &p));
	CHECK_EQ(HSAKMT_STATUS_NO_MEMORY, hsaKmtAllocMemory(0, ~0xfffULL, host, &p));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtFreeMemory(NULL, 0));
	CHECK_EQ(calls, fake.calls);
	finish();
}

TEST(fixed_address, "a free address is taken, a used one refused")
{
	HsaMemFlags flags = host;
	void *p, *again;

	start("vega10", 1);
	CHECK_EQ(0, hsaKmtAllocMemory(0, KIB64, host, &p));
	CHECK_EQ(0, hsaKmtFreeMemory(p, KIB64));
	flags.ui32.FixedAddress = 1;
	again = p;
	CHECK_EQ(0, hsaKmtAllocMemory(0, KIB64, flags, &again));
	CHECK(again == p);
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtAllocMemory(0, KIB64, flags, &again));
	CHECK_EQ(0, hsaKmtFreeMemory(p, KIB64));
	finish();
}

TEST(map_nodes, "a list maps there and nowhere else; repeated, it asks nothing of the driver")
{
	HsaMemMapFlags none = { .Value = 0 };
	HSAuint32 both[] = { 1, 2 };
	HSAuint32 second[] = { 2 };
	HSAuint32 cpu[] = { 0 };
	HsaPointerInfo info;
	unsigned int from;
	void *p;

	start("two_gpus", 2);
	CHECK_EQ(0, hsaKmtAllocMemory(1, 4096, vram, &p));
	CHECK_EQ(0, hsaKmtMapMemoryToGPUNodes(p, 4096, NULL, none, 2, both));
	CHECK_EQ(0, hsaKmtQueryPointerInfo(p, &info));
	CHECK_EQ(2, info.NMappedNodes);
	CHECK(info.MappedNodes[0] == 1 && info.MappedNodes[1] == 2);
	from = fake.log_len;
	CHECK_EQ(0, hsaKmtMapMemoryToGPUNodes(p, 4096, NULL, none, 2, both));
	CHECK_EQ(from, fake.log_len);
	CHECK_EQ(0, hsaKmtMapMemoryToGPUNodes(p, 4096, NULL, none, 1, second));
	CHECK(fake_log_is(from, 0x19, 0));
	CHECK_EQ(0, hsaKmtQueryPointerInfo(p, &info));
	CHECK_EQ(1, info.NMappedNodes);
	CHECK_EQ(2, info.MappedNodes[0]);
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtMapMemoryToGPUNodes(p, 4096, NULL, none, 1, cpu));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtMapMemoryToGPUNodes(p, 4096, NULL, none, 0, both));
	CHECK_EQ(HSAKMT_STATUS_MEMORY_NOT_REGISTERED,
		 hsaKmtMapMemoryToGPUNodes(&info, 8, NULL, none, 1, second));
	CHECK_EQ(0, hsaKmtUnmapMemoryToGPU(p));
	CHECK_EQ(0, hsaKmtUnmapMemoryToGPU(p));
	CHECK_EQ(0, hsaKmtUnmapMemoryToGPU(NULL));
	CHECK_EQ(0, hsaKmtFreeMemory(p, 4096));
	finish();
}

TEST(register_user, "own memory gets a GPU address; counts of registering and mapping")
{
	static char buffer[3 * 4096];
	HSAuint64 gpu_va = 0, again = 0;
	HsaPointerInfo info;
	char *start_of = buffer + 100;

	start("vega10", 1);
	CHECK_EQ(0, hsaKmtRegisterMemoryWithFlags(start_of, 5000, host));
	CHECK(fake.last_alloc_flags & KFD_IOC_ALLOC_MEM_FLAGS_COHERENT);
	CHECK_EQ(0, hsaKmtRegisterMemoryWithFlags(start_of, 5000, host));
	CHECK_EQ(base_bos + 1, fake.bos);
	CHECK_EQ(0, hsaKmtMapMemoryToGPU(start_of, 5000, &gpu_va));
	CHECK_EQ((uintptr_t)start_of % 4096, gpu_va % 4096);
	CHECK_EQ(0, hsaKmtMapMemoryToGPU(start_of, 5000, &again));
	CHECK_EQ(gpu_va, again);
	CHECK_EQ(2, fake.count[0x18]);
	CHECK_EQ(0, hsaKmtQueryPointerInfo(start_of + 4999, &info));
	CHECK_EQ(HSA_POINTER_REGISTERED_USER, info.Type);
	CHECK(info.CPUAddress == start_of);
	CHECK_EQ(gpu_va, info.GPUAddress);
	CHECK_EQ(5000, info.SizeInBytes);
	CHECK_EQ(0, hsaKmtQueryPointerInfo((void *)(uintptr_t)gpu_va, &info));
	CHECK_EQ(HSA_POINTER_REGISTERED_USER, info.Type);
	CHECK_EQ(HSAKMT_STATUS_ERROR, hsaKmtQueryPointerInfo(start_of + 5000, &info));
	CHECK_EQ(HSA_POINTER_UNKNOWN, info.Type);
	CHECK_EQ(0, hsaKmtUnmapMemoryToGPU(start_of));
	CHECK_EQ(0, fake.count[0x19]);
	CHECK_EQ(0, hsaKmtUnmapMemoryToGPU(start_of));
	CHECK_EQ(1, fake.count[0x19]);
	CHECK_EQ(0, hsaKmtDeregisterMemory(start_of));
	CHECK_EQ(base_bos + 1, fake.bos);
	CHECK_EQ(0, hsaKmtDeregisterMemory(start_of));
	CHECK_EQ(HSAKMT_STATUS_MEMORY_NOT_REGISTERED, hsaKmtDeregisterMemory(start_of));
	finish();
}

TEST(register_refusals, "only ordinary host memory; nodes cannot change; bad sizes")
{
	static char buffer[4096];
	HsaMemFlags unpaged = { .ui32 = { .HostAccess = 1, .NonPaged = 1 } };
	HSAuint32 first[] = { 1 };
	HSAuint32 second[] = { 2 };

	start("two_gpus", 2);
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, hsaKmtRegisterMemoryWithFlags(buffer, 64, unpaged));
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, hsaKmtRegisterMemoryWithFlags(buffer, 64, hidden));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtRegisterMemory(buffer, 0));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtRegisterMemory(buffer, ~0ULL - 4096));
	CHECK_EQ(0, hsaKmtRegisterMemoryToNodes(buffer, 64, 1, first));
	CHECK_EQ(0, hsaKmtRegisterMemoryToNodes(buffer, 64, 1, first));
	CHECK_EQ(HSAKMT_STATUS_MEMORY_ALREADY_REGISTERED,
		 hsaKmtRegisterMemoryToNodes(buffer, 64, 1, second));
	CHECK_EQ(0, hsaKmtDeregisterMemory(buffer));
	CHECK_EQ(0, hsaKmtDeregisterMemory(buffer));
	finish();
}

TEST(register_own_allocation, "registering our memory to nodes narrows where it can be mapped")
{
	HsaMemMapFlags none = { .Value = 0 };
	HSAuint32 first[] = { 1 };
	HSAuint32 second[] = { 2 };
	HsaPointerInfo info;
	void *p;

	start("two_gpus", 2);
	CHECK_EQ(0, hsaKmtAllocMemory(0, 4096, host, &p));
	CHECK_EQ(HSAKMT_STATUS_MEMORY_NOT_REGISTERED, hsaKmtDeregisterMemory(p));
	CHECK_EQ(0, hsaKmtRegisterMemoryToNodes(p, 4096, 1, first));
	CHECK_EQ(0, hsaKmtQueryPointerInfo((char *)p + 17, &info));
	CHECK_EQ(HSA_POINTER_ALLOCATED, info.Type);
	CHECK_EQ(1, info.NRegisteredNodes);
	CHECK_EQ(1, info.RegisteredNodes[0]);
	CHECK_EQ(host.Value, info.MemFlags.Value);
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtMapMemoryToGPUNodes(p, 4096, NULL, none, 1, second));
	CHECK_EQ(0, hsaKmtMapMemoryToGPU(p, 4096, NULL));
	CHECK_EQ(0, hsaKmtQueryPointerInfo(p, &info));
	CHECK_EQ(1, info.NMappedNodes);
	CHECK_EQ(0, hsaKmtDeregisterMemory(p));
	CHECK_EQ(0, hsaKmtSetMemoryUserData(p, &info));
	CHECK_EQ(0, hsaKmtQueryPointerInfo(p, &info));
	CHECK(info.UserData == &info);
	CHECK_EQ(0, hsaKmtFreeMemory(p, 4096));
	finish();
}

TEST(scratch_pool, "one pool a GPU; parts are VRAM while they are mapped; free takes all")
{
	void *pool, *other;
	char *part;

	start("vega10", 1);
	CHECK_EQ(0, hsaKmtAllocMemory(1, 4ULL << 30, scratch, &pool));
	CHECK_EQ(0, (uintptr_t)pool % KIB64);
	CHECK_EQ(1, fake.count[0x11]);
	CHECK_EQ(base_bos, fake.bos);
	CHECK_EQ(HSAKMT_STATUS_UNAVAILABLE, hsaKmtAllocMemory(1, 4096, scratch, &other));
	part = (char *)pool + KIB64;
	CHECK_EQ(0, hsaKmtMapMemoryToGPU(part, KIB64, NULL));
	CHECK_EQ(base_bos + 1, fake.bos);
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtMapMemoryToGPU(part, KIB64, NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtMapMemoryToGPU(part, 4ULL << 30, NULL));
	CHECK_EQ(0, hsaKmtUnmapMemoryToGPU(part));
	CHECK_EQ(base_bos, fake.bos);
	CHECK_EQ(0, hsaKmtUnmapMemoryToGPU(part));
	CHECK_EQ(0, hsaKmtMapMemoryToGPU(part, KIB64, NULL));
	CHECK_EQ(0, hsaKmtMapMemoryToGPU(pool, 4096, NULL));
	CHECK_EQ(0, hsaKmtFreeMemory(pool, 4ULL << 30));
	finish();
}

TEST(memory_fails_anywhere, "each call of allocate, map and register fails once: nothing is left")
{
	static char buffer[8192];
	int i;

	start("vega10", 1);
	for (i = 1; i < 12; i++) {
		void *v = NULL, *h = NULL;

		fake.calls = 0;
		fake.fail_call = i;
		fake.fail_errno = ENOMEM;
		if (hsaKmtAllocMemory(1, 4096, vram, &v))
			v = NULL;
		else
			hsaKmtMapMemoryToGPU(v, 4096, NULL);
		if (hsaKmtAllocMemory(0, 4096, host, &h))
			h = NULL;
		else
			hsaKmtMapMemoryToGPU(h, 4096, NULL);
		if (!hsaKmtRegisterMemory(buffer, 5000)) {
			hsaKmtMapMemoryToGPU(buffer, 5000, NULL);
			fake.fail_call = 0;
			CHECK_EQ(0, hsaKmtDeregisterMemory(buffer));
		}
		fake.fail_call = 0;
		CHECK(!v || !hsaKmtFreeMemory(v, 4096));
		CHECK(!h || !hsaKmtFreeMemory(h, 4096));
		CHECK_EQ(base_bos, fake.bos);
	}
	finish();
}

static char shared[65536];

static void *register_rounds(void *arg)
{
	int i;

	(void)arg;
	for (i = 0; i < 2000; i++) {
		if (hsaKmtRegisterMemory(shared, sizeof(shared)))
			return "register";
		if (hsaKmtMapMemoryToGPU(shared, sizeof(shared), NULL))
			return "map";
		if (hsaKmtUnmapMemoryToGPU(shared))
			return "unmap";
		if (hsaKmtDeregisterMemory(shared))
			return "deregister";
	}
	return NULL;
}

TEST(register_threads, "B085: 16 threads register one buffer, one object with a count, no leak")
{
	pthread_t threads[16];
	void *result;
	int i;

	start("vega10", 1);
	for (i = 0; i < 16; i++)
		CHECK(!pthread_create(&threads[i], NULL, register_rounds, NULL));
	for (i = 0; i < 16; i++) {
		CHECK(!pthread_join(threads[i], &result));
		if (result)
			printf("# %s failed\n", (char *)result);
		CHECK(!result);
	}
	finish();
}

TEST(many_objects, "B089: 20000 buffers: each found by first and last byte, none between")
{
	enum { COUNT = 20000 };
	void **p = calloc(COUNT, sizeof(*p));
	HsaPointerInfo info;
	int i;

	CHECK(p);
	start("vega10", 1);
	for (i = 0; i < COUNT; i++)
		CHECK_EQ(0, hsaKmtAllocMemory(1, 4096, hidden, &p[i]));
	for (i = 0; i < COUNT; i++) {
		CHECK_EQ(0, hsaKmtQueryPointerInfo((char *)p[i] + 4095, &info));
		CHECK(info.CPUAddress == p[i]);
	}
	for (i = 0; i < COUNT; i++)
		CHECK_EQ(0, hsaKmtFreeMemory(p[i], 4096));
	CHECK_EQ(HSAKMT_STATUS_ERROR, hsaKmtQueryPointerInfo(p[7], &info));
	finish();
	free(p);
}

TEST(host_memory_without_gpu, "a machine with CPU nodes only has host memory, and maps it nowhere")
{
	HsaMemFlags twice = host;
	char *p;

	start("cpu_only", 0);
	CHECK_EQ(0, hsaKmtAllocMemory(0, 4096, host, (void **)&p));
	p[0] = 1;
	CHECK_EQ(0, hsaKmtMapMemoryToGPU(p, 4096, NULL));
	CHECK_EQ(0, hsaKmtFreeMemory(p, 4096));
	twice.ui32.AQLQueueMemory = 1;
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, hsaKmtAllocMemory(0, 4096, twice, (void **)&p));
	CHECK_EQ(0, fake.count[0x16]);
	finish();
}

TEST(device_pages, "the library's own device pages cannot be freed by a program")
{
	HsaMemoryProperties banks[5];
	HsaSystemProperties system;

	start("vega10", 1);
	CHECK_EQ(0, hsaKmtAcquireSystemProperties(&system));
	CHECK_EQ(0, hsaKmtGetNodeMemoryProperties(1, 5, banks));
	CHECK_EQ(HSA_HEAPTYPE_MMIO_REMAP, banks[4].HeapType);
	CHECK_EQ(HSAKMT_STATUS_ERROR,
		 hsaKmtFreeMemory((void *)(uintptr_t)banks[4].VirtualBaseAddress, 4096));
	finish();
}

TEST(page_sizes, "a wanted page size must divide the size")
{
	static const struct {
		HSA_PAGE_SIZE page;
		HSAuint64 bytes;
	} rows[] = {
		{ HSA_PAGE_SIZE_4KB, 0x1000 }, { HSA_PAGE_SIZE_64KB, 0x10000 },
		{ HSA_PAGE_SIZE_2MB, 0x200000 }, { HSA_PAGE_SIZE_1GB, 0x40000000 },
	};
	unsigned int i;
	void *p;

	start("vega10", 1);
	for (i = 0; i < 4; i++) {
		HsaMemFlags flags = { .ui32 = { .NonPaged = 1, .PageSize = rows[i].page } };

		CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
			 hsaKmtAllocMemory(1, rows[i].bytes / 2, flags, &p));
		CHECK_EQ(0, hsaKmtAllocMemory(1, rows[i].bytes, flags, &p));
		CHECK_EQ(0, hsaKmtFreeMemory(p, rows[i].bytes));
	}
	finish();
}

TEST(max_va_align, "HSA_MAX_VA_ALIGN: power of two of pages; rubbish means the default")
{
	static const struct {
		const char *text;
		uintptr_t align;
	} rows[] = {
		{ "0", 0x1000 }, { "4", 0x10000 }, { "9", 0x200000 }, { "19", 0x200000 },
		{ "x", 0x200000 }, { "4x", 0x200000 }, { "", 0x200000 },
	};
	unsigned int i, round;

	for (i = 0; i < 7; i++) {
		uintptr_t low = 0;

		setenv("HSA_MAX_VA_ALIGN", rows[i].text, 1);
		start("vega10", 1);
		/* alignments of many buffers: what they have in common is the option's */
		for (round = 0; round < 8; round++) {
			void *p;

			CHECK_EQ(0, hsaKmtAllocMemory(1, (4 << 20) + 4096, hidden, &p));
			low |= (uintptr_t)p;
		}
		CHECK_EQ(0, low % rows[i].align);
		CHECK_EQ(0, hsaKmtCloseKFD());
		fixture_remove("");
	}
}

TEST(check_userptr, "HSA_CHECK_USERPTR touches memory that is registered")
{
	static char buffer[3 * 4096 + 1];

	setenv("HSA_CHECK_USERPTR", "1", 1);
	start("vega10", 1);
	CHECK_EQ(0, hsaKmtRegisterMemory(buffer, sizeof(buffer)));
	CHECK_EQ(0, hsaKmtDeregisterMemory(buffer));
	finish();
}

TEST(vram_in_host, "HSA_ZFB gives host memory where VRAM is asked for")
{
	HsaMemFlags paged = { .ui32 = { .HostAccess = 1 } };
	void *p;

	setenv("HSA_ZFB", "1", 1);
	start("vega10", 1);
	CHECK_EQ(0, hsaKmtAllocMemory(1, 4096, vram, &p));
	CHECK(fake.last_alloc_flags & KFD_IOC_ALLOC_MEM_FLAGS_GTT);
	CHECK_EQ(0, hsaKmtFreeMemory(p, 4096));
	CHECK_EQ(0, hsaKmtAllocMemory(1, 4096, paged, &p));
	CHECK(fake.last_alloc_flags & KFD_IOC_ALLOC_MEM_FLAGS_USERPTR);
	CHECK_EQ(0, hsaKmtFreeMemory(p, 4096));
	finish();
}

TEST(numa_nodes, "B080: host memory goes to its node; no such node is an error only if it must be")
{
	HsaMemFlags must = { .ui32 = { .HostAccess = 1, .NoSubstitute = 1 } };
	HsaMemFlags any = { .ui32 = { .HostAccess = 1, .NoNUMABind = 1, .NoSubstitute = 1 } };
	void *p;

	start("vega10", 1);
	/* the tree has two nodes, this machine's node 0 is always there */
	fixture_write("sys/devices/system/node/node1/cpulist", "");
	CHECK_EQ(0, hsaKmtAllocMemory(0, 4096, host, &p));
	CHECK_EQ(0, hsaKmtFreeMemory(p, 4096));
	CHECK_EQ(0, hsaKmtAllocMemory(0, 4096, any, &p));
	CHECK_EQ(0, hsaKmtFreeMemory(p, 4096));
	CHECK_EQ(0, hsaKmtAllocMemory(0, 4096, must, &p));
	CHECK_EQ(0, hsaKmtFreeMemory(p, 4096));
	/* a kernel without NUMA */
	fixture_remove("sys/devices/system/node");
	CHECK_EQ(0, hsaKmtAllocMemory(0, 4096, must, &p));
	CHECK_EQ(0, hsaKmtFreeMemory(p, 4096));
	finish();
}

TEST(fixed_refusals, "fixed addresses that are not aligned, out of reach or wrap")
{
	static const HSAuint64 rows[] = { 0x7f0000000001ULL, 0x1000, 1ULL << 47, ~0xfffULL };
	HsaMemFlags flags = host;
	unsigned int i;

	flags.ui32.FixedAddress = 1;
	start("vega10", 1);
	for (i = 0; i < 4; i++) {
		void *p = (void *)(uintptr_t)rows[i];

		CHECK(hsaKmtAllocMemory(0, 4096, flags, &p) != HSAKMT_STATUS_SUCCESS);
	}
	finish();
}

TEST(null_addresses, "NULL and unknown addresses in each call that takes one")
{
	HsaMemMapFlags none = { .Value = 0 };
	static char unknown[4096];
	HsaPointerInfo info;
	HSAuint32 node = 1;

	start("vega10", 1);
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtMapMemoryToGPU(NULL, 4096, NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtMapMemoryToGPUNodes(NULL, 4096, NULL, none, 1, &node));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtQueryPointerInfo(unknown, NULL));
	CHECK_EQ(HSAKMT_STATUS_MEMORY_NOT_REGISTERED, hsaKmtMapMemoryToGPU(unknown, 64, NULL));
	CHECK_EQ(HSAKMT_STATUS_MEMORY_NOT_REGISTERED, hsaKmtUnmapMemoryToGPU(unknown));
	CHECK_EQ(HSAKMT_STATUS_MEMORY_NOT_REGISTERED, hsaKmtDeregisterMemory(unknown));
	CHECK_EQ(HSAKMT_STATUS_MEMORY_NOT_REGISTERED, hsaKmtSetMemoryUserData(unknown, &info));
	CHECK_EQ(HSAKMT_STATUS_ERROR, hsaKmtQueryPointerInfo(unknown, &info));
	finish();
}

TEST(user_by_gpu_address, "registered memory by its GPU address: same place, same size")
{
	HsaMemMapFlags none = { .Value = 0 };
	static char buffer[8192];
	HSAuint32 node = 1;
	HSAuint64 va, again;
	char *gpu;

	start("vega10", 1);
	CHECK_EQ(0, hsaKmtRegisterMemory(buffer + 10, 5000));
	CHECK_EQ(0, hsaKmtMapMemoryToGPUNodes(buffer + 10, 5000, &va, none, 1, &node));
	gpu = (void *)(uintptr_t)va;
	CHECK_EQ(0, hsaKmtMapMemoryToGPU(gpu, 5000, &again));
	CHECK_EQ(va, again);
	CHECK_EQ(HSAKMT_STATUS_MEMORY_NOT_REGISTERED, hsaKmtMapMemoryToGPU(gpu, 5001, NULL));
	CHECK_EQ(HSAKMT_STATUS_MEMORY_NOT_REGISTERED, hsaKmtMapMemoryToGPU(gpu + 1, 5000, NULL));
	CHECK_EQ(0, hsaKmtUnmapMemoryToGPU(gpu));
	CHECK_EQ(0, hsaKmtDeregisterMemory(gpu));
	finish();
}

TEST(give_back_fails, "B086: the driver refuses to unmap or free: the next try works")
{
	static const unsigned int numbers[] = { 0x19, 0x17 };
	unsigned int i;
	void *p, *pool;

	start("vega10", 1);
	for (i = 0; i < 2; i++) {
		CHECK_EQ(0, hsaKmtAllocMemory(1, 4096, vram, &p));
		CHECK_EQ(0, hsaKmtMapMemoryToGPU(p, 4096, NULL));
		CHECK_EQ(0, hsaKmtAllocMemory(1, KIB64, scratch, &pool));
		CHECK_EQ(0, hsaKmtMapMemoryToGPU(pool, 4096, NULL));
		fake.fail_nr = numbers[i];
		fake.fail_errno = EBUSY;
		CHECK_EQ(HSAKMT_STATUS_UNAVAILABLE, hsaKmtFreeMemory(p, 4096));
		CHECK_EQ(HSAKMT_STATUS_UNAVAILABLE, hsaKmtFreeMemory(pool, KIB64));
		fake.fail_nr = 0;
		CHECK_EQ(0, hsaKmtFreeMemory(p, 4096));
		CHECK_EQ(0, hsaKmtFreeMemory(pool, KIB64));
	}
	finish();
}

TEST(close_fails, "device pages and scratch that the driver does not take back: the close goes on")
{
	void *pool;

	start("vega10", 1);
	CHECK_EQ(0, hsaKmtAllocMemory(1, KIB64, scratch, &pool));
	CHECK_EQ(0, hsaKmtMapMemoryToGPU(pool, 4096, NULL));
	fake.fail_nr = 0x17;
	fake.fail_errno = EBUSY;
	CHECK_EQ(0, hsaKmtCloseKFD());
	fake.fail_nr = 0;
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(scratch_fails, "each call of a scratch pool and of a part fails once")
{
	void *pool;
	int i;

	start("vega10", 1);
	fake.fail_nr = 0x11;
	fake.fail_errno = ENOMEM;
	CHECK_EQ(HSAKMT_STATUS_NO_MEMORY, hsaKmtAllocMemory(1, KIB64, scratch, &pool));
	fake.fail_nr = 0;
	CHECK_EQ(HSAKMT_STATUS_NO_MEMORY, hsaKmtAllocMemory(1, 1ULL << 47, scratch, &pool));
	CHECK_EQ(0, hsaKmtAllocMemory(1, KIB64, scratch, &pool));
	for (i = 1; i <= 3; i++) {
		fake.calls = 0;
		fake.fail_call = i;
		CHECK_EQ(HSAKMT_STATUS_NO_MEMORY, hsaKmtMapMemoryToGPU(pool, 4096, NULL));
		fake.fail_call = 0;
		CHECK_EQ(base_bos, fake.bos);
	}
	CHECK_EQ(0, hsaKmtFreeMemory(pool, KIB64));
	finish();
}
