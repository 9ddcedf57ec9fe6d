// SPDX-License-Identifier: GPL-2.0-only
/*
 * A client of libhsakmt on the virtual GPU, once on our library and once on
 * Debian's: topology, memory, an SDMA queue, events, fork, sharing.  What one does, the
 * other must do (S0.86, S0.97, B092).
 *
 * vm: timeout=600
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "../libthunk/include/hsakmt.h"
#include "kfd_harness.h"

#define RING_SIZE	(1u << 20)
#define COPY_MAX	0x3fffe0u
#define MIB		(1ul << 20)
#define SMALL		32768ul
#define WAIT_MS		KFD_TIMEOUT_MS

#define OURS		"libhsakmt.so.1"
#define DEBIAN		"/usr/lib/x86_64-linux-gnu/libhsakmt.so.1"

/* The calls that the tests use: CALL(Name) for each. */
#define CALLS(CALL)							\
	CALL(OpenKFD) CALL(CloseKFD) CALL(GetVersion)			\
	CALL(AcquireSystemProperties) CALL(ReleaseSystemProperties)	\
	CALL(GetNodeProperties) CALL(GetNodeMemoryProperties)		\
	CALL(GetNodeCacheProperties) CALL(GetNodeIoLinkProperties)	\
	CALL(CreateEvent) CALL(DestroyEvent) CALL(SetEvent)		\
	CALL(WaitOnEvent) CALL(CreateQueue) CALL(DestroyQueue)		\
	CALL(AllocMemory) CALL(FreeMemory) CALL(MapMemoryToGPU)		\
	CALL(UnmapMemoryToGPU) CALL(RegisterMemoryWithFlags)		\
	CALL(DeregisterMemory) CALL(QueryPointerInfo)			\
	CALL(GetClockCounters) CALL(GetXNACKMode)			\
	CALL(RegisterGraphicsHandleToNodes) CALL(ShareMemory)		\
	CALL(RegisterSharedHandle)

/* Of later releases than Debian's; NULL where the library has none. */
static typeof(hsaKmtAvailableMemory) *available_memory;
static typeof(hsaKmtExportDMABufHandle) *export_dmabuf;

static struct {
#define CALL(name) typeof(hsaKmt##name) *name;
	CALLS(CALL)
#undef CALL
} kmt;

static const HsaMemFlags host = { .ui32 = { .HostAccess = 1 } };
static const HsaMemFlags vram = { .ui32 = { .NonPaged = 1, .HostAccess = 1, .CoarseGrain = 1 } };

static int load_library(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return -1;
#define CALL(name)						\
	kmt.name = dlsym(library, "hsaKmt" #name);		\
	if (!kmt.name)						\
		return -1;
	CALLS(CALL)
#undef CALL
	available_memory = dlsym(library, "hsaKmtAvailableMemory");
	export_dmabuf = dlsym(library, "hsaKmtExportDMABufHandle");
	return 0;
}

/* The first node with a GPU; 0 when there is none. */
static uint32_t gpu_node(void)
{
	HsaSystemProperties system;
	HsaNodeProperties node;
	uint32_t i;

	if (kmt.AcquireSystemProperties(&system))
		return 0;
	for (i = 0; i < system.NumNodes; i++)
		if (!kmt.GetNodeProperties(i, &node) && node.NumFComputeCores)
			return i;
	return 0;
}

/*
 * struct sdma - a queue made through the library
 * @queue: what creation returned
 * @ring: its ring
 * @wptr: bytes written
 */
struct sdma {
	HsaQueueResource queue;
	uint8_t *ring;
	uint64_t wptr;
};

static int sdma_create(struct sdma *q, uint32_t node)
{
	memset(q, 0, sizeof(*q));
	if (kmt.AllocMemory(0, RING_SIZE, host, (void **)&q->ring) ||
	    kmt.MapMemoryToGPU(q->ring, RING_SIZE, NULL))
		return -1;
	return kmt.CreateQueue(node, HSA_QUEUE_SDMA, 100, HSA_QUEUE_PRIORITY_MAXIMUM, q->ring,
			       RING_SIZE, NULL, &q->queue);
}

static int sdma_destroy(struct sdma *q)
{
	return kmt.DestroyQueue(q->queue.QueueId) || kmt.UnmapMemoryToGPU(q->ring) ||
	       kmt.FreeMemory(q->ring, RING_SIZE);
}

/* The tests stay below a ring's length, so nothing wraps. */
static void sdma_put(struct sdma *q, const uint32_t *words, unsigned int n)
{
	memcpy(q->ring + q->wptr, words, 4 * n);
	q->wptr += 4 * n;
}

static void sdma_submit(struct sdma *q, const HsaEvent *event)
{
	uint32_t w[8];

	sdma_put(q, w, pkt_fence(w, (void *)(uintptr_t)event->EventData.HWData2,
				 event->EventId));
	sdma_put(q, w, pkt_trap(w, event->EventData.HWData3));
	*(volatile uint64_t *)q->queue.Queue_write_ptr_aql = q->wptr;
	/* The ring's words and the cell before the doorbell that makes them be read. */
	__atomic_thread_fence(__ATOMIC_RELEASE);
	*(volatile uint64_t *)q->queue.Queue_DoorBell_aql = q->wptr;
}

static int sdma_copy(struct sdma *q, HsaEvent *event, const void *dst, const void *src,
		     uint64_t bytes)
{
	uint32_t w[8];
	uint64_t done;

	for (done = 0; done < bytes; done += COPY_MAX) {
		uint64_t n = bytes - done < COPY_MAX ? bytes - done : COPY_MAX;

		sdma_put(q, w, pkt_copy(w, (const char *)dst + done, (const char *)src + done, n));
	}
	sdma_submit(q, event);
	return kmt.WaitOnEvent(event, WAIT_MS);
}

static HsaEvent *signal_event(void)
{
	HsaEventDescriptor desc = { .EventType = HSA_EVENTTYPE_SIGNAL };
	HsaEvent *event = NULL;

	return kmt.CreateEvent(&desc, false, false, &event) ? NULL : event;
}

static void pattern_fill(uint8_t *p, uint64_t n, unsigned int seed)
{
	uint64_t i;

	for (i = 0; i < n; i++)
		p[i] = (i + seed) * 0x9e3779b97f4a7c15ull >> 56;
}

FIXTURE(thunk) {
	uint32_t node;
};

FIXTURE_VARIANT(thunk) {
	const char *library;
};

FIXTURE_VARIANT_ADD(thunk, ours) {
	.library = OURS,
};

FIXTURE_VARIANT_ADD(thunk, debian) {
	.library = DEBIAN,
};

FIXTURE_SETUP(thunk)
{
	char path[4096];
	const char *dir = getenv("THUNK_DIR");

	if (access("/dev/kfd", F_OK))
		SKIP(return, "no /dev/kfd");
	snprintf(path, sizeof(path), "%s/%s", dir ? dir : "../build/libthunk", variant->library);
	if (load_library(variant->library[0] == '/' ? variant->library : path))
		SKIP(return, "no %s", variant->library);
	ASSERT_EQ(0, kmt.OpenKFD());
	self->node = gpu_node();
	ASSERT_NE(0, self->node);
}

FIXTURE_TEARDOWN(thunk)
{
	if (self->node)
		EXPECT_EQ(0, kmt.CloseKFD());
}

/* S0.97: 64 MiB host to VRAM to VRAM to host, waited for blocked. */
TEST_F_TIMEOUT(thunk, copy_through_sdma, 200)
{
	uint8_t *src, *dst, *v1, *v2;
	HsaEvent *event;
	struct sdma q;

	ASSERT_EQ(0, kmt.AllocMemory(0, 64 * MIB, host, (void **)&src));
	ASSERT_EQ(0, kmt.AllocMemory(0, 64 * MIB, host, (void **)&dst));
	ASSERT_EQ(0, kmt.AllocMemory(self->node, 64 * MIB, vram, (void **)&v1));
	ASSERT_EQ(0, kmt.AllocMemory(self->node, 64 * MIB, vram, (void **)&v2));
	ASSERT_EQ(0, kmt.MapMemoryToGPU(src, 64 * MIB, NULL));
	ASSERT_EQ(0, kmt.MapMemoryToGPU(dst, 64 * MIB, NULL));
	ASSERT_EQ(0, kmt.MapMemoryToGPU(v1, 64 * MIB, NULL));
	ASSERT_EQ(0, kmt.MapMemoryToGPU(v2, 64 * MIB, NULL));
	event = signal_event();
	ASSERT_NE(NULL, event);
	ASSERT_EQ(0, sdma_create(&q, self->node));
	pattern_fill(src, 64 * MIB, 1);
	ASSERT_EQ(0, sdma_copy(&q, event, v1, src, 64 * MIB));
	ASSERT_EQ(0, sdma_copy(&q, event, v2, v1, 64 * MIB));
	ASSERT_EQ(0, sdma_copy(&q, event, dst, v2, 64 * MIB));
	EXPECT_EQ(0, memcmp(src, dst, 64 * MIB));
	/* VRAM is mapped for the CPU as well. */
	EXPECT_EQ(0, memcmp(src, v1, MIB));
	EXPECT_EQ(0, sdma_destroy(&q));
	EXPECT_EQ(0, kmt.DestroyEvent(event));
	EXPECT_EQ(0, kmt.UnmapMemoryToGPU(src));
	EXPECT_EQ(0, kmt.UnmapMemoryToGPU(dst));
	EXPECT_EQ(0, kmt.UnmapMemoryToGPU(v1));
	EXPECT_EQ(0, kmt.UnmapMemoryToGPU(v2));
	EXPECT_EQ(0, kmt.FreeMemory(src, 64 * MIB));
	EXPECT_EQ(0, kmt.FreeMemory(dst, 64 * MIB));
	EXPECT_EQ(0, kmt.FreeMemory(v1, 64 * MIB));
	EXPECT_EQ(0, kmt.FreeMemory(v2, 64 * MIB));
}

/* AQLQueueMemory: one memory at two places in a row, for the GPU and, with @cpu, for the CPU. */
static bool seen_twice(uint32_t node, HsaMemFlags flags, bool cpu, struct sdma *q, HsaEvent *event,
		       uint8_t *out)
{
	uint8_t *p;
	bool same;

	flags.ui32.AQLQueueMemory = 1;
	if (kmt.AllocMemory(node, SMALL, flags, (void **)&p) || kmt.MapMemoryToGPU(p, SMALL, NULL))
		return false;
	pattern_fill(p, SMALL, 21);
	if (sdma_copy(q, event, out, p + SMALL / 2, SMALL))
		return false;
	same = !memcmp(out, p + SMALL / 2, SMALL / 2) && !memcmp(out + SMALL / 2, p, SMALL / 2);
	if (cpu)
		same = same && !memcmp(p, p + SMALL, SMALL);
	return same && !kmt.UnmapMemoryToGPU(p) && !kmt.FreeMemory(p, SMALL);
}

/* AMD's library shows the CPU only unpaged host memory twice. */
TEST_F(thunk, memory_seen_twice)
{
	bool ours = variant->library[0] != '/';
	HsaMemFlags unpaged = host;
	HsaEvent *event;
	struct sdma q;
	uint8_t *out;

	unpaged.ui32.NonPaged = 1;
	ASSERT_EQ(0, kmt.AllocMemory(0, SMALL, host, (void **)&out));
	ASSERT_EQ(0, kmt.MapMemoryToGPU(out, SMALL, NULL));
	event = signal_event();
	ASSERT_NE(NULL, event);
	ASSERT_EQ(0, sdma_create(&q, self->node));
	EXPECT_TRUE(seen_twice(0, unpaged, true, &q, event, out));
	EXPECT_TRUE(seen_twice(0, host, ours, &q, event, out));
	EXPECT_TRUE(seen_twice(self->node, vram, ours, &q, event, out));
	EXPECT_EQ(0, sdma_destroy(&q));
	EXPECT_EQ(0, kmt.DestroyEvent(event));
	EXPECT_EQ(0, kmt.UnmapMemoryToGPU(out));
	EXPECT_EQ(0, kmt.FreeMemory(out, SMALL));
}

/* The program's own, unaligned memory: registered, mapped, copied from, queried. */
TEST_F(thunk, registered_memory)
{
	static uint8_t buffer[5 * 4096];
	uint8_t *mine = buffer + 123, *v;
	HSAuint64 va = 0;
	HsaPointerInfo info;
	HsaEvent *event;
	struct sdma q;

	ASSERT_EQ(0, kmt.RegisterMemoryWithFlags(mine, 10000, host));
	ASSERT_EQ(0, kmt.MapMemoryToGPU(mine, 10000, &va));
	ASSERT_EQ((uintptr_t)mine % 4096, va % 4096);
	ASSERT_EQ(0, kmt.AllocMemory(self->node, 65536, vram, (void **)&v));
	ASSERT_EQ(0, kmt.MapMemoryToGPU(v, 65536, NULL));
	event = signal_event();
	ASSERT_NE(NULL, event);
	ASSERT_EQ(0, sdma_create(&q, self->node));
	pattern_fill(mine, 10000, 7);
	ASSERT_EQ(0, sdma_copy(&q, event, v, (void *)(uintptr_t)va, 10000));
	EXPECT_EQ(0, memcmp(mine, v, 10000));
	ASSERT_EQ(0, kmt.QueryPointerInfo(mine + 9999, &info));
	EXPECT_EQ(HSA_POINTER_REGISTERED_USER, info.Type);
	EXPECT_EQ(10000, info.SizeInBytes);
	EXPECT_EQ(va, info.GPUAddress);
	ASSERT_EQ(0, kmt.QueryPointerInfo(v + 1, &info));
	EXPECT_EQ(HSA_POINTER_ALLOCATED, info.Type);
	EXPECT_EQ(self->node, info.Node);
	EXPECT_EQ(1, info.NMappedNodes);
	EXPECT_EQ(0, sdma_destroy(&q));
	EXPECT_EQ(0, kmt.DestroyEvent(event));
	EXPECT_EQ(0, kmt.UnmapMemoryToGPU(mine));
	EXPECT_EQ(0, kmt.DeregisterMemory(mine));
	EXPECT_EQ(0, kmt.UnmapMemoryToGPU(v));
	EXPECT_EQ(0, kmt.FreeMemory(v, 65536));
}

static void *set_later(void *event)
{
	usleep(100000);
	kmt.SetEvent(event);
	return NULL;
}

/* A wait that ends by time, one that another thread ends, one on a gone event. */
TEST_F(thunk, event_waits)
{
	pthread_t thread;
	HsaEvent *event;

	event = signal_event();
	ASSERT_NE(NULL, event);
	EXPECT_NE(0, event->EventData.HWData2);
	EXPECT_EQ(HSAKMT_STATUS_WAIT_TIMEOUT, kmt.WaitOnEvent(event, 50));
	ASSERT_EQ(0, pthread_create(&thread, NULL, set_later, event));
	EXPECT_EQ(0, kmt.WaitOnEvent(event, WAIT_MS));
	pthread_join(thread, NULL);
	EXPECT_EQ(HSAKMT_STATUS_WAIT_TIMEOUT, kmt.WaitOnEvent(event, 0));
	EXPECT_EQ(0, kmt.DestroyEvent(event));
}

/* Clocks advance and agree on the frequency; XNACK can be asked. */
TEST_F(thunk, clocks_and_xnack)
{
	HsaClockCounters a, b;
	HSAint32 xnack = 7;

	ASSERT_EQ(0, kmt.GetClockCounters(self->node, &a));
	usleep(2000);
	ASSERT_EQ(0, kmt.GetClockCounters(self->node, &b));
	EXPECT_GT(b.GPUClockCounter, a.GPUClockCounter);
	EXPECT_GT(b.SystemClockCounter, a.SystemClockCounter);
	EXPECT_EQ(1000000000, b.SystemClockFrequencyHz);
	EXPECT_EQ(0, kmt.GetClockCounters(0, &b));
	EXPECT_EQ(0, kmt.GetXNACKMode(&xnack));
	EXPECT_EQ(0, xnack);
}

/* One small copy with everything made for it. Return: 0 or the step that failed. */
static int whole_copy(uint32_t node)
{
	uint8_t *src, *v;
	HsaEvent *event;
	struct sdma q;
	int bad;

	if (kmt.AllocMemory(0, 65536, host, (void **)&src) ||
	    kmt.MapMemoryToGPU(src, 65536, NULL) ||
	    kmt.AllocMemory(node, 65536, vram, (void **)&v) || kmt.MapMemoryToGPU(v, 65536, NULL))
		return 1;
	event = signal_event();
	if (!event || sdma_create(&q, node))
		return 2;
	pattern_fill(src, 65536, getpid());
	if (sdma_copy(&q, event, v, src, 65536))
		return 3;
	bad = memcmp(src, v, 65536);
	if (sdma_destroy(&q) || kmt.DestroyEvent(event) || kmt.UnmapMemoryToGPU(src) ||
	    kmt.UnmapMemoryToGPU(v) || kmt.FreeMemory(src, 65536) || kmt.FreeMemory(v, 65536))
		return 4;
	return bad ? 5 : 0;
}

static int child_copy(void)
{
	uint8_t *none;
	uint32_t node;
	int ret;

	if (kmt.AllocMemory(0, 65536, host, (void **)&none) !=
	    HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED)
		return 11;
	if (kmt.OpenKFD())
		return 12;
	node = gpu_node();
	if (!node)
		return 13;
	ret = whole_copy(node);
	return ret ? ret : kmt.CloseKFD();
}

/* B092: a child has nothing, opens for itself, copies; then the parent does. */
TEST_F(thunk, fork_child_opens_for_itself)
{
	int status;
	pid_t pid;

	ASSERT_EQ(0, whole_copy(self->node));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(child_copy());
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, whole_copy(self->node));
}

/* What the process still has after a close is there at the next open. */
TEST_F(thunk, copy_again_after_reopen)
{
	int i;

	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, whole_copy(self->node));
		ASSERT_EQ(0, kmt.ReleaseSystemProperties());
		ASSERT_EQ(0, kmt.CloseKFD());
		ASSERT_EQ(0, kmt.OpenKFD());
		self->node = gpu_node();
	}
}

/* Opens and closes leave nothing in the driver, however often: 1000 times. */
TEST_F(thunk, opens_and_closes)
{
	int rounds = 1000 / kfd_time_scale();
	char before[4096];
	int i;

	ASSERT_EQ(0, kmt.CloseKFD());
	ASSERT_EQ(0, kmt.OpenKFD());
	if (kfd_counts_read(before, sizeof(before)))
		before[0] = 0;
	for (i = 0; i < rounds; i++) {
		ASSERT_EQ(0, kmt.CloseKFD());
		ASSERT_EQ(0, kmt.OpenKFD());
	}
	if (before[0])
		EXPECT_EQ(0, kfd_counts_settle(before));
}

#define SHARED_SIZE	(2 * MIB)

/* Without a library: fill VRAM by SDMA, export it, and see what the other left there. */
static int plain_exporter(int socket)
{
	struct kfd_client c;
	struct kfd_event e;
	struct kfd_sdma q;
	struct kfd_bo bo, src;
	char byte;
	int fd;

	if (kfd_client_init(&c, 0) || kfd_bo_vram(&c, SHARED_SIZE, &bo) ||
	    kfd_bo_gtt(&c, SHARED_SIZE, &src))
		return 1;
	if (kfd_sdma_create(&c, &q) || kfd_event_create(&c, &e))
		return 2;
	pattern_fill(src.cpu, SHARED_SIZE, 5);
	if (kfd_sdma_copy_wait(&q, &e, bo.cpu, src.cpu, SHARED_SIZE))
		return 3;
	fd = kfd_bo_export(&c, bo.handle);
	if (fd < 0 || kfd_send_fd(socket, fd, 0))
		return 4;
	close(fd);
	if (read(socket, &byte, 1) != 1)
		return 5;
	return kfd_all_bytes(bo.cpu, SHARED_SIZE, 0xd4) ? 0 : 6;
}

/* Two processes, one VRAM buffer: each writes by its SDMA queue what the other reads. */
TEST_F_TIMEOUT(thunk, two_processes_share_vram, 240)
{
	HsaGraphicsResourceInfo info;
	int pair[2], fd, status;
	HsaEvent *event;
	uint8_t *mem, *want;
	uint32_t tag;
	struct sdma q;
	pid_t pid;

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair));
	pid = fork();
	if (!pid)
		_exit(plain_exporter(pair[1]));
	close(pair[1]);
	ASSERT_EQ(0, kmt.AllocMemory(0, SHARED_SIZE, host, (void **)&mem));
	ASSERT_EQ(0, kmt.MapMemoryToGPU(mem, SHARED_SIZE, NULL));
	event = signal_event();
	ASSERT_NE(NULL, event);
	ASSERT_EQ(0, sdma_create(&q, self->node));
	fd = kfd_receive_fd(pair[0], &tag);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, kmt.RegisterGraphicsHandleToNodes(fd, &info, 1, &self->node));
	close(fd);
	EXPECT_EQ(SHARED_SIZE, info.SizeInBytes);
	EXPECT_EQ(0, info.MetadataSizeInBytes);
	ASSERT_EQ(0, kmt.MapMemoryToGPU(info.MemoryAddress, SHARED_SIZE, NULL));
	ASSERT_EQ(0, sdma_copy(&q, event, mem, info.MemoryAddress, SHARED_SIZE));
	want = malloc(SHARED_SIZE);
	pattern_fill(want, SHARED_SIZE, 5);
	EXPECT_EQ(0, memcmp(want, mem, SHARED_SIZE));
	free(want);
	memset(mem, 0xd4, SHARED_SIZE);
	ASSERT_EQ(0, sdma_copy(&q, event, info.MemoryAddress, mem, SHARED_SIZE));
	ASSERT_EQ(1, write(pair[0], "x", 1));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, kmt.UnmapMemoryToGPU(info.MemoryAddress));
	EXPECT_EQ(0, kmt.DeregisterMemory(info.MemoryAddress));
	EXPECT_EQ(0, sdma_destroy(&q));
	close(pair[0]);
}

/* In a child of its own channel: memory with a pattern, its handle, until told to end. */
static int handle_exporter(int socket)
{
	HsaSharedMemoryHandle handle;
	uint8_t *mem;
	char byte;

	if (kmt.OpenKFD() || kmt.AllocMemory(gpu_node(), SHARED_SIZE, vram, (void **)&mem))
		return 1;
	pattern_fill(mem, SHARED_SIZE, 9);
	if (kmt.ShareMemory(mem, SHARED_SIZE, &handle))
		return 2;
	if (write(socket, &handle, sizeof(handle)) != sizeof(handle))
		return 3;
	if (read(socket, &byte, 1) != 1)
		return 4;
	return mem[SHARED_SIZE - 1] == 0x66 ? 0 : 5;
}

/* The same by a handle. Debian's library asks for it what no public driver has. */
TEST_F_TIMEOUT(thunk, shared_by_handle, 240)
{
	HsaSharedMemoryHandle handle;
	int pair[2], status;
	HSAuint64 size = 0;
	uint8_t *mem, *want;
	pid_t pid;

	if (!strcmp(variant->library, DEBIAN)) {
		ASSERT_EQ(0, kmt.AllocMemory(self->node, SHARED_SIZE, vram, (void **)&mem));
		EXPECT_NE(0, kmt.ShareMemory(mem, SHARED_SIZE, &handle));
		EXPECT_EQ(0, kmt.FreeMemory(mem, SHARED_SIZE));
		return;
	}
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair));
	pid = fork();
	if (!pid)
		_exit(handle_exporter(pair[1]));
	close(pair[1]);
	ASSERT_EQ(sizeof(handle), read(pair[0], &handle, sizeof(handle)));
	ASSERT_EQ(0, kmt.RegisterSharedHandle((const HsaSharedMemoryHandle *)&handle,
					      (void **)&mem, &size));
	ASSERT_EQ(SHARED_SIZE, size);
	want = malloc(SHARED_SIZE);
	pattern_fill(want, SHARED_SIZE, 9);
	EXPECT_EQ(0, memcmp(want, mem, SHARED_SIZE));
	free(want);
	EXPECT_EQ(0, kmt.MapMemoryToGPU(mem, size, NULL));
	mem[SHARED_SIZE - 1] = 0x66;
	ASSERT_EQ(1, write(pair[0], "x", 1));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	/* Its owner has gone: the memory has not, the handle has. */
	EXPECT_EQ(0x66, mem[SHARED_SIZE - 1]);
	EXPECT_EQ(0, kmt.UnmapMemoryToGPU(mem));
	EXPECT_EQ(0, kmt.DeregisterMemory(mem));
	EXPECT_EQ(HSAKMT_STATUS_INVALID_HANDLE,
		  kmt.RegisterSharedHandle((const HsaSharedMemoryHandle *)&handle,
					   (void **)&mem, &size));
	close(pair[0]);
}

/* Calls that Debian's release does not have yet: what is left, a descriptor (wish 1). */
TEST_F(thunk, later_calls)
{
	HSAuint64 before, now, offset;
	uint8_t *mem;
	int fd;

	if (!available_memory || !export_dmabuf)
		SKIP(return, "not in this release");
	ASSERT_EQ(0, available_memory(self->node, &before));
	ASSERT_EQ(0, kmt.AllocMemory(self->node, SHARED_SIZE, vram, (void **)&mem));
	ASSERT_EQ(0, export_dmabuf(mem + 4096, 4096, &fd, &offset));
	EXPECT_EQ(4096, offset);
	EXPECT_EQ(SHARED_SIZE, lseek(fd, 0, SEEK_END));
	EXPECT_EQ(0, available_memory(self->node, &now));
	EXPECT_EQ(before - SHARED_SIZE, now);
	EXPECT_EQ(0, kmt.FreeMemory(mem, SHARED_SIZE));
	close(fd);
	EXPECT_EQ(0, available_memory(self->node, &now));
	EXPECT_EQ(before, now);
}

/*
 * struct picture - all that a library says about the topology
 */
struct picture {
	HsaSystemProperties system;
	HsaNodeProperties node[8];
	HsaMemoryProperties bank[8][8];
	HsaCacheProperties cache[8][256];
	HsaIoLinkProperties link[8][8];
};

static int take_node(struct picture *p, uint32_t n)
{
	HsaNodeProperties *node = &p->node[n];
	uint32_t i;

	if (kmt.GetNodeProperties(n, node) || node->NumMemoryBanks > 8 || node->NumCaches > 256 ||
	    node->NumIOLinks > 8)
		return 1;
	if (kmt.GetNodeMemoryProperties(n, node->NumMemoryBanks, p->bank[n]) ||
	    kmt.GetNodeCacheProperties(n, 0, node->NumCaches, p->cache[n]) ||
	    kmt.GetNodeIoLinkProperties(n, node->NumIOLinks, p->link[n]))
		return 2;
	/* where a process maps the flush page is its own affair */
	for (i = 0; i < node->NumMemoryBanks; i++)
		if (p->bank[n][i].HeapType == HSA_HEAPTYPE_MMIO_REMAP)
			p->bank[n][i].VirtualBaseAddress = 0;
	return 0;
}

static int take_picture(const char *library, struct picture *p)
{
	uint32_t n;

	if (load_library(library) || kmt.OpenKFD() || kmt.AcquireSystemProperties(&p->system) ||
	    p->system.NumNodes > 8)
		return 9;
	for (n = 0; n < p->system.NumNodes; n++)
		if (take_node(p, n))
			return 8;
	return 0;
}

/* S0.86: both libraries say the same, byte for byte. */
TEST(topology_is_the_same)
{
	struct picture *p = mmap(NULL, 2 * sizeof(*p), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const char *dir = getenv("THUNK_DIR");
	char path[2][4096];
	int status, i;
	pid_t pid;

	if (access("/dev/kfd", F_OK) || access(DEBIAN, F_OK))
		SKIP(return, "no /dev/kfd or no " DEBIAN);
	ASSERT_NE(MAP_FAILED, p);
	snprintf(path[0], sizeof(path[0]), "%s/" OURS, dir ? dir : "../build/libthunk");
	snprintf(path[1], sizeof(path[1]), "%s", DEBIAN);
	for (i = 0; i < 2; i++) {
		pid = fork();
		ASSERT_LE(0, pid);
		if (!pid)
			_exit(take_picture(path[i], &p[i]));
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		ASSERT_EQ(0, status);
	}
	EXPECT_EQ(0, memcmp(&p[0].system, &p[1].system, sizeof(p->system)));
	for (i = 0; i < 8; i++) {
		EXPECT_EQ(0, memcmp(&p[0].node[i], &p[1].node[i], sizeof(p->node[i])));
		EXPECT_EQ(0, memcmp(&p[0].bank[i], &p[1].bank[i], sizeof(p->bank[i])));
		EXPECT_EQ(0, memcmp(&p[0].cache[i], &p[1].cache[i], sizeof(p->cache[i])));
		EXPECT_EQ(0, memcmp(&p[0].link[i], &p[1].link[i], sizeof(p->link[i])));
	}
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
