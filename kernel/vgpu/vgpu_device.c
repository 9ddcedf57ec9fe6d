// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: putting a virtual GPU together
 *
 * See vgpu_device.h.  When the driver detaches, the device is reset as its slot
 * would reset it: no engine touches memory of a driver that has gone, and the next
 * driver meets registers as after power-on.  VRAM keeps its contents.
 *
 * Registers of an SDMA instance that the configuration leaves out belong to no block
 * and read as all ones.
 */
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "vgpu_device.h"
#include "vgpu_cfgspace.h"
#include "vgpu_gmc.h"
#include "vgpu_msi.h"
#include "vgpu_sdma.h"

/* Services for blocks and engines */

static void *bus_vram_page(void *ctx, u64 offset, bool atomic)
{
	struct vgpu_device *dev = ctx;

	return vgpu_mem_page_nowait(&dev->mem, offset);
}

static bool bus_vram_wait(void *ctx, u64 offset)
{
	struct vgpu_device *dev = ctx;

	return vgpu_mem_wait(&dev->mem, offset);
}

static void *bus_sys_page(void *ctx, u64 dma)
{
	struct vgpu_device *dev = ctx;

	return vgpu_cfg_master_on(dev->cfg) ? vgpu_mem_system(dma) : NULL;
}

static void bus_pages(void *ctx, const u64 *addr, unsigned int count, void **pages)
{
	struct vgpu_device *dev = ctx;
	unsigned int i, n;

	for (i = 0; i < count; i += n) {
		u64 system = addr[i] & VGPU_BUS_SYSTEM;

		for (n = 1; i + n < count && (addr[i + n] & VGPU_BUS_SYSTEM) == system;)
			n++;
		if (!system)
			vgpu_mem_pages_nowait(&dev->mem, &addr[i], n, &pages[i]);
		else if (vgpu_cfg_master_on(dev->cfg))
			vgpu_mem_system_pages(&addr[i], n, &pages[i]);
		else
			memset(&pages[i], 0, n * sizeof(*pages));
	}
}

static void bus_irq(void *ctx, const struct vgpu_iv *iv)
{
	struct vgpu_device *dev = ctx;

	vgpu_ih_put(&dev->ih, iv);
}

static u32 bus_reg_read(void *ctx, u32 offset)
{
	struct vgpu_device *dev = ctx;

	return vgpu_mmio_read(&dev->mmio, offset);
}

static void bus_reg_write(void *ctx, u32 offset, u32 value)
{
	struct vgpu_device *dev = ctx;

	vgpu_mmio_write(&dev->mmio, offset, value);
}

static u64 bus_clock(void *ctx)
{
	struct vgpu_device *dev = ctx;

	return mul_u64_u32_div(ktime_get_raw_ns(), dev->config.profile->clock_khz, 1000000);
}

static bool doorbell_routed(struct vgpu_device *dev, u32 offset)
{
	return vgpu_nbio_doorbells_open(&dev->nbio) &&
	       vgpu_nbio_route(&dev->nbio, offset) != VGPU_ROUTE_NONE;
}

static u64 bus_doorbell_get(void *ctx, u32 offset)
{
	struct vgpu_device *dev = ctx;

	return doorbell_routed(dev, offset) ? vgpu_doorbell_get(&dev->doorbell, offset) : 0;
}

static void bus_hdp_flush(void *ctx)
{
	struct vgpu_device *dev = ctx;

	/* Orders the host's stores to VRAM pages before what an engine reads next. */
	smp_mb();
	atomic_long_inc(&dev->hdp_flushes);
}

static void device_init_bus(struct vgpu_device *dev)
{
	dev->bus = (struct vgpu_bus){
		.name = dev->name,
		.ctx = dev,
		.vram_size = dev->config.vram,
		.vram_page = bus_vram_page,
		.vram_wait = bus_vram_wait,
		.sys_page = bus_sys_page,
		.pages = bus_pages,
		.irq = bus_irq,
		.reg_read = bus_reg_read,
		.reg_write = bus_reg_write,
		.clock = bus_clock,
		.doorbell_get = bus_doorbell_get,
		.hdp_flush = bus_hdp_flush,
		.failures = &dev->failures,
	};
}

/* Engines */

static void engine_kick(void *ctx)
{
	vgpu_worker_kick(ctx);
}

static enum vgpu_listens engine_listens(void *ctx)
{
	enum vgpu_listens listens = VGPU_LISTENS_NOT;
	struct vgpu_sdma_queue_info info;
	unsigned int q;

	for (q = 0; q < VGPU_SDMA_QUEUES; q++) {
		if (vgpu_sdma_queue_info(ctx, q, &info) || !info.enabled || !info.doorbell_enabled)
			continue;
		if (q >= VGPU_SDMA_RLC0)
			return VGPU_LISTENS_USER;
		listens = VGPU_LISTENS_DRIVER;
	}
	return listens;
}

static void nudge_all(struct vgpu_device *dev)
{
	unsigned int i;

	for (i = 0; i < dev->config.instances; i++)
		vgpu_worker_nudge(&dev->worker[i]);
}

static const struct hw_backend_client *client_get(struct vgpu_device *dev, void **driver)
{
	const struct hw_backend_client *client;

	spin_lock_irq(&dev->client_lock);
	client = dev->client;
	*driver = dev->driver;
	if (client)
		dev->calls++;
	spin_unlock_irq(&dev->client_lock);
	return client;
}

static void client_put(struct vgpu_device *dev)
{
	spin_lock_irq(&dev->client_lock);
	if (!--dev->calls)
		wake_up(&dev->client_idle);
	spin_unlock_irq(&dev->client_lock);
}

/* The protocol in vgpu_doorbell.h. */
static void device_close_doorbells(struct work_struct *work)
{
	struct vgpu_device *dev = container_of(work, struct vgpu_device, close);
	const struct hw_backend_client *client;
	void *driver;

	if (!vgpu_doorbell_close(&dev->doorbell, false))
		return;
	client = client_get(dev, &driver);
	if (client) {
		client->withdraw_doorbells(driver);
		client_put(dev);
	}
	nudge_all(dev);
}

/* Ops of the driver */

static u32 op_reg_read(void *model, u32 offset)
{
	struct vgpu_device *dev = model;

	return vgpu_cfg_memory_on(dev->cfg) ? vgpu_mmio_read(&dev->mmio, offset) : ~0u;
}

static void op_reg_write(void *model, u32 offset, u32 value)
{
	struct vgpu_device *dev = model;

	if (vgpu_cfg_memory_on(dev->cfg))
		vgpu_mmio_write(&dev->mmio, offset, value);
}

static void doorbell_lost(struct vgpu_device *dev, u32 offset)
{
	atomic_long_inc(&dev->doorbell.lost);
	pr_warn_ratelimited("carillon_vgpu: gpu %u: nobody takes doorbell 0x%x\n", dev->index,
			    offset);
}

/* Queue that listens to a doorbell, or VGPU_FAILURE_ANY. */
static int doorbell_queue(struct vgpu_device *dev, unsigned int instance, u32 offset)
{
	struct vgpu_sdma_queue_info info;
	unsigned int q;

	for (q = 0; q < VGPU_SDMA_QUEUES; q++)
		if (!vgpu_sdma_queue_info(dev->sdma[instance], q, &info) && info.enabled &&
		    info.doorbell_enabled && info.doorbell == offset)
			return q;
	return VGPU_FAILURE_ANY;
}

static bool doorbell_fails(struct vgpu_device *dev, unsigned int instance, u32 offset)
{
	/* Looking for the queue costs more than the rest. */
	if (!(READ_ONCE(dev->failures.armed) & BIT(VGPU_FAIL_DOORBELL_LOST)))
		return false;
	return vgpu_fails(&dev->failures, VGPU_FAIL_DOORBELL_LOST, instance,
			  doorbell_queue(dev, instance, offset), VGPU_FAILURE_ANY, NULL);
}

static void op_doorbell_write(void *model, u32 offset, u64 value)
{
	enum vgpu_route route = VGPU_ROUTE_NONE;
	struct vgpu_device *dev = model;

	if (vgpu_cfg_memory_on(dev->cfg) && vgpu_nbio_doorbells_open(&dev->nbio))
		route = vgpu_nbio_route(&dev->nbio, offset);
	if (route == VGPU_ROUTE_IH && vgpu_ih_rptr_doorbell(&dev->ih, offset, value))
		return;
	if (route < dev->config.instances && doorbell_fails(dev, route, offset))
		return;
	if (route >= dev->config.instances || !vgpu_doorbell_set(&dev->doorbell, offset, value)) {
		doorbell_lost(dev, offset);
		return;
	}
	vgpu_worker_kick(&dev->worker[route]);
}

static void op_doorbell_reset(void *model, u32 offset)
{
	struct vgpu_device *dev = model;

	vgpu_doorbell_clear(&dev->doorbell, offset);
}

static struct page *op_doorbell_page(void *model, u32 index)
{
	struct vgpu_device *dev = model;
	struct page *page = vgpu_doorbell_open(&dev->doorbell, index);

	if (!IS_ERR(page))
		nudge_all(dev);
	return page;
}

static struct page *op_vram_page(void *model, u64 offset)
{
	struct vgpu_device *dev = model;

	return vgpu_mem_page(&dev->mem, offset);
}

static int op_vram_claim(void *model, u64 offset, u64 size)
{
	struct vgpu_device *dev = model;

	return vgpu_mem_claim(&dev->mem, offset, size);
}

static void op_vram_discard(void *model, u64 offset, u64 size)
{
	struct vgpu_device *dev = model;
	LIST_HEAD(freed);
	unsigned int i;

	if (!vgpu_mem_unlink(&dev->mem, offset, size, &freed) || list_empty(&freed))
		return;
	for (i = 0; i < dev->config.instances; i++)
		vgpu_worker_barrier(&dev->worker[i]);
	vgpu_mem_release(&freed);
}

static bool op_sdma_served(void *model, u32 instance, u32 slot, struct hw_served *served)
{
	struct vgpu_device *dev = model;

	return instance < VGPU_MAX_SDMA && dev->sdma[instance] &&
	       vgpu_sdma_served(dev->sdma[instance], slot, &served->turns, &served->bytes);
}

static int op_attach(void *model, const struct hw_backend_client *client, void *driver)
{
	struct vgpu_device *dev = model;
	int ret = 0;

	spin_lock_irq(&dev->client_lock);
	if (dev->attached) {
		ret = -EBUSY;
	} else {
		dev->attached = true;
		dev->client = client;
		dev->driver = driver;
	}
	spin_unlock_irq(&dev->client_lock);
	return ret;
}

/* Every engine between two steps, all registers as after power-on. */
static void device_reset(struct vgpu_device *dev)
{
	unsigned int i;

	for (i = 0; i < dev->config.instances; i++)
		mutex_lock_nested(&dev->worker[i].step_lock, i);
	vgpu_mmio_reset(&dev->mmio);
	for (i = dev->config.instances; i--;)
		mutex_unlock(&dev->worker[i].step_lock);
	vgpu_doorbell_reset(&dev->doorbell);
}

static void op_detach(void *model)
{
	struct vgpu_device *dev = model;

	spin_lock_irq(&dev->client_lock);
	dev->client = NULL;
	dev->driver = NULL;
	spin_unlock_irq(&dev->client_lock);
	wait_event(dev->client_idle, !READ_ONCE(dev->calls));
	device_reset(dev);
	spin_lock_irq(&dev->client_lock);
	dev->attached = false;
	spin_unlock_irq(&dev->client_lock);
}

static const struct hw_backend_ops device_ops = {
	.reg_read = op_reg_read,
	.reg_write = op_reg_write,
	.doorbell_write = op_doorbell_write,
	.doorbell_reset = op_doorbell_reset,
	.doorbell_page = op_doorbell_page,
	.vram_page = op_vram_page,
	.vram_claim = op_vram_claim,
	.vram_discard = op_vram_discard,
	.sdma_served = op_sdma_served,
	.attach = op_attach,
	.detach = op_detach,
};

/* Create and destroy */

static int device_create_hubs(struct vgpu_device *dev)
{
	const struct vgpu_hub_spec *spec = &dev->config.profile->hub;
	unsigned int i;

	for (i = 0; i < spec->count; i++) {
		dev->gmc[i] = vgpu_gmc_create(&dev->bus, spec, i);
		if (!dev->gmc[i])
			return -ENOMEM;
	}
	return 0;
}

static int device_create_engine(struct vgpu_device *dev, unsigned int i)
{
	const struct vgpu_profile *profile = dev->config.profile;
	struct vgpu_engine *engine;

	dev->sdma[i] = vgpu_sdma_create(&dev->bus, dev->gmc[profile->sdma[i].hub], profile, i);
	if (!dev->sdma[i])
		return -ENOMEM;
	engine = vgpu_sdma_engine(dev->sdma[i]);
	vgpu_worker_init(&dev->worker[i], engine, &dev->doorbell, &dev->close, engine_listens,
			 dev->sdma[i]);
	engine->kick = engine_kick;
	engine->kick_ctx = &dev->worker[i];
	return vgpu_mmio_add(&dev->mmio, &engine->block);
}

static int device_create_blocks(struct vgpu_device *dev)
{
	struct vgpu_block *blocks[] = {
		&dev->nbio.nbio, &dev->nbio.hdp, &dev->nbio.athub, &dev->ih.ring.block,
		&dev->gc.seg0, &dev->gc.seg1,
		&dev->nbio.remap[0], &dev->nbio.remap[1],
	};
	unsigned int i;
	int ret = 0;

	for (i = 0; i < dev->config.instances && !ret; i++)
		ret = device_create_engine(dev, i);
	for (i = 0; i < dev->config.profile->hub.count && !ret; i++)
		ret = vgpu_mmio_add(&dev->mmio, vgpu_gmc_block(dev->gmc[i]));
	/* The copies of the flush registers come last: they never hide another block. */
	for (i = 0; i < ARRAY_SIZE(blocks) && !ret; i++)
		ret = vgpu_mmio_add(&dev->mmio, blocks[i]);
	if (!ret)
		vgpu_mmio_reset(&dev->mmio);
	return ret;
}

static int device_start(struct vgpu_device *dev)
{
	unsigned int i;
	char name[24];
	int ret;

	for (i = 0; i < dev->config.instances; i++) {
		snprintf(name, sizeof(name), "vgpu%u-sdma%u", dev->index, i);
		ret = vgpu_worker_start(&dev->worker[i], name);
		if (ret)
			return ret;
	}
	return 0;
}

static void device_init_failures(struct vgpu_device *dev)
{
	unsigned int where;

	vgpu_failures_init(&dev->failures);
	if (dev->config.failures)
		WARN_ON_ONCE(vgpu_failures_set(&dev->failures, dev->config.failures, &where));
}

static void device_init_parts(struct vgpu_device *dev)
{
	device_init_failures(dev);
	device_init_bus(dev);
	spin_lock_init(&dev->client_lock);
	init_waitqueue_head(&dev->client_idle);
	INIT_WORK(&dev->close, device_close_doorbells);
	vgpu_mmio_init(&dev->mmio);
	vgpu_nbio_init(&dev->nbio, &dev->config, &dev->bus);
	vgpu_gc_init(&dev->gc, &dev->config, &dev->bus);
	vgpu_ih_init(&dev->ih, dev->config.profile->ih_chicken, &dev->bus, dev->msi);
	dev->backend = (struct hw_backend){
		.magic = HW_BACKEND_MAGIC,
		.version = HW_BACKEND_VERSION,
		.size = sizeof(struct hw_backend),
		.ops = &device_ops,
		.model = dev,
	};
}

/**
 * vgpu_device_create - build a virtual GPU and start its threads
 * @config: a valid configuration
 * @index: number of the GPU
 * @name: of its PCI function
 * @vram_cap: most bytes of VRAM that may have memory behind them
 * @cfg: configuration space of its function; outlives the device
 * @msi: interrupt of its function; outlives the device
 *
 * Context: process context, sleeps.
 * Return: the device or ERR_PTR().
 */
struct vgpu_device *vgpu_device_create(const struct vgpu_config *config, unsigned int index,
				       const char *name, u64 vram_cap, struct vgpu_cfgspace *cfg,
				       struct vgpu_msi *msi)
{
	struct vgpu_device *dev = kvzalloc(sizeof(*dev), GFP_KERNEL);
	int ret;

	if (!dev)
		return ERR_PTR(-ENOMEM);
	dev->config = *config;
	dev->index = index;
	strscpy(dev->name, name, sizeof(dev->name));
	dev->cfg = cfg;
	dev->msi = msi;
	device_init_parts(dev);
	ret = vgpu_mem_init(&dev->mem, config->vram, vram_cap);
	if (!ret)
		ret = vgpu_doorbell_init(&dev->doorbell);
	if (ret)
		goto err_destroy;
	ret = device_create_hubs(dev);
	if (!ret)
		ret = device_create_blocks(dev);
	if (!ret)
		ret = device_start(dev);
	if (!ret)
		return dev;

err_destroy:
	vgpu_device_destroy(dev);
	return ERR_PTR(ret);
}

/**
 * vgpu_device_destroy - undo vgpu_device_create(), or a part of it
 * @dev: no driver is bound and its function has gone
 *
 * Context: process context, sleeps.
 */
void vgpu_device_destroy(struct vgpu_device *dev)
{
	unsigned int i;

	for (i = 0; i < dev->config.instances; i++)
		vgpu_worker_stop(&dev->worker[i]);
	cancel_work_sync(&dev->close);
	vgpu_ih_fini(&dev->ih);
	for (i = 0; i < dev->config.instances; i++)
		if (dev->sdma[i])
			vgpu_sdma_destroy(dev->sdma[i]);
	for (i = 0; i < VGPU_MAX_HUBS; i++)
		vgpu_gmc_destroy(dev->gmc[i]);
	vgpu_doorbell_fini(&dev->doorbell);
	vgpu_mem_fini(&dev->mem);
	kvfree(dev);
}
