// SPDX-License-Identifier: GPL-2.0-only
/* pure: kernel/vgpu/vgpu_sdma_packet.c */
/**
 * DOC: golden words for the model's decoder (S0.105, B010, B067)
 *
 * Each row was put together by hand from the field offsets of AMD's public
 * vega10_sdma_pkt_open.h (Linux 6.1), or is a packet that ROCr 5.2.3 was seen to
 * write.  Values differ in every field, so that a field read from the wrong place is
 * seen.
 */
#include "vgpu_fake.h"
#include "kernel/vgpu/vgpu_sdma_packet.h"

static const char *reason;

/* Fetch as the engine does: exactly the fixed part, so that a longer read is caught. */
static int decode(const u32 *words, struct vgpu_packet *p)
{
	unsigned int n = vgpu_packet_fixed(words[0], &reason);
	u32 *exact;
	int ret;

	if (!n)
		return -1;
	exact = malloc(n * sizeof(u32));
	memcpy(exact, words, n * sizeof(u32));
	ret = vgpu_packet_decode(exact, p, &reason);
	free(exact);
	return ret;
}

static bool refused(const u32 *words, const char *why)
{
	struct vgpu_packet p;

	reason = NULL;
	return decode(words, &p) && reason && !strcmp(reason, why);
}

static void test_nop(void)
{
	const u32 one[] = { 0x00000000 }, many[] = { 0x00070000 }, most[] = { 0x3fff0000 };
	struct vgpu_packet p;

	ok(!decode(one, &p) && p.kind == VGPU_PACKET_NOP && p.dwords == 1, "NOP of one dword");
	ok(!decode(many, &p) && p.fixed == 1 && p.dwords == 8, "NOP that skips seven more");
	ok(!decode(most, &p) && p.dwords == 0x4000, "longest NOP");
}

static void test_copy(void)
{
	const u32 w[] = { 0x00000001, 0x003fffdf, 0, 0x11111111, 0x00002222, 0x33333333,
			  0x00004444 };
	const u32 small[] = { 0x00000001, 0, 0, 1, 0, 2, 0 };
	const u32 encrypt[] = { 0x00010001, 0, 0, 1, 0, 2, 0 };
	const u32 swap[] = { 0x00000001, 0, 0x00010000, 1, 0, 2, 0 };
	struct vgpu_packet p;

	ok(!decode(w, &p) && p.kind == VGPU_PACKET_COPY && p.copy.bytes == 0x3fffe0 &&
	   p.copy.src == 0x222211111111ULL && p.copy.dst == 0x444433333333ULL &&
	   p.dwords == 7, "COPY linear of ROCr's largest size");
	ok(!decode(small, &p) && p.copy.bytes == 1, "COPY linear of one byte");
	ok(refused(encrypt, "unsupported form of copy") &&
	   refused(swap, "unsupported byte swap"), "COPY encrypted or swapped is refused");
}

static void test_broadcast(void)
{
	const u32 w[] = { 0x08000001, 0x000fffff, 0, 0x11111111, 0x00002222, 0x33333333,
			  0x00004444, 0x55555555, 0x00006666 };
	const u32 swap2[] = { 0x08000001, 0, 0x00000100, 1, 0, 2, 0, 3, 0 };
	const u32 encrypt[] = { 0x08010001, 0, 0, 1, 0, 2, 0, 3, 0 };
	struct vgpu_packet p;

	ok(!decode(w, &p) && p.kind == VGPU_PACKET_COPY_BROADCAST && p.dwords == 9 &&
	   p.broadcast.bytes == 1 << 20 && p.broadcast.src == 0x222211111111ULL &&
	   p.broadcast.dst[0] == 0x444433333333ULL && p.broadcast.dst[1] == 0x666655555555ULL,
	   "COPY broadcast of 1 MiB");
	ok(refused(swap2, "unsupported byte swap") &&
	   refused(encrypt, "unsupported form of copy"),
	   "COPY broadcast encrypted or swapped is refused");
}

static void test_rect(void)
{
	const u32 w[] = {
		0x40000401,			/* 4-byte elements */
		0x10000000, 0x00000007,		/* source */
		0x00030002,			/* x 2, y 3 */
		0x001fe004,			/* z 4, pitch 256 */
		0x0000ffff,			/* slice 65536 */
		0x20000000, 0x00000008,		/* destination */
		0x00060005,			/* x 5, y 6 */
		0x003fe007,			/* z 7, pitch 512 */
		0x0001ffff,			/* slice 131072 */
		0x0013000f,			/* 16 by 20 */
		0x00000002,			/* by 3 */
	};
	u32 bad[13];
	struct vgpu_packet p;
	bool good = !decode(w, &p);

	ok(good && p.kind == VGPU_PACKET_COPY_RECT && p.dwords == 13 && p.rect.shift == 2 &&
	   p.rect.src.base == 0x710000000ULL && p.rect.src.x == 2 && p.rect.src.y == 3 &&
	   p.rect.src.z == 4 && p.rect.src.pitch == 256 && p.rect.src.slice == 65536,
	   "COPY sub-window: source");
	ok(p.rect.dst.base == 0x820000000ULL && p.rect.dst.x == 5 && p.rect.dst.y == 6 &&
	   p.rect.dst.z == 7 && p.rect.dst.pitch == 512 && p.rect.dst.slice == 131072,
	   "COPY sub-window: destination");
	ok(p.rect.width == 16 && p.rect.height == 20 && p.rect.depth == 3,
	   "COPY sub-window: extent");
	memcpy(bad, w, sizeof(w));
	bad[0] = 0xa0000401;
	ok(refused(bad, "bad element size"), "COPY sub-window of 32-byte elements is refused");
	bad[0] = w[0];
	bad[1] |= 2;
	ok(refused(bad, "unaligned address"), "COPY sub-window at an odd base is refused");
}

static void test_write(void)
{
	const u32 w[] = { 0x00000002, 0x55555550, 0x00006666, 0x000003ff };
	const u32 most[] = { 0x00000002, 0, 0, 0xfcffffff & 0xfffff };
	struct vgpu_packet p;

	ok(!decode(w, &p) && p.kind == VGPU_PACKET_WRITE && p.write.dst == 0x666655555550ULL &&
	   p.write.dwords == 1024 && p.fixed == 4 && p.dwords == 1028, "WRITE of 1024 dwords");
	ok(!decode(most, &p) && p.write.dwords == 1 << 20, "longest WRITE");
}

static void test_indirect(void)
{
	const u32 w[] = { 0x00090004, 0x77777760, 0x00008888, 0x00000123, 0xaaaaaaaa, 0xbbbb };
	const u32 bad[] = { 0x00090004, 0x77777770, 0x00008888, 0x00000123, 0, 0 };
	struct vgpu_packet p;

	ok(!decode(w, &p) && p.kind == VGPU_PACKET_INDIRECT && p.indirect.vmid == 9 &&
	   p.indirect.base == 0x888877777760ULL && p.indirect.dwords == 0x123 && p.dwords == 6,
	   "INDIRECT with VMID 9");
	ok(refused(bad, "unaligned indirect buffer"), "INDIRECT off 32 bytes is refused");
}

static void test_signals(void)
{
	const u32 fence[] = { 0x00000005, 0x99999998, 0x0000aaaa, 0xdeadbeef };
	const u32 odd[] = { 0x00000005, 0x99999999, 0x0000aaaa, 0xdeadbeef };
	const u32 trap[] = { 0x00000006, 0xf0000abc };
	const u32 stamp[] = { 0x0000020d, 0xccccccc0, 0x0000dddd };
	const u32 local[] = { 0x0000010d, 0xccccccc7, 0x0000dddd };
	const u32 set[] = { 0x0000000d, 0xccccccc7, 0x0000dddd };
	struct vgpu_packet p;

	ok(!decode(fence, &p) && p.kind == VGPU_PACKET_FENCE && p.dwords == 4 &&
	   p.fence.addr == 0xaaaa99999998ULL && p.fence.data == 0xdeadbeef, "FENCE");
	ok(refused(odd, "unaligned address"), "FENCE off a dword is refused");
	ok(!decode(trap, &p) && p.kind == VGPU_PACKET_TRAP && p.dwords == 2 &&
	   p.trap.context == 0xabc, "TRAP with 28 bits of context");
	ok(!decode(stamp, &p) && p.kind == VGPU_PACKET_TIMESTAMP && p.dwords == 3 &&
	   p.timestamp.addr == 0xddddccccccc0ULL, "TIMESTAMP global");
	ok(!decode(local, &p) && p.kind == VGPU_PACKET_TIME_LOCAL && p.dwords == 3 &&
	   p.timestamp.addr == 0xddddccccccc0ULL, "TIMESTAMP local, low bits of no account");
	ok(!decode(set, &p) && p.kind == VGPU_PACKET_TIME_SET && p.dwords == 3 &&
	   p.time_set.value == 0xddddccccccc7ULL, "TIMESTAMP set");
}

static void test_semaphore(void)
{
	const u32 wait[] = { 0x00000007, 0x11111118, 0x2222 };
	const u32 signal[] = { 0x40000007, 0x11111118, 0x2222 };
	const u32 one[] = { 0x60000007, 0x11111118, 0x2222 };
	const u32 wait_one[] = { 0x20000007, 8, 0 }, mailbox[] = { 0xc0000007, 8, 0 };
	const u32 odd[] = { 0x40000007, 4, 0 }, incr_odd[] = { 0x00000107, 4, 0 };
	const u32 incr[] = { 0x00000107, 0x11111118, 0x2222 };
	struct vgpu_packet p;
	bool adds;

	ok(!decode(wait, &p) && p.kind == VGPU_PACKET_SEMAPHORE && p.dwords == 3 &&
	   p.semaphore.addr == 0x222211111118ULL && !p.semaphore.signal, "SEM that waits");
	adds = !decode(signal, &p) && p.semaphore.signal && !p.semaphore.write_one;
	ok(adds && !decode(one, &p) && p.semaphore.signal && p.semaphore.write_one,
	   "SEM that signals, by one more or by 1");
	ok(refused(wait_one, "unsupported form of semaphore") &&
	   refused(mailbox, "unsupported form of semaphore") &&
	   refused(odd, "unaligned address"), "other SEMs are refused");
	ok(!decode(incr, &p) && p.kind == VGPU_PACKET_MEM_INCR && p.dwords == 3 &&
	   p.semaphore.addr == 0x222211111118ULL && refused(incr_odd, "unaligned address"),
	   "MEM_INCR of 8 bytes");
}

static void test_condition(void)
{
	const u32 w[] = { 0x00000009, 0x11111114, 0x2222, 1, 0xffffd123 };
	const u32 most[] = { 0x00000009, 0, 0, 1, 0x3fff };
	const u32 zero[] = { 0x00000009, 0, 0, 0, 1 }, two[] = { 0x00000009, 0, 0, 2, 1 };
	const u32 odd[] = { 0x00000009, 2, 0, 1, 1 };
	struct vgpu_packet p;

	ok(!decode(w, &p) && p.kind == VGPU_PACKET_COND_EXE && p.dwords == 5 &&
	   p.cond.addr == 0x222211111114ULL && p.guarded == 0x1123, "COND_EXE");
	ok(!decode(most, &p) && p.guarded == 0x3fff, "COND_EXE of as much as there can be");
	ok(refused(zero, "condition other than with reference 1") &&
	   refused(two, "condition other than with reference 1") &&
	   refused(odd, "unaligned address"), "COND_EXE of another kind is refused");
}

static void test_poll(void)
{
	const u32 mem[] = { 0xb0000008, 0x11111110, 0x00002222, 5, 0xffffffff, 0x0fff0004 };
	const u32 reg[] = { 0x30000008, 0x0006a354, 0, 0x200, 0x100, 0x0fff000a };
	const u32 hdp[] = { 0x34000008, 0x00003750, 0x00003748, 0x400, 0x400, 0x0123000a };
	const u32 flush[] = { 0x00000008, 0, 0x80000000, 0, 0, 0 };
	const u32 near[] = { 0x00000008, 0, 0x80000000, 0, 0, 1 };
	const u32 func7[] = { 0xf0000008, 0, 0, 0, 0, 0 };
	const u32 odd[] = { 0xb0000008, 2, 0, 0, 0, 0 };
	struct vgpu_packet p;

	ok(!decode(mem, &p) && p.kind == VGPU_PACKET_POLL_MEM && p.dwords == 6 &&
	   p.poll.addr == 0x222211111110ULL && p.poll.func == VGPU_POLL_EQUAL &&
	   p.poll.reference == 5 && p.poll.mask == 0xffffffff && p.poll.interval == 4 &&
	   p.poll.retry == VGPU_POLL_FOREVER, "POLL_REGMEM of memory as ROCr writes it");
	ok(!decode(reg, &p) && p.kind == VGPU_PACKET_POLL_REG && p.poll.addr == 0x6a354 &&
	   p.poll.reference == 0x200 && p.poll.mask == 0x100, "POLL_REGMEM of a register");
	ok(!decode(hdp, &p) && p.kind == VGPU_PACKET_POLL_HDP && p.poll.addr == 0x3750 &&
	   p.poll.request == 0x3748 && p.poll.retry == 0x123, "POLL_REGMEM with HDP flush");
	ok(!decode(flush, &p) && p.kind == VGPU_PACKET_HDP_FLUSH && p.dwords == 6,
	   "the words that mean an HDP flush");
	ok(!decode(near, &p) && p.kind == VGPU_PACKET_POLL_REG, "one other bit, and they do not");
	ok(refused(func7, "bad poll function") && refused(odd, "unaligned address"),
	   "bad POLL_REGMEM is refused");
}

static void test_srbm(void)
{
	const u32 w[] = { 0xf000000e, 0xfffc1abc, 0x12345678 };
	const u32 some[] = { 0x5000000e, 0x1abc, 0x12345678 };
	struct vgpu_packet p;

	ok(!decode(w, &p) && p.kind == VGPU_PACKET_REG_WRITE && p.reg.reg == 0x1abc * 4 &&
	   p.reg.value == 0x12345678 && p.reg.bytes == 0xf && p.dwords == 3, "SRBM_WRITE");
	ok(!decode(some, &p) && p.reg.bytes == 5, "SRBM_WRITE of bytes 0 and 2");
}

static void test_atomic(void)
{
	const u32 w[] = { 0x5e00000a, 0x11111118, 0x2222, 0xffffffff, 0xffffffff,
			  0x33333333, 0x44444444, 0xffffe001 };
	const u32 loop[] = { 0x5001000a, 0, 0, 0, 0, 0, 0, 0 };
	struct vgpu_packet p;

	ok(!decode(w, &p) && p.kind == VGPU_PACKET_ATOMIC && p.atomic.op == 47 &&
	   p.atomic.addr == 0x222211111118ULL && p.atomic.src == ~0ULL &&
	   p.atomic.cmp == 0x4444444433333333ULL && p.atomic.interval == 1 && !p.atomic.loop &&
	   p.dwords == 8, "ATOMIC as ROCr decrements a signal");
	ok(!decode(loop, &p) && p.atomic.loop && p.atomic.op == 0x28, "ATOMIC in a loop");
}

static void test_fill(void)
{
	/* ROCr: (dwords - 1) * 4; kernel: bytes - 1 with size 0, or with size 2. */
	const u32 rocr[] = { 0x8000000b, 0x11111110, 0x2222, 0xabcdabcd, 0x3c };
	const u32 kernel[] = { 0x0000000b, 0x11111110, 0x2222, 0, 0x3f };
	const u32 dwords[] = { 0x8000000b, 0x11111110, 0x2222, 0, 0x3f };
	const u32 words[] = { 0x4000000b, 0, 0, 0, 0x3f };
	const u32 most[] = { 0x8000000b, 0, 0, 0, 0x3fffff };
	const u32 size3[] = { 0xc000000b, 0, 0, 0, 0 };
	struct vgpu_packet p;

	ok(!decode(rocr, &p) && p.kind == VGPU_PACKET_FILL && p.fill.bytes == 64 &&
	   p.fill.dst == 0x222211111110ULL && p.fill.data == 0xabcdabcd && p.dwords == 5,
	   "CONST_FILL of 16 dwords as ROCr writes it");
	ok(!decode(kernel, &p) && p.fill.bytes == 64, "CONST_FILL of 64 bytes, the kernel's form");
	ok(!decode(dwords, &p) && p.fill.bytes == 64, "CONST_FILL of 64 bytes by dwords");
	ok(!decode(words, &p) && p.fill.bytes == 64, "CONST_FILL of 64 bytes by words");
	ok(!decode(most, &p) && p.fill.bytes == 1 << 22, "longest CONST_FILL");
	ok(refused(size3, "bad fill size"), "CONST_FILL of size 3 is refused");
}

static void test_ptepde(void)
{
	const u32 w[] = { 0x0000000c, 0x11111118, 0x2222, 0x00000073, 0x06000000, 0x33333000,
			  0x4444, 0x1000, 0, 0xfff801ff };
	const u32 odd[] = { 0x0000000c, 4, 0, 0, 0, 0, 0, 0, 0, 0 };
	struct vgpu_packet p;

	ok(!decode(w, &p) && p.kind == VGPU_PACKET_PTEPDE && p.dwords == 10 &&
	   p.ptepde.dst == 0x222211111118ULL && p.ptepde.flags == 0x0600000000000073ULL &&
	   p.ptepde.first == 0x444433333000ULL && p.ptepde.step == 0x1000 &&
	   p.ptepde.count == 512, "PTEPDE generate of 512 entries");
	ok(refused(odd, "unaligned address"), "PTEPDE off 8 bytes is refused");
}

/* Packets of the header that the model does not run: the header alone is enough to know. */
static void test_not_run(void)
{
	static const struct { u32 header; const char *why; } rows[] = {
		{ 0x00000101, "tiled surface" },	/* linear to tiled */
		{ 0x08000101, "tiled surface" },	/* to two of them */
		{ 0x80000101, "tiled surface" },	/* tiled to linear */
		{ 0x00000501, "tiled surface" },	/* of a sub-window */
		{ 0x00000601, "tiled surface" },	/* tiled to tiled */
		{ 0x00000102, "tiled surface" },	/* WRITE */
		{ 0x00000301, "packet of unknown effect" },	/* structure of arrays */
		{ 0x00000701, "dirty pages" },
		{ 0x00000801, "copy by physical address" },
		{ 0x00000108, "packet of unknown effect" },	/* register to memory */
		{ 0x00000208, "dirty pages" },
		{ 0x00000308, "packet of unknown effect" },	/* memory verify */
		{ 0x0000010b, "packet of unknown effect" },	/* many fills */
		{ 0x0000010c, "packet of unknown effect" },	/* PTEPDE copy */
		{ 0x0000020c, "packet of unknown effect" },	/* PTEPDE change */
		{ 0x0000030c, "packet of unknown effect" },	/* PTEPDE copy, backwards */
		{ 0x0000000f, "packet of unknown effect" },	/* pre-execution */
		{ 0x00000010, "packet of unknown effect" },	/* dummy trap */
	};
	unsigned int i, right = 0;
	struct vgpu_packet p;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		right += refused(&rows[i].header, rows[i].why) &&
			 vgpu_packet_decode(&rows[i].header, &p, &reason) &&
			 !strcmp(reason, rows[i].why);
	}
	ok(right == i, "%u packets of the header are refused by their first dword", i);
}

static bool in_header(u32 op, u32 subop)
{
	static const u8 subops[] = { 1, 9, 2, 0, 1, 1, 1, 2, 4, 1, 1, 2, 4, 3, 1, 1, 1 };

	return op < ARRAY_SIZE(subops) && subop < subops[op] && !(op == 1 && subop == 2);
}

/* All of the 64 Ki operations and sub-operations, AQL formats among them. */
static void test_unknown(void)
{
	unsigned int header, known = 0, wrong = 0;

	for (header = 0; header < 0x10000; header++) {
		bool fixed = vgpu_packet_fixed(header, &reason);
		bool unknown = !fixed && !strcmp(reason, "unknown packet");

		known += !unknown;
		wrong += unknown == in_header(header & 0xff, header >> 8);
	}
	ok(!wrong && known == 34, "of 65,536 headers only the %u of the public ones are known",
	   known);
}

static void test_random(void)
{
	unsigned int i, j, bad = 0, packets = 0;
	struct vgpu_packet p;
	u64 seed = 0x1234567;
	u32 w[13];

	for (i = 0; i < 1000000; i++) {
		for (j = 0; j < ARRAY_SIZE(w); j++)
			w[j] = fake_random(&seed);
		if (i & 1)
			w[0] = (w[0] & 0xffff0000) | w[1] % 17 | (i & 2) << 7;
		reason = NULL;
		if (decode(w, &p)) {
			bad += !reason;
			continue;
		}
		packets++;
		bad += p.fixed > VGPU_PACKET_MAX_FIXED || p.dwords < p.fixed ||
		       p.dwords > (1 << 20) + 4 || p.guarded > 0x3fff ||
		       (p.guarded && p.kind != VGPU_PACKET_COND_EXE);
	}
	ok(!bad && packets > 1000,
	   "1e6 random packets: %u decoded, lengths bounded (B010, B067)", packets);
}

int main(void)
{
	test_nop();
	test_copy();
	test_broadcast();
	test_rect();
	test_write();
	test_indirect();
	test_signals();
	test_poll();
	test_srbm();
	test_atomic();
	test_fill();
	test_ptepde();
	test_semaphore();
	test_condition();
	test_not_run();
	test_unknown();
	test_random();
	return pure_done();
}
