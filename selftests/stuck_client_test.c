// SPDX-License-Identifier: GPL-2.0-only
/*
 * A client whose memory never comes holds up nobody but itself (S0.61; B020, B148): user pages
 * lie in a file whose server, this test, does not answer.  While one of the client's
 * calls, or the driver's work item, waits for them, the client's other threads go on,
 * the GPU is unbound and bound, and others open it.
 *
 * vm: modules="carillon_vgpu gpus=vega10:cu=4,vram=512m;carillon" timeout=600
 */
#include "kfd_harness.h"

#include <fcntl.h>
#include <glob.h>
#include <linux/fuse.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define DIR		"/tmp/stuck"
#define FILE_NAME	"f"
#define FILE_SIZE	65536u
#define FILE_NODE	2

static int fuse_fd;
/* Reads of the file that wait for an answer. */
static volatile unsigned int reads;

/* ---- a file system with one file that can be opened and never be read ---- */

static void fuse_reply(const struct fuse_in_header *in, int error, const void *data, size_t size)
{
	struct fuse_out_header out = { sizeof(out) + size, error, in->unique };
	char buf[sizeof(out) + 256];

	memcpy(buf, &out, sizeof(out));
	memcpy(buf + sizeof(out), data, size);
	if (write(fuse_fd, buf, sizeof(out) + size) < 0 && errno != ENOENT && errno != ENODEV)
		perror("# fuse");
}

static void fuse_attributes(struct fuse_attr *attr, uint64_t node)
{
	attr->ino = node;
	attr->mode = node == FILE_NODE ? S_IFREG | 0600 : S_IFDIR | 0700;
	attr->nlink = 1;
	attr->size = node == FILE_NODE ? FILE_SIZE : 0;
	attr->blksize = 4096;
}

static void fuse_answer(const struct fuse_in_header *in)
{
	struct fuse_init_out init = {
		.major = FUSE_KERNEL_VERSION, .minor = 31, .max_write = 4096,
	};
	struct fuse_entry_out entry = { .nodeid = FILE_NODE };
	struct fuse_attr_out attr = { };
	struct fuse_open_out opened = { };

	switch (in->opcode) {
	case FUSE_INIT:
		fuse_reply(in, 0, &init, sizeof(init));
		break;
	case FUSE_LOOKUP:
		fuse_attributes(&entry.attr, FILE_NODE);
		fuse_reply(in, 0, &entry, sizeof(entry));
		break;
	case FUSE_GETATTR:
		fuse_attributes(&attr.attr, in->nodeid);
		fuse_reply(in, 0, &attr, sizeof(attr));
		break;
	case FUSE_OPEN:
		fuse_reply(in, 0, &opened, sizeof(opened));
		break;
	case FUSE_READ:
		reads++;
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		break;
	default:
		fuse_reply(in, -EOPNOTSUPP, "", 0);
		break;
	}
}

static void *fuse_server(void *unused)
{
	static char buf[FUSE_MIN_READ_BUFFER + 65536];

	while (read(fuse_fd, buf, sizeof(buf)) > 0 || errno == EINTR || errno == EAGAIN)
		fuse_answer((struct fuse_in_header *)buf);
	return NULL;
}

FIXTURE(stuck) {
	pthread_t server;
	pid_t client;
	int tell;	/* the client writes a byte at each step */
};

FIXTURE_SETUP(stuck)
{
	char options[64];

	if (!kfd_baseline[0])
		SKIP(return, "no driver or no debugfs counts");
	if (system("modprobe -q fuse") || access("/dev/fuse", F_OK))
		SKIP(return, "this kernel has no FUSE");
	reads = 0;
	mkdir(DIR, 0700);
	fuse_fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, fuse_fd);
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", fuse_fd);
	ASSERT_EQ(0, mount("stuck", DIR, "fuse", 0, options));
	ASSERT_EQ(0, pthread_create(&self->server, NULL, fuse_server, NULL));
}

/* The file system goes, and who waits for its pages gets an error. */
static void fuse_abort(void)
{
	umount2(DIR, MNT_FORCE | MNT_DETACH);
}

FIXTURE_TEARDOWN(stuck)
{
	fuse_abort();
	if (self->client > 0) {
		kill(self->client, SIGKILL);
		waitpid(self->client, NULL, 0);
	}
	pthread_join(self->server, NULL);
	close(fuse_fd);
}

/* ---- the client ---- */

struct victim {
	struct kfd_client c;
	struct kfd_bo vram, user;
	struct kfd_event e;
	struct kfd_sdma q;
	int file;
	int tell;
};

static void victim_tell(const struct victim *v, char step)
{
	if (write(v->tell, &step, 1) != 1)
		_exit(9);
}

static int victim_init(struct victim *v, int tell)
{
	v->tell = tell;
	v->file = open(DIR "/" FILE_NAME, O_RDWR);
	if (v->file < 0 || kfd_client_init(&v->c, 0) || kfd_bo_vram(&v->c, FILE_SIZE, &v->vram) ||
	    kfd_bo_user(&v->c, FILE_SIZE, &v->user) || kfd_event_create(&v->c, &v->e) ||
	    kfd_sdma_create(&v->c, &v->q))
		return -1;
	return 0;
}

/* Registers the file's pages: the call that does not return. */
static void *victim_register(void *data)
{
	struct victim *v = data;
	struct kfd_bo bo;
	void *addr = mmap(NULL, FILE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE, v->file, 0);

	if (addr == MAP_FAILED || !kfd_bo_user_at(&v->c, addr, FILE_SIZE, &bo))
		_exit(8);
	/* Only after the file system has gone. */
	victim_tell(v, 'e');
	return NULL;
}

static void victim_stuck_in_call(int tell)
{
	static struct victim v;
	pthread_t thread;

	if (victim_init(&v, tell) || pthread_create(&thread, NULL, victim_register, &v))
		_exit(1);
	victim_tell(&v, 'i');
	/* Other threads of the process are not held up. */
	if (kfd_sdma_copy_wait(&v.q, &v.e, v.vram.cpu, v.user.cpu, FILE_SIZE))
		_exit(2);
	victim_tell(&v, 'c');
	pthread_join(thread, NULL);
	pause();
}

/* Memory that a GPU has mapped becomes the file: the work item gets stuck. */
static void victim_stuck_in_work(int tell)
{
	static struct victim v;

	if (victim_init(&v, tell) ||
	    kfd_sdma_copy_wait(&v.q, &v.e, v.vram.cpu, v.user.cpu, FILE_SIZE))
		_exit(1);
	victim_tell(&v, 'i');
	if (mmap(v.user.cpu, FILE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, v.file,
		 0) != v.user.cpu)
		_exit(2);
	victim_tell(&v, 'c');
	pause();
}

static int start_client(pid_t *pid, int *tell, void (*fn)(int))
{
	int p[2];

	if (pipe(p))
		return -1;
	*pid = fork();
	if (!*pid) {
		close(p[0]);
		fn(p[1]);
		_exit(0);
	}
	close(p[1]);
	*tell = p[0];
	return 0;
}

static char next_step(int tell)
{
	char step = 0;

	return read(tell, &step, 1) == 1 ? step : 0;
}

/* The server has a read in hand. */
static bool wait_for_read(void)
{
	unsigned int i;

	for (i = 0; i < 3000 * kfd_time_scale() && !reads; i++)
		usleep(10000);
	return reads;
}

/* ---- the GPU ---- */

static int pci_name(char *name, size_t size)
{
	glob_t g;
	int ret = -ENODEV;

	if (!glob("/sys/bus/pci/drivers/carillon/*:*:*.*", 0, NULL, &g)) {
		snprintf(name, size, "%s", strrchr(g.gl_pathv[0], '/') + 1);
		ret = 0;
	}
	globfree(&g);
	return ret;
}

/* In a process of its own, so that one that hangs is noticed and not joined. */
static int write_bounded(const char *path, const char *text)
{
	unsigned int i;
	int status;
	pid_t pid = fork();

	if (!pid) {
		int fd = open(path, O_WRONLY);

		_exit(fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text));
	}
	for (i = 0; i < 6000 * kfd_time_scale(); i++) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -EIO;
		usleep(10000);
	}
	return -ETIMEDOUT;
}

static int client_works(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		struct victim v;

		v.file = -1;
		_exit(kfd_client_init(&v.c, 0) || kfd_bo_vram(&v.c, FILE_SIZE, &v.vram) ||
		      kfd_bo_user(&v.c, FILE_SIZE, &v.user) || kfd_event_create(&v.c, &v.e) ||
		      kfd_sdma_create(&v.c, &v.q) ||
		      kfd_sdma_copy_wait(&v.q, &v.e, v.vram.cpu, v.user.cpu, FILE_SIZE));
	}
	return waitpid(pid, &status, 0) == pid && !status ? 0 : -EIO;
}

static void goes_and_comes(struct __test_metadata *_metadata, struct _test_data_stuck *self,
			   void (*client)(int))
{
	char gpu[64];

	ASSERT_EQ(0, pci_name(gpu, sizeof(gpu)));
	ASSERT_EQ(0, start_client(&self->client, &self->tell, client));
	ASSERT_EQ('i', next_step(self->tell));
	ASSERT_EQ('c', next_step(self->tell));
	ASSERT_TRUE(wait_for_read());
	/* Others may use the GPU; it may go, and come. */
	EXPECT_EQ(0, client_works());
	ASSERT_EQ(0, write_bounded("/sys/bus/pci/drivers/carillon/unbind", gpu));
	ASSERT_EQ(0, write_bounded("/sys/bus/pci/drivers/carillon/bind", gpu));
	EXPECT_EQ(0, client_works());
	EXPECT_EQ(1, reads) TH_LOG("the client got its pages");
	fuse_abort();
}

TEST_F_TIMEOUT(stuck, in_a_call, 300)
{
	goes_and_comes(_metadata, self, victim_stuck_in_call);
	EXPECT_EQ('e', next_step(self->tell));
}

TEST_F_TIMEOUT(stuck, in_the_work_item, 300)
{
	goes_and_comes(_metadata, self, victim_stuck_in_work);
}

/* Killed meanwhile: its memory stays until the server answers or goes, its queues do not run. */
TEST_F_TIMEOUT(stuck, killed, 300)
{
	int status;

	ASSERT_EQ(0, start_client(&self->client, &self->tell, victim_stuck_in_work));
	ASSERT_EQ('i', next_step(self->tell));
	ASSERT_EQ('c', next_step(self->tell));
	ASSERT_TRUE(wait_for_read());
	kill(self->client, SIGKILL);
	ASSERT_EQ(self->client, waitpid(self->client, &status, 0));
	EXPECT_EQ(0, client_works());
	fuse_abort();
	EXPECT_EQ(0, kfd_counts_settle(kfd_baseline));
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
