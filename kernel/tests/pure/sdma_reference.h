/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: the slow reference of SDMA packets
 *
 * Does what a packet says to two arrays, a byte at a time, and knows nothing of the model:
 * fields are taken from the words with shifts and masks written down here a third time,
 * addresses are looked up byte by byte, and there are no pages, chunks, steps or queues.
 * What must not be sent to it (waits that would never end, packets that are refused,
 * addresses outside of the arrays) ends the test by assertion.
 */
#ifndef CARILLON_TESTS_SDMA_REFERENCE_H
#define CARILLON_TESTS_SDMA_REFERENCE_H

#include <assert.h>

#include <linux/kernel.h>
#include <linux/types.h>

#define REF_TRAPS	64

/**
 * struct ref - memory and what packets have done
 * @base: address of each array
 * @mem: arrays
 * @size: bytes of each
 * @clock: that TIMESTAMP stores
 * @ahead: what the instance's own time is ahead of it
 * @packets: run
 * @traps: raised
 * @context: of the last ones
 * @reg: address and value of the last register write
 */
struct ref {
	u64 base[2];
	u8 *mem[2];
	u64 size;
	u64 clock, ahead;
	u64 packets;
	unsigned int traps;
	u32 context[REF_TRAPS];
	u32 reg[2];
};

static inline u8 *ref_at(struct ref *m, u64 va)
{
	unsigned int i = va - m->base[1] < m->size;

	assert(va - m->base[i] < m->size);
	return m->mem[i] + (va - m->base[i]);
}

static inline u64 ref_get(struct ref *m, u64 va, unsigned int bytes)
{
	u64 value = 0;

	while (bytes--)
		value = value << 8 | *ref_at(m, va + bytes);
	return value;
}

static inline void ref_set(struct ref *m, u64 va, unsigned int bytes, u64 value)
{
	unsigned int i;

	for (i = 0; i < bytes; i++)
		*ref_at(m, va + i) = value >> (8 * i);
}

static inline void ref_copy(struct ref *m, u64 dst, u64 src, u64 bytes)
{
	u64 i;

	for (i = 0; i < bytes; i++)
		*ref_at(m, dst + i) = *ref_at(m, src + i);
}

static inline u64 ref_wide(const u32 *w)
{
	return w[0] + w[1] * 0x100000000ULL;
}

/* Address of element (x, y, z) of the window whose five words begin at @w. */
static inline u64 ref_element(const u32 *w, unsigned int size, u64 x, u64 y, u64 z)
{
	u64 pitch = (w[3] >> 13) + 1, slice = (w[4] & 0xfffffff) + 1;

	x += w[2] & 0x3fff;
	y += w[2] >> 16 & 0x3fff;
	z += w[3] & 0x7ff;
	return ref_wide(w) + (x + y * pitch + z * slice) * size;
}

static inline void ref_window(struct ref *m, const u32 *w)
{
	unsigned int size = 1 << (w[0] >> 29);
	u64 x, y, z;

	for (z = 0; z <= (w[12] & 0x7ff); z++)
		for (y = 0; y <= (w[11] >> 16 & 0x3fff); y++)
			for (x = 0; x <= (w[11] & 0x3fff); x++)
				ref_copy(m, ref_element(w + 6, size, x, y, z),
					 ref_element(w + 1, size, x, y, z), size);
}

static inline void ref_copies(struct ref *m, const u32 *w)
{
	u64 bytes = (w[1] & 0x3fffff) + 1;

	if (w[0] >> 8 & 0xff) {
		ref_window(m, w);
		return;
	}
	ref_copy(m, ref_wide(w + 5), ref_wide(w + 3), bytes);
	if (w[0] >> 27 & 1)
		ref_copy(m, ref_wide(w + 7), ref_wide(w + 3), bytes);
}

/* Elements of 1, 2 or 4 bytes, of which the pattern has as many as fit a dword. */
static inline void ref_fill(struct ref *m, const u32 *w)
{
	unsigned int element = 1 << (w[0] >> 30);
	u64 i, count = (w[4] & 0x3fffff) / element + 1;

	for (i = 0; i < count * element; i++)
		ref_set(m, ref_wide(w + 1) + i, 1, w[3] >> (i % 4 * 8));
}

static inline void ref_entries(struct ref *m, const u32 *w)
{
	u64 i, count = (w[9] & 0x7ffff) + 1;

	for (i = 0; i < count; i++)
		ref_set(m, ref_wide(w + 1) + 8 * i, 8,
			(ref_wide(w + 5) + ref_wide(w + 7) * i) | ref_wide(w + 3));
}

static inline u64 ref_atomic_value(unsigned int op, u64 old, u64 src, u64 cmp, s64 sold, s64 ssrc)
{
	switch (op) {
	case 7:
		return src;
	case 8:
		return old == cmp ? src : old;
	case 15:
		return old + src;
	case 16:
		return old - src;
	case 17:
		return sold < ssrc ? old : src;
	case 18:
		return min(old, src);
	case 19:
		return sold > ssrc ? old : src;
	case 20:
		return max(old, src);
	case 21:
		return old & src;
	case 22:
		return old | src;
	case 23:
		return old ^ src;
	case 24:
		return old < src ? old + 1 : 0;
	case 25:
		return old && old <= src ? old - 1 : src;
	}
	assert(!"an atomic that is known");
	return 0;
}

static inline void ref_atomic(struct ref *m, const u32 *w)
{
	unsigned int op = w[0] >> 25, bytes = op & 32 ? 8 : 4;
	u64 old = ref_get(m, ref_wide(w + 1), bytes);
	u64 src = ref_wide(w + 3), cmp = ref_wide(w + 5);
	s64 sold = old, ssrc = src;

	if (bytes == 4) {
		src = w[3];
		cmp = w[5];
		sold = (s32)old;
		ssrc = (s32)src;
	}
	if (w[0] >> 16 & 1)
		assert((op & 31) != 8 || old == cmp);
	ref_set(m, ref_wide(w + 1), bytes, ref_atomic_value(op & 31, old, src, cmp, sold, ssrc));
}

static inline bool ref_holds(struct ref *m, const u32 *w)
{
	u32 value = ref_get(m, ref_wide(w + 1), 4) & w[4];

	switch (w[0] >> 28 & 7) {
	case 1:
		return value < w[3];
	case 2:
		return value <= w[3];
	case 3:
		return value == w[3];
	case 4:
		return value != w[3];
	case 5:
		return value >= w[3];
	case 6:
		return value > w[3];
	}
	return true;
}

static inline void ref_semaphore(struct ref *m, const u32 *w)
{
	u64 addr = ref_wide(w + 1), value = ref_get(m, addr, 8);

	if (w[0] >> 30 & 1 || w[0] >> 8 & 0xff) {
		value++;
	} else {
		assert(value);
		value--;
	}
	ref_set(m, addr, 8, w[0] >> 29 & 1 ? 1 : value);
}

static inline void ref_time(struct ref *m, const u32 *w)
{
	unsigned int kind = w[0] >> 8 & 0xff;

	if (kind)
		ref_set(m, ref_wide(w + 1) & ~7ULL, 8, m->clock + (kind == 1 ? m->ahead : 0));
	else
		m->ahead = ref_wide(w + 1) - m->clock;
}

/* Conditions are for the caller: whether what one guards is to be run. */
static inline bool ref_condition(struct ref *m, const u32 *w)
{
	assert((w[0] & 0xffff) == 9 && w[3] == 1);
	return ref_get(m, ref_wide(w + 1), 4);
}

/* Run one packet, whole as it stands at @w. */
static inline void ref_run(struct ref *m, const u32 *w)
{
	m->packets++;
	switch (w[0] & 0xff) {
	case 0:
	case 9:
		return;
	case 1:
		ref_copies(m, w);
		return;
	case 2:
		for (u32 i = 0; i <= (w[3] & 0xfffff); i++)
			ref_set(m, ref_wide(w + 1) + 4 * i, 4, w[4 + i]);
		return;
	case 5:
		ref_set(m, ref_wide(w + 1), 4, w[3]);
		return;
	case 6:
		m->context[m->traps++ % REF_TRAPS] = w[1] & 0xfffffff;
		return;
	case 7:
		ref_semaphore(m, w);
		return;
	case 8:
		assert(w[0] == 8 || (w[0] >> 31 && ref_holds(m, w)));
		return;
	case 10:
		ref_atomic(m, w);
		return;
	case 11:
		ref_fill(m, w);
		return;
	case 12:
		ref_entries(m, w);
		return;
	case 13:
		ref_time(m, w);
		return;
	case 14:
		m->reg[0] = (w[1] & 0x3ffff) * 4;
		m->reg[1] = w[2];
		return;
	}
	assert(!"a packet that is known");
}

#endif /* CARILLON_TESTS_SDMA_REFERENCE_H */
