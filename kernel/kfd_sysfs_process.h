/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: proc/ of the "kfd" device: which processes use which GPU
 *
 * proc/PID/{pasid,vram_GPUID,sdma_GPUID} and proc/PID/queues/ID/{gpuid,size,type}, as in
 * Linux 6.1.  For tools only: where there is no memory for a folder there is none, and what
 * it is about goes on.
 */
#ifndef CARILLON_KFD_SYSFS_PROCESS_H
#define CARILLON_KFD_SYSFS_PROCESS_H

struct kfd_process;
struct kfd_queue;
struct kobject;

int kfd_sysfs_process_init(struct kobject *parent);
void kfd_sysfs_process_fini(void);

/* Process context.  The first before anybody finds @p, the second when its queues have gone. */
void kfd_sysfs_add_process(struct kfd_process *p);
void kfd_sysfs_remove_process(struct kfd_process *p);

/* p->lock.  The queue's id is its own from before the first until after the second. */
void kfd_sysfs_add_queue(struct kfd_queue *q);
void kfd_sysfs_remove_queue(struct kfd_queue *q);

#endif /* CARILLON_KFD_SYSFS_PROCESS_H */
