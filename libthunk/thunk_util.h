/* SPDX-License-Identifier: MIT */
#ifndef THUNK_UTIL_H
#define THUNK_UTIL_H

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/* The compiler checks arguments from @first on against format @fmt. */
#define __printf(fmt, first)	__attribute__((format(gnu_printf, fmt, first)))

#endif
