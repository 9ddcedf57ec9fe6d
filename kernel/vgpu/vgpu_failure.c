// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: the table of failures, their parser, and whether one happens now
 *
 * See vgpu_failure.h for the words.  What a failure does stands where it happens.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "vgpu_cursor.h"
#include "vgpu_failure.h"
#include "vgpu_profile.h"
#include "vgpu_sdma.h"

enum setting_key {
	KEY_AFTER,
	KEY_COUNT,
	KEY_RATE,
	KEY_SEED,
	KEY_INSTANCE,
	KEY_QUEUE,
	KEY_SOURCE,
	KEY_VALUE,
	KEYS,
};

static const char * const key_words[KEYS] = {
	[KEY_AFTER] = "after=",
	[KEY_COUNT] = "count=",
	[KEY_RATE] = "rate=",
	[KEY_SEED] = "seed=",
	[KEY_INSTANCE] = "instance=",
	[KEY_QUEUE] = "queue=",
	[KEY_SOURCE] = "source=",
	[KEY_VALUE] = "value=",
};

/* Of a rate and of a value. */
#define MAX_VALUE	0xffffffffULL

#define WHEN	(BIT(KEY_AFTER) | BIT(KEY_COUNT) | BIT(KEY_RATE) | BIT(KEY_SEED))
#define PLACE	(BIT(KEY_INSTANCE) | BIT(KEY_QUEUE))

/**
 * struct failure_row - one failure
 * @name: as it is written
 * @keys: settings that it takes
 * @value: where none is set
 */
struct failure_row {
	const char *name;
	unsigned long keys;
	u64 value;
};

static const struct failure_row rows[VGPU_FAILURES] = {
	/* An interrupt entry is never written. */
	[VGPU_FAIL_IRQ_DROP] = { "irq_drop", WHEN | BIT(KEY_SOURCE) },
	/* An entry is written, its message comes value milliseconds later. */
	[VGPU_FAIL_IRQ_DELAY] = { "irq_delay", WHEN | BIT(KEY_SOURCE) | BIT(KEY_VALUE), 1000 },
	/* Bits in value of an entry's first dword are turned over; by default the client's. */
	[VGPU_FAIL_IV_CORRUPT] = { "iv_corrupt", WHEN | BIT(KEY_SOURCE) | BIT(KEY_VALUE), 0xff },
	/* RPTR moves and is not written back to memory. */
	[VGPU_FAIL_RPTR_STALE] = { "rptr_stale", WHEN | PLACE },
	/* The driver rings, the slot keeps what it had. */
	[VGPU_FAIL_DOORBELL_LOST] = { "doorbell_lost", WHEN | PLACE },
	/* The instance stops for good at the beginning of a packet. */
	[VGPU_FAIL_HANG] = { "hang", WHEN | PLACE },
	/* A copy begins only after value looks at it. */
	[VGPU_FAIL_COPY_SLOW] = { "copy_slow", WHEN | PLACE | BIT(KEY_VALUE), 100 },
	/* The packet's own address does not translate. */
	[VGPU_FAIL_VM_FAULT] = { "vm_fault", WHEN | PLACE },
	/* Halting an instance does not free it of what it hangs at. */
	[VGPU_FAIL_RESET] = { "reset_fail", WHEN | BIT(KEY_INSTANCE) },
};

static int parse_number(struct vgpu_cursor *cur, u64 *value)
{
	return vgpu_cursor_number(cur, vgpu_cursor_take(cur, "0x") ? 16 : 10, value);
}

static int parse_queue(struct vgpu_cursor *cur, u64 *value)
{
	if (vgpu_cursor_take(cur, "gfx")) {
		*value = VGPU_SDMA_GFX;
		return 0;
	}
	if (vgpu_cursor_take(cur, "page")) {
		*value = VGPU_SDMA_PAGE;
		return 0;
	}
	if (!vgpu_cursor_take(cur, "rlc"))
		return parse_number(cur, value);
	if (parse_number(cur, value))
		return -EINVAL;
	if (*value > VGPU_SDMA_QUEUES)
		return -ERANGE;
	*value += VGPU_SDMA_RLC0;
	return 0;
}

static int apply(struct vgpu_failure_rule *rule, enum setting_key key, u64 value)
{
	switch (key) {
	case KEY_AFTER:
		rule->after = value;
		return 0;
	case KEY_COUNT:
		rule->count = value;
		return value ? 0 : -ERANGE;
	case KEY_RATE:
		rule->rate = value;
		return value && value <= MAX_VALUE ? 0 : -ERANGE;
	case KEY_SEED:
		rule->chance = value;
		return 0;
	case KEY_INSTANCE:
		rule->at.instance = value;
		return value < VGPU_MAX_SDMA ? 0 : -ERANGE;
	case KEY_QUEUE:
		rule->at.queue = value;
		return value < VGPU_SDMA_QUEUES ? 0 : -ERANGE;
	case KEY_SOURCE:
		rule->at.source = value;
		return value < 256 ? 0 : -ERANGE;
	default:
		rule->value = value;
		return value <= MAX_VALUE ? 0 : -ERANGE;
	}
}

static int parse_setting(struct vgpu_cursor *cur, struct vgpu_failure_rule *rule,
			 const struct failure_row *row, unsigned long *seen)
{
	unsigned int start = cur->pos, key;
	u64 value;
	int ret;

	for (key = 0; key < KEYS; key++)
		if (vgpu_cursor_take(cur, key_words[key]))
			break;
	if (key == KEYS)
		return -EINVAL;
	if (!(row->keys & BIT(key)) || *seen & BIT(key)) {
		cur->pos = start;
		return -EINVAL;
	}
	*seen |= BIT(key);
	ret = key == KEY_QUEUE ? parse_queue(cur, &value) : parse_number(cur, &value);
	if (ret)
		return ret;
	ret = apply(rule, key, value);
	if (ret)
		cur->pos = start;
	return ret;
}

static int find_row(const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < VGPU_FAILURES; i++)
		if (strlen(rows[i].name) == len && !strncmp(rows[i].name, name, len))
			return i;
	return -ENOENT;
}

static int parse_failure(struct vgpu_cursor *cur, struct vgpu_failure_rule rules[VGPU_FAILURES])
{
	const char *name = cur->text + cur->pos;
	size_t len = strcspn(name, ":+,");
	struct vgpu_failure_rule *rule;
	int which = find_row(name, len), ret;
	unsigned long seen = 0;

	if (which < 0)
		return which;
	cur->pos += len;
	rule = &rules[which];
	*rule = (struct vgpu_failure_rule){
		.on = true,
		.at = { VGPU_FAILURE_ANY, VGPU_FAILURE_ANY, VGPU_FAILURE_ANY },
		.rate = 1,
		.chance = 1,
		.value = rows[which].value,
	};
	if (vgpu_cursor_take(cur, ":")) {
		do {
			ret = parse_setting(cur, rule, &rows[which], &seen);
			if (ret)
				return ret;
		} while (vgpu_cursor_take(cur, ","));
	}
	if (!(seen & (BIT(KEY_COUNT) | BIT(KEY_RATE))))
		rule->count = 1;
	return 0;
}

static void set_rules(struct vgpu_failures *f, const struct vgpu_failure_rule *rules)
{
	unsigned long flags;
	unsigned int i;

	vgpu_lock(&f->lock, flags);
	for (i = 0; i < VGPU_FAILURES; i++) {
		if (!rules[i].on)
			continue;
		f->rule[i] = rules[i];
		WRITE_ONCE(f->armed, f->armed | BIT(i));
	}
	vgpu_unlock(&f->lock, flags);
}

/**
 * vgpu_failures_init - all switches off
 * @f: zeroed
 */
void vgpu_failures_init(struct vgpu_failures *f)
{
	vgpu_lock_init(&f->lock);
}

/**
 * vgpu_failure_name - as the grammar writes it
 * @which: failure
 *
 * Return: a constant string.
 */
const char *vgpu_failure_name(enum vgpu_failure which)
{
	return rows[which].name;
}

/**
 * vgpu_failure_find - failure of a name
 * @name: as the grammar writes it
 *
 * Return: its number or -ENOENT.
 */
int vgpu_failure_find(const char *name)
{
	return find_row(name, strlen(name));
}

/**
 * vgpu_failures_set - set switches
 * @f: switches of a GPU
 * @text: see the grammar at the head of vgpu_failure.h
 * @where: on error, the offset in @text that is to blame
 *
 * Context: any.
 * Return: 0; -EINVAL (syntax, or a setting that the failure does not take), -ENOENT
 * (no such failure), -ERANGE; nothing has changed after an error.
 */
int vgpu_failures_set(struct vgpu_failures *f, const char *text, unsigned int *where)
{
	struct vgpu_failure_rule rules[VGPU_FAILURES] = { };
	struct vgpu_cursor cur = { .text = text };
	int ret;

	do {
		ret = parse_failure(&cur, rules);
	} while (!ret && vgpu_cursor_take(&cur, "+"));
	if (!ret && text[cur.pos])
		ret = -EINVAL;
	*where = cur.pos;
	if (!ret)
		set_rules(f, rules);
	return ret;
}

/**
 * vgpu_failures_clear - set a switch back
 * @f: switches of a GPU
 * @which: failure; its counts stay
 *
 * Context: any.
 */
void vgpu_failures_clear(struct vgpu_failures *f, enum vgpu_failure which)
{
	unsigned long flags;

	vgpu_lock(&f->lock, flags);
	f->rule[which].on = false;
	WRITE_ONCE(f->armed, f->armed & ~BIT(which));
	vgpu_unlock(&f->lock, flags);
}

/**
 * vgpu_failures_get - how a switch stands
 * @f: switches of a GPU
 * @which: failure
 * @rule: filled
 *
 * Context: any.
 */
void vgpu_failures_get(struct vgpu_failures *f, enum vgpu_failure which,
		       struct vgpu_failure_rule *rule)
{
	unsigned long flags;

	vgpu_lock(&f->lock, flags);
	*rule = f->rule[which];
	vgpu_unlock(&f->lock, flags);
}

static bool matches(int want, int have)
{
	return want == VGPU_FAILURE_ANY || want == have;
}

/* A step of splitmix64: any seed will do. */
static u64 next_chance(u64 *state)
{
	u64 z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/* The upper half, so that a 64-bit division by a variable is not needed. */
static bool by_chance(struct vgpu_failure_rule *rule)
{
	return rule->rate == 1 || (u32)(next_chance(&rule->chance) >> 32) % (u32)rule->rate == 0;
}

static bool hit_locked(struct vgpu_failures *f, enum vgpu_failure which)
{
	struct vgpu_failure_rule *rule = &f->rule[which];

	vgpu_assert_locked(&f->lock);
	if (rule->seen++ < rule->after || !by_chance(rule))
		return false;
	rule->hits++;
	if (rule->count && !--rule->count) {
		rule->on = false;
		WRITE_ONCE(f->armed, f->armed & ~BIT(which));
	}
	return true;
}

/**
 * vgpu_failures_hit - an opportunity: does it fail?
 * @f: switches of a GPU
 * @which: failure
 * @at: where
 * @value: gets the value of the switch if it does; may be NULL
 *
 * Context: any.
 * Return: whether it does.
 */
bool vgpu_failures_hit(struct vgpu_failures *f, enum vgpu_failure which,
		       const struct vgpu_failure_at *at, u64 *value)
{
	const struct vgpu_failure_rule *rule = &f->rule[which];
	unsigned long flags;
	bool hit = false;

	vgpu_lock(&f->lock, flags);
	if (rule->on && matches(rule->at.instance, at->instance) &&
	    matches(rule->at.queue, at->queue) && matches(rule->at.source, at->source)) {
		hit = hit_locked(f, which);
		if (hit && value)
			*value = rule->value;
	}
	vgpu_unlock(&f->lock, flags);
	return hit;
}
