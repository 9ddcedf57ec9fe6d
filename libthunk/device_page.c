// SPDX-License-Identifier: MIT
/* DOC: device pages; device_page.h has the words. */
#include "device_page.h"

#include <errno.h>
#include <linux/kfd_ioctl.h>

#include "thunk_context.h"

int device_page_map(const struct thunk_gpu *gpu, enum mem_kind kind, uint64_t size,
		    uint64_t offset, void **address)
{
	struct mem_request request = {
		.gpu_id = gpu->gpu_id,
		.kind = kind,
		.size = size,
		.ioc_flags = KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE | KFD_IOC_ALLOC_MEM_FLAGS_COHERENT,
	};
	struct mem_object *object;
	uint64_t from = 0;
	int err = mem_object_create(&request, &object, &from);

	if (err)
		return err;
	if (offset != DEVICE_PAGE_ANY)
		from = offset;
	object->node = gpu->node;
	object->flags.ui32.NonPaged = 1;
	object->flags.ui32.HostAccess = 1;
	err = mem_object_cpu_map(object, thunk.kfd_fd, from, true);
	if (!err)
		err = mem_object_map(object, &gpu->gpu_id, 1);
	if (err) {
		mem_object_destroy(object);
		return err;
	}
	*address = (void *)(uintptr_t)object->va.start;
	return 0;
}

int device_page_unmap(void *address)
{
	struct mem_object *object = address ? mem_object_find(address, 0) : NULL;

	return object ? mem_object_destroy(object) : 0;
}
