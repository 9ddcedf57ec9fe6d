// SPDX-License-Identifier: MIT
/* DOC: messages; see thunk_log.h for who may print what. */
#include "thunk_log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int max_level = -1;
static void (*log_sink)(enum thunk_log_level level, const char *line);

void thunk_log_init(void)
{
	const char *text = getenv("HSAKMT_DEBUG_LEVEL");
	int level = text ? atoi(text) : -1;

	max_level = level >= THUNK_LOG_ERR && level <= THUNK_LOG_DEBUG ? level : -1;
}

void thunk_log_set_sink(void (*sink)(enum thunk_log_level level, const char *line))
{
	log_sink = sink;
}

void thunk_log(enum thunk_log_level level, const char *fmt, ...)
{
	char line[256];
	va_list args;

	if (!log_sink && (int)level > max_level)
		return;
	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	if (log_sink)
		log_sink(level, line);
	else
		fprintf(stderr, "libhsakmt: %s\n", line);
}
