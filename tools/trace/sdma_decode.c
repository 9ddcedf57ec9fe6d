// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: sdma-decode, SDMA packets and IH entries as text
 *
 * Reads hexadecimal words, or the driver's debugfs file ring_dump, and prints a line a
 * packet, by the decoder that the driver itself uses (kernel/sdma/sdma_decode.c).  In a
 * dump each line with an offset stands for itself; words without offsets are one
 * stream, which ends at the first packet that is illegal or incomplete.
 */
#include <linux/errno.h>
#include <linux/kernel.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/irq/irq_entry.h"
#include "kernel/sdma/sdma_decode.h"

#define MAX_WORDS	(1u << 24)
#define MAX_LINE	(1u << 16)

enum status { STATUS_OK, STATUS_ILLEGAL, STATUS_USAGE };

/**
 * struct stream - words on their way to the decoder
 * @words: memory
 * @count: words in it
 * @room: words that fit
 * @origin: offset of the first, bytes
 * @bad: the worst that was seen
 * @ih: they are IH entries
 */
struct stream {
	u32 *words;
	u32 count, room;
	u64 origin;
	enum status bad;
	bool ih;
};

static const char usage[] =
	"usage: sdma-decode [--ih] [WORD...]\n"
	"\n"
	"Decodes SDMA 4.0 packets, or with --ih interrupt entries, one a line:\n"
	"offset in bytes, mnemonic, fields by name. Words are hexadecimal; without\n"
	"any as arguments they are read from standard input, which may also be the\n"
	"driver's /sys/kernel/debug/carillon/*/ring_dump.\n"
	"\n"
	"Exit status: 0 all packets are legal; 1 one is illegal or incomplete (its\n"
	"offset is told on standard error); 2 the input is no such thing.\n";

static void complain(struct stream *s, enum status bad, u64 at, const char *what)
{
	/* Behind what was decoded, also where both go to one file. */
	fflush(stdout);
	fprintf(stderr, "sdma-decode: at 0x%llx: %s\n", (unsigned long long)at, what);
	s->bad = max(s->bad, bad);
}

static void show_entry(struct stream *s, u32 first)
{
	struct irq_entry e;

	irq_entry_decode(s->words + first, &e);
	printf("0x%05llx: client=%u source=%u ring=%u vmid=%u hub=%u time=%llu pasid=%u ",
	       (unsigned long long)(s->origin + first * 4ull), e.client, e.source, e.ring, e.vmid,
	       e.vmid_type, (unsigned long long)e.timestamp, e.pasid);
	printf("ctx=0x%x,0x%x,0x%x,0x%x\n", e.ctx[0], e.ctx[1], e.ctx[2], e.ctx[3]);
}

static void decode_entries(struct stream *s)
{
	u32 at;

	for (at = 0; at + IRQ_ENTRY_DWORDS <= s->count; at += IRQ_ENTRY_DWORDS)
		show_entry(s, at);
	if (at < s->count)
		complain(s, STATUS_ILLEGAL, s->origin + at * 4ull, "incomplete entry");
}

/* False: the stream ends here. */
static bool decode_packet(struct stream *s, u32 *at)
{
	u64 where = s->origin + *at * 4ull;
	char text[SDMA_DECODE_TEXT];
	struct sdma_decoded d;
	int ret;

	ret = sdma_decode(s->words + *at, s->count - *at, &d);
	if (!ret) {
		sdma_decode_text(&d, s->words + *at, text, sizeof(text));
		printf("0x%05llx: %s\n", (unsigned long long)where, text);
		*at += d.dwords;
		return true;
	}
	if (ret == -EINVAL)
		snprintf(text, sizeof(text), "illegal packet 0x%08x: %s%s%s", s->words[*at],
			 d.why, d.field ? ": " : "", d.field ? d.field : "");
	else
		snprintf(text, sizeof(text), "incomplete %s: %u dwords of %u", d.name,
			 s->count - *at, d.dwords);
	complain(s, STATUS_ILLEGAL, where, text);
	return false;
}

/* Decode what has come in and forget it. */
static void flush(struct stream *s)
{
	u32 at = 0;

	if (s->ih)
		decode_entries(s);
	else
		while (at < s->count && decode_packet(s, &at))
			;
	s->origin += s->count * 4ull;
	s->count = 0;
}

static bool add(struct stream *s, u32 word, u64 times)
{
	u32 room = s->room;

	if (times > MAX_WORDS - s->count) {
		complain(s, STATUS_USAGE, s->origin + s->count * 4ull, "too many words");
		return false;
	}
	while (room < s->count + times)
		room = room ? 2 * room : 1024;
	if (room != s->room) {
		u32 *words = realloc(s->words, room * sizeof(*words));

		if (!words) {
			complain(s, STATUS_USAGE, 0, "no memory");
			return false;
		}
		s->words = words;
		s->room = room;
	}
	while (times--)
		s->words[s->count++] = word;
	return true;
}

/* WORD, WORD*TIMES, or +TIMES for payload that a dump left out. */
static bool add_token(struct stream *s, const char *token)
{
	const char *digits = token;
	unsigned long long word = 0, times = 1;
	char *end = (char *)token;

	if (*token == '+') {
		digits = token + 1;
		times = strtoull(digits, &end, 10);
	} else {
		word = strtoull(digits, &end, 16);
		if (end != digits && *end == '*' && isdigit((unsigned char)end[1])) {
			digits = end + 1;
			times = strtoull(digits, &end, 10);
		}
	}
	if (end == digits || *end || !isxdigit((unsigned char)*digits) || word > 0xffffffffull) {
		complain(s, STATUS_USAGE, s->origin + s->count * 4ull, token);
		return false;
	}
	return add(s, word, times);
}

/* "0x00040:": the words that follow on this line are a packet of their own. */
static bool take_label(struct stream *s, const char *token)
{
	unsigned long long offset;
	char *end;

	offset = strtoull(token, &end, 16);
	if (end == token || strcmp(end, ":"))
		return false;
	flush(s);
	s->origin = offset;
	return true;
}

static bool take_line(struct stream *s, char *line)
{
	bool labelled = false;
	char *token;

	if (*line == '#') {
		flush(s);
		s->origin = 0;
		return true;
	}
	line[strcspn(line, ";\n")] = 0;
	for (token = strtok(line, " \t\r,"); token; token = strtok(NULL, " \t\r,")) {
		if (!strcmp(token, ">") || !strcmp(token, "ib"))
			continue;
		if (take_label(s, token))
			labelled = true;
		else if (!add_token(s, token))
			return false;
	}
	if (labelled)
		flush(s);
	return true;
}

static void take_input(struct stream *s)
{
	static char line[MAX_LINE];

	while (fgets(line, sizeof(line), stdin)) {
		if (!strchr(line, '\n') && !feof(stdin)) {
			complain(s, STATUS_USAGE, s->origin, "line too long");
			return;
		}
		if (!take_line(s, line))
			return;
	}
	flush(s);
}

int main(int argc, char **argv)
{
	struct stream s = { 0 };
	int i = 1;

	if (argc > 1 && !strcmp(argv[1], "--help")) {
		fputs(usage, stdout);
		return STATUS_OK;
	}
	if (argc > 1 && !strcmp(argv[1], "--ih")) {
		s.ih = true;
		i = 2;
	}
	if (i < argc && argv[i][0] == '-') {
		fputs(usage, stderr);
		return STATUS_USAGE;
	}
	if (i == argc) {
		take_input(&s);
	} else {
		while (i < argc && add_token(&s, argv[i]))
			i++;
		if (i == argc)
			flush(&s);
	}
	free(s.words);
	return s.bad;
}
