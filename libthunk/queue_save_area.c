// SPDX-License-Identifier: MIT
/* DOC: memory that queues bring along; queue_save_area.h has the words. */
#include "queue_save_area.h"

#include "thunk_context.h"
#include "va_space.h"

/* State of one CU beside its vector and scalar registers. */
#define LDS_BYTES_PER_CU	0x10000
#define HWREG_BYTES_PER_CU	0x1000

/* The debugger's room for one wave, and what that part is aligned to. */
#define DEBUG_BYTES_PER_WAVE	32
#define DEBUG_ALIGN		64

/* gfx10 uses no more control stack than this. */
#define GFX10_CONTROL_STACK_MAX	0x7000

/* The first chip that saves waves is gfx8. */
#define FIRST_MAJOR		8

static uint32_t round_up(uint64_t size, uint64_t unit)
{
	return (uint32_t)((size + unit - 1) / unit * unit);
}

/* Waves that can be in flight: by CUs, before gfx10.1 also by what an engine tracks. */
static uint32_t wave_count(const HsaNodeProperties *props, uint32_t cus)
{
	uint32_t arrays = props->NumArrays ? props->NumArrays : 1;
	uint32_t tracked = props->NumShaderBanks / arrays * 512;

	if (props->EngineId.ui32.Major >= 10)
		return cus * 32;
	return cus * 40 < tracked ? cus * 40 : tracked;
}

bool save_area_plan(const HsaNodeProperties *props, uint64_t page_size,
		    struct save_area_layout *layout)
{
	bool gfx10 = props->EngineId.ui32.Major >= 10;
	uint32_t cus, waves;
	uint64_t per_cu;

	if (props->EngineId.ui32.Major < FIRST_MAJOR || !props->NumSIMDPerCU)
		return false;
	cus = props->NumFComputeCores / props->NumSIMDPerCU;
	waves = wave_count(props, cus);
	per_cu = (uint64_t)props->VGPRSizePerCU + props->SGPRSizePerCU + LDS_BYTES_PER_CU +
		 HWREG_BYTES_PER_CU;
	layout->control_stack_size =
		round_up(sizeof(HsaUserContextSaveAreaHeader) + waves * (gfx10 ? 12 : 8) + 8,
			 page_size);
	if (props->EngineId.ui32.Major == 10 &&
	    layout->control_stack_size > GFX10_CONTROL_STACK_MAX)
		layout->control_stack_size = GFX10_CONTROL_STACK_MAX;
	layout->save_size = layout->control_stack_size + round_up(cus * per_cu, page_size);
	layout->debug_size = round_up((uint64_t)waves * DEBUG_BYTES_PER_WAVE, DEBUG_ALIGN);
	return true;
}

int queue_memory_alloc(const struct thunk_gpu *gpu, const struct memory_wish *wish,
		       struct mem_object **object)
{
	struct mem_object *made;
	int err = memory_alloc(wish, &made);

	if (err)
		return err;
	err = mem_nodes_set(&made->registered, &gpu->gpu_id, 1);
	if (!err)
		err = mem_object_map(made, &gpu->gpu_id, 1);
	if (err) {
		mem_object_destroy(made);
		return err;
	}
	*object = made;
	return 0;
}

int queue_host_alloc(const struct thunk_gpu *gpu, struct memory_wish *wish,
		     struct mem_object **object)
{
	if (!topology_cpu_near(thunk.topo, gpu->node, &wish->node)) {
		/* Not known yet, or no link: anywhere. */
		wish->flags.ui32.NoNUMABind = 1;
		wish->node = thunk_cpu_node();
	}
	return queue_memory_alloc(gpu, wish, object);
}

int save_area_alloc(const struct thunk_gpu *gpu, const struct save_area_layout *layout,
		    const HsaEvent *event, volatile HSAint64 *error_reason,
		    struct mem_object **object)
{
	struct memory_wish wish = {
		.size = va_page_round((uint64_t)layout->save_size + layout->debug_size),
		.flags.ui32 = { .HostAccess = 1, .ExecuteAccess = 1 },
	};
	HsaUserContextSaveAreaHeader *head;
	int err = queue_host_alloc(gpu, &wish, object);

	if (err)
		return err;
	head = (void *)(uintptr_t)(*object)->va.start;
	head->ErrorEventId = event ? event->EventId : 0;
	head->ErrorReason = error_reason;
	head->DebugOffset = layout->save_size;
	head->DebugSize = layout->debug_size;
	return 0;
}
