// SPDX-License-Identifier: GPL-2.0-only
/* For shell tests: a verified copy host - VRAM - host by a user queue; exit status 0 if right. */
#include <stdio.h>
#include <string.h>

#include "kfd_client.h"

#define SIZE	(1ul << 20)

int main(void)
{
	struct kfd_bo a, b, v;
	struct kfd_client c;
	struct kfd_event e;
	struct kfd_sdma q;
	uint64_t i;
	int r;

	r = kfd_client_init(&c, 0);
	if (r) {
		fprintf(stderr, "no client: %s\n", strerror(-r));
		return 2;
	}
	if (kfd_bo_user(&c, SIZE, &a) || kfd_bo_user(&c, SIZE, &b) || kfd_bo_vram(&c, SIZE, &v) ||
	    kfd_sdma_create(&c, &q) || kfd_event_create(&c, &e)) {
		fprintf(stderr, "set-up failed\n");
		return 3;
	}
	for (i = 0; i < SIZE; i++)
		a.cpu[i] = i * 31;
	memset(b.cpu, 0xee, SIZE);
	r = kfd_sdma_copy_wait(&q, &e, v.cpu, a.cpu, SIZE);
	if (!r)
		r = kfd_sdma_copy_wait(&q, &e, b.cpu, v.cpu, SIZE);
	if (r || memcmp(a.cpu, b.cpu, SIZE)) {
		fprintf(stderr, "copy failed: %d\n", r);
		return 4;
	}
	kfd_client_close(&c);
	return 0;
}
