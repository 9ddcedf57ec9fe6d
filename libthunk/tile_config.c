// SPDX-License-Identifier: MIT
/* DOC: how the GPU lays out images; arrays are the caller's, an empty one is fine. */
#include <errno.h>
#include <linux/kfd_ioctl.h>

#include "thunk_context.h"

static int tile_config(const struct thunk_gpu *gpu, HsaGpuTileConfig *config)
{
	struct kfd_ioctl_get_tile_config_args args = {
		.tile_config_ptr = (uintptr_t)config->TileConfig,
		.macro_tile_config_ptr = (uintptr_t)config->MacroTileConfig,
		.num_tile_configs = config->NumTileConfigs,
		.num_macro_tile_configs = config->NumMacroTileConfigs,
		.gpu_id = gpu->gpu_id,
	};
	int err = thunk_kfd(AMDKFD_IOC_GET_TILE_CONFIG, &args);

	if (err)
		return err;
	config->NumTileConfigs = args.num_tile_configs;
	config->NumMacroTileConfigs = args.num_macro_tile_configs;
	config->GbAddrConfig = args.gb_addr_config;
	config->NumBanks = args.num_banks;
	config->NumRanks = args.num_ranks;
	return 0;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtGetTileConfig(HSAuint32 NodeId, HsaGpuTileConfig *config)
{
	struct thunk_gpu *gpu;
	HSAKMT_STATUS status = thunk_enter_gpu(NodeId, &gpu);

	if (status)
		return status;
	return thunk_leave(config ? tile_config(gpu, config) : -EINVAL);
}
