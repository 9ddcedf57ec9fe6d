/* SPDX-License-Identifier: MIT */
#ifndef MEM_OBJECT_H
#define MEM_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "hsakmt/hsakmttypes.h"
#include "range_tree.h"

/**
 * DOC: memory objects
 *
 * One object for each piece of memory that the KFD knows by a handle. Objects are
 * found by their GPU address, which no two share, and registered user memory by
 * the program's own address too, where ranges may overlap. Everything here runs
 * under the context's lock; calls keep it from the look-up to the last ioctl, so
 * that threads that register one buffer at once get one object.
 */

enum mem_kind {
	MEM_HOST,	/* our anonymous pages, known to the KFD as user memory */
	MEM_USER,	/* a program's own pages, registered */
	MEM_GTT,
	MEM_VRAM,
	MEM_SCRATCH,	/* VRAM inside a scratch pool */
	MEM_DOORBELL,
	MEM_MMIO,
	MEM_IMPORT,	/* another driver's, by its dma-buf */
	MEM_SHARED,	/* another process's, by its handle; a dma-buf as well */
};

/**
 * struct mem_nodes - a set of GPUs in two spellings
 * @gpu_ids: for ioctls
 * @nodes: for users, same order
 * @count: how many
 */
struct mem_nodes {
	uint32_t *gpu_ids;
	uint32_t *nodes;
	uint32_t count;
};

/**
 * struct mem_object - one piece of memory
 * @va: its GPU addresses; for all but MEM_USER the CPU's as well
 * @user: MEM_USER: the program's range as it was registered
 * @kind: where it lives
 * @handle: the KFD's name for it
 * @has_handle: false for host memory on a machine without GPU
 * @twice: the memory has half of @va's size and is seen in both halves
 * @node: the user's node number it belongs to
 * @flags: flags of the allocation, for pointer queries
 * @registrations: MEM_USER: how often it was registered
 * @mappings: MEM_USER: how often it was mapped
 * @registered: GPUs it was registered to, empty: all
 * @mapped: GPUs it is mapped on
 * @user_data: the program's note
 * @metadata: MEM_IMPORT: what its exporter wrote beside it
 * @share_fd: its dma-buf, which handles for other processes name; -1: none was asked for
 */
struct mem_object {
	struct range_node va;
	struct range_node user;
	enum mem_kind kind;
	uint64_t handle;
	bool has_handle;
	bool twice;
	uint32_t node;
	HsaMemFlags flags;
	uint32_t registrations;
	uint32_t mappings;
	struct mem_nodes registered;
	struct mem_nodes mapped;
	void *user_data;
	void *metadata;
	int share_fd;
};

/**
 * struct mem_objects - all objects of the process
 * @by_va: by GPU address
 * @by_user: MEM_USER by the program's address
 */
struct mem_objects {
	struct range_tree by_va;
	struct range_tree by_user;
};

/**
 * struct mem_request - what to ask the KFD for
 * @gpu_id: whose memory, or through whose VM
 * @kind: see above
 * @fixed: wanted address, 0: anywhere
 * @size: bytes of address space
 * @va: address space that is already set aside, 0: none yet
 * @user: MEM_USER: page-aligned CPU address
 * @dmabuf_fd: MEM_IMPORT, MEM_SHARED: what to import
 * @ioc_flags: KFD_IOC_ALLOC_MEM_FLAGS_* beside the kind's own; with AQL_QUEUE_MEM the memory has
 *	half of @size
 */
struct mem_request {
	uint32_t gpu_id;
	enum mem_kind kind;
	uint64_t fixed;
	uint64_t size;
	uint64_t va;
	uint64_t user;
	int dmabuf_fd;
	uint32_t ioc_flags;
};

/**
 * mem_object_create() - set address space aside and let the KFD allocate
 * @request: what
 * @object: out: the object, in the trees
 * @mmap_offset: out: where to map it from, may be NULL
 *
 * Return: 0 or a negative errno; nothing is left behind then.
 */
int mem_object_create(const struct mem_request *request, struct mem_object **object,
		      uint64_t *mmap_offset);

/**
 * mem_object_destroy() - unmap it, give it back to the KFD and to the address space
 * @object: not used afterwards when this succeeds
 *
 * Return: 0 or a negative errno; then the object stays as it was.
 */
int mem_object_destroy(struct mem_object *object);

/**
 * mem_object_cpu_map() - put a device's memory at the object's addresses
 * @object: its whole range
 * @fd: /dev/kfd or a render node
 * @offset: what allocation or queue creation said
 * @access: false: only a placeholder, so that a debugger finds the memory
 *
 * Return: 0 or a negative errno.
 */
int mem_object_cpu_map(const struct mem_object *object, int fd, uint64_t offset, bool access);

/* Bytes of memory, as the KFD has them. */
uint64_t mem_object_bytes(const struct mem_object *object);

/* Enter the program's range of a MEM_USER object into the look-up. */
void mem_object_set_user(struct mem_object *object, const void *address, uint64_t size);

/* The object that a call names by @address; size 0: any. NULL: none. */
struct mem_object *mem_object_find(const void *address, uint64_t size);
/* The object that holds @address. NULL: none. */
struct mem_object *mem_object_holder(const void *address);

/* Map on or unmap from GPUs. Return: 0 or a negative errno. */
int mem_object_map(struct mem_object *object, const uint32_t *gpu_ids, uint32_t count);
int mem_object_unmap(struct mem_object *object, const uint32_t *gpu_ids, uint32_t count);
/* From all it is mapped on. */
int mem_object_unmap_all(struct mem_object *object);

/* Put @count GPUs into an empty set. Return: 0 or -ENOMEM. */
int mem_nodes_set(struct mem_nodes *set, const uint32_t *gpu_ids, uint32_t count);
bool mem_nodes_have(const struct mem_nodes *set, uint32_t gpu_id);
void mem_nodes_clear(struct mem_nodes *set);

/* Forget all objects without a word to the KFD: in a child process. */
void mem_objects_forget(void);

#endif
