// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: producer's side of the interrupt ring
 *
 * See vgpu_ih_ring.h.  The ring and the write-back cell lie in system memory by
 * bus address (MC_SPACE 1); entries for any other address space are lost and
 * counted, and so are all where a chip wants bus addresses enabled first.
 *
 * Choices where the public headers are silent: a write of IH_RB_CNTL with
 * WPTR_OVERFLOW_CLEAR clears the overflow at that moment and does not keep later
 * ones from showing; with RPTR_REARM, an RPTR write that leaves entries in the ring
 * sends the interrupt again; the write-back cell changes with WPTR when an entry is
 * stored, not when the overflow is cleared.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "../hw/regs/osssys_4_0_regs.h"
#include "vgpu_ih_ring.h"
#include "vgpu_os.h"

#define MC_SPACE_BUS		1
/* WPTR.OFFSET has 16 dword bits. */
#define RB_SIZE_MIN		3	/* log2 of dwords: one entry */
#define RB_SIZE_MAX		16
/*
 * Clients whose VMIDs belong to a memory hub: SDMA0, SDMA1, VMC; on Arcturus SDMA2 to 7
 * and VMC1 as well, on Aldebaran SDMA2 to 4.  Nobody else has those numbers in the model.
 */
#define HUB_CLIENTS		(BIT(0x08) | BIT(0x09) | BIT(0x12) | \
				 BIT(0x01) | BIT(0x04) | BIT(0x05) | BIT(0x11) | BIT(0x13) | \
				 BIT(0x18) | BIT(0x06))

#define RB_CNTL_MASK							\
	(OSSSYS4_IH_RB_CNTL__RB_ENABLE | OSSSYS4_IH_RB_CNTL__RB_SIZE |	\
	 OSSSYS4_IH_RB_CNTL__RPTR_REARM | OSSSYS4_IH_RB_CNTL__ENABLE_INTR | \
	 OSSSYS4_IH_RB_CNTL__MC_SPACE | OSSSYS4_IH_RB_CNTL__MC_VMID |	\
	 OSSSYS4_IH_RB_CNTL__WPTR_WRITEBACK_ENABLE |			\
	 OSSSYS4_IH_RB_CNTL__WPTR_OVERFLOW_ENABLE |			\
	 OSSSYS4_IH_RB_CNTL__WPTR_OVERFLOW_CLEAR |			\
	 OSSSYS4_IH_RB_CNTL__MC_SNOOP | OSSSYS4_IH_RB_CNTL__MC_RO | BIT(7))
#define PTR_MASK		OSSSYS4_IH_RB_WPTR__OFFSET

static const struct vgpu_reg ih_rows[] = {
	{ .offset = OSSSYS4_IH_VMID_0_LUT, .count = 16, .mask = OSSSYS4_IH_VMID_0_LUT__PASID },
	{ .offset = OSSSYS4_IH_VMID_0_LUT_MM, .count = 16,
	  .mask = OSSSYS4_IH_VMID_0_LUT_MM__PASID },
	{ .offset = OSSSYS4_IH_RB_CNTL, .mask = RB_CNTL_MASK },
	{ .offset = OSSSYS4_IH_RB_BASE, .mask = ~0u },
	{ .offset = OSSSYS4_IH_RB_BASE_HI, .mask = GENMASK(7, 0) },
	{ .offset = OSSSYS4_IH_RB_RPTR, .mask = PTR_MASK },
	{ .offset = OSSSYS4_IH_RB_WPTR, .mask = PTR_MASK | OSSSYS4_IH_RB_WPTR__RB_OVERFLOW },
	{ .offset = OSSSYS4_IH_RB_WPTR_ADDR_HI, .mask = GENMASK(15, 0) },
	{ .offset = OSSSYS4_IH_RB_WPTR_ADDR_LO, .mask = GENMASK(31, 2) },
	{ .offset = OSSSYS4_IH_DOORBELL_RPTR,
	  .mask = OSSSYS4_IH_DOORBELL_RPTR__OFFSET | OSSSYS4_IH_DOORBELL_RPTR__ENABLE },
	{ .offset = OSSSYS4_IH_CNTL, .mask = ~0u },
	{ .offset = OSSSYS4_IH_STATUS },
	/* The last one: not every chip has it. */
	{ .offset = OSSSYS4_IH_CHICKEN_ALDEBARAN, .mask = ~0u },
};

static u32 get(const struct vgpu_ih_ring *ring, u32 reg)
{
	return vgpu_regfile_get(&ring->file, reg);
}

static void set(struct vgpu_ih_ring *ring, u32 reg, u32 value)
{
	*vgpu_regfile_find(&ring->file, reg, NULL) = value;
}

static bool from_memory_hub(const struct vgpu_iv *iv)
{
	return iv->client < 32 && (HUB_CLIENTS >> iv->client & 1);
}

/* Bytes of the ring, 0 if the size makes no sense. */
static u32 ring_bytes(const struct vgpu_ih_ring *ring)
{
	u32 log2 = FIELD_GET(OSSSYS4_IH_RB_CNTL__RB_SIZE, get(ring, OSSSYS4_IH_RB_CNTL));

	return log2 < RB_SIZE_MIN || log2 > RB_SIZE_MAX ? 0 : 4u << log2;
}

/**
 * vgpu_iv_encode - words of an entry
 * @dw: the words, CPU order
 * @iv: entry as its source made it
 * @pasid: of its VMID
 * @timestamp: GPU clock
 */
void vgpu_iv_encode(u32 dw[VGPU_IV_DWORDS], const struct vgpu_iv *iv, u16 pasid, u64 timestamp)
{
	unsigned int i;

	dw[0] = iv->client | iv->source << 8 | iv->ring << 16 | (u32)(iv->vmid & 0xf) << 24;
	if (from_memory_hub(iv))
		dw[0] |= BIT(31);
	dw[1] = lower_32_bits(timestamp);
	dw[2] = upper_32_bits(timestamp) & 0xffff;
	dw[3] = pasid;
	for (i = 0; i < 4; i++)
		dw[4 + i] = iv->ctx[i];
}

/**
 * vgpu_ih_ring_init - set up the block; the caller resets it
 * @ring: zeroed
 * @chicken: &vgpu_profile.ih_chicken
 * @bus: outlives @ring
 * @ops: register ops, which lock and call the functions below
 */
void vgpu_ih_ring_init(struct vgpu_ih_ring *ring, u32 chicken, const struct vgpu_bus *bus,
		       const struct vgpu_block_ops *ops)
{
	ring->bus = bus;
	ring->chicken = chicken;
	ring->block.name = "osssys";
	ring->block.base = HW_DW(OSSSYS4_BASE);
	ring->block.size = OSSSYS4_SIZE;
	ring->block.ops = ops;
	ring->file.rows = ih_rows;
	ring->file.num_rows = ARRAY_SIZE(ih_rows) - !chicken;
	ring->file.values = ring->values;
}

/* Registers as after power-on. */
void vgpu_ih_ring_reset(struct vgpu_ih_ring *ring)
{
	vgpu_regfile_reset(&ring->file);
}

/* Read the register at byte @offset of the block. */
u32 vgpu_ih_ring_read(struct vgpu_ih_ring *ring, u32 offset)
{
	u32 value;

	if (!vgpu_regfile_read(&ring->file, ring->block.base + offset, &value))
		ring->block.unknown++;
	return value;
}

/**
 * vgpu_ih_ring_set_rptr - the driver has read up to here
 * @ring: the ring
 * @rptr: bytes
 *
 * Return: VGPU_IH_FIRE if the interrupt is to be sent once more, or 0.
 */
unsigned int vgpu_ih_ring_set_rptr(struct vgpu_ih_ring *ring, u32 rptr)
{
	u32 cntl = get(ring, OSSSYS4_IH_RB_CNTL);
	u32 wptr = get(ring, OSSSYS4_IH_RB_WPTR) & PTR_MASK;

	set(ring, OSSSYS4_IH_RB_RPTR, rptr & PTR_MASK);
	if (!(cntl & OSSSYS4_IH_RB_CNTL__RPTR_REARM) ||
	    !(cntl & OSSSYS4_IH_RB_CNTL__RB_ENABLE) ||
	    !(cntl & OSSSYS4_IH_RB_CNTL__ENABLE_INTR))
		return 0;
	return (rptr & PTR_MASK) != wptr ? VGPU_IH_FIRE : 0;
}

/**
 * vgpu_ih_ring_write - write a register
 * @ring: the ring
 * @offset: byte offset from the block's base
 * @value: what is written
 *
 * Return: VGPU_IH_FIRE if the interrupt is to be sent, or 0.
 */
unsigned int vgpu_ih_ring_write(struct vgpu_ih_ring *ring, u32 offset, u32 value)
{
	u32 reg = ring->block.base + offset;

	if (reg == OSSSYS4_IH_RB_RPTR)
		return vgpu_ih_ring_set_rptr(ring, value);
	if (!vgpu_regfile_write(&ring->file, reg, value))
		ring->block.unknown++;
	if (reg == OSSSYS4_IH_RB_CNTL && (value & OSSSYS4_IH_RB_CNTL__WPTR_OVERFLOW_CLEAR))
		set(ring, OSSSYS4_IH_RB_WPTR,
		    get(ring, OSSSYS4_IH_RB_WPTR) & ~OSSSYS4_IH_RB_WPTR__RB_OVERFLOW);
	return 0;
}

/**
 * vgpu_ih_ring_doorbell - does this doorbell carry the ring's RPTR?
 * @ring: the ring
 * @offset: byte offset in BAR2
 *
 * Return: true if it does.
 */
bool vgpu_ih_ring_doorbell(const struct vgpu_ih_ring *ring, u32 offset)
{
	u32 reg = get(ring, OSSSYS4_IH_DOORBELL_RPTR);

	return (reg & OSSSYS4_IH_DOORBELL_RPTR__ENABLE) &&
	       FIELD_GET(OSSSYS4_IH_DOORBELL_RPTR__OFFSET, reg) == offset / 4;
}

/* CPU address of 4-byte aligned system memory, or NULL. */
static void *bus_memory(const struct vgpu_ih_ring *ring, u64 addr)
{
	u8 *page = ring->bus->sys_page(ring->bus->ctx, addr & ~0xfffULL);

	return page ? page + (addr & 0xfff) : NULL;
}

static u16 pasid_of(const struct vgpu_ih_ring *ring, const struct vgpu_iv *iv)
{
	u32 lut = from_memory_hub(iv) ? OSSSYS4_IH_VMID_0_LUT_MM : OSSSYS4_IH_VMID_0_LUT;

	return get(ring, lut + 4 * (iv->vmid & 0xf));
}

static void write_back(const struct vgpu_ih_ring *ring, u32 wptr)
{
	u64 addr = (u64)get(ring, OSSSYS4_IH_RB_WPTR_ADDR_HI) << 32 |
		   get(ring, OSSSYS4_IH_RB_WPTR_ADDR_LO);
	u32 *cell;

	if (!(get(ring, OSSSYS4_IH_RB_CNTL) & OSSSYS4_IH_RB_CNTL__WPTR_WRITEBACK_ENABLE))
		return;
	cell = bus_memory(ring, addr);
	if (!cell)
		return;
	/* Pairs with the driver's read barrier: the entry is there before WPTR says so. */
	smp_store_release(cell, wptr);
}

/* May the ring and its cell be where they are said to be? */
static bool reaches_bus(const struct vgpu_ih_ring *ring)
{
	u32 space = FIELD_GET(OSSSYS4_IH_RB_CNTL__MC_SPACE, get(ring, OSSSYS4_IH_RB_CNTL));

	if (ring->chicken &&
	    !(get(ring, ring->chicken) & OSSSYS4_IH_CHICKEN__MC_SPACE_GPA_ENABLE))
		return false;
	return space == MC_SPACE_BUS;
}

static bool store_entry(struct vgpu_ih_ring *ring, u32 wptr, const struct vgpu_iv *iv)
{
	u64 base = (u64)get(ring, OSSSYS4_IH_RB_BASE) << 8 |
		   (u64)get(ring, OSSSYS4_IH_RB_BASE_HI) << 40;
	u32 dw[VGPU_IV_DWORDS], *slot;

	if (!reaches_bus(ring))
		return false;
	/* Base is a multiple of 256 and entries of 32: no entry spans two pages. */
	slot = bus_memory(ring, base + wptr);
	if (!slot)
		return false;
	vgpu_iv_encode(dw, iv, pasid_of(ring, iv), ring->bus->clock(ring->bus->ctx));
	memcpy(slot, dw, sizeof(dw));
	return true;
}

static void publish_wptr(struct vgpu_ih_ring *ring, u32 wptr)
{
	set(ring, OSSSYS4_IH_RB_WPTR, wptr);
	write_back(ring, wptr);
}

/**
 * vgpu_ih_ring_put - store an entry
 * @ring: the ring
 * @iv: entry
 * @todo: set to VGPU_IH_FIRE if the interrupt is to be sent, or 0
 *
 * Return: what became of it.
 */
enum vgpu_ih_put vgpu_ih_ring_put(struct vgpu_ih_ring *ring, const struct vgpu_iv *iv,
				  unsigned int *todo)
{
	u32 cntl = get(ring, OSSSYS4_IH_RB_CNTL), bytes = ring_bytes(ring);
	u32 old = get(ring, OSSSYS4_IH_RB_WPTR), next;
	bool meets;

	*todo = 0;
	if (!(cntl & OSSSYS4_IH_RB_CNTL__RB_ENABLE))
		return VGPU_IH_DISABLED;
	if (!bytes)
		return VGPU_IH_BAD_RING;
	next = (old + VGPU_IV_BYTES) & (bytes - 1) & ~(VGPU_IV_BYTES - 1);
	meets = next == (get(ring, OSSSYS4_IH_RB_RPTR) & (bytes - 1) & ~(VGPU_IV_BYTES - 1));
	if (meets && !(cntl & OSSSYS4_IH_RB_CNTL__WPTR_OVERFLOW_ENABLE))
		return VGPU_IH_FULL;
	if (!store_entry(ring, old & (bytes - 1) & ~(VGPU_IV_BYTES - 1), iv))
		return VGPU_IH_BAD_RING;
	next |= old & OSSSYS4_IH_RB_WPTR__RB_OVERFLOW;
	if (meets)
		next |= OSSSYS4_IH_RB_WPTR__RB_OVERFLOW;
	publish_wptr(ring, next);
	if (cntl & OSSSYS4_IH_RB_CNTL__ENABLE_INTR)
		*todo = VGPU_IH_FIRE;
	return meets ? VGPU_IH_OVERWROTE : VGPU_IH_STORED;
}
