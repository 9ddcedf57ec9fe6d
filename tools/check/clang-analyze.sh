#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# clang-analyze.sh FLAG... FILE: what kbuild calls for each file with
# C=2 CHECK=clang-analyze.sh: clang's static analyser, told the compiler's flags but
# those that are gcc's or sparse's alone. It compiles nothing; the file was compiled before.
for word; do
	shift
	case $word in
	# The configuration is that of a kernel that gcc built.
	-mfunction-return=* | -mindirect-branch* | -mrecord-mcount | -mfentry | -mpreferred-stack-boundary=*) ;;
	-fconserve-stack | -fno-allow-store-data-races | -ftrivial-auto-var-init=* | -fzero-call-used-regs=*) ;;
	-fno-var-tracking-assignments | -femit-struct-debug-baseonly | -fcf-protection=*) ;;
	-fplugin* | -fsanitize* | -fno-sanitize* | --param* | -ftest-coverage | -fprofile-arcs) ;;
	-falign-* | -fno-tree-* | -fno-ipa-* | -fstack-clash-protection | -flive-patching=*) ;;
	# Warnings are gcc's work.
	-W | -W[!p]*) ;;
	# sparse's, from CHECKFLAGS
	-Wbitwise | -nostdinc | -Dunix | -Dlinux) ;;
	*) set -- "$@" "$word" ;;
	esac
done
exec clang --analyze --analyzer-output text -Wno-everything "$@"
