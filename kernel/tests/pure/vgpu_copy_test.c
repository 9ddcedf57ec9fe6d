// SPDX-License-Identifier: GPL-2.0-only
/* pure: kernel/vgpu/vgpu_sdma_copy.c */
/**
 * DOC: byte movers against loops of single bytes, canaries around each range
 */
#include "vgpu_fake.h"
#include "kernel/vgpu/vgpu_sdma_copy.h"

#define SPACE	512
#define CANARY	0xa5

static bool same(const u8 *a, const u8 *b, size_t n)
{
	return !memcmp(a, b, n);
}

static bool copy_once(unsigned int d, unsigned int s, unsigned int n)
{
	static _Alignas(16) u8 src[SPACE];
	static _Alignas(16) u8 dst[SPACE];
	static u8 want[SPACE];
	unsigned int i;

	for (i = 0; i < SPACE; i++)
		src[i] = i * 7 + 1;
	memset(dst, CANARY, SPACE);
	memset(want, CANARY, SPACE);
	for (i = 0; i < n; i++)
		want[16 + d + i] = src[16 + s + i];
	vgpu_copy(dst + 16 + d, src + 16 + s, n);
	return same(dst, want, SPACE);
}

static void test_copy_alignments(void)
{
	unsigned int d, s, n, bad = 0;

	for (d = 0; d < 16; d++)
		for (s = 0; s < 16; s++)
			for (n = 0; n < 300; n++)
				bad += !copy_once(d, s, n);
	ok(!bad, "copies of 0 to 299 bytes at all alignments (%u wrong)", bad);
}

static void test_copy_down(void)
{
	static u8 buf[SPACE], want[SPACE];
	unsigned int gap, n, i, bad = 0;

	for (gap = 1; gap < 80; gap++) {
		for (n = 0; n < 300; n += 7) {
			for (i = 0; i < SPACE; i++)
				buf[i] = i * 5;
			memcpy(want, buf, SPACE);
			memmove(want + 3, want + 3 + gap, n);
			vgpu_copy(buf + 3, buf + 3 + gap, n);
			bad += !same(buf, want, SPACE);
		}
	}
	ok(!bad, "overlapping copies towards lower addresses (%u wrong)", bad);
}

static void test_fill(void)
{
	static _Alignas(16) u8 dst[SPACE];
	static u8 want[SPACE];
	const u32 pattern = 0x44332211;
	unsigned int d, n, i, bad = 0;

	for (d = 0; d < 16; d++) {
		for (n = 0; n < 300; n++) {
			memset(dst, CANARY, SPACE);
			memset(want, CANARY, SPACE);
			for (i = 0; i < n; i++)
				want[16 + d + i] = pattern >> (i % 4 * 8);
			vgpu_fill(dst + 16 + d, pattern, n);
			bad += !same(dst, want, SPACE);
		}
	}
	ok(!bad, "fills of 0 to 299 bytes at all alignments (%u wrong)", bad);
}

static void test_large(void)
{
	size_t n = (1 << 20) + 13;
	u8 *src = malloc(n), *dst = calloc(1, n);
	u64 seed = 1;
	size_t i;

	for (i = 0; i < n; i++)
		src[i] = fake_random(&seed);
	vgpu_copy(dst, src, n);
	ok(same(dst, src, n), "a copy of 1 MiB and 13 bytes, exact allocation");
	free(src);
	free(dst);
}

/* Distances at which pages may share a slot of an emulated TLB, and just beside them. */
static void test_far_apart(void)
{
	static const u32 apart[] = { 0x3efff, 0x3f000, 0x3f001, 0x3fff8, 0x40000, 0x40008,
				     0x40fff, 0x41000, 0x41001 };
	static const u32 sizes[] = { 1023, 1024, 1025, 2048, 4099 };
	size_t space = 0x48000, n, i, k;
	u8 *buf = malloc(space), *want = malloc(space);
	unsigned int bad = 0, down;
	u64 seed = 3;

	for (i = 0; i < ARRAY_SIZE(apart); i++) {
		for (k = 0; k < ARRAY_SIZE(sizes); k++) {
			for (down = 0; down < 2; down++) {
				u32 src = down ? 17 + apart[i] : 17;
				u32 dst = down ? 17 : 17 + apart[i];

				for (n = 0; n < space; n++)
					buf[n] = fake_random(&seed);
				memcpy(want, buf, space);
				memcpy(want + dst, want + src, sizes[k]);
				vgpu_copy(buf + dst, buf + src, sizes[k]);
				bad += !same(buf, want, space);
			}
		}
	}
	ok(!bad, "copies over 64 pages and a little less or more (%u wrong)", bad);
	free(buf);
	free(want);
}

int main(void)
{
	test_copy_alignments();
	test_copy_down();
	test_far_apart();
	test_fill();
	test_large();
	return pure_done();
}
