// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: buffer objects as dma-bufs
 *
 * A dma-buf of ours holds its object, and through it the drm_device, and holds the
 * module.  It may be passed to another process, which makes a buffer of the object
 * itself, and it may be mapped: at the object's own place in the device's address space
 * of CPU mappings, so that what withdraws those withdraws this one as well.  The right to
 * map it is the descriptor; the rules of vm_bo.c about what a CPU sees at all stay.
 *
 * Each export makes a dma-buf of its own, which goes with its last descriptor; none is
 * remembered in the object, so that an export alone keeps nothing.
 *
 * Devices of other drivers can use GTT objects, whose pages never move.  VRAM they cannot
 * have: it has no address on the bus that is theirs to use.
 *
 * Not done: dma-bufs of other drivers as objects of ours; kernel mappings (vmap).
 */
#include <drm/drm_prime.h>
#include <linux/dma-buf.h>
#include <linux/fcntl.h>
#include <linux/module.h>

#include "vm_bo.h"
#include "vm_device.h"

MODULE_IMPORT_NS(DMA_BUF);

static int vm_share_attach(struct dma_buf *dmabuf, struct dma_buf_attachment *attach)
{
	struct vm_bo *bo = to_vm_bo(dmabuf->priv);

	return vm_bo_gtt(bo) ? drm_gem_map_attach(dmabuf, attach) : -EOPNOTSUPP;
}

static int vm_share_mmap(struct dma_buf *dmabuf, struct vm_area_struct *vma)
{
	return drm_gem_prime_mmap(dmabuf->priv, vma);
}

static const struct dma_buf_ops vm_share_ops = {
	.cache_sgt_mapping = true,
	.attach = vm_share_attach,
	.detach = drm_gem_map_detach,
	.map_dma_buf = drm_gem_map_dma_buf,
	.unmap_dma_buf = drm_gem_unmap_dma_buf,
	.mmap = vm_share_mmap,
	.release = drm_gem_dmabuf_release,
};

/**
 * vm_bo_sg_table - the pages of a GTT object
 * @obj: GEM object of a GTT object
 *
 * Context: process context, allocates.
 * Return: a table that the caller frees, or ERR_PTR(-ENOMEM).
 */
struct sg_table *vm_bo_sg_table(struct drm_gem_object *obj)
{
	const struct vm_bo_gtt *gtt = vm_bo_gtt(to_vm_bo(obj));

	return drm_prime_pages_to_sg(obj->dev, gtt->pages, gtt->count);
}

/**
 * vm_bo_export - a dma-buf of an object
 * @bo: VRAM or GTT object
 * @writable: who maps it may write
 *
 * Context: process context, allocates; no lock that a CPU mapping takes.
 * Return: dma-buf with one reference; ERR_PTR(-EPERM) for user pages, which are their
 * process's own; ERR_PTR(-ENODEV); or what dma_buf_export() says.
 */
struct dma_buf *vm_bo_export(struct vm_bo *bo, bool writable)
{
	DEFINE_DMA_BUF_EXPORT_INFO(info);
	u64 offset;
	int ret;

	if (bo->kind == VM_BO_USER)
		return ERR_PTR(-EPERM);
	if (drm_dev_is_unplugged(bo->base.dev))
		return ERR_PTR(-ENODEV);
	/* A mapping of the dma-buf is entered at it. */
	ret = vm_bo_mmap_offset(bo, &offset);
	if (ret)
		return ERR_PTR(ret);
	info.exp_name = bo->base.dev->driver->name;
	info.owner = THIS_MODULE;
	info.ops = &vm_share_ops;
	info.size = bo->base.size;
	info.flags = O_CLOEXEC | (writable ? O_RDWR : O_RDONLY);
	info.resv = bo->base.resv;
	info.priv = &bo->base;
	return drm_gem_dmabuf_export(bo->base.dev, &info);
}

/**
 * vm_bo_of_dma_buf - the object behind a dma-buf
 * @dmabuf: any dma-buf; holds the object
 *
 * Context: any.
 * Return: the object, or NULL if the dma-buf is not one of ours.
 */
struct vm_bo *vm_bo_of_dma_buf(struct dma_buf *dmabuf)
{
	return dmabuf->ops == &vm_share_ops ? to_vm_bo(dmabuf->priv) : NULL;
}
