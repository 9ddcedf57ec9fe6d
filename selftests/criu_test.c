// SPDX-License-Identifier: GPL-2.0-only
/*
 * CRIU_OP: a process with memory of all kinds, events and a queue with work is written out
 * by one that traces it, killed, and made again in a third, where the work is done and
 * everything has its old name (S0.40); who may do that, and what is refused.
 *
 * vm: timeout=600
 */
#include "kfd_harness.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define PAGE		4096ul
#define SIZE		65536ul
#define RING		4096u
#define NOBODY		65534
#define NOWHERE		0x700000001000ull
#define MAX_BOS		16
#define PRIV_BYTES	8192
#define CONTENT_BYTES	(1ul << 20)

/* ---- the image ---- */

/**
 * struct image - a checkpoint
 * @args: as PROCESS_INFO filled them, with the arrays below
 * @device: one GPU
 * @bo: buffers
 * @priv: the driver's own
 * @contents: of buffers one after the other, and then of user memory
 */
struct image {
	struct kfd_ioctl_criu_args args;
	struct kfd_criu_device_bucket device;
	struct kfd_criu_bo_bucket bo[MAX_BOS];
	uint8_t priv[PRIV_BYTES];
	uint8_t contents[CONTENT_BYTES];
};

static int criu(int fd, struct kfd_ioctl_criu_args *args, uint32_t op)
{
	args->op = op;
	return kfd_ioctl(fd, AMDKFD_IOC_CRIU_OP, args);
}

static int criu_simple(int fd, uint32_t op)
{
	struct kfd_ioctl_criu_args args = { 0 };

	return criu(fd, &args, op);
}

static void image_arrays(struct image *im)
{
	im->args.devices = (uintptr_t)&im->device;
	im->args.bos = (uintptr_t)im->bo;
	im->args.priv_data = (uintptr_t)im->priv;
}

/* What CHECKPOINT is to be asked with. */
static int image_info(int fd, struct image *im)
{
	int ret = criu(fd, &im->args, KFD_CRIU_OP_PROCESS_INFO);

	image_arrays(im);
	if (ret)
		return ret;
	return im->args.num_devices == 1 && im->args.num_bos <= MAX_BOS &&
	       im->args.priv_data_size <= PRIV_BYTES ? 0 : -E2BIG;
}

static void *shared(size_t bytes)
{
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

/* ---- the process that is kept ---- */

/* A piece of memory that the CPU sees, and where. */
struct area {
	uint8_t *at;
	uint64_t bytes;
};

/**
 * struct world - what a process has
 * @c: its way to the GPU
 * @vram: pattern
 * @gtt: what the pending copy writes
 * @user: pattern
 * @twin: GTT that the GPU sees twice, at twin.cpu; the CPU does once, at @twin_cpu
 * @q: queue
 * @done: set by the queue
 * @manual: is set
 * @fault: of type MEMORY
 */
struct world {
	struct kfd_client c;
	struct kfd_bo vram, gtt, user, twin;
	uint8_t *twin_cpu;
	struct kfd_sdma q;
	struct kfd_event done, manual, fault;
};

static void pattern(uint8_t *p, uint64_t n, unsigned int seed)
{
	uint64_t i;

	for (i = 0; i < n; i++)
		p[i] = (i + seed) * 0x9e3779b97f4a7c15ull >> 56;
}

static bool holds(const uint8_t *p, uint64_t n, unsigned int seed)
{
	uint64_t i;

	for (i = 0; i < n; i++)
		if (p[i] != (uint8_t)((i + seed) * 0x9e3779b97f4a7c15ull >> 56))
			return false;
	return true;
}

static int make_twin(struct world *w)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args args = {
		.va_addr = (uintptr_t)kfd_va_reserve(2 * SIZE),
		.size = 2 * SIZE,
		.gpu_id = w->c.gpu_id,
		.flags = KFD_IOC_ALLOC_MEM_FLAGS_GTT | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE |
			 KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM,
	};
	int ret = kfd_ioctl(w->c.fd, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &args);

	if (ret)
		return ret;
	w->twin = (struct kfd_bo){ .handle = args.handle, .cpu = (void *)(uintptr_t)args.va_addr,
				   .size = 2 * SIZE };
	w->twin_cpu = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, w->c.drm,
			   args.mmap_offset);
	return w->twin_cpu == MAP_FAILED ? -errno : kfd_map(&w->c, args.handle);
}

static int world_memory(struct world *w)
{
	int ret = kfd_bo_vram(&w->c, SIZE, &w->vram);

	if (!ret)
		ret = kfd_bo_gtt(&w->c, SIZE, &w->gtt);
	if (!ret)
		ret = kfd_bo_user(&w->c, SIZE, &w->user);
	if (!ret)
		ret = make_twin(w);
	if (ret)
		return ret;
	pattern(w->vram.cpu, SIZE, 1);
	pattern(w->user.cpu, SIZE, 2);
	pattern(w->twin_cpu, SIZE, 3);
	return 0;
}

static int set_event(struct world *w, const struct kfd_event *e)
{
	struct kfd_ioctl_set_event_args args = { .event_id = e->id };

	return kfd_ioctl(w->c.fd, AMDKFD_IOC_SET_EVENT, &args);
}

/* With some work behind it, so that nothing stands at 0. */
static int world_make(struct world *w)
{
	int ret = kfd_client_init(&w->c, 0);

	if (!ret)
		ret = world_memory(w);
	if (!ret)
		ret = kfd_event_create(&w->c, &w->done);
	if (!ret)
		ret = kfd_event_create_type(&w->c, KFD_IOC_EVENT_SIGNAL, true, &w->manual);
	if (!ret)
		ret = kfd_event_create_type(&w->c, KFD_IOC_EVENT_MEMORY, true, &w->fault);
	if (!ret)
		ret = kfd_sdma_create_size(&w->c, &w->q, RING);
	if (!ret)
		ret = set_event(w, &w->manual);
	if (!ret)
		ret = kfd_sdma_copy_wait(&w->q, &w->done, w->gtt.cpu, w->vram.cpu, SIZE);
	return ret;
}

/* Work that a queue which is stopped has before it. */
static void world_submit(struct world *w)
{
	uint32_t words[8];

	memset(w->gtt.cpu, 0, SIZE);
	kfd_sdma_put(&w->q, words, pkt_copy(words, w->gtt.cpu, w->twin.cpu + SIZE, SIZE));
	kfd_sdma_signal(&w->q, &w->done);
	kfd_sdma_ring(&w->q);
}

static bool is_set(struct world *w, const struct kfd_event *e)
{
	uint32_t result;

	return !kfd_event_wait(&w->c, e, 0, &result) && result == KFD_IOC_WAIT_RESULT_COMPLETE;
}

static int copy(struct world *w, const void *dst, const void *src, uint64_t bytes)
{
	return kfd_sdma_copy_wait(&w->q, &w->done, dst, src, bytes);
}

/* Line of the first thing that is not as it should be; 0: all is well. */
static int world_check(struct world *w)
{
	uint32_t result;

#define WELL(what)				\
	do {					\
		if (!(what))			\
			return __LINE__;	\
	} while (0)
	WELL(!kfd_event_wait(&w->c, &w->done, KFD_TIMEOUT_MS, &result));
	WELL(result == KFD_IOC_WAIT_RESULT_COMPLETE);
	WELL(kfd_sdma_rptr(&w->q) == w->q.wptr);
	WELL(holds(w->gtt.cpu, SIZE, 3));
	WELL(holds(w->vram.cpu, SIZE, 1));
	WELL(holds(w->user.cpu, SIZE, 2));
	WELL(holds(w->twin_cpu, SIZE, 3));
	WELL(is_set(w, &w->manual));
	WELL(!is_set(w, &w->done));
	WELL(!is_set(w, &w->fault));
	/* It goes on: all memory, both views. */
	WELL(!copy(w, w->gtt.cpu, w->vram.cpu, SIZE));
	WELL(holds(w->gtt.cpu, SIZE, 1));
	WELL(!copy(w, w->vram.cpu, w->user.cpu, SIZE));
	WELL(holds(w->vram.cpu, SIZE, 2));
	WELL(!copy(w, w->user.cpu, w->twin.cpu, SIZE));
	WELL(holds(w->user.cpu, SIZE, 3));
	WELL(!copy(w, w->twin.cpu + SIZE / 2, w->vram.cpu, SIZE));
	WELL(!memcmp(w->twin_cpu + SIZE / 2, w->vram.cpu, SIZE / 2));
	WELL(!memcmp(w->twin_cpu, w->vram.cpu + SIZE / 2, SIZE / 2));
	/* The old names are the names. */
	WELL(!kfd_sdma_destroy(&w->q));
	WELL(!kfd_sdma_create_size(&w->c, &w->q, RING));
	WELL(!copy(w, w->gtt.cpu, w->user.cpu, SIZE));
	WELL(holds(w->gtt.cpu, SIZE, 3));
	WELL(!kfd_sdma_destroy(&w->q));
	WELL(!kfd_event_destroy(&w->c, &w->done));
	WELL(!kfd_event_destroy(&w->c, &w->fault));
	WELL(!kfd_bo_free(&w->c, &w->vram));
	WELL(!kfd_bo_free(&w->c, &w->user));
	WELL(!kfd_unmap(&w->c, w->twin.handle));
#undef WELL
	return 0;
}

/* Stopping is counted once, whoever asks how often; what was rung meanwhile is done after it. */
TEST(stopped_meanwhile)
{
	struct image *im = shared(sizeof(*im));
	struct world w = { };
	char line[KFD_SMI_EVENT_MSG_SIZE];
	int smi;

	if (access("/dev/kfd", F_OK))
		SKIP(return, "no /dev/kfd");
	ASSERT_EQ(0, world_make(&w));
	smi = kfd_smi_open(&w.c, KFD_SMI_EVENT_MASK_FROM_INDEX(KFD_SMI_EVENT_QUEUE_EVICTION) |
				 KFD_SMI_EVENT_MASK_FROM_INDEX(KFD_SMI_EVENT_QUEUE_RESTORE));
	ASSERT_LE(0, smi);
	EXPECT_EQ(-EINVAL, criu_simple(w.c.fd, KFD_CRIU_OP_UNPAUSE));
	ASSERT_EQ(0, image_info(w.c.fd, im));
	EXPECT_EQ((uint32_t)getpid(), im->args.pid);
	EXPECT_EQ(1, im->args.num_devices);
	/* The four, the ring, the pointers and the event page; a queue and three events. */
	EXPECT_EQ(7, im->args.num_bos);
	EXPECT_EQ(4, im->args.num_objects);
	ASSERT_EQ(0, image_info(w.c.fd, im));
	world_submit(&w);
	ASSERT_EQ(0, criu_simple(w.c.fd, KFD_CRIU_OP_UNPAUSE));
	EXPECT_EQ(0, world_check(&w));
	EXPECT_EQ(-EINVAL, criu_simple(w.c.fd, KFD_CRIU_OP_UNPAUSE));
	ASSERT_EQ(0, kfd_smi_line(smi, line));
	EXPECT_STREQ(" 4", strrchr(line, ' '));
	ASSERT_EQ(0, kfd_smi_line(smi, line));
	EXPECT_EQ('a', line[0]);
	close(smi);
	kfd_client_close(&w.c);
}

/* ---- the whole way ---- */

/**
 * struct play - what the three processes share
 * @w: of the process that is kept, then of the one that is made from it
 * @im: the image
 * @failed: line or errno of what went wrong in a child
 */
struct play {
	struct world w;
	struct image im;
	int failed;
};

static void user_areas(const struct world *w, struct area a[3])
{
	a[0] = (struct area){ w->user.cpu, w->user.size };
	a[1] = (struct area){ w->q.ring.cpu, w->q.ring.size };
	a[2] = (struct area){ w->q.ptrs.cpu, w->q.ptrs.size };
}

static bool say(int fd)
{
	return write(fd, "", 1) == 1;
}

static bool hear(int fd)
{
	char byte;

	return read(fd, &byte, 1) == 1;
}

/* Makes its world, lends its descriptor, submits while it is stopped, and waits to be killed. */
static void kept_main(struct play *play, int peer)
{
	play->failed = world_make(&play->w);
	if (play->failed || kfd_send_fd(peer, play->w.c.fd, 0) || !hear(peer))
		_exit(1);
	world_submit(&play->w);
	if (!say(peer))
		_exit(2);
	for (;;)
		pause();
}

/* Contents of all buffers that have any, through their dma-bufs, and @in or out. */
static int contents(struct image *im, bool in, uint64_t *at)
{
	unsigned int i;

	for (i = 0; i < im->args.num_bos; i++) {
		uint64_t bytes = im->bo[i].size;
		uint8_t *p;

		if (im->bo[i].dmabuf_fd == KFD_INVALID_FD)
			continue;
		p = mmap(NULL, bytes, PROT_READ | (in ? PROT_WRITE : 0), MAP_SHARED,
			 im->bo[i].dmabuf_fd, 0);
		if (p == MAP_FAILED || *at + bytes > CONTENT_BYTES)
			return -EIO;
		if (in)
			memcpy(p, im->contents + *at, bytes);
		else
			memcpy(im->contents + *at, p, bytes);
		*at += bytes;
		munmap(p, bytes);
		close(im->bo[i].dmabuf_fd);
	}
	return 0;
}

/* Not by process_vm_readv(), which a kernel may lack. */
static int save_user(struct play *play, pid_t pid, uint64_t at)
{
	struct area a[3];
	char path[32];
	unsigned int i;
	int fd, ret = 0;

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	user_areas(&play->w, a);
	for (i = 0; i < 3 && !ret; i++) {
		ssize_t n = pread(fd, play->im.contents + at, a[i].bytes, (uintptr_t)a[i].at);

		if (n != (ssize_t)a[i].bytes)
			ret = -EIO;
		at += a[i].bytes;
	}
	close(fd);
	return ret;
}

static int take(struct play *play, pid_t pid, int fd)
{
	uint64_t at = 0;
	int ret = criu(fd, &play->im.args, KFD_CRIU_OP_CHECKPOINT);

	if (!ret)
		ret = contents(&play->im, false, &at);
	return ret ? ret : save_user(play, pid, at);
}

static int map_again(void *at, uint64_t bytes, int flags, int fd, uint64_t offset)
{
	void *p;

	/* The address space that the GPU's name reserves is there no more. */
	p = mmap(at, bytes, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE, fd, offset);
	return p == at ? 0 : p == MAP_FAILED ? -errno : -EEXIST;
}

static uint64_t restored_offset(const struct image *im, const struct kfd_bo *bo)
{
	unsigned int i;

	for (i = 0; i < im->args.num_bos; i++)
		if (im->bo[i].addr == (uintptr_t)bo->cpu)
			return im->bo[i].restored_offset;
	return 0;
}

static int restore_user(struct play *play, uint64_t at)
{
	struct area a[3];
	unsigned int i;
	int ret;

	user_areas(&play->w, a);
	for (i = 0; i < 3; i++) {
		ret = map_again(a[i].at, a[i].bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (ret)
			return ret;
		madvise(a[i].at, a[i].bytes, MADV_DONTFORK);
		memcpy(a[i].at, play->im.contents + at, a[i].bytes);
		at += a[i].bytes;
	}
	return 0;
}

static int restore_views(struct play *play)
{
	struct world *w = &play->w;
	struct kfd_bo page = { .cpu = (uint8_t *)w->c.event_page };
	uint64_t page_offset = restored_offset(&play->im, &page);
	uint64_t twin = restored_offset(&play->im, &w->twin);
	int ret = map_again(w->vram.cpu, SIZE, MAP_SHARED, w->c.drm,
			    restored_offset(&play->im, &w->vram));

	if (!ret)
		ret = map_again(w->gtt.cpu, SIZE, MAP_SHARED, w->c.drm,
				restored_offset(&play->im, &w->gtt));
	if (!ret)
		ret = map_again(w->twin_cpu, SIZE, MAP_SHARED, w->c.drm, twin);
	if (!ret)
		ret = map_again(w->c.event_page, KFD_EVENT_PAGE_SIZE, MAP_SHARED, w->c.drm,
				page_offset);
	if (!ret)
		ret = map_again(w->c.doorbells, KFD_DOORBELL_SLICE, MAP_SHARED, w->c.fd,
				w->q.doorbell_offset & ~(KFD_DOORBELL_SLICE - 1ull));
	return ret;
}

static int restore_open(struct play *play)
{
	struct world *w = &play->w;
	struct kfd_client c;
	char path[64];
	int ret = kfd_client_open(&c, 0);

	if (ret)
		return ret;
	snprintf(path, sizeof(path), "/dev/dri/renderD%u", c.minor);
	w->c.fd = c.fd;
	w->c.drm = open(path, O_RDWR | O_CLOEXEC);
	play->im.device.drm_fd = w->c.drm;
	return w->c.drm < 0 ? -errno : 0;
}

/* User memory comes after the driver was told of it, as it does in a real restore. */
static int restore(struct play *play)
{
	uint64_t at = 0;
	int ret = restore_open(play);

	image_arrays(&play->im);
	if (!ret)
		ret = criu(play->w.c.fd, &play->im.args, KFD_CRIU_OP_RESTORE);
	if (!ret)
		ret = contents(&play->im, true, &at);
	if (!ret)
		ret = restore_user(play, at);
	return ret ? ret : restore_views(play);
}

static void restored_main(struct play *play, int peer)
{
	/* The pointer is of the process that was kept: the same in all three. */
	play->failed = restore(play);
	if (play->failed || !say(peer) || !hear(peer))
		_exit(1);
	play->failed = world_check(&play->w);
	_exit(play->failed ? 2 : 0);
}

static pid_t child(struct play *play, void (*main)(struct play *play, int peer), int *peer)
{
	int pair[2];
	pid_t pid;

	*peer = -1;
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		return -1;
	pid = fork();
	if (!pid) {
		close(pair[0]);
		main(play, pair[1]);
	}
	close(pair[1]);
	*peer = pair[0];
	return pid;
}

/* Taken and killed: nothing of it is left but the image. */
static int keep(struct play *play)
{
	uint32_t tag;
	int peer, fd, ret;
	pid_t pid = child(play, kept_main, &peer);

	fd = kfd_receive_fd(peer, &tag);
	if (fd < 0)
		return -EPIPE;
	if (ptrace(PTRACE_SEIZE, pid, 0, 0))
		return -errno;
	ret = image_info(fd, &play->im);
	if (!ret && (!say(peer) || !hear(peer)))
		ret = -EPIPE;
	if (!ret && (ptrace(PTRACE_INTERRUPT, pid, 0, 0) || waitpid(pid, NULL, 0) != pid))
		ret = -errno;
	if (!ret && play->im.args.pid != (uint32_t)pid)
		ret = -ESTALE;
	if (!ret)
		ret = take(play, pid, fd);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(fd);
	close(peer);
	return ret;
}

static int make_again(struct play *play, int fd)
{
	struct kfd_ioctl_criu_args resume = { 0 };
	int peer, status, ret = 0;
	pid_t pid = child(play, restored_main, &peer);

	if (!hear(peer)) {
		waitpid(pid, NULL, 0);
		return -EPIPE;
	}
	resume.pid = pid;
	ret = criu(fd, &resume, KFD_CRIU_OP_RESUME);
	/* Once is enough. */
	if (!ret && criu(fd, &resume, KFD_CRIU_OP_RESUME) != -EINVAL)
		ret = -EEXIST;
	say(peer);
	waitpid(pid, &status, 0);
	close(peer);
	return ret ? ret : status;
}

/* Twice from one image: it is not used up. */
TEST(checkpoint_and_restore)
{
	struct play *play = shared(sizeof(*play));
	struct kfd_client c;
	struct world kept;

	if (access("/dev/kfd", F_OK))
		SKIP(return, "no /dev/kfd");
	ASSERT_EQ(0, kfd_client_open(&c, 0));
	ASSERT_EQ(0, keep(play)) TH_LOG("%d", play->failed);
	EXPECT_EQ(7, play->im.args.num_bos);
	kept = play->w;
	EXPECT_EQ(0, make_again(play, c.fd)) TH_LOG("%d", play->failed);
	play->w = kept;
	EXPECT_EQ(0, make_again(play, c.fd)) TH_LOG("%d", play->failed);
	close(c.fd);
}

/* ---- refusals ---- */

FIXTURE(kept) {
	struct world w;
	struct image *im;
	long long open_fds;
};

static long long count_fds(void)
{
	long long n = 0;
	int fd;

	for (fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

FIXTURE_SETUP(kept)
{
	if (access("/dev/kfd", F_OK))
		SKIP(return, "no /dev/kfd");
	self->im = shared(sizeof(*self->im));
	ASSERT_EQ(0, world_make(&self->w));
	self->open_fds = count_fds();
}

FIXTURE_TEARDOWN(kept)
{
	kfd_client_close(&self->w.c);
}

static int checkpoint(FIXTURE_DATA(kept) *t, struct kfd_ioctl_criu_args args)
{
	return criu(t->w.c.fd, &args, KFD_CRIU_OP_CHECKPOINT);
}

TEST_F(kept, checkpoint_refusals)
{
	struct kfd_ioctl_criu_args good, a;
	struct kfd_ioctl_criu_args none = { .devices = 1, .bos = 1, .priv_data = 1 };

	EXPECT_EQ(-EINVAL, criu_simple(self->w.c.fd, 5));
	EXPECT_EQ(-EINVAL, checkpoint(self, none));
	ASSERT_EQ(0, image_info(self->w.c.fd, self->im));
	good = self->im->args;
#define REFUSED(err, change)				\
	do {						\
		a = good;				\
		change;					\
		EXPECT_EQ(err, checkpoint(self, a));	\
	} while (0)
	REFUSED(-EINVAL, a.devices = 0);
	REFUSED(-EINVAL, a.bos = 0);
	REFUSED(-EINVAL, a.priv_data = 0);
	REFUSED(-EINVAL, a.num_devices++);
	REFUSED(-EINVAL, a.num_bos--);
	REFUSED(-EINVAL, a.num_bos = ~0u);
	REFUSED(-EINVAL, a.num_objects++);
	REFUSED(-EINVAL, a.priv_data_size -= 8);
	REFUSED(-EINVAL, a.priv_data_size = ~0ull);
	REFUSED(-EFAULT, a.devices = NOWHERE);
	REFUSED(-EFAULT, a.bos = NOWHERE);
	REFUSED(-EFAULT, a.priv_data = NOWHERE);
	EXPECT_EQ(self->open_fds, count_fds());
	EXPECT_EQ(0, checkpoint(self, good));
	/* VRAM, GTT, the twin and the event page have contents. */
	EXPECT_EQ(self->open_fds + 4, count_fds());
	ASSERT_EQ(0, kfd_event_destroy(&self->w.c, &self->w.fault));
	EXPECT_EQ(-EINVAL, checkpoint(self, good));
	EXPECT_EQ(0, criu_simple(self->w.c.fd, KFD_CRIU_OP_UNPAUSE));
	EXPECT_EQ(-EINVAL, checkpoint(self, good));
}

/* No descriptor left: nothing is left over of those that there were. */
TEST_F(kept, no_descriptors)
{
	struct rlimit limit, old;

	ASSERT_EQ(0, image_info(self->w.c.fd, self->im));
	ASSERT_EQ(0, getrlimit(RLIMIT_NOFILE, &old));
	limit = old;
	limit.rlim_cur = self->w.c.drm + 3;
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
	EXPECT_EQ(-EMFILE, checkpoint(self, self->im->args));
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &old));
	EXPECT_EQ(self->open_fds, count_fds());
	EXPECT_EQ(0, criu_simple(self->w.c.fd, KFD_CRIU_OP_UNPAUSE));
}

/* Memory that others have as well is not torn apart; the process goes on. */
TEST_F(kept, imported_buffers)
{
	struct kfd_bo imported;
	int fd = kfd_bo_export(&self->w.c, self->w.gtt.handle);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, kfd_bo_import(&self->w.c, fd, &imported));
	EXPECT_EQ(-EOPNOTSUPP, image_info(self->w.c.fd, self->im));
	EXPECT_EQ(-EINVAL, criu_simple(self->w.c.fd, KFD_CRIU_OP_UNPAUSE));
	EXPECT_EQ(0, copy(&self->w, self->w.gtt.cpu, self->w.vram.cpu, SIZE));
	ASSERT_EQ(0, kfd_bo_free(&self->w.c, &imported));
	EXPECT_EQ(0, image_info(self->w.c.fd, self->im));
	EXPECT_EQ(0, criu_simple(self->w.c.fd, KFD_CRIU_OP_UNPAUSE));
	close(fd);
}

/* Runs @main in a child; its exit status. */
static int in_child(FIXTURE_DATA(kept) *t, int (*main)(FIXTURE_DATA(kept) *t))
{
	int status = -1;
	pid_t pid = fork();

	if (!pid)
		_exit(main(t));
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int stranger_main(FIXTURE_DATA(kept) *t)
{
	struct kfd_ioctl_criu_args args = { 0 };

	return criu(t->w.c.fd, &args, KFD_CRIU_OP_PROCESS_INFO) == -EBADF ? 0 : 1;
}

static int unprivileged_main(FIXTURE_DATA(kept) *t)
{
	struct kfd_client c;
	unsigned int op;

	(void)t;
	if (kfd_client_open(&c, 0) || setgid(NOBODY) || setuid(NOBODY))
		return 2;
	for (op = 0; op < 6; op++)
		if (criu_simple(c.fd, op) != -EACCES)
			return 3;
	return 0;
}

/* Who traces may take a checkpoint, and no more than that. */
static int tracer_main(FIXTURE_DATA(kept) *t)
{
	struct kfd_ioctl_get_version_args version;
	struct kfd_ioctl_criu_args args = { 0 };
	pid_t pid = getppid();
	int fd = t->w.c.fd, ret = 0;

	if (ptrace(PTRACE_SEIZE, pid, 0, 0))
		return 2;
	if (criu(fd, &args, KFD_CRIU_OP_PROCESS_INFO) || args.pid != (uint32_t)pid)
		ret = 3;
	else if (criu(fd, &args, KFD_CRIU_OP_UNPAUSE))
		ret = 4;
	else if (criu(fd, &args, KFD_CRIU_OP_RESTORE) != -EBADF)
		ret = 5;
	else if (kfd_ioctl(fd, AMDKFD_IOC_GET_VERSION, &version) != -EBADF)
		ret = 6;
	return ret;
}

TEST_F(kept, who_may)
{
	struct kfd_ioctl_criu_args args = { .pid = 0x3fffff };

	EXPECT_EQ(0, in_child(self, stranger_main));
	EXPECT_EQ(0, in_child(self, unprivileged_main));
	EXPECT_EQ(0, in_child(self, tracer_main));
	EXPECT_EQ(-ESRCH, criu(self->w.c.fd, &args, KFD_CRIU_OP_RESUME));
	/* One that has no descriptor, and one that was not restored. */
	args.pid = getppid();
	EXPECT_EQ(-ESRCH, criu(self->w.c.fd, &args, KFD_CRIU_OP_RESUME));
	args.pid = getpid();
	EXPECT_EQ(-EINVAL, criu(self->w.c.fd, &args, KFD_CRIU_OP_RESUME));
}

/* RESTORE of the image in a new process: its errno as an exit status. */
static int restore_main(FIXTURE_DATA(kept) *t)
{
	struct kfd_client c;
	char path[64];

	if (kfd_client_open(&c, 0))
		return 200;
	snprintf(path, sizeof(path), "/dev/dri/renderD%u", c.minor);
	/* 0: the row breaks it. */
	if (t->im->device.drm_fd)
		t->im->device.drm_fd = open(path, O_RDWR | O_CLOEXEC);
	return -criu(c.fd, &t->im->args, KFD_CRIU_OP_RESTORE);
}

static int bound_main(FIXTURE_DATA(kept) *t)
{
	struct kfd_client c;

	if (kfd_client_init(&c, 0))
		return 200;
	t->im->device.drm_fd = c.drm;
	return -criu(c.fd, &t->im->args, KFD_CRIU_OP_RESTORE);
}

static int kept_image(FIXTURE_DATA(kept) *t)
{
	unsigned int i;
	int ret = image_info(t->w.c.fd, t->im);

	if (!ret)
		ret = checkpoint(t, t->im->args);
	for (i = 0; !ret && i < t->im->args.num_bos; i++)
		if (t->im->bo[i].dmabuf_fd != KFD_INVALID_FD)
			close(t->im->bo[i].dmabuf_fd);
	t->im->device.drm_fd = 1;
	return ret;
}

TEST_F_TIMEOUT(kept, restore_refusals, 300)
{
	struct image good;
	struct image *im = self->im;

	ASSERT_EQ(0, kept_image(self));
	good = *im;
#define RESTORED(err, change)						\
	do {								\
		*im = good;						\
		change;							\
		EXPECT_EQ(err, in_child(self, restore_main));		\
	} while (0)
	RESTORED(0, (void)0);
	RESTORED(EINVAL, im->args.devices = 0);
	RESTORED(EINVAL, im->args.bos = 0);
	RESTORED(EINVAL, im->args.priv_data = 0);
	RESTORED(EINVAL, im->args.priv_data_size = 0);
	RESTORED(EINVAL, im->args.num_devices = 0);
	RESTORED(EINVAL, im->args.num_devices = 2);
	RESTORED(EINVAL, im->args.num_bos--);
	RESTORED(ENODEV, im->args.num_bos++);
	RESTORED(EINVAL, im->args.num_objects++);
	RESTORED(EINVAL, im->args.num_objects--);
	RESTORED(EINVAL, im->args.priv_data_size--);
	RESTORED(EINVAL, im->args.priv_data_size++);
	RESTORED(EFAULT, im->args.devices = NOWHERE);
	RESTORED(EFAULT, im->args.bos = NOWHERE);
	RESTORED(EFAULT, im->args.priv_data = NOWHERE);
	/* Another driver's version, another GPU, a descriptor that is no render node. */
	RESTORED(EINVAL, im->priv[0] ^= 1);
	RESTORED(EINVAL, im->device.user_gpu_id ^= 1);
	RESTORED(EINVAL, im->device.actual_gpu_id ^= 1);
	RESTORED(EINVAL, im->device.drm_fd = 0);
	RESTORED(ENODEV, im->bo[0].gpu_id ^= 1);
	RESTORED(EINVAL, im->bo[0].alloc_flags = 0);
	RESTORED(EINVAL, im->bo[0].size++);
	RESTORED(EINVAL, im->bo[0].addr++);
	*im = good;
	EXPECT_EQ(EINVAL, in_child(self, bound_main));
	EXPECT_EQ(0, criu_simple(self->w.c.fd, KFD_CRIU_OP_UNPAUSE));
}

/* Whatever stands in an image: the driver bears it. */
TEST_F_TIMEOUT(kept, spoiled_images, 400)
{
	struct image *im = self->im;
	uint32_t *word;
	unsigned int i, n;

	ASSERT_EQ(0, kept_image(self));
	n = im->args.priv_data_size / sizeof(*word);
	/* Every third word: that is one of each pair of halves, and time is short. */
	for (i = 0; i < n; i += 3) {
		word = (uint32_t *)im->priv + i;
		*word ^= i & 1 ? 0xffffffff : 0x11;
		EXPECT_LE(0, in_child(self, restore_main));
		*word ^= i & 1 ? 0xffffffff : 0x11;
	}
	EXPECT_EQ(0, criu_simple(self->w.c.fd, KFD_CRIU_OP_UNPAUSE));
	EXPECT_EQ(0, copy(&self->w, self->w.gtt.cpu, self->w.vram.cpu, SIZE));
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
