// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: hostile rings from user space, beside a neighbour that must stay right
 *
 *	ring_fuzz [-s SEED] [-t SECONDS] [-p PROCESSES]
 *
 * The neighbour, a process of its own, copies, compares and counts without end; each
 * of its queues lives for one job (B028), and what it did not ring must not run
 * (B061).  The hostile processes give their queues plausible packets with wrong
 * fields, indirect buffers that lead back to themselves, polls that never end, atomics
 * that loop, rings that vanish while they run, pointers and doorbells of any value,
 * floods of traps and fences.  Destroying such a queue is bounded.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../kfd_client.h"
#include "fuzz_crew.h"

#define RING		65536u
#define DATA		(256u << 10)
/* Where the registers of the instances are, in dwords. */
#define SDMA_REGS	0x1260
#define SDMA_REGS_STEP	0x200
/* One job of the neighbour takes milliseconds, whatever the others do. */
#define JOB_MS		(10000 * kfd_time_scale())
/* What the interface promises for DESTROY_QUEUE, with room for a slow machine. */
#define DESTROY_MS	(10000 * kfd_time_scale())

/**
 * struct shared - what the processes tell the parent
 * @rings: hostile rings run
 * @words: in them
 * @jobs: of the neighbour that were right
 * @last_job: when the last of them ended, or the run began (ms)
 * @destroy_ms: the longest DESTROY_QUEUE
 * @faults: of the rules that a process can see; the first in @what
 */
struct shared {
	uint64_t rings, words, jobs, last_job, destroy_ms, faults;
	char what[128];
};

static struct shared *shared;

static void fault(const char *what, long long a, long long b)
{
	if (!__atomic_fetch_add(&shared->faults, 1, __ATOMIC_RELAXED))
		snprintf(shared->what, sizeof(shared->what), "%s: %lld %lld", what, a, b);
}

/* ---- neighbour ---- */

struct neighbour {
	struct kfd_client c;
	struct kfd_bo src, dst, count;
	struct kfd_event event;
	uint64_t jobs;
};

/* One job in a queue of its own, with words behind the doorbell that must not run. */
static int one_job(struct neighbour *n, uint8_t fill)
{
	volatile uint64_t *count = (uint64_t *)n->count.cpu;
	struct kfd_sdma q;
	uint32_t w[16];
	uint64_t rung;
	int ret;

	memset(n->src.cpu, fill, DATA);
	ret = kfd_sdma_create_size(&n->c, &q, RING);
	if (ret)
		return ret == -ENOMEM ? 0 : ret;
	kfd_sdma_put(&q, w, pkt_atomic_add(w, (void *)&count[0], 1));
	kfd_sdma_put(&q, w, pkt_copy(w, n->dst.cpu, n->src.cpu, DATA));
	kfd_sdma_signal(&q, &n->event);
	rung = q.wptr;
	kfd_sdma_put(&q, w, pkt_atomic_add(w, (void *)&count[1], 1));
	*(volatile uint64_t *)(q.ptrs.cpu + 8) = q.wptr;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	*q.doorbell = rung;
	ret = kfd_event_wait(&n->c, &n->event, JOB_MS, w);
	if (!ret && w[0])
		ret = -ETIMEDOUT;
	if (!ret)
		usleep(200);
	n->jobs++;
	if (!ret && memcmp(n->src.cpu, n->dst.cpu, DATA))
		ret = -EIO;
	if (count[0] != n->jobs)
		fault("the neighbour's job ran another number of times", count[0], n->jobs);
	if (count[1])
		fault("a packet ran that was not rung", count[1], 0);
	return kfd_sdma_destroy(&q) ?: ret;
}

static void neighbour_main(uint64_t unused)
{
	struct neighbour n = { 0 };
	int ret;

	ret = kfd_client_init(&n.c, 0) ?: kfd_bo_user(&n.c, DATA, &n.src) ?:
	      kfd_bo_vram(&n.c, DATA, &n.dst) ?: kfd_bo_gtt(&n.c, 4096, &n.count) ?:
	      kfd_event_create(&n.c, &n.event);
	if (ret)
		fault("the neighbour cannot begin", ret, 0);
	while (!ret) {
		ret = one_job(&n, n.jobs);
		if (ret)
			fault("the neighbour's job failed", ret, n.jobs);
		shared->jobs += !ret;
		shared->last_job = fuzz_now_ms();
	}
	_exit(1);
}

/* ---- hostile ---- */

struct hostile {
	struct kfd_client c;
	struct kfd_bo user, vram, gtt;
	struct kfd_event event;
	struct fuzz_rng rng;
};

static uint64_t pick_addr(struct hostile *h, const struct kfd_sdma *q)
{
	struct fuzz_rng *r = &h->rng;
	const struct kfd_bo *all[] = { &h->user, &h->vram, &h->gtt, &q->ring, &q->ptrs };
	const struct kfd_bo *bo = all[fuzz_below(r, 5)];

	if (fuzz_once(r, 12))
		return fuzz_value(r);
	return (uintptr_t)bo->cpu + fuzz_below(r, bo->size / 4 + (fuzz_once(r, 8) ? 64 : 0)) * 4;
}

/* A register: anywhere, or one of the two instances'. */
static uint32_t pick_reg(struct fuzz_rng *r)
{
	return fuzz_once(r, 4) ? fuzz_value(r) : SDMA_REGS + fuzz_below(r, 2 * SDMA_REGS_STEP);
}

static void set_addr(uint32_t *w, uint64_t addr)
{
	w[0] = addr;
	w[1] = addr >> 32;
}

static unsigned int one_packet(struct hostile *h, struct kfd_sdma *q, uint32_t *w)
{
	struct fuzz_rng *r = &h->rng;
	uint64_t addr = pick_addr(h, q), other = pick_addr(h, q);
	unsigned int i, n;

	switch (fuzz_below(r, 16)) {
	case 0:
		n = pkt_copy(w, (void *)addr, (void *)other, 1 + fuzz_below(r, 0x3fffff));
		break;
	case 1:
		n = pkt_fill(w, (void *)addr, fuzz_next(r), 4 + fuzz_below(r, 0x3ffff0));
		break;
	case 2:
		n = pkt_fence(w, (void *)(addr & ~3ull), fuzz_next(r));
		break;
	case 3:
		n = pkt_trap(w, fuzz_once(r, 2) ? h->event.id : fuzz_next(r) & 0xfffffff);
		break;
	case 4:
		n = pkt_atomic_add(w, (void *)(addr & ~7ull), fuzz_next(r));
		/* Compare and swap that is repeated until it fits, and other operations. */
		if (fuzz_once(r, 2)) {
			w[0] = 10 | fuzz_below(r, 2) << 16 | fuzz_below(r, 128) << 25;
			w[5] = fuzz_next(r);
			w[7] = fuzz_below(r, 0x2000);
		}
		break;
	case 5:
		n = pkt_poll_mem(w, (void *)(addr & ~3ull), fuzz_once(r, 4) ? 0 : 0x5a5a5a5a, ~0u);
		if (!fuzz_once(r, 4))
			w[5] = fuzz_below(r, 64) | fuzz_below(r, 64) << 16;
		break;
	case 6:		/* indirect buffer, maybe the ring itself */
		w[0] = 4 | (fuzz_once(r, 4) ? fuzz_below(r, 16) << 16 : 0);
		set_addr(w + 1, (fuzz_once(r, 2) ? (uintptr_t)q->ring.cpu : addr) & ~31ull);
		w[3] = fuzz_below(r, fuzz_once(r, 4) ? 0x100000 : 256);
		set_addr(w + 4, fuzz_once(r, 4) ? addr & ~7ull : 0);
		n = 6;
		break;
	case 7:		/* privileged: registers, page tables */
		w[0] = fuzz_once(r, 2) ? 14 | 0xf0000000 : 12;
		for (i = 1; i < 10; i++)
			w[i] = fuzz_value(r);
		if (w[0] != 12)
			w[1] = pick_reg(r);
		n = w[0] == 12 ? 10 : 3;
		break;
	case 8:		/* condition: skip some */
		w[0] = 9;
		set_addr(w + 1, addr & ~3ull);
		w[3] = fuzz_below(r, 4);
		w[4] = fuzz_below(r, 4096);
		n = 5;
		break;
	case 9:
		n = pkt_timestamp(w, (void *)(addr & ~7ull));
		break;
	case 10:
		n = pkt_hdp_flush(w);
		break;
	case 11:	/* a write whose count does not fit what follows */
		n = 4 + fuzz_below(r, 16);
		pkt_write(w, (void *)(addr & ~3ull), w + 32, n - 4);
		if (fuzz_once(r, 2))
			w[3] = fuzz_below(r, 1u << 20);
		break;
	case 12:	/* a rectangle, maybe larger than the buffers */
		n = 13;
		w[0] = 1 | 4 << 8 | fuzz_below(r, 8) << 29;
		set_addr(w + 1, addr & ~3ull);
		set_addr(w + 6, other & ~3ull);
		for (i = 3; i < n; i++)
			if (i != 6 && i != 7)
				w[i] = fuzz_once(r, 8) ? fuzz_value(r) : fuzz_below(r, 64);
		break;
	case 13:	/* to two places */
		pkt_copy(w, (void *)addr, (void *)other, 1 + fuzz_below(r, 0x3fffff));
		w[0] = 1 | 1 << 27;
		set_addr(w + 7, pick_addr(h, q));
		n = 9;
		break;
	case 14:	/* semaphores and times, set too */
		w[0] = fuzz_once(r, 2) ? 7 | fuzz_below(r, 2) << 8 | fuzz_below(r, 4) << 29 :
					 13 | fuzz_below(r, 3) << 8;
		set_addr(w + 1, addr & ~7ull);
		n = 3;
		break;
	default:
		n = 1 + fuzz_below(r, 16);
		for (i = 0; i < n; i++)
			w[i] = fuzz_value(r);
		w[0] = fuzz_below(r, 20) | fuzz_below(r, 10) << 8 | (uint32_t)fuzz_value(r) << 16;
		break;
	}
	if (fuzz_once(r, 40))
		w[fuzz_below(r, n)] ^= 1u << fuzz_below(r, 32);
	return n;
}

static void fill_ring(struct hostile *h, struct kfd_sdma *q)
{
	unsigned int i, n = 1 + fuzz_below(&h->rng, 40);
	uint32_t w[128] = { 0 };

	for (i = 0; i < n; i++)
		kfd_sdma_put(q, w, one_packet(h, q, w));
	__atomic_fetch_add(&shared->words, q->wptr / 4, __ATOMIC_RELAXED);
}

static void ring_wrong(struct hostile *h, struct kfd_sdma *q)
{
	struct fuzz_rng *r = &h->rng;
	unsigned int i;

	for (i = 0; i < 8; i++) {
		volatile uint64_t *wptr = (uint64_t *)(q->ptrs.cpu + 8);

		if (fuzz_once(r, 2))
			*wptr = fuzz_once(r, 2) ? fuzz_value(r) : q->wptr + fuzz_below(r, 64);
		*q->doorbell = fuzz_once(r, 2) ? fuzz_value(r) : q->wptr - fuzz_below(r, 64);
		/* Slots of queues that do not exist. */
		if (fuzz_once(r, 4))
			((volatile uint64_t *)h->c.doorbells)[fuzz_below(r, 1024)] = fuzz_value(r);
	}
}

/* Something changes under the running queue. */
static void disturb(struct hostile *h, struct kfd_sdma *q)
{
	struct fuzz_rng *r = &h->rng;
	struct kfd_ioctl_update_queue_args u = {
		.ring_base_address = (uintptr_t)q->ring.cpu,
		.queue_id = q->id,
		.ring_size = fuzz_once(r, 2) ? RING : 4096,
		.queue_percentage = fuzz_once(r, 2) ? 100 : 0,
		.queue_priority = 7,
	};

	switch (fuzz_below(r, 7)) {
	case 0:
		madvise(q->ring.cpu, RING, MADV_DONTNEED);
		break;
	case 1:
		kfd_unmap(&h->c, q->ring.handle);
		kfd_map(&h->c, q->ring.handle);
		break;
	case 2:
		kfd_ioctl(h->c.fd, AMDKFD_IOC_UPDATE_QUEUE, &u);
		break;
	case 3:
		kfd_unmap(&h->c, h->vram.handle);
		kfd_map(&h->c, h->vram.handle);
		break;
	case 4:
		ring_wrong(h, q);
		break;
	case 5:
		madvise(q->ptrs.cpu, 4096, MADV_DONTNEED);
		break;
	default:
		usleep(fuzz_below(r, 3000));
		break;
	}
}

static int one_ring(struct hostile *h)
{
	struct kfd_ioctl_destroy_queue_args d;
	struct kfd_sdma q;
	uint64_t begin, ms, max;
	unsigned int i;
	int ret;

	ret = kfd_sdma_create_size(&h->c, &q, RING);
	if (ret)
		return ret == -ENOMEM ? 0 : ret;
	fill_ring(h, &q);
	kfd_sdma_ring(&q);
	for (i = fuzz_below(&h->rng, 4); i; i--)
		disturb(h, &q);
	d.queue_id = q.id;
	begin = fuzz_now_ms();
	ret = kfd_ioctl(h->c.fd, AMDKFD_IOC_DESTROY_QUEUE, &d);
	ms = fuzz_now_ms() - begin;
	if (ret)
		fault("DESTROY_QUEUE failed", ret, q.id);
	if (ms > DESTROY_MS)
		fault("DESTROY_QUEUE took long (ms)", ms, 0);
	max = __atomic_load_n(&shared->destroy_ms, __ATOMIC_RELAXED);
	if (ms > max)
		__atomic_store_n(&shared->destroy_ms, ms, __ATOMIC_RELAXED);
	/* Its memory is ours alone from here on. */
	memset(q.ring.cpu, 0xa5, RING);
	memset(q.ptrs.cpu, 0xa5, 4096);
	usleep(100);
	for (i = 0; i < RING; i++)
		if (q.ring.cpu[i] != 0xa5 || (i < 4096 && q.ptrs.cpu[i] != 0xa5)) {
			fault("written after DESTROY_QUEUE", i, 0);
			break;
		}
	kfd_bo_free(&h->c, &q.ptrs);
	kfd_bo_free(&h->c, &q.ring);
	__atomic_fetch_add(&shared->rings, 1, __ATOMIC_RELAXED);
	return 0;
}

static void hostile_main(uint64_t seed)
{
	struct hostile h = { 0 };
	unsigned int i;
	int ret;

	fuzz_seed(&h.rng, seed);
	ret = kfd_client_init(&h.c, 0) ?: kfd_bo_user(&h.c, DATA, &h.user) ?:
	      kfd_bo_vram(&h.c, DATA, &h.vram) ?: kfd_bo_gtt(&h.c, DATA, &h.gtt) ?:
	      kfd_event_create(&h.c, &h.event);
	if (ret)
		fault("a hostile process cannot begin", ret, 0);
	for (i = 0; !ret && i < 50; i++)
		ret = one_ring(&h);
	if (ret)
		fault("a hostile process cannot go on", ret, i);
	/* Half of them leave a queue running. */
	if (seed & 1) {
		struct kfd_sdma q;

		if (!kfd_sdma_create_size(&h.c, &q, RING)) {
			fill_ring(&h, &q);
			kfd_sdma_ring(&q);
		}
	}
	_exit(0);
}

int main(int argc, char **argv)
{
	struct fuzz_crew crew = { .seed = time(NULL), .seconds = 10, .processes = 2,
				  .kill_once = 200, .run = hostile_main };
	unsigned int test = 0;
	char before[4096];
	pid_t neighbour;
	bool settled;
	int opt;

	while ((opt = getopt(argc, argv, "s:t:p:")) != -1)
		if (!fuzz_crew_option(&crew, opt, optarg))
			return FUZZ_BROKEN;
	shared = fuzz_share(sizeof(*shared));
	if (!shared || kfd_counts_read(before, sizeof(before)))
		return FUZZ_BROKEN;
	printf("# ring_fuzz -s %llu -t %u -p %u\n", (unsigned long long)crew.seed, crew.seconds,
	       crew.processes);
	shared->last_job = fuzz_now_ms();
	neighbour = fuzz_start(neighbour_main, 0);
	crew.found = &shared->faults;
	fuzz_crew_run(&crew);
	if (fuzz_now_ms() - shared->last_job > JOB_MS)
		fault("the neighbour stands still (ms)", fuzz_now_ms() - shared->last_job, 0);
	crew.stuck |= !fuzz_kill(neighbour);
	fuzz_crew_rate(&crew, "rings", shared->rings);
	printf("# %llu words, %llu jobs of the neighbour, longest destroy %llu ms\n",
	       (unsigned long long)shared->words, (unsigned long long)shared->jobs,
	       (unsigned long long)shared->destroy_ms);
	settled = !kfd_counts_settle(before);
	if (!settled && !shared->faults)
		strcpy(shared->what, "counts are not back");
	fuzz_crew_report(&crew, settled && !shared->faults ? NULL : shared->what);
	printf("%sok %u - every process ends\n", crew.stuck ? "not " : "", ++test);
	printf("%sok %u - the neighbour stays right, queues end in time\n",
	       shared->faults ? "not " : "", ++test);
	printf("%sok %u - counts are back\n", settled ? "" : "not ", ++test);
	printf("%sok %u - rings ran, and jobs of the neighbour\n",
	       shared->rings && shared->jobs ? "" : "not ", ++test);
	printf("1..%u\n", test);
	if (crew.stuck || shared->faults || !settled)
		return FUZZ_FOUND;
	return shared->rings && shared->jobs ? FUZZ_CLEAN : FUZZ_BROKEN;
}
