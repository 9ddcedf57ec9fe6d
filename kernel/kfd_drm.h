/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: the DRM nodes, what the KFD layer uses
 *
 * An open render node is the right to use a GPU: a process binds its address space
 * to it (ACQUIRE_VM), and its buffers are mapped through it.
 */
#ifndef CARILLON_KFD_DRM_H
#define CARILLON_KFD_DRM_H

struct drm_driver;
struct file;
struct kfd_device;
struct vm_bo;
struct vm_space;

extern const struct drm_driver kfd_drm_driver;

/* Module parameter drm_name: 0, or -EINVAL with a line in the log. */
int kfd_drm_check_name(void);

/*
 * Bind a new address space to an open DRM file of @dev.  The caller holds the file
 * and gets a reference to the space.  ERR_PTR(-EINVAL): not such a file, or bound
 * already; -ENOMEM; -ENODEV.
 */
struct vm_space *kfd_drm_file_bind(struct file *filp, struct kfd_device *dev);
/* The file may be bound again; the space lives on with its references. */
void kfd_drm_file_unbind(struct file *filp);
/*
 * Let this file, and no other, mmap @bo.  Keep the file open as long as the object.
 * -EINVAL: not such a file.
 */
int kfd_drm_file_allow(struct file *filp, struct vm_bo *bo);

#endif /* CARILLON_KFD_DRM_H */
