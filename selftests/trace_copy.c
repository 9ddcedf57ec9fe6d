// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: a copy whose steps stand in the trace
 *
 *   trace_copy TRACE_MARKER
 *
 * Copies through a user queue, as smoke.c does, and writes what only a client knows
 * into the kernel's trace: "carillon_client written", "wptr", "doorbell" before each
 * of these, and "woken" when the wait is over.  Exit status 0 if the copy is right.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kfd_client.h"

#define SIZE	65536u
#define WPTR_CELL	8

static int marker;

static int mark(const char *what)
{
	char line[64];
	int n = snprintf(line, sizeof(line), "carillon_client %s\n", what);

	return write(marker, line, n) == n ? 0 : -1;
}

/* Packets into the ring, WPTR into its cell, WPTR into the doorbell. */
static int submit(struct kfd_sdma *q, const struct kfd_event *e, const void *dst, const void *src)
{
	uint32_t words[16];

	kfd_sdma_put(q, words, pkt_copy(words, dst, src, SIZE));
	kfd_sdma_signal(q, e);
	if (mark("written"))
		return -1;
	__atomic_store_n((uint64_t *)(q->ptrs.cpu + WPTR_CELL), q->wptr, __ATOMIC_RELEASE);
	if (mark("wptr") || mark("doorbell"))
		return -1;
	__atomic_store_n(q->doorbell, q->wptr, __ATOMIC_SEQ_CST);
	return 0;
}

static int copy(struct kfd_client *c, struct kfd_sdma *q, struct kfd_event *e, struct kfd_bo *to,
		struct kfd_bo *from)
{
	uint32_t result = 1;
	unsigned int i;

	for (i = 0; i < SIZE; i++)
		from->cpu[i] = i * 31;
	if (submit(q, e, to->cpu, from->cpu))
		return 5;
	if (kfd_event_wait(c, e, KFD_TIMEOUT_MS, &result) || result || mark("woken"))
		return 6;
	return memcmp(to->cpu, from->cpu, SIZE) ? 4 : 0;
}

int main(int argc, char **argv)
{
	struct kfd_bo from, to;
	struct kfd_client c;
	struct kfd_event e;
	struct kfd_sdma q;
	int ret;

	marker = argc == 2 ? open(argv[1], O_WRONLY) : -1;
	if (marker < 0) {
		fprintf(stderr, "no trace marker\n");
		return 2;
	}
	if (kfd_client_init(&c, 0) || kfd_bo_user(&c, SIZE, &from) || kfd_bo_user(&c, SIZE, &to) ||
	    kfd_sdma_create(&c, &q) || kfd_event_create(&c, &e)) {
		fprintf(stderr, "set-up failed\n");
		return 3;
	}
	ret = copy(&c, &q, &e, &to, &from);
	if (ret)
		fprintf(stderr, "copy failed: %d\n", ret);
	kfd_client_close(&c);
	return ret;
}
