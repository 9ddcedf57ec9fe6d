/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: registers that only remember
 *
 * Most registers of a block hold what was written, within a mask, and start from
 * a value.  A block lists them in a const table and keeps one u32 a row; only the
 * registers that do something need code.  Pure: compiles in user space.
 */
#ifndef CARILLON_VGPU_REGFILE_H
#define CARILLON_VGPU_REGFILE_H

#include <linux/types.h>

/**
 * struct vgpu_reg - one register, or an array of equal ones
 * @offset: byte offset in BAR5 of the first
 * @count: how many, one dword apart; 0 counts as 1
 * @reset: value after reset
 * @mask: bits that a write changes; 0 for a read-only register
 */
struct vgpu_reg {
	u32 offset;
	u16 count;
	u32 reset, mask;
};

/**
 * struct vgpu_regfile - table and values
 * @rows: the table
 * @num_rows: its length
 * @values: one u32 for each register, in table order
 */
struct vgpu_regfile {
	const struct vgpu_reg *rows;
	unsigned int num_rows;
	u32 *values;
};

static inline unsigned int vgpu_reg_count(const struct vgpu_reg *row)
{
	return row->count ? row->count : 1;
}

/**
 * vgpu_regfile_find - place of a register
 * @file: register file
 * @offset: byte offset in BAR5, dword aligned
 * @row: if not NULL, set to the register's row
 *
 * Return: pointer to its value, or NULL if the file has no such register.
 */
static inline u32 *vgpu_regfile_find(const struct vgpu_regfile *file, u32 offset,
				     const struct vgpu_reg **row)
{
	unsigned int i, index = 0, count;

	for (i = 0; i < file->num_rows; i++, index += count) {
		count = vgpu_reg_count(&file->rows[i]);
		if (offset < file->rows[i].offset || offset >= file->rows[i].offset + 4 * count)
			continue;
		if (row)
			*row = &file->rows[i];
		return &file->values[index + (offset - file->rows[i].offset) / 4];
	}
	return NULL;
}

static inline void vgpu_regfile_reset(const struct vgpu_regfile *file)
{
	unsigned int i, j, index = 0;

	for (i = 0; i < file->num_rows; i++)
		for (j = 0; j < vgpu_reg_count(&file->rows[i]); j++)
			file->values[index++] = file->rows[i].reset;
}

/* Value of a register that is in the table. */
static inline u32 vgpu_regfile_get(const struct vgpu_regfile *file, u32 offset)
{
	const u32 *value = vgpu_regfile_find(file, offset, NULL);

	return value ? *value : ~0u;
}

/**
 * vgpu_regfile_read - read a register
 * @file: register file
 * @offset: byte offset in BAR5
 * @value: set to the value
 *
 * Return: whether the file has it; if not, *@value is all ones.
 */
static inline bool vgpu_regfile_read(const struct vgpu_regfile *file, u32 offset, u32 *value)
{
	const u32 *found = vgpu_regfile_find(file, offset, NULL);

	*value = found ? *found : ~0u;
	return found;
}

/**
 * vgpu_regfile_write - write the writable bits of a register
 * @file: register file
 * @offset: byte offset in BAR5
 * @value: what to write
 *
 * Return: whether the file has it.
 */
static inline bool vgpu_regfile_write(const struct vgpu_regfile *file, u32 offset, u32 value)
{
	const struct vgpu_reg *row;
	u32 *found = vgpu_regfile_find(file, offset, &row);

	if (!found)
		return false;
	*found = (*found & ~row->mask) | (value & row->mask);
	return true;
}

#endif /* CARILLON_VGPU_REGFILE_H */
