/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* User-space stand-in: a file is a buffer. */
#ifndef CARILLON_SHIM_SEQ_FILE_H
#define CARILLON_SHIM_SEQ_FILE_H

#include <stdarg.h>
#include <stdio.h>

struct seq_file {
	char text[4096];
	size_t at;
};

/* Formats are not checked: 64-bit types differ. */
static inline void seq_printf(struct seq_file *m, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	m->at += vsnprintf(m->text + m->at, sizeof(m->text) - m->at, format, args);
	va_end(args);
}

#endif /* CARILLON_SHIM_SEQ_FILE_H */
