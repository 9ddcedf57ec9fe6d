// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hangs and what comes after: the guilty job or queue ends, everything else goes on
 * (S0.103, S0.104; B011, B017 under a reset, B149 pointers start at zero); SMI events tell of
 * it (S0.40).  Instances that are given up: ring_hang_test.sh.
 *
 * vm: timeout=300
 */
#include "kfd_harness.h"

#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define SIZE		65536u
#define TIMEOUT_PARAM	"/sys/module/carillon/parameters/fence_timeout"

#define PCI_DRIVER	"/sys/bus/pci/drivers/carillon"
#define NOBODY		65534
#define MASK(event)	KFD_SMI_EVENT_MASK_FROM_INDEX(KFD_SMI_EVENT_ ## event)
#define RESETS		(MASK(GPU_PRE_RESET) | MASK(GPU_POST_RESET))

/* Fence time-out of these tests, in milliseconds: long enough for healthy work. */
#define FENCE_MS	800

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY), n, ret;

	if (fd < 0)
		return -errno;
	n = write(fd, text, strlen(text));
	ret = n < 0 ? -errno : 0;
	close(fd);
	return ret;
}

/* Verified work on the kernel's rings: 0 or what became of it. */
static int kernel_work(const char *what)
{
	FILE *f = popen("echo /sys/kernel/debug/carillon/*:*:*/sdma_test", "r");
	char path[128] = "";

	if (!f || fscanf(f, "%127s", path) != 1)
		return -ENOENT;
	pclose(f);
	return write_text(path, what);
}

/* A column of the driver's table of kernel rings, of a ring of instance 0. */
static long ring_count(const char *kind, const char *column)
{
	char command[256], text[64] = "";
	FILE *f;

	snprintf(command, sizeof(command),
		 "awk -v c=%s 'NR == 1 { for (n = 1; n <= NF; n++) if ($n == c) col = n }"
		 " $1 == 0 && $2 == \"%s\" { print $col }' /sys/kernel/debug/carillon/*:*:*/rings",
		 column, kind);
	f = popen(command, "r");
	if (!f || !fgets(text, sizeof(text), f))
		return -1;
	pclose(f);
	return strtol(text, NULL, 10);
}

/* How often the model's switch for a hang has struck; it counts anew when it is set. */
static long hangs(void)
{
	FILE *f = popen("sed -n 's/^hang [01] [0-9]* \\([0-9]*\\) .*/\\1/p'"
			" /sys/kernel/debug/carillon_vgpu/*/failures", "r");
	char text[64] = "";

	if (!f || !fgets(text, sizeof(text), f))
		return -1;
	pclose(f);
	return strtol(text, NULL, 10);
}

/* Instance 0 serves both the first queue of a client and the kernel's next job. */
static bool reaches(const char *kind, const char *column, long least)
{
	unsigned int tries;

	for (tries = 0; tries < 100 * kfd_time_scale() && ring_count(kind, column) < least; tries++)
		usleep(200000);
	return ring_count(kind, column) >= least;
}

/* What is written to a dump makes it go. */
static int dump_drop(void)
{
	return system("for f in /sys/class/devcoredump/devcd*/data; do"
		      " [ ! -e $f ] || echo gone >$f; done");
}

FIXTURE(recovery) {
	struct kfd_client c;
	long resets;
};

FIXTURE_SETUP(recovery)
{
	char ms[16];

	if (access("/dev/kfd", F_OK))
		SKIP(return, "no /dev/kfd");
	snprintf(ms, sizeof(ms), "%u", FENCE_MS * kfd_time_scale());
	ASSERT_EQ(0, write_text(TIMEOUT_PARAM, ms));
	ASSERT_EQ(0, kfd_client_init(&self->c, 0));
	self->resets = ring_count("gfx", "resets");
	ASSERT_LE(0, self->resets);
}

FIXTURE_TEARDOWN(recovery)
{
	vgpu_control(0, "heal all");
	dump_drop();
	kfd_client_close(&self->c);
	write_text(TIMEOUT_PARAM, "10000");
}

/**
 * struct bystander - another process that copies on all instances and maps memory
 * @pid: of it
 * @shared: both see it
 */
struct bystander {
	pid_t pid;
	struct {
		bool stop;
		unsigned int rounds;
	} *shared;
};

static int bystand(struct bystander *b)
{
	struct kfd_bo from, to, more;
	struct kfd_client c;
	struct kfd_sdma q[2];
	struct kfd_event e;
	unsigned int i;

	if (kfd_client_init(&c, 0) || kfd_bo_user(&c, SIZE, &from) || kfd_bo_user(&c, SIZE, &to) ||
	    kfd_event_create(&c, &e) || kfd_sdma_create(&c, &q[0]) || kfd_sdma_create(&c, &q[1]))
		return 2;
	while (!__atomic_load_n(&b->shared->stop, __ATOMIC_ACQUIRE)) {
		unsigned int round = b->shared->rounds;

		for (i = 0; i < 2; i++) {
			memset(from.cpu, round + i, SIZE);
			if (kfd_sdma_copy_wait(&q[i], &e, to.cpu, from.cpu, SIZE))
				return 3;
			if (memcmp(to.cpu, from.cpu, SIZE))
				return 4;
		}
		/* Mapping takes the page ring. */
		if (kfd_bo_vram(&c, 4 * SIZE, &more) || kfd_bo_free(&c, &more))
			return 5;
		__atomic_store_n(&b->shared->rounds, round + 1, __ATOMIC_RELEASE);
	}
	kfd_client_close(&c);
	return 0;
}

static unsigned int rounds_of(const struct bystander *b)
{
	return __atomic_load_n(&b->shared->rounds, __ATOMIC_ACQUIRE);
}

/* It has done @more rounds since; false if it has ended. */
static bool rounds_more(struct bystander *b, unsigned int more)
{
	unsigned int from = rounds_of(b), tries;

	for (tries = 0; tries < 300 * kfd_time_scale(); tries++) {
		if (rounds_of(b) - from >= more)
			return true;
		if (waitpid(b->pid, NULL, WNOHANG) == b->pid)
			return false;
		usleep(100000);
	}
	return false;
}

static bool bystander_start(struct bystander *b)
{
	b->shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	b->pid = fork();
	if (!b->pid)
		_exit(bystand(b));
	return rounds_more(b, 1);
}

static int bystander_end(struct bystander *b)
{
	int status;

	__atomic_store_n(&b->shared->stop, true, __ATOMIC_RELEASE);
	if (waitpid(b->pid, &status, 0) != b->pid)
		return -1;
	munmap(b->shared, 4096);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A kernel ring hangs: its job fails, the instance comes back, nobody else notices. */
TEST_F_TIMEOUT(recovery, kernel_ring_hangs, 300)
{
	struct bystander b;
	long canceled = ring_count("gfx", "canceled");

	ASSERT_TRUE(bystander_start(&b));
	ASSERT_EQ(0, vgpu_control(0, "fail hang:instance=0,queue=gfx"));
	EXPECT_EQ(-ECANCELED, kernel_work("copy 4096"));
	EXPECT_EQ(self->resets + 1, ring_count("gfx", "resets"));
	EXPECT_EQ(canceled + 1, ring_count("gfx", "canceled"));
	EXPECT_EQ(0, ring_count("page", "canceled"));
	EXPECT_EQ(0, kernel_work("copy 65536"));
	/* Pointers start at zero: a restarted ring has done little yet (B149). */
	EXPECT_GT(4096, ring_count("gfx", "rptr"));
	EXPECT_TRUE(rounds_more(&b, 2));
	EXPECT_EQ(0, bystander_end(&b));
}

/* One of three jobs that write one run of entries fails: so does the whole. */
TEST_F_TIMEOUT(recovery, batch_fails_as_a_whole, 300)
{
	/* One packet is the HDP flush, the next the job's INDIRECT. */
	ASSERT_EQ(0, vgpu_control(0, "fail hang:instance=0,queue=page,after=1"));
	EXPECT_EQ(-ECANCELED, kernel_work("pte 4096"));
	EXPECT_EQ(self->resets + 1, ring_count("page", "resets"));
	EXPECT_EQ(0, kernel_work("pte 4096"));
}

/* A bad moment for each packet of a frame: it is always the same job that ends. */
TEST_F_TIMEOUT(recovery, at_each_packet_of_a_frame, 300)
{
	unsigned int at;

	for (at = 0; at < 4; at++) {
		ASSERT_EQ(0, vgpu_control(0, "fail hang:instance=0,queue=gfx,after=%u", at));
		EXPECT_EQ(-ECANCELED, kernel_work("copy 4096")) TH_LOG("packet %u", at);
	}
	EXPECT_EQ(self->resets + 4, ring_count("gfx", "resets"));
	EXPECT_EQ(0, kernel_work("copy 4096"));
}

static bool dump_has(const char *what)
{
	char command[256];

	snprintf(command, sizeof(command),
		 "cat /sys/class/devcoredump/devcd*/data 2>/dev/null | grep -q '%s'", what);
	return !system(command);
}

static bool dump_comes(void)
{
	unsigned int tries;

	for (tries = 0; tries < 50 * kfd_time_scale(); tries++) {
		if (dump_has("^result "))
			return true;
		usleep(200000);
	}
	return false;
}

/* State of the instance when it hung: registers by name, packets, who is to blame. */
TEST_F_TIMEOUT(recovery, core_dump, 300)
{
	if (access("/sys/class/devcoredump", F_OK))
		SKIP(return, "this kernel has no device coredumps");
	ASSERT_EQ(0, dump_drop());
	ASSERT_EQ(0, vgpu_control(0, "fail hang:instance=0,queue=gfx,after=1"));
	EXPECT_EQ(-ECANCELED, kernel_work("copy 4096"));
	ASSERT_TRUE(dump_comes());
	EXPECT_TRUE(dump_has("^carillon SDMA core dump"));
	EXPECT_TRUE(dump_has("^instance 0"));
	EXPECT_TRUE(dump_has("^error -110"));
	EXPECT_TRUE(dump_has("^0 gfx RB_CNTL 0x[0-9a-f]* 0x[0-9a-f]*$"));
	EXPECT_TRUE(dump_has("^> 0x[0-9a-f]*: .*INDIRECT"));
	EXPECT_TRUE(dump_has("^> ib 0x00000: .*COPY"));
	EXPECT_TRUE(dump_has("^guilty job: ring sdma0 fence [0-9]*$"));
	EXPECT_TRUE(dump_has("^result reset$"));
	EXPECT_EQ(0, dump_drop());
}

static bool comes(struct kfd_client *c, const struct kfd_event *e, struct kfd_event_data *data)
{
	struct kfd_ioctl_wait_events_args args = {
		.events_ptr = (uintptr_t)data,
		.num_events = 1,
		.timeout = 60000 * kfd_time_scale(),
	};

	memset(data, 0, sizeof(*data));
	data->event_id = e->id;
	return !kfd_ioctl(c->fd, AMDKFD_IOC_WAIT_EVENTS, &args) &&
	       args.wait_result == KFD_IOC_WAIT_RESULT_COMPLETE;
}

/* A queue of ours on instance 0 hangs at its first packet. */
static int hang_queue(struct kfd_client *c, struct kfd_sdma *q, const void *target)
{
	uint32_t w[8];
	int ret = kfd_sdma_create(c, q);

	if (ret)
		return ret;
	ret = vgpu_control(0, "fail hang:instance=0,queue=rlc0");
	kfd_sdma_put(q, w, pkt_fill(w, (void *)target, 0xbad, 64));
	kfd_sdma_ring(q);
	usleep(200000);
	return ret;
}

/*
 * A user queue hangs, and the instance with it.  A job of the kernel waits there: it is
 * innocent and runs after the reset; the queue's process is told.
 */
TEST_F_TIMEOUT(recovery, user_queue_hangs, 300)
{
	struct kfd_event exception, memory, e;
	struct kfd_event_data data;
	struct kfd_sdma q, next;
	struct kfd_bo a, b;
	struct bystander by;

	ASSERT_EQ(0, kfd_bo_user(&self->c, SIZE, &a));
	ASSERT_EQ(0, kfd_bo_user(&self->c, SIZE, &b));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(0, kfd_event_create_type(&self->c, KFD_IOC_EVENT_HW_EXCEPTION, false,
					   &exception));
	ASSERT_EQ(0, kfd_event_create_type(&self->c, KFD_IOC_EVENT_MEMORY, false, &memory));
	memset(a.cpu, 0x11, SIZE);
	ASSERT_EQ(0, hang_queue(&self->c, &q, a.cpu));
	EXPECT_EQ(0, kernel_work("copy 4096"));
	EXPECT_EQ(self->resets + 1, ring_count("gfx", "resets"));
	ASSERT_TRUE(comes(&self->c, &exception, &data));
	EXPECT_EQ(KFD_HW_EXCEPTION_PER_ENGINE_RESET, data.hw_exception_data.reset_type);
	EXPECT_EQ(KFD_HW_EXCEPTION_GPU_HANG, data.hw_exception_data.reset_cause);
	EXPECT_EQ(self->c.gpu_id, data.hw_exception_data.gpu_id);
	EXPECT_EQ(0, data.hw_exception_data.memory_lost);
	ASSERT_TRUE(comes(&self->c, &memory, &data));
	EXPECT_EQ(KFD_MEM_ERR_GPU_HANG, data.memory_exception_data.ErrorType);
	EXPECT_EQ(0, kfd_sdma_rptr(&q));
	EXPECT_TRUE(kfd_all_bytes(a.cpu, SIZE, 0x11));
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
	/* Its slot and VMID are of use again. */
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &next));
	EXPECT_EQ(0, kfd_sdma_copy_wait(&next, &e, b.cpu, a.cpu, SIZE));
	EXPECT_EQ(0, memcmp(a.cpu, b.cpu, SIZE));
	EXPECT_EQ(0, kfd_sdma_destroy(&next));
	ASSERT_TRUE(bystander_start(&by));
	EXPECT_EQ(0, bystander_end(&by));
}

/* Nobody waits for it: that it hangs shows when it is to leave. */
TEST_F_TIMEOUT(recovery, user_queue_does_not_leave, 300)
{
	struct bystander b;
	struct kfd_sdma q;
	struct kfd_bo a;

	ASSERT_EQ(0, kfd_bo_user(&self->c, SIZE, &a));
	ASSERT_EQ(0, hang_queue(&self->c, &q, a.cpu));
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
	EXPECT_TRUE(reaches("gfx", "resets", self->resets + 1));
	EXPECT_EQ(0, kernel_work("copy 4096"));
	ASSERT_TRUE(bystander_start(&b));
	EXPECT_TRUE(rounds_more(&b, 2));
	EXPECT_EQ(0, bystander_end(&b));
}

#define OPENERS		100

/* Its queue hangs between two copies into its memory. */
static int hang_until_killed(int ready)
{
	struct kfd_client c;
	struct kfd_bo src, dst;
	struct kfd_sdma q;
	unsigned int i;
	uint32_t w[8];

	if (kfd_client_init(&c, 0) || kfd_bo_vram(&c, 16 * SIZE, &src) ||
	    kfd_bo_user(&c, 16 * SIZE, &dst) || kfd_sdma_create(&c, &q))
		return 1;
	if (vgpu_control(0, "fail hang:instance=0,queue=rlc0,after=2"))
		return 2;
	for (i = 0; i < 8; i++)
		kfd_sdma_put(&q, w, pkt_copy(w, dst.cpu, src.cpu, dst.size));
	kfd_sdma_ring(&q);
	while (hangs() < 1)
		usleep(10000);
	if (write(ready, "r", 1) != 1)
		return 3;
	for (;;)
		pause();
}

/* Opens for a process of its own, which ends at once. */
static int open_and_end(void)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		struct kfd_client c;

		_exit(kfd_client_open(&c, 0) || kfd_client_acquire(&c));
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Killed in mid copy on an engine that hangs: others open and end while it is reset (B017). */
TEST_F_TIMEOUT(recovery, killed_while_it_hangs, 300)
{
	unsigned int i;
	int ready[2];
	pid_t victim;
	char r;

	ASSERT_EQ(0, pipe(ready));
	victim = fork();
	if (!victim)
		_exit(hang_until_killed(ready[1]));
	ASSERT_EQ(1, read(ready[0], &r, 1));
	ASSERT_EQ(0, kill(victim, SIGKILL));
	for (i = 0; i < OPENERS; i++)
		ASSERT_EQ(0, open_and_end());
	EXPECT_EQ(victim, waitpid(victim, NULL, 0));
	EXPECT_TRUE(reaches("gfx", "resets", self->resets + 1));
	EXPECT_EQ(0, kernel_work("copy 65536"));
	close(ready[0]);
	close(ready[1]);
}

/* A poll that never comes true is legal, and hangs nothing. */
TEST_F_TIMEOUT(recovery, endless_poll_is_no_hang, 300)
{
	struct kfd_sdma q;
	struct kfd_bo a;
	uint32_t w[8];

	ASSERT_EQ(0, kfd_bo_user(&self->c, SIZE, &a));
	memset(a.cpu, 0, SIZE);
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	kfd_sdma_put(&q, w, pkt_poll_mem(w, a.cpu, 1, 0xffffffff));
	kfd_sdma_ring(&q);
	EXPECT_EQ(0, kernel_work("copy 4096"));
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
	EXPECT_EQ(self->resets, ring_count("gfx", "resets"));
}

/* ---- what SMI events tell ---- */

/* The two lines of one reset of instance 0; its number, 0 if they are not these. */
static unsigned int reset_told(int fd)
{
	char line[KFD_SMI_EVENT_MSG_SIZE], want[KFD_SMI_EVENT_MSG_SIZE];
	unsigned int number;

	if (kfd_smi_line(fd, line) || sscanf(line, "3 %x ", &number) != 1)
		return 0;
	snprintf(want, sizeof(want), "3 %x sdma0", number);
	if (strcmp(want, line) || kfd_smi_line(fd, line))
		return 0;
	snprintf(want, sizeof(want), "4 %x ", number);
	return strcmp(want, line) ? 0 : number;
}

/* A process of another user, whose queues the reset does not touch. */
static int stranger(int ready)
{
	struct kfd_client c;
	int fd;

	if (kfd_client_open(&c, 0) || setgid(NOBODY) || setuid(NOBODY))
		return 2;
	fd = kfd_smi_open(&c, RESETS);
	if (fd < 0 || write(ready, "", 1) != 1)
		return 3;
	return reset_told(fd) ? 0 : 1;
}

/* A reset is told to all who asked, before and after, with a number that counts up. */
TEST_F_TIMEOUT(recovery, smi_lines, 300)
{
	int all, after, others, ready[2], status;
	char line[KFD_SMI_EVENT_MSG_SIZE], byte;
	unsigned int number, n;
	pid_t pid;

	ASSERT_EQ(0, pipe(ready));
	pid = fork();
	if (!pid)
		_exit(stranger(ready[1]));
	ASSERT_EQ(1, read(ready[0], &byte, 1));
	all = kfd_smi_open(&self->c, RESETS);
	after = kfd_smi_open(&self->c, MASK(GPU_POST_RESET));
	others = kfd_smi_open(&self->c, ~RESETS);
	ASSERT_LE(0, all);
	ASSERT_LE(0, after);
	ASSERT_LE(0, others);
	ASSERT_EQ(0, vgpu_control(0, "fail hang:instance=0,queue=gfx"));
	EXPECT_EQ(-ECANCELED, kernel_work("copy 4096"));
	number = reset_told(all);
	EXPECT_LT(0, number);
	ASSERT_EQ(0, kfd_smi_line(after, line));
	n = strtoul(line + 2, NULL, 16);
	EXPECT_TRUE(!strncmp("4 ", line, 2) && n == number) TH_LOG("%s", line);
	ASSERT_EQ(0, vgpu_control(0, "fail hang:instance=0,queue=gfx"));
	EXPECT_EQ(-ECANCELED, kernel_work("copy 4096"));
	EXPECT_EQ(number + 1, reset_told(all));
	/* Nobody's queues were evicted by it. */
	EXPECT_EQ(-1, read(others, line, sizeof(line)));
	EXPECT_EQ(EAGAIN, errno);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

/* What the hang of a user queue leads to is told the same. */
TEST_F_TIMEOUT(recovery, smi_lines_of_a_user_queue, 300)
{
	int fd = kfd_smi_open(&self->c, RESETS);
	struct kfd_sdma q;
	struct kfd_bo a;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, kfd_bo_user(&self->c, SIZE, &a));
	ASSERT_EQ(0, hang_queue(&self->c, &q, a.cpu));
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
	EXPECT_LT(0, reset_told(fd));
	EXPECT_EQ(0, kernel_work("copy 4096"));
}

FIXTURE(given_up) {
	struct kfd_client c;
	char gpu[16];
};

FIXTURE_SETUP(given_up)
{
	char ms[16];
	glob_t g;

	if (access("/dev/kfd", F_OK))
		SKIP(return, "no /dev/kfd");
	ASSERT_EQ(0, glob(PCI_DRIVER "/*:*:*.*", 0, NULL, &g));
	snprintf(self->gpu, sizeof(self->gpu), "%s", strrchr(g.gl_pathv[0], '/') + 1);
	globfree(&g);
	snprintf(ms, sizeof(ms), "%u", FENCE_MS * kfd_time_scale());
	ASSERT_EQ(0, write_text(TIMEOUT_PARAM, ms));
	ASSERT_EQ(0, kfd_client_init(&self->c, 0));
}

/* The device comes back with all instances. */
FIXTURE_TEARDOWN(given_up)
{
	vgpu_control(0, "heal all");
	dump_drop();
	kfd_client_close(&self->c);
	write_text(TIMEOUT_PARAM, "10000");
	EXPECT_EQ(0, kfd_write_file(PCI_DRIVER "/bind", self->gpu));
}

/* An instance that does not come back has no line that says so. */
TEST_F_TIMEOUT(given_up, smi_lines, 300)
{
	int fd = kfd_smi_open(&self->c, RESETS);
	char line[KFD_SMI_EVENT_MSG_SIZE];

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, vgpu_control(0, "fail hang:instance=0,queue=gfx"
				     "+reset_fail:instance=0,rate=1"));
	EXPECT_GT(0, kernel_work("copy 4096"));
	ASSERT_EQ(0, kfd_smi_line(fd, line));
	EXPECT_STREQ(" sdma0", strrchr(line, ' ')) TH_LOG("%s", line);
	/* Recoveries are over then. */
	ASSERT_EQ(0, kfd_write_file(PCI_DRIVER "/unbind", self->gpu));
	EXPECT_EQ(-1, read(fd, line, 1));
	EXPECT_EQ(ENODEV, errno);
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
