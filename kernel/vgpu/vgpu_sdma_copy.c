// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: copy and fill loops
 *
 * Head bytes until the destination is aligned, 64 bytes a round, words, tail bytes.
 * The source may be unaligned throughout.  Copies go upwards, so an overlap is right
 * where the destination lies below the source.
 *
 * The loop stores each word before it loads the next.  Under emulation that is the
 * fastest plain loop there is, ahead of vector registers and of "rep movs", as long as
 * the two pages do not compete for a slot of the emulator's TLB; where they may, the
 * data take a detour over the stack, a block at a time.
 */
#include <linux/types.h>

#include "vgpu_sdma_copy.h"

/*
 * QEMU's TLB is direct-mapped and has at least so many slots, by page number.  Where
 * source and destination share one, each change between them costs more than copying a
 * dozen words does.
 */
#define TLB_SLOTS	64ul
#define PAGE		4096ul
#define BOUNCE		1024u

/* Words of 8 and 4 bytes at a multiple of that, of whatever type the memory is. */
typedef u64 aligned_word __attribute__((may_alias));
typedef u32 aligned_half __attribute__((may_alias));

/* One load; the builtin is not a call, and knows that the address may be unaligned. */
static inline u64 load64(const u8 *p)
{
	u64 v;

	__builtin_memcpy(&v, p, sizeof(v));
	return v;
}

static inline u32 load32(const u8 *p)
{
	u32 v;

	__builtin_memcpy(&v, p, sizeof(v));
	return v;
}

/* Keeps the compiler from making a call of memcpy() or memset() out of a loop. */
static inline void keep_loop(void)
{
	asm volatile("" : : : "memory");
}

/* A few bytes; a dword that can be stored whole is. */
static void copy_bytes(u8 *dst, const u8 *src, size_t bytes)
{
	while (bytes) {
		size_t step = bytes >= 4 && !((uintptr_t)dst & 3) ? 4 : 1;

		if (step == 4)
			*(aligned_half *)dst = load32(src);
		else
			*dst = *src;
		dst += step;
		src += step;
		bytes -= step;
		keep_loop();
	}
}

/* Word by word: loads and stores in turn, in order. */
static inline void copy_word(u8 *d, const u8 *s)
{
	*(aligned_word *)d = load64(s);
	keep_loop();
}

static inline void copy_block(u8 *d, const u8 *s)
{
	copy_word(d, s);
	copy_word(d + 8, s + 8);
	copy_word(d + 16, s + 16);
	copy_word(d + 24, s + 24);
	copy_word(d + 32, s + 32);
	copy_word(d + 40, s + 40);
	copy_word(d + 48, s + 48);
	copy_word(d + 56, s + 56);
}

static void copy_plain(u8 *d, const u8 *s, size_t bytes)
{
	size_t head = -(uintptr_t)d & 7;

	if (head > bytes)
		head = bytes;
	copy_bytes(d, s, head);
	d += head;
	s += head;
	bytes -= head;
	for (; bytes >= 64; bytes -= 64, d += 64, s += 64)
		copy_block(d, s);
	for (; bytes >= 8; bytes -= 8, d += 8, s += 8)
		copy_word(d, s);
	copy_bytes(d, s, bytes);
}

/* May pages of the two compete for a slot of an emulated TLB? */
static bool may_collide(const void *dst, const void *src)
{
	uintptr_t apart = (uintptr_t)dst - (uintptr_t)src;

	/* Less than a page apart, but for what are multiples of all slots. */
	apart += PAGE - 1;
	return apart > 2 * (PAGE - 1) && apart % (PAGE * TLB_SLOTS) <= 2 * (PAGE - 1);
}

static void copy_bounced(u8 *d, const u8 *s, size_t bytes)
{
	u64 bounce[BOUNCE / sizeof(u64)];

	for (; bytes >= BOUNCE; bytes -= BOUNCE, d += BOUNCE, s += BOUNCE) {
		copy_plain((u8 *)bounce, s, BOUNCE);
		copy_plain(d, (const u8 *)bounce, BOUNCE);
	}
	copy_plain(d, s, bytes);
}

/**
 * vgpu_copy() - copy upwards
 * @dst: any alignment
 * @src: any alignment
 * @bytes: any number
 */
void vgpu_copy(void *dst, const void *src, size_t bytes)
{
	if (bytes >= BOUNCE && may_collide(dst, src))
		copy_bounced(dst, src, bytes);
	else
		copy_plain(dst, src, bytes);
}

/* The pattern as seen @bytes further on. */
static u64 rotate(u64 pattern, unsigned int bytes)
{
	unsigned int bits = (bytes & 3) * 8;

	return bits ? pattern >> bits | pattern << (64 - bits) : pattern;
}

static u64 fill_bytes(u8 *dst, u64 pattern, size_t bytes)
{
	for (; bytes; bytes--) {
		*dst++ = pattern;
		pattern = rotate(pattern, 1);
		keep_loop();
	}
	return pattern;
}

/**
 * vgpu_fill() - repeat a pattern
 * @dst: any alignment; the pattern's lowest byte comes first
 * @pattern: four bytes
 * @bytes: any number
 */
void vgpu_fill(void *dst, u32 pattern, size_t bytes)
{
	size_t head = -(uintptr_t)dst & 7;
	u64 word = pattern | (u64)pattern << 32;
	unsigned int i;
	u8 *d = dst;

	if (head > bytes)
		head = bytes;
	word = fill_bytes(d, word, head);
	d += head;
	bytes -= head;
	for (; bytes >= 64; bytes -= 64, d += 64) {
		for (i = 0; i < 8; i++)
			((aligned_word *)d)[i] = word;
		keep_loop();
	}
	for (; bytes >= 8; bytes -= 8, d += 8) {
		*(aligned_word *)d = word;
		keep_loop();
	}
	fill_bytes(d, word, bytes);
}
