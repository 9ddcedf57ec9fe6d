// SPDX-License-Identifier: GPL-2.0-only
/*
 * Under a device cgroup that shows one of two GPUs, of either version, the other one
 * does not exist: its files cannot be read, no command takes its number, a descriptor of
 * it that came from outside is of no use (S0.61; B019, B101).
 *
 * vm: modules="carillon_vgpu gpus=vega10:cu=4+vega10:cu=4;carillon" timeout=600
 */
#include "kfd_harness.h"

#include "cgroup.h"
#include <linux/bpf.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define DRM_MAJOR	226
#define TOPOLOGY	"/sys/devices/virtual/kfd/kfd/topology/nodes"
#define PAGE		4096ul

/**
 * struct gpus - seen from outside of the group
 * @shown: client of the GPU that the group may use
 * @hidden: and of the other one
 * @fd: open render node of the hidden one
 */
struct gpus {
	struct kfd_client shown, hidden;
	int fd;
};

FIXTURE(devcgroup) {
	struct cgroup group;
	struct gpus gpus;
};

FIXTURE_VARIANT(devcgroup) {
	int version;
};

FIXTURE_VARIANT_ADD(devcgroup, v1) { .version = 1 };
FIXTURE_VARIANT_ADD(devcgroup, v2) { .version = 2 };

static int bpf(int cmd, union bpf_attr *attr)
{
	int ret = syscall(SYS_bpf, cmd, attr, sizeof(*attr));

	return ret < 0 ? -errno : ret;
}

#define INSN(c, d, s, o, i) { .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) }

/* Every device but the character device DRM_MAJOR:@minor. */
static int bpf_hide(const struct cgroup *g, unsigned int minor)
{
	struct bpf_insn program[] = {
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 1),
		INSN(BPF_LDX | BPF_MEM | BPF_W, BPF_REG_2, BPF_REG_1, 4, 0),
		INSN(BPF_JMP | BPF_JNE | BPF_K, BPF_REG_2, 0, 3, DRM_MAJOR),
		INSN(BPF_LDX | BPF_MEM | BPF_W, BPF_REG_3, BPF_REG_1, 8, 0),
		INSN(BPF_JMP | BPF_JNE | BPF_K, BPF_REG_3, 0, 1, minor),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_CGROUP_DEVICE,
		.insns = (uintptr_t)program,
		.insn_cnt = ARRAY_SIZE(program),
		.license = (uintptr_t)"GPL",
	};
	int prog = bpf(BPF_PROG_LOAD, &attr), ret;

	if (prog < 0)
		return prog;
	memset(&attr, 0, sizeof(attr));
	attr.target_fd = open(g->dir, O_RDONLY | O_DIRECTORY);
	attr.attach_bpf_fd = prog;
	attr.attach_type = BPF_CGROUP_DEVICE;
	ret = bpf(BPF_PROG_ATTACH, &attr);
	close(attr.target_fd);
	close(prog);
	return ret;
}

static int hide(struct cgroup *g, int version, unsigned int minor)
{
	char text[32];
	int ret;

	if (version == 2) {
		ret = cgroup_begin(g, "cgroup2", NULL, NULL);
		return ret ? ret : bpf_hide(g, minor);
	}
	snprintf(text, sizeof(text), "c %d:%u rwm", DRM_MAJOR, minor);
	ret = cgroup_begin(g, "cgroup", "devices", NULL);
	return ret ? ret : cgroup_write(g, "devices.deny", text);
}

FIXTURE_SETUP(devcgroup)
{
	char path[64];
	int ret;

	if (kfd_num_nodes() < 3)
		SKIP(return, "fewer than two GPUs");
	ASSERT_EQ(0, kfd_client_open(&self->gpus.shown, 0));
	ASSERT_EQ(0, kfd_client_open(&self->gpus.hidden, 1));
	snprintf(path, sizeof(path), "/dev/dri/renderD%u", self->gpus.hidden.minor);
	self->gpus.fd = open(path, O_RDWR);
	ASSERT_LE(0, self->gpus.fd);
	ret = hide(&self->group, variant->version, self->gpus.hidden.minor);
	if (ret)
		SKIP(return, "no such device cgroup: %s", strerror(-ret));
}

FIXTURE_TEARDOWN(devcgroup)
{
	cgroup_end(&self->group);
	if (self->gpus.fd > 0)
		close(self->gpus.fd);
	kfd_client_close(&self->gpus.shown);
	kfd_client_close(&self->gpus.hidden);
}

/* In a child in the group; it returns 0 or the line of what it found wrong. */
static int in_group(FIXTURE_DATA(devcgroup) *self, int (*fn)(const struct gpus *gpus))
{
	int go[2], status, ret;
	char byte;
	pid_t pid;

	if (pipe(go))
		return -errno;
	pid = fork();
	if (!pid) {
		int line;

		close(go[1]);
		if (read(go[0], &byte, 1) != 1)
			_exit(255);
		line = fn(&self->gpus);
		if (line) {
			printf("# line %d\n", line);
			fflush(stdout);
		}
		_exit(line ? 1 : 0);
	}
	close(go[0]);
	ret = cgroup_add(&self->group, pid);
	if (!ret && write(go[1], "x", 1) != 1)
		ret = -EIO;
	close(go[1]);
	if (waitpid(pid, &status, 0) != pid || ret)
		return -1;
	return status;
}

#define CHECK(condition) do { if (!(condition)) return __LINE__; } while (0)

static int read_errno(const char *fmt, unsigned int node, unsigned int record)
{
	char path[192], text[4096];
	int fd, ret;

	snprintf(path, sizeof(path), fmt, node, record);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return -errno;
	ret = read(fd, text, sizeof(text)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

static int check_files(const struct gpus *gpus)
{
	static const char *const files[] = {
		TOPOLOGY "/%u/gpu_id", TOPOLOGY "/%u/name", TOPOLOGY "/%u/properties",
		TOPOLOGY "/%u/mem_banks/%u/properties", TOPOLOGY "/%u/caches/%u/properties",
		TOPOLOGY "/%u/io_links/%u/properties",
	};
	unsigned int i, hidden = gpus->hidden.node, shown = gpus->shown.node;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		CHECK(read_errno(files[i], hidden, 0) == -EPERM);
		CHECK(read_errno(files[i], shown, 0) == 0);
		CHECK(i == 4 || read_errno(files[i], 0, 0) == 0);
	}
	return 0;
}

TEST_F(devcgroup, b101_files)
{
	EXPECT_EQ(0, in_group(self, check_files));
}

static int acquire(int kfd, uint32_t gpu_id, int drm)
{
	struct kfd_ioctl_acquire_vm_args args = { .gpu_id = gpu_id, .drm_fd = drm };

	return kfd_ioctl(kfd, AMDKFD_IOC_ACQUIRE_VM, &args);
}

static int alloc(int kfd, uint32_t gpu_id, uint32_t kind)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args a = {
		.va_addr = (uintptr_t)kfd_va_reserve(2 * PAGE),
		.size = 2 * PAGE,
		.gpu_id = gpu_id,
		.flags = kind,
	};

	return kfd_ioctl(kfd, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &a);
}

static int check_numbers(const struct gpus *gpus)
{
	struct kfd_ioctl_get_process_apertures_args ap = { 0 };
	struct kfd_ioctl_get_clock_counters_args clock = { 0 };
	struct kfd_ioctl_set_memory_policy_args policy = { 0 };
	struct kfd_ioctl_create_queue_args queue = {
		.queue_type = KFD_IOC_QUEUE_TYPE_SDMA, .queue_percentage = 100,
	};
	struct kfd_ioctl_map_memory_to_gpu_args map = { .n_devices = 1 };
	uint32_t hidden = gpus->hidden.gpu_id;
	struct kfd_client c;
	struct kfd_bo bo;

	CHECK(!kfd_client_init(&c, 0));
	CHECK(c.gpu_id == gpus->shown.gpu_id);
	CHECK(kfd_client_open(&(struct kfd_client){ 0 }, 1) == -ENODEV);
	CHECK(acquire(c.fd, hidden, c.drm) == -EINVAL);
	CHECK(acquire(c.fd, hidden, gpus->fd) == -EINVAL);
	CHECK(alloc(c.fd, hidden, KFD_IOC_ALLOC_MEM_FLAGS_VRAM) == -EINVAL);
	CHECK(alloc(c.fd, hidden, KFD_IOC_ALLOC_MEM_FLAGS_GTT) == -EINVAL);
	CHECK(alloc(c.fd, hidden, KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL) == -EINVAL);
	CHECK(!kfd_bo_gtt(&c, PAGE, &bo));
	map.handle = bo.handle;
	map.device_ids_array_ptr = (uintptr_t)&hidden;
	CHECK(kfd_ioctl(c.fd, AMDKFD_IOC_MAP_MEMORY_TO_GPU, &map) == -EINVAL);
	queue.gpu_id = hidden;
	CHECK(kfd_ioctl(c.fd, AMDKFD_IOC_CREATE_QUEUE, &queue) == -EINVAL);
	policy.gpu_id = hidden;
	CHECK(kfd_ioctl(c.fd, AMDKFD_IOC_SET_MEMORY_POLICY, &policy) == -EINVAL);
	clock.gpu_id = hidden;
	CHECK(!kfd_ioctl(c.fd, AMDKFD_IOC_GET_CLOCK_COUNTERS, &clock));
	CHECK(!clock.gpu_clock_counter);
	CHECK(!kfd_ioctl(c.fd, AMDKFD_IOC_GET_PROCESS_APERTURES, &ap));
	CHECK(ap.num_of_nodes == 1 && ap.process_apertures[0].gpu_id == c.gpu_id);
	CHECK(mmap(NULL, KFD_DOORBELL_SLICE, PROT_WRITE, MAP_SHARED, c.fd,
		   3ull << 62 | (uint64_t)hidden << 46) == MAP_FAILED && errno == ENODEV);
	return 0;
}

TEST_F(devcgroup, b101_commands)
{
	EXPECT_EQ(0, in_group(self, check_numbers));
}

/* Of the hidden GPU, exported outside of the group. */
static int hidden_buffer;

static int check_dma_buf(const struct gpus *gpus)
{
	struct kfd_ioctl_get_dmabuf_info_args info = { .dmabuf_fd = hidden_buffer };
	struct kfd_ioctl_import_dmabuf_args import = { .dmabuf_fd = hidden_buffer };
	struct kfd_client c;

	CHECK(!kfd_client_init(&c, 0));
	CHECK(kfd_ioctl(c.fd, AMDKFD_IOC_GET_DMABUF_INFO, &info) == -EINVAL && !info.gpu_id);
	import.gpu_id = gpus->hidden.gpu_id;
	CHECK(kfd_ioctl(c.fd, AMDKFD_IOC_IMPORT_DMABUF, &import) == -EINVAL);
	import.gpu_id = c.gpu_id;
	CHECK(kfd_ioctl(c.fd, AMDKFD_IOC_IMPORT_DMABUF, &import) == -EINVAL);
	return 0;
}

/* B101: a buffer's descriptor does not open the GPU that has it. */
TEST_F(devcgroup, b101_dma_buf)
{
	struct kfd_ioctl_acquire_vm_args args = {
		.gpu_id = self->gpus.hidden.gpu_id, .drm_fd = self->gpus.fd,
	};
	struct kfd_bo bo;

	ASSERT_EQ(0, kfd_ioctl(self->gpus.hidden.fd, AMDKFD_IOC_ACQUIRE_VM, &args));
	ASSERT_EQ(0, kfd_bo_alloc(&self->gpus.hidden, PAGE, KFD_IOC_ALLOC_MEM_FLAGS_VRAM, &bo));
	hidden_buffer = kfd_bo_export(&self->gpus.hidden, bo.handle);
	ASSERT_LE(0, hidden_buffer);
	EXPECT_EQ(0, in_group(self, check_dma_buf));
	close(hidden_buffer);
	EXPECT_EQ(0, kfd_bo_free(&self->gpus.hidden, &bo));
}

/* GPUs that the driver has this process attached to; -1 without debugfs. */
static int attached(uint32_t gpu_id)
{
	FILE *f = fopen("/sys/kernel/debug/carillon/processes", "r");
	char line[512];
	unsigned int id;
	int pid, n = 0;

	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f))
		n += sscanf(line, " pid %d gpu_id %u", &pid, &id) == 2 && pid == getpid() &&
		     id == gpu_id;
	fclose(f);
	return n;
}

static int check_attached(const struct gpus *gpus)
{
	struct kfd_client c;

	CHECK(!kfd_client_init(&c, 0));
	CHECK(attached(gpus->shown.gpu_id) == 1);
	CHECK(attached(gpus->hidden.gpu_id) == 0);
	return 0;
}

/* B019: what a process does not see is not concerned with it, either. */
TEST_F(devcgroup, b019_not_attached)
{
	if (attached(0) < 0)
		SKIP(return, "no debugfs");
	EXPECT_EQ(0, in_group(self, check_attached));
}

static int check_nodes(const struct gpus *gpus)
{
	char path[64];

	snprintf(path, sizeof(path), "/dev/dri/renderD%u", gpus->hidden.minor);
	CHECK(open(path, O_RDWR) == -1 && errno == EPERM);
	snprintf(path, sizeof(path), "/dev/dri/renderD%u", gpus->shown.minor);
	CHECK(open(path, O_RDWR) >= 0);
	return 0;
}

TEST_F(devcgroup, render_nodes)
{
	EXPECT_EQ(0, in_group(self, check_nodes));
}

/* What is shown works. */
static int check_copy(const struct gpus *gpus)
{
	struct kfd_client c;
	struct kfd_event e;
	struct kfd_sdma q;
	struct kfd_bo a, b;

	CHECK(!kfd_client_init(&c, 0));
	CHECK(!kfd_bo_user(&c, 65536, &a) && !kfd_bo_vram(&c, 65536, &b));
	CHECK(!kfd_event_create(&c, &e) && !kfd_sdma_create(&c, &q));
	memset(a.cpu, 0x42, a.size);
	CHECK(!kfd_sdma_copy_wait(&q, &e, b.cpu, a.cpu, a.size));
	CHECK(!memcmp(a.cpu, b.cpu, a.size));
	return 0;
}

TEST_F(devcgroup, the_other_works)
{
	EXPECT_EQ(0, in_group(self, check_copy));
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
