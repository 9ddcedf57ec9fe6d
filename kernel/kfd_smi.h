/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: system management events
 *
 * What happens to processes on a node, told as lines of text to those who watch: see
 * kfd_smi.c.  Whoever tells takes no part in how fast a client reads.
 */
#ifndef CARILLON_KFD_SMI_H
#define CARILLON_KFD_SMI_H

#include <linux/list.h>
#include <linux/mutex.h>

#include "kfd_queue.h"

struct kfd_node;
struct kfd_process;
struct kfd_process_node;

/**
 * struct kfd_smi - those who watch a node
 * @lock: the list.  Taken in MMU notifiers, under node->lock: nothing is allocated
 *	and no user memory touched while it is held
 * @clients: &kfd_smi_client.link
 * @resets: SDMA instances reset so far; only resets use it, of which there is one at a time
 */
struct kfd_smi {
	struct mutex lock;
	struct list_head clients;
	u32 resets;
};

void kfd_smi_init(struct kfd_smi *smi);
/* The device was unplugged: readers get what is left, then an end. */
void kfd_smi_gone(struct kfd_node *node);

/* ioctl, under nothing */
int kfd_smi_open(struct kfd_process *p, void *args);

/* What happened. Process context, MMU notifiers included. */
void kfd_smi_page_fault(struct kfd_process_node *pn);
/* The first reason of this kind stops a process's queues, and the last has ended. */
void kfd_smi_stopped(struct kfd_process_node *pn, enum kfd_stop_reason why);
void kfd_smi_started(struct kfd_process_node *pn, enum kfd_stop_reason why);
/* The machine goes to sleep with all queues of a node, and wakes up. */
void kfd_smi_sleep(struct kfd_node *node);
void kfd_smi_wake(struct kfd_node *node);
/* An SDMA instance is about to be reset, and was. */
void kfd_smi_reset_begin(struct kfd_node *node, unsigned int instance);
void kfd_smi_reset_end(struct kfd_node *node);

#endif /* CARILLON_KFD_SMI_H */
