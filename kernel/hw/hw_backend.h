/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: contract between the driver and a virtual GPU
 *
 * A PCI function whose BARs nobody decodes carries a &struct hw_backend in
 * pdev->dev.platform_data.  The driver uses its ops where it would use readl(),
 * writel() and the pages behind BAR0 and BAR2 of a real function.  This header is
 * all that the two modules share; there is no symbol dependency between them.
 *
 * Lifetime: the ops may be called from attach() until detach() returns.  The
 * model removes its PCI function before it goes, so the driver's remove callback
 * runs first: it withdraws all user mappings, then calls detach().  After that it
 * touches neither the ops nor a page it got from them.
 */
#ifndef CARILLON_HW_BACKEND_H
#define CARILLON_HW_BACKEND_H

#include <linux/types.h>

struct page;

/* "CARILLON" as a big-endian 64-bit word. */
#define HW_BACKEND_MAGIC	0x434152494c4c4f4eULL
#define HW_BACKEND_VERSION	3

/**
 * struct hw_served - what an engine has done for whoever was in a user-queue slot
 * @turns: turns that its arbiter gave the slot, looks at a poll that did not hold among them
 * @bytes: bytes copied, filled and written
 */
struct hw_served {
	u64 turns;
	u64 bytes;
};

/**
 * struct hw_backend_client - calls from the model into the driver
 * @withdraw_doorbells: remove every user mapping of this device's doorbell pages,
 *	so that the next store faults.  Called from a model thread that holds no
 *	lock and runs no engine; sleeps, must not allocate.
 */
struct hw_backend_client {
	void (*withdraw_doorbells)(void *driver);
};

/**
 * struct hw_backend_ops - what stands in for a mapped BAR
 *
 * @reg_read: read the register at byte @offset of BAR5.  Any context.
 *	An offset that no block decodes reads as all ones, and so does everything
 *	while PCI_COMMAND_MEMORY is clear.  Engines reach system memory only while
 *	PCI_COMMAND_MASTER is set.
 * @reg_write: write it.  Any context.  Effects that a CPU can see in registers are
 *	there when the call returns; engines react on their own threads.
 * @doorbell_write: 64-bit store to byte @offset of BAR2 and wake the engine that
 *	listens there.  Any context.
 * @doorbell_reset: set the slot at byte @offset of BAR2 to 0 without ringing it.
 *	Any context.  A slot keeps the last value stored; the driver resets it
 *	before it gives the slot to a new queue.
 * @doorbell_page: the page behind page @index of BAR2, for a user mapping.  Tells
 *	the model that a mapping is about to exist, so that its engines watch the
 *	page until they next withdraw it.  The driver holds a lock for reading from
 *	this call until the mapping is in place; its withdraw_doorbells() takes that
 *	lock for writing and drops it before it zaps, or a mapping could appear after
 *	the zap that no engine watches.  Process context, sleeps.  ERR_PTR() with
 *	-EINVAL (no such page) or -ENOMEM.
 * @vram_page: the page behind byte @offset (page aligned) of VRAM, populated if it
 *	was not.  Process context, sleeps.  ERR_PTR() with -EINVAL or -ENOMEM.
 * @vram_claim: the caller pays for the memory behind a page-aligned range of VRAM, by
 *	whomever it is populated, until the range is discarded; pages that have memory
 *	already are left as they are.  Process context, sleeps.  0, -EINVAL (no such
 *	range) or -ENOMEM (a part may be claimed).
 * @vram_discard: forget the contents of a page-aligned range of VRAM and give its
 *	memory back; it reads as zero afterwards.  The caller has withdrawn all
 *	mappings of it.  Process context, sleeps.
 * @sdma_served: counters of a user-queue slot of an SDMA instance since power-on; they go on
 *	whoever is in the slot.  No chip has them.  They stand for time: an engine
 *	that is a thread gets none of a busy machine's and then much, so that how long a
 *	queue was in a slot says nothing about what it got.  Any context; false where
 *	there is no such slot.
 * @attach: a driver binds.  0, or -EBUSY if one is bound.
 * @detach: the driver has gone; when this returns no callback runs any more, no
 *	engine touches system memory, and registers are as after power-on.  Process
 *	context, sleeps.
 */
struct hw_backend_ops {
	u32 (*reg_read)(void *model, u32 offset);
	void (*reg_write)(void *model, u32 offset, u32 value);
	void (*doorbell_write)(void *model, u32 offset, u64 value);
	void (*doorbell_reset)(void *model, u32 offset);
	struct page *(*doorbell_page)(void *model, u32 index);
	struct page *(*vram_page)(void *model, u64 offset);
	int (*vram_claim)(void *model, u64 offset, u64 size);
	void (*vram_discard)(void *model, u64 offset, u64 size);
	bool (*sdma_served)(void *model, u32 instance, u32 slot, struct hw_served *served);
	int (*attach)(void *model, const struct hw_backend_client *client,
		      void *driver);
	void (*detach)(void *model);
};

/**
 * struct hw_backend - found in platform_data of a virtual function
 * @magic: HW_BACKEND_MAGIC
 * @version: HW_BACKEND_VERSION; a driver refuses any other
 * @size: sizeof(struct hw_backend) of the model's build
 * @ops: see above
 * @model: first argument of every op
 */
struct hw_backend {
	u64 magic;
	u32 version;
	u32 size;
	const struct hw_backend_ops *ops;
	void *model;
};

#endif /* CARILLON_HW_BACKEND_H */
