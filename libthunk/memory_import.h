/* SPDX-License-Identifier: MIT */
#ifndef MEMORY_IMPORT_H
#define MEMORY_IMPORT_H

#include <linux/kfd_ioctl.h>

#include "mem_object.h"
#include "node_list.h"

/**
 * memory_query() - what a dma-buf is
 * @fd: its descriptor
 * @metadata: out: what its exporter wrote beside it, the caller's to free
 * @info: out
 *
 * Return: 0 or a negative errno; nothing is to be freed then.
 */
int memory_query(int fd, void **metadata, struct kfd_ioctl_get_dmabuf_info_args *info);

/**
 * memory_import() - make an object of a dma-buf
 * @kind: MEM_IMPORT or MEM_SHARED
 * @fd: its descriptor, which may be closed afterwards
 * @info: of memory_query()
 * @nodes: GPUs that may map it; empty: all
 * @object: out
 *
 * Return: 0 or a negative errno; nothing is left behind then.
 */
int memory_import(enum mem_kind kind, int fd, const struct kfd_ioctl_get_dmabuf_info_args *info,
		  const struct node_list *nodes, struct mem_object **object);

#endif
