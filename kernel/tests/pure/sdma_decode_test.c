// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* pure: kernel/sdma/sdma_decode.c kernel/sdma/sdma_emit.c kernel/vgpu/vgpu_sdma_packet.c */
/**
 * DOC: the decoder for people
 *
 * Its text for the words of the driver's encoders, what it refuses, lengths, and that it
 * agrees with the model's decoder about random packets: what the model runs is legal
 * and as long here, and what is unknown here the model refuses.  Proves S0.105.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include <stdlib.h>

#include "kernel/sdma/sdma_decode.h"
#include "kernel/sdma/sdma_emit.h"
#include "kernel/vgpu/vgpu_sdma_packet.h"
#include "pure_test.h"

#define DST	0x0000123456789ab8ULL
#define SRC	0x0000fedc87654321ULL
#define RANDOM	300000

/* Decode from memory that ends with the fixed part, so that a longer read is seen. */
static int decode(const u32 *words, u64 avail, struct sdma_decoded *d, char *text)
{
	u32 readable = min_t(u64, avail, SDMA_DECODE_FIXED), *exact;
	int ret;

	sdma_decode(words, readable, d);
	if (d->fixed && d->fixed < readable)
		readable = d->fixed;
	exact = malloc(readable * sizeof(*exact) + !readable);
	memcpy(exact, words, readable * sizeof(*exact));
	ret = sdma_decode(exact, avail, d);
	if (text && (!ret || (ret == -ENODATA && avail >= d->fixed && d->format)))
		sdma_decode_text(d, exact, text, SDMA_DECODE_TEXT);
	free(exact);
	return ret;
}

static void reads(const u32 *words, u32 count, const char *want)
{
	char text[SDMA_DECODE_TEXT] = "";
	struct sdma_decoded d;
	int ret = decode(words, count, &d, text);

	pure_okf(!ret && d.dwords == count && !strcmp(text, want), "%.100s", want);
	if (ret || d.dwords != count || strcmp(text, want))
		printf("# %d, %u dwords: %s\n", ret, d.dwords, text);
}

#define EMITTED(want, call) do { \
	u32 w[64] = { 0 }; \
	u32 n_ = call; \
	reads(w, n_, want); \
} while (0)

static void test_driver_packets(void)
{
	static const u32 data[] = { 0x01234567, 0x89abcdef };

	EMITTED("NOP", sdma_emit_nop(w, 0, 1));
	EMITTED("COPY_LINEAR bytes=1193046 src=0xfedc87654321 dst=0x123456789ab8",
		sdma_emit_copy_linear(w, 0, DST, SRC, 0x123456));
	EMITTED("CONST_FILL dst=0x123456789ab8 data=0xdeadbeef bytes=4194304 size=2",
		sdma_emit_fill(w, 0, DST, 0xdeadbeef, 0x400000));
	EMITTED("WRITE dst=0x123456789ab8 dwords=2", sdma_emit_write_linear(w, 0, DST, data, 2));
	EMITTED("PTEPDE dst=0x123456789ab8 value=0x345678000 step=0x200000 "
		"flags=0x600000000000073 entries=524288",
		sdma_emit_ptepde_generate(w, 0, DST, 0x0600000000000073ULL, 0x345678000ULL,
					  0x200000, 0x80000));
	EMITTED("FENCE addr=0x123456789ab8 data=0xfedcba98",
		sdma_emit_fence(w, 0, DST, 0xfedcba98));
	EMITTED("TRAP context=0x9abcdef", sdma_emit_trap(w, 0, 0x89abcdef));
	EMITTED("TIMESTAMP addr=0x123456789ab8", sdma_emit_timestamp(w, 0, DST));
	EMITTED("ATOMIC op=0x2f addr=0x123456789ab8 src=0x1122334455667788 cmp=0x0",
		sdma_emit_atomic_add64(w, 0, DST, 0x1122334455667788ULL));
	EMITTED("SRBM_WRITE reg=0x69b8c value=0x7c0100 bytes=0xf",
		sdma_emit_srbm_write(w, 0, 0x1a6e3 * 4, 0x007c0100));
	EMITTED("POLL_MEM addr=0x123456789ab8 func=eq value=0x55 mask=0xff interval=4 retry=4095",
		sdma_emit_poll_mem(w, 0, DST, 0x55, 0xff, 4));
	EMITTED("POLL_REG reg=0x69bd4 func=eq value=0x100 mask=0x100 interval=10 retry=4095",
		sdma_emit_poll_reg(w, 0, 0x1a6f5 * 4, 0x100, 0x100, 10));
	EMITTED("POLL_HDP done=0x389c request=0x3898 func=eq value=0x400 mask=0x400 "
		"interval=10 retry=4095",
		sdma_emit_hdp_flush(w, 0, 0xe26 * 4, 0xe27 * 4, 0x400));
}

static void test_other_packets(void)
{
	static const u32 hdp[] = { 8, 0, 0x80000000, 0, 0, 0 };
	static const u32 broadcast[] = { 0x08000001, 7, 0, 1, 0, 2, 0, 3, 0 };
	static const u32 semaphore[] = { 0x40000007, 0x1000, 0 };
	static const u32 incr[] = { 0x00000107, 0x1008, 0x20 };
	static const u32 condition[] = { 0x00000009, 0x1004, 0x20, 1, 12 };
	static const u32 time_set[] = { 0x0000000d, 0x1234, 5 };
	static const u32 time_local[] = { 0x0000010d, 0x1234, 5 };
	static const u32 skip[] = { 0x00020000, 0xdead, 0xbeef };
	static const u32 tiled[] = { 0x80000101, 0x1000, 2, 63, 31, 0x48, 0x30002, 4,
				     0x2000, 0, 64, 2048, 255 };
	u32 ib[8] = { 0 };

	reads(hdp, 6, "HDP_FLUSH");
	reads(broadcast, 9, "COPY_BROADCAST bytes=8 src=0x1 dst1=0x2 dst2=0x3");
	reads(semaphore, 3, "SEMAPHORE addr=0x1000 signal=1");
	reads(incr, 3, "MEM_INCR addr=0x2000001008");
	reads(condition, 5, "COND_EXE addr=0x2000001004 reference=0x1 dwords=12");
	reads(time_set, 3, "TIMESTAMP_SET value=0x500001234");
	reads(time_local, 3, "TIMESTAMP_LOCAL addr=0x500001230");
	reads(skip, 3, "NOP skip=2");
	reads(tiled, 13, "COPY_TILED tiled=0x200001000 width=63 height=31 depth=0 layout=0x48 "
	      "x=2 y=3 z=4 linear=0x2000 pitch=64 slice=2048 count=255 mip_max=0 detile=1");
	sdma_emit_indirect(ib, 2, 9, 0x123456789aa0ULL, 0x1000);
	reads(ib + 2, 6, "INDIRECT vmid=9 ib=0x123456789aa0 dwords=4096");
}

static void refuses(u32 a, u32 b, u32 c, const char *why, const char *field)
{
	const u32 words[SDMA_DECODE_FIXED] = { a, b, c };
	struct sdma_decoded d;
	int ret = decode(words, SDMA_DECODE_FIXED, &d, NULL);

	pure_okf(ret == -EINVAL && d.dwords == 1 && !strcmp(d.why, why) &&
		 (field ? d.field && !strcmp(d.field, field) : !d.field),
		 "0x%08x is refused: %s%s%s", a, why, field ? ": " : "", field ? field : "");
}

static void test_refused(void)
{
	refuses(0xdeadbeef, 0, 0, "unknown packet", NULL);
	refuses(0x00000003, 0, 0, "unknown packet", NULL);
	refuses(0x00000201, 0, 0, "unknown packet", NULL);
	refuses(0x84000008, 0, 0, "unknown packet", NULL);
	refuses(0x00000004, 16, 0, "unaligned address", "ib");
	refuses(0x00000005, 2, 0, "unaligned address", "addr");
	refuses(0x40000007, 4, 0, "unaligned address", "addr");
	refuses(0xf0000008, 0, 0, "value without a meaning", "func");
	refuses(0xc000000b, 0, 0, "value without a meaning", "size");
	refuses(0xa0000401, 0, 0, "value without a meaning", "element");
}

/* Each packet cut short at each dword is incomplete, and says by how much. */
static void test_incomplete(void)
{
	static const u32 write[] = { 2, 0x1000, 0, 2, 1, 2, 3 };
	struct sdma_decoded d;
	bool right = true;
	u32 n;

	for (n = 0; n < ARRAY_SIZE(write); n++)
		right &= decode(write, n, &d, NULL) == -ENODATA &&
			 d.dwords == (!n ? 1 : n < 4 ? 4 : 7);
	pure_ok(right, "a WRITE cut short at each dword is incomplete");
	pure_ok(!decode(write, 7, &d, NULL) && d.fixed == 4 && d.dwords == 7,
		"and whole at its end");
}

/* The text of the longest packet, into buffers of every size. */
static void test_room(void)
{
	u32 words[SDMA_DECODE_FIXED];
	char whole[SDMA_DECODE_TEXT];
	struct sdma_decoded d;
	bool right = true;
	int len, size;

	memset(words, 0xff, sizeof(words));
	words[0] = 0xfff70601;
	sdma_decode(words, SDMA_DECODE_FIXED, &d);
	len = sdma_decode_text(&d, words, whole, sizeof(whole));
	for (size = 1; size <= len + 1; size++) {
		char *text = malloc(size);

		right &= sdma_decode_text(&d, words, text, size) == min(len, size - 1) &&
			 !strncmp(text, whole, size - 1) && !text[size - 1];
		free(text);
	}
	pure_okf(right && len < SDMA_DECODE_TEXT - 1 && len > 200,
		 "text fits a buffer of any size, %d bytes at most", len);
}

static u32 random32(u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state >> 16;
}

/* A random packet, most often with an operation that there is and few bits beside. */
static void random_words(u64 *state, u32 *words)
{
	u32 i, few, shape = random32(state);

	for (i = 0; i < SDMA_DECODE_FIXED; i++) {
		few = random32(state);
		few &= random32(state);
		words[i] = random32(state) & (shape & 1 ? ~0u : few);
	}
	if (shape & 6)
		words[0] = (words[0] & (shape & 8 ? 0xfc000000 : 0)) | random32(state) % 18 |
			   random32(state) % 5 << 8;
	if (shape & 16)
		words[1] &= ~31u;
}

static void test_against_model(void)
{
	u64 state = 0x9e3779b97f4a7c15ULL;
	u32 i, ran = 0, unknown = 0, odd = 0;

	for (i = 0; i < RANDOM; i++) {
		u32 words[SDMA_DECODE_FIXED];
		char text[SDMA_DECODE_TEXT];
		struct vgpu_packet p;
		struct sdma_decoded d;
		const char *why;
		bool runs;
		int ret;

		random_words(&state, words);
		ret = decode(words, ~0ULL, &d, text);
		runs = vgpu_packet_fixed(words[0], &why) && !vgpu_packet_decode(words, &p, &why);
		ran += runs;
		unknown += ret == -EINVAL && !d.field;
		if ((runs && (ret || d.dwords != p.dwords || d.fixed != p.fixed)) ||
		    (ret && ret != -EINVAL)) {
			if (!odd++)
				printf("# %08x %08x %08x: model %u dwords, here %d %u\n", words[0],
				       words[1], words[2], runs ? p.dwords : 0, ret, d.dwords);
		}
	}
	pure_okf(!odd && ran > RANDOM / 50 && unknown > RANDOM / 50,
		 "agrees with the model about %u packets that run, of %u (%u unknown)", ran, RANDOM,
		 unknown);
}

int main(void)
{
	test_driver_packets();
	test_other_packets();
	test_refused();
	test_incomplete();
	test_room();
	test_against_model();
	return pure_done();
}
