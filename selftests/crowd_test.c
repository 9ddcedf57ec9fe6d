// SPDX-License-Identifier: GPL-2.0-only
/*
 * More processes than the hardware has room for: who is too much gets its errno and works
 * on without a queue (S0.36, S0.61).  With two VMIDs for processes they run out before
 * the four hardware slots do.
 *
 * vm: modules="carillon_vgpu;carillon vmids=2;amdgpu" timeout=300
 */
#include "kfd_harness.h"

#include <fcntl.h>
#include <sys/wait.h>

#define HOLDERS		2
#define HOLDER_MORE	"m"
#define HOLDER_END	"e"

/**
 * struct holder - a process with queues
 * @pid: it
 * @told: number of queues made or -errno, then the result of each further one
 * @stop: HOLDER_MORE: it tries one more queue; HOLDER_END: it ends
 */
struct holder {
	pid_t pid;
	int told, stop;
};

FIXTURE(crowd) {
	struct holder holder[HOLDERS];
	unsigned int slots;
};

static int hold_queues(unsigned int n, int tell, int stop)
{
	struct kfd_sdma q[8];
	struct kfd_client c;
	int done, r;
	char byte;

	r = kfd_client_init(&c, 0);
	for (done = 0; !r && done < n; done++)
		r = kfd_sdma_create(&c, &q[done]);
	r = r ? r : done;
	if (write(tell, &r, sizeof(r)) != sizeof(r))
		return 1;
	while (read(stop, &byte, 1) == 1 && byte == HOLDER_MORE[0]) {
		r = kfd_sdma_create(&c, &q[7]);
		if (write(tell, &r, sizeof(r)) != sizeof(r))
			return 2;
	}
	return 0;
}

/* What became of the queues, or of the one more. */
static int holder_says(struct holder *h)
{
	int value;

	return read(h->told, &value, sizeof(value)) == sizeof(value) ? value : -EPIPE;
}

static int holder_start(struct holder *h, unsigned int n)
{
	int told[2], stop[2];

	if (pipe2(told, O_CLOEXEC) || pipe2(stop, O_CLOEXEC))
		return -errno;
	h->pid = fork();
	if (!h->pid) {
		close(stop[1]);
		_exit(hold_queues(n, told[1], stop[0]));
	}
	close(told[1]);
	close(stop[0]);
	h->told = told[0];
	h->stop = stop[1];
	return holder_says(h);
}

static int holder_end(struct holder *h)
{
	int status = -1;

	if (write(h->stop, HOLDER_END, 1) != 1)
		kill(h->pid, SIGKILL);
	waitpid(h->pid, &status, 0);
	close(h->stop);
	close(h->told);
	h->pid = 0;
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
	struct kfd_client c;

	if (vmids() != HOLDERS)
		SKIP(return, "not loaded with two VMIDs");
	ASSERT_EQ(0, kfd_client_open(&c, 0));
	self->slots = 2 * c.sdma_engines;
	kfd_client_close(&c);
	ASSERT_EQ(4, self->slots);
}

FIXTURE_TEARDOWN(crowd)
{
	unsigned int i;

	for (i = 0; i < HOLDERS; i++)
		if (self->holder[i].pid)
			holder_end(&self->holder[i]);
}

/* All VMIDs are taken: the first queue of one more process, though slots are free. */
TEST_F(crowd, no_vmid_left)
{
	struct kfd_client c;
	struct kfd_sdma q;
	long long queues;
	unsigned int i;

	for (i = 0; i < HOLDERS; i++)
		ASSERT_EQ(1, holder_start(&self->holder[i], 1));
	queues = kfd_count("queues");
	ASSERT_EQ(0, kfd_client_init(&c, 0));
	EXPECT_EQ(-ENOSPC, kfd_sdma_create(&c, &q));
	EXPECT_EQ(-ENOSPC, kfd_sdma_create(&c, &q));
	EXPECT_EQ(queues, kfd_count("queues"));
	/* A second queue of a process that has one needs no VMID. */
	ASSERT_EQ(1, write(self->holder[0].stop, HOLDER_MORE, 1));
	EXPECT_EQ(0, holder_says(&self->holder[0]));
	EXPECT_EQ(-ENOSPC, kfd_sdma_create(&c, &q));
	EXPECT_EQ(0, holder_end(&self->holder[0]));
	EXPECT_EQ(0, kfd_sdma_create(&c, &q));
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
	kfd_client_close(&c);
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

/* All VMIDs and all slots are taken: everything but a queue is still to be had. */
TEST_F(crowd, works_without_a_queue)
{
	struct kfd_client c;
	struct kfd_event e;
	struct kfd_sdma q;
	struct kfd_bo b;
	unsigned int i;
	bool agent;

	for (i = 0; i < HOLDERS; i++)
		ASSERT_EQ(self->slots / HOLDERS,
			  holder_start(&self->holder[i], self->slots / HOLDERS));
	EXPECT_EQ(self->slots, kfd_count("hw_slots"));
	EXPECT_EQ(HOLDERS, kfd_count("vmids"));
	for (i = 0; i < HOLDERS; i++) {
		ASSERT_EQ(1, write(self->holder[i].stop, HOLDER_MORE, 1));
		EXPECT_EQ(-ENOMEM, holder_says(&self->holder[i]));
	}
	ASSERT_EQ(0, kfd_client_open(&c, 0));
	EXPECT_EQ(0, kfd_client_acquire(&c));
	EXPECT_EQ(0, kfd_bo_vram(&c, 1ul << 20, &b));
	memset(b.cpu, 1, 1ul << 20);
	EXPECT_EQ(0, kfd_event_create(&c, &e));
	EXPECT_EQ(-ENOSPC, kfd_sdma_create(&c, &q));
	EXPECT_EQ(0, kfd_bo_free(&c, &b));
	kfd_client_close(&c);
	if (access("/usr/bin/rocminfo", X_OK))
		SKIP(return, "no rocminfo");
	EXPECT_EQ(0, rocminfo(&agent));
	EXPECT_TRUE(agent);
	for (i = 0; i < HOLDERS; i++)
		EXPECT_EQ(0, holder_end(&self->holder[i]));
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
