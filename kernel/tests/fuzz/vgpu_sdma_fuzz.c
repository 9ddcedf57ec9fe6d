// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: fuzz entry for the model's packet decoder and engine
 *
 * The input's first byte picks the dword to begin at, the rest is a user queue's ring.
 * It is rung to its end and stepped a bounded number of times; nothing may run beyond
 * what was rung, and then a neighbour's fence must arrive, whatever the first queue did.
 * Build with clang:
 *
 *	clang -g -O1 -fsanitize=fuzzer,address,undefined -I tools/include -I . \
 *		-I kernel/tests/pure -o fuzz kernel/tests/fuzz/vgpu_sdma_fuzz.c \
 *		kernel/vgpu/vgpu_{mmu,tlb,gmc,profile}.c kernel/vgpu/vgpu_sdma*.c
 *
 * or with gcc and -DFUZZ_FILES, which makes a program that takes files as arguments.
 */
#include "vgpu_ring.h"

#define STEPS	512
/* A user queue that is disabled may finish its packet in so many steps, and one to see that. */
#define DRAIN	129

/* 1: the ring is the page queue's, with all privileges, on a device of its own each time. */
#ifndef FUZZ_KERNEL
#define FUZZ_KERNEL	0
#endif

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void rung_to_the_end(struct ring *r, const u8 *data, size_t size, u64 first)
{
	size_t dwords = min_t(size_t, size / 4, r->size / 4);

	memset(r->cpu, 0, r->size);
	memcpy(r->cpu, data, dwords * 4);
	unload(r);
	load(r, first, first + dwords * 4);
}

/* VMID 8 must not reach the neighbour's ring. */
static struct fake *start_apart(void)
{
	struct fake *f = start();

	fake_map(f, 8, USER + RING + VGPU_SDMA_RLC1 * 0x10000, 0, 0);
	return f;
}

static void reset(struct fake *f)
{
	struct vgpu_block *block = &vgpu_sdma_engine(f->sdma[0])->block;

	f->irqs = 0;
	memset(f->doorbell, 0, sizeof(f->doorbell));
	block->ops->reset(block);
	fake_reg_write(f, f->sdma_base[0] + SDMA4_F32_CNTL, 0);
}

static void run_bad(struct fake *f, const u8 *data, size_t size, u64 first)
{
	struct ring bad = ring_at(f, 0, FUZZ_KERNEL ? VGPU_SDMA_PAGE : VGPU_SDMA_RLC0,
				  FUZZ_KERNEL ? 0 : 8, 4096);
	unsigned int i;

	rung_to_the_end(&bad, data, size, first);
	for (i = 0; i < STEPS; i++)
		if (step(f, 0) != VGPU_STEP_BUSY)
			break;
	assert(info(&bad).rptr <= info(&bad).wptr);
	unload(&bad);
	for (i = 0; i < (FUZZ_KERNEL ? 0 : DRAIN) && !idle(&bad); i++)
		step(f, 0);
	assert(idle(&bad));
}

static void run_good(struct fake *f)
{
	struct ring good = ring_at(f, 0, VGPU_SDMA_RLC1, 9, 4096);
	static u32 fence;

	PUT(&good, FENCE(good.view + DATA, ++fence));
	kick(&good);
	assert(info(&good).rptr == 16 && word(f, DATA) == fence);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct fake *f;

	if (!size)
		return 0;
	if (!f)
		f = start_apart();
	reset(f);
	run_bad(f, data + 1, size - 1, data[0] * 4);
	if (!FUZZ_KERNEL) {
		run_good(f);
		return 0;
	}
	fake_destroy(f);
	f = NULL;
	return 0;
}

#ifdef FUZZ_FILES
int main(int argc, char **argv)
{
	static u8 buf[65536];
	FILE *file;
	int i;

	for (i = 1; i < argc; i++) {
		file = fopen(argv[i], "rb");
		if (!file)
			return 1;
		LLVMFuzzerTestOneInput(buf, fread(buf, 1, sizeof(buf), file));
		fclose(file);
	}
	printf("%d inputs\n", argc - 1);
	return 0;
}
#endif
