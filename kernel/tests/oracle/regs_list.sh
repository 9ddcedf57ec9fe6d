#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# regs_list.sh CHIP: prints a line for each register and field that kernel/hw/regs
# names for a chip, for regs_oracle.c; values made of several fields (DEFAULT) are none.
# Runs in the top folder of the tree.

# block PREFIX FILE BASE: registers at absolute addresses
block()
{
	sed -n "/__DEFAULT[[:space:]]/d
		/__ENABLE_DEFAULT[[:space:]]/d
		s/^#define $1_\([A-Z0-9_]*\)[[:space:]]*HW_REG(.*/REG($1_\1, \1, $3)/p
		s/^#define   $1_\([A-Z0-9_]*__[A-Z0-9_]*\)[[:space:]].*/FIELD($1_\1, \1)/p" \
		"kernel/hw/regs/$2_regs.h"
}

block ATHUB1 athub_1_0 ATHUB
block GC9 gc_9_0 GC
block HDP4 hdp_4_0 HDP
block OSSSYS4 osssys_4_0 OSSSYS | if [ "$1" = aldebaran ]; then cat; else grep -v _ALDEBARAN; fi
# The lists of NBIO 7.4 name some registers without the function they belong to.
nbio_7_4()
{
	block NBIO6 nbio_6_1 "$1" | sed '/STRAP0, /d
		s/, RCC_PF_0_0_\([A-Z]\)/, \1/
		s/, BIF_BX_PF0_/, /'
	block NBIO7 nbio_7_4 "$1" | sed "/STRAP0$2, /d"
}

# MMHUB 9.4.1 has a name for each part of a hub, and all of them twice.
mmhub_9_4_1()
{
	block MMHUB1 mmhub_1_0 MMHUB | sed '/^REG(MMHUB1_SHARED/d
		s/, VM_L2_/, VML2PF0_VM_L2_/
		s/, VM_\([CI]\)/, VML2VC0_VM_\1/
		s/, MC_VM_FB_OFFSET/, VMSHAREDPF0_MC_VM_FB_OFFSET/
		s/, MC_VM_SYSTEM_APERTURE_DEFAULT/, VMSHAREDPF0_MC_VM_SYSTEM_APERTURE_DEFAULT/
		s/, MC_VM_/, VMSHAREDVC0_MC_VM_/
		s/^REG(/HUB(/
		h
		/^HUB/!b
		p
		s/^HUB/HUB1/
		s/\(P\|V\)\(F\|C\)0_/\1\21_/'
}

case $1 in
arct) mmhub_9_4_1 ;;
aldebaran) block MMHUB1 mmhub_1_0 MMHUB | sed '/^REG(MMHUB1_SHARED/d; s/^REG(/HUB(/' ;;
*) block MMHUB1 mmhub_1_0 MMHUB | sed '/^REG(MMHUB1_SHARED/d' ;;
esac
case $1 in
vega10)
	block NBIO6 nbio_6_1 NBIF
	;;
vega20)
	nbio_7_4 NBIO _ALDE
	;;
arct)
	nbio_7_4 NBIF0 _ALDE
	;;
aldebaran)
	nbio_7_4 NBIO
	;;
esac

# SDMA: registers of an instance, and of one of its rings (Q). RB_SIZE is the one
# field that has another width in SDMA 4.2.
sed -n '/SDMA4_INSTANCE_SIZE/d
	/SDMA4_VEGA/d
	/SDMA4_ARCT/d
	/SDMA4_ALDE/d
	/SDMA4_MAX/d
	/SDMA422/d
	/SDMA4_QUEUE/d
	s/^#define SDMA4_Q_\([A-Z0-9_]*\)[[:space:]]*HW_DW(.*/QUEUE(\1)/p
	s/^#define   SDMA4_Q_\([A-Z0-9_]*__[A-Z0-9_]*\)[[:space:]].*/QUEUE_FIELD(\1)/p
	/SDMA4_Q_/d
	s/^#define SDMA4_\([A-Z0-9_]*\)[[:space:]]*HW_DW(.*/INSTANCE(\1)/p
	s/^#define   SDMA4_\([A-Z0-9_]*__[A-Z0-9_]*\)[[:space:]].*/FIELD(SDMA4_\1, SDMA0_\1)/p' \
	kernel/hw/regs/sdma0_4_0_regs.h | if [ "$1" = vega10 ]; then cat; else grep -v RB_SIZE; fi
