/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* User-space stand-in: one thread, no grace periods. */
#ifndef CARILLON_SHIM_RCUPDATE_H
#define CARILLON_SHIM_RCUPDATE_H

#define __rcu

#endif /* CARILLON_SHIM_RCUPDATE_H */
