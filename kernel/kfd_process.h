/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: processes
 *
 * A &struct kfd_process is what one address space (mm) has opened: the first open
 * of /dev/kfd makes it, later opens of the same mm share it.  It has one
 * &struct kfd_process_node for each GPU node that existed when it was published; that
 * array never changes afterwards, so it may be read without a lock.
 *
 * It ends when the mm goes (kill -9 included).  See Documentation/lifetimes.rst.
 */
#ifndef CARILLON_KFD_PROCESS_H
#define CARILLON_KFD_PROCESS_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mmu_notifier.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include "kfd_device.h"
#include "kfd_event.h"
#include "kfd_queue.h"

#define KFD_MAX_PASID	0xffff

struct vm_bo;

/**
 * struct kfd_process_node - what a process has on one node
 * @process: whose
 * @node: which; the device stays allocated as long as the process
 * @attached: the node may be used; false for ever once the device or the process
 *	has gone.  Under process->lock
 * @drm_file: render descriptor that ACQUIRE_VM named; under process->lock
 * @vm: its address space; set once, so it may be read without a lock where queues
 *	or doorbells of this process are known to exist
 * @stopped: times each reason has stopped all queues; under node->lock
 * @queues: &kfd_queue.link; under node->lock
 * @num_queues: their number; under node->lock
 * @loaded: those of them in a hardware slot; under node->lock
 * @vmid: in use while @loaded is not 0, else 0; under node->lock
 * @vmid_since: time when it was taken, ns; under node->lock
 * @doorbells_open: bit a page of its slice that may be mapped; under node->lock
 * @vmid_lost: a slot that did not stop may still use @vmid; under node->lock
 * @reset_untold: a reset has ended queues, and the process does not know; under node->lock
 * @rlc_used: for each SDMA instance, numbers of this process's queues, which
 *	decide their doorbells; under node->lock
 * @doorbell_slice: its slice, 0 if it has none; under node->doorbell_lock
 * @doorbells_closed: it gets none any more; under node->doorbell_lock
 * @mmio_pfn: frame of its register page, 0 before one was allocated; set once
 * @mmio_page: that page where it is memory which only takes the stores, else NULL
 * @buffers: &struct kfd_buffer by index; under process->lock
 * @vram_bytes: bytes of VRAM allocated; under process->lock
 * @policy: last SET_MEMORY_POLICY; under process->lock like the next ones
 * @scratch_va: last SET_SCRATCH_BACKING_VA
 * @trap_tba: last SET_TRAP_HANDLER: code
 * @trap_tma: its memory
 */
struct kfd_process_node {
	struct kfd_process *process;
	struct kfd_node *node;
	bool attached;
	struct file *drm_file;
	struct vm_space *vm;

	unsigned int stopped[KFD_STOP_REASONS];
	struct list_head queues;
	unsigned int num_queues;
	unsigned int loaded;
	unsigned int vmid;
	u64 vmid_since;
	unsigned int doorbells_open;
	bool vmid_lost;
	bool reset_untold;
	unsigned long rlc_used[HW_MAX_SDMA_INSTANCES];

	unsigned int doorbell_slice;
	bool doorbells_closed;

	unsigned long mmio_pfn;
	struct page *mmio_page;
	struct xarray buffers;
	u64 vram_bytes;

	struct {
		u32 set;
		u32 default_policy;
		u32 alternate_policy;
		u64 base;
		u64 size;
	} policy;
	u64 scratch_va;
	u64 trap_tba;
	u64 trap_tma;
};

/**
 * struct kfd_process - what an address space has opened
 * @kref: object; the last reference only frees the memory
 * @mm: its address space; the notifier keeps the struct alive, not its contents
 * @mn: tells when the mm goes
 * @tgid: thread group that opened first; only its threads may call
 * @comm: name of that group's leader, for logs
 * @pasid: its number in hardware
 * @files: open descriptors; under kfd_registry.lock
 * @gone: drops the notifier's reference
 * @sysfs: its folder in proc/, NULL if it has none; set before it is published
 * @link: in kfd_registry.processes
 * @table: in the table by mm; under its spin lock, RCU for readers
 * @lock: everything below that names no other lock
 * @dead: torn down; under @lock
 * @queues: &struct kfd_queue by queue id
 * @events: events and waits
 * @runtime: last RUNTIME_ENABLE
 * @paused: PROCESS_INFO stopped the queues
 * @restoring: RESTORE has begun, and RESUME has not come
 * @later: user pages that RESUME faults in: &struct kfd_later.link
 * @lost_ranges: user buffers whose pages were unmapped while a GPU had them mapped
 * @node: one each; the pointer and @num_nodes never change
 * @num_nodes: entries
 */
struct kfd_process {
	struct kref kref;
	struct mm_struct *mm;
	struct mmu_notifier mn;
	struct pid *tgid;
	char comm[TASK_COMM_LEN];
	u32 pasid;
	unsigned int files;
	struct work_struct gone;
	struct kfd_sysfs_process *sysfs;
	struct list_head link;
	struct hlist_node table;

	struct mutex lock;
	bool dead;
	struct xarray queues;
	struct kfd_events events;
	struct {
		bool enabled;
		bool ttmp;
		u64 r_debug;
	} runtime;
	bool paused;
	bool restoring;
	struct list_head later;
	atomic_t lost_ranges;
	struct kfd_process_node *node;
	unsigned int num_nodes;
};

/* /dev/kfd */
int kfd_process_open(struct file *file);
void kfd_process_close(struct file *file);

/* The caller's own process (by mm), with a reference; NULL if it has none. Any context. */
struct kfd_process *kfd_process_get_current(void);
struct kfd_process *kfd_process_get_by_pasid(u32 pasid);
/* The process with the next PASID above *@pasid, which becomes it; referenced; NULL at the end. */
struct kfd_process *kfd_process_get_next(u32 *pasid);
void kfd_process_get(struct kfd_process *p);
void kfd_process_put(struct kfd_process *p);
/* Calls @fn for every process, under the registry's lock. */
void kfd_process_for_each(void (*fn)(struct kfd_process *p, void *data), void *data);
/* Only threads of the opener, in the address space that opened, may call. */
bool kfd_process_is_owner(const struct kfd_process *p);

/* The caller traces the process. */
bool kfd_process_is_tracer(const struct kfd_process *p);
/* The process of a thread group, with a reference; NULL if it has none. */
struct kfd_process *kfd_process_get_by_pid(const struct pid *tgid);

/* User pages of a mapping are to be faulted in by kfd_process_populate(). Under nothing. */
int kfd_process_populate_later(struct kfd_process *p, struct vm_bo *bo);
/* Fault them in. Those that could not be stay for the next call. Under nothing. */
int kfd_process_populate(struct kfd_process *p);

/* The process's view of @gpu_id, or NULL. No lock; whether it is attached is another question. */
struct kfd_process_node *kfd_process_find_node(struct kfd_process *p, u32 gpu_id);
/*
 * As above, under p->lock: with an address space bound.  ERR_PTR(-EINVAL): no such
 * GPU; ERR_PTR(-ENODEV): gone, or no ACQUIRE_VM yet.
 */
struct kfd_process_node *kfd_process_bound_node(struct kfd_process *p, u32 gpu_id);

/* The device goes: nothing of any process uses it when this returns. Under no lock. */
void kfd_process_detach_device(struct kfd_device *dev);

int kfd_process_table_init(void);
void kfd_process_table_fini(void);

#endif /* CARILLON_KFD_PROCESS_H */
