// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: what stands in the rings and registers
 *
 * A dump shows each kernel ring packet by packet: the last ones that are done (of this
 * lap of the ring: further back no packet's beginning is known), those between RPTR and
 * WPTR, and of these also the indirect buffers that are ours.  A line is
 *
 *   MARK OFFSET: WORD... [+N] ; TEXT
 *
 * with ">" for what the engine has yet to finish, the byte offset in ring or buffer
 * ("ib" before it), the fixed part of the packet, the number of payload dwords that are
 * not shown, and what sdma_decode() makes of it.  WORD*N stands for N of them.  Lines
 * that begin with "#" tell about the ring.  tools/sdma-decode reads this.
 *
 * Nothing is locked, so that a ring can be looked at while it hangs: a ring in use may
 * show words of two times.  Amounts are bounded.
 */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>

#include "sdma_decode.h"
#include "sdma_device.h"
#include "sdma_packet.h"

/* Lines shown: done, to do, and of one indirect buffer. */
#define DUMP_HISTORY	64
#define DUMP_PENDING	1024
#define DUMP_IB		64

/**
 * struct dump_source - where packets are read from
 * @mem: dwords
 * @mask: positions wrap at this
 * @end: position behind the last dword
 * @label: before the offset
 */
struct dump_source {
	const u32 *mem;
	u64 mask;
	u64 end;
	const char *label;
};

/**
 * struct dump_packet - a packet, or a run of NOPs, at a position
 * @words: its fixed part, read once
 * @d: decoded
 * @ret: what sdma_decode() said
 * @run: NOPs of one dword that this stands for; 0 for any other packet
 */
struct dump_packet {
	u32 words[SDMA_DECODE_FIXED];
	struct sdma_decoded d;
	int ret;
	u32 run;
};

static u32 dump_word(const struct dump_source *s, u64 pos)
{
	return READ_ONCE(s->mem[pos & s->mask]);
}

/* Returns dwords to go on by. */
static u32 dump_read(const struct dump_source *s, u64 pos, struct dump_packet *p)
{
	u64 avail = s->end - pos;
	u32 i;

	for (i = 0; i < SDMA_DECODE_FIXED; i++)
		p->words[i] = i < avail ? dump_word(s, pos + i) : 0;
	p->ret = sdma_decode(p->words, avail, &p->d);
	p->run = 0;
	if (p->words[0])
		return min_t(u64, p->d.dwords, avail);
	while (p->run < avail && !dump_word(s, pos + p->run))
		p->run++;
	/* A ring in use may have changed since the first look. */
	p->run = max(p->run, 1U);
	return p->run;
}

static void dump_show(struct seq_file *m, const struct dump_source *s, u64 pos,
		      const struct dump_packet *p, char mark)
{
	char text[SDMA_DECODE_TEXT];
	u32 i, shown = p->ret == -EINVAL ? 1 : min_t(u64, p->d.fixed, s->end - pos);

	seq_printf(m, "%c %s0x%05llx:", mark, s->label, (pos & s->mask) * sizeof(u32));
	if (p->run) {
		seq_printf(m, " %08x*%u ; NOP\n", 0, p->run);
		return;
	}
	for (i = 0; i < shown; i++)
		seq_printf(m, " %08x", p->words[i]);
	if (p->d.dwords > p->d.fixed && p->ret != -EINVAL)
		seq_printf(m, " +%u", p->d.dwords - p->d.fixed);
	if (p->ret == -EINVAL) {
		seq_printf(m, " ; illegal: %s %s\n", p->d.why, p->d.field ?: "");
	} else if (shown < p->d.fixed) {
		seq_printf(m, " ; %s, incomplete\n", p->d.name);
	} else {
		sdma_decode_text(&p->d, p->words, text, sizeof(text));
		seq_printf(m, " ; %s\n", text);
	}
}

/* The buffer that an INDIRECT runs, if it is that of a job on this ring. */
static void dump_ib(struct seq_file *m, const struct sdma_ring *ring, const u32 *words)
{
	const struct sdma_pkt_indirect *pkt = (const void *)words;
	u64 offset = (pkt->base_lo | (u64)pkt->base_hi << 32) - ring->ibs.mc;
	u64 dwords = FIELD_GET(SDMA_INDIRECT_SIZE__DWORDS, pkt->size);
	struct dump_source s = { .mask = ~0ULL, .end = dwords, .label = "ib " };
	struct dump_packet p;
	unsigned int lines;
	u64 pos = 0;

	if (FIELD_GET(SDMA_INDIRECT_HEADER__VMID, pkt->header) || offset >= ring->ibs.size ||
	    dwords * sizeof(u32) > ring->ibs.size - offset)
		return;
	s.mem = ring->ibs.cpu + offset;
	for (lines = 0; pos < s.end && lines < DUMP_IB; lines++) {
		u32 next = dump_read(&s, pos, &p);

		dump_show(m, &s, pos, &p, '>');
		pos += next;
	}
	if (pos < s.end)
		seq_printf(m, "# %llu dwords of the buffer not shown\n", s.end - pos);
}

static void dump_pending(struct seq_file *m, const struct sdma_ring *ring,
			 const struct dump_source *s, u64 pos)
{
	struct dump_packet p;
	unsigned int lines;

	for (lines = 0; pos < s->end && lines < DUMP_PENDING; lines++) {
		u32 next = dump_read(s, pos, &p);

		dump_show(m, s, pos, &p, '>');
		if (!p.ret && (p.words[0] & SDMA_HEADER__OP) == SDMA_OP_INDIRECT)
			dump_ib(m, ring, p.words);
		pos += next;
	}
	if (pos < s->end)
		seq_printf(m, "# %llu dwords up to WPTR not shown\n", s->end - pos);
}

/* Frames do not straddle the end of the ring, so a packet begins at its first dword. */
static void dump_history(struct seq_file *m, const struct sdma_ring *ring, u64 rptr)
{
	struct dump_source s = { ring->mem.cpu, ring->dwords - 1, rptr, "" };
	u64 pos, start = rptr - (rptr & s.mask);
	unsigned int total = 0, i = 0;
	struct dump_packet p;

	for (pos = start; pos < rptr; total++)
		pos += dump_read(&s, pos, &p);
	for (pos = start; pos < rptr; i++) {
		u32 next = dump_read(&s, pos, &p);

		if (i + DUMP_HISTORY >= total)
			dump_show(m, &s, pos, &p, ' ');
		pos += next;
	}
}

static void dump_ring(struct seq_file *m, const struct sdma_ring *ring)
{
	u64 rptr = sdma_ring_rptr(ring), wptr = READ_ONCE(ring->committed);
	struct dump_source s = { ring->mem.cpu, ring->dwords - 1, wptr, "" };

	seq_printf(m, "# %s: instance %u %s ring of 0x%llx bytes at 0x%llx, RPTR 0x%llx WPTR 0x%llx\n",
		   ring->name, ring->instance, ring->kind == SDMA_RING_PAGE ? "page" : "gfx",
		   sdma_dwords_to_bytes(ring->dwords), ring->mem.mc, sdma_dwords_to_bytes(rptr),
		   sdma_dwords_to_bytes(wptr));
	/* Memory that the engine writes: not to be believed further than the ring is long. */
	if (rptr > wptr || wptr - rptr > ring->dwords) {
		seq_puts(m, "# RPTR is not within a ring's length of WPTR\n");
		return;
	}
	dump_history(m, ring, rptr);
	dump_pending(m, ring, &s, rptr);
}

/**
 * sdma_dump_packet - one packet of a ring as text
 * @ring: ring
 * @pos: where it begins, dwords
 * @text: buffer
 * @size: its bytes, at least 1
 *
 * Context: any.
 */
void sdma_dump_packet(const struct sdma_ring *ring, u64 pos, char *text, size_t size)
{
	struct dump_source s = {
		ring->mem.cpu, ring->dwords - 1, pos + SDMA_DECODE_FIXED, ""
	};
	struct dump_packet p;

	dump_read(&s, pos, &p);
	if (p.ret == -EINVAL)
		snprintf(text, size, "0x%08x (%s)", p.words[0], p.d.why);
	else
		sdma_decode_text(&p.d, p.words, text, size);
}

static void dump_rings(struct sdma_device *sdma, unsigned int instance, struct seq_file *m)
{
	unsigned int kind;

	for (kind = 0; kind < sdma_ring_kinds(sdma); kind++)
		dump_ring(m, &sdma->instance[instance]->rings[kind]);
}

static void dump_registers(struct sdma_device *sdma, unsigned int instance, struct seq_file *m)
{
	const struct hw_chip *chip = sdma->hw->chip;
	struct sdma_reg_set set;
	unsigned int k, n;

	for (k = 0; sdma->funcs->reg_set(chip->sdma, k, &set); k++) {
		u32 base = chip->sdma_base[instance] + set.base;

		for (n = 0; n < set.count; n++)
			seq_printf(m, "%u %s %s 0x%05x 0x%08x\n", instance, set.name,
				   set.regs[n].name, base + set.regs[n].offset,
				   hw_read(sdma->hw, base + set.regs[n].offset));
	}
}

/**
 * sdma_dump_instance - registers by name and packets in the kernel rings of an instance
 * @sdma: device
 * @instance: an instance that exists
 * @m: where to
 *
 * Context: process; allocates nothing.
 */
void sdma_dump_instance(struct sdma_device *sdma, unsigned int instance, struct seq_file *m)
{
	dump_registers(sdma, instance, m);
	dump_rings(sdma, instance, m);
}

/**
 * sdma_dump_rings - the packets in the kernel rings
 * @sdma: device
 * @m: where to
 *
 * Context: process.
 */
void sdma_dump_rings(struct sdma_device *sdma, struct seq_file *m)
{
	unsigned int i;

	for (i = 0; i < HW_MAX_SDMA_INSTANCES; i++)
		if (sdma->instance[i])
			dump_rings(sdma, i, m);
}

/**
 * sdma_dump_registers - registers of all instances by name
 * @sdma: device
 * @m: where to; a line is "INSTANCE SET NAME OFFSET VALUE", the offset being that in BAR5
 *
 * Context: process.
 */
void sdma_dump_registers(struct sdma_device *sdma, struct seq_file *m)
{
	unsigned int i;

	for (i = 0; i < HW_MAX_SDMA_INSTANCES; i++)
		if (sdma->instance[i])
			dump_registers(sdma, i, m);
}
