// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: the table of packets
 *
 * One row a packet, one entry a field: name, dword, highest and lowest bit, and how it
 * reads as text.  The first row whose masked header fits counts.  Numbers are those of
 * vega10_sdma_pkt_open.h of Linux 6.1; MEM_INCR is in the SDMA 4.0 header of AMD's PAL.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "sdma_decode.h"

enum field_form {
	FORM_DEC,
	FORM_HEX,
	FORM_COUNT,	/* one less than what it says */
	FORM_WIDE,	/* two dwords, low first */
	FORM_REG,	/* number of a dword in BAR5, shown as byte offset */
	FORM_FUNC,	/* comparison of a poll */
};

/* How a field behaves beside its form. */
#define FIELD_QUIET		BIT(0)	/* not shown when 0 */
#define FIELD_PAYLOAD		BIT(1)	/* so many dwords follow the fixed part */

/**
 * struct sdma_field - a field of a packet
 * @name: as shown
 * @word: dword
 * @hi: highest bit
 * @lo: lowest bit
 * @form: how it reads
 * @flags: FIELD_*
 * @limit: highest value with a meaning; of an address or offset: what it is a multiple
 *	of; 0: any
 */
struct sdma_field {
	const char *name;
	u8 word, hi, lo;
	u8 form;
	u8 flags;
	u8 limit;
};

/**
 * struct sdma_format - a packet
 * @mask: bits of the header that tell it
 * @value: their value
 * @name: mnemonic
 * @fixed: dwords of the fixed part
 * @count: number of fields
 * @tail_count: number of fields in @tail
 * @field: fields in the order of the text
 * @tail: those that follow and that other packets have as well, or NULL
 */
struct sdma_format {
	u32 mask, value;
	const char *name;
	u8 fixed;
	u8 count;
	u8 tail_count;
	const struct sdma_field *field;
	const struct sdma_field *tail;
};

#define DEC(n, w, h, l)		{ .name = n, .word = w, .hi = h, .lo = l, .form = FORM_DEC }
#define HEX(n, w, h, l)		{ .name = n, .word = w, .hi = h, .lo = l, .form = FORM_HEX }
#define COUNT(n, w, h)		{ .name = n, .word = w, .hi = h, .form = FORM_COUNT }
#define COUNTS(n, w, h, l)	{ .name = n, .word = w, .hi = h, .lo = l, .form = FORM_COUNT }
#define WIDE(n, w)		{ .name = n, .word = w, .form = FORM_WIDE }
#define ADDR(n, w, align)	{ .name = n, .word = w, .form = FORM_WIDE, .limit = align }
#define OFFSET(n, w, align)	{ .name = n, .word = w, .hi = 31, .form = FORM_HEX, .limit = align }
#define REG(n, w, h, l)		{ .name = n, .word = w, .hi = h, .lo = l, .form = FORM_REG }
#define FUNC(w)			{ .name = "func", .word = w, .hi = 30, .lo = 28, \
				  .form = FORM_FUNC, .limit = 6 }
/* Shown only when set: switches and byte swaps. */
#define BITS(n, w, h, l)	{ .name = n, .word = w, .hi = h, .lo = l, .form = FORM_DEC, \
				  .flags = FIELD_QUIET }
#define LIMITED(n, w, h, l, m)	{ .name = n, .word = w, .hi = h, .lo = l, .form = FORM_DEC, \
				  .limit = m }
#define DATA(n, w)		{ .name = n, .word = w, .hi = 19, .form = FORM_COUNT, \
				  .flags = FIELD_PAYLOAD }
#define TMZ			BITS("tmz", 0, 18, 18)
#define ENCRYPT			BITS("encrypt", 0, 16, 16)

static const struct sdma_field nop[] = {
	{ .name = "skip", .word = 0, .hi = 29, .lo = 16, .flags = FIELD_QUIET | FIELD_PAYLOAD },
};

static const struct sdma_field copy_linear[] = {
	COUNT("bytes", 1, 21), WIDE("src", 3), WIDE("dst", 5), ENCRYPT, TMZ,
	BITS("dst_swap", 2, 17, 16), BITS("src_swap", 2, 25, 24),
};

static const struct sdma_field copy_broadcast[] = {
	COUNT("bytes", 1, 21), WIDE("src", 3), WIDE("dst1", 5), WIDE("dst2", 7), ENCRYPT, TMZ,
	BITS("dst2_swap", 2, 9, 8), BITS("dst1_swap", 2, 17, 16), BITS("src_swap", 2, 25, 24),
};

/* How the two sides of a copy are reached. */
static const struct sdma_field copy_spaces[] = {
	TMZ, BITS("dst_swap", 2, 17, 16), BITS("dst_gcc", 2, 19, 19), BITS("dst_sys", 2, 20, 20),
	BITS("dst_log", 2, 21, 21), BITS("dst_snoop", 2, 22, 22), BITS("dst_gpa", 2, 23, 23),
	BITS("src_swap", 2, 25, 24), BITS("src_gcc", 2, 27, 27), BITS("src_sys", 2, 28, 28),
	BITS("src_snoop", 2, 30, 30), BITS("src_gpa", 2, 31, 31),
};

static const struct sdma_field copy_dirty_page[] = {
	COUNT("bytes", 1, 21), WIDE("src", 3), WIDE("dst", 5), BITS("all", 0, 31, 31),
};

static const struct sdma_field copy_physical[] = {
	COUNT("bytes", 1, 21), WIDE("src", 3), WIDE("dst", 5),
};

static const struct sdma_field copy_window[] = {
	ADDR("src", 1, 4), DEC("src_x", 3, 13, 0), DEC("src_y", 3, 29, 16), DEC("src_z", 4, 10, 0),
	COUNTS("src_pitch", 4, 31, 13), COUNT("src_slice", 5, 27), ADDR("dst", 6, 4),
	DEC("dst_x", 8, 13, 0), DEC("dst_y", 8, 29, 16), DEC("dst_z", 9, 10, 0),
	COUNTS("dst_pitch", 9, 31, 13), COUNT("dst_slice", 10, 27), COUNT("width", 11, 13),
	COUNTS("height", 11, 29, 16), COUNT("depth", 12, 10), LIMITED("element", 0, 31, 29, 4),
	TMZ, BITS("dst_swap", 12, 17, 16), BITS("src_swap", 12, 25, 24),
};

static const struct sdma_field copy_tiled[] = {
	WIDE("tiled", 1), DEC("width", 3, 13, 0), DEC("height", 4, 13, 0), DEC("depth", 4, 26, 16),
	HEX("layout", 5, 31, 0), DEC("x", 6, 13, 0), DEC("y", 6, 29, 16), DEC("z", 7, 10, 0),
	WIDE("linear", 8), DEC("pitch", 10, 18, 0), DEC("slice", 11, 31, 0),
	DEC("count", 12, 19, 0), DEC("mip_max", 0, 23, 20), BITS("detile", 0, 31, 31), ENCRYPT, TMZ,
	BITS("linear_swap", 7, 17, 16), BITS("tile_swap", 7, 25, 24),
};

static const struct sdma_field copy_tiled_broadcast[] = {
	WIDE("tiled0", 1), WIDE("tiled1", 3), DEC("width", 5, 13, 0), DEC("height", 6, 13, 0),
	DEC("depth", 6, 26, 16), HEX("layout", 7, 31, 0), DEC("x", 8, 13, 0), DEC("y", 8, 29, 16),
	DEC("z", 9, 10, 0), WIDE("linear", 11), DEC("pitch", 13, 18, 0), DEC("slice", 14, 31, 0),
	DEC("count", 15, 19, 0), DEC("mip_max", 0, 23, 20), BITS("video", 0, 26, 26), ENCRYPT, TMZ,
	BITS("dst2_swap", 10, 9, 8), BITS("linear_swap", 10, 17, 16), BITS("tile_swap", 10, 25, 24),
};

static const struct sdma_field copy_tiled_tiled[] = {
	WIDE("src", 1), DEC("src_x", 3, 13, 0), DEC("src_y", 3, 29, 16), DEC("src_z", 4, 10, 0),
	DEC("src_width", 4, 29, 16), DEC("src_height", 5, 13, 0), DEC("src_depth", 5, 26, 16),
	HEX("src_layout", 6, 31, 0), WIDE("dst", 7), DEC("dst_x", 9, 13, 0),
	DEC("dst_y", 9, 29, 16), DEC("dst_z", 10, 10, 0), DEC("dst_width", 10, 29, 16),
	DEC("dst_height", 11, 13, 0), DEC("dst_depth", 11, 26, 16), HEX("dst_layout", 12, 31, 0),
	DEC("width", 13, 13, 0), DEC("height", 13, 29, 16), DEC("depth", 14, 10, 0),
	DEC("mip_max", 0, 23, 20), TMZ, BITS("dst_swap", 14, 17, 16), BITS("src_swap", 14, 25, 24),
};

static const struct sdma_field copy_tiled_window[] = {
	WIDE("tiled", 1), DEC("tiled_x", 3, 13, 0), DEC("tiled_y", 3, 29, 16),
	DEC("tiled_z", 4, 10, 0), DEC("tiled_width", 4, 29, 16), DEC("tiled_height", 5, 13, 0),
	DEC("tiled_depth", 5, 26, 16), HEX("tiled_layout", 6, 31, 0), WIDE("linear", 7),
	DEC("linear_x", 9, 13, 0), DEC("linear_y", 9, 29, 16), DEC("linear_z", 10, 10, 0),
	DEC("linear_pitch", 10, 29, 16), DEC("linear_slice", 11, 27, 0), DEC("width", 12, 13, 0),
	DEC("height", 12, 29, 16), DEC("depth", 13, 10, 0), DEC("mip_max", 0, 23, 20),
	DEC("mip", 0, 27, 24), BITS("detile", 0, 31, 31), TMZ, BITS("linear_swap", 13, 17, 16),
	BITS("tile_swap", 13, 25, 24),
};

static const struct sdma_field copy_struct[] = {
	WIDE("structs", 1), DEC("first", 3, 31, 0), DEC("count", 4, 31, 0),
	DEC("stride", 5, 10, 0), WIDE("linear", 6), BITS("detile", 0, 31, 31), TMZ,
	BITS("linear_swap", 5, 17, 16), BITS("struct_swap", 5, 25, 24),
};

static const struct sdma_field write_linear[] = {
	WIDE("dst", 1), DATA("dwords", 3), ENCRYPT, TMZ, BITS("swap", 3, 25, 24),
};

static const struct sdma_field write_tiled[] = {
	WIDE("dst", 1), DEC("width", 3, 13, 0), DEC("height", 4, 13, 0), DEC("depth", 4, 26, 16),
	HEX("layout", 5, 31, 0), DEC("x", 6, 13, 0), DEC("y", 6, 29, 16), DEC("z", 7, 10, 0),
	DATA("dwords", 8), DEC("mip_max", 0, 23, 20), ENCRYPT, TMZ, BITS("swap", 7, 25, 24),
};

static const struct sdma_field indirect[] = {
	DEC("vmid", 0, 19, 16), ADDR("ib", 1, 32), DEC("dwords", 3, 19, 0),
	{ .name = "csa", .word = 4, .form = FORM_WIDE, .flags = FIELD_QUIET },
};

static const struct sdma_field fence[] = { ADDR("addr", 1, 4), HEX("data", 3, 31, 0) };

static const struct sdma_field trap[] = { HEX("context", 1, 27, 0) };

static const struct sdma_field semaphore[] = {
	ADDR("addr", 1, 8), BITS("write_one", 0, 29, 29), BITS("signal", 0, 30, 30),
	BITS("mailbox", 0, 31, 31),
};

static const struct sdma_field mem_incr[] = { ADDR("addr", 1, 8) };

static const struct sdma_field poll_tail[] = {
	FUNC(0), HEX("value", 3, 31, 0), HEX("mask", 4, 31, 0), DEC("interval", 5, 15, 0),
	DEC("retry", 5, 27, 16),
};

static const struct sdma_field poll_mem[] = { ADDR("addr", 1, 4) };
static const struct sdma_field poll_reg[] = { OFFSET("reg", 1, 4) };
static const struct sdma_field poll_hdp[] = { OFFSET("done", 1, 4), OFFSET("request", 2, 0) };

static const struct sdma_field poll_reg_write[] = { OFFSET("reg", 1, 0), ADDR("dst", 2, 4) };

static const struct sdma_field poll_dirty_bits[] = {
	DEC("ea", 0, 17, 16), ADDR("dst", 1, 4), HEX("page", 3, 31, 4), DEC("pages", 4, 31, 0),
};

static const struct sdma_field poll_verify[] = {
	BITS("mode", 0, 31, 31), HEX("pattern", 1, 31, 0), WIDE("first_start", 2),
	WIDE("first_end", 4), WIDE("second_start", 6), WIDE("second_end", 8), WIDE("record", 10),
};

static const struct sdma_field cond_exe[] = {
	ADDR("addr", 1, 4), HEX("reference", 3, 31, 0), DEC("dwords", 4, 13, 0),
};

static const struct sdma_field atomic[] = {
	HEX("op", 0, 31, 25), WIDE("addr", 1), WIDE("src", 3), WIDE("cmp", 5),
	BITS("loop", 0, 16, 16), BITS("interval", 7, 12, 0), TMZ,
};

static const struct sdma_field const_fill[] = {
	WIDE("dst", 1), HEX("data", 3, 31, 0), COUNT("bytes", 4, 21),
	LIMITED("size", 0, 31, 30, 2), BITS("swap", 0, 17, 16),
};

static const struct sdma_field fill_multi[] = {
	WIDE("dst", 3), DEC("stride", 1, 31, 0), DEC("times", 2, 31, 0), DEC("count", 5, 25, 0),
	BITS("memlog_clear", 0, 31, 31),
};

static const struct sdma_field pte_generate[] = {
	ADDR("dst", 1, 8), WIDE("value", 5), WIDE("step", 7), WIDE("flags", 3),
	COUNT("entries", 9, 18),
};

static const struct sdma_field pte_copy[] = {
	ADDR("src", 1, 8), ADDR("dst", 3, 8), WIDE("mask", 5), DEC("count", 7, 18, 0),
	BITS("ptepde_op", 0, 31, 31),
};

static const struct sdma_field pte_change[] = {
	ADDR("addr", 1, 8), WIDE("mask", 3), WIDE("value", 5), BITS("gcc", 0, 19, 19),
	BITS("sys", 0, 20, 20), BITS("snoop", 0, 22, 22), BITS("gpa", 0, 23, 23),
};

static const struct sdma_field pte_copy_backwards[] = {
	ADDR("src", 1, 8), ADDR("dst", 3, 8), HEX("mask_first", 5, 7, 0),
	HEX("mask_last", 5, 15, 8), DEC("count", 6, 16, 0), DEC("size", 0, 29, 28),
	BITS("direction", 0, 30, 30), BITS("ptepde_op", 0, 31, 31),
};

static const struct sdma_field time_set[] = { WIDE("value", 1) };
/* The low bits are not part of the address. */
static const struct sdma_field time_get[] = {
	{ .name = "addr", .word = 1, .lo = 3, .form = FORM_WIDE },
};

static const struct sdma_field srbm_write[] = {
	REG("reg", 1, 17, 0), HEX("value", 2, 31, 0), HEX("bytes", 0, 31, 28),
};

static const struct sdma_field pre_exe[] = { HEX("devices", 0, 23, 16), DEC("dwords", 1, 13, 0) };

#define HEADER(op, sub)		((sub) << 8 | (op))
#define ROW_IF(m, v, n, d, f)	{ .mask = m, .value = v, .name = n, .fixed = d, .field = f, \
				  .count = ARRAY_SIZE(f) }
#define ROW_TAIL(m, v, n, d, f, t) { .mask = m, .value = v, .name = n, .fixed = d, .field = f, \
				  .count = ARRAY_SIZE(f), .tail = t, \
				  .tail_count = ARRAY_SIZE(t) }
#define ROW(op, sub, n, d, f)	ROW_IF(0xffff, HEADER(op, sub), n, d, f)
/* Two packets with one operation, told apart by bits further up. */
#define BROADCAST		BIT(27)
#define POLL_KIND		(BIT(31) | BIT(26))

static const struct sdma_format formats[] = {
	ROW(0, 0, "NOP", 1, nop),
	ROW_IF(0xffff | BROADCAST, HEADER(1, 0), "COPY_LINEAR", 7, copy_linear),
	ROW_IF(0xffff | BROADCAST, HEADER(1, 0) | BROADCAST, "COPY_BROADCAST", 9, copy_broadcast),
	ROW_IF(0xffff | BROADCAST, HEADER(1, 1), "COPY_TILED", 13, copy_tiled),
	ROW_IF(0xffff | BROADCAST, HEADER(1, 1) | BROADCAST, "COPY_TILED_BROADCAST", 16,
	       copy_tiled_broadcast),
	ROW(1, 3, "COPY_STRUCT", 8, copy_struct),
	ROW(1, 4, "COPY_WINDOW", 13, copy_window),
	ROW(1, 5, "COPY_TILED_WINDOW", 14, copy_tiled_window),
	ROW(1, 6, "COPY_TILED_TILED", 15, copy_tiled_tiled),
	ROW_TAIL(0xffff, HEADER(1, 7), "COPY_DIRTY_PAGE", 7, copy_dirty_page, copy_spaces),
	ROW_TAIL(0xffff, HEADER(1, 8), "COPY_PHYSICAL", 7, copy_physical, copy_spaces),
	ROW(2, 0, "WRITE", 4, write_linear),
	ROW(2, 1, "WRITE_TILED", 9, write_tiled),
	ROW(4, 0, "INDIRECT", 6, indirect),
	ROW(5, 0, "FENCE", 4, fence),
	ROW(6, 0, "TRAP", 2, trap),
	ROW(7, 0, "SEMAPHORE", 3, semaphore),
	ROW(7, 1, "MEM_INCR", 3, mem_incr),
	ROW_TAIL(0xffff | POLL_KIND, HEADER(8, 0) | BIT(31), "POLL_MEM", 6, poll_mem, poll_tail),
	ROW_TAIL(0xffff | POLL_KIND, HEADER(8, 0), "POLL_REG", 6, poll_reg, poll_tail),
	ROW_TAIL(0xffff | POLL_KIND, HEADER(8, 0) | BIT(26), "POLL_HDP", 6, poll_hdp, poll_tail),
	ROW(8, 1, "POLL_REG_WRITE_MEM", 4, poll_reg_write),
	ROW(8, 2, "POLL_DIRTY_WRITE_MEM", 5, poll_dirty_bits),
	ROW(8, 3, "POLL_MEM_VERIFY", 13, poll_verify),
	ROW(9, 0, "COND_EXE", 5, cond_exe),
	ROW(10, 0, "ATOMIC", 8, atomic),
	ROW(11, 0, "CONST_FILL", 5, const_fill),
	ROW(11, 1, "FILL_MULTI", 6, fill_multi),
	ROW(12, 0, "PTEPDE", 10, pte_generate),
	ROW(12, 1, "PTEPDE_COPY", 8, pte_copy),
	ROW(12, 2, "PTEPDE_RMW", 7, pte_change),
	ROW(12, 3, "PTEPDE_COPY_BACKWARDS", 7, pte_copy_backwards),
	ROW(13, 0, "TIMESTAMP_SET", 3, time_set),
	ROW(13, 1, "TIMESTAMP_LOCAL", 3, time_get),
	ROW(13, 2, "TIMESTAMP", 3, time_get),
	ROW(14, 0, "SRBM_WRITE", 3, srbm_write),
	ROW(15, 0, "PRE_EXE", 2, pre_exe),
	ROW(16, 0, "DUMMY_TRAP", 2, trap),
};

/* What ROCr sends to flush the HDP reads like a poll of register 0. */
static const u32 hdp_flush_words[] = { 0x00000008, 0, 0x80000000, 0, 0, 0 };
static const struct sdma_format hdp_flush = {
	.name = "HDP_FLUSH", .fixed = ARRAY_SIZE(hdp_flush_words),
};

static const struct sdma_format *find_format(u32 header)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(formats); i++)
		if ((header & formats[i].mask) == formats[i].value)
			return &formats[i];
	return NULL;
}

static bool is_hdp_flush(const u32 *words)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(hdp_flush_words); i++)
		if (words[i] != hdp_flush_words[i])
			return false;
	return true;
}

/* The fields one after another; NULL behind the last. */
static const struct sdma_field *next_field(const struct sdma_format *format, unsigned int i)
{
	if (i < format->count)
		return &format->field[i];
	i -= format->count;
	return i < format->tail_count ? &format->tail[i] : NULL;
}

static u64 field_value(const struct sdma_field *f, const u32 *words)
{
	u32 bits;

	if (f->form == FORM_WIDE)
		return (words[f->word] | (u64)words[f->word + 1] << 32) >> f->lo << f->lo;
	bits = words[f->word] << (31 - f->hi) >> (31 - f->hi + f->lo);
	switch (f->form) {
	case FORM_COUNT:
		return (u64)bits + 1;
	case FORM_REG:
		return (u64)bits << 2;
	default:
		return bits;
	}
}

static const char *field_fault(const struct sdma_field *f, u64 value)
{
	if (!f->limit)
		return NULL;
	if (f->form == FORM_WIDE || f->form == FORM_HEX)
		return value & (f->limit - 1) ? "unaligned address" : NULL;
	return value > f->limit ? "value without a meaning" : NULL;
}

static int illegal(struct sdma_decoded *d, const char *why, const char *field)
{
	d->dwords = 1;
	d->why = why;
	d->field = field;
	return -EINVAL;
}

/**
 * sdma_decode - what packet stands here?
 * @words: its dwords; the fixed part is looked at, as far as it is @avail
 * @avail: dwords that there are, payload and all, be @words as long or not
 * @d: result, filled in whatever is returned
 *
 * Context: any.
 * Return: 0; -EINVAL, no legal packet; -ENODATA, more dwords are needed than @avail, for
 * the fixed part to begin with, and &sdma_decoded.dwords says how many.
 */
int sdma_decode(const u32 *words, u64 avail, struct sdma_decoded *d)
{
	const struct sdma_field *f;
	unsigned int i;

	*d = (struct sdma_decoded){ .dwords = 1 };
	if (!avail)
		return -ENODATA;
	d->format = find_format(words[0]);
	if (!d->format)
		return illegal(d, "unknown packet", NULL);
	d->name = d->format->name;
	d->fixed = d->format->fixed;
	d->dwords = d->fixed;
	if (avail < d->fixed)
		return -ENODATA;
	if (d->fixed == hdp_flush.fixed && is_hdp_flush(words)) {
		d->format = &hdp_flush;
		d->name = hdp_flush.name;
	}
	for (i = 0; (f = next_field(d->format, i)); i++) {
		u64 value = field_value(f, words);
		const char *why = field_fault(f, value);

		if (why)
			return illegal(d, why, f->name);
		if (f->flags & FIELD_PAYLOAD)
			d->dwords += value;
	}
	return avail < d->dwords ? -ENODATA : 0;
}

/**
 * struct text - a buffer that fills
 * @buf: memory
 * @size: bytes, at least 1
 * @at: bytes used, less than @size
 */
struct text {
	char *buf;
	size_t size, at;
};

static void advance(struct text *t, int written)
{
	t->at = min_t(size_t, t->at + written, t->size - 1);
}

static void put_field(struct text *t, const struct sdma_field *f, u64 value)
{
	static const char *const functions[] = { "always", "lt", "le", "eq", "ne", "ge", "gt" };
	char *buf = t->buf + t->at;
	size_t left = t->size - t->at;

	if (f->form == FORM_FUNC)
		advance(t, snprintf(buf, left, " %s=%s", f->name, functions[value]));
	else if (f->form == FORM_DEC || f->form == FORM_COUNT)
		advance(t, snprintf(buf, left, " %s=%llu", f->name, (unsigned long long)value));
	else
		advance(t, snprintf(buf, left, " %s=0x%llx", f->name, (unsigned long long)value));
}

/**
 * sdma_decode_text - write a packet down: mnemonic, then fields as NAME=VALUE
 * @d: from sdma_decode(), which said that it is legal, or that only its payload is
 *	incomplete
 * @words: the same words, the whole fixed part
 * @text: buffer; SDMA_DECODE_TEXT bytes hold any packet
 * @size: its bytes, at least 1
 *
 * Context: any.
 * Return: length of the text, without its terminating zero.
 */
int sdma_decode_text(const struct sdma_decoded *d, const u32 *words, char *text, size_t size)
{
	struct text t = { .buf = text, .size = size };
	const struct sdma_field *f;
	unsigned int i;

	advance(&t, snprintf(text, size, "%s", d->name));
	for (i = 0; (f = next_field(d->format, i)); i++) {
		u64 value = field_value(f, words);

		if (value || !(f->flags & FIELD_QUIET))
			put_field(&t, f, value);
	}
	return t.at;
}
