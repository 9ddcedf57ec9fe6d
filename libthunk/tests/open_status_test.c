// SPDX-License-Identifier: MIT
/* DOC: why an open fails, and what a program without a GPU is told: statuses and log lines. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "device_open.h"
#include "fake_kfd.h"
#include "fixture.h"
#include "hsakmt/hsakmt.h"
#include "thunk_log.h"
#include "thunk_test.h"
#include "thunk_util.h"

/* Lines of warnings and errors, the last one and how many. */
static char last_line[256];
static unsigned int lines;

static void keep_line(enum thunk_log_level level, const char *line)
{
	if (level > THUNK_LOG_WARN)
		return;
	lines++;
	snprintf(last_line, sizeof(last_line), "%s", line);
}

static void start(const char *name, uint32_t gpus)
{
	fake_kfd_install(fixture_load(name), gpus);
	thunk_log_set_sink(keep_line);
	lines = 0;
}

static void expect_line(const char *part)
{
	if (lines != 1 || !strstr(last_line, part))
		printf("# %u lines, the last one: %s\n", lines, last_line);
	CHECK_EQ(1, lines);
	CHECK(strstr(last_line, part));
	lines = 0;
}

TEST(open_statuses, "wish 3: no device, driver, permission; filtered: status, one line")
{
	static const struct {
		int err;
		HSAKMT_STATUS status;
		const char *line;
	} rows[] = {
		{ ENOENT, HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED, "no such device file" },
		{ ENXIO, HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED, "no driver behind" },
		{ ENODEV, HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED, "no driver behind" },
		{ EACCES, HSAKMT_STATUS_KERNEL_COMMUNICATION_ERROR, "no permission for uid" },
		{ EPERM, HSAKMT_STATUS_UNAVAILABLE, "filtered out by the device cgroup" },
		{ EMFILE, HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED, "Too many open files" },
	};
	unsigned int i;

	start("vega10", 1);
	fake.open_path = "/dev/kfd";
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		fake.open_errno = rows[i].err;
		CHECK_EQ(rows[i].status, hsaKmtOpenKFD());
		expect_line(rows[i].line);
		CHECK(strstr(last_line, "/dev/kfd"));
	}
	CHECK_EQ(0, fake.calls);
	fake.open_errno = 0;
	fake.major = 2;
	CHECK_EQ(HSAKMT_STATUS_DRIVER_MISMATCH, hsaKmtOpenKFD());
	expect_line("version is 2.11");
	fake.major = 1;
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(0, lines);
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(open_no_permission, "wish 3: the line names the file's mode and group, if it can be seen")
{
	start("vega10", 1);
	fake.open_path = "/dev/kfd";
	fake.open_errno = EACCES;
	CHECK_EQ(HSAKMT_STATUS_KERNEL_COMMUNICATION_ERROR, hsaKmtOpenKFD());
	expect_line(", group ");
	fixture_remove("dev/kfd");
	CHECK_EQ(HSAKMT_STATUS_KERNEL_COMMUNICATION_ERROR, hsaKmtOpenKFD());
	expect_line("no permission for uid");
	CHECK(!strstr(last_line, "group"));
	/* a render node's permission counts as well: the group is the same */
	fixture_write("dev/kfd", "");
	fake.open_path = "/dev/dri/renderD128";
	CHECK_EQ(HSAKMT_STATUS_KERNEL_COMMUNICATION_ERROR, hsaKmtOpenKFD());
	CHECK_EQ(2, lines);
	CHECK(strstr(last_line, "topology cannot be read"));
	CHECK_EQ(0, fake.bos);
}

static char own_page[4096];

TEST(open_no_gpu, "wish 3: no GPU: the open works, says so, and GPU calls say INVALID_NODE_UNIT")
{
	start("cpu_only", 0);
	CHECK_EQ(0, hsaKmtOpenKFD());
	expect_line("no GPU: the driver has none");
	CHECK_EQ(HSAKMT_STATUS_INVALID_NODE_UNIT, hsaKmtRegisterMemory(own_page, 64));
	CHECK_EQ(HSAKMT_STATUS_INVALID_NODE_UNIT,
		 hsaKmtSetTrapHandler(1, own_page, 64, own_page, 64));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

static void check_filtered(void)
{
	HsaMemFlags flags = { .ui32 = { .NonPaged = 1 } };
	HsaGpuTileConfig tiles = { 0 };
	HsaQueueResource queue = { 0 };
	HSAuint32 node = 1;
	void *p;

	CHECK_EQ(HSAKMT_STATUS_UNAVAILABLE, hsaKmtRegisterMemory(own_page, 64));
	CHECK_EQ(HSAKMT_STATUS_UNAVAILABLE, hsaKmtRegisterMemoryToNodes(own_page, 64, 1, &node));
	CHECK_EQ(HSAKMT_STATUS_UNAVAILABLE, hsaKmtAllocMemory(1, 4096, flags, &p));
	CHECK_EQ(HSAKMT_STATUS_UNAVAILABLE, hsaKmtGetTileConfig(1, &tiles));
	CHECK_EQ(HSAKMT_STATUS_UNAVAILABLE, hsaKmtSetTrapHandler(1, NULL, 0, NULL, 0));
	CHECK_EQ(HSAKMT_STATUS_UNAVAILABLE,
		 hsaKmtCreateQueue(1, HSA_QUEUE_SDMA, 100, 0, own_page, 4096, NULL, &queue));
	/* beyond the last node there is nothing to be filtered */
	CHECK_EQ(HSAKMT_STATUS_INVALID_NODE_UNIT, hsaKmtSetTrapHandler(2, NULL, 0, NULL, 0));
	/* CPU nodes can be used */
	flags.ui32.NonPaged = 0;
	CHECK_EQ(0, hsaKmtAllocMemory(0, 4096, flags, &p));
	CHECK_EQ(0, hsaKmtFreeMemory(p, 4096));
}

TEST(open_filtered, "wish 3: GPUs filtered out: open works, says so, GPU calls say UNAVAILABLE")
{
	static const int errs[] = { EPERM, ENOENT };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(errs); i++) {
		start("vega10", 1);
		fake.open_path = "/dev/dri/";
		fake.open_errno = errs[i];
		CHECK_EQ(0, hsaKmtOpenKFD());
		/* the file, the node, and that it was the only one */
		CHECK_EQ(3, lines);
		CHECK(strstr(last_line, "no GPU: all 1 are filtered out"));
		check_filtered();
		CHECK_EQ(0, hsaKmtCloseKFD());
		fixture_remove("");
	}
}

TEST(open_bad_topology, "a tree or an override that cannot be read: ERROR and one line")
{
	start("vega10", 1);
	fixture_remove(TOPO "/system_properties");
	CHECK_EQ(HSAKMT_STATUS_ERROR, hsaKmtOpenKFD());
	expect_line("topology cannot be read");
	fixture_write(TOPO "/system_properties", "platform_oem 1\n");
	setenv("HSA_OVERRIDE_GFX_VERSION", "nine", 1);
	CHECK_EQ(HSAKMT_STATUS_ERROR, hsaKmtOpenKFD());
	CHECK_EQ(2, lines);
	unsetenv("HSA_OVERRIDE_GFX_VERSION");
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(0, hsaKmtCloseKFD());
}

/* What an open of a missing device prints at a level. */
static void print_at(const char *level, char *text, size_t size)
{
	int keep = dup(STDERR_FILENO);
	int pipes[2];
	ssize_t len;

	CHECK(keep >= 0 && !pipe(pipes));
	CHECK(!fcntl(pipes[0], F_SETFL, O_NONBLOCK));
	if (level)
		setenv("HSAKMT_DEBUG_LEVEL", level, 1);
	CHECK(dup2(pipes[1], STDERR_FILENO) >= 0);
	CHECK_EQ(HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED, hsaKmtOpenKFD());
	fflush(stderr);
	CHECK(dup2(keep, STDERR_FILENO) >= 0);
	len = read(pipes[0], text, size - 1);
	text[len > 0 ? len : 0] = '\0';
	close(pipes[0]);
	close(pipes[1]);
	close(keep);
}

TEST(debug_level, "HSAKMT_DEBUG_LEVEL: silence unless 3 to 7; lines go to standard error")
{
	static const struct {
		const char *level;
		bool speaks;
	} rows[] = {
		{ NULL, false }, { "0", false }, { "2", false }, { "3", true }, { "4", true },
		{ "7", true }, { "8", false }, { "-1", false }, { "much", false }, { "", false },
	};
	char text[1024];
	unsigned int i;

	fake_kfd_install(fixture_load("vega10"), 1);
	fixture_remove("dev/kfd");
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		print_at(rows[i].level, text, sizeof(text));
		CHECK_EQ(rows[i].speaks, !strncmp(text, "libhsakmt: ", 11));
		CHECK_EQ(rows[i].speaks, text[0] != '\0');
	}
}

TEST(options_without_effect, "variables that this library does not use are named in the log")
{
	setenv("HSA_RESERVE_SVM", "1", 1);
	setenv("HSA_SVM_GUARD_PAGES", "4", 1);
	start("vega10", 1);
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(2, lines);
	CHECK(strstr(last_line, "HSA_SVM_GUARD_PAGES"));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(render_minor_range, "a render minor out of 128..255 is refused before any open")
{
	start("vega10", 1);
	fixture_write(NODE "/1/properties", "simd_count 4\ndrm_render_minor 7\n");
	CHECK_EQ(HSAKMT_STATUS_ERROR, hsaKmtOpenKFD());
	CHECK(strstr(last_line, "topology cannot be read"));
}
