// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: clocks
 *
 * The global time is the GPU's clock counter.  Each instance has a time of its own that
 * packets can set; in the model it counts with the same clock from there on, and from the
 * clock's value after a reset.  All queues of an instance see it, so a packet that sets it
 * reaches past its VM and is privileged.
 */
#include "vgpu_sdma_handler.h"

/**
 * vgpu_exec_time() - do one of the TIMESTAMP packets
 * @env: where it runs
 * @p: packet
 *
 * Context: as vgpu_exec_packet().
 * Return: likewise.
 */
enum vgpu_exec vgpu_exec_time(struct vgpu_exec_env *env, const struct vgpu_packet *p)
{
	u64 now = env->bus->clock(env->bus->ctx);

	if (p->kind == VGPU_PACKET_TIME_SET) {
		if (!env->privileged)
			return vgpu_exec_illegal(env, "time set without privilege");
		env->local_time = p->time_set.value - now;
		return VGPU_EXEC_DONE;
	}
	if (p->kind == VGPU_PACKET_TIME_LOCAL)
		now += env->local_time;
	return vgpu_exec_store64(env, p->timestamp.addr, now) ? VGPU_EXEC_DONE : VGPU_EXEC_FAULT;
}
