/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* User-space stand-in: kernel integer types for pure files. */
#ifndef CARILLON_SHIM_TYPES_H
#define CARILLON_SHIM_TYPES_H

#include <asm/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef u64 dma_addr_t;
typedef u16 __le16;
typedef u32 __le32;
typedef u64 __le64;

#define __user
#define __iomem
#define __force

#endif /* CARILLON_SHIM_TYPES_H */
