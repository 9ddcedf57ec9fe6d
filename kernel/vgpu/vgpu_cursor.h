/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: where a parser of the model's parameters stands
 *
 * It never passes the terminating NUL; after an error it is at the offending character,
 * so that a message can point there.  Pure: compiles in user space.
 */
#ifndef CARILLON_VGPU_CURSOR_H
#define CARILLON_VGPU_CURSOR_H

#include <linux/errno.h>
#include <linux/string.h>
#include <linux/types.h>

/**
 * struct vgpu_cursor - where the parser stands
 * @text: all of it
 * @pos: next character
 */
struct vgpu_cursor {
	const char *text;
	unsigned int pos;
};

/* Goes on if @word, all of it, is next. */
static inline bool vgpu_cursor_take(struct vgpu_cursor *cur, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(cur->text + cur->pos, word, len))
		return false;
	cur->pos += len;
	return true;
}

/* A digit of @base, 10 or 16, in lower case; less than 0 for anything else. */
static inline int vgpu_cursor_digit(char c, unsigned int base)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (base == 16 && c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* Digits of @base, 10 or 16: 0, -EINVAL (there are none) or -ERANGE (more than 64 bits). */
static inline int vgpu_cursor_number(struct vgpu_cursor *cur, unsigned int base, u64 *value)
{
	unsigned int start = cur->pos;
	u64 v = 0;
	int d;

	for (;; cur->pos++) {
		d = vgpu_cursor_digit(cur->text[cur->pos], base);
		if (d < 0)
			break;
		if (v > (~0ULL - d) / base)
			return -ERANGE;
		v = v * base + d;
	}
	if (cur->pos == start)
		return -EINVAL;
	*value = v;
	return 0;
}

#endif /* CARILLON_VGPU_CURSOR_H */
