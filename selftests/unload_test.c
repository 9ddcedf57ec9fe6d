// SPDX-License-Identifier: GPL-2.0-only
/*
 * Both modules are unloaded and loaded again and again with a client at work (S0.32, B148): the
 * driver's unloading is refused, the model's disconnects the client, which is told so,
 * and the next load is like the first.  Where a client left packets behind nothing of
 * them runs for the next one (B149).
 *
 * LIFE_CYCLES (a number) and LIFE_SECONDS (when to stop before) say how much; what
 * was done is printed.
 *
 * vm: modules="carillon_vgpu gpus=vega10:cu=4,vram=512m;carillon" timeout=600
 */
#include "kfd_harness.h"

#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#define MODEL		"carillon_vgpu"
#define DRIVER		"carillon"
#define COPY_BYTES	65536ul
/* Where two clients after each other have their rings. */
#define RING_AT		((void *)0x300000000000)
#define PTRS_AT		((void *)0x300000100000)
#define CELLS_AT	((void *)0x300000200000)
#define RING_BYTES	4096u

/* ---- modules ---- */

static char model_parameters[128];

static int load(const char *name, const char *parameters)
{
	char path[256];
	int fd, ret;

	snprintf(path, sizeof(path), "%s/%s.ko", getenv("CARILLON_MODULES_DIR"), name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = syscall(SYS_finit_module, fd, parameters, 0) ? -errno : 0;
	close(fd);
	return ret;
}

static int unload(const char *name)
{
	return syscall(SYS_delete_module, name, O_NONBLOCK) ? -errno : 0;
}

/* The reference of a process that ended goes a little later. */
static int unload_patiently(const char *name)
{
	unsigned int i;
	int ret = -EAGAIN;

	for (i = 0; i < 1000 * kfd_time_scale() && ret == -EAGAIN; i++) {
		ret = unload(name);
		if (ret == -EAGAIN)
			usleep(10000);
	}
	return ret;
}

static int load_both(bool driver_first)
{
	int ret = driver_first ? load(DRIVER, "") : load(MODEL, model_parameters);

	if (ret)
		return ret;
	return driver_first ? load(MODEL, model_parameters) : load(DRIVER, "");
}

/* The kernel's rings as debugfs shows them: where they stand and whether they live. */
static void read_rings(char *buf, size_t size)
{
	glob_t g;
	FILE *f;
	size_t n = 0;

	if (!glob("/sys/kernel/debug/carillon/*:*:*/rings", 0, NULL, &g)) {
		f = fopen(g.gl_pathv[0], "r");
		if (f) {
			n = fread(buf, 1, size - 1, f);
			fclose(f);
		}
	}
	globfree(&g);
	buf[n] = 0;
}

FIXTURE(unload) {
};

FIXTURE_SETUP(unload)
{
	FILE *f = fopen("/sys/module/" MODEL "/parameters/gpus", "r");
	char gpus[100] = "";

	if (!f || !kfd_baseline[0] || !getenv("CARILLON_MODULES_DIR"))
		SKIP(return, "not in the test VM, or no debugfs counts");
	if (fscanf(f, "%99s", gpus) != 1)
		gpus[0] = 0;
	fclose(f);
	snprintf(model_parameters, sizeof(model_parameters), "gpus=%s", gpus);
}

FIXTURE_TEARDOWN(unload)
{
}

/* ---- a client that is at work when its GPU goes ---- */

static void disconnected(int sig)
{
	_exit(0);
}

/* The GPU is gone for this process: a call says so, instead of hanging or lying. */
static bool is_gone(struct kfd_client *c)
{
	struct kfd_bo bo;
	int ret = kfd_bo_gtt(c, 4096, &bo);

	if (!ret)
		kfd_bo_free(c, &bo);
	return ret == -ENODEV;
}

/* Status: 0 disconnected cleanly; else what went wrong. */
static int work_until_gone(int tell)
{
	uint32_t w[16], result;
	struct kfd_client c;
	struct kfd_event e;
	struct kfd_sdma q;
	struct kfd_bo a, v;
	int ret;

	if (kfd_client_init(&c, 0) || kfd_bo_user(&c, COPY_BYTES, &a) ||
	    kfd_bo_vram(&c, COPY_BYTES, &v) ||
	    kfd_sdma_create_size(&c, &q, RING_BYTES) || kfd_event_create(&c, &e))
		return 1;
	signal(SIGBUS, disconnected);
	for (;;) {
		kfd_sdma_put(&q, w, pkt_copy(w, v.cpu, a.cpu, COPY_BYTES));
		kfd_sdma_signal(&q, &e);
		kfd_sdma_ring(&q);
		ret = kfd_event_wait(&c, &e, 50, &result);
		if (ret)
			return 2;
		if (result == KFD_IOC_WAIT_RESULT_COMPLETE && tell >= 0) {
			if (write(tell, "x", 1) != 1)
				return 3;
			tell = -1;
		}
		if (result != KFD_IOC_WAIT_RESULT_COMPLETE && is_gone(&c))
			return 0;
	}
}

static pid_t start_worker(void)
{
	int p[2];
	char byte;
	pid_t pid;

	if (pipe(p))
		return -1;
	pid = fork();
	if (!pid) {
		close(p[0]);
		_exit(work_until_gone(p[1]));
	}
	close(p[1]);
	if (read(p[0], &byte, 1) != 1)
		pid = -1;
	close(p[0]);
	return pid;
}

/*
 * One cycle.  The client ends by itself when the model has gone, or is killed before the
 * driver goes first.  Returns 0 or the number of the step that failed.
 */
static int cycle(unsigned int round)
{
	bool kill_it = round % 3 == 2;
	pid_t pid = start_worker();
	int status, ret;

	if (pid < 0)
		return 1;
	/* Refused, as long as there is a client. */
	if (unload(DRIVER) != -EAGAIN)
		return 2;
	if (kill_it)
		kill(pid, SIGKILL);
	else if (unload(MODEL))
		return 3;
	if (waitpid(pid, &status, 0) != pid)
		return 4;
	if (kill_it ? !WIFSIGNALED(status) : status)
		return 1000 + status;
	ret = unload_patiently(DRIVER);
	if (ret)
		return 5;
	if (kill_it && unload(MODEL))
		return 6;
	if (!access("/dev/kfd", F_OK) || !access("/sys/kernel/debug/" DRIVER, F_OK))
		return 7;
	return load_both(round & 1) ? 8 : 0;
}

static unsigned int number(const char *name, unsigned int preset)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 10) : preset;
}

TEST_F_TIMEOUT(unload, b148_cycles, 100000)
{
	unsigned int i, seconds = number("LIFE_SECONDS", 20);
	unsigned int cycles = number("LIFE_CYCLES", 1000);
	char first[4096], now[4096];
	time_t start = time(NULL);
	int ret = 0;

	ASSERT_EQ(0, cycle(2));
	read_rings(first, sizeof(first));
	ASSERT_NE(0, first[0]);
	for (i = 0; i < cycles && !ret && time(NULL) - start < seconds; i++) {
		ret = cycle(i);
		ASSERT_EQ(0, ret) TH_LOG("cycle %u", i);
		read_rings(now, sizeof(now));
		ASSERT_STREQ(first, now);
	}
	TH_LOG("%u cycles of unload and load, with clients at work, in %ld s", i,
	       (long)(time(NULL) - start));
	EXPECT_LT(0, i);
	EXPECT_EQ(0, kfd_counts_settle(kfd_baseline));
}

/* ---- stale rings ---- */

struct fixed {
	struct kfd_client c;
	struct kfd_sdma q;
	struct kfd_bo cells;
};

static int user_at(struct kfd_client *c, void *at, uint64_t size, struct kfd_bo *bo)
{
	if (mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		 0) != at)
		return -errno;
	return kfd_bo_user_at(c, at, size, bo);
}

/* A queue whose ring, pointers and target are at the same addresses in each process. */
static int fixed_init(struct fixed *f)
{
	struct kfd_ioctl_create_queue_args args = {
		.ring_base_address = (uintptr_t)RING_AT,
		.write_pointer_address = (uintptr_t)PTRS_AT + 8,
		.read_pointer_address = (uintptr_t)PTRS_AT + 16,
		.ring_size = RING_BYTES,
		.queue_type = KFD_IOC_QUEUE_TYPE_SDMA,
		.queue_percentage = 100,
		.queue_priority = 7,
	};
	struct kfd_sdma *q = &f->q;

	memset(q, 0, sizeof(*q));
	if (kfd_client_init(&f->c, 0) || user_at(&f->c, RING_AT, RING_BYTES, &q->ring) ||
	    user_at(&f->c, PTRS_AT, 4096, &q->ptrs) ||
	    user_at(&f->c, CELLS_AT, 4096, &f->cells))
		return -1;
	args.gpu_id = f->c.gpu_id;
	if (kfd_ioctl(f->c.fd, AMDKFD_IOC_CREATE_QUEUE, &args))
		return -1;
	q->c = &f->c;
	q->id = args.queue_id;
	f->c.doorbells = mmap(NULL, KFD_DOORBELL_SLICE, PROT_READ | PROT_WRITE, MAP_SHARED,
			      f->c.fd, args.doorbell_offset & ~(uint64_t)(KFD_DOORBELL_SLICE - 1));
	if (f->c.doorbells == MAP_FAILED)
		return -1;
	q->doorbell = (volatile uint64_t *)(f->c.doorbells +
					    (args.doorbell_offset & (KFD_DOORBELL_SLICE - 1)));
	return 0;
}

static void add_to_cell(struct fixed *f, unsigned int cell, unsigned int times)
{
	uint32_t w[16];

	while (times--)
		kfd_sdma_put(&f->q, w, pkt_atomic_add(w, (uint64_t *)CELLS_AT + cell, 1));
}

/* Half the ring is published; the engine waits in the middle of that. */
static int leave_half_full(int tell)
{
	struct fixed f;
	uint32_t w[16];

	if (fixed_init(&f))
		return 1;
	add_to_cell(&f, 0, 8);
	kfd_sdma_put(&f.q, w, pkt_poll_mem(w, (uint64_t *)CELLS_AT + 8, 1, 1));
	add_to_cell(&f, 1, 40);
	kfd_sdma_ring(&f.q);
	while (*(volatile uint64_t *)CELLS_AT != 8)
		usleep(1000);
	if (write(tell, "x", 1) != 1)
		return 2;
	pause();
	return 3;
}

/* The next one at the same place: from 0, its one packet, and only that. */
static int first_job_alone(void)
{
	volatile uint64_t *cells = CELLS_AT;
	struct fixed f;

	if (fixed_init(&f))
		return 1;
	/* What the poll of before waits for, where it would find it. */
	cells[8] = 1;
	usleep(20000);
	if (kfd_sdma_rptr(&f.q) || cells[0] || cells[1])
		return 2;
	add_to_cell(&f, 2, 1);
	kfd_sdma_ring(&f.q);
	if (kfd_sdma_idle(&f.q, 20000))
		return 3;
	if (kfd_sdma_rptr(&f.q) != f.q.wptr || cells[2] != 1)
		return 4;
	return cells[0] || cells[1] ? 5 : 0;
}

/* How the driver's part goes: killed and reloaded, or the function unbound and bound. */
TEST_F_TIMEOUT(unload, b149_pointers_start_at_zero, 240)
{
	unsigned int round;

	for (round = 0; round < 4; round++) {
		int p[2], status;
		char byte;
		pid_t pid;

		ASSERT_EQ(0, pipe(p));
		pid = fork();
		if (!pid)
			_exit(leave_half_full(p[1]));
		close(p[1]);
		ASSERT_EQ(1, read(p[0], &byte, 1));
		close(p[0]);
		if (round & 1) {
			kill(pid, SIGKILL);
			ASSERT_EQ(pid, waitpid(pid, &status, 0));
			ASSERT_EQ(0, unload_patiently(DRIVER));
		} else {
			ASSERT_EQ(0, unload(MODEL));
			kill(pid, SIGKILL);
			ASSERT_EQ(pid, waitpid(pid, &status, 0));
			ASSERT_EQ(0, load(MODEL, model_parameters));
		}
		ASSERT_EQ(0, round & 1 ? load(DRIVER, "") : 0);
		pid = fork();
		if (!pid)
			_exit(first_job_alone());
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		EXPECT_EQ(0, WEXITSTATUS(status));
		EXPECT_TRUE(WIFEXITED(status));
	}
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
