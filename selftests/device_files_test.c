// SPDX-License-Identifier: GPL-2.0-only
/*
 * The files that tools read: those beside the render node, the hwmon, proc/ of the kfd
 * device, fdinfo.  Their values follow what processes do (S0.4, S0.95), each GPU has its
 * own, anybody may read them, and they go before what they look at (S0.36).
 *
 * vm: modules="carillon_vgpu gpus=vega10:cu=4+vega10:cu=4;carillon" timeout=600
 */
#include "kfd_harness.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define PROC	"/sys/class/kfd/kfd/proc"
#define DRIVER	"/sys/bus/pci/drivers/carillon"
#define NOBODY	65534
#define SIZE	(64ull << 20)
#define READERS	4
#define ROUNDS	3
#define TEXT	256

/* Text of a file, without a newline at its end; 0 or -errno. */
static int read_text(const char *path, char *text)
{
	int fd = open(path, O_RDONLY);
	ssize_t n;

	text[0] = 0;
	if (fd < 0)
		return -errno;
	n = read(fd, text, TEXT - 1);
	if (n < 0)
		n = -errno;
	close(fd);
	if (n < 0)
		return n;
	text[n] = 0;
	text[strcspn(text, "\n")] = 0;
	return 0;
}

/* A file that holds a number and nothing else; -1 if it does not. */
static long long read_number(const char *path)
{
	char text[TEXT], end;
	long long value;

	if (read_text(path, text) || sscanf(text, "%lld%c", &value, &end) != 1)
		return -1;
	return value;
}

static const char *device_path(const struct kfd_client *c, const char *name)
{
	static char path[TEXT];

	snprintf(path, sizeof(path), "/sys/class/drm/renderD%u/device/%s", c->minor, name);
	return path;
}

/* "0001:00:00.0"; empty if there is no such device */
static void function_of(const struct kfd_client *c, char *function)
{
	char path[PATH_MAX];

	function[0] = 0;
	if (realpath(device_path(c, "."), path))
		snprintf(function, TEXT, "%.32s", strrchr(path, '/') + 1);
}

static long long device_number(const struct kfd_client *c, const char *name)
{
	return read_number(device_path(c, name));
}

static int device_text(const struct kfd_client *c, const char *name, char *text)
{
	return read_text(device_path(c, name), text);
}

static long long node_prop(const struct kfd_client *c, const char *name)
{
	char path[TEXT];

	snprintf(path, sizeof(path), "/sys/class/kfd/kfd/topology/nodes/%u/properties", c->node);
	return kfd_prop(path, name);
}

/*
 * @c: one a GPU
 */
FIXTURE(two) {
	struct kfd_client c[2];
};

FIXTURE_SETUP(two)
{
	unsigned int i;

	if (kfd_num_nodes() < 3)
		SKIP(return, "fewer than two GPUs");
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, kfd_client_init(&self->c[i], i));
}

FIXTURE_TEARDOWN(two)
{
	kfd_client_close(&self->c[1]);
	kfd_client_close(&self->c[0]);
}

/* ALLOC without a mapping: nothing else is taken. */
static int take(const struct kfd_client *c, uint32_t kind, uint64_t *handle)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args args = {
		.size = SIZE,
		.gpu_id = c->gpu_id,
		.flags = kind | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE,
	};
	int r;

	args.va_addr = (uintptr_t)kfd_va_reserve(SIZE);
	r = kfd_ioctl(c->fd, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &args);
	*handle = args.handle;
	return r;
}

static int give(const struct kfd_client *c, uint64_t handle)
{
	struct kfd_ioctl_free_memory_of_gpu_args args = { .handle = handle };

	return kfd_ioctl(c->fd, AMDKFD_IOC_FREE_MEMORY_OF_GPU, &args);
}

struct used {
	long long vram, visible, gtt;
};

static struct used used(const struct kfd_client *c)
{
	return (struct used){
		device_number(c, "mem_info_vram_used"),
		device_number(c, "mem_info_vis_vram_used"),
		device_number(c, "mem_info_gtt_used"),
	};
}

/* What @c's GPU uses once what the tests before left behind is gone: the same in 0.3 s. */
static struct used settled(const struct kfd_client *c)
{
	struct used last = used(c), now;
	unsigned int same = 0, i;

	for (i = 0; i < 300 * kfd_time_scale() && same < 3; i++) {
		usleep(100000);
		now = used(c);
		same = memcmp(&now, &last, sizeof(now)) ? 0 : same + 1;
		last = now;
	}
	return last;
}

/* What is allocated is counted, to the byte, on its GPU alone, and no longer when it goes. */
TEST_F(two, memory)
{
	struct used before[2] = { settled(&self->c[0]), settled(&self->c[1]) }, now, other;
	uint64_t vram, gtt;

	EXPECT_LT(0, before[0].vram);
	EXPECT_LE(0, before[0].gtt);
	EXPECT_LT(before[0].vram, device_number(&self->c[0], "mem_info_vram_total"));
	EXPECT_LT(before[0].gtt, device_number(&self->c[0], "mem_info_gtt_total"));
	/* The whole of VRAM is in the BAR. */
	EXPECT_EQ(device_number(&self->c[0], "mem_info_vram_total"),
		  device_number(&self->c[0], "mem_info_vis_vram_total"));
	EXPECT_EQ(before[0].vram, before[0].visible);

	ASSERT_EQ(0, take(&self->c[0], KFD_IOC_ALLOC_MEM_FLAGS_VRAM, &vram));
	now = used(&self->c[0]);
	EXPECT_EQ(before[0].vram + (long long)SIZE, now.vram);
	EXPECT_EQ(before[0].visible + (long long)SIZE, now.visible);
	EXPECT_EQ(before[0].gtt, now.gtt);
	ASSERT_EQ(0, take(&self->c[0], KFD_IOC_ALLOC_MEM_FLAGS_GTT, &gtt));
	now = used(&self->c[0]);
	EXPECT_EQ(before[0].gtt + (long long)SIZE, now.gtt);
	other = used(&self->c[1]);
	EXPECT_EQ(before[1].vram, other.vram);
	EXPECT_EQ(before[1].gtt, other.gtt);

	EXPECT_EQ(0, give(&self->c[0], vram));
	EXPECT_EQ(0, give(&self->c[0], gtt));
	now = used(&self->c[0]);
	EXPECT_EQ(before[0].vram, now.vram);
	EXPECT_EQ(before[0].visible, now.visible);
	EXPECT_EQ(before[0].gtt, now.gtt);
}

static int status_of(pid_t pid)
{
	int status = -1;

	return waitpid(pid, &status, 0) == pid ? status : -1;
}

static void sleep_ms(unsigned int ms)
{
	usleep(ms * 1000);
}

static bool word_becomes(volatile uint32_t *word, uint32_t value)
{
	unsigned int i;

	for (i = 0; i < 1000 * kfd_time_scale() && *word != value; i++)
		sleep_ms(10);
	return *word == value;
}

/* The engine may still be putting its work away when the client knows that it is done. */
static bool gets_idle(const struct kfd_client *c)
{
	unsigned int i;

	for (i = 0; i < 100 * kfd_time_scale(); i++)
		if (!device_number(c, "gpu_busy_percent"))
			return true;
	return false;
}

/* S0.95: as busy as can be while a packet waits, idle when RPTR has reached WPTR. */
TEST_F(two, busy)
{
	volatile uint32_t *cells;
	struct kfd_bo flag;
	struct kfd_sdma q;
	uint32_t w[6];

	ASSERT_EQ(0, kfd_bo_gtt(&self->c[0], 4096, &flag));
	cells = (void *)flag.cpu;
	ASSERT_EQ(0, kfd_sdma_create(&self->c[0], &q));
	EXPECT_TRUE(gets_idle(&self->c[0]));
	kfd_sdma_put(&q, w, pkt_fence(w, (void *)&cells[1], 1));
	kfd_sdma_put(&q, w, pkt_poll_mem(w, (void *)&cells[0], 1, ~0u));
	kfd_sdma_ring(&q);
	/* From here on the engine has the packet that waits. */
	ASSERT_TRUE(word_becomes(&cells[1], 1));
	EXPECT_EQ(100, device_number(&self->c[0], "gpu_busy_percent"));
	EXPECT_EQ(0, device_number(&self->c[1], "gpu_busy_percent"));
	cells[0] = 1;
	EXPECT_EQ(0, kfd_sdma_idle(&q, KFD_TIMEOUT_MS));
	EXPECT_TRUE(gets_idle(&self->c[0]));
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
}

/* MHz of the one level that a file of clocks has, -1 if it has not one. */
static long long only_level(const struct kfd_client *c, const char *name)
{
	char text[TEXT];
	unsigned int mhz;
	int n = 0;

	if (device_text(c, name, text) || sscanf(text, "0: %uMhz *%n", &mhz, &n) != 1)
		return -1;
	return n == (int)strlen(text) ? mhz : -1;
}

/* S0.4: clocks and identity are those of the topology. */
TEST_F(two, identity)
{
	char text[TEXT], other[TEXT], node[TEXT];

	EXPECT_EQ(node_prop(&self->c[0], "max_engine_clk_fcompute"),
		  only_level(&self->c[0], "pp_dpm_sclk"));
	EXPECT_LT(0, only_level(&self->c[0], "pp_dpm_mclk"));
	ASSERT_EQ(0, device_text(&self->c[0], "vbios_version", text));
	EXPECT_STREQ("000-000000-000", text);
	ASSERT_EQ(0, device_text(&self->c[0], "unique_id", text));
	ASSERT_EQ(0, device_text(&self->c[1], "unique_id", other));
	EXPECT_STRNE(text, other);
	snprintf(node, sizeof(node), "%016llx", node_prop(&self->c[0], "unique_id"));
	EXPECT_STREQ(node, text);
	snprintf(node, sizeof(node), "%016llx", node_prop(&self->c[1], "unique_id"));
	EXPECT_STREQ(node, other);
}

/* One level, and no other can be set, whoever asks. */
TEST_F(two, level)
{
	char text[TEXT];

	ASSERT_EQ(0, device_text(&self->c[0], "power_dpm_force_performance_level", text));
	EXPECT_STREQ("auto", text);
	EXPECT_EQ(-1, open(device_path(&self->c[0], "power_dpm_force_performance_level"),
			   O_WRONLY));
	EXPECT_EQ(EACCES, errno);
}

/* Folder of the hwmon of a GPU; empty if it has none. */
static void hwmon_of(const struct kfd_client *c, char *path)
{
	DIR *dir = opendir(device_path(c, "hwmon"));
	struct dirent *entry;

	path[0] = 0;
	while (dir && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, "hwmon", 5))
			snprintf(path, TEXT, "/sys/class/hwmon/%.64s", entry->d_name);
	if (dir)
		closedir(dir);
}

static long long hwmon_number(const char *hwmon, const char *name)
{
	char path[2 * TEXT];

	snprintf(path, sizeof(path), "%s/%s", hwmon, name);
	return read_number(path);
}

/* What is known is there, what is not measured is 0 or has no file. */
TEST_F(two, hwmon)
{
	static const char * const zeros[] = { "temp1_input", "power1_average", "power1_cap",
					      "pwm1" };
	char hwmon[TEXT], path[2 * TEXT], text[TEXT];
	unsigned int i;

	if (access("/sys/class/hwmon", F_OK))
		SKIP(return, "a kernel without hwmon");
	hwmon_of(&self->c[0], hwmon);
	ASSERT_NE(0, hwmon[0]);
	snprintf(path, sizeof(path), "%s/name", hwmon);
	ASSERT_EQ(0, read_text(path, text));
	EXPECT_STREQ("amdgpu", text);
	EXPECT_EQ(node_prop(&self->c[0], "max_engine_clk_fcompute") * 1000000,
		  hwmon_number(hwmon, "freq1_input"));
	EXPECT_LT(0, hwmon_number(hwmon, "freq2_input"));
	for (i = 0; i < 4; i++)
		EXPECT_EQ(0, hwmon_number(hwmon, zeros[i]));
	EXPECT_EQ(255, hwmon_number(hwmon, "pwm1_max"));
	EXPECT_EQ(-1, hwmon_number(hwmon, "in0_input"));
}

/* proc/PID/NAME of the kfd device, and what of it */
static const char *proc_path(pid_t pid, const char *name)
{
	static char path[2 * TEXT];

	snprintf(path, sizeof(path), PROC "/%d/%s", pid, name);
	return path;
}

static long long proc_number(pid_t pid, const char *fmt, unsigned int id)
{
	char name[TEXT];

	snprintf(name, sizeof(name), fmt, id);
	return read_number(proc_path(pid, name));
}

TEST_F(two, process)
{
	uint32_t id[2] = { self->c[0].gpu_id, self->c[1].gpu_id };
	pid_t pid = getpid();
	uint64_t vram;

	EXPECT_LT(0, proc_number(pid, "pasid", 0));
	EXPECT_EQ(0, proc_number(pid, "vram_%u", id[0]));
	EXPECT_EQ(0, proc_number(pid, "sdma_%u", id[0]));
	ASSERT_EQ(0, take(&self->c[0], KFD_IOC_ALLOC_MEM_FLAGS_VRAM, &vram));
	EXPECT_EQ((long long)SIZE, proc_number(pid, "vram_%u", id[0]));
	EXPECT_EQ(0, proc_number(pid, "vram_%u", id[1]));
	EXPECT_EQ(0, give(&self->c[0], vram));
	EXPECT_EQ(0, proc_number(pid, "vram_%u", id[0]));
}

static int resize(const struct kfd_sdma *q, uint32_t size)
{
	struct kfd_ioctl_update_queue_args args = {
		.ring_base_address = (uintptr_t)q->ring.cpu,
		.queue_id = q->id,
		.ring_size = size,
		.queue_percentage = 100,
		.queue_priority = 7,
	};

	return kfd_ioctl(q->c->fd, AMDKFD_IOC_UPDATE_QUEUE, &args);
}

/* A queue has a folder from its creation to its end, and says of itself what is true now. */
TEST_F(two, queues)
{
	struct kfd_sdma q[2];
	pid_t pid = getpid();
	char text[TEXT];
	unsigned int i;
	int fd;

	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, kfd_sdma_create(&self->c[i], &q[i]));
		EXPECT_EQ(self->c[i].gpu_id, proc_number(pid, "queues/%u/gpuid", q[i].id));
		EXPECT_EQ(KFD_RING_SIZE, proc_number(pid, "queues/%u/size", q[i].id));
		EXPECT_EQ(1, proc_number(pid, "queues/%u/type", q[i].id));
	}
	EXPECT_EQ(0, resize(&q[0], 4096));
	EXPECT_EQ(4096, proc_number(pid, "queues/%u/size", q[0].id));
	snprintf(text, sizeof(text), "queues/%u/size", q[0].id);
	fd = open(proc_path(pid, text), O_RDONLY);
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, kfd_sdma_destroy(&q[0]));
	EXPECT_EQ(-1, read(fd, text, sizeof(text)));
	EXPECT_EQ(ENODEV, errno);
	close(fd);
	EXPECT_EQ(-1, proc_number(pid, "queues/%u/size", q[0].id));
	EXPECT_EQ(1, proc_number(pid, "queues/%u/type", q[1].id));
	EXPECT_EQ(0, kfd_sdma_destroy(&q[1]));
}

/* Until the folder of a process has gone; the address space may end after the process. */
static bool folder_goes(pid_t pid)
{
	unsigned int i;

	for (i = 0; i < 1000 * kfd_time_scale(); i++) {
		if (access(proc_path(pid, ""), F_OK))
			return true;
		sleep_ms(10);
	}
	return false;
}

/* With queues and memory, killed: nothing of it stays behind. */
TEST_F(two, killed)
{
	int ready[2];
	pid_t pid;
	char c;

	ASSERT_EQ(0, pipe(ready));
	pid = fork();
	if (!pid) {
		struct kfd_client mine;
		struct kfd_sdma q;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (kfd_client_init(&mine, 0) || kfd_sdma_create(&mine, &q))
			_exit(1);
		if (write(ready[1], "", 1) == 1)
			pause();
		_exit(2);
	}
	close(ready[1]);
	ASSERT_EQ(1, read(ready[0], &c, 1));
	EXPECT_LT(0, proc_number(pid, "pasid", 0));
	EXPECT_EQ(1, proc_number(pid, "queues/%u/type", 0));
	kill(pid, SIGKILL);
	EXPECT_EQ(SIGKILL, status_of(pid));
	EXPECT_TRUE(folder_goes(pid));
	close(ready[0]);
}

#define NAMESAKE_ENV	"CARILLON_NAMESAKE"

/* This program again: the folder of its number is its own, and stays when the other goes. */
static int namesake(long long pasid, pid_t holder)
{
	struct kfd_client mine;
	struct kfd_sdma q;
	long long now;

	if (proc_number(getpid(), "pasid", 0) != pasid)
		return 1;
	if (kfd_client_init(&mine, 0) || kfd_sdma_create(&mine, &q))
		return 2;
	now = proc_number(getpid(), "pasid", 0);
	if (now <= 0 || now == pasid || proc_number(getpid(), "queues/%u/type", q.id) != 1)
		return 3;
	kill(holder, SIGKILL);
	waitpid(holder, NULL, 0);
	if (proc_number(getpid(), "pasid", 0) != now)
		return 4;
	return proc_number(getpid(), "queues/%u/type", q.id) == 1 ? 0 : 5;
}

static void __attribute__((constructor)) run_as_namesake(void)
{
	const char *text = getenv(NAMESAKE_ENV);
	long long pasid;
	int holder;

	if (text && sscanf(text, "%lld %d", &pasid, &holder) == 2)
		_exit(namesake(pasid, holder));
}

/* Keeps the address space, and with it what was opened there, alive. */
static int hold_space(void *unused)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		pause();
	return 0;
}

/* A process with a queue becomes another program while somebody keeps its address space. */
static void become_namesake(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	struct kfd_client mine;
	struct kfd_sdma q;
	char text[64];
	pid_t holder;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (kfd_client_init(&mine, 0) || kfd_sdma_create(&mine, &q))
		_exit(100);
	holder = clone(hold_space, stack + sizeof(stack), CLONE_VM | SIGCHLD, NULL);
	if (holder < 0)
		_exit(101);
	snprintf(text, sizeof(text), "%lld %d", proc_number(getpid(), "pasid", 0), holder);
	setenv(NAMESAKE_ENV, text, 1);
	execl("/proc/self/exe", "namesake", NULL);
	_exit(102);
}

TEST_F(two, namesake)
{
	pid_t pid = fork();

	if (!pid)
		become_namesake();
	EXPECT_EQ(0, status_of(pid));
	EXPECT_TRUE(folder_goes(pid));
}

/* Value of "key:\tNUMBER" or of "key:\tTEXT" in fdinfo; false if there is no such line */
static bool fdinfo(int fd, const char *key, char *value)
{
	char path[64], line[TEXT];
	size_t n = strlen(key);
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	f = fopen(path, "r");
	while (f && !found && fgets(line, sizeof(line), f)) {
		if (strncmp(line, key, n) || strncmp(line + n, ":\t", 2))
			continue;
		snprintf(value, TEXT, "%s", line + n + 2);
		value[strcspn(value, "\n")] = 0;
		found = true;
	}
	if (f)
		fclose(f);
	return found;
}

TEST_F(two, fdinfo)
{
	char value[TEXT], other[TEXT];
	uint64_t vram;

	ASSERT_TRUE(fdinfo(self->c[0].drm, "drm-driver", value));
	EXPECT_STREQ("carillon", value);
	ASSERT_TRUE(fdinfo(self->c[0].drm, "drm-pdev", value));
	function_of(&self->c[0], other);
	EXPECT_STREQ(other, value);
	ASSERT_TRUE(fdinfo(self->c[0].drm, "drm-client-id", value));
	ASSERT_TRUE(fdinfo(self->c[1].drm, "drm-client-id", other));
	EXPECT_STRNE(value, other);
	ASSERT_TRUE(fdinfo(self->c[0].drm, "drm-memory-vram", value));
	EXPECT_STREQ("0 KiB", value);
	ASSERT_EQ(0, take(&self->c[0], KFD_IOC_ALLOC_MEM_FLAGS_VRAM, &vram));
	ASSERT_TRUE(fdinfo(self->c[0].drm, "drm-memory-vram", value));
	EXPECT_STREQ("65536 KiB", value);
	ASSERT_TRUE(fdinfo(self->c[0].drm, "drm-memory-gtt", value));
	EXPECT_STREQ("0 KiB", value);
	ASSERT_TRUE(fdinfo(self->c[1].drm, "drm-memory-vram", value));
	EXPECT_STREQ("0 KiB", value);
	EXPECT_EQ(0, give(&self->c[0], vram));
	ASSERT_TRUE(fdinfo(self->c[0].drm, "drm-memory-vram", value));
	EXPECT_STREQ("0 KiB", value);
}

static const char * const files[] = {
	"mem_info_vram_total", "mem_info_vram_used", "mem_info_vis_vram_total",
	"mem_info_vis_vram_used", "mem_info_gtt_total", "mem_info_gtt_used",
	"gpu_busy_percent", "pp_dpm_sclk", "pp_dpm_mclk",
	"power_dpm_force_performance_level", "vbios_version", "unique_id",
};

#define FILES	(sizeof(files) / sizeof(files[0]))

/* Whoever looks sees the same, and changes nothing. */
TEST_F(two, unprivileged)
{
	pid_t pid = fork();

	if (!pid) {
		char text[TEXT];
		unsigned int i;

		if (setgid(NOBODY) || setuid(NOBODY))
			_exit(1);
		for (i = 0; i < FILES; i++) {
			if (device_text(&self->c[0], files[i], text) || !text[0])
				_exit(2);
			if (open(device_path(&self->c[0], files[i]), O_WRONLY) >= 0)
				_exit(3);
		}
		_exit(proc_number(getppid(), "pasid", 0) > 0 ? 0 : 4);
	}
	EXPECT_EQ(0, status_of(pid));
}

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	int r = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		r = -errno;
	close(fd);
	return r;
}

/* Reads whatever is there, of the first GPU and of processes, until it is killed. */
static void read_for_ever(const char *function)
{
	char path[2 * TEXT], text[TEXT];
	unsigned int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		for (i = 0; i < FILES; i++) {
			snprintf(path, sizeof(path), DRIVER "/%s/%s", function, files[i]);
			read_text(path, text);
		}
		for (i = 0; i < 8; i++) {
			snprintf(path, sizeof(path), "/sys/class/hwmon/hwmon%u/freq1_input", i);
			read_text(path, text);
		}
	}
}

/* Opens and queues come and go below. */
static void open_for_ever(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		pid_t pid = fork();

		if (!pid) {
			struct kfd_client mine;
			struct kfd_sdma q;

			if (!kfd_client_init(&mine, 0))
				kfd_sdma_create(&mine, &q);
			_exit(0);
		}
		if (status_of(pid) < 0)
			sleep_ms(1);
	}
}

/* The GPU goes under readers, and comes back, with its files. */
TEST(readers_and_unbind)
{
	char function[TEXT], path[2 * TEXT];
	pid_t pid[READERS + 1];
	struct kfd_client c;
	unsigned int i;

	if (access("/dev/kfd", F_OK))
		SKIP(return, "no /dev/kfd");
	ASSERT_EQ(0, kfd_client_open(&c, 0));
	function_of(&c, function);
	ASSERT_NE(0, function[0]);
	kfd_client_close(&c);
	for (i = 0; i <= READERS; i++) {
		pid[i] = fork();
		if (!pid[i] && i < READERS)
			read_for_ever(function);
		if (!pid[i])
			open_for_ever();
	}
	for (i = 0; i < ROUNDS; i++) {
		sleep_ms(100);
		EXPECT_EQ(0, write_text(DRIVER "/unbind", function));
		snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/gpu_busy_percent", function);
		EXPECT_NE(0, access(path, F_OK));
		EXPECT_EQ(0, write_text(DRIVER "/bind", function));
		EXPECT_LE(0, read_number(path));
	}
	for (i = 0; i <= READERS; i++) {
		kill(pid[i], SIGKILL);
		EXPECT_EQ(SIGKILL, status_of(pid[i]));
	}
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
