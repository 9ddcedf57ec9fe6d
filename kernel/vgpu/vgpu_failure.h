/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: failure switches
 *
 * Things that go wrong in hardware, to be had on purpose.  A switch that is set sees
 * each *opportunity* for its failure (an interrupt entry, a packet, a doorbell) and
 * says whether it fails; it is one-shot or goes by a rate, and with the same seed and
 * the same opportunities it says the same again.  What may be set, in the module
 * parameter failures= and in debugfs alike:
 *
 *	failures = failure { "+" failure }
 *	failure  = name [ ":" setting { "," setting } ]
 *	setting  = key "=" number            (decimal, or hexadecimal after 0x)
 *
 * after=N	let the first N opportunities pass
 * count=N	fail N times, then no more (1, or with a rate without end)
 * rate=N	of what is left, fail one in N, by chance from the seed (1: each)
 * seed=N	of the chance (1)
 * instance=N	only there
 * queue=N	only there: gfx, page, rlc0 to rlc7, or a number
 * source=N	only interrupts of that source
 * value=N	what the failure is to be like, see the table in vgpu_failure.c
 *
 * for example hang:instance=0,queue=gfx,after=3 or irq_drop:source=224,rate=10,seed=7.
 * A name again replaces its earlier settings.  Pure: compiles in user space.
 */
#ifndef CARILLON_VGPU_FAILURE_H
#define CARILLON_VGPU_FAILURE_H

#include <linux/types.h>

#include "vgpu_os.h"

enum vgpu_failure {
	VGPU_FAIL_IRQ_DROP,
	VGPU_FAIL_IRQ_DELAY,
	VGPU_FAIL_IV_CORRUPT,
	VGPU_FAIL_RPTR_STALE,
	VGPU_FAIL_DOORBELL_LOST,
	VGPU_FAIL_HANG,
	VGPU_FAIL_COPY_SLOW,
	VGPU_FAIL_VM_FAULT,
	VGPU_FAIL_RESET,
	VGPU_FAILURES,
};

#define VGPU_FAILURE_ANY	(-1)

/**
 * struct vgpu_failure_at - where an opportunity is; VGPU_FAILURE_ANY where that has no sense
 * @instance: SDMA instance
 * @queue: number of its queue
 * @source: of an interrupt entry
 */
struct vgpu_failure_at {
	int instance, queue, source;
};

/**
 * struct vgpu_failure_rule - a switch
 * @on: set, and not used up
 * @at: where; VGPU_FAILURE_ANY for everywhere
 * @after: opportunities that pass first
 * @count: failures still to come; 0: no end
 * @rate: one in so many
 * @chance: state of the chance; the seed at first
 * @value: what the failure is like
 * @seen: opportunities since it was set
 * @hits: failures since then
 */
struct vgpu_failure_rule {
	bool on;
	struct vgpu_failure_at at;
	u64 after;
	u64 count;
	u64 rate;
	u64 chance;
	u64 value;
	u64 seen;
	u64 hits;
};

/**
 * struct vgpu_failures - the switches of a GPU
 * @lock: protects @rule; a leaf
 * @armed: a bit each switch that is on, for a look without the lock
 * @rule: by failure
 */
struct vgpu_failures {
	vgpu_lock_t lock;
	unsigned long armed;
	struct vgpu_failure_rule rule[VGPU_FAILURES];
};

void vgpu_failures_init(struct vgpu_failures *f);
const char *vgpu_failure_name(enum vgpu_failure which);
int vgpu_failure_find(const char *name);
/* Sets switches, all or none: 0, or -EINVAL, -ENOENT, -ERANGE with @where in @text. Any context. */
int vgpu_failures_set(struct vgpu_failures *f, const char *text, unsigned int *where);
void vgpu_failures_clear(struct vgpu_failures *f, enum vgpu_failure which);
void vgpu_failures_get(struct vgpu_failures *f, enum vgpu_failure which,
		       struct vgpu_failure_rule *rule);
bool vgpu_failures_hit(struct vgpu_failures *f, enum vgpu_failure which,
		       const struct vgpu_failure_at *at, u64 *value);

/* Does it fail here, now?  @f may be NULL; @value, if not NULL, gets the switch's. Any context. */
static inline bool vgpu_fails(struct vgpu_failures *f, enum vgpu_failure which, int instance,
			      int queue, int source, u64 *value)
{
	const struct vgpu_failure_at at = { instance, queue, source };

	if (!f || !(READ_ONCE(f->armed) >> which & 1))
		return false;
	return vgpu_failures_hit(f, which, &at, value);
}

#endif /* CARILLON_VGPU_FAILURE_H */
