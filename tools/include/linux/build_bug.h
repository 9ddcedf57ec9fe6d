/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* User-space stand-in: compile-time checks. */
#ifndef CARILLON_SHIM_BUILD_BUG_H
#define CARILLON_SHIM_BUILD_BUG_H

#define static_assert		_Static_assert
#define BUILD_BUG_ON(cond)	_Static_assert(!(cond), #cond)

#endif /* CARILLON_SHIM_BUILD_BUG_H */
