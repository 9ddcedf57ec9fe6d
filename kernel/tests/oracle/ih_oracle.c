// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: interrupt entries as the kernel's own headers read them
 *
 * Takes entries as arguments, eight words each in hexadecimal, and prints a line for
 * each: "entry", then client, source, ring, VMID, its hub, PASID and the four words of
 * data.  Before them two lines of numbers: clients and sources.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define le32_to_cpu(x)	(x)

#include <soc15_int.h>
#include <ivsrcid/sdma0/irqsrcs_sdma0_4_0.h>

#define DWORDS	8

static void show_numbers(void)
{
	printf("clients %x %x %x %x %x\n", SOC15_IH_CLIENTID_SDMA0, SOC15_IH_CLIENTID_SDMA1,
	       SOC15_IH_CLIENTID_VMC, SOC15_IH_CLIENTID_UTCL2, SOC15_IH_CLIENTID_MAX);
	printf("sources %x %x %x\n", SDMA0_4_0__SRCID__SDMA_TRAP,
	       SDMA0_4_0__SRCID__SDMA_SRBMWRITE, SOC15_INTSRC_SDMA_TRAP);
}

static void show_entry(char **words)
{
	uint32_t e[DWORDS];
	int i;

	for (i = 0; i < DWORDS; i++)
		e[i] = strtoul(words[i], NULL, 16);
	printf("entry %x %x %x %x %x %x %x %x %x %x\n", SOC15_CLIENT_ID_FROM_IH_ENTRY(e),
	       SOC15_SOURCE_ID_FROM_IH_ENTRY(e), SOC15_RING_ID_FROM_IH_ENTRY(e),
	       SOC15_VMID_FROM_IH_ENTRY(e), SOC15_VMID_TYPE_FROM_IH_ENTRY(e),
	       SOC15_PASID_FROM_IH_ENTRY(e), SOC15_CONTEXT_ID0_FROM_IH_ENTRY(e),
	       SOC15_CONTEXT_ID1_FROM_IH_ENTRY(e), SOC15_CONTEXT_ID2_FROM_IH_ENTRY(e),
	       SOC15_CONTEXT_ID3_FROM_IH_ENTRY(e));
}

int main(int argc, char **argv)
{
	int i;

	show_numbers();
	for (i = 1; i + DWORDS <= argc; i += DWORDS)
		show_entry(argv + i);
	return 0;
}
