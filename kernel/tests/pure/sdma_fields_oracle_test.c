// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* pure: kernel/sdma/sdma_decode.c */
/**
 * DOC: the decoder for people against the kernel's own packet header
 *
 * Every field of every packet that the header defines is shown: with one bit of it set, the
 * text of an otherwise empty packet differs, in one number and by what that bit is worth, or
 * names another packet.  Tried are its highest bit and its lowest.  The fixed part is as
 * long as the last field demands.  Proves S0.105.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include <ctype.h>

#include "kernel/sdma/sdma_decode.h"
#include "oracle.h"

#define HEADER		"amdgpu/vega10_sdma_pkt_open.h"
#define PACKETS		35
#define FIELDS		337	/* but op, sub_op, payload and what is reserved */

/* sdma_fields.h: FIELD(packet, field) for each field; comments tell packets apart. */
#define PREPARE \
	"awk '/Definitions for / { packet = \"\" } " \
	"/Definitions for SDMA_PKT_/ { packet = substr($4, 10) } " \
	"packet && /^#define SDMA_PKT_.*_offset / { " \
	"name = substr($2, 11 + length(packet)); sub(/_offset$/, \"\", name); " \
	"print \"FIELD(\" packet \", \" name \")\" }' " \
	"\"$amd/" HEADER "\" >\"$dir/sdma_fields.h\";"

/**
 * struct field - as the header has it
 * @packet: name
 * @name: likewise
 * @header: first dword of such a packet
 * @word: of the field
 * @mask: its bits, moved down
 * @shift: how far
 */
struct field {
	char packet[40];
	const char *name;
	u32 header, word, mask, shift;
};

static void show(const u32 *words, char *text, u32 *fixed)
{
	struct sdma_decoded d;

	strcpy(text, "-");
	if (sdma_decode(words, ~0ULL, &d) != -EINVAL)
		sdma_decode_text(&d, words, text, SDMA_DECODE_TEXT);
	else if (d.field)
		strcpy(text, "odd");
	*fixed = d.fixed;
}

/* Length of the word at @s, with the space before it. */
static size_t word_len(const char *s)
{
	return *s ? 1 + strcspn(s + 1, " ") : 0;
}

/* The first word of @a that is another in @b, or its end. */
static const char *difference(const char *a, const char *b)
{
	size_t n;

	while ((n = word_len(a)) && n == word_len(b) && !strncmp(a, b, n)) {
		a += n;
		b += n;
	}
	return a;
}

static u64 number_in(const char *word)
{
	const char *value = strchr(word, '=');

	return value && isdigit(value[1]) ? strtoull(value + 1, NULL, 0) : 0;
}

/* What @bit of the field may add to the number that is shown. */
static bool is_worth(u64 more, const struct field *f, u64 bit)
{
	u64 in_word = bit << f->shift;

	return more == bit || more == in_word || more == in_word << 32 || more == bit << 2;
}

/* Is there one number more, or another, and all else is the same? */
static bool differs_by(const char *base, const char *text, const struct field *f, u64 bit)
{
	const char *was = difference(base, text), *is = difference(text, base);
	const char *name = strchr(is, '=');
	bool shown = name && !strncmp(was, is, name - is + 1);

	/* Another mnemonic. */
	if (is == text)
		return true;
	if (!name || strcmp(is + word_len(is), was + (shown ? word_len(was) : 0)))
		return false;
	/* A comparison reads as a word. */
	if (!isdigit(name[1]))
		return true;
	return is_worth(number_in(is) - (shown ? number_in(was) : 0), f, bit);
}

/* 1: shown; 0: not; -1: no legal value to tell by. */
static int shows(const struct field *f, u64 bit)
{
	u32 words[SDMA_DECODE_FIXED] = { f->header }, fixed;
	char base[SDMA_DECODE_TEXT], text[SDMA_DECODE_TEXT];

	show(words, base, &fixed);
	words[f->word] ^= bit << f->shift;
	show(words, text, &fixed);
	if (!strcmp(text, "odd") || !strcmp(text, "-"))
		return -1;
	return strcmp(base, text) && differs_by(base, text, f, bit);
}

static bool is_shown(const struct field *f)
{
	int high = shows(f, (f->mask >> 1) + 1ULL), low = shows(f, 1);

	return high && low && (high > 0 || low > 0);
}

static bool is_none(const struct field *f)
{
	return !strcmp(f->name + strlen(f->name) - 3, "_op") || strstr(f->name, "DATA0_data0") ||
	       strstr(f->name, "reserved");
}

static void read_field(struct oracle *o, struct field *f)
{
	const char *dot = strchr(o->name, '.');

	snprintf(f->packet, sizeof(f->packet), "%.*s", (int)(dot - o->name), o->name);
	f->name = dot + 1;
	f->header = o->n[0];
	f->word = o->n[1];
	f->mask = o->n[2];
	f->shift = o->n[3];
}

/* The packets' results, one after another as the oracle has them. */
static void packet_done(const char *packet, const struct field *last, bool right)
{
	u32 words[SDMA_DECODE_FIXED] = { last->header }, fixed;
	char text[SDMA_DECODE_TEXT];

	show(words, text, &fixed);
	if (fixed != last->word + !strstr(last->name, "DATA0_data0")) {
		printf("# %u dwords\n", fixed);
		right = false;
	}
	pure_okf(right, "%s is shown with all its fields (S0.105)", packet);
}

int main(void)
{
	unsigned int packets = 0, fields = 0;
	struct field f, last = {};
	bool right = true;
	struct oracle o;

	if (!oracle_open(&o, "sdma_fields", "", HEADER, PREPARE))
		return pure_done();
	while (oracle_next(&o)) {
		read_field(&o, &f);
		if (packets && strcmp(f.packet, last.packet))
			packet_done(last.packet, &last, right);
		if (!packets || strcmp(f.packet, last.packet)) {
			packets++;
			right = true;
		}
		last = f;
		last.name = strstr(f.name, "DATA0_data0") ? "DATA0_data0" : "";
		if (is_none(&f))
			continue;
		fields++;
		if (is_shown(&f))
			continue;
		printf("# %s is not\n", o.name);
		right = false;
	}
	packet_done(last.packet, &last, right);
	oracle_close(&o);
	pure_ok(PURE_EQ(packets, PACKETS), "the oracle names every packet");
	pure_ok(PURE_EQ(fields, FIELDS), "and every field");
	return pure_done();
}
