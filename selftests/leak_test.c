// SPDX-License-Identifier: GPL-2.0-only
/*
 * What comes out of the driver: fresh memory, results of ioctls, files.  Nothing in them
 * is what somebody else left (S0.61).
 *
 * Memory that the kernel would clear by itself is not cleared here, and freed memory
 * holds a pattern, so that what the driver forgets to clear shows.
 *
 * vm: timeout=600 append="init_on_alloc=0 init_on_free=0 page_poison=1 slub_debug=P"
 */
#include "kfd_harness.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define PAGE		4096ul
#define MIB		(1ul << 20)
#define SLOTS		(KFD_DOORBELL_SLICE / 8)
/* Bytes of freed memory: pages and slab objects of the kernel, and what we leave. */
#define POISON_PAGE	0xaa
#define POISON_SLAB	0x6b
#define POISON_OURS	0xc7

FIXTURE(leak) {
	struct kfd_client c;
};

/* A process dirties all there is, by CPU and by engine, and ends; and so does plain memory. */
static int dirty_everything(void)
{
	struct kfd_client c;
	struct kfd_bo vram, gtt;
	struct kfd_event e;
	struct kfd_sdma q;
	unsigned int i;
	int ret = kfd_client_init(&c, 0);
	uint8_t *plain = mmap(NULL, 64 * MIB, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (plain == MAP_FAILED)
		return -ENOMEM;
	memset(plain, POISON_OURS, 64 * MIB);
	munmap(plain, 64 * MIB);
	if (!ret)
		ret = kfd_event_create(&c, &e);
	if (!ret)
		ret = kfd_sdma_create(&c, &q);
	if (!ret)
		ret = kfd_bo_vram(&c, 8 * MIB, &vram);
	if (!ret)
		ret = kfd_bo_gtt(&c, 8 * MIB, &gtt);
	if (ret)
		return ret;
	memset(gtt.cpu, POISON_OURS, gtt.size);
	ret = kfd_sdma_copy_wait(&q, &e, vram.cpu, gtt.cpu, vram.size);
	memset(c.event_page, POISON_OURS, KFD_EVENT_PAGE_SIZE);
	kfd_sdma_destroy(&q);
	for (i = 0; i < SLOTS; i++)
		((volatile uint64_t *)c.doorbells)[i] = POISON_OURS * 0x0101010101010101ull;
	return ret;
}

FIXTURE_SETUP(leak)
{
	int status;
	pid_t pid;

	if (access("/dev/kfd", F_OK))
		SKIP(return, "no /dev/kfd");
	pid = fork();
	if (!pid)
		_exit(dirty_everything() ? 1 : 0);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
	ASSERT_EQ(0, kfd_client_init(&self->c, 0));
}

FIXTURE_TEARDOWN(leak)
{
	kfd_client_close(&self->c);
}

/* Every kind of memory that a client can get reads as zero, however it is read. */
TEST_F_TIMEOUT(leak, fresh_buffers, 240)
{
	struct kfd_bo vram, gtt, hidden, copy;
	struct kfd_event e;
	struct kfd_sdma q;

	ASSERT_EQ(0, kfd_bo_vram(&self->c, 8 * MIB, &vram));
	ASSERT_EQ(0, kfd_bo_gtt(&self->c, 8 * MIB, &gtt));
	ASSERT_EQ(0, kfd_bo_alloc(&self->c, 8 * MIB, KFD_IOC_ALLOC_MEM_FLAGS_VRAM, &hidden));
	ASSERT_EQ(0, kfd_bo_user(&self->c, 8 * MIB, &copy));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	EXPECT_TRUE(kfd_all_bytes(gtt.cpu, gtt.size, 0));
	memset(copy.cpu, 0x11, copy.size);
	ASSERT_EQ(0, kfd_sdma_copy_wait(&q, &e, copy.cpu, hidden.cpu, hidden.size));
	EXPECT_TRUE(kfd_all_bytes(copy.cpu, copy.size, 0));
	ASSERT_EQ(0, kfd_sdma_copy_wait(&q, &e, copy.cpu, vram.cpu, vram.size / 2));
	EXPECT_TRUE(kfd_all_bytes(copy.cpu, vram.size / 2, 0));
	EXPECT_TRUE(kfd_all_bytes(vram.cpu, vram.size, 0));
}

/* The driver's own pages: doorbells, flush registers, event slots. */
TEST_F(leak, fresh_pages)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args a = {
		.va_addr = (uintptr_t)kfd_va_reserve(PAGE),
		.size = PAGE,
		.gpu_id = self->c.gpu_id,
		.flags = KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE,
	};
	struct kfd_ioctl_create_event_args ev = { .event_type = KFD_IOC_EVENT_SIGNAL };
	uint8_t *p;

	p = mmap(NULL, KFD_DOORBELL_SLICE, PROT_READ, MAP_SHARED, self->c.fd,
		 3ull << 62 | (uint64_t)self->c.gpu_id << 46);
	ASSERT_NE(MAP_FAILED, p);
	EXPECT_TRUE(kfd_all_bytes(p, KFD_DOORBELL_SLICE, 0));
	ASSERT_EQ(0, kfd_ioctl(self->c.fd, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &a));
	p = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, self->c.fd, a.mmap_offset);
	ASSERT_NE(MAP_FAILED, p);
	EXPECT_TRUE(kfd_all_bytes(p, PAGE, 0));
	ASSERT_EQ(0, kfd_ioctl(self->c.fd, AMDKFD_IOC_CREATE_EVENT, &ev));
	p = mmap(NULL, KFD_EVENT_PAGE_SIZE, PROT_READ, MAP_SHARED, self->c.fd,
		 ev.event_page_offset);
	ASSERT_NE(MAP_FAILED, p);
	EXPECT_TRUE(kfd_all_bytes(p, KFD_EVENT_PAGE_SIZE, 0xff));
}

/* Four bytes in a row of what freed memory holds. */
static bool poisoned(const uint8_t *p, unsigned int n)
{
	static const uint8_t poison[] = { POISON_PAGE, POISON_SLAB, POISON_OURS };
	unsigned int i, k;

	for (i = 0; i + 4 <= n; i++)
		for (k = 0; k < sizeof(poison); k++)
			if (p[i] == poison[k] && !memcmp(p + i, p + i + 1, 3))
				return true;
	return false;
}

/* Leave the pattern on the kernel's stack and in its small objects. */
static void dirty_kernel(int fd)
{
	uint8_t buf[4096];
	int p[2];

	memset(buf, POISON_OURS, sizeof(buf));
	ioctl(fd, AMDKFD_IOC_GET_PROCESS_APERTURES, buf);
	memset(buf, POISON_OURS, sizeof(buf));
	ioctl(fd, AMDKFD_IOC_CREATE_QUEUE, buf);
	ioctl(fd, _IOC(_IOC_READ | _IOC_WRITE, 'K', 0x7f, 512), buf);
	if (!pipe(p)) {
		if (write(p[1], buf, sizeof(buf)) < 0)
			buf[0] = 0;
		close(p[0]);
		close(p[1]);
	}
}

/*
 * Every command, with a struct of zeroes, of ones and of plausible values, twice with
 * another pattern around: what it writes depends on neither, and nothing of the
 * kernel's is in it.
 */
TEST_F_TIMEOUT(leak, results_of_ioctls, 120)
{
	unsigned int nr, form, i;

	for (nr = 1; nr <= 0x23; nr++) {
		for (form = 0; form < 3; form++) {
			uint8_t out[512], pad = 0x11;
			unsigned long cmd = _IOC(_IOC_READ | _IOC_WRITE, 'K', nr, 400);

			if (nr == _IOC_NR(AMDKFD_IOC_WAIT_EVENTS) && form == 1)
				continue;	/* waits for ever, by its words */
			memset(out, pad, sizeof(out));
			memset(out, form == 1 ? 0xff : 0, 400);
			if (form == 2)
				for (i = 0; i < 100; i++)
					((uint32_t *)out)[i] = i % 3 ? self->c.gpu_id : 1;
			dirty_kernel(self->c.fd);
			ioctl(self->c.fd, cmd, out);
			EXPECT_FALSE(poisoned(out, sizeof(out)))
				TH_LOG("nr %#x form %u", nr, form);
			for (i = 400; i < sizeof(out) && out[i] == pad; i++)
				;
			EXPECT_EQ(sizeof(out), i) TH_LOG("nr %#x form %u", nr, form);
		}
	}
}

/* Arrays behind pointers: apertures and event data; what is not told stays as it was. */
TEST_F(leak, arrays_of_ioctls)
{
	struct kfd_process_device_apertures ap[8];
	struct kfd_ioctl_get_process_apertures_new_args g = {
		.kfd_process_device_apertures_ptr = (uintptr_t)ap,
		.num_of_nodes = kfd_num_nodes(),
	};
	struct kfd_event_data data[4];
	struct kfd_ioctl_wait_events_args wait = { .events_ptr = (uintptr_t)data, .num_events = 2 };
	struct kfd_event e;
	unsigned int i;

	memset(ap, 0x11, sizeof(ap));
	dirty_kernel(self->c.fd);
	ASSERT_EQ(0, kfd_ioctl(self->c.fd, AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, &g));
	ASSERT_LE(g.num_of_nodes, 4);
	EXPECT_FALSE(poisoned((uint8_t *)ap, sizeof(ap)));
	EXPECT_EQ(0, ap[0].pad);
	EXPECT_TRUE(kfd_all_bytes((uint8_t *)&ap[g.num_of_nodes],
				  sizeof(ap[0]) * (8 - g.num_of_nodes), 0x11));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	memset(data, 0x11, sizeof(data));
	for (i = 0; i < wait.num_events; i++) {
		data[i].event_id = e.id;
		/* Any other age has passed. */
		data[i].signal_event_data.last_event_age = 0;
	}
	dirty_kernel(self->c.fd);
	ASSERT_EQ(0, kfd_ioctl(self->c.fd, AMDKFD_IOC_WAIT_EVENTS, &wait));
	EXPECT_EQ(KFD_IOC_WAIT_RESULT_TIMEOUT, wait.wait_result);
	for (i = 0; i < wait.num_events; i++) {
		EXPECT_EQ(0, data[i].signal_event_data.last_event_age);
		data[i].event_id = 0x11111111;
		memset(&data[i].signal_event_data.last_event_age, 0x11,
		       sizeof(data[i].signal_event_data.last_event_age));
	}
	EXPECT_TRUE(kfd_all_bytes((uint8_t *)data, sizeof(data), 0x11));
}

/* Files of the topology hold text and nothing behind it. */
TEST_F(leak, files)
{
	static const char *const names[] = {
		"generation_id", "system_properties", "nodes/0/properties", "nodes/1/properties",
		"nodes/1/gpu_id", "nodes/1/name", "nodes/1/mem_banks/0/properties",
		"nodes/1/caches/0/properties", "nodes/1/io_links/0/properties",
	};
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		char path[160], text[8192];
		ssize_t n;
		int fd;

		snprintf(path, sizeof(path), "/sys/devices/virtual/kfd/kfd/topology/%s", names[i]);
		fd = open(path, O_RDONLY);
		ASSERT_LE(0, fd) TH_LOG("%s", path);
		dirty_kernel(self->c.fd);
		n = read(fd, text, sizeof(text));
		close(fd);
		ASSERT_LT(0, n) TH_LOG("%s", path);
		for (k = 0; k < n; k++)
			if (text[k] != '\n' && (text[k] < ' ' || text[k] > '~'))
				break;
		EXPECT_EQ(n, k) TH_LOG("%s: byte %u is %#x", path, k, (uint8_t)text[k]);
	}
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
