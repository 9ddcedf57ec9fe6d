/* SPDX-License-Identifier: MIT */
#ifndef THUNK_LOG_H
#define THUNK_LOG_H

#include "thunk_util.h"

/**
 * DOC: messages
 *
 * A library prints nothing unless asked. HSAKMT_DEBUG_LEVEL asks: 3 errors, 4
 * warnings too, 6 information too, 7 everything. Messages go to stderr, one line
 * each, and never hold a pointer's contents. Tests may take them instead.
 */

enum thunk_log_level {
	THUNK_LOG_ERR = 3,
	THUNK_LOG_WARN = 4,
	THUNK_LOG_INFO = 6,
	THUNK_LOG_DEBUG = 7,
};

/* Read HSAKMT_DEBUG_LEVEL; a value out of 3..7 is silence. */
void thunk_log_init(void);

/* Where lines go instead of stderr; NULL: back to stderr. */
void thunk_log_set_sink(void (*sink)(enum thunk_log_level level, const char *line));

void __printf(2, 3) thunk_log(enum thunk_log_level level, const char *fmt, ...);

#define thunk_err(...)		thunk_log(THUNK_LOG_ERR, __VA_ARGS__)
#define thunk_warn(...)		thunk_log(THUNK_LOG_WARN, __VA_ARGS__)
#define thunk_info(...)		thunk_log(THUNK_LOG_INFO, __VA_ARGS__)
#define thunk_debug(...)	thunk_log(THUNK_LOG_DEBUG, __VA_ARGS__)

#endif
