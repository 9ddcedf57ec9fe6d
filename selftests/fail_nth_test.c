// SPDX-License-Identifier: GPL-2.0-only
/*
 * Error sweep: one allocation in the kernel fails, each time another, until a run comes
 * through without a failure, of each of these:
 *
 * - a process sets everything up.  Whatever fails, it gets an errno, nothing is left
 *   behind, and the next one works (S0.42, B013);
 * - a process is made from a checkpoint of such a one, likewise;
 * - the driver is bound to the GPU, so each step of probe fails (B148).  The device's NUMA
 *   node is taken from it for that time: with one, the PCI core probes in a worker;
 * - the driver is loaded, which probes nothing meanwhile (B148);
 * - the model is loaded, without a driver (B148).
 *
 * What fails is not the n-th allocation but the n-th chain of callers that allocates
 * (kmod/starve.c): each fails the first time that it comes by and, in another run, the
 * second; with FAIL_NTH_ALL in the environment, each time.  Left out are the allocations
 * of the functions that starve.h lists.
 *
 * Needs a kernel with fault injection that was booted with slub_debug=A,kmalloc-*; others
 * skip.  Arguments choose among set-up, restore, probe, load and model.
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
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kfd_client.h"
#include "starve.h"

#define MAX_RUNS	5000
#define DRIVER		"carillon"
#define MODEL		"carillon_vgpu"
#define PCI_DRIVER	"/sys/bus/pci/drivers/" DRIVER
#define AUTOPROBE	"/sys/bus/pci/drivers_autoprobe"
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
	return !kfd_write_file(path, text);
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

/* What has failed, and on whose behalf. */
static char failed_chain[512];

static int run_result(int failed, int ret)
{
	if (failed < 0)
		return RUN_NO_INJECTION;
	if (!failed)
		return ret ? RUN_BROKEN : RUN_NOT_REACHED;
	return ret ? RUN_FAILED : RUN_WORKED;
}

/**
 * struct sweep - what fails, again and again
 * @what: for the results
 * @run: one run; RUN_*
 * @clean: nothing is left of a run
 */
struct sweep {
	const char *what;
	int (*run)(void);
	bool (*clean)(void);
};

static void sweep(const struct sweep *s)
{
	unsigned int runs = 0, fatal = 0;
	int last = RUN_BROKEN;
	bool clean = true;
	char text[128];

	if (!starve_forget())
		return result(false, "what may fail can be chosen");
	for (; runs < MAX_RUNS && clean; runs++) {
		last = s->run();
		if (last > RUN_FAILED)
			break;
		fatal += last == RUN_FAILED;
		clean = s->clean();
		if (!clean)
			printf("# something is left after the failure of %s\n", failed_chain);
	}
	printf("# %s: %u failures, %u of them fatal\n", s->what, runs, fatal);
	snprintf(text, sizeof(text), "%s: each kind of allocation was made to fail", s->what);
	result(last == RUN_NOT_REACHED && fatal, text);
	snprintf(text, sizeof(text), "%s: no failure left anything behind", s->what);
	result(clean, text);
}

/* ---- a process sets everything up ---- */

/* All that a process of the sequence has. */
struct set_up {
	struct kfd_client c;
	struct kfd_event event;
	struct kfd_bo vram, gtt, user, imported;
	struct kfd_sdma q;
	int dmabuf;
};

static int do_open(struct set_up *s)
{
	return kfd_client_open(&s->c, 0);
}

static int do_acquire(struct set_up *s)
{
	return kfd_client_acquire(&s->c);
}

static int do_apertures(struct set_up *s)
{
	struct kfd_process_device_apertures list[1];
	struct kfd_ioctl_get_process_apertures_new_args args = {
		.kfd_process_device_apertures_ptr = (uintptr_t)list,
		.num_of_nodes = 1,
	};

	return kfd_ioctl(s->c.fd, AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, &args);
}

static int do_event(struct set_up *s)
{
	return kfd_event_create(&s->c, &s->event);
}

static int do_vram(struct set_up *s)
{
	return kfd_bo_vram(&s->c, 3 << 20, &s->vram);
}

static int do_gtt(struct set_up *s)
{
	return kfd_bo_gtt(&s->c, 65536, &s->gtt);
}

static int do_user(struct set_up *s)
{
	return kfd_bo_user(&s->c, 65536, &s->user);
}

static int do_export(struct set_up *s)
{
	s->dmabuf = kfd_bo_export(&s->c, s->vram.handle);
	return s->dmabuf < 0 ? s->dmabuf : 0;
}

static int do_import(struct set_up *s)
{
	return kfd_bo_import(&s->c, s->dmabuf, &s->imported);
}

static int do_queue(struct set_up *s)
{
	return kfd_sdma_create(&s->c, &s->q);
}

static int do_copy(struct set_up *s)
{
	return kfd_sdma_copy_wait(&s->q, &s->event, s->gtt.cpu, s->user.cpu, 65536);
}

static int do_wait(struct set_up *s)
{
	uint32_t result;

	return kfd_event_wait(&s->c, &s->event, 0, &result);
}

/* Watch queues stop for user pages that move. */
static int do_smi(struct set_up *s)
{
	int fd = kfd_smi_open(&s->c, ~0ull);
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char line[KFD_SMI_EVENT_MSG_SIZE];
	int ret = 0;

	if (fd < 0)
		return fd;
	if (madvise(s->user.cpu, s->user.size, MADV_DONTNEED) ||
	    poll(&p, 1, KFD_TIMEOUT_MS) != 1 || read(fd, line, sizeof(line)) <= 0)
		ret = -EIO;
	close(fd);
	return ret;
}

/**
 * struct kept - a checkpoint of the process; shared with the child that takes it
 * @args: as of CRIU_OP, with the arrays
 * @device: GPU
 * @bos: buffers
 * @priv: the driver's own
 */
static struct kept {
	struct kfd_ioctl_criu_args args;
	struct kfd_criu_device_bucket device;
	struct kfd_criu_bo_bucket bos[8];
	uint8_t priv[4096];
} *kept;

static int criu(int fd, uint32_t op)
{
	kept->args.op = op;
	return kfd_ioctl(fd, AMDKFD_IOC_CRIU_OP, &kept->args);
}

/* Of memory that others have as well there is none. */
static int do_checkpoint(struct set_up *s)
{
	unsigned int i;
	int ret = kfd_bo_free(&s->c, &s->imported);

	if (!ret)
		ret = criu(s->c.fd, KFD_CRIU_OP_PROCESS_INFO);
	if (ret)
		return ret;
	kept->args.devices = (uintptr_t)&kept->device;
	kept->args.bos = (uintptr_t)kept->bos;
	kept->args.priv_data = (uintptr_t)kept->priv;
	if (kept->args.num_bos > 8 || kept->args.priv_data_size > sizeof(kept->priv))
		return -E2BIG;
	ret = criu(s->c.fd, KFD_CRIU_OP_CHECKPOINT);
	for (i = 0; !ret && i < kept->args.num_bos; i++)
		if (kept->bos[i].dmabuf_fd != KFD_INVALID_FD)
			close(kept->bos[i].dmabuf_fd);
	return ret ? ret : criu(s->c.fd, KFD_CRIU_OP_UNPAUSE);
}

static int do_destroy(struct set_up *s)
{
	return kfd_sdma_destroy(&s->q);
}

static int do_free(struct set_up *s)
{
	return kfd_bo_free(&s->c, &s->user);
}

/* @allocates: has to fail with ENOMEM at least once. */
static const struct step {
	const char *what;
	int (*run)(struct set_up *s);
	bool allocates;
} steps[] = {
	{ "open", do_open, true },
	{ "ACQUIRE_VM", do_acquire, true },
	{ "GET_PROCESS_APERTURES_NEW", do_apertures, true },
	{ "CREATE_EVENT", do_event, true },
	{ "memory: VRAM", do_vram, true },
	{ "memory: GTT", do_gtt, true },
	{ "memory: USERPTR", do_user, true },
	{ "EXPORT_DMABUF", do_export, true },
	{ "IMPORT_DMABUF", do_import, true },
	{ "CREATE_QUEUE", do_queue, true },
	{ "copy", do_copy, false },
	{ "WAIT_EVENTS", do_wait, false },
	{ "SMI_EVENTS", do_smi, true },
	{ "CRIU_OP", do_checkpoint, true },
	{ "DESTROY_QUEUE", do_destroy, false },
	{ "UNMAP and FREE", do_free, false },
};

#define NUM_STEPS	(sizeof(steps) / sizeof(steps[0]))

/**
 * struct progress - what became of the last child; shared with it
 * @failed: steps[] that failed, or NUM_STEPS
 * @error: its errno
 * @chain: see failed_chain
 */
static struct progress {
	unsigned int failed;
	int error;
	char chain[sizeof(failed_chain)];
} *progress;

/* Stops at the first error: the next things are swept once that is past. */
static int set_everything_up(void)
{
	struct set_up s = { };
	unsigned int i;
	int ret = 0;

	for (i = 0; i < NUM_STEPS && !ret; i++)
		ret = steps[i].run(&s);
	progress->failed = ret ? i - 1 : NUM_STEPS;
	progress->error = -ret;
	return ret;
}

static char counts_before[4096];

static bool counts_are_back(void)
{
	return !kfd_counts_settle(counts_before);
}

static int set_up_in_child(void)
{
	int fd = starve_begin();
	int ret;

	if (fd < 0)
		return RUN_NO_INJECTION;
	ret = set_everything_up();
	return run_result(starve_end(fd, progress->chain, sizeof(progress->chain)), ret);
}

static unsigned int failures[NUM_STEPS], without_memory[NUM_STEPS];

static int run_set_up(void)
{
	int status;
	pid_t pid;

	*progress = (struct progress){ .failed = NUM_STEPS };
	pid = fork();
	if (!pid)
		_exit(set_up_in_child());
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return RUN_BROKEN;
	snprintf(failed_chain, sizeof(failed_chain), "%s", progress->chain);
	if (progress->failed < NUM_STEPS) {
		failures[progress->failed]++;
		without_memory[progress->failed] += progress->error == ENOMEM;
	}
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
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return false;
	if (status && progress->failed < NUM_STEPS)
		printf("# %s: errno %d\n", steps[progress->failed].what, progress->error);
	return !status;
}

/* ---- a process is made again ---- */

static int restore(void)
{
	struct kfd_client c;
	char path[64];
	int ret = kfd_client_open(&c, 0);

	if (ret)
		return ret;
	snprintf(path, sizeof(path), "/dev/dri/renderD%u", c.minor);
	kept->device.drm_fd = open(path, O_RDWR | O_CLOEXEC);
	return kept->device.drm_fd == ~0u ? -errno : criu(c.fd, KFD_CRIU_OP_RESTORE);
}

static int restore_in_child(void)
{
	int fd = starve_begin();
	int ret;

	if (fd < 0)
		return RUN_NO_INJECTION;
	ret = restore();
	progress->error = -ret;
	return run_result(starve_end(fd, progress->chain, sizeof(progress->chain)), ret);
}

static unsigned int restores_without_memory;

static int run_restore(void)
{
	int status;
	pid_t pid;

	*progress = (struct progress){ .failed = NUM_STEPS };
	pid = fork();
	if (!pid)
		_exit(restore_in_child());
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return RUN_BROKEN;
	snprintf(failed_chain, sizeof(failed_chain), "%s", progress->chain);
	restores_without_memory += progress->error == ENOMEM;
	return WIFEXITED(status) ? WEXITSTATUS(status) : RUN_FAILED;
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

static int run_bind(void)
{
	int bind = open(PCI_DRIVER "/bind", O_WRONLY);
	int fd = starve_begin();
	int ret;

	if (bind < 0 || fd < 0)
		return RUN_NO_INJECTION;
	ret = write(bind, gpu, strlen(gpu)) < 0 ? -errno : 0;
	ret = run_result(starve_end(fd, failed_chain, sizeof(failed_chain)), ret);
	close(bind);
	if (is_bound() && !write_file(PCI_DRIVER "/unbind", gpu))
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
		.what = "probe", .run = run_bind, .clean = bind_left_nothing,
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

/**
 * struct image - a module's file
 * @name: of the module
 * @data: contents, read once, so that no file system is swept with it
 * @size: bytes
 */
static struct image {
	const char *name;
	void *data;
	size_t size;
} driver_image = { DRIVER }, model_image = { MODEL };

static bool read_image(struct image *image)
{
	char path[256];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "%s/%s.ko", getenv("CARILLON_MODULES_DIR"), image->name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		return false;
	image->size = st.st_size;
	image->data = malloc(image->size);
	if (image->data && read(fd, image->data, image->size) != (ssize_t)image->size)
		image->size = 0;
	close(fd);
	return image->data && image->size;
}

static bool load(const struct image *image, const char *parameters)
{
	return !syscall(SYS_init_module, image->data, image->size, parameters);
}

/* The reference of a process that ended goes a little later. */
static bool unload(const struct image *image)
{
	unsigned int i;

	for (i = 0; i < KFD_TIMEOUT_MS / 10; i++) {
		if (!syscall(SYS_delete_module, image->name, O_NONBLOCK))
			return true;
		if (errno != EAGAIN)
			break;
		usleep(10000);
	}
	return false;
}

static int run_load(const struct image *image, const char *parameters)
{
	int fd = starve_begin();
	bool ok;
	int ret;

	if (fd < 0)
		return RUN_NO_INJECTION;
	ok = load(image, parameters);
	ret = run_result(starve_end(fd, failed_chain, sizeof(failed_chain)), ok ? 0 : -1);
	return ok && !unload(image) ? RUN_BROKEN : ret;
}

static int run_load_driver(void)
{
	return run_load(&driver_image, "");
}

/* Two of them: the second finds what the first has. */
static int run_load_model(void)
{
	return run_load(&model_image, "gpus=vega10:vram=256m+vega10:vram=256m");
}

static bool no_paths(const char *const *patterns)
{
	bool none = true;

	for (; *patterns; patterns++)
		if (count_paths(*patterns)) {
			printf("# there is still %s\n", *patterns);
			none = false;
		}
	return none;
}

static bool driver_left_nothing(void)
{
	static const char *const paths[] = {
		"/sys/module/" DRIVER, "/dev/kfd", "/sys/class/kfd", PCI_DRIVER,
		"/sys/kernel/debug/" DRIVER, NULL
	};

	return no_paths(paths) && count_paths("/dev/dri/renderD*") == render_before;
}

/* Does a line of the file have the word? */
static bool file_has(const char *path, const char *word)
{
	FILE *f = fopen(path, "r");
	char line[256];
	bool has = !f;

	while (f && !has && fgets(line, sizeof(line), f))
		has = strstr(line, word);
	if (f)
		fclose(f);
	return has;
}

static bool model_left_nothing(void)
{
	static const char *const paths[] = {
		"/sys/module/" MODEL, "/sys/kernel/debug/" MODEL, "/sys/devices/platform/" MODEL,
		"/sys/class/pci_bus/0001:*", "/sys/bus/pci/devices/0001:*",
		"/proc/bus/pci/0001:*", NULL
	};

	return no_paths(paths) && !file_has("/proc/iomem", MODEL) &&
	       !file_has("/proc/interrupts", "VGPU-MSI");
}

static void sweep_driver(void)
{
	const struct sweep s = {
		.what = "load of the driver", .run = run_load_driver,
		.clean = driver_left_nothing,
	};

	if (!write_file(AUTOPROBE, "0"))
		return result(false, "no driver is bound by itself");
	sweep(&s);
	write_file(AUTOPROBE, "1");
}

static void sweep_loads(void)
{
	if (!unload(&driver_image))
		return result(false, "the driver is unloaded");
	sweep_driver();
	/* A sweep that was cut short. */
	unload(&driver_image);
	result(load(&driver_image, ""), "load: the driver is loaded again");
	result(works(), "load: the driver works as before");
}

static void sweep_model(void)
{
	const struct sweep s = {
		.what = "load of the model", .run = run_load_model, .clean = model_left_nothing,
	};

	if (!unload(&driver_image) || !unload(&model_image))
		return result(false, "driver and model are unloaded");
	sweep(&s);
	unload(&model_image);
	result(load(&model_image, ""), "load of the model: it is loaded again");
	result(load(&driver_image, ""), "load of the model: so is the driver");
	result(works(), "load of the model: the driver works as before");
}

static int skip(const char *why)
{
	printf("1..0 # SKIP %s\n", why);
	return 0;
}

static void check_steps(void)
{
	unsigned int i;
	char text[128];

	for (i = 0; i < NUM_STEPS; i++) {
		printf("# %s: %u failures, %u of them ENOMEM\n", steps[i].what, failures[i],
		       without_memory[i]);
		if (!steps[i].allocates)
			continue;
		snprintf(text, sizeof(text), "set-up: %s has met ENOMEM", steps[i].what);
		result(without_memory[i], text);
	}
}

static void sweep_set_up(void)
{
	const struct sweep s = {
		.what = "set-up", .run = run_set_up, .clean = counts_are_back,
	};

	sweep(&s);
	check_steps();
	result(works(), "set-up: the driver works as before");
}

/* Of what works() leaves. */
static void sweep_restore(void)
{
	const struct sweep s = {
		.what = "restore", .run = run_restore, .clean = counts_are_back,
	};

	result(works(), "restore: there is a checkpoint");
	sweep(&s);
	result(restores_without_memory, "restore: RESTORE has met ENOMEM");
	result(works(), "restore: the driver works as before");
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

static void sweep_all(char **argv)
{
	char node[16];

	if (wanted(argv, "set-up"))
		sweep_set_up();
	if (wanted(argv, "restore"))
		sweep_restore();
	result(set_numa_node("-1", node, sizeof(node)), "the GPU's NUMA node is taken from it");
	if (wanted(argv, "probe"))
		sweep_bind();
	set_numa_node(node, NULL, 0);
	if (wanted(argv, "load"))
		sweep_loads();
	if (wanted(argv, "model"))
		sweep_model();
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n");
	if (access("/dev/kfd", F_OK) || kfd_counts_read(counts_before, sizeof(counts_before)))
		return skip("no driver or no debugfs");
	if (!set_switches(sweeping))
		return skip("this kernel has no fault injection");
	if (!choose_caches())
		return skip("not booted with slub_debug=A,kmalloc-*");
	if (!getenv("CARILLON_MODULES_DIR") || !find_gpu() || !read_image(&driver_image) ||
	    !read_image(&model_image))
		return skip("not in the test VM");
	progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	kept = mmap(NULL, sizeof(*kept), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (progress == MAP_FAILED || kept == MAP_FAILED ||
	    !starve_load(getenv("FAIL_NTH_ALL") ? ~0u : 2)) {
		result(false, "what fails can be chosen");
	} else {
		sweep_all(argv);
		starve_unload();
	}
	set_switches(at_rest);
	printf("1..%u\n", results);
	return 0;
}
