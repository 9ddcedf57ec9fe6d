// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: the fields of all SDMA packets from the kernel's own header
 *
 * sdma_fields.h is made at test time from vega10_sdma_pkt_open.h of the kernel source
 * package: a line FIELD(packet, field) for each field that it defines.  Prints a line a
 * field: PACKET.FIELD, the header of such a packet, and dword, mask and shift of the field.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <vega10_sdma_pkt_open.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* Two packets of an operation are told apart by a bit that is a field of one of them. */
static const struct {
	const char *packet;
	uint32_t op, sub_op, bits;
} packets[] = {
	{ "COPY_LINEAR", SDMA_OP_COPY, SDMA_SUBOP_COPY_LINEAR },
	{ "COPY_BROADCAST_LINEAR", SDMA_OP_COPY, SDMA_SUBOP_COPY_LINEAR,
	  SDMA_PKT_COPY_BROADCAST_LINEAR_HEADER_BROADCAST(1) },
	{ "COPY_LINEAR_SUBWIN", SDMA_OP_COPY, SDMA_SUBOP_COPY_LINEAR_SUB_WIND },
	{ "COPY_DIRTY_PAGE", SDMA_OP_COPY, SDMA_SUBOP_COPY_DIRTY_PAGE },
	{ "COPY_PHYSICAL_LINEAR", SDMA_OP_COPY, SDMA_SUBOP_COPY_LINEAR_PHY },
	{ "COPY_TILED", SDMA_OP_COPY, SDMA_SUBOP_COPY_TILED },
	{ "COPY_L2T_BROADCAST", SDMA_OP_COPY, SDMA_SUBOP_COPY_TILED,
	  SDMA_PKT_COPY_L2T_BROADCAST_HEADER_BROADCAST(1) },
	{ "COPY_T2T", SDMA_OP_COPY, SDMA_SUBOP_COPY_T2T_SUB_WIND },
	{ "COPY_TILED_SUBWIN", SDMA_OP_COPY, SDMA_SUBOP_COPY_TILED_SUB_WIND },
	{ "COPY_STRUCT", SDMA_OP_COPY, SDMA_SUBOP_COPY_SOA },
	{ "WRITE_UNTILED", SDMA_OP_WRITE, SDMA_SUBOP_WRITE_LINEAR },
	{ "WRITE_TILED", SDMA_OP_WRITE, SDMA_SUBOP_WRITE_TILED },
	{ "WRITE_INCR", SDMA_OP_PTEPDE, SDMA_SUBOP_PTEPDE_GEN },
	{ "PTEPDE_COPY", SDMA_OP_PTEPDE, SDMA_SUBOP_PTEPDE_COPY },
	{ "PTEPDE_COPY_BACKWARDS", SDMA_OP_PTEPDE, SDMA_SUBOP_PTEPDE_COPY_BACKWARDS },
	{ "PTEPDE_RMW", SDMA_OP_PTEPDE, SDMA_SUBOP_PTEPDE_RMW },
	{ "INDIRECT", SDMA_OP_INDIRECT },
	{ "SEMAPHORE", SDMA_OP_SEM },
	{ "FENCE", SDMA_OP_FENCE },
	{ "SRBM_WRITE", SDMA_OP_SRBM_WRITE },
	{ "PRE_EXE", SDMA_OP_PRE_EXE },
	{ "COND_EXE", SDMA_OP_COND_EXE },
	{ "CONSTANT_FILL", SDMA_OP_CONST_FILL },
	{ "DATA_FILL_MULTI", SDMA_OP_CONST_FILL, SDMA_SUBOP_DATA_FILL_MULTI },
	{ "POLL_REGMEM", SDMA_OP_POLL_REGMEM },
	{ "POLL_REG_WRITE_MEM", SDMA_OP_POLL_REGMEM, SDMA_SUBOP_POLL_REG_WRITE_MEM },
	{ "POLL_DBIT_WRITE_MEM", SDMA_OP_POLL_REGMEM, SDMA_SUBOP_POLL_DBIT_WRITE_MEM },
	{ "POLL_MEM_VERIFY", SDMA_OP_POLL_REGMEM, SDMA_SUBOP_POLL_MEM_VERIFY },
	{ "ATOMIC", SDMA_OP_ATOMIC },
	{ "TIMESTAMP_SET", SDMA_OP_TIMESTAMP, SDMA_SUBOP_TIMESTAMP_SET },
	{ "TIMESTAMP_GET", SDMA_OP_TIMESTAMP, SDMA_SUBOP_TIMESTAMP_GET },
	{ "TIMESTAMP_GET_GLOBAL", SDMA_OP_TIMESTAMP, SDMA_SUBOP_TIMESTAMP_GET_GLOBAL },
	{ "TRAP", SDMA_OP_TRAP },
	{ "DUMMY_TRAP", SDMA_OP_DUMMY_TRAP },
	{ "NOP", SDMA_OP_NOP },
};

struct field {
	const char *packet, *name;
	uint32_t word, mask, shift;
};

#define FIELD(packet_, field_) { #packet_, #field_, \
	SDMA_PKT_##packet_##_##field_##_offset, SDMA_PKT_##packet_##_##field_##_mask, \
	SDMA_PKT_##packet_##_##field_##_shift },

static const struct field fields[] = {
#include <sdma_fields.h>
};

int main(void)
{
	unsigned int i, p;
	uint32_t header;

	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		for (p = 0; p < ARRAY_SIZE(packets); p++)
			if (!strcmp(packets[p].packet, fields[i].packet))
				break;
		if (p == ARRAY_SIZE(packets)) {
			fprintf(stderr, "%s: no such packet\n", fields[i].packet);
			return 1;
		}
		header = packets[p].op | packets[p].sub_op << 8 | packets[p].bits;
		/* The address of a register has one dword. */
		if (packets[p].op == SDMA_OP_POLL_REGMEM && !strncmp(fields[i].name, "ADDR_", 5))
			header |= SDMA_PKT_POLL_REGMEM_HEADER_MEM_POLL(1);
		printf("%s.%s %x %x %x %x\n", fields[i].packet, fields[i].name, header,
		       fields[i].word, fields[i].mask, fields[i].shift);
	}
	return 0;
}
