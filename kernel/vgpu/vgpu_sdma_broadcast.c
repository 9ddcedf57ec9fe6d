// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: one source, two destinations
 *
 * COPY with its broadcast bit.  A step copies a part to the first destination, then the
 * same part to the second; the two parts together are no more than a chunk.  What is
 * stored where source and destinations overlap is nobody's promise.
 */
#include <linux/kernel.h>

#include "vgpu_sdma.h"
#include "vgpu_sdma_handler.h"

/* Bytes @from to @end of the packet to one of its destinations; false after a fault. */
static bool copy_part(struct vgpu_exec_env *env, const struct vgpu_packet *p, u64 dst, u64 from,
		      u64 end)
{
	while (from < end) {
		u64 bytes = vgpu_exec_copy(env, dst + from, p->broadcast.src + from, end - from);

		if (!bytes)
			return false;
		from += bytes;
	}
	return true;
}

/**
 * vgpu_exec_broadcast() - do a step of COPY_BROADCAST
 * @env: where it runs
 * @p: packet
 * @c: its progress
 *
 * Context: as vgpu_exec_packet().
 * Return: likewise.
 */
enum vgpu_exec vgpu_exec_broadcast(struct vgpu_exec_env *env, const struct vgpu_packet *p,
				   struct vgpu_cursor *c)
{
	u64 end = min_t(u64, p->broadcast.bytes, c->done + VGPU_SDMA_CHUNK / 2);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(p->broadcast.dst); i++)
		if (!copy_part(env, p, p->broadcast.dst[i], c->done, end))
			return VGPU_EXEC_FAULT;
	c->done = end;
	if (end < p->broadcast.bytes)
		return VGPU_EXEC_MORE;
	env->counts.copied += 2ULL * p->broadcast.bytes;
	return VGPU_EXEC_DONE;
}
