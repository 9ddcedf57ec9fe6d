// SPDX-License-Identifier: GPL-2.0-only
/*
 * The dispatcher and bad arguments of every ioctl, who may call, clocks (S0.40, S0.42,
 * S0.58; B001, B005, B007, B092).
 *
 * vm: timeout=600
 */
#include "kfd_harness.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

/* Every command of the 1.11 ABI, and what is there ahead of its version. */
static const unsigned long commands[] = {
	AMDKFD_IOC_GET_VERSION, AMDKFD_IOC_CREATE_QUEUE, AMDKFD_IOC_DESTROY_QUEUE,
	AMDKFD_IOC_SET_MEMORY_POLICY, AMDKFD_IOC_GET_CLOCK_COUNTERS,
	AMDKFD_IOC_GET_PROCESS_APERTURES, AMDKFD_IOC_UPDATE_QUEUE, AMDKFD_IOC_CREATE_EVENT,
	AMDKFD_IOC_DESTROY_EVENT, AMDKFD_IOC_SET_EVENT, AMDKFD_IOC_RESET_EVENT,
	AMDKFD_IOC_WAIT_EVENTS, AMDKFD_IOC_DBG_REGISTER_DEPRECATED,
	AMDKFD_IOC_DBG_UNREGISTER_DEPRECATED, AMDKFD_IOC_DBG_ADDRESS_WATCH_DEPRECATED,
	AMDKFD_IOC_DBG_WAVE_CONTROL_DEPRECATED, AMDKFD_IOC_SET_SCRATCH_BACKING_VA,
	AMDKFD_IOC_GET_TILE_CONFIG, AMDKFD_IOC_SET_TRAP_HANDLER,
	AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, AMDKFD_IOC_ACQUIRE_VM,
	AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, AMDKFD_IOC_FREE_MEMORY_OF_GPU,
	AMDKFD_IOC_MAP_MEMORY_TO_GPU, AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, AMDKFD_IOC_SET_CU_MASK,
	AMDKFD_IOC_GET_QUEUE_WAVE_STATE, AMDKFD_IOC_GET_DMABUF_INFO, AMDKFD_IOC_IMPORT_DMABUF,
	AMDKFD_IOC_ALLOC_QUEUE_GWS, AMDKFD_IOC_SMI_EVENTS, AMDKFD_IOC_SVM,
	AMDKFD_IOC_SET_XNACK_MODE, AMDKFD_IOC_CRIU_OP, AMDKFD_IOC_AVAILABLE_MEMORY,
	AMDKFD_IOC_EXPORT_DMABUF, AMDKFD_IOC_RUNTIME_ENABLE,
};

#define N_COMMANDS (ARRAY_SIZE(commands))

static bool known(unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < N_COMMANDS; i++)
		if (_IOC_NR(commands[i]) == nr)
			return true;
	return false;
}

static int raw(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg) < 0 ? -errno : 0;
}

TEST_F(kfd, version)
{
	struct kfd_ioctl_get_version_args v = { 0 };

	ASSERT_EQ(0, raw(self->c.fd, AMDKFD_IOC_GET_VERSION, &v));
	EXPECT_EQ(1, v.major_version);
	EXPECT_EQ(11, v.minor_version);
}

/* B005: an unknown number is ENOTTY, never success. */
TEST_F(kfd, b005_unknown_numbers)
{
	uint8_t buf[256];
	unsigned int nr;

	for (nr = 0; nr < 256; nr++) {
		memset(buf, 0, sizeof(buf));
		if (known(nr))
			continue;
		EXPECT_EQ(-ENOTTY, raw(self->c.fd, _IOWR('K', nr, uint64_t), buf))
			TH_LOG("nr %x", nr);
	}
}

/* B005: a known number with another type letter is another driver's command. */
TEST_F(kfd, b005_other_letter)
{
	struct kfd_ioctl_get_version_args v = { 0 };

	EXPECT_EQ(-ENOTTY, raw(self->c.fd, _IOR('T', 1, v), &v));
	EXPECT_EQ(0, v.major_version);
}

/* B005: what exists in the ABI but not here has its documented errno (Documentation/uapi.rst). */
TEST_F(kfd, b005_unsupported_commands)
{
	static const struct {
		unsigned long cmd;
		int want;
	} rows[] = {
		{ AMDKFD_IOC_DBG_REGISTER_DEPRECATED, -EPERM },
		{ AMDKFD_IOC_DBG_UNREGISTER_DEPRECATED, -EPERM },
		{ AMDKFD_IOC_DBG_ADDRESS_WATCH_DEPRECATED, -EPERM },
		{ AMDKFD_IOC_DBG_WAVE_CONTROL_DEPRECATED, -EPERM },
		{ AMDKFD_IOC_SET_CU_MASK, -EINVAL },
		{ AMDKFD_IOC_GET_QUEUE_WAVE_STATE, -EINVAL },
		{ AMDKFD_IOC_ALLOC_QUEUE_GWS, -ENODEV },
		{ AMDKFD_IOC_SVM, -EPERM },
	};
	uint8_t buf[256];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		memset(buf, 0, sizeof(buf));
		EXPECT_EQ(rows[i].want, raw(self->c.fd, rows[i].cmd, buf));
	}
}

/* B005, S0.42: zeroed arguments never succeed where an object is named, and change nothing. */
TEST_F(kfd, zeroed_arguments)
{
	static const unsigned long may_succeed[] = {
		AMDKFD_IOC_GET_VERSION, AMDKFD_IOC_GET_CLOCK_COUNTERS,
		AMDKFD_IOC_GET_PROCESS_APERTURES, AMDKFD_IOC_GET_PROCESS_APERTURES_NEW,
		AMDKFD_IOC_CREATE_EVENT, AMDKFD_IOC_WAIT_EVENTS, AMDKFD_IOC_SET_XNACK_MODE,
		AMDKFD_IOC_RUNTIME_ENABLE, AMDKFD_IOC_CRIU_OP,
	};
	unsigned int i, k;
	uint8_t buf[512];

	for (i = 0; i < N_COMMANDS; i++) {
		bool may = false;

		for (k = 0; k < ARRAY_SIZE(may_succeed); k++)
			may |= commands[i] == may_succeed[k];
		if (may)
			continue;
		memset(buf, 0, sizeof(buf));
		EXPECT_GT(0, raw(self->c.fd, commands[i], buf))
			TH_LOG("nr %lx", _IOC_NR(commands[i]));
	}
}

/* B007: any encoded size; the tail of a short struct reads as zero, nothing past it is written. */
TEST_F(kfd, b007_encoded_sizes)
{
	unsigned int i, k, n;

	for (i = 0; i < N_COMMANDS; i++) {
		unsigned int exact = _IOC_SIZE(commands[i]);
		unsigned int sizes[] = { 0, exact / 2, exact, exact + 8, (1u << 14) - 1 };

		for (k = 0; k < 5; k++) {
			static uint8_t buf[1 << 14];
			unsigned int from = sizes[k] < exact ? sizes[k] : exact;

			if (_IOC_NR(commands[i]) == _IOC_NR(AMDKFD_IOC_SVM))
				continue;	/* its size carries the attribute count */
			memset(buf, 0xa5, sizeof(buf));
			raw(self->c.fd, _IOC(_IOC_READ | _IOC_WRITE, 'K', _IOC_NR(commands[i]),
					     sizes[k]), buf);
			for (n = from; n < sizeof(buf); n++)
				if (buf[n] != 0xa5)
					break;
			EXPECT_EQ(sizeof(buf), n) TH_LOG("nr %lx size %u wrote byte %u",
							 _IOC_NR(commands[i]), sizes[k], n);
		}
	}
}

/* B007: GET_VERSION into half a struct gives the major number alone. */
TEST_F(kfd, b007_short_struct_works)
{
	uint32_t v[2] = { 0xa5a5a5a5, 0xa5a5a5a5 };

	ASSERT_EQ(0, raw(self->c.fd, _IOR('K', 1, uint32_t), v));
	EXPECT_EQ(1, v[0]);
	EXPECT_EQ(0xa5a5a5a5, v[1]);
}

/* A pointer to nowhere: EFAULT, or for a command that is refused anyway its errno. */
TEST_F(kfd, bad_pointer)
{
	unsigned int i;
	uint8_t buf[512];

	for (i = 0; i < N_COMMANDS; i++) {
		int r = raw(self->c.fd, commands[i], (void *)4096);

		if (r != -EFAULT) {
			memset(buf, 0, sizeof(buf));
			EXPECT_EQ(r, raw(self->c.fd, commands[i], buf))
				TH_LOG("nr %lx", _IOC_NR(commands[i]));
			EXPECT_GT(0, r);
		}
	}
}

/* B001: the caller's count is bounded by the topology before anything is allocated. */
TEST_F(kfd, b001_aperture_count)
{
	struct kfd_process_device_apertures ap[64];
	struct kfd_ioctl_get_process_apertures_new_args args;
	unsigned int nodes = kfd_num_nodes();
	static const uint32_t large[] = { 0x10000000, 0xffffffff };
	unsigned int i;
	void *ro;

	args = (struct kfd_ioctl_get_process_apertures_new_args){ 0 };
	ASSERT_EQ(0, raw(self->c.fd, AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, &args));
	EXPECT_EQ(1, args.num_of_nodes);

	memset(ap, 0xa5, sizeof(ap));
	args = (struct kfd_ioctl_get_process_apertures_new_args){
		.kfd_process_device_apertures_ptr = (uintptr_t)ap, .num_of_nodes = nodes,
	};
	ASSERT_EQ(0, raw(self->c.fd, AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, &args));
	ASSERT_EQ(1, args.num_of_nodes);
	EXPECT_EQ(self->c.gpu_id, ap[0].gpu_id);
	EXPECT_EQ(1ull << 48, ap[0].lds_base);
	EXPECT_EQ((1ull << 48) + 0xffffffff, ap[0].lds_limit);
	EXPECT_EQ(2ull << 48, ap[0].scratch_base);
	EXPECT_EQ((2ull << 48) + 0xffffffff, ap[0].scratch_limit);
	EXPECT_EQ(16384, ap[0].gpuvm_base);
	EXPECT_EQ((1ull << 47) - 1, ap[0].gpuvm_limit);
	for (i = sizeof(ap[0]); i < sizeof(ap); i++)
		if (((uint8_t *)ap)[i] != 0xa5)
			break;
	EXPECT_EQ(sizeof(ap), i);

	memset(ap, 0xa5, sizeof(ap));
	args.num_of_nodes = 1;
	ASSERT_EQ(0, raw(self->c.fd, AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, &args));
	EXPECT_EQ(1, args.num_of_nodes);
	EXPECT_EQ(0xa5, ((uint8_t *)ap)[sizeof(ap[0])]);

	args.num_of_nodes = nodes + 1;
	EXPECT_EQ(-EINVAL, raw(self->c.fd, AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, &args));
	for (i = 0; i < 2; i++) {
		args.num_of_nodes = large[i];
		EXPECT_EQ(-EINVAL, raw(self->c.fd, AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, &args));
	}
	args.num_of_nodes = nodes;
	args.kfd_process_device_apertures_ptr = 0;
	EXPECT_EQ(-EFAULT, raw(self->c.fd, AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, &args));
	ro = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	args.num_of_nodes = nodes;
	args.kfd_process_device_apertures_ptr = (uintptr_t)ro;
	EXPECT_EQ(-EFAULT, raw(self->c.fd, AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, &args));
}

TEST_F(kfd, clock_counters)
{
	struct kfd_ioctl_get_clock_counters_args a = { .gpu_id = self->c.gpu_id }, b = { 0 };

	ASSERT_EQ(0, raw(self->c.fd, AMDKFD_IOC_GET_CLOCK_COUNTERS, &a));
	EXPECT_LT(0, a.gpu_clock_counter);
	EXPECT_EQ(1000000000ull, a.system_clock_freq);
	/* gpu_id 0 must work too: no GPU counter, the rest is there. */
	ASSERT_EQ(0, raw(self->c.fd, AMDKFD_IOC_GET_CLOCK_COUNTERS, &b));
	EXPECT_EQ(0, b.gpu_clock_counter);
	EXPECT_LE(a.cpu_clock_counter, b.cpu_clock_counter);
	EXPECT_LE(a.system_clock_counter, b.system_clock_counter);
}

/* The line of this process in debugfs "processes" that begins with @key holds @want. */
static bool stored_in(const char *key, const char *want)
{
	FILE *f = fopen("/sys/kernel/debug/carillon/processes", "r");
	bool found = false;
	char line[1024], who[64];

	snprintf(who, sizeof(who), "pid %d %s ", getpid(), key);
	while (f && !found && fgets(line, sizeof(line), f))
		found = !strncmp(line, who, strlen(who)) && strstr(line, want);
	if (f)
		fclose(f);
	return found;
}

/* The same, of its GPU. */
static bool stored(struct kfd_client *c, const char *want)
{
	char key[32];

	snprintf(key, sizeof(key), "gpu_id %u", c->gpu_id);
	return stored_in(key, want);
}

/* SET_MEMORY_POLICY, SET_SCRATCH_BACKING_VA and SET_TRAP_HANDLER store what they are told. */
TEST_F(kfd, stored_state)
{
	struct kfd_ioctl_set_memory_policy_args policy = {
		.alternate_aperture_base = 0x7000000,
		.alternate_aperture_size = 0x10000,
		.gpu_id = self->c.gpu_id,
		.default_policy = KFD_IOC_CACHE_POLICY_NONCOHERENT,
		.alternate_policy = KFD_IOC_CACHE_POLICY_COHERENT,
	};
	struct kfd_ioctl_set_scratch_backing_va_args scratch = {
		.va_addr = 0x123450000, .gpu_id = self->c.gpu_id,
	};
	struct kfd_ioctl_set_trap_handler_args trap = {
		.tba_addr = 0x5000, .tma_addr = 0x6000, .gpu_id = self->c.gpu_id,
	};

	ASSERT_EQ(0, raw(self->c.fd, AMDKFD_IOC_SET_MEMORY_POLICY, &policy));
	EXPECT_TRUE(stored(&self->c, "policy_set 1 policy_default 1 policy_alternate 0"));
	EXPECT_TRUE(stored(&self->c, "policy_base 0x7000000 policy_size 0x10000"));
	ASSERT_EQ(0, raw(self->c.fd, AMDKFD_IOC_SET_SCRATCH_BACKING_VA, &scratch));
	EXPECT_TRUE(stored(&self->c, "scratch_va 0x123450000 "));
	ASSERT_EQ(0, raw(self->c.fd, AMDKFD_IOC_SET_TRAP_HANDLER, &trap));
	EXPECT_TRUE(stored(&self->c, "trap_tba 0x5000 trap_tma 0x6000"));
	policy.default_policy = 7;
	EXPECT_EQ(-EINVAL, raw(self->c.fd, AMDKFD_IOC_SET_MEMORY_POLICY, &policy));
	policy.default_policy = 0;
	policy.gpu_id = 1;
	EXPECT_EQ(-EINVAL, raw(self->c.fd, AMDKFD_IOC_SET_MEMORY_POLICY, &policy));
	scratch.gpu_id = 1;
	EXPECT_EQ(-EINVAL, raw(self->c.fd, AMDKFD_IOC_SET_SCRATCH_BACKING_VA, &scratch));
	trap.gpu_id = 1;
	EXPECT_EQ(-EINVAL, raw(self->c.fd, AMDKFD_IOC_SET_TRAP_HANDLER, &trap));
	EXPECT_TRUE(stored(&self->c, "policy_set 1 policy_default 1 policy_alternate 0"));
}

/* GET_TILE_CONFIG: GB_ADDR_CONFIG of Vega10; tables of 32 and 16 entries, 0 on GFX9. */
TEST_F(kfd, tile_config)
{
	struct kfd_ioctl_get_tile_config_args t = { .gpu_id = self->c.gpu_id };
	uint32_t tiles[40], macro[40];
	uint8_t *page;

	ASSERT_EQ(0, raw(self->c.fd, AMDKFD_IOC_GET_TILE_CONFIG, &t));
	EXPECT_EQ(0x2a114042, t.gb_addr_config);
	EXPECT_EQ(0, t.num_tile_configs);
	EXPECT_EQ(0, t.num_macro_tile_configs);
	memset(tiles, 0xa5, sizeof(tiles));
	memset(macro, 0xa5, sizeof(macro));
	t = (struct kfd_ioctl_get_tile_config_args){
		.gpu_id = self->c.gpu_id, .num_banks = 7, .num_ranks = 7,
		.tile_config_ptr = (uintptr_t)tiles, .num_tile_configs = 40,
		.macro_tile_config_ptr = (uintptr_t)macro, .num_macro_tile_configs = 3,
	};
	ASSERT_EQ(0, raw(self->c.fd, AMDKFD_IOC_GET_TILE_CONFIG, &t));
	EXPECT_EQ(32, t.num_tile_configs);
	EXPECT_EQ(3, t.num_macro_tile_configs);
	EXPECT_EQ(0, t.num_banks);
	EXPECT_EQ(0, t.num_ranks);
	EXPECT_TRUE(kfd_all_bytes(tiles, 32 * 4, 0));
	EXPECT_TRUE(kfd_all_bytes(tiles + 32, 8 * 4, 0xa5));
	EXPECT_TRUE(kfd_all_bytes(macro, 3 * 4, 0));
	EXPECT_TRUE(kfd_all_bytes(macro + 3, 37 * 4, 0xa5));
	t.num_macro_tile_configs = ~0u;
	ASSERT_EQ(0, raw(self->c.fd, AMDKFD_IOC_GET_TILE_CONFIG, &t));
	EXPECT_EQ(16, t.num_macro_tile_configs);
	EXPECT_TRUE(kfd_all_bytes(macro + 16, 24 * 4, 0xa5));
	t.gpu_id ^= 1;
	EXPECT_EQ(-EINVAL, raw(self->c.fd, AMDKFD_IOC_GET_TILE_CONFIG, &t));
	/* Tables that cannot be written. */
	t.gpu_id ^= 1;
	page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	t.macro_tile_config_ptr = (uintptr_t)page;
	EXPECT_EQ(-EFAULT, raw(self->c.fd, AMDKFD_IOC_GET_TILE_CONFIG, &t));
	EXPECT_EQ(0, t.num_macro_tile_configs);
	t.num_tile_configs = 1;
	t.tile_config_ptr = 1ull << 63;
	EXPECT_EQ(-EFAULT, raw(self->c.fd, AMDKFD_IOC_GET_TILE_CONFIG, &t));
	EXPECT_EQ(0, t.num_tile_configs);
}

static int runtime(struct kfd_client *c, uint32_t mode, uint64_t r_debug)
{
	struct kfd_ioctl_runtime_enable_args args = {
		.r_debug = r_debug, .mode_mask = mode, .capabilities_mask = 0xa5a5,
	};
	int ret = raw(c->fd, AMDKFD_IOC_RUNTIME_ENABLE, &args);

	return args.capabilities_mask == 0xa5a5 && args.r_debug == r_debug ? ret : -EPROTO;
}

/* RUNTIME_ENABLE: once, before there are queues; it is disabled at any time, and stored. */
TEST_F(kfd, runtime_enable)
{
	const uint32_t on = KFD_RUNTIME_ENABLE_MODE_ENABLE_MASK;
	const uint32_t ttmp = KFD_RUNTIME_ENABLE_MODE_TTMP_SAVE_MASK;
	struct kfd_sdma q;
	const char *want = "runtime_enabled 1 runtime_ttmp 1 runtime_r_debug 0x1234567890";

	EXPECT_EQ(0, runtime(&self->c, 0, 1));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	EXPECT_EQ(-EEXIST, runtime(&self->c, on, 1));
	EXPECT_TRUE(stored_in("comm", "runtime_enabled 0 runtime_ttmp 0 runtime_r_debug 0x0"));
	ASSERT_EQ(0, kfd_sdma_destroy(&q));
	ASSERT_EQ(0, runtime(&self->c, on | ttmp, 0x1234567890));
	EXPECT_TRUE(stored_in("comm", want));
	EXPECT_EQ(-EBUSY, runtime(&self->c, on, 1));
	EXPECT_TRUE(stored_in("comm", want));
	/* Queues come after it, and do not hold up its end. */
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	EXPECT_EQ(-EBUSY, runtime(&self->c, on, 1));
	EXPECT_EQ(0, runtime(&self->c, ttmp, 5));
	EXPECT_TRUE(stored_in("comm", "runtime_enabled 0 runtime_ttmp 0 runtime_r_debug 0x0"));
	ASSERT_EQ(0, kfd_sdma_destroy(&q));
	EXPECT_EQ(0, runtime(&self->c, on, 7));
	EXPECT_TRUE(stored_in("comm", "runtime_enabled 1 runtime_ttmp 0 runtime_r_debug 0x7"));
}

/* SET_XNACK_MODE: a query answers 0; on is refused, and so is any change while there are queues. */
TEST_F(kfd, xnack_mode)
{
	struct kfd_ioctl_set_xnack_mode_args x = { .xnack_enabled = -1 };
	struct kfd_sdma q;

	ASSERT_EQ(0, raw(self->c.fd, AMDKFD_IOC_SET_XNACK_MODE, &x));
	EXPECT_EQ(0, x.xnack_enabled);
	x.xnack_enabled = 1;
	EXPECT_EQ(-EPERM, raw(self->c.fd, AMDKFD_IOC_SET_XNACK_MODE, &x));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	x.xnack_enabled = 0;
	EXPECT_EQ(-EBUSY, raw(self->c.fd, AMDKFD_IOC_SET_XNACK_MODE, &x));
	ASSERT_EQ(0, kfd_sdma_destroy(&q));
}

TEST_F(kfd, acquire_vm_rules)
{
	struct kfd_ioctl_acquire_vm_args args = {
		.gpu_id = self->c.gpu_id, .drm_fd = self->c.drm,
	};
	char path[64];
	int other;

	EXPECT_EQ(0, raw(self->c.fd, AMDKFD_IOC_ACQUIRE_VM, &args));
	snprintf(path, sizeof(path), "/dev/dri/renderD%u", self->c.minor);
	other = open(path, O_RDWR);
	ASSERT_LE(0, other);
	args.drm_fd = other;
	EXPECT_EQ(-EBUSY, raw(self->c.fd, AMDKFD_IOC_ACQUIRE_VM, &args));
	close(other);
	args.drm_fd = 999;
	EXPECT_EQ(-EINVAL, raw(self->c.fd, AMDKFD_IOC_ACQUIRE_VM, &args));
	/* No render node, and one is bound already. */
	args.drm_fd = self->c.fd;
	EXPECT_GT(0, raw(self->c.fd, AMDKFD_IOC_ACQUIRE_VM, &args));
	args.gpu_id = 1;
	EXPECT_EQ(-EINVAL, raw(self->c.fd, AMDKFD_IOC_ACQUIRE_VM, &args));
}

/**
 * struct reading - both clocks at one time
 * @gpu: counter
 * @system: nanoseconds
 * @window: nanoseconds between which both were read
 */
struct reading {
	uint64_t gpu, system, window;
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* The sharpest of many. */
static int read_clocks(struct kfd_client *c, struct reading *best)
{
	struct kfd_ioctl_get_clock_counters_args args;
	unsigned int i;
	int r;

	best->window = ~0ull;
	for (i = 0; i < 200; i++) {
		uint64_t window = now_ns();

		args = (struct kfd_ioctl_get_clock_counters_args){ .gpu_id = c->gpu_id };
		r = raw(c->fd, AMDKFD_IOC_GET_CLOCK_COUNTERS, &args);
		window = now_ns() - window;
		if (r || args.system_clock_freq != 1000000000)
			return r ? r : -EPROTO;
		if (window < best->window)
			*best = (struct reading){
				.gpu = args.gpu_clock_counter,
				.system = args.system_clock_counter,
				.window = window,
			};
	}
	return 0;
}

/*
 * S0.58: the line through two readings tells the third, as the HSA runtime does it, to what
 * the readings themselves leave open, a tick, and a microsecond a second.
 */
TEST_F(kfd, clocks_convert)
{
	double slope, off, allowed;
	struct reading r[3];
	unsigned int i;

	for (i = 0; i < 3; i++) {
		if (i)
			usleep(500000);
		ASSERT_EQ(0, read_clocks(&self->c, &r[i]));
	}
	ASSERT_LT(r[0].gpu, r[1].gpu);
	ASSERT_LT(r[1].gpu, r[2].gpu);
	slope = (double)(r[2].system - r[0].system) / (r[2].gpu - r[0].gpu);
	off = (r[1].gpu - r[0].gpu) * slope - (r[1].system - r[0].system);
	allowed = r[0].window + r[1].window + r[2].window + 2 * slope +
		  (r[2].system - r[0].system) / 1e6;
	TH_LOG("%.3f ns a tick, %.0f ns off, %.0f allowed", slope, off, allowed);
	EXPECT_LT(off < 0 ? -off : off, allowed);
}

/* Sends the descriptor @fd over the socket @s / receives one. */
static void send_fd(int s, int fd)
{
	char ctl[CMSG_SPACE(sizeof(int))] = { 0 }, byte = 0;
	struct iovec io = { &byte, 1 };
	struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = ctl,
			    .msg_controllen = sizeof(ctl) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof(int));
	sendmsg(s, &m, 0);
}

static int receive_fd(int s)
{
	char ctl[CMSG_SPACE(sizeof(int))], byte;
	struct iovec io = { &byte, 1 };
	struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = ctl,
			    .msg_controllen = sizeof(ctl) };
	int fd = -1;

	if (recvmsg(s, &m, 0) == 1 && CMSG_FIRSTHDR(&m))
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(int));
	return fd;
}

/* Number of commands that do not answer EBADF on a foreign descriptor. */
static int not_ebadf(int fd)
{
	uint8_t buf[512];
	unsigned int i;
	int bad = 0;

	for (i = 0; i < N_COMMANDS; i++) {
		memset(buf, 0, sizeof(buf));
		if (raw(fd, commands[i], buf) != -EBADF)
			bad++;
	}
	return bad;
}

/* B092: a forked child is not the owner; its own open is independent of the parent's. */
TEST_F(kfd, b092_fork)
{
	struct kfd_ioctl_get_version_args v;
	int status;
	pid_t pid = fork();

	if (!pid) {
		struct kfd_client mine;

		if (not_ebadf(self->c.fd))
			_exit(1);
		if (kfd_client_init(&mine, 0))
			_exit(2);
		kfd_client_close(&mine);
		_exit(0);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, raw(self->c.fd, AMDKFD_IOC_GET_VERSION, &v));
}

/* B092: a descriptor passed over a socket is no key to the opener's context. */
TEST_F(kfd, b092_passed_descriptor)
{
	int pair[2], status;
	pid_t pid;

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	pid = fork();
	if (!pid) {
		int fd = receive_fd(pair[1]);

		_exit(fd < 0 ? 1 : not_ebadf(fd) ? 2 : 0);
	}
	send_fd(pair[0], self->c.fd);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

/* What mmap of a doorbell slice says through @fd; 0 if it maps. */
static int map_doorbells(int fd, uint64_t offset)
{
	void *p = mmap(NULL, KFD_DOORBELL_SLICE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);

	if (p == MAP_FAILED)
		return -errno;
	munmap(p, KFD_DOORBELL_SLICE);
	return 0;
}

/* For a process that is not the opener of @fd and has no context of its own. */
static int foreigner(int fd, uint64_t doorbells)
{
	if (not_ebadf(fd))
		return 1;
	return map_doorbells(fd, doorbells) == -EINVAL ? 0 : 2;
}

#define FOREIGN_ENV	"CARILLON_FOREIGN_DESCRIPTOR"

/* This program again, to try the descriptor that it was started with. */
static void __attribute__((constructor)) run_as_foreigner(void)
{
	const char *text = getenv(FOREIGN_ENV);
	unsigned long long doorbells;
	int fd;

	if (text && sscanf(text, "%d %llx", &fd, &doorbells) == 2)
		_exit(foreigner(fd, doorbells));
}

static void exec_foreigner(int fd, uint64_t doorbells)
{
	char text[64];

	snprintf(text, sizeof(text), "%d %llx", fd, (unsigned long long)doorbells);
	setenv(FOREIGN_ENV, text, 1);
	fcntl(fd, F_SETFD, 0);
	execl("/proc/self/exe", "foreigner", NULL);
	_exit(100);
}

static int status_of(pid_t pid)
{
	int status = -1;

	return waitpid(pid, &status, 0) == pid ? status : -1;
}

static uint64_t slice_of(const struct kfd_sdma *q)
{
	return q->doorbell_offset & ~(uint64_t)(KFD_DOORBELL_SLICE - 1);
}

/* B092: a program that the child executes, and one that the opener itself becomes. */
TEST_F(kfd, b092_exec)
{
	struct kfd_event e;
	struct kfd_sdma q;
	struct kfd_bo b;
	pid_t pid;

	ASSERT_EQ(0, kfd_bo_vram(&self->c, 8192, &b));
	ASSERT_EQ(0, kfd_event_create(&self->c, &e));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	pid = fork();
	if (!pid)
		exec_foreigner(self->c.fd, slice_of(&q));
	EXPECT_EQ(0, status_of(pid));
	pid = fork();
	if (!pid) {
		struct kfd_client mine;
		struct kfd_sdma own;

		if (kfd_client_init(&mine, 0) || kfd_sdma_create(&mine, &own))
			_exit(101);
		exec_foreigner(mine.fd, slice_of(&own));
	}
	EXPECT_EQ(0, status_of(pid));
	/* What the child did and closed is nothing to the parent. */
	memset(b.cpu, 0x5a, 4096);
	EXPECT_EQ(0, kfd_sdma_copy_wait(&q, &e, b.cpu + 4096, b.cpu, 4096));
	EXPECT_EQ(0, memcmp(b.cpu, b.cpu + 4096, 4096));
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
}

/* B092: the doorbells of the opener through an inherited and through a passed descriptor. */
TEST_F(kfd, b092_foreign_mmap)
{
	struct kfd_sdma q;
	int pair[2];
	pid_t pid;

	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q));
	EXPECT_EQ(0, map_doorbells(self->c.fd, slice_of(&q)));
	pid = fork();
	if (!pid)
		_exit(foreigner(self->c.fd, slice_of(&q)));
	EXPECT_EQ(0, status_of(pid));
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	pid = fork();
	if (!pid)
		_exit(foreigner(receive_fd(pair[1]), slice_of(&q)));
	send_fd(pair[0], self->c.fd);
	EXPECT_EQ(0, status_of(pid));
	EXPECT_EQ(0, kfd_sdma_destroy(&q));
}

static void *thread_works(void *data)
{
	struct kfd_client *c = data;
	struct kfd_event e;
	struct kfd_sdma q;
	struct kfd_bo b;

	if (kfd_bo_vram(c, 8192, &b) || kfd_event_create(c, &e) || kfd_sdma_create(c, &q))
		return "objects";
	if (map_doorbells(c->fd, slice_of(&q)))
		return "mmap";
	memset(b.cpu, 0xa5, 4096);
	if (kfd_sdma_copy_wait(&q, &e, b.cpu + 4096, b.cpu, 4096) ||
	    memcmp(b.cpu, b.cpu + 4096, 4096))
		return "copy";
	if (kfd_sdma_destroy(&q) || kfd_bo_free(c, &b))
		return "freeing";
	return not_ebadf(c->fd) == N_COMMANDS ? NULL : "EBADF";
}

/* B092: a thread of the opener is the opener. */
TEST_F(kfd, b092_thread)
{
	void *failed = "no thread";
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, thread_works, &self->c));
	ASSERT_EQ(0, pthread_join(thread, &failed));
	EXPECT_EQ(NULL, failed) TH_LOG("%s", (char *)failed);
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
