// SPDX-License-Identifier: GPL-2.0-only
/*
 * More VRAM than the machine has memory, and no limit to how much of it may be filled:
 * filling it ends with a fault of the one who fills, what was stored before is right,
 * nobody is killed and the machine goes on (S0.61).
 *
 * vm: modules="carillon_vgpu gpus=vega10:cu=4,vram=4g vram_cap=4096;carillon" mem=512M timeout=600
 */
#include "kfd_harness.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define PAGE	4096ul
#define MIB	(1ul << 20)
#define SIZE	(2048 * MIB)
#define FILL	0x5a17c0deu

FIXTURE(pressure) {
	uint64_t *done;
};

FIXTURE_SETUP(pressure)
{
	if (access("/dev/kfd", F_OK))
		SKIP(return, "no /dev/kfd");
	self->done = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->done);
	*self->done = 0;
}

FIXTURE_TEARDOWN(pressure)
{
}

static sigjmp_buf bus_error;

static void on_sigbus(int sig)
{
	siglongjmp(bus_error, 1);
}

/* Exit status: 0: there was no memory at last, and all before is right. */
static int fill_by_cpu(volatile uint64_t *done)
{
	struct kfd_client c;
	struct kfd_bo v;
	uint64_t at;

	if (kfd_client_init(&c, 0) || kfd_bo_vram(&c, SIZE, &v))
		return 1;
	signal(SIGBUS, on_sigbus);
	if (!sigsetjmp(bus_error, 1)) {
		for (at = 0; at < SIZE; at += PAGE) {
			*(volatile uint64_t *)(v.cpu + at) = FILL + at;
			*done = at + PAGE;
		}
		return 2;
	}
	for (at = 0; at < *done; at += PAGE)
		if (*(volatile uint64_t *)(v.cpu + at) != FILL + at)
			return 3;
	return 0;
}

/* A fill and a fence for each MiB, until the queue stops; then the CPU looks. */
static int fill_by_engine(volatile uint64_t *done)
{
	uint32_t w[16], result = KFD_IOC_WAIT_RESULT_FAIL;
	volatile uint32_t *fence;
	struct kfd_bo v, cells;
	struct kfd_event fault;
	struct kfd_client c;
	struct kfd_sdma q;
	uint64_t i;

	if (kfd_client_init(&c, 0) || kfd_bo_vram(&c, SIZE, &v) || kfd_bo_gtt(&c, PAGE, &cells) ||
	    kfd_event_create_type(&c, KFD_IOC_EVENT_MEMORY, false, &fault) ||
	    kfd_sdma_create_size(&c, &q, 262144))
		return 1;
	fence = (uint32_t *)cells.cpu;
	for (i = 0; i < SIZE / MIB; i++) {
		kfd_sdma_put(&q, w, pkt_fill(w, v.cpu + i * MIB, FILL + i, MIB));
		kfd_sdma_put(&q, w, pkt_fence(w, cells.cpu, i + 1));
	}
	kfd_sdma_ring(&q);
	if (kfd_event_wait(&c, &fault, KFD_TIMEOUT_MS * 2, &result) ||
	    result != KFD_IOC_WAIT_RESULT_COMPLETE)
		return 2;
	*done = *fence * MIB;
	for (i = 0; i < *done / 4; i++)
		if (((uint32_t *)v.cpu)[i] != FILL + i / (MIB / 4))
			return 3;
	return 0;
}

static int run(int (*fn)(volatile uint64_t *done), uint64_t *done)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(fn(done));
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int copy_a_little(volatile uint64_t *done)
{
	struct kfd_client c;
	struct kfd_event e;
	struct kfd_sdma q;
	struct kfd_bo a, b;

	if (kfd_client_init(&c, 0) || kfd_bo_user(&c, MIB, &a) || kfd_bo_vram(&c, MIB, &b) ||
	    kfd_event_create(&c, &e) || kfd_sdma_create(&c, &q))
		return 1;
	memset(a.cpu, 0x42, MIB);
	if (kfd_sdma_copy_wait(&q, &e, b.cpu, a.cpu, MIB))
		return 2;
	return memcmp(a.cpu, b.cpu, MIB) ? 3 : 0;
}

/* As often as it likes: what one fills comes back for the next. */
static void fill_and_go_on(struct __test_metadata *_metadata, uint64_t *done,
			   int (*fn)(volatile uint64_t *done))
{
	uint64_t first = 0;
	unsigned int i;

	if (!kfd_baseline[0])
		SKIP(return, "no debugfs counts");
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(0, run(fn, done));
		EXPECT_LT(64 * MIB, *done);
		EXPECT_GT(512 * MIB, *done);
		EXPECT_EQ(0, run(copy_a_little, done));
		EXPECT_EQ(0, kfd_counts_settle(kfd_baseline));
		if (!i)
			first = *done;
	}
	TH_LOG("%llu and %llu MiB", (unsigned long long)first >> 20,
	       (unsigned long long)*done >> 20);
}

TEST_F_TIMEOUT(pressure, by_cpu, 480)
{
	fill_and_go_on(_metadata, self->done, fill_by_cpu);
}

TEST_F_TIMEOUT(pressure, by_engine, 480)
{
	fill_and_go_on(_metadata, self->done, fill_by_engine);
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
