// SPDX-License-Identifier: GPL-2.0-only
/* DOC: libFuzzer target: the model's module parameter gpus= */
#include <assert.h>
#include <stdlib.h>

#include <linux/string.h>

#include "kernel/vgpu/vgpu_config.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct vgpu_config list[VGPU_MAX_GPUS];
	unsigned int where = ~0u, se;
	char *text = malloc(size + 1);
	int i, n;

	/* On the heap and no longer than it is: a read beyond the end is seen. */
	memcpy(text, data, size);
	text[size] = 0;
	n = vgpu_config_parse(text, list, VGPU_MAX_GPUS, &where);
	assert(where <= strlen(text) && n <= VGPU_MAX_GPUS && n);
	for (i = 0; i < n; i++) {
		unsigned int cus = 0;

		assert(!vgpu_config_check(&list[i]));
		for (se = 0; se < VGPU_MAX_SE; se++)
			cus += __builtin_popcount(vgpu_config_cu_mask(&list[i], se));
		assert(cus == list[i].cu && !(list[i].vram % VGPU_VRAM_GRANULE));
	}
	free(text);
	return 0;
}
