// SPDX-License-Identifier: MIT
/**
 * DOC: opening and closing
 *
 * Opens are counted. The first one opens /dev/kfd, checks its version, lists the
 * nodes, binds every GPU's VM and maps the GPUs' flush pages; the last close
 * unmaps and forgets them. What the KFD keeps until the process ends stays for a
 * later open: the binding of VMs to render nodes, the event page, memory and
 * queues that the program has not given back. So do the descriptors: a driver may
 * drop all of that with the last one.
 */
#include <errno.h>
#include <linux/kfd_ioctl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device_open.h"
#include "sysfs_reader.h"
#include "thunk_context.h"
#include "thunk_log.h"

/* HSA_MAX_VA_ALIGN unset: 2 MiB of 4 KiB pages; more than a GiB helps nobody. */
#define ALIGN_ORDER_DEFAULT	9
#define ALIGN_ORDER_MAX		18

static bool env_flag(const char *name, bool otherwise)
{
	const char *text = getenv(name);

	return text ? strcmp(text, "0") : otherwise;
}

static unsigned int env_align_order(void)
{
	const char *text = getenv("HSA_MAX_VA_ALIGN");
	unsigned long order;
	char *end;

	if (!text)
		return ALIGN_ORDER_DEFAULT;
	order = strtoul(text, &end, 10);
	if (end == text || *end || order > ALIGN_ORDER_MAX)
		return ALIGN_ORDER_DEFAULT;
	return (unsigned int)order;
}

/* Both belong to GPUs that see less of the address space than the CPU does. */
static void say_unused(const char *name)
{
	if (getenv(name))
		thunk_warn("%s has no effect", name);
}

static void read_environment(void)
{
	thunk_log_init();
	say_unused("HSA_RESERVE_SVM");
	say_unused("HSA_SVM_GUARD_PAGES");
	thunk.page_size = (uint64_t)sysconf(_SC_PAGESIZE);
	thunk.options = (struct thunk_options){
		.disable_cache = env_flag("HSA_DISABLE_CACHE", false),
		.userptr_for_paged_mem = env_flag("HSA_USERPTR_FOR_PAGED_MEM", true),
		.check_userptr = env_flag("HSA_CHECK_USERPTR", false),
		.vram_in_host = env_flag("HSA_ZFB", false),
		.max_align_order = env_align_order(),
	};
}

static HSAKMT_STATUS open_device(void)
{
	char path[SYSFS_PATH_SIZE];
	int fd;

	if (thunk.kfd_fd >= 0)
		return HSAKMT_STATUS_SUCCESS;
	fd = sysfs_path(path, "%s/dev/kfd", thunk.root);
	if (!fd)
		fd = device_open(path);
	if (fd < 0)
		return device_open_status(fd);
	thunk.kfd_fd = fd;
	return HSAKMT_STATUS_SUCCESS;
}

static HSAKMT_STATUS check_version(void)
{
	struct kfd_ioctl_get_version_args args = { 0 };
	int err = thunk_kfd(AMDKFD_IOC_GET_VERSION, &args);

	if (err)
		return thunk_status(err);
	if (args.major_version != KFD_IOCTL_MAJOR_VERSION) {
		thunk_err("the driver's version is %u.%u, this library knows %u.x",
			  args.major_version, args.minor_version, KFD_IOCTL_MAJOR_VERSION);
		return HSAKMT_STATUS_DRIVER_MISMATCH;
	}
	thunk.version.KernelInterfaceMajorVersion = args.major_version;
	thunk.version.KernelInterfaceMinorVersion = args.minor_version;
	return HSAKMT_STATUS_SUCCESS;
}

/* Not a failure: CPU nodes can be used. */
static void say_no_gpu(const struct topology *topo)
{
	if (thunk.gpu_count)
		return;
	if (topo->sysfs_nodes > topo->system.NumNodes)
		thunk_warn("no GPU: all %u are filtered out for this process",
			   topo->sysfs_nodes - topo->system.NumNodes);
	else
		thunk_warn("no GPU: the driver has none");
}

static HSAKMT_STATUS init_gpus(void)
{
	struct topology *topo;
	int err = topology_list(thunk.root, &topo);

	if (err)
		return topology_status(err);
	/* From here on node numbers can be translated. */
	topology_free(thunk.topo);
	thunk.topo = topo;
	thunk.acquired = false;
	err = thunk_gpus_init(topo);
	if (err)
		return thunk_status(err);
	say_no_gpu(topo);
	thunk_gpus_map_mmio();
	return HSAKMT_STATUS_SUCCESS;
}

static HSAKMT_STATUS open_first(void)
{
	HSAKMT_STATUS status;

	read_environment();
	if (thunk_fork_init())
		return HSAKMT_STATUS_NO_MEMORY;
	status = open_device();
	if (!status)
		status = check_version();
	return status ? status : init_gpus();
}

HSAKMT_STATUS HSAKMTAPI hsaKmtOpenKFD(void)
{
	HSAKMT_STATUS status = HSAKMT_STATUS_KERNEL_ALREADY_OPENED;

	thunk_lock();
	if (!thunk.open_count)
		status = open_first();
	if (status == HSAKMT_STATUS_SUCCESS || status == HSAKMT_STATUS_KERNEL_ALREADY_OPENED)
		thunk.open_count++;
	thunk_unlock();
	return status;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtCloseKFD(void)
{
	HSAKMT_STATUS status = thunk_enter();

	if (status)
		return status;
	if (--thunk.open_count == 0) {
		thunk_gpus_fini();
		topology_free(thunk.topo);
		thunk.topo = NULL;
		thunk.acquired = false;
	}
	return thunk_leave(0);
}
