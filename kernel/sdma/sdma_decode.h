/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: SDMA packets as text
 *
 * The one decoder for people: debugfs, the report on a hang and tools/sdma-decode use
 * it.  It knows every packet of SDMA 4.0 that AMD's public headers name, but those in
 * AQL format, which only the mode of their queue tells apart.  A packet is *legal* if
 * that header has it and its fields hold values with a meaning; whether the engine at
 * hand runs it, and for whom, is not asked here.
 *
 * A packet has a *fixed part*, which is decoded, and perhaps a payload, which only
 * counts.  The model has a decoder of its own, apart from this one on purpose.  Pure:
 * compiles in user space.
 */
#ifndef CARILLON_SDMA_DECODE_H
#define CARILLON_SDMA_DECODE_H

#include <linux/types.h>

/* Dwords of the longest fixed part, and bytes of text that hold any packet. */
#define SDMA_DECODE_FIXED	16
#define SDMA_DECODE_TEXT	640

struct sdma_format;

/**
 * struct sdma_decoded - what sdma_decode() found
 * @name: mnemonic; NULL for no packet
 * @fixed: dwords of the fixed part
 * @dwords: of the whole packet; 1 for an illegal one, so that one can go on behind it
 * @why: why it is illegal, or NULL
 * @field: field that is to blame, or NULL
 * @format: for sdma_decode_text()
 */
struct sdma_decoded {
	const char *name;
	u32 fixed;
	u32 dwords;
	const char *why;
	const char *field;
	const struct sdma_format *format;
};

int sdma_decode(const u32 *words, u64 avail, struct sdma_decoded *d);
int sdma_decode_text(const struct sdma_decoded *d, const u32 *words, char *text, size_t size);

#endif /* CARILLON_SDMA_DECODE_H */
