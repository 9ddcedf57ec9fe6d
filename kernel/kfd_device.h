/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: devices and nodes
 *
 * A &struct kfd_device is one bound PCI function: it embeds the object of every
 * lower layer and brings them up in order.  A &struct kfd_node is what a process
 * sees as a GPU: a gpu_id, VMIDs, doorbells, SDMA instances and a range of VRAM.
 * Here a device has one node; partitioned chips have up to KFD_NODES_PER_DEVICE.
 *
 * The registry holds all devices.  A device lives as long as its drm_device; its
 * nodes are served from kfd_device_probe() until kfd_device_remove().
 */
#ifndef CARILLON_KFD_DEVICE_H
#define CARILLON_KFD_DEVICE_H

#include <drm/drm_device.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "hw/hw_device.h"
#include "irq/irq_ih_ring.h"
#include "kfd_interrupt.h"
#include "kfd_sched.h"
#include "kfd_smi.h"
#include "sdma/sdma_device.h"
#include "vm/vm_device.h"

#define KFD_NODES_PER_DEVICE	8
#define KFD_MAX_NODES		64	/* of all devices */

/* VMIDs that belong to user queues; the lower ones are the graphics driver's on real chips. */
#define KFD_VMID_FIRST		8
#define KFD_VMID_LAST		15
#define KFD_VMIDS		(KFD_VMID_LAST - KFD_VMID_FIRST + 1)

/* Doorbell slice of one process on one node. */
#define KFD_DOORBELL_SLICE	8192
#define KFD_DOORBELL_SLOTS	(KFD_DOORBELL_SLICE / 8)
#define KFD_MAX_RLC		8	/* user queues an instance, any chip */

struct kfd_device;
struct kfd_queue;

/**
 * struct kfd_engine - user queues of one SDMA instance of a node
 * @queues: queues admitted, loaded or not
 * @lost: bit a hardware slot that did not stop and is not used again
 * @lost_vmids: VMIDs that such slots keep
 * @resetting: no queue is loaded, for as long as the instance is reset
 * @waiting: queues that want a slot: &kfd_queue.wait
 * @clock: what their accounts have in common
 * @slot: who is loaded where
 */
struct kfd_engine {
	unsigned int queues;
	unsigned long lost;
	unsigned long lost_vmids;
	bool resetting;
	struct list_head waiting;
	struct kfd_sched_clock clock;
	struct kfd_queue *slot[KFD_MAX_RLC];
};

/**
 * struct kfd_node - a GPU as processes see it
 * @dev: the function it belongs to
 * @gpu_id: its number in the topology
 * @vmid_mask: VMIDs that it may give to processes
 * @sdma_mask: SDMA instances that its queues may use
 * @rlc_slots: hardware slots of each instance
 * @vram_base: first VRAM offset of its range
 * @vram_size: bytes of it
 * @lock: everything about queues on this node.  Taken in MMU notifiers: nothing
 *	is allocated and no user memory touched while it is held
 * @asleep: no queue is loaded, for as long as the machine sleeps; under @lock
 * @vmid_used: VMIDs in use or lost; under @lock
 * @vmid_lost: those of them that are not used again; under @lock
 * @engine: by SDMA instance; under @lock
 * @waiting: queues that want a slot or a VMID, of all engines; under @lock
 * @sched: gives slots to them; it is not queued while there are none
 * @sched_rounds: times it ran; under @lock
 * @doorbell_lock: doorbell slices.  Taken in page faults, before @lock
 * @doorbell_used: a bit a slice; slice 0 is the kernel's; under @doorbell_lock
 * @doorbell_slices: bits of @doorbell_used
 * @smi: who watches what happens here
 */
struct kfd_node {
	struct kfd_device *dev;
	u32 gpu_id;
	u16 vmid_mask;
	u16 sdma_mask;
	unsigned int rlc_slots;
	u64 vram_base;
	u64 vram_size;

	struct mutex lock;
	bool asleep;
	unsigned long vmid_used;
	unsigned long vmid_lost;
	struct kfd_engine engine[HW_MAX_SDMA_INSTANCES];
	unsigned int waiting;
	struct delayed_work sched;
	u64 sched_rounds;

	struct mutex doorbell_lock;
	unsigned long *doorbell_used;
	unsigned int doorbell_slices;

	struct kfd_smi smi;
};

/**
 * struct kfd_device - one PCI function
 * @drm: its DRM device; first reference holds everything
 * @hw: registers, doorbells, VRAM, hubs
 * @irq: IH ring
 * @sdma: kernel rings and user slots
 * @vm: buffers and address spaces
 * @interrupts: from the hard interrupt to processes
 * @node: the nodes
 * @num_nodes: how many
 * @link: in the registry; under kfd_registry.lock
 * @attached: process nodes that use the device (see &struct kfd_process_node)
 * @detached: woken when @attached reaches 0
 * @debugfs: directory, NULL if debugfs is off
 * @hwmon: sensors, NULL where the kernel has none
 * @sleeps: times the machine slept and woke up; written in resume alone
 * @test_result: last line of the self-test files; under @test_lock
 * @test_lock: one self-test at a time
 */
struct kfd_device {
	struct drm_device drm;
	struct hw_device hw;
	struct irq_device irq;
	struct sdma_device sdma;
	struct vm_device vm;
	struct kfd_interrupts interrupts;
	struct kfd_node node[KFD_NODES_PER_DEVICE];
	unsigned int num_nodes;
	struct list_head link;
	atomic_t attached;
	wait_queue_head_t detached;
	struct dentry *debugfs;
	struct device *hwmon;
	unsigned int sleeps;
	struct mutex test_lock;
	char test_result[256];
};

/**
 * struct kfd_registry - all devices and processes
 * @lock: both lists; outermost lock of the layer
 * @devices: &kfd_device.link
 * @processes: &kfd_process.link
 */
struct kfd_registry {
	struct mutex lock;
	struct list_head devices;
	struct list_head processes;
};

extern struct kfd_registry kfd_registry;

static inline struct kfd_device *kfd_device_of(struct drm_device *drm)
{
	return container_of(drm, struct kfd_device, drm);
}

void kfd_device_prime_lockdep(void);
int kfd_device_probe(struct pci_dev *pdev, const struct pci_device_id *id);
void kfd_device_remove(struct pci_dev *pdev);

#endif /* CARILLON_KFD_DEVICE_H */
