/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: the processes of a fuzzer
 *
 * A fuzzer is a number of processes that never end by themselves; one that dies is
 * replaced, and now and then one is killed.  The parent watches until the time is over or
 * one of them has found something.
 */
#ifndef CARILLON_FUZZ_CREW_H
#define CARILLON_FUZZ_CREW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "kfd_fuzz.h"

#define FUZZ_MAX_PROCESSES	32

/* Exit statuses of a fuzzer, for those who have to tell a fault from a run that was none. */
enum fuzz_exit {
	FUZZ_CLEAN = 0,
	FUZZ_FOUND = 1,		/* a rule was broken */
	FUZZ_BROKEN = 2,	/* could not start, or had nothing to break */
};

/**
 * struct fuzz_crew - the processes
 * @seed: of everything (option -s)
 * @seconds: how long (-t)
 * @processes: how many at a time (-p)
 * @kill_once: SIGKILL for each once in so many looks, or 0
 * @run: what a process does, with a seed of its own
 * @found: number of broken rules so far, in memory of all processes; the run ends early
 * @begin: when it began (ms)
 * @end: when the time was over, or something was found
 * @started: processes so far
 * @stuck: one did not die
 */
struct fuzz_crew {
	uint64_t seed;
	unsigned int seconds, processes, kill_once;
	void (*run)(uint64_t seed);
	uint64_t *found;
	uint64_t begin, end;
	unsigned int started;
	bool stuck;
};

uint64_t fuzz_now_ms(void);
/* Zeroed memory that children share; NULL if there is none. */
void *fuzz_share(size_t size);
/* Takes -s, -t and -p; false: another option. */
bool fuzz_crew_option(struct fuzz_crew *crew, int opt, const char *arg);
/* A child that dies with the caller. */
pid_t fuzz_start(void (*run)(uint64_t seed), uint64_t seed);
/* Kills it. False: it is stuck in the kernel, after a minute. */
bool fuzz_kill(pid_t pid);
void fuzz_crew_run(struct fuzz_crew *crew);
/* "# after N s: fuzz: WHAT", unless @what is NULL and all processes ended */
void fuzz_crew_report(const struct fuzz_crew *crew, const char *what);
/* "# N UNIT, M per second" */
void fuzz_crew_rate(const struct fuzz_crew *crew, const char *unit, uint64_t n);

#endif /* CARILLON_FUZZ_CREW_H */
