// SPDX-License-Identifier: GPL-2.0-only
/*
 * SMI_EVENTS: lines of text about page faults and stops of queues, who sees which, reading,
 * polling, a full FIFO, ends of every kind (S0.40, S0.61; B158, and of B157 what concerns
 * descriptors).  Sleep of the machine is in suspend_test.c.
 *
 * vm: timeout=900
 */
#include "kfd_harness.h"

#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#define PAGE		4096ul
#define NOBODY		65534
#define NOWHERE		((void *)0x700000001000ul)
#define FIFO_BYTES	1024
#define LINE_BYTES	KFD_SMI_EVENT_MSG_SIZE

#define MASK(event)	KFD_SMI_EVENT_MASK_FROM_INDEX(KFD_SMI_EVENT_ ## event)
#define FAULTS		MASK(VMFAULT)
#define STOPS		(MASK(QUEUE_EVICTION) | MASK(QUEUE_RESTORE))
/* Every kind there is; without the bit for other processes. */
#define ALL_KINDS	(~MASK(ALL_PROCESS))
#define EVERYTHING	(~0ull)

/* ---- a descriptor ---- */

static int smi_open(struct kfd_client *c)
{
	struct kfd_ioctl_smi_events_args args = { .gpuid = c->gpu_id };
	int ret = kfd_ioctl(c->fd, AMDKFD_IOC_SMI_EVENTS, &args);

	return ret ? ret : (int)args.anon_fd;
}

static int smi_mask(int fd, uint64_t mask)
{
	ssize_t n = write(fd, &mask, sizeof(mask));

	return n < 0 ? -errno : n == sizeof(mask) ? 0 : -EIO;
}

/* 0: the descriptor has nothing to say. */
static int smi_nothing(int fd)
{
	char c;
	ssize_t n = read(fd, &c, 1);

	return n < 0 && errno == EAGAIN ? 0 : n < 0 ? -errno : -EEXIST;
}

/* ---- what is told ---- */

/* A queue that copies from a page that is not mapped; it goes when its fault was told to @fd. */
static int fault(struct kfd_client *c, int fd, char line[LINE_BYTES])
{
	struct kfd_sdma q;
	struct kfd_bo b;
	uint32_t w[8];
	int ret = kfd_bo_gtt(c, PAGE, &b);

	if (ret)
		return ret;
	ret = kfd_sdma_create_size(c, &q, 4096);
	if (ret)
		return ret;
	kfd_sdma_put(&q, w, pkt_copy(w, b.cpu, NOWHERE, 64));
	kfd_sdma_ring(&q);
	ret = kfd_smi_line(fd, line);
	kfd_sdma_destroy(&q);
	kfd_bo_free(c, &b);
	return ret;
}

/* User pages that a GPU maps are taken away, and put back by the driver. */
static int stop(struct kfd_bo *user)
{
	memset(user->cpu, 1, user->size);
	return madvise(user->cpu, user->size, MADV_DONTNEED) ? -errno : 0;
}

/* As above, told to @fd: both lines. */
static int stop_and_go(struct kfd_bo *user, int fd, char lines[2][LINE_BYTES])
{
	int ret = stop(user);

	if (!ret)
		ret = kfd_smi_line(fd, lines[0]);
	return ret ? ret : kfd_smi_line(fd, lines[1]);
}

static uint64_t boot_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

TEST_F(kfd, page_fault_line)
{
	char line[LINE_BYTES], want[LINE_BYTES], name[16];
	int fd = kfd_smi_open(&self->c, ALL_KINDS & ~STOPS);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, prctl(PR_GET_NAME, name));
	snprintf(want, sizeof(want), "1 %x:%s", getpid(), name);
	ASSERT_EQ(0, fault(&self->c, fd, line));
	EXPECT_STREQ(want, line);
	/* Once, and again when it happens again. */
	EXPECT_EQ(0, smi_nothing(fd));
	ASSERT_EQ(0, fault(&self->c, fd, line));
	EXPECT_STREQ(want, line);
	close(fd);
}

/**
 * struct queue_line - what stands in a line about queues
 * @ns: time
 * @pid: whose
 * @gpu: where
 * @why: reason of a stop
 * @flag: letter of a return
 */
struct queue_line {
	unsigned long long ns;
	int pid;
	uint32_t gpu;
	int why;
	char flag;
};

static bool parse_stop(const char *line, struct queue_line *l)
{
	char more;

	return sscanf(line, "9 %llu -%d %x %d%c", &l->ns, &l->pid, &l->gpu, &l->why, &more) == 4;
}

static bool parse_back(const char *line, struct queue_line *l)
{
	char more;

	return sscanf(line, "a %llu -%d %x %c%c", &l->ns, &l->pid, &l->gpu, &l->flag, &more) == 4;
}

/* Moved user pages: stopped for reason 1, back with '0'; nanoseconds of the boot clock. */
TEST_F(kfd, stop_lines)
{
	int fd = kfd_smi_open(&self->c, ALL_KINDS);
	struct queue_line stopped, back;
	char lines[2][LINE_BYTES];
	uint64_t before, after;
	struct kfd_bo user;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, kfd_bo_user(&self->c, 16 * PAGE, &user));
	before = boot_ns();
	ASSERT_EQ(0, stop_and_go(&user, fd, lines));
	after = boot_ns();
	ASSERT_TRUE(parse_stop(lines[0], &stopped)) TH_LOG("%s", lines[0]);
	EXPECT_EQ(getpid(), stopped.pid);
	EXPECT_EQ(self->c.gpu_id, stopped.gpu);
	EXPECT_EQ(KFD_QUEUE_EVICTION_TRIGGER_USERPTR, stopped.why);
	ASSERT_TRUE(parse_back(lines[1], &back)) TH_LOG("%s", lines[1]);
	EXPECT_EQ(getpid(), back.pid);
	EXPECT_EQ(self->c.gpu_id, back.gpu);
	EXPECT_EQ('0', back.flag);
	EXPECT_LE(before, stopped.ns);
	EXPECT_LE(stopped.ns, back.ns);
	EXPECT_LE(back.ns, after);
	EXPECT_EQ(0, smi_nothing(fd));
	close(fd);
}

/* What UPDATE_QUEUE stops is its owner's wish, and a bad packet is no page fault. */
TEST_F(kfd, other_stops_are_not_told)
{
	struct kfd_ioctl_update_queue_args update = { .queue_percentage = 0 };
	uint32_t w = 0xff, result;
	struct kfd_event told;
	struct kfd_sdma q, bad;
	char line[LINE_BYTES];
	int fd;

	fd = kfd_smi_open(&self->c, ALL_KINDS);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, kfd_event_create_type(&self->c, KFD_IOC_EVENT_MEMORY, true, &told));
	ASSERT_EQ(0, kfd_sdma_create_size(&self->c, &q, 4096));
	update.queue_id = q.id;
	update.ring_base_address = (uintptr_t)q.ring.cpu;
	update.ring_size = 4096;
	EXPECT_EQ(0, kfd_ioctl(self->c.fd, AMDKFD_IOC_UPDATE_QUEUE, &update));
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
	ASSERT_EQ(0, kfd_sdma_create_size(&self->c, &bad, 4096));
	kfd_sdma_put(&bad, &w, 1);
	kfd_sdma_ring(&bad);
	ASSERT_EQ(0, kfd_event_wait(&self->c, &told, KFD_TIMEOUT_MS, &result));
	ASSERT_EQ(KFD_IOC_WAIT_RESULT_COMPLETE, result);
	/* A page fault that follows is the first thing told, and the last. */
	ASSERT_EQ(0, fault(&self->c, fd, line));
	EXPECT_EQ(0, strncmp("1 ", line, 2)) TH_LOG("%s", line);
	EXPECT_EQ(0, smi_nothing(fd));
	EXPECT_EQ(0, kfd_sdma_destroy(&bad));
	close(fd);
}

/* Nothing before a mask is written; then what it has, and the last one counts. */
TEST_F(kfd, masks)
{
	int silent = smi_open(&self->c), faults = kfd_smi_open(&self->c, FAULTS);
	int all = kfd_smi_open(&self->c, ALL_KINDS), stops = kfd_smi_open(&self->c, ALL_KINDS);
	char line[LINE_BYTES], lines[2][LINE_BYTES];
	struct kfd_bo user;

	ASSERT_LE(0, silent);
	ASSERT_LE(0, faults);
	ASSERT_LE(0, all);
	ASSERT_LE(0, stops);
	ASSERT_EQ(0, smi_mask(stops, MASK(QUEUE_RESTORE)));
	ASSERT_EQ(0, kfd_bo_user(&self->c, 16 * PAGE, &user));
	ASSERT_EQ(0, stop_and_go(&user, all, lines));
	ASSERT_EQ(0, fault(&self->c, all, line));
	EXPECT_EQ(0, smi_nothing(silent));
	ASSERT_EQ(0, kfd_smi_line(faults, line));
	EXPECT_EQ(0, strncmp("1 ", line, 2)) TH_LOG("%s", line);
	EXPECT_EQ(0, smi_nothing(faults));
	ASSERT_EQ(0, kfd_smi_line(stops, line));
	EXPECT_STREQ(lines[1], line);
	EXPECT_EQ(0, smi_nothing(stops));
	/* Off again. */
	ASSERT_EQ(0, smi_mask(faults, 0));
	ASSERT_EQ(0, fault(&self->c, all, line));
	EXPECT_EQ(0, smi_nothing(faults));
}

TEST_F(kfd, mask_writes)
{
	uint64_t mask[2] = { FAULTS, ~0ull };
	int fd = smi_open(&self->c);

	ASSERT_LE(0, fd);
	EXPECT_EQ(8, write(fd, mask, 8));
	/* What follows the mask is not looked at. */
	EXPECT_EQ(8, write(fd, mask, 16));
	EXPECT_EQ(-1, write(fd, mask, 7));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(-1, write(fd, NOWHERE, 8));
	EXPECT_EQ(EFAULT, errno);
	close(fd);
}

/* ---- reading ---- */

/* Also without O_NONBLOCK, as upstream: who wants to wait polls. */
TEST_F(kfd, reading_never_waits)
{
	int fd = kfd_smi_open(&self->c, ALL_KINDS), flags;
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char buf[16];

	ASSERT_LE(0, fd);
	flags = fcntl(fd, F_GETFL);
	EXPECT_EQ(O_RDWR, flags & O_ACCMODE);
	EXPECT_EQ(-1, read(fd, buf, sizeof(buf)));
	EXPECT_EQ(EAGAIN, errno);
	ASSERT_EQ(0, fcntl(fd, F_SETFL, flags | O_NONBLOCK));
	EXPECT_EQ(-1, read(fd, buf, sizeof(buf)));
	EXPECT_EQ(EAGAIN, errno);
	EXPECT_EQ(0, poll(&p, 1, 0));
	EXPECT_EQ(0, poll(&p, 1, 20));
	EXPECT_EQ(-1, lseek(fd, 0, SEEK_SET));
	close(fd);
}

/* A line can be read in pieces; a buffer that is not there loses nothing. */
TEST_F(kfd, pieces_and_bad_buffers)
{
	char line[LINE_BYTES], whole[2 * LINE_BYTES] = "", want[2 * LINE_BYTES];
	int fd = kfd_smi_open(&self->c, FAULTS), other = kfd_smi_open(&self->c, FAULTS);
	struct pollfd p = { .fd = fd, .events = POLLIN };
	unsigned int i, n;
	uint8_t *pages;

	ASSERT_LE(0, fd);
	ASSERT_LE(0, other);
	ASSERT_EQ(0, fault(&self->c, other, line));
	ASSERT_EQ(0, fault(&self->c, other, line));
	n = snprintf(want, sizeof(want), "%s\n%s\n", line, line);
	EXPECT_EQ(1, poll(&p, 1, 0));
	EXPECT_EQ(POLLIN, p.revents);
	EXPECT_EQ(-1, read(fd, NOWHERE, 64));
	EXPECT_EQ(EFAULT, errno);
	/* Three bytes can be stored, then there is no page. */
	pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_EQ(0, munmap(pages + PAGE, PAGE));
	EXPECT_EQ(-1, read(fd, pages + PAGE - 3, 64));
	EXPECT_EQ(EFAULT, errno);
	for (i = 0; i < 3; i++)
		ASSERT_EQ(1, read(fd, whole + i, 1));
	ASSERT_EQ(n - 3, read(fd, whole + 3, sizeof(whole) - 4));
	EXPECT_STREQ(want, whole);
	EXPECT_EQ(0, poll(&p, 1, 0));
}

/*
 * A FIFO that nobody reads takes whole lines until one finds no room.  What it has is the
 * beginning of what a client got that read all; then there is room again.
 */
TEST_F_TIMEOUT(kfd, full_fifo, 300)
{
	char all[4 * FIFO_BYTES], line[2][LINE_BYTES], got[2 * FIFO_BYTES] = "";
	int idle = kfd_smi_open(&self->c, STOPS), reader = kfd_smi_open(&self->c, STOPS);
	struct kfd_bo user;
	size_t n = 0;
	ssize_t len;

	ASSERT_LE(0, idle);
	ASSERT_LE(0, reader);
	ASSERT_EQ(0, kfd_bo_user(&self->c, 16 * PAGE, &user));
	while (n < 2 * FIFO_BYTES) {
		ASSERT_EQ(0, stop_and_go(&user, reader, line));
		n += snprintf(all + n, sizeof(all) - n, "%s\n%s\n", line[0], line[1]);
	}
	len = read(idle, got, sizeof(got) - 1);
	ASSERT_LT(FIFO_BYTES - LINE_BYTES, len);
	ASSERT_GE(FIFO_BYTES, len);
	EXPECT_EQ('\n', got[len - 1]);
	EXPECT_EQ(0, strncmp(all, got, len));
	EXPECT_EQ(0, smi_nothing(idle));
	ASSERT_EQ(0, stop_and_go(&user, reader, line));
	ASSERT_EQ(0, kfd_smi_line(idle, got));
	EXPECT_STREQ(line[0], got);
	ASSERT_EQ(0, kfd_smi_line(idle, got));
	EXPECT_STREQ(line[1], got);
}

struct poller {
	int fd;
	int ret;
	short revents;
};

static void *poll_for_ever(void *data)
{
	struct poller *me = data;
	struct pollfd p = { .fd = me->fd, .events = POLLIN };

	me->ret = poll(&p, 1, -1);
	me->revents = p.revents;
	return NULL;
}

/* Everybody who polls is woken, on one descriptor and on several. */
TEST_F_TIMEOUT(kfd, pollers_wake, 300)
{
	int fd[2] = { kfd_smi_open(&self->c, FAULTS), kfd_smi_open(&self->c, FAULTS) };
	int other = kfd_smi_open(&self->c, FAULTS);
	struct poller poller[4];
	pthread_t thread[4];
	char line[LINE_BYTES];
	unsigned int i;

	ASSERT_LE(0, fd[0]);
	ASSERT_LE(0, fd[1]);
	ASSERT_LE(0, other);
	for (i = 0; i < 4; i++) {
		poller[i] = (struct poller){ .fd = fd[i & 1] };
		ASSERT_EQ(0, pthread_create(&thread[i], NULL, poll_for_ever, &poller[i]));
	}
	usleep(20000);
	ASSERT_EQ(0, fault(&self->c, other, line));
	for (i = 0; i < 4; i++) {
		ASSERT_EQ(0, pthread_join(thread[i], NULL));
		EXPECT_EQ(1, poller[i].ret);
		EXPECT_EQ(POLLIN, poller[i].revents);
	}
}

/* ---- who may ask, who sees what ---- */

TEST_F(kfd, refusals)
{
	struct kfd_ioctl_smi_events_args args = { .gpuid = self->c.gpu_id ^ 1, .anon_fd = 77 };
	struct rlimit limit = { 0 }, old;
	long long clients = kfd_count("smi_clients");
	int status;
	pid_t pid;

	EXPECT_EQ(-EINVAL, kfd_ioctl(self->c.fd, AMDKFD_IOC_SMI_EVENTS, &args));
	args.gpuid = 0;
	EXPECT_EQ(-EINVAL, kfd_ioctl(self->c.fd, AMDKFD_IOC_SMI_EVENTS, &args));
	EXPECT_EQ(77, args.anon_fd);
	ASSERT_EQ(0, getrlimit(RLIMIT_NOFILE, &old));
	limit.rlim_max = old.rlim_max;
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
	EXPECT_EQ(-EMFILE, smi_open(&self->c));
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &old));
	pid = fork();
	if (!pid)
		_exit(smi_open(&self->c) == -EBADF ? 0 : 1);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(clients, kfd_count("smi_clients"));
}

/* It needs no address space on the GPU. */
TEST(before_acquire)
{
	struct kfd_client c;
	int fd;

	if (access("/dev/kfd", F_OK))
		SKIP(return, "no /dev/kfd");
	ASSERT_EQ(0, kfd_client_open(&c, 0));
	fd = kfd_smi_open(&c, EVERYTHING);
	EXPECT_LE(0, fd);
	EXPECT_EQ(0, smi_nothing(fd));
	close(fd);
	close(c.fd);
}

/**
 * struct watcher - another process that watches
 * @pid: it
 * @ask: written to: it may look, read from: it has
 * @user: 0 keeps its privileges
 * @mask: what it asks for
 */
struct watcher {
	pid_t pid;
	int ask[2];
	uid_t user;
	uint64_t mask;
};

/* Says how many bytes there are once asked to look, then ends. */
static int watcher_main(int peer, uid_t user, uint64_t mask)
{
	char got[2 * FIFO_BYTES];
	struct kfd_client c;
	int fd, n;

	/* The device node is root's in the test machine. */
	if (kfd_client_open(&c, 0))
		return 1;
	if (user && (setgid(user) || setuid(user)))
		return 2;
	fd = kfd_smi_open(&c, mask);
	if (fd < 0)
		return 3;
	if (write(peer, "", 1) != 1 || read(peer, got, 1) != 1)
		return 4;
	n = read(fd, got, sizeof(got));
	if (n < 0)
		n = errno == EAGAIN ? 0 : -errno;
	return write(peer, &n, sizeof(n)) == sizeof(n) ? 0 : 5;
}

static int watcher_start(struct watcher *w)
{
	char byte;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, w->ask))
		return -errno;
	w->pid = fork();
	if (!w->pid) {
		close(w->ask[0]);
		_exit(watcher_main(w->ask[1], w->user, w->mask));
	}
	close(w->ask[1]);
	return read(w->ask[0], &byte, 1) == 1 ? 0 : -EPIPE;
}

/* Bytes that it has seen, or -errno. */
static int watcher_end(struct watcher *w)
{
	int n = -EPIPE, status;

	if (write(w->ask[0], "", 1) != 1 || read(w->ask[0], &n, sizeof(n)) != sizeof(n))
		n = -EPIPE;
	close(w->ask[0]);
	if (waitpid(w->pid, &status, 0) != w->pid || status)
		return -ECHILD;
	return n;
}

/*
 * B158: another user's faults and stops are seen by nobody without the privilege, and with
 * it only by those who ask.  Who watches stands before our own descriptor in the driver's
 * list, so whatever it gets it has when we have ours.
 */
TEST_F_TIMEOUT(kfd, b158_other_processes, 300)
{
	struct watcher rows[] = {
		{ .user = NOBODY, .mask = EVERYTHING },
		{ .user = NOBODY, .mask = ALL_KINDS },
		{ .user = 0, .mask = ALL_KINDS },
		{ .user = 0, .mask = FAULTS | MASK(ALL_PROCESS) },
	};
	char line[LINE_BYTES], lines[2][LINE_BYTES];
	struct kfd_bo user;
	unsigned int i;
	int fd;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		ASSERT_EQ(0, watcher_start(&rows[i])) TH_LOG("row %u", i);
	fd = kfd_smi_open(&self->c, EVERYTHING);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, kfd_bo_user(&self->c, 16 * PAGE, &user));
	ASSERT_EQ(0, fault(&self->c, fd, line));
	ASSERT_EQ(0, stop_and_go(&user, fd, lines));
	for (i = 0; i < 3; i++)
		EXPECT_EQ(0, watcher_end(&rows[i])) TH_LOG("row %u", i);
	EXPECT_EQ(strlen(line) + 1, watcher_end(&rows[3]));
}

/* Privileges are those of the one who asked, when it asked: dropping them later takes none. */
TEST_F(kfd, privilege_is_that_of_the_opening)
{
	int peer[2], status, fd, tag;
	char line[LINE_BYTES], own[LINE_BYTES];
	uint32_t word;
	pid_t pid;
	int mine;

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, peer));
	for (tag = 0; tag < 2; tag++) {
		pid = fork();
		if (!pid) {
			struct kfd_client c;

			if (kfd_client_open(&c, 0) || (tag && setuid(NOBODY)))
				_exit(1);
			fd = smi_open(&c);
			_exit(fd < 0 || (!tag && setuid(NOBODY)) || smi_mask(fd, EVERYTHING) ||
			      kfd_send_fd(peer[1], fd, tag));
		}
		fd = kfd_receive_fd(peer[0], &word);
		ASSERT_LE(0, fd);
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		ASSERT_EQ(0, status);
		/* Written by root now: it does not become root's. */
		ASSERT_EQ(0, smi_mask(fd, EVERYTHING));
		mine = kfd_smi_open(&self->c, FAULTS);
		ASSERT_LE(0, mine);
		ASSERT_EQ(0, fault(&self->c, mine, own));
		if (tag) {
			EXPECT_EQ(0, smi_nothing(fd));
		} else {
			ASSERT_EQ(0, kfd_smi_line(fd, line));
			EXPECT_STREQ(own, line);
		}
		close(mine);
		close(fd);
	}
}

/* A process that holds another's descriptor sees what happens to that one, not to itself. */
TEST_F_TIMEOUT(kfd, passed_descriptor, 120)
{
	char line[LINE_BYTES], own[LINE_BYTES], want[16];
	int peer[2], status, fd, mine;
	uint32_t word;
	pid_t pid;

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, peer));
	pid = fork();
	if (!pid) {
		struct kfd_client c;

		if (kfd_client_init(&c, 0))
			_exit(1);
		fd = kfd_smi_open(&c, FAULTS);
		mine = kfd_smi_open(&c, FAULTS);
		if (fd < 0 || mine < 0 || kfd_send_fd(peer[1], fd, 0))
			_exit(2);
		_exit(fault(&c, mine, line) ? 3 : 0);
	}
	fd = kfd_receive_fd(peer[0], &word);
	ASSERT_LE(0, fd);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
	snprintf(want, sizeof(want), "1 %x:", pid);
	ASSERT_EQ(0, kfd_smi_line(fd, line));
	EXPECT_EQ(0, strncmp(want, line, strlen(want))) TH_LOG("%s", line);
	/* Its process has gone; nobody takes its place. */
	mine = kfd_smi_open(&self->c, FAULTS);
	ASSERT_LE(0, mine);
	ASSERT_EQ(0, fault(&self->c, mine, own));
	EXPECT_EQ(0, smi_nothing(fd));
}

/* A name that looks like another line, in a process of its own. */
static int fault_under_name(const char *name, char line[LINE_BYTES])
{
	struct kfd_client c;
	int fd;

	if (prctl(PR_SET_NAME, name) || kfd_client_init(&c, 0))
		return 1;
	fd = kfd_smi_open(&c, FAULTS);
	return fd < 0 || fault(&c, fd, line) || smi_nothing(fd);
}

TEST(hostile_name)
{
	char *line = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char want[LINE_BYTES];
	int status;
	pid_t pid;

	if (access("/dev/kfd", F_OK))
		SKIP(return, "no /dev/kfd");
	pid = fork();
	if (!pid)
		_exit(fault_under_name("a\n1 1:in\033it", line));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
	snprintf(want, sizeof(want), "1 %x:a?1 1:in?it", pid);
	EXPECT_STREQ(want, line);
}

/* ---- ends ---- */

struct storm {
	struct kfd_client *c;
	struct kfd_bo user;
	int stop;
	int bad;
	int shared;
};

static void *storm_of_stops(void *data)
{
	struct storm *s = data;

	while (!__atomic_load_n(&s->stop, __ATOMIC_RELAXED))
		if (stop(&s->user))
			s->bad = 1;
	return NULL;
}

/* Opens, reads, closes; and reads what all others read as well. */
static void *open_and_close(void *data)
{
	struct storm *s = data;
	char buf[64];
	int fd;

	while (!__atomic_load_n(&s->stop, __ATOMIC_RELAXED)) {
		fd = kfd_smi_open(s->c, ALL_KINDS);
		if (fd < 0)
			s->bad = 2;
		if (read(fd, buf, sizeof(buf)) < 0 && errno != EAGAIN)
			s->bad = 3;
		if (read(s->shared, buf, sizeof(buf)) < 0 && errno != EAGAIN)
			s->bad = 4;
		close(fd);
	}
	return NULL;
}

/* Descriptors come and go while lines are written to them. */
TEST_F_TIMEOUT(kfd, close_under_events, 300)
{
	struct storm s = { .c = &self->c };
	pthread_t thread[4];
	long long clients;
	unsigned int i;

	clients = kfd_count("smi_clients");
	ASSERT_EQ(0, kfd_bo_user(&self->c, 16 * PAGE, &s.user));
	s.shared = kfd_smi_open(&self->c, ALL_KINDS);
	ASSERT_LE(0, s.shared);
	EXPECT_EQ(clients + 1, kfd_count("smi_clients"));
	for (i = 0; i < 4; i++)
		ASSERT_EQ(0, pthread_create(&thread[i], NULL, i ? open_and_close : storm_of_stops,
					    &s));
	sleep(3);
	__atomic_store_n(&s.stop, 1, __ATOMIC_RELAXED);
	for (i = 0; i < 4; i++)
		ASSERT_EQ(0, pthread_join(thread[i], NULL));
	EXPECT_EQ(0, s.bad);
	close(s.shared);
	EXPECT_EQ(clients, kfd_count("smi_clients"));
}

/* A hundred descriptors, a storm, a poller that sleeps: kill -9 ends all of it. */
static void killed_main(int ready)
{
	struct storm s = { 0 };
	struct poller poller;
	struct kfd_client c;
	pthread_t thread;
	unsigned int i;

	if (kfd_client_init(&c, 0) || kfd_bo_user(&c, 16 * PAGE, &s.user))
		_exit(1);
	for (i = 0; i < 100; i++)
		if (kfd_smi_open(&c, i & 1 ? ALL_KINDS : FAULTS) < 0)
			_exit(2);
	poller.fd = kfd_smi_open(&c, FAULTS);
	if (pthread_create(&thread, NULL, poll_for_ever, &poller) ||
	    pthread_create(&thread, NULL, storm_of_stops, &s) || write(ready, "", 1) != 1)
		_exit(3);
	for (;;)
		pause();
}

TEST_F_TIMEOUT(kfd, killed_with_descriptors, 300)
{
	unsigned int round;
	char before[4096];
	int ready[2];
	char byte;

	ASSERT_EQ(0, kfd_counts_read(before, sizeof(before)));
	ASSERT_EQ(0, pipe(ready));
	for (round = 0; round < 5; round++) {
		pid_t pid = fork();

		if (!pid)
			killed_main(ready[1]);
		ASSERT_EQ(1, read(ready[0], &byte, 1));
		usleep(round * 3000);
		ASSERT_EQ(0, kill(pid, SIGKILL));
		ASSERT_EQ(pid, waitpid(pid, NULL, 0));
		EXPECT_EQ(0, kfd_counts_settle(before));
	}
}

/* ---- the device goes ---- */

#define PCI_DRIVER	"/sys/bus/pci/drivers/carillon"

FIXTURE(unbound) {
	struct kfd_client c;
	char gpu[16];
};

FIXTURE_SETUP(unbound)
{
	glob_t g;

	if (access("/dev/kfd", F_OK))
		SKIP(return, "no /dev/kfd");
	ASSERT_EQ(0, glob(PCI_DRIVER "/*:*:*.*", 0, NULL, &g));
	snprintf(self->gpu, sizeof(self->gpu), "%s", strrchr(g.gl_pathv[0], '/') + 1);
	globfree(&g);
	ASSERT_EQ(0, kfd_client_init(&self->c, 0));
}

FIXTURE_TEARDOWN(unbound)
{
	kfd_client_close(&self->c);
	EXPECT_EQ(0, kfd_write_file(PCI_DRIVER "/bind", self->gpu));
}

/* Who polls is woken; what was told before can still be read, then there is no device. */
TEST_F_TIMEOUT(unbound, readers_end, 300)
{
	int fd = kfd_smi_open(&self->c, FAULTS), other = kfd_smi_open(&self->c, FAULTS);
	int empty = kfd_smi_open(&self->c, FAULTS);
	char line[LINE_BYTES], again[LINE_BYTES];
	struct poller poller = { .fd = empty };
	struct pollfd p = { .fd = fd, .events = POLLIN };
	pthread_t thread;

	ASSERT_LE(0, fd);
	ASSERT_LE(0, other);
	ASSERT_LE(0, empty);
	ASSERT_EQ(0, fault(&self->c, other, line));
	ASSERT_EQ(0, kfd_smi_line(empty, again));
	ASSERT_EQ(0, pthread_create(&thread, NULL, poll_for_ever, &poller));
	usleep(20000);
	ASSERT_EQ(0, kfd_write_file(PCI_DRIVER "/unbind", self->gpu));
	ASSERT_EQ(0, pthread_join(thread, NULL));
	EXPECT_EQ(1, poller.ret);
	EXPECT_EQ(POLLHUP, poller.revents);
	EXPECT_EQ(1, poll(&p, 1, 0));
	EXPECT_EQ(POLLIN | POLLHUP, p.revents);
	ASSERT_EQ(0, kfd_smi_line(fd, again));
	EXPECT_STREQ(line, again);
	EXPECT_EQ(-ENODEV, smi_nothing(fd));
	EXPECT_EQ(0, smi_mask(fd, ALL_KINDS));
	EXPECT_EQ(-ENODEV, smi_open(&self->c));
	close(fd);
	close(other);
	close(empty);
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
