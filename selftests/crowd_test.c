// SPDX-License-Identifier: GPL-2.0-only
/*
 * More processes than VMIDs: they take turns, and those without work cost nothing (S0.36, S0.61;
 * B038).  With two VMIDs for processes these run out before the four hardware slots do.
 *
 * vm: modules="carillon_vgpu;carillon vmids=2;amdgpu" timeout=300
 */
#include "kfd_harness.h"

#include <fcntl.h>
#include <glob.h>
#include <sys/wait.h>

#define PAGE		4096
#define VMIDS		2
#define CROWD		8
#define GLUTTONS	3
#define MIB		(1ul << 20)
#define ROUNDS		15
#define MORE		"m"
#define END		"e"

/**
 * struct member - a process with a queue
 * @pid: it
 * @told: number of jobs done, or -errno
 * @more: MORE: it does ROUNDS jobs; END: it ends
 */
struct member {
	pid_t pid;
	int told, more;
};

FIXTURE(crowd) {
	struct member member[CROWD];
	struct member glutton[GLUTTONS];
};

static int do_jobs(struct kfd_sdma *q, struct kfd_event *e, struct kfd_bo *m, unsigned int seed)
{
	unsigned int i;
	int r;

	for (i = 0; i < ROUNDS; i++) {
		memset(m->cpu, seed + i, PAGE);
		r = kfd_sdma_copy_wait(q, e, m->cpu + PAGE, m->cpu, PAGE);
		if (r || !kfd_all_bytes(m->cpu + PAGE, PAGE, seed + i))
			return r ? r : -EBADMSG;
	}
	return i;
}

static int member_runs(unsigned int number, int tell, int more)
{
	struct kfd_client c;
	struct kfd_event e;
	struct kfd_sdma q;
	struct kfd_bo m;
	char byte;
	int r;

	r = kfd_client_init(&c, 0);
	r = r ? r : kfd_bo_gtt(&c, 2 * PAGE, &m);
	r = r ? r : kfd_event_create(&c, &e);
	r = r ? r : kfd_sdma_create(&c, &q);
	do {
		if (write(tell, &r, sizeof(r)) != sizeof(r))
			return 1;
		if (read(more, &byte, 1) != 1 || byte != MORE[0])
			return 0;
		r = do_jobs(&q, &e, &m, number * ROUNDS);
	} while (1);
}

/* Queues enough to fill all slots twice, with work for a long time: says when each has begun. */
static int glutton_runs(unsigned int number, int tell, int more)
{
	unsigned int i, k, ms = 0;
	struct kfd_client c;
	struct kfd_sdma q[8];
	struct kfd_bo m;
	uint32_t w[8];
	char byte;
	int r;

	r = kfd_client_init(&c, 0);
	r = r ? r : kfd_bo_vram(&c, 2 * MIB, &m);
	for (i = 0; i < 8 && !r; i++) {
		r = kfd_sdma_create_size(&c, &q[i], 1u << 17);
		for (k = 0; k < 4000 && !r; k++)
			kfd_sdma_put(&q[i], w, pkt_copy(w, m.cpu + MIB, m.cpu, MIB));
	}
	if (write(tell, &r, sizeof(r)) != sizeof(r) || r || read(more, &byte, 1) != 1)
		return 1;
	for (i = 0; i < 8; i++)
		kfd_sdma_ring(&q[i]);
	for (i = 0; i < 8 && ms < KFD_TIMEOUT_MS; i += kfd_sdma_rptr(&q[i]) != 0, ms++)
		usleep(1000);
	r = i;
	if (write(tell, &r, sizeof(r)) != sizeof(r) || read(more, &byte, 1) != 1)
		return 1;
	return 0;
}

/* What became of the queue, or of the jobs. */
static int member_says(struct member *m)
{
	int value;

	return read(m->told, &value, sizeof(value)) == sizeof(value) ? value : -EPIPE;
}

static int member_start(struct member *m, unsigned int number,
			int (*runs)(unsigned int number, int tell, int more))
{
	int told[2], more[2];

	if (pipe2(told, O_CLOEXEC) || pipe2(more, O_CLOEXEC))
		return -errno;
	m->pid = fork();
	if (!m->pid) {
		close(more[1]);
		_exit(runs(number, told[1], more[0]));
	}
	close(told[1]);
	close(more[0]);
	m->told = told[0];
	m->more = more[1];
	return 0;
}

static int member_end(struct member *m)
{
	int status = -1;

	if (write(m->more, END, 1) != 1)
		kill(m->pid, SIGKILL);
	waitpid(m->pid, &status, 0);
	close(m->more);
	close(m->told);
	m->pid = 0;
	return status;
}

/* As the driver was loaded; -1 if it is not. */
static int vmids(void)
{
	FILE *f = fopen("/sys/module/carillon/parameters/vmids", "r");
	int n = -1;

	if (!f)
		return -1;
	if (fscanf(f, "%d", &n) != 1)
		n = -1;
	fclose(f);
	return n;
}

FIXTURE_SETUP(crowd)
{
	unsigned int i;

	if (vmids() != VMIDS)
		SKIP(return, "not loaded with two VMIDs");
	for (i = 0; i < CROWD; i++)
		ASSERT_EQ(0, member_start(&self->member[i], i, member_runs));
	for (i = 0; i < CROWD; i++)
		ASSERT_EQ(0, member_says(&self->member[i]));
}

FIXTURE_TEARDOWN(crowd)
{
	unsigned int i;

	for (i = 0; i < CROWD; i++)
		if (self->member[i].pid)
			member_end(&self->member[i]);
	for (i = 0; i < GLUTTONS; i++)
		if (self->glutton[i].pid)
			member_end(&self->glutton[i]);
}

static long long rounds(unsigned int *waiting)
{
	long long n = -1;
	FILE *f = NULL;
	glob_t g;

	if (!glob("/sys/kernel/debug/carillon/*:*:*/sched", 0, NULL, &g))
		f = fopen(g.gl_pathv[0], "re");
	globfree(&g);
	if (!f || fscanf(f, "gpu_id %*u rounds %lld waiting %u", &n, waiting) != 2)
		n = -1;
	if (f)
		fclose(f);
	return n;
}

/* All at once, again and again; no VMID is used twice at a time. */
TEST_F_TIMEOUT(crowd, take_turns, 300)
{
	unsigned int i, k;

	for (k = 0; k < 3; k++) {
		for (i = 0; i < CROWD; i++)
			ASSERT_EQ(1, write(self->member[i].more, MORE, 1));
		EXPECT_GE(VMIDS, kfd_count("vmids"));
		for (i = 0; i < CROWD; i++)
			EXPECT_EQ(ROUNDS, member_says(&self->member[i])) TH_LOG("member %u", i);
	}
	for (i = 0; i < CROWD; i++)
		EXPECT_EQ(0, member_end(&self->member[i]));
}

/* Processes whose queues take turns among themselves all the time give their VMIDs up as well. */
TEST_F_TIMEOUT(crowd, gluttons_give_way, 400)
{
	unsigned int i;

	for (i = 0; i < GLUTTONS; i++)
		ASSERT_EQ(0, member_start(&self->glutton[i], i, glutton_runs));
	for (i = 0; i < GLUTTONS; i++)
		ASSERT_EQ(0, member_says(&self->glutton[i]));
	for (i = 0; i < GLUTTONS; i++)
		ASSERT_EQ(1, write(self->glutton[i].more, MORE, 1));
	ASSERT_EQ(1, write(self->member[0].more, MORE, 1));
	for (i = 0; i < GLUTTONS; i++)
		EXPECT_EQ(8, member_says(&self->glutton[i])) TH_LOG("glutton %u", i);
	EXPECT_EQ(ROUNDS, member_says(&self->member[0]));
}

/* Processes that have queues and nothing to do: nobody looks, and each hears its doorbell. */
TEST_F_TIMEOUT(crowd, idle_costs_nothing, 300)
{
	unsigned int waiting = 1, i, k;
	long long before = 0, after = 1;

	for (k = 0; k < 3; k++) {
		for (i = 0; i < CROWD; i++) {
			ASSERT_EQ(1, write(self->member[i].more, MORE, 1));
			ASSERT_EQ(ROUNDS, member_says(&self->member[i])) TH_LOG("member %u", i);
		}
	}
	/* The kernel may move pages of the rings, for which queues stop and begin anew. */
	for (k = 0; k < 20; k++) {
		before = rounds(&waiting);
		ASSERT_LE(0, before);
		usleep(300000);
		after = rounds(&waiting);
		if (before == after && !waiting)
			break;
	}
	EXPECT_EQ(0, waiting);
	EXPECT_EQ(before, after);
}

/* rocminfo's exit status, and whether it showed the GPU's agent. */
static int rocminfo(bool *agent)
{
	FILE *f = popen("rocminfo 2>&1", "r");
	char line[256];

	*agent = false;
	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f))
		if (strstr(line, "gfx900"))
			*agent = true;
	return pclose(f);
}

/* All VMIDs are taken by queues that always have work: everything else is to be had as well. */
TEST_F(crowd, works_beside)
{
	struct kfd_client c;
	struct kfd_event e;
	struct kfd_sdma q;
	struct kfd_bo b;
	unsigned int i;
	bool agent;

	for (i = 0; i < CROWD; i++)
		ASSERT_EQ(1, write(self->member[i].more, MORE, 1));
	ASSERT_EQ(0, kfd_client_open(&c, 0));
	EXPECT_EQ(0, kfd_client_acquire(&c));
	EXPECT_EQ(0, kfd_bo_vram(&c, 1ul << 20, &b));
	memset(b.cpu, 1, 1ul << 20);
	EXPECT_EQ(0, kfd_event_create(&c, &e));
	EXPECT_EQ(0, kfd_sdma_create(&c, &q));
	EXPECT_EQ(0, kfd_sdma_copy_wait(&q, &e, b.cpu + PAGE, b.cpu, PAGE));
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
	EXPECT_EQ(0, kfd_bo_free(&c, &b));
	kfd_client_close(&c);
	for (i = 0; i < CROWD; i++)
		EXPECT_EQ(ROUNDS, member_says(&self->member[i])) TH_LOG("member %u", i);
	if (access("/usr/bin/rocminfo", X_OK))
		SKIP(return, "no rocminfo");
	EXPECT_EQ(0, rocminfo(&agent));
	EXPECT_TRUE(agent);
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
