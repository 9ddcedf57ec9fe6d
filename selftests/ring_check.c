// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: ring_check, packets that a real client wrote
 *
 *   ring_check FILE...
 *
 * Each file holds the words of one user ring, as ioctl_log.c saved them.  Every
 * packet must be known to the model's decoder, and the driver's encoder must write
 * the same words from the decoded fields (S0.105, S0.107): so decoder, encoder and
 * the client agree about each bit.  What the driver's encoder does not offer in the
 * client's form (the HDP-flush words, an atomic with return, a poll with retries) is
 * compared with the words of the public contract instead.
 *
 * Prints a line a packet kind with how many there were; exit status 0 if all agree.
 */
#include <linux/kernel.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../kernel/sdma/sdma_emit.h"
#include "../kernel/vgpu/vgpu_sdma_packet.h"

#define MAX_WORDS	(1u << 18)

static const char *const kind_names[] = {
	[VGPU_PACKET_NOP] = "nop",
	[VGPU_PACKET_COPY] = "copy",
	[VGPU_PACKET_FENCE] = "fence",
	[VGPU_PACKET_TRAP] = "trap",
	[VGPU_PACKET_HDP_FLUSH] = "hdp_flush",
	[VGPU_PACKET_POLL_MEM] = "poll_mem",
	[VGPU_PACKET_ATOMIC] = "atomic",
	[VGPU_PACKET_FILL] = "fill",
	[VGPU_PACKET_TIMESTAMP] = "timestamp",
};

static unsigned int seen[ARRAY_SIZE(kind_names)];

/* @n words, each a u32. */
static unsigned int put(u32 *w, unsigned int n, ...)
{
	unsigned int i;
	va_list ap;

	va_start(ap, n);
	for (i = 0; i < n; i++)
		w[i] = va_arg(ap, u32);
	va_end(ap);
	return n;
}

/* Words of a packet by the encoder or the contract; 0: no such form. */
static unsigned int encode(const struct vgpu_packet *p, u32 *w)
{
	switch (p->kind) {
	case VGPU_PACKET_NOP:
		return sdma_emit_nop(w, 0, p->dwords);
	case VGPU_PACKET_COPY:
		return sdma_emit_copy_linear(w, 0, p->copy.dst, p->copy.src, p->copy.bytes);
	case VGPU_PACKET_FENCE:
		return sdma_emit_fence(w, 0, p->fence.addr, p->fence.data);
	case VGPU_PACKET_TRAP:
		return sdma_emit_trap(w, 0, p->trap.context);
	case VGPU_PACKET_TIMESTAMP:
		return sdma_emit_timestamp(w, 0, p->timestamp.addr);
	case VGPU_PACKET_HDP_FLUSH:
		return put(w, 6, 8, 0, 0x80000000, 0, 0, 0);
	case VGPU_PACKET_ATOMIC:
		return put(w, 8, 0x5e00000a, lower_32_bits(p->atomic.addr),
			   upper_32_bits(p->atomic.addr), lower_32_bits(p->atomic.src),
			   upper_32_bits(p->atomic.src), 0, 0, 0);
	case VGPU_PACKET_POLL_MEM:
		return put(w, 6, 0xb0000008, lower_32_bits(p->poll.addr),
			   upper_32_bits(p->poll.addr), p->poll.reference, p->poll.mask,
			   0x0fff0004);
	default:
		return 0;
	}
}

static int check_packet(const u32 *words, unsigned int left, unsigned int at, unsigned int *n)
{
	struct vgpu_packet p;
	u32 again[64] = { 0 };
	const char *why = "";
	unsigned int fixed = vgpu_packet_fixed(words[0], &why);

	if (!fixed || fixed > left || vgpu_packet_decode(words, &p, &why) || p.dwords > left) {
		fprintf(stderr, "dword %u: %08x does not decode: %s\n", at, words[0], why);
		return -1;
	}
	if (encode(&p, again) != p.fixed || memcmp(again, words, p.fixed * 4)) {
		fprintf(stderr, "dword %u: %08x: the encoder writes other words\n", at, words[0]);
		return -1;
	}
	seen[p.kind]++;
	*n = p.dwords;
	return 0;
}

static int check_file(const char *path)
{
	static u32 words[MAX_WORDS];
	unsigned int i, n, count;
	FILE *f = fopen(path, "rb");

	if (!f) {
		perror(path);
		return -1;
	}
	count = fread(words, 4, MAX_WORDS, f);
	fclose(f);
	if (!count) {
		fprintf(stderr, "%s: empty\n", path);
		return -1;
	}
	for (i = 0; i < count; i += n)
		if (check_packet(words + i, count - i, i, &n))
			return -1;
	return 0;
}

int main(int argc, char **argv)
{
	unsigned int k;
	int i, bad = argc < 2;

	for (i = 1; i < argc; i++)
		if (check_file(argv[i])) {
			fprintf(stderr, "in %s\n", argv[i]);
			bad = 1;
		}
	for (k = 0; k < ARRAY_SIZE(kind_names); k++)
		if (seen[k])
			printf("%s %u\n", kind_names[k], seen[k]);
	return bad;
}
