/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: what the model's blocks see of the world
 *
 * Engines and the MMU are pure: they reach memory, the interrupt ring, registers
 * of other blocks and the clock only through &struct vgpu_bus.  The kernel module
 * fills it with real memory; the user-space tests fill it with arrays.
 */
#ifndef CARILLON_VGPU_BUS_H
#define CARILLON_VGPU_BUS_H

#include <linux/types.h>

struct vgpu_failures;

/**
 * struct vgpu_iv - an interrupt entry before the IH adds time stamp and PASID
 * @client: IH client
 * @source: of that client
 * @ring: byte that tells queues or causes apart
 * @vmid: address space
 * @ctx: data of the source
 */
struct vgpu_iv {
	u8 client, source, ring, vmid;
	u32 ctx[4];
};

/* In an address for vgpu_bus.pages: of system memory, else of VRAM; the bit of PTEs. */
#define VGPU_BUS_SYSTEM		2ULL

/**
 * struct vgpu_bus - services of the platform
 * @name: of the GPU, in traces
 * @ctx: first argument of every call
 * @vram_size: bytes of VRAM
 * @vram_page: kernel address of the 4 KiB page of VRAM that holds @offset (page
 *	aligned), populated if need be without entering reclaim; NULL if there is no
 *	memory or no such page.  Any caller that may not sleep says so with @atomic.
 * @vram_wait: @vram_page or @pages found no memory for @offset: whether a caller that
 *	comes back later may find some.  False once somebody who may wait for memory has
 *	tried in vain.
 * @sys_page: kernel address of the page of system memory at bus address @dma (page
 *	aligned), or NULL if that is no RAM.
 * @pages: both for many pages at once, because one call a page is what a copy spends
 *	most of its time on: for each of @count addresses, with VGPU_BUS_SYSTEM set in
 *	those of system memory, what @sys_page or @vram_page would say.  Other bits below
 *	a page do not count.
 * @irq: put an entry on the interrupt ring and signal it.  Any context.
 * @reg_read: register at byte offset of BAR5, as the CPU would.
 * @reg_write: likewise.
 * @clock: GPU clock counter.
 * @doorbell_get: last value stored in the slot at a byte offset of BAR2; 0 for a
 *	page never touched.
 * @hdp_flush: order the host data path.
 * @failures: what is to go wrong on purpose, or NULL
 */
struct vgpu_bus {
	const char *name;
	void *ctx;
	u64 vram_size;
	void *(*vram_page)(void *ctx, u64 offset, bool atomic);
	bool (*vram_wait)(void *ctx, u64 offset);
	void *(*sys_page)(void *ctx, u64 dma);
	void (*pages)(void *ctx, const u64 *addr, unsigned int count, void **pages);
	void (*irq)(void *ctx, const struct vgpu_iv *iv);
	u32 (*reg_read)(void *ctx, u32 offset);
	void (*reg_write)(void *ctx, u32 offset, u32 value);
	u64 (*clock)(void *ctx);
	u64 (*doorbell_get)(void *ctx, u32 offset);
	void (*hdp_flush)(void *ctx);
	struct vgpu_failures *failures;
};

#endif /* CARILLON_VGPU_BUS_H */
