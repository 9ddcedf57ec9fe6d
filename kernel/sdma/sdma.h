/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: SDMA, what the layers above use
 *
 * Kernel work goes through one *job*: allocate it, emit packets into its indirect
 * buffer, submit it, get a dma_fence.  No caller writes a ring.  User (RLC) queues
 * are loaded into and unloaded from hardware slots by sdma_rlc_load() and
 * sdma_rlc_unload().
 *
 * A device has up to sixteen instances; each has a GFX ring for bulk work and,
 * where the chip has one, a page ring for page-table updates.
 */
#ifndef CARILLON_SDMA_H
#define CARILLON_SDMA_H

#include <linux/dma-fence.h>
#include <linux/types.h>

struct hw_device;
struct irq_device;
struct irq_entry;
struct sdma_ring;
struct seq_file;

enum sdma_ring_kind { SDMA_RING_GFX, SDMA_RING_PAGE };

#define SDMA_RING_KINDS	2

struct sdma_device;	/* sdma_device.h; embedded by the owner */

#define SDMA_JOB_MAX_DWORDS	4096

/**
 * struct sdma_job - one indirect buffer on its way to a ring
 * @ib: dwords to fill, from index 0
 * @len: dwords filled; set by the caller, usually from what the encoders of
 *	sdma_emit.h return
 * @max: dwords that the caller may fill
 * @vmid: address space of the addresses in @ib; 0, and so set by sdma_job_alloc():
 *	MC addresses
 * @ib_va: where @vmid sees @ib, which the caller has mapped there; only with a VMID
 * @root: page directory that @vmid gets before @ib runs, its old translations being
 *	dropped; 0: it stays as it is
 * @bytes: bytes that the packets move, for the counters only
 * @prev: fence of the job before it in a batch, or NULL; the job has the reference.  If
 *	that one fails, so does this, and does nothing
 * @submitted: it has a number; private to sdma_job.c, like all below
 * @seq: number of its fence
 * @ib_dwords: of @ib, padded
 * @ring: where it runs
 * @slot: index of the job in its ring
 * @ib_mc: MC address of @ib
 * @ib_dma: bus address of @ib, SDMA_JOB_MAX_DWORDS long and page aligned, for whom
 *	maps it; set by sdma_ring_init()
 * @fence: set from sdma_job_alloc() to sdma_job_submit()
 * @done_cb: gives the slot back when the fence signals
 */
struct sdma_job {
	u32 *ib;
	unsigned int len;
	unsigned int max;
	u8 vmid;
	u64 ib_va;
	u64 root;
	u64 bytes;
	struct dma_fence *prev;
	bool submitted;
	u32 seq;
	unsigned int ib_dwords;
	struct sdma_ring *ring;
	unsigned int slot;
	u64 ib_mc;
	u64 ib_dma;
	struct dma_fence *fence;
	struct dma_fence_cb done_cb;
};

/* sdma_device.c: rings, ring test, IB test; and the reverse.  Process context. */
int sdma_init(struct sdma_device *sdma, struct hw_device *hw, struct irq_device *irq);
void sdma_fini(struct sdma_device *sdma);
/*
 * Around a sleep of the machine; no user queue is loaded.  Between the two there are no
 * rings: jobs get -ENODEV.  Process context.
 */
void sdma_suspend(struct sdma_device *sdma);
int sdma_resume(struct sdma_device *sdma);
/* One bit an instance that works. */
u16 sdma_instance_mask(struct sdma_device *sdma);
/* Does any instance have work?  A look at this moment, by their status registers; any context. */
bool sdma_is_busy(struct sdma_device *sdma);

/*
 * sdma_job.c.  Allocate a job of up to @dwords (1 to SDMA_JOB_MAX_DWORDS) on @kind
 * of the least loaded instance in @mask (0: any).  Where the chip or a parameter
 * has no page ring, SDMA_RING_PAGE jobs go to the GFX ring.  Sleeps, bounded, until
 * a slot is free; never enters reclaim, so it may be called from a blockable MMU
 * notifier.  ERR_PTR() with -EINVAL, -ENOMEM, -ETIMEDOUT or -ENODEV.
 */
struct sdma_job *sdma_job_alloc(struct sdma_device *sdma, enum sdma_ring_kind kind, u16 mask,
				unsigned int dwords);
/*
 * Consumes the job.  Cannot fail: returns a referenced fence, which is signalled
 * with an error if the ring died.
 */
struct dma_fence *sdma_job_submit(struct sdma_job *job);
void sdma_job_cancel(struct sdma_job *job);

/*
 * sdma_copy.c.  Work is split into packets and jobs, all on one ring, so that the
 * fence returned, which is that of the last job, covers all of it.  MC addresses.
 * Sleeps.  ERR_PTR() as sdma_job_alloc(), or -EINVAL for a bad size or alignment;
 * jobs that were submitted before an error may still run, and have ended when the
 * call returns.
 */
/* Any alignment and any length but 0. */
struct dma_fence *sdma_copy(struct sdma_device *sdma, u64 dst, u64 src, u64 bytes);
/* @dst and @bytes are multiples of 4. */
struct dma_fence *sdma_fill(struct sdma_device *sdma, u64 dst, u32 pattern, u64 bytes);
/* Page-table updates through the page ring.  @pe: MC address of the first entry. */
struct dma_fence *sdma_write_entries(struct sdma_device *sdma, u64 pe, const u64 *entries,
				     unsigned int count);
/* Entry n becomes (@addr + n * @incr) | @flags, by PTEPDE generate. */
struct dma_fence *sdma_generate_entries(struct sdma_device *sdma, u64 pe, u64 addr, u64 flags,
					unsigned int count, u32 incr);

/*
 * sdma_report.c.  Wait, bounded; on time-out log instance, ring, RPTR, WPTR and the
 * packet there.  With @timeout_ms 0 a ring that does not move for the time in the
 * module parameter is recovered, so that the fence has signalled in any
 * case when this returns and its memory may be freed; with another value the engine
 * may still be at it after -ETIMEDOUT.  0, the fence's error or -ETIMEDOUT.  The
 * fence may be any dma_fence.
 */
int sdma_fence_wait(struct dma_fence *fence, unsigned int timeout_ms);
/*
 * debugfs: a head line, then one line a kernel ring: instance kind rptr wptr
 * emitted signalled jobs bytes traps lost_irqs stale_rptrs lost_doorbells resets
 * canceled state
 */
void sdma_show_rings(struct sdma_device *sdma, struct seq_file *m);
/*
 * sdma_dump.c: the packets in the kernel rings, decoded; and the registers of all
 * instances by name.  For debugfs, process context.
 */
void sdma_dump_rings(struct sdma_device *sdma, struct seq_file *m);
void sdma_dump_registers(struct sdma_device *sdma, struct seq_file *m);

/**
 * struct sdma_rlc_state - a user queue as the hardware holds it
 * @rb_base: GPU VA of the ring, 256-byte aligned
 * @rb_size: bytes, power of two
 * @rptr_addr: GPU VA where the engine writes its RPTR back
 * @wptr_addr: GPU VA of the client's WPTR cell
 * @doorbell: byte offset in BAR2
 * @vmid: 8 to 15
 * @rptr: bytes, monotonic; saved by unload, restored by load
 * @wptr: likewise
 * @halted: the engine had given it up when it was unloaded; saved by unload only
 */
struct sdma_rlc_state {
	u64 rb_base, rb_size, rptr_addr, wptr_addr;
	u32 doorbell;
	u8 vmid;
	u64 rptr, wptr;
	bool halted;
};

/*
 * Hardware slots.  Process context; may sleep.  load programs and enables: 0,
 * -EINVAL, -EIO (slot lost), -ETIMEDOUT or -ENODEV.  unload disables, waits until
 * the engine no longer touches the queue and saves the pointers: 0, -ETIMEDOUT
 * after which the slot is lost until reset, or -ENODEV.
 */
int sdma_rlc_load(struct sdma_device *sdma, unsigned int instance, unsigned int slot,
		  const struct sdma_rlc_state *s);
int sdma_rlc_unload(struct sdma_device *sdma, unsigned int instance, unsigned int slot,
		    struct sdma_rlc_state *s);
/* Snapshot of the RPTR/WPTR of a loaded queue, for debugfs. */
void sdma_rlc_peek(struct sdma_device *sdma, unsigned int instance, unsigned int slot,
		   u64 *rptr, u64 *wptr);
/*
 * A user queue does not leave its slot: have the instance reset.  Comes back at once; the
 * reset takes place later, with calls of &sdma_user_ops.  Any context.
 */
void sdma_reset_instance(struct sdma_device *sdma, unsigned int instance);
/* Does the engine show an exception for a loaded queue?  Any context. */
bool sdma_rlc_halted(struct sdma_device *sdma, unsigned int instance, unsigned int slot);

/**
 * struct sdma_user_ops - interrupts of user queues
 * @trap: TRAP packet of a user queue; ctx[0] & 0x0fffffff is the event id
 * @fault: the queue was halted: illegal instruction, SRBM write and the like; the
 *	source says which
 * @reset_begin: an instance is about to be reset: its user queues leave the hardware.
 *	Returns whether one did not.  Process context, sleeps
 * @reset_end: it was reset, and what did not leave has left now; or, @ok false, it is
 *	given up.  Likewise
 *
 * The first two are called for entries whose VMID is a user VMID (8 to 15), in hard
 * interrupt context.
 */
struct sdma_user_ops {
	void (*trap)(void *data, unsigned int instance, const struct irq_entry *e);
	void (*fault)(void *data, unsigned int instance, const struct irq_entry *e);
	bool (*reset_begin)(void *data, unsigned int instance);
	void (*reset_end)(void *data, unsigned int instance, bool ok);
};

/* @ops NULL: none; when that returns no call runs.  Process context, sleeps. */
void sdma_set_user_ops(struct sdma_device *sdma, const struct sdma_user_ops *ops, void *data);

#endif /* CARILLON_SDMA_H */
