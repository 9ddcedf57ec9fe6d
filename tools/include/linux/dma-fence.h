/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* User-space stand-in: what headers embed; no fence ever signals here. */
#ifndef CARILLON_SHIM_DMA_FENCE_H
#define CARILLON_SHIM_DMA_FENCE_H

struct dma_fence;

struct dma_fence_cb {
	void (*func)(struct dma_fence *fence, struct dma_fence_cb *cb);
};

#endif /* CARILLON_SHIM_DMA_FENCE_H */
