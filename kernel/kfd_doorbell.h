/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: doorbells
 *
 * BAR2 is cut into slices of 8 KiB: the first is the kernel's, each process gets
 * one of the others on a node when it first needs it, and keeps it.  See
 * kfd_doorbell.c.
 */
#ifndef CARILLON_KFD_DOORBELL_H
#define CARILLON_KFD_DOORBELL_H

#include <linux/types.h>

#include "kfd_device.h"

struct kfd_process_node;
struct vm_area_struct;

int kfd_doorbell_init(struct kfd_node *node);

/* The process's slice, taken if it has none: 0 or -ENOMEM. Takes node->doorbell_lock. */
int kfd_doorbell_take(struct kfd_process_node *pn);
/* Withdraw all mappings of the slice and give it back. */
void kfd_doorbell_release(struct kfd_process_node *pn);

/* Byte offset inside the slice of a queue's doorbell. */
u32 kfd_doorbell_offset(const struct kfd_node *node, unsigned int instance, unsigned int number);
/* Most queues of one process that one instance has doorbells for. */
unsigned int kfd_doorbell_numbers(const struct kfd_node *node);
/* Byte offset in BAR2 of the process's slice. */
u32 kfd_doorbell_base(const struct kfd_process_node *pn);

/* The user mapping of one page of BAR2 goes. Takes and drops node->doorbell_lock. */
void kfd_doorbell_close(struct kfd_node *node, unsigned int page);
int kfd_doorbell_mmap(struct kfd_process_node *pn, struct vm_area_struct *vma);
/* Upcall of the hw layer: all user mappings of the doorbells go. Sleeps, allocates nothing. */
void kfd_doorbell_withdraw(struct hw_device *hw);

/* The address space that every descriptor of /dev/kfd maps; made at module load. */
int kfd_mapping_init(void);
void kfd_mapping_fini(void);
struct address_space *kfd_mapping(void);

#endif /* CARILLON_KFD_DOORBELL_H */
