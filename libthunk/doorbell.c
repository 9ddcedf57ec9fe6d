// SPDX-License-Identifier: MIT
/* DOC: doorbells; doorbell.h has the words. */
#include "doorbell.h"

#include "device_page.h"

#define DOORBELLS_PER_SLICE	1024

/* Doorbells are 64 bits since gfx9. */
static uint64_t slice_size(const struct thunk_gpu *gpu)
{
	return DOORBELLS_PER_SLICE * (gpu->props.EngineId.ui32.Major >= 9 ? 8 : 4);
}

int doorbell_map(struct thunk_gpu *gpu, uint64_t offset, uint64_t *address)
{
	uint64_t in_slice = offset & (slice_size(gpu) - 1);
	int err;

	if (!gpu->doorbells) {
		err = device_page_map(gpu, MEM_DOORBELL, slice_size(gpu), offset - in_slice,
				      &gpu->doorbells);
		if (err)
			return err;
	}
	*address = (uintptr_t)gpu->doorbells + in_slice;
	return 0;
}
