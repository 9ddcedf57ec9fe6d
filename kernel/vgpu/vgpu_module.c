// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: the virtual GPU as a module
 *
 * Parameters, start and end.  What gpus= may say stands in vgpu_config.h, failures= in
 * vgpu_failure.h; what the model is, in Documentation/vgpu.rst.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "vgpu_config.h"
#include "vgpu_device.h"
#include "vgpu_failure.h"
#include "vgpu_pci.h"

static char *gpus = "vega10";
module_param(gpus, charp, 0444);
MODULE_PARM_DESC(gpus, "GPUs to build, e.g. vega10:cu=4,vram=2g,instances=1+vega10 (default: vega10)");

static unsigned int vram_cap;
module_param(vram_cap, uint, 0444);
MODULE_PARM_DESC(vram_cap, "most MiB of memory behind the VRAM of a GPU (default 0: half of the machine's, shared among the GPUs)");

static char *failures;
module_param(failures, charp, 0444);
MODULE_PARM_DESC(failures, "What goes wrong on purpose in each GPU, e.g. hang:instance=0,queue=gfx+irq_drop:rate=10 (default: nothing)");

static struct vgpu_host *vgpu_host;

static int __init parse_gpus(struct vgpu_config *list)
{
	unsigned int where;
	int count;

	count = vgpu_config_parse(gpus, list, VGPU_MAX_GPUS, &where);
	if (count > 0)
		return count;
	pr_err("carillon_vgpu: gpus=%s: %s at character %u\n", gpus,
	       count == -ENODEV ? "no such profile" :
	       count == -ERANGE ? "value out of range" :
	       count == -E2BIG ? "too many GPUs" : "bad syntax", where + 1);
	return count ?: -EINVAL;
}

static int __init check_failures(void)
{
	struct vgpu_failures *f;
	unsigned int where;
	int ret;

	if (!failures)
		return 0;
	f = kzalloc(sizeof(*f), GFP_KERNEL);
	if (!f)
		return -ENOMEM;
	vgpu_failures_init(f);
	ret = vgpu_failures_set(f, failures, &where);
	if (ret)
		pr_err("carillon_vgpu: failures=%s: %s at character %u\n", failures,
		       ret == -ENOENT ? "no such failure" :
		       ret == -ERANGE ? "value out of range" : "bad syntax", where + 1);
	kfree(f);
	return ret;
}

/* Whoever may use a GPU can have all of this: the machine has to live on. */
static u64 __init default_cap(unsigned int count)
{
	return ((u64)totalram_pages() << PAGE_SHIFT) / 2 / count;
}

static int __init vgpu_module_init(void)
{
	struct vgpu_config list[VGPU_MAX_GPUS];
	u64 cap = (u64)vram_cap << 20;
	struct vgpu_host *host;
	int count, i, ret;

	count = parse_gpus(list);
	if (count < 0)
		return count;
	ret = check_failures();
	if (ret)
		return ret;
	for (i = 0; i < count; i++)
		list[i].failures = failures;
	vgpu_debugfs_init();
	host = vgpu_pci_create(list, count, cap ? cap : default_cap(count));
	if (IS_ERR(host)) {
		vgpu_debugfs_exit();
		pr_err("carillon_vgpu: no virtual GPU: %ld\n", PTR_ERR(host));
		return PTR_ERR(host);
	}
	vgpu_host = host;
	return 0;
}

static void __exit vgpu_module_exit(void)
{
	vgpu_pci_destroy(vgpu_host);
	vgpu_debugfs_exit();
}

module_init(vgpu_module_init);
module_exit(vgpu_module_exit);
MODULE_DESCRIPTION("Register-level model of AMD GPUs that appears as a PCI function");
MODULE_LICENSE("GPL");
