/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: layout of the user API, nailed down
 *
 * Sizes and offsets of every struct of uapi/linux/kfd_ioctl.h in bytes, as written down
 * when the struct was: a change there that moves something does not compile.  A struct
 * that grows with the public header changes its KFD_SIZE line and adds offsets.
 */
#ifndef CARILLON_KFD_IOCTL_LAYOUT_H
#define CARILLON_KFD_IOCTL_LAYOUT_H

#include <linux/build_bug.h>
#include <linux/stddef.h>

#include "../uapi/linux/kfd_ioctl.h"

#define KFD_SIZE(type, bytes)		static_assert(sizeof(struct type) == (bytes))
#define KFD_OFFSET(type, member, bytes)	static_assert(offsetof(struct type, member) == (bytes))

KFD_SIZE(kfd_ioctl_get_version_args, 8);
KFD_OFFSET(kfd_ioctl_get_version_args, major_version, 0);
KFD_OFFSET(kfd_ioctl_get_version_args, minor_version, 4);

KFD_SIZE(kfd_ioctl_create_queue_args, 88);
KFD_OFFSET(kfd_ioctl_create_queue_args, ring_base_address, 0);
KFD_OFFSET(kfd_ioctl_create_queue_args, write_pointer_address, 8);
KFD_OFFSET(kfd_ioctl_create_queue_args, read_pointer_address, 16);
KFD_OFFSET(kfd_ioctl_create_queue_args, doorbell_offset, 24);
KFD_OFFSET(kfd_ioctl_create_queue_args, ring_size, 32);
KFD_OFFSET(kfd_ioctl_create_queue_args, gpu_id, 36);
KFD_OFFSET(kfd_ioctl_create_queue_args, queue_type, 40);
KFD_OFFSET(kfd_ioctl_create_queue_args, queue_percentage, 44);
KFD_OFFSET(kfd_ioctl_create_queue_args, queue_priority, 48);
KFD_OFFSET(kfd_ioctl_create_queue_args, queue_id, 52);
KFD_OFFSET(kfd_ioctl_create_queue_args, eop_buffer_address, 56);
KFD_OFFSET(kfd_ioctl_create_queue_args, eop_buffer_size, 64);
KFD_OFFSET(kfd_ioctl_create_queue_args, ctx_save_restore_address, 72);
KFD_OFFSET(kfd_ioctl_create_queue_args, ctx_save_restore_size, 80);
KFD_OFFSET(kfd_ioctl_create_queue_args, ctl_stack_size, 84);

KFD_SIZE(kfd_ioctl_destroy_queue_args, 8);
KFD_OFFSET(kfd_ioctl_destroy_queue_args, queue_id, 0);
KFD_OFFSET(kfd_ioctl_destroy_queue_args, pad, 4);

KFD_SIZE(kfd_ioctl_update_queue_args, 24);
KFD_OFFSET(kfd_ioctl_update_queue_args, ring_base_address, 0);
KFD_OFFSET(kfd_ioctl_update_queue_args, queue_id, 8);
KFD_OFFSET(kfd_ioctl_update_queue_args, ring_size, 12);
KFD_OFFSET(kfd_ioctl_update_queue_args, queue_percentage, 16);
KFD_OFFSET(kfd_ioctl_update_queue_args, queue_priority, 20);

KFD_SIZE(kfd_ioctl_set_cu_mask_args, 16);
KFD_OFFSET(kfd_ioctl_set_cu_mask_args, queue_id, 0);
KFD_OFFSET(kfd_ioctl_set_cu_mask_args, num_cu_mask, 4);
KFD_OFFSET(kfd_ioctl_set_cu_mask_args, cu_mask_ptr, 8);

KFD_SIZE(kfd_ioctl_get_queue_wave_state_args, 24);
KFD_OFFSET(kfd_ioctl_get_queue_wave_state_args, ctl_stack_address, 0);
KFD_OFFSET(kfd_ioctl_get_queue_wave_state_args, ctl_stack_used_size, 8);
KFD_OFFSET(kfd_ioctl_get_queue_wave_state_args, save_area_used_size, 12);
KFD_OFFSET(kfd_ioctl_get_queue_wave_state_args, queue_id, 16);
KFD_OFFSET(kfd_ioctl_get_queue_wave_state_args, pad, 20);

KFD_SIZE(kfd_ioctl_get_available_memory_args, 16);
KFD_OFFSET(kfd_ioctl_get_available_memory_args, available, 0);
KFD_OFFSET(kfd_ioctl_get_available_memory_args, gpu_id, 8);
KFD_OFFSET(kfd_ioctl_get_available_memory_args, pad, 12);

KFD_SIZE(kfd_ioctl_set_memory_policy_args, 32);
KFD_OFFSET(kfd_ioctl_set_memory_policy_args, alternate_aperture_base, 0);
KFD_OFFSET(kfd_ioctl_set_memory_policy_args, alternate_aperture_size, 8);
KFD_OFFSET(kfd_ioctl_set_memory_policy_args, gpu_id, 16);
KFD_OFFSET(kfd_ioctl_set_memory_policy_args, default_policy, 20);
KFD_OFFSET(kfd_ioctl_set_memory_policy_args, alternate_policy, 24);
KFD_OFFSET(kfd_ioctl_set_memory_policy_args, pad, 28);

KFD_SIZE(kfd_ioctl_get_clock_counters_args, 40);
KFD_OFFSET(kfd_ioctl_get_clock_counters_args, gpu_clock_counter, 0);
KFD_OFFSET(kfd_ioctl_get_clock_counters_args, cpu_clock_counter, 8);
KFD_OFFSET(kfd_ioctl_get_clock_counters_args, system_clock_counter, 16);
KFD_OFFSET(kfd_ioctl_get_clock_counters_args, system_clock_freq, 24);
KFD_OFFSET(kfd_ioctl_get_clock_counters_args, gpu_id, 32);
KFD_OFFSET(kfd_ioctl_get_clock_counters_args, pad, 36);

KFD_SIZE(kfd_process_device_apertures, 56);
KFD_OFFSET(kfd_process_device_apertures, lds_base, 0);
KFD_OFFSET(kfd_process_device_apertures, lds_limit, 8);
KFD_OFFSET(kfd_process_device_apertures, scratch_base, 16);
KFD_OFFSET(kfd_process_device_apertures, scratch_limit, 24);
KFD_OFFSET(kfd_process_device_apertures, gpuvm_base, 32);
KFD_OFFSET(kfd_process_device_apertures, gpuvm_limit, 40);
KFD_OFFSET(kfd_process_device_apertures, gpu_id, 48);
KFD_OFFSET(kfd_process_device_apertures, pad, 52);

KFD_SIZE(kfd_ioctl_get_process_apertures_args, 400);
KFD_OFFSET(kfd_ioctl_get_process_apertures_args, process_apertures, 0);
KFD_OFFSET(kfd_ioctl_get_process_apertures_args, num_of_nodes, 392);
KFD_OFFSET(kfd_ioctl_get_process_apertures_args, pad, 396);

KFD_SIZE(kfd_ioctl_get_process_apertures_new_args, 16);
KFD_OFFSET(kfd_ioctl_get_process_apertures_new_args, kfd_process_device_apertures_ptr, 0);
KFD_OFFSET(kfd_ioctl_get_process_apertures_new_args, num_of_nodes, 8);
KFD_OFFSET(kfd_ioctl_get_process_apertures_new_args, pad, 12);

KFD_SIZE(kfd_ioctl_dbg_register_args, 8);
KFD_OFFSET(kfd_ioctl_dbg_register_args, gpu_id, 0);
KFD_OFFSET(kfd_ioctl_dbg_register_args, pad, 4);

KFD_SIZE(kfd_ioctl_dbg_unregister_args, 8);
KFD_OFFSET(kfd_ioctl_dbg_unregister_args, gpu_id, 0);
KFD_OFFSET(kfd_ioctl_dbg_unregister_args, pad, 4);

KFD_SIZE(kfd_ioctl_dbg_address_watch_args, 16);
KFD_OFFSET(kfd_ioctl_dbg_address_watch_args, content_ptr, 0);
KFD_OFFSET(kfd_ioctl_dbg_address_watch_args, gpu_id, 8);
KFD_OFFSET(kfd_ioctl_dbg_address_watch_args, buf_size_in_bytes, 12);

KFD_SIZE(kfd_ioctl_dbg_wave_control_args, 16);
KFD_OFFSET(kfd_ioctl_dbg_wave_control_args, content_ptr, 0);
KFD_OFFSET(kfd_ioctl_dbg_wave_control_args, gpu_id, 8);
KFD_OFFSET(kfd_ioctl_dbg_wave_control_args, buf_size_in_bytes, 12);

KFD_SIZE(kfd_ioctl_create_event_args, 32);
KFD_OFFSET(kfd_ioctl_create_event_args, event_page_offset, 0);
KFD_OFFSET(kfd_ioctl_create_event_args, event_trigger_data, 8);
KFD_OFFSET(kfd_ioctl_create_event_args, event_type, 12);
KFD_OFFSET(kfd_ioctl_create_event_args, auto_reset, 16);
KFD_OFFSET(kfd_ioctl_create_event_args, node_id, 20);
KFD_OFFSET(kfd_ioctl_create_event_args, event_id, 24);
KFD_OFFSET(kfd_ioctl_create_event_args, event_slot_index, 28);

KFD_SIZE(kfd_ioctl_destroy_event_args, 8);
KFD_OFFSET(kfd_ioctl_destroy_event_args, event_id, 0);
KFD_OFFSET(kfd_ioctl_destroy_event_args, pad, 4);

KFD_SIZE(kfd_ioctl_set_event_args, 8);
KFD_OFFSET(kfd_ioctl_set_event_args, event_id, 0);
KFD_OFFSET(kfd_ioctl_set_event_args, pad, 4);

KFD_SIZE(kfd_ioctl_reset_event_args, 8);
KFD_OFFSET(kfd_ioctl_reset_event_args, event_id, 0);
KFD_OFFSET(kfd_ioctl_reset_event_args, pad, 4);

KFD_SIZE(kfd_memory_exception_failure, 16);
KFD_OFFSET(kfd_memory_exception_failure, NotPresent, 0);
KFD_OFFSET(kfd_memory_exception_failure, ReadOnly, 4);
KFD_OFFSET(kfd_memory_exception_failure, NoExecute, 8);
KFD_OFFSET(kfd_memory_exception_failure, imprecise, 12);

KFD_SIZE(kfd_hsa_memory_exception_data, 32);
KFD_OFFSET(kfd_hsa_memory_exception_data, failure, 0);
KFD_OFFSET(kfd_hsa_memory_exception_data, va, 16);
KFD_OFFSET(kfd_hsa_memory_exception_data, gpu_id, 24);
KFD_OFFSET(kfd_hsa_memory_exception_data, ErrorType, 28);

KFD_SIZE(kfd_hsa_hw_exception_data, 16);
KFD_OFFSET(kfd_hsa_hw_exception_data, reset_type, 0);
KFD_OFFSET(kfd_hsa_hw_exception_data, reset_cause, 4);
KFD_OFFSET(kfd_hsa_hw_exception_data, memory_lost, 8);
KFD_OFFSET(kfd_hsa_hw_exception_data, gpu_id, 12);

KFD_SIZE(kfd_hsa_signal_event_data, 8);
KFD_OFFSET(kfd_hsa_signal_event_data, last_event_age, 0);

KFD_SIZE(kfd_event_data, 48);
KFD_OFFSET(kfd_event_data, memory_exception_data, 0);
KFD_OFFSET(kfd_event_data, hw_exception_data, 0);
KFD_OFFSET(kfd_event_data, signal_event_data, 0);
KFD_OFFSET(kfd_event_data, kfd_event_data_ext, 32);
KFD_OFFSET(kfd_event_data, event_id, 40);
KFD_OFFSET(kfd_event_data, pad, 44);

KFD_SIZE(kfd_ioctl_wait_events_args, 24);
KFD_OFFSET(kfd_ioctl_wait_events_args, events_ptr, 0);
KFD_OFFSET(kfd_ioctl_wait_events_args, num_events, 8);
KFD_OFFSET(kfd_ioctl_wait_events_args, wait_for_all, 12);
KFD_OFFSET(kfd_ioctl_wait_events_args, timeout, 16);
KFD_OFFSET(kfd_ioctl_wait_events_args, wait_result, 20);

KFD_SIZE(kfd_ioctl_set_scratch_backing_va_args, 16);
KFD_OFFSET(kfd_ioctl_set_scratch_backing_va_args, va_addr, 0);
KFD_OFFSET(kfd_ioctl_set_scratch_backing_va_args, gpu_id, 8);
KFD_OFFSET(kfd_ioctl_set_scratch_backing_va_args, pad, 12);

KFD_SIZE(kfd_ioctl_get_tile_config_args, 40);
KFD_OFFSET(kfd_ioctl_get_tile_config_args, tile_config_ptr, 0);
KFD_OFFSET(kfd_ioctl_get_tile_config_args, macro_tile_config_ptr, 8);
KFD_OFFSET(kfd_ioctl_get_tile_config_args, num_tile_configs, 16);
KFD_OFFSET(kfd_ioctl_get_tile_config_args, num_macro_tile_configs, 20);
KFD_OFFSET(kfd_ioctl_get_tile_config_args, gpu_id, 24);
KFD_OFFSET(kfd_ioctl_get_tile_config_args, gb_addr_config, 28);
KFD_OFFSET(kfd_ioctl_get_tile_config_args, num_banks, 32);
KFD_OFFSET(kfd_ioctl_get_tile_config_args, num_ranks, 36);

KFD_SIZE(kfd_ioctl_set_trap_handler_args, 24);
KFD_OFFSET(kfd_ioctl_set_trap_handler_args, tba_addr, 0);
KFD_OFFSET(kfd_ioctl_set_trap_handler_args, tma_addr, 8);
KFD_OFFSET(kfd_ioctl_set_trap_handler_args, gpu_id, 16);
KFD_OFFSET(kfd_ioctl_set_trap_handler_args, pad, 20);

KFD_SIZE(kfd_ioctl_acquire_vm_args, 8);
KFD_OFFSET(kfd_ioctl_acquire_vm_args, drm_fd, 0);
KFD_OFFSET(kfd_ioctl_acquire_vm_args, gpu_id, 4);

KFD_SIZE(kfd_ioctl_alloc_memory_of_gpu_args, 40);
KFD_OFFSET(kfd_ioctl_alloc_memory_of_gpu_args, va_addr, 0);
KFD_OFFSET(kfd_ioctl_alloc_memory_of_gpu_args, size, 8);
KFD_OFFSET(kfd_ioctl_alloc_memory_of_gpu_args, handle, 16);
KFD_OFFSET(kfd_ioctl_alloc_memory_of_gpu_args, mmap_offset, 24);
KFD_OFFSET(kfd_ioctl_alloc_memory_of_gpu_args, gpu_id, 32);
KFD_OFFSET(kfd_ioctl_alloc_memory_of_gpu_args, flags, 36);

KFD_SIZE(kfd_ioctl_free_memory_of_gpu_args, 8);
KFD_OFFSET(kfd_ioctl_free_memory_of_gpu_args, handle, 0);

KFD_SIZE(kfd_ioctl_map_memory_to_gpu_args, 24);
KFD_OFFSET(kfd_ioctl_map_memory_to_gpu_args, handle, 0);
KFD_OFFSET(kfd_ioctl_map_memory_to_gpu_args, device_ids_array_ptr, 8);
KFD_OFFSET(kfd_ioctl_map_memory_to_gpu_args, n_devices, 16);
KFD_OFFSET(kfd_ioctl_map_memory_to_gpu_args, n_success, 20);

KFD_SIZE(kfd_ioctl_unmap_memory_from_gpu_args, 24);
KFD_OFFSET(kfd_ioctl_unmap_memory_from_gpu_args, handle, 0);
KFD_OFFSET(kfd_ioctl_unmap_memory_from_gpu_args, device_ids_array_ptr, 8);
KFD_OFFSET(kfd_ioctl_unmap_memory_from_gpu_args, n_devices, 16);
KFD_OFFSET(kfd_ioctl_unmap_memory_from_gpu_args, n_success, 20);

KFD_SIZE(kfd_ioctl_alloc_queue_gws_args, 16);
KFD_OFFSET(kfd_ioctl_alloc_queue_gws_args, queue_id, 0);
KFD_OFFSET(kfd_ioctl_alloc_queue_gws_args, num_gws, 4);
KFD_OFFSET(kfd_ioctl_alloc_queue_gws_args, first_gws, 8);
KFD_OFFSET(kfd_ioctl_alloc_queue_gws_args, pad, 12);

KFD_SIZE(kfd_ioctl_get_dmabuf_info_args, 32);
KFD_OFFSET(kfd_ioctl_get_dmabuf_info_args, size, 0);
KFD_OFFSET(kfd_ioctl_get_dmabuf_info_args, metadata_ptr, 8);
KFD_OFFSET(kfd_ioctl_get_dmabuf_info_args, metadata_size, 16);
KFD_OFFSET(kfd_ioctl_get_dmabuf_info_args, gpu_id, 20);
KFD_OFFSET(kfd_ioctl_get_dmabuf_info_args, flags, 24);
KFD_OFFSET(kfd_ioctl_get_dmabuf_info_args, dmabuf_fd, 28);

KFD_SIZE(kfd_ioctl_import_dmabuf_args, 24);
KFD_OFFSET(kfd_ioctl_import_dmabuf_args, va_addr, 0);
KFD_OFFSET(kfd_ioctl_import_dmabuf_args, handle, 8);
KFD_OFFSET(kfd_ioctl_import_dmabuf_args, gpu_id, 16);
KFD_OFFSET(kfd_ioctl_import_dmabuf_args, dmabuf_fd, 20);

KFD_SIZE(kfd_ioctl_export_dmabuf_args, 16);
KFD_OFFSET(kfd_ioctl_export_dmabuf_args, handle, 0);
KFD_OFFSET(kfd_ioctl_export_dmabuf_args, flags, 8);
KFD_OFFSET(kfd_ioctl_export_dmabuf_args, dmabuf_fd, 12);

KFD_SIZE(kfd_ioctl_runtime_enable_args, 16);
KFD_OFFSET(kfd_ioctl_runtime_enable_args, r_debug, 0);
KFD_OFFSET(kfd_ioctl_runtime_enable_args, mode_mask, 8);
KFD_OFFSET(kfd_ioctl_runtime_enable_args, capabilities_mask, 12);

KFD_SIZE(kfd_ioctl_smi_events_args, 8);
KFD_OFFSET(kfd_ioctl_smi_events_args, gpuid, 0);
KFD_OFFSET(kfd_ioctl_smi_events_args, anon_fd, 4);

KFD_SIZE(kfd_ioctl_criu_args, 56);
KFD_OFFSET(kfd_ioctl_criu_args, devices, 0);
KFD_OFFSET(kfd_ioctl_criu_args, bos, 8);
KFD_OFFSET(kfd_ioctl_criu_args, priv_data, 16);
KFD_OFFSET(kfd_ioctl_criu_args, priv_data_size, 24);
KFD_OFFSET(kfd_ioctl_criu_args, num_devices, 32);
KFD_OFFSET(kfd_ioctl_criu_args, num_bos, 36);
KFD_OFFSET(kfd_ioctl_criu_args, num_objects, 40);
KFD_OFFSET(kfd_ioctl_criu_args, pid, 44);
KFD_OFFSET(kfd_ioctl_criu_args, op, 48);

KFD_SIZE(kfd_criu_device_bucket, 16);
KFD_OFFSET(kfd_criu_device_bucket, user_gpu_id, 0);
KFD_OFFSET(kfd_criu_device_bucket, actual_gpu_id, 4);
KFD_OFFSET(kfd_criu_device_bucket, drm_fd, 8);
KFD_OFFSET(kfd_criu_device_bucket, pad, 12);

KFD_SIZE(kfd_criu_bo_bucket, 48);
KFD_OFFSET(kfd_criu_bo_bucket, addr, 0);
KFD_OFFSET(kfd_criu_bo_bucket, size, 8);
KFD_OFFSET(kfd_criu_bo_bucket, offset, 16);
KFD_OFFSET(kfd_criu_bo_bucket, restored_offset, 24);
KFD_OFFSET(kfd_criu_bo_bucket, gpu_id, 32);
KFD_OFFSET(kfd_criu_bo_bucket, alloc_flags, 36);
KFD_OFFSET(kfd_criu_bo_bucket, dmabuf_fd, 40);
KFD_OFFSET(kfd_criu_bo_bucket, pad, 44);

KFD_SIZE(kfd_ioctl_svm_attribute, 8);
KFD_OFFSET(kfd_ioctl_svm_attribute, type, 0);
KFD_OFFSET(kfd_ioctl_svm_attribute, value, 4);

KFD_SIZE(kfd_ioctl_svm_args, 24);
KFD_OFFSET(kfd_ioctl_svm_args, start_addr, 0);
KFD_OFFSET(kfd_ioctl_svm_args, size, 8);
KFD_OFFSET(kfd_ioctl_svm_args, op, 16);
KFD_OFFSET(kfd_ioctl_svm_args, nattr, 20);
KFD_OFFSET(kfd_ioctl_svm_args, attrs, 24);

KFD_SIZE(kfd_ioctl_set_xnack_mode_args, 4);
KFD_OFFSET(kfd_ioctl_set_xnack_mode_args, xnack_enabled, 0);

#undef KFD_OFFSET
#undef KFD_SIZE

#endif /* CARILLON_KFD_IOCTL_LAYOUT_H */
