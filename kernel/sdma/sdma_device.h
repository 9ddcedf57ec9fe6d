/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: the SDMA engines of one device
 *
 * An *instance* is one SDMA engine with its GFX ring, its page ring and its user
 * (RLC) slots.  The owner embeds &struct sdma_device; the layers above use sdma.h
 * and look at nothing in here.
 */
#ifndef CARILLON_SDMA_DEVICE_H
#define CARILLON_SDMA_DEVICE_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/wait.h>

#include "sdma.h"
#include "sdma_hw.h"
#include "sdma_ring.h"

#include "../hw/hw_device.h"

/**
 * struct sdma_bus_regs - registers of the bus interface that concern SDMA
 * @ip: NBIO version
 * @hdp_req: HDP flush request, byte offset in BAR5
 * @hdp_done: HDP flush done
 * @hdp_bit: bit of instance 0 in both; the others follow
 * @doorbell_range: register of each instance that says which doorbells are its own;
 *	0 where the bus interface has none
 */
struct sdma_bus_regs {
	u32 ip;
	u32 hdp_req, hdp_done, hdp_bit;
	u32 doorbell_range[HW_MAX_SDMA_INSTANCES];
};

/* What an IH source of an SDMA client means. */
enum sdma_source {
	SDMA_SOURCE_TRAP,
	SDMA_SOURCE_ILLEGAL,
	SDMA_SOURCE_SRBM_WRITE,
	SDMA_SOURCE_VM_HOLE,
	SDMA_SOURCE_DOORBELL_INVALID,
	SDMA_SOURCE_POLL_TIMEOUT,
	SDMA_SOURCE_ECC,
	SDMA_SOURCES,
};

/**
 * struct sdma_irq_binding - argument of one registered IH handler
 * @sdma: device
 * @instance: whose client it is
 * @kind: what the source means
 * @count: entries seen
 */
struct sdma_irq_binding {
	struct sdma_device *sdma;
	unsigned int instance;
	enum sdma_source kind;
	atomic64_t count;
};

/**
 * struct sdma_instance - one engine
 * @rings: GFX and page ring; the page ring has no memory where there is none
 * @irqs: one for each source
 * @irqs_bound: sources registered so far
 * @rlc_lock: one register sequence on the user slots at a time; protects @rlc_lost
 * @rlc_lost: slots that did not become idle
 */
struct sdma_instance {
	struct sdma_ring rings[SDMA_RING_KINDS];
	struct sdma_irq_binding irqs[SDMA_SOURCES];
	unsigned int irqs_bound;
	struct mutex rlc_lock;		/* register sequences, rlc_lost */
	unsigned long rlc_lost;
};

/**
 * struct sdma_user_binding - who handles the interrupts of user queues
 * @ops: callbacks
 * @data: their argument
 */
struct sdma_user_binding {
	const struct sdma_user_ops *ops;
	void *data;
};

/* In &sdma_coredump.flags: the text is being written, or on its way to user space. */
#define SDMA_COREDUMP_TAKEN	0

/**
 * struct sdma_coredump - state of an instance before its reset
 * @work: hands it to user space
 * @flags: SDMA_COREDUMP_TAKEN
 * @text: memory for it
 * @len: bytes of it in use
 */
struct sdma_coredump {
	struct work_struct work;
	unsigned long flags;
	char *text;
	size_t len;
};

/**
 * struct sdma_device - all engines of a device
 * @hw: PCI function
 * @irq: interrupts
 * @funcs: verbs of this generation
 * @bus: registers of this bus interface
 * @has_page_queue: page rings are in use
 * @mask: instances that work
 * @asleep: those of them that wait for sdma_resume()
 * @cells: write-back memory of all rings
 * @instance: the engines; NULL where a register read of all ones told that there is
 *	none
 * @slot_wait: woken when a job slot of any ring is given back
 * @user: binding in use or NULL; RCU
 * @user_slot: its memory
 * @user_lock: one sdma_set_user_ops() at a time
 * @test_lock: one self-test at a time
 * @recover_lock: one recovery at a time
 * @core: dump of the instance that is being recovered
 */
struct sdma_device {
	struct hw_device *hw;
	struct irq_device *irq;
	const struct sdma_hw_funcs *funcs;
	const struct sdma_bus_regs *bus;
	bool has_page_queue;
	unsigned long mask;
	unsigned long asleep;
	struct hw_mem cells;
	struct sdma_instance *instance[HW_MAX_SDMA_INSTANCES];
	wait_queue_head_t slot_wait;
	struct sdma_user_binding __rcu *user;
	struct sdma_user_binding user_slot;
	struct mutex user_lock;		/* changes of user */
	struct mutex test_lock;		/* self-tests */
	struct mutex recover_lock;	/* recoveries */
	struct sdma_coredump core;
};

static inline struct device *sdma_dev(const struct sdma_device *sdma)
{
	return &sdma->hw->pdev->dev;
}

/* The ring that serves @kind on an instance that exists. */
static inline struct sdma_ring *sdma_ring_of(struct sdma_device *sdma, unsigned int instance,
					     enum sdma_ring_kind kind)
{
	if (kind == SDMA_RING_PAGE && !sdma->has_page_queue)
		kind = SDMA_RING_GFX;
	return &sdma->instance[instance]->rings[kind];
}

/* Ring kinds in use: 1 or 2. */
static inline unsigned int sdma_ring_kinds(const struct sdma_device *sdma)
{
	return sdma->has_page_queue ? SDMA_RING_KINDS : 1;
}

/* sdma_irq.c */
int sdma_irq_bind(struct sdma_device *sdma, unsigned int instance);
void sdma_irq_unbind(struct sdma_device *sdma, unsigned int instance);
u64 sdma_irq_count(const struct sdma_device *sdma, unsigned int instance, enum sdma_source kind);

/* sdma_recover.c; process context */
void sdma_recover_work(struct work_struct *work);
void sdma_recover_flush(struct sdma_device *sdma, unsigned int instance);

/* sdma_coredump.c; process context */
int sdma_coredump_init(struct sdma_device *sdma);
void sdma_coredump_fini(struct sdma_device *sdma);
bool sdma_coredump_begin(struct sdma_ring *ring);
void sdma_coredump_guilty(struct sdma_device *sdma, const char *name, u32 seq);
void sdma_coredump_end(struct sdma_device *sdma, const char *result);

/* sdma_rlc.c: after a reset of the instance no slot is lost any more.  Process context. */
void sdma_rlc_restored(struct sdma_device *sdma, unsigned int instance);

/* sdma_job.c: pending jobs go into their restarted ring, whose lock is held. */
void sdma_jobs_run_again(struct sdma_ring *ring);
/* The invalidate engine of a ring that was stopped anywhere is free.  Any context. */
void sdma_job_drop_semaphore(struct sdma_ring *ring);

/* sdma_report.c: log where a ring stands; @why is a short clause.  Process context. */
void sdma_report_ring(struct sdma_ring *ring, const char *why);

/* sdma_dump.c: registers and rings of an instance.  Process context. */
void sdma_dump_instance(struct sdma_device *sdma, unsigned int instance, struct seq_file *m);

/* sdma_dump.c: the packet at @pos (dwords) as text.  Any context. */
void sdma_dump_packet(const struct sdma_ring *ring, u64 pos, char *text, size_t size);

#endif /* CARILLON_SDMA_DEVICE_H */
