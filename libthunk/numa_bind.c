// SPDX-License-Identifier: MIT
/**
 * DOC: placing host memory
 *
 * mbind() without libnuma: two system calls are all that is needed of it.
 */
#include "numa_bind.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sysfs_reader.h"
#include "thunk_context.h"
#include "thunk_log.h"

#define NODES_MAX	1024
#define LONG_BITS	(8 * sizeof(unsigned long))

/* One more than the highest node; 1 where the kernel knows no nodes. */
static uint32_t node_count(void)
{
	char path[SYSFS_PATH_SIZE];
	uint32_t *ids = NULL;
	uint32_t highest = 0;
	int count;

	if (sysfs_path(path, "%s/sys/devices/system/node", thunk.root))
		return 1;
	count = sysfs_list(path, "node", &ids);
	if (count > 0)
		highest = ids[count - 1];
	free(ids);
	return highest + 1;
}

int numa_bind(void *address, uint64_t size, uint32_t node, HsaMemFlags flags)
{
	unsigned long mask[NODES_MAX / LONG_BITS] = { 0 };
	int mode = flags.ui32.NoSubstitute ? MPOL_BIND : MPOL_PREFERRED;
	uint32_t nodes;

	if (flags.ui32.NoNUMABind)
		return 0;
	nodes = node_count();
	if (nodes < 2 || node >= nodes || node >= NODES_MAX)
		return 0;
	mask[node / LONG_BITS] = 1UL << (node % LONG_BITS);
	/* The kernel reads one bit less than it is told. */
	if (!syscall(SYS_mbind, address, size, mode | MPOL_F_STATIC_NODES, mask, NODES_MAX + 1, 0))
		return 0;
	if (errno == EPERM || !flags.ui32.NoSubstitute)
		return 0;
	thunk_warn("memory cannot be bound to node %u: errno %d", node, errno);
	return -errno;
}
