// SPDX-License-Identifier: MIT
/* DOC: the event page; event_page.h has the rules. */
#include "event_page.h"

#include <errno.h>
#include <linux/kfd_ioctl.h>
#include <sys/mman.h>

#include "memory_alloc.h"
#include "thunk_context.h"
#include "va_space.h"

#define SLOT_SIZE	sizeof(uint64_t)

/* Mapped where a GPU may write it: on all. */
static int map_on_gpus(struct mem_object *object)
{
	uint32_t i;
	int err = 0;

	for (i = 0; !err && i < thunk.gpu_count; i++)
		err = mem_object_map(object, &thunk.gpus[i].gpu_id, 1);
	return err;
}

static int make_page(void)
{
	struct memory_wish wish = {
		.node = thunk_cpu_node(),
		.size = va_page_round(KFD_SIGNAL_EVENT_LIMIT * SLOT_SIZE),
		.flags.ui32 = { .NonPaged = 1, .HostAccess = 1, .ExecuteAccess = 1,
				.Uncached = 1 },
	};
	struct mem_object *object;
	int err = memory_alloc(&wish, &object);

	if (err)
		return err;
	err = map_on_gpus(object);
	if (err) {
		mem_object_destroy(object);
		return err;
	}
	thunk.event_page = (uint64_t *)(uintptr_t)object->va.start;
	thunk.event_page_size = object->va.size;
	return 0;
}

int event_page_prepare(uint64_t *handle)
{
	struct mem_object *object;
	int err;

	*handle = 0;
	if (!thunk.gpu_count || thunk.event_page_given)
		return 0;
	if (!thunk.event_page) {
		err = make_page();
		if (err)
			return err;
	}
	object = mem_object_find(thunk.event_page, 0);
	if (!object)
		return -ENOENT;
	*handle = object->handle;
	return 0;
}

/* The KFD's own page, on a machine without GPU. */
static int map_kfd_page(uint64_t offset)
{
	uint64_t size = va_page_round(KFD_SIGNAL_EVENT_LIMIT * SLOT_SIZE);
	void *page = thunk_sys->mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED,
				     thunk.kfd_fd, (off_t)offset);

	if (page == MAP_FAILED)
		return -errno;
	va_dont_fork((uintptr_t)page, size);
	thunk.event_page = page;
	thunk.event_page_size = size;
	return 0;
}

int event_page_slot(uint64_t offset, uint32_t index, uint64_t *slot)
{
	int err;

	*slot = 0;
	thunk.event_page_given = thunk.event_page_given || thunk.event_page;
	if (!offset)
		return 0;
	if (!thunk.event_page) {
		err = map_kfd_page(offset);
		if (err)
			return err;
		thunk.event_page_given = true;
	}
	if (index < thunk.event_page_size / SLOT_SIZE)
		*slot = (uintptr_t)&thunk.event_page[index];
	return 0;
}

void event_page_forget(void)
{
	thunk.event_page = NULL;
	thunk.event_page_size = 0;
	thunk.event_page_given = false;
}
