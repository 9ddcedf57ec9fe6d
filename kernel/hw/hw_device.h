/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: the GPU as the lower half of the driver sees it
 *
 * &struct hw_device is one PCI function: BARs, identity, VRAM window, the GART
 * of VMID 0, the memory hub.  It is the bottom layer: it includes nothing of irq,
 * sdma, vm or kfd.
 *
 * VRAM has two addresses.  Engines that use VMID 0 name it by "MC address", VRAM
 * offset + &hw_device.vram_base; GART pages have MC addresses from &hw_gart.base
 * on.  Page-table entries and page-table bases name it by "physical address",
 * VRAM offset + &hw_device.vram_pa.
 *
 * Only hw_mmio.c knows whether a BAR is real or served by ops (hw_backend.h).
 */
#ifndef CARILLON_HW_DEVICE_H
#define CARILLON_HW_DEVICE_H

#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "hw_backend.h"
#include "hw_ip_table.h"

struct hw_device;

/*
 * Whether functions without a backend may be bound.  Set by a module parameter
 * before the PCI driver registers; off unless the user asked.
 */
extern bool hw_real_allowed;

/*
 * For what a client makes the driver allocate: charged to the client, and failing,
 * without a word in the log, where anything else would have somebody killed.
 */
#define HW_GFP_USER	(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/**
 * struct hw_client_ops - upcalls of the hw layer to whoever owns the device
 * @withdraw_doorbells: zap all user mappings of doorbell pages; sleeps
 */
struct hw_client_ops {
	void (*withdraw_doorbells)(struct hw_device *hw);
};

/**
 * struct hw_mem - system memory that the engines reach with VMID 0
 * @cpu: kernel address, coherent
 * @mc: MC address inside the GART aperture
 * @dma: bus address
 * @size: bytes, page multiple
 * @gart_page: first GART page, for hw_mem_free()
 */
struct hw_mem {
	void *cpu;
	u64 mc;
	dma_addr_t dma;
	size_t size;
	unsigned int gart_page;
};

/**
 * struct hw_gart - the page table of VMID 0
 * @base: first MC address
 * @pages: entries
 * @table: VRAM offset of the entries (8 bytes each)
 * @lock: protects @used
 * @used: one bit a page
 */
struct hw_gart {
	u64 base;
	unsigned int pages;
	u64 table;
	struct mutex lock; /* used */
	unsigned long *used;
};

/**
 * struct hw_device - one PCI function
 * @pdev: the function
 * @chip: its row in the IP table
 * @client: upcalls, set before hw_device_init()
 * @backend: ops of a virtual function, or NULL; for hw_mmio.c alone
 * @bar5: registers of a real function, or NULL
 * @bar2: doorbells of a real function, or NULL
 * @bar0: VRAM window of a real function, or NULL
 * @vram_size: bytes of VRAM
 * @vram_visible: bytes that BAR0 shows
 * @vram_base: MC address of VRAM offset 0
 * @vram_pa: address of VRAM offset 0 in page-table entries and page-table bases
 * @vram_reserved: bytes at the top of VRAM that the hw layer keeps (GART table,
 *	fault page); the VRAM manager starts below
 * @doorbell_size: bytes of BAR2
 * @gart: page table of VMID 0
 * @dummy: a zeroed system page: target of faulting accesses and dummy reads
 * @fault_page: VRAM offset of a zeroed page, default of the system aperture
 * @tlb_lock: one invalidate request at a time
 * @pasid_lock: one change of the VMID to PASID tables at a time
 * @clock_lock: latching and reading of the GPU clock
 * @rev_id: silicon revision
 * @unique_id: of this one function, 0 if it has none
 * @cu_active: bit mask of present CUs for each shader engine
 * @cu_count: their sum
 * @pci_atomics: the engines may send AtomicOps to system memory
 * @lost: set once the function stops answering (all ones) or is unplugged; waits
 *	end with -ENODEV
 */
struct hw_device {
	struct pci_dev *pdev;
	const struct hw_chip *chip;
	const struct hw_client_ops *client;
	const struct hw_backend *backend;
	void __iomem *bar5;
	void __iomem *bar2;
	void __iomem *bar0;
	u64 vram_size;
	u64 vram_visible;
	u64 vram_base;
	u64 vram_pa;
	u64 vram_reserved;
	u64 doorbell_size;
	struct hw_gart gart;
	struct hw_mem dummy;
	u64 fault_page;
	struct mutex tlb_lock; /* invalidate engine of the CPU */
	struct mutex pasid_lock; /* ATHUB and IH tables */
	raw_spinlock_t clock_lock;
	u32 rev_id;
	u64 unique_id;
	u32 cu_active[HW_MAX_SHADER_ENGINES];
	u32 cu_count;
	bool pci_atomics;
	bool lost;
};

/* hw_device.c: bring-up of the function (BARs, sizes, CUs, hub, GART) and its reverse. */
int hw_device_init(struct hw_device *hw, struct pci_dev *pdev, const struct hw_client_ops *client);
void hw_device_fini(struct hw_device *hw);
/* After a sleep in which VRAM kept its contents; no user queue is loaded. */
int hw_device_resume(struct hw_device *hw);
/* 64-bit GPU clock counter, hw->chip->clock_khz. Any context. */
u64 hw_gpu_clock(struct hw_device *hw);

/* hw_mmio.c: claims the BARs. Process context. */
int hw_mmio_init(struct hw_device *hw);
void hw_mmio_fini(struct hw_device *hw);
/*
 * hw_mmio.c: any context unless said otherwise.  Register arguments are byte
 * offsets in BAR5, doorbell arguments byte offsets in BAR2 (64-bit slots).
 */
u32 hw_read(struct hw_device *hw, u32 reg);
void hw_write(struct hw_device *hw, u32 reg, u32 value);
int hw_poll(struct hw_device *hw, u32 reg, u32 mask, u32 want, unsigned int timeout_us);
void hw_doorbell_write(struct hw_device *hw, u32 offset, u64 value);
void hw_doorbell_reset(struct hw_device *hw, u32 offset);
/* Counters of an SDMA instance's user-queue slot; false on a chip, which has none. */
bool hw_sdma_served(struct hw_device *hw, u32 instance, u32 slot, struct hw_served *served);
/* Page frame behind doorbell page @index / VRAM @offset for a user mapping. Sleeps. */
int hw_doorbell_pfn(struct hw_device *hw, u32 index, unsigned long *pfn);
/* Page of BAR5 with the two HDP flush registers, for a user mapping; -ENXIO where there is none. */
int hw_remap_pfn(struct hw_device *hw, unsigned long *pfn);
int hw_vram_pfn(struct hw_device *hw, u64 offset, unsigned long *pfn);
/* CPU access to VRAM by offset; sleeps; 0, -EINVAL (range), -ENOMEM or -ENODEV. */
int hw_vram_read(struct hw_device *hw, u64 offset, void *dst, size_t size);
int hw_vram_write(struct hw_device *hw, u64 offset, const void *src, size_t size);
/*
 * Of a page-aligned range: the caller pays for the memory behind it; make it read as zero,
 * giving memory back where the backend can; give memory back, whatever it reads as. Sleep.
 */
int hw_vram_claim(struct hw_device *hw, u64 offset, u64 size);
int hw_vram_clear(struct hw_device *hw, u64 offset, u64 size);
void hw_vram_forget(struct hw_device *hw, u64 offset, u64 size);
/* True if VRAM keeps its contents in every sleep state of the machine. */
bool hw_keeps_vram(const struct hw_device *hw);
/* Order CPU stores to VRAM before engine reads and the reverse (HDP flush / invalidate). */
void hw_hdp_flush(struct hw_device *hw);

/* hw_gart.c: memory that VMID 0 sees. Process context. */
int hw_gart_init(struct hw_device *hw);
void hw_gart_fini(struct hw_device *hw);
int hw_mem_alloc(struct hw_device *hw, size_t size, struct hw_mem *mem);
void hw_mem_free(struct hw_device *hw, struct hw_mem *mem);
/*
 * Map @count bus addresses at consecutive GART pages; returns the MC address in
 * *@mc.  For BO access by kernel rings.
 */
int hw_gart_map(struct hw_device *hw, const dma_addr_t *pages, unsigned int count, u64 *mc);
void hw_gart_unmap(struct hw_device *hw, u64 mc, unsigned int count);

/* hw_hub.c: the memory hub. Process context, except the fault latch (any). */

/**
 * struct hw_hub_fault - what the hub latched of the first translation fault
 * @addr: page-aligned virtual address
 * @vmid: whose address space
 * @client: hub client number
 * @write: a store
 * @permission: permission bits that were missing
 * @walker_error: number of the failed step of the walk, 0 if none
 * @mapping_error: the entry pointed nowhere
 * @more: others came after it
 */
struct hw_hub_fault {
	u64 addr;
	u8 vmid;
	u16 client;
	bool write;
	u8 permission;
	u8 walker_error;
	bool mapping_error;
	bool more;
};

u32 hw_hub_reg(const struct hw_device *hw, unsigned int hub, u32 reg);
int hw_hub_init(struct hw_device *hw);
void hw_hub_fini(struct hw_device *hw);
int hw_hub_set_context(struct hw_device *hw, unsigned int vmid, u64 root_pde);
void hw_hub_clear_context(struct hw_device *hw, unsigned int vmid);
/* Invalidate all translations of the VMIDs in @mask; 0, -ETIMEDOUT, -ENODEV. */
int hw_hub_flush(struct hw_device *hw, u16 mask);
/* VMID <-> PASID tables of ATHUB and IH. pasid 0 clears. */
void hw_hub_set_pasid(struct hw_device *hw, unsigned int vmid, u16 pasid);
/* Read and clear the fault latch; false if it is empty. */
bool hw_hub_fault_take(struct hw_device *hw, unsigned int hub, struct hw_hub_fault *fault);

#endif /* CARILLON_HW_DEVICE_H */
