// SPDX-License-Identifier: GPL-2.0-only
/*
 * For profiles_test.sh: as many user queues of each type at once as the topology says the
 * GPU has, not one more, and a verified copy host - VRAM - host through each; exit status 0
 * if all are right.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "kfd_client.h"

#define SIZE		65536ul
#define MAX_QUEUES	128

static struct kfd_sdma queue[MAX_QUEUES];

static const struct {
	uint32_t type;
	const char *engines;
} kinds[] = {
	{ KFD_IOC_QUEUE_TYPE_SDMA, "num_sdma_engines" },
	{ KFD_IOC_QUEUE_TYPE_SDMA_XGMI, "num_sdma_xgmi_engines" },
};

static long long property(const struct kfd_client *c, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path),
		 "/sys/devices/virtual/kfd/kfd/topology/nodes/%u/properties", c->node);
	return kfd_prop(path, name);
}

/* Queues of a kind behind the first @n, one for each slot; the new number, or 0. */
static unsigned int create(struct kfd_client *c, unsigned int kind, unsigned int n)
{
	unsigned int end = n + property(c, kinds[kind].engines) *
			   property(c, "num_sdma_queues_per_engine");
	int r = 0;

	for (; n < end && n < MAX_QUEUES && !r; n++)
		r = kfd_sdma_create_type(c, &queue[n], kinds[kind].type, 4096);
	if (!r && n == end)
		return n;
	fprintf(stderr, "queue %u of %u, %s: %s\n", n, end, kinds[kind].engines, strerror(-r));
	return 0;
}

static int copy(struct kfd_sdma *q, const struct kfd_event *e, struct kfd_bo *a, struct kfd_bo *b,
		struct kfd_bo *v, unsigned int seed)
{
	unsigned int i;
	int r;

	for (i = 0; i < SIZE; i++)
		a->cpu[i] = i * 31 + seed;
	memset(b->cpu, 0xee, SIZE);
	r = kfd_sdma_copy_wait(q, e, v->cpu, a->cpu, SIZE);
	if (!r)
		r = kfd_sdma_copy_wait(q, e, b->cpu, v->cpu, SIZE);
	return r ? r : memcmp(a->cpu, b->cpu, SIZE);
}

int main(void)
{
	struct kfd_bo a, b, v;
	struct kfd_client c;
	struct kfd_event e;
	unsigned int i, n;
	int r;

	if (kfd_client_init(&c, 0) || kfd_bo_user(&c, SIZE, &a) || kfd_bo_user(&c, SIZE, &b) ||
	    kfd_bo_vram(&c, SIZE, &v) || kfd_event_create(&c, &e)) {
		fprintf(stderr, "set-up failed\n");
		return 2;
	}
	for (i = 0, n = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		n = create(&c, i, n);
		if (!n)
			return 4;
	}
	for (i = 0; i < n; i++) {
		r = copy(&queue[i], &e, &a, &b, &v, i);
		if (r) {
			fprintf(stderr, "copy by queue %u of %u: %d\n", i, n, r);
			return 5;
		}
	}
	for (i = 0; i < n; i++)
		if (kfd_sdma_destroy(&queue[i]))
			return 6;
	kfd_client_close(&c);
	return 0;
}
