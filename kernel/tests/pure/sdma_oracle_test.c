// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* pure: kernel/sdma/sdma_emit.c */
/**
 * DOC: SDMA packets against the kernel's own header
 *
 * The words of sdma_packet_oracle.c are those of our encoders.  Proves S0.105, S0.107.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/sdma/sdma_emit.h"
#include "oracle.h"

#define HEADER		"amdgpu/vega10_sdma_pkt_open.h"
#define PACKETS		14

#define DST		0x0000123456789ab8ULL
#define SRC		0x0000fedc87654321ULL

static unsigned int ours(const char *name, u32 *ib)
{
	static const u32 data[] = { 0x01234567, 0x89abcdef };

	if (!strcmp(name, "copy"))
		return sdma_emit_copy_linear(ib, 0, DST, SRC, 0x123456);
	if (!strcmp(name, "fill"))
		return sdma_emit_fill(ib, 0, DST, 0xdeadbeef, 0x400000);
	if (!strcmp(name, "write"))
		return sdma_emit_write_linear(ib, 0, DST, data, 2);
	if (!strcmp(name, "ptepde"))
		return sdma_emit_ptepde_generate(ib, 0, DST, 0x0600000000000073ULL,
						 0x0000000345678000ULL, 0x200000, 0x80000);
	if (!strcmp(name, "nop"))
		return sdma_emit_nop(ib, 0, 2);
	if (!strcmp(name, "fence"))
		return sdma_emit_fence(ib, 0, DST, 0xfedcba98);
	if (!strcmp(name, "trap"))
		return sdma_emit_trap(ib, 0, 0x89abcdef);
	if (!strcmp(name, "timestamp"))
		return sdma_emit_timestamp(ib, 0, DST);
	if (!strcmp(name, "atomic"))
		return sdma_emit_atomic_add64(ib, 0, DST, ~0ULL);
	if (!strcmp(name, "srbm"))
		return sdma_emit_srbm_write(ib, 0, 0x1a6e3 * 4, 0x007c0100);
	if (!strcmp(name, "poll_mem"))
		return sdma_emit_poll_mem(ib, 0, DST, 0x55, 0xff, 4);
	if (!strcmp(name, "poll_reg"))
		return sdma_emit_poll_reg(ib, 0, 0x1a6f5 * 4, 0x100, 0x100, 10);
	if (!strcmp(name, "hdp_flush"))
		return sdma_emit_hdp_flush(ib, 0, 0xe26 * 4, 0xe27 * 4, 0x400);
	return 0;
}

/* INDIRECT is emitted at its phase; what counts is the packet behind the NOPs. */
static unsigned int ours_or_indirect(const char *name, u32 *ib)
{
	unsigned int end;

	if (strcmp(name, "indirect"))
		return ours(name, ib);
	end = sdma_emit_indirect(ib, 2, 9, 0x123456789aa0ULL, 0x1000);
	memmove(ib, ib + 2, (end - 2) * sizeof(*ib));
	return end - 2;
}

static void compare(const struct oracle *o)
{
	u32 got[ORACLE_NUMBERS];
	unsigned int i, len = ours_or_indirect(o->name, got);
	bool same = o->count && len == o->count;

	for (i = 0; same && i < len; i++)
		same = got[i] == o->n[i];
	pure_okf(same, "%.40s equals the kernel header's words (S0.105)", o->name);
	for (i = 0; !same && i < min(len, o->count); i++)
		printf("# dword %u: 0x%08x, header 0x%08llx\n", i, got[i], o->n[i]);
}

int main(void)
{
	unsigned int packets = 0;
	struct oracle o;

	if (oracle_open(&o, "sdma_packet", "", HEADER, "")) {
		for (; oracle_next(&o); packets++)
			compare(&o);
		oracle_close(&o);
	}
	pure_ok(PURE_EQ(packets, PACKETS), "the oracle names every packet that the driver emits");
	return pure_done();
}
