// SPDX-License-Identifier: MIT
/**
 * DOC: memory of two processes
 *
 * What another process uses of ours it has by a dma-buf. A program can take that as a
 * descriptor and pass it on by itself, or take a handle: 32 bytes that say whose
 * descriptor it is and which file it must be. Who gets a handle copies that descriptor
 * out of our process, which the kernel allows to those who may trace us (as a rule: the
 * same user, and no filter of a container's against it), and looks whether it is the
 * file that was meant. So a handle that was forged, or came too late, is an error and
 * never other memory.
 *
 * The descriptor behind the handles of an object is closed when the object goes. The
 * memory then stays for those who have it, and goes at once if nobody does.
 *
 * An imported buffer has addresses of its own, where the CPU sees it if its owner's does.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/kfd_ioctl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory_import.h"
#include "thunk_context.h"
#include "thunk_log.h"
#include "thunk_util.h"

#define HANDLE_MAGIC	0x31485343u	/* "CSH1" */

/**
 * struct share_handle - what stands in a HsaSharedMemoryHandle
 * @magic: HANDLE_MAGIC
 * @pid: process that has the memory
 * @fd: its descriptor
 * @zero: 0
 * @inode: of the dma-buf's file; no other one ever gets the number
 * @size: bytes that are shared, from the start
 */
struct share_handle {
	uint32_t magic;
	uint32_t pid;
	uint32_t fd;
	uint32_t zero;
	uint64_t inode;
	uint64_t size;
};

_Static_assert(sizeof(struct share_handle) == sizeof(HsaSharedMemoryHandle),
	       "the handle's size is the interface's");

/* ---- export ----------------------------------------------------------- */

/* Return: a descriptor or a negative errno. */
static int export_object(const struct mem_object *object)
{
	struct kfd_ioctl_export_dmabuf_args args = {
		.handle = object->handle,
		.flags = O_CLOEXEC,
	};
	int err;

	if (!object->has_handle)
		return -EINVAL;
	err = thunk_kfd(AMDKFD_IOC_EXPORT_DMABUF, &args);
	return err ? err : (int)args.dmabuf_fd;
}

static int export_range(const void *address, uint64_t size, int *fd, uint64_t *offset)
{
	const struct mem_object *object = mem_object_holder(address);
	uint64_t at, bytes;
	int got;

	if (!object)
		return -EINVAL;
	at = (uintptr_t)address - object->va.start;
	bytes = mem_object_bytes(object);
	/* User memory is found by its own address, too; the driver refuses it below. */
	if (object->kind != MEM_USER && (at >= bytes || size > bytes - at))
		return -EINVAL;
	got = export_object(object);
	if (got < 0)
		return got;
	*fd = got;
	*offset = at;
	return 0;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtExportDMABufHandle(void *MemoryAddress, HSAuint64 MemorySizeInBytes,
						 int *DMABufFd, HSAuint64 *Offset)
{
	HSAKMT_STATUS status = thunk_enter();

	if (status)
		return status;
	if (!DMABufFd || !Offset)
		return thunk_leave(-EINVAL);
	return thunk_leave(export_range(MemoryAddress, MemorySizeInBytes, DMABufFd, Offset));
}

/* ---- handles ---------------------------------------------------------- */

static int inode_of(int fd, uint64_t *inode)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	*inode = st.st_ino;
	return 0;
}

static int share(const void *address, uint64_t size, struct share_handle *handle)
{
	struct mem_object *object = mem_object_find(address, 0);

	if (!object || !size || size > mem_object_bytes(object))
		return -EINVAL;
	if (object->share_fd < 0) {
		int fd = export_object(object);

		if (fd < 0)
			return fd;
		object->share_fd = fd;
	}
	*handle = (struct share_handle){
		.magic = HANDLE_MAGIC,
		.pid = (uint32_t)getpid(),
		.fd = (uint32_t)object->share_fd,
		.size = size,
	};
	return inode_of(object->share_fd, &handle->inode);
}

HSAKMT_STATUS HSAKMTAPI hsaKmtShareMemory(void *MemoryAddress, HSAuint64 SizeInBytes,
					  HsaSharedMemoryHandle *SharedMemoryHandle)
{
	HSAKMT_STATUS status = thunk_enter();
	struct share_handle handle;
	int err;

	if (status)
		return status;
	if (!SharedMemoryHandle)
		return thunk_leave(-EINVAL);
	err = share(MemoryAddress, SizeInBytes, &handle);
	if (!err)
		memcpy(SharedMemoryHandle, &handle, sizeof(handle));
	return thunk_leave(err);
}

/* Why a descriptor of another process cannot be had. */
static int take_failed(const struct share_handle *handle, int err)
{
	switch (err) {
	case EPERM:
		thunk_err("memory of process %u: no permission to take its descriptor (ptrace)",
			  handle->pid);
		return -EPERM;
	case ESRCH:
	case EBADF:
		return -ENOENT;
	default:
		return -err;
	}
}

/* Return: the descriptor that @handle means, ours to close, or a negative errno. */
static int take_dmabuf(const struct share_handle *handle)
{
	uint64_t inode = 0;
	int fd;

	if (handle->magic != HANDLE_MAGIC || handle->zero || !handle->size ||
	    !handle->pid || handle->pid > INT32_MAX || handle->fd > INT32_MAX)
		return -EINVAL;
	fd = thunk_sys->take_fd((pid_t)handle->pid, (int)handle->fd);
	if (fd < 0)
		return take_failed(handle, errno);
	if (!inode_of(fd, &inode) && inode == handle->inode)
		return fd;
	thunk_sys->close(fd);
	return -ENOENT;
}

/* Memory that its owner has for reading only gets a placeholder, like memory out of reach. */
static bool cpu_may(int fd, const struct kfd_ioctl_get_dmabuf_info_args *info)
{
	return info->flags & (KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC | KFD_IOC_ALLOC_MEM_FLAGS_GTT) &&
	       (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR;
}

static int import_dmabuf(int fd, uint64_t size, const struct node_list *nodes,
			 struct mem_object **object)
{
	struct kfd_ioctl_get_dmabuf_info_args info;
	void *metadata;
	int err = memory_query(fd, &metadata, &info);

	if (err)
		return err;
	free(metadata);
	if (size > info.size)
		return -EINVAL;
	err = memory_import(MEM_SHARED, fd, &info, nodes, object);
	if (err)
		return err;
	err = mem_object_cpu_map(*object, fd, 0, cpu_may(fd, &info));
	if (err)
		mem_object_destroy(*object);
	return err;
}

static int register_shared(const struct share_handle *handle, const struct node_list *nodes,
			   void **address, HSAuint64 *size)
{
	struct mem_object *object;
	int fd = take_dmabuf(handle);
	int err;

	if (fd < 0)
		return fd;
	err = import_dmabuf(fd, handle->size, nodes, &object);
	thunk_sys->close(fd);
	if (err)
		return err;
	*address = (void *)(uintptr_t)object->va.start;
	*size = handle->size;
	return 0;
}

HSAKMT_STATUS HSAKMTAPI
hsaKmtRegisterSharedHandleToNodes(const HsaSharedMemoryHandle *SharedMemoryHandle,
				  void **MemoryAddress, HSAuint64 *SizeInBytes,
				  HSAuint64 NumberOfNodes, HSAuint32 *NodeArray)
{
	struct node_list nodes = { 0 };
	struct share_handle handle;
	HSAKMT_STATUS status = thunk_enter();
	int err = 0;

	if (status)
		return status;
	if (!SharedMemoryHandle || !MemoryAddress || !SizeInBytes)
		return thunk_leave(-EINVAL);
	memcpy(&handle, SharedMemoryHandle, sizeof(handle));
	/* No list: every GPU may map it. */
	if (NumberOfNodes)
		err = node_list_init(&nodes, NodeArray, NumberOfNodes);
	if (err)
		return thunk_leave(err);
	err = register_shared(&handle, &nodes, MemoryAddress, SizeInBytes);
	node_list_fini(&nodes);
	return thunk_leave(err);
}

HSAKMT_STATUS HSAKMTAPI hsaKmtRegisterSharedHandle(const HsaSharedMemoryHandle *SharedMemoryHandle,
						   void **MemoryAddress, HSAuint64 *SizeInBytes)
{
	return hsaKmtRegisterSharedHandleToNodes(SharedMemoryHandle, MemoryAddress, SizeInBytes, 0,
						 NULL);
}
