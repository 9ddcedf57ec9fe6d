/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* User-space stand-in: single accesses. */
#ifndef CARILLON_SHIM_COMPILER_H
#define CARILLON_SHIM_COMPILER_H

#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v)	__atomic_store_n(&(x), v, __ATOMIC_RELAXED)

#endif /* CARILLON_SHIM_COMPILER_H */
