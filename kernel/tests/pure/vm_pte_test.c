// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Golden words of every kind of GFX9 entry that the driver writes, by hand from the
 * bit positions in Linux 6.1's amdgpu_vm.h and the flags that amdkfd chooses for
 * gfx900; fragments against a reference that tries every size.  S0.105.
 */
/* pure: kernel/vm/vm_pte.c */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>

#include "kernel/tests/pure/pure_test.h"
#include "kernel/vm/vm_pte.h"

static void expect(u64 got, u64 want, const char *name)
{
	pure_ok(PURE_EQ(got, want), name);
}

#define RW	(VM_MAP_READ | VM_MAP_WRITE)
#define RWX	(RW | VM_MAP_EXEC)

static void golden_entries(void)
{
	expect(vm_pde(0x0000000123456000ULL), 0x0000000123456001ULL, "PDE");
	expect(vm_pde(0x0000fffffffff000ULL), 0x0000fffffffff001ULL, "PDE, highest address");
	expect(VM_PTE_EMPTY, 0x0000000000000010ULL, "empty PTE");
	expect(VM_PDE_EMPTY, 0x0040000000000000ULL, "empty PDE");
	expect(vm_pte(0x1000, vm_pte_flags(false, RW), 0), 0x0000000000001061ULL,
	       "VRAM, read and write");
	expect(vm_pte(0x1000, vm_pte_flags(false, VM_MAP_READ), 0), 0x0000000000001021ULL,
	       "VRAM, read only");
	expect(vm_pte(0x200000, vm_pte_flags(false, RWX), 9), 0x00000000002004f1ULL,
	       "VRAM, executable, fragment 9");
	expect(vm_pte(0x3000, vm_pte_flags(false, RW | VM_MAP_COHERENT), 0), 0x0600000000003061ULL,
	       "VRAM, coherent: UC");
	expect(vm_pte(0x3000, vm_pte_flags(false, RW | VM_MAP_UNCACHED), 0), 0x0600000000003061ULL,
	       "VRAM, uncached: UC");
	expect(vm_pte(0x1234567000ULL, vm_pte_flags(true, RW), 0), 0x0000001234567067ULL,
	       "system, read and write");
	expect(vm_pte(0x1234567000ULL, vm_pte_flags(true, VM_MAP_READ), 0), 0x0000001234567027ULL,
	       "system, read only");
	expect(vm_pte(0x1234567000ULL, vm_pte_flags(true, RWX), 4), 0x0000001234567277ULL,
	       "system, executable, fragment 4");
	expect(vm_pte(0x1234567000ULL, vm_pte_flags(true, RW | VM_MAP_COHERENT), 0),
	       0x0600001234567067ULL, "system, coherent: UC");
	expect(vm_pte(0xfe400000ULL, vm_pte_flags(true, RW | VM_MAP_UNCACHED), 0),
	       0x06000000fe400067ULL, "registers and doorbells");
	expect(0x40000000ULL | vm_pte_big_flags(vm_pte_flags(false, RW)), 0x00400000400004e1ULL,
	       "2 MiB entry of PDB0");
	expect(0x40000000ULL | vm_pte_big_flags(vm_pte_flags(false, RWX | VM_MAP_UNCACHED)),
	       0x06400000400004f1ULL, "2 MiB entry, executable, UC");
}

static void one_bit_each(void)
{
	expect(HW_PTE_VALID | HW_PTE_SYSTEM | HW_PTE_SNOOPED | HW_PTE_EXECUTABLE |
	       HW_PTE_READABLE | HW_PTE_WRITEABLE, 0x77, "low bits");
	expect(HW_PTE_FRAG(31), 0xf80, "fragment field");
	expect(HW_PTE_FRAG(32), 0, "fragment field does not spill");
	expect(HW_PTE_PRT, 1ULL << 51, "PRT bit");
	expect(HW_PTE_MTYPE(HW_MTYPE_NC), 0, "MTYPE NC");
	expect(HW_PTE_MTYPE(HW_MTYPE_WC), 0x0200000000000000ULL, "MTYPE WC");
	expect(HW_PTE_MTYPE(HW_MTYPE_CC), 0x0400000000000000ULL, "MTYPE CC");
	expect(HW_PTE_MTYPE(HW_MTYPE_UC), 0x0600000000000000ULL, "MTYPE UC");
}

/* Every size is tried; the largest whose group is aligned and contiguous wins. */
static unsigned int slow_frag(u64 va, u64 addr, u64 bytes)
{
	unsigned int frag, best = 0;

	for (frag = 0; frag <= 9; frag++) {
		u64 size = 4096ULL << frag;

		if (va % size == 0 && addr % size == 0 && bytes >= size)
			best = frag;
	}
	return best;
}

static bool check_frag(void)
{
	u64 va, addr, pages;

	for (va = 0; va <= 1024; va += 1 + va / 9)
		for (addr = 0; addr <= 1024; addr += 1 + addr / 7)
			for (pages = 1; pages <= 1025; pages += 1 + pages / 5)
				if (vm_pte_frag(va << 12, addr << 12, pages << 12) !=
				    slow_frag(va << 12, addr << 12, pages << 12))
					return false;
	return true;
}

static u64 random64(void)
{
	static u64 state = 0x9e3779b97f4a7c15ULL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Addresses with runs that follow each other, some of them well aligned. */
static void make_addresses(u64 *addrs, unsigned int count)
{
	unsigned int i = 0;

	while (i < count) {
		unsigned int n = 1 + random64() % 200;
		u64 addr = (random64() % 4096 << 12) + (random64() % 64 << 28);

		if (random64() % 2)
			addr &= ~0x1fffffULL;
		for (; n && i < count; n--, i++, addr += 4096)
			addrs[i] = addr;
	}
}

/* A group that carries a fragment is aligned in both addresses, complete and contiguous. */
static bool group_ok(const u64 *out, const u64 *addrs, unsigned int count, unsigned int i, u64 va)
{
	unsigned int frag = (out[i] >> 7) & 31, k, n = 1u << frag;
	u64 page = (va >> 12) + i;
	unsigned int first = i - page % n;

	if (frag > 9 || page % n > i || first + n > count || (addrs[first] >> 12) % n)
		return false;
	for (k = 0; k < n; k++)
		if (addrs[first + k] != addrs[first] + k * 4096ULL ||
		    ((out[first + k] >> 7) & 31) != frag)
			return false;
	return true;
}

static bool encode_ok(const u64 *out, const u64 *addrs, unsigned int count, u64 va, u64 flags)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		if ((out[i] & ~HW_PTE_FRAG_MASK) != (addrs[i] | flags))
			return false;
		if (!group_ok(out, addrs, count, i, va))
			return false;
	}
	return true;
}

static bool check_encode(void)
{
	u64 addrs[512], out[514], flags = vm_pte_flags(true, RW);
	unsigned int round, count;

	for (round = 0; round < 2000; round++) {
		u64 va = random64() % 512 << 12;

		count = 1 + random64() % 512;
		make_addresses(addrs, count);
		memset(out, 0xa5, sizeof(out));
		vm_pte_encode(out, addrs, count, va, flags);
		if (!encode_ok(out, addrs, count, va, flags) ||
		    out[count] != 0xa5a5a5a5a5a5a5a5ULL)
			return false;
	}
	return true;
}

/* A whole aligned 2 MiB is one fragment; one page off, it is not. */
static bool check_encode_golden(void)
{
	u64 addrs[512], out[512];
	unsigned int i;

	for (i = 0; i < 512; i++)
		addrs[i] = 0x40000000 + i * 4096ULL;
	vm_pte_encode(out, addrs, 512, 0x200000, 0x67);
	if (out[0] != 0x400004e7 || out[511] != 0x401ff4e7)
		return false;
	vm_pte_encode(out, addrs, 512, 0x201000, 0x67);
	return out[0] == 0x40000067 && out[511] == 0x401ff067;
}

static bool check_frag_run(void)
{
	unsigned int round;

	for (round = 0; round < 20000; round++) {
		u64 va = random64() % 2048 << 12, addr = random64() % 2048 << 12;
		unsigned int pages = 1 + random64() % 600, frag, n;

		n = vm_pte_frag_run(va, addr, pages, &frag);
		if (!n || n > pages || n % (1u << frag))
			return false;
		if (frag != slow_frag(va, addr, (u64)pages << 12))
			return false;
	}
	return true;
}

int main(void)
{
	golden_entries();
	one_bit_each();
	pure_ok(check_frag(), "fragment against every size");
	pure_ok(check_frag_run(), "runs of one fragment size");
	pure_ok(check_encode(), "fragments of scattered pages are aligned and complete");
	pure_ok(check_encode_golden(), "a whole aligned 2 MiB is fragment 9");
	return pure_done();
}
