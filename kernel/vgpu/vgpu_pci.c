// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: root bus, functions, windows
 *
 * The domain is the first from 1 up that no bus uses and stays below 0x10000, since
 * libdrm parses four digits.  Two memory windows are claimed from the top of the
 * address space down, where neither RAM nor a real bridge sits: one for BAR0 and
 * BAR2, one for BAR5.  BAR5 is 32-bit, so its window is offset: the bus sees
 * BUS_BAR5, the CPU resource stays high.  Nothing decodes either window; a driver
 * finds ops in platform_data instead (hw_backend.h).
 *
 * The bus notifier ties each function to the driver named carillon and hands over
 * the ops.  It does so when the function appears, because a remove and rescan makes a
 * new one.
 *
 * What the PCI core has no memory for it leaves out with a message: a window, a function,
 * a BAR.  A bus that is not whole is taken down again, before a driver sees it.
 *
 * Who owns what: the host owns functions and devices for its whole life; the PCI core
 * owns pci_devs, which come and go.
 */
#include <linux/ioport.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

#include "vgpu_pci.h"
#include "vgpu_cfgspace.h"
#include "vgpu_compat.h"
#include "vgpu_config.h"
#include "vgpu_device.h"
#include "vgpu_msi.h"

#define DRIVER_NAME	"carillon"
#define BUS_BAR5	0xe0000000ULL
/* BAR0 where the address space has no room for all of VRAM. */
#define SMALL_BAR0	(256ULL << 20)
/* High half of the unique ids; the low half is the chip and the number of the GPU. */
#define UNIQUE_ID_HIGH	0xca1110ULL
/* Bus numbers and both windows. */
#define BRIDGE_WINDOWS	3

/**
 * struct vgpu_function - a slot of the bus
 * @lock: protects @cfg and @msi; taken under the PCI core's own lock
 * @cfg: configuration space
 * @msi: interrupt
 * @dev: the GPU
 */
struct vgpu_function {
	raw_spinlock_t lock;
	struct vgpu_cfgspace cfg;
	struct vgpu_msi msi;
	struct vgpu_device *dev;
};

/**
 * struct vgpu_host - bus and functions
 * @sysdata: what x86 wants to know of a root bus
 * @platform: parent of the host bridge
 * @bus_numbers: bus VGPU_BUS
 * @window: for BAR0 and BAR2
 * @window5: for BAR5
 * @has_window: @window is claimed
 * @has_window5: @window5 is claimed
 * @msi: irq domain
 * @notifier: sees functions come and go
 * @has_notifier: it is registered
 * @tie_error: of the last function that could not be tied to its driver
 * @bridge: the host bridge, referenced
 * @bus: the root bus once it exists
 * @functions: by slot
 * @count: how many
 */
struct vgpu_host {
	struct pci_sysdata sysdata;
	struct platform_device *platform;
	struct resource bus_numbers, window, window5;
	bool has_window, has_window5;
	struct vgpu_msi_domain *msi;
	struct notifier_block notifier;
	bool has_notifier;
	int tie_error;
	struct pci_host_bridge *bridge;
	struct pci_bus *bus;
	struct vgpu_function *functions[VGPU_MAX_GPUS];
	unsigned int count;
};

/* Configuration space */

static struct vgpu_host *bus_host(struct pci_bus *bus)
{
	return container_of((struct pci_sysdata *)bus->sysdata, struct vgpu_host, sysdata);
}

static struct vgpu_function *bus_function(struct pci_bus *bus, unsigned int devfn)
{
	struct vgpu_host *host = bus_host(bus);

	if (bus->number != VGPU_BUS || PCI_FUNC(devfn) || PCI_SLOT(devfn) >= host->count)
		return NULL;
	return host->functions[PCI_SLOT(devfn)];
}

static int cfg_read(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 *value)
{
	struct vgpu_function *fn = bus_function(bus, devfn);
	unsigned long flags;

	if (!fn) {
		*value = ~0u;
		return PCIBIOS_DEVICE_NOT_FOUND;
	}
	raw_spin_lock_irqsave(&fn->lock, flags);
	*value = vgpu_cfg_read(&fn->cfg, where, size);
	raw_spin_unlock_irqrestore(&fn->lock, flags);
	return PCIBIOS_SUCCESSFUL;
}

static int cfg_write(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 value)
{
	struct vgpu_function *fn = bus_function(bus, devfn);
	unsigned long flags;

	if (!fn)
		return PCIBIOS_DEVICE_NOT_FOUND;
	raw_spin_lock_irqsave(&fn->lock, flags);
	if (vgpu_cfg_write(&fn->cfg, where, size, value) & VGPU_CFG_FIRE)
		vgpu_msi_send_locked(&fn->msi);
	raw_spin_unlock_irqrestore(&fn->lock, flags);
	return PCIBIOS_SUCCESSFUL;
}

static struct pci_ops vgpu_pci_ops = {
	.read = cfg_read,
	.write = cfg_write,
};

static int bus_notify(struct notifier_block *nb, unsigned long action, void *data)
{
	struct vgpu_host *host = container_of(nb, struct vgpu_host, notifier);
	struct pci_dev *pdev = to_pci_dev((struct device *)data);
	struct vgpu_function *fn;
	int ret;

	if (action != BUS_NOTIFY_ADD_DEVICE || pdev->bus->ops != &vgpu_pci_ops ||
	    bus_host(pdev->bus) != host)
		return NOTIFY_DONE;
	fn = bus_function(pdev->bus, pdev->devfn);
	if (!fn)
		return NOTIFY_DONE;
	pdev->dev.platform_data = &fn->dev->backend;
	ret = vgpu_set_driver_override(pdev, DRIVER_NAME);
	if (ret) {
		host->tie_error = ret;
		pci_err(pdev, "no driver override: %d\n", ret);
	}
	return NOTIFY_OK;
}

/* Address space */

static int claim_window(struct resource *res, const char *name, u64 size, u64 align,
			unsigned long flags)
{
	u64 start;

	if (size > iomem_resource.end)
		return -ENOSPC;
	res->name = name;
	res->flags = flags;
	for (start = ALIGN_DOWN(iomem_resource.end + 1 - size, align); start > SZ_4G;
	     start -= align) {
		res->start = start;
		res->end = start + size - 1;
		if (!request_resource(&iomem_resource, res))
			return 0;
		cond_resched();
	}
	return -ENOSPC;
}

static u64 bar0_size(const struct vgpu_config *config, bool small)
{
	return small ? SMALL_BAR0 : roundup_pow_of_two(config->vram);
}

/* The PCI core places BARs largest first, so powers of two leave no gaps. */
static int claim_vram_window(struct vgpu_host *host, const struct vgpu_config *list, bool small)
{
	u64 size = 0, align = 0, bar;
	unsigned int i;

	for (i = 0; i < host->count; i++) {
		bar = bar0_size(&list[i], small);
		size += bar + VGPU_DOORBELL_BYTES;
		align = max(align, bar);
	}
	return claim_window(&host->window, "carillon_vgpu VRAM", size, align,
			    IORESOURCE_MEM | IORESOURCE_MEM_64 | IORESOURCE_PREFETCH);
}

static int claim_windows(struct vgpu_host *host, const struct vgpu_config *list, bool *small)
{
	int ret;

	*small = false;
	ret = claim_vram_window(host, list, *small);
	if (ret) {
		*small = true;
		ret = claim_vram_window(host, list, *small);
	}
	if (ret)
		return ret;
	host->has_window = true;
	ret = claim_window(&host->window5, "carillon_vgpu registers",
			   host->count * VGPU_MMIO_BYTES, SZ_1M, IORESOURCE_MEM);
	host->has_window5 = !ret;
	return ret;
}

static int free_domain(void)
{
	struct pci_bus *bus;
	int domain;

	for (domain = 1; domain <= 0xffff; domain++) {
		bus = NULL;
		while ((bus = pci_find_next_bus(bus)))
			if (pci_domain_nr(bus) == domain)
				break;
		if (!bus)
			return domain;
	}
	return -ENOSPC;
}

/* Functions */

static u64 unique_id(const struct vgpu_config *config, unsigned int index)
{
	return UNIQUE_ID_HIGH << 32 | config->profile->device_id << 8 | (index + 1);
}

static int add_function(struct vgpu_host *host, const struct vgpu_config *config,
			unsigned int index, bool small, u64 vram_cap)
{
	struct vgpu_function *fn = kzalloc(sizeof(*fn), GFP_KERNEL);
	struct vgpu_device *dev;
	char name[16];

	if (!fn)
		return -ENOMEM;
	raw_spin_lock_init(&fn->lock);
	vgpu_cfg_init(&fn->cfg, config->profile, bar0_size(config, small),
		      unique_id(config, index));
	vgpu_msi_init(&fn->msi, &fn->lock, &fn->cfg);
	snprintf(name, sizeof(name), "%04x:%02x:%02x.0", host->sysdata.domain, VGPU_BUS, index);
	dev = vgpu_device_create(config, index, name, vram_cap, &fn->cfg, &fn->msi);
	if (IS_ERR(dev)) {
		kfree(fn);
		return PTR_ERR(dev);
	}
	fn->dev = dev;
	host->functions[index] = fn;
	vgpu_debugfs_add(dev);
	return 0;
}

static void remove_functions(struct vgpu_host *host)
{
	struct vgpu_function *fn;
	unsigned int i;

	for (i = 0; i < host->count; i++) {
		fn = host->functions[i];
		if (!fn)
			continue;
		vgpu_debugfs_remove(fn->dev);
		vgpu_device_destroy(fn->dev);
		kfree(fn);
	}
}

static int add_functions(struct vgpu_host *host, const struct vgpu_config *list, bool small,
			 u64 vram_cap)
{
	struct vgpu_msi *vectors[VGPU_MAX_GPUS];
	unsigned int i;
	int ret;

	for (i = 0; i < host->count; i++) {
		ret = add_function(host, &list[i], i, small, vram_cap);
		if (ret)
			return ret;
		vectors[i] = &host->functions[i]->msi;
	}
	host->msi = vgpu_msi_domain_create(vectors, host->count, host->sysdata.domain);
	return host->msi ? 0 : -ENOMEM;
}

/* The bus */

static bool bridge_has_windows(const struct pci_host_bridge *bridge)
{
	const struct resource_entry *window;
	unsigned int n = 0;

	resource_list_for_each_entry(window, &bridge->windows)
		n++;
	return n == BRIDGE_WINDOWS;
}

static int alloc_bridge(struct vgpu_host *host)
{
	struct pci_host_bridge *bridge = pci_alloc_host_bridge(0);

	if (!bridge)
		return -ENOMEM;
	host->bridge = bridge;
	host->bus_numbers = (struct resource){
		.name = "carillon_vgpu",
		.start = VGPU_BUS,
		.end = VGPU_BUS,
		.flags = IORESOURCE_BUS,
	};
	bridge->dev.parent = &host->platform->dev;
	bridge->sysdata = &host->sysdata;
	bridge->ops = &vgpu_pci_ops;
	bridge->busnr = VGPU_BUS;
	pci_add_resource(&bridge->windows, &host->bus_numbers);
	pci_add_resource(&bridge->windows, &host->window);
	pci_add_resource_offset(&bridge->windows, &host->window5,
				host->window5.start - BUS_BAR5);
	dev_set_msi_domain(&bridge->dev, vgpu_msi_domain_get(host->msi));
	return bridge_has_windows(bridge) ? 0 : -ENOMEM;
}

static void bridge_lost(struct pci_host_bridge *bridge)
{
	struct vgpu_host *host = bridge->release_data;

	host->bridge = NULL;
}

/*
 * Where it cannot register the bus, pci_register_host_bridge() drops the bus's reference to
 * the bridge twice, and so ours, in Linux 6.1 and 6.12; but not where it fails earlier.
 */
static int register_bus(struct vgpu_host *host)
{
	int ret;

	pci_set_host_bridge_release(host->bridge, bridge_lost, host);
	ret = pci_scan_root_bus_bridge(host->bridge);
	if (host->bridge)
		pci_set_host_bridge_release(host->bridge, NULL, NULL);
	return ret;
}

static bool function_is_whole(struct vgpu_host *host, unsigned int slot)
{
	struct pci_dev *pdev = pci_get_slot(host->bus, PCI_DEVFN(slot, 0));
	bool whole;

	whole = pdev && pdev->resource[0].parent && pdev->resource[2].parent &&
		pdev->resource[5].parent;
	pci_dev_put(pdev);
	return whole;
}

/* The windows have room for all BARs, so it was memory that was short. */
static int check_bus(struct vgpu_host *host)
{
	unsigned int i;

	for (i = 0; i < host->count; i++)
		if (!function_is_whole(host, i))
			return -ENOMEM;
	return host->tie_error;
}

static int scan_bus(struct vgpu_host *host)
{
	int ret;

	pci_lock_rescan_remove();
	ret = register_bus(host);
	if (!ret) {
		host->bus = host->bridge->bus;
		pci_assign_unassigned_bus_resources(host->bus);
		ret = check_bus(host);
	}
	if (!ret)
		pci_bus_add_devices(host->bus);
	pci_unlock_rescan_remove();
	return ret;
}

static int register_notifier(struct vgpu_host *host)
{
	int ret;

	host->notifier.notifier_call = bus_notify;
	ret = bus_register_notifier(&pci_bus_type, &host->notifier);
	host->has_notifier = !ret;
	return ret;
}

static int register_platform(struct vgpu_host *host)
{
	struct platform_device *platform;

	platform = platform_device_register_simple("carillon_vgpu", PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(platform))
		return PTR_ERR(platform);
	host->platform = platform;
	return 0;
}

static int host_build(struct vgpu_host *host, const struct vgpu_config *list, u64 vram_cap)
{
	bool small;
	int ret;

	ret = free_domain();
	if (ret < 0)
		return ret;
	host->sysdata.domain = ret;
	host->sysdata.node = nr_node_ids == 1 ? 0 : NUMA_NO_NODE;
	ret = register_platform(host);
	if (!ret)
		ret = claim_windows(host, list, &small);
	if (!ret)
		ret = add_functions(host, list, small, vram_cap);
	if (!ret)
		ret = register_notifier(host);
	if (!ret)
		ret = alloc_bridge(host);
	return ret ? ret : scan_bus(host);
}

static void remove_bus(struct vgpu_host *host)
{
	if (!host->bus)
		return;
	pci_lock_rescan_remove();
	pci_stop_root_bus(host->bus);
	pci_remove_root_bus(host->bus);
	pci_unlock_rescan_remove();
}

/**
 * vgpu_pci_create - make the bus with its GPUs and let drivers find them
 * @list: valid configurations, one a GPU
 * @count: how many, VGPU_MAX_GPUS at most
 * @vram_cap: most bytes of each GPU's VRAM that may have memory behind them
 *
 * Context: process context, sleeps.
 * Return: the host or ERR_PTR().
 */
struct vgpu_host *vgpu_pci_create(const struct vgpu_config *list, unsigned int count, u64 vram_cap)
{
	struct vgpu_host *host = kzalloc(sizeof(*host), GFP_KERNEL);
	int ret;

	if (!host)
		return ERR_PTR(-ENOMEM);
	host->count = count;
	ret = host_build(host, list, vram_cap);
	if (!ret)
		return host;
	vgpu_pci_destroy(host);
	return ERR_PTR(ret);
}

/**
 * vgpu_pci_destroy - undo vgpu_pci_create(), or a part of it
 * @host: drivers that are bound get their remove callback first
 *
 * Context: process context, sleeps.
 */
void vgpu_pci_destroy(struct vgpu_host *host)
{
	remove_bus(host);
	if (host->has_notifier)
		bus_unregister_notifier(&pci_bus_type, &host->notifier);
	vgpu_msi_domain_destroy(host->msi);
	if (host->bridge)
		put_device(&host->bridge->dev);
	if (host->has_window5)
		release_resource(&host->window5);
	if (host->has_window)
		release_resource(&host->window);
	remove_functions(host);
	platform_device_unregister(host->platform);
	kfree(host);
}
