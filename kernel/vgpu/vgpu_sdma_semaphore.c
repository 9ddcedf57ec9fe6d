// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: counters in memory
 *
 * A semaphore is 64 bits.  SEM with its signal bit adds one or, if the packet says so,
 * stores one; without, it waits until there is something to take, and takes one.  MEM_INCR
 * adds one.  A wait has no bound but the life of its queue.
 */
#include <linux/kernel.h>

#include "vgpu_os.h"
#include "vgpu_sdma_handler.h"

/* The value after @old; false if there is nothing to take. */
static bool next_value(const struct vgpu_packet *p, u64 old, u64 *value)
{
	bool signal = p->kind == VGPU_PACKET_MEM_INCR || p->semaphore.signal;

	*value = signal ? old + 1 : old - 1;
	if (p->semaphore.write_one)
		*value = 1;
	return signal || old;
}

/**
 * vgpu_exec_semaphore() - do a step of SEMAPHORE or MEM_INCR
 * @env: where it runs
 * @p: packet
 *
 * What was done before is visible when the new value is, and nothing that follows is done
 * before: the exchange is a full barrier.
 *
 * Context: as vgpu_exec_packet().
 * Return: likewise.
 */
enum vgpu_exec vgpu_exec_semaphore(struct vgpu_exec_env *env, const struct vgpu_packet *p)
{
	u64 *addr = vgpu_exec_reach(env, p->semaphore.addr, sizeof(u64), true);
	u64 old, seen, value;
	unsigned int i;

	if (!addr)
		return VGPU_EXEC_FAULT;
	old = READ_ONCE(*addr);
	for (i = 0; i < VGPU_SDMA_PIECES; i++) {
		if (!next_value(p, old, &value))
			return VGPU_EXEC_BLOCKED;
		seen = vgpu_cmpxchg64(addr, old, value);
		if (seen == old) {
			env->counts.atomics++;
			return VGPU_EXEC_DONE;
		}
		old = seen;
	}
	return VGPU_EXEC_MORE;
}
