/* SPDX-License-Identifier: MIT */
#ifndef NUMA_BIND_H
#define NUMA_BIND_H

#include <stdint.h>

#include "hsakmt/hsakmttypes.h"

/**
 * numa_bind() - keep anonymous memory on a CPU node
 * @address: start of a mapping without pages yet
 * @size: its bytes
 * @node: NUMA node
 * @flags: NoNUMABind leaves it alone; NoSubstitute allows no other node
 *
 * A machine with one node, a node that does not exist and a container that
 * forbids mbind() are no errors.
 *
 * Return: 0 or a negative errno.
 */
int numa_bind(void *address, uint64_t size, uint32_t node, HsaMemFlags flags);

#endif
