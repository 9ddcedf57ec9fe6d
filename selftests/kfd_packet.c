// SPDX-License-Identifier: GPL-2.0-only
#include "kfd_packet.h"

#include <string.h>

static unsigned int put_addr(uint32_t *w, const void *addr)
{
	w[0] = (uint32_t)(uintptr_t)addr;
	w[1] = (uint32_t)((uintptr_t)addr >> 32);
	return 2;
}

unsigned int pkt_copy(uint32_t *w, const void *dst, const void *src, uint32_t bytes)
{
	w[0] = 1;
	w[1] = bytes - 1;
	w[2] = 0;
	put_addr(w + 3, src);
	put_addr(w + 5, dst);
	return 7;
}

unsigned int pkt_fill(uint32_t *w, const void *dst, uint32_t value, uint32_t bytes)
{
	w[0] = 11 | 2u << 30;
	put_addr(w + 1, dst);
	w[3] = value;
	w[4] = bytes - 4;
	return 5;
}

unsigned int pkt_fence(uint32_t *w, const void *addr, uint32_t value)
{
	w[0] = 5;
	put_addr(w + 1, addr);
	w[3] = value;
	return 4;
}

unsigned int pkt_trap(uint32_t *w, uint32_t context)
{
	w[0] = 6;
	w[1] = context;
	return 2;
}

unsigned int pkt_atomic_add(uint32_t *w, const void *addr, uint64_t value)
{
	w[0] = 0x5e00000a;
	put_addr(w + 1, addr);
	w[3] = (uint32_t)value;
	w[4] = value >> 32;
	w[5] = 0;
	w[6] = 0;
	w[7] = 0;
	return 8;
}

unsigned int pkt_poll_mem(uint32_t *w, const void *addr, uint32_t want, uint32_t mask)
{
	w[0] = 0xb0000008;
	put_addr(w + 1, addr);
	w[3] = want;
	w[4] = mask;
	w[5] = 0x0fff0004;
	return 6;
}

unsigned int pkt_hdp_flush(uint32_t *w)
{
	w[0] = 8;
	w[1] = 0;
	w[2] = 0x80000000;
	w[3] = 0;
	w[4] = 0;
	w[5] = 0;
	return 6;
}

unsigned int pkt_timestamp(uint32_t *w, const void *addr)
{
	w[0] = 13 | 2 << 8;
	put_addr(w + 1, addr);
	return 3;
}

unsigned int pkt_write(uint32_t *w, const void *addr, const uint32_t *data, unsigned int n)
{
	w[0] = 2;
	put_addr(w + 1, addr);
	w[3] = n - 1;
	memcpy(w + 4, data, n * 4ul);
	return 4 + n;
}
