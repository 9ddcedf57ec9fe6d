// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: stepping an engine
 *
 * See vgpu_worker.h.  The thread calls nothing but the engine, least of all the
 * driver: whoever in the driver waits for an engine must not find its thread waiting
 * for the driver.  So the doorbell window is closed by a work item.
 *
 * A kick that arrives during a step is not lost: the flag is
 * cleared before the step and looked at before each sleep.
 *
 * While doorbells are hot the thread spins briefly on machines with CPUs to spare
 * and naps otherwise, so that the program that rings gets a CPU to do it on.
 */
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "vgpu_worker.h"

/* Nap between two looks at hot doorbells or a blocked poll. */
#define HOT_NAP_US		20
/*
 * An engine that has found nothing for longer than this looks less often: a nap costs
 * the emulator far more than the guest, and a late look costs a program less than the
 * fault that opens the window again.
 */
#define HOT_LONG_NS		NSEC_PER_MSEC
#define HOT_LONG_NAP_US		200
/* Where only the driver's queues listen: long enough to cost nothing. */
#define DRIVER_NAP_US		1000
#define BLOCKED_NAP_US		50
/* A poll that blocks for longer than this is looked at less often. */
#define BLOCKED_LONG_NS		(10 * NSEC_PER_MSEC)
#define BLOCKED_LONG_NAP_US	1000
/* Spin so long after the last work before the first nap, if CPUs abound. */
#define SPIN_NS			20000
#define SPIN_CPUS		4
/* Default slack of 50 us would triple a nap. */
#define TIMER_SLACK_NS		1000

static bool worker_wanted(struct vgpu_worker *worker)
{
	return READ_ONCE(worker->kicked) || kthread_should_stop();
}

static void worker_take_kick(struct vgpu_worker *worker)
{
	if (!READ_ONCE(worker->kicked))
		return;
	WRITE_ONCE(worker->kicked, false);
	worker->idle_since = 0;
	/*
	 * Full barrier between clearing the flag and looking at the engine; pairs with
	 * the one in vgpu_worker_kick() between the engine's new work and the flag.
	 */
	smp_mb();
	WRITE_ONCE(worker->listening, worker->listens(worker->ctx));
	/*
	 * Full barrier between saying so and looking at the slots and at the hot flag;
	 * pairs with the one in vgpu_worker_nudge().
	 */
	smp_mb();
}

static enum vgpu_step worker_step(struct vgpu_worker *worker)
{
	enum vgpu_step ret;

	worker_take_kick(worker);
	mutex_lock(&worker->step_lock);
	ret = worker->engine->step(worker->engine);
	mutex_unlock(&worker->step_lock);
	return ret;
}

static void worker_nap(struct vgpu_worker *worker, unsigned int us)
{
	wait_event_interruptible_hrtimeout(worker->wait, worker_wanted(worker),
					   ns_to_ktime((u64)us * NSEC_PER_USEC));
}

static void worker_blocked(struct vgpu_worker *worker)
{
	u64 now = ktime_get_ns();

	if (!worker->blocked_since)
		worker->blocked_since = now;
	worker_nap(worker, now - worker->blocked_since > BLOCKED_LONG_NS ?
		   BLOCKED_LONG_NAP_US : BLOCKED_NAP_US);
}

static bool worker_may_spin(struct vgpu_worker *worker)
{
	return worker->listening == VGPU_LISTENS_USER && num_online_cpus() >= SPIN_CPUS &&
	       ktime_get_ns() - READ_ONCE(worker->db->active_ns) < SPIN_NS;
}

static unsigned int hot_nap(struct vgpu_worker *worker)
{
	u64 now = ktime_get_ns();

	if (worker->listening == VGPU_LISTENS_DRIVER)
		return DRIVER_NAP_US;
	if (!worker->idle_since)
		worker->idle_since = now;
	return now - worker->idle_since > HOT_LONG_NS ? HOT_LONG_NAP_US : HOT_NAP_US;
}

static void worker_idle(struct vgpu_worker *worker)
{
	if (!worker->listening || !vgpu_doorbell_hot(worker->db)) {
		worker->sleeps++;
		wait_event_idle(worker->wait, worker_wanted(worker));
	} else if (worker_may_spin(worker)) {
		cpu_relax();
	} else {
		if (vgpu_doorbell_stale(worker->db))
			queue_work(system_unbound_wq, worker->close);
		worker_nap(worker, hot_nap(worker));
	}
}

/*
 * Not frozen while the machine goes to sleep: it stands for hardware, which the driver stops
 * and starts at moments when threads are frozen.
 */
static int worker_thread(void *data)
{
	struct vgpu_worker *worker = data;

	current->timer_slack_ns = TIMER_SLACK_NS;
	while (!kthread_should_stop()) {
		switch (worker_step(worker)) {
		case VGPU_STEP_BUSY:
			worker->blocked_since = 0;
			worker->idle_since = 0;
			worker->steps++;
			vgpu_doorbell_active(worker->db);
			break;
		case VGPU_STEP_BLOCKED:
			worker_blocked(worker);
			break;
		case VGPU_STEP_IDLE:
			worker->blocked_since = 0;
			worker_idle(worker);
			break;
		}
		cond_resched();
	}
	return 0;
}

/**
 * vgpu_worker_init - set up; the thread starts later
 * @worker: zeroed
 * @engine: to step
 * @db: BAR2
 * @close: see &struct vgpu_worker
 * @listens: likewise
 * @ctx: argument of @listens
 */
void vgpu_worker_init(struct vgpu_worker *worker, struct vgpu_engine *engine,
		      struct vgpu_doorbell *db, struct work_struct *close,
		      enum vgpu_listens (*listens)(void *ctx), void *ctx)
{
	worker->engine = engine;
	worker->db = db;
	worker->close = close;
	worker->listens = listens;
	worker->ctx = ctx;
	mutex_init(&worker->step_lock);
	init_waitqueue_head(&worker->wait);
}

/**
 * vgpu_worker_start - start the thread
 * @worker: the worker
 * @name: of the thread
 *
 * Return: 0 or an errno.
 */
int vgpu_worker_start(struct vgpu_worker *worker, const char *name)
{
	struct task_struct *thread = kthread_run(worker_thread, worker, "%s", name);

	if (IS_ERR(thread))
		return PTR_ERR(thread);
	worker->thread = thread;
	return 0;
}

/* End the thread; sleeps for a step at most. */
void vgpu_worker_stop(struct vgpu_worker *worker)
{
	if (worker->thread)
		kthread_stop(worker->thread);
	worker->thread = NULL;
}

/* The engine may have work; any context. */
void vgpu_worker_kick(struct vgpu_worker *worker)
{
	/* The new work is visible before the flag; pairs with worker_step(). */
	smp_mb();
	WRITE_ONCE(worker->kicked, true);
	wake_up(&worker->wait);
}

/**
 * vgpu_worker_nudge - the doorbell window was opened or closed
 * @worker: the worker
 *
 * An engine without a queue that listens sleeps on; when it gets one it looks.
 *
 * Context: any.
 */
void vgpu_worker_nudge(struct vgpu_worker *worker)
{
	/* The window's change is visible before the question; pairs with worker_take_kick(). */
	smp_mb();
	if (READ_ONCE(worker->listening))
		vgpu_worker_kick(worker);
}

/**
 * vgpu_worker_barrier - wait until no step that began before is under way
 * @worker: the worker
 *
 * Context: process context, sleeps; not from the worker's thread.
 */
void vgpu_worker_barrier(struct vgpu_worker *worker)
{
	mutex_lock(&worker->step_lock);
	mutex_unlock(&worker->step_lock);
}
