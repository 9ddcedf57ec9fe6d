// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: register numbers against the kernel's own headers
 *
 * Driver and model share kernel/hw/regs, so a wrong number there would hide on both
 * sides.  Every register and field that it names is compared with the lists of the
 * kernel source package, for each chip (regs_oracle.c).  Proves S0.107 (registers).
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "oracle.h"

/* Fewer than there are; a list that went missing is not a success. */
#define LEAST	350

/* Prepares the oracle of one chip. */
#define PREPARE(chip, define) \
	"kernel/tests/oracle/regs_list.sh " chip " >\"$dir/regs_list.h\";" \
	"echo '#define " define "' >\"$dir/regs_chip.h\";" \
	"grep -hE '^#define mm[A-Z0-9_]*_ALDE(BARAN)?(_BASE_IDX)?[[:space:]]' " \
	"\"$amd/amdgpu/nbio_v7_4.c\" \"$amd/amdgpu/vega20_ih.c\" >\"$dir/regs_alde.h\";"

static void compare(const char *chip, const char *prepare)
{
	unsigned int lines = 0;
	bool same = true;
	struct oracle o;

	if (oracle_open(&o, "regs", "", "include/asic_reg/sdma0/sdma0_4_0_offset.h", prepare)) {
		for (; oracle_next(&o); lines++) {
			if (o.count == 2 && o.n[0] == o.n[1])
				continue;
			same = false;
			printf("# %s is 0x%llx, in the kernel's header 0x%llx\n", o.name, o.n[0],
			       o.n[1]);
		}
		oracle_close(&o);
	}
	printf("# %u registers and fields\n", lines);
	pure_okf(same && lines >= LEAST,
		 "%s: registers and fields have the kernel header's numbers", chip);
}

int main(void)
{
	compare("vega10", PREPARE("vega10", "CHIP_VEGA10"));
	compare("vega20", PREPARE("vega20", "CHIP_VEGA20"));
	compare("mi100", PREPARE("arct", "CHIP_ARCT"));
	compare("mi210", PREPARE("aldebaran", "CHIP_ALDEBARAN"));
	return pure_done();
}
