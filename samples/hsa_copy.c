// SPDX-License-Identifier: MIT
/**
 * DOC: hsa_copy
 *
 * Copies a buffer host -> VRAM -> VRAM -> host through the public HSA API,
 * one asynchronous copy after the other, waits for each blocked, and compares
 * every byte. Built against the distribution's HSA runtime; it knows nothing
 * of the driver below it.
 *
 * The runtime sends a copy between two VRAM buffers to an SDMA engine only if
 * it is below HSA_FORCE_SDMA_SIZE bytes (default 1 MiB), and uses a shader
 * otherwise: set that variable where no shader can run.
 *
 *   --size BYTES     size of the buffers (67108864); K, M suffixes
 *   --timeout MS     give up waiting for a copy after this time (for ever)
 *   --hold           before each copy print "ready NAME" and wait for a line
 *                    on standard input, so that somebody can halt a queue
 *                    before the copy is submitted
 *   --after COMMAND  run COMMAND when all copies are done, queues still alive
 *
 * Each copy is announced as "submitted NAME event ID" with the event that its
 * completion signal sleeps on.
 *
 * Exit status: 0 all bytes are right; 1 bad arguments; 2 the runtime reported
 * an error, or has no GPU; 3 wrong bytes; 4 a copy did not end in time.
 */

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hsa/amd_hsa_signal.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

enum {
	EXIT_USAGE = 1,
	EXIT_RUNTIME = 2,
	EXIT_DATA = 3,
	EXIT_TIMEOUT = 4,
};

struct options {
	size_t size;
	uint64_t timeout_ms;	/* 0: for ever */
	bool hold;
	const char *after;
};

/* An agent and its pool for plain buffers. */
struct place {
	hsa_agent_t agent;
	hsa_amd_memory_pool_t pool;
	bool found;
};

struct machine {
	struct place cpu;
	struct place gpu;
};

static void check(hsa_status_t status, const char *what)
{
	const char *text = NULL;

	if (status == HSA_STATUS_SUCCESS)
		return;
	hsa_status_string(status, &text);
	fprintf(stderr, "hsa_copy: %s: %#x %s\n", what, status, text ? text : "");
	exit(EXIT_RUNTIME);
}

/* Takes the agent's first global pool that it may allocate from, coarse-grained on a GPU. */
static hsa_status_t take_pool(hsa_amd_memory_pool_t pool, void *data)
{
	struct place *place = data;
	hsa_amd_segment_t segment;
	bool allowed = false;

	hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment);
	if (segment != HSA_AMD_SEGMENT_GLOBAL)
		return HSA_STATUS_SUCCESS;
	hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED,
				     &allowed);
	if (!allowed)
		return HSA_STATUS_SUCCESS;
	place->pool = pool;
	place->found = true;
	return HSA_STATUS_INFO_BREAK;
}

static hsa_status_t take_agent(hsa_agent_t agent, void *data)
{
	struct machine *machine = data;
	hsa_device_type_t type;
	struct place *place;

	hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
	if (type == HSA_DEVICE_TYPE_CPU)
		place = &machine->cpu;
	else if (type == HSA_DEVICE_TYPE_GPU)
		place = &machine->gpu;
	else
		return HSA_STATUS_SUCCESS;

	if (!place->found) {
		place->agent = agent;
		hsa_amd_agent_iterate_memory_pools(agent, take_pool, place);
	}
	return HSA_STATUS_SUCCESS;
}

static void find_machine(struct machine *machine)
{
	check(hsa_iterate_agents(take_agent, machine), "list of agents");
	if (!machine->cpu.found || !machine->gpu.found) {
		fprintf(stderr, "hsa_copy: no %s agent with memory\n",
			machine->cpu.found ? "GPU" : "CPU");
		exit(EXIT_RUNTIME);
	}
}

/* A buffer that the GPU and the CPU may both use. */
static void *allocate(const struct machine *machine, const struct place *place, size_t size)
{
	const hsa_agent_t both[] = { machine->cpu.agent, machine->gpu.agent };
	void *p = NULL;

	check(hsa_amd_memory_pool_allocate(place->pool, size, 0, &p), "allocation");
	check(hsa_amd_agents_allow_access(2, both, NULL, p), "access");
	return p;
}

/* The byte at a position: depends on all of the position's bits. */
static unsigned char pattern(size_t position)
{
	uint64_t x = position * 0x9e3779b97f4a7c15ull;

	return (x ^ x >> 32) >> 24;
}

static void fill_pattern(unsigned char *p, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		p[i] = pattern(i);
}

static void compare_pattern(const unsigned char *p, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++) {
		if (p[i] == pattern(i))
			continue;
		fprintf(stderr, "hsa_copy: byte %zu is %#x, expected %#x\n", i, p[i], pattern(i));
		exit(EXIT_DATA);
	}
}

/* Prints the line of the process's map that tells which library NAME is. */
static void print_library(const char *name)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096];
	char *path;

	if (!maps)
		return;
	while (fgets(line, sizeof(line), maps)) {
		path = strchr(line, '/');
		if (!path || !strstr(path, name))
			continue;
		printf("using %s", path);
		break;
	}
	fclose(maps);
}

static void hold(const char *name)
{
	char line[64];

	printf("ready %s\n", name);
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		fprintf(stderr, "hsa_copy: standard input ended, going on\n");
}

static uint64_t timeout_ticks(const struct options *o)
{
	uint64_t frequency = 0;

	if (!o->timeout_ms)
		return UINT64_MAX;
	check(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency), "clock");
	return o->timeout_ms * frequency / 1000;
}

static void wait_blocked(hsa_signal_t signal, const struct options *o, const char *name)
{
	uint64_t ticks = timeout_ticks(o);
	hsa_signal_value_t value;

	do {
		value = hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, 1, ticks,
						  HSA_WAIT_STATE_BLOCKED);
	} while (value > 0 && !o->timeout_ms);

	if (value > 0) {
		fprintf(stderr, "hsa_copy: %s did not end in %" PRIu64 " ms\n", name,
			o->timeout_ms);
		/* The copy may still run: its buffers cannot be freed. */
		exit(EXIT_TIMEOUT);
	}
	if (value < 0) {
		fprintf(stderr, "hsa_copy: %s ended with error value %" PRId64 "\n", name, value);
		exit(EXIT_RUNTIME);
	}
}

static void copy(const char *name, void *to, const struct place *to_place, const void *from,
		 const struct place *from_place, const struct options *o)
{
	hsa_signal_t signal;

	if (o->hold)
		hold(name);
	check(hsa_signal_create(1, 0, NULL, &signal), "signal");
	check(hsa_amd_memory_async_copy(to, to_place->agent, from, from_place->agent, o->size, 0,
					NULL, signal), name);
	printf("submitted %s event %u\n", name,
	       ((const amd_signal_t *)(uintptr_t)signal.handle)->event_id);
	fflush(stdout);
	wait_blocked(signal, o, name);
	printf("done %s, %zu bytes\n", name, o->size);
	fflush(stdout);
	check(hsa_signal_destroy(signal), "end of the signal");
}

static void run(const struct options *o)
{
	struct machine m = { 0 };
	unsigned char *source, *result;
	void *first, *second;

	check(hsa_init(), "start of the runtime");
	print_library("libhsa-runtime64");
	print_library("libhsakmt");
	find_machine(&m);

	source = allocate(&m, &m.cpu, o->size);
	result = allocate(&m, &m.cpu, o->size);
	first = allocate(&m, &m.gpu, o->size);
	second = allocate(&m, &m.gpu, o->size);
	fill_pattern(source, o->size);
	memset(result, 0xee, o->size);

	copy("H2D", first, &m.gpu, source, &m.cpu, o);
	copy("D2D", second, &m.gpu, first, &m.gpu, o);
	copy("D2H", result, &m.cpu, second, &m.gpu, o);
	compare_pattern(result, o->size);
	printf("all %zu bytes are right\n", o->size);
	fflush(stdout);
	if (o->after && system(o->after))
		fprintf(stderr, "hsa_copy: the command failed: %s\n", o->after);

	check(hsa_amd_memory_pool_free(second), "free");
	check(hsa_amd_memory_pool_free(first), "free");
	check(hsa_amd_memory_pool_free(result), "free");
	check(hsa_amd_memory_pool_free(source), "free");
	check(hsa_shut_down(), "end of the runtime");
}

/* Reads a positive number with an optional K or M behind it. */
static bool parse_number(const char *text, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 0);
	if (errno || end == text || !*number || *text == '-')
		return false;
	if (*end == 'K' || *end == 'M') {
		if (*number > UINT32_MAX)
			return false;
		*number <<= *end == 'K' ? 10 : 20;
		end++;
	}
	return !*end;
}

static void usage(void)
{
	fprintf(stderr,
		"usage: hsa_copy [--size BYTES] [--timeout MS] [--hold] [--after COMMAND]\n");
	exit(EXIT_USAGE);
}

int main(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "size", required_argument, NULL, 's' },
		{ "timeout", required_argument, NULL, 't' },
		{ "hold", no_argument, NULL, 'h' },
		{ "after", required_argument, NULL, 'a' },
		{ 0 }
	};
	struct options o = { .size = 64 << 20 };
	uint64_t number;
	int c;

	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		switch (c) {
		case 's':
			if (!parse_number(optarg, &number))
				usage();
			o.size = number;
			break;
		case 't':
			/* Kept small enough for the product with the clock's frequency. */
			if (!parse_number(optarg, &o.timeout_ms) || o.timeout_ms > UINT32_MAX)
				usage();
			break;
		case 'h':
			o.hold = true;
			break;
		case 'a':
			o.after = optarg;
			break;
		default:
			usage();
		}
	}
	if (optind != argc)
		usage();
	run(&o);
	return 0;
}
