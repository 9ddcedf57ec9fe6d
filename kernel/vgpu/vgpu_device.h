/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: one virtual GPU
 *
 * Blocks, engines, their threads and their memory, put together as a configuration
 * says, and the ops that the driver uses (hw_backend.h).  A device exists as long as
 * the module; its PCI function may come and go (remove, rescan).
 *
 * Locks, outermost first: a worker's step lock; the register lock; locks of blocks
 * (memory hub, interrupt handler); the function's configuration-space lock.
 * &vgpu_device.client_lock and the doorbell lock are leaves.  No lock is held over a
 * call into the driver.
 */
#ifndef CARILLON_VGPU_DEVICE_H
#define CARILLON_VGPU_DEVICE_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "../hw/hw_backend.h"
#include "vgpu_bus.h"
#include "vgpu_config.h"
#include "vgpu_doorbell.h"
#include "vgpu_failure.h"
#include "vgpu_gc.h"
#include "vgpu_ih.h"
#include "vgpu_mem.h"
#include "vgpu_mmio.h"
#include "vgpu_nbio.h"
#include "vgpu_worker.h"

struct dentry;
struct vgpu_cfgspace;
struct vgpu_gmc;
struct vgpu_msi;
struct vgpu_sdma;

/**
 * struct vgpu_device - one virtual GPU
 * @config: what it is
 * @index: number of the GPU
 * @name: of its PCI function
 * @cfg: configuration space of its function; read for the command register
 * @msi: its interrupt
 * @bus: services for blocks and engines
 * @backend: handed to the driver
 * @mmio: register space
 * @mem: VRAM
 * @doorbell: BAR2
 * @nbio: NBIO, HDP and ATHUB
 * @gc: graphics core
 * @ih: interrupt handler
 * @gmc: memory hubs
 * @sdma: engines, @config.instances of them
 * @worker: their threads
 * @close: closes the doorbell window when they have been idle
 * @hdp_flushes: flush requests served
 * @failures: failure switches
 * @client_lock: protects the four below
 * @client: calls into the driver that is bound, or NULL
 * @driver: their argument
 * @attached: a driver is bound
 * @calls: calls into the driver under way
 * @client_idle: woken when @calls falls to 0
 * @debugfs: directory of the device
 */
struct vgpu_device {
	struct vgpu_config config;
	unsigned int index;
	char name[16];
	struct vgpu_cfgspace *cfg;
	struct vgpu_msi *msi;
	struct vgpu_bus bus;
	struct hw_backend backend;
	struct vgpu_mmio mmio;
	struct vgpu_mem mem;
	struct vgpu_doorbell doorbell;
	struct vgpu_nbio nbio;
	struct vgpu_gc gc;
	struct vgpu_ih ih;
	struct vgpu_gmc *gmc[VGPU_MAX_HUBS];
	struct vgpu_sdma *sdma[VGPU_MAX_SDMA];
	struct vgpu_worker worker[VGPU_MAX_SDMA];
	struct work_struct close;
	atomic_long_t hdp_flushes;
	struct vgpu_failures failures;
	spinlock_t client_lock;	/* for client, driver, attached, calls */
	const struct hw_backend_client *client;
	void *driver;
	bool attached;
	unsigned int calls;
	wait_queue_head_t client_idle;
	struct dentry *debugfs;
};

struct vgpu_device *vgpu_device_create(const struct vgpu_config *config, unsigned int index,
				       const char *name, u64 vram_cap, struct vgpu_cfgspace *cfg,
				       struct vgpu_msi *msi);
void vgpu_device_destroy(struct vgpu_device *dev);

/* vgpu_debugfs.c */
void vgpu_debugfs_init(void);
void vgpu_debugfs_exit(void);
void vgpu_debugfs_add(struct vgpu_device *dev);
void vgpu_debugfs_remove(struct vgpu_device *dev);

#endif /* CARILLON_VGPU_DEVICE_H */
