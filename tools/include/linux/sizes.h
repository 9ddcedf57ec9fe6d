/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* User-space stand-in: round numbers. */
#ifndef CARILLON_SHIM_SIZES_H
#define CARILLON_SHIM_SIZES_H

#define SZ_4K	0x1000
#define SZ_16K	0x4000
#define SZ_1M	0x100000
#define SZ_256M	0x10000000
#define SZ_1G	0x40000000

#endif /* CARILLON_SHIM_SIZES_H */
