/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: debugfs and counters
 *
 * Counters of everything that must return to where it was.  kfd_count_add() where
 * an object is made, with -1 where it is freed.
 */
#ifndef CARILLON_KFD_DEBUGFS_H
#define CARILLON_KFD_DEBUGFS_H

#include <linux/atomic.h>

struct kfd_device;

enum kfd_count {
	KFD_COUNT_PROCESSES,
	KFD_COUNT_PASIDS,
	KFD_COUNT_VMIDS,
	KFD_COUNT_QUEUES,
	KFD_COUNT_SLOTS,
	KFD_COUNT_DOORBELL_SLICES,
	KFD_COUNT_EVENTS,
	KFD_COUNT_WAITERS,
	KFD_COUNT_BUFFERS,
	KFD_COUNT_BUFFER_MAPPINGS,
	KFD_COUNT_SMI_CLIENTS,
	KFD_COUNTS,
};

extern atomic_t kfd_counts[KFD_COUNTS];

static inline void kfd_count_add(enum kfd_count which, int n)
{
	atomic_add(n, &kfd_counts[which]);
}

void kfd_debugfs_init(void);
void kfd_debugfs_fini(void);
void kfd_debugfs_add_device(struct kfd_device *dev);
void kfd_debugfs_remove_device(struct kfd_device *dev);

#endif /* CARILLON_KFD_DEBUGFS_H */
