// SPDX-License-Identifier: GPL-2.0-only
/*
 * Why our libhsakmt cannot open the driver, on the real device files: no device, no
 * permission, devices that a container lacks or forbids.  Each has its own status and one line in
 * the log that says what is missing (wish 3 of users).
 *
 * vm: timeout=600
 */
#include <dlfcn.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include "../libthunk/include/hsakmt.h"
#include "cgroup.h"
#include "kfd_harness.h"

#define NOBODY	65534

/* What a child found. */
struct answer {
	int opened;
	int registered;
	int set_up;
	char line[1024];
};

/* Open through the library, keep its lines, register memory of one's own. */
static void ask(struct answer *answer)
{
	typeof(hsaKmtRegisterMemory) *register_memory;
	typeof(hsaKmtOpenKFD) *open_kfd;
	static char own[4096];
	char path[4096];
	const char *dir = getenv("THUNK_DIR");
	FILE *lines = tmpfile();
	void *library;

	snprintf(path, sizeof(path), "%s/libhsakmt.so.1", dir ? dir : "../build/libthunk");
	library = dlopen(path, RTLD_NOW);
	if (!library || !lines || dup2(fileno(lines), STDERR_FILENO) < 0)
		_exit(2);
	open_kfd = dlsym(library, "hsaKmtOpenKFD");
	register_memory = dlsym(library, "hsaKmtRegisterMemory");
	if (!open_kfd || !register_memory)
		_exit(3);
	setenv("HSAKMT_DEBUG_LEVEL", "4", 1);
	answer->opened = open_kfd();
	answer->registered = register_memory(own, sizeof(own));
	fflush(stderr);
	rewind(lines);
	if (fread(answer->line, 1, sizeof(answer->line) - 1, lines) == 0)
		answer->line[0] = '\0';
}

/* The library's answers after @change, in a process of its own. */
static void ask_after(int (*change)(void), struct answer *answer)
{
	struct answer *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid = fork();

	if (!pid) {
		shared->set_up = change();
		if (!shared->set_up)
			ask(shared);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	*answer = *shared;
	munmap(shared, sizeof(*shared));
}

static int change_nothing(void)
{
	return 0;
}

/* A /dev of one's own, with the device files that @with says. */
static int own_dev(bool with_kfd)
{
	struct stat kfd;

	if (stat("/dev/kfd", &kfd) || unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/dev", "tmpfs", 0, NULL))
		return 1;
	return with_kfd ? mknod("/dev/kfd", S_IFCHR | 0600, kfd.st_rdev) : 0;
}

static int remove_devices(void)
{
	return own_dev(false);
}

static int remove_render_nodes(void)
{
	return own_dev(true);
}

static int become_nobody(void)
{
	return own_dev(true) || setgid(NOBODY) || setuid(NOBODY);
}

static struct cgroup group;

static int join_group(void)
{
	return cgroup_add(&group, getpid());
}

/* A device cgroup without the devices @denied.  Return: 0, or why there is none. */
static int group_without(const char *denied)
{
	int ret = cgroup_begin(&group, "cgroup", "devices", NULL);

	if (ret)
		return ret;
	ret = cgroup_write(&group, "devices.deny", denied);
	if (ret)
		cgroup_end(&group);
	return ret;
}

TEST(with_everything)
{
	struct answer answer;

	if (access("/dev/kfd", F_OK))
		SKIP(return, "no /dev/kfd");
	ask_after(change_nothing, &answer);
	EXPECT_EQ(HSAKMT_STATUS_SUCCESS, answer.opened);
	EXPECT_EQ(HSAKMT_STATUS_SUCCESS, answer.registered);
	EXPECT_STREQ("", answer.line);
}

TEST(no_device_file)
{
	struct answer answer;

	ask_after(remove_devices, &answer);
	if (answer.set_up)
		SKIP(return, "no mount namespace");
	EXPECT_EQ(HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED, answer.opened);
	EXPECT_STREQ("libhsakmt: /dev/kfd: no such device file: no driver is loaded, "
		     "or the container lacks the device\n", answer.line);
}

TEST(no_permission)
{
	struct answer answer;

	ask_after(become_nobody, &answer);
	if (answer.set_up)
		SKIP(return, "no mount namespace");
	EXPECT_EQ(HSAKMT_STATUS_KERNEL_COMMUNICATION_ERROR, answer.opened);
	EXPECT_STREQ("libhsakmt: /dev/kfd: no permission for uid 65534: mode 0600, owner 0, "
		     "group 0 (add the user to it)\n", answer.line);
}

TEST(no_render_node)
{
	struct answer answer;

	ask_after(remove_render_nodes, &answer);
	if (answer.set_up)
		SKIP(return, "no mount namespace");
	/* CPU nodes can be used; what needs a GPU says that one is filtered out. */
	EXPECT_EQ(HSAKMT_STATUS_SUCCESS, answer.opened);
	EXPECT_EQ(HSAKMT_STATUS_UNAVAILABLE, answer.registered);
	EXPECT_NE(NULL, strstr(answer.line, "no GPU: all 1 are filtered out for this process\n"));
}

TEST(device_cgroup_forbids_kfd)
{
	struct answer answer;
	char denied[32];
	struct stat kfd;

	ASSERT_EQ(0, stat("/dev/kfd", &kfd));
	snprintf(denied, sizeof(denied), "c %u:* rwm", major(kfd.st_rdev));
	if (group_without(denied))
		SKIP(return, "no device cgroup");
	ask_after(join_group, &answer);
	cgroup_end(&group);
	ASSERT_EQ(0, answer.set_up);
	EXPECT_EQ(HSAKMT_STATUS_UNAVAILABLE, answer.opened);
	EXPECT_STREQ("libhsakmt: /dev/kfd: filtered out by the device cgroup\n", answer.line);
}

TEST(device_cgroup_forbids_gpu)
{
	struct answer answer;

	if (group_without("c 226:* rwm"))
		SKIP(return, "no device cgroup");
	ask_after(join_group, &answer);
	cgroup_end(&group);
	ASSERT_EQ(0, answer.set_up);
	EXPECT_EQ(HSAKMT_STATUS_SUCCESS, answer.opened);
	EXPECT_EQ(HSAKMT_STATUS_UNAVAILABLE, answer.registered);
	EXPECT_NE(NULL, strstr(answer.line, "a GPU that the device cgroup hides\n"));
	EXPECT_NE(NULL, strstr(answer.line, "no GPU: all 1 are filtered out for this process\n"));
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
