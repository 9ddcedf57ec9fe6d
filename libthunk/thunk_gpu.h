/* SPDX-License-Identifier: MIT */
#ifndef THUNK_GPU_H
#define THUNK_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include "hsakmt/hsakmttypes.h"

/**
 * DOC: the GPUs of an open channel
 *
 * One record for each GPU that this process may use, made when the channel is
 * opened and dropped at the last close. Render node descriptors live longer: the
 * KFD binds a process's VM to the descriptor it was given first and knows no
 * other until the process ends, so they are kept for a later open.
 */

struct topology;

/**
 * struct thunk_aperture - a range of GPU addresses
 * @base: first address; 0: there is none
 * @limit: last address
 */
struct thunk_aperture {
	uint64_t base;
	uint64_t limit;
};

/**
 * struct thunk_gpu - one GPU; all members under the context's lock
 * @gpu_id: the KFD's name for it
 * @node: the user's node number
 * @render_fd: its render node
 * @props: node properties as of the open
 * @lds: local data share
 * @scratch: private memory
 * @gpuvm: what its VM translates
 * @mmio: CPU address of the HDP flush page, NULL when it could not be mapped
 * @scratch_pool: address space set aside for scratch backing, base 0: none
 * @doorbells: CPU address of its doorbell slice, NULL until the first queue
 */
struct thunk_gpu {
	uint32_t gpu_id;
	uint32_t node;
	int render_fd;
	HsaNodeProperties props;
	struct thunk_aperture lds;
	struct thunk_aperture scratch;
	struct thunk_aperture gpuvm;
	void *mmio;
	struct thunk_aperture scratch_pool;
	void *doorbells;
};

/**
 * thunk_render_open() - descriptor of a render node, opened once per process
 * @minor: DRM minor, 128..255
 *
 * Context: the context's lock is held.
 * Return: a descriptor or a negative errno.
 */
int thunk_render_open(int minor);

/* Close all of them: only for a child process that inherited them. */
void thunk_render_close_inherited(void);

/* Make records, ask for apertures, bind VMs. Return: 0 or a negative errno. */
int thunk_gpus_init(const struct topology *topo);
/* Map each GPU's HDP flush page; a GPU without one works as well. */
void thunk_gpus_map_mmio(void);
/* Undo both. */
void thunk_gpus_fini(void);
/* Take node numbers over from a new picture. */
void thunk_gpus_renumber(const struct topology *topo);

struct thunk_gpu *thunk_gpu_by_id(uint32_t gpu_id);

/* The GPU whose scratch pool holds @address, or NULL. */
struct thunk_gpu *thunk_gpu_of_scratch(uint64_t address);

#endif
