// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: conditional execution
 *
 * COND_EXE looks at a dword once.  If that is 0 the dwords that it guards are passed over,
 * unread; they have been rung, or lie in the same buffer, before the packet begins.
 */
#include "vgpu_os.h"
#include "vgpu_sdma_handler.h"

/**
 * vgpu_exec_cond() - do COND_EXE
 * @env: where it runs
 * @p: packet
 * @c: its progress: gets what to pass over
 *
 * Context: as vgpu_exec_packet().
 * Return: likewise.
 */
enum vgpu_exec vgpu_exec_cond(struct vgpu_exec_env *env, const struct vgpu_packet *p,
			      struct vgpu_cursor *c)
{
	u32 *addr = vgpu_exec_reach(env, p->cond.addr, 4, false);

	if (!addr)
		return VGPU_EXEC_FAULT;
	/* The condition before what it guards; pairs with the release of whoever sets it. */
	if (!smp_load_acquire(addr))
		c->skip = p->guarded;
	return VGPU_EXEC_DONE;
}
