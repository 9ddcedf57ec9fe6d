// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a process can learn of others and do to them: nothing (S0.61; B034, B158).  A
 * victim waits with a secret in every kind of memory and with a queue that is ready to
 * run; the test's process tries doorbells, packets, addresses and events on it, and to
 * fill the log.  leak_test.c has what comes out of the driver by itself.
 *
 * vm: timeout=600
 */
#include "kfd_harness.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define PAGE		4096ul
#define MIB		(1ul << 20)
#define SECRET_BYTES	65536u
#define SECRET		0x5ec2e7beefull
#define SLOTS		(KFD_DOORBELL_SLICE / 8)

/**
 * struct victim - what the victim tells, in shared memory
 * @stage: 1: ready; 2: it may check and end
 * @ret: 0, or what went wrong
 * @gpu_id: its GPU
 * @mem: addresses of its VRAM, GTT and user memory
 * @map: mmap offsets of the first two
 * @mailbox: address of its event's slot
 * @event: its number
 */
struct victim {
	int stage;
	int ret;
	uint32_t gpu_id;
	uint8_t *mem[3];
	uint64_t map[2];
	uint64_t *mailbox;
	uint32_t event;
};

static bool holds_secret(const uint8_t *p)
{
	unsigned int i;

	for (i = 0; i < SECRET_BYTES / 8; i++)
		if (((const uint64_t *)p)[i] != SECRET + i)
			return false;
	return true;
}

static void put_secret(uint8_t *p)
{
	unsigned int i;

	for (i = 0; i < SECRET_BYTES / 8; i++)
		((uint64_t *)p)[i] = SECRET + i;
}

/* A buffer that only its owner's descriptor maps; @offset is told. */
static int secret_bo(struct kfd_client *c, uint32_t kind, uint8_t **mem, uint64_t *offset)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args a = {
		.va_addr = (uintptr_t)kfd_va_reserve(SECRET_BYTES),
		.size = SECRET_BYTES,
		.gpu_id = c->gpu_id,
		.flags = kind | KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE,
	};
	int ret = kfd_ioctl(c->fd, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &a);

	if (ret)
		return ret;
	if (mmap((void *)a.va_addr, SECRET_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
		 c->drm, a.mmap_offset) == MAP_FAILED)
		return -errno;
	*mem = (uint8_t *)a.va_addr;
	*offset = a.mmap_offset;
	put_secret(*mem);
	return kfd_map(c, a.handle);
}

static int stage_of(const struct victim *v)
{
	return __atomic_load_n(&v->stage, __ATOMIC_ACQUIRE);
}

static void stage_set(struct victim *v, int stage)
{
	__atomic_store_n(&v->stage, stage, __ATOMIC_RELEASE);
}

static bool stage_wait(const struct victim *v, int stage)
{
	unsigned int i;

	for (i = 0; i < 12000 * kfd_time_scale() && stage_of(v) < stage; i++)
		usleep(10000);
	return stage_of(v) >= stage;
}

static int victim_set_up(struct victim *v, struct kfd_client *c, struct kfd_sdma *q,
			 struct kfd_event *e, struct kfd_bo *user)
{
	int ret = kfd_client_init(c, 0);

	if (!ret)
		ret = secret_bo(c, KFD_IOC_ALLOC_MEM_FLAGS_VRAM, &v->mem[0], &v->map[0]);
	if (!ret)
		ret = secret_bo(c, KFD_IOC_ALLOC_MEM_FLAGS_GTT, &v->mem[1], &v->map[1]);
	if (!ret)
		ret = kfd_bo_user(c, SECRET_BYTES, user);
	if (!ret)
		ret = kfd_event_create(c, e);
	if (!ret)
		ret = kfd_sdma_create(c, q);
	if (ret)
		return ret;
	put_secret(user->cpu);
	v->mem[2] = user->cpu;
	v->mailbox = e->mailbox;
	v->event = e->id;
	v->gpu_id = c->gpu_id;
	return 0;
}

/* All is as it was, and the queue, which nobody rang, runs when its owner does. */
static int victim_check(struct victim *v, struct kfd_client *c, struct kfd_sdma *q,
			struct kfd_event *e, const uint32_t *mark)
{
	uint32_t result;
	unsigned int i;

	for (i = 0; i < 3; i++)
		if (!holds_secret(v->mem[i]))
			return -EIO;
	if (*mark || kfd_sdma_rptr(q))
		return -EBADFD;
	if (kfd_event_wait(c, e, 0, &result) || result != KFD_IOC_WAIT_RESULT_TIMEOUT)
		return -EALREADY;
	kfd_sdma_signal(q, e);
	kfd_sdma_ring(q);
	if (kfd_event_wait(c, e, KFD_TIMEOUT_MS, &result) || result)
		return -ETIME;
	return *mark == 1 ? 0 : -ENODATA;
}

/* Its ring and write pointer are ready: whoever touches its doorbell sets it off. */
static void victim_main(struct victim *v)
{
	struct kfd_bo user;
	struct kfd_client c;
	struct kfd_event e;
	struct kfd_sdma q;
	uint32_t w[8], *mark;

	v->ret = victim_set_up(v, &c, &q, &e, &user);
	mark = (uint32_t *)(q.ptrs.cpu + 64);
	if (!v->ret) {
		kfd_sdma_put(&q, w, pkt_fence(w, mark, 1));
		*(volatile uint64_t *)(q.ptrs.cpu + 8) = q.wptr;
	}
	stage_set(v, 1);
	stage_wait(v, 2);
	if (!v->ret)
		v->ret = victim_check(v, &c, &q, &e, mark);
	_exit(v->ret ? 1 : 0);
}

/* The victim's addresses are nothing of ours; if they are taken already, not by a buffer. */
static void keep_away(const struct victim *v)
{
	unsigned int i;

	for (i = 0; i < 3; i++)
		mmap(v->mem[i], SECRET_BYTES, PROT_NONE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	mmap((void *)((uintptr_t)v->mailbox & ~(PAGE - 1)), PAGE, PROT_NONE,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}

FIXTURE(isolation) {
	struct victim *v;
	pid_t pid;
	struct kfd_client c;
	struct kfd_bo scratch;
	struct kfd_event fault;
};

FIXTURE_SETUP(isolation)
{
	if (access("/dev/kfd", F_OK))
		SKIP(return, "no /dev/kfd");
	self->v = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->v);
	memset(self->v, 0, sizeof(*self->v));
	self->pid = fork();
	if (!self->pid)
		victim_main(self->v);
	ASSERT_TRUE(stage_wait(self->v, 1));
	ASSERT_EQ(0, self->v->ret);
	keep_away(self->v);
	ASSERT_EQ(0, kfd_client_init(&self->c, 0));
	ASSERT_EQ(0, kfd_bo_user(&self->c, SECRET_BYTES, &self->scratch));
	ASSERT_EQ(0, kfd_event_create_type(&self->c, KFD_IOC_EVENT_MEMORY, false, &self->fault));
}

/* Each test ends with the victim's word. */
FIXTURE_TEARDOWN(isolation)
{
	int status = -1;

	stage_set(self->v, 2);
	EXPECT_EQ(self->pid, waitpid(self->pid, &status, 0));
	EXPECT_EQ(0, status) TH_LOG("victim: %d", self->v->ret);
	kfd_client_close(&self->c);
}

/* The victim's buffers cannot be mapped through any descriptor of ours. */
TEST_F(isolation, buffers_of_another)
{
	char path[64];
	unsigned int i;
	int fd;

	snprintf(path, sizeof(path), "/dev/dri/renderD%u", self->c.minor);
	fd = open(path, O_RDWR);
	ASSERT_LE(0, fd);
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(-EACCES, kfd_mmap_errno(self->c.drm, SECRET_BYTES, PROT_READ, MAP_SHARED,
						  self->v->map[i]));
		EXPECT_EQ(-EACCES, kfd_mmap_errno(self->c.drm, SECRET_BYTES, PROT_NONE, MAP_PRIVATE,
						  self->v->map[i]));
		EXPECT_EQ(-EACCES, kfd_mmap_errno(fd, SECRET_BYTES, PROT_READ, MAP_SHARED,
						  self->v->map[i]));
		EXPECT_GT(0, kfd_mmap_errno(self->c.fd, SECRET_BYTES, PROT_READ, MAP_SHARED,
					    self->v->map[i]));
	}
	close(fd);
}

/* B034: every slot of our slice, by the CPU and by each packet that stores. */
TEST_F_TIMEOUT(isolation, b034_doorbells_of_another, 120)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args a = {
		.va_addr = (uintptr_t)kfd_va_reserve(KFD_DOORBELL_SLICE),
		.size = KFD_DOORBELL_SLICE,
		.gpu_id = self->c.gpu_id,
		.flags = KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE,
	};
	uint32_t w[16], data[2] = { 8, 0 };
	volatile uint64_t *slots;
	struct kfd_sdma q;
	unsigned int i;

	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	slots = (volatile uint64_t *)self->c.doorbells;
	for (i = 0; i < SLOTS; i++)
		if (&slots[i] != q.doorbell)
			slots[i] = 8 + i * 4;
	ASSERT_EQ(0, kfd_ioctl(self->c.fd, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &a));
	ASSERT_EQ(0, kfd_map(&self->c, a.handle));
	memset(self->scratch.cpu, 0, KFD_DOORBELL_SLICE);
	for (i = 0; i < SLOTS; i++) {
		uint8_t *slot = (uint8_t *)a.va_addr + i * 8;

		if (&slots[i] == q.doorbell)
			continue;
		kfd_sdma_put(&q, w, pkt_write(w, slot, data, 2));
		kfd_sdma_put(&q, w, pkt_fence(w, slot, 16));
		kfd_sdma_put(&q, w, pkt_atomic_add(w, slot, 4));
		kfd_sdma_put(&q, w, pkt_copy(w, slot, self->scratch.cpu, 8));
	}
	kfd_sdma_ring(&q);
	ASSERT_EQ(0, kfd_sdma_idle(&q, KFD_TIMEOUT_MS));
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
	/* Another's, by the size or the GPU of the mapping. */
	EXPECT_EQ(-EINVAL, kfd_mmap_errno(self->c.fd, 2 * KFD_DOORBELL_SLICE, PROT_WRITE,
					  MAP_SHARED,
					  q.doorbell_offset & ~(KFD_DOORBELL_SLICE - 1ull)));
	EXPECT_EQ(-EINVAL, kfd_mmap_errno(self->c.fd, KFD_DOORBELL_SLICE, PROT_WRITE, MAP_SHARED,
					  (q.doorbell_offset & ~(KFD_DOORBELL_SLICE - 1ull)) +
					  KFD_DOORBELL_SLICE));
	EXPECT_EQ(-ENODEV, kfd_mmap_errno(self->c.fd, KFD_DOORBELL_SLICE, PROT_WRITE, MAP_SHARED,
					  3ull << 62 | (uint64_t)(self->c.gpu_id ^ 1) << 46));
}

/* Run one packet on a queue of its own; 1 if the queue stopped for it, 0 if it ran. */
static int run_packet(FIXTURE_DATA(isolation) *self, const uint32_t *words, unsigned int n)
{
	uint32_t result = 2, w[8];
	struct kfd_sdma q;
	int ret = kfd_sdma_create_size(&self->c, &q, 4096);
	unsigned int i;

	if (ret)
		return ret;
	kfd_sdma_put(&q, words, n);
	kfd_sdma_put(&q, w, pkt_fill(w, self->scratch.cpu + PAGE, 0, 64));
	kfd_sdma_ring(&q);
	for (i = 0; i < 3000 * kfd_time_scale() && kfd_sdma_rptr(&q) != q.wptr; i++) {
		ret = kfd_event_wait(&self->c, &self->fault, 10, &result);
		if (ret || result == KFD_IOC_WAIT_RESULT_COMPLETE)
			break;
	}
	if (!ret && kfd_sdma_rptr(&q) != q.wptr)
		ret = result == KFD_IOC_WAIT_RESULT_COMPLETE ? 1 : -ETIMEDOUT;
	kfd_sdma_destroy(&q);
	return ret;
}

/* All that loads or stores, at @addr; returns how many forms there are. */
static unsigned int touch(uint32_t w[16], unsigned int form, const uint8_t *addr, uint8_t *own,
			  unsigned int *n)
{
	uint32_t data[2] = { 0xbad, 0xbad };

	memset(w, 0, 16 * sizeof(*w));
	switch (form) {
	case 0:
		*n = pkt_copy(w, own, addr, 64);
		break;
	case 1:
		*n = pkt_copy(w, addr, own, 64);
		break;
	case 2:
		*n = pkt_fill(w, addr, 0xbad, 64);
		break;
	case 3:
		*n = pkt_fence(w, addr, 0xbad);
		break;
	case 4:
		*n = pkt_atomic_add(w, addr, 1);
		break;
	case 5:
		*n = pkt_write(w, addr, data, 2);
		break;
	case 6:
		*n = pkt_timestamp(w, addr);
		break;
	case 7:
		*n = pkt_poll_mem(w, addr, 0, 0);
		break;
	case 8:		/* page-table entries */
		pkt_timestamp(w, addr);
		w[0] = 12;
		w[3] = 0x73;
		*n = 10;
		break;
	case 9:		/* commands from there; after two NOPs, as it must end on 8 dwords */
		pkt_timestamp(w + 2, addr);
		w[2] = 4;
		w[5] = 8;
		*n = 8;
		break;
	case 10:	/* by rows */
		w[0] = 1 | 4 << 8;
		w[1] = (uintptr_t)addr;
		w[2] = (uintptr_t)addr >> 32;
		w[6] = (uintptr_t)own;
		w[7] = (uintptr_t)own >> 32;
		w[11] = 63;
		*n = 13;
		break;
	case 11:	/* to us, and there */
	case 12:	/* from there, to us twice */
		pkt_copy(w, own + 256, form == 11 ? own : addr, 64);
		w[0] = 1 | 1 << 27;
		w[7] = (uintptr_t)(form == 11 ? addr : own);
		w[8] = (uintptr_t)(form == 11 ? addr : own) >> 32;
		*n = 9;
		break;
	case 13:	/* semaphores: wait, signal, one more */
	case 14:
	case 15:
		*n = pkt_timestamp(w, addr);
		w[0] = 7 | (form == 14) << 30 | (form == 15) << 8;
		break;
	case 16:	/* condition */
		pkt_timestamp(w, addr);
		w[0] = 9;
		w[3] = 1;
		*n = 5;
		break;
	case 17:	/* local time */
		*n = pkt_timestamp(w, addr);
		w[0] = 13 | 1 << 8;
		break;
	}
	return 18;
}

/*
 * Addresses of the victim, of VMID 0 (VRAM, the GART), of the BARs, of the first pages of
 * memory: none of them is ours.
 */
TEST_F_TIMEOUT(isolation, addresses_of_others, 480)
{
	const uint8_t *where[] = {
		self->v->mem[0], self->v->mem[1], self->v->mem[2], (uint8_t *)self->v->mailbox,
		(uint8_t *)0xf400000000, (uint8_t *)0x8000000000, (uint8_t *)0x10000000000,
		(uint8_t *)0xe0000000, (uint8_t *)0x1000, (uint8_t *)0xffff000000000000,
	};
	uint32_t w[16];
	unsigned int i, k, n = 0, forms = 1;

	for (i = 0; i < ARRAY_SIZE(where); i++) {
		for (k = 0; k < forms; k++) {
			forms = touch(w, k, where[i], self->scratch.cpu, &n);
			memset(self->scratch.cpu, 0x11, 64);
			EXPECT_EQ(1, run_packet(self, w, n))
				TH_LOG("form %u at %p", k, where[i]);
			EXPECT_EQ(0x11, self->scratch.cpu[8]);
		}
	}
}

/*
 * Packets that reach past the VM, and forms of others that would: register writes and
 * polls, physical and encrypted copies, TLB and time-stamp commands; packets that the
 * model does not run, and such as name an address that nobody has.  None runs on a user
 * queue.
 */
TEST_F_TIMEOUT(isolation, privileged_packets, 480)
{
	static const struct {
		char name[36];
		uint32_t n, w[16];
	} packets[] = {
		{ "register write", 3, { 14 | 0xfu << 28, 0x80, ~0u } },
		{ "register write, no byte", 3, { 14, 0x80, ~0u } },
		{ "register write, doorbell range", 3, { 14 | 0xfu << 28, 0x3bc0 / 4, ~0u } },
		{ "register poll", 6, { 8 | 3u << 28, 0x80, 0, 0, ~0u, 0x0fff0004 } },
		{ "register poll, always true", 6, { 8, 0x80, 0, 0, 0, 0x0fff0004 } },
		{ "flush with another reference", 6, { 8, 0, 0x80000000, 1, 0, 0 } },
		{ "flush of the kernel", 6,
		  { 8 | 1u << 26 | 3u << 28, 0x3898, 0x389c, 4, 4, 0x0fff000a } },
		{ "poll, write register to memory", 4, { 8 | 1 << 8, 0x80, 0x1000, 0 } },
		{ "poll, dirty bits to memory", 5, { 8 | 2 << 8, 0x1000, 0, 0, 1 } },
		{ "memory verify", 13, { 8 | 3 << 8 } },
		{ "copy, tiled", 12, { 1 | 1 << 8 } },
		{ "copy, sub-window to tiles", 14, { 1 | 5 << 8 } },
		{ "copy, structure", 8, { 1 | 3 << 8 } },
		{ "copy, tiled to tiled", 15, { 1 | 6 << 8 } },
		{ "copy, dirty pages", 7, { 1 | 7 << 8, 63 } },
		{ "copy, physical", 7, { 1 | 8 << 8, 63 } },
		{ "copy, encrypted", 7, { 1 | 1 << 16, 63 } },
		{ "copy, encrypted (TMZ)", 7, { 1 | 1 << 18, 63 } },
		{ "copy, broadcast", 9, { 1 | 1 << 27, 63 } },
		{ "write, tiled", 10, { 2 | 1 << 8 } },
		{ "semaphore", 3, { 7, 0x1000, 0 } },
		{ "semaphore, mailbox", 3, { 7 | 3u << 30, 0x1000, 0 } },
		{ "conditional execution", 5, { 9, 0x1000, 0, 1, 1 } },
		{ "condition with another reference", 5, { 9, 0x1000, 0, 0, 1 } },
		{ "many fills", 6, { 11 | 1 << 8 } },
		{ "page-table entries, copy", 8, { 12 | 1 << 8 } },
		{ "page-table entries, change", 7, { 12 | 2 << 8 } },
		{ "page-table entries, backwards", 7, { 12 | 3 << 8 } },
		{ "pre-execution", 2, { 15, 1 } },
		{ "local time stamp, set", 3, { 13, 0x1000, 0 } },
		{ "local time stamp, get", 3, { 13 | 1 << 8, 0x1000, 0 } },
		{ "dummy trap", 2, { 16, 1 } },
		{ "AQL copy", 16, { 4 | 1 << 8 } },
		{ "AQL barrier", 16, { 5 | 1 << 8 } },
		{ "last opcode", 1, { 0xff } },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(packets); i++)
		EXPECT_EQ(1, run_packet(self, packets[i].w, packets[i].n))
			TH_LOG("%s", packets[i].name);
}

/* Commands in our own memory, but for each of the 16 VMIDs: they run for ours alone. */
TEST_F_TIMEOUT(isolation, buffer_for_another_vmid, 240)
{
	unsigned int vmid, ran = 0;
	uint32_t w[8] = { 0 };

	for (vmid = 0; vmid < 16; vmid++) {
		int ret;

		memset(self->scratch.cpu, 0, 32);	/* NOPs */
		pkt_timestamp(w + 2, self->scratch.cpu);
		w[2] = 4 | vmid << 16;
		w[5] = 8;
		ret = run_packet(self, w, 8);
		EXPECT_LE(0, ret);
		ran += !ret;
	}
	EXPECT_EQ(1, ran);
}

/* Traps with every number that the victim's event might have, and fences to its page. */
TEST_F_TIMEOUT(isolation, events_of_another, 120)
{
	struct kfd_event own;
	struct kfd_sdma q;
	uint32_t w[4], id, result;

	ASSERT_EQ(0, kfd_event_create(&self->c, &own));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	for (id = 0; id < 64; id++)
		kfd_sdma_put(&q, w, pkt_trap(w, id));
	kfd_sdma_put(&q, w, pkt_trap(w, self->v->event));
	kfd_sdma_put(&q, w, pkt_trap(w, 0xfffffff));
	kfd_sdma_signal(&q, &own);
	kfd_sdma_ring(&q);
	EXPECT_EQ(0, kfd_event_wait(&self->c, &own, KFD_TIMEOUT_MS, &result));
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
}

/* B158: watching every kind of SMI event tells nothing of others (smi_test.c has it at length). */
TEST_F(isolation, b158_smi_events)
{
	int fd = kfd_smi_open(&self->c, KFD_SMI_EVENT_MASK_FROM_INDEX(KFD_SMI_EVENT_ALL_PROCESS) -
					1);
	char byte;
	int status;
	pid_t pid;

	ASSERT_LE(0, fd);
	pid = fork();
	if (!pid) {
		struct kfd_client c;
		struct kfd_sdma q;
		uint32_t w[8];
		struct pollfd own = { .events = POLLIN };

		if (kfd_client_init(&c, 0) || kfd_sdma_create(&c, &q))
			_exit(1);
		own.fd = kfd_smi_open(&c, KFD_SMI_EVENT_MASK_FROM_INDEX(KFD_SMI_EVENT_VMFAULT));
		kfd_sdma_put(&q, w, pkt_fence(w, (void *)0x700000001000ul, 1));
		kfd_sdma_ring(&q);
		/* Told to itself: then others would have it as well. */
		_exit(own.fd < 0 || poll(&own, 1, KFD_TIMEOUT_MS) != 1);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(-1, read(fd, &byte, 1));
	EXPECT_EQ(EAGAIN, errno);
	close(fd);
}

/* ---- access after free ---- */

static void fill_bo(struct kfd_client *c, uint32_t flags, uint64_t size, int byte,
		    unsigned int count)
{
	struct kfd_bo bo;

	while (count-- && !kfd_bo_alloc(c, size, flags, &bo))
		memset(bo.cpu, byte, size);
}

#define VRAM_FLAGS	(KFD_IOC_ALLOC_MEM_FLAGS_VRAM | KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC |	\
			 KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE)
#define GTT_FLAGS	(KFD_IOC_ALLOC_MEM_FLAGS_GTT | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE)

/* Somebody else takes what was freed and writes to it. */
static int next_owner(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		struct kfd_client c;

		if (kfd_client_init(&c, 0))
			_exit(1);
		fill_bo(&c, VRAM_FLAGS, MIB, 0xee, 8);
		fill_bo(&c, GTT_FLAGS, MIB, 0xee, 8);
		_exit(0);
	}
	return waitpid(pid, &status, 0) == pid ? status : -1;
}

/* A CPU mapping of a buffer whose name has gone: still the buffer, nobody else's. */
TEST_F_TIMEOUT(isolation, cpu_mapping_after_free, 120)
{
	const uint32_t kinds[] = { VRAM_FLAGS, GTT_FLAGS };
	unsigned int i;

	for (i = 0; i < 2; i++) {
		struct kfd_ioctl_free_memory_of_gpu_args f;
		struct kfd_bo bo;

		ASSERT_EQ(0, kfd_bo_alloc(&self->c, 4 * MIB, kinds[i], &bo));
		memset(bo.cpu, 0x33, 4 * MIB);
		f.handle = bo.handle;
		EXPECT_EQ(-EBUSY, kfd_ioctl(self->c.fd, AMDKFD_IOC_FREE_MEMORY_OF_GPU, &f));
		ASSERT_EQ(0, kfd_unmap(&self->c, bo.handle));
		ASSERT_EQ(0, kfd_ioctl(self->c.fd, AMDKFD_IOC_FREE_MEMORY_OF_GPU, &f));
		ASSERT_EQ(0, next_owner());
		EXPECT_TRUE(kfd_all_bytes(bo.cpu, 4 * MIB, 0x33));
		munmap(bo.cpu, 4 * MIB);
	}
}

/* The GPU's way to a buffer ends with the unmap, to user memory with munmap(). */
TEST_F_TIMEOUT(isolation, gpu_mapping_after_free, 240)
{
	const uint32_t kinds[] = { VRAM_FLAGS, GTT_FLAGS };
	uint8_t *own = self->scratch.cpu;
	struct kfd_bo bo;
	unsigned int i;
	uint32_t w[8];

	for (i = 0; i < 2; i++) {
		uint8_t *va;

		ASSERT_EQ(0, kfd_bo_alloc(&self->c, MIB, kinds[i], &bo));
		memset(bo.cpu, 0x33, MIB);
		va = bo.cpu;
		/* So that the engine knows the translation. */
		ASSERT_EQ(0, run_packet(self, w, pkt_copy(w, own, va, 64)));
		EXPECT_EQ(0x33, own[8]);
		ASSERT_EQ(0, kfd_bo_free(&self->c, &bo));
		ASSERT_EQ(0, next_owner());
		memset(own, 0x11, 64);
		EXPECT_EQ(1, run_packet(self, w, pkt_copy(w, own, va, 64)));
		EXPECT_EQ(1, run_packet(self, w, pkt_copy(w, va, own, 64)));
		EXPECT_EQ(0x11, own[8]);
	}
	ASSERT_EQ(0, kfd_bo_user(&self->c, MIB, &bo));
	memset(bo.cpu, 0x33, MIB);
	ASSERT_EQ(0, run_packet(self, w, pkt_copy(w, own, bo.cpu, 64)));
	/* Gone, and nothing else comes there. */
	ASSERT_EQ(bo.cpu, mmap(bo.cpu, MIB, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
			       -1, 0));
	memset(own, 0x11, 64);
	EXPECT_EQ(1, run_packet(self, w, pkt_copy(w, own, bo.cpu, 64)));
	EXPECT_EQ(0x11, own[8]);
}

/* A child keeps the mappings that it was given, and no more, when their owner has gone. */
TEST_F_TIMEOUT(isolation, inherited_mapping_after_exit, 120)
{
	volatile int *seen = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				  -1, 0);
	unsigned int i;
	pid_t pid;

	ASSERT_NE(MAP_FAILED, (void *)seen);
	pid = fork();
	if (!pid) {
		struct kfd_client c;
		uint64_t offset;
		uint8_t *mem;

		if (kfd_client_init(&c, 0) ||
		    secret_bo(&c, KFD_IOC_ALLOC_MEM_FLAGS_VRAM, &mem, &offset))
			_exit(1);
		if (fork())
			_exit(0);
		/* The owner has gone when the test says so. */
		while (*seen != 1)
			usleep(1000);
		next_owner();
		*seen = holds_secret(mem) ? 2 : 3;
		_exit(0);
	}
	ASSERT_EQ(pid, waitpid(pid, NULL, 0));
	*seen = 1;
	for (i = 0; i < 3000 * kfd_time_scale() && *seen < 2; i++)
		usleep(10000);
	EXPECT_EQ(2, *seen);
}

/* ---- the log ---- */

static unsigned int log_lines(int fd)
{
	char line[8192];
	unsigned int n = 0;

	for (;;) {
		ssize_t got = read(fd, line, sizeof(line));

		if (got > 0)
			n++;
		else if (got < 0 && errno != EPIPE)	/* EPIPE: some were overwritten */
			return n;
	}
}

/* Thousands of bad calls say nothing, hundreds of faults a few lines. */
TEST_F_TIMEOUT(isolation, log_is_not_flooded, 480)
{
	const unsigned int faults = 60;
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	unsigned int i, nr;
	uint32_t w[8];

	if (fd < 0)
		SKIP(return, "no kernel log");
	lseek(fd, 0, SEEK_END);
	for (i = 0; i < 300; i++) {
		for (nr = 0; nr < 64; nr++) {
			uint8_t args[512];

			/* One sleeps, the other stops the queues for a checkpoint. */
			if (nr == _IOC_NR(AMDKFD_IOC_WAIT_EVENTS) ||
			    nr == _IOC_NR(AMDKFD_IOC_CRIU_OP))
				continue;
			memset(args, i & 1 ? 0xff : i, sizeof(args));
			ioctl(self->c.fd, _IOC(_IOC_READ | _IOC_WRITE, 'K', nr, 400), args);
			kfd_mmap_errno(self->c.fd, PAGE, PROT_READ, MAP_SHARED, (uint64_t)nr << 58);
		}
	}
	EXPECT_EQ(0, log_lines(fd));
	for (i = 0; i < faults; i++)
		ASSERT_EQ(1, run_packet(self, w, pkt_copy(w, self->scratch.cpu, (void *)0x1000,
							  64)));
	EXPECT_GT(faults, log_lines(fd));
	close(fd);
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
