// SPDX-License-Identifier: GPL-2.0-only
/* DOC: libFuzzer target: the model's failure switches, as a parameter or in debugfs */
#include <assert.h>
#include <stdlib.h>

#include <linux/errno.h>
#include <linux/string.h>

#include "kernel/vgpu/vgpu_failure.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* A switch that is on does what it may, and no more often than it was set to. */
static void use(struct vgpu_failures *f, enum vgpu_failure which)
{
	struct vgpu_failure_rule before, after;
	u64 value;
	int i;

	vgpu_failures_get(f, which, &before);
	assert(before.on == !!(f->armed & 1UL << which) && (!before.on || before.rate));
	for (i = 0; i < 8; i++)
		vgpu_fails(f, which, i & 1, i & 3, 224, &value);
	vgpu_failures_get(f, which, &after);
	assert(after.hits <= 8 && (!before.count || after.hits <= before.count));
	vgpu_failures_clear(f, which);
	assert(!vgpu_fails(f, which, 0, 0, 224, &value));
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct vgpu_failures f = {};
	unsigned int where = ~0u, i;
	char *text = malloc(size + 1);
	int ret;

	/* On the heap and no longer than it is: a read beyond the end is seen. */
	memcpy(text, data, size);
	text[size] = 0;
	vgpu_failures_init(&f);
	ret = vgpu_failures_set(&f, text, &where);
	assert(where <= strlen(text));
	assert(!ret || ret == -EINVAL || ret == -ENOENT || ret == -ERANGE);
	/* All or none. */
	assert(!ret == !!f.armed);
	for (i = 0; i < VGPU_FAILURES; i++)
		use(&f, i);
	free(text);
	return 0;
}
