/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: what executes packets, file by file
 *
 * vgpu_sdma_exec.c executes the packets that everybody sends and knows how memory is
 * reached; a kind of packet beside those has a file of its own, with one function that
 * vgpu_exec_packet() calls.  Like that one it does a bounded step and says what became of
 * it.  Nobody else includes this.
 */
#ifndef CARILLON_VGPU_SDMA_HANDLER_H
#define CARILLON_VGPU_SDMA_HANDLER_H

#include <linux/types.h>

#include "vgpu_sdma_exec.h"

/* Attempts or pieces in a step, where they may be tiny. */
#define VGPU_SDMA_PIECES	256

static inline enum vgpu_exec vgpu_exec_illegal(struct vgpu_exec_env *env, const char *why)
{
	env->why = why;
	return VGPU_EXEC_ILLEGAL;
}

/*
 * Memory.  reach: address of byte @va in the kernel, good up to the end of its page, or
 * NULL after a fault; @bytes, at least 1, says how far the caller means to go on from there.
 * copy: up to @bytes, as many as lie in one piece on both sides; 0 after a fault.
 */
void *vgpu_exec_reach(struct vgpu_exec_env *env, u64 va, u64 bytes, bool write);
u64 vgpu_exec_copy(struct vgpu_exec_env *env, u64 dst, u64 src, u64 bytes);

/* Handlers */
enum vgpu_exec vgpu_exec_broadcast(struct vgpu_exec_env *env, const struct vgpu_packet *p,
				   struct vgpu_cursor *c);
enum vgpu_exec vgpu_exec_cond(struct vgpu_exec_env *env, const struct vgpu_packet *p,
			      struct vgpu_cursor *c);
enum vgpu_exec vgpu_exec_semaphore(struct vgpu_exec_env *env, const struct vgpu_packet *p);
enum vgpu_exec vgpu_exec_time(struct vgpu_exec_env *env, const struct vgpu_packet *p);

#endif /* CARILLON_VGPU_SDMA_HANDLER_H */
