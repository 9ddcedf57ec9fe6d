/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note OR MIT */
/**
 * DOC: user API of /dev/kfd
 *
 * Version 1.11: the numbers, structures and constants of Linux 6.1, described in
 * our own words, and ahead of its version EXPORT_DMABUF of 1.12, RUNTIME_ENABLE of 1.13 and
 * the event ages of 1.14.  Programs built against either header run on either driver.
 *
 * Rules for changing this file:
 *
 * - The public kernel header decides.  A number, an offset, a size or a constant
 *   that it has may not differ here (selftests/abi_test.c compares the two).
 * - Nothing of our own is added: no command, no flag, no field.
 * - A structure only grows at its end, and only when the public one grew.  The
 *   driver reads a shorter structure as if zeroes followed and leaves the tail of
 *   a longer one alone, so old and new callers work with old and new drivers.
 * - A command number is never used for something else; a command that is gone
 *   keeps its number and its structure.
 * - A change that a caller can see raises KFD_IOCTL_MINOR_VERSION to the public
 *   number of that change, and not before the driver implements it and all that
 *   has a lower number.
 *
 * "In" is read by the driver, "out" is written by it; the caller's structure is
 * written back when a command fails, too.  Members named pad are ignored and left
 * alone.  A gpu_id is the number in the topology's file of that name; 0 is a CPU
 * node.  Addresses are those of the calling process, where CPU and GPU share one
 * address space.  Pointers travel as __u64.
 *
 * The include guard is the public header's on purpose: a program that includes
 * both sees the one it named first.
 */
#ifndef KFD_IOCTL_H_INCLUDED
#define KFD_IOCTL_H_INCLUDED

#include <linux/ioctl.h>
#include <linux/types.h>

#define KFD_IOCTL_MAJOR_VERSION 1
#define KFD_IOCTL_MINOR_VERSION 11

/**
 * struct kfd_ioctl_get_version_args - AMDKFD_IOC_GET_VERSION
 * @major_version: out: changes only when old callers must stop
 * @minor_version: out: grows with every addition
 */
struct kfd_ioctl_get_version_args {
	__u32 major_version;
	__u32 minor_version;
};

/* Kinds of queue: kfd_ioctl_create_queue_args.queue_type */
#define KFD_IOC_QUEUE_TYPE_COMPUTE	0x0	/* PM4 packets */
#define KFD_IOC_QUEUE_TYPE_SDMA		0x1	/* any SDMA engine behind PCIe */
#define KFD_IOC_QUEUE_TYPE_COMPUTE_AQL	0x2	/* AQL packets */
#define KFD_IOC_QUEUE_TYPE_SDMA_XGMI	0x3	/* an SDMA engine tuned for XGMI */

#define KFD_MAX_QUEUE_PERCENTAGE	100
#define KFD_MAX_QUEUE_PRIORITY		15

#define KFD_MIN_QUEUE_RING_SIZE		1024	/* bytes */

/**
 * struct kfd_ioctl_create_queue_args - AMDKFD_IOC_CREATE_QUEUE
 * @ring_base_address: in: start of the ring, 256-byte aligned; 0 only with size 0
 * @write_pointer_address: in: the client's 64-bit write pointer
 * @read_pointer_address: in: where the engine reports its 64-bit read pointer
 * @doorbell_offset: out: mmap offset of the doorbell slice with the byte offset of
 *	this queue's doorbell added
 * @ring_size: in: bytes, a power of two, or 0
 * @gpu_id: in: where the queue runs
 * @queue_type: in: KFD_IOC_QUEUE_TYPE_*
 * @queue_percentage: in: 0 creates the queue stopped, up to
 *	KFD_MAX_QUEUE_PERCENTAGE
 * @queue_priority: in: 0 (lowest) to KFD_MAX_QUEUE_PRIORITY
 * @queue_id: out: names the queue within the process
 * @eop_buffer_address: in: compute only: end-of-pipe buffer
 * @eop_buffer_size: in: its bytes
 * @ctx_save_restore_address: in: compute only: where waves are saved
 * @ctx_save_restore_size: in: its bytes for one partition
 * @ctl_stack_size: in: bytes of it that hold the control stack
 */
struct kfd_ioctl_create_queue_args {
	__u64 ring_base_address;
	__u64 write_pointer_address;
	__u64 read_pointer_address;
	__u64 doorbell_offset;

	__u32 ring_size;
	__u32 gpu_id;
	__u32 queue_type;
	__u32 queue_percentage;
	__u32 queue_priority;
	__u32 queue_id;

	__u64 eop_buffer_address;
	__u64 eop_buffer_size;
	__u64 ctx_save_restore_address;
	__u32 ctx_save_restore_size;
	__u32 ctl_stack_size;
};

/**
 * struct kfd_ioctl_destroy_queue_args - AMDKFD_IOC_DESTROY_QUEUE
 * @queue_id: in: the queue; its memory may be freed once the command returns
 * @pad: unused
 */
struct kfd_ioctl_destroy_queue_args {
	__u32 queue_id;
	__u32 pad;
};

/**
 * struct kfd_ioctl_update_queue_args - AMDKFD_IOC_UPDATE_QUEUE
 * @ring_base_address: in: new ring; 0 only with size 0
 * @queue_id: in: the queue
 * @ring_size: in: new size in bytes
 * @queue_percentage: in: 0 stops the queue, anything else lets it run
 * @queue_priority: in: new priority
 */
struct kfd_ioctl_update_queue_args {
	__u64 ring_base_address;

	__u32 queue_id;
	__u32 ring_size;
	__u32 queue_percentage;
	__u32 queue_priority;
};

/**
 * struct kfd_ioctl_set_cu_mask_args - AMDKFD_IOC_SET_CU_MASK
 * @queue_id: in: a compute queue
 * @num_cu_mask: in: bits in the mask, a multiple of 32
 * @cu_mask_ptr: in: array of __u32
 */
struct kfd_ioctl_set_cu_mask_args {
	__u32 queue_id;
	__u32 num_cu_mask;
	__u64 cu_mask_ptr;
};

/**
 * struct kfd_ioctl_get_queue_wave_state_args - AMDKFD_IOC_GET_QUEUE_WAVE_STATE
 * @ctl_stack_address: in: where the control stack is copied to
 * @ctl_stack_used_size: out: its bytes
 * @save_area_used_size: out: bytes of saved wave state
 * @queue_id: in: a stopped compute queue
 * @pad: unused
 */
struct kfd_ioctl_get_queue_wave_state_args {
	__u64 ctl_stack_address;
	__u32 ctl_stack_used_size;
	__u32 save_area_used_size;
	__u32 queue_id;
	__u32 pad;
};

/**
 * struct kfd_ioctl_get_available_memory_args - AMDKFD_IOC_AVAILABLE_MEMORY
 * @available: out: bytes of VRAM that can still be allocated
 * @gpu_id: in: which GPU
 * @pad: unused
 */
struct kfd_ioctl_get_available_memory_args {
	__u64 available;
	__u32 gpu_id;
	__u32 pad;
};

/* Cache policies: the two policy members of kfd_ioctl_set_memory_policy_args */
#define KFD_IOC_CACHE_POLICY_COHERENT		0
#define KFD_IOC_CACHE_POLICY_NONCOHERENT	1

/**
 * struct kfd_ioctl_set_memory_policy_args - AMDKFD_IOC_SET_MEMORY_POLICY
 * @alternate_aperture_base: in: start of the range with the second policy
 * @alternate_aperture_size: in: its bytes
 * @gpu_id: in: which GPU
 * @default_policy: in: KFD_IOC_CACHE_POLICY_* outside that range
 * @alternate_policy: in: KFD_IOC_CACHE_POLICY_* inside it
 * @pad: unused
 */
struct kfd_ioctl_set_memory_policy_args {
	__u64 alternate_aperture_base;
	__u64 alternate_aperture_size;

	__u32 gpu_id;
	__u32 default_policy;
	__u32 alternate_policy;
	__u32 pad;
};

/**
 * struct kfd_ioctl_get_clock_counters_args - AMDKFD_IOC_GET_CLOCK_COUNTERS
 * @gpu_clock_counter: out: the counter that GPU time stamps use; 0 where @gpu_id
 *	is no GPU
 * @cpu_clock_counter: out: raw monotonic time in ns
 * @system_clock_counter: out: time since boot in ns, suspend included
 * @system_clock_freq: out: ticks a second of the two above
 * @gpu_id: in: which GPU, or 0
 * @pad: unused
 *
 * None of the counters ever goes back, a GPU reset included.
 */
struct kfd_ioctl_get_clock_counters_args {
	__u64 gpu_clock_counter;
	__u64 cpu_clock_counter;
	__u64 system_clock_counter;
	__u64 system_clock_freq;

	__u32 gpu_id;
	__u32 pad;
};

/**
 * struct kfd_process_device_apertures - address windows of one GPU
 * @lds_base: out: first address of the LDS window
 * @lds_limit: out: last address of it
 * @scratch_base: out: first address of the private (scratch) window
 * @scratch_limit: out: last address of it
 * @gpuvm_base: out: first address that page tables translate
 * @gpuvm_limit: out: last address of it
 * @gpu_id: out: which GPU
 * @pad: unused
 */
struct kfd_process_device_apertures {
	__u64 lds_base;
	__u64 lds_limit;
	__u64 scratch_base;
	__u64 scratch_limit;
	__u64 gpuvm_base;
	__u64 gpuvm_limit;
	__u32 gpu_id;
	__u32 pad;
};

#define NUM_OF_SUPPORTED_GPUS 7	/* entries of the old command, no limit otherwise */

/**
 * struct kfd_ioctl_get_process_apertures_args - AMDKFD_IOC_GET_PROCESS_APERTURES
 * @process_apertures: out: one entry a GPU; later ones are zero
 * @num_of_nodes: out: entries used
 * @pad: unused
 *
 * Old: callers should use AMDKFD_IOC_GET_PROCESS_APERTURES_NEW.
 */
struct kfd_ioctl_get_process_apertures_args {
	struct kfd_process_device_apertures process_apertures[NUM_OF_SUPPORTED_GPUS];
	__u32 num_of_nodes;
	__u32 pad;
};

/**
 * struct kfd_ioctl_get_process_apertures_new_args - AMDKFD_IOC_GET_PROCESS_APERTURES_NEW
 * @kfd_process_device_apertures_ptr: in: array of struct
 *	kfd_process_device_apertures
 * @num_of_nodes: in: its capacity, at most the number of topology nodes; 0 asks
 *	for the number of GPUs.  out: entries written, or that number
 * @pad: unused
 */
struct kfd_ioctl_get_process_apertures_new_args {
	__u64 kfd_process_device_apertures_ptr;
	__u32 num_of_nodes;
	__u32 pad;
};

/* Limits of the removed debugger commands */
#define MAX_ALLOWED_NUM_POINTS		100
#define MAX_ALLOWED_AW_BUFF_SIZE	4096
#define MAX_ALLOWED_WAC_BUFF_SIZE	128

/**
 * struct kfd_ioctl_dbg_register_args - AMDKFD_IOC_DBG_REGISTER_DEPRECATED
 * @gpu_id: unused, the command is gone
 * @pad: unused
 */
struct kfd_ioctl_dbg_register_args {
	__u32 gpu_id;
	__u32 pad;
};

/**
 * struct kfd_ioctl_dbg_unregister_args - AMDKFD_IOC_DBG_UNREGISTER_DEPRECATED
 * @gpu_id: unused, the command is gone
 * @pad: unused
 */
struct kfd_ioctl_dbg_unregister_args {
	__u32 gpu_id;
	__u32 pad;
};

/**
 * struct kfd_ioctl_dbg_address_watch_args - AMDKFD_IOC_DBG_ADDRESS_WATCH_DEPRECATED
 * @content_ptr: unused, the command is gone
 * @gpu_id: unused
 * @buf_size_in_bytes: unused
 */
struct kfd_ioctl_dbg_address_watch_args {
	__u64 content_ptr;
	__u32 gpu_id;
	__u32 buf_size_in_bytes;
};

/**
 * struct kfd_ioctl_dbg_wave_control_args - AMDKFD_IOC_DBG_WAVE_CONTROL_DEPRECATED
 * @content_ptr: unused, the command is gone
 * @gpu_id: unused
 * @buf_size_in_bytes: unused
 */
struct kfd_ioctl_dbg_wave_control_args {
	__u64 content_ptr;
	__u32 gpu_id;
	__u32 buf_size_in_bytes;
};

#define KFD_INVALID_FD	0xffffffff

/* Kinds of event: kfd_ioctl_create_event_args.event_type */
#define KFD_IOC_EVENT_SIGNAL			0	/* set by a queue or by the CPU */
#define KFD_IOC_EVENT_NODECHANGE		1
#define KFD_IOC_EVENT_DEVICESTATECHANGE		2
#define KFD_IOC_EVENT_HW_EXCEPTION		3	/* a GPU hung or was reset */
#define KFD_IOC_EVENT_SYSTEM_EVENT		4
#define KFD_IOC_EVENT_DEBUG_EVENT		5	/* set like SIGNAL */
#define KFD_IOC_EVENT_PROFILE_EVENT		6
#define KFD_IOC_EVENT_QUEUE_EVENT		7
#define KFD_IOC_EVENT_MEMORY			8	/* a queue used a bad address */

/* kfd_ioctl_wait_events_args.wait_result */
#define KFD_IOC_WAIT_RESULT_COMPLETE		0
#define KFD_IOC_WAIT_RESULT_TIMEOUT		1
#define KFD_IOC_WAIT_RESULT_FAIL		2

#define KFD_SIGNAL_EVENT_LIMIT			4096	/* slots of a full event page */

/* kfd_hsa_hw_exception_data.reset_type */
#define KFD_HW_EXCEPTION_WHOLE_GPU_RESET	0
#define KFD_HW_EXCEPTION_PER_ENGINE_RESET	1

/* kfd_hsa_hw_exception_data.reset_cause */
#define KFD_HW_EXCEPTION_GPU_HANG		0
#define KFD_HW_EXCEPTION_ECC			1

/* kfd_hsa_memory_exception_data.ErrorType */
#define KFD_MEM_ERR_NO_RAS			0
#define KFD_MEM_ERR_SRAM_ECC			1
#define KFD_MEM_ERR_POISON_CONSUMED		2
#define KFD_MEM_ERR_GPU_HANG			3

/**
 * struct kfd_ioctl_create_event_args - AMDKFD_IOC_CREATE_EVENT
 * @event_page_offset: in: 0, or the handle of a GTT buffer of 8 bytes a slot that
 *	becomes the process's event page (accepted once).  out: for types SIGNAL and
 *	DEBUG the mmap offset of the event page, otherwise unchanged
 * @event_trigger_data: out: what a queue's interrupt carries: the event id
 * @event_type: in: KFD_IOC_EVENT_*
 * @auto_reset: in: non-zero: a wait that the event ends also resets it
 * @node_id: in: unused by the types that exist
 * @event_id: out: names the event within the process
 * @event_slot_index: out: types SIGNAL and DEBUG: index of its slot in the page
 */
struct kfd_ioctl_create_event_args {
	__u64 event_page_offset;
	__u32 event_trigger_data;
	__u32 event_type;
	__u32 auto_reset;
	__u32 node_id;
	__u32 event_id;
	__u32 event_slot_index;
};

/**
 * struct kfd_ioctl_destroy_event_args - AMDKFD_IOC_DESTROY_EVENT
 * @event_id: in: the event; those who wait for it wake with FAIL
 * @pad: unused
 */
struct kfd_ioctl_destroy_event_args {
	__u32 event_id;
	__u32 pad;
};

/**
 * struct kfd_ioctl_set_event_args - AMDKFD_IOC_SET_EVENT
 * @event_id: in: an event of type SIGNAL
 * @pad: unused
 */
struct kfd_ioctl_set_event_args {
	__u32 event_id;
	__u32 pad;
};

/**
 * struct kfd_ioctl_reset_event_args - AMDKFD_IOC_RESET_EVENT
 * @event_id: in: an event of type SIGNAL
 * @pad: unused
 */
struct kfd_ioctl_reset_event_args {
	__u32 event_id;
	__u32 pad;
};

/**
 * struct kfd_memory_exception_failure - why an access failed
 * @NotPresent: out: no page is mapped there
 * @ReadOnly: out: the page was written and may only be read
 * @NoExecute: out: the page was executed and may not be
 * @imprecise: out: the address is not exact
 */
struct kfd_memory_exception_failure {
	__u32 NotPresent;
	__u32 ReadOnly;
	__u32 NoExecute;
	__u32 imprecise;
};

/**
 * struct kfd_hsa_memory_exception_data - what an event of type MEMORY reports
 * @failure: out: why
 * @va: out: which address
 * @gpu_id: out: whose access
 * @ErrorType: out: KFD_MEM_ERR_*
 */
struct kfd_hsa_memory_exception_data {
	struct kfd_memory_exception_failure failure;
	__u64 va;
	__u32 gpu_id;
	__u32 ErrorType;
};

/**
 * struct kfd_hsa_hw_exception_data - what an event of type HW_EXCEPTION reports
 * @reset_type: out: KFD_HW_EXCEPTION_*_RESET
 * @reset_cause: out: KFD_HW_EXCEPTION_GPU_HANG or KFD_HW_EXCEPTION_ECC
 * @memory_lost: out: non-zero if VRAM lost its contents
 * @gpu_id: out: which GPU
 */
struct kfd_hsa_hw_exception_data {
	__u32 reset_type;
	__u32 reset_cause;
	__u32 memory_lost;
	__u32 gpu_id;
};

/**
 * struct kfd_hsa_signal_event_data - how often an event of type SIGNAL was set
 * @last_event_age: in: what the caller was told last, 1 at first, or 0 to wait for the
 *	next time that it is set; out: what it is now, if it was not 0
 *
 * A wait whose age is not that of the event any more ends at once.  Came with version 1.14.
 */
struct kfd_hsa_signal_event_data {
	__u64 last_event_age;
};

/**
 * struct kfd_event_data - one event of a wait
 * @memory_exception_data: out: only for type MEMORY
 * @hw_exception_data: out: only for type HW_EXCEPTION
 * @signal_event_data: in and out: only for type SIGNAL
 * @kfd_event_data_ext: reserved for more data
 * @event_id: in: the event
 * @pad: unused
 */
struct kfd_event_data {
	union {
		struct kfd_hsa_memory_exception_data memory_exception_data;
		struct kfd_hsa_hw_exception_data hw_exception_data;
		struct kfd_hsa_signal_event_data signal_event_data;
	};
	__u64 kfd_event_data_ext;
	__u32 event_id;
	__u32 pad;
};

/**
 * struct kfd_ioctl_wait_events_args - AMDKFD_IOC_WAIT_EVENTS
 * @events_ptr: in: array of struct kfd_event_data
 * @num_events: in: its length, at most KFD_SIGNAL_EVENT_LIMIT
 * @wait_for_all: in: non-zero: all of them, otherwise any
 * @timeout: in: ms; 0 only looks, 0xffffffff waits for ever.  A call that a signal
 *	interrupts leaves the rest of the time here, for the restarted call
 * @wait_result: out: KFD_IOC_WAIT_RESULT_*
 */
struct kfd_ioctl_wait_events_args {
	__u64 events_ptr;
	__u32 num_events;
	__u32 wait_for_all;
	__u32 timeout;
	__u32 wait_result;
};

/**
 * struct kfd_ioctl_set_scratch_backing_va_args - AMDKFD_IOC_SET_SCRATCH_BACKING_VA
 * @va_addr: in: where the process keeps memory for private segments
 * @gpu_id: in: which GPU
 * @pad: unused
 */
struct kfd_ioctl_set_scratch_backing_va_args {
	__u64 va_addr;
	__u32 gpu_id;
	__u32 pad;
};

/**
 * struct kfd_ioctl_get_tile_config_args - AMDKFD_IOC_GET_TILE_CONFIG
 * @tile_config_ptr: in: array of __u32 for tile modes
 * @macro_tile_config_ptr: in: array of __u32 for macro tile modes
 * @num_tile_configs: in: capacity, out: entries written
 * @num_macro_tile_configs: in: capacity, out: entries written
 * @gpu_id: in: which GPU
 * @gb_addr_config: out: the register of that name
 * @num_banks: out: memory banks
 * @num_ranks: out: memory ranks
 */
struct kfd_ioctl_get_tile_config_args {
	__u64 tile_config_ptr;
	__u64 macro_tile_config_ptr;
	__u32 num_tile_configs;
	__u32 num_macro_tile_configs;

	__u32 gpu_id;
	__u32 gb_addr_config;
	__u32 num_banks;
	__u32 num_ranks;
};

/**
 * struct kfd_ioctl_set_trap_handler_args - AMDKFD_IOC_SET_TRAP_HANDLER
 * @tba_addr: in: code of the process's trap handler
 * @tma_addr: in: memory that it gets
 * @gpu_id: in: which GPU
 * @pad: unused
 */
struct kfd_ioctl_set_trap_handler_args {
	__u64 tba_addr;
	__u64 tma_addr;
	__u32 gpu_id;
	__u32 pad;
};

/**
 * struct kfd_ioctl_acquire_vm_args - AMDKFD_IOC_ACQUIRE_VM
 * @drm_fd: in: an open descriptor of the GPU's render node
 * @gpu_id: in: which GPU
 */
struct kfd_ioctl_acquire_vm_args {
	__u32 drm_fd;
	__u32 gpu_id;
};

/* What to allocate: exactly one of these */
#define KFD_IOC_ALLOC_MEM_FLAGS_VRAM		(1 << 0)
#define KFD_IOC_ALLOC_MEM_FLAGS_GTT		(1 << 1)
#define KFD_IOC_ALLOC_MEM_FLAGS_USERPTR		(1 << 2)
#define KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL	(1 << 3)
#define KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP	(1 << 4)
/* How the GPU and the CPU may use it */
#define KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE	(1 << 31)
#define KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE	(1 << 30)
#define KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC		(1 << 29)
#define KFD_IOC_ALLOC_MEM_FLAGS_NO_SUBSTITUTE	(1 << 28)
#define KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM	(1 << 27)
#define KFD_IOC_ALLOC_MEM_FLAGS_COHERENT	(1 << 26)
#define KFD_IOC_ALLOC_MEM_FLAGS_UNCACHED	(1 << 25)

/**
 * struct kfd_ioctl_alloc_memory_of_gpu_args - AMDKFD_IOC_ALLOC_MEMORY_OF_GPU
 * @va_addr: in: where every GPU will see it
 * @size: in: bytes
 * @handle: out: names the buffer within the process
 * @mmap_offset: in: USERPTR: CPU address of the pages.  out: offset at which the
 *	render node (VRAM, GTT) or /dev/kfd (MMIO_REMAP) maps it
 * @gpu_id: in: which GPU
 * @flags: in: KFD_IOC_ALLOC_MEM_FLAGS_*
 */
struct kfd_ioctl_alloc_memory_of_gpu_args {
	__u64 va_addr;
	__u64 size;
	__u64 handle;
	__u64 mmap_offset;
	__u32 gpu_id;
	__u32 flags;
};

/**
 * struct kfd_ioctl_free_memory_of_gpu_args - AMDKFD_IOC_FREE_MEMORY_OF_GPU
 * @handle: in: the buffer
 */
struct kfd_ioctl_free_memory_of_gpu_args {
	__u64 handle;
};

/**
 * struct kfd_ioctl_map_memory_to_gpu_args - AMDKFD_IOC_MAP_MEMORY_TO_GPU
 * @handle: in: the buffer
 * @device_ids_array_ptr: in: array of gpu_ids, __u32 each
 * @n_devices: in: its length
 * @n_success: in: entries at the start that are mapped already (0 at first).
 *	out: entries that are mapped now; equal to @n_devices on success, so that
 *	a failed call can be repeated as it stands
 */
struct kfd_ioctl_map_memory_to_gpu_args {
	__u64 handle;
	__u64 device_ids_array_ptr;
	__u32 n_devices;
	__u32 n_success;
};

/**
 * struct kfd_ioctl_unmap_memory_from_gpu_args - AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU
 * @handle: in: the buffer
 * @device_ids_array_ptr: in: array of gpu_ids, __u32 each
 * @n_devices: in: its length
 * @n_success: in and out: as for mapping
 */
struct kfd_ioctl_unmap_memory_from_gpu_args {
	__u64 handle;
	__u64 device_ids_array_ptr;
	__u32 n_devices;
	__u32 n_success;
};

/**
 * struct kfd_ioctl_alloc_queue_gws_args - AMDKFD_IOC_ALLOC_QUEUE_GWS
 * @queue_id: in: a compute queue
 * @num_gws: in: how many global wave sync resources; 0 gives them back
 * @first_gws: out: index of the first, always 0
 * @pad: unused
 */
struct kfd_ioctl_alloc_queue_gws_args {
	__u32 queue_id;
	__u32 num_gws;
	__u32 first_gws;
	__u32 pad;
};

/**
 * struct kfd_ioctl_get_dmabuf_info_args - AMDKFD_IOC_GET_DMABUF_INFO
 * @size: out: bytes of the buffer
 * @metadata_ptr: in: where its metadata go
 * @metadata_size: in: capacity, out: bytes there are
 * @gpu_id: out: whose memory it is
 * @flags: out: KFD_IOC_ALLOC_MEM_FLAGS_*
 * @dmabuf_fd: in: the buffer
 */
struct kfd_ioctl_get_dmabuf_info_args {
	__u64 size;
	__u64 metadata_ptr;
	__u32 metadata_size;
	__u32 gpu_id;
	__u32 flags;
	__u32 dmabuf_fd;
};

/**
 * struct kfd_ioctl_import_dmabuf_args - AMDKFD_IOC_IMPORT_DMABUF
 * @va_addr: in: where the GPU will see it
 * @handle: out: names the buffer within the process
 * @gpu_id: in: which GPU
 * @dmabuf_fd: in: the buffer
 */
struct kfd_ioctl_import_dmabuf_args {
	__u64 va_addr;
	__u64 handle;
	__u32 gpu_id;
	__u32 dmabuf_fd;
};

/**
 * struct kfd_ioctl_export_dmabuf_args - AMDKFD_IOC_EXPORT_DMABUF
 * @handle: in: which buffer
 * @flags: in: O_CLOEXEC or 0
 * @dmabuf_fd: out: a new descriptor of it
 *
 * Came with version 1.12.
 */
struct kfd_ioctl_export_dmabuf_args {
	__u64 handle;
	__u32 flags;
	__u32 dmabuf_fd;
};

/* Bits of kfd_ioctl_runtime_enable_args.mode_mask */
#define KFD_RUNTIME_ENABLE_MODE_ENABLE_MASK	1	/* enable; without it: disable */
#define KFD_RUNTIME_ENABLE_MODE_TTMP_SAVE_MASK	2	/* set up trap temporaries */

/**
 * struct kfd_ioctl_runtime_enable_args - AMDKFD_IOC_RUNTIME_ENABLE
 * @r_debug: in: what the runtime shares with a debugger
 * @mode_mask: in: KFD_RUNTIME_ENABLE_MODE_*
 * @capabilities_mask: unused
 *
 * Came with version 1.13.
 */
struct kfd_ioctl_runtime_enable_args {
	__u64 r_debug;
	__u32 mode_mask;
	__u32 capabilities_mask;
};

/* System management events; a mask has bit (event - 1) for each */
enum kfd_smi_event {
	KFD_SMI_EVENT_NONE = 0,
	KFD_SMI_EVENT_VMFAULT = 1,
	KFD_SMI_EVENT_THERMAL_THROTTLE = 2,
	KFD_SMI_EVENT_GPU_PRE_RESET = 3,
	KFD_SMI_EVENT_GPU_POST_RESET = 4,
	KFD_SMI_EVENT_MIGRATE_START = 5,
	KFD_SMI_EVENT_MIGRATE_END = 6,
	KFD_SMI_EVENT_PAGE_FAULT_START = 7,
	KFD_SMI_EVENT_PAGE_FAULT_END = 8,
	KFD_SMI_EVENT_QUEUE_EVICTION = 9,
	KFD_SMI_EVENT_QUEUE_RESTORE = 10,
	KFD_SMI_EVENT_UNMAP_FROM_GPU = 11,

	/* not an event: asks for those of every process, privileged */
	KFD_SMI_EVENT_ALL_PROCESS = 64
};

/* Why pages moved */
enum KFD_MIGRATE_TRIGGERS {
	KFD_MIGRATE_TRIGGER_PREFETCH,
	KFD_MIGRATE_TRIGGER_PAGEFAULT_GPU,
	KFD_MIGRATE_TRIGGER_PAGEFAULT_CPU,
	KFD_MIGRATE_TRIGGER_TTM_EVICTION
};

/* Why queues were stopped */
enum KFD_QUEUE_EVICTION_TRIGGERS {
	KFD_QUEUE_EVICTION_TRIGGER_SVM,
	KFD_QUEUE_EVICTION_TRIGGER_USERPTR,
	KFD_QUEUE_EVICTION_TRIGGER_TTM,
	KFD_QUEUE_EVICTION_TRIGGER_SUSPEND,
	KFD_QUEUE_EVICTION_CRIU_CHECKPOINT,
	KFD_QUEUE_EVICTION_CRIU_RESTORE
};

/* Why a range left a GPU's page table */
enum KFD_SVM_UNMAP_TRIGGERS {
	KFD_SVM_UNMAP_TRIGGER_MMU_NOTIFY,
	KFD_SVM_UNMAP_TRIGGER_MMU_NOTIFY_MIGRATE,
	KFD_SVM_UNMAP_TRIGGER_UNMAP_FROM_CPU
};

#define KFD_SMI_EVENT_MASK_FROM_INDEX(i) (1ULL << ((i) - 1))
#define KFD_SMI_EVENT_MSG_SIZE	96

/**
 * struct kfd_ioctl_smi_events_args - AMDKFD_IOC_SMI_EVENTS
 * @gpuid: in: which GPU
 * @anon_fd: out: descriptor to read messages from
 */
struct kfd_ioctl_smi_events_args {
	__u32 gpuid;
	__u32 anon_fd;
};

/* Steps of checkpoint and restore, in the order a tool takes them */
enum kfd_criu_op {
	KFD_CRIU_OP_PROCESS_INFO,	/* stop the queues, report sizes */
	KFD_CRIU_OP_CHECKPOINT,		/* write everything out */
	KFD_CRIU_OP_UNPAUSE,		/* let the queues run again */
	KFD_CRIU_OP_RESTORE,		/* build everything in a new process */
	KFD_CRIU_OP_RESUME,		/* let its queues run */
};

/**
 * struct kfd_ioctl_criu_args - AMDKFD_IOC_CRIU_OP
 * @devices: in: array of struct kfd_criu_device_bucket
 * @bos: in: array of struct kfd_criu_bo_bucket
 * @priv_data: in: buffer for what only the driver understands
 * @priv_data_size: in and out: its bytes
 * @num_devices: in and out: entries of @devices
 * @num_bos: in and out: entries of @bos
 * @num_objects: in and out: records in @priv_data
 * @pid: in and out: process concerned
 * @op: in: enum kfd_criu_op
 */
struct kfd_ioctl_criu_args {
	__u64 devices;
	__u64 bos;
	__u64 priv_data;
	__u64 priv_data_size;
	__u32 num_devices;
	__u32 num_bos;
	__u32 num_objects;
	__u32 pid;
	__u32 op;
};

/**
 * struct kfd_criu_device_bucket - a GPU in a checkpoint
 * @user_gpu_id: number the program knows
 * @actual_gpu_id: number of the GPU that serves it
 * @drm_fd: its render node, on restore
 * @pad: unused
 */
struct kfd_criu_device_bucket {
	__u32 user_gpu_id;
	__u32 actual_gpu_id;
	__u32 drm_fd;
	__u32 pad;
};

/**
 * struct kfd_criu_bo_bucket - a buffer in a checkpoint
 * @addr: its GPU address
 * @size: bytes
 * @offset: its mmap offset
 * @restored_offset: the new one, on restore
 * @gpu_id: number the program knows
 * @alloc_flags: KFD_IOC_ALLOC_MEM_FLAGS_*
 * @dmabuf_fd: its contents, as a dma-buf
 * @pad: unused
 */
struct kfd_criu_bo_bucket {
	__u64 addr;
	__u64 size;
	__u64 offset;
	__u64 restored_offset;
	__u32 gpu_id;
	__u32 alloc_flags;
	__u32 dmabuf_fd;
	__u32 pad;
};

/* Byte offsets in the page of kind MMIO_REMAP; a store flushes */
enum kfd_mmio_remap {
	KFD_MMIO_REMAP_HDP_MEM_FLUSH_CNTL = 0,
	KFD_MMIO_REMAP_HDP_REG_FLUSH_CNTL = 4,
};

/* Properties of a shared virtual memory range */
#define KFD_IOCTL_SVM_FLAG_HOST_ACCESS		0x00000001	/* CPU may always reach it */
#define KFD_IOCTL_SVM_FLAG_COHERENT		0x00000002	/* fine-grained coherency */
#define KFD_IOCTL_SVM_FLAG_HIVE_LOCAL		0x00000004	/* any GPU of the hive will do */
#define KFD_IOCTL_SVM_FLAG_GPU_RO		0x00000008	/* GPUs only read */
#define KFD_IOCTL_SVM_FLAG_GPU_EXEC		0x00000010	/* GPUs may execute */
#define KFD_IOCTL_SVM_FLAG_GPU_READ_MOSTLY	0x00000020	/* GPU writes are rare */
#define KFD_IOCTL_SVM_FLAG_GPU_ALWAYS_MAPPED	0x00000040	/* stays mapped, even with XNACK */

/* kfd_ioctl_svm_args.op */
enum kfd_ioctl_svm_op {
	KFD_IOCTL_SVM_OP_SET_ATTR,
	KFD_IOCTL_SVM_OP_GET_ATTR
};

/* Places that are no GPU, for the two location attributes */
enum kfd_ioctl_svm_location {
	KFD_IOCTL_SVM_LOCATION_SYSMEM = 0,
	KFD_IOCTL_SVM_LOCATION_UNDEFINED = 0xffffffff
};

/* kfd_ioctl_svm_attribute.type */
enum kfd_ioctl_svm_attr_type {
	KFD_IOCTL_SVM_ATTR_PREFERRED_LOC,	/* value: gpu_id or a location */
	KFD_IOCTL_SVM_ATTR_PREFETCH_LOC,	/* value: likewise; moves the pages now */
	KFD_IOCTL_SVM_ATTR_ACCESS,		/* value: gpu_id that may use the range */
	KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE,	/* value: gpu_id, pages do not move for it */
	KFD_IOCTL_SVM_ATTR_NO_ACCESS,		/* value: gpu_id that may not */
	KFD_IOCTL_SVM_ATTR_SET_FLAGS,		/* value: KFD_IOCTL_SVM_FLAG_* to set */
	KFD_IOCTL_SVM_ATTR_CLR_FLAGS,		/* value: KFD_IOCTL_SVM_FLAG_* to clear */
	KFD_IOCTL_SVM_ATTR_GRANULARITY		/* value: log2 of pages moved at once */
};

/**
 * struct kfd_ioctl_svm_attribute - one property of a range
 * @type: enum kfd_ioctl_svm_attr_type
 * @value: depends on @type
 */
struct kfd_ioctl_svm_attribute {
	__u32 type;
	__u32 value;
};

/**
 * struct kfd_ioctl_svm_args - AMDKFD_IOC_SVM
 * @start_addr: in: first address, page aligned
 * @size: in: bytes, whole pages
 * @op: in: enum kfd_ioctl_svm_op
 * @nattr: in: entries of @attrs; they count into the size that the command
 *	encodes
 * @attrs: in and out: what to set, or what is asked for and what holds for the
 *	whole range
 */
struct kfd_ioctl_svm_args {
	__u64 start_addr;
	__u64 size;
	__u32 op;
	__u32 nattr;
	struct kfd_ioctl_svm_attribute attrs[];
};

/**
 * struct kfd_ioctl_set_xnack_mode_args - AMDKFD_IOC_SET_XNACK_MODE
 * @xnack_enabled: in: 1 to have GPU page faults retried, 0 not to, negative only
 *	asks.  out: the mode that holds now
 *
 * The mode cannot change while the process has queues.
 */
struct kfd_ioctl_set_xnack_mode_args {
	__s32 xnack_enabled;
};

#define AMDKFD_IOCTL_BASE 'K'
#define AMDKFD_IO(nr)			_IO(AMDKFD_IOCTL_BASE, nr)
#define AMDKFD_IOR(nr, type)		_IOR(AMDKFD_IOCTL_BASE, nr, type)
#define AMDKFD_IOW(nr, type)		_IOW(AMDKFD_IOCTL_BASE, nr, type)
#define AMDKFD_IOWR(nr, type)		_IOWR(AMDKFD_IOCTL_BASE, nr, type)

#define AMDKFD_IOC_GET_VERSION \
	AMDKFD_IOR(0x01, struct kfd_ioctl_get_version_args)
#define AMDKFD_IOC_CREATE_QUEUE \
	AMDKFD_IOWR(0x02, struct kfd_ioctl_create_queue_args)
#define AMDKFD_IOC_DESTROY_QUEUE \
	AMDKFD_IOWR(0x03, struct kfd_ioctl_destroy_queue_args)
#define AMDKFD_IOC_SET_MEMORY_POLICY \
	AMDKFD_IOW(0x04, struct kfd_ioctl_set_memory_policy_args)
#define AMDKFD_IOC_GET_CLOCK_COUNTERS \
	AMDKFD_IOWR(0x05, struct kfd_ioctl_get_clock_counters_args)
#define AMDKFD_IOC_GET_PROCESS_APERTURES \
	AMDKFD_IOR(0x06, struct kfd_ioctl_get_process_apertures_args)
#define AMDKFD_IOC_UPDATE_QUEUE \
	AMDKFD_IOW(0x07, struct kfd_ioctl_update_queue_args)
#define AMDKFD_IOC_CREATE_EVENT \
	AMDKFD_IOWR(0x08, struct kfd_ioctl_create_event_args)
#define AMDKFD_IOC_DESTROY_EVENT \
	AMDKFD_IOW(0x09, struct kfd_ioctl_destroy_event_args)
#define AMDKFD_IOC_SET_EVENT \
	AMDKFD_IOW(0x0A, struct kfd_ioctl_set_event_args)
#define AMDKFD_IOC_RESET_EVENT \
	AMDKFD_IOW(0x0B, struct kfd_ioctl_reset_event_args)
#define AMDKFD_IOC_WAIT_EVENTS \
	AMDKFD_IOWR(0x0C, struct kfd_ioctl_wait_events_args)
#define AMDKFD_IOC_DBG_REGISTER_DEPRECATED \
	AMDKFD_IOW(0x0D, struct kfd_ioctl_dbg_register_args)
#define AMDKFD_IOC_DBG_UNREGISTER_DEPRECATED \
	AMDKFD_IOW(0x0E, struct kfd_ioctl_dbg_unregister_args)
#define AMDKFD_IOC_DBG_ADDRESS_WATCH_DEPRECATED \
	AMDKFD_IOW(0x0F, struct kfd_ioctl_dbg_address_watch_args)
#define AMDKFD_IOC_DBG_WAVE_CONTROL_DEPRECATED \
	AMDKFD_IOW(0x10, struct kfd_ioctl_dbg_wave_control_args)
#define AMDKFD_IOC_SET_SCRATCH_BACKING_VA \
	AMDKFD_IOWR(0x11, struct kfd_ioctl_set_scratch_backing_va_args)
#define AMDKFD_IOC_GET_TILE_CONFIG \
	AMDKFD_IOWR(0x12, struct kfd_ioctl_get_tile_config_args)
#define AMDKFD_IOC_SET_TRAP_HANDLER \
	AMDKFD_IOW(0x13, struct kfd_ioctl_set_trap_handler_args)
#define AMDKFD_IOC_GET_PROCESS_APERTURES_NEW \
	AMDKFD_IOWR(0x14, struct kfd_ioctl_get_process_apertures_new_args)
#define AMDKFD_IOC_ACQUIRE_VM \
	AMDKFD_IOW(0x15, struct kfd_ioctl_acquire_vm_args)
#define AMDKFD_IOC_ALLOC_MEMORY_OF_GPU \
	AMDKFD_IOWR(0x16, struct kfd_ioctl_alloc_memory_of_gpu_args)
#define AMDKFD_IOC_FREE_MEMORY_OF_GPU \
	AMDKFD_IOW(0x17, struct kfd_ioctl_free_memory_of_gpu_args)
#define AMDKFD_IOC_MAP_MEMORY_TO_GPU \
	AMDKFD_IOWR(0x18, struct kfd_ioctl_map_memory_to_gpu_args)
#define AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU \
	AMDKFD_IOWR(0x19, struct kfd_ioctl_unmap_memory_from_gpu_args)
#define AMDKFD_IOC_SET_CU_MASK \
	AMDKFD_IOW(0x1A, struct kfd_ioctl_set_cu_mask_args)
#define AMDKFD_IOC_GET_QUEUE_WAVE_STATE \
	AMDKFD_IOWR(0x1B, struct kfd_ioctl_get_queue_wave_state_args)
#define AMDKFD_IOC_GET_DMABUF_INFO \
	AMDKFD_IOWR(0x1C, struct kfd_ioctl_get_dmabuf_info_args)
#define AMDKFD_IOC_IMPORT_DMABUF \
	AMDKFD_IOWR(0x1D, struct kfd_ioctl_import_dmabuf_args)
#define AMDKFD_IOC_ALLOC_QUEUE_GWS \
	AMDKFD_IOWR(0x1E, struct kfd_ioctl_alloc_queue_gws_args)
#define AMDKFD_IOC_SMI_EVENTS \
	AMDKFD_IOWR(0x1F, struct kfd_ioctl_smi_events_args)
#define AMDKFD_IOC_SVM \
	AMDKFD_IOWR(0x20, struct kfd_ioctl_svm_args)
#define AMDKFD_IOC_SET_XNACK_MODE \
	AMDKFD_IOWR(0x21, struct kfd_ioctl_set_xnack_mode_args)
#define AMDKFD_IOC_CRIU_OP \
	AMDKFD_IOWR(0x22, struct kfd_ioctl_criu_args)
#define AMDKFD_IOC_AVAILABLE_MEMORY \
	AMDKFD_IOWR(0x23, struct kfd_ioctl_get_available_memory_args)
#define AMDKFD_IOC_EXPORT_DMABUF \
	AMDKFD_IOWR(0x24, struct kfd_ioctl_export_dmabuf_args)
#define AMDKFD_IOC_RUNTIME_ENABLE \
	AMDKFD_IOWR(0x25, struct kfd_ioctl_runtime_enable_args)

/* First number, and the one after the last */
#define AMDKFD_COMMAND_START	0x01
#define AMDKFD_COMMAND_END	0x26

#endif /* KFD_IOCTL_H_INCLUDED */
