// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: bench, the figures of the user-visible path
 *
 *   bench copy      16 MiB through a user SDMA queue against the CPU's best plain
 *                   copy loop, in turn; ratio of speeds
 *   bench doorbell  doorbell store to return of WAIT_EVENTS, hot and cold
 *   bench idle      CPU time of the model's threads over 5 s with a queue open
 *
 * Prints "name value unit" lines.  Medians of interleaved rounds, because the
 * machines are shared: compare figures of one run with each other.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "kfd_client.h"

#define MIB		(1ul << 20)
#define COPY_SIZE	(16 * MIB)
#define COPY_ROUNDS	25
/* Pages copied to each other then use different slots of an emulator's direct-mapped TLB. */
#define APART		(77ul * 4096)
#define BELL_ROUNDS	400
#define COLD_ROUNDS	60
#define COLD_IDLE_US	100000

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* Word @i of eight; nothing moves across. */
#define ONE_WORD(i) do {				\
	d[i] = s[i];					\
	__asm__ volatile("" ::: "memory");		\
} while (0)

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static uint64_t percentile(uint64_t *v, unsigned int n, unsigned int p)
{
	qsort(v, n, sizeof(*v), by_value);
	return v[(uint64_t)(n - 1) * p / 100];
}

static void die(const char *what, int r)
{
	fprintf(stderr, "bench: %s: %s\n", what, strerror(-r));
	exit(1);
}

static void must(const char *what, int r)
{
	if (r)
		die(what, r);
}

/*
 * Each word goes to memory before the next is loaded.  Software emulation runs this
 * fastest where source and destination do not compete for its TLB, see APART.
 */
static void copy_words(void *dst, const void *src, size_t n)
{
	const uint64_t *s = src, *end = s + n / 8;
	uint64_t *d = dst;

	for (; s != end; s += 8, d += 8) {
		ONE_WORD(0);
		ONE_WORD(1);
		ONE_WORD(2);
		ONE_WORD(3);
		ONE_WORD(4);
		ONE_WORD(5);
		ONE_WORD(6);
		ONE_WORD(7);
	}
}

/* Eight loads, then eight stores. */
static void copy_eights(void *dst, const void *src, size_t n)
{
	uint64_t *d = dst;
	const uint64_t *s = src;
	size_t i;

	for (i = 0; i < n / 8; i += 8) {
		uint64_t a = s[i], b = s[i + 1], c = s[i + 2], e = s[i + 3];
		uint64_t f = s[i + 4], g = s[i + 5], h = s[i + 6], k = s[i + 7];

		d[i] = a;
		d[i + 1] = b;
		d[i + 2] = c;
		d[i + 3] = e;
		d[i + 4] = f;
		d[i + 5] = g;
		d[i + 6] = h;
		d[i + 7] = k;
		__asm__ volatile("" ::: "memory");
	}
}

static void copy_libc(void *dst, const void *src, size_t n)
{
	memcpy(dst, src, n);
	__asm__ volatile("" ::: "memory");
}

static const struct copy_loop {
	const char *name;
	void (*copy)(void *dst, const void *src, size_t n);
} loops[] = {
	{ "words", copy_words },
	{ "eights", copy_eights },
	{ "memcpy", copy_libc },
};

#define NUM_LOOPS	(sizeof(loops) / sizeof(loops[0]))

static double mib_per_s(uint64_t ns)
{
	return COPY_SIZE / (double)MIB * 1e9 / ns;
}

/* Times of the engine and of each CPU loop, in turn. */
static void time_copies(struct kfd_sdma *q, const struct kfd_event *e, void *vram, void *dst,
			const void *src, uint64_t *sdma, uint64_t (*cpu)[COPY_ROUNDS])
{
	unsigned int i, n;
	uint64_t t;

	must("copy", kfd_sdma_copy_wait(q, e, vram, src, COPY_SIZE));
	for (i = 0; i < COPY_ROUNDS; i++) {
		t = now_ns();
		must("copy", kfd_sdma_copy_wait(q, e, vram, src, COPY_SIZE));
		sdma[i] = now_ns() - t;
		for (n = 0; n < NUM_LOOPS; n++) {
			t = now_ns();
			loops[n].copy(dst, src, COPY_SIZE);
			cpu[n][i] = now_ns() - t;
		}
	}
}

static void bench_copy(struct kfd_client *c)
{
	uint64_t sdma[COPY_ROUNDS], cpu[NUM_LOOPS][COPY_ROUNDS], best = ~0ull;
	struct kfd_bo a, b, v;
	struct kfd_event e;
	struct kfd_sdma q;
	unsigned int n;

	must("host buffer", kfd_bo_user(c, COPY_SIZE, &a));
	must("host buffer", kfd_bo_user(c, COPY_SIZE + APART, &b));
	must("VRAM buffer", kfd_bo_vram(c, COPY_SIZE, &v));
	must("queue", kfd_sdma_create(c, &q));
	must("event", kfd_event_create(c, &e));
	memset(a.cpu, 1, COPY_SIZE);
	memset(b.cpu, 2, COPY_SIZE + APART);
	time_copies(&q, &e, v.cpu, b.cpu + APART, a.cpu, sdma, cpu);
	printf("copy_sdma %.0f MiB/s\n", mib_per_s(percentile(sdma, COPY_ROUNDS, 50)));
	for (n = 0; n < NUM_LOOPS; n++) {
		uint64_t mid = percentile(cpu[n], COPY_ROUNDS, 50);

		printf("copy_cpu_%s %.0f MiB/s\n", loops[n].name, mib_per_s(mid));
		if (mid < best)
			best = mid;
	}
	printf("copy_ratio %.2f sdma/best-cpu\n",
	       (double)best / percentile(sdma, COPY_ROUNDS, 50));
}

static uint64_t one_bell(struct kfd_sdma *q, const struct kfd_event *e)
{
	uint32_t result;
	uint64_t t;

	kfd_sdma_signal(q, e);
	t = now_ns();
	kfd_sdma_ring(q);
	must("wait", kfd_event_wait(q->c, e, KFD_TIMEOUT_MS, &result));
	if (result)
		die("wait", -110);
	return now_ns() - t;
}

static void bench_doorbell(struct kfd_client *c)
{
	uint64_t t[BELL_ROUNDS];
	struct kfd_event e;
	struct kfd_sdma q;
	unsigned int i;

	must("queue", kfd_sdma_create(c, &q));
	must("event", kfd_event_create(c, &e));
	for (i = 0; i < 20; i++)
		one_bell(&q, &e);
	for (i = 0; i < BELL_ROUNDS; i++)
		t[i] = one_bell(&q, &e);
	printf("doorbell_hot_p50 %.1f us\n", percentile(t, BELL_ROUNDS, 50) / 1e3);
	printf("doorbell_hot_p99 %.1f us\n", percentile(t, BELL_ROUNDS, 99) / 1e3);
	for (i = 0; i < COLD_ROUNDS; i++) {
		usleep(COLD_IDLE_US);
		t[i] = one_bell(&q, &e);
	}
	printf("doorbell_cold_p50 %.1f us\n", percentile(t, COLD_ROUNDS, 50) / 1e3);
	printf("doorbell_cold_p99 %.1f us\n", percentile(t, COLD_ROUNDS, 99) / 1e3);
}

/* CPU time in ns of all kernel threads of the model, by /proc/PID/schedstat. */
static uint64_t model_cpu_ns(unsigned int *threads)
{
	struct dirent *d;
	uint64_t sum = 0;
	DIR *proc = opendir("/proc");

	*threads = 0;
	while (proc && (d = readdir(proc))) {
		unsigned long long ns = 0;
		char path[300], name[64] = "";
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%s/comm", d->d_name);
		f = fopen(path, "r");
		if (!f)
			continue;
		if (!fgets(name, sizeof(name), f))
			name[0] = 0;
		fclose(f);
		if (strncmp(name, "vgpu", 4))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/schedstat", d->d_name);
		f = fopen(path, "r");
		if (!f)
			continue;
		if (fscanf(f, "%llu", &ns) == 1) {
			sum += ns;
			(*threads)++;
		}
		fclose(f);
	}
	if (proc)
		closedir(proc);
	return sum;
}

static void bench_idle(struct kfd_client *c)
{
	unsigned int threads;
	struct kfd_event e;
	struct kfd_sdma q;
	uint64_t before;

	must("queue", kfd_sdma_create(c, &q));
	must("event", kfd_event_create(c, &e));
	one_bell(&q, &e);
	usleep(100000);
	before = model_cpu_ns(&threads);
	if (!threads)
		die("no model thread found", -3);
	sleep(5);
	printf("idle_cpu %llu ns-in-5s\n",
	       (unsigned long long)(model_cpu_ns(&threads) - before));
}

int main(int argc, char **argv)
{
	struct kfd_client c;
	int i;

	if (argc < 2) {
		fprintf(stderr, "usage: bench copy|doorbell|idle...\n");
		return 2;
	}
	must("client", kfd_client_init(&c, 0));
	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "copy"))
			bench_copy(&c);
		else if (!strcmp(argv[i], "doorbell"))
			bench_doorbell(&c);
		else if (!strcmp(argv[i], "idle"))
			bench_idle(&c);
		else
			die(argv[i], -22);
	}
	return 0;
}
