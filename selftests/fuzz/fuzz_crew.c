// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz_crew.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../kfd_client.h"

uint64_t fuzz_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ull + t.tv_nsec / 1000000;
}

void *fuzz_share(size_t size)
{
	void *mem = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return mem == MAP_FAILED ? NULL : mem;
}

bool fuzz_crew_option(struct fuzz_crew *crew, int opt, const char *arg)
{
	switch (opt) {
	case 's':
		crew->seed = strtoull(arg, NULL, 0);
		return true;
	case 't':
		crew->seconds = atoi(arg);
		return true;
	case 'p':
		crew->processes = atoi(arg);
		if (crew->processes > FUZZ_MAX_PROCESSES)
			crew->processes = FUZZ_MAX_PROCESSES;
		return true;
	default:
		return false;
	}
}

pid_t fuzz_start(void (*run)(uint64_t seed), uint64_t seed)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		run(seed);
		_exit(0);
	}
	return pid;
}

static bool reap(pid_t pid)
{
	uint64_t end = fuzz_now_ms() + 60000ull * kfd_time_scale();

	while (waitpid(pid, NULL, WNOHANG) == 0) {
		if (fuzz_now_ms() > end)
			return false;
		usleep(2000);
	}
	return true;
}

bool fuzz_kill(pid_t pid)
{
	kill(pid, SIGKILL);
	return reap(pid);
}

/* One look at one process. */
static void watch(struct fuzz_crew *crew, pid_t *pid, struct fuzz_rng *r)
{
	if (*pid > 0 && waitpid(*pid, NULL, WNOHANG) == *pid)
		*pid = 0;
	if (*pid > 0 && crew->kill_once && fuzz_once(r, crew->kill_once)) {
		crew->stuck |= !fuzz_kill(*pid);
		*pid = 0;
	}
	if (*pid <= 0)
		*pid = fuzz_start(crew->run, fuzz_next(r) + crew->started++);
}

void fuzz_crew_run(struct fuzz_crew *crew)
{
	pid_t pid[FUZZ_MAX_PROCESSES] = { 0 };
	struct fuzz_rng r;
	unsigned int i;

	fuzz_seed(&r, crew->seed);
	crew->begin = fuzz_now_ms();
	while (fuzz_now_ms() < crew->begin + crew->seconds * 1000ull && !crew->stuck &&
	       !__atomic_load_n(crew->found, __ATOMIC_RELAXED)) {
		for (i = 0; i < crew->processes; i++)
			watch(crew, &pid[i], &r);
		usleep(10000);
	}
	crew->end = fuzz_now_ms();
	for (i = 0; i < crew->processes; i++)
		if (pid[i] > 0)
			crew->stuck |= !fuzz_kill(pid[i]);
}

void fuzz_crew_report(const struct fuzz_crew *crew, const char *what)
{
	uint64_t ms = crew->end - crew->begin;

	if (crew->stuck)
		what = "a process does not end";
	if (what)
		printf("# after %llu.%03llu s: fuzz: %s\n", (unsigned long long)ms / 1000,
		       (unsigned long long)ms % 1000, what);
}

void fuzz_crew_rate(const struct fuzz_crew *crew, const char *unit, uint64_t n)
{
	uint64_t ms = crew->end - crew->begin;

	printf("# %llu %s, %llu per second\n", (unsigned long long)n, unit,
	       (unsigned long long)(n * 1000 / (ms ? ms : 1)));
}
