// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: page-table entries from the kernel's own header
 *
 * amdgpu_pte.h is made at test time of the AMDGPU_PTE_, PDE_ and MTYPE_ lines of
 * amdgpu_vm.h of the kernel source package.  Prints a line a kind of entry: its name,
 * then the entry.  Which flags a mapping gets on gfx900 is from amdgpu_amdkfd_gpuvm.c
 * and gmc_v9_0.c.
 */
#include <stdint.h>
#include <stdio.h>

#include <amdgpu_pte.h>
#include <vega10_enum.h>

#define RO	(AMDGPU_PTE_VALID | AMDGPU_PTE_READABLE)
#define RW	(RO | AMDGPU_PTE_WRITEABLE)
#define RWX	(RW | AMDGPU_PTE_EXECUTABLE)
#define HOST	(AMDGPU_PTE_SYSTEM | AMDGPU_PTE_SNOOPED)
#define MTYPE(m)	AMDGPU_PTE_MTYPE_VG10(MTYPE_##m)

static void show(const char *name, uint64_t entry)
{
	printf("%s %016llx\n", name, (unsigned long long)entry);
}

int main(void)
{
	show("pde", 0x1234000 | AMDGPU_PTE_VALID);
	show("empty_pte", AMDGPU_PTE_EXECUTABLE);
	show("empty_pde", AMDGPU_PDE_PTE);
	show("vram_rw", 0x1000 | RW | MTYPE(NC));
	show("vram_ro", 0x1000 | RO | MTYPE(NC));
	show("vram_rwx_frag9", 0x200000 | RWX | MTYPE(NC) | AMDGPU_PTE_FRAG(9));
	show("vram_uc", 0x3000 | RW | MTYPE(UC));
	show("system_rw", 0x1234567000 | RW | HOST | MTYPE(NC));
	show("system_ro", 0x1234567000 | RO | HOST | MTYPE(NC));
	show("system_rwx_frag4", 0x1234560000 | RWX | HOST | MTYPE(NC) | AMDGPU_PTE_FRAG(4));
	show("system_uc", 0x1234567000 | RW | HOST | MTYPE(UC));
	show("big_rw", 0x40000000 | RW | MTYPE(NC) | AMDGPU_PDE_PTE | AMDGPU_PTE_FRAG(9));
	show("big_rwx_uc", 0x40000000 | RWX | MTYPE(UC) | AMDGPU_PDE_PTE | AMDGPU_PTE_FRAG(9));
	return 0;
}
