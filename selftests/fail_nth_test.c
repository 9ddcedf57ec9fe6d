// SPDX-License-Identifier: GPL-2.0-only
/*
 * Error sweep: the first, second, third... allocation in the kernel fails, until a run
 * comes through without a failure, of each of these:
 *
 * - a process sets everything up.  Whatever fails, it gets an errno, nothing is left
 *   behind, and the next one works (S0.42, B013);
 * - the driver is bound to the GPU, so each step of probe fails (B148).  The device's NUMA
 *   node is taken from it for that time: with one, the PCI core probes in a worker;
 * - the driver is loaded, which probes nothing meanwhile (B148).
 *
 * Left out is what the module loader allocates before the module's own code runs, and what
 * drm_dev_init() does: in Linux 6.1 drm_minor_alloc() leaves an error where the release
 * expects a device.  The load of the model cannot be swept: a PCI core that has no memory for
 * a new bus panics (pdev_sort_resources()), or drops the host bridge's reference twice.
 * Needs a kernel with fault injection that was booted with slub_debug=A,kmalloc-*; others
 * skip.  Arguments choose among set-up, probe and load.  Of probe and load one allocation
 * in four fails; with FAIL_NTH_ALL in the environment, each.
 *
 * vm: timeout=900
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kfd_client.h"

#define FAIL_NTH	"/proc/thread-self/fail-nth"
#define MAX_NTH		5000
#define DRIVER		"carillon"
#define PCI_DRIVER	"/sys/bus/pci/drivers/" DRIVER
#define AUTOPROBE	"/sys/bus/pci/drivers_autoprobe"
/*
 * The bus and drm_dev_init() come before, with some 30 allocations, and as many again where
 * a slab has to grow; too low a number takes the kernel down.
 */
#define PROBE_FIRST	80
#define NUM_SWITCHES	4

/* Allocations that may sleep and single pages fail as well, which is not the default. */
static const char *const switches[NUM_SWITCHES] = {
	"/sys/kernel/debug/failslab/ignore-gfp-wait",
	"/sys/kernel/debug/fail_page_alloc/ignore-gfp-wait",
	"/sys/kernel/debug/fail_page_alloc/ignore-gfp-highmem",
	"/sys/kernel/debug/fail_page_alloc/min-order",
};

static const char *const sweeping[NUM_SWITCHES] = { "N", "N", "N", "0" };
static const char *const at_rest[NUM_SWITCHES] = { "Y", "Y", "Y", "1" };

/* Result of a run; a child's exit status. */
enum { RUN_WORKED, RUN_FAILED, RUN_NOT_REACHED, RUN_NO_INJECTION, RUN_BROKEN };

static unsigned int results;

static void result(bool ok, const char *what)
{
	printf("%sok %u - %s\n", ok ? "" : "not ", ++results, what);
}

/* ---- files ---- */

static bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return ok;
}

/* The first line; "" if there is none. */
static void read_line(const char *path, char *buf, size_t size)
{
	FILE *f = fopen(path, "r");

	buf[0] = 0;
	if (!f)
		return;
	if (!fgets(buf, size, f))
		buf[0] = 0;
	buf[strcspn(buf, "\n")] = 0;
	fclose(f);
}

static unsigned int count_paths(const char *pattern)
{
	unsigned int n;
	glob_t g;

	if (glob(pattern, 0, NULL, &g))
		return 0;
	n = g.gl_pathc;
	globfree(&g);
	return n;
}

/* ---- injection ---- */

/*
 * Slab allocations fail only in caches that were marked at boot.  That leaves out
 * drm_buddy's: in Linux 6.1 it enters a block into its list twice when it cannot
 * allocate the record of a half (alloc_from_freelist(), err_undo).
 */
static bool choose_caches(void)
{
	char mark[8];

	read_line("/sys/kernel/slab/kmalloc-64/failslab", mark, sizeof(mark));
	return mark[0] == '1' && write_file("/sys/kernel/debug/failslab/cache-filter", "Y");
}

static bool set_switches(const char *const values[NUM_SWITCHES])
{
	unsigned int i;
	bool all = true;

	for (i = 0; i < NUM_SWITCHES; i++)
		all &= write_file(switches[i], values[i]);
	/* One line each; stack traces would bury the log. */
	write_file("/sys/kernel/debug/failslab/verbose", "1");
	write_file("/sys/kernel/debug/fail_page_alloc/verbose", "1");
	return all;
}

/* The @nth allocation of this thread from now on fails; a descriptor for nth_end(), or -1. */
static int nth_begin(unsigned int nth)
{
	char text[16];
	int fd = open(FAIL_NTH, O_RDWR);

	snprintf(text, sizeof(text), "%u", nth);
	if (fd >= 0 && write(fd, text, strlen(text)) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* What is left of the count; 0: the failure has happened; -1: no injection. */
static int nth_end(int fd)
{
	char text[16] = "";
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	if (n < 0 || pwrite(fd, "0", 1, 0) < 0)
		n = -1;
	close(fd);
	return n < 0 ? -1 : atoi(text);
}

static int run_result(int left, int ret)
{
	if (left < 0)
		return RUN_NO_INJECTION;
	if (left)
		return RUN_NOT_REACHED;
	return ret ? RUN_FAILED : RUN_WORKED;
}

/**
 * struct sweep - what fails, again and again
 * @what: for the results
 * @run: one run, of which the allocation with this number fails; RUN_*
 * @first: number of the first that counts
 * @slow: takes so long that a part must do
 * @clean: nothing is left of a run
 */
struct sweep {
	const char *what;
	int (*run)(unsigned int nth);
	unsigned int first;
	bool slow;
	bool (*clean)(void);
};

static void sweep(const struct sweep *s)
{
	unsigned int step = s->slow && !getenv("FAIL_NTH_ALL") ? 4 : 1;
	unsigned int nth, failed = 0;
	bool clean = true;
	int last = RUN_BROKEN;
	char text[128];

	for (nth = s->first; nth < s->first + MAX_NTH && clean; nth += step) {
		last = s->run(nth);
		if (last > RUN_FAILED)
			break;
		failed += last == RUN_FAILED;
		clean = s->clean();
		if (!clean)
			printf("# something is left after failure %u\n", nth);
	}
	printf("# %s: %u allocations, %u of them fatal\n", s->what, nth - s->first, failed);
	snprintf(text, sizeof(text), "%s: %s was made to fail", s->what,
		 step == 1 ? "each allocation" : "one allocation in four");
	result(last == RUN_NOT_REACHED && failed, text);
	snprintf(text, sizeof(text), "%s: no failure left anything behind", s->what);
	result(clean, text);
}

/* ---- a process sets everything up ---- */

/* Watch queues stop for user pages that move. */
static int use_smi(struct kfd_client *c, struct kfd_bo *user)
{
	int fd = kfd_smi_open(c, ~0ull);
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char line[KFD_SMI_EVENT_MSG_SIZE];
	int ret = 0;

	if (fd < 0)
		return fd;
	if (madvise(user->cpu, user->size, MADV_DONTNEED) ||
	    poll(&p, 1, KFD_TIMEOUT_MS) != 1 || read(fd, line, sizeof(line)) <= 0)
		ret = -EIO;
	close(fd);
	return ret;
}

/* Stops at the first error: the next things are swept once that is past. */
static int set_everything_up(void)
{
	struct kfd_bo vram, gtt, user;
	struct kfd_event event;
	struct kfd_client c;
	struct kfd_sdma q;
	uint32_t result;
	int ret;

	ret = kfd_client_init(&c, 0);
	if (!ret)
		ret = kfd_event_create(&c, &event);
	if (!ret)
		ret = kfd_bo_vram(&c, 3 << 20, &vram);
	if (!ret)
		ret = kfd_bo_gtt(&c, 65536, &gtt);
	if (!ret)
		ret = kfd_bo_user(&c, 65536, &user);
	if (!ret)
		ret = kfd_sdma_create(&c, &q);
	if (!ret)
		ret = kfd_sdma_copy_wait(&q, &event, gtt.cpu, user.cpu, 65536);
	if (!ret)
		ret = kfd_event_wait(&c, &event, 0, &result);
	if (!ret)
		ret = use_smi(&c, &user);
	if (!ret)
		ret = kfd_sdma_destroy(&q);
	if (!ret)
		ret = kfd_bo_free(&c, &user);
	return ret;
}

static char counts_before[4096];

static bool counts_are_back(void)
{
	return !kfd_counts_settle(counts_before);
}

static int set_up_in_child(unsigned int nth)
{
	int fd = nth_begin(nth);
	int ret;

	if (fd < 0)
		return RUN_NO_INJECTION;
	ret = set_everything_up();
	return run_result(nth_end(fd), ret);
}

static int run_set_up(unsigned int nth)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(set_up_in_child(nth));
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return RUN_BROKEN;
	/* A child whose page fault met the failure dies of a signal; that is its right. */
	return WIFEXITED(status) ? WEXITSTATUS(status) : RUN_FAILED;
}

/* The test's own process must have no context when the driver is unloaded. */
static bool works(void)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(set_everything_up() ? 1 : 0);
	return pid > 0 && waitpid(pid, &status, 0) == pid && !status;
}

/* ---- the driver is bound ---- */

static char gpu[16], gpu_dir[64];
static unsigned int nodes_before, render_before;

/* The first function that the driver has. */
static bool find_gpu(void)
{
	glob_t g;

	if (glob(PCI_DRIVER "/*:*:*.*", 0, NULL, &g))
		return false;
	snprintf(gpu, sizeof(gpu), "%s", strrchr(g.gl_pathv[0], '/') + 1);
	snprintf(gpu_dir, sizeof(gpu_dir), "/sys/bus/pci/devices/%s", gpu);
	globfree(&g);
	return true;
}

/* @from: where the old node goes, or NULL. */
static bool set_numa_node(const char *node, char *from, size_t size)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/numa_node", gpu_dir);
	if (from)
		read_line(path, from, size);
	return write_file(path, node);
}

static bool is_bound(void)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/driver", gpu_dir);
	return !access(path, F_OK);
}

static int run_bind(unsigned int nth)
{
	int bind = open(PCI_DRIVER "/bind", O_WRONLY);
	int fd = nth_begin(nth);
	int ret;

	if (bind < 0 || fd < 0)
		return RUN_NO_INJECTION;
	ret = write(bind, gpu, strlen(gpu)) < 0 ? -errno : 0;
	ret = run_result(nth_end(fd), ret);
	close(bind);
	if (ret == RUN_WORKED && is_bound() && !write_file(PCI_DRIVER "/unbind", gpu))
		return RUN_BROKEN;
	return ret;
}

static bool bind_left_nothing(void)
{
	return !is_bound() && kfd_num_nodes() == nodes_before &&
	       count_paths("/dev/dri/renderD*") == render_before && counts_are_back();
}

static void sweep_bind(void)
{
	const struct sweep s = {
		.what = "probe", .run = run_bind, .first = PROBE_FIRST, .slow = true,
		.clean = bind_left_nothing,
	};

	if (!write_file(PCI_DRIVER "/unbind", gpu))
		return result(false, "the driver lets go of the GPU");
	nodes_before = kfd_num_nodes();
	render_before = count_paths("/dev/dri/renderD*");
	kfd_counts_read(counts_before, sizeof(counts_before));
	sweep(&s);
	if (!is_bound())
		write_file(PCI_DRIVER "/bind", gpu);
	result(works(), "probe: the driver works as before");
}

/* ---- modules are loaded ---- */

static int open_module(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s.ko", getenv("CARILLON_MODULES_DIR"), name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Load it; the allocation with number @nth fails.  *@left: as of nth_end(). */
static int load_nth(const char *name, const char *parameters, unsigned int nth, int *left)
{
	int file = open_module(name);
	int fd = nth_begin(nth);
	int ret;

	*left = -1;
	if (file < 0 || fd < 0)
		return -ENODEV;
	ret = syscall(SYS_finit_module, file, parameters, 0) ? -errno : 0;
	*left = nth_end(fd);
	close(file);
	return ret;
}

static bool load(const char *name, const char *parameters)
{
	int file = open_module(name);
	bool ok = file >= 0 && !syscall(SYS_finit_module, file, parameters, 0);

	if (file >= 0)
		close(file);
	return ok;
}

/* The reference of a process that ended goes a little later. */
static bool unload(const char *name)
{
	unsigned int i;

	for (i = 0; i < 6000 * kfd_time_scale(); i++) {
		if (!syscall(SYS_delete_module, name, O_NONBLOCK))
			return true;
		if (errno != EAGAIN)
			break;
		usleep(10000);
	}
	return false;
}

/*
 * How much the loader allocates before it reads the parameters, which is shortly before
 * the module's code runs: a load ends there if one is wrong.
 */
static unsigned int loader_allocations(const char *name, const char *wrong)
{
	unsigned int i;
	int left = -1;

	/* The second time the file has been read. */
	for (i = 0; i < 2; i++)
		if (load_nth(name, wrong, MAX_NTH, &left) != -EINVAL || left <= 0)
			return 0;
	return MAX_NTH - left;
}

static int run_load(const char *name, const char *parameters, unsigned int nth)
{
	int left, ret = load_nth(name, parameters, nth, &left);

	if (!ret && !unload(name))
		return RUN_BROKEN;
	return run_result(left, ret);
}

static int run_load_driver(unsigned int nth)
{
	return run_load(DRIVER, "", nth);
}

static bool driver_left_nothing(void)
{
	return access("/sys/module/" DRIVER, F_OK) && access("/dev/kfd", F_OK) &&
	       access("/sys/class/kfd", F_OK) && access(PCI_DRIVER, F_OK) &&
	       access("/sys/kernel/debug/" DRIVER, F_OK) &&
	       count_paths("/dev/dri/renderD*") == render_before;
}

static void sweep_driver(void)
{
	struct sweep s = {
		.what = "load of the driver", .run = run_load_driver, .slow = true,
		.clean = driver_left_nothing,
	};

	s.first = loader_allocations(DRIVER, "vmids=0");
	if (!s.first)
		return result(false, "the driver refuses a wrong parameter");
	if (!write_file(AUTOPROBE, "0"))
		return result(false, "no driver is bound by itself");
	sweep(&s);
	write_file(AUTOPROBE, "1");
}

static void sweep_loads(void)
{
	if (!unload(DRIVER))
		return result(false, "the driver is unloaded");
	sweep_driver();
	/* A sweep that was cut short. */
	unload(DRIVER);
	result(load(DRIVER, ""), "load: the driver is loaded again");
	result(works(), "load: the driver works as before");
}

static int skip(const char *why)
{
	printf("1..0 # SKIP %s\n", why);
	return 0;
}

static void sweep_set_up(void)
{
	const struct sweep s = {
		.what = "set-up", .run = run_set_up, .first = 1, .clean = counts_are_back,
	};

	sweep(&s);
	result(works(), "set-up: the driver works as before");
}

static bool wanted(char **argv, const char *what)
{
	if (!*++argv)
		return true;
	while (*argv)
		if (!strcmp(*argv++, what))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	char node[16];

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n");
	if (access("/dev/kfd", F_OK) || kfd_counts_read(counts_before, sizeof(counts_before)))
		return skip("no driver or no debugfs");
	if (access(FAIL_NTH, W_OK) || !set_switches(sweeping))
		return skip("this kernel has no fault injection");
	if (!choose_caches())
		return skip("not booted with slub_debug=A,kmalloc-*");
	if (!getenv("CARILLON_MODULES_DIR") || !find_gpu())
		return skip("not in the test VM");
	if (wanted(argv, "set-up"))
		sweep_set_up();
	result(set_numa_node("-1", node, sizeof(node)), "the GPU's NUMA node is taken from it");
	if (wanted(argv, "probe"))
		sweep_bind();
	if (wanted(argv, "load"))
		sweep_loads();
	/* The load made the function anew, with its node. */
	set_numa_node(node, NULL, 0);
	set_switches(at_rest);
	printf("1..%u\n", results);
	return 0;
}
