// SPDX-License-Identifier: GPL-2.0-only
/*
 * More user queues than hardware slots and more processes than VMIDs (S0.36, S0.61; B038):
 * all get on, nothing is lost and nothing runs twice, shares are fair and follow
 * priorities, queues that wait or do nothing cost the others little and nobody anything.
 * Shares are read from the driver's debugfs, in bytes; no verdict is by a clock.
 *
 * vm: timeout=900
 */
#include "kfd_harness.h"

#include <glob.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define KIB		1024u
#define CREW		32	/* processes; eight VMIDs */
#define EACH		2	/* queues of one; 64 on four slots */
#define COPY_BYTES	(256 * KIB)
#define LOT		8	/* queues of one process; vega10 has doorbells for no more */
#define MAX_ROWS	256
#define PAGE		4096

/* ---- what the driver says ---- */

/**
 * struct row - a line of "sched"
 */
struct row {
	int pid;
	unsigned int id, instance, priority;
	unsigned long long loads, turns, bytes, share;
	char state[64];
};

static FILE *debug_open(const char *name)
{
	char path[128];
	FILE *f = NULL;
	glob_t g;

	snprintf(path, sizeof(path), "/sys/kernel/debug/carillon/*:*:*/%s", name);
	if (!glob(path, 0, NULL, &g))
		f = fopen(g.gl_pathv[0], "re");
	globfree(&g);
	return f;
}

/* All rows; the number of them, -1 without the file. */
static int sched_rows(struct row *rows)
{
	FILE *f = debug_open("sched");
	char line[256];
	int n = 0;

	if (!f)
		return -1;
	while (n < MAX_ROWS && fgets(line, sizeof(line), f)) {
		struct row *r = &rows[n];

		n += sscanf(line, "%d %u %u %u %llu %llu %llu %llu %63s", &r->pid, &r->id,
			    &r->instance, &r->priority, &r->loads, &r->turns, &r->bytes, &r->share,
			    r->state) == 9;
	}
	fclose(f);
	return n;
}

/* Rounds that the scheduler has run, and queues that wait. */
static int sched_rounds(unsigned long long *rounds, unsigned int *waiting)
{
	FILE *f = debug_open("sched");
	int n = 0;

	if (!f)
		return -1;
	n = fscanf(f, "gpu_id %*u rounds %llu waiting %u", rounds, waiting);
	fclose(f);
	return n == 2 ? 0 : -1;
}

static const struct row *row_of(const struct row *rows, int n, int pid, unsigned int id)
{
	int i;

	for (i = 0; i < n; i++)
		if (rows[i].pid == pid && rows[i].id == id)
			return &rows[i];
	return NULL;
}

/* ---- a crew of processes ---- */

/**
 * struct crew - shared memory of the processes of a test
 * @ready: those that have set up what they need
 * @go: a pipe whose end they wait for: they may begin. Nobody polls; the engines need the CPU
 * @line: of the first thing that went wrong in one, 0 if nothing did
 * @pid: by number
 */
struct crew {
	unsigned int ready, line;
	int go[2];
	pid_t pid[CREW];
};

FIXTURE(crew) {
	struct crew *crew;
	unsigned int slots;
};

FIXTURE_SETUP(crew)
{
	struct kfd_client c;

	if (!kfd_baseline[0])
		SKIP(return, "no debugfs counts");
	ASSERT_EQ(0, kfd_client_open(&c, 0));
	self->slots = c.sdma_engines * c.sdma_queues;
	kfd_client_close(&c);
	self->crew = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)self->crew);
	ASSERT_EQ(0, pipe(self->crew->go));
}

static void crew_kill(struct crew *crew)
{
	unsigned int i;

	for (i = 0; i < CREW; i++) {
		if (crew->pid[i] <= 0)
			continue;
		kill(crew->pid[i], SIGKILL);
		waitpid(crew->pid[i], NULL, 0);
		crew->pid[i] = 0;
	}
}

FIXTURE_TEARDOWN(crew)
{
	crew_kill(self->crew);
}

static unsigned int load(const unsigned int *p)
{
	return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

static void failed_at(struct crew *crew, unsigned int line)
{
	unsigned int none = 0;

	__atomic_compare_exchange_n(&crew->line, &none, line, false, __ATOMIC_ACQ_REL,
				    __ATOMIC_ACQUIRE);
	_exit(1);
}

/* In a process of the crew. */
#define MUST(crew, cond) do {				\
	if (!(cond))					\
		failed_at(crew, __LINE__);		\
} while (0)

static void crew_ready(struct crew *crew)
{
	char byte;

	__atomic_add_fetch(&crew->ready, 1, __ATOMIC_ACQ_REL);
	MUST(crew, read(crew->go[0], &byte, 1) == 0);
}

static void crew_go(struct crew *crew)
{
	close(crew->go[1]);
}

static void crew_start(struct crew *crew, unsigned int n,
		       void (*work)(struct crew *crew, unsigned int number))
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		pid_t pid = fork();

		if (!pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			close(crew->go[1]);
			work(crew, i);
			_exit(0);
		}
		crew->pid[i] = pid;
	}
}

/* Until @n have said that they are ready; false if one failed or time is up. */
static bool crew_wait(struct crew *crew, unsigned int n)
{
	unsigned int ms;

	for (ms = 0; ms < 3 * KFD_TIMEOUT_MS && load(&crew->ready) < n && !load(&crew->line);
	     ms += 50)
		usleep(50000);
	return load(&crew->ready) >= n && !load(&crew->line);
}

/* All of them end by themselves, and well. */
static bool crew_join(struct crew *crew)
{
	bool good = true;
	unsigned int i;

	for (i = 0; i < CREW; i++) {
		int status = -1;

		if (crew->pid[i] <= 0)
			continue;
		waitpid(crew->pid[i], &status, 0);
		crew->pid[i] = 0;
		good &= !status;
	}
	return good && !load(&crew->line);
}

/* ---- queues of one process ---- */

struct job {
	struct kfd_sdma q;
	struct kfd_event e;
};

static int job_init(struct kfd_client *c, struct job *j, uint32_t ring)
{
	int r = kfd_event_create(c, &j->e);

	return r ? r : kfd_sdma_create_size(c, &j->q, ring);
}

static int job_wait(struct kfd_client *c, struct job *j)
{
	uint32_t result = ~0u;
	int r = kfd_event_wait(c, &j->e, 2 * KFD_TIMEOUT_MS, &result);

	return r ? r : result != KFD_IOC_WAIT_RESULT_COMPLETE ? -ETIMEDOUT : 0;
}

static int update(struct kfd_sdma *q, uint64_t base, unsigned int percent, unsigned int priority)
{
	struct kfd_ioctl_update_queue_args u = {
		.ring_base_address = base, .queue_id = q->id, .ring_size = q->ring.size,
		.queue_percentage = percent, .queue_priority = priority,
	};

	return kfd_ioctl(q->c->fd, AMDKFD_IOC_UPDATE_QUEUE, &u);
}

static void put_count(struct kfd_sdma *q, void *cell)
{
	uint32_t w[8];

	kfd_sdma_put(q, w, pkt_atomic_add(w, cell, 1));
}

/* Copies inside of a buffer as many as the ring takes. */
static void fill_ring(struct kfd_sdma *q, struct kfd_bo *bo)
{
	unsigned int n = q->ring.size / 28 - 2, i;
	uint32_t w[8];

	for (i = 0; i < n; i++)
		kfd_sdma_put(q, w, pkt_copy(w, bo->cpu + COPY_BYTES, bo->cpu, COPY_BYTES));
}

/* ---- all get on ---- */

#define ROUNDS	12

/*
 * Each queue adds to its counter and copies what the round is about, each time after it was
 * idle or not: a packet that is lost, or run twice, or run on another's page table shows.
 */
static void works_in_rounds(struct crew *crew, unsigned int number)
{
	struct job j[EACH];
	struct kfd_client c;
	struct kfd_bo m;
	unsigned int i, k, round;
	uint32_t w[8];
	uint64_t *count;

	MUST(crew, !kfd_client_init(&c, 0) && !kfd_bo_gtt(&c, 16 * PAGE, &m));
	for (i = 0; i < EACH; i++)
		MUST(crew, !job_init(&c, &j[i], 16 * KIB));
	crew_ready(crew);
	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < EACH; i++) {
			uint8_t *src = m.cpu + (4 * i + 1) * PAGE;

			memset(src, number * ROUNDS + round + i, PAGE);
			/* More than one doorbell a job, and a piece of work of its own length. */
			for (k = 0; k <= number % 4; k++) {
				put_count(&j[i].q, m.cpu + i * 64);
				kfd_sdma_put(&j[i].q, w, pkt_copy(w, src + PAGE, src, PAGE));
				kfd_sdma_ring(&j[i].q);
			}
			kfd_sdma_signal(&j[i].q, &j[i].e);
			kfd_sdma_ring(&j[i].q);
		}
		for (i = 0; i < EACH; i++) {
			uint8_t *dst = m.cpu + (4 * i + 2) * PAGE;

			MUST(crew, !job_wait(&c, &j[i]));
			MUST(crew, kfd_all_bytes(dst, PAGE, number * ROUNDS + round + i));
			count = (uint64_t *)(m.cpu + i * 64);
			MUST(crew, *count == (round + 1) * (number % 4 + 1));
		}
		usleep(number % 3 * 3000);
	}
	for (i = 0; i < EACH; i++)
		MUST(crew, !kfd_sdma_destroy(&j[i].q));
	kfd_client_close(&c);
}

/* B038: 32 processes and 64 queues where there are 8 VMIDs and 4 slots. */
TEST_F_TIMEOUT(crew, b038_all_get_on, 900)
{
	unsigned long long before, after;
	unsigned int waiting;

	crew_start(self->crew, CREW, works_in_rounds);
	ASSERT_TRUE(crew_wait(self->crew, CREW)) TH_LOG("line %u", self->crew->line);
	EXPECT_EQ(CREW * EACH, kfd_count("queues"));
	EXPECT_GE(self->slots, kfd_count("hw_slots"));
	ASSERT_EQ(0, sched_rounds(&before, &waiting));
	crew_go(self->crew);
	EXPECT_TRUE(crew_join(self->crew)) TH_LOG("line %u", self->crew->line);
	ASSERT_EQ(0, sched_rounds(&after, &waiting));
	EXPECT_LT(before, after);
}

/* ---- shares ---- */

static void works_all_the_time(struct crew *crew, unsigned int number)
{
	struct kfd_sdma q[EACH];
	struct kfd_client c;
	struct kfd_bo m;
	unsigned int i;

	MUST(crew, !kfd_client_init(&c, 0) && !kfd_bo_vram(&c, 2 * COPY_BYTES, &m));
	for (i = 0; i < EACH; i++) {
		MUST(crew, !kfd_sdma_create_size(&c, &q[i], 256 * KIB));
		fill_ring(&q[i], &m);
	}
	crew_ready(crew);
	for (i = 0; i < EACH; i++)
		kfd_sdma_ring(&q[i]);
	for (;;)
		pause();
}

/* Until each queue of @old was loaded @turns times more; the rows then, 0 if time is up. */
static int rows_after_turns(const struct row *old, int n, unsigned int turns, struct row *now)
{
	unsigned int ms;
	int i, m;

	for (ms = 0; ms < 4 * KFD_TIMEOUT_MS; ms += 100) {
		usleep(100000);
		m = sched_rows(now);
		for (i = 0; i < n; i++) {
			const struct row *r = row_of(now, m, old[i].pid, old[i].id);

			if (!r || r->loads < old[i].loads + turns)
				break;
		}
		if (i == n)
			return m;
	}
	return 0;
}

/* 64 queues that always have work: of those of one engine none gets twice what another gets. */
TEST_F_TIMEOUT(crew, fair_shares, 900)
{
	static struct row old[MAX_ROWS], now[MAX_ROWS];
	unsigned long long least[8], most[8], bytes;
	int n, m, i;

	crew_start(self->crew, CREW, works_all_the_time);
	ASSERT_TRUE(crew_wait(self->crew, CREW)) TH_LOG("line %u", self->crew->line);
	crew_go(self->crew);
	n = sched_rows(old);
	ASSERT_EQ(CREW * EACH, n);
	/* All of them at work, then twelve turns of each at least. */
	n = rows_after_turns(old, n, 2, now);
	ASSERT_EQ(CREW * EACH, n);
	memcpy(old, now, sizeof(old));
	m = rows_after_turns(old, n, 12, now);
	ASSERT_EQ(CREW * EACH, m);
	crew_kill(self->crew);
	memset(least, 0xff, sizeof(least));
	memset(most, 0, sizeof(most));
	for (i = 0; i < n; i++) {
		const struct row *r = row_of(now, m, old[i].pid, old[i].id);
		unsigned int e = r->instance;

		ASSERT_GT(8, e);
		bytes = r->bytes - old[i].bytes;
		least[e] = bytes < least[e] ? bytes : least[e];
		most[e] = bytes > most[e] ? bytes : most[e];
	}
	for (i = 0; i < 8; i++) {
		if (!most[i])
			continue;
		TH_LOG("engine %d: %llu to %llu KiB", i, least[i] >> 10, most[i] >> 10);
		EXPECT_LT(0, least[i]);
		EXPECT_GT(2 * least[i], most[i]);
	}
}

/* Priority 15 gets more than priority 0, which is not starved; UPDATE_QUEUE changes it. */
TEST_F_TIMEOUT(kfd, priorities, 600)
{
	static struct row old[MAX_ROWS], now[MAX_ROWS];
	unsigned long long high[2] = { }, low[2] = { };
	struct kfd_sdma q[LOT];
	struct kfd_bo m;
	int n, k, i;

	ASSERT_EQ(0, kfd_bo_vram(&self->c, 2 * COPY_BYTES, &m));
	for (i = 0; i < LOT; i++) {
		ASSERT_EQ(0, kfd_sdma_create_size(&self->c, &q[i], KFD_RING_SIZE));
		ASSERT_EQ(0, update(&q[i], (uintptr_t)q[i].ring.cpu, 100, i / 2 % 2 ? 0 : 15));
		fill_ring(&q[i], &m);
	}
	n = sched_rows(old);
	ASSERT_EQ(LOT, n);
	for (i = 0; i < LOT; i++)
		kfd_sdma_ring(&q[i]);
	n = rows_after_turns(old, n, 2, now);
	ASSERT_EQ(LOT, n);
	memcpy(old, now, sizeof(old));
	k = rows_after_turns(old, n, 3, now);
	ASSERT_EQ(LOT, k);
	for (i = 0; i < n; i++) {
		const struct row *r = row_of(now, k, old[i].pid, old[i].id);

		ASSERT_GT(2, r->instance);
		*(r->priority ? &high[r->instance] : &low[r->instance]) += r->bytes - old[i].bytes;
	}
	for (i = 0; i < 2; i++) {
		TH_LOG("engine %d: %llu KiB against %llu", i, high[i] >> 10, low[i] >> 10);
		EXPECT_LT(0, low[i]);
		/* Sixteen times by weight; turns are coarse. */
		EXPECT_LT(4 * low[i], high[i]);
		EXPECT_GT(64 * low[i], high[i]);
	}
	for (i = 0; i < LOT; i++)
		EXPECT_EQ(0, kfd_sdma_destroy(&q[i]));
}

/*
 * Queues that wait for something in memory, more than there are slots, and what they wait for
 * comes from one that was made last.
 */
TEST_F_TIMEOUT(kfd, waiting_queues_give_way, 300)
{
	struct job worker, j[LOT - 1];
	struct kfd_bo m;
	uint32_t w[8];
	unsigned int i, round;

	ASSERT_EQ(0, kfd_bo_gtt(&self->c, 4 * PAGE, &m));
	for (i = 0; i < ARRAY_SIZE(j); i++) {
		ASSERT_EQ(0, job_init(&self->c, &j[i], 16 * KIB));
		put_count(&j[i].q, m.cpu + 64 * i);
		kfd_sdma_put(&j[i].q, w, pkt_poll_mem(w, m.cpu + PAGE, 7, ~0u));
		put_count(&j[i].q, m.cpu + 64 * i);
		kfd_sdma_signal(&j[i].q, &j[i].e);
		kfd_sdma_ring(&j[i].q);
	}
	ASSERT_EQ(0, job_init(&self->c, &worker, 16 * KIB));
	for (round = 1; round <= 20; round++) {
		memset(m.cpu + 2 * PAGE, round, PAGE);
		ASSERT_EQ(0, kfd_sdma_copy_wait(&worker.q, &worker.e, m.cpu + 3 * PAGE,
						m.cpu + 2 * PAGE, PAGE));
		EXPECT_TRUE(kfd_all_bytes(m.cpu + 3 * PAGE, PAGE, round));
	}
	kfd_sdma_put(&worker.q, w, pkt_fence(w, m.cpu + PAGE, 7));
	kfd_sdma_ring(&worker.q);
	for (i = 0; i < ARRAY_SIZE(j); i++) {
		ASSERT_EQ(0, job_wait(&self->c, &j[i])) TH_LOG("queue %u", i);
		EXPECT_EQ(2, *(volatile uint64_t *)(m.cpu + 64 * i));
	}
}

/* ---- stops, faults and ends ---- */

/* Percentage 0 and no ring under over-subscription: it stands still, the others do not. */
TEST_F_TIMEOUT(kfd, suspended_among_many, 300)
{
	struct kfd_sdma busy[LOT - 1];
	struct kfd_bo m, n;
	struct job j;
	unsigned int i, round;
	volatile uint64_t *count;

	ASSERT_EQ(0, kfd_bo_vram(&self->c, 2 * COPY_BYTES, &m));
	ASSERT_EQ(0, kfd_bo_gtt(&self->c, PAGE, &n));
	count = (volatile uint64_t *)n.cpu;
	ASSERT_EQ(0, job_init(&self->c, &j, 16 * KIB));
	for (i = 0; i < LOT - 1; i++) {
		ASSERT_EQ(0, kfd_sdma_create_size(&self->c, &busy[i], 256 * KIB));
		fill_ring(&busy[i], &m);
		kfd_sdma_ring(&busy[i]);
	}
	for (round = 0; round < 6; round++) {
		uint64_t base = (uintptr_t)j.q.ring.cpu, rptr = kfd_sdma_rptr(&busy[round]);

		/* In its slot, on its way there, or parked: whatever it is now. */
		ASSERT_EQ(0, update(&j.q, round & 1 ? 0 : base, round & 1 ? 100 : 0, 7));
		put_count(&j.q, n.cpu);
		kfd_sdma_signal(&j.q, &j.e);
		kfd_sdma_ring(&j.q);
		for (i = 0; kfd_sdma_rptr(&busy[round]) == rptr && i < KFD_TIMEOUT_MS; i++)
			usleep(1000);
		EXPECT_NE(rptr, kfd_sdma_rptr(&busy[round]));
		EXPECT_EQ(round, *count);
		ASSERT_EQ(0, update(&j.q, base, 100, 7));
		ASSERT_EQ(0, job_wait(&self->c, &j));
		EXPECT_EQ(round + 1, *count);
	}
	for (i = 0; i < LOT - 1; i++)
		EXPECT_EQ(0, kfd_sdma_destroy(&busy[i]));
}

/* A queue of one process among many runs into a bad packet, many times over. */
static void works_or_faults(struct crew *crew, unsigned int number)
{
	struct kfd_event fault;
	struct kfd_client c;
	uint32_t result, bad = 0xff;
	struct job j[EACH];
	struct kfd_bo m;
	unsigned int i, round;

	MUST(crew, !kfd_client_init(&c, 0) && !kfd_bo_gtt(&c, PAGE, &m));
	MUST(crew, !kfd_event_create_type(&c, KFD_IOC_EVENT_MEMORY, true, &fault));
	for (i = 0; i < EACH; i++)
		MUST(crew, !job_init(&c, &j[i], 16 * KIB));
	crew_ready(crew);
	if (number % 4 == 3) {
		kfd_sdma_put(&j[0].q, &bad, 1);
		kfd_sdma_ring(&j[0].q);
		MUST(crew, !kfd_event_wait(&c, &fault, KFD_TIMEOUT_MS, &result) && !result);
	}
	for (round = 0; round < 20; round++) {
		for (i = number % 4 == 3; i < EACH; i++) {
			put_count(&j[i].q, m.cpu + 64 * i);
			kfd_sdma_signal(&j[i].q, &j[i].e);
			kfd_sdma_ring(&j[i].q);
			MUST(crew, !job_wait(&c, &j[i]));
		}
	}
	if (number % 4 != 3)
		MUST(crew, !kfd_event_wait(&c, &fault, 0, &result) && result == 1);
	for (i = number % 4 == 3; i < EACH; i++)
		MUST(crew, *(uint64_t *)(m.cpu + 64 * i) == 20);
}

/* Slots and VMIDs change hands, and still who faulted is told of it and nobody else. */
TEST_F_TIMEOUT(crew, faults_find_their_process, 600)
{
	crew_start(self->crew, 16, works_or_faults);
	ASSERT_TRUE(crew_wait(self->crew, 16)) TH_LOG("line %u", self->crew->line);
	crew_go(self->crew);
	EXPECT_TRUE(crew_join(self->crew)) TH_LOG("line %u", self->crew->line);
}

/* Half of the processes are killed in the middle of their slices; the others go on. */
TEST_F_TIMEOUT(crew, killed_in_their_slices, 600)
{
	static struct row old[MAX_ROWS], now[MAX_ROWS];
	unsigned int i, ms;
	int n;

	crew_start(self->crew, 16, works_all_the_time);
	ASSERT_TRUE(crew_wait(self->crew, 16)) TH_LOG("line %u", self->crew->line);
	crew_go(self->crew);
	n = sched_rows(old);
	ASSERT_EQ(16 * EACH, n);
	ASSERT_LT(0, rows_after_turns(old, n, 1, now));
	for (i = 0; i < 16; i += 2) {
		usleep(i * 3000);
		kill(self->crew->pid[i], SIGKILL);
		waitpid(self->crew->pid[i], NULL, 0);
		self->crew->pid[i] = 0;
	}
	for (ms = 0; kfd_count("queues") > 8 * EACH && ms < KFD_TIMEOUT_MS; ms += 10)
		usleep(10000);
	n = sched_rows(old);
	EXPECT_EQ(8 * EACH, n);
	EXPECT_EQ(n, rows_after_turns(old, n, 2, now));
}

/* ---- idle queues ---- */

/* Many queues that have nothing to do: nobody looks at them, and each hears its doorbell. */
TEST_F_TIMEOUT(kfd, idle_costs_nothing, 300)
{
	unsigned long long before = 0, after = 0;
	unsigned int i, k, waiting = 1, slots = self->c.sdma_engines * self->c.sdma_queues;
	struct job j[LOT];
	struct kfd_bo m;

	ASSERT_EQ(0, kfd_bo_gtt(&self->c, PAGE, &m));
	for (i = 0; i < ARRAY_SIZE(j); i++) {
		ASSERT_EQ(0, job_init(&self->c, &j[i], 16 * KIB));
		put_count(&j[i].q, m.cpu);
		kfd_sdma_signal(&j[i].q, &j[i].e);
		kfd_sdma_ring(&j[i].q);
	}
	for (i = 0; i < ARRAY_SIZE(j); i++)
		ASSERT_EQ(0, job_wait(&self->c, &j[i]));
	/* The kernel may move pages of the rings, for which all queues stop and begin anew. */
	for (k = 0; k < 20; k++) {
		ASSERT_EQ(0, sched_rounds(&before, &waiting));
		usleep(500000);
		ASSERT_EQ(0, sched_rounds(&after, &waiting));
		if (before == after && !waiting)
			break;
	}
	EXPECT_EQ(0, waiting);
	EXPECT_EQ(before, after);
	for (i = 0; kfd_count("hw_slots") != slots && i < KFD_TIMEOUT_MS; i += 10)
		usleep(10000);
	EXPECT_EQ(slots, kfd_count("hw_slots"));
	/* To and fro, so that each is rung while it is parked and while its page is open. */
	for (k = 0; k < 4; k++) {
		for (i = 0; i < ARRAY_SIZE(j); i++) {
			struct job *one = &j[k & 1 ? ARRAY_SIZE(j) - 1 - i : i];

			put_count(&one->q, m.cpu);
			kfd_sdma_signal(&one->q, &one->e);
			kfd_sdma_ring(&one->q);
			ASSERT_EQ(0, job_wait(&self->c, one)) TH_LOG("round %u queue %u", k, i);
		}
	}
	EXPECT_EQ(5 * ARRAY_SIZE(j), *(volatile uint64_t *)m.cpu);
}

/* Where there is a slot for each queue the scheduler never runs. */
TEST_F_TIMEOUT(kfd, room_for_all_costs_nothing, 120)
{
	unsigned int i, k, n = self->c.sdma_engines * self->c.sdma_queues, waiting;
	unsigned long long before, after;
	struct job j[16];
	struct kfd_bo m;

	ASSERT_GE(ARRAY_SIZE(j), n);
	ASSERT_EQ(0, kfd_bo_gtt(&self->c, PAGE, &m));
	ASSERT_EQ(0, sched_rounds(&before, &waiting));
	for (i = 0; i < n; i++)
		ASSERT_EQ(0, job_init(&self->c, &j[i], 16 * KIB));
	for (k = 0; k < 10; k++) {
		for (i = 0; i < n; i++) {
			put_count(&j[i].q, m.cpu);
			kfd_sdma_signal(&j[i].q, &j[i].e);
			kfd_sdma_ring(&j[i].q);
		}
		for (i = 0; i < n; i++)
			ASSERT_EQ(0, job_wait(&self->c, &j[i]));
	}
	ASSERT_EQ(0, sched_rounds(&after, &waiting));
	EXPECT_EQ(before, after);
}

/* What still ends: doorbells of one process on an engine, and its queue ids. */
TEST_F_TIMEOUT(kfd, doorbells_run_out, 300)
{
	static struct kfd_sdma q[128];
	unsigned int n;
	int r = 0;

	for (n = 0; n < 128; n++) {
		r = kfd_sdma_create_size(&self->c, &q[n], PAGE);
		if (r)
			break;
	}
	EXPECT_EQ(-ENOMEM, r);
	EXPECT_EQ(LOT, n);
	while (n--)
		ASSERT_EQ(0, kfd_sdma_destroy(&q[n]));
	ASSERT_EQ(0, kfd_sdma_create(&self->c, &q[0]));
	EXPECT_EQ(0, kfd_sdma_destroy(&q[0]));
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
