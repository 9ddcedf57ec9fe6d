// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* pure: kernel/vm/vm_pte.c */
/**
 * DOC: page-table entries against the kernel's own header
 *
 * Every kind of entry that the driver writes equals that of pte_oracle.c.  Proves
 * S0.105 (entries, driver side).
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/vm/vm_pte.h"
#include "oracle.h"

#define RO	VM_MAP_READ
#define RW	(VM_MAP_READ | VM_MAP_WRITE)
#define RWX	(RW | VM_MAP_EXEC)
#define UC	VM_MAP_UNCACHED

struct kind {
	const char *name;
	u64 entry;
};

static u64 vram(u64 addr, u32 flags, unsigned int frag)
{
	return vm_pte(addr, vm_pte_flags(false, flags), frag);
}

static u64 host(u64 addr, u32 flags, unsigned int frag)
{
	return vm_pte(addr, vm_pte_flags(true, flags), frag);
}

int main(void)
{
	const struct kind kinds[] = {
		{ "pde", vm_pde(0x1234000) },
		{ "empty_pte", VM_PTE_EMPTY },
		{ "empty_pde", VM_PDE_EMPTY },
		{ "vram_rw", vram(0x1000, RW, 0) },
		{ "vram_ro", vram(0x1000, RO, 0) },
		{ "vram_rwx_frag9", vram(0x200000, RWX, 9) },
		{ "vram_uc", vram(0x3000, RW | UC, 0) },
		{ "system_rw", host(0x1234567000, RW, 0) },
		{ "system_ro", host(0x1234567000, RO, 0) },
		{ "system_rwx_frag4", host(0x1234560000, RWX, 4) },
		{ "system_uc", host(0x1234567000, RW | UC, 0) },
		{ "big_rw", 0x40000000 | vm_pte_big_flags(vm_pte_flags(false, RW)) },
		{ "big_rwx_uc", 0x40000000 | vm_pte_big_flags(vm_pte_flags(false, RWX | UC)) },
	};
	unsigned int i = 0;
	struct oracle o;

	if (oracle_open(&o, "pte", "", "amdgpu/amdgpu_vm.h", ORACLE_PTE_HEADER)) {
		for (; oracle_next(&o) && i < ARRAY_SIZE(kinds); i++)
			pure_okf(!strcmp(o.name, kinds[i].name) && o.count == 1 &&
				 PURE_EQ(kinds[i].entry, o.n[0]),
				 "%.40s equals the kernel header's bits (S0.105)", kinds[i].name);
		oracle_close(&o);
	}
	pure_ok(PURE_EQ(i, ARRAY_SIZE(kinds)), "every kind was compared");
	return pure_done();
}
